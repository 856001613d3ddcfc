/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mul_school(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
 *
 *   r[0 .. 4n-1] = a[0 .. 2n-1] * b[0 .. 2n-1],  n limbs of 64 bits, least significant word first
 *
 * Precondition: r overlaps neither a nor b; a and b may be the same. n = 0 writes nothing.
 * Time: depends on n alone. Stack: none.
 *
 * Operand scanning, the usual row by row method that riscv-2021 compares itself with (its Table 8,
 * reference 4, unrolls it; here it is a loop).
 */

#include "montcore_rv32.h"

    .text
    .balign 4
    .globl  mc_mul_school
    .type   mc_mul_school, @function
mc_mul_school:
    slli    a3, a3, 3               /* bytes of an operand */
    add     a4, a2, a3              /* its end */
    beqz    a3, .Lschool_nothing
    add     t0, a0, a3
    mv      t1, a0
.Lschool_clear:                     /* the lower half of r is added to */
    sw      zero, 0(t1)
    addi    t1, t1, 4
    bne     t1, t0, .Lschool_clear
    add     a5, a1, a3
.Lschool_row:                       /* r += a[i] * b at word i */
    lw      a6, 0(a1)
    mv      a7, a2
    mv      t1, a0
    li      t2, 0                   /* carry word */
.Lschool_word:
    lw      t3, 0(a7)
    lw      t4, 0(t1)
    addi    a7, a7, 4
    mul     t5, t3, a6
    mulhu   t6, t3, a6
    add     t4, t4, t2              /* t2, t4 + the product stay below 2^64 */
    sltu    t2, t4, t2
    add     t4, t4, t5
    sltu    t5, t4, t5
    add     t2, t2, t6
    add     t2, t2, t5
    sw      t4, 0(t1)
    addi    t1, t1, 4
    bne     a7, a4, .Lschool_word
    sw      t2, 0(t1)
    addi    a1, a1, 4
    addi    a0, a0, 4
    bne     a1, a5, .Lschool_row
.Lschool_nothing:
    ret
    .size   mc_mul_school, . - mc_mul_school
