/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives a montcore multiplier through its common port (ready/valid word streams), whatever stands
 * between the processor and the port: memory-mapped FIFOs, DMA, a simulator. C99, freestanding, no
 * allocation; numbers are arrays of 32-bit limbs, least significant first.
 *
 * The board's part is the four functions of `montcore_port`. The build's part is a
 * `montcore_build`, which `montcore build` writes as a header beside this one.
 *
 * Whatever a call put on the stack is cleared before it returns. What the caller owns is the caller's:
 * montcore_wipe clears it, and montcore_zeroize the core.
 *
 * After any error a result is zero, in as many limbs as the modulus has that was given last, at most those
 * of the built width; before the first modulus in 8, or fewer for a core that is built for fewer.
 *
 * Not safe for two threads on one core. Constant time as far as this code goes: no branch and no
 * address here depends on a limb of an operand or result (of a modulus: montcore_r_squared does).
 */
#ifndef MONTCORE_DRIVER_H
#define MONTCORE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Widest bus that the driver serves, in bits; sets its use of stack (3 beats, and some). */
#ifndef MONTCORE_MAX_BUS_BITS
#define MONTCORE_MAX_BUS_BITS 4096u
#endif
#define MONTCORE_MAX_BEAT_LIMBS ((MONTCORE_MAX_BUS_BITS + 31u) / 32u)

/* How a call ended. 1 to 6 are what the core answers (mont_error_e of its port). */
typedef enum {
  MONTCORE_OK = 0,
  MONTCORE_MODULUS_EVEN = 1,    /* zero too */
  MONTCORE_MODULUS_ONE = 2,
  MONTCORE_MODULUS_LENGTH = 3,  /* longer than the core was built for */
  MONTCORE_OPERAND_RANGE = 4,   /* x or y not below the modulus */
  MONTCORE_OPERAND_LENGTH = 5,
  MONTCORE_NO_MODULUS = 6,
  MONTCORE_BAD_CALL = 32,       /* a null pointer, or a length of 0 */
  MONTCORE_PORT_FAILED = 33     /* a function of the port returned non-zero, or the core misbehaved */
} montcore_status;

/* Access to the core's streams. Each function moves one beat, waits until that is done, and returns
 * 0, or anything else to give up (a time limit). A beat is (bus_bits + 31) / 32 limbs. */
typedef struct {
  void *context; /* handed to each function */
  /* A beat of the modulus (cfg stream). */
  int (*configure)(void *context, const uint32_t *beat, int last);
  /* Wait for cfg_done_o; *error = cfg_error_o. */
  int (*configured)(void *context, unsigned *error);
  /* A beat of X and a beat of Y, both on offer until both are taken: a core may wait for both. */
  int (*operands)(void *context, const uint32_t *x, const uint32_t *y, int last);
  /* A beat of Z with z_last_o and z_error_o. */
  int (*result)(void *context, uint32_t *beat, int *last, int *error);
  /* Raise zeroize_i for a cycle and wait until busy_o is low; null where nothing drives zeroize_i. */
  int (*zeroize)(void *context);
} montcore_port;

/* What was built; constant. */
typedef struct {
  unsigned bits;         /* built width L */
  unsigned bus_bits;     /* BusWidth of the port */
  unsigned max_beats;    /* beats of an L-bit number */
  const uint16_t *r_bits; /* log2 R for a modulus of 1 .. max_beats beats */
} montcore_build;

/* A core in use; fill it with montcore_init. */
typedef struct {
  const montcore_build *build;
  const montcore_port *port;
  unsigned bits;  /* run-time length; 0: no modulus is loaded */
  unsigned beats;
  unsigned limbs; /* of a result: those of the modulus that was given last, refused or not */
} montcore;

/* Number of limbs of a number of `bits` bits. */
static inline unsigned montcore_limbs(unsigned bits) { return (bits + 31u) / 32u; }

/* Connects a core. Nothing is sent. */
montcore_status montcore_init(montcore *core, const montcore_build *build,
                              const montcore_port *port);

/* Loads a modulus of `bits` bits (montcore_limbs(bits) limbs): odd, at least 3, at most the built
 * width. All operands have that many limbs from now on. After any error no modulus is loaded. */
montcore_status montcore_load(montcore *core, const uint32_t *modulus, unsigned bits);

/* Clears every register and memory of the core that held a modulus, an operand or a result, through the
 * port's zeroize; MONTCORE_PORT_FAILED if that is null or fails. No modulus is loaded afterwards. */
montcore_status montcore_zeroize(montcore *core);

/* Sets memory to zero in a way that no compiler leaves out. */
void montcore_wipe(void *memory, size_t bytes);

/* log2 of the Montgomery radix R for the modulus that is loaded; 0 without one. */
unsigned montcore_r_bits(const montcore *core);

/* z = x y R^-1 mod m for x, y < m. z may be x or y. */
montcore_status montcore_multiply(montcore *core, const uint32_t *x, const uint32_t *y,
                                  uint32_t *z);

/* z = x y mod m for x, y < m, by two products; r_squared as montcore_r_squared gives it. */
montcore_status montcore_modmul(montcore *core, const uint32_t *r_squared, const uint32_t *x,
                                const uint32_t *y, uint32_t *z);

/* out = 2^(2 r_bits) mod m in software; out is not modulus. About r_bits * bits / 16 limb steps;
 * takes time that depends on the modulus. */
void montcore_r_squared(const uint32_t *modulus, unsigned bits, unsigned r_bits, uint32_t *out);

/* A sentence without a full stop about a status. */
const char *montcore_describe(montcore_status status);

#ifdef __cplusplus
}
#endif
#endif
