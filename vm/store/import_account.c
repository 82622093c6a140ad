/* import_account.c: what an account is and has: value histories, positions, sub-accounts, roles; and the marks of the day's contexts. */
#include <stdio.h>
#include <string.h>

#include "vm/store/import_internal.h"
#include "vm/text/time.h"

bool kr_need_address(kr_import *im, const kr_answer *a)
{
    if (a->address)
        return true;
    kr_diag *d = kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "the answer does not say whose it is");
    kr_diag_help(im->diags, d, "give --address 0x…, or the request beside the response: {\"request\": {\"type\": …, \"user\": …}, \"response\": …}");
    return false;
}

/* ------------------------------------------------------------------ portfolio */

/* [time, decimal] */
static bool read_point(kr_import *im, const kr_json *pair, int64_t *time, const char **value)
{
    if (pair->type != KR_JSON_LIST || pair->count != 2) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, pair, "a point of the history is [time, value]");
        return false;
    }
    kr_json v = *pair->first->next, t = *pair->first;
    v.name = "value";
    v.next = NULL;
    t.name = "time";
    t.next = &v;
    kr_json object = { .type = KR_JSON_OBJECT, .at = pair->at, .end = pair->end, .first = &t, .count = 2 };
    bool timed = kr_member_time(im, &object, "time", KR_NEEDED, time);
    *value = kr_member_number(im, &object, "value", KR_NEEDED, NULL);
    return timed && *value;
}

static bool keep_point(kr_import *im, const kr_json *at, const char *address, int64_t time, const char *value, bool origin)
{
    sqlite3_stmt *row;
    int got = kr_sql(im, &row, "SELECT value FROM value_read WHERE address = ?1 AND time = ?2 UNION ALL SELECT value FROM value_point WHERE address = ?1 AND time = ?2", "ti", address, time);
    const char *there = got == SQLITE_ROW ? kr_sql_text(im, row, 0) : NULL;
    if (there && !kr_same_number(there, value)) {
        kr_import_conflict(im, at, "a value point", kr_arena_printf(im->scratch, "%s %lld: %s", address, (long long)time, value),
                           kr_arena_printf(im->scratch, "%s %lld: %s", address, (long long)time, there));
        return false;
    }
    kr_sql(im, NULL, "INSERT OR IGNORE INTO value_read VALUES (?1, ?2, ?3, 0)", "tit", address, time, value);
    if (origin)
        kr_sql(im, NULL, "UPDATE value_read SET origin = 1 WHERE address = ?1 AND time = ?2", "ti", address, time);
    return !there;
}

static const kr_json *history(const kr_json *answer, const char *window)
{
    for (const kr_json *pair = answer->first; pair; pair = pair->next)
        if (pair->type == KR_JSON_LIST && pair->count == 2 && !strcmp(pair->first->text, window))
            return kr_json_get(pair->first->next, "accountValueHistory");
    return NULL;
}

void kr_import_portfolio(kr_import *im, const kr_answer *a)
{
    static const char *const windows[] = { "perpAllTime", "perpMonth", "perpWeek", "perpDay" };
    size_t count = 0, fresh = 0;
    int64_t low = INT64_MAX, high = INT64_MIN, dense = INT64_MAX;
    if (!kr_need_address(im, a))
        return;
    /* The account's history begins with the first point of perpAllTime, if the account is not older than what is kept of its perpetuals. */
    const kr_json *all = history(a->value, "allTime"), *perp = history(a->value, "perpAllTime");
    bool same_start = all && perp && all->first && perp->first && all->first->first && perp->first->first && !strcmp(all->first->first->text, perp->first->first->text);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        const kr_json *points = history(a->value, windows[w]);
        if (!points || points->type != KR_JSON_LIST) {
            kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "the portfolio has no history `%s`", windows[w]);
            return;
        }
        for (const kr_json *pair = points->first; pair; pair = pair->next) {
            int64_t time;
            const char *value;
            if (!read_point(im, pair, &time, &value))
                return;
            fresh += keep_point(im, pair, a->address, time, value, w == 0 && pair == points->first && same_start);
            count++;
            low = time < low ? time : low;
            high = time > high ? time : high;
            if (w >= 2) /* the windows whose steps are hours */
                dense = time < dense ? time : dense;
        }
        if (im->wrong)
            return;
    }
    if (!count && a->read_at != KR_NO_TIME) /* an account without a history: so it was read in the week that the dense windows show */
        kr_import_log(im, a, "portfolio", a->read_at - 7 * KR_DAY_MS, a->read_at + 1, false, false, 0);
    if (count)
        kr_import_log(im, a, "portfolio", dense == INT64_MAX ? low : dense, (a->read_at > high ? a->read_at : high) + 1, false, false, count);
    kr_import_touch(im, a->address);
    kr_import_say(im, "portfolio", count, fresh, NULL);
}

/* ------------------------------------------------------------------ positions */

/* `position` shows, of a day, the first reading in the 24 hours after it. */
static void show_positions(kr_import *im, const kr_json *at, const char *address, int64_t time)
{
    sqlite3_stmt *row;
    const char *day = kr_import_day_text(im->scratch, kr_day_of_time(time) - 1), **coins = NULL, **sizes = NULL;
    size_t count = 0, capacity = 0, size_count = 0, size_capacity = 0;
    if (kr_sql(im, &row, "SELECT time FROM position_read WHERE address = ?1 AND day = ?2", "tt", address, day) == SQLITE_ROW) {
        int64_t before = sqlite3_column_int64(row, 0);
        if (before <= time)
            return;
        kr_sql(im, NULL, "DELETE FROM position WHERE address = ?1 AND day = ?2 AND coin IN (SELECT coin FROM state_position WHERE address = ?1 AND time = ?3)", "tti", address, day, before);
    }
    for (int got = kr_sql(im, &row, "SELECT coin, size FROM state_position WHERE address = ?1 AND time = ?2", "ti", address, time); got == SQLITE_ROW; got = sqlite3_step(row)) {
        KR_PUSH(im->scratch, coins, count, capacity) = kr_sql_text(im, row, 0);
        KR_PUSH(im->scratch, sizes, size_count, size_capacity) = kr_sql_text(im, row, 1);
    }
    for (size_t i = 0; i < count; i++) {
        if (kr_sql(im, &row, "SELECT size FROM position WHERE address = ?1 AND coin = ?2 AND day = ?3", "ttt", address, coins[i], day) == SQLITE_ROW) {
            const char *there = kr_sql_text(im, row, 0);
            if (!kr_same_number(there, sizes[i]))
                kr_import_conflict(im, at, "a position", kr_arena_printf(im->scratch, "%s %s %s: %s", address, coins[i], day, sizes[i]),
                                   kr_arena_printf(im->scratch, "%s %s %s: %s", address, coins[i], day, there));
        }
        kr_sql(im, NULL, "INSERT OR IGNORE INTO position VALUES (?1, ?2, ?3, ?4)", "tttt", address, coins[i], day, sizes[i]);
    }
    kr_sql(im, NULL, "INSERT OR REPLACE INTO position_read VALUES (?1, ?2, ?3)", "tti", address, day, time);
}

typedef struct held { const char *coin, *size; const kr_json *at; } held;

static bool read_positions(kr_import *im, const kr_json *state, held **out, size_t *count, bool *dex)
{
    const kr_json *list = kr_json_get(state, "assetPositions");
    size_t capacity = 0;
    *out = NULL;
    *count = 0;
    *dex = false;
    for (const kr_json *p = list ? list->first : NULL; p; p = p->next) {
        const kr_json *position = kr_json_get(p, "position");
        const char *coin = position ? kr_member_text(im, position, "coin", KR_NEEDED) : NULL;
        const char *size = coin ? kr_member_number(im, position, "szi", KR_NEEDED, NULL) : NULL;
        if (!position)
            kr_import_fault(im, KR_E_ANSWER_SHAPE, p, "an element of `assetPositions` has no `position`");
        if (!size)
            return false;
        *dex |= strcmp(kr_market_of(coin), "perp") != 0;
        KR_PUSH(im->scratch, *out, *count, capacity) = (held){ coin, size, p };
    }
    return true;
}

/* Gives the number of positions that are new. */
static size_t keep_state(kr_import *im, const kr_json *state, const char *address, int64_t time, const held *all, size_t count)
{
    sqlite3_stmt *row;
    bool there = kr_sql(im, &row, "SELECT 1 FROM state_read WHERE address = ?1 AND time = ?2", "ti", address, time) == SQLITE_ROW;
    size_t fresh = 0;
    for (size_t i = 0; i < count; i++) {
        const char *before = NULL;
        if (kr_sql(im, &row, "SELECT size FROM state_position WHERE address = ?1 AND time = ?2 AND coin = ?3", "tit", address, time, all[i].coin) == SQLITE_ROW)
            before = kr_sql_text(im, row, 0);
        if (there && (!before || !kr_same_number(before, all[i].size))) {
            kr_import_conflict(im, all[i].at, "a position", kr_arena_printf(im->scratch, "%s %lld %s: %s", address, (long long)time, all[i].coin, all[i].size),
                               kr_arena_printf(im->scratch, "%s %lld %s: %s", address, (long long)time, all[i].coin, before ? before : "none"));
            return 0;
        }
        kr_sql(im, NULL, "INSERT OR IGNORE INTO state_position VALUES (?1, ?2, ?3, ?4)", "titt", address, time, all[i].coin, all[i].size);
        fresh += !there;
    }
    kr_sql(im, NULL, "INSERT OR IGNORE INTO state_read VALUES (?1, ?2)", "ti", address, time);
    show_positions(im, state, address, time);
    return fresh;
}

void kr_import_state(kr_import *im, const kr_answer *a)
{
    int64_t time = KR_NO_TIME;
    held *all;
    size_t count;
    bool dex;
    if (!kr_need_address(im, a) || !read_positions(im, a->value, &all, &count, &dex))
        return;
    kr_member_time(im, a->value, "time", KR_OPTIONAL, &time);
    if (time == KR_NO_TIME)
        time = a->read_at;
    if (time == KR_NO_TIME && !im->wrong) {
        kr_diag *d = kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "the state of the account does not say when it was read");
        kr_diag_help(im->diags, d, "give --read-at TIME");
    }
    if (im->wrong)
        return;
    if (dex) {
        kr_import_say(im, "clearinghouseState", count, 0, "not the main perpetuals: left out");
        return;
    }
    size_t fresh = keep_state(im, a->value, a->address, time, all, count);
    kr_import_log(im, a, "clearinghouseState", time, time + 1, false, false, count);
    kr_import_say(im, "clearinghouseState", count, fresh, count ? NULL : "no position");
}

/* ------------------------------------------------------------------ who belongs to whom */

static bool keep_role(kr_import *im, const kr_json *at, const char *address, const char *role, const char *master)
{
    sqlite3_stmt *row;
    if (*master && kr_sql(im, &row, "SELECT master FROM role_read WHERE address = ?1 AND role = ?2 AND master <> ?3", "ttt", address, role, master) == SQLITE_ROW) {
        const char *there = kr_sql_text(im, row, 0);
        kr_import_conflict(im, at, "a sub-account's master", kr_arena_printf(im->scratch, "%s: %s", address, master), kr_arena_printf(im->scratch, "%s: %s", address, there));
        return false;
    }
    bool fresh = kr_sql(im, &row, "SELECT 1 FROM role_read WHERE address = ?1 AND role = ?2 AND master = ?3", "ttt", address, role, master) == SQLITE_DONE;
    kr_sql(im, NULL, "INSERT OR IGNORE INTO role_read VALUES (?1, ?2, ?3)", "ttt", address, role, master);
    return fresh;
}

void kr_import_role(kr_import *im, const kr_answer *a)
{
    const char *role = kr_member_text(im, a->value, "role", KR_NEEDED), *master = "";
    const kr_json *data = kr_json_get(a->value, "data");
    if (!role || !kr_need_address(im, a))
        return;
    if (!strcmp(role, "subAccount")) {
        master = data ? kr_member_address(im, data, "master", KR_NEEDED) : NULL;
        if (!data)
            kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "the role of a sub-account has no `data`");
        if (!master)
            return;
    }
    bool fresh = keep_role(im, a->value, a->address, role, master);
    bool known = !strcmp(role, "missing") || !strcmp(role, "user") || !strcmp(role, "vault") || !strcmp(role, "agent") || !strcmp(role, "subAccount");
    kr_import_say(im, "userRole", 1, fresh, known ? role : kr_arena_printf(im->scratch, "a role that is not known: %s", role));
}

void kr_import_sub_accounts(kr_import *im, const kr_answer *a)
{
    size_t count = 0, fresh = 0;
    for (const kr_json *o = a->value->first; o && !im->wrong; o = o->next, count++) {
        const char *address = kr_member_address(im, o, "subAccountUser", KR_NEEDED), *master = address ? kr_member_address(im, o, "master", KR_NEEDED) : NULL;
        if (!master)
            return;
        fresh += keep_role(im, o, address, "subAccount", master);
        const kr_json *state = kr_json_get(o, "clearinghouseState"), *list = kr_json_get(o, "dexToClearinghouseState");
        for (const kr_json *pair = list ? list->first : NULL; pair; pair = pair->next) /* the main exchange has the empty name */
            if (pair->type == KR_JSON_LIST && pair->count == 2 && !*pair->first->text)
                state = pair->first->next;
        held *all;
        size_t positions;
        bool dex;
        int64_t time;
        if (state && kr_json_get(state, "time") && kr_member_time(im, state, "time", KR_NEEDED, &time) && read_positions(im, state, &all, &positions, &dex) && !dex) {
            kr_answer of = *a;
            of.address = address;
            keep_state(im, state, address, time, all, positions);
            kr_import_log(im, &of, "clearinghouseState", time, time + 1, false, false, positions);
        }
    }
    kr_import_say(im, "subAccounts", count, fresh, NULL);
}

/* ------------------------------------------------------------------ marks */

void kr_import_contexts(kr_import *im, const kr_answer *a)
{
    const kr_json *universe = kr_json_get(a->value->first, "universe"), *contexts = a->value->first->next;
    size_t count = 0, fresh = 0;
    if (!universe || universe->type != KR_JSON_LIST || universe->count != contexts->count) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "the coins and their contexts are not equally many");
        return;
    }
    if (a->read_at == KR_NO_TIME) {
        kr_import_say(im, "metaAndAssetCtxs", contexts->count, 0, "marks without a time are left out: give --read-at TIME");
        return;
    }
    const kr_json *context = contexts->first;
    for (const kr_json *coin = universe->first; coin && !im->wrong; coin = coin->next, context = context->next) {
        kr_num value;
        const char *name = kr_member_text(im, coin, "name", KR_NEEDED), *mark = kr_member_number(im, context, "markPx", KR_OPTIONAL, &value);
        sqlite3_stmt *row;
        if (!name || !mark || kr_num_cmp(value, KR_NUM_ZERO) <= 0)
            continue;
        count++;
        if (kr_sql(im, &row, "SELECT px FROM mark WHERE coin = ?1 AND time = ?2", "ti", name, a->read_at) == SQLITE_ROW) {
            const char *there = kr_sql_text(im, row, 0);
            if (!kr_same_number(there, mark))
                kr_import_conflict(im, context, "a mark", kr_arena_printf(im->scratch, "%s %lld: %s", name, (long long)a->read_at, mark),
                                   kr_arena_printf(im->scratch, "%s %lld: %s", name, (long long)a->read_at, there));
            continue;
        }
        kr_sql(im, NULL, "INSERT INTO mark VALUES (?1, ?2, ?3)", "tit", name, a->read_at, mark);
        fresh++;
    }
    im->marks_touched |= fresh > 0;
    kr_import_log(im, a, "mark", a->read_at, a->read_at + 1, false, false, count);
    kr_import_say(im, "metaAndAssetCtxs", count, fresh, NULL);
}
