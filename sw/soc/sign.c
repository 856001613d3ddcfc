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

/* Prints two lines: the cycles, and what came out. */
static void show(const char *kind, const char *way, uint64_t cycles, const char *what,
                 const unsigned char *bytes, size_t count) {
  board_put("cycles ");
  board_put(kind);
  board_put(" ");
  board_put(way);
  board_put(" ");
  board_put_number(cycles);
  board_put("\n");
  board_put(what);
  board_put(" ");
  board_put(kind);
  board_put(" ");
  board_put(way);
  board_put(" ");
  board_put_bytes(bytes, count);
  board_put("\n");
}

unsigned firmware_sign(const char *kind, const char *way, mbedtls_pk_context *pk) {
  static unsigned char signature[MBEDTLS_PK_SIGNATURE_MAX_SIZE];
  size_t bytes = 0u;
  uint64_t begin = board_cycles(), cycles;
  int ret = mbedtls_pk_sign(pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &bytes,
                            board_random, NULL);
  cycles = board_cycles() - begin;
  if (ret != 0) return firmware_step(kind, ret);
  if (way) show(kind, way, cycles, "signature", signature, bytes);
  return 0u;
}

unsigned firmware_decrypt(const char *kind, const char *way, mbedtls_pk_context *pk,
                          const unsigned char *secret, size_t secret_bytes) {
  static unsigned char message[MBEDTLS_PK_SIGNATURE_MAX_SIZE];
  size_t bytes = 0u;
  uint64_t begin = board_cycles(), cycles;
  int ret = mbedtls_pk_decrypt(pk, secret, secret_bytes, message, &bytes, sizeof message,
                               board_random, NULL);
  cycles = board_cycles() - begin;
  if (ret != 0) return firmware_step(kind, ret);
  show(kind, way, cycles, "message", message, bytes);
  return 0u;
}
