/* num.h: the one number of krules.
 *
 * A kr_num is a signed 128-bit count of 10^-18. Every operation returns the exact mathematical value of its inputs,
 * rounded once, half to even, to 18 decimals. A value out of range is #NUM!, never a wrap.
 *
 * Special values live in the number's own bits: blank (unknown) and the errors are the KR_SPECIALS bit patterns at the very
 * bottom of the range. They spread: the leftmost error argument wins; without an error, any blank argument gives blank.
 * Every function here accepts special arguments and spreads them so, unless it says otherwise.
 *
 * The same 16 bytes hold every cell of the language (kr_cell): booleans 0/1, day numbers, milliseconds and ids of interned
 * text as plain unscaled integers in the same layout, with the same special patterns.
 *
 * Nothing here allocates, locks, or keeps state, unless stated. Range: KR_NUM_MIN .. KR_NUM_MAX,
 * that is -(2^127 - 16) .. 2^127 - 1 counts of 10^-18, about 1.7e20 units. */
#ifndef KR_NUM_H
#define KR_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kr_num {
    uint64_t lo;
    int64_t hi;
} kr_num;

typedef kr_num kr_cell; /* any cell: see above */

enum { KR_SPECIALS = 16 }; /* raw values -2^127 .. -2^127+15 are reserved */
enum kr_special { KR_S_BLANK, KR_S_DIV0, KR_S_NUM, KR_S_NA, KR_S_VALUE, KR_S_MULTI };

#define KR_SPECIAL(code) ((kr_num){ (uint64_t)(code), INT64_MIN })
#define KR_BLANK KR_SPECIAL(KR_S_BLANK)
#define KR_E_DIV0 KR_SPECIAL(KR_S_DIV0)   /* #DIV/0! */
#define KR_E_NUM KR_SPECIAL(KR_S_NUM)     /* #NUM! */
#define KR_E_NA KR_SPECIAL(KR_S_NA)       /* #N/A */
#define KR_E_VALUE KR_SPECIAL(KR_S_VALUE) /* #VALUE! */
#define KR_E_MULTI KR_SPECIAL(KR_S_MULTI) /* #MULTI! */

static inline bool kr_is_special(kr_num a) { return a.hi == INT64_MIN && a.lo < KR_SPECIALS; }
static inline bool kr_is_blank(kr_num a) { return a.hi == INT64_MIN && a.lo == KR_S_BLANK; }
static inline bool kr_is_error(kr_num a) { return a.hi == INT64_MIN && a.lo != KR_S_BLANK && a.lo < KR_SPECIALS; }

/* The special value that a function of these arguments spreads; call only when one of them is special. */
static inline kr_num kr_spread2(kr_num a, kr_num b)
{
    return kr_is_error(a) ? a : kr_is_error(b) ? b : KR_BLANK;
}
/* The same for n arguments; returns false (and leaves *out) when none is special. */
static inline bool kr_spread(const kr_num *args, size_t n, kr_num *out)
{
    bool blank = false;
    for (size_t i = 0; i < n; i++) {
        if (kr_is_error(args[i])) {
            *out = args[i];
            return true;
        }
        blank |= kr_is_blank(args[i]);
    }
    if (blank)
        *out = KR_BLANK;
    return blank;
}

/* Unscaled integers in the same 16 bytes: booleans, days, times, text ids. */
static inline kr_cell kr_cell_of_int(int64_t v) { return (kr_cell){ (uint64_t)v, v < 0 ? -1 : 0 }; }
static inline int64_t kr_cell_int(kr_cell c) { return (int64_t)c.lo; }
static inline kr_cell kr_cell_of_bool(bool v) { return (kr_cell){ v, 0 }; }
static inline bool kr_cell_is_true(kr_cell c) { return c.lo == 1 && c.hi == 0; }

/* Raw comparison of the 128-bit integers, specials not treated: <0, 0, >0. */
static inline int kr_raw_cmp(kr_num a, kr_num b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}
static inline bool kr_raw_eq(kr_num a, kr_num b) { return a.hi == b.hi && a.lo == b.lo; }

#define KR_NUM_ZERO ((kr_num){ 0, 0 })
#define KR_NUM_ONE ((kr_num){ 1000000000000000000u, 0 })
#define KR_NUM_MAX ((kr_num){ UINT64_MAX, INT64_MAX })
#define KR_NUM_MIN ((kr_num){ KR_SPECIALS, INT64_MIN })

/* ---- integers and text (num_text.c) */
kr_num kr_num_of_int(int64_t v);                       /* v units, exact */
bool kr_num_to_int(kr_num a, int64_t *out);            /* false when a is special, has a fraction, or does not fit */
bool kr_num_is_int(kr_num a);                          /* a whole number (not special) */

enum kr_read { KR_READ_OK, KR_READ_SYNTAX, KR_READ_DECIMALS, KR_READ_RANGE };
/* Read a whole text of `len` bytes as a number: sign, digits with `_` between digits, point, exponent (e/E), a `%` at the end.
 * Exact: more than 18 decimals (after exponent and %, trailing zeros not counted) is KR_READ_DECIMALS, too large KR_READ_RANGE.
 * "" and blanks are KR_READ_SYNTAX. On failure *at is the offset of the offending byte (at may be NULL). */
enum kr_read kr_num_read(const char *text, size_t len, kr_num *out, size_t *at);

enum { KR_NUM_TEXT = 48 }; /* room for any number or error code and a NUL */
/* Plain decimal text, no trailing zeros, no exponent, no "-0"; blank gives "", errors their code (`#DIV/0!`). Returns the length. */
size_t kr_num_write(kr_num a, char out[KR_NUM_TEXT]);
const char *kr_special_name(kr_num special);           /* "", "#DIV/0!", … */

/* ---- arithmetic (num.c) */
kr_num kr_num_add(kr_num a, kr_num b);
kr_num kr_num_sub(kr_num a, kr_num b);
kr_num kr_num_mul(kr_num a, kr_num b);                 /* half even */
kr_num kr_num_div(kr_num a, kr_num b);                 /* half even; b = 0: #DIV/0! */
kr_num kr_num_neg(kr_num a);
kr_num kr_num_abs(kr_num a);
kr_num kr_num_sign(kr_num a);                          /* -1, 0, 1 */
kr_num kr_num_mod(kr_num a, kr_num b);                 /* spreadsheet MOD: a - b*floor(a/b), exact; b = 0: #DIV/0! */
kr_num kr_num_rem(kr_num a, kr_num b);                 /* a - b*trunc(a/b), exact; b = 0: #DIV/0! */
int kr_num_cmp(kr_num a, kr_num b);                    /* both plain numbers (asserted): <0, 0, >0 */

enum kr_dir { KR_HALF_EVEN, KR_HALF_AWAY, KR_HALF_UP, KR_TO_ZERO, KR_AWAY, KR_FLOOR, KR_CEIL };
/* To `places` decimals (negative: tens, hundreds); places >= 18 is the number itself. */
kr_num kr_num_round(kr_num a, int places, enum kr_dir dir);
kr_num kr_num_mul_dir(kr_num a, kr_num b, enum kr_dir dir);
kr_num kr_num_div_dir(kr_num a, kr_num b, enum kr_dir dir);
kr_num kr_num_muldiv(kr_num a, kr_num b, kr_num c, enum kr_dir dir); /* a*b/c exact, rounded once; c = 0: #DIV/0! */

/* ---- functions (num_fn.c; slow path num_slow.c), each correctly rounded half to even */
kr_num kr_num_sqrt(kr_num a);                          /* a < 0: #NUM! */
kr_num kr_num_exp(kr_num a);
kr_num kr_num_ln(kr_num a);                            /* a <= 0: #NUM! */
kr_num kr_num_log(kr_num a, kr_num base);              /* ln a / ln base; a <= 0, base <= 0: #NUM!; base = 1: #DIV/0! */
kr_num kr_num_log10(kr_num a);
kr_num kr_num_pow(kr_num a, kr_num b);                 /* any real exponent. 0^0 = #NUM! as LibreOffice documents its POWER (see num_fn.c);
                                                          0^negative: #DIV/0!; negative base with a fraction in b: #NUM! */
kr_num kr_num_norm_cdf(kr_num z);                      /* Φ */
kr_num kr_num_norm_pdf(kr_num z);                      /* φ */
kr_num kr_num_norm_inv(kr_num p);                      /* Φ^-1; p <= 0 or p >= 1: #NUM! */
kr_num kr_num_erf(kr_num x);
kr_num kr_num_erfc(kr_num x);

/* How often a Ziv loop gave up (returned #NUM! at the stated precision) in this process; 0 in every known case. */
uint64_t kr_num_ziv_failures(void);
/* At the end of a thread that computed: frees what the slow path keeps for it. */
void kr_num_thread_done(void);

#endif
