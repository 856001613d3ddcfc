/* SPDX-License-Identifier: Apache-2.0
 *
 * The port of montcore_pka for an accelerator whose registers are in the address space of the
 * processor: set `context` to their first address. An access that is refused raises whatever the
 * processor does for a failed access.
 */
#ifndef MONTCORE_PKA_MMIO_H
#define MONTCORE_PKA_MMIO_H

#include "montcore_pka.h"

static inline int montcore_pka_mmio_read(void *context, uint32_t address, uint32_t *value) {
  *value = ((volatile uint32_t *)context)[address / 4u];
  return 0;
}

static inline int montcore_pka_mmio_write(void *context, uint32_t address, uint32_t value) {
  ((volatile uint32_t *)context)[address / 4u] = value;
  return 0;
}

#endif
