/* num_gpr.c: weights that halve, and gain to pain. */
#include <mpfr.h>

#include "vm/num/num_exact.h"
#include "vm/num/num_limb.h"
#include "vm/num/num_slow.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

/* 2^(-k / h) by outward rounding; k / h is not whole, so the value is irrational and no tie. */
static bool decay_attempt(const mpz_t k, const mpz_t h, mpfr_prec_t bits, kr_num *out)
{
    mpfr_t low, high;
    mpz_t count;
    mpfr_inits2(bits, low, high, (mpfr_ptr)NULL);
    mpz_init_set_ui(count, 1);
    kr_mpz_scale(count);
    mpfr_set_z(low, k, MPFR_RNDU);
    mpfr_div_z(low, low, h, MPFR_RNDU);
    mpfr_neg(low, low, MPFR_RNDD);
    mpfr_exp2(low, low, MPFR_RNDD);
    mpfr_mul_z(low, low, count, MPFR_RNDD);
    mpfr_set_z(high, k, MPFR_RNDD);
    mpfr_div_z(high, high, h, MPFR_RNDD);
    mpfr_neg(high, high, MPFR_RNDU);
    mpfr_exp2(high, high, MPFR_RNDU);
    mpfr_mul_z(high, high, count, MPFR_RNDU);
    mpfr_get_z(count, low, MPFR_RNDN);
    *out = kr_exact_int(count);
    mpfr_get_z(count, high, MPFR_RNDN);
    bool certain = kr_raw_eq(*out, kr_exact_int(count));
    mpz_clear(count);
    mpfr_clears(low, high, (mpfr_ptr)NULL);
    return certain;
}

kr_num kr_stat_decay(uint64_t k, kr_num half_life)
{
    if (half_life.hi < 0 || kr_raw_eq(half_life, KR_NUM_ZERO))
        return KR_E_NUM;
    mpz_t top, h, whole, rest;
    kr_num result = KR_E_NUM;
    mpz_inits(top, h, whole, rest, NULL);
    kr_mpz_set_u64(top, k);
    kr_mpz_scale(top);
    kr_mpz_set_num(h, half_life);
    mpz_fdiv_qr(whole, rest, top, h);
    if (mpz_cmp_ui(whole, 61) >= 0) {
        result = KR_NUM_ZERO; /* 10^18 / 2^61 is below a half */
    } else if (mpz_sgn(rest) == 0) {
        mpz_set_ui(rest, 1);
        mpz_mul_2exp(h, rest, mpz_get_ui(whole));
        kr_mpz_scale(rest);
        result = kr_exact_ratio(rest, h);
    } else {
        mpfr_prec_t bits = 128;
        while (bits <= 16384 && !decay_attempt(top, h, bits, &result))
            bits *= 2;
        if (bits > 16384) {
            kr_num_ziv_gave_up();
            result = KR_E_NUM;
        }
    }
    mpz_clears(top, h, whole, rest, NULL);
    return result;
}

/* Weights are at most 1, one limb, so a product has three; gains and losses are summed apart by magnitude, in four. */
kr_num kr_stat_gpr(const kr_num *x, size_t n, const kr_num *weights)
{
    uint64_t sum[2][4] = { { 0 }, { 0 } };
    for (size_t i = 0; i < n; i++) {
        uint64_t size[2], product[3], *side = sum[x[i].hi < 0];
        kr_limbs_of_num(size, x[i]);
        kr_limbs_mul1(product, 3, size, 2, weights[n - 1 - i].lo);
        kr_limbs_add(side, 4, product, 3);
    }
    kr_sum_products all = { { sum[0][0], sum[0][1], sum[0][2], sum[0][3] } }, pain = { { sum[1][0], sum[1][1], sum[1][2], sum[1][3] } };
    kr_limbs_sub(all.limb, 5, pain.limb, 5);
    return kr_sum_products_ratio(&all, &pain);
}
