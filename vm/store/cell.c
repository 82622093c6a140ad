#include "vm/store/cell.h"

#include <stdio.h>
#include <string.h>

#include "vm/text/time.h"

/* A direct-mapped cache of texts: a fixed size bounds its memory, and real tables repeat their names in runs. */
enum { CACHE_BITS = 15, CACHE_SIZE = 1 << CACHE_BITS };

typedef struct cached {
    uint64_t hash;
    const char *text; /* the pool's; NULL: free */
    uint32_t len, id;
    bool upper_hex;   /* an address written with capitals */
} cached;

struct kr_cell_reader {
    kr_pool *pool;
    int64_t day;          /* the day read last, and its text: neighbours usually share it */
    char day_text[16];
    size_t day_len;
    char *bytes;
    size_t bytes_size;
    cached cache[CACHE_SIZE];
};

kr_cell_reader *kr_cell_reader_new(kr_pool *pool)
{
    kr_cell_reader *reader = kr_alloc(sizeof *reader);
    reader->pool = pool;
    return reader;
}

void kr_cell_reader_free(kr_cell_reader *reader)
{
    if (!reader)
        return;
    kr_free(reader->bytes);
    kr_free(reader);
}

bool kr_text_is_utf8(const char *text, size_t len)
{
    const unsigned char *s = (const unsigned char *)text, *end = s + len;
    while (s < end) {
        unsigned c = *s++;
        if (c == 0)
            return false;
        if (c < 0x80)
            continue;
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        uint32_t least = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
        if (c < 0xc2 || c > 0xf4 || end - s < more)
            return false;
        uint32_t point = c & (0x3fu >> more);
        for (int i = 0; i < more; i++, s++) {
            if ((*s & 0xc0) != 0x80)
                return false;
            point = point << 6 | (*s & 0x3fu);
        }
        if (point < least || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
            return false;
    }
    return true;
}

static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t h = len * UINT64_C(0x9e3779b97f4a7c15), w;
    for (; len >= 8; text += 8, len -= 8) {
        memcpy(&w, text, 8);
        h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, text, len);
    h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

static bool upper_hex(const char *text, size_t len)
{
    if (len < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
        return false;
    bool upper = text[1] == 'X';
    for (size_t i = 2; i < len; i++) {
        char c = text[i];
        if (c >= 'A' && c <= 'F')
            upper = true;
        else if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return upper;
}

static bool complain(kr_cell_fault *fault, kr_code code, const char *what, const char *text, size_t len, const char *help)
{
    char shown[100];
    size_t n = 0;
    for (size_t i = 0; i < len && n < 60; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n' || c == '\r' || c == '\t' || c < 32) {
            shown[n++] = ' ';
        } else {
            shown[n++] = (char)c;
        }
    }
    while (n && len > 60 && ((unsigned char)shown[n - 1] & 0xc0) == 0x80) /* never half a character */
        n--;
    shown[n] = 0;
    fault->code = code;
    snprintf(fault->message, sizeof fault->message, "`%s%s` %s", shown, len > 60 ? "…" : "", what);
    snprintf(fault->help, sizeof fault->help, "%s", help ? help : "");
    return false;
}

static bool complain_bare(kr_cell_fault *fault, const char *message, const char *help)
{
    fault->code = KR_E_DATA_CELL;
    snprintf(fault->message, sizeof fault->message, "%s", message);
    snprintf(fault->help, sizeof fault->help, "%s", help);
    return false;
}

static bool complain_blank(kr_cell_fault *fault, const kr_cell_rule *rule)
{
    fault->code = KR_E_DATA_BLANK;
    snprintf(fault->message, sizeof fault->message, rule->key ? "key column `%s` is blank" : "`%s` is required, but blank", rule->name);
    fault->help[0] = 0;
    return false;
}

static bool has_space(const char *text, size_t len)
{
    return len && (text[0] == ' ' || text[0] == '\t' || text[len - 1] == ' ' || text[len - 1] == '\t');
}

static const char *space_help(const char *text, size_t len)
{
    return has_space(text, len) ? "remove the space around it" : NULL;
}

static bool read_number(const kr_cell_rule *rule, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    enum kr_read got = kr_num_read(text, len, out, NULL);
    if (got == KR_READ_DECIMALS)
        return complain(fault, KR_E_DATA_DECIMALS, "has more than 18 decimals", text, len, "round it where it comes from, and say so there");
    if (got == KR_READ_RANGE)
        return complain(fault, KR_E_DATA_CELL, "is out of range", text, len, "numbers reach to about 1.7e20 on both sides of zero");
    if (got != KR_READ_OK)
        return complain(fault, KR_E_DATA_CELL, "is not a number", text, len,
                        memchr(text, ',', len) ? "write plain decimals: a point, and no separators of thousands" : space_help(text, len));
    /* Conveniences of formulas that would be ambiguous in data. */
    if (text[len - 1] == '%' || memchr(text, '_', len))
        return complain(fault, KR_E_DATA_CELL, "is not a plain number", text, len, "in data, write 0.25 for 25% and 10000 for 10_000");
    const kr_domain *d = rule->domain;
    char bound[KR_NUM_TEXT], what[100] = "";
    const char *word = NULL;
    kr_num limit = KR_NUM_ZERO;
    if (d->whole && !kr_num_is_int(*out))
        return complain(fault, KR_E_DATA_DOMAIN, "is not a whole number", text, len, NULL);
    if (d->has_above && kr_raw_cmp(*out, d->above) <= 0)
        word = "is not above", limit = d->above;
    else if (d->has_min && kr_raw_cmp(*out, d->min) < 0)
        word = "is less than", limit = d->min;
    else if (d->has_below && kr_raw_cmp(*out, d->below) >= 0)
        word = "is not below", limit = d->below;
    else if (d->has_max && kr_raw_cmp(*out, d->max) > 0)
        word = "is more than", limit = d->max;
    if (!word)
        return true;
    kr_num_write(limit, bound);
    snprintf(what, sizeof what, "%s %s", word, bound);
    return complain(fault, KR_E_DATA_DOMAIN, what, text, len, NULL);
}

static bool read_boolean(const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    static const struct { const char *word; bool value; } words[] = {
        { "1", true }, { "0", false }, { "true", true }, { "false", false }, { "TRUE", true }, { "FALSE", false },
        { "True", true }, { "False", false },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == len && !memcmp(words[i].word, text, len)) {
            *out = kr_cell_of_bool(words[i].value);
            return true;
        }
    return complain(fault, KR_E_DATA_CELL, "is not a boolean", text, len, "write 1, 0, true or false");
}

static bool read_day(kr_cell_reader *reader, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    if (len != reader->day_len || memcmp(text, reader->day_text, len) != 0) {
        int64_t day;
        if (!kr_day_read(text, len, &day))
            return complain(fault, KR_E_DATA_CELL, "is not a day", text, len, "write a real date as YYYY-MM-DD");
        reader->day = day;
        reader->day_len = len < sizeof reader->day_text ? len : 0;
        memcpy(reader->day_text, text, reader->day_len);
    }
    *out = kr_cell_of_int(reader->day);
    return true;
}

static bool read_time(const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    int64_t ms = 0;
    size_t i = 0;
    if (len <= 15)
        while (i < len && text[i] >= '0' && text[i] <= '9')
            ms = ms * 10 + (text[i++] - '0');
    /* The common form is decided here; what is longer, signed or a date goes the full way (years 0001 to 9999). */
    if ((i < len || len > 14 || !len) && !kr_time_read(text, len, &ms))
        return complain(fault, KR_E_DATA_CELL, "is not a time", text, len, "write whole milliseconds since 1970-01-01 UTC, or YYYY-MM-DDTHH:MM:SS.mmmZ");
    *out = kr_cell_of_int(ms);
    return true;
}

static bool read_text(kr_cell_reader *reader, const kr_cell_rule *rule, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    if (len > UINT32_MAX)
        return complain(fault, KR_E_DATA_CELL, "is too long", text, len, NULL);
    uint64_t hash = hash_of(text, len);
    cached *c = &reader->cache[hash >> (64 - CACHE_BITS)];
    if (!(c->text && c->hash == hash && c->len == len && !memcmp(c->text, text, len))) {
        if (!kr_text_is_utf8(text, len))
            return complain_bare(fault, "this text is not UTF-8", "save the file as UTF-8");
        c->id = kr_pool_add(reader->pool, text, len);
        c->text = kr_pool_text(reader->pool, c->id, NULL);
        c->hash = hash;
        c->len = (uint32_t)len;
        c->upper_hex = upper_hex(text, len);
    }
    if (c->upper_hex && rule->domain->address)
        return complain(fault, KR_E_DATA_DOMAIN, "is an address in capitals", text, len, "write hexadecimal addresses in lower case: they are compared as bytes");
    if (rule->domain->one_of) {
        int i = 0;
        while (i < rule->word_count && rule->words[i] != c->id)
            i++;
        if (i == rule->word_count) {
            char list[200] = "one of:";
            size_t n = strlen(list);
            for (i = 0; i < rule->word_count && n < 150; i++)
                n += (size_t)snprintf(list + n, sizeof list - n, "%s `%.40s`", i ? "," : "", rule->domain->one_of[i]);
            const char *near = NULL;
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)(len < 60 ? len : 60), text);
            near = kr_nearest(word, rule->domain->one_of, (size_t)rule->word_count);
            if (near && n < 150)
                snprintf(list + n, sizeof list - n, "; did you mean `%.40s`?", near);
            return complain(fault, KR_E_DATA_DOMAIN, "is not a word of this column", text, len, list);
        }
    }
    *out = kr_cell_of_int(c->id);
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_bytes(kr_cell_reader *reader, const kr_cell_rule *rule, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    size_t at = len >= 2 && text[0] == '0' && text[1] == 'x' ? 2 : 0, n = 0;
    if ((len - at) % 2)
        return complain(fault, KR_E_DATA_CELL, "is not whole bytes", text, len, "write two hex digits for each byte");
    if (reader->bytes_size < len + 1)
        reader->bytes = kr_realloc(reader->bytes, reader->bytes_size = 2 * len + 64);
    for (; at < len; at += 2) {
        int high = hex_digit(text[at]), low = hex_digit(text[at + 1]);
        if (high < 0 || low < 0)
            return complain(fault, KR_E_DATA_CELL, "is not hexadecimal", text, len, "write two hex digits for each byte");
        reader->bytes[n++] = (char)(high << 4 | low);
    }
    return kr_cell_read_bytes(reader, rule, reader->bytes, n, out, fault);
}

bool kr_cell_read_bytes(kr_cell_reader *reader, const kr_cell_rule *rule, const char *bytes, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    if (rule->type != KR_T_BYTES)
        return complain_bare(fault, "this cell is a BLOB", "only columns of type bytes may hold one");
    *out = kr_cell_of_text(reader->pool, bytes, len);
    return true;
}

bool kr_cell_read(kr_cell_reader *reader, const kr_cell_rule *rule, const char *text, size_t len, kr_cell *out, kr_cell_fault *fault)
{
    if (!len) {
        *out = KR_BLANK;
        return !(rule->key || rule->domain->required) || complain_blank(fault, rule);
    }
    switch (rule->type) {
    case KR_T_NUMBER: return read_number(rule, text, len, out, fault);
    case KR_T_BOOLEAN: return read_boolean(text, len, out, fault);
    case KR_T_DAY: return read_day(reader, text, len, out, fault);
    case KR_T_TIME: return read_time(text, len, out, fault);
    case KR_T_BYTES: return read_bytes(reader, rule, text, len, out, fault);
    case KR_T_TEXT: return read_text(reader, rule, text, len, out, fault);
    case KR_T_NONE:
    case KR_T_LIST: break;
    }
    return complain(fault, KR_E_DATA_CELL, "belongs to a column without a type of its own", text, len, NULL);
}

kr_cell_rule *kr_cell_rules_new(kr_arena *arena, const kr_sheet *sheet, kr_pool *pool, int *count)
{
    int n = 0;
    kr_cell_rule *rules = KR_NEW_ARRAY(arena, kr_cell_rule, sheet->column_count);
    for (int i = 0; i < sheet->column_count; i++) {
        const kr_column_def *def = sheet->columns[i];
        if (!def->input)
            continue;
        kr_cell_rule *rule = &rules[n++];
        rule->name = def->name;
        rule->type = def->type;
        rule->domain = &def->domain;
        for (int k = 0; k < sheet->key_count; k++)
            rule->key |= !strcmp(sheet->key_names[k], def->name);
        rule->word_count = def->domain.one_of_count;
        rule->words = KR_NEW_ARRAY(arena, uint32_t, rule->word_count);
        for (int w = 0; w < rule->word_count; w++)
            rule->words[w] = kr_pool_add(pool, def->domain.one_of[w], strlen(def->domain.one_of[w]));
    }
    *count = n;
    return rules;
}
