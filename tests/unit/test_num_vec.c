/* test_num_vec.c: operations as text, one a line (tests/num, any file .vec), and public vectors (tests/num/vectors, origins in its README).
 *
 *   mul 0.5 0.000000000000000001 = 0
 *   round half_even 2.5 0 = 2                 directions by name: half_even half_away half_up to_zero away floor ceil
 *   read "25%" = 0.25
 *   read "1e-19" ! decimals 1                 refused for that reason, at that byte
 *
 * A vector that does not apply is counted with its reason. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/num/num.h"

static long passed, failed;

typedef kr_num unary(kr_num a);
typedef kr_num binary(kr_num a, kr_num b);
static const struct {
    const char *name;
    unary *f;
} ones[] = {
    { "neg", kr_num_neg }, { "abs", kr_num_abs }, { "sign", kr_num_sign }, { "sqrt", kr_num_sqrt }, { "exp", kr_num_exp },
    { "ln", kr_num_ln }, { "log10", kr_num_log10 }, { "norm_cdf", kr_num_norm_cdf }, { "ncdf", kr_num_norm_cdf },
    { "norm_pdf", kr_num_norm_pdf }, { "norm_inv", kr_num_norm_inv }, { "erf", kr_num_erf }, { "erfc", kr_num_erfc },
};
static const struct {
    const char *name;
    binary *f;
} twos[] = {
    { "add", kr_num_add }, { "sub", kr_num_sub }, { "mul", kr_num_mul }, { "div", kr_num_div },
    { "mod", kr_num_mod }, { "rem", kr_num_rem }, { "log", kr_num_log }, { "pow", kr_num_pow },
};
static const char *const directions[] = { "half_even", "half_away", "half_up", "to_zero", "away", "floor", "ceil" };
static const char *const refusals[] = { "ok", "syntax", "decimals", "range" };

/* A number or the name of a special value. */
static bool value(const char *text, kr_num *out)
{
    for (uint64_t code = 0; code <= KR_S_MULTI; code++)
        if (strcmp(text, code == KR_S_BLANK ? "blank" : kr_special_name(KR_SPECIAL(code))) == 0) {
            *out = KR_SPECIAL(code);
            return true;
        }
    return kr_num_read(text, strlen(text), out, NULL) == KR_READ_OK;
}

/* The operation on arguments given as words; false when there is none of that name or an argument is no number. */
static bool apply(const char *name, char **args, int count, kr_num *out)
{
    int direction = -1;
    for (size_t i = 0; i < sizeof directions / sizeof *directions && count; i++)
        if (strcmp(args[0], directions[i]) == 0)
            direction = (int)i;
    if (direction >= 0)
        args++, count--;
    kr_num v[3] = { KR_BLANK, KR_BLANK, KR_BLANK };
    for (int i = 0; i < count; i++)
        if (i >= 3 || !value(args[i], &v[i]))
            return false;
    if (direction >= 0) {
        enum kr_dir dir = (enum kr_dir)direction;
        int64_t places;
        if (strcmp(name, "round") == 0 && count == 2 && kr_num_to_int(v[1], &places))
            *out = kr_num_round(v[0], (int)places, dir);
        else if (strcmp(name, "mul") == 0 && count == 2)
            *out = kr_num_mul_dir(v[0], v[1], dir);
        else if (strcmp(name, "div") == 0 && count == 2)
            *out = kr_num_div_dir(v[0], v[1], dir);
        else if (strcmp(name, "muldiv") == 0 && count == 3)
            *out = kr_num_muldiv(v[0], v[1], v[2], dir);
        else
            return false;
        return true;
    }
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        if (count == 1 && strcmp(name, ones[i].name) == 0) {
            *out = ones[i].f(v[0]);
            return true;
        }
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (count == 2 && strcmp(name, twos[i].name) == 0) {
            *out = twos[i].f(v[0], v[1]);
            return true;
        }
    return false;
}

static void complain(const char *path, int line, const char *what, const char *got)
{
    failed++;
    printf("%s:%d: %s: got %s\n", path, line, what, got);
}

/* read "TEXT" = VALUE, read "TEXT" ! REASON AT */
static void read_line(const char *path, int number, const char *line)
{
    const char *open = strchr(line, '"'), *close = open ? strrchr(line, '"') : NULL;
    char sign, want[64], got[96];
    unsigned long at_want = 0;
    if (!close || sscanf(close + 1, " %c %63s %lu", &sign, want, &at_want) < 2) {
        complain(path, number, line, "a line that is no test");
        return;
    }
    kr_num v = KR_BLANK;
    size_t at = 0;
    enum kr_read result = kr_num_read(open + 1, (size_t)(close - open - 1), &v, &at);
    bool ok;
    if (sign == '=') {
        if (result == KR_READ_OK)
            kr_num_write(v, got);
        else
            snprintf(got, sizeof got, "%s %zu", refusals[result], at);
        ok = result == KR_READ_OK && strcmp(got, want) == 0;
    } else {
        snprintf(got, sizeof got, "%s %zu", refusals[result], at);
        ok = strcmp(refusals[result], want) == 0 && at == at_want && kr_is_blank(v);
    }
    ok ? (void)passed++ : complain(path, number, line, got);
}

static void vec_line(const char *path, int number, char *line)
{
    char copy[512], *words[8];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok(line, " \t"); w && count < 8; w = strtok(NULL, " \t"))
        words[count++] = w;
    kr_num got;
    if (count < 4 || strcmp(words[count - 2], "=") || !apply(words[0], words + 1, count - 3, &got)) {
        complain(path, number, copy, "a line that is no test");
        return;
    }
    char text[KR_NUM_TEXT];
    kr_num_write(got, text);
    const char *printed = kr_is_blank(got) ? "blank" : text;
    strcmp(printed, words[count - 1]) == 0 ? (void)passed++ : complain(path, number, copy, printed);
}

static void vec_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512];
    if (!f) {
        complain(path, 0, "open", "no such file");
        return;
    }
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == 0 || line[0] == '#')
            continue;
        if (strncmp(line, "read ", 5) == 0)
            read_line(path, number, line);
        else
            vec_line(path, number, line);
    }
    fclose(f);
}

/* id,function,args,expected,tolerance,cr18,…: our digits are cr18; ERR is any error, OVF a result out of range. */
static void vectors(const char *name)
{
    char path[128], line[1024];
    snprintf(path, sizeof path, "tests/num/vectors/%s.csv", name);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f)) {
        complain(path, 1, "open", "no such file");
        return;
    }
    long rows = 0, unreadable = 0, unknown = 0;
    for (int number = 2; fgets(line, sizeof line, f); number++) {
        char *field[6], *p = line, *args[4], text[KR_NUM_TEXT], what[512];
        int fields = 0, count = 0;
        while (fields < 6 && p)
            field[fields++] = strsep(&p, ",");
        if (fields < 6) {
            complain(path, number, line, "a row of fewer fields");
            continue;
        }
        rows++;
        snprintf(what, sizeof what, "%.60s %.40s %.300s = %.60s", field[0], field[1], field[2], field[5]);
        for (char *w = strtok(field[2], " "); w && count < 4; w = strtok(NULL, " "))
            args[count++] = w;
        kr_num ignored, got;
        bool readable = true;
        for (int i = 0; i < count; i++)
            readable &= kr_num_read(args[i], strlen(args[i]), &ignored, NULL) == KR_READ_OK;
        if (!readable) {
            unreadable++; /* an argument outside the range of numbers */
            continue;
        }
        if (!apply(field[1], args, count, &got)) {
            unknown++;
            continue;
        }
        kr_num_write(got, text);
        bool ok = strcmp(field[5], "ERR") == 0   ? kr_is_error(got)
                  : strcmp(field[5], "OVF") == 0 ? kr_raw_eq(got, KR_E_NUM)
                                                 : strcmp(text, field[5]) == 0;
        ok ? (void)passed++ : complain(path, number, what, text);
    }
    fclose(f);
    printf("%-22s %5ld rows", name, rows);
    if (unreadable)
        printf(", %ld do not apply: an argument is outside the range", unreadable);
    if (unknown)
        printf(", %ld do not apply: no such function", unknown);
    printf("\n");
}

int main(void)
{
    glob_t files;
    if (glob("tests/num/*.vec", 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++)
            vec_file(files.gl_pathv[i]);
        globfree(&files);
    } else {
        complain("tests/num", 0, "*.vec", "no files");
    }
    static const char *const names[] = { "dectest_add", "dectest_sub", "dectest_mul", "dectest_div", "dectest_sqrt", "dectest_exp", "dectest_ln", "dectest_pow",
                                         "boost_exp_ln", "boost_ncdf", "boost_pow", "lead_inputs", "decimal_scaled_arith" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        vectors(names[i]);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
