#include "vm/store/sign.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ base64 */

const char *kr_base64(kr_arena *arena, const unsigned char *bytes, size_t len)
{
    char *text = kr_arena_alloc(arena, (len + 2) / 3 * 4 + 1);
    EVP_EncodeBlock((unsigned char *)text, bytes, (int)len);
    return text;
}

unsigned char *kr_base64_read(kr_arena *arena, const char *text, size_t *len)
{
    size_t n = strlen(text);
    if (n % 4 || n > (1 << 24))
        return NULL;
    unsigned char *bytes = kr_arena_alloc(arena, n / 4 * 3 + 1);
    int got = n ? EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)n) : 0;
    if (got < 0)
        return NULL;
    *len = (size_t)got;
    for (size_t i = n; i && text[i - 1] == '=' && n - i < 2; i--)
        --*len;
    return strcmp(kr_base64(arena, bytes, *len), text) ? NULL : bytes;
}

/* ------------------------------------------------------------------ keys */

static int no_passphrase(char *buffer, int size, int writing, void *asked)
{
    (void)buffer, (void)size, (void)writing;
    *(bool *)asked = true;
    return -1;
}

static EVP_PKEY *read_key(const char *path, bool private, kr_diags *diags)
{
    bool input = !strcmp(path, "-"), asked = false;
    FILE *file = input ? stdin : fopen(path, "re");
    if (!file) {
        kr_diag_at(diags, KR_E_GOV_KEY, path, "the key `%s` cannot be read", path);
        return NULL;
    }
    EVP_PKEY *key = private ? NULL : PEM_read_PUBKEY(file, NULL, NULL, NULL);
    if (!key && !private)
        rewind(file);
    if (!key)
        key = PEM_read_PrivateKey(file, NULL, no_passphrase, &asked);
    if (!input)
        fclose(file);
    if (key && EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519)
        return key;
    kr_diag *d = kr_diag_at(diags, KR_E_GOV_KEY, path, asked ? "the key `%s` is encrypted" : "`%s` is not an Ed25519 %s key in PEM", path, private ? "private" : "public");
    if (asked)
        kr_diag_help(diags, d, "hand it over decrypted: openssl pkey -in %s | krules … --key -", path);
    else
        kr_diag_help(diags, d, private ? "openssl genpkey -algorithm ed25519 -out KEY.pem" : "openssl pkey -in KEY.pem -pubout -out KEY.pub.pem");
    EVP_PKEY_free(key);
    return NULL;
}

static void public_hex(const EVP_PKEY *key, char hex[65])
{
    unsigned char bytes[32];
    size_t len = sizeof bytes;
    KR_ASSERT(EVP_PKEY_get_raw_public_key(key, bytes, &len) == 1 && len == sizeof bytes); /* Ed25519 keys have 32 bytes */
    for (size_t i = 0; i < len; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

kr_signing_key *kr_signing_key_read(const char *path, kr_diags *diags) { return (kr_signing_key *)read_key(path, true, diags); }
void kr_signing_key_free(kr_signing_key *key) { EVP_PKEY_free((EVP_PKEY *)key); }
void kr_signing_key_public(const kr_signing_key *key, char hex[65]) { public_hex((const EVP_PKEY *)key, hex); }

bool kr_public_key_read(const char *path, char hex[65], kr_diags *diags)
{
    EVP_PKEY *key = read_key(path, false, diags);
    if (key)
        public_hex(key, hex);
    EVP_PKEY_free(key);
    return key != NULL;
}

/* ------------------------------------------------------------------ signatures (RFC 8032, pure Ed25519) */

const char *kr_sign(kr_arena *arena, const kr_signing_key *key, const char *bytes, size_t len)
{
    unsigned char signature[64];
    size_t size = sizeof signature;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context && EVP_DigestSignInit(context, NULL, NULL, NULL, (EVP_PKEY *)key) == 1 &&
              EVP_DigestSign(context, signature, &size, (const unsigned char *)bytes, len) == 1;
    EVP_MD_CTX_free(context);
    KR_ASSERT(ok); /* signing with a key that was read cannot fail */
    return kr_base64(arena, signature, size);
}

static bool read_hex(const char *hex, unsigned char bytes[32])
{
    if (strlen(hex) != 64)
        return false;
    for (size_t i = 0; i < 64; i++) {
        const char *digits = "0123456789abcdef", *at = strchr(digits, hex[i]);
        if (!at)
            return false;
        bytes[i / 2] = (unsigned char)(i % 2 ? bytes[i / 2] | (at - digits) : (at - digits) << 4);
    }
    return true;
}

bool kr_signature_holds(const char *public_key, const char *signature_base64, const char *bytes, size_t len)
{
    unsigned char raw[32];
    size_t size = 0;
    kr_arena *arena = kr_arena_new();
    const unsigned char *signature = kr_base64_read(arena, signature_base64, &size);
    EVP_PKEY *key = read_hex(public_key, raw) ? EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, raw, sizeof raw) : NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = signature && size == 64 && key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
              EVP_DigestVerify(context, signature, size, (const unsigned char *)bytes, len) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    kr_arena_free(arena);
    return ok;
}
