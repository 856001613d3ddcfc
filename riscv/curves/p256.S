/* SPDX-License-Identifier: Apache-2.0
 *
 * The field of P-256 in Montgomery's form, numbers of eight words below
 * p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
 *
 * void mc_p256_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])          r = a b / 2^256 mod p
 * void mc_p256_sqr(uint32_t r[8], const uint32_t a[8])                               r = a^2 / 2^256 mod p
 * void mc_p256_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])           r = a + b mod p
 * void mc_p256_sub(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])           r = a - b mod p
 *
 * r may be any of the operands. Time: constant. Stack: 96 bytes for a product and a square, else none.
 *
 * As p = -1 modulo 2^96, a digit of the quotient is the word that it makes zero. Digit q of word k adds
 * q to the words k + 3, k + 6 and k + 8 and takes it from word k + 7.
 */
#include "field.inc"

#define sum     s0      /* the carries of a column, which the next one takes */
#define one     s1      /* a single carry */
#define under   s2
#define borrow  s3

    /* to += each term; their carries are counted in `sum` */
    .macro  plus_more to, from:vararg
    .irp    term, \from
    plus    \to, \term, one
    add     sum, sum, one
    .endr
    .endm

    /* q = a word of the product, the carries from below and further terms: a digit of the quotient */
    .macro  digit q, at, from:vararg
    lw      \q, \at(sp)
    plus    \q, sum, sum
    plus_more \q, \from
    .endm

    /* A word of the result takes the register of digit q: q + word + carries from below + further terms. */
    .macro  column q, word, from:vararg
    plus    \word, sum, sum
    plus_more \q, \word
    .ifnb   \from
    plus_more \q, \from
    .endif
    .endm

    /* to -= from + borrow; borrow = the new one */
    .macro  minus to, from
    sltu    one, \to, \from
    sub     \to, \to, \from
    sltu    under, \to, borrow
    sub     \to, \to, borrow
    or      borrow, one, under
    .endm

    /* to -= from + v; v = the borrow */
    .macro  take to, from
    sltu    w, \to, \from
    sub     \to, \to, \from
    sltu    u, \to, v
    sub     \to, \to, v
    or      v, w, u
    .endm

    /* v = whether to < from + v, for a constant `from` in a register */
    .macro  below to, from
    sltu    w, \to, \from
    sub     u, \to, \from
    sltu    v, u, v
    or      v, v, w
    .endm

    .text
    .balign 32
    products mc_p256_mul, mc_p256_sqr, .Lreduce
    lw      w0, 0(sp)
    lw      w1, 4(sp)
    lw      w2, 8(sp)
    lw      w3, 12(sp)
    plus    w3, w0, sum
    digit   w4, 16, w1
    digit   w5, 20, w2
    digit   w6, 24, w3, w0
    digit   w7, 28, w4, w1
    sltu    borrow, w7, w0
    sub     w7, w7, w0
mc_p256_digits:
    column  w0, s8, w5, w2
    minus   w0, w1
    column  w1, s9, w6, w3
    minus   w1, w2
    column  w2, s10, w7, w4
    minus   w2, w3
    column  w3, s11, w5
    minus   w3, w4
    column  w4, t3, w6
    minus   w4, w5
    column  w5, t4, w7
    minus   w5, w6
    column  w6, t5
    minus   w6, w7
    column  w7, t6
    sltu    one, w7, borrow
    sub     w7, w7, borrow
    sub     carry, sum, one
    restore
    /* r = the number carry, w7 .. w0, which is below 2 p, less p unless it is below p. */
mc_p256_once:
    li      u, -1
    sltu    v, w0, u
    below   w1, u
    li      u, -1
    below   w2, u
    sltu    v, w3, v
    sltu    v, w4, v
    sltu    v, w5, v
    li      u, 1
    below   w6, u
    li      u, -1
    below   w7, u
    sltu    carry, carry, v         /* 1 if the number is below p */
    addi    b, carry, -1
    neg     carry, b
    sltu    v, w0, b
    sub     w0, w0, b
    take    w1, b
    take    w2, b
    sltu    u, w3, v
    sub     w3, w3, v
    sltu    v, w4, u
    sub     w4, w4, u
    sltu    u, w5, v
    sub     w5, w5, v
    mv      v, u
    take    w6, carry
    sub     w7, w7, b
    sub     w7, w7, v
    each_word store
    ret
    .size   mc_p256_sqr, . - mc_p256_sqr

    .macro  add_word to, at
    lw      w, \at(b)
    plus    w, carry, carry
    plus    \to, w, u
    add     carry, carry, u
    .endm

    .globl  mc_p256_add
    .type   mc_p256_add, @function
mc_p256_add:
    each_word load
    lw      w, 0(b)
    plus    w0, w, carry
    words_from_1 add_word
    j       mc_p256_once
    .size   mc_p256_add, . - mc_p256_add

    .macro  difference to, at
    lw      carry, \at(b)
    take    \to, carry
    .endm

    .globl  mc_p256_sub
    .type   mc_p256_sub, @function
mc_p256_sub:
    each_word load
    lw      w, 0(b)
    sltu    v, w0, w
    sub     w0, w0, w
    words_from_1 difference
    neg     b, v                    /* a mask: p is added if the difference is negative */
    mv      carry, v
    plus    w0, b, v
    .irp    k, w1, w2
    plus    \k, v, v
    plus    \k, b, u
    or      v, v, u
    .endr
    .irp    k, w3, w4, w5
    plus    \k, v, v
    .endr
    plus    w6, v, v
    plus    w6, carry, u
    or      v, v, u
    add     w7, w7, v
    add     w7, w7, b
    each_word store
    ret
    .size   mc_p256_sub, . - mc_p256_sub
