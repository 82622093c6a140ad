/* expr.h: a formula as meant: names resolved, defines expanded, types and units checked, every match spelled out.
 * The row-at-a-time interpreter in tests/ and the columnar engine both start from this tree, so nothing about names or matching
 * is decided twice. */
#ifndef KR_EXPR_H
#define KR_EXPR_H

#include "vm/lang/model.h"

typedef enum kr_expr_kind {
    KR_X_CONST,     /* value */
    KR_X_PARAM,     /* param: index in the model */
    KR_X_COLUMN,    /* column of the row of `frame`: 0 own row; 1 the row that ranges (inside an aggregate; `b` of a join; own is `a`) */
    KR_X_CALL,      /* fn (row-wise), args */
    KR_X_USER,      /* user: index in model->user_fns, args */
    KR_X_LOOKUP,    /* column of the row of `sheet` where all `match`es hold; none: blank; several: #MULTI! (unique: there cannot be several) */
    KR_X_AGG,       /* aggregate fn over the rows of `sheet` that match and satisfy where, in key order; args: series first, then scalars */
    KR_X_WINDOW,    /* aggregate fn over a window of the own sequence: form LAST or DAYS, count; args as for AGG (series in frame 0) */
    KR_X_LIST,      /* aggregate fn over literal lists: each series arg is a KR_X_ROWLIST */
    KR_X_ROWLIST,   /* {a, b, c}: args, any row expressions */
    KR_X_PREV,      /* args[0] x in frame 0, args[1] start (may be absent: blank), count rows back (>= 1) */
    KR_X_RUN,       /* RUNSUM RUNCOUNT RUNMAX RUNMIN over the own sequence, this row included; args[0] x (RUNCOUNT may have none) */
    KR_X_SEQUENCE,  /* form ASOF NEXT FIRST TWA VALUE_AT over `sheet` by its order column `order`; args[0] target (frame 1), rest frame 0 */
    KR_X_ARG,       /* ARGMIN ARGMAX over `sheet`: args[0] value, args[1] by (frame 1, like AGG); ties: first row in key order */
    KR_X_SHARE,     /* RANK SHARE PRORATE APPORTION over own rows that agree on `by`; see share fields */
    KR_X_COMPONENT, /* args[0] node, args[1] time or absent (then NULL); edges; label = smallest member (bytes) of the component */
    KR_X_HOPS       /* args: from, t, to, u, least (1 or 2), by; edges. Also in a join's formulas, with args of both frames */
} kr_expr_kind;

typedef struct kr_match { /* far column = expression of frame 0 (inside an aggregate also frame 1); blank matches nothing */
    kr_column_def *far;
    kr_expr *near;
} kr_match;

typedef struct kr_edges {
    kr_sheet *sheet;
    kr_column_def *a, *b, *time;   /* time NULL: always there (HOPS: never NULL) */
    kr_column_def *barred;         /* HOPS: from when b is no inner node; NULL: never */
    kr_expr *where;                /* frame 1; NULL: none */
    kr_match *match;               /* the BY of the COMPONENT or HOPS, resolved for this sheet */
    int match_count;
} kr_edges;

struct kr_expr {
    kr_expr_kind kind;
    kr_type type;
    kr_unit unit;
    const kr_node *node;           /* where it comes from */
    kr_cell value;                 /* CONST (text: pool id) */
    int param, user, frame;
    kr_column_def *column;         /* COLUMN, LOOKUP (of `sheet`) */
    const kr_fn *fn;
    kr_form form;
    kr_expr **args;
    int arg_count;
    int series_count;              /* AGG, WINDOW, LIST: the first so many args are series */
    kr_sheet *sheet;               /* LOOKUP AGG SEQUENCE ARG: the other sheet; WINDOW PREV RUN SHARE: the own sheet */
    kr_match *match;               /* LOOKUP, AGG, SEQUENCE, ARG: the BY, or the LOOKUP's own */
    int match_count;
    bool unique;                   /* LOOKUP: the matched columns hold a whole key of `sheet` */
    kr_expr *where;                /* AGG, SEQUENCE, ARG, SHARE: NULL: none. AGG, ARG: frames 0 and 1; SEQUENCE: frame 1 and parameters only; SHARE: frame 0 */
    kr_column_def *order;          /* SEQUENCE: the column of `sheet` that its rows follow (day or time) */
    kr_expr *count;                /* WINDOW, PREV: whole number, no row in it (constants and parameters) */
    kr_column_def **by;            /* SHARE: own columns that agree */
    int by_count;
    bool *descending;              /* RANK: per arg */
    kr_edges *edges;               /* COMPONENT, HOPS */
    int edges_count;
};

/* Check a whole model: resolve rows, keys, sequences; parse and check every formula; units; direction in time; outputs.
 * Adds up to 20 diagnostics; false when any is an error. After true, every kr_formula.expr is set. */
bool kr_check(kr_model *model, kr_diags *diags);

/* Each child of a node (args, count, near ends of matches, where, edges). */
void kr_expr_each(const kr_expr *expr, void (*visit)(void *context, const kr_expr *kid), void *context);

/* A formula outside any sheet (`krules calc`, --where with sheet given, sweep --show): sheet NULL: no row. */
kr_expr *kr_check_formula(kr_model *model, kr_sheet *sheet, const kr_fragment *fragment, kr_diags *diags);

/* "BY miner, day" as resolved, for explain and documentation. */
char *kr_expr_match_text(kr_arena *arena, const kr_expr *expr);
/* Canonical text of the meaning (defines expanded, matches written out); equal text, equal meaning. Used for the model hash and diff. */
char *kr_expr_print(kr_arena *arena, const kr_model *model, const kr_expr *expr);

#endif
