/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_eddsa.h"

#include "montcore_ecc_inner.h"

static const montcore_ecc_curve *const edwards = &montcore_ed25519;

/* out = a hash of 512 bits, least significant byte first, modulo the order; in constant time. */
static void hash_of(const uint8_t *hash, uint32_t *out) {
  unsigned at = 512u, i;
  for (i = 0; i < WORDS; i++) out[i] = 0u;
  while (at-- > 0u) {
    for (i = WORDS; i-- > 1u;) out[i] = out[i] << 1 | out[i - 1u] >> 31;
    out[0] = out[0] << 1 | (hash[at / 8u] >> (at % 8u) & 1u);
    montcore_ecc_inner_reduce(out, edwards->n);
  }
}

/* Sets a result of 32 bytes to zero, if there is one, and returns the status. */
static montcore_pka_status refuse(uint8_t *out, montcore_pka_status status) {
  if (out) montcore_pka_wipe(out, 32u);
  return status;
}

/* The number that the first half of a hashed seed is, modulo the order. */
static void secret_of(const uint8_t *secret, uint32_t *out) {
  uint8_t wide[64] = {0};
  unsigned i;
  for (i = 0; i < 32u; i++) wide[i] = secret[i];
  wide[0] &= 0xf8u;
  wide[31] = (uint8_t)((wide[31] & 0x3fu) | 0x40u);
  hash_of(wide, out);
  montcore_pka_wipe(wide, sizeof wide);
}

static void subtract_from_p(uint32_t *number) { /* number = p - number, for number below p */
  (void)montcore_pka_inner_subtract(number, edwards->p, number, WORDS);
}

static int same(const uint32_t *a, const uint32_t *b) {
  uint32_t wrong = 0u;
  unsigned i;
  for (i = 0; i < WORDS; i++) wrong |= a[i] ^ b[i];
  return wrong == 0u;
}

/* x with v x^2 = u, y^2 = u / v + ...: (u v^3) (u v^7)^((p - 5) / 8), perhaps times a root of -1. */
static int root(const uint32_t *u, const uint32_t *v, uint32_t *x) {
  static const uint32_t minus_one_root[WORDS] = {0x4a0ea0b0u, 0xc4ee1b27u, 0xad2fe478u,
                                                 0x2f431806u, 0x3dfbd7a7u, 0x2b4d0099u,
                                                 0x4fc1df0bu, 0x2b832480u};
  uint32_t v3[WORDS], base[WORDS], power[WORDS], check[WORDS], wanted[WORDS];
  unsigned i, at;
  montcore_ecc_inner_multiply(v, v, v3);
  montcore_ecc_inner_multiply(v3, v, v3);
  montcore_ecc_inner_multiply(v3, v3, base);
  montcore_ecc_inner_multiply(base, v, base);
  montcore_ecc_inner_multiply(base, u, base); /* u v^7 */
  for (i = 0; i < WORDS; i++) power[i] = base[i];
  for (at = 251u; at-- > 0u;) { /* (p - 5) / 8 = 2^252 - 3: all ones but bit 1 */
    montcore_ecc_inner_multiply(power, power, power);
    if (at != 1u) montcore_ecc_inner_multiply(power, base, power);
  }
  montcore_ecc_inner_multiply(u, v3, x);
  montcore_ecc_inner_multiply(x, power, x);
  for (i = 0; i < WORDS; i++) wanted[i] = u[i];
  montcore_ecc_inner_reduce(wanted, edwards->p);
  montcore_ecc_inner_multiply(x, x, check);
  montcore_ecc_inner_multiply(check, v, check);
  montcore_ecc_inner_reduce(check, edwards->p);
  if (!same(check, wanted)) {
    montcore_ecc_inner_multiply(x, minus_one_root, x);
    montcore_ecc_inner_multiply(x, x, check);
    montcore_ecc_inner_multiply(check, v, check);
    montcore_ecc_inner_reduce(check, edwards->p);
    if (!same(check, wanted)) return 0;
  }
  montcore_ecc_inner_reduce(x, edwards->p);
  return 1;
}

/* The point of a public key. */
static int decode(const uint8_t *bytes, uint32_t *x, uint32_t *y) {
  uint32_t u[WORDS], v[WORDS], sign, any = 0u;
  unsigned i;
  montcore_ecc_inner_limbs(bytes, y);
  sign = y[WORDS - 1u] >> 31;
  y[WORDS - 1u] &= 0x7fffffffu;
  for (i = 0; i < WORDS; i++) u[i] = y[i];
  montcore_ecc_inner_reduce(u, edwards->p);
  if (!same(u, y)) return 0; /* not below p */
  montcore_ecc_inner_multiply(y, y, u);
  montcore_ecc_inner_multiply(u, edwards->b, v); /* b of the packet is d: v = d y^2 + 1 */
  montcore_ecc_inner_increase(v, 1u, WORDS);
  montcore_ecc_inner_reduce(u, edwards->p);
  for (i = 0; i < WORDS; i++) any |= u[i];
  if (any) { /* u = y^2 - 1 */
    for (i = 0; i < WORDS && u[i]-- == 0u; i++) continue;
  } else {
    for (i = 0; i < WORDS; i++) u[i] = edwards->p[i];
    u[0]--;
  }
  if (!root(u, v, x)) return 0;
  for (any = 0u, i = 0; i < WORDS; i++) any |= x[i];
  if (!any && sign) return 0;
  if ((x[0] & 1u) != sign) subtract_from_p(x);
  return 1;
}

static void encode(const uint32_t *x, const uint32_t *y, uint8_t *bytes) {
  montcore_ecc_inner_bytes(y, bytes);
  bytes[31] |= (uint8_t)((x[0] & 1u) << 7);
}

/* The point of a number, encoded. */
NOT_INLINED static montcore_pka_status point_of(montcore_pka *pka, const uint32_t *number,
                                                uint8_t *out) {
  uint32_t x[WORDS], y[WORDS];
  montcore_pka_status status = montcore_ecc_public(pka, edwards, number, x, y);
  if (status != MONTCORE_PKA_OK) return refuse(out, status);
  encode(x, y, out);
  return status;
}

/* The point of the number that is in bytes, a secret or a hash. */
typedef void reading(const uint8_t *bytes, uint32_t *number);
NOT_INLINED static montcore_pka_status point_in(montcore_pka *pka, const uint8_t *bytes, reading *read,
                                                uint8_t *out) {
  uint32_t number[WORDS];
  montcore_pka_status status;
  read(bytes, number);
  status = point_of(pka, number, out);
  montcore_pka_wipe(number, sizeof number);
  return status;
}

static montcore_pka_status give_point(montcore_pka *pka, const uint8_t *bytes, reading *read, uint8_t *out) {
  montcore_pka_status status;
  if (!pka || !bytes || !out) return refuse(out, MONTCORE_PKA_BAD_CALL);
  status = point_in(pka, bytes, read, out);
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_ed25519_public(montcore_pka *pka, const uint8_t secret[32], uint8_t key[32]) {
  return give_point(pka, secret, secret_of, key);
}

montcore_pka_status montcore_ed25519_point(montcore_pka *pka, const uint8_t nonce[64], uint8_t point[32]) {
  return give_point(pka, nonce, hash_of, point);
}

NOT_INLINED static montcore_pka_status response(montcore_pka *pka, const uint8_t *secret,
                                                const uint8_t *nonce, const uint8_t *challenge,
                                                uint8_t *out) {
  uint32_t a[WORDS], k[WORDS], r[WORDS], sum[WORDS], none[WORDS];
  const uint32_t *factors[2], *term = r;
  montcore_pka_status status;
  secret_of(secret, a);
  hash_of(nonce, r);
  hash_of(challenge, k);
  factors[0] = a, factors[1] = k;
  status = montcore_ecc_inner_operate(pka, edwards, MONTCORE_ECC_MULTIPLY_ADD, factors, 2u, &term,
                                      1u, sum, none);
  montcore_ecc_inner_bytes(sum, out); /* zeros after an error */
  montcore_pka_wipe(a, sizeof a);
  montcore_pka_wipe(k, sizeof k);
  montcore_pka_wipe(r, sizeof r);
  montcore_pka_wipe(sum, sizeof sum);
  montcore_pka_wipe(none, sizeof none);
  return status;
}

montcore_pka_status montcore_ed25519_number(montcore_pka *pka, const uint8_t secret[32],
                                            const uint8_t nonce[64], const uint8_t challenge[64],
                                            const uint8_t key[32], const uint8_t point[32],
                                            uint8_t number[32]) {
  uint8_t signature[64];
  montcore_pka_status status = MONTCORE_PKA_BAD_CALL;
  unsigned i;
  if (pka && secret && nonce && challenge && key && point && number) {
    status = pka->locked ? MONTCORE_PKA_BAD_KEY : montcore_ecc_inner_suits(pka, edwards);
  }
  if (status != MONTCORE_PKA_OK) return refuse(number, status);
  for (i = 0; i < 32u; i++) signature[i] = point[i];
  status = response(pka, secret, nonce, challenge, signature + 32);
  if (status == MONTCORE_PKA_OK && !pka->unverified) {
    status = montcore_ed25519_verify(pka, key, challenge, signature);
    if (status == MONTCORE_PKA_SIGNATURE || status == MONTCORE_PKA_POINT) status = MONTCORE_PKA_FAULT;
  }
  for (i = 0; i < 32u && status == MONTCORE_PKA_OK; i++) number[i] = signature[32u + i];
  montcore_pka_wipe(signature, sizeof signature);
  montcore_pka_wipe_stack();
  return status == MONTCORE_PKA_OK ? status : refuse(number, status);
}

/* (x, y) = 8 (x, y), public. */
static montcore_pka_status eightfold(montcore_pka *pka, uint32_t *x, uint32_t *y) {
  static const uint32_t none[WORDS] = {0u}, eight[WORDS] = {8u};
  const uint32_t *const numbers[2] = {none, eight};
  const uint32_t *point[2];
  point[0] = x, point[1] = y;
  return montcore_ecc_inner_joint(pka, edwards, numbers, point, x, y);
}

montcore_pka_status montcore_ed25519_verify(montcore_pka *pka, const uint8_t key[32],
                                            const uint8_t challenge[64],
                                            const uint8_t signature[64]) {
  uint32_t x[WORDS], y[WORDS], s[WORDS], k[WORDS], below[WORDS], found_x[WORDS], found_y[WORDS];
  const uint32_t *point[2], *numbers[2];
  uint8_t found[32];
  unsigned i, wrong = 0u;
  montcore_pka_status status;
  if (!pka || !key || !challenge || !signature) return MONTCORE_PKA_BAD_CALL;
  status = montcore_ecc_inner_suits(pka, edwards);
  if (status != MONTCORE_PKA_OK) return status;
  if (!decode(key, x, y)) return MONTCORE_PKA_POINT;
  montcore_ecc_inner_limbs(signature + 32, s);
  for (i = 0; i < WORDS; i++) below[i] = s[i];
  montcore_ecc_inner_reduce(below, edwards->n);
  if (!same(below, s)) return MONTCORE_PKA_SIGNATURE; /* not below the order */
  hash_of(challenge, k);
  for (i = 0; i < WORDS; i++) wrong |= x[i];
  if (wrong) subtract_from_p(x); /* s B - k A */
  point[0] = x, point[1] = y;
  numbers[0] = s, numbers[1] = k;
  status = montcore_ecc_inner_joint(pka, edwards, numbers, point, found_x, found_y);
  if (status != MONTCORE_PKA_OK) return status;
  encode(found_x, found_y, found);
  for (wrong = 0u, i = 0; i < 32u; i++) wrong |= (unsigned)(found[i] ^ signature[i]);
  if (!wrong) return MONTCORE_PKA_OK;
  /* s B - k A is not the point R, but may differ from it by a point of small order. */
  if (!decode(signature, x, y)) return MONTCORE_PKA_SIGNATURE;
  status = eightfold(pka, x, y);
  if (status == MONTCORE_PKA_OK) status = eightfold(pka, found_x, found_y);
  if (status != MONTCORE_PKA_OK) return status;
  return same(x, found_x) && same(y, found_y) ? MONTCORE_PKA_OK : MONTCORE_PKA_SIGNATURE;
}
