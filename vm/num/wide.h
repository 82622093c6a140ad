/* wide.h: unsigned integers of 192 and 256 bits (limbs of 64, least significant first), on top of i128.h.
 *
 *   kr_u256_mul      128 x 128 -> 256, exact
 *   kr_u256_div      256 / 128 -> quotient of 128 bits and remainder, where the quotient fits
 *   kr_u256_divrem   256 / 128 -> quotient of 256 bits and remainder, always
 *   kr_u128_divrem   128 / 128
 *   kr_u256_add, _sub (modulo 2^256), _less, _shl, _shr (0 <= n < 256), _bits, _is_zero
 *   kr_u128_isqrt, kr_u256_isqrt   the floor of the square root
 *   kr_u192_…        what the elementary functions need of three limbs */
#ifndef KR_WIDE_H
#define KR_WIDE_H

#include "vm/num/i128.h"

typedef struct kr_u192 {
    uint64_t w[3];
} kr_u192;
typedef struct kr_u256 {
    uint64_t w[4];
} kr_u256;

static inline kr_u256 kr_u256_of(kr_u128 a) { return (kr_u256){ { kr_u128_lo(a), kr_u128_hi(a), 0, 0 } }; }
static inline kr_u128 kr_u256_lo(kr_u256 a) { return kr_u128_make(a.w[1], a.w[0]); }
static inline kr_u128 kr_u256_hi(kr_u256 a) { return kr_u128_make(a.w[3], a.w[2]); }
static inline kr_u256 kr_u256_make(kr_u128 hi, kr_u128 lo)
{
    return (kr_u256){ { kr_u128_lo(lo), kr_u128_hi(lo), kr_u128_lo(hi), kr_u128_hi(hi) } };
}
static inline bool kr_u256_is_zero(kr_u256 a) { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0; }

static inline kr_u256 kr_u256_mul(kr_u128 a, kr_u128 b)
{
    uint64_t a0 = kr_u128_lo(a), a1 = kr_u128_hi(a), b0 = kr_u128_lo(b), b1 = kr_u128_hi(b);
    kr_u128 p00 = kr_mul64(a0, b0);
    kr_u128 mid = kr_muladd64(a1, b0, kr_u128_hi(p00));
    kr_u128 mid2 = kr_muladd64(a0, b1, kr_u128_lo(mid));
    kr_u128 top = kr_u128_add(kr_muladd64(a1, b1, kr_u128_hi(mid)), kr_u128_of(kr_u128_hi(mid2)));
    return kr_u256_make(top, kr_u128_make(kr_u128_lo(mid2), kr_u128_lo(p00)));
}

static inline kr_u256 kr_u256_add(kr_u256 a, kr_u256 b)
{
    kr_u128 lo = kr_u128_add(kr_u256_lo(a), kr_u256_lo(b));
    kr_u128 hi = kr_u128_add(kr_u256_hi(a), kr_u256_hi(b));
    return kr_u256_make(kr_u128_add(hi, kr_u128_of(kr_u128_less(lo, kr_u256_lo(b)))), lo);
}
static inline kr_u256 kr_u256_sub(kr_u256 a, kr_u256 b)
{
    kr_u128 hi = kr_u128_sub(kr_u256_hi(a), kr_u256_hi(b));
    bool borrow = kr_u128_less(kr_u256_lo(a), kr_u256_lo(b));
    return kr_u256_make(kr_u128_sub(hi, kr_u128_of(borrow)), kr_u128_sub(kr_u256_lo(a), kr_u256_lo(b)));
}
static inline bool kr_u256_less(kr_u256 a, kr_u256 b)
{
    kr_u128 ah = kr_u256_hi(a), bh = kr_u256_hi(b);
    return kr_u128_eq(ah, bh) ? kr_u128_less(kr_u256_lo(a), kr_u256_lo(b)) : kr_u128_less(ah, bh);
}
static inline kr_u256 kr_u256_shl(kr_u256 a, int n)
{
    if (n >= 128)
        return kr_u256_make(kr_u128_shl(kr_u256_lo(a), n - 128), kr_u128_of(0));
    if (n == 0)
        return a;
    return kr_u256_make(kr_u128_add(kr_u128_shl(kr_u256_hi(a), n), kr_u128_shr(kr_u256_lo(a), 128 - n)), kr_u128_shl(kr_u256_lo(a), n));
}
static inline kr_u256 kr_u256_shr(kr_u256 a, int n)
{
    if (n >= 128)
        return kr_u256_of(kr_u128_shr(kr_u256_hi(a), n - 128));
    if (n == 0)
        return a;
    return kr_u256_make(kr_u128_shr(kr_u256_hi(a), n), kr_u128_add(kr_u128_shr(kr_u256_lo(a), n), kr_u128_shl(kr_u256_hi(a), 128 - n)));
}
static inline int kr_u256_bits(kr_u256 a)
{
    int hi = kr_u128_bits(kr_u256_hi(a));
    return hi ? 128 + hi : kr_u128_bits(kr_u256_lo(a));
}

/* (u2:u1:u0) / d for (u2:u1) < d, d with its top bit set: one limb of quotient, the remainder in *rem. */
static inline uint64_t kr_div_3by2(uint64_t u2, uint64_t u1, uint64_t u0, kr_u128 d, kr_u128 *rem)
{
    uint64_t d1 = kr_u128_hi(d), d0 = kr_u128_lo(d), q, r;
    bool fits = true; /* the partial remainder r < 2^64 */
    if (u2 < d1) {
        q = kr_div_2by1(u2, u1, d1, &r);
    } else {
        q = UINT64_MAX;
        fits = !__builtin_add_overflow(u1, d1, &r);
    }
    /* what is left, or negative by less than 2 d: q was up to two too large; the first of these is frequent, so without a branch */
    kr_u128 have = kr_u128_make(r, u0), p = kr_mul64(q, d0), left = kr_u128_sub(have, p);
    bool below = fits & kr_u128_less(have, p);
    uint64_t mask = 0 - (uint64_t)below;
    q -= below;
    kr_u128 better = kr_u128_add(left, kr_u128_make(d1 & mask, d0 & mask));
    if (__builtin_expect(below && !kr_u128_less(better, left), 0)) { /* no carry: still negative */
        q--;
        better = kr_u128_add(better, d);
    }
    *rem = better;
    return q;
}

/* n / d where the upper half of n is below d (so the quotient fits); d not 0. Always inline: passed through memory, n would cost as much
 * as the division. */
static inline __attribute__((always_inline)) kr_u128 kr_u256_div(kr_u256 n, kr_u128 d, kr_u128 *rem)
{
    uint64_t d1 = kr_u128_hi(d), r;
    if (d1 == 0) {
        uint64_t q1 = kr_div_2by1(n.w[2], n.w[1], kr_u128_lo(d), &r);
        uint64_t q0 = kr_div_2by1(r, n.w[0], kr_u128_lo(d), &r);
        *rem = kr_u128_of(r);
        return kr_u128_make(q1, q0);
    }
    /* both shifted until d's top bit is set */
    int up = __builtin_clzll(d1), down = 63 - up;
    uint64_t n3 = n.w[3] << up | n.w[2] >> 1 >> down, n2 = n.w[2] << up | n.w[1] >> 1 >> down;
    uint64_t n1 = n.w[1] << up | n.w[0] >> 1 >> down, n0 = n.w[0] << up, q1 = 0;
    kr_u128 rest = kr_u128_make(n2, n1);
    d = kr_u128_make(d1 << up | kr_u128_lo(d) >> 1 >> down, kr_u128_lo(d) << up);
    if (n3 != 0 || !kr_u128_less(rest, d))
        q1 = kr_div_3by2(n3, n2, n1, d, &rest);
    uint64_t q0 = kr_div_3by2(kr_u128_hi(rest), kr_u128_lo(rest), n0, d, &rest);
    *rem = kr_u128_shr(rest, up);
    return kr_u128_make(q1, q0);
}

static inline kr_u128 kr_u128_divrem(kr_u128 n, kr_u128 d, kr_u128 *rem)
{
    if ((kr_u128_hi(n) | kr_u128_hi(d)) == 0) {
        *rem = kr_u128_of(kr_u128_lo(n) % kr_u128_lo(d));
        return kr_u128_of(kr_u128_lo(n) / kr_u128_lo(d));
    }
    return kr_u256_div(kr_u256_of(n), d, rem);
}

static inline kr_u256 kr_u256_divrem(kr_u256 n, kr_u128 d, kr_u128 *rem)
{
    kr_u128 top, hi = kr_u128_divrem(kr_u256_hi(n), d, &top);
    return kr_u256_make(hi, kr_u256_div(kr_u256_make(top, kr_u256_lo(n)), d, rem));
}

kr_u128 kr_u256_isqrt(kr_u256 a); /* wide.c */
uint64_t kr_u128_isqrt(kr_u128 a);

/* ---- three limbs */
static inline kr_u192 kr_u192_make(uint64_t w2, uint64_t w1, uint64_t w0) { return (kr_u192){ { w0, w1, w2 } }; }
static inline bool kr_u192_is_zero(kr_u192 a) { return (a.w[0] | a.w[1] | a.w[2]) == 0; }
static inline kr_u192 kr_u192_add(kr_u192 a, kr_u192 b)
{
    kr_u128 al = kr_u128_make(a.w[1], a.w[0]), lo = kr_u128_add(al, kr_u128_make(b.w[1], b.w[0]));
    return kr_u192_make(a.w[2] + b.w[2] + kr_u128_less(lo, al), kr_u128_hi(lo), kr_u128_lo(lo));
}
static inline kr_u192 kr_u192_sub(kr_u192 a, kr_u192 b)
{
    kr_u128 al = kr_u128_make(a.w[1], a.w[0]), bl = kr_u128_make(b.w[1], b.w[0]), lo = kr_u128_sub(al, bl);
    return kr_u192_make(a.w[2] - b.w[2] - kr_u128_less(al, bl), kr_u128_hi(lo), kr_u128_lo(lo));
}
static inline kr_u192 kr_u192_neg(kr_u192 a) { return kr_u192_sub(kr_u192_make(0, 0, 0), a); }
static inline bool kr_u192_less(kr_u192 a, kr_u192 b)
{
    return a.w[2] != b.w[2] ? a.w[2] < b.w[2] : kr_u128_less(kr_u128_make(a.w[1], a.w[0]), kr_u128_make(b.w[1], b.w[0]));
}
static inline kr_u192 kr_u192_shl(kr_u192 a, int n) /* 0 <= n < 192 */
{
    for (; n >= 64; n -= 64)
        a = kr_u192_make(a.w[1], a.w[0], 0);
    return n == 0 ? a : kr_u192_make(a.w[2] << n | a.w[1] >> (64 - n), a.w[1] << n | a.w[0] >> (64 - n), a.w[0] << n);
}
static inline kr_u192 kr_u192_shr(kr_u192 a, int n) /* 0 <= n < 192 */
{
    for (; n >= 64; n -= 64)
        a = kr_u192_make(0, a.w[2], a.w[1]);
    return n == 0 ? a : kr_u192_make(a.w[2] >> n, a.w[1] >> n | a.w[2] << (64 - n), a.w[0] >> n | a.w[1] << (64 - n));
}
/* a * b, cut to its top three limbs of four when it is larger: the exact product's limbs 3 2 1 0 */
static inline kr_u256 kr_u192_mul1(kr_u192 a, uint64_t b)
{
    kr_u128 p0 = kr_mul64(a.w[0], b), p1 = kr_muladd64(a.w[1], b, kr_u128_hi(p0)), p2 = kr_muladd64(a.w[2], b, kr_u128_hi(p1));
    return (kr_u256){ { kr_u128_lo(p0), kr_u128_lo(p1), kr_u128_lo(p2), kr_u128_hi(p2) } };
}

#endif
