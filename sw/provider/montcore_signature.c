/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures. The twin keeps digest, padding and what belongs to them, and it verifies. Signing with a
 * held key takes the settings from there.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <string.h>

#include "montcore_provider.h"

static void *newctx(void *provider, const char *properties) {
  return montcore_operation_new(provider, properties);
}

#define TEXT(name) OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_##name, NULL, 0)
static const OSSL_PARAM *settable(void *context, void *provider) {
  static const OSSL_PARAM known[] = {
      TEXT(DIGEST), TEXT(PROPERTIES), TEXT(PAD_MODE), TEXT(MGF1_DIGEST), TEXT(MGF1_PROPERTIES),
      TEXT(PSS_SALTLEN), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return known;
}

static const OSSL_PARAM *gettable(void *context, void *provider) {
  static const OSSL_PARAM known[] = {
      OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0), TEXT(DIGEST), TEXT(PAD_MODE),
      TEXT(MGF1_DIGEST), TEXT(PSS_SALTLEN), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return known;
}

/* Begins an operation; without a key, one with the key of the last. */
static int begin(void *context, void *data, int signs, const char *digest,
                 const OSSL_PARAM params[]) {
  montcore_operation *op = context;
  montcore_key *key = montcore_operation_begin(op, data);
  OSSL_PARAM chosen[] = {OSSL_PARAM_END, OSSL_PARAM_END};
  int done;
  if (!key) return 0;
  op->signs = signs;
  /* The twin of an EC key verifies what was signed; an RSA key's judges the settings, and a key of PSS
   * permits some for signing only. */
  if (signs && (key->held == MONTCORE_NOT_HELD || key->kind != MONTCORE_EC)) {
    done = EVP_PKEY_sign_init(op->twin);
  } else {
    done = EVP_PKEY_verify_init(op->twin);
  }
  if (done <= 0) return 0;
  if (digest) chosen[0] = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)digest, 0);
  return montcore_operation_set(op, chosen) && montcore_operation_set(op, params);
}

static int sign_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 1, NULL, params);
}
static int verify_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 0, NULL, params);
}
static int recover_init(void *context, void *key, const OSSL_PARAM params[]) {
  montcore_operation *op = context;
  if (!begin(context, key, 0, NULL, NULL)) return 0;
  return EVP_PKEY_verify_recover_init(op->twin) > 0 && montcore_operation_set(op, params);
}

/* Signs a digest with a held EC key. What the twin does not verify is not handed out. */
static int sign_ecdsa(montcore_operation *op, uint8_t *signature, size_t *size,
                      const uint8_t *digest, size_t count) {
  const int done = montcore_device_ecdsa(op->key, digest, count, signature, size);
  if (done <= 0 || EVP_PKEY_verify(op->twin, signature, *size, digest, count) == 1) return done;
  OPENSSL_cleanse(signature, *size);
  return montcore_complain(ERR_R_INTERNAL_ERROR, "a signature did not pass its check");
}

/* The padded block of a message, or of its digest. */
static int encode(montcore_operation *op, uint8_t *block, int bytes, const uint8_t *message,
                  size_t count) {
  char name[MONTCORE_NAME], mask_name[MONTCORE_NAME];
  EVP_MD *digest = NULL, *mask = NULL;
  int padding = 0, salt = 0, done = 0;
  if (EVP_PKEY_CTX_get_rsa_padding(op->twin, &padding) <= 0) return 0;
  digest = montcore_operation_digest(op, OSSL_SIGNATURE_PARAM_DIGEST, name);
  if (digest ? (size_t)EVP_MD_get_size(digest) != count : name[0] != '\0') {
    (void)montcore_complain(PROV_R_INVALID_DIGEST_LENGTH, "%zu bytes are no digest", count);
  } else if (padding == RSA_PKCS1_PADDING) {
    done = montcore_pad_pkcs1(block, bytes, digest, message, count);
  } else if (padding == RSA_NO_PADDING && count == (size_t)bytes) {
    memcpy(block, message, count);
    done = 1;
  } else if (padding == RSA_PKCS1_PSS_PADDING && digest &&
             EVP_PKEY_CTX_get_rsa_pss_saltlen(op->twin, &salt) > 0) {
    mask = montcore_operation_digest(op, OSSL_SIGNATURE_PARAM_MGF1_DIGEST, mask_name);
    if (salt == RSA_PSS_SALTLEN_AUTO) salt = RSA_PSS_SALTLEN_MAX;
    done = RSA_padding_add_PKCS1_PSS_mgf1(op->key->rsa_public, block, message, digest,
                                          mask ? mask : digest, salt);
  } else {
    (void)montcore_complain(PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE, "padding mode %d", padding);
  }
  EVP_MD_free(digest);
  EVP_MD_free(mask);
  return done > 0;
}

/* Signs without the accelerator, with the settings of the twin. */
static int sign_in_software(montcore_operation *op, uint8_t *signature, size_t *size,
                            const uint8_t *message, size_t count) {
  char digest[MONTCORE_NAME], mask[MONTCORE_NAME];
  int padding = 0, salt = 0, done;
  EVP_PKEY_CTX *own =
      EVP_PKEY_CTX_new_from_pkey(op->provider->library, op->key->software, MONTCORE_OTHERS);
  OSSL_PARAM settings[5] = {OSSL_PARAM_END}, *at = settings;
  if (montcore_operation_name(op, OSSL_SIGNATURE_PARAM_DIGEST, digest)) {
    *at++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, digest, 0);
  }
  done = own != NULL;
  if (op->key->kind != MONTCORE_EC) {
    done = done && EVP_PKEY_CTX_get_rsa_padding(op->twin, &padding) > 0;
    *at++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_PAD_MODE, &padding);
  }
  if (done && padding == RSA_PKCS1_PSS_PADDING) {
    done = EVP_PKEY_CTX_get_rsa_pss_saltlen(op->twin, &salt) > 0;
    *at++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, &salt);
    if (montcore_operation_name(op, OSSL_SIGNATURE_PARAM_MGF1_DIGEST, mask)) {
      *at++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, mask, 0);
    }
  }
  *at = OSSL_PARAM_construct_end();
  done = done && EVP_PKEY_sign_init_ex(own, settings) > 0 &&
         EVP_PKEY_sign(own, signature, size, message, count) > 0;
  EVP_PKEY_CTX_free(own);
  return done;
}

static int sign(void *context, uint8_t *signature, size_t *size, size_t room,
                const uint8_t *message, size_t count) {
  montcore_operation *op = context;
  uint8_t block[MONTCORE_MAX_BYTES];
  int bytes, done;
  if (!op->key || !op->twin || !op->signs) return 0;
  bytes = EVP_PKEY_get_size(op->key->visible);
  if (!signature) {
    *size = (size_t)bytes;
    return bytes > 0;
  }
  if (op->key->held == MONTCORE_NOT_HELD) {
    *size = room;
    return EVP_PKEY_sign(op->twin, signature, size, message, count) > 0;
  }
  if (room < (size_t)bytes) return montcore_complain(PROV_R_OUTPUT_BUFFER_TOO_SMALL, "no room");
  *size = (size_t)bytes;
  if (op->key->kind == MONTCORE_EC) {
    done = sign_ecdsa(op, signature, size, message, count);
  } else if ((size_t)bytes > sizeof block) {
    done = op->key->software ? -1 : 0;
  } else {
    done = encode(op, block, bytes, message, count) ? montcore_device_rsa(op->key, block, signature)
                                                    : 0;
  }
  OPENSSL_cleanse(block, sizeof block);
  if (done < 0) *size = room;
  return done < 0 ? sign_in_software(op, signature, size, message, count) : done;
}

static int verify(void *context, const uint8_t *signature, size_t size, const uint8_t *message,
                  size_t count) {
  montcore_operation *op = context;
  return op->twin && EVP_PKEY_verify(op->twin, signature, size, message, count) == 1;
}

static int recover(void *context, uint8_t *out, size_t *size, size_t room, const uint8_t *signature,
                   size_t count) {
  montcore_operation *op = context;
  *size = room;
  return op->twin && EVP_PKEY_verify_recover(op->twin, out, size, signature, count) > 0;
}

static int digest_init(void *context, const char *name, void *key, int signs,
                       const OSSL_PARAM params[]) {
  montcore_operation *op = context;
  char known[MONTCORE_NAME];
  EVP_MD *digest;
  int done;
  if (!name || !*name) name = "SHA256";
  if (!begin(context, key, signs, name, params)) return 0;
  digest = montcore_operation_digest(op, OSSL_SIGNATURE_PARAM_DIGEST, known);
  EVP_MD_CTX_free(op->digest);
  op->digest = EVP_MD_CTX_new();
  done = digest && op->digest && EVP_DigestInit_ex2(op->digest, digest, NULL);
  EVP_MD_free(digest);
  return done;
}
static int digest_sign_init(void *context, const char *name, void *key, const OSSL_PARAM params[]) {
  return digest_init(context, name, key, 1, params);
}
static int digest_verify_init(void *context, const char *name, void *key,
                              const OSSL_PARAM params[]) {
  return digest_init(context, name, key, 0, params);
}

static int digest_update(void *context, const uint8_t *data, size_t count) {
  montcore_operation *op = context;
  return op->digest && EVP_DigestUpdate(op->digest, data, count);
}

static int digest_sign_final(void *context, uint8_t *signature, size_t *size, size_t room) {
  montcore_operation *op = context;
  uint8_t value[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  if (!signature) return sign(context, NULL, size, 0, NULL, 0);
  return op->digest && EVP_DigestFinal_ex(op->digest, value, &count) &&
         sign(context, signature, size, room, value, count);
}

static int digest_verify_final(void *context, const uint8_t *signature, size_t size) {
  montcore_operation *op = context;
  uint8_t value[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  return op->digest && EVP_DigestFinal_ex(op->digest, value, &count) &&
         verify(context, signature, size, value, count);
}

#define FUNCTION(name, function) {OSSL_FUNC_SIGNATURE_##name, (void (*)(void))(function)}
const OSSL_DISPATCH montcore_signature[] = {
    FUNCTION(NEWCTX, newctx), FUNCTION(FREECTX, montcore_operation_free),
    FUNCTION(DUPCTX, montcore_operation_dup), FUNCTION(SIGN_INIT, sign_init), FUNCTION(SIGN, sign),
    FUNCTION(VERIFY_INIT, verify_init), FUNCTION(VERIFY, verify), FUNCTION(VERIFY_RECOVER_INIT, recover_init),
    FUNCTION(VERIFY_RECOVER, recover), FUNCTION(DIGEST_SIGN_INIT, digest_sign_init),
    FUNCTION(DIGEST_SIGN_UPDATE, digest_update), FUNCTION(DIGEST_SIGN_FINAL, digest_sign_final),
    FUNCTION(DIGEST_VERIFY_INIT, digest_verify_init), FUNCTION(DIGEST_VERIFY_UPDATE, digest_update),
    FUNCTION(DIGEST_VERIFY_FINAL, digest_verify_final), FUNCTION(SET_CTX_PARAMS, montcore_operation_set),
    FUNCTION(SETTABLE_CTX_PARAMS, settable), FUNCTION(GET_CTX_PARAMS, montcore_operation_get),
    FUNCTION(GETTABLE_CTX_PARAMS, gettable), {0, NULL}};
