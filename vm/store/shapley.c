/* shapley.c: a difference shared out among its causes, exactly.
 *
 * The Shapley value of cause i is the mean, over all orders in which n causes can be made, of what i adds when its turn comes:
 *     phi_i = sum over sets S without i of |S|! (n - 1 - |S|)! / n! * (v(S + i) - v(S))
 * (L. S. Shapley, A value for n-person games, 1953). Sums are kept in 256 bits: 512 terms of at most 2^129 times 9!. */
#include "vm/store/diff_internal.h"

typedef struct wide { uint64_t w[4]; } wide; /* two's complement */

/* sum += coefficient * value, or -= */
static void add(wide *sum, kr_num value, uint32_t coefficient, bool minus)
{
    uint64_t sign = value.hi < 0 ? UINT64_MAX : 0, limb[4] = { value.lo, (uint64_t)value.hi, sign, sign }, carry = 0;
    wide product = { { 0 } };
    for (int i = 0; i < 4; i++) { /* modulo 2^256, in halves of 32 bits */
        uint64_t low = (limb[i] & UINT32_MAX) * coefficient + (carry & UINT32_MAX), high = (limb[i] >> 32) * coefficient + (carry >> 32) + (low >> 32);
        product.w[i] = (low & UINT32_MAX) | high << 32;
        carry = high >> 32;
    }
    uint64_t more = minus;
    for (int i = 0; i < 4; i++) {
        uint64_t x = minus ? ~product.w[i] : product.w[i], y;
        more = (uint64_t)__builtin_add_overflow(sum->w[i], more, &y);
        more += (uint64_t)__builtin_add_overflow(y, x, &sum->w[i]);
    }
}

/* floor(sum / by), and what is left (0 <= rest < by). */
static wide divide(wide sum, uint32_t by, uint32_t *rest)
{
    bool negative = sum.w[3] >> 63;
    if (negative) /* floor(-x / d) = -1 - floor((x - 1) / d): the complement of the quotient of the complement */
        for (int i = 0; i < 4; i++)
            sum.w[i] = ~sum.w[i];
    uint64_t r = 0;
    wide out;
    for (int i = 3; i >= 0; i--) {
        uint64_t high = r << 32 | sum.w[i] >> 32, low;
        uint64_t q = high / by;
        low = (high % by) << 32 | (sum.w[i] & UINT32_MAX);
        out.w[i] = q << 32 | low / by;
        r = low % by;
    }
    if (negative) {
        for (int i = 0; i < 4; i++)
            out.w[i] = ~out.w[i];
        r = by - 1 - r;
    }
    *rest = (uint32_t)r;
    return out;
}

static bool narrow(const wide *x, kr_num *out)
{
    uint64_t sign = x->w[1] >> 63 ? UINT64_MAX : 0;
    *out = (kr_num){ x->w[0], (int64_t)x->w[1] };
    return x->w[2] == sign && x->w[3] == sign && !kr_is_special(*out);
}

bool kr_shapley(const kr_num *values, int n, kr_num *shares)
{
    KR_ASSERT(n >= 1 && n <= KR_DIFF_SHARED);
    uint32_t factorial[KR_DIFF_SHARED + 1] = { 1 }, rest[KR_DIFF_SHARED];
    for (uint32_t i = 1; i <= (uint32_t)n; i++)
        factorial[i] = factorial[i - 1] * i;
    unsigned all = (1u << n) - 1;
    for (unsigned s = 0; s <= all; s++)
        if (kr_is_special(values[s]))
            return false;
    kr_num left = kr_num_sub(values[all], values[0]);
    for (int i = 0; i < n; i++) {
        wide sum = { { 0 } };
        for (unsigned s = 0; s <= all; s++) {
            if (s >> i & 1)
                continue;
            int size = __builtin_popcount(s);
            uint32_t weight = factorial[size] * factorial[n - 1 - size];
            add(&sum, values[s | 1u << i], weight, false);
            add(&sum, values[s], weight, true);
        }
        wide share = divide(sum, factorial[n], &rest[i]);
        if (!narrow(&share, &shares[i]))
            return false;
        left = kr_num_sub(left, shares[i]);
    }
    if (kr_is_special(left))
        return false;
    for (uint64_t more = left.lo; more > 0; more--) { /* fewer than n counts of 10^-18 are left */
        int best = 0;
        for (int i = 1; i < n; i++)
            if (rest[i] > rest[best])
                best = i;
        shares[best] = kr_num_add(shares[best], (kr_num){ 1, 0 });
        rest[best] = 0;
    }
    return true;
}
