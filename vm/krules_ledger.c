/* krules_ledger.c: what signs and what reads ledgers, behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "stdlib/stdlib.h"
#include "vm/lang/canon.h"
#include "vm/store/file.h"
#include "vm/store/publish.h"
#include "vm/store/tsa.h"
#include "vm/text/time.h"

struct krules_ledger {
    krules_object object;
    kr_arena *arena;
    kr_pool *pool;
    kr_ledger *ledger;
    const char *folder;
    int64_t now_ms;
};

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool read_now(krules *k, const char *text, int64_t *ms)
{
    struct timespec t;
    if (!text) {
        clock_gettime(CLOCK_REALTIME, &t);
        *ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
        return true;
    }
    if (kr_time_read(text, strlen(text), ms))
        return true;
    int64_t day;
    if (kr_day_read(text, strlen(text), &day)) {
        *ms = day * KR_DAY_MS;
        return true;
    }
    kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, "--now", "`%s` is not a time", text), "write YYYY-MM-DDTHH:MM");
    return false;
}

static const char *folder_of(krules *k, kr_arena *arena, const char *book)
{
    const char *folder = kr_book_folder(arena, book, k->rules);
    if (!folder)
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_STORE_BOOK, book, "there is no folder of rulebooks here"), "give it with --rules DIR");
    return folder;
}

/* A file rules/<book>/vN.lua says itself where its book is. */
static const char *folder_of_file(krules *k, kr_arena *arena, const char *file, const kr_model *m)
{
    const char *tail = kr_arena_printf(arena, "%s/v%d.lua", m->id, m->version);
    size_t n = strlen(file), t = strlen(tail);
    if (!k->rules && n >= t && !strcmp(file + n - t, tail) && (n == t || file[n - t - 1] == '/'))
        return kr_arena_copy(arena, file, n - strlen(kr_arena_printf(arena, "/v%d.lua", m->version)));
    return folder_of(k, arena, m->id);
}

/* ------------------------------------------------------------------ ledgers as objects */

static void ledger_destroy(krules_object *object)
{
    krules_ledger *ledger = (krules_ledger *)object;
    kr_arena_free(ledger->arena);
    kr_pool_free(ledger->pool);
    kr_free(ledger);
}

static krules_ledger *ledger_new(krules *k)
{
    krules_ledger *l = kr_alloc(sizeof *l);
    krules_object_add(k, &l->object, ledger_destroy);
    l->arena = kr_arena_new();
    l->pool = kr_pool_new();
    return l;
}

/* To be written to: the folder is held (*lock, -1 when that fails). */
static krules_ledger *open_to_write(krules *k, const char *book, const char *folder, const char *now, int *lock)
{
    krules_ledger *l = ledger_new(k);
    *lock = -1;
    if (!read_now(k, now, &l->now_ms))
        return NULL;
    l->folder = folder ? kr_arena_copy(l->arena, folder, strlen(folder)) : folder_of(k, l->arena, book);
    if (!l->folder)
        return NULL;
    if (!folder && !is_file(kr_arena_printf(l->arena, "%s/ledger.jsonl", l->folder))) {
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_GOV_NONE, book, "`%s` has no ledger", book), "`krules publish` of its version 1 begins one");
        return NULL;
    }
    *lock = kr_folder_lock(l->folder, k->diags);
    l->ledger = *lock < 0 ? NULL : kr_ledger_read(l->arena, l->folder, book, k->diags);
    return l->ledger ? l : NULL;
}

bool krules_has_ledger(krules *k, const char *book)
{
    const char *folder = kr_book_folder(k->arena, book, k->rules);
    return folder && is_file(kr_arena_printf(k->arena, "%s/ledger.jsonl", folder));
}

krules_ledger *krules_ledger_open(krules *k, const char *book, const char *now)
{
    krules_ledger *l = ledger_new(k);
    if (!read_now(k, now, &l->now_ms) || !(l->folder = folder_of(k, l->arena, book)))
        return NULL;
    if (!is_file(kr_arena_printf(l->arena, "%s/ledger.jsonl", l->folder))) {
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_GOV_NONE, book, "`%s` has no ledger", book), "`krules publish` of its version 1 begins one");
        return NULL;
    }
    l->ledger = kr_ledger_read(l->arena, l->folder, book, k->diags);
    if (!l->ledger)
        return NULL;
    kr_ledger_lapse(l->ledger, l->now_ms);
    return l;
}

void krules_ledger_free(krules_ledger *ledger)
{
    if (ledger)
        krules_object_free(&ledger->object);
}

/* ------------------------------------------------------------------ what a signature needs */

static const char *read_token(krules *k, kr_arena *arena, const char *path)
{
    kr_file file;
    char reason[200];
    const char *problem, *token;
    if (!path)
        return "";
    if (!kr_file_open(&file, path, reason, sizeof reason)) {
        kr_diag_at(k->diags, KR_E_STORE_READ, path, "`%s` cannot be read: %s", path, reason);
        return NULL;
    }
    token = kr_tsa_token_of(arena, file.data, file.size, &problem);
    if (!token)
        kr_diag_at(k->diags, KR_E_GOV_TOKEN, path, "`%s` is no timestamp: %s", path, problem);
    kr_file_done(&file);
    return token;
}

static bool read_names(kr_arena *arena, const char *list, kr_signers *to, kr_diags *diags)
{
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        const char *item = kr_arena_copy(arena, at, len), *equals = strchr(item, '=');
        char hex[65];
        if (!equals || equals == item || !equals[1]) {
            kr_diag_at(diags, KR_E_CMD_VALUE, item, "a signer is NAME=PUBLIC.pem, not `%s`", item);
            return false;
        }
        const char *name = kr_arena_copy(arena, item, (size_t)(equals - item));
        size_t bad;
        if (!krules_is_line(name, &bad)) {
            kr_diag_at(diags, KR_E_CMD_VALUE, equals + 1, "the name of a signer is one line of UTF-8 text; byte %zu of this one is no part of such a line", bad);
            return false;
        }
        if (!kr_public_key_read(equals + 1, hex, diags))
            return false;
        kr_signer *all = KR_NEW_ARRAY(arena, kr_signer, to->count + 1);
        for (int i = 0; i < to->count; i++)
            all[i] = to->list[i];
        all[to->count++] = (kr_signer){ name, kr_arena_copy(arena, hex, 64) };
        to->list = all;
        at += len + (at[len] == ',');
    }
    return true;
}

static bool retire_names(kr_arena *arena, const char *list, kr_signers *from, const char *place, kr_diags *diags)
{
    kr_signer *all = KR_NEW_ARRAY(arena, kr_signer, from->count + 1); /* the list is an entry's: it stays */
    for (int i = 0; i < from->count; i++)
        all[i] = from->list[i];
    from->list = all;
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        const char *name = kr_arena_copy(arena, at, len);
        int i = 0;
        while (i < from->count && strcmp(from->list[i].name, name) != 0)
            i++;
        if (i == from->count) {
            kr_diag_at(diags, KR_E_GOV_KEYS, place, "there is no signer `%s` to retire", name);
            return false;
        }
        memmove(&from->list[i], &from->list[i + 1], sizeof *from->list * (size_t)(from->count - i - 1));
        from->count--;
        at += len + (at[len] == ',');
    }
    return true;
}

static bool change_keys(krules *k, krules_ledger *l, const krules_signers *s, kr_keys *keys)
{
    const char *place = l->ledger->path;
    if (!retire_names(l->arena, s->retire, &keys->ordinary, place, k->diags) || !retire_names(l->arena, s->emergency_retire, &keys->emergency, place, k->diags) ||
        !read_names(l->arena, s->add, &keys->ordinary, k->diags) || !read_names(l->arena, s->emergency_add, &keys->emergency, k->diags))
        return false;
    if (s->threshold)
        keys->ordinary.threshold = s->threshold;
    if (s->emergency_threshold)
        keys->emergency.threshold = s->emergency_threshold;
    if (!keys->ordinary.threshold)
        keys->ordinary.threshold = 1;
    if (keys->emergency.count && !keys->emergency.threshold)
        keys->emergency.threshold = 1;
    if (!keys->emergency.count)
        keys->emergency.threshold = s->emergency_threshold;
    if (s->authorities)
        keys->authorities = kr_tsa_certificates(l->arena, s->authorities, &keys->authority_count, k->diags);
    return !s->authorities || keys->authorities;
}

static const char *day_or_nothing(kr_arena *arena, const kr_entry *e)
{
    char day[16];
    if (e->kind != KR_ENTRY_GENESIS && e->kind != KR_ENTRY_PUBLISH)
        return "";
    return kr_arena_copy(arena, day, kr_day_write(e->effective_from, day));
}

/* Days of notice, from the signature that was still needed. */
static int notice_of(const kr_entry *e) { return e->state == KR_ENTRY_DONE ? (int)(e->effective_from - kr_day_of_time(e->done_ms)) : e->notice; }

static void fill(krules *k, const kr_ledger *l, const kr_entry *e, const char *path, krules_published *out)
{
    const kr_entry *about = e->kind == KR_ENTRY_COSIGN ? l->entries[e->entry - 1] : e;
    const char *keep = path ? path : l->path;
    *out = (krules_published){
        .entry = e->seq, .version = about->version, .kind = kr_entry_kind_name(e->kind), .about = kr_entry_kind_name(about->kind), .book = kr_arena_copy(k->arena, l->book, strlen(l->book)),
        .effective_from = day_or_nothing(k->arena, about), .notice = notice_of(about), .proven = e->authority != NULL, .done = about->state == KR_ENTRY_DONE,
        .path = kr_arena_copy(k->arena, keep, strlen(keep)),
    };
    out->signatures = kr_entry_signatures(l, about, &out->needed);
}

/* The end of every signing: token, rules, line. */
static bool sign_and_write(krules *k, krules_ledger *l, kr_entry *e, const krules_signing *s, krules_published *out)
{
    if (!krules_is_reason(k, s->why))
        return false;
    kr_signing_key *key = s->key ? kr_signing_key_read(s->key, k->diags) : NULL;
    e->clock_ms = l->now_ms;
    e->why = s->why ? kr_arena_copy(l->arena, s->why, strlen(s->why)) : "";
    e->token = key ? read_token(k, l->arena, s->token) : NULL;
    bool ok = e->token && kr_ledger_add(l->ledger, e, key, k->diags) && kr_ledger_write(l->ledger, k->diags);
    kr_signing_key_free(key);
    if (ok)
        fill(k, l->ledger, e, NULL, out);
    return ok;
}

/* ------------------------------------------------------------------ publishing */

static bool files_hold(krules *k, const krules_ledger *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->ledger->count; i++) {
        const kr_entry *e = l->ledger->entries[i];
        if (e->kind == KR_ENTRY_GENESIS || e->kind == KR_ENTRY_PUBLISH)
            ok &= kr_ledger_file_holds(l->ledger, e, kr_arena_printf(l->arena, "%s/v%d.lua", l->folder, e->version), k->diags);
    }
    return ok;
}

/* The folder's parent of the book's name: the root under which kr_book_open finds it. */
static const char *root_of(kr_arena *arena, const char *folder, const char *book)
{
    size_t n = strlen(folder), b = strlen(book);
    return n > b + 1 ? kr_arena_copy(arena, folder, n - b - 1) : ".";
}

static bool carries(krules *k, krules_ledger *l, const kr_model *m)
{
    const kr_ledger *ledger = l->ledger;
    int last = 0;
    for (size_t i = 0; i + 1 < ledger->count; i++) /* the last entry is the one that is being made */
        if (ledger->entries[i]->state == KR_ENTRY_DONE && *day_or_nothing(l->arena, ledger->entries[i]))
            last = ledger->entries[i]->version;
    if (!last)
        return true;
    const char *what = kr_arena_printf(l->arena, "%s@%d", ledger->book, last);
    kr_book *book = kr_book_open(l->arena, l->pool, kr_stdlib, what, root_of(l->arena, l->folder, ledger->book), k->diags);
    kr_states states;
    return book && kr_version_carries(book, m, book->version_count, &states, k->diags);
}

static bool examples_hold(krules *k, krules_book *candidate)
{
    const kr_model *m = candidate->book->versions[0].model;
    int failed = 0;
    for (int i = 0; i < m->example_count; i++) {
        const char *title;
        size_t cells;
        failed += !krules_example_run(candidate, 0, (size_t)i, &title, &cells);
    }
    if (failed)
        kr_diag_at(k->diags, KR_E_GOV_HOLDS, candidate->book->versions[0].path, "%d of %d examples of version %d do not hold", failed, m->example_count, m->version);
    return !failed;
}

static bool checks_hold(krules *k, krules_book *candidate, const char *path)
{
    if (!path)
        return true;
    krules_data *data = krules_load(candidate, path);
    krules_result *result = data ? krules_eval(candidate, data, NULL) : NULL;
    size_t failed = result ? krules_check_failures(result) : 0;
    const kr_version *v = &candidate->book->versions[0];
    if (!result)
        kr_diag_at(k->diags, KR_E_GOV_HOLDS, v->path, "version %d could not be computed from the data `%s`", v->model->version, path);
    else if (failed)
        kr_diag_at(k->diags, KR_E_GOV_HOLDS, v->path, "checks of version %d do not hold on the data `%s`: %zu row%s", v->model->version, path, failed, failed == 1 ? "" : "s");
    return result && !failed;
}

static bool begin_keys(krules *k, krules_ledger *l, const krules_signers *signers, const kr_signing_key *key, kr_entry *e)
{
    krules_signers none = { 0 };
    char hex[65];
    signers = signers ? signers : &none;
    if (!signers->add) {
        kr_signing_key_public(key, hex);
        e->keys.ordinary.list = KR_NEW_ARRAY(l->arena, kr_signer, 1);
        e->keys.ordinary.list[e->keys.ordinary.count++] = (kr_signer){ "owner", kr_arena_copy(l->arena, hex, 64) };
    }
    return change_keys(k, l, signers, &e->keys);
}

static bool publish_as(krules *k, krules_ledger *l, krules_book *candidate, const krules_signing *s, const krules_signers *signers, bool emergency, const char *data, krules_published *out)
{
    const kr_version *v = &candidate->book->versions[0];
    kr_entry *e = KR_NEW(l->arena, kr_entry);
    const char *path = kr_arena_printf(l->arena, "%s/v%d.lua", l->folder, v->model->version);
    kr_signing_key *key = NULL;
    bool ok = false;
    if (!krules_is_reason(k, s->why))
        return false;
    kr_entry_describe(l->arena, e, v);
    e->kind = l->ledger->count ? KR_ENTRY_PUBLISH : KR_ENTRY_GENESIS;
    e->emergency = emergency;
    e->clock_ms = l->now_ms;
    e->why = s->why ? kr_arena_copy(l->arena, s->why, strlen(s->why)) : "";
    l->ledger->place = v->path;
    if (emergency && e->kind == KR_ENTRY_GENESIS) {
        kr_diag_at(k->diags, KR_E_GOV_EMERGENCY, v->path, "the first entry of a ledger is no emergency");
        return false;
    }
    if (signers && e->kind == KR_ENTRY_PUBLISH) {
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_VALUE, v->path, "signers are named when a ledger begins"), "`krules keys %s` changes them", l->ledger->book);
        return false;
    }
    if (files_hold(k, l) && (key = kr_signing_key_read(s->key, k->diags)) && (e->token = read_token(k, l->arena, s->token)) &&
        (e->kind == KR_ENTRY_PUBLISH || begin_keys(k, l, signers, key, e)))
        ok = kr_ledger_add(l->ledger, e, key, k->diags) && carries(k, l, v->model) && examples_hold(k, candidate) && checks_hold(k, candidate, data) &&
             kr_publish_file(v->path, path, v->sha256, k->diags) && kr_ledger_write(l->ledger, k->diags);
    kr_signing_key_free(key);
    if (ok)
        fill(k, l->ledger, e, path, out);
    return ok;
}

bool krules_publish(krules *k, const char *file, const krules_signing *s, const krules_signers *signers, bool emergency, const char *data, krules_published *out)
{
    if (!is_file(file)) {
        kr_diag_at(k->diags, KR_E_STORE_BOOK, file, "there is no rule file `%s`", file);
        return false;
    }
    krules_book *candidate = krules_open(k, file);
    if (!candidate)
        return false;
    const kr_model *m = candidate->book->versions[0].model;
    if (!m->has_effective_from) {
        kr_diag_help(k->diags, kr_diag_add(k->diags, KR_E_STORE_VERSION, m->header_span, "version %d does not say when it takes effect", m->version), "add effective_from = \"YYYY-MM-DD\"");
        return false;
    }
    int lock = -1;
    const char *folder = folder_of_file(k, candidate->arena, file, m);
    krules_ledger *l = folder ? open_to_write(k, m->id, folder, s->now, &lock) : NULL;
    bool ok = l && publish_as(k, l, candidate, s, signers, emergency, data, out);
    kr_folder_unlock(lock);
    return ok;
}

bool krules_withdraw(krules *k, const char *book, int version, const krules_signing *s, krules_published *out)
{
    int lock;
    krules_ledger *l = open_to_write(k, book, NULL, s->now, &lock);
    bool ok = false;
    if (l) {
        const kr_entry *target = kr_ledger_version(l->ledger, version);
        kr_entry *e = KR_NEW(l->arena, kr_entry);
        e->kind = KR_ENTRY_WITHDRAW;
        e->version = version;
        if (target) {
            e->entry = target->seq;
            e->entry_sha256 = target->hash;
            ok = sign_and_write(k, l, e, s, out);
        } else {
            kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_GOV_WITHDRAW, l->ledger->path, "version %d was never published", version), "`krules log %s` lists the versions", book);
        }
    }
    kr_folder_unlock(lock);
    return ok;
}

/* The entry to sign further: the one named, or the only one that waits. */
static kr_entry *entry_waiting(krules *k, krules_ledger *l, int wanted)
{
    kr_ledger *ledger = l->ledger;
    kr_entry *found = NULL;
    size_t waiting = 0;
    if (wanted >= 1 && (size_t)wanted <= ledger->count)
        return ledger->entries[wanted - 1];
    kr_ledger_lapse(ledger, l->now_ms);
    for (size_t i = 0; i < ledger->count; i++)
        if (ledger->entries[i]->state == KR_ENTRY_WAITING) {
            found = ledger->entries[i];
            waiting++;
        }
    if (waiting == 1 && !wanted)
        return found;
    if (wanted)
        kr_diag_at(k->diags, KR_E_GOV_COSIGN, ledger->path, "there is no entry %d", wanted);
    else if (waiting)
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_GOV_COSIGN, ledger->path, "%zu entries wait for signatures", waiting), "say which: --entry N (`krules log` lists them)");
    else
        kr_diag_at(k->diags, KR_E_GOV_COSIGN, ledger->path, "no entry waits for a signature");
    return NULL;
}

bool krules_cosign(krules *k, const char *book, int entry, const krules_signing *s, krules_published *out)
{
    int lock;
    krules_ledger *l = open_to_write(k, book, NULL, s->now, &lock);
    const kr_entry *target = l ? entry_waiting(k, l, entry) : NULL;
    bool ok = false;
    if (target && files_hold(k, l)) {
        kr_entry *e = KR_NEW(l->arena, kr_entry);
        e->kind = KR_ENTRY_COSIGN;
        e->entry = target->seq;
        e->entry_sha256 = target->hash;
        ok = sign_and_write(k, l, e, s, out);
    }
    kr_folder_unlock(lock);
    return ok;
}

bool krules_set_keys(krules *k, const char *book, const krules_signers *signers, const krules_signing *s, krules_published *out)
{
    int lock;
    krules_ledger *l = open_to_write(k, book, NULL, s->now, &lock);
    bool ok = false;
    if (l) {
        kr_entry *e = KR_NEW(l->arena, kr_entry);
        e->kind = KR_ENTRY_KEYS;
        e->keys = l->ledger->keys;
        ok = change_keys(k, l, signers, &e->keys) && sign_and_write(k, l, e, s, out);
    }
    kr_folder_unlock(lock);
    return ok;
}

/* ------------------------------------------------------------------ timestamps */

/* What a token must be about, by what is to be signed with it. */
static bool digest_of(krules *k, const char *what, char hex[KR_HEX])
{
    if (is_file(what))
        return kr_sha_file(what, hex, k->diags);
    size_t n = strcspn(what, "@:"), len = strlen(what);
    if (len > 4 && !strcmp(what + len - 4, ".lua")) {
        kr_diag_at(k->diags, KR_E_STORE_READ, what, "there is no file `%s`", what);
        return false;
    }
    krules_ledger *l = krules_ledger_open(k, kr_arena_copy(k->arena, what, n), NULL);
    if (!l)
        return false;
    const char *digits = what[n] ? what + n + 1 + (what[n] == '@' && what[n + 1] == 'v') : "";
    int number = 0;
    for (const char *c = digits; *c && number >= 0; c++)
        number = *c >= '0' && *c <= '9' && number < 1000000 ? number * 10 + (*c - '0') : -1;
    const char *hash = !what[n] ? l->ledger->head : NULL;
    if (what[n] == '@' && number > 0 && kr_ledger_version(l->ledger, number))
        hash = kr_ledger_version(l->ledger, number)->hash;
    if (what[n] == ':' && number > 0 && (size_t)number <= l->ledger->count)
        hash = l->ledger->entries[number - 1]->hash;
    if (!hash) {
        kr_diag_help(k->diags, kr_diag_at(k->diags, KR_E_CMD_NAME, what, "the ledger has no %s `%s`", what[n] == '@' ? "version" : "entry", what + n + 1), "`krules log` lists them");
        return false;
    }
    memcpy(hex, hash, KR_HEX);
    return true;
}

bool krules_timestamp(krules *k, const char *what, const char *path)
{
    char hex[KR_HEX];
    size_t len;
    if (!digest_of(k, what, hex))
        return false;
    const unsigned char *request = kr_tsa_request(k->arena, hex, &len);
    kr_out *out = kr_out_open(path, k->diags);
    if (out)
        kr_out_bytes(out, (const char *)request, len);
    return out && kr_out_commit(out, k->diags);
}

/* ------------------------------------------------------------------ reading a ledger */

size_t krules_entry_count(const krules_ledger *l) { return l->ledger->count; }
const char *krules_ledger_head(const krules_ledger *l) { return l->ledger->head; }

static const char *state_of(const krules_ledger *l, const kr_entry *e)
{
    int64_t today = kr_day_of_time(l->now_ms);
    switch (e->state) {
    case KR_ENTRY_WAITING: return "waiting";
    case KR_ENTRY_WITHDRAWN: return "withdrawn";
    case KR_ENTRY_LAPSED: return "lapsed";
    case KR_ENTRY_DONE: break;
    }
    if (e->kind != KR_ENTRY_GENESIS && e->kind != KR_ENTRY_PUBLISH)
        return "done";
    return e->effective_from > today ? "coming" : kr_ledger_in_force(l->ledger, today) == e ? "in force" : "ended";
}

static const char *until_of(const krules_ledger *l, const kr_entry *e)
{
    char day[16];
    if (e->state != KR_ENTRY_DONE || !*day_or_nothing(l->arena, e))
        return "";
    for (size_t i = (size_t)e->seq; i < l->ledger->count; i++) {
        const kr_entry *next = l->ledger->entries[i];
        if (next->kind == KR_ENTRY_PUBLISH && next->state == KR_ENTRY_DONE)
            return kr_arena_copy(l->arena, day, kr_day_write(next->effective_from - 1, day));
    }
    return "";
}

static const char *signers_text(kr_arena *arena, const kr_signers *signers)
{
    const char *text = kr_arena_printf(arena, "%d of", signers->threshold);
    for (int i = 0; i < signers->count; i++)
        text = kr_arena_printf(arena, "%s%s %s", text, i ? "," : "", signers->list[i].name);
    return text;
}

static const char *about_of(const krules_ledger *l, const kr_entry *e)
{
    const kr_entry *target = e->kind == KR_ENTRY_COSIGN ? l->ledger->entries[e->entry - 1] : NULL;
    if (e->kind == KR_ENTRY_WITHDRAW)
        return kr_arena_printf(l->arena, "version %d", e->version);
    if (target)
        return kr_arena_printf(l->arena, target->version ? "entry %d (%s of version %d)" : "entry %d (%s)", target->seq, kr_entry_kind_name(target->kind), target->version);
    if (e->kind != KR_ENTRY_KEYS)
        return "";
    const char *text = signers_text(l->arena, &e->keys.ordinary);
    return e->keys.emergency.count ? kr_arena_printf(l->arena, "%s; emergency: %s", text, signers_text(l->arena, &e->keys.emergency)) : text;
}

krules_entry krules_entry_at(krules_ledger *l, size_t i)
{
    const kr_entry *e = l->ledger->entries[i];
    char time[32];
    const char *names = "";
    for (int s = 0; s < e->signed_count; s++)
        names = kr_arena_printf(l->arena, "%s%s%s", names, s ? ", " : "", kr_signer_name(l->ledger, e->signed_by[s]));
    if (e->kind == KR_ENTRY_COSIGN)
        names = kr_signer_name(l->ledger, e->signer);
    krules_entry out = {
        .seq = e->seq, .version = e->version, .kind = kr_entry_kind_name(e->kind), .state = state_of(l, e), .time = kr_arena_copy(l->arena, time, kr_time_write_iso(e->time_ms, time)),
        .effective_from = day_or_nothing(l->arena, e), .until = until_of(l, e), .notice = e->notice, .notice_days = e->notice_days, .emergency = e->emergency,
        .proven = e->state == KR_ENTRY_DONE ? e->done_proven : e->authority != NULL, .authority = e->authority ? e->authority : "", .authority_named = e->authority_named, .signed_by = names,
        .why = e->why, .about = about_of(l, e), .file_sha256 = e->file_sha256 ? e->file_sha256 : "", .model_sha256 = e->model_sha256 ? e->model_sha256 : "", .hash = e->hash,
    };
    if (e->kind == KR_ENTRY_COSIGN)
        out.proven = e->authority != NULL;
    if (e->state == KR_ENTRY_DONE && *out.effective_from) { /* it counts from the signature that was still needed */
        out.notice = notice_of(e);
        out.time = kr_arena_copy(l->arena, time, kr_time_write_iso(e->done_ms, time));
    }
    out.signatures = kr_entry_signatures(l->ledger, e, &out.needed);
    return out;
}

size_t krules_signer_count(const krules_ledger *l) { return (size_t)(l->ledger->keys.ordinary.count + l->ledger->keys.emergency.count); }

krules_signer krules_signer_at(const krules_ledger *l, size_t i)
{
    const kr_keys *keys = &l->ledger->keys;
    size_t ordinary = (size_t)keys->ordinary.count;
    const kr_signer *s = i < ordinary ? &keys->ordinary.list[i] : &keys->emergency.list[i - ordinary];
    return (krules_signer){ s->name, s->key, i >= ordinary };
}

int krules_threshold(const krules_ledger *l, bool emergency) { return emergency ? l->ledger->keys.emergency.threshold : l->ledger->keys.ordinary.threshold; }

/* ------------------------------------------------------------------ verifying */

static bool token_holds(krules *k, const krules_ledger *l, const kr_entry *e, const char *const *authorities, int count)
{
    const char *about = *day_or_nothing(l->arena, e) ? e->file_sha256 : e->kind == KR_ENTRY_KEYS ? e->prev : e->entry_sha256, *problem;
    kr_stamped stamped;
    if (!*e->token || !count || kr_tsa_verify(l->arena, e->token, about, authorities, count, &stamped, &problem))
        return true;
    kr_diag_at(k->diags, KR_E_GOV_TOKEN, kr_arena_printf(l->arena, "%s:%d", l->ledger->path, e->seq), "the timestamp token does not hold: %s", problem);
    return false;
}

/* A publication's file against its entry, and its state against the complete version before it, which `sofar` ends with. */
static bool publication_holds(krules *k, krules_ledger *l, const kr_entry *e, kr_book *sofar)
{
    const char *path = kr_arena_printf(l->arena, "%s/v%d.lua", l->folder, e->version);
    if (!kr_ledger_file_holds(l->ledger, e, path, k->diags))
        return false;
    kr_book *one = kr_book_open(l->arena, l->pool, kr_stdlib, path, NULL, k->diags);
    kr_states states;
    if (!one || !kr_entry_fits(l->ledger, e, &one->versions[0], k->diags))
        return false;
    if (e->state != KR_ENTRY_DONE)
        return true;
    sofar->versions[sofar->version_count++] = one->versions[0];
    return kr_version_carries(sofar, one->versions[0].model, sofar->version_count - 1, &states, k->diags);
}

bool krules_ledger_check(krules_ledger *l, const char *authorities)
{
    krules *k = l->object.session;
    int count = 0;
    const char **certificates = authorities ? kr_tsa_certificates(l->arena, authorities, &count, k->diags) : NULL;
    kr_book sofar = { .arena = l->arena, .pool = l->pool, .name = l->ledger->book, .versions = KR_NEW_ARRAY(l->arena, kr_version, l->ledger->count) };
    bool ok = !authorities || certificates;
    for (size_t i = 0; ok && i < l->ledger->count; i++) {
        const kr_entry *e = l->ledger->entries[i];
        ok = token_holds(k, l, e, certificates, count) && (!*day_or_nothing(l->arena, e) || publication_holds(k, l, e, &sofar));
    }
    return ok;
}

/* ------------------------------------------------------------------ one parameter or formula over the versions */

static bool item_of(kr_arena *arena, const kr_model *m, const char *name, krules_item *out)
{
    const char *point = strchr(name, '.');
    if (!point) {
        const kr_param *p = kr_model_param(m, name);
        if (p)
            *out = (krules_item){ p->written ? p->written : kr_value_print(arena, m, p->type, p->value), kr_value_print(arena, m, p->type, p->value),
                                  p->doc.unit.known ? kr_unit_write(arena, &p->doc.unit) : "", p->doc.text ? p->doc.text : "" };
        return p != NULL;
    }
    const kr_sheet *s = kr_model_sheet(m, kr_arena_copy(arena, name, (size_t)(point - name)));
    const kr_column_def *c = s ? kr_sheet_column(s, point + 1) : NULL;
    if (!c || c->hidden)
        return false;
    *out = (krules_item){ c->formula.fragment ? c->formula.fragment->text : kr_type_name(c->type), c->formula.expr ? kr_expr_print(arena, m, c->formula.expr) : kr_type_name(c->type),
                          c->unit.known ? kr_unit_write(arena, &c->unit) : "", c->doc.text ? c->doc.text : "" };
    return true;
}

bool krules_version_item(krules_book *book, size_t version, const char *name, krules_item *out)
{
    *out = (krules_item){ "", "", "", "" };
    if (item_of(book->arena, book->book->versions[version].model, name, out))
        return true;
    krules_item other;
    for (int i = 0; i < book->book->version_count; i++)
        if (item_of(book->arena, book->book->versions[i].model, name, &other))
            return true;
    return false;
}
