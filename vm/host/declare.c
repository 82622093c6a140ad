/* declare.c: sheets, columns, types, parameters, defines and functions. Declarations are filled into the model in the order in
 * which Lua makes them. */
#include "vm/host/internal.h"

#include <string.h>

/* ---- names */

static bool is_word(const char *name)
{
    if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_'))
        return false;
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9') || *name == '_'))
            return false;
    return true;
}

static bool same_any_case(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a | 0x20) != (*b | 0x20))
            return false;
    return *a == *b;
}

void kr_check_name(lua_State *L, const char *name, kr_span span)
{
    static const char *const reserved[] = { "WHERE", "BY", "ASC", "DESC", "TRUE", "FALSE" };
    if (!is_word(name))
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, span, "a name is letters, digits and `_`, and begins with no digit",
                          "`%s` is not a name that a formula can say", name);
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (i < 4 ? !strcmp(name, reserved[i]) : same_any_case(name, reserved[i])) /* as the formula's parser reserves them */
            kr_host_fail(L, KR_E_DECLARE_VALUE, span, "`%s` is a word of the formula language, not a name", name);
}

_Noreturn static void twice(lua_State *L, kr_span span, kr_span first, const char *what)
{
    kr_host *h = kr_host_of(L);
    kr_diag *diag = kr_diag_add(h->diags, KR_E_DECLARE_TWICE, span, "%s is declared twice", what);
    kr_diag_window(h->diags, diag, first, "first here");
    kr_host_raise(L);
}

/* Finding a name among `count` takes that long: so much is charged, and a loop that declares without end stops soon. */
static void charge(lua_State *L, int count) { kr_host_charge(L, 100 + 4 * (uint64_t)count); }

/* ---- the place of an assignment: KR_PREFIX "at" has just said it */

static kr_arg assigned(lua_State *L, const kr_lua_site **site)
{
    kr_host *h = kr_host_of(L);
    kr_arg a = { .L = L, .h = h, .index = 3 };
    *site = h->site >= 0 ? &h->code.sites[h->site] : NULL;
    h->site = -1;
    if (lua_isnil(L, 3))
        a.index = 0;
    a.span = kr_site_span(L, *site);
    if (*site && (*site)->value) {
        a.expr = kr_lua_bare((*site)->value);
        a.span = kr_lua_expr_span(h->tree, a.expr);
    }
    return a;
}

/* ---- parameters */

static bool is_literal(const kr_lua_expr *e)
{
    e = kr_lua_bare((kr_lua_expr *)(uintptr_t)e);
    if (e->kind == KR_LE_UNARY && e->op == '-')
        return kr_lua_bare(e->kids[0])->kind == KR_LE_NUMBER;
    return e->kind == KR_LE_NUMBER || e->kind == KR_LE_STRING || e->kind == KR_LE_TRUE || e->kind == KR_LE_FALSE;
}

/* Digits with what people put between or behind them: `10 %`, `1,000`, `1 000`. As a text it would be noticed far from here. */
static bool looks_like_number(const char *text, size_t len)
{
    return len && strspn(text, "0123456789.,%_ +-") == len && strpbrk(text, "0123456789") && strpbrk(text, " ,%");
}

static void param_value(kr_arg *value, kr_param *param, kr_type wanted)
{
    lua_State *L = value->L;
    kr_host *h = value->h;
    if (!value->expr || !is_literal(value->expr))
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, value->span, "compute in a formula that names the parameter",
                          "a parameter is one number or one text, written out");
    param->value_span = value->span;
    if (lua_isboolean(L, value->index)) {
        param->type = KR_T_BOOLEAN;
        param->value = kr_cell_of_bool(lua_toboolean(L, value->index));
        param->written = lua_toboolean(L, value->index) ? "true" : "false";
    } else {
        kr_num number;
        size_t len = 0;
        bool text = lua_type(L, value->index) == LUA_TSTRING;
        const char *written = text ? lua_tolstring(L, value->index, &len) : NULL;
        const kr_source *source = h->tree->tokens.source;
        param->written = text ? kr_arena_copy(h->arena, written, len)
                              : kr_arena_copy(h->arena, source->text + value->span.start, value->span.end - value->span.start);
        int64_t day = 0;
        if (wanted != KR_T_TEXT && wanted != KR_T_DAY && kr_arg_number(value, &number)) {
            param->type = KR_T_NUMBER;
            param->value = number;
        } else if (text && wanted != KR_T_TEXT && wanted != KR_T_NUMBER && len == 10 && written[4] == '-' && written[7] == '-') {
            day = kr_arg_day(value, "this parameter");
            param->type = KR_T_DAY;
            param->value = kr_cell_of_int(day);
        } else if (text && wanted != KR_T_TEXT && looks_like_number(written, len)) {
            kr_host_fail_help(L, KR_E_DECLARE_VALUE, value->span, "numbers are written plain, as 0.5, 25% or 10_000; for a text say type = text", "`%s` is not a number", written);
        } else if (text) {
            param->type = KR_T_TEXT;
            param->value = kr_cell_of_text(h->pool, written, len);
        } else {
            kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "a parameter of type %s has a number as its value", kr_type_name(wanted));
        }
    }
    if (wanted != KR_T_NONE && param->type != wanted)
        kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "this parameter is declared as %s, its value is %s", kr_type_name(wanted),
                     kr_type_name(param->type));
}

static bool bound(const kr_arg *table, const char *name, kr_num *out)
{
    kr_arg a = kr_arg_field(table, name);
    if (!kr_arg_given(&a))
        return false;
    if (!kr_arg_number(&a, out))
        kr_host_fail(table->L, KR_E_DECLARE_VALUE, a.span, "`%s` is a number, not %s", name, kr_value_name(table->L, a.index));
    lua_pop(table->L, 1);
    return true;
}

static void check_range(lua_State *L, const kr_param *param, kr_span span)
{
    bool low = param->has_min && kr_num_cmp(param->value, param->min) < 0, high = param->has_max && kr_num_cmp(param->value, param->max) > 0;
    char bound_text[KR_NUM_TEXT];
    if (param->has_min && param->has_max && kr_num_cmp(param->min, param->max) > 0)
        kr_host_fail(L, KR_E_PARAM_RANGE, span, "the range of parameter `%s` is empty: its min is above its max", param->name);
    if (low || high) {
        kr_num_write(low ? param->min : param->max, bound_text);
        kr_host_fail(L, KR_E_PARAM_RANGE, span, "parameter `%s` is %s, %s its own %s of %s", param->name, param->written, low ? "below" : "above",
                     low ? "min" : "max", bound_text);
    }
}

static void declare_param(lua_State *L, const char *name, kr_arg *value, const kr_lua_site *site)
{
    kr_host *h = value->h;
    kr_span span = kr_site_span(L, site);
    kr_check_name(L, name, span);
    charge(L, h->model->param_count);
    kr_param *old = kr_model_param(h->model, name);
    if (old)
        twice(L, span, old->span, kr_arena_printf(h->arena, "parameter `%s`", name));
    kr_param param = { .name = name, .span = span };
    if (lua_type(L, value->index) == LUA_TTABLE) {
        static const char *const fields[] = { "min", "max", "type", NULL };
        kr_arg_fields(value, fields, true, "a parameter");
        kr_arg kind = kr_arg_field(value, "type");
        kr_type wanted = KR_T_NONE;
        if (kr_arg_given(&kind)) {
            kr_value *v = kr_value_at(L, kind.index, KR_V_TYPE);
            if (!v)
                kr_host_fail(L, KR_E_DECLARE_VALUE, kind.span, "`type` is a type: number, text, boolean or day");
            wanted = v->as.column.type;
        }
        kr_arg first = kr_arg_item(value, 1);
        if (!kr_arg_given(&first) || kr_arg_count(value) != 1)
            kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "a parameter has one value: param.%s = { value, min = …, max = … }", name);
        param_value(&first, &param, wanted);
        param.has_min = bound(value, "min", &param.min);
        param.has_max = bound(value, "max", &param.max);
        if ((param.has_min || param.has_max) && param.type != KR_T_NUMBER)
            kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "only a number has a range");
        check_range(L, &param, first.span);
    } else {
        param_value(value, &param, KR_T_NONE);
    }
    param.doc = kr_doc_of(h, site ? site->stat : NULL);
    KR_PUSH(h->arena, h->model->params, h->model->param_count, h->model->param_capacity) = param;
}

/* ---- defines and functions */

static void not_a_primitive(lua_State *L, const char *name, kr_span span, const char *what)
{
    kr_host *h = kr_host_of(L);
    charge(L, h->model->define_count + h->model->user_fn_count);
    const kr_fn *fn = h->model->families ? kr_fn_find(h->model->families, name, strlen(name)) : NULL;
    if (fn)
        kr_host_fail(L, KR_E_DECLARE_TWICE, span, "%s `%s` has the name of the function %s", what, name, fn->name);
    kr_define *define = kr_model_define(h->model, name);
    if (define)
        twice(L, span, define->span, kr_arena_printf(h->arena, "`%s`", name));
    kr_user_fn *user = kr_model_user_fn(h->model, name);
    if (user)
        twice(L, span, user->span, kr_arena_printf(h->arena, "`%s`", name));
}

static void declare_define(lua_State *L, const char *name, kr_arg *value, const kr_lua_site *site)
{
    kr_host *h = value->h;
    kr_span span = kr_site_span(L, site);
    kr_check_name(L, name, span);
    not_a_primitive(L, name, span, "the defined formula");
    kr_define define = { .name = name, .span = span };
    if (lua_type(L, value->index) == LUA_TTABLE) {
        static const char *const none[] = { NULL };
        kr_arg_fields(value, none, true, "a defined formula");
        lua_Integer n = kr_arg_count(value);
        if (n < 1)
            kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "a defined formula is { \"argument\", …, \"formula\" }");
        define.args = KR_NEW_ARRAY(h->arena, const char *, n);
        for (lua_Integer i = 1; i < n; i++) {
            kr_arg item = kr_arg_item(value, i);
            define.args[i - 1] = kr_arg_text(&item, "an argument's name");
            kr_check_name(L, define.args[i - 1], item.span);
            for (lua_Integer k = 0; k < i - 1; k++)
                if (!strcmp(define.args[k], define.args[i - 1]))
                    kr_host_fail(L, KR_E_DECLARE_TWICE, item.span, "argument `%s` is named twice", define.args[k]);
            lua_pop(L, 1);
        }
        define.arg_count = (int)n - 1;
        kr_arg body = kr_arg_item(value, n);
        define.body = kr_arg_formula(&body, "the last item, the formula,");
    } else {
        define.body = kr_arg_formula(value, "a defined formula");
    }
    define.doc = kr_doc_of(h, site ? site->stat : NULL);
    KR_PUSH(h->arena, h->model->defines, h->model->define_count, h->model->define_capacity) = define;
}

static void declare_fn(lua_State *L, const char *name, kr_arg *value, const kr_lua_site *site)
{
    kr_host *h = value->h;
    kr_span span = kr_site_span(L, site);
    kr_check_name(L, name, span);
    not_a_primitive(L, name, span, "the function");
    if (!value->expr || value->expr->kind != KR_LE_FUNCTION)
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, value->span, kr_arena_printf(h->arena, "fn.%s = function(x) … end", name),
                          "`fn.%s` is a function, written out here", name);
    kr_user_fn fn = { .name = name, .span = span, .doc = kr_doc_of(h, site->stat) };
    fn.script = kr_script_translate(h, value->expr->function, name, NULL);
    if (!fn.script)
        kr_host_raise(L);
    KR_PUSH(h->arena, h->model->user_fns, h->model->user_fn_count, h->model->user_fn_capacity) = fn;
}

/* ---- types */

static const struct { const char *name; kr_type type; bool address; } types[] = {
    { "number", KR_T_NUMBER, false }, { "boolean", KR_T_BOOLEAN, false }, { "text", KR_T_TEXT, false }, { "bytes", KR_T_BYTES, false },
    { "day", KR_T_DAY, false }, { "time", KR_T_TIME, false }, { "address", KR_T_TEXT, true },
};

static kr_value *push_type(lua_State *L, kr_type type)
{
    kr_value *v = kr_value_push(L, KR_V_TYPE);
    v->as.column.type = type;
    return v;
}

/* number { above = 0, … }: a copy with a domain. Called with the site when the file names the type. */
int kr_type_call(lua_State *L)
{
    kr_value *called = kr_value_at(L, 1, KR_V_TYPE);
    if (!called)
        return luaL_error(L, "%s cannot be called", kr_value_name(L, 1));
    kr_value base = *called;
    const kr_lua_site *site = kr_site_of(L, 2);
    if (site)
        lua_remove(L, 2);
    kr_arg options = kr_arg_at(L, site, 1); /* the type itself stands where a told function has its site */
    static const char *const for_number[] = { "above", "below", "min", "max", "whole", "required", "optional", NULL };
    static const char *const for_others[] = { "required", "optional", NULL };
    bool number = base.as.column.type == KR_T_NUMBER;
    kr_arg_table(&options, "what follows a type");
    kr_arg_fields(&options, number ? for_number : for_others, false, kr_arena_printf(options.h->arena, "the type %s", kr_type_name(base.as.column.type)));
    kr_domain *d = &base.as.column.domain;
    if (number) {
        d->has_above |= bound(&options, "above", &d->above);
        d->has_below |= bound(&options, "below", &d->below);
        d->has_min |= bound(&options, "min", &d->min);
        d->has_max |= bound(&options, "max", &d->max);
        kr_arg whole = kr_arg_field(&options, "whole");
        d->whole |= kr_arg_given(&whole) && kr_arg_boolean(&whole, "`whole`");
    }
    kr_arg required = kr_arg_field(&options, "required");
    d->required |= kr_arg_given(&required) && kr_arg_boolean(&required, "`required`");
    kr_arg missing = kr_arg_field(&options, "optional");
    base.as.column.optional |= kr_arg_given(&missing) && kr_arg_boolean(&missing, "`optional`");
    push_type(L, base.as.column.type)->as.column = base.as.column;
    return 1;
}

static int d_one_of(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_arg first = kr_arg_at(L, site, 1);
    const char **words = NULL;
    int count = 0;
    if (kr_arg_given(&first) && lua_type(L, first.index) == LUA_TTABLE) {
        words = kr_arg_names(&first, &count, "`one_of`");
    } else {
        count = lua_gettop(L) - 1;
        words = KR_NEW_ARRAY(h->arena, const char *, count + 1);
        for (int i = 0; i < count; i++) {
            kr_arg word = kr_arg_at(L, site, i + 1);
            words[i] = kr_arg_text(&word, "a word of `one_of`");
            for (int k = 0; k < i; k++)
                if (!strcmp(words[k], words[i]))
                    kr_host_fail(L, KR_E_DECLARE_VALUE, word.span, "`one_of` names \"%s\" twice", words[k]);
        }
    }
    if (count == 0)
        kr_host_fail(L, KR_E_DECLARE_VALUE, first.span, "`one_of` takes the words that the column may hold");
    kr_value *v = push_type(L, KR_T_TEXT);
    v->as.column.domain.one_of = words;
    v->as.column.domain.one_of_count = count;
    return 1;
}

static int d_optional(lua_State *L)
{
    kr_arg of = kr_arg_at(L, kr_site_of(L, 1), 1);
    kr_value *base = kr_arg_given(&of) ? kr_value_at(L, of.index, KR_V_TYPE) : NULL;
    if (!base)
        kr_host_fail(L, KR_E_DECLARE_VALUE, of.span, "`optional` takes the column's type, not %s",
                     of.index ? kr_value_name(L, of.index) : "nothing (nil)");
    kr_value *v = push_type(L, base->as.column.type);
    v->as.column = base->as.column;
    v->as.column.optional = true;
    return 1;
}

static kr_type type_arg(lua_State *L, const kr_lua_site *site, int n, const char *what)
{
    kr_arg a = kr_arg_at(L, site, n);
    kr_value *v = kr_arg_given(&a) ? kr_value_at(L, a.index, KR_V_TYPE) : NULL;
    if (!v)
        kr_host_fail(L, KR_E_DECLARE_VALUE, a.span, "%s takes a type, as in map(text, number) and list(number)", what);
    return v->as.column.type;
}

static int d_map(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_type key = type_arg(L, site, 1, "`map`"), value = type_arg(L, site, 2, "`map`");
    kr_value *v = kr_value_push(L, KR_V_STATE);
    v->as.state.is_map = true;
    v->as.state.key = key;
    v->as.state.value = value;
    return 1;
}

static int d_list(lua_State *L)
{
    kr_type value = type_arg(L, kr_site_of(L, 1), 1, "`list`");
    kr_value *v = kr_value_push(L, KR_V_STATE);
    v->as.state.value = value;
    return 1;
}

/* ---- columns */

static void column_history(kr_arg *table, kr_column_def *column)
{
    kr_arg a = kr_arg_field(table, "history");
    if (!kr_arg_given(&a))
        return;
    const char *word = lua_type(a.L, a.index) == LUA_TSTRING ? lua_tostring(a.L, a.index) : "";
    if (!strcmp(word, "blank"))
        column->history = KR_HISTORY_BLANK;
    else if (!strcmp(word, "backfill"))
        column->history = KR_HISTORY_BACKFILL;
    else {
        column->history = KR_HISTORY_VALUE;
        column->history_value = kr_arg_formula(&a, "`history` (\"blank\", \"backfill\" or a value)");
    }
    lua_pop(a.L, 1);
}

/* account.x = "formula", = type, or = { "formula", history = "blank" }: what days before this version read of a column that a
 * later formula looks back on (blank; the new formula over the old days; or a value). */
static void declare_column(lua_State *L, kr_sheet *sheet, const char *name, kr_arg *value, const kr_lua_site *site)
{
    kr_host *h = value->h;
    kr_span span = kr_site_span(L, site);
    kr_check_name(L, name, span);
    kr_column_def *old = kr_sheet_column(sheet, name);
    if (old)
        twice(L, span, old->span, kr_arena_printf(h->arena, "column `%s` of sheet `%s`", name, sheet->name));
    kr_value *type = kr_value_at(L, value->index, KR_V_TYPE);
    kr_formula formula = { 0 };
    const char *what = kr_arena_printf(h->arena, "column `%s`", name);
    bool table = lua_type(L, value->index) == LUA_TTABLE;
    if (table) {
        static const char *const fields[] = { "history", NULL };
        kr_arg_fields(value, fields, true, "a column");
        kr_arg first = kr_arg_item(value, 1);
        if (kr_arg_count(value) != 1)
            kr_host_fail(L, KR_E_DECLARE_VALUE, value->span, "a column with options is { \"formula\", history = … }");
        formula = kr_arg_formula(&first, "the first item, the formula,");
    } else if (!type) {
        if (!kr_arg_is_text(value) && !kr_value_at(L, value->index, KR_V_DECIMAL) && !lua_isinteger(L, value->index) && !lua_isboolean(L, value->index))
            kr_host_fail_help(L, KR_E_DECLARE_VALUE, value->span, "a type (number, text, …) says that the data has it, a text computes it",
                              "%s is a formula or a type, not %s", what, kr_value_name(L, value->index));
        formula = kr_arg_formula(value, what);
    }
    charge(L, sheet->column_count);
    kr_column_def *column = kr_sheet_add_column(h->model, sheet, name);
    column->span = span;
    column->doc = kr_doc_of(h, site ? site->stat : NULL);
    column->unit = column->doc.unit;
    if (type) {
        column->input = true;
        column->type = type->as.column.type;
        column->domain = type->as.column.domain;
        column->optional = type->as.column.optional;
    } else {
        column->formula = formula;
    }
    if (table)
        column_history(value, column);
}

/* ---- reading and assigning fields */

int kr_table_newindex(lua_State *L)
{
    kr_value *v = kr_value_any(L, 1);
    const kr_lua_site *site = NULL;
    kr_arg value = assigned(L, &site);
    kr_host *h = value.h;
    if (lua_type(L, 2) != LUA_TSTRING)
        kr_host_fail(L, KR_E_DECLARE_VALUE, kr_site_span(L, site), "a declaration's name is a text, not %s", kr_value_name(L, 2));
    const char *name = kr_arena_copy(h->arena, lua_tostring(L, 2), lua_rawlen(L, 2));
    if (!value.index)
        kr_host_fail(L, KR_E_DECLARE_VALUE, value.span, "`%s` is declared as nothing (nil)", name);
    if (v->kind == KR_V_SHEET)
        declare_column(L, v->as.sheet, name, &value, site);
    else if (v->kind == KR_V_TABLE && !strcmp(v->as.table, "param"))
        declare_param(L, name, &value, site);
    else if (v->kind == KR_V_TABLE && !strcmp(v->as.table, "define"))
        declare_define(L, name, &value, site);
    else if (v->kind == KR_V_TABLE)
        declare_fn(L, name, &value, site);
    else
        kr_host_fail(L, KR_E_DECLARE_VALUE, kr_site_span(L, site), "%s has no field `%s`", kr_value_name(L, 1), name);
    return 0;
}

static void push_ref(lua_State *L, const char *text)
{
    kr_value *v = kr_value_push(L, KR_V_REF);
    v->as.ref.text = text;
    v->as.ref.len = strlen(text);
}

/* Where the line that runs reads a field of this name; else the line's first token. */
static kr_span field_span(lua_State *L, const char *name)
{
    kr_host *h = kr_host_of(L);
    const kr_lua_tokens *tokens = &h->tree->tokens;
    uint32_t line = kr_host_line(L);
    const kr_lua_token *first = NULL;
    for (size_t i = 0; i < tokens->count; i++) {
        const kr_lua_token *t = &tokens->at[i];
        if (t->line == line && !first)
            first = t;
        if (t->line == line && t->text && !strcmp(t->text, name) && i > 0 && (t[-1].kind == '.' || t[-1].kind == '['))
            return kr_lua_token_span(h->tree, t);
    }
    return first ? kr_lua_token_span(h->tree, first) : (kr_span){ tokens->source, 0, 0 };
}

/* The i-th name that may be read from a sheet or a table of declarations; NULL past the end. */
static const char *name_at(const kr_host *h, const kr_value *v, int i)
{
    const kr_model *m = h->model;
    if (v->kind == KR_V_SHEET) {
        const kr_sheet *sheet = v->as.sheet;
        if (i < sheet->column_count)
            return sheet->columns[i]->name;
        i -= sheet->column_count;
        return i < sheet->key_count ? sheet->key_names[i] : NULL;
    }
    if (v->kind != KR_V_TABLE)
        return NULL;
    if (!strcmp(v->as.table, "param"))
        return i < m->param_count ? m->params[i].name : NULL;
    if (!strcmp(v->as.table, "define"))
        return i < m->define_count ? m->defines[i].name : NULL;
    return i < m->user_fn_count ? m->user_fns[i].name : NULL;
}

/* A column or parameter that is declared reads as a reference to it: text that says its name. Others are refused, with a suggestion. */
int kr_table_index(lua_State *L)
{
    kr_host *h = kr_host_of(L);
    kr_value *v = kr_value_any(L, 1);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : kr_value_name(L, 2), *known;
    const char *owner = v->kind == KR_V_SHEET ? v->as.sheet->name : v->kind == KR_V_TABLE ? v->as.table : kr_value_name(L, 1);
    int n = 0;
    for (; (known = name_at(h, v, n)); n++)
        if (!strcmp(known, name)) {
            charge(L, n);
            push_ref(L, v->kind == KR_V_SHEET ? kr_arena_printf(h->arena, "%s.%s", owner, known) : known);
            return 1;
        }
    const char **names = KR_NEW_ARRAY(h->arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        names[i] = name_at(h, v, i);
    const char *near = kr_nearest(name, names, (size_t)n);
    kr_host_fail_help(L, KR_E_LUA_NAME, field_span(L, name), near ? kr_arena_printf(h->arena, "did you mean `%s`?", near) : NULL,
                      v->kind == KR_V_SHEET || v->kind == KR_V_TABLE ? "`%s` has no `%s` yet" : "%s has no field `%s`", owner, name);
}

/* ---- sheets */

static int d_sheet(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_arg name_arg = kr_arg_at(L, site, 1), keys = kr_arg_at(L, site, 2), options = kr_arg_at(L, site, 3);
    const char *name = kr_arg_text(&name_arg, "a sheet's name");
    kr_check_name(L, name, name_arg.span);
    charge(L, h->model->sheet_count);
    kr_sheet *old = kr_model_sheet(h->model, name);
    if (old)
        twice(L, name_arg.span, old->span, kr_arena_printf(h->arena, "sheet `%s`", name));
    int key_count = 0;
    const char **key_names = kr_arg_names(&keys, &key_count, "the second argument, the list of key columns,");
    kr_sheet *sheet = kr_model_add_sheet(h->model, name);
    sheet->span = name_arg.span;
    sheet->key_names = key_names;
    sheet->key_count = key_count;
    sheet->doc = kr_doc_of(h, site ? site->stat : NULL);
    if (kr_arg_given(&options)) {
        static const char *const fields[] = { "rows", "where", "per", "order", "optional", NULL };
        kr_arg_table(&options, "the third argument, the options,");
        kr_arg_fields(&options, fields, false, "a sheet");
        kr_arg rows = kr_arg_field(&options, "rows");
        if (kr_arg_given(&rows)) {
            kr_value *v = kr_value_at(L, rows.index, KR_V_ROWS);
            if (!v)
                kr_host_fail(L, KR_E_DECLARE_VALUE, rows.span, "`rows` is cross(…), distinct(…), join { … }, union { … }, range(…) or fold { … }, not %s",
                             kr_value_name(L, rows.index));
            sheet->rows = v->as.rows;
        }
        kr_arg where = kr_arg_field(&options, "where");
        if (kr_arg_given(&where))
            sheet->where = kr_arg_formula(&where, "`where`");
        kr_arg per = kr_arg_field(&options, "per");
        if (kr_arg_given(&per))
            sheet->per_names = kr_arg_names(&per, &sheet->per_count, "`per`");
        kr_arg order = kr_arg_field(&options, "order");
        if (kr_arg_given(&order))
            sheet->order_names = kr_arg_names(&order, &sheet->order_count, "`order`");
        kr_arg optional = kr_arg_field(&options, "optional");
        if (kr_arg_given(&optional)) {
            sheet->optional = kr_arg_boolean(&optional, "`optional`");
            if (sheet->optional && sheet->rows)
                kr_host_fail(L, KR_E_DECLARE_VALUE, optional.span, "only a sheet whose rows come from the data can be optional");
        }
    }
    if (!sheet->rows) {
        sheet->rows = KR_NEW(h->arena, kr_rows);
        sheet->rows->kind = KR_ROWS_DATA;
        sheet->rows->span = name_arg.span;
    }
    kr_value *v = kr_value_push(L, KR_V_SHEET);
    v->as.sheet = sheet;
    return 1;
}

void kr_declare_open(lua_State *L)
{
    static const luaL_Reg list[] = {
        { "sheet", d_sheet }, { "one_of", d_one_of }, { "optional", d_optional }, { "map", d_map }, { "list", d_list }, { NULL, NULL },
    };
    static const char *const tables[] = { "param", "define", "fn" };
    for (const luaL_Reg *f = list; f->name; f++) {
        lua_pushcfunction(L, f->func);
        lua_setfield(L, -2, f->name);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        kr_value *v = push_type(L, types[i].type);
        v->as.column.domain.address = types[i].address;
        lua_setfield(L, -2, types[i].name);
    }
    for (size_t i = 0; i < 3; i++) {
        kr_value_push(L, KR_V_TABLE)->as.table = tables[i];
        lua_setfield(L, -2, tables[i]);
    }
}
