/* SPDX-License-Identifier: Apache-2.0
 *
 * The port of montcore_pka for an accelerator behind a local socket (`montcore serve`). POSIX.
 *
 * Whoever is connected and was granted the accelerator has it to himself until he closes the
 * connection, or ends. The server clears what he left, whatever he was doing then. A client gives keys
 * away: it makes sure whose the server is before it sends anything.
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
 * An answer is a status, 0 if all was done since the last answer, and a value. A client may send
 * requests before it has read the answers to earlier ones: while the system has no room for another
 * answer (on Linux after about 270) the server takes no further request, and if that lasts for the time
 * of --idle it drops the client. A user has at most 128 connections; of those that have not sent BEGIN
 * the oldest one makes room for a new one, and those that wait have their turn users in turns.
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

/* Whose server is trusted. */
typedef struct {
  enum {
    MONTCORE_PKA_SOCKET_OWN = 0, /* of the effective user of this process, or of root */
    MONTCORE_PKA_SOCKET_USER,    /* of the user `id` only */
    MONTCORE_PKA_SOCKET_GROUP    /* of any process with the effective group `id` */
  } kind;
  uint32_t id;
} montcore_pka_socket_server;

/* A connection; fill it with montcore_pka_socket_open. */
typedef struct {
  int fd;
  uint64_t deadline_ms; /* of the monotonic clock, for all waits of the connection together */
  size_t pending;       /* bytes of requests that have not been sent */
  uint8_t requests[512u * MONTCORE_PKA_SOCKET_REQUEST];
} montcore_pka_socket;

/* The path of the user's own server, in a folder that only the user may enter: montcore/montcore.sock
 * in XDG_RUNTIME_DIR, or montcore-UID/montcore.sock in /tmp. Returns 0, or -1 if `size` does not suffice. */
int montcore_pka_socket_default(char *path, size_t size);

/* Reads whose server is trusted: null or empty for the own one, a user's name or number, or ":" and a
 * group's. Returns 0, or -1 if there is no such one. */
int montcore_pka_socket_trust(montcore_pka_socket_server *server, const char *text);

/* Connects, and waits until the accelerator is granted. Everything until the connection is closed
 * must be done within `limit_ms`; calls fail from then on. The path must be a socket, no link to one, of
 * the user whose process listens, and that process one that `server` trusts (null: the own); if not,
 * errno is EPERM, for a link ELOOP, and nothing was sent. Returns 0, or -1 with errno set. */
int montcore_pka_socket_open(montcore_pka_socket *device, const char *path,
                             const montcore_pka_socket_server *server, unsigned limit_ms);

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
