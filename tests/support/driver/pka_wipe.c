/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the accelerator's driver on a stack of its own, and looks on it for words that went to the
 * accelerator's memory or came from it, for random words and for limbs of the key. The accelerator
 * answers at once, with words that mean nothing. Prints what is left; the last line says that the
 * search works.
 */
#include "montcore_eddsa.h"
#include "montcore_rsa.h"
#include "stack_search.h"

#define BITS 512u
#define LIMBS (BITS / 32u)

static uint32_t n[LIMBS], e[LIMBS], p[LIMBS], q[LIMBS], dp[LIMBS], dq[LIMBS], qinv[LIMBS], x[LIMBS];
static uint32_t z[LIMBS], z2[LIMBS];
static unsigned counter;
static montcore_pka pka;
static montcore_rsa rsa;

static uint32_t word_of_memory(void) { return 0x41000000u + 0x1379bdu * (++counter % 97u); }

static int read_word(void *context, uint32_t address, uint32_t *value) {
  (void)context;
  *value = address == 0u ? 0x4d504b41u : address == 4u ? 0x100u : address == 8u ? 1024u : 0u;
  if (address >= 0x4000u) {
    *value = word_of_memory();
    remember(*value);
  }
  return 0;
}
static int write_word(void *context, uint32_t address, uint32_t value) {
  (void)context;
  if (address >= 0x4000u) remember(value);
  return 0;
}
static int random_bytes(void *context, uint8_t *bytes, size_t count) {
  size_t at;
  (void)context;
  for (at = 0u; at < count; at += 4u) {
    uint32_t word = 0x61000000u + 0x2468adu * (++counter % 89u);
    memcpy(bytes + at, &word, 4u);
    remember(word);
  }
  return 0;
}

static const montcore_pka_port port = {0, read_word, write_word, 0, random_bytes, 10u};
static const montcore_rsa_key key = {BITS, BITS / 2u, BITS / 2u, 17u, n, e, p, q, dp, dq, qinv};

#define BYTES(number) ((uint8_t *)(number))
#define P256 (&montcore_p256)
CALL(power, montcore_pka_power(&pka, MONTCORE_PKA_CONSTANT, x, dp, BITS, z))
CALL(product, montcore_pka_product(&pka, x, p, z))
CALL(load, montcore_pka_load(&pka, p, BITS))
CALL(lock, montcore_pka_lock_key(&pka, n, BITS, dp, BITS))
CALL(begin, montcore_rsa_begin(&rsa, &pka, &key))
CALL(private, rsa.pka = &pka, rsa.key = &key, rsa.uses = 0u, montcore_rsa_private(&rsa, x, z))
CALL(public, montcore_ecc_public(&pka, P256, dp, z, z2))
CALL(ecdh, montcore_ecdh(&pka, P256, dp, x, n, z, z2))
CALL(sign, montcore_ecdsa_sign(&pka, P256, dp, dq, BYTES(x), 32u, z, z2))
CALL(sign_drawn, montcore_ecdsa_sign(&pka, P256, dp, 0, BYTES(x), 32u, z, z2))
CALL(x25519, montcore_x25519(&pka, BYTES(dp), BYTES(x), BYTES(z)))
CALL(ed_public, montcore_ed25519_public(&pka, BYTES(dp), BYTES(z)))
CALL(ed_point, montcore_ed25519_point(&pka, BYTES(dp), BYTES(z)))
CALL(ed_number, montcore_ed25519_number(&pka, BYTES(dp), BYTES(dq), BYTES(x), BYTES(n), BYTES(e), BYTES(z)))
CALL(key_sign, pka.key_curve = P256, pka.key_known = 0u, montcore_ecc_key_sign(&pka, BYTES(x), 32u, z, z2))
CALL(lock_curve, montcore_ecc_lock_key(&pka, P256, dp, MONTCORE_ECC_MAY_SIGN), pka.locked = 0u)

__attribute__((noinline)) static void remember_key(void) {
  remember_number(p, LIMBS), remember_number(q, LIMBS), remember_number(dp, LIMBS);
  remember_number(dq, LIMBS), remember_number(qinv, LIMBS);
}
static void remember_nothing(void) {}

int main(void) {
  static const named_call calls[] = {NAMED(load), NAMED(power), NAMED(product), NAMED(begin), NAMED(private),
                                     NAMED(public), NAMED(ecdh), NAMED(sign), NAMED(sign_drawn), NAMED(x25519),
                                     NAMED(ed_public), NAMED(ed_point), NAMED(ed_number), NAMED(key_sign),
                                     NAMED(lock_curve), NAMED(lock)};
  unsigned limb, number, bad = 0u;
  for (limb = 0u; limb < LIMBS; limb++) {
    n[limb] = 0xf1020305u + 0x2468aceu * limb;
    x[limb] = 0xa1b2c3d4u + 0x1020305u * limb;
    dp[limb] = 0x51627384u + 0x3050709u * limb;
    dq[limb] = 0x31425364u + 0x3050709u * limb;
    qinv[limb] = 0x91827364u + 0x1050709u * limb;
    p[limb] = limb < LIMBS / 2u ? 0x71625345u + 0x5030107u * limb : 0u;
    q[limb] = limb < LIMBS / 2u ? 0x81726355u + 0x5030107u * limb : 0u;
  }
  e[0] = 65537u;
  if (montcore_pka_open(&pka, &port) != MONTCORE_PKA_OK || pka.length != 1024u) return 1;
  pka.curve_length = 1024u;
  for (number = 0u; number < sizeof calls / sizeof *calls; number++) {
    bad += told(&calls[number], "", remember_key, remember_nothing);
  }
  if (!leak_is_found(dp, remember_key, remember_nothing)) return 1;
  return bad != 0u;
}
