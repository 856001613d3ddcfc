// SPDX-License-Identifier: Apache-2.0

/// FIOS_DSP_MM, folded, with its DSP blocks as plain logic: its parameters are words.
module montcore_peer_fios #(
    parameter int Words = 16  // Words of 17 bits.
) (
    input logic clk_i,
    input logic reset_i,
    input logic start_i,
    input logic [16:0] data_i,
    output logic [16:0] data_o,
    output logic we_o,
    output logic [31:0] addr_o,
    output logic enable_o,
    output logic done_o
);
  MM_top #(
      .CONFIGURATION("FOLD"),
      .DSP_PRIMITIVE("generic_DSP_4A"),
      .s(Words)
  ) u_peer (
      .clock_i(clk_i),
      .reset_i,
      .start_i,
      .BRAM_dout_i(data_i),
      .BRAM_din_o(data_o),
      .BRAM_we_o(we_o),
      .BRAM_addr_o(addr_o),
      .BRAM_en_o(enable_o),
      .done_o
  );
endmodule
