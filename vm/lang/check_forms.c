/* check_forms.c: what has a grammar of its own: PREV and running functions, sequences of another sheet, the row with the least or
 * greatest, shares, components, units by AS. */
#include "vm/lang/check_internal.h"

#include <string.h>

static bool count_args(kr_checker *c, const kr_node *node, const kr_fn *fn, int least, int most)
{
    if (node->kid_count >= least && node->kid_count <= most)
        return true;
    kr_diag *d;
    if (least == most)
        d = kr_check_error_name(c, KR_E_ARGUMENTS, node, "%s takes %d argument%s, not %d", fn->name, least, least == 1 ? "" : "s", node->kid_count);
    else
        d = kr_check_error_name(c, KR_E_ARGUMENTS, node, "%s takes %d to %d arguments, not %d", fn->name, least, most, node->kid_count);
    kr_check_help(c, d, "%s", fn->usage);
    return false;
}

static bool no_clause(kr_checker *c, const kr_node *node, const kr_fn *fn, bool where_too, const char *help)
{
    bool wrong = node->has_by || (where_too && node->where);
    if (!wrong)
        return true;
    kr_diag *d = kr_check_error_name(c, KR_E_CLAUSE, node, "%s takes no %s", fn->name, node->has_by ? "BY" : "WHERE");
    kr_check_help(c, d, "%s", help);
    return false;
}

static kr_expr *form_expr(kr_checker *c, kr_expr_kind kind, const kr_node *node, const kr_fn *fn, kr_sheet *sheet, int args)
{
    kr_expr *e = kr_expr_new(c, kind, KR_T_NONE, node);
    e->fn = fn;
    e->form = fn->form;
    e->sheet = sheet;
    e->args = KR_NEW_ARRAY(c->arena, kr_expr *, args);
    e->arg_count = args;
    return e;
}

static bool needs_rows(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!kr_check_outermost(c, scope, node))
        return false;
    if (scope->own)
        return true;
    kr_check_error_name(c, KR_E_FRAME, node, "there is no row here for %s", fn->name);
    return false;
}

static bool needs_order(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (kr_sheet_sequence(c, scope->own) || c->inferring)
        return true;
    kr_diag *d = kr_check_error_name(c, KR_E_ORDER, node, "sheet `%s` has no order for %s to follow", scope->own->name, fn->name);
    kr_check_help(c, d, "declare one: sheet(\"%s\", {…}, { order = { \"time\" } })", scope->own->name);
    return false;
}

static kr_unit unit_one(void) { return (kr_unit){ .known = true }; }

/* ------------------------------------------------------------------------------------------------ own sequence */

static const char *const own_sequence = "it follows this sheet's own sequence (its `per` and `order`); choose values with IF";

static kr_expr *check_prev(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!needs_rows(c, scope, node, fn) || !count_args(c, node, fn, 1, 3) || !no_clause(c, node, fn, true, own_sequence) || !needs_order(c, scope, node, fn))
        return NULL;
    kr_expr *e = form_expr(c, KR_X_PREV, node, fn, scope->own, node->kid_count > 1 ? 2 : 1);
    kr_expr *x = e->args[0] = kr_check_expr(c, scope, node->kids[0]), *start = NULL;
    if (node->kid_count > 1) {
        start = e->args[1] = kr_check_expr(c, scope, node->kids[1]);
        if (!start)
            return NULL;
    }
    if (node->kid_count > 2) {
        e->count = kr_check_count(c, scope, node->kids[2], "PREV", 1);
        if (!e->count)
            return NULL;
    } else {
        e->count = kr_expr_new(c, KR_X_CONST, KR_T_NUMBER, node);
        e->count->value = KR_NUM_ONE;
    }
    if (!x)
        return NULL;
    e->type = x->type != KR_T_NONE ? x->type : start ? start->type : KR_T_NONE;
    e->unit = x->unit;
    if (!start)
        return e;
    if (start->type != e->type && start->type != KR_T_NONE) {
        kr_check_error(c, KR_E_TYPE, start->node, "PREV starts with %s, and its value is %s", kr_type_name(start->type), kr_type_name(e->type));
        return NULL;
    }
    return kr_units_agree(c, x, start, node, &e->unit) ? e : NULL;
}

static kr_expr *check_run(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!needs_rows(c, scope, node, fn) || !count_args(c, node, fn, fn->form == KR_FORM_RUNCOUNT ? 0 : 1, 1) || !no_clause(c, node, fn, true, own_sequence)
        || !needs_order(c, scope, node, fn))
        return NULL;
    kr_expr *e = form_expr(c, KR_X_RUN, node, fn, scope->own, node->kid_count);
    if (node->kid_count == 1) {
        e->args[0] = fn->form == KR_FORM_RUNSUM ? kr_check_typed(c, scope, node->kids[0], KR_T_NUMBER, "what RUNSUM sums") : kr_check_expr(c, scope, node->kids[0]);
        if (!e->args[0])
            return NULL;
    }
    if (fn->form == KR_FORM_RUNCOUNT) {
        e->type = KR_T_NUMBER;
        e->unit = unit_one();
    } else {
        e->type = fn->form == KR_FORM_RUNSUM ? KR_T_NUMBER : e->args[0]->type;
        e->unit = e->args[0]->unit;
    }
    return e;
}

/* ------------------------------------------------------------------------------------------------ sequences of another sheet */

static kr_sheet *ranging(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn, int series)
{
    kr_sheet *far;
    if (!kr_find_range(c, node->kids, series, node->where, scope->own, &far))
        return NULL;
    if (!far) {
        kr_diag *d = kr_check_error_name(c, KR_E_NO_SHEET, node, "%s does not say which rows it is over", fn->name);
        kr_check_help(c, d, "%s: name a column of the sheet as `sheet.column`", fn->usage);
    }
    return far;
}

static kr_expr *check_sequence(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    int args = fn->form == KR_FORM_FIRST ? 1 : fn->form == KR_FORM_ASOF ? 2 : fn->form == KR_FORM_NEXT ? 3 : fn->form == KR_FORM_VALUE_AT ? 4 : 5;
    bool line = fn->form == KR_FORM_TWA || fn->form == KR_FORM_VALUE_AT;
    if (!kr_check_outermost(c, scope, node) || !count_args(c, node, fn, args, args))
        return NULL;
    kr_sheet *far = ranging(c, scope, node, fn, 1);
    if (!far)
        return NULL;
    if (!kr_sheet_sequence(c, far)) {
        if (c->inferring)
            return NULL;
        kr_diag *d = kr_check_error_name(c, KR_E_ORDER, node, "sheet `%s` has no order for %s to follow", far->name, fn->name);
        kr_check_help(c, d, "declare one: sheet(\"%s\", {…}, { order = { \"time\" } })", far->name);
        return NULL;
    }
    kr_expr *e = form_expr(c, KR_X_SEQUENCE, node, fn, far, args);
    e->order = far->order[0];
    kr_type clock = kr_check_column_type(c, e->order);
    if (clock != KR_T_DAY && clock != KR_T_TIME) {
        if (clock != KR_T_NONE)
            kr_check_error_name(c, KR_E_ORDER, node, "%s follows days or times, and sheet `%s` is in the order of `%s`, %s", fn->name, far->name, e->order->name,
                                kr_type_name(clock));
        return NULL;
    }
    kr_scope inner = { .place = KR_IN_FAR, .own = scope->own, .far = far, .inside = kr_arena_printf(c->arena, "`%s`", fn->name) };
    kr_scope bounds = *scope;
    bounds.single = far;
    bounds.inside = fn->name;
    bool ok = true;
    e->args[0] = line ? kr_check_typed(c, &inner, node->kids[0], KR_T_NUMBER, kr_arena_printf(c->arena, "what %s follows", fn->name))
                      : kr_check_expr(c, &inner, node->kids[0]);
    ok &= e->args[0] != NULL;
    for (int i = 1; i < args; i++) {
        bool value = line && i == args - 1; /* what stands before the first point */
        e->args[i] = kr_check_typed(c, &bounds, node->kids[i], value ? KR_T_NUMBER : clock,
                                    value ? kr_arena_printf(c->arena, "the value before the first point of %s", fn->name)
                                          : kr_arena_printf(c->arena, "a bound of %s over `%s`, which is in the order of `%s`,", fn->name, far->name, e->order->name));
        ok &= e->args[i] != NULL;
    }
    if (node->where)
        ok &= (e->where = kr_check_typed(c, &inner, node->where, KR_T_BOOLEAN, "a WHERE")) != NULL;
    ok &= kr_check_match(c, scope, far, node, true, &e->match, &e->match_count);
    for (int i = 0; i < e->match_count; i++)
        if (e->match[i].far == e->order) {
            kr_check_error_name(c, KR_E_BY, node, "%s goes along `%s`, so BY cannot hold `%s`", fn->name, e->order->name, e->order->name);
            ok = false;
        }
    if (!ok)
        return NULL;
    e->type = e->args[0]->type;
    e->unit = e->args[0]->unit;
    if (line && !kr_units_agree(c, e->args[0], e->args[args - 1], node, &e->unit))
        return NULL;
    return e;
}

static kr_expr *check_arg(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!kr_check_outermost(c, scope, node) || !count_args(c, node, fn, 2, 2))
        return NULL;
    kr_sheet *far = ranging(c, scope, node, fn, 2);
    if (!far)
        return NULL;
    kr_expr *e = form_expr(c, KR_X_ARG, node, fn, far, 2);
    kr_scope inner = { .place = KR_IN_AGG, .own = scope->own, .far = far, .inside = kr_arena_printf(c->arena, "`%s`", fn->name) };
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        e->args[i] = kr_check_expr(c, &inner, node->kids[i]);
        ok &= e->args[i] != NULL;
    }
    if (node->where)
        ok &= (e->where = kr_check_typed(c, &inner, node->where, KR_T_BOOLEAN, "a WHERE")) != NULL;
    ok &= kr_check_match(c, scope, far, node, false, &e->match, &e->match_count);
    if (!ok)
        return NULL;
    e->type = e->args[0]->type;
    e->unit = e->args[0]->unit;
    return e;
}

/* ------------------------------------------------------------------------------------------------ shares */

static kr_expr *check_share(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    bool rank = fn->form == KR_FORM_RANK;
    int args = fn->form == KR_FORM_SHARE ? 1 : 2;
    if (!needs_rows(c, scope, node, fn) || !count_args(c, node, fn, rank ? 1 : args, rank ? 64 : args))
        return NULL;
    kr_expr *e = form_expr(c, KR_X_SHARE, node, fn, scope->own, node->kid_count);
    bool ok = true;
    if (rank)
        e->descending = KR_NEW_ARRAY(c->arena, bool, node->kid_count);
    for (int i = 0; i < node->kid_count; i++) {
        const kr_node *x = node->kids[i];
        if (rank) {
            e->descending[i] = x->kind != KR_N_SORT || x->op == 'D';
            if (x->kind == KR_N_SORT)
                x = x->kids[0];
        }
        if (x->kind == KR_N_DOT && scope->own && strcmp(x->text, scope->own->name) == 0 && kr_sheet_column(scope->own, x->name2)) {
            kr_diag *d = kr_check_error(c, KR_E_FRAME, x, "%s takes this sheet's own column", fn->name);
            kr_check_help(c, d, "write `%s`, without the sheet", x->name2);
            ok = false;
            continue;
        }
        e->args[i] = kr_check_typed(c, scope, x, rank ? KR_T_NONE : KR_T_NUMBER, kr_arena_printf(c->arena, "what %s takes", fn->name));
        ok &= e->args[i] != NULL;
    }
    if (node->where)
        ok &= (e->where = kr_check_typed(c, scope, node->where, KR_T_BOOLEAN, "a WHERE")) != NULL;
    ok &= kr_check_own_by(c, scope, node, &e->by, &e->by_count);
    if (!ok)
        return NULL;
    e->type = KR_T_NUMBER;
    e->unit = fn->form == KR_FORM_PRORATE ? e->args[0]->unit : fn->form == KR_FORM_APPORTION ? e->args[1]->unit : unit_one();
    return e;
}

/* ------------------------------------------------------------------------------------------------ components and paths */

/* by: the type of T.barred (HOPS), or KR_T_NONE (COMPONENT, whose edges have none). */
static bool check_edges(kr_checker *c, const kr_scope *scope, const kr_node *graph, const kr_fn *fn, const kr_node *node, kr_type time, kr_type by, kr_edges *out)
{
    bool hops = fn->form == KR_FORM_HOPS;
    if (node->kid_count < (hops ? 3 : 2) || node->kid_count > (hops ? 4 : 3) || node->has_by) {
        kr_diag *d = node->has_by ? kr_check_error_name(c, KR_E_ARGUMENTS, node, "the BY of %s holds for its EDGES too", fn->name)
                                  : kr_check_error_name(c, KR_E_ARGUMENTS, node, hops ? "EDGES inside HOPS takes two columns, a time, and perhaps from when the second is no way through"
                                                                                      : "EDGES takes two columns and perhaps a time");
        kr_check_help(c, d, hops ? "EDGES(T.a, T.b, T.time, T.barred WHERE condition)" : "EDGES(T.a, T.b, T.time WHERE condition)");
        return false;
    }
    kr_column_def *column[4] = { NULL };
    for (int i = 0; i < node->kid_count; i++) {
        const kr_node *x = node->kids[i];
        if (x->kind != KR_N_DOT || (i > 0 && strcmp(x->text, node->kids[0]->text) != 0)) {
            kr_check_error(c, KR_E_EDGES, x, i == 0 ? "EDGES takes columns of one sheet, `T.a`" : "EDGES takes columns of one sheet, that of its first argument");
            return false;
        }
        if (i == 0 && !(out->sheet = kr_named_sheet(c, x)))
            return false;
        if (!(column[i] = kr_named_column(c, out->sheet, x->name2, x)))
            return false;
        kr_type type = kr_check_column_type(c, column[i]), want = i < 2 ? KR_T_TEXT : i == 3 ? by : time == KR_T_NONE ? KR_T_TIME : time;
        if (type == KR_T_NONE) {
            if (c->inferring)
                continue;
            return false;
        }
        if (type != want) {
            static const char *const what[] = { "the ends of an edge are", "the ends of an edge are", "the time of an edge must be", "what bars a node must be, like `by`," };
            kr_check_error(c, KR_E_TYPE, x, "%s %s, and `%s.%s` is %s", what[i], kr_type_name(want), out->sheet->name, column[i]->name, kr_type_name(type));
            return false;
        }
    }
    out->a = column[0];
    out->b = column[1];
    out->time = column[2];
    out->barred = column[3];
    if (column[2] && time == KR_T_NONE) {
        kr_diag *d = kr_check_error(c, KR_E_EDGES, node->kids[2], "these edges have a time, and COMPONENT is not asked as of one");
        kr_check_help(c, d, "write the time after the node: COMPONENT(x, t, EDGES(…) …)");
        return false;
    }
    if (node->where) {
        kr_scope inner = { .place = KR_IN_FAR, .own = scope->own, .far = out->sheet, .inside = "`EDGES`" };
        if (!(out->where = kr_check_typed(c, &inner, node->where, KR_T_BOOLEAN, "a WHERE")))
            return false;
    }
    return kr_check_match(c, scope, out->sheet, graph, true, &out->match, &out->match_count);
}

/* The EDGES from `first` on. */
static bool check_edges_list(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn, int first, kr_type time, kr_type by, kr_expr *e)
{
    bool ok = true;
    e->edges_count = node->kid_count - first;
    e->edges = KR_NEW_ARRAY(c->arena, kr_edges, e->edges_count);
    for (int i = 0; i < e->edges_count; i++) {
        const kr_node *edges = node->kids[first + i];
        if (!kr_is_form(c, edges, KR_FORM_EDGES)) {
            kr_check_error(c, KR_E_EDGES, edges, "after the first EDGES of %s only EDGES may follow", fn->name);
            return false;
        }
        ok &= check_edges(c, scope, node, fn, edges, time, by, &e->edges[i]);
    }
    return ok;
}

static kr_expr *check_component(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!needs_rows(c, scope, node, fn))
        return NULL;
    int first = 0;
    while (first < node->kid_count && !kr_is_form(c, node->kids[first], KR_FORM_EDGES))
        first++;
    if (first < 1 || first > 2 || first == node->kid_count || node->where) {
        kr_diag *d = kr_check_error_name(c, KR_E_EDGES, node,
                                         node->where ? "COMPONENT takes no WHERE of its own" : "COMPONENT takes a node, perhaps a time, then what joins nodes");
        kr_check_help(c, d, node->where ? "a WHERE stands inside EDGES(…)" : "COMPONENT(x, t, EDGES(T.a, T.b, T.time) … BY …)");
        return NULL;
    }
    kr_expr *e = form_expr(c, KR_X_COMPONENT, node, fn, scope->own, 2); /* args[1] stays NULL without a time */
    e->arg_count = first;
    e->args[0] = kr_check_typed(c, scope, node->kids[0], KR_T_TEXT, "the node of COMPONENT");
    bool ok = e->args[0] != NULL;
    kr_type time = KR_T_NONE;
    if (first == 2) {
        kr_expr *t = e->args[1] = kr_check_expr(c, scope, node->kids[1]);
        if (!t)
            return NULL;
        time = t->type == KR_T_NONE ? KR_T_TIME : t->type;
        if (time != KR_T_TIME && time != KR_T_DAY) {
            kr_check_error(c, KR_E_TYPE, node->kids[1], "COMPONENT is asked as of a time or a day, not %s", kr_type_name(time));
            return NULL;
        }
    }
    ok &= check_edges_list(c, scope, node, fn, first, time, KR_T_NONE, e);
    e->type = KR_T_TEXT;
    return ok ? e : NULL;
}

static bool is_moment(kr_type type) { return type == KR_T_TIME || type == KR_T_DAY; }

/* HOPS is about values only, so it may also stand in a join, where it tells which pairs a path joins. */
static kr_expr *check_hops(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    enum { FROM, START, TO, END, LEAST, BY, ARGS };
    static const char *const what[ARGS] = { "where a path begins", "the start of a path's time", "where a path ends", "the end of a path's time", "the fewest edges of a path",
                                            "as of when HOPS passes through nodes" };
    if (scope->place != KR_IN_JOIN && !needs_rows(c, scope, node, fn))
        return NULL;
    int first = 0;
    while (first < node->kid_count && !kr_is_form(c, node->kids[first], KR_FORM_EDGES))
        first++;
    if (first != ARGS || first == node->kid_count || node->where) {
        kr_diag *d = kr_check_error_name(c, KR_E_EDGES, node, node->where ? "HOPS takes no WHERE of its own" : "HOPS takes six arguments, then what leads from node to node");
        kr_check_help(c, d, "%s", node->where ? "a WHERE stands inside EDGES(…)" : fn->usage);
        return NULL;
    }
    if (node->by_count > 8) {
        kr_check_error(c, KR_E_BY, node->by[8], "the BY of HOPS has room for 8 columns");
        return NULL;
    }
    if (scope->place == KR_IN_JOIN && (!node->has_by || node->by_count > 0)) {
        kr_diag *d = kr_check_error_name(c, KR_E_BY, node, "in a join HOPS is over all edges");
        kr_check_help(c, d, "write `BY ()` before the closing bracket");
        return NULL;
    }
    kr_expr *e = form_expr(c, KR_X_HOPS, node, fn, scope->place == KR_IN_JOIN ? NULL : scope->own, ARGS);
    bool ok = true;
    for (int i = 0; i < ARGS; i++) {
        kr_type want = i == FROM || i == TO ? KR_T_TEXT : i == LEAST ? KR_T_NUMBER : KR_T_NONE;
        kr_expr *x = e->args[i] = kr_check_typed(c, scope, node->kids[i], want, what[i]);
        ok &= x != NULL;
        if (x && want == KR_T_NONE && !is_moment(x->type) && x->type != KR_T_NONE) {
            kr_check_error(c, KR_E_TYPE, node->kids[i], "%s is a time or a day, not %s", what[i], kr_type_name(x->type));
            ok = false;
        }
    }
    if (!ok)
        return NULL;
    kr_type time = e->args[START]->type, end = e->args[END]->type, by = e->args[BY]->type;
    if (time != KR_T_NONE && end != KR_T_NONE && time != end) {
        kr_check_error(c, KR_E_TYPE, node->kids[END], "a path's time starts with %s and ends with %s", kr_type_name(time), kr_type_name(end));
        return NULL;
    }
    kr_cell least;
    if (kr_expr_constant(c, e->args[LEAST], &least) && !kr_raw_eq(least, KR_NUM_ONE) && !kr_raw_eq(least, kr_num_of_int(2))) {
        kr_diag *d = kr_check_error(c, KR_E_EDGES, node->kids[LEAST], "HOPS finds paths of at least 1 or at least 2 edges");
        kr_check_help(c, d, "a longer path without a node twice would mean trying all of them; give a parameter `min = 1, max = 2`");
        return NULL;
    }
    ok &= check_edges_list(c, scope, node, fn, first, time, by == KR_T_NONE ? KR_T_DAY : by, e);
    e->type = KR_T_NUMBER;
    e->unit = unit_one();
    return ok ? e : NULL;
}

/* ------------------------------------------------------------------------------------------------ units */

static kr_expr *check_as(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    if (!count_args(c, node, fn, 2, 2) || !no_clause(c, node, fn, true, "it says the unit of one value"))
        return NULL;
    kr_expr *x = kr_check_typed(c, scope, node->kids[0], KR_T_NUMBER, "what AS gives a unit");
    const kr_node *text = node->kids[1];
    kr_unit unit;
    if (text->kind != KR_N_TEXT || !kr_unit_read(c->model->arena, text->text, text->text_len, &unit)) {
        kr_diag *d = kr_check_error(c, KR_E_UNIT_TEXT, text, "AS takes a unit as a text");
        kr_check_help(c, d, "for example AS(x, \"USD/TAO\"), or AS(x, \"1\") for a plain number");
        return NULL;
    }
    if (!x)
        return NULL;
    kr_expr *e = KR_NEW(c->arena, kr_expr); /* the same value; units are the checker's only */
    *e = *x;
    e->node = node; /* which is how expr.c knows to print it */
    e->type = KR_T_NUMBER;
    e->unit = unit;
    return e;
}

kr_expr *kr_check_form(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn)
{
    switch (fn->form) {
    case KR_FORM_LOOKUP:
        if (scope->place == KR_IN_CONST) {
            kr_check_outermost(c, scope, node);
            return NULL;
        }
        return kr_check_lookup(c, scope, node, fn);
    case KR_FORM_PREV: return check_prev(c, scope, node, fn);
    case KR_FORM_RUNSUM:
    case KR_FORM_RUNCOUNT:
    case KR_FORM_RUNMAX:
    case KR_FORM_RUNMIN: return check_run(c, scope, node, fn);
    case KR_FORM_ASOF:
    case KR_FORM_NEXT:
    case KR_FORM_FIRST:
    case KR_FORM_TWA:
    case KR_FORM_VALUE_AT: return check_sequence(c, scope, node, fn);
    case KR_FORM_ARGMIN:
    case KR_FORM_ARGMAX: return check_arg(c, scope, node, fn);
    case KR_FORM_RANK:
    case KR_FORM_SHARE:
    case KR_FORM_PRORATE:
    case KR_FORM_APPORTION: return check_share(c, scope, node, fn);
    case KR_FORM_COMPONENT: return check_component(c, scope, node, fn);
    case KR_FORM_HOPS: return check_hops(c, scope, node, fn);
    case KR_FORM_AS: return check_as(c, scope, node, fn);
    case KR_FORM_LAST:
    case KR_FORM_DAYS: {
        kr_diag *d = kr_check_error_name(c, KR_E_WINDOW, node, "%s is a window and stands inside an aggregate", fn->name);
        kr_check_help(c, d, "for example SUM(%s(x, 30)), COUNT(%s(x, 30)), MAX(%s(x, 30))", fn->name, fn->name, fn->name);
        return NULL;
    }
    case KR_FORM_EDGES: {
        kr_diag *d = kr_check_error_name(c, KR_E_EDGES, node, "EDGES stands inside COMPONENT or HOPS");
        kr_check_help(c, d, "COMPONENT(x, t, EDGES(T.a, T.b, T.time) … BY …)");
        return NULL;
    }
    case KR_FORM_NONE: break;
    }
    KR_ASSERT(false && "a row of shape KR_FORM names its form");
    return NULL;
}
