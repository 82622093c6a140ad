#include "vm/store/state.h"

#include <string.h>

#include "vm/lang/expr.h"

static bool is_state(const kr_column_def *c) { return c && !c->input && !c->hidden && c->is_state && c->sheet->clock; }

static const char *name_before(const kr_model *model, const kr_column_def *column)
{
    for (int i = 0; i < model->carry_count; i++) {
        const kr_carry *carry = &model->carries[i];
        if (!strcmp(carry->new_name, column->name) && (!carry->sheet || !strcmp(carry->sheet, column->sheet->name)))
            return carry->old_name;
    }
    return column->name;
}

static const kr_column_def *column_of(const kr_model *model, const char *sheet, const char *name)
{
    const kr_sheet *s = kr_model_sheet(model, sheet);
    const kr_column_def *c = s ? kr_sheet_column(s, name) : NULL;
    return c && !c->hidden ? c : NULL;
}

static const char *keys_of(kr_arena *arena, const kr_sheet *sheet)
{
    const char *text = "";
    for (int i = 0; i < sheet->key_count; i++)
        text = kr_arena_printf(arena, "%s%s%s %s", text, i ? ", " : "", sheet->key_names[i], kr_type_name(sheet->keys[i]->type));
    return text;
}

/* What walks the rows of a sheet: its partition and order. */
static const char *walk_of(kr_arena *arena, const kr_sheet *sheet)
{
    const char *text = "per";
    for (int i = 0; i < sheet->per_n; i++)
        text = kr_arena_printf(arena, "%s %s", text, sheet->per[i]->name);
    text = kr_arena_printf(arena, "%s, order", text);
    for (int i = 0; i < sheet->order_n; i++)
        text = kr_arena_printf(arena, "%s %s", text, sheet->order[i]->name);
    return text;
}

/* false and a diagnostic: the recorded cells of `old` are none of `new`. */
static bool same_kind(kr_arena *arena, const kr_column_def *old, const kr_column_def *new, kr_diags *diags)
{
    const char *what = NULL, *was = NULL, *is = NULL;
    if (old->type != new->type) {
        what = "type", was = kr_type_name(old->type), is = kr_type_name(new->type);
    } else if (old->unit.known && new->unit.known && !kr_unit_eq(&old->unit, &new->unit)) {
        what = "unit", was = kr_arena_printf(arena, "[%s]", kr_unit_write(arena, &old->unit)), is = kr_arena_printf(arena, "[%s]", kr_unit_write(arena, &new->unit));
    } else if (strcmp(keys_of(arena, old->sheet), keys_of(arena, new->sheet)) != 0) {
        what = "key", was = keys_of(arena, old->sheet), is = keys_of(arena, new->sheet);
    } else if (!old->sheet->clock || strcmp(old->sheet->clock->name, new->sheet->clock->name) != 0 || old->sheet->clock->type != new->sheet->clock->type) {
        what = "clock", was = old->sheet->clock ? old->sheet->clock->name : "none", is = new->sheet->clock->name;
    } else if (strcmp(walk_of(arena, old->sheet), walk_of(arena, new->sheet)) != 0) {
        what = "sequence", was = walk_of(arena, old->sheet), is = walk_of(arena, new->sheet);
    }
    if (!what)
        return true;
    kr_diag *d = kr_diag_add(diags, KR_E_GOV_STATE, new->span, "`%s.%s` reads back what the version before recorded, but its %s was %s and is %s now", new->sheet->name,
                             new->name, what, was, is);
    kr_diag_help(diags, d, "give the column (or its sheet) another name, and say its history = \"blank\", \"backfill\" or a value");
    return false;
}

static bool was_state_once(const kr_model *const *older, int count, const kr_column_def *column)
{
    for (int i = 0; i < count; i++)
        if (is_state(column_of(older[i], column->sheet->name, column->name)))
            return true;
    return false;
}

static bool same_meaning(kr_arena *arena, const kr_model *before, const kr_column_def *old, const kr_model *after, const kr_column_def *new)
{
    if (!old->formula.expr || !new->formula.expr)
        return old->formula.expr == new->formula.expr;
    return !strcmp(kr_expr_print(arena, before, old->formula.expr), kr_expr_print(arena, after, new->formula.expr));
}

static bool compare_column(kr_arena *arena, const kr_model *before, const kr_model *after, const kr_model *const *older, int older_count, const kr_column_def *column,
                           kr_state_item *item, kr_diags *diags)
{
    const char *old_name = name_before(after, column);
    const kr_column_def *old = column_of(before, column->sheet->name, old_name);
    *item = (kr_state_item){ .sheet = column->sheet->name, .name = column->name, .old_name = old ? old_name : NULL, .verdict = KR_NOT_CARRIED, .column = column, .old = old };
    if (old) {
        if (!same_kind(arena, old, column, diags))
            return false;
        item->verdict = strcmp(old_name, column->name) != 0 ? KR_RENAMED : KR_CARRIED;
        item->changed = !same_meaning(arena, before, old, after, column);
        return true;
    }
    if (strcmp(old_name, column->name) != 0) {
        kr_diag_add(diags, KR_E_GOV_STATE, column->span, "`%s.%s` is carried from `%s`, which the version before does not have", column->sheet->name, column->name, old_name);
        return false;
    }
    if (was_state_once(older, older_count, column)) {
        kr_diag *d = kr_diag_add(diags, KR_E_GOV_STATE, column->span, "`%s.%s` is the name of a column that an earlier version recorded and a later one retired", column->sheet->name, column->name);
        kr_diag_help(diags, d, "give it another name, so that no record can be taken for one of this column");
        return false;
    }
    if (column->history == KR_HISTORY_NONE) {
        kr_diag *d = kr_diag_add(diags, KR_E_GOV_STATE, column->span, "`%s.%s` is read back in time and is new in this version: it says no history", column->sheet->name, column->name);
        kr_diag_help(diags, d, "say history = \"blank\", \"backfill\" or a value, or carry it from an earlier name");
        return false;
    }
    item->verdict = KR_ADDED;
    return true;
}

static bool goes_on(const kr_states *states, const kr_column_def *old)
{
    for (size_t i = 0; i < states->count; i++)
        if (states->items[i].old == old)
            return true;
    return false;
}

/* States of a fold are rebuilt from the fold's rows; a name that stays must stay what it is. */
static bool compare_folds(const kr_model *before, const kr_model *after, kr_diags *diags)
{
    bool ok = true;
    for (int i = 0; i < after->sheet_count; i++) {
        const kr_sheet *s = after->sheets[i], *t = kr_model_sheet(before, s->name);
        const kr_fold *new = s->rows ? s->rows->fold : NULL, *old = t && t->rows ? t->rows->fold : NULL;
        for (int a = 0; new && a < new->state_count; a++)
            for (int b = 0; old && b < old->state_count; b++) {
                const struct kr_fold_state *x = &new->state[a], *y = &old->state[b];
                if (strcmp(x->name, y->name) != 0 || (x->type == y->type && x->kind == y->kind && (x->kind != KR_STATE_MAP || x->key_type == y->key_type)))
                    continue;
                kr_diag *d = kr_diag_add(diags, KR_E_GOV_STATE, x->span, "state `%s` of the fold that makes `%s` was of another type in the version before", x->name, s->name);
                kr_diag_help(diags, d, "give it another name");
                ok = false;
            }
    }
    return ok;
}

bool kr_state_compare(kr_arena *arena, const kr_model *before, const kr_model *after, const kr_model *const *older, int older_count, kr_states *out, kr_diags *diags)
{
    bool ok = true;
    *out = (kr_states){ 0 };
    for (int i = 0; i < after->sheet_count; i++)
        for (int c = 0; c < after->sheets[i]->column_count; c++) {
            const kr_column_def *column = after->sheets[i]->columns[c];
            kr_state_item item;
            if (!is_state(column))
                continue;
            ok &= compare_column(arena, before, after, older, older_count, column, &item, diags);
            KR_PUSH(arena, out->items, out->count, out->capacity) = item;
        }
    for (int i = 0; i < before->sheet_count; i++)
        for (int c = 0; c < before->sheets[i]->column_count; c++) {
            const kr_column_def *old = before->sheets[i]->columns[c];
            if (!is_state(old) || goes_on(out, old))
                continue;
            const kr_column_def *now = column_of(after, old->sheet->name, old->name); /* still there, but nothing reads it back any more */
            KR_PUSH(arena, out->items, out->count, out->capacity) =
                (kr_state_item){ .sheet = old->sheet->name, .name = now ? now->name : NULL, .old_name = old->name, .verdict = now ? KR_CARRIED : KR_RETIRED,
                                 .changed = now && !same_meaning(arena, before, old, after, now), .column = now, .old = old };
        }
    return compare_folds(before, after, diags) && ok;
}
