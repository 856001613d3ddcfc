/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by rows, which mul, sqr and redc share.
 *
 * A strip is two, four or eight words y of one operand, in registers. A row multiplies the strip by one
 * word x of the other: (word of r, s) = word of r + s + x y. The lowest word of the sum goes back to r, the
 * others stay in s, one place lower. x y + s + a word of r is below 2^(32 (words + 1)), so that the word of
 * r takes the place of the first carry, and no carry leaves the row's top.
 *
 * MONT_SMALL leaves out strips of four words, and squares a number by multiplying it with itself.
 *
 * Eight instructions a product, three after each multiplication. The two halves of a product and those of
 * the one before are in two pairs of registers in turn, A and B, so that additions are short instructions.
 */
#include "montcore_rv32.h"
#include "bubble.inc"

/* Words of the strips between those of eight and those of two; the small build has none. */
#if defined(MONT_SMALL)
#define MIDDLE  8
#else
#define MIDDLE  4
#endif

#define r       a0      /* where the row's lowest word goes */
#define a       a1      /* the words x */
#define back    a2      /* return address of rows */
#define lo_a    a3
#define hi_a    a4
#define x       a5
#define a_end   a6
#define lo_b    t0
#define hi_b    ra
#define t       t1      /* carries of the two additions of a product */
#define u       t2

    /* (to, hi) = x y + hi_before + u + t + from; `before` is the sum whose carry is still to be taken. */
    .macro  mac_on y, from, to, before, lo, hi, lo_before, hi_before
    mul     \lo, x, \y
    .ifc    \before, none
    addi    r, r, 4
    .else
    sltu    t, \before, \lo_before
    .endif
    add     \hi_before, \hi_before, u
    bubble
    add     \hi_before, \hi_before, t
    mulhu   \hi, x, \y
    add     \lo, \lo, \hi_before
    sltu    u, \lo, \hi_before
    bubble
    add     \to, \from, \lo
    .endm

    .macro  mac_a y, from, to, before
    mac_on  \y, \from, \to, \before, lo_a, hi_a, lo_b, hi_b
    .endm

    .macro  mac_b y, from, to, before
    mac_on  \y, \from, \to, \before, lo_b, hi_b, lo_a, hi_a
    .endm

    .macro  row_begin
    lw      x, 0(a)
    lw      hi_a, 0(r)
    .endm

    /* The first product of a row, whose lower word leaves. */
    .macro  mac_first
    row_begin
    mul     lo_b, x, s0
    .option push
    .option norvc                       /* VexRiscv's loop is a cycle slower where `bne` is aligned */
    addi    a, a, 4
    .option pop
    bubble
    mulhu   hi_b, x, s0
    add     lo_b, lo_b, hi_a
    sltu    u, lo_b, hi_a
    add     hi_a, s8, lo_b
    sw      hi_a, 0(r)
    sltu    t, hi_a, lo_b
    .endm

    /* A row's products from the second on, for a strip of 2, 4 or 8 words. */
    .macro  macs words
    mac_a   s1, s9, s8, none
    .if     \words == 2
    row_end s9, s8
    .else
    mac_b   s2, s10, s9, s8
    mac_a   s3, s11, s10, s9
    .if     \words == 4
    row_end s11, s10
    .else
    mac_b   s4, t3, s11, s10
    mac_a   s5, t4, t3, s11
    mac_b   s6, t5, t4, t3
    mac_a   s7, t6, t5, t4
    row_end t6, t5
    .endif
    .endif
    .endm

    .macro  row_end to, before
    sltu    t, \before, lo_a
    add     hi_a, hi_a, u
    add     \to, hi_a, t
    .endm

    .macro  save bytes
    addi    sp, sp, -\bytes
    sw      ra, \bytes - 4(sp)
    .irp    k, 0,1,2,3,4,5,6,7,8,9,10,11
    sw      s\k, \bytes - 52 + 4*\k(sp)
    .endr
    .endm

    .macro  restore bytes
    lw      ra, \bytes - 4(sp)
    .irp    k, 0,1,2,3,4,5,6,7,8,9,10,11
    lw      s\k, \bytes - 52 + 4*\k(sp)
    .endr
    addi    sp, sp, \bytes
    .endm

    /* r[0 .. bytes) = 0 and s = 0. */
    .macro  clear bytes
    mv      t, r
    add     u, r, \bytes
1:
    sw      zero, 0(t)
    sw      zero, 4(t)
    addi    t, t, 8
    bne     t, u, 1b
    .endm

    .macro  clear_sum
    .irp    reg, s8, s9, s10, s11, t3, t4, t5, t6
    li      \reg, 0
    .endr
    .endm

    .macro  store_upper                 /* what a strip of eight has beyond one of four */
    sw      t6, 28(r)
    sw      t5, 24(r)
    sw      t4, 20(r)
    sw      t3, 16(r)
    .endm

    .macro  store_middle                /* and that beyond one of two */
    sw      s11, 12(r)
    sw      s10, 8(r)
    .endm

    .macro  store_lower
    sw      s9, 4(r)
    sw      s8, 0(r)
    .endm

#include "mul.inc"
#include "sqr.inc"
#include "redc.inc"
