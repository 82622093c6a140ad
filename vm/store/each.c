/* each.c: numbered pieces of work on all cores, and the growing text of the reports. */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vm/store/diff_internal.h"

enum { MOST_THREADS = 256 };

typedef struct crew {
    atomic_size_t next;
    size_t count;
    void (*work)(void *context, size_t item);
    void *context;
} crew;

static void take(crew *c)
{
    for (size_t item; (item = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->work(c->context, item);
}

static void *member(void *argument)
{
    take(argument);
    kr_num_thread_done();
    return NULL;
}

int kr_cores(int threads)
{
    long n = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}

void kr_each(int threads, size_t count, void (*work)(void *context, size_t item), void *context)
{
    crew c = { .count = count, .work = work, .context = context };
    pthread_t others[MOST_THREADS];
    int cores = kr_cores(threads), started = 0;
    while (started < cores - 1 && (size_t)started + 1 < count && pthread_create(&others[started], NULL, member, &c) == 0)
        started++; /* fewer threads than asked for: slower, and the same results */
    take(&c);
    while (started > 0)
        pthread_join(others[--started], NULL);
}

/* ------------------------------------------------------------------ text */

static void put_bytes(kr_buf *buf, const char *text, size_t len)
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

void kr_buf_put(kr_buf *buf, const char *text) { put_bytes(buf, text, strlen(text)); }

void kr_buf_printf(kr_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_buf_put(buf, kr_arena_vprintf(buf->arena, format, args));
    va_end(args);
}

void kr_buf_json(kr_buf *buf, const char *text)
{
    if (!text) {
        kr_buf_put(buf, "null");
        return;
    }
    put_bytes(buf, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char code[8];
        if (c == '"' || c == '\\') {
            code[0] = '\\';
            code[1] = (char)c;
            put_bytes(buf, code, 2);
        } else if (c < 32 || c == 127) {
            put_bytes(buf, code, (size_t)snprintf(code, sizeof code, "\\u%04x", c));
        } else {
            put_bytes(buf, text, 1);
        }
    }
    put_bytes(buf, "\"", 1);
}

void kr_buf_html(kr_buf *buf, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': kr_buf_put(buf, "&amp;"); break;
        case '<': kr_buf_put(buf, "&lt;"); break;
        case '>': kr_buf_put(buf, "&gt;"); break;
        case '"': kr_buf_put(buf, "&quot;"); break;
        default: put_bytes(buf, text, 1);
        }
}
