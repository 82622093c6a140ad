#include "vm/lang/canon.h"

#include <stdlib.h>
#include <string.h>

#include "vm/lang/script_tree.h"
#include "vm/text/buf.h"
#include "vm/text/time.h"

typedef struct out {
    kr_buf buf;
    const kr_model *model;
} out;

static void put(out *o, const char *text) { kr_buf_put(&o->buf, text); }

static void put_number(out *o, long long number) { put(o, kr_arena_printf(o->buf.arena, "%lld", number)); }

/* Length first, so that no text can be taken for another. */
static void put_text(out *o, const char *text)
{
    put_number(o, (long long)strlen(text));
    put(o, ":");
    put(o, text);
}

static void put_names(out *o, const char *word, const char *const *names, int count)
{
    if (!count)
        return;
    put(o, word);
    for (int i = 0; i < count; i++) {
        put(o, i ? ", " : " ");
        put(o, names[i] ? names[i] : "-");
    }
}

char *kr_value_print(kr_arena *arena, const kr_model *model, kr_type type, kr_cell cell)
{
    char number[KR_NUM_TEXT], day[16];
    size_t len;
    if (kr_is_special(cell)) { /* blank, or an error code */
        number[kr_num_write(cell, number)] = 0;
        return *number ? kr_arena_printf(arena, "%s", number) : kr_arena_printf(arena, "blank");
    }
    switch (type) {
    case KR_T_BOOLEAN: return kr_arena_printf(arena, "%s", kr_cell_int(cell) ? "true" : "false");
    case KR_T_DAY: kr_day_write(kr_cell_int(cell), day); return kr_arena_printf(arena, "%s", day);
    case KR_T_TIME: return kr_arena_printf(arena, "time %lld", (long long)kr_cell_int(cell));
    case KR_T_TEXT:
    case KR_T_BYTES: {
        const char *bytes = kr_pool_text(model->pool, (uint32_t)kr_cell_int(cell), &len);
        static const char hex[] = "0123456789abcdef";
        char *digits = kr_arena_alloc(arena, 2 * len + 1);
        for (size_t i = 0; i < len; i++) {
            digits[2 * i] = hex[(unsigned char)bytes[i] >> 4];
            digits[2 * i + 1] = hex[(unsigned char)bytes[i] & 15];
        }
        return kr_arena_printf(arena, "%s x%s", kr_type_name(type), digits);
    }
    default:
        number[kr_num_write(cell, number)] = 0;
        return kr_arena_printf(arena, "%s", number);
    }
}

static void put_formula(out *o, const char *word, const kr_formula *formula)
{
    if (!formula->expr)
        return;
    put(o, " ");
    put(o, word);
    put(o, " ");
    put_text(o, kr_expr_print(o->buf.arena, o->model, formula->expr));
}

/* ------------------------------------------------------------------ bodies of functions: one bracketed form a node */

static void put_block(out *o, const kr_sblock *block, const kr_script *script);

static void put_sexpr(out *o, const kr_sexpr *e, const kr_script *script)
{
    static const char *const words[] = {
        [KR_SE_CONST] = "const", [KR_SE_LOCAL] = "local", [KR_SE_PARAM] = "param", [KR_SE_STATE] = "state", [KR_SE_ROW] = "row", [KR_SE_ITEM] = "item", [KR_SE_COUNT] = "count",
        [KR_SE_TAKE] = "take", [KR_SE_NOT] = "not", [KR_SE_AND] = "and", [KR_SE_OR] = "or", [KR_SE_IS_BLANK] = "blank?", [KR_SE_CALL] = "call", [KR_SE_FLOOR_DIV] = "floor",
    };
    if (!e) {
        put(o, "()");
        return;
    }
    put(o, "(");
    put(o, words[e->kind]);
    put(o, " ");
    switch (e->kind) {
    case KR_SE_CONST: put(o, kr_value_print(o->buf.arena, o->model, e->type, e->value)); break;
    case KR_SE_LOCAL: put_number(o, e->slot); break;
    case KR_SE_STATE:
    case KR_SE_ITEM:
    case KR_SE_COUNT:
    case KR_SE_TAKE: put(o, script->fold ? script->fold->state[e->state].name : "?"); break;
    case KR_SE_CALL: put(o, e->script ? "fn." : ""); put(o, e->fn ? e->fn->name : e->name); break;
    default: put(o, e->name ? e->name : ""); break;
    }
    for (int i = 0; i < e->kid_count; i++) {
        put(o, " ");
        put_sexpr(o, e->kids[i], script);
    }
    put(o, ")");
}

static void put_stat(out *o, const kr_sstat *s, const kr_script *script)
{
    static const char *const words[] = {
        [KR_SS_SET] = "set", [KR_SS_STATE] = "state", [KR_SS_ITEM] = "item", [KR_SS_APPEND] = "append", [KR_SS_EVAL] = "eval", [KR_SS_EMIT] = "emit", [KR_SS_SETS] = "sets", [KR_SS_IF] = "if",
        [KR_SS_WHILE] = "while", [KR_SS_REPEAT] = "repeat", [KR_SS_FOR] = "for", [KR_SS_EACH] = "each", [KR_SS_DO] = "do", [KR_SS_BREAK] = "break", [KR_SS_RETURN] = "return",
    };
    bool state = s->kind == KR_SS_STATE || s->kind == KR_SS_ITEM || s->kind == KR_SS_APPEND || s->kind == KR_SS_EACH;
    put(o, "{");
    put(o, words[s->kind]);
    if (s->kind == KR_SS_SET || s->kind == KR_SS_FOR || s->kind == KR_SS_EACH) {
        put(o, " ");
        put_number(o, s->slot);
    }
    if (s->kind == KR_SS_EACH) {
        put(o, " ");
        put_number(o, s->slot2);
    }
    if (state) {
        put(o, " ");
        put(o, script->fold->state[s->state].name);
    }
    if (s->key) {
        put(o, " ");
        put_sexpr(o, s->key, script);
    }
    if (s->value) {
        put(o, " ");
        put_sexpr(o, s->value, script);
    }
    for (int i = 0; i < s->value_count; i++) {
        put(o, " ");
        put(o, s->names ? s->names[i] : "");
        put_sexpr(o, s->values[i], script);
    }
    for (int i = 0; i < s->part_count; i++)
        put_stat(o, s->parts[i], script);
    for (int i = 0; i < s->block_count; i++)
        put_block(o, s->blocks[i], script);
    put(o, "}");
}

static void put_block(out *o, const kr_sblock *block, const kr_script *script)
{
    put(o, "[");
    for (size_t i = 0; block && i < block->count; i++)
        put_stat(o, block->stats[i], script);
    put(o, "]");
}

char *kr_script_print(kr_arena *arena, const kr_model *model, const kr_script *script)
{
    out o = { .buf = { .arena = arena }, .model = model };
    put(&o, "function ");
    put_number(&o, script->arg_count);
    put(&o, " ");
    put_block(&o, script->body, script);
    return o.buf.text;
}

/* ------------------------------------------------------------------ declarations */

static void put_domain(out *o, const kr_domain *d)
{
    put(o, d->whole ? " whole" : "");
    put(o, d->address ? " address" : "");
    put(o, d->required ? " required" : "");
    const struct { bool has; const char *word; kr_num value; } bounds[] = {
        { d->has_above, " above ", d->above }, { d->has_below, " below ", d->below }, { d->has_min, " min ", d->min }, { d->has_max, " max ", d->max },
    };
    for (size_t i = 0; i < 4; i++)
        if (bounds[i].has) {
            put(o, bounds[i].word);
            put(o, kr_value_print(o->buf.arena, o->model, KR_T_NUMBER, bounds[i].value));
        }
    for (int i = 0; i < d->one_of_count; i++) {
        put(o, i ? ", " : " one of ");
        put_text(o, d->one_of[i]);
    }
}

static void put_rows(out *o, const kr_rows *rows)
{
    static const char *const words[] = {
        [KR_ROWS_DATA] = "data", [KR_ROWS_CROSS] = "cross", [KR_ROWS_UNION] = "union", [KR_ROWS_COLUMN] = "column", [KR_ROWS_DAYS] = "days", [KR_ROWS_RANGE] = "range",
        [KR_ROWS_DISTINCT] = "distinct", [KR_ROWS_JOIN] = "join", [KR_ROWS_FOLD] = "fold",
    };
    put(o, "(");
    put(o, words[rows->kind]);
    put_names(o, " gives", rows->columns, rows->column_count);
    put_names(o, " from", rows->from, rows->from ? rows->column_count : 0);
    put_names(o, " of", &rows->sheet_name, rows->sheet_name != NULL);
    put_names(o, " and", &rows->sheet_name_b, rows->sheet_name_b != NULL);
    put_names(o, " on", rows->on, rows->on_count);
    put_formula(o, "where", &rows->where);
    put_formula(o, "low", &rows->low);
    put_formula(o, "high", &rows->high);
    for (int i = 0; rows->key && i < rows->column_count; i++)
        put_formula(o, "key", &rows->key[i]);
    for (int i = 0; i < rows->part_count; i++)
        put_rows(o, rows->parts[i]);
    if (rows->fold) {
        const kr_fold *f = rows->fold;
        put_names(o, " per", f->per, f->per_count);
        put_names(o, " order", f->order, f->order_count);
        put_formula(o, "where", &f->where);
        for (int i = 0; i < f->state_count; i++) {
            static const char *const kinds[] = { [KR_STATE_SCALAR] = "scalar", [KR_STATE_MAP] = "map", [KR_STATE_LIST] = "list" };
            put(o, kr_arena_printf(o->buf.arena, " state %s %s %s %s", f->state[i].name, kinds[f->state[i].kind], kr_type_name(f->state[i].type), kr_type_name(f->state[i].key_type)));
            if (f->state[i].kind == KR_STATE_SCALAR)
                put(o, kr_arena_printf(o->buf.arena, " start %s", kr_value_print(o->buf.arena, o->model, f->state[i].type, f->state[i].start)));
        }
        put(o, " step ");
        put(o, kr_script_print(o->buf.arena, o->model, f->step));
    }
    put(o, ")");
}

static void put_defs(out *o, const char *word, kr_column_def *const *defs, int count)
{
    for (int i = 0; i < count; i++) {
        put(o, i ? ", " : word);
        put(o, defs[i]->name);
    }
}

char *kr_column_print(kr_arena *arena, const kr_model *model, const kr_column_def *c)
{
    out o = { .buf = { .arena = arena }, .model = model };
    put(&o, kr_arena_printf(arena, "column %s.%s %s", c->sheet->name, c->name, kr_type_name(c->type)));
    if (c->unit.known)
        put(&o, kr_arena_printf(arena, " [%s]", kr_unit_write(arena, &c->unit)));
    if (c->input) {
        put(&o, c->optional ? " optional input" : " input");
        put_domain(&o, &c->domain);
    }
    put_formula(&o, "=", &c->formula);
    static const char *const histories[] = { [KR_HISTORY_NONE] = "", [KR_HISTORY_BLANK] = " history blank", [KR_HISTORY_BACKFILL] = " history backfill", [KR_HISTORY_VALUE] = " history" };
    put(&o, histories[c->history]);
    put_formula(&o, "value", &c->history_value);
    return o.buf.text;
}

char *kr_sheet_print(kr_arena *arena, const kr_model *model, const kr_sheet *s)
{
    out o = { .buf = { .arena = arena }, .model = model };
    put(&o, kr_arena_printf(arena, "sheet %s%s", s->name, s->optional ? " optional" : ""));
    put_names(&o, " key", s->key_names, s->key_count);
    put_defs(&o, " per ", s->per, s->per_n);
    put_defs(&o, " order ", s->order, s->order_n);
    put(&o, " rows ");
    if (s->rows)
        put_rows(&o, s->rows);
    put_formula(&o, "where", &s->where);
    return o.buf.text;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char *kr_model_print(kr_arena *arena, const kr_model *m)
{
    out o = { .buf = { .arena = arena }, .model = m };
    char **lines = NULL;
    size_t count = 0, capacity = 0;
    for (int i = 0; i < m->param_count; i++) {
        const kr_param *p = &m->params[i];
        out line = { .buf = { .arena = arena }, .model = m };
        put(&line, kr_arena_printf(arena, "param %s %s = %s", p->name, kr_type_name(p->type), kr_value_print(arena, m, p->type, p->value)));
        if (p->doc.unit.known)
            put(&line, kr_arena_printf(arena, " [%s]", kr_unit_write(arena, &p->doc.unit)));
        if (p->has_min)
            put(&line, kr_arena_printf(arena, " min %s", kr_value_print(arena, m, KR_T_NUMBER, p->min)));
        if (p->has_max)
            put(&line, kr_arena_printf(arena, " max %s", kr_value_print(arena, m, KR_T_NUMBER, p->max)));
        KR_PUSH(arena, lines, count, capacity) = line.buf.text;
    }
    for (int i = 0; i < m->sheet_count; i++) {
        const kr_sheet *s = m->sheets[i];
        KR_PUSH(arena, lines, count, capacity) = kr_sheet_print(arena, m, s);
        for (int c = 0; c < s->column_count; c++)
            if (!s->columns[c]->hidden)
                KR_PUSH(arena, lines, count, capacity) = kr_column_print(arena, m, s->columns[c]);
    }
    for (int i = 0; i < m->user_fn_count; i++) /* defines stand written out in the formulas */
        KR_PUSH(arena, lines, count, capacity) = kr_arena_printf(arena, "fn %s %s", m->user_fns[i].name, kr_script_print(arena, m, m->user_fns[i].script));
    for (int i = 0; i < m->output_count; i++) {
        out line = { .buf = { .arena = arena } };
        put(&line, kr_arena_printf(arena, "output %s", m->outputs[i]->name));
        put_names(&line, " columns", m->output_columns[i].names, m->output_columns[i].count);
        KR_PUSH(arena, lines, count, capacity) = line.buf.text;
    }
    for (int i = 0; i < m->assert_count; i++) {
        const kr_assert *a = &m->asserts[i];
        out line = { .buf = { .arena = arena }, .model = m };
        put(&line, a->require ? "require " : a->warning ? "warn " : "check ");
        put(&line, a->sheet->name);
        put_formula(&line, "that", &a->formula);
        KR_PUSH(arena, lines, count, capacity) = line.buf.text;
    }
    for (int i = 0; i < m->carry_count; i++)
        KR_PUSH(arena, lines, count, capacity) = kr_arena_printf(arena, "carry %s %s from %s", m->carries[i].sheet ? m->carries[i].sheet : "", m->carries[i].new_name, m->carries[i].old_name);
    if (count)
        qsort(lines, count, sizeof *lines, by_text);
    put(&o, kr_arena_printf(arena, "rulebook %s\nlanguage %d\n", m->id ? m->id : "", m->language));
    if (m->has_days) {
        put(&o, "days");
        put_formula(&o, "from", &m->days_from);
        put_formula(&o, "to", &m->days_to);
        put(&o, kr_arena_printf(arena, " lead %d%s\n", m->days_lead, m->days_open ? " open" : ""));
    }
    if (m->governed_by.expr) {
        put(&o, "governed");
        put_formula(&o, "by", &m->governed_by);
        put(&o, "\n");
    }
    for (size_t i = 0; i < count; i++) {
        put(&o, lines[i]);
        put(&o, "\n");
    }
    return o.buf.text;
}
