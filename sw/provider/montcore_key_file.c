/* SPDX-License-Identifier: Apache-2.0
 *
 * Private keys in files: read, and held from then on. What reads them clears what it read: the decoders of
 * providers leave copies in freed memory. So do OpenSSL's older readers of PEM, of SEC 1, and of what may be of
 * any kind; those of PKCS #1, and of PKCS #8 with an RSA key, do not.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "montcore_provider.h"

#define MAX_FILE 65536
#define DAMAGED "has no key that can be read: it is damaged, or of another form"

/* What a key is read with, and why there is none, perhaps with an error of the system. `empty` has no decoders,
 * and so no keys of other kinds: `other` names one. */
typedef struct {
  const char *other, *why;
  int error;
  OSSL_LIB_CTX *library, *empty;
  OSSL_PASSPHRASE_CALLBACK *callback;
  void *argument;
} reader;

static int ask(char *buffer, int room, int writing, void *argument) {
  reader *by = argument;
  size_t count = 0;
  (void)writing;
  by->why = "is encrypted, and no passphrase was given";
  if (!by->callback || !by->callback(buffer, (size_t)room, &count, NULL, by->argument)) return -1;
  by->why = "cannot be decrypted with this passphrase";
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

/* Part of a file. */
typedef struct {
  const unsigned char *at;
  long count;
} span;

/* Takes an element out of `from`; its content, or null if the next element is of another kind. */
static span take(span *from, int class, int kind) {
  span found = {from->at, 0}, none = {NULL, 0};
  int its_kind, its_class;
  if (from->count <= 0) return none;
  if (ASN1_get_object(&found.at, &found.count, &its_kind, &its_class, from->count) & 0x81) return none;
  if (its_class != class || its_kind != kind) return none;
  from->count -= found.at - from->at + found.count;
  from->at = found.at + found.count;
  return found;
}
static span take_universal(span *from, int kind) { return take(from, V_ASN1_UNIVERSAL, kind); }

/* The public point of a private number. */
static int set_point(EC_KEY *key) {
  const EC_GROUP *group = EC_KEY_get0_group(key);
  EC_POINT *point = EC_POINT_new(group);
  const int done = point && EC_POINT_mul(group, point, EC_KEY_get0_private_key(key), NULL, NULL, NULL) &&
                   EC_KEY_set_public_key(key, point);
  EC_POINT_free(point);
  return done;
}

/* The key in SEC 1: 1, the number, the curve if it is not `curve`, and the point or nothing. */
static EVP_PKEY *open_ec(span der, span curve) {
  span all = take_universal(&der, V_ASN1_SEQUENCE), version = take_universal(&all, V_ASN1_INTEGER);
  const span number = take_universal(&all, V_ASN1_OCTET_STRING);
  const span own = take(&all, V_ASN1_CONTEXT_SPECIFIC, 0);
  span tagged = take(&all, V_ASN1_CONTEXT_SPECIFIC, 1);
  const span point = take_universal(&tagged, V_ASN1_BIT_STRING);
  EC_KEY *ec = NULL;
  EVP_PKEY *key = NULL;
  if (own.at) curve = own;
  if (number.at && version.count == 1 && *version.at == 1 && curve.at) {
    ec = d2i_ECParameters(NULL, &curve.at, curve.count);
  }
  if (ec && EC_KEY_oct2priv(ec, number.at, (size_t)number.count) &&
      (point.count > 1 ? EC_KEY_oct2key(ec, point.at + 1, (size_t)point.count - 1, NULL) : set_point(ec)) &&
      (key = EVP_PKEY_new()) != NULL && EVP_PKEY_assign_EC_KEY(key, ec)) {
    return key;
  }
  EC_KEY_free(ec);
  EVP_PKEY_free(key);
  return NULL;
}

/* The key in PKCS #8. */
static EVP_PKEY *open_pkcs8(reader *by, const PKCS8_PRIV_KEY_INFO *plain) {
  const ASN1_OBJECT *kind = NULL;
  const X509_ALGOR *algorithm = NULL;
  span inner = {NULL, 0}, curve;
  unsigned char *parameter = NULL;
  EVP_PKEY *key = NULL;
  int length = 0, named;
  if (!PKCS8_pkey_get0(&kind, &inner.at, &length, &algorithm, plain)) return NULL;
  named = OBJ_obj2nid(kind);
  inner.count = length;
  if (named == NID_X9_62_id_ecPublicKey) {
    curve.count = i2d_ASN1_TYPE(algorithm->parameter, &parameter);
    curve.at = parameter;
    key = open_ec(inner, curve);
    OPENSSL_free(parameter);
  } else if (named == NID_rsaEncryption || named == NID_rsassaPss) {
    key = EVP_PKCS82PKEY_ex(plain, by->empty, NULL);
  } else {
    by->other = OBJ_nid2sn(named);
  }
  return key;
}

/* The key in DER: PKCS #8, encrypted or not, PKCS #1 or SEC 1. */
static EVP_PKEY *open_der(reader *by, const uint8_t *der, size_t count) {
  const span all = {der, (long)count}, none = {NULL, 0};
  const unsigned char *at = der;
  X509_SIG *encrypted = d2i_X509_SIG(NULL, &at, (long)count);
  PKCS8_PRIV_KEY_INFO *plain;
  EVP_PKEY *key = NULL;
  at = der;
  plain = encrypted ? decrypt(by, encrypted) : d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)count);
  at = der;
  if (plain) key = open_pkcs8(by, plain);
  else if (!encrypted) key = open_ec(all, none);
  if (!plain && !encrypted && !key) {
    key = d2i_PrivateKey_ex(EVP_PKEY_RSA, NULL, &at, (long)count, by->empty, NULL);
  }
  PKCS8_PRIV_KEY_INFO_free(plain);
  X509_SIG_free(encrypted);
  return key;
}

/* Whether this is a public key in DER: an algorithm and a string of bits. */
static int is_public(span der) {
  span all = take_universal(&der, V_ASN1_SEQUENCE);
  return take_universal(&all, V_ASN1_SEQUENCE).at && take_universal(&all, V_ASN1_BIT_STRING).at;
}

/* Takes what is before a mark, and the mark, out of a text; 0 if there is none. */
static int take_to(span *text, const char *mark, span *before) {
  const long length = (long)strlen(mark);
  const unsigned char *found = memmem(text->at, (size_t)text->count, mark, (size_t)length);
  if (!found) return 0;
  before->at = text->at;
  before->count = found - text->at;
  text->count -= before->count + length;
  text->at = found + length;
  return 1;
}

/* Copies a text without some characters; returns how many are left. */
static long copy_without(const char *dropped, unsigned char *to, span text) {
  long i, count = 0;
  for (i = 0; i < text.count; i++) {
    if (!text.at[i] || !strchr(dropped, text.at[i])) to[count++] = text.at[i];
  }
  return count;
}

/* The key in what is between the lines of dashes of PEM: lines of base64, after a header if it is encrypted. */
static EVP_PKEY *open_block(reader *by, span body) {
  const size_t room = (size_t)body.count + 1u;
  char header[256] = "";
  unsigned char *text = OPENSSL_malloc(room), *der = OPENSSL_malloc(room);
  span rest = {text, 0}, head = {NULL, 0}, line;
  EVP_CIPHER_INFO cipher;
  EVP_PKEY *key = NULL;
  long count;
  if (text && der && take_to(&body, "\n", &line)) rest.count = copy_without(" \t\r", text, body);
  if (rest.count && memchr(text, ':', (size_t)rest.count) && take_to(&rest, "\n\n", &head) &&
      (size_t)head.count + 2 < sizeof header) {
    memcpy(header, head.at, (size_t)head.count);
    header[head.count] = '\n';
  }
  rest.count = copy_without("\n", text, rest);
  count = rest.count > 4 ? EVP_DecodeBlock(der, text, (int)rest.count) : -1;
  if (count > 0) count -= (text[rest.count - 1] == '=') + (text[rest.count - 2] == '=');
  if (count > 0 && PEM_get_EVP_CIPHER_INFO(header, &cipher) && PEM_do_header(&cipher, der, &count, ask, by)) {
    key = open_der(by, der, (size_t)count);
  }
  OPENSSL_clear_free(text, room);
  OPENSSL_clear_free(der, room);
  return key;
}

/* Whether a block of PEM has a name that ends so. */
static int ends(span name, const char *end) {
  const long length = (long)strlen(end);
  return name.count >= length && !memcmp(name.at + name.count - length, end, (size_t)length);
}

/* The key in what a file has: PEM or DER. */
static EVP_PKEY *open_bytes(reader *by, const uint8_t *bytes, size_t count) {
  span text = {bytes, (long)count}, skipped, name, body;
  int blocks = 0, found = 0, public = is_public(text);
  EVP_PKEY *key;
  while (!found && take_to(&text, "-----BEGIN ", &skipped) && take_to(&text, "-----", &name) &&
         take_to(&text, "-----END ", &body)) {
    blocks++;
    found = ends(name, "PRIVATE KEY");
    public |= ends(name, "PUBLIC KEY");
  }
  if (!found && (blocks || public)) by->why = public ? "has only a public key" : "has no private key";
  if (found && ends(name, "OPENSSH PRIVATE KEY")) by->why = "is for OpenSSH: ssh-keygen -p -m PKCS8 converts it";
  ERR_set_mark();
  key = found ? open_block(by, body) : blocks ? NULL : open_der(by, bytes, count);
  if (key) ERR_pop_to_mark();
  else ERR_clear_last_mark();
  return key;
}

static EVP_PKEY *read_file(reader *by, const char *path) {
  struct stat status;
  uint8_t *bytes = NULL;
  EVP_PKEY *key = NULL;
  ssize_t more = -1;
  size_t count = 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0 && !fstat(file, &status)) {
    more = 1;
    if (!S_ISREG(status.st_mode)) by->why = "is not a regular file";
    else if (status.st_size > MAX_FILE) by->why = "is too long for a key";
    else bytes = OPENSSL_malloc(MAX_FILE);
  }
  while (bytes && count < MAX_FILE && more > 0) {
    more = read(file, bytes + count, MAX_FILE - count);
    if (more > 0) count += (size_t)more;
  }
  if (!*path) by->why = "names no file";
  else if (more < 0) by->why = "cannot be read: ", by->error = errno;
  if (file >= 0) (void)close(file);
  if (bytes && more >= 0) key = open_bytes(by, bytes, count);
  OPENSSL_clear_free(bytes, MAX_FILE);
  return key;
}

montcore_key *montcore_key_read(montcore_provider *provider, const char *path,
                                OSSL_PASSPHRASE_CALLBACK *callback, void *argument) {
  reader by = {NULL, DAMAGED, 0, provider->library, OSSL_LIB_CTX_new(), callback, argument};
  OSSL_PROVIDER *none = by.empty ? OSSL_PROVIDER_load(by.empty, "null") : NULL;
  EVP_PKEY *read = none ? read_file(&by, path) : NULL;
  montcore_key *key = NULL;
  montcore_kind kind;
  char curve[64];
  if (read && !montcore_kind_of(read, &kind)) {
    if (EVP_PKEY_get_group_name(read, curve, sizeof curve, NULL)) {
      (void)montcore_complain(PROV_R_NOT_SUPPORTED, MONTCORE_NO_CURVE, path, curve);
    } else {
      by.other = EVP_PKEY_get0_type_name(read);
    }
    EVP_PKEY_free(read);
  } else if (read) {
    key = montcore_key_hold(provider, read, path);
  } else if (!by.other) {
    (void)montcore_complain(PROV_R_INVALID_KEY, "%s %s%s", *path ? path : "montcore:file=", by.why,
                            by.error ? strerror(by.error) : "");
  }
  if (by.other) {
    (void)montcore_complain(PROV_R_NOT_SUPPORTED, "%s has a key of another kind, %s", path, by.other);
  }
  OSSL_PROVIDER_unload(none);
  OSSL_LIB_CTX_free(by.empty);
  return key;
}
