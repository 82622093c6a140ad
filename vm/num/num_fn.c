/* num_fn.c: the elementary functions: domains and exact cases, then the fast path, then the slow one.
 *
 * What is rational is decided here or by the slow path's exact test; everything else is irrational, so that a value is never halfway
 * between two numbers and the loop of growing precision ends (docs/internals/num_fn.md). */
#include "vm/num/num_fn.h"

#include "vm/num/num_fast.h"
#include "vm/num/num_slow.h"
#include "vm/num/num_tables.h"
#include "vm/num/wide.h"

#define ONE UINT64_C(1000000000000000000)

static const kr_num half = { ONE / 2, 0 };

static inline bool is_zero(kr_num a) { return (a.lo | (uint64_t)a.hi) == 0; }
static inline bool is_one(kr_num a) { return a.lo == ONE && a.hi == 0; }

/* The exact root: sqrt(a * 10^-18) = sqrt(a * 10^18) counts. The root is taken of a * 10^18 * 4^k with k >= 1, so its last bits say which
 * side of the half it is on; it cannot be halfway, for the square of a half is no whole number. */
static kr_num exact_sqrt(kr_u256 n)
{
    int k = (256 - kr_u256_bits(n)) / 2;
    kr_u128 root = kr_u256_isqrt(kr_u256_shl(n, 2 * k));
    return kr_num_signed(false, kr_u128_shr(kr_u128_add(root, kr_u128_shl(kr_u128_of(1), k - 1)), k));
}

/* The fast root, without divisions: y = 1 / sqrt(v) of the top limb v by two steps of third order from a table (y (1 + e/2 + 3/8 e^2) with
 * e = 1 - v y^2 leaves 5/16 e^3): 2^-8, 2^-22.5, 2^-61. Then s = v y, at most 12 off in 2^64, and one correction by the exact remainder,
 * (n - s^2) y / 2, which leaves less than 8 units of 2^-58 of s. docs/internals/num_fn.md has the sum. */
kr_num kr_num_sqrt(kr_num a)
{
    if (kr_is_special(a))
        return a;
    if (a.hi < 0)
        return KR_E_NUM;
    if (is_zero(a))
        return a;
    kr_u128 m = kr_num_magnitude(a);
    kr_u256 n = kr_u256_mul(m, kr_u128_of(ONE)); /* 60 .. 187 bits */
    int k = (192 - kr_u256_bits(n)) / 2;
    kr_u192 w = kr_u192_shl(kr_u192_make(n.w[2], n.w[1], n.w[0]), 2 * k);
    uint64_t v = w.w[2], y0 = kr_rsqrt_seed[(v >> 56) - 64];     /* units of 2^-15 */
    int64_t e = (int64_t)((UINT64_C(1) << 62) - (v >> 32) * (y0 * y0)) >> 32; /* units of 2^-30, below 2^23 */
    int64_t t = (e >> 1) + (3 * (e * e) >> 33);
    uint64_t y1 = (y0 << 16) + (uint64_t)((int64_t)y0 * t >> 14); /* units of 2^-31; 2 at most, and that must not wrap */
    y1 = y1 >> 32 ? UINT32_MAX : y1;
    e = (int64_t)((UINT64_C(1) << 62) - kr_mulhi64(v, y1 * y1)); /* units of 2^-62, below 2^41 */
    int64_t square = (e >> 20) * (e >> 20);                      /* e^2 in units of 2^-84 */
    t = (e >> 1) + (3 * square >> 25);
    uint64_t step = (uint64_t)(kr_mulhi64_signed((int64_t)(y1 << 31), t * (1 << 20)) >> 17), y = (y1 << 32) + step; /* units of 2^-63 */
    if (__builtin_expect(t > 0 && y < step, 0))
        y = UINT64_MAX;
    uint64_t s = kr_mulhi64(v, y); /* units of 2^-63 */
    s = s >> 63 ? UINT64_MAX - 1 : s << 1;
    /* r = n - s^2 < 2^69, kept from 2^6 on */
    kr_u128 r = kr_u128_sub(kr_u128_make(w.w[2], w.w[1]), kr_mul64(s, s));
    int64_t high = (int64_t)(kr_u128_hi(r) << 58 | kr_u128_lo(r) >> 6);
    int64_t d = kr_mulhi64_signed(high, (int64_t)(y >> 1)) * 2; /* units of 2^-58 of s */
    kr_u128 root = kr_u128_add(kr_u128_shl(kr_u128_of(s), 58), kr_u128_of_signed(d));
    /* root / 2^(26 + k) is the result, within 8 units */
    int drop = 26 + k;
    kr_u128 half_step = kr_u128_shl(kr_u128_of(1), drop - 1);
    kr_u128 up = kr_u128_shr(kr_u128_add(root, kr_u128_add(half_step, kr_u128_of(16))), drop);
    kr_u128 down = kr_u128_shr(kr_u128_add(root, kr_u128_sub(half_step, kr_u128_of(16))), drop);
    if (__builtin_expect(!kr_u128_eq(up, down), 0))
        return exact_sqrt(n);
    return (kr_num){ kr_u128_lo(up), (int64_t)kr_u128_hi(up) };
}

kr_num kr_num_exp(kr_num a)
{
    if (kr_is_special(a))
        return a;
    /* exp(47) is past the range, exp(-42) below half of 10^-18 */
    if (a.hi > 2)
        return KR_E_NUM;
    if (a.hi < -3)
        return KR_NUM_ZERO;
    kr_num out;
    return kr_fast_exp(a, &out) ? out : kr_num_slow(KR_SLOW_EXP, a);
}

kr_num kr_num_ln(kr_num a)
{
    if (kr_is_special(a))
        return a;
    if (a.hi < 0 || is_zero(a))
        return KR_E_NUM;
    kr_num out;
    return kr_fast_ln(a, &out) ? out : kr_num_slow(KR_SLOW_LN, a);
}

kr_num kr_num_log10(kr_num a)
{
    if (kr_is_special(a))
        return a;
    if (a.hi < 0 || is_zero(a))
        return KR_E_NUM;
    kr_num out;
    return kr_fast_log10(a, &out) ? out : kr_num_slow(KR_SLOW_LOG10, a);
}

kr_num kr_num_log(kr_num a, kr_num base)
{
    if (kr_is_special(a) || kr_is_special(base))
        return kr_spread2(a, base);
    if (a.hi < 0 || is_zero(a) || base.hi < 0 || is_zero(base))
        return KR_E_NUM;
    if (is_one(base))
        return KR_E_DIV0;
    if (is_one(a))
        return KR_NUM_ZERO;
    kr_num out;
    return kr_fast_log(a, base, &out) ? out : kr_num_slow_log(a, base);
}

/* a^b of a > 0 */
static kr_num positive_power(kr_num a, kr_num b)
{
    if (is_one(a))
        return a;
    if (b.hi == 0 && b.lo == 2 * ONE)
        return kr_num_mul(a, a);
    if (b.hi == 0 && b.lo == ONE)
        return a;
    if (b.hi == 0 && b.lo == ONE / 2)
        return kr_num_sqrt(a);
    if (b.hi == -1 && b.lo == 0 - ONE)
        return kr_num_div(KR_NUM_ONE, a);
    kr_num out;
    return kr_fast_pow(a, b, &out) ? out : kr_num_slow_pow(a, b);
}

/* 0^0: LibreOffice documents #NUM! for its POWER, and there is no value that its two limits agree on. A negative base takes whole exponents. */
kr_num kr_num_pow(kr_num a, kr_num b)
{
    if (kr_is_special(a) || kr_is_special(b))
        return kr_spread2(a, b);
    if (is_zero(a))
        return is_zero(b) ? KR_E_NUM : b.hi < 0 ? KR_E_DIV0 : KR_NUM_ZERO;
    if (is_zero(b))
        return KR_NUM_ONE;
    if (a.hi >= 0)
        return positive_power(a, b);
    if (!kr_num_is_int(b))
        return KR_E_NUM;
    kr_num size = kr_num_neg(a);
    if (kr_is_special(size))
        return size;
    kr_num power = positive_power(size, b), odd = kr_num_rem(b, kr_num_of_int(2));
    return is_zero(odd) ? power : kr_num_neg(power);
}

kr_num kr_num_norm_cdf(kr_num z)
{
    if (kr_is_special(z))
        return z;
    if (is_zero(z))
        return half;
    bool negative = z.hi < 0;
    kr_u128 size = kr_num_magnitude(z);
    kr_num out;
    if (kr_u128_hi(size) || kr_u128_lo(size) >> 63)
        return negative ? KR_NUM_ZERO : KR_NUM_ONE;
    return kr_normal_cdf_wide(negative, kr_u128_lo(size), 0, 0, &out) ? out : kr_num_slow(KR_SLOW_NORM_CDF, z);
}

kr_num kr_num_norm_pdf(kr_num z)
{
    if (kr_is_special(z))
        return z;
    kr_u128 size = kr_num_magnitude(z);
    if (kr_u128_hi(size) || kr_u128_lo(size) >> 63) /* 9.2: below half of 10^-18 */
        return KR_NUM_ZERO;
    kr_num out;
    return kr_fast_norm_pdf(kr_u128_lo(size), &out) ? out : kr_num_slow(KR_SLOW_NORM_PDF, z);
}

kr_num kr_num_norm_inv(kr_num p)
{
    if (kr_is_special(p))
        return p;
    if (p.hi != 0 || p.lo == 0 || p.lo >= ONE)
        return KR_E_NUM;
    if (p.lo == ONE / 2)
        return KR_NUM_ZERO;
    kr_num out;
    return kr_fast_norm_inv(p.lo, &out) ? out : kr_num_slow_norm_inv(p);
}

kr_num kr_num_erf(kr_num x)
{
    if (kr_is_special(x) || is_zero(x))
        return x;
    bool negative = x.hi < 0;
    kr_u128 size = kr_num_magnitude(x);
    if (kr_u128_hi(size) || kr_u128_lo(size) > 7 * ONE) /* erfc(7) < 10^-22 */
        return negative ? kr_num_of_int(-1) : KR_NUM_ONE;
    kr_num out;
    return kr_fast_erf(negative, kr_u128_lo(size), &out) ? out : kr_num_slow(KR_SLOW_ERF, x);
}

kr_num kr_num_erfc(kr_num x)
{
    if (kr_is_special(x))
        return x;
    if (is_zero(x))
        return KR_NUM_ONE;
    bool negative = x.hi < 0;
    kr_u128 size = kr_num_magnitude(x);
    if (kr_u128_hi(size) || kr_u128_lo(size) > 7 * ONE)
        return negative ? kr_num_of_int(2) : KR_NUM_ZERO;
    kr_num out;
    return kr_fast_erfc(negative, kr_u128_lo(size), &out) ? out : kr_num_slow(KR_SLOW_ERFC, x);
}
