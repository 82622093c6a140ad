#include "vm/text/buf.h"

#include <string.h>

void kr_buf_bytes(kr_buf *buf, const char *text, size_t len)
{
    if (buf->len + len + 1 > buf->capacity) {
        size_t capacity = (buf->len + len + 1) * 2;
        char *bigger = kr_arena_alloc(buf->arena, capacity);
        if (buf->len)
            memcpy(bigger, buf->text, buf->len);
        buf->text = bigger;
        buf->capacity = capacity;
    }
    memcpy(buf->text + buf->len, text, len);
    buf->len += len;
    buf->text[buf->len] = 0;
}

void kr_buf_put(kr_buf *buf, const char *text) { kr_buf_bytes(buf, text, strlen(text)); }

void kr_buf_printf(kr_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_buf_put(buf, kr_arena_vprintf(buf->arena, format, args));
    va_end(args);
}
