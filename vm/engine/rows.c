/* rows.c: the rows of sheets: tables of the data, and what row generators make: crosses, unions, distinct values, ranges, days. */
#include "vm/engine/exec.h"

#include <inttypes.h>
#include <string.h>

#include "vm/text/time.h"

enum { BATCH = 1024 };
#define MOST_ROWS (UINT32_MAX - 64u)

kr_relation *kr_relation_new(kr_run *run, int columns, const char *const *names, const kr_type *types, size_t count)
{
    kr_relation *r = kr_alloc(sizeof *r);
    r->column_count = columns;
    r->count = count;
    r->names = KR_NEW_ARRAY(run->arena, const char *, columns + 1);
    r->columns = kr_alloc(sizeof *r->columns * (size_t)(columns + 1));
    for (int i = 0; i < columns; i++) {
        r->names[i] = names[i];
        kr_column_init(&r->columns[i], types[i], count);
    }
    return r;
}

void kr_relation_free(kr_relation *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->column_count && !r->borrowed; i++)
        kr_column_done(&r->columns[i]);
    kr_free(r->columns);
    kr_free(r);
}

static void gather_into(kr_column *to, size_t at, const kr_column *from, const uint32_t *rows, size_t n)
{
    kr_cell cells[BATCH];
    for (size_t i = 0; i < n; i += BATCH) {
        size_t m = n - i < BATCH ? n - i : BATCH;
        if (rows)
            kr_column_gather(from, rows + i, m, cells);
        else
            kr_column_load(from, i, m, cells);
        kr_column_store(to, at + i, m, cells);
    }
}

/* Only these rows, in this order. */
static void keep_rows(kr_relation *r, const uint32_t *rows, size_t n)
{
    for (int i = 0; i < r->column_count; i++) {
        kr_column kept;
        kr_column_init(&kept, r->columns[i].type, n);
        gather_into(&kept, 0, &r->columns[i], rows, n);
        kr_column_done(&r->columns[i]);
        r->columns[i] = kept;
    }
    r->count = n;
}

static const kr_column **pointers(kr_column *columns, int count)
{
    const kr_column **list = kr_alloc(sizeof *list * (size_t)(count + 1));
    for (int i = 0; i < count; i++)
        list[i] = &columns[i];
    return list;
}

void kr_relation_distinct(kr_run *run, kr_relation *r)
{
    (void)run;
    if (r->column_count == 0) {
        r->count = r->count > 0;
        return;
    }
    const kr_column **columns = pointers(r->columns, r->column_count);
    kr_index *index = kr_index_new(columns, r->column_count, r->count, false, false);
    if (index->group_count < r->count) {
        uint32_t *first = kr_alloc(sizeof *first * ((size_t)index->group_count + 1));
        for (uint32_t g = 0; g < index->group_count; g++)
            first[g] = index->rows[index->start[g]];
        keep_rows(r, first, index->group_count);
        kr_free(first);
    }
    kr_index_free(index);
    kr_free(columns);
}

static void refuse(kr_run *run, const kr_task *task, const char *message)
{
    kr_diag_add(run->diags, KR_E_RUN_ROWS, task->rows ? task->rows->span : (kr_span){ 0 }, "%s", message);
    run->broken = true;
}

static void too_many(kr_run *run, const kr_task *task, size_t count)
{
    kr_diag_add(run->diags, KR_E_RUN_ROWS, task->rows->span, "this makes %zu rows, more than the %u there can be", count, MOST_ROWS);
    run->broken = true;
}

/* ---- parts */

static kr_relation *distinct_part(kr_run *run, const kr_task *task)
{
    const kr_rows *rows = task->rows;
    size_t n = kr_rows_of(run, task->rowset), count = 0;
    kr_type types[KR_MOST_COLUMNS] = { 0 };
    uint32_t *kept = NULL;
    if (task->where) {
        const kr_column *where = kr_cells_of(run, task->where);
        kept = kr_alloc(sizeof *kept * (n + 1));
        for (size_t i = 0; i < n; i++)
            if (kr_cell_is_true(kr_column_get(where, i)))
                kept[count++] = (uint32_t)i;
        n = count;
    }
    for (int i = 0; i < rows->column_count; i++)
        types[i] = task->columns[i]->type;
    kr_relation *r = kr_relation_new(run, rows->column_count, rows->columns, types, n);
    for (int i = 0; i < rows->column_count; i++)
        gather_into(&r->columns[i], 0, kr_cells_of(run, task->columns[i]), kept, n);
    kr_free(kept);
    kr_relation_distinct(run, r);
    return r;
}

static kr_relation *cross_part(kr_run *run, const kr_task *task)
{
    int columns = 0, at = 0;
    size_t total = 1;
    bool over = false;
    for (int p = 0; p < task->part_count; p++) {
        const kr_relation *part = kr_state_of(run, task->parts[p])->relation;
        columns += part->column_count;
        over |= __builtin_mul_overflow(total, part->count, &total);
    }
    if (over || total > MOST_ROWS) {
        too_many(run, task, total);
        total = 0;
    }
    kr_type *types = kr_alloc(sizeof *types * (size_t)(columns + 1));
    const char **names = kr_alloc(sizeof *names * (size_t)(columns + 1));
    for (int p = 0; p < task->part_count; p++) {
        const kr_relation *part = kr_state_of(run, task->parts[p])->relation;
        for (int i = 0; i < part->column_count; i++, at++) {
            types[at] = part->columns[i].type;
            names[at] = part->names[i];
        }
    }
    kr_relation *r = kr_relation_new(run, columns, names, types, total);
    size_t after = total; /* how often each combination of the parts before a part stands in a row */
    at = 0;
    for (int p = 0; p < task->part_count && total; p++) {
        const kr_relation *part = kr_state_of(run, task->parts[p])->relation;
        size_t block = after / part->count;
        for (int i = 0; i < part->column_count; i++, at++)
            for (size_t row = 0; row < total;) {
                kr_cell cells[BATCH], cell = kr_column_get(&part->columns[i], row / block % part->count);
                size_t n = block - row % block < BATCH ? block - row % block : BATCH;
                for (size_t k = 0; k < n; k++)
                    cells[k] = cell;
                kr_column_store(&r->columns[at], row, n, cells);
                row += n;
            }
        after = block;
    }
    kr_free(types);
    kr_free(names);
    return r;
}

static int column_named(const kr_relation *r, const char *name)
{
    for (int i = 0; i < r->column_count; i++)
        if (strcmp(r->names[i], name) == 0)
            return i;
    return -1;
}

static kr_relation *union_part(kr_run *run, const kr_task *task)
{
    const kr_relation *first = kr_state_of(run, task->parts[0])->relation;
    size_t total = 0, at = 0;
    kr_type types[KR_MOST_COLUMNS] = { 0 };
    KR_ASSERT(first->column_count <= KR_MOST_COLUMNS);
    for (int p = 0; p < task->part_count; p++)
        total += kr_state_of(run, task->parts[p])->relation->count;
    if (total > MOST_ROWS) {
        too_many(run, task, total);
        total = 0;
    }
    for (int i = 0; i < first->column_count; i++)
        types[i] = first->columns[i].type;
    kr_relation *r = kr_relation_new(run, first->column_count, first->names, types, total);
    for (int p = 0; p < task->part_count && total; p++) {
        const kr_relation *part = kr_state_of(run, task->parts[p])->relation;
        for (int i = 0; i < first->column_count; i++) {
            int from = column_named(part, first->names[i]);
            KR_ASSERT(from >= 0); /* the checker: the parts of a union have the same columns */
            gather_into(&r->columns[i], at, &part->columns[from], NULL, part->count);
        }
        at += part->count;
    }
    kr_relation_distinct(run, r);
    return r;
}

static kr_relation *days_part(kr_run *run, const kr_task *task)
{
    const char *const names[] = { task->rows->column_count ? task->rows->columns[0] : "day" };
    size_t n = run->last_day >= run->first_day ? (size_t)(run->last_day - run->first_day + 1) : 0;
    kr_relation *r = kr_relation_new(run, 1, names, &(kr_type){ KR_T_DAY }, n);
    for (size_t i = 0; i < n; i++)
        kr_column_set(&r->columns[0], i, kr_cell_of_int(run->first_day + (int64_t)i));
    return r;
}

static kr_relation *range_part(kr_run *run, const kr_task *task)
{
    int64_t low, high;
    bool good = kr_num_to_int(kr_column_get(kr_cells_of(run, task->columns[0]), 0), &low)
        && kr_num_to_int(kr_column_get(kr_cells_of(run, task->columns[1]), 0), &high);
    if (!good)
        refuse(run, task, "the bounds of a range are whole numbers");
    if (good && high >= low && (uint64_t)high - (uint64_t)low >= MOST_ROWS) {
        refuse(run, task, "this range has too many numbers");
        good = false;
    }
    size_t n = good && high >= low ? (size_t)(high - low) + 1 : 0;
    kr_relation *r = kr_relation_new(run, 1, task->rows->columns, &(kr_type){ KR_T_NUMBER }, n);
    for (size_t i = 0; i < n; i++)
        kr_column_set(&r->columns[0], i, kr_num_of_int(low + (int64_t)i));
    return r;
}

void kr_part_run(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    switch (task->rows->kind) {
    case KR_ROWS_CROSS:
        state->relation = cross_part(run, task);
        break;
    case KR_ROWS_UNION:
        state->relation = union_part(run, task);
        break;
    case KR_ROWS_DAYS:
        state->relation = days_part(run, task);
        break;
    case KR_ROWS_RANGE:
        state->relation = range_part(run, task);
        break;
    case KR_ROWS_JOIN:
        kr_join_run(run, task);
        break;
    case KR_ROWS_FOLD:
        kr_fold_run(run, task);
        break;
    default:
        state->relation = distinct_part(run, task);
        break;
    }
}

/* ---- sheets */

static void rows_of_table(kr_run *run, kr_task *task)
{
    const kr_sheet *sheet = task->rowset->sheet;
    const kr_table *table = run->data ? kr_dataset_table(run->data, sheet->name) : NULL;
    kr_relation *r = kr_alloc(sizeof *r);
    r->borrowed = true;
    r->column_count = table ? table->column_count : 0;
    r->names = table ? table->names : NULL;
    r->count = table ? table->row_count : 0;
    r->columns = kr_alloc(sizeof *r->columns * (size_t)(r->column_count + 1));
    for (int i = 0; i < r->column_count; i++)
        r->columns[i] = table->columns[i];
    kr_state_of(run, task)->relation = r;
}

/* Rows in the order of the keys; a sheet without keys by all its columns. */
static void sort_relation(kr_run *run, kr_relation *r, const kr_sheet *sheet)
{
    const kr_column **columns = kr_alloc(sizeof *columns * (size_t)(r->column_count + sheet->key_count + 1));
    int count = 0;
    for (int i = 0; i < sheet->key_count; i++) {
        int at = column_named(r, sheet->keys[i]->name);
        KR_ASSERT(at >= 0); /* the checker: every key comes from the rows */
        columns[count++] = &r->columns[at];
    }
    for (int i = 0; sheet->key_count == 0 && i < r->column_count; i++)
        columns[count++] = &r->columns[i];
    uint32_t *rows = kr_alloc(sizeof *rows * (r->count + 1));
    bool moved = false;
    for (size_t i = 0; i < r->count; i++)
        rows[i] = (uint32_t)i;
    kr_sort_rows(run->pool, columns, count, rows, r->count);
    for (size_t i = 0; i < r->count && !moved; i++)
        moved = rows[i] != i;
    if (moved)
        keep_rows(r, rows, r->count);
    kr_free(rows);
    kr_free(columns);
}

/* The columns of the part, moved. */
static kr_relation *take(kr_run *run, kr_task *part)
{
    kr_state *state = kr_state_of(run, part);
    kr_relation *r = state->relation;
    state->relation = NULL;
    return r;
}

static kr_relation *filtered(kr_run *run, const kr_task *task)
{
    const kr_column *where = kr_cells_of(run, task->where);
    uint32_t *kept = kr_alloc(sizeof *kept * (where->count + 1));
    size_t n = 0;
    for (size_t i = 0; i < where->count; i++)
        if (kr_cell_is_true(kr_column_get(where, i)))
            kept[n++] = (uint32_t)i;
    int columns = task->part_count - 1;
    const char **names = kr_alloc(sizeof *names * (size_t)(columns + 1));
    kr_type *types = kr_alloc(sizeof *types * (size_t)(columns + 1));
    for (int i = 0; i < columns; i++) {
        names[i] = task->parts[i + 1]->def->name;
        types[i] = task->parts[i + 1]->type;
    }
    kr_relation *r = kr_relation_new(run, columns, names, types, n);
    for (int i = 0; i < columns; i++)
        gather_into(&r->columns[i], 0, kr_cells_of(run, task->parts[i + 1]), kept, n);
    kr_free(names);
    kr_free(types);
    kr_free(kept);
    return r;
}

void kr_rows_run(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    if (!task->rowset->sheet) {
        run->row_counts[task->rowset->id] = 1; /* the book */
        return;
    }
    if (task->where) {
        state->relation = filtered(run, task);
    } else if (task->rows) {
        state->relation = take(run, task->parts[0]);
        if (state->relation)
            sort_relation(run, state->relation, task->rowset->sheet);
    } else {
        rows_of_table(run, task);
    }
    run->row_counts[task->rowset->id] = state->relation ? state->relation->count : 0;
}

/* ---- days */

static bool cell_day(kr_type type, kr_cell cell, int64_t *day)
{
    if (kr_is_special(cell))
        return false;
    *day = type == KR_T_TIME ? kr_day_of_time(kr_cell_int(cell)) : kr_cell_int(cell);
    return true;
}

static bool last_in_data(const kr_run *run, int64_t *last)
{
    bool found = false;
    for (int i = 0; run->data && i < run->data->table_count; i++) {
        const kr_table *table = &run->data->tables[i];
        for (int c = 0; c < table->column_count; c++) {
            const kr_column *column = &table->columns[c];
            int64_t day;
            if (column->type != KR_T_DAY && column->type != KR_T_TIME)
                continue;
            for (size_t row = 0; row < column->count; row++)
                if (cell_day(column->type, kr_column_get(column, row), &day) && (!found || day > *last)) {
                    *last = day;
                    found = true;
                }
        }
    }
    return found;
}

void kr_days_run(kr_run *run, kr_task *task)
{
    int64_t first = 0, last = 0;
    run->first_day = 0;
    run->last_day = -1; /* without a first or last day there are none */
    bool open = run->model->days_open && run->options.has_from;
    bool begun = task->columns[0] && cell_day(task->columns[0]->type, kr_column_get(kr_cells_of(run, task->columns[0]), 0), &first);
    if (!begun && !open)
        return;
    first = begun ? first - run->model->days_lead : run->options.from;
    if (run->options.has_to)
        last = run->options.to;
    else if (task->columns[1]) {
        if (!cell_day(task->columns[1]->type, kr_column_get(kr_cells_of(run, task->columns[1]), 0), &last))
            return;
    } else if (!last_in_data(run, &last)) {
        return;
    }
    run->first_day = open && run->options.from < first ? run->options.from : first;
    run->last_day = last;
    if (last >= run->first_day && (uint64_t)(last - run->first_day) >= 4000000) {
        kr_diag_add(run->diags, KR_E_RUN_ROWS, run->model->header_span, "the rulebook's days are %" PRId64 " of them: more than there are in the calendar",
                    last - run->first_day + 1);
        run->broken = true;
    }
}
