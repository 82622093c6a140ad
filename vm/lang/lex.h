/* lex.h: the words of a formula. Private to vm/lang: the parser and the comparison of formulas read through it.
 *
 * A lexer borrows the fragment; text of text tokens is unescaped into the arena. */
#ifndef KR_LEX_H
#define KR_LEX_H

#include "vm/lang/ast.h"

typedef enum kr_token_kind {
    KR_TOKEN_END,
    KR_TOKEN_NUMBER, /* value */
    KR_TOKEN_TEXT,   /* text, text_len */
    KR_TOKEN_NAME,   /* letters, digits, _ ; the bytes start .. end */
    KR_TOKEN_MARK,   /* op: one of + - * / ^ % & = < > ( ) { } , . or KR_OP_NE, KR_OP_LE, KR_OP_GE */
    KR_TOKEN_FAULT   /* told already */
} kr_token_kind;

typedef struct kr_token {
    kr_token_kind kind;
    int op;
    uint32_t start, end; /* bytes of the fragment's text */
    kr_num value;
    const char *text;
    uint32_t text_len;
} kr_token;

typedef struct kr_lexer {
    kr_arena *arena;
    const kr_fragment *fragment;
    kr_diags *diags; /* NULL: faults are not told */
    uint32_t at;
} kr_lexer;

kr_token kr_lex_next(kr_lexer *lexer);
/* Are the bytes of a name token this word, in any case (`word` in capitals)? */
bool kr_token_is(const kr_lexer *lexer, const kr_token *token, const char *word);

#endif
