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

static void call_power(void) { montcore_pka_power(&pka, MONTCORE_PKA_CONSTANT, x, dp, BITS, z); }
static void call_product(void) { montcore_pka_product(&pka, x, p, z); }
static void call_load(void) { montcore_pka_load(&pka, p, BITS); }
static void call_lock(void) { montcore_pka_lock_key(&pka, n, BITS, dp, BITS); }
static void call_begin(void) { montcore_rsa_begin(&rsa, &pka, &key); }
static void call_private(void) {
  rsa.pka = &pka, rsa.key = &key, rsa.uses = 0u;
  montcore_rsa_private(&rsa, x, z);
}
static void call_public(void) { montcore_ecc_public(&pka, &montcore_p256, dp, z, z2); }
static void call_ecdh(void) { montcore_ecdh(&pka, &montcore_p256, dp, x, n, z, z2); }
static void call_sign(void) {
  montcore_ecdsa_sign(&pka, &montcore_p256, dp, dq, (const uint8_t *)x, 32u, z, z2);
}
static void call_sign_drawn(void) {
  montcore_ecdsa_sign(&pka, &montcore_p256, dp, 0, (const uint8_t *)x, 32u, z, z2);
}
static void call_x25519(void) {
  montcore_x25519(&pka, (const uint8_t *)dp, (const uint8_t *)x, (uint8_t *)z);
}
static void call_ed_public(void) {
  montcore_ed25519_public(&pka, (const uint8_t *)dp, (uint8_t *)z);
}
static void call_ed_point(void) {
  montcore_ed25519_point(&pka, (const uint8_t *)dp, (uint8_t *)z);
}
static void call_ed_number(void) {
  montcore_ed25519_number(&pka, (const uint8_t *)dp, (const uint8_t *)dq, (const uint8_t *)x,
                          (const uint8_t *)n, (const uint8_t *)e, (uint8_t *)z);
}
static void call_key_sign(void) {
  pka.key_curve = &montcore_p256;
  pka.key_known = 0u;
  montcore_ecc_key_sign(&pka, (const uint8_t *)x, 32u, z, z2);
}
static void call_lock_curve(void) {
  montcore_ecc_lock_key(&pka, &montcore_p256, dp, MONTCORE_ECC_MAY_SIGN);
  pka.locked = 0u;
}
static void call_leaking(void) {
  volatile uint32_t copy[LIMBS];
  unsigned limb;
  for (limb = 0u; limb < LIMBS; limb++) copy[limb] = dp[limb];
  (void)copy;
}

__attribute__((noinline)) static void remember_key(void) {
  remember_number(p, LIMBS), remember_number(q, LIMBS), remember_number(dp, LIMBS);
  remember_number(dq, LIMBS), remember_number(qinv, LIMBS);
}
static void remember_nothing(void) {}

int main(void) {
  static const struct {
    const char *name;
    void (*call)(void);
  } calls[] = {{"load", call_load},   {"power", call_power}, {"product", call_product},
               {"begin", call_begin}, {"private", call_private}, {"public", call_public},
               {"ecdh", call_ecdh}, {"sign", call_sign}, {"sign drawn", call_sign_drawn},
               {"x25519", call_x25519}, {"ed public", call_ed_public},
               {"ed point", call_ed_point}, {"ed number", call_ed_number}, {"key sign", call_key_sign},
               {"lock curve", call_lock_curve}, {"lock", call_lock}};
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
    unsigned found = left_by(remember_key, calls[number].call, remember_nothing);
    if (found != 0u) printf("%s left %u words\n", calls[number].name, found);
    bad += found;
  }
  if (left_by(remember_key, call_leaking, remember_nothing) == 0u) return 1;
  puts("the search finds what was left on purpose");
  return bad != 0u;
}
