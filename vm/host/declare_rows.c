/* declare_rows.c: where the rows of a sheet come from: cross, distinct, join, union, range, fold. */
#include "vm/host/internal.h"

#include <string.h>

static kr_rows *new_rows(lua_State *L, kr_rows_kind kind, kr_span span)
{
    kr_rows *rows = KR_NEW(kr_host_of(L)->arena, kr_rows);
    rows->kind = kind;
    rows->span = span;
    return rows;
}

static int give(lua_State *L, kr_rows *rows)
{
    kr_value_push(L, KR_V_ROWS)->as.rows = rows;
    return 1;
}

static void set_columns(kr_arena *arena, kr_rows *rows, int count)
{
    rows->columns = KR_NEW_ARRAY(arena, const char *, count + 1);
    rows->from = KR_NEW_ARRAY(arena, const char *, count + 1);
    rows->column_count = count;
}

/* A part of cross or union: rows, "day", or "T.c". */
static kr_rows *part_of(const kr_arg *arg)
{
    lua_State *L = arg->L;
    kr_arena *arena = arg->h->arena;
    kr_value *v = arg->index ? kr_value_at(L, arg->index, KR_V_ROWS) : NULL;
    if (v)
        return v->as.rows;
    if (arg->index && kr_value_at(L, arg->index, KR_V_TYPE) && kr_value_at(L, arg->index, KR_V_TYPE)->as.column.type == KR_T_DAY)
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, arg->span, "the days of the rulebook are written \"day\"", "`day` is a type here");
    if (!kr_arg_is_text(arg))
        kr_host_fail(L, KR_E_DECLARE_VALUE, arg->span, "a part is \"day\", a column as \"sheet.column\", or a set of rows, not %s",
                     arg->index ? kr_value_name(L, arg->index) : "nothing (nil)");
    const char *text = kr_arg_text(arg, "a part");
    if (!strcmp(text, "day")) {
        kr_rows *rows = new_rows(L, KR_ROWS_DAYS, arg->span);
        set_columns(arena, rows, 1);
        rows->columns[0] = "day";
        return rows;
    }
    const char *dot = strchr(text, '.');
    if (!dot || dot == text || !dot[1])
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, arg->span, "a column is written \"sheet.column\", the rulebook's days \"day\"",
                          "`%s` names no set of values", text);
    kr_rows *rows = new_rows(L, KR_ROWS_COLUMN, arg->span);
    rows->sheet_name = kr_arena_copy(arena, text, (size_t)(dot - text));
    set_columns(arena, rows, 1);
    rows->columns[0] = rows->from[0] = dot + 1;
    kr_check_name(L, rows->sheet_name, arg->span);
    kr_check_name(L, rows->columns[0], arg->span);
    return rows;
}

/* cross(a, b, …) or cross { a, b, … }; union the same. */
static kr_rows *parts_of(lua_State *L, kr_rows_kind kind, const char *what)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_arena *arena = kr_host_of(L)->arena;
    kr_arg first = kr_arg_at(L, site, 1);
    kr_rows *rows = new_rows(L, kind, kr_site_span(L, site));
    bool list = kr_arg_given(&first) && lua_type(L, first.index) == LUA_TTABLE;
    if (list) {
        static const char *const none[] = { NULL };
        kr_arg_fields(&first, none, true, what);
    }
    int count = list ? (int)kr_arg_count(&first) : lua_gettop(L) - 1;
    if (count < 1)
        kr_host_fail(L, KR_E_DECLARE_VALUE, rows->span, "`%s` has no parts", what);
    rows->parts = KR_NEW_ARRAY(arena, kr_rows *, count);
    rows->part_count = count;
    for (int i = 0; i < count; i++) {
        kr_arg a = list ? kr_arg_item(&first, i + 1) : kr_arg_at(L, site, i + 1);
        rows->parts[i] = part_of(&a);
        if (list)
            lua_settop(L, first.index);
    }
    return rows;
}

/* The columns that parts give, all of them (cross) or those of the first (union). */
static void columns_of_parts(lua_State *L, kr_rows *rows)
{
    kr_arena *arena = kr_host_of(L)->arena;
    bool cross = rows->kind == KR_ROWS_CROSS;
    int total = 0;
    for (int i = 0; i < rows->part_count; i++)
        total += rows->parts[i]->column_count;
    rows->columns = KR_NEW_ARRAY(arena, const char *, total + 1);
    for (int i = 0; i < rows->part_count; i++) {
        kr_rows *part = rows->parts[i];
        for (int k = 0; k < part->column_count; k++) {
            bool there = false;
            for (int c = 0; c < rows->column_count; c++)
                there |= !strcmp(rows->columns[c], part->columns[k]);
            if (cross && there)
                kr_host_fail(L, KR_E_DECLARE_VALUE, part->span, "two parts of this `cross` give a column `%s`", part->columns[k]);
            if (!cross && i > 0 && !there)
                kr_host_fail(L, KR_E_DECLARE_VALUE, part->span, "this part gives `%s`, which the first part of the `union` has not", part->columns[k]);
            if (cross || i == 0)
                rows->columns[rows->column_count++] = part->columns[k];
        }
        if (!cross && part->column_count != rows->column_count)
            kr_host_fail(L, KR_E_DECLARE_VALUE, part->span, "every part of a `union` gives the same columns; this one gives %d, the first %d",
                         part->column_count, rows->column_count);
    }
}

static int d_cross(lua_State *L)
{
    kr_rows *rows = parts_of(L, KR_ROWS_CROSS, "cross");
    columns_of_parts(L, rows);
    return give(L, rows);
}

static int d_union(lua_State *L)
{
    kr_rows *rows = parts_of(L, KR_ROWS_UNION, "union");
    columns_of_parts(L, rows);
    return give(L, rows);
}

/* range("back", 0, "mirror_of - 1") */
static int d_range(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_arg name = kr_arg_at(L, site, 1), low = kr_arg_at(L, site, 2), high = kr_arg_at(L, site, 3);
    kr_rows *rows = new_rows(L, KR_ROWS_RANGE, kr_site_span(L, site));
    set_columns(kr_host_of(L)->arena, rows, 1);
    rows->columns[0] = kr_arg_text(&name, "the name of a range");
    kr_check_name(L, rows->columns[0], name.span);
    rows->low = kr_arg_formula(&low, "the low end of a range");
    rows->high = kr_arg_formula(&high, "the high end of a range");
    return give(L, rows);
}

/* distinct("T", { "a", "mine = theirs" }, "condition") */
static int d_distinct(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_arena *arena = kr_host_of(L)->arena;
    kr_arg sheet = kr_arg_at(L, site, 1), columns = kr_arg_at(L, site, 2), where = kr_arg_at(L, site, 3);
    kr_rows *rows = new_rows(L, KR_ROWS_DISTINCT, kr_site_span(L, site));
    int count = 0, top = lua_gettop(L);
    rows->sheet_name = kr_arg_sheet_name(&sheet, "the first argument of `distinct`");
    static const char what[] = "the second argument of `distinct`, the list of columns,";
    kr_arg_table(&columns, what);
    const char **renamed = kr_arg_keys(&columns, &count);
    int plain = (int)kr_arg_count(&columns);
    if (count + plain == 0)
        kr_host_fail(L, KR_E_DECLARE_VALUE, columns.span, "`distinct` takes at least one column");
    set_columns(arena, rows, plain + count);
    for (int i = 0; i < plain + count; i++) { /* "column" keeps its name, new = "column" gets another */
        kr_arg item = i < plain ? kr_arg_item(&columns, i + 1) : kr_arg_field(&columns, renamed[i - plain]);
        rows->from[i] = kr_arg_text(&item, "a column of `distinct`");
        rows->columns[i] = i < plain ? rows->from[i] : renamed[i - plain];
        for (int k = 0; k < i; k++)
            if (!strcmp(rows->columns[k], rows->columns[i]))
                kr_host_fail(L, KR_E_DECLARE_VALUE, item.span, "`distinct` gives `%s` twice", rows->columns[i]);
        kr_check_name(L, rows->columns[i], item.span);
        kr_check_name(L, rows->from[i], item.span);
        lua_settop(L, top);
    }
    if (kr_arg_given(&where))
        rows->where = kr_arg_formula(&where, "the third argument of `distinct`, the condition,");
    return give(L, rows);
}

/* join { a = "T", b = "U", on = { "c" }, where = "a.x <> b.x", key = { name = "a.y", … } } */
static int d_join(lua_State *L)
{
    static const char *const fields[] = { "a", "b", "on", "where", "key", NULL };
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_arena *arena = kr_host_of(L)->arena;
    kr_arg t = kr_arg_at(L, site, 1);
    kr_rows *rows = new_rows(L, KR_ROWS_JOIN, kr_site_span(L, site));
    kr_arg_table(&t, "the argument of `join`");
    kr_arg_fields(&t, fields, false, "`join`");
    kr_arg a = kr_arg_field(&t, "a"), b = kr_arg_field(&t, "b"), on = kr_arg_field(&t, "on"), where = kr_arg_field(&t, "where"), key = kr_arg_field(&t, "key");
    rows->sheet_name = kr_arg_sheet_name(&a, "`a` of a join");
    rows->sheet_name_b = kr_arg_sheet_name(&b, "`b` of a join");
    rows->on = kr_arg_names(&on, &rows->on_count, "`on` of a join");
    if (kr_arg_given(&where))
        rows->where = kr_arg_formula(&where, "`where` of a join");
    kr_arg_table(&key, "`key` of a join");
    int count = 0;
    const char **names = kr_arg_keys(&key, &count);
    if (count == 0 || kr_arg_count(&key) > 0)
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, key.span, "key = { address = \"a.address\", other = \"b.address\" }",
                          "`key` of a join names each column and its formula");
    set_columns(arena, rows, count);
    rows->key = KR_NEW_ARRAY(arena, kr_formula, count);
    for (int i = 0; i < count; i++) {
        kr_arg formula = kr_arg_field(&key, names[i]);
        kr_check_name(L, names[i], formula.span);
        rows->columns[i] = names[i];
        rows->key[i] = kr_arg_formula(&formula, kr_arena_printf(arena, "key `%s` of a join", names[i]));
        lua_pop(L, 1);
    }
    return give(L, rows);
}

/* ---- fold */

static void fold_state(const kr_arg *table, kr_fold *fold)
{
    lua_State *L = table->L;
    kr_host *h = table->h;
    int count = 0;
    kr_arg_table(table, "`state` of a fold");
    const char **names = kr_arg_keys(table, &count);
    fold->state = KR_NEW_ARRAY(h->arena, struct kr_fold_state, count + 1);
    fold->state_count = count;
    for (int i = 0; i < count; i++) {
        struct kr_fold_state *s = &fold->state[i];
        kr_arg a = kr_arg_field(table, names[i]);
        kr_value *type = kr_value_at(L, a.index, KR_V_TYPE), *state = kr_value_at(L, a.index, KR_V_STATE);
        s->name = names[i];
        s->span = a.span;
        s->start = KR_BLANK;
        kr_num number;
        if (type) {
            s->type = type->as.column.type;
        } else if (state) {
            s->kind = state->as.state.is_map ? KR_STATE_MAP : KR_STATE_LIST;
            s->type = state->as.state.value;
            s->key_type = state->as.state.key;
        } else if (lua_isboolean(L, a.index)) {
            s->type = KR_T_BOOLEAN;
            s->start = kr_cell_of_bool(lua_toboolean(L, a.index));
        } else if (lua_type(L, a.index) != LUA_TSTRING && kr_arg_number(&a, &number)) {
            s->type = KR_T_NUMBER;
            s->start = number;
        } else if (lua_type(L, a.index) == LUA_TSTRING) {
            size_t len = 0;
            const char *text = lua_tolstring(L, a.index, &len);
            s->type = KR_T_TEXT;
            s->start = kr_cell_of_text(h->pool, text, len);
        } else {
            kr_host_fail_help(L, KR_E_DECLARE_VALUE, a.span, "count = 0, last = text, open = map(text, number), queue = list(number)",
                              "state `%s` is a first value, a type (then blank at first), a map or a list, not %s", names[i], kr_value_name(L, a.index));
        }
        lua_pop(L, 1);
    }
}

/* fold { over = "event", per = { … }, order = { … }, where = "…", state = { … }, step = function(state, row, emit) … end } */
static int d_fold(lua_State *L)
{
    static const char *const fields[] = { "over", "per", "order", "where", "state", "step", NULL };
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_arg t = kr_arg_at(L, site, 1);
    kr_arg_table(&t, "the argument of `fold`");
    kr_arg_fields(&t, fields, false, "`fold`");
    kr_rows *rows = new_rows(L, KR_ROWS_FOLD, kr_site_span(L, site));
    kr_fold *fold = KR_NEW(h->arena, kr_fold);
    kr_arg over = kr_arg_field(&t, "over"), per = kr_arg_field(&t, "per"), order = kr_arg_field(&t, "order"), where = kr_arg_field(&t, "where"),
           state = kr_arg_field(&t, "state"), step = kr_arg_field(&t, "step");
    rows->fold = fold;
    rows->sheet_name = kr_arg_sheet_name(&over, "`over` of a fold");
    fold->span = rows->span;
    fold->name = kr_arena_printf(h->arena, "fold over %s", rows->sheet_name);
    if (kr_arg_given(&per))
        fold->per = kr_arg_names(&per, &fold->per_count, "`per` of a fold");
    if (kr_arg_given(&order))
        fold->order = kr_arg_names(&order, &fold->order_count, "`order` of a fold");
    if (kr_arg_given(&where))
        fold->where = kr_arg_formula(&where, "`where` of a fold");
    if (kr_arg_given(&state))
        fold_state(&state, fold);
    if (!step.expr || step.expr->kind != KR_LE_FUNCTION)
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, step.span, "step = function(state, row, emit) … end", "`step` of a fold is a function, written out here");
    fold->step = kr_script_translate(h, step.expr->function, fold->name, fold);
    if (!fold->step)
        kr_host_raise(L);
    return give(L, rows);
}

void kr_declare_rows_open(lua_State *L)
{
    static const luaL_Reg list[] = {
        { "cross", d_cross }, { "union", d_union }, { "range", d_range }, { "distinct", d_distinct }, { "join", d_join }, { "fold", d_fold }, { NULL, NULL },
    };
    for (const luaL_Reg *f = list; f->name; f++) {
        lua_pushcfunction(L, f->func);
        lua_setfield(L, -2, f->name);
    }
}
