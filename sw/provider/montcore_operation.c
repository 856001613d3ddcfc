/* SPDX-License-Identifier: Apache-2.0
 *
 * What signatures, encryption and decryption have in common: a key, and a context of another provider with
 * its public part, the twin. The twin checks and keeps the settings that are asked for.
 */
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "montcore_provider.h"

montcore_operation *montcore_operation_new(montcore_provider *provider, const char *properties) {
  montcore_operation *op = OPENSSL_zalloc(sizeof *op);
  if (!op) return NULL;
  op->provider = provider;
  if (properties && !(op->properties = OPENSSL_strdup(properties))) {
    OPENSSL_free(op);
    return NULL;
  }
  return op;
}

void montcore_operation_free(void *context) {
  montcore_operation *op = context;
  if (!op) return;
  montcore_key_free(op->key);
  EVP_PKEY_CTX_free(op->twin);
  EVP_MD_CTX_free(op->digest);
  OPENSSL_free(op->properties);
  OPENSSL_free(op);
}

void *montcore_operation_dup(void *context) {
  const montcore_operation *op = context;
  montcore_operation *copy = montcore_operation_new(op->provider, op->properties);
  if (!copy) return NULL;
  copy->signs = op->signs;
  copy->key = montcore_key_share(op->key);
  if (op->twin && !(copy->twin = EVP_PKEY_CTX_dup(op->twin))) goto failed;
  if (op->digest && (!(copy->digest = EVP_MD_CTX_new()) || !EVP_MD_CTX_copy_ex(copy->digest, op->digest))) {
    goto failed;
  }
  return copy;
failed:
  montcore_operation_free(copy);
  return NULL;
}

int montcore_operation_set(void *context, const OSSL_PARAM params[]) {
  montcore_operation *op = context;
  if (!params || !params->key) return 1;
  return op->twin && EVP_PKEY_CTX_set_params(op->twin, params) > 0;
}

int montcore_operation_get(void *context, OSSL_PARAM params[]) {
  montcore_operation *op = context;
  return op->twin && EVP_PKEY_CTX_get_params(op->twin, params) > 0;
}

montcore_key *montcore_operation_begin(montcore_operation *op, montcore_key *key) {
  if (!key) key = op->key;
  if (!key || !key->visible) {
    (void)montcore_complain(PROV_R_NO_KEY_SET, "no key");
    return NULL;
  }
  if (key != op->key) {
    montcore_key_free(op->key);
    op->key = montcore_key_share(key);
  }
  EVP_PKEY_CTX_free(op->twin);
  op->twin = EVP_PKEY_CTX_new_from_pkey(op->provider->library, key->visible, MONTCORE_OTHERS);
  return op->twin ? key : NULL;
}

const char *montcore_operation_name(montcore_operation *op, const char *what, char *name) {
  OSSL_PARAM wanted[] = {OSSL_PARAM_END, OSSL_PARAM_END};
  wanted[0] = OSSL_PARAM_construct_utf8_string(what, name, MONTCORE_NAME);
  name[0] = '\0';
  return EVP_PKEY_CTX_get_params(op->twin, wanted) > 0 && name[0] ? name : NULL;
}

EVP_MD *montcore_operation_digest(montcore_operation *op, const char *what, char *name) {
  return montcore_operation_name(op, what, name)
             ? EVP_MD_fetch(op->provider->library, name, op->properties)
             : NULL;
}
