/* SPDX-License-Identifier: Apache-2.0
 *
 * The provider beside that of OpenSSL, and a key by its name.
 */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <openssl/ui.h>

static OSSL_PROVIDER *providers[2];

/* Loads the provider of a folder, and OpenSSL's own; whether both are there. */
static int load_providers(const char *folder) {
  OSSL_PROVIDER_set_default_search_path(NULL, folder);
  providers[0] = OSSL_PROVIDER_load(NULL, "montcore");
  providers[1] = OSSL_PROVIDER_load(NULL, "default");
  return providers[0] && providers[1];
}

/* Reads a key; `asks` gives its passphrase, or is null. Null if there is no such key. */
static EVP_PKEY *load_key(const char *name, UI_METHOD *asks) {
  OSSL_STORE_CTX *store = OSSL_STORE_open(name, asks, NULL, NULL, NULL);
  EVP_PKEY *key = NULL;
  while (store && !key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (info) key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  return key;
}

/* Signs some bytes with SHA-256; the length of the signature, or 0. */
static inline size_t sign_bytes(EVP_PKEY *key, const unsigned char *bytes, size_t count,
                                unsigned char *signature, size_t room) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int done = EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
                   EVP_DigestSign(context, signature, &room, bytes, count) > 0;
  EVP_MD_CTX_free(context);
  return done ? room : 0;
}

/* Frees a key and the providers. */
static inline void unload(EVP_PKEY *key) {
  EVP_PKEY_free(key);
  OSSL_PROVIDER_unload(providers[0]);
  OSSL_PROVIDER_unload(providers[1]);
}
