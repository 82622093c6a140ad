/* receipt.h: what was computed from what, as digests, so that a stranger with the same rules and data can recompute and compare.
 *
 * A receipt is JSON: the engine's version, the book, the head of its ledger, each version used (number, file digest, effective day), the digest of the data and of
 * each table, the period, the digest of the output and of each sheet (as CSV). It always speaks of all that the book publishes for
 * its period, whatever --only and --where showed. */
#ifndef KR_RECEIPT_H
#define KR_RECEIPT_H

#include "vm/store/view.h"

typedef struct kr_digested { const char *name, *sha256; int64_t rows; } kr_digested;

typedef struct kr_receipt {
    const char *engine;
    const char *book;
    bool alone;                 /* a single rule file, in force on every day */
    const char *ledger;         /* hash of the ledger's last line then, and how many lines it had; "" and 0: none */
    int ledger_entries;
    const kr_ledger *now;       /* of a receipt made here: the ledger itself */
    int version_count;
    struct kr_receipt_version { int number; const char *path, *sha256; } *versions;
    const char *data_sha256;
    kr_digested *tables;
    int table_count;
    const char *from, *to;      /* "" for a book without days */
    const char *output_sha256;
    kr_digested *sheets;
    int sheet_count;
} kr_receipt;

kr_receipt *kr_receipt_new(kr_arena *arena, const kr_view *view, const kr_data_digest *data, const char *engine);
bool kr_receipt_write(const kr_receipt *receipt, const char *path, kr_diags *diags);
/* NULL: E0708 cannot be read, E0706 not a receipt. */
kr_receipt *kr_receipt_read(kr_arena *arena, const char *path, kr_diags *diags);
/* Compare what a receipt says with what was recomputed (and its view): a diagnostic (E0707) for each thing that differs, causes first, then the
 * sheets, the first cells (kr_receipt_cells in `folder`) and why. True: equal. */
bool kr_receipt_compare(const kr_receipt *said, const kr_receipt *found, const kr_view *view, const char *folder, const char *path, kr_diags *diags);

/* For sheets that differ: the first rows and cells that do, against the published files NAME.csv in `folder`; a file counts when its
 * digest is the receipt's. Gives how many sheets had such a file (rows without a key cannot be told apart, and are left out). */
size_t kr_receipt_cells(const kr_receipt *said, const kr_receipt *found, const kr_view *view, const char *folder, kr_diags *diags);

/* For sheets that are the receipt's: whether the files NAME.csv in `folder` say the same, cell by cell. A file may hold fewer rows or columns
 * (N0709); one with another cell, or a row more, is E0707. A file that is no CSV of the sheet's keys is something else, and is left alone. Gives how many files are wrong. */
size_t kr_receipt_files(const kr_receipt *said, const kr_view *view, const char *folder, kr_diags *diags);

#endif
