/* check_rows.c: where the rows of a sheet come from, what its keys are, and the sequence its rows follow. */
#include "vm/lang/check_internal.h"
#include "vm/lang/script.h"

#include <string.h>

bool kr_sheet_generated(const kr_sheet *sheet) { return sheet->rows->kind != KR_ROWS_DATA; }

bool kr_is_key(const kr_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->key_count; i++)
        if (strcmp(sheet->key_names[i], name) == 0)
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------ names in row generators */

typedef struct names {
    const char *name[64];
    int count;
} names;

static bool has_name(const names *set, const char *name)
{
    for (int i = 0; i < set->count; i++)
        if (strcmp(set->name[i], name) == 0)
            return true;
    return false;
}

static char *list_names(kr_checker *c, const names *set)
{
    char *text = kr_arena_printf(c->arena, "%s", "");
    for (int i = 0; i < set->count; i++)
        text = kr_arena_printf(c->arena, "%s%s`%s`", text, i > 0 ? ", " : "", set->name[i]);
    return text;
}

static kr_sheet *rows_sheet(kr_checker *c, const char *name, kr_span span)
{
    kr_sheet *sheet = kr_model_sheet(c->model, name);
    if (sheet)
        return sheet;
    const char **all = KR_NEW_ARRAY(c->arena, const char *, c->model->sheet_count);
    for (int i = 0; i < c->model->sheet_count; i++)
        all[i] = c->model->sheets[i]->name;
    kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_SHEET, span, "there is no sheet `%s` to take rows from", name);
    const char *near = kr_nearest(name, all, (size_t)c->model->sheet_count);
    if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
    return NULL;
}

static void resolve_sheets(kr_checker *c, kr_rows *rows)
{
    if (rows->sheet_name)
        rows->sheet = rows_sheet(c, rows->sheet_name, rows->span);
    if (rows->sheet_name_b)
        rows->sheet_b = rows_sheet(c, rows->sheet_name_b, rows->span);
    if (rows->kind == KR_ROWS_DAYS && !c->model->has_days) {
        kr_diag *d = kr_check_error_span(c, KR_E_ROWS, rows->span, "rows for each `day` need the days of the rulebook, and it declares none");
        kr_check_help(c, d, "rulebook { …, days = { from = \"MIN(…)\" } }");
    }
    for (int i = 0; i < rows->part_count; i++)
        resolve_sheets(c, rows->parts[i]);
}

/* The columns that rows give, in order; false: reported. */
static bool row_names(kr_checker *c, const kr_rows *rows, names *out)
{
    if (rows->kind == KR_ROWS_CROSS) {
        for (int i = 0; i < rows->part_count; i++) {
            names part = { 0 };
            if (!row_names(c, rows->parts[i], &part))
                return false;
            for (int k = 0; k < part.count; k++) {
                if (has_name(out, part.name[k])) {
                    kr_check_error_span(c, KR_E_ROWS, rows->span, "two parts of the cross both give `%s`", part.name[k]);
                    return false;
                }
                if (out->count == 64)
                    return false;
                out->name[out->count++] = part.name[k];
            }
        }
        return true;
    }
    if (rows->kind == KR_ROWS_UNION) {
        for (int i = 0; i < rows->part_count; i++) {
            names part = { 0 };
            if (!row_names(c, rows->parts[i], &part))
                return false;
            bool same = i == 0 || part.count == out->count;
            for (int k = 0; k < part.count && i > 0; k++)
                same &= has_name(out, part.name[k]);
            if (!same) {
                kr_check_error_span(c, KR_E_ROWS, rows->span, "the parts of a union give the same columns: the first gives %s, part %d gives %s", list_names(c, out), i + 1,
                                    list_names(c, &part));
                return false;
            }
            if (i == 0)
                *out = part;
        }
        return true;
    }
    for (int i = 0; i < rows->column_count && out->count < 64; i++) {
        if (has_name(out, rows->columns[i])) {
            kr_check_error_span(c, KR_E_ROWS, rows->span, "the rows give `%s` twice", rows->columns[i]);
            return false;
        }
        out->name[out->count++] = rows->columns[i];
    }
    return true;
}

/* A key column that the author did not type stands before the others, in the order of the key. */
static void add_key_column(kr_checker *c, kr_sheet *sheet, const char *name, int at)
{
    kr_column_def *column = kr_sheet_add_column(c->model, sheet, name);
    column->input = true;
    column->span = sheet->span;
    for (int i = sheet->column_count - 1; i > at; i--)
        sheet->columns[i] = sheet->columns[i - 1];
    sheet->columns[at] = column;
    for (int i = 0; i < sheet->column_count; i++)
        sheet->columns[i]->index = i;
}

static void resolve_keys(kr_checker *c, kr_sheet *sheet)
{
    bool fold = sheet->rows->kind == KR_ROWS_FOLD, generated = kr_sheet_generated(sheet);
    for (int i = 0; i < sheet->key_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(sheet->key_names[i], sheet->key_names[k]) == 0)
                kr_check_error_span(c, KR_E_KEY, sheet->span, "sheet `%s` names `%s` twice in its key", sheet->name, sheet->key_names[i]);
    if (generated && !fold) {
        names given = { 0 };
        if (!row_names(c, sheet->rows, &given))
            return;
        names key = { 0 };
        for (int i = 0; i < sheet->key_count && i < 64; i++)
            key.name[key.count++] = sheet->key_names[i];
        bool same = given.count == key.count;
        for (int i = 0; i < given.count; i++)
            same &= has_name(&key, given.name[i]);
        if (!same) {
            kr_diag *d = kr_check_error_span(c, KR_E_KEY, sheet->span, "the rows of sheet `%s` give %s, and its key is %s", sheet->name,
                                             given.count ? list_names(c, &given) : "nothing", key.count ? list_names(c, &key) : "empty");
            kr_check_help(c, d, "the key of generated rows is all they give: write the same names in both");
            return;
        }
        int at = 0;
        for (int i = 0; i < sheet->key_count; i++)
            if (!kr_sheet_column(sheet, sheet->key_names[i]))
                add_key_column(c, sheet, sheet->key_names[i], at++);
        for (int i = 0; i < sheet->column_count; i++) {
            const kr_column_def *column = sheet->columns[i];
            if (column->input && !kr_is_key(sheet, column->name)) {
                kr_diag *d = kr_check_error_span(c, KR_E_ROWS, column->span, "nothing gives the cells of `%s.%s`: the rows of `%s` are made from other sheets", sheet->name,
                                                 column->name, sheet->name);
                kr_check_help(c, d, "give it a formula");
            }
        }
    }
    sheet->keys = KR_NEW_ARRAY(c->model->arena, kr_column_def *, sheet->key_count);
    for (int i = 0; i < sheet->key_count; i++) {
        kr_column_def *column = sheet->keys[i] = kr_sheet_column(sheet, sheet->key_names[i]);
        if (!column) {
            kr_diag *d = kr_check_error_span(c, KR_E_KEY, sheet->span, "the key of sheet `%s` names `%s`, and it has no such column", sheet->name, sheet->key_names[i]);
            kr_check_help(c, d, "give it a type: %s.%s = text, number, day or time", sheet->name, sheet->key_names[i]);
        } else if (!column->input) {
            kr_diag *d = kr_check_error_span(c, KR_E_KEY, column->span, "`%s.%s` is a formula, and a key column is %s", sheet->name, column->name,
                                             generated ? "given by the rows" : "typed input");
            kr_check_help(c, d, generated ? "leave its formula out; the rows give it" : "take it out of the key of `%s`, or type it", sheet->name);
        }
    }
}

static void resolve_columns(kr_checker *c, kr_rows *rows)
{
    for (int i = 0; i < rows->part_count; i++)
        resolve_columns(c, rows->parts[i]);
    bool named = rows->kind == KR_ROWS_COLUMN || rows->kind == KR_ROWS_DISTINCT;
    for (int i = 0; named && rows->sheet && i < rows->column_count; i++)
        if (!kr_sheet_column(rows->sheet, rows->from[i])) {
            kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, rows->span, "sheet `%s` has no column `%s` to take rows from", rows->sheet->name, rows->from[i]);
            const char **all = KR_NEW_ARRAY(c->arena, const char *, rows->sheet->column_count);
            for (int k = 0; k < rows->sheet->column_count; k++)
                all[k] = rows->sheet->columns[k]->name;
            const char *near = kr_nearest(rows->from[i], all, (size_t)rows->sheet->column_count);
            if (near)
                kr_check_help(c, d, "did you mean `%s`?", near);
        }
    if (rows->kind != KR_ROWS_JOIN || !rows->sheet || !rows->sheet_b)
        return;
    for (int i = 0; i < rows->on_count; i++)
        for (int side = 0; side < 2; side++) {
            const kr_sheet *sheet = side ? rows->sheet_b : rows->sheet;
            if (!kr_sheet_column(sheet, rows->on[i]))
                kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, rows->span, "the join is on `%s`, and sheet `%s` (%s) has no such column", rows->on[i], sheet->name, side ? "b" : "a");
        }
}

void kr_rows_resolve(kr_checker *c)
{
    kr_model *m = c->model;
    for (int i = 0; i < m->sheet_count; i++) {
        kr_sheet *sheet = m->sheets[i];
        if (!sheet->rows) {
            sheet->rows = KR_NEW(m->arena, kr_rows);
            sheet->rows->kind = KR_ROWS_DATA;
            sheet->rows->span = sheet->span;
        }
        resolve_sheets(c, sheet->rows);
    }
    for (int i = 0; i < m->sheet_count; i++)
        resolve_keys(c, m->sheets[i]);
    for (int i = 0; i < m->sheet_count; i++)
        resolve_columns(c, m->sheets[i]->rows);
}

/* ------------------------------------------------------------------------------------------------ types of generated keys */

typedef struct source {
    kr_type type;
    kr_domain domain;
    kr_unit unit;
} source;

static bool key_source(kr_checker *c, kr_rows *rows, const char *name, source *out)
{
    for (int i = 0; i < rows->part_count; i++)
        if (key_source(c, rows->parts[i], name, out) && out->type != KR_T_NONE)
            return true;
    for (int i = 0; i < rows->column_count; i++) {
        if (strcmp(rows->columns[i], name) != 0)
            continue;
        *out = (source){ 0 };
        if (rows->kind == KR_ROWS_DAYS) {
            out->type = KR_T_DAY;
        } else if (rows->kind == KR_ROWS_RANGE) {
            out->type = KR_T_NUMBER;
            out->domain.whole = true;
        } else if (rows->kind == KR_ROWS_JOIN) {
            if (!rows->sheet || !rows->sheet_b)
                return false;
            kr_scope scope = { .place = KR_IN_JOIN, .own = rows->sheet, .far = rows->sheet_b };
            kr_expr *e = c->inferring ? kr_check_in(c, &rows->key[i], &scope) : rows->key[i].expr; /* in phase two checked with its join */
            if (!e)
                return false;
            out->type = e->type;
            out->unit = e->unit;
            if (e->kind == KR_X_COLUMN)
                out->domain = e->column->domain;
        } else if (rows->sheet) {
            kr_column_def *from = kr_sheet_column(rows->sheet, rows->from[i]);
            if (!from)
                return false;
            out->type = kr_check_column_type(c, from);
            out->domain = from->domain;
            out->unit = from->unit;
        }
        return true;
    }
    return false;
}

void kr_rows_key_type(kr_checker *c, kr_column_def *column)
{
    source from = { 0 };
    if (!key_source(c, column->sheet->rows, column->name, &from))
        return;
    column->type = from.type;
    column->domain = from.domain;
    if (!column->doc.unit.known)
        column->unit = from.unit;
}

/* ------------------------------------------------------------------------------------------------ sequence and clock */

static kr_column_def **columns_named(kr_checker *c, const kr_sheet *sheet, const char **column_names, int count)
{
    kr_column_def **out = KR_NEW_ARRAY(c->model->arena, kr_column_def *, count);
    for (int i = 0; i < count; i++)
        if (!(out[i] = kr_sheet_column(sheet, column_names[i])))
            return NULL;
    return out;
}

static bool holds(kr_column_def *const *set, int count, const kr_column_def *column)
{
    for (int i = 0; i < count; i++)
        if (set[i] == column)
            return true;
    return false;
}

/* The one column of this type among those, or NULL. */
static kr_column_def *only(kr_column_def *const *set, int count, kr_type type, bool input)
{
    kr_column_def *found = NULL;
    for (int i = 0; i < count; i++)
        if (set[i]->type == type && (!input || set[i]->input)) {
            if (found)
                return NULL;
            found = set[i];
        }
    return found;
}

bool kr_sheet_sequence(kr_checker *c, kr_sheet *sheet)
{
    if (sheet->order_n > 0)
        return true;
    for (int i = 0; i < sheet->key_count; i++)
        if (!sheet->keys[i] || kr_check_column_type(c, sheet->keys[i]) == KR_T_NONE)
            return false; /* not known yet */
    kr_column_def **order = NULL;
    int order_n = 0;
    if (sheet->order_count > 0) {
        order = columns_named(c, sheet, sheet->order_names, sheet->order_count);
        order_n = order ? sheet->order_count : 0;
        for (int i = 0; i < order_n; i++)
            if (kr_check_column_type(c, order[i]) == KR_T_NONE)
                return false;
    } else {
        kr_column_def *one = only(sheet->keys, sheet->key_count, KR_T_TIME, false);
        if (!one)
            one = only(sheet->keys, sheet->key_count, KR_T_DAY, false);
        if (!one && sheet->key_count == 0)
            one = only(sheet->columns, sheet->column_count, KR_T_TIME, true);
        if (one) {
            order = KR_NEW_ARRAY(c->model->arena, kr_column_def *, 1);
            order[0] = one;
            order_n = 1;
        }
    }
    if (order_n == 0)
        return false;
    kr_column_def **per;
    int per_n = 0;
    if (sheet->per_names) {
        per = columns_named(c, sheet, sheet->per_names, sheet->per_count);
        if (!per)
            return false;
        per_n = sheet->per_count;
    } else {
        per = KR_NEW_ARRAY(c->model->arena, kr_column_def *, sheet->key_count);
        for (int i = 0; i < sheet->key_count; i++)
            if (!holds(order, order_n, sheet->keys[i]))
                per[per_n++] = sheet->keys[i];
    }
    sheet->order = order;
    sheet->order_n = order_n;
    sheet->per = per;
    sheet->per_n = per_n;
    sheet->clock = only(sheet->keys, sheet->key_count, KR_T_DAY, false);
    if (!sheet->clock)
        sheet->clock = only(order, order_n, KR_T_TIME, false);
    return true;
}

static void check_sequence_names(kr_checker *c, kr_sheet *sheet, const char *const *list, int count, const char *what)
{
    for (int i = 0; list && i < count; i++)
        if (!kr_sheet_column(sheet, list[i])) {
            const char **all = KR_NEW_ARRAY(c->arena, const char *, sheet->column_count);
            for (int k = 0; k < sheet->column_count; k++)
                all[k] = sheet->columns[k]->name;
            kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, sheet->span, "`%s` of sheet `%s` names `%s`, and it has no such column", what, sheet->name, list[i]);
            const char *near = kr_nearest(list[i], all, (size_t)sheet->column_count);
            if (near)
                kr_check_help(c, d, "did you mean `%s`?", near);
        }
}

void kr_sequences_check(kr_checker *c)
{
    for (int i = 0; i < c->model->sheet_count; i++) {
        kr_sheet *sheet = c->model->sheets[i];
        check_sequence_names(c, sheet, sheet->per_names, sheet->per_count, "per");
        check_sequence_names(c, sheet, sheet->order_names, sheet->order_count, "order");
        kr_sheet_sequence(c, sheet);
    }
}

/* ------------------------------------------------------------------------------------------------ formulas of the rows */

static void check_range(kr_checker *c, kr_rows *rows)
{
    kr_formula *ends[2] = { &rows->low, &rows->high };
    kr_cell value[2];
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        kr_scope scope = { .place = KR_IN_CONST, .inside = "a range" };
        kr_expr *e = kr_check_in(c, ends[i], &scope);
        ok &= e != NULL;
        if (!e)
            continue;
        if (e->type != KR_T_NUMBER || !kr_expr_constant(c, e, &value[i]) || !kr_num_is_int(value[i])) {
            kr_check_error(c, KR_E_RANGE, e->node, "the ends of range(\"%s\", low, high) are whole numbers, of constants and parameters", rows->columns[0]);
            ok = false;
        }
    }
    if (ok && kr_num_cmp(kr_num_sub(value[1], value[0]), kr_num_of_int(10000000)) > 0)
        kr_check_error(c, KR_E_RANGE, rows->high.expr->node, "range(\"%s\", low, high) has more than 10,000,000 values", rows->columns[0]);
}

static void check_join(kr_checker *c, kr_rows *rows)
{
    if (!rows->sheet || !rows->sheet_b)
        return;
    kr_scope scope = { .place = KR_IN_JOIN, .own = rows->sheet, .far = rows->sheet_b };
    for (int i = 0; i < rows->on_count; i++) {
        kr_column_def *a = kr_sheet_column(rows->sheet, rows->on[i]), *b = kr_sheet_column(rows->sheet_b, rows->on[i]);
        if (a && b && a->type != b->type && a->type != KR_T_NONE && b->type != KR_T_NONE)
            kr_check_error_span(c, KR_E_TYPE, rows->span, "the join is on `%s`: it is %s in `%s` and %s in `%s`", rows->on[i], kr_type_name(a->type), rows->sheet->name,
                                kr_type_name(b->type), rows->sheet_b->name);
    }
    kr_check_boolean(c, &rows->where, &scope, "the condition of a join");
    for (int i = 0; i < rows->column_count; i++)
        kr_check_in(c, &rows->key[i], &scope);
}

static void check_fold(kr_checker *c, kr_sheet *sheet, kr_rows *rows)
{
    kr_fold *fold = rows->fold;
    if (!rows->sheet)
        return;
    int before = c->errors;
    check_sequence_names(c, rows->sheet, fold->per, fold->per_count, "per");
    check_sequence_names(c, rows->sheet, fold->order, fold->order_count, "order");
    kr_scope scope = { .place = KR_IN_ROW, .own = rows->sheet };
    kr_check_boolean(c, &fold->where, &scope, "the condition of a fold");
    if (fold->order_count == 0 && !kr_sheet_sequence(c, rows->sheet))
        kr_check_error_span(c, KR_E_ORDER, fold->span, "the fold walks sheet `%s`, which has no order: give the fold one", rows->sheet->name);
    if (c->errors == before && !kr_fold_check(c->model, sheet, c->diags))
        c->errors++;
}

static void check_rows(kr_checker *c, kr_sheet *sheet, kr_rows *rows)
{
    for (int i = 0; i < rows->part_count; i++)
        check_rows(c, sheet, rows->parts[i]);
    switch (rows->kind) {
    case KR_ROWS_RANGE: check_range(c, rows); break;
    case KR_ROWS_JOIN: check_join(c, rows); break;
    case KR_ROWS_FOLD: check_fold(c, sheet, rows); break;
    case KR_ROWS_DISTINCT:
        if (rows->sheet) {
            kr_scope scope = { .place = KR_IN_ROW, .own = rows->sheet };
            kr_check_boolean(c, &rows->where, &scope, "the condition of `distinct`");
        }
        break;
    default: break;
    }
}

/* Parts of one union, and a key that the author typed, must be of the type that the rows give. */
static void check_key_types(kr_checker *c, const kr_column_def *key, kr_rows *rows)
{
    for (int i = 0; i < rows->part_count; i++)
        check_key_types(c, key, rows->parts[i]);
    source from = { 0 };
    if (rows->part_count > 0 || !key_source(c, rows, key->name, &from) || from.type == KR_T_NONE || key->type == KR_T_NONE || from.type == key->type)
        return;
    kr_check_error_span(c, KR_E_KEY, key->span, "`%s.%s` is %s, and its rows give %s", key->sheet->name, key->name, kr_type_name(key->type), kr_type_name(from.type));
}

void kr_rows_check(kr_checker *c)
{
    for (int i = 0; i < c->model->sheet_count; i++) {
        kr_sheet *sheet = c->model->sheets[i];
        check_rows(c, sheet, sheet->rows);
        for (int k = 0; k < sheet->key_count && kr_sheet_generated(sheet) && sheet->rows->kind != KR_ROWS_FOLD; k++)
            if (sheet->keys[k])
                check_key_types(c, sheet->keys[k], sheet->rows);
        kr_scope scope = { .place = KR_IN_ROW, .own = sheet };
        kr_check_boolean(c, &sheet->where, &scope, "the `where` of a sheet");
    }
}
