/* forms.c: the forms of the language as tasks: what each reads, and how far it reaches in time. */
#include "vm/engine/plan.h"

#include <string.h>

static bool near_equal(const kr_expr *const *a, const kr_expr *const *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!kr_expr_equal(a[i], b[i]))
            return false;
    return true;
}

kr_task *kr_group_task(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset, kr_task *index, const kr_expr *const *near, kr_reach reach)
{
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind == kind && t->rowset == rowset && t->index == index && near_equal(t->near_exprs, near, t->near_count))
            return t;
    }
    kr_task *task = kr_task_new(plan, kind, rowset);
    task->index = index;
    task->near_count = index->column_count;
    task->near_exprs = KR_NEW_ARRAY(plan->arena, const kr_expr *, index->column_count + 1);
    task->near = KR_NEW_ARRAY(plan->arena, kr_program *, index->column_count + 1);
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    kr_probe_edge(plan, task, index, reach);
    for (int i = 0; i < index->column_count; i++) {
        task->near_exprs[i] = near[i];
        task->near[i] = kr_compile(plan, task, rowset, NULL, KR_REACH_WHOLE, near[i]);
    }
    return task;
}

/* The match with its columns in the sheet's order, so that equal matches written differently share an index. */
static int by_column(const void *a, const void *b)
{
    const kr_match *x = a, *y = b;
    return (x->far->index > y->far->index) - (x->far->index < y->far->index);
}

static kr_task *match_task(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset, const kr_sheet *sheet, const kr_match *match, int count,
                           kr_reach reach)
{
    kr_match *sorted = KR_NEW_ARRAY(plan->arena, kr_match, count + 1);
    kr_column_def **far = KR_NEW_ARRAY(plan->arena, kr_column_def *, count + 1);
    const kr_expr **near = KR_NEW_ARRAY(plan->arena, const kr_expr *, count + 1);
    if (count)
        memcpy(sorted, match, sizeof *match * (size_t)count);
    for (int i = 1; i < count; i++) /* insertion: stable, and matches are short */
        for (int j = i; j > 0 && by_column(&sorted[j - 1], &sorted[j]) > 0; j--) {
            kr_match swap = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = swap;
        }
    for (int i = 0; i < count; i++) {
        far[i] = sorted[i].far;
        near[i] = sorted[i].near;
    }
    kr_task *index = kr_index_task(plan, kr_rowset_of(plan, sheet), far, count);
    return kr_group_task(plan, kind, rowset, index, near, reach);
}

static kr_task *far_column(kr_plan *plan, kr_rowset *far, const kr_expr *e)
{
    return kr_expr_task(plan, far, kr_expr_to_own(plan->arena, e));
}

static bool is_far(const kr_expr *e) { return !e || (kr_expr_frames(e) & 1) == 0; }

/* An aggregate that ranges over the other sheet's columns alone has one value a group. */
static bool is_grouped(const kr_expr *e)
{
    bool far = is_far(e->where);
    for (int i = 0; i < e->arg_count; i++)
        far = far && (i < e->series_count || e->kind == KR_X_ARG ? is_far(e->args[i]) : kr_expr_frames(e->args[i]) == 0);
    return far;
}

static kr_program **compile_args(kr_plan *plan, kr_task *task, kr_rowset *rowset, kr_expr *const *args, int count)
{
    kr_program **programs = KR_NEW_ARRAY(plan->arena, kr_program *, count + 1);
    for (int i = 0; i < count; i++)
        programs[i] = kr_compile(plan, task, rowset, NULL, KR_REACH_WHOLE, args[i]);
    return programs;
}

static kr_task *find_equal(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset, const kr_expr *e, uint64_t hash)
{
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind == kind && t->hash == hash && t->rowset == rowset && kr_expr_equal(t->expr, e))
            return t;
    }
    return NULL;
}

static kr_reach agg_reach(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    return kr_match_reach(plan->model, e->match, e->match_count, rowset->sheet, NULL, KR_REACH_WHOLE);
}

/* ---- AGG */

/* The aggregate's own part of an expression, apart from how the own row is matched: equal ones over one index are one task. */
static bool same_values(const kr_task *t, const kr_expr *e)
{
    const kr_expr *o = t->expr;
    if (o->fn != e->fn || o->arg_count != e->arg_count || o->series_count != e->series_count || !kr_expr_equal(o->where, e->where))
        return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!kr_expr_equal(o->args[i], e->args[i]))
            return false;
    return true;
}

static kr_task *agg_values(kr_plan *plan, kr_task *index, const kr_expr *e)
{
    for (int i = 0; i < plan->task_count; i++)
        if (plan->tasks[i]->kind == KR_TASK_AGG && plan->tasks[i]->index == index && same_values(plan->tasks[i], e))
            return plan->tasks[i];
    kr_rowset *far = index->rowset;
    kr_task *task = kr_task_new(plan, KR_TASK_AGG, far);
    task->index = index;
    task->expr = e;
    task->type = e->type;
    task->fn = e->fn;
    kr_task_edge(plan, task, index, KR_REACH_SAME);
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, e->series_count + 1);
    for (int i = 0; i < e->series_count; i++) {
        task->columns[task->column_count++] = far_column(plan, far, e->args[i]);
        kr_task_edge(plan, task, task->columns[i], KR_REACH_SAME);
    }
    if (e->where) {
        task->where = far_column(plan, far, e->where);
        kr_task_edge(plan, task, task->where, KR_REACH_SAME);
    }
    task->scalar_count = e->arg_count - e->series_count;
    task->scalars = compile_args(plan, task, plan->book, e->args + e->series_count, task->scalar_count);
    return task;
}

static void gather_agg(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_gather *out)
{
    out->reach = agg_reach(plan, rowset, e);
    out->map = match_task(plan, KR_TASK_GROUP, rowset, e->sheet, e->match, e->match_count, out->reach);
    out->column = agg_values(plan, out->map->index, e);
    out->grouped = true;
}

static void gather_arg(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_gather *out)
{
    kr_rowset *far = kr_rowset_of(plan, e->sheet);
    out->reach = agg_reach(plan, rowset, e);
    out->column = far_column(plan, far, e->args[0]);
    uint64_t hash = kr_expr_hash(e);
    out->map = find_equal(plan, KR_TASK_ARG, rowset, e, hash);
    if (out->map)
        return;
    kr_task *group = match_task(plan, KR_TASK_GROUP, rowset, e->sheet, e->match, e->match_count, out->reach);
    kr_task *task = kr_task_new(plan, KR_TASK_ARG, rowset);
    task->hash = hash;
    task->expr = e;
    task->form = e->form;
    task->group = group;
    task->index = group->index;
    kr_task_edge(plan, task, group, KR_REACH_ROW);
    kr_task_edge(plan, task, task->index, out->reach);
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, 1);
    task->columns[task->column_count++] = far_column(plan, far, e->args[1]);
    kr_task_edge(plan, task, task->columns[0], out->reach);
    if (e->where) {
        task->where = far_column(plan, far, e->where);
        kr_task_edge(plan, task, task->where, out->reach);
    }
    out->map = task;
}

/* Equalities between a column of T and this row inside WHERE: with them the match is narrower. */
static kr_task *narrow_match(kr_plan *plan, kr_task *task, kr_rowset *rowset, const kr_expr *e, kr_reach reach)
{
    enum { ROOM = 16 };
    const kr_expr *parts[ROOM];
    int count = e->where ? kr_expr_conjuncts(e->where, parts, ROOM) : 0, found = 0;
    kr_match *match = KR_NEW_ARRAY(plan->arena, kr_match, e->match_count + count + 1);
    if (e->match_count)
        memcpy(match, e->match, sizeof *match * (size_t)e->match_count);
    for (int i = 0; i < count; i++) {
        const kr_expr *p = parts[i];
        if (p->kind != KR_X_CALL || strcmp(p->fn->name, "=") != 0)
            continue;
        for (int side = 0; side < 2; side++) {
            const kr_expr *far = p->args[side], *near = p->args[1 - side];
            if (far->kind == KR_X_COLUMN && far->frame == 1 && kr_expr_frames(near) == 1 && far->type == near->type) {
                match[e->match_count + found++] = (kr_match){ far->column, (kr_expr *)near };
                break;
            }
        }
    }
    if (!found)
        return NULL;
    kr_task *group = match_task(plan, KR_TASK_GROUP, rowset, e->sheet, match, e->match_count + found, reach);
    kr_task_edge(plan, task, group, KR_REACH_ROW);
    kr_task_edge(plan, task, group->index, reach);
    return group;
}

/* Inequalities of this kind: where the far rows stand in that order, a scan. */
static void find_bounds(kr_plan *plan, kr_task *task, kr_rowset *rowset, kr_rowset *far, const kr_expr *e, kr_reach reach)
{
    enum { ROOM = 16 };
    const kr_expr *parts[ROOM], *value;
    int count = kr_expr_conjuncts(e->where, parts, ROOM);
    task->bounds = KR_NEW_ARRAY(plan->arena, kr_plan_bound, count + 1);
    for (int i = 0; i < count; i++) {
        kr_plan_bound bound = { 0 };
        kr_column_def *column;
        if (!(value = kr_expr_bound(parts[i], &column, &bound.low, &bound.open)))
            continue;
        bound.range = kr_column_task(plan, far, column);
        bound.value = kr_expr_task(plan, rowset, value);
        kr_task_edge(plan, task, bound.range, reach);
        kr_task_edge(plan, task, bound.value, KR_REACH_ROW);
        task->bounds[task->bound_count++] = bound;
    }
}

static kr_task *pairs_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_rowset *far = kr_rowset_of(plan, e->sheet);
    kr_reach reach = agg_reach(plan, rowset, e);
    kr_task *task = kr_task_new(plan, KR_TASK_PAIRS, rowset);
    task->hash = kr_expr_hash(e);
    task->expr = e;
    task->type = e->type;
    task->fn = e->fn;
    task->form = e->form;
    task->pairs_arg = e->kind == KR_X_ARG;
    task->group = match_task(plan, KR_TASK_GROUP, rowset, e->sheet, e->match, e->match_count, reach);
    task->index = task->group->index;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    kr_task_edge(plan, task, task->group, KR_REACH_ROW);
    kr_task_edge(plan, task, task->index, reach);
    int series = task->pairs_arg ? 2 : e->series_count;
    task->series_pairs = KR_NEW_ARRAY(plan->arena, kr_program *, series + 1);
    for (int i = 0; i < series; i++)
        task->series_pairs[i] = kr_compile(plan, task, rowset, far, reach, e->args[i]);
    task->column_count = series;
    if (e->where)
        task->where_pairs = kr_compile(plan, task, rowset, far, reach, e->where);
    task->scalar_count = e->arg_count - series;
    task->scalars = compile_args(plan, task, rowset, e->args + series, task->scalar_count);
    if (e->where && kr_expr_never_fails(e->where)) {
        task->narrow = narrow_match(plan, task, rowset, e, reach);
        find_bounds(plan, task, rowset, far, e, reach);
        const kr_program *p = task->where_pairs;
        task->narrow_clean = KR_NEW_ARRAY(plan->arena, kr_task *, p->op_count + 1);
        for (int i = 0; i < p->op_count; i++)
            if (p->ops[i].column)
                task->narrow_clean[task->narrow_clean_count++] = p->ops[i].column;
    }
    return task;
}

/* ---- sequences */

static void gather_prev(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_gather *out)
{
    const kr_sheet *sheet = rowset->sheet;
    kr_task *seq = kr_seq_task(plan, rowset, sheet->per, sheet->per_n, sheet->order, sheet->order_n);
    out->column = kr_expr_task(plan, rowset, e->args[0]);
    /* With one row a day in a sequence, every earlier row is of an earlier day. */
    bool by_day = sheet->clock && sheet->clock->type == KR_T_DAY && sheet->order_n > 0 && sheet->order[0] == sheet->clock;
    for (int i = 0; i < sheet->key_count && by_day; i++) {
        bool held = sheet->keys[i] == sheet->clock;
        for (int j = 0; j < sheet->per_n; j++)
            held |= sheet->per[j] == sheet->keys[i];
        by_day = held;
    }
    out->reach = by_day && sheet->key_count ? KR_REACH_SEQ_BACK : KR_REACH_SEQ;
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind == KR_TASK_PREV && t->rowset == rowset && t->seq == seq && kr_expr_equal(t->count, e->count)) {
            out->map = t;
            return;
        }
    }
    kr_task *task = kr_task_new(plan, KR_TASK_PREV, rowset);
    task->seq = seq;
    task->count = e->count;
    if (e->count)
        task->count_program = kr_compile(plan, task, plan->book, NULL, KR_REACH_WHOLE, e->count);
    kr_task_edge(plan, task, seq, KR_REACH_WHOLE);
    out->map = task;
}

/* Ties in the order column follow the sheet's order, then its keys. */
static kr_task *sorted_task(kr_plan *plan, kr_task *index, kr_column_def *order)
{
    const kr_sheet *sheet = order->sheet;
    kr_task **columns = KR_NEW_ARRAY(plan->arena, kr_task *, sheet->order_n + 1);
    int count = 0;
    columns[count++] = kr_column_task(plan, index->rowset, order);
    for (int i = 0; i < sheet->order_n; i++)
        if (sheet->order[i] != order)
            columns[count++] = kr_column_task(plan, index->rowset, sheet->order[i]);
    for (int i = 0; i < plan->task_count; i++)
        if (plan->tasks[i]->kind == KR_TASK_SORTED && plan->tasks[i]->index == index && kr_task_same_columns(plan->tasks[i], columns, count))
            return plan->tasks[i];
    kr_task *task = kr_task_new(plan, KR_TASK_SORTED, index->rowset);
    task->index = index;
    task->columns = columns;
    task->column_count = count;
    kr_task_edge(plan, task, index, KR_REACH_WHOLE);
    for (int i = 0; i < count; i++)
        kr_task_edge(plan, task, columns[i], KR_REACH_WHOLE);
    return task;
}

/* Which days of T a sequence form looks at. */
static kr_reach sequence_reach(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_reach reach = agg_reach(plan, rowset, e);
    int limit = e->form == KR_FORM_ASOF ? 1 : e->form == KR_FORM_TWA ? 3 : e->form == KR_FORM_VALUE_AT ? 2 : 0;
    if (limit && limit < e->arg_count) {
        kr_reach bound = kr_time_reach(plan->model, e->args[limit], rowset->sheet, e->order);
        if (bound < KR_REACH_WHOLE && (reach == KR_REACH_WHOLE || bound == KR_REACH_BACK))
            reach = bound;
    }
    return reach;
}

static void sequence_parts(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_task *task, kr_reach reach)
{
    kr_rowset *far = kr_rowset_of(plan, e->sheet);
    task->hash = kr_expr_hash(e);
    task->expr = e;
    task->type = e->type;
    task->form = e->form;
    task->group = match_task(plan, KR_TASK_GROUP, rowset, e->sheet, e->match, e->match_count, reach);
    task->index = task->group->index;
    task->sorted = sorted_task(plan, task->index, e->order);
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    kr_task_edge(plan, task, task->group, KR_REACH_ROW);
    kr_task_edge(plan, task, task->sorted, reach);
    kr_task_edge(plan, task, task->index, reach);
    if (e->where) {
        task->where = far_column(plan, far, e->where);
        kr_task_edge(plan, task, task->where, reach);
        kr_task_edge(plan, task, task->index, reach); /* its errors are looked for in key order */
    }
    task->near_count = e->arg_count - 1;
    task->near = compile_args(plan, task, rowset, e->args + 1, task->near_count);
}

static void gather_sequence(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_gather *out)
{
    out->reach = sequence_reach(plan, rowset, e);
    out->column = far_column(plan, kr_rowset_of(plan, e->sheet), e->args[0]);
    /* ASOF(T.a …) and ASOF(T.b …) with one match, bound and condition choose the same row. */
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind != KR_TASK_CHOOSE || t->rowset != rowset || t->form != e->form || t->expr->sheet != e->sheet || t->expr->order != e->order
            || t->expr->arg_count != e->arg_count || t->expr->match_count != e->match_count || !kr_expr_equal(t->expr->where, e->where))
            continue;
        bool same = true;
        for (int k = 1; k < e->arg_count; k++)
            same = same && kr_expr_equal(t->expr->args[k], e->args[k]);
        for (int k = 0; k < e->match_count; k++)
            same = same && t->expr->match[k].far == e->match[k].far && kr_expr_equal(t->expr->match[k].near, e->match[k].near);
        if (same) {
            out->map = t;
            return;
        }
    }
    out->map = kr_task_new(plan, KR_TASK_CHOOSE, rowset);
    sequence_parts(plan, rowset, e, out->map, out->reach);
}

static kr_task *line_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_reach reach = sequence_reach(plan, rowset, e);
    kr_task *task = kr_task_new(plan, KR_TASK_LINE, rowset);
    sequence_parts(plan, rowset, e, task, reach);
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, 1);
    task->columns[task->column_count++] = far_column(plan, kr_rowset_of(plan, e->sheet), e->args[0]);
    kr_task_edge(plan, task, task->columns[0], reach);
    return task;
}

bool kr_gather_of(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, kr_gather *out)
{
    *out = (kr_gather){ 0 };
    switch (e->kind) {
    case KR_X_LOOKUP:
        out->reach = agg_reach(plan, rowset, e);
        out->map = match_task(plan, KR_TASK_LOOKUP, rowset, e->sheet, e->match, e->match_count, out->reach);
        out->column = kr_column_task(plan, kr_rowset_of(plan, e->sheet), e->column);
        return true;
    case KR_X_PREV:
        gather_prev(plan, rowset, e, out);
        return true;
    case KR_X_AGG:
        if (!is_grouped(e))
            return false;
        gather_agg(plan, rowset, e, out);
        return true;
    case KR_X_ARG:
        if (!is_grouped(e))
            return false;
        gather_arg(plan, rowset, e, out);
        return true;
    case KR_X_SEQUENCE:
        if (e->form == KR_FORM_TWA || e->form == KR_FORM_VALUE_AT)
            return false;
        gather_sequence(plan, rowset, e, out);
        return true;
    default:
        return false;
    }
}

/* ---- windows, shares, components */

static kr_task *window_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    const kr_sheet *sheet = rowset->sheet;
    kr_task *task = kr_task_new(plan, e->kind == KR_X_RUN ? KR_TASK_RUN : KR_TASK_WINDOW, rowset);
    task->hash = kr_expr_hash(e);
    task->expr = e;
    task->type = e->type;
    task->fn = e->fn;
    task->form = e->form;
    task->seq = kr_seq_task(plan, rowset, sheet->per, sheet->per_n, sheet->order, sheet->order_n);
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    kr_task_edge(plan, task, task->seq, KR_REACH_WHOLE);
    if (e->form == KR_FORM_DAYS)
        kr_task_edge(plan, task, kr_column_task(plan, rowset, sheet->clock), KR_REACH_ROW);
    int series = e->kind == KR_X_RUN ? e->arg_count : e->series_count;
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, series + 1);
    for (int i = 0; i < series; i++) {
        task->columns[task->column_count++] = kr_expr_task(plan, rowset, e->args[i]);
        kr_task_edge(plan, task, task->columns[i], KR_REACH_ROW);
    }
    task->scalar_count = e->arg_count - series;
    task->scalars = compile_args(plan, task, rowset, e->args + series, task->scalar_count);
    task->count = e->count;
    if (e->count)
        task->count_program = kr_compile(plan, task, plan->book, NULL, KR_REACH_WHOLE, e->count);
    return task;
}

static kr_task *share_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_reach reach = KR_REACH_WHOLE;
    for (int i = 0; i < e->by_count; i++)
        if (kr_column_is_day(e->by[i]))
            reach = KR_REACH_SAME;
    kr_task *task = kr_task_new(plan, KR_TASK_SHARE, rowset);
    task->hash = kr_expr_hash(e);
    task->expr = e;
    task->type = e->type;
    task->form = e->form;
    task->index = kr_index_task(plan, rowset, e->by, e->by_count);
    kr_task_edge(plan, task, task->index, reach);
    for (int i = 0; i < task->index->column_count; i++) /* rows with an error in BY are that error */
        kr_task_edge(plan, task, task->index->columns[i], KR_REACH_ROW);
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        task->columns[task->column_count++] = kr_expr_task(plan, rowset, e->args[i]);
        kr_task_edge(plan, task, task->columns[i], reach);
    }
    if (e->where) {
        task->where = kr_expr_task(plan, rowset, e->where);
        kr_task_edge(plan, task, task->where, reach);
    }
    return task;
}

static kr_reach edges_reach(kr_plan *plan, kr_rowset *rowset, const kr_expr *e, const kr_edges *edges)
{
    kr_reach reach = kr_match_reach(plan->model, edges->match, edges->match_count, rowset->sheet, NULL, KR_REACH_WHOLE);
    if (reach == KR_REACH_WHOLE && edges->time && e->arg_count > 1 && e->args[1])
        reach = kr_time_reach(plan->model, e->args[1], rowset->sheet, edges->time);
    return reach;
}

static kr_task *component_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_task *task = kr_task_new(plan, KR_TASK_COMPONENT, rowset);
    task->hash = kr_expr_hash(e);
    task->expr = e;
    task->type = e->type;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    task->near_count = e->arg_count > 1 && e->args[1] ? 2 : 1;
    task->near = compile_args(plan, task, rowset, e->args, task->near_count);
    task->component = KR_NEW_ARRAY(plan->arena, kr_plan_edges, e->edges_count + 1);
    task->component_count = e->edges_count;
    for (int i = 0; i < e->edges_count; i++) {
        const kr_edges *from = &e->edges[i];
        kr_plan_edges *to = &task->component[i];
        kr_rowset *far = kr_rowset_of(plan, from->sheet);
        kr_reach reach = edges_reach(plan, rowset, e, from);
        kr_column_def **columns = KR_NEW_ARRAY(plan->arena, kr_column_def *, from->match_count + 1);
        for (int k = 0; k < from->match_count; k++)
            columns[k] = from->match[k].far;
        to->a = kr_column_task(plan, far, from->a);
        to->b = kr_column_task(plan, far, from->b);
        to->time = from->time ? kr_column_task(plan, far, from->time) : NULL;
        to->where = from->where ? far_column(plan, far, from->where) : NULL;
        to->index = kr_index_task(plan, far, columns, from->match_count);
        kr_task *const parts[] = { to->a, to->b, to->time, to->where, to->index };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            kr_task_edge(plan, task, parts[k], reach);
        kr_probe_edge(plan, task, to->index, reach);
    }
    /* Own rows by the columns of BY: the same for every EDGES. */
    const kr_edges *first = &e->edges[0];
    kr_column_def **own = KR_NEW_ARRAY(plan->arena, kr_column_def *, first->match_count + 1);
    kr_reach own_reach = KR_REACH_WHOLE;
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, first->match_count + 1);
    for (int k = 0; k < first->match_count; k++) {
        KR_ASSERT(first->match[k].near->kind == KR_X_COLUMN); /* BY names columns of both sides */
        own[k] = first->match[k].near->column;
        if (kr_column_is_day(own[k]))
            own_reach = KR_REACH_SAME;
        task->columns[task->column_count++] = kr_column_task(plan, rowset, own[k]);
        kr_task_edge(plan, task, task->columns[k], KR_REACH_ROW);
    }
    task->index = kr_index_task(plan, rowset, own, first->match_count);
    kr_task_edge(plan, task, task->index, first->match_count ? own_reach : KR_REACH_WHOLE);
    return task;
}

kr_task *kr_hops_task(kr_plan *plan, const kr_expr *e)
{
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind == KR_TASK_HOPS && t->component_count == e->edges_count && kr_edges_equal(t->expr->edges, e->edges, e->edges_count))
            return t;
    }
    kr_task *task = kr_task_new(plan, KR_TASK_HOPS, NULL);
    task->expr = e;
    task->component = KR_NEW_ARRAY(plan->arena, kr_plan_edges, e->edges_count + 1);
    task->component_count = e->edges_count;
    for (int i = 0; i < e->edges_count; i++) {
        const kr_edges *from = &e->edges[i];
        kr_plan_edges *to = &task->component[i];
        kr_rowset *far = kr_rowset_of(plan, from->sheet);
        to->a = kr_column_task(plan, far, from->a);
        to->b = kr_column_task(plan, far, from->b);
        to->time = kr_column_task(plan, far, from->time);
        to->barred = from->barred ? kr_column_task(plan, far, from->barred) : NULL;
        to->where = from->where ? far_column(plan, far, from->where) : NULL;
        to->by = KR_NEW_ARRAY(plan->arena, kr_task *, from->match_count + 1);
        to->by_count = from->match_count;
        for (int k = 0; k < from->match_count; k++)
            to->by[k] = kr_column_task(plan, far, from->match[k].far);
        kr_task *const parts[] = { far->rows, to->a, to->b, to->time, to->barred, to->where };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            kr_task_edge(plan, task, parts[k], KR_REACH_WHOLE);
        for (int k = 0; k < to->by_count; k++)
            kr_task_edge(plan, task, to->by[k], KR_REACH_WHOLE);
    }
    return task;
}

kr_task *kr_form_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *e)
{
    kr_task_kind kind;
    switch (e->kind) {
    case KR_X_AGG:
    case KR_X_ARG:
        if (is_grouped(e))
            return NULL;
        kind = KR_TASK_PAIRS;
        break;
    case KR_X_SEQUENCE:
        if (e->form != KR_FORM_TWA && e->form != KR_FORM_VALUE_AT)
            return NULL;
        kind = KR_TASK_LINE;
        break;
    case KR_X_WINDOW:    kind = KR_TASK_WINDOW; break;
    case KR_X_RUN:       kind = KR_TASK_RUN; break;
    case KR_X_SHARE:     kind = KR_TASK_SHARE; break;
    case KR_X_COMPONENT: kind = KR_TASK_COMPONENT; break;
    default:             return NULL;
    }
    kr_task *found = find_equal(plan, kind, rowset, e, kr_expr_hash(e));
    if (found)
        return found;
    switch (kind) {
    case KR_TASK_PAIRS:     return pairs_task(plan, rowset, e);
    case KR_TASK_LINE:      return line_task(plan, rowset, e);
    case KR_TASK_SHARE:     return share_task(plan, rowset, e);
    case KR_TASK_COMPONENT: return component_task(plan, rowset, e);
    default:                return window_task(plan, rowset, e);
    }
}
