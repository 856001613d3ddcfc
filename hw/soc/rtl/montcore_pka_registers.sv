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
  typedef enum logic [11:0] {
    AtId = 12'h0,
    AtVersion = 12'h1,
    AtBuild = 12'h2,
    AtCore = 12'h3,
    AtControl = 12'h4,
    AtStatus = 12'h5,
    AtError = 12'h6,
    AtIntrState = 12'h7,
    AtIntrEnable = 12'h8,
    AtLength = 12'h9,
    AtYLength = 12'ha,
    AtCommand = 12'hb,
    AtCycles = 12'hc,
    AtCurve = 12'hd,
    AtCurves = 12'he
  } word_e;

  logic reads, writes, writing, unused;
  logic [11:0] word;
  logic [31:0] mask;
  assign word = addr_i[13:2];
  assign writing = req_i && write_i;
  assign mask = {{8{strb_i[3]}}, {8{strb_i[2]}}, {8{strb_i[1]}}, {8{strb_i[0]}}};
  assign error_o = write_i ? !writes : !reads;
  assign unused = ^{addr_i[1:0], wdata_i, mask};
  assign reads =
      word == AtId || word == AtVersion || word == AtBuild || word == AtCore ||
      word == AtStatus || word == AtError || word == AtIntrState || word == AtIntrEnable ||
      word == AtLength || word == AtYLength || word == AtCycles || word == AtCurve ||
      word == AtCurves;
  assign writes =
      word == AtControl || word == AtIntrState || word == AtIntrEnable || word == AtLength ||
      word == AtYLength || word == AtCommand || word == AtCurve;

  // A write replaces those bits of a field that are in the bytes written.
  always_ff @(posedge clk_i) begin
    command_op_written_o <= rst_ni && writing && word == AtCommand && |mask[3:0];
    if (!rst_ni) begin
      control_zeroize_o <= '0;
      control_keep_o <= '0;
      intr_state_done_o <= '0;
      intr_state_refused_o <= '0;
      intr_enable_done_o <= '0;
      intr_enable_refused_o <= '0;
      length_bits_o <= '0;
      y_length_bits_o <= '0;
      command_op_o <= '0;
      command_policy_o <= '0;
      command_x_o <= '0;
      command_y_o <= '0;
      command_z_o <= '0;
      command_operation_o <= '0;
      curve_columns_o <= '0;
      curve_windows_o <= '0;
      curve_family_o <= '0;
      curve_public_only_o <= '0;
    end else begin
      control_zeroize_o <= (writing && word == AtControl) & wdata_i[0] & mask[0];
      control_keep_o <= (writing && word == AtControl) & wdata_i[1] & mask[1];
      if (intr_state_done_i) intr_state_done_o <= '1;
      else if (writing && word == AtIntrState)
        intr_state_done_o <= intr_state_done_o & ~(wdata_i[0] & mask[0]);
      if (intr_state_refused_i) intr_state_refused_o <= '1;
      else if (writing && word == AtIntrState)
        intr_state_refused_o <= intr_state_refused_o & ~(wdata_i[1] & mask[1]);
      if (writing && word == AtIntrEnable) begin
        intr_enable_done_o <= (intr_enable_done_o & ~mask[0]) | (wdata_i[0] & mask[0]);
        intr_enable_refused_o <= (intr_enable_refused_o & ~mask[1]) | (wdata_i[1] & mask[1]);
      end
      if (writing && word == AtLength) begin
        length_bits_o <= (length_bits_o & ~mask[13:0]) | (wdata_i[13:0] & mask[13:0]);
      end
      if (writing && word == AtYLength) begin
        y_length_bits_o <= (y_length_bits_o & ~mask[13:0]) | (wdata_i[13:0] & mask[13:0]);
      end
      if (writing && word == AtCommand) begin
        command_op_o <= (command_op_o & ~mask[3:0]) | (wdata_i[3:0] & mask[3:0]);
        command_policy_o <= (command_policy_o & ~mask[5:4]) | (wdata_i[5:4] & mask[5:4]);
        command_x_o <= (command_x_o & ~mask[11:8]) | (wdata_i[11:8] & mask[11:8]);
        command_y_o <= (command_y_o & ~mask[15:12]) | (wdata_i[15:12] & mask[15:12]);
        command_z_o <= (command_z_o & ~mask[19:16]) | (wdata_i[19:16] & mask[19:16]);
        command_operation_o <=
            (command_operation_o & ~mask[22:20]) | (wdata_i[22:20] & mask[22:20]);
      end
      if (writing && word == AtCurve) begin
        curve_columns_o <= (curve_columns_o & ~mask[7:0]) | (wdata_i[7:0] & mask[7:0]);
        curve_windows_o <= (curve_windows_o & ~mask[15:8]) | (wdata_i[15:8] & mask[15:8]);
        curve_family_o <= (curve_family_o & ~mask[22:20]) | (wdata_i[22:20] & mask[22:20]);
        curve_public_only_o <= (curve_public_only_o & ~mask[23]) | (wdata_i[23] & mask[23]);
      end
    end
  end

  always_comb begin
    rdata_o = '0;
    if (word == AtId) rdata_o[31:0] = 32'h4d504b41;
    if (word == AtVersion) begin
      rdata_o[7:0]  = 8'h3;
      rdata_o[15:8] = 8'h1;
    end
    if (word == AtBuild) begin
      rdata_o[13:0]  = build_length_i;
      rdata_o[19:16] = build_units_i;
      rdata_o[27:24] = build_slots_i;
    end
    if (word == AtCore) rdata_o[31:0] = core_name_i;
    if (word == AtStatus) begin
      rdata_o[0]   = status_busy_i;
      rdata_o[1]   = status_loaded_i;
      rdata_o[2]   = status_key_loaded_i;
      rdata_o[3]   = status_locked_i;
      rdata_o[4]   = status_curve_i;
      rdata_o[5]   = status_key_curve_i;
      rdata_o[6]   = status_key_kind_i;
      rdata_o[9:8] = status_uses_i;
    end
    if (word == AtError) rdata_o[4:0] = error_code_i;
    if (word == AtIntrState) begin
      rdata_o[0] = intr_state_done_o;
      rdata_o[1] = intr_state_refused_o;
    end
    if (word == AtIntrEnable) begin
      rdata_o[0] = intr_enable_done_o;
      rdata_o[1] = intr_enable_refused_o;
    end
    if (word == AtLength) rdata_o[13:0] = length_bits_o;
    if (word == AtYLength) rdata_o[13:0] = y_length_bits_o;
    if (word == AtCycles) rdata_o[31:0] = cycles_count_i;
    if (word == AtCurve) begin
      rdata_o[7:0] = curve_columns_o;
      rdata_o[15:8] = curve_windows_o;
      rdata_o[22:20] = curve_family_o;
      rdata_o[23] = curve_public_only_o;
    end
    if (word == AtCurves) rdata_o[13:0] = curves_built_i;
  end
endmodule
