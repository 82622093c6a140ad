/* import_internal.h: what the parts of the import share. Private to vm/store/import*.c. */
#ifndef KR_IMPORT_INTERNAL_H
#define KR_IMPORT_INTERNAL_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "vm/num/num.h"
#include "vm/store/file.h"
#include "vm/store/import.h"
#include "vm/store/import_json.h"

#define KR_NO_TIME INT64_MIN
#define KR_BEGINNING (-INT64_C(62135596800000)) /* 0001-01-01: from the very first record on */

enum { KR_IMPORT_STATEMENTS = 96, KR_FULL_PAGE = 2000, KR_FULL_RANGE = 500, KR_MARK_AGE_MS = 60000 };

typedef struct kr_import {
    sqlite3 *db;
    const char *path;
    const kr_import_options *options;
    kr_diags *diags;
    kr_arena *arena;   /* of the import */
    kr_arena *scratch; /* of one value of a file */
    struct { const char *sql; sqlite3_stmt *statement; } statements[KR_IMPORT_STATEMENTS];
    int statement_count;
    bool broken;       /* the database failed: nothing goes on */
    bool wrong;        /* the file at hand is refused */
    int64_t read_at, from, to; /* from the options; KR_NO_TIME */
    const char *address;
    bool by_rate;
    kr_num rate;
    const char *file;  /* at hand */
    kr_json_reader json;
    kr_import_line *lines; /* to be reported once all is in the database; those of the file at hand begin at file_line */
    size_t line_count, line_capacity, file_line;
    bool made;             /* the database was not there before */
    const char **touched;  /* addresses whose derived tables are due */
    size_t touched_count, touched_capacity;
    bool all_touched, marks_touched;
} kr_import;

typedef struct kr_answer { /* one response, and what is known of its request */
    const kr_json *value;
    const char *kind;      /* NULL: by its shape */
    const char *address, *coin, *span;
    int64_t from, to, read_at;
} kr_answer;

/* ---- import_db.c */
/* Run a statement. Format, one letter an argument: t text (NULL: SQL NULL), i int64_t. SQLITE_ROW, SQLITE_DONE, or 0 and a diagnostic.
 * The statement stays until it is run again; `sql` must be a literal. */
int kr_sql(kr_import *im, sqlite3_stmt **row, const char *sql, const char *format, ...);
const char *kr_sql_text(kr_import *im, sqlite3_stmt *row, int column); /* in the scratch arena; NULL stays NULL */
bool kr_import_open(kr_import *im, const kr_import_options *options, kr_diags *diags); /* database, schema, transaction, options */
bool kr_import_close(kr_import *im); /* derive, commit; or roll back when broken */
bool kr_import_file_begin(kr_import *im, const char *file);
/* The same, and open the file; name "-": standard input, kept in *kept, to be closed after the file is done. false: said, and wrong. */
bool kr_import_file_open(kr_import *im, const char *name, kr_file *file, FILE **kept);
bool kr_import_file_end(kr_import *im); /* keep it, or undo it when it is wrong */
void kr_import_touch(kr_import *im, const char *address);
void kr_import_say(kr_import *im, const char *kind, size_t records, size_t fresh, const char *note);
bool kr_import_setting(kr_import *im, const char *name, const char *value); /* false: another choice is kept */
void kr_import_log(kr_import *im, const kr_answer *a, const char *kind, int64_t from, int64_t to, bool cut_before, bool cut_after, size_t records);
void kr_import_gap(kr_import *im, const char *address, int64_t day, const char *what, const char *reason);
extern const char kr_import_schema[];
/* How often a record was met before in one answer. */
typedef struct kr_repeats { uint64_t *keys; uint32_t *counts; size_t room, used; } kr_repeats;
uint32_t kr_repeat(kr_arena *arena, kr_repeats *repeats, const char *text);
uint64_t kr_import_hash(const char *text); /* first 8 bytes of its SHA-256 */

/* ---- faults; each marks the file as wrong */
kr_diag *kr_import_fault(kr_import *im, kr_code code, const kr_json *at, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Two records that contradict each other: the one in the file, and what the database has. */
void kr_import_conflict(kr_import *im, const kr_json *at, const char *what, const char *here, const char *there);

/* ---- reading members; each complains and marks the file as wrong when the member is missing (unless optional) or not of its kind */
typedef enum { KR_NEEDED, KR_OPTIONAL } kr_need;
const char *kr_member_text(kr_import *im, const kr_json *object, const char *name, kr_need need);
const char *kr_member_number(kr_import *im, const kr_json *object, const char *name, kr_need need, kr_num *out); /* canonical text; NULL: none */
bool kr_member_time(kr_import *im, const kr_json *object, const char *name, kr_need need, int64_t *out);
const char *kr_member_address(kr_import *im, const kr_json *object, const char *name, kr_need need); /* lower case */
const char *kr_member_id(kr_import *im, const kr_json *object, const char *name); /* whole number as text; NULL: none */
const char *kr_import_number_text(kr_import *im, kr_num number);
const char *kr_import_day_text(kr_arena *arena, int64_t day);
bool kr_same_number(const char *a, const char *b); /* as parsed; NULL equals NULL */
const char *kr_lower_address(kr_arena *arena, const char *text); /* NULL: not an address */
const char *kr_market_of(const char *coin); /* perp, spot, dex, outcome */

/* ---- the kinds of answers; each imports one response */
bool kr_need_address(kr_import *im, const kr_answer *a);
void kr_import_fills(kr_import *im, const kr_answer *a);
void kr_import_portfolio(kr_import *im, const kr_answer *a);
void kr_import_ledger(kr_import *im, const kr_answer *a);
void kr_import_candles(kr_import *im, const kr_answer *a);
void kr_import_state(kr_import *im, const kr_answer *a);
void kr_import_sub_accounts(kr_import *im, const kr_answer *a);
void kr_import_role(kr_import *im, const kr_answer *a);
void kr_import_contexts(kr_import *im, const kr_answer *a);
bool kr_import_builder_files(kr_import *im, const char *list);
bool kr_import_attribute(kr_import *im); /* builder, of fills that have none yet */

/* ---- import_derive.c */
bool kr_import_derive(kr_import *im);

typedef struct kr_stretch { int64_t from, to; bool cut_before, cut_after; } kr_stretch;
/* What the readings of a kind cover, joined where they touch, in time. */
kr_stretch *kr_stretches(sqlite3 *db, kr_arena *arena, const char *kind, const char *address, const char *coin, const char *span, size_t *count);
bool kr_stretches_cover(const kr_stretch *stretches, size_t count, int64_t from, int64_t to); /* one of them holds [from, to) */

#endif
