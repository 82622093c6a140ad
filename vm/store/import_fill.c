/* import_fill.c: fills, and which of them carry the builder's code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/store/file.h"
#include "vm/store/import_internal.h"
#include "vm/text/time.h"

typedef struct fill {
    const kr_json *at;
    const char *address, *coin, *side, *px, *sz, *start, *tid, *oid, *hash, *crossed, *dir, *closed_pnl, *fee, *builder_fee, *fee_token, *mark, *market;
    int64_t time;
    kr_num px_value, sz_value;
} fill;

static const char *shown(const char *text) { return text ? text : "-"; }

static bool read_fill(kr_import *im, const kr_json *o, fill *f)
{
    kr_num ignored;
    *f = (fill){ .at = o };
    f->coin = kr_member_text(im, o, "coin", KR_NEEDED);
    f->px = kr_member_number(im, o, "px", KR_NEEDED, &f->px_value);
    f->sz = kr_member_number(im, o, "sz", KR_NEEDED, &f->sz_value);
    const char *side = kr_member_text(im, o, "side", KR_NEEDED);
    if (!kr_member_time(im, o, "time", KR_NEEDED, &f->time) || !f->coin || !f->px || !f->sz || !side)
        return false;
    if (!*f->coin || (strcmp(side, "A") != 0 && strcmp(side, "B") != 0)) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, o, *f->coin ? "the side `%s` of the fill is neither A nor B" : "the fill's `coin` is empty", side);
        return false;
    }
    f->side = *side == 'B' ? "buy" : "sell";
    f->market = kr_market_of(f->coin);
    f->start = kr_member_number(im, o, "startPosition", KR_OPTIONAL, &ignored);
    f->tid = kr_member_id(im, o, "tid");
    if (f->tid && !strcmp(f->tid, "0"))
        f->tid = NULL;
    f->oid = kr_member_id(im, o, "oid");
    f->hash = kr_member_text(im, o, "hash", KR_OPTIONAL);
    f->crossed = kr_member_text(im, o, "crossed", KR_OPTIONAL);
    f->dir = kr_member_text(im, o, "dir", KR_OPTIONAL);
    f->closed_pnl = kr_member_number(im, o, "closedPnl", KR_OPTIONAL, NULL);
    f->fee = kr_member_number(im, o, "fee", KR_OPTIONAL, NULL);
    f->builder_fee = kr_member_number(im, o, "builderFee", KR_OPTIONAL, NULL);
    f->fee_token = kr_member_text(im, o, "feeToken", KR_OPTIONAL);
    const kr_json *liquidation = kr_json_get(o, "liquidation");
    kr_num mark = KR_BLANK;
    if (liquidation && liquidation->type == KR_JSON_OBJECT)
        f->mark = kr_member_number(im, liquidation, "markPx", KR_OPTIONAL, &mark);
    if (!f->mark)
        f->mark = kr_member_number(im, o, "liquidationMarkPx", KR_OPTIONAL, &mark);
    if (f->mark && kr_num_cmp(mark, KR_NUM_ZERO) <= 0)
        f->mark = NULL;
    return !im->wrong;
}

/* A tid of our own, for a record that the exchange gave none (or one that another record has): below 0, so that it meets none of the
 * exchange's; made of the record and of how often the answer had it before, so that every reader of it makes the same one. */
static const char *own_tid(kr_import *im, const fill *f, kr_repeats *repeats)
{
    char *record = kr_arena_printf(im->scratch, "%s|%lld|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", f->address, (long long)f->time, f->coin, f->side, shown(f->tid), shown(f->oid),
                                   f->px, f->sz, shown(f->start), shown(f->closed_pnl), shown(f->fee), shown(f->crossed), shown(f->hash));
    uint32_t before = repeats ? kr_repeat(im->scratch, repeats, record) : 0;
    uint64_t number = kr_import_hash(kr_arena_printf(im->scratch, "%s|%u", record, before)) >> 16;
    return kr_arena_printf(im->scratch, "-%llu", (unsigned long long)number + 1);
}

static char *describe(kr_import *im, const char *address, int64_t time, const char *coin, const char *side, const char *tid, const char *px, const char *sz, const char *start,
                      const char *fee, const char *closed_pnl)
{
    return kr_arena_printf(im->scratch, "%s %lld %s %s tid %s: px %s, sz %s, startPosition %s, fee %s, closedPnl %s", address, (long long)time, coin, side, tid, shown(px),
                           shown(sz), shown(start), shown(fee), shown(closed_pnl));
}

static bool agree(const char *a, const char *b) { return !a || !b || kr_same_number(a, b); }

enum { NOT_THERE, THERE, CONTRADICTS };

/* Is the fill known under this tid? *taken: another fill has it. */
static int known(kr_import *im, const fill *f, const char *exchange_tid, const char *tid)
{
    sqlite3_stmt *row;
    int got = kr_sql(im, &row,
                     "SELECT f.px, f.sz, f.start_position, d.fee, d.closed_pnl, f.mark, d.mark_from FROM fill f LEFT JOIN fill_detail d USING (address, time, coin, tid, side)"
                     " WHERE f.address = ?1 AND f.time = ?2 AND f.coin = ?3 AND f.tid = ?4 AND f.side = ?5",
                     "titttt", f->address, f->time, f->coin, tid, f->side);
    if (got != SQLITE_ROW)
        return NOT_THERE;
    const char *px = kr_sql_text(im, row, 0), *sz = kr_sql_text(im, row, 1), *start = kr_sql_text(im, row, 2), *fee = kr_sql_text(im, row, 3), *closed = kr_sql_text(im, row, 4);
    const char *mark = kr_sql_text(im, row, 5), *mark_from = kr_sql_text(im, row, 6);
    if (kr_same_number(px, f->px) && kr_same_number(sz, f->sz) && agree(start, f->start) && agree(fee, f->fee) && agree(closed, f->closed_pnl) &&
        (!mark_from || agree(mark, f->mark))) {
        if ((!start && f->start) || (!mark_from && f->mark)) /* what an older answer did not say */
            kr_sql(im, NULL, "UPDATE fill SET start_position = coalesce(start_position, ?6), mark = coalesce(?7, mark) WHERE address = ?1 AND time = ?2 AND coin = ?3 AND tid = ?4 AND side = ?5",
                   "tittttt", f->address, f->time, f->coin, tid, f->side, f->start, f->mark);
        if (!mark_from && f->mark)
            kr_sql(im, NULL, "UPDATE fill_detail SET mark_from = 'answer' WHERE address = ?1 AND time = ?2 AND coin = ?3 AND tid = ?4 AND side = ?5", "titttt", f->address,
                   f->time, f->coin, tid, f->side);
        return THERE;
    }
    kr_import_conflict(im, f->at, "a fill", describe(im, f->address, f->time, f->coin, f->side, shown(exchange_tid), f->px, f->sz, f->start, f->fee, f->closed_pnl),
                       describe(im, f->address, f->time, f->coin, f->side, shown(exchange_tid), px, sz, start, fee, closed));
    return CONTRADICTS;
}

/* The tid of a fill with a tid of the exchange: that one, unless another order's fill has it. */
static const char *choose_tid(kr_import *im, const fill *f)
{
    sqlite3_stmt *row;
    const char *free_tid = f->tid;
    if (f->oid) {
        int got = kr_sql(im, &row, "SELECT oid FROM fill_detail WHERE address = ?1 AND time = ?2 AND coin = ?3 AND tid = ?4 AND side = ?5", "titttt", f->address, f->time, f->coin,
                         f->tid, f->side);
        const char *oid = got == SQLITE_ROW ? kr_sql_text(im, row, 0) : NULL;
        if (oid && !kr_same_number(oid, f->oid))
            free_tid = own_tid(im, f, NULL);
    }
    return free_tid;
}

/* The other side of the trade, when it is an imported account's too. */
static void pair_up(kr_import *im, const fill *f, const char *tid)
{
    sqlite3_stmt *row;
    if (!f->tid || kr_sql(im, &row,
                          "SELECT min(address), max(address), coalesce(max(CASE WHEN tid = exchange_tid THEN tid END), min(tid)) FROM fill_detail WHERE time = ?1 AND coin = ?2 AND exchange_tid = ?3 AND side <> ?4", "ittt", f->time,
                          f->coin, f->tid, f->side) != SQLITE_ROW)
        return;
    const char *other = kr_sql_text(im, row, 0), *last = kr_sql_text(im, row, 1), *other_tid = kr_sql_text(im, row, 2);
    if (!other || strcmp(other, last) != 0)
        return;
    static const char set[] = "UPDATE fill SET counterparty = ?6 WHERE address = ?1 AND time = ?2 AND coin = ?3 AND tid = ?4 AND side = ?5 AND counterparty IS NULL";
    kr_sql(im, NULL, set, "titttt", f->address, f->time, f->coin, tid, f->side, other);
    kr_sql(im, NULL, set, "titttt", other, f->time, f->coin, other_tid, !strcmp(f->side, "buy") ? "sell" : "buy", f->address);
}

static const char *series_mark(kr_import *im, const fill *f)
{
    sqlite3_stmt *row;
    return kr_sql(im, &row, "SELECT px FROM mark WHERE coin = ?1 AND time <= ?2 AND time > ?2 - ?3 ORDER BY time DESC LIMIT 1", "tii", f->coin, f->time,
                  (int64_t)KR_MARK_AGE_MS) == SQLITE_ROW ? kr_sql_text(im, row, 0) : NULL;
}

/* Old answers lack tids that newer ones have. Whether a record of each is one fill cannot be told; it is said. */
static bool twin(kr_import *im, const fill *f)
{
    sqlite3_stmt *row;
    return f->oid && kr_sql(im, &row, "SELECT 1 FROM fill_detail d JOIN fill f USING (address, time, coin, tid, side) WHERE d.address = ?1 AND d.time = ?2 AND d.coin = ?3 AND d.side = ?4"
                                      " AND d.oid = ?5 AND f.px = ?6 AND f.sz = ?7 AND (d.exchange_tid = '') <> (?8 = '') LIMIT 1", "titttttt", f->address, f->time, f->coin,
                            f->side, f->oid, f->px, f->sz, f->tid ? f->tid : "") == SQLITE_ROW;
}

static bool keep_fill(kr_import *im, const fill *f, kr_repeats *repeats, size_t *twins)
{
    const char *tid = f->tid ? choose_tid(im, f) : own_tid(im, f, repeats);
    if (known(im, f, f->tid, tid) != NOT_THERE || im->wrong)
        return false;
    const char *mark = f->mark ? f->mark : series_mark(im, f);
    *twins += twin(im, f);
    kr_sql(im, NULL, "INSERT INTO fill VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL, NULL, ?10)", "titttttttt", f->address, f->time, f->coin, tid, f->side, f->px, f->sz,
           f->start, mark, f->market);
    kr_sql(im, NULL, "INSERT INTO fill_detail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)", "titttttttttttt" "t", f->address, f->time, f->coin, tid,
           f->side, f->tid ? f->tid : "", f->oid, f->hash, f->crossed, f->dir, f->closed_pnl, f->fee, f->builder_fee, f->fee_token, f->mark ? "answer" : NULL);
    pair_up(im, f, tid);
    return true;
}

/* Which stretch of time the answer tells all about. */
static void log_fills(kr_import *im, const kr_answer *a, int64_t first, int64_t last, int64_t low, int64_t high, size_t count)
{
    bool full = count >= KR_FULL_PAGE, newest = a->kind && !strcmp(a->kind, "userFills"), falling = first > last || newest;
    int64_t until = a->read_at != KR_NO_TIME && (a->to == KR_NO_TIME || newest || a->to >= a->read_at) ? a->read_at : a->to != KR_NO_TIME && !newest ? a->to + 1 : KR_NO_TIME;
    int64_t from = a->from != KR_NO_TIME && !newest ? a->from : newest ? KR_BEGINNING : count ? low : KR_NO_TIME;
    if (until == KR_NO_TIME)
        until = count ? high + 1 : KR_NO_TIME;
    else if (count && until <= high)
        until = high + 1;
    if (full && falling)
        from = low + 1; /* of the oldest instant some may be behind the edge */
    else if (full)
        until = high;
    if (from != KR_NO_TIME && until != KR_NO_TIME && from < until)
        kr_import_log(im, a, "fills", from, until, full && falling, full && !falling, count);
}

void kr_import_fills(kr_import *im, const kr_answer *a)
{
    kr_repeats repeats = { 0 };
    size_t count = 0, fresh = 0, nothing = 0, other = 0, twins = 0;
    int64_t first = KR_NO_TIME, last = 0, low = INT64_MAX, high = INT64_MIN;
    char note[200] = "";
    if (!kr_need_address(im, a))
        return;
    for (const kr_json *o = a->value->first; o && !im->wrong; o = o->next) {
        fill f;
        if (!read_fill(im, o, &f))
            return;
        f.address = a->address;
        count++;
        first = first == KR_NO_TIME ? f.time : first;
        last = f.time;
        low = f.time < low ? f.time : low;
        high = f.time > high ? f.time : high;
        bool empty = kr_num_cmp(f.px_value, KR_NUM_ZERO) <= 0 || kr_num_cmp(f.sz_value, KR_NUM_ZERO) <= 0;
        if (empty && !strcmp(f.market, "perp")) {
            kr_import_fault(im, KR_E_ANSWER_SHAPE, o, "a fill of price %s and size %s is none", f.px, f.sz);
            return;
        }
        other += strcmp(f.market, "perp") != 0;
        if (empty)
            nothing++; /* outcomes settle at 0: no trade */
        else
            fresh += keep_fill(im, &f, &repeats, &twins);
    }
    log_fills(im, a, first, last, low, high, count);
    kr_import_touch(im, a->address);
    size_t used = 0;
    if (count >= KR_FULL_PAGE)
        used += (size_t)snprintf(note, sizeof note, "a full page: more may lie behind it");
    if (other)
        used += (size_t)snprintf(note + used, sizeof note - used, "%s%zu not on the main perpetuals", used ? "; " : "", other);
    if (nothing)
        snprintf(note + used, sizeof note - used, "%s%zu of no price or size left out", used ? "; " : "", nothing);
    if (twins) {
        kr_diag *d = kr_diag_at(im->diags, KR_W_ANSWER_LEFT, im->file, "%zu fill%s a record that differs only in having a tid or none: both are kept, they may be the same", twins,
                                twins == 1 ? " agrees with" : "s agree with");
        d->severity = KR_SEVERITY_WARNING;
    }
    kr_import_say(im, a->kind ? a->kind : "userFills", count, fresh, note);
}

/* ------------------------------------------------------------------ the builder's code */

typedef struct unattributed { const char *address, *coin, *tid, *side, *px, *sz, *fee; int64_t time; } unattributed;

/* The exchange cuts a builder's fee to six decimals. */
static const char *by_rate(kr_import *im, const unattributed *u)
{
    kr_num px, sz, fee;
    if (!u->fee || kr_num_read(u->fee, strlen(u->fee), &fee, NULL) != KR_READ_OK || kr_num_read(u->px, strlen(u->px), &px, NULL) != KR_READ_OK ||
        kr_num_read(u->sz, strlen(u->sz), &sz, NULL) != KR_READ_OK)
        return "0";
    kr_num due = kr_num_round(kr_num_mul_dir(kr_num_mul_dir(px, sz, KR_FLOOR), im->rate, KR_FLOOR), 6, KR_FLOOR);
    return kr_num_cmp(fee, KR_NUM_ZERO) > 0 && kr_raw_eq(fee, due) ? "1" : "0";
}

static const char *by_files(kr_import *im, const unattributed *u, const char **counterparty)
{
    sqlite3_stmt *row;
    *counterparty = NULL;
    if (kr_sql(im, &row, "SELECT 1 FROM builder_day WHERE day = ?1", "t", kr_import_day_text(im->scratch, kr_day_of_time(u->time))) != SQLITE_ROW)
        return NULL;
    if (kr_sql(im, &row, "SELECT count(*), min(counterparty), max(counterparty) FROM builder_fill WHERE address = ?1 AND time = ?2 AND coin = ?3 AND side = ?4 AND px = ?5 AND sz = ?6",
               "tittt" "t", u->address, u->time, u->coin, u->side, u->px, u->sz) != SQLITE_ROW || sqlite3_column_int64(row, 0) == 0)
        return "0";
    const char *low = kr_sql_text(im, row, 1), *high = kr_sql_text(im, row, 2);
    if (*low && !strcmp(low, high))
        *counterparty = low;
    return "1";
}

bool kr_import_attribute(kr_import *im)
{
    sqlite3_stmt *row;
    unattributed *all = NULL;
    size_t count = 0, capacity = 0;
    bool files = kr_sql(im, &row, "SELECT 1 FROM builder_day LIMIT 1", "") == SQLITE_ROW;
    if (!im->by_rate && !files) { /* a choice made in an earlier import holds */
        if (kr_sql(im, &row, "SELECT value FROM setting WHERE name = 'builder'", "") != SQLITE_ROW)
            return !im->broken;
        const char *value = kr_sql_text(im, row, 0);
        im->by_rate = !strncmp(value, "rate ", 5) && kr_num_read(value + 5, strlen(value + 5), &im->rate, NULL) == KR_READ_OK;
    }
    for (int got = kr_sql(im, &row, "SELECT f.address, f.time, f.coin, f.tid, f.side, f.px, f.sz, d.builder_fee FROM fill f JOIN fill_detail d USING (address, time, coin, tid, side)"
                                    " WHERE f.builder IS NULL", ""); got == SQLITE_ROW; got = sqlite3_step(row))
        KR_PUSH(im->scratch, all, count, capacity) = (unattributed){
            kr_sql_text(im, row, 0), kr_sql_text(im, row, 2), kr_sql_text(im, row, 3), kr_sql_text(im, row, 4), kr_sql_text(im, row, 5), kr_sql_text(im, row, 6),
            kr_sql_text(im, row, 7), sqlite3_column_int64(row, 1),
        };
    for (size_t i = 0; i < count && !im->broken; i++) {
        const unattributed *u = &all[i];
        const char *counterparty = NULL, *builder = im->by_rate ? by_rate(im, u) : by_files(im, u, &counterparty);
        if (builder)
            kr_sql(im, NULL, "UPDATE fill SET builder = ?6, counterparty = coalesce(counterparty, ?7) WHERE address = ?1 AND time = ?2 AND coin = ?3 AND tid = ?4 AND side = ?5",
                   "tittt" "tt", u->address, u->time, u->coin, u->tid, u->side, builder, counterparty);
    }
    return !im->broken;
}

/* ------------------------------------------------------------------ the builder's day files */

enum { B_TIME, B_USER, B_COIN, B_SIDE, B_PX, B_SZ, B_COUNTERPARTY, B_COLUMNS };
static const char *const b_names[B_COLUMNS] = { "time", "user", "coin", "side", "px", "sz", "counterparty" };

/* Cut a line of a plain CSV file (these have no quotes); gives the number of cells. */
static int cut(char *line, char **cells, int room)
{
    int n = 0;
    for (char *p = line; n < room; p++) {
        cells[n++] = p;
        p += strcspn(p, ",\r");
        bool more = *p == ',';
        *p = 0;
        if (!more)
            break;
    }
    return n;
}

/* ISO times here may have micro- or nanoseconds; records of the exchange have whole milliseconds, cut. */
static bool builder_time(const char *text, int64_t *time)
{
    char shortened[40];
    const char *point = strchr(text, '.');
    size_t keep = point && strlen(point) > 4 ? (size_t)(point - text) + 4 : strcspn(text, "Z");
    if (keep >= sizeof shortened)
        return false;
    snprintf(shortened, sizeof shortened, "%.*s", (int)keep, text);
    return kr_time_read(shortened, strlen(shortened), time);
}

static bool builder_line(kr_import *im, char **cells, const int *place, int count, size_t line)
{
    const char *c[B_COLUMNS];
    kr_num px, sz;
    int64_t time;
    for (int i = 0; i < B_COLUMNS; i++)
        c[i] = place[i] >= 0 && place[i] < count ? cells[place[i]] : "";
    const char *user = kr_lower_address(im->scratch, c[B_USER]), *other = *c[B_COUNTERPARTY] ? kr_lower_address(im->scratch, c[B_COUNTERPARTY]) : "";
    char s = (char)(*c[B_SIDE] | 32);
    const char *wrong = !builder_time(c[B_TIME], &time) ? "time" : !user ? "user" : !*c[B_COIN] ? "coin" : s != 'a' && s != 'b' && s != 's' ? "side"
                        : kr_num_read(c[B_PX], strlen(c[B_PX]), &px, NULL) != KR_READ_OK ? "px" : kr_num_read(c[B_SZ], strlen(c[B_SZ]), &sz, NULL) != KR_READ_OK ? "sz"
                        : !other ? "counterparty" : NULL;
    if (wrong) {
        kr_diag_at(im->diags, KR_E_ANSWER_SHAPE, kr_arena_printf(im->scratch, "%s:%zu", im->file, line), "the cell of `%s` in this row of the builder's file cannot be read", wrong);
        im->wrong = true;
        return false;
    }
    kr_sql(im, NULL, "INSERT OR IGNORE INTO builder_fill VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "tittttt", user, time, c[B_COIN], s == 'b' ? "buy" : "sell",
           kr_import_number_text(im, px), kr_import_number_text(im, sz), other);
    kr_sql(im, NULL, "INSERT OR IGNORE INTO builder_day VALUES (?1)", "t", kr_import_day_text(im->scratch, kr_day_of_time(time)));
    return true;
}

/* builder_fills/<builder>/20250727.csv: the day a file is of, also when it has no rows. */
static void day_of_name(kr_import *im, const char *file)
{
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    int64_t day;
    if (strspn(name, "0123456789") != 8)
        return;
    char *text = kr_arena_printf(im->scratch, "%.4s-%.2s-%.2s", name, name + 4, name + 6);
    if (kr_day_read(text, strlen(text), &day))
        kr_sql(im, NULL, "INSERT OR IGNORE INTO builder_day VALUES (?1)", "t", text);
}

static void builder_file(kr_import *im, const char *path)
{
    kr_file file;
    char problem[200];
    if (!kr_file_open(&file, path, problem, sizeof problem)) {
        kr_import_fault(im, KR_E_DATA_PATH, NULL, "`%s` cannot be read: %s", path, problem);
        return;
    }
    int place[B_COLUMNS];
    size_t line = 0, rows = 0;
    for (const char *p = file.data, *end = p + file.size; p < end && !im->wrong; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        char *cells[32], *text = kr_arena_copy(im->scratch, p, (size_t)(stop - p));
        int count = cut(text, cells, 32);
        p = stop + (stop < end);
        if (!line) {
            for (int i = 0; i < B_COLUMNS; i++) {
                place[i] = -1;
                for (int k = 0; k < count; k++)
                    if (!strcmp(cells[k], b_names[i]))
                        place[i] = k;
                if (place[i] < 0 && i != B_COUNTERPARTY)
                    kr_import_fault(im, KR_E_ANSWER_SHAPE, NULL, "the builder's file has no column `%s`", b_names[i]);
            }
        } else if (count > 1 || *cells[0]) {
            rows += builder_line(im, cells, place, count, line + 1);
        }
        if (kr_arena_bytes(im->scratch) > 1 << 22)
            kr_arena_reset(im->scratch);
    }
    day_of_name(im, path);
    kr_file_done(&file);
    kr_import_say(im, "builder_fills", rows, rows, NULL);
}

bool kr_import_builder_files(kr_import *im, const char *list)
{
    bool ok = true;
    for (const char *p = list; *p && ok; p += *p == ',') {
        size_t n = strcspn(p, ",");
        const char *path = kr_arena_copy(im->arena, p, n);
        p += n;
        ok = kr_import_file_begin(im, path);
        if (ok && !im->wrong)
            builder_file(im, path);
        ok = kr_import_file_end(im) && ok;
    }
    return ok;
}
