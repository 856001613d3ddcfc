/* SPDX-License-Identifier: Apache-2.0
 *
 * mbedTLS's curves for tests: numbers come and go as bytes, and every call begins with fresh memory.
 */
#include "mbedtls/ecdh.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/memory_buffer_alloc.h"

#include "montcore_riscv.h"

static unsigned char memory[48 * 1024];

void exit(int status)
{
    (void)status;
    for (;;) {
    }
}

/* For what mbedTLS blinds with; no secret of a test depends on it. */
static int count(void *context, unsigned char *to, size_t bytes)
{
    static unsigned char state = 1;
    (void)context;
    while (bytes-- > 0) {
        *to++ = state = (unsigned char)(5 * state + 3);
    }
    return 0;
}

struct numbers {
    mbedtls_ecp_group group;
    mbedtls_ecp_point q;
    mbedtls_mpi d, r, s;
};

static int begin(struct numbers *n, int id)
{
    mbedtls_memory_buffer_alloc_init(memory, sizeof memory);
    mbedtls_ecp_group_init(&n->group);
    mbedtls_ecp_point_init(&n->q);
    mbedtls_mpi_init(&n->d);
    mbedtls_mpi_init(&n->r);
    mbedtls_mpi_init(&n->s);
    return mbedtls_ecp_group_load(&n->group, (mbedtls_ecp_group_id)id);
}

static int end(struct numbers *n, int ret)
{
    mbedtls_ecp_group_free(&n->group);
    mbedtls_ecp_point_free(&n->q);
    mbedtls_mpi_free(&n->d);
    mbedtls_mpi_free(&n->r);
    mbedtls_mpi_free(&n->s);
    mbedtls_memory_buffer_alloc_free();
    return ret;
}

static int load_point(struct numbers *n, const uint8_t *q, size_t size)
{
    int ret = mbedtls_mpi_read_binary(&n->q.X, q, size);
    ret = ret != 0 ? ret : mbedtls_mpi_read_binary(&n->q.Y, q + size, size);
    return ret != 0 ? ret : mbedtls_mpi_lset(&n->q.Z, 1);
}

/* As many signatures as `times` says: the second one finds the table of the base point in the group. */
int test_mbedtls_sign(uint8_t *signature, int id, size_t size, const uint8_t *d,
                      const uint8_t *hash, int times)
{
    struct numbers n;
    int ret = begin(&n, id);
    ret = ret != 0 ? ret : mbedtls_mpi_read_binary(&n.d, d, size);
    for (; ret == 0 && times > 0; --times) {
        ret = mbedtls_ecdsa_sign_det_ext(&n.group, &n.r, &n.s, &n.d, hash, 32, MBEDTLS_MD_SHA256,
                                         count, 0);
    }
    ret = ret != 0 ? ret : mbedtls_mpi_write_binary(&n.r, signature, size);
    ret = ret != 0 ? ret : mbedtls_mpi_write_binary(&n.s, signature + size, size);
    return end(&n, ret);
}

int test_mbedtls_verify(const uint8_t *signature, int id, size_t size, const uint8_t *q,
                        const uint8_t *hash)
{
    struct numbers n;
    int ret = begin(&n, id);
    ret = ret != 0 ? ret : load_point(&n, q, size);
    ret = ret != 0 ? ret : mbedtls_mpi_read_binary(&n.r, signature, size);
    ret = ret != 0 ? ret : mbedtls_mpi_read_binary(&n.s, signature + size, size);
    ret = ret != 0 ? ret : mbedtls_ecdsa_verify(&n.group, hash, 32, &n.q, &n.r, &n.s);
    return end(&n, ret);
}

int test_mbedtls_ecdh(uint8_t *secret, int id, size_t size, const uint8_t *d, const uint8_t *q)
{
    struct numbers n;
    int ret = begin(&n, id);
    ret = ret != 0 ? ret : load_point(&n, q, size);
    ret = ret != 0 ? ret : mbedtls_mpi_read_binary(&n.d, d, size);
    ret = ret != 0 ? ret : mbedtls_ecdh_compute_shared(&n.group, &n.r, &n.q, &n.d, count, 0);
    ret = ret != 0 ? ret : mbedtls_mpi_write_binary(&n.r, secret, size);
    return end(&n, ret);
}
