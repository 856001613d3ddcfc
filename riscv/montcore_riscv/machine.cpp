// SPDX-License-Identifier: Apache-2.0
//
// Drives a simulated RISC-V core: loads a program, runs it until it waits for a job, and then runs each
// job in a child process, a copy of everything at that moment. So all jobs start from one state of
// the core, its predictors and its caches, and the only difference between two of them are operands.
//
// Standard input, 32-bit little-endian words:
//   RAM start, RAM bytes, address of `job`, cycles after which the program must wait for a job;
//   number of segments, then each: address, bytes, content;
//   jobs: 16 words (function, calls, 8 arguments, number of pieces to write, address and bytes to read,
//   cycle limit, 2 unused), then each piece: address, bytes, content.
// Standard output, for each job: status (0 done, 1 cycle limit), cycles, a0, then what was to be read.

#include "Vdut.h"
#include "verilated.h"
#include "verilated_syms.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

enum JobWord { kState, kFunction, kCalls, kNullCycles, kArguments, kCycles = 12, kValue };
constexpr uint32_t kReady = 1, kGo = 2;

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "machine: %s\n", what);
  _exit(2);
}

void get(void *to, size_t bytes) {
  // read(2), not stdio: a child must not share a buffer with its parent.
  auto *target = static_cast<uint8_t *>(to);
  while (bytes > 0) {
    const ssize_t count = read(0, target, bytes);
    if (count <= 0) fail("input ended");
    target += count;
    bytes -= size_t(count);
  }
}

bool get_or_end(void *to, size_t bytes) {
  auto *target = static_cast<uint8_t *>(to);
  const ssize_t count = read(0, target, bytes);
  if (count == 0) return false;
  if (count < 0) fail("input failed");
  get(target + count, bytes - size_t(count));
  return true;
}

uint32_t get_word() {
  uint32_t word;
  get(&word, sizeof word);
  return word;
}

void put(const void *from, size_t bytes) {
  const auto *source = static_cast<const uint8_t *>(from);
  while (bytes > 0) {
    const ssize_t count = write(1, source, bytes);
    if (count <= 0) fail("output failed");
    source += count;
    bytes -= size_t(count);
  }
}

uint32_t ram_start, ram_bytes;

// ---- memory ------------------------------------------------------------------------------------

#if defined(MACHINE_ROCKET)
// The core's tightly coupled memory: four arrays of bytes, one for each lane of a word.
uint8_t *lanes[4];

void find_memory() {
  const VerilatedScopeNameMap *scopes = Verilated::threadContextp()->scopeNameMap();
  for (const auto &entry : *scopes) {
    for (int lane = 0; lane < 4; ++lane) {
      const std::string name = "data_arrays_0_" + std::to_string(lane);
      if (const VerilatedVar *var = entry.second->varFind(name.c_str())) {
        lanes[lane] = static_cast<uint8_t *>(var->datap());
      }
    }
  }
  for (const uint8_t *lane : lanes) {
    if (lane == nullptr) fail("the core's memory was not found");
  }
}

uint8_t &at(uint32_t address) {
  const uint32_t offset = address - ram_start;
  if (offset >= ram_bytes) fail("address outside of the memory");
  return lanes[offset & 3][offset >> 2];
}
#else
std::vector<uint8_t> ram;

void find_memory() { ram.assign(ram_bytes, 0); }

uint8_t &at(uint32_t address) {
  const uint32_t offset = address - ram_start;
  if (offset >= ram_bytes) fail("address outside of the memory");
  return ram[offset];
}

// What the buses use: an address outside of the memory reads as zero, as an early fetch may have one.
uint32_t bus_read(uint32_t address) {
  const uint32_t offset = (address & ~3u) - ram_start;
  uint32_t word = 0;
  if (offset < ram_bytes) memcpy(&word, &ram[offset], 4);
  return word;
}

bool in_reset = true;  // registers start random, those that make a request among them

void bus_write(uint32_t address, uint32_t word, unsigned mask) {
  if (in_reset) return;
  const uint32_t offset = (address & ~3u) - ram_start;
  if (offset >= ram_bytes) fail("the program stored outside of the memory");
  for (int i = 0; i < 4; ++i) {
    if (mask >> i & 1) ram[offset + i] = uint8_t(word >> 8 * i);
  }
}
#endif

uint32_t load(uint32_t address) {
  return at(address) | at(address + 1) << 8 | at(address + 2) << 16 | uint32_t(at(address + 3)) << 24;
}

void store(uint32_t address, uint32_t word) {
  for (int i = 0; i < 4; ++i) at(address + i) = uint8_t(word >> 8 * i);
}

// ---- cores: one clock cycle each ---------------------------------------------------------------------

std::unique_ptr<VerilatedContext> context;
std::unique_ptr<Vdut> dut;

#if defined(MACHINE_ROCKET)
void set_reset(bool on) { dut->reset = on; }

void cycle() {
  dut->clock = 0;
  dut->eval();
  dut->clock = 1;
  dut->eval();
}
#elif defined(MACHINE_VEXRISCV)
// Wishbone, acknowledged in the cycle of the request.
void set_reset(bool on) {
  dut->reset = on;
  dut->externalResetVector = ram_start;
  dut->timerInterrupt = dut->softwareInterrupt = 0;
  dut->externalInterruptArray = 0;
  dut->iBusWishbone_ERR = dut->dBusWishbone_ERR = 0;
}

void cycle() {
  dut->clk = 0;
  dut->eval();
  dut->iBusWishbone_ACK = dut->iBusWishbone_CYC && dut->iBusWishbone_STB;
  if (dut->iBusWishbone_ACK) dut->iBusWishbone_DAT_MISO = bus_read(dut->iBusWishbone_ADR << 2);
  dut->dBusWishbone_ACK = dut->dBusWishbone_CYC && dut->dBusWishbone_STB;
  if (dut->dBusWishbone_ACK) {
    const uint32_t address = dut->dBusWishbone_ADR << 2;
    if (dut->dBusWishbone_WE) {
      bus_write(address, dut->dBusWishbone_DAT_MOSI, dut->dBusWishbone_SEL);
    } else {
      dut->dBusWishbone_DAT_MISO = bus_read(address);
    }
  }
  dut->eval();
  dut->clk = 1;
  dut->eval();
}
#elif defined(MACHINE_PICORV32)
// Its native memory port, answered in the cycle of the request.
void set_reset(bool on) {
  dut->resetn = !on;
#if !defined(MACHINE_RVX)
  dut->irq = 0;
  dut->pcpi_wr = dut->pcpi_rd = dut->pcpi_wait = dut->pcpi_ready = 0;
#endif
}

void cycle() {
  dut->clk = 0;
  dut->eval();
  dut->mem_ready = dut->mem_valid;
  if (dut->mem_valid) {
    if (dut->mem_wstrb) {
      bus_write(dut->mem_addr, dut->mem_wdata, dut->mem_wstrb);
    } else {
      dut->mem_rdata = bus_read(dut->mem_addr);
    }
  }
  dut->eval();
  dut->clk = 1;
  dut->eval();
}
#elif defined(MACHINE_CV32E40P)
// OBI: granted at once, answered in the next cycle.
void set_reset(bool on) {
  dut->rst_ni = !on;
  dut->fetch_enable_i = 1;
  dut->boot_addr_i = ram_start;
  dut->mtvec_addr_i = ram_start;
  dut->pulp_clock_en_i = 1;
  dut->scan_cg_en_i = 0;
  dut->hart_id_i = dut->dm_halt_addr_i = dut->dm_exception_addr_i = 0;
  dut->irq_i = 0;
  dut->debug_req_i = 0;
  dut->instr_gnt_i = dut->data_gnt_i = 1;
}

void cycle() {
  dut->clk_i = 0;
  dut->eval();
  const bool fetch = dut->instr_req_o, access = dut->data_req_o;
  const uint32_t instruction = fetch ? bus_read(dut->instr_addr_o) : 0;
  uint32_t data = 0;
  if (access) {
    if (dut->data_we_o) {
      bus_write(dut->data_addr_o, dut->data_wdata_o, dut->data_be_o);
    } else {
      data = bus_read(dut->data_addr_o);
    }
  }
  dut->clk_i = 1;
  dut->eval();
  dut->instr_rvalid_i = fetch;
  dut->instr_rdata_i = instruction;
  dut->data_rvalid_i = access;
  dut->data_rdata_i = data;
}
#else
#error "no core was chosen"
#endif

// Run until the program waits for a job; false after `limit` cycles.
bool run_until_ready(uint32_t job, uint64_t limit) {
  for (uint64_t i = 0; i < limit; ++i) {
    cycle();
    if (load(job + 4 * kState) == kReady) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char **argv) {
  ram_start = get_word();
  ram_bytes = get_word();
  const uint32_t job = get_word();
  const uint32_t boot_limit = get_word();

  context = std::make_unique<VerilatedContext>();
#if defined(MACHINE_ROCKET)
  context->randReset(0);  // its debug unit is never clocked, and would halt the core by chance
#else
  context->randReset(2);
#endif
  context->randSeed(1);
  context->commandArgs(argc, argv);
  dut = std::make_unique<Vdut>(context.get());
  find_memory();
  // An asynchronous reset is an edge: it must have been off before it comes on.
  set_reset(false);
  cycle();
  set_reset(true);
  for (int i = 0; i < 100; ++i) cycle();
  for (uint32_t left = get_word(); left > 0; --left) {
    const uint32_t address = get_word();
    std::vector<uint8_t> content(get_word());
    get(content.data(), content.size());
    for (size_t i = 0; i < content.size(); ++i) at(address + i) = content[i];
  }
  set_reset(false);
#if !defined(MACHINE_ROCKET)
  in_reset = false;
#endif
  if (!run_until_ready(job, boot_limit)) fail("the program did not come to wait for a job");
  // A few turns of the waiting loop, so that it is in a steady state.
  for (int i = 0; i < 1000; ++i) cycle();

  for (;;) {
    uint32_t words[16];
    if (!get_or_end(words, sizeof words)) return 0;
    const pid_t child = fork();
    if (child < 0) fail("fork failed");
    if (child == 0) {
      store(job + 4 * kFunction, words[0]);
      store(job + 4 * kCalls, words[1]);
      for (int i = 0; i < 8; ++i) store(job + 4 * (kArguments + i), words[2 + i]);
      for (uint32_t left = words[10]; left > 0; --left) {
        const uint32_t address = get_word();
        std::vector<uint8_t> content(get_word());
        get(content.data(), content.size());
        for (size_t i = 0; i < content.size(); ++i) at(address + i) = content[i];
      }
      store(job + 4 * kState, kGo);
      const bool done = run_until_ready(job, words[13]);
      std::vector<uint32_t> answer = {done ? 0u : 1u, load(job + 4 * kCycles), load(job + 4 * kValue)};
      put(answer.data(), 12);
      std::vector<uint8_t> content(words[12]);
      for (size_t i = 0; i < content.size(); ++i) content[i] = at(words[11] + i);
      put(content.data(), content.size());
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) fail("a job's process failed");
  }
}
