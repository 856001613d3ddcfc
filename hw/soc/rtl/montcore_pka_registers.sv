// SPDX-License-Identifier: Apache-2.0

/// The accelerator's registers, as hw/soc/montcore_pka.rdl describes them; a test proves it.
///
/// rdata_o and error_o answer a request in the same cycle; a write shows in the next one.
/// error_o: nothing is at the address, or it cannot be accessed so; then nothing is written.
/// Precondition: none.
/// Latency: 0 for a read, 1 for a write.
/// Example: req_i with addr_i = 0 -> rdata_o = 0x4d504b41.
module montcore_pka_registers (
    input logic clk_i,  // Clock, rising edge.
    input logic rst_ni,  // Synchronous reset, active low.
    input logic req_i,  // High in each cycle with an access.
    input logic write_i,  // High for a write, low for a read.
    input logic [13:0] addr_i,  // Address in bytes; the lowest two bits are ignored.
    input logic [31:0] wdata_i,  // Word to write.
    input logic [3:0] strb_i,  // Bytes of it to write.
    output logic [31:0] rdata_o,  // Word read; not masked by req_i.
    output logic error_o,  // The request is refused; not masked by req_i.
    /// build, length: Built width L of the slots, and of the exponentiator, in bits.
    input logic [13:0] build_length_i,
    input logic [3:0] build_units_i,  // build, units: What it can do.
    input logic [3:0] build_slots_i,  // build, slots: Operand slots.
    input logic [31:0] core_name_i,  // core, name: The letters.
    output logic control_zeroize_o,  // control, zeroize: Abandon everything. One cycle.
    output logic control_keep_o,  // control, keep: Written with zeroize. One cycle.
    input logic status_busy_i,  // status, busy: A command is under way, or memory is being cleared.
    input logic status_loaded_i,  // status, loaded: A modulus is loaded.
    input logic status_key_loaded_i,  // status, key_loaded: The modulus is that of the key.
    input logic status_locked_i,  // status, locked: A key is locked.
    input logic status_curve_i,  // status, curve: A curve is loaded.
    input logic status_key_curve_i,  // status, key_curve: The curve is that of the key.
    input logic status_key_kind_i,  // status, key_kind: The locked key is one of a curve.
    input logic [1:0] status_uses_i,  // status, uses: What the locked key of a curve may do.
    input logic [4:0] error_code_i,  // error, code: How it ended.
    input logic intr_state_done_i,  // intr_state, done: Pulse: it happens.
    output logic intr_state_done_o,  // intr_state, done: A command has ended.
    input logic intr_state_refused_i,  // intr_state, refused: Pulse: it happens.
    output logic intr_state_refused_o,  // intr_state, refused: An access was refused.
    output logic intr_enable_done_o,  // intr_enable, done: Done.
    output logic intr_enable_refused_o,  // intr_enable, refused: Refused.
    output logic [13:0] length_bits_o,  // length, bits: Bits, 2 to L.
    output logic [13:0] y_length_bits_o,  // y_length, bits: Bits, 1 to L.
    output logic [3:0] command_op_o,  // command, op: What to do.
    output logic command_op_written_o,  // command, op: was written in the last cycle.
    output logic [1:0] command_policy_o,  // command, policy: Way of a power.
    output logic [3:0] command_x_o,  // command, x: Slot of x, or of a modulus.
    output logic [3:0] command_y_o,  // command, y: Slot of y.
    output logic [3:0] command_z_o,  // command, z: Slot of z.
    output logic [2:0] command_operation_o,  // command, operation: Point operation.
    input logic [31:0] cycles_count_i,  // cycles, count: Cycles that the last command took.
    output logic [7:0] curve_columns_o,  // curve, columns: Columns of the comb.
    output logic [7:0] curve_windows_o,  // curve, windows: Windows of a scalar that is not blinded.
    /// curve, family: 0 a = -3, 1 any a, 2 a = 0, 3 Edwards, 4 Montgomery.
    output logic [2:0] curve_family_o,
    output logic curve_public_only_o,  // curve, public_only: No scalar is secret.
    input logic [13:0] curves_built_i  // curves, built: Built width in bits.
);
  logic reads, writes, writing, unused;
  logic [11:0] word;
  logic [31:0] mask;
  assign word = addr_i[13:2];
  assign writing = req_i && write_i;
  assign mask = {{8{strb_i[3]}}, {8{strb_i[2]}}, {8{strb_i[1]}}, {8{strb_i[0]}}};
  assign error_o = write_i ? !writes : !reads;
  assign unused = ^{addr_i[1:0], wdata_i, mask};
  logic
      at_id,
      at_version,
      at_build,
      at_core,
      at_control,
      at_status,
      at_error,
      at_intr_state,
      at_intr_enable,
      at_length,
      at_y_length,
      at_command,
      at_cycles,
      at_curve,
      at_curves;
  assign at_id = word == 12'h0;
  assign at_version = word == 12'h1;
  assign at_build = word == 12'h2;
  assign at_core = word == 12'h3;
  assign at_control = word == 12'h4;
  assign at_status = word == 12'h5;
  assign at_error = word == 12'h6;
  assign at_intr_state = word == 12'h7;
  assign at_intr_enable = word == 12'h8;
  assign at_length = word == 12'h9;
  assign at_y_length = word == 12'ha;
  assign at_command = word == 12'hb;
  assign at_cycles = word == 12'hc;
  assign at_curve = word == 12'hd;
  assign at_curves = word == 12'he;
  assign reads = at_id || at_version || at_build || at_core || at_status ||
      at_error || at_intr_state || at_intr_enable || at_length || at_y_length ||
      at_cycles || at_curve || at_curves;
  assign writes = at_control || at_intr_state || at_intr_enable || at_length || at_y_length ||
      at_command || at_curve;
  logic control_zeroize_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) control_zeroize_q <= 1'h0;
    else control_zeroize_q <= {1{writing && at_control}} & wdata_i[0] & mask[0];
  end
  assign control_zeroize_o = control_zeroize_q;
  logic control_keep_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) control_keep_q <= 1'h0;
    else control_keep_q <= {1{writing && at_control}} & wdata_i[1] & mask[1];
  end
  assign control_keep_o = control_keep_q;
  logic intr_state_done_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) intr_state_done_q <= 1'h0;
    else if (intr_state_done_i) intr_state_done_q <= '1;
    else if (writing && at_intr_state)
      intr_state_done_q <= intr_state_done_q & ~(wdata_i[0] & mask[0]);
  end
  assign intr_state_done_o = intr_state_done_q;
  logic intr_state_refused_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) intr_state_refused_q <= 1'h0;
    else if (intr_state_refused_i) intr_state_refused_q <= '1;
    else if (writing && at_intr_state)
      intr_state_refused_q <= intr_state_refused_q & ~(wdata_i[1] & mask[1]);
  end
  assign intr_state_refused_o = intr_state_refused_q;
  logic intr_enable_done_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) intr_enable_done_q <= 1'h0;
    else if (writing && at_intr_enable)
      intr_enable_done_q <= (intr_enable_done_q & ~mask[0]) | (wdata_i[0] & mask[0]);
  end
  assign intr_enable_done_o = intr_enable_done_q;
  logic intr_enable_refused_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) intr_enable_refused_q <= 1'h0;
    else if (writing && at_intr_enable)
      intr_enable_refused_q <= (intr_enable_refused_q & ~mask[1]) | (wdata_i[1] & mask[1]);
  end
  assign intr_enable_refused_o = intr_enable_refused_q;
  logic [13:0] length_bits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) length_bits_q <= 14'h0;
    else if (writing && at_length)
      length_bits_q <= (length_bits_q & ~mask[13:0]) | (wdata_i[13:0] & mask[13:0]);
  end
  assign length_bits_o = length_bits_q;
  logic [13:0] y_length_bits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) y_length_bits_q <= 14'h0;
    else if (writing && at_y_length)
      y_length_bits_q <= (y_length_bits_q & ~mask[13:0]) | (wdata_i[13:0] & mask[13:0]);
  end
  assign y_length_bits_o = y_length_bits_q;
  logic [3:0] command_op_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_op_q <= 4'h0;
    else if (writing && at_command)
      command_op_q <= (command_op_q & ~mask[3:0]) | (wdata_i[3:0] & mask[3:0]);
  end
  assign command_op_o = command_op_q;
  logic command_op_written_q;
  always_ff @(posedge clk_i) command_op_written_q <= rst_ni && writing && at_command && |mask[3:0];
  assign command_op_written_o = command_op_written_q;
  logic [1:0] command_policy_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_policy_q <= 2'h0;
    else if (writing && at_command)
      command_policy_q <= (command_policy_q & ~mask[5:4]) | (wdata_i[5:4] & mask[5:4]);
  end
  assign command_policy_o = command_policy_q;
  logic [3:0] command_x_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_x_q <= 4'h0;
    else if (writing && at_command)
      command_x_q <= (command_x_q & ~mask[11:8]) | (wdata_i[11:8] & mask[11:8]);
  end
  assign command_x_o = command_x_q;
  logic [3:0] command_y_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_y_q <= 4'h0;
    else if (writing && at_command)
      command_y_q <= (command_y_q & ~mask[15:12]) | (wdata_i[15:12] & mask[15:12]);
  end
  assign command_y_o = command_y_q;
  logic [3:0] command_z_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_z_q <= 4'h0;
    else if (writing && at_command)
      command_z_q <= (command_z_q & ~mask[19:16]) | (wdata_i[19:16] & mask[19:16]);
  end
  assign command_z_o = command_z_q;
  logic [2:0] command_operation_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) command_operation_q <= 3'h0;
    else if (writing && at_command)
      command_operation_q <= (command_operation_q & ~mask[22:20]) | (wdata_i[22:20] & mask[22:20]);
  end
  assign command_operation_o = command_operation_q;
  logic [7:0] curve_columns_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) curve_columns_q <= 8'h0;
    else if (writing && at_curve)
      curve_columns_q <= (curve_columns_q & ~mask[7:0]) | (wdata_i[7:0] & mask[7:0]);
  end
  assign curve_columns_o = curve_columns_q;
  logic [7:0] curve_windows_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) curve_windows_q <= 8'h0;
    else if (writing && at_curve)
      curve_windows_q <= (curve_windows_q & ~mask[15:8]) | (wdata_i[15:8] & mask[15:8]);
  end
  assign curve_windows_o = curve_windows_q;
  logic [2:0] curve_family_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) curve_family_q <= 3'h0;
    else if (writing && at_curve)
      curve_family_q <= (curve_family_q & ~mask[22:20]) | (wdata_i[22:20] & mask[22:20]);
  end
  assign curve_family_o = curve_family_q;
  logic curve_public_only_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) curve_public_only_q <= 1'h0;
    else if (writing && at_curve)
      curve_public_only_q <= (curve_public_only_q & ~mask[23]) | (wdata_i[23] & mask[23]);
  end
  assign curve_public_only_o = curve_public_only_q;
  always_comb begin
    rdata_o = '0;
    if (at_id) begin
      rdata_o[31:0] = 32'h4d504b41;
    end
    if (at_version) begin
      rdata_o[7:0]  = 8'h3;
      rdata_o[15:8] = 8'h1;
    end
    if (at_build) begin
      rdata_o[13:0]  = build_length_i;
      rdata_o[19:16] = build_units_i;
      rdata_o[27:24] = build_slots_i;
    end
    if (at_core) begin
      rdata_o[31:0] = core_name_i;
    end
    if (at_status) begin
      rdata_o[0]   = status_busy_i;
      rdata_o[1]   = status_loaded_i;
      rdata_o[2]   = status_key_loaded_i;
      rdata_o[3]   = status_locked_i;
      rdata_o[4]   = status_curve_i;
      rdata_o[5]   = status_key_curve_i;
      rdata_o[6]   = status_key_kind_i;
      rdata_o[9:8] = status_uses_i;
    end
    if (at_error) begin
      rdata_o[4:0] = error_code_i;
    end
    if (at_intr_state) begin
      rdata_o[0] = intr_state_done_q;
      rdata_o[1] = intr_state_refused_q;
    end
    if (at_intr_enable) begin
      rdata_o[0] = intr_enable_done_q;
      rdata_o[1] = intr_enable_refused_q;
    end
    if (at_length) begin
      rdata_o[13:0] = length_bits_q;
    end
    if (at_y_length) begin
      rdata_o[13:0] = y_length_bits_q;
    end
    if (at_cycles) begin
      rdata_o[31:0] = cycles_count_i;
    end
    if (at_curve) begin
      rdata_o[7:0] = curve_columns_q;
      rdata_o[15:8] = curve_windows_q;
      rdata_o[22:20] = curve_family_q;
      rdata_o[23] = curve_public_only_q;
    end
    if (at_curves) begin
      rdata_o[13:0] = curves_built_i;
    end
  end
endmodule
