// SPDX-License-Identifier: Apache-2.0

/// Karatsuba's product of whole numbers in 1 to 4 parts, as karatsuba-2018 compares them.
///
/// z_o = x_i * y_i. With parts of N = ceil(Bits / Parts) bits: Parts products x_k y_k, and one of
/// two differences, (x_k - x_j)(y_k - y_j), for each pair, signed, of N + 1 bits.
/// Latency: none, combinational.
/// Example, Bits = 4, Parts = 2: 7 * 9: parts 3, 1 and 1, 2; 3 + 2 * 16 + (3 + 2 + 2 * 1) * 4 = 63.
module montcore_splitting #(  // verilog_lint: waive module-filename (beside splitting.py)
    parameter int unsigned Bits = 192,  // Bits of a factor.
    parameter int unsigned Parts = 2  // Parts of a factor, 1 to 4.
) (
    input logic [Bits-1:0] x_i,  // First factor.
    input logic [Bits-1:0] y_i,  // Second factor.
    output logic [2*Bits-1:0] z_o  // Product.
);
  localparam int unsigned N = (Bits + Parts - 1) / Parts;
  localparam int unsigned Wide = 2 * N * Parts;

  logic [N*Parts-1:0] x, y;
  assign x = (N * Parts)'(x_i);
  assign y = (N * Parts)'(y_i);

  // Parts * Parts addends: in the place of (k, j) with k > j what the pair adds, on the diagonal
  // the product of two parts of the same place.
  logic [Wide-1:0] addend[Parts*Parts];
  for (genvar k = 0; k < Parts; k++) begin : g_part
    logic [2*N-1:0] own;
    assign own = x[k*N+:N] * y[k*N+:N];
    assign addend[k*Parts+k] = Wide'(own) << (2 * k * N);
    for (genvar j = 0; j < Parts; j++) begin : g_pair
      if (j < k) begin : g_product
        logic signed [N:0] dx, dy;
        logic signed [2*N+1:0] product;
        logic        [2*N+1:0] mixed;
        assign dx = signed'({1'b0, x[k*N+:N]}) - signed'({1'b0, x[j*N+:N]});
        assign dy = signed'({1'b0, y[k*N+:N]}) - signed'({1'b0, y[j*N+:N]});
        assign product = dx * dy;
        // x_k y_j + x_j y_k, which is no negative number.
        assign mixed = (2 * N + 2)'(g_part[k].own) + (2 * N + 2)'(g_part[j].own) -
            unsigned'(product);
        assign addend[k*Parts+j] = Wide'(mixed) << ((k + j) * N);
      end else if (j > k) begin : g_none
        assign addend[k*Parts+j] = '0;
      end
    end
  end

  logic [Wide-1:0] sum;
  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < Parts * Parts; i++) sum += addend[i];
  end
  assign z_o = sum[2*Bits-1:0];
endmodule
