/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry under QEMU's user mode, and the call that checks the calling convention.
 */

    .text
    .globl  _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    call    qemu_main

    /* uint64_t test_call(const struct header *job): a0 of the function, flags in the upper word. */
    .globl  test_call
    .type   test_call, @function
test_call:
    addi    sp, sp, -64
    sw      ra, 60(sp)
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sw      s\number, 4 * \number(sp)
    .endr
    la      t0, stack_before
    sw      sp, 0(t0)
    mv      t1, a0
    lw      t0, 0(t1)
    lw      a0, 4(t1)
    lw      a1, 8(t1)
    lw      a2, 12(t1)
    lw      a3, 16(t1)
    lw      a4, 20(t1)
    lw      a5, 24(t1)
    lw      a6, 28(t1)
    lw      a7, 32(t1)
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    li      s\number, 0x5eed0000 + \number
    .endr
    jalr    t0
    li      a1, 0
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    li      t0, 0x5eed0000 + \number
    xor     t0, t0, s\number
    or      a1, a1, t0
    .endr
    snez    a1, a1
    la      t0, stack_before
    lw      t0, 0(t0)
    beq     t0, sp, 1f
    ori     a1, a1, 2
    mv      sp, t0
1:
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    lw      s\number, 4 * \number(sp)
    .endr
    lw      ra, 60(sp)
    addi    sp, sp, 64
    ret
    .size   test_call, . - test_call

    .data
    .balign 4
stack_before:
    .word   0
