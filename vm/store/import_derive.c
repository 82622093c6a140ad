/* import_derive.c: what follows from the records and from what was read: completeness of fills, marks of a series, first points, points of
 * days whose flows are unknown, masters. Made anew for the addresses an import touched, so it never depends on the order of imports. */
#include <stdlib.h>
#include <string.h>

#include "vm/store/import_internal.h"
#include "vm/text/time.h"

#define SETTLE_MS KR_DAY_MS /* ruling: records of the 24 hours after a day still count for it */

/* ------------------------------------------------------------------ what readings cover */

static int by_from(const void *a, const void *b)
{
    const kr_stretch *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

kr_stretch *kr_stretches(sqlite3 *db, kr_arena *arena, const char *kind, const char *address, const char *coin, const char *span, size_t *count)
{
    kr_stretch *all = NULL;
    size_t n = 0, capacity = 0, out = 0;
    sqlite3_stmt *s = NULL;
    *count = 0;
    if (sqlite3_prepare_v2(db, "SELECT from_ms, to_ms, cut_before, cut_after FROM read_log WHERE kind = ?1 AND address = ?2 AND coin = ?3 AND span = ?4", -1, &s, NULL) != SQLITE_OK)
        return NULL;
    const char *const key[] = { kind, address, coin, span };
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(s, i + 1, key[i], -1, SQLITE_TRANSIENT);
    while (sqlite3_step(s) == SQLITE_ROW)
        KR_PUSH(arena, all, n, capacity) = (kr_stretch){ sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int(s, 2) != 0, sqlite3_column_int(s, 3) != 0 };
    sqlite3_finalize(s);
    if (n)
        qsort(all, n, sizeof *all, by_from);
    for (size_t i = 0; i < n; i++) {
        if (!out || all[i].from > all[out - 1].to) {
            all[out++] = all[i];
            continue;
        }
        kr_stretch *last = &all[out - 1]; /* an edge that another reading reaches behind is no edge */
        if (all[i].from == last->from)
            last->cut_before &= all[i].cut_before;
        if (all[i].to > last->to) {
            last->to = all[i].to;
            last->cut_after = all[i].cut_after;
        } else if (all[i].to == last->to) {
            last->cut_after &= all[i].cut_after;
        }
    }
    *count = out;
    return all;
}

bool kr_stretches_cover(const kr_stretch *s, size_t count, int64_t from, int64_t to)
{
    for (size_t i = 0; i < count; i++)
        if (s[i].from <= from && s[i].to >= to)
            return true;
    return false;
}

/* Something of [from, to) is known to be missing: it lies between two readings, or behind a cut edge. */
static bool lacking(const kr_stretch *s, size_t count, int64_t from, int64_t to)
{
    for (size_t i = 0; i < count; i++) {
        int64_t gap_from = s[i].to, gap_to = i + 1 < count ? s[i + 1].from : s[i].cut_after ? INT64_MAX : gap_from;
        if (gap_from < to && gap_to > from && gap_from < gap_to)
            return true;
    }
    return count && s[0].cut_before && from < s[0].from;
}

/* ------------------------------------------------------------------ fill_read */

/* How many fills of the address lie in [from, to]. */
static int64_t fill_count(kr_import *im, const char *address, int64_t from, int64_t to)
{
    sqlite3_stmt *row;
    return kr_sql(im, &row, "SELECT count(*) FROM fill WHERE address = ?1 AND time >= ?2 AND time <= ?3", "tii", address, from, to) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
}

/* Fills of the day and since it ended, up to the end of its settling time, or up to the first reading of it if that came later. */
static int64_t count_of_day(kr_import *im, const char *address, int64_t t0)
{
    sqlite3_stmt *row;
    int64_t until = t0 + KR_DAY_MS + SETTLE_MS - 1;
    if (kr_sql(im, &row, "SELECT min(read_at) FROM read_log WHERE kind = 'fills' AND address = ?1 AND read_at >= ?2 AND from_ms < ?2 AND to_ms > ?3", "tii", address,
               t0 + KR_DAY_MS, t0) == SQLITE_ROW && sqlite3_column_int64(row, 0) > until)
        until = sqlite3_column_int64(row, 0);
    return fill_count(im, address, t0, until);
}

static void derive_fill_read(kr_import *im, const char *address)
{
    sqlite3_stmt *row;
    size_t count;
    kr_stretch *s = kr_stretches(im->db, im->scratch, "fills", address, "", "", &count);
    if (!count) /* none of ours: a table that was imported stays */
        return;
    /* the days that someone may want: from the first fill or link on, however far back was asked */
    int64_t last = s[count - 1].to - 1, wanted = last;
    if (kr_sql(im, &row, "SELECT min(t) FROM (SELECT min(time) t FROM fill WHERE address = ?1 UNION SELECT min(linked_at) FROM identity WHERE address = ?1)", "t", address) == SQLITE_ROW &&
        sqlite3_column_type(row, 0) != SQLITE_NULL && sqlite3_column_int64(row, 0) < last)
        wanted = sqlite3_column_int64(row, 0);
    int64_t first = s[0].cut_before && s[0].from - 1 < wanted ? s[0].from - 1 : wanted;
    if (!s[0].cut_before && first < s[0].from)
        first = s[0].from;
    kr_sql(im, NULL, "DELETE FROM fill_read WHERE address = ?1 AND day >= ?2 AND day <= ?3", "ttt", address, kr_import_day_text(im->scratch, kr_day_of_time(first)),
           kr_import_day_text(im->scratch, kr_day_of_time(last)));
    for (int64_t day = kr_day_of_time(first); day <= kr_day_of_time(last) && !im->broken; day++) {
        int64_t t0 = day * KR_DAY_MS, t1 = t0 + KR_DAY_MS;
        const char *complete = kr_stretches_cover(s, count, t0, t1 + SETTLE_MS) ? "1" : lacking(s, count, t0, t1 + SETTLE_MS) ? "0" : NULL;
        kr_sql(im, NULL, "INSERT INTO fill_read VALUES (?1, ?2, ?3, ?4)", "tttt", address, kr_import_day_text(im->scratch, day),
               kr_import_number_text(im, kr_num_of_int(count_of_day(im, address, t0))), complete);
    }
}

/* ------------------------------------------------------------------ flows that are not known */

static void derive_gaps(kr_import *im, const char *address)
{
    static const char reason[] = "a full page of the ledger: more lies behind it";
    size_t count;
    kr_stretch *s = kr_stretches(im->db, im->scratch, "ledger", address, "", "", &count);
    kr_sql(im, NULL, "DELETE FROM gap WHERE address = ?1 AND reason = ?2", "tt", address, reason);
    for (size_t i = 0; i < count; i++) {
        if (s[i].cut_before)
            kr_import_gap(im, address, kr_day_of_time(s[i].from - 1), "flow", reason);
        if (s[i].cut_after)
            kr_import_gap(im, address, kr_day_of_time(s[i].to), "flow", reason);
    }
}

/* ------------------------------------------------------------------ value points */

/* On a day whose flow is unknown the return must be unknown, not one with a flow of 0. The rule takes a day's value as known from four
 * points on; so the points between the day's first and last are held back. These two stay: lines from the days beside it do not move. */
static void derive_points(kr_import *im, const char *address)
{
    sqlite3_stmt *row;
    const char **days = NULL;
    size_t count = 0, capacity = 0;
    kr_sql(im, NULL, "INSERT OR IGNORE INTO value_point SELECT address, time, value, '0' FROM value_read WHERE address = ?1", "t", address);
    kr_sql(im, NULL, "UPDATE value_point SET first = '0' WHERE address = ?1 AND time IN (SELECT time FROM value_read WHERE address = ?1)", "t", address);
    kr_sql(im, NULL, "UPDATE value_point SET first = '1' WHERE address = ?1 AND time = (SELECT min(time) FROM value_point WHERE address = ?1)"
                     " AND time IN (SELECT time FROM value_read WHERE address = ?1 AND origin = 1)", "t", address);
    for (int got = kr_sql(im, &row, "SELECT DISTINCT day FROM gap WHERE address = ?1 AND what = 'flow'", "t", address); got == SQLITE_ROW; got = sqlite3_step(row))
        KR_PUSH(im->scratch, days, count, capacity) = kr_sql_text(im, row, 0);
    for (size_t i = 0; i < count; i++) {
        int64_t day = 0;
        kr_day_read(days[i], strlen(days[i]), &day);
        kr_sql(im, NULL, "DELETE FROM value_point WHERE address = ?1 AND time > (SELECT min(time) FROM value_point WHERE address = ?1 AND time >= ?2 AND time < ?3)"
                         " AND time < (SELECT max(time) FROM value_point WHERE address = ?1 AND time >= ?2 AND time < ?3)", "tii", address, day * KR_DAY_MS, (day + 1) * KR_DAY_MS);
    }
}

/* ------------------------------------------------------------------ all */

static bool all_addresses(kr_import *im)
{
    sqlite3_stmt *row;
    const char **found = NULL;
    size_t count = 0, capacity = 0;
    for (int got = kr_sql(im, &row, "SELECT DISTINCT address FROM read_log WHERE address <> ''", ""); got == SQLITE_ROW; got = sqlite3_step(row))
        KR_PUSH(im->arena, found, count, capacity) = kr_arena_copy(im->arena, (const char *)sqlite3_column_text(row, 0), (size_t)sqlite3_column_bytes(row, 0));
    for (size_t i = 0; i < count; i++)
        kr_import_touch(im, found[i]);
    return !im->broken;
}

bool kr_import_derive(kr_import *im)
{
    if (!kr_import_attribute(im) || (im->all_touched && !all_addresses(im)))
        return false;
    if (im->marks_touched) /* a fill takes the newest recorded mark of the minute before it */
        kr_sql(im, NULL, "UPDATE fill SET mark = (SELECT px FROM mark m WHERE m.coin = fill.coin AND m.time <= fill.time AND m.time > fill.time - ?1 ORDER BY m.time DESC LIMIT 1)"
                         " WHERE (mark IS NULL OR EXISTS (SELECT 1 FROM fill_detail d WHERE d.address = fill.address AND d.time = fill.time AND d.coin = fill.coin"
                         " AND d.tid = fill.tid AND d.side = fill.side AND d.mark_from IS NULL)) AND EXISTS (SELECT 1 FROM mark m WHERE m.coin = fill.coin)", "i", (int64_t)KR_MARK_AGE_MS);
    kr_sql(im, NULL, "UPDATE identity SET master = (SELECT master FROM role_read r WHERE r.address = identity.address AND r.role = 'subAccount')"
                     " WHERE master IS NULL AND EXISTS (SELECT 1 FROM role_read r WHERE r.address = identity.address AND r.role = 'subAccount')", "");
    for (size_t i = 0; i < im->touched_count && !im->broken; i++) {
        derive_fill_read(im, im->touched[i]);
        derive_gaps(im, im->touched[i]);
        derive_points(im, im->touched[i]);
        kr_arena_reset(im->scratch);
    }
    return !im->broken;
}
