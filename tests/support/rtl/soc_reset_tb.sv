// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps

// Resets a multiplier behind APB at any moment, and looks whether it is as new after it.
//
// soc_reset_dut, which the test writes, has it, with a reset that is active high, and the numbers Modulus,
// X, Y and their product Z. With ASYNC defined a reset begins and ends at any moment, else just after an edge.
// A round: a modulus and a product begin, after some time, which may be none, a reset comes, also in the
// middle of an access; then status and memory have to be empty and a product right. The last line is
// "N rounds, M errors".
module soc_reset_tb;
  localparam int Rounds = 100;
  logic clk = 1'b0;
  logic active = 1'b1;
  logic psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
  logic [15:0] paddr = '0;
  logic [31:0] pwdata = '0;
  logic pready, pslverr, irq, ready, error;
  logic [31:0] prdata, word, random = 32'h12345679;
  integer errors = 0;
  integer round, polls, waits, wait_ps, length_ps;
  time edge_at = 0;

  always begin
    #5 clk = 1'b1;
    edge_at = $time;
    #5 clk = 1'b0;
  end

  soc_reset_dut u_dut (
      .pclk(clk),
      .active(active),
      .s_apb_psel(psel),
      .s_apb_penable(penable),
      .s_apb_pwrite(pwrite),
      .s_apb_pprot(3'd0),
      .s_apb_paddr(paddr),
      .s_apb_pwdata(pwdata),
      .s_apb_pstrb(4'hf),
      .s_apb_pready(pready),
      .s_apb_prdata(prdata),
      .s_apb_pslverr(pslverr),
      .irq(irq)
  );

  // Inside, a reset begins and ends with an edge of the clock.
`ifdef ASYNC
  always @(u_dut.u_top.inner_rst_n)
    if ($time != edge_at) begin
      errors = errors + 1;
      $display("the inner reset changes at %0t, the edge was at %0t", $time, edge_at);
    end
`endif

  task automatic step;  // to just after the next edge
    @(posedge clk);
    #1;
  endtask

  task automatic draw;  // the next random number
    repeat (17) random = {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
  endtask

  task automatic access (input logic writes, input logic [15:0] address, input logic [31:0] data);
    psel   = 1'b1;
    pwrite = writes;
    paddr  = address;
    pwdata = data;
    step;
    penable = 1'b1;
    polls   = 0;
    ready   = 1'b0;
    while (ready !== 1'b1 && polls < 100) begin
      @(negedge clk);
      ready = pready;
      error = pslverr;
      word  = prdata;
      polls = polls + 1;
      step;
    end
    if (ready !== 1'b1 || error !== 1'b0) begin
      errors = errors + 1;
      $display("round %0d: access to 0x%0h: ready 0b%0b, error 0b%0b", round, address, ready,
               error);
    end
    psel = 1'b0;
    penable = 1'b0;
  endtask

  task automatic number(input logic [15:0] address, input logic [63:0] value);
    access (1'b1, address, value[31:0]);
    access (1'b1, address + 16'd4, value[63:32]);
  endtask

  task automatic expect_word(input logic [15:0] address, input logic [31:0] value);
    access (1'b0, address, '0);
    if (word !== value) begin
      errors = errors + 1;
      $display("round %0d: 0x%0h is 0x%0h, not 0x%0h", round, address, word, value);
    end
  endtask

  task automatic idle;
    waits = 0;
    word  = 32'd1;
    while (word[0] !== 1'b0 && waits < 2000) begin
      waits = waits + 1;
      access (1'b0, 16'h14, '0);
    end
    if (word[0] !== 1'b0) errors = errors + 1;
  endtask

  task automatic load;
    access (1'b1, 16'h24, 32'd44);
    number(16'h4000, u_dut.Modulus);
    access (1'b1, 16'h2c, 32'd1);
  endtask

  task automatic product;
    number(16'h4400, u_dut.X);
    number(16'h4800, u_dut.Y);
    access (1'b1, 16'h2c, 32'h3210e);
  endtask

  initial begin
    #42 active = 1'b0;
    for (round = 0; round < Rounds; round = round + 1) begin
      repeat (10) step;
      idle;
      draw;
      if (random[2:0] != 3'd0) begin
        load;
        if (random[4:3] != 2'd0) begin
          idle;
          product;
        end
      end
      // A reset at any moment, in the middle of an access or not.
      draw;
      wait_ps = random[6:0] == 7'd0 ? 0 : random % 1500000;
      if (random[31]) wait_ps = wait_ps % 40000;
      draw;
      length_ps = 60 + random % (random[30] ? 40000 : 3000);
      repeat (wait_ps / 1000) #1;
      #((wait_ps % 1000) * 0.001);
      if (random[29]) begin
        psel = 1'b1;
        penable = random[28];
        pwrite = random[27];
        paddr = 16'h4404;
        pwdata = 32'd5;
      end
`ifdef ASYNC
      active = 1'b1;
      repeat (length_ps / 1000) #1;
      #((length_ps % 1000) * 0.001);
      active = 1'b0;
`else
      step;
      active = 1'b1;
      repeat (1 + length_ps / 10000) step;
      active = 1'b0;
`endif
      psel = 1'b0;
      penable = 1'b0;
      repeat (10) step;
      idle;
      expect_word(16'h0000, 32'h4d504b41);
      expect_word(16'h0014, 32'd0);
      expect_word(16'h0018, 32'd0);
      expect_word(16'h001c, 32'd0);
      expect_word(16'h0024, 32'd0);
      expect_word(16'h4000, 32'd0);
      expect_word(16'h4404, 32'd0);
      expect_word(16'h4c00, 32'd0);
      access (1'b1, 16'h2c, 32'h3210e);
      idle;
      expect_word(16'h0018, 32'd6);
      load;
      idle;
      expect_word(16'h0018, 32'd0);
      product;
      idle;
      expect_word(16'h4c00, u_dut.Z & 64'hffffffff);
      expect_word(16'h4c04, u_dut.Z >> 32);
    end
    $display("%0d rounds, %0d errors", round, errors);
    $finish;
  end
endmodule
