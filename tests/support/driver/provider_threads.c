/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_threads FOLDER KEY COUNT: as many threads sign with one key and verify what they got; the
 * process is forked once meanwhile, and the child signs too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider_key.h"

static EVP_PKEY *key;

static int sign_and_verify(unsigned char byte) {
  unsigned char signature[512];
  const size_t size = sign_bytes(key, &byte, 1, signature, sizeof signature);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int done = size > 0 && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
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
  int status = 1;
  if (total < 2 || total > 16) return 2;
  if (!load_providers(words[1])) return 2;
  key = load_key(words[2], NULL);
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
  unload(key);
  return good == total ? 0 : 1;
}
