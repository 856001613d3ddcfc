/* SPDX-License-Identifier: Apache-2.0
 *
 * One RSA key, one digest, one call of mbedTLS (mbedtls_pk_sign): in software, with sw/riscv, by the
 * accelerator. What is done once for a key comes before and is not in the figures: the blinding factors.
 * mbedTLS gets those that the driver drew, as drawing its own takes it longer than a signature. */
#include <string.h>

#include "firmware.h"
#include "montcore_mbedtls.h"
#include "vectors.h"

static int take(mbedtls_mpi *number, const uint32_t *limbs, size_t count) {
  int ret = mbedtls_mpi_grow(number, count);
  if (ret == 0) memcpy(number->p, limbs, count * sizeof *limbs);
  return ret;
}

/* Takes off the limb of zeros that a number of DER has above it: a Montgomery product is shorter by it. */
static int trim(mbedtls_rsa_context *software) {
  int ret = mbedtls_mpi_shrink(&software->N, 0u);
  if (ret == 0) ret = mbedtls_mpi_shrink(&software->P, 0u);
  return ret ? ret : mbedtls_mpi_shrink(&software->Q, 0u);
}

/* Gives mbedTLS the blinding factors of the driver: r^e as Vi, r^-1 as Vf. */
static int share_factors(mbedtls_rsa_context *software, const montcore_rsa *rsa) {
  size_t limbs = montcore_pka_limbs(rsa->key->bits);
  int ret = take(&software->Vi, rsa->factor, limbs);
  return ret ? ret : take(&software->Vf, rsa->inverse, limbs);
}

unsigned firmware_measure_rsa(montcore_pka *pka, unsigned ways) {
  static montcore_mbedtls_rsa own;
  mbedtls_pk_context software, accelerated;
  unsigned failed;
  mbedtls_pk_init(&software);
  mbedtls_pk_init(&accelerated);
  failed = firmware_step("key", mbedtls_pk_parse_key(&software, rsa_key, sizeof rsa_key, NULL, 0u));
  if (failed) return failed;
  failed = firmware_step("key", trim(mbedtls_pk_rsa(software)));
  failed += firmware_step("begin", montcore_mbedtls_rsa_begin(&own, pka, mbedtls_pk_rsa(software),
                                                              &accelerated));
  failed += firmware_step("factors", share_factors(mbedtls_pk_rsa(software), &own.rsa));
  if (!failed && (ways & BY_ACCELERATOR)) failed = firmware_sign("rsa", "accelerator", &accelerated);
  montcore_mbedtls_rsa_end(&own);
  montcore_mbedtls_riscv(1);
  if (!failed && (ways & BY_LIBRARY)) failed = firmware_sign("rsa", "library", &software);
  montcore_mbedtls_riscv(0);
  if (!failed && (ways & BY_SOFTWARE)) failed = firmware_sign("rsa", "software", &software);
  mbedtls_pk_free(&accelerated);
  mbedtls_pk_free(&software);
  return failed;
}
