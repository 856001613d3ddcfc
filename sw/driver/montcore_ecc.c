/* SPDX-License-Identifier: Apache-2.0 */
#include "montcore_ecc_inner.h"

#define MAX_LIMBS MONTCORE_PKA_CURVE_LIMBS
#define DRAWS 64
#define BLIND_BITS 64u
#define TEETH 5u

enum { OP_CLEAR_ALL = 6, OP_CURVE = 8, OP_POINT, OP_KEY_CURVE, OP_KEY_POINT };
enum { OP_CURVE_LOCK = 12, OP_CURVE_DRAW };
/* Public numbers of an operation, those of a signature, results; slots that cannot be read. */
enum { SLOT_OPERANDS = 0, SLOT_SIGNATURE = 3, SLOT_RESULTS = 5, SLOT_SCALAR = 14, SLOT_KEY = 15 };

static uint32_t slot_address(unsigned slot) {
  return slot < 8u ? OPERANDS + SLOT * slot : KEY + SLOT * (slot - 8u);
}

static montcore_pka_status put_slots(const montcore_pka *pka, unsigned slot, unsigned bits,
                                     const uint32_t *const *numbers, unsigned count) {
  montcore_pka_status status = MONTCORE_PKA_OK;
  unsigned i;
  for (i = 0; i < count && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_number(pka, slot_address(slot + i), numbers[i], bits);
  }
  return status;
}

static montcore_pka_status command(montcore_pka *pka, unsigned op, unsigned policy, unsigned x,
                                   unsigned operation) {
  uint32_t word = (uint32_t)op;
  word |= (uint32_t)policy << MONTCORE_PKA_REGISTERS__COMMAND__POLICY_bp;
  word |= (uint32_t)x << MONTCORE_PKA_REGISTERS__COMMAND__X_bp;
  word |= (uint32_t)SLOT_OPERANDS << MONTCORE_PKA_REGISTERS__COMMAND__Y_bp;
  word |= (uint32_t)SLOT_RESULTS << MONTCORE_PKA_REGISTERS__COMMAND__Z_bp;
  word |= (uint32_t)operation << MONTCORE_PKA_REGISTERS__COMMAND__OPERATION_bp;
  return montcore_pka_inner_command(pka, word);
}

/* Clears operands, results and scalars; keeps an error that was there before. */
static montcore_pka_status clear(montcore_pka *pka, montcore_pka_status status) {
  montcore_pka_status cleared = command(pka, OP_CLEAR_ALL, 0u, 0u, 0u);
  return status == MONTCORE_PKA_OK ? cleared : status;
}

montcore_pka_status montcore_ecc_inner_suits(const montcore_pka *pka,
                                             const montcore_ecc_curve *curve) {
  if (!pka || !curve) return MONTCORE_PKA_BAD_CALL;
  if (!pka->curve_length) return MONTCORE_PKA_BAD_COMMAND;
  if (montcore_ecc_bits(curve) > pka->curve_length || montcore_ecc_limbs(curve) > MAX_LIMBS ||
      curve->p_bits < 3u || curve->n_bits < 2u) {
    return MONTCORE_PKA_BAD_LENGTH;
  }
  return MONTCORE_PKA_OK;
}

/* Lengths and form of a curve, for the commands that take them. */
static montcore_pka_status put_form(const montcore_pka *pka, const montcore_ecc_curve *curve) {
  uint32_t columns = (curve->n_bits + BLIND_BITS + TEETH - 1u) / TEETH;
  uint32_t windows = (curve->n_bits + TEETH) / TEETH, least = (columns + TEETH - 1u) / TEETH + 1u;
  montcore_pka_status status;
  if (windows < least) windows = least;
  status = montcore_pka_inner_put(pka, REGISTER(length), curve->p_bits);
  if (status == MONTCORE_PKA_OK) status = montcore_pka_inner_put(pka, REGISTER(y_length), curve->n_bits);
  if (status == MONTCORE_PKA_OK) {
    status = montcore_pka_inner_put(
        pka, REGISTER(curve),
        columns | windows << MONTCORE_PKA_REGISTERS__CURVE__WINDOWS_bp |
            (uint32_t)curve->family << MONTCORE_PKA_REGISTERS__CURVE__FAMILY_bp);
  }
  return status;
}

static montcore_pka_status put_curve(const montcore_pka *pka, const montcore_ecc_curve *curve,
                                     unsigned slot) {
  const uint32_t *numbers[6];
  numbers[0] = curve->p, numbers[1] = curve->n, numbers[2] = curve->a;
  numbers[3] = curve->b, numbers[4] = curve->x, numbers[5] = curve->y;
  return put_slots(pka, slot, montcore_ecc_bits(curve), numbers, 6u);
}

montcore_pka_status montcore_ecc_load(montcore_pka *pka, const montcore_ecc_curve *curve) {
  montcore_pka_status status = montcore_ecc_inner_suits(pka, curve);
  if (status != MONTCORE_PKA_OK || pka->curve == curve) return status;
  pka->curve = 0;
  status = montcore_pka_inner_settle(pka); /* it may still clear itself after a time-out */
  if (status != MONTCORE_PKA_OK) return status;
  if (pka->key_curve == curve) {
    status = command(pka, OP_KEY_CURVE, 0u, 0u, 0u);
  } else {
    status = put_form(pka, curve);
    if (status == MONTCORE_PKA_OK) status = put_curve(pka, curve, SLOT_OPERANDS);
    if (status == MONTCORE_PKA_OK) status = command(pka, OP_CURVE, 0u, SLOT_OPERANDS, 0u);
  }
  if (status == MONTCORE_PKA_OK) pka->curve = curve;
  return status;
}

/* Sets results to zero, so that a call that fails leaves none; returns the status. */
static montcore_pka_status refuse_limbs(unsigned limbs, uint32_t *x, uint32_t *y,
                                        montcore_pka_status status) {
  if (x) montcore_pka_wipe(x, limbs * sizeof *x);
  if (y) montcore_pka_wipe(y, limbs * sizeof *y);
  return status;
}

static montcore_pka_status refuse(const montcore_ecc_curve *curve, uint32_t *x, uint32_t *y,
                                  montcore_pka_status status) {
  return refuse_limbs(curve ? montcore_ecc_limbs(curve) : 0u, x, y, status);
}

/* The same for results of the locked key. */
static montcore_pka_status refuse_key(const montcore_pka *pka, uint32_t *x, uint32_t *y,
                                      montcore_pka_status status) {
  return refuse_limbs(pka ? pka->key_limbs : 0u, x, y, status);
}

/* Whether a number is not zero and, if it must be, below n; the time does not depend on it. */
static unsigned in_range(const montcore_ecc_curve *curve, const uint32_t *number, unsigned below) {
  unsigned limbs = montcore_ecc_limbs(curve), i;
  uint32_t any = 0u;
  for (i = 0; i < limbs; i++) any |= number[i];
  return (any != 0u) & ((below ^ 1u) | montcore_ecc_inner_below(number, curve->n, limbs));
}

/* Reads the results of a command that ended so; zero after an error. A broken accelerator may say that it is
 * done and read as zeros. So r and s must be between 1 and n - 1, and a point must not be (0, 0), which is on
 * none of the curves: those of Weierstrass have odd order. The ladder's caller checks its one number. */
NOT_INLINED static montcore_pka_status take(const montcore_pka *pka,
                                            const montcore_ecc_curve *curve, unsigned operation,
                                            montcore_pka_status status, uint32_t *x, uint32_t *y) {
  unsigned i, limbs = montcore_ecc_limbs(curve), good;
  uint32_t any_x = 0u, any_y = 0u;
  for (i = 0; i < limbs && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_get(pka, slot_address(SLOT_RESULTS) + 4u * i, &x[i]);
  }
  for (i = 0; i < limbs && status == MONTCORE_PKA_OK; i++) {
    status = montcore_pka_inner_get(pka, slot_address(SLOT_RESULTS + 1) + 4u * i, &y[i]);
  }
  if (status != MONTCORE_PKA_OK) return refuse(curve, x, y, status);
  for (i = 0; i < limbs; i++) any_x |= x[i], any_y |= y[i];
  good = operation == MONTCORE_ECC_LADDER || (any_x | any_y);
  if (operation == MONTCORE_ECC_MULTIPLY_ADD) good = any_x != 0u;
  if (operation == MONTCORE_ECC_SIGN) good = in_range(curve, x, 1) && in_range(curve, y, 1);
  return good ? status : refuse(curve, x, y, MONTCORE_PKA_FAULT);
}

NOT_INLINED montcore_pka_status montcore_ecc_inner_operate(
    montcore_pka *pka, const montcore_ecc_curve *curve, unsigned operation,
    const uint32_t *const *scalars, unsigned scalar_count, const uint32_t *const *y,
    unsigned y_count, uint32_t *out_x, uint32_t *out_y) {
  /* Slots that can be read and hold a secret: a result, or a term. */
  int secret = operation == MONTCORE_ECC_MULTIPLY || operation == MONTCORE_ECC_LADDER ||
               operation == MONTCORE_ECC_MULTIPLY_ADD;
  unsigned bits = montcore_ecc_bits(curve);
  montcore_pka_status status = montcore_ecc_load(pka, curve);
  if (status == MONTCORE_PKA_OK) status = put_slots(pka, SLOT_OPERANDS, bits, y, y_count);
  if (status == MONTCORE_PKA_OK) status = put_slots(pka, SLOT_SCALAR, bits, scalars, scalar_count);
  if (status == MONTCORE_PKA_OK) {
    status = command(pka, scalar_count ? OP_POINT : OP_KEY_POINT, 0u, SLOT_SCALAR, operation);
  }
  status = take(pka, curve, operation, status, out_x, out_y);
  if (secret || status != MONTCORE_PKA_OK) status = clear(pka, status);
  return status == MONTCORE_PKA_OK ? status : refuse(curve, out_x, out_y, status);
}

montcore_pka_status montcore_ecc_public(montcore_pka *pka, const montcore_ecc_curve *curve,
                                        const uint32_t *k, uint32_t *x, uint32_t *y) {
  montcore_pka_status status = montcore_ecc_inner_suits(pka, curve);
  if (status == MONTCORE_PKA_OK && (!k || !x || !y)) status = MONTCORE_PKA_BAD_CALL;
  if (status != MONTCORE_PKA_OK) return refuse(curve, x, y, status);
  status = montcore_ecc_inner_operate(pka, curve, MONTCORE_ECC_BASE, &k, 1u, 0, 0u, x, y);
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_ecdh(montcore_pka *pka, const montcore_ecc_curve *curve,
                                  const uint32_t *k, const uint32_t *px, const uint32_t *py,
                                  uint32_t *x, uint32_t *y) {
  const uint32_t *point[2];
  montcore_pka_status status = montcore_ecc_inner_suits(pka, curve);
  if (status == MONTCORE_PKA_OK && (!k || !px || !py || !x || !y)) status = MONTCORE_PKA_BAD_CALL;
  if (status != MONTCORE_PKA_OK) return refuse(curve, x, y, status);
  point[0] = px, point[1] = py;
  status = montcore_ecc_inner_operate(pka, curve, MONTCORE_ECC_MULTIPLY, &k, 1u, point, 2u, x, y);
  montcore_pka_wipe_stack();
  return status;
}

/* The number that is signed: the leftmost bits of a hash, as many as n has. */
static void number_of(const montcore_ecc_curve *curve, const uint8_t *hash, size_t bytes,
                      uint32_t *out) {
  unsigned limbs = montcore_ecc_limbs(curve), shift = 0u, i;
  size_t at, most = (curve->n_bits + 7u) / 8u;
  if (bytes > most) bytes = most;
  if (8u * bytes > curve->n_bits) shift = 8u * (unsigned)bytes - curve->n_bits;
  for (i = 0; i < limbs; i++) out[i] = 0u;
  for (at = 0; at < bytes; at++) out[at / 4u] |= (uint32_t)hash[bytes - 1u - at] << (8u * (at % 4u));
  for (i = 0; i < limbs && shift; i++) {
    out[i] >>= shift;
    if (i + 1u < limbs) out[i] |= out[i + 1u] << (32u - shift);
  }
}

/* Draws a number between 1 and n - 1. */
NOT_INLINED static montcore_pka_status draw_scalar(const montcore_pka *pka,
                                            const montcore_ecc_curve *curve, uint32_t *out) {
  unsigned limbs = montcore_ecc_limbs(curve), drawn = montcore_pka_limbs(curve->n_bits), i, tries;
  if (!pka->port->random) return MONTCORE_PKA_RANDOM_FAILED;
  for (tries = 0; tries < DRAWS; tries++) {
    for (i = 0; i < limbs; i++) out[i] = 0u;
    if (pka->port->random(pka->port->context, (uint8_t *)out, drawn * sizeof *out)) break;
    if (curve->n_bits % 32u) out[drawn - 1u] &= ((uint32_t)1 << (curve->n_bits % 32u)) - 1u;
    if (in_range(curve, out, 1)) return MONTCORE_PKA_OK;
  }
  montcore_pka_wipe(out, limbs * sizeof *out);
  return MONTCORE_PKA_RANDOM_FAILED;
}

/* An operation all of whose numbers are public, on operand slots. */
static montcore_pka_status operate_public(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          unsigned operation, const uint32_t *const *x,
                                          const uint32_t *const *y, unsigned y_count) {
  unsigned bits = montcore_ecc_bits(curve);
  montcore_pka_status status = montcore_ecc_load(pka, curve);
  if (status == MONTCORE_PKA_OK) status = put_slots(pka, SLOT_OPERANDS, bits, y, y_count);
  if (status == MONTCORE_PKA_OK) status = put_slots(pka, SLOT_SIGNATURE, bits, x, 2u);
  if (status == MONTCORE_PKA_OK) status = command(pka, OP_POINT, 0u, SLOT_SIGNATURE, operation);
  return status;
}

montcore_pka_status montcore_ecc_inner_joint(montcore_pka *pka, const montcore_ecc_curve *curve,
                                             const uint32_t *const *numbers,
                                             const uint32_t *const *point, uint32_t *out_x,
                                             uint32_t *out_y) {
  montcore_pka_status status =
      operate_public(pka, curve, MONTCORE_ECC_JOINT, numbers, point, 2u);
  return take(pka, curve, MONTCORE_ECC_JOINT, status, out_x, out_y);
}

static montcore_pka_status verify(montcore_pka *pka, const montcore_ecc_curve *curve,
                                  const uint32_t *e, const uint32_t *qx, const uint32_t *qy,
                                  const uint32_t *r, const uint32_t *s) {
  static const uint32_t zero[MAX_LIMBS] = {0u};
  const uint32_t *numbers[3], *signature[2], *no_r = zero;
  montcore_pka_status status;
  numbers[0] = e, numbers[1] = qx, numbers[2] = qy;
  signature[0] = r, signature[1] = s;
  status = operate_public(pka, curve, MONTCORE_ECC_VERIFY, signature, numbers, 3u);
  if (status != MONTCORE_PKA_OK) return status;
  /* The answer is a status alone, which a broken accelerator may give without comparing anything. A working
   * one refuses r = 0, after a few steps. */
  status = put_slots(pka, SLOT_SIGNATURE, montcore_ecc_bits(curve), &no_r, 1u);
  if (status == MONTCORE_PKA_OK) {
    status = command(pka, OP_POINT, 0u, SLOT_SIGNATURE, MONTCORE_ECC_VERIFY);
    if (status == MONTCORE_PKA_RANGE) return MONTCORE_PKA_OK;
  }
  return status == MONTCORE_PKA_OK ? MONTCORE_PKA_FAULT : status;
}

montcore_pka_status montcore_ecdsa_verify(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          const uint32_t *qx, const uint32_t *qy,
                                          const uint8_t *hash, size_t bytes, const uint32_t *r,
                                          const uint32_t *s) {
  uint32_t e[MAX_LIMBS];
  montcore_pka_status status = montcore_ecc_inner_suits(pka, curve);
  if (status != MONTCORE_PKA_OK) return status;
  if (!qx || !qy || !r || !s || (!hash && bytes)) return MONTCORE_PKA_BAD_CALL;
  number_of(curve, hash, bytes, e);
  return verify(pka, curve, e, qx, qy, r, s);
}

/* What a signature needs until it is released, and then is cleared. */
typedef struct {
  uint32_t e[MAX_LIMBS], nonce[MAX_LIMBS];
  uint32_t r[MAX_LIMBS], s[MAX_LIMBS];
  uint32_t qx[MAX_LIMBS], qy[MAX_LIMBS]; /* the public key, where it is not kept */
} signing;

/* Signs own->e, verifies that, and only then hands it out. Without scalars it is an operation with the
 * locked key. */
NOT_INLINED static montcore_pka_status sign(montcore_pka *pka, const montcore_ecc_curve *curve,
                                            signing *own, const uint32_t *const *scalars,
                                            uint32_t *r, uint32_t *s) {
  const uint32_t *number = own->e;
  unsigned limbs = montcore_ecc_limbs(curve), count = scalars ? 2u : 0u, i;
  uint32_t *qx = scalars ? own->qx : pka->key_x, *qy = scalars ? own->qy : pka->key_y;
  montcore_pka_status status = MONTCORE_PKA_OK;
  if (!scalars && !pka->key_known && !pka->unverified) status = montcore_ecc_key_public(pka, own->r, own->s);
  if (status == MONTCORE_PKA_OK) {
    status = montcore_ecc_inner_operate(pka, curve, MONTCORE_ECC_SIGN, scalars, count, &number, 1u,
                                        own->r, own->s);
  }
  if (status == MONTCORE_PKA_OK && scalars && !pka->unverified) {
    status = montcore_ecc_inner_operate(pka, curve, MONTCORE_ECC_BASE, scalars + 1, 1u, 0, 0u, qx, qy);
  }
  if (status != MONTCORE_PKA_OK) return status;
  if (!pka->unverified) status = verify(pka, curve, own->e, qx, qy, own->r, own->s);
  if (status == MONTCORE_PKA_SIGNATURE || status == MONTCORE_PKA_RANGE ||
      status == MONTCORE_PKA_POINT || status == MONTCORE_PKA_INFINITY) {
    status = MONTCORE_PKA_FAULT;
  }
  if (status != MONTCORE_PKA_OK) return clear(pka, status);
  for (i = 0; i < limbs; i++) r[i] = own->r[i], s[i] = own->s[i];
  return status;
}

montcore_pka_status montcore_ecdsa_sign(montcore_pka *pka, const montcore_ecc_curve *curve,
                                        const uint32_t *d, const uint32_t *nonce,
                                        const uint8_t *hash, size_t bytes, uint32_t *r,
                                        uint32_t *s) {
  signing own;
  const uint32_t *scalars[2];
  montcore_pka_status status = montcore_ecc_inner_suits(pka, curve);
  if (status == MONTCORE_PKA_OK && (!d || !r || !s || (!hash && bytes))) status = MONTCORE_PKA_BAD_CALL;
  /* A locked key's slot is the one that a key would go to. */
  if (status == MONTCORE_PKA_OK && pka->locked) status = MONTCORE_PKA_BAD_KEY;
  if (status != MONTCORE_PKA_OK) return refuse(curve, r, s, status);
  scalars[0] = nonce ? nonce : own.nonce, scalars[1] = d;
  number_of(curve, hash, bytes, own.e);
  if (!nonce) status = draw_scalar(pka, curve, own.nonce);
  if (status == MONTCORE_PKA_OK) status = sign(pka, curve, &own, scalars, r, s);
  montcore_pka_wipe(&own, sizeof own);
  montcore_pka_wipe_stack();
  return status == MONTCORE_PKA_OK ? status : refuse(curve, r, s, status);
}

/* Takes a curve as that of the locked key, whose public point is not known yet. */
static void key_of(montcore_pka *pka, const montcore_ecc_curve *curve) {
  pka->key_curve = curve;
  pka->key_known = 0u;
  pka->key_limbs = montcore_ecc_limbs(curve);
}

/* Whether a curve can be that of a key. Without a key its results have the length of the curve that was tried
 * last. */
static montcore_pka_status suits_key(montcore_pka *pka, const montcore_ecc_curve *curve) {
  if (pka && curve && !pka->key_curve) pka->key_limbs = montcore_ecc_limbs(curve);
  return montcore_ecc_inner_suits(pka, curve);
}

/* Lengths, form and curve to the key slots, then the command that locks. */
static montcore_pka_status lock(montcore_pka *pka, const montcore_ecc_curve *curve, unsigned op,
                                unsigned uses) {
  montcore_pka_status status = montcore_pka_inner_settle(pka);
  if (status == MONTCORE_PKA_OK) status = put_form(pka, curve);
  if (status == MONTCORE_PKA_OK) status = put_curve(pka, curve, 8u);
  if (status == MONTCORE_PKA_OK) status = command(pka, op, uses, 0u, 0u);
  if (status != MONTCORE_PKA_OK) return status;
  pka->locked = 1u;
  key_of(pka, curve);
  if (pka->curve == curve) pka->curve = 0; /* it was not loaded as the key's */
  return status;
}

montcore_pka_status montcore_ecc_lock_key(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          const uint32_t *d, unsigned uses) {
  montcore_pka_status status = suits_key(pka, curve);
  if (status != MONTCORE_PKA_OK) return status;
  if (!d || uses < 1u || uses > 3u) return MONTCORE_PKA_BAD_CALL;
  if (pka->locked) return MONTCORE_PKA_BAD_KEY;
  if (!in_range(curve, d, curve->family < MONTCORE_ECC_EDWARDS)) return MONTCORE_PKA_RANGE;
  status = montcore_pka_inner_settle(pka);
  if (status == MONTCORE_PKA_OK) status = put_slots(pka, SLOT_KEY, montcore_ecc_bits(curve), &d, 1u);
  if (status == MONTCORE_PKA_OK) status = lock(pka, curve, OP_CURVE_LOCK, uses);
  if (status != MONTCORE_PKA_OK) status = clear(pka, status);
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_ecc_draw_key(montcore_pka *pka, const montcore_ecc_curve *curve,
                                          unsigned uses) {
  montcore_pka_status status = suits_key(pka, curve);
  if (status != MONTCORE_PKA_OK) return status;
  if (uses < 1u || uses > 3u) return MONTCORE_PKA_BAD_CALL;
  if (pka->locked) return MONTCORE_PKA_BAD_KEY;
  return lock(pka, curve, OP_CURVE_DRAW, uses);
}

montcore_pka_status montcore_ecc_adopt_key(montcore_pka *pka, const montcore_ecc_curve *curve) {
  uint32_t state;
  montcore_pka_status status = suits_key(pka, curve);
  if (status != MONTCORE_PKA_OK) return status;
  status = montcore_pka_inner_get(pka, REGISTER(status), &state);
  if (status != MONTCORE_PKA_OK) return status;
  if (!(state & MONTCORE_PKA_REGISTERS__STATUS__KEY_KIND_bm)) return MONTCORE_PKA_BAD_KEY;
  key_of(pka, curve);
  pka->curve = 0;
  return MONTCORE_PKA_OK;
}

montcore_pka_status montcore_ecc_key_public(montcore_pka *pka, uint32_t *x, uint32_t *y) {
  montcore_pka_status status;
  unsigned i;
  if (!pka || !x || !y) return refuse_key(pka, x, y, MONTCORE_PKA_BAD_CALL);
  if (!pka->key_curve) return refuse_key(pka, x, y, MONTCORE_PKA_BAD_KEY);
  status = montcore_ecc_inner_operate(pka, pka->key_curve, MONTCORE_ECC_BASE, 0, 0u, 0, 0u, x, y);
  if (status != MONTCORE_PKA_OK || pka->key_known) return status;
  for (i = 0; i < pka->key_limbs; i++) pka->key_x[i] = x[i], pka->key_y[i] = y[i];
  pka->key_known = 1u;
  return status;
}

montcore_pka_status montcore_ecc_key_agree(montcore_pka *pka, const uint32_t *px,
                                           const uint32_t *py, uint32_t *x, uint32_t *y) {
  const uint32_t *point[2];
  montcore_pka_status status;
  if (!pka || !px || !py || !x || !y) return refuse_key(pka, x, y, MONTCORE_PKA_BAD_CALL);
  if (!pka->key_curve) return refuse_key(pka, x, y, MONTCORE_PKA_BAD_KEY);
  point[0] = px, point[1] = py;
  status = montcore_ecc_inner_operate(pka, pka->key_curve, MONTCORE_ECC_MULTIPLY, 0, 0u, point, 2u, x, y);
  montcore_pka_wipe_stack();
  return status;
}

montcore_pka_status montcore_ecc_key_sign(montcore_pka *pka, const uint8_t *hash, size_t bytes,
                                          uint32_t *r, uint32_t *s) {
  signing own;
  montcore_pka_status status;
  if (!pka || !r || !s || (!hash && bytes)) return refuse_key(pka, r, s, MONTCORE_PKA_BAD_CALL);
  if (!pka->key_curve) return refuse_key(pka, r, s, MONTCORE_PKA_BAD_KEY);
  number_of(pka->key_curve, hash, bytes, own.e);
  status = sign(pka, pka->key_curve, &own, 0, r, s);
  montcore_pka_wipe(&own, sizeof own);
  montcore_pka_wipe_stack();
  return status == MONTCORE_PKA_OK ? status : refuse_key(pka, r, s, status);
}
