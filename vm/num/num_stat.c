/* num_stat.c: whole-series statistics as readings of exact sums. */
#include "vm/num/num_stat.h"

#include "vm/num/num_exact.h"
#include "vm/num/num_moments.h"
#include "vm/num/num_sum.h"

kr_num kr_stat_sum(const kr_num *x, size_t n)
{
    kr_sum sum = KR_SUM_ZERO;
    for (size_t i = 0; i < n; i++)
        kr_sum_add(&sum, x[i]);
    return kr_sum_value(&sum);
}

kr_num kr_stat_average(const kr_num *x, size_t n)
{
    kr_sum sum = KR_SUM_ZERO;
    for (size_t i = 0; i < n; i++)
        kr_sum_add(&sum, x[i]);
    return kr_sum_mean(&sum, n);
}

kr_num kr_stat_sumproduct(const kr_num *x, const kr_num *y, size_t n)
{
    kr_sum_products sum = { { 0 } };
    for (size_t i = 0; i < n; i++)
        kr_sum_products_add(&sum, x[i], y[i]);
    return kr_sum_products_value(&sum);
}

static kr_moments moments(const kr_num *x, size_t n, int order)
{
    kr_moments m;
    kr_moments_start(&m, order);
    for (size_t i = 0; i < n; i++)
        kr_moments_push(&m, x[i]);
    return m;
}

static kr_pairs pairs(const kr_num *x, const kr_num *y, size_t n)
{
    kr_pairs p;
    kr_pairs_start(&p);
    for (size_t i = 0; i < n; i++)
        kr_pairs_push(&p, x[i], y[i]);
    return p;
}

kr_num kr_stat_var_p(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 2);
    return kr_moments_var(&m, KR_POPULATION);
}

kr_num kr_stat_var_s(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 2);
    return kr_moments_var(&m, KR_SAMPLE);
}

kr_num kr_stat_stdev_p(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 2);
    return kr_moments_stdev(&m, KR_POPULATION);
}

kr_num kr_stat_stdev_s(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 2);
    return kr_moments_stdev(&m, KR_SAMPLE);
}

kr_num kr_stat_skew(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 4);
    return kr_moments_skew(&m, KR_SAMPLE);
}

kr_num kr_stat_skew_p(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 4);
    return kr_moments_skew(&m, KR_POPULATION);
}

kr_num kr_stat_kurt(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 4);
    return kr_moments_kurt(&m, KR_SAMPLE);
}

kr_num kr_stat_kurt_p(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 4);
    return kr_moments_kurt(&m, KR_POPULATION);
}

kr_num kr_stat_sharpe(const kr_num *x, size_t n)
{
    kr_moments m = moments(x, n, 2);
    return kr_moments_sharpe(&m);
}

kr_num kr_stat_psr(const kr_num *x, size_t n, kr_num benchmark)
{
    kr_moments m = moments(x, n, 4);
    return kr_moments_psr(&m, benchmark);
}

kr_num kr_stat_correl(const kr_num *x, const kr_num *y, size_t n)
{
    kr_pairs p = pairs(x, y, n);
    return kr_pairs_correl(&p);
}

kr_num kr_stat_covar_p(const kr_num *x, const kr_num *y, size_t n)
{
    kr_pairs p = pairs(x, y, n);
    return kr_pairs_covar(&p, KR_POPULATION);
}

kr_num kr_stat_covar_s(const kr_num *x, const kr_num *y, size_t n)
{
    kr_pairs p = pairs(x, y, n);
    return kr_pairs_covar(&p, KR_SAMPLE);
}

kr_num kr_stat_slope(const kr_num *y, const kr_num *x, size_t n)
{
    kr_pairs p = pairs(x, y, n);
    return kr_pairs_slope(&p);
}

kr_num kr_stat_forecast(kr_num at, const kr_num *y, const kr_num *x, size_t n)
{
    kr_pairs p = pairs(x, y, n);
    return kr_pairs_forecast(&p, at);
}

kr_num kr_stat_intercept(const kr_num *y, const kr_num *x, size_t n) { return kr_stat_forecast(KR_NUM_ZERO, y, x, n); }

kr_num kr_stat_profitfactor(const kr_num *x, size_t n)
{
    kr_sum gains = KR_SUM_ZERO, losses = KR_SUM_ZERO;
    for (size_t i = 0; i < n; i++) {
        if (x[i].hi < 0)
            kr_sum_sub(&losses, x[i]);
        else
            kr_sum_add(&gains, x[i]);
    }
    return kr_sum_ratio(&gains, &losses);
}

kr_num kr_stat_ema_step(kr_num smoothed, kr_num x, kr_num alpha)
{
    kr_sum_products sum = { { 0 } };
    kr_num rest = { KR_NUM_ONE.lo - alpha.lo, 0 };
    kr_sum_products_add(&sum, x, alpha);
    kr_sum_products_add(&sum, smoothed, rest);
    return kr_sum_products_value(&sum);
}

kr_num kr_stat_ema(const kr_num *x, size_t n, kr_num alpha)
{
    if (alpha.hi != 0 || alpha.lo > KR_NUM_ONE.lo)
        return KR_E_NUM;
    if (n == 0)
        return KR_BLANK;
    kr_num smoothed = x[0];
    for (size_t i = 1; i < n; i++)
        smoothed = kr_stat_ema_step(smoothed, x[i], alpha); /* between the two, so always in range */
    return smoothed;
}
