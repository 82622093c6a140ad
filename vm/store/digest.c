#include "vm/store/digest.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "vm/store/file.h"
#include "vm/text/time.h"

struct kr_sha { EVP_MD_CTX *context; };

kr_sha *kr_sha_new(void)
{
    kr_sha *sha = kr_alloc(sizeof *sha);
    sha->context = EVP_MD_CTX_new();
    KR_ASSERT(sha->context && EVP_DigestInit_ex(sha->context, EVP_sha256(), NULL) == 1); /* fails only without memory */
    return sha;
}

void kr_sha_add(kr_sha *sha, const void *bytes, size_t len) { EVP_DigestUpdate(sha->context, bytes, len); }

void kr_sha_end(kr_sha *sha, char hex[KR_HEX])
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    EVP_DigestFinal_ex(sha->context, raw, &n);
    for (unsigned i = 0; i < 32; i++) {
        hex[2 * i] = "0123456789abcdef"[raw[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[raw[i] & 15];
    }
    hex[64] = 0;
    EVP_DigestInit_ex(sha->context, EVP_sha256(), NULL);
}

void kr_sha_free(kr_sha *sha)
{
    if (!sha)
        return;
    EVP_MD_CTX_free(sha->context);
    kr_free(sha);
}

void kr_sha_of(const void *bytes, size_t len, char hex[KR_HEX])
{
    kr_sha *sha = kr_sha_new();
    kr_sha_add(sha, bytes, len);
    kr_sha_end(sha, hex);
    kr_sha_free(sha);
}

bool kr_sha_file(const char *path, char hex[KR_HEX], kr_diags *diags)
{
    kr_file file;
    char problem[200];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, path, "`%s` cannot be read: %s", path, problem);
        return false;
    }
    kr_sha_of(file.data, file.size, hex);
    kr_file_done(&file);
    return true;
}

size_t kr_csv_cell(kr_arena *arena, const char *raw, size_t len, const char **text)
{
    bool quote = len && (raw[0] == ' ' || raw[len - 1] == ' ');
    size_t inner = 0;
    for (size_t i = 0; i < len; i++) {
        quote |= raw[i] == ',' || raw[i] == '"' || raw[i] == '\n' || raw[i] == '\r';
        inner += raw[i] == '"';
    }
    *text = raw;
    if (!quote)
        return len;
    char *out = kr_arena_alloc(arena, len + inner + 2), *p = out;
    *p++ = '"';
    for (size_t i = 0; i < len; i++) {
        if (raw[i] == '"')
            *p++ = '"';
        *p++ = raw[i];
    }
    *p++ = '"';
    *text = out;
    return (size_t)(p - out);
}

static int day_column(const kr_table *table, const kr_sheet *sheet)
{
    static const kr_type wanted[] = { KR_T_DAY, KR_T_TIME };
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < sheet->key_count; k++)
            for (int i = 0; i < table->column_count; i++)
                if (table->columns[i].type == wanted[t] && !strcmp(table->names[i], sheet->key_names[k]))
                    return i;
    for (int i = 0; i < table->column_count; i++)
        if (table->columns[i].type == KR_T_DAY || table->columns[i].type == KR_T_TIME)
            return i;
    return -1;
}

/* Rows by day, each day's in the table's order: order[start[d]] … for the d-th day from `first`; rows without a day come before. */
typedef struct by_day {
    int64_t first;
    size_t day_count;
    size_t *start;   /* day_count + 2 entries: [0] the rows without a day */
    uint32_t *order;
} by_day;

static bool row_day(const kr_column *column, size_t row, int64_t *day)
{
    kr_cell cell = column ? kr_column_get(column, row) : KR_BLANK;
    if (kr_is_special(cell))
        return false;
    *day = column->type == KR_T_DAY ? kr_cell_int(cell) : kr_day_of_time(kr_cell_int(cell));
    return true;
}

static by_day sort_by_day(const kr_table *table, const kr_column *column)
{
    by_day out = { .day_count = 0 };
    int64_t day, last = 0;
    bool any = false;
    for (size_t row = 0; row < table->row_count; row++)
        if (row_day(column, row, &day)) {
            out.first = any && out.first < day ? out.first : day;
            last = any && last > day ? last : day;
            any = true;
        }
    out.day_count = any ? (size_t)(last - out.first) + 1 : 0; /* days of years 1 to 9999: few millions */
    out.start = kr_alloc(sizeof *out.start * (out.day_count + 2));
    out.order = kr_alloc(sizeof *out.order * (table->row_count + 1));
    for (size_t row = 0; row < table->row_count; row++)
        out.start[row_day(column, row, &day) ? (size_t)(day - out.first) + 1 : 0]++;
    size_t before = 0;
    for (size_t d = 0; d < out.day_count + 2; d++) {
        size_t n = out.start[d];
        out.start[d] = before;
        before += n;
    }
    for (size_t row = 0; row < table->row_count; row++)
        out.order[out.start[row_day(column, row, &day) ? (size_t)(day - out.first) + 1 : 0]++] = (uint32_t)row;
    for (size_t d = out.day_count + 1; d > 0; d--) /* each start was moved to the next one's place */
        out.start[d] = out.start[d - 1];
    out.start[0] = 0;
    return out;
}

enum { CHUNK = 256 };

static void add_rows(kr_sha *sha, kr_arena *scratch, const kr_table *table, const kr_pool *pool, const int *columns, const uint32_t *rows, size_t count, kr_cell *cells)
{
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t n = count - at < CHUNK ? count - at : CHUNK;
        for (int c = 0; c < table->column_count; c++)
            kr_column_gather(&table->columns[columns[c]], rows + at, n, cells + (size_t)c * CHUNK);
        for (size_t i = 0; i < n; i++)
            for (int c = 0; c < table->column_count; c++) {
                size_t len;
                char number[KR_NUM_TEXT];
                kr_type type = table->columns[columns[c]].type;
                kr_cell cell = cells[(size_t)c * CHUNK + i];
                const char *text;
                if (type == KR_T_NUMBER) {
                    len = kr_num_write(cell, number);
                    text = number;
                } else {
                    const char *raw = kr_cell_text(scratch, pool, type, cell, &len);
                    len = kr_csv_cell(scratch, raw, len, &text);
                }
                kr_sha_add(sha, text, len);
                kr_sha_add(sha, c + 1 == table->column_count ? "\n" : ",", 1);
            }
        kr_arena_reset(scratch);
    }
}

static void digest_table(kr_arena *arena, const kr_table *table, const kr_sheet *sheet, const kr_pool *pool, kr_table_digest *out)
{
    kr_arena *own = kr_arena_new(), *scratch = kr_arena_new();
    kr_sha *sha = kr_sha_new(), *whole = kr_sha_new();
    int *columns = KR_NEW_ARRAY(own, int, table->column_count);
    kr_cell *cells = KR_NEW_ARRAY(own, kr_cell, (size_t)table->column_count * CHUNK);
    for (int i = 0; i < table->column_count; i++) { /* insertion: few columns */
        int at = i;
        for (; at && strcmp(table->names[columns[at - 1]], table->names[i]) > 0; at--)
            columns[at] = columns[at - 1];
        columns[at] = i;
    }
    kr_sha_add(whole, table->sheet, strlen(table->sheet));
    kr_sha_add(whole, "\n", 1);
    for (int i = 0; i < table->column_count; i++) {
        kr_sha_add(whole, table->names[columns[i]], strlen(table->names[columns[i]]));
        kr_sha_add(whole, i + 1 == table->column_count ? "\n" : ",", 1);
    }
    int dated = day_column(table, sheet);
    by_day days = sort_by_day(table, dated < 0 ? NULL : &table->columns[dated]);
    size_t capacity = 0;
    for (size_t d = 0; d <= days.day_count; d++) {
        size_t start = days.start[d], end = days.start[d + 1];
        if (start == end)
            continue;
        kr_day_digest *day = &KR_PUSH(arena, out->days, out->day_count, capacity);
        *day = (kr_day_digest){ .has_day = d > 0, .day = d ? days.first + (int64_t)d - 1 : 0, .row_count = end - start };
        add_rows(sha, scratch, table, pool, columns, days.order + start, end - start, cells);
        kr_sha_end(sha, day->hex);
        char text[16] = "-";
        size_t n = day->has_day ? kr_day_write(day->day, text) : 1;
        kr_sha_add(whole, text, n);
        kr_sha_add(whole, " ", 1);
        kr_sha_add(whole, day->hex, 64);
        kr_sha_add(whole, "\n", 1);
    }
    kr_sha_end(whole, out->hex);
    out->name = table->sheet;
    out->row_count = table->row_count;
    kr_free(days.start);
    kr_free(days.order);
    kr_sha_free(sha);
    kr_sha_free(whole);
    kr_arena_free(own);
    kr_arena_free(scratch);
}

static int by_table(const void *a, const void *b)
{
    return strcmp(((const kr_table_digest *)a)->name, ((const kr_table_digest *)b)->name);
}

kr_data_digest *kr_data_digest_new(kr_arena *arena, const kr_dataset *data, const kr_model *model)
{
    kr_data_digest *digest = KR_NEW(arena, kr_data_digest);
    digest->tables = KR_NEW_ARRAY(arena, kr_table_digest, data->table_count);
    for (int i = 0; i < data->table_count; i++) {
        const kr_table *table = &data->tables[i];
        const kr_sheet *sheet = kr_model_sheet(model, table->sheet);
        if (!table->absent && sheet)
            digest_table(arena, table, sheet, data->pool, &digest->tables[digest->table_count++]);
    }
    qsort(digest->tables, (size_t)digest->table_count, sizeof *digest->tables, by_table);
    kr_sha *sha = kr_sha_new();
    for (int i = 0; i < digest->table_count; i++) {
        kr_sha_add(sha, digest->tables[i].name, strlen(digest->tables[i].name));
        kr_sha_add(sha, " ", 1);
        kr_sha_add(sha, digest->tables[i].hex, 64);
        kr_sha_add(sha, "\n", 1);
    }
    kr_sha_end(sha, digest->hex);
    kr_sha_free(sha);
    return digest;
}
