// SPDX-License-Identifier: Apache-2.0
//
// The model that Verilator generated, as the harness wants it. All that depends on the model is here.

#include "model.hpp"

#include "Vdut.h"
#include "protocol.hpp"
#include "verilated.h"
#ifdef MONTCORE_SNAPSHOT
#include "verilated_save.h"
#endif
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace {

template <class T>
uint8_t* bytes(T& port) {
  return reinterpret_cast<uint8_t*>(&port);
}

Pins pins(Vdut& dut) {
  return {dut.rst_ni,       dut.zeroize_i,   dut.busy_o,      dut.cfg_valid_i,
          dut.cfg_ready_o,  bytes(dut.cfg_data_i),            dut.cfg_last_i,
          dut.cfg_done_o,   dut.cfg_error_o, dut.x_valid_i,   dut.x_ready_o,
          bytes(dut.x_data_i),               dut.x_last_i,    dut.y_valid_i,
          dut.y_ready_o,    bytes(dut.y_data_i),              dut.y_last_i,
          dut.z_valid_o,    dut.z_ready_i,   bytes(dut.z_data_o),
          dut.z_last_o,     dut.z_error_o,   dut.core_start_o, dut.core_done_o};
}

std::unique_ptr<VerilatedContext> make_context(uint64_t seed) {
  auto context = std::make_unique<VerilatedContext>();
  context->randReset(2);  // registers that reset does not clear start with random contents
  context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  context->fatalOnError(false);  // a broken rule of the port ends the run in Port::broken_rule
  return context;
}

/// Exists before the part of `Generated` that refers to it.
struct Parts {
  explicit Parts(uint64_t seed) : context(make_context(seed)), dut(new Vdut(context.get())) {}
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vdut> dut;
};

class Generated : private Parts, public Model {
 public:
  Generated(uint64_t seed, const char* wave)
      : Parts(seed), Model(pins(*dut), sizeof(dut->z_data_o)) {
    (void)wave;
#if VM_TRACE_FST
    if (wave != nullptr) {
      context->traceEverOn(true);
      wave_.reset(new VerilatedFstC);
      dut->trace(wave_.get(), 99);
      wave_->open(wave);
      if (!wave_->isOpen()) fail("the wave file cannot be written");
    }
#endif
  }

  ~Generated() override {
    dut->final();
#if VM_TRACE_FST
    if (wave_) wave_->close();
#endif
  }

  void half(bool level) override {
    dut->clk_i = level;
    const bool fast = fast_clock(dut.get(), true, 0);
    dut->eval();
    if (fast) {
      fast_clock(dut.get(), false, 0);
      dut->eval();
    }
#if VM_TRACE_FST
    if (wave_) wave_->dump(time_++);
#endif
  }

  bool has_error() const override { return context->gotError(); }

  void forget_error() override {
    context->gotError(false);
    context->gotFinish(false);
  }

  void save(const char* path) const override {
#ifdef MONTCORE_SNAPSHOT
    VerilatedSave file;
    file.open(path);
    if (!file.isOpen()) fail("the snapshot file cannot be written");
    file << *dut;
#else
    (void)path;
    fail("this simulator was built without snapshots");
#endif
  }

 private:
  // A core with a clock of twice the speed has a rising edge of it in each half.
  template <class Top>
  static auto fast_clock(Top* top, bool level, int) -> decltype(top->clk2x_i, bool()) {
    top->clk2x_i = level;
    return true;
  }

  template <class Top>
  static bool fast_clock(Top*, bool, long) {
    return false;
  }

#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> wave_;
  uint64_t time_ = 0;  // halves of clock cycles
#endif
};

}  // namespace

std::unique_ptr<Model> make_model(uint64_t seed, const char* wave) {
  return std::make_unique<Generated>(seed, wave);
}
