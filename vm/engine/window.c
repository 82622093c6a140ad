/* window.c: aggregates over LAST and DAYS, and running ones, along the sequences of a sheet.
 *
 * Each sequence has a state that takes its rows one after another: a window's known rows are pushed at its head and popped at its
 * tail. The state of a whole run is one at a time for each thread; inside a cycle all sequences keep theirs from step to step. */
#include "vm/engine/exec.h"

#include <string.h>

#include "vm/num/num_sum.h"
#include "vm/text/time.h"

enum { MOST = 8 };

typedef enum row_kind { ROW_BLANK, ROW_KNOWN, ROW_ERROR } row_kind;

typedef struct walk {          /* one sequence */
    uint32_t next, tail;       /* places in the order: the next row to come, the first row that may be inside */
    uint64_t inside;           /* LAST: known rows (errors too) inside */
    uint64_t errors;           /* errors inside */
    void *slide;
    kr_sum sum;                /* RUN */
    uint64_t count;
    kr_cell extreme, error;
    bool any, failed;
} walk;

typedef struct window {        /* of a task; one per thread may use its own scratch */
    const kr_run *run;
    const kr_task *task;
    const kr_seq *seq;
    kr_state *state;
    const kr_column *series[MOST], *clock;
    int series_count;
    bool own_scalars;          /* scalar arguments that differ from row to row: no sliding */
    kr_cell scalars[MOST];
    bool scalars_special;
    walk *walks;               /* stepping: per sequence */
    bool slides, keep_blanks;  /* keep_blanks: DAYS only, LAST has known values and no others */
    size_t capacity;
} window;

int64_t kr_day_of_cell(kr_type type, kr_cell cell)
{
    if (kr_is_special(cell))
        return INT64_MIN;
    return type == KR_T_TIME ? kr_day_of_time(kr_cell_int(cell)) : kr_cell_int(cell);
}

static row_kind read_row(const window *w, uint32_t row, kr_cell *cells)
{
    row_kind kind = ROW_KNOWN;
    for (int k = 0; k < w->series_count; k++) {
        cells[k] = kr_column_get(w->series[k], row);
        if (kr_is_error(cells[k])) {
            cells[0] = cells[k];
            return ROW_ERROR;
        }
        if (kr_is_blank(cells[k]))
            kind = ROW_BLANK;
    }
    return kind;
}

static bool is_constant(const kr_program *p)
{
    for (int i = 0; i < p->op_count; i++)
        if (p->ops[i].code != KR_OP_CONST && p->ops[i].code != KR_OP_PARAM && p->ops[i].code != KR_OP_CALL)
            return false;
    return true;
}

static window *window_of(kr_run *run, kr_task *task)
{
    window *w = kr_alloc(sizeof *w);
    w->run = run;
    w->task = task;
    w->seq = kr_state_of(run, task->seq)->seq;
    w->state = kr_state_of(run, task);
    w->series_count = task->column_count;
    KR_ASSERT(task->column_count <= MOST && task->scalar_count <= MOST);
    for (int k = 0; k < task->column_count; k++)
        w->series[k] = kr_cells_of(run, task->columns[k]);
    if (task->form == KR_FORM_DAYS)
        w->clock = kr_cells_of(run, task->rowset->columns[task->rowset->sheet->clock->index]);
    for (int k = 0; k < task->scalar_count; k++) {
        if (!is_constant(task->scalars[k])) {
            w->own_scalars = true;
            continue;
        }
        w->scalars[k] = kr_exec_constant(run, task->scalars[k]);
        w->scalars_special |= kr_is_special(w->scalars[k]);
    }
    w->keep_blanks = task->kind == KR_TASK_WINDOW && task->fn->keep_blanks && task->form != KR_FORM_LAST;
    w->slides = task->kind == KR_TASK_WINDOW && task->fn->slide && !w->own_scalars && !w->scalars_special;
    w->capacity = task->form == KR_FORM_LAST && w->state->count < (1 << 20) ? (size_t)w->state->count : 0;
    return w;
}

static void walk_begin(const window *w, walk *k, const kr_call *call, uint32_t part)
{
    memset(k, 0, sizeof *k);
    k->next = k->tail = w->seq->start[part];
    k->extreme = KR_BLANK;
    if (w->slides)
        k->slide = w->task->fn->slide->start(call, w->scalars, w->capacity);
}

static void walk_end(const window *w, walk *k)
{
    if (k->slide)
        w->task->fn->slide->end(k->slide);
    k->slide = NULL;
}

/* The row at the tail leaves. */
static void drop_tail(const window *w, walk *k)
{
    kr_cell cells[MOST];
    row_kind kind = read_row(w, w->seq->order[k->tail++], cells);
    if (kind == ROW_ERROR) {
        k->errors--;
    } else if (k->slide && (kind == ROW_KNOWN || w->keep_blanks)) {
        w->task->fn->slide->pop(k->slide, cells);
    }
    k->inside -= kind != ROW_BLANK;
}

static kr_cell first_error(const window *w, const walk *k)
{
    kr_cell cells[MOST];
    for (uint32_t i = k->tail; i < k->next; i++)
        if (read_row(w, w->seq->order[i], cells) == ROW_ERROR)
            return cells[0];
    kr_assert_failed("an error inside the window", __FILE__, __LINE__);
}

/* Without sliding: the rows inside, gathered. */
static kr_cell computed(const window *w, const walk *k, const kr_aggregate *agg, const kr_cell *scalars)
{
    size_t n = k->next - k->tail;
    kr_cell *cells = kr_alloc(sizeof *cells * (n * (size_t)w->series_count + 1)), *series[MOST];
    for (int s = 0; s < w->series_count; s++) {
        series[s] = cells + n * (size_t)s;
        kr_column_gather(w->series[s], w->seq->order + k->tail, n, series[s]);
    }
    kr_cell value = kr_aggregate_value(agg, series, NULL, n, scalars, w->task->scalar_count);
    kr_free(cells);
    return value;
}

static kr_cell window_row(const window *w, walk *k, uint32_t row, const kr_aggregate *agg, const kr_cell *scalars)
{
    kr_cell cells[MOST];
    row_kind kind = read_row(w, row, cells);
    k->next++;
    if (w->state->count < 1)
        return KR_E_VALUE; /* not a count */
    if (kind == ROW_ERROR)
        k->errors++;
    else if (k->slide && (kind == ROW_KNOWN || w->keep_blanks))
        w->task->fn->slide->push(k->slide, cells);
    k->inside += kind != ROW_BLANK;
    if (w->task->form == KR_FORM_LAST) {
        while (k->inside > (uint64_t)w->state->count)
            drop_tail(w, k);
    } else {
        int64_t first = kr_day_of_cell(w->clock->type, kr_column_get(w->clock, row)) - w->state->count + 1;
        while (k->tail < k->next && kr_day_of_cell(w->clock->type, kr_column_get(w->clock, w->seq->order[k->tail])) < first)
            drop_tail(w, k);
    }
    if (k->errors)
        return first_error(w, k);
    if (w->slides)
        return w->task->fn->slide->value(k->slide);
    return computed(w, k, agg, scalars);
}

static kr_cell run_row(const window *w, walk *k, uint32_t row)
{
    kr_cell cells[MOST] = { KR_BLANK };
    row_kind kind = read_row(w, row, cells); /* no series: RUNCOUNT() counts every row */
    k->next++;
    if (kind == ROW_ERROR && !k->failed) {
        k->failed = true;
        k->error = cells[0];
    }
    if (k->failed)
        return k->error;
    if (kind == ROW_KNOWN) {
        int sign = w->task->form == KR_FORM_RUNMIN ? -1 : 1;
        k->count++;
        if (w->task->form == KR_FORM_RUNSUM)
            kr_sum_add(&k->sum, cells[0]);
        else if (w->series_count && (kr_is_blank(k->extreme) || sign * kr_cell_cmp(w->run->pool, w->series[0]->type, cells[0], k->extreme) > 0))
            k->extreme = cells[0];
    }
    switch (w->task->form) {
    case KR_FORM_RUNSUM:   return kr_sum_value(&k->sum);
    case KR_FORM_RUNCOUNT: return kr_num_of_int((int64_t)k->count);
    default:               return k->extreme;
    }
}

/* Rows of a sequence up to and including place `last`. */
static void advance(const window *w, walk *k, uint32_t last, const kr_aggregate *agg, kr_exec *const *scalar_execs)
{
    kr_cell scalars[MOST];
    memcpy(scalars, w->scalars, sizeof scalars);
    while (k->next <= last) {
        uint32_t row = w->seq->order[k->next];
        for (int s = 0; w->own_scalars && s < w->task->scalar_count; s++) {
            kr_lanes lanes = { .n = 1, .start = { row, 0 } };
            scalars[s] = *kr_exec_run(scalar_execs[s], &lanes);
        }
        kr_column_set(&w->state->column, row, w->task->kind == KR_TASK_RUN ? run_row(w, k, row) : window_row(w, k, row, agg, scalars));
    }
}

typedef struct tools {         /* of a thread */
    kr_env env;
    kr_aggregate agg;
    kr_exec *scalars[MOST];
} tools;

static void tools_begin(const window *w, tools *t, int thread)
{
    memset(t, 0, sizeof *t);
    t->env = (kr_env){ w->run->pool, w->run->scratch[thread] };
    if (w->task->kind == KR_TASK_WINDOW)
        kr_aggregate_init(&t->agg, w->run, w->task, w->series_count, &t->env);
    for (int s = 0; w->own_scalars && s < w->task->scalar_count; s++)
        t->scalars[s] = kr_exec_open(w->run, w->task->scalars[s], 1, thread);
}

static void tools_end(const window *w, tools *t)
{
    for (int s = 0; s < w->task->scalar_count; s++)
        kr_exec_close(t->scalars[s]);
}

enum { PARTS_PER_ITEM = 16 };

static void window_item(void *context, int thread, size_t item)
{
    const window *w = context;
    tools t;
    tools_begin(w, &t, thread);
    size_t from = item * PARTS_PER_ITEM, to = from + PARTS_PER_ITEM < w->seq->part_count ? from + PARTS_PER_ITEM : w->seq->part_count;
    for (size_t p = from; p < to; p++) {
        walk k;
        walk_begin(w, &k, &t.agg.call, (uint32_t)p);
        advance(w, &k, w->seq->start[p + 1] - 1, &t.agg, t.scalars);
        walk_end(w, &k);
    }
    tools_end(w, &t);
}

typedef struct stepper {       /* a window inside a cycle */
    window *w;
    tools t;
} stepper;

void kr_window_begin(kr_run *run, kr_task *task, bool stepping)
{
    if (!stepping)
        return;
    kr_state *state = kr_state_of(run, task);
    stepper *s = kr_alloc(sizeof *s);
    s->w = window_of(run, task);
    s->w->walks = kr_alloc(sizeof(walk) * ((size_t)s->w->seq->part_count + 1));
    tools_begin(s->w, &s->t, 0);
    for (uint32_t p = 0; p < s->w->seq->part_count; p++)
        walk_begin(s->w, &s->w->walks[p], &s->t.agg.call, p);
    state->work = s;
}

void kr_window_end(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    stepper *s = state->work;
    if (!s)
        return;
    for (uint32_t p = 0; p < s->w->seq->part_count; p++)
        walk_end(s->w, &s->w->walks[p]);
    tools_end(s->w, &s->t);
    kr_free(s->w->walks);
    kr_free(s->w);
    kr_free(s);
    state->work = NULL;
}

void kr_window_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    stepper *s = kr_state_of(run, task)->work;
    if (!s) {
        window *w = window_of(run, task);
        kr_workers_run(run->workers, (w->seq->part_count + PARTS_PER_ITEM - 1) / PARTS_PER_ITEM, window_item, w);
        kr_free(w);
        return;
    }
    for (size_t i = 0; i < n; i++) { /* rows of one step may come in any order: those between are of the same step */
        size_t row = rows ? rows[i] : i;
        advance(s->w, &s->w->walks[s->w->seq->part_of[row]], s->w->seq->pos[row], &s->t.agg, s->t.scalars);
    }
}
