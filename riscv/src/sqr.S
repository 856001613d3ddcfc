/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_sqr_raw(uint32_t *r, const uint32_t *a, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1]^2,  n limbs of 64 bits, least significant word first
 *
 * Precondition: r does not overlap a. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 52 bytes. No load beyond the operand.
 *
 * First the blocks a[i] * a[j] with i < j, by columns as in mc_mul_raw; then one pass over the limbs
 * adds the products of the two words within a limb, doubles, and adds the squares of the words.
 */
#include "montcore_rv32.h"
#include "block.inc"

#define r       a0
#define last    a3      /* n - 1 */
#define len     a7      /* 1, 2 .. n-1 and down again; a column has (len + 1) / 2 blocks */
#define step    s5
#define grow_x  s6      /* what the columns' ends move by */
#define grow_y  s7
#define start_x s8
#define start_y s9
#define u       ra

    .text
    .balign 4
    .globl  mc_sqr_raw
    .type   mc_sqr_raw, @function
mc_sqr_raw:
    beqz    a2, .Lsqr_nothing
    addi    sp, sp, -52
    sw      ra, 40(sp)
    sw      s0, 36(sp)
    sw      s1, 32(sp)
    sw      s2, 28(sp)
    sw      s3, 24(sp)
    sw      s4, 20(sp)
    sw      s5, 16(sp)
    sw      s6, 12(sp)
    sw      s7, 8(sp)
    sw      s8, 4(sp)
    sw      s9, 0(sp)
    sw      a0, 44(sp)
    sw      a1, 48(sp)
    addi    last, a2, -1
    sw      zero, 0(r)              /* the columns leave out the lowest and the highest limb */
    sw      zero, 4(r)
    slli    t, last, 4
    add     t, t, r
    sw      zero, 8(t)
    sw      zero, 12(t)
    beqz    last, .Lsqr_limbs
    lw      x0, 0(x)
    lw      y0, 8(x)
    mv      start_x, x
    addi    start_y, x, 8
    addi    x, x, 8
    li      len, 1
    li      cnt, 0
    li      step, 1
    li      grow_x, 0
    li      grow_y, 8
    li      c2, 0
    li      c3, 0
    li      k2, 0
    li      k3, 0
    li      k4, 0
    li      hi, 0
    li      t, 0
    j       .Lsqr_first

.Lsqr_flip:
    li      step, -1
    li      grow_x, 8
    li      grow_y, 0
    j       .Lsqr_flipped

    block_loop

    sltu    t, c2, hi
    add     k3, k3, t
.Lsqr_turn:
    mulhu   hi, x1, y0
    add     c1, c1, lo
    sltu    t, c1, lo
    beq     len, last, .Lsqr_flip
.Lsqr_flipped:
    add     len, len, step
    add     start_x, start_x, grow_x

    mul     lo, x1, y1
    add     hi, hi, t
    add     c2, c2, hi
    beqz    len, .Lsqr_done
    sltu    t, c2, hi
    add     k3, k3, t
    add     start_y, start_y, grow_y
    addi    x, start_x, 8

    mulhu   hi, x1, y1
    add     c2, c2, lo
    sltu    t, c2, lo
    sw      c0, 0(r)
    lw      x0, -8(x)
    lw      y0, 0(start_y)
    sw      c1, 4(r)
    addi    cnt, len, -1

.Lsqr_first:
    mul     lo, x0, y0
    add     hi, hi, t
    add     c3, c3, hi
    bubble
    sltu    t, c3, hi
    add     k4, k4, t
    add     c0, c2, k2
    sltu    t, c0, k2

    mulhu   hi, x0, y0
    add     k3, k3, t
    add     c0, c0, lo
    bubble
    sltu    t, c0, lo
    lw      y1, 4(start_y)
    lw      x1, -4(x)
    add     c1, c3, k3
    sltu    u, c1, k3
    add     c2, k4, u

    mul     lo, x0, y1
    add     hi, hi, t
    add     c1, c1, hi
    bubble
    sltu    k2, c1, hi
    addi    r, r, 8
    srli    cnt, cnt, 1

    mulhu   hi, x0, y1
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble
    li      c3, 0
    li      k4, 0
    addi    y, start_y, -8

    mul     lo, x1, y0
    add     hi, hi, t
    add     c2, c2, hi
    bubble
    sltu    k3, c2, hi
    bnez    cnt, .Lblock_mul5
    j       .Lsqr_turn

.Lsqr_done:
    mulhu   u, x1, y1
    sltu    t, c2, hi
    add     k3, k3, t
    sw      c0, 0(r)
    add     c2, c2, lo
    sltu    t, c2, lo
    sw      c1, 4(r)
    add     k3, k3, t
    add     c2, c2, k2
    sw      c2, 8(r)
    sltu    t, c2, k2
    add     k3, k3, t
    add     k3, k3, u
    sw      k3, 12(r)

    /* Limb by limb, two limbs of r each: w = 2 * (w + x0 * x1 * 2^32) + x0^2 + x1^2 * 2^64. */
.Lsqr_limbs:
    lw      r, 44(sp)
    lw      x, 48(sp)
    addi    cnt, last, 1
    lw      x0, 0(x)
    lw      x1, 4(x)
    li      k2, 0                   /* carry of the sum in the brackets */
    li      k3, 0                   /* bit that the doubling shifts out */
    li      k4, 0                   /* carry of the squares */
.Lsqr_limb:
    mul     lo, x0, x1
    lw      c0, 0(r)
    lw      c1, 4(r)
    addi    x, x, 8
    mulhu   hi, x0, x1
    lw      c2, 8(r)
    lw      c3, 12(r)
    add     c0, c0, k2
    sltu    t, c0, k2
    mul     y0, x0, x0
    add     c1, c1, t
    sltu    t, c1, t
    addi    cnt, cnt, -1
    add     c1, c1, lo
    sltu    u, c1, lo
    mulhu   y1, x0, x0
    add     t, t, u
    add     hi, hi, t
    bubble
    add     c2, c2, hi
    sltu    t, c2, hi
    mul     lo, x1, x1
    add     c3, c3, t
    sltu    k2, c3, t
    bubble
    slli    t, c0, 1
    or      t, t, k3
    mulhu   hi, x1, x1
    srli    k3, c0, 31
    add     c0, t, k4
    sltu    t, c0, k4
    add     c0, c0, y0
    sltu    u, c0, y0
    sw      c0, 0(r)
    add     t, t, u
    add     y1, y1, t               /* the upper half of a product is below 2^32 - 1 */
    slli    t, c1, 1
    or      t, t, k3
    srli    k3, c1, 31
    add     c1, t, y1
    sltu    u, c1, y1
    sw      c1, 4(r)
    slli    t, c2, 1
    or      t, t, k3
    srli    k3, c2, 31
    add     c2, t, u
    sltu    t, c2, u
    add     c2, c2, lo
    sltu    u, c2, lo
    sw      c2, 8(r)
    add     t, t, u
    add     hi, hi, t
    slli    t, c3, 1
    or      t, t, k3
    srli    k3, c3, 31
    add     c3, t, hi
    sltu    k4, c3, hi
    sw      c3, 12(r)
    beqz    cnt, .Lsqr_end
    addi    r, r, 16
    lw      x0, 0(x)
    lw      x1, 4(x)
    j       .Lsqr_limb
.Lsqr_end:
    lw      ra, 40(sp)
    lw      s0, 36(sp)
    lw      s1, 32(sp)
    lw      s2, 28(sp)
    lw      s3, 24(sp)
    lw      s4, 20(sp)
    lw      s5, 16(sp)
    lw      s6, 12(sp)
    lw      s7, 8(sp)
    lw      s8, 4(sp)
    lw      s9, 0(sp)
    addi    sp, sp, 52
.Lsqr_nothing:
    ret
    .size   mc_sqr_raw, . - mc_sqr_raw
