/* fold.c: rows that a fold emits while it walks another sheet's rows in order, one sequence after another. */
#include "vm/engine/exec.h"

#include <string.h>

typedef struct emitted {
    const kr_sheet *into;
    kr_cell *cells;            /* row after row, one per input column of `into` */
    int width;
    size_t count, room;
} emitted;

static bool take_row(void *context, const kr_cell *cells)
{
    emitted *e = context;
    for (int k = 0; k < e->into->key_count; k++)
        if (kr_is_special(cells[e->into->keys[k]->index]))
            return true; /* blank keys make no row */
    if (e->count == e->room) {
        e->room = e->room ? e->room * 2 : 256;
        e->cells = kr_realloc(e->cells, sizeof(kr_cell) * e->room * (size_t)(e->width + 1));
    }
    int at = 0;
    for (int c = 0; c < e->into->column_count; c++)
        if (e->into->columns[c]->input)
            e->cells[e->count * (size_t)e->width + (size_t)at++] = cells[c];
    e->count++;
    return true;
}

static void report(kr_run *run, const kr_task *task, const kr_script_run *machine, const kr_cell *row)
{
    const kr_sheet *over = task->rows->sheet;
    const char *what;
    kr_span place = kr_script_problem(machine, &what);
    kr_arena *scratch = run->scratch[0];
    char *key = kr_arena_printf(scratch, "%s[", over->name);
    for (int i = 0; i < over->key_count; i++)
        key = kr_arena_printf(scratch, "%s%s%s=%s", key, i ? ", " : "", over->keys[i]->name,
                              kr_cell_text(scratch, run->pool, over->keys[i]->type, row[over->keys[i]->index], NULL));
    kr_diag *d = kr_diag_add(run->diags, KR_E_RUN_FOLD, place.source ? place : task->rows->fold->span, "the fold over `%s` failed: %s", over->name, what);
    if (over->key_count)
        kr_diag_row(run->diags, d, kr_arena_printf(scratch, "%s]", key));
    run->broken = true;
}

static void walk(kr_run *run, const kr_task *task, emitted *out)
{
    const kr_seq *seq = kr_state_of(run, task->seq)->seq;
    const kr_fold *fold = task->rows->fold;
    const kr_column *where = task->where ? kr_cells_of(run, task->where) : NULL;
    kr_env env = { run->pool, run->scratch[0] };
    kr_script_run *machine = kr_script_run_new(run->model, &env);
    kr_cell *row = kr_alloc(sizeof *row * (size_t)(task->column_count + 1));
    for (uint32_t p = 0; p < seq->part_count && !run->broken; p++) {
        bool begun = false;
        for (uint32_t i = seq->start[p]; i < seq->start[p + 1] && !run->broken; i++) {
            const char *problem = NULL;
            if (where && !kr_cell_is_true(kr_column_get(where, seq->order[i])))
                continue;
            if (!begun)
                kr_fold_begin(machine, fold);
            begun = true;
            for (int k = 0; k < task->column_count; k++)
                row[k] = task->columns[k] ? kr_column_get(kr_cells_of(run, task->columns[k]), seq->order[i]) : KR_BLANK;
            if (!kr_fold_step(machine, fold, task->rows->sheet, row, task->into, take_row, out, &problem))
                report(run, task, machine, row);
            kr_scratch_tidy(env.scratch);
        }
    }
    kr_free(row);
    kr_script_run_free(machine);
}

/* Equal rows are one; one key with different values is refused. */
static void check_keys(kr_run *run, const kr_task *task, kr_relation *r)
{
    const kr_sheet *into = task->into;
    const kr_column **columns = kr_alloc(sizeof *columns * (size_t)(r->column_count + into->key_count + 1));
    int count = 0;
    for (int k = 0; k < into->key_count; k++)
        for (int c = 0; c < r->column_count; c++)
            if (strcmp(r->names[c], into->keys[k]->name) == 0)
                columns[count++] = &r->columns[c];
    int keys = count;
    for (int c = 0; c < r->column_count; c++)
        columns[count++] = &r->columns[c];
    uint32_t *rows = kr_alloc(sizeof *rows * (r->count + 1));
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        rows[i] = (uint32_t)i;
    kr_sort_rows(run->pool, columns, count, rows, r->count);
    for (size_t i = 0; i < r->count; i++) {
        int same = 0;
        while (kept && same < count && kr_raw_eq(kr_column_get(columns[same], rows[kept - 1]), kr_column_get(columns[same], rows[i])))
            same++;
        if (kept && same == count)
            continue;
        if (kept && keys && same >= keys && !run->broken) {
            kr_diag_add(run->diags, KR_E_RUN_ROWS, task->rows->span, "the fold emits two rows of `%s` with one key and different values", into->name);
            run->broken = true;
        }
        rows[kept++] = rows[i];
    }
    kr_relation *sorted = kr_relation_new(run, r->column_count, r->names, (kr_type[KR_MOST_COLUMNS]){ 0 }, 0);
    for (int c = 0; c < r->column_count; c++) {
        kr_column_done(&sorted->columns[c]);
        kr_column_init(&sorted->columns[c], r->columns[c].type, kept);
        for (size_t i = 0; i < kept; i++)
            kr_column_set(&sorted->columns[c], i, kr_column_get(&r->columns[c], rows[i]));
    }
    sorted->count = kept;
    kr_relation swap = *r;
    *r = *sorted;
    *sorted = swap;
    kr_relation_free(sorted);
    kr_free(rows);
    kr_free(columns);
}

void kr_fold_run(kr_run *run, kr_task *task)
{
    emitted out = { .into = task->into };
    const char *names[KR_MOST_COLUMNS];
    kr_type types[KR_MOST_COLUMNS];
    for (int c = 0; c < out.into->column_count; c++)
        if (out.into->columns[c]->input) {
            names[out.width] = out.into->columns[c]->name;
            types[out.width++] = out.into->columns[c]->type;
        }
    walk(run, task, &out);
    kr_relation *r = kr_relation_new(run, out.width, names, types, out.count);
    for (size_t i = 0; i < out.count; i++)
        for (int c = 0; c < out.width; c++)
            kr_column_set(&r->columns[c], i, out.cells[i * (size_t)out.width + (size_t)c]);
    kr_free(out.cells);
    check_keys(run, task, r);
    kr_state_of(run, task)->relation = r;
}
