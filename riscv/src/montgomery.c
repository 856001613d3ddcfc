/* SPDX-License-Identifier: Apache-2.0
 *
 * The checked routines, Montgomery's method and exponentiation on top of the assembly.
 */
#include "montcore_riscv.h"

/* Lengths, addresses and moduli are public, so that branches on them are allowed. Values of operands and
 * exponents are not: they only meet arithmetic. */

static int bad_length(size_t n)
{
    return n == 0 || n > MC_MAX_LIMBS;
}

static int overlap(const uint32_t *a, size_t a_words, const uint32_t *b, size_t b_words)
{
    uintptr_t first_a = (uintptr_t)a, first_b = (uintptr_t)b;
    return first_a < first_b + 4 * b_words && first_b < first_a + 4 * a_words;
}

/* Overlap in part: one and the same place is fine. */
static int partly(const uint32_t *a, const uint32_t *b, size_t words)
{
    return a != b && overlap(a, words, b, words);
}

/* 1 if a < b, without a branch on either. */
static uint32_t below(const uint32_t *a, const uint32_t *b, size_t words)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < words; ++i) {
        uint32_t part = a[i] - borrow;
        borrow = (uint32_t)(a[i] < borrow) | (uint32_t)(part < b[i]);
    }
    return borrow;
}

static int bad_modulus(const uint32_t *m, size_t words)
{
    uint32_t rest = m[0] & ~(uint32_t)1;
    for (size_t i = 1; i < words; ++i) {
        rest |= m[i];
    }
    return (m[0] & 1) == 0 || rest == 0;
}

int mc_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
{
    if (bad_length(n)) {
        return MC_BAD_LENGTH;
    }
    if (overlap(r, 4 * n, a, 2 * n) || overlap(r, 4 * n, b, 2 * n)) {
        return MC_OVERLAP;
    }
    mc_mul_raw(r, a, b, n);
    return MC_OK;
}

int mc_sqr(uint32_t *r, const uint32_t *a, size_t n)
{
    if (bad_length(n)) {
        return MC_BAD_LENGTH;
    }
    if (overlap(r, 4 * n, a, 2 * n)) {
        return MC_OVERLAP;
    }
    mc_sqr_raw(r, a, n);
    return MC_OK;
}

static int check_mod(const uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m,
                     size_t n)
{
    if (bad_length(n)) {
        return MC_BAD_LENGTH;
    }
    if (partly(r, a, 2 * n) || partly(r, b, 2 * n) || overlap(r, 2 * n, m, 2 * n)) {
        return MC_OVERLAP;
    }
    if (!(below(a, m, 2 * n) & below(b, m, 2 * n))) {
        return MC_OUT_OF_RANGE;
    }
    return MC_OK;
}

int mc_mod_add(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
{
    int status = check_mod(r, a, b, m, n);
    if (status == MC_OK) {
        mc_mod_add_raw(r, a, b, m, n);
    }
    return status;
}

int mc_mod_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m, size_t n)
{
    int status = check_mod(r, a, b, m, n);
    if (status == MC_OK) {
        mc_mod_sub_raw(r, a, b, m, n);
    }
    return status;
}

int mc_modulus_init(mc_modulus *mod, const uint32_t *m, size_t n, uint32_t *rr, uint32_t *work)
{
    if (bad_length(n)) {
        return MC_BAD_LENGTH;
    }
    if (overlap(rr, 2 * n, m, 2 * n) || overlap(work, 4 * n, m, 2 * n) ||
        overlap(rr, 2 * n, work, 4 * n)) {
        return MC_OVERLAP;
    }
    if (bad_modulus(m, 2 * n)) {
        return MC_BAD_MODULUS;
    }
    mod->m = m;
    mod->rr = rr;
    mod->work = work;
    mod->n = n;
    /* Newton: each step doubles the bits of the inverse that are right; m is its own inverse mod 8. */
    uint64_t low = ((uint64_t)m[1] << 32) | m[0], inverse = low;
    for (int bits = 3; bits < 64; bits *= 2) {
        inverse *= 2 - low * inverse;
    }
    inverse = 0 - inverse;
    mod->n0[0] = (uint32_t)inverse;
    mod->n0[1] = (uint32_t)(inverse >> 32);

    /* R, then 2^odd * R by doubling, where 64n = odd * 2^s; s squarings lead to 2^(64n) * R. */
    size_t odd = n, squarings = 6;
    while ((odd & 1) == 0) {
        odd >>= 1;
        ++squarings;
    }
    rr[0] = 1;
    for (size_t i = 1; i < 2 * n; ++i) {
        rr[i] = 0;
    }
    for (size_t i = 0; i < 64 * n + odd; ++i) {
        mc_mod_add_raw(rr, rr, rr, m, n);
    }
    for (size_t i = 0; i < squarings; ++i) {
        mc_montsqr_raw(rr, rr, mod);
    }
    mc_wipe(work, 16 * n);
    return MC_OK;
}

void mc_montmul_raw(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod)
{
    mc_mul_raw(mod->work, a, b, mod->n);
    mc_redc_raw(r, mod->work, mod->m, mod->n, mod->n0);
}

void mc_montsqr_raw(uint32_t *r, const uint32_t *a, const mc_modulus *mod)
{
    mc_sqr_raw(mod->work, a, mod->n);
    mc_redc_raw(r, mod->work, mod->m, mod->n, mod->n0);
}

/* Whether an output, or an input, touches the modulus or the memory that goes with it. */
static int touches(const uint32_t *p, size_t words, const mc_modulus *mod, int is_output)
{
    size_t n = mod->n;
    return overlap(p, words, mod->work, 4 * n) ||
           (is_output && (overlap(p, words, mod->m, 2 * n) || overlap(p, words, mod->rr, 2 * n)));
}

int mc_montmul(uint32_t *r, const uint32_t *a, const uint32_t *b, const mc_modulus *mod)
{
    size_t words = 2 * mod->n;
    if (partly(r, a, words) || partly(r, b, words) || touches(r, words, mod, 1) ||
        touches(a, words, mod, 0) || touches(b, words, mod, 0)) {
        return MC_OVERLAP;
    }
    if (!(below(a, mod->m, words) & below(b, mod->m, words))) {
        return MC_OUT_OF_RANGE;
    }
    mc_montmul_raw(r, a, b, mod);
    mc_wipe(mod->work, 16 * mod->n);
    return MC_OK;
}

int mc_montsqr(uint32_t *r, const uint32_t *a, const mc_modulus *mod)
{
    size_t words = 2 * mod->n;
    if (partly(r, a, words) || touches(r, words, mod, 1) || touches(a, words, mod, 0)) {
        return MC_OVERLAP;
    }
    if (!below(a, mod->m, words)) {
        return MC_OUT_OF_RANGE;
    }
    mc_montsqr_raw(r, a, mod);
    mc_wipe(mod->work, 16 * mod->n);
    return MC_OK;
}

/* to = entry `index` of the table; every word of every entry is read. */
static void look_up(uint32_t *to, const uint32_t *table, uint32_t index, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        to[i] = 0;
    }
    for (uint32_t entry = 0; entry < (1u << MC_WINDOW_BITS); ++entry) {
        uint32_t other = entry ^ index; /* 0 for the entry that is meant */
        uint32_t mask = (uint32_t)((int32_t)(other - 1) >> 31);
        for (size_t i = 0; i < words; ++i) {
            to[i] |= table[i] & mask;
        }
        table += words;
    }
}

void mc_modexp_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                   const mc_modulus *mod, uint32_t *table)
{
    size_t size = 2 * mod->n;
    uint32_t *entry = table + (size << MC_WINDOW_BITS); /* what was looked up */

    /* The powers 0 .. 2^w - 1 of a in Montgomery form; 1 is R mod m = R^2 * 1 / R. */
    for (size_t i = 0; i < size; ++i) {
        entry[i] = i == 0;
    }
    mc_montmul_raw(table, mod->rr, entry, mod);
    mc_montmul_raw(table + size, mod->rr, a, mod);
    for (uint32_t i = 2; i < (1u << MC_WINDOW_BITS); ++i) {
        mc_montmul_raw(table + i * size, table + (i - 1) * size, table + size, mod);
    }
    for (size_t i = 0; i < size; ++i) {
        r[i] = table[i];
    }
    for (size_t word = words; word-- > 0;) {
        for (unsigned at = 32; at > 0;) {
            at -= MC_WINDOW_BITS;
            for (unsigned i = 0; i < MC_WINDOW_BITS; ++i) {
                mc_montsqr_raw(r, r, mod);
            }
            look_up(entry, table, e[word] >> at & ((1u << MC_WINDOW_BITS) - 1), size);
            mc_montmul_raw(r, r, entry, mod);
        }
    }
    for (size_t i = 0; i < size; ++i) {
        entry[i] = i == 0;
    }
    mc_montmul_raw(r, r, entry, mod);
}

/* Bytes of stack below mc_modexp that mc_modexp_raw may use: 144 with GCC 12, and room for others. */
#define MODEXP_STACK 256u

int mc_modexp(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
              const mc_modulus *mod, uint32_t *table)
{
    size_t size = 2 * mod->n, table_words = MC_MODEXP_WORDS(mod->n);
    if (words == 0 || words > 2 * MC_MAX_LIMBS) {
        return MC_BAD_LENGTH;
    }
    if (partly(r, a, size) || overlap(r, size, e, words) || touches(r, size, mod, 1) ||
        touches(a, size, mod, 0) || touches(e, words, mod, 0) ||
        touches(table, table_words, mod, 1) ||
        overlap(table, table_words, a, size) || overlap(table, table_words, e, words) ||
        overlap(table, table_words, r, size)) {
        return MC_OVERLAP;
    }
    if (!below(a, mod->m, size)) {
        return MC_OUT_OF_RANGE;
    }
    mc_modexp_raw(r, a, e, words, mod, table);
    mc_wipe(table, 4 * table_words);
    mc_wipe(mod->work, 16 * mod->n);
    mc_wipe_stack(MODEXP_STACK); /* where the compiler may have put a window of the exponent */
    return MC_OK;
}
