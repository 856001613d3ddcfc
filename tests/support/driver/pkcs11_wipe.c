/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_wipe MODULE TEXT: signs with the first key of a token, RSA, opens TEXT with it, which is in hexadecimal,
 * and signs with the second one, ECDSA. The memory is searched when the session is closed, and when the module
 * is finalized; if it refuses its keys, then.
 */
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <p11-kit/pkcs11.h>

#include "memory_search.h"

int main(int words, char **word) {
  CK_RSA_PKCS_OAEP_PARAMS oaep = {CKM_SHA256, CKG_MGF1_SHA256, CKZ_DATA_SPECIFIED, NULL, 0};
  CK_MECHANISM rsa = {CKM_SHA256_RSA_PKCS, NULL, 0}, ec = {CKM_ECDSA_SHA256, NULL, 0};
  const int good = read_numbers();
  CK_MECHANISM opening = {CKM_RSA_PKCS_OAEP, &oaep, sizeof oaep};
  void *module = good && words == 3 ? dlopen(word[1], RTLD_NOW) : NULL;
  CK_C_GetFunctionList list = module ? (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList") : NULL;
  CK_FUNCTION_LIST *f;
  CK_SESSION_HANDLE session;
  unsigned char out[512], message[] = {1}, *text;
  CK_ULONG room[3] = {sizeof out, sizeof out, sizeof out};
  long count;
  if (!list || list(&f) != CKR_OK) return 2;
  text = OPENSSL_hexstr2buf(word[2], &count);
  if (f->C_Initialize(NULL) != CKR_OK) {
    KEEP_STACK();
    puts("refused once");
    search("refused");
    return 0;
  }
  KEEP_STACK();
  if (f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session) != CKR_OK) return 3;
  if (f->C_SignInit(session, &rsa, 1) != CKR_OK) return 3;
  if (f->C_Sign(session, message, 1, out, &room[0]) != CKR_OK) return 3;
  KEEP_STACK();
  if (f->C_DecryptInit(session, &opening, 1) != CKR_OK) return 3;
  if (f->C_Decrypt(session, text, (CK_ULONG)count, out, &room[1]) != CKR_OK) return 3;
  OPENSSL_cleanse(out, sizeof out);
  KEEP_STACK();
  if (f->C_SignInit(session, &ec, 3) != CKR_OK) return 3;
  if (f->C_Sign(session, message, 1, out, &room[2]) != CKR_OK) return 3;
  KEEP_STACK();
  if (f->C_CloseSession(session) != CKR_OK) return 3;
  search("held");
  if (f->C_Finalize(NULL) != CKR_OK) return 3;
  search("freed");
  return 0;
}
