/* aggregate.c: aggregates and ARGMIN, ARGMAX over the groups of an index: once a group, however many rows ask for it. */
#include "vm/engine/exec.h"

#include <string.h>

#include "vm/num/num_sum.h"

enum { BATCH = 2048 };

/* What a thread gathers into: the cells of a batch of rows, series after series, and the condition. */
typedef struct buffers {
    kr_cell *cells, *where;
    kr_cell *series[8];
    size_t room;
} buffers;

static void make_room(buffers *b, int series, size_t n)
{
    if (n > b->room) {
        kr_free(b->cells);
        b->room = n > BATCH ? n : BATCH;
        b->cells = kr_alloc(sizeof(kr_cell) * b->room * (size_t)(series + 1));
    }
    for (int k = 0; k < series; k++)
        b->series[k] = b->cells + b->room * (size_t)k;
    b->where = b->cells + b->room * (size_t)series;
}

typedef struct agg_job {
    kr_run *run;
    kr_task *task;
    kr_state *state;
    const kr_index *index;
    const uint32_t *groups;
    size_t group_count, per_item;
    bool sum;
} agg_job;

/* SUM as its own loop: the most frequent aggregate, and it needs no array of its values. */
static kr_cell sum_of(const kr_cell *x, const kr_cell *where, size_t n)
{
    kr_sum sum = KR_SUM_ZERO;
    for (size_t i = 0; i < n; i++) {
        if (where && !kr_cell_is_true(where[i])) {
            if (kr_is_error(where[i]))
                return where[i];
            continue;
        }
        if (!kr_is_special(x[i]))
            kr_sum_add(&sum, x[i]);
        else if (!kr_is_blank(x[i]))
            return x[i];
    }
    return kr_sum_value(&sum);
}

/* Groups that lie one behind the other are gathered together, a batch at a time. */
static void agg_item(void *context, int thread, size_t item)
{
    agg_job *job = context;
    const kr_task *task = job->task;
    const kr_index *index = job->index;
    kr_env env = { job->run->pool, job->run->scratch[thread] };
    kr_aggregate agg;
    kr_aggregate_init(&agg, job->run, task, task->column_count, &env);
    buffers b = { 0 };
    size_t from = item * job->per_item, to = from + job->per_item < job->group_count ? from + job->per_item : job->group_count;
    while (from < to) {
        uint32_t first = index->start[job->groups[from]], end = index->start[job->groups[from] + 1];
        size_t next = from + 1;
        while (next < to && job->groups[next] == job->groups[next - 1] + 1 && index->start[job->groups[next] + 1] - first <= BATCH)
            end = index->start[job->groups[next++] + 1];
        size_t n = end - first;
        make_room(&b, task->column_count, n);
        for (int k = 0; k < task->column_count; k++)
            kr_column_gather(kr_cells_of(job->run, task->columns[k]), index->rows + first, n, b.series[k]);
        if (task->where)
            kr_column_gather(kr_cells_of(job->run, task->where), index->rows + first, n, b.where);
        for (; from < next; from++) {
            uint32_t g = job->groups[from];
            size_t at = index->start[g] - first, count = index->start[g + 1] - index->start[g];
            const kr_cell *where = task->where ? b.where + at : NULL;
            kr_cell *series[8];
            for (int k = 0; k < task->column_count; k++)
                series[k] = b.series[k] + at;
            job->state->values[g] = job->sum ? sum_of(series[0], where, count)
                                             : kr_aggregate_value(&agg, series, where, count, job->state->scalars, task->scalar_count);
        }
    }
    kr_free(b.cells);
}

void kr_agg_begin(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    kr_env env = { run->pool, run->scratch[0] };
    kr_aggregate agg;
    state->scalars = kr_alloc(sizeof(kr_cell) * (size_t)(task->scalar_count + 1));
    for (int i = 0; i < task->scalar_count; i++)
        state->scalars[i] = kr_exec_constant(run, task->scalars[i]);
    kr_aggregate_init(&agg, run, task, task->column_count, &env);
    kr_cell none[8], *series[8];
    for (int k = 0; k < task->column_count; k++)
        series[k] = &none[k];
    state->empty = kr_aggregate_value(&agg, series, NULL, 0, state->scalars, task->scalar_count);
}

/* An index that grows by the day has more groups at each step. */
static void grow_values(const kr_index *index, kr_state *state, bool best)
{
    size_t need = (size_t)index->group_count + 1;
    if (need <= state->value_capacity)
        return;
    size_t room = state->value_capacity ? need * 2 : need;
    if (best)
        state->best = kr_realloc(state->best, sizeof *state->best * room);
    else
        state->values = kr_realloc(state->values, sizeof *state->values * room);
    state->ready = kr_realloc(state->ready, room);
    memset(state->ready + state->value_capacity, 0, room - state->value_capacity);
    state->value_capacity = room;
}

void kr_agg_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    const kr_index *index = kr_state_of(run, task->index)->index;
    uint32_t *groups;
    grow_values(index, state, false);
    size_t count = kr_groups_due(index, state, rows, n, &groups);
    agg_job job = { run, task, state, index, groups, count, count / ((size_t)kr_workers_count(run->workers) * 4) + 1, false };
    job.sum = strcmp(task->fn->name, "SUM") == 0 && task->column_count == 1 && task->scalar_count == 0;
    if (rows && n < 4096)
        job.per_item = count + 1;
    kr_workers_run(run->workers, (count + job.per_item - 1) / job.per_item, agg_item, &job);
    kr_free(groups);
}

/* ---- ARGMIN, ARGMAX */

static uint32_t best_of(const kr_run *run, const kr_task *task, const kr_index *index, uint32_t g)
{
    const kr_column *by = kr_cells_of(run, task->columns[0]), *where = task->where ? kr_cells_of(run, task->where) : NULL;
    int sign = task->form == KR_FORM_ARGMIN ? -1 : 1;
    uint32_t best = KR_NO_ROW;
    kr_cell best_by = KR_BLANK;
    for (uint32_t i = index->start[g]; i < index->start[g + 1]; i++) {
        uint32_t row = index->rows[i];
        if (where) {
            kr_cell c = kr_column_get(where, row);
            if (kr_is_error(c))
                return kr_map_of(c);
            if (!kr_cell_is_true(c))
                continue;
        }
        kr_cell c = kr_column_get(by, row);
        if (kr_is_error(c))
            return kr_map_of(c);
        if (kr_is_blank(c))
            continue;
        if (best == KR_NO_ROW || sign * kr_cell_cmp(run->pool, by->type, c, best_by) > 0) {
            best = row;
            best_by = c;
        }
    }
    return best;
}

static void arg_item(void *context, int thread, size_t item)
{
    agg_job *job = context;
    (void)thread;
    size_t from = item * job->per_item, to = from + job->per_item < job->group_count ? from + job->per_item : job->group_count;
    for (; from < to; from++)
        job->state->best[job->groups[from]] = best_of(job->run, job->task, job->index, job->groups[from]);
}

void kr_arg_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    const kr_index *index = kr_state_of(run, task->index)->index;
    const uint32_t *map = kr_state_of(run, task->group)->map;
    grow_values(index, state, true);
    /* In a step: only the groups that these rows ask for, once each. */
    uint32_t *groups = kr_alloc(sizeof *groups * ((rows ? n : index->group_count) + 1));
    size_t count = 0;
    for (size_t i = 0; i < (rows ? n : index->group_count); i++) {
        uint32_t g = rows ? map[rows[i]] : (uint32_t)i;
        if (!kr_map_is_special(g) && !state->ready[g]) {
            state->ready[g] = 1;
            groups[count++] = g;
        }
    }
    agg_job job = { run, task, state, index, groups, count, count / ((size_t)kr_workers_count(run->workers) * 4) + 1, false };
    kr_workers_run(run->workers, (count + job.per_item - 1) / job.per_item, arg_item, &job);
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : i;
        state->map[row] = kr_map_is_special(map[row]) ? map[row] : state->best[map[row]];
    }
    kr_free(groups);
}
