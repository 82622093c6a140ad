/* The engine agrees with the row-at-a-time interpreter in every cell of every sheet on the rulebooks, their scenarios and the examples. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "stdlib/stdlib.h"
#include "tests/ref/ref_agree.h"
#include "tests/unit/unit.h"
#include "vm/host/host.h"
#include "vm/store/load.h"
#include "vm/text/time.h"

static kr_agree_counts counts;

static bool show(kr_arena *arena, const char *what, const kr_diags *diags)
{
    printf("%s:\n", what);
    for (size_t i = 0; i < kr_diags_shown(diags); i++)
        printf("%s", kr_diag_render(arena, kr_diags_get(diags, i), false));
    return false;
}

static bool agree(const char *rules, const char *data_path, const char *what, bool has_to, int64_t to, int threads)
{
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    kr_diags *diags = kr_diags_new(arena);
    kr_dataset *data = NULL;
    kr_run *run = NULL;
    kr_plan *plan = NULL;
    kr_model *model = kr_load_file(arena, pool, kr_stdlib, rules, diags);
    if (model && kr_check(model, diags))
        plan = kr_plan_new(model, diags);
    if (plan)
        data = kr_load_data(data_path, model, pool, diags);
    kr_run_options options = { .has_to = has_to, .to = to, .threads = threads, .all_columns = true };
    if (data)
        run = kr_run_new(plan, data, &options, diags);
    bool fine = run != NULL;
    if (run) {
        kr_ref *ref = kr_ref_new(model, data, has_to, to);
        fine = kr_ref_agree(model, run, ref, what, true, &counts);
        kr_ref_free(ref);
        kr_run_free(run);
    } else {
        show(arena, what, diags);
    }
    if (data)
        kr_dataset_free(data);
    kr_pool_free(pool);
    kr_arena_free(arena);
    return fine;
}

/* The last day of a scenario: its `period.txt`, or what acts.txt says after --to. */
static bool last_day(const char *scenario, int64_t *to)
{
    static const char *const files[] = { "in/period.txt", "acts.txt" };
    for (int f = 0; f < 2; f++) {
        char path[512], text[4096];
        snprintf(path, sizeof path, "%s/%s", scenario, files[f]);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        size_t len = fread(text, 1, sizeof text - 1, file);
        bool found = false;
        fclose(file);
        for (size_t i = 0; i + 10 <= len; i++) /* the last day named */
            found |= kr_day_read(text + i, 10, to);
        if (found)
            return true;
    }
    return false;
}

static void scenarios(const char *rules, const char *folder, const char *prefix)
{
    DIR *dir = opendir(folder);
    if (!CHECK(dir != NULL))
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char scenario[300], data[310];
        struct stat info;
        int64_t to = 0;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || entry->d_name[0] == '.')
            continue;
        snprintf(scenario, sizeof scenario, "%s/%s", folder, entry->d_name);
        snprintf(data, sizeof data, "%s/in", scenario);
        if (stat(data, &info) != 0)
            continue;
        bool has_to = last_day(scenario, &to);
        CHECK(agree(rules, data, scenario, has_to, to, 2));
        if (has_to)
            CHECK(agree(rules, data, scenario, true, to - 3, 1));
    }
    closedir(dir);
}

int main(void)
{
    scenarios("rules/kokoah/pay/v1.lua", "tests/cases/kokoah", "");
    scenarios("rules/oaia/score/v1.lua", "tests/cases/oaia", "score");
    scenarios("rules/oaia/stop/v1.lua", "tests/cases/oaia", "stop");
    CHECK(agree("examples/five-lines/tips.lua", "examples/five-lines/data", "five lines", false, 0, 1));
    CHECK(agree("examples/loyalty/loyalty.lua", "examples/loyalty/data", "loyalty", false, 0, 2));
    printf("%zu cells compared, %zu of them blank or errors\n", counts.cells, counts.specials);
    return unit_done();
}
