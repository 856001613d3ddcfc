/* SPDX-License-Identifier: Apache-2.0
 *
 * A device with an interrupt as the kernel hands it to a process, and the driver in front of it. The linker's
 * --wrap puts memory in the place of the map, and one end of a pair of sockets in that of /dev/uio0; a thread
 * at the other end is kernel and accelerator: it is busy, and after it was told to let interrupts through it is
 * so for a time, then no longer, and says so once. Arguments: that time in milliseconds, or 0 if it never ends;
 * milliseconds between interrupts of another device on the same line; microseconds between signals.
 *
 * Prints how montcore_pka_open ended, whether that took longer than it may, whether the interrupt was taken,
 * what intr_enable is when it was switched on and off, how a further wait ended, and how many nanoseconds a pause
 * of the port that polls lasts where signals come in its middle.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "montcore_pka_uio.h"

#define WORD(address) (((volatile uint32_t *)registers)[(address) / 4u])
#define WAIT_MS 200
#define NEVER INT64_MAX

static uint32_t registers[0x4000];
static int ends[2];
static int command_ms, other_ms;
static long slept;

int __wrap_open(const char *path, int flags, ...);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from);
int __wrap_munmap(void *at, size_t bytes);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                           struct timespec *left);

int __wrap_open(const char *path, int flags, ...) {
  (void)flags;
  return strcmp(path, "/dev/uio0") ? -1 : ends[0];
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from) {
  (void)at, (void)protection, (void)flags, (void)from;
  return file == ends[0] && bytes == sizeof registers ? registers : MAP_FAILED;
}

int __wrap_munmap(void *at, size_t bytes) { return at == registers && bytes ? 0 : -1; }

static int64_t now_us(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Interrupts are let through once each time that this is asked for. */
static void *kernel(void *unused) {
  uint32_t word, interrupts = 1u;
  int64_t end = 0;
  (void)unused;
  while (read(ends[1], &word, sizeof word) == (ssize_t)sizeof word && word == 1u) {
    int64_t left = NEVER;
    struct timespec length = {0, 0};
    if (end == 0) end = now_us() + 1000 * command_ms;
    if (command_ms) left = end - now_us();
    if (other_ms && left > 1000 * other_ms) left = 1000 * other_ms;
    if (left < 0 || left == NEVER) continue;
    length.tv_nsec = (long)left * 1000;
    (void)nanosleep(&length, NULL);
    if (command_ms && now_us() >= end) WORD(0x14u) = 0u;
    if (write(ends[1], &interrupts, sizeof interrupts) != (ssize_t)sizeof interrupts) break;
  }
  return NULL;
}

static void nothing(int signal) { (void)signal; }

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                           struct timespec *left) {
  long part = wanted->tv_nsec > 1000 ? wanted->tv_nsec / 2 : wanted->tv_nsec;
  if (clock != CLOCK_MONOTONIC || flags) return EINVAL;
  slept += part;
  left->tv_nsec = wanted->tv_nsec - part;
  return left->tv_nsec ? EINTR : 0;
}

int main(int count, char **arguments) {
  montcore_pka_uio device;
  montcore_pka_port port;
  montcore_pka pka;
  pthread_t thread;
  sigset_t alarm;
  struct pollfd left = {0, POLLIN, 0};
  struct sigaction action;
  int64_t begin;
  struct itimerval signals = {{0, 0}, {0, 0}};
  if (count != 4) return 2;
  command_ms = atoi(arguments[1]);
  other_ms = atoi(arguments[2]);
  WORD(0x00u) = 0x4d504b41u;
  WORD(0x04u) = 0x100u;
  WORD(0x08u) = 0x08010040u;
  WORD(0x14u) = 1u;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return 1;
  memset(&action, 0, sizeof action);
  action.sa_handler = nothing;
  /* Signals are this thread's. */
  (void)sigemptyset(&alarm), (void)sigaddset(&alarm, SIGALRM);
  if (sigaction(SIGALRM, &action, NULL) || pthread_sigmask(SIG_BLOCK, &alarm, NULL)) return 1;
  if (pthread_create(&thread, NULL, kernel, NULL) || pthread_sigmask(SIG_UNBLOCK, &alarm, NULL)) return 1;
  if (montcore_pka_uio_open_interrupt(&device, &port, "/dev/uio0", WAIT_MS) != 0) return 1;
  signals.it_value.tv_usec = signals.it_interval.tv_usec = atoi(arguments[3]);
  if (setitimer(ITIMER_REAL, &signals, NULL)) return 1;
  begin = now_us();
  printf("%d", montcore_pka_open(&pka, &port));
  printf(" %d", now_us() - begin > 10 * WAIT_MS * 1000);
  left.fd = ends[0];
  printf(" %d", poll(&left, 1, 0) <= 0);
  if (montcore_pka_interrupt(&pka, 1) != MONTCORE_PKA_OK) return 1;
  printf(" %u", (unsigned)WORD(0x20u));
  if (montcore_pka_interrupt(&pka, 0) != MONTCORE_PKA_OK) return 1;
  printf("%u %d", (unsigned)WORD(0x20u), port.pause(port.context));
  montcore_pka_uio_close_interrupt(&device);
  (void)pthread_join(thread, NULL); /* whose socket was closed */
  if (montcore_pka_uio_open(&port, "/dev/uio0", 1u) != 0) return 1;
  (void)port.pause(port.context);
  printf(" %ld\n", slept);
  montcore_pka_uio_close(&port);
  return montcore_pka_uio_open_interrupt(&device, &port, "/dev/uio1", WAIT_MS) == -1 ? 0 : 1;
}
