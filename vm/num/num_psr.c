/* num_psr.c: the probabilistic Sharpe ratio.
 *
 * With the central sums of num_moments.h, D = 1 - g3 S + (g4 - 1)/4 S^2 and U = 4 n A^3 D:
 *   U = 4 n A^3 + (C - A^2) S1^2 (n - 1) - 4 A B S1 sqrt(n (n - 1)),
 *   z = (S - S*) sqrt(n - 1) / sqrt(D) = (S1 (n - 1) - S* sqrt(n - 1) sqrt(n A)) * 2 A / sqrt(U),   PSR = Phi(z).
 * Fast path: S1, A, B, C exact, then these formulas with 128 bits; the two roots that change with the row do not wait for each other. Each term
 * of U is good to a relative 2^-111, so U to 2^-109 M with M the largest of 4 n A^3, C S1^2 (n - 1) and |4 A B S1 sqrt(n (n - 1))|. Where U >= 2^-12 M its
 * root is good to 2^-98. sqrt(n - 1) sqrt(n A) is good to 2^-110: where S* sqrt(n - 1) / sqrt(D) < 2^20, that costs z less than 2^-90. So |z| < 16 has
 * an error below 2^-88. Anything else, and what the normal CDF cannot round with that error, goes to num_psr_slow.c. */
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
    return phi(kr_wf_neg(roots->target), &result) ? result : kr_psr_slow(m, benchmark);
}

static bool with_variance(const kr_central *f, const kr_psr_roots *roots, kr_num *out)
{
    kr_wf root_na = kr_wf_mul(f->na, kr_wf_rsqrt(f->na));
    kr_wf a2 = kr_wf_mul(f->a, f->a), weight = kr_wf_mul(kr_wf_mul(f->s1, f->s1), roots->less_one);
    kr_wf first = kr_wf_mul(a2, f->na), kurt = kr_wf_mul(kr_wf_sub(f->c, a2), weight);
    first.exp += 2;
    kr_wf skew = kr_wf_mul(kr_wf_mul(f->a, f->b), kr_wf_mul(f->s1, roots->skew_factor));
    kr_wf u = kr_wf_add(kr_wf_sub(first, skew), kurt);
    /* C S1^2 (n - 1) is below twice the larger of kurt and A^2 S1^2 (n - 1) */
    int largest = exponent(first), others[3] = { exponent(skew), exponent(kurt) + 1, exponent(a2) + exponent(weight) + 129 };
    for (int i = 0; i < 3; i++)
        largest = others[i] > largest ? others[i] : largest;
    if (u.neg || exponent(u) < largest - 11)
        return false;
    kr_wf scale = kr_wf_mul(f->a, kr_wf_rsqrt(u)), target = kr_wf_mul(root_na, roots->target);
    scale.exp++;
    if (exponent(target) + scale.exp + 2 * 128 > 20 + 60) /* the target counts 10^-18 */
        return false;
    return phi(kr_wf_mul(kr_wf_sub(kr_wf_mul(f->s1, roots->mean_factor), target), scale), out);
}

static void set_roots(kr_psr_roots *roots, uint32_t n, kr_num benchmark)
{
    kr_wf less_one = kr_wf_of_u64(n - 1);
    roots->n = n;
    roots->benchmark = benchmark;
    roots->less_one = less_one;
    roots->mean_factor = kr_wf_mul(less_one, WF_SCALE);
    roots->target = kr_wf_mul(kr_wf_of_num(benchmark), kr_wf_sqrt(less_one));
    roots->skew_factor = kr_wf_sqrt(kr_wf_of_u64((uint64_t)n * (n - 1)));
    roots->skew_factor.exp += 2;
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
