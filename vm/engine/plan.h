/* plan.h: what the engine makes of a model (private to vm/engine).
 *
 * A plan is a list of tasks. A task gives one thing that others read: the rows of a sheet, a column, an index, a map from rows to
 * rows, the values of an aggregate per group. Equal subtrees of formulas are one task. Edges say in which days (or places of a
 * sequence) a task reads another, so that a cycle can be told to be legal and be stepped.
 *
 * Everything here is built once and read only while running; it lives in the model's arena. */
#ifndef KR_PLAN_H
#define KR_PLAN_H

#include "vm/engine/run.h"

enum {
    KR_MOST_MATCH = 16,   /* columns of a key or a match */
    KR_MOST_COLUMNS = 64  /* columns that a row generator gives */
};

typedef struct kr_task kr_task;
typedef struct kr_rowset kr_rowset;

/* How much of a task another reads for the rows of one day. */
typedef enum kr_reach {
    KR_REACH_ROW,      /* the own row, or the own sequence up to it */
    KR_REACH_SAME,     /* rows of the same day, or of it and earlier ones */
    KR_REACH_SEQ,      /* earlier rows of the own sequence; several of them may be of one day */
    KR_REACH_SEQ_BACK, /* earlier rows of the own sequence, each of an earlier day */
    KR_REACH_BACK,     /* rows of earlier days only */
    KR_REACH_WHOLE     /* any rows: not legal inside a cycle */
} kr_reach;

typedef struct kr_edge {
    kr_task *to;
    kr_reach reach;
} kr_edge;

/* The rows that formulas are computed over. A sheet with a `where` on its rows has two: candidates (its keys or inputs and what the
 * condition needs), and its rows proper. The book has one row, for its days and for constants. */
struct kr_rowset {
    int id;
    const kr_sheet *sheet;   /* NULL: the book's one row, or a part of a row generator */
    bool candidate;
    kr_task *rows;
    kr_task **columns;       /* per column of the sheet; NULL: not yet asked for */
    const char *name;        /* for plans and messages */
};

/* ---- programs: row-wise expressions over chunks of rows */

typedef enum kr_opcode {
#define KR_OP(name, text) KR_OP_##name,
#include "vm/engine/ops.def"
#undef KR_OP
    KR_OP_COUNT
} kr_opcode;

typedef struct kr_op {
    kr_opcode code;
    int frame;              /* LOAD, GATHER, GROUP: whose row */
    int dst;                /* register */
    int argc;
    int *args;              /* registers */
    kr_type type;           /* of the result */
    kr_type *types;         /* of the arguments */
    kr_task *column;        /* LOAD, GATHER, PROBE: cells; GROUP: the aggregate */
    kr_task *map;           /* GATHER: rows; GROUP: groups; PROBE: the index; HOPS: the graph */
    kr_cell value;          /* CONST */
    int param;              /* PARAM */
    const kr_fn *fn;        /* CALL, LIST */
    int series_count;       /* LIST: args are the elements of that many lists, one after another, then scalars */
    int *lengths;           /* LIST: of each list */
    const kr_script *script; /* USER */
} kr_op;

typedef struct kr_program {
    kr_op *ops;
    int op_count;
    size_t op_capacity;
    int result;             /* register */
    int register_count;
    int *slot;              /* per register: buffer; registers whose lives do not meet share one */
    int slot_count;         /* shared buffers; constants have one each beyond */
    int frames;             /* 1 own row, 2 pairs of rows */
} kr_program;

/* ---- tasks */

typedef enum kr_task_kind {
    KR_TASK_ROWS,      /* of a row set */
    KR_TASK_PART,      /* a part of a row generator: a small table */
    KR_TASK_DAYS,      /* first and last day of the book */
    KR_TASK_COLUMN,    /* program over the rows of a row set; or an input */
    KR_TASK_SEQ,       /* rows of a row set by partition and order */
    KR_TASK_INDEX,     /* rows of a row set by some columns */
    KR_TASK_GROUP,     /* own row -> group of an index */
    KR_TASK_LOOKUP,    /* own row -> the one row of an index */
    KR_TASK_PREV,      /* own row -> the row n back in the sequence */
    KR_TASK_SORTED,    /* the groups of an index by order */
    KR_TASK_CHOOSE,    /* own row -> row by ASOF, NEXT, FIRST */
    KR_TASK_ARG,       /* own row -> row by ARGMIN, ARGMAX */
    KR_TASK_AGG,       /* group of an index -> value */
    KR_TASK_PAIRS,     /* aggregate whose terms mention both rows */
    KR_TASK_WINDOW,    /* aggregate over LAST or DAYS */
    KR_TASK_RUN,       /* RUNSUM … */
    KR_TASK_LINE,      /* TWA, VALUE_AT */
    KR_TASK_SHARE,     /* RANK … */
    KR_TASK_COMPONENT,
    KR_TASK_HOPS,      /* a graph, for the instruction */
    KR_TASK_KINDS
} kr_task_kind;

typedef struct kr_plan_edges { /* COMPONENT, HOPS */
    kr_task *a, *b, *time, *where, *index; /* time, where: NULL: none; index: COMPONENT */
    kr_task *barred, **by;   /* HOPS; barred: NULL: none */
    int by_count;
    kr_type time_type;
} kr_plan_edges;

typedef struct kr_plan_bound {
    kr_task *range;          /* PAIRS: the column of the far rows */
    kr_task *value;          /* a column of the own (JOIN: a's) row set */
    bool low, open;          /* low: range > value, or >= unless open; else <, <= */
} kr_plan_bound;

/* The condition of a join, taken apart: each part holds for a pair that the join makes. */
typedef struct kr_plan_join {
    kr_task **a, **b;        /* about one row only: columns of its row set */
    int a_count, b_count;
    kr_task *range;          /* the column of b whose values a sorted scan bounds; NULL: none */
    kr_plan_bound *bounds;
    int bound_count;
    kr_program **rest;       /* about both, quick ones first */
    int rest_count;
    struct kr_plan_way {     /* a part that holds only where a path leads from a's row to b's: then only those are paired */
        kr_task *graph, *from, *start;
        kr_task *to, *end, *by;
    } *way;                  /* NULL: none */
} kr_plan_join;

struct kr_task {
    int id;
    kr_task_kind kind;
    uint64_t hash;           /* of what makes it equal to another */
    kr_rowset *rowset;       /* whose rows the result is of (INDEX, SORTED, AGG: the far ones) */
    kr_type type;            /* of the cells */
    const kr_expr *expr;     /* what it computes; NULL for inputs, indexes … */
    kr_column_def *def;      /* COLUMN of a column of the model */
    kr_edge *edges;
    int edge_count;
    size_t edge_capacity;
    bool input;              /* COLUMN: taken from the rows */
    bool back;               /* COLUMN: read back in time: earlier versions' cells stand in for it */

    kr_program *program;     /* COLUMN; near values of GROUP, LOOKUP: see near */
    kr_program **near;       /* GROUP, LOOKUP: one per column of the index; CHOOSE, LINE, COMPONENT, SHARE: arguments in the own row */
    const kr_expr **near_exprs;
    int near_count;
    kr_task *index;          /* GROUP LOOKUP SORTED AGG SHARE: the index; COMPONENT: of the own rows */
    kr_task *group;          /* CHOOSE ARG PAIRS LINE: the GROUP */
    kr_task *sorted;         /* CHOOSE LINE */
    kr_task *seq;            /* PREV WINDOW RUN */
    kr_task **columns;       /* INDEX: columns; SEQ: per; AGG PAIRS WINDOW RUN SHARE: series; SORTED: order */
    int column_count;
    kr_task **order;         /* SEQ: order; ties keep the order of the rows, which is that of the keys */
    int order_count;
    kr_task *where;          /* far rows (SHARE: own) that count; NULL: all */
    kr_program *where_pairs; /* PAIRS: a condition on both rows */
    kr_program **series_pairs; /* PAIRS: series (ARG: value, by) in pairs */
    bool pairs_arg;          /* PAIRS: choose a row by the second series */
    bool pairs_narrow;       /* PAIRS: `narrow` is a part of where_pairs that holds for equal columns only */
    kr_task *narrow;         /* GROUP of the narrower match; used where no condition can be an error */
    kr_task **narrow_clean;  /* tasks that must hold no error for that */
    int narrow_clean_count;
    kr_plan_bound *bounds;   /* PAIRS: bounds that the condition sets to far columns; used as `narrow` is */
    int bound_count;
    kr_program **scalars;    /* AGG PAIRS WINDOW: scalar arguments, in the own row (AGG: constants) */
    int scalar_count;
    const kr_fn *fn;
    kr_form form;
    const kr_expr *count;    /* PREV WINDOW: constant */
    kr_program *count_program;
    kr_plan_edges *component;
    int component_count;
    kr_plan_join *join;      /* PART of a join */
    const kr_rows *rows;     /* PART; ROWS: NULL for a table of the data */
    kr_task **parts;         /* ROWS PART: what they are put together from */
    const kr_sheet *into;    /* PART: the sheet whose rows they become */
    int part_count;

    int scc;                 /* component; components are numbered in an order in which they can run */
};

typedef enum kr_step {
    KR_STEP_ONCE,      /* no cycle */
    KR_STEP_DAYS,      /* day by day over all its row sets */
    KR_STEP_SEQUENCE   /* along the sequence of its one row set */
} kr_step;

typedef struct kr_scc kr_scc;
struct kr_scc {
    kr_task **tasks;         /* ONCE: one; DAYS: see inner; SEQUENCE: in the order of one step */
    int task_count;
    kr_step step;
    kr_scc *inner;           /* DAYS: in the order of one day; ONCE or SEQUENCE each */
    int inner_count;
    kr_task *seq;            /* SEQUENCE */
};

struct kr_plan {
    kr_model *model;
    kr_arena *arena;
    kr_task **tasks;
    int task_count;
    size_t task_capacity;
    kr_rowset **rowsets;
    int rowset_count;
    size_t rowset_capacity;
    kr_rowset *book;
    kr_task **outputs;       /* tasks of published columns and keys */
    int output_count;
    size_t output_capacity;
    kr_task **first;         /* to run before others that do not say that they read them */
    int first_count;
    size_t first_capacity;
    kr_task **asserts;       /* per assert of the model */
    kr_task *days;           /* NULL: a book without days */
    kr_task *extra;          /* kr_run_eval: the formula asked for */
    kr_scc *sccs;
    int scc_count;
    int settled;             /* tasks before this one are compiled */
    kr_diags *diags;         /* while it is built */
    bool failed;
};

/* ---- expressions (expr_tools.c) */
int kr_expr_frames(const kr_expr *expr);                     /* bit f: mentions the row of frame f */
bool kr_expr_equal(const kr_expr *a, const kr_expr *b);      /* NULLs are equal */
bool kr_edges_equal(const kr_edges *a, const kr_edges *b, int n);
uint64_t kr_expr_hash(const kr_expr *expr);
kr_expr *kr_expr_to_own(kr_arena *arena, const kr_expr *expr); /* a copy with frame 1 made frame 0 */
bool kr_expr_is_plain(const kr_expr *expr);                  /* a column, constant or parameter */
int kr_expr_conjuncts(const kr_expr *where, const kr_expr **out, int room); /* AND opened; more than room: 0 */
bool kr_expr_never_fails(const kr_expr *expr);               /* in pairs: an error only where a column that is read is one */
/* `T.x < e`, e without T's row: e, a bound on the number, day or time T.x (frame 1). NULL: not so. */
const kr_expr *kr_expr_bound(const kr_expr *expr, kr_column_def **column, bool *low, bool *open);
bool kr_is_day_of_row(const kr_expr *expr, const kr_sheet *sheet, int frame);
bool kr_column_is_day(const kr_column_def *column);          /* the day of its row */
/* Rows of other sheets that a match finds, in days: own is frame 0, ranging frame 1 (its rows are ranging_reach away). */
kr_reach kr_match_reach(const kr_model *model, const kr_match *match, int count, const kr_sheet *own, const kr_sheet *ranging, kr_reach ranging_reach);
kr_reach kr_time_reach(const kr_model *model, const kr_expr *limit, const kr_sheet *own, const kr_column_def *order); /* rows before `limit` */

/* ---- building (plan.c, compile.c, forms.c) */
kr_task *kr_task_new(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset);
void kr_task_edge(kr_plan *plan, kr_task *from, kr_task *to, kr_reach reach);
/* false: more than `most`; reported, and the plan fails. */
bool kr_plan_limit(kr_plan *plan, kr_span span, int count, int most, const char *what);
kr_rowset *kr_rowset_of(kr_plan *plan, const kr_sheet *sheet); /* its rows proper */
kr_task *kr_column_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *def);
void kr_plan_settle(kr_plan *plan); /* compile the columns asked for so far, and those that they ask for */
kr_task *kr_expr_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *expr); /* own-row expression as a column */
kr_task *kr_index_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *const *columns, int count);
void kr_probe_edge(kr_plan *plan, kr_task *from, kr_task *index, kr_reach reach); /* an index that is asked by values: its columns too */
kr_task *kr_seq_task(kr_plan *plan, kr_rowset *rowset, kr_column_def *const *per, int per_count, kr_column_def *const *order, int order_count);
kr_task *kr_group_task(kr_plan *plan, kr_task_kind kind, kr_rowset *rowset, kr_task *index, const kr_expr *const *near, kr_reach reach);
kr_task *kr_part_task(kr_plan *plan, const kr_rows *rows, const kr_sheet *into);
bool kr_task_same_columns(const kr_task *task, kr_task *const *columns, int count);
kr_task *kr_hops_task(kr_plan *plan, const kr_expr *expr);  /* the graph that an instruction HOPS asks */
kr_task *kr_form_task(kr_plan *plan, kr_rowset *rowset, const kr_expr *expr); /* forms that give a column of their own */

/* What an own-row aggregate, lookup or choice reads; made by forms.c and used by programs. */
typedef struct kr_gather {
    kr_task *map, *column;   /* cells of column at the rows of map (AGG: values of a group) */
    kr_reach reach;          /* of column */
    bool grouped;
} kr_gather;
bool kr_gather_of(kr_plan *plan, kr_rowset *rowset, const kr_expr *expr, kr_gather *out); /* false: not such a form */

/* Compile for own rows (far NULL) or pairs; adds the edges of what it reads to `task`; far_reach: of frame 1's columns. */
kr_program *kr_compile(kr_plan *plan, kr_task *task, kr_rowset *own, kr_rowset *far, kr_reach far_reach, const kr_expr *expr);

/* Order of running and legality of cycles; false: reported. (graph.c) */
bool kr_graph_order(kr_plan *plan);
/* A plan for one more formula over a finished run's model; NULL: reported. */
kr_plan *kr_plan_formula(kr_model *model, kr_arena *arena, const kr_sheet *sheet, const kr_expr *expr, kr_diags *diags);
const char *kr_task_kind_name(kr_task_kind kind);
char *kr_task_label(kr_arena *arena, const kr_task *task); /* "account.smoothed", "index fill(address, day)" */

#endif
