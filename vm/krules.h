/* krules.h: run published rules. The only header that the krules command and programs that embed libkrules include.
 *
 *     krules *k = krules_new();
 *     krules_book *book = krules_open(k, "kokoah/pay");
 *     krules_data *data = book ? krules_load(book, "data/kokoah") : NULL;
 *     krules_result *result = data ? krules_eval(book, data, &(krules_options){ .from = "2024-02-23" }) : NULL;
 *     for (size_t row = 0; result && row < krules_row_count(result, 0); row++)
 *         puts(krules_cell(result, 0, row, 2));
 *     krules_free(k);
 *
 * Ownership: everything made from a session is freed with it (krules_free), or earlier by its own krules_…_free, results before
 * their data; every `const char *` is borrowed and lives as long as the object it came from, cells excepted (see krules_cell).
 *
 * Numbers are text, exact, plain decimals. A blank cell is "", an error its code (#DIV/0!). Days are YYYY-MM-DD.
 * A function that fails gives NULL or false and leaves messages in the session (krules_message_…); nothing is printed, nothing exits.
 * A session and what is made from it belong to one thread; several sessions may run side by side. Evaluation uses all cores by itself,
 * and its result does not depend on how many there are. */
#ifndef KRULES_H
#define KRULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KRULES_VERSION "0.1.0"

typedef struct krules krules;               /* a session */
typedef struct krules_book krules_book;     /* a rulebook: its versions, checked */
typedef struct krules_data krules_data;     /* input tables, checked against a book */
typedef struct krules_result krules_result; /* what a run publishes */

/* ------------------------------------------------------------------ session */

krules *krules_new(void);
void krules_free(krules *k); /* NULL is fine */
/* Called when memory is short, for all sessions; it must not return. NULL: the default, which says so and ends the process. */
void krules_set_no_memory_handler(void (*handler)(size_t bytes));
/* The folder that holds the rulebooks; NULL: ./rules, else the one beside the program. */
void krules_set_rules(krules *k, const char *folder);

/* ------------------------------------------------------------------ messages */

/* Exit statuses, and what krules_status gives: the worst of the errors so far. */
enum krules_status { KRULES_OK, KRULES_FINDING, KRULES_USE, KRULES_RULES, KRULES_DATA, KRULES_GOVERNANCE };
enum krules_severity { KRULES_ERROR, KRULES_WARNING, KRULES_NOTE };

int krules_status(const krules *k);
size_t krules_message_count(const krules *k);                        /* those kept: 20 and more are only counted */
size_t krules_error_count(const krules *k);                          /* all errors */
enum krules_severity krules_message_severity(const krules *k, size_t i);
const char *krules_message_code(const krules *k, size_t i);          /* "E0203" */
const char *krules_message_text(krules *k, size_t i, bool colour);   /* whole, with its place, caret and help; ends in a newline */
const char *krules_message_json(krules *k, size_t i);                /* one object */
void krules_forget_messages(krules *k);
/* Add a message of one's own, by the code of errors.def ("E0803"); the command uses it so that all messages look the same. */
void krules_complain(krules *k, const char *code, const char *place, const char *message, const char *help);
/* The nearest of the words, for "did you mean"; NULL: none is near. */
const char *krules_nearest(const char *word, const char *const *words, size_t count);

/* ------------------------------------------------------------------ books */

/* BOOK (kokoah/pay), BOOK@VERSION (its versions up to that one), or FILE.lua (alone, in force on every day). */
krules_book *krules_open(krules *k, const char *what);
krules_book *krules_open_text(krules *k, const char *name, const char *text); /* a rule file as text; name is for messages */
/* Besides what opening sees: that columns do not read each other in circles, and that something is published. */
bool krules_check(krules_book *book);
/* How the engine computes a version of a book that krules_check accepts: its steps in their order. */
const char *krules_version_plan(krules_book *book, size_t i);
void krules_book_free(krules_book *book); /* messages show its sources: read them before */

const char *krules_book_name(const krules_book *book);
const char *krules_book_title(const krules_book *book);
size_t krules_version_count(const krules_book *book);
typedef struct krules_version {
    int number;
    const char *path, *title;
    const char *sha256;         /* of the file */
    const char *effective_from; /* "" when the header does not say */
    int notice_days;
    size_t param_count, sheet_count, formula_count, example_count, check_count;
} krules_version;
krules_version krules_version_at(const krules_book *book, size_t i);

/* "epoch.announcement": the text column that the newest version names for reports of a day; NULL: it names none. */
const char *krules_report_column(const krules_book *book);

/* ------------------------------------------------------------------ data */

/* A folder of NAME.csv or NAME.jsonl files (.gz too), or a SQLite database. Notes (columns not used) are messages, too. */
krules_data *krules_load(krules_book *book, const char *path);
void krules_data_free(krules_data *data);
/* SHA-256 of the data as docs/operators.md (section 4) defines it: equal for CSV, JSON Lines and SQLite, whatever the order of the rows. */
const char *krules_data_digest(krules_data *data);
size_t krules_table_count(const krules_data *data);
const char *krules_table_name(const krules_data *data, size_t table);
size_t krules_table_rows(const krules_data *data, size_t table);
const char *krules_table_digest(krules_data *data, size_t table); /* "" when the table is absent */

/* ------------------------------------------------------------------ import */

typedef struct krules_import_line { /* what became of one answer or table */
    const char *file, *kind;
    size_t records, fresh; /* records in it; those that were new */
    const char *note;      /* "" or what to know */
} krules_import_line;

typedef struct krules_import {
    const char *into;      /* the database; made when it is not there */
    const char *address;   /* whose the answers are, where they do not say */
    const char *coin;      /* of candles, where an empty answer does not say */
    const char *kind;      /* what an answer is (userFills …), where its shape does not say */
    const char *read_at;   /* when it was asked for, as milliseconds or YYYY-MM-DDTHH:MM:SSZ */
    const char *asked_from, *asked_to; /* the range that was asked for */
    const char *builder_rate;  /* fills whose builder fee is this part of their value are the builder's */
    const char *builder_fills; /* or: the builder's day files, separated by commas */
    const char *map;           /* of tables: "theirs=ours,…" for headers */
    const char *book;          /* of tables: the rulebook that reads them; NULL: kokoah/pay */
    void (*report)(void *context, const krules_import_line *line);
    void *report_context;
} krules_import;

/* Answers of Hyperliquid's info endpoint into a database of rules/kokoah/pay, recognised by their shape; "-": standard input. One
 * transaction; a file with a fault is left out whole, and the result is false. */
bool krules_import_hyperliquid(krules *k, const char *const *files, size_t count, const krules_import *how);
/* Tables, each "NAME=FILE", a CSV or JSON Lines file; NAME a table of the book, or `mark` (coin, time, px). */
bool krules_import_tables(krules *k, const char *const *tables, size_t count, const krules_import *how);

/* Whether the days [from, to] can be scored, by what a database made by an import says was read; other data always can. Each lack is a
 * message (E0515). from, to NULL: the first day of the book, the newest day of the data. */
bool krules_require_ready(krules_book *book, const char *path, const char *from, const char *to);
typedef struct krules_day { /* what one day lacks, and what does not stand in its way; NULL-ended */
    const char *day;
    const char *const *missing, *const *notes;
} krules_day;
/* The same to read. now: a time, or NULL: the newest record or reading of the database. NULL: a message. Lives as long as the session. */
const krules_day *krules_check_days(krules_book *book, const char *path, const char *from, const char *to, const char *now, size_t *count);
typedef struct krules_gap { const char *address, *day, *reason; } krules_gap;
const krules_gap *krules_known_gaps(krules *k, const char *path, size_t *count);

/* Days of a table: how many have rows, the first and the last, and how many between them have none. "" when it has no days. */
typedef struct krules_table_days { const char *first, *last; size_t days, empty; } krules_table_days;
krules_table_days krules_table_range(krules_data *data, size_t table);

/* ------------------------------------------------------------------ evaluation */

typedef struct krules_options {
    const char *from, *to;     /* first and last day wanted; NULL: the book's first, the last day in the data */
    const char *only;          /* "account", "account.pay,day": what to give of it; NULL: all the book publishes */
    const char *where;         /* a formula of a row: rows for which it is true; sheets it does not fit are left out */
    const char *resume;        /* a results store: go on from the cells that it recorded, where it has any; krules_save into it keeps them */
    int threads;               /* 0: all cores */
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} krules_options;

/* options NULL: all of it. NULL: failed. A result may still have findings: see krules_check_failures and krules_error_cells. */
krules_result *krules_eval(krules_book *book, krules_data *data, const krules_options *options);
void krules_result_free(krules_result *result);

bool krules_period(const krules_result *result, const char **from, const char **to); /* false: a book without days */
size_t krules_sheet_count(const krules_result *result);
const char *krules_sheet_name(const krules_result *result, size_t sheet);
const char *krules_sheet_doc(const krules_result *result, size_t sheet);
size_t krules_row_count(const krules_result *result, size_t sheet);
size_t krules_column_count(const krules_result *result, size_t sheet);
typedef struct krules_column {
    const char *name;
    const char *type;   /* number, boolean, text, bytes, day, time */
    const char *unit;   /* "USD", "1"; "" when not known */
    const char *doc;
    bool key;
} krules_column;
krules_column krules_column_at(const krules_result *result, size_t sheet, size_t column);
/* A cell as text. The text stays until 64 further cells of this result were asked for. */
const char *krules_cell(krules_result *result, size_t sheet, size_t row, size_t column);
/* The day a row belongs to; NULL: the sheet has none. */
const char *krules_row_day(krules_result *result, size_t sheet, size_t row);
/* Exact sum of the numbers of a column over the rows of one day (NULL: all rows); "" when it is no number column. Lives as a cell. */
const char *krules_total(krules_result *result, size_t sheet, size_t column, const char *day);
/* Rows that fail a check of the rulebook (each check is a message), and cells of the result that hold an error; with `report` each of
 * these is a message too (up to 20), and krules_status is 4 then. */
size_t krules_check_failures(const krules_result *result);
size_t krules_error_cells(krules_result *result, bool report);

/* A number's text rounded to some decimals, half to even, for people to read; other text as it is. */
const char *krules_shorten(char out[64], const char *number, int decimals);
/* Columns that a UTF-8 text takes on a terminal. */
size_t krules_width(const char *text);

/* ------------------------------------------------------------------ examples */

/* The examples of a version's file: small tables with the rows that must come of them. Only columns that an example names are compared;
 * each row that differs, is missing or is not expected is a message (E0808). false: it does not hold, or could not be run. */
bool krules_example_run(krules_book *book, size_t version, size_t example, const char **title, size_t *cells);

/* ------------------------------------------------------------------ why a row is what it is */

typedef struct krules_question {
    const char *sheet, *column;  /* column NULL: every column of the row */
    const char *const *keys;     /* KEY=VALUE, as many as tell the row from others; values as krules_cell writes them */
    size_t key_count;
    size_t rows;                 /* most rows shown of what an aggregate, window or lookup read; 0: all */
} krules_question;
typedef struct krules_explanation krules_explanation;
/* Evaluates (options: from, to, threads, progress; NULL: all of it) and finds out what the row was computed from. NULL: failed, E0804 when
 * no row is so, or several are. */
krules_explanation *krules_explain(krules_book *book, krules_data *data, const krules_options *options, const krules_question *question);
void krules_explanation_free(krules_explanation *explanation);
const char *krules_explanation_text(const krules_explanation *explanation);
const char *krules_explanation_json(const krules_explanation *explanation); /* one object */

/* ------------------------------------------------------------------ results out */

/* format: "csv" (path is a folder: one file a sheet, named after it; with one sheet also a file NAME.csv or "-"), "jsonl" (one object
 * a row with its sheet) or "json" (one object). "-" is standard output. Whole or not at all. */
bool krules_write(krules_result *result, const char *format, const char *path);
/* Into a SQLite results store, all in one transaction, by book, version, sheet and day. A day that is there with other cells is refused
 * (E0705) unless `reason` says why it is restated; the reason is kept beside both digests. *days: how many days were new or changed. */
bool krules_save(krules_result *result, const char *database, const char *reason, size_t *days);
/* A period a day at a time, as with `resume`, in a temporary store in `folder` (NULL: TMPDIR, /tmp), against one run over all of it. True when every
 * published cell is equal; else messages name the first that differ (E0745). from and to as in krules_options. */
typedef struct krules_replayed { size_t days, cells, differences; } krules_replayed;
bool krules_replay(krules_book *book, krules_data *data, const char *from, const char *to, const char *folder, krules_replayed *out);
/* What was computed from what: engine, rule files, data, period, output, as digests. */
bool krules_write_receipt(krules_result *result, const char *path);
/* Recompute a receipt. book: NULL for the one the receipt names. True when all digests agree; else messages say what differs and why, with the
 * first cells where the published CSV files lie in `published` (NULL: beside the receipt). */
bool krules_verify(krules *k, const char *receipt, const char *book, const char *data_path, const char *published);
/* Times of the phases in milliseconds, for reports. */
typedef struct krules_phases { uint64_t load, plan, rows_and_indexes, formulas, write; } krules_phases;
krules_phases krules_times(const krules_result *result);

/* ------------------------------------------------------------------ governance: the ledger of a rulebook (docs/governance.md) */

/* Every function here that signs takes the signer's private key (Ed25519, PEM; "-": standard input), refuses what the rules of publishing
 * refuse (status 5, each with its own code), and writes whole or not at all. */
typedef struct krules_signing {
    const char *key;           /* file of the private key */
    const char *token;         /* file with an RFC 3161 answer or token; NULL: the notice counts from the clock, unproven */
    const char *why;           /* reason, kept in the ledger; NULL: none (an emergency must have one) */
    const char *now;           /* a time to take for the clock's, for tests; NULL: the system clock. Nothing else in krules asks it */
} krules_signing;

/* Lists NAME=PUBLIC.pem,…; NULL and 0: as they are. */
typedef struct krules_signers {
    const char *add, *retire;                     /* retire: NAME,… */
    int threshold;                                /* signatures needed */
    const char *emergency_add, *emergency_retire;
    int emergency_threshold;
    const char *authorities;                      /* PEM file with the certificates that tokens must go back to */
} krules_signers;

typedef struct krules_published { /* what a signature did */
    int entry, version;        /* of the ledger; version 0: the entry is about none */
    const char *kind, *book;   /* genesis, publish, withdraw, cosign, keys */
    const char *about;         /* of a cosign: the kind of the entry signed; else the kind */
    const char *effective_from;/* "" */
    int notice;                /* days given */
    bool proven, done;         /* done: signed by as many as it needs */
    int signatures, needed;
    const char *path;          /* of the published file, or the ledger */
} krules_published;

/* Publish a rule file as the next version of its book: copied to rules/<book>/vN.lua, and a line added to the ledger. Its examples must
 * hold, and with data (a path, or NULL) its checks. Where there is no ledger, version 1 begins one (its first signer is named `owner`
 * unless signers->add names it); signers is NULL for any later version. emergency: in the shorter form the version in force names. */
bool krules_publish(krules *k, const char *file, const krules_signing *signing, const krules_signers *signers, bool emergency, const char *data, krules_published *out);
/* Take back a version that is not yet in force. */
bool krules_withdraw(krules *k, const char *book, int version, const krules_signing *signing, krules_published *out);
/* Add a signature to an entry that waits for it; entry 0: the only one that waits. */
bool krules_cosign(krules *k, const char *book, int entry, const krules_signing *signing, krules_published *out);
/* Change who may sign. */
bool krules_set_keys(krules *k, const char *book, const krules_signers *signers, const krules_signing *signing, krules_published *out);
/* The RFC 3161 request for a token: of FILE.lua (for its publication), or of BOOK@N or BOOK:ENTRY (to cosign or withdraw that entry),
 * or BOOK (for a change of keys), written to `path` ("-": standard output). */
bool krules_timestamp(krules *k, const char *what, const char *path);

/* The ledger of a book as it stands at a time (NULL: the clock). NULL: there is none (E0737), or it does not hold. */
typedef struct krules_ledger krules_ledger;
krules_ledger *krules_ledger_open(krules *k, const char *book, const char *now);
void krules_ledger_free(krules_ledger *ledger);
bool krules_has_ledger(krules *k, const char *book);
/* Beyond what opening verifies (chain, signatures, days, notice, thresholds, tokens): that every published file is there as published, is
 * what the ledger says of it, and carries its state. authorities: NULL, or a PEM file that every token must go back to. */
bool krules_ledger_check(krules_ledger *ledger, const char *authorities);
const char *krules_ledger_head(const krules_ledger *ledger);

typedef struct krules_entry {
    int seq, version;
    const char *kind;          /* as above */
    const char *state;         /* in force, ended, coming, waiting, withdrawn, lapsed; done for entries that are no publication */
    const char *time, *effective_from, *until; /* time: when it was complete; until: last day in force, "" when it has no end yet */
    int notice, notice_days;   /* given from then, and what this version demands of the next */
    bool emergency, proven;
    const char *authority;     /* of the token; "" */
    bool authority_named;      /* by the ledger */
    const char *signed_by;     /* names, apart by commas */
    int signatures, needed;
    const char *why, *about;   /* about: what a cosign, withdraw or keys entry is about */
    const char *file_sha256, *model_sha256, *hash;
} krules_entry;
size_t krules_entry_count(const krules_ledger *ledger);
krules_entry krules_entry_at(krules_ledger *ledger, size_t i);
typedef struct krules_signer { const char *name, *key; bool emergency; } krules_signer;
size_t krules_signer_count(const krules_ledger *ledger);
krules_signer krules_signer_at(const krules_ledger *ledger, size_t i);
int krules_threshold(const krules_ledger *ledger, bool emergency);

/* A parameter (name) or a column's formula (sheet.column) in one version of a book: as written, as meant ("" both when that version has
 * none; the meaning of two versions is equal text exactly when nothing changed), its unit and documentation. false: unknown in all. */
typedef struct krules_item { const char *written, *meaning, *unit, *doc; } krules_item;
bool krules_version_item(krules_book *book, size_t version, const char *name, krules_item *out);

/* ------------------------------------------------------------------ comparing, proposing, trying (docs/governance.md) */

/* Two rule files compared by what they mean: comments, layout, order and renamed Lua locals are no change. */
typedef struct krules_diff krules_diff;
typedef struct krules_diff_options {
    const char *data;          /* NULL: the rules only */
    const char *from, *to;     /* from: the new file is in force from this day, the old one before; NULL: each on every day */
    const char *measure;       /* SHEET.COLUMN,…: what to add up; NULL: columns with a unit that adds up */
    uint64_t budget;           /* rows of input that the runs which share a difference out may read; 0: 5,000,000 */
    size_t top;                /* gains and losses shown a column; 0: 5 */
    int threads;
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} krules_diff_options;

/* old, new: FILE.lua or BOOK@N. new NULL: old is a BOOK, its last version against the one before. options NULL: the rules only.
 * NULL: failed. Values that move by about 10, 100, 1000 times, and a change that changes nothing in the data, are warnings. */
krules_diff *krules_compare(krules *k, const char *old_file, const char *new_file, const krules_diff_options *options);
void krules_diff_free(krules_diff *diff);
size_t krules_diff_count(const krules_diff *diff);   /* changes of meaning */
/* format: text, md, html or json. full: whole formulas, all that is reached, documentation; else `context` words beside what changed.
 * The text lives as long as the diff. */
const char *krules_diff_report(krules_diff *diff, const char *format, bool full, int context);
bool krules_diff_write(krules_diff *diff, const char *format, bool full, int context, const char *path);

typedef struct krules_proposal {
    const char *const *sets;   /* "name=value" */
    size_t set_count;
    const char *file;          /* an edited copy to start from; NULL: the last version of the book */
    const char *effective;     /* day */
    const char *why;
    const char *folder;        /* gets vN.lua, vN.md and vN.html; never the book's own folder */
    krules_diff_options compare;
} krules_proposal;
/* The next version of a book (or FILE.lua): values and header replaced, every other byte as it is; with its report. Its examples are run,
 * and with data its checks. NULL: refused or failed, and nothing is written. *path: the new rule file. */
krules_diff *krules_propose(krules *k, const char *book, const krules_proposal *proposal, const char **path);

/* A book as it would be with FILE in force from a day on (NULL: on every day). Nothing is written. */
krules_book *krules_open_what_if(krules *k, const char *book, const char *file, const char *from);
/* Warn where a parameter moves by about 10, 100, 1000 times from one version of the book to the next. */
void krules_warn_moves(krules_book *book);

/* Many variants of the newest version, in force on every day, over data that are read once. */
typedef struct krules_sweep krules_sweep;
typedef struct krules_sweep_options {
    const char *const *vary;   /* "name=a..b/step", "name=a,b,c": every combination, the last varies fastest */
    size_t vary_count;
    const char *const *show;   /* formulas outside any row: "SUM(account.pay BY ())" */
    size_t show_count;
    const char *data, *to;
    size_t part, parts;        /* part k of n (from 1); 0, 0: all */
    int threads;
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} krules_sweep_options;
krules_sweep *krules_sweep_run(krules *k, const char *book, const krules_sweep_options *options);
/* Parts written as CSV, each with its receipt beside it (FILE.receipt.json), put together: all of one sweep, each once, unchanged. */
krules_sweep *krules_sweep_merge(krules *k, const char *const *files, size_t count);
void krules_sweep_free(krules_sweep *sweep);
size_t krules_sweep_rows(const krules_sweep *sweep);
size_t krules_sweep_columns(const krules_sweep *sweep);        /* the varied parameters, then the formulas */
size_t krules_sweep_varied(const krules_sweep *sweep);
const char *krules_sweep_head(const krules_sweep *sweep, size_t column);
const char *krules_sweep_cell(const krules_sweep *sweep, size_t row, size_t column);
/* format: csv, json or svg (a chart of each formula over the parameter that varies fastest). A CSV file gets a receipt beside it. */
bool krules_sweep_write(krules_sweep *sweep, const char *format, const char *path);

/* ------------------------------------------------------------------ formulas by themselves */

typedef struct krules_value {
    const char *text; /* exact; lives until the next call */
    const char *type;
    bool error;       /* the value is an error code */
} krules_value;
/* One formula of literals and lists: "PSR({0.01, -0.002}, 0.03)". false: it does not parse or check (messages have a caret). */
bool krules_calc(krules *k, const char *formula, krules_value *out);

/* ------------------------------------------------------------------ help */

typedef struct krules_function {
    const char *name, *usage, *doc, *source, *example, *gives, *edge, *edge_gives; /* source, gives… may be NULL */
    bool aggregate, form;
} krules_function;
bool krules_function_at(size_t i, krules_function *out);           /* false: past the end */
bool krules_function_named(const char *name, krules_function *out); /* any case */
typedef struct krules_code {
    const char *name, *title, *explain; /* "E0203" */
    int status;
} krules_code;
bool krules_code_at(size_t i, krules_code *out);

#ifdef __cplusplus
}
#endif

#endif
