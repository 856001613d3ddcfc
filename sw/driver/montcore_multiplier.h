/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of a multiplier by itself behind a bus (`montcore build CORE --bus BUS`), beside
 * montcore_pka.h, by which it is opened, given its modulus and zeroized. C99, freestanding.
 *
 * z = x y R^-1 mod m. What R is follows from the build and the length of the modulus: `montcore build`
 * writes a header with a montcore_build, and montcore_r_squared of montcore_driver.h gives R^2 mod m.
 * In C++ not in one file with montcore_pka_verilated.hpp: its namespace is called as the type montcore.
 *
 * Not safe for two threads on one multiplier. No branch and no address here depends on a limb of an
 * operand or a result, but for the refusal of an operand with more bits than the modulus
 * (MONTCORE_PKA_RANGE).
 */
#ifndef MONTCORE_MULTIPLIER_H
#define MONTCORE_MULTIPLIER_H

#include "montcore_driver.h"
#include "montcore_pka.h"

#ifdef __cplusplus
extern "C" {
#endif

/* log2 of the Montgomery radix R for the modulus that is loaded; 0 without one. */
unsigned montcore_multiplier_r_bits(const montcore_pka *pka, const montcore_build *build);

/* z = x y R^-1 mod m for x, y < m; z may be x or y. */
montcore_pka_status montcore_multiplier_product(montcore_pka *pka, const uint32_t *x,
                                                const uint32_t *y, uint32_t *z);

/* z = x y mod m for x, y < m, by two products; r_squared as montcore_r_squared gives it. */
montcore_pka_status montcore_multiplier_modmul(montcore_pka *pka, const uint32_t *r_squared,
                                               const uint32_t *x, const uint32_t *y, uint32_t *z);

#ifdef __cplusplus
}
#endif
#endif
