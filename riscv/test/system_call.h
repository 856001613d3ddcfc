/* SPDX-License-Identifier: Apache-2.0
 *
 * The system calls of Linux that programs under QEMU's user mode make.
 */
#ifndef TEST_SYSTEM_CALL_H
#define TEST_SYSTEM_CALL_H

enum { SYSTEM_READ = 63, SYSTEM_WRITE = 64, SYSTEM_EXIT = 93 };

static long system_call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

#endif
