/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "montcore_pka_uio.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "montcore_pka_mmio.h"

#define MAP_BYTES 0x10000u

static int sleep_a_little(void *context) {
  const struct timespec time = {0, 50000};
  (void)context;
  (void)nanosleep(&time, NULL);
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

int montcore_pka_uio_open(montcore_pka_port *port, const char *path, uint32_t polls) {
  void *registers;
  int file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (file < 0) return -1;
  registers = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  (void)close(file); /* the map stays */
  if (registers == MAP_FAILED) return -1;
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
