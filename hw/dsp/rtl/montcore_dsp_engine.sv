// SPDX-License-Identifier: Apache-2.0

/// The multiplier of the paper: operands and result as pairs of 17-bit words, lazy or reduced.
///
/// Product: z = a * b * 2^(-17 n) mod m, z < 2 Mt, Mt = (M' mod 2^34) m, M' = -m^-1 mod 2^34.
/// With final_i: z = (a * b * 2^(-17 n) + q m) / 2^34, which is below 2 m if a b < 2^(17 n) m.
/// Precondition: m odd; 4 Mt < 2^(17 n); a, b < 2 Mt; n + 1 <= 2 (half) Alpha; a pair of each
/// operand a cycle from start_i on, without gaps, or all of them before it.
/// Latency, r = 2 half: (n + 1) r + half + 4 cycles of clk1x from the first operand pair at a block to
/// z_valid_o, and the next start 2 cycles later or at the next half-iteration.
/// Source: dsp48-2007, Algorithm 2. q_0 is 0, and so the modulus enters in iterations 2 .. n + 1.
/// The reduction by 2^34 is made by the same row: q = z (M' mod 2^34) mod 2^34 in two iterations with
/// M' in place of A, z + q m in four with m in place of M'' and z times 1.
/// Example, m = 0x8b, n = 3: z = a b 2^-51 mod 0x8b, below 2^41.
module montcore_dsp_engine #(
    /// Built width L in bits.
    parameter int unsigned Length = 512,
    /// Number of blocks.
    parameter int unsigned Alpha = 17,
    /// Small memories of S as distributed RAM (FPGA) instead of flip-flops.
    parameter bit LutRam = 1'b0,
    /// Words built (do not change).
    localparam int unsigned Digits = (Length + 36 + 16) / 17,
    /// Pairs of words built (do not change).
    localparam int unsigned WordPairs = (Digits + 1) / 2,
    /// Pairs of words of a block (do not change).
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    /// Bits of a word count (do not change).
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    /// Bits of a pair count (do not change).
    localparam int unsigned PairBits = $clog2(WordPairs + 1),
    /// Bits of a pair number in a block (do not change).
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    /// Rows of the operand memory of a block (do not change).
    localparam int unsigned Rows = 3 * Pairs + 1,
    /// Bits of a row number (do not change).
    localparam int unsigned AddrBits = $clog2(Rows),
    /// Rows that zeroize sweeps (do not change).
    localparam int unsigned SweepRows = (Rows > WordPairs) ? Rows : WordPairs,
    /// Bits of a row number of the sweep (do not change).
    localparam int unsigned SweepBits = $clog2(SweepRows + 1)
) (
    /// Clock of the adders (clk1x), or the only one.
    input  logic                 clk_i,
    /// The edge counts for what runs at clk1x; everything below is sampled then.
    input  logic                 tick_i,
    /// Clock of the DSP blocks (clk2x), or the only one.
    input  logic                 clk_fast_i,
    /// Second half of a clk1x cycle.
    input  logic                 phase_i,
    /// Synchronous reset, active low.
    input  logic                 rst_ni,
    /// Clear everything, memories row by row.
    input  logic                 clear_i,
    /// Row that is cleared.
    input  logic [SweepBits-1:0] sweep_i,
    /// Words n of the modulus in force.
    input  logic [DigitBits-1:0] digits_i,
    /// Pairs of words, (n + 1) / 2.
    input  logic [ PairBits-1:0] pairs_i,
    /// Pairs of a half-iteration less one, r / 2 - 1.
    input  logic [ SlotBits-1:0] last_slot_i,
    /// A pair of m (pairs_i of them set up a modulus).
    input  logic                 m_we_i,
    /// That pair.
    input  logic [         33:0] m_data_i,
    /// The constants are ready (one tick).
    output logic                 setup_done_o,
    /// A pair of a.
    input  logic                 a_we_i,
    /// That pair.
    input  logic [         33:0] a_data_i,
    /// A pair of b.
    input  logic                 b_we_i,
    /// That pair.
    input  logic [         33:0] b_data_i,
    /// Multiply (one tick).
    input  logic                 start_i,
    /// Reduce the product.
    input  logic                 final_i,
    /// A set-up or product is under way (its result pairs may still be coming out).
    output logic                 busy_o,
    /// Pulse (one tick): the first operands are at the first block.
    output logic                 start_o,
    /// Pulse (one tick): the first pair of the product is complete (lazy, also with final_i).
    output logic                 done_o,
    /// A pair of the result.
    output logic                 z_valid_o,
    /// That pair.
    output logic [         33:0] z_data_o,
    /// It is the last one.
    output logic                 z_last_o
);
  localparam logic [1:0] RegionA = 2'd0;
  localparam logic [1:0] RegionScaled = 2'd1;
  localparam logic [1:0] RegionM = 2'd2;
  localparam logic [1:0] RegionInverse = 2'd3;

  // What the row does: a product, q for its reduction, the reduction.
  localparam logic [1:0] OpProduct = 2'd0;
  localparam logic [1:0] OpDigits = 2'd1;
  localparam logic [1:0] OpReduce = 2'd2;

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
  logic [1:0] op_q, op_next;
  logic run_q, multiply_m_q, launch, launch_now, final_q, pending_q, pending_final_q;
  logic [SlotBits-1:0] slot_q;
  logic [DigitBits-1:0] iteration_q, last_iteration;
  logic slot_last, slot_first, at_rest;

  assign slot_last  = slot_q >= last_slot_i;
  assign slot_first = slot_q == '0;

  // ---- sequencer: half-iterations of one operation after the other -------------------------------
  always_comb begin
    unique case (op_q)
      OpProduct: last_iteration = digits_i + 1;
      OpDigits:  last_iteration = DigitBits'(1);
      default:   last_iteration = DigitBits'(3);
    endcase
  end
  assign launch_now = launch && !run_q && slot_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= '0;
    else if (tick_i) slot_q <= at_rest ? last_slot_i : slot_last ? '0 : slot_q + 1;
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
    end else if (tick_i) begin
      if (launch_now) run_q <= 1'b1;
      else if (slot_last && multiply_m_q && iteration_q == last_iteration) run_q <= 1'b0;
    end
    if (tick_i) begin
      if (launch_now) begin
        op_q         <= op_next;
        iteration_q  <= '0;
        multiply_m_q <= 1'b0;
      end else if (slot_last) begin
        multiply_m_q <= !multiply_m_q;
        if (multiply_m_q) iteration_q <= iteration_q + 1;
      end
    end
  end

  // ---- operands ----------------------------------------------------------------------------------
  logic [16:0] operand, b_word, digit, digit_0_q, digit_1_q;
  logic [33:0] b_pair, z_first_q, inverse;
  logic [16:0] digit_new_q, digit_old_q;  // the two newest quotient digits
  logic [16:0] z_word;
  logic later;
  logic digit_valid;
  logic [PairBits-1:0] b_count_q;
  localparam int unsigned BAddrBits = (WordPairs > 1) ? $clog2(WordPairs) : 1;

  montcore_ram #(
      .Rows (WordPairs),
      .Width(34)
  ) u_b (
      .clk_i  (clk_i),
      .we_i   ((b_we_i && tick_i) || (clear_i && sweep_i < SweepBits'(WordPairs))),
      .wzero_i(clear_i),
      .waddr_i(clear_i ? BAddrBits'(sweep_i) : BAddrBits'(b_count_q)),
      .wdata_i(b_data_i),
      .raddr_i(BAddrBits'(iteration_q >> 1)),
      .rdata_o(b_pair)
  );
  assign z_word = iteration_q[0] ? z_first_q[33:17] : z_first_q[16:0];
  assign later  = iteration_q[DigitBits-1:1] != '0;
  assign b_word = iteration_q[0] ? b_pair[33:17] : b_pair[16:0];

  always_comb begin
    operand = '0;
    unique case (op_q)
      OpProduct: begin
        if (!multiply_m_q) begin
          if (iteration_q < digits_i) operand = b_word;
        end else if (later) begin
          // q_(i-1) was completed 2 r - 4 cycles ago: it is being made, or the newest, or before that.
          if (last_slot_i == '0) operand = digit;
          else if (last_slot_i == SlotBits'(1)) operand = digit_new_q;
          else operand = digit_old_q;
        end
      end
      OpDigits: begin
        if (!multiply_m_q) operand = z_word;
      end
      default: begin
        if (!multiply_m_q) operand = 17'(iteration_q == '0);
        else if (iteration_q == '0) operand = digit_0_q;
        else if (iteration_q == DigitBits'(1)) operand = digit_1_q;
      end
    endcase
    if (!run_q) operand = '0;
  end

  logic [1:0] region;
  always_comb begin
    if (multiply_m_q) region = (op_q == OpReduce) ? RegionM : RegionScaled;
    else region = (op_q == OpDigits) ? RegionInverse : RegionA;
  end

  // ---- the operand memories: one writer at a time ------------------------------------------------
  logic feed_back, we, wait_q;
  logic [1:0] wregion;
  logic [33:0] wdata;
  logic [Alpha-1:0] block_q;
  logic [SlotBits-1:0] row_q;
  logic [PairBits-1:0] count_q;
  logic we_last, all_rows, row_last, at_first;
  logic z_valid, z_first, pairs_done;
  logic [33:0] z_data;
  logic [AddrBits-1:0] waddr;

  assign at_first  = block_q[0] && row_q == '0;
  assign feed_back = final_q && (state_q == StResult || state_q == StDigits || state_q == StCopy);
  always_comb begin
    we       = 1'b0;
    wregion  = RegionA;
    wdata    = a_data_i;
    all_rows = 1'b0;
    unique case (state_q)
      StLoad: begin
        // What is above the pairs of the stream is filled with zeros.
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
  assign row_last = row_q == last_slot_i;
  assign we_last  = all_rows ? (block_q[Alpha-1] && row_last) : (count_q == pairs_i - 1);

  always_comb begin
    unique case (wregion)
      RegionA: waddr = AddrBits'(row_q);
      RegionScaled: waddr = AddrBits'(Pairs) + AddrBits'(row_q);
      RegionM: waddr = AddrBits'(2 * Pairs) + AddrBits'(row_q);
      default: waddr = AddrBits'(3 * Pairs);
    endcase
    if (clear_i) waddr = AddrBits'(sweep_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      block_q    <= Alpha'(1);
      row_q      <= '0;
      count_q    <= '0;
      b_count_q  <= '0;
      pairs_done <= 1'b0;
    end else if (tick_i) begin
      if (we && state_q != StWriteInverse) begin
        if (we_last) begin
          block_q    <= Alpha'(1);
          row_q      <= '0;
          count_q    <= '0;
          pairs_done <= 1'b0;
        end else begin
          row_q <= row_last ? '0 : row_q + 1;
          if (row_last) block_q <= block_q << 1;
          if (!pairs_done) count_q <= count_q + 1;
          if (state_q == StLoad || m_we_i) pairs_done <= pairs_done || count_q == pairs_i - 1;
        end
      end
      if (b_we_i) b_count_q <= (b_count_q == pairs_i - 1) ? '0 : b_count_q + 1;
    end
  end

  // ---- the row ------------------------------------------------------------------------------------
  logic result_first, result_valid, result_first_q, result_valid_q;
  logic [33:0] result, result_q;
  logic [16:0] below_q;
  logic last_half;
  assign last_half = multiply_m_q && iteration_q == last_iteration;

  montcore_dsp_row #(
      .Alpha (Alpha),
      .Pairs (Pairs),
      .LutRam(LutRam)
  ) u_row (
      .clk_i         (clk_i),
      .tick_i        (tick_i),
      .clk_fast_i    (clk_fast_i),
      .phase_i       (phase_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear_i),
      .last_slot_i   (last_slot_i),
      .we_i          (clear_i ? {Alpha{sweep_i < SweepBits'(Rows)}} : block_q & {Alpha{we}}),
      .waddr_i       (waddr),
      .wdata_i       (wdata),
      .wzero_i       (clear_i),
      .fetch_slot_i  (slot_q),
      .run_i         (run_q),
      .region_i      (region),
      .multiply_m_i  (multiply_m_q),
      .fresh_i       (!multiply_m_q && iteration_q == '0),
      .result_i      (last_half && op_q != OpDigits),
      .operand_i     (operand),
      .digit_valid_o (digit_valid),
      .digit_o       (digit),
      .result_first_o(result_first),
      .result_valid_o(result_valid),
      .result_o      (result)
  );

  // The result is S times 2^17 plus the last digit: its pairs lie across those of S.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      result_valid_q <= 1'b0;
      result_first_q <= 1'b0;
    end else if (tick_i) begin
      result_valid_q <= result_valid;
      result_first_q <= result_first;
    end
    if (clear_i) begin
      digit_new_q <= '0;
      digit_old_q <= '0;
      result_q <= '0;
      below_q <= '0;
    end else if (tick_i) begin
      if (digit_valid) begin
        digit_new_q <= digit;
        digit_old_q <= digit_new_q;
      end
      if (result_valid) begin
        result_q <= result;
        below_q  <= result_first ? digit_new_q : result_q[33:17];
      end
    end
  end
  assign z_valid = result_valid_q;
  assign z_first = result_first_q;
  assign z_data  = {result_q[16:0], below_q};

  // ---- what the result is for -----------------------------------------------------------------
  logic inverse_start, inverse_done, out_q, lazy_q, setup_q, due_q;
  logic [33:0] m_low_q;
  logic [PairBits-1:0] z_count_q;
  logic [1:0] digits_made_q;

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
    end else if (tick_i) begin
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
        // The modulus into the row, its inverse, and M'' = (1 + M' m) / 2^34 as a reduction of 1.
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
        // A product; without reduction the next one may start as soon as its operands come.
        StProduct: begin
          if (last_half && slot_first && op_q == OpProduct) begin
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
          if (run_q && op_q == OpReduce && last_half && slot_first) begin
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
      m_low_q   <= '0;
      z_first_q <= '0;
      digit_0_q <= '0;
      digit_1_q <= '0;
    end else if (tick_i) begin
      if (start_i) pending_final_q <= final_i;
      if (m_we_i && count_q == '0 && !pairs_done) m_low_q <= m_data_i;
      if (state_q == StResult && z_first) z_first_q <= z_data;
      if (state_q == StSetup) begin
        digit_0_q <= inverse[16:0];
        digit_1_q <= inverse[33:17];
      end else if (state_q == StCopy && digits_made_q == 2'd2) begin
        digit_0_q <= digit_old_q;
        digit_1_q <= digit_new_q;
      end
    end
    if (!rst_ni || clear_i) z_count_q <= '0;
    else if (tick_i && z_valid_o) z_count_q <= z_last_o ? '0 : z_count_q + 1;
  end
  logic sending_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sending_q <= 1'b0;
      due_q     <= 1'b0;
    end else if (tick_i) begin
      if (z_valid_o) sending_q <= !z_last_o;
      if (last_half && slot_first && run_q && (state_q == StProduct || state_q == StReduce)) begin
        due_q <= 1'b1;
      end else if (z_valid_o && z_last_o) begin
        due_q <= 1'b0;
      end
    end
  end
  assign z_valid_o = z_valid && (sending_q || (z_first && out_q && !setup_q));
  assign z_data_o = z_data;
  assign z_last_o = z_count_q == pairs_i - 1;
  assign setup_done_o = state_q == StSetupPairs && we && we_last;
  // At rest a half-iteration may begin at once; from then on they follow each other in step.
  assign at_rest = !busy_o && !start_i && !m_we_i && !clear_i;
  assign busy_o = state_q != StIdle || pending_q || run_q || due_q || result_valid || z_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      start_o <= 1'b0;
    end else if (tick_i) begin
      start_o <= run_q && op_q == OpProduct && iteration_q == '0 && !multiply_m_q && slot_first;
    end
  end
  assign done_o = z_valid && z_first && (state_q == StResult || (lazy_q && !setup_q));
endmodule
