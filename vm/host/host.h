/* host.h: rule files in, models out. A rule file is parsed, rewritten and run once in a sandbox, where it can only declare.
 *
 * Everything returned is in `arena`; constants of text are in `pool`. Both, and the diagnostics, belong to the caller.
 * Nothing here keeps state between calls: two loads may run on two threads with two arenas and pools. */
#ifndef KR_HOST_H
#define KR_HOST_H

#include "vm/lang/model.h"

enum {
    KR_HOST_MEMORY = 64 << 20,   /* bytes that a rule file may use while it declares */
    KR_HOST_STEPS = 20000000,    /* Lua instructions, and as many bytes of text made */
    KR_HOST_FILE_MAX = 1 << 20   /* largest rule file */
};

/* The model that a file declares, its formulas parsed (kr_formula.tree), not yet checked (kr_check does). NULL and diagnostics
 * when the file cannot be read, is not Lua, does what a rule file may not, fails, or has a formula that does not parse. */
kr_model *kr_load_file(kr_arena *arena, kr_pool *pool, kr_families families, const char *path, kr_diags *diags);
kr_model *kr_load_text(kr_arena *arena, kr_pool *pool, kr_families families, const char *name, const char *text, size_t len, kr_diags *diags);

/* One value to be replaced in the text of a rule file: a parameter's (`param.NAME`), or with `header` a field of rulebook { … }. */
typedef struct kr_edit {
    bool header;
    const char *name;
    const char *value; /* as it is to stand there: a number, a percentage, a text; quoted here when Lua needs it */
} kr_edit;

/* The file's text with these values, every other byte as it was; NUL-terminated. A header field that is not there is added as the
 * header's last. A parameter that is not there, or whose value is not a literal of its own: NULL and a diagnostic. */
char *kr_rewrite_text(kr_arena *arena, const char *name, const char *text, size_t len, const kr_edit *edits, size_t count, kr_diags *diags);

#endif
