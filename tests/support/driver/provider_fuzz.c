/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_fuzz FOLDER SEED COUNT FILE...: changes files of keys at random, and has the provider read each,
 * sign with it (there should be no accelerator) and free it. The passphrase is "word". Prints how many were
 * read as keys; what is wrong is for a sanitizer to find.
 */
#define _GNU_SOURCE
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM 16384u

static uint64_t state;
static unsigned char bytes[ROOM];
static size_t count;

static size_t below(size_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (size_t)(state % limit);
}

static int word(char *buffer, int size, int writing, void *argument) {
  (void)size, (void)writing, (void)argument;
  memcpy(buffer, "word", 4);
  return 4;
}

static void change(void) {
  const size_t at = below(count + 1u), more = 1u + below(8u);
  switch (below(5u)) {
    case 0: bytes[at] ^= (unsigned char)(1u << below(8u)); break;
    case 1: bytes[at] = (unsigned char)below(256u); break;
    case 2: count = at; break;
    case 3:
      if (count + more < ROOM) {
        memmove(bytes + at + more, bytes + at, count - at);
        count += more;
      }
      break;
    default:
      if (at + more <= count) {
        memmove(bytes + at, bytes + at + more, count - at - more);
        count -= more;
      }
  }
}

static int read_key(UI_METHOD *asks, int file) {
  char name[64];
  unsigned char signature[1024];
  size_t size = sizeof signature;
  EVP_PKEY *key = NULL;
  OSSL_STORE_CTX *store;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  snprintf(name, sizeof name, "montcore:file=/proc/self/fd/%d", file);
  store = OSSL_STORE_open(name, asks, NULL, NULL, NULL);
  while (store && !key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (info) key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  if (key && EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0) {
    (void)EVP_DigestSign(context, signature, &size, (const unsigned char *)"a", 1);
  }
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return key != NULL;
}

int main(int words, char **word_of) {
  unsigned long turns, turn, keys = 0;
  OSSL_PROVIDER *own, *other;
  UI_METHOD *asks = UI_UTIL_wrap_read_pem_callback(word, 0);
  if (words < 5) return 2;
  state = strtoull(word_of[2], NULL, 10) * 2u + 1u;
  turns = strtoul(word_of[3], NULL, 10);
  OSSL_PROVIDER_set_default_search_path(NULL, word_of[1]);
  own = OSSL_PROVIDER_load(NULL, "montcore");
  other = OSSL_PROVIDER_load(NULL, "default");
  if (!own || !other) return 2;
  for (turn = 0; turn < turns; turn++) {
    FILE *from = fopen(word_of[4u + below((size_t)words - 4u)], "rb");
    const int file = memfd_create("key", MFD_CLOEXEC);
    size_t changes = below(4u);
    if (!from || file < 0) return 2;
    count = fread(bytes, 1, ROOM - 1u, from);
    fclose(from);
    while (changes--) change();
    if (write(file, bytes, count) != (ssize_t)count) return 2;
    keys += (unsigned long)read_key(asks, file);
    close(file);
  }
  UI_destroy_method(asks);
  OSSL_PROVIDER_unload(own);
  OSSL_PROVIDER_unload(other);
  printf("%lu keys\n", keys);
  return 0;
}
