/* SPDX-License-Identifier: Apache-2.0
 *
 * Multiples of points.
 *
 * The formulas of an addition leave out equal points, opposite ones and infinity. Secret scalars are odd or are
 * replaced by n - k, and their digits are odd, so that before each addition one point is an even multiple of P
 * and the other an odd one, both below n but for the last addition. There, equal points are possible for some
 * scalars just below n, and one more doubling serves them (add_last). Infinity and opposite points would need
 * a result of 0. Where numbers are public, all of them are looked for.
 */
#include "curve.h"

/* r = 1 / a modulo p or the order, both in Montgomery form. */
void mc_invert_form(mc_context *c, uint32_t *r, const uint32_t *a, const mc_modulus *mod)
{
    mc_invert(r, a, mod == &c->p ? &c->curve->p : &c->curve->order, c->words);
    mc_montmul_raw(r, r, mod->rr, mod);
    mc_montmul_raw(r, r, mod->rr, mod);
}

/* p = p + q as mc_add_point has it, and right where the points are equal, in the same time. */
static void add_last(mc_context *c, mc_point *p, const mc_point *q, int flat)
{
    copy_point(c, &c->twice, p);
    mc_double_point(c, &c->twice);
    mc_add_point(c, p, q, flat);
    uint32_t equal = is_zero(c, c->a) & is_zero(c, c->b);
    choose(c, p->x, c->twice.x, equal);
    choose(c, p->y, c->twice.y, equal);
    choose(c, p->z, c->twice.z, equal);
}

void mc_look_up(uint32_t *to, const uint32_t *table, size_t words, size_t stride,
                uint32_t entries, uint32_t index)
{
    for (size_t i = 0; i < words; ++i) {
        const uint32_t *at = table + i;
        uint32_t sum = 0;
        for (uint32_t entry = 0; entry < entries; ++entry, at += stride) {
            sum |= *at & (uint32_t)((int32_t)((entry ^ index) - 1) >> 31);
        }
        to[i] = sum;
    }
}

/* With k odd, k = sum of e(i) 2^i for i < length, where e(i) is 1 if bit i + 1 of k is set or i is the
 * last, else -1. This is that bit. */
static uint32_t sign_of(const uint32_t *k, size_t words, size_t i, size_t length)
{
    if (i + 1 == length) {
        return 1;
    }
    return i + 1 < 32 * words ? k[(i + 1) >> 5] >> ((i + 1) & 31) & 1 : 0;
}

uint32_t mc_digit(uint32_t *negative, const uint32_t *k, size_t words, unsigned bits, size_t low,
                  size_t step, size_t length)
{
    uint32_t digit = 0;
    for (unsigned i = bits; i-- > 0;) {
        digit = digit << 1 | sign_of(k, words, low + i * step, length);
    }
    *negative = (digit >> (bits - 1)) - 1;
    return (digit ^ *negative) & (((uint32_t)1 << (bits - 1)) - 1);
}

/* c->entry = an entry of a table, negated where `negative` is -1. A coordinate is `gap` words after the
 * one before, and an entry `parts` of them after the one before. */
static void look_up(mc_context *c, const uint32_t *table, uint32_t entries, size_t parts,
                    size_t gap, uint32_t index, uint32_t negative)
{
    uint32_t *to[3] = {c->entry.x, c->entry.y, c->entry.z};
    for (size_t part = 0; part < parts; ++part) {
        mc_look_up(to[part], table + part * gap, c->words, parts * gap, entries, index);
    }
    set(c, c->a, 0);
    sub(c, c->a, c->a, c->entry.y);
    choose(c, c->entry.y, c->a, negative);
}

/* c->sum = k P for 0 < k < n, k in c->k, which is changed, and P in c->entry; of the base point with its
 * comb, if the curve has one. */
void mc_multiply(mc_context *c, int base)
{
    const mc_curve *curve = c->curve;
    uint32_t even = (c->k[0] & 1) - 1;
    subtract(c, c->t, c->order.m, c->k);
    choose(c, c->k, c->t, even); /* odd, as n is odd */

    int comb = base && curve->comb != 0;
    const uint32_t *table = (const uint32_t *)c->table;
    size_t parts = 3, gap = MC_WORDS, step = 1, doublings = MC_WINDOW;
    unsigned digits = MC_WINDOW;
    /* (32 words + 4) / 5; small cores have no division */
    size_t columns = (205 * (32 * c->words + MC_WINDOW - 1)) >> 10;
    if (comb) {
        table = curve->comb[0];
        parts = 2;
        gap = c->words;
        digits = MC_TEETH;
        step = columns = MC_COLUMNS;
        doublings = 1;
    } else { /* P, 3 P, 5 P, ... */
        copy_point(c, &c->table[0], &c->entry);
        mc_double_point(c, &c->entry);
        for (size_t i = 1; i < MC_HALF; ++i) {
            copy_point(c, &c->table[i], &c->table[i - 1]);
            mc_add_point(c, &c->table[i], &c->entry, 0);
        }
    }
    size_t length = columns * digits;
    for (size_t column = columns; column-- > 0;) {
        uint32_t negative, index = mc_digit(&negative, c->k, c->words, digits,
                                            comb ? column : column * MC_WINDOW, step, length);
        look_up(c, table, (uint32_t)1 << (digits - 1), parts, gap, index, negative);
        if (column == columns - 1) {
            if (comb) {
                copy(c, c->entry.z, curve->one);
            }
            copy_point(c, &c->sum, &c->entry);
            continue;
        }
        for (size_t i = 0; i < doublings; ++i) {
            mc_double_point(c, &c->sum);
        }
        if (column > 0) {
            mc_add_point(c, &c->sum, &c->entry, comb);
        } else {
            add_last(c, &c->sum, &c->entry, comb);
        }
    }
    set(c, c->a, 0);
    sub(c, c->a, c->a, c->sum.y);
    choose(c, c->sum.y, c->a, even);
}

void mc_set_base(mc_context *c)
{
    copy(c, c->entry.x, c->curve->base);
    copy(c, c->entry.y, c->curve->base + c->words);
    copy(c, c->entry.z, c->curve->one);
}

/* Divide out Z: x and y of c->sum as numbers. */
void mc_affine(mc_context *c)
{
    uint32_t *inverse = c->a, *one = c->b;
    mc_invert_form(c, inverse, c->sum.z, &c->p);
    set(c, one, 1);
    mul(c, c->c, inverse, inverse);
    mul(c, inverse, inverse, c->c);
    mul(c, c->c, c->c, one);
    mul(c, inverse, inverse, one);
    mul(c, c->sum.x, c->sum.x, c->c);
    mul(c, c->sum.y, c->sum.y, inverse);
}

void mc_digits_of(int8_t *digits, uint32_t *u, size_t words)
{
    for (size_t i = 0; i <= 32 * words; ++i) {
        int digit = 0;
        if (u[0] & 1) {
            digit = (int)(u[0] & 31);
            digit -= digit > 15 ? 32 : 0;
        }
        digits[i] = (int8_t)digit;
        /* u = (u - digit) / 2; a carry comes from the top only where u was close to it */
        uint32_t change = (uint32_t)-digit, extend = digit > 0 ? 0xffffffffu : 0, carry = 0;
        for (size_t k = 0; k < words; ++k) {
            uint32_t x = u[k] + carry, y = k == 0 ? change : extend;
            carry = x < carry;
            x += y;
            carry += x < y;
            u[k] = x;
        }
        uint32_t top = digit < 0 ? carry : 0;
        for (size_t k = words; k-- > 0;) {
            uint32_t low = u[k] & 1;
            u[k] = u[k] >> 1 | top << 31;
            top = low;
        }
    }
}

/* p = p + q for any points; Z = 0 is infinity. Its time tells which case it was. */
static void add_public(mc_context *c, mc_point *p, const mc_point *q)
{
    if (is_zero(c, p->z)) {
        copy_point(c, p, q);
        return;
    }
    copy_point(c, &c->twice, p);
    mc_add_point(c, p, q, 0);
    if (is_zero(c, c->a) & is_zero(c, c->b)) {
        copy_point(c, p, &c->twice);
        mc_double_point(c, p);
    }
}

/* c->sum = u P + v Q, P in c->sum and Q in c->entry, u and v in c->k and c->s, which are used up; in a time
 * that tells of them. */
void mc_multiply_public(mc_context *c)
{
    mc_digits_of(c->digits[0], c->k, c->words);
    mc_digits_of(c->digits[1], c->s, c->words);
    for (int which = 1; which >= 0; --which) {
        mc_point *table = c->table + 8 * which;
        if (which == 0) {
            copy_point(c, &c->entry, &c->sum);
        }
        copy_point(c, &table[0], &c->entry);
        mc_double_point(c, &c->entry);
        for (int i = 1; i < 8; ++i) {
            copy_point(c, &table[i], &table[i - 1]);
            add_public(c, &table[i], &c->entry);
        }
    }
    set(c, c->sum.z, 0);
    for (size_t i = 32 * c->words + 1; i-- > 0;) {
        if (!is_zero(c, c->sum.z)) {
            mc_double_point(c, &c->sum);
        }
        for (int which = 0; which < 2; ++which) {
            int digit = c->digits[which][i];
            if (digit != 0) {
                mc_point *entry = &c->table[8 * which + ((digit < 0 ? -digit : digit) >> 1)];
                copy_point(c, &c->entry, entry);
                if (digit < 0) {
                    set(c, c->a, 0);
                    sub(c, c->entry.y, c->a, entry->y);
                }
                add_public(c, &c->sum, &c->entry);
            }
        }
    }
}
