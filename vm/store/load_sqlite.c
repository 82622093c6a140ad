/* load_sqlite.c: tables of a SQLite database. INTEGER and TEXT cells are read, REAL ones refused: they have lost digits already. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "vm/store/loading.h"

static int begin(const char *path, sqlite3 **db, int flags)
{
    int got = sqlite3_open_v2(path, db, flags, NULL);
    if (got == SQLITE_OK)
        got = sqlite3_exec(*db, "BEGIN; SELECT count(*) FROM sqlite_schema;", NULL, NULL, NULL);
    return got == SQLITE_OK ? got : sqlite3_extended_errcode(*db);
}

sqlite3 *kr_load_sqlite_open(const char *path, kr_diags *diags)
{
    sqlite3 *db = NULL;
    int got = begin(path, &db, SQLITE_OPEN_READONLY);
    if (got == SQLITE_READONLY_ROLLBACK || got == SQLITE_CANTOPEN) { /* a writer was killed: what it left half done is undone on opening for writing */
        sqlite3_close(db);
        got = begin(path, &db, SQLITE_OPEN_READWRITE);
    }
    if (got == SQLITE_OK)
        return db;
    kr_diag_at(diags, KR_E_DATA_PATH, path, "`%s` cannot be read as a SQLite database: %s", path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return NULL;
}

void kr_load_sqlite_close(sqlite3 *db) { sqlite3_close(db); }

const char **kr_load_sqlite_tables(sqlite3 *db, kr_arena *arena, size_t *count)
{
    const char **names = NULL;
    size_t capacity = 0;
    sqlite3_stmt *s = NULL;
    *count = 0;
    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name", -1, &s, NULL) == SQLITE_OK)
        while (sqlite3_step(s) == SQLITE_ROW)
            KR_PUSH(arena, names, *count, capacity) = kr_arena_copy(arena, (const char *)sqlite3_column_text(s, 0), (size_t)sqlite3_column_bytes(s, 0));
    sqlite3_finalize(s);
    return names;
}

bool kr_load_sqlite_has(sqlite3 *db, const char *table)
{
    sqlite3_stmt *s = NULL;
    bool has = false;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?", -1, &s, NULL) == SQLITE_OK) {
        sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
        has = sqlite3_step(s) == SQLITE_ROW;
    }
    sqlite3_finalize(s);
    return has;
}

static char *quoted(kr_arena *arena, const char *name)
{
    char *out = kr_arena_alloc(arena, 2 * strlen(name) + 3), *p = out;
    *p++ = '"';
    for (; *name; name++) {
        if (*name == '"')
            *p++ = '"';
        *p++ = *name;
    }
    *p++ = '"';
    return out;
}

static bool database_fault(kr_loading *l, sqlite3 *db)
{
    kr_diag_at(l->diags, KR_E_DATA_PATH, l->path, "table `%s` cannot be read: %s", l->sheet->name, sqlite3_errmsg(db));
    return false;
}

/* Which columns there are; the statement that reads ours in the order of the rules (those that are missing and optional as NULL). */
static bool prepare(kr_loading *l, sqlite3 *db, sqlite3_stmt **out, bool *rowids)
{
    kr_arena *arena = l->arena;
    bool *seen = KR_NEW_ARRAY(arena, bool, l->rule_count);
    const char **extra = NULL;
    size_t extra_count = 0, extra_capacity = 0;
    const char *table = quoted(arena, l->sheet->name);
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, kr_arena_printf(arena, "SELECT * FROM %s", table), -1, &s, NULL) != SQLITE_OK)
        return database_fault(l, db);
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        const char *name = sqlite3_column_name(s, i);
        name = kr_arena_copy(arena, name, strlen(name));
        int rule = -1;
        for (int k = 0; k < l->rule_count; k++)
            if (!strcmp(l->rules[k].name, name))
                rule = k;
        if (rule >= 0)
            seen[rule] = true;
        else
            KR_PUSH(arena, extra, extra_count, extra_capacity) = name;
    }
    sqlite3_finalize(s);
    if (!kr_load_columns(l, seen, extra, extra_count))
        return false;
    for (int tries = 0; tries < 2; tries++) { /* views and WITHOUT ROWID tables have no rowid */
        char *sql = kr_arena_printf(arena, "SELECT %s", tries ? "0" : "rowid");
        for (int i = 0; i < l->rule_count; i++)
            sql = kr_arena_printf(arena, "%s, %s", sql, seen[i] ? quoted(arena, l->rules[i].name) : "NULL");
        sql = kr_arena_printf(arena, "%s FROM %s", sql, table);
        *rowids = !tries;
        if (sqlite3_prepare_v2(db, sql, -1, out, NULL) == SQLITE_OK)
            return true;
    }
    return database_fault(l, db);
}

static void cell_fault(kr_loading *l, sqlite3_stmt *s, bool rowids, size_t row, int rule, const kr_cell_fault *fault)
{
    kr_arena *arena = l->arena;
    kr_piece *pieces = KR_NEW_ARRAY(arena, kr_piece, l->rule_count);
    for (int i = 0; i < l->rule_count; i++) {
        const char *text = (const char *)sqlite3_column_text(s, i + 1);
        size_t len = text ? (size_t)sqlite3_column_bytes(s, i + 1) : 0;
        pieces[i] = (kr_piece){ kr_arena_copy(arena, text ? text : "", len), len, NULL };
    }
    const char *place = rowids ? kr_arena_printf(arena, "%s:%s:rowid %lld", l->path, l->sheet->name, (long long)sqlite3_column_int64(s, 0))
                               : kr_arena_printf(arena, "%s:%s:row %zu", l->path, l->sheet->name, row + 1);
    kr_diag *d = kr_diag_at(l->diags, fault->code, place, "%s", fault->message);
    kr_diag_row(l->diags, d, kr_load_row_text(arena, l, pieces, l->rules[rule].name));
    if (fault->help[0])
        kr_diag_help(l->diags, d, "%s", fault->help);
}

static bool read_cell(kr_loading *l, kr_cell_reader *reader, sqlite3_stmt *s, int rule, kr_cell *cell, kr_cell_fault *fault)
{
    int at = rule + 1;
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_FLOAT) {
        fault->code = KR_E_DATA_REAL;
        snprintf(fault->message, sizeof fault->message, "`%s` is a REAL cell, a binary number", (const char *)sqlite3_column_text(s, at));
        snprintf(fault->help, sizeof fault->help, "store it as TEXT, as it was written");
        return false;
    }
    if (type == SQLITE_BLOB)
        return kr_cell_read_bytes(reader, &l->rules[rule], sqlite3_column_blob(s, at), (size_t)sqlite3_column_bytes(s, at), cell, fault);
    const char *text = type == SQLITE_NULL ? "" : (const char *)sqlite3_column_text(s, at);
    return kr_cell_read(reader, &l->rules[rule], text ? text : "", type == SQLITE_NULL ? 0 : (size_t)sqlite3_column_bytes(s, at), cell, fault);
}

bool kr_load_sqlite(kr_loading *l, sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    bool rowids = false, ok = true;
    int got, wrong = 0;
    int64_t expected = 0;
    if (!prepare(l, db, &s, &rowids))
        return false;
    sqlite3_stmt *counter = NULL;
    char *sql = kr_arena_printf(l->arena, "SELECT count(*) FROM %s", quoted(l->arena, l->sheet->name));
    if (sqlite3_prepare_v2(db, sql, -1, &counter, NULL) == SQLITE_OK && sqlite3_step(counter) == SQLITE_ROW)
        expected = sqlite3_column_int64(counter, 0);
    sqlite3_finalize(counter);
    if (expected >= KR_NO_ROW) {
        sqlite3_finalize(s);
        kr_diag_at(l->diags, KR_E_DATA_SHAPE, l->path, "table `%s` has too many rows", l->sheet->name);
        return false;
    }
    l->table = kr_dataset_add(l->data, l->sheet, (size_t)expected);
    l->table->file = l->path;
    l->table->lines = kr_alloc(sizeof *l->table->lines * ((size_t)expected + 1));
    kr_arena *arena = kr_arena_new();
    kr_cell *cells = KR_NEW_ARRAY(arena, kr_cell, (size_t)l->rule_count * KR_LOAD_ROWS);
    kr_cell_reader *reader = kr_cell_reader_new(l->pool);
    size_t row = 0, fill = 0;
    while ((got = sqlite3_step(s)) == SQLITE_ROW && row + fill < (size_t)expected && wrong < KR_DIAG_SHOWN) {
        kr_cell_fault fault;
        for (int i = 0; i < l->rule_count; i++) {
            kr_cell *cell = &cells[(size_t)i * KR_LOAD_ROWS + fill];
            if (!read_cell(l, reader, s, i, cell, &fault)) {
                cell_fault(l, s, rowids, row + fill, i, &fault);
                *cell = KR_BLANK;
                wrong++;
            }
        }
        int64_t id = sqlite3_column_int64(s, 0);
        l->table->lines[row + fill] = rowids && id >= 0 && id <= UINT32_MAX ? (uint32_t)id : (uint32_t)(row + fill + 1);
        if (++fill == KR_LOAD_ROWS || row + fill == (size_t)expected) {
            for (int i = 0; i < l->rule_count; i++)
                kr_column_store(&l->table->columns[i], row, fill, cells + (size_t)i * KR_LOAD_ROWS);
            row += fill;
            fill = 0;
        }
    }
    if (got != SQLITE_DONE && got != SQLITE_ROW)
        ok = database_fault(l, db);
    else if (!wrong && (got != SQLITE_DONE || row != (size_t)expected)) {
        kr_diag_at(l->diags, KR_E_DATA_SHAPE, l->path, "table `%s` changed while it was read", l->sheet->name);
        ok = false;
    }
    kr_cell_reader_free(reader);
    kr_arena_free(arena);
    sqlite3_finalize(s);
    return ok && !wrong;
}
