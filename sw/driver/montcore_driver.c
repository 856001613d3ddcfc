/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_driver.h"

#if defined(__GNUC__)
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED
#endif

#define LEAST_LIMBS 8u /* of a result before the first modulus */

/* Copies `count` bits of a number, from bit `from` on, into a beat; bits above the number are 0. */
static void take_bits(const uint32_t *number, unsigned limbs, unsigned from, unsigned count,
                      uint32_t *beat) {
  unsigned i, beat_limbs = (count + 31u) / 32u;
  for (i = 0; i < beat_limbs; i++) {
    unsigned place = from + 32u * i, limb = place / 32u, shift = place % 32u;
    uint32_t low = limb < limbs ? number[limb] : 0u;
    uint32_t high = limb + 1u < limbs ? number[limb + 1u] : 0u;
    uint32_t value = shift ? (low >> shift) | (high << (32u - shift)) : low;
    unsigned left = count - 32u * i;
    beat[i] = left < 32u ? value & (((uint32_t)1 << left) - 1u) : value;
  }
}

/* Puts a beat into a number that is zero from bit `from` on. */
static void put_bits(uint32_t *number, unsigned limbs, unsigned from, unsigned count,
                     const uint32_t *beat) {
  unsigned i, beat_limbs = (count + 31u) / 32u;
  for (i = 0; i < beat_limbs; i++) {
    unsigned place = from + 32u * i, limb = place / 32u, shift = place % 32u;
    if (limb < limbs) number[limb] |= beat[i] << shift;
    if (shift && limb + 1u < limbs) number[limb + 1u] |= beat[i] >> (32u - shift);
  }
}

void montcore_wipe(void *memory, size_t bytes) {
  volatile unsigned char *at = (volatile unsigned char *)memory; /* not to be optimised away */
  while (bytes-- > 0u) *at++ = 0u;
#if defined(__GNUC__)
  __asm__ volatile("" : : "r"(memory) : "memory");
#endif
}

static void clear(uint32_t *number, unsigned limbs) {
  montcore_wipe(number, (size_t)limbs * sizeof *number);
}

/* Clears the stack below its caller: what `load`, `multiply` and `r_squared` kept there, with what
 * the compiler put there in between. Those have frames of their own, and so their callers none of it. */
NOT_INLINED static void clear_stack(void) {
  uint32_t below[3u * MONTCORE_MAX_BEAT_LIMBS + 128u];
  montcore_wipe(below, sizeof below);
}

montcore_status montcore_init(montcore *core, const montcore_build *build,
                              const montcore_port *port) {
  if (!core || !build || !port || build->bus_bits == 0u || build->bus_bits > MONTCORE_MAX_BUS_BITS) {
    return MONTCORE_BAD_CALL;
  }
  core->build = build;
  core->port = port;
  core->bits = 0u;
  core->beats = 0u;
  core->limbs = montcore_limbs(build->bits);
  if (core->limbs > LEAST_LIMBS) core->limbs = LEAST_LIMBS;
  return MONTCORE_OK;
}

NOT_INLINED static montcore_status load(montcore *core, const uint32_t *modulus, unsigned bits) {
  uint32_t beat[MONTCORE_MAX_BEAT_LIMBS];
  const montcore_port *port = core->port;
  unsigned bus = core->build->bus_bits, beats = (bits + bus - 1u) / bus, i, error = 0u;
  for (i = 0; i < beats; i++) {
    take_bits(modulus, montcore_limbs(bits), i * bus, bus, beat);
    if (port->configure(port->context, beat, i + 1u == beats)) return MONTCORE_PORT_FAILED;
  }
  if (port->configured(port->context, &error)) return MONTCORE_PORT_FAILED;
  if (error != 0u) return (montcore_status)error;
  core->bits = bits;
  core->beats = beats;
  return MONTCORE_OK;
}

montcore_status montcore_load(montcore *core, const uint32_t *modulus, unsigned bits) {
  montcore_status status;
  if (!core || !modulus || bits == 0u) return MONTCORE_BAD_CALL;
  core->bits = 0u;
  core->limbs = montcore_limbs(bits > core->build->bits ? core->build->bits : bits);
  if (bits > core->build->bits) return MONTCORE_MODULUS_LENGTH;
  status = load(core, modulus, bits);
  clear_stack();
  return status;
}

montcore_status montcore_zeroize(montcore *core) {
  if (!core) return MONTCORE_BAD_CALL;
  core->bits = 0u;
  if (!core->port->zeroize || core->port->zeroize(core->port->context)) return MONTCORE_PORT_FAILED;
  return MONTCORE_OK;
}

unsigned montcore_r_bits(const montcore *core) {
  return core->bits ? core->build->r_bits[core->beats - 1u] : 0u;
}

NOT_INLINED static montcore_status multiply(montcore *core, const uint32_t *x, const uint32_t *y,
                                            uint32_t *z) {
  uint32_t x_beat[MONTCORE_MAX_BEAT_LIMBS], y_beat[MONTCORE_MAX_BEAT_LIMBS];
  montcore_status status = MONTCORE_OK;
  const montcore_port *port;
  unsigned bus, limbs, i;
  int last = 0, error = 0;
  port = core->port;
  bus = core->build->bus_bits;
  limbs = core->limbs;
  for (i = 0; i < core->beats; i++) {
    take_bits(x, limbs, i * bus, bus, x_beat);
    take_bits(y, limbs, i * bus, bus, y_beat);
    if (port->operands(port->context, x_beat, y_beat, i + 1u == core->beats)) {
      status = MONTCORE_PORT_FAILED;
      break;
    }
  }
  clear(z, limbs); /* x and y have been read */
  for (i = 0; status == MONTCORE_OK && !last; i++) {
    if (i == core->beats || port->result(port->context, x_beat, &last, &error)) {
      status = MONTCORE_PORT_FAILED;
    } else if (error) {
      status = (montcore_status)(x_beat[0] & 7u);
      if (status == MONTCORE_OK) status = MONTCORE_PORT_FAILED;
      break;
    } else {
      put_bits(z, limbs, i * bus, bus, x_beat);
    }
  }
  if (status == MONTCORE_OK && i != core->beats) status = MONTCORE_PORT_FAILED;
  if (status != MONTCORE_OK) clear(z, limbs);
  return status;
}

/* Sets a result to zero, if there is one, and returns the status. */
static montcore_status refuse(const montcore *core, uint32_t *z, montcore_status status) {
  if (core && z) clear(z, core->limbs);
  return status;
}

montcore_status montcore_multiply(montcore *core, const uint32_t *x, const uint32_t *y,
                                  uint32_t *z) {
  montcore_status status;
  if (!core || !x || !y || !z) return refuse(core, z, MONTCORE_BAD_CALL);
  if (core->bits == 0u) return refuse(core, z, MONTCORE_NO_MODULUS);
  status = multiply(core, x, y, z);
  clear_stack();
  return status;
}

montcore_status montcore_modmul(montcore *core, const uint32_t *r_squared, const uint32_t *x,
                                const uint32_t *y, uint32_t *z) {
  montcore_status status;
  if (!r_squared) return refuse(core, z, MONTCORE_BAD_CALL);
  status = montcore_multiply(core, x, y, z);
  return status == MONTCORE_OK ? montcore_multiply(core, z, r_squared, z) : status;
}

NOT_INLINED static void r_squared(const uint32_t *modulus, unsigned bits, unsigned r_bits,
                                  uint32_t *out) {
  unsigned limbs = montcore_limbs(bits), i, step;
  for (i = 0; i < limbs; i++) out[i] = 0u;
  out[0] = 1u;
  for (step = 0; step < 2u * r_bits; step++) {
    /* out = 2 out, and out - m if that is not negative: 2 out < 2 m needs one bit more. */
    uint32_t carry = 0u, borrow = 0u;
    for (i = 0; i < limbs; i++) {
      uint32_t limb = out[i];
      out[i] = (limb << 1) | carry;
      carry = limb >> 31;
    }
    for (i = 0; i < limbs; i++) {
      uint64_t difference = (uint64_t)out[i] - modulus[i] - borrow;
      borrow = (uint32_t)(difference >> 63);
    }
    if (carry || !borrow) {
      borrow = 0u;
      for (i = 0; i < limbs; i++) {
        uint64_t difference = (uint64_t)out[i] - modulus[i] - borrow;
        out[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
      }
    }
  }
}

void montcore_r_squared(const uint32_t *modulus, unsigned bits, unsigned r_bits, uint32_t *out) {
  r_squared(modulus, bits, r_bits, out);
  clear_stack();
}

const char *montcore_describe(montcore_status status) {
  switch (status) {
    case MONTCORE_OK: return "done";
    case MONTCORE_MODULUS_EVEN: return "the modulus is even";
    case MONTCORE_MODULUS_ONE: return "the modulus is one";
    case MONTCORE_MODULUS_LENGTH: return "the modulus is longer than the core was built for";
    case MONTCORE_OPERAND_RANGE: return "an operand is not below the modulus";
    case MONTCORE_OPERAND_LENGTH: return "an operand has the wrong number of beats";
    case MONTCORE_NO_MODULUS: return "no modulus is loaded";
    case MONTCORE_BAD_CALL: return "a null pointer or a length of zero";
    case MONTCORE_PORT_FAILED: return "the connection to the core failed";
  }
  return "an unknown status";
}
