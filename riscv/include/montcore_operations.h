/* SPDX-License-Identifier: Apache-2.0
 *
 * What the whole operations, on curves and of RSA, have in common.
 */
#ifndef MONTCORE_OPERATIONS_H
#define MONTCORE_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "montcore_rv32.h"

/* What they return beside MC_OK. Anything but MC_OK: the result is zero. */
enum mc_operation_status {
    MC_BAD_KEY = 5,       /* a private key is 0, or not below the order; or what RSA says of its keys */
    MC_BAD_POINT = 6,     /* a public key is no point of the curve */
    MC_BAD_SIGNATURE = 7, /* not valid; of a curve's signature just made: a fault, and it was not released */
    MC_BAD_RANDOM = 8,    /* the source failed, or gave 64 unusable numbers */
    MC_BAD_HASH = 9,      /* the hash function failed */
    MC_BAD_WORK = 10,     /* the work area is too small for the modulus */
    MC_FAULT = 11,        /* what was made does not fit the public key: a fault, or parts of different keys */
};

/* Fills `to` with random bytes; 0 for success. For nonces of RFC 6979 it gives that standard's numbers T,
 * one for each call. */
typedef int (*mc_random)(void *context, uint8_t *to, size_t bytes);

/* Bytes somewhere in memory. */
typedef struct mc_bytes {
    const uint8_t *data;
    size_t bytes;
} mc_bytes;

/* Hashes the bytes of some pieces, one behind the other; 0 for success. */
typedef int (*mc_hash)(void *context, uint8_t *digest, const mc_bytes *pieces, size_t count);

#endif
