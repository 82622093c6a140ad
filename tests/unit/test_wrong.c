/* Wrong programs: every tests/rules/wrong/NAME.lua gives exactly the messages of NAME.err beside it, from reading to planning, and
 * with a folder NAME.data of tables from loading and running too.
 * `--reset` rewrites the .err files (read the difference before committing); names as arguments run only these. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "stdlib/stdlib.h"
#include "vm/engine/run.h"
#include "vm/host/host.h"
#include "vm/store/load.h"

static const char folder[] = "tests/rules/wrong";

static char *read_file(kr_arena *arena, const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *text = kr_arena_alloc(arena, (size_t)n + 1);
    text[fread(text, 1, (size_t)n, f)] = '\0';
    fclose(f);
    return text;
}

/* false: wrong, and said so. */
static bool run(kr_model *model, const kr_plan *plan, const char *path, kr_diags *diags)
{
    kr_dataset *data = kr_load_data(path, model, model->pool, diags);
    kr_run *done = data ? kr_run_new(plan, data, &(kr_run_options){ .threads = 1, .pair_limit = 5 }, diags) : NULL;
    kr_run_free(done);
    kr_dataset_free(data);
    return done != NULL;
}

static char *messages_of(kr_arena *arena, const char *path, const char *data)
{
    kr_pool *pool = kr_pool_new();
    kr_diags *diags = kr_diags_new(arena);
    kr_model *model = kr_load_file(arena, pool, kr_stdlib, path, diags);
    const char *end = "";
    const kr_plan *plan = model && kr_check(model, diags) ? kr_plan_new(model, diags) : NULL;
    if (plan && (access(data, F_OK) != 0 || run(model, plan, data, diags)))
        end = "nothing is wrong with this file\n";
    size_t errors = kr_diags_count(diags, KR_SEVERITY_ERROR);
    char *out = kr_arena_copy(arena, "", 0);
    for (size_t i = 0; i < kr_diags_shown(diags); i++)
        out = kr_arena_printf(arena, "%s%s%s", out, i ? "\n" : "", kr_diag_render(arena, kr_diags_get(diags, i), false));
    if (errors && kr_diags_status(diags) != 3)
        out = kr_arena_printf(arena, "%sexit status %d\n", out, kr_diags_status(diags));
    kr_pool_free(pool);
    return kr_arena_printf(arena, "%s%s", out, end);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_asked(int argc, char **argv, const char *name)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            continue;
        any = true;
        if (strncmp(argv[i], name, strlen(argv[i])) == 0)
            return true;
    }
    return !any;
}

int main(int argc, char **argv)
{
    kr_arena *arena = kr_arena_new();
    bool reset = argc > 1 && strcmp(argv[1], "--reset") == 0;
    char **names = NULL;
    size_t count = 0, capacity = 0;
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (n > 4 && strcmp(entry->d_name + n - 4, ".lua") == 0)
            KR_PUSH(arena, names, count, capacity) = kr_arena_copy(arena, entry->d_name, n - 4);
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        if (!is_asked(argc, argv, names[i]))
            continue;
        kr_arena *own = kr_arena_new();
        char *got = messages_of(own, kr_arena_printf(own, "%s/%s.lua", folder, names[i]), kr_arena_printf(own, "%s/%s.data", folder, names[i]));
        char *err = kr_arena_printf(own, "%s/%s.err", folder, names[i]);
        if (reset) {
            FILE *f = fopen(err, "wb");
            if (f) {
                fputs(got, f);
                fclose(f);
            }
        } else {
            char *wanted = read_file(own, err);
            unit_check_text(got, wanted ? wanted : "(no .err file)", err, 1);
        }
        kr_arena_free(own);
    }
    CHECK_TEXT(messages_of(arena, "tests/rules/wrong/none.lua", "none"),
               "error[E0314]: cannot open the rule file: No such file or directory\n  --> tests/rules/wrong/none.lua\n");
    kr_arena_free(arena);
    return unit_done();
}
