/* SPDX-License-Identifier: Apache-2.0
 *
 * The port of montcore_pka for an accelerator behind a local socket (`montcore serve`). POSIX.
 *
 * Whoever is connected and was granted the accelerator has it to himself until he closes the
 * connection, or ends. The server clears what he left, whatever he was doing then.
 *
 * The protocol, all numbers of 32 bits, the lowest byte first. A request is what, address, value:
 *   BEGIN  0, version        answered when the accelerator is granted
 *   READ   address, 0        answered with the word
 *   WRITE  address, word     not answered; a refusal is told by the next answer
 *   WAIT   0, cycles         lets the clock run until no command is under way, or for so many
 *                            cycles; answered with the register `status`
 *   KEY    at, 0             answered with a word of the public part of the key that the server has
 *                            locked. RSA: its length in bits, that of its public exponent, from
 *                            KEY_MODULUS and KEY_EXPONENT on the numbers' limbs. ECDSA: the number
 *                            that TLS has for its curve (IANA), from KEY_X and KEY_Y on the limbs of
 *                            its point. What a key has not is 0, and all if there is none
 * An answer is a status, 0 if all was done since the last answer, and a value.
 */
#ifndef MONTCORE_PKA_SOCKET_H
#define MONTCORE_PKA_SOCKET_H

#include "montcore_pka.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MONTCORE_PKA_SOCKET_VERSION 1u
enum { MONTCORE_PKA_SOCKET_REQUEST = 12, MONTCORE_PKA_SOCKET_ANSWER = 8 }; /* bytes */
enum {
  MONTCORE_PKA_SOCKET_BEGIN = 1,
  MONTCORE_PKA_SOCKET_READ,
  MONTCORE_PKA_SOCKET_WRITE,
  MONTCORE_PKA_SOCKET_WAIT,
  MONTCORE_PKA_SOCKET_KEY
};
enum {
  MONTCORE_PKA_SOCKET_KEY_BITS = 0,
  MONTCORE_PKA_SOCKET_KEY_E_BITS = 1,
  MONTCORE_PKA_SOCKET_KEY_GROUP = 2,
  MONTCORE_PKA_SOCKET_KEY_MODULUS = 0x1000,
  MONTCORE_PKA_SOCKET_KEY_EXPONENT = 0x2000,
  MONTCORE_PKA_SOCKET_KEY_X = 0x3000,
  MONTCORE_PKA_SOCKET_KEY_Y = 0x4000
};

/* A connection; fill it with montcore_pka_socket_open. */
typedef struct {
  int fd;
  uint64_t deadline_ms; /* of the monotonic clock, for all waits of the connection together */
  size_t pending;       /* bytes of requests that have not been sent */
  uint8_t requests[512u * MONTCORE_PKA_SOCKET_REQUEST];
} montcore_pka_socket;

/* Connects, and waits until the accelerator is granted. Everything until the connection is closed
 * must be done within `limit_ms`; calls fail from then on. Returns 0, or -1 with errno set. */
int montcore_pka_socket_open(montcore_pka_socket *device, const char *path, unsigned limit_ms);

/* Closes the connection and clears what it kept. May be called for one that did not open. */
void montcore_pka_socket_close(montcore_pka_socket *device);

/* A word of the locked key's public part. Returns 0, or -1 and a word of zero. */
int montcore_pka_socket_key(montcore_pka_socket *device, uint32_t at, uint32_t *word);

/* Functions of a montcore_pka_port, whose context is the connection. Random bytes are those of the
 * system (getrandom); where it gives none, the call fails. */
int montcore_pka_socket_read(void *device, uint32_t address, uint32_t *value);
int montcore_pka_socket_write(void *device, uint32_t address, uint32_t value);
int montcore_pka_socket_pause(void *device);
int montcore_pka_socket_random(void *device, uint8_t *bytes, size_t count);

/* The port with these functions; its limit of polls is one of time, that of the connection. */
montcore_pka_port montcore_pka_socket_port(montcore_pka_socket *device);

#ifdef __cplusplus
}
#endif
#endif
