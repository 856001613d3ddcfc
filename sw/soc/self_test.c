/* SPDX-License-Identifier: Apache-2.0 */
#include <generated/mem.h>
#include <generated/soc.h>

#include "board.h"
#include "firmware.h"
#include "montcore_pka_registers.h"
#include "vectors.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define REGISTER(name) WORD(PKA_BASE + offsetof(montcore_pka_registers_t, name))
#define OPERANDS (PKA_BASE + offsetof(montcore_pka_t, operands))
#define KEY (PKA_BASE + offsetof(montcore_pka_t, key))
#define REFUSED MONTCORE_PKA_REGISTERS__INTR_STATE__REFUSED_bm
#define PRODUCT 3u

static unsigned failed;

static void check(const char *what, int good) {
  board_put(good ? "test passed: " : "test failed: ");
  board_put(what);
  board_put("\n");
  if (!good) failed++;
}

static int equal(const uint32_t *a, const uint32_t *b, unsigned limbs) {
  while (limbs-- > 0u) {
    if (a[limbs] != b[limbs]) return 0;
  }
  return 1;
}

/* Whether an access since the last call was refused. */
static int refused(void) {
  uint32_t state = REGISTER(intr_state);
  REGISTER(intr_state) = REFUSED;
  return (state & REFUSED) != 0u;
}

static void test_bus(void) {
  (void)refused();
  check("the registers say what it is",
        REGISTER(id) == MONTCORE_PKA_REGISTERS__ID__MAGIC_reset && !refused());
  check("an address without a register is refused", WORD(PKA_BASE + 0x3000u) == 0u && refused());
  check("a read of the key is refused", WORD(KEY) == 0u && refused());
  REGISTER(id) = 1u;
  check("a write of what cannot be written is refused", refused());
  WORD(OPERANDS + 4u) = 0x11223344u;
  *(volatile uint8_t *)(OPERANDS + 6u) = 0x77u;
  check("bytes of a word are written alone", WORD(OPERANDS + 4u) == 0x11773344u && !refused());
}

static void test_arithmetic(montcore_pka *pka) {
  static uint32_t z[VECTOR_LIMBS];
  check("a modulus is loaded", montcore_pka_load(pka, vector_m, VECTOR_BITS) == MONTCORE_PKA_OK);
  check("a product is right", montcore_pka_product(pka, vector_x, vector_y, z) == MONTCORE_PKA_OK &&
                                  equal(z, vector_product, VECTOR_LIMBS));
  check("a power is right", montcore_pka_power(pka, MONTCORE_PKA_CONSTANT, vector_x, vector_e, 64u,
                                               z) == MONTCORE_PKA_OK &&
                                equal(z, vector_power, VECTOR_LIMBS));
  check("an operand out of range is an error",
        montcore_pka_product(pka, vector_m, vector_y, z) == MONTCORE_PKA_OPERAND_RANGE);
}

static void test_interrupt(void) {
  uint32_t before = board_interrupts, polls = 0u;
  REGISTER(intr_state) = 3u;
  REGISTER(intr_enable) = 1u;
  board_enable_interrupts(1u << PKA_INTERRUPT);
  REGISTER(command) = PRODUCT | 1u << 8 | 2u << 12 | 3u << 16;
  while (board_interrupts == before && polls++ < 1000000u) {
  }
  board_disable_interrupts();
  REGISTER(intr_enable) = 0u;
  check("the end of a command is an interrupt", board_interrupts == before + 1u);
  check("and it is acknowledged", REGISTER(intr_state) == 0u);
}

/* For a port's `pause`: until the next interrupt, or a while. */
static int wait_for_interrupt(void *context) {
  static uint32_t seen;
  uint32_t polls = 0u;
  (void)context;
  while (board_interrupts == seen && polls++ < 1000000u) {
  }
  if (board_interrupts == seen) return 1;
  seen = board_interrupts;
  return 0;
}

static void test_sleep(montcore_pka *pka) {
  static uint32_t z[VECTOR_LIMBS];
  const montcore_pka_port *polled = pka->port;
  montcore_pka_port port = *polled;
  uint32_t before = board_interrupts;
  int right;
  port.pause = wait_for_interrupt;
  pka->port = &port;
  right = montcore_pka_interrupt(pka, 1) == MONTCORE_PKA_OK;
  board_enable_interrupts(1u << PKA_INTERRUPT);
  right = right && montcore_pka_product(pka, vector_x, vector_y, z) == MONTCORE_PKA_OK &&
          montcore_pka_power(pka, MONTCORE_PKA_CONSTANT, vector_x, vector_e, 64u, z) == MONTCORE_PKA_OK;
  board_disable_interrupts();
  right = right && montcore_pka_interrupt(pka, 0) == MONTCORE_PKA_OK;
  pka->port = polled;
  check("the driver waits for interrupts",
        right && board_interrupts == before + 2u && equal(z, vector_power, VECTOR_LIMBS));
}

static void test_key(montcore_pka *pka) {
  static uint32_t z[VECTOR_LIMBS];
  check("a key is locked", montcore_pka_lock_key(pka, vector_m, VECTOR_BITS, vector_e, 64u) ==
                               MONTCORE_PKA_OK);
  check("a locked key cannot be read", WORD(KEY + 4u) == 0u && refused());
  check("a power with it is right",
        montcore_pka_load_key(pka, VECTOR_BITS) == MONTCORE_PKA_OK &&
            montcore_pka_key_power(pka, MONTCORE_PKA_LADDER, vector_x, z) == MONTCORE_PKA_OK &&
            equal(z, vector_power, VECTOR_LIMBS));
  check("zeroize clears it", montcore_pka_zeroize(pka) == MONTCORE_PKA_OK &&
                                 montcore_pka_load_key(pka, VECTOR_BITS) == MONTCORE_PKA_BAD_KEY);
}

unsigned firmware_self_test(montcore_pka *pka) {
  failed = 0u;
  test_bus();
  test_arithmetic(pka);
  test_interrupt();
  test_sleep(pka);
  test_key(pka);
  return failed;
}
