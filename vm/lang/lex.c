/* lex.c: a formula's bytes as tokens. What other languages would accept here is named in the message with the way to write it. */
#include "vm/lang/lex.h"

#include <string.h>

#include "vm/text/utf8.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_word(char c) { return is_letter(c) || is_digit(c); }

bool kr_token_is(const kr_lexer *lexer, const kr_token *token, const char *word)
{
    size_t n = strlen(word);
    if (token->kind != KR_TOKEN_NAME || token->end - token->start != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = lexer->fragment->text[token->start + i];
        if ((c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) != word[i])
            return false;
    }
    return true;
}

/* Put the fault and its remedy on the list, and end the stream of tokens. */
__attribute__((format(printf, 6, 7))) static kr_token fault(kr_lexer *lx, kr_code code, uint32_t start, uint32_t end, const char *help,
                                                            const char *format, ...)
{
    if (lx->diags) {
        va_list args;
        va_start(args, format);
        const char *message = kr_arena_vprintf(lx->arena, format, args);
        va_end(args);
        kr_diag *diag = kr_diag_add(lx->diags, code, kr_fragment_span(lx->fragment, start, end), "%s", message);
        if (help)
            kr_diag_help(lx->diags, diag, "%s", help);
    }
    lx->at = lx->fragment->len;
    return (kr_token){ .kind = KR_TOKEN_FAULT, .start = start, .end = end };
}

static kr_token number(kr_lexer *lx, uint32_t start)
{
    const char *text = lx->fragment->text;
    uint32_t at = start;
    while (at < lx->fragment->len && (is_word(text[at]) || text[at] == '.')) {
        bool exponent = (text[at] == 'e' || text[at] == 'E') && (text[at + 1] == '+' || text[at + 1] == '-') && is_digit(text[at + 2]);
        at += exponent ? 2 : 1;
    }
    int n = (int)(at - start);
    const char *word = text + start;
    kr_token token = { .kind = KR_TOKEN_NUMBER, .start = start, .end = at };
    size_t bad = 0;
    switch (kr_num_read(word, at - start, &token.value, &bad)) {
    case KR_READ_OK: break;
    case KR_READ_SYNTAX: {
        const char *help = "write digits, with `_` between them if you like, one point, and an exponent such as `e-6`";
        uint32_t rest = 0;
        while (rest < (uint32_t)n && is_digit(word[rest]))
            rest++;
        if (rest < (uint32_t)n && is_letter(word[rest]) && word[rest] != '_')
            help = kr_arena_printf(lx->arena, "a name begins with a letter; a product is written `%.*s * %.*s`", (int)rest, word, n - (int)rest, word + rest);
        return fault(lx, KR_E_NUMBER_SYNTAX, start, at, help, "`%.*s` is not a number", n, word);
    }
    case KR_READ_DECIMALS:
        return fault(lx, KR_E_NUMBER_DECIMALS, start, at, "round it to 18 decimals, the finest a number can be", "`%.*s` has more than 18 decimals", n, word);
    case KR_READ_RANGE:
        return fault(lx, KR_E_NUMBER_RANGE, start, at, "numbers reach to about 1.7e20 on both sides of zero", "`%.*s` is out of range", n, word);
    }
    lx->at = at;
    return token;
}

static kr_token quoted(kr_lexer *lx, uint32_t start)
{
    const char *text = lx->fragment->text;
    char quote = text[start];
    uint32_t at = start + 1, n = 0;
    char *out = kr_arena_alloc(lx->arena, lx->fragment->len - start);
    while (at < lx->fragment->len) {
        if (text[at] == quote) {
            if (text[at + 1] != quote || at + 1 >= lx->fragment->len) {
                lx->at = at + 1;
                return (kr_token){ .kind = KR_TOKEN_TEXT, .start = start, .end = at + 1, .text = out, .text_len = n };
            }
            at++;
        }
        out[n++] = text[at++];
    }
    uint32_t line = start;
    while (line < lx->fragment->len && text[line] != '\n')
        line++;
    return fault(lx, KR_E_FORMULA_OPEN, start, line,
                 kr_arena_printf(lx->arena, "end the text with %c; a %c inside it is written twice", quote, quote), "the text that begins here has no end");
}

static kr_token mark(kr_lexer *lx, uint32_t start, int op, uint32_t len)
{
    lx->at = start + len;
    return (kr_token){ .kind = KR_TOKEN_MARK, .op = op, .start = start, .end = start + len };
}

/* Operators of other languages, longest first. */
static const struct foreign { const char *text, *help; } foreign[] = {
    { "===", "equality is written `=`" },
    { "==", "equality is written `=`" },
    { "!=", "write `<>`" },
    { "~=", "write `<>`" },
    { "=<", "write `<=`" },
    { "=>", "write `>=`" },
    { "><", "write `<>`" },
    { "&&", "write AND(a, b)" },
    { "||", "write OR(a, b); text is joined with `&`" },
    { "**", "write `^`" },
    { "..", "text is joined with `&`" },
    { "->", NULL },
    { "//", "the whole part of a quotient is INT(a / b) or TRUNC(a / b)" },
    { ";", "arguments are separated by a comma: write `,`" },
    { "!", "not is NOT(condition), unequal is `<>`, a column of another sheet is sheet.column" },
    { "?", "a choice is IF(condition, then, else)" },
    { ":", "a range of rows is an aggregate, such as SUM(sheet.column WHERE condition BY key)" },
    { "[", "a column of another sheet is sheet.column; a list is {1, 2, 3}" },
    { "]", "a list is {1, 2, 3}" },
    { "~", "not is NOT(condition), unequal is `<>`" },
    { "|", "write OR(a, b); text is joined with `&`" },
    { "$", "columns and parameters are written by their names alone" },
    { "@", "columns and parameters are written by their names alone" },
    { "#", "errors come from computing; NA() gives #N/A" },
    { "`", "text stands in 'single' or \"double\" quotes" },
};

/* Characters that word processors put in the place of ours. */
static const struct lookalike { uint32_t c; const char *name, *help; } lookalikes[] = {
    { 0x2018, "a typographic quote", "write '" },  { 0x2019, "a typographic quote", "write '" },
    { 0x201a, "a typographic quote", "write '" },  { 0x201c, "a typographic quote", "write \" or '" },
    { 0x201d, "a typographic quote", "write \" or '" }, { 0x201e, "a typographic quote", "write \" or '" },
    { 0x00ab, "a typographic quote", "write \" or '" }, { 0x00bb, "a typographic quote", "write \" or '" },
    { 0x2212, "a typographic minus", "write -" },  { 0x2013, "a dash", "a minus is written -" },
    { 0x2014, "a dash", "a minus is written -" },  { 0x00d7, "a multiplication sign", "write *" },
    { 0x22c5, "a multiplication sign", "write *" }, { 0x00b7, "a multiplication sign", "write *" },
    { 0x00f7, "a division sign", "write /" },      { 0x2264, NULL, "write <=" },
    { 0x2265, NULL, "write >=" },                  { 0x2260, NULL, "write <>" },
    { 0x00a0, "a no-break space", "replace it by a plain space" }, { 0x202f, "a no-break space", "replace it by a plain space" },
    { 0x200b, "an invisible space", "remove it" }, { 0xfeff, "an invisible mark", "remove it" },
    { 0x2026, "an ellipsis", "write every part out" }, { 0xff0c, "a wide comma", "write ," },
    { 0xff08, "a wide bracket", "write (" },       { 0xff09, "a wide bracket", "write )" },
};

static kr_token unknown(kr_lexer *lx, uint32_t start)
{
    const char *text = lx->fragment->text;
    size_t at = start;
    uint32_t c = kr_utf8_next(text, lx->fragment->len, &at);
    uint32_t end = (uint32_t)at;
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++) {
        const struct lookalike *l = &lookalikes[i];
        if (l->c != c)
            continue;
        bool seen = kr_char_width(c) > 0 && c != 0xa0 && c != 0x202f;
        if (l->name && seen)
            return fault(lx, KR_E_FORMULA_CHAR, start, end, l->help, "`%.*s` is %s", (int)(end - start), text + start, l->name);
        if (l->name)
            return fault(lx, KR_E_FORMULA_CHAR, start, end, l->help, "here stands %s (U+%04X)", l->name, (unsigned)c);
        return fault(lx, KR_E_FORMULA_CHAR, start, end, l->help, "`%.*s` is not a sign of a formula", (int)(end - start), text + start);
    }
    if (c == 0xfffd)
        return fault(lx, KR_E_FORMULA_CHAR, start, end, "rule files are UTF-8", "this byte (0x%02X) is not UTF-8 text", (unsigned char)text[start]);
    if (c < 0x20 || c == 0x7f)
        return fault(lx, KR_E_FORMULA_CHAR, start, end, "remove it", "here stands a control character (U+%04X)", (unsigned)c);
    const char *help = c >= 0x80 ? "names are of the letters a-z and A-Z, digits and `_`; other text stands in quotes" : NULL;
    return fault(lx, KR_E_FORMULA_CHAR, start, end, help, "`%.*s` is not a sign of a formula", (int)(end - start), text + start);
}

kr_token kr_lex_next(kr_lexer *lx)
{
    const char *text = lx->fragment->text;
    uint32_t at = lx->at, len = lx->fragment->len;
    while (at < len && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
        at++;
    lx->at = at;
    if (at >= len)
        return (kr_token){ .kind = KR_TOKEN_END, .start = len, .end = len };
    char c = text[at];
    if (is_letter(c)) {
        uint32_t end = at + 1;
        while (end < len && is_word(text[end]))
            end++;
        lx->at = end;
        return (kr_token){ .kind = KR_TOKEN_NAME, .start = at, .end = end };
    }
    bool after_word = at > 0 && is_word(text[at - 1]); /* T.5 is no number */
    if (is_digit(c) || (c == '.' && is_digit(text[at + 1]) && !after_word))
        return number(lx, at);
    if (c == '\'' || c == '"')
        return quoted(lx, at);
    if (strncmp(text + at, "<>", 2) == 0)
        return mark(lx, at, KR_OP_NE, 2);
    if (strncmp(text + at, "<=", 2) == 0)
        return mark(lx, at, KR_OP_LE, 2);
    if (strncmp(text + at, ">=", 2) == 0)
        return mark(lx, at, KR_OP_GE, 2);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t n = strlen(foreign[i].text);
        if (strncmp(text + at, foreign[i].text, n) != 0)
            continue;
        if (c == '`')
            return fault(lx, KR_E_FORMULA_CHAR, at, at + 1, foreign[i].help, "a backtick does not belong in a formula");
        if (strchr("[]$@#:;", c))
            return fault(lx, KR_E_FORMULA_SIGN, at, at + 1, foreign[i].help, "`%c` does not belong in a formula", c);
        return fault(lx, KR_E_FORMULA_SIGN, at, at + (uint32_t)n, foreign[i].help, "`%s` is not an operator of formulas", foreign[i].text);
    }
    if (c != '\0' && strchr("+-*/^%&=<>(){},.", c))
        return mark(lx, at, (unsigned char)c, 1);
    return unknown(lx, at);
}
