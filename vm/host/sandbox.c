/* sandbox.c: the Lua state a rule file runs in. Text only, memory and steps bounded, and no other names than ours. */
#include "vm/host/internal.h"

#include <stdlib.h>
#include <string.h>

enum { HOOK_EVERY = 1000 };

const kr_global kr_globals[] = {
    { "rulebook", KR_G_DECLARE }, { "sheet", KR_G_DECLARE }, { "cross", KR_G_DECLARE }, { "distinct", KR_G_DECLARE },
    { "join", KR_G_DECLARE }, { "union", KR_G_DECLARE }, { "range", KR_G_DECLARE }, { "fold", KR_G_DECLARE },
    { "output", KR_G_DECLARE }, { "check", KR_G_DECLARE }, { "require", KR_G_DECLARE }, { "warn", KR_G_DECLARE }, { "example", KR_G_DECLARE },
    { "carry", KR_G_DECLARE }, { "one_of", KR_G_DECLARE }, { "optional", KR_G_DECLARE }, { "map", KR_G_DECLARE }, { "list", KR_G_DECLARE },
    { "number", KR_G_TYPE }, { "boolean", KR_G_TYPE }, { "text", KR_G_TYPE }, { "bytes", KR_G_TYPE }, { "day", KR_G_TYPE },
    { "time", KR_G_TYPE }, { "address", KR_G_TYPE },
    { "param", KR_G_TABLE }, { "define", KR_G_TABLE }, { "fn", KR_G_TABLE },
    { "pairs", KR_G_HELPER }, { "ipairs", KR_G_HELPER }, { "insert", KR_G_HELPER }, { "remove", KR_G_HELPER },
    { "sort", KR_G_HELPER }, { "concat", KR_G_HELPER }, { "unpack", KR_G_HELPER }, { "select", KR_G_HELPER },
    { "sub", KR_G_HELPER }, { "upper", KR_G_HELPER }, { "lower", KR_G_HELPER }, { "rep", KR_G_HELPER }, { "len", KR_G_HELPER },
    { "replace", KR_G_HELPER }, { "tostring", KR_G_HELPER }, { "type", KR_G_HELPER }, { "error", KR_G_HELPER }, { "assert", KR_G_HELPER },
    { NULL, KR_G_HELPER },
};

kr_host *kr_host_of(lua_State *L)
{
    void *ud = NULL;
    lua_getallocf(L, &ud);
    return ud;
}

/* The innermost line of the file itself, not of a function of ours; 0: none. Allocates nothing. */
uint32_t kr_host_line(lua_State *L)
{
    lua_Debug ar;
    for (int level = 0; L && lua_getstack(L, level, &ar); level++)
        if (lua_getinfo(L, "l", &ar) && ar.currentline > 0)
            return (uint32_t)ar.currentline;
    return 0;
}

/* A line of the file without its margins. */
static kr_span line_span(const kr_host *h, uint32_t line)
{
    const kr_source *s = h->tree->tokens.source;
    if (line < 1 || line > s->line_count)
        return (kr_span){ s, 0, 0 };
    uint32_t from = s->lines[line - 1];
    uint32_t to = line < s->line_count ? s->lines[line] : s->len;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r' || s->text[to - 1] == ' '))
        to--;
    while (from < to && (s->text[from] == ' ' || s->text[from] == '\t'))
        from++;
    return (kr_span){ s, from, to };
}

/* Lua's memory, with a ceiling. Failing makes Lua raise its own out-of-memory error, which loading reports. */
static void *allocate(void *ud, void *old, size_t old_size, size_t size)
{
    kr_host *h = ud;
    size_t had = old ? old_size : 0;
    if (size == 0) {
        free(old);
        h->bytes -= had;
        return NULL;
    }
    if (size > had && h->bytes - had + size > KR_HOST_MEMORY) {
        h->memory_line = kr_host_line(h->L);
        return NULL;
    }
    void *grown = realloc(old, size);
    if (grown)
        h->bytes = h->bytes - had + size;
    return grown;
}

static void out_of_steps(lua_State *L)
{
    kr_host *h = kr_host_of(L);
    kr_host_fail_help(L, KR_E_LUA_STEPS, line_span(h, kr_host_line(L)), "is this inside a loop that does not end?",
                      "the rule file used up its budget of %d steps here", KR_HOST_STEPS);
}

void kr_host_charge(lua_State *L, uint64_t steps)
{
    kr_host *h = kr_host_of(L);
    h->steps += steps;
    if (h->steps > KR_HOST_STEPS)
        out_of_steps(L);
}

static void count_hook(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    kr_host_charge(L, HOOK_EVERY);
}

/* ---- errors: the diagnostic is on the list already, what Lua carries only says so */

static const char reported;

_Noreturn void kr_host_raise(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&reported);
    lua_error(L);
    abort(); /* lua_error does not return */
}

_Noreturn void kr_host_fail(lua_State *L, kr_code code, kr_span span, const char *format, ...)
{
    kr_host *h = kr_host_of(L);
    va_list args;
    va_start(args, format);
    char *message = kr_arena_vprintf(h->arena, format, args);
    va_end(args);
    kr_diag_add(h->diags, code, span, "%s", message);
    kr_host_raise(L);
}

_Noreturn void kr_host_fail_help(lua_State *L, kr_code code, kr_span span, const char *help, const char *format, ...)
{
    kr_host *h = kr_host_of(L);
    va_list args;
    va_start(args, format);
    char *message = kr_arena_vprintf(h->arena, format, args);
    va_end(args);
    kr_diag *diag = kr_diag_add(h->diags, code, span, "%s", message);
    if (help)
        kr_diag_help(h->diags, diag, "%s", help);
    kr_host_raise(L);
}

/* "rule:12: message" of Lua's own errors: the line it names, and the message after it. */
static kr_span line_of(kr_host *h, const char **message)
{
    char *end = NULL;
    if (strncmp(*message, "rule:", 5))
        return (kr_span){ 0 };
    unsigned long line = strtoul(*message + 5, &end, 10);
    if (!end || *end != ':' || line > UINT32_MAX)
        return (kr_span){ 0 };
    *message = end + (end[1] == ' ' ? 2 : 1);
    return line_span(h, (uint32_t)line);
}

/* Names that rewriting put there have no place in a message. */
static char *own_words(kr_host *h, const char *message)
{
    char *out = kr_arena_copy(h->arena, message, strlen(message));
    char *hit = strstr(out, " (global '" KR_PREFIX);
    if (hit) {
        char *close = strchr(hit, ')');
        if (close)
            memmove(hit, close + 1, strlen(close + 1) + 1);
    }
    return out;
}

static void report(kr_host *h, int status)
{
    lua_State *L = h->L;
    if (lua_islightuserdata(L, -1) && lua_touserdata(L, -1) == (void *)(uintptr_t)&reported)
        return;
    if (status == LUA_ERRMEM) {
        kr_diag *diag = kr_diag_add(h->diags, KR_E_LUA_MEMORY, line_span(h, h->memory_line), "the rule file used up its %d MB of memory here", KR_HOST_MEMORY >> 20);
        kr_diag_help(h->diags, diag, "is there a loop that makes longer and longer text or lists?");
        return;
    }
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (!message) {
        kr_diag_add(h->diags, KR_E_LUA_RUN, (kr_span){ h->tree->tokens.source, 0, 0 }, "`error` was called with %s", kr_value_name(L, -1));
        return;
    }
    kr_span span = line_of(h, &message);
    kr_diag *diag = kr_diag_add(h->diags, KR_E_LUA_RUN, span, "%s", own_words(h, message));
    if (strstr(message, "attempt to index a string value"))
        kr_diag_help(h->diags, diag, "a text has no methods here: upper(x), sub(x, 1, 3), len(x)");
    else if (strstr(message, "stack overflow"))
        kr_diag_help(h->diags, diag, "does a function call itself without end?");
}

/* ---- running */

static int body(lua_State *L)
{
    kr_host *h = kr_host_of(L);
    kr_value_open(L);
    lua_newtable(L); /* the only table of names */
    kr_helpers_open(L);
    kr_checked_open(L);
    kr_declare_open(L);
    kr_declare_rows_open(L);
    kr_declare_book_open(L);
    int names = lua_gettop(L);
    if (luaL_loadbufferx(L, h->code.text, h->code.len, "=rule", "t") != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, names);
    lua_setupvalue(L, -2, 1);
    lua_sethook(L, count_hook, LUA_MASKCOUNT, HOOK_EVERY);
    lua_call(L, 0, 0);
    return 0;
}

bool kr_host_run(kr_host *h)
{
    size_t before = kr_diags_count(h->diags, KR_SEVERITY_ERROR);
    h->L = lua_newstate(allocate, h);
    if (!h->L) {
        kr_diag_add(h->diags, KR_E_LUA_MEMORY, (kr_span){ h->tree->tokens.source, 0, 0 }, "no memory to run the rule file");
        return false;
    }
    lua_pushcfunction(h->L, body);
    int status = lua_pcall(h->L, 0, 0, 0);
    if (status != LUA_OK)
        report(h, status);
    lua_close(h->L);
    h->L = NULL;
    return status == LUA_OK && kr_diags_count(h->diags, KR_SEVERITY_ERROR) == before;
}
