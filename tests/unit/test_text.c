/* The text layer and what stands directly on it: arena, pool, sources, messages, days, units, columns, datasets. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdlib.h>

#include "vm/engine/dataset.h"
#include "vm/text/time.h"
#include "vm/text/utf8.h"

static void arena_tests(void)
{
    kr_arena *arena = kr_arena_new();
    bool zero = true, aligned = true;
    for (size_t round = 0; round < 3; round++) {
        for (size_t n = 0; n < 3000; n = n * 3 / 2 + 1) {
            unsigned char *at = kr_arena_alloc(arena, n);
            aligned &= ((uintptr_t)at & 15) == 0;
            for (size_t i = 0; i < n; i++) {
                zero &= at[i] == 0;
                at[i] = 0xaa;
            }
        }
        kr_arena_reset(arena);
    }
    CHECK(zero);
    CHECK(aligned);
    unsigned char *big = kr_arena_alloc(arena, 5u << 20);
    CHECK(big[0] == 0 && big[(5u << 20) - 1] == 0);
    CHECK(kr_arena_bytes(arena) >= 5u << 20);
    CHECK_TEXT(kr_arena_printf(arena, "%d of %s", 3, "four"), "3 of four");
    CHECK_TEXT(kr_arena_copy(arena, "abc", 2), "ab");
    int *numbers = NULL, count = 0;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++)
        KR_PUSH(arena, numbers, count, capacity) = i * i;
    bool kept = count == 1000;
    for (int i = 0; i < 1000; i++)
        kept &= numbers[i] == i * i;
    CHECK(kept);
    kr_arena_free(arena);
    kr_arena_free(NULL);
}

enum { THREADS = 4, WORDS = 20000 };
static kr_pool *shared;
static uint32_t ids[THREADS][WORDS];

static void *add_words(void *which)
{
    int thread = *(int *)which;
    for (int i = 0; i < WORDS; i++) {
        char word[32];
        int w = thread % 2 ? i : WORDS - 1 - i;
        int n = snprintf(word, sizeof word, "word %d", w);
        ids[thread][w] = kr_pool_add(shared, word, (size_t)n);
    }
    return NULL;
}

static void pool_tests(void)
{
    kr_pool *pool = kr_pool_new();
    uint32_t a = kr_pool_add(pool, "a", 1), ab = kr_pool_add(pool, "ab", 2), none = kr_pool_add(pool, "", 0), zero = kr_pool_add(pool, "a\0", 2), id;
    CHECK(a != ab && kr_pool_add(pool, "a", 1) == a && zero != a && kr_pool_count(pool) == 4);
    CHECK(kr_pool_find(pool, "ab", 2, &id) && id == ab);
    CHECK(!kr_pool_find(pool, "b", 1, &id));
    CHECK(kr_pool_find(pool, "", 0, &id) && id == none);
    CHECK(kr_pool_cmp(pool, a, ab) < 0 && kr_pool_cmp(pool, ab, a) > 0 && kr_pool_cmp(pool, none, a) < 0 && kr_pool_cmp(pool, a, a) == 0);
    CHECK(kr_pool_cmp(pool, zero, ab) < 0 && kr_pool_cmp(pool, a, zero) < 0);
    CHECK(kr_pool_cmp(pool, kr_pool_add(pool, "\xff", 1), ab) > 0);
    size_t len;
    CHECK_TEXT(kr_pool_text(pool, ab, &len), "ab");
    CHECK(len == 2);
    kr_pool_free(pool);

    shared = kr_pool_new();
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        pthread_create(&threads[t], NULL, add_words, &numbers[t]);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    bool same = kr_pool_count(shared) == WORDS;
    for (int i = 0; i < WORDS; i++) {
        char word[32];
        snprintf(word, sizeof word, "word %d", i);
        for (int t = 0; t < THREADS; t++)
            same &= ids[t][i] == ids[0][i];
        same &= strcmp(kr_pool_text(shared, ids[0][i], NULL), word) == 0;
    }
    CHECK(same);
    kr_pool_free(shared);
}

static void source_tests(void)
{
    kr_arena *arena = kr_arena_new();
    kr_source *s = kr_source_new(arena, "x", "ab\n\nΦc\r\nlast", 13);
    uint32_t line, column;
    CHECK(s->line_count == 4);
    kr_source_place(s, 0, &line, &column);
    CHECK(line == 1 && column == 1);
    kr_source_place(s, 3, &line, &column);
    CHECK(line == 2 && column == 1);
    kr_source_place(s, 6, &line, &column); /* c, behind a letter of two bytes */
    CHECK(line == 3 && column == 2);
    kr_source_place(s, 999, &line, &column);
    CHECK(line == 4 && column == 5);
    CHECK(kr_text_width("a漢\xcc\x81Φ", 8) == 4);
    CHECK(kr_char_width(0x1F600) == 2 && kr_char_width(0xAD) == 1 && kr_char_width(0x200D) == 0);
    size_t at = 0;
    CHECK(kr_utf8_next("\xc0\xaf", 2, &at) == 0xfffd && at == 1);
    at = 0;
    CHECK(kr_utf8_next("\xed\xa0\x80", 3, &at) == 0xfffd && at == 1);
    at = 0;
    CHECK(kr_utf8_next("\xf0\x9f\x98\x80", 4, &at) == 0x1F600 && at == 4);
    kr_arena_free(arena);
}

static void diag_tests(void)
{
    kr_arena *arena = kr_arena_new();
    kr_diags *diags = kr_diags_new(arena);
    const char *text = "\naccount.smoothed = \"(1 - smoothing) * PREV(smoothd, 0)\"\nend\n";
    kr_source *s = kr_source_new(arena, "rules/v2.lua", text, strlen(text));
    uint32_t place = (uint32_t)(strstr(text, "smoothd") - text);
    kr_diag *d = kr_diag_add(diags, KR_E_FORMULA_NAME, (kr_span){ s, place, place + 7 }, "sheet `%s` has no column `%s`", "account", "smoothd");
    kr_diag_help(diags, d, "did you mean `smoothed`?");
    kr_diag_window(diags, d, (kr_span){ s, 1, 17 }, "declared here");
    CHECK_TEXT(kr_diag_render(arena, d, false),
               "error[E0210]: sheet `account` has no column `smoothd`\n"
               " --> rules/v2.lua:2:44\n"
               "  |\n"
               "2 | account.smoothed = \"(1 - smoothing) * PREV(smoothd, 0)\"\n"
               "  |                                            ^^^^^^^\n"
               "  | ---------------- declared here\n"
               "  = help: did you mean `smoothed`?\n");
    CHECK_TEXT(kr_diag_json(arena, d),
               "{\"code\":\"E0210\",\"severity\":\"error\",\"message\":\"sheet `account` has no column `smoothd`\",\"file\":\"rules/v2.lua\","
               "\"line\":2,\"column\":44,\"end_column\":51,\"also\":[{\"file\":\"rules/v2.lua\",\"line\":2,\"column\":1,\"end_column\":17,"
               "\"label\":\"declared here\"}],\"help\":[\"did you mean `smoothed`?\"]}");
    CHECK(strstr(kr_diag_render(arena, d, true), "\033[1;31merror[E0210]\033[0m") != NULL);

    d = kr_diag_at(diags, KR_E_DATA_CELL, "data/fill.csv:1032:7", "`%s` is not a number", "1,5");
    d->row = "address=0xab, time=5: px=\"1,5\"";
    kr_diag_help(diags, d, "first line\nsecond line");
    CHECK_TEXT(kr_diag_render(arena, d, false),
               "error[E0504]: `1,5` is not a number\n"
               "  --> data/fill.csv:1032:7\n"
               "   = row: address=0xab, time=5: px=\"1,5\"\n"
               "   = help: first line\n"
               "           second line\n");
    CHECK(strstr(kr_diag_json(arena, d), "\"row\":\"address=0xab, time=5: px=\\\"1,5\\\"\"") != NULL);
    CHECK(kr_diags_status(diags) == 4);
    CHECK(kr_diags_count(diags, KR_SEVERITY_ERROR) == 2 && kr_diags_shown(diags) == 2);
    kr_diag_at(diags, KR_E_DATA_CELL, "data/fill.csv:1032:7", "`%s` is not a number", "1,5"); /* the same cause again */
    CHECK(kr_diags_count(diags, KR_SEVERITY_ERROR) == 2);
    for (int i = 0; i < 30; i++)
        kr_diag_add(diags, KR_E_FORMULA_NAME, (kr_span){ s, (uint32_t)i, (uint32_t)i }, "number %d", i);
    kr_diag_at(diags, KR_N_DATA_EXTRA, "x", "a note");
    CHECK(kr_diags_count(diags, KR_SEVERITY_ERROR) == 32 && kr_diags_shown(diags) == KR_DIAG_SHOWN + 1);
    CHECK(kr_diags_get(diags, KR_DIAG_SHOWN)->severity == KR_SEVERITY_NOTE);

    /* a long line is cut around the mark */
    char *wide = kr_arena_alloc(arena, 1001);
    memset(wide, 'x', 1000);
    wide[500] = '!';
    s = kr_source_new(arena, "long", wide, 1000);
    d = kr_diag_add(diags, KR_E_FORMULA_NAME, (kr_span){ s, 500, 501 }, "here");
    const char *shown = kr_diag_render(arena, d, false);
    const char *line = strstr(shown, "1 | "), *mark = strstr(shown, "^");
    size_t caret = mark ? (size_t)(mark - strstr(strchr(line, '\n') + 1, "|")) : 0;
    const char *bang = strchr(line, '!');
    CHECK(bang && mark && kr_text_width(line, (size_t)(bang - line)) == caret + 2);
    CHECK(strstr(line, "… x") && strstr(line, "x …"));

    /* places at the very end, in an empty text, behind a line break */
    s = kr_source_new(arena, "empty", "", 0);
    CHECK(strstr(kr_diag_render(arena, kr_diag_add(diags, KR_E_FORMULA_EMPTY, (kr_span){ s, 0, 0 }, "nothing"), false), "  | ^\n") != NULL);
    s = kr_source_new(arena, "two", "a\nb", 3);
    CHECK(strstr(kr_diag_render(arena, kr_diag_add(diags, KR_E_FORMULA_EMPTY, (kr_span){ s, 0, 3 }, "both"), false), "1 | a\n  | ^\n") != NULL);

    static const char *const names[] = { "smoothed", "credit", "px", "SUM", "Address" };
    CHECK_TEXT(kr_nearest("smoothd", names, 5), "smoothed");
    CHECK_TEXT(kr_nearest("Smoothed", names, 5), "smoothed");
    CHECK_TEXT(kr_nearest("address", names, 5), "Address");
    CHECK_TEXT(kr_nearest("cerdti", names, 5), "credit");
    CHECK_TEXT(kr_nearest("pX", names, 5), "px");
    CHECK(kr_nearest("qy", names, 5) == NULL);
    CHECK(kr_nearest("SMU", names, 5) != NULL);
    CHECK(kr_nearest("nothing", names, 5) == NULL);

    static const char *const numbers[] = {
#define KR_ERROR(name, number, status, title, explain) number,
#include "vm/text/errors.def"
#undef KR_ERROR
    };
    bool sorted = true;
    for (size_t i = 1; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i - 1] + 1, numbers[i] + 1) >= 0) {
            printf("errors.def: %s stands before %s\n", numbers[i - 1], numbers[i]);
            sorted = false;
        }
    CHECK(sorted);
    kr_arena_free(arena);
}

static void time_tests(void)
{
    int64_t day, ms;
    char out[32];
    bool ok = true;
    int y = 1, m = 1, d = 1;
    int64_t first = kr_day_from_civil(1, 1, 1), last = kr_day_from_civil(9999, 12, 31);
    static const int lengths[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    for (day = first; day <= last; day++) { /* every day, counted by hand */
        int cy, cm, cd;
        kr_day_to_civil(day, &cy, &cm, &cd);
        ok &= cy == y && cm == m && cd == d && kr_day_from_civil(y, m, d) == day;
        bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
        if (++d > lengths[m] + (leap && m == 2)) {
            d = 1;
            if (++m > 12) {
                m = 1;
                y++;
            }
        }
    }
    CHECK(ok);
    CHECK(first == -719162 && last == 2932896);
    CHECK(kr_day_read("1970-01-01", 10, &day) && day == 0);
    CHECK(kr_day_read("2024-02-29", 10, &day) && day == 19782);
    CHECK(!kr_day_read("2023-02-29", 10, &day) && !kr_day_read("1900-02-29", 10, &day) && kr_day_read("2000-02-29", 10, &day));
    CHECK(!kr_day_read("2024-2-29", 9, &day) && !kr_day_read("2024-13-01", 10, &day) && !kr_day_read("2024-00-01", 10, &day)
          && !kr_day_read("0000-01-01", 10, &day) && !kr_day_read("2024-01-01x", 11, &day) && !kr_day_read("2024/01/01", 10, &day));
    kr_day_write(-719162, out);
    CHECK_TEXT(out, "0001-01-01");
    CHECK(kr_time_read("0", 1, &ms) && ms == 0 && kr_time_read("-1", 2, &ms) && ms == -1 && kr_day_of_time(ms) == -1);
    CHECK(kr_time_read("1700000000123", 13, &ms) && ms == INT64_C(1700000000123));
    CHECK(kr_time_read("1970-01-02T00:00:00.500Z", 24, &ms) && ms == KR_DAY_MS + 500);
    CHECK(kr_time_read("1970-01-02 01:02", 16, &ms) && ms == KR_DAY_MS + 3720000);
    CHECK(kr_time_read("1970-01-02T01:02:03", 19, &ms) && ms == KR_DAY_MS + 3723000);
    CHECK(kr_time_read("1970-01-02T01:02:03.5", 21, &ms) && ms == KR_DAY_MS + 3723500);
    CHECK(!kr_time_read("1970-01-02T24:00", 16, &ms) && !kr_time_read("1970-01-02T00:60", 16, &ms) && !kr_time_read("", 0, &ms)
          && !kr_time_read("-", 1, &ms) && !kr_time_read("1.5", 3, &ms) && !kr_time_read("1e3", 3, &ms) && !kr_time_read("1970-01-02", 10, &ms)
          && !kr_time_read("253402300800000", 15, &ms) && !kr_time_read("1970-01-02T01:02:03.1234", 24, &ms) && !kr_time_read("1970-01-02T", 11, &ms)
          && !kr_time_read("1970-01-02TZ", 12, &ms));
    kr_time_write_iso(-1, out);
    CHECK_TEXT(out, "1969-12-31T23:59:59.999Z");
    kr_time_write(INT64_C(-62135596800000), out);
    CHECK_TEXT(out, "-62135596800000");
}

static const char *unit_text(kr_arena *arena, const char *text)
{
    kr_unit unit;
    return kr_unit_read(arena, text, strlen(text), &unit) ? kr_unit_write(arena, &unit) : "no unit";
}

static void unit_tests(void)
{
    kr_arena *arena = kr_arena_new();
    static const char *const cases[][2] = {
        { "USD", "USD" }, { "1", "1" }, { "alpha/day", "alpha/day" }, { "USD*ms", "USD*ms" }, { "ms * USD", "USD*ms" }, { "1/day^2", "1/day^2" },
        { "USD/USD", "1" }, { "USD^2/USD", "USD" }, { "USD^-1", "1/USD" }, { "a/b/c", "a/b/c" }, { "a*b^3/c*d", "a*b^3*d/c" }, { "", "no unit" },
        { "USD/", "no unit" }, { "2", "no unit" }, { "USD USD", "no unit" }, { "USD^0", "no unit" }, { "USD^x", "no unit" }, { "USD^1000", "no unit" },
        { "a*b*c*d*e*f*g*h", "a*b*c*d*e*f*g*h" }, { "a*b*c*d*e*f*g*h*i", "no unit" }, { "Φ/day", "Φ/day" }, { "USD+1", "no unit" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        unit_check_text(unit_text(arena, cases[i][0]), cases[i][1], cases[i][0], (int)i);
    kr_unit usd, day, rate, back, none = { 0 };
    kr_unit_read(arena, "USD", 3, &usd);
    kr_unit_read(arena, "day", 3, &day);
    CHECK(kr_unit_mul(&usd, &day, -1, &rate));
    CHECK_TEXT(kr_unit_write(arena, &rate), "USD/day");
    CHECK(kr_unit_mul(&rate, &day, 1, &back) && kr_unit_eq(&back, &usd) && !kr_unit_eq(&back, &rate));
    CHECK(kr_unit_mul(&usd, &none, 1, &back) && !back.known && !kr_unit_eq(&none, &none));
    CHECK_TEXT(kr_unit_write(arena, &none), "?");
    kr_arena_free(arena);
}

static void column_tests(void)
{
    static const kr_type types[] = { KR_T_NUMBER, KR_T_BOOLEAN, KR_T_TEXT, KR_T_BYTES, KR_T_DAY, KR_T_TIME };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        kr_cell values[] = { KR_BLANK, KR_E_DIV0, KR_E_NUM, KR_E_NA, KR_E_VALUE, KR_E_MULTI, kr_cell_of_int(0), kr_cell_of_int(1),
                             kr_cell_of_int(types[t] == KR_T_BOOLEAN ? 1 : 100000), kr_cell_of_int(types[t] == KR_T_DAY || types[t] == KR_T_TIME ? -5 : 1),
                             types[t] == KR_T_NUMBER ? KR_NUM_MIN : kr_cell_of_int(1), types[t] == KR_T_NUMBER ? KR_NUM_MAX : kr_cell_of_int(0) };
        enum { N = sizeof values / sizeof *values };
        kr_column column;
        kr_cell out[N + 1];
        kr_column_init(&column, types[t], N);
        bool ok = kr_is_blank(kr_column_get(&column, N - 1));
        for (size_t i = 0; i < N; i++)
            kr_column_set(&column, i, values[i]);
        kr_column_resize(&column, N + 3);
        ok &= kr_is_blank(kr_column_get(&column, N + 2));
        for (size_t i = 0; i < N; i++)
            ok &= kr_raw_eq(kr_column_get(&column, i), values[i]);
        kr_column_load(&column, 1, N, out);
        for (size_t i = 0; i < N; i++)
            ok &= kr_raw_eq(out[i], i + 1 < N ? values[i + 1] : KR_BLANK);
        uint32_t rows[3] = { 7, KR_NO_ROW, 1 };
        kr_column_gather(&column, rows, 3, out);
        ok &= kr_raw_eq(out[0], values[7]) && kr_is_blank(out[1]) && kr_raw_eq(out[2], values[1]);
        rows[1] = 0;
        kr_column_scatter(&column, rows, 3, (kr_cell[]){ values[6], KR_E_NA, values[6] });
        ok &= kr_raw_eq(kr_column_get(&column, 0), KR_E_NA) && kr_raw_eq(kr_column_get(&column, 1), values[6]);
        kr_column_store(&column, 0, N, values);
        ok &= kr_raw_eq(kr_column_get(&column, 1), KR_E_DIV0);
        unit_check(ok, __FILE__, __LINE__, "columns of %s", kr_type_name(types[t]));
        kr_column_done(&column);
    }
    kr_pool *pool = kr_pool_new();
    kr_arena *arena = kr_arena_new();
    kr_cell b = kr_cell_of_text(pool, "b", 1), a = kr_cell_of_text(pool, "a", 1);
    CHECK(kr_cell_cmp(pool, KR_T_TEXT, a, b) < 0 && kr_cell_cmp(pool, KR_T_TEXT, KR_BLANK, a) < 0 && kr_cell_cmp(pool, KR_T_TEXT, KR_E_NA, KR_BLANK) > 0);
    CHECK(kr_cell_cmp(pool, KR_T_NUMBER, KR_E_MULTI, KR_NUM_MIN) < 0 && kr_cell_cmp(pool, KR_T_DAY, kr_cell_of_int(-1), kr_cell_of_int(0)) < 0);
    size_t len;
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_BYTES, kr_cell_of_text(pool, "\x01\xff", 2), &len), "01ff");
    CHECK(len == 4);
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_DAY, kr_cell_of_int(0), NULL), "1970-01-01");
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_BOOLEAN, kr_cell_of_bool(true), &len), "true");
    CHECK(len == 4);
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_TIME, kr_cell_of_int(-3), NULL), "-3");
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_TEXT, b, NULL), "b");
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_TEXT, KR_BLANK, NULL), "");
    CHECK_TEXT(kr_cell_text(arena, pool, KR_T_BOOLEAN, KR_E_DIV0, NULL), "#DIV/0!");
    kr_arena_free(arena);
    kr_pool_free(pool);
}

/* ---- datasets */

static kr_column_def *input(kr_model *model, kr_sheet *sheet, const char *name, kr_type type)
{
    kr_column_def *column = kr_sheet_add_column(model, sheet, name);
    column->input = true;
    column->type = type;
    return column;
}

static void dataset_tests(void)
{
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    kr_model *model = kr_model_new(arena, pool, NULL);
    kr_sheet *sheet = kr_model_add_sheet(model, "t");
    static const char *keys[] = { "who", "n" };
    sheet->key_names = keys;
    sheet->key_count = 2;
    input(model, sheet, "who", KR_T_TEXT);
    input(model, sheet, "n", KR_T_NUMBER);
    input(model, sheet, "ok", KR_T_BOOLEAN);
    kr_sheet_add_column(model, sheet, "formula");
    kr_sheet *bag = kr_model_add_sheet(model, "bag");
    input(model, bag, "at", KR_T_DAY);
    input(model, bag, "x", KR_T_TIME);
    CHECK(kr_model_sheet(model, "bag") == bag && kr_model_sheet(model, "none") == NULL && kr_sheet_column(sheet, "ok")->index == 2);

    enum { N = 5000 };
    kr_dataset *data = kr_dataset_new(pool);
    kr_table *table = kr_dataset_add(data, sheet, N);
    CHECK(table->column_count == 3 && kr_dataset_table(data, "t") == table && kr_table_column(table, "formula") == NULL);
    table->lines = kr_alloc(sizeof *table->lines * N);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < N; i++) {
        char word[8];
        int n = snprintf(word, sizeof word, "w%u", (unsigned)(unit_random(&seed) >> 40) % 50);
        kr_column_set(&table->columns[0], i, kr_cell_of_text(pool, word, (size_t)n));
        kr_num x = kr_num_of_int((int64_t)(unit_random(&seed) >> 55) - 250);
        x.lo += i % 7; /* a fraction, so that many keys differ in the last digit only */
        kr_column_set(&table->columns[1], i, x);
        kr_column_set(&table->columns[2], i, kr_cell_of_bool(true));
        table->lines[i] = i + 2;
    }
    uint32_t a, b;
    CHECK(kr_table_sort(table, sheet, pool, &a, &b));
    bool sorted = true;
    for (size_t i = 1; i < table->row_count; i++) {
        int order = kr_cell_cmp(pool, KR_T_TEXT, kr_column_get(&table->columns[0], i - 1), kr_column_get(&table->columns[0], i));
        if (order == 0)
            order = kr_raw_cmp(kr_column_get(&table->columns[1], i - 1), kr_column_get(&table->columns[1], i));
        sorted &= order < 0;
    }
    CHECK(sorted && table->row_count < N && table->row_count > N / 2 && table->columns[0].count == table->row_count);
    /* one key, two values: refused, and nothing moved */
    kr_column_set(&table->columns[0], 0, kr_column_get(&table->columns[0], 9));
    kr_column_set(&table->columns[1], 0, kr_column_get(&table->columns[1], 9));
    kr_column_set(&table->columns[2], 0, kr_cell_of_bool(false));
    CHECK(!kr_table_sort(table, sheet, pool, &a, &b) && ((a == 0 && b == 9) || (a == 9 && b == 0)));

    kr_table *rows = kr_dataset_add(data, bag, 4);
    static const int64_t at[] = { 3, -2, 3, 0 }, x[] = { 5, 1, -5, 9 };
    for (size_t i = 0; i < 4; i++) {
        kr_column_set(&rows->columns[0], i, at[i] == 0 ? KR_BLANK : kr_cell_of_int(at[i]));
        kr_column_set(&rows->columns[1], i, kr_cell_of_int(x[i]));
    }
    CHECK(kr_table_sort(rows, bag, pool, &a, &b) && rows->row_count == 4);
    CHECK(kr_is_blank(kr_column_get(&rows->columns[0], 0)) && kr_cell_int(kr_column_get(&rows->columns[0], 1)) == -2
          && kr_cell_int(kr_column_get(&rows->columns[1], 2)) == -5 && kr_cell_int(kr_column_get(&rows->columns[1], 3)) == 5);
    kr_dataset_free(data);
    kr_pool_free(pool);
    kr_arena_free(arena);
}

int main(void)
{
    arena_tests();
    pool_tests();
    source_tests();
    diag_tests();
    time_tests();
    unit_tests();
    column_tests();
    dataset_tests();
    return unit_done();
}
