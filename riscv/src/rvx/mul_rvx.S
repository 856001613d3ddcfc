/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_rvx_none(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)   RV32IM alone
 * void mc_mul_rvx_mul64(...)      with the 32 x 32 -> 64 bit multiplication (the paper's first proposal)
 * void mc_mul_rvx_block(...)      with the 64 x 64 bit block (its second)
 * void mc_mul_rvx_adc(...)        with addition and carry (its third)
 * void mc_mul_rvx_wide(...)       with accumulation into 160 bits, at three weights
 * void mc_mul_rvx_mac(...)        with accumulation into 96 bits
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing. The sum that a
 * unit keeps is not saved over an interrupt: a handler must not use the unit.
 * Time: depends on n alone. Stack: 36 bytes at most.
 *
 * All but the last run through the blocks in one frame, so that their difference is the instructions'.
 */
#include "montcore_rv32.h"
#include "rvx.inc"

/* Blocks of 64 bits by columns. The operands' words come into s0 s1 (upwards, a4) and s2 s3 (downwards,
 * a5). `block` adds one block, `finish` leaves the column's limb in t5 t6, `last` the next in them. */
    .macro  by_columns block, finish, last
    slli    t5, a3, 3
    add     a6, a0, t5              /* r when the columns stop growing */
    add     a7, a6, t5
    addi    a7, a7, -8              /* r after the last column */
    addi    a3, a1, 8               /* where a4 ends */
    li      s4, 0                   /* steps of a column's start: a1, and a2 and a3 */
    li      s5, 8
1:
    mv      a4, a1
    mv      a5, a2
2:
    lw      s0, 0(a4)
    lw      s2, 0(a5)
    lw      s1, 4(a4)
    lw      s3, 4(a5)
    addi    a4, a4, 8
    addi    a5, a5, -8
    \block
    bne     a4, a3, 2b
    \finish
    sw      t5, 0(a0)
    sw      t6, 4(a0)
    addi    a0, a0, 8
    bne     a0, a6, 3f
    li      s4, 8
    li      s5, 0
3:
    add     a1, a1, s4
    add     a2, a2, s5
    add     a3, a3, s5
    bne     a0, a7, 1b
    \last
    sw      t5, 0(a0)
    sw      t6, 4(a0)
    .endm

    .macro  enter
    beqz    a3, 9f
    addi    sp, sp, -36
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8
    sw      s\number, 4 * \number(sp)
    .endr
    .endm

    .macro  leave
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8
    lw      s\number, 4 * \number(sp)
    .endr
    addi    sp, sp, 36
9:
    ret
    .endm

/* The sum in registers: t0 to t3, with counters s6, s7, s8 of the carries into t2, t3 and beyond. */
    .macro  clear_sum
    .irp    reg, t0, t1, t2, t3, s6, s7, s8
    li      \reg, 0
    .endr
    .endm

    .macro  resolve
    mv      t5, t0
    mv      t6, t1
    add     t0, t2, s6
    sltu    t4, t0, s6
    add     t3, t3, t4
    sltu    t4, t3, t4
    add     s8, s8, t4
    add     t1, t3, s7
    sltu    t4, t1, s7
    add     t2, s8, t4
    .irp    reg, t3, s6, s7, s8
    li      \reg, 0
    .endr
    .endm

    .macro  take_rest
    mv      t5, t0
    mv      t6, t1
    .endm

/* (carry, up, down) += {hi, lo}; hi is at most 2^32 - 2 and can take a carry. */
    .macro  accumulate down, up, carry
    add     \down, \down, t5
    sltu    t4, \down, t5
    add     t6, t6, t4
    add     \up, \up, t6
    sltu    t4, \up, t6
    add     \carry, \carry, t4
    .endm

    .macro  product_none p, q
    mul     t5, \p, \q
    mulhu   t6, \p, \q
    .endm

    .macro  block_none
    product_none s0, s2
    accumulate t0, t1, s6
    product_none s0, s3
    accumulate t1, t2, s7
    product_none s1, s2
    accumulate t1, t2, s7
    product_none s1, s3
    accumulate t2, t3, s8
    .endm

    .macro  block_mul64
    rvx.mul t5, s0, s2
    rvx.mulh t6
    accumulate t0, t1, s6
    rvx.mul t5, s0, s3
    rvx.mulh t6
    accumulate t1, t2, s7
    rvx.mul t5, s1, s2
    rvx.mulh t6
    accumulate t1, t2, s7
    rvx.mul t5, s1, s3
    rvx.mulh t6
    accumulate t2, t3, s8
    .endm

    .macro  accumulate_adc down, up, carry
    rvx.add \down, \down, t5
    rvx.adc \up, \up, t6
    rvx.adc \carry, \carry, x0
    .endm

    .macro  block_adc
    product_none s0, s2
    accumulate_adc t0, t1, s6
    product_none s0, s3
    accumulate_adc t1, t2, s7
    product_none s1, s2
    accumulate_adc t1, t2, s7
    product_none s1, s3
    accumulate_adc t2, t3, s8
    .endm

/* Counters of the block variant: the carry out of word 1 is added to word 2 at once. */
    .macro  block_block
    rvx.bset s0, s1
    rvx.bmul t5, s2, s3
    add     t0, t0, t5
    sltu    t4, t0, t5
    rvx.bget t6, 1
    add     t1, t1, t4
    sltu    t4, t1, t4
    rvx.bget t5, 2
    add     s6, s6, t4
    add     t1, t1, t6
    sltu    t4, t1, t6
    rvx.bget t6, 3
    add     s6, s6, t4
    add     t2, t2, t5
    sltu    t4, t2, t5
    add     s7, s7, t4
    add     t3, t3, t6
    sltu    t4, t3, t6
    add     s8, s8, t4
    .endm

    .macro  block_wide
    rvx.mac s0, s2
    rvx.mac1 s1, s2
    rvx.mac1 s0, s3
    rvx.mac2 s1, s3
    .endm

    .macro  shift_out
    rvx.shr t5
    rvx.shr t6
    .endm

    .text
    .irp    kind, none, mul64, block, adc
    .balign 4
    .globl  mc_mul_rvx_\kind
    .type   mc_mul_rvx_\kind, @function
mc_mul_rvx_\kind:
    enter
    clear_sum
    by_columns block_\kind, resolve, take_rest
    leave
    .size   mc_mul_rvx_\kind, . - mc_mul_rvx_\kind
    .endr

    .balign 4
    .globl  mc_mul_rvx_wide
    .type   mc_mul_rvx_wide, @function
mc_mul_rvx_wide:
    enter
    rvx.clr
    by_columns block_wide, shift_out, shift_out
    leave
    .size   mc_mul_rvx_wide, . - mc_mul_rvx_wide

/* By words: columns of one word have an odd and an even number of products in turn. */
    .balign 4
    .globl  mc_mul_rvx_mac
    .type   mc_mul_rvx_mac, @function
mc_mul_rvx_mac:
    beqz    a3, 9f
    slli    t0, a3, 3
    add     a6, a0, t0              /* r when the columns stop growing */
    add     a7, a6, t0
    addi    a7, a7, -4              /* r after the last column */
    addi    a3, a1, 4               /* where a4 ends */
    li      t5, 0                   /* steps of a column's start: a1, and a2 and a3 */
    li      t6, 4
    rvx.clr
    j       2f
1:                                  /* an even number of products */
    mv      a4, a1
    mv      a5, a2
    lw      t0, 0(a1)
    lw      t1, 0(a2)
3:
    lw      t2, 4(a4)
    lw      t3, -4(a5)
    addi    a4, a4, 8
    rvx.mac t0, t1
    addi    a5, a5, -8
    rvx.mac t2, t3
    beq     a4, a3, 4f
    lw      t0, 0(a4)
    lw      t1, 0(a5)
    j       3b
4:
    rvx.shr t0
    sw      t0, 0(a0)
    addi    a0, a0, 4
    bne     a0, a6, 5f
    li      t5, 4
    li      t6, 0
5:
    add     a1, a1, t5
    add     a2, a2, t6
    add     a3, a3, t6
2:                                  /* an odd number of products */
    lw      t0, 0(a1)
    lw      t1, 0(a2)
    addi    a4, a1, 4
    addi    a5, a2, -4
    beq     a4, a3, 7f
6:
    lw      t2, 0(a4)
    lw      t3, 0(a5)
    rvx.mac t0, t1
    lw      t0, 4(a4)
    lw      t1, -4(a5)
    addi    a4, a4, 8
    rvx.mac t2, t3
    addi    a5, a5, -8
    bne     a4, a3, 6b
7:
    rvx.mac t0, t1
    add     a1, a1, t5
    add     a2, a2, t6
    add     a3, a3, t6
    rvx.shr t0
    sw      t0, 0(a0)
    addi    a0, a0, 4
    bne     a0, a7, 1b
    rvx.shr t0
    sw      t0, 0(a0)
9:
    ret
    .size   mc_mul_rvx_mac, . - mc_mul_rvx_mac
