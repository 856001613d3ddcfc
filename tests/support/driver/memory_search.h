/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches all writable memory of a program for parts of secret numbers. They come by standard input, each a
 * name and its bytes in hexadecimal, the highest first and each changed by 0xa5, so that the search itself keeps
 * none of them. The system's random bytes are known ones: nonces and blinding factors can be searched for too.
 * OpenSSL's memory is never freed, so that what was not cleared in it stays. A program that includes this is
 * linked with -rdynamic.
 */
#include <alloca.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define MASK 0xa5a5a5a5a5a5a5a5u
#define MOST 1024u

/* Whatever calls have left on the stack is not written over by those that come after this. */
#define KEEP_STACK() __asm__ volatile("" : : "r"(alloca(65536)))

/* Parts of 8 bytes, changed, as they are in limbs and in the opposite order. */
static struct {
  uint64_t limbs, bytes;
  char name[16];
} parts[MOST];
static size_t part_count;
static unsigned char possible[65536]; /* whether a part begins so */

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  size_t i;
  (void)flags;
  for (i = 0; i < count; i++) ((unsigned char *)bytes)[i] = (unsigned char)(37u * i + 11u);
  return (ssize_t)count;
}

static void *allocate(size_t count, const char *file, int line) {
  (void)file;
  (void)line;
  return count ? malloc(count) : NULL;
}
static void *grow(void *old, size_t count, const char *file, int line) {
  const size_t before = old ? malloc_usable_size(old) : 0;
  void *grown = allocate(count, file, line);
  if (grown && old) memcpy(grown, old, before < count ? before : count);
  return grown;
}
static void keep(void *memory, const char *file, int line) {
  (void)memory;
  (void)file;
  (void)line;
}

/* Returns 1, or 0 if a line is not a number of whole parts. To be called first. */
static int read_numbers(void) {
  static char name[16], text[2049];
  if (!CRYPTO_set_mem_functions(allocate, grow, keep)) return 0;
  while (scanf("%15s %2048s", name, text) == 2) {
    size_t at, count = strlen(text);
    if (count % 16) return 0;
    for (at = 0; at < count; at += 16) {
      if (part_count == MOST || sscanf(text + at, "%16lx", &parts[part_count].limbs) != 1) return 0;
      parts[part_count].bytes = __builtin_bswap64(parts[part_count].limbs);
      possible[parts[part_count].limbs & 0xffffu] = possible[parts[part_count].bytes & 0xffffu] = 1;
      memcpy(parts[part_count++].name, name, sizeof name);
    }
  }
  return part_count > 0;
}

/* Prints for each part that is found: the stage, the number, the order, the memory. */
static void search(const char *stage) {
  char line[512], mode[5], place[256];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    const unsigned char *from, *to;
    strcpy(place, "anonymous");
    if (sscanf(line, "%p-%p %4s %*s %*s %*s %255s", (void **)&from, (void **)&to, mode, place) < 3) continue;
    if (strncmp(mode, "rw", 2) || !strncmp(place, "[v", 2)) continue;
    for (; from + 8 <= to; from++) {
      uint64_t value;
      size_t i;
      memcpy(&value, from, 8);
      value ^= MASK;
      for (i = 0; possible[value & 0xffffu] && i < part_count; i++) {
        if (value == parts[i].limbs) printf("%s %s limbs %s\n", stage, parts[i].name, place);
        if (value == parts[i].bytes) printf("%s %s bytes %s\n", stage, parts[i].name, place);
      }
    }
  }
  if (maps) fclose(maps);
}
