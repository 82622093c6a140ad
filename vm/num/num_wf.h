/* num_wf.h: floating point on integers, 128 bits of mantissa, for the fast paths of the statistics (private to vm/num).
 *
 * A value is (hi * 2^64 + lo) * 2^exp, hi's top bit set, or zero (hi = 0). Results are truncated. With u = 2^-126, relative errors:
 * of_limbs and mul at most u, div at most 2^-121, rsqrt at most 2^-122; add at most u of the larger operand (not of the result:
 * whoever subtracts accounts for it). Exponents stay far from the ends of int32. Whether such a value may be rounded is
 * kr_wf_round's question; where it says no, exact integers decide (num_exact.h). */
#ifndef KR_NUM_WF_H
#define KR_NUM_WF_H

#include "vm/num/num_limb.h"

typedef struct kr_wf {
    uint64_t hi, lo;
    int32_t exp;
    bool neg;
} kr_wf;

static inline bool kr_wf_is_zero(kr_wf a) { return a.hi == 0; }
static inline kr_wf kr_wf_neg(kr_wf a) { a.neg = !a.neg; return a; }

/* Shifts the mantissa up until its top bit is set. */
static inline kr_wf kr_wf_normal(uint64_t hi, uint64_t lo, int32_t exp, bool neg)
{
    if (hi == 0) {
        if (lo == 0)
            return (kr_wf){ 0, 0, 0, false };
        hi = lo, lo = 0, exp -= 64;
    }
    int up = __builtin_clzll(hi);
    if (up)
        hi = hi << up | lo >> (64 - up), lo <<= up;
    return (kr_wf){ hi, lo, exp - up, neg };
}

static inline kr_wf kr_wf_of_u64(uint64_t v) { return kr_wf_normal(0, v, 0, false); }

/* An unsigned integer of n limbs. */
KR_LIMB_INLINE kr_wf kr_wf_of_limbs(const uint64_t *limb, int n)
{
    int top = n - 1;
    while (top > 0 && limb[top] == 0)
        top--;
    if (top < 2)
        return kr_wf_normal(n > 1 ? limb[1] : 0, limb[0], 0, false);
    int up = __builtin_clzll(limb[top]);
    uint64_t hi = limb[top], lo = limb[top - 1];
    if (up)
        hi = hi << up | lo >> (64 - up), lo = lo << up | limb[top - 2] >> (64 - up);
    return (kr_wf){ hi, lo, 64 * (top - 1) - up, false };
}

/* A two's complement integer of n <= 9 limbs. */
KR_LIMB_INLINE kr_wf kr_wf_of_signed(const uint64_t *limb, int n)
{
    if (!kr_limbs_is_neg(limb, n))
        return kr_wf_of_limbs(limb, n);
    uint64_t t[9];
    for (int i = 0; i < n; i++)
        t[i] = limb[i];
    kr_limbs_neg(t, n);
    return kr_wf_neg(kr_wf_of_limbs(t, n));
}

static inline kr_wf kr_wf_of_num(kr_num a)
{
    uint64_t limb[2];
    kr_limbs_of_num(limb, a);
    return kr_wf_normal(limb[1], limb[0], 0, a.hi < 0);
}

static inline kr_wf kr_wf_mul(kr_wf a, kr_wf b)
{
    if (a.hi == 0 || b.hi == 0)
        return (kr_wf){ 0, 0, 0, false };
    uint64_t carry = kr_mulhi64(a.lo, b.lo), high, mid;
    mid = kr_limb_muladd(a.hi, b.lo, 0, &carry), high = carry;
    carry = 0;
    (void)kr_limb_muladd(a.lo, b.hi, mid, &carry);
    uint64_t lo = kr_limb_muladd(a.hi, b.hi, high, &carry), hi = carry;
    int up = 1 - (int)(hi >> 63);
    if (up)
        hi = hi << 1 | lo >> 63, lo <<= 1;
    return (kr_wf){ hi, lo, a.exp + b.exp + 128 - up, a.neg != b.neg };
}

static inline bool kr_wf_mag_less(kr_wf a, kr_wf b) /* |a| < |b| */
{
    if (a.hi == 0 || b.hi == 0)
        return b.hi != 0 && a.hi == 0;
    if (a.exp != b.exp)
        return a.exp < b.exp;
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

static inline kr_wf kr_wf_add(kr_wf a, kr_wf b)
{
    if (kr_wf_mag_less(a, b)) {
        kr_wf t = a;
        a = b, b = t;
    }
    if (b.hi == 0 || a.exp - b.exp >= 128)
        return a;
    int down = a.exp - b.exp;
    uint64_t hi = b.hi, lo = b.lo, carry = 0;
    if (down >= 64)
        lo = hi, hi = 0, down -= 64;
    if (down)
        lo = lo >> down | hi << (64 - down), hi >>= down;
    if (a.neg != b.neg) {
        lo = kr_limb_subb(a.lo, lo, &carry);
        hi = kr_limb_subb(a.hi, hi, &carry);
        return kr_wf_normal(hi, lo, a.exp, a.neg);
    }
    lo = kr_limb_addc(a.lo, lo, &carry);
    hi = kr_limb_addc(a.hi, hi, &carry);
    if (!carry)
        return (kr_wf){ hi, lo, a.exp, a.neg };
    return (kr_wf){ hi >> 1 | UINT64_C(1) << 63, lo >> 1 | hi << 63, a.exp + 1, a.neg };
}

static inline kr_wf kr_wf_sub(kr_wf a, kr_wf b) { return kr_wf_add(a, kr_wf_neg(b)); }

/* round(2^15 / sqrt((i + 1/2) / 256)) for i = 64 .. 255, at most 65535: 1/sqrt to 8 bits from the top byte. */
static const uint16_t kr_wf_rsqrt_seed[192] = {
    65281, 64781, 64292, 63814, 63347, 62889, 62442, 62004, 61575, 61154, 60742, 60339, 59943, 59555, 59175, 58801,
    58435, 58075, 57722, 57376, 57035, 56700, 56372, 56049, 55731, 55419, 55112, 54810, 54513, 54221, 53933, 53650,
    53371, 53097, 52826, 52560, 52298, 52040, 51785, 51535, 51288, 51044, 50804, 50567, 50333, 50103, 49876, 49652,
    49430, 49212, 48997, 48784, 48574, 48367, 48163, 47961, 47761, 47564, 47370, 47178, 46988, 46800, 46615, 46432,
    46251, 46072, 45895, 45720, 45547, 45376, 45207, 45040, 44875, 44711, 44550, 44390, 44232, 44075, 43920, 43767,
    43615, 43465, 43316, 43169, 43024, 42879, 42737, 42595, 42456, 42317, 42180, 42044, 41910, 41776, 41644, 41514,
    41384, 41256, 41129, 41003, 40878, 40754, 40631, 40510, 40390, 40270, 40152, 40035, 39919, 39803, 39689, 39576,
    39464, 39352, 39242, 39133, 39024, 38916, 38810, 38704, 38599, 38494, 38391, 38289, 38187, 38086, 37986, 37887,
    37788, 37690, 37593, 37497, 37401, 37307, 37213, 37119, 37027, 36935, 36843, 36753, 36663, 36573, 36485, 36397,
    36309, 36222, 36136, 36051, 35966, 35882, 35798, 35715, 35632, 35550, 35469, 35388, 35307, 35228, 35148, 35070,
    34991, 34914, 34837, 34760, 34684, 34608, 34533, 34458, 34384, 34310, 34237, 34164, 34092, 34020, 33949, 33878,
    33807, 33737, 33668, 33599, 33530, 33461, 33393, 33326, 33259, 33192, 33126, 33060, 32994, 32929, 32864, 32800,
};

/* 1 / sqrt(a), a > 0. With v in [1/4, 1): the seed is good to 2^-8; three Newton steps on 64 bits (error e to 1.5 e^2 and at
 * most 2^-61 of truncation each) give 2^-59; one step of third order, 1 + d/2 + 3/8 d^2 with d = 1 - v y^2 held to 2^-127,
 * leaves 2.5 * 2^-177 and truncations below 2^-123. */
static inline kr_wf kr_wf_rsqrt(kr_wf a)
{
    int odd = (a.exp & 1);                       /* v = m / 2^(128 + odd) */
    uint64_t v1 = a.hi, v0 = a.lo;
    if (odd)
        v0 = v0 >> 1 | v1 << 63, v1 >>= 1;
    uint64_t y = (uint64_t)kr_wf_rsqrt_seed[(v1 >> 56) - 64] << 48; /* 1 .. 2 as y / 2^63 */
    for (int i = 0; i < 3; i++) {
        uint64_t p = kr_mulhi64(kr_mulhi64(y, y), v1), hi = 0; /* v y^2 * 2^62 */
        uint64_t lo = kr_limb_muladd(y, (UINT64_C(3) << 62) - p, 0, &hi);
        y = hi >> 63 ? UINT64_MAX : hi << 1 | lo >> 63;
    }
    /* v y^2 as 256 bits with the point after 2 bits: (y^2 / 2^126) * (v / 2^128) */
    uint64_t q[2], p[4] = { 0, 0, 0, 0 };
    q[1] = 0;
    q[0] = kr_limb_muladd(y, y, 0, &q[1]);
    uint64_t v[2] = { v0, v1 };
    kr_limbs_mul(p, 4, q, 2, v, 2);
    /* d = 1 - v y^2 in units of 2^-126, two's complement; |d| < 2^-57 */
    uint64_t borrow = 0, d0 = kr_limb_subb(0, p[2], &borrow), d1 = (UINT64_C(1) << 62) - p[3] - borrow;
    uint64_t sign = (uint64_t)((int64_t)d1 >> 63);
    uint64_t carry = sign & 1, m0 = kr_limb_addc(d0 ^ sign, 0, &carry), m1 = (d1 ^ sign) + carry; /* |d|, m1 < 2^5 */
    /* t = |d|/2 +- 3/8 d^2 in units of 2^-126; d^2 in these units is (|d| >> 48)^2 >> 30 */
    uint64_t m = m1 << 16 | m0 >> 48, extra = (3 * m * m) >> 33;
    uint64_t t0 = m0 >> 1 | m1 << 63, t1 = m1 >> 1;
    if (sign) {
        borrow = 0;
        t0 = kr_limb_subb(t0, extra, &borrow), t1 -= borrow;
    } else {
        carry = 0;
        t0 = kr_limb_addc(t0, extra, &carry), t1 += carry;
    }
    /* y * t, y in units of 2^-63: product in 2^-189; wanted in 2^-127 (y << 64): shift down 62 */
    uint64_t c = 0, r0 = kr_limb_muladd(y, t0, 0, &c), r1 = c + y * t1; /* t1 < 2^5 and t < 2^69: y t < 2^133 */
    uint64_t r2 = kr_mulhi64(y, t1) + (r1 < c);
    uint64_t lo = r0 >> 62 | r1 << 2, hi = r1 >> 62 | r2 << 2;
    if (sign) {
        borrow = 0;
        lo = kr_limb_subb(0, lo, &borrow), hi = kr_limb_subb(y, hi, &borrow);
    } else {
        carry = 0;
        lo = kr_limb_addc(lo, 0, &carry), hi = kr_limb_addc(y, hi, &carry);
        if (carry)
            lo = UINT64_MAX, hi = UINT64_MAX;
    }
    /* a = v * 2^(exp + 128 + odd), so 1/sqrt(a) = y * 2^-((exp + 128 + odd) / 2) with y = (hi:lo) / 2^127 */
    return kr_wf_normal(hi, lo, -127 - (a.exp + 128 + odd) / 2, false);
}

static inline kr_wf kr_wf_sqrt(kr_wf a) { return kr_wf_is_zero(a) ? a : kr_wf_mul(a, kr_wf_rsqrt(a)); }

/* a / b, b not 0. */
static inline kr_wf kr_wf_div(kr_wf a, kr_wf b)
{
    bool neg = b.neg;
    b.neg = false;
    kr_wf r = kr_wf_rsqrt(b);
    kr_wf q = kr_wf_mul(a, kr_wf_mul(r, r));
    return neg ? kr_wf_neg(q) : q;
}

/* The integer nearest to a value that lies within a relative 2^-(bits) of a, as a number of so many 10^-18. False when that is not
 * certain (near a half, or near or past the ends of the range). */
static inline bool kr_wf_round(kr_wf a, int bits, kr_num *out)
{
    if (a.hi == 0 || a.exp <= -130) { /* below 1/4: rounds to 0 whatever the last bits */
        *out = KR_NUM_ZERO;
        return true;
    }
    int down = -a.exp; /* bits after the point, of 128 */
    if (down < 2 || down > 129)
        return false;
    uint64_t whole1 = 0, whole0 = 0, frac; /* whole (128 bits) . frac (64 bits, the rest cut) */
    if (down >= 128)
        frac = a.hi >> (down - 128);
    else if (down > 64)
        whole0 = a.hi >> (down - 64), frac = a.hi << (128 - down) | a.lo >> (down - 64);
    else if (down == 64)
        whole0 = a.hi, frac = a.lo;
    else
        whole1 = a.hi >> down, whole0 = a.lo >> down | a.hi << (64 - down), frac = a.lo << (64 - down);
    /* error in units of 2^-64 of one count, rounded up: value < 2^(128 - down), so 2^(128 - down - bits + 64) */
    int error_log = 192 - down - bits;
    if (error_log > 60)
        return false;
    uint64_t error = (error_log < 0 ? 0 : UINT64_C(1) << error_log) + 2;
    uint64_t half = UINT64_C(1) << 63, gap = frac >= half ? frac - half : half - frac;
    if (gap <= error)
        return false;
    if (frac >= half && ++whole0 == 0)
        whole1++;
    if (whole1 >> 62)
        return false;
    *out = (kr_num){ whole0, (int64_t)whole1 };
    if (a.neg) {
        uint64_t t[2] = { whole0, whole1 };
        kr_limbs_neg(t, 2);
        *out = (kr_num){ t[0], (int64_t)t[1] };
    }
    return true;
}

#endif
