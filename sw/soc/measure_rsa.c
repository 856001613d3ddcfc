/* SPDX-License-Identifier: Apache-2.0
 *
 * One RSA key, one digest, one call of mbedTLS (mbedtls_pk_sign): in software, with sw/riscv, by the
 * accelerator. What is done once for a key comes before and is not in the figures: the blinding factors.
 * mbedTLS gets those that the driver drew, as drawing its own takes it longer than a signature. */
#include <string.h>

#include "board.h"
#include "firmware.h"
#include "montcore_mbedtls.h"
#include "vectors.h"

static unsigned failed;

static void step(const char *name, int ret) {
  if (ret == 0) return;
  failed++;
  board_put("failed: ");
  board_put(name);
  board_put(" -0x");
  board_put_hex((uint32_t)-ret);
  board_put("\n");
}

static void sign(const char *way, mbedtls_pk_context *pk) {
  static unsigned char signature[MBEDTLS_PK_SIGNATURE_MAX_SIZE];
  size_t bytes = 0u;
  uint64_t begin = board_cycles(), cycles;
  int ret = mbedtls_pk_sign(pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &bytes,
                            board_random, NULL);
  cycles = board_cycles() - begin;
  step(way, ret);
  if (ret != 0) return;
  board_put("cycles rsa ");
  board_put(way);
  board_put(" ");
  board_put_number(cycles);
  board_put("\nsignature rsa ");
  board_put(way);
  board_put(" ");
  board_put_bytes(signature, bytes);
  board_put("\n");
}

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

unsigned firmware_measure_rsa(montcore_pka *pka) {
  static montcore_mbedtls_rsa own;
  mbedtls_pk_context software, accelerated;
  failed = 0u;
  mbedtls_pk_init(&software);
  mbedtls_pk_init(&accelerated);
  step("key", mbedtls_pk_parse_key(&software, rsa_key, sizeof rsa_key, NULL, 0u));
  if (failed) return failed;
  step("key", trim(mbedtls_pk_rsa(software)));
  step("begin", montcore_mbedtls_rsa_begin(&own, pka, mbedtls_pk_rsa(software), &accelerated));
  if (!failed) step("factors", share_factors(mbedtls_pk_rsa(software), &own.rsa));
  if (!failed) sign("accelerator", &accelerated);
  montcore_mbedtls_rsa_end(&own);
#ifndef ACCELERATOR_ALONE
  montcore_mbedtls_riscv(1);
  sign("library", &software);
  montcore_mbedtls_riscv(0);
  sign("software", &software);
#endif
  mbedtls_pk_free(&accelerated);
  mbedtls_pk_free(&software);
  return failed;
}
