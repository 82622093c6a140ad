/* text.c: text. Characters are those of UTF-8 (code points); a byte that is not UTF-8 counts as one. Letters change case only where
 * they are A to Z: what other alphabets need differs between versions of Unicode, and a rule must not. */
#include "stdlib/families.h"

#include <string.h>

#include "vm/engine/column.h"

enum { TEXT_LIMIT = 1 << 20 }; /* bytes; a longer result is #VALUE! */

typedef struct slice {
    const char *at;
    size_t len;
} slice;

static slice text_of(const kr_call *call, kr_cell cell)
{
    slice s;
    s.at = kr_pool_text(call->env->pool, (uint32_t)cell.lo, &s.len);
    return s;
}

static kr_cell text_cell(const kr_call *call, const char *at, size_t len)
{
    return len > TEXT_LIMIT ? KR_E_VALUE : kr_cell_of_text(call->env->pool, at, len);
}

/* Length in bytes of the character at `at`. */
static size_t char_bytes(const char *at, size_t left)
{
    unsigned char c = (unsigned char)*at;
    size_t want = c >= 0xF0 && c < 0xF8 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    if (c >= 0xF8 || want > left)
        return 1;
    for (size_t i = 1; i < want; i++)
        if (((unsigned char)at[i] & 0xC0) != 0x80)
            return 1;
    return want;
}

static size_t char_count(slice s)
{
    size_t n = 0;
    for (size_t at = 0; at < s.len; n++)
        at += char_bytes(s.at + at, s.len - at);
    return n;
}

/* Offset of the character number n (from 0), the length when there are fewer. */
static size_t char_offset(slice s, uint64_t n)
{
    size_t at = 0;
    for (; n > 0 && at < s.len; n--)
        at += char_bytes(s.at + at, s.len - at);
    return at;
}

/* A count of characters: whole and not negative, else false; what does not fit is more than any text has. */
static bool count_of(kr_cell cell, int64_t least, int64_t *out)
{
    if (!kr_num_is_int(cell) || kr_num_cmp(cell, kr_num_of_int(least)) < 0)
        return false;
    if (!kr_num_to_int(cell, out))
        *out = INT64_MAX;
    return true;
}

static kr_cell len_kernel(const kr_call *call, const kr_cell *args)
{
    return kr_num_of_int((int64_t)char_count(text_of(call, args[0])));
}

static kr_cell left_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    int64_t n = 1;
    if (call->argc > 1 && !count_of(args[1], 0, &n))
        return KR_E_VALUE;
    return text_cell(call, s.at, char_offset(s, (uint64_t)n));
}

static kr_cell right_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    int64_t n = 1;
    if (call->argc > 1 && !count_of(args[1], 0, &n))
        return KR_E_VALUE;
    uint64_t all = char_count(s), skip = (uint64_t)n >= all ? 0 : all - (uint64_t)n;
    size_t at = char_offset(s, skip);
    return text_cell(call, s.at + at, s.len - at);
}

static kr_cell mid_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    int64_t from, n;
    if (!count_of(args[1], 1, &from) || !count_of(args[2], 0, &n))
        return KR_E_VALUE;
    size_t at = char_offset(s, (uint64_t)from - 1);
    slice rest = { s.at + at, s.len - at };
    return text_cell(call, rest.at, char_offset(rest, (uint64_t)n));
}

static kr_cell change_case(const kr_call *call, kr_cell cell, char first, char last, int step)
{
    slice s = text_of(call, cell);
    char *copy = kr_arena_copy(call->env->scratch, s.at, s.len);
    for (size_t i = 0; i < s.len; i++)
        if (copy[i] >= first && copy[i] <= last)
            copy[i] = (char)(copy[i] + step);
    return text_cell(call, copy, s.len);
}

static kr_cell upper_kernel(const kr_call *call, const kr_cell *args) { return change_case(call, args[0], 'a', 'z', 'A' - 'a'); }
static kr_cell lower_kernel(const kr_call *call, const kr_cell *args) { return change_case(call, args[0], 'A', 'Z', 'a' - 'A'); }

static kr_cell trim_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    char *copy = kr_arena_copy(call->env->scratch, s.at, s.len);
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        if (s.at[i] != ' ' || (n > 0 && copy[n - 1] != ' '))
            copy[n++] = s.at[i];
    while (n > 0 && copy[n - 1] == ' ')
        n--;
    return text_cell(call, copy, n);
}

static kr_cell concat_kernel(const kr_call *call, const kr_cell *args)
{
    slice *part = KR_NEW_ARRAY(call->env->scratch, slice, call->argc);
    size_t len = 0, at = 0;
    for (int k = 0; k < call->argc; k++) {
        part[k].at = kr_cell_text(call->env->scratch, call->env->pool, call->types[k], args[k], &part[k].len);
        len += part[k].len;
    }
    if (len > TEXT_LIMIT)
        return KR_E_VALUE;
    char *joined = kr_arena_alloc(call->env->scratch, len);
    for (int k = 0; k < call->argc; at += part[k++].len)
        memcpy(joined + at, part[k].at, part[k].len);
    return text_cell(call, joined, len);
}

static kr_cell text_kernel(const kr_call *call, const kr_cell *args)
{
    kr_cell x = args[0];
    char digits[KR_NUM_TEXT + 24];
    size_t len;
    if (call->argc < 2) {
        const char *text = kr_cell_text(call->env->scratch, call->env->pool, call->types[0], x, &len);
        return text_cell(call, text, len);
    }
    int64_t places;
    if (call->types[0] != KR_T_NUMBER || !count_of(args[1], 0, &places) || places > 18)
        return KR_E_VALUE;
    x = kr_num_round(x, (int)places, KR_HALF_AWAY);
    if (kr_is_special(x))
        return x;
    len = kr_num_write(x, digits);
    const char *point = memchr(digits, '.', len);
    size_t have = point ? len - (size_t)(point - digits) - 1 : 0;
    if (!point && places > 0)
        digits[len++] = '.';
    for (; have < (size_t)places; have++)
        digits[len++] = '0';
    return text_cell(call, digits, len);
}

static kr_cell value_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    kr_num out;
    return kr_num_read(s.at, s.len, &out, NULL) == KR_READ_OK ? out : KR_E_VALUE;
}

static kr_cell exact_kernel(const kr_call *call, const kr_cell *args)
{
    (void)call;
    return kr_cell_of_bool(kr_raw_eq(args[0], args[1]));
}

/* Offset of the first `needle` at or after `from`; false when there is none. */
static bool find(slice s, slice needle, size_t from, size_t *out)
{
    for (size_t at = from; at + needle.len <= s.len; at++)
        if (memcmp(s.at + at, needle.at, needle.len) == 0) {
            *out = at;
            return true;
        }
    return false;
}

static kr_cell find_kernel(const kr_call *call, const kr_cell *args)
{
    slice needle = text_of(call, args[0]), s = text_of(call, args[1]);
    int64_t from = 1;
    size_t at;
    if (call->argc > 2 && !count_of(args[2], 1, &from))
        return KR_E_VALUE;
    if ((uint64_t)from > char_count(s) + 1 || !find(s, needle, char_offset(s, (uint64_t)from - 1), &at))
        return KR_E_VALUE;
    return kr_num_of_int((int64_t)char_count((slice){ s.at, at }) + 1);
}

static kr_cell starts_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]), part = text_of(call, args[1]);
    return kr_cell_of_bool(part.len <= s.len && memcmp(s.at, part.at, part.len) == 0);
}

static kr_cell ends_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]), part = text_of(call, args[1]);
    return kr_cell_of_bool(part.len <= s.len && memcmp(s.at + s.len - part.len, part.at, part.len) == 0);
}

static kr_cell contains_kernel(const kr_call *call, const kr_cell *args)
{
    size_t at;
    return kr_cell_of_bool(find(text_of(call, args[0]), text_of(call, args[1]), 0, &at));
}

static kr_cell substitute_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]), old = text_of(call, args[1]), new = text_of(call, args[2]);
    size_t hits = 0, at = 0, found, len = 0;
    if (old.len == 0)
        return args[0];
    for (; find(s, old, at, &found); at = found + old.len)
        hits++;
    if (new.len > 0 && hits > TEXT_LIMIT / new.len)
        return KR_E_VALUE;
    char *out = kr_arena_alloc(call->env->scratch, s.len + hits * new.len);
    for (at = 0; find(s, old, at, &found); at = found + old.len) {
        memcpy(out + len, s.at + at, found - at);
        len += found - at;
        memcpy(out + len, new.at, new.len);
        len += new.len;
    }
    memcpy(out + len, s.at + at, s.len - at);
    return text_cell(call, out, len + s.len - at);
}

static kr_cell repeat_kernel(const kr_call *call, const kr_cell *args)
{
    slice s = text_of(call, args[0]);
    int64_t n;
    if (!count_of(args[1], 0, &n) || (s.len > 0 && (uint64_t)n > TEXT_LIMIT / s.len))
        return KR_E_VALUE;
    if (s.len == 0)
        return args[0];
    char *out = kr_arena_alloc(call->env->scratch, s.len * (size_t)n);
    for (size_t i = 0; i < (size_t)n; i++)
        memcpy(out + i * s.len, s.at, s.len);
    return text_cell(call, out, s.len * (size_t)n);
}

const kr_fn kr_text_fns[] = {
    { .name = "LEN", .usage = "LEN(text)", .sig = "text -> number", .doc = "The number of characters.",
      .example = "LEN('krules')", .gives = "6", .edge = "LEN('')", .edge_gives = "0", .scalar = len_kernel },
    { .name = "LEFT", .usage = "LEFT(text, n)", .sig = "text, [number] -> text", .doc = "The first n characters (1 when left out).",
      .example = "LEFT('krules', 2)", .gives = "kr", .edge = "LEFT('kr', -1)", .edge_gives = "#VALUE!", .scalar = left_kernel },
    { .name = "RIGHT", .usage = "RIGHT(text, n)", .sig = "text, [number] -> text",
      .doc = "The last n characters (1 when left out).",
      .example = "RIGHT('krules', 3)", .gives = "les", .edge = "RIGHT('kr', 9)", .edge_gives = "kr", .scalar = right_kernel },
    { .name = "MID", .usage = "MID(text, start, n)", .sig = "text, number, number -> text",
      .doc = "n characters from number start on; the first is number 1.",
      .example = "MID('krules', 2, 3)", .gives = "rul", .edge = "MID('krules', 0, 1)", .edge_gives = "#VALUE!",
      .scalar = mid_kernel },
    { .name = "UPPER", .usage = "UPPER(text)", .sig = "text -> text", .doc = "The text with a to z as capitals; other letters stay.",
      .example = "UPPER('aB1')", .gives = "AB1", .edge = "UPPER('')", .edge_gives = "", .scalar = upper_kernel },
    { .name = "LOWER", .usage = "LOWER(text)", .sig = "text -> text", .doc = "The text with A to Z as small letters; other letters stay.",
      .example = "LOWER('aB1')", .gives = "ab1", .edge = "LOWER('')", .edge_gives = "", .scalar = lower_kernel },
    { .name = "TRIM", .usage = "TRIM(text)", .sig = "text -> text",
      .doc = "The text without spaces at its ends and with single spaces between words.",
      .example = "TRIM('  a   b ')", .gives = "a b", .edge = "TRIM('   ')", .edge_gives = "", .scalar = trim_kernel },
    { .name = "CONCAT", .usage = "CONCAT(a, b, …)", .sig = "any... -> text", .doc = "All arguments as text, joined; the same as a & b.",
      .example = "CONCAT('tier ', 3, TRUE)", .gives = "tier 3true", .edge = "CONCAT('a', IF(FALSE, 'b'))", .edge_gives = "",
      .scalar = concat_kernel },
    { .name = "CONCATENATE", .usage = "CONCATENATE(a, b, …)", .sig = "any... -> text", .doc = "The same as CONCAT.",
      .example = "CONCATENATE('a', 'b')", .gives = "ab", .edge = "CONCATENATE('a', 1 / 0)", .edge_gives = "#DIV/0!",
      .scalar = concat_kernel },
    { .name = "TEXT", .usage = "TEXT(x, places)", .sig = "any, [number] -> text",
      .doc = "x as text, as results are written: numbers plain and exact, days as 2024-02-29, times in milliseconds. With places, a number rounded half away from zero to exactly that many decimals (0 to 18).",
      .example = "TEXT(2.5, 2)", .gives = "2.50", .edge = "TEXT(2.5, 19)", .edge_gives = "#VALUE!", .scalar = text_kernel },
    { .name = "VALUE", .usage = "VALUE(text)", .sig = "text -> number",
      .doc = "The number that a text writes, exactly: sign, digits with _ between them, point, exponent, % at the end. Anything else, or more than 18 decimals, is #VALUE!.",
      .example = "VALUE('2.5%')", .gives = "0.025", .edge = "VALUE('two')", .edge_gives = "#VALUE!", .scalar = value_kernel },
    { .name = "EXACT", .usage = "EXACT(a, b)", .sig = "text, text -> boolean",
      .doc = "Whether two texts are the same in every byte; a = b says the same.",
      .example = "EXACT('a', 'a')", .gives = "true", .edge = "EXACT('a', 'A')", .edge_gives = "false", .scalar = exact_kernel },
    { .name = "FIND", .usage = "FIND(part, text, start)", .sig = "text, text, [number] -> number",
      .doc = "The number of the character where part first stands in text, from start (1) on; #VALUE! when it does not.",
      .example = "FIND('l', 'krules')", .gives = "4", .edge = "FIND('x', 'krules')", .edge_gives = "#VALUE!",
      .scalar = find_kernel },
    { .name = "STARTS", .usage = "STARTS(text, part)", .sig = "text, text -> boolean", .doc = "Whether text begins with part.",
      .example = "STARTS('BTC-USD', 'BTC')", .gives = "true", .edge = "STARTS('', 'a')", .edge_gives = "false",
      .scalar = starts_kernel },
    { .name = "ENDS", .usage = "ENDS(text, part)", .sig = "text, text -> boolean", .doc = "Whether text ends in part.",
      .example = "ENDS('BTC-USD', 'USD')", .gives = "true", .edge = "ENDS('a', '')", .edge_gives = "true", .scalar = ends_kernel },
    { .name = "CONTAINS", .usage = "CONTAINS(text, part)", .sig = "text, text -> boolean", .doc = "Whether part stands anywhere in text.",
      .example = "CONTAINS('BTC-USD', '-')", .gives = "true", .edge = "CONTAINS('abc', 'ac')", .edge_gives = "false",
      .scalar = contains_kernel },
    { .name = "SUBSTITUTE", .usage = "SUBSTITUTE(text, old, new)", .sig = "text, text, text -> text",
      .doc = "The text with every old replaced by new, from left to right.",
      .example = "SUBSTITUTE('a-b-c', '-', '')", .gives = "abc", .edge = "SUBSTITUTE('abc', '', 'x')", .edge_gives = "abc",
      .scalar = substitute_kernel },
    { .name = "REPT", .usage = "REPT(text, n)", .sig = "text, number -> text",
      .doc = "The text n times over; #VALUE! when that is longer than 1,048,576 bytes.",
      .example = "REPT('ab', 3)", .gives = "ababab", .edge = "REPT('ab', 1e9)", .edge_gives = "#VALUE!", .scalar = repeat_kernel },
    { .name = NULL },
};
