// SPDX-License-Identifier: Apache-2.0
//
// Clocks, console and noise of the board, around the simulated system.
//
//   simulator SEED LIMIT PART
//
// PART is a character that the firmware gets from the console. The bytes of the console go to standard output until the firmware sends EOT (0x04), or until LIMIT
// cycles of the system's clock have passed, which ends with exit code 3. The last line tells the cycles.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vdut.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  uint64_t noise = std::strtoull(argv[1], nullptr, 10) * 0x9e3779b97f4a7c15u + 1;
  const uint64_t limit = std::strtoull(argv[2], nullptr, 10);
  const auto context = std::make_unique<VerilatedContext>();
  context->randSeed(1);
  const auto chip = std::make_unique<Vdut>(context.get());
  chip->serial_source_ready = 1;
  chip->serial_sink_valid = 1;
  chip->serial_sink_data = static_cast<uint8_t>(argv[3][0]);
  uint64_t cycles = 0;
  int code = 3;
  for (; cycles < limit; ++cycles) {
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    chip->entropy = static_cast<uint32_t>(noise >> 32);
    const bool taken = chip->serial_sink_valid && chip->serial_sink_ready;
    chip->sys_clk = 1;
#ifdef CHIP_DOUBLE
    chip->sys2x_clk = 1;
    chip->eval();
    chip->sys2x_clk = 0;
    chip->eval();
    chip->sys2x_clk = 1;
#else
    chip->eval();
#endif
    chip->sys_clk = 0;
    chip->eval();
#ifdef CHIP_DOUBLE
    chip->sys2x_clk = 0;
    chip->eval();
#endif
    if (taken && cycles > 16) chip->serial_sink_valid = 0;
    if (chip->serial_source_valid) {
      if (chip->serial_source_data == 4) {
        code = 0;
        break;
      }
      std::putchar(chip->serial_source_data);
      if (chip->serial_source_data == '\n') std::fflush(stdout);
    }
  }
  std::printf("\ncycles %" PRIu64 "\n", cycles);
  chip->final();
  return code;
}
