/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_STDLIB_H
#define FIRMWARE_STDLIB_H

#include <stddef.h>

void exit(int code) __attribute__((noreturn));
void *calloc(size_t count, size_t bytes); /* declared only: mbedTLS has its own */
void free(void *memory);

#endif
