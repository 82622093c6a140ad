/* test_krules.c: the public interface as an embedder uses it: ownership, lifetimes, messages, results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/krules.h"

static int passed, failed;

#define CHECK(condition) ((condition) ? (void)passed++ : (failed++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))
#define CHECK_TEXT(got, want) check_text(__LINE__, got, want)

static void check_text(int line, const char *got, const char *want)
{
    if (got && !strcmp(got, want)) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: got %s, want %s\n", __FILE__, line, got ? got : "nothing", want);
}

static const char rules[] = "rulebook { id = 'test/share', version = 3, language = 1, title = 'A share', effective_from = '2024-01-01', notice_days = 5,\n"
                            "           days = { from = 'MIN(work.day)' } }\n"
                            "--- What there is to share. [EUR]\n"
                            "param.pot = 100\n"
                            "local work = sheet('work', { 'name', 'day' })\n"
                            "work.name = text\n"
                            "work.day = day\n"
                            "work.hours = number\n"
                            "--- Who gets what.\n"
                            "local share = sheet('share', { 'name', 'day' }, { rows = distinct('work', { 'name', 'day' }) })\n"
                            "--- A part of the pot. [EUR]\n"
                            "share.paid = 'PRORATE(pot, work.hours BY day)'\n"
                            "share.worked = 'work.hours > 0'\n"
                            "check(share, 'all are paid', 'paid > 0')\n"
                            "output { share }\n";

static char folder[] = "/tmp/krules-test-api-XXXXXX", file[64];

static void put_data(const char *text)
{
    FILE *f = fopen(file, "w");
    if (!f || fputs(text, f) < 0)
        exit(2);
    fclose(f);
}

static void test_results(void)
{
    put_data("name,day,hours\nbo,2024-01-01,1\nann,2024-01-01,2\nann,2024-01-02,3\nbo,2024-01-02,\n");
    krules *k = krules_new();
    krules_book *book = krules_open_text(k, "share.lua", rules);
    CHECK(book && krules_status(k) == KRULES_OK);
    if (!book) {
        for (size_t i = 0; i < krules_message_count(k); i++)
            fputs(krules_message_text(k, i, false), stdout);
        krules_free(k);
        return;
    }
    CHECK_TEXT(krules_book_name(book), "test/share");
    CHECK_TEXT(krules_book_title(book), "A share");
    CHECK(krules_version_count(book) == 1);
    krules_version v = krules_version_at(book, 0);
    CHECK(v.number == 3 && v.notice_days == 5 && v.param_count == 1 && v.sheet_count == 2 && v.formula_count == 2 && v.check_count == 1);
    CHECK_TEXT(v.effective_from, "2024-01-01");
    krules_data *data = krules_load(book, folder);
    CHECK(data && krules_table_count(data) == 1 && krules_table_rows(data, 0) == 4 && strlen(krules_data_digest(data)) == 64);
    CHECK_TEXT(krules_table_name(data, 0), "work");
    krules_result *r = krules_eval(book, data, NULL);
    CHECK(r && krules_sheet_count(r) == 1 && krules_row_count(r, 0) == 4 && krules_column_count(r, 0) == 4);
    if (r) {
        const char *from, *to, *first = krules_cell(r, 0, 0, 2);
        char copy[64], shown[64];
        CHECK(krules_period(r, &from, &to));
        CHECK_TEXT(from, "2024-01-01");
        CHECK_TEXT(to, "2024-01-02");
        CHECK_TEXT(krules_sheet_name(r, 0), "share");
        CHECK_TEXT(krules_sheet_doc(r, 0), "Who gets what.");
        krules_column c = krules_column_at(r, 0, 2);
        CHECK(!c.key && krules_column_at(r, 0, 0).key && krules_column_at(r, 0, 1).key);
        CHECK_TEXT(c.name, "paid");
        CHECK_TEXT(c.type, "number");
        CHECK_TEXT(c.unit, "EUR");
        CHECK_TEXT(c.doc, "A part of the pot.");
        CHECK_TEXT(first, "66.666666666666666667");
        snprintf(copy, sizeof copy, "%s", first);
        for (int i = 0; i < 60; i++)
            krules_cell(r, 0, (size_t)i % 4, 2);
        CHECK_TEXT(first, copy); /* still there after 60 further cells */
        CHECK_TEXT(krules_shorten(shown, first, 2), "66.67");
        CHECK_TEXT(krules_shorten(shown, "ann", 2), "ann");
        CHECK_TEXT(krules_row_day(r, 0, 1), "2024-01-02");
        CHECK_TEXT(krules_total(r, 0, 2, NULL), "200");
        CHECK_TEXT(krules_total(r, 0, 2, "2024-01-01"), "100");
        CHECK_TEXT(krules_total(r, 0, 0, NULL), "");
        CHECK_TEXT(krules_cell(r, 0, 3, 2), ""); /* bo's hours are not known */
        CHECK(krules_check_failures(r) == 0 && krules_error_cells(r, false) == 0);
    }
    krules_result *late = krules_eval(book, data, &(krules_options){ .from = "2024-01-02", .only = "share.paid", .where = "paid > 0" });
    CHECK(late && krules_row_count(late, 0) == 1 && krules_column_count(late, 0) == 3);
    if (late)
        CHECK_TEXT(krules_cell(late, 0, 0, 2), "100");
    krules_result_free(r);
    CHECK(!krules_eval(book, data, &(krules_options){ .only = "shares" }) && krules_status(k) == KRULES_USE);
    CHECK_TEXT(krules_message_code(k, 0), "E0804");
    krules_forget_messages(k);
    CHECK(krules_message_count(k) == 0 && krules_status(k) == KRULES_OK);
    CHECK(!krules_eval(book, data, &(krules_options){ .where = "paid +" }) && krules_message_count(k) == 1);
    CHECK(strstr(krules_message_text(k, 0, false), "paid +\n") != NULL); /* what a message shows outlives the failed call */
    krules_forget_messages(k);
    krules_data_free(data); /* a result that is still there goes with the session, in the right order */
    krules_result_free(late);
    krules_free(k);
}

static void test_failures(void)
{
    krules *k = krules_new();
    CHECK(!krules_open_text(k, "wrong.lua", "rulebook {") && krules_status(k) == KRULES_RULES && krules_error_count(k) == 1);
    CHECK(strstr(krules_message_json(k, 0), "\"file\":\"wrong.lua\"") != NULL);
    CHECK(krules_message_severity(k, 0) == KRULES_ERROR);
    krules_forget_messages(k);
    put_data("name,day,hours\nann,2024-01-01,0\nbo,2024-01-01,2\n");
    krules_book *book = krules_open_text(k, "share.lua", rules);
    krules_data *data = book ? krules_load(book, folder) : NULL;
    krules_result *r = data ? krules_eval(book, data, NULL) : NULL;
    CHECK(r && krules_check_failures(r) == 1 && krules_status(k) == KRULES_FINDING);
    krules_forget_messages(k);
    put_data("name,day,hours\nann,2024-01-01,x\n");
    CHECK(book && !krules_load(book, folder) && krules_status(k) == KRULES_DATA);
    krules_complain(k, "E0803", "here", "what is wrong", "what to do");
    CHECK_TEXT(krules_message_text(k, krules_message_count(k) - 1, false), "error[E0803]: what is wrong\n  --> here\n   = help: what to do\n");
    krules_free(k);
    krules_free(NULL);
}

/* Two sessions at once know nothing of each other; formulas by themselves. */
static void test_sessions(void)
{
    krules *a = krules_new(), *b = krules_new();
    krules_value x, y;
    CHECK(krules_calc(a, "1/3", &x) && krules_calc(b, "2/3", &y));
    CHECK_TEXT(x.text, "0.333333333333333333");
    CHECK_TEXT(y.text, "0.666666666666666667");
    CHECK_TEXT(x.type, "number");
    CHECK(!krules_calc(a, "1 +", &x) && krules_message_count(a) == 1 && krules_message_count(b) == 0);
    krules_forget_messages(a);
    CHECK(krules_calc(a, "1/0", &x) && x.error);
    bool all = true;
    for (int i = 0; i < 2500 && all; i++) { /* more formulas than one calculator keeps */
        char formula[32], want[32];
        snprintf(formula, sizeof formula, "%d * 2", i);
        snprintf(want, sizeof want, "%d", 2 * i);
        all = krules_calc(a, formula, &x) && !strcmp(x.text, want);
    }
    CHECK(all);
    krules_free(b);
    krules_free(a);
}

static void test_help(void)
{
    krules_function f;
    krules_code code;
    CHECK(krules_function_named("clip", &f) && !strcmp(f.name, "CLIP") && f.example && f.gives);
    CHECK(!krules_function_named("no such", &f));
    size_t functions = 0, codes = 0;
    while (krules_function_at(functions, &f))
        functions++;
    while (krules_code_at(codes, &code))
        codes++;
    CHECK(functions > 100 && codes > 40);
    const char *words[] = { "alpha", "beta" };
    CHECK_TEXT(krules_nearest("alpa", words, 2), "alpha");
    CHECK(!krules_nearest("gamma ray", words, 2));
    CHECK(krules_width("héllo") == 5);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    snprintf(file, sizeof file, "%s/work.csv", folder);
    test_results();
    test_failures();
    test_sessions();
    test_help();
    unlink(file);
    rmdir(folder);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
