/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole operations of elliptic curves for RV32IM(C), freestanding: ECDSA, ECDH and public keys over P-256,
 * P-384 and secp256k1, X25519, Ed25519. Everything is bytes as the standards have them.
 *
 * No routine allocates. The time of signatures, secrets and keys depends on no secret; that of a
 * verification depends on what it verifies, which is public. What was secret is cleared on return, the
 * stack below the caller too. A result may lie where an input does.
 */
#ifndef MONTCORE_CURVES_H
#define MONTCORE_CURVES_H

#include <stddef.h>
#include <stdint.h>

#include "montcore_operations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A curve y^2 = x^3 + a x + b of prime order, with a = -3 or a = 0. */
typedef struct mc_curve mc_curve;
extern const mc_curve mc_p256, mc_p384, mc_secp256k1;

/* Bytes of a coordinate, a private key, half a signature, and at most so many of a hash. */
#define MC_P256_BYTES 32u
#define MC_P384_BYTES 48u
#define MC_SECP256K1_BYTES 32u

/* q = d G: both coordinates, one behind the other, as in SEC 1 without its first byte. */
int mc_public_key(uint8_t *q, const uint8_t *d, const mc_curve *curve);

/* secret = x of d Q: what ECDH agrees on. */
int mc_ecdh(uint8_t *secret, const uint8_t *d, const uint8_t *q, const mc_curve *curve);

/* r = d Q, both coordinates. */
int mc_multiply_point(uint8_t *r, const uint8_t *d, const uint8_t *q, const mc_curve *curve);

/* r = u P + v Q for any u, v below the order, in a time that tells of them: they are PUBLIC. q may be 0, for
 * the base point. MC_BAD_POINT for the point at infinity, too. */
int mc_multiply_two(uint8_t *r, const uint8_t *u, const uint8_t *p, const uint8_t *v,
                    const uint8_t *q, const mc_curve *curve);

/* signature = r and s, one behind the other, of a hash, of which as many bytes count as the order has. q
 * is the public key of d: the signature is verified with it before it is released, since one that a fault
 * made wrong can give the key away. */
int mc_ecdsa_sign(uint8_t *signature, const uint8_t *hash, size_t hash_bytes, const uint8_t *d,
                  const uint8_t *q, mc_random random, void *context, const mc_curve *curve);

/* The same without verification, which takes most of the time. Only where nobody can cause a fault. */
int mc_ecdsa_sign_unverified(uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                             const uint8_t *d, mc_random random, void *context,
                             const mc_curve *curve);

int mc_ecdsa_verify(const uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                    const uint8_t *q, const mc_curve *curve);

/* secret = X25519(scalar, u) of RFC 7748, least significant byte first; u = 9 is the base point. MC_BAD_POINT
 * where the result is zero, as for a u of small order. */
int mc_x25519(uint8_t secret[32], const uint8_t scalar[32], const uint8_t u[32]);

/* Ed25519 of RFC 8032, over any message. `sha512` is the caller's hash function, with its context;
 * MC_BAD_HASH if it fails. A seed is the private key. Bytes of all numbers are least significant first. */
int mc_ed25519_public_key(uint8_t public_key[32], const uint8_t seed[32], mc_hash sha512,
                          void *context);

/* The public key is computed anew, as a signature made with a wrong one gives the private key away; and the
 * signature is verified before it is released, unless it is `_unverified`. */
int mc_ed25519_sign(uint8_t signature[64], const uint8_t *message, size_t bytes,
                    const uint8_t seed[32], mc_hash sha512, void *context);
int mc_ed25519_sign_unverified(uint8_t signature[64], const uint8_t *message, size_t bytes,
                               const uint8_t seed[32], mc_hash sha512, void *context);

/* Whether R is the encoding of S B - k A, the equation without the cofactor, for S below the order. */
int mc_ed25519_verify(const uint8_t signature[64], const uint8_t *message, size_t bytes,
                      const uint8_t public_key[32], mc_hash sha512, void *context);

#ifdef __cplusplus
}
#endif

#endif
