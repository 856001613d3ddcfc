// SPDX-License-Identifier: Apache-2.0

/// Receives the modulus, checks it, and starts the computation of its constants in the datapath.
///
/// Accepted: odd m with 3 <= m < 2^Length in at most Words beats; the beats set the run-time length.
/// Precondition: ready_i is high only while no product is in flight.
/// Latency: one beat per cycle; done_o one cycle after the last beat for a refused modulus, else
/// one cycle after setup_done_i.
/// Example, Length = 8, WordBits = 4: beats 0xb, 0x8 -> m = 0x8b, words_o = 2.
module montcore_config #(
    parameter int unsigned Length = 256,  // Built width L of the modulus in bits.
    parameter int unsigned WordBits = 32,  // Word width w in bits, one beat of the port.
    parameter int unsigned Lanes = 4,  // Words of a memory row; 1 for memories organised by words.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    /// Memory rows of an operand at the built width.
    localparam int unsigned Rows = (Words + Lanes - 1) / Lanes,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high: drops the modulus.
    input logic ready_i,  // High: a modulus may be accepted.
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic done_o,  // Pulse: the modulus was accepted or refused.
    /// Reason for the refusal, ErrNone if accepted; valid with done_o, held until the next one.
    output montcore_pkg::montcore_error_e error_o,
    output logic we_o,  // Memory write enable for cfg_data_i.
    output logic [WordCountBits-1:0] index_o,  // Word index of cfg_data_i, valid with we_o.
    output logic [RowBits-1:0] row_o,  // Memory row of cfg_data_i, valid with we_o.
    output logic [LaneBits-1:0] lane_o,  // Lane of cfg_data_i in the row, valid with we_o.
    output logic setup_o,  // Pulse: compute the constants of the modulus.
    input logic setup_done_i,  // Pulse: the constants are ready.
    output logic loaded_o,  // High while a modulus is loaded and its constants are ready.
    output logic busy_o,  // High while a modulus is received or set up.
    output logic [WordCountBits-1:0] words_o,  // Words of the modulus; 1 after reset or clear.
    output logic [RowBits-1:0] rows_o  // Memory rows of the modulus; 1 after reset or clear.
);
  localparam int unsigned TopBits = Length - (Words - 1) * WordBits;

  typedef enum logic [1:0] {
    StLoad,
    StCheck,
    StSetup
  } state_e;

  state_e state_q;
  logic [WordCountBits-1:0] index_q;
  logic [RowBits-1:0] row_q;
  logic [LaneBits-1:0] lane_q;
  logic odd_q, above_one_q, too_long_q, busy_q;
  logic beat, first, in_range, top_excess, above_one, refused, ends;

  assign cfg_ready_o = ready_i && state_q == StLoad;
  assign beat = cfg_valid_i && cfg_ready_o;
  assign first = index_q == 0;
  assign in_range = index_q != WordCountBits'(Words);
  assign we_o = beat && in_range;

  // Bits above the built width in the highest word.
  if (TopBits < WordBits) begin : g_partial
    assign top_excess = (index_q == WordCountBits'(Words - 1)) &&
                        (cfg_data_i[WordBits-1:TopBits] != '0);
  end else begin : g_whole
    assign top_excess = 1'b0;
  end
  assign above_one = (cfg_data_i[WordBits-1:1] != '0) || (!first && cfg_data_i[0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q  <= StLoad;
      index_q  <= '0;
      row_q    <= '0;
      lane_q   <= '0;
      loaded_o <= 1'b0;
      error_o  <= montcore_pkg::ErrNone;
      done_o   <= 1'b0;
      setup_o  <= 1'b0;
      words_o  <= WordCountBits'(1);
      rows_o   <= RowBits'(1);
      busy_q   <= 1'b0;
    end else begin
      busy_q  <= beat || (busy_q && !ends);
      done_o  <= 1'b0;
      setup_o <= 1'b0;
      unique case (state_q)
        StLoad: begin
          if (beat) begin
            loaded_o <= 1'b0;
            words_o  <= index_q + 1;
            rows_o   <= row_q + 1;
            if (cfg_last_i) begin
              state_q <= StCheck;
            end else if (in_range) begin
              index_q <= index_q + 1;
              lane_q  <= (lane_q == LaneBits'(Lanes - 1)) ? '0 : lane_q + 1;
              if (lane_q == LaneBits'(Lanes - 1)) row_q <= row_q + 1;
            end
          end
        end
        StCheck: begin
          index_q <= '0;
          row_q   <= '0;
          lane_q  <= '0;
          state_q <= StLoad;
          if (!odd_q) begin
            error_o <= montcore_pkg::ErrModulusEven;
            done_o  <= 1'b1;
          end else if (too_long_q) begin
            error_o <= montcore_pkg::ErrModulusLength;
            done_o  <= 1'b1;
          end else if (!above_one_q) begin
            error_o <= montcore_pkg::ErrModulusOne;
            done_o  <= 1'b1;
          end else begin
            setup_o <= 1'b1;
            state_q <= StSetup;
          end
        end
        StSetup: begin
          if (setup_done_i) begin
            state_q  <= StLoad;
            loaded_o <= 1'b1;
            error_o  <= montcore_pkg::ErrNone;
            done_o   <= 1'b1;
          end
        end
        default: state_q <= StLoad;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      odd_q       <= 1'b0;
      above_one_q <= 1'b0;
      too_long_q  <= 1'b0;
    end else if (beat) begin
      odd_q       <= first ? cfg_data_i[0] : odd_q;
      above_one_q <= above_one | (above_one_q & ~first);
      too_long_q  <= top_excess | ~in_range | (too_long_q & ~first);
    end
  end

  assign index_o = index_q;
  assign row_o = row_q;
  assign lane_o = lane_q;
  // Registered, since the ready outputs of the other streams depend on it.
  assign refused = !odd_q || too_long_q || !above_one_q;
  assign ends = (state_q == StCheck && refused) || (state_q == StSetup && setup_done_i);
  assign busy_o = busy_q;
endmodule
