/* doc.c: the documentation of a declaration: the `---` lines directly above its statement, its source section as (§ …) and its
 * unit in brackets at the end. */
#include "vm/host/internal.h"

#include <string.h>

typedef struct line {
    uint32_t start, end; /* of its text, without margins */
    bool doc;
} line;

/* The line that ends at `end` (its break excluded); false when it is no `---` comment. A row of dashes is a rule, no text. */
static bool doc_line(const char *text, uint32_t start, uint32_t end, line *out)
{
    while (start < end && (text[start] == ' ' || text[start] == '\t'))
        start++;
    while (end > start && (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r'))
        end--;
    if (end - start < 3 || memcmp(text + start, "---", 3) || (end - start > 3 && text[start + 3] == '-'))
        return false;
    start += 3;
    while (start < end && text[start] == ' ')
        start++;
    *out = (line){ start, end, true };
    return true;
}

static char *trimmed(kr_arena *arena, const char *text, size_t len)
{
    while (len && text[len - 1] == ' ')
        len--;
    while (len && *text == ' ')
        text++, len--;
    return kr_arena_copy(arena, text, len);
}

/* Take (§ …) out of the text. */
static void take_section(kr_host *h, kr_doc *doc)
{
    static const char mark[] = "(\xC2\xA7";
    const char *hit = strstr(doc->text, mark);
    const char *close = hit ? strchr(hit, ')') : NULL;
    if (!close)
        return;
    const char *name = hit + sizeof mark - 1;
    doc->section = trimmed(h->arena, name, (size_t)(close - name));
    size_t before = (size_t)(hit - doc->text);
    while (before && doc->text[before - 1] == ' ')
        before--;
    doc->text = trimmed(h->arena, kr_arena_printf(h->arena, "%.*s%s", (int)before, doc->text, close + 1), before + strlen(close + 1));
    if (strcmp(doc->text, ".") == 0) /* nothing but the section */
        doc->text = "";
}

kr_doc kr_doc_of(kr_host *h, const kr_lua_stat *stat)
{
    kr_doc doc = { .text = "" };
    if (!stat)
        return doc;
    const char *text = h->tree->tokens.source->text;
    uint32_t at = stat->first->start; /* of the line below the one looked at */
    uint32_t floor = stat->first->trivia;
    line *lines = NULL;
    size_t count = 0, room = 0;
    while (at > floor && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    while (at > floor && text[at - 1] == '\n') {
        uint32_t end = at - 1, start = end;
        line found;
        while (start > floor && text[start - 1] != '\n')
            start--;
        if (start == floor && start > 0 && text[start - 1] != '\n')
            break; /* a comment behind the statement before */
        if (!doc_line(text, start, end, &found))
            break;
        KR_PUSH(h->arena, lines, count, room) = found;
        at = start;
    }
    if (!count)
        return doc;
    size_t room_for = 1, used = 0;
    for (size_t i = 0; i < count; i++)
        room_for += lines[i].end - lines[i].start + 1;
    char *joined = kr_arena_alloc(h->arena, room_for);
    for (size_t i = count; i-- > 0;) {
        if (used)
            joined[used++] = ' ';
        memcpy(joined + used, text + lines[i].start, lines[i].end - lines[i].start);
        used += lines[i].end - lines[i].start;
    }
    doc.text = joined;

    const line *last = &lines[0];
    uint32_t end = last->end;
    while (end > last->start && (text[end - 1] == '.' || text[end - 1] == ' '))
        end--;
    if (end > last->start && text[end - 1] == ']') {
        uint32_t open = end - 1;
        while (open > last->start && text[open] != '[')
            open--;
        if (text[open] == '[') {
            doc.unit_span = (kr_span){ h->tree->tokens.source, open, end };
            if (!kr_unit_read(h->arena, text + open + 1, end - open - 2, &doc.unit)) {
                kr_diag *diag = kr_diag_add(h->diags, KR_E_DECLARE_UNIT, doc.unit_span, "`%.*s` is not a unit", (int)(end - open - 2), text + open + 1);
                kr_diag_help(h->diags, diag, "a unit is a product of names with whole powers: [USD], [alpha/day], [1/day^2], [1]");
            }
            const char *bracket = strrchr(joined, '[');
            doc.text = trimmed(h->arena, joined, (size_t)(bracket - joined));
        }
    }
    take_section(h, &doc);
    return doc;
}
