/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_redc_raw(uint32_t *r, uint32_t *w, const uint32_t *m, size_t n, const uint32_t n0[2])
 *
 *   r[0 .. 2n-1] = w[0 .. 4n-1] * R^-1 mod m,  R = 2^(64n),  n0 = -m^-1 mod 2^64
 *
 * Precondition: n >= 1, m odd, w < m * R; r overlaps neither m nor the lower half of w.
 * w is used up. Time: depends on n alone. Stack: 64 bytes.
 *
 * By columns like mc_mul_raw: column k of the first n adds the blocks q[i] * m[k-i], i < k, takes
 * q[k] = sum * n0 mod 2^64, keeps it in place of w[k] and adds q[k] * m[0], which leaves a limb of
 * zeros; the others give the result's limbs. At the end m is subtracted once, and one of the
 * two is taken by a mask.
 */
#include "montcore_rv32.h"
#include "block.inc"

#define r       a0      /* w[k]; for `bubble` only that it is a register */
#define m       a3
#define n0_0    s5
#define n0_1    s6
#define start_x s7      /* where the column's blocks begin */
#define start_y s8
#define blocks  s9      /* and how many there are */
#define left    s10     /* columns of the half still to do */
#define c4      s11
#define u       a7
#define back    ra

    .text
    .balign 4
    /* (c4 c3 c2 c1 c0) += the sum of `cnt` >= 1 blocks from x upwards and from y downwards. */
    .type   run_blocks, @function
run_blocks:
    lw      x0, 0(x)
    lw      y0, 0(y)
    lw      y1, 4(y)
    lw      x1, 4(x)
    mul     lo, x0, y0
    addi    cnt, cnt, -1
    addi    x, x, 8
    bubble
    addi    y, y, -8
    li      k4, 0

    mulhu   hi, x0, y0
    add     c0, c0, lo
    sltu    t, c0, lo
    bubble

    mul     lo, x0, y1
    add     hi, hi, t
    add     c1, c1, hi
    bubble
    sltu    k2, c1, hi

    mulhu   hi, x0, y1
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble

    mul     lo, x1, y0
    add     hi, hi, t
    add     c2, c2, hi
    bubble
    sltu    k3, c2, hi
    bnez    cnt, .Lblock_mul5
    j       .Lredc_tail

    block_loop

    sltu    t, c2, hi
    add     k3, k3, t
.Lredc_tail:
    mulhu   hi, x1, y0
    add     c1, c1, lo
    sltu    t, c1, lo
    bubble

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
    add     c2, c2, k2
    sltu    u, c2, k2
    add     k3, k3, u

    add     c4, c4, k4
    add     hi, hi, t
    add     c3, c3, hi
    sltu    t, c3, hi
    add     c4, c4, t
    add     c3, c3, k3
    sltu    t, c3, k3
    add     c4, c4, t
    jr      back
    .size   run_blocks, . - run_blocks

    /* The sum moves down a limb; the next limb of w is added to it. */
    .macro  next_column
    lw      lo, 0(r)
    lw      hi, 4(r)
    add     c0, c2, lo
    sltu    t, c0, lo
    add     c1, c3, hi
    sltu    u, c1, hi
    add     c1, c1, t
    sltu    t, c1, t
    add     c2, c4, u
    add     c2, c2, t
    li      c3, 0
    li      c4, 0
    .endm

    .globl  mc_redc_raw
    .type   mc_redc_raw, @function
mc_redc_raw:
    addi    sp, sp, -64
    sw      ra, 60(sp)
    sw      s0, 56(sp)
    sw      s1, 52(sp)
    sw      s2, 48(sp)
    sw      s3, 44(sp)
    sw      s4, 40(sp)
    sw      s5, 36(sp)
    sw      s6, 32(sp)
    sw      s7, 28(sp)
    sw      s8, 24(sp)
    sw      s9, 20(sp)
    sw      s10, 16(sp)
    sw      s11, 12(sp)
    sw      a0, 0(sp)
    sw      a3, 4(sp)
    lw      n0_0, 0(a4)
    lw      n0_1, 4(a4)
    mv      left, a3
    mv      m, a2
    mv      r, a1
    mv      start_x, a1
    mv      start_y, m
    li      blocks, 0
    li      c2, 0
    li      c3, 0
    li      c4, 0

    /* The lower half: quotient digits. */
.Lredc_quotient:
    next_column
    beqz    blocks, .Lredc_digit
    mv      x, start_x
    mv      y, start_y
    mv      cnt, blocks
    jal     back, run_blocks
.Lredc_digit:
    mul     lo, c0, n0_0
    mulhu   hi, c0, n0_0
    mul     y0, c0, n0_1
    mul     y1, c1, n0_0
    sw      lo, 0(r)
    add     hi, hi, y0
    add     hi, hi, y1
    sw      hi, 4(r)
    mv      x, r
    mv      y, m
    li      cnt, 1
    jal     back, run_blocks
    addi    r, r, 8
    addi    start_y, start_y, 8
    addi    blocks, blocks, 1
    addi    left, left, -1
    bnez    left, .Lredc_quotient

    /* The upper half: the result. */
    addi    start_y, start_y, -8
    mv      left, blocks
.Lredc_result:
    next_column
    addi    blocks, blocks, -1
    beqz    blocks, .Lredc_last
    addi    start_x, start_x, 8
    mv      x, start_x
    mv      y, start_y
    mv      cnt, blocks
    jal     back, run_blocks
    sw      c0, 0(r)
    sw      c1, 4(r)
    addi    r, r, 8
    j       .Lredc_result
.Lredc_last:
    sw      c0, 0(r)
    sw      c1, 4(r)
    addi    r, r, 8

    /* r = upper half - m, and back to the upper half by a mask where that borrows. c2 is the carry. */
    lw      x, 0(sp)
    lw      cnt, 4(sp)
    slli    cnt, cnt, 3
    sub     a4, r, cnt              /* the upper half */
    add     a5, m, cnt              /* the end of m */
    mv      t, x
    mv      y, a4
    li      u, 0
.Lredc_subtract:
    lw      c0, 0(y)
    lw      c1, 0(m)
    addi    y, y, 4
    addi    m, m, 4
    sub     c3, c0, u
    sltu    c4, c0, u
    sltu    u, c3, c1
    sub     c3, c3, c1
    or      u, u, c4
    sw      c3, 0(t)
    addi    t, t, 4
    bne     m, a5, .Lredc_subtract
    sub     u, c2, u                /* 0, or -1 where the upper half is below m */
.Lredc_choose:
    lw      c0, 0(a4)
    lw      c1, 0(x)
    addi    a4, a4, 4
    xor     c0, c0, c1
    and     c0, c0, u
    xor     c1, c1, c0
    sw      c1, 0(x)
    addi    x, x, 4
    bne     x, t, .Lredc_choose
    lw      ra, 60(sp)
    lw      s0, 56(sp)
    lw      s1, 52(sp)
    lw      s2, 48(sp)
    lw      s3, 44(sp)
    lw      s4, 40(sp)
    lw      s5, 36(sp)
    lw      s6, 32(sp)
    lw      s7, 28(sp)
    lw      s8, 24(sp)
    lw      s9, 20(sp)
    lw      s10, 16(sp)
    lw      s11, 12(sp)
    addi    sp, sp, 64
    ret
    .size   mc_redc_raw, . - mc_redc_raw
