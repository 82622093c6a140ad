/* step.c: cycles through time, a step at a time.
 *
 * Along a sequence: step k takes the k-th rows of all partitions, so that vectors are as long as there are partitions; blocks of
 * partitions go to different threads. Day by day: the rows of a day of all the cycle's sheets, tasks in the order of one day. */
#include "vm/engine/exec.h"

#include <stdlib.h>
#include <string.h>

/* A program over given rows, kept open from step to step. */
static void column_step(kr_run *run, kr_task *task, kr_exec *exec, const uint32_t *rows, size_t n)
{
    kr_column *column = &kr_state_of(run, task)->column;
    bool overlaid = task->back && run->options.recorded;
    for (size_t at = 0; at < n; at += run->chunk) {
        size_t m = n - at < run->chunk ? n - at : run->chunk;
        kr_lanes lanes = { m, { rows + at, NULL }, { 0, 0 } };
        const kr_cell *cells = kr_exec_run(exec, &lanes);
        kr_cell *changed = NULL;
        if (overlaid) {
            changed = kr_alloc(sizeof *changed * m);
            memcpy(changed, cells, sizeof *changed * m);
            kr_overlay_apply(run, task, rows + at, 0, m, changed);
            cells = changed;
        }
        if (column->width == sizeof(kr_cell)) {
            kr_cell *to = column->data;
            for (size_t i = 0; i < m; i++)
                to[rows[at + i]] = cells[i];
        } else {
            kr_column_scatter(column, rows + at, m, cells);
        }
        kr_free(changed);
    }
}

/* ---- along a sequence */

typedef struct along_job {
    kr_run *run;
    const kr_scc *scc;
    const kr_seq *seq;
    uint32_t *parts;           /* longest first */
    size_t *starts;            /* per item in parts */
} along_job;

static void along_item(void *context, int thread, size_t item)
{
    const along_job *job = context;
    const kr_seq *seq = job->seq;
    const uint32_t *parts = job->parts + job->starts[item];
    size_t active = job->starts[item + 1] - job->starts[item];
    kr_exec **execs = kr_alloc(sizeof *execs * (size_t)job->scc->task_count);
    uint32_t *rows = kr_alloc(sizeof *rows * (active + 1));
    for (int t = 0; t < job->scc->task_count; t++)
        if (job->scc->tasks[t]->kind == KR_TASK_COLUMN)
            execs[t] = kr_exec_open(job->run, job->scc->tasks[t]->program, active < job->run->chunk ? active : job->run->chunk, thread);
    for (uint32_t k = 0;; k++) {
        while (active && seq->start[parts[active - 1] + 1] - seq->start[parts[active - 1]] <= k)
            active--;
        if (!active)
            break;
        for (size_t i = 0; i < active; i++)
            rows[i] = seq->order[seq->start[parts[i]] + k];
        for (int t = 0; t < job->scc->task_count; t++) {
            if (execs[t])
                column_step(job->run, job->scc->tasks[t], execs[t], rows, active);
            else
                kr_task_run(job->run, job->scc->tasks[t], rows, active);
        }
    }
    for (int t = 0; t < job->scc->task_count; t++)
        kr_exec_close(execs[t]);
    kr_free(execs);
    kr_free(rows);
}

typedef struct sized { uint32_t length, part; } sized;

static int longest_first(const void *p, const void *q)
{
    const sized *a = p, *b = q;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

static void along_all(kr_run *run, const kr_scc *scc, const kr_seq *seq)
{
    size_t n = seq->part_count, threads = (size_t)kr_workers_count(run->workers);
    sized *list = kr_alloc(sizeof *list * (n + 1));
    along_job job = { run, scc, seq, kr_alloc(sizeof(uint32_t) * (n + 1)), NULL };
    for (size_t p = 0; p < n; p++)
        list[p] = (sized){ seq->start[p + 1] - seq->start[p], (uint32_t)p };
    qsort(list, n, sizeof *list, longest_first);
    bool columns = true; /* windows keep their state for one thread */
    for (int t = 0; t < scc->task_count; t++)
        columns = columns && scc->tasks[t]->kind == KR_TASK_COLUMN;
    size_t items = 1;
    if (columns && n)
        items = n >= threads * 32 ? (n / run->chunk / threads + 1) * threads : 1;
    if (n == 0)
        items = 0;
    job.starts = kr_alloc(sizeof *job.starts * (items + 1));
    /* Dealt out in turn, longest first, so that each item has long and short ones, and its longest first. */
    size_t at = 0;
    for (size_t first = 0; first < items; first++) {
        size_t share = n / items + (first < n % items);
        job.starts[first] = at;
        for (size_t k = 0; k < share; k++)
            job.parts[at++] = list[first + k * items].part;
    }
    job.starts[items] = at;
    kr_workers_run(run->workers, items, along_item, &job);
    kr_free(list);
    kr_free(job.starts);
    kr_free(job.parts);
}

/* Given rows only (of one day): the next row of each partition in turn. */
static int by_pos_of(const kr_seq *seq, uint32_t a, uint32_t b) { return (seq->pos[a] > seq->pos[b]) - (seq->pos[a] < seq->pos[b]); }

static void along_some(kr_run *run, const kr_scc *scc, const kr_seq *seq, const uint32_t *rows, size_t n)
{
    uint32_t *sorted = kr_alloc(sizeof *sorted * (n + 1)), *step = kr_alloc(sizeof *step * (n + 1));
    size_t *next = kr_alloc(sizeof *next * (n + 1)), starts = 0;
    memcpy(sorted, rows, sizeof *sorted * n);
    for (size_t gap = n / 2; gap > 0; gap /= 2) /* Shell: places are all different, and days are small */
        for (size_t i = gap; i < n; i++)
            for (size_t j = i; j >= gap && by_pos_of(seq, sorted[j - gap], sorted[j]) > 0; j -= gap) {
                uint32_t swap = sorted[j];
                sorted[j] = sorted[j - gap];
                sorted[j - gap] = swap;
            }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || seq->part_of[sorted[i]] != seq->part_of[sorted[i - 1]])
            next[starts++] = i;
    for (bool more = n > 0; more;) {
        size_t count = 0;
        more = false;
        for (size_t s = 0; s < starts; s++) {
            size_t i = next[s];
            if (i == n)
                continue;
            step[count++] = sorted[i];
            next[s] = i + 1 < n && seq->part_of[sorted[i + 1]] == seq->part_of[sorted[i]] ? i + 1 : n;
            more |= next[s] < n;
        }
        for (int t = 0; t < scc->task_count; t++)
            kr_task_run(run, scc->tasks[t], step, count);
    }
    kr_free(sorted);
    kr_free(step);
    kr_free(next);
}

void kr_step_along(kr_run *run, const kr_scc *scc, const uint32_t *rows, size_t n)
{
    const kr_seq *seq = kr_state_of(run, scc->seq)->seq;
    if (rows)
        along_some(run, scc, seq, rows, n);
    else
        along_all(run, scc, seq);
}

/* ---- day by day */

typedef struct calendar {      /* rows of one row set by day */
    uint32_t *rows, *start;    /* start: per day of the list */
} calendar;

static int compare_days(const void *p, const void *q)
{
    int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

static size_t place_of(const int64_t *days, size_t count, int64_t day)
{
    size_t low = 0, high = count;
    while (low + 1 < high) {
        size_t mid = low + (high - low) / 2;
        if (days[mid] <= day)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static int64_t *row_days(const kr_run *run, const kr_rowset *rowset, size_t n)
{
    const kr_column *clock = kr_cells_of(run, rowset->columns[rowset->sheet->clock->index]);
    int64_t *days = kr_alloc(sizeof *days * (n + 1));
    for (size_t i = 0; i < n; i++)
        days[i] = kr_day_of_cell(clock->type, kr_column_get(clock, i)); /* not known: before all others, as in sequences */
    return days;
}

void kr_step_days(kr_run *run, const kr_scc *scc)
{
    int sets = run->plan->rowset_count;
    calendar *calendars = kr_alloc(sizeof *calendars * (size_t)sets);
    int64_t **row_day = kr_alloc(sizeof *row_day * (size_t)sets), *days = NULL;
    size_t count = 0, total = 0, at = 0;
    for (int i = 0; i < scc->task_count; i++) {
        const kr_rowset *rowset = scc->tasks[i]->rowset;
        if (!row_day[rowset->id]) {
            row_day[rowset->id] = row_days(run, rowset, kr_rows_of(run, rowset));
            total += kr_rows_of(run, rowset);
        }
    }
    days = kr_alloc(sizeof *days * (total + 1));
    for (int s = 0; s < sets; s++)
        for (size_t i = 0; row_day[s] && i < run->row_counts[s]; i++)
            if (at == 0 || days[at - 1] != row_day[s][i])
                days[at++] = row_day[s][i];
    qsort(days, at, sizeof *days, compare_days);
    for (size_t i = 0; i < at; i++)
        if (count == 0 || days[count - 1] != days[i])
            days[count++] = days[i];
    for (int s = 0; s < sets; s++) {
        size_t n = run->row_counts[s];
        if (!row_day[s])
            continue;
        calendars[s].rows = kr_alloc(sizeof(uint32_t) * (n + 1));
        calendars[s].start = kr_alloc(sizeof(uint32_t) * (count + 2));
        for (size_t i = 0; i < n; i++)
            calendars[s].start[place_of(days, count, row_day[s][i]) + 2]++;
        for (size_t d = 0; d < count; d++)
            calendars[s].start[d + 2] += calendars[s].start[d + 1];
        for (size_t i = 0; i < n; i++)
            calendars[s].rows[calendars[s].start[place_of(days, count, row_day[s][i]) + 1]++] = (uint32_t)i;
        kr_free(row_day[s]);
    }
    kr_exec **execs = kr_alloc(sizeof *execs * (size_t)scc->inner_count);
    for (int k = 0; k < scc->inner_count; k++)
        if (scc->inner[k].step == KR_STEP_ONCE && scc->inner[k].tasks[0]->kind == KR_TASK_COLUMN)
            execs[k] = kr_exec_open(run, scc->inner[k].tasks[0]->program, run->chunk, 0);
    for (size_t d = 0; d < count && !run->broken; d++)
        for (int k = 0; k < scc->inner_count; k++) {
            kr_scc *inner = &scc->inner[k];
            const calendar *c = &calendars[inner->tasks[0]->rowset->id];
            const uint32_t *rows = c->rows + c->start[d];
            size_t n = c->start[d + 1] - c->start[d];
            if (n == 0)
                continue;
            if (execs[k])
                column_step(run, inner->tasks[0], execs[k], rows, n);
            else if (inner->step == KR_STEP_SEQUENCE)
                kr_step_along(run, inner, rows, n);
            else
                kr_task_run(run, inner->tasks[0], rows, n);
        }
    for (int k = 0; k < scc->inner_count; k++)
        kr_exec_close(execs[k]);
    for (int s = 0; s < sets; s++) {
        kr_free(calendars[s].rows);
        kr_free(calendars[s].start);
    }
    kr_free(execs);
    kr_free(calendars);
    kr_free(row_day);
    kr_free(days);
}
