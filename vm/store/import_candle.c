/* import_candle.c: candles, of which the last of an answer may not be finished. */
#include <stdio.h>
#include <string.h>

#include "vm/store/import_internal.h"

typedef struct candle {
    const kr_json *at;
    const char *coin, *span, *close, *volume;
    int64_t time, end, trades; /* end: its last millisecond; trades -1: not said */
    bool open;                 /* may be unfinished */
} candle;

static bool read_candle(kr_import *im, const kr_json *o, candle *c)
{
    kr_num trades;
    *c = (candle){ .at = o, .trades = -1 };
    c->coin = kr_member_text(im, o, "s", KR_NEEDED);
    c->span = kr_member_text(im, o, "i", KR_NEEDED);
    c->close = kr_member_number(im, o, "c", KR_NEEDED, NULL);
    c->volume = kr_member_number(im, o, "v", KR_NEEDED, NULL);
    if (!kr_member_time(im, o, "t", KR_NEEDED, &c->time) || im->wrong)
        return false;
    c->end = c->time + (!strcmp(c->span, "1m") ? 60000 : 3600000) - 1;
    if (kr_member_number(im, o, "n", KR_OPTIONAL, &trades) && !kr_num_to_int(trades, &c->trades))
        c->trades = -1;
    return !im->wrong;
}

static void write_candle(kr_import *im, const candle *c)
{
    kr_sql(im, NULL, "INSERT OR REPLACE INTO candle VALUES (?1, ?2, ?3, ?4, ?5)", "ttitt", c->coin, c->span, c->time, c->close, c->volume);
    kr_sql(im, NULL, "INSERT OR REPLACE INTO candle_detail VALUES (?1, ?2, ?3, ?4, ?5)", "ttiii", c->coin, c->span, c->time, c->trades, (int64_t)c->open);
}

/* Whether it is new. Of two that differ, an unfinished one gives way to one that had more trades. */
static bool keep_candle(kr_import *im, const candle *c)
{
    sqlite3_stmt *row;
    if (kr_sql(im, &row, "SELECT c.close, c.volume, d.trades, d.open FROM candle c LEFT JOIN candle_detail d USING (coin, span, time) WHERE c.coin = ?1 AND c.span = ?2 AND c.time = ?3",
               "tti", c->coin, c->span, c->time) != SQLITE_ROW) {
        write_candle(im, c);
        return true;
    }
    const char *close = kr_sql_text(im, row, 0), *volume = kr_sql_text(im, row, 1);
    int64_t trades = sqlite3_column_type(row, 2) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 2);
    bool was_open = sqlite3_column_int(row, 3) != 0;
    if (kr_same_number(close, c->close) && kr_same_number(volume ? volume : "0", c->volume)) {
        if (was_open && !c->open)
            write_candle(im, c);
        return false;
    }
    bool more = c->trades > trades, less = trades > c->trades;
    if (was_open && (!c->open || more) && !less)
        write_candle(im, c);
    else if (!(c->open && !more) && !(was_open && less))
        kr_import_conflict(im, c->at, "a candle", kr_arena_printf(im->scratch, "%s %s %lld: close %s, volume %s, trades %lld", c->coin, c->span, (long long)c->time, c->close, c->volume, (long long)c->trades),
                           kr_arena_printf(im->scratch, "%s %s %lld: close %s, volume %s, trades %lld", c->coin, c->span, (long long)c->time, close, volume ? volume : "", (long long)trades));
    return false;
}

void kr_import_candles(kr_import *im, const kr_answer *a)
{
    size_t count = 0, fresh = 0;
    candle *all = KR_NEW_ARRAY(im->scratch, candle, a->value->count + 1);
    kr_answer of = *a;
    for (const kr_json *o = a->value->first; o; o = o->next) {
        if (!read_candle(im, o, &all[count]))
            return;
        if (count && (strcmp(all[count].coin, all[0].coin) != 0 || strcmp(all[count].span, all[0].span) != 0)) {
            kr_import_fault(im, KR_E_ANSWER_SHAPE, o, "candles of two coins or spans in one answer");
            return;
        }
        count++;
    }
    if (count) {
        of.coin = all[0].coin;
        of.span = all[0].span;
    }
    if (!of.coin || (!of.span && (a->from == KR_NO_TIME || a->to == KR_NO_TIME || a->read_at == KR_NO_TIME))) {
        kr_import_say(im, "candleSnapshot", 0, 0, "no candles, and not said of what and when: nothing is learned from it");
        return;
    }
    if (!of.span) { /* where nothing traded there are candles of no span */
        int64_t until = a->to + 1 < a->read_at ? a->to + 1 : a->read_at;
        of.span = "1m";
        kr_import_log(im, &of, "candleSnapshot", a->from, until, false, false, 0);
        of.span = "1h";
        kr_import_log(im, &of, "candleSnapshot", a->from, until, false, false, 0);
        kr_import_say(im, "candleSnapshot", 0, 0, kr_arena_printf(im->scratch, "no trade in %s", of.coin));
        return;
    }
    if (strcmp(of.span, "1m") != 0 && strcmp(of.span, "1h") != 0) {
        kr_import_say(im, "candleSnapshot", count, 0, kr_arena_printf(im->scratch, "candles of %s are not used", of.span));
        return;
    }
    int64_t from = a->from, to = KR_NO_TIME;
    size_t newest = 0;
    for (size_t i = 0; i < count; i++) {
        from = from == KR_NO_TIME || all[i].time < from ? all[i].time : from;
        newest = all[i].time > all[newest].time ? i : newest;
    }
    if (count) {
        candle *last = &all[newest];
        last->open = a->read_at == KR_NO_TIME || a->read_at <= last->end;
        to = last->open ? last->time : last->end + 1;
    }
    for (size_t i = 0; i < count && !im->wrong; i++)
        fresh += keep_candle(im, &all[i]);
    if (count < KR_FULL_RANGE && a->to != KR_NO_TIME && a->read_at != KR_NO_TIME) { /* the whole of what was asked for, as far as it was over */
        int64_t until = a->to + 1 < a->read_at ? a->to + 1 : a->read_at;
        to = count && all[newest].open ? to : until > to ? until : to;
    }
    if (from != KR_NO_TIME && to != KR_NO_TIME && from < to)
        kr_import_log(im, &of, "candleSnapshot", from, to, false, count >= KR_FULL_RANGE, count);
    kr_import_say(im, "candleSnapshot", count, fresh, count && all[newest].open ? "its last candle may be unfinished" : NULL);
}
