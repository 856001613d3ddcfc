// SPDX-License-Identifier: Apache-2.0
//
// What the harness drives into the port: modulus and operand packets, random gaps, back-pressure.

#pragma once

#include <cstdint>
#include <vector>

#include "port.hpp"

namespace {

/// Small, fast and reproducible: the pattern of gaps depends on the seed only.
struct Random {
  uint64_t state;
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<uint32_t>(state >> 32);
  }
  bool chance(uint32_t of_256) { return (next() & 255u) < of_256; }
};

struct Job {
  const uint8_t* x;
  const uint8_t* y;
  uint16_t x_beats;
  uint16_t y_beats;
};

/// One operand stream: the packet on offer and how far it is.
struct Source {
  const uint8_t* data = nullptr;
  uint32_t beats = 0;
  uint32_t beat = 0;
  bool valid = false;
};

/// The streams into the core, and the consumer's readiness.
class Stimulus : protected Port {
 protected:
  Stimulus(std::unique_ptr<Model> model, std::size_t beat_bytes, uint64_t seed)
      : Port(std::move(model), beat_bytes) {
    random_.state = seed * 0x9e3779b97f4a7c15ull + 0x1234567ull;
    zero_.assign(bytes_, 0);
    dut_->zeroize_i = 0;
    dut_->cfg_valid_i = 0;
    dut_->x_valid_i = 0;
    dut_->y_valid_i = 0;
    dut_->z_ready_i = 0;
  }

  void flush_sources() {
    for (Source* source : {&cfg_, &x_, &y_}) source->valid = false;
    cfg_.beats = cfg_.beat = 0;
    dut_->cfg_valid_i = 0;
    dut_->x_valid_i = 0;
    dut_->y_valid_i = 0;
    put(dut_->cfg_data_i, zero_.data());
    put(dut_->x_data_i, zero_.data());
    put(dut_->y_data_i, zero_.data());
  }

  /// Drives the inputs of the coming cycle; returns whether the consumer takes a result beat.
  bool drive() {
    if (!x_.valid && (x_.beat < x_.beats || next_x_ < released_)) offer(x_, next_x_, true);
    if (!y_.valid && (y_.beat < y_.beats || next_y_ < released_)) offer(y_, next_y_, false);
    if (!cfg_.valid && cfg_.beat < cfg_.beats && !(gaps_ && random_.chance(64))) {
      put(dut_->cfg_data_i, cfg_.data + cfg_.beat * bytes_);
      dut_->cfg_last_i = cfg_.beat + 1 == cfg_.beats;
      dut_->cfg_valid_i = 1;
      cfg_.valid = true;
    }
    const bool ready = !gaps_ || !random_.chance(z_gap_);
    dut_->z_ready_i = ready;
    return ready;
  }

  /// After the clock edge: lowers the valid of each stream whose beat was taken, or of `all`.
  void drop(bool all) {
    if (all || drop_x_) { dut_->x_valid_i = 0; drop_x_ = false; }
    if (all || drop_y_) { dut_->y_valid_i = 0; drop_y_ = false; }
    if (all || drop_cfg_) { dut_->cfg_valid_i = 0; drop_cfg_ = false; }
  }

  /// Often no gap at all, sometimes a few, sometimes almost nothing but gaps.
  uint32_t pick_gap() {
    static constexpr uint32_t kChoice[4] = {0, 32, 128, 232};
    return kChoice[random_.next() & 3u];
  }

  /// How many products have had at least one beat taken.
  std::size_t jobs_started() const {
    const std::size_t x = next_x_ + (x_.beat != 0 && x_.beat < x_.beats ? 1 : 0);
    const std::size_t y = next_y_ + (y_.beat != 0 && y_.beat < y_.beats ? 1 : 0);
    return x > y ? x : y;
  }

  void read_jobs(uint32_t count) {
    // The sizes are needed before the addresses: operands lie in one block that may still grow.
    payload_.clear();
    std::vector<std::size_t> offset(count);
    jobs_.assign(count, Job{});
    payload_.reserve(count * 2 * run_beats_ * bytes_);
    for (uint32_t i = 0; i < count; ++i) {
      jobs_[i].x_beats = take<uint16_t>();
      jobs_[i].y_beats = take<uint16_t>();
      offset[i] = payload_.size();
      const std::size_t bytes = (std::size_t{jobs_[i].x_beats} + jobs_[i].y_beats) * bytes_;
      payload_.resize(offset[i] + bytes);
      read(payload_.data() + offset[i], bytes);
    }
    for (uint32_t i = 0; i < count; ++i) {
      jobs_[i].x = payload_.data() + offset[i];
      jobs_[i].y = jobs_[i].x + jobs_[i].x_beats * bytes_;
    }
  }

  Source cfg_, x_, y_;
  bool drop_cfg_ = false, drop_x_ = false, drop_y_ = false;
  std::vector<Job> jobs_;
  std::size_t released_ = 0;  // jobs that may be offered
  std::size_t next_x_ = 0, next_y_ = 0;
  uint32_t run_beats_ = 0;
  bool gaps_ = false;
  uint32_t z_gap_ = 0;

 private:
  /// Offers the operand packet of the next job, if one may be offered now.
  void offer(Source& source, std::size_t next, bool is_x) {
    if (source.beat == source.beats) {
      const Job& job = jobs_[next];
      source.data = is_x ? job.x : job.y;
      source.beats = is_x ? job.x_beats : job.y_beats;
      source.beat = 0;
      if (gaps_) (is_x ? x_gap_ : y_gap_) = pick_gap();
    }
    if (gaps_ && random_.chance(is_x ? x_gap_ : y_gap_)) return;
    source.valid = true;
    const uint8_t* beat = source.data + source.beat * bytes_;
    const bool last = source.beat + 1 == source.beats;
    if (is_x) {
      put(dut_->x_data_i, beat);
      dut_->x_last_i = last;
      dut_->x_valid_i = 1;
    } else {
      put(dut_->y_data_i, beat);
      dut_->y_last_i = last;
      dut_->y_valid_i = 1;
    }
  }

  Random random_{};
  uint32_t x_gap_ = 0, y_gap_ = 0;
  std::vector<uint8_t> zero_;
  std::vector<uint8_t> payload_;
};

}  // namespace
