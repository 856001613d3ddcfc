/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on the accelerator: a connection each, so that threads and processes share nothing.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "montcore_pka_registers.h"
#include "montcore_provider.h"

#define LIMBS MONTCORE_PKA_MAX_LIMBS

/* Takes a key for one operation; others wait for their turn, within their time. */
static int take_turn(montcore_key *key) {
  struct timespec limit;
  if (!clock_gettime(CLOCK_MONOTONIC, &limit)) {
    limit.tv_sec += key->provider->limit_ms / 1000u;
    if (!pthread_mutex_clocklock(&key->lock, CLOCK_MONOTONIC, &limit)) return 1;
  }
  return montcore_complain(ERR_R_INTERNAL_ERROR, "other threads use the key for too long");
}

static int connect_to(const montcore_provider *provider, montcore_pka_socket *device) {
  if (!montcore_pka_socket_open(device, provider->socket, &provider->server, provider->limit_ms)) return 1;
  if (errno == ELOOP) return montcore_complain(ERR_R_INTERNAL_ERROR, "%s is a link", provider->socket);
  return errno == EPERM
             ? montcore_complain(ERR_R_INTERNAL_ERROR, "the server at %s is not of a trusted user",
                                 provider->socket)
             : montcore_complain(ERR_R_INTERNAL_ERROR, "no accelerator at %s: %s", provider->socket,
                                 strerror(errno));
}

static void to_limbs(uint32_t *limbs, const uint8_t *bytes, size_t count) {
  size_t i;
  memset(limbs, 0, LIMBS * sizeof *limbs);
  for (i = 0; i < count; i++) limbs[i / 4u] |= (uint32_t)bytes[count - 1u - i] << (8u * (i % 4u));
}

static void to_bytes(uint8_t *bytes, const uint32_t *limbs, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) bytes[count - 1u - i] = (uint8_t)(limbs[i / 4u] >> (8u * (i % 4u)));
}

/* A private operation with a key that is held here. */
static montcore_pka_status held_power(montcore_key *key, uint32_t *x) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  /* Blinding factors are drawn anew in a process that was forked off, which has copies of them. */
  if (!key->rsa.key || key->begun != getpid()) {
    status = montcore_rsa_begin(&key->rsa, &key->pka, &key->rsa_key);
    key->begun = getpid();
  }
  return status == MONTCORE_PKA_OK ? montcore_rsa_private(&key->rsa, x, x) : status;
}

/* factor = r^e and inverse = r^-1 mod n for a random r; n is loaded. */
static montcore_pka_status blinding(montcore_key *key, montcore_pka *pka, const uint32_t *e,
                                    unsigned e_bits, uint32_t *factor, uint32_t *inverse) {
  BN_CTX *scratch = BN_CTX_secure_new_ex(key->provider->library);
  BIGNUM *r = BN_secure_new(), *other = BN_secure_new();
  const BIGNUM *n = RSA_get0_n(key->rsa_public);
  const int bytes = (int)(LIMBS * sizeof *factor);
  int good = scratch && r && other && BN_priv_rand_range_ex(r, n, 0, scratch);
  if (good) {
    BN_set_flags(r, BN_FLG_CONSTTIME);
    good = BN_mod_inverse(other, r, n, scratch) != NULL &&
           BN_bn2lebinpad(r, (unsigned char *)factor, bytes) > 0 &&
           BN_bn2lebinpad(other, (unsigned char *)inverse, bytes) > 0;
  }
  BN_clear_free(r);
  BN_clear_free(other);
  BN_CTX_free(scratch);
  if (!good) return MONTCORE_PKA_RANDOM_FAILED;
  return montcore_pka_power(pka, MONTCORE_PKA_SLIDING, factor, e, e_bits, factor);
}

/* The same with the key that is locked in the accelerator: blinded, and checked with e. */
static montcore_pka_status locked_power(montcore_key *key, uint32_t *x) {
  uint32_t e[LIMBS] = {0}, factor[LIMBS] = {0}, inverse[LIMBS] = {0}, z[LIMBS] = {0};
  const BIGNUM *exponent = RSA_get0_e(key->rsa_public);
  const unsigned e_bits = (unsigned)BN_num_bits(exponent);
  const size_t bytes = montcore_pka_limbs((unsigned)RSA_bits(key->rsa_public)) * sizeof *x;
  montcore_pka *pka = &key->pka;
  montcore_pka_status status = montcore_pka_load_key(pka, (unsigned)RSA_bits(key->rsa_public));
  if (BN_bn2lebinpad(exponent, (unsigned char *)e, (int)sizeof e) < 0) status = MONTCORE_PKA_BAD_CALL;
  if (status == MONTCORE_PKA_OK) status = blinding(key, pka, e, e_bits, factor, inverse);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_product(pka, x, factor, z);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_key_power(pka, MONTCORE_PKA_CONSTANT, z, z);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_product(pka, z, inverse, z);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_power(pka, MONTCORE_PKA_SLIDING, z, e, e_bits, factor);
  if (status == MONTCORE_PKA_OK && CRYPTO_memcmp(factor, x, bytes)) status = MONTCORE_PKA_FAULT;
  if (status == MONTCORE_PKA_OK) memcpy(x, z, bytes);
  OPENSSL_cleanse(factor, sizeof factor);
  OPENSSL_cleanse(inverse, sizeof inverse);
  OPENSSL_cleanse(z, sizeof z);
  return status;
}

int montcore_device_rsa(montcore_key *key, const uint8_t *x, uint8_t *z) {
  montcore_pka_socket device;
  montcore_pka_port port;
  montcore_pka_status status;
  uint32_t number[LIMBS];
  const size_t bytes = (size_t)RSA_size(key->rsa_public);
  const unsigned bits = (unsigned)RSA_bits(key->rsa_public);
  int done = 0;
  if (bits > MONTCORE_PKA_MAX_BITS) return key->software ? -1 : 0;
  if (!take_turn(key)) return 0;
  if (!connect_to(key->provider, &device)) {
    (void)pthread_mutex_unlock(&key->lock);
    return 0;
  }
  port = montcore_pka_socket_port(&device);
  to_limbs(number, x, bytes);
  status = montcore_pka_open(&key->pka, &port);
  if (status == MONTCORE_PKA_OK && key->pka.length < bits) {
    done = key->software ? -1
                         : montcore_complain(PROV_R_INVALID_KEY_LENGTH,
                                             "the accelerator has %u bits, %s %u", key->pka.length,
                                             montcore_key_name(key), bits);
  } else {
    if (status == MONTCORE_PKA_OK) {
      status = key->held == MONTCORE_LOCKED ? locked_power(key, number) : held_power(key, number);
    }
    done = status == MONTCORE_PKA_OK;
    if (done) to_bytes(z, number, bytes);
    else (void)montcore_complain(ERR_R_INTERNAL_ERROR, "%s", montcore_pka_describe(status));
  }
  montcore_pka_socket_close(&device);
  key->pka.port = NULL;
  OPENSSL_cleanse(number, sizeof number);
  (void)pthread_mutex_unlock(&key->lock);
  return done;
}

/* r and s in DER. */
static int encode_signature(const uint32_t *r, const uint32_t *s, unsigned limbs, uint8_t *out,
                            size_t *size) {
  const int bytes = (int)(limbs * sizeof *r);
  ECDSA_SIG *pair = ECDSA_SIG_new();
  BIGNUM *first = BN_lebin2bn((const unsigned char *)r, bytes, NULL);
  BIGNUM *second = BN_lebin2bn((const unsigned char *)s, bytes, NULL);
  int length = 0;
  if (pair && first && second && ECDSA_SIG_set0(pair, first, second)) {
    first = second = NULL;
    length = i2d_ECDSA_SIG(pair, NULL);
    if (length > 0 && (size_t)length <= *size) length = i2d_ECDSA_SIG(pair, &out);
    else length = 0;
  }
  BN_free(first);
  BN_free(second);
  ECDSA_SIG_free(pair);
  *size = (size_t)length;
  return length > 0;
}

int montcore_device_ecdsa(montcore_key *key, const uint8_t *digest, size_t count, uint8_t *signature,
                          size_t *size) {
  montcore_pka_socket device;
  montcore_pka_port port;
  montcore_pka pka;
  montcore_pka_status status;
  uint32_t r[LIMBS], s[LIMBS];
  unsigned tries;
  int done;
  if (!key->curve) return key->software ? -1 : 0;
  if (!connect_to(key->provider, &device)) return 0;
  port = montcore_pka_socket_port(&device);
  status = montcore_pka_open(&pka, &port);
  pka.unverified = 1u; /* the caller lets OpenSSL verify it */
  if (status == MONTCORE_PKA_OK && pka.curve_length < montcore_ecc_bits(key->curve)) {
    done = key->software
               ? -1
               : montcore_complain(PROV_R_NOT_SUPPORTED, "the accelerator has curves of %u bits, %s %u",
                                   pka.curve_length, montcore_key_name(key),
                                   montcore_ecc_bits(key->curve));
  } else {
    const int locked = key->held == MONTCORE_LOCKED;
    if (status == MONTCORE_PKA_OK && locked) status = montcore_ecc_adopt_key(&pka, key->curve);
    if (status == MONTCORE_PKA_OK) status = MONTCORE_PKA_RETRY;
    for (tries = 0; status == MONTCORE_PKA_RETRY && tries < 4u; tries++) {
      status = locked ? montcore_ecc_key_sign(&pka, digest, count, r, s)
                      : montcore_ecdsa_sign(&pka, key->curve, key->numbers, NULL, digest, count, r, s);
    }
    done = status == MONTCORE_PKA_OK;
    if (done) done = encode_signature(r, s, montcore_ecc_limbs(key->curve), signature, size);
    else (void)montcore_complain(ERR_R_INTERNAL_ERROR, "%s", montcore_pka_describe(status));
  }
  montcore_pka_socket_close(&device);
  return done;
}

int montcore_device_widths(const montcore_provider *provider, unsigned *rsa, unsigned *curves) {
  montcore_pka_socket device;
  montcore_pka_port port;
  montcore_pka pka;
  uint32_t build = 0;
  int done;
  if (!connect_to(provider, &device)) return 0;
  port = montcore_pka_socket_port(&device);
  done = montcore_pka_open(&pka, &port) == MONTCORE_PKA_OK &&
         !port.read(port.context, offsetof(montcore_pka_registers_t, build), &build);
  montcore_pka_socket_close(&device);
  *rsa = build >> MONTCORE_PKA_REGISTERS__BUILD__UNITS_bp & 1u ? pka.length : 0u;
  if (*rsa > MONTCORE_PKA_MAX_BITS) *rsa = MONTCORE_PKA_MAX_BITS;
  *curves = pka.curve_length;
  return done;
}

/* Reads a number of the locked key's public part; returns 1, or 0. */
static int locked_limbs(montcore_pka_socket *device, uint32_t at, unsigned bits, uint32_t *limbs) {
  uint32_t i;
  memset(limbs, 0, LIMBS * sizeof *limbs);
  if (bits > MONTCORE_PKA_MAX_BITS) return 0;
  for (i = 0; i < montcore_pka_limbs(bits); i++) {
    if (montcore_pka_socket_key(device, at + i, &limbs[i])) return 0;
  }
  return 1;
}

static EVP_PKEY *locked_rsa(const montcore_provider *provider, montcore_pka_socket *device,
                            unsigned bits, unsigned e_bits) {
  uint32_t n[LIMBS], e[LIMBS];
  const OSSL_PARAM params[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, (unsigned char *)n, sizeof n),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, (unsigned char *)e, sizeof e),
                               OSSL_PARAM_END};
  if (!locked_limbs(device, MONTCORE_PKA_SOCKET_KEY_MODULUS, bits, n) ||
      !locked_limbs(device, MONTCORE_PKA_SOCKET_KEY_EXPONENT, e_bits, e)) {
    return NULL;
  }
  return montcore_elsewhere(provider, MONTCORE_RSA, EVP_PKEY_PUBLIC_KEY, params);
}

static EVP_PKEY *locked_ec(const montcore_provider *provider, montcore_pka_socket *device,
                           unsigned group) {
  const montcore_known_curve *known = montcore_known_curves;
  uint32_t limbs[LIMBS];
  uint8_t point[1 + 2 * 66] = {4};
  OSSL_PARAM params[3];
  size_t bytes;
  while (known->curve && known->group != group) known++;
  if (!known->curve) return NULL;
  bytes = (known->curve->p_bits + 7u) / 8u;
  if (!locked_limbs(device, MONTCORE_PKA_SOCKET_KEY_X, known->curve->p_bits, limbs)) return NULL;
  to_bytes(point + 1, limbs, bytes);
  if (!locked_limbs(device, MONTCORE_PKA_SOCKET_KEY_Y, known->curve->p_bits, limbs)) return NULL;
  to_bytes(point + 1 + bytes, limbs, bytes);
  params[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)OBJ_nid2sn(known->nid), 0);
  params[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * bytes);
  params[2] = OSSL_PARAM_construct_end();
  return montcore_elsewhere(provider, MONTCORE_EC, EVP_PKEY_PUBLIC_KEY, params);
}

EVP_PKEY *montcore_device_locked_key(montcore_provider *provider) {
  montcore_pka_socket device;
  EVP_PKEY *key = NULL;
  uint32_t bits = 0, e_bits = 0, group = 0;
  int known;
  if (!connect_to(provider, &device)) return NULL;
  known = !montcore_pka_socket_key(&device, MONTCORE_PKA_SOCKET_KEY_BITS, &bits) &&
          !montcore_pka_socket_key(&device, MONTCORE_PKA_SOCKET_KEY_E_BITS, &e_bits) &&
          !montcore_pka_socket_key(&device, MONTCORE_PKA_SOCKET_KEY_GROUP, &group);
  if (known && bits) key = locked_rsa(provider, &device, bits, e_bits);
  else if (known && group) key = locked_ec(provider, &device, group);
  if (!key) {
    (void)montcore_complain(PROV_R_MISSING_KEY, known && !bits && !group
                                                    ? "no key is locked in the accelerator"
                                                    : "the locked key cannot be read");
  }
  montcore_pka_socket_close(&device);
  return key;
}
