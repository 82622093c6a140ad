/* plan_print.c: a plan as text, for `krules explain --plan`, messages and tests. */
#include "vm/engine/plan.h"

#include <string.h>

const char *kr_task_kind_name(kr_task_kind kind)
{
    static const char *const names[KR_TASK_KINDS] = {
        [KR_TASK_ROWS] = "rows",     [KR_TASK_PART] = "part",         [KR_TASK_DAYS] = "days",     [KR_TASK_COLUMN] = "column",
        [KR_TASK_SEQ] = "sequence",  [KR_TASK_INDEX] = "index",       [KR_TASK_GROUP] = "groups",  [KR_TASK_LOOKUP] = "lookup",
        [KR_TASK_PREV] = "previous", [KR_TASK_SORTED] = "sorted",     [KR_TASK_CHOOSE] = "choice", [KR_TASK_ARG] = "best row",
        [KR_TASK_AGG] = "aggregate", [KR_TASK_PAIRS] = "pairs",       [KR_TASK_WINDOW] = "window", [KR_TASK_RUN] = "running",
        [KR_TASK_LINE] = "line",     [KR_TASK_COMPONENT] = "component", [KR_TASK_SHARE] = "share",
        [KR_TASK_HOPS] = "paths",
    };
    return names[kind];
}

static char *columns_text(kr_arena *arena, kr_task *const *columns, int count)
{
    char *text = "";
    for (int i = 0; i < count; i++)
        text = kr_arena_printf(arena, "%s%s%s", text, i ? ", " : "", columns[i]->def ? columns[i]->def->name : "…");
    return text;
}

char *kr_task_label(kr_arena *arena, const kr_task *t)
{
    const char *set = t->rowset ? t->rowset->name : t->into ? t->into->name : "";
    if (t->def)
        return kr_arena_printf(arena, "%s.%s", set, t->def->name);
    switch (t->kind) {
    case KR_TASK_ROWS:
        return kr_arena_printf(arena, "rows of %s", set);
    case KR_TASK_INDEX:
    case KR_TASK_SORTED:
        return kr_arena_printf(arena, "%s of %s(%s)", kr_task_kind_name(t->kind), set, columns_text(arena, t->columns, t->column_count));
    case KR_TASK_GROUP:
    case KR_TASK_LOOKUP:
        return kr_arena_printf(arena, "%s of %s in %s(%s)", kr_task_kind_name(t->kind), set, t->index->rowset->name,
                               columns_text(arena, t->index->columns, t->index->column_count));
    default:
        return kr_arena_printf(arena, "%s %d of %s", kr_task_kind_name(t->kind), t->id, set);
    }
}

static const char *opcode_name(kr_opcode code)
{
    static const char *const names[KR_OP_COUNT] = {
#define KR_OP(name, text) [KR_OP_##name] = #name,
#include "vm/engine/ops.def"
#undef KR_OP
    };
    return names[code];
}

static char *program_text(kr_arena *arena, const kr_plan *plan, char *text, const kr_program *p)
{
    for (int i = 0; i < p->op_count; i++) {
        const kr_op *op = &p->ops[i];
        text = kr_arena_printf(arena, "%s    r%d = %s", text, op->dst, opcode_name(op->code));
        if (op->code == KR_OP_CONST) {
            char number[KR_NUM_TEXT];
            kr_num_write(op->value, number);
            text = kr_arena_printf(arena, "%s %s", text, op->type == KR_T_NUMBER ? number : kr_type_name(op->type));
        }
        if (op->code == KR_OP_PARAM)
            text = kr_arena_printf(arena, "%s %s", text, plan->model->params[op->param].name);
        if (op->fn)
            text = kr_arena_printf(arena, "%s %s", text, op->fn->name);
        if (op->column)
            text = kr_arena_printf(arena, "%s %s%s", text, kr_task_label(arena, op->column), op->frame ? " of the other row" : "");
        if (op->map)
            text = kr_arena_printf(arena, "%s by %s", text, kr_task_label(arena, op->map));
        for (int k = 0; k < op->argc; k++)
            text = kr_arena_printf(arena, "%s r%d", text, op->args[k]);
        text = kr_arena_printf(arena, "%s\n", text);
    }
    return text;
}

static char *scc_text(kr_arena *arena, const kr_plan *plan, char *text, const kr_scc *scc, const char *indent)
{
    if (scc->step == KR_STEP_DAYS) {
        text = kr_arena_printf(arena, "%s%sday by day:\n", text, indent);
        for (int i = 0; i < scc->inner_count; i++)
            text = scc_text(arena, plan, text, &scc->inner[i], "  ");
        return text;
    }
    if (scc->step == KR_STEP_SEQUENCE)
        text = kr_arena_printf(arena, "%s%salong the sequence of %s:\n", text, indent, scc->tasks[0]->rowset->name);
    for (int i = 0; i < scc->task_count; i++) {
        const kr_task *t = scc->tasks[i];
        text = kr_arena_printf(arena, "%s%s%s: %s\n", text, scc->step == KR_STEP_SEQUENCE ? "  " : indent, kr_task_kind_name(t->kind), kr_task_label(arena, t));
        if (t->program)
            text = program_text(arena, plan, text, t->program);
    }
    return text;
}

char *kr_plan_print(kr_arena *arena, const kr_plan *plan)
{
    char *text = "";
    for (int i = 0; i < plan->scc_count; i++)
        text = scc_text(arena, plan, text, &plan->sccs[i], "");
    return text;
}
