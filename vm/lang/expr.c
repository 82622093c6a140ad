/* expr.c: a checked formula as text. The text is a formula again: defines are written out, every match is said, operators have the
 * brackets they need and no others. Two formulas of one meaning print alike; names of functions are in capitals. */
#include "vm/lang/expr.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "vm/text/buf.h"
#include "vm/text/time.h"

typedef struct out {
    kr_buf buf;
    const kr_model *model; /* NULL: match text only, parameters by number */
} out;

static void put(out *o, const char *text) { kr_buf_put(&o->buf, text); }

/* ------------------------------------------------------------------------------------------------ precedence */

enum { P_COMPARE = 1, P_JOIN, P_ADD, P_MUL, P_POWER, P_SIGN, P_PERCENT, P_ATOM };

/* AS(x, "unit") is x to whoever computes; only its node tells. */
static bool is_as(const kr_expr *e) { return e->node && e->node->kind == KR_N_CALL && strcasecmp(e->node->text, "AS") == 0; }

static int level_of(const kr_expr *e)
{
    if (e->kind == KR_X_CONST && e->type == KR_T_NUMBER && e->value.hi < 0)
        return P_SIGN;
    if (e->kind != KR_X_CALL)
        return P_ATOM;
    static const struct { const char *name; int level; } levels[] = {
        { "=", P_COMPARE }, { "<>", P_COMPARE }, { "<", P_COMPARE }, { "<=", P_COMPARE }, { ">", P_COMPARE }, { ">=", P_COMPARE }, { "&", P_JOIN },
        { "+", P_ADD },     { "-", P_ADD },      { "*", P_MUL },     { "/", P_MUL },      { "^", P_POWER },   { "neg", P_SIGN },  { "%", P_PERCENT },
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(levels[i].name, e->fn->name) == 0)
            return levels[i].level;
    return P_ATOM;
}

static int precedence(const kr_expr *e) { return is_as(e) ? P_ATOM : level_of(e); }

static void put_expr(out *o, const kr_expr *e);

/* A kid of an operator, in brackets when it binds less than `least`. */
static void put_kid(out *o, const kr_expr *kid, int least)
{
    bool brackets = precedence(kid) < least;
    if (brackets)
        put(o, "(");
    put_expr(o, kid);
    if (brackets)
        put(o, ")");
}

/* ------------------------------------------------------------------------------------------------ parts */

static void put_quoted(out *o, const char *text, size_t len)
{
    put(o, "'");
    for (size_t i = 0; i < len; i++) {
        kr_buf_bytes(&o->buf, text + i, 1);
        if (text[i] == '\'')
            put(o, "'");
    }
    put(o, "'");
}

static void put_const(out *o, const kr_expr *e)
{
    char text[KR_NUM_TEXT];
    if (kr_is_special(e->value)) {
        put(o, kr_is_blank(e->value) ? "BLANK()" : kr_special_name(e->value));
    } else if (e->type == KR_T_NUMBER) {
        kr_num_write(e->value, text);
        put(o, text);
    } else if (e->type == KR_T_BOOLEAN) {
        put(o, kr_cell_is_true(e->value) ? "TRUE" : "FALSE");
    } else if (e->type == KR_T_DAY) {
        char day[16];
        put(o, "DAY(");
        put_quoted(o, day, kr_day_write(kr_cell_int(e->value), day));
        put(o, ")");
    } else if (e->type == KR_T_TIME) {
        char ms[32];
        kr_time_write(kr_cell_int(e->value), ms);
        put(o, "TIME(");
        put(o, ms);
        put(o, ")");
    } else if (o->model) {
        size_t len;
        const char *bytes = kr_pool_text(o->model->pool, (uint32_t)kr_cell_int(e->value), &len);
        put_quoted(o, bytes, len);
    } else {
        put(o, "'…'");
    }
}

static void put_column(out *o, const kr_expr *e)
{
    if (e->frame == 1) {
        put(o, e->column->sheet->name);
        put(o, ".");
    }
    put(o, e->column->name);
}

static bool same_name(const kr_match *m)
{
    return m->near->kind == KR_X_COLUMN && m->near->frame == 0 && strcmp(m->near->column->name, m->far->name) == 0;
}

static void put_by_names(out *o, const kr_match *match, int count)
{
    put(o, "BY ");
    if (count == 0)
        put(o, "()");
    for (int i = 0; i < count; i++) {
        put(o, i > 0 ? ", " : "");
        put(o, match[i].far->name);
    }
}

static void put_equalities(out *o, const kr_match *match, int count)
{
    for (int i = 0; i < count; i++) {
        put(o, i > 0 ? ", " : "");
        put(o, match[i].far->sheet->name);
        put(o, ".");
        put(o, match[i].far->name);
        put(o, " = ");
        put_kid(o, match[i].near, P_JOIN);
    }
}

static void put_args(out *o, const kr_expr *e)
{
    for (int i = 0; i < e->arg_count; i++) {
        put(o, i > 0 ? ", " : "");
        put_expr(o, e->args[i]);
        if (e->descending)
            put(o, e->descending[i] ? " DESC" : " ASC");
    }
}

static void put_where(out *o, const kr_expr *where)
{
    if (!where)
        return;
    put(o, " WHERE ");
    put_expr(o, where);
}

static void put_operator(out *o, const kr_expr *e)
{
    const char *name = e->fn->name;
    int level = level_of(e);
    if (level == P_SIGN) {
        put(o, "-");
        put_kid(o, e->args[0], P_SIGN);
    } else if (level == P_PERCENT) {
        put_kid(o, e->args[0], P_PERCENT);
        put(o, "%");
    } else { /* left to right: a kid of one rank needs brackets on the right only; a comparison never has one as a kid */
        put_kid(o, e->args[0], level == P_COMPARE ? level + 1 : level);
        put(o, " ");
        put(o, name);
        put(o, " ");
        put_kid(o, e->args[1], level + 1);
    }
}

static void put_component(out *o, const kr_expr *e)
{
    put(o, e->fn->name);
    put(o, "(");
    put_args(o, e);
    for (int i = 0; i < e->edges_count; i++) {
        const kr_edges *g = &e->edges[i];
        const kr_column_def *columns[4] = { g->a, g->b, g->time, g->barred };
        put(o, ", EDGES(");
        for (int k = 0; k < 4 && columns[k]; k++) {
            put(o, k > 0 ? ", " : "");
            put(o, g->sheet->name);
            put(o, ".");
            put(o, columns[k]->name);
        }
        put_where(o, g->where);
        put(o, ")");
    }
    put(o, " ");
    put_by_names(o, e->edges[0].match, e->edges[0].match_count);
    put(o, ")");
}

static void put_call(out *o, const kr_expr *e)
{
    put(o, e->fn->name);
    put(o, "(");
    put_args(o, e);
    if (e->kind == KR_X_PREV && e->count && !(e->count->kind == KR_X_CONST && kr_raw_eq(e->count->value, KR_NUM_ONE))) {
        put(o, e->arg_count == 1 ? ", BLANK(), " : ", ");
        put_expr(o, e->count);
    }
    put_where(o, e->where);
    if (e->kind == KR_X_AGG || e->kind == KR_X_ARG || e->kind == KR_X_SEQUENCE) {
        put(o, " ");
        put_by_names(o, e->match, e->match_count);
    } else if (e->kind == KR_X_SHARE) {
        put(o, " BY ");
        put(o, e->by_count == 0 ? "()" : "");
        for (int i = 0; i < e->by_count; i++) {
            put(o, i > 0 ? ", " : "");
            put(o, e->by[i]->name);
        }
    }
    put(o, ")");
}

static void put_window(out *o, const kr_expr *e)
{
    put(o, e->fn->name);
    put(o, "(");
    for (int i = 0; i < e->arg_count; i++) {
        put(o, i > 0 ? ", " : "");
        if (i < e->series_count)
            put(o, e->form == KR_FORM_LAST ? "LAST(" : "DAYS(");
        put_expr(o, e->args[i]);
        if (i < e->series_count) {
            put(o, ", ");
            put_expr(o, e->count);
            put(o, ")");
        }
    }
    put(o, ")");
}

static void put_value(out *o, const kr_expr *e)
{
    switch (e->kind) {
    case KR_X_CONST: put_const(o, e); break;
    case KR_X_PARAM: put(o, o->model ? o->model->params[e->param].name : "parameter"); break;
    case KR_X_COLUMN: put_column(o, e); break;
    case KR_X_CALL:
        if (level_of(e) < P_ATOM)
            put_operator(o, e);
        else
            put_call(o, e);
        break;
    case KR_X_USER:
        put(o, o->model ? o->model->user_fns[e->user].name : "function");
        put(o, "(");
        put_args(o, e);
        put(o, ")");
        break;
    case KR_X_LOOKUP:
        put(o, "LOOKUP(");
        put(o, e->sheet->name);
        put(o, ".");
        put(o, e->column->name);
        put(o, ", ");
        put_equalities(o, e->match, e->match_count);
        put(o, ")");
        break;
    case KR_X_ROWLIST:
        put(o, "{");
        put_args(o, e);
        put(o, "}");
        break;
    case KR_X_WINDOW: put_window(o, e); break;
    case KR_X_COMPONENT:
    case KR_X_HOPS: put_component(o, e); break;
    case KR_X_AGG:
    case KR_X_LIST:
    case KR_X_PREV:
    case KR_X_RUN:
    case KR_X_SEQUENCE:
    case KR_X_ARG:
    case KR_X_SHARE: put_call(o, e); break;
    }
}

static void put_expr(out *o, const kr_expr *e)
{
    bool as = is_as(e);
    if (as)
        put(o, "AS(");
    put_value(o, e);
    if (as) {
        put(o, ", '");
        put(o, kr_unit_write(o->buf.arena, &e->unit));
        put(o, "')");
    }
}

char *kr_expr_print(kr_arena *arena, const kr_model *model, const kr_expr *expr)
{
    out o = { .buf = { .arena = arena }, .model = model };
    put(&o, "");
    put_expr(&o, expr);
    return o.buf.text;
}

char *kr_expr_match_text(kr_arena *arena, const kr_expr *expr)
{
    out o = { .buf = { .arena = arena } };
    put(&o, "");
    if (expr->kind == KR_X_SHARE) {
        put(&o, expr->by_count == 0 ? "BY ()" : "BY ");
        for (int i = 0; i < expr->by_count; i++) {
            put(&o, i > 0 ? ", " : "");
            put(&o, expr->by[i]->name);
        }
        return o.buf.text;
    }
    bool graph = expr->kind == KR_X_COMPONENT || expr->kind == KR_X_HOPS;
    const kr_match *match = graph ? expr->edges[0].match : expr->match;
    int count = graph ? expr->edges[0].match_count : expr->match_count;
    bool by = expr->kind != KR_X_LOOKUP;
    for (int i = 0; i < count; i++)
        by &= same_name(&match[i]);
    if (by && (count > 0 || expr->kind == KR_X_AGG || expr->kind == KR_X_ARG || expr->kind == KR_X_SEQUENCE || graph))
        put_by_names(&o, match, count);
    else
        put_equalities(&o, match, count);
    return o.buf.text;
}
