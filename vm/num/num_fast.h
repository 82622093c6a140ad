/* num_fast.h: the fast paths of the elementary functions (private to num_fn.c): plain arguments in the domain, specials and exact
 * special cases gone. True: *out is the correctly rounded result (#NUM! when it is out of range). False: not certain. */
#ifndef KR_NUM_FAST_H
#define KR_NUM_FAST_H

#include "vm/num/num.h"

/* num_exp.c */
bool kr_fast_exp(kr_num x, kr_num *out);               /* |x| < 2^66 counts */
bool kr_fast_ln(kr_num a, kr_num *out);                /* a > 0 */
bool kr_fast_log10(kr_num a, kr_num *out);
bool kr_fast_log(kr_num a, kr_num base, kr_num *out);  /* neither 1 */
bool kr_fast_pow(kr_num a, kr_num b, kr_num *out);     /* a > 0, not 1; b not 0 */

/* num_normal.c; z, x: magnitudes below 2^63 counts */
bool kr_fast_norm_pdf(uint64_t z, kr_num *out);
bool kr_fast_norm_inv(uint64_t p, kr_num *out);        /* 0 < p < 10^18, not half */
bool kr_fast_erf(bool negative, uint64_t x, kr_num *out);
bool kr_fast_erfc(bool negative, uint64_t x, kr_num *out);

#endif
