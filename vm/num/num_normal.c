/* num_normal.c */
#include "vm/num/num_fast.h"
#include "vm/num/num_fn.h"
bool kr_normal_cdf_wide(bool n, uint64_t a, uint64_t b, uint64_t e, kr_num *out) { (void)n, (void)a, (void)b, (void)e, (void)out; return false; }
bool kr_fast_norm_pdf(uint64_t z, kr_num *out) { (void)z, (void)out; return false; }
bool kr_fast_norm_inv(uint64_t z, kr_num *out) { (void)z, (void)out; return false; }
bool kr_fast_erf(bool n, uint64_t z, kr_num *out) { (void)n, (void)z, (void)out; return false; }
bool kr_fast_erfc(bool n, uint64_t z, kr_num *out) { (void)n, (void)z, (void)out; return false; }
