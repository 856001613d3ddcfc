// SPDX-License-Identifier: Apache-2.0

/// Adapter of ModmulCS, which computes X Y mod M with six constants of M at its ports.
module montcore_peer #(
    parameter int Bits = 256
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic [Bits-1:0] x_i,
    input logic [Bits-1:0] y_i,
    input logic [Bits-1:0] m_i,
    input logic [63:0] constant_i,
    output logic done_o,
    output logic [Bits+16:0] z_o
);
  typedef logic [Bits+3:0] wide_t;
  logic [$clog2(Bits):0] length;
  logic [Bits-1:0] modulus, z;
  logic done, busy_q;
  always_comb begin
    length = '0;
    for (int at = 0; at < Bits; at++) if (m_i[at]) length = ($clog2(Bits) + 1)'(at + 1);
  end
  // The highest bit of the modulus must be set.
  assign modulus = m_i << (Bits - int'(length));

  function automatic logic [Bits-1:0] rest(int times, int power);
    return Bits'((wide_t'(times) << power) % wide_t'(modulus));
  endfunction

  // It begins as soon as it is not in reset.
  Multiplier #(
      .N(Bits)
  ) u_peer (
      .clock(clk_i),
      .reset(!(start_i || busy_q)),
      .in_a(x_i),
      .in_b(y_i),
      .r(modulus),
      .rn(rest(1, Bits)),
      .rm(rest(3, Bits - 2)),
      .rx1(rest(1, Bits + 1)),
      .rx2(rest(2, Bits + 1)),
      .rx3(rest(3, Bits + 1)),
      .k(length),
      .result(z),
      .done(done)
  );
  always_ff @(posedge clk_i) busy_q <= rst_ni && (start_i || (busy_q && !done_o));
  assign done_o = busy_q && done;
  assign z_o = (Bits + 17)'(z);
  logic unused;
  assign unused = ^constant_i;
endmodule
