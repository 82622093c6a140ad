/* num.c: exact arithmetic of kr_num, rounded once.
 *
 * Each operation works on magnitudes: an exact product or dividend of up to 256 bits, one division with its remainder, one rounding
 * by that remainder. The sign comes last, and with it the check of the range. */
#include "vm/num/num.h"

#include <assert.h>

#include "vm/num/wide.h"

#define ONE UINT64_C(1000000000000000000) /* 10^18: the scale */
#define RECIPROCAL_HI UINT64_C(0x9392ee8e921d5d07) /* floor(2^187 / 10^18) */
#define RECIPROCAL_LO UINT64_C(0x3aff322e62439fcf)

static const uint64_t tens[20] = {
    UINT64_C(1), UINT64_C(10), UINT64_C(100), UINT64_C(1000), UINT64_C(10000), UINT64_C(100000), UINT64_C(1000000),
    UINT64_C(10000000), UINT64_C(100000000), UINT64_C(1000000000), UINT64_C(10000000000), UINT64_C(100000000000),
    UINT64_C(1000000000000), UINT64_C(10000000000000), UINT64_C(100000000000000), UINT64_C(1000000000000000),
    UINT64_C(10000000000000000), UINT64_C(100000000000000000), UINT64_C(1000000000000000000), UINT64_C(10000000000000000000),
};

static inline bool any_special(kr_num a, kr_num b)
{
    return __builtin_expect(a.hi == INT64_MIN || b.hi == INT64_MIN, 0) && (kr_is_special(a) || kr_is_special(b));
}

static inline bool is_zero(kr_num a) { return (a.lo | (uint64_t)a.hi) == 0; }

/* n / d, n's upper half below d, rounded half to even. */
static inline kr_u128 divide_half_even(kr_u256 n, kr_u128 d)
{
    kr_u128 rem, q = kr_u256_div(n, d, &rem), rest = kr_u128_sub(d, rem);
    uint64_t up = kr_u128_less(rest, rem) | (kr_u128_eq(rest, rem) & (kr_u128_lo(q) & 1));
    return kr_u128_add(q, kr_u128_of(up));
}

/* Does a magnitude that leaves `rem` of `d` behind step up, away from zero? */
static bool steps_up(kr_u128 q, kr_u128 rem, kr_u128 d, bool negative, enum kr_dir dir)
{
    if (kr_u128_is_zero(rem))
        return false;
    kr_u128 rest = kr_u128_sub(d, rem);
    bool above = kr_u128_less(rest, rem), half = kr_u128_eq(rest, rem);
    switch (dir) {
    case KR_HALF_EVEN: return above || (half && (kr_u128_lo(q) & 1));
    case KR_HALF_AWAY: return above || half;
    case KR_HALF_UP: return above || (half && !negative);
    case KR_TO_ZERO: return false;
    case KR_AWAY: return true;
    case KR_FLOOR: return negative;
    case KR_CEIL: return !negative;
    }
    return false;
}

static kr_num divide_dir(kr_u256 n, kr_u128 d, bool negative, enum kr_dir dir)
{
    if (!kr_u128_less(kr_u256_hi(n), d))
        return KR_E_NUM;
    kr_u128 rem, q = kr_u256_div(n, d, &rem);
    if (steps_up(q, rem, d, negative, dir)) {
        q = kr_u128_add(q, kr_u128_of(1));
        if (kr_u128_is_zero(q))
            return KR_E_NUM;
    }
    return kr_num_signed(negative, q);
}

kr_num kr_num_add(kr_num a, kr_num b)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    kr_u128 s = kr_u128_add(kr_u128_make((uint64_t)a.hi, a.lo), kr_u128_make((uint64_t)b.hi, b.lo));
    kr_num sum = { kr_u128_lo(s), (int64_t)kr_u128_hi(s) };
    if (__builtin_expect(((a.hi ^ sum.hi) & (b.hi ^ sum.hi)) < 0 || kr_is_special(sum), 0))
        return KR_E_NUM;
    return sum;
}

kr_num kr_num_sub(kr_num a, kr_num b)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    kr_u128 s = kr_u128_sub(kr_u128_make((uint64_t)a.hi, a.lo), kr_u128_make((uint64_t)b.hi, b.lo));
    kr_num rest = { kr_u128_lo(s), (int64_t)kr_u128_hi(s) };
    if (__builtin_expect(((a.hi ^ b.hi) & (a.hi ^ rest.hi)) < 0 || kr_is_special(rest), 0))
        return KR_E_NUM;
    return rest;
}

/* The product p < 2^187 is divided by a reciprocal made beforehand: (p / 2^59) * (2^187 / 10^18) / 2^128. The first factor, cut, takes
 * less than 2^59 / 10^18 < 0.58 from the result, the second less than 0.24, so the floor is at most one too small. Half of 10^18 is
 * added to p first, so that the floor is the rounding; a remainder of 0 then means a tie. */
kr_num kr_num_mul(kr_num a, kr_num b)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    kr_u128 x = kr_num_magnitude(a), y = kr_num_magnitude(b), q;
    uint64_t low;
    if ((kr_u128_hi(x) | kr_u128_hi(y) | kr_u128_lo(x) >> 61 | kr_u128_lo(y) >> 61) == 0) { /* p < 2^123: one limb of reciprocal is as good */
        kr_u128 p = kr_u128_add(kr_mul64(kr_u128_lo(x), kr_u128_lo(y)), kr_u128_of(ONE / 2));
        low = kr_u128_lo(p);
        q = kr_u128_of(kr_mulhi64(kr_u128_hi(p) << 5 | low >> 59, RECIPROCAL_HI));
    } else {
        kr_u256 p = kr_u256_mul(x, y);
        if (__builtin_expect(p.w[3] != 0 || p.w[2] >= ONE / 2, 0))
            return KR_E_NUM; /* 2^127 or more */
        kr_u128 p0 = kr_u256_lo(p), p1 = kr_u128_add(p0, kr_u128_of(ONE / 2));
        p.w[2] += kr_u128_less(p1, p0);
        low = kr_u128_lo(p1);
        uint64_t mid = kr_u128_hi(p1);
        q = kr_u256_hi(kr_u256_mul(kr_u128_make(p.w[2] << 5 | mid >> 59, mid << 5 | low >> 59), kr_u128_make(RECIPROCAL_HI, RECIPROCAL_LO)));
    }
    uint64_t rem = low - kr_u128_lo(q) * ONE, up = rem >= ONE; /* rem < 2 * 10^18 */
    q = kr_u128_add(q, kr_u128_of(up));
    if (__builtin_expect(rem == 0 || rem == ONE, 0)) /* halfway: to even */
        q = kr_u128_sub(q, kr_u128_of(kr_u128_lo(q) & 1));
    return kr_num_signed((a.hi ^ b.hi) < 0, q);
}

/* |a| * 10^18, below 2^187. */
static inline kr_u256 scaled_up(kr_u128 a)
{
    kr_u128 p0 = kr_mul64(kr_u128_lo(a), ONE), p1 = kr_muladd64(kr_u128_hi(a), ONE, kr_u128_hi(p0));
    return (kr_u256){ { kr_u128_lo(p0), kr_u128_lo(p1), kr_u128_hi(p1), 0 } };
}

kr_num kr_num_div(kr_num a, kr_num b)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    if (__builtin_expect(is_zero(b), 0))
        return KR_E_DIV0;
    bool negative = (a.hi ^ b.hi) < 0;
    kr_u256 n = scaled_up(kr_num_magnitude(a));
    kr_u128 d = kr_num_magnitude(b);
    if (kr_u128_hi(d) == 0) {
        uint64_t d0 = kr_u128_lo(d), q1 = 0, r = n.w[1];
        if (__builtin_expect(n.w[2] >= d0, 0))
            return KR_E_NUM;
        if (n.w[2] | (r >= d0))
            q1 = kr_div_2by1(n.w[2], r, d0, &r);
        uint64_t q0 = kr_div_2by1(r, n.w[0], d0, &r), rest = d0 - r;
        uint64_t up = (r > rest) | ((r == rest) & q0 & 1);
        return kr_num_signed(negative, kr_u128_add(kr_u128_make(q1, q0), kr_u128_of(up)));
    }
    /* d >= 2^64: the quotient is below 2^123 */
    return kr_num_signed(negative, divide_half_even(n, d));
}

kr_num kr_num_neg(kr_num a) { return kr_num_sub(KR_NUM_ZERO, a); }

kr_num kr_num_abs(kr_num a) { return a.hi < 0 ? kr_num_neg(a) : a; }

kr_num kr_num_sign(kr_num a)
{
    if (kr_is_special(a))
        return a;
    if (is_zero(a))
        return a;
    return kr_num_of_int(a.hi < 0 ? -1 : 1);
}

kr_num kr_num_rem(kr_num a, kr_num b)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    if (is_zero(b))
        return KR_E_DIV0;
    kr_u128 rem;
    (void)kr_u128_divrem(kr_num_magnitude(a), kr_num_magnitude(b), &rem);
    return kr_num_signed(a.hi < 0, rem);
}

kr_num kr_num_mod(kr_num a, kr_num b)
{
    kr_num rem = kr_num_rem(a, b);
    if (kr_is_special(rem) || is_zero(rem) || (rem.hi ^ b.hi) >= 0)
        return rem;
    return kr_num_add(rem, b); /* between 0 and b: no overflow */
}

int kr_num_cmp(kr_num a, kr_num b)
{
    assert(!kr_is_special(a) && !kr_is_special(b)); /* the caller has spread them */
    return kr_raw_cmp(a, b);
}

kr_num kr_num_round(kr_num a, int places, enum kr_dir dir)
{
    if (kr_is_special(a) || places >= 18 || is_zero(a))
        return a;
    bool negative = a.hi < 0;
    kr_u128 magnitude = kr_num_magnitude(a);
    if (places < -20) { /* the unit, 10^39 counts or more, is more than twice any magnitude: nearest is 0, the next unit out of range */
        kr_u128 unit = kr_u128_make(UINT64_MAX, UINT64_MAX);
        return steps_up(kr_u128_of(0), magnitude, unit, negative, dir) ? KR_E_NUM : KR_NUM_ZERO;
    }
    int drop = 18 - places; /* 1 .. 38 digits */
    kr_u128 unit = drop <= 19 ? kr_u128_of(tens[drop]) : kr_mul64(tens[19], tens[drop - 19]);
    kr_u128 rem, q = kr_u128_divrem(magnitude, unit, &rem), whole = kr_u128_sub(magnitude, rem);
    if (!steps_up(q, rem, unit, negative, dir))
        return kr_num_signed(negative, whole);
    return kr_num_signed(negative, kr_u128_add(whole, unit)); /* below 2^127 + 2^127 */
}

kr_num kr_num_mul_dir(kr_num a, kr_num b, enum kr_dir dir)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    return divide_dir(kr_u256_mul(kr_num_magnitude(a), kr_num_magnitude(b)), kr_u128_of(ONE), (a.hi ^ b.hi) < 0, dir);
}

kr_num kr_num_div_dir(kr_num a, kr_num b, enum kr_dir dir)
{
    if (any_special(a, b))
        return kr_spread2(a, b);
    if (is_zero(b))
        return KR_E_DIV0;
    return divide_dir(scaled_up(kr_num_magnitude(a)), kr_num_magnitude(b), (a.hi ^ b.hi) < 0, dir);
}

kr_num kr_num_muldiv(kr_num a, kr_num b, kr_num c, enum kr_dir dir)
{
    kr_num args[3] = { a, b, c }, spread;
    if (kr_spread(args, 3, &spread))
        return spread;
    if (is_zero(c))
        return KR_E_DIV0;
    kr_u256 product = kr_u256_mul(kr_num_magnitude(a), kr_num_magnitude(b));
    return divide_dir(product, kr_num_magnitude(c), (a.hi ^ b.hi ^ c.hi) < 0, dir);
}
