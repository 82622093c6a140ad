/* diff_compose.c: the old rule file with some of the changes made.
 *
 * Both files are read again, not yet checked, and what a change is about is taken from the new model into the old one; then the whole
 * is checked as if it had been written so. Renames are not made: formulas that are taken over are told the old names. */
#include "vm/store/diff_internal.h"

#include <string.h>
#include <strings.h>

#include "vm/host/host.h"
#include "vm/lang/script.h"

/* ------------------------------------------------------------------ which changes need each other */

typedef struct mention { const kr_diff *d; const char *bare, *sheet, *column; bool found; } mention;

static void look(mention *m, const kr_node *node)
{
    if (!node || m->found)
        return;
    if (node->kind == KR_N_DOT)
        m->found |= m->sheet && !strcmp(node->text, m->sheet) && (!m->column || !strcmp(node->name2, m->column));
    else if (node->text && (node->kind == KR_N_NAME || node->kind == KR_N_CALL))
        m->found |= m->bare && !strcasecmp(node->text, m->bare);
    for (int i = 0; i < node->kid_count; i++)
        look(m, node->kids[i]);
    for (int i = 0; i < node->by_count; i++)
        look(m, node->by[i]);
    look(m, node->where);
}

static void look_rows(mention *m, const kr_rows *rows)
{
    if (!rows)
        return;
    const char *const sheets[] = { rows->sheet_name, rows->sheet_name_b };
    for (int k = 0; k < 2 && m->sheet; k++)
        m->found |= sheets[k] && !strcmp(sheets[k], m->sheet) && !m->column;
    for (int i = 0; i < rows->column_count && rows->from && m->sheet && m->column && rows->sheet_name; i++)
        m->found |= rows->from[i] && !strcmp(rows->sheet_name, m->sheet) && !strcmp(rows->from[i], m->column);
    look(m, rows->where.tree);
    look(m, rows->low.tree);
    look(m, rows->high.tree);
    for (int i = 0; rows->key && i < rows->column_count; i++)
        look(m, rows->key[i].tree);
    if (rows->fold) {
        look(m, rows->fold->where.tree);
        if (m->column && m->sheet && rows->sheet_name && !strcmp(rows->sheet_name, m->sheet))
            m->found |= kr_fold_reads(rows->fold, m->column);
    }
    for (int i = 0; i < rows->part_count; i++)
        look_rows(m, rows->parts[i]);
}

static const kr_sheet *own_sheet(const kr_change *c, bool old)
{
    const kr_column_def *column = old ? c->ca : c->cb;
    return c->kind == KR_CH_COLUMN ? (column ? column->sheet : NULL) : c->kind == KR_CH_SHEET ? (old ? c->sa : c->sb) : NULL;
}

/* Whether what `reader` says in one of the files names the thing that `thing` is about. */
static bool names(const kr_diff *d, const kr_change *reader, const kr_change *thing, bool old)
{
    const kr_model *model = old ? d->old.model : d->new.model;
    mention m = { .d = d };
    const kr_sheet *of = own_sheet(thing, old), *in = own_sheet(reader, old);
    if (thing->kind == KR_CH_COLUMN) {
        const kr_column_def *column = old ? thing->ca : thing->cb;
        m.sheet = of->name;
        m.column = column->name;
        m.bare = in == of || !in ? column->name : NULL;
        if (reader->kind == KR_CH_SHEET && in == of && reader->how != KR_HOW_CHANGED)
            return true; /* a new sheet and its columns */
    } else if (thing->kind == KR_CH_SHEET) {
        m.sheet = of->name;
        if (in == of && reader->kind == KR_CH_COLUMN)
            return true;
    } else {
        m.bare = thing->kind == KR_CH_FUNCTION ? thing->name + strlen("fn.") : thing->name;
    }
    const kr_column_def *column = old ? reader->ca : reader->cb;
    if (reader->kind == KR_CH_COLUMN && column) {
        look(&m, column->formula.tree);
        look(&m, column->history_value.tree);
        return m.found || (m.bare && kr_diff_calls(model, column->formula.tree, m.bare, 0));
    }
    if (reader->kind == KR_CH_SHEET && in) {
        look_rows(&m, in->rows);
        look(&m, in->where.tree);
    }
    if (reader->kind == KR_CH_DEFINE) {
        const kr_define *define = kr_model_define(model, reader->name);
        if (define)
            look(&m, define->body.tree);
    }
    if (reader->kind == KR_CH_HEADER) {
        look(&m, model->days_from.tree);
        look(&m, model->days_to.tree);
        look(&m, model->governed_by.tree);
    }
    return m.found;
}

static bool moves_numbers(const kr_change *c)
{
    if (c->how == KR_HOW_FOLLOWS || kr_diff_only_renamed(c) || c->kind == KR_CH_OUTPUT || c->kind == KR_CH_CHECK)
        return false;
    if (c->kind == KR_CH_PARAM && c->pa && c->pb)
        return !kr_raw_eq(c->pa->value, c->pb->value) || c->pa->type != c->pb->type;
    return c->kind != KR_CH_HEADER || !strcmp(c->name, "days") || !strcmp(c->name, "governed_by") || !strcmp(c->name, "language");
}

static int leader(const int *of, int i)
{
    while (of[i] != i)
        i = of[i];
    return i;
}

static void join(int *of, int i, int j)
{
    i = leader(of, i);
    j = leader(of, j);
    if (i < j)
        of[j] = i;
    else
        of[i] = j;
}

/* Number the groups in the order of the changes. */
static int number(kr_diff *d, const int *of)
{
    int count = 0;
    int *group = KR_NEW_ARRAY(d->arena, int, d->change_count + 1);
    for (size_t i = 0; i < d->change_count; i++) {
        if (!moves_numbers(&d->changes[i]))
            continue;
        if (of[i] == (int)i)
            group[i] = count++;
        d->changes[i].group = group[leader(of, (int)i)];
    }
    return count;
}

/* Whether the old file with one group, and the new one without it, still hold together. */
static bool stands_alone(const kr_diff *d, int group, int count)
{
    bool ok = true;
    for (int without = 0; without < 2 && ok; without++) {
        kr_arena *arena = kr_arena_new();
        bool *in_force = KR_NEW_ARRAY(arena, bool, count + 1);
        for (int g = 0; g < count; g++)
            in_force[g] = (g == group) != (without == 1);
        ok = kr_diff_compose(d, arena, in_force, kr_diags_new(arena)) != NULL;
        kr_arena_free(arena);
    }
    return ok;
}

int kr_diff_group(kr_diff *d)
{
    int *of = KR_NEW_ARRAY(d->arena, int, d->change_count + 1);
    for (size_t i = 0; i < d->change_count; i++)
        of[i] = (int)i;
    for (size_t i = 0; i < d->change_count; i++)
        for (size_t j = 0; j < d->change_count; j++) {
            const kr_change *reader = &d->changes[i], *thing = &d->changes[j];
            if (i == j || !moves_numbers(reader) || !moves_numbers(thing))
                continue;
            if ((thing->how == KR_HOW_ADDED && reader->how != KR_HOW_REMOVED && names(d, reader, thing, false)) ||
                (thing->how == KR_HOW_REMOVED && reader->how != KR_HOW_ADDED && names(d, reader, thing, true)))
                join(of, (int)i, (int)j);
        }
    int count = number(d, of);
    for (int round = 0; round < 2 && count > 1; round++) { /* what does not stand alone: with the others of its kind, then with all */
        int first = -1, alone = 0;
        for (int g = 0; g < count; g++) {
            if (stands_alone(d, g, count)) {
                alone++;
                if (!round)
                    continue;
            }
            for (size_t i = 0; i < d->change_count; i++)
                if (d->changes[i].group == g) {
                    first = first < 0 ? (int)i : first;
                    join(of, first, (int)i);
                }
        }
        if (round && alone == count)
            break; /* nothing was wrong: keep the numbers */
        if (first < 0)
            break;
        count = number(d, of);
    }
    return count;
}

/* ------------------------------------------------------------------ taking over */

typedef struct composer { const kr_diff *d; kr_arena *arena; kr_model *m, *b; } composer;

static bool is_renamed(const kr_change *c) { return c->how == KR_HOW_RENAMED; }

/* The names that the old file has. */
static void old_names(const composer *c, kr_node *node, const kr_sheet *own)
{
    if (!node)
        return;
    for (size_t i = 0; i < c->d->change_count && node->text; i++) {
        const kr_change *r = &c->d->changes[i];
        if (!is_renamed(r))
            continue;
        if (r->kind == KR_CH_PARAM && node->kind == KR_N_NAME && !strcmp(node->text, r->name)) {
            node->text = r->old_name;
        } else if (r->kind == KR_CH_COLUMN && node->kind == KR_N_NAME && own && !strcmp(own->name, r->cb->sheet->name) && !strcmp(node->text, r->cb->name)) {
            node->text = r->ca->name;
        } else if (r->kind == KR_CH_COLUMN && node->kind == KR_N_DOT && !strcmp(node->text, r->cb->sheet->name) && !strcmp(node->name2, r->cb->name)) {
            node->name2 = r->ca->name;
        } else {
            continue;
        }
        if (node->kind == KR_N_NAME)
            node->text_len = (uint32_t)strlen(node->text);
        break;
    }
    for (size_t i = 0; i < c->d->change_count && node->kind == KR_N_DOT; i++) {
        const kr_change *r = &c->d->changes[i];
        if (is_renamed(r) && r->kind == KR_CH_SHEET && !strcmp(node->text, r->name)) {
            node->text = r->old_name;
            node->text_len = (uint32_t)strlen(node->text);
            break;
        }
    }
    for (int i = 0; i < node->kid_count; i++)
        old_names(c, node->kids[i], own);
    for (int i = 0; i < node->by_count; i++)
        old_names(c, node->by[i], own);
    old_names(c, node->where, own);
}

static const char *old_sheet_name(const composer *c, const char *name)
{
    for (size_t i = 0; i < c->d->change_count; i++)
        if (c->d->changes[i].kind == KR_CH_SHEET && is_renamed(&c->d->changes[i]) && name && !strcmp(c->d->changes[i].name, name))
            return c->d->changes[i].old_name;
    return name;
}

static void old_names_of_rows(const composer *c, kr_rows *rows, const kr_sheet *own)
{
    if (!rows)
        return;
    rows->sheet_name = old_sheet_name(c, rows->sheet_name);
    rows->sheet_name_b = old_sheet_name(c, rows->sheet_name_b);
    for (size_t i = 0; i < c->d->change_count && rows->from; i++) {
        const kr_change *r = &c->d->changes[i];
        for (int k = 0; is_renamed(r) && r->kind == KR_CH_COLUMN && rows->sheet_name && !strcmp(rows->sheet_name, r->ca->sheet->name) && k < rows->column_count; k++)
            if (rows->from[k] && !strcmp(rows->from[k], r->cb->name))
                rows->from[k] = r->ca->name;
    }
    old_names(c, rows->where.tree, own);
    for (int i = 0; rows->key && i < rows->column_count; i++)
        old_names(c, rows->key[i].tree, own);
    for (int i = 0; i < rows->part_count; i++)
        old_names_of_rows(c, rows->parts[i], own);
}

static void take_column(const composer *c, kr_sheet *sheet, const kr_column_def *from, const char *name)
{
    kr_column_def *to = kr_sheet_column(sheet, name);
    if (!to)
        to = kr_sheet_add_column(c->m, sheet, name);
    kr_column_def own = *to;
    *to = *from;
    to->name = own.name;
    to->sheet = own.sheet;
    to->index = own.index;
    old_names(c, to->formula.tree, from->sheet);
    old_names(c, to->history_value.tree, from->sheet);
}

static void drop_column(kr_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->column_count; i++)
        if (!strcmp(sheet->columns[i]->name, name)) {
            sheet->column_count--;
            for (int k = i; k < sheet->column_count; k++) {
                sheet->columns[k] = sheet->columns[k + 1];
                sheet->columns[k]->index = k;
            }
            return;
        }
}

static void drop_sheet(kr_model *m, const kr_sheet *sheet)
{
    for (int i = sheet->index; i + 1 < m->sheet_count; i++) {
        m->sheets[i] = m->sheets[i + 1];
        m->sheets[i]->index = i;
    }
    m->sheet_count--;
    for (int o = 0; o < m->output_count; o++)
        if (m->outputs[o] == sheet) {
            for (int k = o; k + 1 < m->output_count; k++) {
                m->outputs[k] = m->outputs[k + 1];
                if (m->output_columns)
                    m->output_columns[k] = m->output_columns[k + 1];
            }
            m->output_count--;
            return;
        }
}

/* A column that goes is no longer published. */
static void drop_output(kr_model *m, const kr_sheet *sheet, const char *name)
{
    for (int o = 0; o < m->output_count && m->output_columns; o++) {
        struct kr_output_columns *list = &m->output_columns[o];
        for (int i = 0; m->outputs[o] == sheet && i < list->count; i++)
            if (!strcmp(list->names[i], name)) {
                for (int k = i; k + 1 < list->count; k++)
                    list->names[k] = list->names[k + 1];
                if (--list->count == 0) { /* an empty list would mean all */
                    m->outputs[o] = m->outputs[m->output_count - 1];
                    *list = m->output_columns[m->output_count - 1];
                    m->output_count--;
                }
                return;
            }
    }
}

static void take_sheet(const composer *c, kr_sheet *to, kr_sheet *from)
{
    to->key_names = from->key_names;
    to->key_count = from->key_count;
    to->rows = from->rows;
    to->where = from->where;
    to->optional = from->optional;
    to->per_names = from->per_names;
    to->per_count = from->per_count;
    to->order_names = from->order_names;
    to->order_count = from->order_count;
    old_names_of_rows(c, to->rows, from);
    old_names(c, to->where.tree, from);
}

static void take(const composer *c, const kr_change *change)
{
    kr_model *m = c->m, *b = c->b;
    switch (change->kind) {
    case KR_CH_PARAM: {
        kr_param *to = change->pa ? kr_model_param(m, change->pa->name) : NULL;
        const kr_param *from = change->pb ? kr_model_param(b, change->pb->name) : NULL;
        if (from && !to)
            to = &KR_PUSH(c->arena, m->params, m->param_count, m->param_capacity);
        if (from) {
            *to = *from;
            to->name = change->pa ? change->pa->name : from->name;
        } else if (to) {
            m->param_count--;
            memmove(to, to + 1, (size_t)(m->params + m->param_count - to) * sizeof *to);
        }
        break;
    }
    case KR_CH_COLUMN: {
        kr_sheet *from = change->cb ? kr_model_sheet(b, change->cb->sheet->name) : NULL;
        kr_sheet *to = kr_model_sheet(m, change->ca ? change->ca->sheet->name : old_sheet_name(c, change->cb->sheet->name));
        if (!to)
            break; /* with its sheet */
        if (from)
            take_column(c, to, kr_sheet_column(from, change->cb->name), change->ca ? change->ca->name : change->cb->name);
        else {
            drop_column(to, change->ca->name);
            drop_output(m, to, change->ca->name);
        }
        break;
    }
    case KR_CH_SHEET: {
        kr_sheet *to = change->sa ? kr_model_sheet(m, change->sa->name) : NULL;
        kr_sheet *from = change->sb ? kr_model_sheet(b, change->sb->name) : NULL;
        if (!from) {
            drop_sheet(m, to);
            break;
        }
        if (!to) {
            to = kr_model_add_sheet(m, from->name);
            for (int i = 0; i < from->column_count; i++)
                take_column(c, to, from->columns[i], from->columns[i]->name);
        }
        take_sheet(c, to, from);
        break;
    }
    case KR_CH_DEFINE: {
        kr_define *to = kr_model_define(m, change->name);
        const kr_define *from = kr_model_define(b, change->name);
        if (!from)
            break; /* one too many does no harm */
        if (!to)
            to = &KR_PUSH(c->arena, m->defines, m->define_count, m->define_capacity);
        *to = *from;
        old_names(c, to->body.tree, NULL);
        break;
    }
    case KR_CH_FUNCTION: {
        const char *name = change->name + strlen("fn.");
        kr_user_fn *to = kr_model_user_fn(m, name);
        const kr_user_fn *from = kr_model_user_fn(b, name);
        if (!from)
            break;
        if (!to)
            to = &KR_PUSH(c->arena, m->user_fns, m->user_fn_count, m->user_fn_capacity);
        *to = *from;
        break;
    }
    case KR_CH_HEADER:
        if (!strcmp(change->name, "days")) {
            m->has_days = b->has_days;
            m->days_from = b->days_from;
            m->days_to = b->days_to;
            m->days_lead = b->days_lead;
            m->days_open = b->days_open;
        } else if (!strcmp(change->name, "governed_by")) {
            m->governed_by = b->governed_by;
        } else if (!strcmp(change->name, "language")) {
            m->language = b->language;
        }
        break;
    default: break;
    }
}

kr_model *kr_diff_compose(const kr_diff *d, kr_arena *arena, const bool *in_force, kr_diags *diags)
{
    composer c = { .d = d, .arena = arena };
    c.m = kr_load_text(arena, d->pool, d->families, d->old.path, d->old.text, d->old.len, diags);
    c.b = c.m ? kr_load_text(arena, d->pool, d->families, d->new.path, d->new.text, d->new.len, diags) : NULL;
    if (!c.b)
        return NULL;
    c.m->assert_count = 0; /* checks judge whole versions */
    c.m->example_count = 0;
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].group >= 0 && in_force[d->changes[i].group])
            take(&c, &d->changes[i]);
    return kr_check(c.m, diags) ? c.m : NULL;
}
