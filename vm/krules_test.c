/* krules_test.c: the examples of a rule file behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>

#include "vm/store/load.h"
#include "vm/text/time.h"

typedef const struct kr_example_table example_table;

static const char *cell_of(example_table *t, int row, int column) { return t->cells[row * t->column_count + column]; }

/* Whether an expected text says this cell: numbers by value, other types as they are written out. */
static bool agrees(kr_arena *arena, const kr_pool *pool, kr_type type, const char *text, kr_cell cell)
{
    kr_num number;
    if (text && type == KR_T_NUMBER && kr_num_read(text, strlen(text), &number, NULL) == KR_READ_OK)
        return kr_raw_eq(number, cell);
    return !strcmp(text ? text : "", kr_cell_text(arena, pool, type, cell, NULL));
}

/* The columns of the run that the table names. false: a column is not there (the checker has seen to it, but it may be hidden). */
static bool find_columns(const kr_run *run, const kr_sheet *sheet, example_table *t, const kr_column **columns, const kr_column_def **defs)
{
    for (int c = 0; c < t->column_count; c++) {
        defs[c] = kr_sheet_column(sheet, t->columns[c]);
        columns[c] = defs[c] ? kr_run_column(run, defs[c]) : NULL;
        if (!columns[c])
            return false;
    }
    return true;
}

/* The row whose key columns are those of expected row e. */
static size_t find_row(kr_arena *arena, const kr_pool *pool, example_table *t, const kr_column *const *columns, const kr_column_def *const *defs, int e, const bool *wanted, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        bool same = wanted[r];
        for (int c = 0; same && c < t->column_count; c++)
            for (int k = 0; same && k < defs[c]->sheet->key_count; k++)
                if (defs[c]->sheet->keys[k] == defs[c])
                    same = agrees(arena, pool, defs[c]->type, cell_of(t, e, c), kr_column_get(columns[c], r));
        if (same)
            return r;
    }
    return rows;
}

static const char *row_text(kr_arena *arena, example_table *t, int row)
{
    const char *text = t->sheet;
    for (int c = 0; c < t->column_count; c++)
        text = kr_arena_printf(arena, "%s%s%s=%s", text, c ? ", " : "[", t->columns[c], cell_of(t, row, c) ? cell_of(t, row, c) : "");
    return kr_arena_printf(arena, "%s]", text);
}

static bool in_period(const kr_run *run, const kr_sheet *sheet, const kr_example *example, size_t row)
{
    const kr_column *clock = sheet->clock ? kr_run_column(run, sheet->clock) : NULL;
    kr_cell cell = clock ? kr_column_get(clock, row) : KR_BLANK;
    if (kr_is_special(cell))
        return true;
    int64_t day = clock->type == KR_T_TIME ? kr_day_of_time(kr_cell_int(cell)) : kr_cell_int(cell), first, last;
    return (!example->has_from || day >= example->from) && (!kr_run_days(run, &first, &last) || day <= last);
}

static void compare(krules *k, kr_arena *arena, const kr_pool *pool, const kr_run *run, const kr_sheet *sheet, const kr_example *example, example_table *t, size_t *cells)
{
    const kr_column **columns = KR_NEW_ARRAY(arena, const kr_column *, t->column_count + 1);
    const kr_column_def **defs = KR_NEW_ARRAY(arena, const kr_column_def *, t->column_count + 1);
    size_t rows = kr_run_row_count(run, sheet);
    bool *wanted = KR_NEW_ARRAY(arena, bool, rows + 1);
    for (size_t r = 0; r < rows; r++)
        wanted[r] = in_period(run, sheet, example, r);
    if (t->row_count && !find_columns(run, sheet, t, columns, defs)) {
        kr_diag_add(k->diags, KR_E_RUN_EXAMPLE, t->span, "`%s` expects a column of `%s` that is not computed", example->title, sheet->name);
        return;
    }
    for (int e = 0; e < t->row_count; e++) {
        size_t r = find_row(arena, pool, t, columns, defs, e, wanted, rows);
        if (r == rows) {
            kr_diag_add(k->diags, KR_E_RUN_EXAMPLE, t->span, "`%s` expects a row that is not there: %s", example->title, row_text(arena, t, e));
            continue;
        }
        wanted[r] = false;
        for (int c = 0; c < t->column_count; c++, ++*cells) {
            kr_cell cell = kr_column_get(columns[c], r);
            if (!agrees(arena, pool, defs[c]->type, cell_of(t, e, c), cell)) {
                const char *text = kr_cell_text(arena, pool, defs[c]->type, cell, NULL);
                kr_diag *d = kr_diag_add(k->diags, KR_E_RUN_EXAMPLE, t->span, "`%s`: `%s.%s` is %s, not %s", example->title, sheet->name, defs[c]->name, *text ? text : "blank",
                                         cell_of(t, e, c) ? cell_of(t, e, c) : "blank");
                kr_diag_note(k->diags, d, "in the row %s", row_text(arena, t, e));
            }
        }
    }
    for (size_t r = 0; r < rows; r++) {
        if (!wanted[r])
            continue;
        const char *text = sheet->name;
        for (int i = 0; i < sheet->key_count; i++) {
            const kr_column *key = kr_run_column(run, sheet->keys[i]);
            text = kr_arena_printf(arena, "%s%s%s=%s", text, i ? ", " : "[", sheet->keys[i]->name, key ? kr_cell_text(arena, pool, key->type, kr_column_get(key, r), NULL) : "?");
        }
        kr_diag_add(k->diags, KR_E_RUN_EXAMPLE, t->span, "`%s` gives a row that is not expected: %s]", example->title, text);
    }
}

bool krules_example_run(krules_book *book, size_t version, size_t index, const char **title, size_t *cells)
{
    krules *k = book->object.session;
    kr_version *v = &book->book->versions[version];
    const kr_example *example = &v->model->examples[index];
    size_t before = kr_diags_count(k->diags, KR_SEVERITY_ERROR);
    *title = example->title;
    *cells = 0;
    if (!v->plan)
        v->plan = kr_plan_new(v->model, k->diags);
    kr_dataset *data = v->plan ? kr_load_example(example, v->model, book->pool, k->diags) : NULL;
    kr_run_options options = { .has_to = example->has_to, .to = example->to, .has_from = example->has_from, .from = example->from, .threads = 1, .all_columns = true };
    kr_run *run = data ? kr_run_new(v->plan, data, &options, k->diags) : NULL;
    kr_arena *arena = kr_arena_new();
    const kr_failed *failed;
    for (size_t i = 0, n = run ? kr_run_failed(run, &failed) : 0; i < n; i++) {
        const kr_assert *a = &v->model->asserts[failed[i].assert_index];
        if (!a->warning)
            kr_diag_add(k->diags, KR_E_RUN_EXAMPLE, example->span, "`%s`: what `%s` must satisfy does not hold: %s", example->title, a->sheet->name, a->title);
    }
    for (int t = 0; run && t < example->table_count; t++)
        if (example->tables[t].expect)
            compare(k, arena, book->pool, run, kr_model_sheet(v->model, example->tables[t].sheet), example, &example->tables[t], cells);
    kr_arena_free(arena);
    kr_run_free(run);
    kr_dataset_free(data);
    return run && kr_diags_count(k->diags, KR_SEVERITY_ERROR) == before;
}
