/* krules_import.c: imports, readiness and the shape of data behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>

#include "stdlib/stdlib.h"
#include "vm/store/import.h"
#include "vm/text/time.h"

typedef struct reporting { const krules_import *how; } reporting;

static void report(void *context, const kr_import_line *line)
{
    const krules_import *how = ((reporting *)context)->how;
    krules_import_line out = { line->file, line->kind, line->records, line->fresh, line->note };
    if (how->report)
        how->report(how->report_context, &out);
}

static kr_import_options options_of(const krules_import *how, reporting *context)
{
    return (kr_import_options){
        .into = how->into, .address = how->address, .coin = how->coin, .kind = how->kind, .read_at = how->read_at, .from = how->asked_from, .to = how->asked_to,
        .builder_rate = how->builder_rate, .builder_fills = how->builder_fills, .report = report, .report_context = context,
    };
}

bool krules_import_hyperliquid(krules *k, const char *const *files, size_t count, const krules_import *how)
{
    reporting context = { how };
    kr_import_options options = options_of(how, &context);
    return kr_import_hyperliquid(files, count, &options, k->diags);
}

/* A series of marks is no table of the rules: fills take their mark from it when they are imported. */
static const char mark_table[] =
    "rulebook { id = \"krules/mark\", version = 1, language = 1, title = \"Recorded marks\" }\n"
    "local mark = sheet(\"mark\", { \"coin\", \"time\" })\n"
    "mark.coin = text\n"
    "mark.time = time\n"
    "mark.px   = number { above = 0, required = true }\n"
    "output(mark)\n";

bool krules_import_tables(krules *k, const char *const *tables, size_t count, const krules_import *how)
{
    reporting context = { how };
    kr_import_options options = options_of(how, &context);
    krules_book *book = krules_open(k, how->book ? how->book : "kokoah/pay"), *marks = book ? krules_open_text(k, "mark", mark_table) : NULL;
    if (!marks)
        return false;
    const kr_model *models[] = { book->book->versions[book->book->version_count - 1].model, marks->book->versions[0].model };
    return kr_import_csv(tables, count, how->map, &options, models, 2, k->diags);
}

/* ------------------------------------------------------------------ ready or not */

static int64_t param(const kr_model *model, const char *name, int64_t otherwise)
{
    int64_t out;
    for (int i = 0; i < model->param_count; i++)
        if (!strcmp(model->params[i].name, name) && kr_num_to_int(model->params[i].value, &out))
            return out;
    return otherwise;
}

static bool read_day(krules *k, const char *text, int64_t *day)
{
    *day = KR_ANY_DAY;
    if (!text || kr_day_read(text, strlen(text), day))
        return true;
    kr_diag *d = kr_diag_at(k->diags, KR_E_CMD_VALUE, NULL, "`%s` is not a day", text);
    kr_diag_help(k->diags, d, "write a real date as YYYY-MM-DD");
    return false;
}

static bool judge(krules_book *book, const char *path, const char *from, const char *to, int64_t now, kr_ready **days, size_t *count)
{
    krules *k = book->object.session;
    int64_t first, last;
    const kr_model *model = book->book->versions[book->book->version_count - 1].model;
    kr_ready_rules rules = { param(model, "settle", KR_DAY_MS), param(model, "fewest_points", 1) };
    if (!read_day(k, from, &first) || !read_day(k, to, &last))
        return false;
    if (first != KR_ANY_DAY && last != KR_ANY_DAY && first > last) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, "--to", "the period ends (%s) before it begins (%s)", to, from);
        return false;
    }
    return kr_ready_days(k->arena, path, first, last, &rules, now, days, count, k->diags);
}

static bool is_pay_rule(const krules_book *book) { return !strcmp(book->book->versions[book->book->version_count - 1].model->id, "kokoah/pay"); }

bool krules_require_ready(krules_book *book, const char *path, const char *from, const char *to)
{
    krules *k = book->object.session;
    kr_ready *days;
    size_t count, wrong = 0;
    char day[16];
    if (!is_pay_rule(book) || !kr_ready_knows(path))
        return true;
    if (!judge(book, path, from, to, KR_ANY_DAY, &days, &count))
        return false;
    const char *ready = NULL;
    for (size_t i = 0; i < count; i++) {
        kr_day_write(days[i].day, day);
        if (!days[i].count)
            ready = kr_arena_copy(k->arena, day, strlen(day));
        for (size_t m = 0; m < days[i].count; m++)
            if (wrong++ < KR_DIAG_SHOWN - 1) /* the last place is for what to do */
                kr_diag_at(k->diags, KR_E_DATA_NOT_READY, day, "%s", days[i].missing[m]);
    }
    if (!wrong)
        return true;
    size_t off = 0;
    for (size_t i = 0; i < count; i++)
        off += days[i].count > 0;
    kr_diag *d = kr_diag_at(k->diags, KR_E_DATA_NOT_READY, path, "%zu of the %zu day%s asked for cannot be scored yet", off, count, count == 1 ? "" : "s");
    kr_diag_help(k->diags, d, "--incomplete computes all the same; `krules data check` lists what is missing");
    if (ready)
        kr_diag_help(k->diags, d, "the last day that is ready is %s: --to %s", ready, ready);
    return false;
}

static const char **ended(kr_arena *arena, const char *const *list, size_t count)
{
    const char **out = KR_NEW_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        out[i] = list[i];
    return out;
}

const krules_day *krules_check_days(krules_book *book, const char *path, const char *from, const char *to, const char *now, size_t *count)
{
    krules *k = book->object.session;
    kr_ready *days;
    int64_t at = KR_ANY_DAY;
    *count = 0;
    if (now && !kr_time_read(now, strlen(now), &at)) {
        kr_diag *d = kr_diag_at(k->diags, KR_E_CMD_VALUE, "--now", "`%s` is not a time", now);
        kr_diag_help(k->diags, d, "write milliseconds since 1970 or YYYY-MM-DDTHH:MM:SSZ");
        return NULL;
    }
    if (!is_pay_rule(book)) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, krules_book_name(book), "what a day needs is known of kokoah/pay only");
        return NULL;
    }
    if (!judge(book, path, from, to, at, &days, count))
        return NULL;
    krules_day *out = KR_NEW_ARRAY(k->arena, krules_day, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        char day[16];
        out[i] = (krules_day){ kr_arena_copy(k->arena, day, kr_day_write(days[i].day, day)), ended(k->arena, days[i].missing, days[i].count),
                               ended(k->arena, days[i].notes, days[i].note_count) };
    }
    return out;
}

const krules_gap *krules_known_gaps(krules *k, const char *path, size_t *count)
{
    *count = 0;
    if (!kr_ready_knows(path))
        return NULL;
    const kr_known_gap *gaps = kr_ready_gaps(k->arena, path, count, k->diags);
    krules_gap *out = KR_NEW_ARRAY(k->arena, krules_gap, *count + 1);
    for (size_t i = 0; i < *count; i++)
        out[i] = (krules_gap){ gaps[i].address, gaps[i].day, gaps[i].reason };
    return out;
}

krules_table_days krules_table_range(krules_data *data, size_t table)
{
    krules_table_days out = { "", "", 0, 0 };
    krules_data_digest(data);
    for (int i = 0; i < data->digest->table_count; i++) {
        const kr_table_digest *t = &data->digest->tables[i];
        if (strcmp(t->name, krules_table_name(data, table)) != 0)
            continue;
        int64_t first = 0, last = 0;
        char text[16];
        for (size_t d = 0; d < t->day_count; d++)
            if (t->days[d].has_day) {
                first = out.days++ ? first : t->days[d].day;
                last = t->days[d].day;
            }
        if (out.days) {
            out.first = kr_arena_copy(data->arena, text, kr_day_write(first, text));
            out.last = kr_arena_copy(data->arena, text, kr_day_write(last, text));
            out.empty = (size_t)(last - first + 1) - out.days;
        }
    }
    return out;
}
