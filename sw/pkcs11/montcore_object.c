/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys as objects: what they tell of themselves, and how they are found. A private value is not told.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <string.h>

#include "montcore_pkcs11.h"

#define LOCKED "montcore:locked"
#define token montcore_the_token

/* The value of an attribute. */
typedef struct {
  uint8_t bytes[MONTCORE_MAX_BYTES + 256u];
  size_t count;
} value;

/* The bytes of an object in DER; 0 if it is too long. */
typedef int encoder(const void *, unsigned char **);
static int put_der(value *out, const void *object, encoder *encode) {
  unsigned char *at = out->bytes;
  const int size = object ? encode(object, NULL) : 0;
  if (size <= 0 || (size_t)size > sizeof out->bytes || encode(object, &at) != size) return 0;
  out->count = (size_t)size;
  return 1;
}
static int encode_public(const void *key, unsigned char **at) { return i2d_PUBKEY(key, at); }
static int encode_name(const void *name, unsigned char **at) { return i2d_ASN1_OBJECT(name, at); }
static int encode_string(const void *string, unsigned char **at) {
  return i2d_ASN1_OCTET_STRING(string, at);
}

static CK_RV put(value *out, const void *bytes, size_t count) {
  if (count > sizeof out->bytes) return CKR_GENERAL_ERROR;
  if (count) memcpy(out->bytes, bytes, count);
  out->count = count;
  return CKR_OK;
}
static CK_RV put_number(value *out, CK_ULONG number) { return put(out, &number, sizeof number); }
static CK_RV put_flag(value *out, int flag) {
  const CK_BBOOL byte = flag ? CK_TRUE : CK_FALSE;
  return put(out, &byte, sizeof byte);
}

/* A number of the public part, the highest byte first. */
static CK_RV put_big(value *out, EVP_PKEY *key, const char *name) {
  BIGNUM *number = NULL;
  CK_RV result = CKR_GENERAL_ERROR;
  if (EVP_PKEY_get_bn_param(key, name, &number) && (size_t)BN_num_bytes(number) <= sizeof out->bytes) {
    out->count = (size_t)BN_bn2bin(number, out->bytes);
    result = CKR_OK;
  }
  BN_free(number);
  return result;
}

/* The point of a public key: an OCTET STRING of 04, x, y. */
static CK_RV put_point(value *out, const montcore_key *key) {
  const int bytes = (int)((key->curve->p_bits + 7u) / 8u);
  uint8_t point[1 + 2 * 66] = {4};
  ASN1_OCTET_STRING *string = ASN1_OCTET_STRING_new();
  BIGNUM *x = NULL, *y = NULL;
  int done = string && bytes <= 66 &&
             EVP_PKEY_get_bn_param(key->visible, OSSL_PKEY_PARAM_EC_PUB_X, &x) &&
             EVP_PKEY_get_bn_param(key->visible, OSSL_PKEY_PARAM_EC_PUB_Y, &y) &&
             BN_bn2binpad(x, point + 1, bytes) > 0 && BN_bn2binpad(y, point + 1 + bytes, bytes) > 0 &&
             ASN1_OCTET_STRING_set(string, point, 1 + 2 * bytes) &&
             put_der(out, string, encode_string);
  BN_free(x);
  BN_free(y);
  ASN1_OCTET_STRING_free(string);
  return done ? CKR_OK : CKR_GENERAL_ERROR;
}

static CK_RV put_curve(value *out, const montcore_key *key) {
  char name[64];
  size_t count = 0;
  if (!EVP_PKEY_get_group_name(key->visible, name, sizeof name, &count)) return CKR_GENERAL_ERROR;
  return put_der(out, OBJ_nid2obj(OBJ_txt2nid(name)), encode_name) ? CKR_OK : CKR_GENERAL_ERROR;
}

static CK_RV get_rsa(const montcore_key *key, CK_ATTRIBUTE_TYPE type, int secret, value *out) {
  switch (type) {
    case CKA_MODULUS: return put_big(out, key->visible, OSSL_PKEY_PARAM_RSA_N);
    case CKA_PUBLIC_EXPONENT: return put_big(out, key->visible, OSSL_PKEY_PARAM_RSA_E);
    case CKA_MODULUS_BITS:
      if (secret) return CKR_ATTRIBUTE_TYPE_INVALID;
      return put_number(out, (CK_ULONG)EVP_PKEY_get_bits(key->visible));
    case CKA_PRIVATE_EXPONENT:
    case CKA_PRIME_1:
    case CKA_PRIME_2:
    case CKA_EXPONENT_1:
    case CKA_EXPONENT_2:
    case CKA_COEFFICIENT: return secret ? CKR_ATTRIBUTE_SENSITIVE : CKR_ATTRIBUTE_TYPE_INVALID;
    default: return CKR_ATTRIBUTE_TYPE_INVALID;
  }
}

static CK_RV get_ec(const montcore_key *key, CK_ATTRIBUTE_TYPE type, int secret, value *out) {
  switch (type) {
    case CKA_EC_PARAMS: return put_curve(out, key);
    case CKA_EC_POINT: return secret ? CKR_ATTRIBUTE_TYPE_INVALID : put_point(out, key);
    case CKA_VALUE: return secret ? CKR_ATTRIBUTE_SENSITIVE : CKR_ATTRIBUTE_TYPE_INVALID;
    default: return CKR_ATTRIBUTE_TYPE_INVALID;
  }
}

static CK_RV get_private(const montcore_key *key, CK_ATTRIBUTE_TYPE type, value *out) {
  switch (type) {
    case CKA_SENSITIVE:
    case CKA_SIGN: return put_flag(out, 1);
    case CKA_DECRYPT: return put_flag(out, key->kind == MONTCORE_RSA);
    case CKA_EXTRACTABLE:
    case CKA_NEVER_EXTRACTABLE: /* it was in a file */
    case CKA_ALWAYS_SENSITIVE:
    case CKA_SIGN_RECOVER:
    case CKA_UNWRAP:
    case CKA_WRAP_WITH_TRUSTED:
    case CKA_ALWAYS_AUTHENTICATE: return put_flag(out, 0);
    default: return key->kind == MONTCORE_EC ? get_ec(key, type, 1, out) : get_rsa(key, type, 1, out);
  }
}

static CK_RV get_public(const montcore_key *key, CK_ATTRIBUTE_TYPE type, value *out) {
  switch (type) {
    case CKA_ENCRYPT:
    case CKA_VERIFY:
    case CKA_VERIFY_RECOVER:
    case CKA_WRAP:
    case CKA_TRUSTED: return put_flag(out, 0);
    default: return key->kind == MONTCORE_EC ? get_ec(key, type, 0, out) : get_rsa(key, type, 0, out);
  }
}

static CK_RV get(const montcore_pair *pair, CK_OBJECT_CLASS kind, CK_ATTRIBUTE_TYPE type, value *out) {
  switch (type) {
    case CKA_CLASS: return put_number(out, kind);
    case CKA_KEY_TYPE: return put_number(out, pair->key->kind == MONTCORE_EC ? CKK_EC : CKK_RSA);
    case CKA_KEY_GEN_MECHANISM: return put_number(out, CK_UNAVAILABLE_INFORMATION);
    case CKA_LABEL: return put(out, pair->label, strlen(pair->label));
    case CKA_ID: return put(out, pair->id, sizeof pair->id);
    case CKA_SUBJECT:
    case CKA_START_DATE:
    case CKA_END_DATE: return put(out, NULL, 0);
    case CKA_TOKEN: return put_flag(out, 1);
    case CKA_PRIVATE: /* it takes no login to see it */
    case CKA_MODIFIABLE:
    case CKA_COPYABLE:
    case CKA_DESTROYABLE:
    case CKA_LOCAL:
    case CKA_DERIVE: return put_flag(out, 0);
    case CKA_PUBLIC_KEY_INFO:
      return put_der(out, pair->key->visible, encode_public) ? CKR_OK : CKR_GENERAL_ERROR;
    default:
      return kind == CKO_PRIVATE_KEY ? get_private(pair->key, type, out)
                                     : get_public(pair->key, type, out);
  }
}

montcore_pair *montcore_find_pair(CK_OBJECT_HANDLE handle, CK_OBJECT_CLASS *kind) {
  if (handle < 1 || (handle - 1) / 2 >= token.count) return NULL;
  *kind = handle % 2 ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY;
  return &token.pairs[(handle - 1) / 2];
}

CK_RV C_GetAttributeValue(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *list,
                          CK_ULONG count) {
  CK_OBJECT_CLASS kind;
  montcore_pair *pair;
  CK_ULONG i;
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session), one;
  value out;
  if (result != CKR_OK) return result;
  pair = montcore_find_pair(object, &kind);
  if (!pair) return montcore_leave(CKR_OBJECT_HANDLE_INVALID);
  if (!list && count) return montcore_leave(CKR_ARGUMENTS_BAD);
  for (i = 0; i < count; i++) {
    one = get(pair, kind, list[i].type, &out);
    if (one == CKR_OK && list[i].pValue && list[i].ulValueLen < out.count) one = CKR_BUFFER_TOO_SMALL;
    if (one == CKR_OK && list[i].pValue && out.count) memcpy(list[i].pValue, out.bytes, out.count);
    list[i].ulValueLen = one == CKR_OK ? out.count : CK_UNAVAILABLE_INFORMATION;
    if (one != CKR_OK) result = one;
  }
  return montcore_leave(result);
}

static int matches(CK_OBJECT_HANDLE object, const CK_ATTRIBUTE *list, CK_ULONG count) {
  CK_OBJECT_CLASS kind;
  const montcore_pair *pair = montcore_find_pair(object, &kind);
  value out;
  CK_ULONG i;
  if (!pair) return 0;
  for (i = 0; i < count; i++) {
    if (get(pair, kind, list[i].type, &out) != CKR_OK || out.count != list[i].ulValueLen) return 0;
    if (out.count && (!list[i].pValue || memcmp(out.bytes, list[i].pValue, out.count))) return 0;
  }
  return 1;
}

CK_RV C_FindObjectsInit(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *list, CK_ULONG count) {
  montcore_session *session;
  CK_OBJECT_HANDLE object;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  if (!list && count) return montcore_leave(CKR_ARGUMENTS_BAD);
  if (session->finds) return montcore_leave(CKR_OPERATION_ACTIVE);
  session->found = OPENSSL_malloc((2 * token.count + 1) * sizeof *session->found);
  if (!session->found) return montcore_leave(CKR_HOST_MEMORY);
  session->finds = 1;
  session->found_at = session->found_count = 0;
  for (object = 1; object <= 2 * token.count; object++) {
    if (matches(object, list, count)) session->found[session->found_count++] = object;
  }
  return montcore_leave(CKR_OK);
}

CK_RV C_FindObjects(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE *objects, CK_ULONG room,
                    CK_ULONG *count) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  if (!count || (!objects && room)) return montcore_leave(CKR_ARGUMENTS_BAD);
  if (!session->finds) return montcore_leave(CKR_OPERATION_NOT_INITIALIZED);
  for (*count = 0; *count < room && session->found_at < session->found_count; (*count)++) {
    objects[*count] = session->found[session->found_at++];
  }
  return montcore_leave(CKR_OK);
}

CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE handle) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  if (!session->finds) return montcore_leave(CKR_OPERATION_NOT_INITIALIZED);
  OPENSSL_free(session->found);
  session->found = NULL;
  session->finds = 0;
  return montcore_leave(CKR_OK);
}

/* The identifier is what certificates have as that of their subject's key: SHA-1 of its bits. */
static int identify(montcore_pair *pair) {
  X509_PUBKEY *wrapped = NULL;
  const unsigned char *bits = NULL;
  int count = 0;
  const int done = X509_PUBKEY_set(&wrapped, pair->key->visible) &&
                   X509_PUBKEY_get0_param(NULL, &bits, &count, NULL, wrapped) &&
                   EVP_Q_digest(token.provider.library, "SHA1", NULL, bits, (size_t)count, pair->id, NULL);
  X509_PUBKEY_free(wrapped);
  return done;
}

/* The label is the file's name without folder and suffix. */
static void name_pair(montcore_pair *pair, const char *path) {
  const char *begin = strrchr(path, '/'), *end;
  size_t count;
  begin = begin ? begin + 1 : path;
  end = strrchr(begin, '.');
  count = end && end != begin ? (size_t)(end - begin) : strlen(begin);
  if (count >= sizeof pair->label) count = sizeof pair->label - 1;
  memcpy(pair->label, begin, count);
  pair->label[count] = '\0';
}

static int load_pair(montcore_pair *pair, const char *path) {
  const int locked = !strcmp(path, LOCKED);
  pair->key = locked ? montcore_key_locked(&token.provider)
                     : montcore_key_read(&token.provider, path, NULL, NULL);
  if (!pair->key) return 0;
  name_pair(pair, locked ? "locked" : path);
  return identify(pair) ||
         montcore_complain(PROV_R_INVALID_KEY, "%s has no public key to be known by", path);
}

int montcore_load_pairs(const char *list) {
  char *paths = OPENSSL_strdup(list), *rest = paths, *path;
  const char *at;
  CK_ULONG room = 1;
  int done = 1;
  for (at = list; *at; at++) room += *at == ',';
  token.pairs = OPENSSL_zalloc(room * sizeof *token.pairs);
  done = paths && token.pairs;
  while (done && (path = strsep(&rest, ","))) {
    path += strspn(path, " ");
    if (*path) done = load_pair(&token.pairs[token.count++], path);
  }
  OPENSSL_free(paths);
  return done;
}

void montcore_free_pairs(void) {
  CK_ULONG i;
  for (i = 0; i < token.count; i++) montcore_key_free(token.pairs[i].key);
  OPENSSL_free(token.pairs);
  token.pairs = NULL;
  token.count = 0;
}
