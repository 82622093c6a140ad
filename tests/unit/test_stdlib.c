/* Every row of the primitive table: documented, and its example and edge give what they say. Sliding kernels of agg.c give what the
 * whole-series ones give. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/stdlib.h"
#include "tests/ref/ref.h"
#include "vm/lang/expr.h"

static unsigned passed, failed;
static uint64_t seed = 7;

static uint64_t next(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static void check(bool ok, const char *name, const char *what)
{
    if (ok)
        passed++;
    else if (failed++ < 30)
        printf("FAILED: %s: %s\n", name, what);
}

/* The value of a formula without rows, as text. */
static const char *value_of(kr_arena *arena, kr_pool *pool, const char *formula)
{
    kr_diags *diags = kr_diags_new(arena);
    kr_model *model = kr_model_new(arena, pool, kr_stdlib);
    kr_fragment *fragment = kr_fragment_plain(arena, "<expr>", formula, strlen(formula));
    kr_expr *expr = kr_check_formula(model, NULL, fragment, diags);
    if (!expr)
        return kr_diags_shown(diags) ? kr_diag_render(arena, kr_diags_get(diags, 0), false) : "no expression and no message";
    kr_dataset *data = kr_dataset_new(pool);
    kr_ref *ref = kr_ref_new(model, data, false, 0);
    kr_cell cell = kr_ref_eval(ref, NULL, 0, expr);
    const char *text = kr_cell_text(arena, pool, expr->type, cell, NULL);
    kr_ref_free(ref);
    kr_dataset_free(data);
    return text;
}

static void check_value(kr_arena *arena, kr_pool *pool, const char *name, const char *formula, const char *gives)
{
    const char *value = value_of(arena, pool, formula);
    check(strcmp(value, gives) == 0, name, kr_arena_printf(arena, "%s gives %s, not %s", formula, value, gives));
}

static void test_rows(void)
{
    const kr_fn *fn;
    for (size_t i = 0; (fn = kr_fn_at(kr_stdlib, i)); i++) {
        kr_arena *arena = kr_arena_new();
        kr_pool *pool = kr_pool_new();
        check(fn->doc && *fn->doc && fn->usage && *fn->usage, fn->name, "has a usage and a text");
        check(fn->example && *fn->example && fn->edge && *fn->edge, fn->name, "has an example and an edge");
        check((fn->shape == KR_FORM) == (fn->form != KR_FORM_NONE), fn->name, "a form says which");
        check(fn->shape == KR_FORM || (fn->gives && fn->edge_gives), fn->name, "says what its example and edge give");
        check((fn->row != NULL) + (fn->scalar != NULL) == (fn->shape == KR_ROWWISE), fn->name, "a row-wise function has one kernel");
        check((fn->series != NULL) == (fn->shape == KR_AGGREGATE), fn->name, "an aggregate has a kernel over series");
        check(fn->sig && (fn->shape == KR_FORM) == (*fn->sig == 0), fn->name, "has a signature");
        if (fn->shape != KR_FORM && fn->gives && fn->edge_gives) {
            check_value(arena, pool, fn->name, fn->example, fn->gives);
            check_value(arena, pool, fn->name, fn->edge, fn->edge_gives);
        }
        kr_pool_free(pool);
        kr_arena_free(arena);
    }
}

/* A name may stand for a row-wise function and an aggregate, no more. */
static void test_names(void)
{
    const kr_fn *a, *b;
    for (size_t i = 0; (a = kr_fn_at(kr_stdlib, i)); i++)
        for (size_t j = i + 1; (b = kr_fn_at(kr_stdlib, j)); j++)
            check(strcmp(a->name, b->name) != 0 || a->shape != b->shape, a->name, "one row a name and shape");
}

/* More of what the texts promise, one formula a line. */
static void test_promises(void)
{
    static const char *const line[][2] = {
        { "10% + 1_000", "1000.1" },
        { "2 ^ 3 ^ 2", "64" },
        { "-2 ^ 2", "4" },
        { "ROUND(-2.5)", "-3" },
        { "ROUND(1234.5, -2)", "1200" },
        { "ROUNDHALFEVEN(-0.5)", "0" },
        { "FLOOR(7, 2.5)", "5" },
        { "CEILING(-7, 2.5)", "-5" },
        { "CEILING(6, 2)", "6" },
        { "MOD(5.5, -2)", "-0.5" },
        { "REM(5.5, -2)", "1.5" },
        { "AND(TRUE, IF(FALSE, TRUE))", "" },
        { "AND(FALSE, IF(FALSE, TRUE))", "false" },
        { "AND(1 / 0 > 0, SQRT(-1) > 0)", "#DIV/0!" },
        { "IF(IF(FALSE, TRUE), 1, 2)", "" },
        { "IFS(IF(FALSE, TRUE), 1, TRUE, 2)", "" },
        { "IFERROR(SQRT(-1), 5)", "5" },
        { "COALESCE(IF(FALSE, 'a'), IF(FALSE, 'b'), 'c')", "c" },
        { "1 + IF(FALSE, 1)", "" },
        { "(1 / 0) + SQRT(-1)", "#DIV/0!" },
        { "IF(FALSE, 1) + SQRT(-1)", "#NUM!" },
        { "DATE(2024, 2, 29) + 1", "2024-03-01" },
        { "DATE(2024, 3, 1) - DATE(2024, 2, 1)", "29" },
        { "START(DATE(2024, 3, 1)) - START(DATE(2024, 2, 29)) = HOURS(24)", "true" },
        { "DATE(2024, 1, 31) < DATE(2024, 2, 1)", "true" },
        { "DATE(9999, 12, 31) + 1", "#NUM!" },
        { "EDATE(DATE(2024, 3, 31), -1)", "2024-02-29" },
        { "WEEKDAY(DATE(2026, 11, 30), 2)", "1" },
        { "LEN('h\xC3\xA9llo')", "5" },
        { "MID('h\xC3\xA9llo', 2, 2)", "\xC3\xA9l" },
        { "FIND('l', 'hello', 4)", "4" },
        { "SUBSTITUTE('aaa', 'aa', 'b')", "ba" },
        { "TEXT(-1.005, 2)", "-1.01" },
        { "TEXT(DATE(2024, 2, 29))", "2024-02-29" },
        { "1 & 'x' & 2", "1x2" },
        { "MIN('b', 'a')", "a" },
        { "MAX({'b', 'a', 'c'})", "c" },
        { "MIN({DATE(2024, 1, 2), DATE(2024, 1, 1)})", "2024-01-01" },
        { "COUNT({1, IF(FALSE, 1), 3})", "2" },
        { "MAX({1, 1 / 0, SQRT(-1)})", "#DIV/0!" },
        { "SUM(1, 2, 3)", "6" },
        { "MULDIVDOWN(1e20, 1e20, 1e20)", "100000000000000000000" },
        { "DIVDOWN(-7, 2, 0)", "-3" },
        { "DIVUP(-7, 2, 0)", "-4" },
        { "NORM.S.DIST(0, FALSE) = PHI(0)", "true" },
    };
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        check_value(arena, pool, line[i][0], line[i][0], line[i][1]);
    kr_pool_free(pool);
    kr_arena_free(arena);
}

static const kr_fn *aggregate(const char *name)
{
    const kr_fn *fn;
    for (size_t i = 0; (fn = kr_fn_at(kr_stdlib, i)); i++)
        if (fn->shape == KR_AGGREGATE && strcmp(fn->name, name) == 0)
            return fn;
    return NULL;
}

static void test_slides(void)
{
    static const char *const names[] = { "COUNT", "COUNTIF", "COUNTBLANK", "ANY", "ALL", "MIN", "MAX" };
    static const kr_type types[] = { KR_T_NUMBER, KR_T_BOOLEAN, KR_T_NUMBER, KR_T_BOOLEAN, KR_T_BOOLEAN, KR_T_TEXT, KR_T_NUMBER };
    enum { ROWS = 600 };
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    kr_env env = { pool, arena };
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        const kr_fn *fn = aggregate(names[f]);
        kr_call call = { &env, 1, &types[f], KR_T_NUMBER };
        kr_cell x[ROWS];
        for (int i = 0; i < ROWS; i++) {
            uint64_t r = next();
            char text[8];
            int len = snprintf(text, sizeof text, "%u", (unsigned)(r % 50));
            x[i] = types[f] == KR_T_TEXT ? kr_cell_of_text(pool, text, (size_t)len)
                                         : types[f] == KR_T_BOOLEAN ? kr_cell_of_bool(r & 1) : kr_num_of_int((int64_t)(r % 50) - 25);
            if (fn->keep_blanks && r % 7 == 0)
                x[i] = KR_BLANK;
        }
        for (size_t window = 1; window < 90; window += 11) {
            void *state = fn->slide->start(&call, NULL, window % 2 ? window : 0);
            bool same = true;
            for (size_t i = 0; i < ROWS; i++) {
                size_t from = i + 1 >= window ? i + 1 - window : 0;
                const kr_cell *series = x + from;
                fn->slide->push(state, &x[i]);
                if (i >= window)
                    fn->slide->pop(state, &x[i - window]);
                same &= kr_raw_eq(fn->slide->value(state), fn->series(&call, &series, i + 1 - from, NULL));
            }
            fn->slide->end(state);
            check(same, fn->name, "sliding gives what the window alone gives");
        }
    }
    kr_pool_free(pool);
    kr_arena_free(arena);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10) | 1;
    printf("seed %llu\n", (unsigned long long)seed);
    test_rows();
    test_names();
    test_promises();
    test_slides();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
