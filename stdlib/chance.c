/* chance.c: a total against what fair coins would have made of the same steps. */
#include <string.h>

#include "stdlib/keccak.h"
#include "vm/lang/fn.h"

/* 128-bit two's complement sums without a carry beyond: the caller has bounded them. */
static inline kr_num plus(kr_num a, kr_num b)
{
    uint64_t lo = a.lo + b.lo;
    return (kr_num){ lo, (int64_t)((uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo)) };
}
static inline kr_num minus(kr_num a) { return (kr_num){ ~a.lo + 1, (int64_t)(~(uint64_t)a.hi + (a.lo == 0)) }; }
static inline kr_num size_of(kr_num a) { return a.hi < 0 ? minus(a) : a; }

/* 64 bits of the stream from bit `at` on, lowest first; the stream has 8 bytes of room behind its last bit. */
static inline uint64_t bits_at(const uint8_t *stream, size_t at)
{
    const uint8_t *from = stream + at / 8;
    uint64_t low = 0;
    for (int i = 7; i >= 0; i--)
        low = low << 8 | from[i];
    unsigned shift = at % 8;
    return shift ? low >> shift | (uint64_t)from[8] << (64 - shift) : low;
}

enum { GROUP = 8, GROUPS = 8, TILE = GROUP * GROUPS };

/* heads[j] = sum of the steps whose coin j*n + k is 1. Eight steps at a time through a table of their 256 partial sums,
 * eight tables at a time, so that a monkey costs one addition for eight coins. */
static void add_heads(kr_num *heads, size_t monkeys, const kr_num *step, size_t n, const uint8_t *stream)
{
    kr_num table[GROUPS][1 << GROUP];
    for (size_t k = 0; k < n; k += TILE) {
        size_t left = n - k < TILE ? n - k : TILE;
        uint64_t mask = left == 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
        for (size_t g = 0; g < GROUPS; g++) {
            table[g][0] = KR_NUM_ZERO;
            for (size_t i = 0; i < GROUP; i++) {
                size_t at = g * GROUP + i, half = (size_t)1 << i;
                kr_num add = at < left ? step[k + at] : KR_NUM_ZERO;
                for (size_t e = 0; e < half; e++)
                    table[g][half + e] = plus(table[g][e], add);
            }
        }
        for (size_t j = 0; j < monkeys; j++) {
            uint64_t bits = bits_at(stream, j * n + k) & mask;
            kr_num sum = heads[j];
            for (size_t g = 0; g < GROUPS; g++)
                sum = plus(sum, table[g][bits >> (g * GROUP) & 0xFF]);
            heads[j] = sum;
        }
    }
}

/* A running sum of 192 bits, for steps whose sums may not fit into 128. */
typedef struct wide_sum {
    uint64_t low, middle;
    int64_t high;
} wide_sum;

static void wide_add(wide_sum *sum, uint64_t lo, int64_t hi)
{
    sum->low += lo;
    uint64_t carry = sum->low < lo;
    sum->middle += carry;
    sum->high += sum->middle < carry;
    sum->middle += (uint64_t)hi;
    sum->high += (sum->middle < (uint64_t)hi) - (hi < 0);
}
static void wide_subtract(wide_sum *sum, kr_num x) /* -x is ~x + 1 */
{
    wide_add(sum, ~x.lo, ~x.hi);
    wide_add(sum, 1, 0);
}

static int compare_wide(const kr_num *step, size_t n, const uint8_t *stream, size_t at, kr_num total)
{
    wide_sum sum = { 0 };
    for (size_t k = 0; k < n; k++) {
        if (stream[(at + k) / 8] >> ((at + k) % 8) & 1)
            wide_add(&sum, step[k].lo, step[k].hi);
        else
            wide_subtract(&sum, step[k]);
    }
    wide_subtract(&sum, total);
    return sum.high < 0 ? -1 : (sum.high | (int64_t)sum.middle | (int64_t)sum.low) != 0;
}

static kr_cell coinflip(const kr_call *call, const kr_cell *const *series, size_t n, const kr_cell *scalars)
{
    int64_t monkeys;
    if (!kr_num_to_int(scalars[1], &monkeys) || monkeys < 1 || monkeys > 1000000)
        return KR_E_NUM;
    size_t seed_len, count = (size_t)monkeys;
    const char *seed = kr_pool_text(call->env->pool, (uint32_t)kr_cell_int(scalars[2]), &seed_len);
    if (n > SIZE_MAX / 16 / count)
        return KR_E_NUM;
    size_t bytes = (count * n + 7) / 8;
    uint8_t *stream = kr_alloc(bytes + 16);
    kr_sponge sponge;
    kr_shake256_start(&sponge, seed, seed_len);
    kr_shake256_read(&sponge, stream, bytes);

    kr_num bound = size_of(scalars[0]), sum = KR_NUM_ZERO;
    bool narrow = bound.hi < INT64_MAX / 8;
    for (size_t k = 0; k < n && narrow; k++) {
        bound = plus(bound, size_of(series[0][k]));
        narrow = bound.hi < INT64_MAX / 8 && size_of(series[0][k]).hi < INT64_MAX / 8;
        sum = plus(sum, series[0][k]);
    }
    int64_t below = 0, equal = 0;
    if (narrow) { /* a monkey's total is heads - tails = 2 heads - sum */
        kr_num *heads = kr_alloc(count * sizeof *heads), middle = plus(scalars[0], sum);
        add_heads(heads, count, series[0], n, stream);
        for (size_t j = 0; j < count; j++) {
            int order = kr_raw_cmp(plus(heads[j], heads[j]), middle);
            below += order < 0;
            equal += order == 0;
        }
        kr_free(heads);
    } else {
        for (size_t j = 0; j < count; j++) {
            int order = compare_wide(series[0], n, stream, j * n, scalars[0]);
            below += order < 0;
            equal += order == 0;
        }
    }
    kr_free(stream);
    return kr_num_muldiv(kr_num_of_int(2 * below + equal), kr_num_of_int(50), kr_num_of_int(monkeys), KR_HALF_EVEN);
}

const kr_fn kr_chance_fns[] = {
    { .name = "COINFLIP", .usage = "COINFLIP(steps, total, monkeys, seed)", .sig = "series number, number, number, bytes -> number",
      .unit = "u, u, 1, * -> 1", .shape = KR_AGGREGATE,
      .doc = "Percentile (0 to 100) of a total among the totals of `monkeys` random walkers that take the same steps, each with the sign that a fair coin gives; "
             "equal totals count half. The coins are the bits of the SHAKE256 stream of the seed, lowest bit of each byte first: bit j*n + k is walker j's coin for step k (both from 0, n steps), "
             "1 keeps the step's sign. Totals are exact, the percentile is rounded once. Over no steps it compares 0 with the total.",
      .source = "OAIA methodology, the score in six lines; FIPS 202", .example = "COINFLIP({0.01, -0.02, 0.03}, 0.02, 2048, SHA256(\"OAIA|S1|alpha\"))", .gives = "68.8720703125",
      .edge = "COINFLIP({0, 0}, 0, 2048, SHA256(\"any\"))", .edge_gives = "50", .series = coinflip },
    { .name = NULL },
};
