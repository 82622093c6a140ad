/* date.c: days (UTC, counted) and times (milliseconds, UTC). Years 0001 to 9999; what falls outside is #NUM!. */
#include "stdlib/families.h"

#include "vm/text/time.h"

#define DAY_MIN INT64_C(-719162) /* 0001-01-01 */
#define DAY_MAX INT64_C(2932896) /* 9999-12-31 */

static kr_cell day_cell(int64_t day) { return day < DAY_MIN || day > DAY_MAX ? KR_E_NUM : kr_cell_of_int(day); }

/* The day's last instant is inside; END(9999-12-31) is the one time beyond it. */
static kr_cell time_cell(int64_t ms)
{
    return ms < DAY_MIN * KR_DAY_MS || ms > (DAY_MAX + 1) * KR_DAY_MS ? KR_E_NUM : kr_cell_of_int(ms);
}

static kr_cell day_kernel(const kr_call *call, const kr_cell *args)
{
    int64_t value;
    size_t len;
    if (call->types[0] != KR_T_TEXT)
        return day_cell(kr_day_of_time(kr_cell_int(args[0]))); /* END(9999-12-31) has no day */
    const char *text = kr_pool_text(call->env->pool, (uint32_t)args[0].lo, &len);
    if (kr_day_read(text, len, &value))
        return kr_cell_of_int(value);
    return kr_time_read(text, len, &value) ? day_cell(kr_day_of_time(value)) : KR_E_VALUE;
}

static kr_cell time_kernel(const kr_call *call, const kr_cell *args)
{
    int64_t value;
    size_t len;
    if (call->types[0] == KR_T_NUMBER) {
        if (kr_num_to_int(args[0], &value))
            return time_cell(value);
        return kr_num_is_int(args[0]) ? KR_E_NUM : KR_E_VALUE;
    }
    const char *text = kr_pool_text(call->env->pool, (uint32_t)args[0].lo, &len);
    if (kr_time_read(text, len, &value))
        return time_cell(value);
    return kr_day_read(text, len, &value) ? kr_cell_of_int(value * KR_DAY_MS) : KR_E_VALUE;
}

static kr_cell start_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_cell_of_int(kr_cell_int(args[0]) * KR_DAY_MS);
}

static kr_cell end_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_cell_of_int((kr_cell_int(args[0]) + 1) * KR_DAY_MS);
}

static int64_t days_in_month(int64_t month_count) /* months since 0000-01 */
{
    int64_t next = month_count + 1;
    return kr_day_from_civil((int)(next / 12), (int)(next % 12) + 1, 1)
           - kr_day_from_civil((int)(month_count / 12), (int)(month_count % 12) + 1, 1);
}

/* Whole numbers that fit easily; false: not whole. What is too large becomes out of range later. */
static bool whole(kr_cell cell, int64_t *out)
{
    if (!kr_num_is_int(cell))
        return false;
    const int64_t far = INT64_C(1) << 40;
    if (!kr_num_to_int(cell, out) || *out > far || *out < -far)
        *out = cell.hi < 0 ? -far : far;
    return true;
}

static kr_cell date_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    int64_t year, month, day;
    if (!whole(args[0], &year) || !whole(args[1], &month) || !whole(args[2], &day))
        return KR_E_VALUE;
    int64_t months = year * 12 + month - 1;
    if (months < 12 || months >= 120000)
        return KR_E_NUM;
    return day_cell(kr_day_from_civil((int)(months / 12), (int)(months % 12) + 1, 1) + day - 1);
}

/* The day `step` months on; in a shorter month its last day. end: the last day of that month whatever the day. */
static kr_cell month_step(const kr_cell *args, bool end)
{
    int year, month, dom;
    int64_t step;
    if (!whole(args[1], &step))
        return KR_E_VALUE;
    kr_day_to_civil(kr_cell_int(args[0]), &year, &month, &dom);
    int64_t months = year * INT64_C(12) + month - 1 + step;
    if (months < 12 || months >= 120000)
        return KR_E_NUM;
    int64_t last = days_in_month(months), day = end || dom > last ? last : dom;
    return day_cell(kr_day_from_civil((int)(months / 12), (int)(months % 12) + 1, 1) + day - 1);
}

static kr_cell edate_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return month_step(args, false);
}

static kr_cell eomonth_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return month_step(args, true);
}

static void civil_of(const kr_call *call, kr_cell cell, int *year, int *month, int *dom)
{
    int64_t value = kr_cell_int(cell);
    kr_day_to_civil(call->types[0] == KR_T_TIME ? kr_day_of_time(value) : value, year, month, dom);
}

static kr_cell year_kernel(const kr_call *call, const kr_cell *args)
{
    int year, month, dom;
    civil_of(call, args[0], &year, &month, &dom);
    return kr_num_of_int(year);
}

static kr_cell month_kernel(const kr_call *call, const kr_cell *args)
{
    int year, month, dom;
    civil_of(call, args[0], &year, &month, &dom);
    return kr_num_of_int(month);
}

static kr_cell day_of_month_kernel(const kr_call *call, const kr_cell *args)
{
    int year, month, dom;
    civil_of(call, args[0], &year, &month, &dom);
    return kr_num_of_int(dom);
}

static kr_cell weekday_kernel(const kr_call *call, const kr_cell *args)
{
    int64_t value = kr_cell_int(args[0]), kind = 1;
    if (call->types[0] == KR_T_TIME)
        value = kr_day_of_time(value);
    if (call->argc > 1 && (!kr_num_to_int(args[1], &kind) || kind < 1 || kind > 3))
        return KR_E_NUM;
    int64_t monday = ((value + 3) % 7 + 7) % 7; /* 0 on Mondays: day 0 was a Thursday */
    return kr_num_of_int(kind == 1 ? (monday + 1) % 7 + 1 : kind == 2 ? monday + 1 : monday);
}

static int64_t ms_of_day(kr_cell cell)
{
    int64_t ms = kr_cell_int(cell);
    return ms - kr_day_of_time(ms) * KR_DAY_MS;
}

static kr_cell hour_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_of_int(ms_of_day(args[0]) / 3600000);
}

static kr_cell minute_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_of_int(ms_of_day(args[0]) / 60000 % 60);
}

static kr_cell second_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_of_int(ms_of_day(args[0]) / 1000 % 60);
}

static kr_cell ms_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_of_int(kr_cell_int(args[0]));
}

static kr_cell hours_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_mul(args[0], kr_num_of_int(3600000));
}

static kr_cell minutes_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_mul(args[0], kr_num_of_int(60000));
}

static kr_cell seconds_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_num_mul(args[0], kr_num_of_int(1000));
}

const kr_fn kr_date_fns[] = {
    { .name = "DAY", .usage = "DAY(time)", .sig = "time -> day | text -> day", .unit = "* -> * | * -> *",
      .doc = "The day (UTC) that a time falls on; of a text such as '2024-02-29' that day. (The day of the month is DAYOFMONTH.)",
      .example = "DAY('2024-02-29T23:59:59')", .gives = "2024-02-29", .edge = "DAY('2023-02-29')", .edge_gives = "#VALUE!",
      .scalar = day_kernel },
    { .name = "TIME", .usage = "TIME(ms)", .sig = "number -> time | text -> time", .unit = "ms -> * | * -> *",
      .doc = "The time so many milliseconds after 1970-01-01 (UTC); of a text such as '2024-02-29T12:00' that time.",
      .example = "TIME('1970-01-02')", .gives = "86400000", .edge = "TIME(0.5)", .edge_gives = "#VALUE!", .scalar = time_kernel },
    { .name = "START", .usage = "START(day)", .sig = "day -> time", .unit = "* -> *", .doc = "The first instant of a day (UTC), inside it.",
      .example = "START(DATE(1970, 1, 2))", .gives = "86400000", .edge = "START(DAY(TIME(-1)))", .edge_gives = "-86400000",
      .scalar = start_kernel },
    { .name = "END", .usage = "END(day)", .sig = "day -> time", .unit = "* -> *",
      .doc = "The end of a day (UTC): the first instant of the next day, no longer inside.",
      .example = "END(DATE(1970, 1, 1))", .gives = "86400000", .edge = "DAY(END(DATE(2024, 2, 28)))", .edge_gives = "2024-02-29",
      .scalar = end_kernel },
    { .name = "DATE", .usage = "DATE(year, month, day)", .sig = "number, number, number -> day", .unit = "*, *, * -> *",
      .doc = "A day of the calendar. Months and days beyond the end run on into the next, as in spreadsheets.",
      .example = "DATE(2024, 14, 0)", .gives = "2025-01-31", .edge = "DATE(10000, 1, 1)", .edge_gives = "#NUM!",
      .scalar = date_kernel },
    { .name = "EDATE", .usage = "EDATE(day, months)", .sig = "day, number -> day", .unit = "*, * -> *",
      .doc = "The same day of the month so many months later, or that month's last day where it is shorter.",
      .example = "EDATE(DATE(2024, 1, 31), 1)", .gives = "2024-02-29", .edge = "EDATE(DATE(2024, 1, 31), 0.5)",
      .edge_gives = "#VALUE!", .scalar = edate_kernel },
    { .name = "EOMONTH", .usage = "EOMONTH(day, months)", .sig = "day, number -> day", .unit = "*, * -> *",
      .doc = "The last day of the month so many months later.",
      .example = "EOMONTH(DATE(2023, 1, 15), 1)", .gives = "2023-02-28", .edge = "EOMONTH(DATE(9999, 12, 1), 1)",
      .edge_gives = "#NUM!", .scalar = eomonth_kernel },
    { .name = "YEAR", .usage = "YEAR(day)", .sig = "day -> number | time -> number", .unit = "* -> * | * -> *",
      .doc = "The year of a day or time.", .example = "YEAR(DATE(2024, 2, 29))", .gives = "2024",
      .edge = "YEAR(TIME(-1))", .edge_gives = "1969", .scalar = year_kernel },
    { .name = "MONTH", .usage = "MONTH(day)", .sig = "day -> number | time -> number", .unit = "* -> * | * -> *",
      .doc = "The month of a day or time, 1 to 12.", .example = "MONTH(DATE(2024, 2, 29))", .gives = "2",
      .edge = "MONTH(TIME(-1))", .edge_gives = "12", .scalar = month_kernel },
    { .name = "DAYOFMONTH", .usage = "DAYOFMONTH(day)", .sig = "day -> number | time -> number", .unit = "* -> * | * -> *",
      .doc = "The day of the month, 1 to 31 (what spreadsheets call DAY).", .example = "DAYOFMONTH(DATE(2024, 2, 29))", .gives = "29",
      .edge = "DAYOFMONTH(TIME(-1))", .edge_gives = "31", .scalar = day_of_month_kernel },
    { .name = "WEEKDAY", .usage = "WEEKDAY(day, kind)", .sig = "day, [number] -> number | time, [number] -> number",
      .unit = "*, [*] -> * | *, [*] -> *",
      .doc = "The day of the week: kind 1 (or left out) from Sunday = 1, kind 2 from Monday = 1, kind 3 from Monday = 0.",
      .example = "WEEKDAY(DATE(2024, 2, 29))", .gives = "5", .edge = "WEEKDAY(DATE(2024, 2, 29), 4)", .edge_gives = "#NUM!",
      .scalar = weekday_kernel },
    { .name = "HOUR", .usage = "HOUR(time)", .sig = "time -> number", .unit = "* -> *", .doc = "The hour (UTC), 0 to 23.",
      .example = "HOUR(TIME('2024-02-29T17:30:05'))", .gives = "17", .edge = "HOUR(TIME(-1))", .edge_gives = "23",
      .scalar = hour_kernel },
    { .name = "MINUTE", .usage = "MINUTE(time)", .sig = "time -> number", .unit = "* -> *", .doc = "The minute, 0 to 59.",
      .example = "MINUTE(TIME('2024-02-29T17:30:05'))", .gives = "30", .edge = "MINUTE(TIME(-1))", .edge_gives = "59",
      .scalar = minute_kernel },
    { .name = "SECOND", .usage = "SECOND(time)", .sig = "time -> number", .unit = "* -> *", .doc = "The second, 0 to 59; fractions are cut.",
      .example = "SECOND(TIME('2024-02-29T17:30:05'))", .gives = "5", .edge = "SECOND(TIME(-1))", .edge_gives = "59",
      .scalar = second_kernel },
    { .name = "MS", .usage = "MS(time)", .sig = "time -> number", .unit = "* -> ms", .doc = "Milliseconds since 1970-01-01 (UTC).",
      .example = "MS(START(DATE(1970, 1, 2)))", .gives = "86400000", .edge = "MS(TIME(-1))", .edge_gives = "-1",
      .scalar = ms_kernel },
    { .name = "HOURS", .usage = "HOURS(n)", .sig = "number -> number", .unit = "* -> ms", .doc = "So many hours, in milliseconds.",
      .example = "HOURS(2)", .gives = "7200000", .edge = "HOURS(1e18)", .edge_gives = "#NUM!", .scalar = hours_kernel },
    { .name = "MINUTES", .usage = "MINUTES(n)", .sig = "number -> number", .unit = "* -> ms", .doc = "So many minutes, in milliseconds.",
      .example = "MINUTES(2)", .gives = "120000", .edge = "MINUTES(1e18)", .edge_gives = "#NUM!", .scalar = minutes_kernel },
    { .name = "SECONDS", .usage = "SECONDS(n)", .sig = "number -> number", .unit = "* -> ms", .doc = "So many seconds, in milliseconds.",
      .example = "SECONDS(2)", .gives = "2000", .edge = "SECONDS(1e18)", .edge_gives = "#NUM!", .scalar = seconds_kernel },
    { .name = NULL },
};
