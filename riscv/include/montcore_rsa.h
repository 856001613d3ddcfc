/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole operations of RSA for RV32IM(C), freestanding, for moduli of 1024 to 4096 bits: the public and the
 * private operation, and signatures of RFC 8017 (PKCS#1 v1.5 and PSS). Numbers are bytes as in the
 * standards, the most significant first.
 *
 * No routine allocates: the caller gives a work area, and the stack stays below 1.3 KB. The time of a
 * private operation depends on the public key and on the lengths of the private one alone; that of the
 * others on what is public. The work area is zero on return, and the stack below the caller was cleared
 * of what was secret.
 */
#ifndef MONTCORE_RSA_H
#define MONTCORE_RSA_H

#include "montcore_operations.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MC_RSA_LEAST_BITS 1024u
#define MC_RSA_MOST_BITS 4096u

/* A public key. Leading zeros are skipped. e is odd, at least 3 and at most 256 bits long, as FIPS 186
 * has it. */
typedef struct mc_rsa_key {
    mc_bytes n, e;
} mc_rsa_key;

/* A private key as in RFC 8017: dp = e^-1 mod (p - 1), dq = e^-1 mod (q - 1), qinv = q^-1 mod p. p and q
 * have half of n's bits each (of an odd number the larger half), as FIPS 186 has it. */
typedef struct mc_rsa_private_key {
    mc_rsa_key key;
    mc_bytes p, q, dp, dq, qinv;
} mc_rsa_private_key;

/* Words that an operation works in; they need not be set. MC_BAD_WORK where there are fewer than the
 * modulus of the key takes, which the macros tell for its bits. */
typedef struct mc_rsa_work {
    uint32_t *words;
    size_t count;
} mc_rsa_work;

#define MC_RSA_LIMBS(bits) (((size_t)(bits) + 63u) / 64u)
#define MC_RSA_PUBLIC_WORDS(bits) (48u + 16u * MC_RSA_LIMBS(bits))
#define MC_RSA_PRIVATE_WORDS(bits) \
    (48u + 10u * MC_RSA_LIMBS(bits) + 80u * ((MC_RSA_LIMBS(bits) + 1u) / 2u))

/* Bytes of n, and so of every input, result and signature: after an error, too, so many become zero. */
size_t mc_rsa_size(const mc_rsa_key *key);

/* What all of them return beside MC_OK:
 *   MC_BAD_LENGTH    n has fewer than 1024 bits or more than 4096, an input has not as many bytes as n, or
 *                    hash and salt are too long for n
 *   MC_BAD_MODULUS   n is even
 *   MC_BAD_KEY       e is not what it must be
 *   MC_BAD_WORK      the work area is too small
 *   MC_OUT_OF_RANGE  an input is not below n
 * With anything but MC_OK the result is zero. */

/* result = s^e mod n. result may be s. */
int mc_rsa_public(uint8_t *result, const uint8_t *s, size_t bytes, const mc_rsa_key *key,
                  const mc_rsa_work *work);

/* result = c^d mod n, by the parts of the private key. result may be c. It is blinded with 16 bytes from
 * `random` (MC_BAD_RANDOM if that fails), and released only if result^e mod n is c (MC_FAULT): else one
 * that a fault made wrong could give the key away. */
int mc_rsa_private(uint8_t *result, const uint8_t *c, size_t bytes, const mc_rsa_private_key *key,
                   mc_random random, void *context, const mc_rsa_work *work);

/* Signatures of PKCS#1 v1.5 of a hash, which has as many bytes as its function gives. */
enum mc_rsa_hash { MC_SHA256, MC_SHA384, MC_SHA512 };

/* The hash may lie where the signature goes. */
int mc_rsa_pkcs1_sign(uint8_t *signature, const uint8_t *hash, enum mc_rsa_hash function,
                      const mc_rsa_private_key *key, mc_random random, void *context,
                      const mc_rsa_work *work);

/* MC_BAD_SIGNATURE if it is not valid, also for another length or a signature that is not below n. */
int mc_rsa_pkcs1_verify(const uint8_t *signature, size_t bytes, const uint8_t *hash,
                        enum mc_rsa_hash function, const mc_rsa_key *key, const mc_rsa_work *work);

#define MC_RSA_MOST_HASH 64u

/* PSS with one hash function for the message, for H and for MGF1. The digest has at most
 * MC_RSA_MOST_HASH bytes. A verification takes salts of this length alone. */
typedef struct mc_rsa_pss {
    mc_hash hash;
    void *context;
    size_t hash_bytes, salt_bytes;
} mc_rsa_pss;

/* The same with PSS; MC_BAD_HASH if the hash function failed. The salt comes from `random`, before the 16
 * bytes for the blinding. */
int mc_rsa_pss_sign(uint8_t *signature, const uint8_t *hash, const mc_rsa_pss *pss,
                    const mc_rsa_private_key *key, mc_random random, void *context,
                    const mc_rsa_work *work);
int mc_rsa_pss_verify(const uint8_t *signature, size_t bytes, const uint8_t *hash,
                      const mc_rsa_pss *pss, const mc_rsa_key *key, const mc_rsa_work *work);

#ifdef __cplusplus
}
#endif

#endif
