/* share.c: RANK, SHARE, PRORATE and APPORTION over the own rows that agree on some columns. */
#include "vm/engine/exec.h"

#include <stdlib.h>
#include <string.h>

#include "vm/num/num_share.h"

typedef struct share_job {
    kr_run *run;
    const kr_task *task;
    const kr_index *index;
    const uint32_t *groups;
    size_t group_count, per_item;
} share_job;

/* The rows of a group that take part: known, and `where` is true. */
typedef struct member {
    uint32_t row;
    uint32_t place;            /* among all rows of the group */
} member;

typedef struct group {
    const share_job *job;
    const uint32_t *rows;
    size_t count;
    int first, columns;        /* which arguments are x */
    kr_cell *x;                /* count per column */
    kr_cell *whole;            /* PRORATE, APPORTION: what is shared out, by each row */
    member *in;
    size_t in_count;
    uint8_t *out;              /* per row: 1 where is not true, 2 x blank */
    kr_cell error;
} group;

static void collect(group *g)
{
    const kr_task *task = g->job->task;
    const kr_column *where = task->where ? kr_cells_of(g->job->run, task->where) : NULL;
    for (int k = 0; k < g->columns; k++)
        kr_column_gather(kr_cells_of(g->job->run, task->columns[g->first + k]), g->rows, g->count, g->x + g->count * (size_t)k);
    if (task->form == KR_FORM_PRORATE || task->form == KR_FORM_APPORTION)
        kr_column_gather(kr_cells_of(g->job->run, task->columns[1 - g->first]), g->rows, g->count, g->whole);
    g->error = KR_BLANK;
    g->in_count = 0;
    for (size_t i = 0; i < g->count; i++) {
        kr_cell condition = where ? kr_column_get(where, g->rows[i]) : kr_cell_of_bool(true);
        g->out[i] = 0;
        if (kr_is_error(condition)) {
            g->error = condition;
            return;
        }
        if (!kr_cell_is_true(condition)) {
            g->out[i] = 1;
            continue;
        }
        for (int k = 0; k < g->columns; k++) {
            kr_cell x = g->x[g->count * (size_t)k + i];
            if (kr_is_error(x)) {
                g->error = x;
                return;
            }
            if (kr_is_blank(x))
                g->out[i] = 2;
        }
        if (!g->out[i])
            g->in[g->in_count++] = (member){ g->rows[i], (uint32_t)i };
    }
}

static int compare_ranks(const group *g, const member *a, const member *b)
{
    const kr_expr *e = g->job->task->expr;
    for (int k = 0; k < g->columns; k++) {
        const kr_cell *x = g->x + g->count * (size_t)k;
        int c = kr_cell_cmp(g->job->run->pool, e->args[k]->type, x[a->place], x[b->place]);
        if (c)
            return e->descending && e->descending[k] ? -c : c;
    }
    return (a->place > b->place) - (a->place < b->place); /* rows are in the order of the keys */
}

/* Bottom-up merge sort: stable, and of one thread. */
static void sort_members(const group *g)
{
    size_t n = g->in_count;
    member *from = g->in, *to = kr_alloc(sizeof *to * (n + 1)), *room = to;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t mid = at + width < n ? at + width : n, end = at + 2 * width < n ? at + 2 * width : n, i = at, j = mid;
            for (size_t k = at; k < end; k++)
                to[k] = i < mid && (j >= end || compare_ranks(g, &from[i], &from[j]) <= 0) ? from[i++] : from[j++];
        }
        member *swap = from;
        from = to;
        to = swap;
    }
    if (from != g->in)
        memcpy(g->in, from, sizeof *from * n);
    kr_free(room);
}

static void rank(const group *g, kr_cell *out)
{
    sort_members(g);
    for (size_t i = 0; i < g->in_count; i++)
        out[g->in[i].place] = kr_num_of_int((int64_t)i + 1);
}

static kr_sum sum_of(const group *g)
{
    kr_sum sum = KR_SUM_ZERO;
    for (size_t i = 0; i < g->in_count; i++)
        kr_sum_add(&sum, g->x[g->in[i].place]);
    return sum;
}

static void prorate(const group *g, kr_cell *out)
{
    bool share = g->job->task->form == KR_FORM_SHARE;
    kr_sum sum = sum_of(g);
    for (size_t i = 0; i < g->count; i++) {
        kr_cell total = share ? KR_NUM_ONE : g->whole[i];
        if (g->out[i] == 1)
            out[i] = KR_NUM_ZERO;
        else if (kr_is_special(total) || g->out[i] == 2)
            out[i] = kr_is_error(total) ? total : KR_BLANK;
        else
            out[i] = kr_share_prorate(total, g->x[i], &sum);
    }
}

static void apportion(const group *g, kr_cell *out)
{
    kr_sum sum = sum_of(g);
    kr_num *x = kr_alloc(sizeof *x * (g->in_count + 1));
    kr_share_part *parts = kr_alloc(sizeof *parts * (g->in_count + 1));
    kr_num *units = kr_alloc(sizeof *units * (g->count + 1));
    bool negative = false, ready = false;
    kr_cell done_whole = KR_BLANK, result = KR_BLANK;
    for (size_t i = 0; i < g->in_count; i++) {
        x[i] = g->x[g->in[i].place];
        negative |= x[i].hi < 0;
    }
    for (size_t i = 0; i < g->count; i++) {
        kr_cell whole = g->whole[i];
        if (g->out[i] == 1) {
            out[i] = KR_NUM_ZERO;
        } else if (negative) {
            out[i] = KR_E_NUM;
        } else if (kr_is_special(whole) || g->out[i] == 2) {
            out[i] = kr_is_error(whole) ? whole : KR_BLANK;
        } else if (!kr_num_is_int(whole) || whole.hi < 0) {
            out[i] = kr_num_is_int(whole) ? KR_E_NUM : KR_E_VALUE;
        } else if (kr_sum_sign(&sum) == 0) {
            out[i] = KR_NUM_ZERO;
        } else {
            if (!ready || !kr_raw_eq(whole, done_whole)) { /* mostly one whole for all */
                result = kr_share_apportion(x, g->in_count, &sum, whole, parts);
                for (size_t k = 0; k < g->in_count && !kr_is_special(result); k++)
                    units[g->in[parts[k].index].place] = parts[k].units;
                done_whole = whole;
                ready = true;
            }
            out[i] = kr_is_special(result) ? result : units[i];
        }
    }
    kr_free(x);
    kr_free(parts);
    kr_free(units);
}

static void share_item(void *context, int thread, size_t item)
{
    const share_job *job = context;
    (void)thread;
    const kr_task *task = job->task;
    kr_column *column = &kr_state_of(job->run, task)->column;
    group g = { .job = job, .first = task->form == KR_FORM_PRORATE ? 1 : 0, .columns = task->form == KR_FORM_RANK ? task->column_count : 1 };
    size_t room = 0, from = item * job->per_item, to = from + job->per_item < job->group_count ? from + job->per_item : job->group_count;
    kr_cell *out = NULL;
    for (; from < to; from++) {
        uint32_t id = job->groups[from];
        g.rows = job->index->rows + job->index->start[id];
        g.count = job->index->start[id + 1] - job->index->start[id];
        if (g.count > room) {
            room = g.count * 2;
            g.x = kr_realloc(g.x, sizeof *g.x * room * (size_t)g.columns);
            g.whole = kr_realloc(g.whole, sizeof *g.whole * room);
            g.in = kr_realloc(g.in, sizeof *g.in * room);
            g.out = kr_realloc(g.out, room);
            out = kr_realloc(out, sizeof *out * room);
        }
        collect(&g);
        for (size_t i = 0; i < g.count; i++)
            out[i] = g.error;
        if (kr_is_blank(g.error)) {
            if (task->form == KR_FORM_RANK)
                rank(&g, out);
            else if (task->form == KR_FORM_APPORTION)
                apportion(&g, out);
            else
                prorate(&g, out);
        }
        kr_column_scatter(column, g.rows, g.count, out);
    }
    kr_free(g.x);
    kr_free(g.whole);
    kr_free(g.in);
    kr_free(g.out);
    kr_free(out);
}

/* Rows whose BY holds a blank stay blank; with an error they are that error. */
static void spread_by(kr_run *run, const kr_task *task, const kr_index *index, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : i;
        if (index->group_of[row] != KR_NO_ROW)
            continue;
        for (int k = 0; k < task->index->column_count; k++) {
            kr_cell c = kr_column_get(kr_cells_of(run, task->index->columns[k]), row);
            if (kr_is_error(c)) {
                kr_column_set(&state->column, row, c);
                break;
            }
        }
    }
}

void kr_share_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    const kr_index *index = kr_state_of(run, task->index)->index;
    uint32_t *groups;
    if (rows && state->value_capacity < index->group_count) {
        state->ready = kr_realloc(state->ready, (size_t)index->group_count * 2 + 1);
        memset(state->ready + state->value_capacity, 0, (size_t)index->group_count * 2 + 1 - state->value_capacity);
        state->value_capacity = (size_t)index->group_count * 2 + 1;
    }
    size_t count = kr_groups_due(index, state, rows, n, &groups);
    share_job job = { run, task, index, groups, count, count / ((size_t)kr_workers_count(run->workers) * 4) + 1 };
    if (rows && n < 4096)
        job.per_item = count + 1;
    kr_workers_run(run->workers, (count + job.per_item - 1) / job.per_item, share_item, &job);
    spread_by(run, task, index, rows, n);
    kr_free(groups);
}
