/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the driver share; not for its users.
 */
#ifndef MONTCORE_PKA_INNER_H
#define MONTCORE_PKA_INNER_H

#include "montcore_pka.h"

#include "montcore_pka_registers.h"

#if defined(__GNUC__)
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED
#endif

/* Addresses and bits by the names of the generated header. */
#define REGISTER(name) ((uint32_t)offsetof(montcore_pka_registers_t, name))
#define OPERANDS ((uint32_t)offsetof(montcore_pka_t, operands))
#define KEY ((uint32_t)offsetof(montcore_pka_t, key))
#define SLOT 0x400u

/* out = a - b; returns the borrow, 0 or 1. */
static inline uint32_t montcore_pka_inner_subtract(uint32_t *out, const uint32_t *a,
                                                   const uint32_t *b, unsigned limbs) {
  uint64_t borrow = 0u;
  unsigned i;
  for (i = 0; i < limbs; i++) {
    uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
    out[i] = (uint32_t)difference;
    borrow = difference >> 32 & 1u;
  }
  return (uint32_t)borrow;
}

/* One access. */
#if defined(MONTCORE_PKA_IN_PLACE)
/* The registers are in the address space, at the port's context; its functions are not called. */
static inline montcore_pka_status montcore_pka_inner_get(const montcore_pka *pka, uint32_t address,
                                                         uint32_t *value) {
  *value = ((const volatile uint32_t *)pka->port->context)[address / 4u];
  return MONTCORE_PKA_OK;
}
static inline montcore_pka_status montcore_pka_inner_put(const montcore_pka *pka, uint32_t address,
                                                         uint32_t value) {
  ((volatile uint32_t *)pka->port->context)[address / 4u] = value;
  return MONTCORE_PKA_OK;
}
#else
montcore_pka_status montcore_pka_inner_get(const montcore_pka *pka, uint32_t address,
                                           uint32_t *value);
montcore_pka_status montcore_pka_inner_put(const montcore_pka *pka, uint32_t address,
                                           uint32_t value);
#endif

/* Sets a result of the modulus to zero, if there is one, and returns the status. */
montcore_pka_status montcore_pka_inner_refuse(const montcore_pka *pka, uint32_t *z,
                                              montcore_pka_status status);

/* Writes a number of `bits` bits. MONTCORE_PKA_RANGE if its top limb has more, which the accelerator would
 * ignore. */
montcore_pka_status montcore_pka_inner_number(const montcore_pka *pka, uint32_t address,
                                              const uint32_t *number, unsigned bits);

/* Waits until no command is under way. What does not end in time is zeroized. */
montcore_pka_status montcore_pka_inner_settle(montcore_pka *pka);

/* Writes the command register and waits for the end of the command; returns its error. */
montcore_pka_status montcore_pka_inner_command(montcore_pka *pka, uint32_t word);

#endif
