/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "mbedtls/oid.h"
#include "mbedtls/platform_util.h"
#include "montcore_mbedtls.h"

typedef char limbs_have_32_bits[sizeof(mbedtls_mpi_uint) == 4u ? 1 : -1];

/* EMSA-PKCS1-v1_5 (RFC 8017, 9.2): 00 01 ff .. ff 00, then what was signed. `hash` stands as it is if
 * there is no name of its function. Returns 0 if it does not fit. */
static int encode(mbedtls_md_type_t md, const unsigned char *hash, size_t hash_bytes,
                  unsigned char *out, size_t bytes) {
  const char *oid = NULL;
  size_t oid_bytes = 0u, tail = hash_bytes;
  unsigned char *at;
  if (md != MBEDTLS_MD_NONE) {
    const mbedtls_md_info_t *info = mbedtls_md_info_from_type(md);
    if (!info || mbedtls_oid_get_oid_by_md(md, &oid, &oid_bytes) != 0) return 0;
    if (hash_bytes == 0u) hash_bytes = mbedtls_md_get_size(info);
    if (hash_bytes != mbedtls_md_get_size(info)) return 0;
    tail = 10u + oid_bytes + hash_bytes; /* DigestInfo: 5 headers of 2 bytes */
    if (tail > 129u) return 0;           /* lengths of one byte */
  }
  if (bytes < tail + 11u) return 0;
  memset(out, 0xff, bytes);
  out[0] = 0u;
  out[1] = 1u;
  at = out + bytes - tail - 1u;
  *at++ = 0u;
  if (md != MBEDTLS_MD_NONE) {
    *at++ = 0x30u; /* sequence of an algorithm and the digest */
    *at++ = (unsigned char)(tail - 2u);
    *at++ = 0x30u; /* the algorithm: its name, and null */
    *at++ = (unsigned char)(oid_bytes + 4u);
    *at++ = 0x06u;
    *at++ = (unsigned char)oid_bytes;
    memcpy(at, oid, oid_bytes);
    at += oid_bytes;
    *at++ = 0x05u;
    *at++ = 0x00u;
    *at++ = 0x04u;
    *at++ = (unsigned char)hash_bytes;
  }
  memcpy(at, hash, hash_bytes);
  return 1;
}

static int sign(void *context, int (*f_rng)(void *, unsigned char *, size_t), void *p_rng, int mode,
                mbedtls_md_type_t md, unsigned int hash_bytes, const unsigned char *hash,
                unsigned char *signature) {
  montcore_mbedtls_rsa *own = (montcore_mbedtls_rsa *)context;
  size_t bytes = (own->key.bits + 7u) / 8u, i;
  uint32_t number[MONTCORE_PKA_MAX_LIMBS];
  montcore_pka_status status;
  (void)f_rng; /* random numbers come from the accelerator's port */
  (void)p_rng;
  if (mode != MBEDTLS_RSA_PRIVATE) return MBEDTLS_ERR_PK_BAD_INPUT_DATA;
  if (!encode(md, hash, hash_bytes, signature, bytes)) return MBEDTLS_ERR_RSA_BAD_INPUT_DATA;
  memset(number, 0, sizeof number);
  for (i = 0; i < bytes; i++) {
    number[i / 4u] |= (uint32_t)signature[bytes - 1u - i] << (8u * (i % 4u));
  }
  status = montcore_rsa_private(&own->rsa, number, number);
  for (i = 0; i < bytes; i++) {
    signature[bytes - 1u - i] = (unsigned char)(number[i / 4u] >> (8u * (i % 4u)));
  }
  if (status == MONTCORE_PKA_OK) return 0;
  if (status == MONTCORE_PKA_FAULT) return MBEDTLS_ERR_RSA_VERIFY_FAILED;
  if (status == MONTCORE_PKA_RANDOM_FAILED) return MBEDTLS_ERR_RSA_RNG_FAILED;
  return MBEDTLS_ERR_RSA_PRIVATE_FAILED;
}

static int decrypt(void *context, int mode, size_t *count, const unsigned char *input,
                   unsigned char *output, size_t room) {
  (void)context, (void)mode, (void)count, (void)input, (void)output, (void)room;
  return MBEDTLS_ERR_PK_FEATURE_UNAVAILABLE;
}

static size_t key_bytes(void *context) {
  return (((montcore_mbedtls_rsa *)context)->key.bits + 7u) / 8u;
}

int montcore_mbedtls_rsa_begin(montcore_mbedtls_rsa *own, montcore_pka *pka,
                               mbedtls_rsa_context *source, mbedtls_pk_context *pk) {
  montcore_rsa_key *key = &own->key;
  size_t p_limbs, q_limbs, limbs;
  memset(own, 0, sizeof *own);
  key->bits = (unsigned)mbedtls_mpi_bitlen(&source->N);
  key->p_bits = (unsigned)mbedtls_mpi_bitlen(&source->P);
  key->q_bits = (unsigned)mbedtls_mpi_bitlen(&source->Q);
  key->e_bits = (unsigned)mbedtls_mpi_bitlen(&source->E);
  limbs = montcore_pka_limbs(key->bits);
  p_limbs = montcore_pka_limbs(key->p_bits);
  q_limbs = montcore_pka_limbs(key->q_bits);
  /* The driver reads as many limbs as the modulus has. */
  if (mbedtls_mpi_grow(&source->E, limbs) || mbedtls_mpi_grow(&source->DP, p_limbs) ||
      mbedtls_mpi_grow(&source->DQ, q_limbs) || mbedtls_mpi_grow(&source->QP, p_limbs)) {
    return MBEDTLS_ERR_PK_ALLOC_FAILED;
  }
  key->n = source->N.p;
  key->e = source->E.p;
  key->p = source->P.p;
  key->q = source->Q.p;
  key->dp = source->DP.p;
  key->dq = source->DQ.p;
  key->qinv = source->QP.p;
  if (montcore_rsa_begin(&own->rsa, pka, key) != MONTCORE_PKA_OK) {
    return MBEDTLS_ERR_PK_FEATURE_UNAVAILABLE;
  }
  return mbedtls_pk_setup_rsa_alt(pk, own, decrypt, sign, key_bytes);
}

void montcore_mbedtls_rsa_end(montcore_mbedtls_rsa *own) { montcore_rsa_end(&own->rsa); }
