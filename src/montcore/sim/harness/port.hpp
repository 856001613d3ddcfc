// SPDX-License-Identifier: Apache-2.0
//
// The model behind the common multiplier port: its data ports as bytes, its clocks, its waves.

#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "Vdut.h"
#include "protocol.hpp"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace {

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

/// The model, one half of a clock cycle at a time.
class Port {
 protected:
  Port(VerilatedContext* context, std::size_t beat_bytes, const char* wave)
      : dut_(new Vdut(context)), bytes_(beat_bytes), context_(context) {
    if (sizeof(dut_->z_data_o) < bytes_) fail("the bus is narrower than the stream's beats");
    (void)wave;
#if VM_TRACE_FST
    if (wave != nullptr) {
      context->traceEverOn(true);
      wave_.reset(new VerilatedFstC);
      dut_->trace(wave_.get(), 99);
      wave_->open(wave);
      if (!wave_->isOpen()) fail("the wave file cannot be written");
    }
#endif
  }

  virtual ~Port() {
    dut_->final();
#if VM_TRACE_FST
    if (wave_) wave_->close();
#endif
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
    if (context_->gotError()) broken_rule();
  }

  /// Whether the harness has found a fault in this cycle itself, and answers with its status.
  virtual bool noticed() const = 0;

  std::unique_ptr<Vdut> dut_;
  const std::size_t bytes_;  // bytes of a beat
  uint64_t now_ = 0;         // number of the coming clock edge

 private:
  /// An assertion of montcore_port_checker.sv does not hold, and has said so on stderr.
  void broken_rule() {
    if (!noticed()) {
      std::fflush(answers);
      std::exit(kExitRule);
    }
    context_->gotError(false);
    context_->gotFinish(false);
  }

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

  VerilatedContext* const context_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> wave_;
#endif
};

}  // namespace
