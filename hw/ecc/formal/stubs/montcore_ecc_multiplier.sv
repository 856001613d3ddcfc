// SPDX-License-Identifier: Apache-2.0

/// Inactive multiplier: `ecc_share_proof` covers how the engines use it.
module montcore_ecc_multiplier (
    /// Clock, rising edge. All ports are those of `montcore_ecc_multiplier` in hw/ecc/rtl.
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic [12:0] length_i,
    output logic [1:0] beats_o,
    output logic [12:0] radix_o,
    output logic [12:0] power_o,
    output logic [1:0] leave_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [31:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    input logic xy_valid_i,
    output logic xy_ready_o,
    input logic [31:0] x_data_i,
    input logic [31:0] y_data_i,
    input logic xy_last_i,
    input logic canonical_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [31:0] z_data_o,
    output logic z_error_o
);
  assign {busy_o, beats_o, radix_o, power_o, leave_o} = '0;
  assign {cfg_ready_o, cfg_done_o, xy_ready_o, z_valid_o, z_data_o, z_error_o} = '0;
endmodule
