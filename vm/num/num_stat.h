/* num_stat.h: statistics of a whole series.
 *
 * A series is an array of plain numbers: no blanks, no errors (callers step over the first and spread the second), at most 2^32 - 1 of
 * them. Scalar arguments are plain too. Every result is the exact mathematical value of its arguments, rounded once, half to even; out
 * of range: #NUM!; degenerate (nothing to take it of, no variance, too few values): blank unless the function says otherwise.
 * Where order matters, x[0] is the oldest. Nothing allocates but the exact slow paths (GMP, MPFR), which free what they take.
 *
 * Sums, moments, regression: read from exact power sums (num_moments.h), which windows keep and slide. */
#ifndef KR_NUM_STAT_H
#define KR_NUM_STAT_H

#include "vm/num/num.h"

/* ---- sums and moments (num_stat.c) */
kr_num kr_stat_sum(const kr_num *x, size_t n);                              /* nothing: 0 */
kr_num kr_stat_average(const kr_num *x, size_t n);
kr_num kr_stat_sumproduct(const kr_num *x, const kr_num *y, size_t n);      /* products exact too; nothing: 0 */
kr_num kr_stat_var_p(const kr_num *x, size_t n);
kr_num kr_stat_var_s(const kr_num *x, size_t n);
kr_num kr_stat_stdev_p(const kr_num *x, size_t n);
kr_num kr_stat_stdev_s(const kr_num *x, size_t n);
kr_num kr_stat_skew(const kr_num *x, size_t n);                             /* spreadsheets' SKEW, bias-corrected; n >= 3 */
kr_num kr_stat_skew_p(const kr_num *x, size_t n);                           /* m3 / m2^1.5 */
kr_num kr_stat_kurt(const kr_num *x, size_t n);                             /* spreadsheets' KURT, bias-corrected excess; n >= 4 */
kr_num kr_stat_kurt_p(const kr_num *x, size_t n);                           /* m4 / m2^2, normal = 3 */
kr_num kr_stat_sharpe(const kr_num *x, size_t n);                           /* AVERAGE / STDEV.S */
kr_num kr_stat_psr(const kr_num *x, size_t n, kr_num benchmark);            /* kr_moments_psr */
kr_num kr_stat_correl(const kr_num *x, const kr_num *y, size_t n);
kr_num kr_stat_covar_p(const kr_num *x, const kr_num *y, size_t n);
kr_num kr_stat_covar_s(const kr_num *x, const kr_num *y, size_t n);
kr_num kr_stat_slope(const kr_num *y, const kr_num *x, size_t n);           /* least squares, y over x: the spreadsheets' order */
kr_num kr_stat_intercept(const kr_num *y, const kr_num *x, size_t n);
kr_num kr_stat_forecast(kr_num at, const kr_num *y, const kr_num *x, size_t n);
kr_num kr_stat_profitfactor(const kr_num *x, size_t n);                     /* gains / |losses|; no loss: blank */

/* The recursion s = alpha x + (1 - alpha) s, rounded at each step (and only there); it starts at the first value. alpha in [0, 1], else #NUM!. */
kr_num kr_stat_ema(const kr_num *x, size_t n, kr_num alpha);
kr_num kr_stat_ema_step(kr_num smoothed, kr_num x, kr_num alpha);           /* one step; alpha in [0, 1] */

/* ---- weights (num_gpr.c) */
/* 2^(-k / half_life) rounded to 18 decimals; half_life > 0, else #NUM!. */
kr_num kr_stat_decay(uint64_t k, kr_num half_life);
/* Gain to pain: sum w x / |sum w min(x, 0)| with w = weights[k] for the k-th newest (x[n - 1] has k = 0). No loss: blank.
 * weights: n of them, as kr_stat_decay gives them. */
kr_num kr_stat_gpr(const kr_num *x, size_t n, const kr_num *weights);

/* ---- order (num_order.c); `sorted` is ascending */
void kr_stat_sort(kr_num *x, size_t n);                                     /* in place, ascending */
kr_num kr_stat_median(const kr_num *sorted, size_t n);                      /* even n: the mean of the middle two */
/* Inclusive: the value at rank p (n - 1), counted from 0, straight lines between. p outside [0, 1]: #NUM!. */
kr_num kr_stat_percentile(const kr_num *sorted, size_t n, kr_num p);
kr_num kr_stat_quartile(const kr_num *sorted, size_t n, kr_num quarter);    /* its fraction is cut; outside 0 .. 4: #NUM! */
bool kr_stat_quartile_share(kr_num quarter, kr_num *p);                     /* quarter as a percentile; false: out of range */
/* Where a percentile at fraction p of n values lies: *index, and the fraction on the way to index + 1. False: p outside [0, 1]. */
bool kr_stat_percentile_place(size_t n, kr_num p, size_t *index, kr_num *fraction);
kr_num kr_stat_between(kr_num a, kr_num b, kr_num fraction);                /* a + (b - a) fraction, a <= b, fraction in [0, 1] */
/* Share of ranks below `value`, inclusive, straight lines between neighbours; outside the values: #N/A; one value equal to it: 1. */
kr_num kr_stat_percentrank(const kr_num *sorted, size_t n, kr_num value);
/* 1 + how many of x are above value (below it, when ascending); not among x: #N/A. */
kr_num kr_stat_rank(kr_num value, const kr_num *x, size_t n, bool ascending);

/* ---- lines through points (num_line.c) */
/* y at x on the straight lines through (xs, ys), xs ascending strictly; outside them: #N/A; xs out of order: #VALUE!. */
kr_num kr_stat_interpolate(kr_num x, const kr_num *xs, const kr_num *ys, size_t n);

/* A value over time: points (time ms, ascending; of several at one time only the last counts), straight lines between them, past the last
 * one its value, before the first one `before` (which may be blank: then what needs it is blank), jumping at the point. No points: blank. */
kr_num kr_stat_value_at(const int64_t *time_ms, const kr_num *value, size_t n, int64_t at_ms, kr_num before);
/* Its time-weighted average over [from, to); from >= to: #NUM!. */
kr_num kr_stat_twa(const int64_t *time_ms, const kr_num *value, size_t n, int64_t from_ms, int64_t to_ms, kr_num before);

#endif
