/* ref_internal.h: what the files of the row-at-a-time interpreter share. */
#ifndef KR_TESTS_REF_INTERNAL_H
#define KR_TESTS_REF_INTERNAL_H

#include <gmp.h>

#include "tests/ref/ref.h"
#include "vm/lang/script.h"

/* The rows that a formula speaks of: row[0] its own, row[1] the one that ranges. */
typedef struct frame {
    size_t row[2];
} frame;

#define NO_ROW SIZE_MAX

enum cell_state { CELL_OPEN, CELL_BUSY, CELL_DONE };

typedef struct ref_column {
    kr_cell *cells;
    uint8_t *state;
} ref_column;

/* Rows of a sheet sorted by the cells of some columns, then by row. */
typedef struct ref_index {
    kr_column_def *const *columns;
    int column_count;
    kr_cell *keys; /* column_count a row, in this order */
    uint32_t *rows;
    size_t count;
    struct ref_index *next;
} ref_index;

typedef struct ref_sheet {
    enum { ROWS_OPEN, ROWS_BUSY, ROWS_DONE } state;
    size_t count;
    ref_column *columns;  /* per column of the sheet */
    ref_index *indexes;
    uint32_t *sequence;   /* rows by partition, then order, then key; NULL: not yet */
    uint32_t *place;      /* of a row in sequence */
    uint32_t *part_start; /* of a row: the place where its partition begins, and ends */
    uint32_t *part_end;
} ref_sheet;

typedef struct label_cache label_cache;
typedef struct edge_cache edge_cache;

struct kr_ref {
    const kr_model *model;
    const kr_dataset *data;
    bool has_to;
    int64_t to;
    bool days_known;
    int64_t first_day, last_day;
    ref_sheet *sheets;    /* per sheet of the model */
    bool **in_cycle;      /* per sheet and column */
    kr_arena *arena, *scratch;
    kr_env env;
    kr_script_run *script;
    char *problem;
    label_cache *labels;
    edge_cache *edges;
    bool has_from;
    int64_t from;
};

/* ref.c */
kr_cell ref_eval(kr_ref *ref, const kr_expr *expr, frame at);
kr_cell ref_cell(kr_ref *ref, const kr_column_def *column, size_t row);
/* The aggregate over series of n rows each (specials included: errors spread, first row first; blank rows are stepped over). */
kr_cell ref_aggregate(kr_ref *ref, const kr_expr *expr, kr_cell *const *series, size_t n, frame at);

/* ref_match.c: rows of a sheet whose far columns equal the near values; the list is the caller's to free. Returns false when a near
 * value is an error, which is then in *error. A blank near value: no rows. */
typedef struct row_list {
    uint32_t *rows;
    size_t count;
} row_list;
bool ref_match(kr_ref *ref, const kr_sheet *sheet, const kr_match *match, int match_count, frame at, row_list *out, kr_cell *error);
/* The same for given values. A blank value matches nothing, not even a blank. */
row_list ref_rows_where(kr_ref *ref, const kr_sheet *sheet, kr_column_def *const *columns, const kr_cell *values, int count);
bool ref_in_cycle(kr_ref *ref, const kr_column_def *column); /* the column is needed for itself */

/* ref_rows.c */
void ref_need_rows(kr_ref *ref, const kr_sheet *sheet);
void ref_need_days(kr_ref *ref);

/* ref_seq.c */
kr_cell ref_number_of(const mpz_t raw); /* a count of 10^-18; out of range: #NUM! */
void ref_need_sequence(kr_ref *ref, const kr_sheet *sheet);
kr_cell ref_window(kr_ref *ref, const kr_expr *expr, frame at);
kr_cell ref_prev(kr_ref *ref, const kr_expr *expr, frame at);
kr_cell ref_run(kr_ref *ref, const kr_expr *expr, frame at);
kr_cell ref_other_sequence(kr_ref *ref, const kr_expr *expr, frame at);

/* ref_group.c */
kr_cell ref_share(kr_ref *ref, const kr_expr *expr, frame at);
kr_cell ref_component(kr_ref *ref, const kr_expr *expr, frame at);
void ref_free_labels(kr_ref *ref);
kr_cell ref_hops(kr_ref *ref, const kr_expr *expr, frame at); /* ref_hops.c */
void ref_free_edges(kr_ref *ref);

static inline ref_sheet *ref_sheet_of(const kr_ref *ref, const kr_sheet *sheet) { return &ref->sheets[sheet->index]; }

#endif
