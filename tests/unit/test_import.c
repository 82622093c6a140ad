/* test_import.c: the scanner of answers; what a killed or full import leaves; numbers that must not change; the schema file. */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "vm/krules.h"
#include "vm/store/import_internal.h"

static char folder[] = "/tmp/krules-import-XXXXXX";
static const char alice[] = "0x31ca8395cf837de08b24da3f660e77761dfb974b";

static const char *at(const char *name) /* each name keeps its text */
{
    static char paths[16][100];
    char wanted[100];
    int i = 0;
    snprintf(wanted, sizeof wanted, "%s/%s", folder, name);
    while (paths[i][0] && strcmp(paths[i], wanted) != 0)
        i++;
    strcpy(paths[i], wanted);
    return paths[i];
}

/* ------------------------------------------------------------------ the scanner */

static void check_json(const char *text, const char *problem, size_t byte)
{
    kr_arena *arena = kr_arena_new();
    kr_json_reader r;
    char *copy = malloc(strlen(text) + 1); /* exactly the bytes, so that the sanitizer sees a step too far */
    memcpy(copy, text, strlen(text));
    kr_json_start(&r, copy, strlen(text));
    while (kr_json_next(&r, arena)) {}
    size_t line, column, got = 0;
    if (r.problem)
        kr_json_place(&r, r.p, &line, &column, &got);
    unit_check(problem ? r.problem && !strcmp(r.problem, problem) && got == byte : !r.problem, __FILE__, __LINE__, "`%s`: %s at %zu", text, r.problem ? r.problem : "fine", got);
    kr_arena_free(arena);
    free(copy);
}

static void scanner(void)
{
    static const char ends[] = "the file ends before the value does";
    check_json("[1, -2.50, 1e3, \"a\\u00e9\\ud83d\\ude00\\n\", true, null, {}] {} []", NULL, 0);
    check_json(" \n", NULL, 0);
    check_json("[1,", ends, 3);
    check_json("{\"a\"", ends, 4);
    check_json("\"abc", ends, 4);
    check_json("\"abc\\", ends, 5);
    check_json("\"\\u12", ends, 5);
    check_json("tru", ends, 3);
    check_json("-", ends, 1);
    check_json("1.", ends, 2);
    check_json("[1 2]", "`,` or a closing bracket is missing", 3);
    check_json("[01]", "a number that starts with 0", 1);
    check_json("{\"a\":1,\"a\":2}", "a member stands in the object twice", 7);
    check_json("{a:1}", "the name of a member is missing", 1);
    check_json("[+1]", "this is no JSON value", 1);
    check_json("[NaN]", "this is no JSON value", 1);
    check_json("\"\\x\"", "an unknown escape in a string", 2);
    check_json("\"\\ud800\"", "half a surrogate pair in a string", 7);
    check_json("\"\xff\"", "a string that is not UTF-8", 0);
    check_json("\"a\nb\"", "a control character in a string", 2);
    char deep[200];
    memset(deep, '[', 100);
    deep[100] = 0;
    check_json(deep, "values nested too deep", 64);

    kr_arena *arena = kr_arena_new();
    kr_json_reader r;
    const char text[] = "{\"n\": 2703997.4500000002, \"e\": 1.50e-7}";
    kr_json_start(&r, text, strlen(text));
    const kr_json *v = kr_json_next(&r, arena);
    CHECK_TEXT(kr_json_get(v, "n")->text, "2703997.4500000002");
    CHECK_TEXT(kr_json_get(v, "e")->text, "1.50e-7");
    kr_arena_free(arena);
}

/* No cut of an answer, and no changed byte of it, does more than be refused. */
static void broken_answers(void)
{
    static const char answer[] = "[{\"coin\":\"ETH\",\"px\":\"2000.5\",\"sz\":\"1.0\",\"side\":\"B\",\"time\":1762732800050,\"oid\":5,\"tid\":77,\"startPosition\":\"0.0\"}]";
    uint64_t seed = 0x1234567;
    kr_arena *arena = kr_arena_new();
    for (size_t n = 0; n < sizeof answer - 1; n++) {
        kr_json_reader r;
        char *cut = malloc(n + 1);
        memcpy(cut, answer, n);
        kr_json_start(&r, cut, n);
        CHECK(!kr_json_next(&r, arena) && (n == 0 || r.problem));
        memcpy(cut, answer, n);
        if (n)
            cut[unit_random(&seed) % n] = (char)unit_random(&seed);
        kr_json_start(&r, cut, n);
        while (kr_json_next(&r, arena)) {}
        free(cut);
        kr_arena_reset(arena);
    }
    kr_arena_free(arena);
}

/* ------------------------------------------------------------------ all or nothing */

static void write_fills(const char *path, int64_t start, int count)
{
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fputc('[', f);
    for (int i = 0; i < count; i++)
        fprintf(f, "%s{\"coin\":\"ETH\",\"px\":\"%d.5\",\"sz\":\"1.0\",\"side\":\"%s\",\"time\":%lld,\"oid\":%d,\"tid\":%d,\"startPosition\":\"0.0\",\"hash\":\"0x%064d\",\"fee\":\"0.1\",\"dir\":\"x\"}",
                i ? "," : "", 2000 + i % 7, i % 2 ? "B" : "A", (long long)start + i * 1000, i + 1, i + 1, i);
    fputc(']', f);
    fclose(f);
}

static bool import(const char *file, const char *database)
{
    krules *k = krules_new();
    krules_import how = { .into = database, .address = alice, .builder_rate = "0.00025" };
    bool ok = krules_import_hyperliquid(k, &file, 1, &how);
    krules_free(k);
    return ok;
}

/* Rows of fill, and of read_log, and whether the database is sound. -1: it does not open. */
static long rows(const char *database, bool *sound, long *log)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    long out = -1;
    *sound = false;
    if (sqlite3_open(database, &db) == SQLITE_OK && sqlite3_prepare_v2(db, "SELECT (SELECT count(*) FROM fill), (SELECT count(*) FROM read_log)", -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
        out = (long)sqlite3_column_int64(s, 0);
        *log = (long)sqlite3_column_int64(s, 1);
    }
    sqlite3_finalize(s);
    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        *sound = !strcmp((const char *)sqlite3_column_text(s, 0), "ok");
    sqlite3_finalize(s);
    sqlite3_close(db);
    return out;
}

static void copy(const char *from, const char *to)
{
    char journal[300], buffer[1 << 14];
    snprintf(journal, sizeof journal, "%s-journal", to);
    unlink(journal);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out)
        abort();
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        if (fwrite(buffer, 1, n, out) != n)
            abort();
    fclose(in);
    fclose(out);
}

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

enum { BEFORE = 200, FRESH = 3000 };

static void left_whole(const char *database, const char *what, int *old, int *new)
{
    bool sound;
    long log = 0, n = rows(database, &sound, &log);
    unit_check(sound && ((n == BEFORE && log == 1) || (n == BEFORE + FRESH && log == 2)), __FILE__, __LINE__, "%s: %ld rows, %ld readings, %s", what, n, log, sound ? "sound" : "damaged");
    *old += n == BEFORE;
    *new += n == BEFORE + FRESH;
}

static void killed(const char *base, const char *file)
{
    uint64_t seed = 0x9e3779b97f4a7c15u, start, took;
    int old = 0, new = 0;
    copy(base, at("k.db"));
    start = now_us();
    CHECK(import(file, at("k.db")));
    took = now_us() - start;
    for (int i = 0; i < 16; i++) {
        copy(base, at("k.db"));
        pid_t child = fork();
        if (child == 0)
            _exit(import(file, at("k.db")) ? 0 : 1);
        usleep((useconds_t)(unit_random(&seed) % (took + took / 8 + 1)));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        left_whole(at("k.db"), "killed", &old, &new);
        CHECK(import(file, at("k.db"))); /* and the step can be done again */
    }
    CHECK(old > 0);
}

/* A disk that fills up: writes fail once the file has reached a size. */
static void full(const char *base, const char *file)
{
    struct stat st;
    int old = 0, new = 0;
    stat(base, &st);
    for (int i = 0; i < 6; i++) {
        copy(base, at("f.db"));
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit = { (rlim_t)(st.st_size / 8 * (i + 3)), RLIM_INFINITY };
            if (i % 2)
                signal(SIGXFSZ, SIG_IGN); /* the write fails; else the process ends */
            setrlimit(RLIMIT_FSIZE, &limit);
            _exit(import(file, at("f.db")) ? 0 : 1);
        }
        waitpid(child, &status, 0);
        CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
        left_whole(at("f.db"), "full disk", &old, &new);
    }
    CHECK(old == 6 && new == 0);
}

/* A database that a killed writer left with its journal opens for reading, too. */
static void journal_left(const char *base, const char *file)
{
    krules *k = krules_new();
    krules_book *book = krules_open_text(k, "t", "rulebook { id = \"t\", version = 1, language = 1, title = \"T\" }\nlocal fill = sheet(\"fill\", { \"address\", \"time\", \"coin\", \"tid\", \"side\" })\n"
                                                 "fill.address = address\nfill.time = time\nfill.coin = text\nfill.tid = text\nfill.side = text\nfill.px = number\noutput(fill)\n");
    char journal[300];
    copy(base, at("j.db"));
    snprintf(journal, sizeof journal, "%s-journal", at("j.db"));
    for (useconds_t wait = 1000; access(journal, F_OK) != 0 && wait < 400000; wait += wait / 3) {
        copy(base, at("j.db"));
        pid_t child = fork();
        if (child == 0)
            _exit(import(file, at("j.db")) ? 0 : 1);
        usleep(wait);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    krules_data *data = book ? krules_load(book, at("j.db")) : NULL;
    if (CHECK(data != NULL))
        CHECK(krules_table_rows(data, 0) == BEFORE || krules_table_rows(data, 0) == BEFORE + FRESH);
    for (size_t i = 0; !data && i < krules_message_count(k); i++)
        printf("%s", krules_message_text(k, i, false));
    krules_free(k);
}

static void all_or_nothing(void)
{
    write_fills(at("base.json"), INT64_C(1762000000000), BEFORE);
    write_fills(at("more.json"), INT64_C(1762800000000), FRESH);
    CHECK(import(at("base.json"), at("base.db")));
    killed(at("base.db"), at("more.json"));
    full(at("base.db"), at("more.json"));
    journal_left(at("base.db"), at("more.json"));
}

/* ------------------------------------------------------------------ the schema */

static void schema(void)
{
    FILE *f = fopen("data/kokoah/pay/schema.sql", "r");
    static char line[4000], all[20000];
    size_t used = 0;
    if (!CHECK(f != NULL))
        return;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "--", 2) != 0)
            for (char *p = line; *p; p++)
                if (*p != '\n' && used + 1 < sizeof all)
                    all[used++] = *p;
    fclose(f);
    all[used] = 0;
    CHECK_TEXT(kr_import_schema, all);
}

static void names(void)
{
    CHECK_TEXT(kr_market_of("BTC"), "perp");
    CHECK_TEXT(kr_market_of("kPEPE"), "perp");
    CHECK_TEXT(kr_market_of("@107"), "spot");
    CHECK_TEXT(kr_market_of("PURR/USDC"), "spot");
    CHECK_TEXT(kr_market_of("flx:CRCL"), "dex");
    CHECK_TEXT(kr_market_of("#94250"), "outcome");
    CHECK(kr_same_number("0.50", "0.5") && !kr_same_number("0.5", NULL) && kr_same_number(NULL, NULL) && !kr_same_number("0.5", "0.500000000000000001"));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    scanner();
    broken_answers();
    names();
    schema();
    all_or_nothing();
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        return 1;
    return unit_done();
}
