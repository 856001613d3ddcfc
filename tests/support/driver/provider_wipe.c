/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_wipe FOLDER KEY HIDDEN LEAVE: signs with a key, frees it, and searches all writable memory for a
 * number of which HIDDEN has each byte, in hexadecimal, changed by 0xa5. With LEAVE = 1 the key is not freed.
 * Prints how often the number was found, its bytes from the highest one on, and from the lowest.
 */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASK 0xa5u
#define MOST 64

static unsigned char hidden[MOST];
static size_t count;

/* Places in [from, to) where the number is. */
static int found(const unsigned char *from, const unsigned char *to, int backwards) {
  int times = 0;
  for (; from + count <= to; from++) {
    size_t i = 0;
    while (i < count && (from[backwards ? count - 1 - i : i] ^ MASK) == hidden[i]) i++;
    times += i == count;
  }
  return times;
}

static void search(int times[2]) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char mode[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || strncmp(mode, "rw", 2)) continue;
    if (strstr(line, "[v")) continue;
    times[0] += found((const unsigned char *)from, (const unsigned char *)to, 0);
    times[1] += found((const unsigned char *)from, (const unsigned char *)to, 1);
  }
  if (maps) fclose(maps);
}

int main(int words, char **word) {
  unsigned char signature[512], message = 1;
  size_t size = sizeof signature;
  EVP_PKEY *key = NULL;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  OSSL_STORE_CTX *store;
  int done, times[2] = {0, 0};
  if (words != 5) return 2;
  for (count = 0; count < MOST && word[3][2 * count]; count++) {
    unsigned value;
    if (sscanf(word[3] + 2 * count, "%2x", &value) != 1) return 2;
    hidden[count] = (unsigned char)value;
  }
  OSSL_PROVIDER_set_default_search_path(NULL, word[1]);
  if (!OSSL_PROVIDER_load(NULL, "montcore") || !OSSL_PROVIDER_load(NULL, "default")) return 2;
  store = OSSL_STORE_open(word[2], NULL, NULL, NULL, NULL);
  while (store && !key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (info) key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  done = key && EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
         EVP_DigestSign(context, signature, &size, &message, 1) > 0;
  EVP_MD_CTX_free(context);
  if (word[4][0] != '1') EVP_PKEY_free(key);
  search(times);
  printf("%d %d\n", times[0], times[1]);
  return done ? 0 : 3;
}
