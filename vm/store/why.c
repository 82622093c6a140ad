#include "vm/store/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vm/engine/explain.h"
#include "vm/store/write.h"
#include "vm/text/buf.h"
#include "vm/text/time.h"
#include "vm/text/utf8.h"

typedef struct part {          /* what a formula read */
    const char *text, *value;
    const kr_expr *expr;
} part;

typedef struct told {          /* a column of the row */
    const kr_column_def *def;
    const char *value, *place; /* place: file:line, "" */
    part *parts;               /* of the one that was asked for */
    int part_count;
    size_t part_room;
} told;

typedef struct went_in {       /* rows of another sheet */
    const char *of;            /* the form, or how its rows were found */
    const char *key;           /* equal: the same rows */
    kr_explain_rows rows;
    kr_column_def **columns;   /* to show */
    int column_count;
} went_in;

struct kr_why {
    kr_arena *arena;
    const kr_pool *pool;
    const kr_model *model;
    kr_run *run;
    kr_diags *diags;
    kr_why_question asked;
    const kr_sheet *sheet;
    uint32_t row;
    const char *label;
    told *told;
    int told_count;
    went_in *sets;
    int set_count;
    size_t set_room;
    told *current;
    bool failed;
};

/* ------------------------------------------------------------------ the row */

static const char *cell_text(const kr_why *w, const kr_column_def *def, uint32_t row)
{
    const kr_column *column = kr_run_column(w->run, def);
    return column ? kr_cell_text(w->arena, w->pool, def->type, kr_column_get(column, row), NULL) : "";
}

static bool says(const kr_why *w, const kr_column_def *def, uint32_t row, const char *value)
{
    kr_num a, b;
    const char *text = cell_text(w, def, row);
    if (strcmp(text, value) == 0)
        return true;
    return def->type == KR_T_NUMBER && kr_num_read(text, strlen(text), &a, NULL) == KR_READ_OK
        && kr_num_read(value, strlen(value), &b, NULL) == KR_READ_OK && kr_raw_eq(a, b);
}

/* agent[season=S1, agent=alpha]; a bag's row by its input. */
static const char *label_of(const kr_why *w, const kr_sheet *sheet, uint32_t row)
{
    const char *text = kr_arena_printf(w->arena, "%s[", sheet->name);
    int n = 0;
    for (int c = 0; c < sheet->column_count; c++) {
        const kr_column_def *def = sheet->columns[c];
        bool key = false;
        for (int k = 0; k < sheet->key_count; k++)
            key |= sheet->keys[k] == def;
        if (key || (sheet->key_count == 0 && def->input))
            text = kr_arena_printf(w->arena, "%s%s%s=%s", text, n++ ? ", " : "", def->name, cell_text(w, def, row));
    }
    return kr_arena_printf(w->arena, "%s]", text);
}

static bool unknown(kr_why *w, const char *const *names, int count, const char *word, const char *format, ...) __attribute__((format(printf, 5, 6)));
static bool unknown(kr_why *w, const char *const *names, int count, const char *word, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char message[512];
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    kr_diag *d = kr_diag_at(w->diags, KR_E_CMD_NAME, NULL, "%s", message);
    const char *near = count ? kr_nearest(word, names, (size_t)count) : NULL;
    if (near)
        kr_diag_help(w->diags, d, "did you mean `%s`?", near);
    return false;
}

static kr_column_def *column_named(kr_why *w, const kr_sheet *sheet, const char *name)
{
    kr_column_def *def = kr_sheet_column(sheet, name);
    if (def && !def->hidden)
        return def;
    const char **names = KR_NEW_ARRAY(w->arena, const char *, sheet->column_count + 1);
    for (int c = 0; c < sheet->column_count; c++)
        names[c] = sheet->columns[c]->name;
    unknown(w, names, sheet->column_count, name, "sheet `%s` has no column `%s`", sheet->name, name);
    return NULL;
}

/* The rows of one version's run that the question names: their number, and the first of them. */
static size_t rows_named(kr_why *w, const kr_chain_part *p, kr_column_def *const *columns, const char *const *values, uint32_t *first, uint32_t *second)
{
    size_t found = 0;
    const kr_column *clock = w->sheet->clock ? kr_run_column(p->run, w->sheet->clock) : NULL;
    for (size_t row = 0; row < kr_run_row_count(p->run, w->sheet); row++) {
        kr_cell when = clock ? kr_column_get(clock, row) : KR_BLANK;
        if (!kr_is_special(when)) {
            int64_t day = w->sheet->clock->type == KR_T_DAY ? kr_cell_int(when) : kr_day_of_time(kr_cell_int(when));
            if (day < p->first || day > p->last)
                continue; /* another version's */
        }
        bool in = true;
        for (int k = 0; k < w->asked.key_count && in; k++)
            in = says(w, columns[k], (uint32_t)row, values[k]);
        if (in)
            *(found++ ? second : first) = (uint32_t)row;
    }
    return found;
}

static bool several(kr_why *w, size_t found, uint32_t a, uint32_t b)
{
    kr_diag *d = kr_diag_at(w->diags, KR_E_CMD_NAME, NULL, "%zu rows of `%s` are so", found, w->sheet->name);
    kr_diag_help(w->diags, d, "say more of its columns, as KEY=VALUE: there are %s and %s", label_of(w, w->sheet, a), label_of(w, w->sheet, b));
    return false;
}

static bool find_row(kr_why *w, const kr_chain *chain)
{
    for (int p = chain->part_count; p-- > 0;) {
        const kr_chain_part *part_of = &chain->parts[p];
        uint32_t a = 0, b = 0;
        w->model = chain->book->versions[part_of->version].model;
        w->run = part_of->run;
        w->sheet = kr_model_sheet(w->model, w->asked.sheet);
        if (!w->sheet) {
            const char **names = KR_NEW_ARRAY(w->arena, const char *, w->model->sheet_count + 1);
            for (int s = 0; s < w->model->sheet_count; s++)
                names[s] = w->model->sheets[s]->name;
            return unknown(w, names, w->model->sheet_count, w->asked.sheet, "there is no sheet `%s`", w->asked.sheet);
        }
        kr_column_def **columns = KR_NEW_ARRAY(w->arena, kr_column_def *, w->asked.key_count + 1);
        const char **values = KR_NEW_ARRAY(w->arena, const char *, w->asked.key_count + 1);
        for (int k = 0; k < w->asked.key_count; k++) {
            const char *equal = strchr(w->asked.keys[k], '=');
            KR_ASSERT(equal); /* the caller has told keys by it */
            columns[k] = column_named(w, w->sheet, kr_arena_copy(w->arena, w->asked.keys[k], (size_t)(equal - w->asked.keys[k])));
            values[k] = equal + 1;
            if (!columns[k])
                return false;
        }
        size_t found = rows_named(w, part_of, columns, values, &a, &b);
        if (found > 1)
            return several(w, found, a, b);
        w->row = a;
        if (found == 1)
            return true;
    }
    kr_diag *d = kr_diag_at(w->diags, KR_E_CMD_NAME, NULL, "no row of `%s` is so", w->asked.sheet);
    kr_diag_help(w->diags, d, "values are written as in the results: text as it is, days as 2026-01-31, times in milliseconds");
    return false;
}

/* ------------------------------------------------------------------ what it read */

static void choose_columns(const kr_why *w, const kr_expr *form, went_in *set)
{
    enum { FEW = 14 };
    const kr_sheet *sheet = set->rows.sheet;
    int shown = 0;
    set->columns = KR_NEW_ARRAY(w->arena, kr_column_def *, sheet->column_count + 1);
    for (int c = 0; c < sheet->column_count; c++)
        shown += !sheet->columns[c]->hidden;
    for (int c = 0; c < sheet->column_count; c++) {
        kr_column_def *def = sheet->columns[c];
        bool key = sheet->key_count == 0 && def->input;
        for (int k = 0; k < sheet->key_count; k++)
            key |= sheet->keys[k] == def;
        if (!def->hidden && kr_run_column(w->run, def) && (key || shown <= FEW || kr_explain_names(form, def)))
            set->columns[set->column_count++] = def;
    }
}

static bool same_rows(const went_in *a, const went_in *b)
{
    return a->rows.sheet == b->rows.sheet && a->rows.count == b->rows.count && a->column_count == b->column_count
        && memcmp(a->columns, b->columns, sizeof *a->columns * (size_t)a->column_count) == 0
        && (a->rows.count == 0 || memcmp(a->rows.rows, b->rows.rows, sizeof *a->rows.rows * a->rows.count) == 0);
}

static void add_rows(kr_why *w, const kr_expr *form)
{
    bool whole_row = !w->asked.column; /* then only which rows matters, not each form that read them */
    const char *text = kr_expr_print(w->arena, w->model, form), *match = kr_expr_match_text(w->arena, form);
    const char *key = text;
    if (whole_row && (form->kind == KR_X_AGG || form->kind == KR_X_ARG))
        key = kr_arena_printf(w->arena, "%s %s%s%s", form->sheet->name, match, form->where ? " WHERE " : "", form->where ? kr_expr_print(w->arena, w->model, form->where) : "");
    for (int i = 0; i < w->set_count; i++)
        if (strcmp(w->sets[i].key, key) == 0)
            return;
    went_in set = { .of = key, .key = key };
    if (!kr_explain_rows_of(w->arena, w->run, w->sheet, w->row, form, &set.rows, w->diags)) {
        w->failed = true;
        return;
    }
    if (!set.rows.sheet)
        return;
    choose_columns(w, form, &set);
    for (int i = 0; i < w->set_count && whole_row; i++)
        if (same_rows(&w->sets[i], &set))
            return;
    KR_PUSH(w->arena, w->sets, w->set_count, w->set_room) = set;
}

static bool is_key(const kr_sheet *sheet, const kr_column_def *def)
{
    for (int k = 0; k < sheet->key_count; k++)
        if (sheet->keys[k] == def)
            return true;
    return false;
}

static void add_part(void *context, const kr_expr *e)
{
    kr_why *w = context;
    kr_cell cell;
    bool form = e->kind != KR_X_COLUMN && e->kind != KR_X_PARAM;
    if (w->failed || (e->kind == KR_X_COLUMN && is_key(w->sheet, e->column)))
        return;
    if (form)
        add_rows(w, e);
    if (!w->asked.column)
        return;
    const char *text = kr_expr_print(w->arena, w->model, e);
    for (int i = 0; i < w->current->part_count; i++)
        if (strcmp(w->current->parts[i].text, text) == 0)
            return;
    if (!kr_explain_value(w->run, w->sheet, w->row, e, &cell, w->diags)) {
        w->failed = true;
        return;
    }
    part p = { text, kr_cell_text(w->arena, w->pool, e->type, cell, NULL), e };
    KR_PUSH(w->arena, w->current->parts, w->current->part_count, w->current->part_room) = p;
}

static void tell(kr_why *w, const kr_column_def *def)
{
    told *t = w->current = &w->told[w->told_count++];
    t->def = def;
    t->value = cell_text(w, def, w->row);
    t->place = "";
    if (def->span.source) {
        uint32_t line, column;
        kr_source_place(def->span.source, def->span.start, &line, &column);
        t->place = kr_arena_printf(w->arena, "%s:%u", def->span.source->name, line);
    }
    if (def->formula.expr)
        kr_explain_each(def->formula.expr, add_part, w);
}

kr_why *kr_why_new(kr_arena *arena, const kr_chain *chain, const kr_why_question *question, kr_diags *diags)
{
    kr_why *w = KR_NEW(arena, kr_why);
    *w = (kr_why){ .arena = arena, .pool = chain->book->pool, .diags = diags, .asked = *question };
    if (!find_row(w, chain))
        return NULL;
    const kr_column_def *only = question->column ? column_named(w, w->sheet, question->column) : NULL;
    if (question->column && !only)
        return NULL;
    w->label = label_of(w, w->sheet, w->row);
    w->told = KR_NEW_ARRAY(arena, told, w->sheet->column_count + 1);
    for (int c = 0; c < w->sheet->column_count && !w->failed; c++)
        if (only ? w->sheet->columns[c] == only : !w->sheet->columns[c]->hidden && !is_key(w->sheet, w->sheet->columns[c]))
            tell(w, w->sheet->columns[c]);
    return w->failed ? NULL : w;
}

/* ------------------------------------------------------------------ as text */

static void put_padded(kr_buf *t, const char *bytes, size_t width, bool right)
{
    size_t have = kr_text_width(bytes, strlen(bytes));
    for (size_t i = have; right && i < width; i++)
        kr_buf_put(t, " ");
    kr_buf_put(t, bytes);
    for (size_t i = have; !right && i < width; i++)
        kr_buf_put(t, " ");
}

static const char *or_blank(const char *value) { return *value ? value : "(blank)"; }

static size_t shown_rows(const kr_why *w, const went_in *set)
{
    return w->asked.rows && set->rows.count > w->asked.rows ? w->asked.rows : set->rows.count;
}

static void put_rows(kr_buf *t, const kr_why *w, const went_in *set)
{
    size_t n = shown_rows(w, set), *width = KR_NEW_ARRAY(t->arena, size_t, set->column_count + 1);
    kr_buf_put(t, kr_arena_printf(t->arena, "\n%zu row%s of `%s`: %s\n", set->rows.count, set->rows.count == 1 ? "" : "s", set->rows.sheet->name, set->of));
    if (set->rows.count == 0)
        return;
    for (int c = 0; c < set->column_count; c++) {
        width[c] = strlen(set->columns[c]->name);
        for (size_t i = 0; i < n; i++) {
            const char *cell = cell_text(w, set->columns[c], set->rows.rows[i]);
            size_t wide = kr_text_width(cell, strlen(cell));
            width[c] = wide > width[c] ? wide : width[c];
        }
    }
    for (size_t i = 0; i <= n; i++) {
        kr_buf_put(t, " ");
        for (int c = 0; c < set->column_count; c++) {
            bool last = c + 1 == set->column_count, right = set->columns[c]->type == KR_T_NUMBER;
            kr_buf_put(t, " ");
            put_padded(t, i ? cell_text(w, set->columns[c], set->rows.rows[i - 1]) : set->columns[c]->name, last && !right ? 0 : width[c], right);
        }
        kr_buf_put(t, "\n");
    }
    if (n < set->rows.count)
        kr_buf_put(t, kr_arena_printf(t->arena, "  … and %zu more (--rows 0 shows all)\n", set->rows.count - n));
}

/* A formula on one line. */
static const char *flat(kr_buf *t, const char *formula)
{
    char *out = kr_arena_copy(t->arena, formula, strlen(formula));
    size_t n = 0;
    for (const char *c = formula; *c; c++) {
        bool space = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
        if (!space || (n > 0 && out[n - 1] != ' '))
            out[n++] = space ? ' ' : *c;
    }
    out[n - (n > 0 && out[n - 1] == ' ')] = 0;
    return out;
}

static const char *unit_of(kr_buf *t, const kr_column_def *def)
{
    const char *unit = def->type == KR_T_NUMBER && def->unit.known ? kr_unit_write(t->arena, &def->unit) : "1";
    return strcmp(unit, "1") == 0 ? "" : kr_arena_printf(t->arena, " %s", unit);
}

static void put_one(kr_buf *t, const kr_why *w, const told *c)
{
    kr_buf_put(t, kr_arena_printf(t->arena, "%s.%s = %s%s\n", w->label, c->def->name, or_blank(c->value), *c->value ? unit_of(t, c->def) : ""));
    if (c->def->doc.text && *c->def->doc.text)
        kr_buf_put(t, kr_arena_printf(t->arena, "  %s\n", c->def->doc.text));
    if (!c->def->formula.expr) {
        kr_buf_put(t, c->def->input ? "  given: it is an input, or made with the row\n" : "");
        return;
    }
    const char *written = flat(t, c->def->formula.fragment->text), *meant = kr_expr_print(t->arena, w->model, c->def->formula.expr);
    kr_buf_put(t, kr_arena_printf(t->arena, "\n  %s\n    %s\n", c->place, written));
    if (strcmp(written, meant) != 0)
        kr_buf_put(t, kr_arena_printf(t->arena, "  that is\n    %s\n", meant));
    size_t width = 0;
    for (int i = 0; i < c->part_count; i++) {
        size_t wide = kr_text_width(c->parts[i].text, strlen(c->parts[i].text));
        width = wide > width && wide <= 60 ? wide : width;
    }
    kr_buf_put(t, c->part_count ? "\ncomputed from\n" : "");
    for (int i = 0; i < c->part_count; i++) {
        kr_buf_put(t, "  ");
        put_padded(t, c->parts[i].text, width, false);
        kr_buf_put(t, kr_arena_printf(t->arena, " = %s%s\n", or_blank(c->parts[i].value), c->parts[i].expr->kind == KR_X_PARAM ? "  (parameter)" : ""));
    }
}

const char *kr_why_text(const kr_why *w)
{
    kr_buf t = { .arena = w->arena };
    if (w->asked.column) {
        put_one(&t, w, &w->told[0]);
    } else {
        size_t name = 0, value = 0;
        for (int i = 0; i < w->told_count; i++) {
            size_t wide = kr_text_width(w->told[i].value, strlen(w->told[i].value));
            name = strlen(w->told[i].def->name) > name ? strlen(w->told[i].def->name) : name;
            value = wide > value && wide <= 40 ? wide : value;
        }
        kr_buf_put(&t, kr_arena_printf(w->arena, "%s\n", w->label));
        for (int i = 0; i < w->told_count; i++) {
            const told *c = &w->told[i];
            kr_buf_put(&t, "  ");
            put_padded(&t, c->def->name, name, false);
            kr_buf_put(&t, "  ");
            put_padded(&t, or_blank(c->value), c->def->formula.fragment ? value : 0, false);
            kr_buf_put(&t, c->def->formula.fragment ? kr_arena_printf(w->arena, "  = %s\n", flat(&t, c->def->formula.fragment->text)) : "\n");
        }
    }
    for (int i = 0; i < w->set_count; i++)
        put_rows(&t, w, &w->sets[i]);
    return t.text ? t.text : "";
}

/* ------------------------------------------------------------------ as JSON */

static void put_string(kr_buf *t, const char *bytes)
{
    const char *quoted;
    size_t len;
    kr_json_string(t->arena, bytes, strlen(bytes), &quoted, &len);
    kr_buf_bytes(t, quoted, len);
}

static void put_field(kr_buf *t, const char *name, const char *value)
{
    kr_buf_put(t, ",\"");
    kr_buf_put(t, name);
    kr_buf_put(t, "\":");
    put_string(t, value);
}

/* Values are strings, exact, as `krules eval` writes them; null when blank. */
static void put_value(kr_buf *t, const char *value)
{
    if (*value)
        put_string(t, value);
    else
        kr_buf_put(t, "null");
}

static void put_told(kr_buf *t, const kr_why *w, const told *c)
{
    kr_buf_put(t, "{\"column\":");
    put_string(t, c->def->name);
    kr_buf_put(t, ",\"value\":");
    put_value(t, c->value);
    put_field(t, "type", kr_type_name(c->def->type));
    put_field(t, "unit", c->def->unit.known ? kr_unit_write(t->arena, &c->def->unit) : "");
    put_field(t, "doc", c->def->doc.text ? c->def->doc.text : "");
    put_field(t, "place", c->place);
    if (c->def->formula.expr) {
        put_field(t, "formula", c->def->formula.fragment->text);
        put_field(t, "meaning", kr_expr_print(t->arena, w->model, c->def->formula.expr));
    }
    kr_buf_put(t, ",\"from\":[");
    for (int i = 0; i < c->part_count; i++) {
        kr_buf_put(t, i ? ",{\"what\":" : "{\"what\":");
        put_string(t, c->parts[i].text);
        kr_buf_put(t, ",\"value\":");
        put_value(t, c->parts[i].value);
        put_field(t, "kind", c->parts[i].expr->kind == KR_X_PARAM ? "parameter" : c->parts[i].expr->kind == KR_X_COLUMN ? "column" : "form");
        kr_buf_put(t, "}");
    }
    kr_buf_put(t, "]}");
}

static void put_set(kr_buf *t, const kr_why *w, const went_in *set)
{
    kr_buf_put(t, "{\"of\":");
    put_string(t, set->of);
    put_field(t, "sheet", set->rows.sheet->name);
    kr_buf_put(t, kr_arena_printf(t->arena, ",\"count\":%zu,\"rows\":[", set->rows.count));
    for (size_t i = 0; i < shown_rows(w, set); i++) {
        kr_buf_put(t, i ? ",\n{" : "\n{");
        for (int c = 0; c < set->column_count; c++) {
            kr_buf_put(t, c ? "," : "");
            put_string(t, set->columns[c]->name);
            kr_buf_put(t, ":");
            put_value(t, cell_text(w, set->columns[c], set->rows.rows[i]));
        }
        kr_buf_put(t, "}");
    }
    kr_buf_put(t, "]}");
}

const char *kr_why_json(const kr_why *w)
{
    kr_buf t = { .arena = w->arena };
    kr_buf_put(&t, "{\"row\":");
    put_string(&t, w->label);
    kr_buf_put(&t, ",\"columns\":[");
    for (int i = 0; i < w->told_count; i++) {
        kr_buf_put(&t, i ? ",\n" : "\n");
        put_told(&t, w, &w->told[i]);
    }
    kr_buf_put(&t, "],\"rows\":[");
    for (int i = 0; i < w->set_count; i++) {
        kr_buf_put(&t, i ? ",\n" : "\n");
        put_set(&t, w, &w->sets[i]);
    }
    kr_buf_put(&t, "]}\n");
    return t.text;
}
