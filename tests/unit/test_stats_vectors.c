/* test_stats_vectors.c: public statistical data (tests/num/vectors, origins in its README): our digits are the correctly rounded ones,
 * and those lie within the published tolerance. Run from the root of the tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/num/num_stat.h"

enum { MOST = 8192, LISTS = 3 };

static unsigned passed, failed;

typedef struct vector {
    char *id, *function, *expected, *tolerance, *rounded;
    kr_num list[LISTS][MOST];
    size_t n[LISTS];
    int lists;
} vector;

static bool read_number(const char *text, kr_num *out) { return kr_num_read(text, strlen(text), out, NULL) == KR_READ_OK; }

/* "1 2 3;4 5 6" */
static bool read_lists(char *text, vector *v)
{
    v->lists = 0;
    for (char *list; (list = strsep(&text, ";"));) {
        if (v->lists == LISTS)
            return false;
        size_t n = 0;
        for (char *word; (word = strsep(&list, " "));)
            if (*word && (n == MOST || !read_number(word, &v->list[v->lists][n++])))
                return false;
        v->n[v->lists++] = n;
    }
    return true;
}

/* sr, benchmark, n, skewness, raw kurtosis: the paper's formula from given moments, which is no primitive of ours; rounded at each step. */
static kr_num from_moments(const kr_num *a, bool error_only)
{
    const kr_num *sr = &a[0], *n = error_only ? &a[1] : &a[2], *skew = n + 1, *kurt = n + 2, one = KR_NUM_ONE;
    kr_num square = kr_num_mul(kr_num_mul(kr_num_sub(*kurt, one), kr_num_mul(*sr, *sr)), (kr_num){ KR_NUM_ONE.lo / 4, 0 });
    kr_num root = kr_num_add(kr_num_sub(one, kr_num_mul(*skew, *sr)), square);
    if (error_only)
        return kr_num_sqrt(kr_num_div(root, kr_num_sub(*n, one)));
    kr_num z = kr_num_div(kr_num_mul(kr_num_sub(*sr, a[1]), kr_num_sqrt(kr_num_sub(*n, one))), kr_num_sqrt(root));
    return kr_num_norm_cdf(z);
}

/* *exact: whether the result is one rounding of the exact value. False: no such function. */
static bool compute(vector *v, kr_num *out, bool *exact)
{
    const char *f = v->function;
    kr_num *x = v->list[0], *y = v->list[1];
    size_t n = v->n[0];
    *exact = true;
    if (strcmp(f, "mean") == 0)
        *out = kr_stat_average(x, n);
    else if (strcmp(f, "stdev_s") == 0)
        *out = kr_stat_stdev_s(x, n);
    else if (strcmp(f, "stdev_p") == 0)
        *out = kr_stat_stdev_p(x, n);
    else if (strcmp(f, "skew_s") == 0)
        *out = kr_stat_skew(x, n);
    else if (strcmp(f, "skew_p") == 0)
        *out = kr_stat_skew_p(x, n);
    else if (strcmp(f, "kurt_s_excess") == 0)
        *out = kr_stat_kurt(x, n);
    else if (strcmp(f, "kurt_p") == 0)
        *out = kr_stat_kurt_p(x, n);
    else if (strcmp(f, "correl") == 0)
        *out = kr_stat_correl(x, y, n);
    else if (strcmp(f, "sharpe_s") == 0)
        *out = kr_stat_sharpe(x, n);
    else if (strcmp(f, "psr_series") == 0)
        *out = kr_stat_psr(x, n, y[0]);
    else if (strcmp(f, "forecast") == 0)
        *out = kr_stat_forecast(x[0], y, v->list[2], v->n[1]);
    else if (strcmp(f, "ncdf") == 0)
        *out = kr_num_norm_cdf(x[0]);
    else if (strcmp(f, "percentrank_inc") == 0) {
        kr_stat_sort(x, n);
        *out = kr_stat_percentrank(x, n, y[0]);
    } else if (strcmp(f, "psr_moments") == 0) {
        *out = from_moments(x, false);
        *exact = false;
    } else if (strcmp(f, "sharpe_stderr_moments") == 0) {
        *out = from_moments(x, true);
        *exact = false;
    } else
        return false;
    return true;
}

static bool right(vector *v)
{
    kr_num got, want, published, tolerance;
    bool exact;
    if (!compute(v, &got, &exact)) {
        printf("FAIL %s: no function %s\n", v->id, v->function);
        return false;
    }
    if (!read_number(v->rounded, &want) || !read_number(v->expected, &published)) {
        printf("FAIL %s: unreadable\n", v->id);
        return false;
    }
    tolerance = (kr_num){ (uint64_t)(strtod(v->tolerance, NULL) * 1e18), 0 }; /* some have more than 18 decimals */
    kr_num off = kr_num_abs(kr_num_sub(got, published));
    if ((exact && !kr_raw_eq(got, want)) || kr_is_special(got) || kr_num_cmp(off, tolerance) > 0) {
        char text[KR_NUM_TEXT];
        kr_num_write(got, text);
        printf("FAIL %s: got %s, want %s, published %s +- %s\n", v->id, text, v->rounded, v->expected, v->tolerance);
        return false;
    }
    return true;
}

static void run_file(const char *path)
{
    static vector v;
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!f) {
        printf("FAIL: cannot open %s (run from the root of the tree)\n", path);
        failed++;
        return;
    }
    bool header = true;
    while (getline(&line, &room, f) > 0) {
        if (header) {
            header = false;
            continue;
        }
        char *rest = line;
        v.id = strsep(&rest, ",");
        v.function = strsep(&rest, ",");
        char *args = strsep(&rest, ",");
        v.expected = strsep(&rest, ",");
        v.tolerance = strsep(&rest, ",");
        v.rounded = strsep(&rest, ",");
        bool ok = rest && read_lists(args, &v) && right(&v);
        if (!rest)
            printf("FAIL: a short line in %s\n", path);
        ok ? passed++ : failed++;
    }
    free(line);
    fclose(f);
}

int main(void)
{
    run_file("tests/num/vectors/statistics.csv");
    run_file("tests/num/vectors/psr.csv");
    run_file("tests/num/vectors/nist_strd_univariate.csv");
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
