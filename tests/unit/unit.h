/* unit.h: what the unit tests share: counted checks, a last line `N passed, N failed`, a seeded generator. Included once a program. */
#ifndef KR_UNIT_H
#define KR_UNIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned unit_passed, unit_failed;

#define CHECK(condition) unit_check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_TEXT(got, wanted) unit_check_text((got), (wanted), __FILE__, __LINE__)

__attribute__((format(printf, 4, 5), unused)) static bool unit_check(bool ok, const char *file, int line, const char *format, ...)
{
    if (ok) {
        unit_passed++;
        return true;
    }
    unit_failed++;
    va_list args;
    va_start(args, format);
    printf("%s:%d: ", file, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    return false;
}

__attribute__((unused)) static bool unit_check_text(const char *got, const char *wanted, const char *file, int line)
{
    return unit_check(got && strcmp(got, wanted) == 0, file, line, "differs\n--- wanted\n%s\n--- got\n%s\n---", wanted, got ? got : "(NULL)");
}

__attribute__((unused)) static uint64_t unit_random(uint64_t *state) /* xorshift64*, never from 0 */
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

__attribute__((unused)) static int unit_done(void)
{
    printf("%u passed, %u failed\n", unit_passed, unit_failed);
    return unit_failed ? 1 : 0;
}

#endif
