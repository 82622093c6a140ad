/* rewrite.h: the text that Lua runs, made from the text that was written.
 *
 * Lua runs the file with these changes, and each line keeps its number:
 *  - a numeral with a point that is the value of a declaration is handed over as written, every other one is refused, as are
 *    `/`, `^`, bit operators and whole numbers of 2^63 and more;
 *  - `+ - *` and comparisons become calls that check (overflow, bytewise order); a condition refuses symbolic values;
 *  - declarations are told their site, the place in the tree they come from;
 *  - bodies of `fn` and of a fold's `step` are cut out: they are translated from the tree, Lua never sees them;
 *  - a name that is neither a local nor ours is refused, with a suggestion. */
#ifndef KR_REWRITE_H
#define KR_REWRITE_H

#include "vm/host/lua_ast.h"

typedef enum kr_global_kind {
    KR_G_HELPER,  /* a plain function */
    KR_G_DECLARE, /* a function that is told its site; may only be called */
    KR_G_TYPE,    /* a type: a value, or called with bounds (then told its site) */
    KR_G_TABLE    /* param, define, fn: assigned to by field */
} kr_global_kind;

typedef struct kr_global {
    const char *name;
    kr_global_kind kind;
} kr_global;
extern const kr_global kr_globals[]; /* ended by NULL; sandbox.c */

typedef struct kr_lua_site {
    const kr_lua_stat *stat;
    kr_lua_expr *call;  /* a declaring call; NULL: an assignment */
    kr_lua_expr *value; /* an assignment's value */
    kr_lua_expr *target;
} kr_lua_site;

typedef struct kr_rewritten {
    char *text; /* NUL-terminated */
    size_t len;
    kr_lua_site *sites; /* numbered from 0 */
    size_t site_count, site_capacity;
} kr_rewritten;

/* The prefix of names that the rewritten text uses and nobody may write. */
#define KR_PREFIX "_KR"

bool kr_lua_rewrite(kr_lua_tree *tree, kr_rewritten *out, kr_diags *diags);

#endif
