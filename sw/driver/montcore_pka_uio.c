/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "montcore_pka_uio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "montcore_pka_mmio.h"
#include "montcore_pka_registers.h"

#define MAP_BYTES 0x10000u

static int sleep_a_little(void *context) {
  struct timespec left = {0, 50000};
  (void)context;
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) continue;
  return 0;
}

static int kernel_random(void *context, uint8_t *bytes, size_t count) {
  (void)context;
  while (count > 0u) {
    ssize_t got = getrandom(bytes, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 1;
    bytes += got;
    count -= (size_t)got;
  }
  return 0;
}

/* A wait only reads the status; any other access ends one. */
static int read_register(void *context, uint32_t address, uint32_t *value) {
  montcore_pka_uio *device = (montcore_pka_uio *)context;
  if (address != offsetof(montcore_pka_registers_t, status)) device->end_ms = 0;
  return montcore_pka_mmio_read(device->registers, address, value);
}

static int write_register(void *context, uint32_t address, uint32_t value) {
  montcore_pka_uio *device = (montcore_pka_uio *)context;
  device->end_ms = 0;
  return montcore_pka_mmio_write(device->registers, address, value);
}

/* Milliseconds that are left of a wait, which begins with the first call. */
static int left_ms(montcore_pka_uio *device) {
  struct timespec now;
  int64_t now_ms;
  if (clock_gettime(CLOCK_MONOTONIC, &now)) return 0;
  now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
  if (device->end_ms == 0) device->end_ms = now_ms + device->wait_ms;
  return device->end_ms > now_ms ? (int)(device->end_ms - now_ms) : 0;
}

/* Lets the kernel hear the interrupt again, which it no longer does after each, and waits for it. */
static int sleep_until_interrupt(void *context) {
  montcore_pka_uio *device = (montcore_pka_uio *)context;
  struct pollfd which;
  uint32_t on = 1u, interrupts;
  int found, left;
  if (write(device->file, &on, sizeof on) != (ssize_t)sizeof on) return -1;
  which.fd = device->file;
  which.events = POLLIN;
  which.revents = 0;
  do {
    left = left_ms(device);
    found = left > 0 ? poll(&which, 1, left) : 0;
  } while (found < 0 && errno == EINTR);
  if (found <= 0) return -1;
  return read(device->file, &interrupts, sizeof interrupts) == (ssize_t)sizeof interrupts ? 0 : -1;
}

/* Opens and maps a device; null with errno set if that fails. */
static void *map(const char *path, int *file) {
  void *registers;
  *file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (*file < 0) return NULL;
  registers = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  if (registers != MAP_FAILED) return registers;
  (void)close(*file);
  return NULL;
}

int montcore_pka_uio_open(montcore_pka_port *port, const char *path, uint32_t polls) {
  int file;
  void *registers = map(path, &file);
  if (!registers) return -1;
  (void)close(file); /* the map stays */
  port->context = registers;
  port->read = montcore_pka_mmio_read;
  port->write = montcore_pka_mmio_write;
  port->pause = sleep_a_little;
  port->random = kernel_random;
  port->polls = polls;
  return 0;
}

void montcore_pka_uio_close(montcore_pka_port *port) {
  if (port->context) (void)munmap(port->context, MAP_BYTES);
  port->context = NULL;
}

int montcore_pka_uio_open_interrupt(montcore_pka_uio *device, montcore_pka_port *port,
                                    const char *path, int wait_ms) {
  device->registers = map(path, &device->file);
  if (!device->registers) return -1;
  device->wait_ms = wait_ms;
  device->end_ms = 0;
  port->context = device;
  port->read = read_register;
  port->write = write_register;
  port->pause = sleep_until_interrupt;
  port->random = kernel_random;
  port->polls = UINT32_MAX; /* the limit is one of time */
  return 0;
}

void montcore_pka_uio_close_interrupt(montcore_pka_uio *device) {
  if (!device->registers) return;
  (void)munmap(device->registers, MAP_BYTES);
  (void)close(device->file);
  device->registers = NULL;
}
