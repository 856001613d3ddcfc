/* SPDX-License-Identifier: Apache-2.0
 *
 * Encryption, which is left to a context of another provider with the public key, and decryption, which
 * takes its settings from there: OAEP, or no padding. The padding of PKCS #1 v1.5 is refused: whoever
 * may ask whether it is right learns the message in time.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "montcore_provider.h"

#define MAX_BYTES ((MONTCORE_PKA_MAX_BITS + 7u) / 8u)
#define NAME 64

typedef struct {
  montcore_provider *provider;
  montcore_key *key;
  EVP_PKEY_CTX *twin;
  int padding;
} operation;

static void *newctx(void *provider) {
  operation *op = OPENSSL_zalloc(sizeof *op);
  if (op) op->provider = provider;
  return op;
}

static void freectx(void *context) {
  operation *op = context;
  if (!op) return;
  montcore_key_free(op->key);
  EVP_PKEY_CTX_free(op->twin);
  OPENSSL_free(op);
}

static void *dupctx(void *context) {
  const operation *op = context;
  operation *copy = newctx(op->provider);
  if (!copy) return NULL;
  copy->padding = op->padding;
  copy->key = op->key;
  if (copy->key) (void)__atomic_add_fetch(&copy->key->references, 1, __ATOMIC_RELAXED);
  if (op->twin && !(copy->twin = EVP_PKEY_CTX_dup(op->twin))) {
    freectx(copy);
    return NULL;
  }
  return copy;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  operation *op = context;
  if (!params || !params->key) return 1;
  return op->twin && EVP_PKEY_CTX_set_params(op->twin, params) > 0;
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  operation *op = context;
  return op->twin && EVP_PKEY_CTX_get_params(op->twin, params) > 0;
}

static const OSSL_PARAM *known_params(void *context, void *provider) {
  static const OSSL_PARAM known[] = {
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, NULL, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, NULL, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST_PROPS, NULL, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, NULL, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST_PROPS, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, NULL, 0), OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return known;
}

static int begin(void *context, void *data, int decrypts, const OSSL_PARAM params[]) {
  operation *op = context;
  montcore_key *key = data ? data : op->key;
  int done;
  if (!key || !key->visible) return montcore_complain(PROV_R_NO_KEY_SET, "no key");
  if (key != op->key) {
    (void)__atomic_add_fetch(&key->references, 1, __ATOMIC_RELAXED);
    montcore_key_free(op->key);
    op->key = key;
  }
  EVP_PKEY_CTX_free(op->twin);
  op->twin = EVP_PKEY_CTX_new_from_pkey(op->provider->library, key->visible, MONTCORE_OTHERS);
  if (!op->twin) return 0;
  if (decrypts && key->held == MONTCORE_NOT_HELD) done = EVP_PKEY_decrypt_init(op->twin);
  else done = EVP_PKEY_encrypt_init(op->twin);
  return done > 0 && set_ctx_params(op, params);
}
static int encrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 0, params);
}
static int decrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 1, params);
}

static int encrypt(void *context, uint8_t *out, size_t *size, size_t room, const uint8_t *in,
                   size_t count) {
  operation *op = context;
  if (out) *size = room;
  return op->twin && EVP_PKEY_encrypt(op->twin, out, size, in, count) > 0;
}

static EVP_MD *digest_of(operation *op, const char *what) {
  char name[NAME] = "";
  OSSL_PARAM wanted[] = {OSSL_PARAM_END, OSSL_PARAM_END};
  wanted[0] = OSSL_PARAM_construct_utf8_string(what, name, sizeof name);
  if (EVP_PKEY_CTX_get_params(op->twin, wanted) <= 0 || !name[0]) return NULL;
  return EVP_MD_fetch(op->provider->library, name, NULL);
}

/* Takes the message out of a block in OAEP's padding, in time that does not tell where it is wrong. */
static int open_oaep(operation *op, uint8_t *out, size_t *size, size_t room, const uint8_t *block,
                     int bytes) {
  uint8_t message[MAX_BYTES];
  unsigned char *label = NULL;
  EVP_MD *digest = digest_of(op, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST);
  EVP_MD *mask = digest_of(op, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST);
  int length, done = 0;
  length = EVP_PKEY_CTX_get0_rsa_oaep_label(op->twin, &label);
  if (!digest) digest = EVP_MD_fetch(op->provider->library, "SHA1", NULL);
  if (digest) {
    done = RSA_padding_check_PKCS1_OAEP_mgf1(message, bytes, block, bytes, bytes, label,
                                             length > 0 ? length : 0, digest, mask ? mask : digest);
    if (done >= 0 && (size_t)done <= room) {
      memcpy(out, message, (size_t)done);
      *size = (size_t)done;
      done = 1;
    } else {
      done = 0;
    }
  }
  OPENSSL_cleanse(message, sizeof message);
  EVP_MD_free(digest);
  EVP_MD_free(mask);
  return done;
}

/* Decrypts without the accelerator. */
static int decrypt_in_software(operation *op, uint8_t *block, const uint8_t *in, size_t count) {
  size_t size = MAX_BYTES;
  EVP_PKEY_CTX *own =
      EVP_PKEY_CTX_new_from_pkey(op->provider->library, op->key->software, MONTCORE_OTHERS);
  int done = own && EVP_PKEY_decrypt_init(own) > 0 &&
             EVP_PKEY_CTX_set_rsa_padding(own, RSA_NO_PADDING) > 0 &&
             EVP_PKEY_decrypt(own, block, &size, in, count) > 0;
  EVP_PKEY_CTX_free(own);
  return done;
}

static int decrypt(void *context, uint8_t *out, size_t *size, size_t room, const uint8_t *in,
                   size_t count) {
  operation *op = context;
  uint8_t block[MAX_BYTES];
  int bytes, padding = 0, done;
  if (!op->key || !op->twin) return 0;
  bytes = EVP_PKEY_get_size(op->key->visible);
  if (op->key->held == MONTCORE_NOT_HELD) {
    if (out) *size = room;
    return EVP_PKEY_decrypt(op->twin, out, size, in, count) > 0;
  }
  if (!out) {
    *size = (size_t)bytes;
    return 1;
  }
  if (EVP_PKEY_CTX_get_rsa_padding(op->twin, &padding) <= 0) return 0;
  if (padding != RSA_PKCS1_OAEP_PADDING && padding != RSA_NO_PADDING) {
    return montcore_complain(PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE,
                             "only OAEP is decrypted, not padding mode %d", padding);
  }
  if (count != (size_t)bytes || (size_t)bytes > sizeof block) {
    return montcore_complain(PROV_R_BAD_LENGTH, "%zu bytes, not %d", count, bytes);
  }
  done = montcore_device_rsa(op->key, in, block);
  if (done < 0) done = decrypt_in_software(op, block, in, count);
  if (done && padding == RSA_PKCS1_OAEP_PADDING) {
    done = open_oaep(op, out, size, room, block, bytes);
  } else if (done && room >= (size_t)bytes) {
    memcpy(out, block, (size_t)bytes);
    *size = (size_t)bytes;
  } else {
    done = 0;
  }
  OPENSSL_cleanse(block, sizeof block);
  return done;
}

#define FUNCTION(name, function) {OSSL_FUNC_ASYM_CIPHER_##name, (void (*)(void))(function)}
const OSSL_DISPATCH montcore_asym_cipher[] = {FUNCTION(NEWCTX, newctx),
                                              FUNCTION(FREECTX, freectx),
                                              FUNCTION(DUPCTX, dupctx),
                                              FUNCTION(ENCRYPT_INIT, encrypt_init),
                                              FUNCTION(ENCRYPT, encrypt),
                                              FUNCTION(DECRYPT_INIT, decrypt_init),
                                              FUNCTION(DECRYPT, decrypt),
                                              FUNCTION(SET_CTX_PARAMS, set_ctx_params),
                                              FUNCTION(SETTABLE_CTX_PARAMS, known_params),
                                              FUNCTION(GET_CTX_PARAMS, get_ctx_params),
                                              FUNCTION(GETTABLE_CTX_PARAMS, known_params),
                                              {0, NULL}};
