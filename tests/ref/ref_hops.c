/* ref_hops.c: HOPS by its definition: for each number of edges the earliest arrival everywhere, over a plain list of all edges. */
#include "tests/ref/ref_internal.h"

#include <string.h>

typedef struct hop_edge {
    uint32_t a, b;
    int64_t time, barred; /* barred: INT64_MAX: never */
} hop_edge;

/* The edges of one HOPS and one match: remembered, since many rows ask for the same. */
struct edge_cache {
    const kr_expr *expr;
    kr_cell *match;
    int match_count;
    kr_cell error;        /* blank, or the result for all that ask */
    hop_edge *edges;
    size_t count, room;
    edge_cache *next;
};

static void collect(kr_ref *ref, edge_cache *c, const kr_edges *e, frame at)
{
    row_list list;
    kr_cell error;
    if (!ref_match(ref, e->sheet, e->match, e->match_count, at, &list, &error)) {
        c->error = error;
        return;
    }
    for (size_t i = 0; i < list.count && kr_is_blank(c->error); i++) {
        uint32_t row = list.rows[i];
        kr_cell x[5] = { e->where ? ref_eval(ref, e->where, (frame){ { at.row[0], row } }) : kr_cell_of_bool(true), ref_cell(ref, e->a, row),
                         ref_cell(ref, e->b, row), ref_cell(ref, e->time, row), e->barred ? ref_cell(ref, e->barred, row) : KR_BLANK };
        if (!kr_is_error(x[0]) && !kr_cell_is_true(x[0]))
            continue;
        if (kr_spread(x, 5, &error) && kr_is_error(error)) {
            c->error = error;
            continue;
        }
        if (kr_is_blank(x[1]) || kr_is_blank(x[2]) || kr_is_blank(x[3]))
            continue;
        if (c->count == c->room) {
            c->room = c->room ? 2 * c->room : 16;
            c->edges = kr_realloc(c->edges, c->room * sizeof *c->edges);
        }
        c->edges[c->count++] = (hop_edge){ (uint32_t)x[1].lo, (uint32_t)x[2].lo, kr_cell_int(x[3]), kr_is_blank(x[4]) ? INT64_MAX : kr_cell_int(x[4]) };
    }
    kr_free(list.rows);
}

static edge_cache *edges_of(kr_ref *ref, const kr_expr *e, const kr_cell *near, int match_count, frame at)
{
    for (edge_cache *c = ref->edges; c; c = c->next)
        if (c->expr == e && memcmp(c->match, near, (size_t)match_count * sizeof *near) == 0)
            return c;
    edge_cache *c = kr_alloc(sizeof *c);
    c->expr = e;
    c->match = kr_alloc((size_t)(match_count + 1) * sizeof *near);
    memcpy(c->match, near, (size_t)match_count * sizeof *near);
    c->error = KR_BLANK;
    for (int i = 0; i < e->edges_count && kr_is_blank(c->error); i++)
        collect(ref, c, &e->edges[i], at);
    c->next = ref->edges;
    ref->edges = c;
    return c;
}

/* Edges that may count, once: arrival at the ends of them after k edges, for k = 1, 2, …; a walk that passes neither end between and is
 * shortest visits no node twice. No path has more edges than there are, so k ends. */
static kr_cell fewest(const hop_edge *edges, size_t n, uint32_t from, uint32_t to, int64_t least, int64_t by)
{
    int64_t *now = kr_alloc((n + 1) * sizeof *now), *next = kr_alloc((n + 1) * sizeof *next);
    kr_cell out = KR_BLANK;
    for (size_t i = 0; i < n; i++)
        now[i] = edges[i].a == from ? edges[i].time : INT64_MAX; /* arrival by edge i, as the k-th */
    for (int64_t k = 1; k <= (int64_t)n && kr_is_blank(out); k++) {
        for (size_t i = 0; i < n; i++)
            if (now[i] != INT64_MAX && edges[i].b == to && k >= least)
                out = kr_num_of_int(k);
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            next[i] = INT64_MAX;
            for (size_t j = 0; j < n && next[i] == INT64_MAX; j++)
                if (now[j] != INT64_MAX && edges[j].b == edges[i].a && edges[j].b != from && edges[j].b != to && edges[j].barred > by && edges[j].time <= edges[i].time)
                    next[i] = edges[i].time, any = true;
        }
        if (!any)
            break;
        int64_t *swap = now;
        now = next;
        next = swap;
    }
    kr_free(now);
    kr_free(next);
    return out;
}

kr_cell ref_hops(kr_ref *ref, const kr_expr *e, frame at)
{
    enum { FROM, START, TO, END, LEAST, BY, ARGS };
    kr_cell x[ARGS], special;
    int match_count = e->edges[0].match_count;
    kr_cell near[match_count + 1];
    for (int i = 0; i < ARGS; i++)
        x[i] = ref_eval(ref, e->args[i], at);
    for (int i = 0; i < match_count; i++)
        near[i] = ref_eval(ref, e->edges[0].match[i].near, at);
    if (kr_spread(x, ARGS, &special) || kr_spread(near, (size_t)match_count, &special))
        return special;
    int64_t least, by = kr_cell_int(x[BY]);
    if (!kr_num_to_int(x[LEAST], &least) || least < 1 || least > 2)
        return KR_E_VALUE;
    const edge_cache *c = edges_of(ref, e, near, match_count, at);
    if (!kr_is_blank(c->error))
        return c->error;
    if (kr_raw_eq(x[FROM], x[TO]))
        return KR_BLANK;
    hop_edge *within = kr_alloc((c->count + 1) * sizeof *within);
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->edges[i].time >= kr_cell_int(x[START]) && c->edges[i].time <= kr_cell_int(x[END]))
            within[n++] = c->edges[i];
    kr_cell out = fewest(within, n, (uint32_t)x[FROM].lo, (uint32_t)x[TO].lo, least, by);
    kr_free(within);
    return out;
}

void ref_free_edges(kr_ref *ref)
{
    for (edge_cache *c = ref->edges, *next; c; c = next) {
        next = c->next;
        kr_free(c->match);
        kr_free(c->edges);
        kr_free(c);
    }
}
