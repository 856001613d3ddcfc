/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "montcore_bearssl.h"
#include "montcore_riscv.h"
#include "montcore_rsa.h"

enum { BYTES = MONTCORE_BEARSSL_RSA_BITS / 8, FACTOR_WORDS = BYTES / 8 + 2 };

/* BearSSL's own, which its headers for users do not declare. */
uint32_t br_rsa_pkcs1_sig_pad(const unsigned char *hash_oid, const unsigned char *hash,
                              size_t hash_len, uint32_t n_bitlen, unsigned char *x);
uint32_t br_rsa_pkcs1_sig_unpad(const unsigned char *sig, size_t sig_len,
                                const unsigned char *hash_oid, size_t hash_len,
                                unsigned char *hash_out);

uint32_t montcore_rsa_public(unsigned char *x, size_t xlen, const br_rsa_public_key *pk)
{
    uint32_t words[MC_RSA_PUBLIC_WORDS(MONTCORE_BEARSSL_RSA_BITS)];
    mc_rsa_work work = {words, sizeof words / sizeof *words};
    mc_rsa_key key = {{pk->n, pk->nlen}, {pk->e, pk->elen}};
    /* A key comes from a certificate, and may have any length. */
    if (xlen < MC_RSA_LEAST_BITS / 8 || xlen > BYTES || mc_rsa_size(&key) != xlen) {
        return br_rsa_i31_public(x, xlen, pk);
    }
    return mc_rsa_public(x, x, xlen, &key, &work) == MC_OK;
}

static int draw(void *context, uint8_t *to, size_t bytes)
{
    br_hmac_drbg_generate(context, to, bytes);
    return 0;
}

static void load(uint32_t *to, const unsigned char *from, size_t len)
{
    memset(to, 0, 4 * FACTOR_WORDS);
    for (size_t i = 0; i < len && i < 4 * (FACTOR_WORDS - 2); ++i) {
        to[i >> 2] |= (uint32_t)from[len - 1 - i] << 8 * (i & 3);
    }
}

/* r = a - b 2^shift; the borrow */
static uint32_t take(uint32_t *r, const uint32_t *a, const uint32_t *b, unsigned shift)
{
    uint32_t above = 0, borrow = 0;
    for (int i = 0; i < FACTOR_WORDS; ++i) {
        uint64_t moved = ((uint64_t)b[i] << shift) + above;
        uint64_t left = (uint64_t)a[i] - (uint32_t)moved - borrow;
        above = (uint32_t)(moved >> 32);
        borrow = (uint32_t)(left >> 63);
        r[i] = (uint32_t)left;
    }
    return borrow;
}

/* Whether e dp = 1 modulo p - 1. e is public, dp and p are not: the same steps for all of them. */
static int is_exponent(uint32_t e, const br_rsa_private_key *sk)
{
    uint32_t left[FACTOR_WORDS], even[FACTOR_WORDS], less[FACTOR_WORDS], one[FACTOR_WORDS] = {1};
    load(left, sk->dp, sk->dplen);
    load(even, sk->p, sk->plen);
    even[0] -= 1; /* p is odd */
    uint32_t carry = 0, any = 0;
    for (int i = 0; i < FACTOR_WORDS; ++i) {
        uint64_t product = (uint64_t)left[i] * e + carry;
        left[i] = (uint32_t)product;
        carry = (uint32_t)(product >> 32);
    }
    take(left, left, one, 0);
    for (unsigned shift = 32; shift-- > 0;) { /* the rest of e dp - 1 divided by p - 1 */
        uint32_t mask = take(less, left, even, shift) - 1;
        for (int i = 0; i < FACTOR_WORDS; ++i) {
            left[i] ^= (left[i] ^ less[i]) & mask;
        }
    }
    for (int i = 0; i < FACTOR_WORDS; ++i) {
        any |= left[i];
    }
    mc_wipe(left, sizeof left);
    mc_wipe(even, sizeof even);
    mc_wipe(less, sizeof less);
    return any == 0;
}

/* The public exponent: BearSSL's key does not have it, and BearSSL's own way to it is for factors of the
 * form 4 k + 3 alone. One of those that are in use, or 0. */
static uint32_t exponent_of(const br_rsa_private_key *sk)
{
    static const uint32_t IN_USE[] = {65537, 3, 5, 17, 257};
    for (size_t i = 0; i < sizeof IN_USE / sizeof *IN_USE; ++i) {
        if (is_exponent(IN_USE[i], sk)) {
            return IN_USE[i];
        }
    }
    return br_rsa_i31_compute_pubexp(sk);
}

/* n = p q in its bytes. BearSSL's own has no room for the longest. */
static void modulus_of(unsigned char *n, size_t bytes, const br_rsa_private_key *sk)
{
    uint32_t p[FACTOR_WORDS], q[FACTOR_WORDS], product[2 * FACTOR_WORDS];
    load(p, sk->p, sk->plen);
    load(q, sk->q, sk->qlen);
    mc_mul_raw(product, p, q, FACTOR_WORDS / 2);
    for (size_t i = 0; i < bytes; ++i) {
        n[bytes - 1 - i] = (unsigned char)(product[i >> 2] >> 8 * (i & 3));
    }
    mc_wipe(p, sizeof p);
    mc_wipe(q, sizeof q);
}

/* The numbers that a private operation is blinded with: nobody without the key can tell them. */
static void seed(br_hmac_drbg_context *drbg, const unsigned char *x, size_t xlen,
                 const br_rsa_private_key *sk)
{
    br_hmac_drbg_init(drbg, &br_sha256_vtable, sk->p, sk->plen);
    br_hmac_drbg_update(drbg, sk->dq, sk->dqlen);
    br_hmac_drbg_update(drbg, x, xlen);
}

/* Bits of a number in bytes; a length is public. */
static size_t bits_of(const unsigned char *number, size_t len)
{
    while (len > 0 && *number == 0) {
        ++number;
        --len;
    }
    size_t bits = 8 * len;
    for (unsigned top = len > 0 ? *number : 0x80; top < 0x80; top <<= 1) {
        --bits;
    }
    return bits;
}

uint32_t montcore_rsa_private(unsigned char *x, const br_rsa_private_key *sk)
{
    size_t bytes = (sk->n_bitlen + 7) / 8, half = (sk->n_bitlen + 1) / 2;
    if (sk->n_bitlen < MC_RSA_LEAST_BITS || bytes > BYTES || bits_of(sk->p, sk->plen) != half ||
        bits_of(sk->q, sk->qlen) != half) {
        return br_rsa_i31_private(x, sk);
    }
    /* The check of the result needs the public key, which BearSSL's key does not have. */
    unsigned char n[BYTES], e[4];
    uint32_t exponent = exponent_of(sk);
    if (exponent == 0) {
        return br_rsa_i31_private(x, sk);
    }
    modulus_of(n, bytes, sk);
    for (int i = 0; i < 4; ++i) {
        e[i] = (unsigned char)(exponent >> (24 - 8 * i));
    }
    uint32_t words[MC_RSA_PRIVATE_WORDS(MONTCORE_BEARSSL_RSA_BITS)];
    mc_rsa_work work = {words, sizeof words / sizeof *words};
    mc_rsa_private_key key = {
        {{n, bytes}, {e, sizeof e}}, {sk->p, sk->plen},   {sk->q, sk->qlen},
        {sk->dp, sk->dplen},         {sk->dq, sk->dqlen}, {sk->iq, sk->iqlen},
    };
    br_hmac_drbg_context drbg;
    seed(&drbg, x, bytes, sk);
    int status = mc_rsa_private(x, x, bytes, &key, draw, &drbg, &work);
    mc_wipe(&drbg, sizeof drbg);
    return status == MC_OK;
}

uint32_t montcore_rsa_pkcs1_sign(const unsigned char *hash_oid, const unsigned char *hash,
                                 size_t hash_len, const br_rsa_private_key *sk, unsigned char *x)
{
    return br_rsa_pkcs1_sig_pad(hash_oid, hash, hash_len, sk->n_bitlen, x) &&
           montcore_rsa_private(x, sk);
}

uint32_t montcore_rsa_pkcs1_vrfy(const unsigned char *x, size_t xlen,
                                 const unsigned char *hash_oid, size_t hash_len,
                                 const br_rsa_public_key *pk, unsigned char *hash_out)
{
    unsigned char opened[BYTES];
    if (xlen > sizeof opened) {
        return 0;
    }
    memcpy(opened, x, xlen);
    return montcore_rsa_public(opened, xlen, pk) &&
           br_rsa_pkcs1_sig_unpad(opened, xlen, hash_oid, hash_len, hash_out);
}
