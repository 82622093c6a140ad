/* Arithmetic, rounding and text of kr_num against plain big integers (GMP), every operation written again in the most obvious way.
 * 20,000 random cases each, 1,000,000 with --slow or KR_SLOW=1; `--seed N` repeats a run. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/num_random.h"
#include "vm/num/num.h"
#include "vm/num/wide.h"

static long passed, failed;

static void check(bool ok, const char *what, kr_num a, kr_num b, kr_num got, kr_num want)
{
    if (ok) {
        passed++;
        return;
    }
    char ta[KR_NUM_TEXT], tb[KR_NUM_TEXT], tg[KR_NUM_TEXT], tw[KR_NUM_TEXT];
    kr_num_write(a, ta), kr_num_write(b, tb), kr_num_write(got, tg), kr_num_write(want, tw);
    if (failed++ < 20)
        printf("%s %s %s: got %s, want %s\n", what, ta, tb, tg, tw);
}

static void say(bool ok, const char *what)
{
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("failed: %s\n", what);
    }
}

/* ---- the second opinion */

static mpz_t one, low_end, high_end;

static void get(mpz_t z, kr_num a)
{
    mpz_set_si(z, a.hi);
    mpz_mul_2exp(z, z, 64);
    mpz_t lo;
    mpz_init_set_ui(lo, a.lo);
    mpz_add(z, z, lo);
    mpz_clear(lo);
}

static kr_num put(const mpz_t z)
{
    if (mpz_cmp(z, low_end) < 0 || mpz_cmp(z, high_end) > 0)
        return KR_E_NUM;
    mpz_t t;
    mpz_init(t);
    mpz_fdiv_r_2exp(t, z, 64);
    kr_num r = { mpz_get_ui(t), 0 };
    mpz_fdiv_q_2exp(t, z, 64);
    r.hi = mpz_get_si(t);
    mpz_clear(t);
    return r;
}

/* n / d in a direction: floor and remainder, then a plain case table. */
static kr_num ratio(const mpz_t n, const mpz_t d, enum kr_dir dir)
{
    mpz_t q, r, twice;
    mpz_inits(q, r, twice, NULL);
    mpz_fdiv_qr(q, r, n, d);
    if (mpz_sgn(r) != 0) { /* the value lies between q and q + 1 */
        mpz_mul_2exp(twice, r, 1);
        int half = mpz_cmpabs(twice, d);
        bool positive = mpz_sgn(q) >= 0, up = false;
        switch (dir) {
        case KR_HALF_EVEN: up = half > 0 || (half == 0 && mpz_odd_p(q)); break;
        case KR_HALF_AWAY: up = half > 0 || (half == 0 && positive); break;
        case KR_HALF_UP: up = half >= 0; break;
        case KR_TO_ZERO: up = !positive; break;
        case KR_AWAY: up = positive; break;
        case KR_FLOOR: up = false; break;
        case KR_CEIL: up = true; break;
        }
        if (up)
            mpz_add_ui(q, q, 1);
    }
    kr_num out = put(q);
    mpz_clears(q, r, twice, NULL);
    return out;
}

/* (r or r + 1/2 counts)^2 / 10^18, the nearest number or its neighbour: its root is close to a count, or to halfway between two. */
static kr_num near_square(void)
{
    mpz_t r;
    mpz_init_set_ui(r, random_bits() >> random_bits() % 40);
    mpz_mul_2exp(r, r, random_bits() % 30);
    if (random_bits() % 2)
        mpz_mul_2exp(r, r, 1); /* a whole count */
    mpz_mul(r, r, r);
    mpz_fdiv_q_2exp(r, r, 2);
    mpz_fdiv_q(r, r, one);
    mpz_add_ui(r, r, random_bits() % 2);
    kr_num a = put(r);
    mpz_clear(r);
    return kr_is_special(a) ? KR_NUM_ONE : a;
}

static kr_num near_power_of_4(void)
{
    mpz_t r;
    mpz_init_set_ui(r, 1);
    mpz_mul_2exp(r, r, 60 + 2 * (random_bits() % 63));
    mpz_fdiv_q(r, r, one);
    mpz_add_ui(r, r, random_bits() % 2);
    kr_num a = put(r);
    mpz_clear(r);
    return kr_is_special(a) ? KR_NUM_ONE : a;
}

static void random_arithmetic(long cases)
{
    mpz_t x, y, z, t;
    mpz_inits(x, y, z, t, NULL);
    for (long i = 0; i < cases; i++) {
        kr_num a = random_num(), b = random_num(), c = random_num(), want;
        if (i % 8 == 0)
            b = near_tie(a);
        get(x, a), get(y, b), get(z, c);
        enum kr_dir dir = (enum kr_dir)(random_bits() % 7);

        mpz_add(t, x, y), want = put(t);
        check(kr_raw_eq(kr_num_add(a, b), want), "add", a, b, kr_num_add(a, b), want);
        mpz_sub(t, x, y), want = put(t);
        check(kr_raw_eq(kr_num_sub(a, b), want), "sub", a, b, kr_num_sub(a, b), want);
        mpz_mul(t, x, y), want = ratio(t, one, KR_HALF_EVEN);
        check(kr_raw_eq(kr_num_mul(a, b), want), "mul", a, b, kr_num_mul(a, b), want);
        want = ratio(t, one, dir);
        check(kr_raw_eq(kr_num_mul_dir(a, b, dir), want), "mul_dir", a, b, kr_num_mul_dir(a, b, dir), want);
        want = mpz_sgn(z) ? ratio(t, z, dir) : KR_E_DIV0;
        check(kr_raw_eq(kr_num_muldiv(a, b, c, dir), want), "muldiv", a, b, kr_num_muldiv(a, b, c, dir), want);

        mpz_mul(t, x, one);
        want = mpz_sgn(y) ? ratio(t, y, KR_HALF_EVEN) : KR_E_DIV0;
        check(kr_raw_eq(kr_num_div(a, b), want), "div", a, b, kr_num_div(a, b), want);
        want = mpz_sgn(y) ? ratio(t, y, dir) : KR_E_DIV0;
        check(kr_raw_eq(kr_num_div_dir(a, b, dir), want), "div_dir", a, b, kr_num_div_dir(a, b, dir), want);
        if (mpz_sgn(y)) {
            mpz_fdiv_r(t, x, y), want = put(t);
            check(kr_raw_eq(kr_num_mod(a, b), want), "mod", a, b, kr_num_mod(a, b), want);
            mpz_tdiv_r(t, x, y), want = put(t);
            check(kr_raw_eq(kr_num_rem(a, b), want), "rem", a, b, kr_num_rem(a, b), want);
        }
        mpz_neg(t, x), want = put(t);
        check(kr_raw_eq(kr_num_neg(a), want), "neg", a, a, kr_num_neg(a), want);
        mpz_abs(t, x), want = put(t);
        check(kr_raw_eq(kr_num_abs(a), want), "abs", a, a, kr_num_abs(a), want);
        want = kr_num_of_int(mpz_sgn(x));
        check(kr_raw_eq(kr_num_sign(a), want), "sign", a, a, kr_num_sign(a), want);
        int order = mpz_cmp(x, y), got = kr_num_cmp(a, b);
        check((order > 0) - (order < 0) == (got > 0) - (got < 0), "cmp", a, b, KR_NUM_ZERO, KR_NUM_ZERO);

        int places = (int)(random_bits() % 46) - 25;
        if (places >= 18) {
            want = a;
        } else {
            mpz_ui_pow_ui(t, 10, (unsigned long)(18 - places));
            mpz_t q;
            mpz_init(q);
            mpz_fdiv_q(q, x, t); /* round to the unit, then scale back: the result may leave the range */
            mpz_t r, twice;
            mpz_inits(r, twice, NULL);
            mpz_fdiv_r(r, x, t);
            mpz_mul_2exp(twice, r, 1);
            int half = mpz_cmp(twice, t);
            bool positive = mpz_sgn(x) >= 0, up = false;
            if (mpz_sgn(r))
                up = dir == KR_HALF_EVEN   ? half > 0 || (half == 0 && mpz_odd_p(q))
                     : dir == KR_HALF_AWAY ? half > 0 || (half == 0 && positive)
                     : dir == KR_HALF_UP   ? half >= 0
                     : dir == KR_TO_ZERO   ? !positive
                     : dir == KR_AWAY      ? positive
                                           : dir == KR_CEIL;
            if (up)
                mpz_add_ui(q, q, 1);
            mpz_mul(q, q, t);
            want = put(q);
            mpz_clears(q, r, twice, NULL);
        }
        check(kr_raw_eq(kr_num_round(a, places, dir), want), "round", a, kr_num_of_int(places), kr_num_round(a, places, dir), want);

        if (i % 2) { /* near the square of a whole number of counts or of a half, or of 4^k / 10^18 */
            a = i % 16 == 1 ? near_power_of_4() : near_square();
            get(x, a);
        }
        mpz_mul(t, x, one);
        if (mpz_sgn(x) < 0) {
            want = KR_E_NUM;
        } else { /* nearest: floor(sqrt(4 n)) + 1 over 2; a root is never halfway */
            mpz_mul_2exp(t, t, 2);
            mpz_sqrt(t, t);
            mpz_add_ui(t, t, 1);
            mpz_fdiv_q_2exp(t, t, 1);
            want = put(t);
        }
        check(kr_raw_eq(kr_num_sqrt(a), want), "sqrt", a, a, kr_num_sqrt(a), want);

        kr_num back = KR_BLANK;
        char text[KR_NUM_TEXT];
        size_t len = kr_num_write(a, text);
        char *digits = mpz_get_str(NULL, 10, x), wanted[64];
        /* the obvious text: digits padded to 19, point put in, zeros cut */
        char padded[64];
        const char *plain = digits[0] == '-' ? digits + 1 : digits;
        size_t zeros = strlen(plain) < 19 ? 19 - strlen(plain) : 0;
        memset(padded, '0', zeros);
        strcpy(padded + zeros, plain);
        size_t whole = strlen(padded) - 18;
        int n = snprintf(wanted, sizeof wanted, "%s%.*s.%s", digits[0] == '-' ? "-" : "", (int)whole, padded, padded + whole);
        while (wanted[n - 1] == '0')
            wanted[--n] = 0;
        if (wanted[n - 1] == '.')
            wanted[--n] = 0;
        free(digits);
        check(strcmp(text, wanted) == 0 && len == strlen(wanted), "write", a, a, a, a);
        check(kr_num_read(text, len, &back, NULL) == KR_READ_OK && kr_raw_eq(a, back), "read", a, a, back, a);
    }
    mpz_clears(x, y, z, t, NULL);
}

/* ---- text */

/* A text with point, exponent, `_` and % made at random; its value by rational arithmetic. */
static void random_text(long cases)
{
    mpz_t digits, power, rem;
    mpz_inits(digits, power, rem, NULL);
    for (long i = 0; i < cases; i++) {
        char text[160], plain[160];
        int n = 0, m = 0, whole = (int)(random_bits() % 24), fraction = (int)(random_bits() % 24), after = 0;
        bool zeros = random_bits() % 2;
        uint64_t sign = random_bits() % 3;
        if (sign)
            text[n++] = "-+"[sign - 1];
        if (whole + fraction == 0)
            whole = 1;
        for (int k = 0; k < whole; k++) {
            char c = (char)('0' + (zeros && random_bits() % 4 ? 0 : random_bits() % 10));
            text[n++] = plain[m++] = c;
            if (k + 1 < whole && random_bits() % 8 == 0)
                text[n++] = '_';
        }
        if (fraction || random_bits() % 2)
            text[n++] = '.';
        for (int k = 0; k < fraction; k++)
            text[n++] = plain[m++] = (char)('0' + (zeros && random_bits() % 4 ? 0 : random_bits() % 10));
        after = fraction;
        plain[m] = 0;
        long exponent = 0;
        if (random_bits() % 2) {
            exponent = (long)(random_bits() % 60) - 30;
            n += sprintf(text + n, "%s%s%ld", random_bits() % 2 ? "e" : "E", exponent >= 0 && random_bits() % 2 ? "+" : "", exponent);
        }
        if (random_bits() % 4 == 0) {
            text[n++] = '%';
            exponent -= 2;
        }
        text[n] = 0;
        mpz_set_str(digits, plain, 10);
        if (sign == 1)
            mpz_neg(digits, digits);
        long shift = 18 + exponent - after;
        enum kr_read want = KR_READ_OK;
        mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
        if (shift >= 0) {
            mpz_mul(digits, digits, power);
        } else {
            mpz_tdiv_qr(digits, rem, digits, power);
            if (mpz_sgn(rem))
                want = KR_READ_DECIMALS;
        }
        kr_num value = put(digits), got = KR_BLANK;
        if (want == KR_READ_OK && kr_is_special(value))
            want = KR_READ_RANGE;
        size_t at;
        enum kr_read read = kr_num_read(text, (size_t)n, &got, &at);
        bool ok = read == want && (want == KR_READ_OK ? kr_raw_eq(got, value) : at < (size_t)n);
        if (!ok && failed < 20)
            printf("read %s: result %d, want %d\n", text, read, want);
        ok ? passed++ : failed++;
    }
    mpz_clears(digits, power, rem, NULL);
}

static void specials(void)
{
    kr_num (*const two[])(kr_num, kr_num) = { kr_num_add, kr_num_sub, kr_num_mul, kr_num_div, kr_num_mod, kr_num_rem, kr_num_log, kr_num_pow };
    kr_num (*const ones[])(kr_num) = { kr_num_neg, kr_num_abs, kr_num_sign, kr_num_sqrt, kr_num_exp, kr_num_ln, kr_num_log10,
                                       kr_num_norm_cdf, kr_num_norm_pdf, kr_num_norm_inv, kr_num_erf, kr_num_erfc };
    kr_num codes[] = { KR_BLANK, KR_E_DIV0, KR_E_NUM, KR_E_NA, KR_E_VALUE, KR_E_MULTI };
    for (size_t i = 0; i < 6; i++) {
        for (size_t f = 0; f < sizeof ones / sizeof *ones; f++)
            say(kr_raw_eq(ones[f](codes[i]), codes[i]), "special of one argument");
        for (size_t j = 0; j < 6; j++)
            for (size_t f = 0; f < sizeof two / sizeof *two; f++) {
                kr_num want = kr_is_error(codes[i]) ? codes[i] : kr_is_error(codes[j]) ? codes[j] : KR_BLANK;
                say(kr_raw_eq(two[f](codes[i], codes[j]), want), "specials of two arguments");
                say(kr_raw_eq(two[f](codes[i], KR_NUM_ZERO), codes[i]), "special first");
                say(kr_raw_eq(two[f](KR_NUM_ONE, codes[j]), codes[j]), "special second");
            }
        say(kr_raw_eq(kr_num_round(codes[i], 2, KR_FLOOR), codes[i]), "round special");
        say(kr_raw_eq(kr_num_muldiv(KR_NUM_ONE, codes[i], KR_NUM_ZERO, KR_FLOOR), codes[i]), "muldiv special");
        char text[KR_NUM_TEXT];
        say(kr_num_write(codes[i], text) == strlen(kr_special_name(codes[i])) && strcmp(text, kr_special_name(codes[i])) == 0, "special text");
        int64_t v;
        say(!kr_num_is_int(codes[i]) && !kr_num_to_int(codes[i], &v), "special is no integer");
    }
}

static void integers(void)
{
    static const int64_t values[] = { 0, 1, -1, 42, -1000000, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        kr_num a = kr_num_of_int(values[i]);
        int64_t back = 7;
        say(kr_num_is_int(a) && kr_num_to_int(a, &back) && back == values[i], "integer there and back");
        kr_num b = kr_num_add(a, (kr_num){ 1, 0 });
        say(!kr_num_is_int(b) && !kr_num_to_int(b, &back), "a fraction is no integer");
    }
    int64_t v;
    say(!kr_num_to_int(kr_num_add(kr_num_of_int(INT64_MAX), KR_NUM_ONE), &v), "2^63 does not fit");
    say(!kr_num_to_int(kr_num_sub(kr_num_of_int(INT64_MIN), KR_NUM_ONE), &v), "-2^63 - 1 does not fit");
}

static void wide_integers(long cases)
{
    mpz_t a, b, q, r, c;
    mpz_inits(a, b, q, r, c, NULL);
    for (long i = 0; i < cases; i++) {
        kr_u256 n = { { random_limb(), random_limb(), random_limb(), random_limb() } };
        n = kr_u256_shr(n, (int)(random_bits() % 256));
        kr_u128 d = kr_u128_make(i % 3 ? random_limb() : 0, random_limb() | 1), rem;
        uint64_t dw[2] = { kr_u128_lo(d), kr_u128_hi(d) };
        mpz_import(a, 4, -1, 8, 0, 0, n.w), mpz_import(b, 2, -1, 8, 0, 0, dw);
        kr_u256 quotient = kr_u256_divrem(n, d, &rem);
        uint64_t rw[2] = { kr_u128_lo(rem), kr_u128_hi(rem) };
        mpz_fdiv_qr(q, r, a, b);
        mpz_import(c, 4, -1, 8, 0, 0, quotient.w);
        bool ok = mpz_cmp(c, q) == 0;
        mpz_import(c, 2, -1, 8, 0, 0, rw);
        say(ok && mpz_cmp(c, r) == 0, "256 / 128");
        kr_u128 root = kr_u256_isqrt(n);
        uint64_t sw[2] = { kr_u128_lo(root), kr_u128_hi(root) };
        mpz_sqrt(q, a), mpz_import(c, 2, -1, 8, 0, 0, sw);
        say(mpz_cmp(c, q) == 0, "root of 256 bits");
        uint64_t root64 = kr_u128_isqrt(kr_u256_lo(n));
        mpz_fdiv_r_2exp(a, a, 128), mpz_sqrt(q, a), mpz_import(c, 1, -1, 8, 0, 0, &root64);
        say(mpz_cmp(c, q) == 0, "root of 128 bits");
    }
    mpz_clears(a, b, q, r, c, NULL);
}

int main(int argc, char **argv)
{
    long cases = random_start(argc, argv);
    mpz_init_set_ui(one, 1000000000000000000u);
    mpz_inits(low_end, high_end, NULL);
    get(low_end, KR_NUM_MIN), get(high_end, KR_NUM_MAX);
    random_arithmetic(cases);
    random_text(cases);
    wide_integers(cases);
    specials();
    integers();
    mpz_clears(one, low_end, high_end, NULL);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
