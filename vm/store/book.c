#include "vm/store/book.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/host/host.h"
#include "vm/store/file.h"
#include "vm/store/load.h"
#include "vm/text/time.h"



static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ------------------------------------------------------------------ where books are */

const char *kr_book_folder(kr_arena *arena, const char *name, const char *root)
{
    if (root)
        return kr_arena_printf(arena, "%s/%s", root, name);
    const char *first = kr_arena_printf(arena, "rules/%s", name);
    if (is_folder(first))
        return first;
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n > 0) { /* beside the program, above it (a build folder), or where it was installed */
        exe[n] = 0;
        char *slash = strrchr(exe, '/');
        if (slash)
            *slash = 0;
        static const char *const places[] = { "rules", "../rules", "../share/krules/rules" };
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const char *path = kr_arena_printf(arena, "%s/%s/%s", exe, places[i], name);
            if (is_folder(path))
                return path;
        }
    }
    return is_folder("rules") ? first : NULL;
}

/* Names of all books below a rules folder, two levels deep at most. */
static void list_books(kr_arena *arena, const char *root, const char *below, int depth, const char ***names, size_t *count, size_t *capacity)
{
    DIR *dir = opendir(below ? kr_arena_printf(arena, "%s/%s", root, below) : root);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        const char *name = below ? kr_arena_printf(arena, "%s/%s", below, e->d_name) : kr_arena_copy(arena, e->d_name, strlen(e->d_name));
        if (is_file(kr_arena_printf(arena, "%s/%s/v1.lua", root, name)))
            KR_PUSH(arena, *names, *count, *capacity) = name;
        else if (depth && is_folder(kr_arena_printf(arena, "%s/%s", root, name)))
            list_books(arena, root, name, depth - 1, names, count, capacity);
    }
    if (dir)
        closedir(dir);
}

static void no_book(kr_arena *arena, const char *name, const char *folder, kr_diags *diags)
{
    kr_diag *d = kr_diag_at(diags, KR_E_STORE_BOOK, name, "there is no rulebook `%s`", name);
    if (!folder) {
        kr_diag_help(diags, d, "there is no folder `rules` here; give it with --rules DIR, or name a rule file (FILE.lua)");
        return;
    }
    const char **names = NULL;
    size_t count = 0, capacity = 0, end = strlen(folder) - strlen(name);
    list_books(arena, kr_arena_copy(arena, folder, end ? end - 1 : 0), NULL, 2, &names, &count, &capacity);
    const char *near = kr_nearest(name, names, count);
    if (near) {
        kr_diag_help(diags, d, "did you mean `%s`?", near);
    } else if (count) {
        const char *all = "";
        qsort(names, count, sizeof *names, by_text);
        for (size_t i = 0; i < count && i < 12; i++)
            all = kr_arena_printf(arena, "%s%s`%s`", all, i ? ", " : "", names[i]);
        kr_diag_help(diags, d, "there are: %s", all);
    } else {
        kr_diag_help(diags, d, "looked for `%s/v1.lua`", folder);
    }
}

/* ------------------------------------------------------------------ opening */

static bool open_version(kr_book *book, kr_families families, const char *path, int number, kr_diags *diags)
{
    kr_version *v = &book->versions[book->version_count];
    *v = (kr_version){ .number = number, .path = path, .from = INT64_MIN };
    if (!kr_sha_file(path, v->sha256, diags))
        return false;
    v->model = kr_load_file(book->arena, book->pool, families, path, diags);
    if (!v->model || !kr_check(v->model, diags))
        return false;
    book->version_count++;
    return true;
}

/* The headers of a book's versions name it, count up and move forward in time. */
static bool headers_fit(kr_book *book, kr_diags *diags)
{
    size_t before = kr_diags_count(diags, KR_SEVERITY_ERROR);
    for (int i = 0; i < book->version_count; i++) {
        kr_version *v = &book->versions[i];
        const kr_model *m = v->model;
        if (!m->id || strcmp(m->id, book->name) != 0)
            kr_diag_add(diags, KR_E_STORE_VERSION, m->header_span, "this file's id is `%s`, but it lies in the folder of `%s`", m->id ? m->id : "", book->name);
        if (m->version != v->number)
            kr_diag_add(diags, KR_E_STORE_VERSION, m->header_span, "this file says version %d, but its name says %d", m->version, v->number);
        if (!m->has_effective_from) {
            kr_diag *d = kr_diag_add(diags, KR_E_STORE_VERSION, m->header_span, "version %d does not say when it takes effect", v->number);
            kr_diag_help(diags, d, "add effective_from = \"YYYY-MM-DD\"");
            continue;
        }
        v->from = m->effective_from;
        if (i && v->from <= book->versions[i - 1].from) {
            char a[16], b[16];
            kr_day_write(v->from, a);
            kr_day_write(book->versions[i - 1].from, b);
            kr_diag_add(diags, KR_E_STORE_VERSION, m->header_span, "version %d takes effect on %s, not after version %d (%s)", v->number, a,
                        book->versions[i - 1].number, b);
        }
    }
    return kr_diags_count(diags, KR_SEVERITY_ERROR) == before;
}

static kr_book *book_new(kr_arena *arena, kr_pool *pool, int version_count)
{
    kr_book *book = KR_NEW(arena, kr_book);
    book->arena = arena;
    book->pool = pool;
    book->versions = KR_NEW_ARRAY(arena, kr_version, version_count);
    return book;
}

static kr_book *open_single(kr_arena *arena, kr_pool *pool, kr_families families, const char *path, kr_diags *diags)
{
    kr_book *book = book_new(arena, pool, 1);
    book->single = true;
    if (!open_version(book, families, kr_arena_copy(arena, path, strlen(path)), 1, diags))
        return NULL;
    book->versions[0].number = book->versions[0].model->version;
    book->name = book->versions[0].model->id ? book->versions[0].model->id : book->versions[0].path;
    return book;
}

kr_book *kr_book_open_text(kr_arena *arena, kr_pool *pool, kr_families families, const char *name, const char *text, size_t len, kr_diags *diags)
{
    kr_book *book = book_new(arena, pool, 1);
    kr_version *v = &book->versions[0];
    book->single = true;
    v->path = kr_arena_copy(arena, name, strlen(name));
    v->from = INT64_MIN;
    kr_sha_of(text, len, v->sha256);
    v->model = kr_load_text(arena, pool, families, v->path, text, len, diags);
    if (!v->model || !kr_check(v->model, diags))
        return NULL;
    v->number = v->model->version;
    book->name = v->model->id ? v->model->id : v->path;
    book->version_count = 1;
    return book;
}

/* The version asked for by number must be one that the ledger has made complete and not taken back. */
static bool is_version(const kr_ledger *ledger, int number, kr_diags *diags)
{
    const kr_entry *e = kr_ledger_version(ledger, number);
    if (e && e->state == KR_ENTRY_DONE)
        return true;
    int needed = 0, have = e ? kr_entry_signatures(ledger, e, &needed) : 0;
    if (!e)
        kr_diag_at(diags, KR_E_STORE_VERSION, ledger->book, "version %d of `%s` was not published", number, ledger->book);
    else if (e->state == KR_ENTRY_WITHDRAWN)
        kr_diag_at(diags, KR_E_STORE_VERSION, ledger->book, "version %d of `%s` was withdrawn", number, ledger->book);
    else if (e->state == KR_ENTRY_LAPSED)
        kr_diag_at(diags, KR_E_STORE_VERSION, ledger->book, "version %d of `%s` has lapsed: it was not signed in time", number, ledger->book);
    else
        kr_diag_at(diags, KR_E_STORE_VERSION, ledger->book, "version %d of `%s` waits for signatures (%d of %d)", number, ledger->book, have, needed);
    return false;
}

static kr_book *open_by_ledger(kr_arena *arena, kr_pool *pool, kr_families families, const char *name, const char *folder, int wanted, kr_diags *diags)
{
    kr_ledger *ledger = kr_ledger_read(arena, folder, name, diags);
    if (!ledger || (wanted && !is_version(ledger, wanted, diags)))
        return NULL;
    int last = kr_ledger_last_version(ledger);
    kr_book *book = book_new(arena, pool, last);
    book->name = name;
    book->ledger = ledger;
    book->next_number = last + 1;
    for (size_t i = 0; i < ledger->count; i++) {
        const kr_entry *e = ledger->entries[i];
        if ((e->kind != KR_ENTRY_GENESIS && e->kind != KR_ENTRY_PUBLISH) || e->state != KR_ENTRY_DONE || (wanted && e->version > wanted))
            continue;
        const char *path = kr_arena_printf(arena, "%s/v%d.lua", folder, e->version);
        if (!kr_ledger_file_holds(ledger, e, path, diags) || !open_version(book, families, path, e->version, diags))
            return NULL;
        book->versions[book->version_count - 1].from = e->effective_from;
    }
    if (!book->version_count) {
        kr_diag_at(diags, KR_E_STORE_VERSION, name, "no version of `%s` is complete: the first waits for signatures", name);
        return NULL;
    }
    const char *further = kr_arena_printf(arena, "%s/v%d.lua", folder, last + 1);
    if (!wanted && is_file(further))
        kr_diag_at(diags, KR_N_GOV_UNLISTED, further, "`%s` was not published: it is no version of `%s`", further, name);
    return headers_fit(book, diags) ? book : NULL;
}

kr_book *kr_book_open(kr_arena *arena, kr_pool *pool, kr_families families, const char *what, const char *root, kr_diags *diags)
{
    size_t len = strlen(what);
    if ((len > 4 && !strcmp(what + len - 4, ".lua")) || is_file(what)) {
        if (!is_file(what)) {
            kr_diag_at(diags, KR_E_STORE_BOOK, what, "there is no rule file `%s`", what);
            return NULL;
        }
        return open_single(arena, pool, families, what, diags);
    }
    const char *at = strrchr(what, '@');
    int wanted = 0;
    if (at) {
        char *end;
        long n = strtol(at + 1 + (at[1] == 'v'), &end, 10);
        if (*end || end == at + 1 || n < 1 || n > 100000) {
            kr_diag_at(diags, KR_E_CMD_VALUE, what, "`%s` is not a version", at + 1);
            return NULL;
        }
        wanted = (int)n;
    }
    const char *name = kr_arena_copy(arena, what, at ? (size_t)(at - what) : len);
    const char *folder = kr_book_folder(arena, name, root);
    if (!folder || !is_file(kr_arena_printf(arena, "%s/v1.lua", folder))) {
        no_book(arena, name, folder, diags);
        return NULL;
    }
    if (is_file(kr_arena_printf(arena, "%s/ledger.jsonl", folder)))
        return open_by_ledger(arena, pool, families, name, folder, wanted, diags);
    int count = 1;
    while (is_file(kr_arena_printf(arena, "%s/v%d.lua", folder, count + 1)))
        count++;
    if (wanted > count) {
        kr_diag_at(diags, KR_E_STORE_VERSION, what, "`%s` has %d version%s, no version %d", name, count, count == 1 ? "" : "s", wanted);
        return NULL;
    }
    kr_book *book = book_new(arena, pool, count);
    book->name = name;
    book->next_number = count + 1;
    for (int n = 1; n <= (wanted ? wanted : count); n++)
        if (!open_version(book, families, kr_arena_printf(arena, "%s/v%d.lua", folder, n), n, diags))
            return NULL;
    return headers_fit(book, diags) ? book : NULL;
}

int kr_book_in_force(const kr_book *book, int64_t day)
{
    int in_force = -1;
    for (int i = 0; i < book->version_count; i++)
        if (book->versions[i].from <= day)
            in_force = i;
    return in_force;
}

/* ------------------------------------------------------------------ data */

static bool same_words(const kr_domain *a, const kr_domain *b)
{
    for (int i = 0; i < a->one_of_count; i++)
        if (strcmp(a->one_of[i], b->one_of[i]) != 0)
            return false;
    return true;
}

static bool same_input(const kr_column_def *a, const kr_column_def *b)
{
    const kr_domain *x = &a->domain, *y = &b->domain;
    return !strcmp(a->name, b->name) && a->type == b->type && a->optional == b->optional && x->whole == y->whole && x->address == y->address &&
           x->required == y->required && x->has_above == y->has_above && x->has_below == y->has_below && x->has_min == y->has_min &&
           x->has_max == y->has_max && kr_raw_eq(x->above, y->above) && kr_raw_eq(x->below, y->below) && kr_raw_eq(x->min, y->min) &&
           kr_raw_eq(x->max, y->max) && x->one_of_count == y->one_of_count && !x->one_of == !y->one_of && same_words(x, y);
}

static const kr_column_def *input_at(const kr_sheet *sheet, int *at)
{
    while (*at < sheet->column_count && !sheet->columns[*at]->input)
        ++*at;
    return *at < sheet->column_count ? sheet->columns[(*at)++] : NULL;
}

static bool is_data(const kr_sheet *sheet) { return !sheet->rows || sheet->rows->kind == KR_ROWS_DATA; }

static const kr_sheet *data_at(const kr_model *model, int *at)
{
    while (*at < model->sheet_count && !is_data(model->sheets[*at]))
        ++*at;
    return *at < model->sheet_count ? model->sheets[(*at)++] : NULL;
}

/* Whether two versions read the same tables in the same order, so that one dataset serves both. */
bool kr_same_inputs(const kr_model *a, const kr_model *b)
{
    for (int i = 0, j = 0;;) {
        const kr_sheet *x = data_at(a, &i), *y = data_at(b, &j);
        if (!x || !y)
            return x == y;
        if (strcmp(x->name, y->name) != 0 || x->optional != y->optional || x->key_count != y->key_count)
            return false;
        for (int k = 0; k < x->key_count; k++)
            if (strcmp(x->key_names[k], y->key_names[k]) != 0)
                return false;
        for (int m = 0, n = 0;;) {
            const kr_column_def *p = input_at(x, &m), *q = input_at(y, &n);
            if (!p && !q)
                break;
            if (!p || !q || !same_input(p, q))
                return false;
        }
    }
}

static kr_book_data *data_new(int count)
{
    kr_book_data *data = kr_alloc(sizeof *data);
    data->of_version = kr_alloc(sizeof *data->of_version * (size_t)(count + 1));
    data->owned = kr_alloc(sizeof *data->owned * (size_t)(count + 1));
    data->count = count;
    return data;
}

kr_book_data *kr_book_load(const kr_book *book, const char *path, kr_diags *diags)
{
    kr_book_data *data = data_new(book->version_count);
    for (int i = 0; i < book->version_count; i++) {
        for (int j = 0; j < i && !data->of_version[i]; j++)
            if (kr_same_inputs(book->versions[i].model, book->versions[j].model))
                data->of_version[i] = data->of_version[j];
        if (data->of_version[i])
            continue;
        data->of_version[i] = kr_load_data(path, book->versions[i].model, book->pool, diags);
        data->owned[i] = true;
        if (!data->of_version[i]) {
            kr_book_data_free(data);
            return NULL;
        }
    }
    return data;
}

void kr_book_data_free(kr_book_data *data)
{
    if (!data)
        return;
    for (int i = 0; i < data->count; i++)
        if (data->owned[i])
            kr_dataset_free(data->of_version[i]);
    kr_free(data->of_version);
    kr_free(data->owned);
    kr_free(data);
}

/* ------------------------------------------------------------------ the runs of a period */

void kr_chain_free(kr_chain *chain)
{
    if (!chain)
        return;
    for (int i = chain->part_count; i-- > 0;) /* a run may read the one before it */
        kr_run_free(chain->parts[i].run);
    kr_free(chain->parts);
    kr_free(chain);
}

static kr_run *run_version(kr_book *book, int version, const kr_book_data *data, const kr_run_options *options, kr_diags *diags)
{
    return kr_run_new(book->versions[version].plan, data->of_version[version], options, diags);
}

bool kr_book_plan(kr_book *book, kr_diags *diags)
{
    bool ok = true;
    for (int i = 0; i < book->version_count; i++) {
        kr_version *v = &book->versions[i];
        if (!v->plan)
            v->plan = kr_plan_new(v->model, diags);
        ok = ok && v->plan;
    }
    return ok;
}

bool kr_book_publishes(const kr_book *book, kr_diags *diags)
{
    const kr_model *model = book->versions[book->version_count - 1].model;
    if (model->output_count)
        return true;
    kr_diag *d = kr_diag_add(diags, KR_E_OUTPUT, model->header_span, "`%s` publishes nothing", book->name);
    kr_diag_help(diags, d, "name its sheets: output { … }");
    return false;
}

bool kr_book_data_last(const kr_book_data *data_of, int64_t enough, int64_t *last)
{
    const kr_dataset *data = data_of->of_version[data_of->count - 1];
    bool any = false;
    for (int t = 0; t < data->table_count; t++)
        for (int c = 0; c < data->tables[t].column_count; c++) {
            const kr_column *column = &data->tables[t].columns[c];
            if (column->type != KR_T_DAY && column->type != KR_T_TIME)
                continue;
            for (size_t row = 0; row < column->count; row++) {
                kr_cell cell = kr_column_get(column, row);
                if (kr_is_special(cell))
                    continue;
                int64_t day = column->type == KR_T_DAY ? kr_cell_int(cell) : kr_day_of_time(kr_cell_int(cell));
                if (!any || day > *last)
                    *last = day;
                any = true;
                if (day >= enough)
                    return true;
            }
        }
    return any;
}

/* The last day of a period that was left open, for a book of several versions. */
static bool find_last(kr_book *book, const kr_book_data *data, const kr_run_options *options, int64_t *last, kr_diags *diags)
{
    int newest = book->version_count - 1;
    if (!book->versions[newest].model->days_to.fragment) {
        if (!kr_book_data_last(data, INT64_MAX, last))
            *last = book->versions[newest].from;
        return true;
    }
    kr_run *run = run_version(book, newest, data, options, diags); /* only the engine knows the header's own formula */
    int64_t first;
    bool ok = run && kr_run_days(run, &first, last);
    kr_run_free(run);
    return ok;
}

static bool before_first(const kr_book *book, const kr_chain_options *options, kr_diags *diags)
{
    if (!options->has_to || options->to >= book->versions[0].from)
        return false;
    char day[16], from[16];
    kr_day_write(options->to, day);
    kr_day_write(book->versions[0].from, from);
    kr_diag_at(diags, KR_E_STORE_PERIOD, book->name, "no version of `%s` is in force on %s: the first takes effect on %s", book->name, day, from);
    return true;
}

/* Whether a later version reads back a column that this one computes but has no need to keep. */
static bool is_read_later(const kr_book *book, int version)
{
    if (version + 1 >= book->version_count)
        return false;
    const kr_model *now = book->versions[version].model, *next = book->versions[version + 1].model;
    for (int i = 0; i < next->sheet_count; i++)
        for (int c = 0; c < next->sheets[i]->column_count; c++) {
            const kr_column_def *column = next->sheets[i]->columns[c];
            const kr_sheet *sheet = column->is_state ? kr_model_sheet(now, column->sheet->name) : NULL;
            const char *name = column->name;
            for (int k = 0; k < next->carry_count; k++)
                if (!strcmp(next->carries[k].new_name, name) && (!next->carries[k].sheet || !strcmp(next->carries[k].sheet, next->sheets[i]->name)))
                    name = next->carries[k].old_name;
            const kr_column_def *old = sheet ? kr_sheet_column(sheet, name) : NULL;
            if (old && !old->is_state)
                return true;
        }
    return false;
}

static bool run_days(kr_chain *chain, kr_book *book, const kr_book_data *data, const kr_chain_options *options, kr_run_options *o, kr_diags *diags)
{
    int64_t to = options->to, first, last;
    if (before_first(book, options, diags))
        return false;
    if (!options->has_to && book->version_count > 1 && !find_last(book, data, o, &to, diags))
        return false;
    bool open = !options->has_to && book->version_count == 1; /* the engine finds the end itself */
    const kr_past *past = options->past;
    const kr_run *before = past ? past->records : NULL;
    int start = past ? past->version : 0; /* its own part is empty where the next version takes over: that one reads back all it recorded */
    for (int i = start; i < book->version_count && (i == start || book->versions[i].from <= to); i++) {
        int64_t until = i + 1 < book->version_count && book->versions[i + 1].from <= to ? book->versions[i + 1].from - 1 : to;
        o->has_to = !open;
        o->to = until;
        o->recorded = before;
        o->all_columns = options->all_columns || (until < to && is_read_later(book, i));
        o->first_day = past && i == start ? past->first_day : book->versions[i].from;
        kr_run *run = run_version(book, i, data, o, diags);
        if (!run)
            return false;
        chain->parts[chain->part_count++] = (kr_chain_part){ i, run, o->first_day, until };
        before = run;
    }
    kr_chain_part *end = &chain->parts[chain->part_count - 1];
    const kr_model *model = book->versions[book->version_count - 1].model;
    chain->from = 1; /* no row of the data has a day: an empty period */
    if (!kr_run_days(end->run, &first, &last) || last < first) {
        end->last = chain->to;
        return true;
    }
    chain->from = first + model->days_lead;
    chain->to = last;
    end->last = chain->to;
    if (model->days_open && options->has_from && options->from < chain->from)
        chain->from = options->from;
    if (chain->from < book->versions[0].from)
        chain->from = book->versions[0].from;
    if (options->has_from && options->from > chain->from)
        chain->from = options->from;
    if (past && past->first_day > chain->from)
        chain->from = past->first_day;
    return true;
}

kr_chain *kr_chain_run(kr_book *book, const kr_book_data *data, const kr_chain_options *options, kr_diags *diags)
{
    if (!kr_book_plan(book, diags))
        return NULL;
    kr_chain *chain = kr_alloc(sizeof *chain);
    chain->book = book;
    chain->parts = kr_alloc(sizeof *chain->parts * (size_t)book->version_count);
    chain->has_days = book->versions[book->version_count - 1].model->has_days;
    kr_run_options o = {
        .has_from = options->has_from, .from = options->from, .threads = options->threads, .all_columns = options->all_columns, .progress = options->progress, .progress_context = options->progress_context,
    };
    bool ok = true;
    if (chain->has_days) {
        ok = run_days(chain, book, data, options, &o, diags);
    } else { /* every version over everything; the view takes from each the rows it governs */
        o.has_to = options->has_to;
        o.to = options->to;
        for (int i = 0; i < book->version_count && ok; i++) {
            kr_run *run = run_version(book, i, data, &o, diags);
            if ((ok = run != NULL))
                chain->parts[chain->part_count++] =
                    (kr_chain_part){ i, run, book->versions[i].from, i + 1 < book->version_count ? book->versions[i + 1].from - 1 : INT64_MAX };
        }
    }
    if (ok)
        return chain;
    kr_chain_free(chain);
    return NULL;
}
