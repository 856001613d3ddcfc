/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_paper(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 60 bytes.
 *
 * The schedule of riscv-2021, instruction by instruction where the paper prints it: macro_mul_32
 * (Table 3), macro_mul_64_init (Table 5) for the first block, macro_mul_64_mid (Table 6) for all others,
 * and its 26 registers (Table 4). The paper says of its loops only that the inner counter is an operand
 * pointer, the outer one the result pointer and that both end with bne; the rest of them is ours.
 */

#include "montcore_rv32.h"

    .macro  mul_32 p, q, low, high
    mul     \low, \p, \q
    mulhu   \high, \p, \q
    .endm

    .macro  load_block
    lw      s0, 0(a4)
    lw      s1, 4(a4)
    lw      s2, 0(a5)
    lw      s3, 4(a5)
    .endm

    .macro  mul_64_init
    mul_32  s0, s2, s4, s5
    mul_32  s1, s3, s6, s7
    mul_32  s0, s3, t0, t1
    mul_32  s1, s2, t2, t3
    /* first accumulation */
    add     s5, s5, t0
    sltu    t4, s5, t0
    add     s5, s5, t2
    sltu    t5, s5, t2
    add     t5, t5, t4
    /* second accumulation */
    add     s6, s6, t5
    sltu    t4, s6, t5
    add     s6, s6, t1
    sltu    t5, s6, t1
    add     s6, s6, t3
    sltu    t6, s6, t3
    add     t5, t5, t4
    add     t6, t6, t5
    /* third accumulation */
    add     s7, s7, t6
    .endm

    .macro  mul_64_mid
    mul_32  s0, s2, s8, s9
    mul_32  s1, s3, s10, s11
    mul_32  s0, s3, t0, t1
    mul_32  s1, s2, t2, t3
    /* first accumulation */
    add     s4, s4, s8
    sltu    t4, s4, s8
    add     s5, s5, s9
    sltu    t5, s5, s9
    add     s5, s5, t4
    sltu    t6, s5, t4
    add     t6, t6, t5
    /* second accumulation */
    add     s5, s5, t0
    sltu    t4, s5, t0
    add     s5, s5, t2
    sltu    t5, s5, t2
    add     t5, t5, t4
    add     t5, t6, t5
    /* third accumulation */
    add     s6, s6, t5
    sltu    t4, s6, t5
    add     s6, s6, t1
    sltu    t5, s6, t1
    add     s6, s6, t3
    sltu    t6, s6, t3
    add     t5, t5, t4
    add     t6, t6, t5
    add     s6, s6, s10
    sltu    t5, s6, s10
    add     t6, t6, t5
    /* fourth accumulation */
    add     s7, s7, t6
    sltu    t5, s7, t6
    add     s7, s7, s11
    sltu    t6, s7, s11
    add     t6, t6, t5
    add     ra, ra, t6
    .endm

    /* The column's limb leaves, the sum moves down a limb. */
    .macro  end_of_column
    sw      s4, 0(a0)
    sw      s5, 4(a0)
    mv      s4, s6
    mv      s5, s7
    mv      s6, ra
    li      s7, 0
    li      ra, 0
    addi    a0, a0, 8
    .endm

    .text
    .balign 4
    .globl  mc_mul_paper
    .type   mc_mul_paper, @function
mc_mul_paper:
    beqz    a3, .Lpaper_nothing
    addi    sp, sp, -60
    sw      s0, 0(sp)
    sw      s1, 4(sp)
    sw      s2, 8(sp)
    sw      s3, 12(sp)
    sw      s4, 16(sp)
    sw      s5, 20(sp)
    sw      s6, 24(sp)
    sw      s7, 28(sp)
    sw      s8, 32(sp)
    sw      s9, 36(sp)
    sw      s10, 40(sp)
    sw      s11, 44(sp)
    sw      ra, 48(sp)
    slli    a3, a3, 3           /* bytes of an operand */
    add     t0, a0, a3
    sw      t0, 52(sp)          /* where r stands when the columns stop growing */
    add     t0, t0, a3
    addi    t0, t0, -8
    sw      t0, 56(sp)          /* and after the last column */

    /* The first block has no sum before it. */
    mv      a4, a1
    mv      a5, a2
    addi    a3, a1, 8           /* the inner loop ends where a4 comes to a3 */
    load_block
    mul_64_init
    li      ra, 0
    j       .Lpaper_grown

    /* Columns 1 .. n-1: from a[0] upwards, from b[k] downwards. */
.Lpaper_grow:
    mv      a4, a1
    mv      a5, a2
.Lpaper_grow_block:
    load_block
    mul_64_mid
    addi    a4, a4, 8
    addi    a5, a5, -8
    bne     a4, a3, .Lpaper_grow_block
.Lpaper_grown:
    end_of_column
    addi    a2, a2, 8
    addi    a3, a3, 8
    lw      t0, 52(sp)
    bne     a0, t0, .Lpaper_grow

    /* Columns n .. 2n-2: from a[k-n+1] upwards, from b[n-1] downwards. */
    addi    a2, a2, -8
    addi    a3, a3, -8
    j       .Lpaper_shrunk
.Lpaper_shrink:
    mv      a4, a1
    mv      a5, a2
.Lpaper_shrink_block:
    load_block
    mul_64_mid
    addi    a4, a4, 8
    addi    a5, a5, -8
    bne     a4, a3, .Lpaper_shrink_block
    end_of_column
.Lpaper_shrunk:
    addi    a1, a1, 8
    lw      t0, 56(sp)
    bne     a0, t0, .Lpaper_shrink

    sw      s4, 0(a0)
    sw      s5, 4(a0)
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    lw      s6, 24(sp)
    lw      s7, 28(sp)
    lw      s8, 32(sp)
    lw      s9, 36(sp)
    lw      s10, 40(sp)
    lw      s11, 44(sp)
    lw      ra, 48(sp)
    addi    sp, sp, 60
.Lpaper_nothing:
    ret
    .size   mc_mul_paper, . - mc_mul_paper
