/* num_central.h: the central sums A, B, C of a kr_moments, for its readers (private to vm/num). See num_moments.h. */
#ifndef KR_NUM_CENTRAL_H
#define KR_NUM_CENTRAL_H

#include <gmp.h>

#include "vm/num/num_moments.h"
#include "vm/num/num_wf.h"

/* The sums of all values; the last two only where the order is 4. */
typedef struct kr_power_sums {
    uint64_t s1[3], s2[5], s3[7], s4[9];
} kr_power_sums;
void kr_central_sums(const kr_moments *m, kr_power_sums *out);
int kr_central_sign(const kr_moments *m);              /* of S1: -1, 0, 1 */
void kr_central_a(const kr_moments *m, uint64_t a[5]); /* A, exact, for any values */

/* S1, A, n A, B, C as floating values good to a relative 2^-126, from exact integers. False when the series is outside the bound of
 * the fast path (n < 2^15 and every magnitude below 2^63). */
typedef struct kr_central {
    kr_wf s1, a, na, b, c;
} kr_central;
bool kr_central_fast(const kr_moments *m, kr_central *out); /* a is 0 where there is no variance */

/* The same as exact integers of any size: initialise all, clear all. */
typedef struct kr_central_exact {
    mpz_t n, s1, a, b, c;
} kr_central_exact;
void kr_central_exact_init(kr_central_exact *z, const kr_moments *m);
void kr_central_exact_clear(kr_central_exact *z);

/* PSR of a series that has variance or whose values are all 0, by intervals of growing precision (num_psr_slow.c). #NUM!, counted by
 * kr_num_ziv_failures, where 32,768 bits do not decide it. */
kr_num kr_psr_slow(const kr_moments *m, kr_num benchmark);

#endif
