/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and squares of eight words for the fields of curves: mc_product8 and mc_square8, by rows.
 *
 * a1 is an operand, and of a product s0 .. s7 are the other. The lower eight words of the result are at sp,
 * the upper ones in s8 .. s11 and t3 .. t6. The return address is in a2 for a product, in a7 for a square.
 * Everything else but sp is destroyed.
 */
#include "../src/rows.inc"

    .set    fresh, 1

    .text
    .balign 32
    .globl  mc_product8
    .type   mc_product8, @function
mc_product8:
    mv      r, sp
    addi    a_end, a, 32
    clear_sum
    rows    8, t6, t5, product_row
    .size   mc_product8, . - mc_product8

    .globl  mc_square8
    .type   mc_square8, @function
mc_square8:
    mv      r, sp
    lw      lo_a, 0(a)              /* the words doubled, but for the last */
    slli    s0, lo_a, 1
    srli    u, lo_a, 31
    .irp    k, 1,2,3,4,5
    double  s\k, 4*\k
    .endr
    lw      lo_a, 24(a)
    slli    s6, lo_a, 1
    or      s6, s6, u
    triangle_first
    triangle 1, s8, s9, none, PAIR_A
    triangle 2, s9, s10, s8, PAIR_B
    triangle 3, s10, s11, s9, PAIR_A
    triangle 4, s11, t3, s10, PAIR_B
    triangle 5, t3, t4, s11, PAIR_A
    triangle 6, t4, t5, t3, PAIR_B
    triangle 7, t5, t6, t4, PAIR_A
    jr      a7
    .size   mc_square8, . - mc_square8
