/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"
#include "firmware.h"
#include "vectors.h"

unsigned firmware_step(const char *name, int ret) {
  if (ret == 0) return 0u;
  board_put("failed: ");
  board_put(name);
  board_put(" -0x");
  board_put_hex((uint32_t)-ret);
  board_put("\n");
  return 1u;
}

unsigned firmware_sign(const char *kind, const char *way, mbedtls_pk_context *pk) {
  static unsigned char signature[MBEDTLS_PK_SIGNATURE_MAX_SIZE];
  size_t bytes = 0u;
  uint64_t begin = board_cycles(), cycles;
  int ret = mbedtls_pk_sign(pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &bytes,
                            board_random, NULL);
  cycles = board_cycles() - begin;
  if (ret != 0) return firmware_step(kind, ret);
  if (!way) return 0u;
  board_put("cycles ");
  board_put(kind);
  board_put(" ");
  board_put(way);
  board_put(" ");
  board_put_number(cycles);
  board_put("\nsignature ");
  board_put(kind);
  board_put(" ");
  board_put(way);
  board_put(" ");
  board_put_bytes(signature, bytes);
  board_put("\n");
  return 0u;
}
