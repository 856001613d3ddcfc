// SPDX-License-Identifier: Apache-2.0
// The test piece with montcore_port_checker beside it, for any simulator; prints PASS at the end if no
// rule was broken. Every rule of the port meets its case: back-pressure, a refused operand, a modulus
// offered with a product under way, zeroize at rest and when a product ends.
module port_bench #(
    parameter int Bug      = 0,
    // 1 to 3: the host changes a beat of the modulus, of X, of Y that was not taken. 4: two selections.
    parameter int HostBug  = 0,
    parameter int Products = 4
);
  localparam int Width = 8;
  logic clk = 0, rst_n = 0, zeroize = 0;
  // Streams in: of the modulus, of X, of Y.
  localparam int Cfg = 0, X = 1, Y = 2;
  logic [2:0] valid = 0, ready, last = 0;
  logic [3*Width-1:0] data = 0;
  logic busy, cfg_done, z_valid, z_ready = 0, z_last, z_error, start, done;
  logic [Width-1:0] z_data;
  logic [2:0] cfg_error;
  logic [5:0] select = 6'b010_100;

  fixture_core #(
      .Length(16),
      .BusWidth(Width),
      .Bug(Bug)
  ) dut (
      .clk_i(clk),
      .rst_ni(rst_n),
      .zeroize_i(zeroize),
      .busy_o(busy),
      .cfg_valid_i(valid[Cfg]),
      .cfg_ready_o(ready[Cfg]),
      .cfg_data_i(data[Width*Cfg+:Width]),
      .cfg_last_i(last[Cfg]),
      .cfg_done_o(cfg_done),
      .cfg_error_o(cfg_error),
      .x_valid_i(valid[X]),
      .x_ready_o(ready[X]),
      .x_data_i(data[Width*X+:Width]),
      .x_last_i(last[X]),
      .y_valid_i(valid[Y]),
      .y_ready_o(ready[Y]),
      .y_data_i(data[Width*Y+:Width]),
      .y_last_i(last[Y]),
      .z_valid_o(z_valid),
      .z_ready_i(z_ready),
      .z_data_o(z_data),
      .z_last_o(z_last),
      .z_error_o(z_error),
      .core_start_o(start),
      .core_done_o(done)
  );
  montcore_port_checker #(
      .Width(Width),
      .Groups(2),
      .GroupBits(3)
  ) checker_of_port (
      .clk_i(clk),
      .rst_ni(rst_n),
      .zeroize_i(zeroize),
      .busy_i(busy),
      .cfg_valid_i(valid[Cfg]),
      .cfg_ready_i(ready[Cfg]),
      .cfg_data_i(data[Width*Cfg+:Width]),
      .cfg_last_i(last[Cfg]),
      .cfg_done_i(cfg_done),
      .cfg_error_i(cfg_error),
      .x_valid_i(valid[X]),
      .x_ready_i(ready[X]),
      .x_data_i(data[Width*X+:Width]),
      .x_last_i(last[X]),
      .y_valid_i(valid[Y]),
      .y_ready_i(ready[Y]),
      .y_data_i(data[Width*Y+:Width]),
      .y_last_i(last[Y]),
      .z_valid_i(z_valid),
      .z_ready_i(z_ready),
      .z_data_i(z_data),
      .z_last_i(z_last),
      .z_error_i(z_error),
      .core_start_i(start),
      .core_done_i(done),
      .select_i(select)
  );

  always #5 clk = ~clk;
  always @(negedge clk) z_ready <= $urandom;

  task automatic send(input integer stream, input logic [15:0] number);
    integer k;
    begin
      valid[stream] = 1;
      for (k = 0; k < 2; k = k + 1) begin
        data[Width*stream+:Width] = number[8*k+:8];
        last[stream] = k == 1;
        @(posedge clk);
        while (!ready[stream]) begin
          if (HostBug == stream + 1) #1 data[Width*stream+:Width] = ~data[Width*stream+:Width];
          @(posedge clk);
        end
        #1;
      end
      valid[stream] = 0;
    end
  endtask

  task automatic rest;
    begin
      @(posedge clk);
      while (busy && Bug != 25) @(posedge clk);
      repeat (3) @(posedge clk);
      #1;
    end
  endtask

  integer n;
  initial begin
    repeat (3) @(posedge clk);
    #1 rst_n = 1;
    rest;
    send(Cfg, 16'hfffd);
    rest;
    if (HostBug == 4) select = 6'b011_100;
    for (n = 0; n < Products; n = n + 1) begin
      fork
        send(X, 16'h1234 + n);
        send(Y, 16'h0ff1);
      join
    end
    rest;
    // An operand that is not below the modulus.
    fork
      send(X, 16'hfffe);
      send(Y, 16'h0ff1);
    join
    rest;
    // A modulus that is offered when a product has begun.
    fork
      send(X, 16'h0003);
      begin
        @(posedge clk);
        #1 send(Cfg, 16'hfffb);
      end
      begin
        repeat (4) @(posedge clk);
        #1 send(Y, 16'h0005);
      end
    join
    rest;
    fork
      send(X, 16'h0003);
      send(Y, 16'h0005);
    join
    while (!done) @(negedge clk);
    zeroize = 1;
    @(posedge clk);
    #1 zeroize = 0;
    repeat (20) @(posedge clk);
    #1 zeroize = 1;
    @(posedge clk);
    #1 zeroize = 0;
    repeat (20) @(posedge clk);
    $display("PASS");
    $finish;
  end
endmodule
