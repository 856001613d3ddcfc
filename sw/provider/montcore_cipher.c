/* SPDX-License-Identifier: Apache-2.0
 *
 * Encryption, which is left to a context of another provider with the public key, and decryption, which
 * takes its settings from there: OAEP, TLS's key exchange, or no padding. The padding of PKCS #1 v1.5 is
 * refused otherwise: whoever may ask whether it is right learns the message in time.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
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
      OSSL_PARAM_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, NULL, 0),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, NULL),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, NULL), OSSL_PARAM_END};
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

/* The settings of the twin that are numbers. The library's own function for the padding compares names, and
 * that of TLS has none. */
static int settings_of(operation *op, int *padding, unsigned *version, unsigned *negotiated) {
  OSSL_PARAM wanted[] = {
      OSSL_PARAM_int(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, padding),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, version),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, negotiated), OSSL_PARAM_END};
  return EVP_PKEY_CTX_get_params(op->twin, wanted) > 0;
}

/* Not 0 if the secret does not begin with a version, for numbers of one byte each. */
static unsigned differs(const uint8_t *secret, unsigned version) {
  return (secret[0] ^ (version >> 8 & 0xffu)) | (secret[1] ^ (version & 0xffu));
}

/* 1 if x is 0, and 0 if it is another number below 2^31, without a branch. */
static unsigned is_zero(unsigned x) { return (x - 1u) >> 31; }

/* Takes the secret of TLS's key exchange out of a block (RFC 5246, 7.4.7.1): 00 02, bytes that are not zero,
 * 00, the secret, which begins with the client's version, or with the negotiated one if the server permits
 * it. Whatever is wrong with them, the answer is a secret, a random one, in the same time. */
static int open_tls(operation *op, uint8_t *out, const uint8_t *block, size_t bytes,
                    unsigned version, unsigned negotiated) {
  const size_t begin = bytes - SSL_MAX_MASTER_KEY_LENGTH;
  uint8_t other[SSL_MAX_MASTER_KEY_LENGTH];
  unsigned wrong = block[0] | (block[1] ^ 2u) | block[begin - 1u];
  volatile uint8_t keep; /* all ones if the secret is right */
  size_t i;
  if (RAND_priv_bytes_ex(op->provider->library, other, sizeof other, 0) <= 0) {
    return montcore_complain(ERR_R_INTERNAL_ERROR, "there are no random numbers");
  }
  for (i = 2; i + 1u < begin; i++) wrong |= is_zero(block[i]);
  wrong |= differs(block + begin, version) &
           (0u - (is_zero(negotiated) | (1u - is_zero(differs(block + begin, negotiated)))));
  keep = (uint8_t)(0u - is_zero(wrong));
  for (i = 0; i < sizeof other; i++) out[i] = (uint8_t)((block[begin + i] & keep) | (other[i] & ~keep));
  OPENSSL_cleanse(other, sizeof other);
  return 1;
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
  unsigned version = 0, negotiated = 0;
  size_t bytes, most;
  int padding = 0, done;
  if (!op->key || !op->twin) return 0;
  if (op->key->held == MONTCORE_NOT_HELD) {
    if (out) *size = room;
    return EVP_PKEY_decrypt(op->twin, out, size, in, count) > 0;
  }
  if (!settings_of(op, &padding, &version, &negotiated)) return 0;
  bytes = (size_t)EVP_PKEY_get_size(op->key->visible);
  most = padding == RSA_PKCS1_WITH_TLS_PADDING ? SSL_MAX_MASTER_KEY_LENGTH : bytes;
  if (!out) {
    *size = most;
    return 1;
  }
  if (padding != RSA_PKCS1_OAEP_PADDING && padding != RSA_NO_PADDING &&
      padding != RSA_PKCS1_WITH_TLS_PADDING) {
    return montcore_complain(PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE,
                             "only OAEP is decrypted, not padding mode %d", padding);
  }
  if (count != bytes || bytes > sizeof block) {
    return montcore_complain(PROV_R_BAD_LENGTH, "%zu bytes, not %zu", count, bytes);
  }
  if (padding == RSA_PKCS1_WITH_TLS_PADDING) {
    if (!version) return montcore_complain(PROV_R_BAD_TLS_CLIENT_VERSION, "no client's version is set");
    if (bytes < RSA_PKCS1_PADDING_SIZE + most) {
      return montcore_complain(PROV_R_KEY_SIZE_TOO_SMALL, "the key is too short for TLS");
    }
  }
  if (padding != RSA_PKCS1_OAEP_PADDING && room < most) {
    return montcore_complain(PROV_R_OUTPUT_BUFFER_TOO_SMALL, "no room");
  }
  done = montcore_device_rsa(op->key, in, block);
  if (done < 0) done = decrypt_in_software(op, block, in, count);
  if (done && padding == RSA_PKCS1_OAEP_PADDING) {
    done = open_oaep(op, out, size, room, block, (int)bytes);
  } else if (done) {
    if (padding == RSA_NO_PADDING) memcpy(out, block, bytes);
    else done = open_tls(op, out, block, bytes, version, negotiated);
    *size = most;
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
