/* term.h: the terminal: width, colours by meaning, tables, progress. The only file that knows terminal codes. */
#ifndef KR_CMD_TERM_H
#define KR_CMD_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool term_colour(int fd, bool refused);  /* a terminal, without NO_COLOR, TERM=dumb or --no-color */
bool term_is(int fd);
size_t term_width(int fd);               /* columns; COLUMNS, the terminal's, or 100 */

typedef enum { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_BAD, TERM_GOOD } term_style;
const char *term_on(bool colour, term_style style);
const char *term_off(bool colour);

/* A table of texts (borrowed): `keys` leading columns are repeated when it is folded into several blocks to fit the width. */
typedef struct term_table {
    size_t columns, keys;
    const char *const *heads;   /* one per column */
    const char *const *units;   /* second head line, or NULL */
    const bool *right;          /* set to the right */
    size_t rows;
    const char *const *cells;   /* rows × columns */
    const char *const *totals;  /* a last row, or NULL */
} term_table;
void term_print_table(FILE *out, const term_table *table, size_t width, bool colour);

/* A bar on standard error for what takes more than a second; shown only on a terminal and erased by term_progress_end. */
typedef struct term_progress { bool shown; unsigned long long start_ms, last_ms; const char *what; } term_progress;
void term_progress_start(term_progress *progress, const char *what);
void term_progress_step(void *progress, unsigned permille); /* krules_options.progress */
void term_progress_end(term_progress *progress);

#endif
