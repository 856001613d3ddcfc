/* SPDX-License-Identifier: Apache-2.0
 *
 * Ed25519 (RFC 8032). Points are (X : Y : Z : T) with x = X / Z, y = Y / Z, x y = T / Z. The formulas of an
 * addition (Hisil, Wong, Carter, Dawson 2008) hold for all points of the curve, equal ones and the neutral
 * one among them, since -1 is a square modulo p and d is none.
 */
#include "curve.h"

enum { W = 8, STACK = 768, TABLE = 8 };

typedef struct {
    uint32_t x[W], y[W], z[W], t[W];
} point;

/* y + x, y - x, 2 d x y, 2 z of a point that is added. */
typedef struct {
    uint32_t sum[W], difference[W], product[W], z[W];
} addend;

typedef struct {
    point p, kept;
    addend entry, table[2][TABLE];
    uint32_t a[W], b[W], c[W], d[W];
    uint32_t scalar[W], nonce[W], k[W], wide[2 * W];
    uint8_t key[64], digest[64], public_key[32], signature[64];
    int8_t digits[2][32 * W + 1];
} state;

/* Whether a number stands for 0 in the field; it and t are destroyed. For public numbers. */
static int is_null(uint32_t *a, uint32_t *t)
{
    mc_25519_freeze(a, t);
    return zero_words(a, W) != 0;
}

/* ---- points ------------------------------------------------------------------------------------ */

/* The end of a doubling and of an addition: E, F, G, H are in a, b, c, d. */
static void multiply_out(state *s)
{
    point *p = &s->p;
    mc_25519_mul(p->x, s->a, s->b);
    mc_25519_mul(p->y, s->c, s->d);
    mc_25519_mul(p->t, s->a, s->d);
    mc_25519_mul(p->z, s->b, s->c);
}

static void double_point(state *s)
{
    point *p = &s->p;
    mc_25519_add(s->a, p->x, p->y);
    mc_25519_sqr(s->a, s->a);
    mc_25519_sqr(s->b, p->x);
    mc_25519_sqr(s->c, p->y);
    mc_25519_add(s->d, s->b, s->c); /* H */
    mc_25519_sub(s->a, s->d, s->a); /* E */
    mc_25519_sub(s->c, s->b, s->c); /* G */
    mc_25519_sqr(s->b, p->z);
    mc_25519_add(s->b, s->b, s->b);
    mc_25519_add(s->b, s->b, s->c); /* F */
    multiply_out(s);
}

/* p = p + q; `flat`: Z of q is 1, and q->z is not looked at */
static void add_point(state *s, const addend *q, int flat)
{
    point *p = &s->p;
    mc_25519_sub(s->a, p->y, p->x);
    mc_25519_mul(s->a, s->a, q->difference);
    mc_25519_add(s->b, p->y, p->x);
    mc_25519_mul(s->b, s->b, q->sum);
    mc_25519_mul(s->c, p->t, q->product);
    if (flat) {
        mc_25519_add(p->z, p->z, p->z);
    } else {
        mc_25519_mul(p->z, p->z, q->z);
    }
    mc_25519_add(s->d, s->b, s->a);
    mc_25519_sub(s->a, s->b, s->a);
    mc_25519_sub(s->b, p->z, s->c);
    mc_25519_add(s->c, p->z, s->c);
    multiply_out(s);
}

static void to_addend(addend *to, const point *p)
{
    mc_25519_add(to->sum, p->y, p->x);
    mc_25519_sub(to->difference, p->y, p->x);
    mc_25519_mul(to->product, p->t, mc_ed25519_numbers[0]);
    mc_25519_add(to->z, p->z, p->z);
}

/* q = -q where mask is -1; t is destroyed */
static void negate(addend *q, uint32_t mask, uint32_t *t)
{
    copy_words(t, q->sum, W);
    choose_words(q->sum, q->difference, mask, W);
    choose_words(q->difference, t, mask, W);
    set_words(t, 0, W);
    mc_25519_sub(t, t, q->product);
    choose_words(q->product, t, mask, W);
}

static void set_point(point *p, const uint32_t *x, const uint32_t *y)
{
    copy_words(p->x, x, W);
    copy_words(p->y, y, W);
    set_words(p->z, 1, W);
    mc_25519_mul(p->t, x, y);
}

static void set_neutral(state *s)
{
    set_words(s->a, 0, W);
    set_words(s->b, 1, W);
    set_point(&s->p, s->a, s->b);
}

/* p = k B for k below the order, by the comb; k is changed. */
static void multiply_base(state *s, uint32_t *k)
{
    uint32_t even = (k[0] & 1) - 1, negative;
    subtract_words(s->a, mc_25519_order.m, k, W); /* for k = 0 the order itself, which is odd */
    choose_words(k, s->a, even, W);
    set_neutral(s);
    for (size_t column = MC_COLUMNS; column-- > 0;) {
        uint32_t index = mc_digit(&negative, k, W, MC_TEETH, column, MC_COLUMNS,
                                  MC_COLUMNS * MC_TEETH);
        double_point(s);
        mc_look_up(s->entry.sum, mc_ed25519_comb[0][0], 3 * W, 3 * W, 1u << (MC_TEETH - 1), index);
        negate(&s->entry, negative, s->a);
        add_point(s, &s->entry, 1);
    }
    set_words(s->a, 0, W);
    mc_25519_sub(s->a, s->a, s->p.x);
    choose_words(s->p.x, s->a, even, W);
}

/* y of p, with the parity of x in its highest bit. */
static void encode(state *s, uint8_t *bytes)
{
    point *p = &s->p;
    mc_25519_freeze(p->z, s->a);
    mc_invert(p->z, p->z, &mc_25519, W);
    mc_25519_mul(p->x, p->x, p->z);
    mc_25519_mul(p->y, p->y, p->z);
    mc_25519_freeze(p->x, s->a);
    mc_25519_freeze(p->y, s->a);
    p->y[W - 1] |= p->x[0] << 31;
    mc_25519_store(bytes, p->y);
}

/* r = a^(2^count) b */
static void sqr_mul(uint32_t *r, const uint32_t *a, unsigned count, const uint32_t *b)
{
    uint32_t t[W];
    mc_25519_sqr(t, a);
    while (--count > 0) {
        mc_25519_sqr(t, t);
    }
    mc_25519_mul(r, t, b);
}

/* r = a^((p - 5) / 8), (p - 5) / 8 = 2^252 - 3: runs of ones of growing length. r is not a. */
static void root_power(uint32_t *r, const uint32_t *a)
{
    uint32_t run[W], two[W];
    mc_25519_sqr(two, a);
    sqr_mul(run, two, 2, a);    /* 9 */
    mc_25519_mul(two, run, two); /* 11 */
    sqr_mul(run, two, 1, run);  /* 2^5 - 1 */
    sqr_mul(run, run, 5, run);  /* 2^10 - 1 */
    sqr_mul(two, run, 10, run); /* 2^20 - 1 */
    sqr_mul(two, two, 20, two); /* 2^40 - 1 */
    sqr_mul(run, two, 10, run); /* 2^50 - 1 */
    sqr_mul(two, run, 50, run); /* 2^100 - 1 */
    sqr_mul(two, two, 100, two); /* 2^200 - 1 */
    sqr_mul(run, two, 50, run); /* 2^250 - 1 */
    sqr_mul(r, run, 2, a);
}

/* p = the point of an encoding; whether there is one. */
static int decode(state *s, const uint8_t *bytes)
{
    point *p = &s->p;
    uint32_t *u = s->a, *v = s->b, *x = s->c, *t = s->d, sign = bytes[31] >> 7;
    mc_25519_load(p->y, bytes);
    p->y[W - 1] &= 0x7fffffff;
    if (subtract_words(t, p->y, mc_25519.m, W) == 0) {
        return 0; /* p or more */
    }
    set_words(p->z, 1, W);
    mc_25519_sqr(u, p->y);
    mc_25519_mul(v, u, mc_ed25519_numbers[1]);
    mc_25519_sub(u, u, p->z); /* y^2 - 1 */
    mc_25519_add(v, v, p->z); /* d y^2 + 1 */
    /* x = u v^3 (u v^7)^((p - 5) / 8), and times the root of -1 if v x^2 = -u */
    mc_25519_sqr(t, v);
    mc_25519_mul(t, t, v);
    mc_25519_mul(p->x, t, u); /* u v^3 */
    mc_25519_sqr(t, t);
    mc_25519_mul(t, t, v);
    mc_25519_mul(t, t, u); /* u v^7 */
    root_power(x, t);
    mc_25519_mul(p->x, p->x, x);
    mc_25519_sqr(x, p->x);
    mc_25519_mul(x, x, v);
    mc_25519_sub(t, x, u);
    if (!is_null(t, s->entry.sum)) {
        mc_25519_add(t, x, u);
        if (!is_null(t, s->entry.sum)) {
            return 0;
        }
        mc_25519_mul(p->x, p->x, mc_ed25519_numbers[2]);
    }
    mc_25519_freeze(p->x, t);
    if ((p->x[0] & 1) != sign) {
        copy_words(x, p->x, W);
        if (is_null(x, t)) {
            return 0; /* -0 */
        }
        set_words(t, 0, W);
        mc_25519_sub(p->x, t, p->x);
    }
    mc_25519_mul(p->t, p->x, p->y);
    return 1;
}

/* p = u B - v P for P in p, in a time that tells of u and v, which are used up. */
static void multiply_public(state *s, uint32_t *u, uint32_t *v)
{
    mc_digits_of(s->digits[0], u, W);
    mc_digits_of(s->digits[1], v, W);
    for (int which = 1; which >= 0; --which) { /* P, 3 P, 5 P, ...; then those of B */
        if (which == 0) {
            set_point(&s->p, mc_ed25519_numbers[3], mc_ed25519_numbers[4]);
        }
        s->kept = s->p;
        double_point(s);
        to_addend(&s->entry, &s->p);
        s->p = s->kept;
        for (int i = 0; i < TABLE; ++i) {
            to_addend(&s->table[which][i], &s->p);
            add_point(s, &s->entry, 0);
        }
    }
    set_neutral(s);
    for (int i = 32 * W; i >= 0; --i) {
        double_point(s);
        for (int which = 0; which < 2; ++which) {
            int digit = s->digits[which][i];
            if (digit != 0) {
                s->entry = s->table[which][(digit < 0 ? -digit : digit) >> 1];
                negate(&s->entry, (digit < 0) != (which == 1) ? ~(uint32_t)0 : 0, s->a);
                add_point(s, &s->entry, 0);
            }
        }
    }
}

/* ---- scalars ----------------------------------------------------------------------------------- */

/* r = s->wide / R modulo the order, R = 2^256; s->wide is used up. */
static void reduce(state *s, uint32_t *r)
{
    mc_redc_raw(r, s->wide, mc_25519_order.m, W / 2, mc_25519_order.n0);
}

/* r = a R modulo the order, for a below it. */
static void times_r(state *s, uint32_t *r, const uint32_t *a)
{
    mc_mul_raw(s->wide, a, mc_25519_order.rr, W / 2);
    reduce(s, r);
}

/* r = a b modulo the order, for a and b below it. */
static void multiply_scalars(state *s, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    mc_mul_raw(s->wide, a, b, W / 2);
    reduce(s, s->c);
    times_r(s, r, s->c);
}

/* r = a number of 32 bytes modulo the order. */
static void reduce_half(state *s, uint32_t *r, const uint8_t *bytes)
{
    mc_25519_load(s->wide, bytes);
    set_words(s->wide + W, 0, W);
    reduce(s, s->c);
    times_r(s, r, s->c);
}

/* r = a digest of 64 bytes modulo the order. */
static void reduce_digest(state *s, uint32_t *r, const uint8_t *bytes)
{
    reduce_half(s, r, bytes + 32);
    times_r(s, r, r);
    reduce_half(s, s->d, bytes);
    mc_mod_add_raw(r, r, s->d, mc_25519_order.m, W / 2);
}

/* ---- signatures -------------------------------------------------------------------------------- */

/* s->scalar and s->public_key of a seed; the hash of the seed stays in s->key. */
static int begin(state *s, const uint8_t *seed, mc_hash sha512, void *context)
{
    mc_bytes piece = {seed, 32};
    if (sha512(context, s->key, &piece, 1) != 0) {
        return MC_BAD_HASH;
    }
    s->key[0] &= 0xf8;
    s->key[31] = (uint8_t)((s->key[31] & 0x7f) | 0x40);
    reduce_half(s, s->scalar, s->key);
    copy_words(s->nonce, s->scalar, W);
    multiply_base(s, s->nonce);
    encode(s, s->public_key);
    return MC_OK;
}

/* r = SHA-512(R, A, message) modulo the order. */
static int challenge(state *s, uint32_t *r, const uint8_t *point_bytes, const uint8_t *public_key,
                     const uint8_t *message, size_t bytes, mc_hash sha512, void *context)
{
    mc_bytes pieces[3] = {{point_bytes, 32}, {public_key, 32}, {message, bytes}};
    if (sha512(context, s->digest, pieces, 3) != 0) {
        return MC_BAD_HASH;
    }
    reduce_digest(s, r, s->digest);
    return MC_OK;
}

static int sign(state *s, uint8_t *signature, const uint8_t *message, size_t bytes,
                const uint8_t *seed, mc_hash sha512, void *context)
{
    int status = begin(s, seed, sha512, context);
    mc_bytes pieces[2] = {{s->key + 32, 32}, {message, bytes}};
    if (status == MC_OK && sha512(context, s->digest, pieces, 2) != 0) {
        status = MC_BAD_HASH;
    }
    if (status != MC_OK) {
        return status;
    }
    reduce_digest(s, s->nonce, s->digest);
    copy_words(s->k, s->nonce, W);
    multiply_base(s, s->k);
    encode(s, signature);
    status = challenge(s, s->k, signature, s->public_key, message, bytes, sha512, context);
    if (status == MC_OK) {
        multiply_scalars(s, s->k, s->k, s->scalar);
        mc_mod_add_raw(s->k, s->k, s->nonce, mc_25519_order.m, W / 2);
        mc_25519_store(signature + 32, s->k);
    }
    return status;
}

static int verify(state *s, const uint8_t *signature, const uint8_t *message, size_t bytes,
                  const uint8_t *public_key, mc_hash sha512, void *context)
{
    mc_25519_load(s->nonce, signature + 32);
    if (subtract_words(s->a, s->nonce, mc_25519_order.m, W) == 0) {
        return MC_BAD_SIGNATURE;
    }
    int status = challenge(s, s->k, signature, public_key, message, bytes, sha512, context);
    if (status != MC_OK) {
        return status;
    }
    if (!decode(s, public_key)) {
        return MC_BAD_POINT;
    }
    multiply_public(s, s->nonce, s->k);
    encode(s, s->digest);
    uint8_t other = 0;
    for (int i = 0; i < 32; ++i) {
        other |= s->digest[i] ^ signature[i];
    }
    return other == 0 ? MC_OK : MC_BAD_SIGNATURE;
}

int mc_ed25519_verify(const uint8_t signature[64], const uint8_t *message, size_t bytes,
                      const uint8_t public_key[32], mc_hash sha512, void *context)
{
    state s;
    return verify(&s, signature, message, bytes, public_key, sha512, context);
}

/* Clear the state and return a status; the bytes leave only with MC_OK, else zeros do. */
static int leave(state *s, uint8_t *to, const uint8_t *from, size_t count, int status)
{
    uint8_t mask = (uint8_t)-(status == MC_OK);
    for (size_t i = 0; i < count; ++i) {
        to[i] = from[i] & mask;
    }
    mc_wipe(s, sizeof *s);
    mc_wipe_stack(STACK);
    return status;
}

int mc_ed25519_public_key(uint8_t public_key[32], const uint8_t seed[32], mc_hash sha512,
                          void *context)
{
    state s;
    int status = begin(&s, seed, sha512, context);
    return leave(&s, public_key, s.public_key, 32, status);
}

int mc_ed25519_sign_unverified(uint8_t signature[64], const uint8_t *message, size_t bytes,
                               const uint8_t seed[32], mc_hash sha512, void *context)
{
    state s;
    int status = sign(&s, s.signature, message, bytes, seed, sha512, context);
    return leave(&s, signature, s.signature, 64, status);
}

int mc_ed25519_sign(uint8_t signature[64], const uint8_t *message, size_t bytes,
                    const uint8_t seed[32], mc_hash sha512, void *context)
{
    state s;
    int status = sign(&s, s.signature, message, bytes, seed, sha512, context);
    if (status == MC_OK) {
        status = verify(&s, s.signature, message, bytes, s.public_key, sha512, context);
        status = status == MC_BAD_POINT ? MC_BAD_SIGNATURE : status;
    }
    return leave(&s, signature, s.signature, 64, status);
}
