/* script_state.c: lists as a window over an array, maps as an array of entries with a table of hashes beside it. */
#include "vm/lang/script_state.h"

#include <string.h>

void kr_state_clear(kr_state *state)
{
    kr_free(state->keys);
    kr_free(state->items);
    kr_free(state->table);
    *state = (kr_state){ .value = KR_BLANK };
}

/* ---- lists */

void kr_list_append(kr_state *list, kr_cell item)
{
    if (list->first + list->count == list->room) {
        if (list->first > list->count) { /* more than half of it was taken: move down */
            memmove(list->items, list->items + list->first, list->count * sizeof *list->items);
            list->first = 0;
        } else {
            list->room = list->room ? list->room * 2 : 16;
            list->items = kr_realloc(list->items, list->room * sizeof *list->items);
        }
    }
    list->items[list->first + list->count++] = item;
}

static bool is_place(const kr_state *list, int64_t place) { return place >= 1 && (uint64_t)place <= list->count; }

kr_cell kr_list_at(const kr_state *list, int64_t place)
{
    return is_place(list, place) ? list->items[list->first + (size_t)place - 1] : KR_BLANK;
}

bool kr_list_set(kr_state *list, int64_t place, kr_cell item)
{
    if (place >= 1 && (uint64_t)place == list->count + 1)
        kr_list_append(list, item);
    else if (is_place(list, place))
        list->items[list->first + (size_t)place - 1] = item;
    else
        return false;
    return true;
}

kr_cell kr_list_take(kr_state *list, int64_t place)
{
    if (!is_place(list, place))
        return KR_BLANK;
    size_t at = list->first + (size_t)place - 1;
    kr_cell item = list->items[at];
    if (place == 1)
        list->first++;
    else
        memmove(list->items + at, list->items + at + 1, (list->first + list->count - at - 1) * sizeof *list->items);
    list->count--;
    return item;
}

/* ---- maps */

static size_t bucket_of(const kr_state *map, kr_cell key)
{
    uint64_t h = key.lo * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)key.hi;
    h ^= h >> 32;
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(h ^ h >> 32) & (map->buckets - 1);
}

/* The bucket that holds the key, or the free one where it would go. */
static size_t find(const kr_state *map, kr_cell key)
{
    size_t b = bucket_of(map, key);
    while (map->table[b] && !kr_raw_eq(map->keys[map->table[b] - 1], key))
        b = (b + 1) & (map->buckets - 1);
    return b;
}

static void grow(kr_state *map)
{
    map->room = map->room ? map->room * 2 : 16;
    map->keys = kr_realloc(map->keys, map->room * sizeof *map->keys);
    map->items = kr_realloc(map->items, map->room * sizeof *map->items);
    kr_free(map->table);
    map->buckets = map->room * 2;
    map->table = kr_alloc(map->buckets * sizeof *map->table);
    for (size_t i = 0; i < map->count; i++)
        map->table[find(map, map->keys[i])] = (uint32_t)i + 1;
}

kr_cell kr_map_at(const kr_state *map, kr_cell key)
{
    if (!map->count)
        return KR_BLANK;
    uint32_t entry = map->table[find(map, key)];
    return entry ? map->items[entry - 1] : KR_BLANK;
}

/* Free a bucket, and close the gap for the keys that were pushed past it. */
static void free_bucket(kr_state *map, size_t hole)
{
    size_t mask = map->buckets - 1, b = hole;
    map->table[hole] = 0;
    for (;;) {
        b = (b + 1) & mask;
        if (!map->table[b])
            return;
        size_t home = bucket_of(map, map->keys[map->table[b] - 1]);
        if (((b - home) & mask) >= ((b - hole) & mask)) {
            map->table[hole] = map->table[b];
            map->table[b] = 0;
            hole = b;
        }
    }
}

static void take_out(kr_state *map, kr_cell key)
{
    if (!map->count)
        return;
    size_t b = find(map, key);
    uint32_t entry = map->table[b];
    if (!entry)
        return;
    free_bucket(map, b);
    size_t last = --map->count;
    if (entry - 1 != last) { /* the last entry fills the gap */
        map->table[find(map, map->keys[last])] = entry;
        map->keys[entry - 1] = map->keys[last];
        map->items[entry - 1] = map->items[last];
    }
}

void kr_map_set(kr_state *map, kr_cell key, kr_cell item)
{
    if (kr_is_blank(item)) {
        take_out(map, key);
        return;
    }
    if (map->count == map->room)
        grow(map);
    size_t b = find(map, key);
    if (!map->table[b]) {
        map->keys[map->count] = key;
        map->table[b] = (uint32_t)++map->count;
    }
    map->items[map->table[b] - 1] = item;
}

/* ---- order of keys: merge sort, so that it needs no state outside */

static int order(kr_type type, const kr_pool *pool, kr_cell a, kr_cell b)
{
    if (type == KR_T_TEXT || type == KR_T_BYTES)
        return kr_pool_cmp(pool, (uint32_t)kr_cell_int(a), (uint32_t)kr_cell_int(b));
    return kr_raw_cmp(a, b);
}

static void sort(kr_type type, const kr_pool *pool, kr_cell *keys, kr_cell *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half;
    sort(type, pool, keys, spare, half);
    sort(type, pool, keys + half, spare, n - half);
    for (size_t k = 0; k < n; k++)
        spare[k] = j >= n || (i < half && order(type, pool, keys[i], keys[j]) <= 0) ? keys[i++] : keys[j++];
    memcpy(keys, spare, n * sizeof *keys);
}

void kr_map_keys(const kr_state *map, kr_type type, const kr_pool *pool, kr_cell *out)
{
    if (!map->count)
        return;
    kr_cell *spare = kr_alloc(map->count * sizeof *spare);
    memcpy(out, map->keys, map->count * sizeof *out);
    sort(type, pool, out, spare, map->count);
    kr_free(spare);
}
