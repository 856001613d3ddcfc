/* SPDX-License-Identifier: Apache-2.0
 *
 * The token: its lock, with which each call begins and ends, and what a fork leaves of it.
 */
#define _GNU_SOURCE

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "montcore_pkcs11.h"

montcore_token montcore_the_token = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .idle = PTHREAD_COND_INITIALIZER};
#define token montcore_the_token

CK_RV montcore_enter(void) {
  if (pthread_mutex_lock(&token.lock)) return CKR_GENERAL_ERROR;
  if (token.owner != getpid()) {
    (void)pthread_mutex_unlock(&token.lock);
    return CKR_CRYPTOKI_NOT_INITIALIZED;
  }
  (void)ERR_set_mark();
  return CKR_OK;
}

CK_RV montcore_enter_session(CK_SESSION_HANDLE handle, montcore_session **session) {
  CK_RV result = montcore_enter();
  if (result != CKR_OK) return result;
  *session = token.sessions;
  while (*session && (*session)->handle != handle) *session = (*session)->next;
  return *session ? CKR_OK : montcore_leave(CKR_SESSION_HANDLE_INVALID);
}

/* PKCS #11 has numbers for errors only; MONTCORE_PKCS11_VERBOSE has their reasons printed. */
static void restore_errors(CK_RV result) {
  const char *text = NULL;
  int flags = 0;
  if (result != CKR_OK && secure_getenv("MONTCORE_PKCS11_VERBOSE") &&
      ERR_peek_last_error_all(NULL, NULL, NULL, &text, &flags) && (flags & ERR_TXT_STRING)) {
    (void)fprintf(stderr, "%s\n", text);
  }
  (void)ERR_pop_to_mark();
}

CK_RV montcore_leave(CK_RV result) {
  restore_errors(result);
  (void)pthread_mutex_unlock(&token.lock);
  return result;
}

void montcore_compute(void) {
  token.computing++;
  (void)pthread_mutex_unlock(&token.lock);
}

void montcore_computed(void) {
  (void)pthread_mutex_lock(&token.lock);
  if (--token.computing == 0) (void)pthread_cond_broadcast(&token.idle);
}

/* A process that is forked off finds the token whole and the lock free, whatever other threads do; it has
 * to begin anew. */
static void before_fork(void) { (void)pthread_mutex_lock(&token.lock); }
static void after_fork(void) { (void)pthread_mutex_unlock(&token.lock); }
static void after_fork_in_child(void) {
  (void)pthread_mutex_init(&token.lock, NULL);
  (void)pthread_cond_init(&token.idle, NULL);
  token.computing = 0;
}
__attribute__((constructor)) static void watch_forks(void) {
  (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
