/* SPDX-License-Identifier: Apache-2.0
 *
 * Private keys in files: read, and held from then on.
 */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "montcore_provider.h"

typedef struct {
  OSSL_PASSPHRASE_CALLBACK *callback;
  void *argument;
} passphrase;

static int ask(char *buffer, int room, int writing, void *argument) {
  const passphrase *asks = argument;
  size_t count = 0;
  (void)writing;
  if (!asks->callback || !asks->callback(buffer, (size_t)room, &count, NULL, asks->argument)) return -1;
  return (int)count;
}

/* Reads a private key from a file: PEM or DER. */
static EVP_PKEY *read_file(const montcore_provider *provider, const char *path, passphrase *asks) {
  BIO *file = BIO_new_file(path, "rb");
  EVP_PKEY *key = NULL;
  if (!file) return NULL;
  ERR_set_mark();
  key = PEM_read_bio_PrivateKey_ex(file, NULL, ask, asks, provider->library, MONTCORE_OTHERS);
  if (!key && BIO_seek(file, 0) == 0) {
    key = d2i_PrivateKey_ex_bio(file, NULL, provider->library, MONTCORE_OTHERS);
  }
  if (key) ERR_pop_to_mark();
  else ERR_clear_last_mark();
  BIO_free(file);
  return key;
}

montcore_key *montcore_key_read(montcore_provider *provider, const char *path,
                                OSSL_PASSPHRASE_CALLBACK *callback, void *argument) {
  passphrase asks = {callback, argument};
  EVP_PKEY *read = read_file(provider, path, &asks);
  if (!read) return NULL;
  if (EVP_PKEY_is_a(read, "RSA") || EVP_PKEY_is_a(read, "EC")) return montcore_key_hold(provider, read);
  (void)montcore_complain(PROV_R_NOT_SUPPORTED, "%s has a key of another kind", path);
  EVP_PKEY_free(read);
  return NULL;
}
