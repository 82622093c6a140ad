/* join.c: rows from pairs of rows of two sheets that agree on some columns and meet a condition.
 *
 * The condition was taken apart when it was planned: what is about one row only thins out its sheet first, bounds on one column of b
 * make a sorted scan of it, and only the rest is computed for pairs, chunk by chunk, each part for the pairs that the last one left. */
#include "vm/engine/exec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ON = 8, MOST_KEYS = 64 };

typedef struct far_row {       /* of b */
    kr_cell value;             /* of the range column */
    uint32_t row;
} far_row;

typedef struct span {          /* places in far that a row of a is paired with */
    uint32_t from, to;
} span;

typedef struct join_job {
    kr_run *run;
    const kr_task *task;
    far_row *far;              /* by group of the index, in order of value */
    uint32_t *start;           /* per group */
    span *spans;               /* per row of a */
    size_t *item;              /* first row of a of each item of work */
    kr_relation **made;        /* per item */
} join_job;

typedef struct joiner {        /* of one item */
    kr_run *run;
    const kr_task *task;
    kr_exec **rest, **keys;
    uint32_t *a, *b;
    size_t n;
    kr_relation *out;
} joiner;

static bool all_true(const kr_run *run, kr_task *const *columns, int count, size_t row)
{
    for (int i = 0; i < count; i++)
        if (!kr_cell_is_true(kr_column_get(kr_cells_of(run, columns[i]), row)))
            return false;
    return true;
}

static int compare_far(const void *p, const void *q)
{
    const far_row *a = p, *b = q;
    int order = kr_raw_cmp(a->value, b->value);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static void sort_far(join_job *job)
{
    const kr_run *run = job->run;
    const kr_plan_join *join = job->task->join;
    const kr_index *index = kr_state_of(run, job->task->index)->index;
    job->far = kr_alloc(sizeof *job->far * (index->row_count + 1));
    job->start = kr_alloc(sizeof *job->start * ((size_t)index->group_count + 1));
    uint32_t n = 0;
    for (uint32_t g = 0; g < index->group_count; g++) {
        bool sorted = true;
        job->start[g] = n;
        for (uint32_t i = index->start[g]; i < index->start[g + 1]; i++) {
            uint32_t row = index->rows[i];
            kr_cell value = join->range ? kr_column_get(kr_cells_of(run, join->range), row) : KR_NUM_ZERO;
            if (kr_is_special(value) || !all_true(run, join->b, join->b_count, row))
                continue;
            sorted &= n == job->start[g] || kr_raw_cmp(job->far[n - 1].value, value) <= 0;
            job->far[n++] = (far_row){ value, row };
        }
        if (!sorted)
            qsort(job->far + job->start[g], n - job->start[g], sizeof *job->far, compare_far);
    }
    job->start[index->group_count] = n;
}

/* The first place whose value is above (or, at: not below) this one. */
static uint32_t far_place(const join_job *job, uint32_t from, uint32_t to, kr_cell value, bool at)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = kr_raw_cmp(job->far[middle].value, value);
        if (order < 0 || (order == 0 && !at))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static span span_of(const join_job *job, size_t row)
{
    const kr_run *run = job->run;
    const kr_task *task = job->task;
    kr_cell cells[MOST_ON];
    const kr_cell *near[MOST_ON];
    uint32_t g;
    if (!all_true(run, task->join->a, task->join->a_count, row))
        return (span){ 0, 0 };
    for (int k = 0; k < task->column_count; k++) {
        cells[k] = kr_column_get(kr_cells_of(run, task->columns[k]), row);
        near[k] = &cells[k];
    }
    kr_index_probe(kr_state_of(run, task->index)->index, near, 1, &g);
    if (kr_map_is_special(g))
        return (span){ 0, 0 }; /* a blank or an error agrees with nothing */
    span s = { job->start[g], job->start[g + 1] };
    for (int i = 0; i < task->join->bound_count && s.from < s.to; i++) {
        const kr_plan_bound *bound = &task->join->bounds[i];
        kr_cell value = kr_column_get(kr_cells_of(run, bound->value), row);
        if (kr_is_special(value))
            return (span){ 0, 0 };
        uint32_t place = far_place(job, s.from, s.to, value, bound->low != bound->open);
        *(bound->low ? &s.from : &s.to) = place;
    }
    return s;
}

/* Pairs of all rows of a, counted before any is made; false: too many, reported. */
static bool count_pairs(join_job *job, size_t n, uint64_t *pairs)
{
    kr_run *run = job->run;
    *pairs = 0;
    for (size_t i = 0; i < n; i++) {
        job->spans[i] = span_of(job, i);
        *pairs += job->spans[i].to - job->spans[i].from;
    }
    if (*pairs <= run->options.pair_limit)
        return true;
    kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_PAIRS, job->task->rows->span, "this join looks at more than the limit of %" PRIu64 " pairs of rows",
                                run->options.pair_limit);
    kr_diag_help(run->diags, diag, "name more columns that must agree in `on`, or bound a time, a day or a number of b in `where`");
    run->broken = true;
    return false;
}

static void keep_pairs(joiner *j)
{
    size_t at = j->out->count;
    for (int r = 0; r < j->task->join->rest_count && j->n; r++) {
        kr_lanes lanes = { j->n, { j->a, j->b }, { 0, 0 } };
        const kr_cell *cells = kr_exec_run(j->rest[r], &lanes);
        size_t kept = 0;
        for (size_t i = 0; i < j->n; i++)
            if (kr_cell_is_true(cells[i])) {
                j->a[kept] = j->a[i];
                j->b[kept++] = j->b[i];
            }
        j->n = kept;
    }
    kr_lanes lanes = { j->n, { j->a, j->b }, { 0, 0 } };
    for (int k = 0; k < j->task->rows->column_count && j->n; k++) {
        kr_column_resize(&j->out->columns[k], at + j->n);
        kr_column_store(&j->out->columns[k], at, j->n, kr_exec_run(j->keys[k], &lanes));
    }
    j->out->count += j->n;
    j->n = 0;
}

/* Keys that repeat are dropped now and then, so that memory follows the result. */
static void join_item(void *context, int thread, size_t item)
{
    const join_job *job = context;
    kr_run *run = job->run;
    const kr_task *task = job->task;
    int rest = task->join->rest_count, keys = task->rows->column_count;
    size_t distinct_at = 1 << 20;
    joiner j = { .run = run, .task = task, .rest = kr_alloc(sizeof(kr_exec *) * (size_t)(rest + 1)), .keys = kr_alloc(sizeof(kr_exec *) * (size_t)(keys + 1)),
                 .a = kr_alloc(sizeof *j.a * run->chunk), .b = kr_alloc(sizeof *j.b * run->chunk), .out = job->made[item] };
    for (int k = 0; k < rest; k++)
        j.rest[k] = kr_exec_open(run, task->join->rest[k], run->chunk, thread);
    for (int k = 0; k < keys; k++)
        j.keys[k] = kr_exec_open(run, task->series_pairs[k], run->chunk, thread);
    for (size_t a = job->item[item]; a < job->item[item + 1]; a++) {
        for (uint32_t i = job->spans[a].from; i < job->spans[a].to; i++) {
            j.a[j.n] = (uint32_t)a;
            j.b[j.n++] = job->far[i].row;
            if (j.n == run->chunk)
                keep_pairs(&j);
        }
        if (j.out->count > distinct_at) {
            kr_relation_distinct(run, j.out);
            distinct_at = j.out->count * 2 > (1 << 20) ? j.out->count * 2 : 1 << 20;
        }
    }
    keep_pairs(&j);
    for (int k = 0; k < rest; k++)
        kr_exec_close(j.rest[k]);
    for (int k = 0; k < keys; k++)
        kr_exec_close(j.keys[k]);
    kr_free(j.rest);
    kr_free(j.keys);
    kr_free(j.a);
    kr_free(j.b);
}

/* The items' rows one after another, each once. */
static kr_relation *put_together(kr_run *run, kr_relation **made, size_t items)
{
    kr_relation *all = made[0];
    for (size_t i = 1; i < items; i++) {
        for (int k = 0; k < all->column_count; k++) {
            kr_column *to = &all->columns[k], *from = &made[i]->columns[k];
            size_t n = made[i]->count;
            kr_column_resize(to, all->count + n);
            if (n)
                memcpy((char *)to->data + all->count * to->width, from->data, n * to->width);
        }
        all->count += made[i]->count;
        kr_relation_free(made[i]);
    }
    kr_relation_distinct(run, all);
    return all;
}

void kr_join_run(kr_run *run, kr_task *task)
{
    const kr_rows *rows = task->rows;
    size_t n = kr_rows_of(run, task->rowset), items = 0;
    kr_type types[MOST_KEYS] = { 0 };
    KR_ASSERT(rows->column_count <= MOST_KEYS && task->column_count <= MOST_ON);
    for (int k = 0; k < rows->column_count; k++)
        types[k] = rows->key[k].expr->type;
    join_job job = { .run = run, .task = task, .spans = kr_alloc(sizeof(span) * (n + 1)) };
    sort_far(&job);
    uint64_t pairs = 0, most = (uint64_t)kr_workers_count(run->workers) * 8;
    job.item = kr_alloc(sizeof *job.item * (most + 2));
    job.made = kr_alloc(sizeof *job.made * (most + 1));
    if (count_pairs(&job, n, &pairs)) {
        uint64_t per_item = pairs / most + 1, in_item = 0;
        for (size_t a = 0; a < n; a++) {
            in_item += job.spans[a].to - job.spans[a].from;
            if (in_item >= per_item && items + 1 < most) {
                job.item[++items] = a + 1;
                in_item = 0;
            }
        }
        job.item[++items] = n;
        for (size_t i = 0; i < items; i++)
            job.made[i] = kr_relation_new(run, rows->column_count, rows->columns, types, 0);
        kr_workers_run(run->workers, items, join_item, &job);
        kr_state_of(run, task)->relation = put_together(run, job.made, items);
    }
    kr_free(job.far);
    kr_free(job.start);
    kr_free(job.spans);
    kr_free(job.item);
    kr_free(job.made);
}
