/* SPDX-License-Identifier: Apache-2.0
 *
 * Division in constant time, and with it what Montgomery's method needs of a modulus.
 *
 * A digit of the quotient comes from the three highest words of what is left and the two highest of the
 * divisor: it is right or too large by one (Moller and Granlund, "Improved division by invariant
 * integers", 2011). Words are compared by borrows: a comparison of 64 bits would become a branch.
 */
#include "rsa.h"

/* floor((u2, u1, u0) / (d1, d0)), at most 2^32 - 1, for (u2, u1) not above (d1, d0), bit by bit: the time
 * of a division instruction depends on its operands. */
static uint32_t digit(uint32_t u2, uint32_t u1, uint32_t u0, uint32_t d1, uint32_t d0)
{
    uint32_t equal = 0u - (uint32_t)(((u2 ^ d1) | (u1 ^ d0)) == 0);
    for (int i = 0; i < 32; ++i) {
        uint32_t top = u2 >> 31;
        u2 = u2 << 1 | u1 >> 31;
        u1 = u1 << 1 | u0 >> 31;
        u0 <<= 1;
        uint32_t low = u1 - d0, borrow = u1 < d0;
        uint32_t part = u2 - d1, high = part - borrow;
        uint32_t enough = top | (1u ^ ((uint32_t)(u2 < d1) | (uint32_t)(part < borrow)));
        uint32_t mask = 0u - enough;
        u1 ^= (u1 ^ low) & mask;
        u2 ^= (u2 ^ high) & mask;
        u0 |= enough;
    }
    return u0 | equal;
}

/* The same where `inverse` is digit(~d1, ~d0, ~0, d1, d0), in a tenth of the time (their algorithm 4). */
static uint32_t digit_by(uint32_t inverse, uint32_t u2, uint32_t u1, uint32_t u0, uint32_t d1,
                         uint32_t d0)
{
    uint32_t equal = 0u - (uint32_t)(((u2 ^ d1) | (u1 ^ d0)) == 0);
    uint64_t d = (uint64_t)d1 << 32 | d0;
    uint64_t guess = (uint64_t)inverse * u2 + ((uint64_t)u2 << 32 | u1);
    uint32_t q = (uint32_t)(guess >> 32);
    uint64_t left = ((uint64_t)(u1 - q * d1) << 32 | u0) - (uint64_t)d0 * q - d;
    uint32_t mask = (uint32_t)((uint32_t)(left >> 32) < (uint32_t)guess) - 1; /* too large */
    left += (uint64_t)(d1 & mask) << 32 | (d0 & mask);
    q += 1 + mask;
    uint32_t high = (uint32_t)(left >> 32), part = high - d1;
    uint32_t less = (uint32_t)(high < d1) | (uint32_t)(part < (uint32_t)((uint32_t)left < d0));
    return (q + (1 ^ less)) | equal;
}

void mc_rsa_divide(uint32_t *quotient, uint32_t *a, size_t digits, const uint32_t *m, size_t words)
{
    uint32_t d1 = m[words - 1], d0 = m[words - 2], inverse = digit(~d1, ~d0, ~(uint32_t)0, d1, d0);
    while (digits-- > 0) {
        uint32_t *at = a + digits, *top = at + words;
        uint32_t q = digit_by(inverse, top[0], top[-1], top[-2], d1, d0);
        uint32_t carry = 0;
        for (size_t i = 0; i < words; ++i) {
            uint64_t product = (uint64_t)q * m[i] + carry;
            uint32_t low = (uint32_t)product, before = at[i];
            at[i] = before - low;
            carry = (uint32_t)(product >> 32) + (uint32_t)(before < low);
        }
        uint32_t mask = 0u - (uint32_t)(*top < carry); /* too large: once back */
        carry = 0;
        for (size_t i = 0; i < words; ++i) {
            uint32_t sum = at[i] + carry, over = sum < carry, back = m[i] & mask;
            sum += back;
            carry = over | (uint32_t)(sum < back);
            at[i] = sum;
        }
        *top = 0;
        if (quotient != NULL) {
            quotient[digits] = q + mask;
        }
    }
}

void mc_rsa_set_up(mc_modulus *mod, const uint32_t *m, size_t n, size_t bits, uint32_t *rr,
                   uint32_t *work, uint32_t *scratch)
{
    size_t words = 2 * n, shift = 64 * n - bits, whole = shift >> 5, part = shift & 31;
    mc_modulus_set(mod, m, n, rr, work);

    /* 2^shift R^2 modulo 2^shift m, from 2^(64 n - 32 + part), which is below. */
    uint32_t *high = scratch, *left = scratch + words;
    size_t digits = words + whole + 1;
    for (size_t i = 0; i < words; ++i) {
        high[i] = i < whole ? 0 : m[i - whole];
    }
    for (size_t i = words; part > 0 && i-- > 0;) {
        high[i] = high[i] << part | (i > 0 ? high[i - 1] >> (32 - part) : 0);
    }
    for (size_t i = 0; i < words + digits; ++i) {
        left[i] = 0;
    }
    left[words + digits - 1] = (uint32_t)1 << part;
    mc_rsa_divide(NULL, left, digits, high, words);
    for (size_t i = 0; i < words; ++i) {
        size_t from = i + whole;
        uint32_t value = from < words ? left[from] : 0;
        uint32_t above = from + 1 < words ? left[from + 1] : 0;
        rr[i] = part > 0 ? value >> part | above << (32 - part) : value;
    }
}
