/* check_names.c: what a name means: columns of this row, parameters, rows of other sheets, and the match that leads to them. */
#include "vm/lang/check_internal.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ suggestions */

static const char *nearest_column(kr_checker *c, const kr_sheet *sheet, const char *name)
{
    const char **names = KR_NEW_ARRAY(c->arena, const char *, sheet->column_count);
    for (int i = 0; i < sheet->column_count; i++)
        names[i] = sheet->columns[i]->name;
    return kr_nearest(name, names, (size_t)sheet->column_count);
}

static const char *nearest_name(kr_checker *c, const kr_sheet *own, const char *name)
{
    int own_count = own ? own->column_count : 0, n = 0;
    const char **names = KR_NEW_ARRAY(c->arena, const char *, own_count + c->model->param_count);
    for (int i = 0; i < own_count; i++)
        names[n++] = own->columns[i]->name;
    for (int i = 0; i < c->model->param_count; i++)
        names[n++] = c->model->params[i].name;
    return kr_nearest(name, names, (size_t)n);
}

kr_sheet *kr_named_sheet(kr_checker *c, const kr_node *dot)
{
    kr_sheet *sheet = kr_model_sheet(c->model, dot->text);
    if (sheet)
        return sheet;
    const char **names = KR_NEW_ARRAY(c->arena, const char *, c->model->sheet_count);
    for (int i = 0; i < c->model->sheet_count; i++)
        names[i] = c->model->sheets[i]->name;
    kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_SHEET,
                                     kr_fragment_span(dot->fragment, dot->start, dot->start + (uint32_t)strlen(dot->text)),
                                     "there is no sheet `%s`", dot->text);
    const char *near = kr_nearest(dot->text, names, (size_t)c->model->sheet_count);
    if (strcmp(dot->text, "param") == 0)
        kr_check_help(c, d, "in a formula a parameter is written by its name alone: `%s`", dot->name2);
    else if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
    return NULL;
}

kr_column_def *kr_named_column(kr_checker *c, kr_sheet *sheet, const char *name, const kr_node *node)
{
    kr_column_def *column = kr_sheet_column(sheet, name);
    if (column)
        return column;
    kr_span span = kr_node_span(node);
    uint32_t len = (uint32_t)strlen(name);
    if (node->kind == KR_N_DOT && node->end >= node->start + len)
        span = kr_fragment_span(node->fragment, node->end - len, node->end);
    kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, span, "sheet `%s` has no column `%s`", sheet->name, name);
    const char *near = nearest_column(c, sheet, name);
    if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ bare names and T.x */

kr_expr *kr_column_expr(kr_checker *c, kr_column_def *column, int frame, const kr_node *node)
{
    kr_type type = kr_check_column_type(c, column);
    if (type == KR_T_NONE && !c->inferring && !c->lenient)
        return NULL; /* its own formula is wrong, or it cannot be typed: said there */
    kr_expr *e = kr_expr_new(c, KR_X_COLUMN, type, node);
    e->column = column;
    e->frame = frame;
    e->unit = column->unit;
    return e;
}

static kr_expr *param_expr(kr_checker *c, const kr_param *param, const kr_node *node)
{
    kr_expr *e = kr_expr_new(c, KR_X_PARAM, param->type, node);
    e->param = (int)(param - c->model->params);
    e->unit = param->doc.unit;
    return e;
}

static void unknown_name(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    const char *name = node->text;
    kr_diag *d;
    if (scope->place == KR_IN_ROW && scope->own)
        d = kr_check_error(c, KR_E_UNKNOWN_NAME, node, "sheet `%s` has no column `%s`, and no parameter is called so", scope->own->name, name);
    else
        d = kr_check_error(c, KR_E_UNKNOWN_NAME, node, "nothing here is called `%s`", name);
    if (scope->place == KR_IN_JOIN && (kr_sheet_column(scope->own, name) || kr_sheet_column(scope->far, name))) {
        kr_check_help(c, d, "in a join say whose column it is: `%s.%s`", kr_sheet_column(scope->own, name) ? "a" : "b", name);
        return;
    }
    if ((scope->place == KR_IN_AGG || scope->place == KR_IN_FAR) && kr_sheet_column(scope->far, name)) {
        kr_check_help(c, d, "the column of the other sheet is `%s.%s`", scope->far->name, name);
        return;
    }
    if (kr_model_sheet(c->model, name)) {
        kr_check_help(c, d, "`%s` is a sheet: name a column of it, `%s.column`", name, name);
        return;
    }
    if (kr_model_define(c->model, name)) {
        kr_check_help(c, d, "`%s` is a define: write its arguments, `%s(…)`", name, name);
        return;
    }
    for (int i = 0; i < c->model->sheet_count && scope->place != KR_IN_CONST; i++)
        if (kr_sheet_column(c->model->sheets[i], name)) {
            kr_check_help(c, d, "sheet `%s` has a column of this name: `%s.%s`", c->model->sheets[i]->name, c->model->sheets[i]->name, name);
            return;
        }
    const char *near = nearest_name(c, scope->place == KR_IN_CONST || scope->place == KR_IN_FAR ? NULL : scope->own, name);
    if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
}

kr_expr *kr_check_bare(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    kr_column_def *column = scope->own && scope->place != KR_IN_JOIN ? kr_sheet_column(scope->own, node->text) : NULL;
    const kr_param *param = kr_model_param(c->model, node->text);
    if (column && scope->place == KR_IN_CONST) {
        kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "%s is made of constants and parameters only, and `%s` is a column", scope->inside, node->text);
        kr_check_help(c, d, "it is the same for every row: give it as a parameter");
        return NULL;
    }
    if (column && scope->place == KR_IN_FAR && !param) {
        kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "this part of %s is about a row of `%s`, and `%s` is a column of this row", scope->inside,
                                    scope->far->name, node->text);
        if (kr_sheet_column(scope->far, node->text))
            kr_check_help(c, d, "the column of that row is `%s.%s`", scope->far->name, node->text);
        else
            kr_check_help(c, d, "what depends on this row stands in BY or in the bounds");
        return NULL;
    }
    if (column && scope->place != KR_IN_FAR)
        return kr_column_expr(c, column, 0, node);
    if (param)
        return param_expr(c, param, node);
    unknown_name(c, scope, node);
    return NULL;
}

/* The LOOKUP that would say what `T.x` cannot say by itself. */
static char *lookup_to_write(kr_checker *c, const kr_scope *scope, const kr_sheet *sheet, const char *column)
{
    char *text = kr_arena_printf(c->arena, "LOOKUP(%s.%s", sheet->name, column);
    if (sheet->key_count == 0)
        text = kr_arena_printf(c->arena, "%s, %s.… = …", text, sheet->name);
    for (int i = 0; i < sheet->key_count; i++) {
        const char *key = sheet->key_names[i];
        const char *near = "…";
        if (scope->own && kr_sheet_column(scope->own, key))
            near = key;
        else if (scope->place == KR_IN_AGG && kr_sheet_column(scope->far, key))
            near = kr_arena_printf(c->arena, "%s.%s", scope->far->name, key);
        text = kr_arena_printf(c->arena, "%s, %s.%s = %s", text, sheet->name, key, near);
    }
    return kr_arena_printf(c->arena, "%s)", text);
}

static bool same_type(kr_checker *c, kr_column_def *a, kr_column_def *b)
{
    kr_type ta = kr_check_column_type(c, a), tb = kr_check_column_type(c, b);
    return ta == tb || ta == KR_T_NONE || tb == KR_T_NONE;
}

static void add_match(kr_match **match, int *count, kr_column_def *far, kr_expr *near)
{
    (*match)[(*count)++] = (kr_match){ far, near };
}

static kr_expr *plain_lookup(kr_checker *c, const kr_scope *scope, const kr_node *node, kr_sheet *sheet, kr_column_def *column)
{
    if (sheet->key_count == 0) {
        kr_diag *d = kr_check_error(c, KR_E_LOOKUP, node, "sheet `%s` has no key, so `%s.%s` does not say which row", sheet->name, sheet->name, column->name);
        kr_check_help(c, d, "use an aggregate: SUM(%s.%s BY …), or LOOKUP with what finds the row", sheet->name, column->name);
        return NULL;
    }
    if (!scope->own) {
        kr_diag *d = kr_check_error(c, KR_E_LOOKUP, node, "there is no row here that would say which `%s.%s` is meant", sheet->name, column->name);
        kr_check_help(c, d, "aggregate over the rows: SUM(%s.%s), COUNT, MAX …", sheet->name, column->name);
        return NULL;
    }
    kr_expr *e = kr_expr_new(c, KR_X_LOOKUP, KR_T_NONE, node);
    e->fn = kr_fn_find(c->model->families, "LOOKUP", 6);
    e->form = KR_FORM_LOOKUP;
    e->sheet = sheet;
    e->column = column;
    e->unique = true;
    e->match = KR_NEW_ARRAY(c->arena, kr_match, sheet->key_count);
    for (int i = 0; i < sheet->key_count; i++) {
        kr_column_def *far = kr_sheet_column(sheet, sheet->key_names[i]);
        if (!far)
            return NULL; /* a key without a column: reported with the sheet */
        kr_column_def *near = kr_sheet_column(scope->own, far->name);
        if (!near || !same_type(c, near, far)) {
            kr_diag *d;
            if (!near)
                d = kr_check_error(c, KR_E_LOOKUP, node, "`%s.%s` needs `%s`, a key of `%s`, and sheet `%s` has no such column", sheet->name, column->name,
                                   far->name, sheet->name, scope->own->name);
            else
                d = kr_check_error(c, KR_E_LOOKUP, node, "`%s.%s` needs `%s` as %s, and in sheet `%s` it is %s", sheet->name, column->name, far->name,
                                   kr_type_name(far->type), scope->own->name, kr_type_name(near->type));
            kr_check_help(c, d, "say which row is meant: %s", lookup_to_write(c, scope, sheet, column->name));
            kr_check_help(c, d, "or aggregate over the rows: SUM(%s.%s BY …), COUNT, MAX …", sheet->name, column->name);
            return NULL;
        }
        kr_expr *value = kr_column_expr(c, near, 0, node);
        if (!value)
            return NULL;
        add_match(&e->match, &e->match_count, far, value);
    }
    e->type = kr_check_column_type(c, column);
    e->unit = column->unit;
    return e->type == KR_T_NONE && !c->inferring ? NULL : e;
}

static kr_expr *join_dot(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    bool a = strcmp(node->text, "a") == 0;
    if (!a && strcmp(node->text, "b") != 0) {
        kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "a join names its two rows `a` and `b`, not `%s`", node->text);
        if (strcmp(node->text, scope->own->name) == 0)
            kr_check_help(c, d, "sheet `%s` is `a` here: `a.%s`", node->text, node->name2);
        else if (strcmp(node->text, scope->far->name) == 0)
            kr_check_help(c, d, "sheet `%s` is `b` here: `b.%s`", node->text, node->name2);
        return NULL;
    }
    kr_column_def *column = kr_named_column(c, a ? scope->own : scope->far, node->name2, node);
    return column ? kr_column_expr(c, column, a ? 0 : 1, node) : NULL;
}

kr_expr *kr_check_dot(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    if (scope->place == KR_IN_JOIN)
        return join_dot(c, scope, node);
    kr_sheet *sheet = kr_named_sheet(c, node);
    kr_column_def *column = sheet ? kr_named_column(c, sheet, node->name2, node) : NULL;
    if (!column)
        return NULL;
    if (scope->place == KR_IN_CONST) {
        kr_check_error(c, KR_E_FRAME, node, "%s is made of constants and parameters only, and `%s.%s` is a column", scope->inside, sheet->name, column->name);
        return NULL;
    }
    if (scope->place != KR_IN_ROW) {
        if (sheet == scope->far)
            return kr_column_expr(c, column, 1, node);
        if (sheet == scope->own && scope->place == KR_IN_AGG) {
            kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "%s ranges over `%s` here, so `%s.%s` is not another row", scope->inside, scope->far->name,
                                        sheet->name, column->name);
            kr_check_help(c, d, "this row's own column is written without its sheet: `%s`", column->name);
            return NULL;
        }
        kr_diag *d = kr_check_error(c, KR_E_MIXED_SHEETS, node, "%s ranges over `%s`; `%s.%s` is of a second sheet", scope->inside, scope->far->name,
                                    sheet->name, column->name);
        kr_check_help(c, d, "say which row of `%s` is meant: %s", sheet->name, lookup_to_write(c, scope, sheet, column->name));
        return NULL;
    }
    if (scope->single == sheet) {
        kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "%s needs one value here, and `%s.%s` is one for every row it ranges over", scope->inside, sheet->name,
                                    column->name);
        kr_check_help(c, d, "put an aggregate of it in a column of its own and name that");
        return NULL;
    }
    if (sheet == scope->own) {
        kr_diag *d = kr_check_error(c, KR_E_FRAME, node, "outside an aggregate `%s.%s` does not say which row of its own sheet is meant", sheet->name, column->name);
        kr_check_help(c, d, "this row's column is written without the sheet: `%s`; an earlier row's is PREV(%s)", column->name, column->name);
        return NULL;
    }
    return plain_lookup(c, scope, node, sheet, column);
}

/* ------------------------------------------------------------------------------------------------ BY */

static kr_expr *own_column(kr_checker *c, const kr_scope *scope, const kr_node *name)
{
    kr_column_def *own = scope->own ? kr_sheet_column(scope->own, name->text) : NULL;
    return own ? kr_column_expr(c, own, 0, name) : NULL;
}

static bool by_column(kr_checker *c, const kr_scope *scope, kr_sheet *far, const kr_node *name, kr_match *out)
{
    kr_column_def *there = kr_sheet_column(far, name->text), *here = scope->own ? kr_sheet_column(scope->own, name->text) : NULL;
    if (!scope->own) {
        kr_check_error(c, KR_E_BY, name, "there is no row here whose `%s` could agree", name->text);
        return false;
    }
    if (!there || !here) {
        const kr_sheet *lacks = there ? scope->own : far;
        kr_diag *d = kr_check_error(c, KR_E_BY, name, "BY `%s` needs that column in both sheets, and `%s` has none", name->text, lacks->name);
        const char *near = nearest_column(c, lacks, name->text);
        if (near && kr_sheet_column(far, near) && kr_sheet_column(scope->own, near))
            kr_check_help(c, d, "did you mean `%s`?", near);
        else
            kr_check_help(c, d, "give sheet `%s` a column `%s`, or say the condition in WHERE", lacks->name, name->text);
        return false;
    }
    if (!same_type(c, there, here)) {
        kr_check_error(c, KR_E_BY, name, "BY `%s`: it is %s in `%s` and %s in `%s`", name->text, kr_type_name(there->type), far->name, kr_type_name(here->type),
                       scope->own->name);
        return false;
    }
    out->far = there;
    out->near = own_column(c, scope, name);
    return out->near && (c->inferring || kr_check_column_type(c, there) != KR_T_NONE);
}

/* "BY a, b" of the columns a match could be meant to use. */
static char *by_to_write(kr_checker *c, const kr_scope *scope, const kr_sheet *far)
{
    char *text = NULL;
    for (int i = 0; scope->own && i < scope->own->key_count; i++) {
        kr_column_def *there = kr_sheet_column(far, scope->own->key_names[i]), *here = kr_sheet_column(scope->own, scope->own->key_names[i]);
        if (there && here && same_type(c, there, here))
            text = text ? kr_arena_printf(c->arena, "%s, %s", text, here->name) : kr_arena_printf(c->arena, "BY %s", here->name);
    }
    return text ? text : kr_arena_printf(c->arena, "BY ()");
}

bool kr_check_match(kr_checker *c, const kr_scope *scope, kr_sheet *far, const kr_node *call, bool must_write, kr_match **match, int *count)
{
    *count = 0;
    if (call->has_by) {
        bool ok = true;
        *match = KR_NEW_ARRAY(c->arena, kr_match, call->by_count);
        for (int i = 0; i < call->by_count; i++) {
            for (int k = 0; k < i; k++)
                if (strcmp(call->by[k]->text, call->by[i]->text) == 0) {
                    kr_check_error(c, KR_E_BY, call->by[i], "BY names `%s` twice", call->by[i]->text);
                    return false;
                }
            kr_match one;
            if (by_column(c, scope, far, call->by[i], &one))
                (*match)[(*count)++] = one;
            else
                ok = false;
        }
        return ok;
    }
    if (must_write) {
        kr_diag *d = kr_check_error_name(c, KR_E_BY, call, "`%s` over `%s` must say which rows agree", call->text, far->name);
        kr_check_help(c, d, "write `%s` before the closing bracket", by_to_write(c, scope, far));
        return false;
    }
    if (!scope->own)
        return true; /* no row here: the whole sheet */
    int keys = scope->own->key_count, shared = 0;
    *match = KR_NEW_ARRAY(c->arena, kr_match, keys);
    for (int i = 0; i < keys; i++) {
        kr_column_def *here = kr_sheet_column(scope->own, scope->own->key_names[i]), *there = kr_sheet_column(far, scope->own->key_names[i]);
        if (!here)
            return false; /* reported with the sheet */
        if (!there || !same_type(c, here, there))
            continue;
        kr_expr *near = kr_column_expr(c, here, 0, call);
        if (!near || (!c->inferring && kr_check_column_type(c, there) == KR_T_NONE))
            return false;
        add_match(match, &shared, there, near);
    }
    *count = shared;
    if (keys > 0 && shared == keys)
        return true;
    kr_diag *d;
    if (keys == 0)
        d = kr_check_error_name(c, KR_E_BY, call, "`%s` over `%s` must say which rows agree: sheet `%s` has no key", call->text, far->name, scope->own->name);
    else {
        const char *missing = "";
        for (int i = 0; i < keys; i++) {
            const char *key = scope->own->key_names[i];
            bool found = false;
            for (int k = 0; k < shared; k++)
                found |= strcmp((*match)[k].far->name, key) == 0;
            if (!found)
                missing = *missing ? kr_arena_printf(c->arena, "%s, `%s`", missing, key) : kr_arena_printf(c->arena, "`%s`", key);
        }
        d = kr_check_error_name(c, KR_E_BY, call, "`%s` over `%s` must say which rows agree: `%s` lacks %s, key of `%s`", call->text, far->name, far->name, missing,
                                scope->own->name);
    }
    kr_check_help(c, d, "write `%s` before the closing bracket", by_to_write(c, scope, far));
    if (keys > 0 && shared > 0)
        kr_check_help(c, d, "or `BY ()` for the whole of `%s`", far->name);
    return false;
}

bool kr_check_own_by(kr_checker *c, const kr_scope *scope, const kr_node *call, kr_column_def ***by, int *count)
{
    *count = 0;
    if (!call->has_by) {
        const char *day = scope->own->clock && kr_is_key(scope->own, scope->own->clock->name) ? scope->own->clock->name : NULL;
        kr_diag *d = kr_check_error_name(c, KR_E_BY, call, "`%s` must say which rows of `%s` it is over", call->text, scope->own->name);
        if (day)
            kr_check_help(c, d, "write `BY %s` for the rows of the same %s, `BY ()` for the whole sheet", day, day);
        else
            kr_check_help(c, d, "write `BY` and the columns that agree, or `BY ()` for the whole sheet");
        return false;
    }
    bool ok = true;
    *by = KR_NEW_ARRAY(c->arena, kr_column_def *, call->by_count);
    for (int i = 0; i < call->by_count; i++) {
        kr_column_def *column = kr_named_column(c, scope->own, call->by[i]->text, call->by[i]);
        if (column && !c->inferring && kr_check_column_type(c, column) == KR_T_NONE)
            column = NULL;
        if (column)
            (*by)[(*count)++] = column;
        else
            ok = false;
    }
    return ok;
}

/* ------------------------------------------------------------------------------------------------ LOOKUP(T.x, T.a = e, …) */

static bool is_dot_of(const kr_node *node, const kr_sheet *sheet) { return node->kind == KR_N_DOT && strcmp(node->text, sheet->name) == 0; }

static bool lookup_match(kr_checker *c, const kr_scope *scope, const kr_node *arg, kr_expr *e)
{
    kr_sheet *sheet = e->sheet;
    bool left = arg->kind == KR_N_BINARY && arg->op == '=' && is_dot_of(arg->kids[0], sheet);
    bool right = arg->kind == KR_N_BINARY && arg->op == '=' && is_dot_of(arg->kids[1], sheet);
    if (!left && !right) {
        kr_diag *d = kr_check_error(c, KR_E_LOOKUP, arg, "LOOKUP finds a row by equalities with columns of `%s`", sheet->name);
        kr_check_help(c, d, "write `%s.column = …`; what filters rows belongs in the WHERE of an aggregate", sheet->name);
        return false;
    }
    const kr_node *there = arg->kids[left ? 0 : 1], *here = arg->kids[left ? 1 : 0];
    kr_column_def *far = kr_named_column(c, sheet, there->name2, there);
    kr_expr *near = kr_check_expr(c, scope, here);
    if (!far || !near)
        return false;
    kr_type type = kr_check_column_type(c, far);
    if (type == KR_T_NONE && !c->inferring)
        return false;
    if (near->type != type && near->type != KR_T_NONE && type != KR_T_NONE) {
        kr_check_error(c, KR_E_TYPE, arg, "`%s.%s` is %s and cannot equal %s", sheet->name, far->name, kr_type_name(type), kr_type_name(near->type));
        return false;
    }
    for (int i = 0; i < e->match_count; i++)
        if (e->match[i].far == far) {
            kr_check_error(c, KR_E_LOOKUP, there, "LOOKUP matches `%s.%s` twice", sheet->name, far->name);
            return false;
        }
    add_match(&e->match, &e->match_count, far, near);
    return true;
}

kr_expr *kr_check_lookup(kr_checker *c, const kr_scope *scope, const kr_node *call, const kr_fn *fn)
{
    if (call->where || call->has_by) {
        kr_diag *d = kr_check_error_name(c, KR_E_CLAUSE, call, "LOOKUP takes no %s", call->where ? "WHERE" : "BY");
        kr_check_help(c, d, "write its match as arguments: LOOKUP(T.x, T.a = …, T.b = …)");
        return NULL;
    }
    if (call->kid_count < 2 || call->kids[0]->kind != KR_N_DOT) {
        kr_diag *d = call->kid_count < 2 ? kr_check_error_name(c, KR_E_LOOKUP, call, "LOOKUP needs a column and what finds its row")
                                         : kr_check_error(c, KR_E_LOOKUP, call->kids[0], "LOOKUP gives a column of another sheet: its first argument is `T.x`");
        kr_check_help(c, d, "%s", fn->usage);
        return NULL;
    }
    const kr_node *target = call->kids[0];
    kr_sheet *sheet = kr_named_sheet(c, target);
    kr_column_def *column = sheet ? kr_named_column(c, sheet, target->name2, target) : NULL;
    if (!column)
        return NULL;
    kr_expr *e = kr_expr_new(c, KR_X_LOOKUP, kr_check_column_type(c, column), call);
    e->fn = fn;
    e->form = KR_FORM_LOOKUP;
    e->sheet = sheet;
    e->column = column;
    e->unit = column->unit;
    e->match = KR_NEW_ARRAY(c->arena, kr_match, call->kid_count);
    bool ok = true;
    for (int i = 1; i < call->kid_count; i++)
        ok &= lookup_match(c, scope, call->kids[i], e);
    e->unique = sheet->key_count > 0;
    for (int k = 0; k < sheet->key_count; k++) {
        bool found = false;
        for (int i = 0; i < e->match_count; i++)
            found |= strcmp(e->match[i].far->name, sheet->key_names[k]) == 0;
        e->unique &= found;
    }
    return ok && (e->type != KR_T_NONE || c->inferring) ? e : NULL;
}
