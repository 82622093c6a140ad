/* operators.c: + - * / ^ % & and the comparisons, as rows named by their text (`neg` is the minus sign before a value).
 *
 * The numeric ones run over long vectors, so the common case stands in the loop: two numbers far from the ends of the range can
 * neither be special nor overflow in a sum. Everything else goes to vm/num, which treats specials itself. */
#include "stdlib/families.h"

#include <string.h>

#include "vm/engine/column.h"
#include "vm/text/time.h"

#define DAY_MIN INT64_C(-719162)  /* 0001-01-01 */
#define DAY_MAX INT64_C(2932896)  /* 9999-12-31 */
#define TIME_MIN (DAY_MIN * KR_DAY_MS)
#define TIME_MAX ((DAY_MAX + 1) * KR_DAY_MS)

/* Within -2^126 .. 2^126: not special, and no sum or difference of two such overflows or is special. */
static inline bool is_near(kr_num a) { return (((uint64_t)a.hi + (UINT64_C(1) << 62)) >> 63) == 0; }

static inline kr_num near_add(kr_num a, kr_num b)
{
    uint64_t lo = a.lo + b.lo;
    return (kr_num){ lo, a.hi + b.hi + (lo < a.lo) };
}

static inline kr_num near_sub(kr_num a, kr_num b) { return (kr_num){ a.lo - b.lo, a.hi - b.hi - (a.lo < b.lo) }; }

static kr_cell bounded(int64_t value, int64_t low, int64_t high)
{
    return value < low || value > high ? KR_E_NUM : kr_cell_of_int(value);
}

/* A day or time moved by a whole number of days or milliseconds. */
static kr_cell moved(kr_type type, kr_cell at, kr_cell by, int sign)
{
    int64_t step, value;
    kr_cell args[2] = { at, by }, out;
    if (kr_spread(args, 2, &out))
        return out;
    if (!kr_num_to_int(by, &step))
        return kr_num_is_int(by) ? KR_E_NUM : KR_E_VALUE;
    if (step == INT64_MIN || __builtin_add_overflow(kr_cell_int(at), sign * step, &value))
        return KR_E_NUM;
    return type == KR_T_DAY ? bounded(value, DAY_MIN, DAY_MAX) : bounded(value, TIME_MIN, TIME_MAX);
}

static bool is_moment(kr_type type) { return type == KR_T_DAY || type == KR_T_TIME; }

static void add_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    const kr_cell *a = in[0], *b = in[1];
    if (is_moment(call->types[0])) {
        for (size_t i = 0; i < n; i++)
            out[i] = moved(call->types[0], a[i], b[i], 1);
    } else if (is_moment(call->types[1])) {
        for (size_t i = 0; i < n; i++) {
            kr_cell pair[2] = { a[i], b[i] };
            if (!kr_spread(pair, 2, &out[i]))
                out[i] = moved(call->types[1], b[i], a[i], 1);
        }
    } else {
        for (size_t i = 0; i < n; i++)
            out[i] = is_near(a[i]) && is_near(b[i]) ? near_add(a[i], b[i]) : kr_num_add(a[i], b[i]);
    }
}

static void sub_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    const kr_cell *a = in[0], *b = in[1];
    if (is_moment(call->types[0]) && is_moment(call->types[1])) {
        for (size_t i = 0; i < n; i++) {
            kr_cell pair[2] = { a[i], b[i] };
            if (!kr_spread(pair, 2, &out[i]))
                out[i] = kr_num_of_int(kr_cell_int(a[i]) - kr_cell_int(b[i]));
        }
    } else if (is_moment(call->types[0])) {
        for (size_t i = 0; i < n; i++)
            out[i] = moved(call->types[0], a[i], b[i], -1);
    } else {
        for (size_t i = 0; i < n; i++)
            out[i] = is_near(a[i]) && is_near(b[i]) ? near_sub(a[i], b[i]) : kr_num_sub(a[i], b[i]);
    }
}

static void mul_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_num_mul(in[0][i], in[1][i]);
}

static void div_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_num_div(in[0][i], in[1][i]);
}

static void pow_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = kr_num_pow(in[0][i], in[1][i]);
}

static void percent_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    const kr_num hundred = kr_num_of_int(100);
    for (size_t i = 0; i < n; i++)
        out[i] = kr_num_div(in[0][i], hundred);
}

static void neg_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)
{
    (void)call;
    for (size_t i = 0; i < n; i++)
        out[i] = is_near(in[0][i]) ? near_sub(KR_NUM_ZERO, in[0][i]) : kr_num_neg(in[0][i]);
}

static kr_cell join_kernel(const kr_call *call, const kr_cell *args)
{
    kr_pool *pool = call->env->pool;
    size_t len_a, len_b;
    const char *a = kr_cell_text(call->env->scratch, pool, call->types[0], args[0], &len_a);
    const char *b = kr_cell_text(call->env->scratch, pool, call->types[1], args[1], &len_b);
    char *joined = kr_arena_alloc(call->env->scratch, len_a + len_b + 1);
    memcpy(joined, a, len_a);
    memcpy(joined + len_a, b, len_b);
    return kr_cell_of_text(pool, joined, len_a + len_b);
}

typedef enum { EQ, NE, LT, LE, GT, GE } relation;

static inline bool holds(relation r, int cmp)
{
    switch (r) {
    case EQ: return cmp == 0;
    case NE: return cmp != 0;
    case LT: return cmp < 0;
    case LE: return cmp <= 0;
    case GT: return cmp > 0;
    default: return cmp >= 0;
    }
}

/* Inlined with a constant relation, so that each operator has its own loops. */
__attribute__((always_inline)) static inline void compare(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n, relation r)
{
    const kr_cell *a = in[0], *b = in[1];
    bool text = call->types[0] == KR_T_TEXT || call->types[0] == KR_T_BYTES;
    if (text && r > NE) {
        for (size_t i = 0; i < n; i++)
            out[i] = kr_is_special(a[i]) || kr_is_special(b[i])
                         ? kr_spread2(a[i], b[i])
                         : kr_cell_of_bool(holds(r, kr_pool_cmp(call->env->pool, (uint32_t)a[i].lo, (uint32_t)b[i].lo)));
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = kr_is_special(a[i]) || kr_is_special(b[i]) ? kr_spread2(a[i], b[i])
                                                            : kr_cell_of_bool(holds(r, kr_raw_cmp(a[i], b[i])));
}

#define COMPARISON(name, relation)                                                                       \
    static void name(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n)              \
    {                                                                                                    \
        compare(call, out, in, n, relation);                                                             \
    }
COMPARISON(eq_kernel, EQ)
COMPARISON(ne_kernel, NE)
COMPARISON(lt_kernel, LT)
COMPARISON(le_kernel, LE)
COMPARISON(gt_kernel, GT)
COMPARISON(ge_kernel, GE)

#define COMPARISON_SIG "T, T -> boolean"
#define COMPARISON_UNIT "u, u -> 1"

const kr_fn kr_operator_fns[] = {
    { .name = "+", .usage = "a + b",
      .sig = "number, number -> number | day, number -> day | number, day -> day | time, number -> time",
      .unit = "u, u -> u | *, days -> * | days, * -> * | *, ms -> *",
      .doc = "The sum. A day plus a whole number is a day that many days later, a time plus a whole number a time that many milliseconds later.",
      .example = "0.1 + 0.2", .gives = "0.3", .edge = "DAY('2024-02-28') + 0.5", .edge_gives = "#VALUE!", .row = add_kernel },
    { .name = "-", .usage = "a - b",
      .sig = "number, number -> number | day, number -> day | day, day -> number | time, number -> time | time, time -> number",
      .unit = "u, u -> u | *, days -> * | *, * -> days | *, ms -> * | *, * -> ms",
      .doc = "The difference. Between two days it is a number of days, between two times of milliseconds.",
      .example = "DAY('2024-03-01') - DAY('2024-02-28')", .gives = "2",
      .edge = "-170141183460469231731 - 1", .edge_gives = "#NUM!", .row = sub_kernel },
    { .name = "*", .usage = "a * b", .sig = "number, number -> number", .unit = "u, v -> u*v",
      .doc = "The product, rounded once to 18 decimals, half to even.",
      .example = "1.5 * 0.000000000000000001", .gives = "0.000000000000000002",
      .edge = "1e15 * 1e15", .edge_gives = "#NUM!", .row = mul_kernel },
    { .name = "/", .usage = "a / b", .sig = "number, number -> number", .unit = "u, v -> u/v",
      .doc = "The quotient, rounded once to 18 decimals, half to even.",
      .example = "2 / 3", .gives = "0.666666666666666667", .edge = "1 / 0", .edge_gives = "#DIV/0!", .row = div_kernel },
    { .name = "^", .usage = "a ^ b", .sig = "number, number -> number", .unit = "*, 1 -> *",
      .doc = "a to the power b, any real exponent, rounded once; the same as POWER(a, b). Several run from left to right, and the sign of -2^2 belongs to the 2, as in spreadsheets.",
      .example = "-2^2", .gives = "4", .edge = "0 ^ -1", .edge_gives = "#DIV/0!", .row = pow_kernel },
    { .name = "%", .usage = "a%", .sig = "number -> number", .unit = "u -> u",
      .doc = "A hundredth of a, rounded once to 18 decimals, half to even.",
      .example = "(20 + 5)%", .gives = "0.25", .edge = "(1e-18 + 0)%", .edge_gives = "0", .row = percent_kernel },
    { .name = "neg", .usage = "-a", .sig = "number -> number", .unit = "u -> u",
      .doc = "a with the other sign.", .example = "-(1 - 3)", .gives = "2", .edge = "-0", .edge_gives = "0", .row = neg_kernel },
    { .name = "&", .usage = "a & b", .sig = "any, any -> text", .unit = "*, * -> *",
      .doc = "The two texts joined. Other values are written as in results: numbers plain, days as 2024-02-29, times in milliseconds.",
      .example = "'tier ' & 3", .gives = "tier 3", .edge = "'' & ''", .edge_gives = "", .scalar = join_kernel },
    { .name = "=", .usage = "a = b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether both are the same; text by its bytes, case and all.", .example = "0.5 = 50%", .gives = "true",
      .edge = "'a' = 'A'", .edge_gives = "false", .row = eq_kernel },
    { .name = "<>", .usage = "a <> b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether the two differ.", .example = "1 <> 2", .gives = "true",
      .edge = "1 / 0 <> 1", .edge_gives = "#DIV/0!", .row = ne_kernel },
    { .name = "<", .usage = "a < b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether a comes before b: numbers, days and times by size, text by its bytes, false before true.",
      .example = "'a' < 'b'", .gives = "true", .edge = "'Z' < 'a'", .edge_gives = "true", .row = lt_kernel },
    { .name = "<=", .usage = "a <= b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether a comes before b or is the same.", .example = "1 <= 1", .gives = "true",
      .edge = "TRUE <= FALSE", .edge_gives = "false", .row = le_kernel },
    { .name = ">", .usage = "a > b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether a comes after b.", .example = "0.3 > 0.29", .gives = "true",
      .edge = "0 > -0", .edge_gives = "false", .row = gt_kernel },
    { .name = ">=", .usage = "a >= b", .sig = COMPARISON_SIG, .unit = COMPARISON_UNIT,
      .doc = "Whether a comes after b or is the same.", .example = "2 >= 1", .gives = "true",
      .edge = "SQRT(-1) >= 1", .edge_gives = "#NUM!", .row = ge_kernel },
    { .name = NULL },
};
