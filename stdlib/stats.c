/* stats.c: sums, moments, regression and the ratios of returns, whole and over sliding windows.
 *
 * Each kernel and its slide read the same exact sums (vm/num/num_sum.h, num_moments.h), so both give the same digits; a slide takes
 * constant time a value. */
#include "stdlib/families.h"
#include "vm/num/num_moments.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

#define UNUSED_ARGS (void)call, (void)scalars

#define SERIES_1(name, fn)                                                                                                       \
    static kr_cell name##_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)            \
    {                                                                                                                            \
        UNUSED_ARGS;                                                                                                             \
        return fn(series[0], n);                                                                                                 \
    }
#define SERIES_2(name, fn)                                                                                                       \
    static kr_cell name##_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)            \
    {                                                                                                                            \
        UNUSED_ARGS;                                                                                                             \
        return fn(series[0], series[1], n);                                                                                      \
    }

/* ---- sums */

typedef struct sums {
    kr_sum all, losses; /* all: of the gains where losses are kept */
    uint64_t n;
} sums;

static void *sums_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    UNUSED_ARGS, (void)capacity;
    return kr_alloc(sizeof(sums));
}

static void sums_push(void *state, const kr_cell *x)
{
    sums *s = state;
    kr_sum_add(&s->all, x[0]);
    s->n++;
}

static void sums_pop(void *state, const kr_cell *x)
{
    sums *s = state;
    kr_sum_sub(&s->all, x[0]);
    s->n--;
}

static kr_cell sum_value(void *state) { return kr_sum_value(&((sums *)state)->all); }
static kr_cell average_value(void *state) { return kr_sum_mean(&((sums *)state)->all, ((sums *)state)->n); }

static void profit_push(void *state, const kr_cell *x)
{
    sums *s = state;
    if (x[0].hi < 0)
        kr_sum_sub(&s->losses, x[0]);
    else
        kr_sum_add(&s->all, x[0]);
}

static void profit_pop(void *state, const kr_cell *x)
{
    sums *s = state;
    if (x[0].hi < 0)
        kr_sum_add(&s->losses, x[0]);
    else
        kr_sum_sub(&s->all, x[0]);
}

static kr_cell profit_value(void *state) { return kr_sum_ratio(&((sums *)state)->all, &((sums *)state)->losses); }

static const kr_slide sum_slide = { sums_start, sums_push, sums_pop, sum_value, kr_free };
static const kr_slide average_slide = { sums_start, sums_push, sums_pop, average_value, kr_free };
static const kr_slide profit_slide = { sums_start, profit_push, profit_pop, profit_value, kr_free };

SERIES_1(sum, kr_stat_sum)
SERIES_1(average, kr_stat_average)
SERIES_1(profit, kr_stat_profitfactor)

static void *products_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    UNUSED_ARGS, (void)capacity;
    return kr_alloc(sizeof(kr_sum_products));
}

static void products_push(void *state, const kr_cell *x) { kr_sum_products_add(state, x[0], x[1]); }
static void products_pop(void *state, const kr_cell *x) { kr_sum_products_sub(state, x[0], x[1]); }
static kr_cell products_value(void *state) { return kr_sum_products_value(state); }

static const kr_slide products_slide = { products_start, products_push, products_pop, products_value, kr_free };

SERIES_2(products, kr_stat_sumproduct)

/* ---- moments */

typedef struct window {
    kr_moments moments;
    kr_psr_roots roots;
    kr_num benchmark;
} window;

static void *window_start(int order)
{
    window *w = kr_alloc(sizeof *w);
    kr_moments_start(&w->moments, order);
    return w;
}

static void *second_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    UNUSED_ARGS, (void)capacity;
    return window_start(2);
}

static void *fourth_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    UNUSED_ARGS, (void)capacity;
    return window_start(4);
}

static void *psr_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    (void)call, (void)capacity;
    window *w = window_start(4);
    w->benchmark = scalars[0];
    return w;
}

static void window_push(void *state, const kr_cell *x) { kr_moments_push(&((window *)state)->moments, x[0]); }
static void window_pop(void *state, const kr_cell *x) { kr_moments_pop(&((window *)state)->moments, x[0]); }

#define MOMENT(name, start, expression)                                                                                          \
    static kr_cell name##_value(void *state)                                                                                     \
    {                                                                                                                            \
        window *w = state;                                                                                                       \
        return expression;                                                                                                       \
    }                                                                                                                            \
    static const kr_slide name##_slide = { start, window_push, window_pop, name##_value, kr_free };

MOMENT(var_p, second_start, kr_moments_var(&w->moments, KR_POPULATION))
MOMENT(var_s, second_start, kr_moments_var(&w->moments, KR_SAMPLE))
MOMENT(stdev_p, second_start, kr_moments_stdev(&w->moments, KR_POPULATION))
MOMENT(stdev_s, second_start, kr_moments_stdev(&w->moments, KR_SAMPLE))
MOMENT(sharpe, second_start, kr_moments_sharpe(&w->moments))
MOMENT(skew, fourth_start, kr_moments_skew(&w->moments, KR_SAMPLE))
MOMENT(skew_p, fourth_start, kr_moments_skew(&w->moments, KR_POPULATION))
MOMENT(kurt, fourth_start, kr_moments_kurt(&w->moments, KR_SAMPLE))
MOMENT(kurt_p, fourth_start, kr_moments_kurt(&w->moments, KR_POPULATION))
MOMENT(psr, psr_start, kr_moments_psr_roots(&w->moments, w->benchmark, &w->roots))

SERIES_1(var_p, kr_stat_var_p)
SERIES_1(var_s, kr_stat_var_s)
SERIES_1(stdev_p, kr_stat_stdev_p)
SERIES_1(stdev_s, kr_stat_stdev_s)
SERIES_1(sharpe, kr_stat_sharpe)
SERIES_1(skew, kr_stat_skew)
SERIES_1(skew_p, kr_stat_skew_p)
SERIES_1(kurt, kr_stat_kurt)
SERIES_1(kurt_p, kr_stat_kurt_p)

static kr_cell psr_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call;
    return kr_stat_psr(series[0], n, scalars[0]);
}

/* ---- two series */

typedef struct pair_window {
    kr_pairs pairs;
    kr_num at;
} pair_window;

static void *pairs_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    UNUSED_ARGS, (void)capacity;
    pair_window *w = kr_alloc(sizeof *w);
    kr_pairs_start(&w->pairs);
    return w;
}

static void *forecast_start(const kr_call *call, const kr_cell *scalars, size_t capacity)
{
    pair_window *w = pairs_start(call, scalars, capacity);
    w->at = scalars[0];
    return w;
}

static void pairs_push(void *state, const kr_cell *x) { kr_pairs_push(&((pair_window *)state)->pairs, x[0], x[1]); }
static void pairs_pop(void *state, const kr_cell *x) { kr_pairs_pop(&((pair_window *)state)->pairs, x[0], x[1]); }
/* Regression takes y first, as spreadsheets do. */
static void line_push(void *state, const kr_cell *x) { kr_pairs_push(&((pair_window *)state)->pairs, x[1], x[0]); }
static void line_pop(void *state, const kr_cell *x) { kr_pairs_pop(&((pair_window *)state)->pairs, x[1], x[0]); }

#define PAIR(name, start, push, pop, expression)                                                                                 \
    static kr_cell name##_value(void *state)                                                                                     \
    {                                                                                                                            \
        pair_window *w = state;                                                                                                  \
        return expression;                                                                                                       \
    }                                                                                                                            \
    static const kr_slide name##_slide = { start, push, pop, name##_value, kr_free };

PAIR(correl, pairs_start, pairs_push, pairs_pop, kr_pairs_correl(&w->pairs))
PAIR(covar_p, pairs_start, pairs_push, pairs_pop, kr_pairs_covar(&w->pairs, KR_POPULATION))
PAIR(covar_s, pairs_start, pairs_push, pairs_pop, kr_pairs_covar(&w->pairs, KR_SAMPLE))
PAIR(slope, pairs_start, line_push, line_pop, kr_pairs_slope(&w->pairs))
PAIR(intercept, pairs_start, line_push, line_pop, kr_pairs_forecast(&w->pairs, KR_NUM_ZERO))
PAIR(forecast, forecast_start, line_push, line_pop, kr_pairs_forecast(&w->pairs, w->at))

SERIES_2(correl, kr_stat_correl)
SERIES_2(covar_p, kr_stat_covar_p)
SERIES_2(covar_s, kr_stat_covar_s)
SERIES_2(slope, kr_stat_slope)
SERIES_2(intercept, kr_stat_intercept)

static kr_cell forecast_series(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    (void)call;
    return kr_stat_forecast(scalars[0], series[0], series[1], n);
}

/* ---- rows */

#define ONE(units) .sig = "series number -> number", .unit = units, .shape = KR_AGGREGATE
#define TWO(units) .sig = "series number, series number -> number", .unit = units, .shape = KR_AGGREGATE
#define BOTH(name) .series = name##_series, .slide = &name##_slide
#define EXACT " The exact value, rounded once."

const kr_fn kr_stats_fns[] = {
    { .name = "SUM", .usage = "SUM(x)", ONE("u -> u"), BOTH(sum),
      .doc = "The exact sum of the known values; only the result must be in range. Over nothing 0.",
      .example = "SUM({1, 2, 3.5})", .gives = "6.5", .edge = "SUM({IF(FALSE, 1)})", .edge_gives = "0" },
    { .name = "AVERAGE", .usage = "AVERAGE(x)", ONE("u -> u"), BOTH(average),
      .doc = "The arithmetic mean of the known values: their exact sum over their number, rounded once. Over nothing blank.",
      .example = "AVERAGE({1, 2, 2})", .gives = "1.666666666666666667", .edge = "AVERAGE({IF(FALSE, 1)})", .edge_gives = "" },
    { .name = "SUMPRODUCT", .usage = "SUMPRODUCT(x, y)", TWO("u, v -> u*v"), BOTH(products),
      .doc = "The sum of x * y over the rows where both are known. Products are exact too: rounded once, where SUM(x * y) rounds each.",
      .example = "SUMPRODUCT({1, 2}, {3, 4})", .gives = "11", .edge = "SUMPRODUCT({0.000000001, 0.000000001}, {0.0000000002, 0.0000000003})",
      .edge_gives = "0" },
    { .name = "VAR.P", .usage = "VAR.P(x)", ONE("u -> u^2"), BOTH(var_p),
      .doc = "Variance of the population: mean squared deviation from the mean, divisor n." EXACT " Over nothing blank.",
      .example = "VAR.P({1, 2, 4, 5})", .gives = "2.5", .edge = "VAR.P({7})", .edge_gives = "0" },
    { .name = "VARP", .usage = "VARP(x)", ONE("u -> u^2"), BOTH(var_p), .doc = "The older name of VAR.P: variance of the population, divisor n." EXACT,
      .example = "VARP({1, 2, 4, 5})", .gives = "2.5", .edge = "VARP({7})", .edge_gives = "0" },
    { .name = "VAR.S", .usage = "VAR.S(x)", ONE("u -> u^2"), BOTH(var_s),
      .doc = "Variance of a sample: squared deviations from the mean over n - 1." EXACT " Fewer than two values: blank.",
      .example = "VAR.S({1, 2, 4, 5})", .gives = "3.333333333333333333", .edge = "VAR.S({7})", .edge_gives = "" },
    { .name = "VAR", .usage = "VAR(x)", ONE("u -> u^2"), BOTH(var_s), .doc = "The older name of VAR.S: variance of a sample, divisor n - 1." EXACT,
      .example = "VAR({1, 2, 4, 5})", .gives = "3.333333333333333333", .edge = "VAR({7})", .edge_gives = "" },
    { .name = "STDEV.P", .usage = "STDEV.P(x)", ONE("u -> u"), BOTH(stdev_p),
      .doc = "Standard deviation of the population: the root of VAR.P." EXACT " Over nothing blank.",
      .example = "STDEV.P({2, 4, 4, 4, 5, 5, 7, 9})", .gives = "2", .edge = "STDEV.P({7})", .edge_gives = "0" },
    { .name = "STDEVP", .usage = "STDEVP(x)", ONE("u -> u"), BOTH(stdev_p), .doc = "The older name of STDEV.P: the root of VAR.P." EXACT,
      .example = "STDEVP({2, 4, 4, 4, 5, 5, 7, 9})", .gives = "2", .edge = "STDEVP({7})", .edge_gives = "0" },
    { .name = "STDEV.S", .usage = "STDEV.S(x)", ONE("u -> u"), BOTH(stdev_s),
      .doc = "Standard deviation of a sample: the root of VAR.S (n - 1)." EXACT " Fewer than two values: blank.",
      .example = "STDEV.S({1, 2, 4, 5})", .gives = "1.825741858350553712", .edge = "STDEV.S({7})", .edge_gives = "" },
    { .name = "STDEV", .usage = "STDEV(x)", ONE("u -> u"), BOTH(stdev_s), .doc = "The older name of STDEV.S: the root of VAR.S." EXACT,
      .example = "STDEV({1, 2, 4, 5})", .gives = "1.825741858350553712", .edge = "STDEV({7})", .edge_gives = "" },
    { .name = "SKEW", .usage = "SKEW(x)", ONE("u -> 1"), BOTH(skew),
      .doc = "Sample skewness as spreadsheets define it, corrected for bias: n / ((n-1)(n-2)) * sum of ((x - mean) / STDEV.S)^3." EXACT
             " Fewer than three values, or no variance: blank.",
      .example = "SKEW({3, 4, 5, 2, 3, 4, 5, 6, 4, 7})", .gives = "0.359543071406797143", .edge = "SKEW({1, 2})", .edge_gives = "" },
    { .name = "SKEW.P", .usage = "SKEW.P(x)", ONE("u -> 1"), BOTH(skew_p),
      .doc = "Skewness of the population: m3 / m2^1.5 of the central moments, divisor n." EXACT " No variance: blank.",
      .example = "SKEW.P({0, 0, 0, 0, 5})", .gives = "1.5", .edge = "SKEW.P({4, 4})", .edge_gives = "" },
    { .name = "SKEWP", .usage = "SKEWP(x)", ONE("u -> 1"), BOTH(skew_p),
      .doc = "LibreOffice's name of SKEW.P: m3 / m2^1.5." EXACT " No variance: blank.",
      .example = "SKEWP({0, 0, 0, 0, 5})", .gives = "1.5", .edge = "SKEWP({4, 4})", .edge_gives = "" },
    { .name = "KURT", .usage = "KURT(x)", ONE("u -> 1"), BOTH(kurt),
      .doc = "Sample kurtosis as spreadsheets define it: corrected for bias, in excess of the normal distribution's 3: n(n+1) / ((n-1)(n-2)(n-3)) * "
             "sum of ((x - mean) / STDEV.S)^4 - 3(n-1)^2 / ((n-2)(n-3))." EXACT " Fewer than four values, or no variance: blank.",
      .example = "KURT({3, 4, 5, 2, 3, 4, 5, 6, 4, 7})", .gives = "-0.151799637208414219", .edge = "KURT({1, 2, 3})", .edge_gives = "" },
    { .name = "KURT.P", .usage = "KURT.P(x)", ONE("u -> 1"), BOTH(kurt_p),
      .doc = "Kurtosis of the population, raw (Pearson): m4 / m2^2 of the central moments, 3 for a normal distribution." EXACT " No variance: blank.",
      .example = "KURT.P({0, 0, 0, 0, 5})", .gives = "3.25", .edge = "KURT.P({4, 4})", .edge_gives = "" },
    { .name = "CORREL", .usage = "CORREL(x, y)", TWO("u, v -> 1"), BOTH(correl),
      .doc = "Pearson's correlation over the rows where both are known, from -1 to 1." EXACT " Fewer than two rows, or no variance in one: blank.",
      .example = "CORREL({1, 2, 3}, {10, 30, 20})", .gives = "0.5", .edge = "CORREL({1, 1, 1}, {1, 2, 3})", .edge_gives = "" },
    { .name = "PEARSON", .usage = "PEARSON(x, y)", TWO("u, v -> 1"), BOTH(correl), .doc = "Another name of CORREL." EXACT,
      .example = "PEARSON({1, 2, 3}, {10, 30, 20})", .gives = "0.5", .edge = "PEARSON({1, 1, 1}, {1, 2, 3})", .edge_gives = "" },
    { .name = "COVARIANCE.P", .usage = "COVARIANCE.P(x, y)", TWO("u, v -> u*v"), BOTH(covar_p),
      .doc = "Covariance of the population: mean product of the deviations from the means, divisor n." EXACT " Over nothing blank.",
      .example = "COVARIANCE.P({1, 2, 3}, {2, 4, 9})", .gives = "2.333333333333333333", .edge = "COVARIANCE.P({7}, {3})", .edge_gives = "0" },
    { .name = "COVAR", .usage = "COVAR(x, y)", TWO("u, v -> u*v"), BOTH(covar_p), .doc = "The older name of COVARIANCE.P, divisor n." EXACT,
      .example = "COVAR({1, 2, 3}, {2, 4, 9})", .gives = "2.333333333333333333", .edge = "COVAR({7}, {3})", .edge_gives = "0" },
    { .name = "COVARIANCE.S", .usage = "COVARIANCE.S(x, y)", TWO("u, v -> u*v"), BOTH(covar_s),
      .doc = "Covariance of a sample: products of the deviations from the means over n - 1." EXACT " Fewer than two rows: blank.",
      .example = "COVARIANCE.S({1, 2, 3}, {2, 4, 9})", .gives = "3.5", .edge = "COVARIANCE.S({7}, {3})", .edge_gives = "" },
    { .name = "SLOPE", .usage = "SLOPE(y, x)", TWO("u, v -> u/v"), BOTH(slope),
      .doc = "Slope of the least squares line of y over x (y comes first, as in spreadsheets)." EXACT " Fewer than two rows, or no variance in x: blank.",
      .example = "SLOPE({2, 4, 9}, {1, 2, 3})", .gives = "3.5", .edge = "SLOPE({1, 2}, {5, 5})", .edge_gives = "" },
    { .name = "INTERCEPT", .usage = "INTERCEPT(y, x)", TWO("u, v -> u"), BOTH(intercept),
      .doc = "Where the least squares line of y over x meets x = 0." EXACT " Fewer than two rows, or no variance in x: blank.",
      .example = "INTERCEPT({2, 4, 9}, {1, 2, 3})", .gives = "-2", .edge = "INTERCEPT({1, 2}, {5, 5})", .edge_gives = "" },
    { .name = "FORECAST", .usage = "FORECAST(at, y, x)", .sig = "number, series number, series number -> number", .unit = "v, u, v -> u",
      .shape = KR_AGGREGATE, BOTH(forecast),
      .doc = "The least squares line of y over x, at x = at." EXACT " Fewer than two rows, or no variance in x: blank.",
      .example = "FORECAST(30, {6, 7, 9, 15, 21}, {20, 28, 31, 38, 40})", .gives = "10.607253086419753086",
      .edge = "FORECAST(1, {1, 2}, {5, 5})", .edge_gives = "" },
    { .name = "SHARPE", .usage = "SHARPE(x)", ONE("u -> 1"), BOTH(sharpe),
      .doc = "Sharpe ratio of returns per period: AVERAGE(x) / STDEV.S(x), as one exact value rounded once. Fewer than two values, or no variance: blank.",
      .source = "Sharpe, The Sharpe Ratio, 1994", .example = "SHARPE({0.02, 0.01, 0.03})", .gives = "2", .edge = "SHARPE({0.01, 0.01})", .edge_gives = "" },
    { .name = "PSR", .usage = "PSR(x, benchmark)", .sig = "series number, number -> number", .unit = "u, * -> 1", .shape = KR_AGGREGATE, BOTH(psr),
      .doc = "Probabilistic Sharpe ratio: the probability that the true Sharpe ratio per period exceeds the benchmark, "
             "normal CDF of (S - benchmark) * sqrt(n - 1) / sqrt(1 - g3 * S + (g4 - 1) / 4 * S^2), where S = mean / STDEV.S, g3 = SKEW.P, g4 = KURT.P "
             "(population moments, raw kurtosis)." EXACT " No variance: 1 or 0 by the sign of the mean, and with a mean of 0 S is 0 and the last root 1. Over nothing blank.",
      .source = "Bailey and Lopez de Prado, The Sharpe Ratio Efficient Frontier, 2012",
      .example = "PSR({0.01, 0.02, -0.01, 0.03, 0}, 0)", .gives = "0.889304117121826821", .edge = "PSR({0.01, 0.01}, 0.03)", .edge_gives = "1" },
    { .name = "PROFITFACTOR", .usage = "PROFITFACTOR(x)", ONE("u -> 1"), BOTH(profit),
      .doc = "Sum of the gains over the absolute sum of the losses." EXACT " No loss: blank.",
      .example = "PROFITFACTOR({3, -1, 2, -1})", .gives = "2.5", .edge = "PROFITFACTOR({1, 2})", .edge_gives = "" },
    { .name = NULL },
};
