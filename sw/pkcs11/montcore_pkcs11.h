/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the PKCS #11 module share. README.md describes it for its users.
 */
#ifndef MONTCORE_PKCS11_H
#define MONTCORE_PKCS11_H

#include <p11-kit/pkcs11.h>

#include "montcore_provider.h"

/* A key of the token: two objects, the private one with the handle 2 i + 1 and the public one after it,
 * i being its place in the list. */
typedef struct {
  montcore_key *key;
  char label[256];
  uint8_t id[20];
} montcore_pair;

/* Signing or decryption under way; it holds its key. */
typedef struct montcore_use montcore_use;

typedef struct montcore_session {
  struct montcore_session *next;
  CK_SESSION_HANDLE handle;
  CK_FLAGS flags;
  montcore_use *sign, *decrypt;
  int finds;                /* a search is under way */
  CK_OBJECT_HANDLE *found;  /* what it found */
  CK_ULONG found_count, found_at;
} montcore_session;

/* The token. Its lock is held from montcore_enter to montcore_leave, except between montcore_compute
 * and montcore_computed; pairs do not change from C_Initialize to C_Finalize. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t idle;
  unsigned computing;
  pid_t owner; /* the process that called C_Initialize; 0 if none did */
  montcore_provider provider;
  unsigned rsa_bits, curve_bits; /* that the accelerator is built for; 0 and 0 until it has answered */
  montcore_pair *pairs;
  CK_ULONG count;
  montcore_session *sessions;
  CK_SESSION_HANDLE last;
  CK_ULONG open;
} montcore_token;

/* montcore_token.c: what the other files share. */
extern montcore_token montcore_the_token;
/* Prints an error of a call and its reason, where MONTCORE_PKCS11_VERBOSE asks for it. Returns `result`. */
CK_RV montcore_say(const char *call, CK_RV result, const char *text);
/* Takes the lock for the call of this name. After an error, do not call montcore_leave. */
CK_RV montcore_begin(const char *call);
/* The same for a call that must come after C_Initialize. */
CK_RV montcore_enter(const char *call);
/* The same for a call about a session, which it looks up; an error if there is none. */
CK_RV montcore_enter_session(const char *call, CK_SESSION_HANDLE handle, montcore_session **session);
/* Ends a call; the application's errors in OpenSSL's queue are as they were. Returns `result`. */
CK_RV montcore_leave(CK_RV result);
/* The accelerator is used without the lock; C_Finalize waits until it is not. */
void montcore_compute(void);
void montcore_computed(void);

/* montcore_object.c. Null if there is none. */
montcore_pair *montcore_find_pair(CK_OBJECT_HANDLE handle, CK_OBJECT_CLASS *kind);
/* Reads the keys of a list, separated by commas. Returns 1, or 0. */
int montcore_load_pairs(const char *list);
void montcore_free_pairs(void);

/* montcore_use.c. */
void montcore_use_free(montcore_use *use);
CK_RV montcore_mechanisms(CK_MECHANISM_TYPE *list, CK_ULONG *count);
CK_RV montcore_mechanism_info(CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info);

#endif
