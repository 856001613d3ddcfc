/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers from bytes, the public key, and the public operation.
 */
#include "rsa.h"

_Static_assert(sizeof(mc_rsa_state) <= 4 * 46, "the state, and two words of x, are 48 words");

uint32_t mc_rsa_load(uint32_t *to, size_t words, const uint8_t *from, size_t bytes)
{
    uint32_t left = 0;
    for (size_t i = 0; i < words; ++i) {
        to[i] = 0;
    }
    for (size_t i = 0; i < bytes; ++i) {
        uint32_t byte = from[bytes - 1 - i];
        if (i >> 2 < words) {
            to[i >> 2] |= byte << 8 * (i & 3);
        } else {
            left |= byte;
        }
    }
    return left;
}

void mc_rsa_store(uint8_t *to, size_t bytes, const uint32_t *from)
{
    for (size_t i = 0; i < bytes; ++i) {
        to[bytes - 1 - i] = (uint8_t)(from[i >> 2] >> 8 * (i & 3));
    }
}

/* Without leading zeros, for what is public. */
static mc_bytes stripped(mc_bytes number)
{
    while (number.bytes > 0 && *number.data == 0) {
        ++number.data;
        --number.bytes;
    }
    return number;
}

size_t mc_rsa_size(const mc_rsa_key *key)
{
    return stripped(key->n).bytes;
}

/* Bits of a number without leading zeros. */
static size_t bits_of(mc_bytes number)
{
    size_t bits = 8 * number.bytes;
    for (uint32_t first = bits > 0 ? *number.data : 0x80; first < 0x80; first <<= 1) {
        --bits;
    }
    return bits;
}

size_t mc_rsa_bits(const mc_rsa_key *key)
{
    return bits_of(stripped(key->n));
}

static size_t work_words(size_t bits, int is_private)
{
    return is_private ? MC_RSA_PRIVATE_WORDS(bits) : MC_RSA_PUBLIC_WORDS(bits);
}

int mc_rsa_begin(mc_rsa_state **state, const mc_rsa_key *key, const mc_rsa_work *work,
                 int is_private)
{
    mc_bytes n = stripped(key->n), e = stripped(key->e);
    if (n.bytes < MC_RSA_LEAST_BITS / 8 || n.bytes > MC_RSA_MOST_BITS / 8 ||
        bits_of(n) < MC_RSA_LEAST_BITS) {
        return MC_BAD_LENGTH;
    }
    size_t bits = bits_of(n);
    if (work->count < work_words(bits, is_private)) {
        return MC_BAD_WORK;
    }
    if ((n.data[n.bytes - 1] & 1) == 0) {
        return MC_BAD_MODULUS;
    }
    if (e.bytes == 0 || e.bytes > 4 * MC_RSA_E_WORDS || (e.data[e.bytes - 1] & 1) == 0 ||
        bits_of(e) < 2) {
        return MC_BAD_KEY;
    }
    mc_rsa_state *s = (mc_rsa_state *)(void *)work->words;
    size_t limbs = MC_RSA_LIMBS(bits), words = 2 * limbs;
    uint32_t *m = work->words + 46, *rr = m + words;
    s->x = rr + words;
    s->c = s->x + words + 2;
    s->inverse = s->c + words;
    s->rest = s->inverse + (is_private ? words : 0);
    s->all = work_words(bits, is_private);
    s->bits = bits;
    s->bytes = n.bytes;
    s->words = words;
    s->e_words = (e.bytes + 3) / 4;
    mc_rsa_load(s->e, s->e_words, e.data, e.bytes);
    mc_rsa_load(m, words, n.data, n.bytes);
    mc_rsa_set_up(&s->n, m, limbs, bits, rr, s->rest, s->rest);
    *state = s;
    return MC_OK;
}

void mc_rsa_end(mc_rsa_state *state)
{
    if (state != NULL) {
        mc_wipe(state, 4 * state->all);
        mc_wipe_stack(MC_RSA_STACK);
    }
}

int mc_rsa_input(mc_rsa_state *s, uint32_t *to, const uint8_t *from, size_t bytes)
{
    if (bytes != s->bytes) {
        return MC_BAD_LENGTH;
    }
    mc_rsa_load(to, s->words, from, bytes);
    uint32_t borrow = 0;
    for (size_t i = 0; i < s->words; ++i) {
        uint32_t part = to[i] - borrow;
        borrow = (uint32_t)(to[i] < borrow) | (uint32_t)(part < s->n.m[i]);
    }
    return borrow ? MC_OK : MC_OUT_OF_RANGE;
}

void mc_rsa_raise(mc_rsa_state *s, uint32_t *r, const uint32_t *a)
{
    mc_modexp_public_raw(r, a, s->e, s->e_words, &s->n, s->rest + 2 * s->words);
}

int mc_rsa_public(uint8_t *result, const uint8_t *s, size_t bytes, const mc_rsa_key *key,
                  const mc_rsa_work *work)
{
    mc_rsa_state *state = NULL;
    int status = mc_rsa_begin(&state, key, work, 0);
    if (status == MC_OK) {
        status = mc_rsa_input(state, state->x, s, bytes);
    }
    mc_rsa_zero(result, mc_rsa_size(key));
    if (status == MC_OK) {
        mc_rsa_raise(state, state->x, state->x);
        mc_rsa_store(result, state->bytes, state->x);
    }
    mc_rsa_end(state);
    return status;
}
