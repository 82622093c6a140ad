/* math.c: elementary functions, the normal distribution, and the row-wise MIN, MAX, CLIP and RATIO. All but the pure choices are
 * the exact value rounded once to 18 decimals, half to even. */
#include "stdlib/families.h"

#define UNARY(name, function)                                            \
    static kr_cell name(const kr_call *call, const kr_cell *args)        \
    {                                                                    \
        (void)call;                                                      \
        return function(args[0]);                                        \
    }
UNARY(abs_kernel, kr_num_abs)
UNARY(sign_kernel, kr_num_sign)
UNARY(sqrt_kernel, kr_num_sqrt)
UNARY(exp_kernel, kr_num_exp)
UNARY(ln_kernel, kr_num_ln)
UNARY(log10_kernel, kr_num_log10)
UNARY(cdf_kernel, kr_num_norm_cdf)
UNARY(pdf_kernel, kr_num_norm_pdf)
UNARY(inv_kernel, kr_num_norm_inv)
UNARY(erf_kernel, kr_num_erf)
UNARY(erfc_kernel, kr_num_erfc)

static kr_cell log_kernel(const kr_call *call, const kr_cell *args)
{
    return call->argc > 1 ? kr_num_log(args[0], args[1]) : kr_num_log10(args[0]);
}

static kr_cell power_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_pow(args[0], args[1]);
}

static kr_cell norm_dist_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_cell_is_true(args[1]) ? kr_num_norm_cdf(args[0]) : kr_num_norm_pdf(args[0]);
}

static kr_cell pi_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call, (void)args;
    return (kr_num){ UINT64_C(3141592653589793238), 0 }; /* …238|46 */
}

static kr_cell clip_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    if (kr_raw_cmp(args[1], args[2]) > 0)
        return KR_E_NUM;
    return kr_raw_cmp(args[0], args[1]) < 0 ? args[1] : kr_raw_cmp(args[0], args[2]) > 0 ? args[2] : args[0];
}

static kr_cell ratio_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_raw_eq(args[1], KR_NUM_ZERO) ? args[2] : kr_num_div(args[0], args[1]);
}

/* The leftmost of the least or greatest arguments. */
static inline void extreme(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n, int sign)
{
    for (size_t i = 0; i < n; i++) {
        kr_cell best = in[0][i];
        for (int k = 1; k < call->argc; k++) {
            kr_cell x = in[k][i];
            if (kr_is_special(best) || kr_is_special(x))
                best = kr_spread2(best, x);
            else if (sign * kr_lib_cmp(call, call->types[k], x, best) > 0)
                best = x;
        }
        out[i] = best;
    }
}

static void min_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n) { extreme(call, out, in, n, -1); }
static void max_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n) { extreme(call, out, in, n, 1); }

#define NUMBER "number -> number"
#define PLAIN "1 -> 1"

const kr_fn kr_math_fns[] = {
    { .name = "ABS", .usage = "ABS(x)", .sig = NUMBER, .unit = "u -> u", .doc = "x without its sign.",
      .example = "ABS(-2.5)", .gives = "2.5", .edge = "ABS(0)", .edge_gives = "0", .scalar = abs_kernel },
    { .name = "SIGN", .usage = "SIGN(x)", .sig = NUMBER, .unit = "* -> 1", .doc = "1 for a positive x, -1 for a negative one, 0 for 0.",
      .example = "SIGN(-3)", .gives = "-1", .edge = "SIGN(0)", .edge_gives = "0", .scalar = sign_kernel },
    { .name = "MIN", .usage = "MIN(a, b, …)", .sig = "T, T... -> T", .unit = "u, u... -> u",
      .doc = "The least of two or more values of this row; blank when any is blank. With one argument MIN is an aggregate and steps over blanks.",
      .example = "MIN(3, 1, 2)", .gives = "1", .edge = "MIN(3, IF(FALSE, 1))", .edge_gives = "", .row = min_kernel },
    { .name = "MAX", .usage = "MAX(a, b, …)", .sig = "T, T... -> T", .unit = "u, u... -> u",
      .doc = "The greatest of two or more values of this row; blank when any is blank. With one argument MAX is an aggregate and steps over blanks.",
      .example = "MAX(3, 1, 2)", .gives = "3", .edge = "MAX(0, IF(FALSE, 1))", .edge_gives = "", .row = max_kernel },
    { .name = "CLIP", .usage = "CLIP(x, low, high)", .sig = "number, number, number -> number", .unit = "u, u, u -> u",
      .doc = "x, but no less than low and no more than high. A low above high is #NUM!.",
      .example = "CLIP(1.2, 0, 1)", .gives = "1", .edge = "CLIP(0.5, 1, 0)", .edge_gives = "#NUM!", .scalar = clip_kernel },
    { .name = "RATIO", .usage = "RATIO(a, b, else)", .sig = "number, number, number -> number", .unit = "u, v, u/v -> u/v",
      .doc = "a / b, rounded once, and `else` where b is 0. A blank among the three gives blank.",
      .example = "RATIO(1, 4, 0)", .gives = "0.25", .edge = "RATIO(1, 0, 7)", .edge_gives = "7", .scalar = ratio_kernel },
    { .name = "SQRT", .usage = "SQRT(x)", .sig = NUMBER, .unit = "* -> *",
      .doc = "The square root, correctly rounded to 18 decimals; of a negative x #NUM!.",
      .example = "SQRT(2)", .gives = "1.414213562373095049", .edge = "SQRT(-1)", .edge_gives = "#NUM!", .scalar = sqrt_kernel },
    { .name = "EXP", .usage = "EXP(x)", .sig = NUMBER, .unit = PLAIN, .doc = "e to the power x, correctly rounded to 18 decimals.",
      .example = "EXP(1)", .gives = "2.718281828459045235", .edge = "EXP(50)", .edge_gives = "#NUM!", .scalar = exp_kernel },
    { .name = "LN", .usage = "LN(x)", .sig = NUMBER, .unit = PLAIN,
      .doc = "The natural logarithm, correctly rounded to 18 decimals; of 0 or less #NUM!.",
      .example = "LN(10)", .gives = "2.302585092994045684", .edge = "LN(0)", .edge_gives = "#NUM!", .scalar = ln_kernel },
    { .name = "LOG", .usage = "LOG(x, base)", .sig = "number, [number] -> number", .unit = "1, [1] -> 1",
      .doc = "The logarithm to a base (10 when left out), correctly rounded to 18 decimals.",
      .example = "LOG(8, 2)", .gives = "3", .edge = "LOG(2, 1)", .edge_gives = "#DIV/0!", .scalar = log_kernel },
    { .name = "LOG10", .usage = "LOG10(x)", .sig = NUMBER, .unit = PLAIN,
      .doc = "The logarithm to base 10, correctly rounded to 18 decimals.",
      .example = "LOG10(1000)", .gives = "3", .edge = "LOG10(-1)", .edge_gives = "#NUM!", .scalar = log10_kernel },
    { .name = "POWER", .usage = "POWER(x, y)", .sig = "number, number -> number", .unit = "*, 1 -> *",
      .doc = "x to the power y, any real exponent, correctly rounded to 18 decimals. 0 to the power 0 is #NUM!, 0 to a negative power #DIV/0!, a negative x to a power that is not whole #NUM!.",
      .example = "POWER(2, -18)", .gives = "0.000003814697265625", .edge = "POWER(-8, 0.5)", .edge_gives = "#NUM!",
      .scalar = power_kernel },
    { .name = "PI", .usage = "PI()", .sig = "-> number", .unit = "-> 1", .doc = "The circle's number, rounded to 18 decimals.",
      .example = "PI()", .gives = "3.141592653589793238", .edge = "PI() - PI()", .edge_gives = "0", .scalar = pi_kernel },
    { .name = "NORM.S.DIST", .usage = "NORM.S.DIST(z, cumulative)", .sig = "number, boolean -> number", .unit = "1, * -> 1",
      .doc = "The standard normal distribution at z (cumulative TRUE) or its density (FALSE), correctly rounded to 18 decimals.",
      .example = "NORM.S.DIST(1, TRUE)", .gives = "0.841344746068542949", .edge = "NORM.S.DIST(-40, TRUE)", .edge_gives = "0",
      .scalar = norm_dist_kernel },
    { .name = "NORMSDIST", .usage = "NORMSDIST(z)", .sig = NUMBER, .unit = PLAIN,
      .doc = "The standard normal distribution: the share of values below z, correctly rounded to 18 decimals.",
      .example = "NORMSDIST(0)", .gives = "0.5", .edge = "NORMSDIST(40)", .edge_gives = "1", .scalar = cdf_kernel },
    { .name = "PHI", .usage = "PHI(z)", .sig = NUMBER, .unit = PLAIN,
      .doc = "The density of the standard normal distribution, correctly rounded to 18 decimals.",
      .example = "PHI(0)", .gives = "0.398942280401432678", .edge = "PHI(40)", .edge_gives = "0", .scalar = pdf_kernel },
    { .name = "NORM.S.INV", .usage = "NORM.S.INV(p)", .sig = NUMBER, .unit = PLAIN,
      .doc = "The z below which a share p of the standard normal distribution lies, correctly rounded to 18 decimals; p outside 0 to 1, or at an end, #NUM!.",
      .example = "NORM.S.INV(0.975)", .gives = "1.959963984540054236", .edge = "NORM.S.INV(1)", .edge_gives = "#NUM!",
      .scalar = inv_kernel },
    { .name = "NORMSINV", .usage = "NORMSINV(p)", .sig = NUMBER, .unit = PLAIN, .doc = "The same as NORM.S.INV.",
      .example = "NORMSINV(0.5)", .gives = "0", .edge = "NORMSINV(0)", .edge_gives = "#NUM!", .scalar = inv_kernel },
    { .name = "ERF", .usage = "ERF(x)", .sig = NUMBER, .unit = PLAIN, .doc = "The error function, correctly rounded to 18 decimals.",
      .example = "ERF(1)", .gives = "0.842700792949714869", .edge = "ERF(0)", .edge_gives = "0", .scalar = erf_kernel },
    { .name = "ERFC", .usage = "ERFC(x)", .sig = NUMBER, .unit = PLAIN,
      .doc = "1 - ERF(x), correctly rounded to 18 decimals, so small values keep their digits.",
      .example = "ERFC(1)", .gives = "0.157299207050285131", .edge = "ERFC(10)", .edge_gives = "0", .scalar = erfc_kernel },
    { .name = NULL },
};
