/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests: a routine that leaves secrets on the stack, and what clears them.
 */
#include "montcore_riscv.h"

void use_karatsuba(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

void use_karatsuba(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
{
    mc_mul_karatsuba(r, a, b, n);
    mc_wipe_stack(16 * n + 256);
}
