/* SPDX-License-Identifier: Apache-2.0
 *
 * X25519 (RFC 7748) by the Montgomery ladder.
 */
#include "curve.h"

enum { W = 8, STACK = 512 };

void mc_25519_freeze(uint32_t *a, uint32_t *t)
{
    for (int round = 0; round < 2; ++round) { /* what is above 2^255 - 1 is 19 */
        uint64_t sum = 19 * (uint64_t)(a[7] >> 31);
        a[7] &= 0x7fffffff;
        for (int i = 0; i < W; ++i) {
            sum += a[i];
            a[i] = (uint32_t)sum;
            sum >>= 32;
        }
    }
    /* It is below 2^255: with 19 added, its highest bit says whether it is p or more. */
    uint64_t sum = 19;
    for (int i = 0; i < W; ++i) {
        sum += a[i];
        t[i] = (uint32_t)sum;
        sum >>= 32;
    }
    uint32_t mask = 0u - (t[7] >> 31);
    t[7] &= 0x7fffffff;
    for (int i = 0; i < W; ++i) {
        a[i] ^= (a[i] ^ t[i]) & mask;
    }
}

static void swap(uint32_t *a, uint32_t *b, uint32_t mask)
{
    for (int i = 0; i < 2 * W; ++i) {
        uint32_t t = (a[i] ^ b[i]) & mask;
        a[i] ^= t;
        b[i] ^= t;
    }
}

struct ladder {
    uint32_t k[W], u[W], p2[2 * W], p3[2 * W], a[W], b[W], c[W], d[W];
};

/* x and z of two points, one behind the other. */
static void step(struct ladder *s)
{
    uint32_t *x2 = s->p2, *z2 = s->p2 + W, *x3 = s->p3, *z3 = s->p3 + W;
    uint32_t *a = s->a, *b = s->b, *c = s->c, *d = s->d;
    mc_25519_add(a, x2, z2);
    mc_25519_sub(b, x2, z2);
    mc_25519_add(c, x3, z3);
    mc_25519_sub(d, x3, z3);
    mc_25519_mul(d, d, a); /* DA */
    mc_25519_mul(c, c, b); /* CB */
    mc_25519_add(x3, d, c);
    mc_25519_sqr(x3, x3);
    mc_25519_sub(z3, d, c);
    mc_25519_sqr(z3, z3);
    mc_25519_mul(z3, z3, s->u);
    mc_25519_sqr(a, a); /* AA */
    mc_25519_sqr(b, b); /* BB */
    mc_25519_mul(x2, a, b);
    mc_25519_sub(b, a, b); /* E */
    mc_25519_scale(c, b, 121665);
    mc_25519_add(c, c, a);
    mc_25519_mul(z2, b, c);
}

void mc_25519_load(uint32_t *r, const uint8_t *bytes)
{
    for (int i = 0; i < W; ++i, bytes += 4) {
        r[i] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
               (uint32_t)bytes[3] << 24;
    }
}

void mc_25519_store(uint8_t *bytes, const uint32_t *a)
{
    for (int i = 0; i < 4 * W; ++i) {
        bytes[i] = (uint8_t)(a[i >> 2] >> 8 * (i & 3));
    }
}

__attribute__((noinline)) int mc_not_null(uint32_t any)
{
    return any != 0;
}

/* a = x2 / z2 after the ladder: a function of its own, so that the wipe of the stack reaches its frame. */
static __attribute__((noinline)) void climb(struct ladder *s)
{
    uint32_t before = 0;
    for (int bit = 254; bit >= 0; --bit) {
        uint32_t mask = 0u - (s->k[bit >> 5] >> (bit & 31) & 1);
        swap(s->p2, s->p3, mask ^ before);
        before = mask;
        step(s);
    }
    swap(s->p2, s->p3, before);
    mc_25519_freeze(s->p2 + W, s->b); /* 0 may stand as p or 2 p, and mc_invert takes neither for 0 */
    mc_invert(s->a, s->p2 + W, &mc_25519, W);
    mc_25519_mul(s->a, s->a, s->p2);
    mc_25519_freeze(s->a, s->b);
}

int mc_x25519(uint8_t secret[32], const uint8_t scalar[32], const uint8_t u[32])
{
    struct ladder s;
    mc_25519_load(s.k, scalar);
    mc_25519_load(s.u, u);
    s.k[0] &= ~(uint32_t)7;
    s.k[7] = (s.k[7] & 0x7fffffff) | 0x40000000;
    s.u[7] &= 0x7fffffff;
    set_words(s.p2, 1, 2 * W);
    copy_words(s.p3, s.u, W);
    set_words(s.p3 + W, 1, W);
    climb(&s);
    mc_25519_store(secret, s.a);
    int good = mc_not_null(~zero_words(s.a, W));
    mc_wipe(&s, sizeof s);
    mc_wipe_stack(STACK);
    return good ? MC_OK : MC_BAD_POINT;
}
