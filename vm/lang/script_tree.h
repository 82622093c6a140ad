/* script_tree.h: the body of a `fn` or of a fold's step, as the Lua side hands it over. Names are resolved to slots, states and
 * names of parameters and functions; types are found by kr_script_check and kr_fold_check, which write them here (so a body is
 * checked before it runs, and a run never writes). All of it is in the model's arena. */
#ifndef KR_SCRIPT_TREE_H
#define KR_SCRIPT_TREE_H

#include "vm/lang/script.h"

enum { KR_SCRIPT_ARGS = 32 }; /* most arguments of a primitive */

typedef enum kr_sexpr_kind {
    KR_SE_CONST,  /* value, type; `nil` is a blank of type none */
    KR_SE_LOCAL,  /* slot */
    KR_SE_PARAM,  /* name */
    KR_SE_STATE,  /* state: a scalar of the fold */
    KR_SE_ROW,    /* name: a column of the row */
    KR_SE_ITEM,   /* state: a map or list; kids[0] the key or place (from 1). Not there: blank */
    KR_SE_COUNT,  /* state: how many items */
    KR_SE_TAKE,   /* state: a list; kids[0] the place, none: the last. Taken out; not there: blank */
    KR_SE_NOT, KR_SE_AND, KR_SE_OR, /* of booleans that are known; AND and OR look at the second only when needed */
    KR_SE_IS_BLANK,                 /* x == nil */
    KR_SE_CALL,   /* name: a primitive, an operator of formulas ("+", "neg", "<=", …) or a user's function; kids */
    KR_SE_FLOOR_DIV                 /* a // b */
} kr_sexpr_kind;

typedef struct kr_sexpr kr_sexpr;
struct kr_sexpr {
    kr_sexpr_kind kind;
    kr_span span;
    const char *name;
    bool user;              /* CALL: `name` is a user's function for certain (fn.name) */
    int slot, state;
    kr_cell value;
    kr_sexpr **kids;
    int kid_count;
    /* by the check */
    kr_type type;
    const kr_fn *fn;        /* CALL of a primitive */
    const kr_script *script;/* CALL of a user's function */
    kr_type *types;         /* CALL: of the kids */
    int column;             /* ROW: in the sheet; PARAM: in the model */
};

typedef enum kr_sstat_kind {
    KR_SS_SET,     /* slot = value */
    KR_SS_STATE,   /* state = value */
    KR_SS_ITEM,    /* state[key] = value; blank takes a map's item out */
    KR_SS_APPEND,  /* value at the end of a list */
    KR_SS_EVAL,    /* value, for its effect (a TAKE) */
    KR_SS_EMIT,    /* names[i] = values[i] */
    KR_SS_SETS,    /* several slots or states at once: parts; all values first */
    KR_SS_IF,      /* conditions values[i] with blocks[i]; one more block: else */
    KR_SS_WHILE, KR_SS_REPEAT, /* value, blocks[0] */
    KR_SS_FOR,     /* slot = values[0], values[1], values[2] or NULL */
    KR_SS_EACH,    /* slot, slot2 (-1: not wanted) over state: a list in order, a map in the order of its keys */
    KR_SS_DO, KR_SS_BREAK,
    KR_SS_RETURN   /* value or NULL (blank) */
} kr_sstat_kind;

typedef struct kr_sstat kr_sstat;
typedef struct kr_sblock {
    kr_sstat **stats;
    size_t count, capacity;
} kr_sblock;

struct kr_sstat {
    kr_sstat_kind kind;
    kr_span span;
    int slot, slot2, state;
    kr_sexpr *key, *value;
    kr_sexpr **values;
    int value_count;
    const char **names;
    int *columns;           /* EMIT, by the check: columns of the sheet */
    kr_sblock **blocks;
    int block_count;
    kr_sstat **parts;
    int part_count;
};

struct kr_script {
    const char *name;
    kr_span span;
    int arg_count, slot_count;
    const char **slot_names;
    kr_sblock *body;
    const kr_fold *fold;    /* a step: no arguments, but state and row */
    /* by the check */
    struct kr_script_types *types;
};

/* What the check found; separate, so that a script itself stays as it was translated. */
typedef struct kr_script_types {
    kr_type *slots;
    kr_type result;
    bool busy, checked;
    const void *list;       /* the diagnostics of the check that set the arguments' types */
} kr_script_types;

#endif
