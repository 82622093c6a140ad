/* random_internal.h: what the files of the generator share. */
#ifndef KR_TESTS_RANDOM_INTERNAL_H
#define KR_TESTS_RANDOM_INTERNAL_H

#include "tests/ref/random_rules.h"

enum { BASE_DAY = 19800, DAYS_OF_DATA = 6, DATA_SHEETS = 5, SHEETS = 12, MAX_COLUMNS = 48, MAX_ROWS = 600, TEXT_MAX = 1 << 18, LINE_MAX_BYTES = 6000 };

enum { ITEM, EVENT, PRICE, STEP, LOG, GRID, DAILY, COMBO, DUO, BACK, ALL, FOLD };

typedef struct gen_column {
    char name[12];
    kr_type type;
    bool input;
} gen_column;

typedef struct gen_sheet {
    const char *name;
    gen_column columns[MAX_COLUMNS];
    int count;
    int keys;        /* the first so many columns */
    kr_type order;   /* type of what its rows follow: time or day; NUMBER: has a sequence that no other sheet can ask; NONE */
    bool by_day;     /* DAYS works */
} gen_sheet;

typedef struct proposal_column {
    int sheet;
    gen_column column;
} proposal_column;

struct random_rules {
    uint64_t state;
    gen_sheet sheets[SHEETS];
    char skeleton[8192];
    char text[TEXT_MAX];       /* kept columns */
    size_t text_len;
    char proposal[3 * LINE_MAX_BYTES + 64];
    size_t proposal_len;
    proposal_column proposed[3];
    int proposed_count, next_name;
    char whole[TEXT_MAX + 3 * LINE_MAX_BYTES + 8192 + 64];
    bool large;
    int focus;                 /* the form that is tried most in this file */
    int row_count[DATA_SHEETS];
    uint64_t draw[DATA_SHEETS][MAX_ROWS][8]; /* cells of data sheets, as indexes into small worlds of values */
};

static inline int below(random_rules *r, int n) { return (int)(random_next(r) >> 33) % n; }
static inline bool chance(random_rules *r, int percent) { return below(r, 100) < percent; }
static inline int random_sheet(random_rules *r) { return below(r, SHEETS); }

typedef struct buffer {
    char at[LINE_MAX_BYTES];
    size_t len;
} buffer;

__attribute__((format(printf, 2, 3))) void random_put(buffer *t, const char *format, ...);

typedef enum place {
    IN_ROW,  /* anything */
    IN_AGG,  /* own and far rows, no further form */
    IN_FAR,  /* far row only */
    IN_CONST /* no row */
} place;

typedef struct scope {
    int own, far;
    place place;
    const gen_column *self; /* may be named inside PREV */
    bool inside_prev;
} scope;

extern const kr_type random_types[5]; /* those that formulas are generated of */

/* random_formula.c: a formula of that type, of at most so many levels; random_form: one that looks at other rows, where it can. */
void random_formula(random_rules *r, buffer *t, const scope *s, kr_type type, int depth);
void random_form(random_rules *r, buffer *t, const scope *s, kr_type type, int depth);

#endif
