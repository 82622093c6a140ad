/* cell.h: the text of one datum to a cell, for every form of input. Private to vm/store. */
#ifndef KR_STORE_CELL_H
#define KR_STORE_CELL_H

#include "vm/lang/model.h"
#include "vm/text/diag.h"

/* What a column accepts, prepared once per table. */
typedef struct kr_cell_rule {
    const char *name;
    kr_type type;
    const kr_domain *domain;
    bool key;
    uint32_t *words; /* pool ids of one_of */
    int word_count;
} kr_cell_rule;

/* One thread's reader: remembers texts it met, so that the pool's lock is rarely taken. */
typedef struct kr_cell_reader kr_cell_reader;
kr_cell_reader *kr_cell_reader_new(kr_pool *pool);
void kr_cell_reader_free(kr_cell_reader *reader);

typedef struct kr_cell_fault {
    kr_code code;
    char message[512];
    char help[256]; /* "" when none */
} kr_cell_fault;

kr_cell_rule *kr_cell_rules_new(kr_arena *arena, const kr_sheet *sheet, kr_pool *pool, int *count); /* the sheet's input columns, in order */

/* Read a datum; "" is blank. false and *fault when the column does not accept it. */
bool kr_cell_read(kr_cell_reader *reader, const kr_cell_rule *rule, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault);
/* Raw bytes (a BLOB): only for columns of type bytes. */
bool kr_cell_read_bytes(kr_cell_reader *reader, const kr_cell_rule *rule, const char *bytes, size_t len, kr_cell *out, kr_cell_fault *fault);

/* Valid UTF-8 without NUL. */
bool kr_text_is_utf8(const char *text, size_t len);

#endif
