#include "vm/lang/fdiff.h"

#include <string.h>

enum { MOST_CELLS = 4000000 }; /* of the table of common subsequences */

typedef struct word { const char *text; uint32_t len; bool spaced; } word; /* spaced: white space stands before it */
typedef struct words { word *list; size_t count, capacity; } words;

static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || (unsigned char)c >= 0x80; }

static words split(kr_arena *arena, const char *text)
{
    words w = { 0 };
    for (const char *p = text; *p;) {
        const char *from = p;
        while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
            p++;
        if (!*p)
            break;
        const char *start = p;
        if (is_name(*p)) {
            while (is_name(*p))
                p++;
        } else if (*p == '\'' || *p == '"') {
            char quote = *p++;
            while (*p && *p != quote)
                p++;
            p += *p != 0;
        } else {
            p += (p[0] == '<' && (p[1] == '=' || p[1] == '>')) || (p[0] == '>' && p[1] == '=') ? 2 : 1;
        }
        KR_PUSH(arena, w.list, w.count, w.capacity) = (word){ start, (uint32_t)(p - start), start > from };
    }
    return w;
}

static bool same(const word *a, const word *b) { return a->len == b->len && !memcmp(a->text, b->text, a->len); }

static char *joined(kr_arena *arena, const word *list, size_t count, bool lead)
{
    size_t len = 1;
    for (size_t i = 0; i < count; i++)
        len += list[i].len + 1;
    char *out = kr_arena_alloc(arena, len), *at = out;
    for (size_t i = 0; i < count; i++) {
        if (list[i].spaced && (i || lead))
            *at++ = ' ';
        memcpy(at, list[i].text, list[i].len);
        at += list[i].len;
    }
    *at = 0;
    return out;
}

static void add(kr_arena *arena, kr_word_diff *diff, char kind, const word *list, size_t count)
{
    if (count)
        KR_PUSH(arena, diff->parts, diff->count, diff->capacity) = (kr_words){ kind, joined(arena, list, count, true), (int)count };
}

kr_word_diff kr_fdiff_words(kr_arena *arena, const char *old_text, const char *new_text)
{
    kr_word_diff diff = { 0 };
    words a = split(arena, old_text), b = split(arena, new_text);
    size_t head = 0, tail = 0;
    while (head < a.count && head < b.count && same(&a.list[head], &b.list[head]))
        head++;
    while (tail < a.count - head && tail < b.count - head && same(&a.list[a.count - 1 - tail], &b.list[b.count - 1 - tail]))
        tail++;
    size_t n = a.count - head - tail, m = b.count - head - tail;
    const word *x = a.list + head, *y = b.list + head;
    add(arena, &diff, ' ', b.list, head);
    if (n && m && n <= MOST_CELLS / m) {
        /* common[i][j]: the longest common subsequence of the words from i and from j on */
        uint16_t *common = kr_alloc(sizeof *common * (n + 1) * (m + 1));
        for (size_t i = n; i-- > 0;)
            for (size_t j = m; j-- > 0;) {
                uint16_t down = common[(i + 1) * (m + 1) + j], right = common[i * (m + 1) + j + 1];
                common[i * (m + 1) + j] = same(&x[i], &y[j]) ? (uint16_t)(common[(i + 1) * (m + 1) + j + 1] + 1) : down > right ? down : right;
            }
        size_t i = 0, j = 0;
        while (i < n || j < m) {
            size_t i0 = i, j0 = j;
            while (i < n && j < m && same(&x[i], &y[j])) {
                i++;
                j++;
            }
            add(arena, &diff, ' ', y + j0, j - j0);
            i0 = i;
            j0 = j;
            while ((i < n || j < m) && !(i < n && j < m && same(&x[i], &y[j]))) {
                if (j >= m || (i < n && common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1]))
                    i++;
                else
                    j++;
            }
            add(arena, &diff, '-', x + i0, i - i0);
            add(arena, &diff, '+', y + j0, j - j0);
        }
        kr_free(common);
    } else {
        add(arena, &diff, '-', x, n);
        add(arena, &diff, '+', y, m);
    }
    add(arena, &diff, ' ', b.list + b.count - tail, tail);
    return diff;
}

char *kr_fdiff_clip(kr_arena *arena, const char *text, int n, bool at_end)
{
    words w = split(arena, text);
    if (n < 0 || w.count <= (size_t)n)
        return joined(arena, w.list, w.count, true);
    const char *kept = at_end ? joined(arena, w.list + w.count - n, (size_t)n, true) : joined(arena, w.list, (size_t)n, true);
    return kr_arena_printf(arena, at_end ? "… %s" : "%s …", kept + (at_end && *kept == ' '));
}

char *kr_fdiff_text(kr_arena *arena, const kr_word_diff *diff, int context)
{
    char *out = kr_arena_printf(arena, "%s", "");
    for (size_t i = 0; i < diff->count; i++) {
        const kr_words *w = &diff->parts[i];
        const char *text = w->text;
        bool first = i == 0, last = i + 1 == diff->count;
        if (w->kind == ' ' && context >= 0 && w->count > (first || last ? context : 2 * context)) {
            if (first)
                text = kr_fdiff_clip(arena, text, context, true);
            else if (last)
                text = kr_fdiff_clip(arena, text, context, false);
            else
                text = kr_arena_printf(arena, "%s%s", kr_fdiff_clip(arena, text, context, false), kr_fdiff_clip(arena, text, context, true) + strlen("…"));
        }
        const char *space = w->kind != ' ' && *text == ' ' ? " " : "";
        out = kr_arena_printf(arena, w->kind == '-' ? "%s%s[-%s-]" : w->kind == '+' ? "%s%s{+%s+}" : "%s%s%s", out,
                              w->kind == '+' && i && diff->parts[i - 1].kind == '-' ? "" : space, text + (*space ? 1 : 0));
    }
    return out + (*out == ' ');
}

/* ------------------------------------------------------------------ what a formula reads */

void kr_expr_walk(const kr_expr *e, kr_expr_visit *visit, void *context)
{
    if (!e)
        return;
    visit(context, e);
    for (int i = 0; i < e->arg_count; i++)
        kr_expr_walk(e->args[i], visit, context);
    for (int i = 0; i < e->match_count; i++)
        kr_expr_walk(e->match[i].near, visit, context);
    for (int i = 0; i < e->edges_count; i++) {
        kr_expr_walk(e->edges[i].where, visit, context);
        for (int k = 0; k < e->edges[i].match_count; k++)
            kr_expr_walk(e->edges[i].match[k].near, visit, context);
    }
    kr_expr_walk(e->where, visit, context);
    kr_expr_walk(e->count, visit, context);
}
