/* diag_show.c: a diagnostic as people and as programs read it. */
#include <stdio.h>
#include <string.h>

#include "vm/text/diag.h"
#include "vm/text/utf8.h"

enum { TAB = 4, WINDOW = 160 /* columns of a source line shown at most */, BEFORE = 60, AFTER = 90 };

typedef struct out {
    kr_arena *arena;
    char *text;
    size_t len, room;
    bool colour;
    int gutter; /* digits of the longest line number */
} out;

static void put(out *o, const char *text, size_t n)
{
    if (o->len + n + 1 > o->room) {
        size_t room = (o->len + n + 1) * 2;
        char *larger = kr_arena_alloc(o->arena, room);
        if (o->len)
            memcpy(larger, o->text, o->len);
        o->text = larger;
        o->room = room;
    }
    memcpy(o->text + o->len, text, n);
    o->len += n;
    o->text[o->len] = '\0';
}

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
    puts_(o, kr_arena_vprintf(o->arena, format, args));
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
static void lay(piece *p, const char *line, size_t len, size_t start, size_t end, size_t skip, size_t limit)
{
    size_t column = 0;
    p->from = p->to = SIZE_MAX;
    for (size_t at = 0; at < len;) {
        size_t begin = at;
        uint32_t c = kr_utf8_next(line, len, &at);
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
                put(&p->text, line + begin, at - begin);
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

/* The line of the span's start, and the part of the span that lies on it marked. */
static void excerpt(out *o, kr_span span, char mark, const char *mark_style, const char *label)
{
    uint32_t line, column;
    const kr_source *source = span.source;
    kr_source_place(source, span.start, &line, &column);
    uint32_t begin = source->lines[line - 1];
    const char *text = source->text + begin;
    size_t len = strcspn(text, "\n");
    if (begin + len > source->len)
        len = source->len - begin;
    if (len && text[len - 1] == '\r')
        len--;
    size_t start = span.start - begin, end = span.end > span.start ? span.end - begin : start;
    if (end > len)
        end = len > start ? len : start;

    piece p = { .text = { .arena = o->arena } };
    lay(&p, text, len, start, end, 0, SIZE_MAX);
    size_t width = kr_text_width(text, len), from = p.from, to = p.to;
    const char *left = "", *right = "";
    if (width > WINDOW) { /* a part around the mark */
        size_t skip = from > BEFORE ? from - BEFORE : 0, limit = from + AFTER;
        p = (piece){ .text = { .arena = o->arena } };
        lay(&p, text, len, start, end, skip, limit);
        left = skip ? "… " : "";
        right = limit < width ? " …" : "";
        from -= skip;
        to = to > limit ? limit - skip : to - skip;
        if (skip) {
            from += 2;
            to += 2;
        }
    }
    gutter(o, "|\n");
    style(o, rule_style);
    say(o, "%*u |", o->gutter, (unsigned)line);
    style(o, "0");
    size_t shown = p.text.len;
    while (shown && p.text.text[shown - 1] == ' ')
        shown--;
    if (shown || *left)
        say(o, " %s%.*s%s", left, (int)shown, p.text.text ? p.text.text : "", right);
    puts_(o, "\n");
    gutter(o, "|");
    repeat(o, ' ', from + 1);
    style(o, mark_style);
    repeat(o, mark, to - from);
    if (label)
        say(o, " %s", label);
    style(o, "0");
    puts_(o, "\n");
}

static void place_line(out *o, const char *arrow, kr_span span)
{
    uint32_t line, column;
    kr_source_place(span.source, span.start, &line, &column);
    style(o, rule_style);
    repeat(o, ' ', (size_t)o->gutter);
    puts_(o, arrow);
    style(o, "0");
    say(o, " %s:%u:%u\n", span.source->name, (unsigned)line, (unsigned)column);
}

static int digits_of(kr_span span)
{
    uint32_t line, column;
    int digits = 1;
    if (!span.source)
        return 2;
    kr_source_place(span.source, span.start, &line, &column);
    for (; line >= 10; line /= 10)
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
    for (const char *line = text;;) { /* further lines stand under the first */
        size_t n = strcspn(line, "\n");
        put(o, line, n);
        puts_(o, "\n");
        if (!line[n])
            break;
        line += n + 1;
        repeat(o, ' ', (size_t)o->gutter + 5 + strlen(word));
    }
}

char *kr_diag_render(kr_arena *arena, const kr_diag *diag, bool colour)
{
    out o = { .arena = arena, .colour = colour, .gutter = 1 };
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
        place_line(&o, "-->", diag->span);
        excerpt(&o, diag->span, '^', mark_style, NULL);
    } else if (diag->place) {
        style(&o, rule_style);
        repeat(&o, ' ', (size_t)o.gutter);
        puts_(&o, "-->");
        style(&o, "0");
        say(&o, " %s\n", diag->place);
    }
    for (int i = 0; i < diag->window_count; i++) {
        place_line(&o, ":::", diag->windows[i].span);
        excerpt(&o, diag->windows[i].span, '-', rule_style, diag->windows[i].label);
    }
    if (diag->row)
        remark(&o, "row", diag->row);
    for (int i = 0; i < 3 && diag->note[i]; i++)
        remark(&o, "note", diag->note[i]);
    for (int i = 0; i < 3 && diag->help[i]; i++)
        remark(&o, "help", diag->help[i]);
    return o.text;
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
    uint32_t line, column, end_line, end_column;
    kr_source_place(span.source, span.start, &line, &column);
    kr_source_place(span.source, span.end, &end_line, &end_column);
    if (end_line > line) {
        uint32_t stop = span.source->lines[line] - 1, ignored;
        kr_source_place(span.source, stop, &ignored, &end_column);
    }
    puts_(o, "\"file\":");
    json_text(o, span.source->name);
    say(o, ",\"line\":%u,\"column\":%u,\"end_column\":%u", (unsigned)line, (unsigned)column, (unsigned)end_column);
}

char *kr_diag_json(kr_arena *arena, const kr_diag *diag)
{
    out o = { .arena = arena };
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
    return o.text;
}
