/* receipt_cells.c: the first cells in which a recomputed sheet differs from the published one. A receipt holds digests only, so the published CSV
 * files are needed. Where a sheet differs from the receipt, a file is trusted when its own digest is the receipt's; where the sheet is the receipt's,
 * the file is what is judged. */
#include "vm/store/receipt.h"

#include <stdlib.h>
#include <string.h>

#include "vm/store/digest.h"
#include "vm/store/file.h"

enum { CELLS_SHOWN = 5 /* a sheet */, WIDEST = 2048 /* columns */ };

typedef struct cell { const char *text; size_t len; } cell;
typedef struct record { cell *cells; const char *key; bool met; } record;

typedef struct published {
    kr_arena *arena;
    cell *names;
    int width;
    record *records;
    size_t count, capacity;
    bool less_is_fine;      /* the file may be a selection: what it lacks is no difference */
    bool lacks;
} published;

/* One record of RFC 4180 from *at; its cells, unquoted, in the arena. false: the file is no such CSV. */
static bool read_record(kr_arena *arena, const char **at, const char *end, cell *cells, int room, int *count)
{
    const char *p = *at;
    *count = 0;
    for (bool more = true; more;) {
        if (*count == room)
            return false;
        cell *c = &cells[(*count)++];
        if (p < end && *p == '"') {
            char *out = kr_arena_alloc(arena, (size_t)(end - p));
            c->text = out;
            for (p++;; p++) {
                if (p == end)
                    return false;
                if (*p == '"' && !(p + 1 < end && p[1] == '"'))
                    break;
                p += *p == '"';
                *out++ = *p;
            }
            c->len = (size_t)(out - c->text);
            p++;
        } else {
            c->text = p;
            while (p < end && *p != ',' && *p != '\n')
                p++;
            c->len = (size_t)(p - c->text);
        }
        if (c->text + c->len == p && c->len && p < end && *p == '\n' && p[-1] == '\r')
            c->len--; /* lines that end in CR LF are the same lines */
        if (p + 1 < end && *p == '\r' && p[1] == '\n')
            p++;
        if (p < end && *p != ',' && *p != '\n')
            return false;
        more = p < end && *p == ',';
        p += p < end;
    }
    *at = p;
    return true;
}

static int by_key(const void *a, const void *b) { return strcmp(((const record *)a)->key, ((const record *)b)->key); }

static int column_named(const published *p, const char *name)
{
    for (int i = 0; i < p->width; i++)
        if (p->names[i].len == strlen(name) && !memcmp(p->names[i].text, name, p->names[i].len))
            return i;
    return -1;
}

/* The cells that name a row, apart by a character that no cell has. */
static const char *key_add(kr_arena *arena, const char *key, const char *text, size_t len) { return kr_arena_printf(arena, "%s\x1f%.*s", key, (int)len, text); }

static bool read_published(published *p, const kr_view_sheet *sheet, const kr_file *file)
{
    const char *at = file->data, *end = at + file->size;
    cell line[WIDEST];
    if (!read_record(p->arena, &at, end, line, WIDEST, &p->width))
        return false;
    p->names = KR_NEW_ARRAY(p->arena, cell, p->width + 1);
    memcpy(p->names, line, sizeof *line * (size_t)p->width);
    while (at < end) {
        int width;
        if (!read_record(p->arena, &at, end, line, WIDEST, &width) || width != p->width)
            return false;
        record r = { .cells = KR_NEW_ARRAY(p->arena, cell, width + 1), .key = "" };
        memcpy(r.cells, line, sizeof *line * (size_t)width);
        for (int c = 0; c < sheet->column_count; c++) {
            int i = sheet->columns[c].key ? column_named(p, sheet->columns[c].name) : -1;
            if (sheet->columns[c].key && i < 0)
                return false;
            if (i >= 0)
                r.key = key_add(p->arena, r.key, line[i].text, line[i].len);
        }
        KR_PUSH(p->arena, p->records, p->count, p->capacity) = r;
    }
    if (p->count)
        qsort(p->records, p->count, sizeof *p->records, by_key);
    return true;
}

static const char *shown(kr_arena *arena, const char *text, size_t len) { return len ? kr_arena_printf(arena, "`%.*s`", (int)len, text) : "blank"; }

/* Columns of the file that the sheet lacks, or that stand there twice, so that nobody compares them. */
static int strange_columns(const published *p, const kr_view_sheet *sheet, const char *path, kr_diags *diags)
{
    int told = 0;
    for (int i = 0; i < p->width && told < CELLS_SHOWN; i++) {
        bool known = false;
        for (int c = 0; c < sheet->column_count && !known; c++)
            known = column_named(p, sheet->columns[c].name) == i;
        if (known)
            continue;
        kr_diag_at(diags, KR_E_STORE_VERIFY, path, "sheet `%s` has no column %s, or the file has it twice", sheet->name, shown(p->arena, p->names[i].text, p->names[i].len));
        told++;
    }
    return told;
}

static int compare_sheet(published *p, const kr_view *view, const kr_view_sheet *sheet, kr_diags *diags)
{
    const kr_pool *pool = view->chain->book->pool;
    int told = 0;
    for (size_t row = 0; row < sheet->row_count && told < CELLS_SHOWN; row++) {
        const char *key = "";
        size_t len;
        for (int c = 0; c < sheet->column_count; c++)
            if (sheet->columns[c].key) {
                const char *text = kr_cell_text(p->arena, pool, sheet->columns[c].type, kr_view_cell(sheet, row, c), &len);
                key = key_add(p->arena, key, text, len);
            }
        record wanted = { .key = key }, *r = p->count ? bsearch(&wanted, p->records, p->count, sizeof wanted, by_key) : NULL;
        if (!r && p->less_is_fine) {
            p->lacks = true;
            continue;
        }
        if (!r) {
            kr_diag_at(diags, KR_E_STORE_VERIFY, kr_view_place(p->arena, view, sheet, row, -1), "the row is here, but was not published");
            told++;
            continue;
        }
        r->met = true;
        for (int c = 0; c < sheet->column_count && told < CELLS_SHOWN; c++) {
            const char *text = kr_cell_text(p->arena, pool, sheet->columns[c].type, kr_view_cell(sheet, row, c), &len);
            int i = column_named(p, sheet->columns[c].name);
            if (i < 0 && p->less_is_fine) {
                p->lacks = true;
                continue;
            }
            if (i >= 0 && r->cells[i].len == len && !memcmp(r->cells[i].text, text, len))
                continue;
            kr_diag_at(diags, KR_E_STORE_VERIFY, kr_view_place(p->arena, view, sheet, row, c), "%s was published, %s comes out here",
                       i < 0 ? "no such column" : shown(p->arena, r->cells[i].text, r->cells[i].len), shown(p->arena, text, len));
            told++;
        }
    }
    for (size_t i = 0; i < p->count && told < CELLS_SHOWN; i++)
        if (!p->records[i].met) {
            const char *row = "";
            for (const char *k = p->records[i].key; *k; k += strcspn(k, "\x1f"))
                row = kr_arena_printf(p->arena, "%s%s%.*s", row, *row ? ", " : "", (int)strcspn(k + 1, "\x1f"), k + 1), k++;
            kr_diag_at(diags, KR_E_STORE_VERIFY, kr_arena_printf(p->arena, "%s[%s]", sheet->name, row), "the row was published, but is not here");
            told++;
        }
    return told;
}

size_t kr_receipt_cells(const kr_receipt *said, const kr_receipt *found, const kr_view *view, const char *folder, kr_diags *diags)
{
    size_t seen = 0;
    for (int i = 0; i < view->sheet_count; i++) {
        const kr_view_sheet *sheet = &view->sheets[i];
        const kr_digested *was = NULL, *is = NULL;
        for (int j = 0; j < said->sheet_count; j++)
            was = strcmp(said->sheets[j].name, sheet->name) ? was : &said->sheets[j];
        for (int j = 0; j < found->sheet_count; j++)
            is = strcmp(found->sheets[j].name, sheet->name) ? is : &found->sheets[j];
        if (!was || !is || !strcmp(was->sha256, is->sha256) || !sheet->sheet->key_count)
            continue;
        published p = { .arena = kr_arena_new() };
        const char *path = kr_arena_printf(p.arena, "%s/%s.csv", folder, sheet->name);
        kr_file file;
        char problem[200], hex[KR_HEX];
        if (kr_file_open(&file, path, problem, sizeof problem)) {
            kr_sha_of(file.data, file.size, hex);
            if (!strcmp(hex, was->sha256) && read_published(&p, sheet, &file)) {
                compare_sheet(&p, view, sheet, diags);
                seen++;
            }
            kr_file_done(&file);
        }
        kr_arena_free(p.arena);
    }
    return seen;
}

size_t kr_receipt_files(const kr_receipt *said, const kr_view *view, const char *folder, kr_diags *diags)
{
    size_t wrong = 0;
    for (int i = 0; i < view->sheet_count; i++) {
        const kr_view_sheet *sheet = &view->sheets[i];
        const kr_digested *was = NULL;
        for (int j = 0; j < said->sheet_count; j++)
            was = strcmp(said->sheets[j].name, sheet->name) ? was : &said->sheets[j];
        if (!was || !sheet->sheet->key_count)
            continue;
        published p = { .arena = kr_arena_new(), .less_is_fine = true };
        const char *path = kr_arena_printf(p.arena, "%s/%s.csv", folder, sheet->name);
        kr_file file;
        char problem[200], hex[KR_HEX];
        if (kr_file_open(&file, path, problem, sizeof problem)) {
            kr_sha_of(file.data, file.size, hex);
            if (strcmp(hex, was->sha256) != 0 && read_published(&p, sheet, &file)) {
                int differences = p.count ? strange_columns(&p, sheet, path, diags) : 0;
                differences += compare_sheet(&p, view, sheet, diags);
                if (differences) {
                    kr_diag_at(diags, KR_E_STORE_VERIFY, path, "the file is not what the receipt is of: sheet `%s` comes out as the receipt says, the file says otherwise", sheet->name);
                    wrong++;
                } else if (p.lacks) {
                    kr_diag_at(diags, KR_N_STORE_SELECTION, path, "the file holds %zu of the %zu rows of `%s`, %d of its %d columns: they are those of the receipt", p.count,
                               sheet->row_count, sheet->name, p.width, sheet->column_count);
                }
            }
            kr_file_done(&file);
        }
        kr_arena_free(p.arena);
    }
    return wrong;
}
