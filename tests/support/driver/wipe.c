/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the driver on a stack of its own, and looks on it for limbs of the numbers, and for the parts
 * of them that made up beats. Prints what is left; the last line says that the search works.
 */
#include "montcore_driver.h"
#include "stack_search.h"

#define BITS 224u
#define LIMBS (BITS / 32u)
#define BEATS ((BITS + BUS - 1u) / BUS)
#define BEAT_LIMBS ((BUS + 31u) / 32u)

static uint32_t modulus[LIMBS], x[LIMBS], y[LIMBS], z[LIMBS];
static unsigned sent;
static int fail;
static montcore core;

static int configure(void *context, const uint32_t *beat, int last) {
  (void)context, (void)last;
  remember_number(beat, BEAT_LIMBS);
  return fail;
}
static int configured(void *context, unsigned *error) {
  (void)context;
  *error = 0u;
  return 0;
}
static int operands(void *context, const uint32_t *x_beat, const uint32_t *y_beat, int last) {
  (void)context, (void)last;
  remember_number(x_beat, BEAT_LIMBS);
  remember_number(y_beat, BEAT_LIMBS);
  sent = 0u;
  return fail;
}
static int result(void *context, uint32_t *beat, int *last, int *error) {
  unsigned limb;
  (void)context;
  for (limb = 0u; limb < BEAT_LIMBS; limb++) beat[limb] = 0xc1000000u + 0x1379bdu * (sent * 8u + limb);
  remember_number(beat, BEAT_LIMBS);
  sent++;
  *last = sent == BEATS;
  *error = 0;
  return 0;
}

static const uint16_t r_bits[BEATS] = {BITS};
static const montcore_build build = {BITS, BUS, BEATS, r_bits};
static const montcore_port port = {0, configure, configured, operands, result, 0};

CALL(load, montcore_load(&core, modulus, BITS))
CALL(multiply, montcore_multiply(&core, x, y, z))
CALL(modmul, montcore_modmul(&core, modulus, x, y, z))
CALL(r_squared, montcore_r_squared(modulus, BITS, BITS, z))

__attribute__((noinline)) static void remember_result(void) { remember_number(z, LIMBS); }
__attribute__((noinline)) static void remember_all(void) {
  remember_number(modulus, LIMBS), remember_number(x, LIMBS), remember_number(y, LIMBS);
  remember_result();
}

int main(void) {
  static const named_call calls[] = {NAMED(load), NAMED(multiply), NAMED(modmul), NAMED(r_squared)};
  unsigned limb, number, bad = 0u;
  for (limb = 0u; limb < LIMBS; limb++) {
    modulus[limb] = 0xf1020305u + 0x2468aceu * limb;
    x[limb] = 0xa1b2c3d4u + 0x1020305u * limb;
    y[limb] = 0x51627384u + 0x3050709u * limb;
  }
  if (montcore_init(&core, &build, &port) != MONTCORE_OK) return 1;
  for (fail = 0; fail < 2; fail++) {
    for (number = 0u; number < sizeof calls / sizeof *calls; number++) {
      bad += told(&calls[number], fail ? ", failing" : "", remember_all, remember_result);
    }
    if (fail == 0 && core.bits != BITS) return 1;
    core.bits = BITS, core.beats = BEATS;
  }
  montcore_wipe(x + 1, sizeof x - 8u);
  if (x[0] == 0u || x[1] != 0u || x[LIMBS - 2u] != 0u || x[LIMBS - 1u] == 0u) return 1;
  if (montcore_zeroize(&core) != MONTCORE_PORT_FAILED || core.bits != 0u) return 1;
  if (!leak_is_found(x, remember_all, remember_result)) return 1;
  return bad != 0u;
}
