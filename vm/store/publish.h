/* publish.h: what publishing looks at beside the ledger's own rules: the file, the version before it, the folder. */
#ifndef KR_PUBLISH_H
#define KR_PUBLISH_H

#include "vm/store/book.h"
#include "vm/store/state.h"

/* SHA-256 of what the model means: comments, layout and the order of declarations do not change it. */
void kr_model_digest(const kr_model *model, char hex[KR_HEX]);

/* What the ledger says of a version, from its file: version, digests, language, days. */
void kr_entry_describe(kr_arena *arena, kr_entry *entry, const kr_version *version);
/* Whether a publication's entry fits the file it is about. false: E0734. */
bool kr_entry_fits(const kr_ledger *ledger, const kr_entry *entry, const kr_version *version, kr_diags *diags);
/* Whether versions[index] of the book carries the state of the one before it (E0728). */
bool kr_version_carries(const kr_book *book, const kr_model *model, int index, kr_states *states, kr_diags *diags);

/* One writer at a time: holds the book's folder until kr_folder_unlock. -1 and E0701: it cannot be held. */
int kr_folder_lock(const char *folder, kr_diags *diags);
void kr_folder_unlock(int lock);
/* Put a rule file in its place, byte by byte; a file that is there already must be the same (E0723). */
bool kr_publish_file(const char *from, const char *to, const char *sha256, kr_diags *diags);

#endif
