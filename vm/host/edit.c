/* edit.c: new values in the text of a rule file. Only the literal changes: comments, layout and order stay, so that a reader of
 * the difference sees what was proposed and nothing else. */
#include <string.h>

#include "vm/host/host.h"
#include "vm/host/lua_ast.h"

typedef struct piece { /* bytes [start, end) become text */
    uint32_t start, end;
    const char *text;
} piece;

typedef struct editor {
    kr_arena *arena;
    kr_lua_tree *tree;
    kr_diags *diags;
    piece *pieces;
    size_t count, capacity;
} editor;

/* A numeral that Lua reads, and we exactly: digits, a point, an exponent, a sign before. */
static bool is_numeral(const char *text)
{
    kr_num value;
    if (*text == '-')
        text++;
    if (*text < '0' || *text > '9' || strpbrk(text, "_%+xX ") || strchr(text, '-'))
        return false;
    return kr_num_read(text, strlen(text), &value, NULL) == KR_READ_OK;
}

static char *quoted(kr_arena *arena, const char *value)
{
    size_t len = 2;
    for (const char *c = value; *c; c++)
        len += 4;
    char *out = kr_arena_alloc(arena, len + 1), *at = out;
    *at++ = '"';
    for (const char *c = value; *c; c++) {
        unsigned char b = (unsigned char)*c;
        if (b == '"' || b == '\\') {
            *at++ = '\\';
            *at++ = *c;
        } else if (b < 0x20 || b == 0x7F) { /* \ddd */
            *at++ = '\\';
            *at++ = (char)('0' + b / 100);
            *at++ = (char)('0' + b / 10 % 10);
            *at++ = (char)('0' + b % 10);
        } else {
            *at++ = *c;
        }
    }
    *at++ = '"';
    *at = 0;
    return out;
}

static bool is_literal(const kr_lua_expr *e)
{
    if (e->kind == KR_LE_UNARY && e->op == '-')
        e = e->kids[0];
    return e->kind == KR_LE_NUMBER || e->kind == KR_LE_STRING || e->kind == KR_LE_TRUE || e->kind == KR_LE_FALSE;
}

/* In the manner of what stands there: text stays text, a number stays one when the new value is one. */
static char *written(editor *ed, const kr_lua_expr *old, const char *value)
{
    bool word = !strcmp(value, "true") || !strcmp(value, "false");
    bool text = old ? old->kind == KR_LE_STRING : false;
    if (!text && (is_numeral(value) || word))
        return kr_arena_copy(ed->arena, value, strlen(value));
    return quoted(ed->arena, value);
}

static void replace(editor *ed, uint32_t start, uint32_t end, const char *text)
{
    piece p = { start, end, text };
    for (size_t i = 0; i < ed->count; i++)
        if (ed->pieces[i].start == start && ed->pieces[i].end == end && end > start) { /* edited twice: the last counts */
            ed->pieces[i].text = text;
            return;
        }
    size_t at = ed->count;
    KR_PUSH(ed->arena, ed->pieces, ed->count, ed->capacity) = p;
    while (at > 0 && ed->pieces[at - 1].start > start) { /* in the order of the file */
        ed->pieces[at] = ed->pieces[at - 1];
        at--;
    }
    ed->pieces[at] = p;
}

/* ---- finding */

static const kr_lua_expr *param_in(const kr_lua_block *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++) {
        const kr_lua_stat *s = b->stats[i];
        for (size_t k = 0; k < s->block_count; k++) {
            const kr_lua_expr *found = param_in(s->blocks[k], name);
            if (found)
                return found;
        }
        if (s->kind != KR_LS_ASSIGN || s->target_count != 1 || s->value_count != 1 || s->targets[0]->kind != KR_LE_INDEX)
            continue;
        const kr_lua_expr *of = s->targets[0]->kids[0], *key = kr_lua_bare(s->targets[0]->kids[1]);
        if (of->kind == KR_LE_NAME && !of->local && !strcmp(of->first->text, "param") && key->kind == KR_LE_STRING && !strcmp(key->first->text, name))
            return kr_lua_bare(s->values[0]);
    }
    return NULL;
}

static const kr_lua_expr *header_in(const kr_lua_tree *tree)
{
    const kr_lua_block *b = tree->main->body;
    for (size_t i = 0; i < b->count; i++) {
        const kr_lua_expr *e = b->stats[i]->kind == KR_LS_CALL ? b->stats[i]->values[0] : NULL;
        if (e && e->kind == KR_LE_CALL && e->kids[0]->kind == KR_LE_NAME && !e->kids[0]->local && !strcmp(e->kids[0]->first->text, "rulebook") &&
            e->kid_count == 2 && kr_lua_bare(e->kids[1])->kind == KR_LE_TABLE)
            return kr_lua_bare(e->kids[1]);
    }
    return NULL;
}

/* ---- edits */

static bool edit_param(editor *ed, const kr_edit *edit)
{
    const kr_lua_expr *value = param_in(ed->tree->main->body, edit->name);
    kr_span place = { ed->tree->tokens.source, 0, 0 };
    if (!value) {
        kr_diag_add(ed->diags, KR_E_LUA_NAME, place, "the rule file declares no parameter `%s` by that name", edit->name);
        return false;
    }
    if (value->kind == KR_LE_TABLE) { /* { value, min = … } */
        const kr_lua_expr *first = NULL;
        for (size_t i = 0; i < value->item_count && !first; i++)
            first = value->items[i].key ? NULL : kr_lua_bare(value->items[i].value);
        value = first ? first : value;
    }
    if (!is_literal(value)) {
        kr_diag_add(ed->diags, KR_E_DECLARE_VALUE, kr_lua_expr_span(ed->tree, value), "the value of `%s` is not written out here", edit->name);
        return false;
    }
    replace(ed, value->first->start, value->last->end, written(ed, value, edit->value));
    return true;
}

static bool edit_header(editor *ed, const kr_edit *edit)
{
    const kr_lua_expr *table = header_in(ed->tree);
    if (!table) {
        kr_diag_add(ed->diags, KR_E_HEADER, (kr_span){ ed->tree->tokens.source, 0, 0 }, "the file declares no rulebook");
        return false;
    }
    for (size_t i = 0; i < table->item_count; i++) {
        const kr_lua_expr *value = kr_lua_bare(table->items[i].value);
        if (!table->items[i].name || strcmp(table->items[i].name, edit->name))
            continue;
        if (!is_literal(value)) {
            kr_diag_add(ed->diags, KR_E_DECLARE_VALUE, kr_lua_expr_span(ed->tree, value), "`%s` is not written out here", edit->name);
            return false;
        }
        replace(ed, value->first->start, value->last->end, written(ed, value, edit->value));
        return true;
    }
    const kr_lua_token *before = table->last - 1; /* the last token inside the braces, or the opening one */
    bool separated = before->kind == ',' || before->kind == ';' || before->kind == '{';
    replace(ed, before->end, before->end, kr_arena_printf(ed->arena, "%s %s = %s%s", separated ? "" : ",", edit->name, written(ed, NULL, edit->value),
                                                          separated && before->kind != '{' ? "," : ""));
    return true;
}

char *kr_rewrite_text(kr_arena *arena, const char *name, const char *text, size_t len, const kr_edit *edits, size_t count, kr_diags *diags)
{
    editor ed = { .arena = arena, .diags = diags };
    const kr_source *source = kr_source_new(arena, name, text, len);
    ed.tree = kr_lua_parse(arena, source, diags);
    bool good = ed.tree != NULL;
    for (size_t i = 0; ed.tree && i < count; i++)
        good &= edits[i].header ? edit_header(&ed, &edits[i]) : edit_param(&ed, &edits[i]);
    if (!good)
        return NULL;
    size_t size = len + 1;
    for (size_t i = 0; i < ed.count; i++)
        size += strlen(ed.pieces[i].text);
    char *out = kr_arena_alloc(arena, size), *at = out;
    uint32_t from = 0;
    for (size_t i = 0; i < ed.count; i++) {
        const piece *p = &ed.pieces[i];
        memcpy(at, source->text + from, p->start - from);
        at += p->start - from;
        memcpy(at, p->text, strlen(p->text));
        at += strlen(p->text);
        from = p->end;
    }
    memcpy(at, source->text + from, len - from);
    at[len - from] = 0;
    return out;
}
