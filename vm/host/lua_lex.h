/* lua_lex.h: the tokens of a rule file, with their places. Lossless: what lies between two tokens (space and comments) is
 * [token.trivia, token.start), so the whole text can be written back byte for byte.
 * Text of strings is decoded, with a map of its bytes to the file. All memory is of the arena. */
#ifndef KR_LUA_LEX_H
#define KR_LUA_LEX_H

#include "vm/text/diag.h"

/* Single characters are their own code; the others: */
typedef enum kr_lua_tok {
    KR_L_EOF = 0,
    KR_L_NAME = 256, KR_L_STRING, KR_L_NUMBER,
    KR_L_AND, KR_L_BREAK, KR_L_DO, KR_L_ELSE, KR_L_ELSEIF, KR_L_END, KR_L_FALSE, KR_L_FOR, KR_L_FUNCTION, KR_L_GOTO, KR_L_IF, KR_L_IN,
    KR_L_LOCAL, KR_L_NIL, KR_L_NOT, KR_L_OR, KR_L_REPEAT, KR_L_RETURN, KR_L_THEN, KR_L_TRUE, KR_L_UNTIL, KR_L_WHILE,
    KR_L_CONCAT, KR_L_DOTS, KR_L_EQ, KR_L_GE, KR_L_LE, KR_L_NE, KR_L_SHL, KR_L_SHR, KR_L_IDIV, KR_L_DBCOLON
} kr_lua_tok;

typedef struct kr_lua_token {
    int kind;
    uint32_t trivia, start, end; /* bytes of the source */
    uint32_t line, end_line;     /* from 1 */
    const char *text;            /* NAME: the name; STRING: decoded; NUMBER: as written */
    uint32_t len;
    const uint32_t *map;         /* STRING: len + 1 offsets in the source */
    bool whole;                  /* NUMBER: without point and exponent, and less than 2^63 */
    bool hex;                    /* NUMBER: 0x… */
} kr_lua_token;

typedef struct kr_lua_tokens {
    const kr_source *source;
    kr_lua_token *at;
    size_t count; /* the last is EOF */
    size_t capacity;
} kr_lua_tokens;

/* false and one diagnostic at the first byte that no token can begin with. */
bool kr_lua_lex(kr_arena *arena, const kr_source *source, kr_lua_tokens *out, kr_diags *diags);
/* The word or sign of a kind, for messages: "end", "..", "a name". */
const char *kr_lua_tok_name(kr_arena *arena, int kind);

#endif
