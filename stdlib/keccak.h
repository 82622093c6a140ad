/* keccak.h: the Keccak sponge with rate 136 (capacity 512): Keccak-256 as Ethereum uses it, and SHAKE256 as a stream.
 * FIPS 202 for the permutation and SHAKE256; Keccak-256 is the same sponge with the padding of the original submission. */
#ifndef KR_KECCAK_H
#define KR_KECCAK_H

#include <stddef.h>
#include <stdint.h>

enum { KR_KECCAK_RATE = 136 };

typedef struct kr_sponge {
    uint64_t lane[25];
    size_t at; /* bytes of the present block that are used up */
} kr_sponge;

void kr_keccak256(const void *data, size_t len, uint8_t out[32]);
void kr_shake256_start(kr_sponge *sponge, const void *data, size_t len);
void kr_shake256_read(kr_sponge *sponge, void *out, size_t len); /* the next len bytes of the stream */

#endif
