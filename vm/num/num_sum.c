/* num_sum.c: exact sums and their quotients. */
#include "vm/num/num_sum.h"

#include "vm/num/num_exact.h"
#include "vm/num/num_wf.h"

/* The number with this sign and magnitude; #NUM! outside the range. */
static kr_num num_of_magnitude(bool neg, const uint64_t *limb, int n)
{
    for (int i = 2; i < n; i++)
        if (limb[i])
            return KR_E_NUM;
    if (limb[1] >> 63)
        return KR_E_NUM;
    if (!neg)
        return (kr_num){ limb[0], (int64_t)limb[1] };
    uint64_t v[2] = { limb[0], limb[1] };
    kr_limbs_neg(v, 2);
    kr_num result = { v[0], (int64_t)v[1] };
    return kr_is_special(result) ? KR_E_NUM : result;
}

/* limb (n limbs) /= d, half even. */
static void divide_half_even(uint64_t *limb, int n, uint64_t d)
{
    uint64_t rest = 0;
    for (int i = n - 1; i >= 0; i--)
        limb[i] = rest | limb[i] ? kr_div_2by1(rest, limb[i], d, &rest) : 0;
    if (rest > d - rest || (rest == d - rest && (limb[0] & 1)))
        for (int i = 0; i < n && ++limb[i] == 0; i++) {
        }
}


int kr_sum_sign(const kr_sum *sum)
{
    if (kr_limbs_is_neg(sum->limb, 3))
        return -1;
    return !kr_limbs_is_zero(sum->limb, 3);
}

kr_num kr_sum_value(const kr_sum *sum)
{
    kr_num low = { sum->limb[0], (int64_t)sum->limb[1] };
    bool fits = sum->limb[2] == (uint64_t)(low.hi >> 63);
    return fits && !kr_is_special(low) ? low : KR_E_NUM;
}

kr_num kr_sum_mean(const kr_sum *sum, uint64_t n)
{
    if (n == 0)
        return KR_BLANK;
    uint64_t limb[3] = { sum->limb[0], sum->limb[1], sum->limb[2] };
    bool neg = kr_limbs_is_neg(limb, 3);
    if (neg)
        kr_limbs_neg(limb, 3);
    divide_half_even(limb, 3, n);
    return num_of_magnitude(neg, limb, 3);
}

static void product(uint64_t out[5], kr_num a, kr_num b, bool subtract)
{
    uint64_t x[2], y[2];
    kr_limbs_of_num(x, a);
    kr_limbs_of_num(y, b);
    kr_limbs_mul(out, 5, x, 2, y, 2);
    if (((a.hi < 0) != (b.hi < 0)) != subtract)
        kr_limbs_neg(out, 5);
}

void kr_sum_products_add(kr_sum_products *sum, kr_num a, kr_num b)
{
    uint64_t p[5];
    product(p, a, b, false);
    kr_limbs_add(sum->limb, 5, p, 5);
}

void kr_sum_products_sub(kr_sum_products *sum, kr_num a, kr_num b)
{
    uint64_t p[5];
    product(p, a, b, true);
    kr_limbs_add(sum->limb, 5, p, 5);
}

kr_num kr_sum_products_value(const kr_sum_products *sum)
{
    uint64_t limb[5];
    for (int i = 0; i < 5; i++)
        limb[i] = sum->limb[i];
    bool neg = kr_limbs_is_neg(limb, 5);
    if (neg)
        kr_limbs_neg(limb, 5);
    divide_half_even(limb, 5, KR_NUM_ONE.lo);
    return num_of_magnitude(neg, limb, 5);
}

int kr_sum_products_sign(const kr_sum_products *sum)
{
    if (kr_limbs_is_neg(sum->limb, 5))
        return -1;
    return !kr_limbs_is_zero(sum->limb, 5);
}

/* a / b of two's complement integers, b not 0, times 10^18 when asked. The fast quotient has a relative error below 2^-110. */
static kr_num ratio(const uint64_t *a, int na, const uint64_t *b, int nb, bool scale)
{
    static const kr_wf unit = { UINT64_C(0xDE0B6B3A76400000), 0, -68, false }; /* 10^18 */
    kr_num result;
    kr_wf q = kr_wf_div(kr_wf_of_signed(a, na), kr_wf_of_signed(b, nb));
    if (kr_wf_round(scale ? kr_wf_mul(q, unit) : q, 110, &result))
        return result;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    kr_mpz_set_signed(x, a, na);
    kr_mpz_set_signed(y, b, nb);
    if (scale)
        kr_mpz_scale(x);
    result = kr_exact_ratio(x, y);
    mpz_clears(x, y, NULL);
    return result;
}

kr_num kr_sum_ratio(const kr_sum *a, const kr_sum *b)
{
    return kr_sum_sign(b) == 0 ? KR_BLANK : ratio(a->limb, 3, b->limb, 3, true);
}

kr_num kr_sum_products_ratio(const kr_sum_products *a, const kr_sum_products *b)
{
    return kr_sum_products_sign(b) == 0 ? KR_BLANK : ratio(a->limb, 5, b->limb, 5, true);
}

kr_num kr_sum_products_over(const kr_sum_products *sum, uint64_t d)
{
    return ratio(sum->limb, 5, (const uint64_t[]){ d, 0 }, 2, false);
}
