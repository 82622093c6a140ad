/* sequence.c: the order of a sheet's rows, PREV, and the choice of a row of another sheet by time: ASOF, NEXT, FIRST. */
#include "vm/engine/exec.h"

#include <string.h>

static const kr_column **columns_of(const kr_run *run, kr_task *const *tasks, int count)
{
    const kr_column **columns = kr_alloc(sizeof *columns * (size_t)(count + 1));
    for (int i = 0; i < count; i++)
        columns[i] = kr_cells_of(run, tasks[i]);
    return columns;
}

void kr_seq_run(kr_run *run, kr_task *task)
{
    size_t n = kr_rows_of(run, task->rowset);
    const kr_column **per = columns_of(run, task->columns, task->column_count);
    const kr_column **order = columns_of(run, task->order, task->order_count);
    kr_index *parts = kr_index_new(per, task->column_count, n, false, true);
    kr_seq *seq = kr_alloc(sizeof *seq);
    seq->row_count = n;
    seq->part_count = n ? parts->group_count : 0;
    seq->order = parts->rows;
    seq->start = parts->start;
    seq->part_of = parts->group_of;
    seq->pos = kr_alloc(sizeof *seq->pos * (n + 1));
    parts->rows = parts->start = parts->group_of = NULL;
    kr_index_free(parts);
    for (uint32_t p = 0; p < seq->part_count; p++)
        kr_sort_rows(run->pool, order, task->order_count, seq->order + seq->start[p], seq->start[p + 1] - seq->start[p]);
    for (size_t i = 0; i < n; i++)
        seq->pos[seq->order[i]] = (uint32_t)i;
    kr_state_of(run, task)->seq = seq;
    kr_free(per);
    kr_free(order);
}

void kr_prev_run(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    const kr_seq *seq = kr_state_of(run, task->seq)->seq;
    uint64_t back = (uint64_t)state->count;
    if (state->count < 1) { /* not a count */
        for (size_t i = 0; i < seq->row_count; i++)
            state->map[i] = kr_map_of(KR_E_VALUE);
        return;
    }
    for (uint32_t p = 0; p < seq->part_count; p++)
        for (uint32_t i = seq->start[p]; i < seq->start[p + 1]; i++)
            state->map[seq->order[i]] = i - seq->start[p] >= back ? seq->order[i - back] : KR_NO_ROW;
}

void kr_sorted_run(kr_run *run, kr_task *task)
{
    const kr_index *index = kr_state_of(run, task->index)->index;
    const kr_column **columns = columns_of(run, task->columns, task->column_count), *order = columns[0];
    kr_sorted *s = kr_alloc(sizeof *s);
    s->start = kr_alloc(sizeof *s->start * ((size_t)index->group_count + 1));
    s->rows = kr_alloc(sizeof *s->rows * (index->filled + 1));
    s->when = kr_alloc(sizeof *s->when * (index->filled + 1));
    uint32_t at = 0;
    for (uint32_t g = 0; g < index->group_count; g++) {
        s->start[g] = at;
        for (uint32_t i = index->start[g]; i < index->start[g + 1]; i++)
            if (!kr_is_special(kr_column_get(order, index->rows[i])))
                s->rows[at++] = index->rows[i];
        kr_sort_rows(run->pool, columns, task->column_count, s->rows + s->start[g], at - s->start[g]);
        for (uint32_t i = s->start[g]; i < at; i++)
            s->when[i] = kr_cell_int(kr_column_get(order, s->rows[i]));
    }
    s->start[index->group_count] = at;
    s->count = at;
    kr_free(columns);
    kr_state_of(run, task)->sorted = s;
}

uint32_t kr_first_not_before(const int64_t *when, uint32_t from, uint32_t to, int64_t t)
{
    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        if (when[mid] < t)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* With a condition known for all rows: for each place the nearest one, before or after it in its group, that satisfies it, and for each
 * group the first error of the condition. */
void kr_choose_begin(kr_run *run, kr_task *task, bool stepping)
{
    if (!task->where || stepping)
        return;
    kr_state *state = kr_state_of(run, task);
    const kr_sorted *s = kr_state_of(run, task->sorted)->sorted;
    const kr_column *where = kr_cells_of(run, task->where);
    const kr_index *index = kr_state_of(run, task->index)->index;
    state->true_before = kr_alloc(sizeof(uint32_t) * (s->count + 1));
    state->true_after = kr_alloc(sizeof(uint32_t) * (s->count + 1));
    state->values = kr_alloc(sizeof(kr_cell) * ((size_t)index->group_count + 1));
    for (uint32_t g = 0; g < index->group_count; g++) {
        uint32_t last = KR_NO_ROW;
        for (uint32_t i = s->start[g]; i < s->start[g + 1]; i++) {
            if (kr_cell_is_true(kr_column_get(where, s->rows[i])))
                last = i;
            state->true_before[i] = last;
        }
        last = KR_NO_ROW;
        for (uint32_t i = s->start[g + 1]; i-- > s->start[g];) {
            if (kr_cell_is_true(kr_column_get(where, s->rows[i])))
                last = i;
            state->true_after[i] = last;
        }
        state->values[g] = kr_first_error(where, index, g);
    }
}

kr_cell kr_first_error(const kr_column *where, const kr_index *index, uint32_t group)
{
    for (uint32_t i = index->start[group]; i < index->start[group + 1]; i++) {
        kr_cell c = kr_column_get(where, index->rows[i]);
        if (kr_is_error(c))
            return c;
    }
    return KR_BLANK;
}

typedef struct chooser {
    const kr_run *run;
    const kr_task *task;
    const kr_state *state;
    const kr_sorted *sorted;
    const kr_index *index;
    const kr_column *where;
} chooser;

static bool counts(const chooser *c, uint32_t place)
{
    if (!c->where)
        return true;
    return kr_cell_is_true(kr_column_get(c->where, c->sorted->rows[place]));
}

/* The last place before `end` (not before `from`), or the first from `from` before `end`, that counts. */
static uint32_t last_before(const chooser *c, uint32_t from, uint32_t end)
{
    if (end > from && c->state->true_before) {
        uint32_t place = c->state->true_before[end - 1];
        return place == KR_NO_ROW ? KR_NO_ROW : c->sorted->rows[place];
    }
    while (end > from)
        if (counts(c, --end))
            return c->sorted->rows[end];
    return KR_NO_ROW;
}

static uint32_t first_from(const chooser *c, uint32_t from, uint32_t end)
{
    if (from < end && c->state->true_after) {
        uint32_t place = c->state->true_after[from];
        return place == KR_NO_ROW || place >= end ? KR_NO_ROW : c->sorted->rows[place];
    }
    for (; from < end; from++)
        if (counts(c, from))
            return c->sorted->rows[from];
    return KR_NO_ROW;
}

static uint32_t choose_one(const chooser *c, uint32_t group, const kr_cell *args)
{
    kr_cell special;
    if (group != KR_NO_ROW && kr_map_is_special(group))
        return group; /* an error in BY comes first, then one in the condition, then the arguments */
    if (group != KR_NO_ROW && c->where) {
        special = c->state->values ? c->state->values[group] : kr_first_error(c->where, c->index, group);
        if (kr_is_error(special))
            return kr_map_of(special);
    }
    if (kr_spread(args, (size_t)c->task->near_count, &special))
        return kr_map_of(special);
    if (group == KR_NO_ROW)
        return KR_NO_ROW;
    const kr_sorted *s = c->sorted;
    uint32_t from = s->start[group], end = s->start[group + 1];
    switch (c->task->form) {
    case KR_FORM_ASOF:
        return last_before(c, from, kr_first_not_before(s->when, from, end, kr_cell_int(args[0])));
    case KR_FORM_NEXT: {
        uint32_t a = kr_first_not_before(s->when, from, end, kr_cell_int(args[0]));
        uint32_t b = kr_first_not_before(s->when, a, end, kr_cell_int(args[1]));
        return first_from(c, a, b);
    }
    default: /* FIRST */
        return first_from(c, from, end);
    }
}

static void choose_chunk(const kr_chunk *chunk)
{
    const kr_run *run = chunk->run;
    const kr_task *task = chunk->task;
    chooser c = { run, task, kr_state_of(run, task), kr_state_of(run, task->sorted)->sorted,
                  kr_state_of(run, task->index)->index, task->where ? kr_cells_of(run, task->where) : NULL };
    const uint32_t *groups = kr_state_of(run, task->group)->map;
    uint32_t *map = kr_state_of(run, task)->map;
    for (size_t i = 0; i < chunk->n; i++) {
        kr_cell args[2] = { KR_BLANK, KR_BLANK };
        for (int k = 0; k < task->near_count; k++)
            args[k] = chunk->in[k][i];
        uint32_t row = kr_chunk_row(chunk, i);
        map[row] = choose_one(&c, groups[row], args);
    }
}

void kr_choose_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_each_chunk(run, task, task->near, task->near_count, rows, n, choose_chunk, NULL);
}
