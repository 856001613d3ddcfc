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

void mc_modulus_set(mc_modulus *mod, const uint32_t *m, size_t n, uint32_t *rr, uint32_t *work)
{
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
    mc_modulus_set(mod, m, n, rr, work);

    /* From the modulus's highest bit to 2^odd * R by doubling, where 64n = odd * 2^s; s squarings lead to
     * 2^(64n) * R. */
    size_t odd = n, squarings = 6;
    while ((odd & 1) == 0) {
        odd >>= 1;
        ++squarings;
    }
    size_t bit = 64 * n - 1; /* the modulus's highest: its length is public */
    while ((m[bit >> 5] >> (bit & 31) & 1) == 0) {
        --bit;
    }
    for (size_t i = 0; i < 2 * n; ++i) {
        rr[i] = 0;
    }
    rr[bit >> 5] = (uint32_t)1 << (bit & 31); /* below m, which is odd and not 1 */
    for (size_t i = bit; i < 64 * n + odd; ++i) {
        mc_mod_add_raw(rr, rr, rr, m, n);
    }
    for (size_t i = 0; i < squarings; ++i) {
        mc_montsqr_raw(rr, rr, mod);
    }
    mc_wipe(work, 16 * n);
    return MC_OK;
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

/* All bits if the entry is the one that is meant, else none. */
static uint32_t entry_mask(uint32_t entry, uint32_t index)
{
    return (uint32_t)((int32_t)((entry ^ index) - 1) >> 31);
}

/* to = entry `index` of the table; every word of every entry is read, four of each at a time. */
static void look_up(uint32_t *to, const uint32_t *table, uint32_t index, size_t words,
                    unsigned window)
{
    uint32_t entries = (uint32_t)1 << window;
    size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        const uint32_t *at = table + i;
        uint32_t sum[4] = {0, 0, 0, 0};
        for (uint32_t entry = 0; entry < entries; ++entry, at += words) {
            uint32_t mask = entry_mask(entry, index);
            sum[0] |= at[0] & mask;
            sum[1] |= at[1] & mask;
            sum[2] |= at[2] & mask;
            sum[3] |= at[3] & mask;
        }
        to[i] = sum[0];
        to[i + 1] = sum[1];
        to[i + 2] = sum[2];
        to[i + 3] = sum[3];
    }
    for (; i < words; ++i) {
        to[i] = 0;
        for (uint32_t entry = 0; entry < entries; ++entry) {
            to[i] |= table[entry * words + i] & entry_mask(entry, index);
        }
    }
}

/* `count` bits of the exponent from bit `at` on. */
static uint32_t bits_at(const uint32_t *e, size_t words, size_t at, unsigned count)
{
    size_t word = at >> 5, shift = at & 31;
    uint32_t found = e[word] >> shift;
    if (shift + count > 32 && word + 1 < words) {
        found |= e[word + 1] << (32 - shift);
    }
    return found & (((uint32_t)1 << count) - 1);
}

static void set_one(uint32_t *to, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        to[i] = i == 0;
    }
}

void mc_modexp_window_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                          const mc_modulus *mod, uint32_t *table, unsigned window)
{
    size_t size = 2 * mod->n;
    uint32_t *entry = table + (size << window); /* what was looked up */

    /* The powers 0 .. 2^w - 1 of a in Montgomery form; 1 is R mod m = R^2 * 1 / R. */
    set_one(entry, size);
    mc_montmul_raw(table, mod->rr, entry, mod);
    mc_montmul_raw(table + size, mod->rr, a, mod);
    for (size_t i = 2; i < ((size_t)1 << window); i += 2) {
        mc_montsqr_raw(table + i * size, table + i / 2 * size, mod);
        mc_montmul_raw(table + (i + 1) * size, table + i * size, table + size, mod);
    }
    size_t at = 0; /* of the highest window */
    while (at + window < 32 * words) {
        at += window;
    }
    look_up(r, table, bits_at(e, words, at, window), size, window);
    while (at > 0) {
        at -= window;
        for (unsigned i = 0; i < window; ++i) {
            mc_montsqr_raw(r, r, mod);
        }
        look_up(entry, table, bits_at(e, words, at, window), size, window);
        mc_montmul_raw(r, r, entry, mod);
    }
    set_one(entry, size);
    mc_montmul_raw(r, r, entry, mod);
}

void mc_modexp_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                   const mc_modulus *mod, uint32_t *table)
{
    mc_modexp_window_raw(r, a, e, words, mod, table, MC_WINDOW_BITS);
}

void mc_modexp_public_raw(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                          const mc_modulus *mod, uint32_t *table)
{
    size_t size = 2 * mod->n, bit = 32 * words;
    uint32_t *base = table, *power = table + size; /* in Montgomery form */
    do {
        if (bit-- == 0) {
            set_one(r, size); /* a^0 */
            return;
        }
    } while (bits_at(e, words, bit, 1) == 0);
    mc_montmul_raw(base, mod->rr, a, mod);
    const uint32_t *last = base;
    while (bit-- > 0) {
        mc_montsqr_raw(power, last, mod);
        last = power;
        if (bits_at(e, words, bit, 1)) {
            if (bit == 0) { /* a product with a itself also leaves Montgomery's form */
                mc_montmul_raw(r, power, a, mod);
                return;
            }
            mc_montmul_raw(power, power, base, mod);
        }
    }
    uint32_t *one = last == base ? power : base;
    set_one(one, size);
    mc_montmul_raw(r, last, one, mod);
}

static int check_power(const uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                       const mc_modulus *mod, const uint32_t *table, size_t table_words)
{
    size_t size = 2 * mod->n;
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
    return below(a, mod->m, size) ? MC_OK : MC_OUT_OF_RANGE;
}

/* Bytes of stack below a checked power that its _raw form may use: 192 with GCC 12, and room for
 * others. */
#define MODEXP_STACK 320u

/* Clear what a power worked in; the compiler may have put a window of the exponent on the stack. */
static void wipe_power(const mc_modulus *mod, uint32_t *table, size_t table_words)
{
    mc_wipe(table, 4 * table_words);
    mc_wipe(mod->work, 16 * mod->n);
    mc_wipe_stack(MODEXP_STACK);
}

int mc_modexp_window(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                     const mc_modulus *mod, uint32_t *table, unsigned window)
{
    if (window == 0 || window > MC_MAX_WINDOW_BITS) {
        return MC_BAD_LENGTH;
    }
    size_t table_words = MC_MODEXP_WINDOW_WORDS(mod->n, window);
    int status = check_power(r, a, e, words, mod, table, table_words);
    if (status == MC_OK) {
        mc_modexp_window_raw(r, a, e, words, mod, table, window);
        wipe_power(mod, table, table_words);
    }
    return status;
}

int mc_modexp(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
              const mc_modulus *mod, uint32_t *table)
{
    return mc_modexp_window(r, a, e, words, mod, table, MC_WINDOW_BITS);
}

int mc_modexp_public(uint32_t *r, const uint32_t *a, const uint32_t *e, size_t words,
                     const mc_modulus *mod, uint32_t *table)
{
    size_t table_words = MC_PUBLIC_WORDS(mod->n);
    int status = check_power(r, a, e, words, mod, table, table_words);
    if (status == MC_OK) {
        mc_modexp_public_raw(r, a, e, words, mod, table);
        wipe_power(mod, table, table_words);
    }
    return status;
}
