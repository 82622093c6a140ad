/* sweep.h: many variants of one rule file over data that are read once.
 *
 * A variant is the file with other values of some parameters, in force on every day. Variants are all combinations of the values, the
 * last parameter varying fastest; part k of n is a run of neighbouring ones, so that the parts one after another are the whole. */
#ifndef KR_SWEEP_H
#define KR_SWEEP_H

#include "vm/store/book.h"

enum { KR_SWEEP_MOST = 1000000 }; /* variants */

typedef struct kr_varied { const char *name, *text; kr_cell *values; size_t count; } kr_varied; /* text: as given, name=a..b/step */

typedef struct kr_sweep {
    kr_arena *arena;
    const char *book, *file_sha256, *data_sha256, *to; /* to: "" when not given */
    const char **vary;          /* as given */
    size_t vary_count;
    const char **heads;         /* varied names, then formulas */
    size_t column_count;
    const char **cells;         /* row by row */
    bool *is_number;            /* per column */
    size_t rows, first, all;    /* first: place of the first row among all variants */
    size_t part, parts;         /* 0, 0: all */
} kr_sweep;

typedef struct kr_sweep_options {
    const char *const *vary;
    size_t vary_count;
    const char *const *show;
    size_t show_count;
    const char *data;
    bool has_to;
    int64_t to;
    size_t part, parts;
    int threads;
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} kr_sweep_options;

/* NULL: diags. path and text: the rule file. */
kr_sweep *kr_sweep_run(kr_arena *arena, kr_pool *pool, kr_families families, const char *path, const char *text, size_t len, const kr_sweep_options *options, kr_diags *diags);
/* Parts from their CSV files and receipts. NULL and E0743: they are not the parts of one sweep, each once, as they were written. */
kr_sweep *kr_sweep_merge(kr_arena *arena, const char *const *files, size_t count, kr_diags *diags);
/* format: csv, json, svg. A CSV file (not "-") gets PATH.receipt.json beside it, written first. */
bool kr_sweep_write(const kr_sweep *sweep, const char *format, const char *path, const char *engine, kr_diags *diags);

#endif
