// SPDX-License-Identifier: Apache-2.0
//
// The binary stream between the harness and Python: what its records hold, how they are read and
// written.
//
// Commands come as a binary stream on stdin and answers leave on stdout; montcore.sim.wire is the
// other side. All numbers are little-endian.
//
//   'C' u8 flags, u16 beats, u32 limit, beats data   configure; answer: one config record
//   'R' u8 flags, u16 beats, u32 count, u32 limit  run products; then, for each of them,
//       { u16 x_beats, u16 y_beats, x data, y data }   answer: one product record each
//   'A' u8 kind, u32 after                        zeroize (0) or reset (1) `after` cycles from the
//                                                 start of the next command; answer: abort record
//                                                 after that command's own records
//   'S'                                           state of the model; answer: snapshot record
//
// A record is { u8 kind, u8 status, u16 beats, u32 cycles, u32 core_cycles, u32 interval, Timing } and,
// for a product, `beats` beats of result, padded to the count that its 'R' announced. `Timing` is what
// the port showed of a packet, in cycles since the host first offered a beat; it is all zero in a run
// with random gaps, where the host makes the times.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// Findings of the harness; the numbers 0 to 7 are the core's own error statuses.
enum Status : uint8_t {
  kOk = 0,
  kHang = 16,        // no result within the watchdog's limit
  kSkipped = 17,     // not run: too many faults before it
  kAborted = 18,     // abandoned by a zeroize or a reset that the test asked for
  kUnasked = 19,     // a result beat with no product waiting for it
  kBadLast = 20,     // z_last_o on the wrong beat
  kUnstable = 21,    // valid dropped or data changed before the beat was taken
  kBadError = 22,    // an error beat with status 0 or more than one beat
  kBadConfig = 23,   // cfg_done_o without a configuration, or for more than one cycle
  kNotBusy = 24,     // busy_o low with work under way
  kStuckBusy = 25,   // busy_o still high long after everything ended
  kCfgAccepted = 26, // a configuration beat taken with a product under way
  kBadCount = 27,    // core_done_o without core_start_o, or a result without both
  kPulse = 28,       // core_start_o or core_done_o after a zeroize or a reset
};

enum RecordKind : uint8_t { kConfig = 1, kProduct = 2, kAbort = 3, kSnapshot = 4 };

enum ConfigFlags : uint8_t {
  kDeferred = 1,  // do it with the next 'R', whose operands then wait while the core is set up
};

enum RunFlags : uint8_t {
  kStream = 1,    // next operands as soon as the core takes them; else one product at a time
  kGaps = 2,      // random idle cycles on the operands, random back-pressure on the result
  kNoDrain = 4,   // return once the operands are taken, results still to come
  kForce = 8,     // send the products even though no modulus was accepted
};

/// Where answers go. The model's own prints ($display) are sent to stderr instead of among them.
inline FILE* answers = nullptr;

constexpr uint32_t kNone = 0xffffffffu;
constexpr int kExitFault = 64;      // exit status of a fault after the last answer: this + Status
constexpr int kExitRule = 63;       // exit status of a broken rule of montcore_port_checker.sv
constexpr unsigned kMaxFaults = 8;  // faults after which the rest of a run is skipped

/// When the port moved, in cycles since the host first offered a beat of the product or the modulus
/// (in a stream: of its first product). For a modulus x_* are its own beats and z_first is cfg_done_o.
/// The digests cover every control output in every cycle since then: `load` up to the last operand
/// beat, `trace` up to the end (`idle`; in a stream, the last result beat).
struct Timing {
  uint32_t x_first, x_last, y_first, y_last;
  uint32_t z_first, z_last;
  uint32_t idle;  // busy_o is low again
  uint32_t load, trace;
  uint32_t origin;  // the first offer, in cycles since reset
};

struct Record {
  uint8_t kind;
  uint8_t status;
  uint16_t beats;
  uint32_t cycles;
  uint32_t core_cycles;
  uint32_t interval;
  Timing timing{};
};
static_assert(sizeof(Record) == 56, "the record is part of the stream format");

[[noreturn]] inline void fail(const char* why) {
  std::fflush(answers);
  std::fprintf(stderr, "harness: %s\n", why);
  std::exit(3);
}

inline void read(void* to, std::size_t bytes) {
  if (std::fread(to, 1, bytes, stdin) != bytes) fail("the command stream ended early");
}

template <class T>
T take() {
  T value;
  read(&value, sizeof value);
  return value;
}

inline void write(const void* from, std::size_t bytes) {
  if (std::fwrite(from, 1, bytes, answers) != bytes) std::exit(4);
}
