/* logic.c: conditions and what to do about blanks and errors.
 *
 * AND, OR, NOT and XOR know three values: true, false and blank (unknown). IF and its relatives look at the branch they take and no
 * other, so their kernels treat specials by position. */
#include "stdlib/families.h"

static void if_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    const kr_cell *c = in[0], *a = in[1], *b = call->argc > 2 ? in[2] : NULL;
    for (size_t i = 0; i < n; i++) {
        if (kr_is_special(c[i]))
            out[i] = c[i];
        else if (c[i].lo)
            out[i] = a[i];
        else
            out[i] = b ? b[i] : KR_BLANK;
    }
}

static void ifs_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = KR_BLANK;
        for (int k = 0; k + 1 < call->argc; k += 2) {
            kr_cell c = in[k][i];
            if (kr_is_special(c)) {
                out[i] = c;
                break;
            }
            if (c.lo) {
                out[i] = in[k + 1][i];
                break;
            }
        }
    }
}

static void switch_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        kr_cell x = in[0][i], result = KR_BLANK;
        int k = 1;
        if (kr_is_special(x)) {
            out[i] = x;
            continue;
        }
        for (; k + 1 < call->argc; k += 2) {
            kr_cell c = in[k][i];
            if (kr_is_special(c) || kr_raw_eq(c, x)) {
                result = kr_is_special(c) ? c : in[k + 1][i];
                break;
            }
        }
        if (k + 1 == call->argc)
            result = in[k][i];
        out[i] = result;
    }
}

/* AND and OR: an error wins (the leftmost), then the deciding value, then blank. */
static inline void three_valued(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n, bool deciding)
{
    for (size_t i = 0; i < n; i++) {
        bool decided = false, blank = false;
        kr_cell result = KR_BLANK;
        int k = 0;
        for (; k < call->argc; k++) {
            kr_cell c = in[k][i];
            if (kr_is_special(c)) {
                if (!kr_is_blank(c)) {
                    result = c;
                    break;
                }
                blank = true;
            } else {
                decided |= (c.lo != 0) == deciding;
            }
        }
        if (k < call->argc)
            out[i] = result;
        else
            out[i] = decided ? kr_cell_of_bool(deciding) : blank ? KR_BLANK : kr_cell_of_bool(!deciding);
    }
}

static void and_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    three_valued(call, out, in, n, false);
}

static void or_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    three_valued(call, out, in, n, true);
}

static void not_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_is_special(in[0][i]) ? in[0][i] : kr_cell_of_bool(!in[0][i].lo);
}

static kr_cell xor_kernel(const kr_call *call, const kr_cell *args)
{
    bool odd = false;
    for (int k = 0; k < call->argc; k++)
        odd ^= kr_cell_is_true(args[k]);
    return kr_cell_of_bool(odd);
}

static void is_blank_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_is_error(in[0][i]) ? in[0][i] : kr_cell_of_bool(kr_is_blank(in[0][i]));
}

static void is_error_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_cell_of_bool(kr_is_error(in[0][i]));
}

static void is_na_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_cell_of_bool(kr_raw_eq(in[0][i], KR_E_NA));
}

static void coalesce_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = in[0][i];
        for (int k = 1; k < call->argc && kr_is_blank(out[i]); k++)
            out[i] = in[k][i];
    }
}

static void if_error_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_is_error(in[0][i]) ? in[1][i] : in[0][i];
}

static void if_na_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_raw_eq(in[0][i], KR_E_NA) ? in[1][i] : in[0][i];
}

static void na_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call, (void)in;
    for (size_t i = 0; i < n; i++)
        out[i] = KR_E_NA;
}

const kr_fn kr_logic_fns[] = {
    { .name = "IF", .usage = "IF(condition, then, else)", .sig = "boolean, T, [T] -> T", .unit = "*, u, u -> u", .lazy = true,
      .doc = "`then` where the condition is true, `else` where it is false (blank when left out), blank where it is blank. Only the branch taken counts: an error in the other does no harm.",
      .example = "IF(2 > 1, 10, 1 / 0)", .gives = "10", .edge = "IF(1 > 2, 10)", .edge_gives = "", .row = if_kernel },
    { .name = "IFS", .usage = "IFS(condition, value, condition, value, …)", .sig = "(boolean, T)... -> T", .unit = "(*, u)... -> u",
      .lazy = true,
      .doc = "The value after the first condition that is true; blank when none is. A blank condition before that gives blank. Write TRUE as the last condition for everything else.",
      .example = "IFS(5 < 3, 'low', 5 < 9, 'middle', TRUE, 'high')", .gives = "middle",
      .edge = "IFS(FALSE, 1)", .edge_gives = "", .row = ifs_kernel },
    { .name = "SWITCH", .usage = "SWITCH(x, value, result, …, default)", .sig = "U, (U, T)..., [T] -> T",
      .unit = "v, (v, u)..., [u] -> u", .lazy = true,
      .doc = "The result after the first value equal to x, else the default, else blank. A blank x gives blank; so does a blank value before the one that is met.",
      .example = "SWITCH('b', 'a', 1, 'b', 2, 0)", .gives = "2", .edge = "SWITCH('z', 'a', 1, 'b', 2)", .edge_gives = "",
      .row = switch_kernel },
    { .name = "AND", .usage = "AND(a, b, …)", .sig = "boolean... -> boolean",
      .doc = "True when all are true, false when any is false, else blank. An error among them is the result, even beside a false.",
      .example = "AND(1 < 2, 2 < 3)", .gives = "true", .edge = "AND(FALSE, 1 / 0 > 1)", .edge_gives = "#DIV/0!", .row = and_kernel },
    { .name = "OR", .usage = "OR(a, b, …)", .sig = "boolean... -> boolean",
      .doc = "True when any is true, false when all are false, else blank. An error among them is the result, even beside a true.",
      .example = "OR(FALSE, IF(FALSE, TRUE), TRUE)", .gives = "true", .edge = "OR(FALSE, IF(FALSE, TRUE))", .edge_gives = "",
      .row = or_kernel },
    { .name = "NOT", .usage = "NOT(a)", .sig = "boolean -> boolean", .doc = "The other truth value; blank of blank.",
      .example = "NOT(1 > 2)", .gives = "true", .edge = "NOT(IF(FALSE, TRUE))", .edge_gives = "", .row = not_kernel },
    { .name = "XOR", .usage = "XOR(a, b, …)", .sig = "boolean... -> boolean",
      .doc = "Whether an odd number of the arguments is true; blank when any is blank.",
      .example = "XOR(TRUE, TRUE, TRUE)", .gives = "true", .edge = "XOR(TRUE, IF(FALSE, TRUE))", .edge_gives = "",
      .scalar = xor_kernel },
    { .name = "ISBLANK", .usage = "ISBLANK(x)", .sig = "any -> boolean", .lazy = true,
      .doc = "Whether x is blank, that is unknown. An error stays an error.",
      .example = "ISBLANK(IF(FALSE, 1))", .gives = "true", .edge = "ISBLANK(1 / 0)", .edge_gives = "#DIV/0!", .row = is_blank_kernel },
    { .name = "ISERROR", .usage = "ISERROR(x)", .sig = "any -> boolean", .lazy = true,
      .doc = "Whether x is an error; a blank is none.",
      .example = "ISERROR(1 / 0)", .gives = "true", .edge = "ISERROR(IF(FALSE, 1))", .edge_gives = "false", .row = is_error_kernel },
    { .name = "ISNA", .usage = "ISNA(x)", .sig = "any -> boolean", .lazy = true, .doc = "Whether x is the error #N/A.",
      .example = "ISNA(NA())", .gives = "true", .edge = "ISNA(1 / 0)", .edge_gives = "false", .row = is_na_kernel },
    { .name = "COALESCE", .usage = "COALESCE(a, b, …)", .sig = "T... -> T", .unit = "u... -> u", .lazy = true,
      .doc = "The first argument that is not blank; blank when all are. An error counts as known, so it is the result when it comes first.",
      .example = "COALESCE(IF(FALSE, 1), 2)", .gives = "2", .edge = "COALESCE(1 / 0, 2)", .edge_gives = "#DIV/0!",
      .row = coalesce_kernel },
    { .name = "IFERROR", .usage = "IFERROR(x, else)", .sig = "T, T -> T", .unit = "u, u -> u", .lazy = true,
      .doc = "x, but `else` where x is an error. A blank x stays blank.",
      .example = "IFERROR(1 / 0, -1)", .gives = "-1", .edge = "IFERROR(IF(FALSE, 1), -1)", .edge_gives = "", .row = if_error_kernel },
    { .name = "IFNA", .usage = "IFNA(x, else)", .sig = "T, T -> T", .unit = "u, u -> u", .lazy = true,
      .doc = "x, but `else` where x is the error #N/A.",
      .example = "IFNA(NA(), 0)", .gives = "0", .edge = "IFNA(1 / 0, 0)", .edge_gives = "#DIV/0!", .row = if_na_kernel },
    { .name = "NA", .usage = "NA()", .sig = "-> number", .unit = "-> *", .doc = "The error #N/A: a number that cannot be had.",
      .example = "NA()", .gives = "#N/A", .edge = "NA() + 1 / 0", .edge_gives = "#N/A", .row = na_kernel },
    { .name = NULL },
};
