/* diff.h: two rule files compared by what they mean, and on data.
 *
 * Compared is the checked model: comments, layout, order, names of Lua locals and the way a value is written make no difference, and a
 * column, parameter or sheet that only has another name is shown as renamed. A change of meaning that only follows from another
 * change (a formula that uses a changed define; a match that follows a changed key) is shown as that, not as a change of its own.
 *
 * With data both are run over all of it (or from a day on), their published cells compared, and the difference of each total is shared
 * out among the changes so that the shares add up to it exactly. Changes that need each other (a new column and the formula that
 * reads it) are one group. Everything is in the arena of the diff. */
#ifndef KR_DIFF_H
#define KR_DIFF_H

#include "vm/lang/fdiff.h"
#include "vm/store/book.h"

typedef enum kr_change_kind { KR_CH_HEADER, KR_CH_PARAM, KR_CH_SHEET, KR_CH_COLUMN, KR_CH_DEFINE, KR_CH_FUNCTION, KR_CH_OUTPUT, KR_CH_CHECK, KR_CH_KINDS } kr_change_kind;
typedef enum kr_change_how { KR_HOW_ADDED, KR_HOW_REMOVED, KR_HOW_CHANGED, KR_HOW_RENAMED, KR_HOW_FOLLOWS } kr_change_how;

typedef struct kr_change {
    kr_change_kind kind;
    kr_change_how how;
    const char *name, *old_name;     /* account.credit; old_name: of what is renamed or removed, else as name */
    const char *old_text, *new_text; /* as written, in one layout; NULL where there is none */
    const char *old_raw, *new_raw;   /* parameters: the exact value */
    const char *unit, *doc;          /* "" when not known */
    const char **reaches;            /* output columns, account.pay */
    int reach_count;
    const char **matches;            /* aggregates that match other rows now: `SUM(trade.fee …): BY miner → BY miner, day` */
    size_t match_count, match_capacity;
    const char *state;               /* recorded column: from when what is read back is all new; NULL: not recorded or not changed */
    const char *warning;             /* a value that moved by about 10, 100, 1000 times */
    int group;                       /* of changes that need each other; -1: moves no number */
    /* for composing */
    const kr_param *pa, *pb;
    const kr_column_def *ca, *cb;
    const kr_sheet *sa, *sb;
} kr_change;

typedef struct kr_side { /* one of the two rule files */
    const char *path, *label; /* rules/kokoah/pay/v1.lua; kokoah/pay v1 */
    const char *text;
    size_t len;
    char sha256[KR_HEX];
    kr_model *model;          /* checked */
} kr_side;

typedef struct kr_share { int group; kr_num value; } kr_share;

/* One number of the data: the total of a column, or one account's part of it. */
typedef struct kr_moved {
    const char *account;     /* NULL: total */
    kr_num a, b, change;
    kr_num *shares;          /* per group; NULL: not shared out */
} kr_moved;

typedef struct kr_gate { const char *account; size_t passes, fails; } kr_gate; /* rows that newly pass, newly fail */

typedef struct kr_column_impact {
    const char *sheet, *column, *old_column, *type, *unit;
    bool adds_up;
    size_t cells, changed;         /* rows in both; cells that differ */
    kr_moved total;                /* adds_up */
    kr_moved *gains, *losses;      /* largest first */
    size_t gain_count, loss_count, accounts_changed;
    kr_gate *gates;                /* boolean columns: accounts, most changed first; text: `old → new`, most frequent first */
    size_t gate_count, passes, fails;
    const char *up_place, *down_place; /* number columns that do not add up: the cells that rose and fell most */
    kr_num up_a, up_b, down_a, down_b;
} kr_column_impact;

typedef struct kr_verdict { const char *title, *sheet, *what; size_t failed; const char *place; } kr_verdict; /* what: check, requirement, expectation, example */

typedef struct kr_impact {
    const char *data, *data_sha256, *from, *to;
    bool in_force_from;           /* the new file only from `from` on; else both on every day */
    size_t rows_added, rows_removed, input_rows;
    const char *other_keys;       /* published sheets whose keys are others now, so that rows cannot be told to be the same; NULL: none */
    kr_column_impact *columns;
    size_t column_count, column_capacity, changed_columns;
    int group_count;
    bool shapley;
    size_t runs;
    const char *method;           /* how the totals were shared out, in a sentence */
} kr_impact;

typedef struct kr_diff {
    kr_arena *arena;
    kr_pool *pool;
    kr_families families;
    kr_side old, new;
    kr_change *changes;
    size_t change_count, change_capacity;
    int output_count, reached;    /* output columns of the new file; those that some change reaches */
    const char **all_reached;
    kr_impact *impact;            /* NULL: no data */
    kr_verdict *verdicts;         /* checks on data, and examples */
    size_t verdict_count, verdict_capacity;
    const char *why, *publish_by, *effective; /* proposals; NULL */
} kr_diff;

/* Compare two rule files, given as text. NULL: one of them has errors (diags). Warnings (W0740) for values that move by a factor. */
kr_diff *kr_diff_new(kr_arena *arena, kr_pool *pool, kr_families families, const kr_side *old, const kr_side *new, kr_diags *diags);
/* By about how many times a number moves: 10, 100 or 1000 (within a quarter), up or down; 0: by none of these. */
int kr_factor_of(kr_num a, kr_num b);
/* Warn (W0740) when a parameter does; the words of it, or NULL. */
const char *kr_param_moves(kr_arena *arena, const kr_param *a, const kr_param *b, kr_diags *diags);
size_t kr_diff_counts(const kr_diff *diff, kr_change_kind kind); /* changes of a kind, those that follow not counted */

typedef struct kr_impact_options {
    const char *data;
    bool has_from, has_to;
    int64_t from, to;
    const char *measure;          /* SHEET.COLUMN,…: number columns to add up; NULL: those with a unit that adds up */
    uint64_t budget;              /* rows of input that the runs for the shares may read in all; 0: the default */
    size_t top;                   /* gains and losses kept a column */
    int threads;
    void (*progress)(void *context, unsigned permille);
    void *progress_context;
} kr_impact_options;

enum { KR_DIFF_SHARED = 10, KR_DIFF_BUDGET = 5000000, KR_DIFF_TOP = 5 };

/* Run both over the data: diff->impact and verdicts. false: diags. Warns (W0741) when nothing in the data changes. */
bool kr_diff_impact(kr_diff *diff, const kr_impact_options *options, kr_diags *diags);

/* Divide `total` (the value with all groups less the one with none) by the Shapley value: values[S] for each set S of n groups (bit g:
 * group g in force). shares add up to values[2^n - 1] - values[0] exactly: each is the exact value cut down to 18 decimals, and what is
 * left goes, 10^-18 each, to the largest remainders, at equal ones to the earlier group. false: a value is no number, or the sum is out of range. */
bool kr_shapley(const kr_num *values, int n, kr_num *shares);

typedef struct kr_report_options { bool full; int context; } kr_report_options;
/* format: text, md, html, json. Deterministic: no times, no paths but those given. */
char *kr_diff_report(kr_arena *arena, const kr_diff *diff, const char *format, const kr_report_options *options);

#endif
