// SPDX-License-Identifier: Apache-2.0
//
// What the harness sees of the port: the rules of every stream, the times of every packet, results.

#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "stimulus.hpp"

namespace {

/// Checks the port in each cycle, measures, and answers for products that end.
class Observation : protected Stimulus {
 protected:
  using Stimulus::Stimulus;

  /// The host offers the first beat of something in the coming cycle.
  void start_timing() {
    origin_ = now_;
    from_reset_ = static_cast<uint32_t>(now_ - reset_at_);
    digest_ = 0;
  }

  uint32_t since_origin() const { return gaps_ ? 0 : static_cast<uint32_t>(now_ - origin_); }

  uint32_t digest() const { return gaps_ ? 0 : static_cast<uint32_t>(digest_ >> 32); }

  void observe(bool ready) {
    const bool in_flight = next_z_ < accepted_;
    note_controls();
    // A product whose last operand beat was taken on an earlier edge is under way.
    if (in_flight && !dut_->busy_o) fault(kNotBusy);
    if (dut_->core_start_o) starts_.push_back(now_);
    if (dut_->core_done_o) {
      if (starts_.size() <= intervals_.size()) {
        if (counts_known_) fault(kBadCount);
      } else {
        intervals_.push_back(static_cast<uint32_t>(now_ - starts_[intervals_.size()]));
      }
    }
    if (dut_->z_valid_o) {
      observe_result(ready, in_flight);
    } else if (z_held_) {
      z_held_ = false;
      fault(kUnstable);
    }
    if (cfg_.valid && dut_->cfg_ready_o) {
      if (next_z_ < jobs_started()) fault(kCfgAccepted);
      cfg_.valid = false;
      drop_cfg_ = true;
      ++cfg_.beat;
      note_beat(cfg_, cfg_timing_.x_first, cfg_timing_.x_last);
      if (cfg_.beat == cfg_.beats) {
        cfg_timing_.load = digest();
        cfg_taken_ = now_;
        cfg_pending_ = true;
      }
    }
    if (dut_->cfg_done_o) {
      if (!cfg_pending_) {
        fault(kBadConfig);
      } else {
        cfg_pending_ = false;
        cfg_done_ = true;
        cfg_cycles_ = static_cast<uint32_t>(now_ - cfg_taken_);
        cfg_status_ = dut_->cfg_error_o;
        cfg_timing_.z_first = since_origin();
        cfg_timing_.trace = digest();
        cfg_timing_.origin = gaps_ ? 0 : from_reset_;
        if (deferred_running_) answer_deferred();
      }
    }
    if (x_.valid && dut_->x_ready_o) {
      x_.valid = false;
      drop_x_ = true;
      ++x_.beat;
      note_beat(x_, timing_[next_x_].x_first, timing_[next_x_].x_last);
      if (x_.beat == x_.beats) {
        ++next_x_;
        note_accepted();
      }
    }
    if (y_.valid && dut_->y_ready_o) {
      y_.valid = false;
      drop_y_ = true;
      ++y_.beat;
      note_beat(y_, timing_[next_y_].y_first, timing_[next_y_].y_last);
      if (y_.beat == y_.beats) {
        ++next_y_;
        note_accepted();
      }
    }
  }

  void answer_deferred() {
    flush_held();
    deferred_running_ = false;
    configured_ = cfg_status_ == kOk;
    refused_ = cfg_status_;
    const uint32_t cycles = cfg_done_ ? cfg_cycles_ : 0;
    const Record record{kConfig, cfg_status_, 0, cycles, 0, kNone, cfg_timing_};
    write(&record, sizeof record);
  }

  /// Answers for the product whose record waited for the end of its time.
  void flush_held() {
    if (!held_back_) return;
    held_back_ = false;
    held_record_.timing.idle = since_origin();
    held_record_.timing.trace = digest();
    write(&held_record_, sizeof held_record_);
    write(held_z_.data(), held_z_.size());
  }

  void emit(const Record& record, const uint8_t* z) {
    flush_held();
    write(&record, sizeof record);
    write(z == nullptr ? blank_.data() : z, bytes_ * run_beats_);
  }

  void fault(Status status) {
    if (fault_ == kOk) fault_ = status;
  }

  /// From the first cycle after a zeroize or a reset nothing may be told of what was abandoned.
  void check_silence(Record& record) {
    if (dut_->core_start_o || dut_->core_done_o) record.status = kPulse;
    if (dut_->z_valid_o) record.status = kUnasked;
    if (dut_->cfg_done_o) record.status = kBadConfig;
    noisy_ = record.status != kOk;
  }

  bool configured_ = false;
  bool deferred_running_ = false;  // a deferred configuration has begun and is not yet answered
  bool cfg_pending_ = false;       // the packet was taken, the answer is due
  bool cfg_done_ = false;
  uint64_t cfg_taken_ = 0;
  uint32_t cfg_cycles_ = 0;
  uint8_t cfg_status_ = kOk;
  uint8_t refused_ = kOk;

  std::vector<uint64_t> accept_edge_;  // edge that took the last operand beat
  std::vector<Timing> timing_;
  Timing cfg_timing_{};
  uint64_t reset_at_ = 0;
  bool streaming_ = false;
  std::size_t next_z_ = 0, accepted_ = 0;
  uint64_t progress_ = 0;
  uint8_t fault_ = kOk;
  bool noisy_ = false;  // something was told after a zeroize or a reset

  std::vector<uint8_t> z_, blank_;
  uint32_t z_beat_ = 0;
  bool z_held_ = false;
  uint64_t last_first_ = UINT64_MAX;
  bool counts_known_ = true;
  bool held_back_ = false;  // the record of the last product waits for busy_o to fall
  std::deque<uint64_t> starts_;
  std::deque<uint32_t> intervals_;

 private:
  /// Adds this cycle's control outputs; those that belong to a valid only while it is high.
  void note_controls() {
    const uint32_t z = dut_->z_valid_o ? 4u | dut_->z_last_o << 1 | dut_->z_error_o : 0;
    const uint32_t cfg = dut_->cfg_done_o ? 8u | dut_->cfg_error_o : 0;
    const uint32_t word = dut_->busy_o | dut_->cfg_ready_o << 1 | dut_->x_ready_o << 2 |
                          dut_->y_ready_o << 3 | dut_->core_start_o << 4 |
                          dut_->core_done_o << 5 | z << 6 | cfg << 9;
    digest_ = (digest_ ^ word) * 6364136223846793005ull + 1442695040888963407ull;
  }

  /// Notes the first and the last beat of an operand or modulus packet, `beat` of `beats` taken.
  void note_beat(const Source& source, uint32_t& first, uint32_t& last) const {
    if (source.beat == 1) first = since_origin();
    if (source.beat == source.beats) last = since_origin();
  }

  void note_accepted() {
    const std::size_t both = next_x_ < next_y_ ? next_x_ : next_y_;
    while (accepted_ < both) {
      timing_[accepted_].load = digest();
      accept_edge_[accepted_++] = now_;
    }
  }

  void observe_result(bool ready, bool in_flight) {
    if (!in_flight || deferred_running_) {
      fault(kUnasked);
      return;
    }
    const uint8_t* data = dut_->z_data_o;
    if (!z_held_) {
      if (z_beat_ == 0) {
        first_beat_ = now_;
        timing_[next_z_].z_first = since_origin();
        interval_ = last_first_ == UINT64_MAX ? kNone : static_cast<uint32_t>(now_ - last_first_);
      }
    } else if (std::memcmp(held_.data(), data, bytes_) != 0 || held_last_ != dut_->z_last_o ||
               held_error_ != dut_->z_error_o) {
      fault(kUnstable);
      return;
    }
    if (!ready) {
      z_held_ = true;
      held_.assign(data, data + bytes_);
      held_last_ = dut_->z_last_o;
      held_error_ = dut_->z_error_o;
      return;
    }
    z_held_ = false;
    if (dut_->z_error_o) {
      const uint8_t status = data[0] & 7u;
      if (z_beat_ != 0 || !dut_->z_last_o || status == 0) {
        fault(kBadError);
        return;
      }
      finish(status, 0);
      return;
    }
    const bool last = z_beat_ + 1 == run_beats_;
    if (last != static_cast<bool>(dut_->z_last_o)) {
      fault(kBadLast);
      return;
    }
    std::memcpy(z_.data() + z_beat_ * bytes_, data, bytes_);
    ++z_beat_;
    if (last) finish(kOk, run_beats_);
  }

  /// Answers for the oldest product and turns to the next one.
  void finish(uint8_t status, uint32_t beats) {
    Record record{kProduct, status, static_cast<uint16_t>(beats), 0, 0, interval_};
    record.cycles = static_cast<uint32_t>(first_beat_ - accept_edge_[next_z_]);
    if (status == kOk && counts_known_) {
      if (intervals_.empty()) {
        fault(kBadCount);
        return;
      }
      record.core_cycles = intervals_.front();
      intervals_.pop_front();
      starts_.pop_front();
    } else if (status != kOk) {
      // A refused product may or may not have started the datapath. If nothing else is under way
      // that is settled here; otherwise the counts of this run belong to no product for certain.
      starts_.clear();
      intervals_.clear();
      if (next_z_ + 1 < jobs_started()) counts_known_ = false;
    }
    record.timing = timing_[next_z_];
    record.timing.z_last = since_origin();
    record.timing.trace = digest();
    record.timing.origin = gaps_ ? 0 : from_reset_;
    if (streaming_ || gaps_) {
      emit(record, beats == 0 ? nullptr : z_.data());
    } else {
      // The packet's time ends when the core is at rest again.
      held_back_ = true;
      held_record_ = record;
      held_z_ = beats == 0 ? blank_ : z_;
    }
    last_first_ = status == kOk ? first_beat_ : UINT64_MAX;
    if (gaps_) z_gap_ = pick_gap();
    z_beat_ = 0;
    ++next_z_;
    progress_ = now_;
  }

  uint64_t origin_ = 0;      // where the times of `Timing` begin
  uint32_t from_reset_ = 0;  // cycles from the reset to there
  uint64_t digest_ = 0;      // of the control outputs since then
  Record held_record_{};
  std::vector<uint8_t> held_z_;
  std::vector<uint8_t> held_;
  bool held_last_ = false, held_error_ = false;
  uint64_t first_beat_ = 0;
  uint32_t interval_ = kNone;
};

}  // namespace
