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
    next_word(*model_, 0);
    reset(4);
  }

  /// Resets the model for so many cycles.
  void reset(unsigned cycles) {
    model_->aresetn = 0;
    run(cycles);
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

  /// Where the model's random words come from, if it has ports for them: a function that returns 0
  /// after it has filled one in, or anything else if it cannot. Without one the source has failed,
  /// and nothing is computed with a secret scalar.
  void set_random(int (*words)(void *context, uint32_t *word), void *context) {
    words_ = words;
    words_context_ = context;
    next_word(*model_, 0);
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

  // For a model with random words, and, if the first one cannot be, for any.
  template <class M>
  auto word_taken(M &model, int) -> decltype(static_cast<void>(model.rnd_valid), true) {
    return model.rnd_valid && model.rnd_ready;
  }
  template <class M>
  bool word_taken(M &, long) {
    return false;
  }
  template <class M>
  auto next_word(M &model, int) -> decltype(static_cast<void>(model.rnd_valid)) {
    uint32_t word = 0;
    const bool failed = words_ == nullptr || words_(words_context_, &word) != 0;
    model.rnd_valid = !failed;
    model.rnd_fail = failed;
    model.rnd_data = word;
  }
  template <class M>
  void next_word(M &, long) {}

  void edge() {
    model_->eval();
    const bool taken = word_taken(*model_, 0);
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
    if (taken) next_word(*model_, 0);
    model_->eval();
    ++cycles_;
  }

  std::unique_ptr<Model> model_;
  unsigned pause_cycles_;
  uint64_t cycles_ = 0;
  int (*words_)(void *, uint32_t *) = nullptr;
  void *words_context_ = nullptr;
};

}  // namespace montcore
#endif
