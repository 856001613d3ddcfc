/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands before mbedTLS's product and power (the linker's --wrap). What the library for RISC-V cannot
 * do - an even modulus, a length of none or of too many limbs - goes to mbedTLS as before. */
#include <string.h>

#include "mbedtls/bignum.h"
#include "mbedtls/platform.h"
#include "mbedtls/platform_util.h"
#include "montcore_mbedtls.h"
#include "montcore_riscv.h"

#define MOST_WORDS 128u /* of an operand; longer ones go to mbedTLS */
#define FEWEST_WORDS 4u

int __real_mbedtls_mpi_mul_mpi(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *B);
int __wrap_mbedtls_mpi_mul_mpi(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *B);
int __real_mbedtls_mpi_exp_mod(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *E,
                               const mbedtls_mpi *N, mbedtls_mpi *RR);
int __wrap_mbedtls_mpi_exp_mod(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *E,
                               const mbedtls_mpi *N, mbedtls_mpi *RR);

static int in_use;

void montcore_mbedtls_riscv(int on) { in_use = on; }

static size_t words_of(const mbedtls_mpi *number) {
  size_t words = number->n;
  while (words > 0u && number->p[words - 1u] == 0u) words--;
  return words;
}

/* The words of a number, with zeros above it up to `words`; copied only if it has fewer. */
static const uint32_t *padded(const mbedtls_mpi *number, size_t words, uint32_t *room) {
  if (number->n >= words) return number->p;
  memcpy(room, number->p, number->n * sizeof *room);
  memset(room + number->n, 0, (words - number->n) * sizeof *room);
  return room;
}

int __wrap_mbedtls_mpi_mul_mpi(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *B) {
  uint32_t a[MOST_WORDS], b[MOST_WORDS], r[2u * MOST_WORDS];
  size_t a_words = words_of(A), b_words = words_of(B), words = a_words;
  const uint32_t *left, *right;
  int sign = A->s * B->s, ret;
  if (b_words > words) words = b_words;
  words = (words + 1u) & ~(size_t)1u;
  if (!in_use || words > MOST_WORDS || a_words < FEWEST_WORDS || b_words < FEWEST_WORDS ||
      2u * a_words < words || 2u * b_words < words) {
    return __real_mbedtls_mpi_mul_mpi(X, A, B);
  }
  left = padded(A, words, a);
  right = padded(B, words, b);
  if (left == right) {
    mc_sqr_raw(r, left, words / 2u);
  } else {
    mc_mul_raw(r, left, right, words / 2u);
  }
  ret = mbedtls_mpi_grow(X, 2u * words);
  if (ret == 0) {
    memcpy(X->p, r, 2u * words * sizeof *r);
    memset(X->p + 2u * words, 0, (X->n - 2u * words) * sizeof *r);
    X->s = sign;
  }
  mbedtls_platform_zeroize(r, 2u * words * sizeof *r);
  if (left == a) mbedtls_platform_zeroize(a, words * sizeof *a);
  if (right == b) mbedtls_platform_zeroize(b, words * sizeof *b);
  return ret;
}

/* -m^-1 mod 2^64, by Newton's iteration. */
static uint64_t negated_inverse(const uint32_t *m) {
  uint64_t low = (uint64_t)m[1] << 32 | m[0], inverse = low; /* right in 3 bits */
  unsigned i;
  for (i = 0; i < 5u; i++) inverse *= 2u - low * inverse;
  return (uint64_t)0 - inverse;
}

int __wrap_mbedtls_mpi_exp_mod(mbedtls_mpi *X, const mbedtls_mpi *A, const mbedtls_mpi *E,
                               const mbedtls_mpi *N, mbedtls_mpi *RR) {
  size_t n_words = words_of(N), e_words = words_of(E), words = (n_words + 1u) & ~(size_t)1u;
  size_t total = 5u * words + MC_MODEXP_WORDS(words / 2u);
  uint32_t *memory, *m, *rr, *work, *x, *table;
  uint32_t e[MOST_WORDS];
  /* mbedTLS's R has as many limbs as N, zeros above it included. */
  int kept = RR && N->n == words;
  mc_modulus mod;
  mbedtls_mpi base;
  int ret;
  if (!in_use || words < FEWEST_WORDS || words > MOST_WORDS || N->s != 1 || (N->p[0] & 1u) == 0u ||
      E->s != 1 || e_words == 0u || e_words > MOST_WORDS) {
    return __real_mbedtls_mpi_exp_mod(X, A, E, N, RR);
  }
  memory = (uint32_t *)mbedtls_calloc(total, sizeof *memory);
  if (!memory) return MBEDTLS_ERR_MPI_ALLOC_FAILED;
  m = memory;
  rr = m + words;
  work = rr + words; /* twice as long */
  x = work + 2u * words;
  table = x + words;
  mbedtls_mpi_init(&base);
  memcpy(m, N->p, n_words * sizeof *m);
  memcpy(e, E->p, e_words * sizeof *e);
  ret = mbedtls_mpi_mod_mpi(&base, A, N);
  if (ret == 0) memcpy(x, base.p, words_of(&base) * sizeof *x);
  if (ret == 0 && kept && RR->p) { /* of an earlier power */
    uint64_t n0 = negated_inverse(m);
    memcpy(rr, RR->p, words * sizeof *rr);
    mod.m = m;
    mod.rr = rr;
    mod.work = work;
    mod.n = words / 2u;
    mod.n0[0] = (uint32_t)n0;
    mod.n0[1] = (uint32_t)(n0 >> 32);
  } else if (ret == 0) {
    if (mc_modulus_init(&mod, m, words / 2u, rr, work) != MC_OK) ret = MBEDTLS_ERR_MPI_BAD_INPUT_DATA;
    if (ret == 0 && kept) ret = mbedtls_mpi_grow(RR, words);
    if (ret == 0 && kept) memcpy(RR->p, rr, words * sizeof *rr);
  }
  if (ret == 0) mc_modexp_raw(x, x, e, e_words, &mod, table);
  if (ret == 0) ret = mbedtls_mpi_grow(X, words);
  if (ret == 0) {
    memcpy(X->p, x, words * sizeof *x);
    memset(X->p + words, 0, (X->n - words) * sizeof *x);
    X->s = 1;
  }
  mbedtls_mpi_free(&base);
  mbedtls_platform_zeroize(memory, total * sizeof *memory);
  mbedtls_platform_zeroize(e, e_words * sizeof *e);
  mbedtls_free(memory);
  return ret;
}
