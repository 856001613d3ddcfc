/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys. What is public in a key, and every key that is not held here, is an EVP_PKEY of another provider.
 * A private part that is held stays here.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <string.h>

#include "montcore_provider.h"

#define PRIVATE OSSL_KEYMGMT_SELECT_PRIVATE_KEY

/* The default provider's names; EVP_PKEY_CTX_new_from_name looks for an engine only under `name`. */
static const struct {
  const char *name, *oid;
} kinds[] = {[MONTCORE_RSA] = {"RSA", "1.2.840.113549.1.1.1"},
             [MONTCORE_PSS] = {"RSA-PSS", "1.2.840.113549.1.1.10"},
             [MONTCORE_EC] = {"EC", "1.2.840.10045.2.1"}};

const char *montcore_kind_name(montcore_kind kind) { return kinds[kind].name; }

int montcore_kind_of(const EVP_PKEY *key, montcore_kind *kind) {
  for (*kind = MONTCORE_RSA; *kind <= MONTCORE_EC; (*kind)++) {
    if (EVP_PKEY_is_a(key, kinds[*kind].name)) return 1;
  }
  return 0;
}

EVP_PKEY_CTX *montcore_other_context(const montcore_provider *provider, montcore_kind kind) {
  return EVP_PKEY_CTX_new_from_name(provider->library, kinds[kind].oid, MONTCORE_OTHERS);
}

EVP_PKEY *montcore_elsewhere(const montcore_provider *provider, montcore_kind kind, int selection,
                             const OSSL_PARAM params[]) {
  EVP_PKEY *made = NULL;
  EVP_PKEY_CTX *context = montcore_other_context(provider, kind);
  if (!context || EVP_PKEY_fromdata_init(context) <= 0 ||
      EVP_PKEY_fromdata(context, &made, selection, (OSSL_PARAM *)params) <= 0) {
    made = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return made;
}

/* All keys. A process that is forked off lacks the threads of its parent: a key that one of them used then
 * would never be free there. So each key begins anew in it. */
static montcore_key *keys;
static pthread_mutex_t keys_lock = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) { (void)pthread_mutex_lock(&keys_lock); }
static void after_fork(void) { (void)pthread_mutex_unlock(&keys_lock); }
static void after_fork_in_child(void) {
  montcore_key *key;
  for (key = keys; key; key = key->next) (void)pthread_mutex_init(&key->lock, NULL);
  (void)pthread_mutex_init(&keys_lock, NULL);
}
/* Before that of the PKCS #11 module, whose lock is taken before this one. */
__attribute__((constructor(101))) static void watch_forks(void) {
  (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

montcore_key *montcore_key_new(montcore_provider *provider, montcore_kind kind) {
  montcore_key *key = OPENSSL_zalloc(sizeof *key);
  if (!key) return NULL;
  key->provider = provider;
  key->kind = kind;
  key->references = 1;
  if (pthread_mutex_init(&key->lock, NULL)) {
    OPENSSL_free(key);
    return NULL;
  }
  (void)pthread_mutex_lock(&keys_lock);
  key->next = keys;
  key->place = &keys;
  if (keys) keys->place = &key->next;
  keys = key;
  (void)pthread_mutex_unlock(&keys_lock);
  return key;
}

montcore_key *montcore_key_share(montcore_key *key) {
  if (key) (void)__atomic_add_fetch(&key->references, 1, __ATOMIC_RELAXED);
  return key;
}

void montcore_key_free(void *data) {
  montcore_key *key = data;
  if (!key || __atomic_sub_fetch(&key->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  (void)pthread_mutex_lock(&keys_lock);
  *key->place = key->next;
  if (key->next) key->next->place = key->place;
  (void)pthread_mutex_unlock(&keys_lock);
  EVP_PKEY_free(key->visible);
  EVP_PKEY_free(key->software);
  RSA_free(key->rsa_public);
  OPENSSL_free(key->path);
  OPENSSL_secure_clear_free(key->numbers, MONTCORE_NUMBERS_BYTES);
  (void)pthread_mutex_destroy(&key->lock);
  OPENSSL_clear_free(key, sizeof *key);
}

const char *montcore_key_name(const montcore_key *key) {
  return key->path ? key->path : key->held == MONTCORE_LOCKED ? "the locked key" : "the key";
}

const montcore_known_curve montcore_known_curves[] = {
    {22, NID_secp256k1, &montcore_secp256k1},
    {23, NID_X9_62_prime256v1, &montcore_p256},
    {24, NID_secp384r1, &montcore_p384},
    {25, NID_secp521r1, &montcore_p521},
    {26, NID_brainpoolP256r1, &montcore_brainpool_p256r1},
    {0, NID_undef, NULL}};

/* The curve of a name that OpenSSL has for it; null if the driver does not know it. */
static const montcore_ecc_curve *curve_of(const char *name) {
  const montcore_known_curve *known = montcore_known_curves;
  const int nid = OBJ_txt2nid(name);
  while (known->curve && known->nid != nid) known++;
  return known->curve;
}

/* Finds the driver's curve of an EC key. Without one the key is refused, unless the provider may
   compute in software. */
static int know_curve(montcore_key *key) {
  char name[64] = "";
  if (EVP_PKEY_get_group_name(key->visible, name, sizeof name, NULL)) key->curve = curve_of(name);
  if (key->curve || key->provider->software) return 1;
  return montcore_complain(PROV_R_NOT_SUPPORTED, MONTCORE_NO_CURVE, montcore_key_name(key),
                           *name ? name : "of explicit parameters");
}

/* Whether the private number is between 0 and the order of the curve, which the driver knows, and the point is
 * its own if there is one. No context is asked: an engine could answer. */
static int consistent_ec(const montcore_key *key, const OSSL_PARAM params[]) {
  const OSSL_PARAM *number = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);
  const OSSL_PARAM *octets = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
  OSSL_LIB_CTX *library = key->provider->library;
  const montcore_known_curve *known = montcore_known_curves;
  EC_GROUP *group;
  EC_POINT *own, *stated;
  BN_CTX *scratch = BN_CTX_secure_new_ex(library);
  BIGNUM *d = BN_secure_new();
  int good = 0;
  while (known->curve != key->curve) known++;
  group = EC_GROUP_new_by_curve_name_ex(library, MONTCORE_OTHERS, known->nid);
  own = group ? EC_POINT_new(group) : NULL;
  stated = group ? EC_POINT_new(group) : NULL;
  if (scratch && d && own && stated && number && OSSL_PARAM_get_BN(number, &d)) {
    BN_set_flags(d, BN_FLG_CONSTTIME);
    good = !BN_is_zero(d) && BN_cmp(d, EC_GROUP_get0_order(group)) < 0;
    if (good && octets) {
      good = EC_POINT_oct2point(group, stated, octets->data, octets->data_size, scratch) &&
             EC_POINT_mul(group, own, d, NULL, NULL, scratch) && !EC_POINT_cmp(group, own, stated, scratch);
    }
  }
  EC_POINT_free(own);
  EC_POINT_free(stated);
  EC_GROUP_free(group);
  BN_clear_free(d);
  BN_CTX_free(scratch);
  montcore_pka_wipe_stack();
  return good;
}

/* Holds the private number of an EC key. */
static int hold_ec(montcore_key *key, const OSSL_PARAM params[]) {
  if (!know_curve(key)) return 0;
  key->numbers = OPENSSL_secure_zalloc(MONTCORE_NUMBERS_BYTES);
  if (!key->numbers || !montcore_take_number(params, OSSL_PKEY_PARAM_PRIV_KEY, key->numbers)) {
    return montcore_complain(PROV_R_INVALID_KEY, "%s has no private number", montcore_key_name(key));
  }
  /* A key on another curve is the library's, which checks it. */
  if (!key->curve || consistent_ec(key, params)) return 1;
  return montcore_complain(PROV_R_INVALID_KEY, MONTCORE_INCONSISTENT, montcore_key_name(key));
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
  key->visible = montcore_elsewhere(key->provider, key->kind, selection & ~PRIVATE, open_part);
  if (!key->visible) {
    return montcore_complain(PROV_R_INVALID_KEY, "%s has a public part that is not valid",
                             montcore_key_name(key));
  }
  if (!private_part) return 1;
  if (key->kind == MONTCORE_EC ? !hold_ec(key, params)
                               : !montcore_hold_rsa(key, params) || !make_rsa_public(key)) {
    return 0;
  }
  if (key->provider->software) {
    key->software = montcore_elsewhere(key->provider, key->kind, selection, params);
    if (!key->software) return 0;
  }
  key->held = MONTCORE_IN_FILE;
  return 1;
}

montcore_key *montcore_key_hold(montcore_provider *provider, EVP_PKEY *pair, const char *path) {
  montcore_kind kind;
  montcore_key *key = montcore_kind_of(pair, &kind) ? montcore_key_new(provider, kind) : NULL;
  OSSL_PARAM *params = NULL, *at;
  if (key && path) key->path = OPENSSL_strdup(path);
  if (key && !EVP_PKEY_todata(pair, EVP_PKEY_KEYPAIR, &params)) {
    (void)montcore_complain(PROV_R_INVALID_KEY, MONTCORE_INCONSISTENT, montcore_key_name(key));
  }
  if (key && (!params || !montcore_key_import(key, EVP_PKEY_KEYPAIR, params))) {
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
  montcore_kind kind;
  montcore_key *key =
      visible && montcore_kind_of(visible, &kind) ? montcore_key_new(provider, kind) : NULL;
  if (!key) {
    EVP_PKEY_free(visible);
    return NULL;
  }
  key->visible = visible;
  if (kind == MONTCORE_EC ? !know_curve(key) : !make_rsa_public(key)) {
    montcore_key_free(key);
    return NULL;
  }
  key->held = MONTCORE_LOCKED;
  return key;
}
