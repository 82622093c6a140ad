/* check_expr.c: from a node of the parse tree to what it means: constants, names, operators and row-wise calls; aggregates and forms
 * go to their own files. NULL means wrong and reported (or reported elsewhere, for a column whose own formula is wrong). */
#include "vm/lang/check_internal.h"
#include "vm/lang/script.h"

#include <string.h>
#include <strings.h>

kr_expr *kr_expr_new(kr_checker *c, kr_expr_kind kind, kr_type type, const kr_node *node)
{
    kr_expr *e = KR_NEW(c->arena, kr_expr);
    e->kind = kind;
    e->type = type;
    e->node = node;
    return e;
}

/* ------------------------------------------------------------------------------------------------ values of constants */

static bool constant_call(kr_checker *c, const kr_expr *expr, kr_cell *out)
{
    enum { MOST = 16 };
    kr_cell args[MOST];
    const kr_cell *in[MOST];
    kr_type types[MOST];
    if (expr->arg_count > MOST || (!expr->fn->row && !expr->fn->scalar))
        return false;
    for (int i = 0; i < expr->arg_count; i++) {
        if (!kr_expr_constant(c, expr->args[i], &args[i]))
            return false;
        in[i] = &args[i];
        types[i] = expr->args[i]->type;
    }
    kr_env env = { c->model->pool, c->arena };
    kr_call call = { &env, expr->arg_count, types, expr->type };
    if (expr->fn->row)
        expr->fn->row(&call, out, in, 1);
    else if (!kr_spread(args, (size_t)expr->arg_count, out))
        *out = expr->fn->scalar(&call, args);
    return true;
}

bool kr_expr_constant(kr_checker *c, const kr_expr *expr, kr_cell *out)
{
    switch (expr->kind) {
    case KR_X_CONST: *out = expr->value; return true;
    case KR_X_PARAM: *out = c->model->params[expr->param].value; return true;
    case KR_X_CALL: return constant_call(c, expr, out);
    default: return false;
    }
}

kr_expr *kr_check_count(kr_checker *c, const kr_scope *outer, const kr_node *node, const char *function, int64_t least)
{
    kr_scope scope = { .place = KR_IN_CONST, .own = outer->own, .inside = kr_arena_printf(c->arena, "the count of %s", function) };
    kr_expr *e = kr_check_typed(c, &scope, node, KR_T_NUMBER, scope.inside);
    kr_cell value;
    int64_t n = 0;
    if (!e)
        return NULL;
    if (!kr_expr_constant(c, e, &value)) {
        kr_check_error(c, KR_E_COUNT, node, "%s must be a constant, a parameter or made of these", scope.inside);
        return NULL;
    }
    if (!kr_num_to_int(value, &n) || n < least) {
        char text[KR_NUM_TEXT];
        kr_num_write(value, text);
        kr_check_error(c, KR_E_COUNT, node, "%s must be a whole number of %d or more, and this is %s", scope.inside, (int)least, *text ? text : "blank");
        return NULL;
    }
    return e;
}

kr_expr *kr_check_typed(kr_checker *c, const kr_scope *scope, const kr_node *node, kr_type type, const char *what)
{
    kr_expr *e = kr_check_expr(c, scope, node);
    if (!e || type == KR_T_NONE || e->type == KR_T_NONE || e->type == type)
        return e;
    kr_diag *d = kr_check_error(c, KR_E_TYPE, node, "%s must be %s, not %s", what, kr_type_name(type), kr_type_name(e->type));
    if (type == KR_T_TIME && e->type == KR_T_DAY)
        kr_check_help(c, d, "START(day) is the time a day begins, END(day) the time the next one does");
    else if (type == KR_T_DAY && e->type == KR_T_TIME)
        kr_check_help(c, d, "DAY(time) is the day of a time");
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ row-wise calls */

static void type_error(kr_checker *c, const kr_fn *fn, const kr_node *node, kr_expr *const *args, int bad, kr_type want)
{
    kr_type got = args[bad]->type;
    kr_diag *d;
    if (node->kind == KR_N_CALL) {
        d = kr_check_error(c, KR_E_TYPE, args[bad]->node, "`%s` needs %s here, not %s", fn->name, kr_type_name(want), kr_type_name(got));
        for (int i = 0; i < bad; i++) /* it may be the one before that is wrong */
            if (args[i]->type == want && want != KR_T_BOOLEAN) {
                kr_diag_window(c->diags, d, kr_node_span(args[i]->node), kr_type_name(want));
                break;
            }
        kr_check_help(c, d, "%s", fn->usage);
        if (want == KR_T_BOOLEAN && got == KR_T_NUMBER)
            kr_check_help(c, d, "compare the number with something: `> 0`");
    } else if (node->kind == KR_N_BINARY) {
        d = kr_check_error_span(c, KR_E_TYPE, kr_fragment_span(node->fragment, node->op_start, node->op_end), "`%s` does not work on %s and %s", fn->name,
                                kr_type_name(args[0]->type), kr_type_name(args[1]->type));
        kr_diag_window(c->diags, d, kr_node_span(node->kids[0]), kr_type_name(args[0]->type));
        kr_diag_window(c->diags, d, kr_node_span(node->kids[1]), kr_type_name(args[1]->type));
    } else {
        d = kr_check_error(c, KR_E_TYPE, node, "`%s` needs %s, not %s", node->op == '%' ? "%" : "-", kr_type_name(want), kr_type_name(got));
    }
    for (int i = 0; i < 2 && node->kind == KR_N_BINARY; i++) {
        kr_type here = args[i]->type, other = args[1 - i]->type;
        if (here == KR_T_TEXT && args[i]->kind == KR_X_CONST && (other == KR_T_DAY || other == KR_T_TIME))
            kr_check_help(c, d, other == KR_T_DAY ? "a day is written DAY('2024-01-31')" : "a time is written START(DAY('2024-01-31'))");
        else if (here == KR_T_DAY && other == KR_T_TIME)
            kr_check_help(c, d, "START(day) is the time a day begins, END(day) the time the next one does; DAY(time) is the day of a time");
        else if (here == KR_T_BOOLEAN && other == KR_T_NUMBER)
            kr_check_help(c, d, "a number from a condition is IF(condition, 1, 0)");
        else if (here == KR_T_DAY && other == KR_T_NUMBER && node->kids[1 - i]->kind == KR_N_BINARY)
            kr_check_help(c, d, "a day is written DAY('2024-01-31'); with other signs it is computed");
        else if (here == KR_T_TEXT && other == KR_T_NUMBER && node->op != '+')
            kr_check_help(c, d, "text is written in quotes; VALUE(text) is the number that a text holds, TEXT(number) the text");
    }
    if (node->kind == KR_N_BINARY && node->op == '+' && (args[0]->type == KR_T_TEXT || args[1]->type == KR_T_TEXT)) {
        bool both = args[0]->type == args[1]->type;
        kr_check_help(c, d, both ? "text is joined with `&`" : "text is joined with `&`, a number as TEXT(number); VALUE(text) is the number that a text holds");
    }
}

/* A text constant that a column of listed words can never hold. */
static bool word_exists(kr_checker *c, const kr_expr *column, const kr_expr *constant)
{
    if ((column->kind != KR_X_COLUMN && column->kind != KR_X_LOOKUP) || !column->column->domain.one_of || constant->kind != KR_X_CONST || constant->type != KR_T_TEXT)
        return true;
    const kr_domain *domain = &column->column->domain;
    size_t len;
    const char *word = kr_pool_text(c->model->pool, (uint32_t)kr_cell_int(constant->value), &len);
    char *list = kr_arena_printf(c->arena, "%s", "");
    for (int i = 0; i < domain->one_of_count; i++) {
        if (strlen(domain->one_of[i]) == len && memcmp(domain->one_of[i], word, len) == 0)
            return true;
        list = kr_arena_printf(c->arena, "%s%s'%s'", list, i == 0 ? "" : i + 1 == domain->one_of_count ? " or " : ", ", domain->one_of[i]);
    }
    kr_diag *d = kr_check_error(c, KR_E_WORD, constant->node, "`%s` is never '%s': it is %s", column->column->name, word, list);
    const char *near = kr_nearest(word, domain->one_of, (size_t)domain->one_of_count);
    if (near)
        kr_check_help(c, d, "did you mean '%s'?", near);
    return false;
}

static kr_expr *call_of(kr_checker *c, const kr_fn *fn, const kr_node *node, kr_expr **args, int argc)
{
    kr_type types_small[8], *types = argc <= 8 ? types_small : KR_NEW_ARRAY(c->arena, kr_type, argc);
    const kr_sig_entry **entries = KR_NEW_ARRAY(c->arena, const kr_sig_entry *, argc);
    kr_sig sig;
    bool unknown = false;
    for (int i = 0; i < argc; i++) {
        types[i] = args[i]->type;
        unknown |= types[i] == KR_T_NONE;
    }
    int fits_count = 0, taken = -1, bad = -1, arity = 0;
    kr_type result = KR_T_NONE, want = KR_T_NONE;
    for (int a = 0; kr_sig_read(fn->sig, a, &sig); a++) {
        int this_bad;
        kr_type this_want, this_result;
        if (!kr_sig_spread(&sig, argc, entries))
            continue;
        arity++;
        if (kr_sig_fits(entries, types, argc, sig.result, &this_result, &this_bad, &this_want)) {
            if (fits_count == 0) {
                taken = a;
                result = this_result;
            } else if (this_result != result && unknown && c->inferring && !c->guess) {
                result = KR_T_NONE; /* which one will show when the argument's type is known */
            }
            fits_count++;
        } else if (this_bad > bad) {
            bad = this_bad;
            want = this_want;
        }
    }
    if (fits_count == 0 && arity == 0) {
        kr_diag *d = kr_check_error_name(c, KR_E_ARGUMENTS, node, "`%s` takes %s, not %d", fn->name, kr_sig_arity(c->arena, fn->sig), argc);
        kr_check_help(c, d, "%s", fn->usage);
        return NULL;
    }
    if (fits_count == 0) {
        type_error(c, fn, node, args, bad, want);
        return NULL;
    }
    kr_expr *e = kr_expr_new(c, KR_X_CALL, result, node);
    e->fn = fn;
    e->args = args;
    e->arg_count = argc;
    if (!kr_units_of_call(c, fn, taken, args, argc, result, node, &e->unit))
        return NULL;
    return e;
}

static kr_expr **check_args(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    kr_expr **args = KR_NEW_ARRAY(c->arena, kr_expr *, node->kid_count);
    bool ok = true;
    for (int i = 0; i < node->kid_count; i++) {
        args[i] = kr_check_expr(c, scope, node->kids[i]);
        ok &= args[i] != NULL;
    }
    return ok ? args : NULL;
}

static kr_expr *operator_call(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    const char *name;
    char one[2] = { (char)node->op, 0 };
    switch (node->op) {
    case KR_OP_NE: name = "<>"; break;
    case KR_OP_LE: name = "<="; break;
    case KR_OP_GE: name = ">="; break;
    case '-': name = node->kind == KR_N_UNARY ? "neg" : "-"; break;
    default: name = one;
    }
    kr_expr **args = check_args(c, scope, node);
    if (!args)
        return NULL;
    if (node->kind == KR_N_UNARY && node->op == '+') {
        if (args[0]->type != KR_T_NUMBER && args[0]->type != KR_T_NONE) {
            kr_check_error(c, KR_E_TYPE, node, "`+` needs number, not %s", kr_type_name(args[0]->type));
            return NULL;
        }
        return args[0];
    }
    if (node->kind == KR_N_UNARY && node->op == '%' && args[0]->kind == KR_X_CONST && !args[0]->unit.known && args[0]->type == KR_T_NUMBER) {
        kr_num hundred = kr_num_of_int(100), value = kr_num_div(args[0]->value, hundred); /* (25)% is 25% is 0.25 */
        if (kr_raw_eq(kr_num_mul(value, hundred), args[0]->value)) {
            kr_expr *e = kr_expr_new(c, KR_X_CONST, KR_T_NUMBER, node);
            e->value = value;
            return e;
        }
    }
    const kr_fn *fn = kr_fn_find(c->model->families, name, strlen(name));
    KR_ASSERT(fn); /* operators are rows of the primitive table */
    if ((node->op == '=' || node->op == KR_OP_NE) && (!word_exists(c, args[0], args[1]) || !word_exists(c, args[1], args[0])))
        return NULL;
    return call_of(c, fn, node, args, node->kid_count);
}

static kr_expr *user_call(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_user_fn *user)
{
    if (node->where || node->has_by) {
        kr_check_error_name(c, KR_E_CLAUSE, node, "`%s` is a function of a row: it takes no %s", node->text, node->where ? "WHERE" : "BY");
        return NULL;
    }
    kr_expr **args = check_args(c, scope, node);
    if (!args)
        return NULL;
    int wanted = kr_script_arg_count(user->script);
    if (wanted != node->kid_count) {
        kr_diag *d = kr_check_error_name(c, KR_E_ARGUMENTS, node, "`%s` takes %d argument%s, not %d", node->text, wanted, wanted == 1 ? "" : "s", node->kid_count);
        kr_diag_window(c->diags, d, user->span, "declared here");
        return NULL;
    }
    kr_type *types = KR_NEW_ARRAY(c->arena, kr_type, node->kid_count);
    bool unknown = false;
    for (int i = 0; i < node->kid_count; i++) {
        types[i] = args[i]->type;
        unknown |= types[i] == KR_T_NONE;
    }
    kr_expr *e = kr_expr_new(c, KR_X_USER, KR_T_NONE, node);
    e->user = (int)(user - c->model->user_fns);
    e->args = args;
    e->arg_count = node->kid_count;
    if (unknown && c->inferring)
        return e;
    e->type = kr_script_check(user->script, c->model, types, kr_node_span(node), c->diags);
    if (e->type == KR_T_NONE) {
        if (!c->inferring)
            c->errors++;
        return NULL;
    }
    return e;
}

/* ------------------------------------------------------------------------------------------------ functions by name */

/* What people look for under a spreadsheet's name. */
static const char *spreadsheet_habit(const char *name)
{
    static const char *const habits[][2] = {
        { "SUMIF", "write SUM(T.x WHERE condition BY …)" },      { "SUMIFS", "write SUM(T.x WHERE condition BY …)" },
        { "COUNTIFS", "write COUNT(T.x WHERE condition BY …)" }, { "AVERAGEIF", "write AVERAGE(T.x WHERE condition BY …)" },
        { "AVERAGEIFS", "write AVERAGE(T.x WHERE condition BY …)" }, { "MAXIFS", "write MAX(T.x WHERE condition BY …)" },
        { "MINIFS", "write MIN(T.x WHERE condition BY …)" },     { "VLOOKUP", "write LOOKUP(T.x, T.key = …)" },
        { "XLOOKUP", "write LOOKUP(T.x, T.key = …)" },           { "HLOOKUP", "write LOOKUP(T.x, T.key = …)" },
        { "INDEX", "write LOOKUP(T.x, T.key = …)" },             { "MATCH", "write LOOKUP(T.x, T.key = …)" },
        { "OFFSET", "write PREV(x, start, n)" },                 { "LAG", "write PREV(x, start, n)" },
        { "TODAY", "nothing here knows today's date; name a day column" },
        { "NOW", "nothing here knows today's date; name a time column" }, { "RAND", "the same data must give the same digits; there is no chance here" },
        { "AVG", "write AVERAGE(…)" }, { "MEAN", "write AVERAGE(…)" }, { "LOG2", "write LOG(x, 2)" }, { "POW", "write POWER(x, y) or x ^ y" },
    };
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (strcasecmp(habits[i][0], name) == 0)
            return habits[i][1];
    return NULL;
}

static void unknown_function(kr_checker *c, const kr_node *node)
{
    kr_diag *d = kr_check_error_name(c, KR_E_UNKNOWN_FUNCTION, node, "there is no function `%s`", node->text);
    const char *habit = spreadsheet_habit(node->text);
    if (habit) {
        kr_check_help(c, d, "%s", habit);
        return;
    }
    size_t n = 0;
    while (kr_fn_at(c->model->families, n))
        n++;
    const char **names = KR_NEW_ARRAY(c->arena, const char *, n + (size_t)(c->model->define_count + c->model->user_fn_count));
    n = 0;
    for (kr_families family = c->model->families; *family; family++)
        for (const kr_fn *row = *family; row->name; row++)
            if (row->name[0] >= 'A' && row->name[0] <= 'Z')
                names[n++] = row->name;
    for (int i = 0; i < c->model->define_count; i++)
        names[n++] = c->model->defines[i].name;
    for (int i = 0; i < c->model->user_fn_count; i++)
        names[n++] = c->model->user_fns[i].name;
    const char *near = kr_nearest(node->text, names, n);
    if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
    else if (kr_model_param(c->model, node->text))
        kr_check_help(c, d, "`%s` is a parameter: to multiply, write `%s * (…)`", node->text, node->text);
}

static bool arity_fits(kr_checker *c, const kr_fn *fn, int argc)
{
    kr_sig sig;
    const kr_sig_entry **entries = KR_NEW_ARRAY(c->arena, const kr_sig_entry *, argc);
    for (int a = 0; kr_sig_read(fn->sig, a, &sig); a++)
        if (kr_sig_spread(&sig, argc, entries))
            return true;
    return false;
}

static bool looks_aggregate(const kr_checker *c, const kr_node *node)
{
    if (node->where || node->has_by)
        return true;
    return node->kid_count > 0
        && (node->kids[0]->kind == KR_N_LIST || kr_is_form(c, node->kids[0], KR_FORM_LAST) || kr_is_form(c, node->kids[0], KR_FORM_DAYS));
}

static kr_expr *function_call(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    const kr_user_fn *user = kr_model_user_fn(c->model, node->text);
    if (user)
        return user_call(c, scope, node, user);
    const kr_fn *row = NULL, *aggregate = NULL, *form = NULL; /* MIN and MAX are row-wise and aggregates */
    for (kr_families family = c->model->families; *family; family++)
        for (const kr_fn *fn = *family; fn->name; fn++) {
            if (strcasecmp(fn->name, node->text) != 0)
                continue;
            const kr_fn **slot = fn->shape == KR_ROWWISE ? &row : fn->shape == KR_AGGREGATE ? &aggregate : &form;
            if (!*slot)
                *slot = fn;
        }
    bool lists = false;
    for (int i = 0; i < node->kid_count; i++)
        lists |= node->kids[i]->kind == KR_N_LIST;
    if (form && !(aggregate && lists)) /* RANK and TWA go over rows, or over lists that are written out */
        return kr_check_form(c, scope, node, form);
    if (aggregate && (!row || looks_aggregate(c, node) || !arity_fits(c, row, node->kid_count)))
        return kr_check_aggregate(c, scope, node, aggregate);
    if (!row || !((row->name[0] >= 'A' && row->name[0] <= 'Z'))) {
        unknown_function(c, node);
        return NULL;
    }
    if (node->where || node->has_by) {
        kr_diag *d = kr_check_error_name(c, KR_E_CLAUSE, node, "`%s` works on values of one row: it takes no %s", row->name, node->where ? "WHERE" : "BY");
        kr_check_help(c, d, "WHERE and BY belong inside the brackets of an aggregate such as SUM");
        return NULL;
    }
    kr_expr **args = check_args(c, scope, node);
    return args ? call_of(c, row, node, args, node->kid_count) : NULL;
}

/* ------------------------------------------------------------------------------------------------ any node */

kr_expr *kr_check_expr(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    kr_expr *e;
    switch (node->kind) {
    case KR_N_NUMBER:
        e = kr_expr_new(c, KR_X_CONST, KR_T_NUMBER, node);
        e->value = node->value;
        return e;
    case KR_N_BOOLEAN:
        e = kr_expr_new(c, KR_X_CONST, KR_T_BOOLEAN, node);
        e->value = node->value;
        return e;
    case KR_N_TEXT:
        e = kr_expr_new(c, KR_X_CONST, KR_T_TEXT, node);
        e->value = kr_cell_of_text(c->model->pool, node->text, node->text_len);
        return e;
    case KR_N_NAME: return kr_check_bare(c, scope, node);
    case KR_N_DOT: return kr_check_dot(c, scope, node);
    case KR_N_UNARY:
    case KR_N_BINARY: return operator_call(c, scope, node);
    case KR_N_CALL: return function_call(c, scope, node);
    case KR_N_LIST: {
        kr_diag *d = kr_check_error(c, KR_E_LIST, node, "a list stands only as the series of a statistic");
        kr_check_help(c, d, "for example MEDIAN({1, 2, 3})");
        return NULL;
    }
    case KR_N_SORT:
        kr_check_error(c, KR_E_CLAUSE, node, "%s stands only in RANK", node->op == 'A' ? "ASC" : "DESC");
        return NULL;
    }
    KR_ASSERT(false && "every kind of node is above");
    return NULL;
}
