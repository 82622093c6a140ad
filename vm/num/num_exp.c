/* num_exp.c */
#include "vm/num/num_fast.h"
bool kr_fast_exp(kr_num x, kr_num *out) { (void)x, (void)out; return false; }
bool kr_fast_ln(kr_num x, kr_num *out) { (void)x, (void)out; return false; }
bool kr_fast_log10(kr_num x, kr_num *out) { (void)x, (void)out; return false; }
bool kr_fast_log(kr_num x, kr_num y, kr_num *out) { (void)x, (void)y, (void)out; return false; }
bool kr_fast_pow(kr_num x, kr_num y, kr_num *out) { (void)x, (void)y, (void)out; return false; }
