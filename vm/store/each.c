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

void kr_buf_json(kr_buf *buf, const char *text)
{
    if (!text) {
        kr_buf_put(buf, "null");
        return;
    }
    kr_buf_bytes(buf, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char code[8];
        if (c == '"' || c == '\\') {
            code[0] = '\\';
            code[1] = (char)c;
            kr_buf_bytes(buf, code, 2);
        } else if (c < 32 || c == 127) {
            kr_buf_bytes(buf, code, (size_t)snprintf(code, sizeof code, "\\u%04x", c));
        } else {
            kr_buf_bytes(buf, text, 1);
        }
    }
    kr_buf_bytes(buf, "\"", 1);
}

void kr_buf_html(kr_buf *buf, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': kr_buf_put(buf, "&amp;"); break;
        case '<': kr_buf_put(buf, "&lt;"); break;
        case '>': kr_buf_put(buf, "&gt;"); break;
        case '"': kr_buf_put(buf, "&quot;"); break;
        default: kr_buf_bytes(buf, text, 1);
        }
}
