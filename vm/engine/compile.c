/* compile.c: row-wise expressions to programs.
 *
 * A program is a list of instructions over registers, each a vector of rows. In the own row, forms become gathers from tasks of their
 * own. In pairs of rows (inside an aggregate that mentions both), whatever mentions one row only becomes a column of that row's sheet
 * first, so that it is computed once a row and not once a pair. */
#include "vm/engine/plan.h"

#include <string.h>

typedef struct compiler {
    kr_plan *plan;
    kr_task *task;
    kr_rowset *set[2];
    kr_reach far_reach;
    kr_program *program;
    const kr_expr **seen; /* per register: the expression it holds */
    size_t seen_capacity;
} compiler;

static kr_op *add_op(compiler *c, kr_opcode code, kr_type type, int argc)
{
    kr_op *op = &KR_PUSH(c->plan->arena, c->program->ops, c->program->op_count, c->program->op_capacity);
    memset(op, 0, sizeof *op);
    op->code = code;
    op->type = type;
    op->argc = argc;
    op->args = KR_NEW_ARRAY(c->plan->arena, int, argc + 1);
    op->types = KR_NEW_ARRAY(c->plan->arena, kr_type, argc + 1);
    op->dst = c->program->register_count; /* finish() makes the register */
    return op;
}

static int finish(compiler *c, const kr_expr *expr)
{
    int n = c->program->register_count;
    KR_PUSH(c->plan->arena, c->seen, n, c->seen_capacity) = expr;
    return c->program->register_count++;
}

static int compile_expr(compiler *c, const kr_expr *e);

/* Arguments first: instructions of a nested expression come before its user, and adding them moves `ops`. */
static int compile_call(compiler *c, const kr_expr *e, kr_opcode code)
{
    int *args = KR_NEW_ARRAY(c->plan->arena, int, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++)
        args[i] = compile_expr(c, e->args[i]);
    kr_op *op = add_op(c, code, e->type, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) {
        op->args[i] = args[i];
        op->types[i] = e->args[i]->type;
    }
    op->fn = e->fn;
    if (code == KR_OP_USER)
        op->script = c->plan->model->user_fns[e->user].script;
    return finish(c, e);
}

static int compile_list(compiler *c, const kr_expr *e)
{
    int total = e->arg_count - e->series_count, n = 0;
    for (int i = 0; i < e->series_count; i++)
        total += e->args[i]->arg_count;
    int *args = KR_NEW_ARRAY(c->plan->arena, int, total + 1);
    kr_type *types = KR_NEW_ARRAY(c->plan->arena, kr_type, e->arg_count + 1);
    int *lengths = KR_NEW_ARRAY(c->plan->arena, int, e->series_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        const kr_expr *a = e->args[i];
        if (i >= e->series_count) {
            args[n++] = compile_expr(c, a);
            types[i] = a->type;
            continue;
        }
        lengths[i] = a->arg_count;
        types[i] = a->arg_count ? a->args[0]->type : KR_T_NUMBER;
        for (int j = 0; j < a->arg_count; j++) {
            args[n++] = compile_expr(c, a->args[j]);
            if (types[i] == KR_T_NONE)
                types[i] = a->args[j]->type;
        }
    }
    kr_op *op = add_op(c, KR_OP_LIST, e->type, total);
    memcpy(op->args, args, sizeof(int) * (size_t)total);
    op->types = types;
    op->fn = e->fn;
    op->series_count = e->series_count;
    op->lengths = lengths;
    return finish(c, e);
}

static int load(compiler *c, kr_task *column, int frame, const kr_expr *e)
{
    kr_task_edge(c->plan, c->task, column, frame ? c->far_reach : KR_REACH_ROW);
    kr_op *op = add_op(c, KR_OP_LOAD, column->type, 0);
    op->column = column;
    op->frame = frame;
    return finish(c, e);
}

static int compile_gather(compiler *c, const kr_expr *e, const kr_gather *g)
{
    int start = e->kind == KR_X_PREV && e->arg_count > 1 ? compile_expr(c, e->args[1]) : -1;
    kr_task_edge(c->plan, c->task, g->map, KR_REACH_ROW);
    kr_task_edge(c->plan, c->task, g->column, g->reach);
    if (e->kind == KR_X_PREV) /* a cycle is stepped along it */
        kr_task_edge(c->plan, c->task, g->map->seq, KR_REACH_WHOLE);
    kr_op *op = add_op(c, g->grouped ? KR_OP_GROUP : KR_OP_GATHER, e->type, start >= 0);
    if (start >= 0) {
        op->args[0] = start;
        op->types[0] = e->args[1]->type;
    }
    op->map = g->map;
    op->column = g->column;
    return finish(c, e);
}

/* A lookup whose values mention both rows of a pair. */
static int compile_probe(compiler *c, const kr_expr *e)
{
    kr_plan *plan = c->plan;
    kr_rowset *third = kr_rowset_of(plan, e->sheet);
    kr_column_def **far = KR_NEW_ARRAY(plan->arena, kr_column_def *, e->match_count + 1);
    int *args = KR_NEW_ARRAY(plan->arena, int, e->match_count + 1);
    for (int i = 0; i < e->match_count; i++) {
        far[i] = e->match[i].far;
        args[i] = compile_expr(c, e->match[i].near);
    }
    kr_reach reach = kr_match_reach(plan->model, e->match, e->match_count, c->set[0]->sheet, c->set[1] ? c->set[1]->sheet : NULL, c->far_reach);
    kr_task *index = kr_index_task(plan, third, far, e->match_count), *column = kr_column_task(plan, third, e->column);
    kr_probe_edge(plan, c->task, index, reach);
    kr_task_edge(plan, c->task, column, reach);
    kr_op *op = add_op(c, KR_OP_PROBE, e->type, e->match_count);
    for (int i = 0; i < e->match_count; i++) {
        op->args[i] = args[i];
        op->types[i] = e->match[i].near->type;
    }
    op->map = index;
    op->column = column;
    return finish(c, e);
}

/* Paths are asked for by values, in one row or in pairs of them. */
static int compile_hops(compiler *c, const kr_expr *e)
{
    int total = e->arg_count + e->edges[0].match_count, *args = KR_NEW_ARRAY(c->plan->arena, int, total + 1);
    for (int i = 0; i < total; i++)
        args[i] = compile_expr(c, i < e->arg_count ? e->args[i] : e->edges[0].match[i - e->arg_count].near);
    kr_task *graph = kr_hops_task(c->plan, e);
    kr_task_edge(c->plan, c->task, graph, KR_REACH_WHOLE);
    kr_op *op = add_op(c, KR_OP_HOPS, e->type, total);
    memcpy(op->args, args, sizeof(int) * (size_t)total);
    op->map = graph;
    return finish(c, e);
}

static int compile_new(compiler *c, const kr_expr *e)
{
    kr_op *op;
    kr_gather g;
    int frames = kr_expr_frames(e);
    if (c->set[1] && !kr_expr_is_plain(e)) { /* pairs: one row's own part is a column of its sheet */
        if (frames == 1)
            return load(c, kr_expr_task(c->plan, c->set[0], e), 0, e);
        if (frames == 2)
            return load(c, kr_expr_task(c->plan, c->set[1], kr_expr_to_own(c->plan->arena, e)), 1, e);
    }
    switch (e->kind) {
    case KR_X_CONST:
        op = add_op(c, KR_OP_CONST, e->type, 0);
        op->value = e->value;
        return finish(c, e);
    case KR_X_PARAM:
        op = add_op(c, KR_OP_PARAM, e->type, 0);
        op->param = e->param;
        return finish(c, e);
    case KR_X_COLUMN:
        KR_ASSERT(e->frame == 0 || c->set[1]); /* a ranging row is only inside an aggregate */
        return load(c, kr_column_task(c->plan, c->set[e->frame], e->column), e->frame, e);
    case KR_X_CALL:
        if (e->fn->form == KR_FORM_AS)
            return compile_expr(c, e->args[0]);
        return compile_call(c, e, KR_OP_CALL);
    case KR_X_USER:
        return compile_call(c, e, KR_OP_USER);
    case KR_X_LIST:
        return compile_list(c, e);
    case KR_X_HOPS:
        return compile_hops(c, e);
    case KR_X_LOOKUP:
        if (c->set[1])
            return compile_probe(c, e);
        break;
    default:
        break;
    }
    if (kr_gather_of(c->plan, c->set[0], e, &g))
        return compile_gather(c, e, &g);
    return load(c, kr_form_task(c->plan, c->set[0], e), 0, e);
}

static int compile_expr(compiler *c, const kr_expr *e)
{
    for (int i = 0; i < c->program->register_count; i++)
        if (c->seen[i] && c->seen[i]->kind == e->kind && kr_expr_equal(c->seen[i], e))
            return i;
    return compile_new(c, e);
}

/* Buffers: a register's buffer is free for others after its last use. Constants keep theirs, as they are filled once. */
static void assign_slots(kr_arena *arena, kr_program *p)
{
    int n = p->register_count, free_count = 0;
    int *last = KR_NEW_ARRAY(arena, int, n + 1), *free_slots = KR_NEW_ARRAY(arena, int, n + 1);
    p->slot = KR_NEW_ARRAY(arena, int, n + 1);
    for (int r = 0; r < n; r++)
        last[r] = -1;
    for (int i = 0; i < p->op_count; i++)
        for (int k = 0; k < p->ops[i].argc; k++)
            last[p->ops[i].args[k]] = i;
    last[p->result] = p->op_count;
    for (int i = 0; i < p->op_count; i++) {
        const kr_op *op = &p->ops[i];
        bool constant = op->code == KR_OP_CONST || op->code == KR_OP_PARAM;
        p->slot[op->dst] = !constant && free_count ? free_slots[--free_count] : p->slot_count++;
        for (int k = 0; k < op->argc; k++) {
            int r = op->args[k];
            bool fixed = p->ops[r].code == KR_OP_CONST || p->ops[r].code == KR_OP_PARAM; /* instruction i gives register i */
            if (last[r] == i && !fixed) {
                free_slots[free_count++] = p->slot[r];
                last[r] = -1;
            }
        }
    }
}

kr_program *kr_compile(kr_plan *plan, kr_task *task, kr_rowset *own, kr_rowset *far, kr_reach far_reach, const kr_expr *expr)
{
    compiler c = { plan, task, { own, far }, far_reach, KR_NEW(plan->arena, kr_program), NULL, 0 };
    c.program->frames = far ? 2 : 1;
    c.program->result = compile_expr(&c, expr);
    assign_slots(plan->arena, c.program);
    return c.program;
}
