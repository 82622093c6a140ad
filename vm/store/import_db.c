/* import_db.c: the database side of an import: one transaction, a savepoint a file, a cache of statements, what was read. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/store/digest.h"
#include "vm/store/import_internal.h"
#include "vm/text/time.h"

static int database_fault(kr_import *im)
{
    if (!im->broken)
        kr_diag_at(im->diags, KR_E_STORE_WRITE, im->path, "the database `%s` cannot be written: %s", im->path, im->db ? sqlite3_errmsg(im->db) : "out of memory");
    im->broken = im->wrong = true;
    return 0;
}

static sqlite3_stmt *statement(kr_import *im, const char *sql)
{
    for (int i = 0; i < im->statement_count; i++)
        if (im->statements[i].sql == sql)
            return im->statements[i].statement;
    sqlite3_stmt *s = NULL;
    KR_ASSERT(im->statement_count < KR_IMPORT_STATEMENTS); /* their number is that of the literals in the source */
    if (sqlite3_prepare_v2(im->db, sql, -1, &s, NULL) != SQLITE_OK) {
        database_fault(im);
        return NULL;
    }
    im->statements[im->statement_count].sql = sql;
    im->statements[im->statement_count++].statement = s;
    return s;
}

int kr_sql(kr_import *im, sqlite3_stmt **row, const char *sql, const char *format, ...)
{
    if (row)
        *row = NULL;
    sqlite3_stmt *s = im->broken ? NULL : statement(im, sql);
    if (!s)
        return 0;
    va_list args;
    va_start(args, format);
    sqlite3_reset(s);
    for (int i = 1; *format; i++, format++)
        if (*format == 'i')
            sqlite3_bind_int64(s, i, va_arg(args, int64_t));
        else
            sqlite3_bind_text(s, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
    va_end(args);
    int got = sqlite3_step(s);
    if (got != SQLITE_ROW && got != SQLITE_DONE)
        return database_fault(im);
    if (row)
        *row = s;
    if (got == SQLITE_DONE)
        sqlite3_reset(s);
    return got;
}

const char *kr_sql_text(kr_import *im, sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? kr_arena_copy(im->scratch, text, (size_t)sqlite3_column_bytes(row, column)) : NULL;
}

static bool option_time(kr_import *im, const char *flag, const char *text, int64_t *out)
{
    int64_t day;
    *out = KR_NO_TIME;
    if (!text || kr_time_read(text, strlen(text), out))
        return true;
    if (kr_day_read(text, strlen(text), &day)) {
        *out = day * KR_DAY_MS;
        return true;
    }
    kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, flag, "`%s` is not a time", text);
    kr_diag_help(im->diags, d, "write milliseconds since 1970 or YYYY-MM-DDTHH:MM:SSZ");
    return false;
}

static bool read_options(kr_import *im)
{
    const kr_import_options *o = im->options;
    if (!option_time(im, "--read-at", o->read_at, &im->read_at) || !option_time(im, "--asked-from", o->from, &im->from) || !option_time(im, "--asked-to", o->to, &im->to))
        return false;
    if (o->address && !(im->address = kr_lower_address(im->arena, o->address))) {
        kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, "--address", "`%s` is not an address", o->address);
        kr_diag_help(im->diags, d, "an address is 0x and 40 hex digits");
        return false;
    }
    if (o->builder_rate && (kr_num_read(o->builder_rate, strlen(o->builder_rate), &im->rate, NULL) != KR_READ_OK || kr_num_cmp(im->rate, KR_NUM_ZERO) <= 0)) {
        kr_diag *d = kr_diag_at(im->diags, KR_E_CMD_VALUE, "--builder-rate", "`%s` is not a rate", o->builder_rate);
        kr_diag_help(im->diags, d, "write a part of the fill's value above 0, such as 0.025%% or 0.00025");
        return false;
    }
    if (o->builder_rate && o->builder_fills) {
        kr_diag_at(im->diags, KR_E_CMD_VALUE, "--builder-fills", "--builder-rate and --builder-fills are two ways to tell the same: give one");
        return false;
    }
    im->by_rate = o->builder_rate != NULL;
    return true;
}

bool kr_import_open(kr_import *im, const kr_import_options *options, kr_diags *diags)
{
    *im = (kr_import){ .path = options->into, .options = options, .diags = diags, .arena = kr_arena_new(), .scratch = kr_arena_new() };
    if (!read_options(im)) {
        im->broken = true;
        return false;
    }
    struct stat st;
    im->made = stat(im->path, &st) < 0;
    bool ok = sqlite3_open_v2(im->path, &im->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_busy_timeout(im->db, 10000);
    ok = ok && sqlite3_exec(im->db, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE;", NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(im->db, kr_import_schema, NULL, NULL, NULL) == SQLITE_OK;
    if (!ok)
        database_fault(im);
    return ok;
}

bool kr_import_close(kr_import *im)
{
    bool ok = !im->broken && kr_import_derive(im) && !im->broken;
    for (int i = 0; i < im->statement_count; i++)
        sqlite3_finalize(im->statements[i].statement);
    im->statement_count = 0;
    if (ok && sqlite3_exec(im->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        ok = database_fault(im);
    sqlite3_close(im->db); /* an open transaction is rolled back */
    for (size_t i = 0; ok && i < im->line_count; i++)
        im->options->report(im->options->report_context, &im->lines[i]);
    struct stat st;
    if (!ok && im->made && stat(im->path, &st) == 0 && st.st_size == 0)
        unlink(im->path);
    kr_arena_free(im->arena);
    kr_arena_free(im->scratch);
    return ok;
}

bool kr_import_file_begin(kr_import *im, const char *file)
{
    im->file = file;
    im->wrong = im->broken;
    im->file_line = im->line_count;
    return kr_sql(im, NULL, "SAVEPOINT one_file", "") != 0;
}

/* Standard input goes to a file without a name first, so that it is read (and inflated) like any other. */
static FILE *standard_input(char path[40])
{
    char buffer[1 << 16];
    FILE *kept = tmpfile();
    size_t n;
    while (kept && (n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        if (fwrite(buffer, 1, n, kept) != n)
            break;
    if (kept && (ferror(stdin) || ferror(kept) || fflush(kept) != 0)) {
        fclose(kept);
        return NULL;
    }
    if (kept)
        snprintf(path, 40, "/proc/self/fd/%d", fileno(kept));
    return kept;
}

bool kr_import_file_open(kr_import *im, const char *name, kr_file *file, FILE **kept)
{
    bool input = !strcmp(name, "-");
    char path[40], problem[200] = "standard input cannot be kept";
    *kept = NULL;
    if (!kr_import_file_begin(im, input ? "<standard input>" : name))
        return false;
    if (input)
        *kept = standard_input(path);
    if ((!input || *kept) && kr_file_open(file, input ? path : name, problem, sizeof problem))
        return true;
    kr_import_fault(im, KR_E_DATA_PATH, NULL, "`%s` cannot be read: %s", im->file, problem);
    return false;
}

bool kr_import_file_end(kr_import *im)
{
    for (int i = 0; i < im->statement_count; i++)
        sqlite3_reset(im->statements[i].statement);
    if (im->wrong && !im->broken)
        kr_sql(im, NULL, "ROLLBACK TO one_file", "");
    kr_sql(im, NULL, "RELEASE one_file", "");
    bool ok = !im->wrong && !im->broken;
    if (!ok)
        im->line_count = im->file_line; /* what was said of it does not hold */
    im->wrong = im->broken;
    return ok;
}

void kr_import_touch(kr_import *im, const char *address)
{
    for (size_t i = im->touched_count; i-- > 0;)
        if (!strcmp(im->touched[i], address))
            return;
    KR_PUSH(im->arena, im->touched, im->touched_count, im->touched_capacity) = kr_arena_copy(im->arena, address, strlen(address));
}

void kr_import_say(kr_import *im, const char *kind, size_t records, size_t fresh, const char *note)
{
    KR_PUSH(im->arena, im->lines, im->line_count, im->line_capacity) =
        (kr_import_line){ im->file, kr_arena_copy(im->arena, kind, strlen(kind)), records, fresh, note ? kr_arena_copy(im->arena, note, strlen(note)) : "" };
}

bool kr_import_setting(kr_import *im, const char *name, const char *value)
{
    sqlite3_stmt *row;
    if (kr_sql(im, &row, "SELECT value FROM setting WHERE name = ?1", "t", name) != SQLITE_ROW)
        return kr_sql(im, NULL, "INSERT OR REPLACE INTO setting VALUES (?1, ?2)", "tt", name, value) != 0;
    const char *kept = kr_sql_text(im, row, 0);
    if (!strcmp(kept, value))
        return true;
    kr_diag *d = kr_diag_at(im->diags, KR_E_ANSWER_CONFLICT, im->path, "`%s` tells the %s by %s, this import by %s", im->path, name, kept, value);
    kr_diag_help(im->diags, d, "one database holds one choice; begin another with --into");
    im->broken = im->wrong = true;
    return false;
}

void kr_import_log(kr_import *im, const kr_answer *a, const char *kind, int64_t from, int64_t to, bool cut_before, bool cut_after, size_t records)
{
    char hex[KR_HEX];
    kr_sha_of(a->value ? a->value->at : "", a->value ? (size_t)(a->value->end - a->value->at) : 0, hex);
    kr_sql(im, NULL, "INSERT OR IGNORE INTO read_log VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)", "ttttiiitiii", kind, a->address ? a->address : "",
           a->coin ? a->coin : "", a->span ? a->span : "", from, to, a->read_at == KR_NO_TIME ? (int64_t)0 : a->read_at, hex, (int64_t)cut_before, (int64_t)cut_after,
           (int64_t)records);
}

void kr_import_gap(kr_import *im, const char *address, int64_t day, const char *what, const char *reason)
{
    kr_sql(im, NULL, "INSERT OR IGNORE INTO gap VALUES (?1, ?2, ?3, ?4)", "tttt", address, kr_import_day_text(im->scratch, day), what, reason);
}

uint64_t kr_import_hash(const char *text)
{
    char hex[KR_HEX];
    uint64_t out = 0;
    kr_sha_of(text, strlen(text), hex);
    for (int i = 0; i < 16; i++)
        out = out << 4 | (uint64_t)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
    return out;
}

uint32_t kr_repeat(kr_arena *arena, kr_repeats *r, const char *text)
{
    if (r->used * 2 >= r->room) {
        kr_repeats old = *r;
        r->room = old.room ? old.room * 4 : 256;
        r->keys = KR_NEW_ARRAY(arena, uint64_t, r->room);
        r->counts = KR_NEW_ARRAY(arena, uint32_t, r->room);
        for (size_t i = 0; i < old.room; i++) {
            size_t at = old.keys[i] & (r->room - 1);
            while (old.counts[i] && r->counts[at])
                at = (at + 1) & (r->room - 1);
            if (old.counts[i]) {
                r->keys[at] = old.keys[i];
                r->counts[at] = old.counts[i];
            }
        }
    }
    uint64_t key = kr_import_hash(text);
    size_t at = key & (r->room - 1);
    while (r->counts[at] && r->keys[at] != key)
        at = (at + 1) & (r->room - 1);
    r->used += !r->counts[at];
    r->keys[at] = key;
    return r->counts[at]++;
}

/* ------------------------------------------------------------------ faults */

kr_diag *kr_import_fault(kr_import *im, kr_code code, const kr_json *at, const char *format, ...)
{
    size_t line = 1, column = 1, byte = 0;
    if (at)
        kr_json_place(&im->json, at->at, &line, &column, &byte);
    va_list args;
    va_start(args, format);
    const char *message = kr_arena_vprintf(im->scratch, format, args);
    va_end(args);
    kr_diag *d = at ? kr_diag_at(im->diags, code, kr_arena_printf(im->scratch, "%s:%zu:%zu", im->file, line, column), "%s", message)
                    : kr_diag_at(im->diags, code, im->file, "%s", message);
    if (at)
        kr_diag_note(im->diags, d, "byte %zu of the file; nothing of it is imported", byte);
    im->wrong = true;
    return d;
}

void kr_import_conflict(kr_import *im, const kr_json *at, const char *what, const char *here, const char *there)
{
    kr_diag *d = kr_import_fault(im, KR_E_ANSWER_CONFLICT, at, "%s contradicts what is already there", what);
    kr_diag_note(im->diags, d, "here:  %s", here);
    kr_diag_note(im->diags, d, "there: %s", there);
}

/* ------------------------------------------------------------------ members */

static const kr_json *member(kr_import *im, const kr_json *object, const char *name, kr_need need)
{
    const kr_json *m = kr_json_get(object, name);
    if ((!m || m->type == KR_JSON_NULL) && need == KR_NEEDED)
        kr_import_fault(im, KR_E_ANSWER_SHAPE, object, "the record has no `%s`", name);
    return !m || m->type == KR_JSON_NULL ? NULL : m;
}

static bool plain(const kr_json *m) { return m->type == KR_JSON_STRING || m->type == KR_JSON_NUMBER || m->type == KR_JSON_BOOL; }

const char *kr_member_text(kr_import *im, const kr_json *object, const char *name, kr_need need)
{
    const kr_json *m = member(im, object, name, need);
    if (m && !plain(m)) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, m, "`%s` is not a plain value", name);
        return NULL;
    }
    return m ? m->text : NULL;
}

const char *kr_member_number(kr_import *im, const kr_json *object, const char *name, kr_need need, kr_num *out)
{
    const kr_json *m = member(im, object, name, need);
    kr_num value = KR_BLANK;
    if (out)
        *out = KR_BLANK;
    if (!m)
        return NULL;
    bool digit = m->len && (m->text[m->len - 1] >= '0' && m->text[m->len - 1] <= '9') && !strchr(m->text, '_');
    enum kr_read got = plain(m) && digit ? kr_num_read(m->text, m->len, &value, NULL) : KR_READ_SYNTAX;
    if (got != KR_READ_OK) {
        kr_import_fault(im, got == KR_READ_DECIMALS ? KR_E_DATA_DECIMALS : KR_E_ANSWER_SHAPE, m, "`%s` of `%s` %s", m->text, name,
                        got == KR_READ_DECIMALS ? "has more than 18 decimals" : got == KR_READ_RANGE ? "is out of range" : "is not a number");
        return NULL;
    }
    if (out)
        *out = value;
    return kr_import_number_text(im, value);
}

bool kr_member_time(kr_import *im, const kr_json *object, const char *name, kr_need need, int64_t *out)
{
    const kr_json *m = member(im, object, name, need);
    *out = KR_NO_TIME;
    if (!m)
        return false;
    const int64_t latest = INT64_C(253402300799999); /* the end of 9999 */
    bool whole = m->type == KR_JSON_NUMBER || m->type == KR_JSON_STRING;
    for (size_t i = 0; i < m->len; i++)
        whole &= m->text[i] >= '0' && m->text[i] <= '9';
    if (!whole || m->len == 0 || m->len > 15 || !kr_time_read(m->text, m->len, out) || *out > latest) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, m, "`%s` of `%s` is not a time in milliseconds", m->text, name);
        return false;
    }
    return true;
}

const char *kr_member_address(kr_import *im, const kr_json *object, const char *name, kr_need need)
{
    const kr_json *m = member(im, object, name, need);
    const char *address = m ? kr_lower_address(im->scratch, m->text) : NULL;
    if (m && !address)
        kr_import_fault(im, KR_E_ANSWER_SHAPE, m, "`%s` of `%s` is not an address", m->text, name);
    return address;
}

const char *kr_member_id(kr_import *im, const kr_json *object, const char *name)
{
    kr_num number;
    const char *text = kr_member_number(im, object, name, KR_OPTIONAL, &number);
    if (text && !kr_num_is_int(number)) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, kr_json_get(object, name), "`%s` of `%s` is not a whole number", text, name);
        return NULL;
    }
    return text;
}

const char *kr_import_number_text(kr_import *im, kr_num number)
{
    char text[KR_NUM_TEXT];
    return kr_arena_copy(im->scratch, text, kr_num_write(number, text));
}

const char *kr_import_day_text(kr_arena *arena, int64_t day)
{
    char text[16];
    return kr_arena_copy(arena, text, kr_day_write(day, text));
}

bool kr_same_number(const char *a, const char *b)
{
    kr_num x, y;
    if (!a || !b)
        return !a == !b;
    return !strcmp(a, b) || (kr_num_read(a, strlen(a), &x, NULL) == KR_READ_OK && kr_num_read(b, strlen(b), &y, NULL) == KR_READ_OK && kr_raw_eq(x, y));
}

const char *kr_lower_address(kr_arena *arena, const char *text)
{
    if (strlen(text) != 42 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || strspn(text + 2, "0123456789abcdefABCDEF") != 40)
        return NULL;
    char *out = kr_arena_copy(arena, text, 42);
    for (char *p = out; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p + 32);
    return out;
}

const char *kr_market_of(const char *coin)
{
    if (*coin == '#' || *coin == '+')
        return "outcome";
    return *coin == '@' || strchr(coin, '/') ? "spot" : strchr(coin, ':') ? "dex" : "perp";
}
