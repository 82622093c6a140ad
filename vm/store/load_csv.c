/* load_csv.c: CSV by RFC 4180 (commas, doubled quotes, line ends LF or CRLF, newlines inside quotes), with a header, UTF-8, BOM allowed. */
#include <string.h>

#include "vm/store/loading.h"

typedef struct csv {
    int *rule_of;    /* field → rule, or -1 */
    int field_count;
} csv;

typedef enum { FIELD_MORE, FIELD_LAST, FIELD_BAD_QUOTE, FIELD_AFTER_QUOTE, FIELD_OPEN_QUOTE } field_end;

/* One field at p: its raw text, whether it has doubled quotes, and the next position. */
static inline field_end next_field(const char **p, const char *end, const char **text, size_t *len, bool *doubled)
{
    const char *s = *p;
    *doubled = false;
    if (s < end && *s == '"') {
        const char *from = ++s;
        for (;;) {
            s = memchr(s, '"', (size_t)(end - s));
            if (!s)
                return FIELD_OPEN_QUOTE;
            if (s + 1 == end || s[1] != '"')
                break;
            *doubled = true;
            s += 2;
        }
        *text = from;
        *len = (size_t)(s - from);
        s++;
        if (s < end && *s == '\r' && (s + 1 == end || s[1] == '\n'))
            s++;
        *p = s;
        if (s == end || *s == '\n')
            return FIELD_LAST;
        return *s == ',' ? (++*p, FIELD_MORE) : FIELD_AFTER_QUOTE;
    }
    const char *from = s;
    while (s < end && *s != ',' && *s != '\n' && *s != '"')
        s++;
    *text = from;
    *len = (size_t)(s - from);
    *p = s;
    if (s < end && *s == '"')
        return FIELD_BAD_QUOTE;
    if (s < end && *s == ',') {
        ++*p;
        return FIELD_MORE;
    }
    if (*len && from[*len - 1] == '\r')
        --*len;
    return FIELD_LAST;
}

static const char *undouble(kr_arena *arena, const char *text, size_t *len)
{
    char *out = kr_arena_alloc(arena, *len);
    size_t n = 0;
    for (size_t i = 0; i < *len; i++) {
        out[n++] = text[i];
        i += text[i] == '"';
    }
    *len = n;
    return out;
}

static void bad_quote(kr_worker *w, field_end what, const char *at)
{
    w->block->broken = true;
    if (what == FIELD_OPEN_QUOTE)
        kr_worker_fault(w, KR_E_DATA_SHAPE, at, NULL, "this quote is never closed", "write a quote inside a quoted cell twice: \"\"");
    else if (what == FIELD_AFTER_QUOTE)
        kr_worker_fault(w, KR_E_DATA_SHAPE, at, NULL, "text after the quote that ends a cell", "write a quote inside a quoted cell twice: \"\"");
    else
        kr_worker_fault(w, KR_E_DATA_SHAPE, at, NULL, "a quote inside a cell that does not start with one",
                        "put the whole cell in quotes and write the quote twice: \"\"");
}

static void csv_block(kr_worker *w)
{
    const csv *c = w->format;
    const char *p = w->loading->file.data + w->block->start, *end = w->loading->file.data + w->block->end;
    memset(w->pieces, 0, sizeof *w->pieces * (size_t)w->loading->rule_count);
    for (int i = 0; i < w->loading->rule_count; i++)
        w->pieces[i].text = "";
    while (p < end) {
        int f = 0;
        uint32_t inner = 0;
        bool copied = false;
        field_end what;
        w->record = p;
        do {
            const char *text, *at = p;
            size_t len;
            bool doubled;
            what = next_field(&p, end, &text, &len, &doubled);
            if (what > FIELD_LAST) {
                bad_quote(w, what, what == FIELD_OPEN_QUOTE ? at : p);
                return;
            }
            if (*at == '"')
                for (const char *n = text; (n = memchr(n, '\n', (size_t)(text + len - n))); n++)
                    inner++;
            if (f < c->field_count && c->rule_of[f] >= 0) {
                if (doubled)
                    text = undouble(w->scratch, text, &len);
                copied |= doubled;
                w->pieces[c->rule_of[f]] = (kr_piece){ text, len, at };
            }
            f++;
        } while (what == FIELD_MORE);
        if (f == c->field_count) {
            kr_worker_row(w);
        } else {
            char message[100];
            size_t n = 0;
            for (int i = 0; i < w->loading->rule_count; i++)
                w->pieces[i].len = 0;
            kr_arena *arena = w->scratch;
            const char *text = f == 1 && (*w->record == '\n' || *w->record == '\r')
                                   ? "an empty line"
                                   : kr_arena_printf(arena, "%d cell%s, but the header has %d", f, f == 1 ? "" : "s", c->field_count);
            n = strlen(text);
            memcpy(message, text, n + 1);
            kr_worker_fault(w, KR_E_DATA_SHAPE, NULL, NULL, message, f > c->field_count ? "a cell with a comma in it stands in quotes" : NULL);
        }
        w->line += 1 + inner;
        if (p < end)
            p++;
        if (copied && kr_arena_bytes(w->scratch) > 1 << 20)
            kr_arena_reset(w->scratch);
    }
}

static void *csv_thread_new(kr_loading *loading, const void *shared)
{
    (void)loading;
    return (void *)shared;
}

static void csv_thread_end(void *format, void *shared) { (void)format, (void)shared; }

/* Blocks of whole records. Newlines inside quotes end no record, so a file with quotes is walked once with their state. */
static kr_block *split(kr_arena *arena, const kr_file *file, size_t start, size_t end, uint32_t line, size_t *block_count, size_t *row_count)
{
    const char *data = file->data;
    kr_block *blocks = NULL;
    size_t count = 0, capacity = 0, row = 0;
    bool quotes = memchr(data + start, '"', end - start) != NULL;
    while (start < end) {
        size_t rows = 0, lines = 0, at = start, goal = end - start > KR_LOAD_BLOCK ? start + KR_LOAD_BLOCK : end;
        if (!quotes) {
            while (at < goal) {
                const char *n = memchr(data + at, '\n', end - at);
                at = n ? (size_t)(n - data) + 1 : end;
                rows++;
            }
            lines = rows;
        } else {
            bool inside = false;
            while (at < end && (at < goal || inside || data[at - 1] != '\n')) {
                inside ^= data[at] == '"';
                lines += data[at] == '\n';
                rows += data[at] == '\n' && !inside;
                at++;
            }
            rows += at == end && data[at - 1] != '\n';
            lines += at == end && data[at - 1] != '\n';
        }
        KR_PUSH(arena, blocks, count, capacity) = (kr_block){ .start = start, .end = at, .first_row = row, .row_count = rows, .first_line = line };
        kr_file_forget(file, start, at);
        row += rows;
        line += (uint32_t)lines;
        start = at;
    }
    *block_count = count;
    *row_count = row;
    return blocks;
}

/* The header: fields to rules. false and diagnostics. *body: where the rows begin. */
static bool read_header(kr_loading *l, csv *c, size_t *body, uint32_t *body_line)
{
    const char *data = l->file.data, *end = data + l->file.size, *p = data;
    if (l->file.size >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
        p += 3;
    if (p == end) {
        kr_diag_at(l->diags, KR_E_DATA_SHAPE, l->path, "`%s` is empty: it needs a header line with the names of its columns", l->path);
        return false;
    }
    const char **names = NULL, **extra = NULL;
    size_t count = 0, capacity = 0, extra_count = 0, extra_capacity = 0, rule_capacity = 0, rule_count = 0;
    bool *seen = KR_NEW_ARRAY(l->arena, bool, l->rule_count), ok = true;
    field_end what;
    do {
        const char *text;
        size_t len;
        bool doubled;
        what = next_field(&p, end, &text, &len, &doubled);
        if (what > FIELD_LAST) {
            kr_diag_at(l->diags, KR_E_DATA_SHAPE, kr_arena_printf(l->arena, "%s:1", l->path), "the header's quotes are not well formed");
            return false;
        }
        if (doubled)
            text = undouble(l->arena, text, &len);
        const char *name = kr_arena_copy(l->arena, text, len);
        int rule = -1;
        for (int i = 0; i < l->rule_count; i++)
            if (!strcmp(l->rules[i].name, name))
                rule = i;
        for (size_t i = 0; i < count; i++)
            if (!strcmp(names[i], name)) {
                kr_diag_at(l->diags, KR_E_DATA_SHAPE, kr_arena_printf(l->arena, "%s:1", l->path), "column `%s` stands in the header twice", name);
                ok = false;
            }
        if (rule >= 0)
            seen[rule] = true;
        else
            KR_PUSH(l->arena, extra, extra_count, extra_capacity) = name;
        KR_PUSH(l->arena, names, count, capacity) = name;
        KR_PUSH(l->arena, c->rule_of, rule_count, rule_capacity) = rule;
    } while (what == FIELD_MORE);
    c->field_count = (int)count;
    *body_line = 2;
    for (const char *n = data; n < p; n++)
        *body_line += *n == '\n';
    *body = (size_t)(p - data) + (p < end);
    return ok && kr_load_columns(l, seen, extra, extra_count);
}

bool kr_load_csv(kr_loading *l)
{
    static const kr_format format = { csv_thread_new, csv_thread_end, csv_block };
    csv c = { 0 };
    size_t body, block_count, row_count, end = l->file.size;
    uint32_t line;
    if (!read_header(l, &c, &body, &line))
        return false;
    while (end > body && (l->file.data[end - 1] == '\n' || l->file.data[end - 1] == '\r'))
        end--; /* empty lines at the end are no rows */
    kr_arena *arena = kr_arena_new();
    kr_block *blocks = split(arena, &l->file, body, end, line, &block_count, &row_count);
    l->table = kr_dataset_add(l->data, l->sheet, row_count);
    l->table->file = l->path;
    l->table->lines = kr_alloc(sizeof *l->table->lines * (row_count + 1));
    bool ok = kr_load_blocks(l, blocks, block_count, &format, &c);
    kr_arena_free(arena);
    return ok;
}
