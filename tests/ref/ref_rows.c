/* ref_rows.c: which rows a sheet has, and the days of the book. */
#define _GNU_SOURCE /* qsort_r */
#include "tests/ref/ref_internal.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a part of a row generator: cells row by row. */
typedef struct tuples {
    int width;
    const char **names;
    kr_cell *cells;
    size_t count, room;
} tuples;

/* A new row, unless a cell of it is blank or an error: such keys make no row. */
static void add(tuples *t, const kr_cell *cells)
{
    for (int k = 0; k < t->width; k++)
        if (kr_is_special(cells[k]))
            return;
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cells = kr_realloc(t->cells, t->room * (size_t)t->width * sizeof(kr_cell));
    }
    memcpy(t->cells + t->count++ * (size_t)t->width, cells, (size_t)t->width * sizeof(kr_cell));
}

static int raw_order(const void *a, const void *b, void *width)
{
    const kr_cell *p = a, *q = b;
    for (int k = 0; k < *(int *)width; k++) {
        int cmp = kr_raw_cmp(p[k], q[k]);
        if (cmp)
            return cmp;
    }
    return 0;
}

static void keep_each_once(tuples *t)
{
    size_t w = (size_t)t->width, kept = 0;
    if (t->count == 0)
        return;
    qsort_r(t->cells, t->count, w * sizeof(kr_cell), raw_order, &t->width);
    for (size_t i = 0; i < t->count; i++)
        if (kept == 0 || raw_order(t->cells + i * w, t->cells + (kept - 1) * w, &t->width) != 0)
            memmove(t->cells + kept++ * w, t->cells + i * w, w * sizeof(kr_cell));
    t->count = kept;
}

static tuples part(kr_ref *ref, const kr_rows *rows, const kr_sheet *into);

static void cross(kr_ref *ref, const kr_rows *rows, const kr_sheet *into, tuples *out)
{
    tuples parts[rows->part_count + 1];
    size_t total = 1;
    for (int p = 0; p < rows->part_count; p++) {
        parts[p] = part(ref, rows->parts[p], into);
        total *= parts[p].count;
        out->width += parts[p].width;
    }
    out->names = KR_NEW_ARRAY(ref->arena, const char *, out->width);
    for (int p = 0, at = 0; p < rows->part_count; at += parts[p++].width)
        memcpy(out->names + at, parts[p].names, (size_t)parts[p].width * sizeof *out->names);
    kr_cell row[out->width + 1];
    for (size_t i = 0; i < total; i++) {
        size_t rest = i;
        for (int p = 0, at = 0; p < rows->part_count; at += parts[p++].width) {
            size_t w = (size_t)parts[p].width;
            memcpy(row + at, parts[p].cells + rest % parts[p].count * w, w * sizeof(kr_cell));
            rest /= parts[p].count;
        }
        add(out, row);
    }
    for (int p = 0; p < rows->part_count; p++)
        kr_free(parts[p].cells);
}

static void all_of(kr_ref *ref, const kr_rows *rows, const kr_sheet *into, tuples *out)
{
    for (int p = 0; p < rows->part_count; p++) {
        tuples t = part(ref, rows->parts[p], into);
        if (p == 0) {
            out->width = t.width;
            out->names = t.names;
        }
        for (size_t i = 0; i < t.count; i++) {
            kr_cell row[out->width + 1];
            for (int k = 0; k < out->width; k++)
                for (int j = 0; j < t.width; j++)
                    if (strcmp(out->names[k], t.names[j]) == 0)
                        row[k] = t.cells[i * (size_t)t.width + (size_t)j];
            add(out, row);
        }
        kr_free(t.cells);
    }
}

static void distinct(kr_ref *ref, const kr_rows *rows, tuples *out)
{
    ref_need_rows(ref, rows->sheet);
    for (size_t i = 0; i < ref_sheet_of(ref, rows->sheet)->count; i++) {
        kr_cell row[out->width + 1];
        if (rows->where.expr && !kr_cell_is_true(ref_eval(ref, rows->where.expr, (frame){ { i, NO_ROW } })))
            continue;
        for (int k = 0; k < out->width; k++)
            row[k] = ref_cell(ref, kr_sheet_column(rows->sheet, rows->from[k]), i);
        add(out, row);
    }
}

/* True; an AND stops at the first that is not, which changes nothing but the time it takes. */
static bool holds(kr_ref *ref, const kr_expr *e, frame at)
{
    if (e->kind != KR_X_CALL || strcmp(e->fn->name, "AND") != 0)
        return kr_cell_is_true(ref_eval(ref, e, at));
    for (int i = 0; i < e->arg_count; i++)
        if (!holds(ref, e->args[i], at))
            return false;
    return true;
}

static void join(kr_ref *ref, const kr_rows *rows, tuples *out)
{
    ref_need_rows(ref, rows->sheet);
    for (size_t a = 0; a < ref_sheet_of(ref, rows->sheet)->count; a++) {
        kr_column_def *columns[rows->on_count + 1];
        kr_cell values[rows->on_count + 1];
        for (int k = 0; k < rows->on_count; k++) {
            columns[k] = kr_sheet_column(rows->sheet_b, rows->on[k]);
            values[k] = ref_cell(ref, kr_sheet_column(rows->sheet, rows->on[k]), a);
        }
        row_list list = ref_rows_where(ref, rows->sheet_b, columns, values, rows->on_count);
        for (size_t i = 0; i < list.count; i++) {
            frame at = { { a, list.rows[i] } };
            kr_cell row[out->width + 1];
            if (rows->where.expr && !holds(ref, rows->where.expr, at))
                continue;
            for (int k = 0; k < out->width; k++)
                row[k] = ref_eval(ref, rows->key[k].expr, at);
            add(out, row);
        }
        kr_free(list.rows);
    }
}

/* ---- folds */

typedef struct emitted {
    tuples *out;
    const kr_sheet *into;
} emitted;

static bool take(void *context, const kr_cell *cells)
{
    emitted *e = context;
    kr_cell row[e->out->width + 1];
    for (int k = 0; k < e->out->width; k++)
        row[k] = cells[kr_sheet_column(e->into, e->out->names[k])->index];
    size_t before = e->out->count;
    /* only the keys must be known; other emitted columns may be blank */
    bool known = true;
    for (int k = 0; k < e->into->key_count; k++)
        known &= !kr_is_special(cells[e->into->keys[k]->index]);
    if (!known)
        return true;
    kr_cell plain[e->out->width + 1];
    for (int k = 0; k < e->out->width; k++)
        plain[k] = KR_NUM_ZERO;
    add(e->out, plain);
    KR_ASSERT(e->out->count == before + 1);
    memcpy(e->out->cells + before * (size_t)e->out->width, row, (size_t)e->out->width * sizeof(kr_cell));
    return true;
}

typedef struct fold_order {
    kr_ref *ref;
    kr_column_def **columns;
    int count;
} fold_order;

static int fold_row_order(const void *a, const void *b, void *context)
{
    const fold_order *order = context;
    size_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    for (int k = 0; k < order->count; k++) {
        kr_column_def *c = order->columns[k];
        int cmp = kr_cell_cmp(order->ref->env.pool, c->type, ref_cell(order->ref, c, p), ref_cell(order->ref, c, q));
        if (cmp)
            return cmp;
    }
    return p < q ? -1 : p > q;
}

static void fold(kr_ref *ref, const kr_rows *rows, const kr_sheet *into, tuples *out)
{
    const kr_fold *f = rows->fold;
    const kr_sheet *over = rows->sheet;
    ref_need_rows(ref, over);
    size_t n = ref_sheet_of(ref, over)->count, kept = 0;
    kr_column_def *columns[f->per_count + f->order_count + over->order_n + 1];
    fold_order order = { ref, columns, 0 };
    for (int k = 0; k < f->per_count; k++)
        columns[order.count++] = kr_sheet_column(over, f->per[k]);
    if (f->order_count > 0)
        for (int k = 0; k < f->order_count; k++)
            columns[order.count++] = kr_sheet_column(over, f->order[k]);
    else
        for (int k = 0; k < over->order_n; k++)
            columns[order.count++] = over->order[k];
    uint32_t *list = kr_alloc((n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++)
        if (!f->where.expr || kr_cell_is_true(ref_eval(ref, f->where.expr, (frame){ { i, NO_ROW } })))
            list[kept++] = (uint32_t)i;
    qsort_r(list, kept, sizeof *list, fold_row_order, &order);
    order.count = f->per_count;
    emitted context = { out, into };
    kr_script_run *run = kr_script_run_new(ref->model, &ref->env);
    for (size_t i = 0; i < kept; i++) {
        bool begins = i == 0;
        for (int k = 0; k < f->per_count && !begins; k++)
            begins = !kr_raw_eq(ref_cell(ref, columns[k], list[i]), ref_cell(ref, columns[k], list[i - 1]));
        if (begins)
            kr_fold_begin(run, f);
        kr_cell row[over->column_count + 1];
        for (int k = 0; k < over->column_count; k++)
            row[k] = kr_fold_reads(f, over->columns[k]->name) ? ref_cell(ref, over->columns[k], list[i]) : KR_BLANK;
        const char *problem = NULL;
        if (!kr_fold_step(run, f, over, row, into, take, &context, &problem)) {
            ref->problem = kr_arena_copy(ref->arena, problem ? problem : "fold", problem ? strlen(problem) : 4);
            break;
        }
    }
    kr_script_run_free(run);
    kr_free(list);
}

static tuples part(kr_ref *ref, const kr_rows *rows, const kr_sheet *into)
{
    tuples out = { rows->column_count, rows->columns, NULL, 0, 0 };
    int64_t low, high;
    switch (rows->kind) {
    case KR_ROWS_DATA: break;
    case KR_ROWS_CROSS: out.width = 0; cross(ref, rows, into, &out); break;
    case KR_ROWS_UNION: all_of(ref, rows, into, &out); break;
    case KR_ROWS_COLUMN: /* as distinct of one column */
    case KR_ROWS_DISTINCT: distinct(ref, rows, &out); break;
    case KR_ROWS_JOIN: join(ref, rows, &out); break;
    case KR_ROWS_DAYS:
        ref_need_days(ref);
        for (int64_t day = ref->first_day; day <= ref->last_day; day++)
            add(&out, (kr_cell[]){ kr_cell_of_int(day) });
        break;
    case KR_ROWS_RANGE:
        if (kr_num_to_int(ref_eval(ref, rows->low.expr, (frame){ { NO_ROW, NO_ROW } }), &low)
            && kr_num_to_int(ref_eval(ref, rows->high.expr, (frame){ { NO_ROW, NO_ROW } }), &high))
            for (int64_t i = low; i <= high; i++)
                add(&out, (kr_cell[]){ kr_num_of_int(i) });
        break;
    case KR_ROWS_FOLD: {
        out.width = 0;
        out.names = KR_NEW_ARRAY(ref->arena, const char *, into->column_count);
        for (int k = 0; k < into->column_count; k++)
            if (!into->columns[k]->formula.expr)
                out.names[out.width++] = into->columns[k]->name;
        fold(ref, rows, into, &out);
        break;
    }
    }
    keep_each_once(&out);
    return out;
}

/* ---- a sheet */

typedef struct key_order {
    kr_ref *ref;
    const kr_sheet *sheet;
    const tuples *t;
    int *at; /* where a key (a bag: any column given) stands in the tuples */
    kr_type *types;
    int count;
} key_order;

static int tuple_order(const void *a, const void *b, void *context)
{
    const key_order *o = context;
    const kr_cell *p = a, *q = b;
    for (int k = 0; k < o->count; k++) {
        int cmp = kr_cell_cmp(o->ref->env.pool, o->types[k], p[o->at[k]], q[o->at[k]]);
        if (cmp)
            return cmp;
    }
    return 0;
}

static void new_columns(const kr_sheet *sheet, ref_sheet *s, size_t count)
{
    s->count = count;
    s->columns = kr_alloc((size_t)(sheet->column_count + 1) * sizeof *s->columns);
    for (int c = 0; c < sheet->column_count; c++) {
        s->columns[c].cells = kr_alloc((count + 1) * sizeof(kr_cell));
        s->columns[c].state = kr_alloc(count + 1);
    }
}

static void give_column(ref_sheet *s, const kr_column_def *column, const kr_cell *cells, size_t step)
{
    for (size_t i = 0; i < s->count; i++) {
        s->columns[column->index].cells[i] = cells[i * step];
        s->columns[column->index].state[i] = CELL_DONE;
    }
}

static void from_data(kr_ref *ref, const kr_sheet *sheet, ref_sheet *s)
{
    const kr_table *table = kr_dataset_table(ref->data, sheet->name);
    new_columns(sheet, s, table ? table->row_count : 0);
    for (int c = 0; table && c < sheet->column_count; c++) {
        const kr_column *column = kr_table_column(table, sheet->columns[c]->name);
        if (sheet->columns[c]->formula.expr || !column)
            continue;
        kr_cell *cells = kr_alloc((s->count + 1) * sizeof(kr_cell));
        kr_column_load(column, 0, s->count, cells);
        give_column(s, sheet->columns[c], cells, 1);
        kr_free(cells);
    }
}

static void from_generator(kr_ref *ref, const kr_sheet *sheet, ref_sheet *s)
{
    tuples t = part(ref, sheet->rows, sheet);
    int at[t.width + 1], n = 0;
    kr_type types[t.width + 1];
    for (int k = 0; k < sheet->key_count; k++)
        for (int j = 0; j < t.width; j++)
            if (strcmp(t.names[j], sheet->keys[k]->name) == 0)
                at[n] = j, types[n++] = sheet->keys[k]->type;
    for (int j = 0; sheet->key_count == 0 && j < t.width; j++)
        at[n] = j, types[n++] = kr_sheet_column(sheet, t.names[j])->type;
    key_order order = { ref, sheet, &t, at, types, n };
    if (t.count > 0)
        qsort_r(t.cells, t.count, (size_t)t.width * sizeof(kr_cell), tuple_order, &order);
    new_columns(sheet, s, t.count);
    for (int j = 0; j < t.width; j++)
        give_column(s, kr_sheet_column(sheet, t.names[j]), t.cells + j, (size_t)t.width);
    kr_free(t.cells);
}

/* Keep the rows where the sheet's condition is true; what was computed beside them is forgotten. */
static void filter(kr_ref *ref, const kr_sheet *sheet, ref_sheet *s)
{
    bool *keep = kr_alloc(s->count + 1);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        keep[i] = kr_cell_is_true(ref_eval(ref, sheet->where.expr, (frame){ { i, NO_ROW } }));
    for (size_t i = 0; i < s->count; i++) {
        if (!keep[i])
            continue;
        for (int c = 0; c < sheet->column_count; c++)
            s->columns[c].cells[kept] = s->columns[c].cells[i];
        kept++;
    }
    for (int c = 0; c < sheet->column_count; c++)
        if (sheet->columns[c]->formula.expr)
            memset(s->columns[c].state, CELL_OPEN, s->count);
    s->count = kept;
    kr_free(keep);
}

void ref_need_rows(kr_ref *ref, const kr_sheet *sheet)
{
    ref_sheet *s = ref_sheet_of(ref, sheet);
    if (s->state == ROWS_DONE)
        return;
    KR_ASSERT(s->state != ROWS_BUSY); /* a sheet whose rows depend on themselves */
    s->state = ROWS_BUSY;
    if (!sheet->rows || sheet->rows->kind == KR_ROWS_DATA)
        from_data(ref, sheet, s);
    else
        from_generator(ref, sheet, s);
    if (sheet->where.expr)
        filter(ref, sheet, s);
    s->state = ROWS_DONE;
}

/* ---- days */

static bool day_of(const kr_cell cell, kr_type type, int64_t *day)
{
    if (kr_is_special(cell))
        return false;
    *day = kr_cell_int(cell);
    if (type == KR_T_TIME) {
        int64_t ms = *day;
        *day = ms / 86400000 - (ms % 86400000 < 0);
    }
    return true;
}

static bool last_day_in_data(kr_ref *ref, int64_t *last)
{
    bool found = false;
    for (int s = 0; s < ref->model->sheet_count; s++) {
        const kr_sheet *sheet = ref->model->sheets[s];
        const kr_table *table = kr_dataset_table(ref->data, sheet->name);
        for (int c = 0; table && c < sheet->column_count; c++) {
            kr_type type = sheet->columns[c]->type;
            const kr_column *column = kr_table_column(table, sheet->columns[c]->name);
            if (!column || (type != KR_T_DAY && type != KR_T_TIME))
                continue;
            for (size_t i = 0; i < table->row_count; i++) {
                int64_t day;
                if (day_of(kr_column_get(column, i), type, &day) && (!found || day > *last)) {
                    *last = day;
                    found = true;
                }
            }
        }
    }
    return found;
}

void ref_need_days(kr_ref *ref)
{
    const kr_model *model = ref->model;
    if (ref->days_known)
        return;
    ref->days_known = true;
    ref->first_day = 0;
    ref->last_day = -1; /* no days */
    if (!model->has_days || !model->days_from.expr)
        return;
    int64_t first, last = 0;
    frame nowhere = { { NO_ROW, NO_ROW } };
    bool open = model->days_open && ref->has_from;
    bool begun = day_of(ref_eval(ref, model->days_from.expr, nowhere), model->days_from.expr->type, &first);
    if (!begun && !open)
        return;
    first = begun ? first - model->days_lead : ref->from;
    if (ref->has_to)
        last = ref->to;
    else if (model->days_to.expr) {
        if (!day_of(ref_eval(ref, model->days_to.expr, nowhere), model->days_to.expr->type, &last))
            return;
    } else if (!last_day_in_data(ref, &last)) {
        return;
    }
    ref->first_day = open && ref->from < first ? ref->from : first;
    ref->last_day = last;
}
