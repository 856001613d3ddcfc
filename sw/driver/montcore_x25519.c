/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_ecc_inner.h"

/* Whether a public number below a prime is a square modulo it; zero is one. Jacobi's symbol. */
static int is_square(const uint32_t *number, const uint32_t *prime, unsigned limbs) {
  uint32_t a[MONTCORE_PKA_CURVE_LIMBS], m[MONTCORE_PKA_CURVE_LIMBS], any;
  unsigned i;
  int negative = 0;
  for (i = 0; i < limbs; i++) a[i] = number[i], m[i] = prime[i];
  for (;;) {
    for (any = 0u, i = 0; i < limbs; i++) any |= a[i];
    if (!any) break;
    while (!(a[0] & 1u)) { /* (2/m) is -1 for m = 3, 5 modulo 8 */
      for (i = 0; i < limbs; i++) a[i] = a[i] >> 1 | (i + 1u < limbs ? a[i + 1u] << 31 : 0u);
      if ((m[0] & 7u) == 3u || (m[0] & 7u) == 5u) negative = !negative;
    }
    if (montcore_ecc_inner_below(a, m, limbs)) { /* reciprocity */
      if ((a[0] & 3u) == 3u && (m[0] & 3u) == 3u) negative = !negative;
      for (i = 0; i < limbs; i++) {
        uint32_t kept = a[i];
        a[i] = m[i];
        m[i] = kept;
      }
    }
    (void)montcore_pka_inner_subtract(a, a, m, limbs);
  }
  for (any = m[0] ^ 1u, i = 1; i < limbs; i++) any |= m[i];
  return any ? 1 : !negative; /* a common factor is the prime: the number was zero */
}

/* X25519 with a frame of its own, which its caller clears. */
NOT_INLINED static montcore_pka_status ladder(montcore_pka *pka, const uint8_t *scalar,
                                              const uint8_t *u, uint8_t *out) {
  const montcore_ecc_curve *curve = &montcore_curve25519;
  uint32_t k[WORDS], point[WORDS], sum[WORDS], other[WORDS], result[WORDS], none[WORDS], any = 0u;
  uint32_t twist[WORDS] = {0u}; /* 1 if u is the twist's: the accelerator checks it */
  const uint32_t *numbers[2], *scalars = k;
  unsigned i;
  montcore_pka_status status;
  montcore_ecc_inner_limbs(scalar, k);
  montcore_ecc_inner_limbs(u, point);
  k[0] &= 0xfffffff8u;
  k[WORDS - 1u] = (k[WORDS - 1u] & 0x3fffffffu) | 0x40000000u;
  point[WORDS - 1u] &= 0x7fffffffu;
  montcore_ecc_inner_reduce(point, curve->p);
  /* u is of the curve if u^3 + 486662 u^2 + u is a square, else of its twist. */
  for (i = 0; i < WORDS; i++) sum[i] = point[i];
  montcore_ecc_inner_increase(sum, 486662u, WORDS);
  montcore_ecc_inner_reduce(sum, curve->p);
  montcore_ecc_inner_multiply(point, sum, other);
  montcore_ecc_inner_increase(other, 1u, WORDS);
  montcore_ecc_inner_multiply(point, other, sum);
  montcore_ecc_inner_reduce(sum, curve->p);
  twist[0] = !is_square(sum, curve->p, WORDS);
  numbers[0] = point, numbers[1] = twist;
  status = montcore_ecc_inner_operate(pka, curve, MONTCORE_ECC_LADDER, &scalars, 1u, numbers, 2u, result, none);
  for (i = 0; i < WORDS; i++) any |= result[i];
  if (status == MONTCORE_PKA_OK && !any) status = MONTCORE_PKA_INFINITY;
  montcore_ecc_inner_bytes(result, out);
  montcore_pka_wipe(k, sizeof k);
  montcore_pka_wipe(result, sizeof result);
  montcore_pka_wipe(none, sizeof none);
  montcore_pka_wipe(point, sizeof point);
  return status;
}

montcore_pka_status montcore_x25519(montcore_pka *pka, const uint8_t scalar[32],
                                    const uint8_t u[32], uint8_t out[32]) {
  montcore_pka_status status = montcore_ecc_inner_suits(pka, &montcore_curve25519);
  if (status == MONTCORE_PKA_OK && (!scalar || !u || !out)) status = MONTCORE_PKA_BAD_CALL;
  if (status != MONTCORE_PKA_OK) {
    if (out) montcore_pka_wipe(out, 32u);
    return status;
  }
  status = ladder(pka, scalar, u, out);
  montcore_pka_wipe_stack();
  return status;
}
