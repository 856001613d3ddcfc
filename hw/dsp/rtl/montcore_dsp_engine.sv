// SPDX-License-Identifier: Apache-2.0

/// The multiplier of the paper: operands and results as pairs of 17-bit words, lazy or reduced.
///
/// Product: z = a * b * 2^(-17 n) mod m, z < 2 Mt, Mt = (M' mod 2^34) m, M' = -m^-1 mod 2^34.
/// With final_i: z = (a * b * 2^(-17 n) + q m) / 2^34, which is below 2 m if a b < 2^(17 n) m.
/// Precondition: m odd; 4 Mt < 2^(17 n); a, b < 2 Mt; n + 1 <= 2 (half) Alpha; one pair of each
/// operand per cycle from start_i on, without gaps, or all of them before it.
/// Latency, r = 2 half: n r - half + 4 clk1x cycles (half = 1: 2 n + 7) from the first operand pair
/// at a block to z_valid_o, and the next start 2 cycles later or at the next half-iteration.
/// Source: dsp48-2007, Algorithm 2. The same row reduces by 2^34: q = z (M' mod 2^34) mod 2^34 in
/// two iterations with M' in place of A, z + q m in four with m in place of M'' and z times 1.
/// Example, m = 0x8b, n = 3: z = a b 2^-51 mod 0x8b, below 2^41.
module montcore_dsp_engine #(
    /// Built width L in bits.
    parameter int unsigned Length = 512,
    /// Number of DSP blocks of the row.
    parameter int unsigned Alpha = 17,
    /// Target technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// 1: operands are written one tick late and must be complete before start_i.
    parameter bit LateWrites = 1'b0,
    /// Words of an operand at the built width (do not change).
    localparam int unsigned Digits = (Length + 36 + 16) / 17,
    /// Pairs of words of an operand at the built width (do not change).
    localparam int unsigned WordPairs = (Digits + 1) / 2,
    /// Pairs of words per block (do not change).
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    /// Width of a word count in bits (do not change).
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    /// Width of a pair count in bits (do not change).
    localparam int unsigned PairBits = $clog2(WordPairs + 1),
    /// Width of a pair index in a block in bits (do not change).
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    /// Rows of the operand memory of a block (do not change).
    localparam int unsigned Rows = 3 * Pairs + 1,
    /// Width of a row index in bits (do not change).
    localparam int unsigned AddrBits = $clog2(Rows),
    /// Rows that zeroize sweeps (do not change).
    localparam int unsigned SweepRows = (Rows > WordPairs) ? Rows : WordPairs,
    /// Width of the sweep's row index in bits (do not change).
    localparam int unsigned SweepBits = $clog2(SweepRows + 1)
) (
    /// Clock of the adders (clk1x), or the only clock; rising edge.
    input  logic                 clk_i,
    /// Clock enable of the logic at clk1x; all inputs below are sampled with it.
    input  logic                 tick_i,
    /// Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input  logic                 clk_fast_i,
    /// High in the second half of a clk1x cycle.
    input  logic                 phase_i,
    /// Synchronous reset, active low.
    input  logic                 rst_ni,
    /// Synchronous clear, active high; memories are cleared row by row.
    input  logic                 clear_i,
    /// Memory row to clear, valid with clear_i.
    input  logic [SweepBits-1:0] sweep_i,
    /// Words n of the present modulus.
    input  logic [DigitBits-1:0] digits_i,
    /// Pairs of words of an operand, (n + 1) / 2.
    input  logic [ PairBits-1:0] pairs_i,
    /// Pairs of a half-iteration minus 1, r / 2 - 1.
    input  logic [ SlotBits-1:0] last_slot_i,
    /// A pair of m is valid; pairs_i of them set up a modulus.
    input  logic                 m_we_i,
    /// Pair of m, low word first; valid with m_we_i.
    input  logic [         33:0] m_data_i,
    /// Pulse of one tick: the constants of the modulus are ready.
    output logic                 setup_done_o,
    /// A pair of a is valid.
    input  logic                 a_we_i,
    /// Pair of a, low word first; valid with a_we_i.
    input  logic [         33:0] a_data_i,
    /// A pair of b is valid.
    input  logic                 b_we_i,
    /// Pair of b, low word first; valid with b_we_i.
    input  logic [         33:0] b_data_i,
    /// Pulse of one tick: start a product.
    input  logic                 start_i,
    /// High: reduce the product; sampled with start_i.
    input  logic                 final_i,
    /// High during a set-up or product; result pairs may still be output afterwards.
    output logic                 busy_o,
    /// Pulse (one tick): the first operands are at the first block.
    output logic                 start_o,
    /// Pulse (one tick): the first pair of the product is complete (lazy, also with final_i).
    output logic                 done_o,
    /// A pair of the result is valid.
    output logic                 z_valid_o,
    /// Pair of the result, low word first; valid with z_valid_o.
    output logic [         33:0] z_data_o,
    /// Last pair of the result; valid with z_valid_o.
    output logic                 z_last_o
);
  import montcore_dsp_pkg::*;
  typedef enum logic [3:0] {
    StIdle,
    StLoad,
    StInverse,
    StWriteInverse,
    StWriteOne,
    StSetup,
    StSetupPairs,
    StProduct,
    StResult,
    StDigits,
    StCopy,
    StReduce
  } state_e;

  state_e state_q;
  logic [1:0] op, op_next;
  logic run, multiply_m, shift, complete, launch, launch_now, slot_first, last_half, at_rest;
  logic [ SlotBits-1:0] slot;
  logic [DigitBits-1:0] iteration;
  montcore_dsp_sequencer #(
      .DigitBits(DigitBits),
      .SlotBits (SlotBits)
  ) u_sequencer (
      .clk_i       (clk_i),
      .tick_i      (tick_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .digits_i    (digits_i),
      .last_slot_i (last_slot_i),
      .launch_i    (launch),
      .op_i        (op_next),
      .at_rest_i   (at_rest),
      .begin_o     (launch_now),
      .start_o     (start_o),
      .run_o       (run),
      .op_o        (op),
      .iteration_o (iteration),
      .multiply_m_o(multiply_m),
      .shift_o     (shift),
      .complete_o  (complete),
      .slot_o      (slot),
      .slot_first_o(slot_first),
      .last_half_o (last_half)
  );

  // ---- operands ----------------------------------------------------------------------------------
  logic [16:0] operand, digit;
  logic [33:0] inverse;
  logic [16:0] even_digit, odd_digit;  // the latest quotient digits of both parities
  logic digit_valid, odd, z_valid, z_first, out_q, lazy_q, setup_q;
  logic [33:0] z_data, m_low_q;
  logic [1:0] digits_made_q;
  // Icarus Verilog 11 takes a constant's name in a port expression for a net of that name.
  logic keep_z, keep_inverse, keep_digits, fill, show, final_q, pending_q, pending_final_q;
  assign keep_z       = state_q == StResult && z_first;
  assign keep_inverse = state_q == StSetup;
  assign keep_digits  = state_q == StCopy && digits_made_q == 2'd2;
  montcore_dsp_operand #(
      .WordPairs (WordPairs),
      .DigitBits (DigitBits),
      .SweepBits (SweepBits),
      .LateWrites(LateWrites)
  ) u_operand (
      .clk_i        (clk_i),
      .tick_i       (tick_i),
      .rst_ni       (rst_ni),
      .clear_i      (clear_i),
      .sweep_i      (sweep_i),
      .digits_i     (digits_i),
      .pairs_i      (pairs_i),
      .b_we_i       (b_we_i),
      .b_data_i     (b_data_i),
      .run_i        (run),
      .op_i         (op),
      .iteration_i  (iteration),
      .multiply_m_i (multiply_m),
      .z_we_i       (keep_z),
      .z_i          (z_data),
      .digit_valid_i(digit_valid),
      .digit_odd_i  (odd),
      .digit_i      (digit),
      .even_digit_i (even_digit),
      .odd_digit_i  (odd_digit),
      .inverse_we_i (keep_inverse),
      .inverse_i    (inverse),
      .reduce_we_i  (keep_digits),
      .operand_o    (operand)
  );

  logic [1:0] region;
  always_comb begin
    if (multiply_m) region = (op == OpReduce) ? RegionM : RegionScaled;
    else region = (op == OpDigits) ? RegionInverse : RegionA;
  end

  // ---- operand memories: one writer at a time ---------------------------------------------------
  logic feed_back, we, wait_q;
  logic [ 1:0] wregion;
  logic [33:0] wdata;
  logic we_last, all_rows, at_first, pairs_done, none_yet;
  logic [Alpha-1:0] row_we;
  logic [AddrBits-1:0] row_addr;
  logic [33:0] row_data;

  assign feed_back = final_q && (state_q == StResult || state_q == StDigits || state_q == StCopy);
  always_comb begin
    we       = 1'b0;
    wregion  = RegionA;
    wdata    = a_data_i;
    all_rows = 1'b0;
    unique case (state_q)
      StLoad: begin
        // Words above the pairs of the stream are filled with zeros.
        we       = m_we_i || pairs_done;
        wregion  = RegionM;
        wdata    = pairs_done ? '0 : m_data_i;
        all_rows = 1'b1;
      end
      StWriteInverse: begin
        we      = 1'b1;
        wregion = RegionInverse;
        wdata   = inverse;
      end
      StWriteOne: begin
        we       = 1'b1;
        wdata    = 34'(at_first);
        all_rows = 1'b1;
      end
      StSetup, StSetupPairs: begin
        we       = z_valid;
        wregion  = RegionScaled;
        wdata    = z_data;
        all_rows = 1'b1;
      end
      default: begin
        we    = feed_back ? z_valid && !wait_q : a_we_i;
        wdata = feed_back ? z_data : a_data_i;
      end
    endcase
    if (state_q == StIdle && m_we_i) begin
      we       = 1'b1;
      wregion  = RegionM;
      wdata    = m_data_i;
      all_rows = 1'b1;
    end
  end
  assign fill = state_q == StLoad || m_we_i;
  montcore_dsp_writer #(
      .Alpha     (Alpha),
      .Pairs     (Pairs),
      .PairBits  (PairBits),
      .SweepBits (SweepBits),
      .LateWrites(LateWrites)
  ) u_writer (
      .clk_i       (clk_i),
      .tick_i      (tick_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .sweep_i     (sweep_i),
      .pairs_i     (pairs_i),
      .last_slot_i (last_slot_i),
      .we_i        (we),
      .data_i      (wdata),
      .region_i    (wregion),
      .all_rows_i  (all_rows),
      .fill_i      (fill),
      .we_o        (row_we),
      .addr_o      (row_addr),
      .data_o      (row_data),
      .first_o     (at_first),
      .last_o      (we_last),
      .none_o      (none_yet),
      .pairs_done_o(pairs_done)
  );

  // ---- the row ------------------------------------------------------------------------------------
  logic result_first, result_valid;
  logic [33:0] result;

  assign show = last_half && op != OpDigits;
  montcore_dsp_row #(
      .Alpha(Alpha),
      .Pairs(Pairs),
      .Tech (Tech)
  ) u_row (
      .clk_i         (clk_i),
      .tick_i        (tick_i),
      .clk_fast_i    (clk_fast_i),
      .phase_i       (phase_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear_i),
      .last_slot_i   (last_slot_i),
      .we_i          (row_we),
      .waddr_i       (row_addr),
      .wdata_i       (row_data),
      .wzero_i       (clear_i),
      .fetch_slot_i  (slot),
      .run_i         (run),
      .region_i      (region),
      .stay_i        (!shift),
      .fresh_i       (shift && iteration == '0),
      .result_i      (show),
      .digit_i       (complete),
      .odd_i         (iteration[0]),
      .operand_i     (operand),
      .digit_valid_o (digit_valid),
      .digit_o       (digit),
      .odd_o         (odd),
      .result_first_o(result_first),
      .result_valid_o(result_valid),
      .result_o      (result)
  );

  montcore_dsp_result #(
      .PairBits(PairBits),
      .Tech    (Tech)
  ) u_result (
      .clk_i        (clk_i),
      .tick_i       (tick_i),
      .rst_ni       (rst_ni),
      .clear_i      (clear_i),
      .pairs_i      (pairs_i),
      .digit_valid_i(digit_valid),
      .digit_i      (digit),
      .odd_i        (odd),
      .even_digit_o (even_digit),
      .odd_digit_o  (odd_digit),
      .first_i      (result_first),
      .valid_i      (result_valid),
      .sum_i        (result),
      .first_o      (z_first),
      .valid_o      (z_valid),
      .pair_o       (z_data),
      .send_i       (out_q && !setup_q),
      .send_valid_o (z_valid_o),
      .send_last_o  (z_last_o)
  );

  // ---- use of the result ----------------------------------------------------------------------
  logic inverse_start, inverse_done, due_q;

  montcore_dsp_inverse u_inverse (
      .clk_i    (clk_i),
      .tick_i   (tick_i),
      .rst_ni   (rst_ni),
      .clear_i  (clear_i),
      .start_i  (inverse_start),
      .m_i      (m_low_q),
      .done_o   (inverse_done),
      .inverse_o(inverse)
  );
  assign inverse_start = state_q == StLoad && we && we_last;

  assign launch = (state_q == StIdle && (start_i || pending_q)) || state_q == StSetup ||
                  (state_q == StDigits) || (state_q == StReduce);
  always_comb begin
    unique case (state_q)
      StSetup, StReduce: op_next = OpReduce;
      StDigits: op_next = OpDigits;
      default: op_next = OpProduct;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q       <= StIdle;
      pending_q     <= 1'b0;
      out_q         <= 1'b0;
      lazy_q        <= 1'b0;
      final_q       <= 1'b0;
      setup_q       <= 1'b0;
      wait_q        <= 1'b0;
      digits_made_q <= '0;
      due_q         <= 1'b0;
    end else if (tick_i) begin
      if (last_half && slot_first && run && (state_q == StProduct || state_q == StReduce)) begin
        due_q <= 1'b1;
      end else if (z_valid_o && z_last_o) begin
        due_q <= 1'b0;
      end
      if (start_i) pending_q <= 1'b1;
      unique case (state_q)
        StIdle: begin
          if (m_we_i) state_q <= StLoad;
          else if (launch_now) begin
            state_q   <= StProduct;
            pending_q <= 1'b0;
            final_q   <= start_i ? final_i : pending_final_q;
          end
        end
        // Modulus to the row, then its inverse, and M'' = (1 + M' m) / 2^34 as a reduction of 1.
        StLoad: if (we && we_last) state_q <= StInverse;
        StInverse: if (inverse_done) state_q <= StWriteInverse;
        StWriteInverse: state_q <= StWriteOne;
        StWriteOne: if (we_last) state_q <= StSetup;
        StSetup: begin
          setup_q <= 1'b1;
          if (launch_now) state_q <= StSetupPairs;
        end
        StSetupPairs: begin
          if (we && we_last) begin
            state_q <= StIdle;
            setup_q <= 1'b0;
          end
        end
        // A product; without reduction the next one may start as soon as its operands arrive.
        StProduct: begin
          if (last_half && slot_first && op == OpProduct) begin
            state_q <= final_q ? StResult : StIdle;
            out_q   <= !final_q;
            lazy_q  <= !final_q;
          end
        end
        StResult: begin
          if (z_valid && z_first) state_q <= StDigits;
        end
        StDigits: begin
          digits_made_q <= '0;
          if (launch_now) state_q <= StCopy;
          if (we && we_last) wait_q <= 1'b1;
        end
        StCopy: begin
          if (we && we_last) wait_q <= 1'b1;
          if (digit_valid) digits_made_q <= digits_made_q + 1;
          if (digits_made_q == 2'd2 && wait_q) state_q <= StReduce;
        end
        StReduce: begin
          wait_q <= 1'b0;
          if (run && op == OpReduce && last_half && slot_first) begin
            state_q <= StIdle;
            out_q   <= 1'b1;
            lazy_q  <= 1'b0;
            final_q <= 1'b0;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      m_low_q <= '0;
    end else if (tick_i) begin
      if (start_i) pending_final_q <= final_i;
      if (m_we_i && none_yet) m_low_q <= m_data_i;
    end
  end
  assign z_data_o = z_data;
  assign setup_done_o = state_q == StSetupPairs && we && we_last;
  // When idle a half-iteration may start at once; from then on they follow each other in step.
  assign at_rest = !busy_o && !start_i && !m_we_i && !clear_i;
  assign busy_o = state_q != StIdle || pending_q || run || due_q || result_valid || z_valid;
  assign done_o = z_valid && z_first && (state_q == StResult || (lazy_q && !setup_q));
endmodule
