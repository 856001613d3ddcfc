// SPDX-License-Identifier: Apache-2.0

/// The four units behind one port, VexRiscv's custom function unit: one instruction at a time.
///
/// function = {7-bit group, 3-bit op}: group 0 montcore_rvx_mul64, 1 montcore_rvx_block, 2
/// montcore_rvx_adc, 3 montcore_rvx_mac; an instruction of an unknown group, or of one that is not
/// built, returns 0.
/// Precondition: a command is stable until it is accepted (ready/valid).
/// Latency: that of the unit; a response is stable until it is accepted, and the next command may
/// come in the same cycle.
/// Source: riscv-2021, section 4.2, and ours.
/// Example: function 0x010 with 2 and 3, then 0x011 with 0xffffffff and 0 -> 5, 0xffffffff.
module montcore_rvx_cfu #(
    /// Units built: bit 0 rvx_mul64, 1 rvx_block, 2 rvx_adc, 3 rvx_mac.
    parameter bit [3:0] Units = 4'b1111,
    parameter bit Wide = 1'b0  // 1: montcore_rvx_mac accumulates into 160 bits; 0: into 96 bits.
) (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `zeroize_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic zeroize_i,
    input logic cmd_valid_i,  // Command: valid, stable until accepted.
    output logic cmd_ready_o,  // Command: ready; waits for the last response.
    input logic [9:0] cmd_function_i,  // Command: {group, op}, valid with cmd_valid_i.
    input logic [31:0] cmd_a_i,  // Command: first operand, valid with cmd_valid_i.
    input logic [31:0] cmd_b_i,  // Command: second operand, valid with cmd_valid_i.
    output logic rsp_valid_o,  // Response: valid, stable until accepted.
    input logic rsp_ready_i,  // Response: ready, the result is accepted.
    /// Response: result of the instruction, valid with rsp_valid_o.
    output logic [31:0] rsp_result_o
);
  logic [3:0] selected, start, ready, done, take;
  logic [31:0] result [4];
  logic [ 3:0] busy_q;
  logic unknown_q, known, free, accept, answered;

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      selected[i] = Units[i] && cmd_function_i[9:3] == 7'(i);
    end
  end

  assign known = |selected;
  assign answered = rsp_valid_o && rsp_ready_i;
  assign free = !(|busy_q || unknown_q) || answered;
  assign cmd_ready_o = free && (!known || |(selected & ready));
  assign accept = cmd_valid_i && cmd_ready_o;
  assign start = accept ? selected : '0;
  assign take = answered ? busy_q : '0;
  assign rsp_valid_o = unknown_q || |(busy_q & done);

  always_comb begin
    rsp_result_o = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (busy_q[i]) begin
        rsp_result_o = result[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      unknown_q <= 1'b0;
    end else if (accept) begin
      busy_q    <= selected;
      unknown_q <= !known;
    end else if (answered) begin
      busy_q    <= '0;
      unknown_q <= 1'b0;
    end
  end

  if (Units[0]) begin : g_mul64
    montcore_rvx_mul64 u_mul64 (
        .clk_i,
        .rst_ni,
        .clear_i (zeroize_i),
        .start_i (start[0]),
        .op_i    (cmd_function_i[0]),
        .a_i     (cmd_a_i),
        .b_i     (cmd_b_i),
        .ready_o (ready[0]),
        .done_o  (done[0]),
        .result_o(result[0]),
        .take_i  (take[0])
    );
  end else begin : g_no_mul64
    logic unused;
    assign unused = start[0] ^ take[0];
    assign ready[0] = 1'b0;
    assign done[0] = 1'b0;
    assign result[0] = '0;
  end

  if (Units[1]) begin : g_block
    montcore_rvx_block u_block (
        .clk_i,
        .rst_ni,
        .clear_i (zeroize_i),
        .start_i (start[1]),
        .op_i    (cmd_function_i[2:0]),
        .a_i     (cmd_a_i),
        .b_i     (cmd_b_i),
        .ready_o (ready[1]),
        .done_o  (done[1]),
        .result_o(result[1]),
        .take_i  (take[1])
    );
  end else begin : g_no_block
    logic unused;
    assign unused = start[1] ^ take[1];
    assign ready[1] = 1'b0;
    assign done[1] = 1'b0;
    assign result[1] = '0;
  end

  if (Units[2]) begin : g_adc
    montcore_rvx_adc u_adc (
        .clk_i,
        .rst_ni,
        .clear_i (zeroize_i),
        .start_i (start[2]),
        .op_i    (cmd_function_i[0]),
        .a_i     (cmd_a_i),
        .b_i     (cmd_b_i),
        .ready_o (ready[2]),
        .done_o  (done[2]),
        .result_o(result[2]),
        .take_i  (take[2])
    );
  end else begin : g_no_adc
    logic unused;
    assign unused = start[2] ^ take[2];
    assign ready[2] = 1'b0;
    assign done[2] = 1'b0;
    assign result[2] = '0;
  end

  if (Units[3]) begin : g_mac
    montcore_rvx_mac #(
        .Wide(Wide)
    ) u_mac (
        .clk_i,
        .rst_ni,
        .clear_i (zeroize_i),
        .start_i (start[3]),
        .op_i    (cmd_function_i[2:0]),
        .a_i     (cmd_a_i),
        .b_i     (cmd_b_i),
        .ready_o (ready[3]),
        .done_o  (done[3]),
        .result_o(result[3]),
        .take_i  (take[3])
    );
  end else begin : g_no_mac
    logic unused;
    assign unused = ^{start[3], take[3], cmd_function_i[2:1]};
    assign ready[3] = 1'b0;
    assign done[3] = 1'b0;
    assign result[3] = '0;
  end
endmodule
