/* import_json.h: JSON answers as trees that keep every number as its text. Private to vm/store.
 *
 * Nothing here is ever a binary number: a numeral is the text that stands in the file. Objects may have members nobody asks for, but
 * none twice. Everything is of the arena and points into the text, which must stay. */
#ifndef KR_IMPORT_JSON_H
#define KR_IMPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "vm/text/arena.h"

typedef enum { KR_JSON_NULL, KR_JSON_BOOL, KR_JSON_NUMBER, KR_JSON_STRING, KR_JSON_LIST, KR_JSON_OBJECT } kr_json_type;

typedef struct kr_json kr_json;
struct kr_json {
    kr_json_type type;
    const char *name;    /* of a member, NUL-terminated; else NULL */
    const char *text;    /* of a plain value, NUL-terminated, unescaped; "true", "false", "" of null */
    size_t len;
    const char *at;      /* first byte in the file */
    const char *end;     /* behind its last byte */
    kr_json *first, *next;
    size_t count;        /* elements or members */
};

typedef struct kr_json_reader {
    const char *start, *p, *end;
    const char *problem; /* what is wrong at p */
} kr_json_reader;

void kr_json_start(kr_json_reader *reader, const char *data, size_t size);
/* The next value of the file, values being separated by white space or not at all. NULL: the end (problem NULL) or a fault. */
kr_json *kr_json_next(kr_json_reader *reader, kr_arena *arena);
const kr_json *kr_json_get(const kr_json *object, const char *name); /* NULL: no such member, or no object */
/* Line and column, both from 1, and byte, from 0, of a place in the file. */
void kr_json_place(const kr_json_reader *reader, const char *at, size_t *line, size_t *column, size_t *byte);

#endif
