/* plan.c: from a checked model to tasks: row sets, columns, indexes, sequences, and what is published. */
#include "vm/engine/plan.h"
#include "vm/lang/script.h"

#include <string.h>

kr_task *kr_task_new(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset)
{
    kr_task *task = KR_NEW(plan->arena, kr_task);
    task->id = plan->task_count;
    task->kind = kind;
    task->rowset = rowset;
    task->scc = -1;
    KR_PUSH(plan->arena, plan->tasks, plan->task_count, plan->task_capacity) = task;
    return task;
}

void kr_task_edge(kr_plan *plan, kr_task *from, kr_task *to, kr_reach reach)
{
    if (!to)
        return;
    for (int i = 0; i < from->edge_count; i++)
        if (from->edges[i].to == to && from->edges[i].reach == reach)
            return;
    KR_PUSH(plan->arena, from->edges, from->edge_count, from->edge_capacity) = (kr_edge){ to, reach };
}

bool kr_plan_limit(kr_plan *plan, kr_span span, int count, int most, const char *what)
{
    if (count <= most)
        return true;
    kr_diag_add(plan->diags, KR_E_RUN_LIMIT, span, "%d columns %s, more than the limit of %d", count, what, most);
    plan->failed = true;
    return false;
}

static kr_rowset *rowset_new(kr_plan *plan, const kr_sheet *sheet, bool candidate, const char *name)
{
    kr_rowset *rowset = KR_NEW(plan->arena, kr_rowset);
    rowset->id = plan->rowset_count;
    rowset->sheet = sheet;
    rowset->candidate = candidate;
    rowset->name = name;
    rowset->columns = KR_NEW_ARRAY(plan->arena, kr_task *, (sheet ? sheet->column_count : 0) + 1);
    KR_PUSH(plan->arena, plan->rowsets, plan->rowset_count, plan->rowset_capacity) = rowset;
    return rowset;
}

static bool is_data(const kr_sheet *sheet) { return !sheet->rows || sheet->rows->kind == KR_ROWS_DATA; }

static kr_task *generated(kr_plan *plan, kr_rowset *rowset)
{
    kr_task *rows = kr_task_new(plan, KR_TASK_ROWS, rowset);
    rowset->rows = rows;
    if (rowset->sheet && !is_data(rowset->sheet)) {
        rows->rows = rowset->sheet->rows;
        rows->parts = KR_NEW_ARRAY(plan->arena, kr_task *, 1);
        rows->parts[rows->part_count++] = kr_part_task(plan, rows->rows, rowset->sheet);
        kr_task_edge(plan, rows, rows->parts[0], KR_REACH_WHOLE);
    }
    return rows;
}

kr_rowset *kr_rowset_of(kr_plan *plan, const kr_sheet *sheet)
{
    for (int i = 0; i < plan->rowset_count; i++)
        if (plan->rowsets[i]->sheet == sheet && !plan->rowsets[i]->candidate)
            return plan->rowsets[i];
    kr_rowset *rowset = rowset_new(plan, sheet, false, sheet ? sheet->name : "(book)");
    if (sheet)
        kr_plan_limit(plan, sheet->span, sheet->key_count, KR_MOST_MATCH, "make the key");
    if (!sheet || !sheet->where.expr) {
        generated(plan, rowset);
        return rowset;
    }
    /* Rows that satisfy `where`: computed over candidates, then kept. */
    kr_task *rows = kr_task_new(plan, KR_TASK_ROWS, rowset);
    rowset->rows = rows;
    kr_rowset *all = rowset_new(plan, sheet, true, kr_arena_printf(plan->arena, "candidates of %s", sheet->name));
    generated(plan, all);
    rows->where = kr_expr_task(plan, all, sheet->where.expr);
    rows->parts = KR_NEW_ARRAY(plan->arena, kr_task *, sheet->column_count + 1);
    rows->parts[rows->part_count++] = all->rows;
    for (int i = 0; i < sheet->column_count; i++)
        if (sheet->columns[i]->input)
            rows->parts[rows->part_count++] = kr_column_task(plan, all, sheet->columns[i]);
    for (int i = 0; i < rows->part_count; i++)
        kr_task_edge(plan, rows, rows->parts[i], KR_REACH_WHOLE);
    kr_task_edge(plan, rows, rows->where, KR_REACH_WHOLE);
    return rowset;
}

kr_task *kr_column_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *def)
{
    KR_ASSERT(rowset->sheet == def->sheet); /* columns are asked for by the rows of their own sheet */
    if (rowset->columns[def->index])
        return rowset->columns[def->index];
    kr_task *task = kr_task_new(plan, KR_TASK_COLUMN, rowset);
    rowset->columns[def->index] = task;
    task->def = def;
    task->type = def->type;
    task->input = def->input;
    task->back = !rowset->candidate && !def->input && def->is_state && def->sheet->clock;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    if (!def->input)
        task->expr = def->formula.expr; /* compiled by kr_plan_settle, so that a chain of columns is no recursion */
    return task;
}

void kr_plan_settle(kr_plan *plan)
{
    for (; plan->settled < plan->task_count; plan->settled++) {
        kr_task *task = plan->tasks[plan->settled];
        if (task->kind == KR_TASK_COLUMN && task->def && task->expr)
            task->program = kr_compile(plan, task, task->rowset, NULL, KR_REACH_WHOLE, task->expr);
    }
}

kr_task *kr_expr_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *expr)
{
    if (expr->kind == KR_X_COLUMN && expr->frame == 0 && expr->column->sheet == rowset->sheet)
        return kr_column_task(plan, rowset, expr->column);
    uint64_t hash = kr_expr_hash(expr);
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->hash == hash && t->expr && !t->def && t->rowset == rowset && t->kind == KR_TASK_COLUMN && kr_expr_equal(t->expr, expr))
            return t;
    }
    kr_task *form = kr_form_task(plan, rowset, expr);
    if (form)
        return form;
    kr_task *task = kr_task_new(plan, KR_TASK_COLUMN, rowset);
    task->hash = hash;
    task->expr = expr;
    task->type = expr->type;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    task->program = kr_compile(plan, task, rowset, NULL, KR_REACH_WHOLE, expr);
    return task;
}

bool kr_task_same_columns(const kr_task *task, kr_task *const *columns, int count)
{
    if (task->column_count != count)
        return false;
    for (int i = 0; i < count; i++)
        if (task->columns[i] != columns[i])
            return false;
    return true;
}

static kr_task **column_tasks(kr_plan *plan, kr_rowset *rowset, kr_column_def *const *columns, int count)
{
    kr_task **tasks = KR_NEW_ARRAY(plan->arena, kr_task *, count + 1);
    for (int i = 0; i < count; i++)
        tasks[i] = kr_column_task(plan, rowset, columns[i]);
    return tasks;
}

kr_task *kr_index_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *const *columns, int count)
{
    if (!kr_plan_limit(plan, count ? columns[0]->span : (kr_span){ 0 }, count, KR_MOST_MATCH, "are matched"))
        count = KR_MOST_MATCH;
    kr_task **tasks = column_tasks(plan, rowset, columns, count);
    for (int i = 0; i < plan->task_count; i++)
        if (plan->tasks[i]->kind == KR_TASK_INDEX && plan->tasks[i]->rowset == rowset && kr_task_same_columns(plan->tasks[i], tasks, count))
            return plan->tasks[i];
    kr_task *task = kr_task_new(plan, KR_TASK_INDEX, rowset);
    task->columns = tasks;
    task->column_count = count;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    for (int i = 0; i < count; i++)
        kr_task_edge(plan, task, tasks[i], KR_REACH_SAME);
    return task;
}

void kr_probe_edge(kr_plan *plan, kr_task *from, kr_task *index, kr_reach reach)
{
    kr_task_edge(plan, from, index, reach);
    for (int i = 0; i < index->column_count; i++)
        kr_task_edge(plan, from, index->columns[i], reach);
}

kr_task *kr_seq_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *const *per, int per_count, kr_column_def *const *order, int order_count)
{
    kr_task **columns = column_tasks(plan, rowset, per, per_count), **orders = column_tasks(plan, rowset, order, order_count);
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (t->kind == KR_TASK_SEQ && t->rowset == rowset && t->order_count == order_count && kr_task_same_columns(t, columns, per_count)
            && memcmp(t->order, orders, (size_t)order_count * sizeof *orders) == 0)
            return t;
    }
    kr_task *task = kr_task_new(plan, KR_TASK_SEQ, rowset);
    task->columns = columns;
    task->column_count = per_count;
    task->order = orders;
    task->order_count = order_count;
    kr_task_edge(plan, task, rowset->rows, KR_REACH_WHOLE);
    for (int i = 0; i < per_count; i++)
        kr_task_edge(plan, task, columns[i], KR_REACH_WHOLE);
    for (int i = 0; i < order_count; i++)
        kr_task_edge(plan, task, orders[i], KR_REACH_WHOLE);
    return task;
}

/* ---- row generators */

static kr_task *part_child(kr_plan *plan, kr_task *task, kr_task *child)
{
    kr_task_edge(plan, task, child, KR_REACH_WHOLE);
    return child;
}

static kr_column_def *named(const kr_sheet *sheet, const char *name)
{
    kr_column_def *def = kr_sheet_column(sheet, name);
    KR_ASSERT(def); /* the checker has resolved it */
    return def;
}

static bool holds_hops(const kr_expr *e)
{
    bool found = e->kind == KR_X_HOPS;
    for (int i = 0; i < e->arg_count && !found; i++)
        found = e->args[i] && holds_hops(e->args[i]);
    return found;
}

/* A comparison of HOPS between columns of a and of b: true only where there is a path. */
static const kr_expr *way_of(const kr_expr *e)
{
    enum { FROM, START, TO, END, LEAST, BY, ARGS };
    static const int frames[ARGS] = { 1, 1, 2, 2, 0, 2 };
    bool compares = e->kind == KR_X_CALL && e->arg_count == 2 && strchr("<>=", e->fn->name[0]);
    for (int side = 0; side < 2 && compares; side++) {
        const kr_expr *x = e->args[side];
        bool fits = x->kind == KR_X_HOPS && x->edges[0].match_count == 0;
        for (int i = 0; i < ARGS && fits; i++)
            fits = kr_expr_frames(x->args[i]) == frames[i];
        if (fits)
            return x;
    }
    return NULL;
}

static struct kr_plan_way *plan_way(kr_plan *plan, kr_task *task, kr_rowset *a, kr_rowset *b, const kr_expr *hops)
{
    struct kr_plan_way *way = KR_NEW(plan->arena, struct kr_plan_way);
    way->graph = part_child(plan, task, kr_hops_task(plan, hops));
    way->from = part_child(plan, task, kr_expr_task(plan, a, hops->args[0]));
    way->start = part_child(plan, task, kr_expr_task(plan, a, hops->args[1]));
    way->to = part_child(plan, task, kr_expr_task(plan, b, kr_expr_to_own(plan->arena, hops->args[2])));
    way->end = part_child(plan, task, kr_expr_task(plan, b, kr_expr_to_own(plan->arena, hops->args[3])));
    way->by = part_child(plan, task, kr_expr_task(plan, b, kr_expr_to_own(plan->arena, hops->args[5])));
    return way;
}

static kr_plan_join *plan_join_where(kr_plan *plan, kr_task *task, kr_rowset *a, kr_rowset *b, const kr_expr *where)
{
    enum { MOST = 64 };
    kr_plan_join *join = KR_NEW(plan->arena, kr_plan_join);
    const kr_expr *part[MOST];
    int n = where ? kr_expr_conjuncts(where, part, MOST) : 0;
    if (where && n == 0)
        part[n++] = where; /* more than are worth taking apart */
    join->a = KR_NEW_ARRAY(plan->arena, kr_task *, n + 1);
    join->b = KR_NEW_ARRAY(plan->arena, kr_task *, n + 1);
    join->bounds = KR_NEW_ARRAY(plan->arena, kr_plan_bound, n + 1);
    join->rest = KR_NEW_ARRAY(plan->arena, kr_program *, n + 1);
    kr_column_def *range = NULL;
    for (int slow = 0; slow < 2; slow++)
        for (int i = 0; i < n; i++) {
            int frames = kr_expr_frames(part[i]);
            kr_column_def *column;
            kr_plan_bound bound = { 0 };
            const kr_expr *value;
            if (holds_hops(part[i]) != (slow == 1))
                continue;
            if (frames == 1) {
                join->a[join->a_count++] = part_child(plan, task, kr_expr_task(plan, a, part[i]));
            } else if (frames == 2) {
                join->b[join->b_count++] = part_child(plan, task, kr_expr_task(plan, b, kr_expr_to_own(plan->arena, part[i])));
            } else if ((value = kr_expr_bound(part[i], &column, &bound.low, &bound.open)) && (!range || column == range)) {
                range = column;
                bound.value = part_child(plan, task, kr_expr_task(plan, a, value));
                join->bounds[join->bound_count++] = bound;
            } else {
                if (!join->way && way_of(part[i]))
                    join->way = plan_way(plan, task, a, b, way_of(part[i]));
                join->rest[join->rest_count++] = kr_compile(plan, task, a, b, KR_REACH_WHOLE, part[i]);
            }
        }
    if (range)
        join->range = part_child(plan, task, kr_column_task(plan, b, range));
    return join;
}

static void plan_join(kr_plan *plan, kr_task *task, const kr_rows *rows)
{
    kr_rowset *a = kr_rowset_of(plan, rows->sheet), *b = kr_rowset_of(plan, rows->sheet_b);
    kr_column_def **far = KR_NEW_ARRAY(plan->arena, kr_column_def *, rows->on_count + 1);
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, rows->on_count + 1);
    for (int i = 0; i < rows->on_count; i++) {
        far[i] = named(rows->sheet_b, rows->on[i]);
        task->columns[i] = part_child(plan, task, kr_column_task(plan, a, named(rows->sheet, rows->on[i])));
    }
    task->column_count = rows->on_count;
    task->rowset = a;
    part_child(plan, task, a->rows);
    part_child(plan, task, b->rows);
    task->index = kr_index_task(plan, b, far, rows->on_count);
    kr_probe_edge(plan, task, task->index, KR_REACH_WHOLE);
    task->join = plan_join_where(plan, task, a, b, rows->where.expr);
    task->series_pairs = KR_NEW_ARRAY(plan->arena, kr_program *, rows->column_count + 1);
    for (int i = 0; i < rows->column_count; i++)
        task->series_pairs[i] = kr_compile(plan, task, a, b, KR_REACH_WHOLE, rows->key[i].expr);
}

static void plan_fold(kr_plan *plan, kr_task *task, const kr_rows *rows)
{
    const kr_fold *fold = rows->fold;
    const kr_sheet *over = rows->sheet;
    kr_rowset *rowset = kr_rowset_of(plan, over);
    kr_column_def **per = KR_NEW_ARRAY(plan->arena, kr_column_def *, fold->per_count + 1);
    kr_column_def **order = KR_NEW_ARRAY(plan->arena, kr_column_def *, fold->order_count + over->order_n + 1);
    int order_count = 0;
    for (int i = 0; i < fold->per_count; i++)
        per[i] = named(over, fold->per[i]);
    for (int i = 0; i < fold->order_count; i++)
        order[order_count++] = named(over, fold->order[i]);
    for (int i = 0; fold->order_count == 0 && i < over->order_n; i++)
        order[order_count++] = over->order[i];
    task->rowset = rowset;
    task->seq = part_child(plan, task, kr_seq_task(plan, rowset, per, fold->per_count, order, order_count));
    task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, over->column_count + 1);
    for (int i = 0; i < over->column_count; i++) { /* only what the step looks at: rows of a fold may feed the sheet's other columns */
        bool reads = kr_fold_reads(fold, over->columns[i]->name);
        for (int k = 0; k < over->key_count; k++)
            reads |= over->keys[k] == over->columns[i]; /* for messages */
        task->columns[task->column_count++] = reads ? part_child(plan, task, kr_column_task(plan, rowset, over->columns[i])) : NULL;
    }
    if (fold->where.expr)
        task->where = part_child(plan, task, kr_expr_task(plan, rowset, fold->where.expr));
}

kr_task *kr_part_task(kr_plan *plan, const kr_rows *rows, const kr_sheet *into)
{
    kr_task *task = kr_task_new(plan, KR_TASK_PART, NULL);
    task->rows = rows;
    task->into = into;
    kr_plan_limit(plan, rows->span, rows->kind == KR_ROWS_FOLD ? into->column_count : rows->column_count, KR_MOST_COLUMNS, "are given by these rows");
    switch (rows->kind) {
    case KR_ROWS_CROSS:
    case KR_ROWS_UNION:
        task->parts = KR_NEW_ARRAY(plan->arena, kr_task *, rows->part_count + 1);
        for (int i = 0; i < rows->part_count; i++)
            task->parts[task->part_count++] = part_child(plan, task, kr_part_task(plan, rows->parts[i], into));
        break;
    case KR_ROWS_COLUMN:
    case KR_ROWS_DISTINCT:
        task->rowset = kr_rowset_of(plan, rows->sheet);
        part_child(plan, task, task->rowset->rows);
        task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, rows->column_count + 1);
        for (int i = 0; i < rows->column_count; i++)
            task->columns[task->column_count++] = part_child(plan, task, kr_column_task(plan, task->rowset, named(rows->sheet, rows->from[i])));
        if (rows->where.expr)
            task->where = part_child(plan, task, kr_expr_task(plan, task->rowset, rows->where.expr));
        break;
    case KR_ROWS_DAYS:
        KR_ASSERT(plan->days); /* the checker refuses rows of days where the header has none */
        part_child(plan, task, plan->days);
        break;
    case KR_ROWS_RANGE:
        task->columns = KR_NEW_ARRAY(plan->arena, kr_task *, 2);
        task->columns[task->column_count++] = part_child(plan, task, kr_expr_task(plan, plan->book, rows->low.expr));
        task->columns[task->column_count++] = part_child(plan, task, kr_expr_task(plan, plan->book, rows->high.expr));
        break;
    case KR_ROWS_JOIN:
        plan_join(plan, task, rows);
        break;
    case KR_ROWS_FOLD:
        plan_fold(plan, task, rows);
        break;
    case KR_ROWS_DATA: /* a table is a sheet's rows, never a part */
        kr_assert_failed("a table as a part of rows", __FILE__, __LINE__);
    }
    return task;
}

/* ---- the whole model */

static void plan_days(kr_plan *plan)
{
    const kr_model *model = plan->model;
    plan->days = kr_task_new(plan, KR_TASK_DAYS, plan->book);
    plan->days->columns = KR_NEW_ARRAY(plan->arena, kr_task *, 2);
    plan->days->columns[0] = model->days_from.expr ? kr_expr_task(plan, plan->book, model->days_from.expr) : NULL;
    plan->days->columns[1] = model->days_to.expr ? kr_expr_task(plan, plan->book, model->days_to.expr) : NULL;
    for (int i = 0; i < 2; i++)
        kr_task_edge(plan, plan->days, plan->days->columns[i], KR_REACH_WHOLE);
}

static void add_output(kr_plan *plan, kr_task *task)
{
    KR_PUSH(plan->arena, plan->outputs, plan->output_count, plan->output_capacity) = task;
}

static void plan_outputs(kr_plan *plan)
{
    kr_model *model = plan->model;
    for (int k = 0; k < model->output_count; k++) {
        kr_sheet *sheet = model->outputs[k];
        kr_rowset *rowset = kr_rowset_of(plan, sheet);
        const struct kr_output_columns *chosen = model->output_columns ? &model->output_columns[k] : NULL;
        for (int i = 0; i < sheet->key_count; i++)
            add_output(plan, kr_column_task(plan, rowset, sheet->keys[i]));
        for (int i = 0; i < sheet->column_count; i++) {
            kr_column_def *def = sheet->columns[i];
            bool wanted = !chosen || chosen->count == 0 ? !def->hidden : false;
            for (int j = 0; chosen && j < chosen->count; j++)
                wanted |= strcmp(chosen->names[j], def->name) == 0;
            if (wanted)
                add_output(plan, kr_column_task(plan, rowset, def));
        }
        add_output(plan, rowset->rows);
    }
}

static kr_plan *plan_start(kr_model *model, kr_arena *arena, kr_diags *diags)
{
    kr_plan *plan = KR_NEW(arena, kr_plan);
    plan->model = model;
    plan->arena = arena;
    plan->diags = diags;
    plan->book = rowset_new(plan, NULL, false, "(book)");
    generated(plan, plan->book);
    if (model->has_days)
        plan_days(plan);
    return plan;
}

kr_plan *kr_plan_new(kr_model *model, kr_diags *diags)
{
    kr_plan *plan = plan_start(model, model->arena, diags);
    for (int i = 0; i < model->sheet_count; i++) {
        kr_rowset *rowset = kr_rowset_of(plan, model->sheets[i]);
        for (int j = 0; j < model->sheets[i]->column_count; j++)
            kr_column_task(plan, rowset, model->sheets[i]->columns[j]);
    }
    plan->asserts = KR_NEW_ARRAY(plan->arena, kr_task *, model->assert_count + 1);
    for (int i = 0; i < model->assert_count; i++)
        plan->asserts[i] = kr_expr_task(plan, kr_rowset_of(plan, model->asserts[i].sheet), model->asserts[i].formula.expr);
    plan_outputs(plan);
    bool good = !plan->failed && kr_graph_order(plan);
    plan->diags = NULL;
    return good ? plan : NULL;
}

kr_plan *kr_plan_formula(kr_model *model, kr_arena *arena, const kr_sheet *sheet, const kr_expr *expr, kr_diags *diags)
{
    kr_plan *plan = plan_start(model, arena, diags);
    plan->extra = kr_expr_task(plan, sheet ? kr_rowset_of(plan, sheet) : plan->book, expr);
    bool good = !plan->failed && kr_graph_order(plan);
    plan->diags = NULL;
    return good ? plan : NULL;
}
