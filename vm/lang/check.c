/* check.c: the passes of the checker, in order, and what belongs to no single formula: names declared twice, parameters and their
 * ranges, outputs, checks, examples. */
#include "vm/lang/check_internal.h"

#include <string.h>

enum { NEW, BUSY, DONE, MAX_ROUNDS = 12, MAX_STACK = 1 << 20 };

/* ------------------------------------------------------------------------------------------------ errors */

static kr_diag *add_error(kr_checker *c, kr_code code, kr_span span, const kr_node *node, const char *format, va_list args)
{
    if (!c->inferring)
        c->errors++;
    for (size_t i = 0; i < kr_diags_shown(c->diags) && span.source && !c->inferring; i++) {
        const kr_diag *had = kr_diags_get(c->diags, i);
        if (had->code == code && had->span.source == span.source && had->span.start == span.start && had->span.end == span.end)
            return kr_diag_add(kr_diags_new(c->arena), code, span, "%s", ""); /* a define's body, used again: one cause, one message */
    }
    kr_diag *d = kr_diag_add(c->diags, code, span, "%s", kr_arena_vprintf(c->arena, format, args));
    if (node && c->fragment && node->fragment && node->fragment != c->fragment)
        kr_diag_window(c->diags, d, kr_fragment_span(c->fragment, 0, c->fragment->len), "used in this formula");
    return d;
}

kr_diag *kr_check_error(kr_checker *c, kr_code code, const kr_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_diag *d = add_error(c, code, kr_node_span(node), node, format, args);
    va_end(args);
    return d;
}

kr_diag *kr_check_error_name(kr_checker *c, kr_code code, const kr_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_span span = node->kind == KR_N_CALL ? kr_fragment_span(node->fragment, node->start, node->start + (uint32_t)strlen(node->text)) : kr_node_span(node);
    kr_diag *d = add_error(c, code, span, node, format, args);
    va_end(args);
    return d;
}

kr_diag *kr_check_error_span(kr_checker *c, kr_code code, kr_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_diag *d = add_error(c, code, span, NULL, format, args);
    va_end(args);
    return d;
}

void kr_check_help(kr_checker *c, kr_diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_diag_help(c->diags, diag, "%s", kr_arena_vprintf(c->arena, format, args));
    va_end(args);
}

/* ------------------------------------------------------------------------------------------------ formulas */

kr_expr *kr_check_in(kr_checker *c, kr_formula *formula, const kr_scope *scope)
{
    if (!formula->fragment)
        return NULL;
    if (!formula->tree && !(formula->tree = kr_parse_formula(c->model->arena, formula->fragment, c->diags))) {
        if (!c->inferring)
            c->errors++;
        return NULL;
    }
    const kr_fragment *outer = c->fragment;
    c->fragment = formula->fragment;
    kr_node *tree = kr_expand(c, formula->tree);
    kr_expr *e = tree ? kr_check_expr(c, scope, tree) : NULL;
    c->fragment = outer;
    if (!c->inferring)
        formula->expr = e;
    return e;
}

kr_expr *kr_check_boolean(kr_checker *c, kr_formula *formula, const kr_scope *scope, const char *what)
{
    kr_expr *e = kr_check_in(c, formula, scope);
    if (!e || e->type == KR_T_BOOLEAN || e->type == KR_T_NONE)
        return e;
    kr_diag *d = kr_check_error(c, KR_E_TYPE, e->node, "%s must be boolean, not %s", what, kr_type_name(e->type));
    kr_check_help(c, d, "compare it with something: = <> < <= > >=");
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ types of columns */

static bool unit_same(const kr_unit *a, const kr_unit *b) { return a->known == b->known && (!a->known || kr_unit_eq(a, b)); }

kr_type kr_check_column_type(kr_checker *c, kr_column_def *column)
{
    if (!c->inferring)
        return column->type;
    unsigned char *state = &c->state[column->sheet->index][column->index];
    bool given = column->input && (column->type != KR_T_NONE || !kr_sheet_generated(column->sheet));
    char *here = __builtin_frame_address(0);
    if (given || *state != NEW || (here < c->stack ? c->stack - here : here - c->stack) > MAX_STACK)
        return column->type; /* of an earlier round, where this one is not through; the round itself comes by later */
    *state = BUSY;
    kr_type type = column->type;
    kr_unit unit = column->unit;
    if (column->input) {
        kr_rows_key_type(c, column);
    } else {
        kr_scope scope = { .place = KR_IN_ROW, .own = column->sheet };
        kr_expr *e = kr_check_in(c, &column->formula, &scope);
        if (e && e->type != KR_T_NONE) {
            column->type = e->type;
            if (!column->doc.unit.known)
                column->unit = e->unit;
        }
    }
    c->changed |= type != column->type || !unit_same(&unit, &column->unit);
    *state = DONE;
    return column->type;
}

static void infer(kr_checker *c)
{
    kr_arena *arena = c->arena, *scratch = kr_arena_new();
    kr_diags *diags = c->diags;
    kr_model *m = c->model;
    c->arena = scratch;
    c->inferring = true;
    c->stack = __builtin_frame_address(0);
    c->state = KR_NEW_ARRAY(m->arena, unsigned char *, m->sheet_count);
    for (int s = 0; s < m->sheet_count; s++)
        c->state[s] = KR_NEW_ARRAY(m->arena, unsigned char, m->sheets[s]->column_count);
    for (int round = 0, guesses = 0; round < MAX_ROUNDS; round++) {
        kr_arena_reset(scratch);
        c->diags = kr_diags_new(scratch);
        c->changed = false;
        bool unknown = false;
        for (int s = 0; s < m->sheet_count; s++)
            memset(c->state[s], NEW, (size_t)m->sheets[s]->column_count);
        for (int s = 0; s < m->sheet_count; s++)
            for (int i = 0; i < m->sheets[s]->column_count; i++)
                unknown |= kr_check_column_type(c, m->sheets[s]->columns[i]) == KR_T_NONE;
        if (c->changed)
            continue;
        if (!unknown || guesses == 2)
            break;
        c->guess = ++guesses > 0;
    }
    kr_arena_free(scratch);
    c->arena = arena;
    c->diags = diags;
    c->inferring = false;
    c->guess = false;
}

static void check_column(kr_checker *c, kr_column_def *column)
{
    if (column->input)
        return;
    kr_scope scope = { .place = KR_IN_ROW, .own = column->sheet };
    kr_expr *e = kr_check_in(c, &column->formula, &scope);
    if (column->history == KR_HISTORY_VALUE && column->history_value.fragment) {
        kr_scope constant = { .place = KR_IN_CONST, .inside = "the history of a column" };
        kr_expr *h = kr_check_in(c, &column->history_value, &constant);
        if (h && h->type != column->type && h->type != KR_T_NONE && column->type != KR_T_NONE)
            kr_check_error(c, KR_E_TYPE, h->node, "the history of `%s` is %s, and the column is %s", column->name, kr_type_name(h->type), kr_type_name(column->type));
    }
    if (!e)
        return;
    column->type = e->type;
    if (!column->doc.unit.known) {
        column->unit = e->unit;
        return;
    }
    if (e->type == KR_T_NUMBER && e->unit.known && !kr_unit_eq(&e->unit, &column->doc.unit)) {
        kr_diag *d = kr_check_error_span(c, KR_E_UNITS, column->doc.unit_span, "`%s.%s` is declared in [%s], and its formula gives [%s]", column->sheet->name,
                                         column->name, kr_unit_write(c->arena, &column->doc.unit), kr_unit_write(c->arena, &e->unit));
        kr_diag_window(c->diags, d, kr_node_span(e->node), "gives this unit");
        kr_check_help(c, d, "correct one of the two, or say the unit in the formula: AS(…, \"%s\")", kr_unit_write(c->arena, &column->doc.unit));
    }
}

/* What stays without a type although nothing else is wrong reads only itself. */
static void check_unknown_types(kr_checker *c)
{
    for (int s = 0; s < c->model->sheet_count; s++)
        for (int i = 0; i < c->model->sheets[s]->column_count; i++) {
            const kr_column_def *column = c->model->sheets[s]->columns[i];
            if (column->type != KR_T_NONE && (column->input || column->formula.expr))
                continue;
            int before = c->errors;
            c->lenient = true;
            check_column(c, c->model->sheets[s]->columns[i]);
            c->lenient = false;
            if (c->errors > before)
                continue;
            kr_diag *d = kr_check_error_span(c, KR_E_TYPE_UNKNOWN, column->formula.fragment ? kr_fragment_span(column->formula.fragment, 0, column->formula.fragment->len) : column->span,
                                             "what `%s.%s` holds cannot be told: it is made of itself only", column->sheet->name, column->name);
            kr_check_help(c, d, "give PREV a value to start with, PREV(x, 0), or say that it is a number with AS(x, \"1\")");
        }
}

/* ------------------------------------------------------------------------------------------------ declarations */

static void name_twice(kr_checker *c, kr_span span, kr_span first, const char *what, const char *name, const char *other)
{
    kr_diag *d = kr_check_error_span(c, KR_E_NAME_TAKEN, span, "%s `%s` has the name of %s", what, name, other);
    if (first.source)
        kr_diag_window(c->diags, d, first, "the other one");
    kr_check_help(c, d, "rename one of them: a bare name must mean one thing");
}

static void check_names(kr_checker *c)
{
    const kr_model *m = c->model;
    for (int s = 0; s < m->sheet_count; s++)
        for (int i = 0; i < m->sheets[s]->column_count; i++) {
            const kr_column_def *column = m->sheets[s]->columns[i];
            const kr_param *param = kr_model_param(m, column->name);
            if (param)
                name_twice(c, column->span, param->span, "column", kr_arena_printf(c->arena, "%s.%s", column->sheet->name, column->name), "a parameter");
        }
    for (int i = 0; i < m->define_count; i++) {
        const kr_define *define = &m->defines[i];
        if (kr_fn_find(m->families, define->name, strlen(define->name)))
            name_twice(c, define->span, (kr_span){ 0 }, "define", define->name, "a function of the language");
        for (int k = 0; k < define->arg_count; k++)
            for (int l = 0; l < k; l++)
                if (strcmp(define->args[k], define->args[l]) == 0)
                    kr_check_error_span(c, KR_E_NAME_TAKEN, define->span, "define `%s` has two arguments `%s`", define->name, define->args[k]);
    }
    for (int i = 0; i < m->user_fn_count; i++) {
        const kr_user_fn *user = &m->user_fns[i];
        const kr_define *define = kr_model_define(m, user->name);
        if (kr_fn_find(m->families, user->name, strlen(user->name)))
            name_twice(c, user->span, (kr_span){ 0 }, "fn", user->name, "a function of the language");
        else if (define)
            name_twice(c, user->span, define->span, "fn", user->name, "a define");
    }
}

/* Formulas of the header read input only: they are known before any row is made. */
static void only_inputs(kr_checker *c, const kr_expr *expr, const char *what);

typedef struct input_walk {
    kr_checker *c;
    const char *what;
    bool bad;
} input_walk;

static void input_column(void *context, kr_column_def *column, const kr_expr *via)
{
    input_walk *w = context;
    if (w->bad || (column->input && !kr_sheet_generated(column->sheet)))
        return;
    w->bad = true;
    kr_check_error(w->c, KR_E_DAYS, via->node, "%s is of input columns only, and `%s.%s` is %s", w->what, column->sheet->name, column->name,
                   column->input ? "made from other sheets" : "a formula");
}

static void input_rows(void *context, kr_sheet *sheet, const kr_expr *via)
{
    (void)context, (void)sheet, (void)via;
}

static void only_inputs(kr_checker *c, const kr_expr *expr, const char *what)
{
    input_walk w = { c, what, false };
    kr_expr_refs(expr, &(kr_refs){ input_column, input_rows, &w });
}

static void check_header(kr_checker *c)
{
    kr_model *m = c->model;
    kr_formula *ends[2] = { &m->days_from, &m->days_to };
    const char *names[2] = { "`from` of the days", "`to` of the days" };
    kr_scope scope = { .place = KR_IN_ROW };
    for (int i = 0; i < 2; i++) {
        kr_expr *e = kr_check_in(c, ends[i], &scope);
        if (!e)
            continue;
        if (e->type != KR_T_DAY && e->type != KR_T_TIME && e->type != KR_T_NONE)
            kr_check_error(c, KR_E_TYPE, e->node, "%s must be day or time, not %s", names[i], kr_type_name(e->type));
        only_inputs(c, e, names[i]);
    }
    if (m->has_days && !m->days_from.fragment)
        kr_check_error_span(c, KR_E_DAYS, m->header_span, "the days of the rulebook say no `from`");
    if (!m->governed_by.fragment)
        return;
    scope.own = m->output_count > 0 ? m->outputs[0] : NULL; /* one answer for each published row */
    kr_expr *e = kr_check_in(c, &m->governed_by, &scope);
    if (e && e->type != KR_T_DAY && e->type != KR_T_TIME && e->type != KR_T_NONE)
        kr_check_error(c, KR_E_TYPE, e->node, "`governed_by` must be day or time, not %s", kr_type_name(e->type));
}

static void suggest(kr_checker *c, kr_diag *d, const char *word, const char *const *names, int count)
{
    const char *near = kr_nearest(word, names, (size_t)count);
    if (near)
        kr_check_help(c, d, "did you mean `%s`?", near);
}

static void suggest_column(kr_checker *c, kr_diag *d, const kr_sheet *sheet, const char *word)
{
    const char **names = KR_NEW_ARRAY(c->arena, const char *, sheet->column_count);
    for (int i = 0; i < sheet->column_count; i++)
        names[i] = sheet->columns[i]->name;
    suggest(c, d, word, names, sheet->column_count);
}

static void check_outputs(kr_checker *c)
{
    const kr_model *m = c->model;
    for (int i = 0; i < m->output_count && m->output_columns; i++)
        for (int k = 0; k < m->output_columns[i].count; k++)
            if (!kr_sheet_column(m->outputs[i], m->output_columns[i].names[k])) {
                const kr_sheet *sheet = m->outputs[i];
                kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, m->output_columns[i].span.source ? m->output_columns[i].span : sheet->span, "the output of sheet `%s` names `%s`, and it has no such column", sheet->name,
                                                 m->output_columns[i].names[k]);
                suggest_column(c, d, sheet, m->output_columns[i].names[k]);
            }
    for (int i = 0; i < m->assert_count; i++) {
        kr_assert *a = &m->asserts[i];
        kr_scope scope = { .place = KR_IN_ROW, .own = a->sheet };
        kr_check_boolean(c, &a->formula, &scope, a->require ? "what a `require` states" : "what a `check` states");
    }
    for (int i = 0; i < m->carry_count; i++) {
        const kr_carry *carry = &m->carries[i];
        const kr_sheet *sheet = kr_model_sheet(m, carry->sheet);
        if (!sheet)
            kr_check_error_span(c, KR_E_UNKNOWN_SHEET, carry->span, "`carry` names sheet `%s`, and there is none", carry->sheet);
        else if (!kr_sheet_column(sheet, carry->new_name))
            suggest_column(c, kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, carry->span, "`carry` names `%s.%s`, and sheet `%s` has no such column", carry->sheet,
                                                  carry->new_name, carry->sheet),
                           sheet, carry->new_name);
        else if (kr_sheet_column(sheet, carry->old_name))
            kr_check_error_span(c, KR_E_NAME_TAKEN, carry->span, "`carry` says `%s` was renamed, and sheet `%s` still has it", carry->old_name, carry->sheet);
    }
}

/* The text that a day's report is: a text column of a sheet with days. */
static void check_report(kr_checker *c)
{
    kr_model *m = c->model;
    if (!m->report)
        return;
    const char *dot = strchr(m->report, '.');
    const kr_sheet *sheet = dot ? kr_model_sheet(m, kr_arena_copy(c->arena, m->report, (size_t)(dot - m->report))) : NULL;
    m->report_column = sheet ? kr_sheet_column(sheet, dot + 1) : NULL;
    if (!m->report_column) {
        kr_diag *d = kr_check_error_span(c, sheet ? KR_E_UNKNOWN_COLUMN : KR_E_UNKNOWN_SHEET, m->report_span, "`report` names `%s`, and there is no such column", m->report);
        kr_check_help(c, d, "write report = \"sheet.column\"");
    } else if (m->report_column->type != KR_T_TEXT || !sheet->clock) {
        kr_check_error_span(c, KR_E_TYPE, m->report_span, sheet->clock ? "`report` gives a text, and `%s` is none" : "`report` is of days, and the sheet of `%s` has none", m->report);
    }
}

static void check_examples(kr_checker *c)
{
    const kr_model *m = c->model;
    for (int i = 0; i < m->example_count; i++)
        for (int t = 0; t < m->examples[i].table_count; t++) {
            const struct kr_example_table *table = &m->examples[i].tables[t];
            const kr_sheet *sheet = kr_model_sheet(m, table->sheet);
            if (!sheet) {
                kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_SHEET, table->span, "example `%s` names sheet `%s`, and there is none", m->examples[i].title, table->sheet);
                const char **names = KR_NEW_ARRAY(c->arena, const char *, m->sheet_count);
                for (int k = 0; k < m->sheet_count; k++)
                    names[k] = m->sheets[k]->name;
                suggest(c, d, table->sheet, names, m->sheet_count);
                continue;
            }
            if (!table->expect && kr_sheet_generated(sheet)) {
                kr_check_error_span(c, KR_E_EXAMPLE, table->span, "example `%s` gives rows to `%s`, which makes its own rows", m->examples[i].title, table->sheet);
                continue;
            }
            for (int k = 0; k < table->column_count; k++) {
                const kr_column_def *column = kr_sheet_column(sheet, table->columns[k]);
                if (!column) {
                    kr_diag *d = kr_check_error_span(c, KR_E_UNKNOWN_COLUMN, table->span, "example `%s` names `%s.%s`, and sheet `%s` has no such column",
                                                     m->examples[i].title, table->sheet, table->columns[k], table->sheet);
                    suggest_column(c, d, sheet, table->columns[k]);
                } else if (!table->expect && !column->input)
                    kr_check_error_span(c, KR_E_EXAMPLE, table->span, "example `%s` gives cells to `%s.%s`, which is a formula", m->examples[i].title, table->sheet, table->columns[k]);
            }
        }
}

/* ------------------------------------------------------------------------------------------------ the passes */

bool kr_check(kr_model *model, kr_diags *diags)
{
    kr_checker c = { .model = model, .arena = model->arena, .diags = diags };
    for (int s = 0; s < model->sheet_count; s++)
        for (int i = 0; i < model->sheets[s]->column_count; i++) {
            kr_column_def *column = model->sheets[s]->columns[i];
            if (column->doc.unit.known)
                column->unit = column->doc.unit;
        }
    kr_rows_resolve(&c);
    if (c.errors > 0)
        return false;
    check_names(&c);
    infer(&c);
    kr_sequences_check(&c);
    for (int s = 0; s < model->sheet_count; s++)
        for (int i = 0; i < model->sheets[s]->column_count; i++)
            check_column(&c, model->sheets[s]->columns[i]);
    kr_rows_check(&c);
    check_header(&c);
    check_outputs(&c);
    check_report(&c);
    check_examples(&c);
    if (c.errors == 0)
        check_unknown_types(&c);
    if (c.errors == 0)
        kr_time_check(&c);
    return c.errors == 0;
}

kr_expr *kr_check_formula(kr_model *model, kr_sheet *sheet, const kr_fragment *fragment, kr_diags *diags)
{
    kr_checker c = { .model = model, .arena = model->arena, .diags = diags };
    kr_fragment *copy = KR_NEW(model->arena, kr_fragment);
    *copy = *fragment;
    kr_formula formula = { .fragment = copy };
    kr_scope scope = { .place = KR_IN_ROW, .own = sheet };
    return kr_check_in(&c, &formula, &scope);
}
