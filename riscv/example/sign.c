/* SPDX-License-Identifier: Apache-2.0
 *
 * Signs a hash with P-256 and verifies the signature, under QEMU's user mode. In firmware the random numbers
 * come from the device's own source; this one repeats, and must not be used for anything else.
 */
#include "montcore_curves.h"
#include "montcore_riscv.h"

static int repeated(void *context, uint8_t *to, size_t bytes)
{
    uint32_t *state = context;
    for (size_t i = 0; i < bytes; ++i) {
        *state = *state * 1664525 + 1013904223;
        to[i] = (uint8_t)(*state >> 24);
    }
    return 0;
}

static void system_call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
}

static const char VALID[] = "signature valid\n", WRONG[] = "signature not valid\n";

void _start(void)
{
    uint8_t key[32] = {1, 2, 3}, hash[32] = {4, 5, 6}, public_key[64], signature[64];
    uint32_t state = 1;
    int status = mc_public_key(public_key, key, &mc_p256);
    if (status == MC_OK) {
        status = mc_ecdsa_sign(signature, hash, sizeof hash, key, public_key, repeated, &state,
                               &mc_p256);
    }
    if (status == MC_OK) {
        status = mc_ecdsa_verify(signature, hash, sizeof hash, public_key, &mc_p256);
    }
    mc_wipe(key, sizeof key);
    if (status == MC_OK) {
        system_call(64, 1, (long)VALID, sizeof VALID - 1);
    } else {
        system_call(64, 1, (long)WRONG, sizeof WRONG - 1);
    }
    system_call(93, status != MC_OK, 0, 0);
    for (;;) {
    }
}
