/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function of the driver with every error that it can meet: a device whose n-th command ends with each
 * of the accelerator's errors, never ends, whose n-th access fails, random numbers that fail at the n-th time
 * that they are asked for, each pointer null, and calls that are refused at once. Numbers that are read from
 * the device are one, so that calls go on to their end, or all zero, of a device that compares nothing. Results
 * are all ones before each call; after an error they must be zero in exactly their length.
 *
 * Prints for each function in how many commands it was hung and how often random numbers failed; nothing else,
 * if each such call ended in time, with the error that it must have, without a result, and without a command
 * that works on a secret after its random numbers failed. All of this in two threads at once, which share
 * nothing.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "montcore_eddsa.h"
#include "montcore_multiplier.h"
#include "montcore_pka_socket.h"
#include "montcore_rsa.h"

#define OWN static __thread
#define BITS 512u
#define LIMBS (BITS / 32u)
#define BYTES (BITS / 8u)
#define POLLS 10u
#define NEVER 1000000u
#define COMMAND 0x2cu
#define ROOM 128u /* bytes of a result */

static const uint32_t n[LIMBS] = {15}, e[LIMBS] = {3}, p[LIMBS] = {5}, q[LIMBS] = {3}, one[LIMBS] = {1};
static const uint8_t text[64] = {1}, half[32] = {[0] = 1, [31] = 0x80};
static const montcore_rsa_key key = {BITS, BITS / 2u, BITS / 2u, 2u, n, e, p, q, one, one, one};
static const montcore_rsa_key wide = {1056u, 528u, 528u, 2u, n, e, p, q, one, one, one};
static const montcore_rsa_key narrow = {256u, 128u, 128u, 2u, n, e, p, q, one, one, one};
static const uint16_t r_bits[1] = {BITS};
static const montcore_build build = {BITS, BITS, 1u, r_bits};
OWN montcore_pka pka;
OWN montcore_rsa rsa;
OWN montcore core;
OWN montcore_pka_socket closed = {.fd = -1};
OWN union {
  uint32_t words[ROOM / 4u];
  uint8_t bytes[ROOM];
} z, z2;

/* Of the device: commands and accesses since the last reset, the command that hangs, the one that ends with an
 * error, the access that fails, polls; draws, the one that fails. */
OWN unsigned commands, accesses, hung, wrong, code, broken, polls, draws, failing, after_failure;
OWN uint32_t r; /* limbs of a signature's r together */
OWN int dead, refuses; /* only zeros are read; the last command verified r = 0 */
OWN int quiet, bad, whole; /* how a call ends when nothing goes wrong */

static int read_word(void *context, uint32_t address, uint32_t *value) {
  (void)context;
  *value = address == 0u ? 0x4d504b41u : address == 4u ? 0x100u : address == 8u ? 0x00030000u + 1024u : 0u;
  if (address == 0x38u) *value = 1000u;
  if (address == 0x14u) {
    *value = commands >= hung ? 0x41u : 0x40u;
    polls++;
  }
  if (address == 0x18u && refuses) *value = MONTCORE_PKA_RANGE;
  if (address == 0x18u && commands == wrong) *value = code;
  if (address >= 0x4000u && address % 0x400u == 0u) *value = 1u;
  if (dead) *value = 0u;
  return accesses++ == broken;
}
static int write_word(void *context, uint32_t address, uint32_t value) {
  (void)context;
  if (accesses++ == broken) return 1;
  if (address >> 10 == 0x13u) r = (address % 0x400u ? r : 0u) | value;
  if (address != COMMAND) return 0;
  commands++;
  refuses = (value & 15u) == 9u && (value >> 20 & 7u) == 3u && !r;
  if (draws >= failing && (value & 15u) != 6u) after_failure++; /* other than clear */
  return 0;
}
static int random_bytes(void *context, uint8_t *bytes, size_t count) {
  (void)context;
  memset(bytes, 0x5a, count);
  return ++draws >= failing;
}
static const montcore_pka_port port = {0, read_word, write_word, 0, random_bytes, POLLS};
static const montcore_pka_port without_random = {0, read_word, write_word, 0, 0, POLLS};

/* A multiplier at its own port, whose errors stand in for those of commands. */
static int beat(void *context, const uint32_t *words, int last) {
  (void)context, (void)words, (void)last;
  return accesses++ == broken;
}
static int pair(void *context, const uint32_t *x, const uint32_t *y, int last) {
  (void)x;
  return beat(context, y, last);
}
static int ended(void *context, unsigned *error) {
  (void)context;
  *error = ++commands == wrong ? code : 0u;
  return accesses++ == broken;
}
static int product(void *context, uint32_t *words, int *last, int *error) {
  unsigned found;
  memset(words, 0, BYTES);
  *last = 1;
  if (ended(context, &found)) return 1;
  *error = found != 0u;
  words[0] = found ? found : 1u;
  return 0;
}
static int zeroize(void *context) { return beat(context, 0, 1); }
static const montcore_port streams = {0, beat, ended, pair, product, zeroize};

/* A pointer that is passed to a function, or null in its place. */
OWN unsigned passed, null_at;
OWN const void *nulled;
static void *A(const void *pointer) {
  if (++passed != null_at) return (void *)(uintptr_t)pointer;
  nulled = pointer;
  return 0;
}

#define CALL(name, ...) \
  static int call_##name(void) { return (int)(__VA_ARGS__); }
CALL(open, montcore_pka_open(A(&pka), A(&port)))
CALL(interrupt, montcore_pka_interrupt(A(&pka), 1))
CALL(load, montcore_pka_load(A(&pka), A(n), BITS))
CALL(load_long, montcore_pka_load(&pka, n, 1025u))
CALL(power, montcore_pka_power(A(&pka), MONTCORE_PKA_CONSTANT, A(one), A(one), BITS, A(&z)))
CALL(halves, montcore_pka_power_end(
                 &pka, montcore_pka_power_begin(&pka, MONTCORE_PKA_LADDER, A(one), A(one), BITS), A(&z)))
CALL(power_policy, montcore_pka_power(&pka, (montcore_pka_policy)3, one, one, BITS, z.words))
CALL(power_length, montcore_pka_power(&pka, MONTCORE_PKA_SLIDING, one, one, 1025u, z.words))
CALL(product, montcore_pka_product(A(&pka), A(one), A(e), A(&z)))
CALL(lock, montcore_pka_lock_key(A(&pka), A(n), BITS, A(one), BITS))
CALL(load_key, montcore_pka_load_key(A(&pka), BITS))
CALL(load_key_long, montcore_pka_load_key(&pka, 1025u))
CALL(key_power, montcore_pka_key_power(A(&pka), MONTCORE_PKA_LADDER, A(one), A(&z)))
CALL(key_policy, montcore_pka_key_power(&pka, (montcore_pka_policy)3, one, z.words))
CALL(clear, montcore_pka_clear(A(&pka)))
CALL(zeroize, montcore_pka_zeroize(A(&pka)))
CALL(cycles, montcore_pka_cycles(A(&pka), A(&z)))
CALL(multiplier, montcore_multiplier_product(A(&pka), A(one), A(e), A(&z)))
CALL(modmul, montcore_multiplier_modmul(A(&pka), A(one), A(one), A(e), A(&z)))
CALL(begin, montcore_rsa_begin(A(&rsa), A(&pka), A(&key)))
CALL(private, montcore_rsa_private(A(&rsa), A(one), A(&z)))
CALL(private_anew, (rsa.uses = MONTCORE_RSA_USES, montcore_rsa_private(A(&rsa), A(one), A(&z))))
CALL(rsa_public, montcore_rsa_public(A(&pka), A(&key), A(one), A(&z)))
CALL(rsa_public_wide, montcore_rsa_public(&pka, &wide, one, z.words))
CALL(sign_sha256, montcore_rsa_sign_sha256(A(&rsa), A(text), A(&z)))
CALL(ecc_load, montcore_ecc_load(A(&pka), A(&montcore_p384)))
CALL(public, montcore_ecc_public(A(&pka), A(&montcore_p256), A(one), A(&z), A(&z2)))
CALL(ecdh, montcore_ecdh(A(&pka), A(&montcore_p256), A(one), A(one), A(one), A(&z), A(&z2)))
CALL(sign, montcore_ecdsa_sign(A(&pka), A(&montcore_p256), A(one), one, A(text), 32u, A(&z), A(&z2)))
CALL(sign_drawn, montcore_ecdsa_sign(A(&pka), A(&montcore_p256), A(one), 0, A(text), 32u, A(&z), A(&z2)))
CALL(verify, montcore_ecdsa_verify(A(&pka), A(&montcore_p256), A(one), A(one), A(text), 32u, A(one), A(one)))
CALL(x25519, montcore_x25519(A(&pka), A(text), A(text), A(&z)))
CALL(lock_curve, montcore_ecc_lock_key(A(&pka), A(&montcore_p256), A(one), MONTCORE_ECC_MAY_SIGN))
CALL(lock_uses, montcore_ecc_lock_key(&pka, &montcore_p256, one, 0u))
CALL(draw, montcore_ecc_draw_key(A(&pka), A(&montcore_p256), MONTCORE_ECC_MAY_SIGN))
CALL(draw_uses, montcore_ecc_draw_key(&pka, &montcore_p256, 4u))
CALL(adopt, montcore_ecc_adopt_key(A(&pka), A(&montcore_p256)))
CALL(key_public, montcore_ecc_key_public(A(&pka), A(&z), A(&z2)))
CALL(key_agree, montcore_ecc_key_agree(A(&pka), A(one), A(one), A(&z), A(&z2)))
CALL(key_sign, montcore_ecc_key_sign(A(&pka), A(text), 32u, A(&z), A(&z2)))
CALL(ed_public, montcore_ed25519_public(A(&pka), A(text), A(&z)))
CALL(ed_point, montcore_ed25519_point(A(&pka), A(text), A(&z)))
CALL(ed_number, montcore_ed25519_number(A(&pka), A(text), A(text), A(text), A(text), A(half), A(&z)))
CALL(ed_verify, montcore_ed25519_verify(A(&pka), A(text), A(text), A(text)))
CALL(wide_public, montcore_ecc_public(&pka, &montcore_p521, one, z.words, z2.words))
CALL(wide_ecdh, montcore_ecdh(&pka, &montcore_p521, one, one, one, z.words, z2.words))
CALL(wide_sign, montcore_ecdsa_sign(&pka, &montcore_p521, one, 0, text, 32u, z.words, z2.words))
CALL(socket_read, montcore_pka_socket_read(&closed, 0u, z.words))
CALL(socket_key, montcore_pka_socket_key(&closed, 0u, z.words))
CALL(core_init, montcore_init(A(&core), A(&build), A(&streams)))
CALL(core_load, montcore_load(A(&core), A(n), BITS))
CALL(core_multiply, montcore_multiply(A(&core), A(one), A(e), A(&z)))
CALL(core_modmul, montcore_modmul(A(&core), A(one), A(one), A(e), A(&z)))
CALL(core_zeroize, montcore_zeroize(A(&core)))

/* What a function is called with: an open accelerator with a modulus, blinding factors and, for those
 * that use it, a locked key of a curve. */
static int prepare(int with_key) {
  hung = failing = wrong = broken = NEVER;
  dead = 0;
  null_at = commands = draws = after_failure = 0u;
  if (montcore_pka_open(&pka, &port) != MONTCORE_PKA_OK) return 0;
  if (montcore_rsa_begin(&rsa, &pka, &key) != MONTCORE_PKA_OK) return 0;
  if (montcore_pka_load(&pka, n, BITS) != MONTCORE_PKA_OK) return 0;
  if (with_key && montcore_ecc_adopt_key(&pka, &montcore_p256) != MONTCORE_PKA_OK) return 0;
  if (montcore_init(&core, &build, &streams) || montcore_load(&core, n, BITS)) return 0;
  commands = accesses = draws = polls = after_failure = passed = 0u;
  nulled = 0;
  memset(&z, 0xff, sizeof z);
  memset(&z2, 0xff, sizeof z2);
  return 1;
}

/* Whether a result is zero, and nothing behind it was touched. */
static int holds(const uint8_t *bytes, unsigned zeros) {
  unsigned i;
  for (i = 0u; i < ROOM; i++) {
    if (bytes[i] != (i < zeros ? 0u : 0xffu)) return 0;
  }
  return 1;
}

/* The same of both results. Without what tells its length a result may also be untouched. */
static int empty(unsigned bytes, unsigned bytes2) {
  int unknown = nulled == &pka || nulled == &rsa || nulled == &core || nulled == &key || nulled == &montcore_p256;
  if (unknown && holds(z.bytes, 0u) && holds(z2.bytes, 0u)) return 1;
  return holds(z.bytes, nulled == &z ? 0u : bytes) && holds(z2.bytes, nulled == &z2 ? 0u : bytes2);
}

typedef struct {
  const char *name;
  int (*call)(void);
  unsigned bytes, bytes2; /* of the results */
  int with_key, waits, signs;
} function;

static const function functions[] = {
    {"open", call_open, 0, 0, 0, 1, 0}, {"interrupt", call_interrupt, 0, 0, 0, 0, 0},
    {"load", call_load, 0, 0, 0, 1, 0}, {"power", call_power, BYTES, 0, 0, 1, 0},
    {"halves", call_halves, BYTES, 0, 0, 1, 0}, {"product", call_product, BYTES, 0, 0, 1, 0},
    {"lock", call_lock, 0, 0, 0, 1, 0}, {"load_key", call_load_key, 0, 0, 0, 1, 0},
    {"key_power", call_key_power, BYTES, 0, 0, 1, 0}, {"clear", call_clear, 0, 0, 0, 1, 0},
    {"zeroize", call_zeroize, 0, 0, 0, 1, 0}, {"cycles", call_cycles, 4, 0, 0, 0, 0},
    {"multiplier", call_multiplier, BYTES, 0, 0, 1, 0}, {"modmul", call_modmul, BYTES, 0, 0, 1, 0},
    {"begin", call_begin, 0, 0, 0, 1, 0}, {"private", call_private, BYTES, 0, 0, 1, 0},
    {"private_anew", call_private_anew, BYTES, 0, 0, 1, 0},
    {"rsa_public", call_rsa_public, BYTES, 0, 0, 1, 0}, {"sign_sha256", call_sign_sha256, BYTES, 0, 0, 1, 0},
    {"ecc_load", call_ecc_load, 0, 0, 0, 1, 0}, {"public", call_public, 32, 32, 0, 1, 0},
    {"ecdh", call_ecdh, 32, 32, 0, 1, 0}, {"sign", call_sign, 32, 32, 0, 1, 1},
    {"sign_drawn", call_sign_drawn, 32, 32, 0, 1, 1}, {"verify", call_verify, 0, 0, 0, 1, 0},
    {"x25519", call_x25519, 32, 0, 0, 1, 0}, {"lock_curve", call_lock_curve, 0, 0, 0, 1, 0},
    {"draw", call_draw, 0, 0, 0, 1, 0}, {"adopt", call_adopt, 0, 0, 0, 0, 0},
    {"key_public", call_key_public, 32, 32, 1, 1, 0}, {"key_agree", call_key_agree, 32, 32, 1, 1, 0},
    {"key_sign", call_key_sign, 32, 32, 1, 1, 1}, {"ed_public", call_ed_public, 32, 0, 0, 1, 0},
    {"ed_point", call_ed_point, 32, 0, 0, 1, 0}, {"ed_number", call_ed_number, 32, 0, 0, 1, 1},
    {"ed_verify", call_ed_verify, 0, 0, 0, 1, 0}, {"core_init", call_core_init, 0, 0, 0, 0, 0},
    {"core_load", call_core_load, 0, 0, 0, 0, 0}, {"core_multiply", call_core_multiply, BYTES, 0, 0, 0, 0},
    {"core_modmul", call_core_modmul, BYTES, 0, 0, 0, 0}, {"core_zeroize", call_core_zeroize, 0, 0, 0, 0, 0}};

/* States in which calls are refused. */
static void state_good(void) {}
static void state_opened(void) { (void)montcore_pka_open(&pka, &port); }
static void state_zeroized(void) { (void)montcore_pka_zeroize(&pka); }
static void state_refused(void) { (void)montcore_pka_load(&pka, n, 1025u); }
static void state_locked(void) { pka.locked = 1u; }
static void state_narrow(void) { pka.curve_length = 500u; }
static void state_no_curves(void) { pka.curve_length = 0u; }
static void state_wide_key(void) { state_narrow(), (void)montcore_ecc_draw_key(&pka, &montcore_p521, 1u); }
static void state_no_random(void) { pka.port = &without_random; }
static void state_ended(void) { montcore_rsa_end(&rsa); }
static void state_wide_rsa(void) { (void)montcore_rsa_begin(&rsa, &pka, &wide); }
static void state_small_rsa(void) { (void)montcore_rsa_begin(&rsa, &pka, &narrow); }
static void state_dead(void) { dead = 1; }
static void state_dead_unverified(void) { dead = 1, pka.unverified = 1u; }
static void state_core(void) { (void)montcore_init(&core, &build, &streams); }
static void state_core_refused(void) { (void)montcore_load(&core, n, BITS + 1u); }

static const struct {
  function of;
  void (*state)(void);
  int status;
} refused[] = {
#define REFUSED(name, state, status, bytes, bytes2, with_key) \
  {{#name " " #state, call_##name, bytes, bytes2, with_key, 0, 0}, state_##state, status}
    REFUSED(power, opened, MONTCORE_PKA_NO_MODULUS, 32, 0, 0),
    REFUSED(power, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(power, refused, MONTCORE_PKA_NO_MODULUS, 132, 0, 0),
    REFUSED(halves, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(power_policy, good, MONTCORE_PKA_BAD_CALL, BYTES, 0, 0),
    REFUSED(power_length, good, MONTCORE_PKA_BAD_LENGTH, BYTES, 0, 0),
    REFUSED(product, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(key_power, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(key_policy, good, MONTCORE_PKA_BAD_CALL, BYTES, 0, 0),
    REFUSED(load_long, good, MONTCORE_PKA_MODULUS_LENGTH, 0, 0, 0),
    REFUSED(load_key_long, good, MONTCORE_PKA_BAD_LENGTH, 0, 0, 0),
    REFUSED(multiplier, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(modmul, zeroized, MONTCORE_PKA_NO_MODULUS, BYTES, 0, 0),
    REFUSED(private, ended, MONTCORE_PKA_BAD_CALL, BYTES, 0, 0),
    REFUSED(private, wide_rsa, MONTCORE_PKA_BAD_CALL, 132, 0, 0),
    REFUSED(rsa_public_wide, good, MONTCORE_PKA_MODULUS_LENGTH, 132, 0, 0),
    REFUSED(private_anew, no_random, MONTCORE_PKA_RANDOM_FAILED, BYTES, 0, 0),
    REFUSED(sign_sha256, ended, MONTCORE_PKA_BAD_CALL, BYTES, 0, 0),
    REFUSED(sign_sha256, small_rsa, MONTCORE_PKA_BAD_CALL, 32, 0, 0),
    REFUSED(wide_public, narrow, MONTCORE_PKA_BAD_LENGTH, 68, 68, 0),
    REFUSED(wide_ecdh, narrow, MONTCORE_PKA_BAD_LENGTH, 68, 68, 0),
    REFUSED(wide_sign, narrow, MONTCORE_PKA_BAD_LENGTH, 68, 68, 0),
    REFUSED(public, no_curves, MONTCORE_PKA_BAD_COMMAND, 32, 32, 0),
    REFUSED(x25519, no_curves, MONTCORE_PKA_BAD_COMMAND, 32, 0, 0),
    REFUSED(ed_public, no_curves, MONTCORE_PKA_BAD_COMMAND, 32, 0, 0),
    REFUSED(ed_number, no_curves, MONTCORE_PKA_BAD_COMMAND, 32, 0, 0),
    REFUSED(sign, locked, MONTCORE_PKA_BAD_KEY, 32, 32, 0),
    REFUSED(sign_drawn, no_random, MONTCORE_PKA_RANDOM_FAILED, 32, 32, 0),
    REFUSED(ed_number, locked, MONTCORE_PKA_BAD_KEY, 32, 0, 0),
    REFUSED(lock_curve, locked, MONTCORE_PKA_BAD_KEY, 0, 0, 0),
    REFUSED(draw, locked, MONTCORE_PKA_BAD_KEY, 0, 0, 0),
    REFUSED(lock_uses, good, MONTCORE_PKA_BAD_CALL, 0, 0, 0),
    REFUSED(draw_uses, good, MONTCORE_PKA_BAD_CALL, 0, 0, 0),
    REFUSED(key_public, good, MONTCORE_PKA_BAD_KEY, 32, 32, 0),
    REFUSED(key_agree, good, MONTCORE_PKA_BAD_KEY, 32, 32, 0),
    REFUSED(key_sign, good, MONTCORE_PKA_BAD_KEY, 32, 32, 0),
    REFUSED(key_sign, wide_key, MONTCORE_PKA_BAD_KEY, 68, 68, 0),
    REFUSED(key_sign, zeroized, MONTCORE_PKA_BAD_KEY, 32, 32, 1),
    REFUSED(public, dead, MONTCORE_PKA_FAULT, 32, 32, 0),
    REFUSED(ecdh, dead, MONTCORE_PKA_FAULT, 32, 32, 0),
    REFUSED(sign, dead, MONTCORE_PKA_FAULT, 32, 32, 0),
    REFUSED(sign_drawn, dead_unverified, MONTCORE_PKA_FAULT, 32, 32, 0),
    REFUSED(verify, dead, MONTCORE_PKA_FAULT, 0, 0, 0),
    REFUSED(x25519, dead, MONTCORE_PKA_INFINITY, 32, 0, 0),
    REFUSED(key_public, dead, MONTCORE_PKA_FAULT, 32, 32, 1),
    REFUSED(key_agree, dead, MONTCORE_PKA_FAULT, 32, 32, 1),
    REFUSED(key_sign, dead_unverified, MONTCORE_PKA_FAULT, 32, 32, 1),
    REFUSED(ed_public, dead, MONTCORE_PKA_FAULT, 32, 0, 0),
    REFUSED(ed_point, dead, MONTCORE_PKA_FAULT, 32, 0, 0),
    REFUSED(ed_number, dead_unverified, MONTCORE_PKA_FAULT, 32, 0, 0),
    REFUSED(ed_verify, dead, MONTCORE_PKA_FAULT, 0, 0, 0),
    REFUSED(socket_read, good, -1, 4, 0, 0),
    REFUSED(socket_key, good, -1, 4, 0, 0),
    REFUSED(core_multiply, core, MONTCORE_NO_MODULUS, 32, 0, 0),
    REFUSED(core_multiply, core_refused, MONTCORE_NO_MODULUS, BYTES, 0, 0),
    REFUSED(core_modmul, core_refused, MONTCORE_NO_MODULUS, BYTES, 0, 0)};

/* Complains unless a call ended with the error that it must have, or with its own, and without a result. */
static void expect(const function *of, const char *what, unsigned at, int status, int wanted) {
  int good = status == wanted || (whole != MONTCORE_PKA_OK && status == whole);
  if (good && empty(of->bytes, of->bytes2)) return;
  printf("%s, %s %u: status %d, results %s\n", of->name, what, at, status,
         empty(of->bytes, of->bytes2) ? "zero" : "not zero");
  bad = 1;
}

/* The accelerator's errors, 1 to 31, in each of a call's commands. */
static void errors(const function *of, unsigned total) {
  for (unsigned at = 1u; at <= total; at++) {
    for (code = 1u; code < 32u; code++) {
      int status;
      if (!strcmp(montcore_pka_describe((montcore_pka_status)code), "unknown status")) continue;
      if (!strncmp(of->name, "core", 4u) && code > 6u) continue;
      (void)prepare(of->with_key);
      wrong = at;
      status = of->call();
      if (refuses && at == commands && code == MONTCORE_PKA_RANGE) continue; /* as it should */
      /* What the check of a signature gives means that it is wrong. */
      if (status == MONTCORE_PKA_FAULT && code >= MONTCORE_PKA_INFINITY && code <= MONTCORE_PKA_SIGNATURE &&
          of->signs) {
        status = (int)code;
      }
      expect(of, "error in command", at, status, (int)code);
    }
  }
}

/* Each access that fails. */
static void accesses_fail(const function *of, unsigned total) {
  for (unsigned at = 0u; at < total; at++) {
    (void)prepare(of->with_key);
    broken = at;
    expect(of, "access", at, of->call(), MONTCORE_PKA_BUS_ERROR);
  }
}

static void nulls(const function *of, unsigned total) {
  for (unsigned at = 1u; at <= total; at++) {
    (void)prepare(of->with_key);
    null_at = at;
    expect(of, "null", at, of->call(), MONTCORE_PKA_BAD_CALL);
  }
}

/* Hung from the start, and in each of its commands. */
static void hangs(const function *of, unsigned total) {
  for (unsigned at = 0u; at <= total; at++) {
    (void)prepare(of->with_key);
    hung = at;
    expect(of, "hung in command", at, of->call(), MONTCORE_PKA_TIMEOUT);
    /* A wait looks POLLS + 1 times; a call that gives up clears, which is a second and a third. */
    if (polls > total + 2u + 3u * (POLLS + 2u)) expect(of, "polls", polls, -1, 0);
  }
}

/* Returns how often it asks for random numbers. */
static unsigned draws_of(const function *of) {
  for (unsigned at = 1u;; at++) {
    int status;
    (void)prepare(of->with_key);
    failing = at;
    status = of->call();
    if (draws < at) return at - 1u;
    expect(of, "draw", at, status, MONTCORE_PKA_RANDOM_FAILED);
    if (after_failure) expect(of, "commands after draw", at, -1, 0);
  }
}

static void *all(void *thread) {
  quiet = thread != 0;
  for (unsigned i = 0u; i < sizeof functions / sizeof *functions; i++) {
    const function *of = &functions[i];
    unsigned total, steps, pointers, drawn;
    whole = MONTCORE_PKA_OK;
    if (!prepare(of->with_key)) return "not prepared";
    whole = of->call(); /* the numbers mean nothing, so that some say so at their end */
    if (whole == MONTCORE_PKA_TIMEOUT || whole == MONTCORE_PKA_RANDOM_FAILED) return "no end";
    if (whole != MONTCORE_PKA_OK) expect(of, "whole", 0u, whole, whole);
    total = commands, steps = accesses, pointers = passed; /* of the call, when nothing goes wrong */
    errors(of, total);
    accesses_fail(of, steps);
    nulls(of, pointers);
    if (of->waits) hangs(of, total);
    drawn = draws_of(of);
    if (!quiet) printf("%s %u %u\n", of->name, of->waits ? total + 1u : 0u, drawn);
  }
  for (unsigned i = 0u; i < sizeof refused / sizeof *refused; i++) {
    const function *of = &refused[i].of;
    whole = MONTCORE_PKA_OK;
    (void)prepare(of->with_key);
    refused[i].state();
    expect(of, "refused", i, of->call(), refused[i].status);
  }
  return bad ? "wrong" : 0;
}

int main(void) {
  pthread_t other;
  void *found, *own;
  if (pthread_create(&other, 0, all, "quiet")) return 1;
  own = all(0);
  if (pthread_join(other, &found) || found || own) {
    printf("%s\n", own ? (char *)own : "in the other thread");
    return 1;
  }
  return 0;
}
