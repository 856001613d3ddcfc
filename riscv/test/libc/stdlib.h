/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_STDLIB_H
#define TEST_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void exit(int status) __attribute__((noreturn));
void *malloc(size_t bytes); /* declared only */
void free(void *memory);

#endif
