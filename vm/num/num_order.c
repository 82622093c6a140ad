/* num_order.c: statistics of order. */
#include <stdlib.h>

#include "vm/num/num_exact.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

static int compare(const void *a, const void *b) { return kr_raw_cmp(*(const kr_num *)a, *(const kr_num *)b); }

void kr_stat_sort(kr_num *x, size_t n)
{
    if (n > 1)
        qsort(x, n, sizeof *x, compare);
}

kr_num kr_stat_median(const kr_num *sorted, size_t n)
{
    if (n == 0)
        return KR_BLANK;
    if (n % 2)
        return sorted[n / 2];
    kr_sum sum = KR_SUM_ZERO;
    kr_sum_add(&sum, sorted[n / 2 - 1]);
    kr_sum_add(&sum, sorted[n / 2]);
    return kr_sum_mean(&sum, 2);
}

/* p (n - 1) = index + fraction, exact: p has at most 60 bits, n - 1 at most 32, so the product is taken in two halves of 10^9. */
bool kr_stat_percentile_place(size_t n, kr_num p, size_t *index, kr_num *fraction)
{
    if (p.hi != 0 || p.lo > KR_NUM_ONE.lo)
        return false;
    const uint64_t half = 1000000000;
    uint64_t steps = n - 1, low = p.lo % half * steps, high = p.lo / half * steps + low / half;
    *index = (size_t)(high / half);
    *fraction = (kr_num){ high % half * half + low % half, 0 };
    return true;
}

kr_num kr_stat_between(kr_num a, kr_num b, kr_num fraction) { return kr_stat_ema_step(a, b, fraction); }

kr_num kr_stat_percentile(const kr_num *sorted, size_t n, kr_num p)
{
    size_t index = 0;
    kr_num fraction;
    if (n == 0)
        return p.hi != 0 || p.lo > KR_NUM_ONE.lo ? KR_E_NUM : KR_BLANK;
    if (!kr_stat_percentile_place(n, p, &index, &fraction))
        return KR_E_NUM;
    if (fraction.lo == 0)
        return sorted[index];
    return kr_stat_between(sorted[index], sorted[index + 1], fraction);
}

bool kr_stat_quartile_share(kr_num quarter, kr_num *p)
{
    if (quarter.hi != 0 || quarter.lo / KR_NUM_ONE.lo > 4)
        return false;
    *p = (kr_num){ quarter.lo / KR_NUM_ONE.lo * (KR_NUM_ONE.lo / 4), 0 };
    return true;
}

kr_num kr_stat_quartile(const kr_num *sorted, size_t n, kr_num quarter)
{
    kr_num p;
    return kr_stat_quartile_share(quarter, &p) ? kr_stat_percentile(sorted, n, p) : KR_E_NUM;
}

/* With c values below v: v itself among them ranks c of n - 1; between a < v < b it ranks c - 1 + (v - a) / (b - a). */
kr_num kr_stat_percentrank(const kr_num *sorted, size_t n, kr_num value)
{
    if (n == 0)
        return KR_BLANK;
    if (kr_raw_cmp(value, sorted[0]) < 0 || kr_raw_cmp(value, sorted[n - 1]) > 0)
        return KR_E_NA;
    if (n == 1)
        return KR_NUM_ONE;
    size_t c = 0, end = n;
    while (c < end) {
        size_t middle = c + (end - c) / 2;
        if (kr_raw_cmp(sorted[middle], value) < 0)
            c = middle + 1;
        else
            end = middle;
    }
    mpz_t num, den, a, v;
    mpz_inits(num, den, a, v, NULL);
    if (kr_raw_eq(sorted[c], value)) {
        kr_mpz_set_u64(num, c);
        mpz_set_ui(den, 1);
    } else {
        kr_mpz_set_num(a, sorted[c - 1]);
        kr_mpz_set_num(v, value);
        kr_mpz_set_num(den, sorted[c]);
        mpz_sub(den, den, a);
        mpz_sub(num, v, a);
        mpz_addmul_ui(num, den, c - 1);
    }
    mpz_mul_ui(den, den, n - 1);
    kr_mpz_scale(num);
    kr_num result = kr_exact_ratio(num, den);
    mpz_clears(num, den, a, v, NULL);
    return result;
}

kr_num kr_stat_rank(kr_num value, const kr_num *x, size_t n, bool ascending)
{
    int64_t before = 0;
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        int side = kr_raw_cmp(x[i], value);
        found |= side == 0;
        before += ascending ? side < 0 : side > 0;
    }
    return found ? kr_num_of_int(before + 1) : KR_E_NA;
}
