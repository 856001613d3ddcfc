/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "mbedtls/pk.h"
#include "montcore_pka.h"

/* The ways of a signature. */
#define BY_ACCELERATOR 1u
#define BY_LIBRARY 2u
#define BY_SOFTWARE 4u

/* Tests of the accelerator by itself. Returns the number of those that failed. */
unsigned firmware_self_test(montcore_pka *pka);

/* Signatures, and messages decrypted, three ways, each with its cycles. Returns the number of those that
 * failed. */
unsigned firmware_measure_rsa(montcore_pka *pka, unsigned ways);
unsigned firmware_measure_decryption(montcore_pka *pka, unsigned ways);
unsigned firmware_measure_ecdsa(montcore_pka *pka, unsigned ways);

/* One signature of the digest by mbedtls_pk_sign, with its cycles: prints two lines, unless `way` is null.
 * Returns 1 if it failed. */
unsigned firmware_sign(const char *kind, const char *way, mbedtls_pk_context *pk);

/* One message decrypted by mbedtls_pk_decrypt, with its cycles: prints two lines. Returns 1 if it failed. */
unsigned firmware_decrypt(const char *kind, const char *way, mbedtls_pk_context *pk,
                          const unsigned char *secret, size_t secret_bytes);

/* Says so and returns 1 if mbedTLS returned an error. */
unsigned firmware_step(const char *name, int ret);

#endif
