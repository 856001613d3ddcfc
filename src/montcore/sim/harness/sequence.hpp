// SPDX-License-Identifier: Apache-2.0
//
// Any sequence of packets, with zeroize, reset and broken rules in any cycle: the host does nothing
// kinder than the contract. What happens at the port is reported; montcore.verification.port judges
// it. The operations come on stdin; montcore.sim.sequence is the other side.
//
// An operation is { u8 kind, u8 flag, u16 number, u16 beats, u16 delay, u16 gap }, then its beats. An
// event is { u8 kind, u8 flags, u32 cycle, one beat }, zero where it has none.

#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <vector>

#include "stimulus.hpp"

namespace {

/// Plays one sequence from a reset on.
class Sequence : Port {
 public:
  Sequence(std::unique_ptr<Model> model, std::size_t beat_bytes, uint32_t limit)
      : Port(std::move(model), beat_bytes), limit_(limit) {
    drop();
    dut_->zeroize_i = dut_->rst_ni = dut_->z_ready_i = 0;
    for (int i = 0; i < 4; ++i) pass();
    dut_->rst_ni = 1;
  }

  void serve() {
    int kind;
    while ((kind = std::fgetc(stdin)) != EOF) {
      const bool flag = take<uint8_t>() != 0;
      const uint16_t number = take<uint16_t>();
      Packet packet{std::vector<uint8_t>(take<uint16_t>() * bytes_)};
      packet.delay = take<uint16_t>();
      packet.gap = take<uint16_t>();
      read(packet.data.data(), packet.data.size());
      switch (kind) {
        case kCfg: case kX: case kY: queue(streams_[kind], std::move(packet)); break;
        case kReady: ready_ = number; break;
        case kWait: for (int i = 0; i < number; ++i) cycle(); break;
        case kIdle: rest(); break;
        case kZeroize: clear(dut_->zeroize_i, 1, number, flag); break;
        case kReset: clear(dut_->rst_ni, 0, number, flag); break;
        case kBreak: break_rules(number); break;
        default: fail("unknown operation in the sequence");
      }
    }
    ready_ = 8;
    rest();
    std::fflush(answers);
  }

 private:
  enum Operation { kCfg, kX, kY, kReady, kWait, kIdle, kZeroize, kReset, kBreak };
  enum Event : uint8_t { kBeat, kValid = 3, kResult, kDone, kClear, kRest };

  struct Packet {
    std::vector<uint8_t> data;
    uint16_t delay = 0, gap = 0;  // cycles before the first beat and before each of the others
  };

  struct Stream {
    uint8_t &valid, &ready, *data, &last;
    std::deque<Packet> packets{};
    std::size_t at = 0;  // bytes of the first packet that were taken
    uint32_t wait = 0;
  };

  void queue(Stream& stream, Packet packet) {
    seen_.insert(seen_.end(), packet.data.begin(), packet.data.end());
    if (stream.packets.empty()) stream.wait = packet.delay;
    stream.packets.push_back(std::move(packet));
  }

  void drop() {
    for (Stream& stream : streams_) {
      stream.valid = stream.last = 0;
      stream.packets.clear();
      stream.at = stream.wait = 0;
    }
  }

  void offer(Stream& stream) {
    if (stream.valid || stream.packets.empty()) return;
    if (stream.wait != 0) {
      --stream.wait;
      return;
    }
    const std::vector<uint8_t>& data = stream.packets.front().data;
    put(stream.data, data.data() + stream.at);
    stream.last = stream.at + bytes_ == data.size();
    stream.valid = 1;
  }

  void taken(Stream& stream) {
    stream.valid = 0;
    stream.at += bytes_;
    stream.wait = stream.packets.front().gap;
    if (!stream.last) return;
    stream.packets.pop_front();
    stream.at = 0;
    stream.wait = stream.packets.empty() ? 0 : stream.packets.front().delay;
  }

  void pass() {
    half(false);
    half(true);
    ++now_;
  }

  void report(int kind, int flags, const uint8_t* beat = nullptr) {
    const uint8_t head[2] = {static_cast<uint8_t>(kind), static_cast<uint8_t>(flags)};
    const uint32_t cycle = static_cast<uint32_t>(now_);
    write(head, sizeof head);
    write(&cycle, sizeof cycle);
    write(beat == nullptr ? none_.data() : beat, bytes_);
  }

  /// One clock cycle, with its events: what leaves comes first, what abandons everything last.
  void cycle() {
    for (Stream& stream : streams_) offer(stream);
    const bool ready = (random_.next() & 7u) < ready_;
    dut_->z_ready_i = ready;
    half(false);
    bool moved = false;
    busy_ = dut_->busy_o || dut_->z_valid_o;
    if (dut_->z_valid_o) {
      if (!told_) report(kValid, 0);
      told_ = true;
      moved = true;  // the consumer's pauses do not count
      if (ready) {
        report(kResult, dut_->z_last_o | dut_->z_error_o << 1, dut_->z_data_o);
        told_ = !dut_->z_last_o;
      }
    }
    if (dut_->cfg_done_o) {
      report(kDone, dut_->cfg_error_o);
      moved = true;
    }
    std::array<bool, 3> gone{};
    for (int i = 0; i < 3; ++i) {
      gone[i] = streams_[i].valid && streams_[i].ready;
      if (!gone[i]) continue;
      report(kBeat + i, streams_[i].last, streams_[i].data);
      moved = true;
    }
    if (dut_->zeroize_i || !dut_->rst_ni) {
      report(kClear, 0);
      told_ = false;
      moved = true;
    }
    half(true);
    ++now_;
    for (int i = 0; i < 3; ++i) if (gone[i]) taken(streams_[i]);
    still_ = moved ? 0 : still_ + 1;
  }

  /// Until the core is at rest, or nothing has moved for too long.
  void rest() {
    bool empty;
    still_ = 0;
    do {
      empty = true;
      for (Stream& stream : streams_) empty = empty && stream.packets.empty();
      cycle();
    } while ((!empty || busy_) && still_ <= limit_);
    int offered = 0;
    for (int i = 0; i < 3; ++i) offered |= streams_[i].valid << i;
    report(kRest, busy_ << 4 | (still_ > limit_) << 3 | offered);
  }

  void clear(uint8_t& pin, uint8_t active, int cycles, bool drops) {
    if (drops) drop();
    pin = active;
    for (int i = 0; i < cycles; ++i) cycle();
    pin = !active;
  }

  /// The host changes and withdraws what it has offered; then zeroize, after which all is well.
  void break_rules(int cycles) {
    const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
    std::fflush(nullptr);
    FILE* const nowhere = std::fopen("/dev/null", "w");
    if (out < 0 || error < 0 || nowhere == nullptr) fail("/dev/null cannot be opened");
    dup2(fileno(nowhere), STDOUT_FILENO);  // the port checker's complaints
    dup2(fileno(nowhere), STDERR_FILENO);
    breaking_ = true;
    for (int i = 0; i < cycles; ++i) {
      for (Stream& stream : streams_) {
        stream.valid = random_.next() & 1u;
        stream.last = (random_.next() & 3u) == 0;
        if (!seen_.empty()) {
          put(stream.data, &seen_[random_.next() % (seen_.size() / bytes_) * bytes_]);
        }
      }
      dut_->z_ready_i = random_.next() & 1u;
      pass();
    }
    drop();
    dut_->zeroize_i = 1;
    pass();
    dut_->zeroize_i = 0;
    breaking_ = told_ = false;
    report(kClear, 0);
    std::fflush(stdout);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    for (const int file : {out, error}) close(file);
    std::fclose(nowhere);
  }

  bool noticed() const override { return breaking_; }

  std::array<Stream, 3> streams_{
      {{dut_->cfg_valid_i, dut_->cfg_ready_o, dut_->cfg_data_i, dut_->cfg_last_i},
       {dut_->x_valid_i, dut_->x_ready_o, dut_->x_data_i, dut_->x_last_i},
       {dut_->y_valid_i, dut_->y_ready_o, dut_->y_data_i, dut_->y_last_i}}};
  const std::vector<uint8_t> none_ = std::vector<uint8_t>(bytes_);
  const uint32_t limit_;
  std::vector<uint8_t> seen_;  // every beat so far
  Random random_{0x9e3779b97f4a7c15ull};
  uint32_t ready_ = 8;  // eighths of the cycles in which the consumer is ready
  uint32_t still_ = 0;  // cycles in which nothing moved
  bool busy_ = false, told_ = false, breaking_ = false;
};

}  // namespace
