/* SPDX-License-Identifier: Apache-2.0
 *
 * A client of `montcore serve` by the driver: socket_client PATH TRUST LIMIT_MS. It prints the path,
 * of which - is the default one, then "granted" and what it read, or why there is no connection.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montcore_pka_socket.h"

int main(int count, char **arguments) {
  static montcore_pka_socket device;
  montcore_pka_socket_server server;
  char own[108];
  const char *path = own;
  uint32_t id = 0, bits = 0;
  uint8_t bytes[16];
  if (count != 4) return 2;
  if (montcore_pka_socket_default(own, 10) == 0 || montcore_pka_socket_default(own, sizeof own)) return 2;
  if (strcmp(arguments[1], "-")) path = arguments[1];
  printf("%s\n", path);
  if (montcore_pka_socket_trust(&server, arguments[2])) {
    printf("unknown\n");
    return 0;
  }
  if (montcore_pka_socket_open(&device, path, &server, (unsigned)atoi(arguments[3]))) {
    printf("refused %d\n", errno);
    return 0;
  }
  if (montcore_pka_socket_write(&device, 0x4000, 0x12345678) || montcore_pka_socket_pause(&device) ||
      montcore_pka_socket_read(&device, 0, &id) || montcore_pka_socket_key(&device, 0, &bits) ||
      montcore_pka_socket_random(&device, bytes, sizeof bytes)) {
    printf("failed %d\n", errno);
  } else {
    printf("granted %x %u\n", (unsigned)id, (unsigned)bits);
  }
  montcore_pka_socket_close(&device);
  return 0;
}
