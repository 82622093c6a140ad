#include "vm/store/results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/store/past.h"
#include "vm/store/write.h"
#include "vm/text/time.h"

/* Sheets differ in their columns and versions change them, so a row is kept as the JSON object of its cells (numbers as strings:
 * SQLite's own JSON functions would read numerals as binary). */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS result (book TEXT NOT NULL, sheet TEXT NOT NULL, day TEXT NOT NULL, version INTEGER NOT NULL,"
    " data_sha256 TEXT NOT NULL, output_sha256 TEXT NOT NULL, PRIMARY KEY (book, sheet, day)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS result_row (book TEXT NOT NULL, sheet TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL, cells TEXT NOT NULL,"
    " PRIMARY KEY (book, sheet, day, key)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS restatement (book TEXT NOT NULL, sheet TEXT NOT NULL, day TEXT NOT NULL, reason TEXT NOT NULL,"
    " old_version INTEGER NOT NULL, new_version INTEGER NOT NULL, old_data_sha256 TEXT NOT NULL, new_data_sha256 TEXT NOT NULL,"
    " old_output_sha256 TEXT NOT NULL, new_output_sha256 TEXT NOT NULL);";

typedef struct saving {
    const kr_view *view;
    const char *path, *data_digest, *reason;
    kr_diags *diags;
    sqlite3 *db;
    sqlite3_stmt *get, *put, *get_row, *put_row, *drop_rows, *count_rows, *restate, *days_there;
    size_t days, refused;
} saving;

static bool database_fault(saving *s)
{
    kr_diag_at(s->diags, KR_E_STORE_WRITE, s->path, "the results store `%s` cannot be written: %s", s->path, sqlite3_errmsg(s->db));
    return false;
}

static bool prepare(saving *s)
{
    const struct { sqlite3_stmt **statement; const char *sql; } all[] = {
        { &s->get, "SELECT version, data_sha256, output_sha256 FROM result WHERE book = ?1 AND sheet = ?2 AND day = ?3" },
        { &s->put, "INSERT OR REPLACE INTO result VALUES (?1, ?2, ?3, ?4, ?5, ?6)" },
        { &s->get_row, "SELECT cells FROM result_row WHERE book = ?1 AND sheet = ?2 AND day = ?3 AND key = ?4" },
        { &s->put_row, "INSERT OR REPLACE INTO result_row VALUES (?1, ?2, ?3, ?4, ?5)" },
        { &s->drop_rows, "DELETE FROM result_row WHERE book = ?1 AND sheet = ?2 AND day = ?3" },
        { &s->count_rows, "SELECT count(*) FROM result_row WHERE book = ?1 AND sheet = ?2 AND day = ?3" },
        { &s->days_there, "SELECT DISTINCT day FROM result_row WHERE book = ?1 AND sheet = ?2 ORDER BY day" },
        { &s->restate, "INSERT INTO restatement VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)" },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sqlite3_prepare_v2(s->db, all[i].sql, -1, all[i].statement, NULL) != SQLITE_OK)
            return database_fault(s);
    return true;
}

static sqlite3_stmt *bound(saving *s, sqlite3_stmt *statement, const char *sheet, const char *day)
{
    sqlite3_reset(statement);
    sqlite3_bind_text(statement, 1, s->view->chain->book->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, sheet, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, day, -1, SQLITE_STATIC);
    return statement;
}

typedef struct piece { const char *text; size_t len; } piece;

/* The row's key (JSON list of its key cells; of a bag all cells and a number) and its cells (JSON object), both all strings. */
static void row_texts(kr_arena *arena, const kr_view *view, const kr_view_sheet *sheet, size_t row, size_t number, const char **key, const char **cells)
{
    const kr_pool *pool = view->chain->book->pool;
    piece *pieces = KR_NEW_ARRAY(arena, piece, sheet->column_count + 1);
    size_t size = 3, key_size = 3;
    for (int i = 0; i < sheet->column_count; i++) {
        size_t len;
        const char *text = kr_cell_text(arena, pool, sheet->columns[i].type, kr_view_cell(sheet, row, i), &len);
        kr_json_string(arena, text, len, &pieces[i].text, &pieces[i].len);
        size += pieces[i].len + strlen(sheet->columns[i].name) + 4;
        key_size += pieces[i].len + 1;
    }
    char *c = kr_arena_alloc(arena, size), *k = kr_arena_alloc(arena, key_size);
    int keys = 0;
    *cells = c;
    *key = sheet->sheet->key_count ? k : kr_arena_printf(arena, "[%zu]", number);
    for (int i = 0; i < sheet->column_count; i++) {
        c += sprintf(c, "%c\"%s\":%s", i ? ',' : '{', sheet->columns[i].name, pieces[i].text);
        if (sheet->columns[i].key)
            k += sprintf(k, "%c%s", keys++ ? ',' : '[', pieces[i].text);
    }
    strcpy(c, "}");
    strcpy(k, "]");
}

/* Name the first cell of a row that differs. */
static void report_difference(saving *s, kr_arena *arena, const kr_view_sheet *sheet, size_t row, const char *day, const char *old, const char *new_cells)
{
    if (s->refused++ >= KR_DIAG_SHOWN)
        return;
    size_t at = 0;
    while (old[at] && old[at] == new_cells[at])
        at++;
    while (at && old[at - 1] != ',' && old[at - 1] != '{')
        at--;
    size_t old_name = strcspn(old + at, ":"), new_name = strcspn(new_cells + at, ":");
    if (old_name != new_name || memcmp(old + at, new_cells + at, old_name) != 0) { /* other columns: nothing is said about the cells */
        kr_diag *columns = kr_diag_at(s->diags, KR_E_STORE_DIFFERS, kr_view_place(arena, s->view, sheet, row, -1),
                                      "`%s` holds other columns of sheet `%s` for %s: %.*s there, %.*s here", s->path, sheet->name, *day ? day : "the book",
                                      (int)old_name, old + at, (int)new_name, new_cells + at);
        if (s->refused == 1)
            kr_diag_help(s->diags, columns, "save the same columns each time (--only), or restate the day: --replace 'REASON'");
        return;
    }
    kr_diag *d = kr_diag_at(s->diags, KR_E_STORE_DIFFERS, kr_view_place(arena, s->view, sheet, row, -1),
                            "`%s` has another result of %s for sheet `%s`: %.*s there, %.*s here", s->path, *day ? day : "the book", sheet->name,
                            (int)strcspn(old + at, ",}"), old + at, (int)strcspn(new_cells + at, ",}"), new_cells + at);
    if (s->refused == 1)
        kr_diag_help(s->diags, d, "to restate it, say why: --replace 'REASON'");
}

/* The rows [start, end) of `order` are one day's. */
static bool save_day(saving *s, const kr_view_sheet *sheet, const uint32_t *order, size_t count, const char *day, int version)
{
    kr_arena *arena = kr_arena_new();
    const kr_view *view = s->view;
    const char **keys = KR_NEW_ARRAY(arena, const char *, count), **cells = KR_NEW_ARRAY(arena, const char *, count);
    kr_sha *sha = kr_sha_new();
    char output[KR_HEX];
    for (size_t i = 0; i < count; i++) {
        row_texts(arena, view, sheet, order[i], i, &keys[i], &cells[i]);
        kr_sha_add(sha, cells[i], strlen(cells[i]));
        kr_sha_add(sha, "\n", 1);
    }
    kr_sha_end(sha, output);
    kr_sha_free(sha);
    bool there = sqlite3_step(bound(s, s->get, sheet->name, day)) == SQLITE_ROW, ok = true, differs = false, same = false;
    if (there) {
        same = !strcmp((const char *)sqlite3_column_text(s->get, 2), output);
        size_t old_rows = 0, found = 0, refused_before = s->refused;
        for (size_t i = 0; i < count && !same; i++) {
            sqlite3_bind_text(bound(s, s->get_row, sheet->name, day), 4, keys[i], -1, SQLITE_STATIC);
            if (sqlite3_step(s->get_row) != SQLITE_ROW)
                continue;
            found++;
            const char *old = (const char *)sqlite3_column_text(s->get_row, 0);
            if (strcmp(old, cells[i]) == 0)
                continue;
            differs = true;
            if (!s->reason)
                report_difference(s, arena, sheet, order[i], day, old, cells[i]);
        }
        if (!same && sqlite3_step(bound(s, s->count_rows, sheet->name, day)) == SQLITE_ROW)
            old_rows = (size_t)sqlite3_column_int64(s->count_rows, 0);
        if (!same && found < old_rows) {
            differs = true;
            if (!s->reason && s->refused == refused_before && s->refused++ < KR_DIAG_SHOWN)
                kr_diag_at(s->diags, KR_E_STORE_DIFFERS, s->path, "%zu rows of sheet `%s` stored for %s are not in this result", old_rows - found, sheet->name, day);
        }
        if (differs && s->reason) {
            bound(s, s->restate, sheet->name, day);
            sqlite3_bind_text(s->restate, 4, s->reason, -1, SQLITE_STATIC);
            sqlite3_bind_int(s->restate, 5, sqlite3_column_int(s->get, 0));
            sqlite3_bind_int(s->restate, 6, version);
            sqlite3_bind_text(s->restate, 7, (const char *)sqlite3_column_text(s->get, 1), -1, SQLITE_TRANSIENT);
            sqlite3_bind_text(s->restate, 8, s->data_digest, -1, SQLITE_STATIC);
            sqlite3_bind_text(s->restate, 9, (const char *)sqlite3_column_text(s->get, 2), -1, SQLITE_TRANSIENT);
            sqlite3_bind_text(s->restate, 10, output, -1, SQLITE_STATIC);
            ok = sqlite3_step(s->restate) == SQLITE_DONE;
        }
    }
    if (!same && !(differs && !s->reason)) {
        ok = ok && sqlite3_step(bound(s, s->drop_rows, sheet->name, day)) == SQLITE_DONE;
        for (size_t i = 0; i < count && ok; i++) {
            bound(s, s->put_row, sheet->name, day);
            sqlite3_bind_text(s->put_row, 4, keys[i], -1, SQLITE_STATIC);
            sqlite3_bind_text(s->put_row, 5, cells[i], -1, SQLITE_STATIC);
            ok = sqlite3_step(s->put_row) == SQLITE_DONE;
        }
        bound(s, s->put, sheet->name, day);
        sqlite3_bind_int(s->put, 4, version);
        sqlite3_bind_text(s->put, 5, s->data_digest, -1, SQLITE_STATIC);
        sqlite3_bind_text(s->put, 6, output, -1, SQLITE_STATIC);
        ok = ok && sqlite3_step(s->put) == SQLITE_DONE;
        s->days++;
    }
    sqlite3_reset(s->get);
    kr_arena_free(arena);
    return ok || database_fault(s);
}

typedef struct dated { int64_t day; uint32_t row; } dated;

static int by_day(const void *a, const void *b)
{
    const dated *x = a, *y = b;
    return x->day != y->day ? (x->day < y->day ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

static int version_of(const kr_view *view, int part) { return view->chain->book->versions[view->chain->parts[part].version].number; }

/* Days of the period that the store has rows of, and this result has none (rows: in the order of their days). */
static bool save_gone(saving *s, const kr_view_sheet *sheet, const dated *rows)
{
    const kr_chain *chain = s->view->chain;
    kr_arena *arena = kr_arena_new();
    const char **gone = NULL;
    size_t count = 0, room = 0, at = 0;
    bool ok = true;
    bound(s, s->days_there, sheet->name, "");
    while (sqlite3_step(s->days_there) == SQLITE_ROW) { /* in order */
        const char *text = (const char *)sqlite3_column_text(s->days_there, 0);
        int64_t day = INT64_MIN;
        if (*text && !kr_day_read(text, strlen(text), &day))
            continue;
        while (at < sheet->row_count && rows[at].day < day)
            at++;
        bool here = at < sheet->row_count && rows[at].day == day, asked = !chain->has_days || day == INT64_MIN || (day >= chain->from && day <= chain->to);
        if (!here && asked)
            KR_PUSH(arena, gone, count, room) = kr_arena_copy(arena, text, strlen(text));
    }
    sqlite3_reset(s->days_there);
    for (size_t i = 0; i < count && ok; i++) {
        int64_t day = INT64_MAX;
        int part = 0;
        kr_day_read(gone[i], strlen(gone[i]), &day);
        while (part + 1 < chain->part_count && day > chain->parts[part].last)
            part++;
        ok = save_day(s, sheet, NULL, 0, gone[i], version_of(s->view, part));
    }
    kr_arena_free(arena);
    return ok;
}

static bool save_sheet(saving *s, const kr_view_sheet *sheet)
{
    dated *rows = kr_alloc(sizeof *rows * (sheet->row_count + 1));
    uint32_t *order = kr_alloc(sizeof *order * (sheet->row_count + 1));
    for (size_t row = 0; row < sheet->row_count; row++) {
        rows[row] = (dated){ INT64_MIN, (uint32_t)row };
        kr_view_day(sheet, row, &rows[row].day);
    }
    qsort(rows, sheet->row_count, sizeof *rows, by_day);
    for (size_t row = 0; row < sheet->row_count; row++)
        order[row] = rows[row].row;
    bool ok = true;
    for (size_t start = 0, end; start < sheet->row_count && ok; start = end) {
        char day[16] = "";
        for (end = start; end < sheet->row_count && rows[end].day == rows[start].day;)
            end++;
        if (rows[start].day != INT64_MIN)
            kr_day_write(rows[start].day, day);
        ok = save_day(s, sheet, order + start, end - start, day, version_of(s->view, sheet->rows[order[start]].part));
    }
    ok = ok && save_gone(s, sheet, rows);
    kr_free(rows);
    kr_free(order);
    return ok;
}

bool kr_results_save(const kr_view *view, const char *data_digest, const char *path, const char *reason, kr_save_state state, size_t *days, kr_diags *diags)
{
    saving s = { .view = view, .path = path, .data_digest = data_digest, .reason = reason, .diags = diags };
    bool ok = sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;
    sqlite3_busy_timeout(s.db, 10000);
    ok = ok && sqlite3_exec(s.db, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE;", NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(s.db, schema, NULL, NULL, NULL) == SQLITE_OK;
    if (!ok)
        database_fault(&s);
    ok = ok && prepare(&s);
    for (int i = 0; i < view->sheet_count && ok; i++)
        ok = save_sheet(&s, &view->sheets[i]);
    ok = ok && !s.refused;
    if (ok && (state != KR_STATE_KEPT || kr_past_kept(s.db, view->chain->book->name)))
        ok = kr_past_save(s.db, path, view->chain, state == KR_STATE_RESUMED, diags);
    sqlite3_stmt *const all[] = { s.get, s.put, s.get_row, s.put_row, s.drop_rows, s.count_rows, s.restate, s.days_there };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sqlite3_finalize(all[i]);
    if (ok && sqlite3_exec(s.db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        ok = database_fault(&s);
    sqlite3_close(s.db); /* an open transaction is rolled back */
    *days = ok ? s.days : 0;
    return ok;
}
