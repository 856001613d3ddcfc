/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <stdlib.h>

#include <generated/csr.h>
#include <generated/mem.h>

#include "montcore_pka_registers.h"

#define INTERRUPT 0x80000000u
#define EXTERNAL 11u
#define PKA_INTR_STATE (*(volatile uint32_t *)(PKA_BASE + offsetof(montcore_pka_registers_t, intr_state)))

volatile uint32_t board_interrupts;

static void put_character(char character) {
  while (uart_txfull_read()) {
  }
  uart_rxtx_write((uint8_t)character);
}

char board_get(void) {
  char character;
  while (uart_rxempty_read()) {
  }
  character = (char)uart_rxtx_read();
  uart_ev_pending_write(2u); /* takes it from the queue */
  return character;
}

void board_put(const char *text) {
  while (*text) put_character(*text++);
}

void board_put_number(uint64_t value) {
  char digits[21];
  unsigned at = sizeof digits - 1u;
  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + (int)(value % 10u));
    value /= 10u;
  } while (value);
  board_put(&digits[at]);
}

static void put_digits(uint32_t value, unsigned count) {
  while (count-- > 0u) put_character("0123456789abcdef"[value >> (4u * count) & 15u]);
}

void board_put_hex(uint32_t value) { put_digits(value, 8u); }

void board_put_bytes(const uint8_t *bytes, size_t count) {
  while (count-- > 0u) put_digits(*bytes++, 2u);
}

void board_end(void) {
  put_character(4);
  for (;;) {
  }
}

uint64_t board_cycles(void) {
  timer0_uptime_latch_write(1u);
  return timer0_uptime_cycles_read();
}

int board_random(void *context, unsigned char *bytes, size_t count) {
  uint32_t word = 0u;
  size_t i;
  (void)context;
  for (i = 0; i < count; i++) {
    if (i % 4u == 0u) word = entropy_in_read();
    bytes[i] = (unsigned char)(word >> (8u * (i % 4u)));
  }
  return 0;
}

void board_trap(void);
__attribute__((interrupt, aligned(4))) void board_trap(void) {
  uint32_t cause, pc;
  __asm__ volatile(".option arch, +zicsr\n\tcsrr %0, mcause\n\tcsrr %1, mepc" : "=r"(cause), "=r"(pc));
  if (cause == (INTERRUPT | EXTERNAL)) {
    PKA_INTR_STATE = 3u;
    board_interrupts++;
    return;
  }
  board_put("trap: cause ");
  board_put_hex(cause);
  board_put(" at ");
  board_put_hex(pc);
  board_put("\n");
  board_end();
}

void exit(int code) {
  (void)code;
  board_end();
}
