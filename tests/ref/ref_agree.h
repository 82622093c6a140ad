/* ref_agree.h: whether a finished run of the engine and the row-at-a-time interpreter agree, cell by cell. */
#ifndef KR_TESTS_REF_AGREE_H
#define KR_TESTS_REF_AGREE_H

#include "tests/ref/ref.h"
#include "vm/engine/run.h"

typedef struct kr_agree_counts {
    size_t cells, specials, failed_checks;
} kr_agree_counts;

/* Every cell of every column that is not ours, and every failed check; without `all`, of published sheets only. Prints the first
 * difference, with its row and formula, after `how`. Adds to counts. */
bool kr_ref_agree(const kr_model *model, const kr_run *run, kr_ref *ref, const char *how, bool all, kr_agree_counts *counts);

#endif
