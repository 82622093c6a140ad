/* test_stats.c: every statistic against stats_reference.h, digit for digit, on random series of many kinds.
 * Arguments: [seed [series]]; the seed is printed. KR_SLOW=1: ten times as many. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/stats_reference.h"
#include "vm/num/num_moments.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

enum { MOST = 400 };

static unsigned passed, failed;

static void show(kr_num a)
{
    char text[KR_NUM_TEXT];
    kr_num_write(a, text);
    printf("%s", text);
}

static void check(const char *what, kr_num got, kr_num want, unsigned series, size_t n)
{
    if (kr_raw_eq(got, want)) {
        passed++;
        return;
    }
    if (failed++ < 20) {
        printf("FAIL %s, series %u of %zu values: got ", what, series, n);
        show(got);
        printf(", want ");
        show(want);
        printf("\n");
    }
}

/* ---- random series */

static size_t random_length(void)
{
    switch (ref_below(4)) {
    case 0: return ref_below(8);
    case 1: return ref_below(70);
    case 2: return ref_below(30);
    default: return ref_below(MOST + 1);
    }
}

/* Fills x; the kinds past the plain ones are constant, two-point, nearly constant, and with outliers. */
static size_t random_series(kr_num x[MOST])
{
    size_t n = random_length();
    int kind = (int)ref_below(7), shape = (int)ref_below(12);
    for (size_t i = 0; i < n; i++)
        x[i] = ref_value(kind);
    if (n == 0)
        return 0;
    kr_num other = ref_value(kind);
    for (size_t i = 1; i < n; i++) {
        if (shape == 0)
            x[i] = x[0];
        else if (shape == 1)
            x[i] = ref_below(3) ? x[0] : other;
        else if (shape == 2 && kind != 2)
            x[i] = kr_num_add(x[0], ref_count((int64_t)ref_below(3)));
        else if (shape == 3 && kind != 2 && ref_below(20) == 0)
            x[i] = kr_num_of_int(ref_below(2) ? 1000000 : -1000000);
    }
    if (shape == 4)
        for (size_t i = 0; i < n; i++)
            x[i] = KR_NUM_ZERO;
    return n;
}

/* A two-point series with g3 S next to 2, where the root of the PSR is next to 0, and a benchmark next to S. */
static size_t degenerate_series(kr_num x[MOST], kr_num *benchmark)
{
    size_t n = 2 + ref_below(60), k = 1 + ref_below(n - 1);
    mpfr_t t, p, sd;
    mpfr_inits2(300, t, p, sd, (mpfr_ptr)NULL);
    mpfr_set_ui(p, k, MPFR_RNDN); /* k of n are low + d */
    mpfr_div_ui(p, p, n, MPFR_RNDN);
    mpfr_ui_sub(t, 1, p, MPFR_RNDN);
    mpfr_mul(t, t, p, MPFR_RNDN);
    mpfr_sqrt(sd, t, MPFR_RNDN); /* in units of d, population; g3 = (1 - 2p) / sd */
    kr_num d = ref_count((int64_t)(1 + ref_below(ref_below(2) ? 1000 : 1000000000000000000)));
    if (ref_below(4) == 0)
        d = ref_halves(ref_u64() >> (8 + ref_below(50)), ref_u64());
    kr_num low = KR_NUM_ZERO;
    if (2 * k != n) {
        mpfr_mul_ui(t, p, 2, MPFR_RNDN);
        mpfr_ui_sub(t, 1, t, MPFR_RNDN);
        mpfr_div(t, sd, t, MPFR_RNDN);
        mpfr_mul_ui(t, t, 2, MPFR_RNDN); /* S */
        *benchmark = ref_round_mpfr(t);
        mpfr_mul(t, t, sd, MPFR_RNDN);
        mpfr_mul_ui(t, t, n, MPFR_RNDN); /* times sqrt(n / (n - 1)) for the sample's deviation */
        mpfr_div_ui(t, t, n - 1, MPFR_RNDN);
        mpfr_set_ui(sd, n - 1, MPFR_RNDN);
        mpfr_div_ui(sd, sd, n, MPFR_RNDN);
        mpfr_sqrt(sd, sd, MPFR_RNDN);
        mpfr_mul(t, t, sd, MPFR_RNDN);
        mpfr_sub(t, t, p, MPFR_RNDN);
        mpq_t q;
        mpq_init(q);
        ref_set(q, d);
        mpfr_mul_q(t, t, q, MPFR_RNDN);
        mpq_clear(q);
        low = ref_round_mpfr(t);
    } else {
        *benchmark = KR_NUM_ZERO;
    }
    *benchmark = kr_num_add(*benchmark, ref_count((int64_t)ref_below(5) - 2));
    for (size_t i = 0; i < n; i++)
        x[i] = i < k ? kr_num_add(low, d) : low;
    for (size_t i = 0; i < n; i++)
        if (kr_is_special(x[i])) /* past the range */
            x[i] = KR_NUM_MAX;
    mpfr_clears(t, p, sd, (mpfr_ptr)NULL);
    return n;
}

static kr_num random_benchmark(void)
{
    switch (ref_below(5)) {
    case 0: return KR_NUM_ZERO;
    case 1: return ref_count(30000000000000000); /* 0.03 */
    case 2: return ref_count((int64_t)ref_u64());
    case 3: return ref_count((int64_t)ref_below(400000000000000000) - 200000000000000000);
    default: return ref_value(5);
    }
}

/* ---- the checks of one series */

static void check_moments(const kr_num *x, size_t n, unsigned series, kr_num benchmark)
{
    ref_moments r;
    ref_moments_init(&r, x, n);
    check("AVERAGE", kr_stat_average(x, n), n ? ref_round(r.mean) : KR_BLANK, series, n);
    mpq_t sum, v;
    mpq_inits(sum, v, NULL);
    ref_set_ui(v, n, 1);
    mpq_mul(sum, r.mean, v);
    check("SUM", kr_stat_sum(x, n), ref_round(sum), series, n);
    mpq_clears(sum, v, NULL);
    check("VAR.P", kr_stat_var_p(x, n), ref_var(&r, n, false, false), series, n);
    check("VAR.S", kr_stat_var_s(x, n), ref_var(&r, n, true, false), series, n);
    check("STDEV.P", kr_stat_stdev_p(x, n), ref_var(&r, n, false, true), series, n);
    check("STDEV.S", kr_stat_stdev_s(x, n), ref_var(&r, n, true, true), series, n);
    check("SHARPE", kr_stat_sharpe(x, n), ref_sharpe(&r, n), series, n);
    check("SKEW", kr_stat_skew(x, n), ref_skew(&r, n, true), series, n);
    check("SKEW.P", kr_stat_skew_p(x, n), ref_skew(&r, n, false), series, n);
    check("KURT", kr_stat_kurt(x, n), ref_kurt(&r, n, true), series, n);
    check("KURT.P", kr_stat_kurt_p(x, n), ref_kurt(&r, n, false), series, n);
    check("PSR", kr_stat_psr(x, n, benchmark), ref_psr(&r, n, benchmark), series, n);
    ref_moments_clear(&r);
}

static void check_pairs(const kr_num *x, const kr_num *y, size_t n, unsigned series)
{
    ref_pairs r;
    ref_pairs_init(&r, x, y, n);
    kr_num at = ref_value((int)ref_below(7));
    check("CORREL", kr_stat_correl(x, y, n), ref_correl(&r, n), series, n);
    check("COVARIANCE.P", kr_stat_covar_p(x, y, n), ref_covar(&r, n, false), series, n);
    check("COVARIANCE.S", kr_stat_covar_s(x, y, n), ref_covar(&r, n, true), series, n);
    check("SLOPE", kr_stat_slope(y, x, n), ref_line(&r, n, NULL), series, n);
    check("INTERCEPT", kr_stat_intercept(y, x, n), ref_line(&r, n, &KR_NUM_ZERO), series, n);
    check("FORECAST", kr_stat_forecast(at, y, x, n), ref_line(&r, n, &at), series, n);
    ref_pairs_clear(&r);

    mpq_t sum, a, b;
    mpq_inits(sum, a, b, NULL);
    for (size_t i = 0; i < n; i++) {
        ref_set(a, x[i]);
        ref_set(b, y[i]);
        mpq_mul(a, a, b);
        mpq_add(sum, sum, a);
    }
    check("SUMPRODUCT", kr_stat_sumproduct(x, y, n), ref_round(sum), series, n);
    mpq_clears(sum, a, b, NULL);
}

static void check_gpr(const kr_num *x, size_t n, unsigned series)
{
    static kr_num weights[MOST], reference[MOST], ones[MOST], last_half_life;
    if (series % 500 == 0) { /* the weights are the dear part: a new half-life now and then */
        last_half_life = series % 1000 == 0 ? kr_num_of_int((int64_t)ref_below(40) + 1) : ref_count(1 + (int64_t)(ref_u64() >> ref_below(60) >> 1));
        for (size_t k = 0; k < MOST; k++) {
            weights[k] = kr_stat_decay(k, last_half_life);
            reference[k] = ref_decay(k, last_half_life);
            ones[k] = KR_NUM_ONE;
            check("decay", weights[k], reference[k], series, k);
        }
    }
    check("GPR", kr_stat_gpr(x, n, weights), ref_gpr(x, n, reference), series, n);
    check("PROFITFACTOR + 1", kr_num_sub(kr_stat_profitfactor(x, n), KR_NUM_ONE), ref_gpr(x, n, ones), series, n);
}

static int by_value(const void *a, const void *b) { return kr_raw_cmp(*(const kr_num *)a, *(const kr_num *)b); }

static void check_order(const kr_num *x, size_t n, unsigned series)
{
    kr_num sorted[MOST], ours[MOST];
    memcpy(sorted, x, n * sizeof *x);
    memcpy(ours, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, by_value);
    kr_stat_sort(ours, n);
    kr_num p = ref_count((int64_t)ref_below(1000000000000000001));
    if (ref_below(3) == 0)
        p = ref_count((int64_t)ref_below(101) * 10000000000000000);
    kr_num want = KR_BLANK, median = KR_BLANK;
    if (n > 0) { /* the line through (i, sorted[i]) at p (n - 1) */
        mpq_t place, a, b;
        mpq_inits(place, a, b, NULL);
        for (int half = 0; half < 2; half++) {
            ref_set(place, half ? ref_count(500000000000000000) : p);
            ref_set_ui(a, n - 1, 1);
            mpq_mul(place, place, a);
            mpz_t whole;
            mpz_init(whole);
            mpz_fdiv_q(whole, mpq_numref(place), mpq_denref(place));
            size_t i = mpz_get_ui(whole);
            mpz_clear(whole);
            ref_set_ui(a, i, 1);
            mpq_sub(place, place, a);
            ref_set(a, sorted[i]);
            if (i + 1 < n) {
                ref_set(b, sorted[i + 1]);
                mpq_sub(b, b, a);
                mpq_mul(b, b, place);
                mpq_add(a, a, b);
            }
            *(half ? &median : &want) = ref_round(a);
        }
        mpq_clears(place, a, b, NULL);
    }
    check("PERCENTILE", kr_stat_percentile(ours, n, p), want, series, n);
    check("MEDIAN", kr_stat_median(ours, n), median, series, n);
    check("QUARTILE 2", kr_stat_quartile(ours, n, kr_num_of_int(2)), median, series, n);
    check("QUARTILE 4", kr_stat_quartile(ours, n, kr_num_of_int(4)), n ? sorted[n - 1] : KR_BLANK, series, n);

    if (n == 0)
        return;
    kr_num v = x[ref_below(n)];
    int64_t above = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        above += kr_raw_cmp(x[i], v) > 0;
        below += kr_raw_cmp(x[i], v) < 0;
    }
    check("RANK", kr_stat_rank(v, x, n, false), kr_num_of_int(above + 1), series, n);
    check("RANK ascending", kr_stat_rank(v, x, n, true), kr_num_of_int(below + 1), series, n);
    if (n > 1)
        check("PERCENTRANK", kr_stat_percentrank(ours, n, v), kr_num_div(kr_num_of_int(below), kr_num_of_int((int64_t)n - 1)), series, n);
}

static void check_line(const kr_num *x, size_t n, unsigned series)
{
    int64_t time_ms[MOST], t = (int64_t)ref_below(1000) - 500;
    uint64_t step = ref_below(2) ? 20 : 100000000;
    for (size_t i = 0; i < n; i++) {
        time_ms[i] = t;
        t += (int64_t)ref_below(step); /* sometimes the same instant */
    }
    int64_t span = t + 600, from = (int64_t)ref_below((uint64_t)span + 600) - 600, to = from + (int64_t)ref_below((uint64_t)span + 100);
    if (n > 0 && ref_below(3) == 0)
        from = time_ms[ref_below(n)];
    if (n > 0 && ref_below(3) == 0)
        to = time_ms[ref_below(n)];
    kr_num before = ref_below(2) ? KR_NUM_ZERO : ref_below(2) ? KR_BLANK : ref_value((int)ref_below(7));
    check("TWA", kr_stat_twa(time_ms, x, n, from, to, before), ref_twa(time_ms, x, n, from, to, before), series, n);
    check("VALUE_AT", kr_stat_value_at(time_ms, x, n, from, before), ref_value_at(time_ms, x, n, from, before), series, n);
    check("VALUE_AT", kr_stat_value_at(time_ms, x, n, to, before), ref_value_at(time_ms, x, n, to, before), series, n);

    kr_num xs[MOST];
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (m == 0 || time_ms[i] > (int64_t)xs[m - 1].lo)
            xs[m++] = ref_count(time_ms[i]);
    for (size_t i = 0; i < m; i++) /* as instants: INTERPOLATE is VALUE_AT inside the points */
        time_ms[i] = kr_cell_int(xs[i]);
    if (m > 0 && time_ms[0] >= 0) {
        bool inside = from >= time_ms[0] && from <= time_ms[m - 1];
        check("INTERPOLATE", kr_stat_interpolate(ref_count(from), xs, x, m), inside ? ref_value_at(time_ms, x, m, from, before) : KR_E_NA, series, m);
    }
}

static void check_ema(const kr_num *x, size_t n, unsigned series)
{
    kr_num alpha = ref_count((int64_t)ref_below(1000000000000000001)), want = n ? x[0] : KR_BLANK;
    mpq_t a, b, v, s;
    mpq_inits(a, b, v, s, NULL);
    ref_set(a, alpha);
    ref_set_ui(b, 1, 1);
    mpq_sub(b, b, a);
    for (size_t i = 1; i < n; i++) {
        ref_set(v, x[i]);
        ref_set(s, want);
        mpq_mul(v, v, a);
        mpq_mul(s, s, b);
        mpq_add(s, s, v);
        want = ref_round(s);
    }
    mpq_clears(a, b, v, s, NULL);
    check("EMA", kr_stat_ema(x, n, alpha), want, series, n);
}

/* More values than the fast path of the third and fourth order takes. */
static void check_long(void)
{
    enum { LONG = 33000 };
    kr_num *x = malloc(LONG * sizeof *x);
    for (size_t i = 0; i < LONG; i++)
        x[i] = ref_value(0);
    check_moments(x, LONG, 0, ref_count(3000000000000000));
    x[7] = KR_NUM_MAX;
    check_moments(x, LONG, 1, ref_count(3000000000000000));
    free(x);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : getenv("KR_SLOW") ? 100000 : 10000;
    ref_state = seed;
    printf("seed %llu, %u series\n", (unsigned long long)seed, count);
    static kr_num x[MOST], y[MOST];
    for (unsigned series = 0; series < count; series++) {
        kr_num benchmark = random_benchmark();
        size_t n = ref_below(8) ? random_series(x) : degenerate_series(x, &benchmark);
        check_moments(x, n, series, benchmark);
        size_t m = random_series(y);
        if (ref_below(4) == 0) /* nearly or wholly on a line */
            for (m = 0; m < n; m++)
                y[m] = ref_below(50) ? kr_num_neg(x[m]) : ref_value((int)ref_below(7));
        m = m < n ? m : n;
        check_pairs(x, y, m, series);
        check_gpr(x, n, series);
        check_order(x, n, series);
        check_line(x, n, series);
        check_ema(x, n, series);
    }
    check_long();
    if (kr_num_ziv_failures() != 0) {
        printf("FAIL: %llu loops gave up\n", (unsigned long long)kr_num_ziv_failures());
        failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
