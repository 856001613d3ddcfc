/* SPDX-License-Identifier: Apache-2.0
 *
 * One RSA key, one digest or message, one call of mbedTLS (mbedtls_pk_sign, mbedtls_pk_decrypt): in
 * software, with riscv, by the accelerator. What is done once for a key comes before and is not in the figures: the blinding factors.
 * mbedTLS gets those that the driver drew, as drawing its own takes it longer than a signature. */
#include <string.h>

#include "board.h"
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

/* The key twice: for mbedTLS, and by the accelerator. */
static montcore_mbedtls_rsa own;
static mbedtls_pk_context software, accelerated;

static unsigned begin(montcore_pka *pka) {
  unsigned failed;
  mbedtls_pk_init(&software);
  mbedtls_pk_init(&accelerated);
  failed = firmware_step("key", mbedtls_pk_parse_key(&software, rsa_key, sizeof rsa_key, NULL, 0u));
  if (failed) return failed;
  failed = firmware_step("key", trim(mbedtls_pk_rsa(software)));
  failed += firmware_step("begin", montcore_mbedtls_rsa_begin(&own, pka, mbedtls_pk_rsa(software),
                                                              &accelerated));
  return failed + firmware_step("factors", share_factors(mbedtls_pk_rsa(software), &own.rsa));
}

static void end(void) {
  montcore_mbedtls_rsa_end(&own);
  mbedtls_pk_free(&accelerated);
  mbedtls_pk_free(&software);
}

unsigned firmware_measure_rsa(montcore_pka *pka, unsigned ways) {
  unsigned failed = begin(pka);
  if (!failed && (ways & BY_ACCELERATOR)) failed = firmware_sign("rsa", "accelerator", &accelerated);
  montcore_mbedtls_riscv(1);
  if (!failed && (ways & BY_LIBRARY)) failed = firmware_sign("rsa", "library", &software);
  montcore_mbedtls_riscv(0);
  if (!failed && (ways & BY_SOFTWARE)) failed = firmware_sign("rsa", "software", &software);
  end();
  return failed;
}

/* Messages with wrong padding, or that are no number below the modulus: an error, and nothing else. */
static unsigned refuse(void) {
  static unsigned char changed[sizeof secret_oaep], out[sizeof secret_oaep];
  size_t bytes = 0u;
  int ret;
  memcpy(changed, secret_oaep, sizeof changed);
  changed[sizeof changed - 1u] ^= 1u;
  ret = mbedtls_pk_decrypt(&accelerated, changed, sizeof changed, out, &bytes, sizeof out,
                           board_random, NULL);
  if (ret != MBEDTLS_ERR_RSA_INVALID_PADDING || bytes) return firmware_step("changed", ret ? ret : -1);
  ret = mbedtls_pk_decrypt(&accelerated, secret_oaep, sizeof changed, out, &bytes, 1u, board_random,
                           NULL);
  if (ret != MBEDTLS_ERR_RSA_OUTPUT_TOO_LARGE || bytes) return firmware_step("room", ret ? ret : -1);
  memset(changed, 0xff, sizeof changed);
  ret = mbedtls_pk_decrypt(&accelerated, changed, sizeof changed, out, &bytes, sizeof out,
                           board_random, NULL);
  if (ret != MBEDTLS_ERR_RSA_PRIVATE_FAILED || bytes) return firmware_step("range", ret ? ret : -1);
  board_put("test passed: messages that were changed are refused\n");
  return 0u;
}

unsigned firmware_measure_decryption(montcore_pka *pka, unsigned ways) {
  unsigned failed = begin(pka);
  if (!failed && (ways & BY_ACCELERATOR)) {
    failed = firmware_decrypt("pkcs1", "accelerator", &accelerated, secret_pkcs1, sizeof secret_pkcs1);
    failed += firmware_step("oaep", montcore_mbedtls_rsa_oaep(&own, MBEDTLS_MD_SHA256));
    failed += firmware_decrypt("oaep", "accelerator", &accelerated, secret_oaep, sizeof secret_oaep);
    if (!failed) failed = refuse();
  }
  if (!failed) mbedtls_rsa_set_padding(mbedtls_pk_rsa(software), MBEDTLS_RSA_PKCS_V21, MBEDTLS_MD_SHA256);
  montcore_mbedtls_riscv(1);
  if (!failed && (ways & BY_LIBRARY)) {
    failed = firmware_decrypt("oaep", "library", &software, secret_oaep, sizeof secret_oaep);
  }
  montcore_mbedtls_riscv(0);
  if (!failed && (ways & BY_SOFTWARE)) {
    failed = firmware_decrypt("oaep", "software", &software, secret_oaep, sizeof secret_oaep);
  }
  end();
  return failed;
}
