// SPDX-License-Identifier: Apache-2.0

/// AXI4-Stream in front of a bare multiplier: data in whole bytes, the modulus check as a stream.
///
/// Streams cfg, x, y and z are those of the common port. Their words are padded to whole bytes: bits
/// above Width are ignored on inputs and zero on outputs. tuser of z marks an error packet.
/// status: one word per modulus, 0 or the reason for refusal. The next modulus is accepted after
/// it.
/// Precondition: none.
/// Latency: none is added to x, y and z; 1 cycle from cfg_done_i to status.
/// Example: a modulus of 4 beats, the last with tlast -> status 0; x and y likewise -> 4 beats of z.
module montcore_soc_axi4_stream #(
    parameter int unsigned Width = 32,  // Beat width of the multiplier in bits.
    localparam int unsigned Bits = (Width + 7) / 8 * 8  // Width of tdata in bits, a multiple of 8.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic s_cfg_tvalid_i,  // Modulus stream: tvalid.
    output logic s_cfg_tready_o,  // Modulus stream: tready; low while a status is outstanding.
    input logic [Bits-1:0] s_cfg_tdata_i,  // Modulus stream: tdata, least significant beat first.
    input logic s_cfg_tlast_i,  // Modulus stream: tlast.
    input logic [Bits-1:0] s_x_tdata_i,  // X stream: tdata; its handshake bypasses this module.
    input logic [Bits-1:0] s_y_tdata_i,  // Y stream: tdata; its handshake bypasses this module.
    output logic [Bits-1:0] m_z_tdata_o,  // Z stream: tdata; its handshake bypasses this module.
    output logic m_status_tvalid_o,  // Status stream: tvalid, one word per modulus.
    input logic m_status_tready_i,  // Status stream: tready, the word is accepted.
    /// Status stream: tdata, 0 or the reason for refusal of the modulus.
    output logic [7:0] m_status_tdata_o,
    output logic cfg_valid_o,  // Multiplier, modulus stream: valid.
    input logic cfg_ready_i,  // Multiplier, modulus stream: ready.
    output logic [Width-1:0] cfg_data_o,  // Multiplier, modulus stream: data without padding.
    output logic cfg_last_o,  // Multiplier, modulus stream: last beat.
    input logic cfg_done_i,  // Multiplier, pulse: the modulus was accepted or refused.
    /// Multiplier: reason for the refusal, 0 if accepted; valid with cfg_done_i.
    input logic [2:0] cfg_error_i,
    output logic [Width-1:0] x_data_o,  // Multiplier, X stream: data without padding.
    output logic [Width-1:0] y_data_o,  // Multiplier, Y stream: data without padding.
    input logic [Width-1:0] z_data_i  // Multiplier, Z stream: data, padded with zeros here.
);
  logic open_q, valid_q, unused;
  logic [2:0] error_q;
  assign unused = ^{s_cfg_tdata_i, s_x_tdata_i, s_y_tdata_i};

  // Low from the last beat of a modulus until its status has been accepted.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b1;
      valid_q <= 1'b0;
      error_q <= '0;
    end else begin
      if (cfg_valid_o && cfg_ready_i && s_cfg_tlast_i) open_q <= 1'b0;
      else if (valid_q && m_status_tready_i) open_q <= 1'b1;
      if (cfg_done_i) begin
        valid_q <= 1'b1;
        error_q <= cfg_error_i;
      end else if (m_status_tready_i) begin
        valid_q <= 1'b0;
      end
    end
  end
  assign cfg_valid_o = s_cfg_tvalid_i && open_q;
  assign s_cfg_tready_o = cfg_ready_i && open_q;
  assign cfg_data_o = s_cfg_tdata_i[Width-1:0];
  assign cfg_last_o = s_cfg_tlast_i;
  assign x_data_o = s_x_tdata_i[Width-1:0];
  assign y_data_o = s_y_tdata_i[Width-1:0];
  assign m_z_tdata_o = Bits'(z_data_i);
  assign m_status_tvalid_o = valid_q;
  assign m_status_tdata_o = {5'd0, error_q};
endmodule
