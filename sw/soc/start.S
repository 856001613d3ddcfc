/* SPDX-License-Identifier: Apache-2.0
 *
 * Start of the firmware: stack, data, the trap's entry, then main. */
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la   gp, __global_pointer$
    .option pop
    la   sp, __stack_top
    la   t0, trap_entry
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

/* Saves what a call may change, calls board_trap(cause, pc), continues where that says. */
    .align 4
trap_entry:
    addi sp, sp, -64
    sw   ra, 0(sp)
    sw   t0, 4(sp)
    sw   t1, 8(sp)
    sw   t2, 12(sp)
    sw   a0, 16(sp)
    sw   a1, 20(sp)
    sw   a2, 24(sp)
    sw   a3, 28(sp)
    sw   a4, 32(sp)
    sw   a5, 36(sp)
    sw   a6, 40(sp)
    sw   a7, 44(sp)
    sw   t3, 48(sp)
    sw   t4, 52(sp)
    sw   t5, 56(sp)
    sw   t6, 60(sp)
    csrr a0, mcause
    csrr a1, mepc
    call board_trap
    csrw mepc, a0
    lw   ra, 0(sp)
    lw   t0, 4(sp)
    lw   t1, 8(sp)
    lw   t2, 12(sp)
    lw   a0, 16(sp)
    lw   a1, 20(sp)
    lw   a2, 24(sp)
    lw   a3, 28(sp)
    lw   a4, 32(sp)
    lw   a5, 36(sp)
    lw   a6, 40(sp)
    lw   a7, 44(sp)
    lw   t3, 48(sp)
    lw   t4, 52(sp)
    lw   t5, 56(sp)
    lw   t6, 60(sp)
    addi sp, sp, 64
    mret

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
