/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_pka_inner.h"

#define MAGIC MONTCORE_PKA_REGISTERS__ID__MAGIC_reset
#define MAJOR 1u
#define UNIT_CURVES 2u
#define ENDED MONTCORE_PKA_REGISTERS__INTR_STATE__DONE_bm

enum { OP_LOAD = 1, OP_POWER, OP_PRODUCT, OP_KEY_LOAD, OP_KEY_POWER, OP_CLEAR, OP_LOCK };
enum { SLOT_M = 0, SLOT_X = 1, SLOT_Y = 2, SLOT_Z = 3 };

#if defined(__GNUC__)
typedef uint32_t __attribute__((may_alias)) any_word;
#else
typedef unsigned char any_word;
#endif

/* Volatile, so that no store is optimised away; words where the memory has them. */
void montcore_pka_wipe(void *memory, size_t bytes) {
  volatile unsigned char *at = (volatile unsigned char *)memory;
  if ((uintptr_t)memory % sizeof(any_word) == 0u) {
    volatile any_word *word = (volatile any_word *)memory;
    for (; bytes >= 4u * sizeof *word; bytes -= 4u * sizeof *word, word += 4) {
      word[0] = 0u;
      word[1] = 0u;
      word[2] = 0u;
      word[3] = 0u;
    }
    at = (volatile unsigned char *)word;
  }
  while (bytes-- > 0u) *at++ = 0u;
#if defined(__GNUC__)
  __asm__ volatile("" : : "r"(memory) : "memory");
#endif
}

NOT_INLINED void montcore_pka_wipe_stack(void) {
  uint32_t below[4u * MONTCORE_PKA_MAX_LIMBS + 1024u];
  montcore_pka_wipe(below, sizeof below);
}

#if defined(MONTCORE_PKA_IN_PLACE)
static montcore_pka_status put_words(const montcore_pka *pka, uint32_t address,
                                     const uint32_t *words, unsigned count) {
  volatile uint32_t *at = (volatile uint32_t *)pka->port->context + address / 4u;
  for (; count >= 4u; count -= 4u, at += 4, words += 4) {
    at[0] = words[0];
    at[1] = words[1];
    at[2] = words[2];
    at[3] = words[3];
  }
  while (count-- > 0u) *at++ = *words++;
  return MONTCORE_PKA_OK;
}

static montcore_pka_status get_words(const montcore_pka *pka, uint32_t address, uint32_t *words,
                                     unsigned count) {
  const volatile uint32_t *at = (const volatile uint32_t *)pka->port->context + address / 4u;
  for (; count >= 4u; count -= 4u, at += 4, words += 4) {
    words[0] = at[0];
    words[1] = at[1];
    words[2] = at[2];
    words[3] = at[3];
  }
  while (count-- > 0u) *words++ = *at++;
  return MONTCORE_PKA_OK;
}
#else
montcore_pka_status montcore_pka_inner_get(const montcore_pka *pka, uint32_t address,
                                           uint32_t *value) {
  *value = 0u;
  return pka->port->read(pka->port->context, address, value) ? MONTCORE_PKA_BUS_ERROR
                                                              : MONTCORE_PKA_OK;
}

montcore_pka_status montcore_pka_inner_put(const montcore_pka *pka, uint32_t address,
                                           uint32_t value) {
  return pka->port->write(pka->port->context, address, value) ? MONTCORE_PKA_BUS_ERROR
                                                               : MONTCORE_PKA_OK;
}

static montcore_pka_status put_words(const montcore_pka *pka, uint32_t address,
                                     const uint32_t *words, unsigned count) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  unsigned i;
  for (i = 0; i < count && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_put(pka, address + 4u * i, words[i]);
  }
  return status;
}

static montcore_pka_status get_words(const montcore_pka *pka, uint32_t address, uint32_t *words,
                                     unsigned count) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  unsigned i;
  for (i = 0; i < count && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_get(pka, address + 4u * i, &words[i]);
  }
  return status;
}
#endif

montcore_pka_status montcore_pka_inner_refuse(const montcore_pka *pka, uint32_t *z,
                                              montcore_pka_status status) {
  if (pka && z) montcore_pka_wipe(z, pka->limbs * sizeof *z);
  return status;
}

/* What is known of the accelerator's contents after zeroize. */
static void forget(montcore_pka *pka) {
  pka->bits = 0u;
  pka->locked = 0u;
  pka->key_known = 0u;
  pka->curve = 0;
  pka->key_curve = 0;
}

/* Waits until no command is under way. What does not end in time is zeroized. If the port fails even
 * then, for instance because a server has ended, that is the status. */
montcore_pka_status montcore_pka_inner_settle(montcore_pka *pka) {
  uint32_t polls = pka->port->polls, state;
  montcore_pka_status status;
  do {
    status = montcore_pka_inner_get(pka, REGISTER(status), &state);
    if (status != MONTCORE_PKA_OK) return status;
    if (!(state & MONTCORE_PKA_REGISTERS__STATUS__BUSY_bm)) {
      return pka->interrupt ? montcore_pka_inner_put(pka, REGISTER(intr_state), ENDED) : MONTCORE_PKA_OK;
    }
    if (pka->port->pause && pka->port->pause(pka->port->context)) break;
  } while (polls-- > 0u);
  forget(pka);
  status = montcore_pka_inner_put(pka, REGISTER(control), MONTCORE_PKA_REGISTERS__CONTROL__ZEROIZE_bm);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_get(pka, REGISTER(status), &state);
  return status == MONTCORE_PKA_OK ? MONTCORE_PKA_TIMEOUT : status;
}

/* Clears the stack, unless that is left to a caller within the driver. */
static void finish(const montcore_pka *pka) {
  if (!pka->inner) montcore_pka_wipe_stack();
}

/* Waits for the end of a command that was given, if it was. */
static montcore_pka_status outcome(montcore_pka *pka, montcore_pka_status status) {
  uint32_t code = 0u;
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_settle(pka);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_get(pka, REGISTER(error), &code);
  if (status == MONTCORE_PKA_OK) status = (montcore_pka_status)code;
  return status;
}

montcore_pka_status montcore_pka_inner_command(montcore_pka *pka, uint32_t word) {
  return outcome(pka, montcore_pka_inner_put(pka, REGISTER(command), word));
}

/* Gives a command of the exponentiator. */
static montcore_pka_status give(const montcore_pka *pka, unsigned op, unsigned policy, unsigned y) {
  uint32_t word = (uint32_t)op;
  word |= (uint32_t)policy << MONTCORE_PKA_REGISTERS__COMMAND__POLICY_bp;
  word |= (uint32_t)(op == OP_LOAD ? SLOT_M : SLOT_X) << MONTCORE_PKA_REGISTERS__COMMAND__X_bp;
  word |= (uint32_t)y << MONTCORE_PKA_REGISTERS__COMMAND__Y_bp;
  word |= (uint32_t)SLOT_Z << MONTCORE_PKA_REGISTERS__COMMAND__Z_bp;
  return montcore_pka_inner_put(pka, REGISTER(command), word);
}

/* Gives one and waits for its end. */
static montcore_pka_status command(montcore_pka *pka, unsigned op, unsigned policy) {
  return outcome(pka, give(pka, op, policy, SLOT_Y));
}

NOT_INLINED montcore_pka_status montcore_pka_inner_number(const montcore_pka *pka,
                                                          uint32_t address,
                                                          const uint32_t *number,
                                                          unsigned bits) {
  if (bits % 32u && number[bits / 32u] >> (bits % 32u)) return MONTCORE_PKA_RANGE;
  return put_words(pka, address, number, montcore_pka_limbs(bits));
}

static montcore_pka_status put_slot(const montcore_pka *pka, unsigned slot, const uint32_t *number,
                                    unsigned bits) {
  return montcore_pka_inner_number(pka, OPERANDS + SLOT * slot, number, bits);
}

/* Limbs of a result of which nothing but the built width is known. */
static unsigned least_limbs(unsigned built) {
  unsigned limbs = montcore_pka_limbs(built);
  return limbs == 0u || limbs > MONTCORE_PKA_LEAST_LIMBS ? MONTCORE_PKA_LEAST_LIMBS : limbs;
}

/* Takes the length of a modulus that is given: that of results from now on. */
static void expect(montcore_pka *pka, unsigned bits) {
  unsigned most = pka->length > MONTCORE_PKA_MAX_BITS ? pka->length : MONTCORE_PKA_MAX_BITS;
  pka->bits = 0u;
  if (bits) pka->limbs = montcore_pka_limbs(bits > most ? most : bits);
}

montcore_pka_status montcore_pka_open(montcore_pka *pka, const montcore_pka_port *port) {
  uint32_t value;
  montcore_pka_status status;
  if (!pka || !port || !port->read || !port->write) return MONTCORE_PKA_BAD_CALL;
  pka->port = port;
  pka->length = 0u;
  pka->curve_length = 0u;
  pka->inner = 0u;
  pka->interrupt = 0u;
  pka->unverified = 0u;
  pka->limbs = pka->key_limbs = MONTCORE_PKA_LEAST_LIMBS;
  forget(pka);
  status = montcore_pka_inner_get(pka, REGISTER(id), &value);
  if (status != MONTCORE_PKA_OK) return status;
  if (value != MAGIC) return MONTCORE_PKA_NOT_FOUND;
  status = montcore_pka_inner_get(pka, REGISTER(version), &value);
  if (status != MONTCORE_PKA_OK) return status;
  value = (value & MONTCORE_PKA_REGISTERS__VERSION__MAJOR_bm) >>
          MONTCORE_PKA_REGISTERS__VERSION__MAJOR_bp;
  if (value != MAJOR) return MONTCORE_PKA_NOT_FOUND;
  status = montcore_pka_inner_get(pka, REGISTER(build), &value);
  if (status != MONTCORE_PKA_OK) return status;
  pka->length = value & MONTCORE_PKA_REGISTERS__BUILD__LENGTH_bm;
  pka->limbs = least_limbs(pka->length);
  if (value >> MONTCORE_PKA_REGISTERS__BUILD__UNITS_bp & UNIT_CURVES) {
    status = montcore_pka_inner_get(pka, REGISTER(curves), &value);
    if (status != MONTCORE_PKA_OK) return status;
    pka->curve_length = value & MONTCORE_PKA_REGISTERS__CURVES__BUILT_bm;
    pka->key_limbs = least_limbs(pka->curve_length);
  }
  status = montcore_pka_inner_settle(pka);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_get(pka, REGISTER(status), &value);
  if (status == MONTCORE_PKA_OK) pka->locked = value >> MONTCORE_PKA_REGISTERS__STATUS__LOCKED_bp & 1u;
  return status;
}

montcore_pka_status montcore_pka_interrupt(montcore_pka *pka, int on) {
  montcore_pka_status status;
  if (!pka) return MONTCORE_PKA_BAD_CALL;
  pka->interrupt = on != 0;
  status = montcore_pka_inner_put(pka, REGISTER(intr_state), ENDED);
  if (status != MONTCORE_PKA_OK) return status;
  return montcore_pka_inner_put(pka, REGISTER(intr_enable), on ? ENDED : 0u);
}

montcore_pka_status montcore_pka_load(montcore_pka *pka, const uint32_t *modulus, unsigned bits) {
  montcore_pka_status status;
  if (!pka || !modulus) return MONTCORE_PKA_BAD_CALL;
  expect(pka, bits);
  if (bits < 2u || bits > pka->length) return MONTCORE_PKA_MODULUS_LENGTH;
  status = montcore_pka_inner_settle(pka); /* it may still clear itself after a time-out */
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_put(pka, REGISTER(length), bits);
  if (status == MONTCORE_PKA_OK) status = put_slot(pka, SLOT_M, modulus, bits);
  if (status == MONTCORE_PKA_RANGE) status = MONTCORE_PKA_MODULUS_LENGTH;
  if (status == MONTCORE_PKA_OK) status = command(pka, OP_LOAD, 0u);
  finish(pka);
  if (status == MONTCORE_PKA_OK) pka->bits = bits;
  return status;
}

/* x to its slot, and the command, with y from a slot. */
NOT_INLINED static montcore_pka_status begin(montcore_pka *pka, unsigned op, unsigned policy,
                                             const uint32_t *x, unsigned y) {
  montcore_pka_status status = put_slot(pka, SLOT_X, x, pka->bits);
  return status == MONTCORE_PKA_OK ? give(pka, op, policy, y) : status;
}

/* z from its slot when the command has ended, if it was given. */
static montcore_pka_status end(montcore_pka *pka, montcore_pka_status status, uint32_t *z) {
  status = outcome(pka, status);
  if (status == MONTCORE_PKA_OK) status = get_words(pka, OPERANDS + SLOT * SLOT_Z, z, pka->limbs);
  if (status != MONTCORE_PKA_OK) status = montcore_pka_inner_refuse(pka, z, status);
  finish(pka);
  return status;
}

montcore_pka_status montcore_pka_power_begin(montcore_pka *pka, montcore_pka_policy policy,
                                             const uint32_t *x, const uint32_t *e,
                                             unsigned e_bits) {
  montcore_pka_status status;
  if (!pka || !x || !e || (unsigned)policy > 2u) return MONTCORE_PKA_BAD_CALL;
  if (!pka->bits) return MONTCORE_PKA_NO_MODULUS;
  if (e_bits < 1u || e_bits > pka->length) return MONTCORE_PKA_BAD_LENGTH;
  status = montcore_pka_inner_put(pka, REGISTER(y_length), e_bits);
  if (status == MONTCORE_PKA_OK) status = put_slot(pka, SLOT_Y, e, e_bits);
  if (status == MONTCORE_PKA_OK) status = begin(pka, OP_POWER, (unsigned)policy, x, SLOT_Y);
  return status;
}

montcore_pka_status montcore_pka_power_end(montcore_pka *pka, montcore_pka_status begun,
                                           uint32_t *z) {
  if (!pka || !z) return MONTCORE_PKA_BAD_CALL;
  return end(pka, begun, z);
}

montcore_pka_status montcore_pka_power(montcore_pka *pka, montcore_pka_policy policy,
                                       const uint32_t *x, const uint32_t *e, unsigned e_bits,
                                       uint32_t *z) {
  if (!z) return MONTCORE_PKA_BAD_CALL;
  return montcore_pka_power_end(pka, montcore_pka_power_begin(pka, policy, x, e, e_bits), z);
}

montcore_pka_status montcore_pka_product(montcore_pka *pka, const uint32_t *x, const uint32_t *y,
                                         uint32_t *z) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  if (!pka || !x || !y || !z) return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_BAD_CALL);
  if (!pka->bits) return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_NO_MODULUS);
  if (x != y) status = put_slot(pka, SLOT_Y, y, pka->bits);
  if (status == MONTCORE_PKA_OK) status = begin(pka, OP_PRODUCT, 0u, x, x != y ? SLOT_Y : SLOT_X);
  return end(pka, status, z);
}

montcore_pka_status montcore_pka_lock_key(montcore_pka *pka, const uint32_t *modulus, unsigned bits,
                                          const uint32_t *exponent, unsigned e_bits) {
  montcore_pka_status status;
  if (!pka || !modulus || !exponent) return MONTCORE_PKA_BAD_CALL;
  if (bits < 2u || bits > pka->length || e_bits < 1u || e_bits > pka->length) return MONTCORE_PKA_BAD_LENGTH;
  status = montcore_pka_inner_settle(pka);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_put(pka, REGISTER(length), bits);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_put(pka, REGISTER(y_length), e_bits);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_number(pka, KEY, modulus, bits);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_number(pka, KEY + SLOT, exponent, e_bits);
  if (status == MONTCORE_PKA_OK) status = command(pka, OP_LOCK, 0u);
  if (status == MONTCORE_PKA_OK) pka->locked = 1u;
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_pka_load_key(montcore_pka *pka, unsigned bits) {
  montcore_pka_status status;
  if (!pka) return MONTCORE_PKA_BAD_CALL;
  expect(pka, bits);
  if (bits < 2u || bits > pka->length) return MONTCORE_PKA_BAD_LENGTH;
  status = command(pka, OP_KEY_LOAD, 0u);
  if (status == MONTCORE_PKA_OK) pka->bits = bits;
  return status;
}

montcore_pka_status montcore_pka_key_power(montcore_pka *pka, montcore_pka_policy policy,
                                           const uint32_t *x, uint32_t *z) {
  if (!pka || !x || !z || (unsigned)policy > 2u) {
    return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_BAD_CALL);
  }
  if (!pka->bits) return montcore_pka_inner_refuse(pka, z, MONTCORE_PKA_NO_MODULUS);
  return end(pka, begin(pka, OP_KEY_POWER, (unsigned)policy, x, SLOT_Y), z);
}

montcore_pka_status montcore_pka_clear(montcore_pka *pka) {
  return pka ? command(pka, OP_CLEAR, 0u) : MONTCORE_PKA_BAD_CALL;
}

montcore_pka_status montcore_pka_zeroize(montcore_pka *pka) {
  montcore_pka_status status;
  if (!pka) return MONTCORE_PKA_BAD_CALL;
  forget(pka);
  status = montcore_pka_inner_put(pka, REGISTER(control), MONTCORE_PKA_REGISTERS__CONTROL__ZEROIZE_bm);
  return status == MONTCORE_PKA_OK ? montcore_pka_inner_settle(pka) : status;
}

montcore_pka_status montcore_pka_cycles(montcore_pka *pka, uint32_t *cycles) {
  montcore_pka_status status = MONTCORE_PKA_BAD_CALL;
  if (pka && cycles) status = montcore_pka_inner_get(pka, REGISTER(cycles), cycles);
  if (cycles && status != MONTCORE_PKA_OK) *cycles = 0u;
  return status;
}

const char *montcore_pka_describe(montcore_pka_status status) {
  switch (status) {
    case MONTCORE_PKA_OK: return "done";
    case MONTCORE_PKA_MODULUS_EVEN: return "the modulus is even";
    case MONTCORE_PKA_MODULUS_ONE: return "the modulus is one";
    case MONTCORE_PKA_MODULUS_LENGTH: return "the modulus does not fit its length or the build";
    case MONTCORE_PKA_OPERAND_RANGE: return "an operand is not below the modulus, or an exponent is 0";
    case MONTCORE_PKA_OPERAND_LENGTH: return "an operand has the wrong length";
    case MONTCORE_PKA_NO_MODULUS: return "no modulus is loaded";
    case MONTCORE_PKA_BAD_COMMAND: return "there is no such command, slot or policy";
    case MONTCORE_PKA_BAD_LENGTH: return "a length is 0 or more than was built";
    case MONTCORE_PKA_BAD_KEY: return "no key is locked, a key is already locked, or its use is not permitted";
    case MONTCORE_PKA_ABANDONED: return "the command was abandoned by zeroize";
    case MONTCORE_PKA_INFINITY: return "the result is the point at infinity";
    case MONTCORE_PKA_RANGE: return "a number has more bits than stated, or a scalar, a coordinate, r or s is out of range";
    case MONTCORE_PKA_POINT: return "the point is not on the curve";
    case MONTCORE_PKA_SIGNATURE: return "the signature is wrong";
    case MONTCORE_PKA_NO_RANDOM: return "the accelerator has no random numbers";
    case MONTCORE_PKA_CURVE_FAULT: return "the result is not on the curve, and withheld";
    case MONTCORE_PKA_BAD_OPERATION: return "the operation is not for this curve";
    case MONTCORE_PKA_NO_CURVE: return "no curve is loaded, or not the key's";
    case MONTCORE_PKA_RETRY: return "r or s is zero: another nonce is needed";
    case MONTCORE_PKA_BAD_CALL: return "an argument of the call is invalid";
    case MONTCORE_PKA_BUS_ERROR: return "an access failed on the bus";
    case MONTCORE_PKA_TIMEOUT: return "the accelerator did not answer in time";
    case MONTCORE_PKA_NOT_FOUND: return "there is no accelerator with this register map";
    case MONTCORE_PKA_RANDOM_FAILED: return "there are no random numbers";
    case MONTCORE_PKA_FAULT: return "the result did not pass its check";
  }
  return "unknown status";
}
