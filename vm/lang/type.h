/* type.h: types of cells, their domains, and units. */
#ifndef KR_TYPE_H
#define KR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/num/num.h"
#include "vm/text/arena.h"

typedef enum kr_type {
    KR_T_NONE,    /* not known; a blank constant; any */
    KR_T_NUMBER,  /* kr_num */
    KR_T_BOOLEAN, /* 0, 1 */
    KR_T_TEXT,    /* pool id; ordered by bytes */
    KR_T_BYTES,   /* pool id; ordered by bytes; shown as lowercase hex */
    KR_T_DAY,     /* days since 1970-01-01 */
    KR_T_TIME,    /* ms since 1970-01-01 UTC */
    KR_T_LIST     /* {1, 2, 3}: only as an argument of a statistic */
} kr_type;

const char *kr_type_name(kr_type type); /* "number", … */

/* What an input column may hold beside blank. */
typedef struct kr_domain {
    bool whole;                    /* number { whole = true } */
    bool address;                  /* lowercase 0x + hex or any name: compared as bytes; see `address` in docs/language.md */
    bool has_above, has_below;     /* strictly */
    bool has_min, has_max;         /* bounds allowed */
    kr_num above, below, min, max;
    const char *const *one_of;     /* text: the words allowed; NULL: all */
    int one_of_count;
    bool required;                 /* blank is an error: number { required = true } */
} kr_domain;

/* A product of names with whole powers, sorted by name, or unknown (takes part in no check). [1] is known with no factors. */
typedef struct kr_unit {
    bool known;
    int count;
    struct kr_factor { const char *name; int power; } factor[8];
} kr_unit;

/* "USD", "alpha/day", "USD*ms", "1/day^2", "1". false: not a unit text. */
bool kr_unit_read(kr_arena *arena, const char *text, size_t len, kr_unit *out);
char *kr_unit_write(kr_arena *arena, const kr_unit *unit); /* without brackets; "1" for none; "?" when unknown */
bool kr_unit_eq(const kr_unit *a, const kr_unit *b);       /* both known and the same product */
bool kr_unit_mul(const kr_unit *a, const kr_unit *b, int sign, kr_unit *out); /* a * b^sign; unknown if either is; false when too many factors */

#endif
