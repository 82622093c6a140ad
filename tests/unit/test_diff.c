/* test_diff.c: word diffs, factors, Shapley values against all orders, what counts as a change, groups and their composition. */
#include <stdlib.h>
#include <unistd.h>

#include "stdlib/stdlib.h"
#include "tests/unit/unit.h"
#include "vm/krules.h"
#include "vm/num/num_sum.h"
#include "vm/store/diff_internal.h"

/* ------------------------------------------------------------------ words */

static void words(const char *a, const char *b, int context, const char *wanted)
{
    kr_arena *arena = kr_arena_new();
    kr_word_diff diff = kr_fdiff_words(arena, a, b);
    CHECK_TEXT(kr_fdiff_text(arena, &diff, context), wanted);
    kr_arena_free(arena);
}

static void test_words(void)
{
    words("a + b * c", "a + d * c", -1, "a + [-b-]{+d+} * c");
    words("a + b", "a + b", -1, "a + b");
    words("SUM(x BY day)", "SUM(x BY miner, day)", -1, "SUM(x BY {+miner,+} day)");
    words("a", "b", -1, "[-a-]{+b+}");
    words("a+b", "a  +  b", -1, "a + b");
    words("IF(a >= 1, 'old text', 2)", "IF(a > 1, 'new text', 2)", -1, "IF(a [->=-]{+>+} 1, [-'old text'-]{+'new text'+}, 2)");
    words("one two three four five six seven", "one two three 4 five six seven", 1, "… three [-four-]{+4+} five …");
    words("", "a b", -1, "{+a b+}");
    words("a b", "", -1, "[-a b-]");
}

/* Either side can be had back from the parts, whatever the two texts. */
static void test_words_random(void)
{
    static const char *const tokens[] = { "a", "b", "+", "(", ")", "1", "'t'", "SUM" };
    uint64_t state = 77;
    for (int round = 0; round < 300; round++) {
        kr_arena *arena = kr_arena_new();
        kr_buf side[2] = { { .arena = arena }, { .arena = arena } }, back[2] = { { .arena = arena }, { .arena = arena } };
        for (int s = 0; s < 2; s++) {
            kr_buf_put(&side[s], "");
            kr_buf_put(&back[s], "");
            for (uint64_t n = unit_random(&state) % 14; n > 0; n--)
                kr_buf_printf(&side[s], " %s", tokens[unit_random(&state) % 8]);
        }
        kr_word_diff diff = kr_fdiff_words(arena, side[0].text, side[1].text);
        for (size_t i = 0; i < diff.count; i++) {
            if (diff.parts[i].kind != '+')
                kr_buf_put(&back[0], diff.parts[i].text);
            if (diff.parts[i].kind != '-')
                kr_buf_put(&back[1], diff.parts[i].text);
        }
        CHECK_TEXT(back[0].text, side[0].text);
        CHECK_TEXT(back[1].text, side[1].text);
        kr_arena_free(arena);
    }
}

/* ------------------------------------------------------------------ factors and shares */

static kr_num num(const char *text)
{
    kr_num n = KR_BLANK;
    CHECK(kr_num_read(text, strlen(text), &n, NULL) == KR_READ_OK);
    return n;
}

static void test_factors(void)
{
    CHECK(kr_factor_of(num("0.8"), num("8")) == 10);
    CHECK(kr_factor_of(num("80%"), num("0.8%")) == 100);
    CHECK(kr_factor_of(num("1"), num("1100")) == 1000);
    CHECK(kr_factor_of(num("-2"), num("20")) == 10);
    CHECK(kr_factor_of(num("1"), num("5")) == 0);
    CHECK(kr_factor_of(num("1"), num("30")) == 0);
    CHECK(kr_factor_of(num("0"), num("10")) == 0);
    CHECK(kr_factor_of(num("1"), num("1")) == 0);
}

/* Mean over all orders, in exact integers: the definition itself. Values are small, so that n! times them fits. */
static void shares_by_orders(const int64_t *values, int n, int64_t *sums, int64_t *orders)
{
    int order[6];
    *orders = 0;
    for (int i = 0; i < n; i++) {
        order[i] = i;
        sums[i] = 0;
    }
    for (;;) {
        unsigned set = 0;
        for (int i = 0; i < n; i++) {
            sums[order[i]] += values[set | 1u << order[i]] - values[set];
            set |= 1u << order[i];
        }
        ++*orders;
        int i = n - 2, j = n - 1, t;
        while (i >= 0 && order[i] > order[i + 1])
            i--;
        if (i < 0)
            return;
        while (order[j] < order[i])
            j--;
        t = order[i], order[i] = order[j], order[j] = t;
        for (int a = i + 1, b = n - 1; a < b; a++, b--)
            t = order[a], order[a] = order[b], order[b] = t;
    }
}

static void test_shapley(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 200; round++) {
        int n = 1 + (int)(unit_random(&state) % 6);
        int64_t raw[64], sums[6], orders;
        kr_num values[64], shares[10], sum = KR_NUM_ZERO;
        for (int s = 0; s < 1 << n; s++) {
            raw[s] = (int64_t)(unit_random(&state) % 2000) - 1000;
            values[s] = kr_cell_of_int(raw[s]); /* counts of 10^-18 */
        }
        shares_by_orders(raw, n, sums, &orders);
        CHECK(kr_shapley(values, n, shares));
        for (int i = 0; i < n; i++) {
            int64_t low = sums[i] / orders - (sums[i] % orders < 0), got = (int64_t)shares[i].lo;
            CHECK(got == low || (got == low + 1 && sums[i] != low * orders)); /* the exact value, or the count above it */
            sum = kr_num_add(sum, shares[i]);
        }
        CHECK(kr_raw_eq(sum, kr_num_sub(values[(1 << n) - 1], values[0])));
    }
    kr_num values[1024], shares[10], sum = KR_NUM_ZERO; /* ten causes, numbers near the end of the range */
    for (int s = 0; s < 1024; s++)
        values[s] = kr_num_mul(num("80000000000000000000.123456789012345678"), kr_num_of_int((int64_t)(unit_random(&state) % 3) - 1));
    values[0] = KR_NUM_ZERO;
    CHECK(kr_shapley(values, 10, shares));
    for (int i = 0; i < 10; i++)
        sum = kr_num_add(sum, shares[i]);
    CHECK(kr_raw_eq(sum, values[1023]));
    kr_num three[4] = { num("0"), num("0"), num("0"), num("0.000000000000000001") }; /* half a count each: the first gets it */
    CHECK(kr_shapley(three, 2, shares) && shares[0].lo == 1 && shares[1].lo == 0);
    three[1] = KR_E_NUM;
    CHECK(!kr_shapley(three, 2, shares));
}

/* ------------------------------------------------------------------ whole rules */

static const char old_rule[] =
    "rulebook { id = 'test/shop', version = 1, language = 1, effective_from = '2024-01-01', notice_days = 3, days = { from = 'MIN(sale.day)' } }\n"
    "--- Points for each euro. [point/EUR]\n"
    "param.rate = { 2, min = 0, max = 100 }\n"
    "--- [1]\n"
    "param.bonus = '10%'\n"
    "define.raised = { 'x', 'x * (1 + bonus)' }\n"
    "fn.half = function(x) return x * 0.5 end\n"
    "local sale = sheet('sale', { 'customer', 'day' })\n"
    "sale.customer = text; sale.day = day\n"
    "--- [EUR]\n"
    "sale.amount = number\n"
    "local account = sheet('account', { 'customer', 'day' }, { rows = cross('sale.customer', 'day') })\n"
    "--- [EUR]\n"
    "account.spent = 'SUM(sale.amount)'\n"
    "--- [point]\n"
    "account.points = 'raised(rate * spent)'\n"
    "--- [EUR]\n"
    "account.week = 'SUM(DAYS(spent, 2))'\n"
    "account.large = 'half(spent) > 3'\n"
    "account.share = 'PRORATE(1, points BY day)'\n"
    "output { account = { 'spent', 'points', 'week', 'large', 'share' } }\n";

static char folder[] = "/tmp/krules-test-diff-XXXXXX";

static const char *file_of(char *path, const char *name, const char *text)
{
    sprintf(path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(2);
    return path;
}

/* old_rule with texts replaced: pairs of old and new, ended by NULL. */
static char *edited(const char *const *edits)
{
    char *text = strdup(old_rule);
    for (; *edits; edits += 2) {
        char *at = strstr(text, edits[0]);
        if (!CHECK(at != NULL))
            break;
        size_t before = (size_t)(at - text), size = strlen(text) + strlen(edits[1]) + 1;
        char *next = malloc(size);
        snprintf(next, size, "%.*s%s%s", (int)before, text, edits[1], at + strlen(edits[0]));
        free(text);
        text = next;
    }
    return text;
}

#define EDITS(...) (const char *const[]){ __VA_ARGS__, NULL }

typedef struct outcome { char summary[400], json[40000], messages[2000]; size_t count; } outcome;

static outcome compare(const char *const *edits, const char *data)
{
    static char a[200], b[200];
    outcome out = { .count = 999 };
    char *text = edited(edits);
    krules *k = krules_new();
    krules_diff_options o = { .data = data, .threads = 2 };
    krules_diff *d = krules_compare(k, file_of(a, "a.lua", old_rule), file_of(b, "b.lua", text), &o);
    if (d) {
        out.count = krules_diff_count(d);
        const char *report = krules_diff_report(d, "text", true, -1);
        snprintf(out.summary, sizeof out.summary, "%.*s", (int)strcspn(report, "\n"), report);
        snprintf(out.json, sizeof out.json, "%s", krules_diff_report(d, "json", true, -1));
        CHECK(strstr(krules_diff_report(d, "html", true, -1), "</html>") != NULL);
        CHECK(strstr(krules_diff_report(d, "md", false, 4), "```json") != NULL);
    }
    for (size_t i = 0; i < krules_message_count(k); i++)
        snprintf(out.messages + strlen(out.messages), sizeof out.messages - strlen(out.messages), "%s", krules_message_text(k, i, false));
    krules_free(k);
    free(text);
    return out;
}

static void test_no_change(void)
{
    CHECK(compare(EDITS("--- Points for each euro. [point/EUR]", "-- A remark.\n--- So many points. [point/EUR]"), NULL).count == 0);
    CHECK(compare(EDITS("local account = sheet", "local konto = sheet", "account.spent = ", "konto.spent=", "account.points", "konto.points", "account.week", "konto.week", "account.large",
                        "konto.large", "account.share", "konto.share", "output { account", "output { account"), NULL).count == 0);
    CHECK(compare(EDITS("param.bonus = '10%'", "param.bonus = 0.1"), NULL).count == 0);
    CHECK(compare(EDITS("'SUM(sale.amount)'", "'sum( sale.amount BY customer,day )'"), NULL).count == 0);
    CHECK(compare(EDITS("'raised(rate * spent)'", "'rate * spent * (1 + bonus)'"), NULL).count == 0);
    CHECK(compare(EDITS("account.large = 'half(spent) > 3'\n", "", "account.share =", "account.large = 'half(spent) > 3'\naccount.share ="), NULL).count == 0);
}

static void test_changes(void)
{
    outcome o = compare(EDITS("{ 2, min", "{ 20, min"), NULL);
    CHECK(o.count == 1 && strstr(o.messages, "W0740") && strstr(o.summary, "1 parameter; 2 of 5 outputs reached"));
    o = compare(EDITS("{ 2, min", "{ 200, min"), NULL);
    CHECK(o.count == 999 && strstr(o.messages, "b.lua:3")); /* outside its range: refused with its place */
    o = compare(EDITS("account.week = 'SUM(DAYS(spent, 2))'", "account.total = 'SUM(DAYS(spent, 2))'", "'week'", "'total'"), NULL);
    CHECK(o.count == 1 && strstr(o.json, "\"how\": \"renamed\"") && strstr(o.json, "\"old_name\": \"account.week\"") && strstr(o.summary, "only renamed"));
    o = compare(EDITS("param.rate", "param.per_euro", "rate * spent", "per_euro * spent"), NULL);
    CHECK(o.count == 1 && strstr(o.json, "\"old_name\": \"rate\""));
    o = compare(EDITS("x * (1 + bonus)", "x * (1 + bonus / 2)"), NULL); /* a define: points only follows */
    CHECK(o.count == 1 && strstr(o.json, "\"kind\": \"define\"") && strstr(o.json, "\"follows\", \"name\": \"account.points\"") && strstr(o.summary, "1 more follow"));
    o = compare(EDITS("x * 0.5", "x * 0.25"), NULL);
    CHECK(o.count == 1 && strstr(o.json, "\"name\": \"fn.half\"") && strstr(o.json, "\"reaches\": [\"account.large\"]"));
    o = compare(EDITS("DAYS(spent, 2)", "DAYS(spent, 3)"), NULL);
    CHECK(o.count == 1 && strstr(o.json, "\"reaches\": [\"account.week\"]"));
    o = compare(EDITS("BY day)'", "BY day, customer)'"), NULL);
    CHECK(strstr(o.json, "PRORATE over `account`: BY day → BY day, customer") != NULL);
    o = compare(EDITS("'SUM(sale.amount)'", "'SUM(sale.amount) + 1 - 1'"), NULL); /* spent is read back by week */
    CHECK(strstr(o.json, "all new from 2024-01-02") != NULL);
    o = compare(EDITS("'SUM(sale.amount)'", "'SUM(sale.amount) + 1 - 1'", "SUM(DAYS(spent, 2))", "PREV(spent, 0, 2)"), NULL); /* the row two days back is new on the third day */
    CHECK(strstr(o.json, "all new from 2024-01-03 (3 rows") != NULL);
    o = compare(EDITS("'SUM(sale.amount)'", "'SUM(sale.amount) + 1 - 1'", "SUM(DAYS(spent, 2))", "SUM(LAST(spent, 2))"), NULL);
    CHECK(strstr(o.json, "all new from 2024-01-02 (2 rows") != NULL);
    o = compare(EDITS("'spent', 'points'", "'points'"), NULL);
    CHECK(o.count == 1 && strstr(o.json, "\"kind\": \"output\", \"how\": \"removed\", \"name\": \"account.spent\""));
    o = compare(EDITS("effective_from = '2024-01-01'", "effective_from = '2025-01-01'"), NULL);
    CHECK(o.count == 1 && strstr(o.summary, "only the effective day changes"));
}

/* Shares of every total and account add up to its difference: read back from the JSON with our own numbers. */
static void check_shares(const char *json)
{
    size_t found = 0;
    for (const char *at = json; (at = strstr(at, "\"change\": \"")); found++) {
        at += strlen("\"change\": \"");
        kr_num change = KR_BLANK, share, sum = KR_NUM_ZERO;
        CHECK(kr_num_read(at, strcspn(at, "\""), &change, NULL) == KR_READ_OK);
        const char *list = strstr(at, "\"shares\": [");
        if (!list || list > strchr(at, '}')) { /* nothing to share out */
            CHECK(kr_raw_eq(change, KR_NUM_ZERO));
            continue;
        }
        for (const char *p = list + strlen("\"shares\": ["); *p == '"'; p += p[0] == ',' ? 2 : 0) {
            size_t len = strcspn(++p, "\"");
            CHECK(kr_num_read(p, len, &share, NULL) == KR_READ_OK);
            sum = kr_num_add(sum, share);
            p += len + 1;
        }
        CHECK(kr_raw_eq(sum, change));
    }
    CHECK(found > 0);
}

static void test_data(void)
{
    char path[200];
    file_of(path, "sale.csv", "customer,day,amount\nann,2024-01-01,10.5\nann,2024-01-02,0.25\nbob,2024-01-01,4\nbob,2024-01-03,20\ncyd,2024-01-02,1.1\ncyd,2024-01-03,7\n");
    outcome o = compare(EDITS("{ 2, min", "{ 3, min", "'10%'", "'15%'", "half(spent) > 3", "half(spent) > 5", "'SUM(sale.amount)'", "'SUM(sale.amount WHERE sale.amount > 1.1)'"), folder);
    CHECK(strstr(o.json, "Shapley value over 4 changes, from 16 runs") != NULL);
    check_shares(o.json);
    CHECK(strstr(o.json, "\"no_longer_true\": 1") != NULL);
    /* a new parameter and the formula that reads it are one; a removed one and the formula that no longer does, too */
    o = compare(EDITS("--- [1]\nparam.bonus", "--- [EUR]\nparam.least = 1\n--- [1]\nparam.bonus", "'SUM(sale.amount)'", "'SUM(sale.amount WHERE sale.amount > least)'", "{ 2, min", "{ 3, min"), folder);
    CHECK(strstr(o.json, "\"groups\": [\"rate\", \"least + account.spent\"]") != NULL);
    check_shares(o.json);
    o = compare(EDITS("--- [1]\nparam.bonus = '10%'\n", "", "x * (1 + bonus)", "x * 2", "{ 2, min", "{ 3, min"), folder);
    CHECK(strstr(o.json, "\"groups\": [\"rate\", \"bonus + raised\"]") != NULL);
    /* renames do not stand in the way of composing; a renamed column is compared with its old self */
    o = compare(EDITS("account.spent = 'SUM(sale.amount)'", "account.paid = 'SUM(sale.amount)'", "rate * spent", "rate * paid * 2", "DAYS(spent, 2)", "DAYS(paid, 3)", "half(spent)", "half(paid)",
                      "'spent'", "'paid'"), folder);
    CHECK(strstr(o.json, "Shapley value over 2 changes") && strstr(o.json, "\"column\": \"account.paid\", \"type\": \"number\", \"unit\": \"EUR\", \"cells\": 9, \"changed\": 0"));
    check_shares(o.json);
    /* a change that cannot show in these data */
    o = compare(EDITS("half(spent) > 3", "half(spent) > 3.1"), folder);
    CHECK(strstr(o.messages, "W0741") != NULL);
}

/* All changes composed onto the old file mean what the new file means. */
static void test_compose(void)
{
    char *text = edited(EDITS("{ 2, min", "{ 3, min", "x * (1 + bonus)", "x * (1 + bonus / 2)", "x * 0.5", "x * 0.25", "account.week = 'SUM(DAYS(spent, 2))'",
                              "account.best = 'MAX(DAYS(spent, 3))'\naccount.week = 'best + SUM(DAYS(spent, 2))'", "rows = cross('sale.customer', 'day')", "rows = cross('sale.customer', 'day'), where = \"customer <> 'bob'\""));
    kr_arena *arena = kr_arena_new();
    kr_pool *pool = kr_pool_new();
    kr_diags *diags = kr_diags_new(arena);
    kr_side a = { .path = "a.lua", .text = old_rule, .len = strlen(old_rule) }, b = { .path = "b.lua", .text = text, .len = strlen(text) }, c = a;
    kr_diff *d = kr_diff_new(arena, pool, kr_stdlib, &a, &b, diags);
    int groups = d ? kr_diff_group(d) : 0;
    CHECK(groups == 5);
    bool in_force[8] = { true, true, true, true, true };
    kr_model *m = kr_diff_compose(d, arena, in_force, diags);
    CHECK(m != NULL);
    for (int s = 0; m && s < m->sheet_count; s++)
        for (int i = 0; i < m->sheets[s]->column_count; i++) {
            const kr_column_def *mine = m->sheets[s]->columns[i], *there = kr_sheet_column(kr_model_sheet(d->new.model, m->sheets[s]->name), mine->name);
            CHECK(there && (!mine->formula.expr || !strcmp(kr_expr_print(arena, m, mine->formula.expr), kr_expr_print(arena, d->new.model, there->formula.expr))));
        }
    (void)c;
    kr_arena_free(arena);
    kr_pool_free(pool);
    free(text);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    test_words();
    test_words_random();
    test_factors();
    test_shapley();
    test_no_change();
    test_changes();
    test_data();
    test_compose();
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command))
        return 2;
    return unit_done();
}
