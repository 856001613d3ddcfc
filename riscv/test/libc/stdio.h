/* SPDX-License-Identifier: Apache-2.0
 *
 * Of stdio what the self-test of another library calls: the text of a format is written, and nothing else.
 */
#ifndef TEST_STDIO_H
#define TEST_STDIO_H

#include <stddef.h>

typedef int FILE;
#define stdout ((FILE *)0)
#define stderr ((FILE *)0)

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int fflush(FILE *file);
int sprintf(char *to, const char *format, ...); /* declared only */

#endif
