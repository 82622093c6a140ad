/* column.h: a typed column of cells, stored narrow: boolean 1 byte, text, bytes and day 4, time 8, number 16.
 * Special cells keep their code in reserved values of each width. Kernels work on kr_cell vectors; load and store convert. */
#ifndef KR_COLUMN_H
#define KR_COLUMN_H

#include "vm/lang/type.h"
#include "vm/text/pool.h"

typedef struct kr_column {
    kr_type type;
    uint8_t width;  /* 1, 4, 8, 16 */
    size_t count;
    void *data;     /* heap (kr_alloc); NULL when count is 0 */
} kr_column;

void kr_column_init(kr_column *column, kr_type type, size_t count); /* all blank */
void kr_column_done(kr_column *column);
void kr_column_resize(kr_column *column, size_t count);             /* new cells blank */
kr_cell kr_column_get(const kr_column *column, size_t row);
void kr_column_set(kr_column *column, size_t row, kr_cell cell);
void kr_column_load(const kr_column *column, size_t start, size_t n, kr_cell *out);          /* rows start … */
void kr_column_gather(const kr_column *column, const uint32_t *rows, size_t n, kr_cell *out); /* row KR_NO_ROW gives blank */
void kr_column_store(kr_column *column, size_t start, size_t n, const kr_cell *in);
void kr_column_scatter(kr_column *column, const uint32_t *rows, size_t n, const kr_cell *in);

#define KR_NO_ROW UINT32_MAX

/* Order of two plain cells of one type; blanks first, then errors by code, then values. Text by bytes. */
int kr_cell_cmp(const kr_pool *pool, kr_type type, kr_cell a, kr_cell b);
/* Text of a cell as in CSV output: numbers plain, booleans true/false, day YYYY-MM-DD, time in ms, text as it is, bytes in hex,
 * blank "", errors their code. In the arena; len may be NULL. */
const char *kr_cell_text(kr_arena *arena, const kr_pool *pool, kr_type type, kr_cell cell, size_t *len);

#endif
