/* SPDX-License-Identifier: Apache-2.0
 *
 * Multi-precision and Montgomery arithmetic for RV32IM(C), freestanding.
 *
 * A number of n limbs is an array of 2n 32-bit words, least significant word first; a limb is 64 bits.
 * No routine allocates; none has a branch or an address that depends on the value of an operand or an
 * exponent: the time is a function of n, and for mc_modexp of the exponent's length. A status does tell
 * whether an operand was out of range.
 */
#ifndef MONTCORE_RISCV_H
#define MONTCORE_RISCV_H

#include <stddef.h>
#include <stdint.h>

#include "montcore_rv32.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the checked routines return. Anything but MC_OK: nothing was written. */
enum mc_status {
    MC_OK = 0,
    MC_BAD_LENGTH = 1,   /* n = 0 or above MC_MAX_LIMBS, or an exponent of 0 words or too many */
    MC_OVERLAP = 2,      /* an output overlaps what it must not */
    MC_BAD_MODULUS = 3,  /* even, or 1 */
    MC_OUT_OF_RANGE = 4, /* an operand is not below the modulus */
};

#define MC_MAX_LIMBS 256u

/* r[4n] = a[2n] * b[2n]. r overlaps neither; a may be b. */
int mc_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

/* r[4n] = a[2n]^2. r does not overlap a. */
int mc_sqr(uint32_t *r, const uint32_t *a, size_t n);

/* r = a + b mod m, r = a - b mod m, for a, b < m. r may be a or b; it overlaps m not at all, and a and b
 * not in part. */
int mc_mod_add(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
int mc_mod_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);

/* A modulus with what Montgomery's method needs of it. The arrays are the caller's and must live as long
 * as the context; `work` is written by every routine, so that a context serves one caller at a time. */
typedef struct mc_modulus {
    const uint32_t *m; /* the modulus, 2n words */
    uint32_t *rr;      /* R^2 mod m, 2n words, R = 2^(64n) */
    uint32_t *work;    /* 4n words */
    size_t n;
    uint32_t n0[2]; /* -m^-1 mod 2^64 */
} mc_modulus;

/* Prepare a modulus of n limbs, odd and at least 3. rr and work overlap nothing. */
int mc_modulus_init(mc_modulus *mod, const uint32_t *m, size_t n, uint32_t *rr, uint32_t *work);

/* r = a * b * R^-1 mod m, r = a^2 * R^-1 mod m, for a, b < m. r may be a or b, and overlaps nothing of
 * the modulus. */
int mc_montmul(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod);
int mc_montsqr(uint32_t *r, const uint32_t *a, const mc_modulus *mod);

/* Bits of a window of mc_modexp, the most of mc_modexp_window, and the words of their tables. */
#define MC_WINDOW_BITS 4u
#define MC_MAX_WINDOW_BITS 8u
#define MC_MODEXP_WINDOW_WORDS(n, window) ((((size_t)1 << (window)) + 1u) * 2u * (n))
#define MC_MODEXP_WORDS(n) MC_MODEXP_WINDOW_WORDS(n, MC_WINDOW_BITS)

/* r = a^e mod m for a < m and an exponent of `words` 32-bit words. Fixed windows: for each as many
 * squarings as it has bits and one product, whatever the exponent; every entry of the table is read for
 * each product. `table` has MC_MODEXP_WORDS(n) words and overlaps nothing. r may be a. Windows of five
 * bits take 3 % less time from 512 bits on and twice the table. */
int mc_modexp(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
              const mc_modulus *mod, uint32_t *table);
int mc_modexp_window(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                     const mc_modulus *mod, uint32_t *table, unsigned window);

/* The same for an exponent that is PUBLIC: its bits decide what is done, and the time. a and the result
 * may be secret. 65537 takes 17 products and one more for Montgomery's form. */
#define MC_PUBLIC_WORDS(n) (4u * (n))
int mc_modexp_public(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                     const mc_modulus *mod, uint32_t *table);

/* Set memory to zero, in a way that no compiler leaves out. The checked routines above clear `work`,
 * the table and the stack that they used; operands, exponents and results are the caller's to clear. */
void mc_wipe(void *memory, size_t bytes);

/* Clear a modulus that is secret, such as a factor of an RSA modulus: rr, work and the context. The
 * array of the modulus itself is the caller's. */
void mc_modulus_wipe(mc_modulus *mod);

/* Clear at least so many bytes of stack below the caller's frame: what routines that have returned left
 * there. It takes a little more than 256 bytes at a time. */
void mc_wipe_stack(size_t bytes);

/* Prepare an odd modulus but for R^2 mod m, which the caller puts into rr. Nothing is checked. */
void mc_modulus_set(mc_modulus *mod, const uint32_t *m, size_t n, uint32_t *rr, uint32_t *work);

/* The same without any check, and without clearing anything, for callers who know their operands; the
 * preconditions are in the sources. */
void mc_mul_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void mc_mul_karatsuba(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void mc_sqr_raw(uint32_t *r, const uint32_t *a, size_t n);
void mc_redc_raw(uint32_t *r, uint32_t *w, const uint32_t *m, size_t n, const uint32_t n0[2]);
void mc_mod_add_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
void mc_mod_sub_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n);
void mc_montmul_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod);
void mc_montsqr_raw(uint32_t *r, const uint32_t *a, const mc_modulus *mod);
void mc_modexp_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                   const mc_modulus *mod, uint32_t *table);
void mc_modexp_window_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                          const mc_modulus *mod, uint32_t *table, unsigned window);
void mc_modexp_public_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                          const mc_modulus *mod, uint32_t *table);

/* mc_mul_raw under another name; then what it is compared with: columns of limbs, the paper's own
 * schedule, and operand scanning. Preconditions as mc_mul_raw. */
void mc_mul_rows(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void mc_mul_columns(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void mc_mul_paper(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void mc_mul_school(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

#ifdef __cplusplus
}
#endif

#endif
