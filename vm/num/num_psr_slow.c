/* num_psr_slow.c: PSR decided by intervals of growing precision.
 *
 * With the integers of num_moments.h and b = S* in counts of 10^-18:
 *   z = E / (10^18 n A) * sqrt((n - 1) 4 n A^3 / D),
 *   E = 10^18 S1 sqrt(n (n - 1) A) - b n A,    D = (4 n A^3 + (C - A^2) S1^2 (n - 1)) - 4 A B S1 sqrt(n (n - 1)).
 * All but the two roots is exact; each root is enclosed between its roundings down and up, and so is everything after it. Phi of a
 * rational or algebraic z other than 0 is transcendental, so it is no tie and the loop ends; z = 0 is decided by comparing squares. */
#include <mpfr.h>

#include "vm/num/num_central.h"
#include "vm/num/num_exact.h"
#include "vm/num/num_slow.h"

enum { FIRST_BITS = 256, LAST_BITS = 1 << 15 };

typedef struct interval {
    mpfr_t low, high;
} interval;

static void interval_init(interval *x, mpfr_prec_t bits)
{
    mpfr_init2(x->low, bits);
    mpfr_init2(x->high, bits);
}

static void interval_clear(interval *x) { mpfr_clears(x->low, x->high, (mpfr_ptr)NULL); }

/* x = base + factor * sqrt(square), outward. */
static void interval_root(interval *x, const mpz_t base, const mpz_t factor, const mpz_t square)
{
    bool neg = mpz_sgn(factor) < 0;
    mpfr_set_z(x->low, square, MPFR_RNDD);
    mpfr_sqrt(x->low, x->low, MPFR_RNDD);
    mpfr_set_z(x->high, square, MPFR_RNDU);
    mpfr_sqrt(x->high, x->high, MPFR_RNDU);
    if (neg)
        mpfr_swap(x->low, x->high);
    mpfr_mul_z(x->low, x->low, factor, MPFR_RNDD);
    mpfr_mul_z(x->high, x->high, factor, MPFR_RNDU);
    mpfr_add_z(x->low, x->low, base, MPFR_RNDD);
    mpfr_add_z(x->high, x->high, base, MPFR_RNDU);
}

/* x = sqrt(num / x), outward; false when x may be 0 or less. */
static bool interval_inverse_root(interval *x, const mpz_t num)
{
    if (mpfr_sgn(x->low) <= 0)
        return false;
    mpfr_ui_div(x->low, 1, x->low, MPFR_RNDU);
    mpfr_mul_z(x->low, x->low, num, MPFR_RNDU);
    mpfr_sqrt(x->low, x->low, MPFR_RNDU);
    mpfr_ui_div(x->high, 1, x->high, MPFR_RNDD);
    mpfr_mul_z(x->high, x->high, num, MPFR_RNDD);
    mpfr_sqrt(x->high, x->high, MPFR_RNDD);
    mpfr_swap(x->low, x->high);
    return true;
}

/* Phi(z) in counts, rounded to the nearest integer after outward rounding in the given direction. */
static kr_num phi(mpfr_t z, mpfr_rnd_t direction)
{
    mpz_t count;
    mpz_init_set_ui(count, 1);
    kr_mpz_scale(count);
    mpfr_neg(z, z, MPFR_RNDN); /* exact: Phi(z) = erfc(-z / sqrt 2) / 2 */
    mpfr_rnd_t other = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD; /* erfc falls */
    mpfr_t root;
    mpfr_init2(root, mpfr_get_prec(z));
    bool smaller_root = (mpfr_sgn(z) > 0) == (other == MPFR_RNDU); /* makes the quotient err to the right side */
    mpfr_sqrt_ui(root, 2, smaller_root ? MPFR_RNDD : MPFR_RNDU);
    mpfr_div(z, z, root, other);
    mpfr_erfc(z, z, direction);
    mpfr_mul_z(z, z, count, direction);
    mpfr_div_2ui(z, z, 1, direction);
    mpfr_get_z(count, z, MPFR_RNDN);
    kr_num result = kr_exact_int(count);
    mpfr_clear(root);
    mpz_clear(count);
    return result;
}

typedef struct psr_terms {
    mpz_t e_base, e_factor, e_square; /* E = base + factor sqrt(square) */
    mpz_t d_base, d_factor, d_square;
    mpz_t root;                       /* (n - 1) 4 n A^3 */
    mpz_t divisor;                    /* 10^18 n A */
} psr_terms;

static void terms_init(psr_terms *t, const kr_moments *m, kr_num benchmark)
{
    kr_central_exact c;
    mpz_t b, cube;
    kr_central_exact_init(&c, m);
    mpz_inits(t->e_base, t->e_factor, t->e_square, t->d_base, t->d_factor, t->d_square, t->root, t->divisor, b, cube, NULL);
    kr_mpz_set_num(b, benchmark);
    unsigned long n = m->n;
    if (mpz_sgn(c.a) == 0) { /* a series of zeros: z = -S* sqrt(n - 1) */
        mpz_neg(t->e_factor, b);
        mpz_set_ui(t->e_square, n - 1);
        mpz_set_ui(t->d_base, 1);
        mpz_set_ui(t->root, 1);
        mpz_set_ui(t->divisor, 1);
        kr_mpz_scale(t->divisor);
        goto done;
    }
    mpz_mul_ui(t->divisor, c.a, n);
    mpz_mul(t->e_base, t->divisor, b);
    mpz_neg(t->e_base, t->e_base);
    kr_mpz_scale(t->divisor);
    mpz_set(t->e_factor, c.s1);
    kr_mpz_scale(t->e_factor);
    mpz_mul_ui(t->d_square, c.n, n - 1);
    mpz_mul(t->e_square, t->d_square, c.a);

    mpz_pow_ui(cube, c.a, 3);
    mpz_mul_ui(cube, cube, 4);
    mpz_mul_ui(cube, cube, n);
    mpz_mul_ui(t->root, cube, n - 1);
    mpz_mul(b, c.a, c.a);
    mpz_sub(b, c.c, b);
    mpz_mul(b, b, c.s1);
    mpz_mul(b, b, c.s1);
    mpz_mul_ui(b, b, n - 1);
    mpz_add(t->d_base, cube, b);
    mpz_mul(t->d_factor, c.a, c.b);
    mpz_mul(t->d_factor, t->d_factor, c.s1);
    mpz_mul_si(t->d_factor, t->d_factor, -4);
done:
    mpz_clears(b, cube, NULL);
    kr_central_exact_clear(&c);
}

static void terms_clear(psr_terms *t)
{
    mpz_clears(t->e_base, t->e_factor, t->e_square, t->d_base, t->d_factor, t->d_square, t->root, t->divisor, NULL);
}

/* Whether base + factor sqrt(square) is 0. */
static bool is_zero(const mpz_t base, const mpz_t factor, const mpz_t square)
{
    if (mpz_sgn(base) * mpz_sgn(factor) * mpz_sgn(square) > 0)
        return false;
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    mpz_mul(left, base, base);
    mpz_mul(right, factor, factor);
    mpz_mul(right, right, square);
    bool zero = mpz_cmp(left, right) == 0;
    mpz_clears(left, right, NULL);
    return zero;
}

/* One attempt; true when both ends of the interval round to the same number. */
static bool attempt(const psr_terms *t, mpfr_prec_t bits, kr_num *out)
{
    interval e, d;
    interval_init(&e, bits);
    interval_init(&d, bits);
    interval_root(&e, t->e_base, t->e_factor, t->e_square);
    interval_root(&d, t->d_base, t->d_factor, t->d_square);
    bool done = mpfr_sgn(e.low) * mpfr_sgn(e.high) > 0 && interval_inverse_root(&d, t->root);
    if (done) {
        if (mpfr_sgn(e.low) < 0)
            mpfr_swap(d.low, d.high); /* a negative E times the larger root is the lower end */
        mpfr_mul(e.low, e.low, d.low, MPFR_RNDD);
        mpfr_mul(e.high, e.high, d.high, MPFR_RNDU);
        mpfr_div_z(e.low, e.low, t->divisor, MPFR_RNDD);
        mpfr_div_z(e.high, e.high, t->divisor, MPFR_RNDU);
        *out = phi(e.low, MPFR_RNDD);
        done = kr_raw_eq(*out, phi(e.high, MPFR_RNDU));
    }
    interval_clear(&e);
    interval_clear(&d);
    return done;
}

kr_num kr_psr_slow(const kr_moments *m, kr_num benchmark)
{
    psr_terms t;
    terms_init(&t, m, benchmark);
    kr_num result = { 500000000000000000u, 0 };
    if (!is_zero(t.e_base, t.e_factor, t.e_square)) {
        mpfr_prec_t bits = FIRST_BITS;
        while (bits <= LAST_BITS && !attempt(&t, bits, &result))
            bits *= 2;
        if (bits > LAST_BITS) {
            kr_num_ziv_gave_up();
            result = KR_E_NUM;
        }
    }
    terms_clear(&t);
    return result;
}
