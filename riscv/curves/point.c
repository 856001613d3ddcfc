/* SPDX-License-Identifier: Apache-2.0
 *
 * Doubling and addition of points in Jacobian coordinates (X / Z^2, Y / Z^3): what takes the time.
 */
#include "curve.h"

/* a = a / 2 mod p */
static void halve(mc_context *c, uint32_t *a)
{
    uint32_t mask = 0u - (a[0] & 1), carry = 0, low = 0;
    const uint32_t *m = c->p.m;
    for (size_t i = 0; i < c->words; ++i) {
        uint32_t x = a[i] + carry, y = m[i] & mask;
        carry = x < carry;
        x += y;
        carry += x < y;
        if (i > 0) {
            a[i - 1] = low | x << 31;
        }
        low = x >> 1;
    }
    a[c->words - 1] = low | carry << 31;
}

/* p = 2 p: four products, four squares */
void mc_double_point(mc_context *c, mc_point *p)
{
    uint32_t *a = c->a, *b = c->b;
    if (c->curve->minus_3) {
        sqr(c, a, p->z);
        sub(c, b, p->x, a);
        add(c, a, p->x, a);
        mul(c, b, a, b);
    } else {
        sqr(c, b, p->x);
    }
    add(c, a, b, b);
    add(c, b, a, b); /* 3 X^2 + a Z^4 */
    add(c, p->y, p->y, p->y);
    mul(c, p->z, p->y, p->z); /* 2 Y Z */
    sqr(c, p->y, p->y);       /* 4 Y^2 */
    mul(c, a, p->x, p->y);    /* 4 X Y^2 */
    sqr(c, p->y, p->y);
    halve(c, p->y); /* 8 Y^4 */
    sqr(c, p->x, b);
    sub(c, p->x, p->x, a);
    sub(c, p->x, p->x, a);
    sub(c, a, a, p->x);
    mul(c, a, a, b);
    sub(c, p->y, a, p->y);
}

/* p = p + q for points of which neither is infinity, and that are neither equal nor opposite; what their
 * x and y differ by is left in c->a and c->b. `flat`: Z of q is 1. 12 or 8 products, 4 or 3 squares. */
void mc_add_point(mc_context *c, mc_point *p, const mc_point *q, int flat)
{
    uint32_t *h = c->a, *r = c->b, *s = c->c, *t = c->d;
    if (!flat) {
        sqr(c, s, q->z);
        mul(c, p->x, p->x, s);
        mul(c, s, s, q->z);
        mul(c, p->y, p->y, s);
    }
    sqr(c, s, p->z);
    mul(c, h, q->x, s);
    sub(c, h, h, p->x);
    mul(c, s, s, p->z);
    mul(c, r, q->y, s);
    sub(c, r, r, p->y);
    mul(c, p->z, p->z, h);
    if (!flat) {
        mul(c, p->z, p->z, q->z);
    }
    sqr(c, s, h);
    mul(c, t, s, h);
    mul(c, p->y, p->y, t);
    mul(c, s, p->x, s);
    sqr(c, p->x, r);
    sub(c, p->x, p->x, t);
    sub(c, p->x, p->x, s);
    sub(c, p->x, p->x, s);
    sub(c, s, s, p->x);
    mul(c, s, s, r);
    sub(c, p->y, s, p->y);
}
