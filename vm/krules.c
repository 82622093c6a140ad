/* krules.c: sessions, messages, books and data behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>
#include <time.h>

#include "stdlib/stdlib.h"
#include "vm/store/load.h"
#include "vm/text/time.h"
#include "vm/text/utf8.h"

void krules_object_add(krules *k, krules_object *object, void (*destroy)(krules_object *object))
{
    *object = (krules_object){ k, k->objects, &k->objects, destroy };
    if (object->next)
        object->next->at = &object->next;
    k->objects = object;
}

void krules_object_free(krules_object *object)
{
    if (!object)
        return;
    *object->at = object->next;
    if (object->next)
        object->next->at = object->at;
    object->destroy(object);
}

krules *krules_new(void)
{
    krules *k = kr_alloc(sizeof *k);
    k->arena = kr_arena_new();
    k->message_arena = kr_arena_new();
    k->diags = kr_diags_new(k->message_arena);
    return k;
}

void krules_set_no_memory_handler(void (*handler)(size_t bytes)) { kr_set_no_memory_handler(handler); }

void krules_free(krules *k)
{
    if (!k)
        return;
    while (k->objects) /* newest first: what was made of another goes before it */
        krules_object_free(k->objects);
    krules_calculator_free(k->calculator);
    kr_arena_free(k->message_arena);
    kr_arena_free(k->arena);
    kr_free(k);
}

void krules_set_rules(krules *k, const char *folder)
{
    k->rules = folder ? kr_arena_copy(k->arena, folder, strlen(folder)) : NULL;
}

/* ------------------------------------------------------------------ messages */

int krules_status(const krules *k) { return kr_diags_status(k->diags); }
size_t krules_message_count(const krules *k) { return kr_diags_shown(k->diags); }
size_t krules_error_count(const krules *k) { return kr_diags_count(k->diags, KR_SEVERITY_ERROR); }

enum krules_severity krules_message_severity(const krules *k, size_t i)
{
    switch (kr_diags_get(k->diags, i)->severity) {
    case KR_SEVERITY_NOTE: return KRULES_NOTE;
    case KR_SEVERITY_WARNING: return KRULES_WARNING;
    case KR_SEVERITY_ERROR: break;
    }
    return KRULES_ERROR;
}

const char *krules_message_code(const krules *k, size_t i) { return kr_code_name(kr_diags_get(k->diags, i)->code); }
const char *krules_message_text(krules *k, size_t i, bool colour) { return kr_diag_render(k->message_arena, kr_diags_get(k->diags, i), colour); }
const char *krules_message_json(krules *k, size_t i) { return kr_diag_json(k->message_arena, kr_diags_get(k->diags, i)); }

void krules_forget_messages(krules *k)
{
    kr_arena_reset(k->message_arena);
    k->diags = kr_diags_new(k->message_arena);
}

void krules_complain(krules *k, const char *code, const char *place, const char *message, const char *help)
{
    kr_code found = KR_E_CMD_VALUE;
    for (int i = 1; i < KR_CODE_COUNT; i++)
        if (!strcmp(kr_code_name((kr_code)i), code))
            found = (kr_code)i;
    kr_diag *d = kr_diag_at(k->diags, found, place, "%s", message);
    if (help)
        kr_diag_help(k->diags, d, "%s", help);
}

const char *krules_nearest(const char *word, const char *const *words, size_t count) { return kr_nearest(word, words, count); }

/* ------------------------------------------------------------------ books */

/* A book that failed to open leaves its sources behind, since messages show them; the session frees them. */
static void book_destroy(krules_object *object)
{
    krules_book *book = (krules_book *)object;
    kr_arena_free(book->arena);
    kr_pool_free(book->pool);
    kr_free(book);
}

static krules_book *book_new(krules *k)
{
    krules_book *book = kr_alloc(sizeof *book);
    krules_object_add(k, &book->object, book_destroy);
    book->arena = kr_arena_new();
    book->pool = kr_pool_new();
    return book;
}

krules_book *krules_open(krules *k, const char *what)
{
    krules_book *book = book_new(k);
    book->book = kr_book_open(book->arena, book->pool, kr_stdlib, what, k->rules, k->diags);
    return book->book ? book : NULL;
}

krules_book *krules_open_text(krules *k, const char *name, const char *text)
{
    krules_book *book = book_new(k);
    book->book = kr_book_open_text(book->arena, book->pool, kr_stdlib, name, text, strlen(text), k->diags);
    return book->book ? book : NULL;
}

bool krules_check(krules_book *book)
{
    kr_diags *diags = book->object.session->diags;
    bool planned = kr_book_plan(book->book, diags);
    return kr_book_publishes(book->book, diags) && planned;
}

const char *krules_version_plan(krules_book *book, size_t i) { return kr_plan_print(book->arena, book->book->versions[i].plan); }

void krules_book_free(krules_book *book)
{
    if (book)
        krules_object_free(&book->object);
}

const char *krules_book_name(const krules_book *book) { return book->book->name; }

const char *krules_book_title(const krules_book *book)
{
    const char *title = book->book->versions[book->book->version_count - 1].model->title;
    return title ? title : "";
}

size_t krules_version_count(const krules_book *book) { return (size_t)book->book->version_count; }

krules_version krules_version_at(const krules_book *book, size_t i)
{
    const kr_version *v = &book->book->versions[i];
    const kr_model *m = v->model;
    krules_version out = {
        .number = v->number, .path = v->path, .title = m->title ? m->title : "", .sha256 = v->sha256, .effective_from = "", .notice_days = m->notice_days,
        .param_count = (size_t)m->param_count, .sheet_count = (size_t)m->sheet_count, .example_count = (size_t)m->example_count, .check_count = (size_t)m->assert_count,
    };
    if (m->has_effective_from)
        out.effective_from = kr_cell_text(book->arena, book->pool, KR_T_DAY, kr_cell_of_int(m->effective_from), NULL);
    for (int s = 0; s < m->sheet_count; s++)
        for (int c = 0; c < m->sheets[s]->column_count; c++)
            out.formula_count += m->sheets[s]->columns[c]->formula.fragment != NULL && !m->sheets[s]->columns[c]->hidden;
    return out;
}

/* ------------------------------------------------------------------ data */

uint64_t krules_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool krules_read_day(krules *k, const char *flag, const char *text, bool *has, int64_t *day)
{
    *has = text != NULL;
    if (!text || kr_day_read(text, strlen(text), day))
        return true;
    kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, flag, "`%s` is not a day", text), "write a real date as YYYY-MM-DD");
    return false;
}

bool krules_is_line(const char *text, size_t *bad)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        size_t before = at;
        uint32_t c = kr_utf8_next(text, len, &at);
        bool turns = (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); /* ends a line, or reverses how it is shown */
        if (c >= 0x20 && (c < 0x7f || c > 0x9f) && !turns && !(c == 0xfffd && at == before + 1))
            continue;
        *bad = before + 1;
        return false;
    }
    return true;
}

bool krules_is_reason(krules *k, const char *why)
{
    size_t bad;
    if (!why || krules_is_line(why, &bad))
        return true;
    kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, "--why", "a reason is one line of UTF-8 text; byte %zu of this one is no part of such a line", bad),
                 "write it in one line, and point to what is longer");
    return false;
}

static void data_destroy(krules_object *object)
{
    krules_data *data = (krules_data *)object;
    kr_book_data_free(data->data);
    kr_arena_free(data->arena);
    kr_free(data);
}

krules_data *krules_load(krules_book *book, const char *path)
{
    uint64_t start = krules_now_ms();
    kr_book_data *loaded = kr_book_load(book->book, path, book->object.session->diags);
    if (!loaded)
        return NULL;
    krules_data *data = kr_alloc(sizeof *data);
    krules_object_add(book->object.session, &data->object, data_destroy);
    data->book = book;
    data->data = loaded;
    data->arena = kr_arena_new();
    data->load_ms = krules_now_ms() - start;
    return data;
}

void krules_data_free(krules_data *data)
{
    if (data)
        krules_object_free(&data->object);
}

const kr_dataset *krules_data_last(const krules_data *data) { return data->data->of_version[data->data->count - 1]; }

const char *krules_data_digest(krules_data *data)
{
    const kr_book *book = data->book->book;
    if (!data->digest)
        data->digest = kr_data_digest_new(data->arena, krules_data_last(data), book->versions[book->version_count - 1].model);
    return data->digest->hex;
}

size_t krules_table_count(const krules_data *data) { return (size_t)krules_data_last(data)->table_count; }
const char *krules_table_name(const krules_data *data, size_t table) { return krules_data_last(data)->tables[table].sheet; }
size_t krules_table_rows(const krules_data *data, size_t table) { return krules_data_last(data)->tables[table].row_count; }

const char *krules_table_digest(krules_data *data, size_t table)
{
    krules_data_digest(data);
    for (int i = 0; i < data->digest->table_count; i++)
        if (!strcmp(data->digest->tables[i].name, krules_table_name(data, table)))
            return data->digest->tables[i].hex;
    return "";
}

/* ------------------------------------------------------------------ help */

static void describe(const kr_fn *fn, krules_function *out)
{
    *out = (krules_function){ fn->name, fn->usage, fn->doc, fn->source, fn->example, fn->gives, fn->edge, fn->edge_gives, fn->shape == KR_AGGREGATE, fn->shape == KR_FORM };
}

bool krules_function_at(size_t i, krules_function *out)
{
    const kr_fn *fn = kr_fn_at(kr_stdlib, i);
    if (fn)
        describe(fn, out);
    return fn != NULL;
}

bool krules_function_named(const char *name, krules_function *out)
{
    const kr_fn *fn = kr_fn_find(kr_stdlib, name, strlen(name));
    if (fn)
        describe(fn, out);
    return fn != NULL;
}

static const int statuses[] = {
    0,
#define KR_ERROR(name, number, status, title, explain) status,
#include "vm/text/errors.def"
#undef KR_ERROR
};

bool krules_code_at(size_t i, krules_code *out)
{
    kr_code code = (kr_code)(i + 1);
    if (i + 1 >= KR_CODE_COUNT)
        return false;
    *out = (krules_code){ kr_code_name(code), kr_code_title(code), kr_code_explain(code), statuses[i + 1] };
    return true;
}
