/* buf.h: a text that grows, in an arena. Start with { .arena = arena }; `text` is NUL-terminated once something was put, NULL before.
 * What it outgrows stays in the arena until that is freed: for texts of a page or so, built once. */
#ifndef KR_BUF_H
#define KR_BUF_H

#include "vm/text/arena.h"

typedef struct kr_buf {
    kr_arena *arena;
    char *text;
    size_t len, capacity;
} kr_buf;

void kr_buf_bytes(kr_buf *buf, const char *text, size_t len);
void kr_buf_put(kr_buf *buf, const char *text);
void kr_buf_printf(kr_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
