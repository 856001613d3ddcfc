/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the driver for curves share; not for its users.
 */
#ifndef MONTCORE_ECC_INNER_H
#define MONTCORE_ECC_INNER_H

#include "montcore_ecc.h"
#include "montcore_pka_inner.h"

/* Operations on points; the numbers are those of the command register. */
enum {
  MONTCORE_ECC_MULTIPLY = 0,
  MONTCORE_ECC_BASE,
  MONTCORE_ECC_SIGN,
  MONTCORE_ECC_VERIFY,
  MONTCORE_ECC_JOINT,
  MONTCORE_ECC_LADDER,
  MONTCORE_ECC_MULTIPLY_ADD
};

/* a - b without the difference: 1 if a < b. */
static inline uint32_t montcore_ecc_inner_below(const uint32_t *a, const uint32_t *b,
                                                unsigned limbs) {
  uint64_t borrow = 0u;
  unsigned i;
  for (i = 0; i < limbs; i++) borrow = ((uint64_t)a[i] - b[i] - borrow) >> 32 & 1u;
  return (uint32_t)borrow;
}

/* number = number + limb; a carry out is dropped. */
static inline void montcore_ecc_inner_increase(uint32_t *number, uint32_t limb, unsigned limbs) {
  uint64_t carry = limb;
  unsigned i;
  for (i = 0; i < limbs; i++) {
    carry += number[i];
    number[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

enum { WORDS = 8 }; /* limbs of a number of Ed25519 and X25519 */

/* out = out - m if that is not negative; no branch depends on it. For out < 2 m, m below 2^255. */
static inline void montcore_ecc_inner_reduce(uint32_t *out, const uint32_t *m) {
  uint32_t less[WORDS], keep = (uint32_t)0 - montcore_pka_inner_subtract(less, out, m, WORDS);
  unsigned i;
  for (i = 0; i < WORDS; i++) out[i] = (out[i] & keep) | (less[i] & ~keep);
  montcore_pka_wipe(less, sizeof less);
}

/* out = a b mod 2^255 - 19, at most 2^255 - 1; all public. */
static inline void montcore_ecc_inner_multiply(const uint32_t *a, const uint32_t *b, uint32_t *out) {
  uint32_t wide[2 * WORDS];
  uint64_t carry;
  unsigned i, k, round;
  for (i = 0; i < 2u * WORDS; i++) wide[i] = 0u;
  for (i = 0; i < WORDS; i++) {
    for (carry = 0u, k = 0; k < WORDS; k++) {
      carry += (uint64_t)a[i] * b[k] + wide[i + k];
      wide[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
    wide[i + WORDS] = (uint32_t)carry;
  }
  for (carry = 0u, i = 0; i < WORDS; i++) { /* 2^256 is 38 */
    carry += (uint64_t)wide[i + WORDS] * 38u + wide[i];
    out[i] = (uint32_t)carry;
    carry >>= 32;
  }
  for (round = 0; round < 2u; round++) { /* what is left above 2^255 is at most 78, then 1 */
    carry = (carry << 1 | out[WORDS - 1u] >> 31) * 19u;
    out[WORDS - 1u] &= 0x7fffffffu;
    montcore_ecc_inner_increase(out, (uint32_t)carry, WORDS);
    carry = 0u;
  }
}

/* A number of 32 bytes, the lowest first, as limbs and back. */
static inline void montcore_ecc_inner_limbs(const uint8_t *bytes, uint32_t *out) {
  unsigned i;
  for (i = 0; i < WORDS; i++) out[i] = 0u;
  for (i = 0; i < 32u; i++) out[i / 4u] |= (uint32_t)bytes[i] << (8u * (i % 4u));
}
static inline void montcore_ecc_inner_bytes(const uint32_t *limbs, uint8_t *out) {
  unsigned i;
  for (i = 0; i < 32u; i++) out[i] = (uint8_t)(limbs[i / 4u] >> (8u * (i % 4u)));
}

/* Whether the accelerator has curves, and this one fits. */
montcore_pka_status montcore_ecc_inner_suits(const montcore_pka *pka,
                                             const montcore_ecc_curve *curve);

/* Loads the curve if need be; scalars to slots where they cannot be read, public numbers to the operand
 * slots, the command, the results. Without scalars it is an operation with the locked key. */
montcore_pka_status montcore_ecc_inner_operate(montcore_pka *pka, const montcore_ecc_curve *curve,
                                               unsigned operation,
                                               const uint32_t *const *scalars,
                                               unsigned scalar_count, const uint32_t *const *y,
                                               unsigned y_count, uint32_t *out_x,
                                               uint32_t *out_y);

/* (x, y) = u G + v Q, all public; numbers: u and v. */
montcore_pka_status montcore_ecc_inner_joint(montcore_pka *pka, const montcore_ecc_curve *curve,
                                             const uint32_t *const *numbers,
                                             const uint32_t *const *point, uint32_t *out_x,
                                             uint32_t *out_y);

#endif
