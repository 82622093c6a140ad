/* script.c: runs checked bodies of `fn` and of folds. A walk over the tree with a stack of cells: locals of the calls in progress,
 * and arguments being made. Numbers are those of formulas, and every operator but the few of Lua's own is a formula's primitive. */
#include "vm/lang/script.h"

#include <stdio.h>
#include <string.h>

#include "vm/lang/script_state.h"
#include "vm/lang/script_tree.h"

enum { MAX_CALLS = 60, MESSAGE = 400 };

typedef enum flow { NEXT, BREAK, RETURN, STOP } flow;

struct kr_script_run {
    const kr_model *model;
    kr_env *env;
    kr_cell *stack;
    size_t top, room, base; /* base: first local of the call in progress */
    const kr_script *script;
    int steps, calls;
    kr_cell result;         /* of RETURN; of STOP the error that ends the call */
    bool stop;
    const char *problem;
    const char *what;       /* the problem without its place */
    kr_span place;
    char message[MESSAGE];
    /* of a fold */
    kr_state *states;
    int state_count;
    const kr_fold *fold;
    const kr_cell *row;
    const kr_sheet *into;
    kr_emit *emit;
    void *context;
    kr_cell *out;
    size_t out_room;
};

static kr_cell eval(kr_script_run *r, const kr_sexpr *e);
static flow block(kr_script_run *r, const kr_sblock *b);

/* ---- what ends a call */

static void problem(kr_script_run *r, kr_span span, const char *what)
{
    uint32_t line = 0, column = 0;
    if (r->stop)
        return;
    if (span.source)
        kr_source_place(span.source, span.start, &line, &column);
    if (span.source)
        snprintf(r->message, sizeof r->message, "%s:%u:%u: `%s`: %s", span.source->name, line, column, r->script->name, what);
    else
        snprintf(r->message, sizeof r->message, "`%s`: %s", r->script->name, what);
    r->problem = r->message;
    r->what = what;
    r->place = span;
    r->stop = true;
    r->result = KR_E_VALUE;
}

static bool step(kr_script_run *r, kr_span span)
{
    if (--r->steps > 0 && !r->stop)
        return true;
    problem(r, span, "does not end within its budget of steps");
    return false;
}

/* An error cell where a plain value is needed is the result of the call. */
static void give_error(kr_script_run *r, kr_cell error)
{
    if (!r->stop) {
        r->stop = true;
        r->result = error;
    }
}

/* ---- the stack */

static size_t push(kr_script_run *r, kr_cell cell)
{
    if (r->top == r->room) {
        r->room *= 2;
        r->stack = kr_realloc(r->stack, r->room * sizeof *r->stack);
    }
    r->stack[r->top] = cell;
    return r->top++;
}

/* ---- expressions */

static bool condition(kr_script_run *r, const kr_sexpr *e)
{
    kr_cell c = eval(r, e);
    if (r->stop)
        return false;
    if (kr_is_blank(c))
        problem(r, e->span, "a blank is neither true nor false: test it with `x == nil`");
    else if (kr_is_error(c))
        give_error(r, c);
    return !r->stop && kr_cell_is_true(c);
}

static kr_cell primitive(kr_script_run *r, const kr_sexpr *e, size_t first)
{
    const kr_cell *args = r->stack + first, *in[KR_SCRIPT_ARGS];
    kr_call call = { .env = r->env, .argc = e->kid_count, .types = e->types, .result = e->type };
    kr_cell out = KR_BLANK;
    if (e->fn->scalar)
        return kr_spread(args, (size_t)e->kid_count, &out) ? out : e->fn->scalar(&call, args);
    for (int i = 0; i < e->kid_count; i++)
        in[i] = args + i;
    e->fn->row(&call, &out, in, 1);
    return out;
}

/* The script with its arguments, which are the top of the stack; pops them. */
static kr_cell call_script(kr_script_run *r, const kr_script *script, size_t first, kr_span span)
{
    const kr_script *caller = r->script;
    size_t base = r->base;
    if (!script->types->checked || r->calls >= MAX_CALLS) {
        problem(r, span, "calls functions too deeply");
        return KR_E_VALUE;
    }
    r->calls++;
    r->base = first;
    r->script = script;
    for (int i = script->arg_count; i < script->slot_count; i++)
        push(r, KR_BLANK);
    r->result = KR_BLANK;
    flow f = block(r, script->body);
    kr_cell result = r->stop ? r->result : f == RETURN ? r->result : KR_BLANK;
    r->calls--;
    r->base = base;
    r->script = caller;
    r->top = first;
    return result;
}

static bool place_of(kr_script_run *r, const kr_sexpr *e, int64_t *place, bool *blank)
{
    kr_cell c = eval(r, e);
    *blank = kr_is_blank(c);
    if (r->stop || *blank)
        return !r->stop;
    if (kr_is_error(c))
        give_error(r, c);
    else if (!kr_num_to_int(c, place))
        problem(r, e->span, "a place in a list is a whole number");
    return !r->stop;
}

static kr_cell item(kr_script_run *r, const kr_sexpr *e)
{
    const kr_state *state = &r->states[e->state];
    int64_t place = 0;
    bool blank = false;
    if (r->fold->state[e->state].kind == KR_STATE_MAP) {
        kr_cell key = eval(r, e->kids[0]);
        if (kr_is_error(key))
            return key;
        return r->stop || kr_is_blank(key) ? KR_BLANK : kr_map_at(state, key);
    }
    return place_of(r, e->kids[0], &place, &blank) && !blank ? kr_list_at(state, place) : KR_BLANK;
}

static kr_cell take(kr_script_run *r, const kr_sexpr *e)
{
    kr_state *state = &r->states[e->state];
    int64_t place = (int64_t)state->count;
    bool blank = false;
    if (e->kid_count && (!place_of(r, e->kids[0], &place, &blank) || blank))
        return KR_BLANK;
    return kr_list_take(state, place);
}

static kr_cell eval(kr_script_run *r, const kr_sexpr *e)
{
    if (!step(r, e->span))
        return KR_E_VALUE;
    switch (e->kind) {
    case KR_SE_CONST:
        return e->value;
    case KR_SE_LOCAL:
        return r->stack[r->base + (size_t)e->slot];
    case KR_SE_PARAM:
        return r->model->params[e->column].value;
    case KR_SE_STATE:
        return r->states[e->state].value;
    case KR_SE_ROW:
        return r->row[e->column];
    case KR_SE_ITEM:
        return item(r, e);
    case KR_SE_COUNT:
        return kr_num_of_int((int64_t)r->states[e->state].count);
    case KR_SE_TAKE:
        return take(r, e);
    case KR_SE_NOT:
        return kr_cell_of_bool(!condition(r, e->kids[0]));
    case KR_SE_AND:
        return condition(r, e->kids[0]) ? eval(r, e->kids[1]) : kr_cell_of_bool(false);
    case KR_SE_OR:
        return condition(r, e->kids[0]) ? kr_cell_of_bool(true) : eval(r, e->kids[1]);
    case KR_SE_IS_BLANK: {
        kr_cell c = eval(r, e->kids[0]);
        return kr_is_error(c) ? c : kr_cell_of_bool(kr_is_blank(c));
    }
    case KR_SE_FLOOR_DIV: {
        kr_cell a = eval(r, e->kids[0]), b = eval(r, e->kids[1]);
        return kr_num_round(kr_num_div_dir(a, b, KR_FLOOR), 0, KR_FLOOR); /* the floor of a floor at 18 decimals is the floor */
    }
    case KR_SE_CALL: {
        size_t first = r->top;
        for (int i = 0; i < e->kid_count && !r->stop; i++)
            push(r, eval(r, e->kids[i]));
        kr_cell out = r->stop ? KR_E_VALUE : e->fn ? primitive(r, e, first) : call_script(r, e->script, first, e->span);
        r->top = first;
        return out;
    }
    }
    return KR_BLANK;
}

/* ---- statements */

static void set_item(kr_script_run *r, const kr_sstat *s, kr_cell value)
{
    kr_state *state = &r->states[s->state];
    int64_t place = 0;
    bool blank = false;
    if (r->fold->state[s->state].kind == KR_STATE_MAP) {
        kr_cell key = eval(r, s->key);
        if (kr_is_error(key))
            give_error(r, key);
        else if (kr_is_blank(key))
            problem(r, s->key->span, "a blank is no key of a map");
        if (!r->stop)
            kr_map_set(state, key, value);
        return;
    }
    if (!place_of(r, s->key, &place, &blank))
        return;
    if (blank || !kr_list_set(state, place, value))
        problem(r, s->key->span, "there is no such place in the list");
}

static void put(kr_script_run *r, const kr_sstat *s, kr_cell value)
{
    if (r->stop)
        return;
    if (s->kind == KR_SS_SET)
        r->stack[r->base + (size_t)s->slot] = value;
    else if (s->kind == KR_SS_STATE)
        r->states[s->state].value = value;
    else
        set_item(r, s, value);
}

static flow emit_row(kr_script_run *r, const kr_sstat *s)
{
    size_t n = (size_t)r->into->column_count, first = r->top;
    for (int i = 0; i < s->value_count && !r->stop; i++)
        push(r, eval(r, s->values[i]));
    if (!r->stop) {
        if (n > r->out_room) {
            r->out = kr_realloc(r->out, n * sizeof *r->out);
            r->out_room = n;
        }
        for (size_t i = 0; i < n; i++)
            r->out[i] = KR_BLANK;
        for (int i = 0; i < s->value_count; i++)
            r->out[s->columns[i]] = r->stack[first + (size_t)i];
        if (!r->emit(r->context, r->out))
            problem(r, s->span, "no more rows are taken");
    }
    r->top = first;
    return r->stop ? STOP : NEXT;
}

/* false: the call ends. A number of a `for`. */
static bool whole(kr_script_run *r, const kr_sexpr *e, int64_t *out)
{
    kr_cell c = eval(r, e);
    if (r->stop)
        return false;
    if (kr_is_error(c))
        give_error(r, c);
    else if (kr_is_blank(c))
        problem(r, e->span, "a `for` cannot count with a blank");
    else if (!kr_num_to_int(c, out))
        problem(r, e->span, "a `for` counts in whole numbers");
    return !r->stop;
}

static flow for_loop(kr_script_run *r, const kr_sstat *s)
{
    int64_t i = 0, limit = 0, by = 1;
    if (!whole(r, s->values[0], &i) || !whole(r, s->values[1], &limit) || (s->value_count > 2 && !whole(r, s->values[2], &by)))
        return STOP;
    if (by == 0) {
        problem(r, s->values[2]->span, "a `for` with step 0 does not end");
        return STOP;
    }
    while ((by > 0 ? i <= limit : i >= limit) && step(r, s->span)) {
        r->stack[r->base + (size_t)s->slot] = kr_num_of_int(i);
        flow f = block(r, s->blocks[0]);
        if (f == RETURN || f == STOP)
            return f;
        if (f == BREAK || __builtin_add_overflow(i, by, &i))
            break;
    }
    return r->stop ? STOP : NEXT;
}

static flow each(kr_script_run *r, const kr_sstat *s)
{
    kr_state *state = &r->states[s->state];
    bool map = r->fold->state[s->state].kind == KR_STATE_MAP;
    size_t count = state->count;
    kr_cell *keys = NULL;
    flow f = NEXT;
    if (map && count) { /* the keys as they are now; what the body takes out is passed over */
        r->steps -= count > KR_SCRIPT_STEPS ? KR_SCRIPT_STEPS : (int)count;
        keys = kr_alloc(count * sizeof *keys);
        kr_map_keys(state, r->fold->state[s->state].key_type, r->env->pool, keys);
    }
    for (size_t i = 0; (map ? i < count : i < state->count) && step(r, s->span); i++) {
        kr_cell value = map ? kr_map_at(state, keys[i]) : kr_list_at(state, (int64_t)i + 1);
        if (map && kr_is_blank(value))
            continue;
        r->stack[r->base + (size_t)s->slot] = map ? keys[i] : kr_num_of_int((int64_t)i + 1);
        if (s->slot2 >= 0)
            r->stack[r->base + (size_t)s->slot2] = value;
        f = block(r, s->blocks[0]);
        if (f != NEXT)
            break;
    }
    kr_free(keys);
    return r->stop ? STOP : f == RETURN ? RETURN : NEXT;
}

static flow loop(kr_script_run *r, const kr_sstat *s)
{
    bool first = s->kind == KR_SS_REPEAT;
    while (step(r, s->span) && (first || (s->kind == KR_SS_REPEAT ? !condition(r, s->value) : condition(r, s->value))) && !r->stop) {
        first = false;
        flow f = block(r, s->blocks[0]);
        if (f == RETURN || f == STOP)
            return f;
        if (f == BREAK)
            break;
    }
    return r->stop ? STOP : NEXT;
}

static flow statement(kr_script_run *r, const kr_sstat *s)
{
    size_t first = r->top;
    if (!step(r, s->span))
        return STOP;
    switch (s->kind) {
    case KR_SS_SET:
    case KR_SS_STATE:
    case KR_SS_ITEM:
        put(r, s, eval(r, s->value));
        break;
    case KR_SS_APPEND: {
        kr_cell value = eval(r, s->value);
        if (!r->stop)
            kr_list_append(&r->states[s->state], value);
        break;
    }
    case KR_SS_EVAL:
        eval(r, s->value);
        break;
    case KR_SS_EMIT:
        return emit_row(r, s);
    case KR_SS_SETS:
        for (int i = 0; i < s->part_count && !r->stop; i++)
            push(r, eval(r, s->parts[i]->value));
        for (int i = 0; i < s->part_count && !r->stop; i++)
            put(r, s->parts[i], r->stack[first + (size_t)i]);
        r->top = first;
        break;
    case KR_SS_IF:
        for (int i = 0; i < s->value_count; i++) {
            bool taken = condition(r, s->values[i]);
            if (r->stop)
                return STOP;
            if (taken)
                return block(r, s->blocks[i]);
        }
        return s->block_count > s->value_count ? block(r, s->blocks[s->value_count]) : NEXT;
    case KR_SS_WHILE:
    case KR_SS_REPEAT:
        return loop(r, s);
    case KR_SS_FOR:
        return for_loop(r, s);
    case KR_SS_EACH:
        return each(r, s);
    case KR_SS_DO:
        return s->block_count ? block(r, s->blocks[0]) : NEXT;
    case KR_SS_BREAK:
        return BREAK;
    case KR_SS_RETURN: {
        kr_cell value = s->value ? eval(r, s->value) : KR_BLANK;
        if (r->stop)
            return STOP;
        r->result = value;
        return RETURN;
    }
    }
    return r->stop ? STOP : NEXT;
}

static flow block(kr_script_run *r, const kr_sblock *b)
{
    for (size_t i = 0; i < b->count; i++) {
        flow f = statement(r, b->stats[i]);
        if (f != NEXT)
            return f;
    }
    return NEXT;
}

/* ---- the machine */

kr_script_run *kr_script_run_new(const kr_model *model, kr_env *env)
{
    kr_script_run *r = kr_alloc(sizeof *r);
    r->model = model;
    r->env = env;
    r->room = 256;
    r->stack = kr_alloc(r->room * sizeof *r->stack);
    return r;
}

static void clear_states(kr_script_run *r)
{
    for (int i = 0; i < r->state_count; i++)
        kr_state_clear(&r->states[i]);
    kr_free(r->states);
    r->states = NULL;
    r->state_count = 0;
}

void kr_script_run_free(kr_script_run *r)
{
    if (!r)
        return;
    clear_states(r);
    kr_free(r->stack);
    kr_free(r->out);
    kr_free(r);
}

static void begin(kr_script_run *r, const kr_script *script)
{
    r->top = r->base = 0;
    r->script = script;
    r->steps = KR_SCRIPT_STEPS;
    r->calls = 0;
    r->stop = false;
    r->problem = NULL;
}

kr_cell kr_script_call(kr_script_run *r, const kr_script *script, const kr_cell *args, const char **what)
{
    begin(r, script);
    for (int i = 0; i < script->arg_count; i++)
        push(r, args[i]);
    kr_cell result = call_script(r, script, 0, script->span);
    *what = r->problem;
    return result;
}

kr_span kr_script_problem(const kr_script_run *r, const char **what)
{
    *what = r->what;
    return r->place;
}

void kr_fold_begin(kr_script_run *r, const kr_fold *fold)
{
    clear_states(r);
    r->fold = fold;
    r->state_count = fold->state_count;
    r->states = kr_alloc(sizeof *r->states * (size_t)(fold->state_count ? fold->state_count : 1));
    for (int i = 0; i < fold->state_count; i++)
        r->states[i].value = fold->state[i].start;
}

bool kr_fold_step(kr_script_run *r, const kr_fold *fold, const kr_sheet *over, const kr_cell *row, const kr_sheet *into, kr_emit *emit,
                  void *context, const char **what)
{
    (void)over; /* columns were found by the check */
    KR_ASSERT(r->fold == fold); /* kr_fold_begin comes first */
    begin(r, fold->step);
    r->row = row;
    r->into = into;
    r->emit = emit;
    r->context = context;
    for (int i = 0; i < fold->step->arg_count; i++)
        push(r, KR_BLANK);
    call_script(r, fold->step, 0, fold->step->span);
    if (r->stop && !r->problem) { /* an error cell where a plain value was needed */
        kr_cell error = r->result;
        r->stop = false;
        r->script = fold->step;
        problem(r, fold->span, kr_special_name(error));
    }
    *what = r->problem;
    return !r->stop;
}
