/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_columns(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 36 bytes. No load beyond the operands.
 *
 * Product scanning by 64-bit blocks (riscv-2021, section 3): the blocks of a column are added up in
 * registers, then one limb of the result leaves. Beyond the paper:
 *   - Carries out of words 1, 2 and 3 of a column's sum are counted (k2, k3, k4) and added at the end of
 *     the column: six instructions a product, no chain longer than three.
 *   - A column is run through in the direction opposite to its predecessor's: the pointers stay where
 *     they are, x and y only change places.
 *   - The loop is cut after the fifth of the eight products of a block, so that the end of a column is
 *     worked on while the multiplier is busy with the next column (from `turn` on); operands are
 *     fetched one block ahead, never beyond a column.
 */
#include "montcore_rv32.h"
#include "../bubble.inc"

#define x       a1      /* one operand's limbs, upwards */
#define y       a2      /* and the other's, downwards */
#define x0      a4      /* the block: (x1 x0) * (y1 y0) */
#define x1      a5
#define y0      s0
#define y1      s1
#define cnt     a6      /* blocks of the column still to be fetched */
#define c0      t0      /* sum of the column: c3 c2 c1 c0 ... */
#define c1      t1
#define c2      t2
#define c3      t3
#define k2      t4      /* ... and carries at the weights of c2, c3 and one above */
#define k3      t5
#define k4      t6
#define lo      s2      /* halves of the last products */
#define hi      s3
#define t       s4
#define r       a0      /* where the column's limb goes */
#define n       a3
#define len     a7      /* blocks of the column */
#define step    s5      /* +1 while columns grow, -1 while they shrink */
#define turn_x  s6      /* from one operand's pointer to the other's next one */
#define turn_y  s7
#define u       ra

    .text
    .balign 4
    .globl  mc_mul_columns
    .type   mc_mul_columns, @function
mc_mul_columns:
    beqz    n, .Lnothing
    addi    sp, sp, -36
    sw      ra, 32(sp)
    sw      s0, 28(sp)
    sw      s1, 24(sp)
    lw      x0, 0(x)
    lw      y0, 0(y)
    sw      s2, 20(sp)
    sw      s3, 16(sp)
    sw      s4, 12(sp)
    sw      s5, 8(sp)
    sw      s6, 4(sp)
    sw      s7, 0(sp)
    addi    x, x, 8
    addi    y, y, -8
    addi    r, r, -8
    li      len, 1
    li      cnt, 0
    li      step, 1
    li      turn_x, 16
    li      turn_y, -8
    li      c2, 0
    li      c3, 0
    li      k2, 0
    li      k3, 0
    li      k4, 0
    li      hi, 0
    li      t, 0
    j       .Lfirst

    /* The largest column is done: from here on columns shrink. */
.Lflip:
    li      step, -1
    li      turn_x, 24
    li      turn_y, -16
    j       .Lflipped

    /* A loop over the rest of a column, cut after the fifth product of a block: from the last three products
     * of one block to the first five of the next. Entered at .Lblock_mul5 with `lo` = x1 * y0 on its way,
     * x and y at the next block; goes on behind its end in the same state, but with the carry of `hi` out of
     * c2 still to be counted. `cnt` counts the blocks down. */
    .balign 4
.Lblock:
    sltu    t, c2, hi
    add     k3, k3, t
.Lblock_mul5:
    mulhu   hi, x1, y0
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble
    lw      x0, 0(x)
    lw      y0, 0(y)

    mul     lo, x1, y1
    add     hi, hi, t
    add     c2, c2, hi
    bubble
    sltu    t, c2, hi
    add     k3, k3, t

    mulhu   hi, x1, y1
    add     c2, c2, lo
    sltu    t, c2, lo
    bubble
    addi    cnt, cnt, -1

    mul     lo, x0, y0
    add     hi, hi, t
    add     c3, c3, hi
    bubble
    sltu    t, c3, hi
    add     k4, k4, t

    mulhu   hi, x0, y0
    add     c0, c0, lo
    sltu    t, c0, lo
    bubble
    lw      y1, 4(y)
    lw      x1, 4(x)

    mul     lo, x0, y1
    add     hi, hi, t
    add     c1, c1, hi
    bubble
    sltu    t, c1, hi
    add     k2, k2, t

    mulhu   hi, x0, y1
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble
    addi    x, x, 8
    addi    y, y, -8

    mul     lo, x1, y0
    add     hi, hi, t
    add     c2, c2, hi
    bnez    cnt, .Lblock

    /* The column's last block is on its way. */
    sltu    t, c2, hi
    add     k3, k3, t
.Lturn_mul5:
    mulhu   hi, x1, y0
    add     c1, c1, lo
    sltu    t, c1, lo
    beq     len, n, .Lflip
.Lflipped:
    add     len, len, step
    add     u, y, turn_x

    mul     lo, x1, y1
    add     hi, hi, t
    add     c2, c2, hi
    beqz    len, .Ldone
    sltu    t, c2, hi
    add     k3, k3, t
    add     y, x, turn_y
    mv      x, u

    mulhu   hi, x1, y1
    add     c2, c2, lo
    sltu    t, c2, lo
    sw      c0, 0(r)
    lw      x0, -8(x)
    lw      y0, 8(y)
    sw      c1, 4(r)
    addi    cnt, len, -1

    /* The next column begins; of the old one only the sum's upper half remains. */
.Lfirst:
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
    lw      y1, 12(y)
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

    mulhu   hi, x0, y1
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble
    li      c3, 0
    li      k4, 0

    mul     lo, x1, y0
    add     hi, hi, t
    add     c2, c2, hi
    bubble
    sltu    k3, c2, hi
    bnez    cnt, .Lblock_mul5
    j       .Lturn_mul5

    /* The last column: the product fits, so that no carry leaves its upper word. */
.Ldone:
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
    lw      ra, 32(sp)
    lw      s0, 28(sp)
    lw      s1, 24(sp)
    lw      s2, 20(sp)
    lw      s3, 16(sp)
    lw      s4, 12(sp)
    lw      s5, 8(sp)
    lw      s6, 4(sp)
    lw      s7, 0(sp)
    addi    sp, sp, 36
.Lnothing:
    ret
    .size   mc_mul_columns, . - mc_mul_columns
