// SPDX-License-Identifier: Apache-2.0
//
// The port of montcore_pka for an accelerator behind AXI4-Lite that Verilator simulates in the same
// process. `Model` is the class that Verilator made of the build's top module. With MONTCORE_CLK2X
// defined it has a second clock.
#ifndef MONTCORE_PKA_VERILATED_HPP
#define MONTCORE_PKA_VERILATED_HPP

#include <cstdint>
#include <memory>

#include "montcore_pka.h"

namespace montcore {

template <class Model>
class VerilatedPka {
 public:
  /// Makes the model and resets it. `pause_cycles` pass between two polls of the driver.
  explicit VerilatedPka(unsigned pause_cycles = 32)
      : model_(new Model), pause_cycles_(pause_cycles) {
    model_->aresetn = 0;
    run(4);
    model_->aresetn = 1;
    run(1);
  }

  /// One access; returns the bus's response, 0 if it was done, or -1 if none came.
  int read(uint32_t address, uint32_t *value) {
    model_->s_axi_araddr = static_cast<uint16_t>(address);
    model_->s_axi_arvalid = 1;
    model_->s_axi_rready = 1;
    bool asked = false;
    for (unsigned i = 0; i < kLimit; ++i) {
      model_->eval();
      const bool taken = !asked && model_->s_axi_arready;
      if (model_->s_axi_rvalid) {
        *value = model_->s_axi_rdata;
        const int response = model_->s_axi_rresp;
        edge();
        model_->s_axi_rready = 0;
        return response;
      }
      edge();
      if (taken) {
        asked = true;
        model_->s_axi_arvalid = 0;
      }
    }
    return -1;
  }
  int write(uint32_t address, uint32_t value, unsigned strobes = 0xf) {
    model_->s_axi_awaddr = static_cast<uint16_t>(address);
    model_->s_axi_wdata = value;
    model_->s_axi_wstrb = static_cast<uint8_t>(strobes);
    model_->s_axi_awvalid = 1;
    model_->s_axi_wvalid = 1;
    model_->s_axi_bready = 1;
    for (unsigned i = 0; i < kLimit; ++i) {
      model_->eval();
      const bool address_taken = model_->s_axi_awready, data_taken = model_->s_axi_wready;
      if (model_->s_axi_bvalid) {
        const int response = model_->s_axi_bresp;
        edge();
        model_->s_axi_bready = 0;
        return response;
      }
      edge();
      if (address_taken) model_->s_axi_awvalid = 0;
      if (data_taken) model_->s_axi_wvalid = 0;
    }
    return -1;
  }

  /// Lets clock cycles pass.
  void run(unsigned cycles) {
    while (cycles-- > 0) edge();
  }
  uint64_t cycles() const { return cycles_; }
  bool irq() const { return model_->irq != 0; }

  /// The functions of a montcore_pka_port whose context is this object.
  static int port_read(void *context, uint32_t address, uint32_t *value) {
    return static_cast<VerilatedPka *>(context)->read(address, value);
  }
  static int port_write(void *context, uint32_t address, uint32_t value) {
    return static_cast<VerilatedPka *>(context)->write(address, value);
  }
  static int port_pause(void *context) {
    VerilatedPka &self = *static_cast<VerilatedPka *>(context);
    self.run(self.pause_cycles_);
    return 0;
  }

 private:
  static constexpr unsigned kLimit = 64;  // cycles that an access may take

  void edge() {
#ifdef MONTCORE_CLK2X
    model_->clk2x = 1;
    model_->aclk = 1;
    model_->eval();
    model_->clk2x = 0;
    model_->eval();
    model_->clk2x = 1;
    model_->aclk = 0;
    model_->eval();
    model_->clk2x = 0;
#else
    model_->aclk = 1;
    model_->eval();
    model_->aclk = 0;
#endif
    model_->eval();
    ++cycles_;
  }

  std::unique_ptr<Model> model_;
  unsigned pause_cycles_;
  uint64_t cycles_ = 0;
};

}  // namespace montcore
#endif
