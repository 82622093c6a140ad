/* load_order.c: canonical order of a table and repeated keys.
 *
 * Each column that orders becomes a whole number (text by its rank among the column's texts), less its smallest value, so that it
 * takes few bits; a row's numbers side by side make one key of a few words, and the rows are merge-sorted by those. Tables that
 * come sorted are only checked. */
#include <stdlib.h>
#include <string.h>

#include "vm/store/loading.h"

enum { CHUNK = 1024 };

typedef struct part { /* one ordering column */
    const kr_column *column;
    const uint32_t *rank; /* text and bytes: by pool id */
    kr_cell least;
    unsigned bits;
} part;


static __thread const kr_pool *compared_pool; /* qsort has no context */

static int by_text(const void *a, const void *b)
{
    return kr_pool_cmp(compared_pool, *(const uint32_t *)a, *(const uint32_t *)b);
}

static uint32_t *ranks_of(kr_arena *arena, const kr_column *column, const kr_pool *pool)
{
    uint32_t n = kr_pool_count(pool), count = 0, *rank = KR_NEW_ARRAY(arena, uint32_t, n), *ids = KR_NEW_ARRAY(arena, uint32_t, n);
    kr_cell cells[CHUNK];
    for (size_t row = 0; row < column->count; row += CHUNK) {
        size_t k = column->count - row < CHUNK ? column->count - row : CHUNK;
        kr_column_load(column, row, k, cells);
        for (size_t i = 0; i < k; i++)
            if (!kr_is_special(cells[i]) && !rank[cells[i].lo]) {
                rank[cells[i].lo] = 1;
                ids[count++] = (uint32_t)cells[i].lo;
            }
    }
    compared_pool = pool;
    qsort(ids, count, sizeof *ids, by_text);
    for (uint32_t i = 0; i < count; i++)
        rank[ids[i]] = i;
    return rank;
}

/* 0 for a blank, else the distance from the least value, plus 1; as 128 bits. Never wraps: the raw range without specials is smaller than 2^128. */
static inline void distance(const part *p, kr_cell cell, uint64_t *lo, uint64_t *hi)
{
    if (kr_is_special(cell)) {
        *lo = *hi = 0;
        return;
    }
    if (p->rank)
        cell = (kr_cell){ p->rank[cell.lo], 0 };
    uint64_t low = cell.lo - p->least.lo, high = (uint64_t)cell.hi - (uint64_t)p->least.hi - (cell.lo < p->least.lo);
    *lo = low + 1;
    *hi = high + (low == UINT64_MAX);
}

static void measure(part *p)
{
    kr_cell cells[CHUNK], most = { 0, 0 };
    bool any = false;
    for (size_t row = 0; row < p->column->count; row += CHUNK) {
        size_t k = p->column->count - row < CHUNK ? p->column->count - row : CHUNK;
        kr_column_load(p->column, row, k, cells);
        for (size_t i = 0; i < k; i++) {
            if (kr_is_special(cells[i]))
                continue;
            kr_cell c = p->rank ? (kr_cell){ p->rank[cells[i].lo], 0 } : cells[i];
            if (!any || kr_raw_cmp(c, p->least) < 0)
                p->least = c;
            if (!any || kr_raw_cmp(c, most) > 0)
                most = c;
            any = true;
        }
    }
    uint64_t low = most.lo - p->least.lo, high = (uint64_t)most.hi - (uint64_t)p->least.hi - (most.lo < p->least.lo);
    low++;
    high += !low;
    p->bits = !any ? 0 : high ? 128u - (unsigned)__builtin_clzll(high) : 64u - (unsigned)__builtin_clzll(low);
}

/* Append `bits` bits of (hi, lo) to the key that ends at bit `at`. */
static inline void put_bits(uint64_t *key, unsigned at, unsigned bits, uint64_t lo, uint64_t hi)
{
    for (unsigned take; bits; at += take, bits -= take) {
        unsigned room = 64 - at % 64;
        take = bits < room ? bits : room;
        unsigned shift = bits - take; /* the piece's lowest bit in the value */
        uint64_t v = shift >= 64 ? hi >> (shift - 64) : shift ? lo >> shift | hi << (64 - shift) : lo;
        if (take < 64)
            v &= (UINT64_C(1) << take) - 1;
        key[at / 64] |= v << (room - take);
    }
}

static inline int key_cmp(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Stable merge sort of records of words + 1 words (the last: the row). Returns the array that holds the result. */
static uint64_t *merge_sort(uint64_t *a, uint64_t *b, size_t n, size_t words)
{
    size_t step = words + 1;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t mid = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            const uint64_t *x = a + start * step, *xe = a + mid * step, *y = xe, *ye = a + end * step;
            uint64_t *out = b + start * step;
            if (x < xe && y < ye && key_cmp(xe - step, y, words) <= 0) {
                memcpy(out, x, (size_t)(ye - x) * sizeof *x);
                continue;
            }
            while (x < xe && y < ye) {
                const uint64_t **from = key_cmp(x, y, words) <= 0 ? &x : &y;
                for (size_t i = 0; i < step; i++)
                    out[i] = (*from)[i];
                *from += step;
                out += step;
            }
            memcpy(out, x, (size_t)(xe - x) * sizeof *x);
            memcpy(out + (xe - x), y, (size_t)(ye - y) * sizeof *y);
        }
        uint64_t *t = a;
        a = b;
        b = t;
    }
    return a;
}

static bool rows_equal(const kr_table *t, uint32_t a, uint32_t b, int *differs)
{
    for (int i = 0; i < t->column_count; i++)
        if (!kr_raw_eq(kr_column_get(&t->columns[i], a), kr_column_get(&t->columns[i], b))) {
            *differs = i;
            return false;
        }
    return true;
}

static void report_twice(kr_loading *l, uint32_t first, uint32_t second, int differs)
{
    const kr_table *t = l->table;
    if (t->lines && t->lines[first] > t->lines[second]) {
        uint32_t s = first;
        first = second;
        second = s;
    }
    kr_piece *pieces = KR_NEW_ARRAY(l->arena, kr_piece, l->rule_count);
    for (int i = 0; i < t->column_count; i++)
        pieces[i].text = kr_cell_text(l->arena, l->pool, t->columns[i].type, kr_column_get(&t->columns[i], first), &pieces[i].len);
    const char *one = kr_cell_text(l->arena, l->pool, t->columns[differs].type, kr_column_get(&t->columns[differs], first), NULL);
    const char *two = kr_cell_text(l->arena, l->pool, t->columns[differs].type, kr_column_get(&t->columns[differs], second), NULL);
    kr_diag *d = kr_diag_at(l->diags, KR_E_DATA_KEY, kr_arena_printf(l->arena, "%s:%u", l->path, t->lines ? t->lines[second] : second + 1),
                            "this key stands on line %u already, with another `%s`: `%s` there, `%s` here", t->lines ? t->lines[first] : first + 1,
                            t->names[differs], one, two);
    d->row = kr_load_row_text(l->arena, l, pieces, NULL);
}

/* Columns in the given order of rows, keep of them. One column at a time, so that little memory is needed beside the table. */
static void reorder(kr_table *t, const uint32_t *order, size_t keep)
{
    kr_cell cells[CHUNK];
    for (int i = 0; i < t->column_count; i++) {
        kr_column fresh;
        kr_column_init(&fresh, t->columns[i].type, keep);
        for (size_t row = 0; row < keep; row += CHUNK) {
            size_t k = keep - row < CHUNK ? keep - row : CHUNK;
            kr_column_gather(&t->columns[i], order + row, k, cells);
            kr_column_store(&fresh, row, k, cells);
        }
        kr_column_done(&t->columns[i]);
        t->columns[i] = fresh;
    }
    if (t->lines) {
        uint32_t *lines = kr_alloc(sizeof *lines * (keep + 1));
        for (size_t row = 0; row < keep; row++)
            lines[row] = t->lines[order[row]];
        memcpy(t->lines, lines, sizeof *lines * keep);
        kr_free(lines);
    }
    t->row_count = keep;
}

static void fill_keys(uint64_t *keys, size_t words, const part *parts, int part_count, size_t n)
{
    kr_cell cells[CHUNK];
    unsigned at = 0;
    for (int p = 0; p < part_count; at += parts[p++].bits)
        for (size_t row = 0; row < n && parts[p].bits; row += CHUNK) {
            size_t k = n - row < CHUNK ? n - row : CHUNK;
            kr_column_load(parts[p].column, row, k, cells);
            for (size_t i = 0; i < k; i++) {
                uint64_t lo, hi;
                distance(&parts[p], cells[i], &lo, &hi);
                put_bits(keys + (row + i) * (words + 1), at, parts[p].bits, lo, hi);
            }
        }
    for (size_t row = 0; row < n; row++)
        keys[row * (words + 1) + words] = row;
}

bool kr_load_order(kr_loading *l)
{
    kr_table *t = l->table;
    size_t n = t->row_count;
    bool bag = l->sheet->key_count == 0, ok = true;
    if (n < 2)
        return true;
    kr_arena *arena = kr_arena_new();
    int part_count = bag ? t->column_count : l->sheet->key_count;
    part *parts = KR_NEW_ARRAY(arena, part, part_count);
    unsigned bits = 0;
    for (int i = 0; i < part_count; i++) {
        parts[i].column = bag ? &t->columns[i] : kr_table_column(t, l->sheet->key_names[i]);
        KR_ASSERT(parts[i].column); /* the checker makes every key of a data sheet an input column */
        if (parts[i].column->type == KR_T_TEXT || parts[i].column->type == KR_T_BYTES)
            parts[i].rank = ranks_of(arena, parts[i].column, l->pool);
        measure(&parts[i]);
        bits += parts[i].bits;
    }
    size_t words = (bits + 63) / 64, step = words + 1;
    uint64_t *keys = kr_alloc(sizeof *keys * n * step), *spare = NULL, *sorted = keys;
    fill_keys(keys, words, parts, part_count, n);
    bool in_order = true;
    for (size_t row = 1; row < n && in_order; row++)
        in_order = key_cmp(keys + (row - 1) * step, keys + row * step, words) <= 0;
    if (!in_order) {
        spare = kr_alloc(sizeof *keys * n * step);
        sorted = merge_sort(keys, spare, n, words);
    }
    uint32_t *order = kr_alloc(sizeof *order * n);
    size_t keep = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = (uint32_t)sorted[i * step + words];
        int differs;
        if (!bag && i && !key_cmp(sorted + (i - 1) * step, sorted + i * step, words)) {
            if (rows_equal(t, order[keep - 1], row, &differs))
                continue;
            report_twice(l, order[keep - 1], row, differs);
            ok = false;
            continue;
        }
        order[keep++] = row;
    }
    kr_free(keys);
    kr_free(spare);
    if (ok && (!in_order || keep < n))
        reorder(t, order, keep);
    kr_free(order);
    kr_arena_free(arena);
    return ok;
}
