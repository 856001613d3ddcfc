/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_fuzz MODULE SEED COUNT: as many calls of a PKCS #11 module, in any order and with any arguments, most
 * of them nearly right. What is written behind the room for an answer ends it, as a sanitizer would. Prints
 * how many calls succeeded.
 */
#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static CK_FUNCTION_LIST *f;
static CK_SESSION_HANDLE sessions[3];
static CK_OBJECT_HANDLE objects[] = {1, 3, 5, 1, 3, 5, 2, 9};

static size_t below(size_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (size_t)(state % limit);
}
#define ONE_OF(list) (list)[below(sizeof(list) / sizeof *(list))]

static CK_MECHANISM_TYPE hash(void) {
  static const CK_MECHANISM_TYPE known[] = {CKM_SHA256, CKM_SHA256, CKM_SHA_1, CKM_SHA512, CKM_MD5, 0};
  return ONE_OF(known);
}

static CK_ULONG mask(void) {
  static const CK_ULONG known[] = {CKG_MGF1_SHA256, CKG_MGF1_SHA256, CKG_MGF1_SHA1, CKG_MGF1_SHA512, 0};
  return ONE_OF(known);
}

static CK_RV begin(CK_SESSION_HANDLE session) {
  static const CK_MECHANISM_TYPE known[] = {
      CKM_RSA_PKCS, CKM_SHA256_RSA_PKCS, CKM_RSA_PKCS_PSS, CKM_SHA256_RSA_PKCS_PSS,
      CKM_SHA512_RSA_PKCS_PSS, CKM_RSA_PKCS_OAEP, CKM_ECDSA, CKM_ECDSA_SHA384, CKM_RSA_X_509};
  static const CK_ULONG salts[] = {0, 20, 32, 33, 64, 478, 0x7fffffff, ~0ul};
  CK_RSA_PKCS_PSS_PARAMS pss = {hash(), mask(), ONE_OF(salts)};
  CK_BYTE label[32] = {0};
  CK_RSA_PKCS_OAEP_PARAMS oaep = {hash(), mask(), below(8) ? CKZ_DATA_SPECIFIED : 0,
                                  below(2) ? label : NULL, below(sizeof label)};
  CK_MECHANISM mechanism = {ONE_OF(known), NULL, 0};
  const int decrypts = mechanism.mechanism == CKM_RSA_PKCS_OAEP;
  const int salted = mechanism.mechanism == CKM_RSA_PKCS_PSS ||
                     mechanism.mechanism == CKM_SHA256_RSA_PKCS_PSS ||
                     mechanism.mechanism == CKM_SHA512_RSA_PKCS_PSS;
  if (decrypts) mechanism.pParameter = &oaep, mechanism.ulParameterLen = sizeof oaep;
  else if (salted == !!below(16)) mechanism.pParameter = &pss, mechanism.ulParameterLen = sizeof pss;
  if (!below(16)) mechanism.ulParameterLen = below(64);
  if (!below(16)) mechanism.pParameter = NULL;
  if (decrypts == !!below(16)) return f->C_DecryptInit(session, &mechanism, ONE_OF(objects));
  return f->C_SignInit(session, &mechanism, ONE_OF(objects));
}

/* Ends or continues an operation. */
static CK_RV go_on(CK_SESSION_HANDLE session) {
  static const CK_ULONG sizes[] = {0, 1, 20, 32, 53, 64, 117, 128, 129, 256};
  const CK_ULONG count = ONE_OF(sizes);
  const CK_ULONG room = ONE_OF(sizes);
  CK_BYTE data[257] = {0}, out[512], *answer = below(4) ? out : NULL;
  CK_ULONG size = room, i;
  CK_RV result;
  memset(out, 0xa5, sizeof out);
  if (!below(16)) data[0] = 0xff;
  switch (below(4)) {
    case 0: result = f->C_Sign(session, below(16) ? data : NULL, count, answer, &size); break;
    case 1: result = f->C_Decrypt(session, data, count, answer, &size); break;
    case 2: result = f->C_SignUpdate(session, below(16) ? data : NULL, count); break;
    default: result = f->C_SignFinal(session, answer, below(16) ? &size : NULL);
  }
  for (i = room; i < sizeof out; i++) {
    if (out[i] != 0xa5) abort();
  }
  return result;
}

static CK_RV ask(CK_SESSION_HANDLE session) {
  static const CK_ATTRIBUTE_TYPE known[] = {
      CKA_CLASS, CKA_KEY_TYPE, CKA_LABEL, CKA_ID, CKA_MODULUS, CKA_PUBLIC_EXPONENT, CKA_MODULUS_BITS,
      CKA_EC_PARAMS, CKA_EC_POINT, CKA_VALUE, CKA_PRIVATE_EXPONENT, CKA_PUBLIC_KEY_INFO, CKA_DECRYPT,
      CKA_SUBJECT, CKA_SENSITIVE, 0xffffffff};
  CK_ATTRIBUTE wanted[3];
  const CK_ULONG count = below(4);
  CK_ULONG i;
  CK_RV result;
  for (i = 0; i < count; i++) {
    wanted[i].type = ONE_OF(known);
    wanted[i].ulValueLen = below(2) ? below(16) : 300u;
    wanted[i].pValue = below(4) ? calloc(wanted[i].ulValueLen + 1u, 1) : NULL;
    if (wanted[i].pValue) wanted[i].pValue = realloc(wanted[i].pValue, wanted[i].ulValueLen + !wanted[i].ulValueLen);
    if (!wanted[i].pValue) wanted[i].ulValueLen = 0;
  }
  result = below(2) ? f->C_GetAttributeValue(session, ONE_OF(objects), wanted, count)
                    : f->C_FindObjectsInit(session, wanted, count);
  for (i = 0; i < count; i++) free(wanted[i].pValue);
  return result;
}

static CK_RV find(CK_SESSION_HANDLE session) {
  const CK_ULONG room = below(5);
  CK_OBJECT_HANDLE *found = malloc((room + 1u) * sizeof *found);
  CK_ULONG count = 0;
  CK_RV result = f->C_FindObjects(session, found, room, &count);
  if (result == CKR_OK && count > room) abort();
  free(found);
  return result;
}

static CK_RV call(void) {
  CK_SESSION_HANDLE *session = &ONE_OF(sessions);
  CK_INFO info;
  CK_TOKEN_INFO about;
  switch (below(256)) { /* what ends much is rare */
    case 0: return f->C_Finalize(NULL);
    case 1: return f->C_CloseAllSessions(below(4) ? 0 : 1);
    case 2: return f->C_CloseSession(*session);
    case 3: return f->C_GetInfo(below(4) ? &info : NULL);
    case 4: return f->C_GetTokenInfo(below(2), &about);
    case 5: return f->C_FindObjectsFinal(*session);
    default: break;
  }
  if (!below(16) && f->C_Initialize(NULL) != CKR_CRYPTOKI_ALREADY_INITIALIZED) return CKR_OK;
  if (!below(16)) return f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, session);
  switch (below(8)) {
    case 0: return find(*session);
    case 1:
    case 2: return ask(*session);
    case 3:
    case 4: return begin(*session);
    default: return go_on(*session);
  }
}

int main(int count, char **words) {
  void *module = count == 4 ? dlopen(words[1], RTLD_NOW) : NULL;
  CK_C_GetFunctionList list = module ? (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList") : NULL;
  unsigned long turns, good = 0;
  if (!list || list(&f) != CKR_OK) return 2;
  state = strtoull(words[2], NULL, 10) * 2u + 1u;
  for (turns = strtoul(words[3], NULL, 10); turns; turns--) good += call() == CKR_OK;
  (void)f->C_Finalize(NULL);
  printf("%lu calls succeeded\n", good);
  return 0;
}
