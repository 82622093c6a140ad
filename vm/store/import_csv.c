/* import_csv.c: tables as others write them, CSV or JSON Lines, into the database: read and checked by the loader of data, then joined
 * with what is there. A cell that was empty and is now known is filled in; one that is known stays when it comes empty; two that differ
 * contradict each other. In tables without a key a row counts as often as the file has it, and overlapping files do not add up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/store/import_internal.h"
#include "vm/store/loading.h"
#include "vm/text/time.h"

enum { MAPS = 64, COLUMNS = 32 };

typedef struct header_map { const char *theirs, *ours; bool used; } header_map;

typedef struct table_import {
    kr_import *im;
    const kr_sheet *sheet;
    kr_table *table;
    const kr_pool *pool;
    sqlite3_stmt *find, *insert, *update;
    int columns;
    bool key[COLUMNS], number[COLUMNS];
    const char *cells[COLUMNS]; /* of the row at hand */
    kr_json at;                 /* stands for the file */
} table_import;

static bool read_maps(kr_import *im, const char *text, header_map *maps, size_t *count)
{
    *count = 0;
    for (const char *p = text ? text : ""; *p; p += *p == ',') {
        size_t n = strcspn(p, ","), equals = strcspn(p, "=");
        if (equals == 0 || equals + 1 >= n || *count == MAPS) {
            kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, "--map", "`%.*s` maps nothing", (int)n, p);
            kr_diag_help(im->diags, d, "write --map theirs=ours,theirs=ours");
            return false;
        }
        maps[(*count)++] = (header_map){ kr_arena_copy(im->arena, p, equals), kr_arena_copy(im->arena, p + equals + 1, n - equals - 1), false };
        p += n;
    }
    return true;
}

/* The file with its header in our words. The first line's columns move by it; every other place stays. */
static void map_header(kr_import *im, kr_file *file, header_map *maps, size_t count)
{
    const char *stop = file->size ? memchr(file->data, '\n', file->size) : NULL;
    size_t head = stop ? (size_t)(stop - file->data) : file->size;
    bool return_too = head && file->data[head - 1] == '\r';
    char *line = kr_arena_copy(im->arena, file->data, head - return_too), *out = kr_arena_copy(im->arena, "", 0);
    if (!strncmp(line, "\xef\xbb\xbf", 3))
        line += 3;
    for (char *p = line; ; ) {
        size_t n = strcspn(p, ",");
        bool more = p[n] == ',';
        p[n] = 0;
        const char *name = p;
        if (n > 1 && *p == '"' && p[n - 1] == '"') {
            p[n - 1] = 0;
            name = p + 1;
        }
        for (size_t i = 0; i < count; i++)
            if (!strcmp(maps[i].theirs, name)) {
                name = maps[i].ours;
                maps[i].used = true;
                break;
            }
        out = kr_arena_printf(im->arena, "%s%s%s", out, p == line ? "" : ",", name);
        if (!more)
            break;
        p += n + 1;
    }
    size_t out_len = strlen(out), rest = file->size - head;
    char *data = kr_alloc(out_len + rest + 2);
    memcpy(data, out, out_len);
    memcpy(data + out_len, file->data + head, rest);
    kr_file_done(file);
    *file = (kr_file){ data, out_len + rest, false };
}

/* ------------------------------------------------------------------ rows */

static bool fault(table_import *t)
{
    if (!t->im->broken)
        kr_diag_at(t->im->diags, KR_E_STORE_WRITE, t->im->path, "the database `%s` cannot be written: %s", t->im->path, sqlite3_errmsg(t->im->db));
    t->im->broken = t->im->wrong = true;
    return false;
}

static bool prepare(table_import *t)
{
    kr_arena *arena = t->im->arena;
    char *names = "", *marks = "", *match = "", *sets = "", *columns = "", *keys = "";
    for (int i = 0, k = 0; i < t->sheet->column_count; i++) {
        const kr_column_def *c = t->sheet->columns[i];
        if (!c->input)
            continue;
        KR_ASSERT(k < COLUMNS); /* the rulebook's tables are narrower */
        for (int j = 0; j < t->sheet->key_count; j++)
            t->key[k] |= !strcmp(t->sheet->key_names[j], c->name);
        t->number[k] = c->type == KR_T_NUMBER || c->type == KR_T_TIME;
        names = kr_arena_printf(arena, "%s%s\"%s\"", names, k ? ", " : "", c->name);
        columns = kr_arena_printf(arena, "%s%s\"%s\" TEXT%s", columns, k ? ", " : "", c->name, t->key[k] ? " NOT NULL" : "");
        marks = kr_arena_printf(arena, "%s%s?%d", marks, k ? ", " : "", k + 1);
        if (t->key[k] || !t->sheet->key_count)
            match = kr_arena_printf(arena, "%s%s\"%s\" IS ?%d", match, *match ? " AND " : "", c->name, k + 1);
        else
            sets = kr_arena_printf(arena, "%s%s\"%s\" = coalesce(\"%s\", ?%d)", sets, *sets ? ", " : "", c->name, c->name, k + 1);
        t->columns = ++k;
    }
    for (int j = 0; j < t->sheet->key_count; j++)
        keys = kr_arena_printf(arena, "%s%s\"%s\"", keys, j ? ", " : ", PRIMARY KEY (", t->sheet->key_names[j]);
    /* tables of other rulebooks than the pay rule, whose are there already */
    const char *create = kr_arena_printf(arena, "CREATE TABLE IF NOT EXISTS \"%s\" (%s%s)%s", t->sheet->name, columns, *keys ? kr_arena_printf(arena, "%s)", keys) : "",
                                         *keys ? " WITHOUT ROWID" : "");
    if (sqlite3_exec(t->im->db, create, NULL, NULL, NULL) != SQLITE_OK)
        return fault(t);
    const char *find = kr_arena_printf(arena, t->sheet->key_count ? "SELECT %s FROM \"%s\" WHERE %s" : "SELECT count(*), %s FROM \"%s\" WHERE %s", names, t->sheet->name, match);
    const char *insert = kr_arena_printf(arena, "INSERT INTO \"%s\" (%s) VALUES (%s)", t->sheet->name, names, marks);
    const char *update = kr_arena_printf(arena, "UPDATE \"%s\" SET %s WHERE %s", t->sheet->name, sets, match);
    return (sqlite3_prepare_v2(t->im->db, find, -1, &t->find, NULL) == SQLITE_OK && sqlite3_prepare_v2(t->im->db, insert, -1, &t->insert, NULL) == SQLITE_OK &&
            (!*sets || sqlite3_prepare_v2(t->im->db, update, -1, &t->update, NULL) == SQLITE_OK)) || fault(t);
}

static int run(table_import *t, sqlite3_stmt *s)
{
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    for (int i = 0; i < t->columns && i < sqlite3_bind_parameter_count(s); i++)
        sqlite3_bind_text(s, i + 1, t->cells[i], -1, SQLITE_STATIC);
    int got = sqlite3_step(s);
    if (got != SQLITE_ROW && got != SQLITE_DONE)
        fault(t);
    return got;
}

static void read_row(table_import *t, size_t row)
{
    for (int i = 0; i < t->columns; i++) {
        kr_cell cell = kr_column_get(&t->table->columns[i], row);
        bool boolean = t->table->columns[i].type == KR_T_BOOLEAN;
        t->cells[i] = kr_is_blank(cell) ? NULL : boolean ? (kr_cell_is_true(cell) ? "1" : "0") : kr_cell_text(t->im->scratch, t->pool, t->table->columns[i].type, cell, NULL);
    }
}

static char *row_text(table_import *t, const char *const *cells)
{
    char *out = kr_arena_printf(t->im->scratch, "%s[", t->sheet->name);
    for (int i = 0; i < t->columns; i++)
        out = kr_arena_printf(t->im->scratch, "%s%s%s=%s", out, i ? ", " : "", t->table->names[i], cells[i] ? cells[i] : "");
    return kr_arena_printf(t->im->scratch, "%s]", out);
}

/* Gives whether the row is new. */
static bool keep_keyed(table_import *t, size_t row)
{
    const char *there[COLUMNS];
    bool filled = false;
    if (run(t, t->find) != SQLITE_ROW)
        return !t->im->broken && run(t, t->insert) == SQLITE_DONE;
    for (int i = 0; i < t->columns; i++)
        there[i] = kr_sql_text(t->im, t->find, i);
    for (int i = 0; i < t->columns; i++) {
        filled |= !there[i] && t->cells[i];
        if (!there[i] || !t->cells[i] || !strcmp(there[i], t->cells[i]) || (t->number[i] && kr_same_number(there[i], t->cells[i])))
            continue;
        uint32_t line = t->table->lines ? t->table->lines[row] : 0;
        kr_diag *d = kr_diag_at(t->im->diags, KR_E_ANSWER_CONFLICT, kr_arena_printf(t->im->scratch, "%s:%u", t->im->file, line), "a row of `%s` contradicts what is already there", t->sheet->name);
        kr_diag_note(t->im->diags, d, "here:  %s", row_text(t, t->cells));
        kr_diag_note(t->im->diags, d, "there: %s", row_text(t, there));
        t->im->wrong = true;
        return false;
    }
    sqlite3_reset(t->find);
    if (filled)
        run(t, t->update);
    return false;
}

/* How many of the equal rows from `row` on are new. */
static size_t keep_bag(table_import *t, size_t equal)
{
    int64_t there = run(t, t->find) == SQLITE_ROW ? sqlite3_column_int64(t->find, 0) : 0;
    sqlite3_reset(t->find);
    for (size_t i = (size_t)there; i < equal && !t->im->broken; i++)
        run(t, t->insert);
    return (size_t)there < equal ? equal - (size_t)there : 0;
}

static bool same_rows(const kr_table *table, size_t a, size_t b)
{
    for (int i = 0; i < table->column_count; i++)
        if (!kr_raw_eq(kr_column_get(&table->columns[i], a), kr_column_get(&table->columns[i], b)))
            return false;
    return true;
}

static size_t keep_rows(table_import *t)
{
    size_t fresh = 0;
    for (size_t row = 0, next; row < t->table->row_count && !t->im->wrong; row = next) {
        next = row + 1;
        read_row(t, row);
        if (t->sheet->key_count) {
            fresh += keep_keyed(t, row);
        } else {
            while (next < t->table->row_count && same_rows(t->table, row, next))
                next++;
            fresh += keep_bag(t, next - row);
        }
        if (kr_arena_bytes(t->im->scratch) > 1 << 22)
            kr_arena_reset(t->im->scratch);
    }
    return fresh;
}

/* The days of the rows, whole: what the table tells about. */
static void log_table(table_import *t)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    int clock = -1;
    for (int i = 0; i < t->table->column_count; i++) /* identity is told by links, not by days */
        if (clock < 0 && (t->table->columns[i].type == KR_T_DAY || t->table->columns[i].type == KR_T_TIME))
            clock = i;
    for (size_t row = 0; clock >= 0 && row < t->table->row_count; row++) {
        kr_cell cell = kr_column_get(&t->table->columns[clock], row);
        if (kr_is_special(cell))
            continue;
        int64_t day = t->table->columns[clock].type == KR_T_DAY ? kr_cell_int(cell) : kr_day_of_time(kr_cell_int(cell));
        low = day < low ? day : low;
        high = day > high ? day : high;
    }
    kr_answer a = { .value = &t->at, .read_at = t->im->read_at };
    bool any = low <= high;
    kr_import_log(t->im, &a, kr_arena_printf(t->im->scratch, "csv:%s", t->sheet->name), any ? low * KR_DAY_MS : 0, any ? (high + 1) * KR_DAY_MS : 0, false, false, t->table->row_count);
}

/* ------------------------------------------------------------------ one table */

static void import_table(kr_import *im, const kr_sheet *sheet, kr_pool *pool, kr_file *file, header_map *maps, size_t map_count)
{
    size_t n = strlen(im->file);
    bool json = (n > 6 && !strcmp(im->file + n - 6, ".jsonl")) || (n > 9 && !strcmp(im->file + n - 9, ".jsonl.gz"));
    table_import t = { .im = im, .sheet = sheet, .pool = pool };
    if (map_count && !json)
        map_header(im, file, maps, map_count);
    kr_dataset *data = kr_dataset_new(pool);
    kr_loading l = { .sheet = sheet, .data = data, .diags = im->diags, .arena = data->arena, .pool = pool, .path = im->file, .file = *file };
    l.rules = kr_cell_rules_new(data->arena, sheet, pool, &l.rule_count);
    t.at = (kr_json){ .at = file->data, .end = file->data + file->size };
    bool ok = (json ? kr_load_jsonl(&l) : kr_load_csv(&l)) && kr_load_order(&l);
    if (!ok) {
        im->wrong = true;
    } else {
        t.table = l.table;
        size_t fresh = prepare(&t) ? keep_rows(&t) : 0;
        log_table(&t);
        kr_import_say(im, sheet->name, t.table->row_count, fresh, NULL);
        im->all_touched |= !strcmp(sheet->name, "identity") || !strcmp(sheet->name, "value_point") || !strcmp(sheet->name, "fill");
        im->marks_touched |= !strcmp(sheet->name, "mark") || !strcmp(sheet->name, "fill");
    }
    sqlite3_finalize(t.find);
    sqlite3_finalize(t.insert);
    sqlite3_finalize(t.update);
    kr_dataset_free(data);
}

static const kr_sheet *sheet_named(const kr_model *const *models, size_t count, const char *name, kr_pool **pool)
{
    for (size_t m = 0; m < count; m++)
        for (int i = 0; i < models[m]->sheet_count; i++)
            if (!strcmp(models[m]->sheets[i]->name, name) && (!models[m]->sheets[i]->rows || models[m]->sheets[i]->rows->kind == KR_ROWS_DATA)) {
                *pool = models[m]->pool;
                return models[m]->sheets[i];
            }
    return NULL;
}

static bool unknown_table(kr_import *im, const kr_model *const *models, size_t count, const char *name)
{
    const char **names = NULL;
    size_t n = 0, capacity = 0;
    for (size_t m = 0; m < count; m++)
        for (int i = 0; i < models[m]->sheet_count; i++)
            if (!models[m]->sheets[i]->rows || models[m]->sheets[i]->rows->kind == KR_ROWS_DATA)
                KR_PUSH(im->arena, names, n, capacity) = models[m]->sheets[i]->name;
    kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, name, "the rules read no table `%s`", name);
    const char *near = kr_nearest(name, names, n);
    char *list = "";
    for (size_t i = 0; i < n; i++)
        list = kr_arena_printf(im->arena, "%s%s%s", list, i ? ", " : "", names[i]);
    if (near)
        kr_diag_help(im->diags, d, "did you mean `%s`?", near);
    else
        kr_diag_help(im->diags, d, "they read %s", list);
    im->broken = true;
    return false;
}

static bool one_table(kr_import *im, const char *argument, const kr_model *const *models, size_t model_count, header_map *maps, size_t map_count)
{
    size_t equals = strcspn(argument, "=");
    const char *name = kr_arena_copy(im->arena, argument, equals);
    if (!argument[equals] || !argument[equals + 1]) {
        kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, argument, "a table is given as TABLE=FILE");
        kr_diag_help(im->diags, d, "identity=links.csv");
        im->broken = true;
        return false;
    }
    kr_pool *pool = NULL;
    const kr_sheet *sheet = sheet_named(models, model_count, name, &pool);
    if (!sheet)
        return unknown_table(im, models, model_count, name);
    kr_file file;
    FILE *kept;
    if (kr_import_file_open(im, argument + equals + 1, &file, &kept)) {
        import_table(im, sheet, pool, &file, maps, map_count);
        kr_file_done(&file);
    }
    if (kept)
        fclose(kept);
    bool ok = kr_import_file_end(im);
    kr_arena_reset(im->scratch);
    return ok;
}

bool kr_import_csv(const char *const *tables, size_t count, const char *map, const kr_import_options *options, const kr_model *const *models, size_t model_count, kr_diags *diags)
{
    kr_import im;
    header_map maps[MAPS];
    size_t map_count = 0;
    bool ok = kr_import_open(&im, options, diags);
    if (ok && !(ok = read_maps(&im, map, maps, &map_count)))
        im.broken = true;
    for (size_t i = 0; ok && i < count && !im.broken; i++)
        ok = one_table(&im, tables[i], models, model_count, maps, map_count);
    for (size_t i = 0; i < map_count && ok; i++)
        if (!maps[i].used) {
            kr_diag_at(diags, KR_E_CMD_VALUE, "--map", "no header is called `%s`", maps[i].theirs);
            im.broken = true;
            ok = false;
        }
    return kr_import_close(&im) && ok;
}
