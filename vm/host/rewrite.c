/* rewrite.c: one walk over the tree that copies the text and changes it on the way. */
#include "vm/host/rewrite.h"

#include <string.h>

#include "vm/num/num.h"
#include "vm/text/buf.h"

typedef struct rewriter {
    kr_arena *arena;
    kr_lua_tree *tree;
    const char *text;
    uint32_t pos; /* copied up to here */
    kr_buf out;
    kr_rewritten *result;
    const kr_lua_stat *stat;
    kr_diags *diags;
    bool good;
} rewriter;

static void walk_block(rewriter *w, const kr_lua_block *b);
static void walk(rewriter *w, kr_lua_expr *e, bool exact);

static void put_bytes(rewriter *w, const char *bytes, size_t n) { kr_buf_bytes(&w->out, bytes, n); }
static void put(rewriter *w, const char *text) { put_bytes(w, text, strlen(text)); }

static void copy_to(rewriter *w, uint32_t end)
{
    if (end > w->pos)
        put_bytes(w, w->text + w->pos, end - w->pos);
    w->pos = end;
}

/* Leave out up to `end`, but for the line breaks. */
static void skip_to(rewriter *w, uint32_t end)
{
    for (uint32_t i = w->pos; i < end; i++)
        if (w->text[i] == '\n')
            put(w, "\n");
    w->pos = end;
}

static kr_diag *refuse(rewriter *w, kr_code code, kr_span span, const char *message, const char *help)
{
    w->good = false;
    kr_diag *diag = kr_diag_add(w->diags, code, span, "%s", message);
    if (help)
        kr_diag_help(w->diags, diag, "%s", help);
    return diag;
}

static size_t new_site(rewriter *w, kr_lua_expr *call, kr_lua_expr *value, kr_lua_expr *target)
{
    kr_rewritten *r = w->result;
    kr_lua_site site = { .stat = w->stat, .call = call, .value = value, .target = target };
    KR_PUSH(w->arena, r->sites, r->site_count, r->site_capacity) = site;
    return r->site_count - 1;
}

/* ---- names */

static const kr_global *global_of(const kr_lua_expr *e)
{
    if (e->kind != KR_LE_NAME || e->local)
        return NULL;
    for (const kr_global *g = kr_globals; g->name; g++)
        if (!strcmp(g->name, e->first->text))
            return g;
    return NULL;
}

static bool is_global(const kr_lua_expr *e, const char *name)
{
    return e->kind == KR_LE_NAME && !e->local && !strcmp(e->first->text, name);
}

static void unknown_name(rewriter *w, const kr_lua_expr *e)
{
    static const struct { const char *name, *help; } lua[] = {
        { "pcall", "an error ends the loading of the file" }, { "xpcall", "an error ends the loading of the file" },
        { "print", "a rule file prints nothing; `krules explain` shows where a value comes from" },
        { "string", "text helpers are `sub`, `upper`, `lower`, `rep`, `len`, `concat`, `replace`" },
        { "table", "list helpers are `insert`, `remove`, `sort`, `concat`, `unpack`" },
        { "math", "compute in formulas: there numbers are exact" }, { "next", "use `pairs`: it goes in the order of the keys" },
        { "tonumber", "numbers of formulas are exact text" }, { "load", NULL }, { "loadstring", NULL }, { "loadfile", NULL },
        { "dofile", NULL }, { "setmetatable", NULL }, { "getmetatable", NULL }, { "rawget", NULL }, { "rawset", NULL },
        { "rawequal", NULL }, { "rawlen", NULL }, { "coroutine", NULL }, { "debug", NULL },
        { "os", "nothing asks the clock: days come from the data and the period asked for" },
        { "io", "inputs come from the data, through sheets" }, { "utf8", NULL }, { "package", NULL }, { "collectgarbage", NULL },
        { "_G", NULL }, { "_ENV", NULL }, { "_VERSION", NULL },
    };
    const char *name = e->first->text;
    kr_span span = kr_lua_expr_span(w->tree, e);
    for (size_t i = 0; i < sizeof lua / sizeof lua[0]; i++)
        if (!strcmp(lua[i].name, name)) {
            refuse(w, KR_E_LUA_FORBIDDEN, span, kr_arena_printf(w->arena, "`%s` is not available in a rule file", name), lua[i].help);
            return;
        }
    const char *names[256];
    size_t n = 0;
    for (const kr_global *g = kr_globals; g->name && n < 200; g++)
        names[n++] = g->name;
    for (size_t i = 0; i < w->tree->main->body->count && n < 256; i++) {
        const kr_lua_stat *s = w->tree->main->body->stats[i];
        if (s->first->start >= e->first->start)
            break;
        for (size_t k = 0; k < s->local_count && n < 256; k++)
            if (s->kind == KR_LS_LOCAL || s->kind == KR_LS_LOCAL_FUNCTION)
                names[n++] = s->locals[k]->name;
    }
    const char *near = kr_nearest(name, names, n);
    refuse(w, KR_E_LUA_NAME, span, kr_arena_printf(w->arena, "unknown name `%s`", name),
           near ? kr_arena_printf(w->arena, "did you mean `%s`?", near) : "a variable is declared with `local`");
}

static void check_name(rewriter *w, const kr_lua_token *token)
{
    if (token->text && !strncmp(token->text, KR_PREFIX, strlen(KR_PREFIX)))
        refuse(w, KR_E_LUA_FORBIDDEN, kr_lua_token_span(w->tree, token), "names that begin with `" KR_PREFIX "` are reserved", NULL);
}

static void walk_name(rewriter *w, kr_lua_expr *e)
{
    check_name(w, e->first);
    if (!e->local && w->good) {
        const kr_global *g = global_of(e);
        if (!g)
            unknown_name(w, e);
        else if (g->kind == KR_G_DECLARE)
            refuse(w, KR_E_LUA_FORBIDDEN, kr_lua_expr_span(w->tree, e), kr_arena_printf(w->arena, "`%s` can only be called", g->name), NULL);
    }
    copy_to(w, e->last->end);
}

/* ---- numerals */

static void walk_number(rewriter *w, kr_lua_expr *e, const kr_lua_token *minus, bool exact)
{
    const kr_lua_token *t = e->first;
    kr_span span = { w->tree->tokens.source, minus ? minus->start : t->start, t->end };
    if (t->whole) {
        copy_to(w, t->end);
        return;
    }
    if (t->hex) {
        refuse(w, KR_E_LUA_NUMERAL, span, "a hexadecimal number must be whole and below 2^63", NULL);
    } else if (!exact) {
        bool point = strpbrk(t->text, ".eE") != NULL;
        refuse(w, KR_E_LUA_NUMERAL, span,
               kr_arena_printf(w->arena, point ? "Lua would make `%s` a binary number" : "`%s` is too large for a whole number of Lua", t->text),
               point ? "a value with a point stands alone in a declaration (param.x = 0.3), or inside a formula's text"
                     : "a number that large stands alone in a declaration (param.x = …), or inside a formula's text");
    } else {
        kr_num value;
        enum kr_read read = kr_num_read(t->text, t->len, &value, NULL);
        if (read == KR_READ_DECIMALS)
            refuse(w, KR_E_NUMBER_DECIMALS, span, kr_arena_printf(w->arena, "`%s` has more than 18 decimals", t->text), NULL);
        else if (read != KR_READ_OK)
            refuse(w, KR_E_NUMBER_RANGE, span, kr_arena_printf(w->arena, "`%s` is out of range", t->text), NULL);
    }
    put(w, " " KR_PREFIX "num'");
    if (minus)
        put(w, "-");
    copy_to(w, t->end);
    put(w, "'");
}

/* ---- expressions */

static void call_two(rewriter *w, kr_lua_expr *e, const char *function)
{
    put(w, " "); /* what stands before may be a word: `return(1)+2` */
    put(w, function);
    put(w, "(");
    walk(w, e->kids[0], false);
    copy_to(w, e->sign->start);
    put(w, ",");
    w->pos = e->sign->end;
    walk(w, e->kids[1], false);
    put(w, ")");
}

static void condition(rewriter *w, kr_lua_expr *e)
{
    copy_to(w, e->first->start);
    put(w, " " KR_PREFIX "cond(");
    walk(w, e, false);
    put(w, ")");
}

static void walk_binary(rewriter *w, kr_lua_expr *e)
{
    static const struct { int op; const char *function; } checked[] = {
        { '+', KR_PREFIX "add" }, { '-', KR_PREFIX "sub" }, { '*', KR_PREFIX "mul" }, { '<', KR_PREFIX "lt" }, { KR_L_LE, KR_PREFIX "le" },
        { '>', KR_PREFIX "gt" }, { KR_L_GE, KR_PREFIX "ge" }, { KR_L_EQ, KR_PREFIX "eq" }, { KR_L_NE, KR_PREFIX "ne" },
    };
    kr_span sign = kr_lua_token_span(w->tree, e->sign);
    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++)
        if (checked[i].op == e->op) {
            call_two(w, e, checked[i].function);
            return;
        }
    switch (e->op) {
    case '/':
    case '^':
        refuse(w, KR_E_LUA_NUMERAL, sign, kr_arena_printf(w->arena, "Lua computes `%c` in binary", e->op), "compute in a formula: there it is exact");
        break;
    case '&':
    case '|':
    case '~':
    case KR_L_SHL:
    case KR_L_SHR:
        refuse(w, KR_E_LUA_FORBIDDEN, sign, "bit operators are not available in a rule file",
               e->op == '&' ? "Lua joins text with `..`; `&` is for formulas" : NULL);
        break;
    default:
        break;
    }
    if (e->op == KR_L_AND || e->op == KR_L_OR)
        condition(w, e->kids[0]);
    else
        walk(w, e->kids[0], false);
    walk(w, e->kids[1], false);
}

static void walk_table(rewriter *w, kr_lua_expr *e, bool exact, bool cut)
{
    for (size_t i = 0; i < e->item_count; i++) {
        if (e->items[i].key)
            walk(w, e->items[i].key, false);
        kr_lua_expr *value = e->items[i].value;
        if (cut && kr_lua_bare(value)->kind == KR_LE_FUNCTION) {
            copy_to(w, value->first->start);
            put(w, "true");
            skip_to(w, value->last->end);
        } else {
            walk(w, value, exact);
        }
    }
    copy_to(w, e->last->end);
}

static void walk_call(rewriter *w, kr_lua_expr *e)
{
    const kr_global *g = e->kind == KR_LE_CALL ? global_of(e->kids[0]) : NULL;
    bool told = g && (g->kind == KR_G_DECLARE || g->kind == KR_G_TYPE);
    bool cut = g && !strcmp(g->name, "fold");
    if (told)
        copy_to(w, e->kids[0]->last->end);
    else
        walk(w, e->kids[0], false);
    if (told) {
        size_t site = new_site(w, e, NULL, NULL);
        copy_to(w, e->sign->start);
        put(w, kr_arena_printf(w->arena, "(%zu", site));
        if (e->sign->kind == '(')
            w->pos = e->sign->end;
        if (e->kid_count > 1)
            put(w, ",");
    }
    for (size_t i = 1; i < e->kid_count; i++)
        if (cut && e->kids[i]->kind == KR_LE_TABLE)
            walk_table(w, e->kids[i], true, true);
        else
            walk(w, e->kids[i], told);
    if (told && e->sign->kind != '(')
        put(w, ")");
    copy_to(w, e->last->end);
}

static void walk(rewriter *w, kr_lua_expr *e, bool exact)
{
    copy_to(w, e->first->start);
    switch (e->kind) {
    case KR_LE_NUMBER:
        walk_number(w, e, NULL, exact);
        break;
    case KR_LE_NAME:
        walk_name(w, e);
        break;
    case KR_LE_INDEX:
        walk(w, e->kids[0], false);
        if (!e->dotted)
            walk(w, e->kids[1], false);
        break;
    case KR_LE_CALL:
    case KR_LE_METHOD:
        walk_call(w, e);
        break;
    case KR_LE_BINARY:
        walk_binary(w, e);
        break;
    case KR_LE_UNARY: {
        kr_lua_expr *kid = kr_lua_bare(e->kids[0]);
        if (e->op == '-' && kid->kind == KR_LE_NUMBER && !kid->first->whole) {
            skip_to(w, kid->first->start);
            walk_number(w, kid, e->sign, exact);
            skip_to(w, e->last->end);
            return;
        }
        if (e->op == '~')
            refuse(w, KR_E_LUA_FORBIDDEN, kr_lua_token_span(w->tree, e->sign), "bit operators are not available in a rule file", NULL);
        if (e->op == KR_L_NOT)
            condition(w, e->kids[0]);
        else
            walk(w, e->kids[0], false);
        break;
    }
    case KR_LE_PAREN:
        walk(w, e->kids[0], exact);
        break;
    case KR_LE_TABLE:
        walk_table(w, e, exact, false);
        break;
    case KR_LE_FUNCTION:
        for (size_t i = 0; i < e->function->param_count; i++)
            check_name(w, e->function->params[i]->token);
        walk_block(w, e->function->body);
        break;
    case KR_LE_NIL:
    case KR_LE_TRUE:
    case KR_LE_FALSE:
    case KR_LE_STRING:
    case KR_LE_DOTS:
        break;
    }
    copy_to(w, e->last->end);
}

/* ---- statements */

static void assign_field(rewriter *w, kr_lua_expr *target, kr_lua_expr *value, bool statement)
{
    bool script = is_global(target->kids[0], "fn") && kr_lua_bare(value)->kind == KR_LE_FUNCTION;
    walk(w, target, false);
    size_t site = new_site(w, NULL, value, target);
    if (statement)
        put(w, "=");
    else
        copy_to(w, value->first->start);
    put(w, kr_arena_printf(w->arena, KR_PREFIX "at(%zu,", site));
    if (script) {
        put(w, "true");
        skip_to(w, value->last->end);
    } else {
        walk(w, value, true);
    }
    put(w, ")");
}

static void refuse_global(rewriter *w, const kr_lua_expr *target)
{
    const kr_global *g = global_of(target);
    if (g)
        refuse(w, KR_E_LUA_FORBIDDEN, kr_lua_expr_span(w->tree, target), kr_arena_printf(w->arena, "`%s` cannot be assigned to", g->name), NULL);
    else
        refuse(w, KR_E_LUA_NAME, kr_lua_expr_span(w->tree, target), kr_arena_printf(w->arena, "`%s` is not declared", target->first->text),
               kr_arena_printf(w->arena, "a variable is declared with `local %s`", target->first->text));
}

static void walk_assign(rewriter *w, const kr_lua_stat *s)
{
    bool fields = false;
    for (size_t i = 0; i < s->target_count; i++)
        fields |= s->targets[i]->kind == KR_LE_INDEX;
    if (fields && (s->target_count > 1 || s->value_count != 1)) {
        refuse(w, KR_E_LUA_FORBIDDEN, kr_lua_stat_span(w->tree, s), "one declaration is one assignment",
               "Lua assigns several from right to left, which would turn their order round");
        return;
    }
    if (fields) {
        assign_field(w, s->targets[0], s->values[0], false);
        return;
    }
    for (size_t i = 0; i < s->target_count; i++)
        if (!s->targets[i]->local)
            refuse_global(w, s->targets[i]);
    for (size_t i = 0; i < s->value_count; i++)
        walk(w, s->values[i], false);
}

static void walk_function_stat(rewriter *w, const kr_lua_stat *s)
{
    kr_lua_expr *target = s->targets[0];
    if (target->kind == KR_LE_NAME) {
        if (!target->local)
            refuse_global(w, target);
        copy_to(w, target->last->end);
        walk(w, s->values[0], false);
        return;
    }
    if (is_global(target->kids[0], "fn")) { /* function fn.x() … end is fn.x = function() … end */
        skip_to(w, target->first->start);
        assign_field(w, target, s->values[0], true);
        return;
    }
    copy_to(w, target->last->end);
    for (size_t i = 0; i < s->values[0]->function->param_count; i++)
        check_name(w, s->values[0]->function->params[i]->token);
    walk_block(w, s->values[0]->function->body);
}

static void walk_stat(rewriter *w, const kr_lua_stat *s)
{
    const kr_lua_stat *outer = w->stat;
    w->stat = s;
    copy_to(w, s->first->start);
    for (size_t i = 0; i < s->local_count; i++)
        check_name(w, s->locals[i]->token);
    switch (s->kind) {
    case KR_LS_ASSIGN:
        walk_assign(w, s);
        break;
    case KR_LS_FUNCTION:
        walk_function_stat(w, s);
        break;
    case KR_LS_IF:
        for (size_t i = 0; i < s->block_count; i++) {
            if (i < s->value_count)
                condition(w, s->values[i]);
            walk_block(w, s->blocks[i]);
        }
        break;
    case KR_LS_WHILE:
        condition(w, s->values[0]);
        walk_block(w, s->blocks[0]);
        break;
    case KR_LS_REPEAT:
        walk_block(w, s->blocks[0]);
        condition(w, s->values[0]);
        break;
    default:
        for (size_t i = 0; i < s->value_count; i++)
            walk(w, s->values[i], false);
        for (size_t i = 0; i < s->block_count; i++)
            walk_block(w, s->blocks[i]);
    }
    copy_to(w, s->last->end);
    w->stat = outer;
}

static void walk_block(rewriter *w, const kr_lua_block *b)
{
    for (size_t i = 0; i < b->count; i++)
        walk_stat(w, b->stats[i]);
}

bool kr_lua_rewrite(kr_lua_tree *tree, kr_rewritten *out, kr_diags *diags)
{
    const kr_source *source = tree->tokens.source;
    rewriter w = { .arena = tree->arena, .out = { .arena = tree->arena }, .tree = tree, .text = source->text, .result = out, .diags = diags, .good = true };
    *out = (kr_rewritten){ 0 };
    put(&w, "");
    skip_to(&w, tree->tokens.at[0].trivia); /* a byte order mark, a #! line */
    walk_block(&w, tree->main->body);
    copy_to(&w, source->len);
    out->text = w.out.text;
    out->len = w.out.len;
    return w.good;
}
