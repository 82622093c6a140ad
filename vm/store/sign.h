/* sign.h: Ed25519 keys and signatures, and base64. Keys are known by their 32 public bytes as 64 hex digits. */
#ifndef KR_SIGN_H
#define KR_SIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "vm/text/diag.h"

typedef struct kr_signing_key kr_signing_key; /* a private key */

/* A PEM file with an Ed25519 private key; "-": standard input. NULL and E0736; an encrypted one is refused. */
kr_signing_key *kr_signing_key_read(const char *path, kr_diags *diags);
void kr_signing_key_free(kr_signing_key *key); /* NULL is fine */
void kr_signing_key_public(const kr_signing_key *key, char hex[65]);
/* A PEM file with an Ed25519 public key (or a private one, of which the public part is taken). false: E0736. */
bool kr_public_key_read(const char *path, char hex[65], kr_diags *diags);

/* Signature of the bytes, as base64. */
const char *kr_sign(kr_arena *arena, const kr_signing_key *key, const char *bytes, size_t len);
bool kr_signature_holds(const char *public_hex, const char *signature_base64, const char *bytes, size_t len);

const char *kr_base64(kr_arena *arena, const unsigned char *bytes, size_t len);
/* NULL: not base64 in its one form (no spaces, padded, unused bits zero). */
unsigned char *kr_base64_read(kr_arena *arena, const char *text, size_t *len);

#endif
