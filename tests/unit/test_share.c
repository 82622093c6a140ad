/* Shares against GMP: prorated parts, and largest remainders done the obvious way. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/num/num_share.h"

static unsigned passed, failed;
static uint64_t seed = 20240229;

static uint64_t next(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static void check(bool ok, const char *what)
{
    if (ok)
        passed++;
    else if (failed++ < 10)
        printf("FAILED: %s\n", what);
}

static void to_mpz(mpz_t out, kr_num a)
{
    mpz_set_si(out, a.hi);
    mpz_mul_2exp(out, out, 64);
    mpz_t lo;
    mpz_init(lo);
    mpz_import(lo, 1, -1, 8, 0, 0, &a.lo);
    mpz_add(out, out, lo);
    mpz_clear(lo);
}

static kr_num random_num(void)
{
    kr_num a = { next(), (int64_t)next() >> (next() % 64) };
    switch (next() % 6) {
    case 0: return (kr_num){ next() % 100, 0 };
    case 1: return kr_num_of_int((int64_t)(next() % 1000));
    case 2: return next() & 1 ? KR_NUM_MAX : KR_NUM_MIN;
    default: return kr_is_special(a) ? KR_NUM_ZERO : a;
    }
}

/* Nearest integer of n / d, half to even. */
static void round_div(mpz_t out, mpz_t n, mpz_t d)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    mpz_fdiv_qr(q, r, n, d);
    mpz_mul_2exp(r, r, 1);
    int cmp = mpz_cmpabs(r, d);
    if (cmp > 0 || (cmp == 0 && mpz_odd_p(q)))
        mpz_add_ui(q, q, 1);
    mpz_set(out, q);
    mpz_clears(q, r, NULL);
}

static void test_prorate(void)
{
    mpz_t t, x, s, want, have, low, high;
    mpz_inits(t, x, s, want, have, low, high, NULL);
    to_mpz(low, KR_NUM_MIN);
    to_mpz(high, KR_NUM_MAX);
    for (int round = 0; round < 20000; round++) {
        kr_sum sum = KR_SUM_ZERO;
        kr_num part = random_num(), total = random_num();
        mpz_set_ui(s, 0);
        for (uint64_t k = next() % 5 + 1; k > 0; k--) {
            kr_num other = k == 1 ? part : random_num();
            kr_sum_add(&sum, other);
            to_mpz(x, other);
            mpz_add(s, s, x);
        }
        to_mpz(t, total);
        to_mpz(x, part);
        kr_num out = kr_share_prorate(total, part, &sum);
        if (mpz_sgn(s) == 0) {
            check(kr_raw_eq(out, KR_NUM_ZERO), "a sum of 0 gives 0");
            continue;
        }
        mpz_mul(want, t, x);
        round_div(want, want, s);
        if (mpz_cmp(want, low) < 0 || mpz_cmp(want, high) > 0) {
            check(kr_raw_eq(out, KR_E_NUM), "out of range is #NUM!");
            continue;
        }
        to_mpz(have, out);
        check(!kr_is_special(out) && mpz_cmp(have, want) == 0, "prorate equals the exact quotient");
    }
    mpz_clears(t, x, s, want, have, low, high, NULL);
}

enum { PARTS = 12 };

static void test_apportion(void)
{
    mpz_t v[PARTS], unit[PARTS], rest[PARTS], s, w, left, have;
    for (int i = 0; i < PARTS; i++)
        mpz_inits(v[i], unit[i], rest[i], NULL);
    mpz_inits(s, w, left, have, NULL);
    for (int round = 0; round < 20000; round++) {
        kr_num x[PARTS];
        size_t n = next() % PARTS + 1;
        kr_sum sum = KR_SUM_ZERO;
        mpz_set_ui(s, 0);
        for (size_t i = 0; i < n; i++) {
            x[i] = kr_num_abs(next() % 4 ? random_num() : i ? x[i - 1] : KR_NUM_ONE);
            if (kr_is_special(x[i]))
                x[i] = KR_NUM_MAX;
            kr_sum_add(&sum, x[i]);
            to_mpz(v[i], x[i]);
            mpz_add(s, s, v[i]);
        }
        if (mpz_sgn(s) == 0)
            continue;
        kr_num whole = next() % 3 ? kr_num_of_int((int64_t)(next() % 70000)) : kr_num_round(kr_num_abs(random_num()), 0, KR_TO_ZERO);
        if (kr_is_special(whole))
            continue;
        kr_share_part parts[PARTS];
        kr_num result = kr_share_apportion(x, n, &sum, whole, parts);
        check(kr_raw_eq(result, whole), "apportion gives the whole back");
        to_mpz(w, whole);
        mpz_t one;
        mpz_init_set_ui(one, 1000000000000000000u);
        mpz_divexact(w, w, one);
        mpz_set(left, w);
        for (size_t i = 0; i < n; i++) {
            mpz_mul(unit[i], w, v[i]);
            mpz_fdiv_qr(unit[i], rest[i], unit[i], s);
            mpz_sub(left, left, unit[i]);
        }
        for (; mpz_sgn(left) > 0; mpz_sub_ui(left, left, 1)) {
            size_t best = 0;
            for (size_t i = 1; i < n; i++)
                if (mpz_cmp(rest[i], rest[best]) > 0)
                    best = i;
            mpz_add_ui(unit[best], unit[best], 1);
            mpz_set_si(rest[best], -1);
        }
        for (size_t k = 0; k < n; k++) {
            to_mpz(have, parts[k].units);
            mpz_mul(w, unit[parts[k].index], one);
            check(mpz_cmp(have, w) == 0, "largest remainders");
        }
        mpz_clear(one);
    }
    for (int i = 0; i < PARTS; i++)
        mpz_clears(v[i], unit[i], rest[i], NULL);
    mpz_clears(s, w, left, have, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10) | 1;
    printf("seed %llu\n", (unsigned long long)seed);
    test_prorate();
    test_apportion();
    kr_sum sum = KR_SUM_ZERO;
    kr_share_part part;
    kr_sum_add(&sum, KR_NUM_ONE);
    kr_num one = KR_NUM_ONE;
    check(kr_raw_eq(kr_share_apportion(&one, 1, &sum, (kr_num){ 5, 0 }, &part), KR_E_VALUE), "a fraction as whole is #VALUE!");
    check(kr_raw_eq(kr_share_apportion(&one, 1, &sum, kr_num_of_int(-1), &part), KR_E_NUM), "a negative whole is #NUM!");
    check(kr_is_blank(kr_share_apportion(&one, 1, &sum, KR_BLANK, &part)), "a blank whole spreads");
    check(kr_is_blank(kr_share_prorate(KR_BLANK, one, &sum)), "a blank total spreads");
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
