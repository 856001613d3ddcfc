/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 for tests; with a context whose first word is not 0 it says that it failed.
 */
#include "montcore_rsa.h"

int test_sha256(void *context, uint8_t *digest, const mc_bytes *pieces, size_t count);

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t START[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

struct sum {
    uint32_t h[8], block[16];
    uint32_t bytes;
};

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void put(struct sum *s, uint8_t byte)
{
    uint32_t at = s->bytes++ % 64, w[64], v[8];
    s->block[at / 4] = s->block[at / 4] << 8 | byte;
    if (at < 63) {
        return;
    }
    for (int i = 0; i < 64; ++i) {
        uint32_t a = i < 16 ? 0 : w[i - 15], b = i < 16 ? 0 : w[i - 2];
        w[i] = i < 16 ? s->block[i]
                      : w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
                            (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; ++i) {
        v[i] = s->h[i];
    }
    for (int i = 0; i < 64; ++i) {
        uint32_t e = v[4], a = v[0];
        uint32_t one = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                       ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
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

int test_sha256(void *context, uint8_t *digest, const mc_bytes *pieces, size_t count)
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
    uint32_t bits = 8 * s.bytes;
    put(&s, 0x80);
    while (s.bytes % 64 != 56) {
        put(&s, 0);
    }
    for (int i = 56; i >= 0; i -= 8) {
        put(&s, (uint8_t)(i < 32 ? bits >> i : 0));
    }
    for (int i = 0; i < 32; ++i) {
        digest[i] = (uint8_t)(s.h[i / 4] >> (24 - 8 * (i % 4)));
    }
    return 0;
}
