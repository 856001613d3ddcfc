// SPDX-License-Identifier: Apache-2.0

/// Sklansky's prefix network: what groups of bits do to a carry from below all of them.
///
/// all_generate_o[k] = generate_i[k] or (propagate_i[k] and all_generate_o[k-1]),
/// all_propagate_o[k] = propagate_i[k] and ... and propagate_i[0]
/// Precondition: none.
/// Latency: 0 (clog2(Width) and-or gates).
/// Source: J. Sklansky, "Conditional-Sum Addition Logic", 1960.
/// Example, Width = 3: generate 001, propagate 110 -> 111 and 000.
module montcore_karatsuba_prefix #(
    parameter int unsigned Width = 128  // Number of groups, 1 or more.
) (
    input logic [Width-1:0] generate_i,  // Group k makes a carry by itself.
    input logic [Width-1:0] propagate_i,  // Group k passes a carry on.
    output logic [Width-1:0] all_generate_o,  // Groups k to 0 make a carry.
    output logic [Width-1:0] all_propagate_o  // Groups k to 0 pass a carry on.
);
  if (Width == 1) begin : g_one
    assign all_generate_o  = generate_i;
    assign all_propagate_o = propagate_i;
  end else begin : g_halves
    // The lower half is a power of two, so that all networks have the fewest levels.
    localparam int unsigned Low = 1 << ($clog2(Width) - 1);
    localparam int unsigned High = Width - Low;
    logic [High-1:0] high_generate, high_propagate;
    logic [Low-1:0] low_generate, low_propagate;

    montcore_karatsuba_prefix #(
        .Width(Low)
    ) u_low (
        .generate_i     (generate_i[Low-1:0]),
        .propagate_i    (propagate_i[Low-1:0]),
        .all_generate_o (low_generate),
        .all_propagate_o(low_propagate)
    );
    montcore_karatsuba_prefix #(
        .Width(High)
    ) u_high (
        .generate_i     (generate_i[Width-1:Low]),
        .propagate_i    (propagate_i[Width-1:Low]),
        .all_generate_o (high_generate),
        .all_propagate_o(high_propagate)
    );
    assign all_generate_o = {
      high_generate | (high_propagate & {High{low_generate[Low-1]}}), low_generate
    };
    assign all_propagate_o = {high_propagate & {High{low_propagate[Low-1]}}, low_propagate};
  end
endmodule
