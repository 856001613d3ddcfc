/* SPDX-License-Identifier: Apache-2.0
 *
 * The library: its slot with its token, and sessions.
 */
#define _GNU_SOURCE 1

#include "montcore_pkcs11.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOT 0u
#define MAX_SESSIONS 1024u

#define token montcore_the_token

/* Text in a field of a fixed length, filled with spaces and not ended. */
static void fill(unsigned char *field, size_t size, const char *text) {
  const size_t count = strlen(text);
  memset(field, ' ', size);
  memcpy(field, text, count < size ? count : size);
}
#define FILL(field, text) fill(field, sizeof(field), text)

static void free_session(montcore_session *session) {
  montcore_use_free(session->sign);
  montcore_use_free(session->decrypt);
  OPENSSL_free(session->found);
  OPENSSL_free(session);
  token.open--;
}

static void free_sessions(void) {
  while (token.sessions) {
    montcore_session *first = token.sessions;
    token.sessions = first->next;
    free_session(first);
  }
}

static void free_token(void) {
  free_sessions();
  montcore_free_pairs();
  OSSL_LIB_CTX_free(token.provider.library);
  OPENSSL_free(token.provider.socket);
  memset(&token.provider, 0, sizeof token.provider);
  token.rsa_bits = token.curve_bits = 0;
}

static CK_RV load_token(void) {
  const char *list = secure_getenv("MONTCORE_PKCS11_KEYS");
  token.provider.library = OSSL_LIB_CTX_new();
  if (!token.provider.library) return CKR_HOST_MEMORY;
  /* What the accelerator lacks is refused, whatever the provider of OpenSSL would do. */
  if (!montcore_configure(&token.provider, NULL, NULL, NULL, "refuse", "software")) return CKR_GENERAL_ERROR;
  if (!list && secure_getenv("MONTCORE_PKCS11_VERBOSE"))
    (void)fputs("MONTCORE_PKCS11_KEYS is not set: the token has no keys\n", stderr);
  return !list || montcore_load_pairs(list) ? CKR_OK : CKR_GENERAL_ERROR;
}

CK_RV C_Initialize(void *arguments) {
  const CK_C_INITIALIZE_ARGS *wanted = arguments;
  CK_RV result;
  if (wanted) {
    const int given = !!wanted->CreateMutex + !!wanted->DestroyMutex + !!wanted->LockMutex +
                      !!wanted->UnlockMutex;
    if (wanted->pReserved || (given != 0 && given != 4)) return montcore_say(__func__, CKR_ARGUMENTS_BAD, "");
    if (given && !(wanted->flags & CKF_OS_LOCKING_OK)) return montcore_say(__func__, CKR_CANT_LOCK, "");
  }
  if ((result = montcore_begin(__func__)) != CKR_OK) return result;
  if (token.owner == getpid()) return montcore_leave(CKR_CRYPTOKI_ALREADY_INITIALIZED);
  if (token.owner != 0) free_token(); /* the parent's */
  result = load_token();
  if (result != CKR_OK) free_token();
  token.owner = result == CKR_OK ? getpid() : 0;
  return montcore_leave(result);
}

CK_RV C_Finalize(void *reserved) {
  CK_RV result;
  if (reserved) return montcore_say(__func__, CKR_ARGUMENTS_BAD, "");
  result = montcore_enter(__func__);
  if (result != CKR_OK) return result;
  while (token.computing) (void)pthread_cond_wait(&token.idle, &token.lock);
  if (token.owner == 0) return montcore_leave(CKR_CRYPTOKI_NOT_INITIALIZED); /* another thread did */
  free_token();
  token.owner = 0;
  return montcore_leave(CKR_OK);
}

CK_RV C_GetInfo(CK_INFO *info) {
  CK_RV result = montcore_enter(__func__);
  if (result != CKR_OK) return result;
  if (!info) return montcore_leave(CKR_ARGUMENTS_BAD);
  memset(info, 0, sizeof *info);
  info->cryptokiVersion.major = 2;
  info->cryptokiVersion.minor = 40;
  FILL(info->manufacturerID, "montcore");
  FILL(info->libraryDescription, "montcore accelerator");
  return montcore_leave(CKR_OK);
}

CK_RV C_GetSlotList(CK_BBOOL present, CK_SLOT_ID *list, CK_ULONG *count) {
  CK_RV result = montcore_enter(__func__);
  (void)present;
  if (result != CKR_OK) return result;
  if (!count) return montcore_leave(CKR_ARGUMENTS_BAD);
  if (list && *count < 1) result = CKR_BUFFER_TOO_SMALL;
  else if (list) *list = SLOT;
  *count = 1;
  return montcore_leave(result);
}

/* Begins a call about the slot. */
static CK_RV enter_slot(const char *call, CK_SLOT_ID slot, const void *needed) {
  CK_RV result = montcore_enter(call);
  if (result != CKR_OK) return result;
  if (slot != SLOT) return montcore_leave(CKR_SLOT_ID_INVALID);
  return needed ? CKR_OK : montcore_leave(CKR_ARGUMENTS_BAD);
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slot, CK_SLOT_INFO *info) {
  CK_RV result = enter_slot(__func__, slot, info);
  if (result != CKR_OK) return result;
  memset(info, 0, sizeof *info);
  FILL(info->slotDescription, token.provider.socket);
  FILL(info->manufacturerID, "montcore");
  info->flags = CKF_TOKEN_PRESENT;
  return montcore_leave(CKR_OK);
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO *info) {
  const montcore_session *session;
  CK_RV result = enter_slot(__func__, slot, info);
  if (result != CKR_OK) return result;
  memset(info, 0, sizeof *info);
  FILL(info->label, "montcore");
  FILL(info->manufacturerID, "montcore");
  FILL(info->model, "montcore_pka");
  FILL(info->serialNumber, "0");
  FILL(info->utcTime, "");
  info->flags = CKF_WRITE_PROTECTED | CKF_TOKEN_INITIALIZED;
  info->ulMaxSessionCount = info->ulMaxRwSessionCount = MAX_SESSIONS;
  info->ulSessionCount = token.open;
  for (session = token.sessions; session; session = session->next)
    info->ulRwSessionCount += (session->flags & CKF_RW_SESSION) != 0;
  info->ulTotalPublicMemory = info->ulFreePublicMemory = CK_UNAVAILABLE_INFORMATION;
  info->ulTotalPrivateMemory = info->ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION;
  return montcore_leave(CKR_OK);
}

CK_RV C_GetMechanismList(CK_SLOT_ID slot, CK_MECHANISM_TYPE *list, CK_ULONG *count) {
  CK_RV result = enter_slot(__func__, slot, count);
  return result == CKR_OK ? montcore_leave(montcore_mechanisms(list, count)) : result;
}

CK_RV C_GetMechanismInfo(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info) {
  CK_RV result = enter_slot(__func__, slot, info);
  return result == CKR_OK ? montcore_leave(montcore_mechanism_info(type, info)) : result;
}

CK_RV C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                    CK_SESSION_HANDLE *handle) {
  montcore_session *session;
  CK_RV result = enter_slot(__func__, slot, handle);
  (void)application;
  (void)notify;
  if (result != CKR_OK) return result;
  if (!(flags & CKF_SERIAL_SESSION)) return montcore_leave(CKR_SESSION_PARALLEL_NOT_SUPPORTED);
  if (token.open >= MAX_SESSIONS) return montcore_leave(CKR_SESSION_COUNT);
  session = OPENSSL_zalloc(sizeof *session);
  if (!session) return montcore_leave(CKR_HOST_MEMORY);
  session->flags = flags; /* OpenSSH asks for a session that may write, and writes nothing */
  session->handle = ++token.last; /* never given again: a closed session is not another one's */
  session->next = token.sessions;
  token.sessions = session;
  token.open++;
  *handle = session->handle;
  return montcore_leave(CKR_OK);
}

CK_RV C_CloseSession(CK_SESSION_HANDLE handle) {
  montcore_session **at = &token.sessions, *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  while (*at != session) at = &(*at)->next;
  *at = session->next;
  free_session(session);
  return montcore_leave(CKR_OK);
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot) {
  CK_RV result = enter_slot(__func__, slot, &token);
  if (result != CKR_OK) return result;
  free_sessions();
  return montcore_leave(CKR_OK);
}

CK_RV C_GetSessionInfo(CK_SESSION_HANDLE handle, CK_SESSION_INFO *info) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  if (result != CKR_OK) return result;
  if (!info) return montcore_leave(CKR_ARGUMENTS_BAD);
  memset(info, 0, sizeof *info);
  info->slotID = SLOT;
  info->flags = session->flags & (CKF_SERIAL_SESSION | CKF_RW_SESSION);
  info->state = info->flags & CKF_RW_SESSION ? CKS_RW_PUBLIC_SESSION : CKS_RO_PUBLIC_SESSION;
  return montcore_leave(CKR_OK);
}

/* There is no PIN: who may open the socket may use the keys. */
CK_RV C_Login(CK_SESSION_HANDLE handle, CK_USER_TYPE user, CK_UTF8CHAR *pin, CK_ULONG count) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  (void)pin;
  (void)count;
  if (result != CKR_OK) return result;
  return montcore_leave(user == CKU_USER ? CKR_USER_PIN_NOT_INITIALIZED : CKR_USER_TYPE_INVALID);
}

CK_RV C_Logout(CK_SESSION_HANDLE handle) {
  montcore_session *session;
  CK_RV result = montcore_enter_session(__func__, handle, &session);
  return result == CKR_OK ? montcore_leave(CKR_USER_NOT_LOGGED_IN) : result;
}

/* The one name that is seen from outside. */
__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list);

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
  static CK_FUNCTION_LIST functions = {
      {2, 40},
      C_Initialize, C_Finalize, C_GetInfo, C_GetFunctionList, C_GetSlotList, C_GetSlotInfo,
      C_GetTokenInfo, C_GetMechanismList, C_GetMechanismInfo, C_InitToken, C_InitPIN, C_SetPIN,
      C_OpenSession, C_CloseSession, C_CloseAllSessions, C_GetSessionInfo, C_GetOperationState,
      C_SetOperationState, C_Login, C_Logout, C_CreateObject, C_CopyObject, C_DestroyObject,
      C_GetObjectSize, C_GetAttributeValue, C_SetAttributeValue, C_FindObjectsInit, C_FindObjects,
      C_FindObjectsFinal, C_EncryptInit, C_Encrypt, C_EncryptUpdate, C_EncryptFinal, C_DecryptInit,
      C_Decrypt, C_DecryptUpdate, C_DecryptFinal, C_DigestInit, C_Digest, C_DigestUpdate,
      C_DigestKey, C_DigestFinal, C_SignInit, C_Sign, C_SignUpdate, C_SignFinal, C_SignRecoverInit,
      C_SignRecover, C_VerifyInit, C_Verify, C_VerifyUpdate, C_VerifyFinal, C_VerifyRecoverInit,
      C_VerifyRecover, C_DigestEncryptUpdate, C_DecryptDigestUpdate, C_SignEncryptUpdate,
      C_DecryptVerifyUpdate, C_GenerateKey, C_GenerateKeyPair, C_WrapKey, C_UnwrapKey, C_DeriveKey,
      C_SeedRandom, C_GenerateRandom, C_GetFunctionStatus, C_CancelFunction, C_WaitForSlotEvent};
  if (!list) return montcore_say(__func__, CKR_ARGUMENTS_BAD, "");
  *list = &functions;
  return CKR_OK;
}
