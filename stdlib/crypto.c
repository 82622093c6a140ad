/* crypto.c: hashes, encodings and signatures that published systems are written in. Bytes are unsigned and compared as bytes. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <string.h>

#include "stdlib/keccak.h"
#include "vm/lang/fn.h"

static const uint8_t *bytes_of(const kr_call *call, kr_cell cell, size_t *len)
{
    return (const uint8_t *)kr_pool_text(call->env->pool, (uint32_t)kr_cell_int(cell), len);
}
static kr_cell to_pool(const kr_call *call, const void *bytes, size_t len)
{
    return kr_cell_of_text(call->env->pool, bytes, len);
}

/* ---- hashes */

static bool digest(const EVP_MD *kind, const void *data, size_t len, uint8_t *out)
{
    return EVP_Digest(data, len, out, NULL, kind, NULL) == 1;
}

static kr_cell sha256(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    uint8_t out[32];
    return digest(EVP_sha256(), data, len, out) ? to_pool(call, out, sizeof out) : KR_E_VALUE;
}

static kr_cell keccak256(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    uint8_t out[32];
    kr_keccak256(data, len, out);
    return to_pool(call, out, sizeof out);
}

enum { LONGEST_STREAM = 1 << 20 };

static kr_cell shake256(const kr_call *call, const kr_cell *args)
{
    size_t len;
    int64_t want;
    const uint8_t *data = bytes_of(call, args[0], &len);
    if (!kr_num_to_int(args[1], &want) || want < 0 || want > LONGEST_STREAM)
        return KR_E_NUM;
    uint8_t *out = kr_arena_alloc(call->env->scratch, (size_t)want);
    kr_sponge sponge;
    kr_shake256_start(&sponge, data, len);
    kr_shake256_read(&sponge, out, (size_t)want);
    return to_pool(call, out, (size_t)want);
}

/* ---- encodings */

static kr_cell hex(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    char *out = kr_arena_alloc(call->env->scratch, 2 * len + 1);
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = "0123456789abcdef"[data[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[data[i] & 15];
    }
    return to_pool(call, out, 2 * len);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static kr_cell unhex(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const char *text = (const char *)bytes_of(call, args[0], &len);
    if (len >= 2 && text[0] == '0' && text[1] == 'x')
        text += 2, len -= 2;
    if (len % 2)
        return KR_E_VALUE;
    uint8_t *out = kr_arena_alloc(call->env->scratch, len / 2 + 1);
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0)
            return KR_E_VALUE;
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    return to_pool(call, out, len / 2);
}

static int base64_digit(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648 section 4, strictly: padded, no other characters, and no bits set behind the last byte; so each value has one text. */
static kr_cell base64_decode(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *text = bytes_of(call, args[0], &len);
    if (len % 4)
        return KR_E_VALUE;
    size_t padding = len && text[len - 1] == '=' ? 1 + (text[len - 2] == '=') : 0, count = 0;
    uint8_t *out = kr_arena_alloc(call->env->scratch, len / 4 * 3 + 1);
    for (size_t i = 0; i < len; i += 4) {
        uint32_t group = 0;
        size_t spare = i + 4 == len ? padding : 0;
        for (size_t k = 0; k < 4; k++) {
            int value = k < 4 - spare ? base64_digit(text[i + k]) : 0;
            if (value < 0)
                return KR_E_VALUE;
            group = group << 6 | (uint32_t)value;
        }
        if (spare && (group & (spare == 1 ? 0xFFu : 0xFFFFu)))
            return KR_E_VALUE;
        for (size_t k = 0; k < 3 - spare; k++)
            out[count++] = (uint8_t)(group >> (16 - 8 * k));
    }
    return to_pool(call, out, count);
}

static kr_cell base64_encode(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    char *out = kr_arena_alloc(call->env->scratch, (len + 2) / 3 * 4 + 1);
    int written = len ? EVP_EncodeBlock((unsigned char *)out, data, (int)len) : 0;
    return to_pool(call, out, (size_t)written);
}

static kr_cell slice(const kr_call *call, const kr_cell *args)
{
    size_t len;
    int64_t start, count;
    const uint8_t *data = bytes_of(call, args[0], &len);
    if (!kr_num_to_int(args[1], &start) || !kr_num_to_int(args[2], &count) || start < 1 || count < 0)
        return KR_E_VALUE;
    size_t from = (uint64_t)start - 1 < len ? (size_t)start - 1 : len;
    size_t take = (uint64_t)count < len - from ? (size_t)count : len - from;
    return to_pool(call, data + from, take);
}

static kr_cell byte_count(const kr_call *call, const kr_cell *args)
{
    size_t len;
    bytes_of(call, args[0], &len);
    return kr_num_of_int((int64_t)len);
}

static kr_cell big_endian(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    if (len > 7)
        return KR_E_NUM;
    int64_t value = 0;
    for (size_t i = 0; i < len; i++)
        value = value << 8 | data[i];
    return kr_num_of_int(value);
}

static bool is_utf8(const uint8_t *s, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint8_t c = s[i];
        size_t more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : SIZE_MAX;
        if (more == SIZE_MAX || len - i <= more)
            return false;
        for (size_t k = 1; k <= more; k++)
            if ((s[i + k] & 0xC0) != 0x80)
                return false;
        if ((c == 0xE0 && s[i + 1] < 0xA0) || (c == 0xED && s[i + 1] > 0x9F) || (c == 0xF0 && s[i + 1] < 0x90) || (c == 0xF4 && s[i + 1] > 0x8F))
            return false;
        i += more + 1;
    }
    return true;
}

static kr_cell text_of_bytes(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *data = bytes_of(call, args[0], &len);
    return is_utf8(data, len) ? args[0] : KR_E_VALUE;
}

/* ---- Ethereum signatures */

/* The public key whose signature (r, s, odd) of `hash` is; SEC 1 v2.0 section 4.1.6. false: there is none. */
static bool recover(const uint8_t hash[32], const uint8_t r_bytes[32], const uint8_t s_bytes[32], int odd, uint8_t key[65])
{
    bool found = false;
    BN_CTX *ctx = BN_CTX_new();
    EC_GROUP *curve = EC_GROUP_new_by_curve_name(NID_secp256k1);
    EC_POINT *point = curve ? EC_POINT_new(curve) : NULL, *result = curve ? EC_POINT_new(curve) : NULL;
    if (ctx)
        BN_CTX_start(ctx);
    BIGNUM *r = ctx ? BN_CTX_get(ctx) : NULL, *s = ctx ? BN_CTX_get(ctx) : NULL, *e = ctx ? BN_CTX_get(ctx) : NULL;
    BIGNUM *inverse = ctx ? BN_CTX_get(ctx) : NULL, *u1 = ctx ? BN_CTX_get(ctx) : NULL, *u2 = ctx ? BN_CTX_get(ctx) : NULL, *half = ctx ? BN_CTX_get(ctx) : NULL;
    if (!half || !point || !result)
        goto done;
    const BIGNUM *order = EC_GROUP_get0_order(curve);
    if (!BN_bin2bn(r_bytes, 32, r) || !BN_bin2bn(s_bytes, 32, s) || !BN_bin2bn(hash, 32, e) || !BN_rshift1(half, order))
        goto done;
    if (BN_is_zero(r) || BN_is_zero(s) || BN_cmp(r, order) >= 0 || BN_cmp(s, half) > 0) /* the upper half of s is another text of the same signature */
        goto done;
    if (EC_POINT_set_compressed_coordinates(curve, point, r, odd, ctx) != 1)
        goto done;
    /* Q = r^-1 (s R - e G) */
    if (!BN_mod_inverse(inverse, r, order, ctx) || !BN_mod_mul(u2, s, inverse, order, ctx) || !BN_mod_mul(u1, e, inverse, order, ctx) || !BN_mod_sub(u1, BN_value_one(), u1, order, ctx) ||
        !BN_mod_sub(u1, u1, BN_value_one(), order, ctx))
        goto done;
    if (EC_POINT_mul(curve, result, u1, point, u2, ctx) != 1 || EC_POINT_is_at_infinity(curve, result))
        goto done;
    found = EC_POINT_point2oct(curve, result, POINT_CONVERSION_UNCOMPRESSED, key, 65, ctx) == 65;
done:
    if (ctx)
        BN_CTX_end(ctx);
    EC_POINT_free(result);
    EC_POINT_free(point);
    EC_GROUP_free(curve);
    BN_CTX_free(ctx);
    return found;
}

static kr_cell eip191_signer(const kr_call *call, const kr_cell *args)
{
    size_t len, signature_len;
    const uint8_t *message = bytes_of(call, args[0], &len), *signature = bytes_of(call, args[1], &signature_len);
    if (signature_len != 65)
        return KR_BLANK;
    int v = signature[64];
    if (v != 0 && v != 1 && v != 27 && v != 28)
        return KR_BLANK;
    char *whole = kr_arena_printf(call->env->scratch, "\x19" "Ethereum Signed Message:\n%zu", len);
    size_t head = strlen(whole);
    uint8_t *text = kr_arena_alloc(call->env->scratch, head + len + 1), hash[32], key[65];
    memcpy(text, whole, head);
    memcpy(text + head, message, len);
    kr_keccak256(text, head + len, hash);
    if (!recover(hash, signature, signature + 32, v >= 27 ? v - 27 : v, key))
        return KR_BLANK;
    kr_keccak256(key + 1, 64, hash);
    char address[43] = "0x";
    for (int i = 0; i < 20; i++) {
        address[2 + 2 * i] = "0123456789abcdef"[hash[12 + i] >> 4];
        address[3 + 2 * i] = "0123456789abcdef"[hash[12 + i] & 15];
    }
    return to_pool(call, address, 42);
}

/* ---- Substrate addresses */

/* Base58 with Bitcoin's alphabet into `out` of `room` bytes; returns the length, 0 when it is none or does not fit. */
static size_t base58_decode(const uint8_t *text, size_t len, uint8_t *out, size_t room)
{
    static const char alphabet[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    size_t used = 0, zeros = 0;
    while (zeros < len && text[zeros] == '1')
        zeros++;
    for (size_t i = 0; i < len; i++) {
        const char *at = text[i] ? strchr(alphabet, text[i]) : NULL;
        if (!at)
            return 0;
        uint32_t carry = (uint32_t)(at - alphabet);
        for (size_t k = 0; k < used; k++) { /* least significant byte first */
            carry += 58u * out[k];
            out[k] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry) {
            if (used == room)
                return 0;
            out[used++] = (uint8_t)carry;
        }
    }
    if (used + zeros > room)
        return 0;
    for (; zeros > 0; zeros--)
        out[used++] = 0;
    for (size_t k = 0; k < used / 2; k++) {
        uint8_t swap = out[k];
        out[k] = out[used - 1 - k];
        out[used - 1 - k] = swap;
    }
    return used;
}

static kr_cell ss58_key(const kr_call *call, const kr_cell *args)
{
    size_t len;
    const uint8_t *text = bytes_of(call, args[0], &len);
    uint8_t raw[64], seal[64], sealed[7 + 64] = "SS58PRE";
    size_t size = len <= 64 ? base58_decode(text, len, raw, sizeof raw) : 0;
    size_t prefix = size && raw[0] & 0x40 ? 2 : 1;
    if (size != prefix + 32 + 2 || raw[0] & 0x80)
        return KR_BLANK;
    memcpy(sealed + 7, raw, size - 2);
    if (!digest(EVP_blake2b512(), sealed, 7 + size - 2, seal) || memcmp(seal, raw + size - 2, 2) != 0)
        return KR_BLANK;
    return to_pool(call, raw + prefix, 32);
}

const kr_fn kr_crypto_fns[] = {
    { .name = "SHA256", .usage = "SHA256(x)", .sig = "text -> bytes | bytes -> bytes", .unit = "* -> * | * -> *", .shape = KR_ROWWISE,
      .doc = "The SHA-256 digest of the text's UTF-8 bytes, or of bytes: 32 bytes.", .source = "FIPS 180-4",
      .example = "HEX(SHA256(\"abc\"))", .gives = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      .edge = "HEX(SHA256(\"\"))", .edge_gives = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", .scalar = sha256 },
    { .name = "KECCAK256", .usage = "KECCAK256(x)", .sig = "text -> bytes | bytes -> bytes", .unit = "* -> * | * -> *", .shape = KR_ROWWISE,
      .doc = "The Keccak-256 digest as Ethereum uses it (not SHA3-256: the padding differs): 32 bytes.", .source = "Ethereum yellow paper, appendix on Keccak",
      .example = "HEX(KECCAK256(\"\"))", .gives = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
      .edge = "BYTES.LEN(KECCAK256(\"abc\"))", .edge_gives = "32", .scalar = keccak256 },
    { .name = "SHAKE256", .usage = "SHAKE256(x, length)", .sig = "text, number -> bytes | bytes, number -> bytes", .unit = "*, 1 -> * | *, 1 -> *", .shape = KR_ROWWISE,
      .doc = "The first `length` bytes (at most 1,048,576) of the SHAKE256 stream of the text's UTF-8 bytes, or of bytes.", .source = "FIPS 202",
      .example = "HEX(SHAKE256(SHA256(\"OAIA|S1|alpha\"), 8))", .gives = "eee1c16f3569b1ac",
      .edge = "SHAKE256(\"abc\", -1)", .edge_gives = "#NUM!", .scalar = shake256 },
    { .name = "HEX", .usage = "HEX(x)", .sig = "bytes -> text", .unit = "* -> *", .shape = KR_ROWWISE, .doc = "Bytes as lowercase hexadecimal digits, two a byte.",
      .example = "HEX(UNHEX(\"0xFF00\"))", .gives = "ff00", .edge = "HEX(UNHEX(\"\"))", .edge_gives = "", .scalar = hex },
    { .name = "UNHEX", .usage = "UNHEX(x)", .sig = "text -> bytes", .unit = "* -> *", .shape = KR_ROWWISE, .doc = "The bytes that hexadecimal digits of either case stand for; 0x may lead.",
      .example = "BYTES.LEN(UNHEX(\"0a0b\"))", .gives = "2", .edge = "UNHEX(\"0a0\")", .edge_gives = "#VALUE!", .scalar = unhex },
    { .name = "BASE64.DECODE", .usage = "BASE64.DECODE(x)", .sig = "text -> bytes", .unit = "* -> *", .shape = KR_ROWWISE,
      .doc = "The bytes of a base64 text: standard alphabet, padded, nothing else in it and no spare bits set, so that each value has one text.", .source = "RFC 4648 section 4",
      .example = "HEX(BASE64.DECODE(\"aGk=\"))", .gives = "6869", .edge = "BASE64.DECODE(\"aGl=\")", .edge_gives = "#VALUE!", .scalar = base64_decode },
    { .name = "BASE64.ENCODE", .usage = "BASE64.ENCODE(x)", .sig = "bytes -> text", .unit = "* -> *", .shape = KR_ROWWISE, .doc = "Bytes as padded base64 text in the standard alphabet.", .source = "RFC 4648 section 4",
      .example = "BASE64.ENCODE(UNHEX(\"6869\"))", .gives = "aGk=", .edge = "BASE64.ENCODE(UNHEX(\"\"))", .edge_gives = "", .scalar = base64_encode },
    { .name = "BYTES.MID", .usage = "BYTES.MID(x, start, count)", .sig = "bytes, number, number -> bytes", .unit = "*, 1, 1 -> *", .shape = KR_ROWWISE,
      .doc = "`count` bytes from position `start` (the first is 1), fewer where there are fewer.",
      .example = "HEX(BYTES.MID(UNHEX(\"00112233\"), 2, 2))", .gives = "1122", .edge = "BYTES.MID(UNHEX(\"00\"), 0, 1)", .edge_gives = "#VALUE!", .scalar = slice },
    { .name = "BYTES.LEN", .usage = "BYTES.LEN(x)", .sig = "bytes -> number | text -> number", .unit = "* -> 1 | * -> 1", .shape = KR_ROWWISE, .doc = "How many bytes; of a text, of its UTF-8 form.",
      .example = "BYTES.LEN(\"né\")", .gives = "3", .edge = "BYTES.LEN(\"\")", .edge_gives = "0", .scalar = byte_count },
    { .name = "BYTES.NUMBER", .usage = "BYTES.NUMBER(x)", .sig = "bytes -> number", .unit = "* -> 1", .shape = KR_ROWWISE, .doc = "At most 7 bytes as a whole number, the first byte the most significant (big endian).",
      .example = "BYTES.NUMBER(UNHEX(\"1f90\"))", .gives = "8080", .edge = "BYTES.NUMBER(UNHEX(\"0000000000000000\"))", .edge_gives = "#NUM!", .scalar = big_endian },
    { .name = "BYTES.TEXT", .usage = "BYTES.TEXT(x)", .sig = "bytes -> text", .unit = "* -> *", .shape = KR_ROWWISE, .doc = "Bytes read as UTF-8 text.",
      .example = "BYTES.TEXT(UNHEX(\"6869\"))", .gives = "hi", .edge = "BYTES.TEXT(UNHEX(\"ff\"))", .edge_gives = "#VALUE!", .scalar = text_of_bytes },
    { .name = "EIP191.SIGNER", .usage = "EIP191.SIGNER(message, signature)", .sig = "text, bytes -> text", .unit = "*, * -> *", .shape = KR_ROWWISE,
      .doc = "The address (0x and 40 lowercase digits) whose key signed the text as an Ethereum personal message. The signature is 65 bytes: r, s, and 0, 1, 27 or 28. "
             "Blank when it is no signature: another length or last byte, r or s out of range, or s in the upper half of the order.",
      .source = "EIP-191 version 0x45; SEC 1 section 4.1.6; EIP-2 for the lower half",
      .example = "EIP191.SIGNER(\"x\", UNHEX(\"00\"))", .gives = "", .edge = "EIP191.SIGNER(\"x\", UNHEX(\"\"))", .edge_gives = "", .scalar = eip191_signer },
    { .name = "SS58.KEY", .usage = "SS58.KEY(address)", .sig = "text -> bytes", .unit = "* -> *", .shape = KR_ROWWISE,
      .doc = "The 32-byte key of a Substrate (SS58) address of any network; blank when the text is none or its checksum does not hold.", .source = "Substrate SS58 address format",
      .example = "BYTES.LEN(HEX(SS58.KEY(\"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY\")))", .gives = "64", .edge = "SS58.KEY(\"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ\")", .edge_gives = "", .scalar = ss58_key },
    { .name = NULL },
};
