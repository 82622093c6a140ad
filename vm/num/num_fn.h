/* num_fn.h: entries into the elementary functions for the rest of vm/num (not for layers above).
 *
 * Each gives the correctly rounded result, or false when the rounding is not certain at the precision of the fast path;
 * the caller then goes to num_slow.h. */
#ifndef KR_NUM_FN_H
#define KR_NUM_FN_H

#include "vm/num/num.h"

/* Φ(z) for an argument finer than 18 decimals: |z| = (counts + frac / 2^64) * 10^-18, known to within `error` units of 2^-64 counts
 * on either side (0: exact). Any counts; from 2^63 (z = 9.2) on the result is 0 or 1 for certain. Tens of nanoseconds. */
bool kr_normal_cdf_wide(bool negative, uint64_t counts, uint64_t frac, uint64_t error, kr_num *out);

#endif
