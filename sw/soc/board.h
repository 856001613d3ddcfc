/* SPDX-License-Identifier: Apache-2.0
 *
 * What the firmware needs of the LiteX system: console, clock, noise, traps. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

char board_get(void); /* waits for a character of the console */
void board_put(const char *text);
void board_put_number(uint64_t value);          /* decimal */
void board_put_hex(uint32_t value);             /* 8 digits */
void board_put_bytes(const uint8_t *bytes, size_t count); /* hexadecimal */
void board_end(void) __attribute__((noreturn)); /* ends the simulation */

/* Cycles of the system's clock since the start. */
uint64_t board_cycles(void);

/* Random bytes of the board's noise; returns 0. */
int board_random(void *context, unsigned char *bytes, size_t count);

/* Interrupts of the accelerator that were taken; a handler acknowledges each. */
extern volatile uint32_t board_interrupts;
void board_enable_interrupts(uint32_t mask);
void board_disable_interrupts(void);

#endif
