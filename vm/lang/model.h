/* model.h: what a rule file declares. Built by vm/host (or by hand in tests), completed by the checker (kr_check), read by the
 * engine, the store and the reports. All of it is in one arena; text is NUL-terminated. */
#ifndef KR_MODEL_H
#define KR_MODEL_H

#include "vm/lang/ast.h"
#include "vm/lang/fn.h"

typedef struct kr_expr kr_expr;   /* expr.h */
typedef struct kr_sheet kr_sheet;
typedef struct kr_column_def kr_column_def;
typedef struct kr_script kr_script; /* a translated Lua function; vm/lang/script.h */

/* A formula as written and, after the check, as meant. */
typedef struct kr_formula {
    kr_fragment *fragment; /* NULL: there is none */
    kr_node *tree;         /* parsed, defines not yet expanded */
    kr_expr *expr;         /* checked */
} kr_formula;

typedef struct kr_doc { /* the --- comment above a declaration */
    const char *text;      /* without the marker and the unit; "" when none */
    const char *section;   /* source section, when the comment names one as (§ …); else NULL */
    kr_unit unit;          /* from the brackets at its end */
    kr_span unit_span;
} kr_doc;

typedef struct kr_param {
    const char *name;
    kr_type type;          /* number, text, boolean or day */
    kr_cell value;
    const char *written;   /* as in the file: "25%", 0.3 */
    bool has_min, has_max;
    kr_num min, max;
    kr_doc doc;
    kr_span span, value_span; /* value_span: the literal itself, for `propose` */
} kr_param;

struct kr_column_def {
    const char *name;
    kr_sheet *sheet;
    int index;             /* in the sheet */
    bool input;            /* typed input; else a formula */
    bool optional;         /* input column that the data may lack: then blank */
    kr_type type;          /* inputs: declared; formulas: by the checker */
    kr_domain domain;      /* inputs */
    kr_formula formula;
    kr_doc doc;
    kr_unit unit;          /* declared or inferred */
    bool hidden;           /* made by us, not by the author */
    kr_span span;
    /* by the checker */
    bool is_state;         /* some formula reads it back in time (MEANING.md section 5) */
    enum { KR_HISTORY_NONE, KR_HISTORY_BLANK, KR_HISTORY_BACKFILL, KR_HISTORY_VALUE } history;
    kr_formula history_value;
};

typedef enum kr_rows_kind {
    KR_ROWS_DATA,     /* the table of the sheet's name */
    KR_ROWS_CROSS,    /* every combination of the parts */
    KR_ROWS_UNION,    /* rows of all parts (same columns), each once */
    KR_ROWS_COLUMN,   /* "T.c": the different values of a column, not blank */
    KR_ROWS_DAYS,     /* "day": the days of the rulebook */
    KR_ROWS_RANGE,    /* range(name, low, high): whole numbers low … high, both formulas of parameters only */
    KR_ROWS_DISTINCT, /* distinct("T", {…}, "condition"): different combinations of columns of T's rows */
    KR_ROWS_JOIN,     /* join { a =, b =, on =, where =, key = } */
    KR_ROWS_FOLD      /* rows that a fold emits */
} kr_rows_kind;

typedef struct kr_rows kr_rows;
struct kr_rows {
    kr_rows_kind kind;
    kr_span span;
    kr_rows **parts;               /* CROSS, UNION */
    int part_count;
    const char *sheet_name, *sheet_name_b; /* COLUMN, DISTINCT, JOIN (a, b), FOLD (over) */
    kr_sheet *sheet, *sheet_b;     /* resolved by the checker */
    const char **columns;          /* names of the row's columns that this part gives: COLUMN 1, DAYS "day", RANGE 1, DISTINCT n, JOIN keys */
    const char **from;             /* COLUMN, DISTINCT: the columns of T (usually the same names) */
    int column_count;
    const char **on;               /* JOIN: columns equal in both */
    int on_count;
    kr_formula where;              /* DISTINCT: in T's row (bare names are T's columns); JOIN: a.x, b.x */
    kr_formula low, high;          /* RANGE */
    kr_formula *key;               /* JOIN: formulas in a.x, b.x, one per columns[] */
    struct kr_fold *fold;          /* FOLD */
};

typedef struct kr_fold { /* walks `over` in order with a state, emits rows */
    const char *name;
    const char **per, **order;     /* columns of `over`; order empty: its own */
    int per_count, order_count;
    kr_formula where;              /* over's row */
    struct kr_fold_state {
        const char *name;
        kr_type type;              /* scalar state, or the value type of a map/list */
        enum { KR_STATE_SCALAR, KR_STATE_MAP, KR_STATE_LIST } kind;
        kr_type key_type;          /* MAP */
        kr_cell start;             /* SCALAR */
        kr_span span;
    } *state;
    int state_count;
    kr_script *step;               /* function(state, row, emit) */
    kr_span span;
} kr_fold;

struct kr_sheet {
    const char *name;
    int index;
    kr_column_def **columns;       /* in the order of assignment; key columns of row generators that the author did not type come first */
    int column_count;
    size_t column_capacity;
    const char **key_names;        /* as declared; may be 0: a bag */
    int key_count;
    kr_column_def **keys;          /* by the checker */
    kr_rows *rows;
    kr_formula where;              /* on any rows: keeps those where it is true; only key (and, for data, input) columns as bare names */
    bool optional;                 /* the table may be absent */
    const char **per_names, **order_names; /* as declared, NULL: not declared */
    int per_count, order_count;
    kr_column_def **per, **order;  /* by the checker: resolved defaults (grid: per = other keys, order = day) */
    int per_n, order_n;
    kr_column_def *clock;          /* by the checker: the day key column; or the one time column of `order` (its day is the row's day); NULL: none */
    kr_doc doc;
    kr_span span;
};

typedef struct kr_define { const char *name; const char **args; int arg_count; kr_formula body; kr_doc doc; kr_span span; } kr_define;
typedef struct kr_user_fn { const char *name; kr_script *script; kr_doc doc; kr_span span; } kr_user_fn;

typedef struct kr_assert { /* check and require */
    kr_sheet *sheet;
    const char *title;
    kr_formula formula;    /* boolean, of the sheet's row; blank counts as held */
    bool require;          /* bad data (exit 4); else a finding (exit 1) */
    bool warning;          /* neither: only named */
    kr_span span;
} kr_assert;

typedef struct kr_example { /* a small case with expected values, for `krules test` */
    const char *title;
    struct kr_example_table { const char *sheet; const char **columns; int column_count; const char **cells; int row_count; bool expect; kr_span span; } *tables;
    int table_count;       /* cells row by row, as text, NULL: blank */
    bool has_from, has_to;
    int64_t from, to;
    kr_span span;
} kr_example;

typedef struct kr_carry { const char *sheet, *new_name, *old_name; kr_span span; } kr_carry;

typedef struct kr_model {
    kr_arena *arena;
    kr_pool *pool;                 /* constants of formulas; shared with the data of the run */
    kr_families families;
    kr_source *source;             /* the rule file; NULL for models made by hand */
    const char *id, *title;
    int version, language;
    bool has_effective_from;
    int64_t effective_from;        /* day */
    int notice_days;
    bool has_emergency;            /* emergency = { notice_days = N }: the shorter notice that emergency signers may give */
    int emergency_days;
    bool has_days;
    kr_formula days_from, days_to; /* day or time formulas over inputs: the rulebook's first day; days_to may be absent */
    int days_lead;
    bool days_open;                /* days asked for before the first have rows, too */
    kr_formula governed_by;        /* books without days */
    const char *report;            /* "sheet.column": the text that `krules report` gives for a row; NULL: none */
    kr_span report_span;
    kr_column_def *report_column;  /* by the checker */
    kr_span header_span;
    kr_param *params;      int param_count;   size_t param_capacity;
    kr_sheet **sheets;     int sheet_count;   size_t sheet_capacity;
    kr_define *defines;    int define_count;  size_t define_capacity;
    kr_user_fn *user_fns;  int user_fn_count; size_t user_fn_capacity;
    kr_sheet **outputs;    int output_count;  size_t output_capacity;
    struct kr_output_columns { const char **names; int count; kr_span span; } *output_columns; /* per output: the columns it publishes, in order; count 0: all not hidden */
    kr_assert *asserts;    int assert_count;  size_t assert_capacity;
    kr_example *examples;  int example_count; size_t example_capacity;
    kr_carry *carries;     int carry_count;   size_t carry_capacity;
} kr_model;

kr_model *kr_model_new(kr_arena *arena, kr_pool *pool, kr_families families);
kr_sheet *kr_model_sheet(const kr_model *model, const char *name);            /* NULL: none */
kr_sheet *kr_model_add_sheet(kr_model *model, const char *name);
kr_column_def *kr_sheet_column(const kr_sheet *sheet, const char *name);      /* NULL: none */
kr_column_def *kr_sheet_add_column(kr_model *model, kr_sheet *sheet, const char *name);
kr_param *kr_model_param(const kr_model *model, const char *name);
kr_define *kr_model_define(const kr_model *model, const char *name);
kr_user_fn *kr_model_user_fn(const kr_model *model, const char *name);

#endif
