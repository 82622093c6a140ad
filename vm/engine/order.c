/* order.c: rows in the order of some columns.
 *
 * Few rows are merged by comparing cells. Many get a whole number per cell that orders as the cell does (text: its rank among the
 * texts of the column) and are sorted by those numbers' digits, last column first; digits that are equal in all rows cost nothing. */
#include "vm/engine/exec.h"

#include <string.h>

enum { BATCH = 1024, FEW = 256, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct sorter {
    const kr_pool *pool;
    const kr_column *const *columns;
    int count;
} sorter;

static int compare_rows(const sorter *s, uint32_t a, uint32_t b)
{
    for (int k = 0; k < s->count; k++) {
        int c = kr_cell_cmp(s->pool, s->columns[k]->type, kr_column_get(s->columns[k], a), kr_column_get(s->columns[k], b));
        if (c)
            return c;
    }
    return 0;
}

static void merge_sort(const sorter *s, uint32_t *rows, uint32_t *room, size_t n)
{
    if (n < 12) {
        for (size_t i = 1; i < n; i++) {
            uint32_t row = rows[i];
            size_t j = i;
            for (; j > 0 && compare_rows(s, rows[j - 1], row) > 0; j--)
                rows[j] = rows[j - 1];
            rows[j] = row;
        }
        return;
    }
    size_t half = n / 2, i = 0, j = half, at = 0;
    merge_sort(s, rows, room, half);
    merge_sort(s, rows + half, room, n - half);
    if (compare_rows(s, rows[half - 1], rows[half]) <= 0)
        return;
    memcpy(room, rows, half * sizeof *rows);
    while (i < half && j < n)
        rows[at++] = compare_rows(s, room[i], rows[j]) <= 0 ? room[i++] : rows[j++];
    while (i < half)
        rows[at++] = room[i++];
}

/* ---- many rows */


static void sort_texts(const kr_pool *pool, uint32_t *ids, uint32_t *room, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t mid = at + width < n ? at + width : n, end = at + 2 * width < n ? at + 2 * width : n, i = at, j = mid;
            for (size_t k = at; k < end; k++)
                room[k] = i < mid && (j >= end || kr_pool_cmp(pool, ids[i], ids[j]) <= 0) ? ids[i++] : ids[j++];
        }
        memcpy(ids, room, sizeof *ids * n);
    }
}

/* Rank of each text of the cells among all of them, by bytes; an array over the pool's ids. */
static uint32_t *text_ranks(const kr_pool *pool, const kr_cell *cells, size_t n)
{
    size_t all = kr_pool_count(pool), count = 0;
    uint32_t *rank = kr_alloc(sizeof *rank * (all + 1));
    for (size_t i = 0; i < n; i++)
        if (!kr_is_special(cells[i]) && !rank[cells[i].lo]) {
            rank[cells[i].lo] = 1;
            count++;
        }
    uint32_t *ids = kr_alloc(sizeof *ids * (count + 1)), *room = kr_alloc(sizeof *ids * (count + 1));
    count = 0;
    for (size_t id = 0; id < all; id++)
        if (rank[id])
            ids[count++] = (uint32_t)id;
    sort_texts(pool, ids, room, count);
    for (size_t i = 0; i < count; i++)
        rank[ids[i]] = (uint32_t)i;
    kr_free(ids);
    kr_free(room);
    return rank;
}

/* Unsigned 128-bit key of each cell: specials by code first (as kr_cell_cmp), then values. */
static void keys_of(const kr_pool *pool, const kr_column *column, const uint32_t *rows, size_t n, kr_cell *keys)
{
    uint32_t *rank = NULL;
    for (size_t at = 0; at < n; at += BATCH)
        kr_column_gather(column, rows + at, n - at < BATCH ? n - at : BATCH, keys + at);
    if (column->type == KR_T_TEXT || column->type == KR_T_BYTES)
        rank = text_ranks(pool, keys, n);
    for (size_t i = 0; i < n; i++) {
        if (rank && !kr_is_special(keys[i]))
            keys[i] = kr_cell_of_int(rank[keys[i].lo]);
        keys[i].hi ^= INT64_MIN; /* signed order as unsigned: the special patterns are the lowest */
    }
    kr_free(rank);
}

typedef struct digit {
    bool high;
    int shift;
} digit;

static size_t digit_of(kr_cell key, digit d)
{
    return ((d.high ? (uint64_t)key.hi : key.lo) >> d.shift) & (DIGITS - 1);
}

/* One stable pass of a counting sort by one digit, rows and keys together. */
static void pass(digit d, uint32_t *rows, kr_cell *keys, uint32_t *rows_to, kr_cell *keys_to, size_t n)
{
    size_t count[DIGITS + 1] = { 0 };
    for (size_t i = 0; i < n; i++)
        count[digit_of(keys[i], d) + 1]++;
    for (int k = 0; k < DIGITS; k++)
        count[k + 1] += count[k];
    for (size_t i = 0; i < n; i++) {
        size_t to = count[digit_of(keys[i], d)]++;
        rows_to[to] = rows[i];
        keys_to[to] = keys[i];
    }
}

static void sort_by_column(const kr_pool *pool, const kr_column *column, uint32_t *rows, uint32_t *rows_room, kr_cell *keys, kr_cell *keys_room, size_t n)
{
    uint64_t low = 0, high = 0;
    keys_of(pool, column, rows, n, keys);
    for (size_t i = 1; i < n; i++) {
        low |= keys[i].lo ^ keys[0].lo;
        high |= (uint64_t)keys[i].hi ^ (uint64_t)keys[0].hi;
    }
    uint32_t *from = rows, *to = rows_room;
    kr_cell *keys_from = keys, *keys_to = keys_room;
    for (int half = 0; half < 2; half++)
        for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
            if (((half ? high : low) >> shift & (DIGITS - 1)) == 0)
                continue;
            pass((digit){ half == 1, shift }, from, keys_from, to, keys_to, n);
            uint32_t *swap = from;
            kr_cell *keys_swap = keys_from;
            from = to;
            to = swap;
            keys_from = keys_to;
            keys_to = keys_swap;
        }
    if (from != rows)
        memcpy(rows, from, sizeof *rows * n);
}

void kr_sort_rows(const kr_pool *pool, const kr_column *const *columns, int count, uint32_t *rows, size_t n)
{
    sorter s = { pool, columns, count };
    size_t i = 1;
    while (i < n && compare_rows(&s, rows[i - 1], rows[i]) <= 0)
        i++;
    if (i >= n)
        return;
    uint32_t *room = kr_alloc(sizeof *room * n);
    if (n <= FEW) {
        merge_sort(&s, rows, room, n);
    } else {
        kr_cell *keys = kr_alloc(sizeof *keys * n), *keys_room = kr_alloc(sizeof *keys * n);
        for (int k = count; k-- > 0;)
            sort_by_column(pool, columns[k], rows, room, keys, keys_room, n);
        kr_free(keys);
        kr_free(keys_room);
    }
    kr_free(room);
}
