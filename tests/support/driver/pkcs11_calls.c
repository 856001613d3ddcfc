/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_calls MODULE: what pkcs11-tool does not do with a token that has an RSA key and one on P-256:
 * wrong calls in every order, private values asked for in every way, threads, a process forked off while
 * they sign, an engine that is OpenSSL's default. Prints how many calls answered as they must; each other
 * one is named, and the program fails.
 */
#include <dlfcn.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <p11-kit/pkcs11.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_first.h"

#define THREADS 3u
#define GIVES(call, wanted) expect(call, wanted, #call, __LINE__)
#define IS(what) expect((what) ? CKR_OK : CKR_GENERAL_ERROR, CKR_OK, #what, __LINE__)

static CK_FUNCTION_LIST *f;
static unsigned good, bad;

static void expect(CK_RV got, CK_RV wanted, const char *call, int line) {
  if (got == wanted) {
    (void)__atomic_add_fetch(&good, 1, __ATOMIC_RELAXED); /* threads count too */
    return;
  }
  (void)__atomic_add_fetch(&bad, 1, __ATOMIC_RELAXED);
  fprintf(stderr, "%d: %s is 0x%lx, not 0x%lx\n", line, call, got, wanted);
}

static CK_SESSION_HANDLE open_session(void) {
  CK_SESSION_HANDLE session = 0;
  GIVES(f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session), CKR_OK);
  return session;
}

static CK_OBJECT_HANDLE find(CK_SESSION_HANDLE session, CK_OBJECT_CLASS kind, CK_KEY_TYPE type) {
  CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &kind, sizeof kind}, {CKA_KEY_TYPE, &type, sizeof type}};
  CK_OBJECT_HANDLE found[4] = {0};
  CK_ULONG count = 0;
  GIVES(f->C_FindObjectsInit(session, wanted, 2), CKR_OK);
  GIVES(f->C_FindObjectsInit(session, wanted, 2), CKR_OPERATION_ACTIVE);
  GIVES(f->C_FindObjects(session, found, 4, &count), CKR_OK);
  IS(count == 1);
  GIVES(f->C_FindObjects(session, found + 1, 3, &count), CKR_OK);
  IS(count == 0);
  GIVES(f->C_FindObjectsFinal(session), CKR_OK);
  GIVES(f->C_FindObjectsFinal(session), CKR_OPERATION_NOT_INITIALIZED);
  return found[0];
}

/* A private value is neither told nor compared with. */
static void ask_secrets(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, int rsa) {
  static const CK_ATTRIBUTE_TYPE rsa_types[] = {CKA_PRIVATE_EXPONENT, CKA_PRIME_1,    CKA_PRIME_2,
                                                CKA_EXPONENT_1,       CKA_EXPONENT_2, CKA_COEFFICIENT};
  static const CK_ATTRIBUTE_TYPE ec_types[] = {CKA_VALUE};
  const size_t count = rsa ? sizeof rsa_types / sizeof *rsa_types : 1;
  CK_BBOOL flags[2] = {CK_FALSE, CK_TRUE};
  CK_ATTRIBUTE open[] = {{CKA_SENSITIVE, flags, 1}, {CKA_EXTRACTABLE, flags + 1, 1}};
  unsigned char room[4096], untouched[4096];
  CK_OBJECT_HANDLE found = 0;
  size_t i;
  memset(untouched, 0xaa, sizeof untouched);
  GIVES(f->C_GetAttributeValue(session, key, open, 2), CKR_OK);
  IS(flags[0] == CK_TRUE && flags[1] == CK_FALSE);
  for (i = 0; i < count; i++) {
    CK_ATTRIBUTE secret = {rsa ? rsa_types[i] : ec_types[i], room, sizeof room};
    memset(room, 0xaa, sizeof room);
    GIVES(f->C_GetAttributeValue(session, key, &secret, 1), CKR_ATTRIBUTE_SENSITIVE);
    IS(secret.ulValueLen == CK_UNAVAILABLE_INFORMATION);
    IS(!memcmp(room, untouched, sizeof room));
    secret.pValue = NULL;
    GIVES(f->C_GetAttributeValue(session, key, &secret, 1), CKR_ATTRIBUTE_SENSITIVE);
    IS(secret.ulValueLen == CK_UNAVAILABLE_INFORMATION);
    secret.ulValueLen = 0;
    GIVES(f->C_FindObjectsInit(session, &secret, 1), CKR_OK);
    GIVES(f->C_FindObjects(session, &found, 1, &secret.ulValueLen), CKR_OK);
    IS(secret.ulValueLen == 0);
    GIVES(f->C_FindObjectsFinal(session), CKR_OK);
  }
}

static EVP_PKEY *public_key(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key) {
  unsigned char room[1024];
  const unsigned char *at = room;
  CK_ATTRIBUTE wanted = {CKA_PUBLIC_KEY_INFO, room, 16};
  GIVES(f->C_GetAttributeValue(session, key, &wanted, 1), CKR_BUFFER_TOO_SMALL);
  wanted.ulValueLen = sizeof room;
  GIVES(f->C_GetAttributeValue(session, key, &wanted, 1), CKR_OK);
  return d2i_PUBKEY(NULL, &at, (long)wanted.ulValueLen);
}

/* Signs by ECDSA in two parts, and verifies. */
static int sign_and_verify(unsigned char byte) {
  CK_MECHANISM mechanism = {CKM_ECDSA_SHA256, NULL, 0};
  const CK_SESSION_HANDLE session = open_session();
  const CK_OBJECT_HANDLE key = find(session, CKO_PRIVATE_KEY, CKK_EC);
  unsigned char raw[64], *der = NULL, message[2] = {byte, 1};
  CK_ULONG size = 0;
  EVP_PKEY *open = public_key(session, key);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  ECDSA_SIG *pair = ECDSA_SIG_new();
  int length, done;
  GIVES(f->C_SignInit(session, &mechanism, key), CKR_OK);
  GIVES(f->C_SignUpdate(session, message, 1), CKR_OK);
  GIVES(f->C_SignUpdate(session, message + 1, 1), CKR_OK);
  GIVES(f->C_SignFinal(session, NULL, &size), CKR_OK);
  IS(size == sizeof raw);
  size--;
  GIVES(f->C_SignFinal(session, raw, &size), CKR_BUFFER_TOO_SMALL);
  IS(size == sizeof raw);
  GIVES(f->C_SignFinal(session, raw, &size), CKR_OK);
  GIVES(f->C_SignFinal(session, raw, &size), CKR_OPERATION_NOT_INITIALIZED);
  ECDSA_SIG_set0(pair, BN_bin2bn(raw, 32, NULL), BN_bin2bn(raw + 32, 32, NULL));
  length = i2d_ECDSA_SIG(pair, &der);
  done = open && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, open, NULL) > 0 &&
         EVP_DigestVerify(context, der, (size_t)length, message, 2) == 1;
  OPENSSL_free(der);
  ECDSA_SIG_free(pair);
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(open);
  GIVES(f->C_CloseSession(session), CKR_OK);
  GIVES(f->C_CloseSession(session), CKR_SESSION_HANDLE_INVALID);
  return done;
}

static void *run(void *number) {
  return sign_and_verify((unsigned char)(size_t)number) ? number : NULL;
}

/* Threads sign with one key, and a process that is forked off meanwhile. */
static void at_once(void) {
  pthread_t threads[THREADS];
  CK_INFO info;
  size_t i;
  int status = 1;
  for (i = 0; i < THREADS; i++) IS(!pthread_create(&threads[i], NULL, run, (void *)(i + 1)));
  (void)usleep(50000);
  if (fork() == 0) {
    bad = 0;
    GIVES(f->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    GIVES(f->C_Initialize(NULL), CKR_OK);
    IS(sign_and_verify(99));
    _exit(bad != 0);
  }
  for (i = 0; i < THREADS; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    IS(result != NULL);
  }
  wait(&status);
  IS(status == 0);
  GIVES(f->C_GetInfo(&info), CKR_OK);
}

static CK_RV begin_with(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type,
                        void *parameter, CK_ULONG count) {
  CK_MECHANISM mechanism = {type, parameter, count};
  return f->C_SignInit(session, &mechanism, key);
}

/* Calls that are wrong; all but one do not get to the accelerator. */
static void ask_nonsense(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE rsa, CK_OBJECT_HANDLE ec) {
  CK_RSA_PKCS_PSS_PARAMS pss = {CKM_SHA256, CKG_MGF1_SHA256, 223};
  CK_RSA_PKCS_OAEP_PARAMS oaep = {CKM_SHA256, CKG_MGF1_SHA256, CKZ_DATA_SPECIFIED, NULL, 0};
  CK_MECHANISM decrypts = {CKM_RSA_PKCS_OAEP, &oaep, sizeof oaep}, other = {CKM_RSA_PKCS, NULL, 0};
  unsigned char message[300], out[512];
  CK_ULONG size = sizeof out;
  memset(message, 0xff, sizeof message);
  GIVES(f->C_Sign(session, message, 1, out, &size), CKR_OPERATION_NOT_INITIALIZED);
  GIVES(f->C_SignInit(session, NULL, rsa), CKR_ARGUMENTS_BAD);
  GIVES(begin_with(session, rsa + 1, CKM_RSA_PKCS, NULL, 0), CKR_KEY_FUNCTION_NOT_PERMITTED);
  GIVES(begin_with(session, 99, CKM_RSA_PKCS, NULL, 0), CKR_KEY_HANDLE_INVALID);
  GIVES(begin_with(session, 0, CKM_RSA_PKCS, NULL, 0), CKR_KEY_HANDLE_INVALID);
  GIVES(begin_with(session, ec, CKM_RSA_PKCS, NULL, 0), CKR_KEY_TYPE_INCONSISTENT);
  GIVES(begin_with(session, rsa, CKM_ECDSA, NULL, 0), CKR_KEY_TYPE_INCONSISTENT);
  GIVES(begin_with(session, rsa, CKM_RSA_X_509, NULL, 0), CKR_MECHANISM_INVALID);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS_OAEP, &oaep, sizeof oaep), CKR_MECHANISM_INVALID);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS, &pss, sizeof pss), CKR_MECHANISM_PARAM_INVALID);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS_PSS, NULL, 0), CKR_MECHANISM_PARAM_INVALID);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS_PSS, &pss, sizeof pss), CKR_MECHANISM_PARAM_INVALID);
  pss.sLen = 222;
  GIVES(begin_with(session, rsa, CKM_SHA384_RSA_PKCS_PSS, &pss, sizeof pss), CKR_MECHANISM_PARAM_INVALID);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS_PSS, &pss, sizeof pss), CKR_OK);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS, NULL, 0), CKR_OPERATION_ACTIVE);
  GIVES(f->C_Sign(session, message, 31, out, &size), CKR_DATA_LEN_RANGE);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS, NULL, 0), CKR_OK);
  GIVES(f->C_Sign(session, message, 246, out, &size), CKR_DATA_LEN_RANGE);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS, NULL, 0), CKR_OK);
  GIVES(f->C_SignUpdate(session, message, 1), CKR_FUNCTION_NOT_SUPPORTED);
  GIVES(begin_with(session, rsa, CKM_RSA_PKCS, NULL, 0), CKR_OK);
  GIVES(f->C_Sign(session, NULL, 1, out, &size), CKR_ARGUMENTS_BAD);
  GIVES(begin_with(session, ec, CKM_ECDSA, NULL, 0), CKR_OK);
  GIVES(f->C_Sign(session, message, 0, out, &size), CKR_DATA_LEN_RANGE);
  GIVES(begin_with(session, ec, CKM_ECDSA, NULL, 0), CKR_OK);
  GIVES(f->C_Sign(session, message, 65, out, &size), CKR_DATA_LEN_RANGE);
  GIVES(f->C_DecryptInit(session, &other, rsa), CKR_MECHANISM_INVALID);
  GIVES(f->C_DecryptInit(session, &decrypts, rsa), CKR_OK);
  size = 0;
  GIVES(f->C_Decrypt(session, message, 256, NULL, &size), CKR_OK);
  IS(size == 190);
  size--;
  GIVES(f->C_Decrypt(session, message, 256, out, &size), CKR_BUFFER_TOO_SMALL);
  GIVES(f->C_Decrypt(session, message, 255, out, &size), CKR_ENCRYPTED_DATA_LEN_RANGE);
  GIVES(f->C_DecryptInit(session, &decrypts, rsa), CKR_OK);
  GIVES(f->C_Decrypt(session, message, 256, out, &size), CKR_ENCRYPTED_DATA_INVALID);
  GIVES(f->C_Decrypt(session, message, 256, out, &size), CKR_OPERATION_NOT_INITIALIZED);
  /* The one that gets there: below n, but no padding. */
  memset(message, 0, 255);
  GIVES(f->C_DecryptInit(session, &decrypts, rsa), CKR_OK);
  GIVES(f->C_Decrypt(session, message, 256, out, &size), CKR_ENCRYPTED_DATA_INVALID);
  oaep.hashAlg = CKM_MD5;
  GIVES(f->C_DecryptInit(session, &decrypts, rsa), CKR_MECHANISM_PARAM_INVALID);
  GIVES(f->C_Login(session, CKU_USER, message, 4), CKR_USER_PIN_NOT_INITIALIZED);
  GIVES(f->C_Logout(session), CKR_USER_NOT_LOGGED_IN);
  GIVES(f->C_DestroyObject(session, rsa), CKR_TOKEN_WRITE_PROTECTED);
  GIVES(f->C_GenerateRandom(session, out, 4), CKR_RANDOM_NO_RNG);
}

/* What comes before the first session. */
static void start(void) {
  CK_C_INITIALIZE_ARGS arguments = {0};
  CK_ULONG count = 0;
  CK_SLOT_ID slot = 9;
  CK_SESSION_HANDLE session;
  CK_SESSION_INFO info;
  CK_TOKEN_INFO about;
  GIVES(f->C_GetSlotList(CK_TRUE, NULL, &count), CKR_CRYPTOKI_NOT_INITIALIZED);
  GIVES(f->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
  arguments.LockMutex = (CK_LOCKMUTEX)f->C_Finalize;
  GIVES(f->C_Initialize(&arguments), CKR_ARGUMENTS_BAD);
  arguments.UnlockMutex = arguments.DestroyMutex = arguments.LockMutex;
  arguments.CreateMutex = (CK_CREATEMUTEX)f->C_Finalize;
  GIVES(f->C_Initialize(&arguments), CKR_CANT_LOCK);
  arguments.flags = CKF_OS_LOCKING_OK;
  GIVES(f->C_Initialize(&arguments), CKR_OK);
  GIVES(f->C_Initialize(&arguments), CKR_CRYPTOKI_ALREADY_INITIALIZED);
  GIVES(f->C_GetSlotList(CK_TRUE, &slot, &count), CKR_BUFFER_TOO_SMALL);
  GIVES(f->C_GetSlotList(CK_TRUE, &slot, &count), CKR_OK);
  IS(count == 1 && slot == 0);
  GIVES(f->C_OpenSession(1, CKF_SERIAL_SESSION, NULL, NULL, &session), CKR_SLOT_ID_INVALID);
  GIVES(f->C_OpenSession(0, 0, NULL, NULL, &session), CKR_SESSION_PARALLEL_NOT_SUPPORTED);
  GIVES(f->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session), CKR_OK);
  GIVES(f->C_GetSessionInfo(session, &info), CKR_OK);
  IS(info.state == CKS_RW_PUBLIC_SESSION);
  GIVES(f->C_GetTokenInfo(0, &about), CKR_OK);
  IS(about.ulSessionCount == 1 && about.ulRwSessionCount == 1);
  GIVES(f->C_DestroyObject(session, 1), CKR_TOKEN_WRITE_PROTECTED);
  GIVES(f->C_CloseSession(session), CKR_OK);
}

int main(int count, char **words) {
  void *module = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
  CK_C_GetFunctionList list = module ? (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList") : NULL;
  CK_SESSION_HANDLE session;
  CK_OBJECT_HANDLE rsa, ec;
  CK_ULONG sessions;
  if (!list || list(&f) != CKR_OK || !prefer_engine()) return 2;
  start();
  session = open_session();
  rsa = find(session, CKO_PRIVATE_KEY, CKK_RSA);
  ec = find(session, CKO_PRIVATE_KEY, CKK_EC);
  ask_secrets(session, rsa, 1);
  ask_secrets(session, ec, 0);
  ask_nonsense(session, rsa, ec);
  at_once();
  GIVES(f->C_CloseAllSessions(0), CKR_OK);
  GIVES(f->C_FindObjects(session, &rsa, 1, &sessions), CKR_SESSION_HANDLE_INVALID);
  GIVES(f->C_Finalize(NULL), CKR_OK);
  GIVES(f->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
  GIVES(f->C_Initialize(NULL), CKR_OK);
  GIVES(f->C_Finalize(NULL), CKR_OK);
  dlclose(module);
  printf("%u answers as they must be\n", good);
  return bad != 0;
}
