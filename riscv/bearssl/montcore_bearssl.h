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

/* P-256, P-384, secp256k1 and Curve25519; P-521 is left to BearSSL's own. muladd takes a time that tells of its numbers, as they are public
 * wherever BearSSL uses it; everything else takes a constant time. */
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

#ifdef __cplusplus
}
#endif

#endif
