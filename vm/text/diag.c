/* diag.c: the list of diagnostics, kept whole for the first KR_DIAG_SHOWN of each severity; errors.def as data; "did you mean". */
#include "vm/text/diag.h"

#include <string.h>

enum { SEVERITIES = 3, LONGEST_NAME = 64 };

struct kr_diags {
    kr_arena *arena;
    kr_diag **list;
    size_t count, capacity;
    size_t added[SEVERITIES]; /* shown or not */
    size_t kept[SEVERITIES];
    int status;
};

static const struct code_row {
    const char *name;
    int status;
    const char *title, *explain;
} code_rows[KR_CODE_COUNT] = {
    [KR_CODE_NONE] = { "E0000", 0, "", "" },
#define KR_ERROR(name, number, status, title, explain) [name] = { number, status, title, explain },
#include "vm/text/errors.def"
#undef KR_ERROR
};

const char *kr_code_name(kr_code code) { return code_rows[code].name; }
const char *kr_code_title(kr_code code) { return code_rows[code].title; }
const char *kr_code_explain(kr_code code) { return code_rows[code].explain; }

kr_diags *kr_diags_new(kr_arena *arena)
{
    kr_diags *diags = KR_NEW(arena, kr_diags);
    diags->arena = arena;
    return diags;
}

static kr_severity severity_of(kr_code code)
{
    char letter = code_rows[code].name[0];
    return letter == 'W' ? KR_SEVERITY_WARNING : letter == 'N' ? KR_SEVERITY_NOTE : KR_SEVERITY_ERROR;
}

static bool is_same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static uint32_t line_of(kr_span span)
{
    uint32_t line = 0, column;
    if (span.source)
        kr_source_place(span.source, span.start, &line, &column);
    return line;
}

/* Passes may meet one fault on several ways, and a line may hold it twice; it is told once. */
static bool is_known(const kr_diags *diags, const kr_diag *diag)
{
    for (size_t i = 0; i < diags->count; i++) {
        const kr_diag *d = diags->list[i];
        if (d->code == diag->code && d->span.source == diag->span.source && is_same(d->place, diag->place) && is_same(d->message, diag->message)
            && line_of(d->span) == line_of(diag->span))
            return true;
    }
    return false;
}

static kr_diag *add(kr_diags *diags, kr_code code, kr_span span, const char *place, const char *format, va_list args)
{
    KR_ASSERT(code > KR_CODE_NONE && code < KR_CODE_COUNT);
    kr_diag *diag = KR_NEW(diags->arena, kr_diag);
    diag->code = code;
    diag->severity = severity_of(code);
    diag->span = span;
    diag->place = place ? kr_arena_copy(diags->arena, place, strlen(place)) : NULL;
    diag->message = kr_arena_vprintf(diags->arena, format, args);
    if (is_known(diags, diag))
        return diag; /* to be filled by the caller, seen by nobody */
    diags->added[diag->severity]++;
    if (diag->severity == KR_SEVERITY_ERROR && code_rows[code].status > diags->status)
        diags->status = code_rows[code].status;
    if (diags->kept[diag->severity] < KR_DIAG_SHOWN) {
        diags->kept[diag->severity]++;
        KR_PUSH(diags->arena, diags->list, diags->count, diags->capacity) = diag;
    }
    return diag;
}

kr_diag *kr_diag_add(kr_diags *diags, kr_code code, kr_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_diag *diag = add(diags, code, span, NULL, format, args);
    va_end(args);
    return diag;
}

kr_diag *kr_diag_at(kr_diags *diags, kr_code code, const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kr_diag *diag = add(diags, code, (kr_span){ 0 }, place, format, args);
    va_end(args);
    return diag;
}

static void append(kr_diags *diags, const char *list[3], const char *format, va_list args)
{
    for (int i = 0; i < 3; i++) {
        if (!list[i]) {
            list[i] = kr_arena_vprintf(diags->arena, format, args);
            return;
        }
    }
}

void kr_diag_help(kr_diags *diags, kr_diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(diags, diag->help, format, args);
    va_end(args);
}

void kr_diag_row(kr_diags *diags, kr_diag *diag, const char *row) { diag->row = kr_arena_copy(diags->arena, row, strlen(row)); }

void kr_diag_note(kr_diags *diags, kr_diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(diags, diag->note, format, args);
    va_end(args);
}

void kr_diag_window(kr_diags *diags, kr_diag *diag, kr_span span, const char *label)
{
    if (diag->window_count == (int)(sizeof diag->windows / sizeof *diag->windows) || !span.source)
        return;
    diag->windows[diag->window_count++] = (kr_window){ span, label ? kr_arena_copy(diags->arena, label, strlen(label)) : NULL };
}

size_t kr_diags_count(const kr_diags *diags, kr_severity severity) { return diags->added[severity]; }
size_t kr_diags_shown(const kr_diags *diags) { return diags->count; }
int kr_diags_status(const kr_diags *diags) { return diags->status; }

const kr_diag *kr_diags_get(const kr_diags *diags, size_t i)
{
    KR_ASSERT(i < diags->count);
    return diags->list[i];
}

/* ---- did you mean */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Edits (insert, delete, replace, swap of neighbours) from a to b, case ignored. */
static int distance(const char *a, size_t an, const char *b, size_t bn)
{
    int rows[3][LONGEST_NAME + 1];
    for (size_t j = 0; j <= bn; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= an; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= bn; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            int best = above[j - 1] + !same;
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]) && two[j - 2] + 1 < best)
                best = two[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[an % 3][bn];
}

const char *kr_nearest(const char *word, const char *const *names, size_t count)
{
    size_t len = strlen(word);
    const char *best = NULL;
    int limit = len <= 4 ? 1 : 2, least = limit + 1;
    if (len == 0 || len > LONGEST_NAME)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]);
        if (n == 0 || n > LONGEST_NAME || n > len + 2 || len > n + 2)
            continue;
        int d = distance(word, len, names[i], n);
        if (n <= 4 && d > 1)
            continue;
        if (d < least && (size_t)d < len) { /* not a name that shares nothing with the word */
            least = d;
            best = names[i];
        }
    }
    return best;
}
