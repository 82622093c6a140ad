/* dataset.h: input tables as loaded: one table per data sheet of the model, typed as the model says.
 * The loader (vm/store) guarantees: every input column of the sheet is there (absent optional ones all blank), every cell is in
 * its domain, keys are not blank and not repeated, and rows are in canonical order: by the key columns in their order, for a bag by all columns
 * in the model's order; so row order of the files never matters. */
#ifndef KR_DATASET_H
#define KR_DATASET_H

#include "vm/engine/column.h"
#include "vm/lang/model.h"

typedef struct kr_table {
    const char *sheet;
    size_t row_count;
    int column_count;
    const char **names;
    kr_column *columns;
    bool absent;            /* an optional table that is not there */
    const char *file;       /* data/fill.csv or the database; for messages */
    uint32_t *lines;        /* line of each row in the file; NULL: not known */
} kr_table;

typedef struct kr_dataset {
    kr_arena *arena;
    kr_pool *pool;          /* the model's */
    kr_table *tables;
    int table_count;
} kr_dataset;

kr_dataset *kr_dataset_new(kr_pool *pool);
void kr_dataset_free(kr_dataset *data);
/* A new table of this sheet with its input columns, row_count rows all blank. */
kr_table *kr_dataset_add(kr_dataset *data, const kr_sheet *sheet, size_t row_count);
kr_table *kr_dataset_table(const kr_dataset *data, const char *sheet); /* NULL: none */
kr_column *kr_table_column(const kr_table *table, const char *name);   /* NULL: none */
/* Bring the rows into canonical order; equal rows with one key become one. false (and *a, *b the two rows) when a key repeats with other values. */
bool kr_table_sort(kr_table *table, const kr_sheet *sheet, const kr_pool *pool, uint32_t *a, uint32_t *b);

#endif
