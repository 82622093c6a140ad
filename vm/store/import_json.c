#include "vm/store/import_json.h"

#include <stdint.h>
#include <string.h>

#include "vm/store/cell.h"

enum { DEPTH = 64, CHECKED_MEMBERS = 128 };

void kr_json_start(kr_json_reader *r, const char *data, size_t size)
{
    *r = (kr_json_reader){ data, data, data + size, NULL };
    if (size >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
        r->p += 3;
}

static kr_json *fail(kr_json_reader *r, const char *problem)
{
    if (!r->problem)
        r->problem = r->p >= r->end ? "the file ends before the value does" : problem;
    return NULL;
}

static void skip_space(kr_json_reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r' || *r->p == '\n'))
        r->p++;
}

static bool hex4(kr_json_reader *r, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, r->p++) {
        char c = r->p < r->end ? *r->p : 0;
        uint32_t d = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 16;
        if (d > 15)
            return fail(r, "an escape `\\u` needs four hex digits");
        *out = *out << 4 | d;
    }
    return true;
}

static char *put_point(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *out++ = (char)((more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u) | c >> (6 * more));
    while (more--)
        *out++ = (char)(0x80u | ((c >> (6 * more)) & 0x3fu));
    return out;
}

static bool escape(kr_json_reader *r, char **out)
{
    static const char codes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = r->p < r->end ? *r->p : 0;
    const char *known = c ? strchr(codes, c) : NULL;
    uint32_t point, low;
    if (known) {
        r->p++;
        *(*out)++ = values[known - codes];
        return true;
    }
    if (c != 'u')
        return fail(r, "an unknown escape in a string");
    r->p++;
    if (!hex4(r, &point))
        return false;
    if (point >= 0xd800 && point < 0xe000) {
        if (point >= 0xdc00 || r->end - r->p < 2 || r->p[0] != '\\' || r->p[1] != 'u')
            return fail(r, "half a surrogate pair in a string");
        r->p += 2;
        if (!hex4(r, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(r, "half a surrogate pair in a string");
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (!point)
        return fail(r, "a NUL in a string");
    *out = put_point(*out, point);
    return true;
}

/* p is at the opening quote. */
static bool string(kr_json_reader *r, kr_arena *arena, const char **text, size_t *len)
{
    const char *opening = r->p++, *close = r->p;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    char *copy = kr_arena_alloc(arena, (size_t)(close - r->p) + 1), *out = copy; /* unescaped text is never longer */
    while (r->p < r->end && *r->p != '"') {
        if ((unsigned char)*r->p < 32)
            return fail(r, "a control character in a string");
        if (*r->p != '\\') {
            *out++ = *r->p++;
            continue;
        }
        r->p++;
        if (!escape(r, &out))
            return false;
    }
    if (r->p >= r->end)
        return fail(r, "");
    r->p++;
    *text = copy;
    *len = (size_t)(out - copy);
    if (kr_text_is_utf8(copy, *len))
        return true;
    r->p = opening;
    return fail(r, "a string that is not UTF-8");
}

static bool digits(kr_json_reader *r)
{
    const char *from = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > from || fail(r, "a number without digits");
}

static bool number(kr_json_reader *r)
{
    if (*r->p == '-')
        r->p++;
    const char *first = r->p;
    if (!digits(r))
        return false;
    if (*first == '0' && r->p > first + 1) {
        r->p = first;
        return fail(r, "a number that starts with 0");
    }
    if (r->p < r->end && *r->p == '.') {
        r->p++;
        if (!digits(r))
            return false;
    }
    if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
        r->p++;
        if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
            r->p++;
        if (!digits(r))
            return false;
    }
    return true;
}

static bool word(kr_json_reader *r, const char *text)
{
    for (; *text; text++, r->p++)
        if (r->p >= r->end || *r->p != *text)
            return fail(r, "an unknown word");
    return true;
}

static kr_json *value(kr_json_reader *r, kr_arena *arena, int depth);

static bool nested(kr_json_reader *r, kr_arena *arena, kr_json *v, int depth)
{
    char close = v->type == KR_JSON_OBJECT ? '}' : ']';
    kr_json **last = &v->first;
    if (depth == DEPTH)
        return fail(r, "values nested too deep");
    r->p++;
    skip_space(r);
    if (r->p < r->end && *r->p == close) {
        r->p++;
        return true;
    }
    for (;;) {
        const char *name = NULL, *at;
        size_t len;
        skip_space(r);
        at = r->p;
        if (v->type == KR_JSON_OBJECT) {
            if (r->p >= r->end || *r->p != '"')
                return fail(r, "the name of a member is missing");
            if (!string(r, arena, &name, &len))
                return false;
            for (const kr_json *other = v->count < CHECKED_MEMBERS ? v->first : NULL; other; other = other->next)
                if (!strcmp(other->name, name)) {
                    r->p = at;
                    return fail(r, "a member stands in the object twice");
                }
            skip_space(r);
            if (r->p >= r->end || *r->p != ':')
                return fail(r, "`:` is missing");
            r->p++;
        }
        kr_json *inner = value(r, arena, depth + 1);
        if (!inner)
            return false;
        inner->name = name;
        *last = inner;
        last = &inner->next;
        v->count++;
        skip_space(r);
        if (r->p >= r->end || (*r->p != ',' && *r->p != close))
            return fail(r, "`,` or a closing bracket is missing");
        if (*r->p++ == close)
            return true;
    }
}

static kr_json *value(kr_json_reader *r, kr_arena *arena, int depth)
{
    skip_space(r);
    if (r->p >= r->end)
        return fail(r, "");
    kr_json *v = KR_NEW(arena, kr_json);
    bool ok;
    v->text = "";
    v->at = r->p;
    switch (*r->p) {
    case '"':
        v->type = KR_JSON_STRING;
        ok = string(r, arena, &v->text, &v->len);
        break;
    case '{': case '[':
        v->type = *r->p == '{' ? KR_JSON_OBJECT : KR_JSON_LIST;
        ok = nested(r, arena, v, depth);
        break;
    case 't': case 'f':
        v->type = KR_JSON_BOOL;
        v->text = *r->p == 't' ? "true" : "false";
        v->len = strlen(v->text);
        ok = word(r, v->text);
        break;
    case 'n':
        ok = word(r, "null");
        break;
    default:
        v->type = KR_JSON_NUMBER;
        if (*r->p != '-' && (*r->p < '0' || *r->p > '9'))
            return fail(r, "this is no JSON value");
        ok = number(r);
        v->text = kr_arena_copy(arena, v->at, (size_t)(r->p - v->at));
        v->len = (size_t)(r->p - v->at);
    }
    v->end = r->p;
    return ok ? v : NULL;
}

kr_json *kr_json_next(kr_json_reader *r, kr_arena *arena)
{
    skip_space(r);
    return r->p >= r->end || r->problem ? NULL : value(r, arena, 0);
}

const kr_json *kr_json_get(const kr_json *object, const char *name)
{
    if (!object || object->type != KR_JSON_OBJECT)
        return NULL;
    for (const kr_json *m = object->first; m; m = m->next)
        if (!strcmp(m->name, name))
            return m;
    return NULL;
}

void kr_json_place(const kr_json_reader *r, const char *at, size_t *line, size_t *column, size_t *byte)
{
    *line = *column = 1;
    *byte = (size_t)(at - r->start);
    for (const char *p = r->start; p < at; p++) {
        if (*p == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)*p & 0xc0) != 0x80) {
            ++*column;
        }
    }
}
