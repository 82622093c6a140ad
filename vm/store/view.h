/* view.h: what a run publishes: sheets of rows and columns, merged over the versions of the period, chosen by --only and --where.
 * A view borrows the chain it was made of. */
#ifndef KR_VIEW_H
#define KR_VIEW_H

#include "vm/store/book.h"

typedef struct kr_view_column {
    const char *name;
    kr_type type;
    bool key;
    const kr_column_def *def;  /* of the last version that has it */
    const kr_column **data;    /* per part; NULL where that version has no such column: blank */
} kr_view_column;

typedef struct kr_view_row { uint32_t row; uint16_t part; } kr_view_row;

typedef struct kr_view_sheet {
    const char *name;
    const kr_sheet *sheet;     /* of the last part */
    kr_view_column *columns;
    int column_count;
    const kr_column **clock;   /* per part: the column that gives a row's day; NULL: rows have none */
    kr_view_row *rows;         /* in key order */
    size_t row_count;
} kr_view_sheet;

typedef struct kr_view {
    kr_arena *arena;
    const kr_chain *chain;
    kr_view_sheet *sheets;
    int sheet_count;
} kr_view;

typedef struct kr_view_options {
    const char *only;   /* SHEET[.COLUMN],…; NULL: what the book publishes */
    const char *where;  /* a formula of a row; sheets whose columns it does not name are left out; NULL: all rows */
    bool has_from, has_to; /* of a book without days: only rows of these days, by their sheet's clock (one with days has the chain's period) */
    int64_t from, to;
} kr_view_options;

/* Whether `only` and `where` need columns that the book does not publish (kr_chain_options.all_columns). */
bool kr_view_needs_all(const kr_book *book, const kr_view_options *options);
/* NULL and E0804 (unknown sheet or column), or E0803: what is wrong with the formula, or a period where no sheet has days. */
kr_view *kr_view_new(kr_arena *arena, const kr_chain *chain, const kr_view_options *options, kr_diags *diags);
kr_cell kr_view_cell(const kr_view_sheet *sheet, size_t row, int column);
/* `account[miner=m1, day=2024-02-23].pay` */
const char *kr_view_place(kr_arena *arena, const kr_view *view, const kr_view_sheet *sheet, size_t row, int column);
/* Day of a row, by the sheet's clock; false: it has none. */
bool kr_view_day(const kr_view_sheet *sheet, size_t row, int64_t *day);

/* Errors in the view's cells (diags NULL: only counted), and rows of failed checks and requires of the period, one diagnostic a check.
 * Both return how many there are. */
size_t kr_view_report_errors(const kr_view *view, kr_diags *diags);
size_t kr_chain_report_failed(kr_arena *arena, const kr_chain *chain, kr_diags *diags);

#endif
