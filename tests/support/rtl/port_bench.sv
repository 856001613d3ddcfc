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
  logic clk = 0, rst_n = 0, zeroize = 0, start_late = 0;
  logic busy, cfg_valid = 0, cfg_ready, cfg_last = 0, cfg_done, x_valid = 0, x_ready, x_last = 0;
  logic y_valid = 0, y_ready, y_last = 0, z_valid, z_ready = 0, z_last, z_error, start, done;
  logic [Width-1:0] cfg_data = 0, x_data = 0, y_data = 0, z_data;
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
      .cfg_valid_i(cfg_valid),
      .cfg_ready_o(cfg_ready),
      .cfg_data_i(cfg_data),
      .cfg_last_i(cfg_last),
      .cfg_done_o(cfg_done),
      .cfg_error_o(cfg_error),
      .x_valid_i(x_valid),
      .x_ready_o(x_ready),
      .x_data_i(x_data),
      .x_last_i(x_last),
      .y_valid_i(y_valid),
      .y_ready_o(y_ready),
      .y_data_i(y_data),
      .y_last_i(y_last),
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
      .cfg_valid_i(cfg_valid),
      .cfg_ready_i(cfg_ready),
      .cfg_data_i(cfg_data),
      .cfg_last_i(cfg_last),
      .cfg_done_i(cfg_done),
      .cfg_error_i(cfg_error),
      .x_valid_i(x_valid),
      .x_ready_i(x_ready),
      .x_data_i(x_data),
      .x_last_i(x_last),
      .y_valid_i(y_valid),
      .y_ready_i(y_ready),
      .y_data_i(y_data),
      .y_last_i(y_last),
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

  task automatic load(input logic [15:0] m);
    integer k;
    begin
      cfg_valid = 1;
      for (k = 0; k < 2; k = k + 1) begin
        cfg_data = m[8*k+:8];
        cfg_last = k == 1;
        @(posedge clk);
        while (!cfg_ready) begin
          if (HostBug == 1) #1 cfg_data = ~cfg_data;
          @(posedge clk);
        end
        #1;
      end
      cfg_valid = 0;
    end
  endtask

  task automatic send_x(input logic [15:0] x);
    integer k;
    begin
      x_valid = 1;
      for (k = 0; k < 2; k = k + 1) begin
        x_data = x[8*k+:8];
        x_last = k == 1;
        @(posedge clk);
        while (!x_ready) begin
          if (HostBug == 2) #1 x_data = ~x_data;
          @(posedge clk);
        end
        #1;
      end
      x_valid = 0;
    end
  endtask

  task automatic send_y(input logic [15:0] y);
    integer k;
    begin
      y_valid = 1;
      for (k = 0; k < 2; k = k + 1) begin
        y_data = y[8*k+:8];
        y_last = k == 1;
        @(posedge clk);
        while (!y_ready) begin
          if (HostBug == 3) #1 y_data = ~y_data;
          @(posedge clk);
        end
        #1;
      end
      y_valid = 0;
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
    load(16'hfffd);
    rest;
    if (HostBug == 4) select = 6'b011_100;
    for (n = 0; n < Products; n = n + 1) begin
      fork
        send_x(16'h1234 + n);
        send_y(16'h0ff1);
      join
    end
    rest;
    // An operand that is not below the modulus.
    fork
      send_x(16'hfffe);
      send_y(16'h0ff1);
    join
    rest;
    // A modulus that is offered when a product has begun.
    fork
      send_x(16'h0003);
      begin
        @(posedge clk);
        #1 load(16'hfffb);
      end
      begin
        repeat (4) @(posedge clk);
        #1 send_y(16'h0005);
      end
    join
    rest;
    fork
      send_x(16'h0003);
      send_y(16'h0005);
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
