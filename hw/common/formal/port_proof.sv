// SPDX-License-Identifier: Apache-2.0

/// Every answer of a unit with the common port, for any sequence of packets, against a reference.
///
/// The unit is the module `CORE with `PARAMETERS, at small width.
/// a_done: each modulus is accepted, or refused for the right reason; a_modulus: it comes only when
/// no product is in flight.
/// a_pair: operands are not taken before the modulus that came first is accepted or refused.
/// a_answer: answers never outnumber pairs of packets, of which a core holds at most Most.
/// a_status, a_error: the answer of each pair is a result, or an error for the right reason; a_last:
/// its beats.
/// a_value: each beat of a result is that of x y / 2^k mod m (Values = 1).
module port_proof #(
    parameter int unsigned Length = 5,  // Built width in bits.
    /// Width of a beat of the three input streams in bits, 3 or more.
    parameter int unsigned WordBits = 4,
    /// The low bits of each beat that vary; the others are 0.
    parameter int unsigned Free = WordBits,
    parameter int unsigned Most = 4,  // Pairs of packets that the core holds at most.
    parameter bit Values = 1'b0,  // 1: results are compared, 0: everything else.
    /// k for each word of the modulus, and added to it.
    parameter int unsigned WordShift = WordBits,
    parameter int unsigned MoreShift = 0,
    /// 1: packets come at any time, with gaps, and results wait; 0: one modulus, two if the first is
    /// refused, then pairs, all without gaps and of at most one beat too many.
    parameter bit Gaps = 1'b1,
    parameter bit Clears = 1'b0  // 1: reset and zeroize may come at any time; 0: never.
) (
    input logic clk_i,  // Clock, rising edge.
    input logic reset_i,  // Reset, if Clears = 1.
    input logic zeroize_i,  // Zeroize pulse, if Clears = 1.
    input logic cfg_valid_i,  // Modulus stream: valid.
    input logic [WordBits-1:0] cfg_data_i,  // Modulus stream: data.
    input logic cfg_last_i,  // Modulus stream: last beat.
    input logic x_valid_i,  // X stream: valid.
    input logic [WordBits-1:0] x_data_i,  // X stream: data.
    input logic x_last_i,  // X stream: last beat.
    input logic y_valid_i,  // Y stream: valid.
    input logic [WordBits-1:0] y_data_i,  // Y stream: data.
    input logic y_last_i,  // Y stream: last beat.
    input logic z_ready_i  // Z stream: ready.
);
  import montcore_pkg::*;
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned Bits = Words * WordBits;
  localparam int unsigned CountBits = $clog2(Words + 2);
  localparam int unsigned OpenBits = $clog2(Most + 1);
  localparam int unsigned IndexBits = $clog2(Most);

  typedef logic [Bits-1:0] number_t;
  typedef logic [CountBits-1:0] count_t;
  typedef struct packed {
    montcore_error_e status;
    logic            chosen;
  } answer_t;

  logic started_q = 1'b0;
  logic loaded;
  logic rst_n, busy, cfg_ready, cfg_done, x_ready, y_ready, z_valid, z_last, z_error, start, done;
  logic [2:0] cfg_error;
  logic [WordBits-1:0] z_data;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  logic cfg_valid, x_valid, y_valid, take;
  assign cfg_valid = Gaps ? cfg_valid_i : !loaded;
  assign x_valid   = Gaps ? x_valid_i : loaded;
  assign y_valid   = Gaps ? y_valid_i : loaded;
  assign take      = !Gaps || z_ready_i;
  logic [WordBits-1:0] cfg_data, x_data, y_data;
  assign cfg_data = WordBits'(cfg_data_i[Free-1:0]);
  assign x_data = WordBits'(x_data_i[Free-1:0]);
  assign y_data = WordBits'(y_data_i[Free-1:0]);
  assign rst_n = started_q && !(Clears && reset_i);
`ifdef NARROW
  // The cores' own parameters do not reach below the smallest word that they support.
  // verilog_lint: waive forbid-defparam
  defparam u_dut.`NARROW.MinWordBits = WordBits;
`endif
  `CORE #(
  `PARAMETERS
  ) u_dut (
      .clk_i       (clk_i),
      .rst_ni      (rst_n),
      .zeroize_i   (Clears && zeroize_i),
      .busy_o      (busy),
      .cfg_valid_i (cfg_valid),
      .cfg_ready_o (cfg_ready),
      .cfg_data_i  (cfg_data),
      .cfg_last_i  (cfg_last_i),
      .cfg_done_o  (cfg_done),
      .cfg_error_o (cfg_error),
      .x_valid_i   (x_valid),
      .x_ready_o   (x_ready),
      .x_data_i    (x_data),
      .x_last_i    (x_last_i),
      .y_valid_i   (y_valid),
      .y_ready_o   (y_ready),
      .y_data_i    (y_data),
      .y_last_i    (y_last_i),
      .z_valid_o   (z_valid),
      .z_ready_i   (take),
      .z_data_o    (z_data),
      .z_last_o    (z_last),
      .z_error_o   (z_error),
      .core_start_o(start),
      .core_done_o (done)
  );

  // ---- packets: the number so far, and how many beats it has, at most Words + 1 -----------------
  function automatic number_t with_beat(number_t number, count_t beats, logic [WordBits-1:0] beat);
    with_beat = (beats == 0) ? '0 : number;
    for (int unsigned i = 0; i < Words; i++) begin
      if (beats == count_t'(i)) with_beat[i*WordBits+:WordBits] = beat;
    end
  endfunction
  function automatic count_t one_more(count_t beats);
    one_more = (beats > count_t'(Words)) ? beats : beats + 1'b1;
  endfunction

  // x y / 2^k mod m.
  function automatic number_t product(number_t x, number_t y, number_t m, int unsigned k);
    logic [Length+1:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < Words * WordShift + MoreShift; i++) begin
      if (i < Length && x[i]) sum = sum + (Length + 2)'(y);
      if (i < k) sum = (sum + (sum[0] ? (Length + 2)'(m) : '0)) >> 1;
    end
    return number_t'((sum >= (Length + 2)'(m)) ? sum - (Length + 2)'(m) : sum);
  endfunction

  logic cfg_beat, x_beat, y_beat, z_beat, half;
  assign cfg_beat = cfg_valid && cfg_ready;
  assign x_beat   = x_valid && x_ready;
  assign y_beat   = y_valid && y_ready;
  assign z_beat   = z_valid && take;
  number_t m_q, x_q, y_q, m, x, y;
  count_t m_beats_q, x_beats_q, y_beats_q, m_beats, x_beats, y_beats, words_q, z_beats_q;
  logic x_done_q, y_done_q, x_done, y_done, m_middle_q, m_open_q, loaded_q, ends;
  montcore_error_e m_status_q;
  assign m = with_beat(m_q, m_middle_q ? m_beats_q : '0, cfg_data);
  assign m_beats = one_more(m_middle_q ? m_beats_q : '0);
  assign x = x_beat ? with_beat(x_q, x_beats_q, x_data) : x_q;
  assign y = y_beat ? with_beat(y_q, y_beats_q, y_data) : y_q;
  assign x_beats = x_beat ? one_more(x_beats_q) : x_beats_q;
  assign y_beats = y_beat ? one_more(y_beats_q) : y_beats_q;
  assign x_done = x_done_q || (x_beat && x_last_i);
  assign y_done = y_done_q || (y_beat && y_last_i);
  assign ends = x_done && y_done;
  assign half = x_beats_q != '0 || y_beats_q != '0;
  // Operands may be taken in the cycle of cfg_done_o.
  assign loaded = m_open_q ? cfg_done && m_status_q == ErrNone : loaded_q;

  logic refused_q;
  if (!Gaps) begin : g_no_gaps
    always_ff @(posedge clk_i) refused_q <= rst_n && (refused_q || (cfg_done && !loaded));
    always_comb begin
      if (refused_q && cfg_done) m_accepted : assume (loaded);
      if (cfg_beat && m_beats > count_t'(Words)) m_modulus : assume (cfg_last_i);
      if (x_beat && x_beats > count_t'(Words)) m_x : assume (x_last_i);
      if (y_beat && y_beats > count_t'(Words)) m_y : assume (y_last_i);
    end
  end

  // ---- the answer of each pair, oldest first ----------------------------------------------------
  answer_t expected;
  // Any three numbers, the same in all cycles.
  number_t chosen_m, chosen_x, chosen_y, chosen_z;
  always_ff @(posedge clk_i) begin
    {chosen_m, chosen_x, chosen_y} <= {chosen_m, chosen_x, chosen_y};
  end
  assign chosen_z = product(chosen_x, chosen_y, chosen_m, 32'(words_q) * WordShift + MoreShift);
  answer_t [Most-1:0] answers_q;
  logic [OpenBits-1:0] open_q, left;
  always_comb begin
    expected.chosen = Values && x == chosen_x && y == chosen_y && m_q == chosen_m;
    expected.status = ErrNone;
    if (x >= m_q || y >= m_q) expected.status = ErrOperandRange;
    if (x_beats != words_q || y_beats != words_q) expected.status = ErrOperandLength;
    if (!loaded) expected.status = ErrNoModulus;
  end
  assign left = open_q - OpenBits'(z_beat && z_last);

  always_ff @(posedge clk_i) begin
    if (!rst_n || (Clears && zeroize_i)) begin
      {m_middle_q, m_open_q, loaded_q, x_done_q, y_done_q} <= '0;
      {x_beats_q, y_beats_q, z_beats_q, open_q} <= '0;
    end else begin
      if (cfg_done) begin
        m_open_q <= 1'b0;
        loaded_q <= loaded;
      end
      if (cfg_beat) begin
        m_q        <= m;
        m_beats_q  <= m_beats;
        m_middle_q <= !cfg_last_i;
        m_open_q   <= cfg_last_i;
        loaded_q   <= 1'b0;
        words_q    <= m_beats;
        m_status_q <= ErrNone;
        if (m == number_t'(1)) m_status_q <= ErrModulusOne;
        if (m_beats > count_t'(Words) || (m >> Length) != '0) m_status_q <= ErrModulusLength;
        if (!m[0]) m_status_q <= ErrModulusEven;
      end
      x_q       <= x;
      y_q       <= y;
      x_beats_q <= ends ? '0 : x_beats;
      y_beats_q <= ends ? '0 : y_beats;
      x_done_q  <= x_done && !ends;
      y_done_q  <= y_done && !ends;
      if (z_beat) z_beats_q <= z_last ? '0 : z_beats_q + 1'b1;
      if (z_beat && z_last) answers_q <= answers_q >> $bits(answer_t);
      if (ends) answers_q[IndexBits'(left)] <= expected;
      open_q <= left + OpenBits'(ends);
    end
  end

  answer_t oldest;
  assign oldest = answers_q[0];
  logic quiet;
  assign quiet = !rst_n || (Clears && zeroize_i);
  if (Values) begin : g_values
    always_comb begin
      if (!quiet && z_valid && open_q != 0 && !z_error && oldest.chosen) begin
        a_value : assert (z_data == WordBits'(chosen_z >> (32'(z_beats_q) * WordBits)));
      end
    end
  end else begin : g_status
    always_comb begin
      if (!quiet) begin
        if (cfg_done) a_done : assert (m_open_q && cfg_error == m_status_q);
        if (cfg_beat) a_modulus : assert (open_q == 0 && !half && (!m_open_q || cfg_done));
        if (x_beat || y_beat) a_pair : assert (!m_middle_q && (!m_open_q || cfg_done));
        if (x_beat) a_x : assert (!x_done_q);
        if (y_beat) a_y : assert (!y_done_q);
        if (ends) a_most : assert (32'(left) < Most);
        if (z_valid) begin
          a_answer : assert (open_q != 0);
          a_status : assert (z_error == (oldest.status != ErrNone));
          a_last : assert (z_last == (z_error || z_beats_q == words_q - 1'b1));
          if (z_error) a_error : assert (z_data == WordBits'(oldest.status));
        end
        if (!busy) begin
          a_quiet : assert (open_q == 0 && !half && !m_middle_q && (!m_open_q || cfg_done));
        end
      end
    end
  end
endmodule
