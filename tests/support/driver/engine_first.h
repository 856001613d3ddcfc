/* SPDX-License-Identifier: Apache-2.0
 *
 * An engine of OpenSSL that is the default for RSA and elliptic curves, as those of smart cards are. Its
 * methods are OpenSSL's own from before providers.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <openssl/engine.h>
#include <openssl/evp.h>

static int methods(ENGINE *engine, EVP_PKEY_METHOD **method, const int **kinds, int kind) {
  static const int known[] = {EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_EC};
  static EVP_PKEY_METHOD *made[3];
  int i;
  (void)engine;
  if (!method) {
    *kinds = known;
    return 3;
  }
  for (i = 0; i < 3 && known[i] != kind; i++) continue;
  if (i == 3) return 0;
  if (!made[i] && (made[i] = EVP_PKEY_meth_new(kind, 0))) {
    EVP_PKEY_meth_copy(made[i], EVP_PKEY_meth_find(kind));
  }
  *method = made[i];
  return made[i] != NULL;
}

static int prefer_engine(void) {
  ENGINE *engine = ENGINE_new();
  const int done = engine && ENGINE_set_id(engine, "first") && ENGINE_set_name(engine, "first") &&
                   ENGINE_set_pkey_meths(engine, methods) && ENGINE_add(engine) &&
                   ENGINE_set_default(engine, ENGINE_METHOD_ALL);
  ENGINE_free(engine);
  return done;
}
