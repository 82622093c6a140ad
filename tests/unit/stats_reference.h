/* stats_reference.h: the statistics once more, in the most obvious way: exact fractions (GMP) of the values, MPFR where a root or the
 * normal distribution is irrational. Slow and plain on purpose; shares no code with vm/num but the number type. */
#ifndef KR_STATS_REFERENCE_H
#define KR_STATS_REFERENCE_H

#include <gmp.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdlib.h>

#include "vm/num/num.h"

enum { REF_BITS = 2048 };

/* ---- random numbers */
static uint64_t ref_state;
static inline uint64_t ref_u64(void)
{
    uint64_t z = ref_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline uint64_t ref_below(uint64_t n) { return ref_u64() % n; }

static inline kr_num ref_halves(uint64_t hi, uint64_t lo)
{
    kr_num a = { lo, (int64_t)hi };
    return kr_is_special(a) ? KR_NUM_MIN : a;
}

static inline kr_num ref_count(int64_t count) { return (kr_num){ (uint64_t)count, count < 0 ? -1 : 0 }; }

static inline kr_num ref_value(int kind)
{
    switch (kind) {
    case 0: /* returns of a few percent, 6 decimals */
        return ref_count(((int64_t)ref_below(200001) - 100000) * 1000000000000);
    case 1: /* 18 decimals, below 9.2 */
        return ref_count((int64_t)ref_u64());
    case 2: /* whole range, with its ends */
        return ref_below(8) == 0 ? (ref_below(2) ? KR_NUM_MAX : KR_NUM_MIN) : ref_halves(ref_u64(), ref_u64());
    case 3: /* a few counts around 0 */
        return ref_count((int64_t)ref_below(7) - 3);
    case 4: /* money, 2 decimals, to 10^8 */
        return kr_num_mul(kr_num_of_int((int64_t)ref_below(20000000001) - 10000000000), ref_count(10000000000000000));
    case 5: /* any magnitude */
    {
        int bits = (int)ref_below(127);
        uint64_t hi = bits > 63 ? ref_u64() >> (127 - bits) : 0, lo = bits > 63 ? ref_u64() : ref_u64() >> (64 - (bits + 1));
        kr_num a = { lo, (int64_t)hi };
        return ref_below(2) ? a : kr_num_neg(a);
    }
    default: /* around 2^63 counts, where one limb ends */
        return kr_num_add(ref_halves(ref_below(2) ? 0 : UINT64_MAX, (UINT64_C(1) << 63) + ref_below(5) - 2), ref_count((int64_t)ref_below(3) - 1));
    }
}

/* ---- numbers and fractions */
static inline void ref_set(mpq_t q, kr_num a)
{
    mpz_t z;
    mpz_init_set_si(z, (long)a.hi);
    mpz_mul_2exp(z, z, 64);
    mpz_set_ui(mpq_numref(q), (unsigned long)a.lo);
    mpz_add(mpq_numref(q), mpq_numref(q), z);
    mpz_ui_pow_ui(mpq_denref(q), 10, 18);
    mpq_canonicalize(q);
    mpz_clear(z);
}

static inline kr_num ref_of_count(const mpz_t count)
{
    mpz_t limit, t;
    mpz_inits(limit, t, NULL);
    mpz_ui_pow_ui(limit, 2, 127);
    bool high = mpz_cmp(count, limit) >= 0;
    mpz_neg(limit, limit);
    mpz_add_ui(limit, limit, KR_SPECIALS);
    bool low = mpz_cmp(count, limit) < 0;
    mpz_fdiv_r_2exp(t, count, 64);
    uint64_t lo = mpz_get_ui(t);
    mpz_fdiv_q_2exp(t, count, 64);
    kr_num result = { lo, mpz_get_si(t) };
    mpz_clears(limit, t, NULL);
    return high || low ? KR_E_NUM : result;
}

/* The integer nearest to q, halves to even. */
static inline void ref_nearest(mpz_t out, const mpq_t q)
{
    mpz_t twice, odd;
    mpz_inits(twice, odd, NULL);
    mpz_mul_2exp(twice, mpq_numref(q), 1);
    mpz_add(twice, twice, mpq_denref(q));
    mpz_mul_2exp(odd, mpq_denref(q), 1);
    bool half = mpz_divisible_p(twice, odd);
    mpz_fdiv_q(out, twice, odd); /* floor(q + 1/2) */
    if (half && mpz_odd_p(out))
        mpz_sub_ui(out, out, 1);
    mpz_clears(twice, odd, NULL);
}

static inline kr_num ref_round(const mpq_t q)
{
    mpq_t t;
    mpz_t z;
    mpq_init(t);
    mpz_init(z);
    mpz_ui_pow_ui(mpq_numref(t), 10, 18);
    mpq_mul(t, t, q);
    ref_nearest(z, t);
    kr_num result = ref_of_count(z);
    mpq_clear(t);
    mpz_clear(z);
    return result;
}

/* sign * sqrt(square), rounded: a guess from MPFR, corrected by comparing squares of the halves around it. */
static inline kr_num ref_round_root(int sign, const mpq_t square)
{
    mpq_t scaled, edge;
    mpz_t k;
    mpfr_t r;
    mpq_inits(scaled, edge, NULL);
    mpz_init(k);
    mpfr_init2(r, 600);
    mpz_ui_pow_ui(mpq_numref(scaled), 10, 36);
    mpq_mul(scaled, scaled, square);
    mpfr_set_q(r, scaled, MPFR_RNDN);
    mpfr_sqrt(r, r, MPFR_RNDN);
    mpfr_get_z(k, r, MPFR_RNDD);
    mpq_set_z(edge, k);
    mpz_mul_2exp(mpq_denref(edge), mpq_denref(edge), 1);
    mpz_mul_2exp(mpq_numref(edge), mpq_numref(edge), 1);
    mpz_add_ui(mpq_numref(edge), mpq_numref(edge), 1); /* k + 1/2 */
    mpq_mul(edge, edge, edge);
    int side = mpq_cmp(scaled, edge);
    if (side > 0 || (side == 0 && mpz_odd_p(k)))
        mpz_add_ui(k, k, 1);
    if (sign < 0)
        mpz_neg(k, k);
    kr_num result = ref_of_count(k);
    mpq_clears(scaled, edge, NULL);
    mpz_clear(k);
    mpfr_clear(r);
    return result;
}

static inline kr_num ref_round_mpfr(const mpfr_t value)
{
    mpz_t scale;
    mpfr_t t;
    mpz_init(scale);
    mpz_ui_pow_ui(scale, 10, 18);
    mpfr_init2(t, REF_BITS);
    mpfr_mul_z(t, value, scale, MPFR_RNDN);
    mpfr_get_z(scale, t, MPFR_RNDN);
    kr_num result = ref_of_count(scale);
    mpz_clear(scale);
    mpfr_clear(t);
    return result;
}

static inline void ref_set_ui(mpq_t q, uint64_t num, uint64_t den)
{
    mpz_set_ui(mpq_numref(q), num);
    mpz_set_ui(mpq_denref(q), den);
    mpq_canonicalize(q);
}

/* ---- moments */
typedef struct ref_moments {
    mpq_t mean, m2, m3, m4; /* population */
} ref_moments;

static inline void ref_moments_init(ref_moments *r, const kr_num *x, size_t n)
{
    mpq_t v, d, p, count;
    mpq_inits(r->mean, r->m2, r->m3, r->m4, v, d, p, count, NULL);
    if (n == 0)
        goto done;
    ref_set_ui(count, n, 1);
    for (size_t i = 0; i < n; i++) {
        ref_set(v, x[i]);
        mpq_add(r->mean, r->mean, v);
    }
    mpq_div(r->mean, r->mean, count);
    for (size_t i = 0; i < n; i++) {
        ref_set(v, x[i]);
        mpq_sub(d, v, r->mean);
        mpq_mul(p, d, d);
        mpq_add(r->m2, r->m2, p);
        mpq_mul(p, p, d);
        mpq_add(r->m3, r->m3, p);
        mpq_mul(p, p, d);
        mpq_add(r->m4, r->m4, p);
    }
    mpq_div(r->m2, r->m2, count);
    mpq_div(r->m3, r->m3, count);
    mpq_div(r->m4, r->m4, count);
done:
    mpq_clears(v, d, p, count, NULL);
}

static inline void ref_moments_clear(ref_moments *r) { mpq_clears(r->mean, r->m2, r->m3, r->m4, NULL); }

/* variance with n or n - 1 */
static inline void ref_variance(mpq_t out, const ref_moments *r, size_t n, bool sample)
{
    ref_set_ui(out, n, sample ? n - 1 : n);
    mpq_mul(out, out, r->m2);
}

static inline kr_num ref_var(const ref_moments *r, size_t n, bool sample, bool root)
{
    if (n < (sample ? 2 : 1))
        return KR_BLANK;
    mpq_t v;
    mpq_init(v);
    ref_variance(v, r, n, sample);
    kr_num result = root ? ref_round_root(1, v) : ref_round(v);
    mpq_clear(v);
    return result;
}

static inline kr_num ref_sharpe(const ref_moments *r, size_t n)
{
    if (n < 2 || mpq_sgn(r->m2) == 0)
        return KR_BLANK;
    mpq_t v, s;
    mpq_inits(v, s, NULL);
    ref_variance(v, r, n, true);
    mpq_mul(s, r->mean, r->mean);
    mpq_div(s, s, v);
    kr_num result = ref_round_root(mpq_sgn(r->mean), s);
    mpq_clears(v, s, NULL);
    return result;
}

/* n/((n-1)(n-2)) sum((x-mean)/s)^3 with s of n - 1, as spreadsheets define SKEW; or m3/m2^1.5 */
static inline kr_num ref_skew(const ref_moments *r, size_t n, bool sample)
{
    if (n < (sample ? 3 : 1) || mpq_sgn(r->m2) == 0)
        return KR_BLANK;
    mpq_t s, v, f;
    mpq_inits(s, v, f, NULL);
    ref_variance(v, r, n, sample);
    mpq_set(s, r->m3);
    if (sample) {
        ref_set_ui(f, n, 1);
        mpq_mul(s, s, f); /* the sum */
        ref_set_ui(f, n, (n - 1) * (n - 2));
        mpq_mul(s, s, f);
    }
    int sign = mpq_sgn(s);
    mpq_mul(s, s, s);
    for (int i = 0; i < 3; i++)
        mpq_div(s, s, v);
    kr_num result = ref_round_root(sign, s);
    mpq_clears(s, v, f, NULL);
    return result;
}

/* n(n+1)/((n-1)(n-2)(n-3)) sum((x-mean)/s)^4 - 3(n-1)^2/((n-2)(n-3)); or m4/m2^2 */
static inline kr_num ref_kurt(const ref_moments *r, size_t n, bool sample)
{
    if (n < (sample ? 4 : 1) || mpq_sgn(r->m2) == 0)
        return KR_BLANK;
    mpq_t k, v, f;
    mpq_inits(k, v, f, NULL);
    ref_variance(v, r, n, sample);
    mpq_div(k, r->m4, v);
    mpq_div(k, k, v);
    if (sample) {
        ref_set_ui(f, n, 1);
        mpq_mul(k, k, f);
        ref_set_ui(f, n * (n + 1), (n - 1) * (n - 2) * (n - 3));
        mpq_mul(k, k, f);
        ref_set_ui(f, 3 * (n - 1) * (n - 1), (n - 2) * (n - 3));
        mpq_sub(k, k, f);
    }
    kr_num result = ref_round(k);
    mpq_clears(k, v, f, NULL);
    return result;
}

/* The paper's formula, step by step at REF_BITS. */
static inline kr_num ref_psr(const ref_moments *r, size_t n, kr_num benchmark)
{
    if (n == 0)
        return KR_BLANK;
    mpq_t q;
    mpfr_t s, target, g3, g4, root, t;
    mpq_init(q);
    mpfr_inits2(REF_BITS, s, target, g3, g4, root, t, (mpfr_ptr)NULL);
    kr_num result;
    if (mpq_sgn(r->m2) == 0 && mpq_sgn(r->mean) != 0) {
        result = mpq_sgn(r->mean) > 0 ? KR_NUM_ONE : KR_NUM_ZERO;
        goto done;
    }
    mpfr_set_ui(root, 1, MPFR_RNDN);
    mpfr_set_ui(s, 0, MPFR_RNDN);
    if (mpq_sgn(r->m2) != 0) {
        ref_variance(q, r, n, true);
        mpfr_set_q(t, q, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
        mpfr_set_q(s, r->mean, MPFR_RNDN);
        mpfr_div(s, s, t, MPFR_RNDN);
        mpfr_set_q(t, r->m2, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
        mpfr_pow_ui(t, t, 3, MPFR_RNDN);
        mpfr_set_q(g3, r->m3, MPFR_RNDN);
        mpfr_div(g3, g3, t, MPFR_RNDN);
        mpq_div(q, r->m4, r->m2);
        mpq_div(q, q, r->m2);
        mpfr_set_q(g4, q, MPFR_RNDN);
        mpfr_mul(t, g3, s, MPFR_RNDN);
        mpfr_sub(root, root, t, MPFR_RNDN);
        mpfr_sub_ui(t, g4, 1, MPFR_RNDN);
        mpfr_div_ui(t, t, 4, MPFR_RNDN);
        mpfr_mul(t, t, s, MPFR_RNDN);
        mpfr_mul(t, t, s, MPFR_RNDN);
        mpfr_add(root, root, t, MPFR_RNDN);
    }
    mpfr_sqrt(root, root, MPFR_RNDN);
    ref_set(q, benchmark);
    mpfr_set_q(target, q, MPFR_RNDN);
    mpfr_sub(s, s, target, MPFR_RNDN);
    mpfr_set_ui(t, n - 1, MPFR_RNDN);
    mpfr_sqrt(t, t, MPFR_RNDN);
    mpfr_mul(s, s, t, MPFR_RNDN);
    mpfr_div(s, s, root, MPFR_RNDN);
    mpfr_sqrt_ui(t, 2, MPFR_RNDN);
    mpfr_div(s, s, t, MPFR_RNDN);
    mpfr_neg(s, s, MPFR_RNDN);
    mpfr_prec_round(s, 320, MPFR_RNDN);
    mpfr_erfc(s, s, MPFR_RNDN);
    mpfr_div_ui(s, s, 2, MPFR_RNDN);
    result = ref_round_mpfr(s);
done:
    mpq_clear(q);
    mpfr_clears(s, target, g3, g4, root, t, (mpfr_ptr)NULL);
    return result;
}

/* ---- pairs */
typedef struct ref_pairs {
    mpq_t mean_x, mean_y, xx, yy, xy; /* central sums, not divided */
} ref_pairs;

static inline void ref_pairs_init(ref_pairs *r, const kr_num *x, const kr_num *y, size_t n)
{
    mpq_t a, b, t, count;
    mpq_inits(r->mean_x, r->mean_y, r->xx, r->yy, r->xy, a, b, t, count, NULL);
    if (n == 0)
        goto done;
    ref_set_ui(count, n, 1);
    for (size_t i = 0; i < n; i++) {
        ref_set(a, x[i]);
        ref_set(b, y[i]);
        mpq_add(r->mean_x, r->mean_x, a);
        mpq_add(r->mean_y, r->mean_y, b);
    }
    mpq_div(r->mean_x, r->mean_x, count);
    mpq_div(r->mean_y, r->mean_y, count);
    for (size_t i = 0; i < n; i++) {
        ref_set(a, x[i]);
        ref_set(b, y[i]);
        mpq_sub(a, a, r->mean_x);
        mpq_sub(b, b, r->mean_y);
        mpq_mul(t, a, a);
        mpq_add(r->xx, r->xx, t);
        mpq_mul(t, b, b);
        mpq_add(r->yy, r->yy, t);
        mpq_mul(t, a, b);
        mpq_add(r->xy, r->xy, t);
    }
done:
    mpq_clears(a, b, t, count, NULL);
}

static inline void ref_pairs_clear(ref_pairs *r) { mpq_clears(r->mean_x, r->mean_y, r->xx, r->yy, r->xy, NULL); }

static inline kr_num ref_correl(const ref_pairs *r, size_t n)
{
    if (n < 2 || mpq_sgn(r->xx) == 0 || mpq_sgn(r->yy) == 0)
        return KR_BLANK;
    mpq_t t;
    mpq_init(t);
    mpq_mul(t, r->xy, r->xy);
    mpq_div(t, t, r->xx);
    mpq_div(t, t, r->yy);
    kr_num result = ref_round_root(mpq_sgn(r->xy), t);
    mpq_clear(t);
    return result;
}

static inline kr_num ref_covar(const ref_pairs *r, size_t n, bool sample)
{
    if (n < (sample ? 2 : 1))
        return KR_BLANK;
    mpq_t t;
    mpq_init(t);
    ref_set_ui(t, 1, sample ? n - 1 : n);
    mpq_mul(t, t, r->xy);
    kr_num result = ref_round(t);
    mpq_clear(t);
    return result;
}

/* mean_y + slope (at - mean_x), or the slope alone */
static inline kr_num ref_line(const ref_pairs *r, size_t n, const kr_num *at)
{
    if (n < 2 || mpq_sgn(r->xx) == 0)
        return KR_BLANK;
    mpq_t slope, t;
    mpq_inits(slope, t, NULL);
    mpq_div(slope, r->xy, r->xx);
    if (at) {
        ref_set(t, *at);
        mpq_sub(t, t, r->mean_x);
        mpq_mul(slope, slope, t);
        mpq_add(slope, slope, r->mean_y);
    }
    kr_num result = ref_round(slope);
    mpq_clears(slope, t, NULL);
    return result;
}

/* ---- gain to pain */
static inline kr_num ref_decay(uint64_t k, kr_num half_life)
{
    mpq_t h, t;
    mpfr_t e;
    mpq_inits(h, t, NULL);
    mpfr_init2(e, 400);
    ref_set(h, half_life);
    ref_set_ui(t, k, 1);
    mpq_div(t, t, h);
    mpq_neg(t, t);
    mpfr_set_q(e, t, MPFR_RNDN);
    mpfr_exp2(e, e, MPFR_RNDN);
    kr_num result = ref_round_mpfr(e);
    mpq_clears(h, t, NULL);
    mpfr_clear(e);
    return result;
}

static inline kr_num ref_gpr(const kr_num *x, size_t n, const kr_num *weights)
{
    mpq_t gain, pain, w, v;
    mpq_inits(gain, pain, w, v, NULL);
    for (size_t k = 0; k < n; k++) {
        ref_set(w, weights[k]);
        ref_set(v, x[n - 1 - k]);
        mpq_mul(v, v, w);
        mpq_add(gain, gain, v);
        if (mpq_sgn(v) < 0)
            mpq_sub(pain, pain, v);
    }
    kr_num result = KR_BLANK;
    if (mpq_sgn(pain) != 0) {
        mpq_div(gain, gain, pain);
        result = ref_round(gain);
    }
    mpq_clears(gain, pain, w, v, NULL);
    return result;
}

/* ---- lines over time: the value just after (or just before) an instant, and trapezoids between all instants of interest */
static inline void ref_level(mpq_t out, const int64_t *time_ms, const kr_num *value, size_t n, int64_t t, bool after, kr_num before)
{
    size_t next = 0; /* the first point past t */
    while (next < n && (after ? time_ms[next] <= t : time_ms[next] < t))
        next++;
    if (next == 0) {
        ref_set(out, before);
        return;
    }
    ref_set(out, value[next - 1]);
    if (next == n)
        return;
    mpq_t up, share;
    mpq_inits(up, share, NULL);
    size_t last = next; /* of several points at one time the last counts */
    while (last + 1 < n && time_ms[last + 1] == time_ms[next])
        last++;
    ref_set(up, value[last]);
    mpq_sub(up, up, out);
    ref_set_ui(share, (uint64_t)(t - time_ms[next - 1]), (uint64_t)(time_ms[next] - time_ms[next - 1]));
    mpq_mul(up, up, share);
    mpq_add(out, out, up);
    mpq_clears(up, share, NULL);
}

static inline kr_num ref_value_at(const int64_t *time_ms, const kr_num *value, size_t n, int64_t t, kr_num before)
{
    if (n == 0 || (t < time_ms[0] && kr_is_blank(before)))
        return KR_BLANK;
    mpq_t v;
    mpq_init(v);
    ref_level(v, time_ms, value, n, t, true, before);
    kr_num result = ref_round(v);
    mpq_clear(v);
    return result;
}

static inline kr_num ref_twa(const int64_t *time_ms, const kr_num *value, size_t n, int64_t from, int64_t to, kr_num before)
{
    if (from >= to)
        return KR_E_NUM;
    if (n == 0 || (from < time_ms[0] && kr_is_blank(before)))
        return KR_BLANK;
    mpq_t area, a, b, t;
    mpq_inits(area, a, b, t, NULL);
    int64_t at = from;
    for (size_t i = 0; i <= n; i++) {
        int64_t stop = i < n && time_ms[i] < to ? time_ms[i] : to;
        if (stop <= at)
            continue;
        ref_level(a, time_ms, value, n, at, true, before);
        ref_level(b, time_ms, value, n, stop, false, before);
        mpq_add(a, a, b);
        ref_set_ui(t, (uint64_t)(stop - at), 2);
        mpq_mul(a, a, t);
        mpq_add(area, area, a);
        at = stop;
    }
    ref_set_ui(t, 1, (uint64_t)(to - from));
    mpq_mul(area, area, t);
    kr_num result = ref_round(area);
    mpq_clears(area, a, b, t, NULL);
    return result;
}

#endif
