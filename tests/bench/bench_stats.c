/* bench_stats.c: nanoseconds a row of the sliding statistics, and the rolling PSR beside numpy in the same run.
 * Arguments: [rows [peer rows.csv]]. With the peers' rows.csv also their workload, whose sum is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stdlib/families.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

enum { WINDOW = 60 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static kr_num *make_rows(size_t rows)
{
    kr_num *x = malloc(rows * sizeof *x);
    uint64_t state = 20261130;
    for (size_t i = 0; i < rows; i++) {
        uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        int64_t micros = (int64_t)(z % 40001) - 19500;
        x[i] = kr_num_div(kr_num_of_int(micros), kr_num_of_int(1000000));
    }
    return x;
}

/* ns a row; *sum: of the values of all full windows */
static double slide(const kr_fn *fn, const kr_num *x, size_t rows, kr_num scalar, kr_sum *sum)
{
    kr_type types[3] = { KR_T_NUMBER, KR_T_NUMBER, KR_T_NUMBER };
    kr_call call = { NULL, 3, types, KR_T_NUMBER };
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
        *sum = KR_SUM_ZERO;
        void *state = fn->slide->start(&call, &scalar, WINDOW);
        double t0 = now();
        for (size_t i = 0; i < rows; i++) {
            kr_cell pair[2] = { x[i], x[rows - 1 - i] };
            if (i >= WINDOW)
                fn->slide->pop(state, (kr_cell[]){ x[i - WINDOW], x[rows - 1 - i + WINDOW] });
            fn->slide->push(state, pair);
            if (i + 1 >= WINDOW) {
                kr_num v = fn->slide->value(state);
                if (!kr_is_special(v))
                    kr_sum_add(sum, v);
            }
        }
        double t = now() - t0;
        best = t < best ? t : best;
        fn->slide->end(state);
    }
    return best / (double)rows * 1e9;
}

static const kr_fn *row_named(const char *name)
{
    for (const kr_fn *fn = kr_stats_fns; fn->name; fn++)
        if (strcmp(fn->name, name) == 0)
            return fn;
    for (const kr_fn *fn = kr_series_fns; fn->name; fn++)
        if (strcmp(fn->name, name) == 0)
            return fn;
    return NULL;
}

static void peers(const char *path)
{
    enum { MINERS = 256, DAYS = 365 };
    static kr_num ret[DAYS][MINERS];
    FILE *f = fopen(path, "r");
    char line[256], *field;
    if (!f) {
        perror(path);
        return;
    }
    for (int d = 0; d < DAYS; d++)
        for (int m = 0; m < MINERS; m++) {
            if (!fgets(line, sizeof line, f) || !(field = strrchr(line, ',')) || kr_num_read(field + 1, strcspn(field + 1, "\r\n"), &ret[d][m], NULL) != KR_READ_OK) {
                fprintf(stderr, "%s: not the peers' rows\n", path);
                fclose(f);
                return;
            }
        }
    fclose(f);
    const kr_fn *psr = row_named("PSR");
    kr_num zero = KR_NUM_ZERO;
    kr_sum sum = KR_SUM_ZERO;
    unsigned windows = 0;
    double t0 = now();
    for (int m = 0; m < MINERS; m++) {
        void *state = psr->slide->start(NULL, &zero, WINDOW);
        for (int d = 0; d < DAYS; d++) {
            if (d >= WINDOW)
                psr->slide->pop(state, &ret[d - WINDOW][m]);
            psr->slide->push(state, &ret[d][m]);
            if (d + 1 >= WINDOW) {
                kr_sum_add(&sum, psr->slide->value(state));
                windows++;
            }
        }
        psr->slide->end(state);
    }
    double t = now() - t0;
    char text[KR_NUM_TEXT];
    kr_num_write(kr_sum_value(&sum), text);
    printf("peers' workload: %u windows, sum of psr %s (known: 47488.491043224), %.1f ms, %.0f ns a window\n", windows, text, t * 1e3, t / windows * 1e9);
}

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    kr_num *x = make_rows(rows), half_life = kr_num_of_int(10), benchmark = kr_num_div(kr_num_of_int(3), kr_num_of_int(100));
    static const char *const names[] = { "SUM", "AVERAGE", "SUMPRODUCT", "VAR.S", "STDEV.S", "SHARPE", "SKEW", "SKEW.P", "KURT", "KURT.P", "CORREL", "COVARIANCE.P",
                                         "SLOPE", "FORECAST", "MEDIAN", "PERCENTILE", "PROFITFACTOR", "GPR", "PSR" };
    kr_sum sum;
    double psr = 0;
    printf("windows of %d over %zu rows, exact\n", WINDOW, rows);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const kr_fn *fn = row_named(names[i]);
        char text[KR_NUM_TEXT];
        psr = slide(fn, x, rows, strcmp(names[i], "GPR") == 0 ? half_life : benchmark, &sum);
        kr_num_write(kr_sum_value(&sum), text);
        printf("  %-14s %8.1f ns a row   sum %s\n", names[i], psr, text);
        fflush(stdout);
    }
    char command[128], name[32];
    double ns, total;
    snprintf(command, sizeof command, "/usr/bin/python3 tests/bench/bench_stats.py %zu %d", rows, WINDOW);
    FILE *numpy = popen(command, "r");
    while (numpy && fscanf(numpy, "%31s %lf %lf", name, &ns, &total) == 3)
        printf("  PSR in double, numpy %-8s %8.1f ns a row   sum %.6f   (we take %.2f of it)\n", name, ns, total, psr / ns);
    if (!numpy || pclose(numpy) != 0)
        printf("  numpy did not run: install python3-numpy\n");
    if (argc > 2)
        peers(argv[2]);
    free(x);
    return 0;
}
