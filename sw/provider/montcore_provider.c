/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <string.h>

#define RSA_NAMES "RSA:rsaEncryption:1.2.840.113549.1.1.1"
#define ALGORITHM(names, table, what) {names, MONTCORE_PROPERTIES, table, what " on a montcore accelerator"}
static const OSSL_ALGORITHM keymgmt[] = {
    ALGORITHM(RSA_NAMES, montcore_rsa_keymgmt, "RSA"),
    ALGORITHM("RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10", montcore_pss_keymgmt, "RSA-PSS"),
    ALGORITHM("EC:id-ecPublicKey:1.2.840.10045.2.1", montcore_ec_keymgmt, "elliptic curves"),
    {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM signature[] = {ALGORITHM(RSA_NAMES, montcore_signature, "RSA"),
                                           ALGORITHM("ECDSA", montcore_signature, "ECDSA"),
                                           {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM asym_cipher[] = {ALGORITHM(RSA_NAMES, montcore_asym_cipher, "RSA"),
                                             {NULL, NULL, NULL, NULL}};
static const OSSL_ALGORITHM store[] = {ALGORITHM("montcore", montcore_store, "keys"),
                                       {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_cache) {
  (void)context;
  *no_cache = 0;
  switch (operation) {
    case OSSL_OP_KEYMGMT: return keymgmt;
    case OSSL_OP_SIGNATURE: return signature;
    case OSSL_OP_ASYM_CIPHER: return asym_cipher;
    case OSSL_OP_STORE: return store;
    default: return NULL;
  }
}

static const OSSL_PARAM *gettable_params(void *context) {
  static const OSSL_PARAM known[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                     OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                     OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
  (void)context;
  return known;
}

static int get_params(void *context, OSSL_PARAM params[]) {
  const montcore_provider *provider = context;
  OSSL_PARAM *at = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME);
  if (at && !OSSL_PARAM_set_utf8_ptr(at, "montcore accelerator")) return 0;
  at = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO);
  if (at && !OSSL_PARAM_set_utf8_ptr(at, provider->socket)) return 0;
  at = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
  return !at || OSSL_PARAM_set_int(at, 1);
}

typedef struct {
  OSSL_CALLBACK *callback;
  void *argument;
} group_taker;

/* Hands on a group of TLS if its keys are of a kind that this provider has. */
static int take_group(const OSSL_PARAM params[], void *argument) {
  const group_taker *taker = argument;
  const OSSL_PARAM *at = OSSL_PARAM_locate_const(params, OSSL_CAPABILITY_TLS_GROUP_ALG);
  const char *name = NULL;
  if (!at || !OSSL_PARAM_get_utf8_string_ptr(at, &name) || strcmp(name, "EC")) return 1;
  return taker->callback(params, taker->argument);
}

/* Whether this thread is asking: one of the providers is this one, under whatever name, and others may be
 * too. */
static __thread int asking;

static int ask_for_groups(OSSL_PROVIDER *other, void *argument) {
  return OSSL_PROVIDER_get_capabilities(other, "TLS-GROUP", take_group, argument);
}

/* A program that finds EC keys here asks for the groups of TLS here too: those of the other providers. */
static int get_capabilities(void *context, const char *capability, OSSL_CALLBACK *callback,
                            void *argument) {
  montcore_provider *provider = context;
  group_taker taker = {callback, argument};
  int done;
  if (strcmp(capability, "TLS-GROUP")) return 0;
  if (asking) return 1;
  asking = 1;
  done = OSSL_PROVIDER_do_all(provider->library, ask_for_groups, &taker);
  asking = 0;
  return done;
}

static void teardown(void *context) {
  montcore_provider *provider = context;
  OSSL_LIB_CTX_free(provider->library);
  OPENSSL_free(provider->socket);
  OPENSSL_free(provider);
}

/* Reads the provider's section of openssl.cnf, or the environment for what is not there. */
static int configure(montcore_provider *provider, OSSL_FUNC_core_get_params_fn *core_get_params) {
  const char *socket = NULL, *server = NULL, *limit = NULL, *unsupported = NULL, *generated = NULL;
  OSSL_PARAM wanted[] = {OSSL_PARAM_utf8_ptr("socket", (char **)&socket, 0),
                         OSSL_PARAM_utf8_ptr("server", (char **)&server, 0),
                         OSSL_PARAM_utf8_ptr("timeout", (char **)&limit, 0),
                         OSSL_PARAM_utf8_ptr("unsupported", (char **)&unsupported, 0),
                         OSSL_PARAM_utf8_ptr("generated", (char **)&generated, 0),
                         OSSL_PARAM_END};
  if (core_get_params && !core_get_params(provider->handle, wanted)) return 0;
  return montcore_configure(provider, socket, server, limit, unsupported, generated);
}

/* The one name that is seen from outside. */
__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **context) {
  static const OSSL_DISPATCH own[] = {
      {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
      {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
      {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
      {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))get_capabilities},
      {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
      {0, NULL}};
  OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
  const OSSL_DISPATCH *at;
  montcore_provider *provider = OPENSSL_zalloc(sizeof *provider);
  if (!provider) return 0;
  provider->handle = handle;
  for (at = in; at->function_id; at++) {
    if (at->function_id == OSSL_FUNC_CORE_GET_PARAMS) core_get_params = OSSL_FUNC_core_get_params(at);
  }
  provider->library = OSSL_LIB_CTX_new_child(handle, in);
  if (!provider->library || !configure(provider, core_get_params)) {
    teardown(provider);
    return 0;
  }
  *out = own;
  *context = provider;
  return 1;
}
