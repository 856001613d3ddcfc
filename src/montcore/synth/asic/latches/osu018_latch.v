// SPDX-License-Identifier: Apache-2.0
// Latches of the library: transparent while CLK is high.
module \$_DLATCH_P_ (E, D, Q);
  input E, D;
  output Q;
  LATCH latch (.CLK(E), .D(D), .Q(Q));
endmodule

module \$_DLATCH_N_ (E, D, Q);
  input E, D;
  output Q;
  wire turned;
  \$_NOT_ inverter (.A(E), .Y(turned));
  LATCH latch (.CLK(turned), .D(D), .Q(Q));
endmodule
