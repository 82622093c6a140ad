/* num_text.c: numbers from text and to text, exactly.
 *
 * Reading keeps the digits as one integer and the place of the point apart, so that what counts is the value: 1e-3, 0.001 and 0.1%
 * are one number, and 1.0000000000000000000 (nineteen zeros) is one unit. */
#include "vm/num/num.h"

#include <string.h>

#include "vm/num/wide.h"

#define ONE UINT64_C(1000000000000000000)

kr_num kr_num_of_int(int64_t v)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    return kr_num_signed(v < 0, kr_mul64(magnitude, ONE));
}

bool kr_num_to_int(kr_num a, int64_t *out)
{
    if (kr_is_special(a))
        return false;
    kr_u128 rem, q = kr_u128_divrem(kr_num_magnitude(a), kr_u128_of(ONE), &rem);
    uint64_t lo = kr_u128_lo(q);
    if (!kr_u128_is_zero(rem) || kr_u128_hi(q) || lo > (uint64_t)INT64_MAX + (a.hi < 0))
        return false;
    *out = a.hi < 0 ? (int64_t)(0 - lo) : (int64_t)lo;
    return true;
}

bool kr_num_is_int(kr_num a)
{
    if (kr_is_special(a))
        return false;
    kr_u128 rem;
    (void)kr_u128_divrem(kr_num_magnitude(a), kr_u128_of(ONE), &rem);
    return kr_u128_is_zero(rem);
}

/* A decimal under construction: value = digits * 10^(zeros - scale). Zeros are taken into `digits` only when another digit follows,
 * so that any number of them may trail. */
typedef struct decimal {
    kr_u128 digits;
    int64_t zeros; /* pending zeros at the end */
    int64_t scale; /* digits after the point, pending zeros included */
    bool too_long; /* digits past 2^127: out of range, or more decimals than 18 */
} decimal;

static void take_digit(decimal *d, unsigned digit, bool fraction)
{
    d->scale += fraction;
    if (digit == 0) {
        d->zeros += !kr_u128_is_zero(d->digits);
        return;
    }
    for (; d->zeros >= 0 && !d->too_long; d->zeros--) {
        if (kr_u128_hi(d->digits) >= UINT64_MAX / 10) /* ten times that is past 2^127; below it, digits * 10 + 9 < 2^128 */
            d->too_long = true;
        else
            d->digits = kr_u128_mul1(d->digits, 10);
    }
    d->zeros = 0;
    if (!d->too_long)
        d->digits = kr_u128_add(d->digits, kr_u128_of(digit));
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static enum kr_read fail(enum kr_read why, size_t where, size_t *at)
{
    if (at)
        *at = where;
    return why;
}

enum kr_read kr_num_read(const char *text, size_t len, kr_num *out, size_t *at)
{
    decimal d = { .digits = kr_u128_of(0) };
    size_t i = 0, digits = 0, too_fine_at = len;
    bool negative = false, fraction = false;
    if (i < len && (text[i] == '-' || text[i] == '+'))
        negative = text[i++] == '-';
    size_t first = i;
    for (; i < len; i++) {
        char c = text[i];
        if (is_digit(c)) {
            take_digit(&d, (unsigned)(c - '0'), fraction);
            if (c != '0' && d.scale > 18 && too_fine_at == len)
                too_fine_at = i;
            digits++;
        } else if (c == '_') {
            if (i == first || !is_digit(text[i - 1]) || i + 1 >= len || !is_digit(text[i + 1]))
                return fail(KR_READ_SYNTAX, i, at);
        } else if (c == '.' && !fraction) {
            fraction = true;
        } else {
            break;
        }
    }
    if (digits == 0)
        return fail(KR_READ_SYNTAX, i, at);
    int64_t exponent = 0;
    size_t exponent_at = len;
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        exponent_at = i++;
        bool down = false;
        if (i < len && (text[i] == '-' || text[i] == '+'))
            down = text[i++] == '-';
        if (i >= len || !is_digit(text[i]))
            return fail(KR_READ_SYNTAX, i, at);
        for (; i < len && is_digit(text[i]); i++)
            if (exponent < INT64_C(1000000000000000)) /* larger ones differ in nothing: no text is that long */
                exponent = exponent * 10 + (text[i] - '0');
        exponent = down ? -exponent : exponent;
    }
    if (i < len && text[i] == '%') {
        exponent -= 2;
        exponent_at = exponent_at < i ? exponent_at : i;
        i++;
    }
    if (i < len)
        return fail(KR_READ_SYNTAX, i, at);

    if (kr_u128_is_zero(d.digits)) {
        *out = KR_NUM_ZERO;
        return KR_READ_OK;
    }
    int64_t shift = 18 + exponent - d.scale + d.zeros; /* counts of 10^-18 = digits * 10^shift */
    if (shift < 0) {
        size_t where = exponent == 0 && too_fine_at < len ? too_fine_at : exponent_at < len ? exponent_at : first;
        return fail(KR_READ_DECIMALS, where, at);
    }
    if (d.too_long)
        return fail(KR_READ_RANGE, first, at);
    for (; shift > 0; shift--) {
        if (kr_u128_hi(d.digits) > INT64_MAX / 10) /* ten times that is past the range */
            return fail(KR_READ_RANGE, first, at);
        d.digits = kr_u128_mul1(d.digits, 10);
    }
    kr_num value = kr_num_signed(negative, d.digits);
    if (kr_is_special(value))
        return fail(KR_READ_RANGE, first, at);
    *out = value;
    return KR_READ_OK;
}

const char *kr_special_name(kr_num special)
{
    static const char *const names[] = { "", "#DIV/0!", "#NUM!", "#N/A", "#VALUE!", "#MULTI!" };
    return special.lo < sizeof names / sizeof *names ? names[special.lo] : "#NUM!";
}

/* The last `count` digits of v, zeros in front. */
static void put_digits(char *to, int count, uint64_t v)
{
    for (int i = count; i-- > 0; v /= 10)
        to[i] = (char)('0' + v % 10);
}

size_t kr_num_write(kr_num a, char out[KR_NUM_TEXT])
{
    if (kr_is_special(a)) {
        const char *name = kr_special_name(a);
        size_t len = strlen(name);
        memcpy(out, name, len + 1);
        return len;
    }
    kr_u128 rem, whole = kr_u128_divrem(kr_num_magnitude(a), kr_u128_of(ONE), &rem);
    uint64_t fraction = kr_u128_lo(rem);
    char *p = out;
    if (a.hi < 0)
        *p++ = '-';
    /* the whole part is below 1.71e20: at most 21 digits, in two pieces */
    kr_u128 low, high = kr_u128_divrem(whole, kr_u128_of(ONE), &low);
    char digits[24];
    put_digits(digits, 4, kr_u128_lo(high));
    put_digits(digits + 4, 18, kr_u128_lo(low));
    int skip = 0;
    while (skip < 21 && digits[skip] == '0')
        skip++;
    memcpy(p, digits + skip, (size_t)(22 - skip));
    p += 22 - skip;
    if (fraction) {
        *p++ = '.';
        put_digits(p, 18, fraction);
        p += 18;
        while (p[-1] == '0')
            p--;
    }
    *p = 0;
    return (size_t)(p - out);
}
