/* graph.c: the order in which tasks run, and which cycles are legal.
 *
 * Tasks are split into strongly connected components (Tarjan 1972). A component of one task runs once. A cycle of one sheet that
 * closes only through PREV is stepped along the sheet's sequence; any other must have a clock on each of its sheets and close only
 * through references to earlier days, and is stepped day by day. What is left is reported with its path. */
#include "vm/engine/plan.h"

#include <string.h>

#define BIT(reach) (1u << (reach))
#define ALL_REACHES (BIT(KR_REACH_WHOLE + 1) - 1)
#define IN_DAY (BIT(KR_REACH_ROW) | BIT(KR_REACH_SAME) | BIT(KR_REACH_SEQ) | BIT(KR_REACH_WHOLE))
#define IN_STEP (ALL_REACHES & ~(BIT(KR_REACH_SEQ) | BIT(KR_REACH_SEQ_BACK)))

typedef struct search {
    kr_plan *plan;
    int *member;             /* per task: the set it belongs to */
    int set;                 /* the set searched */
    unsigned mask;           /* reaches followed */
    int *index, *low, next;
    kr_task **stack, **path; /* of Tarjan; from the root to the task at hand */
    int *edge;               /* per task of the path: its next edge */
    int top;
    kr_scc *found;
    int found_count;
    size_t found_capacity;
} search;

static bool follows(const search *s, const kr_edge *edge)
{
    return s->mask & BIT(edge->reach) && s->member[edge->to->id] == s->set;
}

static void found_component(search *s, const kr_task *t)
{
    kr_scc *scc = &KR_PUSH(s->plan->arena, s->found, s->found_count, s->found_capacity);
    memset(scc, 0, sizeof *scc);
    int from = s->top;
    while (s->stack[from - 1] != t)
        from--;
    from--;
    scc->task_count = s->top - from;
    scc->tasks = KR_NEW_ARRAY(s->plan->arena, kr_task *, scc->task_count);
    memcpy(scc->tasks, s->stack + from, sizeof *scc->tasks * (size_t)scc->task_count);
    for (int i = from; i < s->top; i++)
        s->index[s->stack[i]->id] = -1; /* done: out of the stack */
    s->top = from;
}

static void enter(search *s, kr_task *t, int *depth)
{
    s->index[t->id] = s->low[t->id] = ++s->next;
    s->stack[s->top++] = t;
    s->path[*depth] = t;
    s->edge[(*depth)++] = 0;
}

/* Depth first, with a stack of our own: chains of columns may be long. */
static void visit(search *s, kr_task *root)
{
    int depth = 0;
    enter(s, root, &depth);
    while (depth) {
        kr_task *t = s->path[depth - 1];
        if (s->edge[depth - 1] < t->edge_count) {
            const kr_edge *edge = &t->edges[s->edge[depth - 1]++];
            if (!follows(s, edge))
                continue;
            if (!s->index[edge->to->id])
                enter(s, edge->to, &depth);
            else if (s->index[edge->to->id] > 0 && s->low[edge->to->id] < s->low[t->id])
                s->low[t->id] = s->low[edge->to->id];
            continue;
        }
        depth--;
        if (depth && s->low[t->id] < s->low[s->path[depth - 1]->id])
            s->low[s->path[depth - 1]->id] = s->low[t->id];
        if (s->low[t->id] == s->index[t->id])
            found_component(s, t);
    }
}

/* Components of the tasks of a set, those that are read first. */
static kr_scc *components(kr_plan *plan, kr_task **tasks, int count, int *member, int set, unsigned mask, int *found)
{
    size_t n = (size_t)plan->task_count;
    search s = { .plan = plan, .member = member, .set = set, .mask = mask };
    s.index = kr_alloc(sizeof(int) * n);
    s.low = kr_alloc(sizeof(int) * n);
    s.stack = kr_alloc(sizeof *s.stack * (n + 1));
    s.path = kr_alloc(sizeof *s.path * (n + 1));
    s.edge = kr_alloc(sizeof *s.edge * (n + 1));
    for (int i = 0; i < count; i++)
        if (!s.index[tasks[i]->id])
            visit(&s, tasks[i]);
    kr_free(s.index);
    kr_free(s.low);
    kr_free(s.stack);
    kr_free(s.path);
    kr_free(s.edge);
    *found = s.found_count;
    return s.found;
}

static bool has_inner_edge(const kr_scc *scc, const int *member, int set, unsigned mask)
{
    for (int i = 0; i < scc->task_count; i++)
        for (int k = 0; k < scc->tasks[i]->edge_count; k++) {
            const kr_edge *e = &scc->tasks[i]->edges[k];
            if (member[e->to->id] == set && mask & BIT(e->reach))
                return true;
        }
    return false;
}

/* ---- reporting */

/* The shortest way from one task to another inside a set; path filled from `from` to `to`, its length returned. */
static int shortest(kr_plan *plan, kr_task *from, kr_task *to, const int *member, int set, unsigned mask, kr_task **path)
{
    int *back = kr_alloc(sizeof(int) * (size_t)plan->task_count), head = 0, tail = 0, length = 0;
    kr_task **queue = kr_alloc(sizeof *queue * ((size_t)plan->task_count + 1));
    for (int i = 0; i < plan->task_count; i++)
        back[i] = -1;
    queue[tail++] = from;
    bool found = false;
    while (head < tail && !found) {
        kr_task *t = queue[head++];
        for (int i = 0; i < t->edge_count && !found; i++) {
            kr_task *next = t->edges[i].to;
            if (member[next->id] != set || !(mask & BIT(t->edges[i].reach)) || (back[next->id] >= 0 && next != to))
                continue;
            if (back[next->id] < 0)
                back[next->id] = t->id;
            found = next == to;
            if (next != from)
                queue[tail++] = next;
        }
    }
    if (found) {
        kr_task *t = to;
        do {
            path[length++] = t;
            t = plan->tasks[back[t->id]];
        } while (t != from);
        path[length++] = from;
        for (int i = 0; i < length / 2; i++) {
            kr_task *swap = path[i];
            path[i] = path[length - 1 - i];
            path[length - 1 - i] = swap;
        }
    }
    kr_free(back);
    kr_free(queue);
    return length;
}

static bool is_named(const kr_task *t) { return t->def || (t->kind == KR_TASK_ROWS && t->rowset->sheet); }

static void report(kr_plan *plan, const kr_scc *scc, const int *member, int set, unsigned mask, const kr_edge *whole, kr_task *reader)
{
    kr_task **path = kr_alloc(sizeof *path * ((size_t)plan->task_count + 2));
    kr_task *start = reader;
    for (int i = 0; i < scc->task_count && !reader; i++)
        if (is_named(scc->tasks[i]) && (!start || scc->tasks[i]->id < start->id))
            start = scc->tasks[i];
    if (!start)
        start = scc->tasks[0];
    int n = 0;
    if (whole) { /* the way back from what is read to its reader, then on */
        n = whole->to == reader ? 0 : shortest(plan, whole->to, reader, member, set, ALL_REACHES, path + 1);
        path[0] = reader;
        if (!n)
            path[++n] = reader;
        n++;
    } else {
        n = shortest(plan, start, start, member, set, mask, path);
    }
    /* Turn the ring so that it begins at a named task, and name each once. */
    int first = 0;
    while (first < n && !is_named(path[first]))
        first++;
    char *text = "";
    kr_diag *diag = NULL;
    kr_span spans[8];
    int span_count = 0, ring = n > 1 ? n - 1 : 1;
    kr_task *last = NULL, *begin = NULL;
    for (int i = 0; i < ring; i++) {
        kr_task *t = path[(first + i) % ring];
        if (!is_named(t) || t == last)
            continue;
        text = kr_arena_printf(plan->arena, "%s%s`%s`", text, last ? " -> " : "", kr_task_label(plan->arena, t));
        last = t;
        begin = begin ? begin : t;
        if (t->def && span_count < 8)
            spans[span_count++] = t->def->span;
    }
    if (begin)
        text = kr_arena_printf(plan->arena, "%s -> `%s`", text, kr_task_label(plan->arena, begin));
    kr_span none = { 0 };
    diag = kr_diag_add(plan->diags, KR_E_CYCLE, span_count ? spans[0] : none, "columns read each other in a cycle: %s", text);
    for (int i = 1; i < span_count && i < 4; i++)
        if (spans[i].source != spans[0].source || spans[i].start != spans[0].start)
            kr_diag_window(plan->diags, diag, spans[i], NULL);
    if (whole && whole->to->kind != KR_TASK_ROWS)
        kr_diag_note(plan->diags, diag, "`%s` reads rows of any day of `%s`, not only earlier ones", kr_task_label(plan->arena, reader),
                     kr_task_label(plan->arena, whole->to));
    kr_diag_help(plan->diags, diag, "close the cycle through PREV, or through a window or LOOKUP of earlier rows");
    plan->failed = true;
    kr_free(path);
}

/* ---- cycles */

/* One sheet whose tasks read each other in the own row or earlier in the own sequence. */
static bool plan_sequence(kr_plan *plan, kr_scc *scc, int *member, int set)
{
    kr_rowset *rowset = scc->tasks[0]->rowset;
    if (!rowset || !rowset->sheet)
        return false;
    for (int i = 0; i < scc->task_count; i++) {
        kr_task *t = scc->tasks[i];
        if (t->rowset != rowset || (t->kind != KR_TASK_COLUMN && t->kind != KR_TASK_WINDOW && t->kind != KR_TASK_RUN))
            return false;
        for (int k = 0; k < t->edge_count; k++) {
            kr_reach reach = t->edges[k].reach;
            if (member[t->edges[k].to->id] == set && reach != KR_REACH_ROW && reach != KR_REACH_SEQ && reach != KR_REACH_SEQ_BACK)
                return false;
        }
    }
    if (has_inner_edge(scc, member, set, BIT(KR_REACH_ROW))) {
        int count, base = 4 * plan->task_count + set; /* no other set's number */
        for (int i = 0; i < scc->task_count; i++)
            member[scc->tasks[i]->id] = base;
        kr_scc *steps = components(plan, scc->tasks, scc->task_count, member, base, IN_STEP, &count);
        bool line = count == scc->task_count;
        for (int i = 0; i < count && line; i++) {
            for (int k = 0; k < steps[i].tasks[0]->edge_count; k++)
                line = line && !(steps[i].tasks[0]->edges[k].to == steps[i].tasks[0] && IN_STEP & BIT(steps[i].tasks[0]->edges[k].reach));
        }
        for (int i = 0; i < scc->task_count; i++)
            member[scc->tasks[i]->id] = set;
        if (!line)
            return false;
        for (int i = 0; i < count; i++)
            scc->tasks[i] = steps[i].tasks[0];
    }
    const kr_sheet *sheet = rowset->sheet;
    scc->step = KR_STEP_SEQUENCE;
    scc->seq = kr_seq_task(plan, rowset, sheet->per, sheet->per_n, sheet->order, sheet->order_n);
    kr_task_edge(plan, scc->tasks[0], scc->seq, KR_REACH_WHOLE); /* so that it is kept until then */
    return true;
}

static bool plan_days_cycle(kr_plan *plan, kr_scc *scc, int *member, int set, int *next_set)
{
    for (int i = 0; i < scc->task_count; i++) {
        kr_task *t = scc->tasks[i];
        for (int k = 0; k < t->edge_count; k++)
            if (member[t->edges[k].to->id] == set && t->edges[k].reach == KR_REACH_WHOLE) {
                report(plan, scc, member, set, ALL_REACHES, &t->edges[k], t);
                return false;
            }
        bool daily = t->kind != KR_TASK_INDEX; /* an index that fills day by day must know which day a group is of */
        for (int k = 0; k < t->column_count && !daily; k++)
            daily = t->columns[k]->def && kr_column_is_day(t->columns[k]->def);
        if (!daily || !t->rowset || !t->rowset->sheet || !t->rowset->sheet->clock || t->rowset->candidate) {
            report(plan, scc, member, set, ALL_REACHES, NULL, NULL);
            return false;
        }
    }
    scc->step = KR_STEP_DAYS;
    scc->inner = components(plan, scc->tasks, scc->task_count, member, set, IN_DAY, &scc->inner_count);
    for (int i = 0; i < scc->inner_count; i++) {
        kr_scc *inner = &scc->inner[i];
        int inner_set = ++*next_set;
        for (int k = 0; k < inner->task_count; k++)
            member[inner->tasks[k]->id] = inner_set;
    }
    for (int i = 0; i < scc->inner_count; i++) {
        kr_scc *inner = &scc->inner[i];
        int inner_set = member[inner->tasks[0]->id];
        if (!has_inner_edge(inner, member, inner_set, IN_DAY))
            continue;
        if (!plan_sequence(plan, inner, member, inner_set)) {
            report(plan, inner, member, inner_set, IN_DAY, NULL, NULL);
            return false;
        }
    }
    return true;
}

static void add_first(kr_plan *plan, kr_task *task)
{
    KR_PUSH(plan->arena, plan->first, plan->first_count, plan->first_capacity) = task;
}

bool kr_graph_order(kr_plan *plan)
{
    /* Clocks and keys come first: what is stepped by day and what is recorded reads them without an edge. */
    kr_plan_settle(plan);
    for (int i = 0; i < plan->rowset_count; i++) {
        kr_rowset *rowset = plan->rowsets[i];
        if (!rowset->sheet || !rowset->sheet->clock || rowset->candidate)
            continue;
        add_first(plan, kr_column_task(plan, rowset, rowset->sheet->clock));
        for (int k = 0; k < rowset->sheet->key_count; k++)
            add_first(plan, kr_column_task(plan, rowset, rowset->sheet->keys[k]));
        kr_plan_settle(plan);
    }
    if (plan->failed)
        return false;
    int count, n = plan->task_count, roots = 0;
    int *member = kr_alloc(sizeof(int) * ((size_t)n + 1));
    kr_task **order = kr_alloc(sizeof *order * ((size_t)n * 2 + (size_t)plan->model->assert_count + (size_t)plan->output_count + (size_t)plan->first_count + 1));
    for (int i = 0; i < plan->first_count; i++)
        order[roots++] = plan->first[i];
    for (int i = 0; i < plan->output_count; i++)
        order[roots++] = plan->outputs[i];
    for (int i = 0; plan->asserts && i < plan->model->assert_count; i++)
        order[roots++] = plan->asserts[i];
    for (int i = 0; i < n; i++)
        order[roots++] = plan->tasks[i];
    plan->sccs = components(plan, order, roots, member, 0, ALL_REACHES, &count);
    plan->scc_count = count;
    int next_set = 0;
    for (int i = 0; i < count; i++) {
        int set = ++next_set;
        for (int k = 0; k < plan->sccs[i].task_count; k++) {
            plan->sccs[i].tasks[k]->scc = i;
            member[plan->sccs[i].tasks[k]->id] = set;
        }
    }
    for (int i = 0; i < count; i++) {
        kr_scc *scc = &plan->sccs[i];
        int set = i + 1;
        scc->step = KR_STEP_ONCE;
        if (has_inner_edge(scc, member, set, ALL_REACHES) && !plan_sequence(plan, scc, member, set))
            plan_days_cycle(plan, scc, member, set, &next_set);
    }
    KR_ASSERT(plan->task_count == n || plan->failed); /* ordering makes no tasks */
    kr_free(member);
    kr_free(order);
    return !plan->failed;
}
