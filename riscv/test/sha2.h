/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash functions of FIPS 180-4 for tests, from the constants and macros of the file that includes this.
 * With a context whose first word is not 0 they say that they failed.
 */
#include "montcore_operations.h"

int TEST_SHA(void *context, uint8_t *digest, const mc_bytes *pieces, size_t count);

enum { WORD = sizeof(word), BLOCK = 16 * WORD };

struct sum {
    word h[8], block[16];
    uint32_t bytes;
};

static word turn(word x, unsigned by)
{
    return x >> by | x << (8 * WORD - by);
}

static void put(struct sum *s, uint8_t byte)
{
    uint32_t at = s->bytes++ % BLOCK;
    word w[ROUNDS], v[8];
    s->block[at / WORD] = s->block[at / WORD] << 8 | byte;
    if (at < BLOCK - 1) {
        return;
    }
    for (int i = 0; i < ROUNDS; ++i) {
        w[i] = i < 16 ? s->block[i]
                      : w[i - 16] + SCHEDULE_15(w[i - 15]) + w[i - 7] + SCHEDULE_2(w[i - 2]);
    }
    for (int i = 0; i < 8; ++i) {
        v[i] = s->h[i];
    }
    for (int i = 0; i < ROUNDS; ++i) {
        word e = v[4], a = v[0];
        word one = v[7] + SUM_E(e) + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
        word two = SUM_A(a) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; --j) {
            v[j] = v[j - 1];
        }
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; ++i) {
        s->h[i] += v[i];
    }
}

int TEST_SHA(void *context, uint8_t *digest, const mc_bytes *pieces, size_t count)
{
    if (context != NULL && *(uint32_t *)context != 0) {
        return -1;
    }
    struct sum s;
    s.bytes = 0;
    for (int i = 0; i < 8; ++i) {
        s.h[i] = START[i];
        s.block[i] = s.block[8 + i] = 0;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < pieces[i].bytes; ++j) {
            put(&s, pieces[i].data[j]);
        }
    }
    uint64_t bits = 8 * (uint64_t)s.bytes;
    put(&s, 0x80);
    while (s.bytes % BLOCK != BLOCK - 2 * WORD) {
        put(&s, 0);
    }
    for (int i = 16 * WORD - 8; i >= 0; i -= 8) {
        put(&s, (uint8_t)(i < 64 ? bits >> i : 0));
    }
    for (int i = 0; i < 8 * WORD; ++i) {
        digest[i] = (uint8_t)(s.h[i / WORD] >> (8 * WORD - 8 - 8 * (i % WORD)));
    }
    return 0;
}
