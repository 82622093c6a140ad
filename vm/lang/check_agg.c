/* check_agg.c: aggregates: over the rows of a sheet, a window of the own sequence, or a list. */
#include "vm/lang/check_internal.h"

#include <string.h>

bool kr_check_outermost(kr_checker *c, const kr_scope *scope, const kr_node *node)
{
    if (scope->place == KR_IN_ROW)
        return true;
    kr_diag *d;
    if (scope->place == KR_IN_CONST) {
        kr_check_error_name(c, KR_E_FRAME, node, "%s is made of constants and parameters only, and `%s` reads rows", scope->inside, node->text);
        return false;
    }
    if (scope->place == KR_IN_JOIN)
        d = kr_check_error_name(c, KR_E_NESTED, node, "`%s` cannot stand in a join", node->text);
    else
        d = kr_check_error_name(c, KR_E_NESTED, node, "`%s` cannot stand inside %s", node->text, scope->inside);
    kr_check_help(c, d, "put it in a column of its own and name that here");
    return false;
}

static bool fits(kr_checker *c, const kr_fn *fn, const kr_node *node, kr_expr *const *args, int argc, int *taken, kr_type *result)
{
    kr_type *types = KR_NEW_ARRAY(c->arena, kr_type, argc);
    const kr_sig_entry **entries = KR_NEW_ARRAY(c->arena, const kr_sig_entry *, argc);
    kr_sig sig;
    int bad = -1;
    kr_type want = KR_T_NONE;
    for (int i = 0; i < argc; i++)
        types[i] = args[i]->type;
    for (int a = 0; kr_sig_read(fn->sig, a, &sig); a++) {
        int this_bad;
        kr_type this_want;
        if (!kr_sig_spread(&sig, argc, entries))
            continue;
        if (kr_sig_fits(entries, types, argc, sig.result, result, &this_bad, &this_want)) {
            *taken = a;
            return true;
        }
        if (this_bad > bad) {
            bad = this_bad;
            want = this_want;
        }
    }
    KR_ASSERT(bad >= 0); /* the number of arguments was found right before */
    kr_diag *d = kr_check_error(c, KR_E_TYPE, args[bad]->node ? args[bad]->node : node, "`%s` needs %s here, not %s", fn->name, kr_type_name(want),
                                kr_type_name(args[bad]->type));
    if (want == KR_T_NUMBER && args[bad]->type == KR_T_BOOLEAN)
        kr_check_help(c, d, "COUNTIF counts the rows for which a condition is true");
    else
        kr_check_help(c, d, "%s", fn->usage);
    return false;
}

/* The places of a call's arguments with the series first (FORECAST(at, y, x) has its number in front). */
typedef struct call_order {
    int series;  /* how many; -1: that number of arguments does not fit */
    int *at;     /* argument i of the expression is argument at[i] of the call */
    kr_node **kids;
} call_order;

static call_order order_of(kr_checker *c, const kr_fn *fn, const kr_node *node)
{
    int argc = node->kid_count, n = 0;
    kr_sig sig;
    const kr_sig_entry **entries = KR_NEW_ARRAY(c->arena, const kr_sig_entry *, argc);
    call_order order = { -1, KR_NEW_ARRAY(c->arena, int, argc), KR_NEW_ARRAY(c->arena, kr_node *, argc) };
    for (int a = 0; kr_sig_read(fn->sig, a, &sig); a++) {
        if (!kr_sig_spread(&sig, argc, entries))
            continue;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < argc; i++)
                if (entries[i]->series == (pass == 0))
                    order.at[n++] = i;
        order.series = 0;
        while (order.series < argc && entries[order.at[order.series]]->series)
            order.series++;
        for (int i = 0; i < argc; i++)
            order.kids[i] = node->kids[order.at[i]];
        break;
    }
    return order;
}

/* Types and units go by the order of the call. */
static kr_expr *finish(kr_checker *c, kr_expr *e, const int *at)
{
    int taken = 0;
    kr_expr **written = KR_NEW_ARRAY(c->arena, kr_expr *, e->arg_count);
    for (int i = 0; i < e->arg_count; i++)
        written[at ? at[i] : i] = e->args[i];
    if (!fits(c, e->fn, e->node, written, e->arg_count, &taken, &e->type))
        return NULL;
    return kr_units_of_call(c, e->fn, taken, written, e->arg_count, e->type, e->node, &e->unit) ? e : NULL;
}

/* Scalar arguments are this row's: an aggregate of its own sheet or a lookup is fine, a column of the ranging sheet is not. */
static bool scalars(kr_checker *c, const kr_scope *scope, const call_order *order, kr_expr *e, kr_sheet *far)
{
    kr_scope inner = *scope;
    inner.single = far;
    if (scope->place == KR_IN_ROW)
        inner.inside = e->fn->name;
    bool ok = true;
    for (int i = e->series_count; i < e->node->kid_count; i++) {
        e->args[i] = kr_check_expr(c, &inner, order->kids[i]);
        ok &= e->args[i] != NULL;
    }
    return ok;
}

/* ------------------------------------------------------------------------------------------------ lists */

static kr_expr *row_list(kr_checker *c, const kr_scope *scope, const kr_node *list, kr_node *const *kids, int count)
{
    kr_expr *e = kr_expr_new(c, KR_X_ROWLIST, KR_T_NONE, list);
    e->args = KR_NEW_ARRAY(c->arena, kr_expr *, count);
    e->arg_count = count;
    bool ok = true;
    for (int i = 0; i < count; i++) {
        kr_expr *x = e->args[i] = kr_check_expr(c, scope, kids[i]);
        if (!x) {
            ok = false;
            continue;
        }
        if (e->type == KR_T_NONE)
            e->type = x->type;
        if (x->type != KR_T_NONE && x->type != e->type) {
            kr_check_error(c, KR_E_LIST, kids[i], "the values of a list have one type: this is %s after %s", kr_type_name(x->type), kr_type_name(e->type));
            ok = false;
        } else if (ok) {
            kr_unit unit;
            ok = kr_units_agree(c, e, x, kids[i], &unit);
            e->unit = unit;
        }
    }
    return ok ? e : NULL;
}

/* order NULL: SUM(1, 2, 3) outside a rule: the arguments are the list. */
static kr_expr *over_list(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn, const call_order *order)
{
    if (node->where || node->has_by) {
        kr_check_error_name(c, KR_E_CLAUSE, node, "`%s` of a list takes no %s", fn->name, node->where ? "WHERE" : "BY");
        return NULL;
    }
    kr_expr *e = kr_expr_new(c, KR_X_LIST, KR_T_NONE, node);
    e->fn = fn;
    e->series_count = order ? order->series : 1;
    e->arg_count = order ? node->kid_count : 1;
    e->args = KR_NEW_ARRAY(c->arena, kr_expr *, e->arg_count);
    bool ok = true;
    if (!order) {
        e->args[0] = row_list(c, scope, node, node->kids, node->kid_count);
        return e->args[0] ? finish(c, e, NULL) : NULL;
    }
    for (int i = 0; i < order->series; i++) {
        const kr_node *list = order->kids[i];
        if (list->kind != KR_N_LIST) {
            kr_check_error(c, KR_E_LIST, list, "`%s` takes a list here too, as its first series is one", fn->name);
            return NULL;
        }
        if (list->kid_count != order->kids[0]->kid_count) {
            kr_check_error(c, KR_E_LIST, list, "the lists of `%s` must be equally long: %d values here, %d in the first", fn->name, list->kid_count,
                           order->kids[0]->kid_count);
            return NULL;
        }
        e->args[i] = row_list(c, scope, list, list->kids, list->kid_count);
        ok &= e->args[i] != NULL;
    }
    ok &= scalars(c, scope, order, e, NULL);
    return ok ? finish(c, e, order->at) : NULL;
}

/* ------------------------------------------------------------------------------------------------ windows */

static kr_expr *over_window(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn, const call_order *order)
{
    if (!kr_check_outermost(c, scope, node))
        return NULL;
    if (node->where || node->has_by) {
        kr_diag *d = kr_check_error_name(c, KR_E_CLAUSE, node, "`%s` over a window takes no %s", fn->name, node->where ? "WHERE" : "BY");
        kr_check_help(c, d, node->where ? "leave values out by making them blank: IF(condition, x)"
                                        : "a window follows this sheet's own sequence (its `per` and `order`)");
        return NULL;
    }
    kr_form form = kr_is_form(c, order->kids[0], KR_FORM_LAST) ? KR_FORM_LAST : KR_FORM_DAYS;
    const char *name = form == KR_FORM_LAST ? "LAST" : "DAYS";
    if (!scope->own) {
        kr_check_error_name(c, KR_E_FRAME, order->kids[0], "there are no rows here for %s to look back over", name);
        return NULL;
    }
    kr_expr *e = kr_expr_new(c, KR_X_WINDOW, KR_T_NONE, node);
    e->fn = fn;
    e->form = form;
    e->sheet = scope->own;
    e->series_count = order->series;
    e->arg_count = node->kid_count;
    e->args = KR_NEW_ARRAY(c->arena, kr_expr *, node->kid_count);
    const kr_node *first = order->kids[0];
    bool ok = true;
    for (int i = 0; i < order->series; i++) {
        const kr_node *window = order->kids[i];
        if (!kr_is_form(c, window, form)) {
            kr_check_error(c, KR_E_WINDOW, window, "`%s` takes the same window for all its series: %s here too", fn->name, name);
            return NULL;
        }
        if (window->kid_count != 2 || window->where || window->has_by) {
            kr_check_error_name(c, KR_E_ARGUMENTS, window, "%s takes a value and how far back: %s(x, n)", name, name);
            return NULL;
        }
        if (i > 0 && !kr_node_equal(window->kids[1], first->kids[1])) {
            kr_diag *d = kr_check_error(c, KR_E_WINDOW, window->kids[1], "`%s` takes windows of the same length", fn->name);
            kr_diag_window(c->diags, d, kr_node_span(first->kids[1]), "the first one's length");
            return NULL;
        }
        e->args[i] = kr_check_expr(c, scope, window->kids[0]);
        ok &= e->args[i] != NULL;
    }
    e->count = kr_check_count(c, scope, first->kids[1], name, 1);
    ok &= e->count != NULL;
    if (!kr_sheet_sequence(c, scope->own) && !c->inferring) {
        kr_diag *d = kr_check_error_name(c, KR_E_ORDER, first, "sheet `%s` has no order for %s to follow", scope->own->name, name);
        kr_check_help(c, d, "declare one: sheet(\"%s\", {…}, { order = { \"time\" } })", scope->own->name);
        return NULL;
    }
    if (form == KR_FORM_DAYS && !c->inferring) {
        const kr_sheet *own = scope->own;
        bool found = false;
        for (int i = 0; i < own->order_n; i++)
            found |= own->clock == own->order[i] && own->clock->type == KR_T_DAY;
        if (!found) {
            kr_diag *d = kr_check_error_name(c, KR_E_WINDOW, first, "DAYS counts calendar days, and sheet `%s` is not in the order of a day", own->name);
            kr_check_help(c, d, "LAST(x, n) takes the last n known values of any order");
            return NULL;
        }
    }
    ok &= scalars(c, scope, order, e, NULL);
    return ok ? finish(c, e, order->at) : NULL;
}

/* ------------------------------------------------------------------------------------------------ over a sheet */

/* The first sheet with a column of this name; NULL: none. */
static const kr_sheet *has_column(const kr_checker *c, const char *name)
{
    for (int i = 0; i < c->model->sheet_count; i++)
        if (kr_sheet_column(c->model->sheets[i], name))
            return c->model->sheets[i];
    return NULL;
}

static kr_expr *over_sheet(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn, const call_order *order)
{
    if (!kr_check_outermost(c, scope, node))
        return NULL;
    kr_sheet *far;
    if (!kr_find_range(c, order->kids, order->series, node->where, scope->own, &far))
        return NULL;
    if (!far) {
        kr_diag *d = kr_check_error_name(c, KR_E_NO_SHEET, node, "`%s` does not say which rows it is over", fn->name);
        const kr_node *x = order->series > 0 ? order->kids[0] : NULL;
        if (scope->own && x && x->kind == KR_N_NAME && kr_sheet_column(scope->own, x->text))
            kr_check_help(c, d, "over rows of this sheet: `%s(%s.%s BY …)`; over earlier rows: `%s(LAST(%s, n))` or `%s(DAYS(%s, n))`", fn->name, scope->own->name,
                          x->text, fn->name, x->text, fn->name, x->text);
        else if (x && x->kind == KR_N_NAME && has_column(c, x->text))
            kr_check_help(c, d, "sheet `%s` has a column of this name: `%s.%s`", has_column(c, x->text)->name, has_column(c, x->text)->name, x->text);
        else
            kr_check_help(c, d, "name a column of the sheet as `sheet.column`, or give a list: `%s({a, b})`", fn->name);
        return NULL;
    }
    kr_expr *e = kr_expr_new(c, KR_X_AGG, KR_T_NONE, node);
    e->fn = fn;
    e->sheet = far;
    e->series_count = order->series;
    e->arg_count = node->kid_count;
    e->args = KR_NEW_ARRAY(c->arena, kr_expr *, node->kid_count);
    kr_scope inner = { .place = KR_IN_AGG, .own = scope->own, .far = far, .inside = kr_arena_printf(c->arena, "`%s`", fn->name) };
    bool ok = true;
    for (int i = 0; i < order->series; i++) {
        e->args[i] = kr_check_expr(c, &inner, order->kids[i]);
        ok &= e->args[i] != NULL;
    }
    ok &= scalars(c, scope, order, e, far);
    if (node->where)
        ok &= (e->where = kr_check_typed(c, &inner, node->where, KR_T_BOOLEAN, "a WHERE")) != NULL;
    ok &= kr_check_match(c, scope, far, node, false, &e->match, &e->match_count);
    return ok ? finish(c, e, order->at) : NULL;
}

static bool all_plain(const kr_node *node)
{
    for (int i = 0; i < node->kid_count; i++)
        if (node->kids[i]->kind == KR_N_LIST || node->kids[i]->kind == KR_N_DOT)
            return false;
    return !node->where && !node->has_by && node->kid_count > 0;
}

kr_expr *kr_check_aggregate(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    kr_sig sig;
    bool one_series = kr_sig_read(fn->sig, 0, &sig) && sig.count == 1 && sig.series == 1;
    if (!scope->own && scope->place == KR_IN_ROW && one_series && all_plain(node) && !kr_is_form(c, node->kids[0], KR_FORM_LAST)
        && !kr_is_form(c, node->kids[0], KR_FORM_DAYS)) {
        kr_sheet *far = NULL;
        if (!kr_find_range(c, node->kids, node->kid_count, NULL, NULL, &far))
            return NULL;
        if (!far)
            return over_list(c, scope, node, fn, NULL);
    }
    call_order order = order_of(c, fn, node);
    if (order.series < 0) {
        kr_diag *d = kr_check_error_name(c, KR_E_ARGUMENTS, node, "`%s` takes %s, not %d", fn->name, kr_sig_arity(c->arena, fn->sig), node->kid_count);
        kr_check_help(c, d, "%s", fn->usage);
        if (one_series && node->kid_count > 1)
            kr_check_help(c, d, "several values are a list: `%s({a, b})`", fn->name);
        return NULL;
    }
    if (order.series > 0 && order.kids[0]->kind == KR_N_LIST)
        return over_list(c, scope, node, fn, &order);
    if (order.series > 0 && (kr_is_form(c, order.kids[0], KR_FORM_LAST) || kr_is_form(c, order.kids[0], KR_FORM_DAYS)))
        return over_window(c, scope, node, fn, &order);
    return over_sheet(c, scope, node, fn, &order);
}
