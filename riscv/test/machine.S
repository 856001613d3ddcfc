/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs on a simulated core: it says that it is ready, waits for a job, calls the job's function
 * as often as the job says, and tells the cycles of the last call. The words of `job` (the simulation
 * driver reads and writes them):
 *
 *   0 state: 1 = ready (or done), 2 = go      4..11 arguments a0 .. a7
 *   1 address of the function                  12 cycles of the last call, call and return included
 *   2 number of calls                          13 a0 of the last call
 *   3 cycles between two readings of the counter with nothing between them
 *
 * Built with MACHINE_* = 1 for what a core needs before it can count or sees what the driver wrote.
 */

#if defined(MACHINE_RDCYCLE)
#define CYCLES_OF(reg) rdcycle reg
#else
#define CYCLES_OF(reg) csrr reg, mcycle
#endif

#if defined(MACHINE_VEXRISCV)
#define FORGET  .word 0x0000500f    /* VexRiscv: invalidates the data cache */
#else
#define FORGET
#endif

    .section .text.start, "ax"
    .globl  _start
_start:
    la      sp, stack_top
#if defined(MACHINE_CV32E40P)
    csrw    mcountinhibit, zero         /* its counters stand still after reset */
#endif
#if defined(MACHINE_CFU)
    li      t0, 0x80000000
    csrs    0xbc0, t0                   /* VexRiscv: lets the coprocessor's instructions pass */
#endif
    la      s2, job
    CYCLES_OF(s4)
    CYCLES_OF(s5)
    CYCLES_OF(s4)
    CYCLES_OF(s5)
    sub     s5, s5, s4
    sw      s5, 12(s2)
.Lready:
    li      t0, 1
    sw      t0, 0(s2)
.Lwait:
    FORGET
    lw      t0, 0(s2)
    addi    t0, t0, -2
    bnez    t0, .Lwait
    FORGET
    lw      s3, 8(s2)
.Lagain:
    lw      s6, 4(s2)
    lw      a0, 16(s2)
    lw      a1, 20(s2)
    lw      a2, 24(s2)
    lw      a3, 28(s2)
    lw      a4, 32(s2)
    lw      a5, 36(s2)
    lw      a6, 40(s2)
    lw      a7, 44(s2)
    CYCLES_OF(s4)
    jalr    s6
    CYCLES_OF(s5)
    sub     s5, s5, s4
    lw      t0, 12(s2)
    sub     s5, s5, t0
    sw      s5, 48(s2)
    sw      a0, 52(s2)
    addi    s3, s3, -1
    bnez    s3, .Lagain
    j       .Lready

    /* A function without a body: what a call costs. */
    .globl  nothing
    .type   nothing, @function
nothing:
    ret
    .size   nothing, . - nothing

    .section .data
    .balign 16
    .globl  job
job:
    .fill   16, 4, 0
