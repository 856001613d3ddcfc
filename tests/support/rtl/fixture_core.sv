// SPDX-License-Identifier: Apache-2.0

/// A bit-serial Montgomery multiplier with the common port: the test piece of the simulation harness.
///
/// z = x * y * R^-1 mod m, R = 2^(beats * BusWidth), one bit of x in each cycle. It is small and
/// right (Bug = 0), or wrong in one known way (Bug > 0), so that tests can show that the harness
/// and the verifier notice. It is not one of montcore's cores.
/// Latency of the datapath: beats * BusWidth + 1 cycles.
module fixture_core
  import montcore_pkg::*;
#(
    parameter int unsigned Length = 16,  // Built width L in bits, at least 2.
    parameter int unsigned BusWidth = 8,  // Width of the word streams in bits, at least 3.
    /// 0: right. 1: the final test is > instead of >=. 2: hangs when x ends in 0xa5.
    /// 3: one cycle more when y is odd. 4: z_last_o one beat early. 5: accepts an even modulus.
    /// 6: result changes under back-pressure. 7: zeroize_i leaves y. 8: operand range not checked.
    /// 9: a beat of y is lost when y runs ahead of x. 10: busy_o low while a result waits.
    /// 11: an over-long operand is taken as it is. 12: modulus taken with a product under way.
    /// 13: cfg_done_o lasts two cycles. 14: answers after zeroize_i. 15: busy_o never falls.
    /// 16: a product ends (core_done_o) in the cycle after zeroize_i. 17: core_start_o is unknown
    /// (or, without unknowns, random). 18: z_last_o is unknown. 19: an error is answered twice.
    /// 20: an error answer has status 0. 21: cfg_done_o in the cycle after zeroize_i. 22: a modulus
    /// has status 4. 23: cfg_error_o changes with operands. 24: core_start_o with a modulus.
    /// 25: products are dropped. 26: core_start_o throughout a product.
    parameter int unsigned Bug = 0
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [BusWidth-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [BusWidth-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [BusWidth-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [BusWidth-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);

  localparam int unsigned Beats = (Length + BusWidth - 1) / BusWidth;
  localparam int unsigned Width = Beats * BusWidth;
  localparam int unsigned CountW = $clog2(Width + 1) + 1;

  logic [31:0] fault;
`ifdef FIXTURE_ANY_FAULT
  initial fault = $c32("std::atoi(std::getenv(\"FIXTURE_FAULT\"))");
`else
  assign fault = Bug;
`endif

  typedef logic [Width-1:0] number_t;
  typedef logic [CountW-1:0] count_t;

  typedef enum logic [2:0] {
    StIdle,
    StConfigure,
    StCheck,
    StRun,
    StCorrect,
    StAnswer
  } state_e;

  state_e state_q;
  number_t m_q, x_q, y_q;
  logic [Width+1:0] t_q;
  count_t m_beats_q, x_beats_q, y_beats_q, count_q;
  logic m_long_q, x_full_q, y_full_q, x_bad_q, y_bad_q, loaded_q;
  logic failed_q, cfg_done_q, cfg_again_q, done_late_q, again_q;
  montcore_error_e cfg_error_q, status_q;

  // Streams in. A modulus has precedence over operands that arrive in the same cycle.
  logic operands_begun, idle;
  assign operands_begun = x_beats_q != '0 || y_beats_q != '0;
  assign idle = state_q == StIdle;
  assign cfg_ready_o = fault == 12 ? idle : idle && !operands_begun;
  assign x_ready_o = idle && !x_full_q && m_beats_q == '0 && (operands_begun || !cfg_valid_i);
  assign y_ready_o = idle && !y_full_q && m_beats_q == '0 && (operands_begun || !cfg_valid_i);

  logic cfg_take, x_take, y_take;
  assign cfg_take = cfg_valid_i && cfg_ready_o;
  assign x_take   = x_valid_i && x_ready_o;
  assign y_take   = y_valid_i && y_ready_o;

  count_t m_used_q;  // beats of the modulus in force
  logic   operands_full;
  assign operands_full = x_full_q && y_full_q;

  // Step of the datapath: t = (t + x_i * y + q * m) / 2 with q chosen to make the sum even.
  logic [Width+1:0] sum, reduced;
  always_comb begin
    sum = t_q + (x_q[0] ? (Width + 2)'(y_q) : '0);
    if (sum[0]) sum += (Width + 2)'(m_q);
    reduced = t_q - (Width + 2)'(m_q);
  end

  logic above;
  assign above = fault == 1 ? t_q > (Width + 2)'(m_q) : t_q >= (Width + 2)'(m_q);

  montcore_error_e modulus_status;
  always_comb begin
    modulus_status = ErrNone;
    if (m_long_q || (m_q >> Length) != '0) modulus_status = ErrModulusLength;
    else if (!m_q[0] && fault != 5) modulus_status = ErrModulusEven;
    else if (m_q == number_t'(1)) modulus_status = ErrModulusOne;
  end

  montcore_error_e operand_status;
  always_comb begin
    operand_status = ErrNone;
    if (!loaded_q) operand_status = ErrNoModulus;
    else if (x_bad_q || y_bad_q) operand_status = ErrOperandLength;
    else if ((x_q >= m_q || y_q >= m_q) && fault != 8) operand_status = ErrOperandRange;
  end

  logic unknown;
  assign unknown = (fault == 17 || fault == 18) && 1'bx;
  assign core_start_o = (state_q == StCheck && operand_status == ErrNone) ||
                        (fault == 24 && state_q == StConfigure) ||
                        (fault == 26 && state_q == StRun) || (fault == 17 && unknown);
  assign core_done_o = state_q == StCorrect || done_late_q;

  function automatic number_t shift_in(number_t value, logic [BusWidth-1:0] beat, count_t at);
    return value | (number_t'(beat) << (int'(at) * BusWidth));
  endfunction

  // A packet may be longer than the registers: the count stops one above what fits.
  function automatic count_t next_count(count_t value);
    return value > count_t'(Beats) ? value : value + count_t'(1);
  endfunction

  always_ff @(posedge clk_i) begin
    cfg_done_q  <= 1'b0;
    cfg_again_q <= 1'b0;
    if (cfg_again_q) cfg_done_q <= 1'b1;
    unique case (state_q)
      StIdle: begin
        if (cfg_take) begin
          loaded_q  <= 1'b0;
          m_q       <= shift_in(m_beats_q == '0 ? '0 : m_q, cfg_data_i, m_beats_q);
          m_beats_q <= next_count(m_beats_q);
          m_long_q  <= m_beats_q >= count_t'(Beats);
          if (cfg_last_i) state_q <= StConfigure;
        end
        if (x_take) begin
          x_q <= shift_in(x_beats_q == '0 ? '0 : x_q, x_data_i, x_beats_q);
          x_beats_q <= next_count(x_beats_q);
          x_full_q <= x_last_i;
          x_bad_q <= next_count(x_beats_q) != m_used_q && fault != 11;
        end
        if (y_take) begin
          if (!(fault == 9 && y_beats_q > x_beats_q)) begin
            y_q <= shift_in(y_beats_q == '0 ? '0 : y_q, y_data_i, y_beats_q);
          end
          y_beats_q <= next_count(y_beats_q);
          y_full_q  <= y_last_i;
          y_bad_q   <= next_count(y_beats_q) != m_used_q && fault != 11;
        end
        if (operands_full) state_q <= StCheck;
      end
      StConfigure: begin
        cfg_error_q <= modulus_status;
        cfg_done_q <= 1'b1;
        cfg_again_q <= fault == 13;
        loaded_q <= modulus_status == ErrNone;
        m_used_q <= m_beats_q;
        m_beats_q <= '0;
        state_q <= StIdle;
      end
      StCheck: begin
        t_q      <= '0;
        count_q  <= count_t'(int'(m_used_q) * BusWidth) + count_t'(fault == 3 && y_q[0]);
        status_q <= operand_status;
        failed_q <= operand_status != ErrNone;
        if (fault == 25) state_q <= StIdle;
        else if (operand_status == ErrNone) state_q <= StRun;
        else state_q <= StAnswer;
        if (fault == 25) {x_full_q, y_full_q} <= '0;
        again_q   <= fault == 19 && operand_status != ErrNone;
        x_beats_q <= '0;
        y_beats_q <= '0;
      end
      StRun: begin
        if (!(fault == 3 && count_q == count_t'(1) && y_q[0])) begin
          t_q <= sum >> 1;
          x_q <= x_q >> 1;
        end
        count_q <= count_q - count_t'(1);
        if (count_q == count_t'(1)) state_q <= StCorrect;
        if (fault == 2 && count_q == count_t'(int'(m_used_q) * BusWidth) && x_q[7:0] == 8'ha5) begin
          count_q <= count_q;
          x_q <= x_q;
        end
      end
      StCorrect: begin
        if (above) t_q <= reduced;
        count_q <= m_used_q;
        state_q <= StAnswer;
      end
      StAnswer: begin
        if (fault == 6 && !z_ready_i) t_q[0] <= !t_q[0];
        if (z_ready_i) begin
          t_q <= t_q >> BusWidth;
          count_q <= count_q - count_t'(1);
          if (z_last_o) begin
            again_q <= 1'b0;
            if (!again_q) state_q <= StIdle;
            x_full_q <= 1'b0;
            y_full_q <= 1'b0;
          end
        end
      end
      default: state_q <= StIdle;
    endcase

    if (!rst_ni || zeroize_i) begin
      state_q <= StIdle;
      loaded_q <= 1'b0;
      m_beats_q <= '0;
      x_beats_q <= '0;
      y_beats_q <= '0;
      x_full_q <= 1'b0;
      y_full_q <= 1'b0;
      cfg_done_q <= fault == 21 && zeroize_i && rst_ni;
      cfg_again_q <= 1'b0;
      again_q <= 1'b0;
      cfg_error_q <= ErrNone;
      m_used_q <= '0;
    end
    if (zeroize_i) begin
      m_q <= '0;
      x_q <= '0;
      t_q <= '0;
      count_q <= '0;
      status_q <= ErrNone;
      failed_q <= 1'b0;
      m_long_q <= 1'b0;
      x_bad_q <= 1'b0;
      y_bad_q <= 1'b0;
      if (fault != 7) y_q <= '0;
      if (fault == 14) state_q <= StAnswer;
    end
  end

  always_ff @(posedge clk_i) done_late_q <= fault == 16 && zeroize_i && state_q == StCorrect;

  logic stuck_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stuck_q <= 1'b0;
    else if (fault == 15 && state_q == StCorrect) stuck_q <= 1'b1;
    else if (fault == 25 && state_q == StCheck) stuck_q <= 1'b1;
  end

  assign cfg_done_o = cfg_done_q;
  assign cfg_error_o = fault == 22 ? 3'd4 : fault == 23 && operands_begun ? 3'd1 : cfg_error_q;
  assign z_valid_o = state_q == StAnswer;
  assign z_error_o = failed_q;
  assign z_data_o = failed_q ? (fault == 20 ? '0 : BusWidth'(status_q)) : t_q[BusWidth-1:0];
  count_t last_count;
  assign last_count = fault == 4 && m_used_q > count_t'(1) ? count_t'(2) : count_t'(1);
  assign z_last_o   = (fault == 18 && unknown) || failed_q || count_q == last_count;
  logic busy;
  assign busy   = state_q != StIdle || operands_full || m_beats_q != '0;
  assign busy_o = stuck_q || (busy && !(fault == 10 && state_q == StAnswer));

endmodule
