/* test_ledger.c: lines of a ledger there and back, every changed byte found, signed lines that break a rule, what a model's digest sees. */
#include <stdlib.h>
#include <unistd.h>

#include "stdlib/stdlib.h"
#include "tests/unit/unit.h"
#include "vm/host/host.h"
#include "vm/lang/canon.h"
#include "vm/store/file.h"
#include "vm/store/publish.h"
#include "vm/text/time.h"

static char folder[] = "/tmp/krules-test-ledger-XXXXXX", path[100];

typedef struct world {
    kr_arena *arena;
    kr_diags *diags;
} world;

static world start(void)
{
    kr_arena *arena = kr_arena_new();
    return (world){ arena, kr_diags_new(arena) };
}

static void put_file(const char *to, const char *bytes, size_t len)
{
    FILE *file = fopen(to, "w");
    if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
        exit(2);
}

/* Keys of the tests: 32 equal bytes, so that they keep nothing secret. */
static kr_signing_key *key_of(world *w, char letter)
{
    char pem[200], name[120];
    unsigned char der[48] = { 0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20 };
    memset(der + 16, letter, 32);
    snprintf(pem, sizeof pem, "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n", kr_base64(w->arena, der, sizeof der));
    snprintf(name, sizeof name, "%s/key", folder);
    put_file(name, pem, strlen(pem));
    kr_signing_key *key = kr_signing_key_read(name, w->diags);
    unlink(name);
    CHECK(key != NULL);
    return key;
}

static int64_t at(int day) { return day * KR_DAY_MS + 36000000; }

static kr_entry *publication(world *w, int version, int64_t effective, int64_t clock)
{
    kr_entry *e = KR_NEW(w->arena, kr_entry);
    e->kind = version == 1 ? KR_ENTRY_GENESIS : KR_ENTRY_PUBLISH;
    e->version = version;
    e->file_sha256 = e->model_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    e->language = 1;
    e->effective_from = effective;
    e->notice_days = 7;
    e->emergency_days = -1;
    e->clock_ms = clock;
    e->why = "quote \" backslash \\ line\nend\ttab \x01 Φ 日";
    return e;
}

static kr_ledger *begin(world *w, const kr_signing_key *key)
{
    kr_ledger *l = kr_ledger_read(w->arena, folder, "shop/points", w->diags);
    kr_entry *e = publication(w, 1, 100, at(120));
    char *hex = kr_arena_alloc(w->arena, 65);
    kr_signing_key_public(key, hex);
    e->keys.ordinary.list = KR_NEW_ARRAY(w->arena, kr_signer, 1);
    e->keys.ordinary.list[0] = (kr_signer){ "ann", hex };
    e->keys.ordinary.count = e->keys.ordinary.threshold = 1;
    CHECK(l && kr_ledger_add(l, e, key, w->diags));
    return l;
}

static char *slurp(world *w, size_t *len)
{
    kr_file file;
    char problem[200];
    if (!kr_file_open(&file, path, problem, sizeof problem))
        exit(2);
    char *copy = kr_arena_copy(w->arena, file.data, file.size);
    *len = file.size;
    kr_file_done(&file);
    return copy;
}

static bool reads(kr_code *code)
{
    world w = start();
    kr_ledger *l = kr_ledger_read(w.arena, folder, "shop/points", w.diags);
    *code = kr_diags_shown(w.diags) ? kr_diags_get(w.diags, 0)->code : KR_CODE_NONE;
    unit_check(l || (kr_diags_count(w.diags, KR_SEVERITY_ERROR) == 1 && kr_diags_status(w.diags) == 5), __FILE__, __LINE__, "%zu errors, status %d", kr_diags_count(w.diags, KR_SEVERITY_ERROR), kr_diags_status(w.diags));
    kr_arena_free(w.arena);
    return l != NULL;
}

static void test_bytes(void)
{
    world w = start();
    kr_code code;
    kr_signing_key *key = key_of(&w, 'a');
    kr_ledger *l = begin(&w, key);
    CHECK(kr_ledger_add(l, publication(&w, 2, 140, at(130)), key, w.diags));
    CHECK(kr_ledger_write(l, w.diags) && reads(&code));
    size_t len, changed = 0, cut = 0;
    char *text = slurp(&w, &len);
    for (size_t i = 0; i < len; i += 3) { /* a byte is another: no byte of a ledger is free */
        text[i] ^= 1;
        put_file(path, text, len);
        changed += !reads(&code);
        text[i] ^= 1;
    }
    CHECK(changed == (len + 2) / 3);
    size_t first = (size_t)(strchr(text, '\n') - text) + 1, cuts = 0;
    for (size_t i = 0; i < len; i += 7) { /* cut short, but for between two lines */
        put_file(path, text, i);
        cuts++;
        cut += !reads(&code) || i == first;
    }
    CHECK(cut == cuts);
    put_file(path, text, first); /* a ledger that ends earlier holds by itself; a receipt's head tells */
    CHECK(reads(&code));
    unlink(path);
    kr_signing_key_free(key);
    kr_arena_free(w.arena);
}

/* What a signer could write by hand: each line is well signed and chained, and still no entry. */
static void test_forged(void)
{
    struct { const char *what; int version, effective, clock; int notice; bool emergency; kr_code code; } cases[] = {
        { "good", 2, 140, 130, 10, false, KR_CODE_NONE },
        { "number", 3, 140, 130, 10, false, KR_E_GOV_NUMBER },
        { "notice", 2, 136, 130, 6, false, KR_E_GOV_NOTICE },
        { "notice counted otherwise", 2, 140, 130, 11, false, KR_E_GOV_LEDGER },
        { "order", 2, 100, 130, -30, false, KR_E_GOV_ORDER },
        { "past", 2, 130, 130, 0, false, KR_E_GOV_PAST },
        { "emergency", 2, 140, 130, 10, true, KR_E_GOV_EMERGENCY },
        { "time", 2, 140, 110, 30, false, KR_E_GOV_LEDGER },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int other = 0; other < 2; other++) {
            world w = start();
            kr_code code;
            kr_signing_key *key = key_of(&w, 'a'), *signer = other ? key_of(&w, 'b') : key;
            kr_ledger *l = begin(&w, key);
            kr_entry *e = publication(&w, cases[i].version, cases[i].effective, at(cases[i].clock));
            char hex[65];
            kr_signing_key_public(signer, hex);
            e->seq = 2;
            e->prev = l->head;
            e->book = "shop/points";
            e->token = "";
            e->signer = hex;
            e->notice = cases[i].notice;
            e->emergency = cases[i].emergency;
            const char *bytes = kr_arena_printf(w.arena, "krules ledger 1\n%s", kr_entry_text(w.arena, e, false));
            e->signature = kr_sign(w.arena, signer, bytes, strlen(bytes));
            const char *text = kr_arena_printf(w.arena, "%s\n%s\n", kr_entry_text(w.arena, l->entries[0], true), kr_entry_text(w.arena, e, true));
            put_file(path, text, strlen(text));
            bool ok = reads(&code);
            kr_code wanted = cases[i].code == KR_CODE_NONE && other ? KR_E_GOV_SIGNER : cases[i].code;
            unit_check(other && wanted != KR_E_GOV_SIGNER ? !ok : ok == (wanted == KR_CODE_NONE) && code == wanted, __FILE__, __LINE__, "%s, signer %d: %s", cases[i].what, other, kr_code_name(code));
            unlink(path);
            if (other)
                kr_signing_key_free(signer);
            kr_signing_key_free(key);
            kr_arena_free(w.arena);
        }
}

static void test_text(void)
{
    world w = start();
    size_t len;
    const char *problem;
    kr_entry *e = publication(&w, 1, -719162, 0); /* 0001-01-01 */
    e->prev = e->signer = e->signature = e->token = "";
    e->book = "a/b";
    const char *line = kr_entry_text(w.arena, e, true);
    kr_entry *again = kr_entry_parse(w.arena, line, strlen(line), &problem);
    CHECK(again && again->effective_from == -719162 && !strcmp(again->why, e->why));
    CHECK(!kr_entry_parse(w.arena, "{}", 2, &problem));
    CHECK(!kr_entry_parse(w.arena, "{\"kind\":\"cosign\"}", 17, &problem));
    const unsigned char bytes[] = { 0, 255, 16, 131 };
    for (size_t n = 0; n <= sizeof bytes; n++) {
        const char *text = kr_base64(w.arena, bytes, n);
        const unsigned char *back = kr_base64_read(w.arena, text, &len);
        CHECK(back && len == n && !memcmp(back, bytes, n));
    }
    CHECK(!kr_base64_read(w.arena, "AB==", &len) && !kr_base64_read(w.arena, "AAA", &len) && !kr_base64_read(w.arena, "AA A", &len)); /* one form only */
    kr_arena_free(w.arena);
}

/* ------------------------------------------------------------------ digests of models */

static const char rules[] = "rulebook { id = \"t\", version = 1, language = 1, days = { from = \"MIN(sale.day)\" } }\n"
                            "param.rate = \"25%\"\n"
                            "define.twice = { \"x\", \"2 * x\" }\n"
                            "fn.least = function(a, b) local low = a if b < a then low = b end return low end\n"
                            "local sale = sheet(\"sale\", { \"customer\", \"day\" })\n"
                            "sale.customer = text\n"
                            "sale.day = day\n"
                            "sale.amount = number { min = 0 }\n"
                            "local account = sheet(\"account\", { \"customer\", \"day\" }, { rows = cross(\"sale.customer\", \"day\") })\n"
                            "account.spent = \"SUM(sale.amount)\"\n"
                            "account.points = \"PREV(points, 0) + twice(rate) * least(spent, 9)\"\n"
                            "output { account }\n";

static const char *digest_with(kr_arena *arena, const char *old, const char *new)
{
    kr_diags *diags = kr_diags_new(arena);
    kr_pool *pool = kr_pool_new();
    const char *place = old ? strstr(rules, old) : rules;
    KR_ASSERT(place);
    const char *text = old ? kr_arena_printf(arena, "%.*s%s%s", (int)(place - rules), rules, new, place + strlen(old)) : rules;
    kr_model *m = kr_load_text(arena, pool, kr_stdlib, "rules", text, strlen(text), diags);
    char hex[KR_HEX] = "";
    bool ok = m && kr_check(m, diags);
    unit_check(ok, __FILE__, __LINE__, "%s: %s", new ? new : "", ok ? "" : kr_diags_get(diags, 0)->message);
    if (ok)
        kr_model_digest(m, hex);
    kr_pool_free(pool);
    return kr_arena_printf(arena, "%s", hex);
}

static void test_digest(void)
{
    static const char *const same[][2] = {
        { "param.rate = \"25%\"", "--- Points for money spent.\nparam.rate = 0.25" },
        { "low = a if b < a then low = b end return low", "cheap = a\n if b < a then cheap = b -- the other\n end return cheap" },
        { "fn.least = function(a, b)", "fn.least = function(x, b) local a = x" }, /* see below: this one is another program */
        { "\"SUM(sale.amount)\"", "\"=sum( sale.amount  by customer, day )\"" },
        { "\"2 * x\"", "\"(2 * x)\"" },
        { "version = 1", "version = 7, title = \"T\", effective_from = \"2024-01-01\", notice_days = 3" },
        { "sale.customer = text\nsale.day = day\n", "sale.day = day\nsale.customer = text\n" },
        { "local account", "local other = 1\nlocal account" },
    };
    static const char *const other[][2] = {
        { "\"25%\"", "\"26%\"" },
        { "\"25%\"", "{ \"25%\", max = 1 }" },
        { "2 * x", "3 * x" },
        { "b < a", "b <= a" },
        { "SUM(sale.amount)", "MAX(sale.amount)" },
        { "SUM(sale.amount)", "SUM(sale.amount BY day)" },
        { "min = 0", "above = 0" },
        { "{ account }", "{ account = { \"points\" } }" },
        { "{ \"customer\", \"day\" })", "{ \"day\", \"customer\" })" },
        { "PREV(points, 0)", "PREV(points, 1)" },
        { "MIN(sale.day)", "MAX(sale.day)" },
        { "output", "check(account, \"few\", \"points < 9\")\noutput" },
    };
    kr_arena *arena = kr_arena_new();
    const char *plain = digest_with(arena, NULL, NULL);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        bool equal = !strcmp(digest_with(arena, same[i][0], same[i][1]), plain);
        unit_check(equal == (i != 2), __FILE__, __LINE__, "%s", same[i][1]);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        unit_check(strcmp(digest_with(arena, other[i][0], other[i][1]), plain) != 0, __FILE__, __LINE__, "%s makes no difference", other[i][1]);
    kr_arena_free(arena);
}

/* What only a signer could write: an entry about a file that says something else. */
static void test_fits(void)
{
    world w = start();
    kr_pool *pool = kr_pool_new();
    kr_ledger *l = kr_ledger_read(w.arena, folder, "t", w.diags);
    kr_version v = { .number = 1, .model = kr_load_text(w.arena, pool, kr_stdlib, "rules", rules, strlen(rules), w.diags) };
    bool ok = l && v.model && kr_check(v.model, w.diags);
    for (int i = 0; CHECK(ok) && i < 6; i++) {
        kr_entry e = { .seq = 1 };
        kr_entry_describe(w.arena, &e, &v);
        switch (i) {
        case 1: e.model_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; break;
        case 2: e.version++; break;
        case 3: e.effective_from++; break;
        case 4: e.notice_days++; break;
        case 5: e.emergency_days++; break;
        default: break;
        }
        CHECK(kr_entry_fits(l, &e, &v, w.diags) == (i == 0));
    }
    /* the last two are one message */
    CHECK(kr_diags_count(w.diags, KR_SEVERITY_ERROR) == 4 && kr_diags_get(w.diags, 0)->code == KR_E_GOV_MODEL && kr_diags_status(w.diags) == 5);
    kr_pool_free(pool);
    kr_arena_free(w.arena);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    snprintf(path, sizeof path, "%s/ledger.jsonl", folder);
    test_text();
    test_bytes();
    test_forged();
    test_digest();
    test_fits();
    rmdir(folder);
    return unit_done();
}
