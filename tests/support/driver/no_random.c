/* SPDX-License-Identifier: Apache-2.0
 *
 * Loaded before a program: the system has no random numbers.
 */
#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  (void)bytes;
  (void)count;
  (void)flags;
  errno = ENOSYS;
  return -1;
}
