// SPDX-License-Identifier: Apache-2.0
//
// A netlist of gates as a table that a loop walks through, with the interface of a Verilated model as
// far as the harness uses it.
//
// A model compiled from a netlist of 400 kGE keeps the C++ compiler busy for longer than synthesis
// takes; the table needs no compiler. Gates are ordered so that each comes after those that
// drive it, so that one walk settles everything. Registers sample at the rising edge of the clock port
// that they name, all at once.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using EData = uint32_t;

/// A port of more than 64 bits.
template <std::size_t N>
struct VlWide {
  EData words[N];
  EData* data() { return words; }
  const EData* data() const { return words; }
};

/// Holds the seed from which registers and memories start.
class VerilatedContext {
 public:
  void randReset(int) {}
  void fatalOnError(bool) {}
  void gotError(bool) {}
  void gotFinish(bool) {}
  bool gotError() const { return false; }  // a netlist has no assertions
  void randSeed(int seed) { seed_ = static_cast<uint64_t>(seed); }
  uint64_t seed() const { return seed_; }

 private:
  uint64_t seed_ = 1;
};

/// One gate: output = bit of the truth table that the inputs number. With `kMemory` set, the output
/// is not used and the rest of `table` is the number of a memory to read; with `kWide` set, the rest is
/// the number of a look-up table with more inputs; with `kWord` set, that of a product or sum. With
/// `kLatch` set, the output takes the first input while the second is high.
struct Gate {
  static constexpr uint32_t kMemory = 0x80000000u;
  static constexpr uint32_t kWide = 0x40000000u;
  static constexpr uint32_t kWord = 0x20000000u;
  static constexpr uint32_t kLatch = 0x10000000u;
  uint32_t table;
  uint32_t output;
  uint32_t inputs[4];
};

/// A look-up table of five or six inputs.
struct Wide {
  uint64_t table;
  uint32_t output;
  uint32_t inputs[6];
  uint32_t unused;
};

/// A product or a sum of words. Its nets follow each other in the list of all words' nets:
/// operands of at most 64 bits, then the result of at most 128.
struct Word {
  enum : uint32_t { kMul, kAdd, kSub };
  uint32_t kind, is_signed, a_bits, b_bits, y_bits, first;
};

/// One register: q takes d at the rising edge of the net `clock`.
struct Register {
  uint32_t clock, d, q;
};

/// One memory: written at the rising edge of the net `clock`, read at any time or, if it is clocked,
/// at that edge too; a word that is read and written at one edge is then random. Its nets follow
/// each other in the list of all memories' nets: write enable, write address, data, read
/// address, data read.
struct Memory {
  uint32_t clock, rows, width, address_bits, first, clocked;
};

/// Numbers at the head of the table, and the tables after them, in this order.
struct Head {
  uint32_t nets, gates, registers, memories, memory_nets, wides, words, word_nets;
};

class GateModel {
 public:
  GateModel(const unsigned char* table, uint64_t seed) {
    std::memcpy(&head_, table, sizeof head_);
    table += sizeof head_;
    take(gates_, head_.gates, table);
    take(registers_, head_.registers, table);
    take(memories_, head_.memories, table);
    take(memory_nets_, head_.memory_nets, table);
    take(words_, head_.words, table);
    take(word_nets_, head_.word_nets, table);
    take(wides_, head_.wides, table);
    value_.assign(head_.nets, 0);
    value_[1] = 1;  // nets 0 and 1 are the constants
    ahead_ = value_;
    next_.resize(registers_.size());
    random_ = seed * 0x9e3779b97f4a7c15ull + 0x1234567ull;
    for (const Register& item : registers_) value_[item.q] = bit();
    for (const Gate& gate : gates_) {
      if (!(gate.table & Gate::kLatch)) continue;
      latches_ = true;
      value_[gate.output] = bit();
    }
    for (const Memory& item : memories_) {
      std::vector<uint8_t> content(static_cast<std::size_t>(item.rows) * item.width);
      for (uint8_t& cell : content) cell = bit();
      contents_.push_back(content);
      fetched_.emplace_back(item.clocked ? item.width : 0);
      for (unsigned i = 0; item.clocked && i < item.width; ++i) value_[data_read(item)[i]] = bit();
    }
    if ((toggles_path_ = std::getenv("MONTCORE_TOGGLES")) != nullptr) {
      toggles_.assign(head_.nets, 0);
      counted_ = value_;
    }
  }

  /// Write the toggles, if they were counted; a file that is too short tells that it failed.
  void final() const {
    if (toggles_path_ == nullptr) return;
    std::FILE* file = std::fopen(toggles_path_, "wb");
    if (file == nullptr) return;
    std::fwrite(toggles_.data(), sizeof toggles_[0], toggles_.size(), file);
    std::fclose(file);
  }

  /// Set the bits of an input port.
  void set(const uint32_t* nets, unsigned width, const void* from) {
    const uint8_t* bytes = static_cast<const uint8_t*>(from);
    for (unsigned i = 0; i < width; ++i) {
      const uint8_t now = bytes[i / 8] >> (i % 8) & 1;
      if (value_[nets[i]] != now) {
        value_[nets[i]] = now;
        changed_ = true;
      }
    }
  }

  /// Set a clock; gates see it once the registers have sampled.
  void set_clock(uint32_t net, uint8_t value) { ahead_[net] = value & 1; }

  /// Read the bits of an output port.
  void get(const uint32_t* nets, unsigned width, void* to) const {
    uint8_t* bytes = static_cast<uint8_t*>(to);
    std::memset(bytes, 0, (width + 7) / 8);
    for (unsigned i = 0; i < width; ++i) bytes[i / 8] |= value_[nets[i]] << (i % 8);
  }

  /// Settle, let the edges of `clocks` act, and settle again.
  void step(const uint32_t* clocks, unsigned number) {
    if (changed_) settle();
    bool edge = false, moved = false;
    for (unsigned i = 0; i < number; ++i) {
      edge |= rises(clocks[i]);
      moved |= ahead_[clocks[i]] != value_[clocks[i]];
    }
    if (edge) {
      if (toggles_path_ != nullptr) count_toggles();
      for (std::size_t i = 0; i < registers_.size(); ++i) {
        const Register& item = registers_[i];
        next_[i] = value_[rises(item.clock) ? item.d : item.q];
      }
      for (std::size_t i = 0; i < memories_.size(); ++i) {
        if (!rises(memories_[i].clock)) continue;
        if (memories_[i].clocked) fetch(memories_[i], contents_[i], fetched_[i]);
        write(memories_[i], contents_[i]);
      }
      for (std::size_t i = 0; i < registers_.size(); ++i) value_[registers_[i].q] = next_[i];
      for (std::size_t i = 0; i < memories_.size(); ++i) {
        if (!rises(memories_[i].clock)) continue;
        const uint32_t* nets = data_read(memories_[i]);
        for (std::size_t k = 0; k < fetched_[i].size(); ++k) value_[nets[k]] = fetched_[i][k];
      }
    }
    for (unsigned i = 0; i < number; ++i) value_[clocks[i]] = ahead_[clocks[i]];
    if (edge || (moved && latches_)) settle();
  }

 private:
  template <class T>
  static void take(std::vector<T>& to, std::size_t number, const unsigned char*& from) {
    to.resize(number);
    std::memcpy(to.data(), from, number * sizeof(T));
    from += number * sizeof(T);
  }

  void count_toggles() {
    for (std::size_t net = 0; net < toggles_.size(); ++net) {
      toggles_[net] += value_[net] ^ counted_[net];
    }
    counted_ = value_;
  }

  uint8_t bit() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ >> 40 & 1;
  }

  bool rises(uint32_t net) const { return ahead_[net] && !value_[net]; }

  uint32_t number(const uint32_t* nets, unsigned width) const {
    uint32_t result = 0;
    for (unsigned i = 0; i < width; ++i) result |= static_cast<uint32_t>(value_[nets[i]]) << i;
    return result;
  }

  void write(const Memory& item, std::vector<uint8_t>& content) {
    const uint32_t* nets = &memory_nets_[item.first];
    const uint32_t row = number(nets + 1, item.address_bits);
    if (!value_[nets[0]] || row >= item.rows) return;
    const uint32_t* data = nets + 1 + item.address_bits;
    for (unsigned i = 0; i < item.width; ++i) content[row * item.width + i] = value_[data[i]];
  }

  const uint32_t* data_read(const Memory& item) const {
    return &memory_nets_[item.first] + 1 + 2 * item.address_bits + item.width;
  }

  void fetch(const Memory& item, const std::vector<uint8_t>& content, std::vector<uint8_t>& to) {
    const uint32_t* nets = &memory_nets_[item.first];
    const uint32_t row = number(nets + 1 + item.address_bits + item.width, item.address_bits);
    const bool known =
        row < item.rows && !(value_[nets[0]] && row == number(nets + 1, item.address_bits));
    for (unsigned i = 0; i < item.width; ++i) to[i] = known ? content[row * item.width + i] : bit();
  }

  void read(const Memory& item, const std::vector<uint8_t>& content) {
    const uint32_t* address = &memory_nets_[item.first] + 1 + item.address_bits + item.width;
    const uint32_t row = number(address, item.address_bits);
    const uint32_t* data = address + item.address_bits;
    for (unsigned i = 0; i < item.width; ++i) {
      value_[data[i]] = row < item.rows ? content[row * item.width + i] : 0;
    }
  }

  /// Return an operand with its sign or zeros above it.
  unsigned __int128 operand(const uint32_t* nets, unsigned width, bool is_signed) const {
    uint64_t bits = 0;
    for (unsigned i = 0; i < width; ++i) bits |= static_cast<uint64_t>(value_[nets[i]]) << i;
    unsigned __int128 result = bits;
    if (is_signed && width != 0 && bits >> (width - 1) & 1) result |= ~(unsigned __int128){0} << width;
    return result;
  }

  void compute(const Word& item) {
    const uint32_t* nets = &word_nets_[item.first];
    const unsigned __int128 a = operand(nets, item.a_bits, item.is_signed);
    const unsigned __int128 b = operand(nets + item.a_bits, item.b_bits, item.is_signed);
    const unsigned __int128 y =
        item.kind == Word::kMul ? a * b : item.kind == Word::kAdd ? a + b : a - b;
    const uint32_t* out = nets + item.a_bits + item.b_bits;
    for (unsigned i = 0; i < item.y_bits; ++i) value_[out[i]] = static_cast<uint8_t>(y >> i & 1);
  }

  void settle() {
    uint8_t* value = value_.data();
    for (const Gate& gate : gates_) {
      if (gate.table & Gate::kMemory) {
        const uint32_t which = gate.table & ~Gate::kMemory;
        read(memories_[which], contents_[which]);
        continue;
      }
      if (gate.table & Gate::kWide) {
        const Wide& wide = wides_[gate.table & ~Gate::kWide];
        unsigned index = 0;
        for (unsigned i = 0; i < 6; ++i) index |= value[wide.inputs[i]] << i;
        value[wide.output] = wide.table >> index & 1;
        continue;
      }
      if (gate.table & Gate::kWord) {
        compute(words_[gate.table & ~Gate::kWord]);
        continue;
      }
      const uint32_t* in = gate.inputs;
      if (gate.table & Gate::kLatch) {
        if (value[in[1]]) value[gate.output] = value[in[0]];
        continue;
      }
      const unsigned index =
          value[in[0]] | value[in[1]] << 1 | value[in[2]] << 2 | value[in[3]] << 3;
      value[gate.output] = gate.table >> index & 1;
    }
    changed_ = false;
  }

  Head head_{};
  std::vector<Gate> gates_;
  std::vector<Register> registers_;
  std::vector<Memory> memories_;
  std::vector<uint32_t> memory_nets_;
  std::vector<Word> words_;
  std::vector<uint32_t> word_nets_;
  std::vector<Wide> wides_;
  std::vector<uint8_t> value_, ahead_, next_;
  std::vector<std::vector<uint8_t>> contents_, fetched_;
  const char* toggles_path_ = nullptr;
  std::vector<uint32_t> toggles_;
  std::vector<uint8_t> counted_;
  uint64_t random_ = 1;
  bool changed_ = true, latches_ = false;
};
