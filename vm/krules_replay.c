/* krules_replay.c: a period a day at a time, each day going on from what the day before recorded, held against one run over all of it. */
#include "vm/krules_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/text/time.h"

typedef struct replay {
    krules *k;
    krules_result *full;
    size_t days, cells, differences;
} replay;

static bool is_of_day(krules_result *r, size_t sheet, size_t row, const char *day, bool last)
{
    const char *own = krules_row_day(r, sheet, row);
    return own ? !strcmp(own, day) : last; /* rows without a day are held against each other once, at the end */
}

static void differs(replay *p, krules_result *r, size_t sheet, size_t row, int column, const char *now, const char *full)
{
    if (p->differences++ >= KR_DIAG_SHOWN)
        return;
    const char *place = kr_view_place(r->arena, r->view, &r->view->sheets[sheet], row, column);
    kr_diag_at(p->k->diags, KR_E_STORE_REPLAY, place, "a day at a time gives %s, all days at once %s", *now ? now : "a blank", *full ? full : "a blank");
}

static void compare_sheet(replay *p, krules_result *r, size_t sheet, const char *day, bool last)
{
    size_t a = 0, b = 0, n = krules_row_count(r, sheet), m = krules_row_count(p->full, sheet), columns = krules_column_count(r, sheet);
    for (;; a++, b++) {
        while (a < n && !is_of_day(r, sheet, a, day, last))
            a++;
        while (b < m && !is_of_day(p->full, sheet, b, day, last))
            b++;
        if (a == n && b == m)
            return;
        if (a == n || b == m) {
            krules_result *more = a == n ? p->full : r;
            differs(p, more, sheet, a == n ? b : a, -1, a == n ? "no such row" : "a row", a == n ? "one" : "none");
            return;
        }
        for (size_t c = 0; c < columns; c++) {
            const char *now = krules_cell(r, sheet, a, c), *full = krules_cell(p->full, sheet, b, c);
            p->cells++;
            if (strcmp(now, full) != 0)
                differs(p, r, sheet, a, (int)c, now, full);
        }
    }
}

static bool step(replay *p, krules_book *book, krules_data *data, const char *store, const char *day, bool last)
{
    krules_options options = { .from = day, .to = day, .resume = store };
    size_t saved;
    krules_result *r = krules_eval(book, data, &options);
    if (!r)
        return false;
    for (size_t sheet = 0; sheet < krules_sheet_count(r); sheet++)
        compare_sheet(p, r, sheet, day, last);
    bool ok = krules_save(r, store, NULL, &saved);
    krules_result_free(r);
    p->days++;
    return ok;
}

bool krules_replay(krules_book *book, krules_data *data, const char *from, const char *to, const char *folder, krules_replayed *out)
{
    krules *k = book->object.session;
    replay p = { .k = k, .full = krules_eval(book, data, &(krules_options){ .from = from, .to = to }) };
    const char *first, *end;
    int64_t day, stop;
    *out = (krules_replayed){ 0 };
    if (!p.full)
        return false;
    if (!krules_period(p.full, &first, &end) || !kr_day_read(first, strlen(first), &day) || !kr_day_read(end, strlen(end), &stop)) {
        kr_diag_at(k->diags, KR_E_CMD_VALUE, krules_book_name(book), "there are no days to replay");
        krules_result_free(p.full);
        return false;
    }
    char *store = kr_arena_printf(k->arena, "%s/krules-replay-XXXXXX", folder ? folder : getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    int file = mkstemp(store);
    bool ok = file >= 0;
    if (!ok)
        kr_diag_at(k->diags, KR_E_STORE_WRITE, store, "a store for the replay cannot be made");
    else
        close(file);
    for (; ok && day <= stop; day++) {
        char text[16];
        kr_day_write(day, text);
        ok = step(&p, book, data, store, text, day == stop);
    }
    if (file >= 0) {
        unlink(store);
        unlink(kr_arena_printf(k->arena, "%s-journal", store));
    }
    krules_result_free(p.full);
    *out = (krules_replayed){ p.days, p.cells, p.differences };
    return ok && !p.differences;
}
