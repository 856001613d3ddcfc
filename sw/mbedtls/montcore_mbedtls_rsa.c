/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "constant_time_internal.h" /* of mbedTLS's library */
#include "mbedtls/oid.h"
#include "mbedtls/platform_util.h"
#include "montcore_mbedtls.h"

#define MAX_BYTES (4u * MONTCORE_PKA_MAX_LIMBS)

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

/* A number as bytes, the highest first. */
static void put_number(unsigned char *out, const uint32_t *number, size_t bytes) {
  size_t i;
  for (i = bytes; i >= 4u; i -= 4u) put_word(out + i - 4u, number[(bytes - i) / 4u]);
  while (i-- > 0u) out[i] = (unsigned char)(number[bytes / 4u] >> (8u * (bytes % 4u - 1u - i)));
}

/* What mbedTLS calls the end of a private operation. */
static int error_of(montcore_pka_status status) {
  if (status == MONTCORE_PKA_OK) return 0;
  if (status == MONTCORE_PKA_FAULT) return MBEDTLS_ERR_RSA_VERIFY_FAILED;
  if (status == MONTCORE_PKA_RANDOM_FAILED) return MBEDTLS_ERR_RSA_RNG_FAILED;
  return MBEDTLS_ERR_RSA_PRIVATE_FAILED;
}

static int sign(void *context, int (*f_rng)(void *, unsigned char *, size_t), void *p_rng, int mode,
                mbedtls_md_type_t md, unsigned int hash_bytes, const unsigned char *hash,
                unsigned char *signature) {
  montcore_mbedtls_rsa *own = (montcore_mbedtls_rsa *)context;
  size_t bytes = (own->key.bits + 7u) / 8u;
  uint32_t number[MONTCORE_PKA_MAX_LIMBS];
  montcore_pka_status status;
  (void)f_rng; /* random numbers come from the accelerator's port */
  (void)p_rng;
  if (mode != MBEDTLS_RSA_PRIVATE) return MBEDTLS_ERR_PK_BAD_INPUT_DATA;
  if (!encode(md, hash, hash_bytes, number, bytes)) return MBEDTLS_ERR_RSA_BAD_INPUT_DATA;
  status = montcore_rsa_private(&own->rsa, number, number);
  put_number(signature, number, bytes);
  return error_of(status);
}

/* out = out xor MGF1 of the seed (RFC 8017, B.2.1). */
static int mask(const mbedtls_md_info_t *info, const unsigned char *seed, size_t seed_bytes,
                unsigned char *out, size_t bytes) {
  unsigned char counter[4], block[MBEDTLS_MD_MAX_SIZE];
  size_t digest_bytes = mbedtls_md_get_size(info), at, i;
  mbedtls_md_context_t hash;
  int ret;
  mbedtls_md_init(&hash);
  ret = mbedtls_md_setup(&hash, info, 0);
  for (at = 0; at < bytes && ret == 0; at += digest_bytes) {
    put_word(counter, (uint32_t)(at / digest_bytes));
    ret = mbedtls_md_starts(&hash);
    if (ret == 0) ret = mbedtls_md_update(&hash, seed, seed_bytes);
    if (ret == 0) ret = mbedtls_md_update(&hash, counter, sizeof counter);
    if (ret == 0) ret = mbedtls_md_finish(&hash, block);
    for (i = 0; i < digest_bytes && at + i < bytes && ret == 0; i++) out[at + i] ^= block[i];
  }
  mbedtls_md_free(&hash);
  mbedtls_platform_zeroize(block, sizeof block);
  return ret;
}

/* 1 if a byte is not 0, without a branch. */
static unsigned any(unsigned byte) { return (0u - byte) >> (8u * sizeof byte - 1u); }

/* Takes a message out of its block (RFC 8017, 7.1.2), in place. Time and result do not tell which part
 * of the padding is wrong. */
static int open_oaep(mbedtls_md_type_t digest, unsigned char *block, size_t bytes,
                     unsigned char *output, size_t room, size_t *count) {
  const mbedtls_md_info_t *info = mbedtls_md_info_from_type(digest);
  unsigned char label[MBEDTLS_MD_MAX_SIZE];
  unsigned wrong = block[0], begun = 0u;
  size_t hash_bytes = info ? mbedtls_md_get_size(info) : bytes, data_bytes, at, i;
  unsigned char *seed = block + 1, *data = seed + hash_bytes;
  int ret;
  if (bytes < 2u * hash_bytes + 2u) return MBEDTLS_ERR_RSA_BAD_INPUT_DATA;
  data_bytes = bytes - hash_bytes - 1u;
  ret = mask(info, data, data_bytes, seed, hash_bytes);
  if (ret == 0) ret = mask(info, seed, hash_bytes, data, data_bytes);
  if (ret == 0) ret = mbedtls_md(info, (const unsigned char *)"", 0u, label);
  if (ret != 0) return ret;
  for (i = 0; i < hash_bytes; i++) wrong |= (unsigned)(data[i] ^ label[i]);
  for (at = i; i < data_bytes; i++) { /* zeros, then a one */
    unsigned ends = any(data[i]) & (begun ^ 1u);
    at += begun ^ 1u;
    wrong |= (0u - ends) & (data[i] ^ 1u);
    begun |= ends;
  }
  wrong |= begun ^ 1u;
  if (wrong) return MBEDTLS_ERR_RSA_INVALID_PADDING;
  if (data_bytes - at > room) return MBEDTLS_ERR_RSA_OUTPUT_TOO_LARGE;
  *count = data_bytes - at;
  memcpy(output, data + at, *count);
  return 0;
}

static int decrypt(void *context, int mode, size_t *count, const unsigned char *input,
                   unsigned char *output, size_t room) {
  montcore_mbedtls_rsa *own = (montcore_mbedtls_rsa *)context;
  size_t bytes = (own->key.bits + 7u) / 8u, i;
  uint32_t number[MONTCORE_PKA_MAX_LIMBS];
  unsigned char block[MAX_BYTES];
  int ret;
  if (mode != MBEDTLS_RSA_PRIVATE) return MBEDTLS_ERR_PK_BAD_INPUT_DATA;
  memset(number, 0, sizeof number);
  for (i = 0; i < bytes; i++) set_byte(number, i, input[bytes - 1u - i]);
  ret = error_of(montcore_rsa_private(&own->rsa, number, number));
  put_number(block, number, bytes);
  if (ret == 0 && own->oaep != MBEDTLS_MD_NONE) {
    ret = open_oaep(own->oaep, block, bytes, output, room, count);
  } else if (ret == 0) {
    ret = mbedtls_ct_rsaes_pkcs1_v15_unpadding(mode, block, bytes, output, room, count);
  }
  mbedtls_platform_zeroize(number, sizeof number);
  mbedtls_platform_zeroize(block, sizeof block);
  return ret;
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

int montcore_mbedtls_rsa_oaep(montcore_mbedtls_rsa *own, mbedtls_md_type_t digest) {
  if (digest != MBEDTLS_MD_NONE && !mbedtls_md_info_from_type(digest)) {
    return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
  }
  own->oaep = digest;
  return 0;
}

void montcore_mbedtls_rsa_end(montcore_mbedtls_rsa *own) { montcore_rsa_end(&own->rsa); }
