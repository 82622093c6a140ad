/* num_sum.h: exact sums of numbers, rounded only when they are read.
 *
 * A kr_sum holds any sum of up to 2^63 plain numbers exactly (192 bits, two's complement, counts of 10^-18). Range is judged on
 * each reading, so a later value can bring a sum back in range. Values, not handles: copy, compare and drop them freely. */
#ifndef KR_NUM_SUM_H
#define KR_NUM_SUM_H

#include <stdint.h>

#include "vm/num/num.h"

typedef struct kr_sum {
    uint64_t limb[3];
} kr_sum;

#define KR_SUM_ZERO ((kr_sum){ { 0, 0, 0 } })

/* x: a plain number (the caller steps over blanks and spreads errors). */
static inline void kr_sum_add(kr_sum *sum, kr_num x)
{
    uint64_t sign = (uint64_t)(x.hi >> 63), carry, carry2;
    carry = __builtin_add_overflow(sum->limb[0], x.lo, &sum->limb[0]);
    carry2 = __builtin_add_overflow(sum->limb[1], (uint64_t)x.hi, &sum->limb[1]);
    carry2 += __builtin_add_overflow(sum->limb[1], carry, &sum->limb[1]);
    sum->limb[2] += sign + carry2;
}

static inline void kr_sum_sub(kr_sum *sum, kr_num x)
{
    uint64_t sign = (uint64_t)(x.hi >> 63), borrow, borrow2;
    borrow = __builtin_sub_overflow(sum->limb[0], x.lo, &sum->limb[0]);
    borrow2 = __builtin_sub_overflow(sum->limb[1], (uint64_t)x.hi, &sum->limb[1]);
    borrow2 += __builtin_sub_overflow(sum->limb[1], borrow, &sum->limb[1]);
    sum->limb[2] -= sign + borrow2;
}

int kr_sum_sign(const kr_sum *sum);                  /* -1, 0, 1 */
kr_num kr_sum_value(const kr_sum *sum);              /* the sum; out of range: #NUM! */
kr_num kr_sum_mean(const kr_sum *sum, uint64_t n);   /* sum / n, half even; n = 0: blank */
kr_num kr_sum_ratio(const kr_sum *a, const kr_sum *b); /* a / b, half even; b = 0: blank */

/* Exact sums of products a*b, up to 2^32 of them (320 bits, counts of 10^-36). */
typedef struct kr_sum_products {
    uint64_t limb[5];
} kr_sum_products;

void kr_sum_products_add(kr_sum_products *sum, kr_num a, kr_num b);
void kr_sum_products_sub(kr_sum_products *sum, kr_num a, kr_num b);
kr_num kr_sum_products_value(const kr_sum_products *sum); /* half even; out of range: #NUM! */
int kr_sum_products_sign(const kr_sum_products *sum);
kr_num kr_sum_products_ratio(const kr_sum_products *a, const kr_sum_products *b); /* a / b, half even; b = 0: blank */
/* sum / d where one factor of each product was an unscaled integer (milliseconds), half even; d not 0. */
kr_num kr_sum_products_over(const kr_sum_products *sum, uint64_t d);

#endif
