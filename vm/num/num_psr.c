/* num_psr.c: the probabilistic Sharpe ratio.
 *
 * With the central sums of num_moments.h and k = 1 / sqrt(n A):
 *   S = S1 sqrt(n - 1) k,   g3 S = B S1 n sqrt(n (n - 1)) k^4,   g4 = C n^2 k^4,
 *   D = 1 - g3 S + (g4 - 1) S^2 / 4,   PSR = Phi((S - S*) sqrt(n - 1) / sqrt(D)).
 * Fast path: S1, A, B, C exact, then these formulas with 128 bits. k is good to a relative 2^-112, S to 2^-111, g3 S and g4 S^2 to 2^-109, so D has an
 * absolute error below 2^-107 M with M the largest of 1, |g3 S|, g4 S^2 / 4. Where D >= 2^-12 M its relative error is below 2^-95, z's from it 2^-96;
 * where |S| sqrt(n - 1) / sqrt(D) < 2^20, the difference S - S* (S* good to 2^-110) costs z less than 2^-89; so |z| < 16 has an error below 2^-88.
 * Anything else, and what the normal CDF cannot round with that error, goes to num_psr_slow.c. */
#include "vm/num/num_central.h"
#include "vm/num/num_fn.h"

enum { Z_ERROR_LOG = 36 }; /* 2^-88 in units of 2^-64 counts of 10^-18: 2^(-88 + 59.8 + 64) */

static const kr_wf WF_SCALE = { UINT64_C(0xDE0B6B3A76400000), 0, -68, false }; /* 10^18 */
static const kr_num HALF = { 500000000000000000u, 0 };

static int exponent(kr_wf a) { return kr_wf_is_zero(a) ? INT32_MIN / 2 : a.exp; }

/* Phi(z), z in counts of 10^-18. */
static bool phi(kr_wf z, kr_num *out)
{
    if (kr_wf_is_zero(z) || z.exp <= -192)
        return kr_normal_cdf_wide(z.neg, 0, 0, UINT64_C(1) << Z_ERROR_LOG, out);
    int down = -64 - z.exp; /* to units of 2^-64 counts */
    if (down <= 0)          /* 2^63 counts or more: 0 or 1 */
        return kr_normal_cdf_wide(z.neg, UINT64_MAX, 0, 0, out);
    uint64_t hi = z.hi, lo = z.lo;
    if (down >= 64)
        lo = hi, hi = 0, down -= 64;
    if (down)
        lo = lo >> down | hi << (64 - down), hi >>= down;
    return kr_normal_cdf_wide(z.neg, hi, lo, UINT64_C(1) << Z_ERROR_LOG, out);
}

/* S is 0 where all values are; else the ruling: by the mean's sign. */
static kr_num without_variance(const kr_moments *m, kr_num benchmark, const kr_psr_roots *roots)
{
    int sign = kr_central_sign(m);
    if (sign != 0)
        return sign < 0 ? KR_NUM_ZERO : KR_NUM_ONE;
    if (m->n == 1 || kr_raw_eq(benchmark, KR_NUM_ZERO))
        return HALF;
    kr_num result;
    return phi(kr_wf_neg(kr_wf_mul(roots->target, roots->n1_counts)), &result) ? result : kr_psr_slow(m, benchmark);
}

static bool with_variance(const kr_central *f, const kr_psr_roots *roots, kr_num *out)
{
    static const kr_wf one = { UINT64_C(1) << 63, 0, -127, false };
    kr_wf k = kr_wf_rsqrt(f->na), k2 = kr_wf_mul(k, k), k4 = kr_wf_mul(k2, k2);
    kr_wf s = kr_wf_mul(kr_wf_mul(f->s1, roots->n1), k), s2 = kr_wf_mul(s, s);
    kr_wf skew = kr_wf_mul(kr_wf_mul(f->b, f->s1), kr_wf_mul(k4, roots->skew_factor));
    kr_wf kurt = kr_wf_mul(kr_wf_sub(kr_wf_mul(f->c, kr_wf_mul(k4, roots->kurt_factor)), one), s2);
    kurt.exp -= 2;
    kr_wf d = kr_wf_add(kr_wf_sub(one, skew), kurt);
    /* g4 S^2 / 4 is below twice the larger of kurt and S^2 / 4 */
    int largest = exponent(one), others[3] = { exponent(skew), exponent(kurt) + 1, exponent(s2) };
    for (int i = 0; i < 3; i++)
        largest = others[i] > largest ? others[i] : largest;
    if (d.neg || exponent(d) < largest - 11)
        return false;
    kr_wf r = kr_wf_rsqrt(d);
    if (exponent(s) + exponent(roots->n1) + r.exp + 3 * 128 > 20)
        return false;
    return phi(kr_wf_mul(kr_wf_sub(s, roots->target), kr_wf_mul(roots->n1_counts, r)), out);
}

static void set_roots(kr_psr_roots *roots, uint32_t n, kr_num benchmark)
{
    roots->n = n;
    roots->benchmark = benchmark;
    roots->target = kr_wf_div(kr_wf_of_num(benchmark), WF_SCALE);
    roots->n1 = kr_wf_sqrt(kr_wf_of_u64(n - 1));
    roots->n1_counts = kr_wf_mul(roots->n1, WF_SCALE);
    roots->kurt_factor = kr_wf_mul(kr_wf_of_u64(n), kr_wf_of_u64(n));
    roots->skew_factor = kr_wf_mul(kr_wf_of_u64(n), kr_wf_sqrt(kr_wf_of_u64((uint64_t)n * (n - 1))));
}

kr_num kr_moments_psr_roots(const kr_moments *m, kr_num benchmark, kr_psr_roots *roots)
{
    if (m->n == 0)
        return KR_BLANK;
    if (roots->n != m->n || !kr_raw_eq(roots->benchmark, benchmark))
        set_roots(roots, m->n, benchmark);
    kr_central central;
    kr_num result;
    if (kr_central_fast(m, &central)) {
        if (kr_wf_is_zero(central.a))
            return without_variance(m, benchmark, roots);
        if (with_variance(&central, roots, &result))
            return result;
    } else {
        uint64_t a[5];
        kr_central_a(m, a);
        if (kr_limbs_is_zero(a, 5))
            return without_variance(m, benchmark, roots);
    }
    return kr_psr_slow(m, benchmark);
}

kr_num kr_moments_psr(const kr_moments *m, kr_num benchmark)
{
    kr_psr_roots roots = { 0 };
    return kr_moments_psr_roots(m, benchmark, &roots);
}
