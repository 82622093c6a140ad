/* num_exact.c: see num_exact.h. */
#include "vm/num/num_exact.h"

#include "vm/num/num_limb.h"

void kr_mpz_set_u64(mpz_t z, uint64_t v) { mpz_import(z, 1, -1, sizeof v, 0, 0, &v); }

void kr_mpz_set_limbs(mpz_t z, const uint64_t *limb, int n) { mpz_import(z, (size_t)n, -1, sizeof *limb, 0, 0, limb); }

void kr_mpz_set_signed(mpz_t z, const uint64_t *limb, int n)
{
    kr_mpz_set_limbs(z, limb, n);
    if (!kr_limbs_is_neg(limb, n))
        return;
    mpz_t modulus;
    mpz_init_set_ui(modulus, 1);
    mpz_mul_2exp(modulus, modulus, 64 * (mp_bitcnt_t)n);
    mpz_sub(z, z, modulus);
    mpz_clear(modulus);
}

void kr_mpz_set_num(mpz_t z, kr_num a) { kr_mpz_set_signed(z, (const uint64_t[]){ a.lo, (uint64_t)a.hi }, 2); }

void kr_mpz_scale(mpz_t z)
{
    mpz_mul_ui(z, z, 1000000000u);
    mpz_mul_ui(z, z, 1000000000u);
}

kr_num kr_exact_int(const mpz_t count)
{
    if (mpz_sizeinbase(count, 2) > 127)
        return KR_E_NUM;
    uint64_t limb[2] = { 0, 0 };
    mpz_export(limb, NULL, -1, sizeof *limb, 0, 0, count);
    if (mpz_sgn(count) < 0)
        kr_limbs_neg(limb, 2);
    kr_num result = { limb[0], (int64_t)limb[1] };
    return kr_is_special(result) ? KR_E_NUM : result;
}

kr_num kr_exact_ratio(const mpz_t num, const mpz_t den)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    mpz_fdiv_qr(q, r, num, den); /* r has den's sign, so 2r against den needs magnitudes only */
    mpz_mul_2exp(r, r, 1);
    int side = mpz_cmpabs(r, den);
    if (side > 0 || (side == 0 && mpz_odd_p(q)))
        mpz_add_ui(q, q, 1);
    kr_num result = kr_exact_int(q);
    mpz_clears(q, r, NULL);
    return result;
}

/* t = floor(2 sqrt(num/den)): its last bit says on which side of a half the root lies, unless it is the half itself. */
kr_num kr_exact_root(int sign, const mpz_t num, const mpz_t den)
{
    mpz_t t, square;
    mpz_inits(t, square, NULL);
    mpz_mul_2exp(square, num, 2);
    mpz_fdiv_q(t, square, den);
    mpz_sqrt(t, t);
    bool up = mpz_odd_p(t);
    if (up) {
        mpz_t twice;
        mpz_init(twice);
        mpz_mul(twice, t, t);
        mpz_mul(twice, twice, den);
        if (mpz_cmp(twice, square) == 0)
            up = mpz_tstbit(t, 1); /* a tie: the floor is t >> 1 */
        mpz_clear(twice);
    }
    mpz_fdiv_q_2exp(t, t, 1);
    if (up)
        mpz_add_ui(t, t, 1);
    if (sign < 0)
        mpz_neg(t, t);
    kr_num result = kr_exact_int(t);
    mpz_clears(t, square, NULL);
    return result;
}
