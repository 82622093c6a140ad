/* diag_show.c: a diagnostic as people and as programs read it. */
#include <stdio.h>
#include <string.h>

#include "vm/text/buf.h"
#include "vm/text/diag.h"
#include "vm/text/utf8.h"

enum { TAB = 4, WINDOW = 160 /* columns of a source line shown at most */, BEFORE = 60, AFTER = 90 };

typedef struct out {
    kr_buf buf;
    bool colour;
    int gutter; /* digits of the longest line number */
} out;

static void put(out *o, const char *text, size_t n) { kr_buf_bytes(&o->buf, text, n); }
static void puts_(out *o, const char *text) { put(o, text, strlen(text)); }

static void repeat(out *o, char c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(o, &c, 1);
}

__attribute__((format(printf, 2, 3))) static void say(out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    puts_(o, kr_arena_vprintf(o->buf.arena, format, args));
    va_end(args);
}

static void style(out *o, const char *code)
{
    if (o->colour)
        say(o, "\033[%sm", code);
}

static const char *const severity_words[] = { "error", "warning", "note" };
static const char *const severity_styles[] = { "1;31", "1;33", "1;36" };
static const char rule_style[] = "34";

/* ---- a line of a source with a mark below */

typedef struct piece { /* the line as shown: columns of the terminal */
    out text;
    size_t from, to;   /* columns of the mark */
} piece;

/* Characters become what a terminal shows in as many columns as counted: tabs reach to the next stop, control characters and broken
 * bytes become one replacement character. */
static void lay(piece *p, const char *text, size_t len, size_t start, size_t end, size_t skip, size_t limit)
{
    size_t column = 0;
    p->from = p->to = SIZE_MAX;
    for (size_t at = 0; at < len;) {
        size_t begin = at;
        uint32_t c = kr_utf8_next(text, len, &at);
        size_t width = c == '\t' ? TAB - column % TAB : (size_t)kr_char_width(c);
        if (begin >= start && p->from == SIZE_MAX)
            p->from = column;
        if (begin >= end && p->to == SIZE_MAX)
            p->to = column;
        if (column >= skip && column + width <= limit) {
            if (c == '\t')
                repeat(&p->text, ' ', width);
            else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd)
                puts_(&p->text, "\xef\xbf\xbd");
            else
                put(&p->text, text + begin, at - begin);
        }
        column += width;
    }
    if (p->from == SIZE_MAX)
        p->from = column;
    if (p->to == SIZE_MAX)
        p->to = column;
    if (p->to <= p->from)
        p->to = p->from + 1;
}

static void gutter(out *o, const char *mark)
{
    style(o, rule_style);
    repeat(o, ' ', (size_t)o->gutter + 1);
    puts_(o, mark);
    style(o, "0");
}

typedef struct line { /* the line of a source that a span begins on */
    const char *text;
    size_t len;
    uint32_t number, begin;
    size_t skip, limit; /* columns shown */
} line;

/* A line that is too long is shown in part, around the span. */
static line line_of(const out *o, kr_span span)
{
    line l = { .limit = SIZE_MAX };
    uint32_t column;
    kr_source_place(span.source, span.start, &l.number, &column);
    l.begin = span.source->lines[l.number - 1];
    l.text = span.source->text + l.begin;
    l.len = strcspn(l.text, "\n");
    if (l.len && l.text[l.len - 1] == '\r')
        l.len--;
    if (kr_text_width(l.text, l.len) > WINDOW) {
        piece p = { .text = { .buf = { .arena = o->buf.arena } } };
        lay(&p, l.text, l.len, span.start - l.begin, span.start - l.begin, 0, SIZE_MAX);
        l.skip = p.from > BEFORE ? p.from - BEFORE : 0;
        l.limit = p.from + AFTER;
    }
    return l;
}

static void show_line(out *o, const line *l)
{
    piece p = { .text = { .buf = { .arena = o->buf.arena } } };
    lay(&p, l->text, l->len, 0, 0, l->skip, l->limit);
    gutter(o, "|\n");
    style(o, rule_style);
    say(o, "%*u |", o->gutter, (unsigned)l->number);
    style(o, "0");
    size_t shown = p.text.buf.len;
    while (shown && p.text.buf.text[shown - 1] == ' ')
        shown--;
    if (shown || l->skip)
        say(o, " %s%.*s%s", l->skip ? "… " : "", (int)shown, p.text.buf.text ? p.text.buf.text : "", l->limit < kr_text_width(l->text, l->len) ? " …" : "");
    puts_(o, "\n");
}

/* The part of the span that lies on the line, marked. */
static void show_mark(out *o, const line *l, kr_span span, char mark, const char *mark_style, const char *label)
{
    size_t start = span.start - l->begin, end = span.end > span.start ? span.end - l->begin : start;
    if (end > l->len)
        end = l->len > start ? l->len : start;
    piece p = { .text = { .buf = { .arena = o->buf.arena } } };
    lay(&p, l->text, l->len, start, end, 0, SIZE_MAX);
    size_t from = p.from < l->skip ? l->skip : p.from, to = p.to > l->limit ? l->limit : p.to;
    gutter(o, "|");
    if (from < to) {
        repeat(o, ' ', from - l->skip + (l->skip ? 3 : 1));
        style(o, mark_style);
        repeat(o, mark, to - from);
    } else { /* outside the part that is shown */
        style(o, mark_style);
    }
    if (label)
        say(o, " %s", label);
    style(o, "0");
    puts_(o, "\n");
}

static void excerpt(out *o, kr_span span, char mark, const char *mark_style, const char *label)
{
    line l = line_of(o, span);
    show_line(o, &l);
    show_mark(o, &l, span, mark, mark_style, label);
}

static bool is_same_line(kr_span a, kr_span b)
{
    uint32_t x, y, column;
    if (!a.source || a.source != b.source)
        return false;
    kr_source_place(a.source, a.start, &x, &column);
    kr_source_place(b.source, b.start, &y, &column);
    return x == y;
}

static void place_line(out *o, const char *arrow, kr_span span)
{
    uint32_t row, column;
    kr_source_place(span.source, span.start, &row, &column);
    style(o, rule_style);
    repeat(o, ' ', (size_t)o->gutter);
    puts_(o, arrow);
    style(o, "0");
    say(o, " %s:%u:%u\n", span.source->name, (unsigned)row, (unsigned)column);
}

static int digits_of(kr_span span)
{
    uint32_t row, column;
    int digits = 1;
    if (!span.source)
        return 2;
    kr_source_place(span.source, span.start, &row, &column);
    for (; row >= 10; row /= 10)
        digits++;
    return digits;
}

static int larger(int a, int b) { return a > b ? a : b; }

static void remark(out *o, const char *word, const char *text)
{
    gutter(o, "= ");
    style(o, "1");
    puts_(o, word);
    style(o, "0");
    puts_(o, ": ");
    for (const char *at = text;;) { /* further lines stand under the first */
        size_t n = strcspn(at, "\n");
        put(o, at, n);
        puts_(o, "\n");
        if (!at[n])
            break;
        at += n + 1;
        repeat(o, ' ', (size_t)o->gutter + 5 + strlen(word));
    }
}

char *kr_diag_render(kr_arena *arena, const kr_diag *diag, bool colour)
{
    out o = { .buf = { .arena = arena }, .colour = colour, .gutter = 1 };
    const kr_span *made = diag->span.source ? diag->span.source->origin : NULL;
    const char *mark_style = severity_styles[diag->severity];
    o.gutter = digits_of(diag->span);
    if (made)
        o.gutter = larger(o.gutter, digits_of(*made));
    for (int i = 0; i < diag->window_count; i++)
        o.gutter = larger(o.gutter, digits_of(diag->windows[i].span));

    style(&o, mark_style);
    say(&o, "%s[%s]", severity_words[diag->severity], kr_code_name(diag->code));
    style(&o, "0");
    style(&o, "1");
    say(&o, ": %s", diag->message);
    style(&o, "0");
    puts_(&o, "\n");
    if (made) {
        place_line(&o, "-->", *made);
        excerpt(&o, *made, '-', rule_style, "makes the formula");
        place_line(&o, ":::", diag->span);
        excerpt(&o, diag->span, '^', mark_style, NULL);
    } else if (diag->span.source) {
        line l = line_of(&o, diag->span);
        place_line(&o, "-->", diag->span);
        show_line(&o, &l);
        show_mark(&o, &l, diag->span, '^', mark_style, NULL);
        for (int i = 0; i < diag->window_count; i++)
            if (is_same_line(diag->span, diag->windows[i].span))
                show_mark(&o, &l, diag->windows[i].span, '-', rule_style, diag->windows[i].label);
    } else if (diag->place) {
        style(&o, rule_style);
        repeat(&o, ' ', (size_t)o.gutter);
        puts_(&o, "-->");
        style(&o, "0");
        say(&o, " %s\n", diag->place);
    }
    for (int i = 0; i < diag->window_count; i++) {
        if (!made && is_same_line(diag->span, diag->windows[i].span))
            continue; /* shown with it */
        place_line(&o, ":::", diag->windows[i].span);
        excerpt(&o, diag->windows[i].span, '-', rule_style, diag->windows[i].label);
    }
    if (diag->row)
        remark(&o, "row", diag->row);
    for (int i = 0; i < 3 && diag->note[i]; i++)
        remark(&o, "note", diag->note[i]);
    for (int i = 0; i < 3 && diag->help[i]; i++)
        remark(&o, "help", diag->help[i]);
    return o.buf.text;
}

/* ---- JSON */

static void json_text(out *o, const char *text)
{
    size_t len = strlen(text);
    puts_(o, "\"");
    for (size_t at = 0; at < len;) {
        size_t begin = at;
        uint32_t c = kr_utf8_next(text, len, &at);
        if (c == '"' || c == '\\')
            say(o, "\\%c", (char)c);
        else if (c == '\n')
            puts_(o, "\\n");
        else if (c < 0x20)
            say(o, "\\u%04x", (unsigned)c);
        else if (c == 0xfffd)
            puts_(o, "\\ufffd");
        else
            put(o, text + begin, at - begin);
    }
    puts_(o, "\"");
}

static void json_field(out *o, const char *name, const char *text)
{
    if (!text)
        return;
    say(o, ",\"%s\":", name);
    json_text(o, text);
}

static void json_list(out *o, const char *name, const char *const list[3])
{
    if (!list[0])
        return;
    say(o, ",\"%s\":[", name);
    for (int i = 0; i < 3 && list[i]; i++) {
        puts_(o, i ? "," : "");
        json_text(o, list[i]);
    }
    puts_(o, "]");
}

/* end_column: behind the last character, on the line of the start; a span that goes on ends with that line. */
static void json_place(out *o, kr_span span)
{
    uint32_t row, column, end_row, end_column;
    kr_source_place(span.source, span.start, &row, &column);
    kr_source_place(span.source, span.end, &end_row, &end_column);
    if (end_row > row) {
        uint32_t stop = span.source->lines[row] - 1, ignored;
        kr_source_place(span.source, stop, &ignored, &end_column);
    }
    puts_(o, "\"file\":");
    json_text(o, span.source->name);
    say(o, ",\"line\":%u,\"column\":%u,\"end_column\":%u", (unsigned)row, (unsigned)column, (unsigned)end_column);
}

char *kr_diag_json(kr_arena *arena, const kr_diag *diag)
{
    out o = { .buf = { .arena = arena } };
    const kr_span *made = diag->span.source ? diag->span.source->origin : NULL;
    say(&o, "{\"code\":\"%s\",\"severity\":\"%s\"", kr_code_name(diag->code), severity_words[diag->severity]);
    json_field(&o, "message", diag->message);
    if (diag->span.source) {
        puts_(&o, ",");
        json_place(&o, made ? *made : diag->span);
    }
    if (made) { /* the place in the text that the declaration at file:line made */
        puts_(&o, ",\"made\":{");
        json_place(&o, diag->span);
        json_field(&o, "text", diag->span.source->text);
        puts_(&o, "}");
    }
    json_field(&o, "place", diag->place);
    json_field(&o, "row", diag->row);
    if (diag->window_count) {
        puts_(&o, ",\"also\":[");
        for (int i = 0; i < diag->window_count; i++) {
            puts_(&o, i ? ",{" : "{");
            json_place(&o, diag->windows[i].span);
            json_field(&o, "label", diag->windows[i].label);
            puts_(&o, "}");
        }
        puts_(&o, "]");
    }
    json_list(&o, "note", diag->note);
    json_list(&o, "help", diag->help);
    puts_(&o, "}");
    return o.buf.text;
}
