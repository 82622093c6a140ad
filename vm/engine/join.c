/* join.c: rows from pairs of rows of two sheets that agree on some columns and meet a condition.
 *
 * The condition was taken apart when it was planned: what is about one row only thins out its sheet first, bounds on one column of b
 * make a sorted scan of it, and only the rest is computed for pairs, chunk by chunk, each part for the pairs that the last one left. Where a
 * path must lead from a to b, only the rows that a search from a reaches are paired. */
#include "vm/engine/exec.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ON = 8, MOST_KEYS = 64 };

typedef struct far_row {       /* of b */
    kr_cell value;             /* of the range column */
    uint32_t row;
} far_row;

typedef struct span {          /* places in far that a row of a is paired with */
    uint32_t from, to, group;
} span;

typedef struct goal {          /* far rows by the text that a path must lead to */
    uint32_t group, text, place;
} goal;

typedef struct join_job {
    kr_run *run;
    const kr_task *task;
    far_row *far;              /* by group of the index, in order of value */
    uint32_t *start;           /* per group */
    span *spans;               /* per row of a */
    goal *goals;               /* NULL: all of a span is paired */
    size_t goal_count;
    atomic_uint_fast64_t pairs; /* along ways */
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
        return (span){ 0 };
    for (int k = 0; k < task->column_count; k++) {
        cells[k] = kr_column_get(kr_cells_of(run, task->columns[k]), row);
        near[k] = &cells[k];
    }
    kr_index_probe(kr_state_of(run, task->index)->index, near, 1, &g);
    if (kr_map_is_special(g))
        return (span){ 0 }; /* a blank or an error agrees with nothing */
    span s = { job->start[g], job->start[g + 1], g };
    for (int i = 0; i < task->join->bound_count && s.from < s.to; i++) {
        const kr_plan_bound *bound = &task->join->bounds[i];
        kr_cell value = kr_column_get(kr_cells_of(run, bound->value), row);
        if (kr_is_special(value))
            return (span){ 0 };
        uint32_t place = far_place(job, s.from, s.to, value, bound->low != bound->open);
        *(bound->low ? &s.from : &s.to) = place;
    }
    return s;
}

/* ---- ways: of a span only the rows that a path leads to */

static int compare_goals(const void *p, const void *q)
{
    const goal *a = p, *b = q;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->text != b->text)
        return a->text < b->text ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* The end and the `by` of a path must not fall along the far rows, so that a span's last and first row bound them. */
static bool in_order(const join_job *job, const kr_column *column)
{
    const kr_index *index = kr_state_of(job->run, job->task->index)->index;
    for (uint32_t g = 0; g < index->group_count; g++)
        for (uint32_t i = job->start[g]; i < job->start[g + 1]; i++) {
            kr_cell cell = kr_column_get(column, job->far[i].row);
            if (kr_is_special(cell) || (i > job->start[g] && kr_raw_cmp(kr_column_get(column, job->far[i - 1].row), cell) > 0))
                return false;
        }
    return true;
}

static void find_goals(join_job *job)
{
    const struct kr_plan_way *way = job->task->join->way;
    const kr_index *index = kr_state_of(job->run, job->task->index)->index;
    if (!way || !in_order(job, kr_cells_of(job->run, way->end)) || !in_order(job, kr_cells_of(job->run, way->by)))
        return;
    job->goals = kr_alloc(sizeof *job->goals * ((size_t)job->start[index->group_count] + 1));
    for (uint32_t g = 0; g < index->group_count; g++)
        for (uint32_t i = job->start[g]; i < job->start[g + 1]; i++) {
            kr_cell text = kr_column_get(kr_cells_of(job->run, way->to), job->far[i].row);
            if (!kr_is_special(text))
                job->goals[job->goal_count++] = (goal){ g, (uint32_t)text.lo, i };
        }
    if (job->goal_count)
        qsort(job->goals, job->goal_count, sizeof *job->goals, compare_goals);
}

static size_t goal_place(const join_job *job, goal wanted)
{
    size_t from = 0, to = job->goal_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (compare_goals(&job->goals[middle], &wanted) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Pairs of all rows of a, counted before any is made (along ways: while they are); false: too many, reported. */
static bool count_pairs(join_job *job, size_t n, uint64_t *pairs)
{
    *pairs = 0;
    for (size_t i = 0; i < n; i++) {
        job->spans[i] = span_of(job, i);
        *pairs += job->spans[i].to - job->spans[i].from;
    }
    return job->goals || *pairs <= job->run->options.pair_limit;
}

static void too_many_pairs(join_job *job)
{
    kr_run *run = job->run;
    kr_diag *diag = kr_diag_add(run->diags, KR_E_RUN_PAIRS, job->task->rows->span, "this join looks at more than the limit of %" PRIu64 " pairs of rows",
                                run->options.pair_limit);
    kr_diag_help(run->diags, diag, "name more columns that must agree in `on`, or bound a time, a day or a number of b in `where`");
    run->broken = true;
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

static void add_pair(joiner *j, size_t a, uint32_t b)
{
    j->a[j->n] = (uint32_t)a;
    j->b[j->n++] = b;
    if (j->n == j->run->chunk)
        keep_pairs(j);
}

static void pair_along_ways(join_job *job, joiner *j, kr_hops_search *search, size_t a)
{
    const kr_run *run = job->run;
    const struct kr_plan_way *way = job->task->join->way;
    span s = job->spans[a];
    const uint32_t *texts;
    if (s.from >= s.to)
        return;
    kr_cell end = kr_column_get(kr_cells_of(run, way->end), job->far[s.to - 1].row), by = kr_column_get(kr_cells_of(run, way->by), job->far[s.from].row);
    size_t n = kr_hops_reach(search, kr_column_get(kr_cells_of(run, way->from), a), kr_column_get(kr_cells_of(run, way->start), a), end, by, &texts);
    uint64_t pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = goal_place(job, (goal){ s.group, texts[i], s.from }); k < job->goal_count && job->goals[k].group == s.group
             && job->goals[k].text == texts[i] && job->goals[k].place < s.to; k++, pairs++)
            add_pair(j, a, job->far[job->goals[k].place].row);
    atomic_fetch_add(&job->pairs, pairs);
}

/* Keys that repeat are dropped now and then, so that memory follows the result. */
static void join_item(void *context, int thread, size_t item)
{
    join_job *job = context;
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
    kr_hops_search *search = job->goals ? kr_hops_open(kr_state_of(run, task->join->way->graph)->hops) : NULL;
    for (size_t a = job->item[item]; a < job->item[item + 1] && (!search || atomic_load(&job->pairs) <= run->options.pair_limit); a++) {
        if (search)
            pair_along_ways(job, &j, search, a);
        for (uint32_t i = job->spans[a].from; !search && i < job->spans[a].to; i++)
            add_pair(&j, a, job->far[i].row);
        if (j.out->count > distinct_at) {
            kr_relation_distinct(run, j.out);
            distinct_at = j.out->count * 2 > (1 << 20) ? j.out->count * 2 : 1 << 20;
        }
    }
    keep_pairs(&j);
    kr_hops_close(search);
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
    find_goals(&job);
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
        if (job.goals && atomic_load(&job.pairs) > run->options.pair_limit)
            too_many_pairs(&job);
        kr_state_of(run, task)->relation = put_together(run, job.made, items);
    } else {
        too_many_pairs(&job);
    }
    kr_free(job.far);
    kr_free(job.start);
    kr_free(job.goals);
    kr_free(job.spans);
    kr_free(job.item);
    kr_free(job.made);
}
