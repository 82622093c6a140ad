/* args.c: arguments of declaring functions, each with the place in the file it comes from. Lua keeps values without places; the
 * tree has the places. Both are walked side by side: where the written expression is the literal that Lua handed over, the place
 * is exact, to the byte; where it was made (by a macro), the place is the expression that made it. */
#include "vm/host/internal.h"

#include <stdlib.h>
#include <string.h>

#include "vm/text/time.h"

const kr_lua_site *kr_site_of(lua_State *L, int index)
{
    kr_host *h = kr_host_of(L);
    kr_host_charge(L, 100); /* a declaration keeps memory that Lua does not count */
    lua_Integer n = lua_isinteger(L, index) ? lua_tointeger(L, index) : -1;
    return n >= 0 && (size_t)n < h->code.site_count ? &h->code.sites[n] : NULL;
}

kr_span kr_site_span(lua_State *L, const kr_lua_site *site)
{
    kr_host *h = kr_host_of(L);
    if (site && site->call)
        return kr_lua_expr_span(h->tree, site->call);
    if (site && site->target)
        return kr_lua_expr_span(h->tree, site->target);
    if (site && site->stat)
        return kr_lua_stat_span(h->tree, site->stat);
    return (kr_span){ h->tree->tokens.source, 0, 0 };
}

kr_arg kr_arg_at(lua_State *L, const kr_lua_site *site, int n)
{
    kr_arg a = { .L = L, .h = kr_host_of(L), .span = kr_site_span(L, site) };
    a.index = n + 1 <= lua_gettop(L) && !lua_isnil(L, n + 1) ? n + 1 : 0;
    if (site && site->call && (size_t)n < site->call->kid_count) {
        a.expr = kr_lua_bare(site->call->kids[n]);
        a.span = kr_lua_expr_span(a.h->tree, a.expr);
    }
    return a;
}

static kr_arg inner(const kr_arg *table, const kr_lua_expr *expr)
{
    kr_arg a = { .L = table->L, .h = table->h, .span = table->span };
    if (lua_isnil(table->L, -1))
        lua_pop(table->L, 1);
    else
        a.index = lua_gettop(table->L);
    if (expr) {
        a.expr = kr_lua_bare((kr_lua_expr *)(uintptr_t)expr);
        a.span = kr_lua_expr_span(a.h->tree, a.expr);
    }
    return a;
}

kr_arg kr_arg_field(const kr_arg *table, const char *name)
{
    const kr_lua_expr *found = NULL;
    luaL_checkstack(table->L, 8, "too many values");
    lua_pushstring(table->L, name);
    lua_rawget(table->L, table->index);
    if (table->expr && table->expr->kind == KR_LE_TABLE)
        for (size_t i = 0; i < table->expr->item_count; i++)
            if (table->expr->items[i].name && !strcmp(table->expr->items[i].name, name))
                found = table->expr->items[i].value;
    return inner(table, found);
}

kr_arg kr_arg_item(const kr_arg *table, lua_Integer n)
{
    const kr_lua_expr *found = NULL;
    luaL_checkstack(table->L, 8, "too many values");
    lua_rawgeti(table->L, table->index, n);
    if (table->expr && table->expr->kind == KR_LE_TABLE) {
        lua_Integer k = 0;
        for (size_t i = 0; i < table->expr->item_count && !found; i++)
            if (!table->expr->items[i].key && ++k == n)
                found = table->expr->items[i].value;
    }
    return inner(table, found);
}

lua_Integer kr_arg_count(const kr_arg *table) { return (lua_Integer)lua_rawlen(table->L, table->index); }

bool kr_arg_given(const kr_arg *arg) { return arg->index != 0; }

_Noreturn static void wrong(const kr_arg *arg, const char *what, const char *needs)
{
    kr_host_fail(arg->L, KR_E_DECLARE_VALUE, arg->span, "%s is %s, not %s", what, needs,
                 arg->index ? kr_value_name(arg->L, arg->index) : "nothing (nil)");
}

bool kr_arg_is_text(const kr_arg *arg)
{
    return arg->index && (lua_type(arg->L, arg->index) == LUA_TSTRING || kr_value_at(arg->L, arg->index, KR_V_REF));
}

/* The bytes are charged: they will be copied. */
static const char *raw_text(const kr_arg *arg, size_t *len)
{
    kr_value *ref = kr_value_at(arg->L, arg->index, KR_V_REF);
    const char *text = ref ? ref->as.ref.text : lua_tolstring(arg->L, arg->index, len);
    if (ref)
        *len = ref->as.ref.len;
    kr_host_charge(arg->L, *len / 4);
    return text;
}

const char *kr_arg_text(const kr_arg *arg, const char *what)
{
    size_t len = 0;
    if (!kr_arg_is_text(arg))
        wrong(arg, what, "a text");
    const char *text = raw_text(arg, &len);
    if (strlen(text) != len)
        kr_host_fail(arg->L, KR_E_DECLARE_VALUE, arg->span, "%s holds a zero byte", what);
    return kr_arena_copy(arg->h->arena, text, len);
}

void kr_arg_table(const kr_arg *arg, const char *what)
{
    if (!arg->index || lua_type(arg->L, arg->index) != LUA_TTABLE)
        wrong(arg, what, "a table { … }");
}

/* ---- formulas */

typedef struct pieces {
    kr_arena *arena;
    char *text;
    uint32_t *map;
    size_t count, text_room, map_room;
} pieces;

/* The bytes of a text that is written out, alone or joined by `..`, each with its place. */
static bool written_out(pieces *p, const kr_lua_expr *e)
{
    e = kr_lua_bare((kr_lua_expr *)(uintptr_t)e);
    if (e->kind == KR_LE_BINARY && e->op == KR_L_CONCAT)
        return written_out(p, e->kids[0]) && written_out(p, e->kids[1]);
    if (e->kind != KR_LE_STRING || !e->first->map)
        return false;
    for (uint32_t i = 0; i <= e->first->len; i++) {
        size_t at = p->count;
        KR_PUSH(p->arena, p->text, at, p->text_room) = e->first->text[i];
        at = p->count;
        KR_PUSH(p->arena, p->map, at, p->map_room) = e->first->map[i];
        if (i < e->first->len)
            p->count++;
    }
    return true;
}

static kr_fragment *fragment_of(const kr_arg *arg, const char *text, size_t len)
{
    kr_host *h = arg->h;
    const kr_source *source = h->tree->tokens.source;
    pieces p = { .arena = h->arena };
    if (arg->expr && written_out(&p, arg->expr) && p.count == len && !memcmp(p.text, text, len))
        return kr_fragment_mapped(h->arena, source, text, len, p.map, arg->span);
    if (arg->expr && arg->expr->kind == KR_LE_NUMBER && arg->expr->first->len == len) {
        uint32_t *map = KR_NEW_ARRAY(h->arena, uint32_t, len + 1);
        for (size_t i = 0; i <= len; i++)
            map[i] = arg->expr->first->start + (uint32_t)i;
        return kr_fragment_mapped(h->arena, source, text, len, map, arg->span);
    }
    return kr_fragment_made(h->arena, "formula", text, len, arg->span);
}

kr_formula kr_arg_formula(const kr_arg *arg, const char *what)
{
    kr_formula formula = { 0 };
    kr_value *decimal = arg->index ? kr_value_at(arg->L, arg->index, KR_V_DECIMAL) : NULL;
    size_t len = 0;
    if (kr_arg_is_text(arg)) {
        const char *text = raw_text(arg, &len);
        if (strlen(text) != len)
            kr_host_fail(arg->L, KR_E_DECLARE_VALUE, arg->span, "%s holds a zero byte", what);
        formula.fragment = fragment_of(arg, text, len);
    } else if (decimal) {
        formula.fragment = fragment_of(arg, decimal->as.decimal.written, strlen(decimal->as.decimal.written));
    } else if (arg->index && lua_isinteger(arg->L, arg->index)) {
        const char *text = kr_arena_printf(arg->h->arena, "%lld", (long long)lua_tointeger(arg->L, arg->index));
        formula.fragment = fragment_of(arg, text, strlen(text));
    } else if (arg->index && lua_isboolean(arg->L, arg->index)) {
        const char *text = lua_toboolean(arg->L, arg->index) ? "TRUE" : "FALSE";
        formula.fragment = fragment_of(arg, text, strlen(text));
    } else {
        wrong(arg, what, "a formula (text)");
    }
    return formula;
}

/* ---- plain values */

bool kr_arg_number(const kr_arg *arg, kr_num *value)
{
    if (!arg->index)
        return false;
    kr_value *decimal = kr_value_at(arg->L, arg->index, KR_V_DECIMAL);
    if (decimal) {
        *value = decimal->as.decimal.value;
        return true;
    }
    if (lua_isinteger(arg->L, arg->index)) {
        *value = kr_num_of_int(lua_tointeger(arg->L, arg->index));
        return true;
    }
    if (lua_type(arg->L, arg->index) != LUA_TSTRING)
        return false;
    size_t len = 0;
    const char *text = lua_tolstring(arg->L, arg->index, &len);
    enum kr_read read = kr_num_read(text, len, value, NULL);
    if (read == KR_READ_DECIMALS)
        kr_host_fail(arg->L, KR_E_NUMBER_DECIMALS, arg->span, "`%s` has more than 18 decimals", text);
    if (read == KR_READ_RANGE)
        kr_host_fail(arg->L, KR_E_NUMBER_RANGE, arg->span, "`%s` is out of range", text);
    return read == KR_READ_OK;
}

int64_t kr_arg_whole(const kr_arg *arg, int64_t low, int64_t high, const char *what)
{
    if (!arg->index || !lua_isinteger(arg->L, arg->index))
        wrong(arg, what, "a whole number");
    lua_Integer v = lua_tointeger(arg->L, arg->index);
    if (v < low || v > high)
        kr_host_fail(arg->L, KR_E_DECLARE_VALUE, arg->span, "%s is at least %lld and at most %lld, not %lld", what, (long long)low,
                     (long long)high, (long long)v);
    return v;
}

bool kr_arg_boolean(const kr_arg *arg, const char *what)
{
    if (!arg->index || !lua_isboolean(arg->L, arg->index))
        wrong(arg, what, "true or false");
    return lua_toboolean(arg->L, arg->index);
}

int64_t kr_arg_day(const kr_arg *arg, const char *what)
{
    int64_t day = 0;
    const char *text = kr_arg_text(arg, what);
    if (!kr_day_read(text, strlen(text), &day))
        kr_host_fail(arg->L, KR_E_DECLARE_VALUE, arg->span, "%s is a day like \"2023-01-01\", not `%s`", what, text);
    return day;
}

const char **kr_arg_names(const kr_arg *arg, int *count, const char *what)
{
    kr_arg_table(arg, what);
    lua_Integer n = kr_arg_count(arg);
    const char **names = KR_NEW_ARRAY(arg->h->arena, const char *, n + 1);
    static const char *const none[] = { NULL };
    kr_arg_fields(arg, none, true, what);
    for (lua_Integer i = 1; i <= n; i++) {
        kr_arg item = kr_arg_item(arg, i);
        names[i - 1] = kr_arg_text(&item, what);
        for (lua_Integer k = 0; k < i - 1; k++)
            if (!strcmp(names[k], names[i - 1]))
                kr_host_fail(arg->L, KR_E_DECLARE_VALUE, item.span, "%s names `%s` twice", what, names[k]);
        lua_pop(arg->L, 1);
    }
    *count = (int)n;
    return names;
}

static _Noreturn void no_sheet(const kr_arg *arg, const char *name)
{
    kr_model *m = arg->h->model;
    const char **names = KR_NEW_ARRAY(arg->h->arena, const char *, m->sheet_count + 1);
    for (int i = 0; i < m->sheet_count; i++)
        names[i] = m->sheets[i]->name;
    const char *near = kr_nearest(name, names, (size_t)m->sheet_count);
    kr_host_fail_help(arg->L, KR_E_LUA_NAME, arg->span, near ? kr_arena_printf(arg->h->arena, "did you mean `%s`?", near) : NULL,
                      "there is no sheet `%s`", name);
}

kr_sheet *kr_arg_sheet(const kr_arg *arg, const char *what)
{
    kr_value *v = arg->index ? kr_value_at(arg->L, arg->index, KR_V_SHEET) : NULL;
    if (v)
        return v->as.sheet;
    if (!kr_arg_is_text(arg))
        wrong(arg, what, "a sheet");
    const char *name = kr_arg_text(arg, what);
    kr_sheet *sheet = kr_model_sheet(arg->h->model, name);
    if (!sheet)
        no_sheet(arg, name);
    return sheet;
}

const char *kr_arg_sheet_name(const kr_arg *arg, const char *what)
{
    kr_value *v = arg->index ? kr_value_at(arg->L, arg->index, KR_V_SHEET) : NULL;
    if (v)
        return v->as.sheet->name;
    if (!kr_arg_is_text(arg))
        wrong(arg, what, "a sheet or its name");
    return kr_arg_text(arg, what);
}

/* ---- tables of options */

static int by_bytes(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

const char **kr_arg_keys(const kr_arg *table, int *count)
{
    lua_State *L = table->L;
    const char **keys = NULL;
    size_t n = 0, room = 0;
    luaL_checkstack(L, 8, "too many values");
    lua_pushnil(L);
    while (lua_next(L, table->index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING)
            KR_PUSH(table->h->arena, keys, n, room) = kr_arena_copy(table->h->arena, lua_tostring(L, -1), lua_rawlen(L, -1));
    }
    if (n > 1)
        qsort(keys, n, sizeof *keys, by_bytes);
    if (table->expr && table->expr->kind == KR_LE_TABLE) { /* as written: bring those to the front, in order */
        size_t placed = 0;
        for (size_t i = 0; i < table->expr->item_count; i++)
            for (size_t k = placed; table->expr->items[i].name && k < n; k++)
                if (!strcmp(keys[k], table->expr->items[i].name)) {
                    const char *key = keys[k];
                    memmove(keys + placed + 1, keys + placed, (k - placed) * sizeof *keys);
                    keys[placed++] = key;
                    break;
                }
    }
    *count = (int)n;
    return keys;
}

void kr_arg_fields(const kr_arg *table, const char *const *fields, bool items, const char *what)
{
    int count = 0;
    size_t known = 0;
    while (fields[known])
        known++;
    const char **keys = kr_arg_keys(table, &count);
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < known; k++)
            found |= !strcmp(fields[k], keys[i]);
        if (found)
            continue;
        kr_span span = table->span;
        if (table->expr && table->expr->kind == KR_LE_TABLE)
            for (size_t k = 0; k < table->expr->item_count; k++)
                if (table->expr->items[k].name && !strcmp(table->expr->items[k].name, keys[i]))
                    span = kr_lua_expr_span(table->h->tree, table->expr->items[k].key);
        const char *near = kr_nearest(keys[i], fields, known);
        const char *help = near ? kr_arena_printf(table->h->arena, "did you mean `%s`?", near) : NULL;
        if (!near && known) {
            char *all = kr_arena_printf(table->h->arena, "it has `%s`", fields[0]);
            for (size_t k = 1; k < known; k++)
                all = kr_arena_printf(table->h->arena, "%s, `%s`", all, fields[k]);
            help = all;
        }
        kr_host_fail_help(table->L, KR_E_DECLARE_FIELD, span, help, "%s has no option `%s`", what, keys[i]);
    }
    if (!items && kr_arg_count(table) > 0) {
        kr_arg item = kr_arg_item(table, 1);
        kr_host_fail(table->L, KR_E_DECLARE_VALUE, item.span, "%s takes named options only: name = value", what);
    }
}
