/* num_slow.c: correct rounding at any precision, by MPFR (the only file that sees it).
 *
 * Reached when a fast path cannot be certain, about once in 2^30 calls for ordinary arguments, and for the arguments that fast paths
 * leave out. Decides exact ties of powers by integer roots first: everything else here is irrational, or rational with so small a
 * denominator that it is never halfway, so the loop ends. */
#include "vm/num/num_slow.h"

#include <gmp.h>
#include <mpfr.h>
#include <stdatomic.h>

#include "vm/num/i128.h"

static const uint64_t one = UINT64_C(1000000000000000000);

static atomic_ullong gave_up;

void kr_num_ziv_gave_up(void) { atomic_fetch_add_explicit(&gave_up, 1, memory_order_relaxed); }

uint64_t kr_num_ziv_failures(void) { return atomic_load_explicit(&gave_up, memory_order_relaxed); }

static void set_u64(mpz_t z, uint64_t v) { mpz_import(z, 1, -1, sizeof v, 0, 0, &v); }

static void set_count(mpz_t z, kr_num a)
{
    kr_u128 m = kr_num_magnitude(a);
    uint64_t limb[2] = { kr_u128_lo(m), kr_u128_hi(m) };
    mpz_import(z, 2, -1, sizeof *limb, 0, 0, limb);
    if (a.hi < 0)
        mpz_neg(z, z);
}

static kr_num get_count(const mpz_t z)
{
    if (mpz_sizeinbase(z, 2) > 128)
        return KR_E_NUM;
    uint64_t limb[2] = { 0, 0 };
    mpz_export(limb, NULL, -1, sizeof *limb, 0, 0, z);
    return kr_num_signed(mpz_sgn(z) < 0, kr_u128_make(limb[1], limb[0]));
}

/* The number nearest to v +- 2^(16 - precision) max(1, |v|); false when the two ends round apart. */
static bool settle(mpfr_t v, long precision, kr_num *out)
{
    mpfr_t low, high, error;
    mpz_t a, b;
    mpfr_inits2(precision + 64, low, high, error, (mpfr_ptr)0);
    mpz_inits(a, b, NULL);
    set_u64(a, one);
    mpfr_abs(error, v, MPFR_RNDU);
    if (mpfr_cmp_ui(error, 1) < 0)
        mpfr_set_ui(error, 1, MPFR_RNDU);
    mpfr_mul_2si(error, error, 16 - precision, MPFR_RNDU);
    mpfr_sub(low, v, error, MPFR_RNDD);
    mpfr_add(high, v, error, MPFR_RNDU);
    mpfr_mul_z(low, low, a, MPFR_RNDD);
    mpfr_mul_z(high, high, a, MPFR_RNDU);
    mpfr_get_z(a, low, MPFR_RNDN);
    mpfr_get_z(b, high, MPFR_RNDN);
    bool certain = mpz_cmp(a, b) == 0;
    if (certain)
        *out = get_count(a);
    mpfr_clears(low, high, error, (mpfr_ptr)0);
    mpz_clears(a, b, NULL);
    return certain;
}

kr_num kr_num_ziv(kr_ziv_fn *f, void *ctx)
{
    for (long precision = KR_ZIV_START; precision <= KR_ZIV_LIMIT; precision *= 2) {
        mpfr_t v;
        mpfr_init2(v, precision);
        f(v, precision, ctx);
        kr_num out = KR_E_NUM;
        /* 2^68 units are past the range for certain, and may be too many to count */
        bool beyond = !mpfr_number_p(v) || (mpfr_regular_p(v) && mpfr_get_exp(v) > 70);
        bool certain = beyond || settle(v, precision, &out);
        mpfr_clear(v);
        if (certain)
            return out;
    }
    kr_num_ziv_gave_up();
    return KR_E_NUM;
}

/* v = a / 10^18, correctly rounded */
static void set_num(mpfr_t v, kr_num a)
{
    mpz_t z;
    mpz_init(z);
    set_count(z, a);
    mpfr_set_z(v, z, MPFR_RNDN); /* exact: at least 256 bits */
    set_u64(z, one);
    mpfr_div_z(v, v, z, MPFR_RNDN);
    mpz_clear(z);
}

typedef struct fn_args {
    enum kr_slow_fn fn;
    kr_num x, y;
} fn_args;

/* x is off by a relative 2^-p' with p' = precision + 128, and each function multiplies an error of its argument by at most
 * |x| < 2^68 relative to max(1, |f|) where f is in range (exp; for ln, and near 1, the error is absolute): far below 2^(16 - precision). */
static void elementary(void *out, long precision, void *ctx)
{
    const fn_args *args = ctx;
    mpfr_t x, t;
    mpfr_inits2(precision + 160, x, t, (mpfr_ptr)0);
    set_num(x, args->x);
    switch (args->fn) {
    case KR_SLOW_EXP: mpfr_exp(t, x, MPFR_RNDN); break;
    case KR_SLOW_LN: mpfr_log(t, x, MPFR_RNDN); break;
    case KR_SLOW_LOG10: mpfr_log10(t, x, MPFR_RNDN); break;
    case KR_SLOW_ERF: mpfr_erf(t, x, MPFR_RNDN); break;
    case KR_SLOW_ERFC: mpfr_erfc(t, x, MPFR_RNDN); break;
    case KR_SLOW_NORM_CDF: /* erfc(-x / sqrt 2) / 2 */
        mpfr_sqrt_ui(t, 2, MPFR_RNDN);
        mpfr_div(x, x, t, MPFR_RNDN);
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_erfc(t, x, MPFR_RNDN);
        mpfr_div_2ui(t, t, 1, MPFR_RNDN);
        break;
    case KR_SLOW_NORM_PDF: /* exp(-x^2 / 2) / sqrt(2 pi) */
        mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_div_2ui(x, x, 1, MPFR_RNDN);
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_const_pi(t, MPFR_RNDN);
        mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
        mpfr_div(t, x, t, MPFR_RNDN);
        break;
    }
    mpfr_set((mpfr_ptr)out, t, MPFR_RNDN);
    mpfr_clears(x, t, (mpfr_ptr)0);
}

kr_num kr_num_slow(enum kr_slow_fn fn, kr_num x)
{
    fn_args args = { .fn = fn, .x = x };
    return kr_num_ziv(elementary, &args);
}

/* ln a / ln b: each logarithm within a relative 2^-(precision + 90), since |ln| >= 2^-60 and the argument is off by 2^-(precision + 160). */
static void quotient_of_logs(void *out, long precision, void *ctx)
{
    const fn_args *args = ctx;
    mpfr_t x, y;
    mpfr_inits2(precision + 160, x, y, (mpfr_ptr)0);
    set_num(x, args->x);
    set_num(y, args->y);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_log(y, y, MPFR_RNDN);
    mpfr_div((mpfr_ptr)out, x, y, MPFR_RNDN);
    mpfr_clears(x, y, (mpfr_ptr)0);
}

/* A rational logarithm p / q has a base that is a q-th power, so q <= 127 and 2 * 10^18 p / q is a whole odd number for no p but
 * those with q | 2^19 5^18: of these q <= 127 none reaches a half of 10^-18. So no ties. */
kr_num kr_num_slow_log(kr_num a, kr_num base)
{
    fn_args args = { .x = a, .y = base };
    return kr_num_ziv(quotient_of_logs, &args);
}

/* x^y. |y ln x| < 48 where the result is in range, and is known to a relative 2^-(precision + 90) as above, so to 2^-(precision + 84). */
static void power(void *out, long precision, void *ctx)
{
    const fn_args *args = ctx;
    mpfr_t x, y;
    mpfr_inits2(precision + 160, x, y, (mpfr_ptr)0);
    set_num(x, args->x);
    set_num(y, args->y);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_mul(x, x, y, MPFR_RNDN);
    if (mpfr_cmp_si(x, 64) > 0)
        mpfr_set_inf((mpfr_ptr)out, 1);
    else if (mpfr_cmp_si(x, -64) < 0)
        mpfr_set_ui_2exp((mpfr_ptr)out, 1, -90, MPFR_RNDN); /* stands for anything below: rounds to 0 */
    else
        mpfr_exp((mpfr_ptr)out, x, MPFR_RNDN);
    mpfr_clears(x, y, (mpfr_ptr)0);
}

/* Is a^b, a > 0 and not 1, b > 0, a multiple of half of 10^-18? Then *out is its rounding. With b = p / q and a = n / d, both in lowest
 * terms, a^b is rational only when n and d are q-th powers; then a^b = (n'^p) / (d'^p), and d'^p must divide 2 * 10^18. */
static bool rational_power(kr_num a, kr_num b, bool inverse, kr_num *out)
{
    mpz_t n, d, p, q, g;
    mpz_inits(n, d, p, q, g, NULL);
    bool found = false;
    set_count(n, a), set_u64(d, one);
    set_count(p, b), set_u64(q, one);
    mpz_gcd(g, n, d), mpz_divexact(n, n, g), mpz_divexact(d, d, g);
    mpz_gcd(g, p, q), mpz_divexact(p, p, g), mpz_divexact(q, q, g);
    if (mpz_cmp_ui(q, 127) > 0) /* no number in range but 1 is such a power */
        goto done;
    unsigned long root = mpz_get_ui(q);
    if (!mpz_root(n, n, root) || !mpz_root(d, d, root))
        goto done;
    if (inverse)
        mpz_swap(n, d);
    /* n, d are coprime, one of them at least 2, so that p > 128 leaves the range or the decimals */
    if (mpz_cmp_ui(p, 128) > 0)
        goto done;
    unsigned long exponent = mpz_get_ui(p);
    mpz_pow_ui(n, n, exponent), mpz_pow_ui(d, d, exponent);
    set_u64(g, 2 * one);
    if (!mpz_divisible_p(g, d))
        goto done;
    mpz_divexact(g, g, d);
    mpz_mul(n, n, g); /* the value in halves of 10^-18 */
    /* half even: add 1 when the halves are 3 mod 4, then drop the half */
    if (mpz_fdiv_ui(n, 4) == 3)
        mpz_add_ui(n, n, 1);
    mpz_fdiv_q_2exp(n, n, 1);
    *out = get_count(n);
    found = true;
done:
    mpz_clears(n, d, p, q, g, NULL);
    return found;
}

kr_num kr_num_slow_pow(kr_num a, kr_num b)
{
    kr_num exact, size = b.hi < 0 ? kr_num_neg(b) : b;
    if (kr_raw_eq(a, KR_NUM_ONE) || kr_raw_eq(b, KR_NUM_ZERO))
        return KR_NUM_ONE;
    if (!kr_is_special(size) && rational_power(a, size, b.hi < 0, &exact))
        return exact;
    fn_args args = { .x = a, .y = b };
    return kr_num_ziv(power, &args);
}

/* Newton's steps z -= (cdf(z) - p) / density(z) at `work` bits, until a step is below 2^-(work / 2 - 40): what is left then is about |z| / 2
 * times its square, below 2^-(work - 90). */
static bool newton(mpfr_t z, mpfr_t p, long work)
{
    mpfr_t f, density, t;
    mpfr_inits2(work, f, density, t, (mpfr_ptr)0);
    bool found = false;
    for (int turn = 0; turn < 400 && !found; turn++) { /* 30 turns do for the smallest p */
        mpfr_sqrt_ui(t, 2, MPFR_RNDN);
        mpfr_div(f, z, t, MPFR_RNDN);
        mpfr_neg(f, f, MPFR_RNDN);
        mpfr_erfc(f, f, MPFR_RNDN);
        mpfr_div_2ui(f, f, 1, MPFR_RNDN);
        mpfr_sub(f, f, p, MPFR_RNDN);
        mpfr_sqr(density, z, MPFR_RNDN);
        mpfr_div_2ui(density, density, 1, MPFR_RNDN);
        mpfr_neg(density, density, MPFR_RNDN);
        mpfr_exp(density, density, MPFR_RNDN);
        mpfr_const_pi(t, MPFR_RNDN);
        mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
        mpfr_div(density, density, t, MPFR_RNDN);
        mpfr_div(f, f, density, MPFR_RNDN);
        mpfr_sub(z, z, f, MPFR_RNDN);
        found = mpfr_zero_p(f) || mpfr_get_exp(f) < 40 - work / 2;
    }
    mpfr_clears(f, density, t, (mpfr_ptr)0);
    return found;
}

/* The quantile: z with cdf(z) = p, on the half below 1/2, where relative precision is at hand; with few bits first, for most turns. It starts
 * from -sqrt(L), L = -2 ln p, where cdf < p / 2 (a first step crosses the root by less than 2.5, the others come back to it), or, for
 * L > 8, from the tail's first term: -sqrt(L - ln(2 pi L)), within 0.1 of the root. */
static void quantile(void *out, long precision, void *ctx)
{
    const fn_args *args = ctx;
    long work = precision + 200;
    mpfr_t p, z, t;
    mpfr_inits2(work, p, z, t, (mpfr_ptr)0);
    set_num(p, args->x);
    mpfr_set_ui_2exp(t, 1, -1, MPFR_RNDN);
    bool upper = mpfr_cmp(p, t) > 0;
    if (upper)
        mpfr_ui_sub(p, 1, p, MPFR_RNDN);
    mpfr_log(z, p, MPFR_RNDN);
    mpfr_mul_si(z, z, -2, MPFR_RNDN);
    if (mpfr_cmp_ui(z, 8) > 0) {
        mpfr_const_pi(t, MPFR_RNDN);
        mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
        mpfr_mul(t, t, z, MPFR_RNDN);
        mpfr_log(t, t, MPFR_RNDN);
        mpfr_sub(z, z, t, MPFR_RNDN);
    }
    mpfr_sqrt(z, z, MPFR_RNDN);
    mpfr_neg(z, z, MPFR_RNDN);
    if (!newton(z, p, 128) || !newton(z, p, work))
        mpfr_set_nan(z);
    if (upper)
        mpfr_neg(z, z, MPFR_RNDN);
    mpfr_set((mpfr_ptr)out, z, MPFR_RNDN);
    mpfr_clears(p, z, t, (mpfr_ptr)0);
}

kr_num kr_num_slow_norm_inv(kr_num p)
{
    if (kr_raw_eq(p, (kr_num){ one / 2, 0 }))
        return KR_NUM_ZERO;
    fn_args args = { .x = p };
    return kr_num_ziv(quantile, &args);
}

void kr_num_thread_done(void) { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
