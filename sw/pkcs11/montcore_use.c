/* SPDX-License-Identifier: Apache-2.0
 *
 * Signing and decryption. The accelerator computes; digests and paddings are OpenSSL's.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <string.h>

#include "montcore_pkcs11.h"

#define token montcore_the_token
#define MAX_DER 160u /* of an ECDSA signature */

typedef enum { PKCS1, PSS, OAEP, ECDSA } scheme;

/* `digest`: of the message, where the mechanism has one. */
typedef struct {
  CK_MECHANISM_TYPE type;
  scheme scheme;
  const char *digest;
} mechanism;

static const mechanism mechanisms[] = {
    {CKM_RSA_PKCS, PKCS1, NULL},
    {CKM_SHA256_RSA_PKCS, PKCS1, "SHA256"},
    {CKM_SHA384_RSA_PKCS, PKCS1, "SHA384"},
    {CKM_SHA512_RSA_PKCS, PKCS1, "SHA512"},
    {CKM_RSA_PKCS_PSS, PSS, NULL},
    {CKM_SHA256_RSA_PKCS_PSS, PSS, "SHA256"},
    {CKM_SHA384_RSA_PKCS_PSS, PSS, "SHA384"},
    {CKM_SHA512_RSA_PKCS_PSS, PSS, "SHA512"},
    {CKM_RSA_PKCS_OAEP, OAEP, NULL},
    {CKM_ECDSA, ECDSA, NULL},
    {CKM_ECDSA_SHA256, ECDSA, "SHA256"},
    {CKM_ECDSA_SHA384, ECDSA, "SHA384"},
    {CKM_ECDSA_SHA512, ECDSA, "SHA512"},
};
#define MECHANISMS (sizeof mechanisms / sizeof *mechanisms)

/* What parameters of PSS and OAEP may name. */
static const struct {
  CK_MECHANISM_TYPE type;
  CK_ULONG mask;
  const char *name;
} digests[] = {{CKM_SHA_1, CKG_MGF1_SHA1, "SHA1"},
               {CKM_SHA256, CKG_MGF1_SHA256, "SHA256"},
               {CKM_SHA384, CKG_MGF1_SHA384, "SHA384"},
               {CKM_SHA512, CKG_MGF1_SHA512, "SHA512"}};
#define DIGESTS (sizeof digests / sizeof *digests)

struct montcore_use {
  const mechanism *mechanism;
  montcore_key *key;
  EVP_MD *digest, *mask; /* of the message, of PSS or of OAEP */
  int salt;
  uint8_t *label; /* of OAEP */
  size_t label_count;
  EVP_MD_CTX *hash; /* of a message that is hashed here */
  int parts;        /* some of it came by C_SignUpdate */
};

void montcore_use_free(montcore_use *use) {
  if (!use) return;
  montcore_key_free(use->key);
  EVP_MD_free(use->digest);
  EVP_MD_free(use->mask);
  EVP_MD_CTX_free(use->hash);
  OPENSSL_free(use->label);
  OPENSSL_free(use);
}

CK_RV montcore_mechanisms(CK_MECHANISM_TYPE *list, CK_ULONG *count) {
  const CK_ULONG room = *count;
  CK_ULONG i;
  *count = MECHANISMS;
  if (!list) return CKR_OK;
  if (room < MECHANISMS) return CKR_BUFFER_TOO_SMALL;
  for (i = 0; i < MECHANISMS; i++) list[i] = mechanisms[i].type;
  return CKR_OK;
}

static const mechanism *find_mechanism(CK_MECHANISM_TYPE type) {
  size_t i;
  for (i = 0; i < MECHANISMS; i++) {
    if (mechanisms[i].type == type) return &mechanisms[i];
  }
  return NULL;
}

/* Asks for the lengths of keys, without the lock, until an accelerator has answered; before, they are those of
 * the driver. */
static void ask_widths(unsigned *rsa, unsigned *curves) {
  int answered;
  *rsa = token.rsa_bits, *curves = token.curve_bits;
  if (*rsa || *curves) return;
  montcore_compute();
  answered = montcore_device_widths(&token.provider, rsa, curves);
  montcore_computed();
  if (answered) token.rsa_bits = *rsa, token.curve_bits = *curves;
  else *rsa = *curves = MONTCORE_PKA_MAX_BITS;
}

/* A mechanism whose unit the accelerator lacks has no sizes and no uses. */
CK_RV montcore_mechanism_info(CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info) {
  const mechanism *found = find_mechanism(type);
  const montcore_known_curve *known = montcore_known_curves;
  unsigned rsa, curves;
  if (!found) return CKR_MECHANISM_INVALID;
  ask_widths(&rsa, &curves);
  memset(info, 0, sizeof *info);
  info->ulMinKeySize = found->scheme == ECDSA ? 256u : 512u;
  if (found->scheme != ECDSA) info->ulMaxKeySize = rsa;
  for (; found->scheme == ECDSA && known->curve; known++) {
    const CK_ULONG bits = known->curve->p_bits;
    if (bits <= curves && bits > info->ulMaxKeySize) info->ulMaxKeySize = bits;
  }
  if (info->ulMaxKeySize < info->ulMinKeySize) {
    memset(info, 0, sizeof *info);
    return CKR_OK;
  }
  info->flags = CKF_HW | (found->scheme == OAEP ? CKF_DECRYPT : CKF_SIGN);
  if (found->scheme == ECDSA) info->flags |= CKF_EC_F_P | CKF_EC_NAMEDCURVE | CKF_EC_UNCOMPRESS;
  return CKR_OK;
}

static EVP_MD *fetch(const char *name) { return EVP_MD_fetch(token.provider.library, name, NULL); }

/* The digests of a parameter; null where it names none. */
static void fetch_named(montcore_use *use, CK_MECHANISM_TYPE type, CK_ULONG mask) {
  size_t i;
  for (i = 0; i < DIGESTS; i++) {
    if (digests[i].type == type && !use->digest) use->digest = fetch(digests[i].name);
    if (digests[i].mask == mask) use->mask = fetch(digests[i].name);
  }
}

/* Whether a key of PSS, which may be for one digest, one mask and a shortest salt only, permits these. */
static int permitted(const montcore_use *use) {
  EVP_PKEY_CTX *asked =
      EVP_PKEY_CTX_new_from_pkey(token.provider.library, use->key->visible, MONTCORE_OTHERS);
  const int done = asked && EVP_PKEY_sign_init(asked) > 0 &&
                   EVP_PKEY_CTX_set_rsa_padding(asked, RSA_PKCS1_PSS_PADDING) > 0 &&
                   EVP_PKEY_CTX_set_signature_md(asked, use->digest) > 0 &&
                   EVP_PKEY_CTX_set_rsa_mgf1_md(asked, use->mask) > 0 &&
                   EVP_PKEY_CTX_set_rsa_pss_saltlen(asked, use->salt) > 0;
  EVP_PKEY_CTX_free(asked);
  return done;
}

static CK_RV take_pss(montcore_use *use, const CK_MECHANISM *given) {
  const CK_RSA_PKCS_PSS_PARAMS *params = given->pParameter;
  const int most = (EVP_PKEY_get_bits(use->key->visible) + 6) / 8 - 2;
  if (!params || given->ulParameterLen != sizeof *params) return CKR_MECHANISM_PARAM_INVALID;
  if (use->digest) {
    /* The digest of the mechanism's name must be that of its parameter. */
    size_t i;
    for (i = 0; i < DIGESTS && digests[i].type != params->hashAlg; i++) continue;
    if (i == DIGESTS || strcmp(digests[i].name, use->mechanism->digest)) return CKR_MECHANISM_PARAM_INVALID;
  }
  fetch_named(use, params->hashAlg, params->mgf);
  if (!use->digest || !use->mask || most < EVP_MD_get_size(use->digest) ||
      params->sLen > (CK_ULONG)(most - EVP_MD_get_size(use->digest))) {
    return CKR_MECHANISM_PARAM_INVALID;
  }
  use->salt = (int)params->sLen;
  return use->key->kind != MONTCORE_PSS || permitted(use) ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
}

static CK_RV take_oaep(montcore_use *use, const CK_MECHANISM *given) {
  const CK_RSA_PKCS_OAEP_PARAMS *params = given->pParameter;
  if (!params || given->ulParameterLen != sizeof *params) return CKR_MECHANISM_PARAM_INVALID;
  if (params->source != CKZ_DATA_SPECIFIED && (params->source || params->ulSourceDataLen)) {
    return CKR_MECHANISM_PARAM_INVALID;
  }
  if (params->ulSourceDataLen > 0x10000u || (params->ulSourceDataLen && !params->pSourceData)) {
    return CKR_MECHANISM_PARAM_INVALID;
  }
  fetch_named(use, params->hashAlg, params->mgf);
  if (!use->digest || !use->mask) return CKR_MECHANISM_PARAM_INVALID;
  if (EVP_PKEY_get_size(use->key->visible) < 2 * EVP_MD_get_size(use->digest) + 2) return CKR_KEY_SIZE_RANGE;
  if (!params->ulSourceDataLen) return CKR_OK;
  use->label = OPENSSL_memdup(params->pSourceData, params->ulSourceDataLen);
  use->label_count = params->ulSourceDataLen;
  return use->label ? CKR_OK : CKR_HOST_MEMORY;
}

static CK_RV prepare(montcore_use *use, const CK_MECHANISM *given) {
  if (use->mechanism->digest) {
    use->digest = fetch(use->mechanism->digest);
    use->hash = EVP_MD_CTX_new();
    if (!use->digest || !use->hash || !EVP_DigestInit_ex2(use->hash, use->digest, NULL)) {
      return CKR_HOST_MEMORY;
    }
  }
  if (use->mechanism->scheme == PSS) return take_pss(use, given);
  if (use->mechanism->scheme == OAEP) return take_oaep(use, given);
  return given->ulParameterLen ? CKR_MECHANISM_PARAM_INVALID : CKR_OK;
}

/* Begins signing or decryption; the lock is held. */
static CK_RV begin(montcore_use **place, int decrypts, const CK_MECHANISM *given,
                   CK_OBJECT_HANDLE object) {
  const mechanism *found;
  CK_OBJECT_CLASS kind;
  montcore_pair *pair;
  montcore_use *use;
  CK_RV result;
  if (!given) return CKR_ARGUMENTS_BAD;
  if (*place) return CKR_OPERATION_ACTIVE;
  found = find_mechanism(given->mechanism);
  if (!found || decrypts != (found->scheme == OAEP)) return CKR_MECHANISM_INVALID;
  pair = montcore_find_pair(object, &kind);
  if (!pair) return CKR_KEY_HANDLE_INVALID;
  if (kind != CKO_PRIVATE_KEY) return CKR_KEY_FUNCTION_NOT_PERMITTED;
  if ((found->scheme == ECDSA) != (pair->key->kind == MONTCORE_EC)) return CKR_KEY_TYPE_INCONSISTENT;
  if (pair->key->kind == MONTCORE_PSS && found->scheme != PSS) return CKR_KEY_FUNCTION_NOT_PERMITTED;
  use = OPENSSL_zalloc(sizeof *use);
  if (!use) return CKR_HOST_MEMORY;
  use->mechanism = found;
  use->key = montcore_key_share(pair->key);
  result = prepare(use, given);
  if (result == CKR_OK) *place = use;
  else montcore_use_free(use);
  return result;
}

static CK_RV begin_call(const char *call, CK_SESSION_HANDLE handle, int decrypts, const CK_MECHANISM *given,
                        CK_OBJECT_HANDLE object) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(call, handle, &session);
  if (result != CKR_OK) return result;
  return montcore_leave(begin(decrypts ? &session->decrypt : &session->sign, decrypts, given, object));
}

CK_RV C_SignInit(CK_SESSION_HANDLE handle, CK_MECHANISM *given, CK_OBJECT_HANDLE key) {
  return begin_call(__func__, handle, 0, given, key);
}
CK_RV C_DecryptInit(CK_SESSION_HANDLE handle, CK_MECHANISM *given, CK_OBJECT_HANDLE key) {
  return begin_call(__func__, handle, 1, given, key);
}

/* Why the accelerator did not do it. */
static CK_RV device_error(void) {
  const int reason = ERR_GET_REASON(ERR_peek_last_error());
  if (reason == PROV_R_INVALID_KEY_LENGTH || reason == PROV_R_NOT_SUPPORTED) return CKR_KEY_SIZE_RANGE;
  return CKR_DEVICE_ERROR;
}

/* Bytes of one of the two numbers of an ECDSA signature. */
static int half(const montcore_key *key) { return (int)((key->curve->n_bits + 7u) / 8u); }

/* The room that a result needs. */
static size_t most(const montcore_use *use) {
  const size_t bytes = (size_t)EVP_PKEY_get_size(use->key->visible);
  if (use->mechanism->scheme == ECDSA) return 2u * (size_t)half(use->key);
  if (use->mechanism->scheme == OAEP) return bytes - 2u * (size_t)EVP_MD_get_size(use->digest) - 2u;
  return bytes;
}

static CK_RV sign_rsa(const montcore_use *use, const uint8_t *message, size_t count, uint8_t *out) {
  uint8_t block[MONTCORE_MAX_BYTES];
  const int bytes = EVP_PKEY_get_size(use->key->visible);
  CK_RV result = CKR_FUNCTION_FAILED;
  int padded;
  if (bytes <= 11 || (size_t)bytes > sizeof block) return CKR_KEY_SIZE_RANGE;
  if (use->mechanism->scheme == PSS) {
    if (count != (size_t)EVP_MD_get_size(use->digest)) return CKR_DATA_LEN_RANGE;
    padded = RSA_padding_add_PKCS1_PSS_mgf1(use->key->rsa_public, block, message, use->digest,
                                            use->mask, use->salt);
  } else {
    if (count > (size_t)bytes - 11u) return CKR_DATA_LEN_RANGE;
    padded = montcore_pad_pkcs1(block, bytes, use->digest, message, count);
  }
  if (padded > 0) result = montcore_device_rsa(use->key, block, out) == 1 ? CKR_OK : device_error();
  OPENSSL_cleanse(block, sizeof block);
  return result;
}

/* r and s, as long as the order; what OpenSSL does not verify is not handed out. */
static CK_RV sign_ecdsa(const montcore_use *use, const uint8_t *digest, size_t count, uint8_t *out) {
  uint8_t der[MAX_DER];
  const unsigned char *at = der;
  const int bytes = half(use->key);
  size_t size = sizeof der;
  ECDSA_SIG *pair = NULL;
  EVP_PKEY_CTX *check;
  int done;
  if (count == 0 || count > EVP_MAX_MD_SIZE) return CKR_DATA_LEN_RANGE;
  if (montcore_device_ecdsa(use->key, digest, count, der, &size) != 1) return device_error();
  check = EVP_PKEY_CTX_new_from_pkey(use->key->provider->library, use->key->visible, MONTCORE_OTHERS);
  done = check && EVP_PKEY_verify_init(check) > 0 &&
         EVP_PKEY_verify(check, der, size, digest, count) == 1 &&
         (pair = d2i_ECDSA_SIG(NULL, &at, (long)size)) != NULL &&
         BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, bytes) > 0 &&
         BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + bytes, bytes) > 0;
  EVP_PKEY_CTX_free(check);
  ECDSA_SIG_free(pair);
  OPENSSL_cleanse(der, sizeof der);
  return done ? CKR_OK : CKR_DEVICE_ERROR;
}

/* Takes the message out of its block, in time that does not tell where the padding is wrong. */
static CK_RV open_oaep(const montcore_use *use, const uint8_t *in, size_t count, uint8_t *out,
                       CK_ULONG *size) {
  uint8_t block[MONTCORE_MAX_BYTES], message[MONTCORE_MAX_BYTES];
  const int bytes = EVP_PKEY_get_size(use->key->visible);
  BIGNUM *number;
  CK_RV result;
  int length = -1, small;
  if ((size_t)bytes > sizeof block) return CKR_KEY_SIZE_RANGE;
  if (count != (size_t)bytes) return CKR_ENCRYPTED_DATA_LEN_RANGE;
  number = BN_bin2bn(in, bytes, NULL);
  small = number && BN_ucmp(number, RSA_get0_n(use->key->rsa_public)) < 0;
  BN_free(number);
  if (!small) return CKR_ENCRYPTED_DATA_INVALID;
  result = montcore_device_rsa(use->key, in, block) == 1 ? CKR_OK : device_error();
  if (result == CKR_OK) {
    length = RSA_padding_check_PKCS1_OAEP_mgf1(message, bytes, block, bytes, bytes, use->label,
                                               (int)use->label_count, use->digest, use->mask);
    if (length < 0 || (size_t)length > most(use)) result = CKR_ENCRYPTED_DATA_INVALID;
    else memcpy(out, message, (size_t)length);
  }
  if (result == CKR_OK) *size = (CK_ULONG)length;
  OPENSSL_cleanse(block, sizeof block);
  OPENSSL_cleanse(message, sizeof message);
  return result;
}

/* Signs a message, or what came of it before; the lock is not held. */
static CK_RV sign(const montcore_use *use, const uint8_t *message, size_t count, uint8_t *out,
                  CK_ULONG *size) {
  uint8_t value[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  CK_RV result;
  if (use->hash) {
    if (!EVP_DigestUpdate(use->hash, message, count) || !EVP_DigestFinal_ex(use->hash, value, &length)) {
      return CKR_FUNCTION_FAILED;
    }
    message = value;
    count = length;
  }
  result = use->mechanism->scheme == ECDSA ? sign_ecdsa(use, message, count, out)
                                           : sign_rsa(use, message, count, out);
  if (result == CKR_OK) *size = (CK_ULONG)most(use);
  else OPENSSL_cleanse(out, most(use));
  return result;
}

/* The end of an operation: it is over, unless only the length was asked for or there is no room. */
typedef CK_RV ending(const montcore_use *, const uint8_t *, size_t, uint8_t *, CK_ULONG *);
static CK_RV finish(const char *call, CK_SESSION_HANDLE handle, int decrypts, int whole, ending *end,
                    const uint8_t *in, CK_ULONG count, uint8_t *out, CK_ULONG *size) {
  montcore_session *session;
  montcore_use **place, *use;
  CK_RV result = montcore_enter_session(call, handle, &session);
  if (result != CKR_OK) return result;
  place = decrypts ? &session->decrypt : &session->sign;
  use = *place;
  if (!use) return montcore_leave(CKR_OPERATION_NOT_INITIALIZED);
  if (size && (!out || *size < most(use))) {
    *size = (CK_ULONG)most(use);
    return montcore_leave(out ? CKR_BUFFER_TOO_SMALL : CKR_OK);
  }
  *place = NULL; /* whatever happens now */
  if (!size || (!in && count)) {
    result = CKR_ARGUMENTS_BAD;
  } else if (whole && use->parts) {
    result = CKR_OPERATION_ACTIVE;
  } else if (!whole && !use->hash) {
    result = CKR_FUNCTION_NOT_SUPPORTED;
  } else {
    montcore_compute();
    result = end(use, in ? in : (const uint8_t *)"", count, out, size);
    montcore_computed();
  }
  montcore_use_free(use);
  return montcore_leave(result);
}

CK_RV C_Sign(CK_SESSION_HANDLE handle, CK_BYTE *data, CK_ULONG count, CK_BYTE *signature,
             CK_ULONG *size) {
  return finish(__func__, handle, 0, 1, sign, data, count, signature, size);
}

CK_RV C_SignFinal(CK_SESSION_HANDLE handle, CK_BYTE *signature, CK_ULONG *size) {
  return finish(__func__, handle, 0, 0, sign, NULL, 0, signature, size);
}

CK_RV C_Decrypt(CK_SESSION_HANDLE handle, CK_BYTE *in, CK_ULONG count, CK_BYTE *out,
                CK_ULONG *size) {
  return finish(__func__, handle, 1, 1, open_oaep, in, count, out, size);
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE handle, CK_BYTE *part, CK_ULONG count) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  if (!session->sign) return montcore_leave(CKR_OPERATION_NOT_INITIALIZED);
  if (!part && count) result = CKR_ARGUMENTS_BAD;
  else if (!session->sign->hash) result = CKR_FUNCTION_NOT_SUPPORTED; /* it takes one part */
  else if (count && !EVP_DigestUpdate(session->sign->hash, part, count)) result = CKR_FUNCTION_FAILED;
  session->sign->parts = 1;
  if (result != CKR_OK) {
    montcore_use_free(session->sign);
    session->sign = NULL;
  }
  return montcore_leave(result);
}
