// SPDX-License-Identifier: Apache-2.0

/// Adder for standard cells: a prefix network over groups of bits.
///
/// sum_o = a + b + carry_i mod 2^Width
/// Precondition: none.
/// Latency: 0.
/// The network has one carry for each group, and within a group both sums wait for it. With two
/// bits in a group half of the network is saved, as is half of the load of its longest wires, so
/// that the adder is faster and smaller than one with a carry for each bit; with three it is
/// smaller still and slower.
/// Example, Width = 4: a = 9, b = 6, carry 1 -> 0.
module montcore_karatsuba_adder #(
    parameter int unsigned Width = 258,  // Width of each number in bits.
    parameter int unsigned Group = 2  // Bits in a group.
) (
    input logic [Width-1:0] a_i,  // First addend, unsigned or in two's complement.
    input logic [Width-1:0] b_i,  // Second addend, likewise.
    input logic carry_i,  // Carry input, of weight 1.
    output logic [Width-1:0] sum_o  // Sum modulo 2^Width.
);
  localparam int unsigned Groups = (Width + Group - 1) / Group;
  localparam int unsigned Padded = Groups * Group;

  logic [Padded-1:0] one, both, either, sum;
  logic [Groups-1:0] makes, passes;
  logic [Groups:0] carry, unused_passes;
  logic unused_top;

  assign one = Padded'(a_i) ^ Padded'(b_i);
  assign both = Padded'(a_i) & Padded'(b_i);
  assign either = Padded'(a_i) | Padded'(b_i);

  for (genvar k = 0; k < Groups; k++) begin : g_group
    // Carries within the group, if none comes into it and if one does.
    logic [  Group:0] without  /* verilator split_var */;
    logic [Group-1:0] carried  /* verilator split_var */;
    assign without[0] = 1'b0;
    assign carried[0] = 1'b1;
    for (genvar i = 0; i < Group; i++) begin : g_bit
      assign without[i+1] = both[Group*k+i] | (either[Group*k+i] & without[i]);
    end
    for (genvar i = 1; i < Group; i++) begin : g_carried
      assign carried[i] = both[Group*k+i-1] | (either[Group*k+i-1] & carried[i-1]);
    end
    assign makes[k] = without[Group];
    assign passes[k] = &either[Group*k+:Group];
    assign sum[Group*k+:Group] = one[Group*k+:Group] ^ (carry[k] ? carried : without[Group-1:0]);
  end

  // The carry input is a group of its own, so that it may arrive as late as any other bit.
  montcore_karatsuba_prefix #(
      .Width(Groups + 1)
  ) u_prefix (
      .generate_i     ({makes, carry_i}),
      .propagate_i    ({passes, 1'b0}),
      .all_generate_o (carry),
      .all_propagate_o(unused_passes)
  );

  assign sum_o = sum[Width-1:0];
  assign unused_top = carry[Groups] ^ (^sum);
endmodule
