#include "vm/store/sweep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "vm/host/host.h"
#include "vm/store/diff_internal.h"
#include "vm/store/load.h"
#include "vm/text/time.h"

typedef struct sweeper {
    kr_pool *pool;
    kr_families families;
    const char *path, *text;
    size_t len;
    const kr_sweep_options *o;
    kr_varied *varied;
    const kr_dataset *data;
    bool all_columns;
    int run_threads;
    kr_sweep *sweep;
    kr_cell *values;         /* of the formulas, row by row */
    kr_type *types;          /* of the formulas; the same in every variant */
    atomic_size_t done, failed; /* failed: a variant that did; SIZE_MAX: none */
    pthread_t caller;
} sweeper;

/* ------------------------------------------------------------------ values */

static bool value_of(const kr_param *p, kr_pool *pool, const char *text, size_t len, kr_cell *out)
{
    int64_t day;
    switch (p->type) {
    case KR_T_NUMBER: return kr_num_read(text, len, out, NULL) == KR_READ_OK;
    case KR_T_BOOLEAN:
        *out = kr_cell_of_bool(len == 4 && !memcmp(text, "true", 4));
        return (len == 4 && !memcmp(text, "true", 4)) || (len == 5 && !memcmp(text, "false", 5));
    case KR_T_DAY:
        if (!kr_day_read(text, len, &day))
            return false;
        *out = kr_cell_of_int(day);
        return true;
    default: *out = kr_cell_of_text(pool, text, len); return p->type == KR_T_TEXT;
    }
}

static bool wrong(kr_diags *diags, const char *text, const char *help, const char *message)
{
    kr_diag *d = kr_diag_at(diags, KR_E_CMD_VALUE, "--vary", "`%s`: %s", text, message);
    if (help)
        kr_diag_help(diags, d, "%s", help);
    return false;
}

static const char *range_end(const char *text, const char *end)
{
    for (const char *p = text; p + 1 < end; p++)
        if (p[0] == '.' && p[1] == '.')
            return p;
    return NULL;
}

static bool read_range(kr_arena *arena, kr_varied *v, const char *text, const char *dots, kr_diags *diags)
{
    static const char form[] = "name=first..last/step";
    const char *slash = strchr(dots, '/');
    kr_num first, last, step;
    if (!slash || kr_num_read(text, (size_t)(dots - text), &first, NULL) != KR_READ_OK || kr_num_read(dots + 2, (size_t)(slash - dots - 2), &last, NULL) != KR_READ_OK ||
        kr_num_read(slash + 1, strlen(slash + 1), &step, NULL) != KR_READ_OK)
        return wrong(diags, v->text, form, "not a range of numbers with a step");
    if (kr_num_cmp(step, KR_NUM_ZERO) <= 0 || kr_num_cmp(first, last) > 0)
        return wrong(diags, v->text, form, "the step must be above 0, and the range must not run backwards");
    size_t capacity = 0;
    for (kr_num at = first; !kr_is_special(at) && kr_num_cmp(at, last) <= 0; at = kr_num_add(at, step)) {
        if (v->count >= KR_SWEEP_MOST)
            return wrong(diags, v->text, NULL, "more than a million values");
        KR_PUSH(arena, v->values, v->count, capacity) = at;
    }
    return true;
}

static bool read_varied(sweeper *s, const kr_model *model, kr_varied *v, const char *text, kr_diags *diags)
{
    kr_arena *arena = s->sweep->arena;
    const char *equals = strchr(text, '=');
    v->text = kr_arena_copy(arena, text, strlen(text));
    if (!equals || equals == text || !equals[1])
        return wrong(diags, text, "name=0.1..0.5/0.05, or name=0.1,0.2,0.5", "varies nothing");
    v->name = kr_arena_copy(arena, text, (size_t)(equals - text));
    const kr_param *p = kr_model_param(model, v->name);
    if (!p) {
        const char **names = KR_NEW_ARRAY(arena, const char *, model->param_count + 1);
        for (int i = 0; i < model->param_count; i++)
            names[i] = model->params[i].name;
        kr_diag *d = kr_diag_at(diags, KR_E_CMD_NAME, "--vary", "there is no parameter `%s`", v->name);
        const char *near = kr_nearest(v->name, names, (size_t)model->param_count);
        if (near)
            kr_diag_help(diags, d, "did you mean `%s`?", near);
        return false;
    }
    const char *dots = p->type == KR_T_NUMBER ? range_end(equals + 1, text + strlen(text)) : NULL;
    if (dots && !read_range(arena, v, equals + 1, dots, diags))
        return false;
    size_t capacity = 0;
    for (const char *at = equals + 1; !dots; at++) {
        size_t len = strcspn(at, ",");
        if (!value_of(p, s->pool, at, len, &KR_PUSH(arena, v->values, v->count, capacity)))
            return wrong(diags, text, NULL, kr_arena_printf(arena, "`%.*s` is not a %s", (int)len, at, kr_type_name(p->type)));
        at += len;
        if (!*at)
            break;
    }
    for (size_t i = 0; i < v->count && p->type == KR_T_NUMBER; i++)
        if ((p->has_min && kr_num_cmp(v->values[i], p->min) < 0) || (p->has_max && kr_num_cmp(v->values[i], p->max) > 0))
            return wrong(diags, text, kr_arena_printf(arena, "from %s to %s", p->has_min ? kr_diff_text_of(arena, p->min) : "any", p->has_max ? kr_diff_text_of(arena, p->max) : "any"),
                         kr_arena_printf(arena, "%s is outside the range that `%s` declares", kr_diff_text_of(arena, v->values[i]), v->name));
    return true;
}

/* ------------------------------------------------------------------ one variant */

typedef struct published { const kr_model *m; bool missing; } published;

static void is_published(void *context, const kr_expr *e)
{
    published *p = context;
    p->missing |= e->column && !e->column->input && !kr_diff_publishes(p->m, e->column);
}

static kr_expr *check_show(sweeper *s, kr_arena *arena, kr_model *m, size_t i, kr_diags *diags)
{
    return kr_check_formula(m, NULL, kr_fragment_plain(arena, "--show", s->o->show[i], strlen(s->o->show[i])), diags);
}

static kr_model *model_of(sweeper *s, kr_arena *arena, size_t variant, kr_diags *diags)
{
    kr_model *m = kr_load_text(arena, s->pool, s->families, s->path, s->text, s->len, diags);
    for (size_t v = s->o->vary_count; m && v-- > 0; variant /= s->varied[v].count)
        kr_model_param(m, s->varied[v].name)->value = s->varied[v].values[variant % s->varied[v].count];
    return m && kr_check(m, diags) ? m : NULL;
}

static bool run_variant(sweeper *s, kr_arena *arena, size_t row, kr_diags *diags)
{
    kr_model *m = model_of(s, arena, s->sweep->first + row, diags);
    kr_plan *plan = m ? kr_plan_new(m, diags) : NULL;
    kr_run_options options = { .has_to = s->o->has_to, .to = s->o->to, .threads = s->run_threads, .all_columns = s->all_columns };
    kr_run *run = plan ? kr_run_new(plan, s->data, &options, diags) : NULL;
    bool ok = run != NULL;
    for (size_t i = 0; ok && i < s->o->show_count; i++) {
        kr_expr *e = check_show(s, arena, m, i, diags);
        ok = e && kr_run_eval(run, NULL, e, &s->values[row * s->o->show_count + i], diags);
    }
    kr_run_free(run);
    return ok;
}

static void work(void *context, size_t row)
{
    sweeper *s = context;
    size_t failed = atomic_load(&s->failed);
    if (failed < row) /* the first that fails is the one that is told */
        return;
    kr_arena *arena = kr_arena_new();
    if (!run_variant(s, arena, row, kr_diags_new(arena)))
        while (row < failed && !atomic_compare_exchange_weak(&s->failed, &failed, row))
            ;
    kr_arena_free(arena);
    size_t done = atomic_fetch_add(&s->done, 1) + 1;
    if (s->o->progress && pthread_equal(pthread_self(), s->caller))
        s->o->progress(s->o->progress_context, (unsigned)(done * 1000 / s->sweep->rows));
}

/* ------------------------------------------------------------------ all of them */

static bool prepare(sweeper *s, kr_model *model, kr_diags *diags)
{
    kr_sweep *w = s->sweep;
    const kr_sweep_options *o = s->o;
    w->vary = KR_NEW_ARRAY(w->arena, const char *, o->vary_count + 1);
    w->heads = KR_NEW_ARRAY(w->arena, const char *, o->vary_count + o->show_count + 1);
    w->is_number = KR_NEW_ARRAY(w->arena, bool, o->vary_count + o->show_count + 1);
    s->varied = KR_NEW_ARRAY(w->arena, kr_varied, o->vary_count + 1);
    s->types = KR_NEW_ARRAY(w->arena, kr_type, o->show_count + 1);
    w->all = 1;
    for (size_t i = 0; i < o->vary_count; i++) {
        if (!read_varied(s, model, &s->varied[i], o->vary[i], diags))
            return false;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(s->varied[k].name, s->varied[i].name))
                return wrong(diags, o->vary[i], NULL, "the parameter is varied twice");
        w->vary[w->vary_count++] = s->varied[i].text;
        w->is_number[w->column_count] = kr_model_param(model, s->varied[i].name)->type == KR_T_NUMBER;
        w->heads[w->column_count++] = s->varied[i].name;
        if (__builtin_mul_overflow(w->all, s->varied[i].count, &w->all) || w->all > KR_SWEEP_MOST)
            return wrong(diags, o->vary[i], "take larger steps", "more than a million variants in all");
    }
    for (size_t i = 0; i < o->show_count; i++) {
        kr_expr *e = check_show(s, w->arena, model, i, diags);
        if (!e)
            return false;
        published p = { .m = model };
        kr_expr_walk(e, is_published, &p);
        s->all_columns |= p.missing;
        s->types[i] = e->type;
        w->is_number[w->column_count] = e->type == KR_T_NUMBER;
        w->heads[w->column_count++] = kr_arena_copy(w->arena, o->show[i], strlen(o->show[i]));
    }
    w->part = o->part;
    w->parts = o->parts;
    w->first = o->parts ? w->all * (o->part - 1) / o->parts : 0;
    w->rows = (o->parts ? w->all * o->part / o->parts : w->all) - w->first;
    return true;
}

static void write_cells(sweeper *s, const kr_model *model)
{
    kr_sweep *w = s->sweep;
    w->cells = KR_NEW_ARRAY(w->arena, const char *, w->rows * w->column_count + 1);
    for (size_t row = 0; row < w->rows; row++) {
        const char **cells = &w->cells[row * w->column_count];
        size_t variant = w->first + row;
        for (size_t v = s->o->vary_count; v-- > 0; variant /= s->varied[v].count)
            cells[v] = kr_cell_text(w->arena, s->pool, kr_model_param(model, s->varied[v].name)->type, s->varied[v].values[variant % s->varied[v].count], NULL);
        for (size_t i = 0; i < s->o->show_count; i++)
            cells[s->o->vary_count + i] = kr_cell_text(w->arena, s->pool, s->types[i], s->values[row * s->o->show_count + i], NULL);
    }
}

kr_sweep *kr_sweep_run(kr_arena *arena, kr_pool *pool, kr_families families, const char *path, const char *text, size_t len, const kr_sweep_options *o, kr_diags *diags)
{
    kr_sweep *w = KR_NEW(arena, kr_sweep);
    sweeper s = { .pool = pool, .families = families, .path = path, .text = text, .len = len, .o = o, .sweep = w, .caller = pthread_self() };
    char hex[KR_HEX], day[16] = "";
    w->arena = arena;
    kr_model *model = kr_load_text(arena, pool, families, path, text, len, diags);
    if (!model || !kr_check(model, diags) || !prepare(&s, model, diags))
        return NULL;
    kr_sha_of(text, len, hex);
    w->file_sha256 = kr_arena_copy(arena, hex, strlen(hex));
    w->book = model->id ? model->id : path;
    w->to = kr_arena_copy(arena, day, o->has_to ? kr_day_write(o->to, day) : 0);
    kr_dataset *data = kr_load_data(o->data, model, pool, diags);
    if (!data)
        return NULL;
    w->data_sha256 = kr_data_digest_new(arena, data, model)->hex;
    s.data = data;
    s.values = KR_NEW_ARRAY(arena, kr_cell, w->rows * o->show_count + 1);
    int cores = kr_cores(o->threads);
    s.run_threads = w->rows && w->rows < (size_t)cores ? cores / (int)w->rows : 1;
    atomic_store(&s.failed, SIZE_MAX);
    kr_each(o->threads, w->rows, work, &s);
    size_t failed = atomic_load(&s.failed);
    if (failed != SIZE_MAX) { /* once more, for what it has to say; the arena keeps what the messages show */
        kr_diag *d = NULL;
        run_variant(&s, arena, failed, diags);
        const char *values = "";
        size_t variant = w->first + failed;
        for (size_t v = o->vary_count; v-- > 0; variant /= s.varied[v].count)
            values = kr_arena_printf(arena, "%s=%s%s%s", s.varied[v].name,
                                     kr_cell_text(arena, pool, kr_model_param(model, s.varied[v].name)->type, s.varied[v].values[variant % s.varied[v].count], NULL), *values ? ", " : "", values);
        d = kr_diag_at(diags, KR_E_CMD_VALUE, "--vary", "the variant %s cannot be computed", values);
        kr_diag_help(diags, d, "what is wrong with it is said above");
    } else {
        write_cells(&s, model);
    }
    kr_dataset_free(data);
    return failed == SIZE_MAX ? w : NULL;
}
