/* agg.c: aggregates over any type: counting, ANY and ALL, least and greatest. Numeric statistics are in stats.c and series.c.
 *
 * Over a sliding window counting takes constant time a row; MIN and MAX keep only the values that can still become the answer (a
 * monotone queue), which is constant time a row on average. */
#include "stdlib/families.h"

/* ---- counting: one counter of the values that satisfy a test */

typedef struct counter {
    uint64_t all, hits;
} counter;

static void *counter_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call, (void)scalars, (void)capacity;
    return kr_alloc(sizeof(counter));
}

static void counter_push_true(void *state, const kr_cell *x)
{
    counter *c = state;
    c->all++;
    c->hits += kr_cell_is_true(x[0]);
}

static void counter_pop_true(void *state, const kr_cell *x)
{
    counter *c = state;
    c->all--;
    c->hits -= kr_cell_is_true(x[0]);
}

static void counter_push_blank(void *state, const kr_cell *x)
{
    ((counter *)state)->hits += kr_is_blank(x[0]);
}

static void counter_pop_blank(void *state, const kr_cell *x)
{
    ((counter *)state)->hits -= kr_is_blank(x[0]);
}

static kr_cell count_all(void *state) { return kr_num_of_int((int64_t)((counter *)state)->all); }
static kr_cell count_hits(void *state) { return kr_num_of_int((int64_t)((counter *)state)->hits); }
static kr_cell any_hit(void *state) { return kr_cell_of_bool(((counter *)state)->hits > 0); }
static kr_cell all_hit(void *state) { return kr_cell_of_bool(((counter *)state)->hits == ((counter *)state)->all); }

static void push_known(void *state, const kr_cell *x)
{
    (void)x;
    ((counter *)state)->all++;
}

static void pop_known(void *state, const kr_cell *x)
{
    (void)x;
    ((counter *)state)->all--;
}

static const kr_slide count_slide = { counter_start, push_known, pop_known, count_all, kr_free };
static const kr_slide count_if_slide = { counter_start, counter_push_true, counter_pop_true, count_hits, kr_free };
static const kr_slide count_blank_slide = { counter_start, counter_push_blank, counter_pop_blank, count_hits, kr_free };
static const kr_slide any_slide = { counter_start, counter_push_true, counter_pop_true, any_hit, kr_free };
static const kr_slide all_slide = { counter_start, counter_push_true, counter_pop_true, all_hit, kr_free };

static kr_cell count_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call, (void)series, (void)scalars;
    return kr_num_of_int((int64_t)n);
}

static int64_t true_count(const kr_cell *x, size_t n)
{
    int64_t hits = 0;
    for (size_t i = 0; i < n; i++)
        hits += kr_cell_is_true(x[i]);
    return hits;
}

static kr_cell count_if_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call, (void)scalars;
    return kr_num_of_int(true_count(series[0], n));
}

static kr_cell count_blank_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call, (void)scalars;
    int64_t blanks = 0;
    for (size_t i = 0; i < n; i++)
        blanks += kr_is_blank(series[0][i]);
    return kr_num_of_int(blanks);
}

static kr_cell any_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call, (void)scalars;
    return kr_cell_of_bool(true_count(series[0], n) > 0);
}

static kr_cell all_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call, (void)scalars;
    return kr_cell_of_bool(true_count(series[0], n) == (int64_t)n);
}

/* ---- least and greatest */

static kr_cell extreme(const kr_call *call, const kr_cell *x, size_t n, int sign)
{
    if (n == 0)
        return KR_BLANK;
    kr_cell best = x[0];
    for (size_t i = 1; i < n; i++)
        if (sign * kr_lib_cmp(call, call->types[0], x[i], best) > 0)
            best = x[i];
    return best;
}

static kr_cell min_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)scalars;
    return extreme(call, series[0], n, -1);
}

static kr_cell max_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)scalars;
    return extreme(call, series[0], n, 1);
}

/* Values of the window, each no better than the one before it: the first is the answer. A ring that doubles when full. */
typedef struct queue {
    kr_cell *ring;
    size_t room, first, count; /* room: a power of two */
    kr_pool *pool;             /* for text; NULL: compared as they are */
    int sign;
} queue;

static void *queue_start(const kr_call *call, size_t capacity, int sign)
{
    queue *q = kr_alloc(sizeof *q);
    q->room = 16;
    while (q->room < capacity && q->room < 4096)
        q->room *= 2;
    q->ring = kr_alloc(q->room * sizeof *q->ring);
    if (call->types[0] == KR_T_TEXT || call->types[0] == KR_T_BYTES)
        q->pool = call->env->pool;
    q->sign = sign;
    return q;
}

static void *min_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)scalars;
    return queue_start(call, capacity, -1);
}

static void *max_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)scalars;
    return queue_start(call, capacity, 1);
}

static void queue_push(void *state, const kr_cell *x)
{
    queue *q = state;
    while (q->count > 0) {
        kr_cell last = q->ring[(q->first + q->count - 1) & (q->room - 1)];
        int cmp = q->pool ? kr_pool_cmp(q->pool, (uint32_t)x[0].lo, (uint32_t)last.lo) : kr_raw_cmp(x[0], last);
        if (q->sign * cmp <= 0)
            break;
        q->count--;
    }
    if (q->count == q->room) {
        kr_cell *ring = kr_alloc(2 * q->room * sizeof *ring);
        for (size_t i = 0; i < q->count; i++)
            ring[i] = q->ring[(q->first + i) & (q->room - 1)];
        kr_free(q->ring);
        q->ring = ring;
        q->room *= 2;
        q->first = 0;
    }
    q->ring[(q->first + q->count++) & (q->room - 1)] = x[0];
}

/* Equal values are all kept, so the oldest value is in the queue exactly when it is the first. */
static void queue_pop(void *state, const kr_cell *x)
{
    queue *q = state;
    if (q->count > 0 && kr_raw_eq(q->ring[q->first], x[0])) {
        q->first = (q->first + 1) & (q->room - 1);
        q->count--;
    }
}

static kr_cell queue_value(void *state)
{
    queue *q = state;
    return q->count ? q->ring[q->first] : KR_BLANK;
}

static void queue_end(void *state)
{
    queue *q = state;
    kr_free(q->ring);
    kr_free(q);
}

static const kr_slide min_slide = { min_start, queue_push, queue_pop, queue_value, queue_end };
static const kr_slide max_slide = { max_start, queue_push, queue_pop, queue_value, queue_end };

const kr_fn kr_agg_fns[] = {
    { .name = "COUNT", .usage = "COUNT(x)", .sig = "series any -> number", .unit = "* -> 1", .shape = KR_AGGREGATE,
      .doc = "How many values are known, of any type (spreadsheets count numbers only). Over nothing 0.",
      .example = "COUNT({3, 1, 2})", .gives = "3", .edge = "COUNT({IF(FALSE, 1)})", .edge_gives = "0", .series = count_series,
      .slide = &count_slide },
    { .name = "COUNTA", .usage = "COUNTA(x)", .sig = "series any -> number", .unit = "* -> 1", .shape = KR_AGGREGATE,
      .doc = "The same as COUNT: how many values are known, of any type. An empty text is known.",
      .example = "COUNTA({'a', '', 'b'})", .gives = "3", .edge = "COUNTA({1 / 0})", .edge_gives = "#DIV/0!",
      .series = count_series, .slide = &count_slide },
    { .name = "COUNTIF", .usage = "COUNTIF(condition)", .sig = "series boolean -> number", .unit = "* -> 1", .shape = KR_AGGREGATE,
      .doc = "How many values are true. Over nothing 0. The condition is a formula, not a text as in spreadsheets.",
      .example = "COUNTIF({TRUE, FALSE, TRUE})", .gives = "2", .edge = "COUNTIF({IF(FALSE, TRUE)})", .edge_gives = "0",
      .series = count_if_series, .slide = &count_if_slide },
    { .name = "COUNTBLANK", .usage = "COUNTBLANK(x)", .sig = "series any -> number", .unit = "* -> 1", .shape = KR_AGGREGATE,
      .doc = "How many values are blank. Over nothing 0.",
      .example = "COUNTBLANK({1, IF(FALSE, 1)})", .gives = "1", .edge = "COUNTBLANK({''})", .edge_gives = "0",
      .series = count_blank_series, .slide = &count_blank_slide, .keep_blanks = true },
    { .name = "ANY", .usage = "ANY(condition)", .sig = "series boolean -> boolean", .unit = "* -> *", .shape = KR_AGGREGATE,
      .doc = "Whether any value is true; blanks are stepped over. Over nothing false.",
      .example = "ANY({FALSE, TRUE})", .gives = "true", .edge = "ANY({IF(FALSE, TRUE)})", .edge_gives = "false",
      .series = any_series, .slide = &any_slide },
    { .name = "ALL", .usage = "ALL(condition)", .sig = "series boolean -> boolean", .unit = "* -> *", .shape = KR_AGGREGATE,
      .doc = "Whether all values are true; blanks are stepped over. Over nothing true.",
      .example = "ALL({TRUE, FALSE})", .gives = "false", .edge = "ALL({IF(FALSE, TRUE)})", .edge_gives = "true",
      .series = all_series, .slide = &all_slide },
    { .name = "MIN", .usage = "MIN(x)", .sig = "series T -> T", .unit = "u -> u", .shape = KR_AGGREGATE,
      .doc = "The least known value of any ordered type. Over nothing blank.",
      .example = "MIN({3, 1, 2})", .gives = "1", .edge = "MIN({IF(FALSE, 1)})", .edge_gives = "", .series = min_series,
      .slide = &min_slide },
    { .name = "MAX", .usage = "MAX(x)", .sig = "series T -> T", .unit = "u -> u", .shape = KR_AGGREGATE,
      .doc = "The greatest known value of any ordered type. Over nothing blank.",
      .example = "MAX({3, 1, 2})", .gives = "3", .edge = "MAX({IF(FALSE, 1)})", .edge_gives = "", .series = max_series,
      .slide = &max_slide },
    { .name = NULL },
};
