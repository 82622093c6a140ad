/* import_ready.c: whether a day can be scored: is everything that the pay rule computes it from there, and has the time passed in which
 * later records may touch it? Judged by what the database says was read, never by the clock. */
#include <sqlite3.h>
#include <string.h>

#include "vm/store/import_internal.h"
#include "vm/store/loading.h"
#include "vm/text/time.h"

enum { STATEMENTS = 32 };

typedef struct known { /* stretches that were looked up already */
    const char *kind, *address, *coin, *span;
    kr_stretch *all;
    size_t count;
} known;

typedef struct judge {
    sqlite3 *db;
    struct { const char *sql; sqlite3_stmt *statement; } statements[STATEMENTS]; /* by the literal */
    int statement_count;
    known *known;          /* open addressing */
    size_t known_room, known_used;
    kr_arena *arena;
    const kr_ready_rules *rules;
    kr_ready *day;
    int64_t t0, t1, settled, now;
    bool failed;
    bool flow_table;        /* an address of the day has its flows from the table alone */
} judge;

static sqlite3_stmt *ask(judge *j, const char *sql, const char *a, int64_t from, int64_t to)
{
    sqlite3_stmt *s = NULL;
    for (int i = 0; i < j->statement_count && !s; i++)
        if (j->statements[i].sql == sql)
            s = j->statements[i].statement;
    if (!s) {
        KR_ASSERT(j->statement_count < STATEMENTS); /* their number is that of the literals in this file */
        if (sqlite3_prepare_v2(j->db, sql, -1, &s, NULL) != SQLITE_OK) {
            j->failed = true;
            return NULL;
        }
        j->statements[j->statement_count].sql = sql;
        j->statements[j->statement_count++].statement = s;
    }
    sqlite3_reset(s);
    if (sqlite3_bind_parameter_count(s) > 0)
        sqlite3_bind_text(s, 1, a, -1, SQLITE_TRANSIENT);
    if (sqlite3_bind_parameter_count(s) > 1)
        sqlite3_bind_int64(s, 2, from);
    if (sqlite3_bind_parameter_count(s) > 2)
        sqlite3_bind_int64(s, 3, to);
    return s;
}

static size_t slot(const known *table, size_t room, const char *kind, const char *address, const char *coin, const char *span)
{
    const char *const parts[] = { kind, address, coin, span };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 4; i++)
        for (const char *p = parts[i]; *p; p++)
            hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    size_t at = hash & (room - 1);
    while (table[at].kind && (strcmp(table[at].kind, kind) != 0 || strcmp(table[at].address, address) != 0 || strcmp(table[at].coin, coin) != 0 || strcmp(table[at].span, span) != 0))
        at = (at + 1) & (room - 1);
    return at;
}

static const kr_stretch *stretches(judge *j, const char *kind, const char *address, const char *coin, const char *span, size_t *count)
{
    if (j->known_used * 2 >= j->known_room) {
        size_t room = j->known_room ? j->known_room * 4 : 256;
        known *table = KR_NEW_ARRAY(j->arena, known, room);
        for (size_t i = 0; i < j->known_room; i++)
            if (j->known[i].kind)
                table[slot(table, room, j->known[i].kind, j->known[i].address, j->known[i].coin, j->known[i].span)] = j->known[i];
        j->known = table;
        j->known_room = room;
    }
    known *k = &j->known[slot(j->known, j->known_room, kind, address, coin, span)];
    if (!k->kind) {
        *k = (known){ kind, address, coin, span, NULL, 0 };
        k->all = kr_stretches(j->db, j->arena, kind, address, coin, span, &k->count);
        j->known_used++;
    }
    *count = k->count;
    return k->all;
}

/* One number of a query; `none` when there is none. */
static int64_t number(judge *j, const char *sql, const char *a, int64_t from, int64_t to, int64_t none)
{
    sqlite3_stmt *s = ask(j, sql, a, from, to);
    int64_t out = s && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL ? sqlite3_column_int64(s, 0) : none;
    return out;
}

static const char **texts(judge *j, const char *sql, const char *a, int64_t from, int64_t to, size_t *count)
{
    const char **out = NULL;
    size_t capacity = 0;
    *count = 0;
    sqlite3_stmt *s = ask(j, sql, a, from, to);
    while (s && sqlite3_step(s) == SQLITE_ROW)
        KR_PUSH(j->arena, out, *count, capacity) = kr_arena_copy(j->arena, (const char *)sqlite3_column_text(s, 0), (size_t)sqlite3_column_bytes(s, 0));
    return out;
}

static const char *iso(judge *j, int64_t time)
{
    char text[32];
    return kr_arena_copy(j->arena, text, kr_time_write_iso(time, text));
}

__attribute__((format(printf, 2, 3))) static void missing(judge *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    KR_PUSH(j->arena, j->day->missing, j->day->count, j->day->capacity) = kr_arena_vprintf(j->arena, format, args);
    va_end(args);
}

__attribute__((format(printf, 2, 3))) static void note(judge *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    KR_PUSH(j->arena, j->day->notes, j->day->note_count, j->day->note_capacity) = kr_arena_vprintf(j->arena, format, args);
    va_end(args);
}

/* A table that was imported as such tells about its days, whole. */
static bool table_covers(judge *j, const char *table, int64_t from, int64_t to)
{
    return number(j, "SELECT 1 FROM read_log WHERE kind = 'csv:' || ?1 AND from_ms <= ?2 AND to_ms >= ?3 LIMIT 1", table, from, to, 0) != 0;
}

static bool table_read(judge *j, const char *table) { return number(j, "SELECT 1 FROM read_log WHERE kind = 'csv:' || ?1 LIMIT 1", table, 0, 0, 0) != 0; }

/* ------------------------------------------------------------------ an address */

static void judge_fills(judge *j, const char *address)
{
    size_t count;
    const kr_stretch *s = stretches(j, "fills", address, "", "", &count);
    if (!kr_stretches_cover(s, count, j->t0, j->settled) && !table_covers(j, "fill", j->t0, j->settled)) {
        if (!count)
            missing(j, "fills of %s were never read", address);
        else if (s[count - 1].to < j->settled)
            missing(j, "fills of %s: read up to %s, wanted up to %s", address, iso(j, s[count - 1].to), iso(j, j->settled));
        else if (number(j, "SELECT 1 FROM fill_read WHERE address = ?1 AND day = date(?2 / 1000, 'unixepoch') AND complete = '0'", address, j->t0, 0, 0))
            note(j, "fills of %s are not whole: the day is limited (fill_read)", address);
        else
            missing(j, "fills of %s: what was read does not reach back to %s", address, iso(j, j->t0));
    }
    sqlite3_stmt *row = ask(j, "SELECT count(*), sum(builder IS NULL), sum(market = 'perp'), sum(market = 'perp' AND mark IS NULL) FROM fill WHERE address = ?1 AND time >= ?2 AND time < ?3",
                            address, j->t0, j->t1);
    if (!row || sqlite3_step(row) != SQLITE_ROW)
        return;
    int64_t open = sqlite3_column_int64(row, 1), fills = sqlite3_column_int64(row, 2), unmarked = sqlite3_column_int64(row, 3);
    if (open)
        missing(j, "fills of %s: %lld do not say whether they carry the builder's code (import with --builder-rate or --builder-fills)", address, (long long)open);
    if (unmarked)
        missing(j, "marks: %lld of %lld perpetual fills of %s have none", (long long)unmarked, (long long)fills, address);
}

static void judge_value(judge *j, const char *address)
{
    int64_t first = number(j, "SELECT min(time) FROM value_point WHERE address = ?1", address, 0, 0, INT64_MAX);
    int64_t read = number(j, "SELECT max(to_ms) FROM read_log WHERE kind = 'portfolio' AND address = ?1", address, 0, 0, INT64_MIN);
    int64_t points = number(j, "SELECT count(*) FROM (SELECT time FROM value_read WHERE address = ?1 AND time >= ?2 AND time < ?3 UNION SELECT time FROM value_point WHERE address = ?1"
                               " AND time >= ?2 AND time < ?3)", address, j->t0, j->t1, 0);
    bool gap = number(j, "SELECT 1 FROM gap WHERE address = ?1 AND what = 'flow' AND day = date(?2 / 1000, 'unixepoch')", address, j->t0, 0, 0) != 0;
    if (read == INT64_MIN && !table_covers(j, "value_point", j->t0, j->settled))
        missing(j, read == INT64_MIN && first == INT64_MAX ? "account value of %s was never read" : "account value of %s: not read up to %s", address, iso(j, j->settled));
    else if (read != INT64_MIN && read < j->settled && !table_covers(j, "value_point", j->t0, j->settled))
        missing(j, "account value of %s: read up to %s, wanted up to %s", address, iso(j, read), iso(j, j->settled));
    else if (points < j->rules->fewest_points && first < j->t0)
        missing(j, "account value of %s: %lld points in the day, %lld wanted (it must be read within 7 days)", address, (long long)points, (long long)j->rules->fewest_points);
    if (gap)
        note(j, "flows of %s are not known: its return of the day is unknown", address);
}

static void judge_address(judge *j, const char *address)
{
    size_t count;
    judge_fills(j, address);
    judge_value(j, address);
    if (!number(j, "SELECT 1 FROM state_read WHERE address = ?1 AND time >= ?2 AND time < ?3", address, j->t1, j->settled, 0) && !table_covers(j, "position", j->t0, j->t1))
        missing(j, "positions of %s: not read between %s and %s", address, iso(j, j->t1), iso(j, j->settled));
    const kr_stretch *s = stretches(j, "ledger", address, "", "", &count);
    bool covered = kr_stretches_cover(s, count, j->t0, j->t1), tables = table_read(j, "flow") && table_read(j, "transfer");
    j->flow_table |= !covered && tables;
    if (!covered && !tables) {
        if (!count)
            missing(j, "ledger of %s (deposits, withdrawals, transfers) was never read", address);
        else
            missing(j, "ledger of %s: read from %s to %s", address, iso(j, s[0].from), iso(j, s[count - 1].to));
    }
}

/* ------------------------------------------------------------------ the market */

static void judge_candles(judge *j, const char *coin, const char *span)
{
    size_t count;
    const kr_stretch *s = stretches(j, "candleSnapshot", "", coin, span, &count);
    if (kr_stretches_cover(s, count, j->t0, j->t1) || table_covers(j, "candle", j->t0, j->t1))
        return;
    if (!count)
        missing(j, "candles %s of %s were never read", span, coin);
    else
        missing(j, "candles %s of %s: read from %s to %s", span, coin, iso(j, s[0].from), iso(j, s[count - 1].to));
}

/* Whether nothing happened after the last row of a sparse table, or it was not read again, its rows cannot tell: that is said. */
static void judge_end(judge *j, const char *table, const char *without)
{
    int64_t end = number(j, "SELECT max(to_ms) FROM read_log WHERE kind = 'csv:' || ?1 AND records > 0", table, 0, 0, INT64_MAX);
    if (end < j->t1)
        note(j, "the table `%s` as imported ends at %s: %s", table, iso(j, end), without);
}

/* Addresses linked at the day's end: of each miner its last identity, unless it was unlinked before. */
static const char linked[] =
    "SELECT DISTINCT i.address FROM identity i WHERE i.linked_at = (SELECT max(linked_at) FROM identity k WHERE k.miner = i.miner AND k.linked_at < ?3)"
    " AND (i.unlinked_at IS NULL OR i.unlinked_at >= ?3) AND ?1 = '' AND ?2 < ?3 ORDER BY 1";

static void judge_day(judge *j, int64_t day)
{
    size_t addresses, coins, hourly;
    j->day->day = day;
    j->t0 = day * KR_DAY_MS;
    j->t1 = j->t0 + KR_DAY_MS;
    j->settled = j->t1 + j->rules->settle_ms;
    if (j->now < j->settled)
        missing(j, "the day settles at %s; the newest record or reading is of %s", iso(j, j->settled), j->now == INT64_MIN ? "never" : iso(j, j->now));
    if (!number(j, "SELECT 1 FROM identity LIMIT 1", "", 0, 0, 0) && !table_read(j, "identity"))
        missing(j, "the table `identity` was never imported");
    if (!number(j, "SELECT 1 FROM agent LIMIT 1", "", 0, 0, 0) && !table_read(j, "agent"))
        missing(j, "the table `agent` was never imported (its header alone says that there is none)");
    const char **all = texts(j, linked, "", j->t0, j->t1, &addresses);
    j->flow_table = false;
    for (size_t i = 0; i < addresses; i++)
        judge_address(j, all[i]);
    if (j->flow_table)
        judge_end(j, "flow", "deposits and withdrawals after it are not known");
    judge_end(j, "agent", "machines that passed after it are not known");
    static const char traded[] = "SELECT DISTINCT f.coin FROM fill f WHERE f.time >= ?2 AND f.time < ?3 AND f.market = 'perp' AND ?1 = '' AND f.address IN (SELECT address FROM identity) ORDER BY 1";
    const char **of_fills = texts(j, traded, "", j->t0, j->t1, &coins);
    for (size_t i = 0; i < coins; i++)
        judge_candles(j, of_fills[i], "1m");
    static const char held[] = "SELECT f.coin FROM fill f WHERE f.time >= ?2 AND f.time < ?3 AND f.market = 'perp' AND ?1 = '' AND f.address IN (SELECT address FROM identity)"
                               " UNION SELECT coin FROM position WHERE day = date(?2 / 1000, 'unixepoch') AND address IN (SELECT address FROM identity) ORDER BY 1";
    const char **of_all = texts(j, held, "", j->t0, j->t1, &hourly);
    for (size_t i = 0; i < hourly; i++)
        judge_candles(j, of_all[i], "1h");
    if (!number(j, "SELECT 1 FROM pool_rate WHERE ?1 = '' AND day = date(?2 / 1000, 'unixepoch')", "", j->t0, 0, 0))
        note(j, "no pool rate of the day: pay in dollars will be unknown");
    else if (!number(j, "SELECT 1 FROM candle WHERE coin = 'TAO' AND span = '1h' AND ?1 = '' AND time >= ?2 AND time < ?3", "", j->t0, j->t1, 0))
        note(j, "no hourly candle of TAO: pay in dollars will be unknown");
}

/* ------------------------------------------------------------------ the database */

/* A folder is no database, and another file is left to the loader's own message. */
static bool is_database(const char *path)
{
    char head[16] = "";
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return n == sizeof head && !memcmp(head, "SQLite format 3", 16);
}

bool kr_ready_knows(const char *path)
{
    kr_arena *arena = kr_arena_new();
    sqlite3 *db = is_database(path) ? kr_load_sqlite_open(path, kr_diags_new(arena)) : NULL;
    bool knows = db && kr_load_sqlite_has(db, "read_log");
    if (db)
        kr_load_sqlite_close(db);
    kr_arena_free(arena);
    return knows;
}

bool kr_ready_days(kr_arena *arena, const char *path, int64_t from, int64_t to, const kr_ready_rules *rules, int64_t now, kr_ready **out, size_t *count, kr_diags *diags)
{
    judge j = { .arena = arena, .rules = rules, .now = now };
    *count = 0;
    *out = NULL;
    j.db = is_database(path) ? kr_load_sqlite_open(path, diags) : NULL;
    if (!j.db || !kr_load_sqlite_has(j.db, "read_log")) {
        if (j.db || !is_database(path)) {
            kr_diag *d = kr_diag_at(diags, KR_E_DATA_PATH, path, "`%s` does not remember what was read", path);
            kr_diag_help(diags, d, "databases made by `krules import` do; of other data nothing can be told but what is in it");
        }
        sqlite3_close(j.db);
        return false;
    }
    int64_t newest = number(&j, "SELECT max(t) FROM (SELECT max(time) t FROM fill UNION SELECT max(time) FROM value_point UNION SELECT max(time) FROM candle"
                                " UNION SELECT CAST(strftime('%s', max(day)) AS INTEGER) * 1000 FROM position)", "", 0, 0, INT64_MIN);
    if (j.now == KR_ANY_DAY)
        j.now = number(&j, "SELECT max(t) FROM (SELECT max(read_at) t FROM read_log UNION SELECT max(to_ms) FROM read_log UNION SELECT max(time) FROM state_read)", "", 0, 0, INT64_MIN);
    int64_t first = number(&j, "SELECT min(linked_at) FROM identity", "", 0, 0, INT64_MIN);
    if (to == KR_ANY_DAY)
        to = kr_day_of_time(newest == INT64_MIN ? 0 : newest);
    if (from == KR_ANY_DAY || (first != INT64_MIN && from < kr_day_of_time(first) && to >= kr_day_of_time(first)))
        from = first == INT64_MIN ? to : kr_day_of_time(first);
    if (from > to)
        from = to;
    *out = KR_NEW_ARRAY(arena, kr_ready, (size_t)(to - from) + 1);
    for (int64_t day = from; day <= to && !j.failed; day++) {
        j.day = &(*out)[(*count)++];
        judge_day(&j, day);
    }
    for (int i = 0; i < j.statement_count; i++)
        sqlite3_finalize(j.statements[i].statement);
    if (j.failed)
        kr_diag_at(diags, KR_E_DATA_PATH, path, "`%s` cannot be read: %s", path, sqlite3_errmsg(j.db));
    kr_load_sqlite_close(j.db);
    return !j.failed;
}

kr_known_gap *kr_ready_gaps(kr_arena *arena, const char *path, size_t *count, kr_diags *diags)
{
    kr_known_gap *all = NULL;
    size_t capacity = 0;
    *count = 0;
    sqlite3 *db = kr_load_sqlite_open(path, diags);
    sqlite3_stmt *s = NULL;
    if (!db)
        return NULL;
    if (kr_load_sqlite_has(db, "read_log") &&
        sqlite3_prepare_v2(db, "SELECT address, day, reason FROM gap UNION SELECT address, day, 'fills are not whole' FROM fill_read WHERE complete = '0' ORDER BY 1, 2, 3", -1, &s, NULL) == SQLITE_OK)
        while (sqlite3_step(s) == SQLITE_ROW) {
            kr_known_gap g;
            const char **fields[] = { &g.address, &g.day, &g.reason };
            for (int i = 0; i < 3; i++)
                *fields[i] = kr_arena_copy(arena, (const char *)sqlite3_column_text(s, i), (size_t)sqlite3_column_bytes(s, i));
            KR_PUSH(arena, all, *count, capacity) = g;
        }
    sqlite3_finalize(s);
    kr_load_sqlite_close(db);
    return all;
}
