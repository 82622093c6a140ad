/* num_moments.c: keeping the power sums, and the second order statistics.
 *
 * The second order works on fixed integers for any values: A < 2^318. The third and fourth order have a fast path for the usual case
 * and exact integers of any size for the rest (num_central.h). */
#include "vm/num/num_moments.h"

#include <assert.h>

#include "vm/num/num_central.h"
#include "vm/num/num_exact.h"
#include "vm/num/num_sum.h"

/* A result of a fast path below takes at most one quotient or root (2^-111) and eight products (2^-124 each). */
enum { CERTAIN_BITS = 110 };

static const kr_wf WF_SCALE = { UINT64_C(0xDE0B6B3A76400000), 0, -68, false }; /* 10^18 */

/* acc (n limbs, two's complement) += p or, where mask is all ones, -= p (np limbs). No branch: signs of returns are hard to guess. */
KR_LIMB_INLINE void accumulate(uint64_t *acc, int n, const uint64_t *p, int np, uint64_t mask)
{
    uint64_t carry = mask & 1;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        acc[i] = kr_limb_addc(acc[i], i < np ? p[i] ^ mask : mask, &carry);
}

void kr_moments_start(kr_moments *m, int order)
{
    assert(order == 2 || order == 4);
    *m = (kr_moments){ .order = order };
}

/* pop: all ones to take x away, 0 to add it. */
static inline void moments_step(kr_moments *m, kr_num x, uint64_t pop)
{
    uint64_t a[2], sign = (uint64_t)(x.hi >> 63) ^ pop;
    kr_limbs_of_num(a, x);
    if (__builtin_expect(a[1] == 0 && a[0] >> 63 == 0, 1)) {
        uint64_t p2[2], p3[3], p4[4];
        accumulate(m->s1, 2, a, 1, sign);
        kr_limbs_mul(p2, 2, a, 1, a, 1);
        accumulate(m->s2, 3, p2, 2, pop);
        if (m->order < 4)
            return;
        kr_limbs_mul(p3, 3, p2, 2, a, 1);
        accumulate(m->s3, 4, p3, 3, sign);
        kr_limbs_mul(p4, 4, p2, 2, p2, 2);
        accumulate(m->s4, 5, p4, 4, pop);
        return;
    }
    m->wide += pop ? UINT32_MAX : 1;
    uint64_t p2[4], p3[6], p4[8];
    accumulate(m->w1, 3, a, 2, sign);
    kr_limbs_mul(p2, 4, a, 2, a, 2);
    accumulate(m->w2, 5, p2, 4, pop);
    if (m->order < 4)
        return;
    kr_limbs_mul(p3, 6, p2, 4, a, 2);
    accumulate(m->w3, 7, p3, 6, sign);
    kr_limbs_mul(p4, 8, p2, 4, p2, 4);
    accumulate(m->w4, 9, p4, 8, pop);
}

void kr_moments_push(kr_moments *m, kr_num x)
{
    assert(m->n < UINT32_MAX); /* the sizes of the sums rest on it */
    m->n++;
    moments_step(m, x, 0);
}

void kr_moments_pop(kr_moments *m, kr_num x)
{
    assert(m->n > 0);
    m->n--;
    moments_step(m, x, UINT64_MAX);
}

static void magnitude(uint64_t out[3], const uint64_t in[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = in[i];
    if (kr_limbs_is_neg(out, 3))
        kr_limbs_neg(out, 3);
}

/* out (n limbs) = small (ns limbs, two's complement or below half its range) + wide (n limbs) */
KR_LIMB_INLINE void total(uint64_t *out, int n, const uint64_t *wide, const uint64_t *small, int ns)
{
    uint64_t sign = kr_limbs_is_neg(small, ns) ? UINT64_MAX : 0, carry = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        out[i] = kr_limb_addc(wide[i], i < ns ? small[i] : sign, &carry);
}

void kr_central_sums(const kr_moments *m, kr_power_sums *out)
{
    total(out->s1, 3, m->w1, m->s1, 2);
    total(out->s2, 5, m->w2, m->s2, 3); /* even sums: the top bit of S2 (2^158) and S4 (2^284) is clear */
    total(out->s3, 7, m->w3, m->s3, 4);
    total(out->s4, 9, m->w4, m->s4, 5);
}

int kr_central_sign(const kr_moments *m)
{
    uint64_t s1[3];
    total(s1, 3, m->w1, m->s1, 2);
    return kr_limbs_is_neg(s1, 3) ? -1 : !kr_limbs_is_zero(s1, 3);
}

void kr_central_a(const kr_moments *m, uint64_t a[5])
{
    if (m->wide == 0) { /* n S2 < 2^190 */
        uint64_t s1[2] = { m->s1[0], m->s1[1] }, square[3];
        if (kr_limbs_is_neg(s1, 2))
            kr_limbs_neg(s1, 2);
        kr_limbs_mul(square, 3, s1, 2, s1, 2);
        kr_limbs_mul1(a, 3, m->s2, 3, m->n);
        kr_limbs_sub(a, 3, square, 3);
        a[3] = a[4] = 0;
        return;
    }
    uint64_t s1[3], s2[5], square[5];
    total(s1, 3, m->w1, m->s1, 2);
    total(s2, 5, m->w2, m->s2, 3);
    magnitude(s1, s1);
    kr_limbs_mul(square, 5, s1, 3, s1, 3);
    kr_limbs_mul1(a, 5, s2, 5, m->n);
    kr_limbs_sub(a, 5, square, 5);
}

/* n times n, or n (n - 1). */
static uint64_t divisor_of(uint32_t n, enum kr_divisor divisor) { return (uint64_t)n * (n - (divisor == KR_SAMPLE)); }

kr_num kr_moments_var(const kr_moments *m, enum kr_divisor divisor)
{
    if (m->n < (divisor == KR_SAMPLE ? 2 : 1))
        return KR_BLANK;
    uint64_t a[5], d = divisor_of(m->n, divisor);
    kr_central_a(m, a);
    kr_num result;
    kr_wf v = kr_wf_div(kr_wf_of_limbs(a, 5), kr_wf_mul(kr_wf_of_u64(d), WF_SCALE));
    if (kr_wf_round(v, CERTAIN_BITS, &result))
        return result;
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    kr_mpz_set_limbs(num, a, 5);
    kr_mpz_set_u64(den, d);
    kr_mpz_scale(den); /* the squares count 10^-36 */
    result = kr_exact_ratio(num, den);
    mpz_clears(num, den, NULL);
    return result;
}

kr_num kr_moments_stdev(const kr_moments *m, enum kr_divisor divisor)
{
    if (m->n < (divisor == KR_SAMPLE ? 2 : 1))
        return KR_BLANK;
    uint64_t a[5], d = divisor_of(m->n, divisor);
    kr_central_a(m, a);
    kr_wf v = kr_wf_of_limbs(a, 5);
    if (kr_wf_is_zero(v))
        return KR_NUM_ZERO;
    kr_num result;
    v = kr_wf_mul(v, kr_wf_rsqrt(kr_wf_mul(v, kr_wf_of_u64(d)))); /* sqrt(a / d) */
    if (kr_wf_round(v, CERTAIN_BITS, &result))
        return result;
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    kr_mpz_set_limbs(num, a, 5);
    kr_mpz_set_u64(den, d);
    result = kr_exact_root(1, num, den);
    mpz_clears(num, den, NULL);
    return result;
}

/* mean / stdev = S1 sqrt((n - 1) / (n A)) */
kr_num kr_moments_sharpe(const kr_moments *m)
{
    uint64_t a[5], s1[3];
    if (m->n < 2)
        return KR_BLANK;
    kr_central_a(m, a);
    kr_wf v = kr_wf_of_limbs(a, 5);
    if (kr_wf_is_zero(v))
        return KR_BLANK;
    total(s1, 3, m->w1, m->s1, 2);
    bool neg = kr_limbs_is_neg(s1, 3);
    magnitude(s1, s1);
    kr_num result;
    kr_wf product = kr_wf_mul(v, kr_wf_of_u64(divisor_of(m->n, KR_SAMPLE)));
    v = kr_wf_mul(kr_wf_mul(kr_wf_of_limbs(s1, 3), WF_SCALE), kr_wf_mul(kr_wf_of_u64(m->n - 1), kr_wf_rsqrt(product)));
    v.neg = neg;
    if (kr_wf_round(v, CERTAIN_BITS, &result))
        return result;
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    kr_mpz_set_limbs(num, s1, 3);
    kr_mpz_scale(num);
    mpz_mul(num, num, num);
    mpz_mul_ui(num, num, m->n - 1);
    kr_mpz_set_limbs(den, a, 5);
    mpz_mul_ui(den, den, m->n);
    result = kr_exact_root(neg ? -1 : 1, num, den);
    mpz_clears(num, den, NULL);
    return result;
}

/* ---- pairs */

void kr_pairs_start(kr_pairs *p) { *p = (kr_pairs){ 0 }; }

static void pairs_step(kr_pairs *p, kr_num x, kr_num y, uint64_t pop)
{
    uint64_t a[2], b[2], t[4], sx = (uint64_t)(x.hi >> 63), sy = (uint64_t)(y.hi >> 63);
    kr_limbs_of_num(a, x);
    kr_limbs_of_num(b, y);
    accumulate(p->sx, 3, a, 2, sx ^ pop);
    accumulate(p->sy, 3, b, 2, sy ^ pop);
    kr_limbs_mul(t, 4, a, 2, a, 2);
    accumulate(p->sxx, 5, t, 4, pop);
    kr_limbs_mul(t, 4, b, 2, b, 2);
    accumulate(p->syy, 5, t, 4, pop);
    kr_limbs_mul(t, 4, a, 2, b, 2);
    accumulate(p->sxy, 5, t, 4, sx ^ sy ^ pop);
}

void kr_pairs_push(kr_pairs *p, kr_num x, kr_num y)
{
    assert(p->n < UINT32_MAX);
    p->n++;
    pairs_step(p, x, y, 0);
}

void kr_pairs_pop(kr_pairs *p, kr_num x, kr_num y)
{
    assert(p->n > 0);
    p->n--;
    pairs_step(p, x, y, UINT64_MAX);
}

/* n sxy - sx sy in two's complement; its magnitude is below 2^319 (Cauchy-Schwarz). */
static void central_product(uint64_t out[5], uint32_t n, const uint64_t sxy[5], const uint64_t sx[3], const uint64_t sy[3])
{
    uint64_t x[3], y[3], t[5];
    magnitude(x, sx);
    magnitude(y, sy);
    kr_limbs_mul(t, 5, x, 3, y, 3);
    if (kr_limbs_is_neg(sx, 3) != kr_limbs_is_neg(sy, 3))
        kr_limbs_neg(t, 5);
    kr_limbs_mul1(out, 5, sxy, 5, n);
    kr_limbs_sub(out, 5, t, 5);
}

static void central_xx(const kr_pairs *p, uint64_t out[5]) { central_product(out, p->n, p->sxx, p->sx, p->sx); }
static void central_yy(const kr_pairs *p, uint64_t out[5]) { central_product(out, p->n, p->syy, p->sy, p->sy); }
static void central_xy(const kr_pairs *p, uint64_t out[5]) { central_product(out, p->n, p->sxy, p->sx, p->sy); }

kr_num kr_pairs_correl(const kr_pairs *p)
{
    uint64_t xx[5], yy[5], xy[5];
    if (p->n < 2)
        return KR_BLANK;
    central_xx(p, xx);
    central_yy(p, yy);
    if (kr_limbs_is_zero(xx, 5) || kr_limbs_is_zero(yy, 5))
        return KR_BLANK;
    central_xy(p, xy);
    kr_num result;
    kr_wf v = kr_wf_rsqrt(kr_wf_mul(kr_wf_of_limbs(xx, 5), kr_wf_of_limbs(yy, 5)));
    v = kr_wf_mul(kr_wf_mul(kr_wf_of_signed(xy, 5), WF_SCALE), v);
    if (kr_wf_round(v, CERTAIN_BITS, &result))
        return result;
    mpz_t num, den, t;
    mpz_inits(num, den, t, NULL);
    kr_mpz_set_signed(num, xy, 5);
    int sign = mpz_sgn(num);
    kr_mpz_scale(num);
    mpz_mul(num, num, num);
    kr_mpz_set_limbs(den, xx, 5);
    kr_mpz_set_limbs(t, yy, 5);
    mpz_mul(den, den, t);
    result = kr_exact_root(sign, num, den);
    mpz_clears(num, den, t, NULL);
    return result;
}

/* num / den of two's complement integers, times 10^18 / extra, exact; the fast way first. */
static kr_num ratio(const uint64_t num[5], const uint64_t *den, int den_n, bool scale_up)
{
    kr_num result;
    kr_wf a = kr_wf_of_signed(num, 5), b = kr_wf_of_limbs(den, den_n);
    if (scale_up)
        a = kr_wf_mul(a, WF_SCALE);
    else
        b = kr_wf_mul(b, WF_SCALE);
    if (kr_wf_round(kr_wf_div(a, b), CERTAIN_BITS, &result))
        return result;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    kr_mpz_set_signed(x, num, 5);
    kr_mpz_set_limbs(y, den, den_n);
    if (scale_up)
        kr_mpz_scale(x);
    else
        kr_mpz_scale(y);
    result = kr_exact_ratio(x, y);
    mpz_clears(x, y, NULL);
    return result;
}

kr_num kr_pairs_covar(const kr_pairs *p, enum kr_divisor divisor)
{
    uint64_t xy[5], d;
    if (p->n < (divisor == KR_SAMPLE ? 2 : 1))
        return KR_BLANK;
    central_xy(p, xy);
    d = divisor_of(p->n, divisor);
    return ratio(xy, &d, 1, false);
}

kr_num kr_pairs_slope(const kr_pairs *p)
{
    uint64_t xx[5], xy[5];
    central_xx(p, xx);
    if (p->n < 2 || kr_limbs_is_zero(xx, 5))
        return KR_BLANK;
    central_xy(p, xy);
    return ratio(xy, xx, 5, true);
}

/* (Sy Cxx + Cxy (n at - Sx)) / (n Cxx) */
kr_num kr_pairs_forecast(const kr_pairs *p, kr_num at)
{
    uint64_t xx[5], xy[5];
    central_xx(p, xx);
    if (p->n < 2 || kr_limbs_is_zero(xx, 5))
        return KR_BLANK;
    central_xy(p, xy);
    mpz_t num, den, t, u;
    mpz_inits(num, den, t, u, NULL);
    kr_mpz_set_limbs(den, xx, 5);
    kr_mpz_set_signed(num, p->sy, 3);
    mpz_mul(num, num, den);
    kr_mpz_set_num(t, at);
    mpz_mul_ui(t, t, p->n);
    kr_mpz_set_signed(u, p->sx, 3);
    mpz_sub(t, t, u);
    kr_mpz_set_signed(u, xy, 5);
    mpz_addmul(num, t, u);
    mpz_mul_ui(den, den, p->n);
    kr_num result = kr_exact_ratio(num, den);
    mpz_clears(num, den, t, u, NULL);
    return result;
}
