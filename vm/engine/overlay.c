/* overlay.c: cells that an earlier version has recorded. In days before this version's first, a column that is read back in time holds
 * what the version then in force computed, found by the row's key; it is never computed anew. Rows that the earlier run does not have
 * (they came of later records) are computed by this version. */
#include "vm/engine/exec.h"

#include <string.h>

/* Per row set of a sheet with a clock: which rows are of earlier days, and where the recorded run has them. */
typedef struct kr_overlay {
    bool *earlier;
    uint32_t *row;             /* in the recorded run; KR_NO_ROW: none */
    struct source {            /* per column of the sheet */
        bool known;
        const kr_column *column;
        bool own;              /* no recorded cells: computed (backfill) */
        kr_cell value;         /* where there is no such column */
    } *sources;
} kr_overlay;

/* Text ids of the recorded run in this one's pool. */
static kr_cell moved(const kr_run *run, kr_type type, kr_cell cell)
{
    const kr_pool *from = run->options.recorded->pool;
    if (from == run->pool || kr_is_special(cell) || (type != KR_T_TEXT && type != KR_T_BYTES))
        return cell;
    size_t len;
    const char *text = kr_pool_text(from, (uint32_t)cell.lo, &len);
    return kr_cell_of_text(run->pool, text, len);
}

static void match_rows(kr_run *run, const kr_rowset *rowset, kr_overlay *o)
{
    const kr_run *old = run->options.recorded;
    const kr_sheet *sheet = rowset->sheet, *before = kr_model_sheet(old->model, sheet->name);
    size_t n = kr_rows_of(run, rowset);
    memset(o->row, 0xff, sizeof *o->row * n);
    if (!before || before->key_count != sheet->key_count || sheet->key_count == 0)
        return;
    const kr_column *keys[KR_MOST_MATCH];
    for (int k = 0; k < sheet->key_count; k++) {
        const kr_column_def *def = kr_sheet_column(before, sheet->keys[k]->name);
        keys[k] = def ? kr_run_column(old, def) : NULL;
        if (!keys[k])
            return;
    }
    kr_index *index = kr_index_new(keys, sheet->key_count, kr_run_row_count(old, before), false, false);
    const kr_pool *pool = old->pool;
    for (size_t i = 0; i < n; i++) {
        kr_cell cells[KR_MOST_MATCH];
        const kr_cell *near[KR_MOST_MATCH];
        uint32_t g;
        bool good = o->earlier[i];
        for (int k = 0; k < sheet->key_count && good; k++) {
            cells[k] = kr_column_get(kr_cells_of(run, rowset->columns[sheet->keys[k]->index]), i);
            near[k] = &cells[k];
            if (pool != run->pool && !kr_is_special(cells[k]) && (sheet->keys[k]->type == KR_T_TEXT || sheet->keys[k]->type == KR_T_BYTES)) {
                size_t len;
                uint32_t id;
                const char *text = kr_pool_text(run->pool, (uint32_t)cells[k].lo, &len);
                good = kr_pool_find(old->pool, text, len, &id);
                cells[k] = kr_cell_of_int(id);
            }
        }
        if (!good)
            continue;
        kr_index_probe(index, near, 1, &g);
        if (!kr_map_is_special(g))
            o->row[i] = index->rows[index->start[g]];
    }
    kr_index_free(index);
}

static kr_overlay *overlay_of(kr_run *run, const kr_rowset *rowset)
{
    kr_overlay **place = &run->overlays[rowset->id];
    if (*place)
        return *place;
    const kr_sheet *sheet = rowset->sheet;
    size_t n = kr_rows_of(run, rowset);
    kr_overlay *o = *place = kr_alloc(sizeof *o);
    o->earlier = kr_alloc(n + 1);
    o->row = kr_alloc(sizeof *o->row * (n + 1));
    o->sources = kr_alloc(sizeof *o->sources * (size_t)(sheet->column_count + 1));
    const kr_column *clock = kr_cells_of(run, rowset->columns[sheet->clock->index]);
    for (size_t i = 0; i < n; i++) {
        int64_t day = kr_day_of_cell(clock->type, kr_column_get(clock, i));
        o->earlier[i] = day < run->options.first_day;
    }
    match_rows(run, rowset, o);
    return o;
}

static const char *name_before(const kr_model *model, const kr_column_def *def)
{
    for (int i = 0; i < model->carry_count; i++) {
        const kr_carry *carry = &model->carries[i];
        if (strcmp(carry->new_name, def->name) == 0 && (!carry->sheet || strcmp(carry->sheet, def->sheet->name) == 0))
            return carry->old_name;
    }
    return def->name;
}

bool kr_overlay_prepare(kr_run *run, kr_task *task)
{
    if (!task->back || !run->options.recorded)
        return true;
    const kr_column_def *def = task->def;
    if (def->sheet->key_count == 0) {
        kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_HISTORY, def->span, "`%s.%s` is read back in time, and sheet `%s` has no key to find its recorded cells by",
                                    def->sheet->name, def->name, def->sheet->name);
        kr_diag_help(run->diags, diag, "give the sheet key columns");
        run->broken = true;
        return false;
    }
    kr_overlay *o = overlay_of(run, task->rowset);
    struct source *s = &o->sources[def->index];
    const kr_sheet *before = kr_model_sheet(run->options.recorded->model, def->sheet->name);
    const kr_column_def *old = before ? kr_sheet_column(before, name_before(run->model, def)) : NULL;
    s->known = true;
    s->value = KR_BLANK;
    if (old) {
        s->column = kr_run_column(run->options.recorded, old);
        if (s->column && s->column->type == def->type)
            return true;
        kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_HISTORY, def->span, "`%s.%s` is read back, but the earlier version has no %s cells of it",
                                    def->sheet->name, def->name, kr_type_name(def->type));
        kr_diag_help(run->diags, diag, "give the column another name and say its `history`, or compute all columns of the earlier version");
        run->broken = true;
        return false;
    }
    switch (def->history) {
    case KR_HISTORY_BLANK:
        return true;
    case KR_HISTORY_VALUE: {
        kr_arena *arena = kr_arena_new();
        kr_plan *plan = kr_plan_formula((kr_model *)run->model, arena, NULL, def->history_value.expr, run->diags);
        if (plan && plan->extra->program)
            s->value = kr_exec_constant(run, plan->extra->program);
        kr_arena_free(arena);
        return true;
    }
    case KR_HISTORY_BACKFILL:
        s->own = true;
        return true;
    default:
        break;
    }
    kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_HISTORY, def->span, "`%s.%s` is read back in time and is new in this version: it says no history",
                                def->sheet->name, def->name);
    kr_diag_help(run->diags, diag, "say history = \"blank\", \"backfill\" or a value, or carry it from an earlier name");
    run->broken = true;
    return false;
}

void kr_overlay_apply(kr_run *run, kr_task *task, const uint32_t *rows, size_t start, size_t n, kr_cell *cells)
{
    const kr_overlay *o = run->overlays[task->rowset->id];
    const struct source *s = &o->sources[task->def->index];
    if (!s->known || s->own)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : start + i;
        if (!o->earlier[row])
            continue;
        if (!s->column)
            cells[i] = s->value;
        else if (o->row[row] != KR_NO_ROW) /* a row that was not recorded is computed by this version, like any record it needs */
            cells[i] = moved(run, s->column->type, kr_column_get(s->column, o->row[row]));
    }
}

void kr_overlay_free(kr_run *run)
{
    for (int i = 0; i < run->plan->rowset_count; i++) {
        kr_overlay *o = run->overlays[i];
        if (!o)
            continue;
        kr_free(o->earlier);
        kr_free(o->row);
        kr_free(o->sources);
        kr_free(o);
    }
    kr_free(run->overlays);
}
