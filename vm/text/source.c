/* source.c: texts, their lines, and the places of a formula's bytes. */
#include "vm/text/source.h"

#include <string.h>

kr_source *kr_source_new(kr_arena *arena, const char *name, const char *text, size_t len)
{
    KR_ASSERT(len < UINT32_MAX); /* whoever reads a file refuses larger ones */
    kr_source *source = KR_NEW(arena, kr_source);
    source->name = kr_arena_copy(arena, name, strlen(name));
    source->text = kr_arena_copy(arena, text, len);
    source->len = (uint32_t)len;
    uint32_t count = 1;
    for (size_t i = 0; i < len; i++)
        count += text[i] == '\n';
    uint32_t *lines = KR_NEW_ARRAY(arena, uint32_t, count);
    uint32_t line = 1;
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\n')
            lines[line++] = (uint32_t)i + 1;
    source->lines = lines;
    source->line_count = count;
    return source;
}

void kr_source_place(const kr_source *source, uint32_t offset, uint32_t *line, uint32_t *column)
{
    uint32_t low = 0, high = source->line_count;
    if (offset > source->len)
        offset = source->len;
    while (high - low > 1) { /* lines[low] <= offset < lines[high] */
        uint32_t mid = low + (high - low) / 2;
        if (source->lines[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    uint32_t chars = 1;
    for (uint32_t i = source->lines[low]; i < offset; i++)
        chars += ((unsigned char)source->text[i] & 0xc0) != 0x80;
    *line = low + 1;
    *column = chars;
}

kr_fragment *kr_fragment_plain(kr_arena *arena, const char *name, const char *text, size_t len)
{
    kr_source *source = kr_source_new(arena, name, text, len);
    uint32_t *map = KR_NEW_ARRAY(arena, uint32_t, len + 1);
    for (uint32_t i = 0; i <= len; i++)
        map[i] = i;
    return kr_fragment_mapped(arena, source, source->text, len, map, (kr_span){ source, 0, (uint32_t)len });
}

kr_fragment *kr_fragment_mapped(kr_arena *arena, const kr_source *source, const char *text, size_t len, const uint32_t *map, kr_span origin)
{
    kr_fragment *fragment = KR_NEW(arena, kr_fragment);
    fragment->text = kr_arena_copy(arena, text, len);
    fragment->len = (uint32_t)len;
    fragment->source = source;
    fragment->map = map;
    fragment->origin = origin;
    return fragment;
}

kr_fragment *kr_fragment_made(kr_arena *arena, const char *name, const char *text, size_t len, kr_span origin)
{
    kr_source *self = kr_source_new(arena, name, text, len);
    kr_span *made = KR_NEW(arena, kr_span);
    *made = origin;
    self->origin = origin.source ? made : NULL;
    kr_fragment *fragment = KR_NEW(arena, kr_fragment);
    fragment->text = self->text;
    fragment->len = self->len;
    fragment->source = origin.source;
    fragment->origin = origin;
    fragment->self = self;
    return fragment;
}

kr_span kr_fragment_span(const kr_fragment *fragment, uint32_t start, uint32_t end)
{
    if (start > fragment->len)
        start = fragment->len;
    if (end > fragment->len)
        end = fragment->len;
    if (end < start)
        end = start;
    if (!fragment->map)
        return fragment->self ? (kr_span){ fragment->self, start, end } : fragment->origin;
    uint32_t from = fragment->map[start];
    if (end == start)
        return (kr_span){ fragment->source, from, from };
    /* The next byte may stand further on (a skipped line break), so the end is counted from the last byte; an escape ends where
     * the next byte begins. */
    uint32_t last = fragment->map[end - 1];
    bool escape = fragment->source->text[last] == '\\' && fragment->map[end] > last;
    return (kr_span){ fragment->source, from, escape ? fragment->map[end] : last + 1 };
}
