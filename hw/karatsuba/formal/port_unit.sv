// SPDX-License-Identifier: Apache-2.0

/// `montcore_karatsuba` with the datapath of `stubs`, which adds: z = (x + y) mod m.
///
/// Of each beat of 16 bits only the low WordBits are used.
module port_unit #(
    /// Built width in bits: two whole words.
    parameter int unsigned Length   = 8,
    /// Width of a word in bits, at most 16.
    parameter int unsigned WordBits = 4
) (
    /// The common port.
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);
  logic [15:0] z_data;
  assign z_data_o = z_data[WordBits-1:0];
  montcore_karatsuba #(
      .Length       (32),
      .PaperSchedule(1'b1),
      .Tech         (montcore_pkg::TechMult18)
  ) u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .zeroize_i   (zeroize_i),
      .busy_o      (busy_o),
      .cfg_valid_i (cfg_valid_i),
      .cfg_ready_o (cfg_ready_o),
      .cfg_data_i  (16'(cfg_data_i)),
      .cfg_last_i  (cfg_last_i),
      .cfg_done_o  (cfg_done_o),
      .cfg_error_o (cfg_error_o),
      .x_valid_i   (x_valid_i),
      .x_ready_o   (x_ready_o),
      .x_data_i    (16'(x_data_i)),
      .x_last_i    (x_last_i),
      .y_valid_i   (y_valid_i),
      .y_ready_o   (y_ready_o),
      .y_data_i    (16'(y_data_i)),
      .y_last_i    (y_last_i),
      .z_valid_o   (z_valid_o),
      .z_ready_i   (z_ready_i),
      .z_data_o    (z_data),
      .z_last_o    (z_last_o),
      .z_error_o   (z_error_o),
      .core_start_o(core_start_o),
      .core_done_o (core_done_o)
  );
  logic unused;
  assign unused = ^z_data ^ (Length != 2 * WordBits);
endmodule
