/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_threads FOLDER KEY COUNT: as many threads sign with one key and verify what they got; the
 * process is forked once meanwhile, and the child signs too.
 */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static EVP_PKEY *key;

static int sign_and_verify(unsigned char byte) {
  unsigned char signature[512];
  size_t size = sizeof signature;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int done = EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
             EVP_DigestSign(context, signature, &size, &byte, 1) > 0;
  EVP_MD_CTX_free(context);
  context = EVP_MD_CTX_new();
  done = done && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
         EVP_DigestVerify(context, signature, size, &byte, 1) == 1;
  EVP_MD_CTX_free(context);
  return done;
}

static void *run(void *number) {
  return sign_and_verify((unsigned char)(size_t)number) ? number : NULL;
}

int main(int count, char **words) {
  pthread_t threads[16];
  size_t i, total = count > 3 ? strtoul(words[3], NULL, 10) : 0, good = 0;
  OSSL_PROVIDER *own, *other;
  OSSL_STORE_CTX *store;
  int status = 1;
  if (total < 2 || total > 16) return 2;
  OSSL_PROVIDER_set_default_search_path(NULL, words[1]);
  own = OSSL_PROVIDER_load(NULL, "montcore");
  other = OSSL_PROVIDER_load(NULL, "default");
  if (!own || !other) return 2;
  store = OSSL_STORE_open(words[2], NULL, NULL, NULL, NULL);
  while (store && !key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (info) key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  if (!key) return 3;
  for (i = 0; i + 1 < total; i++) {
    if (pthread_create(&threads[i], NULL, run, (void *)(i + 1))) return 4;
  }
  (void)usleep(50000); /* one of them has the key */
  if (fork() == 0) _exit(sign_and_verify(99) ? 0 : 1);
  for (i = 0; i + 1 < total; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    good += result != NULL;
  }
  wait(&status);
  good += status == 0;
  printf("%zu signatures verified\n", good);
  EVP_PKEY_free(key);
  OSSL_PROVIDER_unload(own);
  OSSL_PROVIDER_unload(other);
  return good == total ? 0 : 1;
}
