/* SPDX-License-Identifier: Apache-2.0
 *
 * Elliptic curves by a montcore accelerator with the curve engine (hw/soc, units bit 1): ECDSA, ECDH,
 * X25519. On top of montcore_pka.h: open the accelerator with montcore_pka_open. C99, freestanding, no
 * allocation; numbers are arrays of 32-bit limbs, least significant first, with montcore_ecc_limbs of
 * the curve; byte strings are as the standards have them.
 *
 * The accelerator draws random numbers of its own (its rnd_* port) to hide scalars; without them it
 * computes nothing. Private keys and nonces go to slots that cannot be read, and are cleared there after
 * the operation. A key that is locked, or was drawn inside, never leaves: it signs with nonces that the
 * accelerator draws itself. Each call loads its curve unless it is the one that is loaded; that takes
 * longer than a signature, so do operations of one curve after each other.
 *
 * After any error results are zero. A point (0, 0), or an r or s that is not between 1 and n - 1, as a broken
 * accelerator may give them, is MONTCORE_PKA_FAULT. Each signature is verified before it is released, unless `unverified` of
 * montcore_pka is set: MONTCORE_PKA_FAULT, and zeros, if it is wrong, because one wrong signature can give the
 * key. Not safe for two threads on one accelerator.
 */
#ifndef MONTCORE_ECC_H
#define MONTCORE_ECC_H

#include "montcore_pka.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Form of a curve's equation; the numbers are those of the curve's packet (hw/ecc). */
typedef enum {
  MONTCORE_ECC_MINUS_3 = 0,   /* y^2 = x^3 - 3 x + b */
  MONTCORE_ECC_ANY_A = 1,     /* y^2 = x^3 + a x + b */
  MONTCORE_ECC_ZERO_A = 2,    /* y^2 = x^3 + b */
  MONTCORE_ECC_EDWARDS = 3,   /* a x^2 + y^2 = 1 + b x^2 y^2 */
  MONTCORE_ECC_MONTGOMERY = 4 /* v^2 = u^3 + A u^2 + u; a = (A - 2) / 4 */
} montcore_ecc_family;

/* A curve. Numbers have montcore_ecc_limbs limbs. */
typedef struct montcore_ecc_curve {
  montcore_ecc_family family;
  unsigned p_bits, n_bits;         /* lengths of p and n */
  const uint32_t *p, *n, *a, *b;   /* prime; order of the base point (Montgomery: b is the twist's) */
  const uint32_t *x, *y;           /* base point */
} montcore_ecc_curve;

/* The curves that are known; any other can be given. montcore_ecc_curves.c has the numbers. */
extern const montcore_ecc_curve montcore_p256, montcore_p384, montcore_p521;
extern const montcore_ecc_curve montcore_secp256k1, montcore_brainpool_p256r1;
extern const montcore_ecc_curve montcore_ed25519, montcore_curve25519;

/* What a locked key may be used for; one or both. Its public key can always be asked for. */
#define MONTCORE_ECC_MAY_SIGN 1u
#define MONTCORE_ECC_MAY_AGREE 2u

/* Bits of the longer of p and n, and limbs of a curve's numbers. */
static inline unsigned montcore_ecc_bits(const montcore_ecc_curve *curve) {
  return curve->p_bits > curve->n_bits ? curve->p_bits : curve->n_bits;
}
static inline unsigned montcore_ecc_limbs(const montcore_ecc_curve *curve) {
  return montcore_pka_limbs(montcore_ecc_bits(curve));
}

/* Loads a curve, if it is not the one that is loaded; the other calls do so themselves. */
montcore_pka_status montcore_ecc_load(montcore_pka *pka, const montcore_ecc_curve *curve);

/* (x, y) = k times the base point: the public key of k. The status is MONTCORE_PKA_RANGE if k is not below
 * 2 n, or has more than montcore_ecc_bits bits. */
montcore_pka_status montcore_ecc_public(montcore_pka *pka, const montcore_ecc_curve *curve,
                                        const uint32_t *k, uint32_t *x, uint32_t *y);

/* (x, y) = k (px, py), a point that is checked to be on the curve: ECDH's secret is x. The limits of k are
 * the same, but 8 n on an Edwards curve. */
montcore_pka_status montcore_ecdh(montcore_pka *pka, const montcore_ecc_curve *curve,
                                  const uint32_t *k, const uint32_t *px, const uint32_t *py,
                                  uint32_t *x, uint32_t *y);

/* Signs a hash of `bytes` bytes, the first of them the highest, of which the leftmost bits of n's length
 * count. `nonce`: below n, secret, and of one use only (RFC 6979 or drawn); null: the driver draws it
 * from the port's random bytes. Not while a key is locked (MONTCORE_PKA_BAD_KEY). MONTCORE_PKA_RETRY: sign
 * with another nonce. The signature is verified with the public key of d, which is computed each time. */
montcore_pka_status montcore_ecdsa_sign(montcore_pka *pka, const montcore_ecc_curve *curve,
                                        const uint32_t *d, const uint32_t *nonce,
                                        const uint8_t *hash, size_t bytes, uint32_t *r,
                                        uint32_t *s);

/* Verifies a signature with the public key (qx, qy): MONTCORE_PKA_OK, MONTCORE_PKA_SIGNATURE if it is
 * wrong, MONTCORE_PKA_RANGE if r or s is not between 1 and n - 1, MONTCORE_PKA_POINT if the key is not
 * on the curve, MONTCORE_PKA_FAULT if the accelerator accepts r = 0 as well, so that its answer means nothing. */
montcore_pka_status montcore_ecdsa_verify(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          const uint32_t *qx, const uint32_t *qy,
                                          const uint8_t *hash, size_t bytes, const uint32_t *r,
                                          const uint32_t *s);

/* RFC 7748: out = X25519(scalar, u). MONTCORE_PKA_INFINITY, and zeros, if that is zero. Its file is
 * montcore_x25519.c. */
montcore_pka_status montcore_x25519(montcore_pka *pka, const uint8_t scalar[32],
                                    const uint8_t u[32], uint8_t out[32]);

/* Writes a private key with its curve into the accelerator and locks it there until zeroize.
 * MONTCORE_PKA_RANGE, and nothing is locked: it is zero or, on a Weierstrass curve, not below n. */
montcore_pka_status montcore_ecc_lock_key(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          const uint32_t *d, unsigned uses);

/* Has the accelerator draw a private key, which nobody learns, and locks it. */
montcore_pka_status montcore_ecc_draw_key(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          unsigned uses);

/* Takes over a key that was locked before montcore_pka_open, with the curve that it was locked with. */
montcore_pka_status montcore_ecc_adopt_key(montcore_pka *pka, const montcore_ecc_curve *curve);

/* The same operations with the locked key; the nonce is drawn by the accelerator. Results have as many limbs
 * as the curve that was given last for a key. Signatures are verified with the public key that the first of
 * these calls computes, so that a key that changes in the accelerator is found; montcore_ecc_adopt_key has it
 * computed anew. */
montcore_pka_status montcore_ecc_key_public(montcore_pka *pka, uint32_t *x, uint32_t *y);
montcore_pka_status montcore_ecc_key_agree(montcore_pka *pka, const uint32_t *px,
                                           const uint32_t *py, uint32_t *x, uint32_t *y);
montcore_pka_status montcore_ecc_key_sign(montcore_pka *pka, const uint8_t *hash, size_t bytes,
                                          uint32_t *r, uint32_t *s);

#ifdef __cplusplus
}
#endif
#endif
