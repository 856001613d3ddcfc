/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the C library that mbedTLS and the compiler need; string.c has it. */
#ifndef FIRMWARE_STRING_H
#define FIRMWARE_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);
char *strstr(const char *text, const char *part);

#endif
