/* pairs.c: aggregates whose terms mention both the own row and the one that ranges. Pairs are made for a few own rows at a time and
 * computed in chunks; their number is bounded by the caller's limit, counted before anything is computed. */
#include "vm/engine/exec.h"

#include <inttypes.h>
#include <string.h>


enum { OWN_PER_ITEM = 512 };

typedef struct pairs_job {
    kr_run *run;
    kr_task *task;
    const kr_index *index;
    const uint32_t *map;       /* own row -> group */
    const uint32_t *rows;      /* own rows, NULL: 0 … */
    size_t n;
    uint32_t *from, *to;       /* per own row of the job: places in its group */
} pairs_job;

/* One thread's programs and memory for one item. */
typedef struct worker {
    const pairs_job *job;
    kr_exec *where, *series[8], *scalars[8];
    kr_aggregate agg;
    kr_env env;
    uint32_t *own, *far;       /* pairs of a chunk */
    kr_cell *cells;            /* series after series, then the condition; `room` each */
    size_t room;
} worker;

static size_t own_row(const pairs_job *job, size_t i) { return job->rows ? job->rows[i] : i; }

static size_t pairs_of(const pairs_job *job, size_t i) { return job->to[i] - job->from[i]; }

static void reserve(worker *w, size_t n)
{
    if (n <= w->room)
        return;
    kr_free(w->cells);
    w->room = n * 2;
    w->cells = kr_alloc(sizeof(kr_cell) * w->room * (size_t)(w->job->task->column_count + 1));
}

/* The cells of n pairs in own/far to place `at` of the vectors. */
static void compute(worker *w, size_t at, size_t n)
{
    const kr_task *task = w->job->task;
    kr_lanes lanes = { n, { w->own, w->far }, { 0, 0 } };
    for (int k = 0; k < task->column_count; k++)
        memcpy(w->cells + w->room * (size_t)k + at, kr_exec_run(w->series[k], &lanes), sizeof(kr_cell) * n);
    if (w->where)
        memcpy(w->cells + w->room * (size_t)task->column_count + at, kr_exec_run(w->where, &lanes), sizeof(kr_cell) * n);
}

/* ARGMIN, ARGMAX: series 0 is the value, series 1 what it is chosen by. */
static kr_cell best_of(const worker *w, kr_cell *const *series, const kr_cell *where, size_t n)
{
    const kr_task *task = w->job->task;
    int sign = task->form == KR_FORM_ARGMIN ? -1 : 1;
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (where && !kr_cell_is_true(where[i])) {
            if (kr_is_error(where[i]))
                return where[i];
            continue;
        }
        if (kr_is_error(series[1][i]))
            return series[1][i];
        if (!kr_is_blank(series[1][i])
            && (best == n || sign * kr_cell_cmp(w->job->run->pool, task->expr->args[1]->type, series[1][i], series[1][best]) > 0))
            best = i;
    }
    return best == n ? KR_BLANK : series[0][best];
}

/* The result of own row i, whose pairs stand at [at, at + n). */
static void finish(worker *w, size_t i, size_t at, size_t n)
{
    const pairs_job *job = w->job;
    const kr_task *task = job->task;
    size_t row = own_row(job, i);
    kr_cell *series[8], scalars[8], result;
    for (int k = 0; k < task->column_count; k++)
        series[k] = w->cells + w->room * (size_t)k + at;
    const kr_cell *where = w->where ? w->cells + w->room * (size_t)task->column_count + at : NULL;
    kr_lanes own = { .n = 1, .start = { row, 0 } };
    for (int k = 0; k < task->scalar_count; k++)
        scalars[k] = *kr_exec_run(w->scalars[k], &own);
    uint32_t g = job->map[row];
    if (g != KR_NO_ROW && kr_map_is_special(g))
        result = kr_map_special(g);
    else if (task->pairs_arg)
        result = best_of(w, series, where, n);
    else
        result = kr_aggregate_value(&w->agg, series, where, n, scalars, task->scalar_count);
    kr_column_set(&kr_state_of(job->run, task)->column, row, result);
}

static void fill(worker *w, size_t i, size_t from, size_t to, size_t at)
{
    const kr_index *index = w->job->index;
    size_t row = own_row(w->job, i);
    for (size_t k = from; k < to; k++) {
        w->own[at + k - from] = (uint32_t)row;
        w->far[at + k - from] = index->rows[w->job->from[i] + k];
    }
}

static void pairs_item(void *context, int thread, size_t item)
{
    const pairs_job *job = context;
    const kr_task *task = job->task;
    size_t chunk = job->run->chunk;
    worker w = { .job = job, .env = { job->run->pool, job->run->scratch[thread] } };
    for (int k = 0; k < task->column_count; k++)
        w.series[k] = kr_exec_open(job->run, task->series_pairs[k], chunk, thread);
    for (int k = 0; k < task->scalar_count; k++)
        w.scalars[k] = kr_exec_open(job->run, task->scalars[k], 1, thread);
    if (task->where_pairs)
        w.where = kr_exec_open(job->run, task->where_pairs, chunk, thread);
    kr_aggregate_init(&w.agg, job->run, task, task->column_count, &w.env);
    w.own = kr_alloc(sizeof(uint32_t) * chunk);
    w.far = kr_alloc(sizeof(uint32_t) * chunk);
    size_t i = item * OWN_PER_ITEM, end = i + OWN_PER_ITEM < job->n ? i + OWN_PER_ITEM : job->n;
    while (i < end) {
        size_t count = pairs_of(job, i), next = i + 1, total = count;
        if (count <= chunk) { /* several own rows together */
            while (next < end && total + pairs_of(job, next) <= chunk)
                total += pairs_of(job, next++);
            reserve(&w, total + 1);
            size_t at = 0;
            for (size_t k = i; k < next; k++) {
                fill(&w, k, 0, pairs_of(job, k), at);
                at += pairs_of(job, k);
            }
            if (total)
                compute(&w, 0, total);
        } else { /* one own row, its pairs chunk by chunk */
            reserve(&w, count);
            for (size_t at = 0; at < count; at += chunk) {
                size_t n = count - at < chunk ? count - at : chunk;
                fill(&w, i, at, at + n, 0);
                compute(&w, at, n);
            }
        }
        for (size_t at = 0; i < next; i++) {
            finish(&w, i, at, pairs_of(job, i));
            at += pairs_of(job, i);
        }
    }
    for (int k = 0; k < task->column_count; k++)
        kr_exec_close(w.series[k]);
    for (int k = 0; k < task->scalar_count; k++)
        kr_exec_close(w.scalars[k]);
    kr_exec_close(w.where);
    kr_free(w.own);
    kr_free(w.far);
    kr_free(w.cells);
}

/* Only pairs for which the condition can be true are made where none can be an error. */
static bool may_narrow(kr_run *run, const kr_task *task)
{
    if (!task->narrow && !task->bound_count)
        return false;
    for (int i = 0; i < task->narrow_clean_count; i++)
        if (!kr_state_of(run, task->narrow_clean[i])->done || kr_has_error(run, task->narrow_clean[i]))
            return false;
    return true;
}

/* Whether the rows of each group stand in the order of a column, and all its cells are known. */
static uint8_t *ordered_groups(const kr_index *index, const kr_column *column)
{
    uint8_t *ordered = kr_alloc((size_t)index->group_count + 1);
    for (uint32_t g = 0; g < index->group_count; g++) {
        kr_cell last = KR_NUM_MIN;
        ordered[g] = true;
        for (uint32_t i = index->start[g]; i < index->start[g + 1] && ordered[g]; i++) {
            kr_cell cell = kr_column_get(column, index->rows[i]);
            ordered[g] = !kr_is_special(cell) && kr_raw_cmp(last, cell) <= 0;
            last = cell;
        }
    }
    return ordered;
}

/* The first place whose cell is above (or, at: not below) this one. */
static uint32_t place_of(const kr_index *index, const kr_column *column, uint32_t from, uint32_t to, kr_cell value, bool at)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = kr_raw_cmp(kr_column_get(column, index->rows[middle]), value);
        if (order < 0 || (order == 0 && !at))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void apply_bound(kr_run *run, pairs_job *job, const kr_plan_bound *bound)
{
    const kr_column *range = kr_cells_of(run, bound->range), *values = kr_cells_of(run, bound->value);
    uint8_t *ordered = ordered_groups(job->index, range);
    for (size_t i = 0; i < job->n; i++) {
        uint32_t g = job->map[own_row(job, i)];
        if (kr_map_is_special(g) || !ordered[g])
            continue;
        kr_cell value = kr_column_get(values, own_row(job, i));
        if (kr_is_special(value)) { /* blank: the condition is true nowhere */
            job->to[i] = job->from[i];
            continue;
        }
        uint32_t place = place_of(job->index, range, job->from[i], job->to[i], value, bound->low != bound->open);
        *(bound->low ? &job->from[i] : &job->to[i]) = place;
    }
    kr_free(ordered);
}

static void find_pairs(kr_run *run, kr_task *task, pairs_job *job, bool narrow)
{
    job->from = kr_alloc(sizeof *job->from * (job->n + 1));
    job->to = kr_alloc(sizeof *job->to * (job->n + 1));
    for (size_t i = 0; i < job->n; i++) {
        uint32_t g = job->map[own_row(job, i)];
        if (kr_map_is_special(g))
            continue;
        job->from[i] = job->index->start[g];
        job->to[i] = job->index->start[g + 1];
    }
    for (int i = 0; narrow && !job->rows && i < task->bound_count; i++) /* not in steps: what they cost grows with the whole */
        apply_bound(run, job, &task->bounds[i]);
}

void kr_pairs_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    bool narrow = may_narrow(run, task);
    const kr_task *group = narrow && task->narrow ? task->narrow : task->group;
    pairs_job job = { run, task, kr_state_of(run, group->index)->index, kr_state_of(run, group)->map, rows, n, NULL, NULL };
    find_pairs(run, task, &job, narrow);
    uint64_t pairs = 0;
    for (size_t i = 0; i < n; i++)
        pairs += pairs_of(&job, i);
    if (pairs > run->options.pair_limit) {
        kr_span span = task->expr->node ? kr_node_span(task->expr->node) : (kr_span){ 0 };
        kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_PAIRS, span, "this needs %" PRIu64 " pairs of rows, more than the limit of %" PRIu64,
                                    pairs, run->options.pair_limit);
        kr_diag_help(run->diags, diag, "match more columns with BY, or by an equality in WHERE between a column of `%s` and this row", task->expr->sheet->name);
        run->broken = true;
    } else {
        kr_workers_run(run->workers, (n + OWN_PER_ITEM - 1) / OWN_PER_ITEM, pairs_item, &job);
    }
    kr_free(job.from);
    kr_free(job.to);
}
