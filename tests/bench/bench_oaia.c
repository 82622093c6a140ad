/* bench_oaia.c: COINFLIP, the monkeys of OAIA's score: 2048 walkers over the 1000 steps of the peers' real.csv (and over 100,000), the coins
 * by SHAKE256 included; and the coins alone. Arguments: the folder of real.csv. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stdlib/stdlib.h"
#include "stdlib/keccak.h"
#include "vm/text/pool.h"

enum { MONKEYS = 2048, LONG = 100000, ROUNDS = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t read_steps(const char *folder, kr_num *steps, size_t room)
{
    char path[4096], line[64];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/real.csv", folder);
    FILE *file = fopen(path, "r");
    while (file && n < room && fgets(line, sizeof line, file)) {
        size_t len = strcspn(line, "\r\n");
        if (kr_num_read(line, len, &steps[n], NULL) == KR_READ_OK)
            n++;
    }
    if (file)
        fclose(file);
    return n;
}

static void flip(kr_pool *pool, const char *name, const kr_num *steps, size_t n, int rounds)
{
    kr_arena *scratch = kr_arena_new();
    kr_env env = { pool, scratch };
    kr_type types[4] = { KR_T_NUMBER, KR_T_NUMBER, KR_T_NUMBER, KR_T_BYTES };
    kr_call call = { &env, 4, types, KR_T_NUMBER };
    kr_num total = KR_NUM_ZERO;
    for (size_t i = 0; i < n; i++)
        total = kr_num_add(total, steps[i]);
    kr_cell scalars[3] = { total, kr_num_of_int(MONKEYS), kr_cell_of_int(kr_pool_add(pool, "OAIA|S1|alpha", 13)) };
    const kr_fn *row = kr_fn_find(kr_stdlib, "COINFLIP", 8);
    double time[ROUNDS], first = 0;
    kr_cell value = KR_BLANK;
    for (int i = 0; i < rounds; i++) {
        double from = now();
        value = row->series(&call, (const kr_cell *const[]){ steps }, n, scalars);
        time[i] = now() - from;
        first = i ? first : time[i];
    }
    qsort(time, (size_t)rounds, sizeof *time, by_size);
    char text[KR_NUM_TEXT];
    kr_num_write(value, text);
    printf("krules COINFLIP, %s: percentile=%s eval_ms=%.3f (median of %d; the first %.3f)\n", name, text, time[rounds / 2], rounds, first);
    kr_arena_free(scratch);
}

static void coins(size_t n)
{
    size_t bytes = MONKEYS / 8 * n;
    unsigned char *stream = malloc(bytes);
    double time[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        kr_sponge sponge;
        double from = now();
        kr_shake256_start(&sponge, "OAIA|S1|alpha", 13);
        kr_shake256_read(&sponge, stream, bytes);
        time[i] = now() - from;
    }
    qsort(time, ROUNDS, sizeof *time, by_size);
    printf("krules SHAKE256, its %zu bytes alone: %.3f ms\n", bytes, time[ROUNDS / 2]);
    free(stream);
}

int main(int argc, char **argv)
{
    kr_num *steps = malloc(sizeof *steps * LONG);
    size_t n = read_steps(argc > 1 ? argv[1] : ".", steps, 1000);
    kr_pool *pool = kr_pool_new();
    if (n < 1000) {
        fprintf(stderr, "bench_oaia: no real.csv of 1000 values in %s\n", argc > 1 ? argv[1] : ".");
        return 1;
    }
    flip(pool, "2048 x 1000", steps, n, ROUNDS);
    coins(n);
    for (size_t i = n; i < LONG; i++)
        steps[i] = kr_num_neg(steps[i - n]);
    flip(pool, "2048 x 100000", steps, LONG, 3);
    kr_pool_free(pool);
    free(steps);
    return 0;
}
