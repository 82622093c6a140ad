/* tsa.h: timestamps of RFC 3161: the request that an authority is sent, and what its token proves. */
#ifndef KR_TSA_H
#define KR_TSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/text/diag.h"

/* The request (DER) for a token about a SHA-256, with the authority's certificate in the answer. No nonce: the same request for the same bytes. */
const unsigned char *kr_tsa_request(kr_arena *arena, const char sha256_hex[65], size_t *len);

/* The token in what an authority answered: a response (as `openssl ts -reply` writes it) or a bare token, as base64 of the token's DER.
 * NULL and *problem: neither, or the authority refused. */
const char *kr_tsa_token_of(kr_arena *arena, const char *bytes, size_t len, const char **problem);

/* Certificates of authorities in a PEM file, each as base64 of its DER. NULL and E0730 when there is none. */
const char **kr_tsa_certificates(kr_arena *arena, const char *path, int *count, kr_diags *diags);

typedef struct kr_stamped {
    int64_t time_ms;        /* the token's time, UTC */
    const char *authority;  /* the subject of the certificate that signed */
    bool named;             /* it goes back to one of the authorities given */
} kr_stamped;

/* Whether a token (base64) is about this SHA-256 and signed for timestamping by the certificate it carries, judged at the token's own
 * time. authorities: certificates (base64) it must go back to; count 0: its own certificate is taken. false: *problem says why. */
bool kr_tsa_verify(kr_arena *arena, const char *token, const char sha256_hex[65], const char *const *authorities, int count, kr_stamped *out, const char **problem);

#endif
