/* lua_parse.c: recursive descent over the tokens, with Lua 5.4's own grammar and scoping. */
#include "vm/host/lua_ast.h"

#include <string.h>

enum { MAX_DEPTH = 180, /* Lua's own limit is 200 levels of C */ MAX_CHAIN = 1000 /* operators or suffixes in a row: passes recurse over them */ };

typedef struct parser {
    kr_arena *arena;
    kr_lua_tree *tree;
    const kr_lua_token *t;     /* the token looked at */
    const kr_lua_token *prev;
    kr_lua_local **scope;      /* visible locals, innermost last */
    size_t scope_count, scope_capacity;
    kr_lua_function *function;
    int depth;
    bool failed;
    bool else_if;              /* `else if` stands somewhere above on one line: an `end` may be missing for that */
    kr_diags *diags;
} parser;

static kr_lua_expr *expression(parser *p);
static kr_lua_block *block(parser *p);

kr_lua_expr *kr_lua_bare(kr_lua_expr *expr)
{
    while (expr && expr->kind == KR_LE_PAREN)
        expr = expr->kids[0];
    return expr;
}

kr_span kr_lua_token_span(const kr_lua_tree *tree, const kr_lua_token *token)
{
    return (kr_span){ tree->tokens.source, token->start, token->end };
}

kr_span kr_lua_expr_span(const kr_lua_tree *tree, const kr_lua_expr *expr)
{
    return (kr_span){ tree->tokens.source, expr->first->start, expr->last->end };
}

kr_span kr_lua_stat_span(const kr_lua_tree *tree, const kr_lua_stat *stat)
{
    return (kr_span){ tree->tokens.source, stat->first->start, stat->last->end };
}

static kr_diag *fail_at(parser *p, const kr_lua_token *at, const char *message)
{
    if (p->failed)
        return NULL;
    p->failed = true;
    kr_diag *diag = kr_diag_add(p->diags, KR_E_LUA_SYNTAX, kr_lua_token_span(p->tree, at), "%s", message);
    p->t = &p->tree->tokens.at[p->tree->tokens.count - 1]; /* everything ends here */
    return diag;
}

static const char *shown(parser *p, const kr_lua_token *t)
{
    if (t->kind == KR_L_NAME || t->kind == KR_L_NUMBER)
        return kr_arena_printf(p->arena, "`%s`", t->text);
    return kr_lua_tok_name(p->arena, t->kind);
}

static void advance(parser *p)
{
    p->prev = p->t;
    if (p->t->kind != KR_L_EOF)
        p->t++;
}

static bool accept(parser *p, int kind)
{
    if (p->t->kind != kind || p->failed)
        return false;
    advance(p);
    return true;
}

static bool expect(parser *p, int kind)
{
    if (accept(p, kind))
        return true;
    if (!p->failed) {
        kr_diag *diag = fail_at(p, p->t, kr_arena_printf(p->arena, "expected %s, found %s", kr_lua_tok_name(p->arena, kind), shown(p, p->t)));
        (void)diag;
    }
    return false;
}

/* `kind` closes what `open` began; a message that names both when they are on different lines. */
static void expect_close(parser *p, int kind, const kr_lua_token *open)
{
    const kr_lua_token *at = p->t;
    if (accept(p, kind) || p->failed)
        return;
    kr_diag *diag = fail_at(p, at, kr_arena_printf(p->arena, "expected %s to close %s, found %s", kr_lua_tok_name(p->arena, kind),
                                                   shown(p, open), shown(p, at)));
    kr_diag_window(p->diags, diag, kr_lua_token_span(p->tree, open), "opened here");
    /* two values side by side */
    bool value = p->prev && p->prev->end_line == at->line && (at->kind == '{' || at->kind == KR_L_STRING || at->kind == KR_L_NUMBER || at->kind == KR_L_NAME);
    if (value && p->prev->kind == KR_L_STRING && p->prev->end == at->start)
        kr_diag_help(p->diags, diag, "the text ended before it: a text within a text is written '…' inside \"…\"");
    else if (value && (kind == ')' || kind == '}'))
        kr_diag_help(p->diags, diag, "is a comma missing before it?");
    else if (p->else_if && kind == KR_L_END)
        kr_diag_help(p->diags, diag, "`else if` opens a second `if`; one word, `elseif`, goes on with the first");
}

static bool deeper(parser *p)
{
    if (++p->depth <= MAX_DEPTH)
        return true;
    fail_at(p, p->t, "nested too deeply");
    return false;
}

static kr_lua_expr *new_expr(parser *p, kr_lua_expr_kind kind, const kr_lua_token *first)
{
    kr_lua_expr *e = KR_NEW(p->arena, kr_lua_expr);
    e->kind = kind;
    e->first = e->last = first;
    return e;
}

static void add_kid(parser *p, kr_lua_expr *e, kr_lua_expr *kid)
{
    KR_PUSH(p->arena, e->kids, e->kid_count, e->kid_capacity) = kid;
}

/* ---- names */

static kr_lua_local *declare(parser *p, const kr_lua_token *name)
{
    kr_lua_local *local = KR_NEW(p->arena, kr_lua_local);
    local->name = name->text ? name->text : "";
    local->token = name;
    local->function = p->function->outer ? p->function : NULL;
    local->slot = p->function->slot_count++;
    return local;
}

static void show(parser *p, kr_lua_local *local)
{
    KR_PUSH(p->arena, p->scope, p->scope_count, p->scope_capacity) = local;
}

static kr_lua_local *find(const parser *p, const char *name)
{
    for (size_t i = p->scope_count; i-- > 0;)
        if (!strcmp(p->scope[i]->name, name))
            return p->scope[i];
    return NULL;
}

static kr_lua_expr *name_expr(parser *p)
{
    kr_lua_expr *e = new_expr(p, KR_LE_NAME, p->t);
    if (expect(p, KR_L_NAME))
        e->local = find(p, e->first->text);
    return e;
}

/* A field's or method's name as a STRING expression. */
static kr_lua_expr *word(parser *p)
{
    kr_lua_expr *e = new_expr(p, KR_LE_STRING, p->t);
    expect(p, KR_L_NAME);
    return e;
}

/* ---- expressions */

static kr_lua_expr *function_body(parser *p, const kr_lua_token *first, bool method)
{
    kr_lua_function *f = KR_NEW(p->arena, kr_lua_function);
    kr_lua_expr *e = new_expr(p, KR_LE_FUNCTION, first);
    size_t visible = p->scope_count;
    f->outer = p->function;
    f->first = first;
    p->function = f;
    e->function = f;
    if (method) {
        static const kr_lua_token self = { .kind = KR_L_NAME, .text = "self", .len = 4 };
        kr_lua_local *local = declare(p, &self);
        KR_PUSH(p->arena, f->params, f->param_count, f->param_capacity) = local;
        show(p, local);
    }
    const kr_lua_token *open = p->t;
    expect(p, '(');
    while (p->t->kind != ')' && !p->failed) {
        if (accept(p, KR_L_DOTS)) {
            f->dots = true;
            break;
        }
        const kr_lua_token *name = p->t;
        if (!expect(p, KR_L_NAME))
            break;
        kr_lua_local *local = declare(p, name);
        KR_PUSH(p->arena, f->params, f->param_count, f->param_capacity) = local;
        show(p, local);
        if (!accept(p, ','))
            break;
        if (p->t->kind == ')')
            expect(p, KR_L_NAME);
    }
    expect_close(p, ')', open);
    f->body = block(p);
    f->last = p->t;
    expect_close(p, KR_L_END, first);
    e->last = f->last;
    p->scope_count = visible;
    p->function = f->outer;
    return e;
}

static kr_lua_expr *table(parser *p)
{
    const kr_lua_token *open = p->t;
    kr_lua_expr *e = new_expr(p, KR_LE_TABLE, open);
    advance(p);
    while (p->t->kind != '}' && !p->failed) {
        kr_lua_item item = { 0 };
        if (p->t->kind == KR_L_NAME && p->t[1].kind == '=') {
            item.name = p->t->text;
            item.key = word(p);
            advance(p);
            item.value = expression(p);
        } else if (p->t->kind == '[') {
            const kr_lua_token *bracket = p->t;
            advance(p);
            item.key = expression(p);
            expect_close(p, ']', bracket);
            if (kr_lua_bare(item.key)->kind == KR_LE_STRING)
                item.name = kr_lua_bare(item.key)->first->text;
            expect(p, '=');
            item.value = expression(p);
        } else {
            item.value = expression(p);
        }
        if (p->failed)
            break;
        KR_PUSH(p->arena, e->items, e->item_count, e->item_capacity) = item;
        if (!accept(p, ',') && !accept(p, ';'))
            break;
    }
    e->last = p->t;
    expect_close(p, '}', open);
    return e;
}

static void arguments(parser *p, kr_lua_expr *call)
{
    call->sign = p->t;
    if (p->t->kind == KR_L_STRING) {
        add_kid(p, call, new_expr(p, KR_LE_STRING, p->t));
        advance(p);
    } else if (p->t->kind == '{') {
        add_kid(p, call, table(p));
    } else {
        const kr_lua_token *open = p->t;
        if (!expect(p, '('))
            return;
        if (p->t->kind != ')')
            do
                add_kid(p, call, expression(p));
            while (accept(p, ','));
        expect_close(p, ')', open);
    }
    call->last = p->prev;
}

static kr_lua_expr *suffixed(parser *p)
{
    const kr_lua_token *first = p->t;
    kr_lua_expr *e;
    if (first->kind == '(') {
        advance(p);
        e = new_expr(p, KR_LE_PAREN, first);
        add_kid(p, e, expression(p));
        e->last = p->t;
        expect_close(p, ')', first);
    } else if (first->kind == KR_L_NAME) {
        e = name_expr(p);
    } else {
        e = new_expr(p, KR_LE_NIL, first);
        fail_at(p, first, kr_arena_printf(p->arena, "unexpected %s", shown(p, first)));
        return e;
    }
    for (int links = 0; !p->failed; links++) {
        kr_lua_expr *outer;
        if (links > MAX_CHAIN) {
            fail_at(p, p->t, "this expression is too long");
            break;
        }
        int kind = p->t->kind;
        if (kind == '.') {
            outer = new_expr(p, KR_LE_INDEX, first);
            outer->sign = p->t;
            outer->dotted = true;
            advance(p);
            add_kid(p, outer, e);
            add_kid(p, outer, word(p));
        } else if (kind == '[') {
            const kr_lua_token *open = p->t;
            outer = new_expr(p, KR_LE_INDEX, first);
            outer->sign = open;
            advance(p);
            add_kid(p, outer, e);
            add_kid(p, outer, expression(p));
            expect_close(p, ']', open);
        } else if (kind == ':') {
            outer = new_expr(p, KR_LE_METHOD, first);
            advance(p);
            add_kid(p, outer, e);
            word(p);
            arguments(p, outer);
        } else if (kind == '(' || kind == '{' || kind == KR_L_STRING) {
            outer = new_expr(p, KR_LE_CALL, first);
            add_kid(p, outer, e);
            arguments(p, outer);
        } else {
            break;
        }
        outer->last = p->prev;
        e = outer;
    }
    return e;
}

static kr_lua_expr *simple(parser *p)
{
    static const struct { int token; kr_lua_expr_kind kind; } plain[] = {
        { KR_L_NIL, KR_LE_NIL }, { KR_L_TRUE, KR_LE_TRUE }, { KR_L_FALSE, KR_LE_FALSE },
        { KR_L_NUMBER, KR_LE_NUMBER }, { KR_L_STRING, KR_LE_STRING }, { KR_L_DOTS, KR_LE_DOTS },
    };
    const kr_lua_token *first = p->t;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (plain[i].token == first->kind) {
            if (first->kind == KR_L_DOTS && !p->function->dots)
                fail_at(p, first, "`...` outside a function that takes it");
            advance(p);
            return new_expr(p, plain[i].kind, first);
        }
    if (first->kind == KR_L_FUNCTION) {
        advance(p);
        return function_body(p, first, false);
    }
    if (first->kind == '{')
        return table(p);
    return suffixed(p);
}

/* Left and right binding power, as in Lua's own table. */
static bool power(int op, int *left, int *right)
{
    static const struct { int op, left, right; } powers[] = {
        { '+', 10, 10 }, { '-', 10, 10 }, { '*', 11, 11 }, { '%', 11, 11 }, { '/', 11, 11 }, { KR_L_IDIV, 11, 11 },
        { '^', 14, 13 }, { KR_L_CONCAT, 9, 8 }, { KR_L_SHL, 7, 7 }, { KR_L_SHR, 7, 7 }, { '&', 6, 6 }, { '~', 5, 5 }, { '|', 4, 4 },
        { KR_L_EQ, 3, 3 }, { KR_L_NE, 3, 3 }, { '<', 3, 3 }, { '>', 3, 3 }, { KR_L_LE, 3, 3 }, { KR_L_GE, 3, 3 },
        { KR_L_AND, 2, 2 }, { KR_L_OR, 1, 1 },
    };
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++)
        if (powers[i].op == op) {
            *left = powers[i].left;
            *right = powers[i].right;
            return true;
        }
    return false;
}
enum { UNARY_POWER = 12 };

/* `25%` where a value should be: a percentage that Lua reads as a remainder. */
static bool is_bare_percent(const parser *p)
{
    const kr_lua_token *next = p->t + 1;
    if (p->t->kind != '%' || p->prev->kind != KR_L_NUMBER || p->prev->end != p->t->start)
        return false;
    return next->line > p->t->line || next->kind == ',' || next->kind == '}' || next->kind == ')' || next->kind == ';' || next->kind == KR_L_EOF;
}

static kr_lua_expr *binary(parser *p, int limit)
{
    const kr_lua_token *first = p->t;
    kr_lua_expr *e;
    int left = 0, right = 0;
    if (!deeper(p))
        return new_expr(p, KR_LE_NIL, first);
    if (first->kind == KR_L_NOT || first->kind == '-' || first->kind == '#' || first->kind == '~') {
        advance(p);
        e = new_expr(p, KR_LE_UNARY, first);
        e->op = first->kind;
        e->sign = first;
        add_kid(p, e, binary(p, UNARY_POWER));
        e->last = p->prev;
    } else {
        e = simple(p);
    }
    for (int links = 0; !p->failed && power(p->t->kind, &left, &right) && left > limit; links++) {
        if (links > MAX_CHAIN) {
            fail_at(p, p->t, "this expression is too long");
            break;
        }
        if (is_bare_percent(p)) {
            const char *number = p->prev->text;
            kr_diag *diag = fail_at(p, p->t, "a percentage is not a number of Lua");
            kr_diag_help(p->diags, diag, "write it as text: \"%s%%\"", number);
            break;
        }
        kr_lua_expr *outer = new_expr(p, KR_LE_BINARY, first);
        outer->op = p->t->kind;
        outer->sign = p->t;
        advance(p);
        add_kid(p, outer, e);
        add_kid(p, outer, binary(p, right));
        outer->last = p->prev;
        e = outer;
    }
    p->depth--;
    return e;
}

static kr_lua_expr *expression(parser *p) { return binary(p, 0); }

/* ---- statements */

static kr_lua_stat *new_stat(parser *p, kr_lua_stat_kind kind, const kr_lua_token *first)
{
    kr_lua_stat *s = KR_NEW(p->arena, kr_lua_stat);
    s->kind = kind;
    s->first = s->last = first;
    return s;
}

static void add_value(parser *p, kr_lua_stat *s, kr_lua_expr *e)
{
    KR_PUSH(p->arena, s->values, s->value_count, s->value_capacity) = e;
}

static void add_local(parser *p, kr_lua_stat *s, kr_lua_local *local)
{
    KR_PUSH(p->arena, s->locals, s->local_count, s->local_capacity) = local;
}

static void add_block(parser *p, kr_lua_stat *s, kr_lua_block *b)
{
    KR_PUSH(p->arena, s->blocks, s->block_count, s->block_capacity) = b;
}

static void values(parser *p, kr_lua_stat *s)
{
    do
        add_value(p, s, expression(p));
    while (accept(p, ','));
}

static void local_stat(parser *p, kr_lua_stat *s)
{
    if (accept(p, KR_L_FUNCTION)) {
        const kr_lua_token *function = p->prev;
        const kr_lua_token *name = p->t;
        s->kind = KR_LS_LOCAL_FUNCTION;
        if (!expect(p, KR_L_NAME))
            return;
        kr_lua_local *local = declare(p, name);
        add_local(p, s, local);
        show(p, local); /* so that it may call itself */
        add_value(p, s, function_body(p, function, false));
        return;
    }
    do {
        const kr_lua_token *name = p->t;
        if (!expect(p, KR_L_NAME))
            return;
        kr_lua_local *local = declare(p, name);
        add_local(p, s, local);
        if (accept(p, '<')) {
            const kr_lua_token *attribute = p->t;
            if (!expect(p, KR_L_NAME))
                return;
            if (!strcmp(attribute->text, "const"))
                local->constant = true;
            else
                fail_at(p, attribute, kr_arena_printf(p->arena, "a local may be `<const>`, not `<%s>`", attribute->text));
            expect(p, '>');
        }
    } while (accept(p, ','));
    if (accept(p, '='))
        values(p, s);
    for (size_t i = 0; i < s->local_count; i++)
        show(p, s->locals[i]);
}

static void for_stat(parser *p, kr_lua_stat *s)
{
    size_t visible = p->scope_count;
    const kr_lua_token *first = s->first;
    do {
        const kr_lua_token *name = p->t;
        if (!expect(p, KR_L_NAME))
            return;
        add_local(p, s, declare(p, name));
    } while (accept(p, ','));
    if (s->local_count == 1 && accept(p, '=')) {
        s->kind = KR_LS_FOR;
        values(p, s);
        if (!p->failed && (s->value_count < 2 || s->value_count > 3))
            fail_at(p, p->t, "a numeric `for` has a start, a limit and perhaps a step");
    } else {
        s->kind = KR_LS_FOREACH;
        if (expect(p, KR_L_IN))
            values(p, s);
    }
    expect(p, KR_L_DO);
    for (size_t i = 0; i < s->local_count; i++)
        show(p, s->locals[i]);
    add_block(p, s, block(p));
    expect_close(p, KR_L_END, first);
    p->scope_count = visible;
}

static void if_stat(parser *p, kr_lua_stat *s)
{
    do {
        add_value(p, s, expression(p));
        expect(p, KR_L_THEN);
        add_block(p, s, block(p));
    } while (accept(p, KR_L_ELSEIF));
    const kr_lua_token *otherwise = p->t;
    if (accept(p, KR_L_ELSE)) {
        p->else_if |= p->t->kind == KR_L_IF && p->t->line == otherwise->line;
        add_block(p, s, block(p));
    }
    expect_close(p, KR_L_END, s->first);
}

static void function_stat(parser *p, kr_lua_stat *s)
{
    const kr_lua_token *name = p->t;
    kr_lua_expr *target = name_expr(p);
    bool method = false;
    while (!p->failed && !method && (p->t->kind == '.' || p->t->kind == ':')) {
        kr_lua_expr *outer = new_expr(p, KR_LE_INDEX, name);
        method = p->t->kind == ':';
        outer->sign = p->t;
        outer->dotted = true;
        advance(p);
        add_kid(p, outer, target);
        add_kid(p, outer, word(p));
        outer->last = p->prev;
        target = outer;
    }
    KR_PUSH(p->arena, s->targets, s->target_count, s->target_capacity) = target;
    add_value(p, s, function_body(p, s->first, method));
}

static void assign_or_call(parser *p, kr_lua_stat *s)
{
    kr_lua_expr *e = suffixed(p);
    if (p->failed)
        return;
    if (p->t->kind != '=' && p->t->kind != ',') {
        if (e->kind == KR_LE_CALL || e->kind == KR_LE_METHOD) {
            add_value(p, s, e);
            return;
        }
        fail_at(p, p->t, kr_arena_printf(p->arena, "expected `=` or a call, found %s", shown(p, p->t)));
        return;
    }
    s->kind = KR_LS_ASSIGN;
    KR_PUSH(p->arena, s->targets, s->target_count, s->target_capacity) = e;
    while (accept(p, ','))
        KR_PUSH(p->arena, s->targets, s->target_count, s->target_capacity) = suffixed(p);
    for (size_t i = 0; i < s->target_count && !p->failed; i++)
        if (s->targets[i]->kind != KR_LE_NAME && s->targets[i]->kind != KR_LE_INDEX)
            fail_at(p, s->targets[i]->first, "this cannot be assigned to");
        else if (s->targets[i]->local && s->targets[i]->local->constant)
            fail_at(p, s->targets[i]->first, kr_arena_printf(p->arena, "`%s` is constant", s->targets[i]->local->name));
    if (expect(p, '='))
        values(p, s);
}

static kr_lua_stat *statement(parser *p)
{
    const kr_lua_token *first = p->t;
    size_t visible = p->scope_count;
    kr_lua_stat *s = new_stat(p, KR_LS_CALL, first);
    switch (first->kind) {
    case KR_L_LOCAL:
        advance(p);
        s->kind = KR_LS_LOCAL;
        local_stat(p, s);
        break;
    case KR_L_FUNCTION:
        advance(p);
        s->kind = KR_LS_FUNCTION;
        function_stat(p, s);
        break;
    case KR_L_IF:
        advance(p);
        s->kind = KR_LS_IF;
        if_stat(p, s);
        break;
    case KR_L_FOR:
        advance(p);
        for_stat(p, s);
        break;
    case KR_L_WHILE:
        advance(p);
        s->kind = KR_LS_WHILE;
        add_value(p, s, expression(p));
        expect(p, KR_L_DO);
        add_block(p, s, block(p));
        expect_close(p, KR_L_END, first);
        break;
    case KR_L_REPEAT: {
        advance(p);
        s->kind = KR_LS_REPEAT;
        size_t before = p->scope_count;
        kr_lua_block *body = KR_NEW(p->arena, kr_lua_block);
        while (p->t->kind != KR_L_UNTIL && p->t->kind != KR_L_EOF && !p->failed) {
            if (accept(p, ';'))
                continue;
            kr_lua_stat *inner = statement(p); /* its locals are seen by the condition */
            KR_PUSH(p->arena, body->stats, body->count, body->capacity) = inner;
        }
        add_block(p, s, body);
        expect_close(p, KR_L_UNTIL, first);
        add_value(p, s, expression(p));
        p->scope_count = before;
        break;
    }
    case KR_L_DO:
        advance(p);
        s->kind = KR_LS_DO;
        add_block(p, s, block(p));
        expect_close(p, KR_L_END, first);
        break;
    case KR_L_RETURN:
        advance(p);
        s->kind = KR_LS_RETURN;
        if (p->t->kind != KR_L_END && p->t->kind != KR_L_EOF && p->t->kind != KR_L_ELSE && p->t->kind != KR_L_ELSEIF &&
            p->t->kind != KR_L_UNTIL && p->t->kind != ';')
            values(p, s);
        accept(p, ';');
        break;
    case KR_L_BREAK:
        advance(p);
        s->kind = KR_LS_BREAK;
        break;
    case KR_L_GOTO:
        advance(p);
        s->kind = KR_LS_GOTO;
        expect(p, KR_L_NAME);
        break;
    case KR_L_DBCOLON:
        advance(p);
        s->kind = KR_LS_LABEL;
        expect(p, KR_L_NAME);
        expect(p, KR_L_DBCOLON);
        break;
    default:
        assign_or_call(p, s);
    }
    if (s->kind != KR_LS_LOCAL && s->kind != KR_LS_LOCAL_FUNCTION)
        p->scope_count = visible;
    s->last = p->prev;
    return s;
}

static bool block_ends(int kind)
{
    return kind == KR_L_EOF || kind == KR_L_END || kind == KR_L_ELSE || kind == KR_L_ELSEIF || kind == KR_L_UNTIL;
}

static kr_lua_block *block(parser *p)
{
    kr_lua_block *b = KR_NEW(p->arena, kr_lua_block);
    size_t visible = p->scope_count;
    if (!deeper(p))
        return b;
    while (!p->failed && !block_ends(p->t->kind)) {
        if (accept(p, ';'))
            continue;
        kr_lua_stat *s = statement(p);
        KR_PUSH(p->arena, b->stats, b->count, b->capacity) = s;
        if (s->kind == KR_LS_RETURN)
            break;
    }
    p->scope_count = visible;
    p->depth--;
    return b;
}

kr_lua_tree *kr_lua_parse(kr_arena *arena, const kr_source *source, kr_diags *diags)
{
    kr_lua_tree *tree = KR_NEW(arena, kr_lua_tree);
    tree->arena = arena;
    if (!kr_lua_lex(arena, source, &tree->tokens, diags))
        return NULL;
    tree->main = KR_NEW(arena, kr_lua_function);
    tree->main->dots = false;
    tree->main->first = tree->tokens.at;
    tree->main->last = &tree->tokens.at[tree->tokens.count - 1];
    parser p = { .arena = arena, .tree = tree, .t = tree->tokens.at, .prev = tree->tokens.at, .function = tree->main, .diags = diags };
    tree->main->body = block(&p);
    if (!p.failed && p.t->kind != KR_L_EOF)
        fail_at(&p, p.t, kr_arena_printf(arena, "unexpected %s", shown(&p, p.t)));
    return p.failed ? NULL : tree;
}
