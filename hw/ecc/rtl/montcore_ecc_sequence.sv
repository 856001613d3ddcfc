// SPDX-License-Identifier: Apache-2.0

/// The curve engine's sequencer: runs the program, one instruction a cycle at most, in order.
///
/// An instruction begins when its unit is free, its operands are there or come in time, and nothing
/// that was begun before still reads what it writes. When that is depends on lengths only.
/// Jumps, calls and loops are followed while instructions are fetched, two ahead of what begins.
/// Precondition: start_i is high only while nothing runs.
/// Latency: a cycle for each instruction, and the waits.
/// fault_i and random_fail_i end the program with a status; the rest is cleared by the engine.
/// Example: M8 = M8 M8 follows itself: begun in the cycle of the first beat of the product before.
module montcore_ecc_sequence
  import montcore_ecc_pkg::*;
#(
    /// Beats of an element at the built width.
    parameter int unsigned Beats = 8,
    /// Beats of a row.
    parameter int unsigned Lanes = 2,
    /// Bits of an address of the program.
    parameter int unsigned AddressBits = 10,
    /// Rows of an element (do not change).
    localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes,
    /// Bits of a row number (do not change).
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge.
    input  logic                      clk_i,
    /// Synchronous reset, active low.
    input  logic                      rst_ni,
    /// Everything is forgotten.
    input  logic                      clear_i,
    /// Pulse: run an operation.
    input  logic                      start_i,
    /// Which: its address.
    input  logic    [            2:0] operation_i,
    /// Form of the curve.
    input  logic    [            2:0] family_i,
    /// Columns of the comb.
    input  logic    [            7:0] columns_i,
    /// Windows of a scalar that is not blinded.
    input  logic    [            7:0] windows_i,
    /// Windows of an exponent.
    input  logic    [            7:0] nibbles_i,
    /// Bits of a blinded scalar.
    input  logic    [ LengthBits-1:0] bits_i,
    /// log2 of the multiplier's radix.
    input  logic    [ LengthBits-1:0] radix_i,
    /// Last row of an element.
    input  logic    [    RowBits-1:0] last_row_i,
    /// Program: address.
    output logic    [AddressBits-1:0] address_o,
    /// Program: instruction there.
    input  logic    [   CodeBits-1:0] word_i,
    /// Pulse: begin a product.
    output logic                      mul_start_o,
    /// A product can be begun.
    input  logic                      mul_free_i,
    /// Its result's place can be kept.
    input  logic                      mul_room_i,
    /// Products are under way.
    input  logic                      mul_open_i,
    /// Operands are read beyond this cycle.
    input  logic                      reading_i,
    /// Operand that is read.
    input  logic    [            5:0] reading_a_i,
    /// Operand that is read.
    input  logic    [            5:0] reading_b_i,
    /// A beat of a product comes.
    input  logic                      z_valid_i,
    /// Element that it is.
    input  logic    [            3:0] z_index_i,
    /// Beats of it that came before.
    input  logic    [   BeatBits-1:0] z_count_i,
    /// The sum that is read.
    output sum_t                      sum_o,
    /// A row of its operands is read.
    output logic                      sum_step_o,
    /// Which row.
    output logic    [    RowBits-1:0] sum_row_o,
    /// A row of a result is written.
    input  logic                      sum_valid_i,
    /// Which row.
    input  logic    [    RowBits-1:0] sum_write_row_i,
    /// Where to.
    input  target_t                   sum_target_i,
    /// Sums are under way beyond the first stage.
    input  logic                      sum_busy_i,
    /// One of these goes to the table.
    input  logic                      sum_putting_i,
    /// One of these goes to a scalar memory.
    input  logic                      sum_storing_i,
    /// The last sum is zero.
    input  logic                      zero_i,
    /// The last sum was corrected.
    input  logic                      reduced_i,
    /// Pulse: look up.
    output logic                      look_start_o,
    /// Entry to look for.
    output logic    [            3:0] look_entry_o,
    /// A look-up is under way.
    input  logic                      look_busy_i,
    /// An element that was looked up is written.
    input  logic                      look_done_i,
    /// Which one.
    input  logic    [            1:0] look_element_i,
    /// Pulse: a pass over the scalars.
    output logic                      pass_start_o,
    /// Pulse: set pointers.
    output logic                      point_start_o,
    /// Pulse: fetch a digit.
    output logic                      digit_start_o,
    /// The scalar unit works.
    input  logic                      scalar_busy_i,
    /// The digit's entry.
    input  logic    [            3:0] entry_i,
    /// The digit is negative.
    input  logic                      negative_i,
    /// The ladder swaps.
    input  logic                      swap_i,
    /// Pulse: a random element.
    output logic                      random_start_o,
    /// One is being made.
    input  logic                      random_busy_i,
    /// It is there.
    input  logic                      random_done_i,
    /// Words are asked for by the scalar unit.
    input  logic                      gathering_i,
    /// The source of randomness failed.
    input  logic                      random_fail_i,
    /// The multiplier refused a product.
    input  logic                      fault_i,
    /// Pulse: load the modulus into the multiplier.
    output logic                      reload_o,
    /// It is being loaded, and what follows from it computed.
    input  logic                      reload_busy_i,
    /// Its beats are being read.
    input  logic                      loading_i,
    /// The modulus is n, and not p.
    output logic                      order_o,
    /// Field d of the instruction.
    output logic    [            4:0] d_o,
    /// Field a.
    output logic    [            5:0] a_o,
    /// Field b.
    output logic    [            5:0] b_o,
    /// Pulse: the operation ends.
    output logic                      done_o,
    /// How it ends.
    output logic    [            3:0] status_o
);
  localparam logic [AddressBits-1:0] Exit = AddressBits'(4'd8);
  localparam int unsigned CountBits = LengthBits + 1;

  logic [4:0] op;
  logic [4:0] d;
  logic [5:0] a, b;
  logic [CodeBits-1:0] ir_q;
  logic ir_valid_q, running_q, issue, go, refused, ends;
  logic [AddressBits-1:0] pc_q;
  logic [2:0][AddressBits-1:0] stack_q;
  logic [3:0] status_q;

  assign op = ir_q[21:17];
  assign d = ir_q[16:12];
  assign a = ir_q[11:6];
  assign b = ir_q[5:0];
  assign d_o = d;
  assign a_o = a;
  assign b_o = b;
  assign address_o = pc_q;

  // ---- which elements are not there yet --------------------------------------------------------
  logic [31:0] busy_q, busy, arriving, begun;
  logic [3:0] random_q;  // element that is being made
  logic [1:0] look_left;
  assign look_left = d[1:0];

  always_comb begin
    arriving = '0;
    if (z_valid_i && z_count_i == '0) arriving[{1'b0, z_index_i}] = 1'b1;
    if (sum_valid_i && sum_write_row_i == '0 && sum_target_i.place == ToElement) begin
      arriving[{1'b1, sum_target_i.d[3:0]}] = 1'b1;
    end
    if (look_done_i) arriving[5'd12+{3'd0, look_element_i}] = 1'b1;
    if (random_done_i) arriving[{1'b0, random_q}] = 1'b1;
  end
  assign busy = busy_q & ~arriving;

  function automatic logic there(logic [5:0] operand, logic [31:0] missing);
    there = operand[5] || !missing[operand[4:0]];
  endfunction

  // What the multiplier still reads.
  function automatic logic held(logic [4:0] element, logic [5:0] left, logic [5:0] right);
    held = (!left[5] && left[4:0] == element) || (!right[5] && right[4:0] == element);
  endfunction

  // ---- the sum that is read --------------------------------------------------------------------
  sum_t sum_q, sum_next;
  logic active_q, sum_free, sum_last, sums_idle, step, late_a, late_b, negative_q;
  logic [  RowBits-1:0] row_q;
  logic [CountBits-1:0] rows_end;

  // The end of this row, in beats; a product's beats come one by one.
  assign rows_end = (CountBits'(row_q) + 1'b1) * CountBits'(Lanes);
  assign late_a = sum_q.a[5:4] == '0 && sum_q.a[3:0] == z_index_i && z_count_i != '0 &&
                  rows_end > CountBits'(z_count_i);
  assign late_b = sum_q.b[5:4] == '0 && sum_q.b[3:0] == z_index_i && z_count_i != '0 &&
                  rows_end > CountBits'(z_count_i);
  assign step = active_q && !late_a && !late_b;
  assign sum_last = step && row_q == last_row_i;
  assign sum_free = !active_q || sum_last;
  assign sums_idle = !active_q && !sum_busy_i;
  assign sum_o = sum_q;
  assign sum_step_o = step;
  assign sum_row_o = row_q;

  logic putting, storing;  // a sum on its way to the table, or to the scalars
  assign putting = sum_putting_i || (active_q && sum_q.place == ToTable);
  assign storing = sum_storing_i || (active_q && sum_q.place == ToScalar);
  logic unused;
  assign unused = ^{sum_target_i.d[4], sum_target_i.entry};

  logic [3:0] entry_e, entry_j;
  always_comb begin
    sum_next.subtract = op == OpSub || (op == OpNeg && negative_q);
    sum_next.swap     = op == OpSel && swap_i;
    sum_next.single   = op == OpSel || op == OpPut || op == OpSput;
    sum_next.plain    = op == OpSput;
    sum_next.a        = a;
    sum_next.b        = (op == OpPut || op == OpSput) ? OperandZero : b;
    sum_next.place    = (op == OpPut) ? ToTable : (op == OpSput) ? ToScalar : ToElement;
    sum_next.d        = d;
    sum_next.entry    = b[5] ? entry_e : b[3:0];
  end

  // ---- fetch -----------------------------------------------------------------------------------
  logic [4:0] fetched;
  logic [4:0] fetched_d;
  logic [11:0] immediate;
  logic [CodeBits-1:0] tail_q;
  logic tail_valid_q, stopped_q, fetch, control, push, taken;
  logic [2:0][CountBits-1:0] loop_q;
  logic [1:0][3:0] entry_q;  // counters E and J
  logic [CountBits-1:0] value, loop_count;
  logic condition;
  assign fetched = word_i[21:17];
  assign fetched_d = word_i[16:12];
  assign immediate = word_i[11:0];
  assign control = fetched == OpCall || fetched == OpReturn || fetched == OpJump ||
                   fetched == OpLoop || (fetched == OpSet && fetched_d < 5'd3);
  assign fetch = running_q && !stopped_q && (control || !tail_valid_q || issue);
  assign push = fetch && !control;
  assign loop_count = loop_q[fetched_d[1:0]];
  always_comb begin
    unique case (immediate)
      12'hf00: value = CountBits'(columns_i) - 1'b1;
      12'hf01: value = {radix_i, 1'b0};
      12'hf02: value = CountBits'(nibbles_i) - 1'b1;
      12'hf03: value = CountBits'(bits_i);
      12'hf04: value = (CountBits'(windows_i) - 1'b1) * CountBits'(4'd5);
      default: value = CountBits'(immediate);
    endcase
    unique case (fetched_d)
      5'd0: condition = 1'b1;
      5'd2: condition = loop_q[2] <= CountBits'(columns_i);
      5'd3: condition = loop_q[2] >= CountBits'(columns_i) + CountBits'(4'd5);
      5'd4: condition = loop_q[2] != '0;
      default: condition = fetched_d[3] && fetched_d[2:0] == family_i;
    endcase
    unique case (fetched)
      OpLoop:  taken = loop_count != CountBits'(1'b1);
      OpJump:  taken = condition;
      OpCall:  taken = 1'b1;
      default: taken = 1'b0;
    endcase
  end

  // ---- flags -----------------------------------------------------------------------------------
  logic t_q, m_q, flag;
  assign entry_e = entry_q[0];
  assign entry_j = entry_q[1];
  always_comb begin
    unique case (a[1:0])
      2'd0: flag = zero_i;
      2'd1: flag = reduced_i;
      2'd2: flag = t_q;
      default: flag = m_q;
    endcase
  end

  // ---- when an instruction begins --------------------------------------------------------------
  logic sources, target_free, not_read, all_idle, look_here, wanted;
  assign sources = there(a, busy) && there(b, busy);
  assign target_free = !busy[d];
  assign not_read = !(reading_i && held(d, reading_a_i, reading_b_i));
  assign all_idle = sums_idle && mul_free_i && !mul_open_i && !look_busy_i && !scalar_busy_i &&
                    !random_busy_i && !reload_busy_i;
  // Elements 12 to 14 of the products.
  assign look_here = busy[14:12] == '0 &&
                     !(reading_i && ((reading_a_i[5:2] == 4'd3) || (reading_b_i[5:2] == 4'd3)));
  always_comb begin
    unique case (op)
      OpMul: wanted = sources && target_free && mul_free_i && mul_room_i && !reload_busy_i;
      OpAdd, OpSub, OpNeg: wanted = sources && target_free && sum_free && not_read;
      OpSel: wanted = sources && target_free && sum_free && not_read && !scalar_busy_i;
      OpPut: wanted = there(a, busy) && sum_free && !look_busy_i;
      OpSput: wanted = there(a, busy) && sum_free && !scalar_busy_i && !storing;
      OpLook: wanted = !look_busy_i && !putting && look_here && !(a == '0 && scalar_busy_i);
      OpDigit, OpPoint, OpPass: wanted = !scalar_busy_i && !storing;
      OpRandom: wanted = !random_busy_i && !gathering_i && target_free && not_read;
      OpModulus: wanted = sums_idle && (d[1] || (mul_free_i && !mul_open_i && !reload_busy_i));
      OpTest: wanted = sums_idle;
      OpEnd: wanted = all_idle;
      default: wanted = 1'b1;
    endcase
  end
  // The adder reads the modulus from the same memory.
  assign go = running_q && ir_valid_q && !loading_i && !fault_i && !random_fail_i;
  assign issue = go && wanted;

  assign refused = issue && op == OpTest && d == '0 && flag != a[2];

  assign mul_start_o = issue && op == OpMul;
  assign look_start_o = issue && op == OpLook;
  assign look_entry_o = (a[1:0] == 2'd0) ? entry_i : (a[1:0] == 2'd1) ? entry_j : b[3:0];
  assign pass_start_o = issue && op == OpPass;
  assign point_start_o = issue && op == OpPoint;
  assign digit_start_o = issue && op == OpDigit;
  assign random_start_o = issue && op == OpRandom;
  assign reload_o = issue && op == OpModulus && !d[1];
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
      running_q    <= 1'b0;
      ir_valid_q   <= 1'b0;
      ir_q         <= '0;
      pc_q         <= '0;
      stack_q      <= '0;
      busy_q       <= '0;
      sum_q        <= '0;
      active_q     <= 1'b0;
      row_q        <= '0;
      negative_q   <= 1'b0;
      random_q     <= '0;
      loop_q       <= '0;
      entry_q      <= '0;
      tail_q       <= '0;
      tail_valid_q <= 1'b0;
      stopped_q    <= 1'b0;
      t_q          <= 1'b0;
      m_q          <= 1'b0;
      order_o      <= 1'b0;
      status_q     <= StatusOk;
    end else begin
      busy_q <= busy | begun;
      // ---- fetch
      if (start_i) begin
        running_q <= 1'b1;
        pc_q      <= AddressBits'(operation_i);
        status_q  <= StatusOk;
      end else if (running_q) begin
        if (fetch) begin
          pc_q <= pc_q + 1'b1;
          if (taken) pc_q <= AddressBits'(immediate);
          unique case (fetched)
            OpCall:  stack_q <= {stack_q[1:0], pc_q + 1'b1};
            OpReturn: begin
              pc_q    <= stack_q[0];
              stack_q <= {stack_q[2], stack_q[2:1]};
            end
            OpLoop:  loop_q[fetched_d[1:0]] <= loop_count - 1'b1;
            OpSet:   if (control) loop_q[fetched_d[1:0]] <= value;
            OpEnd:   stopped_q <= 1'b1;
            default: ;
          endcase
        end
        if (!ir_valid_q || issue) begin
          ir_q         <= tail_valid_q ? tail_q : word_i;
          ir_valid_q   <= tail_valid_q || push;
          tail_valid_q <= tail_valid_q && push;
        end else if (push) begin
          tail_valid_q <= 1'b1;
        end
        if (push) tail_q <= word_i;
        if (ends) running_q <= 1'b0;
        if (refused || fault_i || random_fail_i) begin
          ir_valid_q   <= 1'b0;
          tail_valid_q <= 1'b0;
          stopped_q    <= 1'b0;
          pc_q         <= Exit;
        end
        if (ends) stopped_q <= 1'b0;
        if ((fault_i || random_fail_i) && status_q == StatusOk) begin
          status_q <= fault_i ? StatusFault : StatusRandom;
        end
        if (ends) ir_valid_q <= 1'b0;
      end
      // ---- control
      if (issue) begin
        unique case (op)
          OpSet:     entry_q[!d[0]] <= b[3:0];
          OpStep:    entry_q[!d[0]] <= entry_q[!d[0]] + 1'b1;
          OpModulus: order_o <= d[0];
          OpLook:    negative_q <= (a[1:0] == 2'd0) ? negative_i : (a[1:0] == 2'd2) && b[4];
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
