/* diag.h: what is wrong, where, and the way out (STYLE.md section 10).
 *
 * A pass puts diagnostics on a list and returns false; nothing below vm/cmd prints. Up to KR_DIAG_SHOWN errors are kept in full
 * (further ones are counted), one per cause. Codes stand in errors.def: E01xx text and numbers, E02xx language, E03xx Lua host,
 * E04xx model and versions, E05xx data, E06xx run, E07xx store and governance, E08xx commands; W….. warnings, N….. notes.
 * All memory is of the list's arena. */
#ifndef KR_DIAG_H
#define KR_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "vm/text/source.h"

enum { KR_DIAG_SHOWN = 20 };

typedef enum kr_code {
    KR_CODE_NONE,
#define KR_ERROR(name, number, status, title, explain) name,
#include "vm/text/errors.def"
#undef KR_ERROR
    KR_CODE_COUNT
} kr_code;

typedef enum { KR_SEVERITY_ERROR, KR_SEVERITY_WARNING, KR_SEVERITY_NOTE } kr_severity;

typedef struct kr_window {
    kr_span span;
    const char *label; /* may be NULL */
} kr_window;

typedef struct kr_diag {
    kr_code code;
    kr_severity severity;
    const char *message;
    kr_span span;            /* main place in a source, or source NULL */
    const char *place;       /* where there is no source text: `data/fill.csv:1032:7`, `account[miner=a, day=2026-03-02].pay`; or NULL */
    const char *row;         /* the row's key and the cell, for data; or NULL */
    kr_window windows[4];    /* other places involved */
    int window_count;
    const char *help[3], *note[3]; /* NULL-ended unless full */
} kr_diag;

typedef struct kr_diags kr_diags;

kr_diags *kr_diags_new(kr_arena *arena);
/* Add one; the returned record is filled further with the functions below. Never NULL. */
kr_diag *kr_diag_add(kr_diags *diags, kr_code code, kr_span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same for data and cells: `place` is text. */
kr_diag *kr_diag_at(kr_diags *diags, kr_code code, const char *place, const char *format, ...) __attribute__((format(printf, 4, 5)));
void kr_diag_help(kr_diags *diags, kr_diag *diag, const char *format, ...) __attribute__((format(printf, 3, 4)));
void kr_diag_row(kr_diags *diags, kr_diag *diag, const char *row); /* keeps a copy */
void kr_diag_note(kr_diags *diags, kr_diag *diag, const char *format, ...) __attribute__((format(printf, 3, 4)));
void kr_diag_window(kr_diags *diags, kr_diag *diag, kr_span span, const char *label);

size_t kr_diags_count(const kr_diags *diags, kr_severity severity); /* all, shown or not */
size_t kr_diags_shown(const kr_diags *diags);
const kr_diag *kr_diags_get(const kr_diags *diags, size_t i);       /* i < shown, in the order they were added */
int kr_diags_status(const kr_diags *diags); /* exit status of the worst error (errors.def): 0 none, 1 finding, 2 use, 3 rules, 4 data, 5 governance */

/* The message as STYLE.md section 10 shows it, ending in a newline; colour adds terminal codes. In the arena. */
char *kr_diag_render(kr_arena *arena, const kr_diag *diag, bool colour);
char *kr_diag_json(kr_arena *arena, const kr_diag *diag); /* one JSON object, no newline */
const char *kr_code_name(kr_code code);    /* "E0203" */
const char *kr_code_title(kr_code code);
const char *kr_code_explain(kr_code code); /* paragraph for `krules explain E0203` */

/* "did you mean": the nearest of `names` within distance 2 (1 for names up to 4 long), else NULL. Case is ignored at first. */
const char *kr_nearest(const char *word, const char *const *names, size_t count);

#endif
