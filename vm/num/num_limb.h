/* num_limb.h: unsigned integers of a fixed number of 64-bit limbs, least significant first (private to vm/num).
 *
 * The power sums of a series are such integers.
 * A signed value is kept in two's complement over all its limbs: additions and truncated products need no sign then.
 * Loops count to constants and are unrolled; i128.h decides how a limb is multiplied. */
#ifndef KR_NUM_LIMB_H
#define KR_NUM_LIMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/num/i128.h"

#if defined(__x86_64__) && defined(KR_HAS_INT128)
#include <immintrin.h> /* chains of additions with carry: the compiler finds no better than a compare for each */
#define KR_LIMB_ADX 1
#endif

/* Inlined in any case: the rows of a sliding window spend their time here, and a call would pass these through memory. */
#define KR_LIMB_INLINE static inline __attribute__((always_inline))

/* a * b + add + *carry: gives the low limb, *carry becomes the high one; cannot overflow. */
KR_LIMB_INLINE uint64_t kr_limb_muladd(uint64_t a, uint64_t b, uint64_t add, uint64_t *carry)
{
    kr_u128 t = kr_u128_add(kr_muladd64(a, b, add), kr_u128_of(*carry));
    *carry = kr_u128_hi(t);
    return kr_u128_lo(t);
}

/* a + b + *carry (0 or 1), *carry becomes the carry out. */
KR_LIMB_INLINE uint64_t kr_limb_addc(uint64_t a, uint64_t b, uint64_t *carry)
{
#ifdef KR_LIMB_ADX
    unsigned long long sum;
    *carry = _addcarry_u64((unsigned char)*carry, a, b, &sum);
    return sum;
#else
    return kr_addc(a, b, carry);
#endif
}

/* a - b - *borrow (0 or 1). */
KR_LIMB_INLINE uint64_t kr_limb_subb(uint64_t a, uint64_t b, uint64_t *borrow)
{
#ifdef KR_LIMB_ADX
    unsigned long long rest;
    *borrow = _subborrow_u64((unsigned char)*borrow, a, b, &rest);
    return rest;
#else
    return kr_subb(a, b, borrow);
#endif
}

#ifdef __clang__
#define KR_LIMB_UNROLL _Pragma("clang loop unroll(full)")
#else
#define KR_LIMB_UNROLL _Pragma("GCC unroll 9")
#endif

/* out (nout limbs) = a (na) * b (nb), cut to nout limbs; out overlaps neither. */
KR_LIMB_INLINE void kr_limbs_mul(uint64_t *out, int nout, const uint64_t *a, int na, const uint64_t *b, int nb)
{
    KR_LIMB_UNROLL
    for (int i = 0; i < nout; i++)
        out[i] = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < na; i++) {
        uint64_t carry = 0;
        KR_LIMB_UNROLL
        for (int j = 0; j < nb; j++)
            if (i + j < nout)
                out[i + j] = kr_limb_muladd(a[i], b[j], out[i + j], &carry);
        if (i + nb < nout)
            out[i + nb] = carry;
    }
}

/* out (nout limbs) = a (na) * b, cut to nout limbs; out may be a. */
KR_LIMB_INLINE void kr_limbs_mul1(uint64_t *out, int nout, const uint64_t *a, int na, uint64_t b)
{
    uint64_t carry = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < nout; i++)
        out[i] = i < na ? kr_limb_muladd(a[i], b, 0, &carry) : carry, carry = i < na ? carry : 0;
}

/* a (n limbs) += b (nb <= n limbs), cut to n limbs. */
KR_LIMB_INLINE void kr_limbs_add(uint64_t *a, int n, const uint64_t *b, int nb)
{
    uint64_t carry = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        a[i] = kr_limb_addc(a[i], i < nb ? b[i] : 0, &carry);
}

/* a (n limbs) -= b (nb <= n limbs), cut to n limbs. */
KR_LIMB_INLINE void kr_limbs_sub(uint64_t *a, int n, const uint64_t *b, int nb)
{
    uint64_t borrow = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        a[i] = kr_limb_subb(a[i], i < nb ? b[i] : 0, &borrow);
}

KR_LIMB_INLINE void kr_limbs_neg(uint64_t *a, int n)
{
    uint64_t carry = 1;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        a[i] = kr_limb_addc(~a[i], 0, &carry);
}

KR_LIMB_INLINE bool kr_limbs_is_neg(const uint64_t *a, int n) { return a[n - 1] >> 63; }

KR_LIMB_INLINE bool kr_limbs_is_zero(const uint64_t *a, int n)
{
    uint64_t any = 0;
    KR_LIMB_UNROLL
    for (int i = 0; i < n; i++)
        any |= a[i];
    return any == 0;
}

/* The magnitude of a plain number; its sign is a.hi < 0. At most 2^127 - 16. */
KR_LIMB_INLINE void kr_limbs_of_num(uint64_t out[2], kr_num a)
{
    uint64_t mask = (uint64_t)(a.hi >> 63), carry = mask & 1;
    out[0] = kr_limb_addc(a.lo ^ mask, 0, &carry);
    out[1] = kr_limb_addc((uint64_t)a.hi ^ mask, 0, &carry);
}

#endif
