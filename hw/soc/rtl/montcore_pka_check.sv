// SPDX-License-Identifier: Apache-2.0

/// Checks whether a command is allowed, before it starts.
///
/// verdict_o = DoneOk, or the reason for refusal. Commands on moduli and products check all three
/// slots; operations on points only those that they use.
/// Precondition: none.
/// Latency: 0.
/// Example: OpPower without a modulus -> DoneNoModulus, 6.
module montcore_pka_check
  import montcore_pka_pkg::*;
#(
    /// Units built: bit 0 exponentiator, bit 1 curve engine, bit 2 multiplier.
    parameter int unsigned Units = 3,
    parameter int unsigned Length = 512,
    parameter int unsigned CurveLength = 256  // Built width of the curve engine in bits.
) (
    input command_t command_i,  // Command to check, with its slots and policy.
    /// Length of the modulus or of p in bits, from the length register.
    input logic [LengthBits-1:0] length_i,
    /// Length of y or of n in bits, from the register y_length.
    input logic [LengthBits-1:0] y_length_i,
    /// Modulus, curve and key that are loaded, and the lock of the key.
    input standing_t standing_i,
    /// DoneOk, or the error code of the refusal; combinational.
    output logic [ErrorBits-1:0] verdict_o
);
  logic length_bad, y_length_bad, curve_bad, slots_bad, z_bad, points_bad, own_bad, hidden;
  logic use_bad;
  logic [4:0] x_end, y_end;

  assign length_bad = length_i < LengthBits'(2) || length_i > LengthBits'(Length);
  assign y_length_bad = y_length_i == '0 || y_length_i > LengthBits'(Length);
  assign curve_bad = length_i < LengthBits'(2) || length_i > LengthBits'(CurveLength) ||
                     y_length_i < LengthBits'(2) || y_length_i > LengthBits'(CurveLength);
  assign slots_bad = command_i.x[3] || command_i.y[3] || command_i.z[3];

  // Operands of point operations lie in operand slots; only x may be in the hidden scalar slot.
  assign x_end = {1'b0, command_i.x} + {2'b00, x_numbers(command_i.operation)};
  assign y_end = {1'b0, command_i.y} + {2'b00, y_numbers(command_i.operation)};
  assign hidden = command_i.x == Scalar;
  assign z_bad = 32'(command_i.z) + 2 > Slots;
  assign points_bad = command_i.operation == 3'd7 || z_bad || 32'(y_end) > Slots;
  assign own_bad = points_bad || (!hidden && 32'(x_end) > Slots);

  always_comb begin
    case (command_i.operation)
      PointMultiply, PointLadder: use_bad = !standing_i.uses[1];
      PointSign: use_bad = !standing_i.uses[0];
      default: use_bad = 1'b0;
    endcase
  end

  always_comb begin
    verdict_o = DoneCommand;
    case (command_i.op)
      OpClear: verdict_o = DoneOk;
      OpLoad: begin
        if (!(Units[0] || Units[2]) || slots_bad) verdict_o = DoneCommand;
        else if (length_bad) verdict_o = DoneLength;
        else verdict_o = DoneOk;
      end
      OpPower, OpProduct: begin
        if (!Units[0] || slots_bad || command_i.policy == 2'd3) verdict_o = DoneCommand;
        else if (!standing_i.loaded) verdict_o = DoneNoModulus;
        else if (command_i.op == OpPower && y_length_bad) verdict_o = DoneLength;
        else verdict_o = DoneOk;
      end
      OpMultiply: begin
        if (!Units[2] || slots_bad || command_i.policy != '0) verdict_o = DoneCommand;
        else if (!standing_i.loaded) verdict_o = DoneNoModulus;
        else verdict_o = DoneOk;
      end
      OpKeyLoad: begin
        if (!Units[0]) verdict_o = DoneCommand;
        else if (!standing_i.locked || standing_i.kind) verdict_o = DoneKey;
        else verdict_o = DoneOk;
      end
      OpKeyPower: begin
        // The sliding window leaks the exponent: no key operation may use it.
        if (!Units[0] || slots_bad || command_i.policy[0]) verdict_o = DoneCommand;
        else if (!standing_i.locked || standing_i.kind) verdict_o = DoneKey;
        else if (!standing_i.key_loaded) verdict_o = DoneNoModulus;
        else verdict_o = DoneOk;
      end
      OpLock: begin
        if (!Units[0]) verdict_o = DoneCommand;
        else if (standing_i.locked) verdict_o = DoneKey;
        else if (length_bad || y_length_bad) verdict_o = DoneLength;
        else verdict_o = DoneOk;
      end
      OpCurve: begin
        if (!Units[1] || 32'(command_i.x) + 6 > Slots) verdict_o = DoneCommand;
        else if (curve_bad) verdict_o = DoneLength;
        else verdict_o = DoneOk;
      end
      OpPoint: begin
        if (!Units[1] || own_bad) verdict_o = DoneCommand;
        else if (hidden && standing_i.locked && x_numbers(command_i.operation) != 3'd1)
          verdict_o = DoneKey;
        else if (!standing_i.curve_loaded) verdict_o = DoneNoCurve;
        else verdict_o = DoneOk;
      end
      OpKeyCurve: begin
        if (!Units[1]) verdict_o = DoneCommand;
        else if (!standing_i.locked || !standing_i.kind) verdict_o = DoneKey;
        else verdict_o = DoneOk;
      end
      OpKeyPoint: begin
        // The other operations take a second secret scalar or none.
        if (!Units[1] || points_bad || command_i.operation == PointVerify ||
            command_i.operation == PointJoint || command_i.operation == PointMultiplyAdd)
          verdict_o = DoneCommand;
        else if (!standing_i.locked || !standing_i.kind || use_bad) verdict_o = DoneKey;
        else if (!standing_i.key_curve) verdict_o = DoneNoCurve;
        else verdict_o = DoneOk;
      end
      OpCurveLock, OpCurveDraw: begin
        if (!Units[1] || command_i.policy == '0) verdict_o = DoneCommand;
        else if (standing_i.locked) verdict_o = DoneKey;
        else if (curve_bad) verdict_o = DoneLength;
        else verdict_o = DoneOk;
      end
      default: verdict_o = DoneCommand;
    endcase
  end
endmodule
