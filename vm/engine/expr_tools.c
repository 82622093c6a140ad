/* expr_tools.c: questions about checked expressions that the planner asks: whose rows they mention, whether two are equal, and which
 * days a match or a time bound can reach. */
#include "vm/engine/plan.h"

#include <string.h>

static bool is_call(const kr_expr *e, const char *name)
{
    return e->kind == KR_X_CALL && strcmp(e->fn->name, name) == 0;
}

int kr_expr_frames(const kr_expr *e)
{
    int frames = 0;
    switch (e->kind) {
    case KR_X_CONST:
    case KR_X_PARAM:
        return 0;
    case KR_X_COLUMN:
        return 1 << e->frame;
    case KR_X_CALL:
    case KR_X_USER:
    case KR_X_LIST:
    case KR_X_ROWLIST:
        for (int i = 0; i < e->arg_count; i++)
            frames |= kr_expr_frames(e->args[i]);
        return frames;
    case KR_X_LOOKUP:
        for (int i = 0; i < e->match_count; i++)
            frames |= kr_expr_frames(e->match[i].near);
        return frames;
    case KR_X_HOPS:
        for (int i = 0; i < e->arg_count; i++)
            frames |= kr_expr_frames(e->args[i]);
        for (int i = 0; i < e->edges[0].match_count; i++)
            frames |= kr_expr_frames(e->edges[0].match[i].near);
        return frames;
    default: /* forms stand in an own row; what ranges inside them is theirs */
        return 1;
    }
}

bool kr_expr_is_plain(const kr_expr *e)
{
    return e->kind == KR_X_COLUMN || e->kind == KR_X_CONST || e->kind == KR_X_PARAM;
}

static bool list_equal(kr_expr *const *a, kr_expr *const *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!kr_expr_equal(a[i], b[i]))
            return false;
    return true;
}

static bool match_equal(const kr_match *a, const kr_match *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].far != b[i].far || !kr_expr_equal(a[i].near, b[i].near))
            return false;
    return true;
}

bool kr_edges_equal(const kr_edges *a, const kr_edges *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].sheet != b[i].sheet || a[i].a != b[i].a || a[i].b != b[i].b || a[i].time != b[i].time || a[i].barred != b[i].barred
            || !kr_expr_equal(a[i].where, b[i].where) || a[i].match_count != b[i].match_count
            || !match_equal(a[i].match, b[i].match, a[i].match_count))
            return false;
    return true;
}

bool kr_expr_equal(const kr_expr *a, const kr_expr *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->type != b->type || a->arg_count != b->arg_count || a->match_count != b->match_count)
        return false;
    switch (a->kind) {
    case KR_X_CONST:
        return kr_raw_eq(a->value, b->value);
    case KR_X_PARAM:
        return a->param == b->param;
    case KR_X_COLUMN:
        return a->column == b->column && a->frame == b->frame;
    default:
        break;
    }
    if (a->fn != b->fn || a->form != b->form || a->user != b->user || a->sheet != b->sheet || a->column != b->column
        || a->series_count != b->series_count || a->order != b->order || a->by_count != b->by_count || a->edges_count != b->edges_count)
        return false;
    for (int i = 0; i < a->by_count; i++)
        if (a->by[i] != b->by[i])
            return false;
    if (a->kind == KR_X_SHARE && a->form == KR_FORM_RANK)
        for (int i = 0; i < a->arg_count; i++)
            if ((a->descending && a->descending[i]) != (b->descending && b->descending[i]))
                return false;
    return list_equal(a->args, b->args, a->arg_count) && match_equal(a->match, b->match, a->match_count)
        && kr_expr_equal(a->where, b->where) && kr_expr_equal(a->count, b->count) && kr_edges_equal(a->edges, b->edges, a->edges_count);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

uint64_t kr_expr_hash(const kr_expr *e)
{
    if (!e)
        return 0;
    uint64_t h = mix((uint64_t)e->kind, (uint64_t)e->type);
    h = mix(h, e->kind == KR_X_CONST ? e->value.lo ^ (uint64_t)e->value.hi : 0);
    h = mix(h, (uint64_t)(uintptr_t)e->column ^ (uint64_t)(uintptr_t)e->fn);
    h = mix(h, (uint64_t)e->param << 20 ^ (uint64_t)e->frame ^ (uint64_t)e->form << 8 ^ (uint64_t)e->user << 40);
    for (int i = 0; i < e->arg_count; i++)
        h = mix(h, kr_expr_hash(e->args[i]));
    for (int i = 0; i < e->match_count; i++)
        h = mix(h, (uint64_t)(uintptr_t)e->match[i].far ^ kr_expr_hash(e->match[i].near));
    return mix(mix(h, kr_expr_hash(e->where)), kr_expr_hash(e->count));
}

kr_expr *kr_expr_to_own(kr_arena *arena, const kr_expr *e)
{
    if (!e)
        return NULL;
    kr_expr *copy = KR_NEW(arena, kr_expr);
    *copy = *e;
    copy->frame = 0;
    copy->args = KR_NEW_ARRAY(arena, kr_expr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++)
        copy->args[i] = kr_expr_to_own(arena, e->args[i]);
    copy->match = KR_NEW_ARRAY(arena, kr_match, e->match_count + 1);
    for (int i = 0; i < e->match_count; i++)
        copy->match[i] = (kr_match){ e->match[i].far, kr_expr_to_own(arena, e->match[i].near) };
    return copy;
}

int kr_expr_conjuncts(const kr_expr *where, const kr_expr **out, int room)
{
    if (!is_call(where, "AND")) {
        if (room < 1)
            return 0;
        out[0] = where;
        return 1;
    }
    int n = 0;
    for (int i = 0; i < where->arg_count; i++) {
        int more = kr_expr_conjuncts(where->args[i], out + n, room - n);
        if (more == 0)
            return 0;
        n += more;
    }
    return n;
}

bool kr_expr_never_fails(const kr_expr *e)
{
    static const char *const safe[] = { "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "XOR", "ISBLANK", "ISERROR", "COALESCE", "IF", "IFS" };
    if (e->kind == KR_X_CONST)
        return !kr_is_error(e->value);
    if (e->kind == KR_X_COLUMN || e->kind == KR_X_PARAM)
        return true;
    int frames = kr_expr_frames(e);
    if (frames == 1 || frames == 2)
        return true; /* about one row: pairs read it as a column */
    if (e->kind != KR_X_CALL)
        return false;
    bool found = false;
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        found |= strcmp(e->fn->name, safe[i]) == 0;
    for (int i = 0; i < e->arg_count; i++)
        found = found && kr_expr_never_fails(e->args[i]);
    return found;
}

const kr_expr *kr_expr_bound(const kr_expr *e, kr_column_def **column, bool *low, bool *open)
{
    if (e->kind != KR_X_CALL || e->arg_count != 2 || (e->fn->name[0] != '<' && e->fn->name[0] != '>') || strcmp(e->fn->name, "<>") == 0)
        return NULL;
    for (int side = 0; side < 2; side++) {
        const kr_expr *x = e->args[side], *value = e->args[1 - side];
        bool ordered = x->type == KR_T_NUMBER || x->type == KR_T_DAY || x->type == KR_T_TIME;
        if (x->kind != KR_X_COLUMN || x->frame != 1 || !ordered || (kr_expr_frames(value) & 2))
            continue;
        *low = (e->fn->name[0] == '>') == (side == 0);
        *open = e->fn->name[1] == '\0';
        *column = x->column;
        return value;
    }
    return NULL;
}

/* ---- which days */

enum { DEPTH = 8 }; /* how many columns are looked through; ring-free by this bound */

static bool day_of_row(const kr_expr *e, const kr_sheet *sheet, int frame, int depth)
{
    if (!sheet || !sheet->clock || depth > DEPTH)
        return false;
    if (e->kind == KR_X_COLUMN) {
        if (e->frame != frame || e->column->sheet != sheet)
            return false;
        if (e->column == sheet->clock)
            return e->type == KR_T_DAY;
        return !e->column->input && e->column->formula.expr && day_of_row(e->column->formula.expr, sheet, 0, depth + 1);
    }
    return is_call(e, "DAY") && e->arg_count == 1 && e->args[0]->kind == KR_X_COLUMN && e->args[0]->frame == frame
        && e->args[0]->column == sheet->clock;
}

bool kr_is_day_of_row(const kr_expr *e, const kr_sheet *sheet, int frame) { return day_of_row(e, sheet, frame, 0); }

bool kr_column_is_day(const kr_column_def *column)
{
    const kr_sheet *sheet = column->sheet;
    if (column == sheet->clock)
        return column->type == KR_T_DAY;
    return !column->input && column->formula.expr && day_of_row(column->formula.expr, sheet, 0, 0);
}

static const kr_rows *range_named(const kr_rows *rows, const char *name)
{
    if (!rows)
        return NULL;
    if (rows->kind == KR_ROWS_RANGE)
        return strcmp(rows->columns[0], name) == 0 ? rows : NULL;
    const kr_rows *found = NULL;
    if (rows->kind == KR_ROWS_CROSS)
        for (int i = 0; i < rows->part_count && !found; i++)
            found = range_named(rows->parts[i], name);
    return found;
}

/* The least value that a number of days can have; false: not known. */
static bool least_number(const kr_model *model, const kr_expr *e, const kr_sheet *sheet, int frame, kr_num *out)
{
    if (e->kind == KR_X_CONST)
        *out = e->value;
    else if (e->kind == KR_X_PARAM)
        *out = model->params[e->param].value;
    else if (e->kind == KR_X_COLUMN && e->frame == frame && sheet && e->column->sheet == sheet) {
        const kr_rows *range = range_named(sheet->rows, e->column->name);
        return range && range->low.expr && range->low.expr->kind != KR_X_COLUMN && least_number(model, range->low.expr, NULL, 0, out);
    } else
        return false;
    return !kr_is_special(*out);
}

static kr_reach day_reach(const kr_model *model, const kr_expr *e, const kr_sheet *sheet, int frame, int depth)
{
    kr_num least;
    if (depth > DEPTH || !sheet)
        return KR_REACH_WHOLE;
    if (kr_is_day_of_row(e, sheet, frame))
        return KR_REACH_SAME;
    if (e->kind == KR_X_COLUMN && e->frame == frame && e->column->sheet == sheet && !e->column->input && e->column->formula.expr)
        return day_reach(model, e->column->formula.expr, sheet, 0, depth + 1);
    if (is_call(e, "-") && e->type == KR_T_DAY && least_number(model, e->args[1], sheet, frame, &least) && least.hi >= 0) {
        kr_reach from = day_reach(model, e->args[0], sheet, frame, depth + 1);
        if (from == KR_REACH_WHOLE)
            return from;
        return from == KR_REACH_BACK || kr_num_cmp(least, KR_NUM_ONE) >= 0 ? KR_REACH_BACK : KR_REACH_SAME;
    }
    return KR_REACH_WHOLE;
}

kr_reach kr_match_reach(const kr_model *model, const kr_match *match, int count, const kr_sheet *own, const kr_sheet *ranging,
                        kr_reach ranging_reach)
{
    kr_reach best = KR_REACH_WHOLE;
    for (int i = 0; i < count && best != KR_REACH_BACK; i++) {
        if (!kr_column_is_day(match[i].far))
            continue;
        kr_reach reach = day_reach(model, match[i].near, own, 0, 0);
        if (reach == KR_REACH_WHOLE && ranging) {
            reach = day_reach(model, match[i].near, ranging, 1, 0);
            reach = reach == KR_REACH_SAME || ranging_reach == KR_REACH_WHOLE ? ranging_reach : reach;
        }
        if (reach != KR_REACH_WHOLE)
            best = reach;
    }
    return best;
}

static kr_reach time_reach(const kr_model *model, const kr_expr *e, const kr_sheet *own, const kr_column_def *order, int depth)
{
    if (!own || depth > DEPTH || order->sheet->clock != order)
        return KR_REACH_WHOLE;
    if (order->type == KR_T_DAY) {
        if (day_reach(model, e, own, 0, 0) != KR_REACH_WHOLE)
            return KR_REACH_BACK;
        kr_num one;
        bool next = is_call(e, "+") && e->type == KR_T_DAY && day_reach(model, e->args[0], own, 0, 0) != KR_REACH_WHOLE
            && least_number(model, e->args[1], NULL, 0, &one) && kr_raw_eq(one, KR_NUM_ONE);
        return next ? KR_REACH_SAME : KR_REACH_WHOLE;
    }
    if (is_call(e, "START") && day_reach(model, e->args[0], own, 0, 0) != KR_REACH_WHOLE)
        return KR_REACH_BACK;
    if (is_call(e, "END")) {
        kr_reach day = day_reach(model, e->args[0], own, 0, 0);
        return day; /* before the end of the same day, or of an earlier one */
    }
    if (e->kind == KR_X_COLUMN && e->frame == 0 && e->column->sheet == own) {
        if (e->column == own->clock && e->type == KR_T_TIME)
            return KR_REACH_SAME;
        if (!e->column->input && e->column->formula.expr)
            return time_reach(model, e->column->formula.expr, own, order, depth + 1);
    }
    return KR_REACH_WHOLE;
}

kr_reach kr_time_reach(const kr_model *model, const kr_expr *limit, const kr_sheet *own, const kr_column_def *order)
{
    return time_reach(model, limit, own, order, 0);
}
