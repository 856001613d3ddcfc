// SPDX-License-Identifier: Apache-2.0

/// Unconstrained values, new in each cycle: a map of cells turns the black box into free inputs.
///
/// Precondition: none. Latency: none.
/// Example: y_o = 0, then 1, then 1.
(* blackbox *)
module ecc_any #(
    parameter int unsigned Width = 1  // Width of the value in bits.
) (
    output logic [Width-1:0] y_o  // Unconstrained value, may change in each cycle.
);
endmodule
