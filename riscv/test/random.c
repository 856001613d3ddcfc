/* SPDX-License-Identifier: Apache-2.0
 *
 * A source of numbers for tests, which hands out what a test has put into memory.
 */
#include "montcore_riscv.h"

struct numbers {
    uint32_t left; /* bytes */
    uint8_t next[];
};

int test_random(void *context, uint8_t *to, size_t bytes)
{
    struct numbers *source = context;
    if (bytes > source->left) {
        return -1;
    }
    for (size_t i = 0; i < bytes; ++i) {
        to[i] = source->next[i];
    }
    source->left -= bytes;
    for (size_t i = 0; i < source->left; ++i) {
        source->next[i] = source->next[i + bytes];
    }
    return 0;
}
