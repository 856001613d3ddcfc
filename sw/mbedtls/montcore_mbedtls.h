/* SPDX-License-Identifier: Apache-2.0
 *
 * mbedTLS 2.28 on montcore, through mbedTLS's own hooks:
 *
 * - an RSA key whose private operations the accelerator makes (MBEDTLS_PK_RSA_ALT_SUPPORT); needs mbedTLS's
 *   folder `library` among those of headers, for its removal of padding in constant time;
 * - ECDSA signatures by the accelerator (MBEDTLS_ECDSA_SIGN_ALT);
 * - mbedTLS's multiplication by the library for RISC-V (riscv), where there is no accelerator.
 *
 * For mbedTLS with limbs of 32 bits (MBEDTLS_HAVE_INT32, as on RV32). */
#ifndef MONTCORE_MBEDTLS_H
#define MONTCORE_MBEDTLS_H

#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"
#include "montcore_rsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A key in the accelerator's use; fill it with montcore_mbedtls_rsa_begin. */
typedef struct {
  montcore_rsa rsa;
  montcore_rsa_key key;
  mbedtls_md_type_t oaep; /* digest of OAEP; MBEDTLS_MD_NONE: messages have the padding of PKCS#1 v1.5 */
} montcore_mbedtls_rsa;

/* Makes `pk` a private key whose signatures (PKCS#1 v1.5) and decryption come from the accelerator, with
 * blinding and the check of each result. `source` has the key's numbers; it is only read, and stays as
 * long as `pk`. Decryption takes off the padding of PKCS#1 v1.5, as mbedTLS does, until the call below;
 * whoever decrypts so must not let others see whether the padding was right. */
int montcore_mbedtls_rsa_begin(montcore_mbedtls_rsa *own, montcore_pka *pka,
                               mbedtls_rsa_context *source, mbedtls_pk_context *pk);

/* Has messages decrypted that were encrypted with OAEP, with this digest for label and mask and without a
 * label; with MBEDTLS_MD_NONE those of PKCS#1 v1.5. Returns 0, or an error if mbedTLS lacks the digest. */
int montcore_mbedtls_rsa_oaep(montcore_mbedtls_rsa *own, mbedtls_md_type_t digest);

/* Clears the blinding factors. The pk context is freed by its owner. */
void montcore_mbedtls_rsa_end(montcore_mbedtls_rsa *own);

/* The accelerator that makes ECDSA signatures from now on; null (as at the start): mbedTLS makes them, and
 * so it does for curves that the accelerator has not. mbedTLS's own function must be in the program as
 * mbedtls_ecdsa_sign_software: compile library/ecdsa.c a second time, without MBEDTLS_ECDSA_SIGN_ALT, with
 * -Dmbedtls_ecdsa_sign=mbedtls_ecdsa_sign_software, and keep that symbol alone (objcopy
 * --keep-global-symbol). Nonces come from the driver's random numbers. The driver verifies each signature
 * before it is released: MBEDTLS_ERR_ECP_VERIFY_FAILED if it is wrong. */
void montcore_mbedtls_ecdsa(montcore_pka *pka);

/* Whether products and powers of mbedTLS are made by riscv: 0 (as at the start) or 1. Needs the
 * linker's --wrap=mbedtls_mpi_exp_mod and --wrap=mbedtls_mpi_mul_mpi. */
void montcore_mbedtls_riscv(int on);

#ifdef __cplusplus
}
#endif
#endif
