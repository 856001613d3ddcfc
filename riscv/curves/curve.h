/* SPDX-License-Identifier: Apache-2.0
 *
 * What a curve is made of; constants.c, which montcore_riscv/curves.py writes, has their numbers.
 */
#ifndef MONTCORE_CURVE_H
#define MONTCORE_CURVE_H

#include "montcore_curves.h"
#include "montcore_riscv.h"

enum {
    MC_WORDS = 12,  /* of the longest number */
    MC_TEETH = 6,   /* of the comb: bits of a column, the highest of which is a sign */
    MC_COLUMNS = 43 /* MC_TEETH * MC_COLUMNS is at least the bits of P-256's order and one */
};

/* An odd modulus with R^2 and -m^-1 mod 2^64. */
struct mc_prime {
    const uint32_t *m, *rr;
    uint32_t n0[2];
};

struct mc_curve {
    size_t n; /* limbs */
    struct mc_prime p, order;
    /* In Montgomery form, as are all coordinates: 1, b, and x and y of the base point. */
    const uint32_t *one, *b, *base;
    int minus_3; /* a = -3, else 0 */
    /* Entry i is (2^(43 * 5) + sum of e(j) 2^(43 j) for j < 5) G, e(j) = 1 where bit j of i is set, else
     * -1; or NULL. */
    const uint32_t (*comb)[2 * 8];
    /* Products modulo p; those of P-256 do not look at the modulus. */
    void (*mul)(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod);
    void (*sqr)(uint32_t *r, const uint32_t *a, const mc_modulus *mod);
    void (*add)(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
    void (*sub)(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
};

enum {
    MC_WINDOW = 5, /* bits of a window: digits of secret scalars are odd, from -31 to 31 */
    MC_HALF = 1 << (MC_WINDOW - 1)
};

typedef struct {
    uint32_t x[MC_WORDS], y[MC_WORDS], z[MC_WORDS];
} mc_point;

/* What an operation works in; it is cleared at its end. */
typedef struct {
    const mc_curve *curve;
    size_t words;
    mc_modulus p, order;
    uint32_t work[2 * MC_WORDS];
    uint32_t a[MC_WORDS], b[MC_WORDS], c[MC_WORDS], d[MC_WORDS]; /* of doublings and additions */
    uint32_t k[MC_WORDS], r[MC_WORDS], s[MC_WORDS], e[MC_WORDS], t[MC_WORDS];
    mc_point sum, entry, twice, table[MC_HALF];
    int8_t digits[2][32 * MC_WORDS + 1]; /* of a verification */
} mc_context;

/* point.c and multiply.c; what they do stands there. */
void mc_double_point(mc_context *c, mc_point *p);
void mc_add_point(mc_context *c, mc_point *p, const mc_point *q, int flat);
void mc_multiply(mc_context *c, int base);
void mc_multiply_public(mc_context *c);
void mc_affine(mc_context *c);
void mc_set_base(mc_context *c);

/* to = entry `index` of a table whose entries are `stride` words apart; every entry is read. */
void mc_look_up(uint32_t *to, const uint32_t *table, size_t words, size_t stride,
                uint32_t entries, uint32_t index);

/* Of an odd number that is written with digits 1 and -1 for the bits below `length`: the bits `low`,
 * low + step, ... as an index, the sign of the highest taken out, which is in `negative`: 0 or -1. */
uint32_t mc_digit(uint32_t *negative, const uint32_t *k, size_t words, unsigned bits, size_t low,
                  size_t step, size_t length);

/* The digits of a PUBLIC number, each 0 or odd from -15 to 15, at least four zeros between two; u is
 * used up. `digits` has 32 words + 1 of them. */
void mc_digits_of(int8_t *digits, uint32_t *u, size_t words);

/* 2 d, d and the square root of -1 of Ed25519, x and y of its base point, and its comb as in mc_curve:
 * y + x, y - x and 2 d x y of each entry. */
extern const uint32_t mc_ed25519_numbers[5][8], mc_ed25519_comb[32][3][8];

/* What the time and the status may tell of a secret, each in a function of its own. */
int mc_in_range(mc_context *c, const uint32_t *a); /* 0 < a < n */
int mc_neither_zero(mc_context *c, const uint32_t *a, const uint32_t *b);
int mc_not_null(uint32_t any);      /* any != 0 */
int mc_on_curve(mc_context *c);     /* c->entry, with Z = 1 */

/* divsteps.c: r = a^-1 modulo a prime, 0 for a = 0; a is below the prime, with as many words. The second
 * takes and gives Montgomery's form (multiply.c). */
void mc_invert(uint32_t *r, const uint32_t *a, const struct mc_prime *prime, size_t words);
void mc_invert_form(mc_context *c, uint32_t *r, const uint32_t *a, const mc_modulus *mod);

/* p256.S; mod, m and n are ignored. */
void mc_p256_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod);
void mc_p256_sqr(uint32_t *r, const uint32_t *a, const mc_modulus *mod);
void mc_p256_add(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
void mc_p256_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);

/* f25519.S; 2^255 - 19 and the order of Ed25519. r = the one number below p that stands for r; t is
 * destroyed. */
extern const struct mc_prime mc_25519, mc_25519_order;
void mc_25519_freeze(uint32_t *r, uint32_t *t);
void mc_25519_load(uint32_t *r, const uint8_t *bytes);
void mc_25519_store(uint8_t *bytes, const uint32_t *a);
void mc_25519_mul(uint32_t *r, const uint32_t *a, const uint32_t *b);
void mc_25519_sqr(uint32_t *r, const uint32_t *a);
void mc_25519_scale(uint32_t *r, const uint32_t *a, uint32_t c);
void mc_25519_add(uint32_t *r, const uint32_t *a, const uint32_t *b);
void mc_25519_sub(uint32_t *r, const uint32_t *a, const uint32_t *b);

static inline void copy_words(uint32_t *r, const uint32_t *a, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        r[i] = a[i];
    }
}

static inline void set_words(uint32_t *r, uint32_t value, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        r[i] = i == 0 ? value : 0;
    }
}

/* r = mask is -1 ? a : r */
static inline void choose_words(uint32_t *r, const uint32_t *a, uint32_t mask, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        r[i] ^= (r[i] ^ a[i]) & mask;
    }
}

/* -1 if a is 0, else 0 */
static inline uint32_t zero_words(const uint32_t *a, size_t words)
{
    uint32_t any = 0;
    for (size_t i = 0; i < words; ++i) {
        any |= a[i];
    }
    return ((any | (0u - any)) >> 31) - 1;
}

/* r = a - b; the borrow, 0 or 1 */
static inline uint32_t subtract_words(uint32_t *r, const uint32_t *a, const uint32_t *b,
                                      size_t words)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < words; ++i) {
        uint32_t x = a[i], d = x - b[i], under = x < b[i];
        r[i] = d - borrow;
        borrow = under | (d < borrow);
    }
    return borrow;
}

static inline void mul(mc_context *c, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    c->curve->mul(r, a, b, &c->p);
}

static inline void sqr(mc_context *c, uint32_t *r, const uint32_t *a)
{
    c->curve->sqr(r, a, &c->p);
}

static inline void add(mc_context *c, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    c->curve->add(r, a, b, c->p.m, c->p.n);
}

static inline void sub(mc_context *c, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    c->curve->sub(r, a, b, c->p.m, c->p.n);
}

static inline void copy(mc_context *c, uint32_t *r, const uint32_t *a)
{
    copy_words(r, a, c->words);
}

static inline void set(mc_context *c, uint32_t *r, uint32_t value)
{
    set_words(r, value, c->words);
}

static inline void choose(mc_context *c, uint32_t *r, const uint32_t *a, uint32_t mask)
{
    choose_words(r, a, mask, c->words);
}

static inline uint32_t is_zero(mc_context *c, const uint32_t *a)
{
    return zero_words(a, c->words);
}

static inline uint32_t subtract(mc_context *c, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    return subtract_words(r, a, b, c->words);
}

static inline void copy_point(mc_context *c, mc_point *r, const mc_point *p)
{
    copy(c, r->x, p->x);
    copy(c, r->y, p->y);
    copy(c, r->z, p->z);
}

#endif
