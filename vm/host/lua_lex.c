/* lua_lex.c: characters to tokens, as Lua 5.4 reads them. */
#include "vm/host/lua_lex.h"

#include <string.h>

typedef struct lexer {
    kr_arena *arena;
    const kr_source *source;
    const char *text;
    uint32_t len, pos, line;
    kr_lua_tokens *out;
    kr_diags *diags;
    char *buffer; /* string being decoded */
    uint32_t *map;
    size_t size, room, map_room;
} lexer;

static const struct { const char *word; int kind; } words[] = {
    { "and", KR_L_AND }, { "break", KR_L_BREAK }, { "do", KR_L_DO }, { "else", KR_L_ELSE }, { "elseif", KR_L_ELSEIF },
    { "end", KR_L_END }, { "false", KR_L_FALSE }, { "for", KR_L_FOR }, { "function", KR_L_FUNCTION }, { "goto", KR_L_GOTO },
    { "if", KR_L_IF }, { "in", KR_L_IN }, { "local", KR_L_LOCAL }, { "nil", KR_L_NIL }, { "not", KR_L_NOT }, { "or", KR_L_OR },
    { "repeat", KR_L_REPEAT }, { "return", KR_L_RETURN }, { "then", KR_L_THEN }, { "true", KR_L_TRUE },
    { "until", KR_L_UNTIL }, { "while", KR_L_WHILE },
    /* longer signs before shorter ones */
    { "...", KR_L_DOTS }, { "..", KR_L_CONCAT }, { "==", KR_L_EQ }, { ">=", KR_L_GE }, { "<=", KR_L_LE }, { "~=", KR_L_NE },
    { "<<", KR_L_SHL }, { ">>", KR_L_SHR }, { "//", KR_L_IDIV }, { "::", KR_L_DBCOLON },
};
enum { WORDS = 22, ALL_WORDS = sizeof words / sizeof words[0] };

const char *kr_lua_tok_name(kr_arena *arena, int kind)
{
    if (kind == KR_L_EOF)
        return "the end of the file";
    if (kind == KR_L_NAME)
        return "a name";
    if (kind == KR_L_STRING)
        return "a text";
    if (kind == KR_L_NUMBER)
        return "a number";
    for (size_t i = 0; i < ALL_WORDS; i++)
        if (words[i].kind == kind)
            return kr_arena_printf(arena, "`%s`", words[i].word);
    return kr_arena_printf(arena, "`%c`", kind);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static kr_span span_of(const lexer *lx, uint32_t start, uint32_t end) { return (kr_span){ lx->source, start, end }; }

static kr_diag *fail(lexer *lx, uint32_t start, uint32_t end, const char *message, const char *help)
{
    kr_diag *diag = kr_diag_add(lx->diags, KR_E_LUA_SYNTAX, span_of(lx, start, end), "%s", message);
    if (help)
        kr_diag_help(lx->diags, diag, "%s", help);
    return diag;
}

static void put(lexer *lx, char c, uint32_t from)
{
    size_t used = lx->size;
    KR_PUSH(lx->arena, lx->buffer, used, lx->room) = c;
    used = lx->size;
    KR_PUSH(lx->arena, lx->map, used, lx->map_room) = from;
    lx->size++;
}

static void put_utf8(lexer *lx, uint32_t code, uint32_t from)
{
    if (code < 0x80) {
        put(lx, (char)code, from);
    } else if (code < 0x800) {
        put(lx, (char)(0xC0 | code >> 6), from);
        put(lx, (char)(0x80 | (code & 0x3F)), from);
    } else if (code < 0x10000) {
        put(lx, (char)(0xE0 | code >> 12), from);
        put(lx, (char)(0x80 | (code >> 6 & 0x3F)), from);
        put(lx, (char)(0x80 | (code & 0x3F)), from);
    } else {
        put(lx, (char)(0xF0 | code >> 18), from);
        put(lx, (char)(0x80 | (code >> 12 & 0x3F)), from);
        put(lx, (char)(0x80 | (code >> 6 & 0x3F)), from);
        put(lx, (char)(0x80 | (code & 0x3F)), from);
    }
}

/* At a line break: past it (\r\n is one), and the line counted. */
static void newline(lexer *lx)
{
    char c = lx->text[lx->pos++];
    char next = lx->text[lx->pos];
    if ((next == '\n' || next == '\r') && next != c)
        lx->pos++;
    lx->line++;
}

/* Level of a long bracket that opens at pos ("[[": 0, "[=[": 1), or -1. */
static int long_level(const lexer *lx, uint32_t pos)
{
    int level = 0;
    if (lx->text[pos] != '[')
        return -1;
    for (pos++; lx->text[pos] == '='; pos++)
        level++;
    return lx->text[pos] == '[' ? level : -1;
}

static bool long_text(lexer *lx, int level, bool keep, uint32_t start)
{
    lx->pos += (uint32_t)level + 2;
    if (lx->text[lx->pos] == '\n' || lx->text[lx->pos] == '\r')
        newline(lx); /* dropped by Lua, too */
    for (;;) {
        if (lx->pos >= lx->len) {
            fail(lx, start, start + (uint32_t)level + 2, keep ? "this long text is not closed" : "this long comment is not closed", NULL);
            return false;
        }
        char c = lx->text[lx->pos];
        if (c == ']') {
            uint32_t p = lx->pos + 1;
            int n = 0;
            for (; lx->text[p] == '='; p++)
                n++;
            if (n == level && lx->text[p] == ']') {
                if (keep) {
                    put(lx, 0, lx->pos);
                    lx->size--;
                }
                lx->pos = p + 1;
                return true;
            }
        }
        uint32_t from = lx->pos;
        if (c == '\n' || c == '\r') {
            newline(lx);
            c = '\n';
        } else {
            lx->pos++;
        }
        if (keep)
            put(lx, c, from);
    }
}

/* After the backslash at pos. */
static bool escape(lexer *lx)
{
    uint32_t from = lx->pos++;
    char c = lx->text[lx->pos];
    static const char plain[] = "abfnrtv\\\"'";
    static const char gives[] = "\a\b\f\n\r\t\v\\\"'";
    const char *found = c ? strchr(plain, c) : NULL;
    if (found) {
        put(lx, gives[found - plain], from);
        lx->pos++;
    } else if (c == '\n' || c == '\r') {
        newline(lx);
        put(lx, '\n', from);
    } else if (c == 'z') {
        lx->pos++;
        while (lx->pos < lx->len && is_space(lx->text[lx->pos])) {
            if (lx->text[lx->pos] == '\n' || lx->text[lx->pos] == '\r')
                newline(lx);
            else
                lx->pos++;
        }
    } else if (c == 'x') {
        int a = hex_value(lx->text[lx->pos + 1]);
        int b = a < 0 ? -1 : hex_value(lx->text[lx->pos + 2]);
        if (b < 0)
            return fail(lx, from, lx->pos + 1, "`\\x` takes two hexadecimal digits", NULL), false;
        put(lx, (char)(a * 16 + b), from);
        lx->pos += 3;
    } else if (c == 'u') {
        uint32_t code = 0;
        uint32_t p = lx->pos + 1;
        bool good = lx->text[p++] == '{' && hex_value(lx->text[p]) >= 0;
        for (; good && hex_value(lx->text[p]) >= 0; p++) {
            code = code * 16 + (uint32_t)hex_value(lx->text[p]);
            good = code <= 0x10FFFF;
        }
        if (!good || lx->text[p] != '}')
            return fail(lx, from, lx->pos + 1, "`\\u{…}` takes a code point in hexadecimal digits", NULL), false;
        put_utf8(lx, code, from);
        lx->pos = p + 1;
    } else if (is_digit(c)) {
        int value = 0;
        for (int i = 0; i < 3 && is_digit(lx->text[lx->pos]); i++)
            value = value * 10 + (lx->text[lx->pos++] - '0');
        if (value > 255)
            return fail(lx, from, lx->pos, "a decimal escape is at most `\\255`", NULL), false;
        put(lx, (char)value, from);
    } else {
        return fail(lx, from, lx->pos + 1, "invalid escape in a text", "a backslash itself is written `\\\\`"), false;
    }
    return true;
}

static bool short_text(lexer *lx)
{
    uint32_t start = lx->pos;
    char quote = lx->text[lx->pos++];
    for (;;) {
        char c = lx->text[lx->pos];
        if (lx->pos >= lx->len || c == '\n' || c == '\r')
            return fail(lx, start, start + 1, "this text is not closed on its line", "a formula of several lines stands in `[[ … ]]`"), false;
        if (c == quote)
            break;
        if (c == '\\') {
            if (!escape(lx))
                return false;
        } else {
            put(lx, c, lx->pos);
            lx->pos++;
        }
    }
    put(lx, 0, lx->pos); /* the map's last entry: the closing quote */
    lx->size--;
    lx->pos++;
    return true;
}

static bool number(lexer *lx, kr_lua_token *token)
{
    uint32_t start = lx->pos;
    const char *t = lx->text;
    bool hex = t[start] == '0' && (t[start + 1] == 'x' || t[start + 1] == 'X');
    bool whole = true, digits = false;
    uint64_t value = 0;
    uint32_t p = start + (hex ? 2 : 0);
    for (;; p++) {
        char c = t[p];
        int d = hex ? hex_value(c) : is_digit(c) ? c - '0' : -1;
        if (d >= 0) {
            digits = true;
            if (whole && (__builtin_mul_overflow(value, (uint64_t)(hex ? 16 : 10), &value) ||
                          __builtin_add_overflow(value, (uint64_t)d, &value) || value > INT64_MAX))
                whole = false;
        } else if (c == '.') {
            whole = false;
        } else if ((!hex && (c == 'e' || c == 'E')) || (hex && (c == 'p' || c == 'P'))) {
            whole = false;
            if (t[p + 1] == '+' || t[p + 1] == '-')
                p++;
        } else {
            break;
        }
    }
    uint32_t good = p;
    while (is_alpha(t[p]) || is_digit(t[p]) || t[p] == '.')
        p++;
    bool bad = p > good || !digits;
    uint32_t points = 0;
    for (uint32_t i = start; i < good; i++)
        points += t[i] == '.';
    if (bad || points > 1) {
        kr_diag *diag = fail(lx, start, p, kr_arena_printf(lx->arena, "`%.*s` is not a number of Lua", (int)(p - start), t + start), NULL);
        if (bad && t[good] == '_')
            kr_diag_help(lx->diags, diag, "a number with `_` between its digits is written as text: \"%.*s\"", (int)(p - start), t + start);
        return false;
    }
    token->whole = whole;
    token->hex = hex;
    token->text = kr_arena_copy(lx->arena, t + start, p - start);
    token->len = p - start;
    lx->pos = p;
    return true;
}

static bool skip_trivia(lexer *lx)
{
    while (lx->pos < lx->len) {
        char c = lx->text[lx->pos];
        if (c == '\n' || c == '\r') {
            newline(lx);
        } else if (is_space(c)) {
            lx->pos++;
        } else if (c == '-' && lx->text[lx->pos + 1] == '-') {
            uint32_t start = lx->pos;
            lx->pos += 2;
            int level = long_level(lx, lx->pos);
            if (level >= 0) {
                if (!long_text(lx, level, false, start))
                    return false;
            } else {
                while (lx->pos < lx->len && lx->text[lx->pos] != '\n' && lx->text[lx->pos] != '\r')
                    lx->pos++;
            }
        } else {
            break;
        }
    }
    return true;
}

static bool unknown(lexer *lx)
{
    const char *at = lx->text + lx->pos;
    uint32_t len = 1;
    while (((unsigned char)at[len] & 0xC0) == 0x80)
        len++;
    const char *help = NULL;
    if (!strncmp(at, "\xE2\x80\x9C", 3) || !strncmp(at, "\xE2\x80\x9D", 3) || !strncmp(at, "\xE2\x80\x98", 3) || !strncmp(at, "\xE2\x80\x99", 3))
        help = "use straight quotes: \" or '";
    else if (*at == '!')
        help = at[1] == '=' ? "Lua writes \"not equal\" `~=`" : "Lua writes \"not\" as the word `not`";
    unsigned char c = (unsigned char)*at;
    if (c < 0x20 || c == 0x7F || lx->pos + len > lx->len)
        fail(lx, lx->pos, lx->pos + 1, kr_arena_printf(lx->arena, "unexpected byte %u", (unsigned)c), help);
    else
        fail(lx, lx->pos, lx->pos + len, kr_arena_printf(lx->arena, "unexpected character `%.*s`", (int)len, at), help);
    return false;
}

static bool next_token(lexer *lx, kr_lua_token *token)
{
    token->trivia = lx->pos;
    if (!skip_trivia(lx))
        return false;
    token->start = lx->pos;
    token->line = lx->line;
    if (lx->pos >= lx->len) {
        token->kind = KR_L_EOF;
        return true;
    }
    const char *at = lx->text + lx->pos;
    char c = *at;
    if (is_alpha(c)) {
        uint32_t len = 1;
        while (is_alpha(at[len]) || is_digit(at[len]))
            len++;
        token->kind = KR_L_NAME;
        for (size_t i = 0; i < WORDS; i++)
            if (strlen(words[i].word) == len && !memcmp(words[i].word, at, len))
                token->kind = words[i].kind;
        token->text = kr_arena_copy(lx->arena, at, len);
        token->len = len;
        lx->pos += len;
        return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(at[1]))) {
        token->kind = KR_L_NUMBER;
        return number(lx, token);
    }
    int level = long_level(lx, lx->pos);
    if (c == '"' || c == '\'' || level >= 0) {
        token->kind = KR_L_STRING;
        lx->buffer = NULL;
        lx->map = NULL;
        lx->size = lx->room = lx->map_room = 0;
        if (level >= 0 ? !long_text(lx, level, true, lx->pos) : !short_text(lx))
            return false;
        token->text = lx->buffer;
        token->len = (uint32_t)lx->size;
        token->map = lx->map;
        return true;
    }
    for (size_t i = WORDS; i < ALL_WORDS; i++) {
        size_t n = strlen(words[i].word);
        if (!strncmp(at, words[i].word, n)) {
            token->kind = words[i].kind;
            lx->pos += (uint32_t)n;
            return true;
        }
    }
    if (c && strchr("+-*/%^#&~|<>=(){}[];:,.", c)) {
        token->kind = c;
        lx->pos++;
        return true;
    }
    return unknown(lx);
}

bool kr_lua_lex(kr_arena *arena, const kr_source *source, kr_lua_tokens *out, kr_diags *diags)
{
    lexer lx = { .arena = arena, .source = source, .text = source->text, .len = source->len, .line = 1, .out = out, .diags = diags };
    *out = (kr_lua_tokens){ .source = source };
    if (lx.len >= 3 && !memcmp(lx.text, "\xEF\xBB\xBF", 3))
        lx.pos = 3; /* a byte order mark */
    if (lx.text[lx.pos] == '#')
        while (lx.pos < lx.len && lx.text[lx.pos] != '\n')
            lx.pos++;
    for (;;) {
        kr_lua_token token = { 0 };
        if (!next_token(&lx, &token))
            return false;
        token.end = lx.pos;
        token.end_line = lx.line;
        KR_PUSH(arena, out->at, out->count, out->capacity) = token;
        if (token.kind == KR_L_EOF)
            return true;
    }
}
