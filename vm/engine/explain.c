/* explain.c: what a formula read for one row, found again from a finished run, one form at a time. */
#include "vm/engine/explain.h"

#include <string.h>

#include "vm/engine/exec.h"

typedef struct asking {
    kr_arena *arena;
    kr_run *run;
    const kr_sheet *sheet;   /* of the own row */
    uint32_t row;
    kr_diags *diags;
    bool failed;
} asking;

/* ---- parts */

static bool is_form(const kr_expr *e)
{
    return e->kind != KR_X_CONST && e->kind != KR_X_PARAM && e->kind != KR_X_COLUMN && e->kind != KR_X_CALL && e->kind != KR_X_USER
        && e->kind != KR_X_LIST && e->kind != KR_X_ROWLIST;
}

void kr_explain_each(const kr_expr *e, void (*visit)(void *context, const kr_expr *part), void *context)
{
    if (!e)
        return;
    if (e->kind == KR_X_PARAM || (e->kind == KR_X_COLUMN && e->frame == 0) || is_form(e))
        visit(context, e);
    if (e->kind == KR_X_WINDOW || e->kind == KR_X_PREV || e->kind == KR_X_RUN) {
        kr_explain_each(e->count, visit, context);
        return; /* what they name is of other rows of the sequence */
    }
    for (int i = 0; i < e->arg_count; i++)
        kr_explain_each(e->args[i], visit, context);
    kr_explain_each(e->where, visit, context);
    for (int i = 0; i < e->match_count; i++)
        kr_explain_each(e->match[i].near, visit, context);
}

bool kr_explain_value(kr_run *run, const kr_sheet *sheet, uint32_t row, const kr_expr *part, kr_cell *out, kr_diags *diags)
{
    size_t n = kr_run_row_count(run, sheet);
    const kr_column *column = part->kind == KR_X_COLUMN ? kr_run_column(run, part->column) : NULL;
    if (column) {
        *out = kr_column_get(column, row);
        return true;
    }
    if (part->kind == KR_X_CONST || part->kind == KR_X_PARAM) {
        *out = part->kind == KR_X_CONST ? part->value : kr_run_model(run)->params[part->param].value;
        return true;
    }
    kr_cell *cells = kr_alloc(sizeof *cells * (n + 1));
    bool good = kr_run_eval(run, sheet, part, cells, diags);
    if (good)
        *out = cells[row];
    kr_free(cells);
    return good;
}

static kr_cell value_of(asking *a, const kr_expr *e)
{
    kr_cell cell = KR_BLANK;
    if (!a->failed && !kr_explain_value(a->run, a->sheet, a->row, e, &cell, a->diags))
        a->failed = true;
    return cell;
}

/* ---- conditions on both rows: what the own row gives becomes a constant, the other row becomes the own one */

static kr_expr *bind(asking *a, const kr_expr *e)
{
    int frames = kr_expr_frames(e);
    kr_expr *copy = KR_NEW(a->arena, kr_expr);
    *copy = *e;
    if (frames == 1) {
        *copy = (kr_expr){ .kind = KR_X_CONST, .type = e->type, .node = e->node, .value = value_of(a, e) };
        return copy;
    }
    copy->frame = 0;
    copy->args = KR_NEW_ARRAY(a->arena, kr_expr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++)
        copy->args[i] = bind(a, e->args[i]);
    copy->match = KR_NEW_ARRAY(a->arena, kr_match, e->match_count + 1);
    for (int i = 0; i < e->match_count; i++)
        copy->match[i] = (kr_match){ e->match[i].far, bind(a, e->match[i].near) };
    return copy;
}

static const kr_column *column_of(asking *a, const kr_column_def *def)
{
    const kr_column *column = kr_run_column(a->run, def);
    KR_ASSERT(column); /* the run has all columns */
    return column;
}

/* Rows of `sheet` that agree with the own row and meet a condition, in key order. */
static void matching(asking *a, const kr_sheet *sheet, const kr_match *match, int count, const kr_expr *where, kr_explain_rows *out)
{
    size_t n = kr_run_row_count(a->run, sheet);
    kr_cell *near = KR_NEW_ARRAY(a->arena, kr_cell, count + 1), *holds = NULL;
    const kr_column **far = KR_NEW_ARRAY(a->arena, const kr_column *, count + 1);
    bool none = false;
    for (int i = 0; i < count; i++) {
        near[i] = value_of(a, match[i].near);
        far[i] = column_of(a, match[i].far);
        none |= kr_is_special(near[i]);
    }
    out->sheet = sheet;
    out->rows = KR_NEW_ARRAY(a->arena, uint32_t, n + 1);
    if (none || a->failed)
        return;
    if (where) {
        kr_expr *bound = bind(a, where);
        holds = kr_alloc(sizeof *holds * (n + 1));
        if (!a->failed && !kr_run_eval(a->run, sheet, bound, holds, a->diags))
            a->failed = true;
    }
    for (size_t row = 0; row < n && !a->failed; row++) {
        bool in = !holds || kr_cell_is_true(holds[row]);
        for (int i = 0; i < count && in; i++)
            in = kr_raw_eq(kr_column_get(far[i], row), near[i]);
        if (in)
            out->rows[out->count++] = (uint32_t)row;
    }
    kr_free(holds);
}

static void sort_by(asking *a, kr_column_def *const *order, int count, kr_explain_rows *out)
{
    const kr_column **columns = KR_NEW_ARRAY(a->arena, const kr_column *, count + 1);
    for (int i = 0; i < count; i++)
        columns[i] = column_of(a, order[i]);
    kr_sort_rows(a->run->pool, columns, count, out->rows, out->count);
}

/* ---- sequences of another sheet */

static void choose(asking *a, const kr_expr *e, kr_explain_rows *out)
{
    kr_cell low = KR_NUM_MIN, high = KR_NUM_MAX;
    matching(a, e->sheet, e->match, e->match_count, e->where, out);
    sort_by(a, &e->order, 1, out);
    if (e->form == KR_FORM_ASOF)
        high = value_of(a, e->args[1]);
    if (e->form == KR_FORM_NEXT) {
        low = value_of(a, e->args[1]);
        high = value_of(a, e->args[2]);
    }
    if (e->form == KR_FORM_TWA || e->form == KR_FORM_VALUE_AT)
        high = value_of(a, e->args[e->form == KR_FORM_TWA ? 3 : 2]);
    const kr_column *order = column_of(a, e->order);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        kr_cell when = kr_column_get(order, out->rows[i]);
        if (!kr_is_special(when) && !kr_is_special(low) && !kr_is_special(high) && kr_raw_cmp(when, low) >= 0 && kr_raw_cmp(when, high) < 0)
            out->rows[kept++] = out->rows[i];
    }
    out->count = kept;
    if (kept && e->form == KR_FORM_ASOF)
        out->rows[0] = out->rows[kept - 1];
    if (kept && e->form != KR_FORM_TWA && e->form != KR_FORM_VALUE_AT)
        out->count = 1;
}

/* ---- the own sequence */

static void own_sequence(asking *a, const kr_expr *e, kr_explain_rows *out)
{
    const kr_sheet *sheet = e->sheet;
    size_t n = kr_run_row_count(a->run, sheet), at = 0, first = 0;
    out->sheet = sheet;
    out->rows = KR_NEW_ARRAY(a->arena, uint32_t, n + 1);
    for (size_t row = 0; row < n; row++) {
        bool in = true;
        for (int k = 0; k < sheet->per_n && in; k++) {
            const kr_column *column = column_of(a, sheet->per[k]);
            in = kr_raw_eq(kr_column_get(column, row), kr_column_get(column, a->row));
        }
        if (in)
            out->rows[out->count++] = (uint32_t)row;
    }
    sort_by(a, sheet->order, sheet->order_n, out);
    while (at < out->count && out->rows[at] != a->row)
        at++;
    out->count = at + 1;
    int64_t count = 1;
    if (e->count)
        kr_num_to_int(value_of(a, e->count), &count);
    if (e->kind == KR_X_PREV) {
        first = at >= (size_t)count ? at - (size_t)count : at + 1; /* none: nothing remains */
        out->count = at >= (size_t)count ? first + 1 : first;
    } else if (e->kind == KR_X_WINDOW && e->form == KR_FORM_DAYS) {
        const kr_column *clock = column_of(a, sheet->clock);
        int64_t today = kr_day_of_cell(sheet->clock->type, kr_column_get(clock, a->row));
        while (first < at && kr_day_of_cell(sheet->clock->type, kr_column_get(clock, out->rows[first])) <= today - count)
            first++;
    } else if (e->kind == KR_X_WINDOW && e->series_count > 0) {
        kr_cell *x = kr_alloc(sizeof *x * (n + 1));
        if (!kr_run_eval(a->run, sheet, e->args[0], x, a->diags))
            a->failed = true;
        for (first = at + 1; first > 0 && count > 0; first--) /* known values count, back from this row */
            count -= !kr_is_blank(x[out->rows[first - 1]]);
        kr_free(x);
    }
    out->count -= first;
    memmove(out->rows, out->rows + first, sizeof *out->rows * out->count);
}

static void sharing(asking *a, const kr_expr *e, kr_explain_rows *out)
{
    kr_match *match = KR_NEW_ARRAY(a->arena, kr_match, e->by_count + 1);
    for (int i = 0; i < e->by_count; i++) {
        kr_expr *own = KR_NEW(a->arena, kr_expr);
        *own = (kr_expr){ .kind = KR_X_COLUMN, .type = e->by[i]->type, .column = e->by[i] };
        match[i] = (kr_match){ e->by[i], own };
    }
    /* Its condition is about the own row, which here is the one that ranges. */
    matching(a, e->sheet, match, e->by_count, NULL, out);
    if (e->where) {
        size_t n = kr_run_row_count(a->run, e->sheet);
        kr_cell *holds = kr_alloc(sizeof *holds * (n + 1));
        size_t kept = 0;
        if (!kr_run_eval(a->run, e->sheet, e->where, holds, a->diags))
            a->failed = true;
        for (size_t i = 0; i < out->count && !a->failed; i++)
            if (kr_cell_is_true(holds[out->rows[i]]))
                out->rows[kept++] = out->rows[i];
        out->count = kept;
        kr_free(holds);
    }
}

bool kr_explain_rows_of(kr_arena *arena, kr_run *run, const kr_sheet *sheet, uint32_t row, const kr_expr *e, kr_explain_rows *out, kr_diags *diags)
{
    asking a = { arena, run, sheet, row, diags, false };
    *out = (kr_explain_rows){ 0 };
    switch (e->kind) {
    case KR_X_LOOKUP:
    case KR_X_AGG:
    case KR_X_ARG:
        matching(&a, e->sheet, e->match, e->match_count, e->where, out);
        break;
    case KR_X_SEQUENCE: choose(&a, e, out); break;
    case KR_X_WINDOW:
    case KR_X_PREV:
    case KR_X_RUN: own_sequence(&a, e, out); break;
    case KR_X_SHARE: sharing(&a, e, out); break;
    default: break;
    }
    return !a.failed;
}

typedef struct naming {
    const kr_column_def *column;
    bool found;
} naming;

static void look(void *context, const kr_expr *e)
{
    naming *n = context;
    n->found |= (e->kind == KR_X_COLUMN || e->kind == KR_X_LOOKUP) && e->column == n->column;
    for (int i = 0; i < e->match_count; i++)
        n->found |= e->match[i].far == n->column;
    kr_expr_each(e, look, n);
}

bool kr_explain_names(const kr_expr *form, const kr_column_def *column)
{
    naming n = { column, false };
    look(&n, form);
    n.found |= form->order == column;
    for (int i = 0; i < form->by_count; i++)
        n.found |= form->by[i] == column;
    return n.found;
}
