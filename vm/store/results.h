/* results.h: the SQLite store of results that operators keep (`krules eval --save`).
 *
 * One row per book, sheet and day says which version computed it, the digest of the data it was computed from and the digest of its cells;
 * the rows themselves are kept as text, so that no digit is lost. All of a save is one transaction: a killed run leaves the old state.
 * Saving the same cells again changes nothing. Other cells for a day that is there are refused, unless a reason is given: then the old
 * digest, the new one and the reason go into `restatement`. Rows of keys that were not there before, with every old row unchanged,
 * are no difference (an account that appeared later). */
#ifndef KR_RESULTS_H
#define KR_RESULTS_H

#include "vm/store/view.h"

/* reason NULL: refuse differences (E0705, naming the first cells). *days: how many days were written. */
typedef enum kr_save_state {
    KR_STATE_KEPT,      /* saved anew where the store keeps state of the book (past.h), so that it never falls behind the results */
    KR_STATE_BEGUN,     /* saved: the run computed every day */
    KR_STATE_RESUMED,   /* saved: the run went on from what is there */
} kr_save_state;
bool kr_results_save(const kr_view *view, const char *data_digest, const char *path, const char *reason, kr_save_state state, size_t *days, kr_diags *diags);

#endif
