/* order_tree.h: the values of a window in order: insert, remove and the k-th least, each in logarithmic time (private to stdlib).
 *
 * A treap: a search tree by value that is a heap by a pseudo-random priority. Its shape never shows in an answer. Equal values share a
 * node. Owned by whoever made it; not safe for several threads at once. */
#ifndef KR_STDLIB_ORDER_TREE_H
#define KR_STDLIB_ORDER_TREE_H

#include <stddef.h>

#include "vm/num/num.h"

typedef struct kr_order_tree kr_order_tree;

kr_order_tree *kr_order_tree_new(size_t capacity); /* a hint; it grows */
void kr_order_tree_free(kr_order_tree *tree);
void kr_order_tree_insert(kr_order_tree *tree, kr_num x);
void kr_order_tree_remove(kr_order_tree *tree, kr_num x);   /* one of the values inside */
size_t kr_order_tree_count(const kr_order_tree *tree);
kr_num kr_order_tree_at(const kr_order_tree *tree, size_t k); /* k < count; 0: the least */

#endif
