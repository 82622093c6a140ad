/* type.c: names of types. */
#include "vm/lang/type.h"

const char *kr_type_name(kr_type type)
{
    static const char *const names[] = { "blank", "number", "boolean", "text", "bytes", "day", "time", "list" };
    KR_ASSERT((size_t)type < sizeof names / sizeof *names);
    return names[type];
}
