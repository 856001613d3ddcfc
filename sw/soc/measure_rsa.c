/* SPDX-License-Identifier: Apache-2.0
 *
 * One RSA key, one digest, one call of mbedTLS (mbedtls_pk_sign): in software, with sw/riscv, by the
 * accelerator. What is done once for a key comes before: mbedTLS's blinding factors and R^2 modulo the
 * primes, the driver's blinding factors. */
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

static void sign(const char *way, mbedtls_pk_context *pk, int say) {
  static unsigned char signature[MBEDTLS_PK_SIGNATURE_MAX_SIZE];
  size_t bytes = 0u;
  uint64_t begin = board_cycles(), cycles;
  int ret = mbedtls_pk_sign(pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &bytes,
                            board_random, NULL);
  cycles = board_cycles() - begin;
  step(way, ret);
  if (ret != 0 || !say) return;
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

unsigned firmware_measure_rsa(montcore_pka *pka) {
  static montcore_mbedtls_rsa own;
  mbedtls_pk_context software, accelerated;
  failed = 0u;
  mbedtls_pk_init(&software);
  mbedtls_pk_init(&accelerated);
  step("key", mbedtls_pk_parse_key(&software, rsa_key, sizeof rsa_key, NULL, 0u));
  if (failed) return failed;
  step("begin", montcore_mbedtls_rsa_begin(&own, pka, mbedtls_pk_rsa(software), &accelerated));
  if (!failed) sign("accelerator", &accelerated, 1);
  montcore_mbedtls_rsa_end(&own);
#ifndef ACCELERATOR_ALONE
  montcore_mbedtls_riscv(1);
  sign("preparation", &software, 0);
  sign("library", &software, 1);
  montcore_mbedtls_riscv(0);
  sign("software", &software, 1);
#endif
  mbedtls_pk_free(&accelerated);
  mbedtls_pk_free(&software);
  return failed;
}
