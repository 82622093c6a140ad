/* check_internal.h: what the files of the checker share; nobody else includes it.
 *
 * The checker runs in two phases over the same code. While it infers, types and units of formula columns are found by recursion,
 * diagnostics go to a list that is thrown away and trees to a scratch arena; this is repeated until nothing changes, so columns
 * that read each other back in time settle. Then every formula is checked once more with all types known, for good. */
#ifndef KR_CHECK_INTERNAL_H
#define KR_CHECK_INTERNAL_H

#include "vm/lang/expr.h"

typedef struct kr_checker {
    kr_model *model;
    kr_arena *arena;            /* of the trees */
    kr_diags *diags;
    bool inferring;             /* phase one */
    bool guess;                 /* phase one, last rounds: an operator with an unknown argument takes its first overload */
    bool lenient;               /* phase two, once more: a column without a type fits everywhere, to find what else is wrong with it */
    bool changed;               /* phase one: this round learnt something */
    const kr_fragment *fragment; /* the formula being checked, for errors in the body of a define */
    unsigned char **state;      /* phase one: [sheet][column] of this round */
    int errors;                 /* reported in phase two */
    int expanded, level;        /* expansion of defines: nodes made for this formula, depth of the tree here */
    char *stack;                /* phase one: where the stack stood at its start */
} kr_checker;

typedef enum kr_place {
    KR_IN_ROW,   /* the row of `own` (or none): bare names are its columns, T.x is a lookup */
    KR_IN_AGG,   /* inside an aggregate over `far`: bare names own row, far.x the ranging row */
    KR_IN_FAR,   /* the row of `far` only: far.x */
    KR_IN_JOIN,  /* a.x is the row of `own`, b.x that of `far` */
    KR_IN_CONST  /* constants and parameters */
} kr_place;

typedef struct kr_scope {
    kr_place place;
    kr_sheet *own, *far;
    kr_sheet *single;   /* KR_IN_ROW, scalar arguments of an aggregate over this sheet: its columns cannot be meant here */
    const char *inside; /* KR_IN_AGG, KR_IN_FAR, KR_IN_CONST: the function, for messages */
} kr_scope;

/* ---- errors (check.c) */
kr_diag *kr_check_error(kr_checker *c, kr_code code, const kr_node *node, const char *format, ...) __attribute__((format(printf, 4, 5)));
kr_diag *kr_check_error_span(kr_checker *c, kr_code code, kr_span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same with the name of a call as its place. */
kr_diag *kr_check_error_name(kr_checker *c, kr_code code, const kr_node *node, const char *format, ...) __attribute__((format(printf, 4, 5)));
void kr_check_help(kr_checker *c, kr_diag *diag, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *kr_check_nearest(kr_checker *c, const char *word, const char *const *names, int count);

/* ---- types of columns (check.c): KR_T_NONE: not known (yet, or because its formula is wrong) */
kr_type kr_check_column_type(kr_checker *c, kr_column_def *column);
/* A formula of a model in a scope; NULL: wrong, reported. Sets formula->expr in phase two. */
kr_expr *kr_check_in(kr_checker *c, kr_formula *formula, const kr_scope *scope);
kr_expr *kr_check_boolean(kr_checker *c, kr_formula *formula, const kr_scope *scope, const char *what);

/* ---- define (check_expand.c) */
kr_node *kr_expand(kr_checker *c, kr_node *tree);
/* The sheet that ranges in these trees (the own sheet only when no other is named). false: an unknown sheet, reported; *sheet NULL: none. */
bool kr_find_range(kr_checker *c, kr_node *const *trees, int count, kr_node *where, const kr_sheet *own, kr_sheet **sheet);
bool kr_is_form(const kr_checker *c, const kr_node *node, kr_form form); /* a call of this form */

/* ---- signatures and units (check_sig.c) */
enum { KR_SIG_ENTRIES = 12, KR_SIG_WORD = 24 };
typedef struct kr_sig_entry {
    char word[KR_SIG_WORD];
    bool series, optional;
} kr_sig_entry;
typedef struct kr_sig {
    kr_sig_entry entry[KR_SIG_ENTRIES];
    int count, series;             /* series: how many of them (always first) */
    int repeat_from, repeat_to;    /* entries that repeat; equal: none */
    char result[KR_SIG_WORD];
} kr_sig;

bool kr_sig_read(const char *text, int alternative, kr_sig *out); /* false: no such alternative */
/* The entry of each of argc arguments; false: that number does not fit. */
bool kr_sig_spread(const kr_sig *sig, int argc, const kr_sig_entry **entries);
/* "2", "1 to 3", "2 or more": how many arguments any alternative takes. */
char *kr_sig_arity(kr_arena *arena, const char *text);
/* Whether types fit; KR_T_NONE fits all. *bad: the first that does not; *want: what it had to be. */
bool kr_sig_fits(const kr_sig_entry *const *entries, const kr_type *types, int argc, const char *result_word, kr_type *result, int *bad, kr_type *want);
/* Units of a call; false: reported. `alternative` is the one of sig that was taken. */
bool kr_units_of_call(kr_checker *c, const kr_fn *fn, int alternative, kr_expr *const *args, int argc, kr_type result, const kr_node *node, kr_unit *out);
bool kr_units_agree(kr_checker *c, const kr_expr *a, const kr_expr *b, const kr_node *node, kr_unit *out); /* one unit for both; reports */

/* ---- names and matches (check_names.c) */
kr_expr *kr_check_bare(kr_checker *c, const kr_scope *scope, const kr_node *node);
kr_expr *kr_check_dot(kr_checker *c, const kr_scope *scope, const kr_node *node);
kr_sheet *kr_named_sheet(kr_checker *c, const kr_node *dot);                      /* of a KR_N_DOT; reports */
kr_column_def *kr_named_column(kr_checker *c, kr_sheet *sheet, const char *name, const kr_node *node); /* reports */
kr_expr *kr_column_expr(kr_checker *c, kr_column_def *column, int frame, const kr_node *node); /* NULL: its type is not known, for a reason reported elsewhere */
/* The BY of a call over `far`. must_write: BY may not be left out. */
bool kr_check_match(kr_checker *c, const kr_scope *scope, kr_sheet *far, const kr_node *call, bool must_write, kr_match **match, int *count);
/* The BY as columns of the own sheet (RANK …); always written. */
bool kr_check_own_by(kr_checker *c, const kr_scope *scope, const kr_node *call, kr_column_def ***by, int *count);
kr_expr *kr_check_lookup(kr_checker *c, const kr_scope *scope, const kr_node *call, const kr_fn *fn);

/* ---- formulas (check_expr.c) */
kr_expr *kr_check_expr(kr_checker *c, const kr_scope *scope, const kr_node *node);
kr_expr *kr_expr_new(kr_checker *c, kr_expr_kind kind, kr_type type, const kr_node *node);
/* Check and demand a type (KR_T_NONE: any); `what` names the argument in the message. */
kr_expr *kr_check_typed(kr_checker *c, const kr_scope *scope, const kr_node *node, kr_type type, const char *what);
/* A whole number of constants and parameters, at least `least`; NULL: reported. */
kr_expr *kr_check_count(kr_checker *c, const kr_scope *scope, const kr_node *node, const char *function, int64_t least);
bool kr_expr_constant(kr_checker *c, const kr_expr *expr, kr_cell *out); /* value of constants and parameters; false: not one */

/* ---- aggregates (check_agg.c) and forms (check_forms.c) */
kr_expr *kr_check_aggregate(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn);
kr_expr *kr_check_form(kr_checker *c, const kr_scope *scope, const kr_node *node, const kr_fn *fn);
bool kr_check_outermost(kr_checker *c, const kr_scope *scope, const kr_node *node); /* refuses what cannot stand inside an aggregate */

/* ---- rows and sequences (check_rows.c) */
void kr_rows_resolve(kr_checker *c);                        /* sheets and columns named by row generators; adds key columns */
void kr_rows_key_type(kr_checker *c, kr_column_def *column); /* type and domain of a generated key column */
bool kr_sheet_generated(const kr_sheet *sheet);
bool kr_is_key(const kr_sheet *sheet, const char *name);
bool kr_sheet_sequence(kr_checker *c, kr_sheet *sheet);     /* per, order, clock; false: no order (not reported) */
void kr_rows_check(kr_checker *c);                          /* phase two: formulas of the rows, agreement of types */
void kr_sequences_check(kr_checker *c);                     /* phase two, first: per and order as declared */

/* ---- time and rows as a graph (check_time.c) */
void kr_time_check(kr_checker *c);

/* Every column and row set that a formula reads. via: the node that reads it. */
typedef struct kr_refs {
    void (*column)(void *context, kr_column_def *column, const kr_expr *via);
    void (*rows)(void *context, kr_sheet *sheet, const kr_expr *via);
    void *context;
} kr_refs;
void kr_expr_refs(const kr_expr *expr, const kr_refs *refs);

#endif
