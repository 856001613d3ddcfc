// SPDX-License-Identifier: Apache-2.0

/// One block of the row: operand memory, DSP block, and the 2 Pairs words of S that it serves.
///
/// A half-iteration multiplies one operand word with the 2 half words of one memory region, two
/// words a clk1x cycle, and adds the product to S; that of A (not multiply_m_i) also moves S down
/// by one word, that of the modulus does not: S := S / 2^17 + b A, then S := S + q M''.
/// Precondition: a half-iteration begins half clk1x cycles after that of the block to the left, with
/// the same operand.
/// Latency: 3 clk1x cycles from the memory's output to the addition.
/// Source: dsp48-2007, Figure 4; one adder does the work of ADD_PU and ADD_VS, as each of the two
/// has a word pair to add in only one half-iteration of two.
/// Example, half = 1, S = (5, 7), b = 2, A = (3, 1), next_low_i = 9: sum = (7 + 6, 9 + 2).
module montcore_dsp_block #(
    /// Word pairs of a region, r / 2 of the built width.
    parameter int unsigned Pairs = 1,
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Bits of a pair number (do not change).
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    /// Rows of the operand memory: A, M'', M and one for the low words of M' (do not change).
    localparam int unsigned Rows = 3 * Pairs + 1,
    /// Bits of a row number (do not change).
    localparam int unsigned AddrBits = $clog2(Rows)
) (
    /// Clock of the adders (clk1x), or the only one.
    input  logic                clk_i,
    /// The edge counts for what runs at clk1x.
    input  logic                tick_i,
    /// Clock of the DSP block (clk2x), or the only one.
    input  logic                clk_fast_i,
    /// Second half of a clk1x cycle.
    input  logic                phase_i,
    /// Write wdata_i to row waddr_i of the operand memory.
    input  logic                we_i,
    /// Row to write.
    input  logic [AddrBits-1:0] waddr_i,
    /// Word pair to write.
    input  logic [        33:0] wdata_i,
    /// Write zeros.
    input  logic                wzero_i,
    /// Region that is read, `montcore_dsp_pkg::Region...`.
    input  logic [         1:0] region_i,
    /// Pair that is read.
    input  logic [SlotBits-1:0] fetch_slot_i,
    /// Take up the operand (first cycle of a half-iteration).
    input  logic                load_i,
    /// Operand of the half-iteration.
    input  logic [        16:0] operand_i,
    /// It, one half-iteration later, for the block to the right.
    output logic [        16:0] operand_o,
    /// The sum that the DSP block makes next begins a half-iteration.
    input  logic                first_i,
    /// Carry out of the block to the left.
    input  logic [        47:0] cascade_i,
    /// Carry to the block to the right.
    output logic [        47:0] cascade_o,
    /// A pair is added.
    input  logic                add_i,
    /// It belongs to the product with the modulus.
    input  logic                multiply_m_i,
    /// S counts as 0.
    input  logic                fresh_i,
    /// Its number.
    input  logic [SlotBits-1:0] add_slot_i,
    /// Number of the pair whose low word of S is added: with A that of the next pair.
    input  logic [SlotBits-1:0] low_slot_i,
    /// It is the first of the half-iteration.
    input  logic                add_first_i,
    /// It is the last.
    input  logic                add_last_i,
    /// A half-iteration has one pair only.
    input  logic                single_i,
    /// Carry from the block to the left, held from its last half-iteration.
    input  logic                carry_i,
    /// Carry of this block.
    output logic                carry_o,
    /// Lowest word of S in the block to the right, as it is being made.
    input  logic [        16:0] next_new_i,
    /// The same, held from the first pair of its last half-iteration.
    input  logic [        16:0] next_held_i,
    /// Lowest word of S in this block, as it is being made.
    output logic [        16:0] new_o,
    /// The same, held.
    output logic [        16:0] held_o,
    /// New pair of S.
    output logic [        33:0] sum_o
);
  // Operand memory, and the way into the DSP block: a pair a clk1x cycle, a word a clk2x cycle.
  logic [33:0] row, pair_q;
  logic [AddrBits-1:0] raddr;
  logic [16:0] a_q, b_q, operand_q;

  always_comb begin
    unique case (region_i)
      montcore_dsp_pkg::RegionA: raddr = AddrBits'(fetch_slot_i);
      montcore_dsp_pkg::RegionScaled: raddr = AddrBits'(Pairs) + AddrBits'(fetch_slot_i);
      montcore_dsp_pkg::RegionM: raddr = AddrBits'(2 * Pairs) + AddrBits'(fetch_slot_i);
      default: raddr = AddrBits'(3 * Pairs);
    endcase
  end
  montcore_ram #(
      .Rows (Rows),
      .Width(34)
  ) u_operands (
      .clk_i  (clk_i),
      .we_i   (we_i && tick_i),
      .wzero_i(wzero_i),
      .waddr_i(waddr_i),
      .wdata_i(wdata_i),
      .raddr_i(raddr),
      .rdata_o(row)
  );
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      pair_q <= row;
      if (load_i) operand_q <= operand_i;
    end
  end
  assign operand_o = operand_q;

  logic [47:0] p;
  always_ff @(posedge clk_fast_i) begin
    a_q <= phase_i ? pair_q[33:17] : pair_q[16:0];
    b_q <= operand_q;
  end
  montcore_mul_add #(
      .Tech  (Tech),
      .Source(montcore_mul_add_pkg::AddOwn)
  ) u_mul_add (
      .clk_i    (clk_fast_i),
      .a_i      (a_q),
      .b_i      (b_q),
      .first_i  (first_i),
      .cascade_i(cascade_i),
      .p_o      (p),
      .cascade_o(cascade_o)
  );
  logic [16:0] p_low_q;
  logic [33:0] product_q;
  logic unused_carry;
  assign unused_carry = ^p[47:17];
  always_ff @(posedge clk_fast_i) p_low_q <= p[16:0];
  always_ff @(posedge clk_i) if (tick_i) product_q <= {p[16:0], p_low_q};

  // S: low and high words of each pair apart, since the product with A moves them by one word.
  logic [16:0] s_low, s_high, add_low, add_high, sum_low, sum_high, first_low_q;
  logic carry_q, carry_in, carry_out;

  // Small memories of S: distributed RAM on an FPGA, flip-flops elsewhere.
  localparam bit LutRam = Tech >= montcore_pkg::TechFpga;
  if (LutRam && Pairs > 1) begin : g_lut_ram
    montcore_ram_macro #(
        .Rows (Pairs),
        .Width(17)
    ) u_low (
        .clk_i  (clk_i),
        .we_i   (add_i && tick_i),
        .waddr_i(add_slot_i),
        .wdata_i(sum_low),
        .raddr_i(low_slot_i),
        .rdata_o(s_low)
    );
    montcore_ram_macro #(
        .Rows (Pairs),
        .Width(17)
    ) u_high (
        .clk_i  (clk_i),
        .we_i   (add_i && tick_i),
        .waddr_i(add_slot_i),
        .wdata_i(sum_high),
        .raddr_i(add_slot_i),
        .rdata_o(s_high)
    );
  end else begin : g_ram
    montcore_ram #(
        .Rows (Pairs),
        .Width(17)
    ) u_low (
        .clk_i  (clk_i),
        .we_i   (add_i && tick_i),
        .wzero_i(1'b0),
        .waddr_i(add_slot_i),
        .wdata_i(sum_low),
        .raddr_i(low_slot_i),
        .rdata_o(s_low)
    );
    montcore_ram #(
        .Rows (Pairs),
        .Width(17)
    ) u_high (
        .clk_i  (clk_i),
        .we_i   (add_i && tick_i),
        .wzero_i(1'b0),
        .waddr_i(add_slot_i),
        .wdata_i(sum_high),
        .raddr_i(add_slot_i),
        .rdata_o(s_high)
    );
  end

  // Of the words of S one at most is let through: AND and OR take fewer tables than a choice. What
  // the block to the right is just making comes last, and so has the shortest way.
  logic stay, move, enter;
  logic [16:0] kept;
  assign stay = !fresh_i && multiply_m_i;
  assign move = !fresh_i && !multiply_m_i;
  assign enter = move && add_last_i;
  assign add_low = (s_low & {17{stay}}) | (s_high & {17{move}});
  assign kept = (s_high & {17{stay}}) | (s_low & {17{move && !add_last_i}}) |
                (next_held_i & {17{enter && !single_i}});
  assign add_high = kept | (next_new_i & {17{enter && single_i}});
  assign carry_in = add_first_i ? carry_i : carry_q;
  if (Tech >= montcore_pkg::TechFpga) begin : g_chains
    // One chain for both words: between two of them the carry would leave the chain and enter it
    // again. A bit more at its lower end is the carry in.
    logic unused_low;
    assign {carry_out, sum_high, sum_low, unused_low} = {1'b0, product_q, 1'b1} +
                                                        {1'b0, add_high, add_low, carry_in};
  end else begin : g_adders
    logic carry_mid;
    assign {carry_mid, sum_low}  = {1'b0, product_q[16:0]} + {1'b0, add_low} + 18'(carry_in);
    assign {carry_out, sum_high} = {1'b0, product_q[33:17]} + {1'b0, add_high} + 18'(carry_mid);
  end

  always_ff @(posedge clk_i) begin
    if (tick_i && add_i) begin
      carry_q <= carry_out;
      if (add_first_i && multiply_m_i) first_low_q <= sum_low;
    end
  end
  assign carry_o = carry_q;
  assign new_o   = sum_low;
  assign held_o  = first_low_q;
  assign sum_o   = {sum_high, sum_low};
endmodule
