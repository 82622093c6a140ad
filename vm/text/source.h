/* source.h: texts that diagnostics point into. A source is a file or a text given on the command line, kept whole. */
#ifndef KR_SOURCE_H
#define KR_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/text/arena.h"

typedef struct kr_source {
    const char *name;  /* as the user wrote it: rules/kokoah/pay/v1.lua, <expr>, data/fill.csv */
    const char *text;  /* NUL-terminated copy */
    uint32_t len;
    uint32_t line_count;
    const uint32_t *lines; /* offset of each line's start */
    const struct kr_span *origin; /* a text that a declaration made (a macro's formula): that declaration; else NULL */
} kr_source;

/* A piece of a source: bytes [start, end). source NULL: no place known. */
typedef struct kr_span {
    const kr_source *source;
    uint32_t start, end;
} kr_span;

kr_source *kr_source_new(kr_arena *arena, const char *name, const char *text, size_t len);
/* Line and column (in characters, UTF-8), both from 1. */
void kr_source_place(const kr_source *source, uint32_t offset, uint32_t *line, uint32_t *column);

/* A formula's own text with a map of its bytes to the source it stands in (Lua escapes, long strings).
 * map NULL: the text is not a piece of the source (made by a macro): diagnostics show `origin` and the text below it. */
typedef struct kr_fragment {
    const char *text;
    uint32_t len;
    const kr_source *source; /* the file, or NULL */
    const uint32_t *map;     /* map[i]: offset in source of text byte i, len + 1 entries; or NULL */
    kr_span origin;          /* the declaration, always set for formulas of a file */
    const kr_source *self;   /* the text as a source of its own, for the caret when map is NULL; set by kr_fragment_… */
} kr_fragment;

kr_fragment *kr_fragment_plain(kr_arena *arena, const char *name, const char *text, size_t len); /* its own source, map identity */
/* A formula that stands in `source` byte by byte as `map` says (kept, not copied: len + 1 entries). */
kr_fragment *kr_fragment_mapped(kr_arena *arena, const kr_source *source, const char *text, size_t len, const uint32_t *map, kr_span origin);
/* A formula that the declaration at `origin` made: it is its own source, named `name`, and messages show both places. */
kr_fragment *kr_fragment_made(kr_arena *arena, const char *name, const char *text, size_t len, kr_span origin);
/* The span of bytes [start, end) of the fragment's text: in the file where possible, else in `self`. */
kr_span kr_fragment_span(const kr_fragment *fragment, uint32_t start, uint32_t end);

#endif
