/* column.c: cells stored narrow. In each width the sixteen lowest values are the special cells, in the order of their codes
 * (in the 1-byte column, where 0 and 1 are the values, 128 and up). Width 16 is kr_cell itself. */
#include "vm/engine/column.h"

#include <string.h>

#include "vm/text/time.h"

enum { BYTE_SPECIAL = 128 };

static uint8_t width_of(kr_type type)
{
    switch (type) {
    case KR_T_BOOLEAN: return 1;
    case KR_T_TEXT:
    case KR_T_BYTES:
    case KR_T_DAY: return 4;
    case KR_T_TIME: return 8;
    case KR_T_NUMBER:
    case KR_T_NONE:
    case KR_T_LIST: return 16;
    }
    return 16;
}

static inline kr_cell from_1(uint8_t v) { return v >= BYTE_SPECIAL ? KR_SPECIAL(v - BYTE_SPECIAL) : (kr_cell){ v, 0 }; }
static inline uint8_t to_1(kr_cell c) { return (uint8_t)(kr_is_special(c) ? BYTE_SPECIAL + c.lo : c.lo); }

static inline kr_cell from_4(int32_t v)
{
    return v < INT32_MIN + KR_SPECIALS ? KR_SPECIAL((uint32_t)v - (uint32_t)INT32_MIN) : kr_cell_of_int(v);
}
static inline int32_t to_4(kr_cell c) { return kr_is_special(c) ? INT32_MIN + (int32_t)c.lo : (int32_t)kr_cell_int(c); }

static inline kr_cell from_8(int64_t v)
{
    return v < INT64_MIN + KR_SPECIALS ? KR_SPECIAL((uint64_t)v - (uint64_t)INT64_MIN) : kr_cell_of_int(v);
}
static inline int64_t to_8(kr_cell c) { return kr_is_special(c) ? INT64_MIN + (int64_t)c.lo : kr_cell_int(c); }

/* One loop per width: WIDTHS(body) with `cells`, `from` and `to` of that width. */
#define WIDTHS(column, body1, body4, body8, body16)                                                         \
    switch ((column)->width) {                                                                              \
    case 1: {                                                                                               \
        uint8_t *cells = (column)->data;                                                                    \
        body1;                                                                                              \
        break;                                                                                              \
    }                                                                                                       \
    case 4: {                                                                                               \
        int32_t *cells = (column)->data;                                                                    \
        body4;                                                                                              \
        break;                                                                                              \
    }                                                                                                       \
    case 8: {                                                                                               \
        int64_t *cells = (column)->data;                                                                    \
        body8;                                                                                              \
        break;                                                                                              \
    }                                                                                                       \
    default: {                                                                                              \
        kr_cell *cells = (column)->data;                                                                    \
        body16;                                                                                             \
        break;                                                                                              \
    }                                                                                                       \
    }

static void fill_blank(kr_column *column, size_t start, size_t end)
{
    WIDTHS(column, memset(cells + start, BYTE_SPECIAL + KR_S_BLANK, end - start),
           for (size_t i = start; i < end; i++) cells[i] = INT32_MIN + KR_S_BLANK,
           for (size_t i = start; i < end; i++) cells[i] = INT64_MIN + KR_S_BLANK,
           for (size_t i = start; i < end; i++) cells[i] = KR_BLANK)
}

void kr_column_init(kr_column *column, kr_type type, size_t count)
{
    *column = (kr_column){ .type = type, .width = width_of(type) };
    kr_column_resize(column, count);
}

void kr_column_done(kr_column *column)
{
    kr_free(column->data);
    column->data = NULL;
    column->count = 0;
}

void kr_column_resize(kr_column *column, size_t count)
{
    if (count == 0) {
        kr_column_done(column);
        return;
    }
    KR_ASSERT(count <= UINT32_MAX); /* row numbers are 32 bits */
    if (count != column->count)
        column->data = kr_realloc(column->data, count * column->width);
    if (count > column->count)
        fill_blank(column, column->count, count);
    column->count = count;
}

kr_cell kr_column_get(const kr_column *column, size_t row)
{
    KR_ASSERT(row < column->count);
    WIDTHS(column, return from_1(cells[row]), return from_4(cells[row]), return from_8(cells[row]), return cells[row])
}

void kr_column_set(kr_column *column, size_t row, kr_cell cell)
{
    KR_ASSERT(row < column->count);
    WIDTHS(column, cells[row] = to_1(cell), cells[row] = to_4(cell), cells[row] = to_8(cell), cells[row] = cell)
}

void kr_column_load(const kr_column *column, size_t start, size_t n, kr_cell *out)
{
    if (n == 0)
        return;
    KR_ASSERT(start <= column->count && n <= column->count - start);
    WIDTHS(column, for (size_t i = 0; i < n; i++) out[i] = from_1(cells[start + i]),
           for (size_t i = 0; i < n; i++) out[i] = from_4(cells[start + i]),
           for (size_t i = 0; i < n; i++) out[i] = from_8(cells[start + i]), memcpy(out, cells + start, n * sizeof *out))
}

#define GATHER(from) \
    for (size_t i = 0; i < n; i++) \
        out[i] = rows[i] == KR_NO_ROW ? KR_BLANK : from(cells[rows[i]])
#define PLAIN(c) (c)

void kr_column_gather(const kr_column *column, const uint32_t *rows, size_t n, kr_cell *out)
{
    WIDTHS(column, GATHER(from_1), GATHER(from_4), GATHER(from_8), GATHER(PLAIN))
}

void kr_column_store(kr_column *column, size_t start, size_t n, const kr_cell *in)
{
    if (n == 0)
        return;
    KR_ASSERT(start <= column->count && n <= column->count - start);
    WIDTHS(column, for (size_t i = 0; i < n; i++) cells[start + i] = to_1(in[i]),
           for (size_t i = 0; i < n; i++) cells[start + i] = to_4(in[i]),
           for (size_t i = 0; i < n; i++) cells[start + i] = to_8(in[i]), memcpy(cells + start, in, n * sizeof *in))
}

#define SCATTER(to) \
    for (size_t i = 0; i < n; i++) \
        cells[rows[i]] = to(in[i])

void kr_column_scatter(kr_column *column, const uint32_t *rows, size_t n, const kr_cell *in)
{
    WIDTHS(column, SCATTER(to_1), SCATTER(to_4), SCATTER(to_8), SCATTER(PLAIN))
}

int kr_cell_cmp(const kr_pool *pool, kr_type type, kr_cell a, kr_cell b)
{
    if ((type == KR_T_TEXT || type == KR_T_BYTES) && !kr_is_special(a) && !kr_is_special(b))
        return kr_pool_cmp(pool, (uint32_t)a.lo, (uint32_t)b.lo);
    return kr_raw_cmp(a, b); /* special cells lie below every value, in the order of their codes, blank first */
}

static const char *hex_text(kr_arena *arena, const char *bytes, size_t n, size_t *len)
{
    static const char digits[] = "0123456789abcdef";
    char *out = kr_arena_alloc(arena, 2 * n + 1);
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[(unsigned char)bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    *len = 2 * n;
    return out;
}

const char *kr_cell_text(kr_arena *arena, const kr_pool *pool, kr_type type, kr_cell cell, size_t *len)
{
    char room[KR_NUM_TEXT > 32 ? KR_NUM_TEXT : 32];
    size_t n = 0;
    const char *text = NULL;
    if (kr_is_special(cell) || type == KR_T_NUMBER || type == KR_T_NONE || type == KR_T_LIST)
        n = kr_num_write(cell, room);
    else if (type == KR_T_TEXT)
        text = kr_pool_text(pool, (uint32_t)cell.lo, &n);
    else if (type == KR_T_BYTES) {
        const char *bytes = kr_pool_text(pool, (uint32_t)cell.lo, &n);
        text = hex_text(arena, bytes, n, &n);
    } else if (type == KR_T_BOOLEAN)
        text = kr_cell_is_true(cell) ? "true" : "false";
    else if (type == KR_T_DAY)
        n = kr_day_write(kr_cell_int(cell), room);
    else
        n = kr_time_write(kr_cell_int(cell), room);
    if (type == KR_T_BOOLEAN && text)
        n = strlen(text);
    if (len)
        *len = n;
    return text ? text : kr_arena_copy(arena, room, n);
}
