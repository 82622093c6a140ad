/* lua_ast.h: the tree of a rule file. Every node keeps its first and last token, so that a pass can edit the text in place
 * (rewriting for the sandbox, `propose`, `fmt`). Names are resolved to the local they mean, or to none (a global).
 * All of it is in one arena. */
#ifndef KR_LUA_AST_H
#define KR_LUA_AST_H

#include "vm/host/lua_lex.h"

typedef struct kr_lua_expr kr_lua_expr;
typedef struct kr_lua_block kr_lua_block;
typedef struct kr_lua_function kr_lua_function;

typedef struct kr_lua_local {
    const char *name;
    const kr_lua_token *token;
    kr_lua_function *function; /* where it is declared; NULL: the file itself */
    int slot;                  /* counted in its function */
    bool constant;             /* <const> */
} kr_lua_local;

typedef enum kr_lua_expr_kind {
    KR_LE_NIL, KR_LE_TRUE, KR_LE_FALSE, KR_LE_NUMBER, KR_LE_STRING, KR_LE_DOTS,
    KR_LE_FUNCTION, /* function */
    KR_LE_NAME,     /* first->text; local, or NULL */
    KR_LE_INDEX,    /* kids[0][kids[1]]; dotted: kids[1] is the STRING of the name */
    KR_LE_CALL,     /* kids[0](kids[1], …) */
    KR_LE_METHOD,   /* kids[0]:name(kids[1], …) */
    KR_LE_BINARY,   /* kids[0] op kids[1] */
    KR_LE_UNARY,    /* op kids[0] */
    KR_LE_PAREN,    /* (kids[0]) */
    KR_LE_TABLE     /* items */
} kr_lua_expr_kind;

typedef struct kr_lua_item { /* of a table constructor, in order */
    const char *name;        /* name = value; NULL for the others */
    kr_lua_expr *key;        /* [key] = value, name = value (a STRING); NULL: positional */
    kr_lua_expr *value;
} kr_lua_item;

struct kr_lua_expr {
    kr_lua_expr_kind kind;
    int op;                            /* a kr_lua_tok */
    const kr_lua_token *first, *last;  /* its own text is [first->start, last->end) */
    const kr_lua_token *sign;          /* operator; of a call the bracket (or the text or table) that opens its arguments */
    bool dotted;
    kr_lua_local *local;
    kr_lua_expr **kids;
    size_t kid_count, kid_capacity;
    kr_lua_item *items;
    size_t item_count, item_capacity;
    kr_lua_function *function;
};

struct kr_lua_function {
    kr_lua_function *outer;
    kr_lua_local **params;
    size_t param_count, param_capacity;
    bool dots;
    kr_lua_block *body;
    int slot_count;
    const kr_lua_token *first, *last; /* `function` … `end` */
};

typedef enum kr_lua_stat_kind {
    KR_LS_LOCAL, KR_LS_ASSIGN, KR_LS_CALL, KR_LS_DO, KR_LS_WHILE, KR_LS_REPEAT, KR_LS_IF, KR_LS_FOR, KR_LS_FOREACH,
    KR_LS_FUNCTION,       /* function a.b() … end: targets[0], values[0] */
    KR_LS_LOCAL_FUNCTION, /* locals[0], values[0] */
    KR_LS_RETURN, KR_LS_BREAK, KR_LS_GOTO, KR_LS_LABEL
} kr_lua_stat_kind;

typedef struct kr_lua_stat {
    kr_lua_stat_kind kind;
    const kr_lua_token *first, *last;
    kr_lua_local **locals;     /* LOCAL, FOR, FOREACH */
    size_t local_count, local_capacity;
    kr_lua_expr **targets;     /* ASSIGN */
    size_t target_count, target_capacity;
    kr_lua_expr **values;      /* LOCAL, ASSIGN, RETURN, CALL (one); FOR start, limit, step; FOREACH; conditions of IF, WHILE, REPEAT */
    size_t value_count, value_capacity;
    kr_lua_block **blocks;     /* IF: one a condition, then the else; loops and DO: one */
    size_t block_count, block_capacity;
} kr_lua_stat;

struct kr_lua_block {
    kr_lua_stat **stats;
    size_t count, capacity;
};

typedef struct kr_lua_tree {
    kr_arena *arena;
    kr_lua_tokens tokens;
    kr_lua_function *main; /* the file: its body */
} kr_lua_tree;

/* Parse a whole file. NULL and one diagnostic when it is not Lua. */
kr_lua_tree *kr_lua_parse(kr_arena *arena, const kr_source *source, kr_diags *diags);
kr_span kr_lua_expr_span(const kr_lua_tree *tree, const kr_lua_expr *expr);
kr_span kr_lua_token_span(const kr_lua_tree *tree, const kr_lua_token *token);
kr_span kr_lua_stat_span(const kr_lua_tree *tree, const kr_lua_stat *stat);
/* Without the brackets around it. */
kr_lua_expr *kr_lua_bare(kr_lua_expr *expr);

#endif
