/* stdlib.h: every primitive of the language, family by family.
 *
 * A primitive is one row of type kr_fn (vm/lang/fn.h) beside its kernel in the family's file; all.c lists the families and nothing
 * else. The parser and checker are handed this list. Constant data, safe for any thread. */
#ifndef KR_STDLIB_H
#define KR_STDLIB_H

#include "vm/lang/fn.h"

extern const kr_fn *const kr_stdlib[]; /* families, each ended by a row without a name; NULL ends the list */

#endif
