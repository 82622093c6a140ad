/* test_slide.c: every sliding statistic of stdlib/stats.c and series.c gives, at each step, the digits of its whole-series kernel over the
 * values now inside; and the order tree stays in order. Arguments: [seed [runs]]. */
#include <stdio.h>
#include <string.h>

#include "stdlib/families.h"
#include "stdlib/order_tree.h"
#include "tests/unit/stats_reference.h"

enum { STEPS = 300 };

static unsigned passed, failed;

static void check(const char *what, kr_num got, kr_num want, size_t inside)
{
    if (kr_raw_eq(got, want)) {
        passed++;
        return;
    }
    if (failed++ < 20) {
        char a[KR_NUM_TEXT], b[KR_NUM_TEXT];
        kr_num_write(got, a);
        kr_num_write(want, b);
        printf("FAIL %s, %zu values inside: slides to %s, alone %s\n", what, inside, a, b);
    }
}

static kr_num scalar_for(const char *name)
{
    if (strncmp(name, "PERCENTILE", 10) == 0)
        return ref_below(10) ? ref_count((int64_t)ref_below(1000000000000000001)) : ref_count(-1);
    if (strncmp(name, "QUARTILE", 8) == 0)
        return kr_num_of_int((int64_t)ref_below(7) - 1);
    if (strcmp(name, "GPR") == 0)
        return kr_num_of_int((int64_t)ref_below(12));
    return ref_below(3) ? ref_count((int64_t)ref_below(400000000000000000) - 200000000000000000) : KR_NUM_ZERO;
}

/* A window of a random most length over a random series: pops before it pushes past the length, empties now and then. */
static void run_row(const kr_fn *fn, kr_env *env)
{
    static kr_cell x[STEPS], y[STEPS];
    kr_type types[3] = { KR_T_NUMBER, KR_T_NUMBER, KR_T_NUMBER };
    kr_call call = { env, 3, types, KR_T_NUMBER };
    int kind = (int)ref_below(7), kind_y = (int)ref_below(7), changing = (int)ref_below(2);
    size_t length = ref_below(3) ? 1 + ref_below(70) : 1 + ref_below(4), first = 0;
    kr_num scalar = scalar_for(fn->name);
    void *state = fn->slide->start(&call, &scalar, ref_below(2) ? length : 0);
    for (size_t i = 0; i < STEPS; i++) {
        if (changing && ref_below(40) == 0)
            kind = (int)ref_below(7);
        x[i] = ref_below(6) || i == 0 ? ref_value(kind) : x[i - 1];
        y[i] = ref_below(6) || i == 0 ? ref_value(kind_y) : y[i - 1];
        while (i - first >= length || (ref_below(200) == 0 && first < i)) {
            fn->slide->pop(state, (kr_cell[]){ x[first], y[first] });
            first++;
        }
        fn->slide->push(state, (kr_cell[]){ x[i], y[i] });
        if (ref_below(8) == 0 || i < 5)
            check(fn->name, fn->slide->value(state), fn->series(&call, (const kr_cell *const[]){ x + first, y + first }, i + 1 - first, &scalar), i + 1 - first);
    }
    for (; first < STEPS; first++)
        fn->slide->pop(state, (kr_cell[]){ x[first], y[first] });
    check(fn->name, fn->slide->value(state), fn->series(&call, (const kr_cell *const[]){ x, y }, 0, &scalar), 0);
    fn->slide->end(state);
    kr_arena_reset(env->scratch);
}

static void run_tree(void)
{
    enum { MOST = 600 };
    static kr_num all[MOST], sorted[MOST];
    kr_order_tree *tree = kr_order_tree_new(0);
    size_t n = 0;
    for (int step = 0; step < 3000; step++) {
        if (n < MOST && (n == 0 || ref_below(5) < 3)) {
            all[n] = ref_value(ref_below(2) ? 3 : 1);
            kr_order_tree_insert(tree, all[n++]);
        } else {
            size_t i = ref_below(n);
            kr_order_tree_remove(tree, all[i]);
            all[i] = all[--n];
        }
        if (step % 50 == 0 && n > 0) {
            memcpy(sorted, all, n * sizeof *all);
            for (size_t i = 1; i < n; i++)
                for (size_t k = i; k > 0 && kr_raw_cmp(sorted[k], sorted[k - 1]) < 0; k--) {
                    kr_num t = sorted[k];
                    sorted[k] = sorted[k - 1];
                    sorted[k - 1] = t;
                }
            for (size_t k = 0; k < n; k++)
                check("order tree", kr_order_tree_at(tree, k), sorted[k], n);
        }
    }
    kr_order_tree_free(tree);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130;
    unsigned runs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;
    ref_state = seed;
    printf("seed %llu, %u runs\n", (unsigned long long)seed, runs);
    kr_env env = { NULL, kr_arena_new() };
    const kr_fn *families[] = { kr_stats_fns, kr_series_fns };
    for (unsigned run = 0; run < runs; run++)
        for (int f = 0; f < 2; f++)
            for (const kr_fn *fn = families[f]; fn->name; fn++)
                if (fn->slide)
                    run_row(fn, &env);
    for (int i = 0; i < 10; i++)
        run_tree();
    kr_arena_free(env.scratch);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
