/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_rsa.h"

#include "montcore_pka_inner.h"

#define BLIND_LIMBS 2u /* of random bits in an exponent */
#define LIMBS MONTCORE_PKA_MAX_LIMBS

/* Numbers that a private operation needs beside its input; cleared at its end. */
typedef struct {
  uint32_t part[LIMBS];     /* of a number that is reduced */
  uint32_t power[LIMBS];    /* 2^bits - m of the modulus, by which it is reduced */
  uint32_t exponent[LIMBS], second[LIMBS]; /* blinded */
  uint32_t half_p[LIMBS], half_q[LIMBS];
  uint32_t blinded[LIMBS], result[LIMBS], check[LIMBS];
  uint32_t random[LIMBS];
} scratch;

/* Copies `count` bits of a number from bit `from` on; limbs above them become zero. */
static void bits_of(const uint32_t *number, unsigned limbs, unsigned from, unsigned count,
                    uint32_t *out, unsigned out_limbs) {
  unsigned first = from / 32u, shift = from % 32u, i = 0u, whole = count / 32u;
  unsigned have = first < limbs ? limbs - first : 0u;
  if (have > out_limbs) have = out_limbs;
  for (; i < have; i++) {
    unsigned above = first + i + 1u;
    uint32_t high = above < limbs ? number[above] : 0u;
    out[i] = (number[first + i] >> shift) | ((high << 1) << (31u - shift));
  }
  for (; i < out_limbs; i++) out[i] = 0u;
  if (whole < out_limbs) out[whole] &= ((uint32_t)1 << (count % 32u)) - 1u;
  for (i = whole + 1u; i < out_limbs; i++) out[i] = 0u;
}

/* out = a + (b & mask); returns the carry. */
static uint32_t add(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t mask,
                    unsigned limbs) {
  uint64_t carry = 0u;
  unsigned i;
  for (i = 0; i < limbs; i++) {
    carry += (uint64_t)a[i] + (b[i] & mask);
    out[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return (uint32_t)carry;
}

/* a = a + b mod m for a, b < m. */
static void add_mod(uint32_t *a, const uint32_t *b, const uint32_t *m, unsigned limbs) {
  uint32_t carry = add(a, a, b, 0xffffffffu, limbs);
  uint32_t borrow = montcore_pka_inner_subtract(a, a, m, limbs);
  (void)add(a, a, m, (uint32_t)0 - (borrow & (carry ^ 1u)), limbs);
}

/* a = a - b mod m for a, b < m. */
static void subtract_mod(uint32_t *a, const uint32_t *b, const uint32_t *m, unsigned limbs) {
  uint32_t borrow = montcore_pka_inner_subtract(a, a, b, limbs);
  (void)add(a, a, m, (uint32_t)0 - borrow, limbs);
}

/* a = a mod m for a < 2 m. */
static void once_less(uint32_t *a, const uint32_t *m, unsigned limbs) {
  uint32_t borrow = montcore_pka_inner_subtract(a, a, m, limbs);
  (void)add(a, a, m, (uint32_t)0 - borrow, limbs);
}

/* A number that is being reduced modulo m, in digits of m_bits bits, the highest first; each is below 2 m.
 * Between two of them there is a product with 2^m_bits - m. */
typedef struct {
  const uint32_t *x, *m;
  unsigned x_bits, m_bits, at; /* the lowest digit that has been taken */
  uint32_t *out;
} reduction;

/* The processor's share: the top digit to out, the next to own->part. */
static void reduce_begin(reduction *r, scratch *own) {
  unsigned limbs = montcore_pka_limbs(r->m_bits), x_limbs = montcore_pka_limbs(r->x_bits), i;
  r->at = (r->x_bits - 1u) / r->m_bits;
  bits_of(r->x, x_limbs, r->at * r->m_bits, r->m_bits, r->out, limbs);
  once_less(r->out, r->m, limbs);
  if (r->at == 0u) return;
  for (i = 0; i < limbs; i++) own->power[i] = ~r->m[i]; /* its last bit is 0, m being odd */
  own->power[0] |= 1u;
  if (r->m_bits % 32u) own->power[limbs - 1u] &= ((uint32_t)1 << (r->m_bits % 32u)) - 1u;
  r->at--;
  bits_of(r->x, x_limbs, r->at * r->m_bits, r->m_bits, own->part, limbs);
  once_less(own->part, r->m, limbs);
}

/* The products, if any; m is loaded. */
static montcore_pka_status reduce_end(reduction *r, montcore_pka *pka, scratch *own) {
  unsigned limbs = montcore_pka_limbs(r->m_bits), left = (r->x_bits - 1u) / r->m_bits;
  montcore_pka_status status = MONTCORE_PKA_OK;
  while (left-- > 0u && status == MONTCORE_PKA_OK) {
    status = montcore_pka_product(pka, r->out, own->power, r->out);
    add_mod(r->out, own->part, r->m, limbs);
    if (r->at == 0u) break;
    r->at--;
    bits_of(r->x, montcore_pka_limbs(r->x_bits), r->at * r->m_bits, r->m_bits, own->part, limbs);
    once_less(own->part, r->m, limbs);
  }
  return status;
}

/* Fills limbs with random bits, all below 2^bits. */
static montcore_pka_status draw(const montcore_pka *pka, uint32_t *out, unsigned bits) {
  unsigned limbs = montcore_pka_limbs(bits);
  uint32_t any = 0u;
  unsigned i;
  for (i = 0; i < limbs; i++) out[i] = 0u;
  if (!pka->port->random) return MONTCORE_PKA_RANDOM_FAILED;
  if (pka->port->random(pka->port->context, (uint8_t *)out, (size_t)limbs * sizeof *out)) {
    montcore_pka_wipe(out, (size_t)limbs * sizeof *out);
    return MONTCORE_PKA_RANDOM_FAILED;
  }
  if (bits % 32u) out[limbs - 1u] &= ((uint32_t)1 << (bits % 32u)) - 1u;
  for (i = 0; i < limbs; i++) any |= out[i];
  return any ? MONTCORE_PKA_OK : MONTCORE_PKA_RANDOM_FAILED; /* no source gives only zeros */
}

/* out = e + k (m - 1) with k of 64 random bits, for e < m - 1 and an odd m. */
static montcore_pka_status blind(const montcore_pka *pka, scratch *own, const uint32_t *e,
                                 const uint32_t *m, unsigned m_bits, uint32_t *out) {
  unsigned limbs = montcore_pka_limbs(m_bits), i, k;
  montcore_pka_status status = draw(pka, own->random, 32u * BLIND_LIMBS);
  for (i = 0; i < limbs + BLIND_LIMBS; i++) out[i] = 0u;
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < limbs; i++) out[i] = e[i];
  for (k = 0; k < BLIND_LIMBS; k++) {
    uint64_t carry = 0u;
    for (i = 0; i + k < limbs + BLIND_LIMBS; i++) {
      uint32_t limb = i < limbs ? m[i] ^ (i == 0u ? 1u : 0u) : 0u; /* m - 1, m being odd */
      carry += (uint64_t)limb * own->random[k] + out[i + k];
      out[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return MONTCORE_PKA_OK;
}

/* result = the number below n that is x^ep mod p and x^eq mod q. n is loaded at the end. What the
 * processor has to do for the second power it does during the first. */
static montcore_pka_status both_powers(montcore_pka *pka, const montcore_rsa_key *key, scratch *own,
                                       const uint32_t *x, const uint32_t *ep, const uint32_t *eq) {
  unsigned limbs = montcore_pka_limbs(key->bits), q_limbs = montcore_pka_limbs(key->q_bits), i;
  unsigned p_limbs = montcore_pka_limbs(key->p_bits), extra = 32u * BLIND_LIMBS;
  reduction to_q = {x, key->q, key->bits, key->q_bits, 0u, own->half_q};
  reduction to_p = {x, key->p, key->bits, key->p_bits, 0u, own->half_p};
  montcore_pka_status status = montcore_pka_load(pka, key->q, key->q_bits), blinded, begun;
  reduce_begin(&to_q, own);
  if (status == MONTCORE_PKA_OK) status = reduce_end(&to_q, pka, own);
  if (status == MONTCORE_PKA_OK) status = blind(pka, own, eq, key->q, key->q_bits, own->exponent);
  if (status != MONTCORE_PKA_OK) return status;
  begun = montcore_pka_power_begin(pka, MONTCORE_PKA_CONSTANT, own->half_q, own->exponent,
                                   key->q_bits + extra);
  reduce_begin(&to_p, own);
  blinded = blind(pka, own, ep, key->p, key->p_bits, own->second);
  status = montcore_pka_power_end(pka, begun, own->half_q);
  if (status == MONTCORE_PKA_OK) status = blinded;
  if (status == MONTCORE_PKA_OK) status = montcore_pka_load(pka, key->p, key->p_bits);
  if (status == MONTCORE_PKA_OK) status = reduce_end(&to_p, pka, own);
  if (status != MONTCORE_PKA_OK) return status;
  begun = montcore_pka_power_begin(pka, MONTCORE_PKA_CONSTANT, own->half_p, own->second, key->p_bits + extra);
  to_p.x = own->half_q;
  to_p.x_bits = key->q_bits;
  to_p.out = own->check;
  reduce_begin(&to_p, own);
  status = montcore_pka_power_end(pka, begun, own->half_p);
  if (status == MONTCORE_PKA_OK) status = reduce_end(&to_p, pka, own);
  if (status != MONTCORE_PKA_OK) return status;
  /* h = qinv (half_p - half_q) mod p */
  subtract_mod(own->half_p, own->check, key->p, p_limbs);
  status = montcore_pka_product(pka, own->half_p, key->qinv, own->half_p);
  /* result = h q + half_q, below n */
  if (status == MONTCORE_PKA_OK) status = montcore_pka_load(pka, key->n, key->bits);
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < limbs; i++) {
    own->part[i] = i < q_limbs ? key->q[i] : 0u;
    own->result[i] = i < p_limbs ? own->half_p[i] : 0u;
  }
  status = montcore_pka_product(pka, own->result, own->part, own->result);
  for (i = 0; i < limbs; i++) own->part[i] = i < q_limbs ? own->half_q[i] : 0u;
  (void)add(own->result, own->result, own->part, 0xffffffffu, limbs);
  return status;
}

/* Draws r; factor = r^e, inverse = r^-1 mod n, by powers with p - 2 and q - 2. n is loaded then. */
NOT_INLINED static montcore_pka_status new_factors(montcore_rsa *rsa, scratch *own) {
  const montcore_rsa_key *key = rsa->key;
  unsigned limbs = montcore_pka_limbs(key->bits), i;
  uint32_t two[LIMBS], ep[LIMBS], eq[LIMBS], wrong = 0u;
  montcore_pka_status status = draw(rsa->pka, rsa->factor, key->bits - 1u);
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < LIMBS; i++) two[i] = i ? 0u : 2u;
  (void)montcore_pka_inner_subtract(ep, key->p, two, montcore_pka_limbs(key->p_bits));
  (void)montcore_pka_inner_subtract(eq, key->q, two, montcore_pka_limbs(key->q_bits));
  status = both_powers(rsa->pka, key, own, rsa->factor, ep, eq);
  montcore_pka_wipe(ep, sizeof ep);
  montcore_pka_wipe(eq, sizeof eq);
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < limbs; i++) rsa->inverse[i] = own->result[i];
  status = montcore_pka_product(rsa->pka, rsa->factor, rsa->inverse, own->check);
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < limbs; i++) wrong |= own->check[i] ^ (i ? 0u : 1u);
  /* A fault, or numbers that are not those of a key. An r with a factor in common with n does not happen. */
  if (wrong) return MONTCORE_PKA_FAULT;
  rsa->uses = 0u;
  return montcore_pka_power(rsa->pka, MONTCORE_PKA_SLIDING, rsa->factor, key->e, key->e_bits, rsa->factor);
}

NOT_INLINED static montcore_pka_status private_power(montcore_rsa *rsa, scratch *own, const uint32_t *x) {
  const montcore_rsa_key *key = rsa->key;
  montcore_pka *pka = rsa->pka;
  unsigned limbs = montcore_pka_limbs(key->bits), i;
  volatile uint32_t wrong = 0u, again = 0u;
  montcore_pka_status status = MONTCORE_PKA_OK;
  if (rsa->uses >= MONTCORE_RSA_USES) status = new_factors(rsa, own);
  else status = montcore_pka_load(pka, key->n, key->bits);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_product(pka, x, rsa->factor, own->blinded);
  if (status == MONTCORE_PKA_OK) status = both_powers(pka, key, own, own->blinded, key->dp, key->dq);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_product(pka, own->result, rsa->inverse, own->result);
  if (status == MONTCORE_PKA_OK) {
    status = montcore_pka_power(pka, MONTCORE_PKA_SLIDING, own->result, key->e, key->e_bits, own->check);
  }
  if (status != MONTCORE_PKA_OK) return status;
  for (i = 0; i < limbs; i++) wrong |= own->check[i] ^ x[i];
  for (i = limbs; i-- > 0u;) again |= own->check[i] ^ x[i];
  if (wrong | again) return MONTCORE_PKA_FAULT;
  /* New factors for the next operation, of the same r squared. */
  rsa->uses++;
  status = montcore_pka_product(pka, rsa->factor, rsa->factor, rsa->factor);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_product(pka, rsa->inverse, rsa->inverse, rsa->inverse);
  return status;
}

/* Limbs of what an operation with a key gives. */
static unsigned result_limbs(const montcore_rsa_key *key) {
  unsigned limbs = montcore_pka_limbs(key->bits);
  return limbs > LIMBS ? LIMBS : limbs;
}

montcore_pka_status montcore_rsa_begin(montcore_rsa *rsa, montcore_pka *pka,
                                       const montcore_rsa_key *key) {
  unsigned blinded = 32u * BLIND_LIMBS;
  scratch own;
  montcore_pka_status status, cleared;
  if (!rsa) return MONTCORE_PKA_BAD_CALL;
  montcore_pka_wipe(rsa, sizeof *rsa);
  if (!pka || !key) return MONTCORE_PKA_BAD_CALL;
  rsa->bits = key->bits > MONTCORE_PKA_MAX_BITS ? MONTCORE_PKA_MAX_BITS : key->bits;
  if (key->p_bits < 3u || key->q_bits < 3u || key->e_bits < 1u) return MONTCORE_PKA_BAD_CALL;
  if (key->bits > pka->length || key->bits > MONTCORE_PKA_MAX_BITS || key->e_bits > pka->length ||
      key->p_bits + blinded > pka->length || key->q_bits + blinded > pka->length ||
      key->p_bits + blinded > MONTCORE_PKA_MAX_BITS ||
      key->q_bits + blinded > MONTCORE_PKA_MAX_BITS) {
    return MONTCORE_PKA_BAD_LENGTH;
  }
  rsa->pka = pka;
  rsa->key = key;
  pka->inner = 1u;
  status = new_factors(rsa, &own);
  pka->inner = 0u;
  montcore_pka_wipe(&own, sizeof own);
  montcore_pka_wipe_stack();
  cleared = montcore_pka_clear(pka);
  if (status == MONTCORE_PKA_OK) status = cleared;
  if (status != MONTCORE_PKA_OK) montcore_rsa_end(rsa);
  return status;
}

montcore_pka_status montcore_rsa_private(montcore_rsa *rsa, const uint32_t *x, uint32_t *z) {
  scratch own;
  montcore_pka_status status, cleared;
  unsigned limbs, i;
  if (!rsa || !z) return MONTCORE_PKA_BAD_CALL;
  limbs = montcore_pka_limbs(rsa->bits);
  if (!rsa->key || !x) {
    montcore_pka_wipe(z, limbs * sizeof *z);
    return MONTCORE_PKA_BAD_CALL;
  }
  rsa->pka->inner = 1u;
  status = private_power(rsa, &own, x);
  rsa->pka->inner = 0u;
  if (status != MONTCORE_PKA_OK) rsa->uses = MONTCORE_RSA_USES; /* what the factors are is not known */
  cleared = montcore_pka_clear(rsa->pka);
  if (status == MONTCORE_PKA_OK) status = cleared;
  for (i = 0; i < limbs; i++) z[i] = status == MONTCORE_PKA_OK ? own.result[i] : 0u;
  montcore_pka_wipe(&own, sizeof own);
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_rsa_public(montcore_pka *pka, const montcore_rsa_key *key,
                                        const uint32_t *x, uint32_t *z) {
  montcore_pka_status status = MONTCORE_PKA_BAD_CALL;
  if (pka && key && x && z) status = montcore_pka_load(pka, key->n, key->bits);
  if (status == MONTCORE_PKA_OK) {
    status = montcore_pka_power(pka, MONTCORE_PKA_SLIDING, x, key->e, key->e_bits, z);
  }
  if (status != MONTCORE_PKA_OK && key && z) montcore_pka_wipe(z, result_limbs(key) * sizeof *z);
  return status;
}

montcore_pka_status montcore_rsa_sign_sha256(montcore_rsa *rsa, const uint8_t digest[32],
                                             uint8_t *signature) {
  /* DigestInfo of SHA-256, RFC 8017, 9.2. */
  static const uint8_t prefix[19] = {0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
                                     0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20};
  uint32_t x[LIMBS];
  unsigned bytes, i;
  montcore_pka_status status;
  if (!rsa || !signature) return MONTCORE_PKA_BAD_CALL;
  bytes = (rsa->bits + 7u) / 8u;
  if (!rsa->key || !digest || bytes < sizeof prefix + 32u + 11u) {
    montcore_pka_wipe(signature, bytes);
    return MONTCORE_PKA_BAD_CALL;
  }
  montcore_pka_wipe(x, sizeof x);
  for (i = 0; i < bytes; i++) { /* byte i from the lowest one on */
    uint8_t byte = 0xff;
    if (i < 32u) byte = digest[31u - i];
    else if (i < 32u + sizeof prefix) byte = prefix[sizeof prefix - 1u - (i - 32u)];
    else if (i == 32u + sizeof prefix || i == bytes - 1u) byte = 0x00;
    else if (i == bytes - 2u) byte = 0x01;
    x[i / 4u] |= (uint32_t)byte << (8u * (i % 4u));
  }
  status = montcore_rsa_private(rsa, x, x);
  for (i = 0; i < bytes; i++) signature[bytes - 1u - i] = (uint8_t)(x[i / 4u] >> (8u * (i % 4u)));
  return status;
}

void montcore_rsa_end(montcore_rsa *rsa) {
  unsigned bits;
  if (!rsa) return;
  bits = rsa->bits; /* is no secret */
  montcore_pka_wipe(rsa, sizeof *rsa);
  rsa->bits = bits;
}
