/* import_ledger.c: the ledger of an account without funding: what moved money in and out of its perpetuals, and who sent to whom.
 *
 * The same record stands in the ledgers of both parties, so its sign depends on whose ledger it is. Fees are costs, not flows. A record
 * of an unknown kind makes the day's flow unknown (table gap), never 0. */
#include <stdio.h>
#include <string.h>

#include "vm/store/import_internal.h"
#include "vm/text/time.h"

typedef enum { /* what a record does to the main perpetuals' account of the ledger's owner */
    NOTHING, IN, OUT, CLASS, PARTIES, SPOT_PARTIES, SEND, VAULT_IN, VAULT_OUT, VAULT_SHARE, COMMISSION, ABSTRACTION
} effect;

typedef struct kind {
    const char *type;
    effect effect;
    const char *fields[12]; /* what a record is told apart by; NULL-ended */
} kind;

static const kind kinds[] = {
    { "deposit", IN, { "usdc" } },
    { "withdraw", OUT, { "usdc", "nonce", "fee" } },
    { "accountClassTransfer", CLASS, { "usdc", "toPerp" } },
    { "internalTransfer", PARTIES, { "usdc", "user", "destination", "fee" } },
    { "subAccountTransfer", PARTIES, { "usdc", "user", "destination" } },
    { "spotTransfer", SPOT_PARTIES, { "token", "amount", "usdcValue", "user", "destination", "fee", "nonce" } },
    { "send", SEND, { "user", "destination", "sourceDex", "destinationDex", "token", "amount", "usdcValue", "fee", "nonce" } },
    { "vaultCreate", VAULT_IN, { "vault", "usdc", "fee" } },
    { "vaultDeposit", VAULT_IN, { "vault", "usdc" } },
    { "vaultWithdraw", VAULT_OUT, { "vault", "user", "requestedUsd", "commission", "closingCost", "basis", "netWithdrawnUsd" } },
    { "vaultDistribution", VAULT_SHARE, { "vault", "usdc" } },
    { "vaultLeaderCommission", COMMISSION, { "user", "usdc" } },
    { "rewardsClaim", NOTHING, { "amount", "token" } },
    { "liquidation", NOTHING, { "liquidatedNtlPos", "accountValue", "leverageType", "liquidatedPositions" } },
    { "cStakingTransfer", NOTHING, { "token", "amount", "isDeposit" } },
    { "borrowLend", NOTHING, { "token", "operation", "amount", "interestAmount" } },
    { "deployGasAuction", NOTHING, { "token", "amount" } },
    { "spotGenesis", NOTHING, { "token", "amount" } },
    { "activateDexAbstraction", ABSTRACTION, { "dex", "token", "amount" } },
    { "gossipPriorityGasAuction", NOTHING, { "token", "amount" } },
    { "funding", NOTHING, { "coin", "usdc", "szi", "fundingRate" } }, /* asked for by itself; a part of the profit */
};

typedef struct record {
    const kr_json *at, *delta;
    const char *address, *type, *hash, *content;
    const kind *kind;         /* NULL: unknown */
    int64_t time;
    bool unknown;             /* what it moved cannot be told */
    kr_num usd;
    const char *sender, *receiver;
} record;

static const char *content_of(kr_import *im, const record *r)
{
    if (!r->kind)
        return kr_arena_copy(im->scratch, r->delta->at, (size_t)(r->delta->end - r->delta->at));
    char *out = kr_arena_copy(im->scratch, "", 0);
    for (int i = 0; r->kind->fields[i]; i++) {
        const kr_json *m = kr_json_get(r->delta, r->kind->fields[i]);
        if (!m || m->type == KR_JSON_NULL)
            continue;
        kr_num number;
        bool nested = m->type == KR_JSON_LIST || m->type == KR_JSON_OBJECT;
        const char *text = nested ? kr_arena_copy(im->scratch, m->at, (size_t)(m->end - m->at)) : m->text;
        if (!nested && kr_num_read(m->text, m->len, &number, NULL) == KR_READ_OK)
            text = kr_import_number_text(im, number);
        out = kr_arena_printf(im->scratch, "%s%s%s=%s", out, *out ? " " : "", r->kind->fields[i], text);
    }
    return out;
}

static bool mine(const record *r, const char *address) { return address && !strcmp(r->address, address); }

/* Amount of a member, with the sign of whose ledger this is. */
static void move(kr_import *im, record *r, const char *field, bool in)
{
    kr_num amount;
    if (kr_member_number(im, r->delta, field, KR_NEEDED, &amount))
        r->usd = kr_num_add(r->usd, in ? amount : kr_num_neg(amount));
}

static void parties(kr_import *im, record *r, const char *sender, const char *receiver)
{
    if (!sender || !receiver)
        return;
    if (!mine(r, sender) && !mine(r, receiver)) {
        kr_diag *d = kr_import_fault(im, KR_E_ANSWER_SHAPE, r->at, "the record is between `%s` and `%s`, not of `%s`", sender, receiver, r->address);
        kr_diag_help(im->diags, d, "--address says whose ledger this is");
    }
    if (strcmp(sender, receiver) != 0) {
        r->sender = sender;
        r->receiver = receiver;
    }
}

static void judge(kr_import *im, record *r)
{
    const kr_json *d = r->delta;
    const char *user, *destination, *from, *to, *token, *vault;
    switch (r->kind->effect) {
    case NOTHING:
        break;
    case IN: case OUT:
        move(im, r, "usdc", r->kind->effect == IN);
        break;
    case CLASS:
        to = kr_member_text(im, d, "toPerp", KR_NEEDED);
        move(im, r, "usdc", to && !strcmp(to, "true"));
        break;
    case PARTIES: case SPOT_PARTIES:
        user = kr_member_address(im, d, "user", KR_NEEDED);
        destination = kr_member_address(im, d, "destination", KR_NEEDED);
        parties(im, r, user, destination);
        if (r->kind->effect == PARTIES && mine(r, destination))
            move(im, r, "usdc", true);
        if (r->kind->effect == PARTIES && mine(r, user))
            move(im, r, "usdc", false);
        break;
    case SEND:
        user = kr_member_address(im, d, "user", KR_NEEDED);
        destination = kr_member_address(im, d, "destination", KR_NEEDED);
        from = kr_member_text(im, d, "sourceDex", KR_NEEDED);
        to = kr_member_text(im, d, "destinationDex", KR_NEEDED);
        token = kr_member_text(im, d, "token", KR_NEEDED);
        if (im->wrong)
            return;
        parties(im, r, user, destination);
        bool leaves = mine(r, user) && !*from, arrives = mine(r, destination) && !*to;
        r->unknown = (leaves || arrives) && strcmp(token, "USDC") != 0; /* the main perpetuals hold USDC: this is something new */
        if (arrives)
            move(im, r, "amount", true);
        if (leaves)
            move(im, r, "amount", false);
        break;
    case VAULT_IN:
        vault = kr_member_address(im, d, "vault", KR_NEEDED);
        move(im, r, "usdc", mine(r, vault));
        break;
    case VAULT_OUT:
        user = kr_member_address(im, d, "user", KR_NEEDED);
        vault = kr_member_address(im, d, "vault", KR_NEEDED);
        if (!im->wrong && !mine(r, user) && !mine(r, vault))
            parties(im, r, vault, user);
        move(im, r, "netWithdrawnUsd", mine(r, user));
        break;
    case VAULT_SHARE:
        vault = kr_member_address(im, d, "vault", KR_NEEDED);
        move(im, r, "usdc", !mine(r, vault));
        break;
    case COMMISSION:
        user = kr_member_address(im, d, "user", KR_NEEDED);
        move(im, r, "usdc", mine(r, user));
        break;
    case ABSTRACTION: /* money goes between an exchange's account and the spot one; which way is not said */
        to = kr_member_text(im, d, "dex", KR_NEEDED);
        r->unknown = to && !*to;
        break;
    }
}

static bool keep_record(kr_import *im, const record *r, kr_repeats *repeats)
{
    sqlite3_stmt *row;
    int64_t number = kr_repeat(im->scratch, repeats, kr_arena_printf(im->scratch, "%lld|%s|%s|%s", (long long)r->time, r->hash, r->type, r->content));
    if (kr_sql(im, &row, "SELECT 1 FROM ledger_record WHERE address = ?1 AND time = ?2 AND hash = ?3 AND kind = ?4 AND content = ?5 AND number = ?6", "tittti", r->address,
               r->time, r->hash, r->type, r->content, number) == SQLITE_ROW)
        return false;
    const char *usd = r->unknown ? NULL : kr_import_number_text(im, r->usd);
    kr_sql(im, NULL, "INSERT INTO ledger_record VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "titttit", r->address, r->time, r->hash, r->type, r->content, number, usd);
    if (r->unknown)
        kr_import_gap(im, r->address, kr_day_of_time(r->time), "flow", kr_arena_printf(im->scratch, r->kind ? "a ledger record `%s` whose direction is not known" : "a ledger record of the unknown kind `%s`", r->type));
    else if (kr_num_cmp(r->usd, KR_NUM_ZERO) != 0) {
        /* a table of flows may have been imported as well: what it has already is not counted twice */
        kr_sql(im, NULL, "INSERT INTO flow SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM flow WHERE address = ?1 AND time = ?2 AND usd = ?3) <"
                         " (SELECT count(*) FROM ledger_record WHERE address = ?1 AND time = ?2 AND usd = ?3)", "tit", r->address, r->time, usd);
    }
    if (r->sender)
        kr_sql(im, NULL, "INSERT INTO transfer SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM transfer WHERE sender = ?1 AND receiver = ?2 AND time = ?3)", "tti", r->sender,
               r->receiver, r->time);
    return true;
}

static bool read_record(kr_import *im, const kr_json *o, record *r)
{
    r->at = o;
    r->delta = kr_json_get(o, "delta");
    r->usd = KR_NUM_ZERO;
    if (!r->delta || r->delta->type != KR_JSON_OBJECT) {
        kr_import_fault(im, KR_E_ANSWER_SHAPE, o, "the record has no `delta`");
        return false;
    }
    r->hash = kr_member_text(im, o, "hash", KR_OPTIONAL);
    r->hash = r->hash ? r->hash : "";
    r->type = kr_member_text(im, r->delta, "type", KR_NEEDED);
    if (!kr_member_time(im, o, "time", KR_NEEDED, &r->time) || !r->type)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].type, r->type))
            r->kind = &kinds[i];
    r->content = content_of(im, r);
    if (r->kind)
        judge(im, r);
    else
        r->unknown = true;
    return !im->wrong;
}

static void log_ledger(kr_import *im, const kr_answer *a, int64_t first, int64_t last, int64_t low, int64_t high, size_t count)
{
    bool full = count >= KR_FULL_RANGE, falling = first > last;
    int64_t from = a->from != KR_NO_TIME ? a->from : low, until = count ? high + 1 : KR_NO_TIME;
    if (a->to != KR_NO_TIME && (a->read_at == KR_NO_TIME || a->to < a->read_at))
        until = a->to + 1 > until ? a->to + 1 : until;
    else if (a->read_at != KR_NO_TIME && a->read_at > until)
        until = a->read_at;
    if (full && falling)
        from = low + 1;
    else if (full)
        until = high;
    if (from != INT64_MAX && until != KR_NO_TIME && from < until)
        kr_import_log(im, a, "ledger", from, until, full && falling, full && !falling, count);
}

void kr_import_ledger(kr_import *im, const kr_answer *a)
{
    kr_repeats repeats = { 0 };
    size_t count = 0, fresh = 0, unknown = 0;
    int64_t first = KR_NO_TIME, last = 0, low = INT64_MAX, high = INT64_MIN;
    const char *unknown_type = NULL;
    if (!kr_need_address(im, a))
        return;
    for (const kr_json *o = a->value->first; o; o = o->next) {
        record r = { .address = a->address };
        if (!read_record(im, o, &r))
            return;
        count++;
        first = first == KR_NO_TIME ? r.time : first;
        last = r.time;
        low = r.time < low ? r.time : low;
        high = r.time > high ? r.time : high;
        if (r.unknown) {
            unknown++;
            unknown_type = r.type;
        }
        fresh += keep_record(im, &r, &repeats);
    }
    log_ledger(im, a, first, last, low, high, count);
    kr_import_touch(im, a->address);
    if (unknown) {
        kr_diag *d = kr_diag_at(im->diags, KR_W_ANSWER_LEFT, im->file, "%zu ledger record%s cannot be told in money (`%s`%s): the flow of %s is unknown", unknown,
                                unknown == 1 ? "" : "s", unknown_type, unknown == 1 ? "" : ", …", unknown == 1 ? "its day" : "their days");
        d->severity = KR_SEVERITY_WARNING;
    }
    kr_import_say(im, "userNonFundingLedgerUpdates", count, fresh, unknown ? kr_arena_printf(im->scratch, "%zu of unknown effect", unknown) : NULL);
}
