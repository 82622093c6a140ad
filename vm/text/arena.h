/* arena.h: memory of one unit of work, freed in one call.
 *
 * Three arenas live in a run of krules: model (sources, names, trees, plan), run (columns, indexes), scratch (one pass).
 * A pointer may point to its own arena or to one that lives longer. Not safe for several threads at once.
 * Lack of memory calls the one no-memory handler (default: says so on stderr and ends the process). */
#ifndef KR_ARENA_H
#define KR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct kr_arena kr_arena;

kr_arena *kr_arena_new(void);
void kr_arena_free(kr_arena *arena);  /* NULL is fine */
void kr_arena_reset(kr_arena *arena); /* frees all it holds, keeps a block */
size_t kr_arena_bytes(const kr_arena *arena);

void *kr_arena_alloc(kr_arena *arena, size_t bytes); /* zeroed, aligned to 16; 0 bytes gives a valid pointer */
char *kr_arena_copy(kr_arena *arena, const char *text, size_t len); /* NUL-terminated copy */
char *kr_arena_printf(kr_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *kr_arena_vprintf(kr_arena *arena, const char *format, va_list args);

#define KR_NEW(arena, type) ((type *)kr_arena_alloc((arena), sizeof(type)))
#define KR_NEW_ARRAY(arena, type, n) ((type *)kr_arena_alloc((arena), sizeof(type) * (size_t)(n)))

/* Plain heap memory through the same no-memory handler, for big columns that are freed early. kr_alloc zeroes. */
void *kr_alloc(size_t bytes);
void *kr_realloc(void *old, size_t bytes);
void kr_free(void *memory);
void kr_set_no_memory_handler(void (*handler)(size_t bytes));

/* A growing array in an arena: KR_PUSH(arena, array, count, capacity) makes room and gives the new element's address. */
void *kr_arena_grow(kr_arena *arena, void *array, size_t element, size_t count, size_t *capacity);
#define KR_PUSH(arena, array, count, capacity)                                                              \
    (*(((array) = kr_arena_grow((arena), (array), sizeof *(array), (size_t)(count), &(capacity))), &(array)[(count)++]))

/* Broken invariants of ours; on in every build. */
#define KR_ASSERT(condition) ((condition) ? (void)0 : kr_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void kr_assert_failed(const char *condition, const char *file, int line);

#endif
