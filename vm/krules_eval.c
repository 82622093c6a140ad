/* krules_eval.c: evaluation, results and receipts behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>

#include "vm/num/num_sum.h"
#include "vm/store/past.h"
#include "vm/store/receipt.h"
#include "vm/store/results.h"
#include "vm/store/write.h"
#include "vm/text/time.h"
#include "vm/text/utf8.h"

static const char engine[] = "krules " KRULES_VERSION;
enum { CELLS_KEPT = 64 };

static void result_destroy(krules_object *object)
{
    krules_result *r = (krules_result *)object;
    kr_chain_free(r->chain);
    kr_arena_free(r->text[0]);
    kr_arena_free(r->text[1]);
    kr_arena_free(r->arena);
    kr_free(r);
}

/* Say so when the period asked for holds no row, or days after the last record: such an answer looks like any other. */
static void warn_of_period(krules *k, const krules_result *r, const kr_chain_options *o)
{
    const kr_chain *chain = r->chain;
    const char *to_flag = o->has_from && o->from == o->to ? "--day" : "--to", *from_flag = o->has_to && o->from == o->to ? "--day" : "--from";
    int64_t known;
    size_t rows = 0;
    char day[16], end[16];
    for (int i = 0; i < r->view->sheet_count; i++)
        rows += r->view->sheets[i].row_count;
    if (!chain->has_days && (o->has_from || o->has_to) && !rows) {
        kr_diag_at(k->diags, KR_W_RUN_PERIOD, o->has_from ? from_flag : to_flag, "no row is of this period");
    } else if (chain->has_days && chain->from > chain->to && (o->has_from || o->has_to)) {
        bool early = o->has_to; /* a period that is open at its end fails by its beginning only */
        kr_day_write(early ? o->to : o->from, day);
        kr_diag_at(k->diags, KR_W_RUN_PERIOD, early ? to_flag : from_flag, "%s is %s day of `%s`: no row is of this period", day, early ? "before the first" : "after the last",
                   chain->book->name);
    } else if (chain->has_days && o->has_to && kr_book_data_last(r->data->data, o->to, &known) && o->to > known) {
        kr_day_write(known, end);
        kr_day_write(o->to, day);
        kr_diag_at(k->diags, KR_N_RUN_AFTER, to_flag, "the last record in the data is of %s: what comes after it, to %s, is computed as days on which nothing happened", end, day);
    }
}

krules_result *krules_eval(krules_book *book, krules_data *data, const krules_options *options)
{
    krules *k = book->object.session;
    krules_options none = { 0 };
    options = options ? options : &none;
    kr_view_options chosen = { .only = options->only, .where = options->where };
    kr_chain_options o = { .threads = options->threads, .progress = options->progress, .progress_context = options->progress_context };
    bool one_day = options->from && options->to && !strcmp(options->from, options->to);
    if (!krules_read_day(k, one_day ? "--day" : "--from", options->from, &o.has_from, &o.from) || !krules_read_day(k, "--to", options->to, &o.has_to, &o.to))
        return NULL;
    if (o.has_from && o.has_to && o.to < o.from) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, "--to", "the period ends (%s) before it begins (%s)", options->to, options->from);
        return NULL;
    }
    kr_past past = { 0 };
    if (options->resume && !book->book->versions[book->book->version_count - 1].model->has_days) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, "--resume", "`%s` has no days: no day goes on from another", book->book->name);
        return NULL;
    }
    if (options->resume && !kr_past_load(book->book, options->resume, o.has_from || o.has_to, o.has_from ? o.from : o.to, &past, k->diags))
        return NULL;
    o.past = past.records ? &past : NULL;
    chosen.has_from = o.has_from;
    chosen.from = o.from;
    chosen.has_to = o.has_to;
    chosen.to = o.to;
    o.all_columns = kr_view_needs_all(book->book, &chosen);
    uint64_t start = krules_now_ms();
    bool planned = kr_book_plan(book->book, k->diags);
    uint64_t plan_ms = krules_now_ms() - start;
    kr_chain *chain = !planned ? NULL : kr_chain_run(book->book, data->data, &o, k->diags);
    kr_run_free(past.records);
    if (!chain)
        return NULL;
    krules_result *r = kr_alloc(sizeof *r);
    krules_object_add(k, &r->object, result_destroy);
    r->book = book;
    r->data = data;
    r->chain = chain;
    r->state = o.past ? KR_STATE_RESUMED : options->resume ? KR_STATE_BEGUN : KR_STATE_KEPT;
    r->plan_ms = plan_ms;
    r->arena = kr_arena_new();
    r->text[0] = kr_arena_new();
    r->text[1] = kr_arena_new();
    if (chain->has_days && chain->from <= chain->to) {
        kr_day_write(chain->from, r->from);
        kr_day_write(chain->to, r->to);
    }
    r->check_failures = kr_chain_report_failed(r->arena, chain, k->diags);
    if (krules_status(k) < KRULES_DATA) /* a broken requirement means the data is not what the rules are written for */
        r->view = kr_view_new(r->arena, chain, &chosen, k->diags);
    if (r->view) {
        warn_of_period(k, r, &o);
        return r;
    }
    kr_chain_free(r->chain); /* the rest stays until the session ends: messages may show the formula of --where */
    r->chain = NULL;
    return NULL;
}

void krules_result_free(krules_result *result)
{
    if (result)
        krules_object_free(&result->object);
}

bool krules_period(const krules_result *r, const char **from, const char **to)
{
    *from = r->from;
    *to = r->to;
    return r->chain->has_days;
}

const char *krules_report_column(const krules_book *book)
{
    return book->book->versions[book->book->version_count - 1].model->report;
}

/* ------------------------------------------------------------------ sheets and cells */

static const kr_view_sheet *sheet_at(const krules_result *r, size_t sheet) { return &r->view->sheets[sheet]; }

size_t krules_sheet_count(const krules_result *r) { return (size_t)r->view->sheet_count; }
const char *krules_sheet_name(const krules_result *r, size_t sheet) { return sheet_at(r, sheet)->name; }

const char *krules_sheet_doc(const krules_result *r, size_t sheet)
{
    const char *text = sheet_at(r, sheet)->sheet->doc.text;
    return text ? text : "";
}

size_t krules_row_count(const krules_result *r, size_t sheet) { return sheet_at(r, sheet)->row_count; }
size_t krules_column_count(const krules_result *r, size_t sheet) { return (size_t)sheet_at(r, sheet)->column_count; }

krules_column krules_column_at(const krules_result *r, size_t sheet, size_t column)
{
    const kr_view_column *c = &sheet_at(r, sheet)->columns[column];
    return (krules_column){
        .name = c->name, .type = kr_type_name(c->type), .unit = c->def->unit.known ? kr_unit_write(r->arena, &c->def->unit) : "",
        .doc = c->def->doc.text ? c->def->doc.text : "", .key = c->key,
    };
}

/* Texts handed out live in the newer of two arenas, which take turns: so one stays for at least CELLS_KEPT further calls. */
static kr_arena *text_arena(krules_result *r)
{
    if (++r->text_used > CELLS_KEPT) {
        kr_arena *old = r->text[1];
        r->text[1] = r->text[0];
        r->text[0] = old;
        kr_arena_reset(old);
        r->text_used = 1;
    }
    return r->text[0];
}

const char *krules_cell(krules_result *r, size_t sheet, size_t row, size_t column)
{
    const kr_view_sheet *s = sheet_at(r, sheet);
    return kr_cell_text(text_arena(r), r->chain->book->pool, s->columns[column].type, kr_view_cell(s, row, (int)column), NULL);
}

const char *krules_row_day(krules_result *r, size_t sheet, size_t row)
{
    int64_t day;
    char text[16];
    if (!kr_view_day(sheet_at(r, sheet), row, &day))
        return NULL;
    return kr_arena_copy(text_arena(r), text, kr_day_write(day, text));
}

const char *krules_total(krules_result *r, size_t sheet, size_t column, const char *day)
{
    const kr_view_sheet *s = sheet_at(r, sheet);
    kr_sum sum = KR_SUM_ZERO;
    int64_t wanted = 0, have;
    bool ok = s->columns[column].type == KR_T_NUMBER && (!day || kr_day_read(day, strlen(day), &wanted));
    char text[KR_NUM_TEXT] = "";
    for (size_t row = 0; ok && row < s->row_count; row++) {
        kr_cell cell = kr_view_cell(s, row, (int)column);
        if (!kr_is_special(cell) && (!day || (kr_view_day(s, row, &have) && have == wanted)))
            kr_sum_add(&sum, cell);
    }
    size_t len = ok ? kr_num_write(kr_sum_value(&sum), text) : 0;
    return kr_arena_copy(text_arena(r), text, len);
}

size_t krules_check_failures(const krules_result *r) { return r->check_failures; }

size_t krules_error_cells(krules_result *r, bool report) { return kr_view_report_errors(r->view, report ? r->object.session->diags : NULL); }

const char *krules_shorten(char out[64], const char *number, int decimals)
{
    kr_num n;
    if (kr_num_read(number, strlen(number), &n, NULL) != KR_READ_OK)
        return number;
    kr_num_write(kr_num_round(n, decimals, KR_HALF_EVEN), out);
    return out;
}

size_t krules_width(const char *text) { return kr_text_width(text, strlen(text)); }

krules_phases krules_times(const krules_result *r)
{
    krules_phases ms = { .load = r->data->load_ms, .plan = r->plan_ms, .write = r->write_ms };
    for (int i = 0; i < r->chain->part_count; i++) {
        ms.rows_and_indexes += kr_run_ms(r->chain->parts[i].run, 0);
        ms.formulas += kr_run_ms(r->chain->parts[i].run, 1);
    }
    return ms;
}

/* ------------------------------------------------------------------ out */

bool krules_write(krules_result *r, const char *format, const char *path)
{
    uint64_t start = krules_now_ms();
    bool ok = kr_view_write(r->view, format, path, r->object.session->diags);
    r->write_ms += krules_now_ms() - start;
    return ok;
}

bool krules_save(krules_result *r, const char *database, const char *reason, size_t *days)
{
    return kr_results_save(r->view, krules_data_digest(r->data), database, reason, r->state, days, r->object.session->diags);
}

/* Of all that the book publishes, whatever was asked for. */
static kr_receipt *receipt_of(kr_arena *arena, krules_result *r, kr_view **view)
{
    kr_view_options all = { 0 };
    *view = kr_view_new(arena, r->chain, &all, r->object.session->diags);
    krules_data_digest(r->data);
    return *view ? kr_receipt_new(arena, *view, r->data->digest, engine) : NULL;
}

bool krules_write_receipt(krules_result *r, const char *path)
{
    kr_view *view;
    kr_receipt *receipt = receipt_of(r->arena, r, &view);
    return receipt && kr_receipt_write(receipt, path, r->object.session->diags);
}

bool krules_verify(krules *k, const char *receipt_path, const char *book_name, const char *data_path, const char *published)
{
    kr_receipt *said = kr_receipt_read(k->arena, receipt_path, k->diags);
    if (!said)
        return false;
    if (!book_name && said->version_count) /* later versions of the book are none of the receipt's business */
        book_name = said->alone ? said->versions[0].path : kr_arena_printf(k->arena, "%s@%d", said->book, said->versions[said->version_count - 1].number);
    krules_book *book = krules_open(k, book_name);
    krules_data *data = book ? krules_load(book, data_path) : NULL;
    krules_options options = { .from = *said->from ? said->from : NULL, .to = *said->to ? said->to : NULL };
    krules_result *r = data ? krules_eval(book, data, &options) : NULL;
    kr_view *view;
    kr_receipt *found = r ? receipt_of(k->arena, r, &view) : NULL;
    const char *slash = strrchr(receipt_path, '/');
    const char *folder = published ? published : !slash ? "." : slash == receipt_path ? "/" : kr_arena_copy(k->arena, receipt_path, (size_t)(slash - receipt_path));
    return found && kr_receipt_compare(said, found, view, folder, receipt_path, k->diags);
}
