/* book.h: a rulebook's versions and a run over a period that may span several of them.
 *
 * A book is `rules/<book>/vN.lua`, N from 1. Where there is a ledger beside them, it decides which of them are versions (published,
 * complete, not withdrawn), from which day each is in force, and that its file is the one published; the whole ledger is verified first.
 * Without one, the files are v1, v2, … without a gap and their headers decide. A single rule file is a book of one version that is in force on every day. Everything a book needs (sources, models,
 * plans) lives in the arena it was opened with, so that diagnostics stay readable when opening fails. */
#ifndef KR_BOOK_H
#define KR_BOOK_H

#include "vm/engine/run.h"
#include "vm/store/ledger.h"

typedef struct kr_version {
    int number;
    const char *path;
    char sha256[KR_HEX];  /* of the file */
    kr_model *model;      /* checked */
    kr_plan *plan;        /* NULL until kr_book_plan */
    int64_t from;         /* first day in force; INT64_MIN for a single file */
} kr_version;

typedef struct kr_book {
    kr_arena *arena;
    kr_pool *pool;
    const char *name;     /* kokoah/pay; of a single file: the id of its header */
    bool single;
    kr_version *versions; /* in the order of their numbers */
    int version_count;
    kr_ledger *ledger;    /* NULL: none, the headers decide */
    int next_number;      /* of the next version: a withdrawn one has used up its number; 0 for a single file */
} kr_book;

/* what: BOOK, BOOK@VERSION (its versions up to that one) or FILE.lua. root: --rules, or NULL. NULL and E07xx, or what the rule file's
 * own errors are. */
kr_book *kr_book_open(kr_arena *arena, kr_pool *pool, kr_families families, const char *what, const char *root, kr_diags *diags);
/* A rule file given as text; name is for messages. */
kr_book *kr_book_open_text(kr_arena *arena, kr_pool *pool, kr_families families, const char *name, const char *text, size_t len, kr_diags *diags);
/* Index of the version in force on a day; -1: none yet. */
int kr_book_in_force(const kr_book *book, int64_t day);
/* The folder that holds a book's versions (rules/kokoah/pay), whether or not it is there yet; NULL when no rules folder is found. */
const char *kr_book_folder(kr_arena *arena, const char *name, const char *root);

/* The data of a book: versions that read the same inputs share one dataset. */
typedef struct kr_book_data {
    kr_dataset **of_version;
    int count;
    bool *owned;
} kr_book_data;

/* Whether two models read the same tables with the same columns, so that one dataset serves both. */
bool kr_same_inputs(const kr_model *a, const kr_model *b);
kr_book_data *kr_book_load(const kr_book *book, const char *path, kr_diags *diags);
void kr_book_data_free(kr_book_data *data);
/* The last day that the inputs of the newest version name; false: none. Once a day from `enough` on is met the rest is not looked at. */
bool kr_book_data_last(const kr_book_data *data, int64_t enough, int64_t *last);

typedef struct kr_past { /* recorded cells to go on from, instead of computing the days before */
    int version;          /* index in the book: whose they are */
    kr_run *records;
    int64_t first_day;    /* first day that is computed */
} kr_past;

typedef struct kr_chain_options {
    bool has_from, has_to;
    int64_t from, to;
    int threads;
    bool all_columns;
    const struct kr_past *past; /* NULL: computed from the first day on */
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} kr_chain_options;

typedef struct kr_chain_part { /* one version's run and the days it answers for */
    int version;          /* index in the book */
    kr_run *run;
    int64_t first, last;  /* days; INT64_MIN, INT64_MAX where there is no bound */
} kr_chain_part;

typedef struct kr_chain { /* the runs of a period */
    const kr_book *book;
    kr_chain_part *parts; /* in time */
    int part_count;
    bool has_days;
    int64_t from, to;     /* with days: the period that is answered, cut to the book's first day */
} kr_chain;

/* Whether the newest version publishes anything; false: E0410. */
bool kr_book_publishes(const kr_book *book, kr_diags *diags);
/* Compile the plans of all versions (once). false and diagnostics: what the engine refuses. */
bool kr_book_plan(kr_book *book, kr_diags *diags);

/* NULL and diagnostics: E0704 when the period begins before the first version, or what the engine says. */
kr_chain *kr_chain_run(kr_book *book, const kr_book_data *data, const kr_chain_options *options, kr_diags *diags);
void kr_chain_free(kr_chain *chain);

#endif
