// SPDX-License-Identifier: Apache-2.0

/// The four units behind one port: VexRiscv's custom function unit, one instruction at a time.
///
/// function = {7-bit group, 3-bit op}: group 0 montcore_rvx_mul64, 1 montcore_rvx_block, 2 montcore_rvx_adc, 3 montcore_rvx_mac; an
/// instruction of a group that is not built, or not known, gives 0.
/// Precondition: a command stays until it is taken (ready/valid).
/// Latency: that of the unit; the answer stays until it is taken, and the next command may come with it.
/// Source: riscv-2021, section 4.2, and ours.
/// Example: function 0x010 with 2 and 3, then 0x011 with 0xffffffff and 0 -> 5, 0xffffffff.
module montcore_rvx_cfu #(
    /// Which units are built: bit 0 montcore_rvx_mul64, 1 montcore_rvx_block, 2 montcore_rvx_adc, 3 montcore_rvx_mac.
    parameter bit [3:0] Units = 4'b1111,
    /// montcore_rvx_mac accumulates into 160 bits instead of 96.
    parameter bit Wide = 1'b0
) (
    /// Clock, rising edge.
    input  logic        clk_i,
    /// Synchronous reset of control, active low.
    input  logic        rst_ni,
    /// Clears every register that held an operand or a result.
    input  logic        zeroize_i,
    /// A command is there.
    input  logic        cmd_valid_i,
    /// It is taken.
    output logic        cmd_ready_o,
    /// Its group and op.
    input  logic [ 9:0] cmd_function_i,
    /// First operand.
    input  logic [31:0] cmd_a_i,
    /// Second operand.
    input  logic [31:0] cmd_b_i,
    /// An answer is there.
    output logic        rsp_valid_o,
    /// It is taken.
    input  logic        rsp_ready_i,
    /// The answer.
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
