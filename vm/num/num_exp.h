/* num_exp.h: 2^y for the neighbours of num_exp.c (private to the elementary functions). */
#ifndef KR_NUM_EXP_H
#define KR_NUM_EXP_H

#include "vm/num/i128.h"

/* 2^y of a fraction y (units of 2^-128), in [1, 2] in units of 2^-126, too small by less than a relative 2^-104 + ln 2 * the error of y. */
kr_u128 kr_exp2_short(kr_u128 y);

#endif
