#include "vm/store/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "vm/store/file.h"
#include "vm/store/tsa.h"
#include "vm/text/time.h"

static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";

static const char *day_text(kr_arena *arena, int64_t day)
{
    char text[16];
    text[kr_day_write(day, text)] = 0;
    return kr_arena_printf(arena, "%s", text);
}

static bool is_publication(const kr_entry *e) { return e->kind == KR_ENTRY_GENESIS || e->kind == KR_ENTRY_PUBLISH; }
static bool is_live(const kr_entry *e) { return is_publication(e) && (e->state == KR_ENTRY_DONE || e->state == KR_ENTRY_WAITING); }

/* ------------------------------------------------------------------ questions */

kr_entry *kr_ledger_version(const kr_ledger *l, int version)
{
    for (size_t i = 0; i < l->count; i++)
        if (is_publication(l->entries[i]) && l->entries[i]->version == version)
            return l->entries[i];
    return NULL;
}

kr_entry *kr_ledger_in_force(const kr_ledger *l, int64_t day)
{
    kr_entry *found = NULL; /* effective days only move forward, so the last one that fits */
    for (size_t i = 0; i < l->count; i++)
        if (is_publication(l->entries[i]) && l->entries[i]->state == KR_ENTRY_DONE && l->entries[i]->effective_from <= day)
            found = l->entries[i];
    return found;
}

int kr_ledger_last_version(const kr_ledger *l)
{
    int last = 0;
    for (size_t i = 0; i < l->count; i++)
        if (is_publication(l->entries[i]))
            last = l->entries[i]->version;
    return last;
}

static kr_entry *last_live(const kr_ledger *l)
{
    kr_entry *found = NULL;
    for (size_t i = 0; i < l->count; i++)
        if (is_live(l->entries[i]))
            found = l->entries[i];
    return found;
}

static const kr_signer *signer_in(const kr_signers *signers, const char *key)
{
    for (int i = 0; i < signers->count; i++)
        if (!strcmp(signers->list[i].key, key))
            return &signers->list[i];
    return NULL;
}

const char *kr_signer_name(const kr_ledger *l, const char *key)
{
    const kr_signer *s = signer_in(&l->keys.ordinary, key);
    s = s ? s : signer_in(&l->keys.emergency, key);
    for (size_t i = l->count; !s && i-- > 0;) {
        s = signer_in(&l->entries[i]->keys.ordinary, key);
        s = s ? s : signer_in(&l->entries[i]->keys.emergency, key);
    }
    return s ? s->name : kr_arena_printf(l->arena, "%.16s…", key);
}

/* Whose signatures count towards an entry. */
static const kr_signers *role_of(const kr_ledger *l, const kr_entry *e) { return e->kind == KR_ENTRY_PUBLISH && e->emergency ? &l->keys.emergency : &l->keys.ordinary; }

int kr_entry_signatures(const kr_ledger *l, const kr_entry *e, int *needed)
{
    const kr_signers *role = role_of(l, e);
    int count = 0;
    for (int i = 0; i < e->signed_count; i++)
        count += signer_in(role, e->signed_by[i]) != NULL;
    *needed = role->threshold;
    return count;
}

/* ------------------------------------------------------------------ rules. Each gives a diagnostic (or, asked quietly, only false) */

#define refuse(l, code, ...) kr_diag_at(diags, code, (l)->place, __VA_ARGS__)

/* The day on which an entry is made: an old token is no way back to a day that is over. */
static int64_t today_of(const kr_entry *e) { return kr_day_of_time(e->time_ms > e->clock_ms ? e->time_ms : e->clock_ms); }

static int notice_demanded(const kr_ledger *l, const kr_entry *e, int64_t today, const kr_entry **in_force)
{
    *in_force = kr_ledger_in_force(l, today);
    if (!*in_force && l->count)
        *in_force = l->entries[0];
    return e->emergency ? (*in_force)->emergency_days : (*in_force)->notice_days;
}

/* Whether a publication that is completed today, its notice counting from `day`, may take effect on its own day. */
static bool days_fit(const kr_ledger *l, const kr_entry *e, int64_t day, int64_t today, kr_diags *diags)
{
    kr_arena *arena = l->arena;
    const kr_entry *in_force;
    if (e->kind == KR_ENTRY_GENESIS)
        return true;
    if (e->effective_from <= today) {
        if (diags) {
            kr_diag *d = refuse(l, KR_E_GOV_PAST, "version %d would take effect on %s, which has begun: today is %s", e->version, day_text(arena, e->effective_from), day_text(arena, today));
            kr_diag_help(diags, d, "a version never reaches back: give it a later effective_from");
        }
        return false;
    }
    int demanded = notice_demanded(l, e, today, &in_force);
    if (e->effective_from - day >= demanded)
        return true;
    if (diags) {
        kr_diag *d = refuse(l, KR_E_GOV_NOTICE, "version %d would take effect on %s, %lld day%s after %s, but version %d demands %d days of notice%s", e->version,
                            day_text(arena, e->effective_from), (long long)(e->effective_from - day), e->effective_from - day == 1 ? "" : "s", day_text(arena, day), in_force->version, demanded,
                            e->emergency ? " in an emergency" : "");
        kr_diag_help(diags, d, "the earliest effective_from is %s", day_text(arena, day + demanded));
        if (!e->emergency && in_force->emergency_days >= 0)
            kr_diag_note(diags, d, "in its emergency form (--emergency) the version in force demands %d", in_force->emergency_days);
    }
    return false;
}

static bool can_withdraw(const kr_ledger *l, int version, int64_t day, kr_diags *diags)
{
    kr_arena *arena = l->arena;
    const kr_entry *e = kr_ledger_version(l, version), *last = last_live(l);
    if (!e)
        kr_diag_help(diags, refuse(l, KR_E_GOV_WITHDRAW, "version %d was never published", version), "`krules log %s` lists the versions", l->book);
    else if (!is_live(e))
        refuse(l, KR_E_GOV_WITHDRAW, "version %d %s", version, e->state == KR_ENTRY_WITHDRAWN ? "is withdrawn already" : "has lapsed: it never took effect");
    else if (e->kind == KR_ENTRY_GENESIS)
        refuse(l, KR_E_GOV_WITHDRAW, "version %d is the first entry of the ledger, which names who may sign: it stays", version);
    else if (e->effective_from <= day)
        kr_diag_help(diags, refuse(l, KR_E_GOV_WITHDRAW, "version %d is in force since %s", version, day_text(arena, e->effective_from)), "publish a further version: what was in force stays");
    else if (e != last)
        kr_diag_help(diags, refuse(l, KR_E_GOV_WITHDRAW, "version %d was published on top of version %d", last->version, version), "withdraw version %d first", last->version);
    else
        return true;
    return false;
}

static void lapse(kr_ledger *l, int64_t day, int64_t today)
{
    for (size_t i = 0; i < l->count; i++) {
        kr_entry *e = l->entries[i];
        if (e->state != KR_ENTRY_WAITING)
            continue;
        if (e->kind == KR_ENTRY_PUBLISH && !days_fit(l, e, day, today, NULL))
            e->state = KR_ENTRY_LAPSED;
        if (e->kind == KR_ENTRY_WITHDRAW) {
            const kr_entry *target = kr_ledger_version(l, e->version);
            if (!is_live(target) || target->effective_from <= today)
                e->state = KR_ENTRY_LAPSED;
        }
    }
}

void kr_ledger_lapse(kr_ledger *l, int64_t time_ms) { lapse(l, kr_day_of_time(time_ms), kr_day_of_time(time_ms)); }

/* The emergency form gives less notice and nothing else: it cannot be used to shorten what later changes owe. */
static bool emergency_fits(const kr_ledger *l, const kr_entry *e, kr_diags *diags)
{
    const kr_entry *in_force;
    notice_demanded(l, e, today_of(e), &in_force);
    kr_diag *d = NULL;
    if (in_force->emergency_days < 0)
        d = refuse(l, KR_E_GOV_EMERGENCY, "version %d, which is in force, names no emergency form", in_force->version);
    else if (!l->keys.emergency.count)
        d = refuse(l, KR_E_GOV_EMERGENCY, "the ledger names no emergency signers");
    else if (!*e->why)
        kr_diag_help(diags, d = refuse(l, KR_E_GOV_EMERGENCY, "an emergency has a reason, which the ledger keeps"), "say --why TEXT");
    else if (e->notice_days < in_force->notice_days || e->emergency_days != in_force->emergency_days)
        kr_diag_help(diags, d = refuse(l, KR_E_GOV_EMERGENCY, "an emergency version cannot change what notice later versions owe (`notice_days`, `emergency`)"), "change these with full notice");
    return d == NULL;
}

static bool publish_fits(kr_ledger *l, const kr_entry *e, kr_diags *diags)
{
    kr_arena *arena = l->arena;
    int next = kr_ledger_last_version(l) + 1;
    if (e->version != next) {
        kr_diag *d = refuse(l, KR_E_GOV_NUMBER, "this is version %d, but the next one of `%s` is %d", e->version, l->book, next);
        const kr_entry *same = kr_ledger_version(l, e->version);
        if (same && same->state == KR_ENTRY_WITHDRAWN)
            kr_diag_note(diags, d, "version %d was published and withdrawn: its number is used up", e->version);
        else if (same)
            kr_diag_note(diags, d, "version %d is published: a published version never changes", e->version);
        return false;
    }
    if (e->kind == KR_ENTRY_GENESIS)
        return true;
    kr_entry *last = last_live(l);
    if (last && last->state == KR_ENTRY_WAITING && e->emergency && last->kind == KR_ENTRY_PUBLISH) {
        last->state = KR_ENTRY_LAPSED; /* an emergency does not wait for what others have not signed yet */
        last = last_live(l);
    }
    if (last && last->state == KR_ENTRY_WAITING) {
        int needed, have = kr_entry_signatures(l, last, &needed);
        kr_diag *d = refuse(l, KR_E_GOV_NUMBER, "version %d waits for signatures (%d of %d)", last->version, have, needed);
        kr_diag_help(diags, d, "`krules cosign` or `krules withdraw` it first");
        return false;
    }
    if (last && e->effective_from <= last->effective_from) {
        kr_diag *d = refuse(l, KR_E_GOV_ORDER, "version %d would take effect on %s, not after version %d (%s)", e->version, day_text(arena, e->effective_from), last->version,
                            day_text(arena, last->effective_from));
        kr_diag_help(diags, d, "effective days only move forward");
        return false;
    }
    return (!e->emergency || emergency_fits(l, e, diags)) && days_fit(l, e, kr_day_of_time(e->time_ms), today_of(e), diags);
}

static bool signers_fit(const kr_ledger *l, const kr_signers *s, const char *what, int least, kr_diags *diags)
{
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(s->list[i].name, s->list[j].name) || !strcmp(s->list[i].key, s->list[j].key)) {
                refuse(l, KR_E_GOV_KEYS, "%ss `%s` and `%s` have one %s", what, s->list[j].name, s->list[i].name, strcmp(s->list[i].name, s->list[j].name) ? "key" : "name");
                return false;
            }
    for (int i = 0; i < s->count; i++)
        if (!*s->list[i].name || strlen(s->list[i].key) != 64) {
            refuse(l, KR_E_GOV_KEYS, "%s %d has no name or no key", what, i + 1);
            return false;
        }
    if (s->count < least || (s->count && (s->threshold < 1 || s->threshold > s->count)) || (!s->count && s->threshold)) {
        refuse(l, KR_E_GOV_KEYS, "%d of %d %ss cannot be asked for", s->threshold, s->count, what);
        return false;
    }
    return true;
}

bool kr_keys_fit(const kr_ledger *l, const kr_keys *keys, kr_diags *diags)
{
    return signers_fit(l, &keys->ordinary, "signer", 1, diags) && signers_fit(l, &keys->emergency, "emergency signer", 0, diags);
}

static bool target_fits(kr_ledger *l, const kr_entry *e, kr_entry **target, kr_diags *diags)
{
    if (e->entry < 1 || (size_t)e->entry > l->count || strcmp(l->entries[e->entry - 1]->hash, e->entry_sha256) != 0) {
        refuse(l, KR_E_GOV_LEDGER, "it speaks of entry %d, and that line has another digest", e->entry);
        return false;
    }
    *target = l->entries[e->entry - 1];
    return true;
}

static bool cosign_fits(kr_ledger *l, const kr_entry *e, kr_entry *target, kr_diags *diags)
{
    if (target->kind == KR_ENTRY_COSIGN || target->state != KR_ENTRY_WAITING) {
        refuse(l, KR_E_GOV_COSIGN, "entry %d (%s) waits for no signature%s", target->seq, kr_entry_kind_name(target->kind),
               target->state == KR_ENTRY_LAPSED ? ": it lapsed, since it could no longer take effect or was overtaken" : target->state == KR_ENTRY_WITHDRAWN ? ": it was withdrawn" : "");
        return false;
    }
    for (int i = 0; i < target->signed_count; i++)
        if (!strcmp(target->signed_by[i], e->signer)) {
            refuse(l, KR_E_GOV_COSIGN, "`%s` has signed entry %d already", kr_signer_name(l, e->signer), target->seq);
            return false;
        }
    return true;
}

/* ------------------------------------------------------------------ judging one entry */

static bool token_fits(const kr_ledger *l, kr_entry *e, kr_diags *diags)
{
    e->time_ms = e->clock_ms;
    if (!*e->token) {
        if (!e->proven)
            return true;
        refuse(l, KR_E_GOV_TOKEN, "it says that its notice is proven, and has no token");
        return false;
    }
    const kr_keys *keys = e->kind == KR_ENTRY_GENESIS ? &e->keys : &l->keys;
    const char *about = is_publication(e) ? e->file_sha256 : e->kind == KR_ENTRY_KEYS ? e->prev : e->entry_sha256, *problem;
    kr_stamped stamped;
    if (!kr_tsa_verify(l->arena, e->token, about, keys->authorities, keys->authority_count, &stamped, &problem)) {
        kr_diag *d = refuse(l, KR_E_GOV_TOKEN, "the timestamp token does not hold: %s", problem);
        kr_diag_note(diags, d, "the token must be about SHA-256 %.16s…", about);
        return false;
    }
    if (is_publication(e) && !e->proven) {
        refuse(l, KR_E_GOV_TOKEN, "it has a token, and says that its notice is not proven");
        return false;
    }
    e->time_ms = stamped.time_ms;
    e->authority = stamped.authority;
    e->authority_named = stamped.named;
    return true;
}

static bool may_sign(const kr_ledger *l, const kr_entry *e, const kr_entry *target, kr_diags *diags)
{
    const kr_entry *about = e->kind == KR_ENTRY_COSIGN ? target : e;
    const kr_signers *role = e->kind == KR_ENTRY_GENESIS ? &e->keys.ordinary : role_of(l, about);
    if (signer_in(role, e->signer) || (e->kind == KR_ENTRY_WITHDRAW && target->state == KR_ENTRY_WAITING && !strcmp(target->signer, e->signer)))
        return true;
    const char *names = "";
    for (int i = 0; i < role->count; i++)
        names = kr_arena_printf(l->arena, "%s%s`%s`", names, i ? ", " : "", role->list[i].name);
    bool emergency = role == &l->keys.emergency;
    kr_diag *d = refuse(l, KR_E_GOV_SIGNER, "the key %.16s… is none of those that may sign%s", e->signer, emergency ? " in an emergency" : "");
    kr_diag_help(diags, d, "%s may sign: %s", emergency ? "in an emergency" : "these", *names ? names : "nobody");
    return false;
}

static const char *signed_bytes(kr_arena *arena, const kr_entry *e) { return kr_arena_printf(arena, "krules ledger 1\n%s", kr_entry_text(arena, e, false)); }

static void done(kr_ledger *l, kr_entry *e, const kr_entry *by)
{
    e->state = KR_ENTRY_DONE;
    e->done_ms = by->time_ms;
    e->done_proven = by->authority != NULL;
    if (e->kind == KR_ENTRY_KEYS) {
        l->keys = e->keys;
        for (size_t i = 0; i < l->count; i++) /* others waiting were made from the keys before */
            if (l->entries[i] != e && l->entries[i]->kind == KR_ENTRY_KEYS && l->entries[i]->state == KR_ENTRY_WAITING)
                l->entries[i]->state = KR_ENTRY_LAPSED;
    }
    if (e->kind == KR_ENTRY_WITHDRAW)
        kr_ledger_version(l, e->version)->state = KR_ENTRY_WITHDRAWN;
}

static void sign_by(kr_ledger *l, kr_entry *e, const char *key)
{
    const char **all = KR_NEW_ARRAY(l->arena, const char *, e->signed_count + 1);
    for (int i = 0; i < e->signed_count; i++)
        all[i] = e->signed_by[i];
    all[e->signed_count++] = key;
    e->signed_by = all;
}

static bool judge(kr_ledger *l, kr_entry *e, kr_diags *diags)
{
    kr_entry *target = NULL;
    const kr_entry *before = l->count ? l->entries[l->count - 1] : NULL;
    if (e->seq != (int)l->count + 1 || strcmp(e->prev, l->count ? l->head : zeros) != 0) {
        refuse(l, KR_E_GOV_LEDGER, "the line does not follow the one before it: it is entry %d after %.16s…, the line before is entry %zu, %.16s…", e->seq, e->prev, l->count, l->count ? l->head : zeros);
        return false;
    }
    if ((e->kind == KR_ENTRY_GENESIS) != (l->count == 0) || strcmp(e->book, l->book) != 0) {
        refuse(l, KR_E_GOV_LEDGER, "entry %d is a `%s` of `%s`: a ledger begins with one `genesis` and is all about its own book, `%s`", e->seq, kr_entry_kind_name(e->kind), e->book, l->book);
        return false;
    }
    if (before && e->clock_ms < before->clock_ms) {
        refuse(l, KR_E_GOV_LEDGER, "its time lies before that of the entry before it");
        return false;
    }
    if ((e->kind == KR_ENTRY_COSIGN || e->kind == KR_ENTRY_WITHDRAW) && !target_fits(l, e, &target, diags))
        return false;
    if (!token_fits(l, e, diags))
        return false;
    int64_t day = kr_day_of_time(e->time_ms);
    lapse(l, day, today_of(e));
    if (e->kind == KR_ENTRY_WITHDRAW && !can_withdraw(l, e->version, today_of(e), diags))
        return false;
    if (e->kind == KR_ENTRY_WITHDRAW && target != kr_ledger_version(l, e->version)) {
        refuse(l, KR_E_GOV_LEDGER, "it withdraws version %d, and speaks of entry %d", e->version, e->entry);
        return false;
    }
    if ((e->kind == KR_ENTRY_GENESIS || e->kind == KR_ENTRY_KEYS) && !kr_keys_fit(l, &e->keys, diags))
        return false;
    if (e->kind == KR_ENTRY_COSIGN && !cosign_fits(l, e, target, diags))
        return false;
    if (e->kind == KR_ENTRY_PUBLISH && e->emergency && !emergency_fits(l, e, diags)) /* before the question who may sign it */
        return false;
    if (!may_sign(l, e, target, diags))
        return false;
    if (is_publication(e) && !publish_fits(l, e, diags))
        return false;
    if (is_publication(e) && e->notice != e->effective_from - day) {
        refuse(l, KR_E_GOV_LEDGER, "it counts %d days of notice, which its days do not give", e->notice);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ adding */

static void accept(kr_ledger *l, kr_entry *e)
{
    KR_PUSH(l->arena, l->entries, l->count, l->capacity) = e;
    const char *line = kr_entry_text(l->arena, e, true);
    kr_sha_of(line, strlen(line), e->hash);
    memcpy(l->head, e->hash, sizeof l->head);
    if (e->kind == KR_ENTRY_GENESIS)
        l->keys = e->keys;
    kr_entry *about = e->kind == KR_ENTRY_COSIGN ? l->entries[e->entry - 1] : e;
    sign_by(l, about, e->signer);
    if (e->kind == KR_ENTRY_COSIGN)
        e->state = KR_ENTRY_DONE;
    int needed, have = kr_entry_signatures(l, about, &needed);
    bool own = e->kind == KR_ENTRY_WITHDRAW && kr_ledger_version(l, e->version)->state == KR_ENTRY_WAITING && !strcmp(kr_ledger_version(l, e->version)->signer, e->signer);
    if (have >= needed || own)
        done(l, about, e);
}

bool kr_ledger_add(kr_ledger *l, kr_entry *e, const kr_signing_key *key, kr_diags *diags)
{
    if (key) {
        char hex[65];
        kr_signing_key_public(key, hex);
        e->seq = (int)l->count + 1;
        e->prev = kr_arena_copy(l->arena, l->count ? l->head : zeros, 64);
        e->book = l->book;
        e->signer = kr_arena_copy(l->arena, hex, 64);
        e->why = e->why ? e->why : "";
        e->token = e->token ? e->token : "";
        e->proven = is_publication(e) && *e->token;
        if (l->count && e->clock_ms < l->entries[l->count - 1]->clock_ms) {
            char time[32];
            time[kr_time_write_iso(l->entries[l->count - 1]->clock_ms, time)] = 0;
            kr_diag *d = refuse(l, KR_E_GOV_PAST, "the clock is behind the ledger, whose last entry was made at %s", time);
            kr_diag_help(diags, d, "set the clock, or wait");
            return false;
        }
        if (is_publication(e)) {
            int64_t time = e->clock_ms;
            if (*e->token && token_fits(l, e, diags))
                time = e->time_ms;
            else if (*e->token)
                return false;
            e->notice = (int)(e->effective_from - kr_day_of_time(time));
        }
        const char *bytes = signed_bytes(l->arena, e);
        e->signature = kr_sign(l->arena, key, bytes, strlen(bytes));
    }
    if (!judge(l, e, diags))
        return false;
    const char *bytes = signed_bytes(l->arena, e);
    if (!kr_signature_holds(e->signer, e->signature, bytes, strlen(bytes))) {
        refuse(l, KR_E_GOV_SIGNATURE, "the signature of `%s` does not hold", kr_signer_name(l, e->signer));
        return false;
    }
    accept(l, e);
    return true;
}

/* ------------------------------------------------------------------ files */

kr_ledger *kr_ledger_read(kr_arena *arena, const char *folder, const char *book, kr_diags *diags)
{
    kr_ledger *l = KR_NEW(arena, kr_ledger);
    l->arena = arena;
    l->book = kr_arena_copy(arena, book, strlen(book));
    l->path = kr_arena_printf(arena, "%s/ledger.jsonl", folder);
    l->place = l->path;
    memcpy(l->head, zeros, sizeof l->head);
    struct stat st;
    kr_file file;
    char problem[200];
    if (stat(l->path, &st) < 0 && errno == ENOENT)
        return l;
    if (!kr_file_open(&file, l->path, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, l->path, "`%s` cannot be read: %s", l->path, problem);
        return NULL;
    }
    bool ok = true;
    size_t at = 0;
    for (int number = 1; ok && at < file.size; number++) {
        const char *line = file.data + at, *end = memchr(line, '\n', file.size - at), *why = "its last line has no end: the file was cut short";
        size_t len = end ? (size_t)(end - line) : file.size - at;
        l->place = kr_arena_printf(arena, "%s:%d", l->path, number);
        kr_entry *entry = end ? kr_entry_parse(arena, line, len, &why) : NULL;
        if (!entry)
            refuse(l, KR_E_GOV_LEDGER, "line %d is no entry of a ledger: %s", number, why);
        ok = entry && kr_ledger_add(l, entry, NULL, diags);
        at += len + 1;
    }
    l->place = l->path;
    if (ok && !l->count) {
        refuse(l, KR_E_GOV_LEDGER, "the ledger is empty");
        ok = false;
    }
    kr_file_done(&file);
    return ok ? l : NULL;
}

bool kr_ledger_file_holds(const kr_ledger *l, const kr_entry *e, const char *path, kr_diags *diags)
{
    char hex[KR_HEX];
    struct stat st;
    kr_diag *d = NULL;
    if (stat(path, &st) < 0 && errno == ENOENT)
        d = kr_diag_at(diags, KR_E_GOV_FILE, path, "the file of version %d is gone", e->version);
    else if (!kr_sha_file(path, hex, diags))
        return false;
    else if (strcmp(hex, e->file_sha256) != 0)
        d = kr_diag_at(diags, KR_E_GOV_FILE, path, "the file of version %d is not the one that was published: sha256 %.16s… here, %.16s… in entry %d of the ledger", e->version, hex, e->file_sha256, e->seq);
    if (d)
        kr_diag_help(diags, d, "put the published file back; `%s:%d` refers to it", l->path, e->seq);
    return d == NULL;
}

bool kr_ledger_write(const kr_ledger *l, kr_diags *diags)
{
    kr_out *out = kr_out_open(l->path, diags);
    if (!out)
        return false;
    for (size_t i = 0; i < l->count; i++) {
        kr_out_text(out, kr_entry_text(l->arena, l->entries[i], true));
        kr_out_text(out, "\n");
    }
    return kr_out_commit(out, diags);
}
