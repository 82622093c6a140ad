/* test_store.c: loading of tables in every form, what is refused and how it is said, digests, writing. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/store/digest.h"
#include "vm/store/file.h"
#include "vm/store/load.h"

static int passed, failed;
static char folder[256];

#define CHECK(condition) ((condition) ? (void)passed++ : (failed++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static void check_text(int line, const char *got, const char *want)
{
    if (!strcmp(got, want)) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: got\n%s\nwant\n%s\n", __FILE__, line, got, want);
}
#define CHECK_TEXT(got, want) check_text(__LINE__, got, want)

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, strlen(text), f) != strlen(text))
        exit(2);
    fclose(f);
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

typedef struct world {
    kr_arena *arena;
    kr_pool *pool;
    kr_model *model;
    kr_diags *diags;
    kr_dataset *data;
} world;

static const char *const sides[] = { "buy", "sell" };

static kr_column_def *column(kr_model *model, kr_sheet *sheet, const char *name, kr_type type)
{
    kr_column_def *c = kr_sheet_add_column(model, sheet, name);
    c->input = true;
    c->type = type;
    return c;
}

static void keys(kr_model *model, kr_sheet *sheet, int count, const char *const *names)
{
    sheet->key_names = KR_NEW_ARRAY(model->arena, const char *, count);
    for (int i = 0; i < count; i++)
        sheet->key_names[i] = names[i];
    sheet->key_count = count;
}

static const kr_fn *const no_families[] = { NULL };

static world start(void)
{
    world w = { .arena = kr_arena_new(), .pool = kr_pool_new() };
    w.model = kr_model_new(w.arena, w.pool, no_families);
    w.diags = kr_diags_new(w.arena);
    kr_sheet *fill = kr_model_add_sheet(w.model, "fill");
    column(w.model, fill, "address", KR_T_TEXT)->domain.address = true;
    column(w.model, fill, "time", KR_T_TIME);
    kr_column_def *side = column(w.model, fill, "side", KR_T_TEXT);
    side->domain.one_of = sides;
    side->domain.one_of_count = 2;
    kr_column_def *px = column(w.model, fill, "px", KR_T_NUMBER);
    px->domain.has_above = true;
    column(w.model, fill, "builder", KR_T_BOOLEAN);
    column(w.model, fill, "code", KR_T_BYTES)->optional = true;
    column(w.model, fill, "on", KR_T_DAY);
    keys(w.model, fill, 2, (const char *const[]){ "address", "time" });
    kr_sheet *flow = kr_model_add_sheet(w.model, "flow"); /* a bag */
    column(w.model, flow, "address", KR_T_TEXT);
    column(w.model, flow, "usd", KR_T_NUMBER);
    kr_sheet *extra = kr_model_add_sheet(w.model, "extra");
    column(w.model, extra, "a", KR_T_NUMBER);
    extra->optional = true;
    return w;
}

static world load(const char *where)
{
    world w = start();
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, where);
    w.data = kr_load_data(path, w.model, w.pool, w.diags);
    return w;
}

static void end(world *w)
{
    kr_dataset_free(w->data);
    kr_arena_free(w->arena);
    kr_pool_free(w->pool);
}

/* The whole dataset as text, one row a line. */
static char *dump(const world *w)
{
    char *text = kr_arena_copy(w->arena, "", 0);
    for (int t = 0; w->data && t < w->data->table_count; t++) {
        const kr_table *table = &w->data->tables[t];
        text = kr_arena_printf(w->arena, "%s%s%s\n", text, table->sheet, table->absent ? " absent" : "");
        for (size_t row = 0; row < table->row_count; row++)
            for (int c = 0; c < table->column_count; c++)
                text = kr_arena_printf(w->arena, "%s%s%s", text,
                                       kr_cell_text(w->arena, w->pool, table->columns[c].type, kr_column_get(&table->columns[c], row), NULL),
                                       c + 1 == table->column_count ? "\n" : "|");
    }
    return text;
}

/* The diagnostics as `place: message [row]`, one a line, with the folder taken out. */
static char *said(const world *w)
{
    char *text = kr_arena_copy(w->arena, "", 0);
    for (size_t i = 0; i < kr_diags_shown(w->diags); i++) {
        const kr_diag *d = kr_diags_get(w->diags, i);
        text = kr_arena_printf(w->arena, "%s%s %s: %s%s%s%s%s%s\n", text, kr_code_name(d->code), d->place ? d->place : "", d->message, d->row ? " [" : "",
                               d->row ? d->row : "", d->row ? "]" : "", d->help[0] ? " = " : "", d->help[0] ? d->help[0] : "");
    }
    size_t n = strlen(folder);
    for (char *at; (at = strstr(text, folder));)
        memmove(at, at + n + (at[n] == '/'), strlen(at + n + (at[n] == '/')) + 1);
    return text;
}

static const char *const good_fill =
    "\xef\xbb\xbf"
    "address,time,side,px,builder,on,note\r\n"
    "\"0xb,\"\"x\"\"\",1708138038158,sell,3023.90,1,2024-02-17,first\r\n"
    "0xa,1708138038159,buy,0.000000000000000001,false,,\"two\nlines\"\r\n"
    "0xa,1708138038158,buy,1e3,TRUE,2024-02-18,\r\n"
    "0xa,1708138038158,buy,1000.0,1,2024-02-18,again\r\n\r\n";
static const char *const good_flow = "usd,address\n-1.50,a\n2,b\n-1.5,a\n";
static const char *const good_dump = "fill\n"
                                     "0xa|1708138038158|buy|1000|true||2024-02-18\n"
                                     "0xa|1708138038159|buy|0.000000000000000001|false||\n"
                                     "0xb,\"x\"|1708138038158|sell|3023.9|true||2024-02-17\n"
                                     "flow\n"
                                     "a|-1.5\na|-1.5\nb|2\n"
                                     "extra absent\n";

static void test_forms(void)
{
    char hex[3][KR_HEX];
    put("fill.csv", good_fill);
    put("flow.csv", good_flow);
    world w = load("");
    CHECK_TEXT(dump(&w), good_dump);
    CHECK_TEXT(said(&w), "N0511 fill.csv: table `fill` has a column that the rules do not use: `note`\n");
    CHECK(w.data && w.data->tables[0].lines[2] == 2 && w.data->tables[0].lines[1] == 3 && w.data->tables[0].lines[0] == 5);
    if (w.data)
        memcpy(hex[0], kr_data_digest_new(w.arena, w.data, w.model)->hex, KR_HEX);
    end(&w);

    drop("fill.csv");
    drop("flow.csv");
    put("fill.jsonl", "{\"address\":\"0xb,\\\"x\\\"\",\"time\":1708138038158,\"side\":\"sell\",\"px\":3023.90,\"builder\":true,\"on\":\"2024-02-17\",\"more\":{\"a\":[1,{}]}}\n"
                      "{ \"address\" : \"\\u0030xa\", \"time\" : \"2024-02-17T02:47:18.159Z\", \"side\":\"buy\", \"px\":1E-18, \"builder\":0, \"on\":null }\r\n"
                      "{\"px\":\"1000\",\"address\":\"0xa\",\"time\":1708138038158,\"side\":\"buy\",\"builder\":1,\"on\":\"2024-02-18\"}\n");
    put("flow.jsonl", "{\"address\":\"a\",\"usd\":-1.5}\n{\"address\":\"b\",\"usd\":2.0}\n{\"address\":\"a\",\"usd\":-1.5}");
    w = load("");
    CHECK_TEXT(dump(&w), good_dump);
    CHECK_TEXT(said(&w), "N0511 fill.jsonl: table `fill` has a column that the rules do not use: `more`\n");
    if (w.data)
        memcpy(hex[1], kr_data_digest_new(w.arena, w.data, w.model)->hex, KR_HEX);
    end(&w);
    drop("fill.jsonl");
    drop("flow.jsonl");

    char path[512];
    snprintf(path, sizeof path, "%s/a.db", folder);
    sqlite3 *db;
    sqlite3_open(path, &db);
    CHECK(sqlite3_exec(db,
                       "CREATE TABLE fill (address TEXT, time INTEGER, side TEXT, px TEXT, builder INTEGER, \"on\" TEXT);"
                       "INSERT INTO fill VALUES ('0xb,\"x\"', 1708138038158, 'sell', '3023.90', 1, '2024-02-17'),"
                       "('0xa', 1708138038159, 'buy', '0.000000000000000001', 0, NULL), ('0xa', 1708138038158, 'buy', 1000, 1, '2024-02-18');"
                       "CREATE TABLE flow (address TEXT, usd TEXT); INSERT INTO flow VALUES ('a', '-1.5'), ('b', 2), ('a', '-1.50');",
                       NULL, NULL, NULL) == SQLITE_OK);
    w = load("a.db");
    CHECK_TEXT(dump(&w), good_dump);
    CHECK_TEXT(said(&w), "");
    if (w.data)
        memcpy(hex[2], kr_data_digest_new(w.arena, w.data, w.model)->hex, KR_HEX);
    end(&w);
    CHECK_TEXT(hex[0], hex[1]);
    CHECK_TEXT(hex[0], hex[2]);

    sqlite3_exec(db, "UPDATE fill SET px = 0.1 WHERE time = 1708138038159; DROP TABLE flow; CREATE TABLE flows (a TEXT)", NULL, NULL, NULL);
    w = load("a.db");
    CHECK(!w.data);
    /* the column's affinity is TEXT, so SQLite has made a text of the number: only a column without it keeps a REAL cell */
    CHECK_TEXT(said(&w), "E0502 a.db: there is no table `flow` = there is `flows`: did you mean that?\n");
    end(&w);
    sqlite3_exec(db, "ALTER TABLE flows RENAME TO flow; ALTER TABLE flow ADD address TEXT; ALTER TABLE flow ADD usd REAL; INSERT INTO flow VALUES (1, 'a', 0.1)", NULL, NULL, NULL);
    w = load("a.db");
    CHECK_TEXT(said(&w), "N0511 a.db: table `flow` has a column that the rules do not use: `a`\n"
                         "E0510 a.db:flow:rowid 1: `0.1` is a REAL cell, a binary number [flow.usd] = store it as TEXT, as it was written\n");
    end(&w);
    sqlite3_close(db);
    unlink(path);
}

static void expect_fill(int line, const char *csv, const char *want)
{
    put("fill.csv", csv);
    put("flow.csv", good_flow);
    world w = load("");
    if (w.data) {
        failed++;
        printf("%s:%d: was accepted\n", __FILE__, line);
    }
    check_text(line, said(&w), want);
    end(&w);
}
#define EXPECT_FILL(csv, want) expect_fill(__LINE__, csv, want)
#define HEAD "address,time,side,px,builder,on\n"

static void test_wrong(void)
{
    EXPECT_FILL(HEAD "0xa,5,buy,abc,1,\n0xb,5,sold,1,yes,2024-02-30\n0xC,,buy,-1,1,\n0xa,x,buy,0.1234567890123456789,1,\n",
                "E0504 fill.csv:2:11: `abc` is not a number [fill[address=0xa, time=5].px]\n"
                "E0506 fill.csv:3:7: `sold` is not a word of this column [fill[address=0xb, time=5].side] = one of: `buy`, `sell`\n"
                "E0504 fill.csv:3:14: `yes` is not a boolean [fill[address=0xb, time=5].builder] = write 1, 0, true or false\n"
                "E0504 fill.csv:3:18: `2024-02-30` is not a day [fill[address=0xb, time=5].on] = write a real date as YYYY-MM-DD\n"
                "E0506 fill.csv:4:1: `0xC` is an address in capitals [fill[address=0xC, time=].address] = write hexadecimal addresses in lower case: they are compared as bytes\n"
                "E0507 fill.csv:4:5: key column `time` is blank [fill[address=0xC, time=].time]\n"
                "E0506 fill.csv:4:10: `-1` is not above 0 [fill[address=0xC, time=].px]\n"
                "E0504 fill.csv:5:5: `x` is not a time [fill[address=0xa, time=x].time] = write whole milliseconds since 1970-01-01 UTC, or YYYY-MM-DDTHH:MM:SS.mmmZ\n"
                "E0505 fill.csv:5:11: `0.1234567890123456789` has more than 18 decimals [fill[address=0xa, time=x].px] = round it where it comes from, and say so there\n");
    EXPECT_FILL(HEAD "0xa,5,buy,1,1,\n0xa,5,buy,2,1,\n0xa,5,buy,1.0,1,\n0xb,5,buy,1,1,\n0xb,5,sell,1,1,\n",
                "E0508 fill.csv:3: this key stands on line 2 already, with another `px`: `1` there, `2` here [fill[address=0xa, time=5]]\n"
                "E0508 fill.csv:6: this key stands on line 5 already, with another `side`: `buy` there, `sell` here [fill[address=0xb, time=5]]\n");
    EXPECT_FILL(HEAD "0xa,5,buy,1,1\n\n0xa,6,buy,1,000,1,\n",
                "E0509 fill.csv:2:1: 5 cells, but the header has 6\n"
                "E0509 fill.csv:3:1: an empty line\n"
                "E0509 fill.csv:4:1: 7 cells, but the header has 6 = a cell with a comma in it stands in quotes\n");
    EXPECT_FILL(HEAD "0xa,5,buy,1,1,\n\"0x\na\",6,\"bu\"y,1,1,\n",
                "E0509 fill.csv:4:10: text after the quote that ends a cell [fill[address=0x a, time=6]] = write a quote inside a quoted cell twice: \"\"\n");
    EXPECT_FILL(HEAD "0xa,5,b\"uy,1,1,\n", "E0509 fill.csv:2:8: a quote inside a cell that does not start with one [fill[address=0xa, time=5]] = put the whole cell in quotes and write the quote twice: \"\"\n");
    EXPECT_FILL(HEAD "0xa,5,\"buy,1,1,\n", "E0509 fill.csv:2:7: this quote is never closed [fill[address=0xa, time=5]] = write a quote inside a quoted cell twice: \"\"\n");
    EXPECT_FILL("address,time,side,price,builder,on\n", "E0503 fill.csv: table `fill` has no column `px`\n");
    EXPECT_FILL("address,time,side,px,px,builders,on\n",
                "E0509 fill.csv:1: column `px` stands in the header twice\n");
    EXPECT_FILL("address,time,side,px,builders,on\n",
                "E0503 fill.csv: table `fill` has no column `builder` = is `builders` meant to be it? give it the name `builder`\n");
    EXPECT_FILL("", "E0509 fill.csv: `fill.csv` is empty: it needs a header line with the names of its columns\n");
    EXPECT_FILL(HEAD "0xa,5,buy,25%,1,\n0xb,5,buy, 1,1,\n0xc,5,buy,\"1,000\",1,\n0xd,5,\"b\xff\",1,1,\n0xe,5,bu,1,1,\n",
                "E0504 fill.csv:2:11: `25%` is not a plain number [fill[address=0xa, time=5].px] = in data, write 0.25 for 25% and 10000 for 10_000\n"
                "E0504 fill.csv:3:11: ` 1` is not a number [fill[address=0xb, time=5].px] = remove the space around it\n"
                "E0504 fill.csv:4:11: `1,000` is not a number [fill[address=0xc, time=5].px] = write plain decimals: a point, and no separators of thousands\n"
                "E0504 fill.csv:5:7: this text is not UTF-8 [fill[address=0xd, time=5].side] = save the file as UTF-8\n"
                "E0506 fill.csv:6:7: `bu` is not a word of this column [fill[address=0xe, time=5].side] = one of: `buy`, `sell`; did you mean `buy`?\n");
    put("fill.jsonl", "");
    EXPECT_FILL(HEAD, "E0502 : table `fill` is there twice: `fill.csv` and `fill.jsonl`\n");
    drop("fill.csv");
    put("fill.jsonl", "{\"address\":\"a\",\"time\":01}\n[1]\n{\"address\":\"a\",\"time\":5,\"side\":{}}\n{\"address\":\"a\" \"time\":5}\n{\"address\":\"a\",\"address\":\"b\"}\n{\"px\":\"\\x\"}\n{\"time\":\"a\n");
    world w = load("");
    CHECK_TEXT(said(&w), "E0509 fill.jsonl:1:25: a number that starts with 0 [fill[address=a, time=]]\n"
                         "E0509 fill.jsonl:2:2: a line is one object: { \"column\": value, … } [fill[address=, time=]]\n"
                         "E0509 fill.jsonl:3:32: a cell is a plain value, not an object or a list [fill[address=a, time=5]]\n"
                         "E0509 fill.jsonl:4:16: `,` or `}` is missing [fill[address=a, time=]]\n"
                         "E0509 fill.jsonl:5:26: a column stands in the line twice [fill[address=a, time=]]\n"
                         "E0509 fill.jsonl:6:10: an unknown escape in a string [fill[address=, time=]]\n"
                         "E0509 fill.jsonl:7:11: a string without its closing quote [fill[address=, time=]]\n");
    end(&w);
    drop("fill.jsonl");
    drop("flow.csv");
    put("fills.csv", HEAD);
    w = load("");
    CHECK_TEXT(said(&w), "E0502 : there is no table `fill` = there is `fills`: did you mean that?\n"
                         "E0502 : there is no table `flow` = a table that was never read is not a table without rows; if there is nothing in it, give its header alone\n");
    end(&w);
    drop("fills.csv");
    w = load("nowhere");
    CHECK_TEXT(said(&w), "E0501 nowhere: `nowhere` cannot be read: No such file or directory = give a folder of NAME.csv or NAME.jsonl files, or a SQLite database\n");
    end(&w);
}

/* Many rows: several blocks, several threads, quotes and none; order of the rows does not matter. */
static void test_many(void)
{
    enum { ROWS = 120000 };
    char hex[3][KR_HEX] = { "" };
    for (int form = 0; form < 3; form++) {
        char path[512];
        snprintf(path, sizeof path, "%s/fill.csv", folder);
        FILE *f = fopen(path, "wb");
        if (!f)
            exit(2);
        fprintf(f, "address,time,side,px,builder,on\n");
        for (int i = 0; i < ROWS; i++) {
            int k = form == 1 ? ROWS - 1 - i : form == 2 ? (int)((int64_t)i * 7919 % ROWS) : i;
            const char *q = form == 2 && k % 7 == 0 ? "\"" : "";
            fprintf(f, "%s0x%04x%s,%d,%s,%d.5,%d,2024-01-%02d\n", q, k % 500, q, 1000 + k, k % 2 ? "buy" : "sell", k + 1, k % 3 == 0, 1 + k % 28);
        }
        fclose(f);
        put("flow.csv", good_flow);
        world w = load("");
        CHECK_TEXT(said(&w), "");
        CHECK(w.data && w.data->tables[0].row_count == ROWS);
        if (w.data) {
            memcpy(hex[form], kr_data_digest_new(w.arena, w.data, w.model)->hex, KR_HEX);
            kr_cell px = kr_column_get(&w.data->tables[0].columns[3], 1); /* address 0x0000, the second of its times: k = 500 */
            char text[KR_NUM_TEXT];
            kr_num_write(px, text);
            CHECK_TEXT(text, "501.5");
        }
        end(&w);
    }
    CHECK_TEXT(hex[0], hex[1]);
    CHECK_TEXT(hex[0], hex[2]);
    drop("fill.csv");
    drop("flow.csv");
}

/* Files with bytes changed, lost or doubled: read or refused with a message, never more. */
static void test_mutations(void)
{
    static const char *const texts[] = {
        "address,time,side,px,builder,on\n0xa,1708138038158,buy,1,1,2024-02-18\n\"0xb,\"\"x\"\"\",5,sell,3.5,0,\n0xc,6,buy,\"2\",true,2024-02-19\n",
        "{\"address\":\"a\\u00e9\\ud83d\\ude00\",\"time\":5,\"side\":\"buy\",\"px\":1.5e-3,\"builder\":true,\"on\":null}\n{\"address\":\"b\",\"time\":6,\"side\":"
        "\"sell\",\"px\":\"2\",\"builder\":0,\"on\":\"2024-02-18\",\"x\":[{\"y\":[]}]}\n",
    };
    static const char bytes[] = "\",\n\r{}[]:\\\xff\xed\xa0 0e.-u";
    uint64_t seed = 20240229, accepted = 0;
    put("flow.csv", good_flow);
    for (int i = 0; i < 600; i++) {
        char text[600];
        size_t len = strlen(texts[i % 2]);
        memcpy(text, texts[i % 2], len + 1);
        for (int k = 0; k <= i % 3; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            size_t at = (size_t)(seed >> 33) % len;
            char byte = bytes[(seed >> 20) % (sizeof bytes - 1)];
            if (seed >> 60 < 8) {
                text[at] = byte;
            } else if (seed >> 60 < 12) {
                memmove(text + at, text + at + 1, len - at);
                len--;
            } else {
                memmove(text + at + 1, text + at, len - at + 1);
                text[at] = byte;
                len++;
            }
        }
        put(i % 2 ? "fill.jsonl" : "fill.csv", text);
        world w = load("");
        accepted += w.data != NULL;
        if (!w.data == !kr_diags_count(w.diags, KR_SEVERITY_ERROR)) {
            printf("mutation %d: %s\n", i, text);
            failed++;
        }
        for (size_t d = 0; d < kr_diags_shown(w.diags); d++)
            kr_diag_render(w.arena, kr_diags_get(w.diags, d), false);
        end(&w);
        drop(i % 2 ? "fill.jsonl" : "fill.csv");
    }
    CHECK(accepted > 10 && accepted < 300);
    drop("flow.csv");
}

static void test_sha(void)
{
    char hex[KR_HEX];
    kr_sha_of("abc", 3, hex); /* FIPS 180-2, appendix B.1 */
    CHECK_TEXT(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void test_out(void)
{
    world w = start();
    char path[512];
    snprintf(path, sizeof path, "%s/out", folder);
    kr_out *out = kr_out_open(path, w.diags);
    kr_out_text(out, "half");
    kr_out_discard(out);
    CHECK(access(path, F_OK) != 0);
    out = kr_out_open(path, w.diags);
    kr_out_text(out, "whole\n");
    CHECK(kr_out_commit(out, w.diags));
    kr_file file;
    char problem[200];
    CHECK(kr_file_open(&file, path, problem, sizeof problem) && file.size == 6 && !memcmp(file.data, "whole\n", 6));
    kr_file_done(&file);
    unlink(path);
    snprintf(path, sizeof path, "%s/no/such/out", folder);
    CHECK(!kr_out_open(path, w.diags));
    CHECK(kr_diags_status(w.diags) == 4);
    end(&w);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/krules-test-store-XXXXXX");
    if (!mkdtemp(folder))
        return 2;
    test_sha();
    test_out();
    test_forms();
    test_wrong();
    test_many();
    test_mutations();
    rmdir(folder);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
