/* line.c: TWA and VALUE_AT: the straight lines through the points of another sheet.
 *
 * Rows that follow each other mostly ask for the same group, so a thread keeps the points of the last one. Of a group's points only
 * those around the period are handed on: the last one up to its start, those inside, and the first one from its end on. */
#include "vm/engine/exec.h"

#include <string.h>

#include "vm/num/num_stat.h"

typedef struct points {        /* of one group, known values only, in order */
    uint32_t group;
    int64_t *when;
    kr_num *value;
    uint32_t count;
    int64_t error_when;        /* of the first value that is an error; INT64_MAX: none */
    kr_cell error, where_error;
    size_t room;
} points;

typedef struct line_job {
    points *threads;
    bool changing;             /* inside a cycle: cells come day by day, so points are read anew */
} line_job;

static void read_points(const kr_run *run, const kr_task *task, points *p, uint32_t group)
{
    const kr_sorted *s = kr_state_of(run, task->sorted)->sorted;
    const kr_column *value = kr_cells_of(run, task->columns[0]), *where = task->where ? kr_cells_of(run, task->where) : NULL;
    uint32_t from = s->start[group], end = s->start[group + 1];
    if (end - from > p->room) {
        p->room = (end - from) * 2;
        p->when = kr_realloc(p->when, sizeof *p->when * p->room);
        p->value = kr_realloc(p->value, sizeof *p->value * p->room);
    }
    p->group = group;
    p->count = 0;
    p->error_when = INT64_MAX;
    p->where_error = where ? kr_first_error(where, kr_state_of(run, task->index)->index, group) : KR_BLANK;
    for (uint32_t i = from; i < end; i++) {
        if (where && !kr_cell_is_true(kr_column_get(where, s->rows[i])))
            continue;
        kr_cell v = kr_column_get(value, s->rows[i]);
        if (kr_is_error(v) && p->error_when == INT64_MAX) {
            p->error_when = s->when[i];
            p->error = v;
        }
        if (kr_is_special(v))
            continue;
        p->when[p->count] = s->when[i];
        p->value[p->count++] = v;
    }
}

/* Points [from, to) in p that decide the line over [start, end). */
static void slice(const points *p, uint32_t limit, int64_t start, int64_t end, uint32_t *from, uint32_t *to)
{
    uint32_t after = kr_first_not_before(p->when, 0, limit, start + 1); /* first point later than start */
    *from = after > 0 ? after - 1 : 0;
    *to = kr_first_not_before(p->when, after, limit, end);
    if (*to < limit) { /* the point the line goes to, the last of several at its time */
        int64_t when = p->when[*to];
        *to = kr_first_not_before(p->when, *to, limit, when + 1);
    }
}

static kr_cell line_value(const kr_task *task, const points *p, const kr_cell *args)
{
    bool average = task->form == KR_FORM_TWA;
    int must = average ? 3 : 2; /* `before` may be blank */
    kr_cell special = KR_BLANK;
    if (kr_spread(args, (size_t)task->near_count, &special) && kr_is_error(special))
        return special;
    if (kr_spread(args, (size_t)must, &special))
        return special;
    int64_t start = kr_cell_int(args[0]), end = average ? kr_cell_int(args[1]) : start, limit = kr_cell_int(args[must - 1]);
    kr_cell before = task->near_count > must ? args[must] : KR_BLANK;
    if (average && end <= start)
        return KR_E_NUM;
    if (!p)
        return KR_BLANK;
    if (p->error_when < limit)
        return p->error;
    uint32_t count = kr_first_not_before(p->when, 0, p->count, limit), from, to;
    slice(p, count, start, average ? end : start + 1, &from, &to);
    const int64_t *when = p->when + from;
    const kr_num *value = p->value + from;
    return average ? kr_stat_twa(when, value, to - from, start, end, before) : kr_stat_value_at(when, value, to - from, start, before);
}

static void line_chunk(const kr_chunk *c)
{
    const kr_task *task = c->task;
    const line_job *job = c->context;
    points *p = &job->threads[c->thread];
    const uint32_t *groups = kr_state_of(c->run, task->group)->map;
    kr_column *column = &kr_state_of(c->run, task)->column;
    if (job->changing)
        p->group = KR_NO_ROW;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t row = kr_chunk_row(c, i), g = groups[row];
        kr_cell args[4] = { KR_BLANK, KR_BLANK, KR_BLANK, KR_BLANK }, value;
        for (int k = 0; k < task->near_count; k++)
            args[k] = c->in[k][i];
        if (!kr_map_is_special(g) && p->group != g)
            read_points(c->run, task, p, g);
        if (g != KR_NO_ROW && kr_map_is_special(g))
            value = kr_map_special(g);
        else if (g != KR_NO_ROW && kr_is_error(p->where_error))
            value = p->where_error;
        else
            value = line_value(task, g == KR_NO_ROW ? NULL : p, args);
        kr_column_set(column, row, value);
    }
}

void kr_line_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    int threads = kr_workers_count(run->workers);
    KR_ASSERT(task->near_count <= 4); /* TWA's from, to, limit, before */
    line_job job = { kr_alloc(sizeof(points) * (size_t)threads), rows != NULL };
    for (int t = 0; t < threads; t++)
        job.threads[t].group = KR_NO_ROW;
    kr_each_chunk(run, task, task->near, task->near_count, rows, n, line_chunk, &job);
    for (int t = 0; t < threads; t++) {
        kr_free(job.threads[t].when);
        kr_free(job.threads[t].value);
    }
    kr_free(job.threads);
}
