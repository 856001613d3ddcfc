// SPDX-License-Identifier: Apache-2.0
//
// The common multiplier port: its data pins as bytes, its clock, its broken rules.

#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "model.hpp"
#include "protocol.hpp"

namespace {

/// The port of a model, one half of a clock cycle at a time.
class Port {
 protected:
  Port(std::unique_ptr<Model> model, std::size_t beat_bytes)
      : dut_(std::move(model)), bytes_(beat_bytes) {
    if (dut_->bus_bytes < bytes_) fail("the bus is narrower than the stream's beats");
  }

  virtual ~Port() = default;

  /// Drives a beat onto a pin of data.
  void put(uint8_t* pin, const uint8_t* beat) {
    std::memset(pin, 0, dut_->bus_bytes);
    std::memcpy(pin, beat, bytes_);
  }

  void half(bool level) {
    dut_->half(level);
    if (level && dut_->has_error()) broken_rule();
  }

  /// Whether the harness has found a fault in this cycle itself, and answers with its status.
  virtual bool noticed() const = 0;

  const std::unique_ptr<Model> dut_;
  const std::size_t bytes_;  // bytes of a beat
  uint64_t now_ = 0;         // number of the coming clock edge

 private:
  /// An assertion of montcore_port_checker.sv does not hold, and has said so on stderr.
  void broken_rule() {
    if (!noticed()) {
      std::fflush(answers);
      std::exit(kExitRule);
    }
    dut_->forget_error();
  }
};

}  // namespace
