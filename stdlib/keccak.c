#include "stdlib/keccak.h"

#include <string.h>

static const uint64_t round_constant[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000, 0x000000000000808B, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
    0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800A, 0x800000008000000A, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static inline uint64_t turn(uint64_t x, int n) { return n ? x << n | x >> (64 - n) : x; }

/* rho and pi in one: lane (x, y) turned by its offset goes to (y, 2x + 3y). */
#define MOVE(from, n, to) b[to] = turn(a[from] ^ d[(from) % 5], n)

static void permute(uint64_t a[25])
{
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], d[5], b[25];
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int x = 0; x < 5; x++)
            d[x] = c[(x + 4) % 5] ^ turn(c[(x + 1) % 5], 1);
        MOVE(0, 0, 0);    MOVE(6, 44, 1);   MOVE(12, 43, 2);  MOVE(18, 21, 3);  MOVE(24, 14, 4);
        MOVE(3, 28, 5);   MOVE(9, 20, 6);   MOVE(10, 3, 7);   MOVE(16, 45, 8);  MOVE(22, 61, 9);
        MOVE(1, 1, 10);   MOVE(7, 6, 11);   MOVE(13, 25, 12); MOVE(19, 8, 13);  MOVE(20, 18, 14);
        MOVE(4, 27, 15);  MOVE(5, 36, 16);  MOVE(11, 10, 17); MOVE(17, 15, 18); MOVE(23, 56, 19);
        MOVE(2, 62, 20);  MOVE(8, 55, 21);  MOVE(14, 39, 22); MOVE(15, 41, 23); MOVE(21, 2, 24);
        for (int y = 0; y < 25; y += 5) {
            a[y] = b[y] ^ (~b[y + 1] & b[y + 2]);
            a[y + 1] = b[y + 1] ^ (~b[y + 2] & b[y + 3]);
            a[y + 2] = b[y + 2] ^ (~b[y + 3] & b[y + 4]);
            a[y + 3] = b[y + 3] ^ (~b[y + 4] & b[y]);
            a[y + 4] = b[y + 4] ^ (~b[y] & b[y + 1]);
        }
        a[0] ^= round_constant[round];
    }
}

static void mix_in(uint64_t *lane, const uint8_t *bytes, size_t at, size_t len)
{
    for (size_t i = 0; i < len; i++, at++)
        lane[at / 8] ^= (uint64_t)bytes[i] << (8 * (at % 8));
}

static void absorb(kr_sponge *sponge, const void *data, size_t len, uint8_t padding)
{
    static const uint8_t last = 0x80;
    const uint8_t *bytes = data;
    memset(sponge, 0, sizeof *sponge);
    for (; len >= KR_KECCAK_RATE; bytes += KR_KECCAK_RATE, len -= KR_KECCAK_RATE) {
        mix_in(sponge->lane, bytes, 0, KR_KECCAK_RATE);
        permute(sponge->lane);
    }
    mix_in(sponge->lane, bytes, 0, len);
    mix_in(sponge->lane, &padding, len, 1);
    mix_in(sponge->lane, &last, KR_KECCAK_RATE - 1, 1);
    permute(sponge->lane);
}

void kr_shake256_start(kr_sponge *sponge, const void *data, size_t len)
{
    absorb(sponge, data, len, 0x1F);
}

void kr_shake256_read(kr_sponge *sponge, void *out, size_t len)
{
    uint8_t *to = out;
    while (len > 0) {
        if (sponge->at == KR_KECCAK_RATE) {
            permute(sponge->lane);
            sponge->at = 0;
        }
        if (sponge->at % 8 == 0 && len >= 8) {
            uint64_t lane = sponge->lane[sponge->at / 8];
            for (int i = 0; i < 8; i++)
                to[i] = (uint8_t)(lane >> (8 * i));
            to += 8, len -= 8, sponge->at += 8;
        } else {
            *to++ = (uint8_t)(sponge->lane[sponge->at / 8] >> (8 * (sponge->at % 8)));
            len--, sponge->at++;
        }
    }
}

void kr_keccak256(const void *data, size_t len, uint8_t out[32])
{
    kr_sponge sponge;
    absorb(&sponge, data, len, 0x01);
    kr_shake256_read(&sponge, out, 32);
}
