#include "vm/cmd/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "vm/krules.h"

bool term_is(int fd) { return isatty(fd) == 1; }

bool term_colour(int fd, bool refused)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !refused && !(no && *no) && term && strcmp(term, "dumb") != 0 && term_is(fd);
}

size_t term_width(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    long n = columns ? strtol(columns, NULL, 10) : 0;
    if (n >= 20 && n <= 10000)
        return (size_t)n;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return 100;
}

const char *term_on(bool colour, term_style style)
{
    static const char *const codes[] = { "", "\033[1m", "\033[2m", "\033[31m", "\033[32m" };
    return colour ? codes[style] : "";
}

const char *term_off(bool colour) { return colour ? "\033[0m" : ""; }

static void put_cell(FILE *out, const char *text, size_t width, bool right, bool last)
{
    size_t have = krules_width(text);
    int pad = (int)(width > have ? width - have : 0);
    if (right)
        fprintf(out, "%*s%s", pad, "", text);
    else
        fprintf(out, "%s%*s", text, last ? 0 : pad, "");
}

static void put_row(FILE *out, const term_table *t, const size_t *chosen, size_t count, const size_t *widths, const char *const *cells, bool colour, term_style style)
{
    while (count && !*cells[chosen[count - 1]]) /* no blanks at the end of a line */
        count--;
    fputs(term_on(colour, style), out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "  " : "", out);
        put_cell(out, cells[chosen[i]], widths[chosen[i]], t->right[chosen[i]], i + 1 == count);
    }
    fputs(style == TERM_PLAIN ? "" : term_off(colour), out);
    fputc('\n', out);
}

static size_t wider(size_t width, const char *text)
{
    size_t n = krules_width(text);
    return n > width ? n : width;
}

void term_print_table(FILE *out, const term_table *t, size_t width, bool colour)
{
    size_t *widths = calloc(t->columns + 1, sizeof *widths), *chosen = calloc(t->columns + 1, sizeof *chosen);
    if (!widths || !chosen)
        abort();
    for (size_t c = 0; c < t->columns; c++) {
        widths[c] = wider(krules_width(t->heads[c]), t->units ? t->units[c] : "");
        for (size_t row = 0; row < t->rows; row++)
            widths[c] = wider(widths[c], t->cells[row * t->columns + c]);
        if (t->totals)
            widths[c] = wider(widths[c], t->totals[c]);
    }
    size_t next = t->keys;
    do {
        size_t count = 0, used = 0, before = next;
        for (size_t c = 0; c < t->keys; c++) {
            used += widths[c] + (count ? 2 : 0);
            chosen[count++] = c;
        }
        while (next < t->columns && (next == before || used + 2 + widths[next] <= width)) {
            used += widths[next] + (count ? 2 : 0);
            chosen[count++] = next++;
        }
        if (before > t->keys)
            fputc('\n', out);
        put_row(out, t, chosen, count, widths, t->heads, colour, TERM_BOLD);
        bool any = false;
        for (size_t i = 0; i < count && t->units; i++)
            any |= *t->units[chosen[i]] != 0;
        if (any)
            put_row(out, t, chosen, count, widths, t->units, colour, TERM_DIM);
        for (size_t row = 0; row < t->rows; row++)
            put_row(out, t, chosen, count, widths, t->cells + row * t->columns, colour, TERM_PLAIN);
        any = false;
        for (size_t i = t->keys; i < count && t->totals; i++)
            any |= *t->totals[chosen[i]] != 0;
        if (any)
            put_row(out, t, chosen, count, widths, t->totals, colour, TERM_BOLD);
    } while (next < t->columns);
    free(widths);
    free(chosen);
}

static unsigned long long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000 + (unsigned long long)t.tv_nsec / 1000000;
}

void term_progress_start(term_progress *p, const char *what)
{
    *p = (term_progress){ false, now_ms(), 0, what };
}

void term_progress_step(void *progress, unsigned permille)
{
    term_progress *p = progress;
    unsigned long long now = now_ms();
    if (!term_is(STDERR_FILENO) || now - p->start_ms < 1000 || now - p->last_ms < 100)
        return;
    p->shown = true;
    p->last_ms = now;
    char bar[41];
    for (unsigned i = 0; i < 40; i++)
        bar[i] = i < permille * 40 / 1000 ? '#' : '.';
    bar[40] = 0;
    fprintf(stderr, "\r%s [%s] %u%%", p->what, bar, permille / 10);
}

void term_progress_end(term_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
