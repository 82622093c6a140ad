/* wide.c: square roots of wide integers.
 *
 * Zimmermann's step (Karatsuba Square Root, INRIA RR-3805, 1999): from the root s and remainder r of the upper half, one division
 * gives the next half of the root, at most one too large. Heron's rule starts it with 16 bits. */
#include "vm/num/wide.h"

/* The root of a in [2^62, 2^64), 32 bits; *rem = a - root^2. */
static uint64_t isqrt64(uint64_t a, uint64_t *rem)
{
    /* t / 2^17 + 2^15 >= sqrt(t), by the two means, and too large by a quarter at most; Heron's step squares and halves that. */
    uint64_t top = a >> 32, s = (top >> 17) + 0x8000;
    s = (s + top / s) >> 1;
    s = (s + top / s) >> 1;
    s = (s + top / s) >> 1;
    while (s * s > top)
        s--;
    uint64_t r = top - s * s, n = r << 16 | (a >> 16 & 0xffff), q = n / (2 * s), u = n % (2 * s);
    uint64_t root = (s << 16) + q;
    int64_t rest = (int64_t)(u << 16 | (a & 0xffff)) - (int64_t)(q * q);
    if (rest < 0)
        rest += (int64_t)(2 * root - 1), root--;
    *rem = (uint64_t)rest;
    return root;
}

/* The root of a >= 2^126; *rem = a - root^2, up to 65 bits. */
static uint64_t isqrt128(kr_u128 a, kr_u128 *rem)
{
    uint64_t lo = kr_u128_lo(a), r, s = isqrt64(kr_u128_hi(a), &r), u;
    /* (r * 2^32 + next 32 bits) / 2s: the dividend has up to 65 bits, its quotient up to 33 */
    uint64_t q = kr_div_2by1(r >> 32, r << 32 | lo >> 32, 2 * s, &u);
    kr_u128 root = kr_u128_add(kr_u128_shl(kr_u128_of(s), 32), kr_u128_of(q));
    kr_u128 have = kr_u128_make(u >> 32, u << 32 | (lo & UINT32_MAX)), square = kr_mul64(q, q);
    if (kr_u128_less(have, square)) {
        root = kr_u128_sub(root, kr_u128_of(1));
        have = kr_u128_add(kr_u128_add(have, kr_u128_shl(root, 1)), kr_u128_of(1));
    }
    *rem = kr_u128_sub(have, square);
    return kr_u128_lo(root);
}

uint64_t kr_u128_isqrt(kr_u128 a)
{
    if (kr_u128_is_zero(a))
        return 0;
    int shift = (128 - kr_u128_bits(a)) & ~1;
    kr_u128 rem;
    return isqrt128(kr_u128_shl(a, shift), &rem) >> (shift / 2);
}

kr_u128 kr_u256_isqrt(kr_u256 a)
{
    if (kr_u256_is_zero(a))
        return kr_u128_of(0);
    int shift = (256 - kr_u256_bits(a)) & ~1;
    a = kr_u256_shl(a, shift);
    kr_u128 r, u;
    uint64_t s = isqrt128(kr_u256_hi(a), &r);
    /* (r * 2^64 + next limb) / 2s; r <= 2s has up to 65 bits */
    kr_u256 n = { { a.w[1], kr_u128_lo(r), kr_u128_hi(r), 0 } };
    kr_u128 q = kr_u256_div(n, kr_u128_shl(kr_u128_of(s), 1), &u);
    kr_u256 have = { { a.w[0], kr_u128_lo(u), kr_u128_hi(u), 0 } }, square = kr_u256_mul(q, q);
    kr_u256 root = kr_u256_add(kr_u256_of(q), kr_u256_of(kr_u128_make(s, 0)));
    if (kr_u256_less(have, square))
        root = kr_u256_sub(root, kr_u256_of(kr_u128_of(1)));
    return kr_u128_shr(kr_u256_lo(root), shift / 2);
}
