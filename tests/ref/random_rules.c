/* random_rules.c: see random_rules.h. */
#include "tests/ref/random_internal.h"

#include <stdio.h>
#include <string.h>

#include "vm/text/time.h"

/* ---- proposals */

static gen_column *propose_column(random_rules *r, int sheet, kr_type type)
{
    proposal_column *p = &r->proposed[r->proposed_count++];
    p->sheet = sheet;
    p->column.type = type;
    p->column.input = false;
    snprintf(p->column.name, sizeof p->column.name, "c%d", r->next_name++);
    return &p->column;
}

static void propose_line(random_rules *r, int sheet, const gen_column *c, const buffer *formula)
{
    r->proposal_len += (size_t)snprintf(r->proposal + r->proposal_len, sizeof r->proposal - r->proposal_len, "%s.%s = \"%s\"\n", r->sheets[sheet].name, c->name,
                                        formula->at);
}

/* Columns that need each other through time. */
static void propose_group(random_rules *r)
{
    buffer t = { .len = 0 };
    scope grid = { GRID, 0, IN_ROW, NULL, false };
    gen_column *a, *b, *c;
    switch (below(r, 8)) {
    case 7: /* several rows a day */
        a = propose_column(r, LOG, KR_T_NUMBER);
        b = propose_column(r, LOG, KR_T_NUMBER);
        random_put(&t, "PREV(%s, 1) * q + COALESCE(v, 0)", b->name);
        propose_line(r, LOG, a, &t);
        t.len = 0;
        random_put(&t, "%s(%s(%s, %d))", chance(r, 50) ? "SUM" : "MAX", chance(r, 50) ? "DAYS" : "LAST", a->name, 1 + below(r, 3));
        propose_line(r, LOG, b, &t);
        break;
    case 0: /* two columns of one sheet */
        a = propose_column(r, GRID, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_BOOLEAN);
        random_put(&t, "IF(PREV(%s, TRUE), PREV(%s, 0) + ", b->name, a->name);
        random_formula(r, &t, &grid, KR_T_NUMBER, 2);
        random_put(&t, ", q)");
        propose_line(r, GRID, a, &t);
        t.len = 0;
        random_put(&t, "%s > ", a->name);
        random_formula(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, b, &t);
        break;
    case 1: /* a day's total of the rows, and the day before it looked up */
        a = propose_column(r, DAILY, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_NUMBER);
        random_put(&t, "SUM(grid.%s BY day)", b->name);
        propose_line(r, DAILY, a, &t);
        t.len = 0;
        random_put(&t, "PREV(%s, 1) * q + COALESCE(LOOKUP(daily.%s, daily.day = day - 1), ", b->name, a->name);
        random_formula(r, &t, &grid, KR_T_NUMBER, 2);
        random_put(&t, ")");
        propose_line(r, GRID, b, &t);
        break;
    case 2: /* three columns over two sheets */
        a = propose_column(r, DAILY, KR_T_NUMBER);
        b = propose_column(r, DAILY, KR_T_NUMBER);
        c = propose_column(r, GRID, KR_T_NUMBER);
        random_put(&t, "PREV(%s, 0) + 1", b->name);
        propose_line(r, DAILY, a, &t);
        t.len = 0;
        random_put(&t, "%s * q + COALESCE(MAX(grid.%s BY day), 0)", a->name, c->name);
        propose_line(r, DAILY, b, &t);
        t.len = 0;
        random_put(&t, "PREV(%s, 0) * q + COALESCE(daily.%s, 0) + ", c->name, a->name);
        random_formula(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, c, &t);
        break;
    case 3: /* a sequence without a day */
        a = propose_column(r, STEP, KR_T_NUMBER);
        b = propose_column(r, STEP, KR_T_NUMBER);
        random_put(&t, "PREV(%s, 1) * q + COALESCE(x, 0)", b->name);
        propose_line(r, STEP, a, &t);
        t.len = 0;
        random_put(&t, "%s(%s)", chance(r, 50) ? "RUNSUM" : "RUNMAX", a->name);
        propose_line(r, STEP, b, &t);
        break;
    case 4: /* a share of what was, and a window of it */
        a = propose_column(r, GRID, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_NUMBER);
        random_put(&t, "PRORATE(100, COALESCE(PREV(%s, 1), 0) + 1 BY day)", b->name);
        propose_line(r, GRID, a, &t);
        t.len = 0;
        random_put(&t, "%s(DAYS(%s, %d)) + ", chance(r, 50) ? "AVERAGE" : "SUM", a->name, 1 + below(r, 3));
        random_formula(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, b, &t);
        break;
    case 5: /* a rank among rows that move */
        a = propose_column(r, GRID, KR_T_NUMBER);
        random_put(&t, "RANK(COALESCE(PREV(%s, p), 0) * q ASC BY day) + ", a->name);
        random_formula(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, a, &t);
        break;
    default: /* windows over itself */
        a = propose_column(r, GRID, KR_T_NUMBER);
        random_put(&t, "%s(%s(PREV(%s, 1), %d)) * q + ", chance(r, 50) ? "SUM" : "MEDIAN", chance(r, 50) ? "LAST" : "DAYS", a->name, 1 + below(r, 3));
        random_formula(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, a, &t);
    }
}

void random_rules_propose(random_rules *r)
{
    r->proposal_len = 0;
    r->proposal[0] = 0;
    r->proposed_count = 0;
    if (chance(r, 12)) {
        propose_group(r);
        return;
    }
    int sheet = random_sheet(r);
    buffer t = { .len = 0 };
    if (chance(r, 4)) {
        scope here = { sheet, 0, IN_ROW, NULL, false };
        random_formula(r, &t, &here, KR_T_BOOLEAN, 2);
        r->proposal_len = (size_t)snprintf(r->proposal, sizeof r->proposal, "check(%s, \"c%d\", \"%s\")\n", r->sheets[sheet].name, r->next_name++, t.at);
        return;
    }
    gen_column *c = propose_column(r, sheet, chance(r, 55) ? KR_T_NUMBER : random_types[below(r, 5)]);
    scope s = { sheet, 0, IN_ROW, c, false };
    if (chance(r, 60))
        random_form(r, &t, &s, c->type, 3);
    else
        random_formula(r, &t, &s, c->type, 3);
    propose_line(r, sheet, c, &t);
}

void random_rules_verdict(random_rules *r, bool keep)
{
    if (keep && r->text_len + r->proposal_len < sizeof r->text) {
        memcpy(r->text + r->text_len, r->proposal, r->proposal_len + 1);
        r->text_len += r->proposal_len;
        for (int i = 0; i < r->proposed_count; i++) {
            gen_sheet *s = &r->sheets[r->proposed[i].sheet];
            if (s->count < MAX_COLUMNS)
                s->columns[s->count++] = r->proposed[i].column;
        }
    }
    r->proposal_len = 0;
    r->proposal[0] = 0;
    r->proposed_count = 0;
}

const char *random_rules_text(random_rules *r)
{
    snprintf(r->whole, sizeof r->whole, "%s%s%s", r->skeleton, r->text, r->proposal);
    return r->whole;
}

const char *random_rules_proposal(const random_rules *r) { return r->proposal; }

/* ---- the skeleton and its data */

static void add_column(gen_sheet *s, const char *name, kr_type type, bool input)
{
    gen_column *c = &s->columns[s->count++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->type = type;
    c->input = input;
}

static void new_sheet(gen_sheet *s, const char *name, int keys, kr_type order, bool by_day)
{
    s->name = name;
    s->keys = keys;
    s->order = order;
    s->by_day = by_day;
}

random_rules *random_rules_new(uint64_t seed)
{
    random_rules *r = kr_alloc(sizeof *r);
    r->state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (int i = 0; i < 4; i++)
        random_next(r);
    gen_sheet *s = r->sheets;
    new_sheet(&s[ITEM], "item", 2, KR_T_TIME, false);
    add_column(&s[ITEM], "who", KR_T_TEXT, true);
    add_column(&s[ITEM], "at", KR_T_TIME, true);
    add_column(&s[ITEM], "num", KR_T_NUMBER, true);
    add_column(&s[ITEM], "tag", KR_T_TEXT, true);
    add_column(&s[ITEM], "flag", KR_T_BOOLEAN, true);
    add_column(&s[ITEM], "peer", KR_T_TEXT, true);
    add_column(&s[ITEM], "day", KR_T_DAY, false);
    new_sheet(&s[EVENT], "event", 0, KR_T_TIME, false);
    add_column(&s[EVENT], "who", KR_T_TEXT, true);
    add_column(&s[EVENT], "at", KR_T_TIME, true);
    add_column(&s[EVENT], "amount", KR_T_NUMBER, true);
    add_column(&s[EVENT], "tag", KR_T_TEXT, true);
    add_column(&s[EVENT], "ok", KR_T_BOOLEAN, true);
    add_column(&s[EVENT], "day", KR_T_DAY, false);
    new_sheet(&s[PRICE], "price", 2, KR_T_DAY, true);
    add_column(&s[PRICE], "tag", KR_T_TEXT, true);
    add_column(&s[PRICE], "day", KR_T_DAY, true);
    add_column(&s[PRICE], "value", KR_T_NUMBER, true);
    add_column(&s[PRICE], "seen", KR_T_TIME, true);
    new_sheet(&s[STEP], "step", 2, KR_T_NUMBER, false);
    add_column(&s[STEP], "who", KR_T_TEXT, true);
    add_column(&s[STEP], "n", KR_T_NUMBER, true);
    add_column(&s[STEP], "x", KR_T_NUMBER, true);
    add_column(&s[STEP], "mark", KR_T_BOOLEAN, true);
    new_sheet(&s[LOG], "log", 3, KR_T_DAY, true);
    add_column(&s[LOG], "who", KR_T_TEXT, true);
    add_column(&s[LOG], "day", KR_T_DAY, true);
    add_column(&s[LOG], "n", KR_T_NUMBER, true);
    add_column(&s[LOG], "v", KR_T_NUMBER, true);
    add_column(&s[LOG], "w", KR_T_BOOLEAN, true);
    new_sheet(&s[GRID], "grid", 2, KR_T_DAY, true);
    add_column(&s[GRID], "who", KR_T_TEXT, true);
    add_column(&s[GRID], "day", KR_T_DAY, true);
    new_sheet(&s[DAILY], "daily", 1, KR_T_DAY, true);
    add_column(&s[DAILY], "day", KR_T_DAY, true);
    new_sheet(&s[COMBO], "combo", 2, KR_T_NONE, false);
    add_column(&s[COMBO], "who", KR_T_TEXT, true);
    add_column(&s[COMBO], "tag", KR_T_TEXT, true);
    new_sheet(&s[DUO], "duo", 2, KR_T_NONE, false);
    add_column(&s[DUO], "who", KR_T_TEXT, true);
    add_column(&s[DUO], "other", KR_T_TEXT, true);
    new_sheet(&s[BACK], "back", 3, KR_T_DAY, true);
    add_column(&s[BACK], "who", KR_T_TEXT, true);
    add_column(&s[BACK], "day", KR_T_DAY, true);
    add_column(&s[BACK], "ago", KR_T_NUMBER, true);
    new_sheet(&s[ALL], "everyone", 1, KR_T_NONE, false);
    add_column(&s[ALL], "who", KR_T_TEXT, true);
    new_sheet(&s[FOLD], "walk", 2, KR_T_NUMBER, false);
    add_column(&s[FOLD], "who", KR_T_TEXT, true);
    add_column(&s[FOLD], "n", KR_T_NUMBER, true);
    add_column(&s[FOLD], "total", KR_T_NUMBER, true);
    add_column(&s[FOLD], "tag", KR_T_TEXT, true);
    add_column(&s[FOLD], "at", KR_T_TIME, true);

    char bare[64]; /* the condition of `distinct` names the columns bare */
    snprintf(bare, sizeof bare, "%s", chance(r, 50) ? "ok" : below(r, 2) ? "amount > 0" : "NOT(ISBLANK(amount))");
    static const char *const join_on[] = { "\"tag\"", "\"day\"", "" };
    static const char *const join_where[] = { ", where = \"a.who <> b.who\"", ", where = \"a.who <> b.who\"", "", ", where = \"AND(b.at >= a.at, b.at <= a.at + HOURS(30))\"",
                                              ", where = \"AND(b.at >= a.at, NOT(ISBLANK(HOPS(a.who, a.at, b.who, b.at, 2, a.day, EDGES(item.who, item.peer, item.at), EDGES(item.peer, item.who, item.at) BY ()))))\"",
                                              ", where = \"AND(HOPS(a.who, a.at, b.who, b.at, p, b.day, EDGES(item.who, item.peer, item.at, item.day), EDGES(item.peer, item.who, item.at) BY ()) > 0, b.at >= a.at)\"",
                                              ", where = \"AND(a.num / 2 > 0, b.tag <> 'x', b.at > a.at - HOURS(20), a.at + HOURS(50) >= b.at, OR(a.flag, b.who > a.peer))\"" };
    static const char *const outputs[] = { "item", "item, combo, walk", "grid, daily, event", "log, step, duo, back, everyone, price" };
    static const char *const grid_where[] = { "", ", where = \"COUNT(item.num BY who) > 1\"", ", where = \"END(day) > MIN(item.at BY who)\"", ", where = \"who <> 'b'\"" };
    snprintf(r->skeleton, sizeof r->skeleton,
             "rulebook { id = \"test/random\", version = 1, language = 1, title = \"random\", effective_from = \"2024-01-01\", notice_days = 0,\n"
             "  days = { from = \"MIN(item.at)\", lead = %d } }\n"
             "param.p = 2\nparam.q = 0.5\nparam.p_big = 100000000000\n"
             "local item = sheet(\"item\", { \"who\", \"at\" })\n"
             "item.who = text\nitem.at = time\nitem.num = number\nitem.tag = text\nitem.flag = boolean\nitem.peer = text\nitem.day = \"DAY(at)\"\n"
             "local event = sheet(\"event\", {})\n"
             "event.who = text\nevent.at = time\nevent.amount = number\nevent.tag = text\nevent.ok = boolean\nevent.day = \"DAY(at)\"\n"
             "local price = sheet(\"price\", { \"tag\", \"day\" }%s)\n"
             "price.tag = text\nprice.day = day\nprice.value = number\nprice.seen = time\n"
             "local step = sheet(\"step\", { \"who\", \"n\" }, { per = { \"who\" }, order = { \"%s\" } })\n"
             "step.who = text\nstep.n = number\nstep.x = number\nstep.mark = boolean\n"
             "local log = sheet(\"log\", { \"who\", \"day\", \"n\" }, { per = { \"who\" }, order = { \"day\", \"n\" } })\n"
             "log.who = text\nlog.day = day\nlog.n = number\nlog.v = number\nlog.w = boolean\n"
             "local grid = sheet(\"grid\", { \"who\", \"day\" }, { rows = cross(\"item.who\", \"day\")%s })\n"
             "local daily = sheet(\"daily\", { \"day\" }, { rows = cross(\"day\") })\n"
             "local combo = sheet(\"combo\", { \"who\", \"tag\" }, { rows = distinct(\"event\", { \"who\", \"tag\" }, \"%s\") })\n"
             "local duo = sheet(\"duo\", { \"who\", \"other\" }, { rows = join { a = \"item\", b = \"%s\", on = { %s }%s,\n"
             "  key = { who = \"a.who\", other = \"b.who\" } } })\n"
             "local back = sheet(\"back\", { \"who\", \"day\", \"ago\" }, { rows = cross(distinct(\"%s\", { \"who\", \"day\" }), range(\"ago\", 0, \"p - 1\")) })\n"
             "local everyone = sheet(\"everyone\", { \"who\" }, { rows = union { distinct(\"item\", { \"who\" }), distinct(\"event\", { \"who\" }, \"%s\") } })\n"
             "fn.mixed = function(x, y)\n  if isblank(x) then return y end\n  local s = 0\n  for i = 1, 3 do s = s + x * i end\n"
             "  while s > 10 do s = s / 2 end\n  return s - y\nend\n"
             "local walk = sheet(\"walk\", { \"who\", \"n\" }, { per = { \"who\" }, order = { \"n\" }, rows = fold { over = \"event\", per = { \"who\" }, order = { \"at\" }%s,\n"
             "  state = { count = 0, total = 0, seen = text },\n  step = function(state, event, emit)\n    state.count = state.count + 1\n"
             "    if not isblank(event.amount) then state.total = state.total + event.amount end\n"
             "    if not isblank(event.tag) then state.seen = event.tag end\n"
             "    emit { who = event.who, n = state.count, total = state.total, tag = state.seen, at = event.at }\n  end } })\n"
             "walk.who = text\nwalk.n = number\nwalk.total = number\nwalk.tag = text\nwalk.at = time\n"
             "output { %s }\n",
             below(r, 3), chance(r, 40) ? ", { where = \"value > 0\" }" : "", chance(r, 70) ? "n" : "x", grid_where[below(r, 4)], bare, chance(r, 50) ? "item" : "event",
             join_on[below(r, 3)], join_where[below(r, 7)], chance(r, 50) ? "item" : "grid", bare,
             chance(r, 40) ? ", where = \"ok\"" : "", outputs[below(r, 4)]);
    static const int most[] = { 14, 24, 12, 14, 30 };
    r->large = seed % 16 == 0;
    r->focus = below(r, 12);
    for (int i = 0; i < DATA_SHEETS; i++) {
        r->row_count[i] = chance(r, 8) ? 0 : 1 + below(r, r->large ? MAX_ROWS : most[i]);
        if (i == ITEM && r->row_count[i] == 0 && chance(r, 80))
            r->row_count[i] = 5;
        for (int row = 0; row < r->row_count[i]; row++)
            for (int k = 0; k < 8; k++)
                r->draw[i][row][k] = random_next(r) >> 8;
    }
    return r;
}

void random_rules_free(random_rules *r) { kr_free(r); }

int64_t random_rules_last_day(void) { return BASE_DAY + DAYS_OF_DATA - 1; }

static kr_cell value(const random_rules *r, const kr_dataset *data, kr_type type, uint64_t draw, bool key)
{
    static const char *const texts[] = { "a", "b", "c", "d", "x" };
    static const char *const numbers[] = { "0", "1", "-1", "0.5", "2", "-3.25", "7", "0.000000000000000001", "12.5", "100", "-0.1", "0.333333333333333333" };
    if (!key && draw % 7 == 0)
        return KR_BLANK;
    draw /= 7;
    switch (type) {
    case KR_T_NUMBER: {
        kr_num out;
        const char *text = numbers[draw % 12];
        if (key)
            return kr_num_of_int((int64_t)(draw % (r->large ? 200 : 9)));
        if (draw % 97 == 0)
            return kr_num_of_int(INT64_C(100000000000));
        KR_ASSERT(kr_num_read(text, strlen(text), &out, NULL) == KR_READ_OK);
        return out;
    }
    case KR_T_BOOLEAN: return kr_cell_of_bool(draw & 1);
    case KR_T_TEXT:
        if (r->large && draw % 3 == 0) { /* further names, so that there are many groups */
            char name[8];
            int len = snprintf(name, sizeof name, "n%u", (unsigned)(draw / 3 % 40));
            return kr_cell_of_text(data->pool, name, (size_t)len);
        }
        return kr_cell_of_text(data->pool, texts[draw % 5], 1);
    case KR_T_DAY: return kr_cell_of_int(BASE_DAY + (int64_t)(draw % DAYS_OF_DATA));
    default: return kr_cell_of_int(BASE_DAY * KR_DAY_MS + (int64_t)(draw % (DAYS_OF_DATA * 4)) * (KR_DAY_MS / 4));
    }
}

kr_dataset *random_rules_data(random_rules *r, const kr_model *model)
{
    kr_dataset *data = kr_dataset_new(model->pool);
    for (int i = 0; i < DATA_SHEETS; i++) {
        const gen_sheet *s = &r->sheets[i];
        const kr_sheet *target = kr_model_sheet(model, s->name);
        int order[MAX_ROWS], kept = 0;
        for (int row = 0; row < r->row_count[i]; row++) { /* each key once */
            bool again = false;
            for (int other = 0; other < row && s->keys > 0 && !again; other++) {
                again = true;
                for (int k = 0; k < s->keys; k++)
                    again &= kr_raw_eq(value(r, data, s->columns[k].type, r->draw[i][row][k], true), value(r, data, s->columns[k].type, r->draw[i][other][k], true));
            }
            if (!again)
                order[kept++] = row;
        }
        for (int k = kept - 1; k > 0; k--) {
            int j = below(r, k + 1), t = order[k];
            order[k] = order[j];
            order[j] = t;
        }
        kr_table *table = kr_dataset_add(data, target, (size_t)kept);
        for (int c = 0, drawn = 0; c < s->count; c++) {
            kr_column *column = kr_table_column(table, s->columns[c].name);
            if (!s->columns[c].input || !column)
                continue;
            for (int row = 0; row < kept; row++)
                kr_column_set(column, (size_t)row, value(r, data, s->columns[c].type, r->draw[i][order[row]][drawn], c < s->keys));
            drawn++;
        }
        uint32_t a, b;
        KR_ASSERT(kr_table_sort(table, target, model->pool, &a, &b));
    }
    return data;
}
