/* ref_match.c: which rows of a sheet agree with some values, and which columns are needed for themselves (in a cycle through time).
 *
 * Rows are found through a sorted list by those columns that are not in a cycle; the others are compared row by row, so that no cell
 * is asked for too early. */
#define _GNU_SOURCE /* qsort_r */
#include "tests/ref/ref_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a column is made from */

typedef struct visit {
    kr_ref *ref;
    const kr_column_def *target;
    bool **seen;
    bool *seen_rows;
    bool found;
} visit;

static void visit_column(visit *v, const kr_column_def *column);
static void visit_rows(visit *v, const kr_sheet *sheet);

static void visit_match(visit *v, const kr_match *match, int count);

static void visit_expr(visit *v, const kr_expr *e)
{
    if (!e || v->found)
        return;
    if (e->column)
        visit_column(v, e->column);
    for (int k = 0; k < e->arg_count; k++)
        visit_expr(v, e->args[k]);
    visit_match(v, e->match, e->match_count);
    visit_expr(v, e->where);
    visit_expr(v, e->count);
    if (e->order)
        visit_column(v, e->order);
    for (int k = 0; k < e->by_count; k++)
        visit_column(v, e->by[k]);
    for (int k = 0; k < e->edges_count; k++) {
        const kr_edges *edge = &e->edges[k];
        visit_column(v, edge->a);
        visit_column(v, edge->b);
        if (edge->time)
            visit_column(v, edge->time);
        if (edge->barred)
            visit_column(v, edge->barred);
        visit_expr(v, edge->where);
        visit_match(v, edge->match, edge->match_count);
        visit_rows(v, edge->sheet);
    }
    if (e->sheet)
        visit_rows(v, e->sheet);
}

static void visit_match(visit *v, const kr_match *match, int count)
{
    for (int k = 0; k < count; k++) {
        visit_column(v, match[k].far);
        visit_expr(v, match[k].near);
    }
}

static void visit_fold(visit *v, const kr_fold *fold, const kr_sheet *over)
{
    for (int k = 0; k < over->column_count; k++)
        if (kr_fold_reads(fold, over->columns[k]->name))
            visit_column(v, over->columns[k]);
    for (int k = 0; k < fold->per_count; k++)
        visit_column(v, kr_sheet_column(over, fold->per[k]));
    for (int k = 0; k < fold->order_count; k++)
        visit_column(v, kr_sheet_column(over, fold->order[k]));
    for (int k = 0; fold->order_count == 0 && k < over->order_n; k++)
        visit_column(v, over->order[k]);
    visit_expr(v, fold->where.expr);
}

static void visit_part(visit *v, const kr_rows *rows)
{
    for (int k = 0; k < rows->part_count; k++)
        visit_part(v, rows->parts[k]);
    for (int side = 0; side < 2; side++) {
        const kr_sheet *sheet = side ? rows->sheet_b : rows->sheet;
        if (!sheet)
            continue;
        visit_rows(v, sheet);
        bool named = rows->kind == KR_ROWS_COLUMN || rows->kind == KR_ROWS_DISTINCT;
        for (int k = 0; named && k < rows->column_count; k++) {
            const kr_column_def *c = kr_sheet_column(sheet, rows->from[k]);
            if (c)
                visit_column(v, c);
        }
        for (int k = 0; k < rows->on_count; k++)
            visit_column(v, kr_sheet_column(sheet, rows->on[k]));
    }
    visit_expr(v, rows->where.expr);
    if (rows->kind == KR_ROWS_FOLD)
        visit_fold(v, rows->fold, rows->sheet);
    for (int k = 0; rows->key && k < rows->column_count; k++)
        visit_expr(v, rows->key[k].expr);
}

static void visit_rows(visit *v, const kr_sheet *sheet)
{
    if (v->seen_rows[sheet->index] || v->found)
        return;
    v->seen_rows[sheet->index] = true;
    if (sheet->rows)
        visit_part(v, sheet->rows);
    visit_expr(v, sheet->where.expr);
}

static void visit_column(visit *v, const kr_column_def *column)
{
    if (v->found)
        return;
    if (column == v->target) {
        v->found = true;
        return;
    }
    bool *seen = &v->seen[column->sheet->index][column->index];
    if (*seen)
        return;
    *seen = true;
    visit_rows(v, column->sheet);
    visit_expr(v, column->formula.expr);
}

static bool needs_itself(kr_ref *ref, const kr_column_def *column)
{
    int sheets = ref->model->sheet_count;
    visit v = { .ref = ref, .target = column };
    v.seen = kr_alloc((size_t)sheets * sizeof *v.seen);
    v.seen_rows = kr_alloc((size_t)sheets);
    for (int s = 0; s < sheets; s++)
        v.seen[s] = kr_alloc((size_t)ref->model->sheets[s]->column_count + 1);
    visit_rows(&v, column->sheet);
    visit_expr(&v, column->formula.expr);
    for (int s = 0; s < sheets; s++)
        kr_free(v.seen[s]);
    kr_free(v.seen);
    kr_free(v.seen_rows);
    return v.found;
}

bool ref_in_cycle(kr_ref *ref, const kr_column_def *column)
{
    if (!ref->in_cycle) {
        ref->in_cycle = kr_alloc((size_t)ref->model->sheet_count * sizeof *ref->in_cycle);
        for (int s = 0; s < ref->model->sheet_count; s++) {
            const kr_sheet *sheet = ref->model->sheets[s];
            ref->in_cycle[s] = kr_alloc((size_t)sheet->column_count + 1);
            for (int c = 0; c < sheet->column_count; c++)
                ref->in_cycle[s][c] = sheet->columns[c]->formula.expr && needs_itself(ref, sheet->columns[c]);
        }
    }
    return ref->in_cycle[column->sheet->index][column->index];
}

/* ---- sorted lists of rows */

static int cell_order(const kr_cell *a, const kr_cell *b, int n)
{
    for (int k = 0; k < n; k++) {
        int cmp = kr_raw_cmp(a[k], b[k]);
        if (cmp)
            return cmp;
    }
    return 0;
}

static int index_order(const void *a, const void *b, void *context)
{
    const ref_index *index = context;
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    int n = index->column_count, cmp = cell_order(index->keys + (size_t)p * (size_t)n, index->keys + (size_t)q * (size_t)n, n);
    return cmp ? cmp : p < q ? -1 : p > q;
}

static const ref_index *index_of(kr_ref *ref, const kr_sheet *sheet, kr_column_def *const *columns, int count)
{
    ref_sheet *s = ref_sheet_of(ref, sheet);
    for (ref_index *i = s->indexes; i; i = i->next)
        if (i->column_count == count && memcmp(i->columns, columns, (size_t)count * sizeof *columns) == 0)
            return i;
    ref_index *index = KR_NEW(ref->arena, ref_index);
    kr_column_def **copy = KR_NEW_ARRAY(ref->arena, kr_column_def *, count);
    memcpy(copy, columns, (size_t)count * sizeof *columns);
    index->columns = copy;
    index->column_count = count;
    index->count = s->count;
    index->keys = kr_alloc((s->count * (size_t)count + 1) * sizeof(kr_cell));
    index->rows = kr_alloc((s->count + 1) * sizeof(uint32_t));
    for (size_t row = 0; row < s->count; row++) {
        index->rows[row] = (uint32_t)row;
        for (int k = 0; k < count; k++)
            index->keys[row * (size_t)count + (size_t)k] = ref_cell(ref, columns[k], row);
    }
    qsort_r(index->rows, s->count, sizeof(uint32_t), index_order, index);
    index->next = s->indexes;
    s->indexes = index;
    return index;
}

row_list ref_rows_where(kr_ref *ref, const kr_sheet *sheet, kr_column_def *const *columns, const kr_cell *values, int count)
{
    row_list out = { NULL, 0 };
    ref_need_rows(ref, sheet);
    size_t n = ref_sheet_of(ref, sheet)->count;
    kr_column_def *fast[count + 1], *slow[count + 1];
    kr_cell fast_value[count + 1], slow_value[count + 1];
    int fasts = 0, slows = 0;
    for (int k = 0; k < count; k++) {
        if (kr_is_special(values[k]))
            return out;
        if (ref_in_cycle(ref, columns[k]))
            slow[slows] = columns[k], slow_value[slows++] = values[k];
        else
            fast[fasts] = columns[k], fast_value[fasts++] = values[k];
    }
    const ref_index *index = fasts > 0 ? index_of(ref, sheet, fast, fasts) : NULL;
    size_t low = 0, high = n;
    if (index) { /* the first row not before the values, then as far as they are equal */
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (cell_order(index->keys + (size_t)index->rows[mid] * (size_t)fasts, fast_value, fasts) < 0)
                low = mid + 1;
            else
                high = mid;
        }
        high = low;
        while (high < n && cell_order(index->keys + (size_t)index->rows[high] * (size_t)fasts, fast_value, fasts) == 0)
            high++;
    }
    out.rows = kr_alloc((high - low + 1) * sizeof(uint32_t));
    for (size_t i = low; i < high; i++) {
        uint32_t row = index ? index->rows[i] : (uint32_t)i;
        bool equal = true;
        for (int k = 0; k < slows && equal; k++)
            equal = kr_raw_eq(ref_cell(ref, slow[k], row), slow_value[k]);
        if (equal)
            out.rows[out.count++] = row;
    }
    return out;
}

bool ref_match(kr_ref *ref, const kr_sheet *sheet, const kr_match *match, int match_count, frame at, row_list *out, kr_cell *error)
{
    kr_column_def *columns[match_count + 1];
    kr_cell values[match_count + 1];
    *out = (row_list){ NULL, 0 };
    for (int k = 0; k < match_count; k++) {
        columns[k] = match[k].far;
        values[k] = ref_eval(ref, match[k].near, at);
    }
    if (kr_spread(values, (size_t)match_count, error))
        return !kr_is_error(*error);
    *out = ref_rows_where(ref, sheet, columns, values, match_count);
    return true;
}
