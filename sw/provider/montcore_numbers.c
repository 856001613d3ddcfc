/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a private key: taken from OpenSSL's parameters, and checked with each other.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "montcore_provider.h"

#define LIMBS MONTCORE_PKA_MAX_LIMBS

/* The numbers of an RSA key; all but the last are held. */
enum { N, E, P, Q, DP, DQ, QINV, D, COUNT };
static const char *const names[COUNT] = {
    OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,         OSSL_PKEY_PARAM_RSA_FACTOR1,
    OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
    OSSL_PKEY_PARAM_RSA_COEFFICIENT1, OSSL_PKEY_PARAM_RSA_D};

unsigned montcore_take_number(const OSSL_PARAM params[], const char *name, uint32_t *place) {
  const OSSL_PARAM *at = OSSL_PARAM_locate_const(params, name);
  BIGNUM *number = BN_secure_new();
  unsigned bits = 0;
  if (at && number && OSSL_PARAM_get_BN(at, &number) &&
      BN_num_bits(number) <= (int)MONTCORE_PKA_MAX_BITS &&
      BN_bn2lebinpad(number, (unsigned char *)place, (int)(LIMBS * sizeof *place)) > 0) {
    bits = (unsigned)BN_num_bits(number);
  }
  BN_clear_free(number);
  return bits;
}

/* Whether a b = 1 modulo m. */
static int inverse(const BIGNUM *a, const BIGNUM *b, const BIGNUM *m, BN_CTX *scratch) {
  BIGNUM *product = BN_CTX_get(scratch);
  return product && BN_mod_mul(product, a, b, m, scratch) && BN_is_one(product);
}

/* Whether d, and what it is modulo p - 1, are the inverse of e there. */
static int belongs(const BIGNUM *e, const BIGNUM *d, const BIGNUM *p, const BIGNUM *exponent,
                   BN_CTX *scratch) {
  BIGNUM *order = BN_CTX_get(scratch);
  if (!order || BN_num_bits(p) < 3 || !BN_copy(order, p) || !BN_sub_word(order, 1)) return 0;
  BN_set_flags(order, BN_FLG_CONSTTIME);
  return BN_cmp(exponent, order) < 0 && inverse(e, exponent, order, scratch) &&
         inverse(e, d, order, scratch);
}

/* Whether n = p q, and the other numbers belong to e, p and q. That they do not would be found out at the
 * first result only, as if the accelerator were faulty. */
static int consistent(const montcore_provider *provider, const OSSL_PARAM params[]) {
  BN_CTX *scratch = BN_CTX_secure_new_ex(provider->library);
  BIGNUM *number[COUNT], *product;
  int good = scratch != NULL, i;
  if (!good) return 0;
  BN_CTX_start(scratch);
  for (i = 0; i < COUNT; i++) {
    const OSSL_PARAM *at = OSSL_PARAM_locate_const(params, names[i]);
    number[i] = BN_CTX_get(scratch);
    good = good && at && number[i] && OSSL_PARAM_get_BN(at, &number[i]);
    if (good && i >= P) BN_set_flags(number[i], BN_FLG_CONSTTIME);
  }
  product = BN_CTX_get(scratch);
  good = good && product && BN_mul(product, number[P], number[Q], scratch) &&
         !BN_cmp(product, number[N]) && BN_is_odd(number[N]) &&
         belongs(number[E], number[D], number[P], number[DP], scratch) &&
         belongs(number[E], number[D], number[Q], number[DQ], scratch) &&
         BN_cmp(number[QINV], number[P]) < 0 &&
         inverse(number[Q], number[QINV], number[P], scratch);
  BN_CTX_end(scratch);
  BN_CTX_free(scratch);
  montcore_pka_wipe_stack(); /* of what the library's products left there */
  return good;
}

int montcore_hold_rsa(montcore_key *key, const OSSL_PARAM params[]) {
  const char *name = montcore_key_name(key);
  const int length = EVP_PKEY_get_bits(key->visible);
  unsigned bits[D], i;
  uint32_t *n;
  int whole = 1;
  if (OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_FACTOR3)) {
    return montcore_complain(PROV_R_NOT_SUPPORTED, "%s has more than two primes", name);
  }
  if (length > (int)MONTCORE_PKA_MAX_BITS) {
    return montcore_complain(PROV_R_INVALID_KEY_LENGTH, "%s has %d bits, more than %u", name, length,
                             MONTCORE_PKA_MAX_BITS);
  }
  n = key->numbers = OPENSSL_secure_zalloc(MONTCORE_NUMBERS_BYTES);
  if (!n) return 0;
  for (i = 0; i < D; i++) whole &= (bits[i] = montcore_take_number(params, names[i], n + i * LIMBS)) > 0;
  if (!whole) {
    return montcore_complain(PROV_R_MISSING_KEY, "%s does not have all numbers of an RSA key", name);
  }
  if (!consistent(key->provider, params)) {
    return montcore_complain(PROV_R_INVALID_KEY, MONTCORE_INCONSISTENT, name);
  }
  key->rsa_key = (montcore_rsa_key){bits[N], bits[P], bits[Q], bits[E], n, n + E * LIMBS, n + P * LIMBS,
                                    n + Q * LIMBS, n + DP * LIMBS, n + DQ * LIMBS, n + QINV * LIMBS};
  return 1;
}
