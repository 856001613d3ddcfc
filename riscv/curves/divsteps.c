/* SPDX-License-Identifier: Apache-2.0
 *
 * Inverses modulo an odd number, by the division steps of Bernstein and Yang ("Fast constant-time gcd
 * computation and modular inversion", 2019): the same steps for all numbers of a length.
 *
 * A step takes (delta, f, g), f odd, to (1 - delta, g, (g - f) / 2) if delta > 0 and g is odd, and to
 * (1 + delta, f, (g + f (g mod 2)) / 2) if not. Thirty of them look only at the lowest thirty bits; as a
 * matrix over 2^30 they are then applied to f and g, and modulo m to d and e with d a = f and e a = g.
 * After (49 bits + 57) / 17 steps g is 0 and f is 1 or -1, by theorem 11.2 of the paper for 46 bits or more.
 */
#include "curve.h"

enum { LIMB = 30, LIMBS = (32 * MC_WORDS + 2 + LIMB - 1) / LIMB };

static const uint32_t MASK = ((uint32_t)1 << LIMB) - 1;

/* A number in limbs of thirty bits, of which the highest has the sign. */
typedef struct {
    int32_t limb[LIMBS];
} number;

typedef struct {
    int32_t u, v, q, r; /* f' = (u f + v g) / 2^30, g' = (q f + r g) / 2^30 */
} matrix;

static void from_words(number *to, const uint32_t *from, size_t words, size_t limbs)
{
    for (size_t i = 0; i < limbs; ++i) {
        size_t word = i * LIMB >> 5, shift = i * LIMB & 31;
        uint32_t value = word < words ? from[word] >> shift : 0;
        if (shift > 2 && word + 1 < words) {
            value |= from[word + 1] << (32 - shift);
        }
        to->limb[i] = (int32_t)(value & MASK);
    }
}

static void to_words(uint32_t *to, const number *from, size_t words, size_t limbs)
{
    uint64_t bits = 0;
    size_t count = 0, limb = 0;
    for (size_t i = 0; i < words; ++i) {
        while (count < 32 && limb < limbs) {
            bits |= (uint64_t)(uint32_t)from->limb[limb++] << count;
            count += LIMB;
        }
        to[i] = (uint32_t)bits;
        bits >>= 32;
        count -= 32;
    }
}

/* Thirty steps on the lowest limbs of f and g; the new delta. */
static int32_t steps(matrix *t, int32_t delta, uint32_t f, uint32_t g)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
    for (int i = 0; i < LIMB; ++i) {
        uint32_t odd = 0u - (g & 1);
        uint32_t swap = odd & (uint32_t)(-delta >> 31); /* and delta > 0 */
        g += ((f ^ swap) - swap) & odd;
        q += ((u ^ swap) - swap) & odd;
        r += ((v ^ swap) - swap) & odd;
        delta = (int32_t)(((uint32_t)delta ^ swap) - swap) + 1;
        f += g & swap; /* f + (g - f) */
        u += q & swap;
        v += r & swap;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    t->u = (int32_t)u;
    t->v = (int32_t)v;
    t->q = (int32_t)q;
    t->r = (int32_t)r;
    return delta;
}

/* (x, y) = t (x, y) / 2^30; modulo m, unless it is NULL, with multiples of m that make it exact, where
 * `inverse` = 1 / m modulo 2^30. x and y then stay above -2 m and below m. No branch depends on m,
 * which is secret where RSA blinds: it is the random number w. */
static void apply(const matrix *t, number *x, number *y, const number *m, uint32_t inverse,
                  size_t limbs)
{
    int32_t sign_x = x->limb[limbs - 1] >> 31, sign_y = y->limb[limbs - 1] >> 31;
    int32_t more_x = 0, more_y = 0; /* of m */
    int64_t sum_x = (int64_t)t->u * x->limb[0] + (int64_t)t->v * y->limb[0];
    int64_t sum_y = (int64_t)t->q * x->limb[0] + (int64_t)t->r * y->limb[0];
    if (m != NULL) {
        more_x = (t->u & sign_x) + (t->v & sign_y);
        more_y = (t->q & sign_x) + (t->r & sign_y);
        more_x -= (int32_t)((inverse * (uint32_t)sum_x + (uint32_t)more_x) & MASK);
        more_y -= (int32_t)((inverse * (uint32_t)sum_y + (uint32_t)more_y) & MASK);
        sum_x += (int64_t)m->limb[0] * more_x;
        sum_y += (int64_t)m->limb[0] * more_y;
    }
    for (size_t i = 1; i < limbs; ++i) {
        sum_x = (sum_x >> LIMB) + (int64_t)t->u * x->limb[i] + (int64_t)t->v * y->limb[i];
        sum_y = (sum_y >> LIMB) + (int64_t)t->q * x->limb[i] + (int64_t)t->r * y->limb[i];
        if (m != NULL) {
            sum_x += (int64_t)m->limb[i] * more_x;
            sum_y += (int64_t)m->limb[i] * more_y;
        }
        x->limb[i - 1] = (int32_t)((uint32_t)sum_x & MASK);
        y->limb[i - 1] = (int32_t)((uint32_t)sum_y & MASK);
    }
    x->limb[limbs - 1] = (int32_t)(sum_x >> LIMB);
    y->limb[limbs - 1] = (int32_t)(sum_y >> LIMB);
}

/* x = x + m if it is negative, before that -x if `negate` is -1. */
static void correct(number *x, const number *m, int32_t negate, size_t limbs)
{
    int32_t add = x->limb[limbs - 1] >> 31, carry = 0;
    for (size_t i = 0; i < limbs; ++i) {
        int32_t value = x->limb[i] + (m->limb[i] & add);
        carry += (value ^ negate) - negate;
        x->limb[i] = i + 1 < limbs ? carry & (int32_t)MASK : carry;
        carry >>= LIMB;
    }
}

void mc_invert(uint32_t *r, const uint32_t *a, const struct mc_prime *prime, size_t words)
{
    size_t limbs = 0; /* no division: there are cores without, such as picorv32 by default */
    while (LIMB * limbs < 32 * words + 2) {
        ++limbs;
    }
    number m, f, g, d, e;
    matrix t;
    from_words(&m, prime->m, words, limbs);
    from_words(&g, a, words, limbs);
    for (size_t i = 0; i < limbs; ++i) {
        f.limb[i] = m.limb[i];
        d.limb[i] = 0;
        e.limb[i] = i == 0;
    }
    int32_t delta = 1;
    for (size_t done = 0; 17 * (done + 1) <= 49 * 32 * words + 57; done += LIMB) {
        delta = steps(&t, delta, (uint32_t)f.limb[0], (uint32_t)g.limb[0]);
        apply(&t, &d, &e, &m, (0u - prime->n0[0]) & MASK, limbs);
        apply(&t, &f, &g, NULL, 0, limbs);
    }
    /* d is between -2 m and m, and f is 1 or -1; for a = 0 d is 0, and f is m. */
    correct(&d, &m, f.limb[limbs - 1] >> 31, limbs);
    correct(&d, &m, 0, limbs);
    to_words(r, &d, words, limbs);
    mc_wipe(&f, sizeof f);
    mc_wipe(&g, sizeof g);
    mc_wipe(&d, sizeof d);
    mc_wipe(&e, sizeof e);
    mc_wipe(&t, sizeof t);
}
