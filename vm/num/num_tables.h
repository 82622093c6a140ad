/* num_tables.h: constants of the elementary functions (private to num_exp.c, num_normal.c), written by num_tables.py.
 * Each is the nearest integer to the exact value over the unit that num_tables.c states; limbs least significant first. */
#ifndef KR_NUM_TABLES_H
#define KR_NUM_TABLES_H

#include "vm/num/wide.h"

extern const kr_u192 kr_exp2_a[128], kr_exp2_b[128], kr_exp2_c[128];
extern const uint32_t kr_rsqrt_seed[192];
extern const uint32_t kr_ln_ra[128], kr_ln_rb[192], kr_ln_rc[162];
extern const kr_u192 kr_ln_a[128], kr_ln_b[192], kr_ln_c[162], kr_ln_scale[128];
extern const uint64_t kr_log2e_counts[4], kr_log2e_squares[3], kr_inv_sqrt_2pi[2], kr_sqrt2[2];
extern const kr_u192 kr_ln2, kr_log10e, kr_log2e_top;

enum { KR_NORMAL_DEGREE = 13, KR_NORMAL_WIDE = 5, KR_NORMAL_NARROW_BITS = 32 };
extern const uint64_t kr_normal_wide[128][KR_NORMAL_WIDE][2];
extern const int64_t kr_normal_narrow[128][KR_NORMAL_DEGREE + 1 - KR_NORMAL_WIDE];

#endif
