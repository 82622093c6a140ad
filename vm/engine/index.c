/* index.c: rows by the values of some columns.
 *
 * Where all columns are small whole numbers (text ids, days, booleans) with few enough combinations, a table is addressed directly:
 * each column has a dictionary from cell to code, and the codes make up the place. Else the cells are hashed, and the cells of a
 * group's first row decide. Groups are numbered in the order in which their first row comes, so no hash order ever shows. */
#include "vm/engine/exec.h"

#include <string.h>

enum { BATCH = 1024 };

typedef struct kr_level {      /* of a column, when all are direct */
    int64_t base;
    size_t range;
    uint32_t *code;            /* per cell from base on: 1 + code, 0: not there */
    uint32_t codes;
} kr_level;

typedef struct kr_slot {
    uint32_t tag;              /* upper bits of the hash */
    uint32_t group;            /* KR_NO_ROW: free */
} kr_slot;

/* ---- direct */

static bool is_small(kr_type type) { return type == KR_T_TEXT || type == KR_T_BYTES || type == KR_T_DAY || type == KR_T_BOOLEAN; }

static bool read_codes(kr_level *level, const kr_column *column, size_t rows)
{
    kr_cell cells[BATCH];
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t at = 0; at < rows; at += BATCH) {
        size_t n = rows - at < BATCH ? rows - at : BATCH;
        kr_column_load(column, at, n, cells);
        for (size_t i = 0; i < n; i++) {
            int64_t v = kr_cell_int(cells[i]);
            if (kr_is_special(cells[i]))
                continue;
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
    }
    if (low > high)
        return true;
    if ((uint64_t)(high - low) > 4 * rows + 65536)
        return false;
    level->base = low;
    level->range = (size_t)(high - low) + 1;
    level->code = kr_alloc(sizeof *level->code * level->range);
    for (size_t at = 0; at < rows; at += BATCH) {
        size_t n = rows - at < BATCH ? rows - at : BATCH;
        kr_column_load(column, at, n, cells);
        for (size_t i = 0; i < n; i++) {
            if (kr_is_special(cells[i]))
                continue;
            uint32_t *code = &level->code[kr_cell_int(cells[i]) - low];
            if (!*code)
                *code = ++level->codes;
        }
    }
    return true;
}

static void free_levels(kr_index *index)
{
    for (int k = 0; index->levels && k < index->column_count; k++)
        kr_free(index->levels[k].code);
    kr_free(index->levels);
    index->levels = NULL;
}

/* Dictionaries and table, when the combinations are few enough. */
static bool make_direct(kr_index *index)
{
    size_t most = 4 * index->row_count + 4096, places = 1;
    for (int k = 0; k < index->column_count; k++)
        if (!is_small(index->columns[k]->type))
            return false;
    index->levels = kr_alloc(sizeof *index->levels * (size_t)(index->column_count + 1));
    for (int k = 0; k < index->column_count; k++) {
        bool good = read_codes(&index->levels[k], index->columns[k], index->row_count);
        places *= index->levels[k].codes ? index->levels[k].codes : 1;
        if (!good || places > most) {
            free_levels(index);
            return false;
        }
    }
    index->table = kr_alloc(sizeof *index->table * places);
    memset(index->table, 0xff, sizeof *index->table * places);
    return true;
}

/* The table's place of a tuple; SIZE_MAX: a cell that no row has. */
static inline size_t place_of(const kr_index *index, const kr_cell *const *cells, size_t i)
{
    size_t place = 0;
    for (int k = 0; k < index->column_count; k++) {
        const kr_level *level = &index->levels[k];
        kr_cell c = cells[k][i];
        uint64_t at = (uint64_t)kr_cell_int(c) - (uint64_t)level->base;
        if (at >= level->range || !level->code[at] || c.hi != (kr_cell_int(c) < 0 ? -1 : 0))
            return SIZE_MAX;
        place = place * level->codes + level->code[at] - 1;
    }
    return place;
}

/* ---- hashed */

static inline uint64_t hash_of(const kr_index *index, const kr_cell *const *cells, size_t i)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (int k = 0; k < index->column_count; k++) {
        h = (h ^ cells[k][i].lo) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
        h += (uint64_t)cells[k][i].hi * UINT64_C(0xd1b54a32d192ed03);
    }
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ (h >> 29);
}

static bool is_tuple_of(const kr_index *index, uint32_t group, const kr_cell *const *cells, size_t i)
{
    for (int k = 0; k < index->column_count; k++)
        if (!kr_raw_eq(kr_column_get(index->columns[k], index->first[group]), cells[k][i]))
            return false;
    return true;
}

static kr_slot *slot_of(const kr_index *index, uint64_t hash, const kr_cell *const *cells, size_t i)
{
    size_t mask = index->room - 1, at = hash & mask;
    uint32_t tag = (uint32_t)(hash >> 32);
    for (;; at = (at + 1) & mask) {
        kr_slot *slot = &index->slots[at];
        if (slot->group == KR_NO_ROW || (slot->tag == tag && is_tuple_of(index, slot->group, cells, i)))
            return slot;
    }
}

/* The whole hash is known again from the tag only up to its upper half, so the lower half is kept with the group. */
static void grow_slots(kr_index *index)
{
    size_t old_room = index->room;
    kr_slot *old = index->slots;
    index->room = old_room ? old_room * 2 : 64;
    index->slots = kr_alloc(sizeof *index->slots * index->room);
    memset(index->slots, 0xff, sizeof *index->slots * index->room);
    for (size_t s = 0; s < old_room; s++) {
        if (old[s].group == KR_NO_ROW)
            continue;
        size_t at = ((uint64_t)old[s].tag << 32 | index->low_hash[old[s].group]) & (index->room - 1);
        while (index->slots[at].group != KR_NO_ROW)
            at = (at + 1) & (index->room - 1);
        index->slots[at] = old[s];
    }
    kr_free(old);
}

/* ---- groups of rows */

static uint32_t new_group(kr_index *index, uint32_t row, uint64_t hash)
{
    if (index->group_count + 1 >= index->group_capacity) {
        index->group_capacity = index->group_capacity * 2 + 64;
        index->first = kr_realloc(index->first, sizeof *index->first * index->group_capacity);
        if (!index->table)
            index->low_hash = kr_realloc(index->low_hash, sizeof *index->low_hash * index->group_capacity);
    }
    index->first[index->group_count] = row;
    if (!index->table)
        index->low_hash[index->group_count] = (uint32_t)hash;
    return index->group_count++;
}

/* Hashes of a batch; the slots they lead to are on their way to the cache when they are looked at. */
static void hash_batch(const kr_index *index, const kr_cell *const *cells, size_t n, uint64_t *hashes)
{
    for (size_t i = 0; i < n; i++) {
        hashes[i] = hash_of(index, cells, i);
        if (index->room)
            __builtin_prefetch(&index->slots[hashes[i] & (index->room - 1)]);
    }
}

static uint32_t group_of_tuple(kr_index *index, const kr_cell *const *cells, size_t i, uint64_t hash, uint32_t row)
{
    if (index->table) {
        uint32_t *group = &index->table[place_of(index, cells, i)];
        if (*group == KR_NO_ROW)
            *group = new_group(index, row, 0);
        return *group;
    }
    if ((size_t)index->group_count * 2 >= index->room)
        grow_slots(index);
    kr_slot *slot = slot_of(index, hash, cells, i);
    if (slot->group == KR_NO_ROW) {
        uint32_t group = new_group(index, row, hash);
        *slot = (kr_slot){ (uint32_t)(hash >> 32), group };
    }
    return slot->group;
}

static void group_rows(kr_index *index, const uint32_t *rows, size_t n)
{
    kr_cell *memory = kr_alloc(sizeof(kr_cell) * BATCH * (size_t)(index->column_count + 1));
    const kr_cell *cells[KR_MOST_COLUMNS];
    uint64_t hashes[BATCH];
    for (int k = 0; k < index->column_count; k++)
        cells[k] = memory + BATCH * k;
    for (size_t at = 0; at < n; at += BATCH) {
        size_t m = n - at < BATCH ? n - at : BATCH;
        for (int k = 0; k < index->column_count; k++) {
            if (rows)
                kr_column_gather(index->columns[k], rows + at, m, memory + BATCH * k);
            else
                kr_column_load(index->columns[k], at, m, memory + BATCH * k);
        }
        if (!index->table)
            hash_batch(index, cells, m, hashes);
        for (size_t i = 0; i < m; i++) {
            uint32_t row = rows ? rows[at + i] : (uint32_t)(at + i);
            bool out = false;
            for (int k = 0; k < index->column_count && !index->specials; k++)
                out |= kr_is_special(cells[k][i]);
            index->group_of[row] = out ? KR_NO_ROW : group_of_tuple(index, cells, i, index->table ? 0 : hashes[i], row);
        }
    }
    kr_free(memory);
}

kr_index *kr_index_new(const kr_column *const *columns, int count, size_t rows, bool growing, bool specials)
{
    kr_index *index = kr_alloc(sizeof *index);
    KR_ASSERT(count <= KR_MOST_COLUMNS);
    index->column_count = count;
    index->columns = kr_alloc(sizeof *index->columns * (size_t)(count + 1));
    if (count)
        memcpy(index->columns, columns, sizeof *index->columns * (size_t)count);
    index->growing = growing;
    index->specials = specials;
    index->row_count = rows;
    index->group_of = kr_alloc(sizeof *index->group_of * (rows + 1));
    index->rows = kr_alloc(sizeof *index->rows * (rows + 1));
    index->start = kr_alloc(sizeof *index->start * 2);
    if (growing) {
        memset(index->group_of, 0xff, sizeof *index->group_of * rows);
        return index;
    }
    if (count && !specials)
        make_direct(index);
    kr_index_add(index, NULL, rows);
    return index;
}

void kr_index_add(kr_index *index, const uint32_t *rows, size_t n)
{
    uint32_t before = index->group_count;
    KR_ASSERT(!index->growing || index->column_count); /* the planner refuses the rest */
    if (index->column_count)
        group_rows(index, rows, n);
    else
        index->group_count = 1; /* all rows are one group, also when there are none; group_of is 0 already */
    index->start = kr_realloc(index->start, sizeof *index->start * ((size_t)index->group_count + 1));
    /* Counting sort of the new rows behind those there. */
    uint32_t *start = index->start, fresh = index->group_count - before;
    memset(start + before, 0, sizeof *start * ((size_t)fresh + 1));
    for (size_t i = 0; i < n; i++) {
        uint32_t g = index->group_of[rows ? rows[i] : i];
        KR_ASSERT(g == KR_NO_ROW || g >= before); /* a step brings whole groups: one of their columns is the day */
        if (g != KR_NO_ROW)
            start[g + 1]++;
    }
    start[before] = (uint32_t)index->filled;
    for (uint32_t g = before; g < index->group_count; g++)
        start[g + 1] += start[g];
    uint32_t *next = kr_alloc(sizeof *next * ((size_t)fresh + 1));
    memcpy(next, start + before, sizeof *next * fresh);
    for (size_t i = 0; i < n; i++) {
        uint32_t row = rows ? rows[i] : (uint32_t)i, g = index->group_of[row];
        if (g != KR_NO_ROW)
            index->rows[next[g - before]++] = row;
    }
    index->filled = start[index->group_count];
    kr_free(next);
}

void kr_index_free(kr_index *index)
{
    if (!index)
        return;
    free_levels(index);
    kr_free(index->table);
    kr_free(index->slots);
    kr_free(index->low_hash);
    kr_free(index->first);
    kr_free(index->columns);
    kr_free(index->start);
    kr_free(index->rows);
    kr_free(index->group_of);
    kr_free(index);
}

size_t kr_index_bytes(const kr_index *index)
{
    return (index->row_count * 2 + index->group_count + index->group_capacity * (index->table ? 1 : 2)) * sizeof(uint32_t)
        + index->room * sizeof(kr_slot);
}

static void probe_batch(const kr_index *index, const kr_cell *const *near, size_t n, uint32_t *groups)
{
    uint64_t hashes[BATCH];
    if (!index->table)
        hash_batch(index, near, n, hashes);
    for (size_t i = 0; i < n; i++) {
        bool special = false;
        for (int k = 0; k < index->column_count; k++)
            special |= kr_is_special(near[k][i]);
        groups[i] = KR_NO_ROW;
        if (special) { /* the leftmost error is the result */
            for (int k = 0; k < index->column_count; k++)
                if (kr_is_error(near[k][i])) {
                    groups[i] = kr_map_of(near[k][i]);
                    break;
                }
        } else if (index->table) {
            size_t place = place_of(index, near, i);
            if (place != SIZE_MAX)
                groups[i] = index->table[place];
        } else if (index->room) {
            groups[i] = slot_of(index, hashes[i], near, i)->group;
        }
    }
}

void kr_index_probe(const kr_index *index, const kr_cell *const *near, size_t n, uint32_t *groups)
{
    const kr_cell *at[KR_MOST_COLUMNS];
    if (index->column_count == 0) {
        memset(groups, 0, sizeof *groups * n);
        return;
    }
    for (size_t from = 0; from < n; from += BATCH) {
        for (int k = 0; k < index->column_count; k++)
            at[k] = near[k] + from;
        probe_batch(index, at, n - from < BATCH ? n - from : BATCH, groups + from);
    }
}
