/* SPDX-License-Identifier: Apache-2.0
 *
 * void mc_mod_add_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
 * void mc_mod_sub_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
 *
 *   r = a + b mod m,  r = a - b mod m,  n limbs of 64 bits, least significant word first
 *
 * Precondition: a, b < m; r may be a or b, but overlaps no other part of them, nor m. n = 0 writes
 * nothing. Time: depends on n alone. Stack: none.
 */

#include "montcore_rv32.h"

#define r       a0
#define a       a1
#define b       a2
#define m       a3
#define end     a4      /* of m */
#define at_r    a5
#define carry   a6
#define borrow  a7

    .text
    .balign 4
    .globl  mc_mod_add_raw
    .type   mc_mod_add_raw, @function
mc_mod_add_raw:
    slli    end, end, 3
    mv      t6, end
    beqz    end, .Ladd_nothing
    add     end, end, m
    mv      at_r, r
    li      carry, 0
    li      borrow, 0
.Ladd_word:                         /* r = a + b; is it below m? */
    lw      t0, 0(a)
    lw      t1, 0(b)
    lw      t2, 0(m)
    addi    a, a, 4
    add     t0, t0, carry
    sltu    carry, t0, carry
    add     t0, t0, t1
    sltu    t1, t0, t1
    or      carry, carry, t1
    sw      t0, 0(at_r)
    sltu    t3, t0, t2
    sub     t0, t0, t2
    sltu    t0, t0, borrow
    or      borrow, t3, t0
    addi    b, b, 4
    addi    at_r, at_r, 4
    addi    m, m, 4
    bne     m, end, .Ladd_word
    sub     t4, carry, borrow       /* 0: subtract m; -1: do not */
    not     t4, t4
    sub     m, m, t6
    li      borrow, 0
.Ladd_subtract:
    lw      t0, 0(r)
    lw      t1, 0(m)
    addi    m, m, 4
    and     t1, t1, t4
    sub     t2, t0, borrow
    sltu    t3, t0, borrow
    sltu    borrow, t2, t1
    sub     t2, t2, t1
    or      borrow, borrow, t3
    sw      t2, 0(r)
    addi    r, r, 4
    bne     m, end, .Ladd_subtract
.Ladd_nothing:
    ret
    .size   mc_mod_add_raw, . - mc_mod_add_raw

    .balign 4
    .globl  mc_mod_sub_raw
    .type   mc_mod_sub_raw, @function
mc_mod_sub_raw:
    slli    end, end, 3
    mv      t6, end
    beqz    end, .Lsub_nothing
    add     end, end, a
    mv      at_r, r
    li      borrow, 0
.Lsub_word:                         /* r = a - b */
    lw      t0, 0(a)
    lw      t1, 0(b)
    addi    a, a, 4
    addi    b, b, 4
    sub     t2, t0, borrow
    sltu    t3, t0, borrow
    sltu    borrow, t2, t1
    sub     t2, t2, t1
    or      borrow, borrow, t3
    sw      t2, 0(at_r)
    addi    at_r, at_r, 4
    bne     a, end, .Lsub_word
    neg     t4, borrow              /* -1: add m */
    li      carry, 0
    add     end, m, t6
.Lsub_add:
    lw      t0, 0(r)
    lw      t1, 0(m)
    addi    m, m, 4
    and     t1, t1, t4
    add     t0, t0, carry
    sltu    carry, t0, carry
    add     t0, t0, t1
    sltu    t1, t0, t1
    or      carry, carry, t1
    sw      t0, 0(r)
    addi    r, r, 4
    bne     m, end, .Lsub_add
.Lsub_nothing:
    ret
    .size   mc_mod_sub_raw, . - mc_mod_sub_raw
