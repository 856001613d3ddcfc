/* SPDX-License-Identifier: Apache-2.0
 *
 * montcore's curves in mbedTLS 2.28 and 3.6, which this file replaces functions of where its configuration
 * says so:
 *
 *     #define MBEDTLS_ECDSA_SIGN_ALT
 *     #define MBEDTLS_ECDSA_VERIFY_ALT
 *     #define MBEDTLS_ECDH_GEN_PUBLIC_ALT
 *     #define MBEDTLS_ECDH_COMPUTE_SHARED_ALT
 *
 * P-256, P-384 and secp256k1; another curve is MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE. A signature is verified
 * before it is released; with -DMONTCORE_MBEDTLS_UNVERIFIED it is not, as by mbedTLS's own.
 */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#include "mbedtls/ecdh.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/platform_util.h"
#include "montcore_curves.h"
#include "montcore_riscv.h"

enum { MOST = 48 };

struct known {
    const mc_curve *curve;
    size_t size;
};

static struct known known(mbedtls_ecp_group_id id)
{
    switch (id) {
    case MBEDTLS_ECP_DP_SECP256R1:
        return (struct known){&mc_p256, MC_P256_BYTES};
    case MBEDTLS_ECP_DP_SECP384R1:
        return (struct known){&mc_p384, MC_P384_BYTES};
    case MBEDTLS_ECP_DP_SECP256K1:
        return (struct known){&mc_secp256k1, MC_SECP256K1_BYTES};
    default:
        return (struct known){0, 0};
    }
}

/* mbedTLS's word for a status. */
static int error_of(int status)
{
    switch (status) {
    case MC_OK:
        return 0;
    case MC_BAD_POINT:
    case MC_BAD_KEY:
        return MBEDTLS_ERR_ECP_INVALID_KEY;
    case MC_BAD_RANDOM:
        return MBEDTLS_ERR_ECP_RANDOM_FAILED;
    default:
        return MBEDTLS_ERR_ECP_VERIFY_FAILED;
    }
}

/* Both coordinates of a point with Z = 1. */
static int put_point(uint8_t *to, const mbedtls_ecp_point *Q, size_t size)
{
    if (mbedtls_mpi_cmp_int(&Q->Z, 1) != 0 || mbedtls_mpi_cmp_int(&Q->X, 0) < 0 ||
        mbedtls_mpi_cmp_int(&Q->Y, 0) < 0 || mbedtls_mpi_write_binary(&Q->X, to, size) != 0 ||
        mbedtls_mpi_write_binary(&Q->Y, to + size, size) != 0) {
        return MBEDTLS_ERR_ECP_INVALID_KEY;
    }
    return 0;
}

#if defined(MBEDTLS_ECDSA_SIGN_ALT) || defined(MBEDTLS_ECDSA_VERIFY_ALT)
int mbedtls_ecdsa_can_do(mbedtls_ecp_group_id gid)
{
    return known(gid).curve != 0;
}
#endif

#if defined(MBEDTLS_ECDSA_SIGN_ALT)
struct source {
    int (*f_rng)(void *, unsigned char *, size_t);
    void *p_rng;
    int ret; /* the error of f_rng, which is the caller's */
};

static int draw(void *context, uint8_t *to, size_t bytes)
{
    struct source *source = context;
    source->ret = source->f_rng(source->p_rng, to, bytes);
    return source->ret;
}

int mbedtls_ecdsa_sign(mbedtls_ecp_group *grp, mbedtls_mpi *r, mbedtls_mpi *s, const mbedtls_mpi *d,
                       const unsigned char *buf, size_t blen,
                       int (*f_rng)(void *, unsigned char *, size_t), void *p_rng)
{
    struct known of = known(grp->id);
    struct source source = {f_rng, p_rng, 0};
    uint8_t key[MOST], made[2 * MOST], public_key[2 * MOST];
    int ret = MBEDTLS_ERR_ECP_INVALID_KEY;
    if (of.curve == 0) {
        return MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE;
    }
    if (mbedtls_mpi_cmp_int(d, 0) > 0 && mbedtls_mpi_write_binary(d, key, of.size) == 0) {
#if defined(MONTCORE_MBEDTLS_UNVERIFIED)
        (void)public_key;
        ret = error_of(
            mc_ecdsa_sign_unverified(made, buf, blen, key, draw, &source, of.curve));
#else
        ret = error_of(mc_public_key(public_key, key, of.curve));
        if (ret == 0) {
            ret = error_of(
                mc_ecdsa_sign(made, buf, blen, key, public_key, draw, &source, of.curve));
        }
#endif
    }
    mbedtls_platform_zeroize(key, sizeof key);
    if (source.ret != 0) {
        return source.ret;
    }
    if (ret == 0) {
        ret = mbedtls_mpi_read_binary(r, made, of.size);
    }
    return ret != 0 ? ret : mbedtls_mpi_read_binary(s, made + of.size, of.size);
}
#endif

#if defined(MBEDTLS_ECDSA_VERIFY_ALT)
int mbedtls_ecdsa_verify(mbedtls_ecp_group *grp, const unsigned char *buf, size_t blen,
                         const mbedtls_ecp_point *Q, const mbedtls_mpi *r, const mbedtls_mpi *s)
{
    struct known of = known(grp->id);
    uint8_t made[2 * MOST], public_key[2 * MOST];
    if (of.curve == 0) {
        return MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE;
    }
    if (mbedtls_mpi_cmp_int(r, 1) < 0 || mbedtls_mpi_cmp_int(s, 1) < 0 ||
        mbedtls_mpi_write_binary(r, made, of.size) != 0 ||
        mbedtls_mpi_write_binary(s, made + of.size, of.size) != 0) {
        return MBEDTLS_ERR_ECP_VERIFY_FAILED;
    }
    int ret = put_point(public_key, Q, of.size);
    return ret != 0 ? ret : error_of(mc_ecdsa_verify(made, buf, blen, public_key, of.curve));
}
#endif

#if defined(MBEDTLS_ECDH_GEN_PUBLIC_ALT)
int mbedtls_ecdh_gen_public(mbedtls_ecp_group *grp, mbedtls_mpi *d, mbedtls_ecp_point *Q,
                            int (*f_rng)(void *, unsigned char *, size_t), void *p_rng)
{
    struct known of = known(grp->id);
    uint8_t key[MOST], made[2 * MOST];
    if (of.curve == 0) {
        return MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE;
    }
    int ret = mbedtls_ecp_gen_privkey(grp, d, f_rng, p_rng);
    if (ret == 0) {
        ret = mbedtls_mpi_write_binary(d, key, of.size);
    }
    if (ret == 0) {
        ret = error_of(mc_public_key(made, key, of.curve));
    }
    mbedtls_platform_zeroize(key, sizeof key);
    if (ret == 0) {
        ret = mbedtls_mpi_read_binary(&Q->X, made, of.size);
    }
    if (ret == 0) {
        ret = mbedtls_mpi_read_binary(&Q->Y, made + of.size, of.size);
    }
    return ret != 0 ? ret : mbedtls_mpi_lset(&Q->Z, 1);
}
#endif

#if defined(MBEDTLS_ECDH_COMPUTE_SHARED_ALT)
int mbedtls_ecdh_compute_shared(mbedtls_ecp_group *grp, mbedtls_mpi *z, const mbedtls_ecp_point *Q,
                                const mbedtls_mpi *d,
                                int (*f_rng)(void *, unsigned char *, size_t), void *p_rng)
{
    struct known of = known(grp->id);
    uint8_t key[MOST], made[2 * MOST];
    (void)f_rng;
    (void)p_rng;
    if (of.curve == 0) {
        return MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE;
    }
    int ret = put_point(made, Q, of.size);
    if (ret == 0 &&
        (mbedtls_mpi_cmp_int(d, 0) <= 0 || mbedtls_mpi_write_binary(d, key, of.size) != 0)) {
        ret = MBEDTLS_ERR_ECP_INVALID_KEY;
    }
    if (ret == 0) {
        ret = error_of(mc_ecdh(made, key, made, of.curve));
    }
    if (ret == 0) {
        ret = mbedtls_mpi_read_binary(z, made, of.size);
    }
    mbedtls_platform_zeroize(key, sizeof key);
    mbedtls_platform_zeroize(made, sizeof made);
    return ret;
}
#endif
