/* dataset.c: input tables and their canonical order.
 *
 * The leading key columns are packed into 64 bits, as few for each as its values need (text by its rank among the column's texts),
 * and sorted by radix; rows that are equal so far are merged by what is left. The order of equal rows is that of the file. */
#include "vm/engine/dataset.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TABLES = 4096 }; /* a rule file's budget ends long before that many sheets */

kr_dataset *kr_dataset_new(kr_pool *pool)
{
    kr_arena *arena = kr_arena_new();
    kr_dataset *data = KR_NEW(arena, kr_dataset);
    data->arena = arena;
    data->pool = pool;
    return data;
}

void kr_dataset_free(kr_dataset *data)
{
    if (!data)
        return;
    for (int i = 0; i < data->table_count; i++) {
        kr_table *table = &data->tables[i];
        for (int c = 0; c < table->column_count; c++)
            kr_column_done(&table->columns[c]);
        kr_free(table->lines);
    }
    kr_arena_free(data->arena);
}

kr_table *kr_dataset_add(kr_dataset *data, const kr_sheet *sheet, size_t row_count)
{
    KR_ASSERT(!kr_dataset_table(data, sheet->name));
    KR_ASSERT(data->table_count < MOST_TABLES);
    if (!data->tables) /* tables must not move once handed out */
        data->tables = KR_NEW_ARRAY(data->arena, kr_table, MOST_TABLES);
    kr_table *table = &data->tables[data->table_count++];
    table->sheet = kr_arena_copy(data->arena, sheet->name, strlen(sheet->name));
    table->row_count = row_count;
    table->names = KR_NEW_ARRAY(data->arena, const char *, sheet->column_count);
    table->columns = KR_NEW_ARRAY(data->arena, kr_column, sheet->column_count);
    for (int i = 0; i < sheet->column_count; i++) {
        const kr_column_def *def = sheet->columns[i];
        if (!def->input)
            continue;
        table->names[table->column_count] = kr_arena_copy(data->arena, def->name, strlen(def->name));
        kr_column_init(&table->columns[table->column_count++], def->type, row_count);
    }
    return table;
}

kr_table *kr_dataset_table(const kr_dataset *data, const char *sheet)
{
    for (int i = 0; i < data->table_count; i++)
        if (strcmp(data->tables[i].sheet, sheet) == 0)
            return &data->tables[i];
    return NULL;
}

kr_column *kr_table_column(const kr_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return &table->columns[i];
    return NULL;
}

/* ---- order */

static int compare_rows(const kr_pool *pool, kr_column *const *by, int by_count, size_t a, size_t b)
{
    for (int i = 0; i < by_count; i++) {
        int order = kr_cell_cmp(pool, by[i]->type, kr_column_get(by[i], a), kr_column_get(by[i], b));
        if (order)
            return order;
    }
    return 0;
}

typedef struct pair {
    uint64_t key;
    uint32_t row;
} pair;

/* The texts of a column in the order of their bytes. Ids are sorted by merging, since qsort has no room for the pool. */
static void merge_ids(const kr_pool *pool, uint32_t *ids, uint32_t *room, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    merge_ids(pool, ids, room, half);
    merge_ids(pool, ids + half, room, n - half);
    if (kr_pool_cmp(pool, ids[half - 1], ids[half]) <= 0)
        return;
    memcpy(room, ids, half * sizeof *ids);
    size_t a = 0, b = half, to = 0;
    while (a < half)
        ids[to++] = b < n && kr_pool_cmp(pool, ids[b], room[a]) < 0 ? ids[b++] : room[a++];
}

/* rank[id]: place of the id among those of the column, from KR_SPECIALS on. Heap. */
static uint32_t *ranks_of(const kr_column *column, const kr_pool *pool, size_t n)
{
    uint32_t count = kr_pool_count(pool);
    uint32_t *rank = kr_alloc(sizeof *rank * count), *ids = kr_alloc(sizeof *ids * (count < n ? count : n) + sizeof *ids);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        kr_cell c = kr_column_get(column, i);
        if (kr_is_special(c) || rank[c.lo])
            continue;
        rank[c.lo] = 1;
        ids[used++] = (uint32_t)c.lo;
    }
    uint32_t *room = kr_alloc(sizeof *room * (used / 2 + 1));
    merge_ids(pool, ids, room, used);
    for (size_t i = 0; i < used; i++)
        rank[ids[i]] = KR_SPECIALS + (uint32_t)i;
    kr_free(room);
    kr_free(ids);
    return rank;
}

/* Stable sort of pairs by key; only bytes that differ are looked at. `pairs` holds the result. */
static void radix(pair **pairs, pair **room, size_t n)
{
    uint64_t differs = 0;
    for (size_t i = 1; i < n; i++)
        differs |= (*pairs)[i].key ^ (*pairs)[0].key;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differs >> shift & 255))
            continue;
        size_t at[257] = { 0 };
        for (size_t i = 0; i < n; i++)
            at[((*pairs)[i].key >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            at[b + 1] += at[b];
        for (size_t i = 0; i < n; i++)
            (*room)[at[(*pairs)[i].key >> shift & 255]++] = (*pairs)[i];
        pair *swap = *pairs;
        *pairs = *room;
        *room = swap;
    }
}

/* ---- the leading columns of all rows as one key of 64 bits */

typedef struct wide { uint64_t hi, lo; } wide; /* of 128 bits, unsigned */

static wide minus(wide a, wide b) { return (wide){ a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo }; }

static int bits_of(wide a) { return a.hi ? 128 - __builtin_clzll(a.hi) : a.lo ? 64 - __builtin_clzll(a.lo) : 0; }

/* The upper bits of a number of `bits` bits, as many as fit into `room` <= 64. */
static uint64_t top_of(wide a, int bits, int room)
{
    int shift = bits > room ? bits - room : 0;
    if (shift == 0)
        return a.lo;
    return shift >= 64 ? a.hi >> (shift - 64) : a.lo >> shift | (shift ? a.hi << (64 - shift) : 0);
}

/* A cell as a number in the order of kr_cell_cmp. */
static wide place_of(kr_cell c, const uint32_t *rank)
{
    if (rank && !kr_is_special(c))
        return (wide){ UINT64_C(1) << 63, rank[c.lo] };
    return (wide){ (uint64_t)c.hi ^ UINT64_C(1) << 63, c.lo };
}

/* Appends what fits of this column to the keys; the number of bits left, or -1 when not all of it fitted. */
static int pack(const kr_column *column, const kr_pool *pool, pair *pairs, size_t n, int left)
{
    enum { STEP = 1024 };
    kr_cell cells[STEP];
    uint32_t *rank = column->type == KR_T_TEXT || column->type == KR_T_BYTES ? ranks_of(column, pool, n) : NULL;
    wide low = { UINT64_MAX, UINT64_MAX }, high = { 0, 0 };
    for (size_t start = 0; start < n; start += STEP) {
        size_t m = n - start < STEP ? n - start : STEP;
        kr_column_load(column, start, m, cells);
        for (size_t i = 0; i < m; i++) {
            wide v = place_of(cells[i], rank);
            if (v.hi < low.hi || (v.hi == low.hi && v.lo < low.lo))
                low = v;
            if (v.hi > high.hi || (v.hi == high.hi && v.lo > high.lo))
                high = v;
        }
    }
    int bits = bits_of(minus(high, low)), used = bits < left ? bits : left;
    for (size_t start = 0; start < n; start += STEP) {
        size_t m = n - start < STEP ? n - start : STEP;
        kr_column_load(column, start, m, cells);
        for (size_t i = 0; i < m; i++) {
            uint64_t v = top_of(minus(place_of(cells[i], rank), low), bits, used);
            pair *to = &pairs[start + i];
            to->key = used == 64 ? v : to->key << used | v;
        }
    }
    kr_free(rank);
    return bits > left ? -1 : left - bits;
}

static void merge_rows(const kr_pool *pool, kr_column *const *by, int by_count, pair *pairs, pair *room, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    merge_rows(pool, by, by_count, pairs, room, half);
    merge_rows(pool, by, by_count, pairs + half, room, n - half);
    if (compare_rows(pool, by, by_count, pairs[half - 1].row, pairs[half].row) <= 0)
        return;
    memcpy(room, pairs, half * sizeof *pairs);
    size_t a = 0, b = half, to = 0;
    while (a < half)
        pairs[to++] = b < n && compare_rows(pool, by, by_count, pairs[b].row, room[a].row) < 0 ? pairs[b++] : room[a++];
}

/* The rows in order, stably: one radix sort of the packed columns, then the few rows they leave equal are merged by the others. */
static pair *ordered(const kr_pool *pool, kr_column *const *by, int by_count, size_t n)
{
    pair *pairs = kr_alloc(sizeof *pairs * n), *room = kr_alloc(sizeof *room * n);
    for (size_t i = 0; i < n; i++)
        pairs[i].row = (uint32_t)i;
    int packed = 0;
    for (int left = 64; packed < by_count; packed++) {
        left = pack(by[packed], pool, pairs, n, left);
        if (left < 0)
            break;
    }
    radix(&pairs, &room, n);
    for (size_t i = 0, end; packed < by_count && i < n; i = end) {
        for (end = i + 1; end < n && pairs[end].key == pairs[i].key;)
            end++;
        merge_rows(pool, by + packed, by_count - packed, pairs + i, room, end - i);
    }
    kr_free(room);
    return pairs;
}

static bool is_sorted(const kr_table *table, const kr_pool *pool, kr_column *const *by, int by_count, bool strictly)
{
    for (size_t i = 1; i < table->row_count; i++) {
        int order = compare_rows(pool, by, by_count, i - 1, i);
        if (order > 0 || (order == 0 && strictly))
            return false;
    }
    return true;
}

/* Rows come from all over the column: their memory is asked for some steps ahead. */
#define PERMUTE(T)                                                                     \
    for (size_t i = 0; i < n; i++) {                                                   \
        if (i + AHEAD < n)                                                             \
            __builtin_prefetch((const T *)column->data + pairs[i + AHEAD].row);        \
        ((T *)to)[i] = ((const T *)column->data)[pairs[i].row];                        \
    }

static void permute(kr_column *column, const pair *pairs, size_t n)
{
    enum { AHEAD = 24 };
    void *to = kr_alloc(n * column->width);
    switch (column->width) {
    case 1: PERMUTE(uint8_t) break;
    case 4: PERMUTE(uint32_t) break;
    case 8: PERMUTE(uint64_t) break;
    default: PERMUTE(kr_cell) break;
    }
    kr_free(column->data);
    column->data = to;
    column->count = n;
}

/* Of rows with one key the first stays when the others are equal to it. */
static bool drop_repeats(kr_table *table, const kr_pool *pool, kr_column *const *by, int by_count, pair *pairs, size_t *n, uint32_t *a, uint32_t *b)
{
    kr_column **all = kr_alloc(sizeof *all * (size_t)(table->column_count + 1));
    for (int c = 0; c < table->column_count; c++)
        all[c] = &table->columns[c];
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0; i < *n && ok; i++) {
        if (kept && pairs[kept - 1].key == pairs[i].key && compare_rows(pool, by, by_count, pairs[kept - 1].row, pairs[i].row) == 0) {
            *a = pairs[kept - 1].row;
            *b = pairs[i].row;
            ok = compare_rows(pool, all, table->column_count, *a, *b) == 0;
            continue;
        }
        pairs[kept++] = pairs[i];
    }
    kr_free(all);
    *n = kept;
    return ok;
}

bool kr_table_sort(kr_table *table, const kr_sheet *sheet, const kr_pool *pool, uint32_t *a, uint32_t *b)
{
    size_t n = table->row_count;
    bool bag = sheet->key_count == 0, ok = true;
    int by_count = bag ? table->column_count : sheet->key_count;
    kr_column **by = kr_alloc(sizeof *by * (size_t)(by_count + 1));
    for (int i = 0; i < by_count; i++) {
        by[i] = bag ? &table->columns[i] : kr_table_column(table, sheet->key_names[i]);
        KR_ASSERT(by[i]); /* keys of a data sheet are inputs: the checker saw to it */
    }
    if (n < 2 || is_sorted(table, pool, by, by_count, !bag))
        goto done;
    pair *pairs = ordered(pool, by, by_count, n);
    if (!bag)
        ok = drop_repeats(table, pool, by, by_count, pairs, &n, a, b);
    if (ok) {
        for (int c = 0; c < table->column_count; c++)
            permute(&table->columns[c], pairs, n);
        if (table->lines) {
            uint32_t *lines = kr_alloc(sizeof *lines * n);
            for (size_t i = 0; i < n; i++)
                lines[i] = table->lines[pairs[i].row];
            kr_free(table->lines);
            table->lines = lines;
        }
        table->row_count = n;
    }
    kr_free(pairs);
done:
    kr_free(by);
    return ok;
}
