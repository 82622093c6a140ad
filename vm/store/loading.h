/* loading.h: what the readers of CSV, JSON Lines and SQLite share. Private to vm/store. */
#ifndef KR_STORE_LOADING_H
#define KR_STORE_LOADING_H

#include "vm/engine/dataset.h"
#include "vm/store/cell.h"
#include "vm/store/file.h"

/* One table being loaded. */
typedef struct kr_loading {
    const kr_sheet *sheet;
    kr_dataset *data;
    kr_table *table;      /* made as soon as the number of rows is known */
    kr_diags *diags;
    kr_arena *arena;      /* the dataset's */
    kr_pool *pool;
    const char *path;     /* of the file or database; of an example its title */
    const kr_span *span;  /* where an example stands; NULL: data */
    kr_cell_rule *rules;  /* the input columns, in the table's order */
    int rule_count;
    kr_file file;
} kr_loading;

typedef struct kr_fault { /* one wrong cell, until the table's faults are put in order */
    kr_code code;
    uint32_t line, column;
    const char *row, *message, *help;
} kr_fault;

typedef struct kr_block { /* whole records of the file, read by one thread */
    size_t start, end;    /* bytes */
    size_t first_row, row_count;
    uint32_t first_line;
    kr_arena *arena;      /* of its faults; NULL: none */
    kr_fault faults[KR_DIAG_SHOWN];
    int fault_count;
    bool broken;          /* what follows in the file cannot be trusted */
} kr_block;

typedef struct kr_piece { /* a datum of a record */
    const char *text;     /* unquoted, unescaped */
    size_t len;
    const char *at;       /* where it stands in the file; NULL: absent */
} kr_piece;

typedef struct kr_worker { /* one thread */
    kr_loading *loading;
    void *format;         /* the format's own per-thread state */
    kr_cell_reader *reader;
    kr_arena *scratch;    /* unescaped texts of a record */
    kr_piece *pieces;     /* one per rule */
    kr_cell *cells;       /* KR_LOAD_ROWS per rule, column by column */
    size_t row, fill;     /* row in the table of cells[0], rows waiting */
    kr_block *block;
    const char *record;   /* the record's first byte */
    uint32_t line;        /* its line */
} kr_worker;

enum { KR_LOAD_ROWS = 512, KR_LOAD_BLOCK = 1 << 22 };

/* Convert and keep the record whose pieces are set. */
void kr_worker_row(kr_worker *worker);
/* A fault of the current record at a byte of it (NULL: the record). */
void kr_worker_fault(kr_worker *worker, kr_code code, const char *at, const char *column, const char *message, const char *help);

typedef struct kr_format {
    void *(*thread_new)(kr_loading *loading, const void *shared);
    void (*thread_end)(void *format, void *shared); /* called one thread after the other: gather what the thread saw */
    void (*block)(kr_worker *worker);               /* read worker->block, calling kr_worker_row for each record */
} kr_format;

/* Run the format over all blocks on all cores and report the faults in the order of the file. false when there are any. */
bool kr_load_blocks(kr_loading *loading, kr_block *blocks, size_t block_count, const kr_format *format, void *shared);

/* The readers: fill loading->table; false and diagnostics when anything is wrong. */
bool kr_load_csv(kr_loading *loading);
bool kr_load_jsonl(kr_loading *loading);
struct sqlite3;
bool kr_load_sqlite(kr_loading *loading, struct sqlite3 *db);
struct sqlite3 *kr_load_sqlite_open(const char *path, kr_diags *diags);
bool kr_load_sqlite_has(struct sqlite3 *db, const char *table);
const char **kr_load_sqlite_tables(struct sqlite3 *db, kr_arena *arena, size_t *count);
void kr_load_sqlite_close(struct sqlite3 *db);

/* For all: complain of columns that are missing (seen[i]: rule i has one), note those that are extra. */
bool kr_load_columns(kr_loading *loading, const bool *seen, const char *const *extra, size_t extra_count);
/* `fill[address=a, time=5].px` of a row whose datum texts are given. */
const char *kr_load_row_text(kr_arena *arena, const kr_loading *loading, const kr_piece *pieces, const char *column);

/* Rows into canonical order; equal rows of one key become one. false and diagnostics when keys repeat with other values. */
bool kr_load_order(kr_loading *loading);

int kr_compare_texts(const void *a, const void *b); /* of `const char *`, for qsort */

#endif
