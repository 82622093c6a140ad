/* why.h: why a row of a result is what it is, as text for people or as one JSON object.
 *
 * Asked for one column: its value, its formula as written and as meant, what it was computed from in this row, and for every form the
 * rows of other sheets that went in. Asked for none: every column of the row, and each set of rows that went in once. */
#ifndef KR_WHY_H
#define KR_WHY_H

#include "vm/store/book.h"

typedef struct kr_why_question {
    const char *sheet, *column;      /* column NULL: the whole row */
    const char *const *keys;         /* KEY=VALUE, as many as tell the row from others */
    int key_count;
    size_t rows;                     /* most rows shown of a form; 0: all */
} kr_why_question;

typedef struct kr_why kr_why;

/* The chain must have all columns. NULL: E0804 (no such sheet, column or row; several rows), or what evaluation says. */
kr_why *kr_why_new(kr_arena *arena, const kr_chain *chain, const kr_why_question *question, kr_diags *diags);
const char *kr_why_text(const kr_why *why);
const char *kr_why_json(const kr_why *why);

#endif
