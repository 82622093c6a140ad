/* i128.h: unsigned 128-bit integers, and the 64-bit steps that wider ones are made of.
 *
 * The one place that decides between the compiler's own 128-bit integer and a pair of limbs: build with -DKR_NO_INT128 to force the
 * limbs (32-bit machines have no choice). Both give the same bits for every function here; code outside this header uses only these
 * functions, never an operator, on a kr_u128.
 *
 * Nothing here checks its arguments but by assertion in the comment: what wraps, wraps modulo 2^128. */
#ifndef KR_I128_H
#define KR_I128_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/num/num.h"

#if defined(__SIZEOF_INT128__) && !defined(KR_NO_INT128)
#define KR_HAS_INT128 1
#endif

#ifdef KR_HAS_INT128

__extension__ typedef unsigned __int128 kr_u128;
__extension__ typedef __int128 kr_i128; /* within this header only */

static inline kr_u128 kr_u128_make(uint64_t hi, uint64_t lo) { return (kr_u128)hi << 64 | lo; }
static inline uint64_t kr_u128_lo(kr_u128 a) { return (uint64_t)a; }
static inline uint64_t kr_u128_hi(kr_u128 a) { return (uint64_t)(a >> 64); }
static inline kr_u128 kr_u128_add(kr_u128 a, kr_u128 b) { return a + b; }
static inline kr_u128 kr_u128_sub(kr_u128 a, kr_u128 b) { return a - b; }
static inline bool kr_u128_less(kr_u128 a, kr_u128 b) { return a < b; }
static inline kr_u128 kr_u128_shl(kr_u128 a, int n) { return a << n; } /* 0 <= n < 128 */
static inline kr_u128 kr_u128_shr(kr_u128 a, int n) { return a >> n; } /* 0 <= n < 128 */
static inline kr_u128 kr_mul64(uint64_t a, uint64_t b) { return (kr_u128)a * b; }

static inline kr_u128 kr_mul64_signed(int64_t a, int64_t b) { return (kr_u128)((kr_i128)a * b); } /* two's complement */

/* (hi:lo) / d for hi < d: the quotient, and the remainder in *rem. */
static inline uint64_t kr_div_2by1(uint64_t hi, uint64_t lo, uint64_t d, uint64_t *rem)
{
#ifdef __x86_64__ /* the compiler would call a function for it */
    uint64_t q, r;
    __asm__("divq %4" : "=a"(q), "=d"(r) : "a"(lo), "d"(hi), "rm"(d) : "cc");
    *rem = r;
    return q;
#else
    kr_u128 n = kr_u128_make(hi, lo);
    uint64_t q = (uint64_t)(n / d);
    *rem = lo - q * d;
    return q;
#endif
}

#else /* limbs */

typedef struct kr_u128 {
    uint64_t w0, w1; /* least significant first */
} kr_u128;

static inline kr_u128 kr_u128_make(uint64_t hi, uint64_t lo) { return (kr_u128){ lo, hi }; }
static inline uint64_t kr_u128_lo(kr_u128 a) { return a.w0; }
static inline uint64_t kr_u128_hi(kr_u128 a) { return a.w1; }
static inline kr_u128 kr_u128_add(kr_u128 a, kr_u128 b)
{
    uint64_t lo = a.w0 + b.w0;
    return (kr_u128){ lo, a.w1 + b.w1 + (lo < b.w0) };
}
static inline kr_u128 kr_u128_sub(kr_u128 a, kr_u128 b) { return (kr_u128){ a.w0 - b.w0, a.w1 - b.w1 - (a.w0 < b.w0) }; }
static inline bool kr_u128_less(kr_u128 a, kr_u128 b) { return a.w1 != b.w1 ? a.w1 < b.w1 : a.w0 < b.w0; }
static inline kr_u128 kr_u128_shl(kr_u128 a, int n)
{
    if (n >= 64)
        return (kr_u128){ 0, a.w0 << (n - 64) };
    return n == 0 ? a : (kr_u128){ a.w0 << n, a.w1 << n | a.w0 >> (64 - n) };
}
static inline kr_u128 kr_u128_shr(kr_u128 a, int n)
{
    if (n >= 64)
        return (kr_u128){ a.w1 >> (n - 64), 0 };
    return n == 0 ? a : (kr_u128){ a.w0 >> n | a.w1 << (64 - n), a.w1 >> n };
}
static inline kr_u128 kr_mul64(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (mid & UINT32_MAX);
    return (kr_u128){ mid2 << 32 | (low & UINT32_MAX), a1 * b1 + (mid >> 32) + (mid2 >> 32) };
}
static inline kr_u128 kr_mul64_signed(int64_t a, int64_t b)
{
    kr_u128 p = kr_mul64((uint64_t)a, (uint64_t)b);
    p.w1 -= (a < 0 ? (uint64_t)b : 0) + (b < 0 ? (uint64_t)a : 0);
    return p;
}

/* Schoolbook division by halves (Knuth, The Art of Computer Programming, vol. 2, 4.3.1, algorithm D). */
static inline uint64_t kr_div_2by1(uint64_t hi, uint64_t lo, uint64_t d, uint64_t *rem)
{
    int shift = __builtin_clzll(d);
    if (shift)
        hi = hi << shift | lo >> (64 - shift), lo <<= shift, d <<= shift;
    uint64_t d1 = d >> 32, d0 = d & UINT32_MAX, q = 0;
    for (int half = 0; half < 2; half++) {
        uint64_t next = half ? lo & UINT32_MAX : lo >> 32;
        uint64_t digit = hi / d1, rest = hi % d1;
        while (digit >> 32 || digit * d0 > (rest << 32 | next)) {
            digit--, rest += d1;
            if (rest >> 32)
                break;
        }
        hi = (hi << 32 | next) - digit * d; /* modulo 2^64: the true value is below d */
        q = q << 32 | digit;
    }
    *rem = hi >> shift;
    return q;
}

#endif

static inline uint64_t kr_mulhi64(uint64_t a, uint64_t b) { return kr_u128_hi(kr_mul64(a, b)); }
static inline int64_t kr_mulhi64_signed(int64_t a, int64_t b) { return (int64_t)kr_u128_hi(kr_mul64_signed(a, b)); } /* floor(a b / 2^64) */
static inline kr_u128 kr_u128_of(uint64_t lo) { return kr_u128_make(0, lo); }
static inline kr_u128 kr_u128_of_signed(int64_t v) { return kr_u128_make(v < 0 ? UINT64_MAX : 0, (uint64_t)v); } /* two's complement */
static inline bool kr_u128_eq(kr_u128 a, kr_u128 b) { return kr_u128_lo(a) == kr_u128_lo(b) && kr_u128_hi(a) == kr_u128_hi(b); }
static inline bool kr_u128_is_zero(kr_u128 a) { return (kr_u128_lo(a) | kr_u128_hi(a)) == 0; }
static inline kr_u128 kr_u128_neg(kr_u128 a) { return kr_u128_sub(kr_u128_of(0), a); }
static inline int kr_bits64(uint64_t a) { return a ? 64 - __builtin_clzll(a) : 0; } /* bit length, 0 for 0 */
static inline int kr_u128_bits(kr_u128 a) { return kr_u128_hi(a) ? 64 + kr_bits64(kr_u128_hi(a)) : kr_bits64(kr_u128_lo(a)); }
/* a * b modulo 2^128 */
static inline kr_u128 kr_u128_mul1(kr_u128 a, uint64_t b)
{
    return kr_u128_add(kr_mul64(kr_u128_lo(a), b), kr_u128_make(kr_u128_hi(a) * b, 0));
}
/* a * b + c, never wraps */
static inline kr_u128 kr_muladd64(uint64_t a, uint64_t b, uint64_t c) { return kr_u128_add(kr_mul64(a, b), kr_u128_of(c)); }

/* a + b + *carry (0 or 1); *carry becomes the carry out. */
static inline uint64_t kr_addc(uint64_t a, uint64_t b, uint64_t *carry)
{
    kr_u128 s = kr_u128_add(kr_u128_add(kr_u128_of(a), kr_u128_of(b)), kr_u128_of(*carry));
    *carry = kr_u128_hi(s);
    return kr_u128_lo(s);
}
/* a - b - *borrow (0 or 1); *borrow becomes the borrow out. */
static inline uint64_t kr_subb(uint64_t a, uint64_t b, uint64_t *borrow)
{
    kr_u128 s = kr_u128_sub(kr_u128_sub(kr_u128_of(a), kr_u128_of(b)), kr_u128_of(*borrow));
    *borrow = kr_u128_hi(s) & 1;
    return kr_u128_lo(s);
}

/* a, or -a where `negative`: a branch, for the signs of a column are mostly of one kind. */
static inline kr_u128 kr_u128_with_sign(kr_u128 a, bool negative) { return negative ? kr_u128_neg(a) : a; }
/* |a| of a plain number, at most 2^127 - 1. */
static inline kr_u128 kr_num_magnitude(kr_num a) { return kr_u128_with_sign(kr_u128_make((uint64_t)a.hi, a.lo), a.hi < 0); }
/* The number of that sign and magnitude, #NUM! when it is out of range. */
static inline kr_num kr_num_signed(bool negative, kr_u128 magnitude)
{
    uint64_t hi = kr_u128_hi(magnitude);
    if (__builtin_expect(hi >= INT64_MAX, 0))
        if (hi >> 63 || (negative && kr_u128_lo(magnitude) > UINT64_MAX - KR_SPECIALS + 1))
            return KR_E_NUM;
    kr_u128 v = kr_u128_with_sign(magnitude, negative);
    return (kr_num){ kr_u128_lo(v), (int64_t)kr_u128_hi(v) };
}

#endif
