/* SPDX-License-Identifier: Apache-2.0
 *
 * One key on P-256, one digest, one call of mbedTLS (mbedtls_pk_sign), three ways. What is done once comes
 * before: mbedTLS's table of multiples of the base point, the accelerator's curve. The accelerator's signature
 * is measured with its verification before the release and without. */
#include "firmware.h"
#include "montcore_mbedtls.h"
#include "vectors.h"

unsigned firmware_measure_ecdsa(montcore_pka *pka, unsigned ways) {
  mbedtls_pk_context pk;
  unsigned failed;
  mbedtls_pk_init(&pk);
  failed = firmware_step("key", mbedtls_pk_parse_key(&pk, ec_key, sizeof ec_key, NULL, 0u));
  if (!failed && (ways & BY_ACCELERATOR)) {
    montcore_mbedtls_ecdsa(pka);
    failed = firmware_sign("ecdsa", "accelerator-first", &pk);
    if (!failed) failed = firmware_sign("ecdsa", "accelerator", &pk);
    pka->unverified = 1u;
    if (!failed) failed = firmware_sign("ecdsa", "accelerator-unverified", &pk);
    pka->unverified = 0u;
    montcore_mbedtls_ecdsa(NULL);
  }
  montcore_mbedtls_riscv(1);
  if (!failed && (ways & (BY_LIBRARY | BY_SOFTWARE))) failed = firmware_sign("ecdsa", NULL, &pk);
  if (!failed && (ways & BY_LIBRARY)) failed = firmware_sign("ecdsa", "library", &pk);
  montcore_mbedtls_riscv(0);
  if (!failed && (ways & BY_SOFTWARE)) failed = firmware_sign("ecdsa", "software", &pk);
  mbedtls_pk_free(&pk);
  return failed;
}
