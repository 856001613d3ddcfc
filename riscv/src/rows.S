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
 * Eight instructions a product, three after each multiplication. A row begins before the highest word of
 * the one before is complete. The two halves of a product and those of the one before are in two pairs of
 * registers in turn, A and B, so that additions are short instructions.
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
#define PAIR_A  lo_a, hi_a, lo_b, hi_b      /* a product, and the one before */
#define PAIR_B  lo_b, hi_b, lo_a, hi_a

    /* (to, hi) = x y + hi_before + u + t + from; `before` is the sum whose carry is still to be taken. */
    .macro  mac_on y, from, to, before, lo, hi, lo_before, hi_before, last
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
    .ifb    \last
    bubble
    .endif
    add     \to, \from, \lo
    .endm

    .macro  row_begin
    lw      x, 0(a)
    lw      hi_a, 0(r)
    .endm

    /* The first product of a row, whose lower word leaves. */
    .macro  mac_first
    row_begin
    mul     lo_b, x, s0
    addi    a, a, 4
    bubble
    mac_low
    .endm

    .macro  mac_low
    mulhu   hi_b, x, s0
    add     lo_b, lo_b, hi_a
    add     lo_a, s8, lo_b
    sw      lo_a, 0(r)
    sltu    u, lo_b, hi_a
    sltu    t, lo_a, lo_b
    .endm

    .macro  more words, at, operands:vararg
    .if     \words > \at
    mac_on  \operands
    .endif
    .endm

    /* A row's products from the second on. */
    .macro  macs words, last
    more    \words, 1, s1, s9, s8, none, PAIR_A
    more    \words, 2, s2, s10, s9, s8, PAIR_B
    more    \words, 3, s3, s11, s10, s9, PAIR_A
    more    \words, 4, s4, t3, s11, s10, PAIR_B
    more    \words, 5, s5, t4, t3, s11, PAIR_A
    more    \words, 6, s6, t5, t4, t3, PAIR_B
    more    \words, 7, s7, t6, t5, t4, PAIR_A, \last
    .endm

    /* The end of a row: its highest word from the last product and two carries. With `begin` the next
     * row's first multiplication is among them. */
    .macro  row_end to, before, begin
    sltu    t, \before, lo_a
    .ifnb   \begin
    early(mul lo_b, x, s0)
    .endif
    add     hi_a, hi_a, u
    add     \to, hi_a, t
    .endm

    /* The frame of every routine. A product or square that a reduction follows leaves it its frame:
     * 0(sp) is where the result goes, and 4(sp) the modulus, or 0 if no reduction follows. */
    .macro  save
    addi    sp, sp, -80
    sw      ra, 76(sp)
    .irp    k, 0,1,2,3,4,5,6,7,8,9,10,11
    sw      s\k, 28 + 4*\k(sp)
    .endr
    .endm

    .macro  restore
    lw      ra, 76(sp)
    .irp    k, 0,1,2,3,4,5,6,7,8,9,10,11
    lw      s\k, 28 + 4*\k(sp)
    .endr
    addi    sp, sp, 80
    .endm

    /* r[0 .. bytes) = 0, and 8 bytes more where `bytes` is no multiple of 16: r is twice as long. */
    .macro  clear bytes
    mv      t, r
    add     u, r, \bytes
1:
    .irp    k, 0,4,8,12
    sw      zero, \k(t)
    .endr
    addi    t, t, 16
    bltu    t, u, 1b
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
