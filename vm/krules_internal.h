/* krules_internal.h: the objects behind krules.h. Included by vm/krules*.c only. */
#ifndef KRULES_INTERNAL_H
#define KRULES_INTERNAL_H

#include "vm/krules.h"
#include "vm/store/book.h"
#include "vm/store/digest.h"
#include "vm/store/results.h"
#include "vm/store/view.h"

typedef struct krules_object krules_object; /* first member of each object: the session's list, newest first */
struct krules_object {
    krules *session;
    krules_object *next, **at;
    void (*destroy)(krules_object *object);
};
void krules_object_add(krules *k, krules_object *object, void (*destroy)(krules_object *object));
void krules_object_free(krules_object *object);

typedef struct krules_calculator krules_calculator; /* krules_calc.c */
void krules_calculator_free(krules_calculator *calculator);

struct krules {
    kr_arena *arena;
    kr_arena *message_arena;
    kr_diags *diags;
    const char *rules;
    krules_object *objects;
    krules_calculator *calculator;
};

struct krules_book {
    krules_object object;
    kr_arena *arena;
    kr_pool *pool;
    kr_book *book;
};

struct krules_data {
    krules_object object;
    krules_book *book;
    kr_arena *arena;
    kr_book_data *data;
    kr_data_digest *digest; /* NULL until asked for */
    uint64_t load_ms;
};

struct krules_result {
    krules_object object;
    krules_book *book;
    krules_data *data;
    kr_arena *arena;
    kr_arena *text[2];      /* cells handed out: this half and the one before */
    unsigned text_used;
    kr_chain *chain;
    kr_view *view;          /* what was asked for */
    size_t check_failures;
    kr_save_state state;
    char from[16], to[16];
    uint64_t plan_ms, write_ms;
};

uint64_t krules_now_ms(void);
/* The day of an option; *has: whether it is given (text not NULL). false: not a day, and a message that names the flag. */
bool krules_read_day(krules *k, const char *flag, const char *text, bool *has, int64_t *day);
/* Whether a text is one line of UTF-8 without control characters; else *bad is the byte, from 1, that is none of such a line. What
 * signers write must be: it could otherwise draw lines of its own into what `log` and the reports show. */
bool krules_is_line(const char *text, size_t *bad);
/* The same of a reason (NULL: none). false: a message that says so. */
bool krules_is_reason(krules *k, const char *why);

const kr_dataset *krules_data_last(const krules_data *data); /* the dataset of the newest version */

#endif
