/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the file of its first argument as if it were /dev/uio0, with the limit of polls of the second,
 * and loads a modulus. Prints the status of each call, and whether random bytes come.
 */
#include <stdio.h>
#include <stdlib.h>

#include "montcore_pka_uio.h"

int main(int count, char **arguments) {
  montcore_pka_port port;
  montcore_pka pka;
  uint32_t modulus[2] = {0x89abcdefu, 0x01234567u};
  uint8_t random[64] = {0};
  unsigned at, any = 0u;
  if (count != 3) return 2;
  if (montcore_pka_uio_open(&port, arguments[1], (uint32_t)atoi(arguments[2])) != 0) {
    puts("not opened");
    return 0;
  }
  printf("%d", montcore_pka_open(&pka, &port));
  printf(" %d", montcore_pka_load(&pka, modulus, 57u));
  if (port.random(port.context, random, sizeof random) != 0) return 1;
  for (at = 0u; at < sizeof random; at++) any |= random[at];
  printf(" %d\n", any != 0u);
  montcore_pka_uio_close(&port);
  return 0;
}
