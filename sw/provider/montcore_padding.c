/* SPDX-License-Identifier: Apache-2.0
 *
 * The block of PKCS #1, 9.2: type 1 padding around a DigestInfo.
 */
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include "montcore_provider.h"

int montcore_pad_pkcs1(uint8_t *block, int bytes, const EVP_MD *digest, const uint8_t *message,
                       size_t count) {
  X509_SIG *info = NULL;
  X509_ALGOR *algorithm = NULL;
  ASN1_OCTET_STRING *value = NULL;
  unsigned char *der = NULL;
  int size, done = 0;
  if (!digest || EVP_MD_get_type(digest) == NID_md5_sha1) {
    return RSA_padding_add_PKCS1_type_1(block, bytes, message, (int)count) > 0;
  }
  info = X509_SIG_new();
  if (!info) return 0;
  X509_SIG_getm(info, &algorithm, &value);
  if (X509_ALGOR_set0(algorithm, OBJ_nid2obj(EVP_MD_get_type(digest)), V_ASN1_NULL, NULL) &&
      ASN1_OCTET_STRING_set(value, message, (int)count) && (size = i2d_X509_SIG(info, &der)) > 0) {
    done = RSA_padding_add_PKCS1_type_1(block, bytes, der, size) > 0;
  }
  OPENSSL_free(der);
  X509_SIG_free(info);
  return done;
}
