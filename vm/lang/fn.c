/* fn.c: finding primitives in the families that were handed over. */
#include "vm/lang/fn.h"

#include <string.h>

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static bool is_name_of(const kr_fn *fn, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (upper(fn->name[i]) != upper(name[i])) /* a shorter fn->name differs in its NUL */
            return false;
    return fn->name[len] == '\0';
}

const kr_fn *kr_fn_find(kr_families families, const char *name, size_t len)
{
    if (memchr(name, '\0', len))
        return NULL;
    for (size_t f = 0; families && families[f]; f++)
        for (const kr_fn *fn = families[f]; fn->name; fn++)
            if (is_name_of(fn, name, len))
                return fn;
    return NULL;
}

const kr_fn *kr_fn_at(kr_families families, size_t i)
{
    for (size_t f = 0; families && families[f]; f++)
        for (const kr_fn *fn = families[f]; fn->name; fn++)
            if (i-- == 0)
                return fn;
    return NULL;
}
