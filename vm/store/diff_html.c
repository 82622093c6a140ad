/* diff_html.c: a diff as one HTML page that needs nothing else: style inside, charts as inline SVG, no script, nothing loaded.
 * Charts show only what the tables beside them say in digits; colours are never alone: bars go left or right of the middle line. */
#include "vm/store/diff_report.h"

#include <string.h>

enum { SHARES_SHOWN = 6, HALF = 220, BAR = 18, LABEL = 260, VALUE = 190 };

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #ccc}"
    "code,pre{font:14px/1.4 ui-monospace,monospace}pre{white-space:pre-wrap;background:#f6f6f6;padding:.6rem;border-radius:4px}"
    "del{background:#fdd;text-decoration:line-through}ins{background:#dfd;text-decoration:none;font-weight:600}"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.doc{color:#555}.warn{color:#a40000;font-weight:600}"
    ".raw{color:#777;font-size:.8em;overflow-wrap:anywhere}svg text{font:12px system-ui,sans-serif}blockquote{border-left:4px solid #bbb;margin:0;padding-left:1rem}";

typedef struct page { kr_buf buf; const kr_diff *d; const kr_report_options *o; } page;

static void put(page *p, const char *html) { kr_buf_put(&p->buf, html); }
static void esc(page *p, const char *text) { kr_buf_html(&p->buf, text); }

static void tag(page *p, const char *name, const char *text)
{
    kr_buf_printf(&p->buf, "<%s>", name);
    esc(p, text);
    kr_buf_printf(&p->buf, "</%.*s>\n", (int)strcspn(name, " "), name);
}

static void value(page *p, const char *text, const char *raw, const char *unit)
{
    esc(p, kr_report_value(p->buf.arena, text, text, unit));
    if (raw && text && strcmp(raw, text) != 0) {
        put(p, " <span class=raw>");
        esc(p, raw);
        put(p, "</span>");
    }
}

static void number(page *p, kr_num n, const char *unit)
{
    const char *exact = kr_diff_text_of(p->buf.arena, n);
    value(p, kr_diff_short(p->buf.arena, n), exact, unit);
}

/* ------------------------------------------------------------------ charts */

typedef struct bar { const char *label; kr_num value; } bar;

static void chart(page *p, const char *title, const bar *bars, size_t count)
{
    kr_num most = KR_NUM_ZERO;
    for (size_t i = 0; i < count; i++)
        if (!kr_is_special(bars[i].value) && kr_num_cmp(kr_num_abs(bars[i].value), most) > 0)
            most = kr_num_abs(bars[i].value);
    if (!strcmp(kr_diff_short(p->buf.arena, most), "0")) /* nothing, or only what rounding moved */
        return;
    int height = (int)count * (BAR + 6) + 10, middle = LABEL + HALF;
    kr_buf_printf(&p->buf, "<svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><title>", LABEL + 2 * HALF + VALUE, height, LABEL + 2 * HALF + VALUE, height);
    esc(p, title);
    kr_buf_printf(&p->buf, "</title><line x1=\"%d\" y1=\"0\" x2=\"%d\" y2=\"%d\" stroke=\"#888\"/>", middle, middle, height);
    for (size_t i = 0; i < count; i++) {
        if (kr_is_special(bars[i].value))
            continue;
        int64_t width = 0;
        int y = (int)i * (BAR + 6) + 5;
        kr_num scaled = kr_num_round(kr_num_muldiv(kr_num_abs(bars[i].value), kr_num_of_int(HALF), most, KR_HALF_EVEN), 0, KR_HALF_EVEN);
        kr_num_to_int(scaled, &width);
        bool up = kr_num_cmp(bars[i].value, KR_NUM_ZERO) > 0;
        kr_buf_printf(&p->buf, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LABEL - 8, y + BAR - 5);
        esc(p, kr_fdiff_clip(p->buf.arena, bars[i].label, 8, false));
        kr_buf_printf(&p->buf, "</text><rect x=\"%lld\" y=\"%d\" width=\"%lld\" height=\"%d\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">", up ? (long long)middle : middle - (long long)width, y,
                      (long long)width, BAR, up ? "#2b7a4b" : "#b3403a", LABEL + 2 * HALF + 8, y + BAR - 5);
        esc(p, kr_report_signed(p->buf.arena, bars[i].value));
        put(p, "</text>");
    }
    put(p, "</svg>\n");
}

/* ------------------------------------------------------------------ changes */

static void words(page *p, const kr_change *c)
{
    kr_word_diff diff = kr_fdiff_words(p->buf.arena, c->old_text ? c->old_text : "", c->new_text ? c->new_text : "");
    put(p, "<pre>");
    for (size_t i = 0; i < diff.count; i++) {
        const char *name = diff.parts[i].kind == '-' ? "del" : diff.parts[i].kind == '+' ? "ins" : NULL;
        const char *text = diff.parts[i].text;
        if (*text == ' ') {
            put(p, i ? " " : "");
            text++;
        }
        if (name)
            kr_buf_printf(&p->buf, "<%s>", name);
        esc(p, text);
        if (name)
            kr_buf_printf(&p->buf, "</%s>", name);
    }
    put(p, "</pre>\n");
}

static void notes(page *p, const kr_change *c)
{
    kr_arena *arena = p->buf.arena;
    if (*c->doc)
        tag(p, "div class=doc", c->doc);
    if (c->warning)
        tag(p, "div class=warn", kr_arena_printf(arena, "Warning: %s", c->warning));
    for (size_t i = 0; i < c->match_count; i++)
        tag(p, "div", kr_arena_printf(arena, "Matches other rows: %s", c->matches[i]));
    if (c->state)
        tag(p, "div", c->state);
    if (c->reach_count)
        tag(p, "div", kr_arena_printf(arena, "Reaches %d: %s", c->reach_count, kr_report_reaches(arena, c->reaches, c->reach_count, p->o->full)));
}

static void parameters(page *p)
{
    if (kr_diff_counts(p->d, KR_CH_PARAM) + kr_diff_counts(p->d, KR_CH_HEADER) == (kr_report_days(p->buf.arena, p->d) != NULL))
        return;
    put(p, "<h2>Parameters</h2>\n<table><tr><th>name<th>old<th>new<th>what it is</tr>\n");
    for (size_t i = 0; i < p->d->change_count; i++) {
        const kr_change *c = &p->d->changes[i];
        if ((c->kind != KR_CH_PARAM && c->kind != KR_CH_HEADER) || kr_report_is_day(c))
            continue;
        put(p, "<tr><td><code>");
        esc(p, c->name);
        put(p, "</code>");
        if (c->how == KR_HOW_RENAMED)
            tag(p, "div", kr_arena_printf(p->buf.arena, "was %s", c->old_name));
        put(p, "<td>");
        value(p, c->old_text ? c->old_text : "—", c->old_raw, c->unit);
        put(p, "<td>");
        value(p, c->new_text ? c->new_text : "—", c->new_raw, c->unit);
        put(p, "<td>");
        notes(p, c);
        put(p, "</tr>\n");
    }
    put(p, "</table>\n");
}

static void formulas(page *p, bool following)
{
    bool any = false;
    for (size_t i = 0; i < p->d->change_count; i++) {
        const kr_change *c = &p->d->changes[i];
        if (c->kind == KR_CH_PARAM || c->kind == KR_CH_HEADER || (c->how == KR_HOW_FOLLOWS) != following)
            continue;
        if (!any)
            tag(p, "h2", following ? "What means something else because of these" : "Formulas and declarations");
        any = true;
        put(p, "<h3><code>");
        esc(p, c->name);
        put(p, "</code> ");
        esc(p, kr_arena_printf(p->buf.arena, "%s %s%s%s", kr_change_words[c->kind][0], kr_how_words[c->how], c->how == KR_HOW_RENAMED ? ", was " : "", c->how == KR_HOW_RENAMED ? c->old_name : ""));
        put(p, "</h3>\n");
        if (c->kind != KR_CH_OUTPUT && !kr_diff_only_renamed(c))
            words(p, c);
        notes(p, c);
    }
}

/* ------------------------------------------------------------------ data */

static void accounts(page *p, const kr_column_impact *c)
{
    size_t count = c->gain_count + c->loss_count;
    if (!count)
        return;
    bar *bars = KR_NEW_ARRAY(p->buf.arena, bar, count);
    int groups = p->d->impact->group_count > 1 && p->d->impact->group_count <= SHARES_SHOWN && c->total.shares ? p->d->impact->group_count : 0;
    put(p, "<table><tr><th>account<th>old<th>new<th>change");
    for (int g = 0; g < groups; g++) {
        put(p, "<th>of it ");
        esc(p, kr_report_group(p->buf.arena, p->d, g));
    }
    put(p, "</tr>\n");
    for (size_t i = 0; i < count; i++) {
        const kr_moved *m = i < c->gain_count ? &c->gains[i] : &c->losses[count - 1 - i];
        bars[i] = (bar){ m->account, m->change };
        put(p, "<tr><td>");
        esc(p, m->account);
        put(p, "<td class=n>");
        number(p, m->a, c->unit);
        put(p, "<td class=n>");
        number(p, m->b, c->unit);
        put(p, "<td class=n>");
        esc(p, kr_report_signed(p->buf.arena, m->change));
        for (int g = 0; g < groups; g++) {
            put(p, "<td class=n>");
            esc(p, m->shares ? kr_report_signed(p->buf.arena, m->shares[g]) : "");
        }
        put(p, "</tr>\n");
    }
    put(p, "</table>\n");
    chart(p, "Largest gains and losses", bars, count);
}

static void shares(page *p, const kr_column_impact *c)
{
    int groups = p->d->impact->group_count;
    if (!c->total.shares || groups < 2)
        return;
    bar *bars = KR_NEW_ARRAY(p->buf.arena, bar, groups);
    put(p, "<table><tr><th>change<th>its share of the difference</tr>\n");
    for (int g = 0; g < groups; g++) {
        bars[g] = (bar){ kr_report_group(p->buf.arena, p->d, g), c->total.shares[g] };
        put(p, "<tr><td>");
        esc(p, bars[g].label);
        put(p, "<td class=n>");
        number(p, c->total.shares[g], c->unit);
        put(p, "</tr>\n");
    }
    put(p, "</table>\n");
    chart(p, "Shares of the changes", bars, (size_t)groups);
}

static void column(page *p, const kr_column_impact *c)
{
    kr_arena *arena = p->buf.arena;
    put(p, "<h3><code>");
    esc(p, kr_arena_printf(arena, "%s.%s", c->sheet, c->column));
    put(p, "</code></h3>\n<p>");
    if (c->adds_up) {
        put(p, "Total ");
        number(p, c->total.a, c->unit);
        put(p, " → ");
        number(p, c->total.b, c->unit);
        esc(p, kr_arena_printf(arena, " (%s). ", kr_report_signed(arena, c->total.change)));
    }
    esc(p, kr_arena_printf(arena, "%zu of %zu cells differ.", c->changed, c->cells));
    if (!strcmp(c->type, "boolean"))
        esc(p, kr_arena_printf(arena, " Newly true in %zu rows, no longer in %zu.", c->passes, c->fails));
    put(p, "</p>\n");
    shares(p, c);
    accounts(p, c);
    bool text = !strcmp(c->type, "text");
    if (c->gate_count) {
        put(p, text ? "<table><tr><th>old → new<th>rows</tr>\n" : "<table><tr><th>account<th>newly true<th>no longer</tr>\n");
        for (size_t i = 0; i < c->gate_count; i++) {
            put(p, "<tr><td>");
            esc(p, c->gates[i].account);
            kr_buf_printf(&p->buf, text ? "<td class=n>%zu</tr>\n" : "<td class=n>%zu<td class=n>%zu</tr>\n", c->gates[i].passes, c->gates[i].fails);
        }
        put(p, "</table>\n");
    }
    const char *const places[] = { c->up_place, c->down_place };
    for (int i = 0; i < 2; i++)
        if (places[i]) {
            kr_buf_printf(&p->buf, "<p>%s most at <code>", i ? "Falls" : "Rises");
            esc(p, places[i]);
            put(p, "</code>: ");
            number(p, i ? c->down_a : c->up_a, c->unit);
            put(p, " → ");
            number(p, i ? c->down_b : c->up_b, c->unit);
            put(p, "</p>\n");
        }
}

static void data(page *p)
{
    const kr_impact *m = p->d->impact;
    if (!m)
        return;
    put(p, "<h2>Effect on data</h2>\n");
    tag(p, "p", kr_report_period(p->buf.arena, p->d));
    if (m->rows_added || m->rows_removed)
        tag(p, "p", kr_arena_printf(p->buf.arena, "%zu rows come, %zu go.", m->rows_added, m->rows_removed));
    if (m->other_keys)
        tag(p, "p", kr_arena_printf(p->buf.arena, "Not compared, since their keys are others now: %s.", m->other_keys));
    if (m->changed_columns)
        tag(p, "p", kr_arena_printf(p->buf.arena, "Differences of totals by change: %s.", m->method));
    size_t same = 0;
    for (size_t i = 0; i < m->column_count; i++) {
        if (m->columns[i].changed || !kr_raw_eq(m->columns[i].total.change, KR_NUM_ZERO))
            column(p, &m->columns[i]);
        else
            same++;
    }
    if (same)
        tag(p, "p", kr_arena_printf(p->buf.arena, "%zu published columns do not change.", same));
}

char *kr_diff_html(kr_arena *arena, const kr_diff *d, const kr_report_options *o)
{
    page p = { { .arena = arena }, d, o };
    put(&p, "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n<title>");
    esc(&p, kr_arena_printf(arena, "%s → %s", d->old.label, d->new.label));
    kr_buf_printf(&p.buf, "</title>\n<style>%s</style></head>\n<body>\n", style);
    tag(&p, "h1", kr_report_summary(arena, d));
    const char *days = kr_report_days(arena, d);
    if (days)
        tag(&p, "p", days);
    if (d->why)
        tag(&p, "blockquote", d->why);
    parameters(&p);
    formulas(&p, false);
    formulas(&p, true);
    if (d->reached)
        tag(&p, "p", kr_arena_printf(arena, "%d of %d outputs are reached: %s", d->reached, d->output_count, kr_report_reaches(arena, d->all_reached, d->reached, true)));
    data(&p);
    if (d->verdict_count) {
        put(&p, "<h2>Verdicts</h2>\n<table>\n");
        for (size_t i = 0; i < d->verdict_count; i++) {
            const kr_verdict *v = &d->verdicts[i];
            kr_buf_printf(&p.buf, "<tr><td%s>%s<td>%s<td>", v->failed ? " class=warn" : "", v->failed ? "fails" : "holds", v->what);
            esc(&p, v->title);
            if (v->failed && v->place) {
                kr_buf_printf(&p.buf, "<td>%zu rows, first <code>", v->failed);
                esc(&p, v->place);
                put(&p, "</code>");
            }
            put(&p, "</tr>\n");
        }
        put(&p, "</table>\n");
    }
    put(&p, "<h2>The same as JSON</h2>\n<details><summary>all of it, with every digit</summary><pre>");
    esc(&p, kr_diff_json(arena, d));
    put(&p, "</pre></details>\n</body></html>\n");
    return p.buf.text;
}
