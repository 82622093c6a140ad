/* hops.c: the fewest edges of a path whose times never go back, for HOPS.
 *
 * The graph of one HOPS is built once: for each node its edges in order of time. A search from one node and time goes level by level;
 * a node is gone on from again only where it is reached earlier than with fewer edges, and then only along the edges that this adds.
 * What it finds for every node reached is a short list of (edges, arrival), so that all questions with one beginning share a search.
 *
 * A walk through neither of its ends holds a path at least as short and as early, so that no node needs remembering. Of at least
 * two edges, a walk could still use its end as the first node between; such ends are searched for by themselves, without it. */
#include "vm/engine/exec.h"

#include <stdlib.h>
#include <string.h>

enum { FROM, START, TO, END, LEAST, BY, ARGS }; /* the arguments of HOPS; those of BY follow */
enum { MOST_BY = 8 };

typedef struct arc {
    int64_t when, barred;      /* barred: INT64_MAX: never */
    uint32_t from, to;
} arc;

struct kr_hops {
    int by_count;
    kr_cell *group_key;        /* by_count a group */
    kr_cell *group_error;      /* per group: blank, or what spreads to all that ask in it */
    uint32_t *group_slot;      /* open addressing: group, or KR_NO_ROW */
    size_t group_count, group_room, group_capacity;
    uint64_t *slot_key;        /* (group, text) */
    uint32_t *slot_node;
    size_t node_count, node_room;
    uint32_t *node_text;       /* per node */
    size_t text_room;
    size_t *start;             /* per node: its arcs */
    arc *arcs;
    size_t arc_count, arc_capacity;
};

/* ---- groups and nodes */

static uint64_t mix(uint64_t h) { return (h ^ h >> 31) * UINT64_C(0x9e3779b97f4a7c15); }

static size_t group_place(const kr_hops *g, const kr_cell *key)
{
    uint64_t h = 1;
    for (int k = 0; k < g->by_count; k++)
        h = mix(h ^ key[k].lo ^ (uint64_t)key[k].hi << 7);
    size_t i = (h >> 20) & (g->group_room - 1);
    for (;; i = (i + 1) & (g->group_room - 1)) {
        uint32_t at = g->group_slot[i];
        if (at == KR_NO_ROW || g->by_count == 0 || memcmp(g->group_key + (size_t)at * (size_t)g->by_count, key, sizeof *key * (size_t)g->by_count) == 0)
            return i;
    }
}

static uint32_t group_of(const kr_hops *g, const kr_cell *key) { return g->group_room ? g->group_slot[group_place(g, key)] : KR_NO_ROW; }

static uint32_t group_made(kr_hops *g, const kr_cell *key)
{
    if (g->group_count * 2 >= g->group_room) {
        g->group_room = g->group_room ? g->group_room * 2 : 16;
        g->group_slot = kr_realloc(g->group_slot, sizeof *g->group_slot * g->group_room);
        memset(g->group_slot, 0xff, sizeof *g->group_slot * g->group_room);
        for (size_t i = 0; i < g->group_count; i++)
            g->group_slot[group_place(g, g->group_key + i * (size_t)g->by_count)] = (uint32_t)i;
    }
    size_t place = group_place(g, key);
    if (g->group_slot[place] == KR_NO_ROW) {
        if (g->group_count == g->group_capacity) {
            g->group_capacity = g->group_capacity ? g->group_capacity * 2 : 16;
            g->group_key = kr_realloc(g->group_key, sizeof *key * (g->group_capacity * (size_t)g->by_count + 1));
            g->group_error = kr_realloc(g->group_error, sizeof *key * g->group_capacity);
        }
        if (g->by_count)
            memcpy(g->group_key + g->group_count * (size_t)g->by_count, key, sizeof *key * (size_t)g->by_count);
        g->group_error[g->group_count] = KR_BLANK;
        g->group_slot[place] = (uint32_t)g->group_count++;
    }
    return g->group_slot[place];
}

static size_t node_place(const kr_hops *g, uint64_t key)
{
    size_t i = (mix(key) >> 20) & (g->node_room - 1);
    while (g->slot_node[i] != KR_NO_ROW && g->slot_key[i] != key)
        i = (i + 1) & (g->node_room - 1);
    return i;
}

static uint64_t node_key(uint32_t group, kr_cell text) { return (uint64_t)group << 32 | (uint32_t)text.lo; }

static uint32_t node_of(const kr_hops *g, uint64_t key) { return g->node_room ? g->slot_node[node_place(g, key)] : KR_NO_ROW; }

static uint32_t node_made(kr_hops *g, uint64_t key)
{
    if (g->node_count * 2 >= g->node_room) {
        uint64_t *keys = g->slot_key;
        uint32_t *nodes = g->slot_node;
        size_t room = g->node_room;
        g->node_room = room ? room * 2 : 64;
        g->slot_key = kr_alloc(sizeof *g->slot_key * g->node_room);
        g->slot_node = kr_alloc(sizeof *g->slot_node * g->node_room);
        memset(g->slot_node, 0xff, sizeof *g->slot_node * g->node_room);
        for (size_t i = 0; i < room; i++)
            if (nodes[i] != KR_NO_ROW) {
                size_t at = node_place(g, keys[i]);
                g->slot_key[at] = keys[i];
                g->slot_node[at] = nodes[i];
            }
        kr_free(keys);
        kr_free(nodes);
    }
    size_t at = node_place(g, key);
    if (g->slot_node[at] == KR_NO_ROW) {
        g->slot_key[at] = key;
        if (g->node_count == g->text_room) {
            g->text_room = g->text_room ? g->text_room * 2 : 64;
            g->node_text = kr_realloc(g->node_text, sizeof *g->node_text * g->text_room);
        }
        g->node_text[g->node_count] = (uint32_t)key;
        g->slot_node[at] = (uint32_t)g->node_count++;
    }
    return g->slot_node[at];
}

/* ---- the graph */

static void add_rows(kr_run *run, kr_hops *g, const kr_plan_edges *e)
{
    const kr_column *by[MOST_BY];
    size_t n = kr_rows_of(run, e->a->rowset);
    for (int k = 0; k < g->by_count; k++)
        by[k] = kr_cells_of(run, e->by[k]);
    for (size_t row = 0; row < n; row++) {
        kr_cell key[MOST_BY], error;
        bool known = true;
        for (int k = 0; k < g->by_count; k++) {
            key[k] = kr_column_get(by[k], row);
            known &= !kr_is_special(key[k]);
        }
        if (!known)
            continue; /* agrees with nothing */
        kr_cell condition = e->where ? kr_column_get(kr_cells_of(run, e->where), row) : kr_cell_of_bool(true);
        if (!kr_cell_is_true(condition) && !kr_is_error(condition))
            continue;
        kr_cell cells[5] = { condition, kr_column_get(kr_cells_of(run, e->a), row), kr_column_get(kr_cells_of(run, e->b), row),
                             kr_column_get(kr_cells_of(run, e->time), row), e->barred ? kr_column_get(kr_cells_of(run, e->barred), row) : KR_BLANK };
        uint32_t group = group_made(g, key);
        if (kr_spread(cells, 5, &error) && kr_is_error(error)) {
            if (kr_is_blank(g->group_error[group]))
                g->group_error[group] = error;
            continue;
        }
        if (kr_is_blank(cells[1]) || kr_is_blank(cells[2]) || kr_is_blank(cells[3]))
            continue;
        if (g->arc_count == g->arc_capacity) {
            g->arc_capacity = g->arc_capacity ? g->arc_capacity * 2 : 256;
            g->arcs = kr_realloc(g->arcs, sizeof *g->arcs * g->arc_capacity);
        }
        uint32_t from = node_made(g, node_key(group, cells[1])), to = node_made(g, node_key(group, cells[2]));
        g->arcs[g->arc_count++] = (arc){ kr_cell_int(cells[3]), kr_is_blank(cells[4]) ? INT64_MAX : kr_cell_int(cells[4]), from, to };
    }
}

static int compare_arcs(const void *p, const void *q)
{
    const arc *a = p, *b = q;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->when > b->when) - (a->when < b->when); /* among equal times the order does not matter */
}

void kr_hops_run(kr_run *run, kr_task *task)
{
    kr_hops *g = kr_alloc(sizeof *g);
    g->by_count = task->component[0].by_count;
    KR_ASSERT(g->by_count <= MOST_BY); /* the plan's limit on a match */
    for (int i = 0; i < task->component_count; i++)
        add_rows(run, g, &task->component[i]);
    if (g->arc_count)
        qsort(g->arcs, g->arc_count, sizeof *g->arcs, compare_arcs);
    g->start = kr_alloc(sizeof *g->start * (g->node_count + 1));
    for (size_t i = 0, node = 0; node <= g->node_count; node++) {
        while (i < g->arc_count && g->arcs[i].from < node)
            i++;
        g->start[node] = i;
    }
    kr_state_of(run, task)->hops = g;
}

size_t kr_hops_bytes(const kr_hops *g)
{
    return g->arc_count * sizeof(arc) + g->node_count * sizeof(size_t) + g->node_room * (sizeof(uint64_t) + sizeof(uint32_t));
}

void kr_hops_free(kr_hops *g)
{
    if (!g)
        return;
    kr_free(g->group_key);
    kr_free(g->group_error);
    kr_free(g->group_slot);
    kr_free(g->slot_key);
    kr_free(g->slot_node);
    kr_free(g->node_text);
    kr_free(g->start);
    kr_free(g->arcs);
    kr_free(g);
}

/* ---- a search */

typedef struct found {         /* the node is reached with so many edges at this time; lists go from more edges to fewer */
    int64_t arrival;
    uint32_t hops, before;     /* before: the next in the list; KR_NO_ROW: none */
} found;

typedef struct place {         /* of a node in this search; valid when its stamp is the search's */
    uint32_t stamp, level;     /* level: that of the latest entry in the frontier */
    int64_t best, old;         /* earliest arrival to go on from; the one before this level */
    uint32_t list;             /* of found */
    bool direct;               /* one edge leads here, and on */
} place;

struct kr_hops_search {
    const kr_hops *g;
    place *places;
    uint32_t stamp;
    uint32_t *frontier[2];
    uint32_t *reached;         /* nodes with something found, then their texts for kr_hops_reach */
    size_t reached_count;
    uint32_t *texts;
    found *found;
    size_t found_count, found_capacity;
    bool *again;               /* per question of a run: its end needs a search of its own */
    size_t again_room;
    bool made;                 /* the last search, by its question */
    uint32_t from, without;
    int64_t start, end, by;
    int least;
};

kr_hops_search *kr_hops_open(const kr_hops *g)
{
    kr_hops_search *s = kr_alloc(sizeof *s);
    s->g = g;
    s->places = kr_alloc(sizeof *s->places * (g->node_count + 1));
    for (int i = 0; i < 2; i++)
        s->frontier[i] = kr_alloc(sizeof(uint32_t) * (g->node_count + 1));
    s->reached = kr_alloc(sizeof *s->reached * (g->node_count + 1));
    s->texts = kr_alloc(sizeof *s->texts * (g->node_count + 1));
    return s;
}

void kr_hops_close(kr_hops_search *s)
{
    if (!s)
        return;
    kr_free(s->places);
    kr_free(s->frontier[0]);
    kr_free(s->frontier[1]);
    kr_free(s->reached);
    kr_free(s->texts);
    kr_free(s->found);
    kr_free(s->again);
    kr_free(s);
}

static place *place_of(kr_hops_search *s, uint32_t node)
{
    place *p = &s->places[node];
    if (p->stamp != s->stamp)
        *p = (place){ .stamp = s->stamp, .best = INT64_MAX, .list = KR_NO_ROW };
    return p;
}

static size_t first_arc(const kr_hops *g, uint32_t node, int64_t when)
{
    size_t low = g->start[node], high = g->start[node + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->arcs[middle].when < when)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Along the arcs of a node with times in [from, until] that the level below has not gone. */
static void go_on(kr_hops_search *s, uint32_t node, int64_t from, int64_t until, uint32_t level, uint32_t *next, size_t *next_count)
{
    const kr_hops *g = s->g;
    for (size_t i = first_arc(g, node, from); i < g->start[node + 1] && g->arcs[i].when <= until; i++) {
        const arc *a = &g->arcs[i];
        if (a->to == s->from || a->to == node)
            continue;
        place *p = place_of(s, a->to);
        if ((int)level >= s->least && (p->list == KR_NO_ROW || a->when < s->found[p->list].arrival)) {
            if (p->list != KR_NO_ROW && s->found[p->list].hops == level) {
                s->found[p->list].arrival = a->when;
            } else {
                if (s->found_count == s->found_capacity) {
                    s->found_capacity = s->found_capacity ? s->found_capacity * 2 : 256;
                    s->found = kr_realloc(s->found, sizeof *s->found * s->found_capacity);
                }
                if (p->list == KR_NO_ROW)
                    s->reached[s->reached_count++] = a->to;
                s->found[s->found_count] = (found){ a->when, level, p->list };
                p->list = (uint32_t)s->found_count++;
            }
        }
        if (a->barred <= s->by || a->when >= p->best || a->to == s->without)
            continue;
        if (p->level != level) {
            p->level = level;
            p->old = p->best;
            next[(*next_count)++] = a->to;
        }
        p->best = a->when;
        p->direct |= level == 1;
    }
}

static void search(kr_hops_search *s, uint32_t from, int64_t start, int64_t end, int64_t by, int least, uint32_t without)
{
    if (s->made && s->from == from && s->start == start && s->end >= end && s->by == by && s->least == least && s->without == without)
        return;
    s->made = true;
    s->from = from;
    s->start = start;
    s->end = end;
    s->by = by;
    s->least = least;
    s->without = without;
    s->found_count = 0;
    s->reached_count = 0;
    if (++s->stamp == 0) {
        memset(s->places, 0, sizeof *s->places * (s->g->node_count + 1));
        s->stamp = 1;
    }
    size_t count = 0;
    go_on(s, from, start, end, 1, s->frontier[0], &count);
    for (uint32_t level = 2; count > 0; level++) {
        const uint32_t *now = s->frontier[level % 2];
        size_t next = 0;
        for (size_t i = 0; i < count; i++) {
            /* Earlier arrivals of this very level are kept for the next: level - 1 edges lead to `best` as it stood after the last. */
            const place *p = &s->places[now[i]];
            int64_t best = p->level == level ? p->old : p->best, old = p->level == level ? INT64_MAX : p->old;
            go_on(s, now[i], best, old == INT64_MAX || old > end ? end : old - 1, level, s->frontier[(level + 1) % 2], &next);
        }
        count = next;
    }
}

static kr_cell answer(const kr_hops_search *s, uint32_t to, int64_t end)
{
    const place *p = &s->places[to];
    kr_cell hops = KR_BLANK;
    if (p->stamp == s->stamp)
        for (uint32_t i = p->list; i != KR_NO_ROW && s->found[i].arrival <= end; i = s->found[i].before)
            hops = kr_num_of_int(s->found[i].hops);
    return hops;
}

size_t kr_hops_reach(kr_hops_search *s, kr_cell from, kr_cell start, kr_cell end, kr_cell by, const uint32_t **texts)
{
    const kr_hops *g = s->g;
    *texts = s->texts;
    if (kr_is_special(from) || kr_is_special(start) || kr_is_special(end) || kr_is_special(by))
        return 0;
    uint32_t group = group_of(g, NULL), node;
    if (group == KR_NO_ROW || !kr_is_blank(g->group_error[group]) || (node = node_of(g, node_key(group, from))) == KR_NO_ROW)
        return 0;
    search(s, node, kr_cell_int(start), kr_cell_int(end), kr_cell_int(by), 1, KR_NO_ROW);
    for (size_t i = 0; i < s->reached_count; i++)
        s->texts[i] = g->node_text[s->reached[i]];
    return s->reached_count;
}

/* ---- the instruction */

/* What needs no search; false: *from and *to are nodes, and all else is known. */
static bool decided(const kr_hops *g, const kr_cell *args, uint32_t *from, uint32_t *to, kr_cell *out)
{
    kr_cell near = KR_BLANK;
    int64_t least;
    if (kr_spread(args, ARGS, out))
        return true;
    *out = KR_BLANK;
    if (kr_spread(args + ARGS, (size_t)g->by_count, &near)) {
        *out = near;
        return true;
    }
    if (!kr_num_to_int(args[LEAST], &least) || least < 1 || least > 2) {
        *out = KR_E_VALUE;
        return true;
    }
    uint32_t group = group_of(g, args + ARGS);
    if (group == KR_NO_ROW)
        return true;
    if (!kr_is_blank(g->group_error[group])) {
        *out = g->group_error[group];
        return true;
    }
    *from = node_of(g, node_key(group, args[FROM]));
    *to = node_of(g, node_key(group, args[TO]));
    return *from == KR_NO_ROW || *to == KR_NO_ROW || *from == *to || kr_cell_int(args[END]) < kr_cell_int(args[START]);
}

static void read_args(const kr_hops *g, const kr_cell *const *in, size_t i, kr_cell *args)
{
    for (int k = 0; k < ARGS + g->by_count; k++)
        args[k] = in[k][i];
}

static void reserve(kr_hops_search *s, size_t n)
{
    if (n <= s->again_room)
        return;
    kr_free(s->again);
    s->again = kr_alloc(n);
    s->again_room = n;
}

/* Questions with one beginning that stand together share a search up to the latest of their ends. */
void kr_hops_eval(kr_hops_search *s, const kr_cell *const *in, size_t n, kr_cell *out)
{
    for (size_t i = 0; i < n;) {
        kr_cell args[ARGS + MOST_BY];
        uint32_t from, to;
        read_args(s->g, in, i, args);
        if (decided(s->g, args, &from, &to, &out[i])) {
            i++;
            continue;
        }
        size_t run = i + 1;
        int64_t end = kr_cell_int(args[END]);
        for (; run < n; run++) {
            bool same = true;
            for (int k = 0; k < ARGS + s->g->by_count && same; k++)
                same = k == TO || k == END || kr_raw_eq(in[k][run], args[k]);
            if (!same)
                break;
            if (!kr_is_special(in[END][run]) && kr_cell_int(in[END][run]) > end)
                end = kr_cell_int(in[END][run]);
        }
        int64_t start = kr_cell_int(args[START]), by = kr_cell_int(args[BY]);
        int least = kr_raw_eq(args[LEAST], KR_NUM_ONE) ? 1 : 2;
        search(s, from, start, end, by, least, KR_NO_ROW);
        size_t first = i;
        reserve(s, run - first);
        for (; i < run; i++) {
            read_args(s->g, in, i, args);
            s->again[i - first] = false;
            if (decided(s->g, args, &from, &to, &out[i]))
                continue;
            out[i] = answer(s, to, kr_cell_int(args[END]));
            s->again[i - first] = least == 2 && !kr_is_blank(out[i]) && s->places[to].direct;
        }
        for (size_t k = first; k < run; k++) {
            if (!s->again[k - first])
                continue;
            read_args(s->g, in, k, args);
            (void)decided(s->g, args, &from, &to, &out[k]); /* for the nodes */
            search(s, from, start, end, by, least, to);
            out[k] = answer(s, to, kr_cell_int(args[END]));
        }
    }
}
