/* ast.h: the parse tree of one formula, as written. Places are kept for every node. */
#ifndef KR_AST_H
#define KR_AST_H

#include "vm/lang/type.h"
#include "vm/text/diag.h"

typedef enum kr_node_kind {
    KR_N_NUMBER,  /* value */
    KR_N_TEXT,    /* text, len (unescaped) */
    KR_N_BOOLEAN, /* value */
    KR_N_NAME,    /* text: a bare name */
    KR_N_DOT,     /* text = sheet, name2 = column: T.x */
    KR_N_UNARY,   /* op '-', '+', '%' ; kid[0] */
    KR_N_BINARY,  /* op: + - * / ^ & = < > and KR_OP_NE/LE/GE; kid[0], kid[1] */
    KR_N_CALL,    /* text = function name; kids = arguments */
    KR_N_LIST,    /* {…}; kids */
    KR_N_SORT     /* x ASC / x DESC (inside RANK); op 'A' or 'D'; kid[0] */
} kr_node_kind;

enum { KR_OP_NE = 256, KR_OP_LE, KR_OP_GE };

typedef struct kr_node kr_node;
struct kr_node {
    kr_node_kind kind;
    int op;
    const char *text;   /* NUL-terminated, in the arena */
    uint32_t text_len;
    const char *name2;
    kr_num value;
    kr_node **kids;
    int kid_count;
    kr_node *where;      /* calls: WHERE condition, or NULL */
    bool has_by;         /* calls: BY was written (BY () has by_count 0) */
    kr_node **by;        /* KR_N_NAME nodes */
    int by_count;
    uint32_t start, end; /* bytes of the fragment's text; for calls from the name to the bracket */
    uint32_t op_start, op_end; /* the operator; for calls the function's name */
    int level;           /* binary operators: precedence, comparisons 1 */
    int depth;           /* 1 for leaves; passes may recurse: the parser keeps it below 1300 */
    const kr_fragment *fragment; /* the text this node was written in (a define's body is another than its use) */
};

/* A whole formula. A leading `=` is allowed. NULL and diagnostics when it does not parse. */
kr_node *kr_parse_formula(kr_arena *arena, const kr_fragment *fragment, kr_diags *diags);

/* Canonical text: one form for equal trees, minimal brackets, one space around operators; parses back to an equal tree. */
char *kr_print_formula(kr_arena *arena, const kr_node *node);
bool kr_node_equal(const kr_node *a, const kr_node *b);
kr_span kr_node_span(const kr_node *node);

#endif
