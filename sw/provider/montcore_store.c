/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads keys by name: montcore:file=PATH reads a private key from a file, montcore:locked is the key that
 * the server has locked in the accelerator.
 */
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "montcore_provider.h"

#define SCHEME "montcore:"
#define FROM_FILE SCHEME "file="
#define LOCKED SCHEME "locked"

typedef struct {
  montcore_provider *provider;
  char *path; /* null: the locked key */
  int loaded;
} loader;

static void *open_uri(void *provider, const char *uri) {
  loader *made;
  const int from_file = !strncmp(uri, FROM_FILE, strlen(FROM_FILE));
  if (!from_file && strcmp(uri, LOCKED)) return NULL;
  made = OPENSSL_zalloc(sizeof *made);
  if (!made) return NULL;
  made->provider = provider;
  if (from_file && !(made->path = OPENSSL_strdup(uri + strlen(FROM_FILE)))) {
    OPENSSL_free(made);
    return NULL;
  }
  return made;
}

static int load(void *context, OSSL_CALLBACK *object, void *object_argument,
                OSSL_PASSPHRASE_CALLBACK *callback, void *argument) {
  loader *from = context;
  montcore_key *key;
  int kind = OSSL_OBJECT_PKEY, done;
  OSSL_PARAM params[4];
  from->loaded = 1;
  key = from->path ? montcore_key_read(from->provider, from->path, callback, argument)
                   : montcore_key_locked(from->provider);
  if (!key) return 0;
  params[0] = OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &kind);
  params[1] = OSSL_PARAM_construct_utf8_string(
      OSSL_OBJECT_PARAM_DATA_TYPE, (char *)montcore_kind_name(key->kind), 0);
  params[2] = OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key);
  params[3] = OSSL_PARAM_construct_end();
  done = object(params, object_argument);
  montcore_key_free(key); /* null, if it was taken */
  return done;
}

static int eof(void *context) { return ((const loader *)context)->loaded; }

static int close_loader(void *context) {
  loader *from = context;
  OPENSSL_free(from->path);
  OPENSSL_free(from);
  return 1;
}

static const OSSL_PARAM *settable(void *provider) {
  static const OSSL_PARAM none[] = {OSSL_PARAM_END};
  (void)provider;
  return none;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  (void)context;
  (void)params;
  return 1;
}

#define FUNCTION(name, function) {OSSL_FUNC_STORE_##name, (void (*)(void))(function)}
const OSSL_DISPATCH montcore_store[] = {
    FUNCTION(OPEN, open_uri), FUNCTION(LOAD, load), FUNCTION(EOF, eof), FUNCTION(CLOSE, close_loader),
    FUNCTION(SETTABLE_CTX_PARAMS, settable), FUNCTION(SET_CTX_PARAMS, set_ctx_params), {0, NULL}};
