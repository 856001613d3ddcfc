/* SPDX-License-Identifier: Apache-2.0
 *
 * The private operation: result = c^d mod n by the Chinese remainder theorem, blinded and checked.
 *
 * Blinding: w is random, odd, of 128 bits. Only c' = c w^e mod n is reduced modulo p and q and raised to
 * dp and dq, and c^d = c'^d w^-1. There are 2^126 possible w, and without w nobody knows c'. A w as long as n
 * would need an inverse modulo n. For a short w an inverse modulo w is enough: with t = -n^-1 mod w the
 * number 1 + n t is a multiple of w, and (1 + n t) / w is w^-1 mod n. t exists unless w has a prime factor
 * in common with n; the check would find that.
 *
 * Check: result^e mod n must be c, else the result is masked to zero. It also covers p, q, dp, dq and
 * qinv, of which nothing is checked in a branch: a wrong key takes the time of a right one.
 */
#include "../curves/curve.h"
#include "rsa.h"

enum {
    WINDOW = 5,                /* bits of a window of an exponent */
    AT_ONCE = 8,               /* words of an entry that are summed up in registers */
    SHORT = MC_RSA_BLIND_WORDS /* words of w */
};

/* All bits if a is 0, else none. */
static uint32_t zero_mask(uint32_t a)
{
    return 0u - (uint32_t)(a == 0);
}

/* ---- powers ------------------------------------------------------------------------------------ */

/* to = entry `index` of the table; every word of every entry is read. Eight words at a time take a
 * fifth less than four, as in mc_modexp. */
__attribute__((noinline)) static void look_up(uint32_t *to, const uint32_t *table,
                                              uint32_t index, size_t words)
{
    size_t i = 0;
    for (; i + AT_ONCE <= words; i += AT_ONCE) {
        const uint32_t *at = table + i, *end = at + (words << WINDOW);
        uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        for (uint32_t other = index; at != end; at += words, --other) {
            uint32_t mask = zero_mask(other);
            s0 |= at[0] & mask;
            s1 |= at[1] & mask;
            s2 |= at[2] & mask;
            s3 |= at[3] & mask;
            s4 |= at[4] & mask;
            s5 |= at[5] & mask;
            s6 |= at[6] & mask;
            s7 |= at[7] & mask;
        }
        to[i] = s0;
        to[i + 1] = s1;
        to[i + 2] = s2;
        to[i + 3] = s3;
        to[i + 4] = s4;
        to[i + 5] = s5;
        to[i + 6] = s6;
        to[i + 7] = s7;
    }
    for (; i < words; ++i) {
        to[i] = 0;
        for (uint32_t entry = 0; entry < (uint32_t)1 << WINDOW; ++entry) {
            to[i] |= table[entry * words + i] & zero_mask(entry ^ index);
        }
    }
}

/* The window of the exponent from bit `at` on. */
static uint32_t window_at(const uint32_t *e, size_t words, size_t at)
{
    size_t word = at >> 5, shift = at & 31;
    uint32_t found = e[word] >> shift;
    if (shift + WINDOW > 32 && word + 1 < words) {
        found |= e[word + 1] << (32 - shift);
    }
    return found & (((uint32_t)1 << WINDOW) - 1);
}

/* r = a^e in Montgomery form, in which a is in the table's entry 1; one entry more is worked in. Not
 * inlined, so that it stays beside what it calls in a cache of 4 KB. */
__attribute__((noinline)) static void power(uint32_t *r, const uint32_t *e, size_t e_words,
                                            const mc_modulus *mod, uint32_t *table)
{
    size_t size = 2 * mod->n, at = 0; /* at: of the highest window */
    while (at + WINDOW < 32 * e_words) {
        at += WINDOW;
    }
    uint32_t *entry = table + (size << WINDOW);
    set_words(entry, 1, size);
    mc_montmul_raw(table, mod->rr, entry, mod);
    for (size_t i = 2; i < (size_t)1 << WINDOW; i += 2) {
        mc_montsqr_raw(table + i * size, table + i / 2 * size, mod);
        mc_montmul_raw(table + (i + 1) * size, table + i * size, table + size, mod);
    }
    look_up(r, table, window_at(e, e_words, at), size);
    while (at > 0) {
        at -= WINDOW;
        for (int i = 0; i < WINDOW; ++i) {
            mc_montsqr_raw(r, r, mod);
        }
        look_up(entry, table, window_at(e, e_words, at), size);
        mc_montmul_raw(r, r, entry, mod);
    }
}

/* ---- blinding ---------------------------------------------------------------------------------- */

/* inverse = w^-1 mod n, in s->rest. */
static void invert(mc_rsa_state *s)
{
    uint32_t *w = s->blind, *t = s->rest, *a = t + SHORT;
    uint32_t inverse = w[0];
    for (int right = 3; right < 32; right *= 2) {
        inverse *= 2 - w[0] * inverse;
    }
    struct mc_prime modulus = {.m = w, .n0 = {0 - inverse, 0}}; /* mc_invert takes any odd number */
    copy_words(a, s->n.m, s->words);
    set_words(a + s->words, 0, SHORT);
    mc_rsa_divide(NULL, a, s->words, w, SHORT);
    mc_invert(t, a, &modulus, SHORT);
    uint32_t borrow = 0;
    for (size_t i = 0; i < SHORT; ++i) {
        uint32_t part = w[i] - t[i], under = w[i] < t[i];
        t[i] = part - borrow;
        borrow = under | (uint32_t)(part < borrow);
    }
    set_words(a, 1, s->words + SHORT);
    for (size_t i = 0; i < SHORT; ++i) {
        uint32_t carry = 0;
        for (size_t j = 0; j < s->words; ++j) {
            uint64_t sum = (uint64_t)t[i] * s->n.m[j] + a[i + j] + carry;
            a[i + j] = (uint32_t)sum;
            carry = (uint32_t)(sum >> 32);
        }
        a[i + s->words] = carry;
    }
    mc_rsa_divide(s->inverse, a, s->words, w, SHORT);
}

static uint32_t bit_of(const uint32_t *e, size_t bit)
{
    return e[bit >> 5] >> (bit & 31) & 1;
}

/* x = w^e in Montgomery form. Where e begins with a one and zeros, the first squarings are short: for 65537
 * and 2048 bits four of the sixteen. */
static void raise_short(mc_rsa_state *s)
{
    const mc_modulus *n = &s->n;
    size_t words = s->words, limbs = SHORT / 2, bit = 32 * s->e_words - 1;
    uint32_t *w = s->rest + 2 * words, *form = w + words, *from = form + words, *to = from + words;
    set_words(w, 0, words);
    copy_words(w, s->blind, SHORT);
    copy_words(from, w, words);
    while (bit_of(s->e, bit) == 0) {
        --bit;
    }
    for (; bit > 1 && bit_of(s->e, bit - 1) == 0 && 4 * limbs <= words; limbs *= 2, --bit) {
        mc_sqr_raw(to, from, limbs);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    set_words(from + 2 * limbs, 0, words - 2 * limbs);
    mc_montmul_raw(form, n->rr, w, n);
    mc_montmul_raw(s->x, n->rr, from, n);
    while (bit-- > 0) {
        mc_montsqr_raw(s->x, s->x, n);
        if (bit_of(s->e, bit)) {
            mc_montmul_raw(s->x, s->x, form, n);
        }
    }
}

/* x = c w^e mod n for a random w, of which the inverse is kept. */
static int blind(mc_rsa_state *s, mc_random random, void *context)
{
    if (random(context, (uint8_t *)s->blind, sizeof s->blind) != 0) {
        return MC_BAD_RANDOM;
    }
    s->blind[0] |= 1;
    s->blind[SHORT - 1] |= (uint32_t)1 << 31; /* the division needs the highest bit set */
    invert(s);
    raise_short(s);
    mc_montmul_raw(s->x, s->x, s->c, &s->n);
    return MC_OK;
}

/* x = x w^-1 mod n. */
static void unblind(mc_rsa_state *s)
{
    mc_montmul_raw(s->x, s->x, s->n.rr, &s->n);
    mc_montmul_raw(s->x, s->x, s->inverse, &s->n);
}

/* ---- the halves -------------------------------------------------------------------------------- */

/* Where a half works. */
typedef struct {
    size_t words, bits;
    uint32_t *m, *rr, *work, *number, *other, *sum, *table;
} half;

/* sum = x^d modulo a prime, in Montgomery form; what is wrong with the prime or d, as bits. */
static uint32_t half_power(mc_rsa_state *s, const half *at, mc_bytes prime, mc_bytes d)
{
    size_t words = at->words, last = at->bits - 1, e_words = (at->bits + 31) / 32;
    uint32_t *base = at->table + words;
    uint32_t bad = mc_rsa_load(at->m, words, prime.data, prime.bytes);
    bad |= at->m[last >> 5] >> (last & 31) ^ 1;
    for (size_t i = (last >> 5) + 1; i < words; ++i) {
        bad |= at->m[i];
    }
    bad |= mc_rsa_load(at->number, e_words, d.data, d.bytes);
    mc_rsa_set_up(&s->half, at->m, words / 2, at->bits, at->rr, at->work, at->table);
    set_words(at->work, 0, 2 * words);
    copy_words(at->work, s->x, s->words); /* below n, and so below p R */
    mc_redc_raw(base, at->work, at->m, words / 2, s->half.n0);
    mc_montmul_raw(base, base, at->rr, &s->half);
    mc_montmul_raw(base, base, at->rr, &s->half);
    power(at->sum, at->number, e_words, &s->half, at->table);
    return bad;
}

/* x = x^d mod n; what is wrong with the key, as bits. */
static uint32_t recombined(mc_rsa_state *s, const mc_rsa_private_key *key)
{
    half at = {.words = (s->words + 2) / 4 * 2, .bits = (s->bits + 1) / 2, .m = s->rest};
    size_t words = at.words, n = words / 2;
    at.rr = at.m + words;
    at.work = at.rr + words;
    at.number = at.work + 2 * words;
    at.other = at.number + words;
    at.sum = at.other + words;
    at.table = at.sum + words;

    uint32_t bad = half_power(s, &at, key->q, key->dq);
    set_words(at.table, 1, words);
    mc_montmul_raw(at.other, at.sum, at.table, &s->half);
    bad |= half_power(s, &at, key->p, key->dp);

    /* x = xq + q ((xp - xq) qinv mod p); xq may be above p. */
    mc_montmul_raw(at.table, at.other, at.rr, &s->half);
    mc_mod_sub_raw(at.sum, at.sum, at.table, at.m, n);
    bad |= mc_rsa_load(at.number, words, key->qinv.data, key->qinv.bytes);
    mc_montmul_raw(at.sum, at.sum, at.number, &s->half);
    bad |= mc_rsa_load(at.number, words, key->q.data, key->q.bytes);
    mc_mul_raw(s->x, at.sum, at.number, n);
    uint32_t carry = 0;
    for (size_t i = 0; i < 2 * words; ++i) {
        uint32_t part = i < words ? at.other[i] : 0, sum = s->x[i] + carry;
        carry = sum < carry;
        sum += part;
        carry |= (uint32_t)(sum < part);
        s->x[i] = sum;
    }
    return bad;
}

/* The operation; what its frame holds is below that of its caller, which clears it. */
__attribute__((noinline)) static int operate(mc_rsa_state *s, uint8_t *result,
                                             const mc_rsa_private_key *key, mc_random random,
                                             void *context)
{
    int status = blind(s, random, context);
    if (status != MC_OK) {
        return status;
    }
    uint32_t bad = recombined(s, key);
    unblind(s);
    uint32_t *check = s->rest + 4 * s->words;
    mc_rsa_raise(s, check, s->x);
    for (size_t i = 0; i < s->words; ++i) {
        bad |= check[i] ^ s->c[i];
    }
    uint32_t right = zero_mask(bad);
    for (size_t i = 0; i < s->words; ++i) {
        s->x[i] &= right;
    }
    mc_rsa_store(result, s->bytes, s->x);
    return (int)(MC_FAULT & ~right);
}

int mc_rsa_private(uint8_t *result, const uint8_t *c, size_t bytes, const mc_rsa_private_key *key,
                   mc_random random, void *context, const mc_rsa_work *work)
{
    mc_rsa_state *s = NULL;
    int status = mc_rsa_begin(&s, &key->key, work, 1);
    if (status == MC_OK) {
        status = mc_rsa_input(s, s->c, c, bytes);
    }
    mc_rsa_zero(result, mc_rsa_size(&key->key));
    if (status == MC_OK) {
        status = operate(s, result, key, random, context);
    }
    mc_rsa_end(s);
    return status;
}
