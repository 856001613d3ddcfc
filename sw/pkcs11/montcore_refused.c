/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that every module has to have, and this token has no use for.
 */
#include "montcore_pkcs11.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REFUSE(name, reason, ...) \
  CK_RV name(__VA_ARGS__) { return montcore_say(#name, reason, ""); }
#define H CK_SESSION_HANDLE session
#define O CK_OBJECT_HANDLE
#define IN(x) CK_BYTE *x, CK_ULONG x##_count
#define OUT(x) CK_BYTE *x, CK_ULONG *x##_count
#define LIST(x) CK_ATTRIBUTE *x, CK_ULONG x##_count
#define M CK_MECHANISM *mechanism

/* The token is read-only. */
REFUSE(C_InitToken, CKR_TOKEN_WRITE_PROTECTED, CK_SLOT_ID slot, IN(pin), CK_UTF8CHAR *label)
REFUSE(C_InitPIN, CKR_TOKEN_WRITE_PROTECTED, H, IN(pin))
REFUSE(C_SetPIN, CKR_TOKEN_WRITE_PROTECTED, H, IN(old), IN(fresh))
REFUSE(C_CreateObject, CKR_TOKEN_WRITE_PROTECTED, H, LIST(values), O *object)
REFUSE(C_CopyObject, CKR_TOKEN_WRITE_PROTECTED, H, O object, LIST(values), O *copy)
REFUSE(C_DestroyObject, CKR_TOKEN_WRITE_PROTECTED, H, O object)
REFUSE(C_SetAttributeValue, CKR_TOKEN_WRITE_PROTECTED, H, O object, LIST(values))
REFUSE(C_GenerateKey, CKR_TOKEN_WRITE_PROTECTED, H, M, LIST(values), O *key)
REFUSE(C_GenerateKeyPair, CKR_TOKEN_WRITE_PROTECTED, H, M, LIST(open), LIST(secret), O *public_key, O *private_key)
REFUSE(C_UnwrapKey, CKR_TOKEN_WRITE_PROTECTED, H, M, O with, IN(wrapped), LIST(values), O *key)
REFUSE(C_DeriveKey, CKR_TOKEN_WRITE_PROTECTED, H, M, O from, LIST(values), O *key)

/* Nothing is done with public keys, and there are no digests by themselves. */
#define LACK(name, ...) REFUSE(name, CKR_FUNCTION_NOT_SUPPORTED, __VA_ARGS__)
LACK(C_GetOperationState, H, OUT(state))
LACK(C_SetOperationState, H, IN(state), O encryption, O authentication)
LACK(C_GetObjectSize, H, O object, CK_ULONG *size)
LACK(C_EncryptInit, H, M, O key)
LACK(C_Encrypt, H, IN(data), OUT(out))
LACK(C_EncryptUpdate, H, IN(data), OUT(out))
LACK(C_EncryptFinal, H, OUT(out))
LACK(C_DecryptUpdate, H, IN(data), OUT(out))
LACK(C_DecryptFinal, H, OUT(out))
LACK(C_DigestInit, H, M)
LACK(C_Digest, H, IN(data), OUT(out))
LACK(C_DigestUpdate, H, IN(data))
LACK(C_DigestKey, H, O key)
LACK(C_DigestFinal, H, OUT(out))
LACK(C_SignRecoverInit, H, M, O key)
LACK(C_SignRecover, H, IN(data), OUT(out))
LACK(C_VerifyInit, H, M, O key)
LACK(C_Verify, H, IN(data), IN(signature))
LACK(C_VerifyUpdate, H, IN(data))
LACK(C_VerifyFinal, H, IN(signature))
LACK(C_VerifyRecoverInit, H, M, O key)
LACK(C_VerifyRecover, H, IN(signature), OUT(out))
LACK(C_DigestEncryptUpdate, H, IN(data), OUT(out))
LACK(C_DecryptDigestUpdate, H, IN(data), OUT(out))
LACK(C_SignEncryptUpdate, H, IN(data), OUT(out))
LACK(C_DecryptVerifyUpdate, H, IN(data), OUT(out))
LACK(C_WrapKey, H, M, O with, O key, OUT(out))

REFUSE(C_SeedRandom, CKR_RANDOM_NO_RNG, H, IN(seed))
REFUSE(C_GenerateRandom, CKR_RANDOM_NO_RNG, H, IN(out))
REFUSE(C_GetFunctionStatus, CKR_FUNCTION_NOT_PARALLEL, H)
REFUSE(C_CancelFunction, CKR_FUNCTION_NOT_PARALLEL, H)
REFUSE(C_WaitForSlotEvent, flags & CKF_DONT_BLOCK ? CKR_NO_EVENT : CKR_FUNCTION_NOT_SUPPORTED,
       CK_FLAGS flags, CK_SLOT_ID *slot, void *reserved)
