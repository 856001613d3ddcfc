/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_wipe FOLDER KEY TEXT: signs with a key, opens TEXT, which is in hexadecimal and may be empty, with it,
 * and frees it. The memory is searched before that and after it. The passphrase of KEY is dkryfmtahovcjqxe.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/ui.h>

#include "memory_search.h"

static int sign(EVP_PKEY *key) {
  unsigned char signature[512], message = 1;
  size_t size = sizeof signature;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int done = EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
                   EVP_DigestSign(context, signature, &size, &message, 1) > 0;
  EVP_MD_CTX_free(context);
  return done;
}

static int decrypt(EVP_PKEY *key, const char *text) {
  unsigned char message[512];
  size_t size = sizeof message;
  long count;
  unsigned char *bytes = OPENSSL_hexstr2buf(text, &count);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  const int done = EVP_PKEY_decrypt_init(context) > 0 &&
                   EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) > 0 &&
                   EVP_PKEY_CTX_set_rsa_oaep_md_name(context, "SHA256", NULL) > 0 &&
                   EVP_PKEY_decrypt(context, message, &size, bytes, (size_t)count) > 0;
  OPENSSL_cleanse(message, sizeof message);
  EVP_PKEY_CTX_free(context);
  OPENSSL_free(bytes);
  return done;
}

static int passphrase(char *room, int size, int writing, void *argument) {
  int i;
  (void)writing;
  (void)argument;
  for (i = 0; i < 16 && i < size; i++) room[i] = (char)('a' + (7 * i + 3) % 26);
  return i;
}

int main(int words, char **word) {
  EVP_PKEY *key = NULL;
  OSSL_STORE_CTX *store;
  UI_METHOD *ask;
  if (words != 4 || !read_numbers()) return 2;
  OSSL_PROVIDER_set_default_search_path(NULL, word[1]);
  if (!OSSL_PROVIDER_load(NULL, "montcore") || !OSSL_PROVIDER_load(NULL, "default")) return 2;
  ask = UI_UTIL_wrap_read_pem_callback(passphrase, 0);
  store = OSSL_STORE_open(word[2], ask, NULL, NULL, NULL);
  while (store && !key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (info) key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  UI_destroy_method(ask);
  KEEP_STACK();
  if (!key || !sign(key)) return 3;
  KEEP_STACK();
  if (*word[3] && !decrypt(key, word[3])) return 3;
  KEEP_STACK();
  search("held");
  EVP_PKEY_free(key);
  search("freed");
  return 0;
}
