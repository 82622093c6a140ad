/* sweep_write.c: a sweep as CSV with its receipt, as JSON, as a chart; and parts read back and put together. */
#include <cjson/cJSON.h>
#include <string.h>

#include "vm/store/diff_internal.h"
#include "vm/store/file.h"
#include "vm/store/sweep.h"

/* ------------------------------------------------------------------ CSV and JSON */

static void put_csv(kr_buf *buf, const char *cell)
{
    const char *quoted;
    size_t len = kr_csv_cell(buf->arena, cell, strlen(cell), &quoted);
    kr_buf_put(buf, kr_arena_copy(buf->arena, quoted, len));
}

static char *csv_of(kr_arena *arena, const kr_sweep *w)
{
    kr_buf buf = { .arena = arena };
    for (size_t i = 0; i < w->column_count * (w->rows + 1); i++) {
        put_csv(&buf, i < w->column_count ? w->heads[i] : w->cells[i - w->column_count]);
        kr_buf_put(&buf, (i + 1) % w->column_count ? "," : "\n");
    }
    return buf.text;
}

static char *json_of(kr_arena *arena, const kr_sweep *w)
{
    kr_buf buf = { .arena = arena };
    kr_buf_put(&buf, "[");
    for (size_t row = 0; row < w->rows; row++) {
        kr_buf_put(&buf, row ? ",\n {" : "\n {");
        for (size_t c = 0; c < w->column_count; c++) {
            kr_buf_put(&buf, c ? ", " : "");
            kr_buf_json(&buf, w->heads[c]);
            kr_buf_put(&buf, ": ");
            const char *cell = w->cells[row * w->column_count + c];
            kr_buf_json(&buf, *cell ? cell : NULL);
        }
        kr_buf_put(&buf, "}");
    }
    kr_buf_put(&buf, "\n]\n");
    return buf.text;
}

/* ------------------------------------------------------------------ receipts */

static void put_list(kr_buf *buf, const char *name, const char *const *list, size_t count)
{
    kr_buf_printf(buf, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        kr_buf_put(buf, i ? ", " : "");
        kr_buf_json(buf, list[i]);
    }
    kr_buf_put(buf, "]");
}

static char *receipt_of(kr_arena *arena, const kr_sweep *w, const char *engine, const char *csv)
{
    kr_buf buf = { .arena = arena };
    char hex[KR_HEX];
    kr_sha_of(csv, strlen(csv), hex);
    kr_buf_put(&buf, "{\n  \"sweep_receipt\": 1,\n  \"engine\": ");
    kr_buf_json(&buf, engine);
    kr_buf_put(&buf, ",\n  \"book\": ");
    kr_buf_json(&buf, w->book);
    kr_buf_printf(&buf, ",\n  \"file_sha256\": \"%s\",\n  \"data_sha256\": \"%s\",\n  \"to\": \"%s\"", w->file_sha256, w->data_sha256, w->to);
    put_list(&buf, "vary", w->vary, w->vary_count);
    put_list(&buf, "show", w->heads + w->vary_count, w->column_count - w->vary_count);
    kr_buf_printf(&buf, ",\n  \"part\": %zu,\n  \"parts\": %zu,\n  \"first\": %zu,\n  \"rows\": %zu,\n  \"all\": %zu,\n  \"output_sha256\": \"%s\"\n}\n", w->part, w->parts, w->first, w->rows,
                  w->all, hex);
    return buf.text;
}

/* ------------------------------------------------------------------ a chart */

enum { WIDE = 640, HIGH = 240, LEFT = 150, TOP = 34, RIGHT = 240 };

static const char *const inks[] = { "#1f5fa8", "#b3403a", "#2b7a4b", "#8a5a00", "#6a3d9a", "#007c8a", "#a0527a", "#555555" };

static bool number_at(const kr_sweep *w, size_t row, size_t column, kr_num *out)
{
    const char *cell = w->cells[row * w->column_count + column];
    return *cell && kr_num_read(cell, strlen(cell), out, NULL) == KR_READ_OK;
}

/* (x - low) / (high - low) of so many points, whole. */
static long long scaled(kr_num x, kr_num low, kr_num high, int points)
{
    int64_t at = points / 2;
    if (kr_num_cmp(low, high) < 0)
        kr_num_to_int(kr_num_round(kr_num_muldiv(kr_num_sub(x, low), kr_num_of_int(points), kr_num_sub(high, low), KR_HALF_EVEN), 0, KR_HALF_EVEN), &at);
    return at;
}

static void span_of(const kr_sweep *w, size_t column, kr_num *low, kr_num *high, bool *any)
{
    kr_num x;
    *any = false;
    for (size_t row = 0; row < w->rows; row++)
        if (number_at(w, row, column, &x)) {
            *low = !*any || kr_num_cmp(x, *low) < 0 ? x : *low;
            *high = !*any || kr_num_cmp(x, *high) > 0 ? x : *high;
            *any = true;
        }
}

static void label(kr_buf *buf, long long x, long long y, const char *anchor, const char *text)
{
    kr_buf_printf(buf, "<text x=\"%lld\" y=\"%lld\" text-anchor=\"%s\">", x, y, anchor);
    kr_buf_html(buf, text);
    kr_buf_put(buf, "</text>\n");
}

static bool same_others(const kr_sweep *w, size_t a, size_t b, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        if (strcmp(w->cells[a * w->column_count + c], w->cells[b * w->column_count + c]) != 0)
            return false;
    return true;
}

/* One panel a formula: over the parameter that varies fastest, one line for each combination of the others. */
static void panel(kr_buf *buf, const kr_sweep *w, size_t column, long long y0)
{
    size_t x_column = w->vary_count - 1;
    kr_num low, high, x_low, x_high, x, y;
    bool any, any_x;
    span_of(w, column, &low, &high, &any);
    span_of(w, x_column, &x_low, &x_high, &any_x);
    label(buf, LEFT, y0 + TOP - 14, "start", w->heads[column]);
    if (!any || !any_x) {
        label(buf, LEFT, y0 + TOP + 20, "start", "no numbers to draw");
        return;
    }
    kr_buf_printf(buf, "<path d=\"M%d %lldV%lldH%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT, y0 + TOP, y0 + TOP + HIGH, LEFT + WIDE);
    label(buf, LEFT - 8, y0 + TOP + 10, "end", kr_diff_short(buf->arena, high));
    label(buf, LEFT - 8, y0 + TOP + HIGH, "end", kr_diff_short(buf->arena, low));
    label(buf, LEFT, y0 + TOP + HIGH + 18, "start", kr_diff_short(buf->arena, x_low));
    label(buf, LEFT + WIDE, y0 + TOP + HIGH + 18, "end", kr_diff_short(buf->arena, x_high));
    label(buf, LEFT + WIDE / 2, y0 + TOP + HIGH + 18, "middle", w->heads[x_column]);
    size_t lines = 0;
    for (size_t row = 0; row < w->rows;) {
        size_t end = row + 1;
        while (end < w->rows && same_others(w, row, end, x_column))
            end++;
        const char *ink = inks[lines % (sizeof inks / sizeof *inks)], *name = "";
        kr_buf_printf(buf, "<g fill=\"%s\" stroke=\"%s\"><polyline fill=\"none\" points=\"", ink, ink);
        for (size_t r = row; r < end; r++)
            if (number_at(w, r, column, &y) && number_at(w, r, x_column, &x))
                kr_buf_printf(buf, "%lld,%lld ", LEFT + scaled(x, x_low, x_high, WIDE), y0 + TOP + HIGH - scaled(y, low, high, HIGH));
        kr_buf_put(buf, "\"/>");
        for (size_t r = row; r < end; r++)
            if (number_at(w, r, column, &y) && number_at(w, r, x_column, &x))
                kr_buf_printf(buf, "<circle cx=\"%lld\" cy=\"%lld\" r=\"2.5\"/>", LEFT + scaled(x, x_low, x_high, WIDE), y0 + TOP + HIGH - scaled(y, low, high, HIGH));
        kr_buf_put(buf, "</g>\n");
        for (size_t c = 0; c < x_column; c++)
            name = kr_arena_printf(buf->arena, "%s%s%s=%s", name, c ? ", " : "", w->heads[c], w->cells[row * w->column_count + c]);
        if (*name && lines < HIGH / 16) {
            kr_buf_printf(buf, "<rect x=\"%d\" y=\"%lld\" width=\"10\" height=\"10\" fill=\"%s\"/>", LEFT + WIDE + 14, y0 + TOP + (long long)lines * 16, ink);
            label(buf, LEFT + WIDE + 30, y0 + TOP + 10 + (long long)lines * 16, "start", name);
        }
        lines++;
        row = end;
    }
}

static char *svg_of(kr_arena *arena, const kr_sweep *w)
{
    kr_buf buf = { .arena = arena };
    size_t panels = w->column_count - w->vary_count;
    long long each = TOP + HIGH + 40;
    kr_buf_printf(&buf, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %lld\" width=\"%d\" height=\"%lld\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<title>", LEFT + WIDE + RIGHT,
                  each * (long long)panels, LEFT + WIDE + RIGHT, each * (long long)panels);
    kr_buf_html(&buf, w->book);
    kr_buf_put(&buf, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < panels && w->vary_count; i++)
        panel(&buf, w, w->vary_count + i, (long long)i * each);
    kr_buf_put(&buf, "</svg>\n");
    return buf.text;
}

/* ------------------------------------------------------------------ writing */

static bool write_file(const char *path, const char *text, kr_diags *diags)
{
    kr_out *out = kr_out_open(path, diags);
    if (!out)
        return false;
    kr_out_text(out, text);
    return kr_out_commit(out, diags);
}

bool kr_sweep_write(const kr_sweep *w, const char *format, const char *path, const char *engine, kr_diags *diags)
{
    kr_arena *arena = kr_arena_new();
    bool csv = !strcmp(format, "csv"), ok = true;
    const char *text = csv ? csv_of(arena, w) : !strcmp(format, "json") ? json_of(arena, w) : svg_of(arena, w);
    if (csv && strcmp(path, "-") != 0)
        ok = write_file(kr_arena_printf(arena, "%s.receipt.json", path), receipt_of(arena, w, engine, text), diags);
    ok = ok && write_file(path, text, diags);
    kr_arena_free(arena);
    return ok;
}

/* ------------------------------------------------------------------ putting parts together */

static const char *string_of(kr_arena *arena, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? kr_arena_copy(arena, item->valuestring, strlen(item->valuestring)) : NULL;
}

static size_t count_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valueint >= 0 ? (size_t)item->valueint : SIZE_MAX;
}

static const char **strings_of(kr_arena *arena, const cJSON *object, const char *name, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name), *item;
    const char **out = KR_NEW_ARRAY(arena, const char *, cJSON_GetArraySize(list) + 1);
    *count = 0;
    cJSON_ArrayForEach(item, list)
        if (cJSON_IsString(item))
            out[(*count)++] = kr_arena_copy(arena, item->valuestring, strlen(item->valuestring));
    return out;
}

typedef struct part { kr_sweep w; const char *file, *engine, *output; } part;

static bool unfit(kr_diags *diags, const char *file, const char *message)
{
    kr_diag_at(diags, KR_E_STORE_PART, file, "%s", message);
    return false;
}

static char *whole(kr_arena *arena, const char *path, kr_diags *diags)
{
    kr_file file;
    char problem[256];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, path, "cannot read `%s`: %s", path, problem);
        return NULL;
    }
    char *text = kr_arena_copy(arena, file.data, file.size);
    kr_file_done(&file);
    return text;
}

/* The cells of a CSV text (RFC 4180, as written here). */
static bool read_cells(kr_arena *arena, const char *text, size_t columns, size_t rows, const char **cells)
{
    size_t count = 0, want = columns * (rows + 1);
    for (const char *p = text; *p; p++) {
        kr_buf cell = { .arena = arena };
        kr_buf_put(&cell, "");
        if (*p == '"') {
            for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
                kr_buf_put(&cell, kr_arena_copy(arena, p, 1));
                p += *p == '"';
            }
            p += *p == '"';
        } else {
            size_t len = strcspn(p, ",\n");
            kr_buf_put(&cell, kr_arena_copy(arena, p, len));
            p += len;
        }
        if (count == want || (*p != ',' && *p != '\n') || (*p == '\n') != ((count + 1) % columns == 0))
            return false;
        cells[count++] = cell.text;
    }
    return count == want;
}

static bool read_part(kr_arena *arena, const char *path, part *p, kr_diags *diags)
{
    const char *receipt = kr_arena_printf(arena, "%s.receipt.json", path), *text = whole(arena, receipt, diags), *csv = text ? whole(arena, path, diags) : NULL;
    if (!csv)
        return false;
    cJSON *json = cJSON_Parse(text);
    kr_sweep *w = &p->w;
    size_t shown;
    char hex[KR_HEX];
    *p = (part){ .file = path };
    const char *book = string_of(arena, json, "book");
    w->book = book;
    w->file_sha256 = string_of(arena, json, "file_sha256");
    w->data_sha256 = string_of(arena, json, "data_sha256");
    w->to = string_of(arena, json, "to");
    p->engine = string_of(arena, json, "engine");
    p->output = string_of(arena, json, "output_sha256");
    w->vary = strings_of(arena, json, "vary", &w->vary_count);
    const char **show = strings_of(arena, json, "show", &shown);
    w->part = count_of(json, "part");
    w->parts = count_of(json, "parts");
    w->first = count_of(json, "first");
    w->rows = count_of(json, "rows");
    w->all = count_of(json, "all");
    bool ok = json && count_of(json, "sweep_receipt") == 1 && book && w->file_sha256 && w->data_sha256 && w->to && p->engine && p->output && shown && w->all <= KR_SWEEP_MOST &&
              w->rows <= w->all && w->part >= 1 && w->parts <= KR_SWEEP_MOST && w->part <= w->parts;
    cJSON_Delete(json);
    if (!ok)
        return unfit(diags, receipt, "this is not the receipt of a part");
    kr_sha_of(csv, strlen(csv), hex);
    if (strcmp(hex, p->output) != 0)
        return unfit(diags, path, "the file is not as it was written: its receipt names another digest");
    w->column_count = w->vary_count + shown;
    const char **cells = KR_NEW_ARRAY(arena, const char *, w->column_count * (w->rows + 1) + 1);
    if (!read_cells(arena, csv, w->column_count, w->rows, cells))
        return unfit(diags, path, "the file does not have the rows that its receipt says");
    w->heads = cells;
    w->cells = cells + w->column_count;
    for (size_t i = 0; i < shown; i++)
        if (strcmp(show[i], w->heads[w->vary_count + i]) != 0)
            return unfit(diags, path, "the file shows other formulas than its receipt says");
    return true;
}

static bool same_sweep(const part *a, const part *b, const char **what)
{
    *what = strcmp(a->engine, b->engine) ? "it was made by another engine" : strcmp(a->w.file_sha256, b->w.file_sha256) ? "it is about other rules"
            : strcmp(a->w.data_sha256, b->w.data_sha256) || strcmp(a->w.to, b->w.to) ? "it is about other data" : a->w.parts != b->w.parts || a->w.all != b->w.all ? "it is a part of another division" : NULL;
    if (!*what && (a->w.vary_count != b->w.vary_count || a->w.column_count != b->w.column_count))
        *what = "it varies or shows something else";
    for (size_t i = 0; !*what && i < a->w.vary_count; i++)
        if (strcmp(a->w.vary[i], b->w.vary[i]) != 0)
            *what = "it varies other values";
    for (size_t i = 0; !*what && i < a->w.column_count; i++)
        if (strcmp(a->w.heads[i], b->w.heads[i]) != 0)
            *what = "it shows other formulas";
    return !*what;
}

kr_sweep *kr_sweep_merge(kr_arena *arena, const char *const *files, size_t count, kr_diags *diags)
{
    part *parts = KR_NEW_ARRAY(arena, part, count + 1);
    bool ok = count > 0;
    for (size_t i = 0; i < count; i++)
        ok = read_part(arena, files[i], &parts[i], diags) && ok;
    const char *what;
    for (size_t i = 1; ok && i < count; i++)
        if (!same_sweep(&parts[0], &parts[i], &what))
            ok = unfit(diags, files[i], kr_arena_printf(arena, "not a part of the same sweep as %s: %s", files[0], what));
    if (!ok)
        return NULL;
    const part **by_number = KR_NEW_ARRAY(arena, const part *, parts[0].w.parts + 1);
    for (size_t i = 0; i < count; i++) {
        const part **at = &by_number[parts[i].w.part - 1];
        if (*at)
            return unfit(diags, files[i], kr_arena_printf(arena, "part %zu is there twice: also %s", parts[i].w.part, (*at)->file)), NULL;
        *at = &parts[i];
    }
    kr_sweep *w = KR_NEW(arena, kr_sweep);
    *w = parts[0].w;
    w->arena = arena;
    w->part = w->parts = w->first = w->rows = 0;
    w->is_number = KR_NEW_ARRAY(arena, bool, w->column_count);
    w->cells = KR_NEW_ARRAY(arena, const char *, w->all * w->column_count + 1);
    for (size_t n = 0; n < parts[0].w.parts; n++) {
        const part *p = by_number[n];
        if (!p)
            return unfit(diags, files[0], kr_arena_printf(arena, "part %zu of %zu is missing", n + 1, parts[0].w.parts)), NULL;
        if (p->w.first != w->rows)
            return unfit(diags, p->file, "the part does not begin where the one before it ends"), NULL;
        memcpy(w->cells + w->rows * w->column_count, p->w.cells, p->w.rows * w->column_count * sizeof *w->cells);
        w->rows += p->w.rows;
    }
    if (w->rows != w->all)
        return unfit(diags, files[count - 1], "the parts together are not the whole sweep"), NULL;
    for (size_t c = 0; c < w->column_count; c++) {
        kr_num n;
        w->is_number[c] = w->rows > 0 && number_at(w, 0, c, &n);
    }
    return w;
}
