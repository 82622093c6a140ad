/* ledger.h: the ledger of a rulebook, rules/<book>/ledger.jsonl: what was published, by whom, when, to take effect when.
 *
 * One JSON object a line, in one form only (fields in the order below, no spaces, times YYYY-MM-DDTHH:MM:SS.mmmZ):
 *   seq, prev (SHA-256 of the line before, without its LF; 64 zeros at first), kind, book, time (the signer's clock),
 *   genesis and publish: version, file_sha256, model_sha256, language, effective_from, notice_days, emergency_days (-1: no such form),
 *                        emergency (published in that form), notice (days from publication to effect, by this entry's own time), proven
 *   genesis and keys:    signers [{name, key}], threshold, emergency_signers, emergency_threshold, authorities [base64 of DER]
 *   withdraw:            version
 *   withdraw and cosign: entry, entry_sha256 (the line that it is about)
 *   why, token (base64, "" for none), signer (public key, hex), signature (base64)
 * The signature is Ed25519 over "krules ledger 1\n" and the line up to the comma before `signature`.
 *
 * Reading replays every entry under the rules that publishing keeps, so a ledger that was read holds. What an entry needs of several
 * signers waits until they have signed; it counts from the signature that completes it. The first entry is version 1; a version number
 * is used once. All of a ledger is in the arena it was read into. */
#ifndef KR_LEDGER_H
#define KR_LEDGER_H

#include "vm/store/digest.h"
#include "vm/store/sign.h"

typedef struct kr_signer { const char *name, *key; } kr_signer;
typedef struct kr_signers { kr_signer *list; int count, threshold; } kr_signers;
typedef struct kr_keys {
    kr_signers ordinary, emergency;   /* emergency: count 0: nobody */
    const char **authorities;         /* certificates that tokens must go back to; none: each token's own is taken */
    int authority_count;
} kr_keys;

typedef enum { KR_ENTRY_GENESIS, KR_ENTRY_PUBLISH, KR_ENTRY_WITHDRAW, KR_ENTRY_COSIGN, KR_ENTRY_KEYS } kr_entry_kind;
typedef enum {
    KR_ENTRY_WAITING,   /* for further signatures */
    KR_ENTRY_DONE,
    KR_ENTRY_WITHDRAWN, /* a publication that a later entry took back */
    KR_ENTRY_LAPSED     /* waited until it could no longer take effect, or was overtaken */
} kr_entry_state;

typedef struct kr_entry {
    int seq;
    const char *prev;
    kr_entry_kind kind;
    const char *book;
    int64_t clock_ms;
    int version;
    const char *file_sha256, *model_sha256;
    int language, notice_days, emergency_days, notice;
    int64_t effective_from;
    bool emergency, proven;
    kr_keys keys;
    int entry;
    const char *entry_sha256;
    const char *why, *token, *signer, *signature;
    /* found by replaying */
    char hash[KR_HEX];
    const char *authority;            /* who made the token; NULL: none */
    bool authority_named;
    int64_t time_ms;                  /* the token's, else the clock's */
    kr_entry_state state;
    const char **signed_by;           /* keys, in the order of signing */
    int signed_count;
    int64_t done_ms;                  /* DONE: when it was complete, and whether a token proves it */
    bool done_proven;
} kr_entry;

typedef struct kr_ledger {
    kr_arena *arena;
    const char *path, *book;
    kr_entry **entries;
    size_t count, capacity;
    char head[KR_HEX];                /* hash of the last line */
    kr_keys keys;                     /* who may sign now */
    const char *place;                /* where messages point to */
} kr_ledger;

/* The ledger of the book in `folder`; with no file one without entries. NULL: it cannot be read, or a line does not hold (the first
 * such line is the diagnostic's place; E0708, E0720 to E0735). */
kr_ledger *kr_ledger_read(kr_arena *arena, const char *folder, const char *book, kr_diags *diags);
/* Add an entry under all rules; what it leaves open (seq, prev, hash) is filled in; signer and signature when key is not NULL. */
bool kr_ledger_add(kr_ledger *ledger, kr_entry *entry, const kr_signing_key *key, kr_diags *diags);
/* Write it, whole or not at all. */
bool kr_ledger_write(const kr_ledger *ledger, kr_diags *diags);

/* Whether the file of a publication is the one published. false: E0723. */
bool kr_ledger_file_holds(const kr_ledger *ledger, const kr_entry *entry, const char *path, kr_diags *diags);

/* The publication of a version (genesis or publish), in any state; NULL: none. */
kr_entry *kr_ledger_version(const kr_ledger *ledger, int version);
/* The version in force on a day: DONE and effective; NULL: none. */
kr_entry *kr_ledger_in_force(const kr_ledger *ledger, int64_t day);
int kr_ledger_last_version(const kr_ledger *ledger); /* the highest number ever used; 0: none */
/* How many signatures count towards an entry, and how many it needs, under the keys of now. */
int kr_entry_signatures(const kr_ledger *ledger, const kr_entry *entry, int *needed);
const char *kr_signer_name(const kr_ledger *ledger, const char *key); /* name of a key that may or once might sign; else the key's start */
const char *kr_entry_kind_name(kr_entry_kind kind);
/* Let what waits lapse that could no longer be completed at this time. */
void kr_ledger_lapse(kr_ledger *ledger, int64_t time_ms);
/* Whether an entry of these keys would be accepted: distinct names and keys, thresholds that fit. */
bool kr_keys_fit(const kr_ledger *ledger, const kr_keys *keys, kr_diags *diags);

/* The form of a line (ledger_text.c). */
char *kr_entry_text(kr_arena *arena, const kr_entry *entry, bool with_signature);
/* NULL and *problem: it is not an entry in its one form. */
kr_entry *kr_entry_parse(kr_arena *arena, const char *line, size_t len, const char **problem);

#endif
