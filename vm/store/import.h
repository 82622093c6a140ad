/* import.h: answers of an exchange's interface, and tables as others write them, into the database that rules/kokoah/pay reads.
 *
 * An import is one transaction: a killed run, a full disk or an error of the database leave what was there. A file that is malformed or
 * contradicts what is known is refused whole (E0512, E0513, E0514); the other files of the import are kept. Importing a file again, or
 * one that overlaps, changes nothing. What an answer cannot tell is kept as such in the tables `read_log` and `gap`.
 * docs/operators.md says how answers are recognised and what becomes of each; data/kokoah/pay/schema.sql is the database. */
#ifndef KR_IMPORT_H
#define KR_IMPORT_H

#include "vm/lang/model.h"
#include "vm/text/diag.h"

typedef struct kr_import_line { /* what became of one answer or table */
    const char *file, *kind;
    size_t records, fresh;  /* records in it; those that were new */
    const char *note;       /* "" or what to know */
} kr_import_line;
typedef void kr_import_report(void *context, const kr_import_line *line);

typedef struct kr_import_options {
    const char *into;         /* the database; made when it is not there */
    const char *address;      /* whose the answers are that do not say; any case */
    const char *coin;         /* of candles, where an empty answer does not say */
    const char *kind;         /* what an answer is, where its shape does not say */
    const char *read_at;      /* when the answers were asked for: a time; NULL: not known */
    const char *from, *to;    /* the range that was asked for */
    const char *builder_rate; /* a fill whose builder fee is this part of its value is the builder's */
    const char *builder_fills; /* or: the builder's day files, separated by commas */
    kr_import_report *report;
    void *report_context;
} kr_import_options;

bool kr_import_hyperliquid(const char *const *files, size_t count, const kr_import_options *options, kr_diags *diags);

/* tables: "NAME=FILE", NAME a data sheet of one of the models. map: "theirs=ours,…" for headers; NULL: none. */
bool kr_import_csv(const char *const *tables, size_t count, const char *map, const kr_import_options *options, const kr_model *const *models,
                   size_t model_count, kr_diags *diags);

/* ------------------------------------------------------------------ is a day ready */

/* Whether a path is a database that keeps a read_log; others have no knowledge of what was read. */
bool kr_ready_knows(const char *path);

typedef struct kr_ready { /* what a day lacks, one sentence each */
    int64_t day;
    const char **missing; size_t count, capacity;
    const char **notes;   size_t note_count, note_capacity; /* what does not stand in the way */
} kr_ready;

typedef struct kr_ready_rules { /* parameters of the rules */
    int64_t settle_ms, fewest_points;
} kr_ready_rules;

/* The days [from, to]; KR_ANY_DAY: from the first link, to the newest day of the database. now: KR_ANY_DAY: the newest record or reading
 * of the database. In the arena. false and E0501 when the database cannot be read. */
#define KR_ANY_DAY INT64_MIN
bool kr_ready_days(kr_arena *arena, const char *path, int64_t from, int64_t to, const kr_ready_rules *rules, int64_t now, kr_ready **out, size_t *count, kr_diags *diags);

typedef struct kr_known_gap { const char *address, *day, *reason; } kr_known_gap;
/* Days of which something is known to be missing. */
kr_known_gap *kr_ready_gaps(kr_arena *arena, const char *path, size_t *count, kr_diags *diags);

#endif
