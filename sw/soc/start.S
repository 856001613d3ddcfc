/* SPDX-License-Identifier: Apache-2.0
 *
 * Start of the firmware: stack, data, the trap's address, then main. */
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la   gp, __global_pointer$
    .option pop
    la   sp, __stack_top
    la   t0, board_trap
    csrw mtvec, t0
    la   t0, __data_load
    la   t1, __data_begin
    la   t2, __data_end
1:  bgeu t1, t2, 2f
    lw   t3, 0(t0)
    sw   t3, 0(t1)
    addi t0, t0, 4
    addi t1, t1, 4
    j    1b
2:  la   t1, __bss_begin
    la   t2, __bss_end
3:  bgeu t1, t2, 4f
    sw   zero, 0(t1)
    addi t1, t1, 4
    j    3b
4:  call main
5:  j    5b

/* Lets the interrupts of a mask through, and then none. */
    .globl board_enable_interrupts
board_enable_interrupts:
    csrw 0xbc0, a0          /* VexRiscv's own mask */
    li   t0, 0x800          /* machine external interrupts */
    csrs mie, t0
    csrsi mstatus, 8
    ret

    .globl board_disable_interrupts
board_disable_interrupts:
    csrci mstatus, 8
    ret
