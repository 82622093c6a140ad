/* unit.c: products of names with whole powers, kept sorted by name so that equal products are equal lists. */
#include <stdio.h>
#include <string.h>

#include "vm/lang/type.h"

enum { FACTORS = (int)(sizeof((kr_unit *)0)->factor / sizeof(struct kr_factor)), LARGEST_POWER = 99 };

/* out *= name^power. false: too many factors or too large a power. */
static bool multiply(kr_unit *out, const char *name, int power)
{
    int i = 0;
    while (i < out->count && strcmp(out->factor[i].name, name) < 0)
        i++;
    if (i < out->count && strcmp(out->factor[i].name, name) == 0) {
        int sum = out->factor[i].power + power;
        if (sum > LARGEST_POWER || sum < -LARGEST_POWER)
            return false;
        out->factor[i].power = sum;
        if (sum == 0) {
            out->count--;
            memmove(&out->factor[i], &out->factor[i + 1], sizeof out->factor[0] * (size_t)(out->count - i));
        }
        return true;
    }
    if (power == 0)
        return true;
    if (out->count == FACTORS)
        return false;
    memmove(&out->factor[i + 1], &out->factor[i], sizeof out->factor[0] * (size_t)(out->count - i));
    out->factor[i] = (struct kr_factor){ name, power };
    out->count++;
    return true;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

static void skip_spaces(const char *text, size_t len, size_t *at)
{
    while (*at < len && (text[*at] == ' ' || text[*at] == '\t'))
        ++*at;
}

/* ^2, ^-1; 1 when there is none. */
static bool read_power(const char *text, size_t len, size_t *at, int *power)
{
    *power = 1;
    if (*at == len || text[*at] != '^')
        return true;
    bool minus = ++*at < len && text[*at] == '-';
    *at += minus;
    size_t start = *at;
    int v = 0;
    while (*at < len && text[*at] >= '0' && text[*at] <= '9' && v <= LARGEST_POWER)
        v = v * 10 + (text[(*at)++] - '0');
    *power = minus ? -v : v;
    return *at > start && v > 0 && v <= LARGEST_POWER;
}

bool kr_unit_read(kr_arena *arena, const char *text, size_t len, kr_unit *out)
{
    kr_unit unit = { .known = true };
    int sign = 1;
    for (size_t at = 0;;) {
        skip_spaces(text, len, &at);
        size_t start = at;
        int power;
        while (at < len && is_name(text[at]))
            at++;
        size_t n = at - start;
        if (n == 0)
            return false;
        bool one = n == 1 && text[start] == '1';
        if (!one && text[start] >= '0' && text[start] <= '9')
            return false;
        if (!one && (!read_power(text, len, &at, &power) || !multiply(&unit, kr_arena_copy(arena, text + start, n), sign * power)))
            return false;
        skip_spaces(text, len, &at);
        if (at == len)
            break;
        if (text[at] != '*' && text[at] != '/')
            return false;
        sign = text[at] == '*' ? 1 : -1;
        at++;
    }
    *out = unit;
    return true;
}

char *kr_unit_write(kr_arena *arena, const kr_unit *unit)
{
    char *out = kr_arena_copy(arena, unit->known ? "" : "?", !unit->known);
    if (!unit->known)
        return out;
    for (int i = 0; i < unit->count; i++) {
        const struct kr_factor *f = &unit->factor[i];
        if (f->power == 1)
            out = kr_arena_printf(arena, "%s%s%s", out, *out ? "*" : "", f->name);
        else if (f->power > 1)
            out = kr_arena_printf(arena, "%s%s%s^%d", out, *out ? "*" : "", f->name, f->power);
    }
    if (!*out)
        out = kr_arena_copy(arena, "1", 1);
    for (int i = 0; i < unit->count; i++) {
        const struct kr_factor *f = &unit->factor[i];
        if (f->power == -1)
            out = kr_arena_printf(arena, "%s/%s", out, f->name);
        else if (f->power < -1)
            out = kr_arena_printf(arena, "%s/%s^%d", out, f->name, -f->power);
    }
    return out;
}

bool kr_unit_eq(const kr_unit *a, const kr_unit *b)
{
    if (!a->known || !b->known || a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->factor[i].power != b->factor[i].power || strcmp(a->factor[i].name, b->factor[i].name) != 0)
            return false;
    return true;
}

bool kr_unit_mul(const kr_unit *a, const kr_unit *b, int sign, kr_unit *out)
{
    kr_unit product = *a;
    if (!a->known || !b->known) {
        *out = (kr_unit){ 0 };
        return true;
    }
    for (int i = 0; i < b->count; i++)
        if (!multiply(&product, b->factor[i].name, sign * b->factor[i].power))
            return false;
    *out = product;
    return true;
}
