/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_rows(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 60 bytes.
 *
 * Operand scanning, unrolled: row by row, with eight words of b and the eight words of the sum that a row
 * adds to in registers. Longer numbers are done in strips of eight words of b, the rest in strips of
 * two. A row begins with the word of r that earlier strips have left: x * y + a word of the sum + a carry
 * word stays below 2^64, so that it takes the place of the first carry. Eight instructions a product,
 * three after each multiplication; loads and stores for each row only.
 */

#include "montcore_rv32.h"
#include "../bubble.inc"

#define r       a0      /* where the row's lowest word goes */
#define a       a1
#define b       a2
#define bytes   a3      /* of an operand */
#define a_end   a4
#define x       a5
#define c       a6      /* carry word */
#define lo      a7
#define hi      ra
#define sum     t0      /* lower half of a product and the carry word */
#define t       t1
#define u       t2

    .macro  mac y, from, to, before
    mul     lo, x, \y
    sltu    t, \before, sum
    add     c, hi, u
    bubble
    add     c, c, t
    mulhu   hi, x, \y
    add     sum, lo, c
    sltu    u, sum, c
    bubble
    add     \to, \from, sum
    .endm

    /* The first product of a row, whose lower word leaves. */
    .macro  mac_first y, from
    mul     lo, x, \y
    addi    a, a, 4
    bubble
    mulhu   hi, x, \y
    add     sum, lo, c
    add     lo, \from, sum
    sw      lo, 0(r)
    sltu    u, sum, c
    sltu    t, lo, sum
    .endm

    /* The second, which has its carry in t already. */
    .macro  mac_second y, from, to
    mul     lo, x, \y
    addi    r, r, 4
    add     c, hi, u
    bubble
    add     c, c, t
    mulhu   hi, x, \y
    add     sum, lo, c
    sltu    u, sum, c
    bubble
    add     \to, \from, sum
    .endm

    /* The row's highest word. */
    .macro  row_end to, before
    sltu    t, \before, sum
    add     t, t, u
    add     \to, hi, t
    .endm

    .text
    .balign 4
    .globl  mc_mul_rows
    .type   mc_mul_rows, @function
mc_mul_rows:
    beqz    a3, .Lrows_nothing
    addi    sp, sp, -60
    sw      ra, 56(sp)
    sw      s0, 52(sp)
    sw      s1, 48(sp)
    sw      s2, 44(sp)
    sw      s3, 40(sp)
    sw      s4, 36(sp)
    sw      s5, 32(sp)
    sw      s6, 28(sp)
    sw      s7, 24(sp)
    sw      s8, 20(sp)
    sw      s9, 16(sp)
    sw      s10, 12(sp)
    sw      s11, 8(sp)
    slli    bytes, a3, 3
    add     t0, b, bytes
    sw      t0, 4(sp)               /* where b ends */
    add     a_end, a, bytes
    add     t0, r, bytes
    mv      t, r
.Lrows_clear:                       /* the first strip has nothing to add to */
    sw      zero, 0(t)
    sw      zero, 4(t)
    addi    t, t, 8
    bne     t, t0, .Lrows_clear

.Lrows_strip:
    lw      t0, 4(sp)
    sub     t0, t0, b
    beqz    t0, .Lrows_done
    addi    t0, t0, -32
    bltz    t0, .Lrows_rest
    lw      s0, 0(b)
    lw      s1, 4(b)
    lw      s2, 8(b)
    lw      s3, 12(b)
    lw      s4, 16(b)
    lw      s5, 20(b)
    lw      s6, 24(b)
    lw      s7, 28(b)
    addi    b, b, 32
    li      s8, 0
    li      s9, 0
    li      s10, 0
    li      s11, 0
    li      t3, 0
    li      t4, 0
    li      t5, 0
    li      t6, 0
    .balign 4
.Lrows_row:
    lw      x, 0(a)
    lw      c, 0(r)
    mac_first  s0, s8
    mac_second s1, s9, s8
    mac     s2, s10, s9, s8
    mac     s3, s11, s10, s9
    mac     s4, t3, s11, s10
    mac     s5, t4, t3, s11
    mac     s6, t5, t4, t3
    mac     s7, t6, t5, t4
    row_end t6, t5
    bne     a, a_end, .Lrows_row
    sub     a, a, bytes
    sw      s8, 0(r)
    sw      s9, 4(r)
    sw      s10, 8(r)
    sw      s11, 12(r)
    sw      t3, 16(r)
    sw      t4, 20(r)
    sw      t5, 24(r)
    sw      t6, 28(r)
    sub     r, r, bytes
    addi    r, r, 32
    j       .Lrows_strip

    /* Less than eight words of b are left: two at a time. */
.Lrows_rest:
    lw      s0, 0(b)
    lw      s1, 4(b)
    addi    b, b, 8
    li      s8, 0
    li      s9, 0
.Lrows_rest_row:
    lw      x, 0(a)
    lw      c, 0(r)
    mac_first  s0, s8
    mac_second s1, s9, s8
    row_end s9, s8
    bne     a, a_end, .Lrows_rest_row
    sub     a, a, bytes
    sw      s8, 0(r)
    sw      s9, 4(r)
    sub     r, r, bytes
    addi    r, r, 8
    j       .Lrows_strip

.Lrows_done:
    lw      ra, 56(sp)
    lw      s0, 52(sp)
    lw      s1, 48(sp)
    lw      s2, 44(sp)
    lw      s3, 40(sp)
    lw      s4, 36(sp)
    lw      s5, 32(sp)
    lw      s6, 28(sp)
    lw      s7, 24(sp)
    lw      s8, 20(sp)
    lw      s9, 16(sp)
    lw      s10, 12(sp)
    lw      s11, 8(sp)
    addi    sp, sp, 60
.Lrows_nothing:
    ret
    .size   mc_mul_rows, . - mc_mul_rows
