/* ref.h: the meaning of a rule file as code: a checked model over a dataset, one cell at a time.
 *
 * Written to be obviously right, not fast. A cell is computed when it is asked for and remembered; every aggregate, lookup, window and
 * sequence walks over all rows that may matter. The only index is a sorted list of rows by some columns. A cell that is needed while
 * it is being computed is a cycle that the checker or the plan should have refused: an assertion.
 *
 * Rows are in key order. Evaluation runs on a thread with a stack of its own, so chains of PREV may be as long as the book. */
#ifndef KR_TESTS_REF_H
#define KR_TESTS_REF_H

#include "vm/engine/dataset.h"
#include "vm/lang/expr.h"

typedef struct kr_ref kr_ref;

/* `to`: last day; without it days_to of the book, or the last day that appears in the data. Model and data must outlive it. */
kr_ref *kr_ref_new(const kr_model *model, const kr_dataset *data, bool has_to, int64_t to);
/* Before anything is asked: in a book whose days are open, rows also for the days from `from` on. */
void kr_ref_open_from(kr_ref *ref, int64_t from);
void kr_ref_free(kr_ref *ref);

bool kr_ref_days(kr_ref *ref, int64_t *first, int64_t *last); /* false: a book without days */
size_t kr_ref_rows(kr_ref *ref, const kr_sheet *sheet);
kr_cell kr_ref_cell(kr_ref *ref, const kr_column_def *column, size_t row);
/* A formula of one row of a sheet (check, --where), or of no row (sheet NULL). */
kr_cell kr_ref_eval(kr_ref *ref, const kr_sheet *sheet, size_t row, const kr_expr *expr);
/* The last thing that a fn or fold complained about; NULL: nothing. */
const char *kr_ref_problem(const kr_ref *ref);

#endif
