/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys for OpenSSL: calls are passed on to the EVP_PKEY of another provider that has the public part, or all
 * of a key that is not held. A private part that is held is never exported.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "montcore_provider.h"

#define PRIVATE OSSL_KEYMGMT_SELECT_PRIVATE_KEY

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
  if (!a || !b || !a->visible || !b->visible || a->kind != b->kind) return 0;
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
  /* Nothing of a held key changes. */
  if (from->held != MONTCORE_NOT_HELD && (selection & PRIVATE)) return montcore_key_share(from);
  copy = montcore_key_new(from->provider, from->kind);
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
static const OSSL_PARAM *listed(void *context, montcore_kind kind, list_of list) {
  montcore_provider *provider = context;
  EVP_KEYMGMT *other =
      EVP_KEYMGMT_fetch(provider->library, montcore_kind_name(kind), MONTCORE_OTHERS);
  const OSSL_PARAM *found = other ? list(other) : NULL;
  EVP_KEYMGMT_free(other);
  return found;
}
/* What belongs to a key of RSA, one of PSS included; the private part comes first. */
#define NUMBER(name) OSSL_PARAM_BN(OSSL_PKEY_PARAM_##name, NULL, 0)
#define TEXT(name) OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_##name, NULL, 0)
static const OSSL_PARAM *types_rsa(int selection) {
  static const OSSL_PARAM all[] = {
      NUMBER(RSA_D), NUMBER(RSA_FACTOR1), NUMBER(RSA_FACTOR2), NUMBER(RSA_EXPONENT1), NUMBER(RSA_EXPONENT2),
      NUMBER(RSA_COEFFICIENT1), NUMBER(RSA_N), NUMBER(RSA_E), TEXT(RSA_DIGEST), TEXT(RSA_MASKGENFUNC),
      TEXT(RSA_MGF1_DIGEST), OSSL_PARAM_int(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, NULL), OSSL_PARAM_END};
  return selection & PRIVATE ? all : all + 6;
}
static const OSSL_PARAM *types_ec(int selection) {
  static const OSSL_PARAM all[] = {NUMBER(PRIV_KEY), TEXT(GROUP_NAME),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0), OSSL_PARAM_END};
  return selection & PRIVATE ? all : all + 1;
}

/* Generation is the other provider's, and so is what comes of it, keys of one connection, unless the
 * setting `generated` has them held. */
typedef struct {
  montcore_provider *provider;
  montcore_kind kind;
  int selection;
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

static void *gen_init(void *provider, montcore_kind kind, int selection, const OSSL_PARAM params[]) {
  generation *made = OPENSSL_zalloc(sizeof *made);
  if (!made) return NULL;
  made->provider = provider;
  made->kind = kind;
  made->selection = selection;
  made->context = montcore_other_context(made->provider, kind);
  if (begin_generation(made) && gen_set_params(made, params)) return made;
  gen_cleanup(made);
  return NULL;
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
  if (whole && made->provider->hold_generated) return montcore_key_hold(made->provider, fresh, NULL);
  key = montcore_key_new(made->provider, made->kind);
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

#define OF_KIND(suffix, kind)                                                                 \
  static const OSSL_PARAM *gettable_##suffix(void *provider) {                                \
    return listed(provider, kind, EVP_KEYMGMT_gettable_params);                               \
  }                                                                                           \
  static const OSSL_PARAM *settable_##suffix(void *provider) {                                \
    return listed(provider, kind, EVP_KEYMGMT_settable_params);                               \
  }                                                                                           \
  static const OSSL_PARAM *gen_settable_##suffix(void *made, void *provider) {                \
    (void)made;                                                                               \
    return listed(provider, kind, EVP_KEYMGMT_gen_settable_params);                           \
  }                                                                                           \
  static void *new_##suffix(void *provider) { return montcore_key_new(provider, kind); }      \
  static void *gen_init_##suffix(void *provider, int selection, const OSSL_PARAM params[]) {  \
    return gen_init(provider, kind, selection, params);                                       \
  }
OF_KIND(rsa, MONTCORE_RSA)
OF_KIND(pss, MONTCORE_PSS)
OF_KIND(ec, MONTCORE_EC)

#define FUNCTION(name, function) {OSSL_FUNC_KEYMGMT_##name, (void (*)(void))(function)}
#define KEYMGMT(kind, types, operation)                                                                      \
  {FUNCTION(NEW, new_##kind), FUNCTION(FREE, montcore_key_free), FUNCTION(LOAD, load),     \
   FUNCTION(HAS, has), FUNCTION(MATCH, match), FUNCTION(IMPORT, montcore_key_import),      \
   FUNCTION(IMPORT_TYPES, types), FUNCTION(EXPORT, export_public),                  \
   FUNCTION(EXPORT_TYPES, types), FUNCTION(GET_PARAMS, get_params),                 \
   FUNCTION(GETTABLE_PARAMS, gettable_##kind), FUNCTION(SET_PARAMS, set_params),           \
   FUNCTION(SETTABLE_PARAMS, settable_##kind), FUNCTION(DUP, duplicate),                   \
   FUNCTION(GEN_INIT, gen_init_##kind), FUNCTION(GEN_SET_TEMPLATE, gen_set_template),      \
   FUNCTION(GEN_SET_PARAMS, gen_set_params),                                               \
   FUNCTION(GEN_SETTABLE_PARAMS, gen_settable_##kind), FUNCTION(GEN, gen),                 \
   FUNCTION(GEN_CLEANUP, gen_cleanup),                                                     \
   FUNCTION(QUERY_OPERATION_NAME, operation), {0, NULL}}

const OSSL_DISPATCH montcore_rsa_keymgmt[] = KEYMGMT(rsa, types_rsa, operation_rsa);
const OSSL_DISPATCH montcore_pss_keymgmt[] = KEYMGMT(pss, types_rsa, operation_rsa);
const OSSL_DISPATCH montcore_ec_keymgmt[] = KEYMGMT(ec, types_ec, operation_ec);
