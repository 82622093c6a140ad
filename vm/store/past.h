/* past.h: state in the results store: the cells that later days read back, so that a daily run goes on from what was recorded
 * (`krules eval --save DB --resume`) instead of computing every day anew.
 *
 * Of each version the store keeps every state column (and the keys) of its rows up to a last day; cells are kept exactly, blanks and errors
 * included. They are written in the transaction that saves the results, and only used under the rule file that made them. */
#ifndef KR_PAST_H
#define KR_PAST_H

#include "vm/store/book.h"

struct sqlite3;

/* Write the state of the chain's days; inside the caller's transaction. resumed: only the days that were computed (older ones stay as they
 * are, later ones go); else all that is there of this book is replaced. false and diagnostics: the database. */
bool kr_past_save(struct sqlite3 *db, const char *path, const kr_chain *chain, bool resumed, kr_diags *diags);
/* Whether the store keeps state of this book. */
bool kr_past_kept(struct sqlite3 *db, const char *book);

/* What a run that begins on `wanted` (has_wanted; else on the first day that the store does not have) goes on from. The file may be absent and the
 * store without state: *past has no records then, and the run begins on the book's first day. false and diagnostics: state of other
 * rules, a damaged store (E0744). The records are the caller's: kr_run_free. */
bool kr_past_load(kr_book *book, const char *path, bool has_wanted, int64_t wanted, kr_past *past, kr_diags *diags);

#endif
