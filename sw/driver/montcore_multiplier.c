/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_multiplier.h"

#include "montcore_pka_inner.h"

enum { OP_MULTIPLY = 14 };
enum { SLOT_X = 1, SLOT_Y = 2, SLOT_Z = 3 };

unsigned montcore_multiplier_r_bits(const montcore_pka *pka, const montcore_build *build) {
  unsigned beats;
  if (!pka || !build || !pka->bits) return 0u;
  beats = (pka->bits + build->bus_bits - 1u) / build->bus_bits;
  return beats <= build->max_beats ? build->r_bits[beats - 1u] : 0u;
}

static montcore_pka_status get_number(const montcore_pka *pka, uint32_t *z) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  unsigned i;
  for (i = 0u; i < pka->limbs && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_get(pka, OPERANDS + SLOT * SLOT_Z + 4u * i, &z[i]);
  }
  return status;
}

/* The products of a call: z = x y R^-1, then, with a second factor, z = z (that factor) R^-1. */
NOT_INLINED static montcore_pka_status products(montcore_pka *pka, const uint32_t *x,
                                                const uint32_t *y, const uint32_t *second,
                                                uint32_t *z) {
  uint32_t word = (uint32_t)OP_MULTIPLY;
  montcore_pka_status status;
  word |= (uint32_t)SLOT_Y << MONTCORE_PKA_REGISTERS__COMMAND__Y_bp;
  word |= (uint32_t)SLOT_Z << MONTCORE_PKA_REGISTERS__COMMAND__Z_bp;
  status = montcore_pka_inner_number(pka, OPERANDS + SLOT * SLOT_X, x, pka->bits);
  if (status == MONTCORE_PKA_OK) {
    status = montcore_pka_inner_number(pka, OPERANDS + SLOT * SLOT_Y, y, pka->bits);
  }
  if (status == MONTCORE_PKA_OK) {
    status = montcore_pka_inner_command(
        pka, word | (uint32_t)SLOT_X << MONTCORE_PKA_REGISTERS__COMMAND__X_bp);
  }
  if (status == MONTCORE_PKA_OK && second) {
    status = montcore_pka_inner_number(pka, OPERANDS + SLOT * SLOT_Y, second, pka->bits);
    if (status == MONTCORE_PKA_OK) {
      status = montcore_pka_inner_command(
          pka, word | (uint32_t)SLOT_Z << MONTCORE_PKA_REGISTERS__COMMAND__X_bp);
    }
  }
  return status == MONTCORE_PKA_OK ? get_number(pka, z) : status;
}

static montcore_pka_status multiply(montcore_pka *pka, const uint32_t *x, const uint32_t *y,
                                    const uint32_t *second, uint32_t *z) {
  montcore_pka_status status = MONTCORE_PKA_NO_MODULUS;
  if (pka->bits) status = products(pka, x, y, second, z);
  if (status != MONTCORE_PKA_OK) status = montcore_pka_inner_refuse(pka, z, status);
  if (!pka->inner) montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_multiplier_product(montcore_pka *pka, const uint32_t *x,
                                                const uint32_t *y, uint32_t *z) {
  if (!pka || !x || !y || !z) return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_BAD_CALL);
  return multiply(pka, x, y, 0, z);
}

montcore_pka_status montcore_multiplier_modmul(montcore_pka *pka, const uint32_t *r_squared,
                                               const uint32_t *x, const uint32_t *y, uint32_t *z) {
  if (!pka || !r_squared || !x || !y || !z) return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_BAD_CALL);
  /* x y R^-1, then times R^2: with the second factor written last, y may be z. */
  return multiply(pka, x, y, r_squared, z);
}
