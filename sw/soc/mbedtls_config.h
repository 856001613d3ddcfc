/* SPDX-License-Identifier: Apache-2.0
 *
 * mbedTLS 2.28 as the firmware has it: RSA and ECDSA signatures, RSA decryption, with keys in DER. */
#ifndef MBEDTLS_CONFIG_OF_FIRMWARE_H
#define MBEDTLS_CONFIG_OF_FIRMWARE_H

#define MBEDTLS_HAVE_ASM
#define MBEDTLS_NO_PLATFORM_ENTROPY
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C

#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECDSA_C
#ifndef MONTCORE_SOFTWARE_ECDSA
#define MBEDTLS_ECDSA_SIGN_ALT /* montcore_mbedtls_ecdsa.c */
#endif
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_NIST_OPTIM
#define MBEDTLS_HMAC_DRBG_C
#define MBEDTLS_MD_C
#define MBEDTLS_OID_C
#define MBEDTLS_PKCS1_V15
#define MBEDTLS_PKCS1_V21
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C
#define MBEDTLS_PK_RSA_ALT_SUPPORT
#define MBEDTLS_RSA_C
#define MBEDTLS_SHA256_C

#include "mbedtls/check_config.h"

#endif
