/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware of the LiteX system: a self-test, then signatures and decryption with their cycles. Each
 * line that it prints begins with a word that says what it is; the host checks what came out. */
#include <generated/mem.h>

#include "board.h"
#include "firmware.h"
#include "mbedtls/memory_buffer_alloc.h"
#include "montcore_pka_mmio.h"

static unsigned char heap[0xc000];

int main(void) {
  const montcore_pka_port port = {(void *)PKA_BASE, montcore_pka_mmio_read, montcore_pka_mmio_write,
                                  NULL, board_random, 100000000u};
  montcore_pka pka;
  unsigned failed;
  montcore_pka_status status = montcore_pka_open(&pka, &port);
  if (status != MONTCORE_PKA_OK) {
    board_put("failed: ");
    board_put(montcore_pka_describe(status));
    board_put("\n");
    board_end();
  }
  mbedtls_memory_buffer_alloc_init(heap, sizeof heap);
  switch (board_get()) { /* which part to do; a simulation of each can run beside the others */
    case 'a': /* the accelerator */
      failed = firmware_self_test(&pka);
      if (!failed && pka.curve_length) failed = firmware_measure_ecdsa(&pka, BY_ACCELERATOR);
      if (!failed) failed = firmware_measure_rsa(&pka, BY_ACCELERATOR);
      if (!failed) failed = firmware_measure_decryption(&pka, BY_ACCELERATOR);
      break;
    case 'e': failed = firmware_measure_ecdsa(&pka, BY_LIBRARY | BY_SOFTWARE); break;
    case 'l': failed = firmware_measure_rsa(&pka, BY_LIBRARY); break;
    case 's': failed = firmware_measure_rsa(&pka, BY_SOFTWARE); break;
    case 'm': failed = firmware_measure_decryption(&pka, BY_LIBRARY); break;
    case 'd': failed = firmware_measure_decryption(&pka, BY_SOFTWARE); break;
    default: failed = 1u;
  }
  board_put(failed ? "result failed\n" : "result passed\n");
  board_end();
}
