/* SPDX-License-Identifier: Apache-2.0
 *
 * The field of 2^255 - 19, numbers of eight words below 2^256, of which several stand for one element.
 *
 * void mc_25519_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])    r = a b
 * void mc_25519_sqr(uint32_t r[8], const uint32_t a[8])                         r = a^2
 * void mc_25519_scale(uint32_t r[8], const uint32_t a[8], uint32_t c)           r = c a, c < 2^24
 * void mc_25519_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])    r = a + b
 * void mc_25519_sub(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])    r = a - b
 *
 * r may be any of the operands. Time: constant. Stack: 96 bytes for a product and a square, else none.
 *
 * 2^256 = 38: what a number has above 256 bits is multiplied by 38 and added to it. Where that leaves a
 * carry again, the number has become so small that another 38 carries no further than the lowest word.
 */
#include "field.inc"

    /* to += carry, with its carry in `carry` */
    .macro  carry_on to, at
    plus    \to, carry, carry
    .endm

    /* to = word of the product + 38 high + carry; carry = the rest */
    .macro  fold to, at, high
    mul     s0, \high, s2
    mulhu   s1, \high, s2
    lw      \to, \at(sp)
    plus    s0, s3, s3
    add     s3, s3, s1
    plus    \to, s0, s0
    add     s3, s3, s0
    .endm

    .text
    .balign 32
    products mc_25519_mul, mc_25519_sqr, .Lreduce
    li      s2, 38
    lw      w0, 0(sp)
    mul     s0, s8, s2
    mulhu   s3, s8, s2
    plus    w0, s0, s0
    add     s3, s3, s0
    fold    w1, 4, s9
    fold    w2, 8, s10
    fold    w3, 12, s11
    fold    w4, 16, t3
    fold    w5, 20, t4
    fold    w6, 24, t5
    fold    w7, 28, t6
    mv      carry, s3
    mv      b, s2
    restore
mc_25519_top:                           /* b = 38, carry is what is above 256 bits: below 2^26 */
    mul     carry, carry, b
mc_25519_fold:
    each_word carry_on
mc_25519_last:
    neg     carry, carry
    and     carry, carry, b
    add     w0, w0, carry
    each_word store
    ret
    .size   mc_25519_sqr, . - mc_25519_sqr

    .macro  scaled to, at
    lw      w, \at(a)
    mul     \to, w, b
    mulhu   w, w, b
    plus    \to, carry, carry
    add     carry, carry, w
    .endm

    .globl  mc_25519_scale
    .type   mc_25519_scale, @function
mc_25519_scale:
    lw      w, 0(a)
    mul     w0, w, b
    mulhu   carry, w, b
    words_from_1 scaled
    li      b, 38
    j       mc_25519_top
    .size   mc_25519_scale, . - mc_25519_scale

    .macro  sum to, at
    lw      \to, \at(a)
    lw      w, \at(b)
    plus    \to, carry, carry
    plus    \to, w, u
    or      carry, carry, u
    .endm

    .globl  mc_25519_add
    .type   mc_25519_add, @function
mc_25519_add:
    lw      w0, 0(a)
    lw      w, 0(b)
    plus    w0, w, carry
    words_from_1 sum
    li      b, 38
    neg     carry, carry
    and     carry, carry, b
    j       mc_25519_fold
    .size   mc_25519_add, . - mc_25519_add

    .macro  difference to, at
    lw      \to, \at(a)
    lw      w, \at(b)
    sltu    u, \to, carry
    sub     \to, \to, carry
    sltu    carry, \to, w
    sub     \to, \to, w
    or      carry, carry, u
    .endm

    .macro  borrow_on to, at
    sltu    u, \to, carry
    sub     \to, \to, carry
    mv      carry, u
    .endm

    .globl  mc_25519_sub
    .type   mc_25519_sub, @function
mc_25519_sub:
    lw      w0, 0(a)
    lw      w, 0(b)
    sltu    carry, w0, w
    sub     w0, w0, w
    words_from_1 difference
    li      b, 38
    neg     carry, carry
    and     carry, carry, b
mc_25519_unfold:
    each_word borrow_on
mc_25519_under:
    neg     carry, carry
    and     carry, carry, b
    sub     w0, w0, carry
    each_word store
    ret
    .size   mc_25519_sub, . - mc_25519_sub
