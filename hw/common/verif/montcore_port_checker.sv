// SPDX-License-Identifier: Apache-2.0

/// The rules of the common port (hw/common/README.md) as assertions, for any core.
///
/// In each cycle after reset: a valid beat is stable until accepted; one answer packet for each
/// pair of operand packets, with as many beats as the modulus or one error beat; one cfg_done_o for
/// each modulus; busy_o while any packet is open; at most one core_start_o for each pair; no output
/// after zeroize_i; no unknown control output. A broken rule ends the simulation with a one-line
/// message.
/// Precondition: none; the host's side of the streams is checked too.
/// Latency: a rule is checked on the rising edge that ends the cycle in which it is broken.
/// Example: z_valid_o high with z_data_o = 5 and z_ready_i low, then z_data_o = 7: the run ends.
/// Verilator binds it to the core; for Icarus Verilog, which has no `bind`, it is instantiated next
/// to the core: hence immediate assertions in a clocked process.
module montcore_port_checker #(
    /// Beat width in bits; may exceed the core's if the extra bits are zero.
    parameter int unsigned Width = 32,
    /// Beats at the start of a modulus packet that precede the modulus.
    parameter int unsigned HeaderBeats = 0,
    parameter int unsigned Groups = 1,  // Number of groups of selection signals.
    parameter int unsigned GroupBits = 1  // Number of selection signals per group.
) (
    input logic clk_i,  // Clock of the port, rising edge.
    /// Synchronous reset of the core, active low; nothing is checked before the first reset.
    input logic rst_ni,
    input logic zeroize_i,  // Zeroize pulse of the core: abandon all work and clear all state.
    /// busy_o of the core: high while work is in progress or state is being cleared.
    input logic busy_i,
    input logic cfg_valid_i,
    input logic cfg_ready_i,  // Modulus stream: ready, an output of the core.
    input logic [Width-1:0] cfg_data_i,
    input logic cfg_last_i,
    input logic cfg_done_i,  // Pulse of the core: the modulus was accepted or refused.
    /// Reason for the refusal, 0 if accepted; valid with cfg_done_i, then stable.
    input logic [2:0] cfg_error_i,
    input logic x_valid_i,
    input logic x_ready_i,  // X stream: ready, an output of the core.
    input logic [Width-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    input logic y_ready_i,  // Y stream: ready, an output of the core.
    input logic [Width-1:0] y_data_i,
    input logic y_last_i,
    input logic z_valid_i,  // Z stream: valid, an output of the core.
    input logic z_ready_i,  // Z stream: ready, the host accepts the beat.
    input logic [Width-1:0] z_data_i,  // Z stream: data, or the error code of an error beat.
    input logic z_last_i,
    input logic z_error_i,
    input logic core_start_i,  // Pulse of the core: a product starts.
    input logic core_done_i,  // Pulse of the core: the result of a product is complete.
    /// Select signals inside the core: at most one of each group is high in any cycle.
    input logic [Groups*GroupBits-1:0] select_i
);
  localparam int unsigned CountBits = 16;
  // An array has a product in flight for each bit of its width, up to 512.
  localparam int unsigned OpenBits = 10;

  logic on;  // a reset has been seen
  logic cfg_held, x_held, y_held, z_held;  // offered and not accepted in the previous cycle
  logic cfg_last, x_last, y_last, z_last, z_error;
  logic [Width-1:0] cfg_data, x_data, y_data, z_data;
  logic cfg_due, done, told, x_begun, y_begun;
  logic [2:0] cfg_error;
  // Beats of the modulus that was taken last, and of the one that was accepted last.
  logic [CountBits-1:0] cfg_count, cfg_beats, beats, z_count;
  logic [OpenBits-1:0] x_open, y_open, starts;  // packets without answer; products not done
  logic [OpenBits-1:0] fresh;  // pairs that have begun and were not taken up

  initial on = 1'b0;

  function automatic logic one_hot(logic [Groups*GroupBits-1:0] selects);
    logic [GroupBits-1:0] group;
    one_hot = 1'b1;
    for (int k = 0; k < Groups; k++) begin
      group = selects[k*GroupBits+:GroupBits];
      if ((group & (group - 1'b1)) != '0) one_hot = 1'b0;
    end
  endfunction

  // One process with blocking assignments, since no other process reads these variables; an idle
  // stream costs no simulation time. For each stream the rules come first, where the variables
  // still hold the previous cycle, then the update for the next cycle.
  always @(posedge clk_i) begin
    if (!rst_ni || (on && zeroize_i)) begin
      // All work is abandoned on both sides; no data of an operand may remain.
      on                                          = on || !rst_ni;
      {cfg_held, x_held, y_held, z_held}          = '0;
      {cfg_last, x_last, y_last, z_last, z_error} = '0;
      cfg_data                                    = '0;
      x_data                                      = '0;
      y_data                                      = '0;
      z_data                                      = '0;
      {cfg_due, done, told, x_begun, y_begun}     = '0;
      cfg_error                                   = '0;
      cfg_count                                   = '0;
      cfg_beats                                   = '0;
      beats                                       = '0;
      z_count                                     = '0;
      x_open                                      = '0;
      y_open                                      = '0;
      starts                                      = '0;
      fresh                                       = '0;
    end else if (on) begin
      assert ((^{busy_i, cfg_ready_i, x_ready_i, y_ready_i, cfg_done_i, z_valid_i, core_start_i,
                 core_done_i}) !== 1'bx)
      else $fatal(1, "a control output is unknown after reset");
      if (Groups * GroupBits > 1) begin
        assert (one_hot(select_i))
        else $fatal(1, "two signals of a one-hot selection are high");
      end
      if (!busy_i) begin
        assert ((x_open == '0 || y_open == '0) && (!cfg_due || cfg_done_i))
        else $fatal(1, "busy_o is low with work under way");
      end
      // A refused pair may never be taken up.
      if (!busy_i && x_open == '0 && !x_begun) fresh = '0;
      if (core_start_i || core_done_i) begin
        assert (!core_start_i || ((x_begun || x_open != '0 || (x_valid_i && x_ready_i)) &&
                                  (y_begun || y_open != '0 || (y_valid_i && y_ready_i))))
        else $fatal(1, "core_start_o is high with no operands to take up");
        assert (!core_start_i || fresh != '0 || (x_valid_i && x_ready_i && !x_begun))
        else $fatal(1, "core_start_o is high again for the same operands");
        assert (!core_done_i || core_start_i || starts != '0)
        else $fatal(1, "core_done_o is high with no product started");
        if (core_start_i) fresh = fresh - 1'b1;
        // A refused product may be started without ending.
        if (!core_start_i) starts = starts - 1'b1;
        else if (!core_done_i && starts != '1) starts = starts + 1'b1;
      end

      // ---- Z
      if (z_held) begin
        assert (z_valid_i && z_data_i == z_data && z_last_i == z_last && z_error_i == z_error)
        else $fatal(1, "a result beat changed or vanished before it was taken");
        z_held  = 1'b0;
        z_data  = '0;
        z_last  = 1'b0;
        z_error = 1'b0;
      end
      if (z_valid_i) begin
        assert ((^{z_last_i, z_error_i}) !== 1'bx)
        else $fatal(1, "z_last_o or z_error_o is unknown while z_valid_o is high");
        assert (x_open != '0 && y_open != '0)
        else $fatal(1, "z_valid_o is high with no pair of operands to answer for");
        if (z_ready_i) begin
          assert (z_error_i || z_last_i == (z_count + 1'b1 == beats))
          else $fatal(1, "z_last_o is on the wrong beat");
          assert (!z_error_i ||
                  (z_last_i && z_count == '0 && z_data_i[2:0] != 3'd0 && z_data_i[2:0] != 3'd7))
          else $fatal(1, "an error answer has no status, or more than one beat");
          z_count = z_last_i ? '0 : z_count + 1'b1;
          if (z_last_i) begin
            x_open = x_open - 1'b1;
            y_open = y_open - 1'b1;
          end
        end else begin
          z_held  = 1'b1;
          z_data  = z_data_i;
          z_last  = z_last_i;
          z_error = z_error_i;
        end
      end

      // ---- modulus
      if (told) begin
        assert (cfg_error_i == cfg_error)
        else $fatal(1, "cfg_error_o changed before the next modulus");
      end
      if (cfg_done_i) begin
        assert (!done)
        else $fatal(1, "cfg_done_o is high for more than one cycle");
        assert (cfg_due)
        else $fatal(1, "cfg_done_o is high with no modulus to answer for");
        assert (!cfg_error_i[2])
        else $fatal(1, "cfg_error_o is not a status of a modulus");
        // A pair that refuses its second modulus keeps the first one.
        if (cfg_error_i == '0) beats = cfg_beats;
        cfg_due = 1'b0;
        told = 1'b1;
        cfg_error = cfg_error_i;
      end
      done = cfg_done_i;
      if (cfg_held) begin
        assert (cfg_valid_i && cfg_data_i == cfg_data && cfg_last_i == cfg_last)
        else $fatal(1, "the host changed a beat of the modulus before it was taken");
        cfg_held = 1'b0;
        cfg_data = '0;
        cfg_last = 1'b0;
      end
      if (cfg_valid_i) begin
        if (cfg_ready_i) begin
          assert (!x_begun && !y_begun && x_open == '0 && y_open == '0)
          else $fatal(1, "a beat of a modulus was taken with a product under way");
          told = 1'b0;
          cfg_count = cfg_count + 1'b1;
          if (cfg_last_i) begin
            cfg_beats = cfg_count - CountBits'(HeaderBeats);
            cfg_count = '0;
            cfg_due   = 1'b1;
          end
        end else begin
          cfg_held = 1'b1;
          cfg_data = cfg_data_i;
          cfg_last = cfg_last_i;
        end
      end

      // ---- X
      if (x_held) begin
        assert (x_valid_i && x_data_i == x_data && x_last_i == x_last)
        else $fatal(1, "the host changed a beat of X before it was taken");
        x_held = 1'b0;
        x_data = '0;
        x_last = 1'b0;
      end
      if (x_valid_i) begin
        if (x_ready_i) begin
          if (!x_begun) fresh = fresh + 1'b1;
          x_begun = !x_last_i;
          if (x_last_i) x_open = x_open + 1'b1;
          assert (x_open != '1)
          else $fatal(1, "operands are taken and never answered");
        end else begin
          x_held = 1'b1;
          x_data = x_data_i;
          x_last = x_last_i;
        end
      end

      // ---- Y
      if (y_held) begin
        assert (y_valid_i && y_data_i == y_data && y_last_i == y_last)
        else $fatal(1, "the host changed a beat of Y before it was taken");
        y_held = 1'b0;
        y_data = '0;
        y_last = 1'b0;
      end
      if (y_valid_i) begin
        if (y_ready_i) begin
          y_begun = !y_last_i;
          if (y_last_i) y_open = y_open + 1'b1;
          assert (y_open != '1)
          else $fatal(1, "operands are taken and never answered");
        end else begin
          y_held = 1'b1;
          y_data = y_data_i;
          y_last = y_last_i;
        end
      end
    end
  end
endmodule
