/* script_check.c: types of a function of rows. Each variable has one type, found by walking the body until nothing new is learnt;
 * then once more to report what does not fit. A blank fits every type. */
#include "vm/lang/check_internal.h"
#include "vm/lang/script_tree.h"

#include <string.h>

enum { ROUNDS = 10 };

typedef struct typer {
    const kr_model *model;
    kr_arena *arena;
    const kr_script *script;
    kr_script_types *types;
    const kr_sheet *row, *into; /* of a fold's step */
    kr_diags *diags;
    bool report, changed, good;
} typer;

static kr_type type_expr(typer *t, kr_sexpr *e);
static void type_block(typer *t, const kr_sblock *b);

static kr_diag *fail(typer *t, kr_span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
static kr_diag *fail(typer *t, kr_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = kr_arena_vprintf(t->arena, format, args);
    va_end(args);
    t->good = false;
    return kr_diag_add(t->diags, KR_E_SCRIPT_TYPE, span, "%s", message);
}

/* The one type of two, where none fits all. */
static bool unify(typer *t, kr_type *into, kr_type with)
{
    if (with == KR_T_NONE || *into == with)
        return true;
    if (*into != KR_T_NONE)
        return false;
    *into = with;
    t->changed = true;
    return true;
}

static void want(typer *t, kr_type type, kr_type wanted, kr_span span, const char *what)
{
    if (t->report && type != wanted && type != KR_T_NONE)
        fail(t, span, "%s is %s, not %s", what, kr_type_name(wanted), kr_type_name(type));
}

static const kr_fn *rowwise(kr_families families, const char *name)
{
    size_t len = strlen(name);
    for (size_t f = 0; families && families[f]; f++) {
        kr_families one = (const kr_fn *const[]){ families[f], NULL };
        const kr_fn *fn = kr_fn_find(one, name, len);
        for (; fn && fn->name; fn++) { /* MIN and MAX have two rows */
            if (fn->shape == KR_ROWWISE && strlen(fn->name) == len && kr_fn_find((const kr_fn *const[]){ fn, NULL }, name, len) == fn)
                return fn;
        }
    }
    return NULL;
}

static void unknown_function(typer *t, const kr_sexpr *e)
{
    const char **names = NULL;
    size_t n = 0, room = 0;
    if (kr_fn_find(t->model->families, e->name, strlen(e->name))) {
        kr_diag *diag = fail(t, e->span, "`%s` looks at more than one row", e->name);
        kr_diag_help(t->diags, diag, "put it in a column, and give that column as an argument");
        return;
    }
    for (int i = 0; i < t->model->user_fn_count; i++)
        KR_PUSH(t->arena, names, n, room) = t->model->user_fns[i].name;
    const kr_fn *fn;
    for (size_t i = 0; !e->user && (fn = kr_fn_at(t->model->families, i)); i++)
        if (fn->shape == KR_ROWWISE)
            KR_PUSH(t->arena, names, n, room) = fn->name;
    const char *near = kr_nearest(e->name, names, n);
    kr_diag *diag = fail(t, e->span, "unknown function `%s`", e->name);
    const char *point = strrchr(e->name, '.');
    if (point && kr_fn_find(t->model->families, point + 1, strlen(point + 1)))
        kr_diag_help(t->diags, diag, "functions are called by their names alone: %s(…)", point + 1);
    else if (near)
        kr_diag_help(t->diags, diag, "did you mean `%s`?", near);
}

static kr_type type_primitive(typer *t, kr_sexpr *e)
{
    kr_type found = KR_T_NONE, wanted = KR_T_NONE, best_want = KR_T_NONE;
    int count = 0, bad = 0, best_bad = -1;
    bool arity = false;
    kr_sig sig;
    const kr_sig_entry **entries = KR_NEW_ARRAY(t->arena, const kr_sig_entry *, e->kid_count + 1);
    for (int a = 0; kr_sig_read(e->fn->sig, a, &sig); a++) {
        kr_type result = KR_T_NONE;
        if (!kr_sig_spread(&sig, e->kid_count, entries))
            continue;
        arity = true;
        if (!kr_sig_fits(entries, e->types, e->kid_count, sig.result, &result, &bad, &wanted)) {
            if (bad > best_bad) {
                best_bad = bad;
                best_want = wanted;
            }
            continue;
        }
        /* with unknown types several overloads may fit: only an agreed result is known */
        found = count && found != result ? KR_T_NONE : result;
        count++;
    }
    if (e->kid_count > KR_SCRIPT_ARGS && t->report)
        fail(t, e->span, "%s takes at most %d arguments here", e->fn->name, KR_SCRIPT_ARGS);
    if (count || !t->report)
        return found;
    if (!arity)
        fail(t, e->span, "%s takes %s, not %d", e->fn->usage, kr_sig_arity(t->arena, e->fn->sig), e->kid_count);
    else if (e->kid_count == 2 && !((e->fn->name[0] | 0x20) >= 'a' && (e->fn->name[0] | 0x20) <= 'z'))
        fail(t, e->span, "`%s` does not take %s and %s", e->fn->name, kr_type_name(e->types[0]), kr_type_name(e->types[1]));
    else
        fail(t, e->kids[best_bad]->span, "argument %d of %s is %s, not %s", best_bad + 1, e->fn->name, kr_type_name(best_want), kr_type_name(e->types[best_bad]));
    return KR_T_NONE;
}

static kr_type type_call(typer *t, kr_sexpr *e)
{
    for (int i = 0; i < e->kid_count; i++)
        e->types[i] = type_expr(t, e->kids[i]);
    const kr_user_fn *user = kr_model_user_fn(t->model, e->name);
    e->fn = user || e->user ? NULL : rowwise(t->model->families, e->name);
    e->script = user ? user->script : NULL;
    if (e->fn)
        return type_primitive(t, e);
    if (!user) {
        if (t->report)
            unknown_function(t, e);
        return KR_T_NONE;
    }
    if (user->script->arg_count != e->kid_count) {
        if (t->report)
            fail(t, e->span, "`%s` takes %d argument%s, not %d", user->name, user->script->arg_count, user->script->arg_count == 1 ? "" : "s", e->kid_count);
        return KR_T_NONE;
    }
    for (int i = 0; i < e->kid_count && !t->report; i++)
        if (e->types[i] == KR_T_NONE)
            return user->script->types->result; /* wait for the types, lest a guess be taken for a use */
    size_t before = kr_diags_count(t->diags, KR_SEVERITY_ERROR);
    bool busy = user->script->types->busy;
    kr_type result = kr_script_check(user->script, t->model, e->types, e->span, t->diags);
    if (!busy && kr_diags_count(t->diags, KR_SEVERITY_ERROR) > before)
        t->good = false;
    return result;
}

static kr_type type_row(typer *t, kr_sexpr *e)
{
    const char **names = KR_NEW_ARRAY(t->arena, const char *, t->row->column_count + 1);
    for (int i = 0; i < t->row->column_count; i++) {
        names[i] = t->row->columns[i]->name;
        if (!strcmp(names[i], e->name)) {
            e->column = i;
            return t->row->columns[i]->type;
        }
    }
    if (t->report) {
        const char *near = kr_nearest(e->name, names, (size_t)t->row->column_count);
        kr_diag *diag = fail(t, e->span, "sheet `%s` has no column `%s`", t->row->name, e->name);
        if (near)
            kr_diag_help(t->diags, diag, "did you mean `%s`?", near);
    }
    return KR_T_NONE;
}

static kr_type type_param(typer *t, kr_sexpr *e)
{
    const kr_param *param = kr_model_param(t->model, e->name);
    if (param) {
        e->column = (int)(param - t->model->params);
        return param->type;
    }
    if (t->report) {
        const char **names = KR_NEW_ARRAY(t->arena, const char *, t->model->param_count + 1);
        for (int i = 0; i < t->model->param_count; i++)
            names[i] = t->model->params[i].name;
        const char *near = kr_nearest(e->name, names, (size_t)t->model->param_count);
        kr_diag *diag = fail(t, e->span, "there is no parameter `%s`", e->name);
        if (near)
            kr_diag_help(t->diags, diag, "did you mean `param.%s`?", near);
    }
    return KR_T_NONE;
}

static void type_place(typer *t, int state, kr_sexpr *key)
{
    const struct kr_fold_state *s = &t->script->fold->state[state];
    bool map = s->kind == KR_STATE_MAP;
    want(t, type_expr(t, key), map ? s->key_type : KR_T_NUMBER, key->span, map ? "a key of this map" : "a place in a list");
}

static kr_type type_of(typer *t, kr_sexpr *e)
{
    const kr_fold *fold = t->script->fold;
    switch (e->kind) {
    case KR_SE_CONST:
        return e->type;
    case KR_SE_LOCAL:
        return t->types->slots[e->slot];
    case KR_SE_PARAM:
        return type_param(t, e);
    case KR_SE_STATE:
        return fold->state[e->state].type;
    case KR_SE_ROW:
        return type_row(t, e);
    case KR_SE_ITEM:
        type_place(t, e->state, e->kids[0]);
        return fold->state[e->state].type;
    case KR_SE_COUNT:
        return KR_T_NUMBER;
    case KR_SE_TAKE:
        if (e->kid_count)
            type_place(t, e->state, e->kids[0]);
        return fold->state[e->state].type;
    case KR_SE_NOT:
    case KR_SE_AND:
    case KR_SE_OR:
        for (int i = 0; i < e->kid_count; i++) {
            kr_type kid = type_expr(t, e->kids[i]);
            if (t->report && kid != KR_T_BOOLEAN && kid != KR_T_NONE) {
                kr_diag *diag = fail(t, e->kids[i]->span, "`and`, `or` and `not` take boolean, not %s", kr_type_name(kid));
                kr_diag_help(t->diags, diag, "for a value in place of a blank write COALESCE(x, value)");
            }
        }
        return KR_T_BOOLEAN;
    case KR_SE_IS_BLANK:
        type_expr(t, e->kids[0]);
        return KR_T_BOOLEAN;
    case KR_SE_FLOOR_DIV:
        for (int i = 0; i < 2; i++)
            want(t, type_expr(t, e->kids[i]), KR_T_NUMBER, e->kids[i]->span, "an operand of `//`");
        return KR_T_NUMBER;
    case KR_SE_CALL:
        return type_call(t, e);
    }
    return KR_T_NONE;
}

static kr_type type_expr(typer *t, kr_sexpr *e) { return e->type = type_of(t, e); }

static void condition(typer *t, kr_sexpr *e) { want(t, type_expr(t, e), KR_T_BOOLEAN, e->span, "a condition"); }

static void set_slot(typer *t, int slot, kr_type type, kr_span span)
{
    if (!unify(t, &t->types->slots[slot], type) && t->report)
        fail(t, span, "this variable holds %s, here it would get %s", kr_type_name(t->types->slots[slot]), kr_type_name(type));
}

static void type_emit(typer *t, kr_sstat *s)
{
    for (int i = 0; i < s->value_count; i++) {
        kr_type type = type_expr(t, s->values[i]);
        const kr_column_def *column = t->into ? kr_sheet_column(t->into, s->names[i]) : NULL;
        if (!t->into || !t->report) {
            s->columns[i] = column ? column->index : 0;
            continue;
        }
        if (!column || !column->input) {
            kr_diag *diag = fail(t, s->values[i]->span, column ? "column `%2$s` of sheet `%1$s` is a formula: a fold cannot emit it" : "sheet `%s` has no column `%s`",
                                 t->into->name, s->names[i]);
            const char **names = KR_NEW_ARRAY(t->arena, const char *, t->into->column_count + 1);
            for (int k = 0; k < t->into->column_count; k++)
                names[k] = t->into->columns[k]->name;
            const char *near = column ? NULL : kr_nearest(s->names[i], names, (size_t)t->into->column_count);
            if (near)
                kr_diag_help(t->diags, diag, "did you mean `%s`?", near);
            continue;
        }
        s->columns[i] = column->index;
        if (type != column->type && type != KR_T_NONE && column->type != KR_T_NONE)
            fail(t, s->values[i]->span, "column `%s` of sheet `%s` is %s, not %s", column->name, t->into->name, kr_type_name(column->type), kr_type_name(type));
        for (int k = 0; k < i; k++)
            if (!strcmp(s->names[k], s->names[i]))
                fail(t, s->values[i]->span, "column `%s` is emitted twice in one row", s->names[i]);
    }
    for (int k = 0; t->into && t->report && k < t->into->key_count; k++) {
        bool there = false;
        for (int i = 0; i < s->value_count; i++)
            there |= !strcmp(s->names[i], t->into->key_names[k]);
        if (!there)
            fail(t, s->span, "the row has no value for key `%s` of sheet `%s`", t->into->key_names[k], t->into->name);
    }
}

static void type_stat(typer *t, kr_sstat *s)
{
    const kr_fold *fold = t->script->fold;
    switch (s->kind) {
    case KR_SS_SET:
        set_slot(t, s->slot, type_expr(t, s->value), s->value->span);
        break;
    case KR_SS_STATE:
        want(t, type_expr(t, s->value), fold->state[s->state].type, s->value->span, kr_arena_printf(t->arena, "state `%s`", fold->state[s->state].name));
        break;
    case KR_SS_ITEM:
        type_place(t, s->state, s->key);
        want(t, type_expr(t, s->value), fold->state[s->state].type, s->value->span, kr_arena_printf(t->arena, "an item of state `%s`", fold->state[s->state].name));
        break;
    case KR_SS_APPEND:
        want(t, type_expr(t, s->value), fold->state[s->state].type, s->value->span, kr_arena_printf(t->arena, "an item of state `%s`", fold->state[s->state].name));
        break;
    case KR_SS_EVAL:
        type_expr(t, s->value);
        break;
    case KR_SS_EMIT:
        type_emit(t, s);
        break;
    case KR_SS_SETS:
        for (int i = 0; i < s->part_count; i++)
            type_stat(t, s->parts[i]);
        break;
    case KR_SS_IF:
        for (int i = 0; i < s->value_count; i++)
            condition(t, s->values[i]);
        break;
    case KR_SS_WHILE:
        condition(t, s->value);
        break;
    case KR_SS_FOR:
        for (int i = 0; i < s->value_count; i++)
            want(t, type_expr(t, s->values[i]), KR_T_NUMBER, s->values[i]->span, "the start, limit or step of a `for`");
        set_slot(t, s->slot, KR_T_NUMBER, s->span);
        break;
    case KR_SS_EACH:
        set_slot(t, s->slot, fold->state[s->state].kind == KR_STATE_MAP ? fold->state[s->state].key_type : KR_T_NUMBER, s->span);
        if (s->slot2 >= 0)
            set_slot(t, s->slot2, fold->state[s->state].type, s->span);
        break;
    case KR_SS_RETURN:
        if (s->value) {
            kr_type type = type_expr(t, s->value);
            if (!unify(t, &t->types->result, type) && t->report)
                fail(t, s->value->span, "`%s` returns %s elsewhere, here %s", t->script->name, kr_type_name(t->types->result), kr_type_name(type));
        }
        break;
    case KR_SS_REPEAT:
    case KR_SS_DO:
    case KR_SS_BREAK:
        break;
    }
    for (int i = 0; i < s->block_count; i++)
        type_block(t, s->blocks[i]);
    if (s->kind == KR_SS_REPEAT)
        condition(t, s->value);
}

static void type_block(typer *t, const kr_sblock *b)
{
    for (size_t i = 0; i < b->count; i++)
        type_stat(t, b->stats[i]);
}

/* Until nothing new is learnt, then once more to report. */
static bool run(typer *t, kr_diags *diags)
{
    t->diags = kr_diags_new(t->arena);
    for (int i = 0; i < ROUNDS; i++) {
        t->changed = false;
        type_block(t, t->script->body);
        if (!t->changed)
            break;
    }
    t->diags = diags;
    t->report = true;
    t->good = true;
    type_block(t, t->script->body);
    return t->good;
}

int kr_script_arg_count(const kr_script *script) { return script->arg_count; }

kr_type kr_script_check(const kr_script *script, const kr_model *model, const kr_type *args, kr_span use, kr_diags *diags)
{
    kr_script_types *types = script->types;
    typer t = { .model = model, .arena = model->arena, .script = script, .types = types };
    bool same = types->checked;
    if (types->busy) /* it calls itself */
        return types->result;
    for (int i = 0; i < script->arg_count; i++) {
        bool differs = args[i] != KR_T_NONE && types->slots[i] != KR_T_NONE && args[i] != types->slots[i];
        if (differs && types->list == diags) {
            kr_diag *diag = kr_diag_add(diags, KR_E_SCRIPT_TYPE, use, "`%s` is used with %s and with %s as its argument %d", script->name,
                                        kr_type_name(types->slots[i]), kr_type_name(args[i]), i + 1);
            kr_diag_help(diags, diag, "a function of rows has one type for each argument: write two functions");
            return KR_T_NONE;
        }
        same &= args[i] == KR_T_NONE || args[i] == types->slots[i];
    }
    if (same && types->result != KR_T_NONE) {
        types->list = diags;
        return types->result;
    }
    bool keep = types->list == diags; /* uses of one check add up */
    for (int i = 0; i < script->slot_count; i++) {
        kr_type known = i < script->arg_count ? args[i] : KR_T_NONE;
        if (known != KR_T_NONE || i >= script->arg_count || !keep)
            types->slots[i] = known;
    }
    types->list = diags;
    types->result = KR_T_NONE;
    types->checked = false;
    types->busy = true;
    types->checked = run(&t, diags);
    types->busy = false;
    if (!types->checked)
        return KR_T_NONE;
    if (types->result == KR_T_NONE)
        kr_diag_add(diags, KR_E_SCRIPT_TYPE, script->span, "`%s` never returns a value", script->name);
    return types->result;
}

bool kr_fold_check(const kr_model *model, kr_sheet *sheet, kr_diags *diags)
{
    kr_fold *fold = sheet->rows->fold;
    const kr_script *script = fold->step;
    typer t = { .model = model, .arena = model->arena, .script = script, .types = script->types, .into = sheet };
    t.row = sheet->rows->sheet ? sheet->rows->sheet : kr_model_sheet(model, sheet->rows->sheet_name);
    KR_ASSERT(t.row); /* the checker has resolved it */
    for (int i = 0; i < script->slot_count; i++)
        script->types->slots[i] = KR_T_NONE;
    script->types->checked = run(&t, diags);
    return script->types->checked;
}
