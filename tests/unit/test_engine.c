/* The engine on small rule files: it agrees with the row-at-a-time interpreter in every cell, whatever the threads and the chunk;
 * cycles through time are stepped or refused with their path; recorded cells stand in for those of earlier versions. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stdlib/stdlib.h"
#include "tests/ref/ref.h"
#include "vm/engine/run.h"
#include "vm/host/host.h"
#include "vm/store/load.h"
#include "vm/text/time.h"

typedef struct book {
    kr_arena *arena;
    kr_pool *pool;
    kr_diags *diags;
    kr_model *model;
    kr_plan *plan;
    kr_dataset *data;
} book;

static char folder[64];

static void write_table(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static const char *first_message(book *b)
{
    return kr_diags_shown(b->diags) ? kr_diag_render(b->arena, kr_diags_get(b->diags, 0), false) : "(no message)";
}

/* NULL pool: one of its own. A book that does not plan keeps its messages. */
static book open_book(const char *rules, kr_pool *pool)
{
    book b = { .arena = kr_arena_new(), .pool = pool ? pool : kr_pool_new() };
    b.diags = kr_diags_new(b.arena);
    b.model = kr_load_text(b.arena, b.pool, kr_stdlib, "test.lua", rules, strlen(rules), b.diags);
    if (b.model && kr_check(b.model, b.diags))
        b.plan = kr_plan_new(b.model, b.diags);
    if (b.plan)
        b.data = kr_load_data(folder, b.model, b.pool, b.diags);
    return b;
}

static void close_book(book *b, bool pool)
{
    kr_dataset_free(b->data);
    if (pool)
        kr_pool_free(b->pool);
    kr_arena_free(b->arena);
}

/* ---- agreement */

static bool agrees(book *b, kr_ref *ref, int threads, size_t chunk, const char *name)
{
    kr_run_options options = { .threads = threads, .chunk = chunk, .all_columns = true };
    kr_run *run = kr_run_new(b->plan, b->data, &options, b->diags);
    bool good = unit_check(run != NULL, __FILE__, __LINE__, "%s: %s", name, first_message(b));
    for (int s = 0; run && s < b->model->sheet_count; s++) {
        const kr_sheet *sheet = b->model->sheets[s];
        size_t rows = kr_ref_rows(ref, sheet);
        good = unit_check(kr_run_row_count(run, sheet) == rows, __FILE__, __LINE__, "%s: %s has %zu rows, not %zu", name, sheet->name,
                          kr_run_row_count(run, sheet), rows) && good;
        for (int c = 0; c < sheet->column_count && good; c++) {
            const kr_column_def *def = sheet->columns[c];
            const kr_column *column = kr_run_column(run, def);
            good = unit_check(column != NULL, __FILE__, __LINE__, "%s: %s.%s is not computed", name, sheet->name, def->name);
            for (size_t row = 0; row < rows && good; row++) {
                kr_cell have = kr_column_get(column, row), want = kr_ref_cell(ref, def, row);
                good = unit_check(kr_raw_eq(have, want), __FILE__, __LINE__, "%s: %s.%s row %zu is `%s`, not `%s` (threads %d, chunk %zu)", name,
                                  sheet->name, def->name, row, kr_cell_text(b->arena, b->pool, def->type, have, NULL),
                                  kr_cell_text(b->arena, b->pool, def->type, want, NULL), threads, chunk);
            }
        }
    }
    kr_run_free(run);
    return good;
}

static void check_book(const char *name, const char *rules)
{
    static const struct { int threads; size_t chunk; } ways[] = { { 1, 0 }, { 2, 0 }, { 1, 1 }, { 3, 7 } };
    book b = open_book(rules, NULL);
    if (unit_check(b.data != NULL, __FILE__, __LINE__, "%s: %s", name, first_message(&b))) {
        kr_ref *ref = kr_ref_new(b.model, b.data, false, 0);
        bool good = true;
        for (size_t i = 0; i < sizeof ways / sizeof *ways && good; i++)
            good = agrees(&b, ref, ways[i].threads, ways[i].chunk, name);
        kr_ref_free(ref);
    }
    close_book(&b, true);
}

/* ---- tables: members join on days, pay and get paid; events come several a day */

static void make_tables(void)
{
    char *text = malloc(1 << 20);
    size_t n = (size_t)sprintf(text, "who,day,paid,club,score\n");
    uint64_t seed = 7;
    static const char *const names[] = { "ann", "bob", "cy", "dee", "eve", "fay", "gus" };
    for (int who = 0; who < 7; who++)
        for (int day = 1; day <= 20; day++) {
            if (unit_random(&seed) % 9 == 0)
                continue;
            n += (size_t)sprintf(text + n, "%s,2024-03-%02d,", names[who], day);
            n += unit_random(&seed) % 8 ? (size_t)sprintf(text + n, "%d.%d,", (int)(unit_random(&seed) % 50), (int)(unit_random(&seed) % 10)) : (size_t)sprintf(text + n, ",");
            n += unit_random(&seed) % 7 ? (size_t)sprintf(text + n, "c%d,", (int)(unit_random(&seed) % 3)) : (size_t)sprintf(text + n, ",");
            n += (size_t)sprintf(text + n, "%d\n", (int)(unit_random(&seed) % 11) - 5);
        }
    write_table("member", text);
    n = (size_t)sprintf(text, "who,time,kind,amount\n");
    for (int i = 0; i < 160; i++)
        n += (size_t)sprintf(text + n, "%s,%lld,k%d,%d\n", names[unit_random(&seed) % 7],
                             1709251200000LL + (long long)(unit_random(&seed) % 20) * 86400000 + (long long)(unit_random(&seed) % 4) * 21600000,
                             (int)(unit_random(&seed) % 2), (int)(unit_random(&seed) % 9) - 2);
    /* one key twice would be refused: make each row its own by a number */
    char *line = strchr(text, '\n') + 1, *numbered = malloc(1 << 20);
    size_t m = (size_t)sprintf(numbered, "who,time,kind,amount,n\n");
    for (int i = 0; *line; i++) {
        size_t len = strcspn(line, "\n");
        m += (size_t)sprintf(numbered + m, "%.*s,%d\n", (int)len, line, i);
        line += len + 1;
    }
    write_table("event", numbered);
    free(text);
    free(numbered);
}

#define HEAD \
    "rulebook { id = \"t/t\", version = 1, language = 1, title = \"t\", effective_from = \"2024-01-01\", days = { from = \"MIN(member.day)\" } }\n" \
    "local member = sheet(\"member\", { \"who\", \"day\" })\n" \
    "member.who = text\nmember.day = day\nmember.paid = number\nmember.club = text\nmember.score = number\n" \
    "local event = sheet(\"event\", { \"who\", \"time\", \"n\" })\n" \
    "event.who = text\nevent.time = time\nevent.n = number\nevent.kind = text\nevent.amount = number\nevent.day = \"DAY(time)\"\n"
#define TAIL "output { member }\n"

static void test_cycles(void)
{
    check_book("along the sequence", HEAD
        "member.a = \"0.5 * PREV(a, 1) + COALESCE(paid, 0)\"\n"
        "member.b = \"PREV(c, 0) + a\"\nmember.c = \"b * 0.9 - PREV(b, 2, 2)\"\n"
        "event.run = \"PREV(run, 0) + COALESCE(amount, 0) / (n - 7)\"\n"
        "event.sum = \"IFERROR(RUNSUM(PREV(sum, 1)), 3) / 2\"\n" TAIL);
    check_book("a day's total, from the day before", HEAD
        "local pot = sheet(\"pot\", { \"day\" }, { rows = cross(\"day\") })\n"
        "pot.left = \"PREV(left, 100) + COALESCE(PREV(income), 0) - 1\"\n"
        "pot.income = \"SUM(member.fee BY day) + SUM(event.amount WHERE event.kind = 'k1' BY day)\"\n"
        "member.fee = \"IF(PREV(fee, 0) > 3, 1, 2) * pot.left / 100 + COALESCE(paid, 0) / 50\"\n" TAIL);
    check_book("shares in a cycle", HEAD
        "member.weight = \"0.8 * PREV(weight, 1) + 0.2 * PREV(part, 0)\"\n"
        "member.part = \"SHARE(weight + COALESCE(paid, 0) BY day)\"\n"
        "member.place = \"RANK(weight DESC, score BY day)\"\n"
        "member.units = \"APPORTION(weight, 10 BY day)\"\n"
        "member.next = \"PREV(next, 0) + PREV(units, 0) / place\"\n"
        "member.level = \"PREV(level, 0) + SHARE(1 + ABS(PREV(level, 0)) BY day)\"\n" TAIL);
    check_book("groups that a cycle makes", HEAD
        "member.tier = \"IF(PREV(total, 0) > 20, 'high', 'low')\"\n"
        "member.same = \"SUM(member.paid BY tier, day)\"\n"
        "member.total = \"PREV(total, 0) + COALESCE(same, 0) / 10\"\n"
        "member.rich = \"COUNT(member.who WHERE member.paid > paid BY tier, day)\"\n"
        "member.best = \"ARGMAX(member.who, member.paid BY tier, day)\"\n"
        "member.first = \"LOOKUP(member.total, member.who = 'ann', member.day = day - 1)\"\n"
        "member.late = \"COALESCE(LOOKUP(member.late, member.who = who, member.day = day - 1), 0) + same\"\n" TAIL);
    check_book("several rows a day in a cycle", HEAD
        "event.gain = \"PREV(gain, 0) + amount * factor\"\n"
        "event.factor = \"COALESCE(LOOKUP(member.state, member.who = who, member.day = day - 1), 1)\"\n"
        "member.state = \"PREV(state, 1) * 0.5 + COALESCE(SUM(event.gain BY who, day), 0) / 100\"\n"
        "member.many = \"COUNT(LAST(PREV(state), 3)) + SUM(DAYS(PREV(many, 0), 4))\"\n"
        "member.top = \"MAX(LAST(PREV(top, 1) + COALESCE(paid, 0), 3)) / 2\"\n" TAIL);
    check_book("sequences and components in a cycle", HEAD
        "member.seen = \"ASOF(event.mark, START(day) BY who)\"\n"
        "event.mark = \"amount + COALESCE(LOOKUP(member.acc, member.who = who, member.day = day), 0)\"\n"
        "member.acc = \"PREV(acc, 0) / 2 + COALESCE(seen, 0)\"\n"
        "member.owner = \"COMPONENT(who, EDGES(member.who, member.friend) BY day)\"\n"
        "member.friend = \"IF(PREV(owner, 'x') = 'ann', 'cy', IF(score > 0, club))\"\n" TAIL);
}

static void test_forms(void)
{
    check_book("forms", HEAD
        "member.near = \"SUM(event.amount WHERE AND(event.amount > score, event.kind = 'k0') BY who)\"\n"
        "member.last = \"ASOF(event.amount, END(day) WHERE event.kind = 'k1' BY who)\"\n"
        "member.soon = \"NEXT(event.amount, END(day), END(day) + HOURS(48) BY who)\"\n"
        "member.one = \"FIRST(event.kind WHERE event.amount > 3 BY who)\"\n"
        "member.line = \"TWA(event.amount, START(day), END(day), END(day), 0 BY who)\"\n"
        "member.at = \"VALUE_AT(event.amount, END(day), END(day) + HOURS(24), IF(FALSE, 1) BY who)\"\n"
        "member.med = \"MEDIAN(DAYS(paid, 5))\"\nmember.cor = \"CORREL(LAST(paid, 6), LAST(score, 6))\"\n"
        "member.pct = \"PERCENTILE(LAST(paid, 9), 0.3)\"\nmember.own = \"PERCENTILE(LAST(paid, 4), (score + 5) / 20)\"\n"
        "member.rank = \"RANK(paid ASC, score DESC BY day)\"\nmember.pro = \"PRORATE(score, paid WHERE score <> 2 BY day)\"\n"
        "member.clubs = \"COMPONENT(who, END(day), EDGES(event.who, event.kind, event.time WHERE event.amount > 5) BY ())\"\n"
        "member.err = \"SUM(event.amount / (event.n - 40) BY who)\"\nmember.list = \"MEDIAN({paid, score, 3}) + MAX(score, 0)\"\n" TAIL);
    check_book("rows", HEAD
        "local kinds = sheet(\"kinds\", { \"kind\", \"day\" }, { rows = cross(\"event.kind\", \"day\"), where = \"COUNT(event.n BY kind) > 3\" })\n"
        "kinds.sum = \"SUM(event.amount BY kind, day)\"\n"
        "local meets = sheet(\"meets\", { \"a\", \"b\" }, { rows = join { a = \"member\", b = \"event\", on = { \"day\" },\n"
        "  where = \"a.who <> b.who\", key = { a = \"a.who\", b = \"b.who\" } } })\n"
        "meets.days = \"COUNT(member.day WHERE member.who = a BY ())\"\n"
        "local all = sheet(\"all\", { \"who\" }, { rows = union { distinct(\"member\", { \"who\" }), distinct(\"event\", { \"who\" }, \"amount > 5\") } })\n"
        "all.n = \"COUNT(meets.b WHERE meets.a = who BY ())\"\n"
        "local back = sheet(\"back\", { \"day\", \"ago\" }, { rows = cross(\"day\", range(\"ago\", 0, 3)), where = \"day - ago <> DATE(2024, 3, 4)\" })\n"
        "back.that = \"LOOKUP(kinds.sum, kinds.kind = 'k0', kinds.day = day - ago)\"\n" TAIL);
}

static void test_refused(void)
{
    static const struct { const char *rules, *message; } cases[] = {
        { HEAD "member.a = \"b + 1\"\nmember.b = \"a\"\n" TAIL, "columns read each other in a cycle: `member.a` -> `member.b` -> `member.a`" },
        { HEAD "member.a = \"a + 1\"\n" TAIL, "columns read each other in a cycle: `member.a` -> `member.a`" },
        { HEAD "member.a = \"SUM(DAYS(a, 3))\"\n" TAIL, "columns read each other in a cycle: `member.a` -> `member.a`" },
        { HEAD "member.a = \"SUM(member.b BY who)\"\nmember.b = \"PREV(a, 0)\"\n" TAIL,
          "columns read each other in a cycle: `member.a` -> `member.b` -> `member.a`" },
        { HEAD "member.a = \"SUM(member.b BY day)\"\nmember.b = \"SHARE(a BY day)\"\n" TAIL,
          "columns read each other in a cycle: `member.a` -> `member.b` -> `member.a`" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        book b = open_book(cases[i].rules, NULL);
        const char *text = first_message(&b);
        unit_check(!b.plan && strstr(text, cases[i].message), __FILE__, __LINE__, "wanted %s, got:\n%s", cases[i].message, text);
        close_book(&b, true);
    }
}

/* ---- versions, conditions over a finished run, limits */

#define V1 HEAD "member.acc = \"PREV(acc, 0) + COALESCE(paid, 0)\"\nmember.old = \"PREV(old, 1) * 2\"\n" TAIL
#define V2 HEAD "member.acc = \"PREV(acc, 0) + 1\"\nmember.new = { \"PREV(new, 5) + 1\", history = \"7\" }\n" \
    "member.fill = { \"PREV(fill, 5) + 1\", history = \"backfill\" }\nmember.none = { \"COALESCE(PREV(none), 0) + 1\", history = \"blank\" }\n" \
    "member.named = \"PREV(named, 0) + acc\"\ncarry { member = { named = \"old\" } }\n" TAIL
#define V3 HEAD "member.acc = \"PREV(acc, 0)\"\nmember.sudden = \"PREV(sudden, 0) + 1\"\n" TAIL

static kr_cell cell_at(book *b, kr_run *run, const char *column, const char *who, int64_t day)
{
    const kr_sheet *sheet = kr_model_sheet(b->model, "member");
    const kr_column *whos = kr_run_column(run, kr_sheet_column(sheet, "who")), *days = kr_run_column(run, kr_sheet_column(sheet, "day"));
    for (size_t i = 0; i < kr_run_row_count(run, sheet); i++) {
        size_t len;
        const char *text = kr_pool_text(b->pool, (uint32_t)kr_cell_int(kr_column_get(whos, i)), &len);
        if (strcmp(text, who) == 0 && kr_cell_int(kr_column_get(days, i)) == day)
            return kr_column_get(kr_run_column(run, kr_sheet_column(sheet, column)), i);
    }
    return KR_E_NA;
}

static int64_t day_of(const char *text)
{
    int64_t day = 0;
    kr_day_read(text, strlen(text), &day);
    return day;
}

static void test_versions(void)
{
    write_table("member", "who,day,paid,club,score\nann,2024-03-01,10,c,1\nann,2024-03-02,20,c,1\nann,2024-03-03,30,c,1\nann,2024-03-04,40,c,1\n"
                          "bob,2024-03-03,1,c,1\nbob,2024-03-04,1,c,1\n");
    for (int own_pool = 0; own_pool < 2; own_pool++) {
        book one = open_book(V1, NULL), two = open_book(V2, own_pool ? NULL : one.pool);
        if (!CHECK(one.data && two.data)) {
            puts(first_message(one.data ? &two : &one));
            return;
        }
        kr_run_options options = { .threads = 1, .all_columns = true };
        kr_run *first = kr_run_new(one.plan, one.data, &options, one.diags);
        options.recorded = first;
        options.first_day = day_of("2024-03-03");
        kr_run *second = kr_run_new(two.plan, two.data, &options, two.diags);
        if (CHECK(first && second)) {
            struct { const char *column, *who, *day; int64_t wanted; } cells[] = {
                { "acc", "ann", "2024-03-01", 10 }, { "acc", "ann", "2024-03-02", 30 }, { "acc", "ann", "2024-03-03", 31 }, { "acc", "ann", "2024-03-04", 32 },
                { "acc", "bob", "2024-03-03", 1 }, { "new", "ann", "2024-03-02", 7 }, { "new", "ann", "2024-03-03", 8 }, { "new", "bob", "2024-03-03", 6 },
                { "fill", "ann", "2024-03-02", 7 }, { "fill", "ann", "2024-03-04", 9 }, { "none", "ann", "2024-03-03", 1 },
                { "named", "ann", "2024-03-01", 2 }, { "named", "ann", "2024-03-02", 4 }, { "named", "ann", "2024-03-03", 35 },
            };
            for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
                char got[KR_NUM_TEXT];
                kr_cell cell = cell_at(&two, second, cells[i].column, cells[i].who, day_of(cells[i].day));
                kr_num_write(cell, got);
                unit_check(kr_raw_eq(cell, kr_num_of_int(cells[i].wanted)), __FILE__, __LINE__, "%s of %s on %s is %s", cells[i].column, cells[i].who, cells[i].day, got);
            }
            CHECK(kr_is_blank(cell_at(&two, second, "none", "ann", day_of("2024-03-02"))));
        }
        book three = open_book(V3, one.pool);
        if (CHECK(three.data)) {
            kr_run *third = kr_run_new(three.plan, three.data, &options, three.diags);
            CHECK(!third && strstr(first_message(&three), "`member.sudden` is read back in time and is new in this version"));
            kr_run_free(third);
        }
        close_book(&three, false);
        kr_run_free(second);
        kr_run_free(first);
        close_book(&two, own_pool != 0);
        close_book(&one, true);
    }
}

static void test_eval(void)
{
    book b = open_book(HEAD "member.acc = \"PREV(acc, 0) + COALESCE(paid, 0)\"\n"
        "local pot = sheet(\"pot\", { \"day\" }, { rows = cross(\"day\"), where = \"COUNT(member.who BY day) > 0\" })\npot.sum = \"SUM(member.acc BY day)\"\n"
        "check(member, \"small\", \"acc < 40\")\n" TAIL, NULL);
    kr_run *run = CHECK(b.data) ? kr_run_new(b.plan, b.data, &(kr_run_options){ .threads = 2 }, b.diags) : NULL;
    const kr_failed *failed = NULL;
    if (CHECK(run)) {
        CHECK(kr_run_failed(run, &failed) == 2 && failed[0].row == 2 && failed[1].row == 3);
        kr_sheet *pot = kr_model_sheet(b.model, "pot");
        const char *text = "sum * 2 + COUNT(member.who BY day) + PREV(sum, 0)";
        kr_expr *expr = kr_check_formula(b.model, pot, kr_fragment_plain(b.arena, "<where>", text, strlen(text)), b.diags);
        kr_cell out[8];
        CHECK(kr_run_column(run, kr_sheet_column(pot, "sum")) == NULL); /* nothing published needs it */
        if (CHECK(expr && kr_run_row_count(run, pot) <= 8 && kr_run_eval(run, pot, expr, out, b.diags))) {
            CHECK(kr_raw_eq(out[0], kr_num_of_int(21)));
            CHECK(kr_raw_eq(out[1], kr_num_of_int(71)));
            CHECK(kr_raw_eq(out[2], kr_num_of_int(2 * 61 + 2 + 30)));
        }
        text = "acc > 20";
        expr = kr_check_formula(b.model, b.model->sheets[0], kr_fragment_plain(b.arena, "<where>", text, strlen(text)), b.diags);
        CHECK(expr && kr_run_eval(run, b.model->sheets[0], expr, out, b.diags) && kr_cell_is_true(out[1]) && !kr_cell_is_true(out[0]));
    }
    kr_run_free(run);
    close_book(&b, true);
}

static void test_pairs(void)
{
    book b = open_book(HEAD "member.a = \"COUNT(event.n WHERE event.amount > score BY ())\"\n" TAIL, NULL);
    if (CHECK(b.data)) {
        kr_run *run = kr_run_new(b.plan, b.data, &(kr_run_options){ .pair_limit = 959 }, b.diags);
        CHECK(!run && strstr(first_message(&b), "this needs 960 pairs of rows, more than the limit of 959"));
        kr_run_free(run);
        run = kr_run_new(b.plan, b.data, &(kr_run_options){ .pair_limit = 960 }, b.diags);
        CHECK(run != NULL);
        kr_run_free(run);
    }
    close_book(&b, true);
}

int main(void)
{
    strcpy(folder, "/tmp/test_engine.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    make_tables();
    test_cycles();
    test_forms();
    test_refused();
    test_versions();
    test_eval();
    test_pairs();
    char path[128];
    static const char *const names[] = { "member", "event" };
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s.csv", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    return unit_done();
}
