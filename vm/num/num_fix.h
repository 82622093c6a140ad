/* num_fix.h: products of fixed-point fractions, cut, and the rounding of a result that is known within a bound (private to the
 * elementary functions). */
#ifndef KR_NUM_FIX_H
#define KR_NUM_FIX_H

#include "vm/num/wide.h"

/* floor(a * b / 2^128) or 1 less: the low product's low half is dropped. */
static inline kr_u128 kr_mulhi128(kr_u128 a, kr_u128 b)
{
    uint64_t a0 = kr_u128_lo(a), a1 = kr_u128_hi(a), b0 = kr_u128_lo(b), b1 = kr_u128_hi(b);
    kr_u128 mid = kr_muladd64(a1, b0, kr_mulhi64(a0, b0));
    kr_u128 mid2 = kr_muladd64(a0, b1, kr_u128_lo(mid));
    return kr_u128_add(kr_muladd64(a1, b1, kr_u128_hi(mid)), kr_u128_of(kr_u128_hi(mid2)));
}

/* a * b / 2^192, too small by less than 4: of nine partial products the three lowest are dropped, of three more the low halves. */
static inline kr_u192 kr_mulhi192(kr_u192 a, kr_u192 b)
{
    kr_u128 p22 = kr_mul64(a.w[2], b.w[2]), p21 = kr_mul64(a.w[2], b.w[1]), p12 = kr_mul64(a.w[1], b.w[2]);
    kr_u128 low = kr_u128_add(kr_u128_of(kr_mulhi64(a.w[2], b.w[0])), kr_u128_of(kr_mulhi64(a.w[0], b.w[2])));
    low = kr_u128_add(low, kr_u128_of(kr_mulhi64(a.w[1], b.w[1])));
    low = kr_u128_add(low, kr_u128_add(kr_u128_of(kr_u128_lo(p21)), kr_u128_of(kr_u128_lo(p12)))); /* < 5 * 2^64 */
    kr_u128 mid = kr_u128_add(kr_u128_of(kr_u128_hi(p21)), kr_u128_of(kr_u128_hi(p12)));
    mid = kr_u128_add(mid, kr_u128_of(kr_u128_hi(low)));
    kr_u128 top = kr_u128_add(p22, mid);
    return kr_u192_make(kr_u128_hi(top), kr_u128_lo(top), kr_u128_lo(low));
}

/* The number nearest to p / 2^point counts where the true value is within 2^error_log of p on either side (0 <= point < 256). False when
 * the rounding is not certain; a result that is certainly out of range is #NUM!. */
static inline __attribute__((always_inline)) bool kr_fix_round(kr_u256 p, int point, int error_log, bool negative, kr_num *out)
{
    int slack = error_log + 64 - point; /* the bound in units of 2^-64 counts */
    if (slack > 62)
        return false;
    uint64_t bound = (slack < 0 ? 1 : UINT64_C(1) << slack) + 1; /* 1 more for the cut */
    uint64_t fraction = point >= 64 ? kr_u256_shr(p, point - 64).w[0] : point ? p.w[0] << (64 - point) : 0;
    kr_u256 whole = kr_u256_shr(p, point);
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t gap = fraction >= half ? fraction - half : half - fraction;
    if (gap <= bound)
        return false;
    kr_u128 count = kr_u128_add(kr_u256_lo(whole), kr_u128_of(fraction >> 63));
    *out = (whole.w[2] | whole.w[3]) ? KR_E_NUM : kr_num_signed(negative, count);
    return true;
}

#endif
