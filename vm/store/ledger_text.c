/* ledger_text.c: lines of a ledger as text, there and back. Reading accepts nothing but what writing gives. */
#include "vm/store/ledger.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "vm/store/write.h"
#include "vm/text/buf.h"
#include "vm/text/time.h"

static const char *const kinds[] = {
    [KR_ENTRY_GENESIS] = "genesis", [KR_ENTRY_PUBLISH] = "publish", [KR_ENTRY_WITHDRAW] = "withdraw", [KR_ENTRY_COSIGN] = "cosign", [KR_ENTRY_KEYS] = "keys",
};

const char *kr_entry_kind_name(kr_entry_kind kind) { return kinds[kind]; }

/* ------------------------------------------------------------------ writing */

static void put_string(kr_buf *o, const char *name, const char *text)
{
    const char *quoted;
    size_t len;
    kr_json_string(o->arena, text ? text : "", text ? strlen(text) : 0, &quoted, &len);
    kr_buf_put(o, kr_arena_printf(o->arena, ",\"%s\":%.*s", name, (int)len, quoted));
}

static void put_int(kr_buf *o, const char *name, int value) { kr_buf_put(o, kr_arena_printf(o->arena, ",\"%s\":%d", name, value)); }
static void put_bool(kr_buf *o, const char *name, bool value) { kr_buf_put(o, kr_arena_printf(o->arena, ",\"%s\":%s", name, value ? "true" : "false")); }

static void put_signers(kr_buf *o, const char *name, const char *threshold, const kr_signers *signers)
{
    kr_buf_put(o, kr_arena_printf(o->arena, ",\"%s\":[", name));
    for (int i = 0; i < signers->count; i++) {
        kr_buf one = { .arena = o->arena };
        kr_buf_put(&one, "");
        put_string(&one, "name", signers->list[i].name);
        put_string(&one, "key", signers->list[i].key);
        kr_buf_put(o, kr_arena_printf(o->arena, "%s{%s}", i ? "," : "", one.text + 1));
    }
    kr_buf_put(o, "]");
    put_int(o, threshold, signers->threshold);
}

static void put_keys(kr_buf *o, const kr_keys *keys)
{
    put_signers(o, "signers", "threshold", &keys->ordinary);
    put_signers(o, "emergency_signers", "emergency_threshold", &keys->emergency);
    kr_buf_put(o, ",\"authorities\":[");
    for (int i = 0; i < keys->authority_count; i++)
        kr_buf_put(o, kr_arena_printf(o->arena, "%s\"%s\"", i ? "," : "", keys->authorities[i]));
    kr_buf_put(o, "]");
}

char *kr_entry_text(kr_arena *arena, const kr_entry *e, bool with_signature)
{
    kr_buf o = { .arena = arena };
    char time[32], day[16];
    kr_buf_put(&o, kr_arena_printf(arena, "{\"seq\":%d", e->seq));
    put_string(&o, "prev", e->prev);
    put_string(&o, "kind", kinds[e->kind]);
    put_string(&o, "book", e->book);
    time[kr_time_write_iso(e->clock_ms, time)] = 0;
    put_string(&o, "time", time);
    if (e->kind == KR_ENTRY_GENESIS || e->kind == KR_ENTRY_PUBLISH) {
        put_int(&o, "version", e->version);
        put_string(&o, "file_sha256", e->file_sha256);
        put_string(&o, "model_sha256", e->model_sha256);
        put_int(&o, "language", e->language);
        day[kr_day_write(e->effective_from, day)] = 0;
        put_string(&o, "effective_from", day);
        put_int(&o, "notice_days", e->notice_days);
        put_int(&o, "emergency_days", e->emergency_days);
        put_bool(&o, "emergency", e->emergency);
        put_int(&o, "notice", e->notice);
        put_bool(&o, "proven", e->proven);
    }
    if (e->kind == KR_ENTRY_GENESIS || e->kind == KR_ENTRY_KEYS)
        put_keys(&o, &e->keys);
    if (e->kind == KR_ENTRY_WITHDRAW)
        put_int(&o, "version", e->version);
    if (e->kind == KR_ENTRY_WITHDRAW || e->kind == KR_ENTRY_COSIGN) {
        put_int(&o, "entry", e->entry);
        put_string(&o, "entry_sha256", e->entry_sha256);
    }
    put_string(&o, "why", e->why);
    put_string(&o, "token", e->token);
    put_string(&o, "signer", e->signer);
    if (with_signature) {
        put_string(&o, "signature", e->signature);
        kr_buf_put(&o, "}");
    }
    return o.text;
}

/* ------------------------------------------------------------------ reading; what is missing or of another type shows when the entry is written again and differs */

static const char *string_of(kr_arena *arena, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? kr_arena_copy(arena, item->valuestring, strlen(item->valuestring)) : "";
}

static int int_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valueint : 0;
}

static bool bool_of(const cJSON *object, const char *name) { return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name)); }

static void read_signers(kr_arena *arena, const cJSON *object, const char *name, const char *threshold, kr_signers *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name), *item;
    out->list = KR_NEW_ARRAY(arena, kr_signer, cJSON_GetArraySize(list) + 1);
    cJSON_ArrayForEach(item, list)
        out->list[out->count++] = (kr_signer){ string_of(arena, item, "name"), string_of(arena, item, "key") };
    out->threshold = int_of(object, threshold);
}

static void read_keys(kr_arena *arena, const cJSON *object, kr_keys *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "authorities"), *item;
    read_signers(arena, object, "signers", "threshold", &out->ordinary);
    read_signers(arena, object, "emergency_signers", "emergency_threshold", &out->emergency);
    out->authorities = KR_NEW_ARRAY(arena, const char *, cJSON_GetArraySize(list) + 1);
    cJSON_ArrayForEach(item, list)
        out->authorities[out->authority_count++] = cJSON_IsString(item) ? kr_arena_copy(arena, item->valuestring, strlen(item->valuestring)) : "";
}

static bool read_kind(const char *text, kr_entry_kind *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i], text)) {
            *kind = (kr_entry_kind)i;
            return true;
        }
    return false;
}

kr_entry *kr_entry_parse(kr_arena *arena, const char *line, size_t len, const char **problem)
{
    cJSON *json = cJSON_ParseWithLength(line, len);
    kr_entry *e = KR_NEW(arena, kr_entry);
    *problem = "it is no JSON object of an entry";
    bool ok = cJSON_IsObject(json) && read_kind(string_of(arena, json, "kind"), &e->kind);
    if (ok) {
        const char *time = string_of(arena, json, "time"), *day = string_of(arena, json, "effective_from");
        e->seq = int_of(json, "seq");
        e->prev = string_of(arena, json, "prev");
        e->book = string_of(arena, json, "book");
        kr_time_read(time, strlen(time), &e->clock_ms);
        e->version = int_of(json, "version");
        e->file_sha256 = string_of(arena, json, "file_sha256");
        e->model_sha256 = string_of(arena, json, "model_sha256");
        e->language = int_of(json, "language");
        kr_day_read(day, strlen(day), &e->effective_from);
        e->notice_days = int_of(json, "notice_days");
        e->emergency_days = int_of(json, "emergency_days");
        e->emergency = bool_of(json, "emergency");
        e->notice = int_of(json, "notice");
        e->proven = bool_of(json, "proven");
        read_keys(arena, json, &e->keys);
        e->entry = int_of(json, "entry");
        e->entry_sha256 = string_of(arena, json, "entry_sha256");
        e->why = string_of(arena, json, "why");
        e->token = string_of(arena, json, "token");
        e->signer = string_of(arena, json, "signer");
        e->signature = string_of(arena, json, "signature");
        const char *again = kr_entry_text(arena, e, true);
        ok = strlen(again) == len && !memcmp(again, line, len);
        *problem = "it is not written as the ledger writes its lines: it was changed by hand";
    }
    cJSON_Delete(json);
    return ok ? e : NULL;
}
