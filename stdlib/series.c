/* series.c: statistics of order, of weighted and smoothed series, and of lines through points.
 *
 * MEDIAN, PERCENTILE and QUARTILE slide in logarithmic time a value; GPR's weights move with the window, so it is linear in it. */
#include <string.h>

#include "stdlib/families.h"
#include "stdlib/order_tree.h"
#include "vm/num/num_stat.h"

/* ---- order */

static kr_num *sorted_copy(const kr_call *call, const kr_cell *x, size_t n)
{
    kr_num *copy = kr_arena_alloc(call->env->scratch, n * sizeof *copy);
    if (n > 0) /* no values: no array either */
        memcpy(copy, x, n * sizeof *copy);
    kr_stat_sort(copy, n);
    return copy;
}

static kr_cell median_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)scalars;
    return kr_stat_median(sorted_copy(call, series[0], n), n);
}

static kr_cell percentile_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    return kr_stat_percentile(sorted_copy(call, series[0], n), n, scalars[0]);
}

static kr_cell quartile_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    return kr_stat_quartile(sorted_copy(call, series[0], n), n, scalars[0]);
}

static kr_cell percentrank_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    return kr_stat_percentrank(sorted_copy(call, series[0], n), n, scalars[0]);
}

static kr_cell rank_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    bool ascending = call->argc > 2 && !kr_raw_eq(scalars[1], KR_NUM_ZERO);
    return kr_stat_rank(scalars[0], series[0], n, ascending);
}

typedef struct ordered {
    kr_order_tree *tree;
    kr_num share; /* of the way from the least to the greatest; special: the answer whatever is inside */
} ordered;

static void *ordered_start(kr_num share, size_t capacity)
{
    ordered *o = kr_alloc(sizeof *o);
    o->tree = kr_order_tree_new(capacity);
    o->share = share;
    return o;
}

static void *median_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call, (void)scalars;
    return ordered_start((kr_num){ KR_NUM_ONE.lo / 2, 0 }, capacity);
}

static void *percentile_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call;
    return ordered_start(scalars[0], capacity);
}

static void *quartile_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call;
    kr_num share;
    return ordered_start(kr_stat_quartile_share(scalars[0], &share) ? share : KR_NUM_MIN, capacity);
}

static void ordered_push(void *state, const kr_cell *x) { kr_order_tree_insert(((ordered *)state)->tree, x[0]); }
static void ordered_pop(void *state, const kr_cell *x) { kr_order_tree_remove(((ordered *)state)->tree, x[0]); }

static kr_cell ordered_value(void *state)
{
    ordered *o = state;
    size_t n = kr_order_tree_count(o->tree), index = 0;
    kr_num fraction;
    if (!kr_stat_percentile_place(n ? n : 1, o->share, &index, &fraction))
        return KR_E_NUM;
    if (n == 0)
        return KR_BLANK;
    kr_num low = kr_order_tree_at(o->tree, index);
    return fraction.lo ? kr_stat_between(low, kr_order_tree_at(o->tree, index + 1), fraction) : low;
}

static void ordered_end(void *state)
{
    kr_order_tree_free(((ordered *)state)->tree);
    kr_free(state);
}

static const kr_slide median_slide = { median_start, ordered_push, ordered_pop, ordered_value, ordered_end };
static const kr_slide percentile_slide = { percentile_start, ordered_push, ordered_pop, ordered_value, ordered_end };
static const kr_slide quartile_slide = { quartile_start, ordered_push, ordered_pop, ordered_value, ordered_end };

/* ---- gain to pain */

/* The weights of the half-life last used on this thread: a power of 2 costs a thousand times as much as a use of it. */
enum { CACHED = 512 };
static _Thread_local struct {
    kr_num half_life;
    size_t n;
    kr_num weight[CACHED];
} cache;

static kr_num weight_of(uint64_t k, kr_num half_life)
{
    if (k >= CACHED)
        return kr_stat_decay(k, half_life);
    if (!kr_raw_eq(cache.half_life, half_life)) {
        cache.half_life = half_life;
        cache.n = 0;
    }
    for (; cache.n <= k; cache.n++)
        cache.weight[cache.n] = kr_stat_decay(cache.n, half_life);
    return cache.weight[k];
}

static bool half_life_is_bad(kr_num half_life) { return half_life.hi < 0 || kr_raw_eq(half_life, KR_NUM_ZERO); }

static kr_cell gpr_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    if (half_life_is_bad(scalars[0]))
        return KR_E_NUM;
    kr_num *weights = kr_arena_alloc(call->env->scratch, n * sizeof *weights);
    for (size_t k = 0; k < n; k++) {
        weights[k] = weight_of(k, scalars[0]);
        if (kr_is_special(weights[k]))
            return weights[k];
    }
    return kr_stat_gpr(series[0], n, weights);
}

/* The values in order of age, in a line that is moved down when it reaches its end; the weights as far as needed so far. */
typedef struct decaying {
    kr_num *line, *weights;
    size_t first, end, room, weights_n;
    kr_num half_life;
} decaying;

static void *gpr_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call;
    decaying *d = kr_alloc(sizeof *d);
    d->room = capacity < 32 ? 64 : capacity < 4096 ? 2 * capacity : 8192;
    d->line = kr_alloc(d->room * sizeof *d->line);
    d->weights = kr_alloc(d->room * sizeof *d->weights);
    d->half_life = scalars[0];
    return d;
}

static void gpr_push(void *state, const kr_cell *x)
{
    decaying *d = state;
    if (d->end == d->room) {
        size_t n = d->end - d->first;
        if (n > d->room / 2) {
            d->room *= 2;
            d->line = kr_realloc(d->line, d->room * sizeof *d->line);
            d->weights = kr_realloc(d->weights, d->room * sizeof *d->weights);
        }
        memmove(d->line, d->line + d->first, n * sizeof *d->line);
        d->first = 0;
        d->end = n;
    }
    d->line[d->end++] = x[0];
}

static void gpr_pop(void *state, const kr_cell *x)
{
    (void)x;
    ((decaying *)state)->first++;
}

static kr_cell gpr_value(void *state)
{
    decaying *d = state;
    size_t n = d->end - d->first;
    if (half_life_is_bad(d->half_life))
        return KR_E_NUM;
    for (; d->weights_n < n; d->weights_n++) {
        kr_num weight = weight_of(d->weights_n, d->half_life);
        if (kr_is_special(weight))
            return weight;
        d->weights[d->weights_n] = weight;
    }
    return kr_stat_gpr(d->line + d->first, n, d->weights);
}

static void gpr_end(void *state)
{
    decaying *d = state;
    kr_free(d->line);
    kr_free(d->weights);
    kr_free(d);
}

static const kr_slide gpr_slide = { gpr_start, gpr_push, gpr_pop, gpr_value, gpr_end };

/* ---- smoothing and lines */

static kr_cell ema_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call;
    return kr_stat_ema(series[0], n, scalars[0]);
}

static kr_cell interpolate_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call;
    return kr_stat_interpolate(scalars[0], series[0], series[1], n);
}

/* Points of a line given as lists: whole milliseconds that do not go back. NULL: they are not. */
static int64_t *moments(const kr_call *call, const kr_cell *times, size_t n)
{
    int64_t *out = KR_NEW_ARRAY(call->env->scratch, int64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!kr_num_to_int(times[i], &out[i]) || (i && out[i] < out[i - 1]))
            return NULL;
    return out;
}

static kr_cell twa_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    int64_t from, to, *times = moments(call, series[1], n);
    if (!times || !kr_num_to_int(scalars[0], &from) || !kr_num_to_int(scalars[1], &to))
        return KR_E_VALUE;
    return kr_stat_twa(times, series[0], n, from, to, call->argc > 4 ? scalars[2] : KR_BLANK);
}

static kr_cell value_at_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    int64_t at, *times = moments(call, series[1], n);
    if (!times || !kr_num_to_int(scalars[0], &at))
        return KR_E_VALUE;
    return kr_stat_value_at(times, series[0], n, at, call->argc > 3 ? scalars[1] : KR_BLANK);
}

/* ---- rows */

#define LIST_AND_NUMBER(units) .sig = "series number, number -> number", .unit = units, .shape = KR_AGGREGATE

const kr_fn kr_series_fns[] = {
    { .name = "MEDIAN", .usage = "MEDIAN(x)", .sig = "series number -> number", .unit = "u -> u", .shape = KR_AGGREGATE,
      .doc = "The middle value in order; of an even number the mean of the middle two, rounded once. Over nothing blank.",
      .example = "MEDIAN({5, 1, 4, 2})", .gives = "3", .edge = "MEDIAN({IF(FALSE, 1)})", .edge_gives = "", .series = median_series,
      .slide = &median_slide },
    { .name = "PERCENTILE", .usage = "PERCENTILE(x, p)", LIST_AND_NUMBER("u, 1 -> u"),
      .doc = "Inclusive percentile, p from 0 to 1: the value at rank p * (n - 1) in order counted from 0, on straight lines between values, rounded "
             "once. Over nothing blank; p outside: #NUM!.",
      .example = "PERCENTILE({1, 2, 3, 4}, 0.3)", .gives = "1.9", .edge = "PERCENTILE({1, 2}, 1.1)", .edge_gives = "#NUM!",
      .series = percentile_series, .slide = &percentile_slide },
    { .name = "PERCENTILE.INC", .usage = "PERCENTILE.INC(x, p)", LIST_AND_NUMBER("u, 1 -> u"), .doc = "Another name of PERCENTILE (inclusive).",
      .example = "PERCENTILE.INC({1, 2, 3, 4}, 0.3)", .gives = "1.9", .edge = "PERCENTILE.INC({1, 2}, -0.1)", .edge_gives = "#NUM!",
      .series = percentile_series, .slide = &percentile_slide },
    { .name = "QUARTILE", .usage = "QUARTILE(x, quarter)", LIST_AND_NUMBER("u, 1 -> u"),
      .doc = "Inclusive quartile: PERCENTILE(x, quarter / 4), quarter 0 to 4, a fraction of it cut off as spreadsheets do. Outside: #NUM!.",
      .example = "QUARTILE({1, 2, 3, 4}, 1)", .gives = "1.75", .edge = "QUARTILE({1, 2}, 5)", .edge_gives = "#NUM!",
      .series = quartile_series, .slide = &quartile_slide },
    { .name = "QUARTILE.INC", .usage = "QUARTILE.INC(x, quarter)", LIST_AND_NUMBER("u, 1 -> u"), .doc = "Another name of QUARTILE (inclusive).",
      .example = "QUARTILE.INC({1, 2, 3, 4}, 3)", .gives = "3.25", .edge = "QUARTILE.INC({1, 2}, -1)", .edge_gives = "#NUM!",
      .series = quartile_series, .slide = &quartile_slide },
    { .name = "PERCENTRANK", .usage = "PERCENTRANK(x, value)", LIST_AND_NUMBER("u, u -> 1"),
      .doc = "Inclusive percent rank of value among x: how many lie below it over n - 1, on straight lines between neighbours; exact, rounded once (not cut to "
             "three digits). Outside the values: #N/A; over nothing blank.",
      .example = "PERCENTRANK({1, 2, 3, 4}, 2.5)", .gives = "0.5", .edge = "PERCENTRANK({1, 2}, 3)", .edge_gives = "#N/A",
      .series = percentrank_series },
    { .name = "PERCENTRANK.INC", .usage = "PERCENTRANK.INC(x, value)", LIST_AND_NUMBER("u, u -> 1"), .doc = "Another name of PERCENTRANK (inclusive).",
      .example = "PERCENTRANK.INC({1, 2, 3, 4}, 2)", .gives = "0.333333333333333333", .edge = "PERCENTRANK.INC({1, 2}, 0)", .edge_gives = "#N/A",
      .series = percentrank_series },
    { .name = "RANK.EQ", .usage = "RANK.EQ(value, x, ascending)", .sig = "number, series number, [number] -> number", .unit = "u, u, * -> 1",
      .shape = KR_AGGREGATE,
      .doc = "Rank of value in x as spreadsheets count it: 1 and one more for every greater value (every lesser one when ascending is given and not 0). Not among x: "
             "#N/A. To rank rows of a sheet, use RANK.",
      .example = "RANK.EQ(3, {5, 3, 3, 1})", .gives = "2", .edge = "RANK.EQ(2, {5, 3})", .edge_gives = "#N/A", .series = rank_series },
    { .name = "RANK", .usage = "RANK(value, {…}, ascending)", .sig = "number, series number, [number] -> number", .unit = "u, u, * -> 1", .shape = KR_AGGREGATE,
      .doc = "Of a list, another name of RANK.EQ, as spreadsheets have it.",
      .example = "RANK(3, {5, 3, 3, 1})", .gives = "2", .edge = "RANK(2, {5, 3})", .edge_gives = "#N/A", .series = rank_series },
    { .name = "TWA", .usage = "TWA({values}, {times}, from, to, before)", .sig = "series number, series number, number, number, [number] -> number", .unit = "u, *, *, *, u -> u",
      .shape = KR_AGGREGATE,
      .doc = "Of lists: the time-weighted average over [from, to) of the line through the points, as TWA of a sheet has it; times are whole milliseconds that do not go back.",
      .example = "TWA({10, 20}, {0, 100}, 0, 200)", .gives = "17.5", .edge = "TWA({10, 20}, {100, 0}, 0, 200)", .edge_gives = "#VALUE!", .series = twa_series },
    { .name = "VALUE_AT", .usage = "VALUE_AT({values}, {times}, t, before)", .sig = "series number, series number, number, [number] -> number", .unit = "u, *, *, u -> u",
      .shape = KR_AGGREGATE, .doc = "Of lists: the value at t of that line.",
      .example = "VALUE_AT({10, 20}, {0, 100}, 25)", .gives = "12.5", .edge = "VALUE_AT({10}, {100}, 50)", .edge_gives = "", .series = value_at_series },
    { .name = "GPR", .usage = "GPR(x, half_life)", LIST_AND_NUMBER("u, * -> 1"),
      .doc = "Gain to pain: the weighted sum of x over the absolute weighted sum of its losses. The k-th newest value (k = 0 first) weighs 2^(-k / half_life) "
             "rounded to 18 decimals; the rest is exact and rounded once. No loss: blank.",
      .source = "Schwager, Market Sense and Nonsense, 2012", .example = "GPR({0.02, -0.01, 0.03}, 1)", .gives = "6",
      .edge = "GPR({0.01, 0.02}, 10)", .edge_gives = "", .series = gpr_series, .slide = &gpr_slide },
    { .name = "EMA", .usage = "EMA(x, alpha)", LIST_AND_NUMBER("u, 1 -> u"),
      .doc = "Exponential smoothing: starts at the first value, then s = alpha * x + (1 - alpha) * s. A recursion: each step is exact and rounded once, the "
             "result is its last. alpha outside 0 to 1: #NUM!; over nothing blank.",
      .example = "EMA({1, 2, 3}, 0.5)", .gives = "2.25", .edge = "EMA({1, 2}, 2)", .edge_gives = "#NUM!", .series = ema_series },
    { .name = "INTERPOLATE", .usage = "INTERPOLATE(at, x, y)", .sig = "number, series number, series number -> number", .unit = "u, u, v -> v",
      .shape = KR_AGGREGATE,
      .doc = "y at the given x, on straight lines through the points (x, y), whose x ascend; exact, rounded once. Outside the points: #N/A; x not ascending: "
             "#VALUE!; over nothing blank.",
      .example = "INTERPOLATE(2.5, {1, 2, 4}, {10, 20, 40})", .gives = "25", .edge = "INTERPOLATE(5, {1, 2}, {3, 4})", .edge_gives = "#N/A",
      .series = interpolate_series },
    { .name = NULL },
};
