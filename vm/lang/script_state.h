/* script_state.h: the lists and maps of a fold's state. A list gives up its first and last item in constant time; a map is walked
 * in the order of its keys. Plain heap memory, freed with the state. */
#ifndef KR_SCRIPT_STATE_H
#define KR_SCRIPT_STATE_H

#include "vm/lang/type.h"
#include "vm/text/pool.h"

typedef struct kr_state {
    kr_cell value;                      /* scalar */
    kr_cell *keys, *items;              /* items [first, first + count) of a list; entries [0, count) of a map */
    uint32_t *table;                    /* map: entry + 1 by hash, 0 none */
    size_t first, count, room, buckets; /* buckets: a power of two, or 0 */
} kr_state;

void kr_state_clear(kr_state *state); /* empty; keeps nothing */

void kr_list_append(kr_state *list, kr_cell item);
/* Place from 1; blank where there is none. */
kr_cell kr_list_at(const kr_state *list, int64_t place);
bool kr_list_set(kr_state *list, int64_t place, kr_cell item); /* place count + 1 appends; false: no such place */
kr_cell kr_list_take(kr_state *list, int64_t place);

kr_cell kr_map_at(const kr_state *map, kr_cell key);           /* blank where there is none */
void kr_map_set(kr_state *map, kr_cell key, kr_cell item);     /* a blank item takes the key out */
/* Copies the keys in their order into out (count of them). */
void kr_map_keys(const kr_state *map, kr_type type, const kr_pool *pool, kr_cell *out);

#endif
