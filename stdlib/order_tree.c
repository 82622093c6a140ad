/* order_tree.c: see order_tree.h. Nodes are numbered; 0 is the empty tree, and freed nodes wait in a list through `left`. */
#include "stdlib/order_tree.h"

#include "vm/text/arena.h"

typedef struct node {
    kr_num value;
    uint32_t left, right;
    uint32_t priority;
    uint32_t copies; /* of this value */
    uint32_t size;   /* values in the subtree */
} node;

struct kr_order_tree {
    node *nodes;
    uint32_t used, room, unused; /* unused: first of the freed */
    uint32_t root;
    uint32_t random;
};

kr_order_tree *kr_order_tree_new(size_t capacity)
{
    kr_order_tree *t = kr_alloc(sizeof *t);
    t->room = capacity < 15 ? 16 : capacity < 4096 ? (uint32_t)capacity + 1 : 4096;
    t->nodes = kr_alloc(t->room * sizeof *t->nodes);
    t->used = 1;
    t->random = 2463534242u;
    return t;
}

void kr_order_tree_free(kr_order_tree *t)
{
    kr_free(t->nodes);
    kr_free(t);
}

size_t kr_order_tree_count(const kr_order_tree *t) { return t->nodes[t->root].size; }

static uint32_t next_random(kr_order_tree *t) /* xorshift32 (Marsaglia, 2003) */
{
    uint32_t r = t->random;
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    return t->random = r;
}

static void resize(node *nodes, uint32_t i) { nodes[i].size = nodes[nodes[i].left].size + nodes[nodes[i].right].size + nodes[i].copies; }

static uint32_t new_node(kr_order_tree *t, kr_num x)
{
    uint32_t i = t->unused;
    if (i) {
        t->unused = t->nodes[i].left;
    } else {
        if (t->used == t->room) {
            KR_ASSERT(t->room < UINT32_MAX / 2); /* windows have fewer values: fn.h */
            t->room *= 2;
            t->nodes = kr_realloc(t->nodes, t->room * sizeof *t->nodes);
        }
        i = t->used++;
    }
    t->nodes[i] = (node){ .value = x, .priority = next_random(t), .copies = 1, .size = 1 };
    return i;
}

/* The trees of the values below and above x, which is not in the tree. */
static void split(node *nodes, uint32_t i, kr_num x, uint32_t *below, uint32_t *above)
{
    if (!i) {
        *below = *above = 0;
    } else if (kr_raw_cmp(nodes[i].value, x) < 0) {
        *below = i;
        split(nodes, nodes[i].right, x, &nodes[i].right, above);
        resize(nodes, i);
    } else {
        *above = i;
        split(nodes, nodes[i].left, x, below, &nodes[i].left);
        resize(nodes, i);
    }
}

/* One tree of two whose values are all below and all above each other. */
static uint32_t join(node *nodes, uint32_t below, uint32_t above)
{
    if (!below || !above)
        return below ? below : above;
    if (nodes[below].priority > nodes[above].priority) {
        nodes[below].right = join(nodes, nodes[below].right, above);
        resize(nodes, below);
        return below;
    }
    nodes[above].left = join(nodes, below, nodes[above].left);
    resize(nodes, above);
    return above;
}

static uint32_t find(const kr_order_tree *t, kr_num x)
{
    uint32_t i = t->root;
    while (i) {
        int side = kr_raw_cmp(x, t->nodes[i].value);
        if (side == 0)
            return i;
        i = side < 0 ? t->nodes[i].left : t->nodes[i].right;
    }
    return 0;
}

void kr_order_tree_insert(kr_order_tree *t, kr_num x)
{
    uint32_t same = find(t, x), fresh = same ? same : new_node(t, x);
    node *nodes = t->nodes;
    uint32_t *link = &t->root;
    if (same)
        nodes[same].copies++;
    while (*link && *link != same && (same || nodes[*link].priority >= nodes[fresh].priority)) {
        node *at = &nodes[*link];
        at->size++;
        link = kr_raw_cmp(x, at->value) < 0 ? &at->left : &at->right;
    }
    if (same) {
        nodes[same].size++;
        return;
    }
    uint32_t rest = *link;
    *link = fresh;
    split(nodes, rest, x, &nodes[fresh].left, &nodes[fresh].right);
    resize(nodes, fresh);
}

void kr_order_tree_remove(kr_order_tree *t, kr_num x)
{
    node *nodes = t->nodes;
    uint32_t gone = find(t, x), *link = &t->root;
    KR_ASSERT(gone != 0);
    while (*link != gone) {
        node *at = &nodes[*link];
        at->size--;
        link = kr_raw_cmp(x, at->value) < 0 ? &at->left : &at->right;
    }
    nodes[gone].size--;
    if (--nodes[gone].copies > 0)
        return;
    *link = join(nodes, nodes[gone].left, nodes[gone].right);
    nodes[gone].left = t->unused;
    t->unused = gone;
}

kr_num kr_order_tree_at(const kr_order_tree *t, size_t k)
{
    const node *nodes = t->nodes;
    uint32_t i = t->root;
    for (;;) {
        uint32_t below = nodes[nodes[i].left].size;
        if (k < below) {
            i = nodes[i].left;
        } else if (k < below + nodes[i].copies) {
            return nodes[i].value;
        } else {
            k -= below + nodes[i].copies;
            i = nodes[i].right;
        }
    }
}
