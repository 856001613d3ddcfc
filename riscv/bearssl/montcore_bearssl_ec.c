/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "montcore_bearssl.h"
#include "montcore_curves.h"
#include "montcore_riscv.h"

enum { MOST = 48, LONGEST_DER = 2 * 66 + 9 /* of P-521 */ };

/* A curve with the bytes of its numbers, or none: Curve25519, and others, which are left to BearSSL. */
struct known {
    const mc_curve *curve;
    size_t size;
};

static struct known known(int curve)
{
    switch (curve) {
    case BR_EC_secp256r1:
        return (struct known){&mc_p256, MC_P256_BYTES};
    case BR_EC_secp384r1:
        return (struct known){&mc_p384, MC_P384_BYTES};
    case BR_EC_secp256k1:
        return (struct known){&mc_secp256k1, MC_SECP256K1_BYTES};
    default:
        return (struct known){0, 0};
    }
}

/* A number of any length in as many bytes as the curve has; whether it has no more than that. Leading
 * zeros are public, as lengths are. */
static int padded(unsigned char *to, const unsigned char *from, size_t len, size_t size)
{
    unsigned char above = 0;
    while (len > size) {
        above |= *from++;
        --len;
    }
    memset(to, 0, size - len);
    memcpy(to + size - len, from, len);
    return above == 0;
}

/* BearSSL has no secp256k1. */
static const unsigned char GENERATOR[] = {
    0x04, 0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95,
    0xce, 0x87, 0x0b, 0x07, 0x02, 0x9b, 0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59,
    0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98, 0x48, 0x3a, 0xda, 0x77, 0x26, 0xa3,
    0xc4, 0x65, 0x5d, 0xa4, 0xfb, 0xfc, 0x0e, 0x11, 0x08, 0xa8, 0xfd, 0x17, 0xb4,
    0x48, 0xa6, 0x85, 0x54, 0x19, 0x9c, 0x47, 0xd0, 0x8f, 0xfb, 0x10, 0xd4, 0xb8,
};
static const unsigned char ORDER[] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48,
    0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
};

/* Where BearSSL has a curve's numbers. */
static const br_ec_impl *tables(int curve)
{
    return curve == BR_EC_curve25519 ? &br_ec_c25519_i31 : &br_ec_prime_i31;
}

static const unsigned char *api_generator(int curve, size_t *len)
{
    if (curve == BR_EC_secp256k1) {
        *len = sizeof GENERATOR;
        return GENERATOR;
    }
    return tables(curve)->generator(curve, len);
}

static const unsigned char *api_order(int curve, size_t *len)
{
    if (curve == BR_EC_secp256k1) {
        *len = sizeof ORDER;
        return ORDER;
    }
    return tables(curve)->order(curve, len);
}

static size_t api_xoff(int curve, size_t *len)
{
    if (curve == BR_EC_secp256k1) {
        *len = sizeof ORDER;
        return 1;
    }
    return tables(curve)->xoff(curve, len);
}

/* Scalars of Curve25519 are least significant byte first, as u is. A result of zero is one, as for
 * BearSSL's own. */
static uint32_t mul_25519(unsigned char *G, const unsigned char *x, size_t xlen)
{
    unsigned char scalar[32] = {0};
    if (xlen > sizeof scalar) {
        return 0;
    }
    memcpy(scalar, x, xlen);
    mc_x25519(G, scalar, G);
    mc_wipe(scalar, sizeof scalar);
    return 1;
}

static uint32_t api_mul(unsigned char *G, size_t Glen, const unsigned char *x, size_t xlen,
                        int curve)
{
    struct known to = known(curve);
    unsigned char scalar[MOST];
    if (curve == BR_EC_curve25519) {
        return Glen == 32 ? mul_25519(G, x, xlen) : 0;
    }
    if (to.curve == 0) {
        return br_ec_prime_i31.mul(G, Glen, x, xlen, curve);
    }
    if (Glen != 1 + 2 * to.size || G[0] != 4) {
        return 0;
    }
    int good = padded(scalar, x, xlen, to.size) &&
               mc_multiply_point(G + 1, scalar, G + 1, to.curve) == MC_OK;
    mc_wipe(scalar, sizeof scalar);
    return (uint32_t)good;
}

static size_t api_mulgen(unsigned char *R, const unsigned char *x, size_t xlen, int curve)
{
    struct known to = known(curve);
    unsigned char scalar[MOST];
    if (curve == BR_EC_curve25519) {
        memset(R, 0, 32);
        R[0] = 9;
        return mul_25519(R, x, xlen) ? 32 : 0;
    }
    if (to.curve == 0) {
        return br_ec_prime_i31.mulgen(R, x, xlen, curve);
    }
    R[0] = 4;
    int good = padded(scalar, x, xlen, to.size) &&
               mc_public_key(R + 1, scalar, to.curve) == MC_OK;
    mc_wipe(scalar, sizeof scalar);
    return good ? 1 + 2 * to.size : 0;
}

static uint32_t api_muladd(unsigned char *A, const unsigned char *B, size_t len,
                           const unsigned char *x, size_t xlen, const unsigned char *y,
                           size_t ylen, int curve)
{
    struct known to = known(curve);
    unsigned char u[MOST], v[MOST];
    if (to.curve == 0) {
        return tables(curve)->muladd(A, B, len, x, xlen, y, ylen, curve);
    }
    if (len != 1 + 2 * to.size || A[0] != 4 || (B != 0 && B[0] != 4) ||
        !padded(u, x, xlen, to.size) || !padded(v, y, ylen, to.size)) {
        return 0;
    }
    return mc_multiply_two(A + 1, u, A + 1, v, B == 0 ? 0 : B + 1, to.curve) == MC_OK;
}

const br_ec_impl montcore_ec = {
    (uint32_t)1 << BR_EC_secp256r1 | (uint32_t)1 << BR_EC_secp384r1 |
        (uint32_t)1 << BR_EC_secp521r1 | (uint32_t)1 << BR_EC_secp256k1 | (uint32_t)1 << BR_EC_curve25519,
    &api_generator, &api_order, &api_xoff, &api_mul, &api_mulgen, &api_muladd,
};

/* ---- ECDSA ------------------------------------------------------------------------------------- */

static int draw(void *context, uint8_t *to, size_t bytes)
{
    br_hmac_drbg_generate(context, to, bytes);
    return 0;
}

/* The hash as RFC 6979 has it: as many bytes as the order, and below it. Its time may tell of the hash. */
static void seed_of(unsigned char *to, const unsigned char *hash, size_t len, struct known of,
                    int curve)
{
    size_t order_len;
    const unsigned char *order = api_order(curve, &order_len);
    padded(to, hash, len < of.size ? len : of.size, of.size);
    if (memcmp(to, order, of.size) >= 0) {
        int borrow = 0;
        for (size_t i = of.size; i-- > 0;) {
            int d = to[i] - order[i] - borrow;
            borrow = d < 0;
            to[i] = (unsigned char)d;
        }
    }
}

size_t montcore_ecdsa_sign_raw(const br_ec_impl *impl, const br_hash_class *hf,
                               const void *hash_value, const br_ec_private_key *sk, void *sig)
{
    struct known of = known(sk->curve);
    size_t len = (hf->desc >> BR_HASHDESC_OUT_OFF) & BR_HASHDESC_OUT_MASK;
    unsigned char seed[2 * MOST]; /* the key, then the hash */
    unsigned char public_key[2 * MOST];
    br_hmac_drbg_context drbg;
    int status = MC_BAD_KEY;
    if (of.curve == 0) {
        return br_ecdsa_i31_sign_raw(impl, hf, hash_value, sk, sig);
    }
    if (padded(seed, sk->x, sk->xlen, of.size)) {
        seed_of(seed + of.size, hash_value, len, of, sk->curve);
        br_hmac_drbg_init(&drbg, hf, seed, 2 * of.size);
#if defined(MONTCORE_BEARSSL_UNVERIFIED)
        (void)public_key;
        status = mc_ecdsa_sign_unverified(sig, hash_value, len, seed, draw, &drbg, of.curve);
#else
        status = mc_public_key(public_key, seed, of.curve);
        if (status == MC_OK) {
            status = mc_ecdsa_sign(sig, hash_value, len, seed, public_key, draw, &drbg, of.curve);
        }
#endif
        mc_wipe(&drbg, sizeof drbg);
    }
    mc_wipe(seed, sizeof seed);
    return status == MC_OK ? 2 * of.size : 0;
}

size_t montcore_ecdsa_sign_asn1(const br_ec_impl *impl, const br_hash_class *hf,
                                const void *hash_value, const br_ec_private_key *sk, void *sig)
{
    unsigned char made[LONGEST_DER];
    size_t len = montcore_ecdsa_sign_raw(impl, hf, hash_value, sk, made);
    if (len > 0) {
        len = br_ecdsa_raw_to_asn1(made, len);
        memcpy(sig, made, len);
    }
    return len;
}

uint32_t montcore_ecdsa_vrfy_raw(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                 const br_ec_public_key *pk, const void *sig, size_t sig_len)
{
    struct known of = known(pk->curve);
    const unsigned char *halves = sig, *q = pk->q;
    unsigned char both[2 * MOST];
    if (of.curve == 0) {
        return br_ecdsa_i31_vrfy_raw(impl, hash, hash_len, pk, sig, sig_len);
    }
    if (pk->qlen != 1 + 2 * of.size || q[0] != 4 || (sig_len & 1) != 0 ||
        !padded(both, halves, sig_len / 2, of.size) ||
        !padded(both + of.size, halves + sig_len / 2, sig_len / 2, of.size)) {
        return 0;
    }
    return mc_ecdsa_verify(both, hash, hash_len, q + 1, of.curve) == MC_OK;
}

uint32_t montcore_ecdsa_vrfy_asn1(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                  const br_ec_public_key *pk, const void *sig, size_t sig_len)
{
    unsigned char raw[LONGEST_DER];
    if (sig_len > sizeof raw) {
        return 0;
    }
    memcpy(raw, sig, sig_len);
    sig_len = br_ecdsa_asn1_to_raw(raw, sig_len);
    return sig_len == 0 ? 0 : montcore_ecdsa_vrfy_raw(impl, hash, hash_len, pk, raw, sig_len);
}
