/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function of the driver in front of a device whose n-th command never ends, for every n, and again
 * with random numbers that fail at the n-th time that they are asked for. Numbers that are read from it are
 * one, so that calls go on to their end. Prints for each function in how many commands it was hung and how
 * often random numbers failed; nothing else, if each such call ended in time, with the error that it must
 * have, without a result, and without a command that works on a secret after its random numbers failed.
 */
#include <stdio.h>
#include <string.h>

#include "montcore_eddsa.h"
#include "montcore_rsa.h"

#define BITS 512u
#define LIMBS (BITS / 32u)
#define POLLS 10u
#define NEVER 1000000u
#define COMMAND 0x2cu

static const uint32_t n[LIMBS] = {15}, e[LIMBS] = {3}, p[LIMBS] = {5}, q[LIMBS] = {3}, one[LIMBS] = {1};
static uint32_t z[2u * LIMBS];
static const uint8_t text[64] = {1};
static montcore_pka pka;
static montcore_rsa rsa;
static const montcore_rsa_key key = {BITS, BITS / 2u, BITS / 2u, 2u, n, e, p, q, one, one, one};

/* Of the device: commands since the last reset, the one that hangs, polls; draws, the one that fails. */
static unsigned commands, hung, polls, draws, failing, after_failure;

static int read_word(void *context, uint32_t address, uint32_t *value) {
  (void)context;
  *value = address == 0u ? 0x4d504b41u : address == 4u ? 0x100u : address == 8u ? 0x00030000u + 1024u : 0u;
  if (address == 0x38u) *value = 1000u;
  if (address == 0x14u) {
    *value = commands >= hung ? 0x41u : 0x40u;
    polls++;
  }
  if (address >= 0x4000u && address % 0x400u == 0u) *value = 1u;
  return 0;
}
static int write_word(void *context, uint32_t address, uint32_t value) {
  (void)context;
  if (address != COMMAND) return 0;
  commands++;
  if (draws >= failing && (value & 15u) != 6u) after_failure++; /* other than clear */
  return 0;
}
static int random_bytes(void *context, uint8_t *bytes, size_t count) {
  (void)context;
  memset(bytes, 0x5a, count);
  return ++draws >= failing;
}
static const montcore_pka_port port = {0, read_word, write_word, 0, random_bytes, POLLS};

static montcore_pka_status call_open(void) { return montcore_pka_open(&pka, &port); }
static montcore_pka_status call_load(void) { return montcore_pka_load(&pka, n, BITS); }
static montcore_pka_status call_power(void) {
  return montcore_pka_power(&pka, MONTCORE_PKA_CONSTANT, one, one, BITS, z);
}
static montcore_pka_status call_product(void) { return montcore_pka_product(&pka, one, e, z); }
static montcore_pka_status call_lock(void) { return montcore_pka_lock_key(&pka, n, BITS, one, BITS); }
static montcore_pka_status call_load_key(void) { return montcore_pka_load_key(&pka, BITS); }
static montcore_pka_status call_key_power(void) {
  return montcore_pka_key_power(&pka, MONTCORE_PKA_LADDER, one, z);
}
static montcore_pka_status call_clear(void) { return montcore_pka_clear(&pka); }
static montcore_pka_status call_zeroize(void) { return montcore_pka_zeroize(&pka); }
static montcore_pka_status call_begin(void) { return montcore_rsa_begin(&rsa, &pka, &key); }
static montcore_pka_status call_private(void) { return montcore_rsa_private(&rsa, one, z); }
static montcore_pka_status call_private_anew(void) {
  rsa.uses = MONTCORE_RSA_USES;
  return montcore_rsa_private(&rsa, one, z);
}
static montcore_pka_status call_rsa_public(void) { return montcore_rsa_public(&pka, &key, one, z); }
static montcore_pka_status call_sign_sha256(void) {
  return montcore_rsa_sign_sha256(&rsa, text, (uint8_t *)z);
}
static montcore_pka_status call_ecc_load(void) { return montcore_ecc_load(&pka, &montcore_p384); }
static montcore_pka_status call_public(void) {
  return montcore_ecc_public(&pka, &montcore_p256, one, z, z + LIMBS);
}
static montcore_pka_status call_ecdh(void) {
  return montcore_ecdh(&pka, &montcore_p256, one, one, one, z, z + LIMBS);
}
static montcore_pka_status call_sign(void) {
  return montcore_ecdsa_sign(&pka, &montcore_p256, one, one, text, 32u, z, z + LIMBS);
}
static montcore_pka_status call_sign_drawn(void) {
  return montcore_ecdsa_sign(&pka, &montcore_p256, one, 0, text, 32u, z, z + LIMBS);
}
static montcore_pka_status call_verify(void) {
  return montcore_ecdsa_verify(&pka, &montcore_p256, one, one, text, 32u, one, one);
}
static montcore_pka_status call_x25519(void) {
  return montcore_x25519(&pka, text, text, (uint8_t *)z);
}
static montcore_pka_status call_lock_curve(void) {
  return montcore_ecc_lock_key(&pka, &montcore_p256, one, MONTCORE_ECC_MAY_SIGN);
}
static montcore_pka_status call_draw(void) {
  return montcore_ecc_draw_key(&pka, &montcore_p256, MONTCORE_ECC_MAY_SIGN);
}
static montcore_pka_status call_key_public(void) {
  return montcore_ecc_key_public(&pka, z, z + LIMBS);
}
static montcore_pka_status call_agree(void) {
  return montcore_ecc_key_agree(&pka, one, one, z, z + LIMBS);
}
static montcore_pka_status call_key_sign(void) {
  return montcore_ecc_key_sign(&pka, text, 32u, z, z + LIMBS);
}
static montcore_pka_status call_ed_public(void) {
  return montcore_ed25519_public(&pka, text, (uint8_t *)z);
}
static montcore_pka_status call_ed_point(void) {
  return montcore_ed25519_point(&pka, text, (uint8_t *)z);
}
static montcore_pka_status call_ed_number(void) {
  return montcore_ed25519_number(&pka, text, text, text, (uint8_t *)z);
}
static montcore_pka_status call_ed_verify(void) {
  return montcore_ed25519_verify(&pka, text, text, text);
}

/* What a function is called with: an open accelerator with a modulus, blinding factors and, for those
 * that use it, a locked key of a curve. */
static int prepare(int with_key) {
  hung = failing = NEVER;
  commands = draws = after_failure = 0u;
  if (montcore_pka_open(&pka, &port) != MONTCORE_PKA_OK) return 0;
  if (montcore_rsa_begin(&rsa, &pka, &key) != MONTCORE_PKA_OK) return 0;
  if (montcore_pka_load(&pka, n, BITS) != MONTCORE_PKA_OK) return 0;
  if (with_key && montcore_ecc_adopt_key(&pka, &montcore_p256) != MONTCORE_PKA_OK) return 0;
  commands = draws = polls = after_failure = 0u;
  memset(z, 0, sizeof z);
  return 1;
}

static int empty(void) {
  unsigned i;
  for (i = 0u; i < sizeof z / sizeof *z; i++) {
    if (z[i]) return 0;
  }
  return 1;
}

int main(void) {
  static const struct {
    const char *name;
    montcore_pka_status (*call)(void);
    int with_key;
  } calls[] = {{"open", call_open, 0}, {"load", call_load, 0}, {"power", call_power, 0},
               {"product", call_product, 0}, {"lock", call_lock, 0}, {"load_key", call_load_key, 0},
               {"key_power", call_key_power, 0}, {"clear", call_clear, 0},
               {"zeroize", call_zeroize, 0}, {"begin", call_begin, 0}, {"private", call_private, 0},
               {"private_anew", call_private_anew, 0}, {"rsa_public", call_rsa_public, 0},
               {"sign_sha256", call_sign_sha256, 0}, {"ecc_load", call_ecc_load, 0},
               {"public", call_public, 0}, {"ecdh", call_ecdh, 0}, {"sign", call_sign, 0},
               {"sign_drawn", call_sign_drawn, 0}, {"verify", call_verify, 0},
               {"x25519", call_x25519, 0}, {"lock_curve", call_lock_curve, 0},
               {"draw", call_draw, 0}, {"key_public", call_key_public, 1},
               {"key_agree", call_agree, 1}, {"key_sign", call_key_sign, 1},
               {"ed_public", call_ed_public, 0}, {"ed_point", call_ed_point, 0},
               {"ed_number", call_ed_number, 0}, {"ed_verify", call_ed_verify, 0}};
  unsigned number, at, total;
  int bad = 0;
  for (number = 0u; number < sizeof calls / sizeof *calls; number++) {
    const char *name = calls[number].name;
    montcore_pka_status status, whole;
    if (!prepare(calls[number].with_key)) return 1;
    whole = calls[number].call(); /* the numbers mean nothing, so that some say so at their end */
    if (whole == MONTCORE_PKA_TIMEOUT || whole == MONTCORE_PKA_RANDOM_FAILED) return 1;
    total = commands; /* of the call, when nothing hangs */
    /* Hung from the start, and in each of its commands. */
    for (at = 0u; at <= total; at++) {
      if (!prepare(calls[number].with_key)) return 1;
      hung = at;
      status = calls[number].call();
      /* A wait looks POLLS + 1 times; a call that gives up clears, which is a second and a third. */
      if (at == total && status == whole && whole != MONTCORE_PKA_OK) status = MONTCORE_PKA_TIMEOUT;
      if (status != MONTCORE_PKA_TIMEOUT || !empty() || polls > total + 2u + 3u * (POLLS + 2u)) {
        printf("%s, hung in command %u: status %d, %u polls\n", name, at, status, polls);
        bad = 1;
      }
    }
    printf("%s %u", name, total + 1u);
    for (failing = 1u;; failing++) {
      unsigned fails = failing;
      if (!prepare(calls[number].with_key)) return 1;
      failing = fails;
      status = calls[number].call();
      if (draws < failing) break;
      if (status != MONTCORE_PKA_RANDOM_FAILED || !empty() || after_failure) {
        printf("\n%s, draw %u: status %d, %u commands", name, failing, status, after_failure);
        bad = 1;
      }
    }
    printf(" %u\n", failing - 1u);
  }
  return bad;
}
