/* load_jsonl.c: JSON Lines: one object a line, its members the columns. Numbers are taken as their text, so no digit is lost. */
#include <stdlib.h>
#include <string.h>

#include "vm/store/loading.h"

enum { DEPTH = 64, EXTRA = 32 };

typedef struct jsonl { /* one thread's; the shared one gathers */
    bool *seen;        /* per rule: some line has it */
    const char *extra[EXTRA];
    size_t extra_count;
    kr_arena *arena;
    int *guess;        /* rule of the member at this position in the line before, or -1 */
    int guess_count;
} jsonl;

typedef struct scan {
    const char *p, *end;
    const char *problem;
    kr_arena *arena;
} scan;

static void skip_space(scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r'))
        s->p++;
}

static bool fail(scan *s, const char *problem)
{
    if (!s->problem)
        s->problem = problem;
    return false;
}

static bool hex4(scan *s, uint32_t *out)
{
    uint32_t v = 0;
    if (s->end - s->p < 4)
        return fail(s, "an escape `\\u` needs four hex digits");
    for (int i = 0; i < 4; i++) {
        char c = *s->p++;
        uint32_t d = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 16;
        if (d > 15)
            return fail(s, "an escape `\\u` needs four hex digits");
        v = v << 4 | d;
    }
    *out = v;
    return true;
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out[0] = (char)((more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u) | c >> (6 * more));
    for (int i = 1; i <= more; i++)
        out[i] = (char)(0x80u | ((c >> (6 * (more - i))) & 0x3fu));
    return (size_t)more + 1;
}

/* A string; p is at its opening quote. */
static bool scan_string(scan *s, const char **text, size_t *len)
{
    const char *from = ++s->p;
    while (s->p < s->end && *s->p != '"' && *s->p != '\\' && (unsigned char)*s->p >= 32)
        s->p++;
    if (s->p < s->end && *s->p == '"') {
        *text = from;
        *len = (size_t)(s->p++ - from);
        return true;
    }
    const char *close = s->p; /* with escapes: never longer than its source */
    while (close < s->end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= s->end)
        return fail(s, "a string without its closing quote");
    char *out = kr_arena_alloc(s->arena, (size_t)(close - from) + 1);
    size_t n = (size_t)(s->p - from);
    memcpy(out, from, n);
    while (*s->p != '"') {
        unsigned char c = (unsigned char)*s->p++;
        if (c < 32)
            return fail(s, "a control character in a string");
        if (c != '\\') {
            out[n++] = (char)c;
            continue;
        }
        static const char codes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
        char e = *s->p++;
        const char *known = e ? strchr(codes, e) : NULL;
        uint32_t point, low;
        if (known) {
            out[n++] = values[known - codes];
        } else if (e != 'u') {
            return fail(s, "an unknown escape in a string");
        } else {
            if (!hex4(s, &point))
                return false;
            if (point >= 0xd800 && point < 0xdc00) {
                if (s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u')
                    return fail(s, "half a surrogate pair in a string");
                s->p += 2;
                if (!hex4(s, &low))
                    return false;
                if (low < 0xdc00 || low > 0xdfff)
                    return fail(s, "half a surrogate pair in a string");
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
            } else if (point >= 0xdc00 && point < 0xe000) {
                return fail(s, "half a surrogate pair in a string");
            }
            n += put_utf8(out + n, point);
        }
    }
    s->p++;
    *text = out;
    *len = n;
    return true;
}

static bool digits(scan *s)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return s->p > from || fail(s, "a number without digits");
}

static bool scan_number(scan *s, const char **text, size_t *len)
{
    const char *from = s->p;
    s->p += *s->p == '-';
    const char *first = s->p;
    if (!digits(s))
        return false;
    if (*first == '0' && s->p > first + 1)
        return fail(s, "a number that starts with 0");
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        if (!digits(s))
            return false;
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
            s->p++;
        if (!digits(s))
            return false;
    }
    *text = from;
    *len = (size_t)(s->p - from);
    return true;
}

static bool scan_word(scan *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return fail(s, "an unknown word");
    s->p += n;
    return true;
}

/* Any value; plain ones give their text (null: length 0 and text NULL). *nested: an object or list was skipped. */
static bool scan_value(scan *s, const char **text, size_t *len, bool *nested, int depth)
{
    skip_space(s);
    *nested = false;
    *len = 0;
    if (s->p == s->end)
        return fail(s, "a value is missing");
    char c = *s->p;
    *text = s->p;
    if (c == '"')
        return scan_string(s, text, len);
    if (c == '-' || (c >= '0' && c <= '9'))
        return scan_number(s, text, len);
    if (c == 't' || c == 'f') {
        const char *word = c == 't' ? "true" : "false";
        *text = word;
        *len = strlen(word);
        return scan_word(s, word);
    }
    if (c == 'n') {
        *text = "";
        return scan_word(s, "null");
    }
    if (c != '{' && c != '[')
        return fail(s, "this is no JSON value");
    if (depth == DEPTH)
        return fail(s, "values nested too deep");
    const char close = c == '{' ? '}' : ']';
    const char *inner;
    size_t inner_len;
    bool inner_nested;
    s->p++;
    skip_space(s);
    for (bool first = true; s->p < s->end && (*s->p != close || !first); first = false) {
        if (close == '}') {
            skip_space(s);
            if (s->p == s->end || *s->p != '"')
                return fail(s, "the name of a member is missing");
            if (!scan_string(s, &inner, &inner_len))
                return false;
            skip_space(s);
            if (s->p == s->end || *s->p++ != ':')
                return fail(s, "`:` is missing");
        }
        if (!scan_value(s, &inner, &inner_len, &inner_nested, depth + 1))
            return false;
        skip_space(s);
        if (s->p == s->end || (*s->p != ',' && *s->p != close))
            return fail(s, "`,` or a closing bracket is missing");
        if (*s->p == close)
            break;
        s->p++;
    }
    if (s->p == s->end)
        return fail(s, "a bracket is never closed");
    s->p++;
    *nested = true;
    return true;
}

static void keep_extra(jsonl *j, const char *name, size_t len)
{
    for (size_t i = 0; i < j->extra_count; i++)
        if (strlen(j->extra[i]) == len && !memcmp(j->extra[i], name, len))
            return;
    if (j->extra_count < EXTRA)
        j->extra[j->extra_count++] = kr_arena_copy(j->arena, name, len);
}

static int rule_of(const kr_loading *l, jsonl *j, int position, const char *name, size_t len)
{
    int guess = position < j->guess_count ? j->guess[position] : -1;
    if (guess >= 0 && !strncmp(l->rules[guess].name, name, len) && !l->rules[guess].name[len])
        return guess;
    for (int i = 0; i < l->rule_count; i++)
        if (!strncmp(l->rules[i].name, name, len) && !l->rules[i].name[len]) {
            if (position < j->guess_count)
                j->guess[position] = i;
            return i;
        }
    return -1;
}

/* One line's object into the worker's pieces. */
static bool scan_object(kr_worker *w, scan *s)
{
    jsonl *j = w->format;
    for (int i = 0; i < w->loading->rule_count; i++)
        w->pieces[i] = (kr_piece){ "", 0, NULL };
    skip_space(s);
    if (s->p == s->end)
        return fail(s, "an empty line");
    if (*s->p++ != '{')
        return fail(s, "a line is one object: { \"column\": value, … }");
    skip_space(s);
    for (int position = 0; s->p < s->end && (*s->p != '}' || position); position++) {
        const char *name, *text, *at;
        size_t name_len, len;
        bool nested;
        skip_space(s);
        if (s->p == s->end || *s->p != '"')
            return fail(s, "the name of a column is missing");
        if (!scan_string(s, &name, &name_len))
            return false;
        skip_space(s);
        if (s->p == s->end || *s->p++ != ':')
            return fail(s, "`:` is missing");
        skip_space(s);
        at = s->p;
        if (!scan_value(s, &text, &len, &nested, 0))
            return false;
        int rule = rule_of(w->loading, j, position, name, name_len);
        if (rule < 0) {
            keep_extra(j, name, name_len);
        } else if (nested) {
            s->p = at;
            return fail(s, "a cell is a plain value, not an object or a list");
        } else if (w->pieces[rule].at) {
            s->p = at;
            return fail(s, "a column stands in the line twice");
        } else {
            w->pieces[rule] = (kr_piece){ text, len, at };
            j->seen[rule] = true;
        }
        skip_space(s);
        if (s->p == s->end || (*s->p != ',' && *s->p != '}'))
            return fail(s, "`,` or `}` is missing");
        if (*s->p == '}')
            break;
        s->p++;
    }
    if (s->p == s->end)
        return fail(s, "the line's object is never closed");
    s->p++;
    skip_space(s);
    return s->p == s->end || fail(s, "text after the line's object");
}

static void jsonl_block(kr_worker *w)
{
    const char *p = w->loading->file.data + w->block->start, *end = w->loading->file.data + w->block->end;
    for (; p < end; w->line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        scan s = { p, stop ? stop : end, NULL, w->scratch };
        w->record = p;
        if (scan_object(w, &s))
            kr_worker_row(w);
        else
            kr_worker_fault(w, KR_E_DATA_SHAPE, s.p < s.end ? s.p : s.end, NULL, s.problem, NULL);
        if (kr_arena_bytes(w->scratch) > 1 << 20)
            kr_arena_reset(w->scratch);
        p = stop ? stop + 1 : end;
    }
}

static void *jsonl_thread_new(kr_loading *l, const void *shared)
{
    (void)shared;
    kr_arena *arena = kr_arena_new();
    jsonl *j = KR_NEW(arena, jsonl);
    j->arena = arena;
    j->seen = KR_NEW_ARRAY(arena, bool, l->rule_count);
    j->guess_count = 64;
    j->guess = KR_NEW_ARRAY(arena, int, j->guess_count);
    for (int i = 0; i < j->guess_count; i++)
        j->guess[i] = i < l->rule_count ? i : -1;
    return j;
}

typedef struct gathered {
    jsonl all;
    int rule_count;
} gathered;

static void jsonl_thread_end(void *format, void *shared)
{
    jsonl *j = format;
    gathered *g = shared;
    for (int i = 0; i < g->rule_count; i++)
        g->all.seen[i] |= j->seen[i];
    for (size_t i = 0; i < j->extra_count; i++)
        keep_extra(&g->all, j->extra[i], strlen(j->extra[i]));
    kr_arena_free(j->arena);
}

bool kr_load_jsonl(kr_loading *l)
{
    static const kr_format format = { jsonl_thread_new, jsonl_thread_end, jsonl_block };
    const char *data = l->file.data;
    size_t start = 0, end = l->file.size, rows = 0, count = 0, capacity = 0;
    kr_arena *arena = kr_arena_new();
    kr_block *blocks = NULL;
    if (end >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
        start = 3;
    while (end > start && (data[end - 1] == '\n' || data[end - 1] == '\r'))
        end--;
    while (start < end) {
        size_t goal = end - start > KR_LOAD_BLOCK ? start + KR_LOAD_BLOCK : end, at = start, n = 0;
        for (; at < goal; n++) {
            const char *stop = memchr(data + at, '\n', end - at);
            at = stop ? (size_t)(stop - data) + 1 : end;
        }
        KR_PUSH(arena, blocks, count, capacity) = (kr_block){ .start = start, .end = at, .first_row = rows, .row_count = n, .first_line = (uint32_t)rows + 1 };
        kr_file_forget(&l->file, start, at);
        rows += n;
        start = at;
    }
    l->table = kr_dataset_add(l->data, l->sheet, rows);
    l->table->file = l->path;
    l->table->lines = kr_alloc(sizeof *l->table->lines * (rows + 1));
    gathered g = { .all = { .seen = KR_NEW_ARRAY(arena, bool, l->rule_count), .arena = arena }, .rule_count = l->rule_count };
    bool ok = kr_load_blocks(l, blocks, count, &format, &g);
    if (ok && rows) { /* an empty file has no line that could lack a column */
        qsort(g.all.extra, g.all.extra_count, sizeof *g.all.extra, kr_compare_texts);
        ok = kr_load_columns(l, g.all.seen, g.all.extra, g.all.extra_count);
    }
    kr_arena_free(arena);
    return ok;
}
