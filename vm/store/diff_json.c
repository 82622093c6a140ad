/* diff_json.c: a diff as one JSON object, with everything in it; numbers are strings of all their digits. */
#include "vm/store/diff_report.h"

#include <string.h>

typedef struct json { kr_buf buf; bool first; } json;

static void key(json *j, const char *name)
{
    kr_buf_put(&j->buf, j->first ? "" : ", ");
    kr_buf_json(&j->buf, name);
    kr_buf_put(&j->buf, ": ");
    j->first = false;
}

static void text(json *j, const char *name, const char *value)
{
    key(j, name);
    kr_buf_json(&j->buf, value);
}

static void number(json *j, const char *name, size_t value)
{
    key(j, name);
    kr_buf_printf(&j->buf, "%zu", value);
}

static void exact(json *j, const char *name, kr_num value) { text(j, name, kr_diff_text_of(j->buf.arena, value)); }

static void truth(json *j, const char *name, bool value)
{
    key(j, name);
    kr_buf_put(&j->buf, value ? "true" : "false");
}

static void open(json *j, const char *bracket)
{
    kr_buf_put(&j->buf, bracket);
    j->first = true;
}

static void close(json *j, const char *bracket)
{
    kr_buf_put(&j->buf, bracket);
    j->first = false;
}

static void element(json *j)
{
    kr_buf_put(&j->buf, j->first ? "\n  " : ",\n  ");
    open(j, "{");
}

static void texts(json *j, const char *name, const char *const *list, size_t count)
{
    key(j, name);
    open(j, "[");
    for (size_t i = 0; i < count; i++) {
        kr_buf_put(&j->buf, i ? ", " : "");
        kr_buf_json(&j->buf, list[i]);
    }
    close(j, "]");
}

static void side(json *j, const char *name, const kr_side *s)
{
    key(j, name);
    open(j, "{");
    text(j, "name", s->label);
    text(j, "file", s->path);
    text(j, "sha256", s->sha256);
    close(j, "}");
}

static void change(json *j, const kr_change *c)
{
    element(j);
    text(j, "kind", kr_change_words[c->kind][0]);
    text(j, "how", kr_how_words[c->how]);
    text(j, "name", c->name);
    if (c->how == KR_HOW_RENAMED)
        text(j, "old_name", c->old_name);
    if (c->old_text)
        text(j, "old", c->old_text);
    if (c->old_raw)
        text(j, "old_value", c->old_raw);
    if (c->new_text)
        text(j, "new", c->new_text);
    if (c->new_raw)
        text(j, "new_value", c->new_raw);
    if (*c->unit)
        text(j, "unit", c->unit);
    if (*c->doc)
        text(j, "doc", c->doc);
    if (c->warning)
        text(j, "warning", c->warning);
    if (c->match_count)
        texts(j, "matches", c->matches, c->match_count);
    if (c->state)
        text(j, "state", c->state);
    texts(j, "reaches", c->reaches, (size_t)c->reach_count);
    if (c->group >= 0)
        number(j, "group", (size_t)c->group);
    close(j, "}");
}

static void moved(json *j, const kr_moved *m, int groups)
{
    if (m->account)
        text(j, "account", m->account);
    exact(j, "old", m->a);
    exact(j, "new", m->b);
    exact(j, "change", m->change);
    if (m->shares) {
        const char **list = KR_NEW_ARRAY(j->buf.arena, const char *, groups);
        for (int g = 0; g < groups; g++)
            list[g] = kr_diff_text_of(j->buf.arena, m->shares[g]);
        texts(j, "shares", list, (size_t)groups);
    }
}

static void moved_list(json *j, const char *name, const kr_moved *list, size_t count, int groups)
{
    key(j, name);
    open(j, "[");
    for (size_t i = 0; i < count; i++) {
        kr_buf_put(&j->buf, i ? ", " : "");
        open(j, "{");
        moved(j, &list[i], groups);
        close(j, "}");
    }
    close(j, "]");
}

static void column(json *j, const kr_column_impact *c, int groups)
{
    element(j);
    text(j, "column", kr_arena_printf(j->buf.arena, "%s.%s", c->sheet, c->column));
    text(j, "type", c->type);
    text(j, "unit", c->unit);
    number(j, "cells", c->cells);
    number(j, "changed", c->changed);
    if (c->adds_up) {
        key(j, "total");
        open(j, "{");
        moved(j, &c->total, groups);
        close(j, "}");
        number(j, "accounts_changed", c->accounts_changed);
        moved_list(j, "gains", c->gains, c->gain_count, groups);
        moved_list(j, "losses", c->losses, c->loss_count, groups);
    }
    if (c->passes || c->fails) {
        number(j, "newly_true", c->passes);
        number(j, "no_longer_true", c->fails);
        key(j, "accounts");
        open(j, "[");
        for (size_t i = 0; i < c->gate_count; i++) {
            kr_buf_put(&j->buf, i ? ", " : "");
            open(j, "{");
            text(j, "account", c->gates[i].account);
            number(j, "newly_true", c->gates[i].passes);
            number(j, "no_longer_true", c->gates[i].fails);
            close(j, "}");
        }
        close(j, "]");
    }
    if (!strcmp(c->type, "text") && c->gate_count) {
        key(j, "moves");
        open(j, "[");
        for (size_t i = 0; i < c->gate_count; i++) {
            kr_buf_put(&j->buf, i ? ", " : "");
            open(j, "{");
            text(j, "move", c->gates[i].account);
            number(j, "rows", c->gates[i].passes);
            close(j, "}");
        }
        close(j, "]");
    }
    const char *const places[] = { c->up_place, c->down_place };
    for (int i = 0; i < 2; i++)
        if (places[i]) {
            key(j, i ? "falls_most" : "rises_most");
            open(j, "{");
            text(j, "at", places[i]);
            exact(j, "old", i ? c->down_a : c->up_a);
            exact(j, "new", i ? c->down_b : c->up_b);
            close(j, "}");
        }
    close(j, "}");
}

static void impact(json *j, const kr_diff *d)
{
    const kr_impact *m = d->impact;
    key(j, "data");
    open(j, "{");
    text(j, "path", m->data);
    text(j, "sha256", m->data_sha256);
    text(j, "from", m->from);
    text(j, "to", m->to);
    truth(j, "in_force_from_first_day_only", m->in_force_from);
    number(j, "rows_added", m->rows_added);
    number(j, "rows_removed", m->rows_removed);
    if (m->other_keys)
        text(j, "not_compared", m->other_keys);
    text(j, "shared_out", m->method);
    const char **groups = KR_NEW_ARRAY(j->buf.arena, const char *, m->group_count + 1);
    for (int g = 0; g < m->group_count; g++)
        groups[g] = kr_report_group(j->buf.arena, d, g);
    texts(j, "groups", groups, (size_t)m->group_count);
    key(j, "columns");
    open(j, "[");
    for (size_t i = 0; i < m->column_count; i++)
        column(j, &m->columns[i], m->group_count);
    close(j, "]");
    close(j, "}");
}

char *kr_diff_json(kr_arena *arena, const kr_diff *d)
{
    json j = { { .arena = arena }, true };
    open(&j, "{");
    text(&j, "summary", kr_report_summary(arena, d));
    side(&j, "old", &d->old);
    side(&j, "new", &d->new);
    if (d->effective)
        text(&j, "effective_from", d->effective);
    if (d->publish_by)
        text(&j, "publish_by", d->publish_by);
    if (d->why)
        text(&j, "why", d->why);
    key(&j, "changes");
    open(&j, "[");
    for (size_t i = 0; i < d->change_count; i++)
        change(&j, &d->changes[i]);
    close(&j, "]");
    number(&j, "outputs", (size_t)d->output_count);
    texts(&j, "reached", d->all_reached, (size_t)d->reached);
    if (d->impact)
        impact(&j, d);
    key(&j, "verdicts");
    open(&j, "[");
    for (size_t i = 0; i < d->verdict_count; i++) {
        const kr_verdict *v = &d->verdicts[i];
        element(&j);
        text(&j, "what", v->what);
        text(&j, "title", v->title);
        truth(&j, "holds", !v->failed);
        number(&j, "rows", v->failed);
        if (v->place)
            text(&j, "first", v->place);
        close(&j, "}");
    }
    close(&j, "]");
    close(&j, "}\n");
    return j.buf.text;
}
