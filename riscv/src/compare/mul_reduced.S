/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_reduced(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t k)
 *
 *   r[0 .. 2k-1] = a[0 .. k-1] * b[0 .. k-1],  k words of 28 bits, least significant first
 *
 * Precondition: words of a and b below 2^28, k at most 255; r overlaps neither a nor b; a and b may be
 * the same. k = 0 writes nothing. Time: depends on k alone. Stack: 24 bytes.
 *
 * The redundant representation that riscv-2021 (section 2.2) decides against: a column's products
 * of 56 bits add up in 64 bits, so that no carry leaves its second word: two loads, two multiplications
 * and four other instructions a product, but 1.31 times the products. Words of the result are below 2^28.
 */
#include "montcore_rv32.h"

#define NAME    mc_mul_reduced
#define REDUCED 1
#include "columns.inc"
