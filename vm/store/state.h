/* state.h: what a version must carry over from the one before it (MEANING.md section 5).
 *
 * State is every computed column that some formula reads back in time, on a sheet that has a clock, and the states of folds. For each
 * of the new version's the earlier version is asked whether it has that column's recorded cells, and for each of the earlier
 * version's whether it goes on. */
#ifndef KR_STATE_H
#define KR_STATE_H

#include "vm/lang/model.h"
#include "vm/text/diag.h"

typedef enum kr_state_verdict {
    KR_CARRIED,   /* same name, type, unit, keys, clock: the recorded cells are read on */
    KR_RENAMED,   /* the same under a new name, said by `carry` */
    KR_ADDED,     /* new, and says its history */
    KR_RETIRED,   /* gone: its name is not used again */
    KR_NOT_CARRIED /* refused; a diagnostic says why */
} kr_state_verdict;

typedef struct kr_state_item {
    const char *sheet, *name, *old_name; /* name NULL: retired; old_name NULL: added */
    kr_state_verdict verdict;
    bool changed;                        /* carried or renamed, and its formula means something else: earlier cells stay as recorded */
    const kr_column_def *column, *old;   /* NULL as the names */
} kr_state_item;

typedef struct kr_states { kr_state_item *items; size_t count, capacity; } kr_states;

/* Compare a version with the one before it; `older`: versions before that one, newest first, whose retired names stay retired.
 * false: something does not carry (E0728, one diagnostic each). */
bool kr_state_compare(kr_arena *arena, const kr_model *before, const kr_model *after, const kr_model *const *older, int older_count, kr_states *out, kr_diags *diags);

#endif
