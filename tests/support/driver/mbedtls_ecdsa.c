/* SPDX-License-Identifier: Apache-2.0
 *
 * ECDSA by the hook of sw/mbedtls in front of a device that answers at once with words that mean nothing, and
 * whose verification says what the argument says, and refuses r = 0. Prints mbedTLS's error, and whether r
 * and s were given out.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mbedtls/ecdsa.h"
#include "mbedtls/platform.h"
#include "montcore_mbedtls.h"

#define COMMAND 0x2cu
#define OPERATION(word) ((word) >> 20 & 7u)
#define VERIFY 3u

static uint32_t answer, command, verified;

int mbedtls_ecdsa_sign_software(mbedtls_ecp_group *grp, mbedtls_mpi *r, mbedtls_mpi *s,
                                const mbedtls_mpi *d, const unsigned char *buf, size_t blen,
                                int (*f_rng)(void *, unsigned char *, size_t), void *p_rng);
int mbedtls_ecdsa_sign_software(mbedtls_ecp_group *grp, mbedtls_mpi *r, mbedtls_mpi *s,
                                const mbedtls_mpi *d, const unsigned char *buf, size_t blen,
                                int (*f_rng)(void *, unsigned char *, size_t), void *p_rng) {
  (void)grp, (void)r, (void)s, (void)d, (void)buf, (void)blen, (void)f_rng, (void)p_rng;
  return 1;
}

static int read_word(void *context, uint32_t address, uint32_t *value) {
  (void)context;
  *value = address == 0u ? 0x4d504b41u : address == 4u ? 0x100u : address == 8u ? 0x00020000u : 0u;
  if (address == 0x38u) *value = 256u;
  /* The second verification is of r = 0. */
  if (address == 0x18u && OPERATION(command) == VERIFY) *value = verified > 1u ? MONTCORE_PKA_RANGE : answer;
  if (address >= 0x4000u) *value = address;
  return 0;
}
static int write_word(void *context, uint32_t address, uint32_t value) {
  (void)context;
  if (address == COMMAND) command = value, verified += OPERATION(value) == VERIFY;
  return 0;
}
static int random_bytes(void *context, uint8_t *bytes, size_t count) {
  (void)context;
  while (count-- > 0u) bytes[count] = (uint8_t)(count + 1u);
  return 0;
}

int main(int count, char **arguments) {
  static const montcore_pka_port port = {0, read_word, write_word, 0, random_bytes, 10u};
  static const unsigned char hash[32] = {1};
  mbedtls_ecp_group group = {.id = MBEDTLS_ECP_DP_SECP256R1};
  mbedtls_mpi r, s, d;
  montcore_pka pka;
  int ret;
  if (count != 2 || montcore_pka_open(&pka, &port) != MONTCORE_PKA_OK) return 1;
  answer = (uint32_t)atoi(arguments[1]);
  mbedtls_platform_set_calloc_free(calloc, free);
  mbedtls_mpi_init(&r), mbedtls_mpi_init(&s), mbedtls_mpi_init(&d);
  if (mbedtls_mpi_lset(&d, 5) != 0) return 1;
  montcore_mbedtls_ecdsa(&pka);
  ret = mbedtls_ecdsa_sign(&group, &r, &s, &d, hash, sizeof hash, NULL, NULL);
  printf("%d %d\n", ret, mbedtls_mpi_cmp_int(&r, 0) != 0 || mbedtls_mpi_cmp_int(&s, 0) != 0);
  mbedtls_mpi_free(&r), mbedtls_mpi_free(&s), mbedtls_mpi_free(&d);
  return 0;
}
