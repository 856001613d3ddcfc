/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a call on a stack of its own, and looks there for words that it must not leave.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STACK_BYTES 262144u

static unsigned char stack[STACK_BYTES] __attribute__((aligned(16)));
static uint32_t secrets[200000];
static unsigned secret_count;
static ucontext_t home, away;

/* Remembers a word; a small one, or one of a single bit, would be found by chance. */
static void remember(uint32_t word) {
  if (word <= 0xffffffu || word >= 0xfffffff0u || (word & (word - 1u)) == 0u) return;
  if (secret_count < sizeof secrets / sizeof *secrets) secrets[secret_count++] = word;
}

/* Remembers the words of a number. */
static void remember_number(const uint32_t *number, unsigned limbs) {
  while (limbs-- > 0u) remember(number[limbs]);
}

/* Runs a call on the stack and returns how many words of secrets it left there. `begin` remembers what is
 * known before it, `end` what it gave. They are functions of their own, so that no register of the caller
 * holds a limb when the call begins. */
static unsigned left_by(void (*begin)(void), void (*call)(void), void (*end)(void)) {
  unsigned at, secret, found = 0u;
  memset(stack, 0xee, sizeof stack);
  secret_count = 0u;
  begin();
  if (getcontext(&away) != 0) abort();
  away.uc_stack.ss_sp = stack;
  away.uc_stack.ss_size = sizeof stack;
  away.uc_link = &home;
  makecontext(&away, call, 0);
  if (swapcontext(&home, &away) != 0) abort();
  end();
  for (at = 0u; at + 4u <= sizeof stack; at++) {
    uint32_t value;
    memcpy(&value, stack + at, sizeof value);
    if (value == 0xeeeeeeeeu || value == 0u) continue;
    for (secret = 0u; secret < secret_count; secret++) {
      if (value == secrets[secret]) {
        found++;
        break;
      }
    }
  }
  return found;
}

typedef struct {
  const char *name;
  void (*call)(void);
} named_call;
#define CALL(name, ...) \
  static void call_##name(void) { __VA_ARGS__; }
#define NAMED(name) {#name, call_##name}

/* Prints what a call left, and returns how much that was. */
static unsigned told(const named_call *of, const char *when, void (*begin)(void), void (*end)(void)) {
  const unsigned found = left_by(begin, of->call, end);
  if (found != 0u) printf("%s left %u words%s\n", of->name, found, when);
  return found;
}

/* Whether words of a number that are left on purpose are found; if so, says that. */
static const uint32_t *leaked;
static void call_leaking(void) {
  volatile uint32_t copy[4] = {leaked[0], leaked[1], leaked[2], leaked[3]};
  (void)copy;
}
static int leak_is_found(const uint32_t *number, void (*begin)(void), void (*end)(void)) {
  leaked = number;
  if (left_by(begin, call_leaking, end) == 0u) return 0;
  puts("the search finds what was left on purpose");
  return 1;
}
