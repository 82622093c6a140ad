/* families.h: the families that all.c puts together, and what their kernels share (private to stdlib). */
#ifndef KR_STDLIB_FAMILIES_H
#define KR_STDLIB_FAMILIES_H

#include "vm/lang/fn.h"

extern const kr_fn kr_operator_fns[]; /* operators.c: rows named by the operator's text */
extern const kr_fn kr_logic_fns[];    /* logic.c */
extern const kr_fn kr_math_fns[];     /* math.c */
extern const kr_fn kr_round_fns[];    /* round.c */
extern const kr_fn kr_agg_fns[];      /* agg.c */
extern const kr_fn kr_stats_fns[];    /* stats.c */
extern const kr_fn kr_series_fns[];   /* series.c */
extern const kr_fn kr_text_fns[];     /* text.c */
extern const kr_fn kr_date_fns[];     /* date.c */
extern const kr_fn kr_lookup_fns[];   /* lookup.c */
extern const kr_fn kr_chance_fns[];   /* chance.c */
extern const kr_fn kr_crypto_fns[];   /* crypto.c */
extern const kr_fn kr_crypto_fns[];   /* crypto.c */
extern const kr_fn kr_chance_fns[];   /* chance.c */

/* <0, 0, >0 of two plain cells of one ordered type. */
static inline int kr_lib_cmp(const kr_call *call, kr_type type, kr_cell a, kr_cell b)
{
    if (type == KR_T_TEXT || type == KR_T_BYTES)
        return kr_pool_cmp(call->env->pool, (uint32_t)a.lo, (uint32_t)b.lo);
    return kr_raw_cmp(a, b);
}

#endif
