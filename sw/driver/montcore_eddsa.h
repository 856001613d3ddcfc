/* SPDX-License-Identifier: Apache-2.0
 *
 * Ed25519 (RFC 8032) by a montcore accelerator with curves. The caller hashes with SHA-512:
 *   h = SHA-512(seed), of which the first 32 bytes are `secret`, the others the prefix;
 *   nonce = SHA-512(prefix, message); challenge = SHA-512(point, public key, message).
 * A signature is the point of montcore_ed25519_point and the number of montcore_ed25519_number.
 * The key has no lock: its nonce comes from here. After any error results are zero.
 */
#ifndef MONTCORE_EDDSA_H
#define MONTCORE_EDDSA_H

#include "montcore_ecc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The public key of a secret. */
montcore_pka_status montcore_ed25519_public(montcore_pka *pka, const uint8_t secret[32],
                                            uint8_t key[32]);

/* The first half of a signature. */
montcore_pka_status montcore_ed25519_point(montcore_pka *pka, const uint8_t nonce[64],
                                           uint8_t point[32]);

/* The second half of a signature: nonce + challenge secret modulo the order. Not while a key is locked
 * (MONTCORE_PKA_BAD_KEY). The signature, which is `point` and the number, is verified with the public key
 * before the number is released: MONTCORE_PKA_FAULT, and zeros, if it is wrong, because a wrong point or
 * number can give the secret, as can a challenge of another public key. Not if `unverified` of montcore_pka
 * is set. */
montcore_pka_status montcore_ed25519_number(montcore_pka *pka, const uint8_t secret[32],
                                            const uint8_t nonce[64], const uint8_t challenge[64],
                                            const uint8_t key[32], const uint8_t point[32],
                                            uint8_t number[32]);

/* Verifies a signature (R, S) by the equation with the cofactor, 8 S B = 8 R + 8 challenge A: MONTCORE_PKA_OK,
 * MONTCORE_PKA_SIGNATURE if it is wrong, R is no point or S is not below the order, MONTCORE_PKA_POINT if
 * the key A is no point of the curve. */
montcore_pka_status montcore_ed25519_verify(montcore_pka *pka, const uint8_t key[32],
                                            const uint8_t challenge[64],
                                            const uint8_t signature[64]);

#ifdef __cplusplus
}
#endif
#endif
