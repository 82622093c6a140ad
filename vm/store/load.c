/* load.c: find the tables of a dataset and have each read, checked and put in order. */
#include "vm/store/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "vm/store/loading.h"

int kr_compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ` px `: the name itself, with spaces around it. Short names are near nothing else. */
static bool is_padded(const char *text, const char *name)
{
    size_t n = strlen(name);
    text += strspn(text, " \t");
    return !strncmp(text, name, n) && text[n + strspn(text + n, " \t")] == 0;
}

bool kr_load_columns(kr_loading *l, const bool *seen, const char *const *extra, size_t extra_count)
{
    bool ok = true;
    for (int i = 0, rule = 0; i < l->sheet->column_count; i++) {
        const kr_column_def *def = l->sheet->columns[i];
        if (!def->input)
            continue;
        if (!seen[rule++] && !def->optional) {
            kr_diag *d = kr_diag_at(l->diags, KR_E_DATA_COLUMN, l->path, "table `%s` has no column `%s`", l->sheet->name, def->name);
            const char *near = kr_nearest(def->name, extra, extra_count);
            for (size_t k = 0; k < extra_count && !near; k++)
                near = is_padded(extra[k], def->name) ? extra[k] : NULL;
            if (near)
                kr_diag_help(l->diags, d, "is `%s` meant to be it? give it the name `%s`", near, def->name);
            else if (extra_count == 1 && strpbrk(extra[0], ";\t|"))
                kr_diag_help(l->diags, d, "the header is one cell, `%.60s`: cells are parted by commas", extra[0]);
            ok = false;
        }
    }
    if (ok && extra_count) {
        char list[300] = "";
        size_t used = 0;
        for (size_t i = 0; i < extra_count && used + 80 < sizeof list; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s`%.60s`", i ? ", " : "", extra[i]);
        kr_diag *d = kr_diag_at(l->diags, KR_N_DATA_EXTRA, l->path, "table `%s` has %s that the rules do not use: %s", l->sheet->name,
                                extra_count == 1 ? "a column" : "columns", list);
        d->severity = KR_SEVERITY_NOTE;
    }
    return ok;
}

static bool from_data(const kr_sheet *sheet) { return !sheet->rows || sheet->rows->kind == KR_ROWS_DATA; }

static kr_loading start(kr_dataset *data, const kr_sheet *sheet, kr_diags *diags, const char *path)
{
    kr_loading l = { .sheet = sheet, .data = data, .diags = diags, .arena = data->arena, .pool = data->pool, .path = path };
    l.rules = kr_cell_rules_new(data->arena, sheet, data->pool, &l.rule_count);
    return l;
}

static void absent(kr_dataset *data, const kr_sheet *sheet)
{
    kr_table *table = kr_dataset_add(data, sheet, 0);
    table->absent = true;
}

static bool missing_table(kr_diags *diags, const kr_sheet *sheet, const char *path, const char *const *have, size_t count)
{
    kr_diag *d = kr_diag_at(diags, KR_E_DATA_TABLE, path, "there is no table `%s`", sheet->name);
    const char *near = kr_nearest(sheet->name, have, count);
    if (near)
        kr_diag_help(diags, d, "there is `%s`: did you mean that?", near);
    else
        kr_diag_help(diags, d, "a table that was never read is not a table without rows; if there is nothing in it, give its header alone");
    return false;
}

static bool is_table(const kr_model *model, const char *name)
{
    const kr_sheet *sheet = kr_model_sheet(model, name);
    return sheet && from_data(sheet);
}

/* A table that may be absent, and is: perhaps it is there under a misspelt name, and would be passed over without a word. */
static void note_absent(kr_arena *arena, const kr_model *model, const kr_sheet *sheet, const char *path, const char *const *have, size_t count, kr_diags *diags)
{
    const char **others = KR_NEW_ARRAY(arena, const char *, count + 1);
    size_t other_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(have[i], sheet->name))
            return;
        if (!is_table(model, have[i]))
            others[other_count++] = have[i];
    }
    const char *near = kr_nearest(sheet->name, others, other_count);
    if (near)
        kr_diag_at(diags, KR_N_DATA_EXTRA, path, "there is no table `%s`, which may be absent; is `%s` meant to be it?", sheet->name, near);
}

/* ------------------------------------------------------------------ a folder */

static const char *const suffixes[] = { ".csv", ".csv.gz", ".jsonl", ".jsonl.gz" };

/* Names of the tables in the folder, for "did you mean". */
static const char **folder_tables(kr_arena *arena, const char *path, size_t *count)
{
    const char **names = NULL;
    size_t capacity = 0;
    *count = 0;
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
            size_t n = strlen(e->d_name), m = strlen(suffixes[i]);
            if (n > m && !strcmp(e->d_name + n - m, suffixes[i]))
                KR_PUSH(arena, names, *count, capacity) = kr_arena_copy(arena, e->d_name, n - m);
        }
    if (dir)
        closedir(dir);
    if (*count)
        qsort(names, *count, sizeof *names, kr_compare_texts);
    return names;
}

static bool folder_table(kr_dataset *data, const kr_sheet *sheet, const char *path, const char *const *have, size_t have_count, kr_diags *diags)
{
    const char *found = NULL;
    bool json = false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *file = kr_arena_printf(data->arena, "%s/%s%s", path, sheet->name, suffixes[i]);
        struct stat st;
        if (stat(file, &st) < 0)
            continue;
        if (found) {
            kr_diag_at(diags, KR_E_DATA_TABLE, path, "table `%s` is there twice: `%s` and `%s`", sheet->name, found, file);
            return false;
        }
        found = file;
        json = i >= 2;
    }
    if (!found && sheet->optional) {
        absent(data, sheet);
        return true;
    }
    if (!found)
        return missing_table(diags, sheet, path, have, have_count);
    kr_loading l = start(data, sheet, diags, found);
    char problem[200];
    if (!kr_file_open(&l.file, found, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_DATA_PATH, found, "`%s` cannot be read: %s", found, problem);
        return false;
    }
    bool ok = json ? kr_load_jsonl(&l) : kr_load_csv(&l);
    kr_file_done(&l.file);
    return ok && kr_load_order(&l);
}

/* ------------------------------------------------------------------ all of it */

kr_dataset *kr_load_data(const char *path, const kr_model *model, kr_pool *pool, kr_diags *diags)
{
    struct stat st;
    while (strlen(path) > 1 && path[strlen(path) - 1] == '/') /* so that places read the same with and without it */
        path = kr_arena_copy(model->arena, path, strlen(path) - 1);
    if (stat(path, &st) < 0) {
        kr_diag *d = kr_diag_at(diags, KR_E_DATA_PATH, path, "`%s` cannot be read: %s", path, strerror(errno));
        kr_diag_help(diags, d, "give a folder of NAME.csv or NAME.jsonl files, or a SQLite database");
        return NULL;
    }
    bool folder = S_ISDIR(st.st_mode), ok = true;
    struct sqlite3 *db = folder ? NULL : kr_load_sqlite_open(path, diags);
    if (!folder && !db)
        return NULL;
    kr_dataset *data = kr_dataset_new(pool);
    size_t have_count;
    const char **have = folder ? folder_tables(data->arena, path, &have_count) : kr_load_sqlite_tables(db, data->arena, &have_count);
    for (int i = 0; i < model->sheet_count; i++) {
        const kr_sheet *sheet = model->sheets[i];
        if (!from_data(sheet))
            continue;
        if (sheet->optional)
            note_absent(data->arena, model, sheet, path, have, have_count, diags);
        if (folder) {
            ok &= folder_table(data, sheet, path, have, have_count, diags);
        } else if (kr_load_sqlite_has(db, sheet->name)) {
            kr_loading l = start(data, sheet, diags, kr_arena_copy(data->arena, path, strlen(path)));
            ok &= kr_load_sqlite(&l, db) && kr_load_order(&l);
        } else if (sheet->optional) {
            absent(data, sheet);
        } else {
            ok &= missing_table(diags, sheet, path, have, have_count);
        }
    }
    if (db)
        kr_load_sqlite_close(db);
    if (ok)
        return data;
    kr_dataset_free(data);
    return NULL;
}

/* The rows that an example gives for one sheet. */
static bool example_table(kr_dataset *data, const kr_sheet *sheet, const struct kr_example_table *from, const char *title, kr_diags *diags)
{
    kr_loading l = start(data, sheet, diags, title);
    kr_cell_reader *reader = kr_cell_reader_new(data->pool);
    kr_piece *pieces = KR_NEW_ARRAY(data->arena, kr_piece, l.rule_count);
    bool ok = true;
    l.table = kr_dataset_add(data, sheet, (size_t)from->row_count);
    l.table->file = title;
    l.span = &from->span;
    l.table->lines = kr_alloc(sizeof *l.table->lines * ((size_t)from->row_count + 1));
    for (int row = 0; row < from->row_count; row++) {
        l.table->lines[row] = (uint32_t)row + 1;
        for (int i = 0; i < l.rule_count; i++) {
            const char *text = "";
            for (int c = 0; c < from->column_count; c++)
                if (!strcmp(from->columns[c], l.rules[i].name) && from->cells[row * from->column_count + c])
                    text = from->cells[row * from->column_count + c];
            pieces[i] = (kr_piece){ text, strlen(text), NULL };
        }
        for (int i = 0; i < l.rule_count; i++) {
            kr_cell cell;
            kr_cell_fault fault;
            if (kr_cell_read(reader, &l.rules[i], pieces[i].text, pieces[i].len, &cell, &fault)) {
                kr_column_set(&l.table->columns[i], (size_t)row, cell);
                continue;
            }
            kr_diag *d = kr_diag_add(diags, fault.code, from->span, "example `%s`: %s", title, fault.message);
            kr_diag_row(diags, d, kr_load_row_text(data->arena, &l, pieces, l.rules[i].name));
            if (fault.help[0])
                kr_diag_help(diags, d, "%s", fault.help);
            ok = false;
        }
    }
    kr_cell_reader_free(reader);
    return ok && kr_load_order(&l);
}

kr_dataset *kr_load_example(const kr_example *example, const kr_model *model, kr_pool *pool, kr_diags *diags)
{
    kr_dataset *data = kr_dataset_new(pool);
    bool ok = true;
    for (int i = 0; i < model->sheet_count; i++) {
        const kr_sheet *sheet = model->sheets[i];
        const struct kr_example_table *from = NULL;
        for (int t = 0; t < example->table_count; t++)
            if (!example->tables[t].expect && !strcmp(example->tables[t].sheet, sheet->name))
                from = &example->tables[t];
        if (!from_data(sheet))
            continue;
        if (from)
            ok &= example_table(data, sheet, from, example->title, diags);
        else
            absent(data, sheet); /* an example names only what matters to it */
    }
    if (ok)
        return data;
    kr_dataset_free(data);
    return NULL;
}
