/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives a montcore accelerator (hw/soc) behind any bus. C99, freestanding, no allocation; numbers are
 * arrays of 32-bit limbs, least significant first.
 *
 * The board's part is the functions of `montcore_pka_port`: read and write a word, and, where random
 * numbers are needed, fill in random bytes. Commands are waited for by polls, or by the interrupt. Every wait has a limit. A command that does not end in
 * time is abandoned and the accelerator is zeroized.
 *
 * With MONTCORE_PKA_IN_PLACE defined for the driver's files the registers are read and written at the
 * port's context without a call, which takes a small processor less time.
 *
 * After any error every result is zero, in all its limbs; a pointer that is null has none, and without a
 * montcore_pka its length is not known.
 *
 * Not safe for two threads on one accelerator. No branch and no address here depends on a limb of an
 * operand, a result or an exponent, but for the refusal of a number with more bits than its length
 * (MONTCORE_PKA_RANGE; a modulus: MONTCORE_PKA_MODULUS_LENGTH).
 */
#ifndef MONTCORE_PKA_H
#define MONTCORE_PKA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest numbers that are worked on, in bits; sets the size of buffers. */
#ifndef MONTCORE_PKA_MAX_BITS
#define MONTCORE_PKA_MAX_BITS 4096u
#endif
#define MONTCORE_PKA_MAX_LIMBS ((MONTCORE_PKA_MAX_BITS + 31u) / 32u)

/* Limbs of a result for which no modulus, or no curve of a key, was ever given; fewer if the accelerator is
 * built for fewer. */
#define MONTCORE_PKA_LEAST_LIMBS 8u
/* Limbs of the widest curve that the curve engine can be built for. */
#define MONTCORE_PKA_CURVE_LIMBS 32u

/* How a call ended. Below 32: what the register `error` says. */
typedef enum {
  MONTCORE_PKA_OK = 0,
  MONTCORE_PKA_MODULUS_EVEN = 1,
  MONTCORE_PKA_MODULUS_ONE = 2,
  MONTCORE_PKA_MODULUS_LENGTH = 3,
  MONTCORE_PKA_OPERAND_RANGE = 4,
  MONTCORE_PKA_OPERAND_LENGTH = 5,
  MONTCORE_PKA_NO_MODULUS = 6,
  MONTCORE_PKA_BAD_COMMAND = 8,
  MONTCORE_PKA_BAD_LENGTH = 9,
  MONTCORE_PKA_BAD_KEY = 10,
  MONTCORE_PKA_ABANDONED = 11,
  /* Of the curve engine. */
  MONTCORE_PKA_INFINITY = 17,      /* the result is the point at infinity */
  MONTCORE_PKA_RANGE = 18,         /* a number is out of range; also of the driver: longer than stated */
  MONTCORE_PKA_POINT = 19,         /* the point is not on the curve */
  MONTCORE_PKA_SIGNATURE = 20,     /* the signature is wrong */
  MONTCORE_PKA_NO_RANDOM = 21,     /* the accelerator's source of random numbers failed */
  MONTCORE_PKA_CURVE_FAULT = 22,   /* the result is not on the curve: a fault, and withheld */
  MONTCORE_PKA_BAD_OPERATION = 23, /* no such operation, or not for this curve */
  MONTCORE_PKA_NO_CURVE = 24,      /* no curve is loaded, or not the key's */
  MONTCORE_PKA_RETRY = 25,         /* r or s is zero: sign with another nonce */
  MONTCORE_PKA_BAD_CALL = 32,      /* a null pointer, or a number that does not fit */
  MONTCORE_PKA_BUS_ERROR = 33,     /* a function of the port said so */
  MONTCORE_PKA_TIMEOUT = 34,       /* the limit of polls was reached */
  MONTCORE_PKA_NOT_FOUND = 35,     /* no accelerator, or one with another register map */
  MONTCORE_PKA_RANDOM_FAILED = 36, /* no random numbers: nothing was computed */
  MONTCORE_PKA_FAULT = 37          /* a result did not pass its check */
} montcore_pka_status;

/* How a power is made; the numbers are those of the command register. */
typedef enum {
  MONTCORE_PKA_CONSTANT = 0, /* fixed windows: the same sequence for all exponents of a length */
  MONTCORE_PKA_SLIDING = 1,  /* fewer products; for public exponents only */
  MONTCORE_PKA_LADDER = 2    /* the same sequence for all exponents of a length */
} montcore_pka_policy;

/* The way to the accelerator. Each function returns 0, or anything else if it failed. */
typedef struct {
  void *context; /* handed to each function */
  int (*read)(void *context, uint32_t address, uint32_t *value);
  int (*write)(void *context, uint32_t address, uint32_t value);
  /* Called between two polls: sleep, let others run, wait for the interrupt (no longer than it should
   * take: one that does not come must not hang), or give up with a value that is not 0. May be null. */
  int (*pause)(void *context);
  /* Random bytes; null where no call needs any. */
  int (*random)(void *context, uint8_t *bytes, size_t count);
  uint32_t polls; /* limit of polls for one command */
} montcore_pka_port;

struct montcore_ecc_curve; /* see montcore_ecc.h */

/* An accelerator in use; fill it with montcore_pka_open. */
typedef struct {
  const montcore_pka_port *port;
  unsigned length;       /* built width in bits */
  unsigned bits;         /* length of the modulus that is loaded; 0: none */
  unsigned limbs;        /* of a result: those of the modulus that was given last, refused or not */
  unsigned locked;       /* whether a key is locked */
  unsigned curve_length; /* built width of the curve engine in bits; 0: none */
  const struct montcore_ecc_curve *curve;     /* the one that is loaded, or null */
  const struct montcore_ecc_curve *key_curve; /* the locked key's, or null */
  unsigned key_limbs;    /* of the locked key's results: those of the curve that was given last for one */
  unsigned key_known;    /* whether the key's public point is in key_x and key_y */
  uint32_t key_x[MONTCORE_PKA_CURVE_LIMBS], key_y[MONTCORE_PKA_CURVE_LIMBS];
  unsigned interrupt; /* whether the end of a command is one, see montcore_pka_interrupt */
  unsigned unverified; /* 1: the caller verifies signatures himself before he releases them; 0 after open */
  unsigned inner; /* a call of the driver is under way that clears the stack at its end */
} montcore_pka;

/* Number of limbs of a number of `bits` bits. */
static inline unsigned montcore_pka_limbs(unsigned bits) { return (bits + 31u) / 32u; }

/* Looks for the accelerator and waits until it is idle. */
montcore_pka_status montcore_pka_open(montcore_pka *pka, const montcore_pka_port *port);

/* Whether the end of each command is an interrupt, 0 as after a reset, or 1: then the port's `pause` can
 * sleep until it comes, and the driver takes it back. It stays raised until then, and an early end is not
 * missed; `pause` may return sooner. */
montcore_pka_status montcore_pka_interrupt(montcore_pka *pka, int on);

/* Loads a modulus of `bits` bits: odd, at least 3. */
montcore_pka_status montcore_pka_load(montcore_pka *pka, const uint32_t *modulus, unsigned bits);

/* z = x^e mod m for x < m, e of at most e_bits bits and at least 1; z may be x. z has as many limbs as the
 * modulus that was given last, whether it was taken or not. */
montcore_pka_status montcore_pka_power(montcore_pka *pka, montcore_pka_policy policy,
                                       const uint32_t *x, const uint32_t *e, unsigned e_bits,
                                       uint32_t *z);

/* The same in two calls, for a processor that has something to do meanwhile; it must not touch the
 * accelerator. Whatever the first returns goes to the second. */
montcore_pka_status montcore_pka_power_begin(montcore_pka *pka, montcore_pka_policy policy,
                                             const uint32_t *x, const uint32_t *e, unsigned e_bits);
montcore_pka_status montcore_pka_power_end(montcore_pka *pka, montcore_pka_status begun,
                                           uint32_t *z);

/* z = x y mod m for x, y < m; z may be x or y. */
montcore_pka_status montcore_pka_product(montcore_pka *pka, const uint32_t *x, const uint32_t *y,
                                         uint32_t *z);

/* Writes a key into the accelerator and locks it there: z = x^d mod m of this pair and no other use. */
montcore_pka_status montcore_pka_lock_key(montcore_pka *pka, const uint32_t *modulus, unsigned bits,
                                          const uint32_t *exponent, unsigned e_bits);

/* Loads the locked key's modulus, of `bits` bits. */
montcore_pka_status montcore_pka_load_key(montcore_pka *pka, unsigned bits);

/* z = x^d mod m with the locked key, whose modulus is loaded; z may be x. */
montcore_pka_status montcore_pka_key_power(montcore_pka *pka, montcore_pka_policy policy,
                                           const uint32_t *x, uint32_t *z);

/* Makes the operand slots zero; modulus and key stay. */
montcore_pka_status montcore_pka_clear(montcore_pka *pka);

/* Clears the whole accelerator: operands, modulus, key. */
montcore_pka_status montcore_pka_zeroize(montcore_pka *pka);

/* Clock cycles of the last command. */
montcore_pka_status montcore_pka_cycles(montcore_pka *pka, uint32_t *cycles);

/* Sets memory to zero in a way that no compiler leaves out. */
void montcore_pka_wipe(void *memory, size_t bytes);

/* Clears the stack below its caller, as far as calls of this driver use it. Calls that were given
 * secrets do so before they return. */
void montcore_pka_wipe_stack(void);

/* A sentence without a full stop about a status. */
const char *montcore_pka_describe(montcore_pka_status status);

#ifdef __cplusplus
}
#endif
#endif
