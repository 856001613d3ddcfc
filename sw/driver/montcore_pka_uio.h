/* SPDX-License-Identifier: Apache-2.0
 *
 * The port of montcore_pka for an accelerator that Linux hands to a process as /dev/uioN: its registers
 * are mapped, waits are short sleeps or last until the interrupt, and random numbers come from the kernel.
 */
#ifndef MONTCORE_PKA_UIO_H
#define MONTCORE_PKA_UIO_H

#include "montcore_pka.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills a port with the functions of a device whose first map is the accelerator's 64 KiB. `polls` is
 * the limit of polls for one command, between which 50 us pass. Returns 0, or -1 with errno set. */
int montcore_pka_uio_open(montcore_pka_port *port, const char *path, uint32_t polls);

/* Ends the use of a port that was opened. */
void montcore_pka_uio_close(montcore_pka_port *port);

/* A device whose interrupt is waited for; fill it with montcore_pka_uio_open_interrupt. */
typedef struct {
  void *registers;
  int file;
  int wait_ms;
  int64_t end_ms; /* of the wait that is under way, on the monotonic clock; 0: there is none */
} montcore_pka_uio;

/* The same for a device with an interrupt, which its driver in the kernel passes on (uio_pdrv_genirq): a
 * command may take `wait_ms`, whatever signals come meanwhile and interrupts of others on a shared line. After
 * montcore_pka_open call montcore_pka_interrupt. Returns 0, or -1 with errno set. */
int montcore_pka_uio_open_interrupt(montcore_pka_uio *device, montcore_pka_port *port,
                                    const char *path, int wait_ms);

/* Ends the use of such a device. */
void montcore_pka_uio_close_interrupt(montcore_pka_uio *device);

#ifdef __cplusplus
}
#endif
#endif
