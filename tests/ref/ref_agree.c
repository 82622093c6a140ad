/* ref_agree.c: see ref_agree.h. */
#include "tests/ref/ref_agree.h"

#include <stdio.h>

static void show(const kr_model *model, kr_ref *ref, const kr_column_def *def, size_t row, kr_cell have, const char *how)
{
    kr_arena *arena = kr_arena_new();
    const kr_sheet *sheet = def->sheet;
    printf("%s: %s.%s row %zu is `%s`, not `%s`; its row:", how, sheet->name, def->name, row, kr_cell_text(arena, model->pool, def->type, have, NULL),
           kr_cell_text(arena, model->pool, def->type, kr_ref_cell(ref, def, row), NULL));
    for (int k = 0; k < sheet->column_count; k++)
        if (!sheet->columns[k]->hidden)
            printf(" %s=%s", sheet->columns[k]->name, kr_cell_text(arena, model->pool, sheet->columns[k]->type, kr_ref_cell(ref, sheet->columns[k], row), NULL));
    if (def->formula.fragment)
        printf("\n  formula: %s", def->formula.fragment->text);
    printf("\n");
    kr_arena_free(arena);
}

static bool is_published(const kr_model *model, const kr_sheet *sheet)
{
    for (int i = 0; i < model->output_count; i++)
        if (model->outputs[i] == sheet)
            return true;
    return false;
}

/* The rows that fail a check: not blank and not true. */
static bool compare_checks(const kr_model *model, const kr_run *run, kr_ref *ref, const char *how, kr_agree_counts *counts)
{
    const kr_failed *have;
    size_t count = kr_run_failed(run, &have), at = 0;
    for (int a = 0; a < model->assert_count; a++) {
        const kr_assert *assertion = &model->asserts[a];
        for (size_t row = 0; row < kr_ref_rows(ref, assertion->sheet); row++) {
            kr_cell c = kr_ref_eval(ref, assertion->sheet, row, assertion->formula.expr);
            if (kr_is_blank(c) || kr_cell_is_true(c))
                continue;
            if (at == count || have[at].assert_index != a || have[at].row != row) {
                printf("%s: check %s of row %zu of %s was not reported\n", how, assertion->title, row, assertion->sheet->name);
                return false;
            }
            at++;
            counts->failed_checks++;
        }
    }
    if (at != count)
        printf("%s: %zu failed checks, not %zu\n", how, count, at);
    return at == count;
}

bool kr_ref_agree(const kr_model *model, const kr_run *run, kr_ref *ref, const char *how, bool all, kr_agree_counts *counts)
{
    for (int s = 0; s < model->sheet_count; s++) {
        const kr_sheet *sheet = model->sheets[s];
        if (!all && !is_published(model, sheet))
            continue;
        size_t rows = kr_ref_rows(ref, sheet);
        if (kr_run_row_count(run, sheet) != rows) {
            printf("%s: sheet %s has %zu rows, not %zu\n", how, sheet->name, kr_run_row_count(run, sheet), rows);
            return false;
        }
        for (int c = 0; c < sheet->column_count; c++) {
            const kr_column_def *def = sheet->columns[c];
            const kr_column *column = kr_run_column(run, def);
            if (def->hidden)
                continue;
            if (!column) {
                printf("%s: %s.%s was not computed\n", how, sheet->name, def->name);
                return false;
            }
            for (size_t row = 0; row < rows; row++) {
                kr_cell have = kr_column_get(column, row), want = kr_ref_cell(ref, def, row);
                counts->cells++;
                counts->specials += kr_is_special(want);
                if (kr_raw_eq(have, want))
                    continue;
                show(model, ref, def, row, have, how);
                return false;
            }
        }
    }
    return compare_checks(model, run, ref, how, counts);
}
