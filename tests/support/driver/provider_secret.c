/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_secret FOLDER KEY PUBLIC: the padding of TLS's key exchange, which is never found wrong: what is
 * not a secret gives a random one. PUBLIC is the public key, for encryption. Prints how many answers were
 * as they must be; each other one is named, and the program fails.
 */
#include <openssl/core_names.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

#include "provider_key.h"

#define SECRET SSL_MAX_MASTER_KEY_LENGTH
#define IS(what) expect(what, #what, __LINE__)

static EVP_PKEY *key, *open_key;
static unsigned char block[512], answer[512], right[SECRET];
static size_t bytes;
static unsigned good, bad;

static void expect(int is, const char *what, int line) {
  if (is) good++;
  else fprintf(stderr, "%d: not so: %s\n", line, what), bad++;
}

/* The block of a secret whose client has TLS 1.2. */
static void fill(void) {
  size_t i;
  for (i = 0; i < SECRET; i++) right[i] = (unsigned char)(i * 7u);
  right[0] = 3, right[1] = 3;
  memset(block, 0xa7, bytes);
  block[0] = 0, block[1] = 2, block[bytes - SECRET - 1] = 0;
  memcpy(block + bytes - SECRET, right, SECRET);
}

/* Encrypts the block, and decrypts it with `room` for the answer; the length, or 0. */
static size_t decrypt(unsigned version, unsigned negotiated, size_t count, size_t room) {
  unsigned char text[512];
  size_t size = sizeof text;
  OSSL_PARAM settings[3] = {OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END}, *at = settings;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, open_key, "provider=default");
  int done = EVP_PKEY_encrypt_init(context) > 0 &&
             EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) > 0 &&
             EVP_PKEY_encrypt(context, text, &size, block, bytes) > 0;
  EVP_PKEY_CTX_free(context);
  context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  if (version) *at++ = OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version);
  if (negotiated) {
    *at++ = OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, &negotiated);
  }
  memset(answer, 0, sizeof answer);
  done = done && EVP_PKEY_decrypt_init(context) > 0 &&
         EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_WITH_TLS_PADDING) > 0 &&
         EVP_PKEY_CTX_set_params(context, settings) > 0;
  size = room;
  done = done && EVP_PKEY_decrypt(context, answer, &size, text, count) > 0;
  EVP_PKEY_CTX_free(context);
  return done ? size : 0;
}

/* Whether the block gives the secret, for a client of TLS 1.2. */
static int gives(void) { return decrypt(0x303, 0, bytes, sizeof answer) == SECRET && !memcmp(answer, right, SECRET); }

/* Whether it gives another one, which is not the same twice. */
static int gives_another(unsigned version, unsigned negotiated) {
  static const unsigned char nothing[SECRET];
  unsigned char first[SECRET];
  if (decrypt(version, negotiated, bytes, sizeof answer) != SECRET) return 0;
  memcpy(first, answer, SECRET);
  return decrypt(version, negotiated, bytes, sizeof answer) == SECRET &&
         memcmp(answer, right, SECRET) && memcmp(answer, nothing, SECRET) && memcmp(answer, first, SECRET);
}

static void change(size_t at, unsigned char value) {
  fill();
  block[at] = value;
  IS(gives_another(0x303, 0));
}

int main(int count, char **words) {
  BIO *file;
  if (count != 4) return 2;
  key = load_providers(words[1]) ? load_key(words[2], NULL) : NULL;
  file = BIO_new_file(words[3], "r");
  open_key = file ? PEM_read_bio_PUBKEY(file, NULL, NULL, NULL) : NULL;
  BIO_free(file);
  if (!key || !open_key) return 3;
  bytes = (size_t)EVP_PKEY_get_size(key);
  fill();
  IS(gives());
  IS(decrypt(0x301, 0x303, bytes, SECRET) == SECRET && !memcmp(answer, right, SECRET));
  IS(gives_another(0x302, 0));
  IS(gives_another(0x203, 0));
  IS(gives_another(0x301, 0x302));
  change(1, 1);
  change(2, 0);
  change(bytes - SECRET - 2, 0);
  change(bytes - SECRET - 1, 1);
  change(bytes - SECRET, 0);
  fill();
  block[bytes - 1] = right[SECRET - 1] = 0; /* a zero in the secret is right */
  IS(gives());
  fill();
  IS(!decrypt(0, 0, bytes, sizeof answer));
  IS(!decrypt(0x303, 0, bytes - 1, sizeof answer));
  IS(!decrypt(0x303, 0, bytes, SECRET - 1));
  EVP_PKEY_free(open_key);
  unload(key);
  printf("%u answers as they must be\n", good);
  return bad != 0;
}
