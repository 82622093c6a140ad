/* num_share.c: see num_share.h. Sums below 2^128 are divided by wide.h's division; larger ones, which no book of real money has, bit
 * by bit. */
#include "vm/num/num_share.h"

#include <stdlib.h>

#include "vm/num/num_limb.h"
#include "vm/num/wide.h"

/* n / d for a divisor of three limbs, d not 0: the quotient must fit 256 bits, as it always does. */
static kr_u256 divide(kr_u256 n, const uint64_t d[3], uint64_t rest[3])
{
    if (d[2] == 0) {
        kr_u128 rem;
        kr_u256 q = kr_u256_divrem(n, kr_u128_make(d[1], d[0]), &rem);
        rest[0] = kr_u128_lo(rem), rest[1] = kr_u128_hi(rem), rest[2] = 0;
        return q;
    }
    kr_u256 q = { { 0 } };
    uint64_t r[4] = { 0 }; /* below 2d < 2^193 */
    for (int bit = 255; bit >= 0; bit--) {
        for (int i = 3; i > 0; i--)
            r[i] = r[i] << 1 | r[i - 1] >> 63;
        r[0] = r[0] << 1 | (n.w[bit / 64] >> (bit % 64) & 1);
        bool fits = r[3] != 0 || r[2] > d[2] || (r[2] == d[2] && (r[1] > d[1] || (r[1] == d[1] && r[0] >= d[0])));
        if (fits) {
            kr_limbs_sub(r, 4, d, 3);
            q.w[bit / 64] |= UINT64_C(1) << (bit % 64);
        }
    }
    rest[0] = r[0], rest[1] = r[1], rest[2] = r[2];
    return q;
}

static bool magnitude(const kr_sum *sum, uint64_t out[3])
{
    bool negative = kr_limbs_is_neg(sum->limb, 3);
    for (int i = 0; i < 3; i++)
        out[i] = sum->limb[i];
    if (negative)
        kr_limbs_neg(out, 3);
    return negative;
}

/* <0, 0, >0 of 2 * rest against d. */
static int half_cmp(const uint64_t rest[3], const uint64_t d[3])
{
    if (rest[2] >> 63)
        return 1;
    for (int i = 2; i >= 0; i--) {
        uint64_t twice = rest[i] << 1 | (i > 0 ? rest[i - 1] >> 63 : 0);
        if (twice != d[i])
            return twice < d[i] ? -1 : 1;
    }
    return 0;
}

kr_num kr_share_prorate(kr_num total, kr_num x, const kr_sum *sum)
{
    uint64_t d[3], rest[3];
    if (kr_is_special(total) || kr_is_special(x))
        return kr_spread2(total, x);
    bool negative = magnitude(sum, d) ^ (total.hi < 0) ^ (x.hi < 0);
    if (kr_limbs_is_zero(d, 3))
        return KR_NUM_ZERO;
    kr_u256 q = divide(kr_u256_mul(kr_num_magnitude(total), kr_num_magnitude(x)), d, rest);
    int cmp = half_cmp(rest, d);
    if (cmp > 0 || (cmp == 0 && q.w[0] & 1))
        q = kr_u256_add(q, kr_u256_of(kr_u128_of(1)));
    return kr_u128_is_zero(kr_u256_hi(q)) ? kr_num_signed(negative, kr_u256_lo(q)) : KR_E_NUM;
}

static int larger_first(const void *a, const void *b)
{
    const kr_share_part *p = a, *q = b;
    for (int i = 2; i >= 0; i--)
        if (p->rest[i] != q->rest[i])
            return p->rest[i] > q->rest[i] ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

kr_num kr_share_apportion(const kr_num *x, size_t n, const kr_sum *sum, kr_num whole, kr_share_part *parts)
{
    uint64_t d[3];
    if (!kr_num_is_int(whole))
        return kr_is_special(whole) ? whole : KR_E_VALUE;
    if (whole.hi < 0)
        return KR_E_NUM;
    magnitude(sum, d);
    kr_u128 rem, units = kr_u128_divrem(kr_num_magnitude(whole), kr_u128_of(KR_NUM_ONE.lo), &rem), left = units;
    for (size_t i = 0; i < n; i++) {
        kr_u256 q = divide(kr_u256_mul(units, kr_num_magnitude(x[i])), d, parts[i].rest); /* at most `units`: x <= sum */
        left = kr_u128_sub(left, kr_u256_lo(q));
        parts[i].units = kr_num_signed(false, kr_u256_lo(kr_u256_mul(kr_u256_lo(q), kr_u128_of(KR_NUM_ONE.lo))));
        parts[i].index = (uint32_t)i;
    }
    qsort(parts, n, sizeof *parts, larger_first);
    /* fewer than n units are left: each remainder is below one */
    for (size_t i = 0; i < kr_u128_lo(left); i++)
        parts[i].units = kr_num_add(parts[i].units, KR_NUM_ONE);
    return whole;
}
