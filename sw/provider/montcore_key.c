/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys. What is public in a key, and every key that is not held here, is an EVP_PKEY of another provider,
 * to which calls are passed on. A private part that is held stays here: it is never exported.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <string.h>
#include <unistd.h>

#include "montcore_provider.h"

#define LIMBS MONTCORE_PKA_MAX_LIMBS
#define NUMBERS 7u
#define PRIVATE OSSL_KEYMGMT_SELECT_PRIVATE_KEY

static const char *type_name(const montcore_key *key) {
  return key->type == EVP_PKEY_RSA ? "RSA" : "EC";
}

montcore_key *montcore_key_new(montcore_provider *provider, int type) {
  montcore_key *key = OPENSSL_zalloc(sizeof *key);
  if (!key) return NULL;
  key->provider = provider;
  key->type = type;
  key->references = 1;
  if (pthread_mutex_init(&key->lock, NULL)) {
    OPENSSL_free(key);
    return NULL;
  }
  return key;
}

void montcore_key_free(void *data) {
  montcore_key *key = data;
  if (!key || __atomic_sub_fetch(&key->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  EVP_PKEY_free(key->visible);
  EVP_PKEY_free(key->software);
  RSA_free(key->rsa_public);
  OPENSSL_secure_clear_free(key->numbers, NUMBERS * LIMBS * sizeof *key->numbers);
  (void)pthread_mutex_destroy(&key->lock);
  OPENSSL_clear_free(key, sizeof *key);
}

static void *new_rsa(void *provider) { return montcore_key_new(provider, EVP_PKEY_RSA); }
static void *new_ec(void *provider) { return montcore_key_new(provider, EVP_PKEY_EC); }

/* Copies one number of a key to its place; tells its length in bits, 0 if it is missing or too long. */
static unsigned take(const OSSL_PARAM params[], const char *name, uint32_t *place) {
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

/* Holds the numbers of an RSA key in two primes. */
static int hold_rsa(montcore_key *key, const OSSL_PARAM params[]) {
  montcore_rsa_key *rsa = &key->rsa_key;
  uint32_t *n;
  unsigned dp, dq, qinv;
  if (OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_FACTOR3)) {
    return montcore_complain(PROV_R_NOT_SUPPORTED, "a key of more than two primes");
  }
  n = key->numbers = OPENSSL_secure_zalloc(NUMBERS * LIMBS * sizeof *n);
  if (!n) return 0;
  rsa->bits = take(params, OSSL_PKEY_PARAM_RSA_N, n);
  rsa->e_bits = take(params, OSSL_PKEY_PARAM_RSA_E, n + LIMBS);
  rsa->p_bits = take(params, OSSL_PKEY_PARAM_RSA_FACTOR1, n + 2 * LIMBS);
  rsa->q_bits = take(params, OSSL_PKEY_PARAM_RSA_FACTOR2, n + 3 * LIMBS);
  dp = take(params, OSSL_PKEY_PARAM_RSA_EXPONENT1, n + 4 * LIMBS);
  dq = take(params, OSSL_PKEY_PARAM_RSA_EXPONENT2, n + 5 * LIMBS);
  qinv = take(params, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, n + 6 * LIMBS);
  if (!rsa->bits || !rsa->e_bits || !rsa->p_bits || !rsa->q_bits || !dp || !dq || !qinv) {
    return montcore_complain(PROV_R_MISSING_KEY, "an RSA key with all its numbers, of %u bits at most",
                             MONTCORE_PKA_MAX_BITS);
  }
  rsa->n = n;
  rsa->e = n + LIMBS;
  rsa->p = n + 2 * LIMBS;
  rsa->q = n + 3 * LIMBS;
  rsa->dp = n + 4 * LIMBS;
  rsa->dq = n + 5 * LIMBS;
  rsa->qinv = n + 6 * LIMBS;
  return 1;
}

/* The curve of a name that OpenSSL has for it; null if the driver does not know it. */
static const montcore_ecc_curve *curve_of(const char *name) {
  switch (OBJ_txt2nid(name)) {
    case NID_X9_62_prime256v1: return &montcore_p256;
    case NID_secp384r1: return &montcore_p384;
    case NID_secp521r1: return &montcore_p521;
    case NID_secp256k1: return &montcore_secp256k1;
    case NID_brainpoolP256r1: return &montcore_brainpool_p256r1;
    default: return NULL;
  }
}

/* Finds the driver's curve of an EC key; only where software may do it a key can be without. */
static int know_curve(montcore_key *key) {
  char name[64] = "";
  if (EVP_PKEY_get_group_name(key->visible, name, sizeof name, NULL)) key->curve = curve_of(name);
  if (key->curve || key->provider->software) return 1;
  return montcore_complain(PROV_R_NOT_SUPPORTED, "the curve '%s'", name);
}

/* Holds the private number of an EC key. */
static int hold_ec(montcore_key *key, const OSSL_PARAM params[]) {
  if (!know_curve(key)) return 0;
  key->numbers = OPENSSL_secure_zalloc(NUMBERS * LIMBS * sizeof *key->numbers);
  return key->numbers && take(params, OSSL_PKEY_PARAM_PRIV_KEY, key->numbers) > 0;
}

/* An RSA object with the public part, for the library's paddings. */
static int make_rsa_public(montcore_key *key) {
  BIGNUM *n = NULL, *e = NULL;
  key->rsa_public = RSA_new();
  if (key->rsa_public && EVP_PKEY_get_bn_param(key->visible, OSSL_PKEY_PARAM_RSA_N, &n) &&
      EVP_PKEY_get_bn_param(key->visible, OSSL_PKEY_PARAM_RSA_E, &e) &&
      RSA_set0_key(key->rsa_public, n, e, NULL)) {
    return 1;
  }
  BN_free(n);
  BN_free(e);
  return 0;
}

/* An EVP_PKEY of another provider with these numbers. */
static EVP_PKEY *elsewhere(const montcore_key *key, int selection, const OSSL_PARAM params[]) {
  EVP_PKEY *made = NULL;
  EVP_PKEY_CTX *context =
      EVP_PKEY_CTX_new_from_name(key->provider->library, type_name(key), MONTCORE_OTHERS);
  if (!context || EVP_PKEY_fromdata_init(context) <= 0 ||
      EVP_PKEY_fromdata(context, &made, selection, (OSSL_PARAM *)params) <= 0) {
    made = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return made;
}

int montcore_key_import(void *data, int selection, const OSSL_PARAM params[]) {
  static const char *const secret[] = {
      OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
      OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
      OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
      OSSL_PKEY_PARAM_PRIV_KEY};
  montcore_key *key = data;
  OSSL_PARAM open_part[32];
  size_t count = 0, i;
  int private_part = 0;
  const OSSL_PARAM *at;
  if (!key || key->visible) return 0;
  for (at = params; at->key; at++) {
    int is_secret = 0;
    for (i = 0; i < sizeof secret / sizeof *secret; i++) is_secret |= !strcmp(at->key, secret[i]);
    private_part |= is_secret;
    if (!is_secret && count + 1 < sizeof open_part / sizeof *open_part) open_part[count++] = *at;
  }
  open_part[count] = OSSL_PARAM_construct_end();
  private_part = private_part && (selection & PRIVATE);
  key->visible = elsewhere(key, selection & ~PRIVATE, open_part);
  if (!key->visible) return 0;
  if (!private_part) return 1;
  if (key->type == EVP_PKEY_RSA ? !hold_rsa(key, params) || !make_rsa_public(key)
                                : !hold_ec(key, params)) {
    return 0;
  }
  if (key->provider->software) {
    key->software = elsewhere(key, selection, params);
    if (!key->software) return 0;
  }
  key->held = MONTCORE_IN_FILE;
  return 1;
}

montcore_key *montcore_key_hold(montcore_provider *provider, EVP_PKEY *pair) {
  montcore_key *key =
      montcore_key_new(provider, EVP_PKEY_is_a(pair, "RSA") ? EVP_PKEY_RSA : EVP_PKEY_EC);
  OSSL_PARAM *params = NULL, *at;
  if (key && (!EVP_PKEY_todata(pair, EVP_PKEY_KEYPAIR, &params) ||
              !montcore_key_import(key, EVP_PKEY_KEYPAIR, params))) {
    montcore_key_free(key);
    key = NULL;
  }
  for (at = params; at && at->key; at++) OPENSSL_cleanse(at->data, at->data_size);
  OSSL_PARAM_free(params);
  EVP_PKEY_free(pair);
  return key;
}

montcore_key *montcore_key_locked(montcore_provider *provider) {
  EVP_PKEY *visible = montcore_device_locked_key(provider);
  const int is_rsa = visible && EVP_PKEY_is_a(visible, "RSA");
  montcore_key *key = visible ? montcore_key_new(provider, is_rsa ? EVP_PKEY_RSA : EVP_PKEY_EC) : NULL;
  if (!key) {
    EVP_PKEY_free(visible);
    return NULL;
  }
  key->visible = visible;
  if (is_rsa ? !make_rsa_public(key) : !know_curve(key)) {
    montcore_key_free(key);
    return NULL;
  }
  key->held = MONTCORE_LOCKED;
  return key;
}

static void *load(const void *reference, size_t size) {
  montcore_key *key;
  if (!reference || size != sizeof key) return NULL;
  key = *(montcore_key **)reference;
  *(montcore_key **)reference = NULL; /* it is the caller's now */
  return key;
}

static int has(const void *data, int selection) {
  const montcore_key *key = data;
  if (!key || !key->visible) return 0;
  if ((selection & PRIVATE) && key->held == MONTCORE_NOT_HELD && !key->whole) return 0;
  return 1;
}

static int match(const void *one, const void *other, int selection) {
  const montcore_key *a = one, *b = other;
  if (!a || !b || !a->visible || !b->visible || a->type != b->type) return 0;
  if (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) return EVP_PKEY_eq(a->visible, b->visible) == 1;
  return EVP_PKEY_parameters_eq(a->visible, b->visible) == 1;
}

static int export_public(void *data, int selection, OSSL_CALLBACK *callback, void *argument) {
  const montcore_key *key = data;
  if (!key || !key->visible) return 0;
  if ((selection & PRIVATE) && key->held != MONTCORE_NOT_HELD) return 0; /* it stays here */
  return EVP_PKEY_export(key->visible, selection, callback, argument);
}

static int get_params(void *data, OSSL_PARAM params[]) {
  const montcore_key *key = data;
  return key && key->visible && EVP_PKEY_get_params(key->visible, params);
}

static int set_params(void *data, const OSSL_PARAM params[]) {
  montcore_key *key = data;
  return key && key->visible && EVP_PKEY_set_params(key->visible, (OSSL_PARAM *)params);
}

static void *duplicate(const void *data, int selection) {
  montcore_key *from = (montcore_key *)data, *copy;
  if (!from) return NULL;
  if (from->held != MONTCORE_NOT_HELD && (selection & PRIVATE)) {
    (void)__atomic_add_fetch(&from->references, 1, __ATOMIC_RELAXED);
    return from; /* nothing of it changes */
  }
  copy = montcore_key_new(from->provider, from->type);
  if (!copy) return NULL;
  if (from->visible) copy->visible = EVP_PKEY_dup(from->visible);
  copy->whole = from->whole;
  if (from->visible && !copy->visible) {
    montcore_key_free(copy);
    return NULL;
  }
  return copy;
}

/* The lists of another provider: they are constants there. */
typedef const OSSL_PARAM *(*list_of)(const EVP_KEYMGMT *);
static const OSSL_PARAM *listed(void *context, const char *type, list_of list) {
  montcore_provider *provider = context;
  EVP_KEYMGMT *other = EVP_KEYMGMT_fetch(provider->library, type, MONTCORE_OTHERS);
  const OSSL_PARAM *found = other ? list(other) : NULL;
  EVP_KEYMGMT_free(other);
  return found;
}
static const OSSL_PARAM *gettable_rsa(void *provider) {
  return listed(provider, "RSA", EVP_KEYMGMT_gettable_params);
}
static const OSSL_PARAM *gettable_ec(void *provider) {
  return listed(provider, "EC", EVP_KEYMGMT_gettable_params);
}
static const OSSL_PARAM *settable_rsa(void *provider) {
  return listed(provider, "RSA", EVP_KEYMGMT_settable_params);
}
static const OSSL_PARAM *settable_ec(void *provider) {
  return listed(provider, "EC", EVP_KEYMGMT_settable_params);
}
static const OSSL_PARAM *gen_settable_rsa(void *generation, void *provider) {
  (void)generation;
  return listed(provider, "RSA", EVP_KEYMGMT_gen_settable_params);
}
static const OSSL_PARAM *gen_settable_ec(void *generation, void *provider) {
  (void)generation;
  return listed(provider, "EC", EVP_KEYMGMT_gen_settable_params);
}

static const OSSL_PARAM *types_rsa(int selection) {
  static const OSSL_PARAM open_part[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
                                         OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
                                         OSSL_PARAM_END};
  static const OSSL_PARAM all[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_D, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR1, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR2, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT1, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT2, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, NULL, 0),
                                   OSSL_PARAM_END};
  return selection & PRIVATE ? all : open_part;
}
static const OSSL_PARAM *types_ec(int selection) {
  static const OSSL_PARAM open_part[] = {
      OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0), OSSL_PARAM_END};
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_END};
  return selection & PRIVATE ? all : open_part;
}

/* Generation is the other provider's, and so is what comes of it, keys of one connection, unless the
 * setting `generated` has them held. */
typedef struct {
  montcore_provider *provider;
  int type, selection;
  EVP_PKEY_CTX *context;
} generation;

static int begin_generation(generation *made) {
  if (!made->context) return 0;
  if (made->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) return EVP_PKEY_keygen_init(made->context) > 0;
  return EVP_PKEY_paramgen_init(made->context) > 0;
}

static int gen_set_params(void *data, const OSSL_PARAM params[]) {
  generation *made = data;
  if (!params || !params->key) return 1;
  return EVP_PKEY_CTX_set_params(made->context, params) > 0;
}

static void gen_cleanup(void *data) {
  generation *made = data;
  if (!made) return;
  EVP_PKEY_CTX_free(made->context);
  OPENSSL_free(made);
}

static void *gen_init(void *provider, int type, int selection, const OSSL_PARAM params[]) {
  generation *made = OPENSSL_zalloc(sizeof *made);
  if (!made) return NULL;
  made->provider = provider;
  made->type = type;
  made->selection = selection;
  made->context = EVP_PKEY_CTX_new_from_name(
      made->provider->library, type == EVP_PKEY_RSA ? "RSA" : "EC", MONTCORE_OTHERS);
  if (begin_generation(made) && gen_set_params(made, params)) return made;
  gen_cleanup(made);
  return NULL;
}
static void *gen_init_rsa(void *provider, int selection, const OSSL_PARAM params[]) {
  return gen_init(provider, EVP_PKEY_RSA, selection, params);
}
static void *gen_init_ec(void *provider, int selection, const OSSL_PARAM params[]) {
  return gen_init(provider, EVP_PKEY_EC, selection, params);
}

static int gen_set_template(void *data, void *other) {
  generation *made = data;
  const montcore_key *like = other;
  if (!made || !like || !like->visible) return 0;
  EVP_PKEY_CTX_free(made->context);
  made->context =
      EVP_PKEY_CTX_new_from_pkey(made->provider->library, like->visible, MONTCORE_OTHERS);
  return begin_generation(made);
}

static void *gen(void *data, OSSL_CALLBACK *callback, void *argument) {
  generation *made = data;
  const int whole = (made->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
  EVP_PKEY *fresh = NULL;
  montcore_key *key;
  (void)callback;
  (void)argument;
  if (EVP_PKEY_generate(made->context, &fresh) <= 0) return NULL;
  if (whole && made->provider->hold_generated) return montcore_key_hold(made->provider, fresh);
  key = montcore_key_new(made->provider, made->type);
  if (!key) {
    EVP_PKEY_free(fresh);
    return NULL;
  }
  key->visible = fresh;
  key->whole = whole;
  return key;
}

static const char *operation_rsa(int operation) {
  (void)operation;
  return "RSA";
}
static const char *operation_ec(int operation) {
  return operation == OSSL_OP_SIGNATURE ? "ECDSA" : operation == OSSL_OP_KEYEXCH ? "ECDH" : "EC";
}

#define FUNCTION(name, function) {OSSL_FUNC_KEYMGMT_##name, (void (*)(void))(function)}
#define KEYMGMT(kind)                                                                      \
  {FUNCTION(NEW, new_##kind), FUNCTION(FREE, montcore_key_free), FUNCTION(LOAD, load),     \
   FUNCTION(HAS, has), FUNCTION(MATCH, match), FUNCTION(IMPORT, montcore_key_import),      \
   FUNCTION(IMPORT_TYPES, types_##kind), FUNCTION(EXPORT, export_public),                  \
   FUNCTION(EXPORT_TYPES, types_##kind), FUNCTION(GET_PARAMS, get_params),                 \
   FUNCTION(GETTABLE_PARAMS, gettable_##kind), FUNCTION(SET_PARAMS, set_params),           \
   FUNCTION(SETTABLE_PARAMS, settable_##kind), FUNCTION(DUP, duplicate),                   \
   FUNCTION(GEN_INIT, gen_init_##kind), FUNCTION(GEN_SET_TEMPLATE, gen_set_template),      \
   FUNCTION(GEN_SET_PARAMS, gen_set_params),                                               \
   FUNCTION(GEN_SETTABLE_PARAMS, gen_settable_##kind), FUNCTION(GEN, gen),                 \
   FUNCTION(GEN_CLEANUP, gen_cleanup),                                                     \
   FUNCTION(QUERY_OPERATION_NAME, operation_##kind), {0, NULL}}

const OSSL_DISPATCH montcore_rsa_keymgmt[] = KEYMGMT(rsa);
const OSSL_DISPATCH montcore_ec_keymgmt[] = KEYMGMT(ec);
