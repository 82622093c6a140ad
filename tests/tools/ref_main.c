/* ref FILE.lua --data DIR [--from DAY] [--to DAY] --out DIR [--all]: what a rule file means on real input, cell by cell.
 *
 * Writes one CSV a sheet, with the columns that `krules eval --format csv --out DIR` writes, so that compare.py can compare both with
 * each other and with expected files. --all writes every sheet with all its columns. Exit status 0, or 2 to 4 with messages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stdlib/stdlib.h"
#include "tests/ref/ref.h"
#include "vm/host/host.h"
#include "vm/store/load.h"
#include "vm/text/time.h"

static int show(kr_arena *arena, const kr_diags *diags)
{
    for (size_t i = 0; i < kr_diags_shown(diags); i++)
        fputs(kr_diag_render(arena, kr_diags_get(diags, i), false), stderr);
    return kr_diags_status(diags);
}

static void put_text(FILE *file, const char *text, size_t len)
{
    if (!memchr(text, ',', len) && !memchr(text, '"', len) && !memchr(text, '\n', len) && !memchr(text, '\r', len)) {
        fwrite(text, 1, len, file);
        return;
    }
    putc('"', file);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            putc('"', file);
        putc(text[i], file);
    }
    putc('"', file);
}

static void write_sheet(kr_ref *ref, const kr_model *model, const kr_sheet *sheet, kr_column_def **columns, int count, FILE *file, int64_t from, int64_t to)
{
    kr_arena *scratch = kr_arena_new();
    for (int c = 0; c < count; c++)
        fprintf(file, "%s%s", c ? "," : "", columns[c]->name);
    putc('\n', file);
    for (size_t row = 0; row < kr_ref_rows(ref, sheet); row++) {
        if (sheet->clock) {
            kr_cell clock = kr_ref_cell(ref, sheet->clock, row);
            int64_t day = sheet->clock->type == KR_T_TIME ? kr_day_of_time(kr_cell_int(clock)) : kr_cell_int(clock);
            if (day < from || day > to)
                continue;
        }
        for (int c = 0; c < count; c++) {
            size_t len;
            const char *text = kr_cell_text(scratch, model->pool, columns[c]->type, kr_ref_cell(ref, columns[c], row), &len);
            if (c)
                putc(',', file);
            put_text(file, text, len);
        }
        putc('\n', file);
        kr_arena_reset(scratch);
    }
    kr_arena_free(scratch);
}

/* Keys first, then the columns that are named (none: all), as the results have them. */
static int columns_of(const kr_sheet *sheet, const struct kr_output_columns *names, kr_column_def **out)
{
    int count = 0;
    for (int k = 0; k < sheet->key_count; k++)
        out[count++] = sheet->keys[k];
    for (int k = 0; k < (names && names->count ? names->count : sheet->column_count); k++) {
        kr_column_def *column = names && names->count ? kr_sheet_column(sheet, names->names[k]) : sheet->columns[k];
        bool there = column->hidden;
        for (int i = 0; i < count; i++)
            there |= out[i] == column;
        if (!there)
            out[count++] = column;
    }
    return count;
}

static bool write_one(kr_ref *ref, const kr_model *model, const kr_sheet *sheet, const struct kr_output_columns *names, const char *out, int64_t from, int64_t to)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", out, sheet->name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "ref: %s: %s\n", path, strerror(errno));
        return false;
    }
    kr_column_def **columns = kr_alloc((size_t)(sheet->key_count + sheet->column_count + 1) * sizeof *columns);
    int count = columns_of(sheet, names, columns);
    write_sheet(ref, model, sheet, columns, count, file, from, to);
    kr_free(columns);
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    const char *rules = NULL, *data = NULL, *out = NULL;
    bool all = false, has_to = false;
    int64_t from = INT64_MIN, to = INT64_MAX;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--all") == 0)
            all = true;
        else if (strcmp(argv[i], "--data") == 0)
            data = argv[++i];
        else if (strcmp(argv[i], "--out") == 0)
            out = argv[++i];
        else if (strcmp(argv[i], "--from") == 0 && kr_day_read(value, strlen(value), &from))
            i++;
        else if (strcmp(argv[i], "--to") == 0 && kr_day_read(value, strlen(value), &to))
            has_to = true, i++;
        else if (argv[i][0] != '-' && !rules)
            rules = argv[i];
        else
            rules = NULL, i = argc;
    }
    if (!rules || !data || !out) {
        fputs("usage: ref FILE.lua --data DIR [--from DAY] [--to DAY] --out DIR [--all]\n", stderr);
        return 2;
    }
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    kr_diags *diags = kr_diags_new(arena);
    kr_dataset *dataset = NULL;
    kr_ref *ref = NULL;
    int status = 0;
    kr_model *model = kr_load_file(arena, pool, kr_stdlib, rules, diags);
    if (model && kr_check(model, diags))
        dataset = kr_load_data(data, model, pool, diags);
    if (!dataset) {
        status = show(arena, diags);
        goto done;
    }
    mkdir(out, 0777);
    ref = kr_ref_new(model, dataset, has_to, to);
    if (from != INT64_MIN)
        kr_ref_open_from(ref, from);
    bool fine = true;
    for (int i = 0; i < (all ? model->sheet_count : model->output_count) && fine; i++)
        fine = write_one(ref, model, all ? model->sheets[i] : model->outputs[i], all ? NULL : &model->output_columns[i], out, from, to);
    if (kr_ref_problem(ref))
        fprintf(stderr, "ref: %s\n", kr_ref_problem(ref));
    status = fine ? 0 : 4;
    kr_ref_free(ref);
    kr_dataset_free(dataset);
done:
    kr_pool_free(pool);
    kr_arena_free(arena);
    return status;
}
