// SPDX-License-Identifier: Apache-2.0
//
// The one simulation harness of montcore: it drives the common multiplier port (hw/common/README.md)
// of a Verilated core, checks the rules of the port on every cycle and measures each product.
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

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "Vdut.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif
#ifdef MONTCORE_SNAPSHOT
#include "verilated_save.h"
#endif

namespace {

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
FILE* answers = nullptr;

constexpr uint32_t kNone = 0xffffffffu;
constexpr int kExitFault = 64;      // exit status of a fault after the last answer: this + Status
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

template <class T>
void put(T& port, const uint8_t* data, std::size_t bytes) {
  std::remove_reference_t<T> value = 0;
  std::memcpy(&value, data, bytes);
  port = value;
}
template <std::size_t N>
void put(VlWide<N>& port, const uint8_t* data, std::size_t bytes) {
  std::memset(port.data(), 0, sizeof(EData) * N);
  std::memcpy(port.data(), data, bytes);
}
template <class T>
const void* raw(const T& port) {
  return &port;
}
template <std::size_t N>
const void* raw(const VlWide<N>& port) {
  return port.data();
}

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

class Bench {
 public:
  Bench(VerilatedContext* context, std::size_t beat_bytes, uint64_t seed, const char* wave,
        const char* snapshot)
      : context_(context), dut_(new Vdut(context)), bytes_(beat_bytes), snapshot_(snapshot) {
    random_.state = seed * 0x9e3779b97f4a7c15ull + 0x1234567ull;
    if (sizeof(dut_->z_data_o) < bytes_) fail("the bus is narrower than the stream's beats");
    (void)wave;
#if VM_TRACE_FST
    if (wave != nullptr) {
      context_->traceEverOn(true);
      wave_.reset(new VerilatedFstC);
      dut_->trace(wave_.get(), 99);
      wave_->open(wave);
      if (!wave_->isOpen()) fail("the wave file cannot be written");
    }
#endif
    zero_.assign(bytes_, 0);
    dut_->zeroize_i = 0;
    dut_->cfg_valid_i = 0;
    dut_->x_valid_i = 0;
    dut_->y_valid_i = 0;
    dut_->z_ready_i = 0;
    reset();
  }

  ~Bench() {
    dut_->final();
#if VM_TRACE_FST
    if (wave_) wave_->close();
#endif
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
  // ---- stream ------------------------------------------------------------------------------

  [[noreturn]] static void fail(const char* why) {
    std::fflush(answers);
    std::fprintf(stderr, "harness: %s\n", why);
    std::exit(3);
  }
  static void read(void* to, std::size_t bytes) {
    if (std::fread(to, 1, bytes, stdin) != bytes) fail("the command stream ended early");
  }
  template <class T>
  static T take() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  static void write(const void* from, std::size_t bytes) {
    if (std::fwrite(from, 1, bytes, answers) != bytes) std::exit(4);
  }

  // ---- clock -------------------------------------------------------------------------------

  // A core with a clock of twice the speed has a rising edge of it in each half.
  template <class Model>
  static auto fast_clock(Model* model, bool level, int) -> decltype(model->clk2x_i, bool()) {
    model->clk2x_i = level;
    return true;
  }
  template <class Model>
  static bool fast_clock(Model*, bool, long) {
    return false;
  }

  void half(bool level) {
    dut_->clk_i = level;
    const bool fast = fast_clock(dut_.get(), true, 0);
    dut_->eval();
    if (fast) {
      fast_clock(dut_.get(), false, 0);
      dut_->eval();
    }
#if VM_TRACE_FST
    if (wave_) wave_->dump(2 * now_ + (level ? 1 : 0));
#endif
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

  void flush_sources() {
    for (Source* source : {&cfg_, &x_, &y_}) source->valid = false;
    cfg_.beats = cfg_.beat = 0;
    dut_->cfg_valid_i = 0;
    dut_->x_valid_i = 0;
    dut_->y_valid_i = 0;
    put(dut_->cfg_data_i, zero_.data(), bytes_);
    put(dut_->x_data_i, zero_.data(), bytes_);
    put(dut_->y_data_i, zero_.data(), bytes_);
  }

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
      put(dut_->x_data_i, beat, bytes_);
      dut_->x_last_i = last;
      dut_->x_valid_i = 1;
    } else {
      put(dut_->y_data_i, beat, bytes_);
      dut_->y_last_i = last;
      dut_->y_valid_i = 1;
    }
  }

  /// Often no gap at all, sometimes a few, sometimes almost nothing but gaps.
  uint32_t pick_gap() {
    static constexpr uint32_t kChoice[4] = {0, 32, 128, 232};
    return kChoice[random_.next() & 3u];
  }

  /// One clock cycle: drive, settle, look at every handshake, clock edge.
  void tick() {
    if (!x_.valid && (x_.beat < x_.beats || next_x_ < released_)) offer(x_, next_x_, true);
    if (!y_.valid && (y_.beat < y_.beats || next_y_ < released_)) offer(y_, next_y_, false);
    if (!cfg_.valid && cfg_.beat < cfg_.beats && !(gaps_ && random_.chance(64))) {
      put(dut_->cfg_data_i, cfg_.data + cfg_.beat * bytes_, bytes_);
      dut_->cfg_last_i = cfg_.beat + 1 == cfg_.beats;
      dut_->cfg_valid_i = 1;
      cfg_.valid = true;
    }
    const bool ready = !gaps_ || !random_.chance(z_gap_);
    dut_->z_ready_i = ready;
    if (abort_armed_ && now_ >= abort_at_) fire_abort();
    half(false);
    if (!aborting_) observe(ready);
    half(true);
    ++now_;
    dut_->zeroize_i = 0;
    if (aborting_) dut_->rst_ni = 1;
    if (aborting_ || drop_x_) { dut_->x_valid_i = 0; drop_x_ = false; }
    if (aborting_ || drop_y_) { dut_->y_valid_i = 0; drop_y_ = false; }
    if (aborting_ || drop_cfg_) { dut_->cfg_valid_i = 0; drop_cfg_ = false; }
    if (held_back_ && !dut_->busy_o) flush_held();
  }

  // ---- what the port shows of time ---------------------------------------------------------------

  /// The host offers the first beat of something in the coming cycle.
  void start_timing() {
    origin_ = now_;
    from_reset_ = static_cast<uint32_t>(now_ - reset_at_);
    digest_ = 0;
  }

  uint32_t since_origin() const { return gaps_ ? 0 : static_cast<uint32_t>(now_ - origin_); }

  uint32_t digest() const { return gaps_ ? 0 : static_cast<uint32_t>(digest_ >> 32); }

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

  /// How many products have had at least one beat taken.
  std::size_t jobs_started() const {
    const std::size_t x = next_x_ + (x_.beat != 0 && x_.beat < x_.beats ? 1 : 0);
    const std::size_t y = next_y_ + (y_.beat != 0 && y_.beat < y_.beats ? 1 : 0);
    return x > y ? x : y;
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
    const void* data = raw(dut_->z_data_o);
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
      held_.assign(static_cast<const uint8_t*>(data), static_cast<const uint8_t*>(data) + bytes_);
      held_last_ = dut_->z_last_o;
      held_error_ = dut_->z_error_o;
      return;
    }
    z_held_ = false;
    if (dut_->z_error_o) {
      const uint8_t status = static_cast<const uint8_t*>(data)[0] & 7u;
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

  // ---- commands ----------------------------------------------------------------------------

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
    aborting_ = false;
    fault_ = kOk;
    clear_run();
    write(&record, sizeof record);
    if (record.status != kOk) reset();
  }

  /// From the first cycle after a zeroize or a reset nothing may be told of what was abandoned.
  void check_silence(Record& record) {
    if (dut_->core_start_o || dut_->core_done_o) record.status = kPulse;
    if (dut_->z_valid_o) record.status = kUnasked;
    if (dut_->cfg_done_o) record.status = kBadConfig;
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

  void answer_rest(uint8_t status) {
    for (; next_z_ < jobs_.size(); ++next_z_) {
      emit(Record{kProduct, status, 0, 0, 0, kNone}, nullptr);
    }
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

  void answer_deferred() {
    flush_held();
    deferred_running_ = false;
    configured_ = cfg_status_ == kOk;
    refused_ = cfg_status_;
    const uint32_t cycles = cfg_done_ ? cfg_cycles_ : 0;
    const Record record{kConfig, cfg_status_, 0, cycles, 0, kNone, cfg_timing_};
    write(&record, sizeof record);
  }

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

  /// Lets an abort that is still armed happen (the command ended before its moment came).
  void finish_abort() {
    if (!abort_armed_) return;
    while (!aborting_) tick();
    settle_abort();
  }

  void command_run() {
    drain();
    const uint8_t flags = take<uint8_t>();
    run_beats_ = take<uint16_t>();
    const uint32_t count = take<uint32_t>();
    limit_ = take<uint32_t>();
    read_jobs(count);
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

  void read_jobs(uint32_t count) {
    // The sizes are needed before the addresses: operands lie in one block that may still grow.
    payload_.clear();
    std::vector<std::size_t> offset(count);
    jobs_.assign(count, Job{});
    accept_edge_.assign(count, 0);
    timing_.assign(count, Timing{});
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

  void command_abort() {
    abort_kind_ = take<uint8_t>();
    abort_after_ = take<uint32_t>();
    abort_requested_ = true;
  }

  void command_snapshot() {
    flush_held();
    std::vector<uint8_t> state;
#ifdef MONTCORE_SNAPSHOT
    const char* path = snapshot_;
    if (path == nullptr) fail("a snapshot needs the option --snapshot");
    {
      VerilatedSave save;
      save.open(path);
      if (!save.isOpen()) fail("the snapshot file cannot be written");
      save << *dut_;
    }
    if (FILE* file = std::fopen(path, "rb")) {
      int byte;
      while ((byte = std::fgetc(file)) != EOF) state.push_back(static_cast<uint8_t>(byte));
      std::fclose(file);
    }
#else
    fail("this simulator was built without snapshots");
#endif
    const Record record{kSnapshot, kOk, 0, static_cast<uint32_t>(state.size()), 0, kNone};
    write(&record, sizeof record);
    write(state.data(), state.size());
  }

  VerilatedContext* context_;
  std::unique_ptr<Vdut> dut_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> wave_;
#endif
  const std::size_t bytes_;        // bytes of a beat
  const char* const snapshot_;     // file through which the model's state passes
  uint64_t now_ = 0;         // number of the coming clock edge
  Random random_{};
  std::vector<uint8_t> zero_;
  std::vector<uint8_t> blank_;

  Source cfg_, x_, y_;
  bool drop_cfg_ = false, drop_x_ = false, drop_y_ = false;
  std::vector<uint8_t> modulus_;
  bool configured_ = false;
  bool deferred_ = false;          // a configuration waits for the next run
  bool deferred_running_ = false;  // and now has begun but not been answered
  bool cfg_pending_ = false;  // the packet was taken, the answer is due
  bool cfg_done_ = false;
  uint64_t cfg_taken_ = 0;
  uint32_t cfg_cycles_ = 0;
  uint8_t cfg_status_ = kOk;
  uint8_t refused_ = kOk;

  std::vector<uint8_t> payload_;
  std::vector<Job> jobs_;
  std::vector<uint64_t> accept_edge_;  // edge that took the last operand beat
  std::vector<Timing> timing_;
  Timing cfg_timing_{};
  uint64_t origin_ = 0;  // where the times of `Timing` begin
  uint64_t reset_at_ = 0;
  uint32_t from_reset_ = 0;  // cycles from the reset to there
  uint64_t digest_ = 0;  // of the control outputs since then
  bool streaming_ = false;
  bool held_back_ = false;  // the record of the last product waits for busy_o to fall
  Record held_record_{};
  std::vector<uint8_t> held_z_;
  std::size_t released_ = 0;  // jobs that may be offered
  std::size_t next_x_ = 0, next_y_ = 0, next_z_ = 0, accepted_ = 0;
  uint32_t run_beats_ = 0;
  uint32_t limit_ = 1000;
  uint64_t progress_ = 0;
  uint8_t fault_ = kOk;
  unsigned faults_ = 0;

  bool gaps_ = false;
  uint32_t x_gap_ = 0, y_gap_ = 0, z_gap_ = 0;

  std::vector<uint8_t> z_, held_;
  uint32_t z_beat_ = 0;
  bool z_held_ = false, held_last_ = false, held_error_ = false;
  uint64_t first_beat_ = 0, last_first_ = UINT64_MAX;
  uint32_t interval_ = kNone;
  bool counts_known_ = true;
  std::deque<uint64_t> starts_;
  std::deque<uint32_t> intervals_;

  bool abort_requested_ = false, abort_armed_ = false, aborting_ = false;
  uint8_t abort_kind_ = 0;
  uint32_t abort_after_ = 0;
  uint64_t abort_at_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t beat_bytes = 0;
  uint64_t seed = 0;
  const char* wave = nullptr;
  const char* snapshot = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--beat-bytes") beat_bytes = std::strtoul(argv[i + 1], nullptr, 10);
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--wave") wave = argv[i + 1];
    if (option == "--snapshot") snapshot = argv[i + 1];
  }
  if (beat_bytes == 0) {
    std::fprintf(stderr, "usage: simulator --beat-bytes N [--seed S] [--wave FILE]\n");
    return 2;
  }
  answers = fdopen(dup(STDOUT_FILENO), "wb");
  if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 3;
  const std::unique_ptr<VerilatedContext> context(new VerilatedContext);
  context->randReset(2);  // registers that reset does not clear start with random contents
  context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  std::setvbuf(stdin, nullptr, _IOFBF, 1 << 18);
  std::setvbuf(answers, nullptr, _IOFBF, 1 << 18);
  Bench bench(context.get(), beat_bytes, seed, wave, snapshot);
  bench.serve();
  return 0;
}
