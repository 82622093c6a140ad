/* Nanoseconds per operation of kr_num beside plain double (libm), MPFR at 192 bits and GMP integers, on the same arguments in one run.
 *
 * Arguments are read from arrays that stay in the cache, results go into a sum, so that the time is that of independent operations;
 * best of several rounds. MPFR is timed twice: the bare operation on values converted beforehand, and with what kr_num also does, the
 * rounding to 18 decimals (times 10^18, to the nearest integer). GMP does the same as kr_num on plain integers. */
#include <gmp.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/num_random.h"
#include "vm/num/num.h"

enum { N = 1024, ROUNDS = 15 };

static kr_num a[N], b[N];
static double da[N], db[N];
static mpfr_t ma[N], mb[N], mr, mt;
static mpz_t za[N], zb[N], zr, one, half;
static volatile uint64_t sink;
static volatile double double_sink;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The best time of one operation, the statement run for i = 0 .. N-1. */
#define TIME(result, repeat, ...)                                \
    do {                                                         \
        (result) = 1e30;                                         \
        for (int round_ = 0; round_ < ROUNDS; round_++) {        \
            double start_ = now_ns();                            \
            for (int again_ = 0; again_ < (repeat); again_++)    \
                for (int i = 0; i < N; i++) {                    \
                    __VA_ARGS__;                                 \
                }                                                \
            double took_ = (now_ns() - start_) / N / (repeat);   \
            if (took_ < (result))                                \
                (result) = took_;                                \
        }                                                        \
    } while (0)

static void set(mpz_t z, kr_num x)
{
    kr_u128 m = kr_num_magnitude(x);
    uint64_t limb[2] = { kr_u128_lo(m), kr_u128_hi(m) };
    mpz_import(z, 2, -1, 8, 0, 0, limb);
    if (x.hi < 0)
        mpz_neg(z, z);
}

static void convert(void)
{
    for (int i = 0; i < N; i++) {
        set(za[i], a[i]), set(zb[i], b[i]);
        mpfr_set_z(ma[i], za[i], MPFR_RNDN), mpfr_div_z(ma[i], ma[i], one, MPFR_RNDN);
        mpfr_set_z(mb[i], zb[i], MPFR_RNDN), mpfr_div_z(mb[i], mb[i], one, MPFR_RNDN);
        da[i] = mpfr_get_d(ma[i], MPFR_RNDN), db[i] = mpfr_get_d(mb[i], MPFR_RNDN);
    }
}

static kr_num between(uint64_t low, uint64_t high) /* units, 18 decimals */
{
    kr_u128 n = kr_mul64(UINT64_C(1000000000000000000), low + random_bits() % (high - low));
    return kr_num_signed(false, kr_u128_add(n, kr_u128_of(random_bits() % UINT64_C(1000000000000000000))));
}

static void amounts(void) /* 1 .. 10^6 and factors 0 .. 10, half of each */
{
    for (int i = 0; i < N; i++)
        a[i] = between(1, 1000000), b[i] = i % 2 ? between(0, 10) : between(1, 1000);
    convert();
}
static void signed_small(uint64_t most)
{
    for (int i = 0; i < N; i++) {
        a[i] = between(0, most);
        if (i % 2)
            a[i] = kr_num_neg(a[i]);
    }
    convert();
}
static void powers(void)
{
    for (int i = 0; i < N; i++)
        a[i] = between(0, i % 2 ? 2 : 2000), b[i] = i % 4 < 2 ? between(0, 3) : kr_num_neg(between(0, 3));
    convert();
}

static void line(const char *name, double ours, double plain, double bare, double same, double gmp)
{
    printf("%-9s %8.1f %10.1f %10.1f %12.1f", name, ours, plain, bare, same);
    if (gmp > 0)
        printf(" %10.1f", gmp);
    else
        printf(" %10s", "");
    printf("   x%.1f bare, x%.1f the same", bare / ours, same / ours);
    if (gmp > 0)
        printf(", x%.1f GMP", gmp / ours);
    printf("\n");
}

#define SCALE_AND_ROUND() (mpfr_mul_z(mt, mr, one, MPFR_RNDN), mpfr_get_z(zr, mt, MPFR_RNDN), sink += mpz_get_ui(zr))
#define BENCH(name, repeat, ours, plain, theirs)                             \
    do {                                                                     \
        double t_ours, t_plain, t_bare, t_same;                              \
        TIME(t_ours, repeat, sink += (ours).lo);                             \
        TIME(t_plain, repeat, double_sink += (plain));                       \
        TIME(t_bare, 1 + repeat / 8, theirs);                                \
        TIME(t_same, 1 + repeat / 8, theirs; SCALE_AND_ROUND());             \
        line(name, t_ours, t_plain, t_bare, t_same, t_gmp);                  \
        t_gmp = 0;                                                           \
    } while (0)

int main(void)
{
    random_state = 42;
    for (int i = 0; i < N; i++) {
        mpfr_inits2(192, ma[i], mb[i], (mpfr_ptr)0);
        mpz_inits(za[i], zb[i], NULL);
    }
    mpfr_inits2(192, mr, mt, (mpfr_ptr)0);
    mpz_inits(zr, half, NULL);
    mpz_init_set_ui(one, 1000000000000000000u);
    mpz_fdiv_q_2exp(half, one, 1);
    mpfr_t root_half;
    mpfr_init2(root_half, 192);
    mpfr_set_d(root_half, 0.5, MPFR_RNDN), mpfr_sqrt(root_half, root_half, MPFR_RNDN);

    double t_gmp = 0;
    printf("ns per operation (best of %d rounds)\n%-9s %8s %10s %10s %12s %10s\n", ROUNDS, "", "krules", "double", "MPFR-192", "and rounding", "GMP");
    amounts();
    BENCH("add", 40, kr_num_add(a[i], b[i]), da[i] + db[i], mpfr_add(mr, ma[i], mb[i], MPFR_RNDN));
    TIME(t_gmp, 10, mpz_mul(zr, za[i], zb[i]); mpz_add(zr, zr, half); mpz_fdiv_q(zr, zr, one); sink += mpz_get_ui(zr));
    BENCH("mul", 40, kr_num_mul(a[i], b[i]), da[i] * db[i], mpfr_mul(mr, ma[i], mb[i], MPFR_RNDN));
    TIME(t_gmp, 10, mpz_mul(zr, za[i], one); mpz_fdiv_q(zr, zr, zb[i]); sink += mpz_get_ui(zr));
    BENCH("div", 40, kr_num_div(a[i], b[i]), da[i] / db[i], mpfr_div(mr, ma[i], mb[i], MPFR_RNDN));
    TIME(t_gmp, 10, mpz_mul(zr, za[i], one); mpz_sqrt(zr, zr); sink += mpz_get_ui(zr));
    BENCH("sqrt", 20, kr_num_sqrt(a[i]), sqrt(da[i]), mpfr_sqrt(mr, ma[i], MPFR_RNDN));
    BENCH("ln", 10, kr_num_ln(a[i]), log(da[i]), mpfr_log(mr, ma[i], MPFR_RNDN));
    BENCH("log10", 10, kr_num_log10(a[i]), log10(da[i]), mpfr_log10(mr, ma[i], MPFR_RNDN));
    signed_small(10);
    BENCH("exp", 10, kr_num_exp(a[i]), exp(da[i]), mpfr_exp(mr, ma[i], MPFR_RNDN));
    signed_small(40);
    BENCH("exp +-40", 10, kr_num_exp(a[i]), exp(da[i]), mpfr_exp(mr, ma[i], MPFR_RNDN));
    powers();
    BENCH("pow", 5, kr_num_pow(a[i], b[i]), pow(da[i], db[i]), mpfr_pow(mr, ma[i], mb[i], MPFR_RNDN));
    signed_small(4);
    BENCH("norm_cdf", 10, kr_num_norm_cdf(a[i]), 0.5 * erfc(-da[i] * 0.70710678118654752440),
          mpfr_mul(mt, ma[i], root_half, MPFR_RNDN); mpfr_neg(mt, mt, MPFR_RNDN); mpfr_erfc(mr, mt, MPFR_RNDN); mpfr_div_2ui(mr, mr, 1, MPFR_RNDN));
    BENCH("norm_pdf", 10, kr_num_norm_pdf(a[i]), 0.39894228040143267794 * exp(-0.5 * da[i] * da[i]),
          mpfr_sqr(mt, ma[i], MPFR_RNDN); mpfr_div_si(mt, mt, -2, MPFR_RNDN); mpfr_exp(mr, mt, MPFR_RNDN));
    BENCH("erf", 10, kr_num_erf(a[i]), erf(da[i]), mpfr_erf(mr, ma[i], MPFR_RNDN));
    double t_inv;
    for (int i = 0; i < N; i++)
        a[i] = (kr_num){ 1 + random_bits() % UINT64_C(999999999999999999), 0 };
    TIME(t_inv, 1, sink += kr_num_norm_inv(a[i]).lo);
    printf("%-9s %8.1f (MPFR has none)\n", "norm_inv", t_inv);
    printf("slow paths given up: %llu\n", (unsigned long long)kr_num_ziv_failures());
    return 0;
}
