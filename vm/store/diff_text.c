/* diff_text.c: a diff as text for the terminal and as Markdown: the same words, other marks. The order is that of every report of a
 * change: verdict and days, parameters, formulas, what moves downstream, effect on data, checks, raw JSON last (Markdown). */
#include "vm/store/diff_report.h"

#include <string.h>

enum { REACHES_SHOWN = 6 };

/* ------------------------------------------------------------------ words shared by all forms */

const char *kr_report_value(kr_arena *arena, const char *text, const char *raw, const char *unit)
{
    if (!text)
        return "";
    bool bare = !raw || !strcmp(text, raw);
    const char *named = unit && *unit && strcmp(unit, "1") != 0 ? kr_arena_printf(arena, " %s", unit) : "";
    return bare ? kr_arena_printf(arena, "%s%s", text, named) : kr_arena_printf(arena, "%s%s (%s)", text, named, raw);
}

const char *kr_report_number(kr_arena *arena, kr_num n, const char *unit)
{
    const char *exact = kr_diff_text_of(arena, n), *brief = kr_diff_short(arena, n);
    const char *named = unit && *unit && strcmp(unit, "1") != 0 ? kr_arena_printf(arena, " %s", unit) : "";
    return !strcmp(exact, brief) ? kr_arena_printf(arena, "%s%s", exact, named) : kr_arena_printf(arena, "%s%s (%s)", brief, named, exact);
}

const char *kr_report_signed(kr_arena *arena, kr_num n)
{
    const char *text = kr_diff_short(arena, n);
    if (!strcmp(text, "0")) /* too little to show rounded */
        text = kr_diff_text_of(arena, n);
    return kr_is_special(n) || *text == '-' || kr_raw_eq(n, KR_NUM_ZERO) ? text : kr_arena_printf(arena, "+%s", text);
}

const char *kr_report_group(kr_arena *arena, const kr_diff *d, int group)
{
    const char *text = NULL;
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].group == group)
            text = text ? kr_arena_printf(arena, "%s + %s", text, d->changes[i].name) : d->changes[i].name;
    return text ? text : "";
}

/* Said in the line of days, and so not again. */
bool kr_report_is_day(const kr_change *c) { return c->kind == KR_CH_HEADER && !strcmp(c->name, "effective_from"); }

const kr_change_kind kr_report_order[KR_CH_KINDS] = { KR_CH_PARAM, KR_CH_COLUMN, KR_CH_DEFINE, KR_CH_FUNCTION, KR_CH_SHEET, KR_CH_OUTPUT, KR_CH_CHECK, KR_CH_HEADER };

const char *kr_report_summary(kr_arena *arena, const kr_diff *d)
{
    const char *text = "";
    size_t all = 0, renamed = 0, follows = 0;
    for (size_t i = 0; i < d->change_count; i++) {
        follows += d->changes[i].how == KR_HOW_FOLLOWS;
        renamed += kr_diff_only_renamed(&d->changes[i]);
    }
    for (size_t k = 0; k < KR_CH_KINDS; k++) {
        kr_change_kind kind = kr_report_order[k];
        size_t n = kr_diff_counts(d, kind) - (kind == KR_CH_HEADER && kr_report_days(arena, d));
        if (n)
            text = kr_arena_printf(arena, "%s%s%zu %s", text, all ? ", " : "", n, kr_change_words[kind][n != 1]);
        all += n;
    }
    if (!all)
        return kr_arena_printf(arena, "%s → %s: %s", d->old.label, d->new.label, kr_report_days(arena, d) ? "only the effective day changes" : "no change of meaning");
    text = kr_arena_printf(arena, "%s → %s: %s", d->old.label, d->new.label, text);
    if (renamed)
        text = kr_arena_printf(arena, "%s (%zu only renamed)", text, renamed);
    if (follows)
        text = kr_arena_printf(arena, "%s; %zu more follow", text, follows);
    text = kr_arena_printf(arena, "%s; %d of %d outputs reached", text, d->reached, d->output_count);
    if (d->impact)
        text = kr_arena_printf(arena, "%s, %zu of %zu change on the data", text, d->impact->changed_columns, d->impact->column_count);
    return text;
}

const char *kr_report_days(kr_arena *arena, const kr_diff *d)
{
    for (size_t i = 0; i < d->change_count; i++)
        if (kr_report_is_day(&d->changes[i])) {
            const kr_change *c = &d->changes[i];
            const char *text = kr_arena_printf(arena, "in force from %s", c->new_text ? c->new_text : "every day");
            if (c->old_text)
                text = kr_arena_printf(arena, "%s (the old one from %s)", text, c->old_text);
            return d->publish_by ? kr_arena_printf(arena, "%s; with %d days of notice to be published by %s", text, d->old.model->notice_days, d->publish_by) : text;
        }
    return NULL;
}

const char *kr_report_period(kr_arena *arena, const kr_diff *d)
{
    const kr_impact *m = d->impact;
    const char *text = kr_arena_printf(arena, "%s", m->data);
    if (m->from)
        text = kr_arena_printf(arena, "%s, %s to %s", text, m->from, m->to);
    return kr_arena_printf(arena, "%s; %s", text, m->in_force_from ? "the new version in force from the first of these days, the old one's records before" : "each version in force on every day");
}

const char *kr_report_reaches(kr_arena *arena, const char *const *names, int count, bool full)
{
    const char *text = "";
    int shown = full || count <= REACHES_SHOWN + 1 ? count : REACHES_SHOWN;
    for (int i = 0; i < shown; i++)
        text = kr_arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
    return shown < count ? kr_arena_printf(arena, "%s and %d more", text, count - shown) : text;
}

const char *const kr_how_words[] = { [KR_HOW_ADDED] = "added", [KR_HOW_REMOVED] = "removed", [KR_HOW_CHANGED] = "changed", [KR_HOW_RENAMED] = "renamed", [KR_HOW_FOLLOWS] = "follows" };

/* ------------------------------------------------------------------ text and Markdown */

typedef struct writer { kr_buf buf; const kr_diff *d; const kr_report_options *o; bool md; } writer;

static void heading(writer *w, const char *text) { kr_buf_printf(&w->buf, w->md ? "\n## %s\n\n" : "\n%s\n", text); }

static const char *marked(writer *w, const char *name) { return w->md ? kr_arena_printf(w->buf.arena, "`%s`", name) : name; }

static void item(writer *w, const char *text) { kr_buf_printf(&w->buf, w->md ? "- %s\n" : "  %s\n", text); }
static void below(writer *w, const char *text) { kr_buf_printf(&w->buf, w->md ? "  - %s\n" : "      %s\n", text); }

static void code(writer *w, const char *text)
{
    if (w->md)
        kr_buf_printf(&w->buf, "\n  ```\n  %s\n  ```\n", text);
    else
        below(w, text);
}

static void notes(writer *w, const kr_change *c)
{
    kr_arena *arena = w->buf.arena;
    if ((w->md || w->o->full) && *c->doc)
        below(w, c->doc);
    if (c->warning)
        below(w, kr_arena_printf(arena, "warning: %s", c->warning));
    for (size_t i = 0; i < c->match_count; i++)
        below(w, kr_arena_printf(arena, "matches other rows: %s", c->matches[i]));
    if (c->state)
        below(w, c->state);
    if (c->reach_count)
        below(w, kr_arena_printf(arena, "reaches %d: %s", c->reach_count, kr_report_reaches(arena, c->reaches, c->reach_count, w->o->full)));
    else if (c->how != KR_HOW_FOLLOWS && c->kind != KR_CH_OUTPUT && c->kind != KR_CH_CHECK && c->kind != KR_CH_HEADER && !kr_diff_only_renamed(c))
        below(w, "reaches no output");
}

static void value_change(writer *w, const kr_change *c)
{
    kr_arena *arena = w->buf.arena;
    const char *from = kr_report_value(arena, c->old_text, c->old_raw, c->unit), *to = kr_report_value(arena, c->new_text, c->new_raw, c->unit);
    const char *name = marked(w, c->name);
    if (c->how == KR_HOW_RENAMED)
        item(w, strcmp(from, to) ? kr_arena_printf(arena, "%s (was %s)  %s → %s", name, marked(w, c->old_name), from, to)
                                 : kr_arena_printf(arena, "%s (was %s)  %s", name, marked(w, c->old_name), to));
    else if (c->how == KR_HOW_ADDED || c->how == KR_HOW_REMOVED)
        item(w, kr_arena_printf(arena, "%s  %s %s", name, c->how == KR_HOW_ADDED ? "new:" : "removed, was", c->how == KR_HOW_ADDED ? to : from));
    else
        item(w, kr_arena_printf(arena, "%s  %s → %s", name, from, to));
}

static void formula_change(writer *w, const kr_change *c)
{
    kr_arena *arena = w->buf.arena;
    const char *name = marked(w, c->name), *unit = *c->unit && strcmp(c->unit, "1") != 0 ? kr_arena_printf(arena, " [%s]", c->unit) : "";
    const char *line = c->how == KR_HOW_RENAMED ? kr_arena_printf(arena, "%s%s (was %s)", name, unit, marked(w, c->old_name))
                       : c->how == KR_HOW_CHANGED ? kr_arena_printf(arena, "%s%s", name, unit) : kr_arena_printf(arena, "%s%s %s", name, unit, kr_how_words[c->how]);
    item(w, line);
    if (kr_diff_only_renamed(c)) {
        below(w, "means the same");
        return;
    }
    kr_word_diff words = kr_fdiff_words(arena, c->old_text ? c->old_text : "", c->new_text ? c->new_text : "");
    if (c->old_text && c->new_text)
        code(w, kr_fdiff_text(arena, &words, w->o->full ? -1 : w->o->context));
    else if (c->old_text || c->new_text)
        code(w, kr_arena_printf(arena, c->new_text ? "{+%s+}" : "[-%s-]", w->o->full ? (c->new_text ? c->new_text : c->old_text) : kr_fdiff_clip(arena, c->new_text ? c->new_text : c->old_text, 40, false)));
}

static void changes(writer *w)
{
    static const char *const titles[] = { [KR_CH_HEADER] = "header", [KR_CH_PARAM] = "parameters", [KR_CH_SHEET] = "sheets", [KR_CH_COLUMN] = "formulas", [KR_CH_DEFINE] = "defines",
                                          [KR_CH_FUNCTION] = "functions", [KR_CH_OUTPUT] = "published columns", [KR_CH_CHECK] = "checks and requirements" };
    for (size_t k = 0; k < KR_CH_KINDS; k++) {
        kr_change_kind kind = kr_report_order[k];
        if (!(kr_diff_counts(w->d, kind) - (kind == KR_CH_HEADER && kr_report_days(w->buf.arena, w->d))))
            continue;
        heading(w, titles[kind]);
        for (size_t i = 0; i < w->d->change_count; i++) {
            const kr_change *c = &w->d->changes[i];
            if (c->kind != kind || c->how == KR_HOW_FOLLOWS || kr_report_is_day(c))
                continue;
            if (c->kind == KR_CH_PARAM || c->kind == KR_CH_HEADER)
                value_change(w, c);
            else if (c->kind == KR_CH_OUTPUT)
                item(w, kr_arena_printf(w->buf.arena, "%s %s", marked(w, c->name), c->how == KR_HOW_ADDED ? "is published" : "is no longer published"));
            else
                formula_change(w, c);
            notes(w, c);
        }
    }
}

static void follows(writer *w)
{
    const char **names = KR_NEW_ARRAY(w->buf.arena, const char *, w->d->change_count + 1);
    int count = 0;
    for (size_t i = 0; i < w->d->change_count; i++)
        if (w->d->changes[i].how == KR_HOW_FOLLOWS)
            names[count++] = w->d->changes[i].name;
    if (!count && !w->d->reached)
        return;
    heading(w, "what moves with it");
    if (count && !w->o->full)
        item(w, kr_arena_printf(w->buf.arena, "formulas that mean something else because of the changes above: %s", kr_report_reaches(w->buf.arena, names, count, false)));
    for (size_t i = 0; i < w->d->change_count && w->o->full; i++)
        if (w->d->changes[i].how == KR_HOW_FOLLOWS) {
            formula_change(w, &w->d->changes[i]);
            notes(w, &w->d->changes[i]);
        }
    for (size_t i = 0; i < w->d->change_count && !w->o->full; i++)
        for (size_t m = 0; w->d->changes[i].how == KR_HOW_FOLLOWS && m < w->d->changes[i].match_count; m++)
            item(w, kr_arena_printf(w->buf.arena, "%s matches other rows: %s", marked(w, w->d->changes[i].name), w->d->changes[i].matches[m]));
    if (w->d->reached)
        item(w, kr_arena_printf(w->buf.arena, "%d of %d outputs: %s", w->d->reached, w->d->output_count,
                                kr_report_reaches(w->buf.arena, w->d->all_reached, w->d->reached, w->o->full || w->md)));
}

/* ------------------------------------------------------------------ data */

static void moved(writer *w, const char *what, const kr_moved *list, size_t count, const char *unit)
{
    kr_arena *arena = w->buf.arena;
    for (size_t i = 0; i < count; i++) {
        const char *line = kr_arena_printf(arena, "%s %s  %s: %s → %s", what, list[i].account, kr_report_signed(arena, list[i].change), kr_report_number(arena, list[i].a, unit),
                                           kr_report_number(arena, list[i].b, unit));
        for (int g = 0; w->o->full && list[i].shares && g < w->d->impact->group_count; g++)
            line = kr_arena_printf(arena, "%s%s %s %s", line, g ? "," : "; of it", kr_report_group(arena, w->d, g), kr_report_signed(arena, list[i].shares[g]));
        below(w, line);
    }
}

static const char *share_text(kr_arena *arena, kr_num share)
{
    const char *brief = kr_report_signed(arena, share), *exact = kr_diff_text_of(arena, share);
    return !strcmp(brief + (*brief == '+'), exact) ? brief : kr_arena_printf(arena, "%s (%s)", brief, exact);
}

/* Changes with no share are told together, unless all is asked for. */
static void shares(writer *w, const kr_column_impact *c)
{
    kr_arena *arena = w->buf.arena;
    int groups = c->total.shares && w->d->impact->group_count > 1 ? w->d->impact->group_count : 0, none = 0;
    for (int g = 0; g < groups; g++)
        none += kr_raw_eq(c->total.shares[g], KR_NUM_ZERO);
    bool together = none > 1 && !w->o->full;
    for (int g = 0; g < groups; g++)
        if (!together || !kr_raw_eq(c->total.shares[g], KR_NUM_ZERO))
            below(w, kr_arena_printf(arena, "by %s  %s", kr_report_group(arena, w->d, g), share_text(arena, c->total.shares[g])));
    if (together)
        below(w, kr_arena_printf(arena, none < groups ? "by the %d others  0" : "by each of the %d changes  0", none));
}

static void column_impact(writer *w, const kr_column_impact *c)
{
    kr_arena *arena = w->buf.arena;
    const char *name = marked(w, kr_arena_printf(arena, "%s.%s", c->sheet, c->column));
    const char *cells = kr_arena_printf(arena, "%zu of %zu cells differ", c->changed, c->cells);
    if (!strcmp(c->type, "boolean")) {
        item(w, kr_arena_printf(arena, "%s  newly true in %zu rows, no longer in %zu", name, c->passes, c->fails));
        for (size_t i = 0; i < c->gate_count; i++)
            below(w, kr_arena_printf(arena, "%s  newly true %zu, no longer %zu", c->gates[i].account, c->gates[i].passes, c->gates[i].fails));
    } else if (c->adds_up) {
        item(w, kr_arena_printf(arena, "%s  total %s → %s, %s; %s", name, kr_report_number(arena, c->total.a, c->unit), kr_report_number(arena, c->total.b, c->unit),
                                kr_report_signed(arena, c->total.change), cells));
        shares(w, c);
        moved(w, "gains", c->gains, c->gain_count, c->unit);
        moved(w, "loses", c->losses, c->loss_count, c->unit);
    } else {
        item(w, kr_arena_printf(arena, "%s  %s", name, cells));
        for (size_t i = 0; i < c->gate_count; i++)
            below(w, kr_arena_printf(arena, "%s  in %zu row%s", c->gates[i].account, c->gates[i].passes, c->gates[i].passes == 1 ? "" : "s"));
        if (c->up_place)
            below(w, kr_arena_printf(arena, "rises most at %s: %s → %s", c->up_place, kr_report_number(arena, c->up_a, c->unit), kr_report_number(arena, c->up_b, c->unit)));
        if (c->down_place)
            below(w, kr_arena_printf(arena, "falls most at %s: %s → %s", c->down_place, kr_report_number(arena, c->down_a, c->unit), kr_report_number(arena, c->down_b, c->unit)));
    }
    if (w->o->full && strcmp(c->type, "text") != 0 && c->accounts_changed > c->gate_count + c->gain_count + c->loss_count)
        below(w, kr_arena_printf(arena, "%zu accounts change in all", c->accounts_changed));
}

static void data(writer *w)
{
    const kr_impact *m = w->d->impact;
    kr_arena *arena = w->buf.arena;
    if (!m)
        return;
    heading(w, "on data");
    item(w, kr_report_period(arena, w->d));
    if (m->rows_added || m->rows_removed)
        item(w, kr_arena_printf(arena, "%zu rows come, %zu go", m->rows_added, m->rows_removed));
    if (m->other_keys)
        item(w, kr_arena_printf(arena, "not compared, since their keys are others now: %s", m->other_keys));
    if (m->method && m->changed_columns)
        item(w, kr_arena_printf(arena, "differences of totals by change: %s", m->method));
    size_t same = 0;
    for (size_t i = 0; i < m->column_count; i++) {
        if (m->columns[i].changed || !kr_raw_eq(m->columns[i].total.change, KR_NUM_ZERO))
            column_impact(w, &m->columns[i]);
        else
            same++;
    }
    if (same)
        item(w, kr_arena_printf(arena, "%zu published columns do not change", same));
}

static void verdicts(writer *w)
{
    if (!w->d->verdict_count)
        return;
    heading(w, "verdicts");
    for (size_t i = 0; i < w->d->verdict_count; i++) {
        const kr_verdict *v = &w->d->verdicts[i];
        const char *text = kr_arena_printf(w->buf.arena, "%s: %s%s%s", v->failed ? "FAILS" : "holds", v->what, *v->title ? " " : "", v->title);
        item(w, v->failed && v->place ? kr_arena_printf(w->buf.arena, "%s (%zu rows, first %s)", text, v->failed, v->place) : text);
    }
}

static char *write_text(kr_arena *arena, const kr_diff *d, const kr_report_options *o, bool md)
{
    writer w = { { .arena = arena }, d, o, md };
    kr_buf_printf(&w.buf, md ? "# %s\n" : "%s\n", kr_report_summary(arena, d));
    const char *days = kr_report_days(arena, d);
    if (days)
        kr_buf_printf(&w.buf, md ? "\n%s.\n" : "%s\n", days);
    if (d->why)
        kr_buf_printf(&w.buf, md ? "\n> %s\n" : "why: %s\n", d->why);
    changes(&w);
    follows(&w);
    data(&w);
    verdicts(&w);
    if (md)
        kr_buf_printf(&w.buf, "\n## the same as JSON\n\n```json\n%s```\n", kr_diff_json(arena, d));
    return w.buf.text;
}

char *kr_diff_report(kr_arena *arena, const kr_diff *d, const char *format, const kr_report_options *o)
{
    if (!strcmp(format, "json"))
        return kr_diff_json(arena, d);
    if (!strcmp(format, "html"))
        return kr_diff_html(arena, d, o);
    return write_text(arena, d, o, !strcmp(format, "md"));
}
