/* SPDX-License-Identifier: Apache-2.0
 *
 * Public keys, ECDH and ECDSA.
 */
#include "curve.h"

enum {
    STACK = 768, /* bytes below a public routine that may hold secrets */
    TRIES = 64   /* random numbers that are not in range, one after the other */
};

static void set_modulus(mc_context *c, mc_modulus *mod, const struct mc_prime *prime)
{
    mod->m = prime->m;
    mod->rr = (uint32_t *)(uintptr_t)prime->rr; /* nothing writes it */
    mod->work = c->work;
    mod->n = c->words / 2;
    mod->n0[0] = prime->n0[0];
    mod->n0[1] = prime->n0[1];
}

static void begin(mc_context *c, const mc_curve *curve)
{
    c->curve = curve;
    c->words = 2 * curve->n;
    set_modulus(c, &c->p, &curve->p);
    set_modulus(c, &c->order, &curve->order);
}

static void end(mc_context *c)
{
    mc_wipe(c, sizeof *c);
    mc_wipe_stack(STACK);
}

static void load(mc_context *c, uint32_t *r, const uint8_t *bytes)
{
    for (size_t i = 0; i < c->words; ++i) {
        const uint8_t *at = bytes + 4 * (c->words - 1 - i);
        r[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
}

static void store(mc_context *c, uint8_t *bytes, const uint32_t *a)
{
    for (size_t i = 0; i < c->words; ++i) {
        uint8_t *at = bytes + 4 * (c->words - 1 - i);
        at[0] = (uint8_t)(a[i] >> 24);
        at[1] = (uint8_t)(a[i] >> 16);
        at[2] = (uint8_t)(a[i] >> 8);
        at[3] = (uint8_t)a[i];
    }
}

__attribute__((noinline)) int mc_in_range(mc_context *c, const uint32_t *a)
{
    return is_zero(c, a) == 0 && subtract(c, c->t, a, c->order.m) == 1;
}

__attribute__((noinline)) int mc_neither_zero(mc_context *c, const uint32_t *a, const uint32_t *b)
{
    return (is_zero(c, a) | is_zero(c, b)) == 0;
}

/* Load a number; whether it is from 1 to n - 1. */
static int load_scalar(mc_context *c, uint32_t *r, const uint8_t *bytes)
{
    load(c, r, bytes);
    return mc_in_range(c, r);
}

/* Whether c->entry, with Z = 1, is a point of the curve. */
__attribute__((noinline)) int mc_on_curve(mc_context *c)
{
    mc_point *p = &c->entry;
    uint32_t *left = c->a, *right = c->b;
    sqr(c, right, p->x);
    if (c->curve->minus_3) {
        for (int i = 0; i < 3; ++i) {
            sub(c, right, right, p->z);
        }
    }
    mul(c, right, right, p->x);
    add(c, right, right, c->curve->b);
    sqr(c, left, p->y);
    sub(c, left, left, right);
    return is_zero(c, left) != 0;
}

/* c->entry = a public key; whether it is one. */
static int load_point(mc_context *c, const uint8_t *q)
{
    mc_point *p = &c->entry;
    load(c, p->x, q);
    load(c, p->y, q + 4 * c->words);
    if (!(subtract(c, c->t, p->x, c->p.m) & subtract(c, c->t, p->y, c->p.m))) {
        return 0;
    }
    mul(c, p->x, p->x, c->p.rr);
    mul(c, p->y, p->y, c->p.rr);
    copy(c, p->z, c->curve->one);
    return mc_on_curve(c);
}

/* r = a less m unless it is below; for a < 2 m, and below 2^(32 words). */
static void once(mc_context *c, uint32_t *r, const uint32_t *a, const uint32_t *m)
{
    uint32_t mask = subtract(c, c->t, a, m) - 1;
    copy(c, r, a);
    choose(c, r, c->t, mask);
}

/* ---- keys -------------------------------------------------------------------------------------- */

static void clear(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        bytes[i] = 0;
    }
}

/* c->sum = d Q, or d G, where q is not looked at. */
static int multiply(mc_context *c, const uint8_t *d, int base, const uint8_t *q)
{
    if (!load_scalar(c, c->k, d)) {
        return MC_BAD_KEY;
    }
    if (base) {
        mc_set_base(c);
    } else if (!load_point(c, q)) {
        return MC_BAD_POINT;
    }
    mc_multiply(c, base);
    mc_affine(c);
    return MC_OK;
}

/* r = so many coordinates of the multiple, x first. */
static int multiple(uint8_t *r, size_t coordinates, const uint8_t *d, int base,
                    const uint8_t *q, const mc_curve *curve)
{
    mc_context c;
    begin(&c, curve);
    int status = multiply(&c, d, base, q);
    clear(r, 4 * c.words * coordinates);
    if (status == MC_OK) {
        store(&c, r, c.sum.x);
        if (coordinates == 2) {
            store(&c, r + 4 * c.words, c.sum.y);
        }
    }
    end(&c);
    return status;
}

int mc_public_key(uint8_t *q, const uint8_t *d, const mc_curve *curve)
{
    return multiple(q, 2, d, 1, NULL, curve);
}

int mc_multiply_point(uint8_t *r, const uint8_t *d, const uint8_t *q, const mc_curve *curve)
{
    return multiple(r, 2, d, 0, q, curve);
}

int mc_ecdh(uint8_t *secret, const uint8_t *d, const uint8_t *q, const mc_curve *curve)
{
    return multiple(secret, 1, d, 0, q, curve);
}

int mc_multiply_two(uint8_t *r, const uint8_t *u, const uint8_t *p, const uint8_t *v,
                    const uint8_t *q, const mc_curve *curve)
{
    mc_context c;
    begin(&c, curve);
    int status = MC_BAD_KEY;
    load(&c, c.k, u);
    load(&c, c.s, v);
    if (subtract(&c, c.t, c.k, c.order.m) & subtract(&c, c.t, c.s, c.order.m)) {
        status = MC_BAD_POINT;
        if (load_point(&c, p)) {
            copy_point(&c, &c.sum, &c.entry);
            if (q == 0) {
                mc_set_base(&c);
            }
            if (q == 0 || load_point(&c, q)) {
                mc_multiply_public(&c);
                status = is_zero(&c, c.sum.z) ? MC_BAD_POINT : MC_OK;
            }
        }
    }
    clear(r, 8 * c.words);
    if (status == MC_OK) {
        mc_affine(&c);
        store(&c, r, c.sum.x);
        store(&c, r + 4 * c.words, c.sum.y);
    }
    end(&c);
    return status;
}

/* ---- ECDSA ------------------------------------------------------------------------------------- */

/* c->e = the hash, as many of its bytes as the order has, below n. */
static void load_hash(mc_context *c, const uint8_t *hash, size_t bytes)
{
    size_t most = 4 * c->words;
    bytes = bytes < most ? bytes : most;
    set(c, c->e, 0);
    for (size_t i = 0; i < bytes; ++i) {
        c->e[i >> 2] |= (uint32_t)hash[bytes - 1 - i] << 8 * (i & 3);
    }
    once(c, c->e, c->e, c->order.m);
}

static int verify(mc_context *c, const uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                  const uint8_t *q)
{
    const mc_modulus *order = &c->order;
    uint32_t *r = c->r;
    if (!load_scalar(c, r, signature) || !load_scalar(c, c->s, signature + 4 * c->words)) {
        return MC_BAD_SIGNATURE;
    }
    if (!load_point(c, q)) {
        return MC_BAD_POINT;
    }
    load_hash(c, hash, hash_bytes);
    mc_montmul_raw(c->s, c->s, order->rr, order);
    mc_invert_form(c, c->s, c->s, order);
    mc_montmul_raw(c->k, r, c->s, order);
    mc_montmul_raw(c->s, c->e, c->s, order);
    copy_point(c, &c->sum, &c->entry); /* v Q + u G */
    mc_set_base(c);
    mc_multiply_public(c);
    if (is_zero(c, c->sum.z)) {
        return MC_BAD_SIGNATURE;
    }
    /* x mod n = r: x is r, or r + n where that is below p. */
    uint32_t *zz = c->b, *x = c->c, *left = c->a;
    sqr(c, zz, c->sum.z);
    for (int more = 0;; more = 1) {
        mul(c, x, r, c->p.rr);
        mul(c, x, x, zz);
        sub(c, x, x, c->sum.x);
        if (is_zero(c, x)) {
            return MC_OK;
        }
        subtract(c, left, c->p.m, order->m);
        if (more || subtract(c, x, r, left) == 0) {
            return MC_BAD_SIGNATURE;
        }
        mc_mod_add_raw(r, r, order->m, c->p.m, c->p.n);
    }
}

int mc_ecdsa_verify(const uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                    const uint8_t *q, const mc_curve *curve)
{
    mc_context c;
    begin(&c, curve);
    int status = verify(&c, signature, hash, hash_bytes, q);
    end(&c);
    return status;
}

/* c->k = a random number from 1 to n - 1. */
static int draw(mc_context *c, mc_random random, void *source)
{
    uint8_t bytes[4 * MC_WORDS];
    int status = MC_BAD_RANDOM;
    for (int tries = 0; tries < TRIES && status != MC_OK; ++tries) {
        if (random(source, bytes, 4 * c->words) != 0) {
            break;
        }
        if (load_scalar(c, c->k, bytes)) {
            status = MC_OK;
        }
    }
    mc_wipe(bytes, sizeof bytes);
    return status;
}

/* The signature for the nonce in c->k; whether r and s are not 0. */
static int sign(mc_context *c, uint8_t *signature, const uint8_t *d)
{
    const mc_modulus *order = &c->order;
    mc_montmul_raw(c->s, c->k, order->rr, order);
    mc_invert_form(c, c->s, c->s, order); /* k^-1 R */
    mc_set_base(c);
    mc_multiply(c, 1);
    mc_affine(c);
    uint32_t *r = c->sum.x, *t = c->a;
    once(c, r, r, order->m);
    load(c, t, d);
    mc_montmul_raw(t, t, order->rr, order);
    mc_montmul_raw(t, t, r, order);
    mc_mod_add_raw(t, t, c->e, order->m, order->n);
    mc_montmul_raw(c->s, c->s, t, order);
    if (!mc_neither_zero(c, r, c->s)) {
        return 0;
    }
    store(c, signature, r);
    store(c, signature + 4 * c->words, c->s);
    return 1;
}

static int sign_with(mc_context *c, uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                     const uint8_t *d, mc_random random, void *source)
{
    if (!load_scalar(c, c->k, d)) {
        return MC_BAD_KEY;
    }
    load_hash(c, hash, hash_bytes);
    int status;
    do {
        status = draw(c, random, source);
    } while (status == MC_OK && !sign(c, signature, d));
    return status;
}

int mc_ecdsa_sign_unverified(uint8_t *signature, const uint8_t *hash, size_t hash_bytes,
                             const uint8_t *d, mc_random random, void *source,
                             const mc_curve *curve)
{
    mc_context c;
    begin(&c, curve);
    int status = sign_with(&c, signature, hash, hash_bytes, d, random, source);
    if (status != MC_OK) {
        clear(signature, 8 * c.words);
    }
    end(&c);
    return status;
}

int mc_ecdsa_sign(uint8_t *signature, const uint8_t *hash, size_t hash_bytes, const uint8_t *d,
                  const uint8_t *q, mc_random random, void *source, const mc_curve *curve)
{
    mc_context c;
    begin(&c, curve);
    uint8_t made[8 * MC_WORDS]; /* not to be seen before it is verified */
    int status = sign_with(&c, made, hash, hash_bytes, d, random, source);
    if (status == MC_OK) {
        mc_wipe(&c, sizeof c);
        begin(&c, curve);
        status = verify(&c, made, hash, hash_bytes, q);
    }
    clear(signature, 8 * c.words);
    for (size_t i = 0; status == MC_OK && i < 8 * c.words; ++i) {
        signature[i] = made[i];
    }
    mc_wipe(made, sizeof made);
    end(&c);
    return status;
}
