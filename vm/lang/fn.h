/* fn.h: the row type of a primitive. A primitive is ONE row beside its kernel in a file of stdlib/; parser, checker, engine,
 * `krules help`, docs/functions.md, completion and two tests (example and edge) all read this row.
 *
 * Kernels. `in[k]` is a vector of n cells, `out` never overlaps an input. A `row` kernel treats special cells itself
 * (kr_spread…); a `scalar` kernel is called with plain cells only: the adapter has spread blanks and errors.
 * A `series` kernel gets each series whole, in order, known values only (blank rows stepped over pairwise, errors spread by the
 * caller), and scalar arguments that are plain. Kernels are pure and may run on several threads at once. */
#ifndef KR_FN_H
#define KR_FN_H

#include <stddef.h>

#include "vm/lang/type.h"
#include "vm/text/pool.h"

typedef struct kr_env {
    kr_pool *pool;     /* where text results are interned and text arguments are read */
    kr_arena *scratch; /* this thread's; reset by the engine between calls */
} kr_env;

typedef struct kr_call {
    kr_env *env;
    int argc;             /* arguments given (optional ones may be missing) */
    const kr_type *types; /* their types, argc entries */
    kr_type result;       /* the checked type of the result */
} kr_call;

typedef void kr_row_kernel(const kr_call *call, kr_cell *out, const kr_cell *const *in, size_t n);
typedef kr_cell kr_scalar_kernel(const kr_call *call, const kr_cell *args);
typedef kr_cell kr_series_kernel(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars);

/* The same statistic over a window that slides: digits equal to `series` over the values now inside.
 * push appends one value of each series, pop removes the oldest (x are its values). call->types/argc as for series. */
typedef struct kr_slide {
    void *(*start)(const kr_call *call, const kr_cell *scalars, size_t capacity); /* heap state (kr_alloc); capacity: most values inside, 0 unknown */
    void (*push)(void *state, const kr_cell *x);
    void (*pop)(void *state, const kr_cell *x);
    kr_cell (*value)(void *state);
    void (*end)(void *state);
} kr_slide;

typedef enum kr_shape {
    KR_ROWWISE,   /* cells in, a cell out */
    KR_AGGREGATE, /* series in: over a sheet's rows, a window or a list */
    KR_FORM       /* syntax and meaning are the checker's and engine's: `form` says which */
} kr_shape;

typedef enum kr_form {
    KR_FORM_NONE,
    KR_FORM_LOOKUP,                                                     /* LOOKUP(T.x, T.a = e, …) */
    KR_FORM_PREV, KR_FORM_LAST, KR_FORM_DAYS,                           /* own sequence; LAST and DAYS only inside an aggregate */
    KR_FORM_RUNSUM, KR_FORM_RUNCOUNT, KR_FORM_RUNMAX, KR_FORM_RUNMIN,
    KR_FORM_ASOF, KR_FORM_NEXT, KR_FORM_FIRST, KR_FORM_TWA, KR_FORM_VALUE_AT, /* a sequence of another sheet */
    KR_FORM_ARGMIN, KR_FORM_ARGMAX,
    KR_FORM_COMPONENT, KR_FORM_HOPS, KR_FORM_EDGES,
    KR_FORM_RANK, KR_FORM_SHARE, KR_FORM_PRORATE, KR_FORM_APPORTION,
    KR_FORM_AS                                                          /* AS(x, "USD/TAO"): unit only */
} kr_form;

typedef struct kr_fn {
    const char *name;   /* CAPITALS, dots allowed (STDEV.S); matched in any case */
    const char *usage;  /* "CLIP(x, low, high)" */
    /* "number, number, number -> number": alternatives apart by " | "; words number boolean text bytes day time any T (one type
     * throughout, any ordered type); `series number` for the series of an aggregate (a scalar may stand before them,
     * FORECAST(at, y, x); kernels get series and scalars apart, each in this order); [number] optional;
     * a last argument followed by `...` may repeat ("T, T... -> T": two or more). A second type variable is U. `(a, b)...` repeats a group,
     * once or more, and `[x]` may follow it ("(boolean, T)... -> T", "U, (U, T)..., [T] -> T"); `-> T` with nothing before it takes no arguments.
     * Empty for forms (the checker knows them). */
    const char *sig;
    /* Units in the same shape: "u, u, u -> u", "u, v -> u*v", "u, v -> u/v", "1 -> 1", "u -> u^2"; `*` takes any and gives nothing.
     * NULL: arguments any, result without unit ([1]). One entry per argument; those that are not numbers take `*`.
     * Alternatives apart by ` | ` stand beside those of sig. u, v, w are variables, other words are units ("*, ms -> *"); a known unit
     * of an argument must then be that one. */
    const char *unit;
    kr_shape shape;
    kr_form form;
    bool lazy;          /* IF, IFS, COALESCE, IFERROR …: the kernel treats specials by position (documentation and reference only) */
    const char *doc;    /* one or two sentences: the definition, and to what it is exact */
    const char *source; /* paper or spec section, or NULL */
    const char *example, *gives;    /* runnable: `krules calc` of example prints gives (forms: shown, not run, when gives is NULL) */
    const char *edge, *edge_gives;  /* the degenerate or failing case */
    kr_row_kernel *row;       /* ROWWISE: exactly one of row and scalar */
    kr_scalar_kernel *scalar;
    kr_series_kernel *series; /* AGGREGATE */
    const kr_slide *slide;    /* AGGREGATE, or NULL: linear in the window */
    bool keep_blanks;         /* AGGREGATE whose kernel wants blank rows too (COUNTBLANK) */
} kr_fn;

/* A list of families, each ended by a row with name NULL; itself ended by NULL. The parser and checker are handed this. */
typedef const kr_fn *const *kr_families;
const kr_fn *kr_fn_find(kr_families families, const char *name, size_t len); /* any case; NULL: none */
const kr_fn *kr_fn_at(kr_families families, size_t i);                      /* i-th of all, NULL past the end */

#endif
