/* num_slow.h: the slow path of correct rounding, any precision (MPFR behind it, in num_slow.c only).
 *
 * A value is computed with more and more bits until its rounding to 18 decimals is certain (Ziv's loop); at KR_ZIV_LIMIT bits the
 * loop gives up: #NUM!, counted by kr_num_ziv_failures. Values that can lie exactly halfway between two numbers must be decided
 * exactly by the caller beforehand: on such a tie the loop ends at its limit. */
#ifndef KR_NUM_SLOW_H
#define KR_NUM_SLOW_H

#include "vm/num/num.h"

enum { KR_ZIV_START = 256, KR_ZIV_LIMIT = 16384 }; /* bits; doubled each turn */

/* Sets `out` (an mpfr_ptr of `precision` bits) to the value, with an absolute error of at most 2^(16 - precision) * max(1, |value|).
 * An infinite `out` means a value past any range; a NaN is #NUM! too. */
typedef void kr_ziv_fn(void *out, long precision, void *ctx);
kr_num kr_num_ziv(kr_ziv_fn *f, void *ctx);

void kr_num_ziv_gave_up(void); /* counts a surrender of someone else's loop */

/* The elementary functions by this path; arguments plain and in the domain, exact ties decided. */
enum kr_slow_fn { KR_SLOW_EXP, KR_SLOW_LN, KR_SLOW_LOG10, KR_SLOW_NORM_CDF, KR_SLOW_NORM_PDF, KR_SLOW_ERF, KR_SLOW_ERFC };
kr_num kr_num_slow(enum kr_slow_fn fn, kr_num x);
kr_num kr_num_slow_log(kr_num a, kr_num base);  /* a, base > 0, base not 1 */
kr_num kr_num_slow_pow(kr_num a, kr_num b);     /* a > 0 */
kr_num kr_num_slow_norm_inv(kr_num p);          /* 0 < p < 1 */

#endif
