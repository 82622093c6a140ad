/* match.c: from an own row to the group or the row of another sheet that it matches. */
#include "vm/engine/exec.h"

#include <string.h>

static void group_chunk(const kr_chunk *c)
{
    kr_state *state = kr_state_of(c->run, c->task);
    const kr_index *index = kr_state_of(c->run, c->task->index)->index;
    bool lookup = c->task->kind == KR_TASK_LOOKUP;
    uint32_t *groups = kr_alloc(sizeof *groups * c->n);
    kr_index_probe(index, c->in, c->n, groups);
    for (size_t i = 0; i < c->n; i++) {
        uint32_t g = groups[i];
        if (lookup && !kr_map_is_special(g)) {
            uint32_t count = index->start[g + 1] - index->start[g];
            g = count == 0 ? KR_NO_ROW : count > 1 ? kr_map_of(KR_E_MULTI) : index->rows[index->start[g]];
        }
        state->map[kr_chunk_row(c, i)] = g;
    }
    kr_free(groups);
}

/* Own rows grouped by their own columns, as they are: the index knows already. */
static bool is_own(const kr_task *task)
{
    bool own = task->rowset == task->index->rowset && task->kind == KR_TASK_GROUP;
    for (int k = 0; k < task->near_count && own; k++) {
        const kr_program *p = task->near[k];
        own = p->op_count == 1 && p->ops[0].code == KR_OP_LOAD && p->ops[0].column == task->index->columns[k];
    }
    return own;
}

static void take_groups(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    kr_state *state = kr_state_of(run, task);
    const kr_index *index = kr_state_of(run, task->index)->index;
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : i;
        uint32_t g = index->group_of[row];
        for (int k = 0; k < task->near_count && g == KR_NO_ROW; k++) {
            kr_cell c = kr_column_get(index->columns[k], row);
            if (kr_is_error(c))
                g = kr_map_of(c);
        }
        state->map[row] = g;
    }
}

void kr_group_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n)
{
    if (is_own(task)) {
        take_groups(run, task, rows, n);
        return;
    }
    kr_each_chunk(run, task, task->near, task->near_count, rows, n, group_chunk, NULL);
}

size_t kr_groups_due(const kr_index *index, kr_state *state, const uint32_t *rows, size_t n, uint32_t **list)
{
    size_t count = 0;
    if (!rows) {
        *list = kr_alloc(sizeof **list * ((size_t)index->group_count + 1));
        for (uint32_t g = 0; g < index->group_count; g++)
            (*list)[count++] = g;
        return count;
    }
    *list = kr_alloc(sizeof **list * (n + 1));
    for (size_t i = 0; i < n; i++) {
        uint32_t g = index->group_of[rows[i]];
        if (g != KR_NO_ROW && !state->ready[g]) {
            state->ready[g] = 1;
            (*list)[count++] = g;
        }
    }
    return count;
}
