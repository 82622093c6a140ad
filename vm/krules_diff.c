/* krules_diff.c: comparing rule files, proposing the next version, and trying one out, behind krules.h. */
#include "vm/krules_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/stdlib.h"
#include "vm/host/host.h"
#include "vm/store/diff.h"
#include "vm/store/file.h"
#include "vm/store/state.h"
#include "vm/text/time.h"

struct krules_diff {
    krules_object object;
    kr_arena *arena;
    kr_pool *pool;
    kr_diff *diff; /* NULL: it failed; the arena stays for the messages */
};

static void diff_destroy(krules_object *object)
{
    krules_diff *d = (krules_diff *)object;
    kr_arena_free(d->arena);
    kr_pool_free(d->pool);
    kr_free(d);
}

static krules_diff *diff_new(krules *k)
{
    krules_diff *d = kr_alloc(sizeof *d);
    krules_object_add(k, &d->object, diff_destroy);
    d->arena = kr_arena_new();
    d->pool = kr_pool_new();
    return d;
}

void krules_diff_free(krules_diff *diff)
{
    if (diff)
        krules_object_free(&diff->object);
}

static const char *read_text(kr_arena *arena, const char *path, size_t *len, kr_diags *diags)
{
    kr_file file;
    char problem[256];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, path, "cannot read `%s`: %s", path, problem);
        return NULL;
    }
    const char *text = kr_arena_copy(arena, file.data, file.size);
    *len = file.size;
    kr_file_done(&file);
    return text;
}

static bool side_of_version(krules_diff *d, const kr_book *book, int version, kr_side *side)
{
    const kr_version *v = &book->versions[version];
    *side = (kr_side){ .path = v->path, .label = kr_arena_printf(d->arena, "%s v%d", book->name, v->number) };
    side->text = read_text(d->arena, v->path, &side->len, d->object.session->diags);
    return side->text != NULL;
}

static kr_book *open_book(krules_diff *d, const char *what)
{
    krules *k = d->object.session;
    return kr_book_open(d->arena, d->pool, kr_stdlib, what, k->rules, k->diags);
}

static bool side_of(krules_diff *d, const char *what, kr_side *side)
{
    kr_book *book = open_book(d, what);
    return book && side_of_version(d, book, book->version_count - 1, side);
}

static bool impact(krules_diff *d, const krules_diff_options *o)
{
    krules *k = d->object.session;
    if (!o || !o->data)
        return true;
    kr_impact_options chosen = { .data = o->data, .measure = o->measure, .budget = o->budget, .top = o->top, .threads = o->threads,
                                 .progress = o->progress, .progress_context = o->progress_context };
    return krules_read_day(k, "--from", o->from, &chosen.has_from, &chosen.from) && krules_read_day(k, "--to", o->to, &chosen.has_to, &chosen.to) && kr_diff_impact(d->diff, &chosen, k->diags);
}

krules_diff *krules_compare(krules *k, const char *old_file, const char *new_file, const krules_diff_options *options)
{
    krules_diff *d = diff_new(k);
    kr_side a, b;
    if (new_file) {
        if (!side_of(d, old_file, &a) || !side_of(d, new_file, &b))
            return NULL;
    } else {
        kr_book *book = open_book(d, old_file);
        if (!book)
            return NULL;
        if (book->version_count < 2) {
            kr_diag *diag = kr_diag_at(k->diags, KR_E_CMD_VALUE, old_file, "`%s` has one version: there is nothing to compare it with", old_file);
            kr_diag_help(k->diags, diag, "krules diff %s FILE.lua", old_file);
            return NULL;
        }
        if (!side_of_version(d, book, book->version_count - 2, &a) || !side_of_version(d, book, book->version_count - 1, &b))
            return NULL;
    }
    if (!strcmp(a.label, b.label)) { /* two files of one book and number: their names tell them apart */
        a.label = a.path;
        b.label = b.path;
    }
    d->diff = kr_diff_new(d->arena, d->pool, kr_stdlib, &a, &b, k->diags);
    return d->diff && impact(d, options) ? d : NULL;
}

size_t krules_diff_count(const krules_diff *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->diff->change_count; i++)
        count += d->diff->changes[i].how != KR_HOW_FOLLOWS;
    return count;
}

const char *krules_diff_report(krules_diff *d, const char *format, bool full, int context)
{
    kr_report_options o = { full, context };
    return kr_diff_report(d->arena, d->diff, format, &o);
}

bool krules_diff_write(krules_diff *d, const char *format, bool full, int context, const char *path)
{
    kr_diags *diags = d->object.session->diags;
    const char *text = krules_diff_report(d, format, full, context);
    kr_out *out = kr_out_open(path, diags);
    if (!out)
        return false;
    kr_out_text(out, text);
    return kr_out_commit(out, diags);
}

/* ------------------------------------------------------------------ proposing */

static bool refuse(krules *k, const char *place, const char *help, const char *message)
{
    kr_diag *diag = kr_diag_at(k->diags, KR_E_GOV_PROPOSAL, place, "%s", message);
    if (help)
        kr_diag_help(k->diags, diag, "%s", help);
    return false;
}

static bool read_sets(krules_diff *d, const kr_model *model, const krules_proposal *p, kr_edit *edits)
{
    krules *k = d->object.session;
    for (size_t i = 0; i < p->set_count; i++) {
        const char *set = p->sets[i], *equals = strchr(set, '=');
        if (!equals || equals == set) {
            kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, "--set", "`%s` sets nothing", set), "--set name=value");
            return false;
        }
        const char *name = kr_arena_copy(d->arena, set, (size_t)(equals - set));
        if (!kr_model_param(model, name)) {
            const char **names = KR_NEW_ARRAY(d->arena, const char *, model->param_count + 1);
            for (int n = 0; n < model->param_count; n++)
                names[n] = model->params[n].name;
            kr_diag *diag = kr_diag_at(k->diags, KR_E_CMD_NAME, "--set", "there is no parameter `%s`", name);
            const char *near = kr_nearest(name, names, (size_t)model->param_count);
            if (near)
                kr_diag_help(k->diags, diag, "did you mean `%s`?", near);
            return false;
        }
        for (size_t j = 0; j < i; j++)
            if (!strcmp(edits[j].name, name)) {
                kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, "--set", "`%s` is set twice", name), "a proposal gives each parameter one value");
                return false;
            }
        edits[i] = (kr_edit){ false, name, equals + 1 };
    }
    return true;
}

/* State that does not carry is refused as publishing would refuse it. */
static bool carries(krules_diff *d, const kr_book *book)
{
    kr_states states = { 0 };
    const kr_model **older = KR_NEW_ARRAY(d->arena, const kr_model *, book->version_count + 1);
    int count = 0;
    for (int i = book->version_count - 2; i >= 0; i--)
        older[count++] = book->versions[i].model;
    return kr_state_compare(d->arena, d->diff->old.model, d->diff->new.model, older, count, &states, d->object.session->diags);
}

static void run_examples(krules_diff *d, const char *path, const char *text)
{
    krules *k = d->object.session;
    krules_book *book = krules_open_text(k, path, text);
    for (size_t i = 0; book && i < krules_version_at(book, 0).example_count; i++) {
        const char *title;
        size_t cells;
        bool holds = krules_example_run(book, 0, i, &title, &cells);
        kr_verdict v = { .title = kr_arena_copy(d->arena, title, strlen(title)), .sheet = "", .what = "example", .failed = !holds };
        KR_PUSH(d->arena, d->diff->verdicts, d->diff->verdict_count, d->diff->verdict_capacity) = v;
    }
}

/* Where proposals must not go: there a file of the next number would be taken for a version. */
static bool is_book_folder(krules_diff *d, const kr_book *book, const char *folder)
{
    char a[PATH_MAX], b[PATH_MAX];
    const char *path = book->versions[0].path, *slash = strrchr(path, '/');
    const char *own = slash ? kr_arena_copy(d->arena, path, (size_t)(slash - path)) : ".";
    if (!realpath(own, a) || !realpath(folder, b) || strcmp(a, b) != 0)
        return false;
    const char *id = book->versions[0].model->id; /* a lone file may lie anywhere; below its book's name it is a version */
    size_t len = strlen(b), name = id ? strlen(id) : 0;
    return !book->single || (name && len > name && b[len - name - 1] == '/' && !strcmp(b + len - name, id));
}

static bool changes_something(const kr_diff *d)
{
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].kind != KR_CH_HEADER || (strcmp(d->changes[i].name, "effective_from") != 0 && strcmp(d->changes[i].name, "title") != 0))
            return true;
    return false;
}

static bool write_proposal(krules_diff *d, const char *folder, const char *path, int number)
{
    kr_diags *diags = d->object.session->diags;
    if (!kr_make_folder(folder, diags))
        return false;
    kr_out *out = kr_out_open(path, diags);
    if (!out)
        return false;
    kr_out_bytes(out, d->diff->new.text, d->diff->new.len);
    return kr_out_commit(out, diags) && krules_diff_write(d, "md", false, 8, kr_arena_printf(d->arena, "%s/v%d.md", folder, number)) &&
           krules_diff_write(d, "html", true, -1, kr_arena_printf(d->arena, "%s/v%d.html", folder, number));
}

krules_diff *krules_propose(krules *k, const char *what, const krules_proposal *p, const char **path)
{
    krules_diff *d = diff_new(k);
    kr_book *book = open_book(d, what);
    kr_side base, next = { 0 };
    int64_t effective = 0;
    bool has_effective;
    char day[16];
    if (!book || !side_of_version(d, book, book->version_count - 1, &base) || !krules_read_day(k, "--effective", p->effective, &has_effective, &effective))
        return NULL;
    const kr_version *last = &book->versions[book->version_count - 1];
    const char *folder = p->folder ? p->folder : ".";
    int number = book->next_number ? book->next_number : last->number + 1; /* a withdrawn version has used up its number */
    if (!krules_is_reason(k, p->why))
        return NULL;
    if (!has_effective)
        return refuse(k, what, "--effective YYYY-MM-DD", "a proposal says from which day it would be in force"), NULL;
    if (last->model->has_effective_from && effective <= last->model->effective_from) {
        kr_day_write(last->model->effective_from, day);
        return refuse(k, "--effective", NULL, kr_arena_printf(d->arena, "%s is not after version %d, in force from %s", p->effective, last->number, day)), NULL;
    }
    if (is_book_folder(d, book, folder))
        return refuse(k, folder, "propose it elsewhere, and `krules publish` the file when it is agreed", "a proposal does not lie among the published versions"), NULL;
    size_t len = base.len;
    const char *text = p->file ? read_text(d->arena, p->file, &len, k->diags) : base.text;
    kr_edit *edits = KR_NEW_ARRAY(d->arena, kr_edit, p->set_count + 2);
    const kr_model *from = last->model;
    if (p->file && text) { /* names of --set are those of the edited copy */
        from = kr_load_text(d->arena, d->pool, kr_stdlib, p->file, text, len, k->diags);
        if (from && last->model->id && (!from->id || strcmp(from->id, last->model->id) != 0))
            return refuse(k, p->file, NULL, kr_arena_printf(d->arena, "`%s` is a version of `%s`, not of `%s`", p->file, from->id ? from->id : "?", last->model->id)), NULL;
    }
    if (!text || !from || !read_sets(d, from, p, edits))
        return NULL;
    kr_day_write(effective, day);
    edits[p->set_count] = (kr_edit){ true, "version", kr_arena_printf(d->arena, "%d", number) };
    edits[p->set_count + 1] = (kr_edit){ true, "effective_from", kr_arena_copy(d->arena, day, strlen(day)) };
    next.path = kr_arena_printf(d->arena, "%s/v%d.lua", folder, number);
    next.text = kr_rewrite_text(d->arena, p->file ? p->file : base.path, text, len, edits, p->set_count + 2, k->diags);
    if (!next.text)
        return NULL;
    next.len = strlen(next.text);
    next.label = kr_arena_printf(d->arena, "%s v%d", book->name, number);
    d->diff = kr_diff_new(d->arena, d->pool, kr_stdlib, &base, &next, k->diags);
    if (!d->diff || !carries(d, book))
        return NULL;
    if (!changes_something(d->diff))
        return refuse(k, what, "--set name=value, or --from an edited copy", "the proposal means what the last version means"), NULL;
    d->diff->why = p->why;
    d->diff->effective = edits[p->set_count + 1].value;
    kr_day_write(effective - (last->model->notice_days > 0 ? last->model->notice_days : 1), day); /* a day that has begun is over */
    d->diff->publish_by = kr_arena_copy(d->arena, day, strlen(day));
    if (!impact(d, &p->compare))
        return NULL;
    for (size_t i = 0; i < d->diff->verdict_count; i++) {
        const kr_verdict *v = &d->diff->verdicts[i];
        if (v->failed && strcmp(v->what, "expectation") != 0)
            kr_diag_at(k->diags, !strcmp(v->what, "check") ? KR_E_RUN_CHECK : KR_E_RUN_REQUIRE, v->place, "the %s `%s` would not hold for %zu row%s of `%s`", v->what, v->title, v->failed,
                       v->failed == 1 ? "" : "s", v->sheet);
    }
    run_examples(d, next.path, next.text);
    *path = next.path;
    return write_proposal(d, folder, next.path, number) ? d : NULL;
}

/* ------------------------------------------------------------------ trying */

krules_book *krules_open_what_if(krules *k, const char *what, const char *file, const char *from_day)
{
    bool has_from;
    int64_t from = INT64_MIN;
    krules_book *book = krules_read_day(k, "--from", from_day, &has_from, &from) ? krules_open(k, what) : NULL;
    if (!book)
        return NULL;
    kr_book *b = book->book, *alone = kr_book_open(book->arena, book->pool, kr_stdlib, file, k->rules, k->diags);
    if (!alone)
        return NULL;
    const kr_model *last = b->versions[b->version_count - 1].model, *tried = alone->versions[alone->version_count - 1].model;
    if (last->id && (!tried->id || strcmp(last->id, tried->id) != 0)) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, "--what-if", "`%s` is a version of `%s`, not of `%s`", file, tried->id ? tried->id : "?", last->id);
        return NULL;
    }
    kr_version *versions = KR_NEW_ARRAY(book->arena, kr_version, b->version_count + 1);
    int count = 0;
    for (int i = 0; has_from && i < b->version_count && b->versions[i].from < from; i++)
        versions[count++] = b->versions[i];
    versions[count] = alone->versions[alone->version_count - 1];
    versions[count].from = count ? from : INT64_MIN;
    b->versions = versions;
    b->version_count = count + 1;
    return book;
}

void krules_warn_moves(krules_book *book)
{
    const kr_book *b = book->book;
    for (int v = 1; v < b->version_count; v++)
        for (int i = 0; i < b->versions[v].model->param_count; i++) {
            const kr_param *now = &b->versions[v].model->params[i], *before = kr_model_param(b->versions[v - 1].model, now->name);
            if (before)
                kr_param_moves(book->arena, before, now, book->object.session->diags);
        }
}
