/* pool.c: interned byte strings.
 *
 * Entries live in segments of doubling size that never move, so that text of an id is read without a lock. The hash table is cut
 * into shards by hash, each with a lock and an arena of its own: threads that load different columns seldom meet. */
#include "vm/text/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "vm/text/arena.h"

enum { SHARD_BITS = 6, SHARDS = 1 << SHARD_BITS, SEGMENTS = 20, FIRST_SEGMENT = 4096 };

typedef struct entry {
    const char *text;
    uint64_t hash;
    size_t len;
} entry;

typedef struct shard {
    pthread_mutex_t lock;
    kr_arena *arena;
    uint32_t *slots; /* id + 1; 0: free */
    size_t slot_count, used;
} shard;

struct kr_pool {
    shard shards[SHARDS];
    _Atomic(entry *) segments[SEGMENTS];
    atomic_uint_fast32_t count;
};

/* Words of eight bytes, mixed by multiplication. The order of ids and slots reaches no result, so any good mixing serves. */
static uint64_t hash_of(const char *bytes, size_t len)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len;
    while (len) {
        uint64_t word = 0;
        size_t n = len < 8 ? len : 8;
        memcpy(&word, bytes, n);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
        bytes += n;
        len -= n;
    }
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ (h >> 29);
}

kr_pool *kr_pool_new(void)
{
    kr_pool *pool = kr_alloc(sizeof *pool);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&pool->shards[i].lock, NULL);
    return pool;
}

void kr_pool_free(kr_pool *pool)
{
    if (!pool)
        return;
    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_destroy(&pool->shards[i].lock);
        kr_arena_free(pool->shards[i].arena);
        kr_free(pool->shards[i].slots);
    }
    for (int i = 0; i < SEGMENTS; i++)
        kr_free(atomic_load(&pool->segments[i]));
    kr_free(pool);
}

/* Segment k holds FIRST_SEGMENT << k entries. */
static int segment_of(uint32_t id, size_t *at)
{
    uint32_t x = id / FIRST_SEGMENT + 1;
    int k = 31 - __builtin_clz(x);
    *at = id - (size_t)FIRST_SEGMENT * ((1u << k) - 1);
    return k;
}

static entry *entry_new(kr_pool *pool, uint32_t id)
{
    size_t at;
    int k = segment_of(id, &at);
    KR_ASSERT(k < SEGMENTS); /* 2^31 texts: ids stay within 31 bits, as columns store them */
    entry *segment = atomic_load(&pool->segments[k]);
    if (!segment) {
        entry *fresh = kr_alloc(sizeof(entry) * ((size_t)FIRST_SEGMENT << k));
        if (atomic_compare_exchange_strong(&pool->segments[k], &segment, fresh))
            segment = fresh;
        else
            kr_free(fresh);
    }
    return &segment[at];
}

static const entry *entry_at(const kr_pool *pool, uint32_t id)
{
    size_t at;
    int k = segment_of(id, &at);
    KR_ASSERT(k < SEGMENTS);
    const entry *segment = atomic_load_explicit(&pool->segments[k], memory_order_acquire);
    KR_ASSERT(segment && segment[at].text); /* whoever holds an id got it from this pool */
    return &segment[at];
}

/* The slot of these bytes, or the free one where they belong. */
static uint32_t *slot_of(const kr_pool *pool, const shard *s, uint64_t hash, const char *bytes, size_t len)
{
    size_t mask = s->slot_count - 1;
    for (size_t i = (size_t)(hash >> SHARD_BITS) & mask;; i = (i + 1) & mask) {
        if (!s->slots[i])
            return &s->slots[i];
        const entry *e = entry_at(pool, s->slots[i] - 1);
        if (e->hash == hash && e->len == len && (len == 0 || memcmp(e->text, bytes, len) == 0))
            return &s->slots[i];
    }
}

static void grow(kr_pool *pool, shard *s)
{
    uint32_t *old = s->slots;
    size_t old_count = s->slot_count;
    s->slot_count = old_count ? old_count * 2 : 64;
    s->slots = kr_alloc(sizeof *s->slots * s->slot_count);
    size_t mask = s->slot_count - 1;
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i])
            continue;
        size_t at = (size_t)(entry_at(pool, old[i] - 1)->hash >> SHARD_BITS) & mask;
        while (s->slots[at])
            at = (at + 1) & mask;
        s->slots[at] = old[i];
    }
    kr_free(old);
}

uint32_t kr_pool_add(kr_pool *pool, const char *bytes, size_t len)
{
    uint64_t hash = hash_of(bytes, len);
    shard *s = &pool->shards[hash & (SHARDS - 1)];
    pthread_mutex_lock(&s->lock);
    if ((s->used + 1) * 4 > s->slot_count * 3)
        grow(pool, s);
    uint32_t *slot = slot_of(pool, s, hash, bytes, len);
    if (!*slot) {
        if (!s->arena)
            s->arena = kr_arena_new();
        uint32_t id = (uint32_t)atomic_fetch_add(&pool->count, 1);
        entry *e = entry_new(pool, id);
        *e = (entry){ kr_arena_copy(s->arena, bytes, len), hash, len };
        *slot = id + 1;
        s->used++;
    }
    uint32_t id = *slot - 1;
    pthread_mutex_unlock(&s->lock);
    return id;
}

bool kr_pool_find(kr_pool *pool, const char *bytes, size_t len, uint32_t *id)
{
    uint64_t hash = hash_of(bytes, len);
    shard *s = &pool->shards[hash & (SHARDS - 1)];
    uint32_t found = 0;
    pthread_mutex_lock(&s->lock);
    if (s->used)
        found = *slot_of(pool, s, hash, bytes, len);
    pthread_mutex_unlock(&s->lock);
    if (found)
        *id = found - 1;
    return found != 0;
}

const char *kr_pool_text(const kr_pool *pool, uint32_t id, size_t *len)
{
    const entry *e = entry_at(pool, id);
    if (len)
        *len = e->len;
    return e->text;
}

int kr_pool_cmp(const kr_pool *pool, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    const entry *x = entry_at(pool, a), *y = entry_at(pool, b);
    size_t n = x->len < y->len ? x->len : y->len;
    int order = n ? memcmp(x->text, y->text, n) : 0;
    return order ? order : (x->len > y->len) - (x->len < y->len);
}

uint32_t kr_pool_count(const kr_pool *pool) { return (uint32_t)atomic_load(&pool->count); }
