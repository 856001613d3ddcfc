// SPDX-License-Identifier: Apache-2.0

/// The curve engine's fetch unit: executes jumps, calls and loops, and issues all other
/// instructions.
///
/// instruction_o = the next instruction for a unit or a flag, in the order of the control flow
/// Precondition: start_i is high only while idle; taken_i only with valid_o.
/// Latency: one cycle per instruction executed here or issued; runs up to two ahead of the issue.
/// Example: `loop OUTER, x` with counter 3 jumps to x twice, then falls through; it is never
/// issued.
module montcore_ecc_fetch
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned CountBits = 14  // Width of a loop counter in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the operation.
    input logic start_i,  // Pulse: start the operation operation_i.
    input logic [2:0] operation_i,  // Operation, which is its start address; valid with start_i.
    input counts_t counts_i,  // Loop counts and family of the curve, constant while running.
    output logic [AddressBits-1:0] address_o,  // Program ROM: address of the instruction.
    input logic [CodeBits-1:0] word_i,  // Program ROM: instruction at address_o, in the same cycle.
    output logic valid_o,  // An instruction is ready for issue.
    output logic [CodeBits-1:0] instruction_o,  // Instruction to issue, valid with valid_o.
    input logic taken_i,  // The instruction is issued in this cycle.
    input logic ends_i,  // The instruction is issued and is OpEnd.
    input logic abort_i  // Abort: drop the instructions that follow and go to the exit.
);
  localparam logic [AddressBits-1:0] Exit = AddressBits'(4'd8);

  logic [4:0] op, d;
  logic [11:0] immediate;
  logic [CodeBits-1:0] ir_q, tail_q;
  logic ir_valid_q, tail_valid_q, running_q, stopped_q, fetch, control, push, taken, condition;
  logic [AddressBits-1:0] pc_q;
  logic [2:0][AddressBits-1:0] stack_q;
  logic [2:0][CountBits-1:0] loop_q;
  logic [CountBits-1:0] value, loop_count, columns;

  assign op = word_i[21:17];
  assign d = word_i[16:12];
  assign immediate = word_i[11:0];
  assign control = op == OpCall || op == OpReturn || op == OpJump || op == OpLoop ||
                   (op == OpSet && d < 5'd3);
  assign fetch = running_q && !stopped_q && (control || !tail_valid_q || taken_i);
  assign push = fetch && !control;
  assign loop_count = loop_q[d[1:0]];
  assign columns = CountBits'(counts_i.columns);
  always_comb begin
    unique case (immediate)
      12'hf00: value = columns - 1'b1;
      12'hf01: value = CountBits'({counts_i.radix, 1'b0});
      12'hf02: value = CountBits'(counts_i.nibbles) - 1'b1;
      12'hf03: value = CountBits'(counts_i.bits);
      12'hf04: value = CountBits'(five_times(counts_i.windows) - LengthBits'(4'd5));
      default: value = CountBits'(immediate);
    endcase
    unique case (d)
      5'd0: condition = 1'b1;
      5'd2: condition = loop_q[2] <= columns;
      5'd3: condition = loop_q[2] >= columns + CountBits'(4'd5);
      5'd4: condition = loop_q[2] != '0;
      default: condition = d[3] && d[2:0] == counts_i.family;
    endcase
    unique case (op)
      OpLoop:  taken = loop_count != CountBits'(1'b1);
      OpJump:  taken = condition;
      OpCall:  taken = 1'b1;
      default: taken = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      running_q    <= 1'b0;
      ir_valid_q   <= 1'b0;
      ir_q         <= '0;
      pc_q         <= '0;
      stack_q      <= '0;
      loop_q       <= '0;
      tail_q       <= '0;
      tail_valid_q <= 1'b0;
      stopped_q    <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
      pc_q      <= AddressBits'(operation_i);
    end else if (running_q) begin
      if (fetch) begin
        pc_q <= taken ? AddressBits'(immediate) : pc_q + 1'b1;
        unique case (op)
          OpCall:  stack_q <= {stack_q[1:0], pc_q + 1'b1};
          OpReturn: begin
            pc_q    <= stack_q[0];
            stack_q <= {stack_q[2], stack_q[2:1]};
          end
          OpLoop:  loop_q[d[1:0]] <= loop_count - 1'b1;
          OpSet:   if (control) loop_q[d[1:0]] <= value;
          OpEnd:   stopped_q <= 1'b1;
          default: ;
        endcase
      end
      if (!ir_valid_q || taken_i) begin
        ir_q         <= tail_valid_q ? tail_q : word_i;
        ir_valid_q   <= tail_valid_q || push;
        tail_valid_q <= tail_valid_q && push;
      end else if (push) begin
        tail_valid_q <= 1'b1;
      end
      if (push) tail_q <= word_i;
      if (abort_i) begin
        ir_valid_q   <= 1'b0;
        tail_valid_q <= 1'b0;
        stopped_q    <= 1'b0;
        pc_q         <= Exit;
      end
      if (ends_i) begin
        running_q  <= 1'b0;
        ir_valid_q <= 1'b0;
        stopped_q  <= 1'b0;
      end
    end
  end
  assign address_o = pc_q;
  assign valid_o = ir_valid_q;
  assign instruction_o = ir_q;
  logic unused;
  assign unused = ^{counts_i.radix, counts_i.bits};
endmodule
