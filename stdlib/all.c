/* all.c: the list of families. */
#include "stdlib/stdlib.h"

#include "stdlib/families.h"

const kr_fn *const kr_stdlib[] = {
    kr_operator_fns, kr_logic_fns, kr_math_fns,   kr_round_fns,  kr_agg_fns,    kr_stats_fns, kr_series_fns,
    kr_text_fns,     kr_date_fns,  kr_lookup_fns, kr_crypto_fns, kr_chance_fns, NULL,
};
