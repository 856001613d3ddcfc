/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs under QEMU's user mode: reads jobs from standard input and writes the results to standard
 * output until the input ends. Freestanding; the three system calls it needs are Linux's.
 *
 * A job: the header below, then `in_bytes` that are put at the start of the arena. The answer: a0, the
 * flags of what the call broke (1: a saved register, 2: the stack pointer), then `out_bytes` from
 * arena + out_at.
 */
#include <stddef.h>
#include <stdint.h>

#include "system_call.h"

enum { ARENA_BYTES = 1 << 18, BUFFER_BYTES = 1 << 16 };

struct header {
    uint32_t function;
    uint32_t arguments[8];
    uint32_t in_bytes;
    uint32_t out_at;
    uint32_t out_bytes;
};

uint8_t arena[ARENA_BYTES] __attribute__((aligned(16)));

/* Calls a function with saved registers of known content; returns its a0, and what it broke. */
uint64_t test_call(const struct header *job);

static uint8_t input[BUFFER_BYTES], output[BUFFER_BYTES];
static size_t input_at, input_end, output_end;

static void leave(int status)
{
    for (;;) {
        system_call(SYSTEM_EXIT, status, 0, 0);
    }
}

static void flush(void)
{
    size_t done = 0;
    while (done < output_end) {
        long count = system_call(SYSTEM_WRITE, 1, (long)(output + done), (long)(output_end - done));
        if (count <= 0) {
            leave(3);
        }
        done += (size_t)count;
    }
    output_end = 0;
}

static void get(void *to, size_t bytes)
{
    uint8_t *target = to;
    while (bytes-- > 0) {
        if (input_at == input_end) {
            flush(); /* whoever waits for an answer sends no more */
            long count = system_call(SYSTEM_READ, 0, (long)input, BUFFER_BYTES);
            if (count <= 0) {
                leave(count == 0 ? 0 : 3);
            }
            input_at = 0;
            input_end = (size_t)count;
        }
        *target++ = input[input_at++];
    }
}

static void put(const void *from, size_t bytes)
{
    const uint8_t *source = from;
    while (bytes-- > 0) {
        if (output_end == BUFFER_BYTES) {
            flush();
        }
        output[output_end++] = *source++;
    }
}

void qemu_main(void)
{
    struct header job;
    for (;;) {
        get(&job, sizeof job);
        if (job.in_bytes > ARENA_BYTES || job.out_at > ARENA_BYTES ||
            job.out_bytes > ARENA_BYTES - job.out_at) {
            leave(4);
        }
        get(arena, job.in_bytes);
        uint64_t answer = test_call(&job);
        put(&answer, sizeof answer);
        put(arena + job.out_at, job.out_bytes);
    }
}
