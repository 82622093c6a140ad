#include "vm/store/receipt.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "vm/store/file.h"
#include "vm/store/write.h"
#include "vm/text/time.h"

static const char *keep(kr_arena *arena, const char *text) { return kr_arena_copy(arena, text, strlen(text)); }

static const char *day_text(kr_arena *arena, int64_t day)
{
    char text[16];
    kr_day_write(day, text);
    return keep(arena, text);
}

kr_receipt *kr_receipt_new(kr_arena *arena, const kr_view *view, const kr_data_digest *data, const char *engine)
{
    kr_receipt *r = KR_NEW(arena, kr_receipt);
    const kr_chain *chain = view->chain;
    char hex[KR_HEX];
    r->engine = keep(arena, engine);
    r->book = keep(arena, chain->book->name);
    r->alone = chain->book->single;
    r->now = chain->book->ledger;
    r->ledger = r->now ? keep(arena, r->now->head) : "";
    r->ledger_entries = r->now ? (int)r->now->count : 0;
    int last = chain->part_count ? chain->parts[chain->part_count - 1].version : -1; /* those before it count also when their days were recorded */
    r->versions = KR_NEW_ARRAY(arena, struct kr_receipt_version, last + 2);
    for (int i = 0; i <= last; i++) {
        const kr_version *v = &chain->book->versions[i];
        r->versions[r->version_count++] = (struct kr_receipt_version){ v->number, keep(arena, v->path), keep(arena, v->sha256) };
    }
    r->data_sha256 = keep(arena, data->hex);
    r->tables = KR_NEW_ARRAY(arena, kr_digested, data->table_count);
    for (int i = 0; i < data->table_count; i++)
        r->tables[r->table_count++] = (kr_digested){ keep(arena, data->tables[i].name), keep(arena, data->tables[i].hex), (int64_t)data->tables[i].row_count };
    r->from = chain->has_days ? day_text(arena, chain->from) : "";
    r->to = chain->has_days ? day_text(arena, chain->to) : "";
    kr_view_digest(view, hex);
    r->output_sha256 = keep(arena, hex);
    r->sheets = KR_NEW_ARRAY(arena, kr_digested, view->sheet_count);
    for (int i = 0; i < view->sheet_count; i++) {
        kr_view_sheet_digest(&view->sheets[i], chain->book->pool, hex);
        r->sheets[r->sheet_count++] = (kr_digested){ view->sheets[i].name, keep(arena, hex), (int64_t)view->sheets[i].row_count };
    }
    return r;
}

static void put_string(kr_out *out, kr_arena *arena, const char *text)
{
    const char *quoted;
    size_t len;
    kr_json_string(arena, text, strlen(text), &quoted, &len);
    kr_out_bytes(out, quoted, len);
}

static void put_digested(kr_out *out, kr_arena *arena, const kr_digested *list, int count)
{
    for (int i = 0; i < count; i++) {
        kr_out_text(out, i ? ",\n    { \"name\": " : "\n    { \"name\": ");
        put_string(out, arena, list[i].name);
        kr_out_text(out, kr_arena_printf(arena, ", \"rows\": %lld, \"sha256\": \"%s\" }", (long long)list[i].rows, list[i].sha256));
    }
}

bool kr_receipt_write(const kr_receipt *r, const char *path, kr_diags *diags)
{
    kr_out *out = kr_out_open(path, diags);
    if (!out)
        return false;
    kr_arena *arena = kr_arena_new();
    kr_out_text(out, "{\n  \"receipt\": 1,\n  \"engine\": ");
    put_string(out, arena, r->engine);
    kr_out_text(out, ",\n  \"book\": ");
    put_string(out, arena, r->book);
    if (r->ledger_entries)
        kr_out_text(out, kr_arena_printf(arena, ",\n  \"ledger\": { \"entries\": %d, \"head\": \"%s\" }", r->ledger_entries, r->ledger));
    kr_out_text(out, r->alone ? ",\n  \"alone\": true,\n  \"versions\": [" : ",\n  \"versions\": [");
    for (int i = 0; i < r->version_count; i++) {
        kr_out_text(out, kr_arena_printf(arena, "%s\n    { \"version\": %d, \"file\": ", i ? "," : "", r->versions[i].number));
        put_string(out, arena, r->versions[i].path);
        kr_out_text(out, kr_arena_printf(arena, ", \"sha256\": \"%s\" }", r->versions[i].sha256));
    }
    kr_out_text(out, kr_arena_printf(arena, "\n  ],\n  \"from\": \"%s\",\n  \"to\": \"%s\",\n  \"data_sha256\": \"%s\",\n  \"tables\": [", r->from, r->to, r->data_sha256));
    put_digested(out, arena, r->tables, r->table_count);
    kr_out_text(out, kr_arena_printf(arena, "\n  ],\n  \"output_sha256\": \"%s\",\n  \"sheets\": [", r->output_sha256));
    put_digested(out, arena, r->sheets, r->sheet_count);
    kr_out_text(out, "\n  ]\n}\n");
    kr_arena_free(arena);
    return kr_out_commit(out, diags);
}

/* ------------------------------------------------------------------ reading; counts are all the numbers there are, small enough for cJSON */

static const char *string_of(kr_arena *arena, const cJSON *object, const char *name, bool *ok)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsString(item))
        return keep(arena, item->valuestring);
    *ok = false;
    return "";
}

static kr_digested *read_digested(kr_arena *arena, const cJSON *list, int *count, bool *ok)
{
    *ok = *ok && cJSON_IsArray(list);
    kr_digested *all = KR_NEW_ARRAY(arena, kr_digested, cJSON_GetArraySize(list) + 1);
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *rows = cJSON_GetObjectItemCaseSensitive(item, "rows");
        all[(*count)++] = (kr_digested){ string_of(arena, item, "name", ok), string_of(arena, item, "sha256", ok), cJSON_IsNumber(rows) ? rows->valueint : 0 };
    }
    return all;
}

kr_receipt *kr_receipt_read(kr_arena *arena, const char *path, kr_diags *diags)
{
    kr_file file;
    char problem[200];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, path, "`%s` cannot be read: %s", path, problem);
        return NULL;
    }
    cJSON *json = cJSON_ParseWithLength(file.data, file.size);
    kr_receipt *r = KR_NEW(arena, kr_receipt);
    const cJSON *form = cJSON_GetObjectItemCaseSensitive(json, "receipt"), *versions = cJSON_GetObjectItemCaseSensitive(json, "versions"), *item;
    bool ok = cJSON_IsNumber(form) && form->valueint == 1 && cJSON_IsArray(versions);
    if (ok) {
        r->engine = string_of(arena, json, "engine", &ok);
        r->book = string_of(arena, json, "book", &ok);
        r->alone = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "alone"));
        const cJSON *ledger = cJSON_GetObjectItemCaseSensitive(json, "ledger"), *entries = cJSON_GetObjectItemCaseSensitive(ledger, "entries");
        r->ledger = ledger ? string_of(arena, ledger, "head", &ok) : "";
        r->ledger_entries = cJSON_IsNumber(entries) ? entries->valueint : 0;
        r->from = string_of(arena, json, "from", &ok);
        r->to = string_of(arena, json, "to", &ok);
        r->data_sha256 = string_of(arena, json, "data_sha256", &ok);
        r->output_sha256 = string_of(arena, json, "output_sha256", &ok);
        r->tables = read_digested(arena, cJSON_GetObjectItemCaseSensitive(json, "tables"), &r->table_count, &ok);
        r->sheets = read_digested(arena, cJSON_GetObjectItemCaseSensitive(json, "sheets"), &r->sheet_count, &ok);
        r->versions = KR_NEW_ARRAY(arena, struct kr_receipt_version, cJSON_GetArraySize(versions) + 1);
        cJSON_ArrayForEach(item, versions)
        {
            const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "version");
            r->versions[r->version_count++] = (struct kr_receipt_version){ cJSON_IsNumber(number) ? number->valueint : 0,
                                                                           string_of(arena, item, "file", &ok), string_of(arena, item, "sha256", &ok) };
        }
    }
    cJSON_Delete(json);
    kr_file_done(&file);
    if (ok)
        return r;
    kr_diag_at(diags, KR_E_STORE_RECEIPT, path, "`%s` is not a receipt of krules", path);
    return NULL;
}

static size_t compare_lists(const kr_digested *said, int said_count, const kr_digested *found, int found_count, const char *what, const char *path, kr_diags *diags)
{
    size_t differences = 0;
    for (int i = 0; i < said_count; i++) {
        int j = 0;
        while (j < found_count && strcmp(said[i].name, found[j].name) != 0)
            j++;
        if (j == found_count)
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "%s `%s` is in the receipt, but not here", what, said[i].name);
        else if (strcmp(said[i].sha256, found[j].sha256) != 0)
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "%s `%s` differs: %lld rows, sha256 %.16s… in the receipt; %lld rows, %.16s… here", what, said[i].name,
                       (long long)said[i].rows, said[i].sha256, (long long)found[j].rows, found[j].sha256);
        else
            continue;
        differences++;
    }
    for (int j = 0; j < found_count; j++) {
        int i = 0;
        while (i < said_count && strcmp(said[i].name, found[j].name) != 0)
            i++;
        if (i == said_count) {
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "%s `%s` is here, but not in the receipt", what, found[j].name);
            differences++;
        }
    }
    return differences;
}

static const struct kr_receipt_version *version_in(const kr_receipt *receipt, int number)
{
    for (int i = 0; i < receipt->version_count; i++)
        if (receipt->versions[i].number == number)
            return &receipt->versions[i];
    return NULL;
}

static size_t compare_versions(const kr_receipt *said, const kr_receipt *found, const char *path, kr_diags *diags)
{
    size_t differences = 0;
    for (int i = 0; i < said->version_count; i++) {
        const struct kr_receipt_version *a = &said->versions[i], *b = version_in(found, a->number);
        if (b && !strcmp(a->sha256, b->sha256))
            continue;
        differences++;
        if (!b)
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "version %d of the rules is used in the receipt, but not here", a->number);
        else
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the rule file of version %d is another: sha256 %.16s… in the receipt, %.16s… here", b->number, a->sha256, b->sha256);
    }
    for (int i = 0; i < found->version_count; i++)
        if (!version_in(said, found->versions[i].number)) {
            kr_diag_at(diags, KR_E_STORE_VERIFY, path, "version %d of the rules is used here, but not in the receipt", found->versions[i].number);
            differences++;
        }
    return differences;
}

/* A ledger only grows: the line that was its last is still there. */
static size_t compare_ledger(const kr_receipt *said, const kr_receipt *found, const char *path, kr_diags *diags)
{
    size_t at = (size_t)said->ledger_entries, have = found->now ? found->now->count : 0;
    if (!*said->ledger || (at && at <= have && !strcmp(found->now->entries[at - 1]->hash, said->ledger)))
        return 0;
    if (!have)
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the receipt was made under a ledger of %zu entries, and there is none here", at);
    else if (at > have)
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the ledger was shortened: it had %zu entries when the receipt was made, and has %zu", at, have);
    else
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the ledger was rewritten: entry %zu was %.16s… when the receipt was made, and is %.16s…", at, said->ledger, found->now->entries[at ? at - 1 : 0]->hash);
    return 1;
}

/* One line that says what a difference comes from. */
static void tell_why(const kr_receipt *said, const kr_receipt *found, bool rules, bool data, bool period, const char *path, kr_diags *diags)
{
    const char *engine = strcmp(said->engine, found->engine) ? "; the engine is another, too" : "";
    if (rules || data || period) {
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "so the result differs because of %s%s%s%s%s%s", rules ? "other rules" : "", rules && data ? " and " : "", data ? "other data" : "",
                   (rules || data) && period ? " and " : "", period ? "another period" : "", engine);
        return;
    }
    kr_diag *d = kr_diag_at(diags, KR_E_STORE_VERIFY, path, "rules and data are those of the receipt, so the engine differs (%s there, %s here) or the receipt is false",
                            said->engine, found->engine);
    kr_diag_help(diags, d, "run the engine version that the receipt names, too");
}

bool kr_receipt_compare(const kr_receipt *said, const kr_receipt *found, const kr_view *view, const char *folder, const char *path, kr_diags *diags)
{
    size_t rules = 0, data, period, sheets;
    if (strcmp(said->book, found->book) != 0) {
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the receipt is of `%s`, this is `%s`", said->book, found->book);
        rules++;
    }
    size_t ledger = compare_ledger(said, found, path, diags);
    rules += compare_versions(said, found, path, diags);
    data = compare_lists(said->tables, said->table_count, found->tables, found->table_count, "table", path, diags);
    period = strcmp(said->from, found->from) != 0 || strcmp(said->to, found->to) != 0;
    if (period)
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the period is %s to %s in the receipt, %s to %s here", said->from, said->to, found->from, found->to);
    sheets = compare_lists(said->sheets, said->sheet_count, found->sheets, found->sheet_count, "sheet", path, diags);
    if (sheets) {
        kr_receipt_cells(said, found, view, folder, diags);
        tell_why(said, found, rules > 0, data > 0, period > 0, path, diags);
    }
    size_t differences = ledger + rules + data + period + sheets;
    if (!differences && (strcmp(said->data_sha256, found->data_sha256) != 0 || strcmp(said->output_sha256, found->output_sha256) != 0)) {
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the receipt's digests do not fit each other: it was changed");
        differences++;
    }
    if (!differences)
        differences = kr_receipt_files(said, view, folder, diags);
    return differences == 0;
}
