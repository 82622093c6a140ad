#include "vm/store/past.h"

#include <cjson/cJSON.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "vm/store/cell.h"
#include "vm/store/write.h"
#include "vm/text/time.h"

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS state (book TEXT NOT NULL, version INTEGER NOT NULL, rules_sha256 TEXT NOT NULL, last_day TEXT NOT NULL,"
    " PRIMARY KEY (book, version)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS state_row (book TEXT NOT NULL, version INTEGER NOT NULL, sheet TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL,"
    " cells TEXT NOT NULL, PRIMARY KEY (book, version, sheet, day, key)) WITHOUT ROWID;";

static bool fault(sqlite3 *db, const char *path, kr_diags *diags)
{
    kr_diag_at(diags, KR_E_STORE_WRITE, path, "the results store `%s` cannot be used: %s", path, sqlite3_errmsg(db));
    return false;
}

/* The columns of a sheet that are kept: its keys, then its state. */
static int kept_columns(kr_arena *arena, const kr_sheet *sheet, const kr_column_def ***out, int *keys)
{
    const kr_column_def **list = KR_NEW_ARRAY(arena, const kr_column_def *, sheet->key_count + sheet->column_count + 1);
    int count = 0;
    for (int k = 0; k < sheet->key_count; k++)
        list[count++] = sheet->keys[k];
    *keys = count;
    for (int c = 0; sheet->clock && c < sheet->column_count; c++)
        if (sheet->columns[c]->is_state && !sheet->columns[c]->input)
            list[count++] = sheet->columns[c];
    *out = list;
    return count;
}

/* ------------------------------------------------------------------ writing */

typedef struct piece { const char *text; size_t len; } piece;

/* null, "text", or an error code in a list. */
static piece cell_json(kr_arena *arena, const kr_pool *pool, kr_type type, kr_cell cell)
{
    piece p = { "null", 4 };
    if (kr_is_blank(cell))
        return p;
    size_t len;
    const char *text = kr_cell_text(arena, pool, type, cell, &len);
    kr_json_string(arena, text, len, &p.text, &p.len);
    if (kr_is_error(cell)) {
        p.text = kr_arena_printf(arena, "[%.*s]", (int)p.len, p.text);
        p.len += 2;
    }
    return p;
}

static const char *row_json(kr_arena *arena, const kr_pool *pool, const kr_column_def *const *defs, const kr_column *const *columns, int count, size_t row, bool names)
{
    size_t size = 3;
    piece *pieces = KR_NEW_ARRAY(arena, piece, count + 1);
    for (int i = 0; i < count; i++) {
        pieces[i] = cell_json(arena, pool, columns[i]->type, kr_column_get(columns[i], row));
        size += pieces[i].len + strlen(defs[i]->name) + 4;
    }
    char *out = kr_arena_alloc(arena, size), *at = out;
    *at++ = names ? '{' : '[';
    for (int i = 0; i < count; i++) {
        if (i)
            *at++ = ',';
        if (names) {
            size_t len = strlen(defs[i]->name);
            *at++ = '"';
            memcpy(at, defs[i]->name, len);
            at += len;
            *at++ = '"';
            *at++ = ':';
        }
        memcpy(at, pieces[i].text, pieces[i].len);
        at += pieces[i].len;
    }
    *at++ = names ? '}' : ']';
    *at = '\0';
    return out;
}

static bool row_day(const kr_column *clock, size_t row, int64_t *day)
{
    kr_cell cell = clock ? kr_column_get(clock, row) : KR_BLANK;
    if (kr_is_special(cell))
        return false;
    *day = clock->type == KR_T_DAY ? kr_cell_int(cell) : kr_day_of_time(kr_cell_int(cell));
    return true;
}

/* Rows of [first, last], and those without a day. */
static bool save_sheet(sqlite3_stmt *put, const kr_chain_part *part, const kr_pool *pool, const kr_sheet *sheet, int64_t first, int64_t last)
{
    kr_arena *arena = kr_arena_new(), *scratch = kr_arena_new();
    const kr_column_def **defs;
    int keys, all = kept_columns(arena, sheet, &defs, &keys), count = 0;
    const kr_column **columns = KR_NEW_ARRAY(arena, const kr_column *, all + 1), *clock = sheet->clock ? kr_run_column(part->run, sheet->clock) : NULL;
    bool ok = true, whole = keys > 0;
    for (int i = 0; i < all; i++) {
        columns[count] = kr_run_column(part->run, defs[i]);
        whole = whole && (i >= keys || columns[count]);
        if (columns[count])
            defs[count++] = defs[i];
    }
    size_t rows = whole && count > keys ? kr_run_row_count(part->run, sheet) : 0; /* count == keys: nothing of it is read back */
    sqlite3_bind_text(put, 3, sheet->name, -1, SQLITE_STATIC);
    for (size_t row = 0; row < rows && ok; row++) {
        int64_t day;
        char text[16] = "";
        if (row_day(clock, row, &day)) {
            if (day < first || day > last)
                continue;
            kr_day_write(day, text);
        }
        sqlite3_reset(put);
        sqlite3_bind_text(put, 4, text, -1, SQLITE_STATIC);
        sqlite3_bind_text(put, 5, row_json(scratch, pool, defs, columns, keys, row, false), -1, SQLITE_STATIC);
        sqlite3_bind_text(put, 6, row_json(scratch, pool, defs, columns, count, row, true), -1, SQLITE_STATIC);
        ok = sqlite3_step(put) == SQLITE_DONE;
        sqlite3_reset(put);
        kr_arena_reset(scratch);
    }
    kr_arena_free(scratch);
    kr_arena_free(arena);
    return ok;
}

static bool run_sql(sqlite3 *db, const char *sql, const char *book, int version, const char *a, const char *b)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK;
    sqlite3_bind_text(s, 1, book, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 2, version);
    sqlite3_bind_text(s, 3, a, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 4, b, -1, SQLITE_STATIC);
    int step = ok ? sqlite3_step(s) : SQLITE_ERROR;
    sqlite3_finalize(s);
    return step == SQLITE_DONE || step == SQLITE_ROW;
}

static bool has_state(sqlite3 *db, const char *book, int version)
{
    sqlite3_stmt *s = NULL;
    bool there = sqlite3_prepare_v2(db, version < 0 ? "SELECT 1 FROM state WHERE book = ?1" : "SELECT 1 FROM state WHERE book = ?1 AND version = ?2", -1, &s, NULL) == SQLITE_OK;
    sqlite3_bind_text(s, 1, book, -1, SQLITE_STATIC);
    if (version >= 0)
        sqlite3_bind_int(s, 2, version);
    there = there && sqlite3_step(s) == SQLITE_ROW;
    sqlite3_finalize(s);
    return there;
}

bool kr_past_kept(sqlite3 *db, const char *book) { return has_state(db, book, -1); }

bool kr_past_save(sqlite3 *db, const char *path, const kr_chain *chain, bool resumed, kr_diags *diags)
{
    const kr_book *book = chain->book;
    if (!chain->has_days || chain->part_count == 0)
        return true;
    char first[16];
    int first_version = book->versions[chain->parts[0].version].number;
    bool ok = sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK;
    if (resumed && chain->parts[0].first != INT64_MIN) { /* what is computed anew, and what was computed from it */
        kr_day_write(chain->parts[0].first, first);
        ok = ok && run_sql(db, "DELETE FROM state_row WHERE book = ?1 AND (version > ?2 OR version = ?2 AND (day >= ?3 OR day = ''))", book->name, first_version, first, "") &&
             run_sql(db, "DELETE FROM state WHERE book = ?1 AND version > ?2", book->name, first_version, "", "");
    } else {
        ok = ok && run_sql(db, "DELETE FROM state_row WHERE book = ?1", book->name, 0, "", "") && run_sql(db, "DELETE FROM state WHERE book = ?1", book->name, 0, "", "");
    }
    sqlite3_stmt *put = NULL;
    ok = ok && sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO state_row VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1, &put, NULL) == SQLITE_OK;
    for (int p = 0; p < chain->part_count && ok; p++) {
        const kr_chain_part *part = &chain->parts[p];
        const kr_version *version = &book->versions[part->version];
        /* of a version that the store has nothing of yet also the days before: as it sees them */
        int64_t from = has_state(db, book->name, version->number) ? part->first : INT64_MIN;
        char last[16];
        kr_day_write(part->last, last);
        sqlite3_bind_text(put, 1, book->name, -1, SQLITE_STATIC);
        sqlite3_bind_int(put, 2, version->number);
        for (int i = 0; i < version->model->sheet_count && ok; i++)
            ok = save_sheet(put, part, book->pool, version->model->sheets[i], from, part->last);
        ok = ok && run_sql(db, "INSERT OR REPLACE INTO state VALUES (?1, ?2, ?3, ?4)", book->name, version->number, version->sha256, last);
    }
    sqlite3_finalize(put);
    return ok || fault(db, path, diags);
}

/* ------------------------------------------------------------------ reading */

typedef struct reading {
    kr_book *book;
    sqlite3 *db;
    const char *path;
    kr_arena *arena;
    kr_cell_reader *reader;
    kr_diags *diags;
} reading;

static bool damaged(const reading *r, const char *what)
{
    kr_diag *d = kr_diag_at(r->diags, KR_E_STORE_PAST, r->path, "the state in `%s` cannot be gone on from: %s", r->path, what);
    kr_diag_help(r->diags, d, "run without --resume: it computes every day, and saves the state anew");
    return false;
}

static bool error_of(const char *name, kr_cell *out)
{
    const kr_cell all[] = { KR_E_DIV0, KR_E_NUM, KR_E_NA, KR_E_VALUE, KR_E_MULTI };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(kr_special_name(all[i]), name)) {
            *out = all[i];
            return true;
        }
    return false;
}

static bool cell_of(const reading *r, const kr_column_def *def, const cJSON *item, kr_cell *out)
{
    static const kr_domain any;
    kr_cell_fault problem;
    *out = KR_BLANK;
    if (cJSON_IsNull(item))
        return true;
    if (cJSON_IsArray(item) && cJSON_IsString(item->child))
        return error_of(item->child->valuestring, out);
    if (!cJSON_IsString(item))
        return false;
    size_t len = strlen(item->valuestring);
    if (def->type == KR_T_TEXT) { /* "" is a text here */
        *out = kr_cell_of_text(r->book->pool, item->valuestring, len);
        return true;
    }
    if (def->type == KR_T_BYTES && !len) {
        *out = kr_cell_of_text(r->book->pool, "", 0);
        return true;
    }
    kr_cell_rule rule = { .name = def->name, .type = def->type, .domain = &any };
    return kr_cell_read(r->reader, &rule, item->valuestring, len, out, &problem);
}

/* The rows of a sheet before a day. */
static bool load_sheet(const reading *r, const kr_version *version, const kr_sheet *sheet, const char *before, kr_record *out)
{
    const kr_column_def **defs;
    int keys, count = kept_columns(r->arena, sheet, &defs, &keys);
    sqlite3_stmt *s = NULL;
    size_t rows = 0, room = 0;
    *out = (kr_record){ .sheet = sheet, .defs = defs };
    if (count == keys)
        return true;
    bool ok = sqlite3_prepare_v2(r->db, "SELECT cells FROM state_row WHERE book = ?1 AND version = ?2 AND sheet = ?3 AND day < ?4 ORDER BY day, key", -1, &s, NULL) == SQLITE_OK;
    bool *there = KR_NEW_ARRAY(r->arena, bool, count);
    sqlite3_bind_text(s, 1, r->book->name, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 2, version->number);
    sqlite3_bind_text(s, 3, sheet->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 4, before, -1, SQLITE_STATIC);
    kr_column *columns = KR_NEW_ARRAY(r->arena, kr_column, count);
    for (int c = 0; c < count; c++)
        kr_column_init(&columns[c], defs[c]->type, 0);
    int step = SQLITE_DONE;
    while (ok && (step = sqlite3_step(s)) == SQLITE_ROW) {
        cJSON *json = cJSON_Parse((const char *)sqlite3_column_text(s, 0));
        if (rows == room) {
            room = room ? room * 2 : 256;
            for (int c = 0; c < count; c++)
                kr_column_resize(&columns[c], room);
        }
        for (int c = 0; c < count && ok; c++) {
            const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, defs[c]->name);
            kr_cell cell = KR_BLANK;
            if (rows == 0)
                there[c] = item != NULL;
            ok = there[c] == (item != NULL) && (item || c >= keys) && (!item || cell_of(r, defs[c], item, &cell));
            kr_column_set(&columns[c], rows, cell);
        }
        cJSON_Delete(json);
        rows++;
    }
    sqlite3_finalize(s);
    if (!ok || step != SQLITE_DONE) {
        for (int c = 0; c < count; c++)
            kr_column_done(&columns[c]);
        return damaged(r, kr_arena_printf(r->arena, "a row of `%s` is not as it was written", sheet->name));
    }
    int kept = 0;
    for (int c = 0; c < count; c++) { /* columns that nothing published needed were not kept */
        if (rows == 0 || there[c]) {
            kr_column_resize(&columns[c], rows);
            columns[kept] = columns[c];
            defs[kept++] = defs[c];
        } else {
            kr_column_done(&columns[c]);
        }
    }
    out->columns = columns;
    out->column_count = kept;
    out->row_count = rows;
    return true;
}

static bool load_version(const reading *r, int index, const char *before, kr_run **out)
{
    const kr_version *version = &r->book->versions[index];
    const kr_model *model = version->model;
    kr_record *records = KR_NEW_ARRAY(r->arena, kr_record, model->sheet_count + 1);
    int count = 0;
    bool ok = true;
    for (int i = 0; i < model->sheet_count && ok; i++)
        ok = load_sheet(r, version, model->sheets[i], before, &records[count]) && (count++, true);
    if (!ok) {
        for (int i = 0; i < count; i++)
            for (int c = 0; c < records[i].column_count; c++)
                kr_column_done(&records[i].columns[c]);
        return false;
    }
    *out = kr_run_of_records(version->plan, records, count);
    return true;
}

/* Last day whose state is there under a version; false: none. *same: it was made by this rule file. */
static bool last_of(const reading *r, const kr_version *version, int64_t *last, bool *same)
{
    sqlite3_stmt *s = NULL;
    bool there = sqlite3_prepare_v2(r->db, "SELECT rules_sha256, last_day FROM state WHERE book = ?1 AND version = ?2", -1, &s, NULL) == SQLITE_OK;
    sqlite3_bind_text(s, 1, r->book->name, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 2, version->number);
    there = there && sqlite3_step(s) == SQLITE_ROW;
    if (there) {
        const char *day = (const char *)sqlite3_column_text(s, 1);
        *same = !strcmp((const char *)sqlite3_column_text(s, 0), version->sha256);
        there = kr_day_read(day, strlen(day), last);
    }
    sqlite3_finalize(s);
    return there;
}

static bool find_past(const reading *r, bool has_wanted, int64_t wanted, kr_past *past)
{
    kr_book *book = r->book;
    int64_t newest = INT64_MIN, last, first;
    int newest_version = -1;
    bool same;
    for (int i = 0; i < book->version_count; i++)
        if (last_of(r, &book->versions[i], &last, &same) && last >= newest) {
            newest = last;
            newest_version = i;
        }
    if (newest_version < 0)
        return true;
    first = has_wanted && wanted <= newest ? wanted : newest + 1;
    int version = kr_book_in_force(book, first - 1);
    if (version < 0)
        return true; /* before the first version: nothing was recorded */
    if (!last_of(r, &book->versions[version], &last, &same) || last < first - 1)
        return true;
    if (!same)
        return damaged(r, kr_arena_printf(r->arena, "it was made by another rule file than version %d is now", book->versions[version].number));
    char day[16];
    kr_day_write(first, day);
    if (!load_version(r, version, day, &past->records))
        return false;
    past->version = version;
    past->first_day = first;
    return true;
}

bool kr_past_load(kr_book *book, const char *path, bool has_wanted, int64_t wanted, kr_past *past, kr_diags *diags)
{
    *past = (kr_past){ 0 };
    if (access(path, F_OK) != 0)
        return true;
    reading r = { .book = book, .path = path, .diags = diags, .arena = kr_arena_new(), .reader = kr_cell_reader_new(book->pool) };
    bool ok = kr_book_plan(book, diags);
    if (ok && sqlite3_open_v2(path, &r.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) /* what a killed run left is rolled back first */
        ok = fault(r.db, path, diags);
    sqlite3_busy_timeout(r.db, 10000);
    ok = ok && find_past(&r, has_wanted, wanted, past);
    sqlite3_close(r.db);
    kr_cell_reader_free(r.reader);
    kr_arena_free(r.arena);
    return ok;
}
