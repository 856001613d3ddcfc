/* SPDX-License-Identifier: Apache-2.0
 *
 * Encryption, which is left to the twin, and decryption, which takes its settings from there: OAEP, TLS's
 * key exchange, or no padding. The padding of PKCS #1 v1.5 is refused otherwise: whoever may ask whether it
 * is right learns the message in time.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <string.h>

#include "montcore_provider.h"

static void *newctx(void *provider) { return montcore_operation_new(provider, NULL); }

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
  montcore_operation *op = context;
  montcore_key *key = montcore_operation_begin(op, data);
  int done;
  if (!key) return 0;
  if (decrypts && key->held == MONTCORE_NOT_HELD) done = EVP_PKEY_decrypt_init(op->twin);
  else done = EVP_PKEY_encrypt_init(op->twin);
  return done > 0 && montcore_operation_set(op, params);
}
static int encrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 0, params);
}
static int decrypt_init(void *context, void *key, const OSSL_PARAM params[]) {
  return begin(context, key, 1, params);
}

static int encrypt(void *context, uint8_t *out, size_t *size, size_t room, const uint8_t *in,
                   size_t count) {
  montcore_operation *op = context;
  if (out) *size = room;
  return op->twin && EVP_PKEY_encrypt(op->twin, out, size, in, count) > 0;
}

/* Takes the message out of a block in OAEP's padding, in time that does not tell where it is wrong. */
static int open_oaep(montcore_operation *op, uint8_t *out, size_t *size, size_t room,
                     const uint8_t *block, int bytes) {
  uint8_t message[MONTCORE_MAX_BYTES];
  char name[MONTCORE_NAME];
  unsigned char *label = NULL;
  EVP_MD *digest = montcore_operation_digest(op, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, name);
  EVP_MD *mask = montcore_operation_digest(op, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, name);
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
static int settings_of(montcore_operation *op, int *padding, unsigned *version,
                       unsigned *negotiated) {
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
static int open_tls(montcore_operation *op, uint8_t *out, const uint8_t *block, size_t bytes,
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
static int decrypt_in_software(montcore_operation *op, uint8_t *block, const uint8_t *in,
                               size_t count) {
  size_t size = MONTCORE_MAX_BYTES;
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
  montcore_operation *op = context;
  uint8_t block[MONTCORE_MAX_BYTES];
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
const OSSL_DISPATCH montcore_asym_cipher[] = {
    FUNCTION(NEWCTX, newctx), FUNCTION(FREECTX, montcore_operation_free),
    FUNCTION(DUPCTX, montcore_operation_dup), FUNCTION(ENCRYPT_INIT, encrypt_init),
    FUNCTION(ENCRYPT, encrypt), FUNCTION(DECRYPT_INIT, decrypt_init), FUNCTION(DECRYPT, decrypt),
    FUNCTION(SET_CTX_PARAMS, montcore_operation_set), FUNCTION(SETTABLE_CTX_PARAMS, known_params),
    FUNCTION(GET_CTX_PARAMS, montcore_operation_get), FUNCTION(GETTABLE_CTX_PARAMS, known_params), {0, NULL}};
