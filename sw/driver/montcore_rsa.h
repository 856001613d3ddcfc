/* SPDX-License-Identifier: Apache-2.0
 *
 * RSA private operations on a montcore accelerator, by the Chinese remainder theorem: base and
 * exponents are blinded, and the result is checked before it is handed out. C99, freestanding.
 *
 * The port's `random` must give random bytes; where it fails nothing is computed. Secrets that a call
 * put on the stack or into the accelerator are cleared before it returns. After any error results are zero.
 */
#ifndef MONTCORE_RSA_H
#define MONTCORE_RSA_H

#include "montcore_pka.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Private operations after which the blinding factors are drawn anew. */
#ifndef MONTCORE_RSA_USES
#define MONTCORE_RSA_USES 32u
#endif

/* A key; the numbers are the caller's and stay where they are. n = p q; dp = d mod p - 1 and dq = d mod
 * q - 1; qinv = q^-1 mod p. bits is the length of n, p_bits and q_bits are those of p and q. */
typedef struct {
  unsigned bits, p_bits, q_bits, e_bits;
  const uint32_t *n, *e, *p, *q, *dp, *dq, *qinv;
} montcore_rsa_key;

/* A key in use; fill it with montcore_rsa_begin. */
typedef struct {
  montcore_pka *pka;
  const montcore_rsa_key *key;
  unsigned bits;                         /* of results: the length of n that was given last */
  unsigned uses;                         /* of the blinding factors */
  uint32_t factor[MONTCORE_PKA_MAX_LIMBS]; /* r^e mod n */
  uint32_t inverse[MONTCORE_PKA_MAX_LIMBS]; /* r^-1 mod n */
} montcore_rsa;

/* Takes a key and draws blinding factors, which costs two private operations without a check. The
 * accelerator must be built for the length of n, and for 64 bits more than p and q have.
 * MONTCORE_PKA_BAD_LENGTH: it is not.
 * MONTCORE_PKA_FAULT: the factors did not pass their check, also where the numbers are not those of a key. */
montcore_pka_status montcore_rsa_begin(montcore_rsa *rsa, montcore_pka *pka,
                                       const montcore_rsa_key *key);

/* z = x^d mod n for x < n; z may be x. */
montcore_pka_status montcore_rsa_private(montcore_rsa *rsa, const uint32_t *x, uint32_t *z);

/* z = x^e mod n for x < n; z may be x. */
montcore_pka_status montcore_rsa_public(montcore_pka *pka, const montcore_rsa_key *key,
                                        const uint32_t *x, uint32_t *z);

/* Signs a SHA-256 digest by RSASSA-PKCS1-v1_5: (bits + 7) / 8 bytes, the highest first. */
montcore_pka_status montcore_rsa_sign_sha256(montcore_rsa *rsa, const uint8_t digest[32],
                                             uint8_t *signature);

/* Clears the blinding factors. */
void montcore_rsa_end(montcore_rsa *rsa);

#ifdef __cplusplus
}
#endif
#endif
