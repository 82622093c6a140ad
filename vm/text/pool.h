/* pool.h: interned text and byte strings of the data: equal bytes, equal id.
 *
 * A cell of type text, address or bytes holds an id of the run's pool. Safe for several threads at once (a lock on insertion);
 * reading is lock free: text of an id never moves. Ids depend on the order of insertion and must never reach a result:
 * order text with kr_pool_cmp. */
#ifndef KR_POOL_H
#define KR_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/num/num.h"

typedef struct kr_pool kr_pool;

kr_pool *kr_pool_new(void);
void kr_pool_free(kr_pool *pool);
uint32_t kr_pool_add(kr_pool *pool, const char *bytes, size_t len);  /* the id of these bytes */
bool kr_pool_find(kr_pool *pool, const char *bytes, size_t len, uint32_t *id); /* false: not there */
const char *kr_pool_text(const kr_pool *pool, uint32_t id, size_t *len); /* NUL follows the bytes; borrowed for the pool's life */
int kr_pool_cmp(const kr_pool *pool, uint32_t a, uint32_t b);        /* by bytes: <0, 0, >0 */
uint32_t kr_pool_count(const kr_pool *pool);

static inline kr_cell kr_cell_of_text(kr_pool *pool, const char *bytes, size_t len)
{
    return kr_cell_of_int(kr_pool_add(pool, bytes, len));
}

#endif
