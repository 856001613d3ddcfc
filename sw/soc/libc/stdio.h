/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_STDIO_H
#define FIRMWARE_STDIO_H

#include <stddef.h>

/* Declared only, for mbedTLS's headers; nothing calls them. */
int printf(const char *format, ...);
int snprintf(char *out, size_t room, const char *format, ...);

#endif
