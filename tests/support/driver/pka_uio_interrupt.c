/* SPDX-License-Identifier: Apache-2.0
 *
 * A device with an interrupt as the kernel hands it to a process, and the driver in front of it. The linker's
 * --wrap puts memory in the place of the map, and one end of a pair of sockets in that of /dev/uio0; a thread
 * at the other end is kernel and accelerator: it is busy, and 20 ms after it was told to let interrupts
 * through it no longer is, and says so once. With an argument it never does.
 *
 * Prints how montcore_pka_open ended, how often interrupts were let through before, whether the interrupt was
 * taken, what intr_enable is when it was switched on and off, and how a further wait ended.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "montcore_pka_uio.h"

#define WORD(address) (((volatile uint32_t *)registers)[(address) / 4u])
#define WAIT_MS 200

static uint32_t registers[0x4000];
static int ends[2];
static int hangs;
static volatile int told;

int __wrap_open(const char *path, int flags, ...);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from);
int __wrap_munmap(void *at, size_t bytes);

int __wrap_open(const char *path, int flags, ...) {
  (void)flags;
  return strcmp(path, "/dev/uio0") ? -1 : ends[0];
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from) {
  (void)at, (void)protection, (void)flags, (void)from;
  return file == ends[0] && bytes == sizeof registers ? registers : MAP_FAILED;
}

int __wrap_munmap(void *at, size_t bytes) { return at == registers && bytes ? 0 : -1; }

static void *kernel(void *unused) {
  const struct timespec command = {0, 20000000};
  uint32_t word, interrupts = 1u;
  (void)unused;
  while (read(ends[1], &word, sizeof word) == (ssize_t)sizeof word && word == 1u) {
    if (told++ || hangs) continue;
    (void)nanosleep(&command, NULL);
    WORD(0x14u) = 0u;
    if (write(ends[1], &interrupts, sizeof interrupts) != (ssize_t)sizeof interrupts) break;
  }
  return NULL;
}

int main(int count, char **arguments) {
  montcore_pka_uio device;
  montcore_pka_port port;
  montcore_pka pka;
  pthread_t thread;
  struct pollfd left = {0, POLLIN, 0};
  (void)arguments;
  hangs = count > 1;
  WORD(0x00u) = 0x4d504b41u;
  WORD(0x04u) = 0x100u;
  WORD(0x08u) = 0x08010040u;
  WORD(0x14u) = 1u;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return 1;
  if (pthread_create(&thread, NULL, kernel, NULL) != 0) return 1;
  if (montcore_pka_uio_open_interrupt(&device, &port, "/dev/uio0", WAIT_MS) != 0) return 1;
  printf("%d", montcore_pka_open(&pka, &port));
  left.fd = ends[0];
  printf(" %d %d", told, poll(&left, 1, 0) == 0);
  if (montcore_pka_interrupt(&pka, 1) != MONTCORE_PKA_OK) return 1;
  printf(" %u", (unsigned)WORD(0x20u));
  if (montcore_pka_interrupt(&pka, 0) != MONTCORE_PKA_OK) return 1;
  printf("%u %d\n", (unsigned)WORD(0x20u), port.pause(port.context));
  montcore_pka_uio_close_interrupt(&device);
  (void)pthread_join(thread, NULL); /* whose socket was closed */
  return montcore_pka_uio_open_interrupt(&device, &port, "/dev/uio1", WAIT_MS) == -1 ? 0 : 1;
}
