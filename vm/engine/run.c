/* run.c: a plan over a dataset: what is needed, in order, and what is kept. */
#include "vm/engine/exec.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 1024, MOST_THREADS = 64 };
#define PAIR_LIMIT UINT64_C(200000000)

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* ---- memory of states */

static size_t bytes_of(const kr_run *run, const kr_task *task)
{
    const kr_state *s = kr_state_of(run, task);
    size_t bytes = s->borrowed ? 0 : s->column.count * s->column.width;
    if (s->map)
        bytes += kr_rows_of(run, task->rowset) * sizeof *s->map;
    bytes += s->value_capacity * (s->values ? sizeof *s->values : sizeof *s->best);
    if (s->index)
        bytes += kr_index_bytes(s->index);
    if (s->seq)
        bytes += s->seq->row_count * 3 * sizeof(uint32_t);
    if (s->sorted)
        bytes += s->sorted->count * (sizeof(uint32_t) + sizeof(int64_t));
    if (s->hops)
        bytes += kr_hops_bytes(s->hops);
    if (s->relation && !s->relation->borrowed)
        for (int i = 0; i < s->relation->column_count; i++)
            bytes += s->relation->columns[i].count * s->relation->columns[i].width;
    return bytes;
}

static void count_memory(kr_run *run, const kr_task *task)
{
    run->bytes += bytes_of(run, task);
    run->peak = run->bytes > run->peak ? run->bytes : run->peak;
}

static void release(kr_run *run, const kr_task *task)
{
    kr_state *s = kr_state_of(run, task);
    size_t bytes = s->done ? bytes_of(run, task) : 0;
    run->bytes -= bytes < run->bytes ? bytes : run->bytes;
    if (!s->borrowed)
        kr_column_done(&s->column);
    s->column.data = NULL;
    kr_free(s->map);
    kr_free(s->values);
    kr_free(s->best);
    kr_free(s->ready);
    kr_free(s->scalars);
    kr_free(s->true_before);
    kr_free(s->true_after);
    kr_index_free(s->index);
    if (s->seq) {
        kr_free(s->seq->order);
        kr_free(s->seq->pos);
        kr_free(s->seq->part_of);
        kr_free(s->seq->start);
        kr_free(s->seq);
    }
    if (s->sorted) {
        kr_free(s->sorted->start);
        kr_free(s->sorted->rows);
        kr_free(s->sorted->when);
        kr_free(s->sorted);
    }
    kr_relation_free(s->relation);
    kr_hops_free(s->hops);
    kr_state empty = { .needed = s->needed };
    *s = empty;
}

/* ---- tasks */

void kr_count_of(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    state->count = 1;
    if (task->count_program && (!kr_num_to_int(kr_exec_constant(run, task->count_program), &state->count) || state->count < 1))
        state->count = 0;
}

/* An input column: from the rows as made; moved, or borrowed from the dataset. */
static void take_input(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    kr_relation *r = kr_state_of(run, task->rowset->rows)->relation;
    for (int i = 0; r && i < r->column_count; i++) {
        if (strcmp(r->names[i], task->def->name) != 0)
            continue;
        state->column = r->columns[i];
        state->borrowed = r->borrowed;
        if (!r->borrowed)
            r->columns[i] = (kr_column){ .type = r->columns[i].type, .width = r->columns[i].width };
        return;
    }
    kr_column_init(&state->column, task->type, kr_rows_of(run, task->rowset)); /* optional, and not in the data */
}

static bool gives_column(kr_task_kind kind)
{
    return kind == KR_TASK_COLUMN || kind == KR_TASK_PAIRS || kind == KR_TASK_WINDOW || kind == KR_TASK_RUN || kind == KR_TASK_LINE
        || kind == KR_TASK_SHARE || kind == KR_TASK_COMPONENT;
}

static const kr_column **columns_of(const kr_run *run, const kr_task *task)
{
    const kr_column **columns = kr_alloc(sizeof *columns * (size_t)(task->column_count + 1));
    for (int i = 0; i < task->column_count; i++)
        columns[i] = kr_cells_of(run, task->columns[i]);
    return columns;
}

void kr_task_begin(kr_run *run, kr_task *task, bool stepping)
{
    kr_state *state = kr_state_of(run, task);
    size_t n = task->rowset ? kr_rows_of(run, task->rowset) : 0;
    if (gives_column(task->kind) && !task->input)
        kr_column_init(&state->column, task->type, n);
    switch (task->kind) {
    case KR_TASK_COLUMN:
        kr_overlay_prepare(run, task);
        break;
    case KR_TASK_INDEX:
        if (stepping) {
            const kr_column **columns = columns_of(run, task);
            state->index = kr_index_new(columns, task->column_count, n, true, false);
            kr_free(columns);
        }
        break;
    case KR_TASK_GROUP:
    case KR_TASK_LOOKUP:
    case KR_TASK_PREV:
    case KR_TASK_CHOOSE:
    case KR_TASK_ARG:
        state->map = kr_alloc(sizeof *state->map * (n + 1));
        if (stepping)
            memset(state->map, 0xff, sizeof *state->map * (n + 1));
        break;
    default:
        break;
    }
    if (task->count_program || task->kind == KR_TASK_PREV)
        kr_count_of(run, task);
    if (task->kind == KR_TASK_AGG)
        kr_agg_begin(run, task);
    if (task->kind == KR_TASK_CHOOSE)
        kr_choose_begin(run, task, stepping);
    if (task->kind == KR_TASK_WINDOW || task->kind == KR_TASK_RUN)
        kr_window_begin(run, task, stepping);
}

static void index_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    if (rows) {
        kr_index_add(state->index, rows, n);
        return;
    }
    const kr_column **columns = columns_of(run, task);
    state->index = kr_index_new(columns, task->column_count, n, false, false);
    kr_free(columns);
}

void kr_task_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    switch (task->kind) {
    case KR_TASK_ROWS:      kr_rows_run(run, task); break;
    case KR_TASK_PART:      kr_part_run(run, task); break;
    case KR_TASK_DAYS:      kr_days_run(run, task); break;
    case KR_TASK_COLUMN:
        if (task->input)
            take_input(run, task);
        else
            kr_column_run(run, task, rows, n);
        break;
    case KR_TASK_SEQ:       kr_seq_run(run, task); break;
    case KR_TASK_INDEX:     index_run(run, task, rows, n); break;
    case KR_TASK_GROUP:
    case KR_TASK_LOOKUP:    kr_group_run(run, task, rows, n); break;
    case KR_TASK_PREV:      kr_prev_run(run, task); break;
    case KR_TASK_SORTED:    kr_sorted_run(run, task); break;
    case KR_TASK_CHOOSE:    kr_choose_run(run, task, rows, n); break;
    case KR_TASK_ARG:       kr_arg_run(run, task, rows, n); break;
    case KR_TASK_AGG:       kr_agg_run(run, task, rows, n); break;
    case KR_TASK_PAIRS:     kr_pairs_run(run, task, rows, n); break;
    case KR_TASK_WINDOW:
    case KR_TASK_RUN:       kr_window_run(run, task, rows, n); break;
    case KR_TASK_LINE:      kr_line_run(run, task, rows, n); break;
    case KR_TASK_SHARE:     kr_share_run(run, task, rows, n); break;
    case KR_TASK_COMPONENT: kr_component_run(run, task, rows, n); break;
    case KR_TASK_HOPS:      kr_hops_run(run, task); break;
    case KR_TASK_KINDS:     break;
    }
}

void kr_task_end(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    if (task->kind == KR_TASK_WINDOW || task->kind == KR_TASK_RUN)
        kr_window_end(run, task);
    state->done = true;
    count_memory(run, task);
}

bool kr_has_error(kr_run *run, kr_task *task)
{
    kr_state *state = kr_state_of(run, task);
    enum { BATCH = 1024 };
    kr_cell cells[BATCH];
    if (state->error_known == 0) {
        state->error_known = 1;
        for (size_t at = 0; at < state->column.count && state->error_known == 1; at += BATCH) {
            size_t n = state->column.count - at < BATCH ? state->column.count - at : BATCH;
            kr_column_load(&state->column, at, n, cells);
            for (size_t i = 0; i < n; i++)
                if (kr_is_error(cells[i]))
                    state->error_known = 2;
        }
    }
    return state->error_known == 2;
}

/* ---- what is needed */

/* A column that a finished run already has. */
static const kr_column *ready_column(const kr_run *run, const kr_task *task)
{
    if (!run->base || task->kind != KR_TASK_COLUMN || !task->def || task->rowset->candidate)
        return NULL;
    /* A cycle is taken whole or not at all. */
    const kr_scc *scc = task->scc >= 0 ? &run->plan->sccs[task->scc] : NULL;
    for (int i = 0; scc && scc->step != KR_STEP_ONCE && i < scc->task_count; i++)
        if (scc->tasks[i]->def && !kr_run_column(run->base, scc->tasks[i]->def))
            return NULL;
    return kr_run_column(run->base, task->def);
}

/* Row sets that a finished run has; only their number is known, so those whose inputs are read anew are made again. */
static bool ready_rows(const kr_run *run, const kr_task *task)
{
    return run->base && task->kind == KR_TASK_ROWS && task->rowset->sheet && !task->rowset->candidate && (task->rows || task->where)
        && !run->made_again[task->rowset->id];
}

static bool is_ready(const kr_run *run, const kr_task *task) { return ready_rows(run, task) || ready_column(run, task); }

static void need(kr_run *run, kr_task *root)
{
    kr_task **stack = kr_alloc(sizeof *stack * ((size_t)run->plan->task_count + 1));
    int top = 0;
    if (!kr_state_of(run, root)->needed) {
        kr_state_of(run, root)->needed = true;
        stack[top++] = root;
    }
    while (top) {
        kr_task *t = stack[--top];
        if (is_ready(run, t))
            continue;
        for (int i = 0; i < t->edge_count; i++) {
            kr_task *to = t->edges[i].to;
            if (!kr_state_of(run, to)->needed) {
                kr_state_of(run, to)->needed = true;
                stack[top++] = to;
            }
        }
    }
    kr_free(stack);
}

static void mark_extra(kr_run *run)
{
    const kr_plan *plan = run->plan;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < plan->task_count; i++)
            kr_state_of(run, plan->tasks[i])->needed = false;
        need(run, plan->extra);
        for (int i = 0; i < plan->task_count; i++) {
            kr_task *t = plan->tasks[i];
            if (t->input && kr_state_of(run, t)->needed && !is_ready(run, t) && ready_rows(run, t->rowset->rows))
                run->made_again[t->rowset->id] = again = true;
        }
    }
    kr_state_of(run, plan->extra)->kept = true;
}

/* Columns that are read without an edge: the clocks of what is stepped by day, the keys by which recorded cells are found. */
static void keep_column(kr_run *run, const kr_rowset *rowset, const kr_column_def *def)
{
    kr_task *task = rowset->columns[def->index];
    need(run, task);
    kr_state_of(run, task)->kept = true;
}

/* With what names the rows that break it, and their days. */
static void keep_assert(kr_run *run, kr_task *task)
{
    const kr_sheet *sheet = task->rowset->sheet;
    need(run, task);
    kr_state_of(run, task)->kept = true;
    for (int k = 0; k < sheet->key_count; k++)
        keep_column(run, task->rowset, sheet->keys[k]);
    for (int c = 0; sheet->key_count == 0 && c < sheet->column_count; c++)
        if (sheet->columns[c]->input && task->rowset->columns[c])
            keep_column(run, task->rowset, sheet->columns[c]);
    if (sheet->clock)
        keep_column(run, task->rowset, sheet->clock);
}

static void mark_unlinked(kr_run *run)
{
    const kr_plan *plan = run->plan;
    for (int i = 0; i < plan->scc_count; i++)
        for (int k = 0; plan->sccs[i].step == KR_STEP_DAYS && k < plan->sccs[i].task_count; k++) {
            kr_task *t = plan->sccs[i].tasks[k];
            if (kr_state_of(run, t)->needed)
                keep_column(run, t->rowset, t->rowset->sheet->clock);
        }
    for (int i = 0; i < plan->task_count && run->options.recorded; i++) {
        kr_task *t = plan->tasks[i];
        if (!t->back || !kr_state_of(run, t)->needed)
            continue;
        keep_column(run, t->rowset, t->rowset->sheet->clock);
        for (int k = 0; k < t->rowset->sheet->key_count; k++)
            keep_column(run, t->rowset, t->rowset->sheet->keys[k]);
    }
}

static void mark(kr_run *run)
{
    const kr_plan *plan = run->plan;
    const kr_model *model = run->model;
    if (plan->extra) {
        mark_extra(run);
    } else {
        for (int i = 0; i < plan->output_count; i++) {
            need(run, plan->outputs[i]);
            kr_state_of(run, plan->outputs[i])->kept = true;
        }
        for (int i = 0; i < model->assert_count; i++) {
            keep_assert(run, plan->asserts[i]);
        }
        if (plan->days)
            need(run, plan->days);
        for (int i = 0; i < plan->rowset_count; i++)
            if (plan->rowsets[i]->sheet && run->options.all_columns && !plan->rowsets[i]->candidate)
                need(run, plan->rowsets[i]->rows);
    }
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        kr_state *s = kr_state_of(run, t);
        if (t->kind != KR_TASK_COLUMN || !t->def || t->rowset->candidate || plan->extra)
            continue;
        if (run->options.all_columns)
            need(run, t);
        /* State is kept for the version that comes after; so are the keys that find its rows. */
        bool key = false;
        for (int k = 0; k < t->def->sheet->key_count; k++)
            key |= t->def->sheet->keys[k] == t->def;
        bool state_sheet = false;
        for (int c = 0; key && c < t->def->sheet->column_count; c++)
            state_sheet |= t->def->sheet->columns[c]->is_state;
        if (run->options.all_columns || (t->def->is_state && s->needed) || (state_sheet && s->needed))
            s->kept = true;
    }
    mark_unlinked(run);
}

static void count_readers(kr_run *run)
{
    const kr_plan *plan = run->plan;
    for (int i = 0; i < plan->task_count; i++) {
        kr_task *t = plan->tasks[i];
        if (!kr_state_of(run, t)->needed || is_ready(run, t))
            continue;
        for (int k = 0; k < t->edge_count; k++)
            if (t->edges[k].to->scc != t->scc)
                kr_state_of(run, t->edges[k].to)->readers++;
    }
}

/* ---- running */

static int phase_of(const kr_task *task)
{
    switch (task->kind) {
    case KR_TASK_ROWS:
    case KR_TASK_PART:
    case KR_TASK_DAYS:
    case KR_TASK_SEQ:
    case KR_TASK_INDEX:
    case KR_TASK_GROUP:
    case KR_TASK_LOOKUP:
    case KR_TASK_PREV:
    case KR_TASK_SORTED:
    case KR_TASK_HOPS:
        return 0;
    default:
        return task->input ? 0 : 1;
    }
}

static void release_read(kr_run *run, const kr_scc *scc)
{
    for (int i = 0; i < scc->task_count; i++) {
        const kr_task *t = scc->tasks[i];
        if (!kr_state_of(run, t)->needed)
            continue;
        for (int k = 0; k < t->edge_count && !is_ready(run, t); k++) {
            kr_state *to = kr_state_of(run, t->edges[k].to);
            if (t->edges[k].to->scc != t->scc && --to->readers == 0 && !to->kept && to->done)
                release(run, t->edges[k].to);
        }
        if (kr_state_of(run, t)->readers == 0 && !kr_state_of(run, t)->kept)
            release(run, t);
    }
}

static bool take_ready(kr_run *run, const kr_task *t)
{
    const kr_column *ready = ready_column(run, t);
    if (!ready)
        return false;
    kr_state_of(run, t)->column = *ready;
    kr_state_of(run, t)->borrowed = true;
    kr_state_of(run, t)->done = true;
    return true;
}

static bool is_taken(const kr_run *run, const kr_scc *scc)
{
    for (int i = 0; i < scc->task_count; i++)
        if (ready_column(run, scc->tasks[i]))
            return true;
    return false;
}

/* A cycle whose columns a finished run has: what else stands in it reads only them, and runs once, in the order of its reading. */
static void run_opened(kr_run *run, const kr_scc *scc)
{
    for (int i = 0; i < scc->task_count; i++)
        take_ready(run, scc->tasks[i]);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < scc->task_count; i++) {
            kr_task *t = scc->tasks[i];
            bool due = kr_state_of(run, t)->needed && !kr_state_of(run, t)->done;
            for (int k = 0; k < t->edge_count && due; k++)
                due = t->edges[k].to->scc != t->scc || kr_state_of(run, t->edges[k].to)->done;
            if (!due)
                continue;
            kr_task_begin(run, t, false);
            kr_task_run(run, t, NULL, t->rowset ? kr_rows_of(run, t->rowset) : 0);
            kr_task_end(run, t);
            more = true;
        }
    }
}

static void run_scc(kr_run *run, const kr_scc *scc)
{
    uint64_t from = now_us();
    if (scc->step != KR_STEP_ONCE && is_taken(run, scc)) {
        run_opened(run, scc);
    } else if (scc->step == KR_STEP_ONCE) {
        kr_task *t = scc->tasks[0];
        if (take_ready(run, t))
            return;
        if (ready_rows(run, t)) {
            run->row_counts[t->rowset->id] = kr_run_row_count(run->base, t->rowset->sheet);
            kr_state_of(run, t)->done = true;
            return;
        }
        kr_task_begin(run, t, false);
        if (!run->broken)
            kr_task_run(run, t, NULL, t->rowset ? kr_rows_of(run, t->rowset) : 0);
        kr_task_end(run, t);
        run->ms[phase_of(t)] += now_us() - from;
    } else {
        for (int i = 0; i < scc->task_count; i++)
            kr_task_begin(run, scc->tasks[i], true);
        if (!run->broken && scc->step == KR_STEP_SEQUENCE)
            kr_step_along(run, scc, NULL, 0);
        else if (!run->broken)
            kr_step_days(run, scc);
        for (int i = 0; i < scc->task_count; i++)
            kr_task_end(run, scc->tasks[i]);
        run->ms[1] += now_us() - from;
    }
}

static bool scc_needed(const kr_run *run, const kr_scc *scc)
{
    for (int i = 0; i < scc->task_count; i++)
        if (kr_state_of(run, scc->tasks[i])->needed)
            return true;
    return false;
}

/* Inside a cycle all tasks run, needed or not: they are reached from one another anyway. */
static void execute(kr_run *run)
{
    const kr_plan *plan = run->plan;
    int total = 0, done = 0;
    unsigned told = 0;
    for (int i = 0; i < plan->scc_count; i++)
        total += scc_needed(run, &plan->sccs[i]);
    for (int i = 0; i < plan->scc_count && !run->broken; i++) {
        const kr_scc *scc = &plan->sccs[i];
        if (!scc_needed(run, scc))
            continue;
        run_scc(run, scc);
        release_read(run, scc);
        done++;
        unsigned permille = (unsigned)(done * 1000 / (total ? total : 1));
        if (run->options.progress && permille != told)
            run->options.progress(run->options.progress_context, told = permille);
    }
}

static void collect_failed(kr_run *run)
{
    for (int a = 0; a < run->model->assert_count && !run->plan->extra; a++) {
        const kr_column *column = kr_cells_of(run, run->plan->asserts[a]);
        for (size_t i = 0; i < column->count; i++) {
            kr_cell c = kr_column_get(column, i);
            if (!kr_is_blank(c) && !kr_cell_is_true(c))
                KR_PUSH(run->arena, run->failed, run->failed_count, run->failed_capacity) = (kr_failed){ a, (uint32_t)i };
        }
    }
}

static kr_run *run_plan(const kr_plan *plan, const kr_dataset *data, const kr_run_options *options, const kr_run *base, kr_diags *diags)
{
    kr_run *run = kr_alloc(sizeof *run);
    run->plan = plan;
    run->model = plan->model;
    run->data = data;
    run->pool = plan->model->pool;
    run->options = *options;
    run->base = base;
    run->diags = diags;
    run->arena = kr_arena_new();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = options->threads > 0 ? options->threads : cores > 0 ? (int)cores : 1;
    run->workers = kr_workers_new(threads < MOST_THREADS ? threads : MOST_THREADS);
    run->scratch = kr_alloc(sizeof *run->scratch * (size_t)kr_workers_count(run->workers));
    for (int t = 0; t < kr_workers_count(run->workers); t++)
        run->scratch[t] = kr_arena_new();
    run->chunk = options->chunk ? options->chunk : CHUNK;
    if (!run->options.pair_limit)
        run->options.pair_limit = PAIR_LIMIT;
    run->states = kr_alloc(sizeof *run->states * ((size_t)plan->task_count + 1));
    run->row_counts = kr_alloc(sizeof *run->row_counts * ((size_t)plan->rowset_count + 1));
    run->made_again = kr_alloc((size_t)plan->rowset_count + 1);
    run->overlays = kr_alloc(sizeof(void *) * ((size_t)plan->rowset_count + 1));
    run->first_day = 0;
    run->last_day = -1;
    mark(run);
    count_readers(run);
    execute(run);
    if (!run->broken)
        collect_failed(run);
    kr_overlay_free(run);
    run->overlays = NULL;
    for (int t = 0; t < kr_workers_count(run->workers); t++)
        kr_arena_free(run->scratch[t]);
    kr_workers_free(run->workers);
    kr_free(run->scratch);
    run->workers = NULL;
    run->scratch = NULL;
    run->diags = NULL;
    run->options.recorded = NULL;
    if (!run->broken)
        return run;
    kr_run_free(run);
    return NULL;
}

kr_run *kr_run_new(const kr_plan *plan, const kr_dataset *data, const kr_run_options *options, kr_diags *diags)
{
    static const kr_run_options plain;
    return run_plan(plan, data, options ? options : &plain, NULL, diags);
}

static const kr_rowset *rowset_of(const kr_plan *plan, const kr_sheet *sheet)
{
    for (int i = 0; i < plan->rowset_count; i++)
        if (plan->rowsets[i]->sheet == sheet && !plan->rowsets[i]->candidate)
            return plan->rowsets[i];
    return NULL;
}

kr_run *kr_run_of_records(const kr_plan *plan, const kr_record *records, int count)
{
    kr_run *run = kr_alloc(sizeof *run);
    run->plan = plan;
    run->model = plan->model;
    run->pool = plan->model->pool;
    run->arena = kr_arena_new();
    run->states = kr_alloc(sizeof *run->states * ((size_t)plan->task_count + 1));
    run->row_counts = kr_alloc(sizeof *run->row_counts * ((size_t)plan->rowset_count + 1));
    for (int i = 0; i < count; i++) {
        const kr_record *r = &records[i];
        const kr_rowset *rowset = rowset_of(plan, r->sheet);
        if (rowset)
            run->row_counts[rowset->id] = r->row_count;
        for (int c = 0; c < r->column_count; c++) {
            kr_task *task = rowset ? rowset->columns[r->defs[c]->index] : NULL;
            if (!task) {
                kr_column_done(&r->columns[c]);
                continue;
            }
            kr_state_of(run, task)->column = r->columns[c];
            kr_state_of(run, task)->done = true;
        }
    }
    return run;
}

void kr_run_free(kr_run *run)
{
    if (!run)
        return;
    for (int i = 0; i < run->plan->task_count; i++)
        release(run, run->plan->tasks[i]);
    kr_free(run->states);
    kr_free(run->row_counts);
    kr_free(run->made_again);
    kr_arena_free(run->arena);
    kr_free(run);
}

/* ---- results */

const kr_model *kr_run_model(const kr_run *run) { return run->model; }

bool kr_run_days(const kr_run *run, int64_t *first, int64_t *last)
{
    if (!run->model->has_days)
        return false;
    *first = run->first_day;
    *last = run->last_day;
    return true;
}

size_t kr_run_row_count(const kr_run *run, const kr_sheet *sheet)
{
    const kr_rowset *rowset = rowset_of(run->plan, sheet);
    return rowset ? run->row_counts[rowset->id] : 0;
}

const kr_column *kr_run_column(const kr_run *run, const kr_column_def *column)
{
    const kr_rowset *rowset = rowset_of(run->plan, column->sheet);
    const kr_task *task = rowset ? rowset->columns[column->index] : NULL;
    if (!task || !kr_state_of(run, task)->done)
        return NULL;
    return &kr_state_of(run, task)->column;
}

size_t kr_run_memory(const kr_run *run) { return run->peak; }
uint64_t kr_run_ms(const kr_run *run, int phase) { return phase == 0 || phase == 1 ? (run->ms[phase] + 500) / 1000 : 0; }

size_t kr_run_failed(const kr_run *run, const kr_failed **out)
{
    *out = run->failed;
    return run->failed_count;
}

bool kr_run_eval(kr_run *run, const kr_sheet *sheet, const kr_expr *expr, kr_cell *out, kr_diags *diags)
{
    kr_arena *arena = kr_arena_new();
    kr_plan *plan = kr_plan_formula((kr_model *)run->model, arena, sheet, expr, diags);
    bool good = false;
    if (plan) {
        kr_run_options options = run->options;
        options.progress = NULL;
        options.all_columns = false;
        options.has_to = run->model->has_days; /* the days of the finished run */
        options.to = run->last_day;
        kr_run *extra = run_plan(plan, run->data, &options, run, diags);
        if (extra) {
            const kr_column *column = kr_cells_of(extra, plan->extra);
            kr_column_load(column, 0, column->count, out);
            good = true;
        }
        kr_run_free(extra);
    }
    kr_arena_free(arena);
    return good;
}
