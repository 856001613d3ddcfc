// SPDX-License-Identifier: Apache-2.0

/// Any values, other ones in each cycle: the .sby file makes them of it.
///
/// Precondition: none. Latency: none.
/// Example: y_o = 0, then 1, then 1.
(* blackbox *)
module ecc_any #(
    /// Bits.
    parameter int unsigned Width = 1
) (
    /// The values.
    output logic [Width-1:0] y_o
);
endmodule
