/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of RSA share.
 */
#ifndef MONTCORE_RSA_INTERNAL_H
#define MONTCORE_RSA_INTERNAL_H

#include "montcore_riscv.h"
#include "montcore_rsa.h"

enum {
    MC_RSA_E_WORDS = 8,     /* of the longest public exponent */
    MC_RSA_BLIND_WORDS = 4, /* of the random number that blinds */
    MC_RSA_STACK = 1024     /* bytes below a public routine that may hold secrets */
};

/* What is at the start of the work area; what the pointers show is behind it. */
typedef struct {
    mc_modulus n, half;        /* half: p or q */
    size_t all;                /* words that are cleared at the end */
    size_t bits, bytes, words; /* of n */
    uint32_t e[MC_RSA_E_WORDS];
    size_t e_words;
    uint32_t blind[MC_RSA_BLIND_WORDS];
    uint32_t *x;       /* words + 2: the number that is worked on */
    uint32_t *c;       /* words: the input of a private operation, or an encoded block */
    uint32_t *inverse; /* words, of a private operation: of what blinds */
    uint32_t *rest;    /* 4 * words, or for a private operation 40 times the words of p */
} mc_rsa_state;

/* division.c: a = a mod m for m of `words` words, the highest bit of which is set, and a of `digits` words
 * more, the upper `words` of which are below m. quotient has `digits` words, or is NULL. The time depends
 * on the lengths alone. */
void mc_rsa_divide(uint32_t *quotient, uint32_t *a, size_t digits, const uint32_t *m, size_t words);

/* Prepare a modulus of n limbs that has so many bits, more than 64 n - 64, in a time that depends on both
 * alone. scratch has 6 n + 2 words. It takes a fifth of mc_modulus_init's cycles at 2048 bits. */
void mc_rsa_set_up(mc_modulus *mod, const uint32_t *m, size_t n, size_t bits, uint32_t *rr,
                   uint32_t *work, uint32_t *scratch);

/* state.c: read a public key and prepare its modulus; the state is at the start of the work area, which an
 * error leaves as it was. */
int mc_rsa_begin(mc_rsa_state **state, const mc_rsa_key *key, const mc_rsa_work *work,
                 int is_private);

/* Clear what the operation worked in, if it began. */
void mc_rsa_end(mc_rsa_state *state);

/* Bits of n. */
size_t mc_rsa_bits(const mc_rsa_key *key);

/* Numbers from bytes and back. The first gives the bits that do not fit into the words, or'ed. */
uint32_t mc_rsa_load(uint32_t *to, size_t words, const uint8_t *from, size_t bytes);
void mc_rsa_store(uint8_t *to, size_t bytes, const uint32_t *from);

/* to = an input that has as many bytes as n, and is below it. */
int mc_rsa_input(mc_rsa_state *state, uint32_t *to, const uint8_t *from, size_t bytes);

/* r = a^e mod n; r may be a. It works in the first 4 * words of state->rest. */
void mc_rsa_raise(mc_rsa_state *state, uint32_t *r, const uint32_t *a);

static inline void mc_rsa_zero(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        bytes[i] = 0;
    }
}

#endif
