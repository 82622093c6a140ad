/* test_check.c: small models built by hand, checked: types, units, matches as resolved (through the canonical print), and for wrong
 * formulas the whole message with its helps. */
#include "stdlib/stdlib.h"
#include "tests/unit/unit.h"
#include "vm/lang/expr.h"

static kr_arena *arena;
static kr_pool *pool;

/* ------------------------------------------------------------------------------------------------ building */

static kr_fragment *text_of(const char *text) { return kr_fragment_plain(arena, "<formula>", text, strlen(text)); }

static int split(const char *list, const char ***out)
{
    int count = 0;
    *out = KR_NEW_ARRAY(arena, const char *, 8);
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " ");
        (*out)[count++] = kr_arena_copy(arena, p, n);
        p += n;
        while (*p == ' ')
            p++;
    }
    return count;
}

static kr_sheet *sheet(kr_model *m, const char *name, const char *keys)
{
    kr_sheet *s = kr_model_add_sheet(m, name);
    s->key_count = split(keys, &s->key_names);
    return s;
}

static void input(kr_model *m, kr_sheet *s, const char *name, kr_type type, const char *unit)
{
    kr_column_def *c = kr_sheet_add_column(m, s, name);
    c->input = true;
    c->type = type;
    if (unit)
        CHECK(kr_unit_read(arena, unit, strlen(unit), &c->doc.unit));
}

static kr_column_def *formula(kr_model *m, kr_sheet *s, const char *name, const char *text)
{
    kr_column_def *c = kr_sheet_add_column(m, s, name);
    c->formula.fragment = text_of(text);
    return c;
}

static void param(kr_model *m, const char *name, const char *value, const char *unit)
{
    kr_param *p = &KR_PUSH(arena, m->params, m->param_count, m->param_capacity);
    *p = (kr_param){ .name = name, .type = KR_T_NUMBER, .written = value };
    CHECK(kr_num_read(value, strlen(value), &p->value, NULL) == KR_READ_OK);
    if (unit)
        CHECK(kr_unit_read(arena, unit, strlen(unit), &p->doc.unit));
}

static kr_rows *rows(kr_rows_kind kind, const char *from, const char *columns)
{
    kr_rows *r = KR_NEW(arena, kr_rows);
    r->kind = kind;
    r->sheet_name = from;
    r->column_count = split(columns, &r->columns);
    r->from = kind == KR_ROWS_COLUMN || kind == KR_ROWS_DISTINCT ? r->columns : NULL;
    return r;
}

static kr_rows *both(kr_rows_kind kind, kr_rows *a, kr_rows *b)
{
    kr_rows *r = KR_NEW(arena, kr_rows);
    r->kind = kind;
    r->parts = KR_NEW_ARRAY(arena, kr_rows *, 2);
    r->parts[0] = a;
    r->parts[1] = b;
    r->part_count = 2;
    return r;
}

static void define(kr_model *m, const char *name, const char *args, const char *body)
{
    kr_define *d = &KR_PUSH(arena, m->defines, m->define_count, m->define_capacity);
    *d = (kr_define){ .name = name };
    d->arg_count = split(args, &d->args);
    d->body.fragment = text_of(body);
    kr_diags *diags = kr_diags_new(arena);
    d->body.tree = kr_parse_formula(arena, d->body.fragment, diags);
    CHECK(d->body.tree != NULL);
}

/* A market: identities, fills, flows come in; accounts and wallets by day are computed. */
static kr_model *market(void)
{
    kr_model *m = kr_model_new(arena, pool, kr_stdlib);
    m->has_days = true;
    m->days_from.fragment = text_of("MIN(identity.linked_at)");
    param(m, "cut", "0.5", "1");
    param(m, "window", "30", NULL);
    param(m, "half", "1.5", NULL);
    param(m, "settle", "7200000", "ms");
    param(m, "floor_usd", "100", "USD");

    kr_sheet *identity = sheet(m, "identity", "miner linked_at");
    input(m, identity, "miner", KR_T_TEXT, NULL);
    input(m, identity, "linked_at", KR_T_TIME, NULL);
    input(m, identity, "address", KR_T_TEXT, NULL);
    input(m, identity, "coldkey", KR_T_TEXT, NULL);

    kr_sheet *fill = sheet(m, "fill", "address time coin");
    input(m, fill, "address", KR_T_TEXT, NULL);
    input(m, fill, "time", KR_T_TIME, NULL);
    input(m, fill, "coin", KR_T_TEXT, NULL);
    input(m, fill, "px", KR_T_NUMBER, "USD");
    input(m, fill, "sz", KR_T_NUMBER, "1");
    input(m, fill, "perp", KR_T_BOOLEAN, NULL);
    formula(m, fill, "day", "DAY(time)");
    formula(m, fill, "miner", "LOOKUP(account.miner, account.address = address, account.day = day)");
    formula(m, fill, "value", "px * sz");

    kr_sheet *flow = sheet(m, "flow", "");
    input(m, flow, "address", KR_T_TEXT, NULL);
    input(m, flow, "time", KR_T_TIME, NULL);
    input(m, flow, "usd", KR_T_NUMBER, "USD");
    formula(m, flow, "day", "DAY(time)");

    kr_sheet *wallet = sheet(m, "wallet", "address day");
    wallet->rows = both(KR_ROWS_CROSS, rows(KR_ROWS_COLUMN, "identity", "address"), rows(KR_ROWS_DAYS, NULL, "day"));
    formula(m, wallet, "flows", "SUM(flow.usd)");
    formula(m, wallet, "known", "flows > floor_usd");

    kr_sheet *account = sheet(m, "account", "miner day");
    account->rows = both(KR_ROWS_CROSS, rows(KR_ROWS_COLUMN, "identity", "miner"), rows(KR_ROWS_DAYS, NULL, "day"));
    account->where.fragment = text_of("END(day) > MIN(identity.linked_at BY miner)");
    formula(m, account, "address", "ASOF(identity.address, END(day) BY miner)");
    formula(m, account, "traded", "SUM(fill.value WHERE fill.perp)");
    formula(m, account, "smoothed", "(1 - cut) * PREV(smoothed, 0) + cut * traded");
    formula(m, account, "flows", "wallet.flows");

    kr_sheet *day = sheet(m, "day", "day");
    day->rows = rows(KR_ROWS_DAYS, NULL, "day");
    formula(m, day, "total", "SUM(account.smoothed)");

    KR_PUSH(arena, m->outputs, m->output_count, m->output_capacity) = account;
    return m;
}

/* ------------------------------------------------------------------------------------------------ asking */

static char *messages(const kr_diags *diags)
{
    char *text = kr_arena_printf(arena, "%s", "");
    for (size_t i = 0; i < kr_diags_shown(diags); i++) {
        const kr_diag *d = kr_diags_get(diags, i);
        text = kr_arena_printf(arena, "%s%s%s", text, *text ? "\n" : "", d->message);
        for (int k = 0; k < 3 && d->help[k]; k++)
            text = kr_arena_printf(arena, "%s\n  help: %s", text, d->help[k]);
        for (int k = 0; k < 3 && d->note[k]; k++)
            text = kr_arena_printf(arena, "%s\n  note: %s", text, d->note[k]);
    }
    return text;
}

static bool check_ok(kr_model *m, int line)
{
    kr_diags *diags = kr_diags_new(arena);
    bool ok = kr_check(m, diags);
    return unit_check(ok, __FILE__, line, "not accepted:\n%s", messages(diags));
}

static char *place(const kr_diags *diags)
{
    const kr_diag *d = kr_diags_get(diags, 0);
    return kr_arena_printf(arena, "%.*s", (int)(d->span.end - d->span.start), d->span.source ? d->span.source->text + d->span.start : "");
}

/* The formula as one more column of the market; its meaning as text. */
static void means_at(int line, const char *sheet_name, const char *text, kr_type type, const char *unit, const char *print)
{
    kr_model *m = market();
    kr_column_def *c = formula(m, kr_model_sheet(m, sheet_name), "x", text);
    if (!check_ok(m, line))
        return;
    unit_check(c->type == type, __FILE__, line, "%s: type is %s, not %s", text, kr_type_name(c->type), kr_type_name(type));
    unit_check_text(kr_unit_write(arena, &c->unit), unit, __FILE__, line);
    unit_check_text(kr_expr_print(arena, m, c->formula.expr), print, __FILE__, line);
}
#define MEANS(...) means_at(__LINE__, __VA_ARGS__)

static void wrong_at(int line, const char *sheet_name, const char *text, const char *at, const char *message)
{
    kr_model *m = market();
    formula(m, kr_model_sheet(m, sheet_name), "x", text);
    kr_diags *diags = kr_diags_new(arena);
    if (!unit_check(!kr_check(m, diags), __FILE__, line, "accepted: %s", text))
        return;
    unit_check_text(messages(diags), message, __FILE__, line);
    unit_check_text(place(diags), at, __FILE__, line);
}
#define WRONG(...) wrong_at(__LINE__, __VA_ARGS__)

static void model_wrong_at(int line, kr_model *m, const char *message)
{
    kr_diags *diags = kr_diags_new(arena);
    unit_check(!kr_check(m, diags), __FILE__, line, "accepted");
    unit_check_text(messages(diags), message, __FILE__, line);
}
#define MODEL_WRONG(...) model_wrong_at(__LINE__, __VA_ARGS__)

/* ------------------------------------------------------------------------------------------------ meaning */

static void test_market(void)
{
    kr_model *m = market();
    if (!check_ok(m, __LINE__))
        return;
    kr_sheet *account = kr_model_sheet(m, "account"), *fill = kr_model_sheet(m, "fill"), *flow = kr_model_sheet(m, "flow"), *identity = kr_model_sheet(m, "identity");
    CHECK_TEXT(account->columns[0]->name, "miner");
    CHECK_TEXT(account->columns[1]->name, "day");
    CHECK(account->columns[0]->type == KR_T_TEXT && account->columns[1]->type == KR_T_DAY && account->columns[0]->input);
    CHECK(account->order_n == 1 && account->order[0] == account->columns[1] && account->per_n == 1 && account->per[0] == account->columns[0]);
    CHECK(account->clock == account->columns[1]);
    CHECK(fill->clock == kr_sheet_column(fill, "time") && fill->order[0] == fill->clock && fill->per_n == 2);
    CHECK(flow->clock == kr_sheet_column(flow, "time") && flow->per_n == 0);
    CHECK(identity->order[0] == kr_sheet_column(identity, "linked_at"));
    kr_column_def *smoothed = kr_sheet_column(account, "smoothed"), *traded = kr_sheet_column(account, "traded");
    CHECK(smoothed->is_state && !traded->is_state);
    CHECK(smoothed->type == KR_T_NUMBER && traded->type == KR_T_NUMBER);
    CHECK_TEXT(kr_unit_write(arena, &traded->unit), "USD");
    CHECK_TEXT(kr_unit_write(arena, &kr_sheet_column(kr_model_sheet(m, "day"), "total")->unit), kr_unit_write(arena, &smoothed->unit));
    CHECK_TEXT(kr_expr_print(arena, m, traded->formula.expr), "SUM(fill.value WHERE fill.perp BY miner, day)");
    CHECK_TEXT(kr_expr_match_text(arena, traded->formula.expr), "BY miner, day");
    kr_expr *lookup = kr_sheet_column(account, "flows")->formula.expr;
    CHECK(lookup->kind == KR_X_LOOKUP && lookup->unique && lookup->match_count == 2);
    CHECK_TEXT(kr_expr_match_text(arena, lookup), "wallet.address = address, wallet.day = day");
    lookup = kr_sheet_column(fill, "miner")->formula.expr;
    CHECK(lookup->kind == KR_X_LOOKUP && !lookup->unique && lookup->type == KR_T_TEXT);
    kr_expr *prev = smoothed->formula.expr->args[0]->args[1];
    CHECK(prev->kind == KR_X_PREV && prev->sheet == account && prev->count && prev->arg_count == 2 && prev->type == KR_T_NUMBER);
    kr_expr *asof = kr_sheet_column(account, "address")->formula.expr;
    CHECK(asof->kind == KR_X_SEQUENCE && asof->order == kr_sheet_column(identity, "linked_at") && asof->args[0]->frame == 1 && asof->match_count == 1);
}

static void test_meaning(void)
{
    MEANS("account", "traded + 2 * cut ^ 2", KR_T_NUMBER, "USD", "traded + 2 * cut ^ 2");
    MEANS("account", "(traded + 1) * -(cut - 1) / (2 / 3)", KR_T_NUMBER, "?", "(traded + 1) * -(cut - 1) / (2 / 3)");
    MEANS("account", "traded / floor_usd", KR_T_NUMBER, "1", "traded / floor_usd");
    MEANS("account", "day + 3", KR_T_DAY, "?", "day + 3");
    MEANS("account", "START(day) + settle", KR_T_TIME, "?", "START(day) + settle");
    MEANS("account", "if(traded > 100, address)", KR_T_TEXT, "?", "IF(traded > 100, address)");
    MEANS("account", "'it''s ' & address", KR_T_TEXT, "?", "'it''s ' & address");
    MEANS("account", "MAX(traded, 0)", KR_T_NUMBER, "USD", "MAX(traded, 0)");
    MEANS("account", "MAX(account.traded BY day)", KR_T_NUMBER, "USD", "MAX(account.traded BY day)");
    MEANS("account", "COUNT(fill.px)", KR_T_NUMBER, "1", "COUNT(fill.px BY miner, day)");
    MEANS("account", "SUM(fill.px * cut WHERE fill.sz > traded / floor_usd BY day)", KR_T_NUMBER, "USD",
          "SUM(fill.px * cut WHERE fill.sz > traded / floor_usd BY day)");
    MEANS("account", "SUM(fill.sz * LOOKUP(wallet.flows, wallet.address = fill.address, wallet.day = day) BY miner, day)", KR_T_NUMBER, "USD",
          "SUM(fill.sz * LOOKUP(wallet.flows, wallet.address = fill.address, wallet.day = day) BY miner, day)");
    MEANS("account", "LOOKUP(account.traded, miner = account.miner, account.day = day - 1)", KR_T_NUMBER, "USD",
          "LOOKUP(account.traded, account.miner = miner, account.day = day - 1)");
    MEANS("account", "SUM(LAST(traded, window - 1))", KR_T_NUMBER, "USD", "SUM(LAST(traded, window - 1))");
    MEANS("account", "CORREL(DAYS(traded, 30), DAYS(flows, 30))", KR_T_NUMBER, "1", "CORREL(DAYS(traded, 30), DAYS(flows, 30))");
    MEANS("account", "SUM(DAYS(PREV(x, 0), 3)) + traded", KR_T_NUMBER, "USD", "SUM(DAYS(PREV(x, 0), 3)) + traded");
    MEANS("account", "MEDIAN({1, traded, 3})", KR_T_NUMBER, "USD", "MEDIAN({1, traded, 3})");
    MEANS("account", "PREV(traded, 0, 2)", KR_T_NUMBER, "USD", "PREV(traded, 0, 2)");
    MEANS("account", "IF(ISBLANK(PREV(address)), day, PREV(x) + 1)", KR_T_DAY, "?", "IF(ISBLANK(PREV(address)), day, PREV(x) + 1)");
    MEANS("account", "RUNSUM(traded) / RUNCOUNT()", KR_T_NUMBER, "USD", "RUNSUM(traded) / RUNCOUNT()");
    MEANS("account", "RUNMAX(address)", KR_T_TEXT, "?", "RUNMAX(address)");
    MEANS("account", "TWA(flow.usd, START(day), END(day), END(day) + settle, 0 BY address)", KR_T_NUMBER, "USD",
          "TWA(flow.usd, START(day), END(day), END(day) + settle, 0 BY address)");
    MEANS("account", "NEXT(fill.px * 2, END(day), END(day) + settle WHERE fill.perp BY address)", KR_T_NUMBER, "?",
          "NEXT(fill.px * 2, END(day), END(day) + settle WHERE fill.perp BY address)");
    MEANS("account", "ARGMAX(fill.coin, fill.px WHERE fill.perp)", KR_T_TEXT, "?", "ARGMAX(fill.coin, fill.px WHERE fill.perp BY miner, day)");
    MEANS("account", "RANK(traded, address ASC BY day)", KR_T_NUMBER, "1", "RANK(traded DESC, address ASC BY day)");
    MEANS("account", "PRORATE(floor_usd, traded WHERE traded > 0 BY day)", KR_T_NUMBER, "USD", "PRORATE(floor_usd, traded WHERE traded > 0 BY day)");
    MEANS("account", "APPORTION(traded, 65535 BY day)", KR_T_NUMBER, "?", "APPORTION(traded, 65535 BY day)");
    MEANS("account", "COMPONENT(address, END(day), EDGES(identity.address, identity.coldkey, identity.linked_at), EDGES(identity.miner, identity.address) BY ())", KR_T_TEXT, "?",
          "COMPONENT(address, END(day), EDGES(identity.address, identity.coldkey, identity.linked_at), EDGES(identity.miner, identity.address) BY ())");
    MEANS("account", "AS(traded, \"USD/TAO\") * 1", KR_T_NUMBER, "?", "AS(traded, 'USD/TAO') * 1");
    MEANS("account", "AS(traded, \"USD/TAO\")", KR_T_NUMBER, "USD/TAO", "AS(traded, 'USD/TAO')");
    MEANS("account", "SUM(identity.linked_at - START(DAY('2024-01-01')) BY ())", KR_T_NUMBER, "ms", "SUM(identity.linked_at - START(DAY('2024-01-01')) BY ())");
    MEANS("account", "SWITCH(address, 'a', 1, 'b', 2, 0)", KR_T_NUMBER, "?", "SWITCH(address, 'a', 1, 'b', 2, 0)");
    MEANS("account", "IFS(traded > 0, 'up', TRUE, 'down')", KR_T_TEXT, "?", "IFS(traded > 0, 'up', TRUE, 'down')");
    MEANS("account", "PERCENTILE(fill.px, cut)", KR_T_NUMBER, "USD", "PERCENTILE(fill.px, cut BY miner, day)");
    MEANS("account", "-2 ^ 2 - 3 - (4 - 5)", KR_T_NUMBER, "?", "-2 ^ 2 - 3 - (4 - 5)");
}

static void test_defines(void)
{
    kr_model *m = market();
    define(m, "twice", "a", "a + a");
    define(m, "held", "t by", "SUM(t.usd BY by)");
    define(m, "nest", "a", "twice(twice(a)) * cut");
    kr_sheet *account = kr_model_sheet(m, "account");
    kr_column_def *x = formula(m, account, "x", "nest(traded - 1)"), *y = formula(m, account, "y", "held(flow, address)");
    if (check_ok(m, __LINE__)) {
        CHECK_TEXT(kr_expr_print(arena, m, x->formula.expr), "(traded - 1 + (traded - 1) + (traded - 1 + (traded - 1))) * cut");
        CHECK_TEXT(kr_expr_print(arena, m, y->formula.expr), "SUM(flow.usd BY address)");
    }
    m = market();
    define(m, "loop", "a", "pool(a) + 1");
    define(m, "pool", "a", "loop(a)");
    formula(m, kr_model_sheet(m, "account"), "x", "loop(traded)");
    MODEL_WRONG(m, "define `loop` uses itself\n  help: a define is replaced by its body; to go back in time, write PREV in a column");
    m = market();
    define(m, "twice", "a", "a + a");
    formula(m, kr_model_sheet(m, "account"), "x", "twice(1, 2)");
    MODEL_WRONG(m, "`twice` takes 1 argument, not 2");
    m = market();
    define(m, "sum", "a", "a + a");
    MODEL_WRONG(m, "define `sum` has the name of a function of the language\n  help: rename one of them: a bare name must mean one thing");
    m = market();
    for (int i = 0; i < 30; i++)
        define(m, kr_arena_printf(arena, "d%d", i), "a", i == 0 ? "a + a" : kr_arena_printf(arena, "d%d(a) + d%d(a)", i - 1, i - 1));
    formula(m, kr_model_sheet(m, "account"), "x", "d29(1)");
    MODEL_WRONG(m, "the formula has more than 200000 parts once its defines are written out");
    m = market(); /* arguments that double */
    define(m, "twice", "a", "a + a");
    char *deep = kr_arena_printf(arena, "1");
    for (int i = 0; i < 40; i++)
        deep = kr_arena_printf(arena, "twice(%s)", deep);
    formula(m, kr_model_sheet(m, "account"), "x", deep);
    MODEL_WRONG(m, "the formula has more than 200000 parts once its defines are written out");
    m = market(); /* depth without width */
    char *minus = kr_arena_printf(arena, "a");
    for (int i = 0; i < 90; i++)
        minus = kr_arena_printf(arena, "ABS(%s)", minus);
    define(m, "d0", "a", minus);
    deep = kr_arena_printf(arena, "1");
    for (int i = 0; i < 40; i++)
        deep = kr_arena_printf(arena, "d0(%s)", deep);
    formula(m, kr_model_sheet(m, "account"), "x", deep);
    MODEL_WRONG(m, "the formula is nested more than 2500 deep once its defines are written out");
    m = market(); /* one slip in a define, used twice: one message */
    define(m, "net", "a", "a - feee");
    formula(m, kr_model_sheet(m, "account"), "x", "net(traded)");
    formula(m, kr_model_sheet(m, "account"), "y", "net(traded) * 2");
    MODEL_WRONG(m, "sheet `account` has no column `feee`, and no parameter is called so");
}

/* Columns that lean on each other one after the other, forwards and backwards in the file. */
static void test_chains(void)
{
    for (int forwards = 0; forwards < 2; forwards++) {
        kr_model *m = market();
        kr_sheet *account = kr_model_sheet(m, "account");
        enum { LONG = 3000 };
        for (int i = 0; i < LONG; i++) {
            int next = forwards ? i - 1 : i + 1;
            bool last = next < 0 || next == LONG;
            formula(m, account, kr_arena_printf(arena, "c%d", i), last ? "traded" : kr_arena_printf(arena, "c%d + 1", next));
        }
        if (check_ok(m, __LINE__))
            CHECK(kr_sheet_column(account, "c7")->type == KR_T_NUMBER && kr_sheet_column(account, "c7")->unit.known);
    }
    kr_model *m = market(); /* read back in a ring: types come from where the ring starts */
    kr_sheet *account = kr_model_sheet(m, "account");
    kr_column_def *a = formula(m, account, "ra", "PREV(rb, day)"), *b = formula(m, account, "rb", "rc + 1"), *c = formula(m, account, "rc", "IF(traded > 0, ra, PREV(ra))");
    if (check_ok(m, __LINE__))
        CHECK(a->type == KR_T_DAY && b->type == KR_T_DAY && c->type == KR_T_DAY && b->is_state && a->is_state && !c->is_state);
}

static void test_words(void)
{
    static const char *const words[] = { "buy", "sell" };
    kr_model *m = market();
    kr_sheet *fill = kr_model_sheet(m, "fill");
    input(m, fill, "side", KR_T_TEXT, NULL);
    kr_sheet_column(fill, "side")->domain.one_of = words;
    kr_sheet_column(fill, "side")->domain.one_of_count = 2;
    formula(m, fill, "bought", "side = 'buy'");
    formula(m, fill, "x", "IF('bui' <> side, 1, 2)");
    MODEL_WRONG(m, "`side` is never 'bui': it is 'buy' or 'sell'\n  help: did you mean 'buy'?");
}

/* ------------------------------------------------------------------------------------------------ wrong formulas */

static void test_names(void)
{
    WRONG("account", "tradd + 1", "tradd", "sheet `account` has no column `tradd`, and no parameter is called so\n  help: did you mean `traded`?");
    WRONG("account", "px * 2", "px", "sheet `account` has no column `px`, and no parameter is called so\n  help: sheet `fill` has a column of this name: `fill.px`");
    WRONG("account", "fill * 2", "fill", "sheet `account` has no column `fill`, and no parameter is called so\n  help: `fill` is a sheet: name a column of it, `fill.column`");
    WRONG("account", "SUM(fill.pxx)", "pxx", "sheet `fill` has no column `pxx`\n  help: did you mean `px`?");
    WRONG("account", "SUM(fil.px)", "fil", "there is no sheet `fil`\n  help: did you mean `fill`?");
    WRONG("account", "CLIPP(traded, 0, 1)", "CLIPP", "there is no function `CLIPP`\n  help: did you mean `CLIP`?");
    WRONG("account", "SUMIF(traded, 0)", "SUMIF", "there is no function `SUMIF`\n  help: write SUM(T.x WHERE condition BY …)");
    WRONG("account", "account.traded + 1", "account.traded",
          "outside an aggregate `account.traded` does not say which row of its own sheet is meant\n"
          "  help: this row's column is written without the sheet: `traded`; an earlier row's is PREV(traded)");
    kr_model *m = market();
    param(m, "traded", "1", NULL);
    MODEL_WRONG(m, "column `account.traded` has the name of a parameter\n  help: rename one of them: a bare name must mean one thing");
}

static void test_matches(void)
{
    WRONG("account", "fill.px", "fill.px",
          "`fill.px` needs `time`, a key of `fill`, and sheet `account` has no such column\n"
          "  help: say which row is meant: LOOKUP(fill.px, fill.address = address, fill.time = …, fill.coin = …)\n"
          "  help: or aggregate over the rows: SUM(fill.px BY …), COUNT, MAX …");
    WRONG("account", "flow.usd", "flow.usd",
          "sheet `flow` has no key, so `flow.usd` does not say which row\n  help: use an aggregate: SUM(flow.usd BY …), or LOOKUP with what finds the row");
    WRONG("account", "SUM(flow.usd)", "SUM",
          "`SUM` over `flow` must say which rows agree: `flow` lacks `miner`, key of `account`\n"
          "  help: write `BY day` before the closing bracket\n  help: or `BY ()` for the whole of `flow`");
    WRONG("account", "SUM(flow.usd BY coin)", "coin",
          "BY `coin` needs that column in both sheets, and `flow` has none\n  help: give sheet `flow` a column `coin`, or say the condition in WHERE");
    WRONG("flow", "SUM(fill.px)", "SUM",
          "`SUM` over `fill` must say which rows agree: sheet `flow` has no key\n  help: write `BY ()` before the closing bracket");
    WRONG("account", "ASOF(identity.address, END(day))", "ASOF", "`ASOF` over `identity` must say which rows agree\n  help: write `BY miner` before the closing bracket");
    WRONG("account", "RANK(traded)", "RANK",
          "`RANK` must say which rows of `account` it is over\n  help: write `BY day` for the rows of the same day, `BY ()` for the whole sheet");
    WRONG("account", "LOOKUP(account.traded, account.miner > miner)", "account.miner > miner",
          "LOOKUP finds a row by equalities with columns of `account`\n"
          "  help: write `account.column = …`; what filters rows belongs in the WHERE of an aggregate");
    WRONG("account", "LOOKUP(account.traded, account.miner = day)", "account.miner = day", "`account.miner` is text and cannot equal day");
}

static void test_frames(void)
{
    WRONG("account", "SUM(fill.px * wallet.flows)", "wallet.flows",
          "`SUM` ranges over `fill`; `wallet.flows` is of a second sheet\n"
          "  help: say which row of `wallet` is meant: LOOKUP(wallet.flows, wallet.address = address, wallet.day = day)");
    WRONG("account", "SUM(fill.px * account.traded)", "account.traded",
          "`SUM` ranges over `fill` here, so `account.traded` is not another row\n  help: this row's own column is written without its sheet: `traded`");
    WRONG("account", "SUM(3)", "SUM", "`SUM` does not say which rows it is over\n  help: name a column of the sheet as `sheet.column`, or give a list: `SUM({a, b})`");
    WRONG("account", "SUM(traded)", "SUM",
          "`SUM` does not say which rows it is over\n"
          "  help: over rows of this sheet: `SUM(account.traded BY …)`; over earlier rows: `SUM(LAST(traded, n))` or `SUM(DAYS(traded, n))`");
    WRONG("account", "SUM(fill.px * SUM(flow.usd BY address) BY day)", "SUM",
          "`SUM` cannot stand inside `SUM`\n  help: put it in a column of its own and name that here");
    WRONG("account", "SUM(fill.px - PREV(traded))", "PREV", "`PREV` cannot stand inside `SUM`\n  help: put it in a column of its own and name that here");
    WRONG("account", "ASOF(identity.address & address, END(day) BY miner)", "address",
          "this part of `ASOF` is about a row of `identity`, and `address` is a column of this row\n  help: the column of that row is `identity.address`");
    WRONG("account", "PERCENTILE(fill.px, fill.sz)", "fill.sz",
          "PERCENTILE needs one value here, and `fill.sz` is one for every row it ranges over\n  help: put an aggregate of it in a column of its own and name that");
    WRONG("account", "SUM(LAST(traded, flows))", "flows",
          "the count of LAST is made of constants and parameters only, and `flows` is a column\n  help: it is the same for every row: give it as a parameter");
    WRONG("account", "SUM(LAST(traded, half))", "half", "the count of LAST must be a whole number of 1 or more, and this is 1.5");
    WRONG("account", "LAST(traded, 3)", "LAST", "LAST is a window and stands inside an aggregate\n  help: for example SUM(LAST(x, 30)), COUNT(LAST(x, 30)), MAX(LAST(x, 30))");
    WRONG("fill", "SUM(DAYS(px, 3))", "DAYS",
          "DAYS counts calendar days, and sheet `fill` is not in the order of a day\n  help: LAST(x, n) takes the last n known values of any order");
    WRONG("account", "CORREL(LAST(traded, 3), LAST(flows, 4))", "4", "`CORREL` takes windows of the same length");
    WRONG("account", "SUM(LAST(traded, 3) WHERE traded > 0)", "SUM", "`SUM` over a window takes no WHERE\n  help: leave values out by making them blank: IF(condition, x)");
    WRONG("account", "ABS(traded BY day)", "ABS",
          "`ABS` works on values of one row: it takes no BY\n  help: WHERE and BY belong inside the brackets of an aggregate such as SUM");
    WRONG("account", "{1, 2}", "{1, 2}", "a list stands only as the series of a statistic\n  help: for example MEDIAN({1, 2, 3})");
    WRONG("account", "CORREL({1, 2}, {1, 2, 3})", "{1, 2, 3}", "the lists of `CORREL` must be equally long: 3 values here, 2 in the first");
    WRONG("account", "TWA(flow.usd, START(day), END(day), day, 0 BY address)", "day",
          "a bound of TWA over `flow`, which is in the order of `time`, must be time, not day\n"
          "  help: START(day) is the time a day begins, END(day) the time the next one does");
}

static void test_types(void)
{
    WRONG("account", "traded + address", "+", "`+` does not work on number and text\n  help: text is joined with `&`, a number as TEXT(number); VALUE(text) is the number that a text holds");
    WRONG("account", "day > '2024-01-01'", ">", "`>` does not work on day and text\n  help: a day is written DAY('2024-01-31')");
    WRONG("account", "IF(traded, 1, 2)", "traded", "`IF` needs boolean here, not number\n  help: IF(condition, then, else)\n  help: compare the number with something: `> 0`");
    WRONG("account", "IF(traded > 0, 1, 'none')", "'none'", "`IF` needs number here, not text\n  help: IF(condition, then, else)");
    WRONG("account", "CLIP(traded, 0)", "CLIP", "`CLIP` takes 3 arguments, not 2\n  help: CLIP(x, low, high)");
    WRONG("account", "SUM(fill.perp)", "fill.perp", "`SUM` needs number here, not boolean\n  help: COUNTIF counts the rows for which a condition is true");
    WRONG("account", "SUM(fill.px WHERE fill.sz)", "fill.sz", "a WHERE must be boolean, not number");
    WRONG("account", "PREV(x)", "PREV(x)",
          "what `account.x` holds cannot be told: it is made of itself only\n  help: give PREV a value to start with, PREV(x, 0), or say that it is a number with AS(x, \"1\")");
    WRONG("account", "IF(traded > 0, PREV(x, 'a'), 1)", "1", "`IF` needs text here, not number\n  help: IF(condition, then, else)");
}

static void test_units(void)
{
    WRONG("account", "traded + settle", "traded + settle", "`+` meets [USD] and [ms]\n  help: if the numbers are right as they are, say the unit: AS(x, \"USD\")");
    WRONG("account", "IF(traded > 0, traded, cut)", "IF", "`IF` meets [USD] and [1]\n  help: if the numbers are right as they are, say the unit: AS(x, \"USD\")");
    WRONG("account", "START(day) + cut", "cut", "`+` needs [ms] here, not [1]\n  help: if the number is right as it is, say the unit: AS(x, \"ms\")");
    kr_model *m = market();
    kr_column_def *x = formula(m, kr_model_sheet(m, "account"), "x", "traded * cut");
    CHECK(kr_unit_read(arena, "USD/day", 7, &x->doc.unit));
    MODEL_WRONG(m, "`account.x` is declared in [USD/day], and its formula gives [USD]\n"
                   "  help: correct one of the two, or say the unit in the formula: AS(…, \"USD/day\")");
}

/* ------------------------------------------------------------------------------------------------ rows and time */

static kr_sheet *distinct(kr_model *m, const char *name, const char *from, const char *keys, const char *where)
{
    kr_sheet *s = sheet(m, name, keys);
    s->rows = rows(KR_ROWS_DISTINCT, from, keys);
    if (where)
        s->rows->where.fragment = text_of(where);
    return s;
}

static void test_rows(void)
{
    kr_model *m = market();
    kr_sheet *trade = distinct(m, "trade", "fill", "miner coin day", "AND(perp, value > 10)");
    formula(m, trade, "sum", "SUM(fill.value)");
    formula(m, trade, "runs", "RUNCOUNT()");
    if (check_ok(m, __LINE__)) {
        CHECK(trade->keys[0]->type == KR_T_TEXT && trade->keys[2]->type == KR_T_DAY && trade->clock == trade->keys[2]);
        CHECK_TEXT(kr_expr_print(arena, m, kr_sheet_column(trade, "sum")->formula.expr), "SUM(fill.value BY miner, coin, day)");
        CHECK(trade->rows->where.expr && trade->rows->where.expr->type == KR_T_BOOLEAN);
    }
    m = market();
    distinct(m, "trade", "fill", "miner coin", "SUM(trade.n BY ()) > 0");
    formula(m, kr_model_sheet(m, "trade"), "n", "COUNT(fill.px)");
    MODEL_WRONG(m, "which rows sheet `trade` has depends on its own rows\n"
                   "  help: take the rows from sheets that are there before, and leave some out with a column and WHERE\n"
                   "  note: rows of `trade` → rows of `trade`");
    m = market();
    kr_model_sheet(m, "account")->where.fragment = text_of("traded > 0");
    MODEL_WRONG(m, "`where` says which rows sheet `account` has, and `traded` is known only once it has them\n"
                   "  help: name its key columns, or other sheets by an aggregate or a lookup");
    m = market();
    kr_model_sheet(m, "account")->where.fragment = text_of("ANY(day.big BY day)");
    formula(m, kr_model_sheet(m, "day"), "big", "total > 0");
    MODEL_WRONG(m, "which rows sheet `account` has depends on its own rows\n"
                   "  help: take the rows from sheets that are there before, and leave some out with a column and WHERE\n"
                   "  note: rows of `account` → `day.big` → `day.total` → rows of `account`");
    m = market();
    distinct(m, "trade", "fil", "miner coin", NULL);
    MODEL_WRONG(m, "there is no sheet `fil` to take rows from\n  help: did you mean `fill`?");
    m = market();
    distinct(m, "trade", "fill", "miner coint", NULL);
    MODEL_WRONG(m, "sheet `fill` has no column `coint` to take rows from\n  help: did you mean `coin`?");
    m = market();
    distinct(m, "trade", "fill", "miner coin", NULL)->key_count = 1;
    MODEL_WRONG(m, "the rows of sheet `trade` give `miner`, `coin`, and its key is `miner`\n  help: the key of generated rows is all they give: write the same names in both");
    m = market();
    kr_model_sheet(m, "fill")->key_names[2] = "coint";
    MODEL_WRONG(m, "the key of sheet `fill` names `coint`, and it has no such column\n  help: give it a type: fill.coint = text, number, day or time");
}

static void test_join(void)
{
    kr_model *m = market();
    kr_sheet *duo = sheet(m, "duo", "address other");
    duo->rows = rows(KR_ROWS_JOIN, "account", "address other");
    duo->rows->sheet_name_b = "account";
    duo->rows->on_count = split("day", &duo->rows->on);
    duo->rows->where.fragment = text_of("a.address <> b.address");
    duo->rows->key = KR_NEW_ARRAY(arena, kr_formula, 2);
    duo->rows->key[0].fragment = text_of("a.address");
    duo->rows->key[1].fragment = text_of("b.address");
    if (check_ok(m, __LINE__)) {
        CHECK(duo->rows->key[1].expr->frame == 1 && duo->keys[1]->type == KR_T_TEXT);
        CHECK_TEXT(kr_expr_print(arena, m, duo->rows->where.expr), "address <> account.address");
    }
    m = market();
    kr_sheet *grid = sheet(m, "grid", "coin back");
    kr_rows *range = rows(KR_ROWS_RANGE, NULL, "back");
    range->low.fragment = text_of("0");
    range->high.fragment = text_of("window - 1");
    grid->rows = both(KR_ROWS_CROSS, rows(KR_ROWS_COLUMN, "fill", "coin"), range);
    formula(m, grid, "n", "back * 2");
    if (check_ok(m, __LINE__))
        CHECK(grid->keys[1]->type == KR_T_NUMBER && range->high.expr && kr_sheet_column(grid, "n")->type == KR_T_NUMBER);
    m = market();
    grid = sheet(m, "grid", "coin back");
    range->high.fragment = text_of("window / 7");
    range->high.tree = NULL;
    grid->rows = both(KR_ROWS_CROSS, rows(KR_ROWS_COLUMN, "fill", "coin"), range);
    MODEL_WRONG(m, "the ends of range(\"back\", low, high) are whole numbers, of constants and parameters");
}

static void test_ahead(void)
{
    WRONG("account", "SUM(account.traded BY miner)", "SUM(account.traded BY miner)",
          "`account.x` reaches ahead without bound: it reads `account.traded` of every day\n"
          "  help: add the day to BY, or bound it in WHERE: account.day <= …\n"
          "  note: a published day must be computable once its horizon has passed, and never move after");
    MEANS("account", "SUM(account.traded WHERE account.day <= day BY miner)", KR_T_NUMBER, "USD", "SUM(account.traded WHERE account.day <= day BY miner)");
    MEANS("account", "MIN(identity.linked_at BY miner)", KR_T_TIME, "?", "MIN(identity.linked_at BY miner)");
    WRONG("account", "SHARE(traded BY miner)", "SHARE(traded BY miner)",
          "`account.x` reaches ahead without bound: it reads `account.x` of every day\n  help: add the day to BY\n"
          "  note: a published day must be computable once its horizon has passed, and never move after");
    WRONG("account", "COUNTIF(fill.miner = miner BY address)", "COUNTIF(fill.miner = miner BY address)",
          "`account.x` reaches ahead without bound: it reads `fill.miner` of every day\n"
          "  help: add the day to BY, or bound it in WHERE: fill.time <= …\n"
          "  note: a published day must be computable once its horizon has passed, and never move after");
    kr_model *m = market(); /* a sheet without days, of all days, is no way around */
    kr_sheet *season = sheet(m, "season", "miner");
    season->rows = rows(KR_ROWS_COLUMN, "identity", "miner");
    formula(m, season, "sum", "SUM(account.traded)");
    formula(m, kr_model_sheet(m, "account"), "x", "season.sum");
    MODEL_WRONG(m, "`account.x` reaches ahead without bound: it reads `season.sum` of every day\n  help: that column is made of all days\n"
                   "  note: a published day must be computable once its horizon has passed, and never move after");
}

static void test_header(void)
{
    kr_model *m = market();
    m->days_from.fragment = text_of("MIN(account.day)");
    MODEL_WRONG(m, "`from` of the days is of input columns only, and `account.day` is made from other sheets");
    m = market();
    struct kr_output_columns *columns = KR_NEW(arena, struct kr_output_columns);
    columns->count = split("traded smothed", &columns->names);
    m->output_columns = columns;
    MODEL_WRONG(m, "the output of sheet `account` names `smothed`, and it has no such column\n  help: did you mean `smoothed`?");
    m = market();
    kr_assert *a = &KR_PUSH(arena, m->asserts, m->assert_count, m->assert_capacity);
    *a = (kr_assert){ .sheet = kr_model_sheet(m, "day"), .title = "sum", .formula.fragment = text_of("total - 1") };
    MODEL_WRONG(m, "what a `check` states must be boolean, not number\n  help: compare it with something: = <> < <= > >=");
}

static void test_calc(void)
{
    kr_model *m = kr_model_new(arena, pool, kr_stdlib);
    static const char *const good[][2] = {
        { "1 + 2 * 3", "1 + 2 * 3" }, { "SUM(1, 2, 3)", "SUM({1, 2, 3})" }, { "AVERAGE({1, 2})", "AVERAGE({1, 2})" }, { "MAX(1, 2)", "MAX(1, 2)" },
        { "CORREL({1, 2, 3}, {2, 4, 7})", "CORREL({1, 2, 3}, {2, 4, 7})" }, { "10%", "0.1" }, { "COUNT()", NULL }, { "SUM(x.y)", NULL }, { "PREV(1)", NULL },
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        kr_diags *diags = kr_diags_new(arena);
        kr_expr *e = kr_check_formula(m, NULL, text_of(good[i][0]), diags);
        if (!good[i][1])
            CHECK(!e && kr_diags_count(diags, KR_SEVERITY_ERROR) == 1);
        else if (unit_check(e != NULL, __FILE__, __LINE__, "%s: %s", good[i][0], messages(diags)))
            CHECK_TEXT(kr_expr_print(arena, m, e), strcmp(good[i][0], "SUM(1, 2, 3)") == 0 ? "SUM({1, 2, 3})" : good[i][1]);
    }
    m = market();
    if (!check_ok(m, __LINE__))
        return;
    kr_diags *diags = kr_diags_new(arena);
    kr_expr *e = kr_check_formula(m, kr_model_sheet(m, "account"), text_of("AND(traded > 5, miner = 'alice')"), diags);
    CHECK(e && e->type == KR_T_BOOLEAN);
}

/* Formulas put together from parts at random: most are wrong in some way, none may break the checker, and the canonical text of
 * one that is accepted is accepted again and prints as itself. */
static void test_random(uint64_t seed)
{
    static const char *const parts[] = {
        "traded", "address", "day", "miner", "cut", "window", "1", "0.5", "'a'", "TRUE", "fill.px", "fill.coin", "fill.time", "account.traded", "account.day", "flow.usd",
        "wallet.flows", "identity.linked_at", "identity.address", "fill.perp", "START(day)", "END(day)", "known", "smoothed",
        "@ + @", "@ - @", "@ * @", "@ / @", "@ ^ 2", "-@", "@ & @", "@ = @", "@ < @", "@ >= @", "(@)", "@%", "IF(@, @, @)", "IF(@, @)", "AND(@, @)", "NOT(@)", "MAX(@, @)",
        "COALESCE(@, @)", "ISBLANK(@)", "ABS(@)", "SUM(@ BY ())", "SUM(@ WHERE @ BY day)", "COUNT(@ BY miner, day)", "MAX(@ BY day)", "ANY(@)", "SUM(LAST(@, window))",
        "COUNTIF(DAYS(@, 3))", "CORREL(DAYS(@, 5), DAYS(@, 5))", "PREV(@)", "PREV(@, @)", "PREV(@, @, 2)", "RUNSUM(@)", "RUNCOUNT()", "RUNMIN(@)", "ASOF(@, @ BY miner)",
        "NEXT(@, @, @ WHERE @ BY address)", "FIRST(@ BY ())", "TWA(@, @, @, @, @ BY address)", "ARGMAX(@, @ BY day)", "RANK(@ DESC, @ ASC BY day)", "SHARE(@ BY day)",
        "PRORATE(@, @ BY day)", "APPORTION(@, @ WHERE @ BY ())", "LOOKUP(account.traded, account.miner = @, account.day = @)", "LOOKUP(@, @, @)",
        "COMPONENT(@, @, EDGES(identity.address, identity.coldkey, identity.linked_at) BY ())", "COMPONENT(@, EDGES(@, @ WHERE @) BY day)", "AS(@, \"USD\")", "{@, @}",
        "MEDIAN({@, @})", "SWITCH(@, @, @, @)", "DAY(@)", "PERCENTILE(@, @ BY day)",
    };
    enum { PARTS = sizeof parts / sizeof *parts, LEAVES = 24, ROUNDS = 30000 };
    kr_model *m = market();
    if (!check_ok(m, __LINE__))
        return;
    kr_sheet *account = kr_model_sheet(m, "account");
    uint64_t state = seed;
    unsigned accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[2000] = "@";
        for (int i = 0; i < 12; i++) {
            char *hole = strchr(text, '@'), next[2000];
            if (!hole)
                break;
            const char *part = parts[unit_random(&state) % (i < 6 ? PARTS : LEAVES)];
            if (strlen(text) + strlen(part) + 1 >= sizeof text)
                break;
            snprintf(next, sizeof next, "%.*s%s%s", (int)(hole - text), text, part, hole + 1);
            memcpy(text, next, strlen(next) + 1);
        }
        for (char *hole; (hole = strchr(text, '@'));)
            *hole = '1';
        kr_diags *diags = kr_diags_new(arena);
        kr_expr *e = kr_check_formula(m, account, text_of(text), diags);
        bool wrong = kr_diags_count(diags, KR_SEVERITY_ERROR) > 0;
        if (!unit_check((e == NULL) == wrong, __FILE__, __LINE__, "seed %llu: %s: %s", (unsigned long long)seed, text, e ? messages(diags) : "refused without a word"))
            return;
        if (!e)
            continue;
        accepted++;
        char *print = kr_expr_print(arena, m, e);
        diags = kr_diags_new(arena);
        kr_expr *again = kr_check_formula(m, account, text_of(print), diags);
        if (!unit_check(again != NULL, __FILE__, __LINE__, "seed %llu: %s prints as %s: %s", (unsigned long long)seed, text, print, messages(diags))
            || !CHECK_TEXT(kr_expr_print(arena, m, again), print) || !unit_check(again->type == e->type, __FILE__, __LINE__, "%s: another type", print))
            return;
    }
    unit_check(accepted > ROUNDS / 100, __FILE__, __LINE__, "only %u of %d were accepted", accepted, ROUNDS);
}

/* The signatures and units of every primitive are of one shape and can be read. */
static void test_rows_of_primitives(void)
{
    const kr_fn *fn;
    for (size_t i = 0; (fn = kr_fn_at(kr_stdlib, i)); i++) {
        if (fn->shape == KR_FORM || !fn->unit)
            continue;
        int signatures = 1, units = 1;
        for (const char *p = fn->sig; (p = strstr(p, " | ")); p++)
            signatures++;
        for (const char *p = fn->unit; (p = strstr(p, " | ")); p++)
            units++;
        unit_check(units == 1 || units == signatures, __FILE__, __LINE__, "%s: %d alternatives, %d units", fn->name, signatures, units);
    }
}

int main(void)
{
    arena = kr_arena_new();
    pool = kr_pool_new();
    test_market();
    test_meaning();
    test_defines();
    test_chains();
    test_words();
    test_names();
    test_matches();
    test_frames();
    test_types();
    test_units();
    test_rows();
    test_join();
    test_ahead();
    test_header();
    test_calc();
    test_rows_of_primitives();
    test_random(20261130);
    kr_pool_free(pool);
    kr_arena_free(arena);
    return unit_done();
}
