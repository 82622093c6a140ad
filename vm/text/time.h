/* time.h: days and times. A day is a count of UTC days since 1970-01-01, a time milliseconds since then; both proleptic Gregorian,
 * years 0001 to 9999, no leap seconds. */
#ifndef KR_TIME_H
#define KR_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KR_DAY_MS INT64_C(86400000)

bool kr_day_read(const char *text, size_t len, int64_t *day);   /* YYYY-MM-DD only, a real date */
size_t kr_day_write(int64_t day, char out[16]);                 /* "2024-02-29" */
bool kr_time_read(const char *text, size_t len, int64_t *ms);   /* integer milliseconds, or YYYY-MM-DD[T ]HH:MM[:SS[.mmm]][Z] in UTC */
size_t kr_time_write(int64_t ms, char out[32]);                 /* integer milliseconds, as in data */
size_t kr_time_write_iso(int64_t ms, char out[32]);             /* 2024-02-29T12:00:00.000Z, for people */
int64_t kr_day_of_time(int64_t ms);                             /* floor */
int64_t kr_day_from_civil(int year, int month, int day);
void kr_day_to_civil(int64_t day, int *year, int *month, int *dom);

#endif
