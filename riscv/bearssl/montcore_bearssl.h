/* SPDX-License-Identifier: Apache-2.0
 *
 * montcore's library as BearSSL's engines: no line of BearSSL changes. What takes a table or a function
 * takes these, as in
 *
 *     br_ssl_engine_set_ec(&sc.eng, &montcore_ec);
 *     br_ssl_engine_set_ecdsa(&sc.eng, montcore_ecdsa_vrfy_asn1);
 *     br_ssl_server_set_single_ec(&sc, chain, len, &key, usage, type, &montcore_ec, montcore_ecdsa_sign_asn1);
 */
#ifndef MONTCORE_BEARSSL_H
#define MONTCORE_BEARSSL_H

#include "bearssl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P-256, P-384, secp256k1 and Curve25519; P-521 is left to BearSSL's own. muladd takes a time that tells of
 * its numbers, as they are public wherever BearSSL uses it; everything else takes a constant time. */
extern const br_ec_impl montcore_ec;

/* ECDSA over P-256, P-384 and secp256k1 with nonces of RFC 6979, as br_ecdsa_i31_sign_raw and so on; `impl`
 * is for P-521 alone. A signature is verified before it is released, which takes more time than to make it;
 * with -DMONTCORE_BEARSSL_UNVERIFIED it is not, as by BearSSL's own. */
size_t montcore_ecdsa_sign_raw(const br_ec_impl *impl, const br_hash_class *hf,
                               const void *hash_value, const br_ec_private_key *sk, void *sig);
size_t montcore_ecdsa_sign_asn1(const br_ec_impl *impl, const br_hash_class *hf,
                                const void *hash_value, const br_ec_private_key *sk, void *sig);
uint32_t montcore_ecdsa_vrfy_raw(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                 const br_ec_public_key *pk, const void *sig, size_t sig_len);
uint32_t montcore_ecdsa_vrfy_asn1(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                  const br_ec_public_key *pk, const void *sig, size_t sig_len);

/* Bits of the longest RSA modulus; the stack of an operation grows by it, to 13 KB for 4096 bits. */
#if !defined(MONTCORE_BEARSSL_RSA_BITS)
#define MONTCORE_BEARSSL_RSA_BITS 4096
#endif

/* RSA, as br_rsa_i31_public and so on. A private operation is blinded by a number that follows from the key
 * and from x, as BearSSL hands over no source of random numbers, and its result is checked before it is
 * released. Keys that the library does not take are left to BearSSL's own: moduli below 1024 bits, factors
 * that have not half of its bits each, public exponents that it does not find (65537, 3, 5, 17 and 257, others
 * below 2^32 if both factors are 3 modulo 4). */
uint32_t montcore_rsa_public(unsigned char *x, size_t xlen, const br_rsa_public_key *pk);
uint32_t montcore_rsa_private(unsigned char *x, const br_rsa_private_key *sk);
uint32_t montcore_rsa_pkcs1_sign(const unsigned char *hash_oid, const unsigned char *hash,
                                 size_t hash_len, const br_rsa_private_key *sk, unsigned char *x);
uint32_t montcore_rsa_pkcs1_vrfy(const unsigned char *x, size_t xlen,
                                 const unsigned char *hash_oid, size_t hash_len,
                                 const br_rsa_public_key *pk, unsigned char *hash_out);

#ifdef __cplusplus
}
#endif

#endif
