// SPDX-License-Identifier: Apache-2.0
//
// Runs the C driver against a Verilated core: the port's functions clock the model. Stands behind
// montcore_driver.h, montcore_driver.c and the header of a build in one file. Reads lines from stdin:
//   load BITS HEX        prints the status, log2 R and R^2 mod m
//   mul HEX HEX          prints the status and z
//   modmul HEX HEX       likewise, x y mod m
//   zeroize              prints the status and 0
//   break                from now on the port fails

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "Vdut.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

constexpr int kLimit = 200000;  // cycles that the driver waits for anything

template <class T>
void set(T& port, const uint32_t* beat) {
  uint64_t value = beat[0];
  if (sizeof(T) > 4) value |= static_cast<uint64_t>(beat[1]) << 32;
  port = static_cast<T>(value);
}
template <std::size_t N>
void set(VlWide<N>& port, const uint32_t* beat) {
  std::memcpy(port.data(), beat, 4 * N);
}
template <class T>
void get(const T& port, uint32_t* beat) {
  beat[0] = static_cast<uint32_t>(port);
  if (sizeof(T) > 4) beat[1] = static_cast<uint32_t>(static_cast<uint64_t>(port) >> 32);
}
template <std::size_t N>
void get(const VlWide<N>& port, uint32_t* beat) {
  std::memcpy(beat, port.data(), 4 * N);
}

struct Board {
  VerilatedContext context;
  std::unique_ptr<Vdut> dut;
  bool broken = false;

  Board() : dut(new Vdut(&context)) {
    dut->rst_ni = 0;
    for (int i = 0; i < 4; ++i) edge();
    dut->rst_ni = 1;
  }
  void edge() {
    dut->clk_i = 1;
    dut->eval();
    dut->clk_i = 0;
    dut->eval();
  }
  // Clocks until a condition holds; false if it does not within the limit.
  template <class Condition>
  bool within_limit(Condition holds) {
    for (int cycle = 0; cycle < kLimit; ++cycle) {
      dut->eval();
      if (holds()) return true;
      edge();
    }
    return false;
  }
};

int configure(void* context, const uint32_t* beat, int last) {
  Board& board = *static_cast<Board*>(context);
  if (board.broken) return 1;
  Vdut& dut = *board.dut;
  set(dut.cfg_data_i, beat);
  dut.cfg_last_i = last;
  dut.cfg_valid_i = 1;
  if (!board.within_limit([&] { return dut.cfg_ready_o; })) return 1;
  if (last) return 0;  // the edge is left to `configured`, which must not miss the pulse
  board.edge();
  dut.cfg_valid_i = 0;
  return 0;
}

int configured(void* context, unsigned* error) {
  Board& board = *static_cast<Board*>(context);
  Vdut& dut = *board.dut;
  board.edge();
  dut.cfg_valid_i = 0;
  if (!board.within_limit([&] { return dut.cfg_done_o; })) return 1;
  *error = dut.cfg_error_o;
  return 0;
}

int operands(void* context, const uint32_t* x, const uint32_t* y, int last) {
  Board& board = *static_cast<Board*>(context);
  if (board.broken) return 1;
  Vdut& dut = *board.dut;
  set(dut.x_data_i, x);
  set(dut.y_data_i, y);
  dut.x_last_i = dut.y_last_i = last;
  dut.x_valid_i = dut.y_valid_i = 1;
  for (int cycle = 0; cycle < kLimit; ++cycle) {
    dut.eval();
    bool x_taken = dut.x_valid_i && dut.x_ready_o, y_taken = dut.y_valid_i && dut.y_ready_o;
    board.edge();
    if (x_taken) dut.x_valid_i = 0;
    if (y_taken) dut.y_valid_i = 0;
    if (!dut.x_valid_i && !dut.y_valid_i) return 0;
  }
  return 1;
}

int result(void* context, uint32_t* beat, int* last, int* error) {
  Board& board = *static_cast<Board*>(context);
  Vdut& dut = *board.dut;
  dut.z_ready_i = 1;
  if (!board.within_limit([&] { return dut.z_valid_o; })) return 1;
  get(dut.z_data_o, beat);
  *last = dut.z_last_o;
  *error = dut.z_error_o;
  board.edge();
  dut.z_ready_i = 0;
  return 0;
}

int zeroize(void* context) {
  Board& board = *static_cast<Board*>(context);
  Vdut& dut = *board.dut;
  dut.zeroize_i = 1;
  board.edge();
  dut.zeroize_i = 0;
  return !board.within_limit([&] { return !dut.busy_o; });
}

std::vector<uint32_t> parse(const std::string& text, unsigned limbs) {
  std::vector<uint32_t> number(limbs, 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned digit = std::stoul(std::string(1, text[text.size() - 1 - i]), nullptr, 16);
    if (i / 8 < limbs) number[i / 8] |= digit << (4 * (i % 8));
  }
  return number;
}

std::string print(const std::vector<uint32_t>& number) {
  std::string text;
  for (std::size_t i = 0; i < number.size(); ++i) {
    char limb[9];
    std::snprintf(limb, sizeof limb, "%08x", number[number.size() - 1 - i]);
    text += limb;
  }
  return text;
}

}  // namespace

int main() {
  Board board;
  const montcore_port port = {&board, configure, configured, operands, result, zeroize};
  montcore core;
  if (montcore_init(&core, &MONTCORE_BUILD, &port) != MONTCORE_OK) return 1;
  unsigned limbs = 1;
  std::vector<uint32_t> r_squared;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb, first, second;
    words >> verb >> first >> second;
    if (verb == "break") {
      board.broken = true;
    } else if (verb == "zeroize") {
      std::cout << montcore_zeroize(&core) << " 0" << std::endl;
    } else if (verb == "load") {
      const unsigned bits = std::stoul(first);
      limbs = montcore_limbs(bits);
      const auto modulus = parse(second, limbs);
      const int status = montcore_load(&core, modulus.data(), bits);
      r_squared.assign(limbs, 0);
      if (status == MONTCORE_OK)
        montcore_r_squared(modulus.data(), bits, montcore_r_bits(&core), r_squared.data());
      std::cout << status << ' ' << montcore_r_bits(&core) << ' ' << print(r_squared) << std::endl;
    } else {
      // The result takes the place of X.
      auto x = parse(first, limbs);
      const auto y = parse(second, limbs);
      const int status = verb == "mul"
                             ? montcore_multiply(&core, x.data(), y.data(), x.data())
                             : montcore_modmul(&core, r_squared.data(), x.data(), y.data(), x.data());
      std::cout << status << ' ' << print(x) << std::endl;
    }
  }
  board.dut->final();
  return 0;
}
