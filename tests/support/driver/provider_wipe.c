/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_wipe FOLDER KEY TEXT: signs with a key, opens TEXT, which is in hexadecimal and may be empty, with it,
 * and frees it. The memory is searched before that and after it. The passphrase of KEY is dkryfmtahovcjqxe.
 */
#include <openssl/crypto.h>
#include <openssl/rsa.h>

#include "memory_search.h"
#include "provider_key.h"

static int sign(EVP_PKEY *key) {
  unsigned char signature[512], message = 1;
  return sign_bytes(key, &message, 1, signature, sizeof signature) > 0;
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
  EVP_PKEY *key;
  UI_METHOD *ask;
  if (words != 4 || !read_numbers()) return 2;
  if (!load_providers(word[1])) return 2;
  ask = UI_UTIL_wrap_read_pem_callback(passphrase, 0);
  key = load_key(word[2], ask);
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
