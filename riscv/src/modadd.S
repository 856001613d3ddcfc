/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mod_add_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
 * void mc_mod_sub_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
 *
 *   r = a + b mod m,  r = a - b mod m,  n limbs of 64 bits, least significant word first
 *
 * Precondition: a, b < m; r may be a or b, but overlaps no other part of them, nor m. n = 0 writes
 * nothing. Time: depends on n alone. Stack: none.
 *
 * A sum is the difference a - (m - b). Both add m where their difference is negative.
 */

#include "montcore_rv32.h"

#define r       a0
#define a       a1
#define b       a2
#define m       a3
#define end     a4      /* of a, then of r */
#define at_r    a5
#define borrow  a6

    /* to -= from + \borrow */
    .macro  subtract to, from, borrow
    sltu    t4, \to, \from
    sub     \to, \to, \from
    sltu    t5, \to, \borrow
    sub     \to, \to, \borrow
    or      \borrow, t4, t5
    .endm

    .text
    .balign 4
    .globl  mc_mod_add_raw
    .type   mc_mod_add_raw, @function
mc_mod_add_raw:
    slli    end, end, 3
    mv      at_r, r
    mv      a7, m
    li      borrow, 0
    li      t6, 0                   /* of m - b */
    add     end, end, a
    beq     end, a, .Lmod_nothing
1:
    lw      t0, 0(a)
    lw      t1, 0(b)
    lw      t2, 0(a7)
    addi    a, a, 4
    addi    b, b, 4
    addi    a7, a7, 4
    subtract t2, t1, t6
    subtract t0, t2, borrow
    sw      t0, 0(at_r)
    addi    at_r, at_r, 4
    bne     a, end, 1b
    j       .Lmod_correct
    .size   mc_mod_add_raw, . - mc_mod_add_raw

    .globl  mc_mod_sub_raw
    .type   mc_mod_sub_raw, @function
mc_mod_sub_raw:
    slli    end, end, 3
    mv      at_r, r
    li      borrow, 0
    add     end, end, a
    beq     end, a, .Lmod_nothing
1:
    lw      t0, 0(a)
    lw      t1, 0(b)
    addi    a, a, 4
    addi    b, b, 4
    subtract t0, t1, borrow
    sw      t0, 0(at_r)
    addi    at_r, at_r, 4
    bne     a, end, 1b
.Lmod_correct:
    neg     a7, borrow              /* -1: add m */
    li      t2, 0                   /* carry */
2:
    lw      t0, 0(r)
    lw      t1, 0(m)
    addi    m, m, 4
    and     t1, t1, a7
    add     t0, t0, t2
    sltu    t2, t0, t2
    add     t0, t0, t1
    sltu    t1, t0, t1
    or      t2, t2, t1
    sw      t0, 0(r)
    addi    r, r, 4
    bne     r, at_r, 2b
.Lmod_nothing:
    ret
    .size   mc_mod_sub_raw, . - mc_mod_sub_raw
