/* ref.c: one cell, one expression. */
#include "tests/ref/ref_internal.h"

#include <pthread.h>
#include <string.h>

static kr_cell call_row_wise(kr_ref *ref, const kr_expr *e, frame at)
{
    kr_cell args[e->arg_count + 1], out;
    const kr_cell *in[e->arg_count + 1];
    kr_type types[e->arg_count + 1];
    for (int k = 0; k < e->arg_count; k++) {
        args[k] = ref_eval(ref, e->args[k], at);
        in[k] = &args[k];
        types[k] = e->args[k]->type;
    }
    kr_call call = { &ref->env, e->arg_count, types, e->type };
    if (e->fn->row)
        e->fn->row(&call, &out, in, 1);
    else if (!kr_spread(args, (size_t)e->arg_count, &out))
        out = e->fn->scalar(&call, args);
    kr_arena_reset(ref->scratch);
    return out;
}

static kr_cell call_user(kr_ref *ref, const kr_expr *e, frame at)
{
    kr_cell args[e->arg_count + 1];
    const char *problem = NULL;
    for (int k = 0; k < e->arg_count; k++)
        args[k] = ref_eval(ref, e->args[k], at);
    kr_cell out = kr_script_call(ref->script, ref->model->user_fns[e->user].script, args, &problem);
    if (problem)
        ref->problem = kr_arena_copy(ref->arena, problem, strlen(problem));
    return out;
}

static kr_cell lookup(kr_ref *ref, const kr_expr *e, frame at)
{
    row_list list;
    kr_cell out;
    if (!ref_match(ref, e->sheet, e->match, e->match_count, at, &list, &out))
        return out;
    out = list.count == 0 ? KR_BLANK : list.count > 1 ? KR_E_MULTI : ref_cell(ref, e->column, list.rows[0]);
    kr_free(list.rows);
    return out;
}

kr_cell ref_aggregate(kr_ref *ref, const kr_expr *e, kr_cell *const *series, size_t n, frame at)
{
    int s = e->series_count, scalar_count = e->arg_count - s;
    kr_cell scalars[scalar_count + 1], special, out;
    const kr_cell *in[s + 1];
    kr_type types[e->arg_count + 1];
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        kr_cell row[s + 1];
        for (int k = 0; k < s; k++)
            row[k] = series[k][i];
        bool is_special = kr_spread(row, (size_t)s, &special);
        if (is_special && kr_is_error(special))
            return special;
        if (is_special && !e->fn->keep_blanks)
            continue;
        for (int k = 0; k < s; k++)
            series[k][kept] = row[k];
        kept++;
    }
    for (int k = 0; k < scalar_count; k++)
        scalars[k] = ref_eval(ref, e->args[s + k], at);
    if (kr_spread(scalars, (size_t)scalar_count, &special))
        return special;
    for (int k = 0; k < e->arg_count; k++)
        types[k] = e->args[k]->type;
    for (int k = 0; k < s; k++)
        in[k] = series[k];
    kr_call call = { &ref->env, e->arg_count, types, e->type };
    out = e->fn->series(&call, in, kept, scalars);
    kr_arena_reset(ref->scratch);
    return out;
}

static void series_new(kr_cell **series, int count, size_t n)
{
    for (int k = 0; k < count; k++)
        series[k] = kr_alloc((n + 1) * sizeof(kr_cell));
}

static void series_free(kr_cell **series, int count)
{
    for (int k = 0; k < count; k++)
        kr_free(series[k]);
}

/* Over the rows of another sheet: match, then WHERE, then the values. */
static kr_cell aggregate(kr_ref *ref, const kr_expr *e, frame at)
{
    row_list list;
    kr_cell out, *series[e->series_count + 1];
    size_t n = 0;
    if (!ref_match(ref, e->sheet, e->match, e->match_count, at, &list, &out))
        return out;
    series_new(series, e->series_count, list.count);
    for (size_t i = 0; i < list.count; i++) {
        frame both = { { at.row[0], list.rows[i] } };
        if (e->where) {
            kr_cell condition = ref_eval(ref, e->where, both);
            if (kr_is_error(condition)) {
                out = condition;
                goto done;
            }
            if (!kr_cell_is_true(condition))
                continue;
        }
        for (int k = 0; k < e->series_count; k++)
            series[k][n] = ref_eval(ref, e->args[k], both);
        kr_cell row[e->series_count + 1];
        for (int k = 0; k < e->series_count; k++)
            row[k] = series[k][n];
        if (kr_spread(row, (size_t)e->series_count, &out) && kr_is_error(out))
            goto done;
        n++;
    }
    out = ref_aggregate(ref, e, series, n, at);
done:
    series_free(series, e->series_count);
    kr_free(list.rows);
    return out;
}

static kr_cell list_aggregate(kr_ref *ref, const kr_expr *e, frame at)
{
    kr_cell *series[e->series_count + 1];
    size_t n = e->series_count > 0 ? (size_t)e->args[0]->arg_count : 0;
    series_new(series, e->series_count, n);
    for (int k = 0; k < e->series_count; k++) {
        KR_ASSERT((size_t)e->args[k]->arg_count == n); /* the checker: lists of one call are equally long */
        for (size_t i = 0; i < n; i++)
            series[k][i] = ref_eval(ref, e->args[k]->args[i], at);
    }
    kr_cell out = ref_aggregate(ref, e, series, n, at);
    series_free(series, e->series_count);
    return out;
}

/* ARGMIN, ARGMAX: the first row with the least or greatest `by`, then its value, blank or not. */
static kr_cell choose(kr_ref *ref, const kr_expr *e, frame at)
{
    row_list list;
    kr_cell out = KR_BLANK, best = KR_BLANK;
    size_t chosen = NO_ROW;
    if (!ref_match(ref, e->sheet, e->match, e->match_count, at, &list, &out))
        return out;
    for (size_t i = 0; i < list.count; i++) {
        frame both = { { at.row[0], list.rows[i] } };
        kr_cell condition = e->where ? ref_eval(ref, e->where, both) : kr_cell_of_bool(true);
        if (!kr_is_error(condition) && !kr_cell_is_true(condition))
            continue;
        kr_cell by = kr_is_error(condition) ? condition : ref_eval(ref, e->args[1], both);
        if (kr_is_error(by)) {
            kr_free(list.rows);
            return by;
        }
        if (kr_is_blank(by))
            continue;
        int cmp = chosen == NO_ROW ? 0 : kr_cell_cmp(ref->env.pool, e->args[1]->type, by, best);
        if (chosen == NO_ROW || (e->form == KR_FORM_ARGMIN ? cmp < 0 : cmp > 0)) {
            best = by;
            chosen = list.rows[i];
        }
    }
    kr_free(list.rows);
    return chosen == NO_ROW ? KR_BLANK : ref_eval(ref, e->args[0], (frame){ { at.row[0], chosen } });
}

kr_cell ref_eval(kr_ref *ref, const kr_expr *e, frame at)
{
    switch (e->kind) {
    case KR_X_CONST: return e->value;
    case KR_X_PARAM: return ref->model->params[e->param].value;
    case KR_X_COLUMN: return ref_cell(ref, e->column, at.row[e->frame]);
    case KR_X_CALL: return call_row_wise(ref, e, at);
    case KR_X_USER: return call_user(ref, e, at);
    case KR_X_LOOKUP: return lookup(ref, e, at);
    case KR_X_AGG: return aggregate(ref, e, at);
    case KR_X_WINDOW: return ref_window(ref, e, at);
    case KR_X_LIST: return list_aggregate(ref, e, at);
    case KR_X_ROWLIST: break; /* only inside a list */
    case KR_X_PREV: return ref_prev(ref, e, at);
    case KR_X_RUN: return ref_run(ref, e, at);
    case KR_X_SEQUENCE: return ref_other_sequence(ref, e, at);
    case KR_X_ARG: return choose(ref, e, at);
    case KR_X_SHARE: return ref_share(ref, e, at);
    case KR_X_COMPONENT: return ref_component(ref, e, at);
    case KR_X_HOPS: return ref_hops(ref, e, at);
    }
    kr_assert_failed("an expression with a value of its own", __FILE__, __LINE__);
}

kr_cell ref_cell(kr_ref *ref, const kr_column_def *column, size_t row)
{
    ref_sheet *sheet = ref_sheet_of(ref, column->sheet);
    KR_ASSERT(row != NO_ROW && row < sheet->count);
    ref_column *c = &sheet->columns[column->index];
    if (c->state[row] == CELL_DONE)
        return c->cells[row];
    KR_ASSERT(c->state[row] != CELL_BUSY); /* a cycle */
    KR_ASSERT(column->formula.expr);
    c->state[row] = CELL_BUSY;
    c->cells[row] = ref_eval(ref, column->formula.expr, (frame){ { row, NO_ROW } });
    c->state[row] = CELL_DONE;
    return c->cells[row];
}

/* ---- the outside: everything runs on a thread with room for deep recursion */

enum job_kind { JOB_DAYS, JOB_ROWS, JOB_COLUMN, JOB_EVAL };
typedef struct job {
    enum job_kind kind;
    kr_ref *ref;
    const kr_sheet *sheet;
    const kr_column_def *column;
    const kr_expr *expr;
    size_t row;
    kr_cell out;
} job;

static void *run_job(void *context)
{
    job *j = context;
    kr_ref *ref = j->ref;
    if (j->kind == JOB_DAYS)
        ref_need_days(ref);
    if (j->sheet)
        ref_need_rows(ref, j->sheet);
    if (j->kind == JOB_COLUMN)
        for (size_t row = 0; row < ref_sheet_of(ref, j->sheet)->count; row++)
            ref_cell(ref, j->column, row);
    if (j->kind == JOB_EVAL)
        j->out = ref_eval(ref, j->expr, (frame){ { j->row, NO_ROW } });
    kr_num_thread_done();
    return NULL;
}

static void do_job(job *j)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)2 << 30); /* reserved, not touched */
    int failed = pthread_create(&thread, &attr, run_job, j);
    KR_ASSERT(failed == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
}

kr_ref *kr_ref_new(const kr_model *model, const kr_dataset *data, bool has_to, int64_t to)
{
    kr_ref *ref = kr_alloc(sizeof *ref);
    ref->model = model;
    ref->data = data;
    ref->has_to = has_to;
    ref->to = to;
    ref->arena = kr_arena_new();
    ref->scratch = kr_arena_new();
    ref->env = (kr_env){ model->pool, ref->scratch };
    ref->sheets = kr_alloc((size_t)(model->sheet_count + 1) * sizeof *ref->sheets);
    if (model->user_fn_count > 0)
        ref->script = kr_script_run_new(model, &ref->env);
    for (int s = 0; s < model->sheet_count; s++)
        KR_ASSERT(model->sheets[s]->index == s);
    return ref;
}

void kr_ref_open_from(kr_ref *ref, int64_t from)
{
    ref->has_from = true;
    ref->from = from;
}

void kr_ref_free(kr_ref *ref)
{
    for (int s = 0; s < ref->model->sheet_count; s++) {
        ref_sheet *sheet = &ref->sheets[s];
        for (int c = 0; sheet->columns && c < ref->model->sheets[s]->column_count; c++) {
            kr_free(sheet->columns[c].cells);
            kr_free(sheet->columns[c].state);
        }
        kr_free(sheet->columns);
        kr_free(sheet->sequence);
        kr_free(sheet->place);
        kr_free(sheet->part_start);
        kr_free(sheet->part_end);
        for (ref_index *i = sheet->indexes; i; i = i->next) {
            kr_free(i->keys);
            kr_free(i->rows);
        }
        if (ref->in_cycle)
            kr_free(ref->in_cycle[s]);
    }
    kr_free(ref->in_cycle);
    kr_free(ref->sheets);
    if (ref->script)
        kr_script_run_free(ref->script);
    ref_free_labels(ref);
    ref_free_edges(ref);
    kr_arena_free(ref->scratch);
    kr_arena_free(ref->arena);
    kr_free(ref);
}

bool kr_ref_days(kr_ref *ref, int64_t *first, int64_t *last)
{
    if (!ref->model->has_days)
        return false;
    do_job(&(job){ .kind = JOB_DAYS, .ref = ref });
    *first = ref->first_day;
    *last = ref->last_day;
    return true;
}

size_t kr_ref_rows(kr_ref *ref, const kr_sheet *sheet)
{
    ref_sheet *s = ref_sheet_of(ref, sheet);
    if (s->state != ROWS_DONE)
        do_job(&(job){ .kind = JOB_ROWS, .ref = ref, .sheet = sheet });
    return s->count;
}

kr_cell kr_ref_cell(kr_ref *ref, const kr_column_def *column, size_t row)
{
    KR_ASSERT(row < kr_ref_rows(ref, column->sheet));
    ref_column *c = &ref_sheet_of(ref, column->sheet)->columns[column->index];
    if (c->state[row] != CELL_DONE)
        do_job(&(job){ .kind = JOB_COLUMN, .ref = ref, .sheet = column->sheet, .column = column });
    return c->cells[row];
}

kr_cell kr_ref_eval(kr_ref *ref, const kr_sheet *sheet, size_t row, const kr_expr *expr)
{
    job j = { .kind = JOB_EVAL, .ref = ref, .sheet = sheet, .expr = expr, .row = sheet ? row : NO_ROW };
    do_job(&j);
    return j.out;
}

const char *kr_ref_problem(const kr_ref *ref) { return ref->problem; }
