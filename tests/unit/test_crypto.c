/* test_crypto.c: the hashes, encodings and signatures of formulas against public vectors (tests/num/vectors, origins in its README), through
 * `krules calc`. For the keys there, a message is signed here, and must be traced to the key's address. Run from the root of the tree. */
#include <ctype.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "vm/krules.h"

enum { LINE = 16384, COLUMNS = 6 };

static krules *session;

__attribute__((format(printf, 2, 3))) static void gives(const char *wanted, const char *format, ...)
{
    static char formula[LINE];
    krules_value value = { 0 };
    va_list args;
    va_start(args, format);
    vsnprintf(formula, sizeof formula, format, args);
    va_end(args);
    bool ok = krules_calc(session, formula, &value);
    unit_check(ok && !strcmp(value.text, wanted), __FILE__, __LINE__, "%.200s gives %s, not %s", formula, ok ? value.text : "nothing", wanted);
}

/* Calls `each` with the cells of each row: no cell of these files is quoted. Returns how many rows there were. */
static unsigned each_row(const char *path, void (*each)(char **cells))
{
    static char line[LINE];
    unsigned rows = 0;
    FILE *file = fopen(path, "r");
    unit_check(file != NULL, __FILE__, __LINE__, "%s is there", path);
    bool head = true;
    while (file && fgets(line, sizeof line, file)) {
        char *cells[COLUMNS] = { NULL }, *rest = line;
        line[strcspn(line, "\r\n")] = '\0';
        for (int i = 0; i < COLUMNS && rest; i++)
            cells[i] = strsep(&rest, ",");
        if (!head)
            each(cells), rows++;
        head = false;
    }
    if (file)
        fclose(file);
    return rows;
}

static void keccak(char **c) { gives(c[2] + 2, "HEX(KECCAK256(UNHEX('%s')))", c[1]); }

static void lower(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

static void hex_of(const unsigned char *bytes, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++)
        sprintf(out + 2 * i, "%02x", bytes[i]);
}

/* Signs 32 bytes; r, then s in the lower half, 64 bytes. */
static bool sign(const char *key_hex, const unsigned char hash[32], unsigned char out[64], unsigned char upper_s[32])
{
    EC_GROUP *curve = EC_GROUP_new_by_curve_name(NID_secp256k1);
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *key = NULL, *k = BN_new(), *r = BN_new(), *s = BN_new(), *e = BN_bin2bn(hash, 32, NULL), *half = BN_new();
    EC_POINT *point = EC_POINT_new(curve);
    const BIGNUM *order = EC_GROUP_get0_order(curve);
    BN_hex2bn(&key, key_hex + 2);
    /* a nonce that is the same in each run; for a key that is published anyway */
    BN_copy(k, key);
    BN_add_word(k, 12345);
    BN_mod(k, k, order, ctx);
    bool ok = EC_POINT_mul(curve, point, k, NULL, NULL, ctx) && EC_POINT_get_affine_coordinates(curve, point, r, NULL, ctx) && BN_mod(r, r, order, ctx) &&
              BN_mod_mul(s, r, key, order, ctx) && BN_mod_add(s, s, e, order, ctx) && BN_mod_inverse(k, k, order, ctx) && BN_mod_mul(s, s, k, order, ctx) &&
              BN_rshift1(half, order);
    if (ok && BN_cmp(s, half) > 0)
        BN_sub(s, order, s);
    ok = ok && BN_bn2binpad(r, out, 32) == 32 && BN_bn2binpad(s, out + 32, 32) == 32;
    BN_sub(s, order, s);
    ok = ok && BN_bn2binpad(s, upper_s, 32) == 32;
    BN_free(key), BN_free(k), BN_free(r), BN_free(s), BN_free(e), BN_free(half);
    EC_POINT_free(point);
    EC_GROUP_free(curve);
    BN_CTX_free(ctx);
    return ok;
}

static const char *text_of(const char *formula)
{
    krules_value value = { 0 };
    return krules_calc(session, formula, &value) ? value.text : "";
}

/* One of the two recovery ids gives the address, the other another one; with the other form of s nobody signed. */
static void account(char **c)
{
    unsigned char hash[32], signature[64], upper[32];
    char digest[LINE], hex[129], upper_hex[65], formula[400];
    lower(c[2]);
    /* "\x19Ethereum Signed Message:\n5hello" */
    snprintf(digest, sizeof digest, "%s", text_of("HEX(KECCAK256(UNHEX('19457468657265756d205369676e6564204d6573736167653a0a3568656c6c6f')))"));
    for (int i = 0; i < 32; i++)
        sscanf(digest + 2 * i, "%2hhx", &hash[i]);
    if (!unit_check(sign(c[1], hash, signature, upper), __FILE__, __LINE__, "%s signs", c[0]))
        return;
    hex_of(signature, 64, hex);
    hex_of(upper, 32, upper_hex);
    int hits = 0;
    for (int v = 0; v < 2; v++) {
        snprintf(formula, sizeof formula, "EIP191.SIGNER('hello', UNHEX('%s%02x'))", hex, v);
        bool hit = !strcmp(text_of(formula), c[2]);
        hits += hit;
        if (hit)
            gives(c[2], "EIP191.SIGNER('hello', UNHEX('%s%02x'))", hex, v + 27);
        gives("", "EIP191.SIGNER('hello', UNHEX('%.64s%s%02x'))", hex, upper_hex, v);
    }
    unit_check(hits == 1, __FILE__, __LINE__, "%s: the signer is found by %d of two recovery ids", c[0], hits);
}

static void personal(char **c)
{
    char count[24], digits[49];
    snprintf(count, sizeof count, "%zu", strlen(c[1]) / 2);
    hex_of((const unsigned char *)count, strlen(count), digits);
    gives(c[3] + 2, "HEX(KECCAK256(UNHEX('19457468657265756d205369676e6564204d6573736167653a0a%s%s')))", digits, c[1]);
    if (!*c[4])
        return;
    gives("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23", "EIP191.SIGNER('10284', UNHEX('%s'))", c[4]);
    gives("", "EIP191.SIGNER('10284', UNHEX('%s00'))", c[4]);      /* 66 bytes */
    gives("", "EIP191.SIGNER('10284', UNHEX('%.130s1d'))", c[4]);  /* last byte 29 */
    gives("", "EIP191.SIGNER('10284', UNHEX('%.130s02'))", c[4]);
}

static void encodings(void)
{
    static const char *const refused[] = { "aGk", "aGk=\n", " aGk=", "aGk-", "a===", "====", "aG=k", "aGl=", "aB==", "aGk=aGk=" };
    static const char *const good[][2] = { { "", "" }, { "Zg==", "66" }, { "Zm8=", "666f" }, { "Zm9v", "666f6f" }, { "Zm9vYg==", "666f6f62" }, { "+/+/", "fbffbf" } }; /* RFC 4648 section 10 */
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        gives("#VALUE!", "BASE64.DECODE('%s')", refused[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        gives(good[i][1], "HEX(BASE64.DECODE('%s'))", good[i][0]);
        gives(good[i][0], "BASE64.ENCODE(UNHEX('%s'))", good[i][1]);
    }
    /* the key of Alice, in the forms of three networks */
    static const char *const alice[] = { "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F" };
    for (size_t i = 0; i < 3; i++)
        gives("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d", "HEX(SS58.KEY('%s'))", alice[i]);
    static const char *const none[] = { "", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQ", "0x00", "1", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQ0" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        gives("", "SS58.KEY('%s')", none[i]);
}

int main(void)
{
    session = krules_new();
    CHECK(each_row("tests/num/vectors/keccak256.csv", keccak) == 168);
    CHECK(each_row("tests/num/vectors/eth_address.csv", account) == 184);
    CHECK(each_row("tests/num/vectors/eip191_personal_sign.csv", personal) == 4);
    encodings();
    krules_free(session);
    return unit_done();
}
