/* diff_reach.c: what a change reaches: the columns, sheets, parameters and functions of a model as nodes, an arc from each to what reads
 * it, and the published columns that can be walked to. */
#include "vm/store/diff_internal.h"

#include <string.h>
#include <strings.h>

#include "vm/lang/script_tree.h"
#include "vm/text/time.h"

typedef struct arc { int from, to; } arc;

typedef struct graph {
    kr_arena *arena;
    const kr_model *m;
    int *columns;      /* per sheet: node of its first column; sheets are nodes 0 … */
    int params, fns, count;
    arc *arcs;
    size_t arc_count, arc_capacity;
    int reader;        /* whom a walk is about */
    bool *seen;
} graph;

static int node_of(const graph *g, const kr_column_def *c) { return g->columns[c->sheet->index] + c->index; }
static void arc_from(graph *g, int from) { KR_PUSH(g->arena, g->arcs, g->arc_count, g->arc_capacity) = (arc){ from, g->reader }; }

static void reads_columns(graph *g, kr_column_def *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i])
            arc_from(g, node_of(g, list[i]));
}

static void reads(void *context, const kr_expr *e)
{
    graph *g = context;
    if (e->kind == KR_X_PARAM)
        arc_from(g, g->params + e->param);
    if (e->kind == KR_X_USER)
        arc_from(g, g->fns + e->user);
    if (e->column)
        arc_from(g, node_of(g, e->column));
    if (e->order)
        arc_from(g, node_of(g, e->order));
    if (e->sheet) {
        arc_from(g, e->sheet->index);
        if (e->kind == KR_X_WINDOW || e->kind == KR_X_PREV || e->kind == KR_X_RUN) {
            reads_columns(g, e->sheet->per, e->sheet->per_n);
            reads_columns(g, e->sheet->order, e->sheet->order_n);
        }
    }
    for (int i = 0; i < e->match_count; i++)
        arc_from(g, node_of(g, e->match[i].far));
    reads_columns(g, e->by, e->by_count);
    for (int i = 0; i < e->edges_count; i++) {
        kr_column_def *const ends[] = { e->edges[i].a, e->edges[i].b, e->edges[i].time, e->edges[i].barred };
        arc_from(g, e->edges[i].sheet->index);
        reads_columns(g, ends, 4);
        for (int k = 0; k < e->edges[i].match_count; k++)
            arc_from(g, node_of(g, e->edges[i].match[k].far));
    }
}

/* ------------------------------------------------------------------ bodies of functions name parameters */

static void block_reads(graph *g, const kr_sblock *block);

static void body_reads(graph *g, const kr_sexpr *e)
{
    if (!e)
        return;
    for (int i = 0; e->kind == KR_SE_PARAM && i < g->m->param_count; i++)
        if (e->name && !strcmp(g->m->params[i].name, e->name))
            arc_from(g, g->params + i);
    for (int i = 0; e->script && i < g->m->user_fn_count; i++)
        if (g->m->user_fns[i].script == e->script)
            arc_from(g, g->fns + i);
    for (int i = 0; i < e->kid_count; i++)
        body_reads(g, e->kids[i]);
}

static void stat_reads(graph *g, const kr_sstat *s)
{
    body_reads(g, s->key);
    body_reads(g, s->value);
    for (int i = 0; i < s->value_count; i++)
        body_reads(g, s->values[i]);
    for (int i = 0; i < s->part_count; i++)
        stat_reads(g, s->parts[i]);
    for (int i = 0; i < s->block_count; i++)
        block_reads(g, s->blocks[i]);
}

static void block_reads(graph *g, const kr_sblock *block)
{
    for (size_t i = 0; block && i < block->count; i++)
        stat_reads(g, block->stats[i]);
}

static void rows_read(graph *g, const kr_rows *rows)
{
    if (!rows)
        return;
    const kr_sheet *of[] = { rows->sheet, rows->sheet_b };
    for (int k = 0; k < 2; k++) {
        if (!of[k])
            continue;
        arc_from(g, of[k]->index);
        for (int i = 0; i < rows->column_count && rows->from; i++) {
            kr_column_def *c = rows->from[i] ? kr_sheet_column(of[k], rows->from[i]) : NULL; /* joins have keys instead */
            reads_columns(g, &c, c != NULL);
        }
        for (int i = 0; i < rows->on_count; i++) {
            kr_column_def *c = kr_sheet_column(of[k], rows->on[i]);
            reads_columns(g, &c, c != NULL);
        }
        for (int i = 0; rows->fold && i < of[k]->column_count; i++)
            if (kr_fold_reads(rows->fold, of[k]->columns[i]->name))
                reads_columns(g, &of[k]->columns[i], 1);
    }
    kr_expr_walk(rows->where.expr, reads, g);
    kr_expr_walk(rows->low.expr, reads, g);
    kr_expr_walk(rows->high.expr, reads, g);
    for (int i = 0; rows->key && i < rows->column_count; i++)
        kr_expr_walk(rows->key[i].expr, reads, g);
    if (rows->fold) {
        kr_expr_walk(rows->fold->where.expr, reads, g);
        if (rows->fold->step)
            block_reads(g, rows->fold->step->body);
    }
    for (int i = 0; i < rows->part_count; i++)
        rows_read(g, rows->parts[i]);
}

static graph *graph_new(kr_arena *arena, const kr_model *m)
{
    graph *g = KR_NEW(arena, graph);
    *g = (graph){ .arena = arena, .m = m, .columns = KR_NEW_ARRAY(arena, int, m->sheet_count + 1), .count = m->sheet_count };
    for (int s = 0; s < m->sheet_count; s++) {
        g->columns[s] = g->count;
        g->count += m->sheets[s]->column_count;
    }
    g->params = g->count;
    g->fns = g->params + m->param_count;
    g->count = g->fns + m->user_fn_count;
    g->seen = KR_NEW_ARRAY(arena, bool, g->count + 1);
    for (int s = 0; s < m->sheet_count; s++) {
        const kr_sheet *sheet = m->sheets[s];
        g->reader = s;
        rows_read(g, sheet->rows);
        kr_expr_walk(sheet->where.expr, reads, g);
        for (int c = 0; c < sheet->column_count; c++) {
            g->reader = g->columns[s] + c;
            arc_from(g, s);
            kr_expr_walk(sheet->columns[c]->formula.expr, reads, g);
        }
    }
    for (int i = 0; i < m->user_fn_count; i++) {
        g->reader = g->fns + i;
        if (m->user_fns[i].script)
            block_reads(g, m->user_fns[i].script->body);
    }
    return g;
}

static void walk(graph *g, int seed)
{
    if (g->seen[seed])
        return;
    int *queue = KR_NEW_ARRAY(g->arena, int, g->count), head = 0, tail = 0;
    queue[tail++] = seed;
    g->seen[seed] = true;
    while (head < tail) {
        int at = queue[head++];
        for (size_t i = 0; i < g->arc_count; i++)
            if (g->arcs[i].from == at && !g->seen[g->arcs[i].to]) {
                g->seen[g->arcs[i].to] = true;
                queue[tail++] = g->arcs[i].to;
            }
    }
}

/* ------------------------------------------------------------------ seeds */

bool kr_diff_calls(const kr_model *m, const kr_node *node, const char *name, int depth)
{
    if (!node || depth > 40)
        return false;
    if ((node->kind == KR_N_CALL || node->kind == KR_N_NAME) && node->text) {
        const kr_define *used = kr_model_define(m, node->text);
        if (!strcasecmp(node->text, name) || (used && kr_diff_calls(m, used->body.tree, name, depth + 1)))
            return true;
    }
    for (int i = 0; i < node->kid_count; i++)
        if (kr_diff_calls(m, node->kids[i], name, depth))
            return true;
    return kr_diff_calls(m, node->where, name, depth);
}

bool kr_diff_only_renamed(const kr_change *change)
{
    return change->how == KR_HOW_RENAMED && change->old_text && change->new_text && !strcmp(change->old_text, change->new_text);
}

static void seed(graph *g, const kr_change *change, bool old)
{
    const kr_model *m = g->m;
    const kr_column_def *column = old ? change->ca : change->cb;
    const kr_sheet *sheet = old ? change->sa : change->sb;
    const kr_param *param = old ? change->pa : change->pb;
    switch (change->kind) {
    case KR_CH_PARAM:
        if (param)
            walk(g, g->params + (int)(param - m->params));
        break;
    case KR_CH_SHEET:
        if (sheet)
            walk(g, sheet->index);
        break;
    case KR_CH_COLUMN:
        if (column)
            walk(g, node_of(g, column));
        break;
    case KR_CH_FUNCTION:
        for (int i = 0; i < m->user_fn_count; i++)
            if (!strcmp(m->user_fns[i].name, change->name + strlen("fn.")))
                walk(g, g->fns + i);
        break;
    case KR_CH_DEFINE:
        for (int s = 0; s < m->sheet_count; s++)
            for (int c = 0; c < m->sheets[s]->column_count; c++)
                if (kr_diff_calls(m, m->sheets[s]->columns[c]->formula.tree, change->name, 0))
                    walk(g, node_of(g, m->sheets[s]->columns[c]));
        break;
    case KR_CH_HEADER: /* which days there are, what the words mean: everything */
        for (int s = 0; s < m->sheet_count && (!strcmp(change->name, "days") || !strcmp(change->name, "governed_by") || !strcmp(change->name, "language")); s++)
            walk(g, s);
        break;
    default: break;
    }
}

/* ------------------------------------------------------------------ recorded columns */

/* days, rows: how far the formulas look, this row's own included. */
typedef struct reading { const kr_column_def *column; const kr_model *m; int64_t days, rows; bool run, chain, unknown; const kr_column_def *reader; } reading;

static void looks_at(void *context, const kr_expr *e)
{
    reading *r = context;
    r->unknown |= e->kind == KR_X_COLUMN && e->column == r->column && e->frame == 0;
}

static void reads_back(void *context, const kr_expr *e)
{
    reading *r = context;
    if (e->kind != KR_X_WINDOW && e->kind != KR_X_PREV && e->kind != KR_X_RUN)
        return;
    reading inside = { .column = r->column };
    for (int i = 0; i < e->arg_count; i++)
        kr_expr_walk(e->args[i], looks_at, &inside);
    if (!inside.unknown)
        return;
    kr_num n = !e->count ? KR_NUM_ONE : e->count->kind == KR_X_CONST ? e->count->value : e->count->kind == KR_X_PARAM ? r->m->params[e->count->param].value : KR_BLANK;
    int64_t count = 0;
    if (e->kind == KR_X_RUN)
        r->run = true;
    else if (kr_is_special(n) || !kr_num_to_int(n, &count))
        r->unknown = true;
    else if (e->kind == KR_X_WINDOW && e->form == KR_FORM_DAYS)
        r->days = count > r->days ? count : r->days;
    else {
        count += e->kind == KR_X_PREV; /* PREV(x, 0, 2) reads the third of the last three rows, LAST(x, 2) the last two */
        r->rows = count > r->rows ? count : r->rows;
    }
    r->chain |= e->kind == KR_X_PREV && r->reader == r->column;
}

static const char *state_text(kr_diff *d, const kr_change *change)
{
    const kr_model *m = d->new.model;
    reading r = { .column = change->cb, .m = m };
    const kr_sheet *sheet = change->cb->sheet;
    for (int c = 0; c < sheet->column_count; c++) {
        r.reader = sheet->columns[c];
        kr_expr_walk(sheet->columns[c]->formula.expr, reads_back, &r);
    }
    if (r.chain)
        return "recorded cells stay; each row builds on the one before, so what was recorded fades but never leaves";
    if (r.run)
        return "recorded cells stay; running sums and counts go on from them, so what was recorded never leaves";
    if (r.unknown || (!r.days && !r.rows))
        return "recorded cells stay, and are read back as they were recorded";
    bool daily = sheet->clock && sheet->clock->type == KR_T_DAY;
    int64_t days = r.days > (daily ? r.rows : 0) ? r.days : daily ? r.rows : 0;
    const char *rows = r.rows > 1 && !daily ? kr_arena_printf(d->arena, " and %lld later row%s of its sequence", (long long)(r.rows - 1), r.rows == 2 ? "" : "s") : "";
    if (!m->has_effective_from)
        return kr_arena_printf(d->arena, "recorded cells stay; what is read back is all new %lld days after the effective day%s", (long long)(days ? days - 1 : 0), rows);
    char day[16];
    kr_day_write(m->effective_from + (days ? days - 1 : 0), day);
    if (r.rows && daily)
        return kr_arena_printf(d->arena, "recorded cells stay; what is read back is all new from %s (%lld rows; later where rows have no value)", day, (long long)r.rows);
    return kr_arena_printf(d->arena, "recorded cells stay; what is read back is all new from %s%s", day, rows);
}

/* ------------------------------------------------------------------ */

static bool is_carried(const kr_model *m, const kr_change *change)
{
    for (int i = 0; i < m->carry_count; i++)
        if (!strcmp(m->carries[i].new_name, change->cb->name) && (!m->carries[i].sheet || !strcmp(m->carries[i].sheet, change->cb->sheet->name)))
            return true;
    return false;
}

void kr_diff_reach(kr_diff *d)
{
    graph *olds = graph_new(d->arena, d->old.model), *news = graph_new(d->arena, d->new.model);
    const kr_model *m = d->new.model;
    bool *any = KR_NEW_ARRAY(d->arena, bool, news->count + 1);
    for (size_t i = 0; i < d->change_count; i++) {
        kr_change *change = &d->changes[i];
        if (change->how == KR_HOW_RENAMED && change->kind == KR_CH_COLUMN && change->cb->is_state && !is_carried(m, change))
            change->state = kr_arena_printf(d->arena, "read back in time: to be published it needs carry { %s = { %s = \"%s\" } }", change->cb->sheet->name, change->cb->name, change->ca->name);
        if (change->how == KR_HOW_FOLLOWS || kr_diff_only_renamed(change))
            continue;
        memset(news->seen, 0, (size_t)news->count * sizeof *news->seen);
        memset(olds->seen, 0, (size_t)olds->count * sizeof *olds->seen);
        seed(news, change, false);
        if (change->how != KR_HOW_ADDED)
            seed(olds, change, true);
        change->reaches = KR_NEW_ARRAY(d->arena, const char *, news->count + 1);
        for (int s = 0; s < m->sheet_count; s++) {
            const kr_sheet *sheet = m->sheets[s], *before = kr_model_sheet(d->old.model, sheet->name);
            for (int c = 0; c < sheet->column_count; c++) {
                const kr_column_def *was = before ? kr_sheet_column(before, sheet->columns[c]->name) : NULL;
                bool hit = news->seen[node_of(news, sheet->columns[c])] || (change->how == KR_HOW_REMOVED && was && olds->seen[node_of(olds, was)]);
                if (!hit || kr_diff_is_key(sheet->columns[c]) || !kr_diff_publishes(m, sheet->columns[c]))
                    continue;
                change->reaches[change->reach_count++] = kr_arena_printf(d->arena, "%s.%s", sheet->name, sheet->columns[c]->name);
                any[node_of(news, sheet->columns[c])] = true;
            }
        }
        if (change->kind == KR_CH_COLUMN && change->ca && change->cb && change->cb->is_state && !change->state)
            change->state = state_text(d, change);
    }
    d->all_reached = KR_NEW_ARRAY(d->arena, const char *, news->count + 1);
    for (int s = 0; s < m->sheet_count; s++)
        for (int c = 0; c < m->sheets[s]->column_count; c++) {
            const kr_column_def *column = m->sheets[s]->columns[c];
            if (kr_diff_is_key(column) || !kr_diff_publishes(m, column))
                continue;
            d->output_count++;
            if (any[node_of(news, column)])
                d->all_reached[d->reached++] = kr_arena_printf(d->arena, "%s.%s", column->sheet->name, column->name);
        }
    for (size_t i = 0; i < d->change_count; i++) /* what follows from another change is recorded, too */
        if (d->changes[i].how == KR_HOW_FOLLOWS && d->changes[i].cb->is_state)
            d->changes[i].state = state_text(d, &d->changes[i]);
}
