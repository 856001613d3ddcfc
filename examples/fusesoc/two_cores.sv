// SPDX-License-Identifier: Apache-2.0

/// Two cores in a row: the result of the first is an operand of the second.
///
/// The other streams are open here: connect them to the rest of your design.
module two_cores (
    input logic clk_i,
    input logic rst_ni
);
  logic valid, ready, last;
  logic [31:0] data;

  montcore_cs4 #(
      .Length(64)
  ) u_first (
      .clk_i,
      .rst_ni,
      .z_valid_o(valid),
      .z_ready_i(ready),
      .z_data_o (data),
      .z_last_o (last)
  );

  montcore_smm #(
      .Length(64),
      .NumPe (2)
  ) u_second (
      .clk_i,
      .rst_ni,
      .x_valid_i(valid),
      .x_ready_o(ready),
      .x_data_i (data),
      .x_last_i (last)
  );
endmodule
