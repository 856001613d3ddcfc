/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the OpenSSL provider share. README.md describes it for its users.
 */
#ifndef MONTCORE_PROVIDER_H
#define MONTCORE_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/evp.h>
#include <openssl/proverr.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <sys/types.h>

#include "montcore_ecc.h"
#include "montcore_pka_socket.h"
#include "montcore_rsa.h"

/* Limbs and the library's numbers are exchanged as bytes, the lowest first. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "this provider is for little-endian machines"
#endif

/* What is not an operation of the accelerator is left to the other providers. */
#define MONTCORE_OTHERS "provider!=montcore"
#define MONTCORE_PROPERTIES "provider=montcore"

typedef struct {
  const OSSL_CORE_HANDLE *handle;
  OSSL_LIB_CTX *library; /* sees what the application's sees */
  char *socket;
  montcore_pka_socket_server server; /* whose server is trusted */
  unsigned limit_ms; /* for one operation, with the wait for the accelerator */
  int hold_generated; /* whether keys that are generated are held, and used by the accelerator */
  int software;      /* whether keys that the accelerator is too small for are used without it */
} montcore_provider;

/* Where a private part is. */
typedef enum {
  MONTCORE_NOT_HELD = 0, /* there is none, or in `visible` */
  MONTCORE_IN_FILE,      /* here, read from a file */
  MONTCORE_LOCKED        /* locked in the accelerator */
} montcore_held;

/* Numbers of an RSA key: n, e, p, q, dp, dq, qinv; of an EC key one. */
#define MONTCORE_NUMBERS_BYTES (7u * MONTCORE_PKA_MAX_LIMBS * sizeof(uint32_t))

/* MONTCORE_PSS: an RSA key that may be for one digest and a shortest salt only. */
typedef enum { MONTCORE_RSA = 0, MONTCORE_PSS, MONTCORE_EC } montcore_kind;

typedef struct montcore_key {
  montcore_provider *provider;
  struct montcore_key *next, **place; /* in the list of all */
  int references;
  montcore_kind kind;
  char *path; /* of the file that it was read from, or null */
  montcore_held held; /* then nothing of the private part leaves this provider */
  int whole;          /* `visible` is a pair that was generated for this program, not held */
  EVP_PKEY *visible;  /* the public part, a pair or parameters */
  EVP_PKEY *software; /* the private part, if it may be used without the accelerator */
  uint32_t *numbers;  /* of a key that is held */
  /* An RSA key that is held. */
  RSA *rsa_public; /* for paddings */
  montcore_rsa_key rsa_key;
  montcore_pka pka;
  montcore_rsa rsa;
  pid_t begun; /* the process that drew the blinding factors of `rsa` */
  const montcore_ecc_curve *curve; /* of an EC key that is held */
  pthread_mutex_t lock;
} montcore_key;

/* What is said of a key whose numbers do not belong together, and of one on another curve. */
#define MONTCORE_INCONSISTENT "%s is damaged: its numbers are inconsistent"
#define MONTCORE_NO_CURVE "%s has the curve %s, which is not supported"
/* Puts an error in OpenSSL's queue and returns 0. */
int montcore_complain(int reason, const char *format, ...);
/* Takes these settings, where they are null those of the environment. Returns 1, or 0. */
int montcore_configure(montcore_provider *provider, const char *socket, const char *server,
                       const char *limit, const char *unsupported, const char *generated);

/* The driver's curves that keys may have; the last entry has a null curve. */
typedef struct {
  unsigned group; /* number in TLS (IANA) */
  int nid;        /* number in OpenSSL */
  const montcore_ecc_curve *curve;
} montcore_known_curve;
extern const montcore_known_curve montcore_known_curves[];

/* OpenSSL's name for it. */
const char *montcore_kind_name(montcore_kind kind);
/* Finds the kind of another provider's key. Returns 1; 0 if it is none of these. */
int montcore_kind_of(const EVP_PKEY *key, montcore_kind *kind);
/* A context of another provider, whatever engine the application prefers; null if there is none. */
EVP_PKEY_CTX *montcore_other_context(const montcore_provider *provider, montcore_kind kind);

/* An EVP_PKEY of another provider with these numbers, or null. */
EVP_PKEY *montcore_elsewhere(const montcore_provider *provider, montcore_kind kind, int selection,
                             const OSSL_PARAM params[]);

montcore_key *montcore_key_new(montcore_provider *provider, montcore_kind kind);
/* Takes one more reference to a key, which montcore_key_free gives back. Returns the key; null for null. */
montcore_key *montcore_key_share(montcore_key *key);
void montcore_key_free(void *key);
/* Takes a key's numbers; a private part becomes a held one. Returns 1, or 0. */
int montcore_key_import(void *key, int selection, const OSSL_PARAM params[]);
/* Copies one number of a key to its place; tells its length in bits, 0 if it is missing or too long. */
unsigned montcore_take_number(const OSSL_PARAM params[], const char *name, uint32_t *place);
/* Holds the numbers of an RSA key in two primes, if they belong to each other. Returns 1, or 0. */
int montcore_hold_rsa(montcore_key *key, const OSSL_PARAM params[]);
/* Holds a pair of another provider, RSA or EC, which is freed; `path` is its file, or null. Returns a key, or
 * null. */
montcore_key *montcore_key_hold(montcore_provider *provider, EVP_PKEY *pair, const char *path);
/* What errors call a key. */
const char *montcore_key_name(const montcore_key *key);
/* Reads a private key from a file, PEM or DER, and holds it; `callback` is asked for a passphrase, if it
 * is not null. The last error in the queue says why there is none. */
montcore_key *montcore_key_read(montcore_provider *provider, const char *path,
                                OSSL_PASSPHRASE_CALLBACK *callback, void *argument);
/* Makes a key of that which the server has locked. */
montcore_key *montcore_key_locked(montcore_provider *provider);

/* PKCS #1 v1.5's padding of a digest's DigestInfo; of the message as it is if `digest` is null. */
int montcore_pad_pkcs1(uint8_t *block, int bytes, const EVP_MD *digest, const uint8_t *message,
                       size_t count);

/* z = x^d mod n, of as many bytes as n has, the highest first. Returns 1; 0 with an error in the queue;
 * -1 if the key has to be used without the accelerator. */
int montcore_device_rsa(montcore_key *key, const uint8_t *x, uint8_t *z);
/* An ECDSA signature of a digest, in DER; *size is the room for it before. As montcore_device_rsa. */
int montcore_device_ecdsa(montcore_key *key, const uint8_t *digest, size_t count, uint8_t *signature,
                          size_t *size);
/* Asks the accelerator for the longest RSA keys and curves that it is built for, in bits; 0: none. Returns 1, or
 * 0. */
int montcore_device_widths(const montcore_provider *provider, unsigned *rsa, unsigned *curves);
/* Asks the server for a locked key: its public part, RSA or EC, for the caller to free, or null. */
EVP_PKEY *montcore_device_locked_key(montcore_provider *provider);

/* Bytes of the longest number. */
#define MONTCORE_MAX_BYTES ((MONTCORE_PKA_MAX_BITS + 7u) / 8u)
/* Room for the name of a digest. */
#define MONTCORE_NAME 64

/* The context in which OpenSSL signs, verifies, encrypts or decrypts. It calls free, dup, set and get by
 * its tables of functions; set and get return 1, or 0. */
typedef struct {
  montcore_provider *provider;
  montcore_key *key;
  char *properties;   /* by which digests are fetched, or null */
  EVP_PKEY_CTX *twin; /* of another provider, with the public key; it checks and keeps the settings */
  EVP_MD_CTX *digest; /* of a message that is signed or verified */
  int signs;          /* 1 if it signs */
} montcore_operation;
/* Returns null if there is no memory. */
montcore_operation *montcore_operation_new(montcore_provider *provider, const char *properties);
void montcore_operation_free(void *operation);
void *montcore_operation_dup(void *operation);
int montcore_operation_set(void *operation, const OSSL_PARAM params[]);
int montcore_operation_get(void *operation, OSSL_PARAM params[]);
/* Takes a key, or if it is null keeps the one it has, and makes the twin anew. Returns the key, or null. */
montcore_key *montcore_operation_begin(montcore_operation *operation, montcore_key *key);
/* Writes the name of the digest that the twin has as its parameter `what`, and returns it; null, and an
 * empty name, if it has none. */
const char *montcore_operation_name(montcore_operation *operation, const char *what, char *name);
/* The digest itself, for the caller to free, or null; `name` is then empty, or that of an unknown digest. */
EVP_MD *montcore_operation_digest(montcore_operation *operation, const char *what, char *name);

extern const OSSL_DISPATCH montcore_rsa_keymgmt[], montcore_pss_keymgmt[], montcore_ec_keymgmt[];
extern const OSSL_DISPATCH montcore_signature[], montcore_asym_cipher[], montcore_store[];

#endif
