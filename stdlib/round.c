/* round.c: rounding with the spreadsheets' names, and multiplication and division with a named direction, so that the truncating
 * arithmetic of a chain or a bank can be reproduced to the last digit. All are exact but for the one rounding they name. */
#include "stdlib/families.h"

/* The number of decimals asked for: args[k], or `absent`. False when it is not a whole number. Beyond +-40 nothing changes. */
static bool places_of(const kr_call *call, const kr_cell *args, int k, int absent, int *places)
{
    int64_t value;
    *places = absent;
    if (call->argc <= k)
        return true;
    if (!kr_num_is_int(args[k]))
        return false;
    if (!kr_num_to_int(args[k], &value))
        value = args[k].hi < 0 ? -40 : 40;
    *places = value < -40 ? -40 : value > 40 ? 40 : (int)value;
    return true;
}

static kr_cell round_to(const kr_call *call, const kr_cell *args, enum kr_dir dir)
{
    int places;
    return places_of(call, args, 1, 0, &places) ? kr_num_round(args[0], places, dir) : KR_E_VALUE;
}

static kr_cell round_kernel(const kr_call *call, const kr_cell *args) { return round_to(call, args, KR_HALF_AWAY); }
static kr_cell round_even_kernel(const kr_call *call, const kr_cell *args) { return round_to(call, args, KR_HALF_EVEN); }
static kr_cell round_up_kernel(const kr_call *call, const kr_cell *args) { return round_to(call, args, KR_AWAY); }
static kr_cell round_down_kernel(const kr_call *call, const kr_cell *args) { return round_to(call, args, KR_TO_ZERO); }

static kr_cell int_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_round(args[0], 0, KR_FLOOR);
}

/* The multiple of args[1] (or 1) next to args[0] in one direction: x less MOD(x, step), and a step more for the upper one. */
static kr_cell multiple(const kr_call *call, const kr_cell *args, bool up)
{
    kr_num step = call->argc > 1 ? args[1] : KR_NUM_ONE;
    if (kr_num_cmp(step, KR_NUM_ZERO) <= 0)
        return KR_E_NUM;
    kr_num over = kr_num_mod(args[0], step);
    if (kr_raw_eq(over, KR_NUM_ZERO))
        return args[0];
    /* x + (step - over), which is in range whenever the result is */
    return up ? kr_num_add(args[0], kr_num_sub(step, over)) : kr_num_sub(args[0], over);
}

static kr_cell floor_kernel(const kr_call *call, const kr_cell *args) { return multiple(call, args, false); }
static kr_cell ceiling_kernel(const kr_call *call, const kr_cell *args) { return multiple(call, args, true); }

static kr_cell mod_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_mod(args[0], args[1]);
}

static kr_cell rem_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_rem(args[0], args[1]);
}

/* Cutting at 18 decimals and then at fewer in the same direction (towards or away from zero) is cutting once. */
static kr_cell product(const kr_call *call, const kr_cell *args, enum kr_dir dir)
{
    int places;
    if (!places_of(call, args, 2, 18, &places))
        return KR_E_VALUE;
    return kr_num_round(kr_num_mul_dir(args[0], args[1], dir), places, dir);
}

static kr_cell quotient(const kr_call *call, const kr_cell *args, enum kr_dir dir)
{
    int places;
    if (!places_of(call, args, 2, 18, &places))
        return KR_E_VALUE;
    return kr_num_round(kr_num_div_dir(args[0], args[1], dir), places, dir);
}

static kr_cell proportion(const kr_call *call, const kr_cell *args, enum kr_dir dir)
{
    int places;
    if (!places_of(call, args, 3, 18, &places))
        return KR_E_VALUE;
    return kr_num_round(kr_num_muldiv(args[0], args[1], args[2], dir), places, dir);
}

static kr_cell mul_down_kernel(const kr_call *call, const kr_cell *args) { return product(call, args, KR_TO_ZERO); }
static kr_cell mul_up_kernel(const kr_call *call, const kr_cell *args) { return product(call, args, KR_AWAY); }
static kr_cell div_down_kernel(const kr_call *call, const kr_cell *args) { return quotient(call, args, KR_TO_ZERO); }
static kr_cell div_up_kernel(const kr_call *call, const kr_cell *args) { return quotient(call, args, KR_AWAY); }
static kr_cell muldiv_down_kernel(const kr_call *call, const kr_cell *args) { return proportion(call, args, KR_TO_ZERO); }
static kr_cell muldiv_up_kernel(const kr_call *call, const kr_cell *args) { return proportion(call, args, KR_AWAY); }

static kr_cell muldiv_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_muldiv(args[0], args[1], args[2], KR_HALF_EVEN);
}

static kr_cell quotient_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_round(kr_num_div_dir(args[0], args[1], KR_TO_ZERO), 0, KR_TO_ZERO);
}

#define ROUND_SIG "number, [number] -> number"
#define ROUND_UNIT "u, [1] -> u"

const kr_fn kr_round_fns[] = {
    { .name = "ROUND", .usage = "ROUND(x, places)", .sig = ROUND_SIG, .unit = ROUND_UNIT, .shape = KR_ROWWISE,
      .doc = "x to so many decimals (0 when left out; negative: tens, hundreds), halves away from zero, as spreadsheets do.",
      .example = "ROUND(2.5)", .gives = "3", .edge = "ROUND(1, 0.5)", .edge_gives = "#VALUE!", .scalar = round_kernel },
    { .name = "ROUNDHALFEVEN", .usage = "ROUNDHALFEVEN(x, places)", .sig = ROUND_SIG, .unit = ROUND_UNIT,
      .doc = "x to so many decimals, halves to the even neighbour.",
      .example = "ROUNDHALFEVEN(2.5)", .gives = "2", .edge = "ROUNDHALFEVEN(0.5, 30)", .edge_gives = "0.5",
      .scalar = round_even_kernel },
    { .name = "ROUNDUP", .usage = "ROUNDUP(x, places)", .sig = ROUND_SIG, .unit = ROUND_UNIT,
      .doc = "x to so many decimals, away from zero.",
      .example = "ROUNDUP(-1.21, 1)", .gives = "-1.3", .edge = "ROUNDUP(1, -25)", .edge_gives = "#NUM!", .scalar = round_up_kernel },
    { .name = "ROUNDDOWN", .usage = "ROUNDDOWN(x, places)", .sig = ROUND_SIG, .unit = ROUND_UNIT,
      .doc = "x to so many decimals, towards zero.",
      .example = "ROUNDDOWN(-1.29, 1)", .gives = "-1.2", .edge = "ROUNDDOWN(99, -3)", .edge_gives = "0",
      .scalar = round_down_kernel },
    { .name = "TRUNC", .usage = "TRUNC(x, places)", .sig = ROUND_SIG, .unit = ROUND_UNIT,
      .doc = "x without what lies beyond so many decimals (0 when left out); the same as ROUNDDOWN.",
      .example = "TRUNC(-2.9)", .gives = "-2", .edge = "TRUNC(-0.9)", .edge_gives = "0", .scalar = round_down_kernel },
    { .name = "INT", .usage = "INT(x)", .sig = "number -> number", .unit = "u -> u",
      .doc = "The greatest whole number not above x.", .example = "INT(2.9)", .gives = "2",
      .edge = "INT(-0.1)", .edge_gives = "-1", .scalar = int_kernel },
    { .name = "FLOOR", .usage = "FLOOR(x, step)", .sig = "number, [number] -> number", .unit = "u, [u] -> u",
      .doc = "The greatest multiple of step (1 when left out) not above x, also for negative x. A step that is not positive is #NUM!.",
      .example = "FLOOR(-2.5, 2)", .gives = "-4", .edge = "FLOOR(1, 0)", .edge_gives = "#NUM!", .scalar = floor_kernel },
    { .name = "CEILING", .usage = "CEILING(x, step)", .sig = "number, [number] -> number", .unit = "u, [u] -> u",
      .doc = "The least multiple of step (1 when left out) not below x, also for negative x. A step that is not positive is #NUM!.",
      .example = "CEILING(2.1, 0.5)", .gives = "2.5", .edge = "CEILING(-0.5)", .edge_gives = "0", .scalar = ceiling_kernel },
    { .name = "MOD", .usage = "MOD(a, b)", .sig = "number, number -> number", .unit = "u, u -> u",
      .doc = "What is left of a after the greatest multiple of b not above a / b is taken: a - b * INT(a / b), exact, with the sign of b, as spreadsheets do.",
      .example = "MOD(-7, 3)", .gives = "2", .edge = "MOD(1, 0)", .edge_gives = "#DIV/0!", .scalar = mod_kernel },
    { .name = "REM", .usage = "REM(a, b)", .sig = "number, number -> number", .unit = "u, u -> u",
      .doc = "What is left of a after division by b with the quotient cut towards zero, exact, with the sign of a.",
      .example = "REM(-7, 3)", .gives = "-1", .edge = "REM(1, 0)", .edge_gives = "#DIV/0!", .scalar = rem_kernel },
    { .name = "QUOTIENT", .usage = "QUOTIENT(a, b)", .sig = "number, number -> number", .unit = "u, v -> u/v",
      .doc = "The whole part of a / b, cut towards zero.", .example = "QUOTIENT(-7, 3)", .gives = "-2",
      .edge = "QUOTIENT(1, 0)", .edge_gives = "#DIV/0!", .scalar = quotient_kernel },
    { .name = "MULDOWN", .usage = "MULDOWN(a, b, places)", .sig = "number, number, [number] -> number", .unit = "u, v, [1] -> u*v",
      .doc = "a * b cut towards zero at so many decimals (18 when left out).",
      .example = "MULDOWN(0.19, 0.5, 2)", .gives = "0.09", .edge = "MULDOWN(1e-18, 0.9)", .edge_gives = "0",
      .scalar = mul_down_kernel },
    { .name = "MULUP", .usage = "MULUP(a, b, places)", .sig = "number, number, [number] -> number", .unit = "u, v, [1] -> u*v",
      .doc = "a * b rounded away from zero at so many decimals (18 when left out).",
      .example = "MULUP(0.19, 0.5, 2)", .gives = "0.1", .edge = "MULUP(1e-18, 1e-18)", .edge_gives = "0.000000000000000001",
      .scalar = mul_up_kernel },
    { .name = "DIVDOWN", .usage = "DIVDOWN(a, b, places)", .sig = "number, number, [number] -> number", .unit = "u, v, [1] -> u/v",
      .doc = "a / b cut towards zero at so many decimals (18 when left out).",
      .example = "DIVDOWN(2, 3)", .gives = "0.666666666666666666", .edge = "DIVDOWN(1, 0)", .edge_gives = "#DIV/0!",
      .scalar = div_down_kernel },
    { .name = "DIVUP", .usage = "DIVUP(a, b, places)", .sig = "number, number, [number] -> number", .unit = "u, v, [1] -> u/v",
      .doc = "a / b rounded away from zero at so many decimals (18 when left out).",
      .example = "DIVUP(1, 3, 2)", .gives = "0.34", .edge = "DIVUP(1, 0)", .edge_gives = "#DIV/0!", .scalar = div_up_kernel },
    { .name = "MULDIV", .usage = "MULDIV(a, b, c)", .sig = "number, number, number -> number", .unit = "u, v, w -> u*v/w",
      .doc = "a * b / c with the product kept whole, rounded once to 18 decimals, half to even.",
      .example = "MULDIV(2, 1e-18, 3)", .gives = "0.000000000000000001", .edge = "MULDIV(1, 1, 0)", .edge_gives = "#DIV/0!",
      .scalar = muldiv_kernel },
    { .name = "MULDIVDOWN", .usage = "MULDIVDOWN(a, b, c, places)", .sig = "number, number, number, [number] -> number",
      .unit = "u, v, w, [1] -> u*v/w",
      .doc = "a * b / c with the product kept whole, cut towards zero at so many decimals (18 when left out).",
      .example = "MULDIVDOWN(10, 10, 3, 0)", .gives = "33", .edge = "MULDIVDOWN(1, 1, 0)", .edge_gives = "#DIV/0!",
      .scalar = muldiv_down_kernel },
    { .name = "MULDIVUP", .usage = "MULDIVUP(a, b, c, places)", .sig = "number, number, number, [number] -> number",
      .unit = "u, v, w, [1] -> u*v/w",
      .doc = "a * b / c with the product kept whole, rounded away from zero at so many decimals (18 when left out).",
      .example = "MULDIVUP(10, 10, 3, 0)", .gives = "34", .edge = "MULDIVUP(1e20, 1e20, 1)", .edge_gives = "#NUM!",
      .scalar = muldiv_up_kernel },
    { .name = NULL },
};
