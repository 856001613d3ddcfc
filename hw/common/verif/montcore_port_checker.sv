// SPDX-License-Identifier: Apache-2.0

/// The rules of the common port (hw/common/README.md) as assertions, beside any core.
///
/// In each cycle after reset: what a valid offers stays until it is taken; one packet of answer for
/// each pair of operand packets, of the modulus's beats or one error beat; one cfg_done_o for each
/// modulus; busy_o while anything is open; nothing after zeroize_i; no unknown control output.
/// A broken rule ends the simulation with one sentence.
/// Precondition: none; the host's side of the streams is checked too.
/// Latency: a rule is checked on the rising edge that ends the cycle in which it is broken.
/// Example: z_valid_o high with z_data_o = 5 and z_ready_i low, then z_data_o = 7: the run ends.
/// It is bound to the core in Verilator, and stands beside it in Icarus Verilog, which has no
/// `bind`: hence immediate assertions in a clocked process.
module montcore_port_checker #(
    /// Bits of a beat; more than the core's is right if the rest is zero.
    parameter int unsigned Width = 32,
    /// Beats at the start of a modulus packet that are not the modulus.
    parameter int unsigned HeaderBeats = 0,
    /// Groups of selection signals.
    parameter int unsigned Groups = 1,
    /// Selection signals of a group.
    parameter int unsigned GroupBits = 1
) (
    /// Clock of the port, rising edge.
    input logic clk_i,
    /// The core's reset; nothing is checked before the first one.
    input logic rst_ni,
    /// As at the core.
    input logic zeroize_i,
    /// As at the core.
    input logic busy_i,
    /// As at the core.
    input logic cfg_valid_i,
    /// As at the core.
    input logic cfg_ready_i,
    /// As at the core.
    input logic [Width-1:0] cfg_data_i,
    /// As at the core.
    input logic cfg_last_i,
    /// As at the core.
    input logic cfg_done_i,
    /// As at the core.
    input logic [2:0] cfg_error_i,
    /// As at the core.
    input logic x_valid_i,
    /// As at the core.
    input logic x_ready_i,
    /// As at the core.
    input logic [Width-1:0] x_data_i,
    /// As at the core.
    input logic x_last_i,
    /// As at the core.
    input logic y_valid_i,
    /// As at the core.
    input logic y_ready_i,
    /// As at the core.
    input logic [Width-1:0] y_data_i,
    /// As at the core.
    input logic y_last_i,
    /// As at the core.
    input logic z_valid_i,
    /// As at the core.
    input logic z_ready_i,
    /// As at the core.
    input logic [Width-1:0] z_data_i,
    /// As at the core.
    input logic z_last_i,
    /// As at the core.
    input logic z_error_i,
    /// As at the core.
    input logic core_start_i,
    /// As at the core.
    input logic core_done_i,
    /// Selections inside of the core: at most one signal of each group is high in any cycle.
    input logic [Groups*GroupBits-1:0] select_i
);
  localparam int unsigned CountBits = 16;
  localparam int unsigned OpenBits = 8;

  logic on_q;  // there was a reset
  logic cfg_held_q, x_held_q, y_held_q, z_held_q;  // offered and not taken in the cycle before
  logic cfg_last_q, x_last_q, y_last_q, z_last_q, z_error_q;
  logic [Width-1:0] cfg_data_q, x_data_q, y_data_q, z_data_q;
  logic cfg_due_q, done_q, told_q, x_begun_q, y_begun_q;
  logic [2:0] cfg_error_q;
  logic [CountBits-1:0] cfg_count_q, beats_q, z_count_q;
  logic [OpenBits-1:0] x_open_q, y_open_q, starts_q;  // packets without an answer; starts not done
  logic cfg_beat, x_beat, y_beat, z_beat, z_end, x_any, y_any, selects_ok;

  initial on_q = 1'b0;

  assign cfg_beat = cfg_valid_i && cfg_ready_i;
  assign x_beat = x_valid_i && x_ready_i;
  assign y_beat = y_valid_i && y_ready_i;
  assign z_beat = z_valid_i && z_ready_i;
  assign z_end = z_beat && z_last_i;
  assign x_any = x_begun_q || x_open_q != '0;
  assign y_any = y_begun_q || y_open_q != '0;

  logic [GroupBits-1:0] group;
  always_comb begin
    selects_ok = 1'b1;
    group = '0;
    for (int k = 0; k < Groups; k++) begin
      group = select_i[k*GroupBits+:GroupBits];
      if ((group & (group - 1'b1)) != '0) selects_ok = 1'b0;
    end
  end

  // ---- what the port has shown so far ----------------------------------------------------------
  // Without an offer the copies of data are zero: nothing of an operand may be left by zeroize_i.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) on_q <= 1'b1;
    if (!rst_ni || zeroize_i) begin
      {cfg_held_q, x_held_q, y_held_q, z_held_q} <= '0;
      {cfg_last_q, x_last_q, y_last_q, z_last_q, z_error_q} <= '0;
      cfg_data_q <= '0;
      x_data_q <= '0;
      y_data_q <= '0;
      z_data_q <= '0;
      {cfg_due_q, done_q, told_q, x_begun_q, y_begun_q} <= '0;
      cfg_error_q <= '0;
      cfg_count_q <= '0;
      beats_q <= '0;
      z_count_q <= '0;
      x_open_q <= '0;
      y_open_q <= '0;
      starts_q <= '0;
    end else begin
      cfg_held_q <= cfg_valid_i && !cfg_ready_i;
      x_held_q <= x_valid_i && !x_ready_i;
      y_held_q <= y_valid_i && !y_ready_i;
      z_held_q <= z_valid_i && !z_ready_i;
      {cfg_last_q, x_last_q, y_last_q} <= {cfg_last_i, x_last_i, y_last_i};
      {z_last_q, z_error_q} <= {z_last_i, z_error_i};
      cfg_data_q <= (cfg_valid_i && !cfg_ready_i) ? cfg_data_i : '0;
      x_data_q <= (x_valid_i && !x_ready_i) ? x_data_i : '0;
      y_data_q <= (y_valid_i && !y_ready_i) ? y_data_i : '0;
      z_data_q <= (z_valid_i && !z_ready_i) ? z_data_i : '0;

      done_q <= cfg_done_i;
      if (cfg_done_i) cfg_due_q <= 1'b0;
      if (cfg_beat) begin
        cfg_count_q <= cfg_last_i ? '0 : cfg_count_q + 1'b1;
        if (cfg_last_i) begin
          beats_q   <= cfg_count_q + 1'b1 - CountBits'(HeaderBeats);
          cfg_due_q <= 1'b1;
        end
      end
      if (cfg_beat) told_q <= 1'b0;
      else if (cfg_done_i) told_q <= 1'b1;
      cfg_error_q <= cfg_error_i;

      if (x_beat) x_begun_q <= !x_last_i;
      if (y_beat) y_begun_q <= !y_last_i;
      if ((x_beat && x_last_i) != z_end) x_open_q <= z_end ? x_open_q - 1'b1 : x_open_q + 1'b1;
      if ((y_beat && y_last_i) != z_end) y_open_q <= z_end ? y_open_q - 1'b1 : y_open_q + 1'b1;
      if (z_beat) z_count_q <= z_last_i ? '0 : z_count_q + 1'b1;
      if (core_start_i != core_done_i) begin
        // A refused product may be taken up and not end.
        if (core_done_i) starts_q <= starts_q - 1'b1;
        else if (starts_q != '1) starts_q <= starts_q + 1'b1;
      end
    end
  end

  // ---- rules -----------------------------------------------------------------------------------
  // Data is compared only where it must not change, which keeps the checker cheap.
  always @(posedge clk_i) begin
    if (on_q && rst_ni) begin
      assert ((^{busy_i, cfg_ready_i, x_ready_i, y_ready_i, cfg_done_i, z_valid_i, core_start_i,
                 core_done_i}) !== 1'bx)
      else $fatal(1, "a control output is unknown after reset");
      if (Groups * GroupBits > 1) begin
        assert (selects_ok)
        else $fatal(1, "two signals of a one-hot selection are high");
      end
    end
    // In the cycle of zeroize_i everything is abandoned, on both sides.
    if (on_q && rst_ni && !zeroize_i) begin
      if (z_held_q) begin
        assert (z_valid_i && z_data_i == z_data_q && z_last_i == z_last_q && z_error_i == z_error_q)
        else $fatal(1, "a result beat changed or vanished before it was taken");
      end
      if (z_valid_i) begin
        assert ((^{z_last_i, z_error_i}) !== 1'bx)
        else $fatal(1, "z_last_o or z_error_o is unknown while z_valid_o is high");
        assert (x_open_q != '0 && y_open_q != '0)
        else $fatal(1, "z_valid_o is high with no pair of operands to answer for");
      end
      if (z_beat) begin
        assert (z_error_i || z_last_i == (z_count_q + 1'b1 == beats_q))
        else $fatal(1, "z_last_o is on the wrong beat");
        assert (!z_error_i ||
                (z_last_i && z_count_q == '0 && z_data_i[2:0] != 3'd0 && z_data_i[2:0] != 3'd7))
        else $fatal(1, "an error answer has no status, or more than one beat");
      end
      if (cfg_done_i) begin
        assert (!done_q)
        else $fatal(1, "cfg_done_o is high for more than one cycle");
        assert (cfg_due_q)
        else $fatal(1, "cfg_done_o is high with no modulus to answer for");
        assert (!cfg_error_i[2])
        else $fatal(1, "cfg_error_o is not a status of a modulus");
      end
      if (told_q) begin
        assert (cfg_error_i == cfg_error_q)
        else $fatal(1, "cfg_error_o changed before the next modulus");
      end
      if (cfg_beat) begin
        assert (!(x_any || y_any))
        else $fatal(1, "a beat of a modulus was taken with a product under way");
      end
      if (!busy_i) begin
        assert ((x_open_q == '0 || y_open_q == '0) && (!cfg_due_q || cfg_done_i))
        else $fatal(1, "busy_o is low with work under way");
      end
      if (core_start_i) begin
        assert ((x_any || x_beat) && (y_any || y_beat))
        else $fatal(1, "core_start_o is high with no operands to take up");
      end
      if (core_done_i) begin
        assert (core_start_i || starts_q != '0)
        else $fatal(1, "core_done_o is high with no product started");
      end
      assert (x_open_q != '1 && y_open_q != '1)
      else $fatal(1, "operands are taken and never answered");
      if (cfg_held_q) begin
        assert (cfg_valid_i && cfg_data_i == cfg_data_q && cfg_last_i == cfg_last_q)
        else $fatal(1, "the host changed a beat of the modulus before it was taken");
      end
      if (x_held_q) begin
        assert (x_valid_i && x_data_i == x_data_q && x_last_i == x_last_q)
        else $fatal(1, "the host changed a beat of X before it was taken");
      end
      if (y_held_q) begin
        assert (y_valid_i && y_data_i == y_data_q && y_last_i == y_last_q)
        else $fatal(1, "the host changed a beat of Y before it was taken");
      end
    end
  end
endmodule
