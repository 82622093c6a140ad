#include "vm/store/tsa.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ts.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "vm/store/file.h"
#include "vm/store/sign.h"
#include "vm/text/time.h"

static bool imprint_bytes(const char *hex, unsigned char bytes[32])
{
    for (int i = 0; i < 32; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1)
            return false;
        bytes[i] = (unsigned char)value;
    }
    return true;
}

const unsigned char *kr_tsa_request(kr_arena *arena, const char sha256_hex[65], size_t *len)
{
    unsigned char digest[32], *der = NULL;
    TS_REQ *request = TS_REQ_new();
    TS_MSG_IMPRINT *imprint = TS_MSG_IMPRINT_new();
    X509_ALGOR *algorithm = X509_ALGOR_new();
    KR_ASSERT(request && imprint && algorithm && imprint_bytes(sha256_hex, digest));
    X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL);
    TS_MSG_IMPRINT_set_algo(imprint, algorithm);
    TS_MSG_IMPRINT_set_msg(imprint, digest, sizeof digest);
    TS_REQ_set_version(request, 1);
    TS_REQ_set_msg_imprint(request, imprint);
    TS_REQ_set_cert_req(request, 1);
    int size = i2d_TS_REQ(request, &der);
    KR_ASSERT(size > 0); /* only lack of memory could make it fail */
    *len = (size_t)size;
    unsigned char *out = kr_arena_alloc(arena, *len);
    memcpy(out, der, *len);
    OPENSSL_free(der);
    X509_ALGOR_free(algorithm);
    TS_MSG_IMPRINT_free(imprint);
    TS_REQ_free(request);
    return out;
}

static const char *token_text(kr_arena *arena, PKCS7 *token)
{
    unsigned char *der = NULL;
    int size = i2d_PKCS7(token, &der);
    const char *text = size > 0 ? kr_base64(arena, der, (size_t)size) : NULL;
    OPENSSL_free(der);
    return text;
}

const char *kr_tsa_token_of(kr_arena *arena, const char *bytes, size_t len, const char **problem)
{
    const unsigned char *at = (const unsigned char *)bytes;
    const char *text = NULL;
    if (len > 1 << 20) {
        *problem = "it is too large for a token";
        return NULL;
    }
    TS_RESP *response = d2i_TS_RESP(NULL, &at, (long)len);
    if (response) {
        PKCS7 *token = TS_RESP_get_token(response);
        text = token ? token_text(arena, token) : NULL;
        *problem = "the authority's answer is a refusal";
        TS_RESP_free(response);
    } else {
        at = (const unsigned char *)bytes;
        PKCS7 *token = d2i_PKCS7(NULL, &at, (long)len);
        text = token ? token_text(arena, token) : NULL;
        *problem = "it is neither an answer of an authority nor a token (RFC 3161, DER)";
        PKCS7_free(token);
    }
    ERR_clear_error();
    return text;
}

const char **kr_tsa_certificates(kr_arena *arena, const char *path, int *count, kr_diags *diags)
{
    const char **all = NULL;
    size_t n = 0, capacity = 0;
    FILE *file = fopen(path, "re");
    X509 *certificate;
    while (file && (certificate = PEM_read_X509(file, NULL, NULL, NULL))) {
        unsigned char *der = NULL;
        int size = i2d_X509(certificate, &der);
        if (size > 0)
            KR_PUSH(arena, all, n, capacity) = kr_base64(arena, der, (size_t)size);
        OPENSSL_free(der);
        X509_free(certificate);
    }
    if (file)
        fclose(file);
    ERR_clear_error();
    *count = (int)n;
    if (!n)
        kr_diag_at(diags, KR_E_GOV_TOKEN, path, file ? "`%s` holds no certificate in PEM" : "`%s` cannot be read", path);
    return all;
}

/* ------------------------------------------------------------------ verification */

static bool time_of(const TS_TST_INFO *info, int64_t *ms)
{
    struct tm t;
    const ASN1_GENERALIZEDTIME *time = TS_TST_INFO_get_time(info);
    if (!time || ASN1_TIME_to_tm(time, &t) != 1)
        return false;
    int64_t day = kr_day_from_civil(t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
    *ms = day * KR_DAY_MS + (int64_t)t.tm_hour * 3600000 + (int64_t)t.tm_min * 60000 + (int64_t)t.tm_sec * 1000;
    const char *point = memchr(ASN1_STRING_get0_data(time), '.', (size_t)ASN1_STRING_length(time)); /* tm has no part of a second */
    for (int scale = 100; point && scale && point[1] >= '0' && point[1] <= '9'; point++, scale /= 10)
        *ms += (point[1] - '0') * scale;
    return true;
}

static X509_STORE *store_of(kr_arena *arena, STACK_OF(X509) *carried, const char *const *authorities, int count, int64_t time_ms)
{
    X509_STORE *store = X509_STORE_new();
    KR_ASSERT(store);
    for (int i = 0; i < count; i++) {
        size_t len = 0;
        const unsigned char *der = kr_base64_read(arena, authorities[i], &len);
        X509 *certificate = der ? d2i_X509(NULL, &der, (long)len) : NULL;
        if (certificate)
            X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
    }
    for (int i = 0; !count && i < sk_X509_num(carried); i++)
        X509_STORE_add_cert(store, sk_X509_value(carried, i));
    X509_VERIFY_PARAM *param = X509_STORE_get0_param(store);
    X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN); /* an authority may be named by any certificate of its chain */
    X509_VERIFY_PARAM_set_time(param, (time_t)(time_ms / 1000));   /* it held when it was made: certificates end, proofs do not */
    return store;
}

bool kr_tsa_verify(kr_arena *arena, const char *text, const char sha256_hex[65], const char *const *authorities, int count, kr_stamped *out, const char **problem)
{
    size_t len = 0;
    const unsigned char *der = kr_base64_read(arena, text, &len);
    PKCS7 *token = der ? d2i_PKCS7(NULL, &der, (long)len) : NULL;
    TS_TST_INFO *info = token && PKCS7_type_is_signed(token) ? PKCS7_to_TS_TST_INFO(token) : NULL;
    X509 *signer = NULL;
    bool ok = false;
    *out = (kr_stamped){ 0 };
    *problem = "it is no token";
    if (!info || !time_of(info, &out->time_ms))
        goto done;
    TS_MSG_IMPRINT *imprint = TS_TST_INFO_get_msg_imprint(info);
    const ASN1_OBJECT *algorithm = NULL;
    X509_ALGOR_get0(&algorithm, NULL, NULL, TS_MSG_IMPRINT_get_algo(imprint));
    const ASN1_OCTET_STRING *message = TS_MSG_IMPRINT_get_msg(imprint);
    unsigned char digest[32];
    *problem = "it is about other bytes";
    if (OBJ_obj2nid(algorithm) != NID_sha256 || ASN1_STRING_length(message) != 32 || !imprint_bytes(sha256_hex, digest) ||
        memcmp(ASN1_STRING_get0_data(message), digest, 32) != 0)
        goto done;
    STACK_OF(X509) *carried = token->d.sign->cert;
    *problem = "it carries no certificate: ask the authority to put its own in (certReq)";
    if (sk_X509_num(carried) <= 0)
        goto done;
    X509_STORE *store = store_of(arena, carried, authorities, count, out->time_ms);
    ok = TS_RESP_verify_signature(token, carried, store, &signer) == 1;
    X509_STORE_free(store);
    if (!ok) {
        unsigned long code = ERR_peek_last_error();
        const char *reason = ERR_reason_error_string(code);
        *problem = kr_arena_printf(arena, count ? "its signature does not hold, or goes back to none of the authorities named (%s)" : "its signature does not hold (%s)", reason ? reason : "no reason given");
        goto done;
    }
    char name[256] = "";
    X509_NAME_get_text_by_NID(X509_get_subject_name(signer), NID_commonName, name, sizeof name);
    if (!*name)
        X509_NAME_oneline(X509_get_subject_name(signer), name, sizeof name);
    out->authority = kr_arena_copy(arena, name, strlen(name));
    out->named = count > 0;
done:
    ERR_clear_error();
    X509_free(signer);
    TS_TST_INFO_free(info);
    PKCS7_free(token);
    return ok;
}
