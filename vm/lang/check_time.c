/* check_time.c: formulas as a graph of columns and row sets: which columns are state, whether a sheet's rows depend on themselves, and
 * whether what is published reaches ahead without bound. Cycles between columns are the engine's. */
#include "vm/lang/check_internal.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ walking a formula */

void kr_expr_each(const kr_expr *expr, void (*visit)(void *context, const kr_expr *kid), void *context)
{
    for (int i = 0; i < expr->arg_count; i++)
        if (expr->args[i])
            visit(context, expr->args[i]);
    if (expr->count)
        visit(context, expr->count);
    for (int i = 0; i < expr->match_count; i++)
        visit(context, expr->match[i].near);
    if (expr->where)
        visit(context, expr->where);
    for (int i = 0; i < expr->edges_count; i++) {
        for (int k = 0; k < expr->edges[i].match_count; k++)
            visit(context, expr->edges[i].match[k].near);
        if (expr->edges[i].where)
            visit(context, expr->edges[i].where);
    }
}

static void refs_of(void *context, const kr_expr *e)
{
    const kr_refs *r = context;
    if (e->kind == KR_X_COLUMN || e->kind == KR_X_LOOKUP)
        r->column(r->context, e->column, e);
    if (e->sheet)
        r->rows(r->context, e->sheet, e);
    for (int i = 0; i < e->match_count; i++)
        r->column(r->context, e->match[i].far, e);
    if (e->order)
        r->column(r->context, e->order, e);
    for (int i = 0; i < e->by_count; i++)
        r->column(r->context, e->by[i], e);
    for (int i = 0; i < e->edges_count; i++) {
        const kr_edges *edges = &e->edges[i];
        r->rows(r->context, edges->sheet, e);
        r->column(r->context, edges->a, e);
        r->column(r->context, edges->b, e);
        if (edges->time)
            r->column(r->context, edges->time, e);
        if (edges->barred)
            r->column(r->context, edges->barred, e);
        for (int k = 0; k < edges->match_count; k++)
            r->column(r->context, edges->match[k].far, e);
    }
    kr_expr_each(e, refs_of, context);
}

void kr_expr_refs(const kr_expr *expr, const kr_refs *refs)
{
    kr_refs copy = *refs;
    refs_of(&copy, expr);
}

static void no_rows(void *context, kr_sheet *sheet, const kr_expr *via)
{
    (void)context, (void)sheet, (void)via;
}

/* ------------------------------------------------------------------------------------------------ state */

static void mark_state(void *context, kr_column_def *column, const kr_expr *via)
{
    (void)via;
    if (column->sheet == context && !column->input)
        column->is_state = true;
}

/* What a window or PREV reads is this sheet's own columns, wherever they stand in its value. */
static void find_state(void *context, const kr_expr *e)
{
    if (e->kind == KR_X_PREV)
        kr_expr_refs(e->args[0], &(kr_refs){ mark_state, no_rows, e->sheet });
    else if (e->kind == KR_X_RUN && e->arg_count > 0)
        kr_expr_refs(e->args[0], &(kr_refs){ mark_state, no_rows, e->sheet });
    else if (e->kind == KR_X_WINDOW)
        for (int i = 0; i < e->series_count; i++)
            kr_expr_refs(e->args[i], &(kr_refs){ mark_state, no_rows, e->sheet });
    kr_expr_each(e, find_state, context);
}

/* ------------------------------------------------------------------------------------------------ rows that depend on themselves */

/* Nodes: row sets first, then all columns. */
typedef struct graph {
    kr_checker *c;
    const kr_model *model;
    int *base;          /* first node of each sheet's columns */
    int count;
    int *from;          /* -1: not reached; else the node it was reached from (itself: the start) */
    int *queue, queued;
    int at;             /* whose edges are being followed */
    kr_sheet *skip_own; /* the `where` of a sheet reads its own row before there are rows: no edge */
} graph;

static void reach(graph *g, int node)
{
    if (g->from[node] >= 0)
        return;
    g->from[node] = g->at;
    g->queue[g->queued++] = node;
}

static int column_node(const graph *g, const kr_column_def *column) { return g->base[column->sheet->index] + column->index; }

static void reach_column(void *context, kr_column_def *column, const kr_expr *via)
{
    graph *g = context;
    if (column->sheet != g->skip_own || via->kind != KR_X_COLUMN)
        reach(g, column_node(g, column));
}

static void reach_rows(void *context, kr_sheet *sheet, const kr_expr *via)
{
    graph *g = context;
    (void)via;
    reach(g, sheet->index);
}

static void reach_formula(graph *g, const kr_formula *formula)
{
    if (formula->expr)
        kr_expr_refs(formula->expr, &(kr_refs){ reach_column, reach_rows, g });
}

static void reach_row_source(graph *g, const kr_rows *rows)
{
    for (int i = 0; i < rows->part_count; i++)
        reach_row_source(g, rows->parts[i]);
    if (rows->sheet)
        reach(g, rows->sheet->index);
    if (rows->sheet_b)
        reach(g, rows->sheet_b->index);
    bool named = rows->kind == KR_ROWS_COLUMN || rows->kind == KR_ROWS_DISTINCT;
    for (int i = 0; named && i < rows->column_count; i++)
        reach(g, column_node(g, kr_sheet_column(rows->sheet, rows->from[i])));
    for (int i = 0; i < rows->on_count; i++) {
        reach(g, column_node(g, kr_sheet_column(rows->sheet, rows->on[i])));
        reach(g, column_node(g, kr_sheet_column(rows->sheet_b, rows->on[i])));
    }
    reach_formula(g, &rows->where);
    for (int i = 0; rows->kind == KR_ROWS_JOIN && i < rows->column_count; i++)
        reach_formula(g, &rows->key[i]);
    if (rows->fold) {
        reach_formula(g, &rows->fold->where);
        for (int i = 0; i < rows->fold->per_count; i++)
            reach(g, column_node(g, kr_sheet_column(rows->sheet, rows->fold->per[i])));
        for (int i = 0; i < rows->fold->order_count; i++)
            reach(g, column_node(g, kr_sheet_column(rows->sheet, rows->fold->order[i])));
    }
}

static void follow(graph *g, int node)
{
    g->at = node;
    if (node < g->model->sheet_count) {
        kr_sheet *sheet = g->model->sheets[node];
        reach_row_source(g, sheet->rows);
        g->skip_own = sheet;
        reach_formula(g, &sheet->where);
        g->skip_own = NULL;
        return;
    }
    int s = 0;
    while (s + 1 < g->model->sheet_count && g->base[s + 1] <= node)
        s++;
    reach(g, s);
    reach_formula(g, &g->model->sheets[s]->columns[node - g->base[s]]->formula);
}

static char *node_name(const graph *g, int node)
{
    if (node < g->model->sheet_count)
        return kr_arena_printf(g->c->arena, "rows of `%s`", g->model->sheets[node]->name);
    int s = 0;
    while (s + 1 < g->model->sheet_count && g->base[s + 1] <= node)
        s++;
    return kr_arena_printf(g->c->arena, "`%s.%s`", g->model->sheets[s]->name, g->model->sheets[s]->columns[node - g->base[s]]->name);
}

/* Does anything the rows of this sheet depend on come back to them? */
static void check_rows_of(graph *g, int start)
{
    for (int i = 0; i < g->count; i++)
        g->from[i] = -1;
    g->queued = 0;
    follow(g, start);
    for (int i = 0; i < g->queued && g->from[start] < 0; i++)
        follow(g, g->queue[i]);
    if (g->from[start] < 0)
        return;
    char *path = node_name(g, start);
    for (int node = g->from[start], steps = 0; node != start && steps < g->count; node = g->from[node], steps++)
        path = kr_arena_printf(g->c->arena, "%s → %s", node_name(g, node), path);
    const kr_sheet *sheet = g->model->sheets[start];
    kr_diag *d = kr_check_error_span(g->c, KR_E_ROW_CYCLE, sheet->rows->span.source ? sheet->rows->span : sheet->span,
                                     "which rows sheet `%s` has depends on its own rows", sheet->name);
    kr_diag_note(g->c->diags, d, "%s → %s", node_name(g, start), path);
    kr_check_help(g->c, d, "take the rows from sheets that are there before, and leave some out with a column and WHERE");
}

static void check_row_sets(kr_checker *c)
{
    graph g = { .c = c, .model = c->model };
    g.base = KR_NEW_ARRAY(c->arena, int, c->model->sheet_count + 1);
    g.count = c->model->sheet_count;
    for (int s = 0; s < c->model->sheet_count; s++) {
        g.base[s] = g.count;
        g.count += c->model->sheets[s]->column_count;
    }
    g.from = KR_NEW_ARRAY(c->arena, int, g.count);
    g.queue = KR_NEW_ARRAY(c->arena, int, g.count);
    int before = c->errors;
    for (int s = 0; s < c->model->sheet_count && c->errors == before; s++)
        check_rows_of(&g, s);
}

/* ------------------------------------------------------------------------------------------------ `where` of a sheet */

typedef struct where_walk {
    kr_checker *c;
    kr_sheet *sheet;
    bool local;   /* only columns of this row, whole formula */
    int depth;
} where_walk;

static bool row_local(const kr_column_def *column, int depth);

static void local_part(void *context, const kr_expr *e)
{
    where_walk *w = context;
    if (e->kind == KR_X_COLUMN)
        w->local &= e->frame == 0 && row_local(e->column, w->depth + 1);
    else
        w->local &= e->kind == KR_X_CONST || e->kind == KR_X_PARAM || e->kind == KR_X_CALL || e->kind == KR_X_USER || e->kind == KR_X_LIST || e->kind == KR_X_ROWLIST;
    if (w->local)
        kr_expr_each(e, local_part, w);
}

/* A column of input, or made of such in the same row. */
static bool row_local(const kr_column_def *column, int depth)
{
    if (column->input)
        return true;
    if (!column->formula.expr || depth > 64)
        return false;
    where_walk w = { .local = true, .depth = depth };
    local_part(&w, column->formula.expr);
    return w.local;
}

static void where_column(void *context, const kr_expr *e)
{
    where_walk *w = context;
    if (e->kind == KR_X_COLUMN && e->frame == 0 && e->column->sheet == w->sheet) {
        bool ok = kr_sheet_generated(w->sheet) ? kr_is_key(w->sheet, e->column->name) : row_local(e->column, 0);
        if (!ok && w->local) {
            w->local = false;
            kr_diag *d = kr_check_error(w->c, KR_E_ROWS, e->node, "`where` says which rows sheet `%s` has, and `%s` is known only once it has them", w->sheet->name, e->column->name);
            kr_check_help(w->c, d, kr_sheet_generated(w->sheet) ? "name its key columns, or other sheets by an aggregate or a lookup" : "name its input columns, or other sheets by an aggregate or a lookup");
        }
    }
    kr_expr_each(e, where_column, w);
}

static void check_wheres(kr_checker *c)
{
    for (int s = 0; s < c->model->sheet_count; s++) {
        where_walk w = { .c = c, .sheet = c->model->sheets[s], .local = true };
        if (w.sheet->where.expr)
            where_column(&w, w.sheet->where.expr);
    }
}

/* ------------------------------------------------------------------------------------------------ ahead without bound */

/* What a column stands on, as far as time goes. */
typedef enum standing {
    TIMELESS, /* inputs and what is made of inputs alone */
    DATED,    /* belongs to a day, and is known once that day's horizon has passed */
    WHOLE     /* of a sheet without a clock, made of all days */
} standing;

typedef struct horizon {
    kr_checker *c;
    unsigned char **seen; /* 0 not yet, 1 busy, 2 + standing */
    kr_column_def *own;   /* the column whose formula is walked */
    bool published;       /* walking what is published: report */
    standing found;       /* worst so far */
} horizon;

static standing stands(horizon *h, kr_column_def *column);

typedef struct stand_walk {
    horizon *h;
    kr_column_def *own;
    standing worst;
} stand_walk;

static void stand_column(void *context, kr_column_def *column, const kr_expr *via)
{
    stand_walk *w = context;
    (void)via;
    if (column == w->own)
        return;
    standing s = stands(w->h, column);
    /* A sheet without a clock that reads a dated sheet reads all of its days. */
    if (s == DATED && !w->own->sheet->clock && column->sheet != w->own->sheet)
        s = WHOLE;
    if (s > w->worst)
        w->worst = s;
}

static standing stands(horizon *h, kr_column_def *column)
{
    unsigned char *seen = &h->seen[column->sheet->index][column->index];
    if (*seen >= 2)
        return (standing)(*seen - 2);
    if (*seen == 1)
        return TIMELESS; /* a cycle: what else it stands on decides */
    bool generated = kr_sheet_generated(column->sheet);
    if (column->input || (generated && column->sheet->clock)) {
        standing s = generated && column->sheet->clock ? DATED : TIMELESS;
        *seen = (unsigned char)(2 + s);
        return s;
    }
    *seen = 1;
    stand_walk w = { h, column, TIMELESS };
    if (column->formula.expr)
        kr_expr_refs(column->formula.expr, &(kr_refs){ stand_column, no_rows, &w });
    *seen = (unsigned char)(2 + w.worst);
    return w.worst;
}

/* A column of T that is its clock, or its clock's day. */
static bool tells_time(const kr_column_def *column)
{
    const kr_column_def *clock = column->sheet->clock;
    if (!clock)
        return false;
    if (column == clock)
        return true;
    const kr_expr *e = column->formula.expr;
    return e && e->kind == KR_X_CALL && e->arg_count == 1 && strcmp(e->fn->name, "DAY") == 0 && e->args[0]->kind == KR_X_COLUMN && e->args[0]->frame == 0
        && e->args[0]->column == clock;
}

static bool is_clock_of(const kr_expr *e, int frame)
{
    if (e->kind == KR_X_CALL && e->arg_count == 1 && (strcmp(e->fn->name, "DAY") == 0 || strcmp(e->fn->name, "START") == 0 || strcmp(e->fn->name, "END") == 0))
        e = e->args[0];
    if (e->kind != KR_X_COLUMN || e->frame != frame)
        return false;
    /* What a fold emits as a time it has met on its way. */
    const kr_column_def *column = e->column;
    bool emitted = column->sheet->rows->kind == KR_ROWS_FOLD && column->input && (column->type == KR_T_TIME || column->type == KR_T_DAY);
    return emitted || tells_time(column);
}

/* Does a condition bound the ranging row's time from above? */
static bool where_bounds(const kr_expr *where, int frame)
{
    if (!where || where->kind != KR_X_CALL)
        return false;
    const char *name = where->fn->name;
    if (strcmp(name, "AND") == 0) {
        for (int i = 0; i < where->arg_count; i++)
            if (where_bounds(where->args[i], frame))
                return true;
        return false;
    }
    if (where->arg_count != 2)
        return false;
    bool left = is_clock_of(where->args[0], frame), right = is_clock_of(where->args[1], frame);
    if (left == right)
        return false;
    if (strcmp(name, "=") == 0)
        return true;
    return left ? name[0] == '<' && name[1] != '>' : name[0] == '>';
}

static bool match_bounds(const kr_match *match, int count)
{
    for (int i = 0; i < count; i++)
        if (tells_time(match[i].far))
            return true;
    return false;
}

typedef struct far_walk {
    horizon *h;
    kr_sheet *far;
    kr_column_def *dated; /* the first column of `far` that belongs to a day */
} far_walk;

static void far_column(far_walk *w, kr_column_def *column)
{
    if (!w->dated && column->sheet == w->far && stands(w->h, column) == DATED)
        w->dated = column;
}

static void far_part(void *context, const kr_expr *e)
{
    far_walk *w = context;
    if (e->kind == KR_X_COLUMN && e->frame == 1)
        far_column(w, e->column);
    kr_expr_each(e, far_part, w);
}

static void ahead(horizon *h, const kr_expr *e, const kr_column_def *to, const char *help)
{
    kr_diag *d = kr_check_error(h->c, KR_E_AHEAD, e->node, "`%s.%s` reaches ahead without bound: it reads `%s.%s` of every day", h->own->sheet->name, h->own->name,
                                to->sheet->name, to->name);
    kr_diag_note(h->c->diags, d, "a published day must be computable once its horizon has passed, and never move after");
    kr_check_help(h->c, d, "%s", help);
}

static void check_ahead(void *context, const kr_expr *e)
{
    horizon *h = context;
    far_walk w = { h, e->sheet, NULL };
    const char *by_clock = kr_arena_printf(h->c->arena, "add the day to BY, or bound it in WHERE: %s.%s <= …", e->sheet ? e->sheet->name : "", e->sheet && e->sheet->clock ? e->sheet->clock->name : "");
    switch (e->kind) {
    case KR_X_AGG:
    case KR_X_ARG:
    case KR_X_SEQUENCE:
        if (e->kind == KR_X_SEQUENCE && e->form != KR_FORM_FIRST)
            break; /* its bounds say how far */
        for (int i = 0; i < e->arg_count; i++)
            far_part(&w, e->args[i]);
        if (e->where)
            far_part(&w, e->where);
        for (int i = 0; i < e->match_count; i++)
            far_column(&w, e->match[i].far);
        if (w.dated && !match_bounds(e->match, e->match_count) && !where_bounds(e->where, 1))
            ahead(h, e, w.dated, by_clock);
        break;
    case KR_X_LOOKUP:
        far_column(&w, e->column);
        if (w.dated && e->sheet->clock && !match_bounds(e->match, e->match_count))
            ahead(h, e, w.dated, "match its day too");
        else if (!e->sheet->clock && stands(h, e->column) == WHOLE)
            ahead(h, e, e->column, "that column is made of all days");
        break;
    case KR_X_SHARE: {
        bool bounded = false;
        for (int i = 0; i < e->by_count; i++)
            bounded |= tells_time(e->by[i]);
        if (!bounded && stands(h, h->own) == DATED)
            ahead(h, e, h->own, "add the day to BY");
        break;
    }
    case KR_X_COMPONENT:
        for (int i = 0; i < e->edges_count; i++) {
            const kr_edges *edges = &e->edges[i];
            w.far = edges->sheet;
            w.dated = NULL;
            far_column(&w, edges->a);
            far_column(&w, edges->b);
            if (w.dated && !edges->time && !match_bounds(edges->match, edges->match_count)) {
                ahead(h, e, w.dated, "add the day to BY, or give the edges a time");
                break;
            }
        }
        break;
    default: break;
    }
    if ((e->kind == KR_X_AGG || e->kind == KR_X_ARG) && e->sheet && !e->sheet->clock) {
        far_walk all = { h, e->sheet, NULL };
        for (int i = 0; i < e->series_count && !all.dated; i++)
            if (e->args[i]->kind == KR_X_COLUMN && e->args[i]->frame == 1 && stands(h, e->args[i]->column) == WHOLE)
                ahead(h, e, e->args[i]->column, "that column is made of all days");
    }
    kr_expr_each(e, check_ahead, h);
}

static void check_horizon(kr_checker *c)
{
    const kr_model *m = c->model;
    if (!m->has_days)
        return;
    graph g = { .c = c, .model = m };
    g.base = KR_NEW_ARRAY(c->arena, int, m->sheet_count + 1);
    g.count = m->sheet_count;
    horizon h = { .c = c };
    h.seen = KR_NEW_ARRAY(c->arena, unsigned char *, m->sheet_count);
    for (int s = 0; s < m->sheet_count; s++) {
        g.base[s] = g.count;
        g.count += m->sheets[s]->column_count;
        h.seen[s] = KR_NEW_ARRAY(c->arena, unsigned char, m->sheets[s]->column_count);
    }
    g.from = KR_NEW_ARRAY(c->arena, int, g.count);
    g.queue = KR_NEW_ARRAY(c->arena, int, g.count);
    for (int i = 0; i < g.count; i++)
        g.from[i] = -1;
    for (int o = 0; o < m->output_count; o++) /* columns only: which rows there are is exempt */
        for (int i = 0; i < m->outputs[o]->column_count; i++)
            reach(&g, column_node(&g, m->outputs[o]->columns[i]));
    for (int i = 0; i < g.queued; i++)
        if (g.queue[i] >= m->sheet_count)
            follow(&g, g.queue[i]);
    for (int s = 0; s < m->sheet_count; s++)
        for (int i = 0; i < m->sheets[s]->column_count; i++) {
            kr_column_def *column = m->sheets[s]->columns[i];
            if (!m->sheets[s]->clock || !column->formula.expr || g.from[g.base[s] + i] < 0)
                continue;
            h.own = column;
            check_ahead(&h, column->formula.expr);
        }
}

void kr_time_check(kr_checker *c)
{
    const kr_model *m = c->model;
    for (int s = 0; s < m->sheet_count; s++)
        for (int i = 0; i < m->sheets[s]->column_count; i++)
            if (m->sheets[s]->columns[i]->formula.expr)
                find_state(NULL, m->sheets[s]->columns[i]->formula.expr);
    check_wheres(c);
    if (c->errors == 0)
        check_row_sets(c);
    if (c->errors == 0)
        check_horizon(c);
}
