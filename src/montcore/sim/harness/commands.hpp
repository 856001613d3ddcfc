// SPDX-License-Identifier: Apache-2.0
//
// The commands of the stream: configurations, runs, zeroize and reset, snapshots; and recovery from
// what goes wrong in them.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "observation.hpp"

namespace {

/// Carries out the commands one after the other.
class Bench : Observation {
 public:
  Bench(std::unique_ptr<Model> model, std::size_t beat_bytes, uint64_t seed, const char* snapshot)
      : Observation(std::move(model), beat_bytes, seed), snapshot_(snapshot) {
    reset();
  }

  void serve() {
    int command;
    while ((command = std::fgetc(stdin)) != EOF) {
      switch (command) {
        case 'C': command_configure(); break;
        case 'R': command_run(); break;
        case 'A': command_abort(); break;
        case 'S': command_snapshot(); break;
        default: fail("unknown command in the stream");
      }
      std::fflush(answers);
    }
    // Results that a run left to come belong to the stream's end as well.
    drain();
    std::fflush(answers);
  }

 private:
  // ---- clock -------------------------------------------------------------------------------

  /// One clock cycle: drive, settle, look at every handshake, clock edge.
  bool noticed() const override { return fault_ != kOk || noisy_; }

  void tick() {
    const bool ready = drive();
    if (abort_armed_ && now_ >= abort_at_) fire_abort();
    half(false);
    if (!aborting_) observe(ready);
    half(true);
    ++now_;
    dut_->zeroize_i = 0;
    if (aborting_) dut_->rst_ni = 1;
    drop(aborting_);
    if (held_back_ && !dut_->busy_o) flush_held();
  }

  void reset() {
    flush_sources();
    dut_->rst_ni = 0;
    for (int i = 0; i < 4; ++i) {
      half(false);
      half(true);
      ++now_;
    }
    dut_->rst_ni = 1;
    reset_at_ = now_;
    configured_ = false;
    refused_ = kOk;
    cfg_pending_ = false;
    z_held_ = false;
    z_beat_ = 0;
    starts_.clear();
    intervals_.clear();
  }

  // ---- commands ----------------------------------------------------------------------------

  void command_configure() {
    const uint8_t flags = take<uint8_t>();
    const uint16_t beats = take<uint16_t>();
    limit_ = take<uint32_t>();
    modulus_.resize(beats * bytes_);
    read(modulus_.data(), modulus_.size());
    if ((flags & kDeferred) != 0) {
      drain();
      deferred_ = true;
      return;
    }
    faults_ = 0;
    arm();
    configure();
    if (fault_ == kOk && !aborting_ && next_z_ < jobs_.size()) cfg_status_ = kCfgAccepted;
    if (aborting_) cfg_status_ = kAborted;
    if (fault_ != kOk) answer_rest(fault_);
    flush_held();
    const uint32_t cycles = cfg_done_ ? cfg_cycles_ : 0;
    const Record record{kConfig, cfg_status_, beats, cycles, 0, kNone, cfg_timing_};
    write(&record, sizeof record);
    if (aborting_) {
      settle_abort();
    } else {
      finish_abort();
      if (fault_ != kOk) {
        fault_ = kOk;
        const Status refused = static_cast<Status>(cfg_status_);
        reset();
        refused_ = refused;
      }
    }
    clear_run();
  }

  void command_run() {
    drain();
    const uint8_t flags = take<uint8_t>();
    run_beats_ = take<uint16_t>();
    const uint32_t count = take<uint32_t>();
    limit_ = take<uint32_t>();
    read_jobs(count);
    accept_edge_.assign(count, 0);
    timing_.assign(count, Timing{});
    z_.assign(bytes_ * run_beats_, 0);
    blank_.assign(bytes_ * run_beats_, 0);
    counts_known_ = true;
    faults_ = 0;
    gaps_ = (flags & kGaps) != 0;
    streaming_ = (flags & kStream) != 0;
    start_timing();
    z_gap_ = gaps_ ? pick_gap() : 0;
    last_first_ = UINT64_MAX;
    arm();
    if (deferred_) {
      start_deferred();
      run_jobs(streaming_, (flags & kNoDrain) != 0);
    } else if (!configured_ && (flags & kForce) == 0) {
      answer_rest(refused_ == kOk ? static_cast<uint8_t>(kSkipped) : refused_);
    } else {
      run_jobs(streaming_, (flags & kNoDrain) != 0);
    }
    if (aborting_) {
      settle_abort();
    } else {
      finish_abort();
    }
    if (next_z_ == jobs_.size()) {
      flush_held();
      clear_run();
    }
  }

  void command_abort() {
    abort_kind_ = take<uint8_t>();
    abort_after_ = take<uint32_t>();
    abort_requested_ = true;
  }

  void command_snapshot() {
    flush_held();
    std::vector<uint8_t> state;
    const char* path = snapshot_;
    if (path == nullptr) fail("a snapshot needs the option --snapshot");
    dut_->save(path);
    if (FILE* file = std::fopen(path, "rb")) {
      int byte;
      while ((byte = std::fgetc(file)) != EOF) state.push_back(static_cast<uint8_t>(byte));
      std::fclose(file);
    }
    const Record record{kSnapshot, kOk, 0, static_cast<uint32_t>(state.size()), 0, kNone};
    write(&record, sizeof record);
    write(state.data(), state.size());
  }

  // ---- modulus -----------------------------------------------------------------------------

  /// Sends the modulus packet and waits for the answer; the status goes to cfg_status_.
  void configure() {
    // From rest: right after a product a core may take a cycle to offer cfg_ready_o.
    for (int i = 0; i < 4 && next_z_ == jobs_.size() && !abort_armed_ && fault_ == kOk; ++i) tick();
    cfg_.data = modulus_.data();
    cfg_.beats = static_cast<uint32_t>(modulus_.size() / bytes_);
    cfg_.beat = 0;
    cfg_done_ = false;
    cfg_status_ = kOk;
    cfg_timing_ = Timing{};
    progress_ = now_;
    start_timing();
    while (!cfg_done_ && fault_ == kOk && !aborting_) {
      tick();
      if (now_ - progress_ > limit_) fault(kHang);
    }
    if (cfg_done_ && fault_ == kOk) {
      // The pulse lasts one cycle and the status stays.
      const uint8_t status = cfg_status_;
      tick();
      if (!aborting_ && dut_->cfg_error_o != status) fault(kBadConfig);
      // The time of a modulus ends when the core is at rest.
      const bool alone = next_z_ == jobs_.size() && !abort_armed_;
      while (alone && dut_->busy_o && fault_ == kOk && now_ - progress_ <= limit_) tick();
      cfg_timing_.idle = since_origin();
      cfg_timing_.trace = digest();
    }
    if (fault_ != kOk) cfg_status_ = fault_;
    configured_ = cfg_status_ == kOk && cfg_done_;
    refused_ = cfg_status_;
  }

  /// Sends the modulus of a deferred configuration; operands are offered right behind it.
  void start_deferred() {
    deferred_ = false;
    deferred_running_ = true;
    configured_ = false;
    cfg_timing_ = Timing{};
    cfg_.data = modulus_.data();
    cfg_.beats = static_cast<uint32_t>(modulus_.size() / bytes_);
    cfg_.beat = 0;
    cfg_done_ = false;
    while (!cfg_pending_ && !cfg_done_ && fault_ == kOk && !aborting_) {
      tick();
      if (now_ - progress_ > limit_) fault(kHang);
    }
    released_ = 1;
  }

  // ---- products ----------------------------------------------------------------------------

  void run_jobs(bool stream, bool no_drain) {
    while (next_z_ < jobs_.size() && !aborting_) {
      if (fault_ != kOk) {
        recover(fault_);
      } else if (now_ - progress_ > limit_) {
        recover(kHang);
      } else {
        if (stream) {
          released_ = jobs_.size();
        } else if (released_ == next_z_ && !dut_->busy_o) {
          released_ = next_z_ + 1;
          start_timing();
          last_first_ = UINT64_MAX;
        }
        if (no_drain && accepted_ == jobs_.size()) return;
        tick();
      }
    }
    wait_idle();
  }

  void drain() {
    while (next_z_ < jobs_.size()) {
      if (fault_ != kOk) {
        recover(fault_);
      } else if (now_ - progress_ > limit_) {
        recover(kHang);
      } else {
        tick();
      }
    }
    flush_held();
    clear_run();
  }

  /// After the last result: busy_o must fall, and no further beat may come.
  void wait_idle() {
    gaps_ = false;
    const uint64_t from = now_;
    while (!aborting_) {
      tick();
      if (fault_ != kOk) break;
      if (!dut_->busy_o) return;
      if (now_ - from > limit_) {
        fault(kStuckBusy);
        break;
      }
    }
    if (fault_ != kOk) trailing_fault();
  }

  /// A fault with no product left to carry it ends the simulation: nothing after it can be trusted.
  [[noreturn]] void trailing_fault() {
    flush_held();
    std::fflush(answers);
    std::exit(kExitFault + fault_);
  }

  /// The oldest product failed in a way that only a reset mends: answer, reset, configure anew.
  void recover(uint8_t status) {
    fault_ = kOk;
    if (deferred_running_) {
      // The configuration itself failed: no product can be told from it.
      cfg_status_ = status;
      answer_deferred();
      answer_rest(status);
    } else if (next_z_ < jobs_.size()) {
      emit(Record{kProduct, status, 0, 0, 0, kNone}, nullptr);
      ++next_z_;
    }
    x_ = y_ = Source{};
    const bool modulus = configured_;
    reset();
    last_first_ = UINT64_MAX;
    if (++faults_ >= kMaxFaults) answer_rest(kSkipped);
    released_ = next_x_ = next_y_ = accepted_ = next_z_;
    if (modulus && next_z_ < jobs_.size()) {
      const bool gaps = gaps_;
      gaps_ = false;
      configure();
      gaps_ = gaps;
      if (!configured_) {
        answer_rest(kSkipped);
        fault_ = kOk;
        reset();
      }
    }
    released_ = next_x_ = next_y_ = accepted_ = next_z_;
    progress_ = now_;
  }

  void answer_rest(uint8_t status) {
    for (; next_z_ < jobs_.size(); ++next_z_) {
      emit(Record{kProduct, status, 0, 0, 0, kNone}, nullptr);
    }
  }

  void clear_run() {
    jobs_.clear();
    released_ = next_x_ = next_y_ = next_z_ = accepted_ = 0;
    x_ = y_ = Source{};
    z_held_ = false;
    z_beat_ = 0;
    starts_.clear();
    intervals_.clear();
    last_first_ = UINT64_MAX;
  }

  // ---- zeroize and reset -------------------------------------------------------------------

  void arm() {
    progress_ = now_;
    if (!abort_requested_) return;
    abort_requested_ = false;
    abort_armed_ = true;
    abort_at_ = now_ + abort_after_;
  }

  void fire_abort() {
    abort_armed_ = false;
    aborting_ = true;
    flush_sources();
    if (abort_kind_ == 0) {
      dut_->zeroize_i = 1;
    } else {
      dut_->rst_ni = 0;
    }
  }

  /// Lets an abort that is still armed happen (the command ended before its moment came).
  void finish_abort() {
    if (!abort_armed_) return;
    while (!aborting_) tick();
    settle_abort();
  }

  /// After a zeroize or reset: every open product is answered, then the core must come to rest.
  void settle_abort() {
    const uint64_t from = now_;
    if (deferred_running_) {
      cfg_status_ = kAborted;
      answer_deferred();
    }
    flush_held();
    answer_rest(kAborted);
    cfg_pending_ = false;
    configured_ = false;
    refused_ = kOk;
    Record record{kAbort, kOk, 0, 0, 0, kNone};
    while (record.status == kOk) {
      dut_->z_ready_i = 0;
      half(false);
      const bool busy = dut_->busy_o;
      check_silence(record);
      half(true);
      ++now_;
      if (!busy) break;
      if (now_ - from > limit_) record.status = kHang;
    }
    record.cycles = static_cast<uint32_t>(now_ - from);
    // Nothing of the abandoned product may appear later either.
    for (int i = 0; i < 64 && record.status == kOk; ++i) {
      half(false);
      check_silence(record);
      if (dut_->busy_o) record.status = kStuckBusy;
      half(true);
      ++now_;
    }
    aborting_ = noisy_ = false;
    fault_ = kOk;
    clear_run();
    write(&record, sizeof record);
    if (record.status != kOk) reset();
  }

  const char* const snapshot_;  // file through which the model's state passes
  std::vector<uint8_t> modulus_;
  bool deferred_ = false;  // a configuration waits for the next run
  uint32_t limit_ = 1000;
  unsigned faults_ = 0;

  bool abort_requested_ = false, abort_armed_ = false, aborting_ = false;
  uint8_t abort_kind_ = 0;
  uint32_t abort_after_ = 0;
  uint64_t abort_at_ = 0;
};

}  // namespace
