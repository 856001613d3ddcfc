/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "mbedtls/ecdsa.h"
#include "mbedtls/platform.h"
#include "mbedtls/platform_util.h"
#include "montcore_ecc.h"
#include "montcore_mbedtls.h"

#define LIMBS 17u /* of the longest curve */
#define TRIES 8u

int mbedtls_ecdsa_sign_software(mbedtls_ecp_group *grp, mbedtls_mpi *r, mbedtls_mpi *s,
                                const mbedtls_mpi *d, const unsigned char *buf, size_t blen,
                                int (*f_rng)(void *, unsigned char *, size_t), void *p_rng);

static montcore_pka *accelerator;

void montcore_mbedtls_ecdsa(montcore_pka *pka) { accelerator = pka; }

static const montcore_ecc_curve *curve_of(mbedtls_ecp_group_id id) {
  switch (id) {
    case MBEDTLS_ECP_DP_SECP256R1: return &montcore_p256;
    case MBEDTLS_ECP_DP_SECP384R1: return &montcore_p384;
    case MBEDTLS_ECP_DP_SECP521R1: return &montcore_p521;
    case MBEDTLS_ECP_DP_SECP256K1: return &montcore_secp256k1;
    case MBEDTLS_ECP_DP_BP256R1: return &montcore_brainpool_p256r1;
    default: return NULL;
  }
}

/* Belongs to the hook: whether there is ECDSA on a curve. */
int mbedtls_ecdsa_can_do(mbedtls_ecp_group_id gid) {
  return gid != MBEDTLS_ECP_DP_NONE && gid != MBEDTLS_ECP_DP_CURVE25519 &&
         gid != MBEDTLS_ECP_DP_CURVE448;
}

static int put(mbedtls_mpi *number, const uint32_t *limbs, size_t count) {
  int ret = mbedtls_mpi_lset(number, 0);
  if (ret == 0) ret = mbedtls_mpi_grow(number, count);
  if (ret == 0) memcpy(number->p, limbs, count * sizeof *limbs);
  return ret;
}

int mbedtls_ecdsa_sign(mbedtls_ecp_group *grp, mbedtls_mpi *r, mbedtls_mpi *s, const mbedtls_mpi *d,
                       const unsigned char *buf, size_t blen,
                       int (*f_rng)(void *, unsigned char *, size_t), void *p_rng) {
  const montcore_ecc_curve *curve = curve_of(grp->id);
  uint32_t secret[LIMBS], r_limbs[LIMBS], s_limbs[LIMBS];
  montcore_pka_status status = MONTCORE_PKA_RETRY;
  size_t limbs, given = d->n, tries;
  int ret;
  if (!accelerator || !curve || montcore_ecc_bits(curve) > accelerator->curve_length) {
    return mbedtls_ecdsa_sign_software(grp, r, s, d, buf, blen, f_rng, p_rng);
  }
  limbs = montcore_ecc_limbs(curve);
  while (given > limbs && d->p[given - 1u] == 0u) given--;
  if (given > limbs || mbedtls_mpi_cmp_int(d, 1) < 0) return MBEDTLS_ERR_ECP_INVALID_KEY;
  memset(secret, 0, sizeof secret);
  memcpy(secret, d->p, given * sizeof *secret);
  for (tries = 0; status == MONTCORE_PKA_RETRY && tries < TRIES; tries++) {
    status = montcore_ecdsa_sign(accelerator, curve, secret, NULL, buf, blen, r_limbs, s_limbs);
  }
  mbedtls_platform_zeroize(secret, sizeof secret);
  if (status == MONTCORE_PKA_RANGE) return MBEDTLS_ERR_ECP_INVALID_KEY;
  if (status == MONTCORE_PKA_RANDOM_FAILED || status == MONTCORE_PKA_NO_RANDOM ||
      status == MONTCORE_PKA_RETRY) {
    return MBEDTLS_ERR_ECP_RANDOM_FAILED;
  }
  if (status == MONTCORE_PKA_FAULT) return MBEDTLS_ERR_ECP_VERIFY_FAILED;
  if (status != MONTCORE_PKA_OK) return MBEDTLS_ERR_PLATFORM_HW_ACCEL_FAILED;
  ret = put(r, r_limbs, limbs);
  return ret ? ret : put(s, s_limbs, limbs);
}
