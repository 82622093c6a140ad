/* internal.h: what the files of vm/host share: the sandbox's state, the values that Lua holds for us, and how a C function called
 * by Lua says what is wrong. Only this folder sees Lua's headers. */
#ifndef KR_HOST_INTERNAL_H
#define KR_HOST_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>

#include "vm/host/host.h"
#include "vm/host/rewrite.h"

typedef struct kr_host {
    kr_arena *arena;
    kr_pool *pool;
    kr_diags *diags;
    kr_model *model;
    kr_lua_tree *tree;
    kr_rewritten code;
    lua_State *L;
    size_t bytes;    /* of Lua's */
    uint64_t steps;  /* used */
    uint32_t memory_line; /* where memory ran out last */
    long site;       /* of the assignment about to be made; -1: none */
    bool has_header;
    struct kr_late_carry { const char *new_name, *old_name; kr_span span; } *late; /* carry { new = "old" }: the sheet is found at the end */
    size_t late_count, late_capacity;
} kr_host;

kr_host *kr_host_of(lua_State *L);

/* ---- values (value.c): one kind of userdata */
typedef enum kr_value_kind { KR_V_SHEET, KR_V_ROWS, KR_V_TYPE, KR_V_REF, KR_V_DECIMAL, KR_V_STATE, KR_V_TABLE } kr_value_kind;

typedef struct kr_value {
    kr_value_kind kind;
    union {
        kr_sheet *sheet;
        kr_rows *rows;
        struct { kr_type type; kr_domain domain; bool optional; bool given; } column; /* TYPE */
        struct { const char *text; size_t len; } ref;                                  /* REF: a column's or parameter's name */
        struct { const char *written; kr_num value; } decimal;
        struct { bool is_map; kr_type key, value; } state;                             /* STATE: map(K, V), list(V) */
        const char *table;                                                             /* "param", "define", "fn" */
    } as;
} kr_value;

kr_value *kr_value_push(lua_State *L, kr_value_kind kind);
kr_value *kr_value_at(lua_State *L, int index, kr_value_kind kind); /* NULL: something else */
kr_value *kr_value_any(lua_State *L, int index);                    /* NULL: no value of ours */
void kr_value_open(lua_State *L);
const char *kr_value_name(lua_State *L, int index);                 /* "a text", "a sheet", for messages */

/* ---- sandbox (sandbox.c) */
void kr_host_charge(lua_State *L, uint64_t steps); /* raises when the budget is used up */
uint32_t kr_host_line(lua_State *L);
bool kr_host_run(kr_host *h);                      /* false: diagnostics added */
void kr_helpers_open(lua_State *L);                /* helpers.c */
void kr_checked_open(lua_State *L);                /* helpers.c: operators of the rewritten text */

/* ---- what is wrong */
/* Add a diagnostic and leave Lua: does not return. */
_Noreturn void kr_host_raise(lua_State *L);
_Noreturn void kr_host_fail(lua_State *L, kr_code code, kr_span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
_Noreturn void kr_host_fail_help(lua_State *L, kr_code code, kr_span span, const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- arguments with their places (args.c) */
typedef struct kr_arg {
    lua_State *L;
    kr_host *h;
    int index;               /* on Lua's stack, absolute; 0: not given */
    const kr_lua_expr *expr; /* the place it comes from, or NULL */
    kr_span span;            /* always set: of expr, else of the call */
} kr_arg;

const kr_lua_site *kr_site_of(lua_State *L, int index);             /* the site a told function got as its first argument; NULL: none */
kr_span kr_site_span(lua_State *L, const kr_lua_site *site);
kr_arg kr_arg_at(lua_State *L, const kr_lua_site *site, int n);     /* n from 1, after the site */
kr_arg kr_arg_field(const kr_arg *table, const char *name);         /* pushes the value; index 0 (nothing pushed) when nil */
kr_arg kr_arg_item(const kr_arg *table, lua_Integer n);             /* the same for a positional item */
lua_Integer kr_arg_count(const kr_arg *table);                      /* of a list */
bool kr_arg_given(const kr_arg *arg);
bool kr_arg_is_text(const kr_arg *arg);                             /* a text or a reference */
const char *kr_arg_text(const kr_arg *arg, const char *what);       /* in the arena; raises when it is not text */
kr_formula kr_arg_formula(const kr_arg *arg, const char *what);     /* not parsed; takes whole numbers and decimals, too */
bool kr_arg_number(const kr_arg *arg, kr_num *value);               /* a whole number, decimal, or a text that reads as a number */
int64_t kr_arg_whole(const kr_arg *arg, int64_t low, int64_t high, const char *what);
bool kr_arg_boolean(const kr_arg *arg, const char *what);
int64_t kr_arg_day(const kr_arg *arg, const char *what);
const char **kr_arg_names(const kr_arg *arg, int *count, const char *what); /* a list of names */
kr_sheet *kr_arg_sheet(const kr_arg *arg, const char *what);        /* a sheet, or the name of one declared before */
const char *kr_arg_sheet_name(const kr_arg *arg, const char *what); /* the same, or a name declared later */
/* Every name that the table has must be among `fields` (NULL-ended); `items`: positional ones are allowed. */
void kr_arg_fields(const kr_arg *table, const char *const *fields, bool items, const char *what);
void kr_arg_table(const kr_arg *arg, const char *what);
/* The names of a table in the order they are written; for tables made elsewhere, in the order of their bytes. */
const char **kr_arg_keys(const kr_arg *table, int *count);

/* ---- declarations */
kr_doc kr_doc_of(kr_host *h, const kr_lua_stat *stat);              /* doc.c */
void kr_check_name(lua_State *L, const char *name, kr_span span);   /* a name that formulas can say, or raise */
void kr_declare_open(lua_State *L);                                 /* declare.c: sheet, types */
void kr_declare_rows_open(lua_State *L);
void kr_declare_book_open(lua_State *L);
int kr_table_index(lua_State *L);    /* __index and __newindex of param, define, fn and sheets */
int kr_table_newindex(lua_State *L);
int kr_type_call(lua_State *L);
void kr_fold_declare(lua_State *L, const kr_arg *arg, kr_rows *rows);

/* ---- functions of rows (luafn.c) */
/* The body as a script, or NULL and diagnostics. `fold`: a step, whose state and row are tables. */
kr_script *kr_script_translate(kr_host *h, const kr_lua_function *function, const char *name, const kr_fold *fold);

#endif
