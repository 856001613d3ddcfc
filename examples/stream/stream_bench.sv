// SPDX-License-Identifier: Apache-2.0

/// Drives a multiplier on its streams and checks each product: Z 2^r = X Y mod M.
///
/// Worked example: M = 0xf1f1, X = 0x1234, Y = 0xbeef, R = 2^17.
module stream_bench;
  localparam int unsigned RBits = 17;

  logic clk = 0;
  logic rst_n = 0;
  logic cfg_valid = 0, cfg_ready, cfg_last = 0, cfg_done;
  logic x_valid = 0, x_ready, y_valid = 0, y_ready, operand_last = 0;
  logic z_valid, z_ready = 0, z_last, z_error;
  logic [7:0] cfg_data = 0, x_data = 0, y_data = 0, z_data;
  logic [2:0] cfg_error;
  int unsigned failed = 0;

  always #5 clk = !clk;

  rc_l16_w8 u_core (
      .clk_i(clk),
      .rst_ni(rst_n),
      .zeroize_i(1'b0),
      .busy_o(),
      .cfg_valid_i(cfg_valid),
      .cfg_ready_o(cfg_ready),
      .cfg_data_i(cfg_data),
      .cfg_last_i(cfg_last),
      .cfg_done_o(cfg_done),
      .cfg_error_o(cfg_error),
      .x_valid_i(x_valid),
      .x_ready_o(x_ready),
      .x_data_i(x_data),
      .x_last_i(operand_last),
      .y_valid_i(y_valid),
      .y_ready_o(y_ready),
      .y_data_i(y_data),
      .y_last_i(operand_last),
      .z_valid_o(z_valid),
      .z_ready_i(z_ready),
      .z_data_o(z_data),
      .z_last_o(z_last),
      .z_error_o(z_error),
      .core_start_o(),
      .core_done_o()
  );

  // Everything changes at the falling edge, and the core samples at the rising one.
  task automatic load(input logic [15:0] m, output logic [2:0] error);
    for (int unsigned beat = 0; beat < 2; beat++) begin
      cfg_valid = 1;
      cfg_data  = m[8*beat+:8];
      cfg_last  = beat == 1;
      do @(posedge clk); while (!cfg_ready);
      @(negedge clk);
    end
    cfg_valid = 0;
    while (!cfg_done) @(negedge clk);
    error = cfg_error;
    @(negedge clk);
  endtask

  task automatic multiply(input logic [15:0] x, input logic [15:0] y, output logic [15:0] z);
    for (int unsigned beat = 0; beat < 2; beat++) begin
      logic x_taken, y_taken;
      x_valid = 1;
      y_valid = 1;
      x_data = x[8*beat+:8];
      y_data = y[8*beat+:8];
      operand_last = beat == 1;
      // Both are on offer until both are taken: a core may wait for both.
      while (x_valid || y_valid) begin
        @(posedge clk);
        x_taken = x_valid && x_ready;
        y_taken = y_valid && y_ready;
        @(negedge clk);
        if (x_taken) x_valid = 0;
        if (y_taken) y_valid = 0;
      end
    end
    z_ready = 1;
    for (int unsigned beat = 0; beat < 2; beat++) begin
      do @(posedge clk); while (!z_valid);
      z[8*beat+:8] = z_data;
      if (z_error || z_last != (beat == 1)) failed++;
      @(negedge clk);
    end
    z_ready = 0;
  endtask

  task automatic check(input logic [15:0] m, input logic [15:0] x, input logic [15:0] y);
    logic [15:0] z;
    logic [63:0] shifted, product;
    multiply(x, y, z);
    shifted = (64'(z) << RBits) % 64'(m);
    product = (64'(x) * 64'(y)) % 64'(m);
    if (shifted != product || z >= m) failed++;
    $display("0x%h * 0x%h mod 0x%h: 0x%h %s", x, y, m, z, shifted == product ? "right" : "WRONG");
  endtask

  initial begin
    logic [ 2:0] error;
    logic [15:0] moduli[2];
    moduli = '{16'hf1f1, 16'h8003};
    repeat (4) @(negedge clk);
    rst_n = 1;
    foreach (moduli[k]) begin
      load(moduli[k], error);
      if (error != 0) failed++;
      check(moduli[k], 16'h1234, 16'h7eef);
      check(moduli[k], moduli[k] - 16'd1, moduli[k] - 16'd1);
      for (int unsigned n = 0; n < 20; n++) begin
        check(moduli[k], 16'($urandom % 32'(moduli[k])), 16'($urandom % 32'(moduli[k])));
      end
    end
    load(16'hf1f0, error);
    if (error == 0) failed++;
    $display("an even modulus is refused with error %0d", error);
    $display("%0d failed", failed);
    if (failed != 0) $fatal(1, "the multiplier is wrong");
    $finish;
  end
endmodule
