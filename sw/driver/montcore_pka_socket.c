/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1

#include "montcore_pka_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CYCLES_PER_WAIT 0xffffffffu /* the server answers sooner: a WAIT lasts a second at most */
#define RETRY_MS 20                 /* between two attempts to connect while its queue is full */

static uint64_t now_ms(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now)) return UINT64_MAX;
  return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Milliseconds that are left, as poll takes them. */
static int left_ms(const montcore_pka_socket *device) {
  uint64_t now = now_ms();
  if (now >= device->deadline_ms) return 0;
  return device->deadline_ms - now > 1000000u ? 1000000 : (int)(device->deadline_ms - now);
}

static void put32(uint8_t *bytes, uint32_t value) {
  unsigned i;
  for (i = 0; i < 4u; i++) bytes[i] = (uint8_t)(value >> (8u * i));
}

static uint32_t get32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Waits until the connection can be read or written; fails at its deadline. */
static int ready(montcore_pka_socket *device, short events) {
  struct pollfd which = {device->fd, events, 0};
  int found, limit = left_ms(device);
  do found = limit > 0 ? poll(&which, 1, limit) : 0;
  while (found < 0 && errno == EINTR && (limit = left_ms(device)) > 0);
  if (found > 0) return 0;
  errno = ETIMEDOUT;
  return -1;
}

/* Sends what is pending; it may hold a key's numbers, so it is cleared. */
static int flush(montcore_pka_socket *device) {
  size_t sent = 0;
  int failed = 0;
  while (sent < device->pending && !failed) {
    ssize_t count = send(device->fd, device->requests + sent, device->pending - sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) sent += (size_t)count;
    else if (count < 0 && (errno == EAGAIN || errno == EINTR)) failed = ready(device, POLLOUT);
    else failed = -1;
  }
  montcore_pka_wipe(device->requests, device->pending);
  device->pending = 0;
  return failed;
}

static int request(montcore_pka_socket *device, uint32_t what, uint32_t address, uint32_t value) {
  uint8_t *at;
  if (device->fd < 0) return -1;
  if (device->pending == sizeof device->requests && flush(device)) return -1;
  at = device->requests + device->pending;
  put32(at, what);
  put32(at + 4, address);
  put32(at + 8, value);
  device->pending += MONTCORE_PKA_SOCKET_REQUEST;
  return 0;
}

/* Sends a request and waits for its answer. */
static int ask(montcore_pka_socket *device, uint32_t what, uint32_t address, uint32_t value,
               uint32_t *answer) {
  uint8_t bytes[MONTCORE_PKA_SOCKET_ANSWER];
  size_t got = 0;
  int failed = request(device, what, address, value);
  *answer = 0u;
  if (!failed) failed = flush(device);
  while (!failed && got < sizeof bytes) {
    ssize_t count = recv(device->fd, bytes + got, sizeof bytes - got, MSG_DONTWAIT);
    if (count > 0) got += (size_t)count;
    else if (count < 0 && (errno == EAGAIN || errno == EINTR)) failed = ready(device, POLLIN);
    else {
      if (count == 0) errno = ECONNRESET;
      failed = -1;
    }
  }
  if (!failed && get32(bytes)) errno = EIO, failed = -1;
  if (!failed) *answer = get32(bytes + 4);
  montcore_pka_wipe(bytes, sizeof bytes);
  return failed;
}

int montcore_pka_socket_default(char *path, size_t size) {
  const char *folder = secure_getenv("XDG_RUNTIME_DIR");
  int count = folder && *folder == '/'
                  ? snprintf(path, size, "%s/montcore/montcore.sock", folder)
                  : snprintf(path, size, "/tmp/" "montcore-%lu/montcore.sock", (unsigned long)geteuid());
  return count > 0 && (size_t)count < size ? 0 : -1;
}

int montcore_pka_socket_trust(montcore_pka_socket_server *server, const char *text) {
  char buffer[16384], *end = NULL;
  const int group = text && *text == ':';
  unsigned long long number;
  server->kind = MONTCORE_PKA_SOCKET_OWN;
  server->id = 0;
  if (!text || !*text) return 0;
  server->kind = group ? MONTCORE_PKA_SOCKET_GROUP : MONTCORE_PKA_SOCKET_USER;
  text += group;
  if (*text >= '0' && *text <= '9') {
    number = strtoull(text, &end, 10);
    server->id = (uint32_t)number;
    return !*end && number < 0xffffffffu ? 0 : -1;
  }
  if (group) {
    struct group entry, *found = NULL;
    if (getgrnam_r(text, &entry, buffer, sizeof buffer, &found) || !found) return -1;
    server->id = found->gr_gid;
  } else {
    struct passwd entry, *found = NULL;
    if (getpwnam_r(text, &entry, buffer, sizeof buffer, &found) || !found) return -1;
    server->id = found->pw_uid;
  }
  return 0;
}

/* 0 if the process that listens is trusted, and the socket at the path its user's; or an error's number. What
 * listens is told by the kernel; the file only shows whether somebody has put a link in its place. */
static int distrust(int fd, const char *path, const montcore_pka_socket_server *server) {
  struct ucred peer;
  struct stat found;
  socklen_t size = sizeof peer;
  int good;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || size != sizeof peer) return EPERM;
  if (lstat(path, &found)) return EPERM;
  if (S_ISLNK(found.st_mode)) return ELOOP;
  if (!S_ISSOCK(found.st_mode) || found.st_uid != peer.uid) return EPERM;
  if (!server || server->kind == MONTCORE_PKA_SOCKET_OWN) good = peer.uid == geteuid() || peer.uid == 0;
  else good = server->kind == MONTCORE_PKA_SOCKET_USER ? peer.uid == server->id : peer.gid == server->id;
  return good ? 0 : EPERM;
}

int montcore_pka_socket_open(montcore_pka_socket *device, const char *path,
                             const montcore_pka_socket_server *server, unsigned limit_ms) {
  struct sockaddr_un address;
  struct timespec rest = {0, RETRY_MS * 1000000L};
  uint32_t version = 0;
  uint64_t now = now_ms();
  if (!device) return -1;
  device->fd = -1;
  device->pending = 0;
  device->deadline_ms = now + limit_ms;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (!path || strlen(path) >= sizeof address.sun_path || now == UINT64_MAX) {
    errno = path ? ENAMETOOLONG : EINVAL;
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path));
  device->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (device->fd < 0) return -1;
  /* A local connection is there at once, or its queue is full. */
  while (connect(device->fd, (const struct sockaddr *)&address, sizeof address)) {
    if ((errno != EAGAIN && errno != EINTR) || left_ms(device) == 0) goto failed;
    (void)nanosleep(&rest, NULL);
  }
  if ((errno = distrust(device->fd, path, server)) != 0) goto failed;
  if (ask(device, MONTCORE_PKA_SOCKET_BEGIN, 0, MONTCORE_PKA_SOCKET_VERSION, &version)) goto failed;
  if (version == MONTCORE_PKA_SOCKET_VERSION) return 0;
  errno = EPROTO;
failed:
  montcore_pka_socket_close(device);
  return -1;
}

void montcore_pka_socket_close(montcore_pka_socket *device) {
  int error = errno;
  if (!device) return;
  if (device->fd >= 0) {
    /* A process that was forked off meanwhile has it open too, and would keep the accelerator. */
    (void)shutdown(device->fd, SHUT_RDWR);
    (void)close(device->fd);
  }
  montcore_pka_wipe(device->requests, sizeof device->requests);
  device->fd = -1;
  device->pending = 0;
  errno = error;
}

int montcore_pka_socket_key(montcore_pka_socket *device, uint32_t at, uint32_t *word) {
  return ask(device, MONTCORE_PKA_SOCKET_KEY, at, 0, word);
}

int montcore_pka_socket_read(void *device, uint32_t address, uint32_t *value) {
  return ask((montcore_pka_socket *)device, MONTCORE_PKA_SOCKET_READ, address, 0, value);
}

int montcore_pka_socket_write(void *device, uint32_t address, uint32_t value) {
  return request((montcore_pka_socket *)device, MONTCORE_PKA_SOCKET_WRITE, address, value);
}

int montcore_pka_socket_pause(void *device) {
  uint32_t state;
  return ask((montcore_pka_socket *)device, MONTCORE_PKA_SOCKET_WAIT, 0, CYCLES_PER_WAIT, &state);
}

int montcore_pka_socket_random(void *device, uint8_t *bytes, size_t count) {
  size_t got = 0;
  (void)device;
  while (got < count) {
    ssize_t more = getrandom(bytes + got, count - got, 0);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) {
      montcore_pka_wipe(bytes, count);
      return -1;
    }
    got += (size_t)more;
  }
  return 0;
}

montcore_pka_port montcore_pka_socket_port(montcore_pka_socket *device) {
  montcore_pka_port port = {device, montcore_pka_socket_read, montcore_pka_socket_write,
                            montcore_pka_socket_pause, montcore_pka_socket_random, 0xffffffffu};
  return port;
}
