/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_products(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 24 bytes.
 *
 * Product scanning, column by column, by single words of 32 bits: two loads, two multiplications and six
 * other instructions a product.
 */
#include "montcore_rv32.h"

#define NAME    mc_mul_products
#define REDUCED 0
#include "columns.inc"
