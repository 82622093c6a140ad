/* Random rule files over random tables: the engine agrees with the row-at-a-time interpreter in every cell, and with itself whatever
 * the order of the rows, the number of threads and the chunk size.
 *
 * test_random [seed [programs [columns]]]. A failure prints the whole rule file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stdlib/stdlib.h"
#include "tests/ref/random_rules.h"
#include "tests/ref/ref_agree.h"
#include "vm/engine/run.h"
#include "vm/host/host.h"

static unsigned passed, failed;
static size_t tried, kept;
static kr_agree_counts counts;
static random_rules *current;
static bool verbose;

static void on_crash(int signal_number)
{
    const char *text = current ? random_rules_text(current) : "";
    if (write(STDOUT_FILENO, "crashed on this rule file:\n", 27) < 0 || write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

typedef struct loaded {
    kr_arena *arena;
    kr_pool *pool;
    kr_diags *diags;
    kr_model *model;
    kr_plan *plan;
} loaded;

static void unload(loaded *l)
{
    kr_pool_free(l->pool);
    kr_arena_free(l->arena);
}

static bool load(random_rules *rules, loaded *l)
{
    const char *text = random_rules_text(rules);
    l->arena = kr_arena_new();
    l->pool = kr_pool_new();
    l->diags = kr_diags_new(l->arena);
    l->plan = NULL;
    l->model = kr_load_text(l->arena, l->pool, kr_stdlib, "random.lua", text, strlen(text), l->diags);
    if (l->model && kr_check(l->model, l->diags))
        l->plan = kr_plan_new(l->model, l->diags);
    if (l->plan)
        return true;
    if (verbose)
        for (size_t i = 0; i < kr_diags_shown(l->diags); i++)
            printf("%s", kr_diag_render(l->arena, kr_diags_get(l->diags, i), false));
    return false;
}

static bool run_one(random_rules *rules, loaded *l, kr_ref *ref, bool has_to, int64_t to, int threads, size_t chunk, bool all)
{
    char how[96];
    snprintf(how, sizeof how, "threads %d, chunk %zu%s%s", threads, chunk, has_to ? ", with a last day" : "", all ? "" : ", published columns");
    kr_dataset *data = random_rules_data(rules, l->model);
    kr_run_options options = { .has_to = has_to, .to = to, .threads = threads, .chunk = chunk, .all_columns = all };
    kr_run *run = kr_run_new(l->plan, data, &options, l->diags);
    bool fine = run && kr_ref_agree(l->model, run, ref, how, all, &counts);
    if (!run)
        for (size_t i = 0; i < kr_diags_shown(l->diags); i++)
            printf("%s: %s", how, kr_diag_render(l->arena, kr_diags_get(l->diags, i), false));
    if (run)
        kr_run_free(run);
    kr_dataset_free(data);
    return fine;
}

/* A version whose formulas are those of the version before, in force from a day on: its run on the other's recorded cells is the one run
 * of all days. */
static bool run_recorded(random_rules *rules, loaded *l, kr_ref *ref, int64_t first_day)
{
    for (int s = 0; s < l->model->sheet_count; s++) /* rows without a key are not found again, and the engine says so */
        for (int c = 0; c < l->model->sheets[s]->column_count && l->model->sheets[s]->key_count == 0; c++)
            if (l->model->sheets[s]->columns[c]->is_state)
                return true;
    kr_dataset *data = random_rules_data(rules, l->model);
    kr_run_options options = { .threads = 2, .chunk = 3, .all_columns = true };
    kr_run *before = kr_run_new(l->plan, data, &options, l->diags), *run = NULL;
    options.recorded = before;
    options.first_day = first_day;
    if (before)
        run = kr_run_new(l->plan, data, &options, l->diags);
    bool fine = run && kr_ref_agree(l->model, run, ref, "on recorded cells", true, &counts);
    for (size_t i = 0; !run && i < kr_diags_shown(l->diags); i++)
        printf("on recorded cells: %s", kr_diag_render(l->arena, kr_diags_get(l->diags, i), false));
    if (run)
        kr_run_free(run);
    if (before)
        kr_run_free(before);
    kr_dataset_free(data);
    return fine;
}

static bool one_program(uint64_t seed, int columns)
{
    random_rules *rules = current = random_rules_new(seed);
    loaded l;
    bool fine = true;
    if (!load(rules, &l)) {
        printf("the skeleton is refused:\n");
        for (size_t i = 0; i < kr_diags_shown(l.diags); i++)
            printf("%s", kr_diag_render(l.arena, kr_diags_get(l.diags, i), false));
        fine = false;
    }
    unload(&l);
    for (int i = 0; i < columns && fine; i++) {
        random_rules_propose(rules);
        bool keep = load(rules, &l);
        unload(&l);
        tried++;
        kept += keep;
        random_rules_verdict(rules, keep);
    }
    fine = fine && load(rules, &l);
    if (fine) {
        for (int with_to = 0; with_to < 2 && fine; with_to++) {
            int64_t to = random_rules_last_day() - 3 + (int64_t)(random_next(rules) % 6);
            kr_dataset *data = random_rules_data(rules, l.model);
            kr_ref *ref = kr_ref_new(l.model, data, with_to, to);
            fine = run_one(rules, &l, ref, with_to, to, 1, 1024, true) && run_one(rules, &l, ref, with_to, to, 2, 7, true)
                   && run_one(rules, &l, ref, with_to, to, 4, 1, true) && run_one(rules, &l, ref, with_to, to, 2, 0, false)
                   && (with_to || run_recorded(rules, &l, ref, random_rules_last_day() - (int64_t)(random_next(rules) % 6)));
            kr_ref_free(ref);
            kr_dataset_free(data);
        }
        unload(&l);
    }
    if (!fine)
        printf("program of seed %llu:\n%s\n", (unsigned long long)seed, random_rules_text(rules));
    random_rules_free(rules);
    current = NULL;
    return fine;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int programs = argc > 2 ? atoi(argv[2]) : 60, columns = argc > 3 ? atoi(argv[3]) : 40;
    verbose = getenv("KR_VERBOSE") != NULL;
    printf("seed %llu, %d programs of up to %d columns\n", (unsigned long long)seed, programs, columns);
    fflush(stdout);
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash);
    for (int i = 0; i < programs && failed < 3; i++) {
        if (one_program(seed + (uint64_t)i, columns))
            passed++;
        else
            failed++;
        fflush(stdout);
    }
    printf("%zu of %zu proposed columns kept, %zu cells compared, %zu of them blank or errors, %zu failed checks\n", kept, tried, counts.cells, counts.specials,
           counts.failed_checks);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
