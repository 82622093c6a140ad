/* check_expand.c: defines are expanded before anything is checked: a copy of the tree in which each call of a define is its body
 * with the arguments' trees in place of their names. Every node keeps the fragment it was written in. */
#include "vm/lang/check_internal.h"

#include <string.h>
#include <strings.h>

enum { MAX_NODES = 200000, MAX_DEPTH = 60, MAX_LEVEL = 2500 }; /* the last for the stack of whoever walks the tree */

typedef struct frame { /* one define being expanded */
    const kr_define *define;
    kr_node **args;           /* already expanded */
    const struct frame *outer;
    int depth;
} frame;

static kr_node *expand(kr_checker *c, const kr_node *node, const frame *in);

static kr_node *argument(const frame *in, const char *name)
{
    if (in)
        for (int i = 0; i < in->define->arg_count; i++)
            if (strcmp(in->define->args[i], name) == 0)
                return in->args[i];
    return NULL;
}

static kr_node *copy_node(kr_checker *c, const kr_node *node)
{
    kr_node *copy = KR_NEW(c->arena, kr_node);
    *copy = *node;
    c->expanded++;
    return copy;
}

static bool too_big(kr_checker *c, const kr_node *node)
{
    if (c->expanded <= MAX_NODES && c->level <= MAX_LEVEL)
        return false;
    if (c->expanded < 2 * MAX_NODES) { /* once a formula */
        if (c->level > MAX_LEVEL)
            kr_check_error(c, KR_E_TOO_BIG, node, "the formula is nested more than %d deep once its defines are written out", MAX_LEVEL);
        else
            kr_check_error(c, KR_E_TOO_BIG, node, "the formula has more than %d parts once its defines are written out", MAX_NODES);
        c->expanded = 2 * MAX_NODES;
    }
    return true;
}

/* A further copy of an expanded argument: trees never share parts, so their size is what walking them costs. */
static kr_node *clone(kr_checker *c, const kr_node *node)
{
    if (too_big(c, node))
        return NULL;
    kr_node *copy = copy_node(c, node);
    bool ok = true;
    c->level++;
    if (node->kid_count > 0) {
        copy->kids = KR_NEW_ARRAY(c->arena, kr_node *, node->kid_count);
        for (int i = 0; i < node->kid_count && ok; i++)
            ok = (copy->kids[i] = clone(c, node->kids[i])) != NULL;
    }
    if (node->where && ok)
        ok = (copy->where = clone(c, node->where)) != NULL;
    c->level--;
    return ok ? copy : NULL;
}

static bool expand_kids(kr_checker *c, const kr_node *node, const frame *in, kr_node **out)
{
    bool ok = true;
    for (int i = 0; i < node->kid_count; i++) {
        out[i] = expand(c, node->kids[i], in);
        ok &= out[i] != NULL;
    }
    return ok;
}

static kr_node *expand_define(kr_checker *c, const kr_node *call, const kr_define *define, const frame *in)
{
    if (call->kid_count != define->arg_count) {
        kr_diag *d = kr_check_error_name(c, KR_E_ARGUMENTS, call, "`%s` takes %d argument%s, not %d", define->name, define->arg_count,
                                         define->arg_count == 1 ? "" : "s", call->kid_count);
        kr_diag_window(c->diags, d, define->span, "defined here");
        return NULL;
    }
    if (call->where || call->has_by) {
        kr_diag *d = kr_check_error_name(c, KR_E_CLAUSE, call, "`%s` is a define: it takes no %s", define->name, call->where ? "WHERE" : "BY");
        kr_check_help(c, d, "write it inside the body of the define");
        return NULL;
    }
    for (const frame *f = in; f; f = f->outer)
        if (f->define == define) {
            kr_diag *d = kr_check_error_name(c, KR_E_DEFINE_RECURSION, call, "define `%s` uses itself", define->name);
            kr_check_help(c, d, "a define is replaced by its body; to go back in time, write PREV in a column");
            return NULL;
        }
    if (!define->body.tree)
        return NULL; /* did not parse: reported */
    frame inner = { define, KR_NEW_ARRAY(c->arena, kr_node *, call->kid_count), in, in ? in->depth + 1 : 1 };
    if (!expand_kids(c, call, in, inner.args))
        return NULL;
    if (inner.depth > MAX_DEPTH) {
        kr_check_error_name(c, KR_E_TOO_BIG, call, "defines are nested more than %d deep", MAX_DEPTH);
        return NULL;
    }
    return expand(c, define->body.tree, &inner);
}

static kr_node *expand_parts(kr_checker *c, const kr_node *node, const frame *in)
{
    if (node->kind == KR_N_NAME) {
        kr_node *value = argument(in, node->text);
        return value ? clone(c, value) : copy_node(c, node);
    }
    if (node->kind == KR_N_CALL) {
        const kr_define *define = kr_model_define(c->model, node->text);
        if (define)
            return expand_define(c, node, define, in);
    }
    kr_node *copy = copy_node(c, node);
    bool ok = true;
    if (node->kind == KR_N_DOT) {
        kr_node *value = argument(in, node->text);
        if (value) {
            if (value->kind != KR_N_NAME) {
                kr_check_error(c, KR_E_UNKNOWN_SHEET, value, "this argument stands before a point in the define and must be the name of a sheet");
                return NULL;
            }
            copy->text = value->text;
        }
    }
    if (node->kid_count > 0) {
        copy->kids = KR_NEW_ARRAY(c->arena, kr_node *, node->kid_count);
        ok &= expand_kids(c, node, in, copy->kids);
    }
    if (node->where)
        ok &= (copy->where = expand(c, node->where, in)) != NULL;
    if (node->by_count > 0) {
        copy->by = KR_NEW_ARRAY(c->arena, kr_node *, node->by_count);
        for (int i = 0; i < node->by_count; i++) {
            copy->by[i] = expand(c, node->by[i], in);
            if (copy->by[i] && copy->by[i]->kind != KR_N_NAME) {
                kr_check_error(c, KR_E_BY, copy->by[i], "BY lists names of columns, and this argument of the define is a formula");
                copy->by[i] = NULL;
            }
            ok &= copy->by[i] != NULL;
        }
    }
    return ok ? copy : NULL;
}

static kr_node *expand(kr_checker *c, const kr_node *node, const frame *in)
{
    if (too_big(c, node))
        return NULL;
    c->level++;
    kr_node *out = expand_parts(c, node, in);
    c->level--;
    return out;
}

kr_node *kr_expand(kr_checker *c, kr_node *tree)
{
    c->expanded = 0;
    c->level = 0;
    return expand(c, tree, NULL);
}

/* ------------------------------------------------------------------------------------------------ which sheet ranges */

bool kr_is_form(const kr_checker *c, const kr_node *node, kr_form form)
{
    if (node->kind != KR_N_CALL)
        return false;
    const kr_fn *fn = kr_fn_find(c->model->families, node->text, strlen(node->text));
    return fn && fn->form == form;
}

typedef struct range {
    kr_checker *c;
    const kr_sheet *own;
    kr_sheet *found;   /* the first that is not the own sheet, else the own */
    bool ok;
} range;

static void note_sheet(range *r, const kr_node *dot)
{
    kr_sheet *sheet = kr_named_sheet(r->c, dot);
    if (!sheet)
        r->ok = false;
    else if (!r->found || (r->found == r->own && sheet != r->own))
        r->found = sheet;
}

static void find_in(range *r, const kr_node *node)
{
    if (node->kind == KR_N_DOT) {
        if (r->ok)
            note_sheet(r, node);
        return;
    }
    if (kr_is_form(r->c, node, KR_FORM_LOOKUP)) {
        const char *target = node->kid_count > 0 && node->kids[0]->kind == KR_N_DOT ? node->kids[0]->text : "";
        for (int i = 1; i < node->kid_count; i++) {
            const kr_node *match = node->kids[i];
            if (match->kind != KR_N_BINARY || match->op != '=') {
                find_in(r, match);
                continue;
            }
            bool left = match->kids[0]->kind == KR_N_DOT && strcmp(match->kids[0]->text, target) == 0;
            bool right = match->kids[1]->kind == KR_N_DOT && strcmp(match->kids[1]->text, target) == 0;
            if (!left)
                find_in(r, match->kids[0]);
            if (left || !right)
                find_in(r, match->kids[1]);
        }
        return;
    }
    for (int i = 0; i < node->kid_count; i++)
        find_in(r, node->kids[i]);
    if (node->where)
        find_in(r, node->where);
}

bool kr_find_range(kr_checker *c, kr_node *const *trees, int count, kr_node *where, const kr_sheet *own, kr_sheet **sheet)
{
    range r = { c, own, NULL, true };
    for (int i = 0; i < count; i++)
        find_in(&r, trees[i]);
    if (where)
        find_in(&r, where);
    *sheet = r.found;
    return r.ok;
}
