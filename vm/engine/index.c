/* index.c: rows by the values of some columns, and rows in order.
 *
 * Columns are taken one after another: the groups so far and the next column's cell give the next group. Where the cells are small
 * whole numbers (text ids, days, booleans) and the table stays within a few times the number of rows, it is addressed directly, else
 * hashed. Groups are numbered in the order in which their first row comes, so no hash order ever shows. */
#include "vm/engine/exec.h"

#include <string.h>

enum { BATCH = 1024 };

typedef struct entry {
    uint64_t lo, hi;
    uint32_t prefix, group; /* group KR_NO_ROW: free */
} entry;

typedef struct kr_level {
    kr_type type;
    bool direct;
    int64_t base;
    uint64_t range;          /* direct: cells base … base + range - 1 */
    uint32_t *table;         /* direct: prefix * range + cell - base; KR_NO_ROW: none */
    entry *entries;          /* hashed; a power of two of them */
    size_t room, used;
    uint32_t groups;
} kr_level;

static uint64_t hash_cell(uint32_t prefix, kr_cell c)
{
    uint64_t h = (c.lo ^ (uint64_t)c.hi * UINT64_C(0x9e3779b97f4a7c15)) + prefix * UINT64_C(0xd1b54a32d192ed03);
    h *= UINT64_C(0xff51afd7ed558ccd);
    return h ^ (h >> 32);
}

static entry *entry_at(const kr_level *level, uint32_t prefix, kr_cell c)
{
    size_t mask = level->room - 1, i = hash_cell(prefix, c) & mask;
    for (;; i = (i + 1) & mask) {
        entry *e = &level->entries[i];
        if (e->group == KR_NO_ROW || (e->lo == c.lo && e->hi == (uint64_t)c.hi && e->prefix == prefix))
            return e;
    }
}

static void grow(kr_level *level)
{
    kr_level old = *level;
    level->room = old.room ? old.room * 2 : 64;
    level->entries = kr_alloc(sizeof *level->entries * level->room);
    for (size_t i = 0; i < level->room; i++)
        level->entries[i].group = KR_NO_ROW;
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].group != KR_NO_ROW)
            *entry_at(level, old.entries[i].prefix, (kr_cell){ old.entries[i].lo, (int64_t)old.entries[i].hi }) = old.entries[i];
    kr_free(old.entries);
}

static uint32_t find_or_add(kr_level *level, uint32_t prefix, kr_cell c)
{
    if (level->direct) {
        uint32_t *slot = &level->table[prefix * level->range + (uint64_t)(kr_cell_int(c) - level->base)];
        if (*slot == KR_NO_ROW)
            *slot = level->groups++;
        return *slot;
    }
    if (level->used * 2 >= level->room)
        grow(level);
    entry *e = entry_at(level, prefix, c);
    if (e->group == KR_NO_ROW) {
        *e = (entry){ c.lo, (uint64_t)c.hi, prefix, level->groups++ };
        level->used++;
    }
    return e->group;
}

static uint32_t find(const kr_level *level, uint32_t prefix, kr_cell c)
{
    if (level->direct) {
        uint64_t at = (uint64_t)kr_cell_int(c) - (uint64_t)level->base;
        return c.hi == (kr_cell_int(c) < 0 ? -1 : 0) && at < level->range ? level->table[prefix * level->range + at] : KR_NO_ROW;
    }
    return level->room ? entry_at(level, prefix, c)->group : KR_NO_ROW;
}

/* Whether the cells are few enough to be addressed directly, for `prefixes` groups so far. */
static void choose(kr_level *level, const kr_column *column, size_t rows, uint32_t prefixes, bool specials)
{
    if (specials || rows == 0 || (level->type != KR_T_TEXT && level->type != KR_T_BYTES && level->type != KR_T_DAY && level->type != KR_T_BOOLEAN))
        return;
    kr_cell cells[BATCH];
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t at = 0; at < rows; at += BATCH) {
        size_t n = rows - at < BATCH ? rows - at : BATCH;
        kr_column_load(column, at, n, cells);
        for (size_t i = 0; i < n; i++) {
            if (kr_is_special(cells[i]))
                continue;
            int64_t v = kr_cell_int(cells[i]);
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
    }
    if (low > high)
        return;
    uint64_t range = (uint64_t)(high - low) + 1;
    if (range > 4 * rows + 1024 || range * prefixes > 4 * rows + 4096)
        return;
    level->direct = true;
    level->base = low;
    level->range = range;
    size_t slots = (size_t)range * (prefixes ? prefixes : 1);
    level->table = kr_alloc(sizeof *level->table * slots);
    memset(level->table, 0xff, sizeof *level->table * slots);
}

/* group_of of the rows before this level -> after it. */
static void pass(kr_index *index, int k, const kr_column *column, const uint32_t *rows, size_t n)
{
    kr_level *level = &index->levels[k];
    kr_cell cells[BATCH];
    for (size_t at = 0; at < n; at += BATCH) {
        size_t m = n - at < BATCH ? n - at : BATCH;
        if (rows)
            kr_column_gather(column, rows + at, m, cells);
        else
            kr_column_load(column, at, m, cells);
        for (size_t i = 0; i < m; i++) {
            uint32_t *g = &index->group_of[rows ? rows[at + i] : at + i];
            if (*g != KR_NO_ROW)
                *g = kr_is_special(cells[i]) && !index->specials ? KR_NO_ROW : find_or_add(level, *g, cells[i]);
        }
    }
}

kr_index *kr_index_new(const kr_column *const *columns, int count, size_t rows, bool growing, bool specials)
{
    kr_index *index = kr_alloc(sizeof *index);
    index->column_count = count;
    index->levels = kr_alloc(sizeof *index->levels * (size_t)(count + 1));
    index->growing = growing;
    index->specials = specials;
    index->row_count = rows;
    index->group_of = kr_alloc(sizeof *index->group_of * (rows + 1));
    index->rows = kr_alloc(sizeof *index->rows * (rows + 1));
    for (int k = 0; k < count; k++)
        index->levels[k].type = columns[k]->type;
    index->group_capacity = 1;
    index->start = kr_alloc(sizeof *index->start * 2);
    if (growing)
        memset(index->group_of, 0xff, sizeof *index->group_of * rows);
    else
        kr_index_add(index, columns, NULL, rows);
    return index;
}

static void make_room(kr_index *index)
{
    if (index->group_count <= index->group_capacity)
        return;
    index->group_capacity = index->growing ? (size_t)index->group_count * 2 : index->group_count;
    index->start = kr_realloc(index->start, sizeof *index->start * (index->group_capacity + 1));
}

void kr_index_add(kr_index *index, const kr_column *const *columns, const uint32_t *rows, size_t n)
{
    uint32_t before = index->group_count, prefixes = 1;
    for (size_t i = 0; i < n; i++)
        index->group_of[rows ? rows[i] : i] = 0;
    for (int k = 0; k < index->column_count; k++) {
        if (!index->growing)
            choose(&index->levels[k], columns[k], n, prefixes, index->specials);
        pass(index, k, columns[k], rows, n);
        prefixes = index->levels[k].groups;
    }
    /* Without columns all rows are one group; it is there even when there are no rows, so that what ranges over it ranges over nothing. */
    index->group_count = index->column_count ? prefixes : 1;
    make_room(index);
    /* Counting sort of the new rows behind those there. */
    uint32_t *start = index->start, base = (uint32_t)index->filled;
    KR_ASSERT(!index->growing || index->column_count); /* the planner refuses the rest */
    memset(start + before, 0, sizeof *start * (index->group_count + 1 - before));
    for (size_t i = 0; i < n; i++) {
        uint32_t g = index->group_of[rows ? rows[i] : i];
        KR_ASSERT(g == KR_NO_ROW || g >= before); /* a step brings whole groups: one of their columns is the day */
        if (g != KR_NO_ROW)
            start[g + 1]++;
    }
    start[before] = base;
    for (uint32_t g = before; g < index->group_count; g++)
        start[g + 1] += start[g];
    uint32_t *next = kr_alloc(sizeof *next * (index->group_count - before + 1));
    memcpy(next, start + before, sizeof *next * (index->group_count - before));
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
    for (int k = 0; k < index->column_count; k++) {
        kr_free(index->levels[k].table);
        kr_free(index->levels[k].entries);
    }
    kr_free(index->levels);
    kr_free(index->start);
    kr_free(index->rows);
    kr_free(index->group_of);
    kr_free(index);
}

size_t kr_index_bytes(const kr_index *index)
{
    size_t bytes = index->row_count * 8 + index->group_capacity * 4;
    for (int k = 0; k < index->column_count; k++)
        bytes += index->levels[k].room * sizeof(entry);
    return bytes;
}

void kr_index_probe(const kr_index *index, const kr_cell *const *near, size_t n, uint32_t *groups)
{
    for (size_t i = 0; i < n; i++)
        groups[i] = 0;
    bool special = false;
    for (int k = 0; k < index->column_count; k++) {
        const kr_level *level = &index->levels[k];
        const kr_cell *cells = near[k];
        for (size_t i = 0; i < n; i++) {
            if (kr_is_special(cells[i])) {
                special = true;
                groups[i] = KR_NO_ROW;
            } else if (groups[i] != KR_NO_ROW) {
                groups[i] = find(level, groups[i], cells[i]);
            }
        }
    }
    for (size_t i = 0; special && i < n; i++) { /* the leftmost error is the result */
        for (int k = 0; k < index->column_count; k++)
            if (kr_is_error(near[k][i])) {
                groups[i] = kr_map_of(near[k][i]);
                break;
            }
    }
}
