#include "vm/store/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where text goes: a file, a digest. */
typedef struct sink {
    kr_out *out;
    kr_sha *sha;
} sink;

static void put(sink *s, const char *text, size_t len)
{
    if (s->out)
        kr_out_bytes(s->out, text, len);
    if (s->sha)
        kr_sha_add(s->sha, text, len);
}

static void put_text(sink *s, const char *text) { put(s, text, strlen(text)); }

void kr_json_string(kr_arena *arena, const char *text, size_t len, const char **out, size_t *out_len)
{
    char *to = kr_arena_alloc(arena, 6 * len + 3), *p = to;
    *p++ = '"';
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') {
            *p++ = '\\';
            *p++ = (char)c;
        } else if (c == '\n' || c == '\t') {
            *p++ = '\\';
            *p++ = c == '\n' ? 'n' : 't';
        } else if (c < 32 || c == 127) {
            p += snprintf(p, 7, "\\u%04x", c);
        } else {
            *p++ = (char)c;
        }
    }
    *p++ = '"';
    *p = 0;
    *out = to;
    *out_len = (size_t)(p - to);
}

static void put_json_string(sink *s, kr_arena *scratch, const char *text, size_t len)
{
    const char *quoted;
    size_t n;
    kr_json_string(scratch, text, len, &quoted, &n);
    put(s, quoted, n);
}

enum { RESET = 1 << 16 };

static void write_csv(sink *s, const kr_view_sheet *sheet, const kr_pool *pool)
{
    kr_arena *scratch = kr_arena_new();
    const char *text;
    for (int c = 0; c < sheet->column_count; c++) {
        size_t len = kr_csv_cell(scratch, sheet->columns[c].name, strlen(sheet->columns[c].name), &text);
        put(s, text, len);
        put(s, c + 1 == sheet->column_count ? "\n" : ",", 1);
    }
    for (size_t row = 0; row < sheet->row_count; row++) {
        for (int c = 0; c < sheet->column_count; c++) {
            kr_cell cell = kr_view_cell(sheet, row, c);
            char number[KR_NUM_TEXT];
            size_t len;
            if (sheet->columns[c].type == KR_T_NUMBER) {
                len = kr_num_write(cell, number);
                text = number;
            } else {
                text = kr_cell_text(scratch, pool, sheet->columns[c].type, cell, &len);
                len = kr_csv_cell(scratch, text, len, &text);
            }
            put(s, text, len);
            put(s, c + 1 == sheet->column_count ? "\n" : ",", 1);
        }
        if (kr_arena_bytes(scratch) > RESET)
            kr_arena_reset(scratch);
    }
    kr_arena_free(scratch);
}

static void put_json_cell(sink *s, kr_arena *scratch, const kr_pool *pool, kr_type type, kr_cell cell)
{
    size_t len;
    if (kr_is_blank(cell)) {
        put_text(s, "null");
        return;
    }
    const char *text = kr_cell_text(scratch, pool, type, cell, &len);
    if (!kr_is_special(cell) && (type == KR_T_NUMBER || type == KR_T_BOOLEAN || type == KR_T_TIME))
        put(s, text, len);
    else
        put_json_string(s, scratch, text, len);
}

static void put_json_row(sink *s, kr_arena *scratch, const kr_view_sheet *sheet, const kr_pool *pool, size_t row, bool with_sheet)
{
    put_text(s, "{");
    if (with_sheet) {
        put_text(s, "\"sheet\":");
        put_json_string(s, scratch, sheet->name, strlen(sheet->name));
    }
    for (int c = 0; c < sheet->column_count; c++) {
        put_text(s, c || with_sheet ? "," : "");
        put_json_string(s, scratch, sheet->columns[c].name, strlen(sheet->columns[c].name));
        put_text(s, ":");
        put_json_cell(s, scratch, pool, sheet->columns[c].type, kr_view_cell(sheet, row, c));
    }
    put_text(s, "}");
    if (kr_arena_bytes(scratch) > RESET)
        kr_arena_reset(scratch);
}

static void write_jsonl(sink *s, const kr_view *view)
{
    kr_arena *scratch = kr_arena_new();
    for (int i = 0; i < view->sheet_count; i++)
        for (size_t row = 0; row < view->sheets[i].row_count; row++) {
            put_json_row(s, scratch, &view->sheets[i], view->chain->book->pool, row, true);
            put_text(s, "\n");
        }
    kr_arena_free(scratch);
}

static void write_json(sink *s, const kr_view *view)
{
    kr_arena *scratch = kr_arena_new();
    put_text(s, "{\n");
    for (int i = 0; i < view->sheet_count; i++) {
        put_json_string(s, scratch, view->sheets[i].name, strlen(view->sheets[i].name));
        put_text(s, ": [");
        for (size_t row = 0; row < view->sheets[i].row_count; row++) {
            put_text(s, row ? ",\n" : "\n");
            put_json_row(s, scratch, &view->sheets[i], view->chain->book->pool, row, false);
        }
        put_text(s, i + 1 == view->sheet_count ? "\n]\n" : "\n],\n");
    }
    put_text(s, "}\n");
    kr_arena_free(scratch);
}

/* ------------------------------------------------------------------ where to */

static bool write_folder(const kr_view *view, const char *path, kr_diags *diags)
{
    bool ok = kr_make_folder(path, diags);
    kr_out **outs = kr_alloc(sizeof *outs * (size_t)(view->sheet_count + 1));
    for (int i = 0; i < view->sheet_count && ok; i++) { /* all are written before the first becomes visible */
        char file[4096];
        if (snprintf(file, sizeof file, "%s/%s.csv", path, view->sheets[i].name) >= (int)sizeof file)
            continue;
        outs[i] = kr_out_open(file, diags);
        ok = outs[i] != NULL;
        sink s = { outs[i], NULL };
        if (ok)
            write_csv(&s, &view->sheets[i], view->chain->book->pool);
    }
    for (int i = 0; i < view->sheet_count; i++)
        if (ok)
            ok = kr_out_commit(outs[i], diags);
        else
            kr_out_discard(outs[i]);
    kr_free(outs);
    return ok;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool kr_view_write(const kr_view *view, const char *format, const char *path, kr_diags *diags)
{
    bool csv = !strcmp(format, "csv"), json = !strcmp(format, "json");
    size_t len = strlen(path);
    if (!csv && !json && strcmp(format, "jsonl") != 0) {
        kr_diag_at(diags, KR_E_CMD_VALUE, "--format", "there is no format `%s`", format);
        return false;
    }
    bool to_file = !strcmp(path, "-") || (len > 4 && !strcmp(path + len - 4, ".csv") && !is_folder(path));
    if (csv && !to_file)
        return write_folder(view, path, diags);
    if (csv && view->sheet_count != 1) {
        kr_diag *d = kr_diag_at(diags, KR_E_CMD_VALUE, "--format", "%d sheets do not fit into one CSV", view->sheet_count);
        kr_diag_help(diags, d, "choose one with --only SHEET, give a folder with --out DIR, or take --format jsonl");
        return false;
    }
    kr_out *out = kr_out_open(path, diags);
    if (!out)
        return false;
    sink s = { out, NULL };
    if (csv)
        write_csv(&s, &view->sheets[0], view->chain->book->pool);
    else if (json)
        write_json(&s, view);
    else
        write_jsonl(&s, view);
    return kr_out_commit(out, diags);
}

void kr_view_sheet_digest(const kr_view_sheet *sheet, const kr_pool *pool, char hex[KR_HEX])
{
    sink s = { NULL, kr_sha_new() };
    write_csv(&s, sheet, pool);
    kr_sha_end(s.sha, hex);
    kr_sha_free(s.sha);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const kr_view_sheet *const *)a)->name, (*(const kr_view_sheet *const *)b)->name);
}

void kr_view_digest(const kr_view *view, char hex[KR_HEX])
{
    const kr_view_sheet **sheets = kr_alloc(sizeof *sheets * (size_t)(view->sheet_count + 1));
    for (int i = 0; i < view->sheet_count; i++)
        sheets[i] = &view->sheets[i];
    qsort(sheets, (size_t)view->sheet_count, sizeof *sheets, by_name);
    kr_sha *sha = kr_sha_new();
    for (int i = 0; i < view->sheet_count; i++) {
        char one[KR_HEX];
        kr_view_sheet_digest(sheets[i], view->chain->book->pool, one);
        kr_sha_add(sha, sheets[i]->name, strlen(sheets[i]->name));
        kr_sha_add(sha, " ", 1);
        kr_sha_add(sha, one, 64);
        kr_sha_add(sha, "\n", 1);
    }
    kr_sha_end(sha, hex);
    kr_sha_free(sha);
    kr_free(sheets);
}
