// SPDX-License-Identifier: Apache-2.0
//
// What the harness knows of a model: the pins of the common multiplier port and the passing of time.
// Nothing here depends on the model, so that the harness is compiled once for all of them; model.cpp
// is compiled with each.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

/// The pins of a model's top module. A pin of data is the first of `Model::bus_bytes` bytes.
struct Pins {
  uint8_t &rst_ni, &zeroize_i, &busy_o;
  uint8_t &cfg_valid_i, &cfg_ready_o, *cfg_data_i, &cfg_last_i, &cfg_done_o, &cfg_error_o;
  uint8_t &x_valid_i, &x_ready_o, *x_data_i, &x_last_i;
  uint8_t &y_valid_i, &y_ready_o, *y_data_i, &y_last_i;
  uint8_t &z_valid_o, &z_ready_i, *z_data_o, &z_last_o, &z_error_o;
  uint8_t &core_start_o, &core_done_o;
};

/// A model behind the common multiplier port.
class Model : public Pins {
 public:
  explicit Model(const Pins& pins, std::size_t bus) : Pins(pins), bus_bytes(bus) {}
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Lets half of a clock cycle pass, the clock being high or low in it.
  virtual void half(bool level) = 0;
  /// Whether an assertion has failed since `forget_error`.
  virtual bool has_error() const = 0;
  virtual void forget_error() = 0;
  /// Writes the model's whole state to a file.
  virtual void save(const char* path) const = 0;

  /// Bytes that the model keeps for a pin of data.
  const std::size_t bus_bytes;
};

/// Makes the model: what reset does not clear starts random, by the seed. With the name of a file
/// its waves go there.
std::unique_ptr<Model> make_model(uint64_t seed, const char* wave);
