/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "mbedtls/oid.h"
#include "mbedtls/platform_util.h"
#include "montcore_mbedtls.h"

typedef char limbs_have_32_bits[sizeof(mbedtls_mpi_uint) == 4u ? 1 : -1];

/* Sets byte `at` of a number, the lowest being 0. */
static void set_byte(uint32_t *number, size_t at, unsigned char byte) {
  unsigned shift = 8u * (unsigned)(at % 4u);
  number[at / 4u] = (number[at / 4u] & ~((uint32_t)0xff << shift)) | (uint32_t)byte << shift;
}

/* EMSA-PKCS1-v1_5 (RFC 8017, 9.2): 00 01 ff .. ff 00, then what was signed. `hash` stands as it is if
 * there is no name of its function. Returns 0 if it does not fit. */
static int encode(mbedtls_md_type_t md, const unsigned char *hash, size_t hash_bytes,
                  uint32_t *number, size_t bytes) {
  const char *oid = NULL;
  size_t oid_bytes = 0u, tail = hash_bytes, at, i;
  if (md != MBEDTLS_MD_NONE) {
    const mbedtls_md_info_t *info = mbedtls_md_info_from_type(md);
    if (!info || mbedtls_oid_get_oid_by_md(md, &oid, &oid_bytes) != 0) return 0;
    if (hash_bytes == 0u) hash_bytes = mbedtls_md_get_size(info);
    if (hash_bytes != mbedtls_md_get_size(info)) return 0;
    tail = 10u + oid_bytes + hash_bytes; /* DigestInfo: 5 headers of 2 bytes */
    if (tail > 129u) return 0;           /* lengths of one byte */
  }
  if (bytes < tail + 11u) return 0;
  for (i = 0; i < (bytes + 3u) / 4u; i++) number[i] = 0xffffffffu;
  for (i = bytes; i % 4u != 0u; i++) set_byte(number, i, 0u);
  set_byte(number, bytes - 1u, 0u);
  set_byte(number, bytes - 2u, 1u);
  at = tail;
  set_byte(number, at, 0u);
  if (md != MBEDTLS_MD_NONE) {
    /* A sequence of the algorithm and the digest; the algorithm: its name, and null. */
    const unsigned char head[6] = {0x30u, (unsigned char)(tail - 2u),      0x30u,
                                   (unsigned char)(oid_bytes + 4u), 0x06u, (unsigned char)oid_bytes};
    const unsigned char middle[4] = {0x05u, 0x00u, 0x04u, (unsigned char)hash_bytes};
    for (i = 0; i < sizeof head; i++) set_byte(number, --at, head[i]);
    for (i = 0; i < oid_bytes; i++) set_byte(number, --at, (unsigned char)oid[i]);
    for (i = 0; i < sizeof middle; i++) set_byte(number, --at, middle[i]);
  }
  for (i = 0; i < hash_bytes; i++) set_byte(number, --at, hash[i]);
  return 1;
}

static void put_word(unsigned char *at, uint32_t word) {
  at[0] = (unsigned char)(word >> 24);
  at[1] = (unsigned char)(word >> 16);
  at[2] = (unsigned char)(word >> 8);
  at[3] = (unsigned char)word;
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
  if (!encode(md, hash, hash_bytes, number, bytes)) return MBEDTLS_ERR_RSA_BAD_INPUT_DATA;
  status = montcore_rsa_private(&own->rsa, number, number);
  for (i = bytes; i >= 4u; i -= 4u) put_word(signature + i - 4u, number[(bytes - i) / 4u]);
  while (i-- > 0u) signature[i] = (unsigned char)(number[bytes / 4u] >> (8u * (bytes % 4u - 1u - i)));
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
