/* explain.h: why a cell is what it is: what a formula read for one row of a finished run.
 *
 * The run must have been made with all_columns. Nothing here changes it; memory is the caller's arena. */
#ifndef KR_EXPLAIN_H
#define KR_EXPLAIN_H

#include "vm/engine/run.h"

/* Each thing that a formula reads, in the order of its text: columns of the own row, parameters, and forms (LOOKUP, aggregates, windows,
 * PREV, sequences, shares, components, paths), with what the row gives to a form after it. A thing may come twice. */
void kr_explain_each(const kr_expr *expr, void (*visit)(void *context, const kr_expr *part), void *context);

/* A part's value in one row of its sheet. false: reported. */
bool kr_explain_value(kr_run *run, const kr_sheet *sheet, uint32_t row, const kr_expr *part, kr_cell *out, kr_diags *diags);

typedef struct kr_explain_rows {
    const kr_sheet *sheet;   /* NULL: this form shows no rows */
    uint32_t *rows;          /* that went in, in order */
    size_t count;
} kr_explain_rows;
/* Rows that a form read for a row: those an aggregate ranges over and its WHERE lets in, the one that a lookup, PREV or choice found, the
 * points of a line, the rows of a window or running total, those that share. false: reported. */
bool kr_explain_rows_of(kr_arena *arena, kr_run *run, const kr_sheet *sheet, uint32_t row, const kr_expr *form, kr_explain_rows *out, kr_diags *diags);
/* Whether a form names this column of the rows it reads. */
bool kr_explain_names(const kr_expr *form, const kr_column_def *column);

#endif
