/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_fuzz FOLDER SEED COUNT FILE...: changes files of keys at random, and has the provider read each,
 * sign with it (there should be no accelerator) and free it. The passphrase is "word". Prints how many were
 * read as keys; what is wrong is for a sanitizer to find.
 */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "provider_key.h"

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
  EVP_PKEY *key;
  snprintf(name, sizeof name, "montcore:file=/proc/self/fd/%d", file);
  key = load_key(name, asks);
  if (key) (void)sign_bytes(key, (const unsigned char *)"a", 1, signature, sizeof signature);
  EVP_PKEY_free(key);
  return key != NULL;
}

int main(int words, char **word_of) {
  unsigned long turns, turn, keys = 0;
  UI_METHOD *asks = UI_UTIL_wrap_read_pem_callback(word, 0);
  if (words < 5) return 2;
  state = strtoull(word_of[2], NULL, 10) * 2u + 1u;
  turns = strtoul(word_of[3], NULL, 10);
  if (!load_providers(word_of[1])) return 2;
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
  unload(NULL);
  printf("%lu keys\n", keys);
  return 0;
}
