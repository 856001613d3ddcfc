/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into a program with gcc's thread sanitizer, which does not know this function of the C library and
 * would take the lock for one that nobody holds. Waits have no limit then.
 */
#include <pthread.h>
#include <time.h>

int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *limit);
int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *limit) {
  (void)clock;
  (void)limit;
  return pthread_mutex_lock(lock);
}
