/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings, and errors.
 */
#define _GNU_SOURCE 1

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montcore_provider.h"

#define DEFAULT_LIMIT_MS 60000u
#define MAX_LIMIT_S 3600u

int montcore_complain(int reason, const char *format, ...) {
  char text[1000]; /* OpenSSL keeps 1024 */
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  ERR_raise_data(ERR_LIB_PROV, reason, "montcore: %s", text);
  return 0;
}

/* What is given, or the environment has; an empty text is none. */
static const char *setting(const char *given, const char *name) {
  if (!given || !*given) given = secure_getenv(name);
  return given && *given ? given : NULL;
}

/* Takes one of two words, of which the first is the default. */
static int choose(const char *name, const char *word, const char *usual, const char *other, int *chosen) {
  *chosen = word && !strcmp(word, other);
  if (!word || *chosen || !strcmp(word, usual)) return 1;
  return montcore_complain(PROV_R_INVALID_DATA, "%s takes %s or %s, not '%s'", name, usual, other, word);
}

int montcore_configure(montcore_provider *provider, const char *socket, const char *server,
                       const char *limit, const char *unsupported, const char *generated) {
  char *end = NULL, own[108]; /* as long as the address of a socket */
  unsigned long seconds;
  socket = setting(socket, "MONTCORE_SOCKET"), server = setting(server, "MONTCORE_SERVER");
  limit = setting(limit, "MONTCORE_TIMEOUT");
  unsupported = setting(unsupported, "MONTCORE_UNSUPPORTED"), generated = setting(generated, "MONTCORE_GENERATED");
  if (!socket && montcore_pka_socket_default(own, sizeof own)) {
    return montcore_complain(PROV_R_BAD_LENGTH, "XDG_RUNTIME_DIR is too long for a socket");
  }
  provider->socket = OPENSSL_strdup(socket ? socket : own);
  if (!provider->socket) return 0;
  if (montcore_pka_socket_trust(&provider->server, server)) {
    return montcore_complain(PROV_R_INVALID_DATA, "server takes a user or :GROUP, not '%s'", server);
  }
  provider->limit_ms = DEFAULT_LIMIT_MS;
  if (limit) {
    seconds = strtoul(limit, &end, 10);
    if (*end || seconds < 1u || seconds > MAX_LIMIT_S) {
      return montcore_complain(PROV_R_BAD_LENGTH, "timeout takes 1 to %u seconds, not '%s'",
                               MAX_LIMIT_S, limit);
    }
    provider->limit_ms = (unsigned)seconds * 1000u;
  }
  return choose("unsupported", unsupported, "refuse", "software", &provider->software) &&
         choose("generated", generated, "software", "accelerator", &provider->hold_generated);
}
