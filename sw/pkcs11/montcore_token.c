/* SPDX-License-Identifier: Apache-2.0
 *
 * The token: its lock, with which each call begins and ends, and what a fork leaves of it.
 */
#define _GNU_SOURCE 1

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "montcore_pkcs11.h"

montcore_token montcore_the_token = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .idle = PTHREAD_COND_INITIALIZER};
#define token montcore_the_token

/* Of this thread: the call that it is in, and the text of the last error before it. */
static _Thread_local const char *current, *before;

CK_RV montcore_say(const char *call, CK_RV result, const char *text) {
  const char *name = "an error";
#define N(of) case CKR_##of: name = "CKR_" #of; break;
  switch (result) {
    N(HOST_MEMORY) N(SLOT_ID_INVALID) N(GENERAL_ERROR) N(FUNCTION_FAILED) N(ARGUMENTS_BAD) N(NO_EVENT)
    N(CANT_LOCK) N(ATTRIBUTE_SENSITIVE) N(ATTRIBUTE_TYPE_INVALID) N(DATA_LEN_RANGE) N(DEVICE_ERROR)
    N(ENCRYPTED_DATA_INVALID) N(ENCRYPTED_DATA_LEN_RANGE) N(FUNCTION_NOT_PARALLEL) N(FUNCTION_NOT_SUPPORTED)
    N(KEY_HANDLE_INVALID) N(KEY_SIZE_RANGE) N(KEY_TYPE_INCONSISTENT) N(KEY_FUNCTION_NOT_PERMITTED)
    N(MECHANISM_INVALID) N(MECHANISM_PARAM_INVALID) N(OBJECT_HANDLE_INVALID) N(OPERATION_ACTIVE)
    N(OPERATION_NOT_INITIALIZED) N(SESSION_COUNT) N(SESSION_HANDLE_INVALID) N(SESSION_PARALLEL_NOT_SUPPORTED)
    N(TOKEN_WRITE_PROTECTED) N(USER_NOT_LOGGED_IN) N(USER_PIN_NOT_INITIALIZED) N(USER_TYPE_INVALID)
    N(RANDOM_NO_RNG) N(BUFFER_TOO_SMALL) N(CRYPTOKI_NOT_INITIALIZED) N(CRYPTOKI_ALREADY_INITIALIZED)
  }
  if (result != CKR_OK && secure_getenv("MONTCORE_PKCS11_VERBOSE"))
    (void)fprintf(stderr, "%s: %s%s%s\n", call, name, *text ? ": " : "", text);
  return result;
}

/* The reason of the last error in OpenSSL's queue, or an empty text. */
static const char *last_reason(void) {
  const char *text = "";
  (void)ERR_peek_last_error_all(NULL, NULL, NULL, &text, NULL);
  return text;
}

CK_RV montcore_begin(const char *call) {
  if (pthread_mutex_lock(&token.lock)) return montcore_say(call, CKR_GENERAL_ERROR, "");
  (void)ERR_set_mark();
  current = call;
  before = last_reason();
  return CKR_OK;
}

CK_RV montcore_enter(const char *call) {
  CK_RV result = montcore_begin(call);
  if (result != CKR_OK || token.owner == getpid()) return result;
  return montcore_leave(CKR_CRYPTOKI_NOT_INITIALIZED);
}

CK_RV montcore_enter_session(const char *call, CK_SESSION_HANDLE handle, montcore_session **session) {
  CK_RV result = montcore_enter(call);
  if (result != CKR_OK) return result;
  *session = token.sessions;
  while (*session && (*session)->handle != handle) *session = (*session)->next;
  return *session ? CKR_OK : montcore_leave(CKR_SESSION_HANDLE_INVALID);
}

CK_RV montcore_leave(CK_RV result) {
  const char *text = last_reason();
  (void)montcore_say(current, result, text == before ? "" : text);
  (void)ERR_pop_to_mark();
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
