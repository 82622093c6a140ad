#include "vm/store/view.h"

#include <stdlib.h>
#include <string.h>

#include "vm/text/time.h"

static const kr_model *model_of(const kr_chain *chain, int part) { return chain->book->versions[chain->parts[part].version].model; }

kr_cell kr_view_cell(const kr_view_sheet *sheet, size_t row, int column)
{
    const kr_column *data = sheet->columns[column].data[sheet->rows[row].part];
    return data ? kr_column_get(data, sheet->rows[row].row) : KR_BLANK;
}

static const char *row_place(kr_arena *arena, const kr_pool *pool, const kr_run *run, const kr_sheet *sheet, uint32_t row, const char *column)
{
    const char *text = sheet->name;
    for (int k = 0; k < sheet->key_count; k++) {
        const kr_column *data = sheet->keys ? kr_run_column(run, sheet->keys[k]) : NULL;
        const char *cell = data ? kr_cell_text(arena, pool, data->type, kr_column_get(data, row), NULL) : "?";
        text = kr_arena_printf(arena, "%s%s%s=%s", text, k ? ", " : "[", sheet->key_names[k], cell);
    }
    int shown = 0;
    for (int c = 0; sheet->key_count == 0 && c < sheet->column_count && shown < 8; c++) { /* a bag: its input, as far as it is kept */
        const kr_column *data = sheet->columns[c]->input ? kr_run_column(run, sheet->columns[c]) : NULL;
        if (data)
            text = kr_arena_printf(arena, "%s%s%s=%s", text, shown++ ? ", " : "[", sheet->columns[c]->name, kr_cell_text(arena, pool, data->type, kr_column_get(data, row), NULL));
    }
    if (sheet->key_count || shown)
        text = kr_arena_printf(arena, "%s]", text);
    else
        text = kr_arena_printf(arena, "%s[row %u]", text, row + 1);
    return column ? kr_arena_printf(arena, "%s.%s", text, column) : text;
}

const char *kr_view_place(kr_arena *arena, const kr_view *view, const kr_view_sheet *sheet, size_t row, int column)
{
    const kr_view_row *r = &sheet->rows[row];
    const kr_sheet *own = kr_model_sheet(model_of(view->chain, r->part), sheet->name);
    return row_place(arena, view->chain->book->pool, view->chain->parts[r->part].run, own, r->row, column < 0 ? NULL : sheet->columns[column].name);
}

static bool cell_day(kr_type type, kr_cell cell, int64_t *day)
{
    if (kr_is_special(cell))
        return false;
    *day = type == KR_T_DAY ? kr_cell_int(cell) : kr_day_of_time(kr_cell_int(cell));
    return true;
}

bool kr_view_day(const kr_view_sheet *sheet, size_t row, int64_t *day)
{
    const kr_view_row *r = &sheet->rows[row];
    const kr_column *clock = sheet->clock[r->part];
    return clock && cell_day(clock->type, kr_column_get(clock, r->row), day);
}

/* ------------------------------------------------------------------ what is chosen */

typedef struct choice { const char *sheet, *column; } choice; /* column NULL: what the sheet publishes */

static choice *read_choices(kr_arena *arena, const char *only, size_t *count)
{
    choice *choices = NULL;
    size_t capacity = 0;
    *count = 0;
    for (const char *p = only; p && *p;) {
        size_t n = strcspn(p, ", ");
        if (n) {
            char *name = kr_arena_copy(arena, p, n), *dot = strchr(name, '.');
            if (dot)
                *dot = 0;
            KR_PUSH(arena, choices, *count, capacity) = (choice){ name, dot ? dot + 1 : NULL };
        }
        p += n + (p[n] != 0);
    }
    return choices;
}

static int output_index(const kr_model *model, const char *sheet)
{
    for (int i = 0; i < model->output_count; i++)
        if (!strcmp(model->outputs[i]->name, sheet))
            return i;
    return -1;
}

static bool publishes(const kr_model *model, const char *sheet, const char *column)
{
    int o = output_index(model, sheet);
    if (o < 0 || !column)
        return o >= 0;
    const struct kr_output_columns *list = model->output_columns ? &model->output_columns[o] : NULL;
    for (int i = 0; list && i < list->count; i++)
        if (!strcmp(list->names[i], column))
            return true;
    return !list || !list->count;
}

bool kr_view_needs_all(const kr_book *book, const kr_view_options *options)
{
    if (options->where)
        return true;
    kr_arena *arena = kr_arena_new();
    size_t count;
    choice *choices = read_choices(arena, options->only, &count);
    bool all = false;
    for (size_t i = 0; i < count; i++)
        all |= !publishes(book->versions[book->version_count - 1].model, choices[i].sheet, choices[i].column);
    kr_arena_free(arena);
    return all;
}

static kr_view_sheet *sheet_of(kr_view *view, const char *name)
{
    for (int i = 0; i < view->sheet_count; i++)
        if (!strcmp(view->sheets[i].name, name))
            return &view->sheets[i];
    return NULL;
}

static kr_view_column *column_of(kr_view_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->column_count; i++)
        if (!strcmp(sheet->columns[i].name, name))
            return &sheet->columns[i];
    return NULL;
}

static void add_column(kr_view *view, kr_view_sheet *sheet, const kr_column_def *def)
{
    if (column_of(sheet, def->name))
        return;
    kr_view_column *c = &sheet->columns[sheet->column_count++];
    *c = (kr_view_column){ .name = def->name, .type = def->type, .def = def };
    c->data = KR_NEW_ARRAY(view->arena, const kr_column *, view->chain->part_count);
    for (int k = 0; k < sheet->sheet->key_count; k++)
        c->key |= !strcmp(sheet->sheet->key_names[k], def->name);
    for (int p = 0; p < view->chain->part_count; p++) {
        const kr_sheet *own = kr_model_sheet(model_of(view->chain, p), sheet->name);
        const kr_column_def *there = own ? kr_sheet_column(own, def->name) : NULL;
        if (there && there->type == def->type)
            c->data[p] = kr_run_column(view->chain->parts[p].run, there);
    }
}

static kr_view_sheet *add_sheet(kr_view *view, const kr_sheet *sheet)
{
    kr_view_sheet *s = sheet_of(view, sheet->name);
    if (s)
        return s;
    s = &view->sheets[view->sheet_count++];
    *s = (kr_view_sheet){ .name = sheet->name, .sheet = sheet };
    s->columns = KR_NEW_ARRAY(view->arena, kr_view_column, sheet->column_count);
    s->clock = KR_NEW_ARRAY(view->arena, const kr_column *, view->chain->part_count);
    for (int p = 0; p < view->chain->part_count; p++) {
        const kr_sheet *own = kr_model_sheet(model_of(view->chain, p), sheet->name);
        s->clock[p] = own && own->clock ? kr_run_column(view->chain->parts[p].run, own->clock) : NULL;
    }
    for (int k = 0; k < sheet->key_count; k++)
        add_column(view, s, sheet->keys[k]);
    return s;
}

static void add_published(kr_view *view, kr_view_sheet *s, const kr_model *model)
{
    int o = output_index(model, s->name);
    const struct kr_output_columns *list = o >= 0 && model->output_columns ? &model->output_columns[o] : NULL;
    for (int i = 0; list && i < list->count; i++) {
        const kr_column_def *def = kr_sheet_column(s->sheet, list->names[i]);
        if (def)
            add_column(view, s, def);
    }
    for (int i = 0; (!list || !list->count) && i < s->sheet->column_count; i++)
        if (!s->sheet->columns[i]->hidden)
            add_column(view, s, s->sheet->columns[i]);
}

static bool unknown(kr_view *view, const kr_model *model, const choice *c, const kr_sheet *sheet, kr_diags *diags)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    for (int i = 0; sheet && i < sheet->column_count; i++)
        if (!sheet->columns[i]->hidden)
            KR_PUSH(view->arena, names, count, capacity) = sheet->columns[i]->name;
    for (int i = 0; !sheet && i < model->sheet_count; i++)
        KR_PUSH(view->arena, names, count, capacity) = model->sheets[i]->name;
    kr_diag *d = sheet ? kr_diag_at(diags, KR_E_CMD_NAME, "--only", "sheet `%s` has no column `%s`", c->sheet, c->column)
                       : kr_diag_at(diags, KR_E_CMD_NAME, "--only", "there is no sheet `%s`", c->sheet);
    const char *near = kr_nearest(sheet ? c->column : c->sheet, names, count);
    if (near)
        kr_diag_help(diags, d, "did you mean `%s`?", near);
    return false;
}

static bool choose(kr_view *view, const char *only, kr_diags *diags)
{
    const kr_model *model = model_of(view->chain, view->chain->part_count - 1);
    size_t count;
    choice *choices = read_choices(view->arena, only, &count);
    if (!count && !kr_book_publishes(view->chain->book, diags))
        return false;
    view->sheets = KR_NEW_ARRAY(view->arena, kr_view_sheet, model->sheet_count);
    for (int i = 0; !count && i < model->output_count; i++)
        add_published(view, add_sheet(view, model->outputs[i]), model);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const kr_sheet *sheet = kr_model_sheet(model, choices[i].sheet);
        const kr_column_def *def = sheet && choices[i].column ? kr_sheet_column(sheet, choices[i].column) : NULL;
        if (!sheet || (choices[i].column && !def)) {
            ok = unknown(view, model, &choices[i], sheet, diags);
            continue;
        }
        kr_view_sheet *s = add_sheet(view, sheet);
        if (def)
            add_column(view, s, def);
        else
            add_published(view, s, model);
    }
    return ok;
}

/* ------------------------------------------------------------------ rows */

/* --where over one part's rows of a sheet: NULL when the formula does not fit the sheet (then diagnostics say why). */
static kr_cell *filter(kr_arena *scratch, const kr_view *view, int part, const kr_sheet *sheet, const char *where, kr_diags *diags)
{
    kr_run *run = view->chain->parts[part].run;
    kr_model *model = (kr_model *)model_of(view->chain, part); /* checking a formula adds its tree to the model's arena */
    kr_fragment *fragment = kr_fragment_plain(view->arena, "--where", where, strlen(where));
    kr_expr *expr = kr_check_formula(model, (kr_sheet *)sheet, fragment, diags);
    if (!expr)
        return NULL;
    if (expr->type != KR_T_BOOLEAN) {
        kr_diag_add(diags, KR_E_CMD_VALUE, kr_fragment_span(fragment, 0, fragment->len), "--where wants a condition, but this is a %s", kr_type_name(expr->type));
        return NULL;
    }
    kr_cell *keep = KR_NEW_ARRAY(scratch, kr_cell, kr_run_row_count(run, sheet));
    return kr_run_eval(run, sheet, expr, keep, diags) ? keep : NULL;
}

/* The times that govern a book without days (its header's governed_by), one a row. */
static kr_cell *governed(kr_arena *scratch, const kr_view *view, int part, const kr_sheet *sheet, kr_type *type, kr_diags *diags)
{
    kr_model *model = (kr_model *)model_of(view->chain, part);
    kr_expr *expr = kr_check_formula(model, (kr_sheet *)sheet, model->governed_by.fragment, diags);
    if (!expr)
        return NULL;
    kr_run *run = view->chain->parts[part].run;
    kr_cell *times = KR_NEW_ARRAY(scratch, kr_cell, kr_run_row_count(run, sheet));
    *type = expr->type;
    return kr_run_eval(run, sheet, expr, times, diags) ? times : NULL;
}

/* Whether a row of a book without days is this part's. A row without a time is the newest version's; one before the first is nobody's. */
static bool governs(const kr_view *view, int part, const kr_sheet *sheet, uint32_t row, kr_type type, kr_cell time, kr_diags *diags)
{
    const kr_chain_part *p = &view->chain->parts[part];
    int64_t day;
    if (!cell_day(type, time, &day))
        return part + 1 == view->chain->part_count;
    if (part == 0 && day < p->first)
        kr_diag_at(diags, KR_E_STORE_PERIOD, row_place(view->arena, view->chain->book->pool, p->run, sheet, row, NULL), "no version of `%s` was in force at this row's time",
                   view->chain->book->name);
    return day >= p->first && day <= p->last;
}

static int row_cmp(const kr_view *view, const kr_view_sheet *s, const kr_view_row *a, const kr_view_row *b)
{
    for (int c = 0; c < s->column_count && s->columns[c].key; c++) {
        const kr_column *x = s->columns[c].data[a->part], *y = s->columns[c].data[b->part];
        int order = kr_cell_cmp(view->chain->book->pool, s->columns[c].type, x ? kr_column_get(x, a->row) : KR_BLANK, y ? kr_column_get(y, b->row) : KR_BLANK);
        if (order)
            return order;
    }
    return 0;
}

/* Two runs of rows, each in key order, into one. */
static void merge(const kr_view *view, kr_view_sheet *s, size_t middle)
{
    if (!middle || middle == s->row_count)
        return;
    kr_view_row *left = kr_alloc(sizeof *left * middle);
    memcpy(left, s->rows, sizeof *left * middle);
    size_t a = 0, b = middle, out = 0;
    while (a < middle)
        s->rows[out++] = b < s->row_count && row_cmp(view, s, &s->rows[b], &left[a]) < 0 ? s->rows[b++] : left[a++];
    kr_free(left);
}

static bool take_part(kr_view *view, kr_view_sheet *s, int part, const kr_view_options *options, size_t *capacity, kr_diags *diags)
{
    const kr_chain *chain = view->chain;
    const kr_chain_part *p = &chain->parts[part];
    const kr_sheet *own = kr_model_sheet(model_of(chain, part), s->name);
    if (!own || own->key_count != s->sheet->key_count)
        return true;
    kr_arena *scratch = kr_arena_new();
    bool dated = !chain->has_days && (options->has_from || options->has_to);
    const kr_column *clock = chain->has_days || dated ? s->clock[part] : NULL;
    int64_t from = chain->has_days ? chain->from : options->has_from ? options->from : INT64_MIN;
    int64_t to = chain->has_days ? chain->to : options->has_to ? options->to : INT64_MAX;
    kr_cell *keep = options->where ? filter(scratch, view, part, own, options->where, diags) : NULL, *times = NULL;
    kr_type time_type = KR_T_TIME;
    bool ok = !options->where || keep;
    if (ok && !chain->has_days && chain->part_count > 1)
        ok = (times = governed(scratch, view, part, own, &time_type, diags)) != NULL;
    size_t middle = s->row_count, n = ok ? kr_run_row_count(p->run, own) : 0;
    if (chain->has_days && !clock && part + 1 < chain->part_count)
        n = 0; /* a sheet without days is the last version's */
    for (size_t row = 0; row < n; row++) {
        int64_t day;
        if (keep && !(kr_cell_is_true(keep[row]) && !kr_is_special(keep[row])))
            continue;
        if (clock && (!cell_day(clock->type, kr_column_get(clock, row), &day) || day < from || day > to))
            continue;
        if (clock && chain->has_days && (day < p->first || day > p->last))
            continue;
        if (times && !governs(view, part, own, (uint32_t)row, time_type, times[row], diags))
            continue;
        KR_PUSH(view->arena, s->rows, s->row_count, *capacity) = (kr_view_row){ (uint32_t)row, (uint16_t)part };
    }
    merge(view, s, middle);
    kr_arena_free(scratch);
    return ok;
}

/* A period can be chosen where the book has days, or a row of some sheet has one. */
static bool period_fits(const kr_view *view, const kr_view_options *options, kr_diags *diags)
{
    bool fits = view->chain->has_days || (!options->has_from && !options->has_to);
    for (int i = 0; i < view->sheet_count && !fits; i++)
        for (int part = 0; part < view->chain->part_count && !fits; part++)
            fits = view->sheets[i].clock[part] != NULL;
    if (fits)
        return true;
    const char *flag = !options->has_to ? "--from" : !options->has_from ? "--to" : options->from == options->to ? "--day" : "--from";
    kr_diag *d = kr_diag_at(diags, KR_E_CMD_VALUE, flag, "`%s` has no days, and no row of these sheets has one: there is no period to choose", view->chain->book->name);
    kr_diag_help(diags, d, "leave it out; --where chooses rows by their cells");
    return false;
}

kr_view *kr_view_new(kr_arena *arena, const kr_chain *chain, const kr_view_options *options, kr_diags *diags)
{
    kr_view *view = KR_NEW(arena, kr_view);
    view->arena = arena;
    view->chain = chain;
    if (!choose(view, options->only, diags) || !period_fits(view, options, diags))
        return NULL;
    int kept = 0;
    kr_diags *first = NULL; /* what is wrong with --where for the first sheet: shown when it fits none */
    for (int i = 0; i < view->sheet_count; i++) {
        kr_view_sheet s = view->sheets[i];
        kr_diags *own = options->where ? kr_diags_new(arena) : diags;
        size_t capacity = 0;
        bool ok = true;
        for (int part = 0; part < chain->part_count && ok; part++)
            ok = take_part(view, &s, part, options, &capacity, own);
        if (ok)
            view->sheets[kept++] = s;
        else if (!options->where)
            return NULL;
        else if (!first)
            first = own;
    }
    view->sheet_count = kept;
    if (!kept && first) {
        for (size_t i = 0; i < kr_diags_shown(first); i++) {
            const kr_diag *from = kr_diags_get(first, i);
            kr_diag *to = kr_diag_add(diags, KR_E_CMD_VALUE, from->span, "%s", from->message); /* not the rules are at fault, the flag is */
            *to = *from;
            to->code = KR_E_CMD_VALUE;
        }
        return NULL;
    }
    return view;
}

/* ------------------------------------------------------------------ what went wrong in the cells */

size_t kr_view_report_errors(const kr_view *view, kr_diags *diags)
{
    size_t found = 0;
    for (int i = 0; i < view->sheet_count; i++) {
        const kr_view_sheet *s = &view->sheets[i];
        for (int c = 0; c < s->column_count; c++)
            for (size_t row = 0; row < s->row_count; row++) {
                kr_cell cell = kr_view_cell(s, row, c);
                if (!kr_is_error(cell))
                    continue;
                if (++found <= KR_DIAG_SHOWN && diags)
                    kr_diag_at(diags, KR_E_CELL_ERROR, kr_view_place(view->arena, view, s, row, c), "`%s.%s` is %s", s->name, s->columns[c].name, kr_special_name(cell));
            }
    }
    return found;
}

/* Rows of one check that failed in one version's run; one diagnostic names them. */
static size_t report_assert(kr_arena *arena, const kr_chain *chain, int part, int index, const kr_failed *failed, size_t n, kr_diags *diags)
{
    const kr_chain_part *p = &chain->parts[part];
    const kr_assert *a = &model_of(chain, part)->asserts[index];
    const kr_column *clock = chain->has_days && a->sheet->clock ? kr_run_column(p->run, a->sheet->clock) : NULL;
    const char *places[4] = { NULL };
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t day;
        if (failed[i].assert_index != index)
            continue;
        /* A check speaks of the days asked for; bad data is bad wherever it stands, past the last day too. */
        bool to_the_end = a->require && part == chain->part_count - 1;
        if (clock && cell_day(clock->type, kr_column_get(clock, failed[i].row), &day) &&
            ((day > p->last && !to_the_end) || (day < p->first && part > 0) || (!a->require && day < chain->from)))
            continue;
        if (found < 4)
            places[found] = row_place(arena, chain->book->pool, p->run, a->sheet, failed[i].row, NULL);
        found++;
    }
    if (!found)
        return 0;
    kr_code code = a->require ? KR_E_RUN_REQUIRE : a->warning ? KR_W_RUN_WARN : KR_E_RUN_CHECK;
    kr_diag *d = kr_diag_add(diags, code, a->span, "%s `%s` does not hold for %zu row%s of `%s`",
                             a->require ? "the requirement" : a->warning ? "the expectation" : "the check", a->title, found, found == 1 ? "" : "s", a->sheet->name);
    kr_diag_row(diags, d, places[0]);
    for (int i = 1; i < 4 && places[i]; i++)
        if (i == 3 && found > 4)
            kr_diag_note(diags, d, "also %s, and %zu more", places[i], found - 4);
        else
            kr_diag_note(diags, d, "also %s", places[i]);
    return a->warning ? 0 : found;
}

size_t kr_chain_report_failed(kr_arena *arena, const kr_chain *chain, kr_diags *diags)
{
    size_t found = 0;
    for (int part = 0; part < chain->part_count; part++) {
        const kr_failed *failed;
        size_t n = kr_run_failed(chain->parts[part].run, &failed);
        for (int i = 0; n && i < model_of(chain, part)->assert_count; i++)
            found += report_assert(arena, chain, part, i, failed, n, diags);
    }
    return found;
}
