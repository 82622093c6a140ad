/* join.c: rows from pairs of rows of two sheets that agree on some columns. */
#include "vm/engine/exec.h"

#include <inttypes.h>
#include <string.h>

typedef struct joiner {
    kr_run *run;
    const kr_task *task;
    kr_exec *where, **keys;
    uint32_t *a, *b;
    size_t n;
    kr_relation *out;
} joiner;

static void keep_pairs(joiner *j)
{
    kr_lanes lanes = { j->n, { j->a, j->b }, { 0, 0 } };
    size_t kept = j->n;
    if (j->n == 0)
        return;
    if (j->where) {
        const kr_cell *cells = kr_exec_run(j->where, &lanes);
        kept = 0;
        for (size_t i = 0; i < j->n; i++)
            if (kr_cell_is_true(cells[i])) {
                j->a[kept] = j->a[i];
                j->b[kept++] = j->b[i];
            }
    }
    lanes.n = kept;
    size_t at = j->out->count;
    for (int k = 0; k < j->task->rows->column_count && kept; k++) {
        kr_column_resize(&j->out->columns[k], at + kept);
        kr_column_store(&j->out->columns[k], at, kept, kr_exec_run(j->keys[k], &lanes));
    }
    j->out->count += kept;
    j->n = 0;
}

/* Pairs come in the order of a's rows; keys that repeat are dropped now and then, so that memory follows the result. */
void kr_join_run(kr_run *run, kr_task *task)
{
    const kr_rows *rows = task->rows;
    const kr_index *index = kr_state_of(run, task->index)->index;
    size_t n = kr_rows_of(run, task->rowset), distinct_at = 1 << 20;
    kr_type types[64] = { 0 };
    KR_ASSERT(rows->column_count <= 64 && task->column_count <= 8);
    for (int k = 0; k < rows->column_count; k++)
        types[k] = rows->key[k].expr->type;
    joiner j = { .run = run, .task = task, .keys = kr_alloc(sizeof(kr_exec *) * (size_t)(rows->column_count + 1)) };
    if (task->where_pairs)
        j.where = kr_exec_open(run, task->where_pairs, run->chunk, 0);
    for (int k = 0; k < rows->column_count; k++)
        j.keys[k] = kr_exec_open(run, task->series_pairs[k], run->chunk, 0);
    j.a = kr_alloc(sizeof *j.a * run->chunk);
    j.b = kr_alloc(sizeof *j.b * run->chunk);
    j.out = kr_relation_new(run, rows->column_count, rows->columns, types, 0);
    uint64_t pairs = 0;
    for (size_t a = 0; a < n && !run->broken; a++) {
        kr_cell cells[8];
        const kr_cell *near[8];
        uint32_t g;
        for (int k = 0; k < task->column_count; k++) {
            cells[k] = kr_column_get(kr_cells_of(run, task->columns[k]), a);
            near[k] = &cells[k];
        }
        kr_index_probe(index, near, 1, &g);
        if (kr_map_is_special(g))
            continue; /* a blank or an error agrees with nothing */
        pairs += index->start[g + 1] - index->start[g];
        if (pairs > run->options.pair_limit) {
            kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_PAIRS, rows->span, "this join looks at more than the limit of %" PRIu64 " pairs of rows",
                                        run->options.pair_limit);
            kr_diag_help(run->diags, diag, "name more columns that must agree in `on`");
            run->broken = true;
        }
        for (uint32_t i = index->start[g]; i < index->start[g + 1] && !run->broken; i++) {
            j.a[j.n] = (uint32_t)a;
            j.b[j.n++] = index->rows[i];
            if (j.n == run->chunk)
                keep_pairs(&j);
        }
        if (j.out->count > distinct_at) {
            kr_relation_distinct(run, j.out);
            distinct_at = j.out->count * 2 > (1 << 20) ? j.out->count * 2 : 1 << 20;
        }
    }
    keep_pairs(&j);
    kr_relation_distinct(run, j.out);
    kr_exec_close(j.where);
    for (int k = 0; k < rows->column_count; k++)
        kr_exec_close(j.keys[k]);
    kr_free(j.keys);
    kr_free(j.a);
    kr_free(j.b);
    kr_state_of(run, task)->relation = j.out;
}
