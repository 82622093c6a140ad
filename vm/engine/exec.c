/* exec.c: programs over vectors of rows. */
#include "vm/engine/exec.h"

#include <string.h>

enum { SERIES_ROOM = 8 };

struct kr_exec {
    const kr_run *run;
    const kr_program *program;
    size_t chunk;
    kr_cell *memory;
    const kr_cell **reg;   /* per register: where its cells are */
    const kr_cell **in;    /* arguments of the instruction at hand */
    kr_cell *args;         /* the same of one row */
    uint32_t *rows;        /* scratch vector */
    kr_env env;
    kr_script_run *script;
    kr_hops_search **hops; /* per instruction; NULL: not yet asked */
    kr_cell *list;         /* LIST: series after series */
    size_t list_room;
};

kr_exec *kr_exec_open(const kr_run *run, const kr_program *program, size_t chunk, int thread)
{
    kr_exec *x = kr_alloc(sizeof *x);
    int most = 1;
    x->run = run;
    x->program = program;
    x->chunk = chunk;
    x->memory = kr_alloc(sizeof(kr_cell) * chunk * (size_t)(program->slot_count + 1));
    x->reg = kr_alloc(sizeof *x->reg * (size_t)(program->register_count + 1));
    x->rows = kr_alloc(sizeof *x->rows * chunk);
    x->env = (kr_env){ run->pool, run->scratch[thread] };
    for (int i = 0; i < program->op_count; i++) {
        const kr_op *op = &program->ops[i];
        if (op->argc > most)
            most = op->argc;
        if (op->code == KR_OP_USER && !x->script)
            x->script = kr_script_run_new(run->model, &x->env);
        if (op->code == KR_OP_CONST || op->code == KR_OP_PARAM) {
            kr_cell value = op->code == KR_OP_CONST ? op->value : run->model->params[op->param].value;
            kr_cell *cells = x->memory + chunk * (size_t)program->slot[op->dst];
            for (size_t k = 0; k < chunk; k++)
                cells[k] = value;
            x->reg[op->dst] = cells;
        }
    }
    x->in = kr_alloc(sizeof *x->in * (size_t)most);
    x->args = kr_alloc(sizeof *x->args * (size_t)most);
    return x;
}

void kr_exec_close(kr_exec *x)
{
    if (!x)
        return;
    if (x->script)
        kr_script_run_free(x->script);
    for (int i = 0; x->hops && i < x->program->op_count; i++)
        kr_hops_close(x->hops[i]);
    kr_free(x->hops);
    kr_free(x->memory);
    kr_free(x->reg);
    kr_free(x->in);
    kr_free(x->args);
    kr_free(x->rows);
    kr_free(x->list);
    kr_free(x);
}

static void load(kr_exec *x, const kr_op *op, const kr_lanes *lanes, kr_cell *out)
{
    const kr_column *column = kr_cells_of(x->run, op->column);
    const uint32_t *rows = lanes->rows[op->frame];
    if (rows) {
        kr_column_gather(column, rows, lanes->n, out);
    } else if (column->width == sizeof(kr_cell)) {
        x->reg[op->dst] = (const kr_cell *)column->data + lanes->start[op->frame];
    } else {
        kr_column_load(column, lanes->start[op->frame], lanes->n, out);
    }
}

/* The map's entries for the rows of a frame. */
static const uint32_t *mapped(kr_exec *x, const kr_op *op, const kr_lanes *lanes)
{
    const uint32_t *map = kr_state_of(x->run, op->map)->map, *rows = lanes->rows[op->frame];
    if (!rows)
        return map + lanes->start[op->frame];
    for (size_t i = 0; i < lanes->n; i++)
        x->rows[i] = map[rows[i]];
    return x->rows;
}

/* Cells at rows that may be specials: no row (start, or blank) or an error. */
static void gather(const kr_column *column, const uint32_t *rows, size_t n, const kr_cell *start, kr_cell *out)
{
    if (column->width == sizeof(kr_cell)) {
        const kr_cell *cells = column->data;
        for (size_t i = 0; i < n; i++)
            out[i] = !kr_map_is_special(rows[i]) ? cells[rows[i]] : rows[i] == KR_NO_ROW && start ? start[i] : kr_map_special(rows[i]);
        return;
    }
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = rows[i] > most ? rows[i] : most;
    if (!kr_map_is_special(most)) {
        kr_column_gather(column, rows, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = !kr_map_is_special(rows[i]) ? kr_column_get(column, rows[i])
            : rows[i] == KR_NO_ROW && start ? start[i] : kr_map_special(rows[i]);
}

static void group_values(kr_exec *x, const kr_op *op, const kr_lanes *lanes, kr_cell *out)
{
    const kr_state *agg = kr_state_of(x->run, op->column);
    const uint32_t *groups = mapped(x, op, lanes);
    for (size_t i = 0; i < lanes->n; i++) {
        uint32_t g = groups[i];
        out[i] = !kr_map_is_special(g) ? agg->values[g] : g == KR_NO_ROW ? agg->empty : kr_map_special(g);
    }
}

static void probe(kr_exec *x, const kr_op *op, size_t n, kr_cell *out)
{
    const kr_index *index = kr_state_of(x->run, op->map)->index;
    kr_index_probe(index, x->in, n, x->rows);
    for (size_t i = 0; i < n; i++) {
        uint32_t g = x->rows[i];
        if (!kr_map_is_special(g))
            x->rows[i] = index->start[g + 1] - index->start[g] > 1 ? kr_map_of(KR_E_MULTI) : index->rows[index->start[g]];
    }
    gather(kr_cells_of(x->run, op->column), x->rows, n, NULL, out);
}

static void hops(kr_exec *x, const kr_op *op, size_t n, kr_cell *out)
{
    int at = (int)(op - x->program->ops);
    if (!x->hops)
        x->hops = kr_alloc(sizeof(kr_hops_search *) * (size_t)x->program->op_count);
    if (!x->hops[at])
        x->hops[at] = kr_hops_open(kr_state_of(x->run, op->map)->hops);
    kr_hops_eval(x->hops[at], x->in, n, out);
}

static void call(kr_exec *x, const kr_op *op, size_t n, kr_cell *out)
{
    kr_call c = { &x->env, op->argc, op->types, op->type };
    if (op->fn->row) {
        op->fn->row(&c, out, x->in, n);
        return;
    }
    kr_cell *args = x->args;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < op->argc; k++)
            args[k] = x->in[k][i];
        if (!kr_spread(args, (size_t)op->argc, &out[i]))
            out[i] = op->fn->scalar(&c, args);
    }
}

/* A fn sees blanks (and raises when it uses one as a condition); errors pass it by. */
static void user(kr_exec *x, const kr_op *op, size_t n, kr_cell *out)
{
    kr_cell *args = x->args;
    for (size_t i = 0; i < n; i++) {
        bool failed = false;
        for (int k = 0; k < op->argc && !failed; k++) {
            args[k] = x->in[k][i];
            if (kr_is_error(args[k])) {
                out[i] = args[k];
                failed = true;
            }
        }
        const char *problem = NULL;
        if (!failed)
            out[i] = kr_script_call(x->script, op->script, args, &problem);
    }
}

static void list(kr_exec *x, const kr_op *op, size_t n, kr_cell *out)
{
    kr_aggregate agg = { .fn = op->fn, .series = op->series_count };
    int length = op->series_count ? op->lengths[0] : 0, scalars = op->argc, at[SERIES_ROOM], total = 0;
    bool even = op->series_count <= SERIES_ROOM;
    for (int s = 0; s < op->series_count; s++) {
        even = even && op->lengths[s] == length;
        at[s % SERIES_ROOM] = total;
        total += op->lengths[s];
        scalars -= op->lengths[s];
    }
    agg.call = (kr_call){ &x->env, op->series_count + scalars, op->types, op->type };
    size_t need = (size_t)(total + scalars + 1);
    if (x->list_room < need) {
        x->list = kr_realloc(x->list, sizeof *x->list * need);
        x->list_room = need;
    }
    kr_cell *series[SERIES_ROOM];
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < op->argc; k++)
            x->list[k] = x->in[k][i];
        for (int s = 0; even && s < op->series_count; s++)
            series[s] = x->list + at[s];
        /* Lists of different lengths have no rows in common. */
        out[i] = even ? kr_aggregate_value(&agg, series, NULL, (size_t)length, x->list + total, scalars) : KR_E_NA;
    }
}

const kr_cell *kr_exec_run(kr_exec *x, const kr_lanes *lanes)
{
    const kr_program *p = x->program;
    size_t n = lanes->n;
    kr_scratch_tidy(x->env.scratch);
    for (int i = 0; i < p->op_count; i++) {
        const kr_op *op = &p->ops[i];
        if (op->code == KR_OP_CONST || op->code == KR_OP_PARAM)
            continue;
        kr_cell *out = x->memory + x->chunk * (size_t)p->slot[op->dst];
        for (int k = 0; k < op->argc; k++)
            x->in[k] = x->reg[op->args[k]];
        x->reg[op->dst] = out;
        switch (op->code) {
        case KR_OP_LOAD:
            load(x, op, lanes, out);
            break;
        case KR_OP_GATHER:
            gather(kr_cells_of(x->run, op->column), mapped(x, op, lanes), n, op->argc ? x->in[0] : NULL, out);
            break;
        case KR_OP_GROUP:
            group_values(x, op, lanes, out);
            break;
        case KR_OP_PROBE:
            probe(x, op, n, out);
            break;
        case KR_OP_HOPS:
            hops(x, op, n, out);
            break;
        case KR_OP_CALL:
            call(x, op, n, out);
            break;
        case KR_OP_USER:
            user(x, op, n, out);
            break;
        case KR_OP_LIST:
            list(x, op, n, out);
            break;
        default:
            kr_assert_failed("an instruction", __FILE__, __LINE__); /* constants are filled when a program is opened */
        }
    }
    return x->reg[p->result];
}

kr_cell kr_exec_constant(const kr_run *run, const kr_program *program)
{
    kr_exec *x = kr_exec_open(run, program, 1, 0);
    kr_lanes lanes = { .n = 1 };
    kr_cell value = *kr_exec_run(x, &lanes);
    kr_exec_close(x);
    return value;
}

/* ---- chunks */

typedef struct chunk_job {
    kr_run *run;
    kr_task *task;
    kr_program *const *programs;
    int count;
    const uint32_t *rows;
    size_t n, per_item, chunk;
    kr_chunk_body *body;
    void *context;
    kr_exec ***execs; /* per thread, per program */
} chunk_job;

static void chunk_item(void *context, int thread, size_t item)
{
    chunk_job *job = context;
    if (!job->execs[thread]) {
        job->execs[thread] = kr_alloc(sizeof(kr_exec *) * (size_t)(job->count + 1));
        for (int k = 0; k < job->count; k++)
            job->execs[thread][k] = kr_exec_open(job->run, job->programs[k], job->chunk, thread);
    }
    const kr_cell **in = kr_alloc(sizeof *in * (size_t)(job->count + 1));
    size_t from = item * job->per_item, to = from + job->per_item < job->n ? from + job->per_item : job->n;
    for (size_t at = from; at < to; at += job->chunk) {
        size_t n = to - at < job->chunk ? to - at : job->chunk;
        const uint32_t *rows = job->rows ? job->rows + at : NULL;
        kr_lanes lanes = { n, { rows, NULL }, { at, 0 } };
        for (int k = 0; k < job->count; k++)
            in[k] = kr_exec_run(job->execs[thread][k], &lanes);
        kr_chunk chunk = { job->run, job->task, thread, n, rows, at, in, job->context };
        job->body(&chunk);
    }
    kr_free(in);
}

void kr_each_chunk(kr_run *run, kr_task *task, kr_program *const *programs, int count, const uint32_t *rows, size_t n, kr_chunk_body *body, void *context)
{
    int threads = kr_workers_count(run->workers);
    size_t per_item = (n / ((size_t)threads * 4) / run->chunk + 1) * run->chunk;
    if (per_item > 16 * run->chunk)
        per_item = 16 * run->chunk;
    chunk_job job = { run, task, programs, count, rows, n, per_item, n < run->chunk ? n : run->chunk, body, context, kr_alloc(sizeof(kr_exec **) * (size_t)threads) };
    kr_workers_run(run->workers, (n + per_item - 1) / per_item, chunk_item, &job);
    for (int t = 0; t < threads; t++) {
        for (int k = 0; job.execs[t] && k < count; k++)
            kr_exec_close(job.execs[t][k]);
        kr_free(job.execs[t]);
    }
    kr_free(job.execs);
}

static void store_chunk(const kr_chunk *c)
{
    kr_state *state = kr_state_of(c->run, c->task);
    const kr_cell *cells = c->in[0];
    if (c->task->back && c->run->options.recorded) {
        kr_cell *changed = kr_alloc(sizeof *changed * c->n);
        memcpy(changed, cells, sizeof *changed * c->n);
        kr_overlay_apply(c->run, c->task, c->rows, c->start, c->n, changed);
        if (c->rows)
            kr_column_scatter(&state->column, c->rows, c->n, changed);
        else
            kr_column_store(&state->column, c->start, c->n, changed);
        kr_free(changed);
    } else if (c->rows) {
        kr_column_scatter(&state->column, c->rows, c->n, cells);
    } else {
        kr_column_store(&state->column, c->start, c->n, cells);
    }
}

void kr_column_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_each_chunk(run, task, &task->program, 1, rows, n, store_chunk, NULL);
}

/* ---- aggregates over cells */

void kr_aggregate_init(kr_aggregate *agg, const kr_run *run, const kr_task *task, int series, kr_env *env)
{
    (void)run;
    const kr_expr *e = task->expr;
    KR_ASSERT(e->arg_count <= SERIES_ROOM); /* no primitive takes as many */
    agg->fn = task->fn;
    agg->series = series;
    for (int i = 0; i < e->arg_count; i++)
        agg->types[i] = e->args[i]->type;
    agg->call = (kr_call){ env, e->arg_count, agg->types, e->type };
}

kr_cell kr_aggregate_value(const kr_aggregate *agg, kr_cell *const *in, const kr_cell *where, size_t n, const kr_cell *scalars, int scalar_count)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (where && !kr_cell_is_true(where[i])) {
            if (kr_is_error(where[i]))
                return where[i];
            continue;
        }
        bool blank = false;
        for (int k = 0; k < agg->series; k++) {
            if (kr_is_special(in[k][i])) {
                if (!kr_is_blank(in[k][i]))
                    return in[k][i];
                blank = true;
            }
        }
        if (blank && !agg->fn->keep_blanks)
            continue;
        if (known != i)
            for (int k = 0; k < agg->series; k++)
                in[k][known] = in[k][i];
        known++;
    }
    kr_cell spread;
    if (kr_spread(scalars, (size_t)scalar_count, &spread))
        return spread;
    kr_cell value = agg->fn->series(&agg->call, (const kr_cell *const *)in, known, scalars);
    kr_scratch_tidy(agg->call.env->scratch);
    return value;
}
