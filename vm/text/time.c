/* time.c: days and times of the proleptic Gregorian calendar, UTC. */
#include "vm/text/time.h"

#include <stdio.h>

enum { DAYS_400 = 146097, DAYS_100 = 36524, DAYS_4 = 1461, EPOCH = 719468 /* 0000-03-01 to 1970-01-01 */ };

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* Years are counted from March, so that the leap day is the last of its year; the months from March on hold
 * 31 30 31 30 31 31 30 31 30 31 31 days, of which (153 m + 2) / 5 is the running sum. */
int64_t kr_day_from_civil(int year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t era = floor_div(y, 400), of_era = y - era * 400;
    int64_t m = (month + 9) % 12;
    int64_t of_year = (153 * m + 2) / 5 + day - 1;
    return era * DAYS_400 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH;
}

void kr_day_to_civil(int64_t day, int *year, int *month, int *dom)
{
    int64_t z = day + EPOCH;
    int64_t era = floor_div(z, DAYS_400), d = z - era * DAYS_400;
    int64_t y = (d - d / (DAYS_4 - 1) + d / DAYS_100 - d / (DAYS_400 - 1)) / 365;
    int64_t of_year = d - (365 * y + y / 4 - y / 100);
    int64_t m = (5 * of_year + 2) / 153;
    *dom = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + era * 400 + (m >= 10));
}

int64_t kr_day_of_time(int64_t ms) { return floor_div(ms, KR_DAY_MS); }

static bool digits(const char *text, size_t n, int *out)
{
    int v = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        v = v * 10 + (text[i] - '0');
    }
    *out = v;
    return true;
}

bool kr_day_read(const char *text, size_t len, int64_t *day)
{
    static const int last[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int y, m, d;
    if (len != 10 || text[4] != '-' || text[7] != '-' || !digits(text, 4, &y) || !digits(text + 5, 2, &m) || !digits(text + 8, 2, &d))
        return false;
    bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    if (y < 1 || m < 1 || m > 12 || d < 1 || d > last[m] + (leap && m == 2))
        return false;
    *day = kr_day_from_civil(y, m, d);
    return true;
}

size_t kr_day_write(int64_t day, char out[16])
{
    int y, m, d;
    kr_day_to_civil(day, &y, &m, &d);
    return (size_t)snprintf(out, 16, "%04u-%02u-%02u", (unsigned)y % 100000, (unsigned)m % 100, (unsigned)d % 100);
}

/* HH:MM[:SS[.m[m[m]]]] */
static bool clock_read(const char *text, size_t len, int64_t *ms)
{
    int h, m, s = 0, fraction = 0;
    if (len < 5 || text[2] != ':' || !digits(text, 2, &h) || !digits(text + 3, 2, &m))
        return false;
    if (len > 5 && (len < 8 || text[5] != ':' || !digits(text + 6, 2, &s)))
        return false;
    if (len > 8) {
        if (text[8] != '.' || len == 9 || len > 12 || !digits(text + 9, len - 9, &fraction))
            return false;
        for (size_t i = len; i < 12; i++)
            fraction *= 10;
    }
    if (h > 23 || m > 59 || s > 59)
        return false;
    *ms = ((h * INT64_C(60) + m) * 60 + s) * 1000 + fraction;
    return true;
}

bool kr_time_read(const char *text, size_t len, int64_t *ms)
{
    const int64_t low = kr_day_from_civil(1, 1, 1) * KR_DAY_MS, high = kr_day_from_civil(10000, 1, 1) * KR_DAY_MS;
    if (len > 10 && (text[10] == 'T' || text[10] == ' ')) {
        int64_t day, clock;
        size_t end = text[len - 1] == 'Z' ? len - 1 : len;
        if (!kr_day_read(text, 10, &day) || !clock_read(text + 11, end - 11, &clock))
            return false;
        *ms = day * KR_DAY_MS + clock;
        return true;
    }
    size_t i = len > 0 && text[0] == '-';
    if (i == len || len - i > 15) /* 15 digits reach beyond the year 9999 */
        return false;
    int64_t v = 0;
    for (size_t k = i; k < len; k++) {
        if (text[k] < '0' || text[k] > '9')
            return false;
        v = v * 10 + (text[k] - '0');
    }
    v = i ? -v : v;
    if (v < low || v >= high)
        return false;
    *ms = v;
    return true;
}

size_t kr_time_write(int64_t ms, char out[32]) { return (size_t)snprintf(out, 32, "%lld", (long long)ms); }

size_t kr_time_write_iso(int64_t ms, char out[32])
{
    int64_t day = kr_day_of_time(ms), rest = ms - day * KR_DAY_MS;
    size_t n = kr_day_write(day, out);
    unsigned t = (unsigned)rest;
    return n + (size_t)snprintf(out + n, 32 - n, "T%02u:%02u:%02u.%03uZ", t / 3600000 % 100, t / 60000 % 60, t / 1000 % 60, t % 1000);
}
