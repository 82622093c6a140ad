/* num_exact.h: rounding of exact fractions and roots of fractions, on integers of any size (private to vm/num).
 *
 * Where the fast paths of the statistics cannot be certain, these decide: quotients by their remainder, square roots by comparing
 * squares. Never wrong, a microsecond or so a call. Results are numbers counted in 10^-18; out of range: #NUM!. */
#ifndef KR_NUM_EXACT_H
#define KR_NUM_EXACT_H

#include <gmp.h>

#include "vm/num/num.h"

void kr_mpz_set_num(mpz_t z, kr_num a);                              /* its count of 10^-18 */
void kr_mpz_set_limbs(mpz_t z, const uint64_t *limb, int n);         /* unsigned */
void kr_mpz_set_signed(mpz_t z, const uint64_t *limb, int n);        /* two's complement */
void kr_mpz_set_u64(mpz_t z, uint64_t v);
void kr_mpz_scale(mpz_t z);                                          /* z *= 10^18 */

kr_num kr_exact_int(const mpz_t count);
kr_num kr_exact_ratio(const mpz_t num, const mpz_t den);             /* num / den half even; den not 0 */
kr_num kr_exact_root(int sign, const mpz_t num, const mpz_t den);    /* sign * sqrt(num / den) half even; num >= 0, den > 0 */

#endif
