/* SPDX-License-Identifier: Apache-2.0
 *
 * Private keys in files: read, and held from then on. What reads them clears what it read: the decoders of
 * providers leave copies in freed memory, OpenSSL's functions from before providers do not.
 */
#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include "montcore_provider.h"

#define MAX_FILE 65536

/* What a key is read with; `empty` has no decoders, and so no keys of other kinds: `other` names one. */
typedef struct {
  const char *other;
  OSSL_LIB_CTX *library, *empty;
  OSSL_PASSPHRASE_CALLBACK *callback;
  void *argument;
} reader;

static int ask(char *buffer, int room, int writing, void *argument) {
  const reader *by = argument;
  size_t count = 0;
  (void)writing;
  if (!by->callback || !by->callback(buffer, (size_t)room, &count, NULL, by->argument)) return -1;
  return (int)count;
}

/* The key in an encrypted one, or null. */
static PKCS8_PRIV_KEY_INFO *decrypt(reader *by, const X509_SIG *encrypted) {
  char secret[1024];
  const int count = ask(secret, sizeof secret, 0, by);
  PKCS8_PRIV_KEY_INFO *key =
      count < 0 ? NULL : PKCS8_decrypt_ex(encrypted, secret, count, by->library, MONTCORE_OTHERS);
  OPENSSL_cleanse(secret, sizeof secret);
  return key;
}

/* The key in DER: PKCS #8, encrypted or not, PKCS #1 or SEC 1. */
static EVP_PKEY *open_der(reader *by, const uint8_t *der, size_t count) {
  const unsigned char *at = der;
  X509_SIG *encrypted = d2i_X509_SIG(NULL, &at, (long)count);
  PKCS8_PRIV_KEY_INFO *plain;
  const ASN1_OBJECT *kind = NULL;
  EVP_PKEY *key = NULL;
  at = der;
  plain = encrypted ? decrypt(by, encrypted) : d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)count);
  at = der;
  if (plain) key = EVP_PKCS82PKEY_ex(plain, by->empty, NULL);
  if (plain && !key && PKCS8_pkey_get0(&kind, NULL, NULL, NULL, plain)) {
    const int named = OBJ_obj2nid(kind);
    const int ours = named == NID_rsaEncryption || named == NID_rsassaPss || named == NID_X9_62_id_ecPublicKey;
    by->other = ours ? NULL : OBJ_nid2sn(named);
  }
  if (!plain && !encrypted) key = d2i_AutoPrivateKey_ex(NULL, &at, (long)count, by->empty, NULL);
  PKCS8_PRIV_KEY_INFO_free(plain);
  X509_SIG_free(encrypted);
  return key;
}

/* The key in what a file has: PEM or DER. */
static EVP_PKEY *open_bytes(reader *by, const uint8_t *bytes, size_t count) {
  BIO *text = BIO_new_mem_buf(bytes, (int)count);
  unsigned char *der = NULL;
  long length = 0;
  EVP_PKEY *key = NULL;
  ERR_set_mark();
  if (text && PEM_bytes_read_bio_secmem(&der, &length, NULL, PEM_STRING_EVP_PKEY, text, ask, by)) {
    key = open_der(by, der, (size_t)length);
    OPENSSL_secure_clear_free(der, (size_t)length);
  } else if (ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE) {
    key = open_der(by, bytes, count);
  }
  if (key) ERR_pop_to_mark();
  else ERR_clear_last_mark();
  BIO_free(text);
  return key;
}

static EVP_PKEY *read_file(reader *by, const char *path) {
  struct stat status;
  uint8_t *bytes = NULL;
  EVP_PKEY *key = NULL;
  ssize_t more = 1;
  size_t count = 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return NULL;
  if (!fstat(file, &status) && S_ISREG(status.st_mode) && status.st_size <= MAX_FILE) {
    bytes = OPENSSL_malloc(MAX_FILE);
  }
  while (bytes && count < MAX_FILE && more > 0) {
    more = read(file, bytes + count, MAX_FILE - count);
    if (more > 0) count += (size_t)more;
  }
  (void)close(file);
  if (bytes && more >= 0) key = open_bytes(by, bytes, count);
  OPENSSL_clear_free(bytes, MAX_FILE);
  return key;
}

montcore_key *montcore_key_read(montcore_provider *provider, const char *path,
                                OSSL_PASSPHRASE_CALLBACK *callback, void *argument) {
  reader by = {NULL, provider->library, OSSL_LIB_CTX_new(), callback, argument};
  OSSL_PROVIDER *none = by.empty ? OSSL_PROVIDER_load(by.empty, "null") : NULL;
  EVP_PKEY *read = none ? read_file(&by, path) : NULL;
  montcore_key *key = NULL;
  montcore_kind kind;
  if (read && !montcore_kind_of(read, &kind)) {
    by.other = EVP_PKEY_get0_type_name(read);
    EVP_PKEY_free(read);
  } else if (read) {
    key = montcore_key_hold(provider, read);
  }
  if (by.other) {
    (void)montcore_complain(PROV_R_NOT_SUPPORTED, "%s has a key of another kind, %s", path, by.other);
  }
  OSSL_PROVIDER_unload(none);
  OSSL_LIB_CTX_free(by.empty);
  return key;
}
