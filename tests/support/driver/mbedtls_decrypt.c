/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hook of sw/mbedtls takes out of a padded block. The private operation is replaced (the linker's
 * --wrap): it gives its input back. Reads lines: oaep or pkcs1, the room, the block in hexadecimal, as long
 * as the modulus; answers with mbedTLS's error, 0 if there is none, and the message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbedtls/platform.h"
#include "montcore_mbedtls.h"

#define BITS 1024u
#define BYTES (BITS / 8u)

montcore_pka_status __wrap_montcore_rsa_private(montcore_rsa *rsa, const uint32_t *x, uint32_t *z);
montcore_pka_status __wrap_montcore_rsa_begin(montcore_rsa *rsa, montcore_pka *pka,
                                              const montcore_rsa_key *key);
void __wrap_montcore_rsa_end(montcore_rsa *rsa);

montcore_pka_status __wrap_montcore_rsa_private(montcore_rsa *rsa, const uint32_t *x, uint32_t *z) {
  (void)rsa;
  memmove(z, x, BYTES);
  return MONTCORE_PKA_OK;
}
montcore_pka_status __wrap_montcore_rsa_begin(montcore_rsa *rsa, montcore_pka *pka,
                                              const montcore_rsa_key *key) {
  (void)rsa, (void)pka, (void)key;
  return MONTCORE_PKA_OK;
}
void __wrap_montcore_rsa_end(montcore_rsa *rsa) { (void)rsa; }

int main(void) {
  static unsigned char block[BYTES], message[BYTES];
  static char line[4096], padding[8], text[2u * BYTES + 1u];
  mbedtls_rsa_context source;
  mbedtls_pk_context pk;
  montcore_mbedtls_rsa own;
  unsigned room;
  mbedtls_platform_set_calloc_free(calloc, free);
  mbedtls_rsa_init(&source, MBEDTLS_RSA_PKCS_V15, 0);
  mbedtls_pk_init(&pk);
  if (mbedtls_mpi_lset(&source.N, 1) || mbedtls_mpi_shift_l(&source.N, BITS - 1u)) return 1;
  if (montcore_mbedtls_rsa_begin(&own, NULL, &source, &pk)) return 1;
  while (fgets(line, sizeof line, stdin)) {
    size_t count = 0u, i;
    int ret;
    if (sscanf(line, "%7s %u %256s", padding, &room, text) != 3 || room > sizeof message) return 1;
    if (strlen(text) != 2u * BYTES) return 1;
    for (i = 0u; i < BYTES; i++) {
      char digits[3] = {text[2u * i], text[2u * i + 1u], 0};
      block[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    if (montcore_mbedtls_rsa_oaep(&own, strcmp(padding, "oaep") ? MBEDTLS_MD_NONE : MBEDTLS_MD_SHA256)) {
      return 1;
    }
    ret = mbedtls_pk_decrypt(&pk, block, BYTES, message, &count, room, NULL, NULL);
    printf("%d ", ret);
    for (i = 0u; i < count && !ret; i++) printf("%02x", message[i]);
    puts("");
  }
  montcore_mbedtls_rsa_end(&own);
  mbedtls_pk_free(&pk);
  mbedtls_rsa_free(&source);
  return montcore_mbedtls_rsa_oaep(&own, MBEDTLS_MD_SHA512) == MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE ? 0 : 1;
}
