/* num_share.h: dividing a whole exactly among parts: PRORATE, SHARE and APPORTION as pure arithmetic.
 *
 * The sum of the parts is a kr_sum (192 bits), so it may lie outside the range of numbers; products are never cut before the one
 * rounding. Nothing here allocates or keeps state. */
#ifndef KR_NUM_SHARE_H
#define KR_NUM_SHARE_H

#include "vm/num/num_sum.h"

/* total * x / sum, exact, rounded once half to even; 0 when sum is 0; out of range: #NUM!. Specials in total or x spread. */
kr_num kr_share_prorate(kr_num total, kr_num x, const kr_sum *sum);

/* One part of `whole` whole units: the units it gets for certain and what is left over, in units of 1 / sum. */
typedef struct kr_share_part {
    uint64_t rest[3]; /* remainder of whole * x by sum, least significant limb first */
    kr_num units;     /* floor(whole * x / sum), as a whole number */
    uint32_t index;   /* the part's place; equal remainders go to the smaller place */
} kr_share_part;

/* Largest remainders: `whole` units among n parts x (plain, not negative, whose sum is `sum` > 0): parts[i].units add up to whole.
 * parts: room for n, filled; ends up in no particular order (index says which part). whole: a whole number >= 0, else #VALUE! (not
 * whole) or #NUM! (negative) and nothing is filled; the result is then that error, else `whole`. */
kr_num kr_share_apportion(const kr_num *x, size_t n, const kr_sum *sum, kr_num whole, kr_share_part *parts);

#endif
