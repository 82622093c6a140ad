/* num_normal.c: the normal distribution and the error function in fixed point.
 *
 * The upper tail 10^18 (1 - cdf(z)) is a polynomial on each of 128 pieces of 2^56 counts of 10^-18 (z below 9.2). The pieces are cut in
 * counts, so the place within a piece is an exact integer. Its value is in counts too: the integer part is the result, the 64 bits
 * below decide the rounding. */
#include "vm/num/num_fast.h"
#include "vm/num/num_fn.h"

#include "vm/num/num_exp.h"
#include "vm/num/num_fix.h"
#include "vm/num/num_tables.h"

#define ONE UINT64_C(1000000000000000000)

/* The tail is known within 2^37 units of 2^-64 counts, that is 2^-27: 9 coefficients off by 2^-33 each, 8 products of theirs cut by 2^-31,
 * the polynomial's own 2^-38, less than 64 units of the wide steps. */
enum { TAIL_ERROR_LOG = 37 };

/* acc s + c, s = S / 2^63; two's complement; cut by at most 8 units. */
static inline kr_u128 wide_step(kr_u128 acc, int64_t s, const uint64_t c[2])
{
    kr_u128 high = kr_mul64_signed((int64_t)kr_u128_hi(acc), s);
    int64_t low = 2 * kr_mulhi64_signed((int64_t)(kr_u128_lo(acc) >> 1), s);
    return kr_u128_add(kr_u128_shl(kr_u128_add(high, kr_u128_of_signed(low)), 1), kr_u128_make(c[1], c[0]));
}

static inline int64_t narrow_mul(int64_t a, int64_t s) { return 2 * kr_mulhi64_signed(a, s); }

/* 10^18 (1 - cdf(z)) in units of 2^-64 counts, z = (counts + frac / 2^64) * 10^-18, counts < 2^63. */
static kr_u128 tail(uint64_t counts, uint64_t frac)
{
    unsigned i = (unsigned)(counts >> 56);
    const int64_t *c = kr_normal_narrow[i];
    const uint64_t(*w)[2] = kr_normal_wide[i];
    /* from the piece's middle, the place in units of 2^-63 of half its width: 8 bits finer than counts */
    int64_t s = (int64_t)((counts << 8 | frac >> 56) ^ UINT64_C(1) << 63);
    int64_t square = kr_mulhi64_signed(s, s); /* 2^62 for s = -1: twice that is one too much */
    int64_t s2 = 2 * (square - (square >> 62)), s4 = narrow_mul(s2, s2);
    int64_t p0 = c[0] + narrow_mul(c[1], s), p1 = c[2] + narrow_mul(c[3], s);
    int64_t p2 = c[4] + narrow_mul(c[5], s), p3 = c[6] + narrow_mul(c[7], s);
    int64_t top = p2 + narrow_mul(p3, s2) + narrow_mul(c[8], s4);
    int64_t narrow = p0 + narrow_mul(p1, s2) + narrow_mul(top, s4);
    kr_u128 acc = kr_u128_shl(kr_u128_of_signed(narrow), 64 - KR_NORMAL_NARROW_BITS);
    for (int n = KR_NORMAL_WIDE - 1; n >= 0; n--)
        acc = wide_step(acc, s, w[n]);
    uint64_t rest = frac << 8 >> 8; /* units of 2^-64 counts, less than 2^-8 counts */
    if (rest) {
        /* the slope, in counts per s, of 2^55 counts: whole counts of each term do */
        int64_t slope = 5 * (c[0] >> KR_NORMAL_NARROW_BITS);
        for (int n = KR_NORMAL_WIDE - 1; n >= 1; n--)
            slope = n * (int64_t)w[n][1] + narrow_mul(slope, s);
        acc = kr_u128_add(acc, kr_u128_of_signed(2 * kr_mulhi64_signed((int64_t)rest, slope * 256))); /* slope / 2^55 in units of 2^-63 */
    }
    return acc;
}

/* The number nearest to t / 2^64 counts, t known within `error` units. */
static inline bool settle(kr_u128 t, uint64_t error, bool upper, uint64_t whole, kr_num *out)
{
    uint64_t fraction = kr_u128_lo(t), half = UINT64_C(1) << 63, gap = fraction >= half ? fraction - half : half - fraction;
    if (gap <= error)
        return false;
    uint64_t count = kr_u128_hi(t) + (fraction >> 63);
    *out = (kr_num){ upper ? whole - count : count, 0 };
    return true;
}

bool kr_normal_cdf_wide(bool negative, uint64_t counts, uint64_t frac, uint64_t error, kr_num *out)
{
    if (counts >> 63) {
        *out = negative ? KR_NUM_ZERO : KR_NUM_ONE; /* error < 1 count */
        return true;
    }
    return settle(tail(counts, frac), (error >> 1) + (UINT64_C(1) << TAIL_ERROR_LOG), !negative, ONE, out); /* density < 1/2 */
}

/* x sqrt 2, in counts and 2^-64 counts. */
static kr_u128 times_sqrt2(uint64_t x)
{
    kr_u128 lo = kr_mul64(x, kr_sqrt2[0]), hi = kr_muladd64(x, kr_sqrt2[1], kr_u128_hi(lo)); /* units of 2^-63 */
    return kr_u128_add(kr_u128_shl(hi, 1), kr_u128_of(kr_u128_lo(lo) >> 63));
}

/* erfc(x) = 2 (1 - cdf(x sqrt 2)), erf(x) = 1 - erfc(x). */
static bool two_tails(uint64_t x, bool upper, uint64_t whole, kr_num *out)
{
    if (x > UINT64_C(6500000000000000000)) { /* erfc(6.5) < 4 * 10^-20; x sqrt 2 stays within the pieces below */
        *out = upper ? (kr_num){ whole, 0 } : KR_NUM_ZERO;
        return true;
    }
    kr_u128 z = times_sqrt2(x);
    kr_u128 t = kr_u128_shl(tail(kr_u128_hi(z), kr_u128_lo(z)), 1);
    return settle(t, UINT64_C(2) << TAIL_ERROR_LOG, upper, whole, out);
}

bool kr_fast_erfc(bool negative, uint64_t x, kr_num *out) { return two_tails(x, negative, 2 * ONE, out); }

bool kr_fast_erf(bool negative, uint64_t x, kr_num *out)
{
    if (!two_tails(x, true, ONE, out))
        return false;
    if (negative)
        *out = kr_num_neg(*out);
    return true;
}

bool kr_fast_norm_pdf(uint64_t z, kr_num *out)
{
    /* exp(-z^2 / 2) = 2^-y, y = z^2 log2(e) / (2 * 10^36), five limbs with the point above the fourth; within 2^-129 */
    kr_u128 square = kr_mul64(z, z);
    kr_u256 lo = kr_u256_mul(square, kr_u128_make(kr_log2e_squares[1], kr_log2e_squares[0]));
    kr_u192 hi = kr_u192_make(0, kr_u128_hi(square), kr_u128_lo(square));
    kr_u256 top = kr_u192_mul1(hi, kr_log2e_squares[2]); /* in units of limb 2 */
    kr_u256 sum = kr_u256_add(top, (kr_u256){ { lo.w[2], lo.w[3], 0, 0 } });
    kr_u128 f = kr_u128_make(sum.w[1], sum.w[0]);
    int64_t k = -(int64_t)sum.w[2] - !kr_u128_is_zero(f);
    if (k < -61) { /* 2^-61 / sqrt(2 pi) < 10^-18 / 2 */
        *out = KR_NUM_ZERO;
        return true;
    }
    kr_u128 power = kr_exp2_short(kr_u128_neg(f));                                                /* units of 2^-126 */
    kr_u128 density = kr_mulhi128(power, kr_u128_make(kr_inv_sqrt_2pi[1], kr_inv_sqrt_2pi[0])); /* units of 2^-127 */
    kr_u128 p0 = kr_mul64(kr_u128_lo(density), ONE), p1 = kr_muladd64(kr_u128_hi(density), ONE, kr_u128_hi(p0));
    kr_u256 p = { { kr_u128_lo(p0), kr_u128_lo(p1), kr_u128_hi(p1), 0 } }; /* below 2^187; within a relative 2^-103 */
    return kr_fix_round(p, (int)(127 - k), 187 - 103, false, out);
}

/* z >= 0 with 1 - cdf(z) = q: Newton's steps in counts from the middle of the nearest piece, then a proof: the tail half a count below is
 * above q and half a count above is below it. The density must be large enough for the tail's error to leave that proof: z < 5. */
bool kr_fast_norm_inv(uint64_t p, kr_num *out)
{
    bool negative = p < ONE / 2;
    uint64_t q = negative ? p : ONE - p;
    if (q < UINT64_C(300000000000)) /* z > 5 */
        return false;
    unsigned low = 0, high = 80; /* the last piece whose value at its middle is above q, or 0 */
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (kr_normal_wide[middle][0][1] >= q)
            low = middle;
        else
            high = middle;
    }
    int64_t z = (int64_t)((2 * (uint64_t)low + 1) << 55);
    kr_u128 target = kr_u128_make(q, 0);
    for (int turn = 0; turn < 8; turn++) {
        kr_num density;
        kr_u128 t = tail((uint64_t)z, 0);
        if (!kr_fast_norm_pdf((uint64_t)z, &density))
            return false;
        bool left = !kr_u128_less(t, target); /* of the root */
        kr_u128 gap = left ? kr_u128_sub(t, target) : kr_u128_sub(target, t), rem;
        /* the step gap / density in counts, nearest: gap has 64 fraction bits, density counts 10^-18 */
        kr_u256 n = kr_u256_mul(gap, kr_u128_of(ONE));
        kr_u128 step = kr_u256_div(n, kr_u128_make(density.lo, 0), &rem);
        if (kr_u128_less(kr_u128_make(density.lo >> 1, 0), rem))
            step = kr_u128_add(step, kr_u128_of(1));
        int64_t move = (int64_t)kr_u128_lo(step);
        z += left ? move : -move;
        if (z < 0)
            z = 0;
        if (move <= 1)
            break;
    }
    const uint64_t half = UINT64_C(1) << 63;
    const kr_u128 error = kr_u128_of(UINT64_C(1) << TAIL_ERROR_LOG);
    if (kr_u128_less(tail((uint64_t)z, half), kr_u128_sub(target, error))) {
        *out = negative ? kr_num_neg((kr_num){ (uint64_t)z, 0 }) : (kr_num){ (uint64_t)z, 0 };
        return z == 0 || kr_u128_less(kr_u128_add(target, error), tail((uint64_t)z - 1, half));
    }
    return false;
}
