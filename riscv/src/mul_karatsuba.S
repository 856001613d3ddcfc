/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_karatsuba(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: 32 + 8n bytes a level of halving, below 16n + 32 levels + 36.
 *
 * Karatsuba's method on mc_mul_raw: an even number of limbs from MONT_KARATSUBA_LIMBS on is halved,
 *
 *   a b = L + (L + H - (a0 - a1)(b0 - b1)) X + H X^2,  L = a0 b0,  H = a1 b1,  X = 2^(32n),
 *
 * three products of half the length instead of four. The differences are taken without their sign, which
 * is a mask; r holds them until L and H take their place.
 */

#include "montcore_rv32.h"

#ifndef MONT_KARATSUBA_LIMBS
#define MONT_KARATSUBA_LIMBS 16
#endif

#define half    s3      /* bytes of half an operand */
#define minus   s4      /* -1: subtract the product of the differences; 0: add it */

    .text
    .balign 4
    /* a0[] = |a1[0 .. half) - a1[half .. 2 half)|; a0 = -1 if it was negative, else 0. */
    .type   difference, @function
difference:
    add     t0, a1, half
    mv      t6, t0
    mv      a2, a0
    li      t1, 0
1:
    lw      t2, 0(a1)
    lw      t3, 0(t0)
    addi    a1, a1, 4
    sub     t4, t2, t1
    sltu    t1, t2, t1
    sltu    t5, t4, t3
    sub     t4, t4, t3
    or      t1, t1, t5
    sw      t4, 0(a2)
    addi    t0, t0, 4
    addi    a2, a2, 4
    bne     a1, t6, 1b
    mv      t2, t1
    neg     t1, t1
2:
    lw      t3, 0(a0)
    addi    a0, a0, 4
    xor     t3, t3, t1
    add     t3, t3, t2
    sltu    t2, t3, t2
    sw      t3, -4(a0)
    bne     a0, a2, 2b
    mv      a0, t1
    ret
    .size   difference, . - difference

    /* t2 += t0 + (t3 ^ minus) + carry; carry = what goes beyond the word, and t1. */
    .macro  add_up carry
    xor     t3, t3, minus
    add     t2, t2, t0
    sltu    a7, t2, t0
    add     t2, t2, t3
    sltu    t3, t2, t3
    add     a7, a7, t3
    add     t2, t2, \carry
    sltu    \carry, t2, \carry
    add     a7, a7, t1
    add     \carry, \carry, a7
    .endm

    .globl  mc_mul_karatsuba
    .type   mc_mul_karatsuba, @function
mc_mul_karatsuba:
    andi    t0, a3, 1
    sltiu   t1, a3, MONT_KARATSUBA_LIMBS
    or      t0, t0, t1
    beqz    t0, 1f
    j       mc_mul_raw
1:
    addi    sp, sp, -32
    sw      ra, 28(sp)
    sw      s0, 24(sp)
    sw      s1, 20(sp)
    sw      s2, 16(sp)
    sw      s3, 12(sp)
    sw      s4, 8(sp)
    mv      s0, a0
    mv      s1, a1
    mv      s2, a2
    slli    half, a3, 2
    slli    t0, a3, 3
    sub     sp, sp, t0
    jal     difference
    mv      minus, a0
    add     a0, s0, half
    mv      a1, s2
    jal     difference
    xor     minus, minus, a0
    not     minus, minus
    mv      a0, sp
    mv      a1, s0
    add     a2, s0, half
    srli    a3, half, 3
    jal     mc_mul_karatsuba
    mv      a0, s0
    mv      a1, s1
    mv      a2, s2
    srli    a3, half, 3
    jal     mc_mul_karatsuba
    slli    a0, half, 1
    add     a0, a0, s0
    add     a1, s1, half
    add     a2, s2, half
    srli    a3, half, 3
    jal     mc_mul_karatsuba

    /* r = (L0 L1 H0 H1) + ((L0 + L1 + H0 -+ M0), (L1 + H0 + H1 -+ M1)) X, with carries t5 and t6. */
    mv      a0, s0
    add     a1, s0, half
    mv      a6, a1
    add     a2, a1, half
    add     a3, a2, half
    mv      a4, sp
    add     a5, sp, half
    neg     t5, minus
    li      t6, 0
2:
    lw      t0, 0(a1)
    lw      t1, 0(a2)
    lw      t2, 0(a0)
    lw      t3, 0(a4)
    add     t0, t0, t1
    sltu    t1, t0, t1
    addi    a0, a0, 4
    addi    a4, a4, 4
    add_up  t5
    sw      t2, 0(a1)
    lw      t2, 0(a3)
    lw      t3, 0(a5)
    add_up  t6
    sw      t2, 0(a2)
    addi    a1, a1, 4
    addi    a2, a2, 4
    addi    a3, a3, 4
    addi    a5, a5, 4
    bne     a0, a6, 2b
3:                                  /* a1 .. a2 is the third quarter, then a2 .. a3 the last */
    lw      t0, 0(a1)
    addi    a1, a1, 4
    add     t0, t0, t5
    sltu    t5, t0, t5
    sw      t0, -4(a1)
    bne     a1, a2, 3b
    add     t5, t5, t6
    add     t5, t5, minus
    mv      t0, a2
    mv      a2, a3
    bne     t0, a3, 3b
    slli    t0, half, 1
    add     sp, sp, t0
    lw      ra, 28(sp)
    lw      s0, 24(sp)
    lw      s1, 20(sp)
    lw      s2, 16(sp)
    lw      s3, 12(sp)
    lw      s4, 8(sp)
    addi    sp, sp, 32
    ret
    .size   mc_mul_karatsuba, . - mc_mul_karatsuba
