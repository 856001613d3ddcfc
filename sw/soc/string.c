/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) word;

static int both_aligned(const void *a, const void *b) {
  return (((uintptr_t)a | (uintptr_t)b) & 3u) == 0u;
}

void *memcpy(void *to, const void *from, size_t bytes) {
  unsigned char *out = (unsigned char *)to;
  const unsigned char *in = (const unsigned char *)from;
  if (both_aligned(to, from)) {
    for (; bytes >= 16u; bytes -= 16u, out += 16, in += 16) {
      word a = ((const word *)in)[0], b = ((const word *)in)[1];
      word c = ((const word *)in)[2], d = ((const word *)in)[3];
      ((word *)out)[0] = a;
      ((word *)out)[1] = b;
      ((word *)out)[2] = c;
      ((word *)out)[3] = d;
    }
    for (; bytes >= 4u; bytes -= 4u, out += 4, in += 4) *(word *)out = *(const word *)in;
  }
  while (bytes-- > 0u) *out++ = *in++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  unsigned char *out = (unsigned char *)to;
  const unsigned char *in = (const unsigned char *)from;
  if (out <= in || out >= in + bytes) return memcpy(to, from, bytes);
  while (bytes-- > 0u) out[bytes] = in[bytes];
  return to;
}

void *memset(void *to, int byte, size_t bytes) {
  unsigned char *out = (unsigned char *)to;
  word all = (uint32_t)(unsigned char)byte * 0x01010101u;
  for (; bytes > 0u && ((uintptr_t)out & 3u) != 0u; bytes--) *out++ = (unsigned char)byte;
  for (; bytes >= 16u; bytes -= 16u, out += 16) {
    ((word *)out)[0] = all;
    ((word *)out)[1] = all;
    ((word *)out)[2] = all;
    ((word *)out)[3] = all;
  }
  for (; bytes >= 4u; bytes -= 4u, out += 4) *(word *)out = all;
  while (bytes-- > 0u) *out++ = (unsigned char)byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
  for (; bytes > 0u; bytes--, left++, right++) {
    if (*left != *right) return (int)*left - (int)*right;
  }
  return 0;
}

size_t strlen(const char *text) {
  size_t count = 0u;
  while (text[count]) count++;
  return count;
}

int strncmp(const char *a, const char *b, size_t most) {
  for (; most > 0u; most--, a++, b++) {
    if (*a != *b || !*a) return (int)(unsigned char)*a - (int)(unsigned char)*b;
  }
  return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }

char *strstr(const char *text, const char *part) {
  size_t count = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, count) == 0) return (char *)(uintptr_t)text;
    if (!*text) return NULL;
  }
}
