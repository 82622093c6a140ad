/* component.c: connected components of the texts that rows join, as of a time.
 *
 * Within the rows that agree on BY, edges are sorted by their time and queries by theirs; one union-find grows along both, so all
 * times together cost little more than one. A component's label is its smallest member. */
#include "vm/engine/exec.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int64_t when;              /* INT64_MIN: always there */
    uint32_t a, b;             /* nodes */
} edge;

typedef struct query {
    int64_t when;              /* INT64_MAX: all edges */
    uint32_t row, text;
} query;

typedef struct nodes {         /* text id -> node; open addressing */
    uint32_t *slot_text, *slot_node;
    size_t room, count;
    uint32_t *parent, *label;  /* per node; label of a root: its smallest member */
    size_t capacity;
} nodes;

typedef struct work {          /* of a thread */
    kr_run *run;
    const kr_task *task;
    edge *edges;
    size_t edge_count, edge_capacity;
    nodes nodes;
} work;

static size_t slot_of(const nodes *s, uint32_t text)
{
    size_t i = (text * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (s->room - 1);
    while (s->slot_node[i] != KR_NO_ROW && s->slot_text[i] != text)
        i = (i + 1) & (s->room - 1);
    return i;
}

static void rehash(nodes *s, size_t room)
{
    nodes old = *s;
    s->room = room;
    s->slot_text = kr_alloc(sizeof(uint32_t) * room);
    s->slot_node = kr_alloc(sizeof(uint32_t) * room);
    memset(s->slot_node, 0xff, sizeof(uint32_t) * room);
    for (size_t i = 0; i < old.room; i++)
        if (old.slot_node[i] != KR_NO_ROW) {
            size_t at = slot_of(s, old.slot_text[i]);
            s->slot_text[at] = old.slot_text[i];
            s->slot_node[at] = old.slot_node[i];
        }
    kr_free(old.slot_text);
    kr_free(old.slot_node);
}

static uint32_t node_of(nodes *s, uint32_t text)
{
    if (s->count * 2 >= s->room)
        rehash(s, s->room ? s->room * 2 : 64);
    size_t at = slot_of(s, text);
    if (s->slot_node[at] == KR_NO_ROW) {
        if (s->count == s->capacity) {
            s->capacity = s->capacity ? s->capacity * 2 : 64;
            s->parent = kr_realloc(s->parent, sizeof(uint32_t) * s->capacity);
            s->label = kr_realloc(s->label, sizeof(uint32_t) * s->capacity);
        }
        s->slot_text[at] = text;
        s->slot_node[at] = (uint32_t)s->count;
        s->parent[s->count] = (uint32_t)s->count;
        s->label[s->count++] = text;
    }
    return s->slot_node[at];
}

static uint32_t root(nodes *s, uint32_t node)
{
    while (s->parent[node] != node) {
        s->parent[node] = s->parent[s->parent[node]]; /* halves the path */
        node = s->parent[node];
    }
    return node;
}

static void join(const kr_pool *pool, nodes *s, uint32_t a, uint32_t b)
{
    a = root(s, a);
    b = root(s, b);
    if (a == b)
        return;
    if (kr_pool_cmp(pool, s->label[b], s->label[a]) < 0) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    s->parent[b] = a; /* under the one with the smaller label; halving keeps paths short enough */
}

static int compare_edges(const void *p, const void *q)
{
    const edge *a = p, *b = q;
    return (a->when > b->when) - (a->when < b->when);
}

static int compare_queries(const void *p, const void *q)
{
    const query *a = p, *b = q;
    return (a->when > b->when) - (a->when < b->when);
}

/* Edges of one EDGES for a group of own rows; an error in what counts is the result for all of them. */
static bool add_edges(work *w, const kr_plan_edges *e, uint32_t own_row, kr_cell *error)
{
    const kr_run *run = w->run;
    const kr_index *index = kr_state_of(run, e->index)->index;
    const kr_cell *near[KR_MOST_MATCH];
    kr_cell cells[KR_MOST_MATCH];
    for (int k = 0; k < w->task->column_count; k++) {
        cells[k] = kr_column_get(kr_cells_of(run, w->task->columns[k]), own_row);
        near[k] = &cells[k];
    }
    uint32_t g;
    kr_index_probe(index, near, 1, &g);
    if (kr_map_is_special(g))
        return true; /* errors in BY are treated before */
    bool timed = w->task->near_count > 1 && e->time;
    for (uint32_t i = index->start[g]; i < index->start[g + 1]; i++) {
        uint32_t row = index->rows[i];
        kr_cell condition = e->where ? kr_column_get(kr_cells_of(run, e->where), row) : kr_cell_of_bool(true);
        kr_cell ends[3] = { kr_column_get(kr_cells_of(run, e->a), row), kr_column_get(kr_cells_of(run, e->b), row),
                            e->time ? kr_column_get(kr_cells_of(run, e->time), row) : KR_BLANK };
        if (kr_is_error(condition)) {
            *error = condition;
            return false;
        }
        if (!kr_cell_is_true(condition))
            continue;
        if (kr_spread(ends, 3, error) && kr_is_error(*error))
            return false;
        if (kr_is_blank(ends[0]) || kr_is_blank(ends[1]) || (timed && kr_is_blank(ends[2])))
            continue;
        if (w->edge_count == w->edge_capacity) {
            w->edge_capacity = w->edge_capacity ? w->edge_capacity * 2 : 256;
            w->edges = kr_realloc(w->edges, sizeof *w->edges * w->edge_capacity);
        }
        w->edges[w->edge_count++] = (edge){ timed ? kr_cell_int(ends[2]) : INT64_MIN, node_of(&w->nodes, (uint32_t)ends[0].lo),
                                            node_of(&w->nodes, (uint32_t)ends[1].lo) };
    }
    return true;
}

static void group_labels(work *w, query *queries, size_t n, uint32_t own_row)
{
    kr_column *column = &kr_state_of(w->run, w->task)->column;
    kr_cell error = KR_BLANK;
    w->edge_count = 0;
    w->nodes.count = 0;
    if (w->nodes.room)
        memset(w->nodes.slot_node, 0xff, sizeof(uint32_t) * w->nodes.room);
    bool good = true;
    for (int i = 0; i < w->task->component_count && good; i++)
        good = add_edges(w, &w->task->component[i], own_row, &error);
    if (good) {
        if (w->edge_count)
            qsort(w->edges, w->edge_count, sizeof *w->edges, compare_edges);
        qsort(queries, n, sizeof *queries, compare_queries);
    }
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        if (!good) {
            kr_column_set(column, queries[i].row, error);
            continue;
        }
        for (; next < w->edge_count && w->edges[next].when < queries[i].when; next++)
            join(w->run->pool, &w->nodes, w->edges[next].a, w->edges[next].b);
        uint32_t label = queries[i].text;
        if (w->nodes.room) {
            size_t at = slot_of(&w->nodes, queries[i].text);
            if (w->nodes.slot_node[at] != KR_NO_ROW)
                label = w->nodes.label[root(&w->nodes, w->nodes.slot_node[at])];
        }
        kr_column_set(column, queries[i].row, kr_cell_of_int(label));
    }
}

typedef struct component_job {
    kr_run *run;
    kr_task *task;
    query *queries;            /* by group */
    size_t *start;             /* per group in the list */
    size_t group_count, per_item;
} component_job;

static void component_item(void *context, int thread, size_t item)
{
    const component_job *job = context;
    (void)thread;
    work w = { .run = job->run, .task = job->task };
    size_t from = item * job->per_item, to = from + job->per_item < job->group_count ? from + job->per_item : job->group_count;
    for (; from < to; from++) {
        size_t n = job->start[from + 1] - job->start[from];
        if (n)
            group_labels(&w, job->queries + job->start[from], n, job->queries[job->start[from]].row);
    }
    kr_free(w.edges);
    kr_free(w.nodes.slot_text);
    kr_free(w.nodes.slot_node);
    kr_free(w.nodes.parent);
    kr_free(w.nodes.label);
}

/* Node and time of each row, and what is decided without edges: specials, and rows whose BY holds a blank. */
typedef struct asked {
    uint32_t *text;
    int64_t *when;
    bool *open;
    const uint32_t *rows;
} asked;

static void ask_chunk(const kr_chunk *c)
{
    const kr_task *task = c->task;
    asked *a = c->context;
    kr_state *state = kr_state_of(c->run, task);
    const kr_index *index = kr_state_of(c->run, task->index)->index;
    for (size_t i = 0; i < c->n; i++) {
        size_t place = c->rows ? (size_t)(c->rows - a->rows) + i : c->start + i;
        uint32_t row = kr_chunk_row(c, i);
        kr_cell args[2] = { c->in[0][i], task->near_count > 1 ? c->in[1][i] : KR_NUM_ZERO }, special;
        a->open[place] = false;
        if (kr_spread(args, 2, &special)) {
            kr_column_set(&state->column, row, special);
            continue;
        }
        if (index->group_of[row] == KR_NO_ROW) {
            special = args[0];
            for (int k = task->column_count; k-- > 0;) {
                kr_cell by = kr_column_get(kr_cells_of(c->run, task->columns[k]), row);
                special = kr_is_error(by) ? by : special;
            }
            kr_column_set(&state->column, row, special);
            continue;
        }
        a->open[place] = true;
        a->text[place] = (uint32_t)args[0].lo;
        a->when[place] = task->near_count > 1 ? kr_cell_int(args[1]) : INT64_MAX;
    }
}

void kr_component_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    const kr_index *index = kr_state_of(run, task->index)->index;
    asked a = { kr_alloc(sizeof(uint32_t) * (n + 1)), kr_alloc(sizeof(int64_t) * (n + 1)), kr_alloc(n + 1), rows };
    kr_each_chunk(run, task, task->near, task->near_count, rows, n, ask_chunk, &a);
    /* Queries by group: groups in the order of their first row here. */
    uint32_t *place = kr_alloc(sizeof *place * ((size_t)index->group_count + 1));
    size_t *start = kr_alloc(sizeof *start * (n + 2)), groups = 0;
    query *queries = kr_alloc(sizeof *queries * (n + 1));
    memset(place, 0xff, sizeof *place * ((size_t)index->group_count + 1));
    for (size_t i = 0; i < n; i++) {
        uint32_t g = index->group_of[rows ? rows[i] : i];
        if (!a.open[i])
            continue;
        if (place[g] == KR_NO_ROW)
            place[g] = (uint32_t)groups++;
        start[place[g] + 2]++;
    }
    for (size_t g = 0; g < groups; g++)
        start[g + 2] += start[g + 1];
    for (size_t i = 0; i < n; i++) {
        uint32_t row = rows ? rows[i] : (uint32_t)i;
        if (a.open[i])
            queries[start[place[index->group_of[row]] + 1]++] = (query){ a.when[i], row, a.text[i] };
    }
    component_job job = { run, task, queries, start, groups, groups / ((size_t)kr_workers_count(run->workers) * 4) + 1 };
    kr_workers_run(run->workers, (groups + job.per_item - 1) / job.per_item, component_item, &job);
    kr_free(a.text);
    kr_free(a.when);
    kr_free(a.open);
    kr_free(place);
    kr_free(start);
    kr_free(queries);
}
