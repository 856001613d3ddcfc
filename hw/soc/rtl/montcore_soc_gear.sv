// SPDX-License-Identifier: Apache-2.0

/// Converts a stream of words of one width to another width, least significant bits first.
///
/// Bits leave in the order of arrival. With flush_i zeros follow the last of them.
/// Precondition: in_valid_i is low while flush_i is high.
/// Latency: 1 cycle from the input word that completes an output word to that output word.
/// Example, In = 8, Out = 12: 0xab, 0xcd in -> 0xdab out; flush_i -> 0x00c, then 0x000.
module montcore_soc_gear #(
    parameter  int unsigned In    = 32,  // Input word width in bits.
    parameter  int unsigned Out   = 34,  // Output word width in bits.
    /// A power of two that divides both widths.
    localparam int unsigned Grain = (In | Out) & (~(In | Out) + 1)
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high; all registers become zero.
    input logic in_valid_i,  // Input stream: valid.
    output logic in_ready_o,  // Input stream: ready; does not depend on in_valid_i.
    input logic [In-1:0] in_data_i,  // Input stream: word, valid with in_valid_i.
    input logic flush_i,  // End of input: pad with zeros; output words are always valid then.
    output logic out_valid_o,  // Output stream: valid, the word is complete or padded.
    input logic out_ready_i,  // Output stream: ready, the word is consumed.
    output logic [Out-1:0] out_data_o  // Output stream: word, valid with out_valid_o.
);
  // Counts are in units of Grain bits, which keeps the shifter small.
  localparam int unsigned InGrains = In / Grain;
  localparam int unsigned OutGrains = Out / Grain;
  localparam int unsigned CountBits = $clog2(InGrains + OutGrains + 1);

  logic [In+Out-1:0] held_q, placed;
  logic [CountBits-1:0] count_q;
  logic take, give;

  assign in_ready_o = count_q < CountBits'(OutGrains);
  assign out_valid_o = !in_ready_o || flush_i;
  assign out_data_o = held_q[Out-1:0];
  assign take = in_valid_i && in_ready_o;
  assign give = out_valid_o && out_ready_i;
  assign placed = {{Out{1'b0}}, in_data_i} << (32'(count_q) * Grain);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      held_q  <= '0;
      count_q <= '0;
    end else if (give) begin
      held_q  <= held_q >> Out;
      count_q <= in_ready_o ? '0 : count_q - CountBits'(OutGrains);
    end else if (take) begin
      held_q  <= held_q | placed;
      count_q <= count_q + CountBits'(InGrains);
    end
  end
endmodule
