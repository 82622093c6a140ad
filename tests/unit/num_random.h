/* num_random.h: random numbers for the tests of vm/num: of every magnitude, at the ends of the range, near 0, 1 and round values. */
#ifndef NUM_RANDOM_H
#define NUM_RANDOM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vm/num/i128.h"

static uint64_t random_state;

static inline uint64_t random_bits(void) /* splitmix64 */
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Takes `--slow` (or KR_SLOW=1) and `--seed N`; prints the seed; returns the number of cases. */
static inline long random_start(int argc, char **argv)
{
    const char *slow = getenv("KR_SLOW");
    long cases = slow && strcmp(slow, "0") ? 1000000 : 20000;
    random_state = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--slow") == 0)
            cases = 1000000;
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            random_state = strtoull(argv[++i], NULL, 10);
    }
    printf("seed %llu, %ld cases\n", (unsigned long long)random_state, cases);
    return cases;
}

static inline uint64_t random_limb(void)
{
    uint64_t kind = random_bits() % 4;
    return kind == 0 ? 0 : kind == 1 ? UINT64_MAX : kind == 2 ? random_bits() >> random_bits() % 64 : random_bits();
}

static inline kr_num random_plain(kr_num a) { return kr_is_special(a) ? KR_NUM_MIN : a; }

/* +-(base + up to 8 steps of 10^-18) */
static inline kr_num random_near(kr_u128 base)
{
    uint64_t step = random_bits() % 9;
    base = random_bits() % 2 ? kr_u128_add(base, kr_u128_of(step)) : kr_u128_sub(base, kr_u128_of(step));
    if (random_bits() % 2)
        base = kr_u128_neg(base);
    return random_plain((kr_num){ kr_u128_lo(base), (int64_t)kr_u128_hi(base) });
}

/* A number of random bit length. */
static inline kr_num random_sized(int most_bits)
{
    int bits = 1 + (int)(random_bits() % (uint64_t)most_bits);
    kr_u128 m = kr_u128_shr(kr_u128_make(random_bits(), random_bits()), 128 - bits);
    return kr_num_signed(random_bits() % 2, m);
}

static inline kr_num random_num(void)
{
    const uint64_t one = UINT64_C(1000000000000000000);
    switch (random_bits() % 10) {
    case 0: return random_near(kr_u128_of(0));
    case 1: return random_near(kr_mul64(one, random_bits() % 20));
    case 2: return random_near(kr_u128_make((uint64_t)INT64_MAX, UINT64_MAX - KR_SPECIALS));
    case 3: return random_near(kr_u128_shl(kr_u128_of(1), (int)(random_bits() % 127)));
    case 4: { /* few decimals: money */
        uint64_t unit = 1;
        for (uint64_t n = random_bits() % 18; n > 0; n--)
            unit *= 10;
        return kr_num_signed(random_bits() % 2, kr_u128_shr(kr_mul64(random_bits() >> random_bits() % 64, unit), 1));
    }
    case 5: return random_sized(64);
    default: return random_plain(random_sized(127));
    }
}

/* A number whose product or quotient with a lies near half a step of 10^-18. */
static inline kr_num near_tie(kr_num a)
{
    kr_u128 m = kr_num_magnitude(a);
    if (kr_u128_hi(m) || kr_u128_lo(m) < 2)
        return (kr_num){ UINT64_C(500000000000000000), 0 };
    uint64_t step = UINT64_C(500000000000000000) / kr_u128_lo(m) + random_bits() % 3;
    return random_bits() % 2 ? (kr_num){ step, 0 } : kr_num_mul((kr_num){ kr_u128_lo(m), 0 }, kr_num_of_int(2));
}

#endif
