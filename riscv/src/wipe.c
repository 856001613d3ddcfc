/* SPDX-License-Identifier: Apache-2.0
 *
 * Clears what held a secret, in a way that no compiler leaves out.
 */
#include "montcore_riscv.h"

void mc_wipe(void *memory, size_t bytes)
{
    volatile unsigned char *at = memory;
    while (bytes > 0 && ((uintptr_t)at & 3) != 0) {
        *at++ = 0;
        --bytes;
    }
    volatile uint32_t *word = (volatile uint32_t *)(uintptr_t)at;
    for (; bytes >= 4; bytes -= 4) {
        *word++ = 0;
    }
    at = (volatile unsigned char *)word;
    while (bytes-- > 0) {
        *at++ = 0;
    }
    __asm__ volatile("" : : "r"(memory) : "memory");
}

void mc_modulus_wipe(mc_modulus *mod)
{
    mc_wipe(mod->rr, 8 * mod->n);
    mc_wipe(mod->work, 16 * mod->n);
    mc_wipe(mod, sizeof *mod);
}

/* A frame of 256 bytes at a time; the call within is no tail call, as the array is cleared after it. */
__attribute__((noinline)) void mc_wipe_stack(size_t bytes)
{
    uint32_t part[64];
    if (bytes > sizeof part) {
        mc_wipe_stack(bytes - sizeof part);
    }
    mc_wipe(part, sizeof part);
}
