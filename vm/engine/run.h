/* run.h: evaluate a checked model over a dataset.
 *
 * kr_plan is compiled once per model and may serve many runs; kr_run computes every column that an output, check or require needs,
 * for all days from the rulebook's first (minus lead) to `to`. The result does not depend on threads, chunk size or row order of the data. */
#ifndef KR_RUN_H
#define KR_RUN_H

#include "vm/engine/dataset.h"
#include "vm/lang/expr.h"

typedef struct kr_plan kr_plan;
typedef struct kr_run kr_run;

/* Column graph, components, programs. false: a cycle (reported with its path) or a formula the engine refuses. Lives in the model's arena. */
kr_plan *kr_plan_new(kr_model *model, kr_diags *diags);
char *kr_plan_print(kr_arena *arena, const kr_plan *plan); /* for `krules explain --plan` and tests */

typedef struct kr_run_options {
    bool has_to;
    int64_t to;              /* last day computed; without it, the last day that appears in the data */
    bool has_from;           /* books whose days are open: rows also for the days from `from` on, if that is before the first */
    int64_t from;
    int threads;             /* 0: all cores */
    size_t chunk;            /* rows at a time; 0: default. For tests */
    uint64_t pair_limit;     /* most row pairs a formula may need; 0: default (200,000,000) */
    bool all_columns;        /* compute columns nothing published needs, too */
    const kr_run *recorded;  /* run of the version in force before: its cells stand for days < first_day (MEANING.md section 5);
                              * rows that it does not have (a pair of accounts that met only later) are computed like the others */
    int64_t first_day;       /* first day of this version, with `recorded` */
    void (*progress)(void *context, unsigned permille); /* may be NULL; called from the calling thread */
    void *progress_context;
} kr_run_options;

/* NULL and diagnostics: bad data found while running (#MULTI! is a cell, not a diagnostic), pair limit. */
kr_run *kr_run_new(const kr_plan *plan, const kr_dataset *data, const kr_run_options *options, kr_diags *diags);
void kr_run_free(kr_run *run);

/* Cells kept from an earlier run (a store of results), to be `recorded` for another. Columns: the keys, and what is read back in time.
 * The columns are taken over. The run has no other use. */
typedef struct kr_record {
    const kr_sheet *sheet;
    size_t row_count;
    const kr_column_def **defs;
    kr_column *columns;
    int column_count;
} kr_record;
kr_run *kr_run_of_records(const kr_plan *plan, const kr_record *records, int count);

const kr_model *kr_run_model(const kr_run *run);
bool kr_run_days(const kr_run *run, int64_t *first, int64_t *last);   /* false: a book without days */
size_t kr_run_row_count(const kr_run *run, const kr_sheet *sheet);   /* rows in key order */
const kr_column *kr_run_column(const kr_run *run, const kr_column_def *column); /* NULL: not computed */
size_t kr_run_memory(const kr_run *run);
/* Milliseconds spent in: 0 rows and indexes, 1 formulas. For reports only. */
uint64_t kr_run_ms(const kr_run *run, int phase);

/* A boolean or any formula of a sheet's row over the finished run (for --where). out has the sheet's row count. */
bool kr_run_eval(kr_run *run, const kr_sheet *sheet, const kr_expr *expr, kr_cell *out, kr_diags *diags);

/* Failed check/require: index in model->asserts and the rows; in order. */
typedef struct kr_failed { int assert_index; uint32_t row; } kr_failed;
size_t kr_run_failed(const kr_run *run, const kr_failed **out);

#endif
