/* num_central.c: central sums of third and fourth order; skewness and kurtosis. */
#include "vm/num/num_central.h"

#include "vm/num/num_exact.h"

enum {
    FAST_N = 1 << 15,   /* the fast path's bound on n: |B| <= n^3 2^192 < 2^237, C <= n^4 2^256 < 2^316 */
    CERTAIN_BITS = 108, /* r^3 costs 3 * 2^-112, the sample's factor 2^-110.4, products nothing that shows */
};

static const kr_wf WF_SCALE = { UINT64_C(0xDE0B6B3A76400000), 0, -68, false }; /* 10^18 */

/* With S1 >= 0 (else the series is mirrored, which changes the sign of S3 and B):
 *   B = n (n S3 - S1 S2) - 2 S1 A,   C = n^2 (n S4 - 4 S1 S3) + 3 S1^2 (n S2 + A),
 * modulo 2^256 and 2^320, which the bounds above make exact. |S1| < 2^78, S2 < 2^141, |S3| < 2^204, S4 < 2^267. L: limbs of S1. */
KR_LIMB_INLINE void central(const kr_moments *m, const uint64_t *s1, const int L, const uint64_t s3[5], kr_central *out)
{
    uint64_t n = m->n, square[3] = { 0 }, ns2[3], a[3], b[4], c[5], t[5], u[5], two_s1[2] = { s1[0] << 1, s1[0] >> 63 };
    if (L > 1)
        two_s1[1] |= s1[1] << 1;
    kr_limbs_mul(square, 2 * L < 3 ? 2 * L : 3, s1, L, s1, L);
    kr_limbs_mul1(ns2, 3, m->s2, 3, n);
    a[0] = ns2[0], a[1] = ns2[1], a[2] = ns2[2];
    kr_limbs_sub(a, 3, square, 3);

    kr_limbs_mul1(b, 4, s3, 4, n);
    kr_limbs_mul(t, 4, m->s2, 3, s1, L);
    kr_limbs_sub(b, 4, t, 4);
    kr_limbs_mul1(b, 4, b, 4, n);
    kr_limbs_mul(t, 4, a, 3, two_s1, 2);
    kr_limbs_sub(b, 4, t, 4);

    kr_limbs_mul(t, 5, s3, 5, s1, L);
    kr_limbs_mul1(c, 5, m->s4, 5, n);
    t[4] = t[4] << 2 | t[3] >> 62, t[3] = t[3] << 2 | t[2] >> 62, t[2] = t[2] << 2 | t[1] >> 62, t[1] = t[1] << 2 | t[0] >> 62, t[0] <<= 2;
    kr_limbs_sub(c, 5, t, 5);
    kr_limbs_mul1(c, 5, c, 5, n * n);
    kr_limbs_add(ns2, 3, a, 3);
    kr_limbs_mul1(square, 3, square, 2 * L < 3 ? 2 * L : 3, 3);
    kr_limbs_mul(u, 5, ns2, 3, square, 3);
    kr_limbs_add(c, 5, u, 5);

    out->a = kr_wf_of_limbs(a, 3);
    kr_limbs_mul1(t, 3, a, 3, n); /* n A < 2^171 */
    out->na = kr_wf_of_limbs(t, 3);
    out->b = kr_wf_of_signed(b, 4);
    out->c = kr_wf_of_limbs(c, 5);
}

bool kr_central_fast(const kr_moments *m, kr_central *out)
{
    if (m->wide || m->n >= FAST_N)
        return false;
    uint64_t s1[2] = { m->s1[0], m->s1[1] }, s3[5] = { m->s3[0], m->s3[1], m->s3[2], m->s3[3], (uint64_t)((int64_t)m->s3[3] >> 63) };
    bool mirrored = kr_limbs_is_neg(s1, 2);
    if (mirrored) {
        kr_limbs_neg(s1, 2);
        kr_limbs_neg(s3, 5);
    }
    if (s1[1] == 0)
        central(m, s1, 1, s3, out);
    else
        central(m, s1, 2, s3, out);
    out->s1 = kr_wf_normal(s1[1], s1[0], 0, mirrored);
    out->b.neg ^= mirrored;
    return true;
}

void kr_central_exact_init(kr_central_exact *z, const kr_moments *m)
{
    mpz_t s2, s3, s4, t;
    mpz_inits(z->n, z->s1, z->a, z->b, z->c, s2, s3, s4, t, NULL);
    kr_power_sums sums;
    kr_central_sums(m, &sums);
    kr_mpz_set_u64(z->n, m->n);
    kr_mpz_set_signed(z->s1, sums.s1, 3);
    kr_mpz_set_limbs(s2, sums.s2, 5);
    kr_mpz_set_signed(s3, sums.s3, 7);
    kr_mpz_set_limbs(s4, sums.s4, 9);
    mpz_mul(z->a, z->n, s2); /* A = n S2 - S1^2 */
    mpz_submul(z->a, z->s1, z->s1);
    mpz_mul(t, s2, z->s1); /* B = n (n S3 - S1 S2) - 2 S1 A */
    mpz_mul(z->b, z->n, s3);
    mpz_sub(z->b, z->b, t);
    mpz_mul(z->b, z->b, z->n);
    mpz_mul(t, z->s1, z->a);
    mpz_submul_ui(z->b, t, 2);
    mpz_mul(z->c, z->n, s4); /* C = n^2 (n S4 - 4 S1 S3) + 3 S1^2 (n S2 + A) */
    mpz_mul(t, z->s1, s3);
    mpz_submul_ui(z->c, t, 4);
    mpz_mul(z->c, z->c, z->n);
    mpz_mul(z->c, z->c, z->n);
    mpz_mul(t, z->n, s2);
    mpz_add(t, t, z->a);
    mpz_mul(t, t, z->s1);
    mpz_mul(t, t, z->s1);
    mpz_addmul_ui(z->c, t, 3);
    mpz_clears(s2, s3, s4, t, NULL);
}

void kr_central_exact_clear(kr_central_exact *z) { mpz_clears(z->n, z->s1, z->a, z->b, z->c, NULL); }

static bool no_variance(const kr_moments *m)
{
    uint64_t a[5];
    kr_central_a(m, a);
    return kr_limbs_is_zero(a, 5);
}

/* population: B / A^1.5; sample: that times sqrt(n (n - 1)) / (n - 2) */
kr_num kr_moments_skew(const kr_moments *m, enum kr_divisor divisor)
{
    uint64_t n = m->n;
    if (n < (divisor == KR_SAMPLE ? 3 : 1) || no_variance(m))
        return KR_BLANK;
    kr_num result;
    kr_central f;
    if (kr_central_fast(m, &f)) {
        kr_wf r = kr_wf_rsqrt(f.a);
        kr_wf v = kr_wf_mul(kr_wf_mul(f.b, WF_SCALE), kr_wf_mul(kr_wf_mul(r, r), r));
        if (divisor == KR_SAMPLE)
            v = kr_wf_mul(v, kr_wf_div(kr_wf_sqrt(kr_wf_of_u64(n * (n - 1))), kr_wf_of_u64(n - 2)));
        if (kr_wf_round(v, CERTAIN_BITS, &result))
            return result;
    }
    kr_central_exact z;
    mpz_t num, den;
    kr_central_exact_init(&z, m);
    mpz_inits(num, den, NULL);
    mpz_set(num, z.b);
    kr_mpz_scale(num);
    mpz_mul(num, num, num);
    mpz_pow_ui(den, z.a, 3);
    if (divisor == KR_SAMPLE) {
        mpz_mul_ui(num, num, n);
        mpz_mul_ui(num, num, n - 1);
        mpz_mul_ui(den, den, n - 2);
        mpz_mul_ui(den, den, n - 2);
    }
    result = kr_exact_root(mpz_sgn(z.b), num, den);
    mpz_clears(num, den, NULL);
    kr_central_exact_clear(&z);
    return result;
}

/* population: C / A^2; sample: ((n + 1) (n - 1) C - 3 (n - 1)^2 A^2) / ((n - 2) (n - 3) A^2) */
kr_num kr_moments_kurt(const kr_moments *m, enum kr_divisor divisor)
{
    uint64_t n = m->n;
    if (n < (divisor == KR_SAMPLE ? 4 : 1) || no_variance(m))
        return KR_BLANK;
    kr_num result;
    kr_central f;
    if (kr_central_fast(m, &f)) {
        kr_wf v = kr_wf_div(kr_wf_mul(f.c, WF_SCALE), kr_wf_mul(f.a, f.a));
        int lost = 0;
        if (divisor == KR_SAMPLE) {
            kr_wf left = kr_wf_mul(v, kr_wf_of_u64((n + 1) * (n - 1))), right = kr_wf_mul(WF_SCALE, kr_wf_of_u64(3 * (n - 1) * (n - 1)));
            v = kr_wf_sub(left, right);
            lost = (left.exp > right.exp ? left.exp : right.exp) - v.exp + 1; /* bits that the difference has fewer */
            v = kr_wf_div(v, kr_wf_of_u64((n - 2) * (n - 3)));
        }
        if (!kr_wf_is_zero(v) && kr_wf_round(v, CERTAIN_BITS - lost, &result))
            return result;
    }
    kr_central_exact z;
    mpz_t num, den;
    kr_central_exact_init(&z, m);
    mpz_inits(num, den, NULL);
    mpz_mul(den, z.a, z.a);
    mpz_set(num, z.c);
    if (divisor == KR_SAMPLE) {
        mpz_mul_ui(num, num, n + 1);
        mpz_mul_ui(num, num, n - 1);
        mpz_t t;
        mpz_init(t);
        mpz_mul_ui(t, den, n - 1);
        mpz_mul_ui(t, t, n - 1);
        mpz_submul_ui(num, t, 3);
        mpz_clear(t);
        mpz_mul_ui(den, den, n - 2);
        mpz_mul_ui(den, den, n - 3);
    }
    kr_mpz_scale(num);
    result = kr_exact_ratio(num, den);
    mpz_clears(num, den, NULL);
    kr_central_exact_clear(&z);
    return result;
}
