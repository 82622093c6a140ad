/* arena.c: blocks handed out from the front, freed together. */
#include "vm/text/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under the address sanitizer a gap stays poisoned behind every piece, so that running over its end is seen. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#endif
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#define POISON(at, bytes) __asan_poison_memory_region((at), (bytes))
#define UNPOISON(at, bytes) __asan_unpoison_memory_region((at), (bytes))
#else
enum { GAP = 0 };
#define POISON(at, bytes) ((void)(at), (void)(bytes))
#define UNPOISON(at, bytes) ((void)(at), (void)(bytes))
#endif

enum { FIRST_BLOCK = 1 << 14, LARGEST_BLOCK = 1 << 20 };

typedef struct block {
    struct block *next;
    size_t size, used; /* bytes of data[] */
    _Alignas(16) unsigned char data[];
} block;

struct kr_arena {
    block *blocks; /* the one being filled first */
    size_t next_size, bytes;
};

static void default_no_memory(size_t bytes)
{
    fprintf(stderr, "krules: out of memory (%zu bytes wanted)\n", bytes);
    exit(4);
}

static void (*no_memory)(size_t bytes) = default_no_memory;

void kr_set_no_memory_handler(void (*handler)(size_t bytes)) { no_memory = handler ? handler : default_no_memory; }

static void *got(void *memory, size_t bytes)
{
    if (!memory) {
        no_memory(bytes);
        abort(); /* a handler must not return */
    }
    return memory;
}

void *kr_alloc(size_t bytes) { return got(calloc(1, bytes ? bytes : 1), bytes); }
void *kr_realloc(void *old, size_t bytes) { return got(realloc(old, bytes ? bytes : 1), bytes); }
void kr_free(void *memory) { free(memory); }

void kr_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "krules: internal error: %s:%d: %s does not hold\n", file, line, condition);
    abort();
}

kr_arena *kr_arena_new(void)
{
    kr_arena *arena = kr_alloc(sizeof *arena);
    arena->next_size = FIRST_BLOCK;
    return arena;
}

static void free_blocks(block *b)
{
    while (b) {
        block *next = b->next;
        UNPOISON(b->data, b->size);
        free(b);
        b = next;
    }
}

void kr_arena_free(kr_arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    free(arena);
}

void kr_arena_reset(kr_arena *arena)
{
    block *kept = arena->blocks;
    if (!kept)
        return;
    free_blocks(kept->next);
    kept->next = NULL;
    UNPOISON(kept->data, kept->size);
    memset(kept->data, 0, kept->used); /* the rest is zero still */
    POISON(kept->data, kept->size);
    kept->used = 0;
    arena->bytes = kept->size;
}

size_t kr_arena_bytes(const kr_arena *arena) { return arena->bytes; }

static block *block_new(kr_arena *arena, size_t size)
{
    KR_ASSERT(size <= SIZE_MAX / 2);
    block *b = kr_alloc(sizeof *b + size);
    b->size = size;
    arena->bytes += size;
    POISON(b->data, size);
    return b;
}

void *kr_arena_alloc(kr_arena *arena, size_t bytes)
{
    KR_ASSERT(bytes <= SIZE_MAX / 4);
    size_t step = (bytes + (bytes == 0) + GAP + 15) & ~(size_t)15;
    block *b = arena->blocks;
    if (!b || b->size - b->used < step) {
        if (step > arena->next_size / 4) { /* a block of its own, behind the one being filled */
            block *own = block_new(arena, step);
            own->used = step;
            if (b) {
                own->next = b->next;
                b->next = own;
            } else {
                arena->blocks = own;
            }
            UNPOISON(own->data, bytes);
            return own->data;
        }
        b = block_new(arena, arena->next_size);
        b->next = arena->blocks;
        arena->blocks = b;
        if (arena->next_size < LARGEST_BLOCK)
            arena->next_size *= 2;
    }
    void *at = b->data + b->used;
    b->used += step;
    UNPOISON(at, bytes);
    return at;
}

char *kr_arena_copy(kr_arena *arena, const char *text, size_t len)
{
    char *copy = kr_arena_alloc(arena, len + 1);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

char *kr_arena_vprintf(kr_arena *arena, const char *format, va_list args)
{
    KR_ASSERT(format);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    KR_ASSERT(len >= 0); /* formats are ours */
    char *out = kr_arena_alloc(arena, (size_t)len + 1);
    vsnprintf(out, (size_t)len + 1, format, args);
    return out;
}

char *kr_arena_printf(kr_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *out = kr_arena_vprintf(arena, format, args);
    va_end(args);
    return out;
}

void *kr_arena_grow(kr_arena *arena, void *array, size_t element, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return array;
    size_t wanted = *capacity < 4 ? 8 : *capacity * 2;
    KR_ASSERT(wanted > count && wanted <= SIZE_MAX / 4 / element);
    void *larger = kr_arena_alloc(arena, wanted * element);
    if (count)
        memcpy(larger, array, count * element);
    *capacity = wanted;
    return larger;
}
