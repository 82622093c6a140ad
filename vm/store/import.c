/* import.c: files of answers: what each answer is, by its shape or its request, and whose part of the import it goes to. */
#include "vm/store/import.h"

#include <stdio.h>
#include <string.h>

#include "vm/store/file.h"
#include "vm/store/import_internal.h"
#include "vm/text/time.h"

typedef void importer(kr_import *im, const kr_answer *a);

typedef struct answer_kind {
    const char *name;
    importer *import;     /* NULL: recognised, and nothing in it is for the tables */
    kr_json_type type;
} answer_kind;

static const answer_kind kinds[] = {
    { "userFills", kr_import_fills, KR_JSON_LIST },
    { "userFillsByTime", kr_import_fills, KR_JSON_LIST },
    { "portfolio", kr_import_portfolio, KR_JSON_LIST },
    { "userNonFundingLedgerUpdates", kr_import_ledger, KR_JSON_LIST },
    { "candleSnapshot", kr_import_candles, KR_JSON_LIST },
    { "clearinghouseState", kr_import_state, KR_JSON_OBJECT },
    { "subAccounts", kr_import_sub_accounts, KR_JSON_LIST },
    { "subAccounts2", kr_import_sub_accounts, KR_JSON_LIST },
    { "userRole", kr_import_role, KR_JSON_OBJECT },
    { "metaAndAssetCtxs", kr_import_contexts, KR_JSON_LIST },
    { "userTwapSliceFills", NULL, KR_JSON_LIST }, { "userFunding", NULL, KR_JSON_LIST }, { "historicalOrders", NULL, KR_JSON_LIST },
    { "openOrders", NULL, KR_JSON_LIST }, { "extraAgents", NULL, KR_JSON_LIST }, { "userVaultEquities", NULL, KR_JSON_LIST },
    { "spotMetaAndAssetCtxs", NULL, KR_JSON_LIST }, { "userRateLimit", NULL, KR_JSON_OBJECT }, { "spotClearinghouseState", NULL, KR_JSON_OBJECT },
    { "spotMeta", NULL, KR_JSON_OBJECT }, { "meta", NULL, KR_JSON_OBJECT }, { "userFees", NULL, KR_JSON_OBJECT }, { "referral", NULL, KR_JSON_OBJECT },
    { "allMids", NULL, KR_JSON_OBJECT },
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, NESTING = 3 };

static const answer_kind *kind_named(const char *name)
{
    for (int i = 0; name && i < KIND_COUNT; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

static bool has(const kr_json *object, const char *name) { return kr_json_get(object, name) != NULL; }

static bool all_decimals(const kr_json *object)
{
    for (const kr_json *m = object->first; m; m = m->next)
        if (m->type != KR_JSON_STRING || !m->len || strspn(m->text, "0123456789.") != m->len)
            return false;
    return object->first != NULL;
}

static const char *object_shape(const kr_json *o)
{
    return has(o, "assetPositions") ? "clearinghouseState" : has(o, "role") ? "userRole" : has(o, "nRequestsUsed") ? "userRateLimit"
           : has(o, "balances") ? "spotClearinghouseState" : has(o, "universe") ? (has(o, "tokens") ? "spotMeta" : "meta") : has(o, "feeSchedule") ? "userFees"
           : has(o, "referrerState") || has(o, "rewardHistory") ? "referral" : all_decimals(o) ? "allMids" : NULL;
}

static const char *list_shape(const kr_json *list)
{
    const kr_json *o = list->first;
    if (!o)
        return NULL;
    if (o->type == KR_JSON_LIST && o->count == 2 && o->first->type == KR_JSON_STRING && has(o->first->next, "accountValueHistory"))
        return "portfolio";
    if (list->count == 2 && has(o, "universe") && o->next->type == KR_JSON_LIST)
        return has(o, "tokens") ? "spotMetaAndAssetCtxs" : "metaAndAssetCtxs";
    if (has(o, "delta") && has(o, "time"))
        for (const kr_json *r = o; r; r = r->next) { /* a ledger may hold any kind; only funding is asked for by itself */
            const kr_json *type = kr_json_get(kr_json_get(r, "delta"), "type");
            if (!type || strcmp(type->text, "funding") != 0)
                return "userNonFundingLedgerUpdates";
            if (!r->next)
                return "userFunding";
        }
    if (has(o, "px") && has(o, "sz") && has(o, "side") && has(o, "time") && has(o, "coin"))
        return "userFills";
    if (has(o, "t") && has(o, "s") && has(o, "i") && has(o, "c"))
        return "candleSnapshot";
    return has(o, "subAccountUser") || has(o, "dexToClearinghouseState") ? "subAccounts" : has(o, "vaultAddress") && has(o, "equity") ? "userVaultEquities"
           : has(o, "validUntil") && has(o, "address") ? "extraAgents" : has(o, "order") && has(o, "status") ? "historicalOrders"
           : has(o, "fill") && has(o, "twapId") ? "userTwapSliceFills" : has(o, "limitPx") && has(o, "oid") ? "openOrders" : NULL;
}

static const char *shape_of(const kr_json *v)
{
    return v->type == KR_JSON_OBJECT ? object_shape(v) : v->type == KR_JSON_LIST ? list_shape(v) : NULL;
}

static void import_answer(kr_import *im, kr_answer *a, int depth);

/* {"request": {…}, "response": …, "read_at": …}: an answer with its request, so that it says what it is all about. */
static void import_envelope(kr_import *im, const kr_answer *outer)
{
    const kr_json *request = kr_json_get(outer->value, "request"), *inner = kr_json_get(request, "req");
    kr_answer a = *outer;
    a.value = kr_json_get(outer->value, "response");
    if (!inner)
        inner = request;
    a.kind = kr_member_text(im, request, "type", KR_NEEDED);
    if (has(request, "user"))
        a.address = kr_member_address(im, request, "user", KR_NEEDED);
    const char *coin = kr_member_text(im, inner, "coin", KR_OPTIONAL), *span = kr_member_text(im, inner, "interval", KR_OPTIONAL), *dex = kr_member_text(im, request, "dex", KR_OPTIONAL);
    int64_t time;
    a.coin = coin ? coin : a.coin;
    a.span = span ? span : a.span;
    if (kr_member_time(im, inner, "startTime", KR_OPTIONAL, &time))
        a.from = time;
    if (kr_member_time(im, inner, "endTime", KR_OPTIONAL, &time))
        a.to = time;
    if (kr_member_time(im, outer->value, "read_at", KR_OPTIONAL, &time))
        a.read_at = time;
    const kr_json *merged = kr_json_get(request, "aggregateByTime");
    if (merged && !strcmp(merged->text, "true"))
        kr_import_fault(im, KR_E_ANSWER_SHAPE, merged, "fills merged by time cannot be told apart again: ask without `aggregateByTime`");
    if (im->wrong)
        return;
    if (!kind_named(a.kind)) {
        kr_import_say(im, a.kind, a.value->count, 0, "an answer of this kind has nothing for the tables");
        return;
    }
    if (dex && *dex) {
        kr_import_say(im, a.kind, a.value->count, 0, "not the main exchange: left out");
        return;
    }
    import_answer(im, &a, NESTING);
}

/* {"channel": …, "data": …}: a message of the websocket. */
static void import_message(kr_import *im, const kr_answer *outer)
{
    const kr_json *data = kr_json_get(outer->value, "data"), *list = kr_json_get(data, "fills");
    kr_answer a = *outer;
    a.kind = NULL;
    if (has(data, "user"))
        a.address = kr_member_address(im, data, "user", KR_NEEDED);
    if (!list)
        list = kr_json_get(data, "nonFundingLedgerUpdates");
    a.value = list ? list : data;
    import_answer(im, &a, NESTING);
}

static bool several(const kr_json *v)
{
    for (const kr_json *o = v->first; o; o = o->next)
        if (!shape_of(o) && !(has(o, "request") && has(o, "response")) && !(has(o, "channel") && has(o, "data")))
            return false;
    return v->type == KR_JSON_LIST && v->first;
}

static void not_recognised(kr_import *im, const kr_answer *a)
{
    if (a->value->type == KR_JSON_LIST && !a->value->first) {
        kr_import_say(im, "empty answer", 0, 0, "it does not say of what, so nothing is learned from it (--kind, or its request beside it)");
        return;
    }
    kr_diag *d = kr_import_fault(im, KR_E_ANSWER_SHAPE, a->value, "an answer of no known shape");
    kr_diag_help(im->diags, d, "docs/operators.md lists the shapes that are recognised");
}

static void import_answer(kr_import *im, kr_answer *a, int depth)
{
    const kr_json *v = a->value;
    if (im->wrong)
        return;
    if (has(v, "request") && has(v, "response")) {
        import_envelope(im, a);
        return;
    }
    if (has(v, "channel") && has(v, "data") && depth < NESTING) {
        import_message(im, a);
        return;
    }
    const char *shape = shape_of(v);
    if (!shape && depth < NESTING && several(v)) { /* separate responses in one list */
        for (const kr_json *o = v->first; o && !im->wrong; o = o->next) {
            kr_answer one = *a;
            one.value = o;
            import_answer(im, &one, depth + 1);
        }
        return;
    }
    const answer_kind *k = kind_named(shape), *said = kind_named(a->kind);
    if (!k && said && (v->type == KR_JSON_NULL || (v->type == KR_JSON_LIST && !v->first)))
        k = said;
    if (k && said && k != said && k->import != said->import && !said->import) /* funding is of a ledger's shape, and the like */
        k = said;
    if (!k) {
        not_recognised(im, a);
        return;
    }
    if (said && k->import != said->import) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, v, "the answer is said to be `%s`, but has the shape of `%s`", said->name, k->name);
        return;
    }
    if (!said)
        a->kind = k->import == kr_import_fills ? NULL : k->name;
    if (k->import)
        k->import(im, a);
    else
        kr_import_say(im, k->name, v->count, 0, "nothing in it is for the tables");
}

/* ------------------------------------------------------------------ files */

static void import_text(kr_import *im, const char *data, size_t size)
{
    size_t answers = 0;
    kr_json_start(&im->json, data, size);
    for (kr_json *v; !im->wrong && (v = kr_json_next(&im->json, im->scratch)); answers++) {
        kr_answer a = { .value = v, .kind = im->options->kind, .address = im->address, .coin = im->options->coin, .from = im->from, .to = im->to, .read_at = im->read_at };
        import_answer(im, &a, 0);
        kr_arena_reset(im->scratch);
    }
    if (im->json.problem) {
        kr_json at = { .at = im->json.p };
        kr_import_fault(im, KR_E_ANSWER_JSON, &at, "%s", im->json.problem);
    } else if (!answers && !im->wrong) {
        kr_import_fault(im, KR_E_ANSWER_JSON, NULL, "there is no answer in the file");
    }
}

static bool import_file(kr_import *im, const char *name)
{
    kr_file file;
    FILE *kept;
    if (kr_import_file_open(im, name, &file, &kept)) {
        import_text(im, file.data, file.size);
        kr_file_done(&file);
    }
    if (kept)
        fclose(kept);
    bool ok = kr_import_file_end(im);
    kr_arena_reset(im->scratch);
    return ok;
}

bool kr_import_hyperliquid(const char *const *files, size_t count, const kr_import_options *options, kr_diags *diags)
{
    kr_import im;
    char rate[KR_NUM_TEXT + 8] = "rate ";
    if (options->kind && !kind_named(options->kind)) {
        const char *names[KIND_COUNT];
        for (int i = 0; i < KIND_COUNT; i++)
            names[i] = kinds[i].name;
        kr_diag *d = kr_diag_at(diags, KR_E_CMD_VALUE, "--kind", "there is no answer `%s`", options->kind);
        const char *near = kr_nearest(options->kind, names, KIND_COUNT);
        if (near)
            kr_diag_help(diags, d, "did you mean `%s`?", near);
        return false;
    }
    bool ok = kr_import_open(&im, options, diags);
    if (ok && options->builder_rate) {
        kr_num_write(im.rate, rate + 5);
        ok = kr_import_setting(&im, "builder", rate);
    }
    if (ok && options->builder_fills)
        ok = kr_import_setting(&im, "builder", "day files") && kr_import_builder_files(&im, options->builder_fills);
    for (size_t i = 0; i < count && !im.broken; i++)
        ok = import_file(&im, files[i]) && ok;
    return kr_import_close(&im) && ok;
}
