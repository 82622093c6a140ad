/* krules_sweep.c: many variants of a rule, behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>

#include "stdlib/stdlib.h"
#include "vm/store/file.h"
#include "vm/store/sweep.h"
#include "vm/text/time.h"

struct krules_sweep {
    krules_object object;
    kr_arena *arena;
    kr_pool *pool;
    kr_sweep *sweep; /* NULL: it failed; the arena stays for the messages */
};

static void sweep_destroy(krules_object *object)
{
    krules_sweep *s = (krules_sweep *)object;
    kr_arena_free(s->arena);
    kr_pool_free(s->pool);
    kr_free(s);
}

static krules_sweep *sweep_new(krules *k)
{
    krules_sweep *s = kr_alloc(sizeof *s);
    krules_object_add(k, &s->object, sweep_destroy);
    s->arena = kr_arena_new();
    s->pool = kr_pool_new();
    return s;
}

void krules_sweep_free(krules_sweep *sweep)
{
    if (sweep)
        krules_object_free(&sweep->object);
}

krules_sweep *krules_sweep_run(krules *k, const char *what, const krules_sweep_options *o)
{
    krules_sweep *s = sweep_new(k);
    kr_sweep_options chosen = { .vary = o->vary, .vary_count = o->vary_count, .show = o->show, .show_count = o->show_count, .data = o->data, .part = o->part,
                                .parts = o->parts, .threads = o->threads, .progress = o->progress, .progress_context = o->progress_context };
    if (!krules_read_day(k, "--to", o->to, &chosen.has_to, &chosen.to))
        return NULL;
    kr_book *book = kr_book_open(s->arena, s->pool, kr_stdlib, what, k->rules, k->diags);
    if (!book)
        return NULL;
    const char *path = book->versions[book->version_count - 1].path;
    kr_file file;
    char problem[256];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_diag_at(k->diags, KR_E_STORE_READ, path, "cannot read `%s`: %s", path, problem);
        return NULL;
    }
    s->sweep = kr_sweep_run(s->arena, s->pool, kr_stdlib, path, kr_arena_copy(s->arena, file.data, file.size), file.size, &chosen, k->diags);
    kr_file_done(&file);
    return s->sweep ? s : NULL;
}

krules_sweep *krules_sweep_merge(krules *k, const char *const *files, size_t count)
{
    krules_sweep *s = sweep_new(k);
    s->sweep = kr_sweep_merge(s->arena, files, count, k->diags);
    return s->sweep ? s : NULL;
}

size_t krules_sweep_rows(const krules_sweep *s) { return s->sweep->rows; }
size_t krules_sweep_columns(const krules_sweep *s) { return s->sweep->column_count; }
size_t krules_sweep_varied(const krules_sweep *s) { return s->sweep->vary_count; }
const char *krules_sweep_head(const krules_sweep *s, size_t column) { return s->sweep->heads[column]; }
const char *krules_sweep_cell(const krules_sweep *s, size_t row, size_t column) { return s->sweep->cells[row * s->sweep->column_count + column]; }

bool krules_sweep_write(krules_sweep *s, const char *format, const char *path)
{
    return kr_sweep_write(s->sweep, format, path, "krules " KRULES_VERSION, s->object.session->diags);
}
