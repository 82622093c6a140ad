/* luafn.c: bodies of `fn` and of a fold's `step`, from the tree of the rule file to a kr_script. Our own subset of Lua: exact
 * numbers only, no tables but a fold's state, nothing from outside but parameters, other functions and row-wise primitives. */
#include "vm/host/internal.h"

#include <string.h>

#include "vm/lang/script_tree.h"

typedef struct translator {
    kr_host *h;
    kr_arena *arena;
    const kr_lua_function *function;
    const kr_fold *fold;
    kr_lua_local *state, *row, *emit; /* a step's arguments */
    struct alias { const kr_lua_local *local; int state; } *aliases; /* local q = state.queue */
    size_t alias_count, alias_capacity;
    int loops;
    bool good;
} translator;

static kr_sexpr *expr(translator *t, const kr_lua_expr *e);
static kr_sblock *block(translator *t, const kr_lua_block *b);

static kr_diag *refuse(translator *t, kr_span span, const char *help, const char *format, ...) __attribute__((format(printf, 4, 5)));
static kr_diag *refuse(translator *t, kr_span span, const char *help, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = kr_arena_vprintf(t->arena, format, args);
    va_end(args);
    kr_diag *diag = kr_diag_add(t->h->diags, KR_E_SCRIPT, span, "%s", message);
    if (help)
        kr_diag_help(t->h->diags, diag, "%s", help);
    t->good = false;
    return diag;
}

static kr_span span_of(const translator *t, const kr_lua_expr *e) { return kr_lua_expr_span(t->h->tree, e); }

static kr_sexpr *new_expr(translator *t, kr_sexpr_kind kind, const kr_lua_expr *from)
{
    kr_sexpr *s = KR_NEW(t->arena, kr_sexpr);
    s->kind = kind;
    s->span = span_of(t, from);
    s->value = KR_BLANK;
    return s;
}

static void kids(translator *t, kr_sexpr *s, int count)
{
    s->kids = KR_NEW_ARRAY(t->arena, kr_sexpr *, count);
    s->types = KR_NEW_ARRAY(t->arena, kr_type, count + 1);
    s->kid_count = count;
}

/* ---- states of a fold */

static int state_named(const translator *t, const char *name)
{
    for (int i = 0; t->fold && i < t->fold->state_count; i++)
        if (!strcmp(t->fold->state[i].name, name))
            return i;
    return -1;
}

/* The map or list that an expression names: state.queue, or a local that stands for it. -1: none. */
static int container(translator *t, const kr_lua_expr *e)
{
    e = kr_lua_bare((kr_lua_expr *)(uintptr_t)e);
    if (e->kind == KR_LE_NAME && e->local)
        for (size_t i = 0; i < t->alias_count; i++)
            if (t->aliases[i].local == e->local)
                return t->aliases[i].state;
    if (e->kind != KR_LE_INDEX || !e->dotted || e->kids[0]->kind != KR_LE_NAME || !t->state || e->kids[0]->local != t->state)
        return -1;
    int state = state_named(t, e->kids[1]->first->text);
    return state >= 0 && t->fold->state[state].kind != KR_STATE_SCALAR ? state : -1;
}

static bool is_list(const translator *t, int state) { return state >= 0 && t->fold->state[state].kind == KR_STATE_LIST; }

static void unknown_state(translator *t, const kr_lua_expr *e, const char *name)
{
    const char **names = KR_NEW_ARRAY(t->arena, const char *, t->fold->state_count + 1);
    for (int i = 0; i < t->fold->state_count; i++)
        names[i] = t->fold->state[i].name;
    const char *near = kr_nearest(name, names, (size_t)t->fold->state_count);
    refuse(t, span_of(t, e), near ? kr_arena_printf(t->arena, "did you mean `%s`?", near) : "declare it in the fold's `state`",
           "the fold has no state `%s`", name);
}

/* ---- names */

static kr_sexpr *constant_number(translator *t, const kr_lua_expr *e)
{
    kr_sexpr *s = new_expr(t, KR_SE_CONST, e);
    const kr_lua_token *token = e->first;
    s->type = KR_T_NUMBER;
    if (token->hex) {
        refuse(t, s->span, NULL, "write numbers in decimal here");
        return s;
    }
    enum kr_read read = kr_num_read(token->text, token->len, &s->value, NULL);
    if (read == KR_READ_OK)
        return s;
    t->good = false;
    if (read == KR_READ_DECIMALS)
        kr_diag_add(t->h->diags, KR_E_NUMBER_DECIMALS, s->span, "`%s` has more than 18 decimals", token->text);
    else
        kr_diag_add(t->h->diags, KR_E_NUMBER_RANGE, s->span, "`%s` is out of range", token->text);
    return s;
}

static kr_sexpr *name(translator *t, const kr_lua_expr *e)
{
    kr_sexpr *s = new_expr(t, KR_SE_LOCAL, e);
    const char *word = e->first->text;
    if (!e->local) {
        bool param = kr_model_param(t->h->model, word) != NULL;
        refuse(t, s->span, param ? kr_arena_printf(t->arena, "did you mean `param.%s`?", word) : "a function of rows sees its arguments, its locals, param.NAME and other functions",
               "unknown name `%s`", word);
        return s;
    }
    if (e->local->function != t->function) {
        kr_diag *diag = refuse(t, s->span, "give it as an argument, or make it a parameter",
                               "`%s` belongs to the file, not to this function", word);
        kr_diag_window(t->h->diags, diag, kr_lua_token_span(t->h->tree, e->local->token), "declared here");
        return s;
    }
    if (e->local == t->state || e->local == t->row || e->local == t->emit) {
        refuse(t, s->span, NULL, "`%s` is no value: name one of its fields", word);
        return s;
    }
    if (container(t, e) >= 0) {
        refuse(t, s->span, NULL, "`%s` is a list or a map, which is no value: name one of its items", word);
        return s;
    }
    s->slot = e->local->slot;
    return s;
}

/* A dotted chain of free names, NORM.S.DIST, or NULL. */
static char *dotted_name(translator *t, const kr_lua_expr *e)
{
    if (e->kind == KR_LE_NAME)
        return e->local ? NULL : kr_arena_copy(t->arena, e->first->text, e->first->len);
    if (e->kind != KR_LE_INDEX || !e->dotted)
        return NULL;
    char *before = dotted_name(t, e->kids[0]);
    return before ? kr_arena_printf(t->arena, "%s.%s", before, e->kids[1]->first->text) : NULL;
}

static kr_sexpr *field(translator *t, const kr_lua_expr *e)
{
    const kr_lua_expr *of = e->kids[0];
    const char *word = e->dotted ? e->kids[1]->first->text : NULL;
    int state = container(t, of);
    if (state >= 0 && !e->dotted) {
        kr_sexpr *s = new_expr(t, KR_SE_ITEM, e);
        s->state = state;
        kids(t, s, 1);
        s->kids[0] = expr(t, e->kids[1]);
        return s;
    }
    if (of->kind == KR_LE_NAME && word) {
        if (!of->local && !strcmp(of->first->text, "param")) {
            kr_sexpr *s = new_expr(t, KR_SE_PARAM, e);
            s->name = word;
            return s;
        }
        if (of->local && of->local == t->row) {
            kr_sexpr *s = new_expr(t, KR_SE_ROW, e);
            s->name = word;
            return s;
        }
        if (of->local && of->local == t->state) {
            kr_sexpr *s = new_expr(t, KR_SE_STATE, e);
            s->state = state_named(t, word);
            if (s->state < 0)
                unknown_state(t, e, word);
            else if (t->fold->state[s->state].kind != KR_STATE_SCALAR)
                refuse(t, s->span, NULL, "state `%s` is a list or a map, which is no value: name one of its items", word);
            return s;
        }
    }
    refuse(t, span_of(t, e), "fields are those of `param`, and in a fold of its state and row", "there are no tables in a function of rows");
    return new_expr(t, KR_SE_CONST, e);
}

/* ---- calls */

static kr_sexpr *call(translator *t, const kr_lua_expr *e)
{
    const kr_lua_expr *callee = kr_lua_bare(e->kids[0]);
    if (callee->kind == KR_LE_NAME && callee->local && callee->local == t->emit) {
        refuse(t, span_of(t, e), NULL, "`emit` is a statement, not a value");
        return new_expr(t, KR_SE_CONST, e);
    }
    char *word = e->kind == KR_LE_CALL ? dotted_name(t, callee) : NULL;
    if (!word) {
        refuse(t, span_of(t, e), "a local function is written fn.name = function … end at the level of the file", "only functions of rows and primitives can be called here");
        return new_expr(t, KR_SE_CONST, e);
    }
    if (!strcmp(word, "remove") && t->fold) {
        kr_sexpr *s = new_expr(t, KR_SE_TAKE, e);
        s->state = e->kid_count > 1 ? container(t, e->kids[1]) : -1;
        if (!is_list(t, s->state) || e->kid_count > 3)
            refuse(t, s->span, "remove(state.queue) takes the last, remove(state.queue, 1) the first", "`remove` takes a list of the fold's state");
        else if (e->kid_count == 3) {
            kids(t, s, 1);
            s->kids[0] = expr(t, e->kids[2]);
        }
        return s;
    }
    kr_sexpr *s = new_expr(t, KR_SE_CALL, e);
    s->user = !strncmp(word, "fn.", 3);
    s->name = s->user ? word + 3 : word;
    kids(t, s, (int)e->kid_count - 1);
    for (int i = 0; i < s->kid_count; i++)
        s->kids[i] = expr(t, e->kids[i + 1]);
    return s;
}

/* ---- operators */

static const char *operator_of(int op)
{
    static const struct { int op; const char *name; } names[] = {
        { '+', "+" }, { '-', "-" }, { '*', "*" }, { '/', "/" }, { '^', "^" }, { '%', "MOD" }, { KR_L_CONCAT, "&" }, { KR_L_EQ, "=" },
        { KR_L_NE, "<>" }, { '<', "<" }, { '>', ">" }, { KR_L_LE, "<=" }, { KR_L_GE, ">=" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].op == op)
            return names[i].name;
    return NULL;
}

static kr_sexpr *two(translator *t, kr_sexpr *s, const kr_lua_expr *e)
{
    kids(t, s, 2);
    s->kids[0] = expr(t, e->kids[0]);
    s->kids[1] = expr(t, e->kids[1]);
    return s;
}

static kr_sexpr *negated(translator *t, kr_sexpr *of, const kr_lua_expr *e)
{
    kr_sexpr *s = new_expr(t, KR_SE_NOT, e);
    kids(t, s, 1);
    s->kids[0] = of;
    return s;
}

static kr_sexpr *binary(translator *t, const kr_lua_expr *e)
{
    const kr_lua_expr *a = kr_lua_bare(e->kids[0]), *b = kr_lua_bare(e->kids[1]);
    if ((e->op == KR_L_EQ || e->op == KR_L_NE) && (a->kind == KR_LE_NIL || b->kind == KR_LE_NIL)) { /* the one test for blank */
        kr_sexpr *s = new_expr(t, KR_SE_IS_BLANK, e);
        kids(t, s, 1);
        s->kids[0] = expr(t, a->kind == KR_LE_NIL ? b : a);
        return e->op == KR_L_EQ ? s : negated(t, s, e);
    }
    if (e->op == KR_L_AND || e->op == KR_L_OR)
        return two(t, new_expr(t, e->op == KR_L_AND ? KR_SE_AND : KR_SE_OR, e), e);
    if (e->op == KR_L_IDIV)
        return two(t, new_expr(t, KR_SE_FLOOR_DIV, e), e);
    kr_sexpr *s = new_expr(t, KR_SE_CALL, e);
    s->name = operator_of(e->op);
    if (!s->name) {
        refuse(t, kr_lua_token_span(t->h->tree, e->sign), NULL, "bit operators are not available in a rule file");
        s->name = "+";
    }
    return two(t, s, e);
}

static kr_sexpr *unary(translator *t, const kr_lua_expr *e)
{
    if (e->op == KR_L_NOT)
        return negated(t, expr(t, e->kids[0]), e);
    if (e->op == '#') {
        kr_sexpr *s = new_expr(t, KR_SE_COUNT, e);
        s->state = container(t, e->kids[0]);
        if (s->state < 0)
            refuse(t, s->span, "the length of a text is LEN(x)", "`#` counts the items of a list or map of the fold's state");
        return s;
    }
    if (e->op == '~')
        refuse(t, span_of(t, e), NULL, "bit operators are not available in a rule file");
    if (e->op == '-' && kr_lua_bare(e->kids[0])->kind == KR_LE_NUMBER) {
        kr_sexpr *s = constant_number(t, kr_lua_bare(e->kids[0]));
        s->value = kr_num_neg(s->value);
        s->span = span_of(t, e);
        return s;
    }
    kr_sexpr *s = new_expr(t, KR_SE_CALL, e);
    s->name = "neg";
    kids(t, s, 1);
    s->kids[0] = expr(t, e->kids[0]);
    return s;
}

static kr_sexpr *expr(translator *t, const kr_lua_expr *e)
{
    kr_sexpr *s;
    switch (e->kind) {
    case KR_LE_NUMBER:
        return constant_number(t, e);
    case KR_LE_STRING:
        s = new_expr(t, KR_SE_CONST, e);
        s->type = KR_T_TEXT;
        s->value = kr_cell_of_text(t->h->pool, e->first->text, e->first->len);
        return s;
    case KR_LE_TRUE:
    case KR_LE_FALSE:
        s = new_expr(t, KR_SE_CONST, e);
        s->type = KR_T_BOOLEAN;
        s->value = kr_cell_of_bool(e->kind == KR_LE_TRUE);
        return s;
    case KR_LE_NIL:
        return new_expr(t, KR_SE_CONST, e);
    case KR_LE_NAME:
        return name(t, e);
    case KR_LE_INDEX:
        return field(t, e);
    case KR_LE_CALL:
    case KR_LE_METHOD:
        return call(t, e);
    case KR_LE_BINARY:
        return binary(t, e);
    case KR_LE_UNARY:
        return unary(t, e);
    case KR_LE_PAREN:
        return expr(t, e->kids[0]);
    case KR_LE_TABLE:
        refuse(t, span_of(t, e), "a fold's state may hold lists and maps", "there are no tables in a function of rows");
        break;
    case KR_LE_FUNCTION:
        refuse(t, span_of(t, e), "write fn.name = function … end at the level of the file", "there are no functions within a function of rows");
        break;
    case KR_LE_DOTS:
        refuse(t, span_of(t, e), NULL, "`...` is not available in a function of rows");
        break;
    }
    return new_expr(t, KR_SE_CONST, e);
}

/* ---- statements */

static kr_sstat *new_stat(translator *t, kr_sstat_kind kind, const kr_lua_stat *from)
{
    kr_sstat *s = KR_NEW(t->arena, kr_sstat);
    s->kind = kind;
    s->span = kr_lua_stat_span(t->h->tree, from);
    s->slot2 = -1;
    return s;
}

static void add(translator *t, kr_sblock *b, kr_sstat *s) { KR_PUSH(t->arena, b->stats, b->count, b->capacity) = s; }

static void one_block(translator *t, kr_sstat *s, const kr_lua_block *b)
{
    s->blocks = KR_NEW_ARRAY(t->arena, kr_sblock *, 1);
    s->block_count = 1;
    s->blocks[0] = block(t, b);
}

static kr_sstat *set_slot(translator *t, const kr_lua_stat *from, int slot, kr_sexpr *value)
{
    kr_sstat *s = new_stat(t, KR_SS_SET, from);
    s->slot = slot;
    s->value = value;
    return s;
}

static kr_sstat *set_target(translator *t, const kr_lua_stat *from, const kr_lua_expr *target, kr_sexpr *value)
{
    if (target->kind == KR_LE_NAME && target->local && target->local->function == t->function && container(t, target) < 0 &&
        target->local != t->state && target->local != t->row && target->local != t->emit)
        return set_slot(t, from, target->local->slot, value);
    if (target->kind == KR_LE_INDEX) {
        int state = container(t, target->kids[0]);
        if (state >= 0 && !target->dotted) {
            kr_sstat *s = new_stat(t, KR_SS_ITEM, from);
            s->state = state;
            s->key = expr(t, target->kids[1]);
            s->value = value;
            return s;
        }
        if (t->state && target->dotted && target->kids[0]->kind == KR_LE_NAME && target->kids[0]->local == t->state) {
            kr_sstat *s = new_stat(t, KR_SS_STATE, from);
            const char *word = target->kids[1]->first->text;
            s->state = state_named(t, word);
            s->value = value;
            if (s->state < 0)
                unknown_state(t, target, word);
            else if (t->fold->state[s->state].kind != KR_STATE_SCALAR)
                refuse(t, span_of(t, target), NULL, "state `%s` is a list or a map: assign to its items", word);
            return s;
        }
    }
    refuse(t, span_of(t, target), "a function of rows changes its locals, a fold its state", "this cannot be assigned to in a function of rows");
    return new_stat(t, KR_SS_DO, from);
}

/* Targets and values side by side; several at once take all values first. */
static kr_sstat *assign(translator *t, const kr_lua_stat *from)
{
    size_t n = from->kind == KR_LS_LOCAL ? from->local_count : from->target_count;
    if (from->value_count > n || (from->kind == KR_LS_ASSIGN && from->value_count != n))
        refuse(t, kr_lua_stat_span(t->h->tree, from), NULL, "%zu names and %zu values", n, from->value_count);
    kr_sstat *all = new_stat(t, KR_SS_SETS, from);
    all->parts = KR_NEW_ARRAY(t->arena, kr_sstat *, n);
    for (size_t i = 0; i < n; i++) {
        if (from->kind == KR_LS_LOCAL && i < from->value_count) {
            int state = container(t, from->values[i]);
            if (state >= 0) { /* local q = state.queue: a name for it */
                struct alias alias = { from->locals[i], state };
                KR_PUSH(t->arena, t->aliases, t->alias_count, t->alias_capacity) = alias;
                continue;
            }
        }
        kr_sexpr *value = NULL;
        if (i < from->value_count) {
            value = expr(t, from->values[i]);
        } else {
            value = KR_NEW(t->arena, kr_sexpr); /* local x: blank */
            value->kind = KR_SE_CONST;
            value->value = KR_BLANK;
            value->span = all->span;
        }
        all->parts[all->part_count++] = from->kind == KR_LS_LOCAL ? set_slot(t, from, from->locals[i]->slot, value)
                                                                 : set_target(t, from, from->targets[i], value);
    }
    return all->part_count == 1 ? all->parts[0] : all;
}

static kr_sstat *emit(translator *t, const kr_lua_stat *from, const kr_lua_expr *e)
{
    kr_sstat *s = new_stat(t, KR_SS_EMIT, from);
    const kr_lua_expr *table = e->kid_count == 2 ? kr_lua_bare(e->kids[1]) : NULL;
    if (!table || table->kind != KR_LE_TABLE) {
        refuse(t, s->span, NULL, "a row is emitted as emit { column = value, … }");
        return s;
    }
    int n = (int)table->item_count;
    s->names = KR_NEW_ARRAY(t->arena, const char *, n);
    s->values = KR_NEW_ARRAY(t->arena, kr_sexpr *, n);
    s->columns = KR_NEW_ARRAY(t->arena, int, n);
    for (int i = 0; i < n; i++) {
        if (!table->items[i].name) {
            refuse(t, span_of(t, table->items[i].value), NULL, "a row is emitted as emit { column = value, … }");
            continue;
        }
        s->names[s->value_count] = table->items[i].name;
        s->values[s->value_count++] = expr(t, table->items[i].value);
    }
    return s;
}

static kr_sstat *call_stat(translator *t, const kr_lua_stat *from)
{
    const kr_lua_expr *e = from->values[0], *callee = kr_lua_bare(e->kids[0]);
    if (callee->kind == KR_LE_NAME && callee->local && callee->local == t->emit)
        return emit(t, from, e);
    if (t->fold && callee->kind == KR_LE_NAME && !callee->local && !strcmp(callee->first->text, "insert")) {
        kr_sstat *s = new_stat(t, KR_SS_APPEND, from);
        s->state = e->kid_count == 3 ? container(t, e->kids[1]) : -1;
        if (!is_list(t, s->state))
            refuse(t, s->span, "insert(state.queue, value)", "`insert` puts a value at the end of a list of the fold's state");
        else
            s->value = expr(t, e->kids[2]);
        return s;
    }
    kr_sstat *s = new_stat(t, KR_SS_EVAL, from);
    s->value = expr(t, e);
    if (t->good && s->value->kind != KR_SE_TAKE)
        refuse(t, s->span, NULL, "this call has no effect");
    return s;
}

static kr_sstat *each_stat(translator *t, const kr_lua_stat *from)
{
    kr_sstat *s = new_stat(t, KR_SS_EACH, from);
    const kr_lua_expr *e = kr_lua_bare(from->values[0]), *callee = e->kind == KR_LE_CALL ? e->kids[0] : NULL;
    bool named = callee && callee->kind == KR_LE_NAME && !callee->local && from->value_count == 1 && e->kid_count == 2 && from->local_count <= 2;
    s->state = named ? container(t, e->kids[1]) : -1;
    bool list = named && !strcmp(callee->first->text, "ipairs"), map = named && !strcmp(callee->first->text, "pairs");
    if (s->state < 0 || !(list || map) || list != is_list(t, s->state))
        refuse(t, span_of(t, from->values[0]), "for i, v in ipairs(state.queue), for k, v in pairs(state.open)",
               "`for … in` goes over a list (ipairs) or a map (pairs) of a fold's state");
    s->slot = from->locals[0]->slot;
    s->slot2 = from->local_count > 1 ? from->locals[1]->slot : -1;
    t->loops++;
    one_block(t, s, from->blocks[0]);
    t->loops--;
    return s;
}

static kr_sstat *stat(translator *t, const kr_lua_stat *from)
{
    kr_sstat *s = NULL;
    switch (from->kind) {
    case KR_LS_LOCAL:
    case KR_LS_ASSIGN:
        return assign(t, from);
    case KR_LS_CALL:
        return call_stat(t, from);
    case KR_LS_DO:
        s = new_stat(t, KR_SS_DO, from);
        one_block(t, s, from->blocks[0]);
        return s;
    case KR_LS_WHILE:
    case KR_LS_REPEAT:
        s = new_stat(t, from->kind == KR_LS_WHILE ? KR_SS_WHILE : KR_SS_REPEAT, from);
        t->loops++;
        one_block(t, s, from->blocks[0]);
        t->loops--;
        s->value = expr(t, from->values[0]);
        return s;
    case KR_LS_IF:
        s = new_stat(t, KR_SS_IF, from);
        s->values = KR_NEW_ARRAY(t->arena, kr_sexpr *, from->value_count);
        s->value_count = (int)from->value_count;
        s->blocks = KR_NEW_ARRAY(t->arena, kr_sblock *, from->block_count);
        s->block_count = (int)from->block_count;
        for (int i = 0; i < s->block_count; i++) {
            if (i < s->value_count)
                s->values[i] = expr(t, from->values[i]);
            s->blocks[i] = block(t, from->blocks[i]);
        }
        return s;
    case KR_LS_FOR:
        s = new_stat(t, KR_SS_FOR, from);
        s->slot = from->locals[0]->slot;
        s->values = KR_NEW_ARRAY(t->arena, kr_sexpr *, 3);
        s->value_count = (int)from->value_count;
        for (int i = 0; i < s->value_count; i++)
            s->values[i] = expr(t, from->values[i]);
        t->loops++;
        one_block(t, s, from->blocks[0]);
        t->loops--;
        return s;
    case KR_LS_FOREACH:
        return each_stat(t, from);
    case KR_LS_RETURN:
        s = new_stat(t, KR_SS_RETURN, from);
        if (from->value_count > 1)
            refuse(t, s->span, NULL, "a function of rows returns one value");
        if (t->fold && from->value_count)
            refuse(t, s->span, "rows are given with emit { … }", "a fold's step returns nothing");
        if (from->value_count == 1)
            s->value = expr(t, from->values[0]);
        return s;
    case KR_LS_BREAK:
        if (!t->loops)
            refuse(t, kr_lua_stat_span(t->h->tree, from), NULL, "`break` outside a loop");
        return new_stat(t, KR_SS_BREAK, from);
    case KR_LS_FUNCTION:
    case KR_LS_LOCAL_FUNCTION:
        refuse(t, kr_lua_stat_span(t->h->tree, from), "write fn.name = function … end at the level of the file", "there are no functions within a function of rows");
        break;
    case KR_LS_GOTO:
    case KR_LS_LABEL:
        refuse(t, kr_lua_stat_span(t->h->tree, from), NULL, "`goto` is not available in a function of rows");
        break;
    }
    return new_stat(t, KR_SS_DO, from);
}

static kr_sblock *block(translator *t, const kr_lua_block *b)
{
    kr_sblock *out = KR_NEW(t->arena, kr_sblock);
    for (size_t i = 0; i < b->count; i++) {
        kr_sstat *s = stat(t, b->stats[i]);
        add(t, out, s);
    }
    return out;
}

kr_script *kr_script_translate(kr_host *h, const kr_lua_function *function, const char *script_name, const kr_fold *fold)
{
    translator t = { .h = h, .arena = h->arena, .function = function, .fold = fold, .good = true };
    kr_script *script = KR_NEW(h->arena, kr_script);
    script->name = script_name;
    script->span = (kr_span){ h->tree->tokens.source, function->first->start, function->last->end };
    script->fold = fold;
    script->slot_count = function->slot_count;
    script->slot_names = KR_NEW_ARRAY(h->arena, const char *, function->slot_count + 1);
    kr_span head = { h->tree->tokens.source, function->first->start, function->first->end };
    if (function->dots)
        refuse(&t, head, NULL, "`...` is not available in a function of rows");
    if (fold) {
        if (function->param_count < 1 || function->param_count > 3)
            refuse(&t, head, "step = function(state, row, emit) … end", "a fold's step takes state, row and emit");
        t.state = function->param_count > 0 ? function->params[0] : NULL;
        t.row = function->param_count > 1 ? function->params[1] : NULL;
        t.emit = function->param_count > 2 ? function->params[2] : NULL;
    } else {
        script->arg_count = (int)function->param_count;
    }
    for (size_t i = 0; i < function->param_count; i++)
        script->slot_names[i] = function->params[i]->name;
    script->body = block(&t, function->body);
    script->types = KR_NEW(h->arena, kr_script_types);
    script->types->slots = KR_NEW_ARRAY(h->arena, kr_type, script->slot_count + 1);
    return t.good ? script : NULL;
}
