/* num_exp.c: exp, logarithms and powers in fixed point: tables and a short polynomial, the error bound beside each step.
 *
 * 2^y of a fraction y = i/2^7 + j/2^14 + k/2^21 + r is the product of three table entries and a polynomial in r < 2^-21.
 * ln m of m in [1, 2) multiplies m by three short reciprocals from tables, exactly, until it is 1 + u with u < 1.25 * 2^-21.
 * Two sizes of each: a short one on 128 bits (good to some 100) for most results, a long one on 192 bits (180 and more).
 * Bounds are derived in docs/internals/num_fn.md. */
#include "vm/num/num_fast.h"

#include "vm/num/num_exp.h"
#include "vm/num/num_fix.h"
#include "vm/num/num_tables.h"

#define ONE UINT64_C(1000000000000000000)
#define ALL UINT64_MAX

/* ---- 2^y */

static inline kr_u128 top128(kr_u192 a) { return kr_u128_make(a.w[2], a.w[1]); }

/* within a relative 2^-104 */
kr_u128 kr_exp2_short(kr_u128 y)
{
    uint64_t hi = kr_u128_hi(y);
    kr_u128 a = top128(kr_exp2_a[hi >> 57]), b = top128(kr_exp2_b[hi >> 50 & 127]), c = top128(kr_exp2_c[hi >> 43 & 127]);
    /* u = r ln 2 = U / 2^149; e^u - 1 = u + u^2 (1/2 + u/6 + u^2/24), u < 2^-21.5: the next term is below 2^-114 */
    kr_u128 u = kr_mulhi128(kr_u128_shl(y, 21), top128(kr_ln2));
    uint64_t t = kr_u128_hi(u); /* u in units of 2^-85 */
    uint64_t q = (ALL / 6) + (kr_mulhi64(t, ALL / 24) >> 21);
    q = (ALL / 2) + (kr_mulhi64(t, q) >> 21);
    uint64_t square = kr_mulhi64(kr_mulhi64(t, t), q); /* units of 2^-106 */
    /* w = c + v + c v in units of 2^-128 */
    kr_u128 v = kr_u128_add(kr_u128_shr(u, 21), kr_u128_shl(kr_u128_of(square), 22));
    kr_u128 w = kr_u128_add(kr_u128_add(c, v), kr_mulhi128(c, v));
    kr_u128 ab = kr_mulhi128(a, b); /* units of 2^-126 */
    return kr_u128_add(ab, kr_mulhi128(ab, w));
}

/* 2^y for a fraction y (units of 2^-192), in [1, 2] in units of 2^-190, within a relative 2^-184 + ln 2 * the error of y. */
static kr_u192 exp2_long(kr_u192 y)
{
    uint64_t hi = y.w[2];
    kr_u192 a = kr_exp2_a[hi >> 57], b = kr_exp2_b[hi >> 50 & 127], c = kr_exp2_c[hi >> 43 & 127];
    /* u = r ln 2 = U / 2^213; e^u - 1 = u (1 + u e1), e1 = 1/2 + u (1/6 + u (1/24 + ... u/8!)); the next term is below 2^-210 */
    kr_u192 u = kr_mulhi192(kr_u192_shl(y, 21), kr_ln2);
    uint64_t t = u.w[2];
    kr_u128 tt = top128(u);
    uint64_t q = (ALL / 5040) + (kr_mulhi64(t, ALL / 40320) >> 21);
    q = (ALL / 720) + (kr_mulhi64(t, q) >> 21); /* within 2^-63 of 1/6! + u/7! + u^2/8! */
    kr_u128 e = kr_u128_add(kr_u128_make(UINT64_C(0x0222222222222222), UINT64_C(0x2222222222222222)), /* 1/120 */
                            kr_u128_shr(kr_u128_add(kr_mul64(kr_u128_hi(tt), q), kr_u128_of(kr_mulhi64(kr_u128_lo(tt), q))), 21));
    e = kr_u128_add(kr_u128_make(UINT64_C(0x0aaaaaaaaaaaaaaa), UINT64_C(0xaaaaaaaaaaaaaaaa)), kr_u128_shr(kr_mulhi128(tt, e), 21)); /* 1/24 */
    e = kr_u128_add(kr_u128_make(UINT64_C(0x2aaaaaaaaaaaaaaa), UINT64_C(0xaaaaaaaaaaaaaaaa)), kr_u128_shr(kr_mulhi128(tt, e), 21)); /* 1/6 */
    kr_u256 ue = kr_u256_mul(tt, e); /* within 2^-127 of u (1/6 ...) * 2^21 */
    kr_u192 e1 = kr_u192_shr(kr_u192_make(ue.w[3], ue.w[2], ue.w[1]), 21);
    e1.w[2] += UINT64_C(1) << 63;
    kr_u192 v = kr_u192_shr(kr_mulhi192(u, e1), 21);           /* u e1 in units of 2^-192 */
    v = kr_u192_shr(kr_u192_add(u, kr_mulhi192(u, v)), 21);    /* e^u - 1 in units of 2^-192 */
    kr_u192 w = kr_u192_add(kr_u192_add(c, v), kr_mulhi192(c, v));
    kr_u192 ab = kr_mulhi192(a, b);
    return kr_u192_add(ab, kr_mulhi192(ab, w));
}

/* 2^y of value `mantissa` / 2^126 * 2^k as a number, known within a relative 2^-precision. */
static bool settle_short(kr_u128 mantissa, int64_t k, int precision, kr_num *out)
{
    kr_u128 p0 = kr_mul64(kr_u128_lo(mantissa), ONE), p1 = kr_muladd64(kr_u128_hi(mantissa), ONE, kr_u128_hi(p0));
    kr_u256 p = { { kr_u128_lo(p0), kr_u128_lo(p1), kr_u128_hi(p1), 0 } }; /* below 2^187 */
    return kr_fix_round(p, (int)(126 - k), 187 - precision, false, out);
}

static bool settle_long(kr_u192 mantissa, int64_t k, int precision, kr_num *out)
{
    return kr_fix_round(kr_u192_mul1(mantissa, ONE), (int)(190 - k), 251 - precision, false, out);
}

enum { LOWEST = -61, HIGHEST = 67 }; /* 2^-61 is below half of 10^-18; 2^68 is out of range, 2^67 may be in it */

/* ---- exp */

bool kr_fast_exp(kr_num x, kr_num *out)
{
    bool negative = x.hi < 0;
    kr_u128 n = kr_num_magnitude(x);
    uint64_t n0 = kr_u128_lo(n), n1 = kr_u128_hi(n); /* n1 <= 3 */
    /* y = n * C / 2^256, five limbs y4 (whole) y3 y2 y1 y0; C within a half: n C within 2^65, that is 2^-191 */
    const uint64_t *c = kr_log2e_counts;
    kr_u128 s0 = kr_mul64(n0, c[0]);
    kr_u128 s1 = kr_muladd64(n0, c[1], kr_u128_hi(s0));
    kr_u128 s2 = kr_muladd64(n0, c[2], kr_u128_hi(s1));
    kr_u128 s3 = kr_muladd64(n0, c[3], kr_u128_hi(s2));
    kr_u192 f = kr_u192_make(kr_u128_lo(s3), kr_u128_lo(s2), kr_u128_lo(s1));
    uint64_t whole = kr_u128_hi(s3);
    for (; n1 > 0; n1--) { /* 2^64 C */
        kr_u192 sum = kr_u192_add(f, kr_u192_make(c[2], c[1], c[0]));
        whole += c[3] + kr_u192_less(sum, f);
        f = sum;
    }
    int64_t k = (int64_t)whole;
    if (negative) {
        k = -k - !kr_u192_is_zero(f);
        f = kr_u192_neg(f);
    }
    if (k < LOWEST) {
        *out = KR_NUM_ZERO;
        return true;
    }
    if (k > HIGHEST) {
        *out = KR_E_NUM;
        return true;
    }
    if (k <= 20 && settle_short(kr_exp2_short(top128(f)), k, 103, out))
        return true;
    return settle_long(exp2_long(f), k, 183, out);
}

/* ---- logarithms */

/* m = n / 2^e in [1, 2), and u with m = (1 + u) / (ra rb rc), exact: u in units of 2^-175; the table rows used. */
typedef struct log_steps {
    kr_u192 u;
    int e;
    unsigned i, j, k;
} log_steps;

static inline log_steps log_reduce(kr_u128 n)
{
    log_steps s;
    s.e = kr_u128_bits(n) - 1;
    n = kr_u128_shl(n, 127 - s.e);
    uint64_t n0 = kr_u128_lo(n), n1 = kr_u128_hi(n);
    s.i = (unsigned)(n1 >> 56) & 127;
    uint64_t r = kr_ln_ra[s.i];
    kr_u128 p = kr_mul64(n0, r), q = kr_muladd64(n1, r, kr_u128_hi(p));
    kr_u192 a = kr_u192_make(kr_u128_hi(q), kr_u128_lo(q), kr_u128_lo(p)); /* 1 is 2^136 */
    s.j = (unsigned)(kr_u128_lo(kr_u128_shr(q, 122 - 64))) - (1u << 14);
    r = kr_ln_rb[s.j];
    p = kr_mul64(a.w[0], r), q = kr_muladd64(a.w[1], r, kr_u128_hi(p));
    a = kr_u192_make(a.w[2] * r + kr_u128_hi(q), kr_u128_lo(q), kr_u128_lo(p)); /* 1 is 2^152 */
    s.k = (unsigned)(kr_u128_lo(kr_u128_shr(kr_u128_make(a.w[2], a.w[1]), 131 - 64)) - (1u << 21));
    r = kr_ln_rc[s.k];
    p = kr_mul64(a.w[0], r), q = kr_muladd64(a.w[1], r, kr_u128_hi(p));
    s.u = kr_u192_make(a.w[2] * r + kr_u128_hi(q) - (UINT64_C(1) << 47), kr_u128_lo(q), kr_u128_lo(p)); /* 1 is 2^175 */
    return s;
}

/* ln(n / 10^18) in units of 2^-120, two's complement, within 2^-102. */
static kr_u128 ln_short(kr_u128 n)
{
    log_steps s = log_reduce(n);
    kr_u128 sum = kr_u128_add(kr_u128_add(top128(kr_ln_scale[s.e]), top128(kr_ln_a[s.i])), kr_u128_add(top128(kr_ln_b[s.j]), top128(kr_ln_c[s.k])));
    /* ln(1 + u) = u - u^2 (1/2 - u/3 + u^2/4 - u^3/5), u < 2^-20.6: the next term is below 2^-126 */
    uint64_t t = s.u.w[2] << 37 | s.u.w[1] >> 27; /* units of 2^-84 */
    uint64_t q = ALL / 4 - (kr_mulhi64(t, ALL / 5) >> 20);
    q = ALL / 3 - (kr_mulhi64(t, q) >> 20);
    q = ALL / 2 - (kr_mulhi64(t, q) >> 20);
    uint64_t square = kr_mulhi64(kr_mulhi64(t, t), q); /* units of 2^-104 */
    kr_u128 u = top128(kr_u192_shl(s.u, 9));                    /* units of 2^-120 */
    return kr_u128_sub(kr_u128_add(sum, u), kr_u128_shl(kr_u128_of(square), 16));
}

/* ln(n / 10^18) in units of 2^-184, two's complement, within 2^-181. */
static kr_u192 ln_long(kr_u128 n)
{
    log_steps s = log_reduce(n);
    kr_u192 sum = kr_u192_add(kr_u192_add(kr_ln_scale[s.e], kr_ln_a[s.i]), kr_u192_add(kr_ln_b[s.j], kr_ln_c[s.k]));
    /* ln(1 + u) = u - u^2 h2, hn = 1/n - u h(n+1), to h9: the next term is below 2^-209; u = U / 2^212 */
    kr_u192 u = kr_u192_shl(s.u, 37);
    uint64_t t = u.w[2];
    kr_u128 tt = top128(u);
    uint64_t q = ALL / 8 - (kr_mulhi64(t, ALL / 9) >> 20);
    q = ALL / 7 - (kr_mulhi64(t, q) >> 20);
    q = ALL / 6 - (kr_mulhi64(t, q) >> 20); /* h6 within 2^-62 */
    kr_u128 h = kr_u128_sub(kr_u128_make(UINT64_C(0x3333333333333333), UINT64_C(0x3333333333333333)), /* 1/5 */
                            kr_u128_shr(kr_u128_add(kr_mul64(kr_u128_hi(tt), q), kr_u128_of(kr_mulhi64(kr_u128_lo(tt), q))), 20));
    h = kr_u128_sub(kr_u128_make(UINT64_C(1) << 62, 0), kr_u128_shr(kr_mulhi128(tt, h), 20)); /* h4 */
    h = kr_u128_sub(kr_u128_make(UINT64_C(0x5555555555555555), UINT64_C(0x5555555555555555)), kr_u128_shr(kr_mulhi128(tt, h), 20)); /* h3 */
    kr_u256 uh = kr_u256_mul(tt, h);
    kr_u192 h2 = kr_u192_sub(kr_u192_make(UINT64_C(1) << 63, 0, 0), kr_u192_shr(kr_u192_make(uh.w[3], uh.w[2], uh.w[1]), 20));
    kr_u192 square = kr_mulhi192(u, kr_mulhi192(u, h2));            /* u^2 h2 in units of 2^-232 */
    return kr_u192_sub(kr_u192_add(sum, kr_u192_shr(u, 28)), kr_u192_shr(square, 48));
}

/* A magnitude in units of 2^-120, within 2^-101, as a number. */
static bool settle_ln_short(kr_u128 l, bool negative, kr_num *out)
{
    kr_u128 p0 = kr_mul64(kr_u128_lo(l), ONE), p1 = kr_muladd64(kr_u128_hi(l), ONE, kr_u128_hi(p0));
    kr_u256 p = { { kr_u128_lo(p0), kr_u128_lo(p1), kr_u128_hi(p1), 0 } };
    return kr_fix_round(p, 120, 60 + 120 - 101, negative, out);
}

/* The same in units of 2^-184, within 2^-180. */
static bool settle_ln_long(kr_u192 l, bool negative, kr_num *out)
{
    return kr_fix_round(kr_u192_mul1(l, ONE), 184, 60 + 184 - 180, negative, out);
}

bool kr_fast_ln(kr_num a, kr_num *out)
{
    kr_u128 n = kr_num_magnitude(a), s = ln_short(n);
    bool negative = kr_u128_hi(s) >> 63;
    if (settle_ln_short(kr_u128_with_sign(s, negative), negative, out))
        return true;
    kr_u192 l = ln_long(n);
    negative = l.w[2] >> 63;
    return settle_ln_long(negative ? kr_u192_neg(l) : l, negative, out);
}

bool kr_fast_log10(kr_num a, kr_num *out)
{
    kr_u128 n = kr_num_magnitude(a), s = ln_short(n);
    bool negative = kr_u128_hi(s) >> 63;
    if (settle_ln_short(kr_mulhi128(kr_u128_with_sign(s, negative), top128(kr_log10e)), negative, out))
        return true;
    kr_u192 l = ln_long(n);
    negative = l.w[2] >> 63;
    return settle_ln_long(kr_mulhi192(negative ? kr_u192_neg(l) : l, kr_log10e), negative, out);
}

/* A value: mantissa with its top bit set, times 2^exp, and a sign. */
typedef struct scaled {
    kr_u192 m;
    int exp;
    bool negative;
} scaled;

static int bits192(kr_u192 a) { return a.w[2] ? 128 + kr_bits64(a.w[2]) : a.w[1] ? 64 + kr_bits64(a.w[1]) : kr_bits64(a.w[0]); }

/* ln of a number other than 1, normal: |ln| >= 2^-60, so at least 124 bits; within 2^-181 absolutely. */
static scaled ln_scaled(kr_num a)
{
    kr_u192 l = ln_long(kr_num_magnitude(a));
    scaled s = { .negative = l.w[2] >> 63 };
    if (s.negative)
        l = kr_u192_neg(l);
    int up = 192 - bits192(l);
    s.m = kr_u192_shl(l, up);
    s.exp = -184 - up;
    return s;
}

bool kr_fast_log(kr_num a, kr_num base, kr_num *out)
{
    scaled x = ln_scaled(a), y = ln_scaled(base);
    /* x 10^18 / y from the top 128 bits of y; the dividend is below 2^254, so below 2^128 times the divisor */
    kr_u128 rem, d = top128(y.m), q = kr_u256_div(kr_u256_shl(kr_u192_mul1(x.m, ONE), 2), d, &rem);
    int point = 2 + 64 + y.exp - x.exp; /* -2 .. 134 */
    /* relative errors: 2^-181 / 2^(exp + 191) of each logarithm, 2^-127 of the cut divisor, 2^-124 of the cut quotient */
    int worse = (x.exp < y.exp ? x.exp : y.exp) + 191 + 181 - 2;
    int precision = worse < 122 ? worse : 122;
    if (point < 0)
        return false;
    return kr_fix_round(kr_u256_of(q), point, kr_u128_bits(q) - precision, x.negative != y.negative, out);
}

/* a^b = 2^(b ln a log2(e)) */
bool kr_fast_pow(kr_num a, kr_num b, kr_num *out)
{
    scaled l = ln_scaled(a);
    bool negative = l.negative != (b.hi < 0);
    kr_u128 n = kr_num_magnitude(b);
    int up = 128 - kr_u128_bits(n);
    n = kr_u128_shl(n, up);
    kr_u192 y = kr_mulhi192(kr_mulhi192(l.m, kr_u192_make(kr_u128_hi(n), kr_u128_lo(n), 0)), kr_log2e_top);
    /* y = Y * 2^exp within a relative 2^-precision: 8 units of at least 2^189 from the products, and the logarithm's 2^-181 */
    int exp = l.exp - up - 64 + 2 * 192 - 251;
    int from_log = l.exp + 191 + 181, precision = (from_log < 185 ? from_log : 185) - 1;
    int size = exp + bits192(y); /* y < 2^size */
    if (size > 7) {
        *out = negative ? KR_NUM_ZERO : KR_E_NUM; /* |y| >= 2^7 */
        return true;
    }
    /* to a fraction of 192 bits and a whole part */
    int64_t k = 0;
    kr_u192 f;
    int move = exp + 192; /* shift left by so much for units of 2^-192 */
    if (move > 0) {
        k = (int64_t)(y.w[2] >> (64 - move)); /* move <= 7 + 192 - 190 */
        f = kr_u192_shl(y, move);
    } else {
        f = -move < 192 ? kr_u192_shr(y, -move) : kr_u192_make(0, 0, 0);
    }
    if (negative) {
        k = -k - !kr_u192_is_zero(f);
        f = kr_u192_neg(f);
    }
    if (k < LOWEST || k > HIGHEST) {
        *out = k < 0 ? KR_NUM_ZERO : KR_E_NUM;
        return true;
    }
    /* the exponent's error |y| 2^-precision (and 2^-192 of the shift) is, but for ln 2, the result's relative error */
    int good = precision - (size > 0 ? size : 0);
    if (good > 184)
        good = 184;
    if (k <= 20 && good >= 104 && settle_short(kr_exp2_short(top128(f)), k, 102, out))
        return true;
    return settle_long(exp2_long(f), k, good - 1 < 183 ? good - 1 : 183, out);
}
