#include "vm/store/diff_internal.h"

#include <string.h>

#include "vm/host/host.h"
#include "vm/lang/canon.h"
#include "vm/lang/script_tree.h"
#include "vm/text/time.h"

const char *const kr_change_words[KR_CH_KINDS][2] = {
    [KR_CH_HEADER] = { "header field", "header fields" }, [KR_CH_PARAM] = { "parameter", "parameters" }, [KR_CH_SHEET] = { "sheet", "sheets" },
    [KR_CH_COLUMN] = { "formula", "formulas" }, [KR_CH_DEFINE] = { "define", "defines" }, [KR_CH_FUNCTION] = { "function", "functions" },
    [KR_CH_OUTPUT] = { "output", "outputs" }, [KR_CH_CHECK] = { "check", "checks" },
};

/* ------------------------------------------------------------------ numbers and texts */

const char *kr_diff_text_of(kr_arena *arena, kr_num n)
{
    char text[KR_NUM_TEXT];
    return kr_arena_copy(arena, text, kr_num_write(n, text));
}

const char *kr_diff_short(kr_arena *arena, kr_num n)
{
    char text[KR_NUM_TEXT], out[KR_NUM_TEXT * 2];
    if (!kr_is_special(n)) {
        kr_num size = kr_num_abs(n);
        int places = kr_num_cmp(size, kr_num_of_int(1000)) >= 0 ? 2 : kr_num_cmp(size, kr_num_of_int(10)) >= 0 ? 4 : 6;
        n = kr_num_round(n, places, KR_HALF_EVEN);
    }
    size_t len = kr_num_write(n, text), at = 0;
    size_t whole = strcspn(text, ".");
    if (kr_is_special(n) || !len)
        return kr_arena_copy(arena, len ? text : "blank", len ? len : 5);
    for (size_t i = 0; i < len; i++) { /* thousands apart */
        if (i && i < whole && (whole - i) % 3 == 0 && text[i - 1] != '-')
            out[at++] = ',';
        out[at++] = text[i];
    }
    return kr_arena_copy(arena, out, at);
}

const char *kr_diff_day(kr_arena *arena, int64_t day)
{
    char text[16];
    return kr_arena_copy(arena, text, kr_day_write(day, text));
}

bool kr_diff_publishes(const kr_model *m, const kr_column_def *c)
{
    for (int o = 0; o < m->output_count && !c->hidden; o++) {
        const struct kr_output_columns *list = m->output_columns ? &m->output_columns[o] : NULL;
        bool listed = !list || !list->count;
        for (int i = 0; !listed && i < list->count; i++)
            listed = !strcmp(list->names[i], c->name);
        if (m->outputs[o] == c->sheet && listed)
            return true;
    }
    return false;
}

bool kr_diff_is_key(const kr_column_def *c)
{
    for (int i = 0; i < c->sheet->key_count; i++)
        if (!strcmp(c->sheet->key_names[i], c->name))
            return true;
    return false;
}

static const char *keep(kr_arena *arena, const char *text) { return kr_arena_copy(arena, text, strlen(text)); }
static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* ------------------------------------------------------------------ the probe: the new model under the names of the old one */

typedef struct rename { const char *sheet; const char *old_name, *new_name; const kr_column_def *column; } rename; /* sheet NULL: a parameter or a sheet itself */

typedef struct compare {
    kr_diff *diff;
    kr_arena *arena;
    const kr_model *a;
    kr_model *b;     /* untouched */
    kr_model *p;     /* of the new file, too; names become the old ones as renames are found */
} compare;

static const char *name_in(const char *name, const char *from, const char *to) { return same_text(name, from) ? to : name; }

static void rename_in_rows(kr_rows *rows, const char *from, const char *to)
{
    if (!rows)
        return;
    rows->sheet_name = name_in(rows->sheet_name, from, to);
    rows->sheet_name_b = name_in(rows->sheet_name_b, from, to);
    for (int i = 0; i < rows->part_count; i++)
        rename_in_rows(rows->parts[i], from, to);
}

static void rename_sheet(kr_model *p, kr_sheet *sheet, const char *to)
{
    const char *from = sheet->name;
    sheet->name = to;
    for (int i = 0; i < p->sheet_count; i++)
        rename_in_rows(p->sheets[i]->rows, from, to);
}

static void rename_source(kr_rows *rows, const kr_column_def *column, const char *from, const char *to)
{
    if (!rows)
        return;
    for (int i = 0; i < rows->column_count && rows->from; i++)
        if (rows->sheet == column->sheet)
            rows->from[i] = name_in(rows->from[i], from, to);
    for (int i = 0; i < rows->part_count; i++)
        rename_source(rows->parts[i], column, from, to);
}

static void rename_column(kr_model *p, kr_column_def *column, const char *to)
{
    const char *from = column->name;
    column->name = to;
    for (int i = 0; i < column->sheet->key_count; i++)
        column->sheet->key_names[i] = name_in(column->sheet->key_names[i], from, to);
    for (int i = 0; i < p->sheet_count; i++)
        rename_source(p->sheets[i]->rows, column, from, to);
}

static bool equal_columns(const compare *c, const kr_column_def *a, const kr_column_def *p)
{
    return !strcmp(kr_column_print(c->arena, c->a, a), kr_column_print(c->arena, c->p, p));
}

static size_t equal_count(const compare *c)
{
    size_t equal = 0;
    for (int s = 0; s < c->a->sheet_count; s++) {
        const kr_sheet *p = kr_model_sheet(c->p, c->a->sheets[s]->name);
        for (int i = 0; p && i < c->a->sheets[s]->column_count; i++) {
            const kr_column_def *there = kr_sheet_column(p, c->a->sheets[s]->columns[i]->name);
            equal += there && equal_columns(c, c->a->sheets[s]->columns[i], there);
        }
    }
    return equal;
}

static void find_params(compare *c)
{
    for (int i = 0; i < c->a->param_count; i++) {
        const kr_param *gone = &c->a->params[i];
        if (kr_model_param(c->p, gone->name))
            continue;
        for (int j = 0; j < c->p->param_count; j++) {
            kr_param *came = &c->p->params[j];
            if (kr_model_param(c->a, came->name) || came->type != gone->type || !kr_raw_eq(came->value, gone->value))
                continue;
            const char *name = came->name;
            size_t before = equal_count(c);
            came->name = gone->name;
            if (equal_count(c) > before)
                break;
            came->name = name;
        }
    }
}

static bool is_read(const kr_sheet *sheet) { return !sheet->rows || sheet->rows->kind == KR_ROWS_DATA; }

static void find_sheets(compare *c)
{
    for (int i = 0; i < c->a->sheet_count; i++) {
        const kr_sheet *gone = c->a->sheets[i];
        if (kr_model_sheet(c->p, gone->name) || is_read(gone))
            continue;
        for (int j = 0; j < c->p->sheet_count; j++) {
            kr_sheet *came = c->p->sheets[j];
            if (kr_model_sheet(c->a, came->name) || is_read(came))
                continue;
            const char *name = came->name;
            rename_sheet(c->p, came, gone->name);
            int equal = 0;
            for (int k = 0; k < gone->column_count; k++) {
                const kr_column_def *there = kr_sheet_column(came, gone->columns[k]->name);
                equal += there && equal_columns(c, gone->columns[k], there);
            }
            if (!strcmp(kr_sheet_print(c->arena, c->a, gone), kr_sheet_print(c->arena, c->p, came)) && equal * 2 >= gone->column_count)
                break;
            rename_sheet(c->p, came, name);
        }
    }
}

static void find_carried(compare *c)
{
    for (int i = 0; i < c->p->carry_count; i++) {
        const kr_carry *carry = &c->p->carries[i];
        for (int s = 0; s < c->p->sheet_count; s++) {
            kr_sheet *p = c->p->sheets[s];
            const kr_sheet *a = kr_model_sheet(c->a, p->name);
            kr_column_def *came = carry->sheet && strcmp(carry->sheet, p->name) != 0 ? NULL : kr_sheet_column(p, carry->new_name);
            if (a && came && kr_sheet_column(a, carry->old_name) && !kr_sheet_column(p, carry->old_name) && !kr_sheet_column(a, carry->new_name))
                rename_column(c->p, came, carry->old_name);
        }
    }
}

static bool find_columns(compare *c)
{
    bool found = false;
    for (int s = 0; s < c->a->sheet_count; s++) {
        const kr_sheet *a = c->a->sheets[s];
        kr_sheet *p = kr_model_sheet(c->p, a->name);
        for (int i = 0; p && i < a->column_count; i++) {
            const kr_column_def *gone = a->columns[i];
            if (gone->input || gone->hidden || kr_sheet_column(p, gone->name))
                continue;
            for (int j = 0; j < p->column_count; j++) {
                kr_column_def *came = p->columns[j];
                if (came->input || came->hidden || came->type != gone->type || kr_sheet_column(a, came->name))
                    continue;
                const char *name = came->name;
                rename_column(c->p, came, gone->name);
                if (equal_columns(c, gone, came)) {
                    found = true;
                    break;
                }
                rename_column(c->p, came, name);
            }
        }
    }
    return found;
}

/* ------------------------------------------------------------------ changes */

static kr_change *add(compare *c, kr_change_kind kind, kr_change_how how, const char *name)
{
    kr_diff *d = c->diff;
    kr_change *change = &KR_PUSH(d->arena, d->changes, d->change_count, d->change_capacity);
    *change = (kr_change){ .kind = kind, .how = how, .name = name, .old_name = name, .unit = "", .doc = "", .group = -1 };
    return change;
}

static void header_field(compare *c, const char *name, const char *old_text, const char *new_text)
{
    if (same_text(old_text, new_text))
        return;
    kr_change *change = add(c, KR_CH_HEADER, !old_text ? KR_HOW_ADDED : !new_text ? KR_HOW_REMOVED : KR_HOW_CHANGED, name);
    change->old_text = old_text;
    change->new_text = new_text;
}

static const char *formula_text(compare *c, const kr_formula *f) { return f->tree ? kr_print_formula(c->arena, f->tree) : NULL; }
static const char *meaning(compare *c, const kr_model *m, const kr_formula *f) { return f->expr ? kr_expr_print(c->arena, m, f->expr) : ""; }

static const char *days_text(compare *c, const kr_model *m)
{
    if (!m->has_days)
        return NULL;
    const char *to = formula_text(c, &m->days_to);
    return kr_arena_printf(c->arena, "from %s%s%s, lead %d%s", formula_text(c, &m->days_from), to ? ", to " : "", to ? to : "", m->days_lead, m->days_open ? ", open" : "");
}

static void compare_header(compare *c)
{
    const kr_model *a = c->a, *b = c->b;
    header_field(c, "id", a->id, b->id);
    header_field(c, "title", a->title, b->title);
    header_field(c, "language", kr_arena_printf(c->arena, "%d", a->language), kr_arena_printf(c->arena, "%d", b->language));
    header_field(c, "effective_from", a->has_effective_from ? kr_diff_day(c->arena, a->effective_from) : NULL, b->has_effective_from ? kr_diff_day(c->arena, b->effective_from) : NULL);
    header_field(c, "notice_days", kr_arena_printf(c->arena, "%d", a->notice_days), kr_arena_printf(c->arena, "%d", b->notice_days));
    header_field(c, "emergency notice_days", a->has_emergency ? kr_arena_printf(c->arena, "%d", a->emergency_days) : NULL,
                 b->has_emergency ? kr_arena_printf(c->arena, "%d", b->emergency_days) : NULL);
    if (a->has_days != b->has_days || strcmp(meaning(c, a, &a->days_from), meaning(c, c->p, &c->p->days_from)) != 0 ||
        strcmp(meaning(c, a, &a->days_to), meaning(c, c->p, &c->p->days_to)) != 0 || a->days_lead != b->days_lead || a->days_open != b->days_open)
        header_field(c, "days", days_text(c, a), days_text(c, b));
    if (strcmp(meaning(c, a, &a->governed_by), meaning(c, c->p, &c->p->governed_by)) != 0)
        header_field(c, "governed_by", formula_text(c, &a->governed_by), formula_text(c, &b->governed_by));
}

static const char *range_text(compare *c, const kr_param *p)
{
    const char *low = p->has_min ? kr_arena_printf(c->arena, ", min %s", kr_diff_text_of(c->arena, p->min)) : "";
    return p->has_max ? kr_arena_printf(c->arena, "%s, max %s", low, kr_diff_text_of(c->arena, p->max)) : low;
}

/* By about how much a number moved: 10, 100, 1000 (within a quarter); 0: not so. */
int kr_factor_of(kr_num a, kr_num b)
{
    if (kr_is_special(a) || kr_is_special(b) || kr_raw_eq(a, KR_NUM_ZERO) || kr_raw_eq(b, KR_NUM_ZERO))
        return 0;
    kr_num x = kr_num_abs(a), y = kr_num_abs(b);
    kr_num small = kr_num_cmp(x, y) < 0 ? x : y, large = kr_num_cmp(x, y) < 0 ? y : x;
    kr_num ratio = kr_num_div(large, small);
    for (int f = 10; f <= 1000 && !kr_is_special(ratio); f *= 10)
        if (kr_num_cmp(kr_num_mul(ratio, kr_num_of_int(5)), kr_num_of_int(4 * f)) >= 0 && kr_num_cmp(kr_num_mul(ratio, kr_num_of_int(4)), kr_num_of_int(5 * f)) <= 0)
            return f;
    return 0;
}

static kr_change *param_change(compare *c, kr_change_how how, const kr_param *a, const kr_param *b)
{
    const kr_param *shown = b ? b : a;
    kr_change *change = add(c, KR_CH_PARAM, how, shown->name);
    bool ranges = a && b && strcmp(range_text(c, a), range_text(c, b)) != 0;
    change->pa = a;
    change->pb = b;
    change->old_name = a ? a->name : shown->name;
    change->unit = shown->doc.unit.known ? kr_unit_write(c->arena, &shown->doc.unit) : "";
    change->doc = shown->doc.text ? shown->doc.text : "";
    if (a) {
        change->old_raw = kr_cell_text(c->arena, c->a->pool, a->type, a->value, NULL);
        change->old_text = kr_arena_printf(c->arena, "%s%s", a->written ? a->written : change->old_raw, ranges ? range_text(c, a) : "");
    }
    if (b) {
        change->new_raw = kr_cell_text(c->arena, c->b->pool, b->type, b->value, NULL);
        change->new_text = kr_arena_printf(c->arena, "%s%s", b->written ? b->written : change->new_raw, ranges ? range_text(c, b) : "");
    }
    return change;
}

static bool same_param(const compare *c, const kr_param *a, const kr_param *b)
{
    return a->type == b->type && kr_raw_eq(a->value, b->value) && a->has_min == b->has_min && a->has_max == b->has_max &&
           (!a->has_min || kr_raw_eq(a->min, b->min)) && (!a->has_max || kr_raw_eq(a->max, b->max)) && a->doc.unit.known == b->doc.unit.known &&
           (!a->doc.unit.known || !strcmp(kr_unit_write(c->arena, &a->doc.unit), kr_unit_write(c->arena, &b->doc.unit)));
}

const char *kr_param_moves(kr_arena *arena, const kr_param *a, const kr_param *b, kr_diags *diags)
{
    int factor = a->type == KR_T_NUMBER && b->type == KR_T_NUMBER ? kr_factor_of(a->value, b->value) : 0;
    if (!factor)
        return NULL;
    const char *from = kr_diff_text_of(arena, a->value), *to = kr_diff_text_of(arena, b->value);
    kr_diag *d = kr_diag_add(diags, KR_W_GOV_FACTOR, b->value_span, "`%s` moves by a factor of about %d: from %s to %s", b->name, factor, a->written ? a->written : from, b->written ? b->written : to);
    kr_diag_note(diags, d, "that is %s to %s: a percentage may have been taken for a part of one, or a point misplaced", from, to);
    return kr_arena_printf(arena, "moves by a factor of about %d", factor);
}

static void compare_params(compare *c, kr_diags *diags)
{
    for (int i = 0; i < c->b->param_count; i++) {
        const kr_param *b = &c->b->params[i], *a = kr_model_param(c->a, c->p->params[i].name);
        if (!a) {
            param_change(c, KR_HOW_ADDED, NULL, b);
            continue;
        }
        bool renamed = strcmp(a->name, b->name) != 0;
        if (!renamed && same_param(c, a, b))
            continue;
        kr_change *change = param_change(c, renamed ? KR_HOW_RENAMED : KR_HOW_CHANGED, a, b);
        change->warning = kr_param_moves(c->arena, a, b, diags);
    }
    for (int i = 0; i < c->a->param_count; i++)
        if (!kr_model_param(c->p, c->a->params[i].name))
            param_change(c, KR_HOW_REMOVED, &c->a->params[i], NULL);
}

/* A function as it stands in the file, comments and all: its meaning was compared by kr_script_print, which is not for reading. */
static const char *script_text(compare *c, const kr_model *m, const kr_script *script)
{
    const kr_span *s = &script->span;
    if (!s->source || s->end <= s->start)
        return kr_script_print(c->arena, m, script);
    return kr_arena_copy(c->arena, s->source->text + s->start, s->end - s->start);
}

static const kr_fold *fold_of(const kr_rows *rows)
{
    const kr_fold *found = rows ? rows->fold : NULL;
    for (int i = 0; rows && !found && i < rows->part_count; i++)
        found = fold_of(rows->parts[i]);
    return found;
}

/* A canonical line for reading: without the lengths that stand before texts. */
static const char *readable(compare *c, const char *line)
{
    char *out = kr_arena_copy(c->arena, line, strlen(line)), *to = out;
    for (const char *p = line; *p;) {
        size_t digits = p == line || p[-1] == ' ' ? strspn(p, "0123456789") : 0;
        if (digits && p[digits] == ':')
            p += digits + 1;
        else
            *to++ = *p++;
    }
    *to = 0;
    return out;
}

static const char *sheet_text(compare *c, const kr_model *m, const kr_sheet *sheet)
{
    const char *line = readable(c, kr_sheet_print(c->arena, m, sheet) + strlen("sheet ") + strlen(sheet->name));
    line += *line == ' ';
    const kr_fold *fold = fold_of(sheet->rows);
    const char *step = fold && fold->step ? strstr(line, " step function ") : NULL;
    return step ? kr_arena_printf(c->arena, "%.*s step %s", (int)(step - line), line, script_text(c, m, fold->step)) : line;
}

static void compare_sheets(compare *c)
{
    for (int i = 0; i < c->b->sheet_count; i++) {
        const kr_sheet *b = c->b->sheets[i], *p = c->p->sheets[i], *a = kr_model_sheet(c->a, p->name);
        const char *now = kr_sheet_print(c->arena, c->p, p), *before = a ? kr_sheet_print(c->arena, c->a, a) : NULL;
        bool renamed = a && strcmp(a->name, b->name) != 0;
        if (a && !renamed && !strcmp(now, before))
            continue;
        kr_change *change = add(c, KR_CH_SHEET, !a ? KR_HOW_ADDED : renamed ? KR_HOW_RENAMED : KR_HOW_CHANGED, b->name);
        change->old_name = a ? a->name : b->name;
        bool same = before && !strcmp(now, before);
        change->old_text = a ? sheet_text(c, c->a, a) : NULL;
        change->new_text = same ? change->old_text : sheet_text(c, c->p, p);
        change->doc = b->doc.text ? b->doc.text : "";
        change->sa = a;
        change->sb = b;
    }
    for (int i = 0; i < c->a->sheet_count; i++)
        if (!kr_model_sheet(c->p, c->a->sheets[i]->name)) {
            kr_change *change = add(c, KR_CH_SHEET, KR_HOW_REMOVED, c->a->sheets[i]->name);
            change->old_text = sheet_text(c, c->a, c->a->sheets[i]);
            change->sa = c->a->sheets[i];
        }
}

/* ------------------------------------------------------------------ columns */

typedef struct gathered { kr_arena *arena; const kr_expr **list; size_t count, capacity; } gathered;

static void gather_matches(void *context, const kr_expr *e)
{
    gathered *g = context;
    if (e->kind == KR_X_AGG || e->kind == KR_X_ARG || e->kind == KR_X_SEQUENCE || e->kind == KR_X_SHARE || e->kind == KR_X_COMPONENT || e->kind == KR_X_HOPS)
        KR_PUSH(g->arena, g->list, g->count, g->capacity) = e;
}

static void compare_matches(compare *c, kr_change *change, const kr_formula *a, const kr_formula *p)
{
    gathered x = { .arena = c->arena }, y = { .arena = c->arena };
    kr_expr_walk(a->expr, gather_matches, &x);
    kr_expr_walk(p->expr, gather_matches, &y);
    for (size_t i = 0, j = 0; i < x.count && j < y.count; i++, j++) {
        if (x.list[i]->fn != y.list[j]->fn)
            return; /* another formula: its words say it */
        const char *old_match = kr_expr_match_text(c->arena, x.list[i]), *new_match = kr_expr_match_text(c->arena, y.list[j]);
        if (strcmp(old_match, new_match) != 0)
            KR_PUSH(c->diff->arena, change->matches, change->match_count, change->match_capacity) =
                kr_arena_printf(c->arena, "%s over `%s`: %s → %s", x.list[i]->fn->name, x.list[i]->sheet ? x.list[i]->sheet->name : "own rows", old_match, new_match);
    }
}

static const char *column_text(compare *c, const kr_model *m, const kr_column_def *def)
{
    if (!def)
        return NULL;
    if (def->formula.tree)
        return kr_print_formula(c->arena, def->formula.tree);
    const char *line = readable(c, kr_column_print(c->arena, m, def));
    const char *space = strchr(line + strlen("column "), ' ');
    return space ? space + 1 : line;
}

static bool same_declaration(compare *c, const kr_column_def *a, const kr_column_def *b)
{
    kr_column_def x = *a, y = *b; /* without the formula: type, unit as declared, domain, history */
    x.name = y.name = "x";
    x.formula = y.formula = (kr_formula){ 0 };
    x.unit = a->doc.unit;
    y.unit = b->doc.unit;
    x.type = a->input ? a->type : b->type;
    return !strcmp(kr_column_print(c->arena, c->a, &x), kr_column_print(c->arena, c->p, &y));
}

static void column_pair(compare *c, const kr_column_def *a, const kr_column_def *b, const kr_column_def *p)
{
    const kr_column_def *shown = b ? b : a;
    bool renamed = a && b && (strcmp(a->name, b->name) != 0);
    bool equal = a && p && equal_columns(c, a, p);
    if (equal && !renamed)
        return;
    kr_change_how how = !a ? KR_HOW_ADDED : !b ? KR_HOW_REMOVED : renamed ? KR_HOW_RENAMED : KR_HOW_CHANGED;
    const char *before = column_text(c, c->a, a), *now = column_text(c, c->b, b);
    if (how == KR_HOW_CHANGED && !strcmp(before, now)) {
        if (same_declaration(c, a, p) && a->formula.expr && p->formula.expr)
            how = KR_HOW_FOLLOWS;
        else if (a->formula.tree) { /* the unit, the history */
            before = readable(c, kr_column_print(c->arena, c->a, a) + strlen("column "));
            now = readable(c, kr_column_print(c->arena, c->p, p) + strlen("column "));
        }
    }
    kr_change *change = add(c, KR_CH_COLUMN, how, kr_arena_printf(c->arena, "%s.%s", shown->sheet->name, shown->name));
    if (a)
        change->old_name = kr_arena_printf(c->arena, "%s.%s", a->sheet->name, a->name);
    change->ca = a;
    change->cb = b;
    change->old_text = how == KR_HOW_FOLLOWS ? meaning(c, c->a, &a->formula) : before;
    change->new_text = how == KR_HOW_FOLLOWS ? meaning(c, c->p, &p->formula) : how == KR_HOW_RENAMED && equal ? before : now;
    change->unit = shown->unit.known ? kr_unit_write(c->arena, &shown->unit) : "";
    change->doc = shown->doc.text ? shown->doc.text : "";
    if (a && p && a->formula.expr && p->formula.expr && !equal)
        compare_matches(c, change, &a->formula, &p->formula);
}

static void compare_columns(compare *c)
{
    for (int s = 0; s < c->b->sheet_count; s++) {
        const kr_sheet *b = c->b->sheets[s], *p = c->p->sheets[s], *a = kr_model_sheet(c->a, p->name);
        for (int i = 0; i < b->column_count; i++)
            if (!b->columns[i]->hidden)
                column_pair(c, a ? kr_sheet_column(a, p->columns[i]->name) : NULL, b->columns[i], p->columns[i]);
        for (int i = 0; a && i < a->column_count; i++)
            if (!a->columns[i]->hidden && !kr_sheet_column(p, a->columns[i]->name))
                column_pair(c, a->columns[i], NULL, NULL);
    }
    for (int s = 0; s < c->a->sheet_count; s++)
        for (int i = 0; !kr_model_sheet(c->p, c->a->sheets[s]->name) && i < c->a->sheets[s]->column_count; i++)
            if (!c->a->sheets[s]->columns[i]->hidden)
                column_pair(c, c->a->sheets[s]->columns[i], NULL, NULL);
}

/* ------------------------------------------------------------------ defines, functions, outputs, checks */

/* Whether a formula whose meaning changed goes through this define. */
static bool define_matters(const compare *c, const char *name)
{
    for (size_t i = 0; i < c->diff->change_count; i++) {
        const kr_change *change = &c->diff->changes[i];
        if (change->kind == KR_CH_COLUMN && ((change->ca && kr_diff_calls(c->a, change->ca->formula.tree, name, 0)) || (change->cb && kr_diff_calls(c->b, change->cb->formula.tree, name, 0))))
            return true;
    }
    return false;
}

static const char *define_text(compare *c, const kr_define *d)
{
    const char *args = "";
    for (int i = 0; i < d->arg_count; i++)
        args = kr_arena_printf(c->arena, "%s%s%s", args, i ? ", " : "", d->args[i]);
    return kr_arena_printf(c->arena, "(%s) %s", args, formula_text(c, &d->body));
}

static void compare_defines(compare *c)
{
    for (int i = 0; i < c->b->define_count; i++) {
        const kr_define *b = &c->b->defines[i], *a = kr_model_define(c->a, b->name);
        if ((a && !strcmp(define_text(c, a), define_text(c, b))) || !define_matters(c, b->name))
            continue;
        kr_change *change = add(c, KR_CH_DEFINE, a ? KR_HOW_CHANGED : KR_HOW_ADDED, b->name);
        change->old_text = a ? define_text(c, a) : NULL;
        change->new_text = define_text(c, b);
        change->doc = b->doc.text ? b->doc.text : "";
    }
    for (int i = 0; i < c->a->define_count; i++)
        if (!kr_model_define(c->b, c->a->defines[i].name) && define_matters(c, c->a->defines[i].name))
            add(c, KR_CH_DEFINE, KR_HOW_REMOVED, c->a->defines[i].name)->old_text = define_text(c, &c->a->defines[i]);
}

static void compare_functions(compare *c)
{
    for (int i = 0; i < c->b->user_fn_count; i++) {
        const kr_user_fn *b = &c->b->user_fns[i], *a = kr_model_user_fn(c->a, b->name);
        const char *now = kr_script_print(c->arena, c->b, b->script), *before = a ? kr_script_print(c->arena, c->a, a->script) : NULL;
        if (same_text(now, before))
            continue;
        kr_change *change = add(c, KR_CH_FUNCTION, a ? KR_HOW_CHANGED : KR_HOW_ADDED, kr_arena_printf(c->arena, "fn.%s", b->name));
        change->old_text = a ? script_text(c, c->a, a->script) : NULL;
        change->new_text = script_text(c, c->b, b->script);
        change->doc = b->doc.text ? b->doc.text : "";
    }
    for (int i = 0; i < c->a->user_fn_count; i++)
        if (!kr_model_user_fn(c->b, c->a->user_fns[i].name))
            add(c, KR_CH_FUNCTION, KR_HOW_REMOVED, kr_arena_printf(c->arena, "fn.%s", c->a->user_fns[i].name))->old_text = script_text(c, c->a, c->a->user_fns[i].script);
}

static void compare_outputs(compare *c)
{
    for (int s = 0; s < c->b->sheet_count; s++) {
        const kr_sheet *b = c->b->sheets[s], *p = c->p->sheets[s], *a = kr_model_sheet(c->a, p->name);
        for (int i = 0; i < b->column_count; i++) {
            const kr_column_def *there = a ? kr_sheet_column(a, p->columns[i]->name) : NULL;
            if (kr_diff_publishes(c->b, b->columns[i]) && !(there && kr_diff_publishes(c->a, there)))
                add(c, KR_CH_OUTPUT, KR_HOW_ADDED, kr_arena_printf(c->arena, "%s.%s", b->name, b->columns[i]->name));
        }
    }
    for (int s = 0; s < c->a->sheet_count; s++) {
        const kr_sheet *a = c->a->sheets[s], *p = kr_model_sheet(c->p, a->name);
        for (int i = 0; i < a->column_count; i++) {
            const kr_column_def *there = p ? kr_sheet_column(p, a->columns[i]->name) : NULL;
            if (kr_diff_publishes(c->a, a->columns[i]) &&
                !(there && kr_diff_publishes(c->b, c->b->sheets[p->index]->columns[there->index])))
                add(c, KR_CH_OUTPUT, KR_HOW_REMOVED, kr_arena_printf(c->arena, "%s.%s", a->name, a->columns[i]->name));
        }
    }
}

static const kr_assert *assert_like(const kr_model *m, const kr_assert *like)
{
    for (int i = 0; i < m->assert_count; i++)
        if (!strcmp(m->asserts[i].title, like->title) && !strcmp(m->asserts[i].sheet->name, like->sheet->name))
            return &m->asserts[i];
    return NULL;
}

static const char *assert_text(compare *c, const kr_assert *a)
{
    return kr_arena_printf(c->arena, "%s(%s) %s", a->require ? "require" : a->warning ? "warn" : "check", a->sheet->name, formula_text(c, &a->formula));
}

static void compare_checks(compare *c)
{
    for (int i = 0; i < c->b->assert_count; i++) {
        const kr_assert *b = &c->b->asserts[i], *p = &c->p->asserts[i], *a = assert_like(c->a, p);
        if (a && a->require == b->require && a->warning == b->warning && !strcmp(meaning(c, c->a, &a->formula), meaning(c, c->p, &p->formula)))
            continue;
        kr_change *change = add(c, KR_CH_CHECK, a ? KR_HOW_CHANGED : KR_HOW_ADDED, b->title);
        change->old_text = a ? assert_text(c, a) : NULL;
        change->new_text = assert_text(c, b);
    }
    for (int i = 0; i < c->a->assert_count; i++)
        if (!assert_like(c->p, &c->a->asserts[i]))
            add(c, KR_CH_CHECK, KR_HOW_REMOVED, c->a->asserts[i].title)->old_text = assert_text(c, &c->a->asserts[i]);
}

/* ------------------------------------------------------------------ all of it */

static kr_model *load(kr_diff *d, const kr_side *side, kr_diags *diags)
{
    kr_model *m = kr_load_text(d->arena, d->pool, d->families, side->path, side->text, side->len, diags);
    return m && kr_check(m, diags) ? m : NULL;
}

kr_diff *kr_diff_new(kr_arena *arena, kr_pool *pool, kr_families families, const kr_side *old, const kr_side *new, kr_diags *diags)
{
    kr_diff *d = KR_NEW(arena, kr_diff);
    *d = (kr_diff){ .arena = arena, .pool = pool, .families = families, .old = *old, .new = *new };
    kr_sha_of(old->text, old->len, d->old.sha256);
    kr_sha_of(new->text, new->len, d->new.sha256);
    d->old.model = load(d, old, diags);
    d->new.model = load(d, new, diags);
    kr_model *probe = d->old.model && d->new.model ? load(d, new, diags) : NULL;
    if (!probe)
        return NULL;
    for (int i = 0; i < 2; i++) {
        kr_side *side = i ? &d->new : &d->old;
        if (!side->label)
            side->label = kr_arena_printf(arena, "%s v%d", side->model->id ? side->model->id : side->path, side->model->version);
        side->label = keep(arena, side->label);
    }
    compare c = { d, arena, d->old.model, d->new.model, probe };
    find_sheets(&c);
    find_carried(&c);
    find_params(&c);
    while (find_columns(&c))
        ;
    compare_header(&c);
    compare_params(&c, diags);
    compare_sheets(&c);
    compare_columns(&c);
    compare_defines(&c);
    compare_functions(&c);
    compare_outputs(&c);
    compare_checks(&c);
    kr_diff_reach(d);
    return d;
}

size_t kr_diff_counts(const kr_diff *d, kr_change_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < d->change_count; i++)
        count += d->changes[i].kind == kind && d->changes[i].how != KR_HOW_FOLLOWS;
    return count;
}
