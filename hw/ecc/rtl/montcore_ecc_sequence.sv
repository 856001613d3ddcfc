// SPDX-License-Identifier: Apache-2.0

/// The curve engine's sequencer: issues at most one instruction per cycle, in order.
///
/// An instruction is issued when its unit is free, its operands are available or arrive in time,
/// and no earlier instruction still reads its destination. The issue time depends on lengths only.
/// `montcore_ecc_fetch` executes jumps, calls and loops, two instructions ahead of the issue.
/// Precondition: start_i is high only while no operation runs.
/// Latency: one cycle per instruction, plus the stalls.
/// fault_i and random_i.fail end the program with a status; the engine clears the rest.
/// Example: M8 = M8 M8 twice: the second is issued with the first beat of the first one's result.
module montcore_ecc_sequence
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats of a row.
    parameter int unsigned CountBits = 14,  // Width of a loop counter in bits.
    localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes,  // Rows of an element.
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the operation.
    input logic start_i,  // Pulse: start the operation operation_i.
    input logic [2:0] operation_i,  // Operation, which is its start address; valid with start_i.
    input counts_t counts_i,  // Loop counts of the curve, constant while an operation runs.
    input logic [RowBits-1:0] last_row_i,  // Index of the last row of an element.
    output logic [AddressBits-1:0] address_o,  // Program ROM: address of the instruction.
    input logic [CodeBits-1:0] word_i,  // Program ROM: instruction at address_o, in the same cycle.
    output command_t command_o,  // Command to the units that start in this cycle.
    input stream_t stream_i,  // Status of the multiplier interface.
    input logic z_valid_i,  // Multiplier: a beat of a result is valid.
    input logic [3:0] z_index_i,  // Multiplier: destination element of the result.
    input logic [BeatBits-1:0] z_count_i,  // Multiplier: beats of the result that came before.
    output sum_t sum_o,  // Adder: sum whose operands are read.
    output logic sum_step_o,  // Adder: a row of both operands is read in this cycle.
    output logic [RowBits-1:0] sum_row_o,  // Adder: index of the row read, valid with sum_step_o.
    input logic sum_valid_i,  // Adder: a result row is being written.
    /// Adder: index of the result row, valid with sum_valid_i.
    input logic [RowBits-1:0] sum_write_row_i,
    input target_t sum_target_i,  // Adder: destination of the result, valid with sum_valid_i.
    input adder_t adder_i,  // Status of the adder.
    input look_t look_i,  // Status of the look-up.
    input digits_t digits_i,  // Status of the scalar unit.
    input random_t random_i,  // Status of the random numbers.
    input logic fault_i,  // The multiplier refused a product: the operation ends with StatusFault.
    output logic done_o,  // Pulse: the operation ends.
    output logic [3:0] status_o  // Status of the operation, valid with done_o.
);
  localparam int unsigned EndBits = BeatBits + 2;

  logic [4:0] op;
  logic [4:0] d;
  logic [5:0] a, b;
  logic [CodeBits-1:0] instruction;
  logic valid, issue, go, refused, ends, order_q;
  logic [3:0] status_q;

  assign op = instruction[21:17];
  assign d  = instruction[16:12];
  assign a  = instruction[11:6];
  assign b  = instruction[5:0];
  montcore_ecc_fetch #(
      .CountBits(CountBits)
  ) u_fetch (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i,
      .operation_i,
      .counts_i,
      .address_o,
      .word_i,
      .valid_o      (valid),
      .instruction_o(instruction),
      .taken_i      (issue),
      .ends_i       (ends),
      .abort_i      (refused || fault_i || random_i.fail)
  );

  // ---- scoreboard: elements that are not yet available -----------------------------------------
  logic [31:0] busy_q, busy, arriving, begun;
  logic [3:0] random_q;  // destination of the random element
  logic [1:0] look_left;
  assign look_left = d[1:0];

  always_comb begin
    arriving = '0;
    if (z_valid_i && z_count_i == '0) arriving[{1'b0, z_index_i}] = 1'b1;
    if (sum_valid_i && sum_write_row_i == '0 && sum_target_i.place == ToElement) begin
      arriving[{1'b1, sum_target_i.d[3:0]}] = 1'b1;
    end
    if (look_i.done) arriving[5'd12+{3'd0, look_i.element}] = 1'b1;
    if (random_i.done) arriving[{1'b0, random_q}] = 1'b1;
  end
  assign busy = busy_q & ~arriving;

  function automatic logic there(logic [5:0] operand, logic [31:0] missing);
    there = operand[5] || !missing[operand[4:0]];
  endfunction

  // Whether the multiplier still reads an element.
  function automatic logic held(logic [4:0] element, logic [5:0] left, logic [5:0] right);
    held = (!left[5] && left[4:0] == element) || (!right[5] && right[4:0] == element);
  endfunction

  // ---- the sum that is read --------------------------------------------------------------------
  sum_t sum_q, sum_next;
  logic active_q, sum_free, sum_last, sums_idle, step, late_a, late_b, negative_q;
  logic [RowBits-1:0] row_q;
  logic [EndBits-1:0] rows_end;

  // End of this row in beats; a product arrives beat by beat.
  assign rows_end = (EndBits'(row_q) + 1'b1) * EndBits'(Lanes);
  assign late_a = sum_q.a[5:4] == '0 && sum_q.a[3:0] == z_index_i && z_count_i != '0 &&
                  rows_end > EndBits'(z_count_i);
  assign late_b = sum_q.b[5:4] == '0 && sum_q.b[3:0] == z_index_i && z_count_i != '0 &&
                  rows_end > EndBits'(z_count_i);
  assign step = active_q && !late_a && !late_b;
  assign sum_last = step && row_q == last_row_i;
  assign sum_free = !active_q || sum_last;
  assign sums_idle = !active_q && !adder_i.busy;
  assign sum_o = sum_q;
  assign sum_step_o = step;
  assign sum_row_o = row_q;

  logic putting, storing;  // a sum in flight goes to the table, or to a scalar
  assign putting = adder_i.putting || (active_q && sum_q.place == ToTable);
  assign storing = adder_i.storing || (active_q && sum_q.place == ToScalar);
  logic unused;
  assign unused = ^{sum_target_i.d[4], sum_target_i.entry};

  logic [3:0] entry_e, entry_j;
  always_comb begin
    sum_next.subtract = op == OpSub || (op == OpNeg && negative_q);
    sum_next.drop_a   = op == OpSel && digits_i.swap;
    sum_next.drop_b   = op == OpSel && !digits_i.swap;
    sum_next.plain    = op == OpSput;
    sum_next.a        = a;
    sum_next.b        = (op == OpPut || op == OpSput) ? OperandZero : b;
    sum_next.place    = ToElement;
    if (op == OpPut) sum_next.place = ToTable;
    if (op == OpSput) sum_next.place = ToScalar;
    sum_next.d     = d;
    sum_next.entry = b[5] ? entry_e : b[3:0];
  end

  logic [1:0][3:0] entry_q;  // counters E and J
  // ---- flags -----------------------------------------------------------------------------------
  logic t_q, m_q, flag;
  assign entry_e = entry_q[0];
  assign entry_j = entry_q[1];
  always_comb begin
    unique case (a[1:0])
      2'd0: flag = adder_i.zero;
      2'd1: flag = adder_i.reduced;
      2'd2: flag = t_q;
      default: flag = m_q;
    endcase
  end

  // ---- issue conditions ------------------------------------------------------------------------
  logic sources, target_free, not_read, all_idle, look_here, wanted;
  assign sources = there(a, busy) && there(b, busy);
  assign target_free = !busy[d];
  assign not_read = !(stream_i.reading && held(d, stream_i.a, stream_i.b));
  assign all_idle = sums_idle && stream_i.free && !stream_i.open && !look_i.busy &&
                    !digits_i.busy && !random_i.busy && !stream_i.reload;
  // Look-ups write elements 12 to 14 of the products.
  assign look_here = busy[14:12] == '0 &&
                     !(stream_i.reading && (stream_i.a[5:2] == 4'd3 || stream_i.b[5:2] == 4'd3));
  always_comb begin
    unique case (op)
      OpMul: wanted = sources && target_free && stream_i.free && stream_i.room && !stream_i.reload;
      OpAdd, OpSub, OpNeg: wanted = sources && target_free && sum_free && not_read;
      OpSel: wanted = sources && target_free && sum_free && not_read && !digits_i.busy;
      OpPut: wanted = there(a, busy) && sum_free && !look_i.busy;
      OpSput: wanted = there(a, busy) && sum_free && !digits_i.busy && !storing;
      OpLook: wanted = !look_i.busy && !putting && look_here && !(a == '0 && digits_i.busy);
      OpDigit, OpPoint, OpPass: wanted = !digits_i.busy && !storing;
      OpRandom: wanted = !random_i.busy && !digits_i.gathering && target_free && not_read;
      OpModulus:
      wanted = sums_idle && (d[1] || (stream_i.free && !stream_i.open && !stream_i.reload));
      OpTest: wanted = sums_idle;
      OpEnd: wanted = all_idle;
      default: wanted = 1'b1;
    endcase
  end
  // While it is loaded, the modulus is read from the memory that the adder reads too.
  assign go = valid && !stream_i.loading && !fault_i && !random_i.fail;
  assign issue = go && wanted;

  assign refused = issue && op == OpTest && d == '0 && flag != a[2];

  assign command_o.mul = issue && op == OpMul;
  assign command_o.look = issue && op == OpLook;
  assign command_o.entry = (a[1:0] == 2'd0) ? digits_i.entry : (a[1:0] == 2'd1) ? entry_j : b[3:0];
  assign command_o.pass = issue && op == OpPass;
  assign command_o.point = issue && op == OpPoint;
  assign command_o.digit = issue && op == OpDigit;
  assign command_o.random = issue && op == OpRandom;
  assign command_o.reload = issue && op == OpModulus && !d[1];
  assign command_o.order = order_q;
  assign command_o.made = random_q;
  assign command_o.d = d;
  assign command_o.a = a;
  assign command_o.b = b;
  assign ends = issue && op == OpEnd;
  assign done_o = ends;
  assign status_o = status_q;

  always_comb begin
    begun = '0;
    if (issue) begin
      unique case (op)
        OpMul, OpAdd, OpSub, OpNeg, OpSel, OpRandom: begun[d] = 1'b1;
        OpLook: begin
          begun[12] = 1'b1;
          begun[13] = look_left != 2'd0;
          begun[14] = look_left == 2'd2;
        end
        default: begun = '0;
      endcase
    end
  end

  logic sums_now;
  assign sums_now = issue && (op == OpAdd || op == OpSub || op == OpNeg || op == OpSel ||
                              op == OpPut || op == OpSput);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q     <= '0;
      sum_q      <= '0;
      active_q   <= 1'b0;
      row_q      <= '0;
      negative_q <= 1'b0;
      random_q   <= '0;
      entry_q    <= '0;
      t_q        <= 1'b0;
      m_q        <= 1'b0;
      order_q    <= 1'b0;
      status_q   <= StatusOk;
    end else begin
      busy_q <= busy | begun;
      if (start_i) status_q <= StatusOk;
      else if ((fault_i || random_i.fail) && status_q == StatusOk) begin
        status_q <= fault_i ? StatusFault : StatusRandom;
      end
      // ---- control
      if (issue) begin
        unique case (op)
          OpSet:     entry_q[!d[0]] <= b[3:0];
          OpStep:    entry_q[!d[0]] <= entry_q[!d[0]] + 1'b1;
          OpModulus: order_q <= d[0];
          OpLook:    negative_q <= (a[1:0] == 2'd0) ? digits_i.negative : (a[1:0] == 2'd2) && b[4];
          OpRandom:  random_q <= d[3:0];
          OpTest: begin
            unique case (d[2:0])
              3'd0: if (flag != a[2]) status_q <= b[3:0];
              3'd1: t_q <= flag != a[2];
              3'd2: t_q <= t_q && flag != a[2];
              3'd3: m_q <= flag != a[2];
              3'd4: m_q <= m_q || flag != a[2];
              default: if (flag != a[2] && status_q == StatusOk) status_q <= b[3:0];
            endcase
          end
          default:   ;
        endcase
      end
      // ---- the sum that is read
      if (sum_last) active_q <= 1'b0;
      if (step) row_q <= (row_q == last_row_i) ? '0 : row_q + 1'b1;
      if (sums_now) begin
        active_q <= 1'b1;
        sum_q    <= sum_next;
      end
    end
  end
endmodule
