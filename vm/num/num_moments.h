/* num_moments.h: the exact power sums of a series or a window, and the statistics read from them.
 *
 * A kr_moments holds the exact sums of x, x^2, x^3, x^4 over up to 2^32 - 1 plain numbers (counts of 10^-18; to 192, 320, 448 and 576 bits);
 * a kr_pairs those of x, y, x^2, y^2, xy. Since the sums are exact, pushing and popping in any order leaves no trace: the digits
 * are those of the values inside, computed alone. Plain values, no ownership.
 *
 * With n values, S1 .. S4 their power sums, the central sums are integers:
 *   A = n S2 - S1^2 = n^2 m2,   B = n^3 m3,   C = n^4 m4     (m2, m3, m4 the population's central moments)
 * Each reading is the exact mathematical value rounded once, half to even; out of range: #NUM!; degenerate (no values, no variance,
 * too few for the formula): blank, except PSR. */
#ifndef KR_NUM_MOMENTS_H
#define KR_NUM_MOMENTS_H

#include "vm/num/num_wf.h"

enum kr_divisor { KR_POPULATION, KR_SAMPLE }; /* n, or n - 1 and its bias corrections */

/* Values below 2^63 counts in magnitude (9.2) have sums of their own: nearly all series have no others. Odd sums in two's complement. */
typedef struct kr_moments {
    uint32_t n;
    uint32_t wide;    /* how many are not below 2^63 */
    int order;        /* 2: only the first two sums; 4: all */
    uint64_t s1[2], s2[3], s3[4], s4[5];
    uint64_t w1[3], w2[5], w3[7], w4[9]; /* of the wide values */
} kr_moments;

void kr_moments_start(kr_moments *m, int order);
void kr_moments_push(kr_moments *m, kr_num x); /* plain */
void kr_moments_pop(kr_moments *m, kr_num x);  /* one of the values inside */

kr_num kr_moments_var(const kr_moments *m, enum kr_divisor divisor);
kr_num kr_moments_stdev(const kr_moments *m, enum kr_divisor divisor);
kr_num kr_moments_sharpe(const kr_moments *m);                       /* mean / STDEV.S */
kr_num kr_moments_skew(const kr_moments *m, enum kr_divisor divisor); /* population: m3 / m2^1.5; sample: spreadsheets' SKEW */
/* population: m4 / m2^2 (a normal distribution has 3); sample: spreadsheets' KURT, bias-corrected, in excess of 3 */
kr_num kr_moments_kurt(const kr_moments *m, enum kr_divisor divisor);
/* Probability that the true Sharpe ratio exceeds `benchmark` (Bailey and Lopez de Prado, 2012, eq. 11): raw kurtosis, population
 * skewness and kurtosis, n - 1 in the standard deviation and under the root. Without variance: by the mean's sign 1 or 0, and with a mean
 * of 0 the ratio is 0. No values: blank. */
kr_num kr_moments_psr(const kr_moments *m, kr_num benchmark);
/* The same with what depends on n and the benchmark alone kept between calls (start with { 0 }): for windows. */
typedef struct kr_psr_roots {
    uint32_t n;
    kr_num benchmark;
    kr_wf target;                /* benchmark sqrt(n - 1), in counts of 10^-18 */
    kr_wf less_one, mean_factor; /* n - 1; that times 10^18 */
    kr_wf skew_factor;           /* 4 sqrt(n (n - 1)) */
} kr_psr_roots;
kr_num kr_moments_psr_roots(const kr_moments *m, kr_num benchmark, kr_psr_roots *roots);

typedef struct kr_pairs {
    uint32_t n;
    uint64_t sx[3], sy[3];           /* two's complement */
    uint64_t sxx[5], syy[5], sxy[5]; /* sxy two's complement */
} kr_pairs;

void kr_pairs_start(kr_pairs *p);
void kr_pairs_push(kr_pairs *p, kr_num x, kr_num y);
void kr_pairs_pop(kr_pairs *p, kr_num x, kr_num y);

kr_num kr_pairs_correl(const kr_pairs *p);
kr_num kr_pairs_covar(const kr_pairs *p, enum kr_divisor divisor);
kr_num kr_pairs_slope(const kr_pairs *p);                     /* of y over x, least squares */
kr_num kr_pairs_forecast(const kr_pairs *p, kr_num at);       /* the line's y at x = at; 0: the intercept */

#endif
