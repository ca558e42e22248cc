`default_nettype none
// One operand of an SFU instruction as 64 lanes of 32 bits: a register or pair, a FIFO's stick, a splat, zero, or lane numbers. 16-bit
// elements go to the low halves of the lanes. Combinational; zero while not on_i.
module sfu_operand (
  input  wire logic          on_i,
  input  wire logic          iota_i,     // lane numbers
  input  wire logic [5:0]    operand_i,
  input  wire logic          half_i,
  input  wire logic [1023:0] lo_i,       // the register, or the even one of the pair
  input  wire logic [1023:0] hi_i,       // the odd one
  input  wire logic [1023:0] x_i,
  input  wire logic [1023:0] p_i,
  input  wire logic [31:0]   sa_i,
  input  wire logic [31:0]   sb_i,
  output logic [2047:0]      lanes_o
);
  logic [31:0] value;
  logic [1023:0] lo;
  always_comb begin
    lo = '0;
    value = '0;
    lanes_o = '0;
    if (on_i) begin
      lo = operand_i == stp_pkg::SFU_OPERAND_X ? x_i : operand_i == stp_pkg::SFU_OPERAND_P ? p_i : lo_i;
      if (operand_i == stp_pkg::SFU_OPERAND_SA) value = sa_i;
      if (operand_i == stp_pkg::SFU_OPERAND_SB) value = sb_i;
      if (half_i) value = {16'b0, value[15:0]};
      if (iota_i) for (int i = 0; i < 32; i++) lanes_o[32*i+:32] = i;
      else if (operand_i > stp_pkg::SFU_OPERAND_P) lanes_o = {64{value}};
      else if (half_i) for (int i = 0; i < 64; i++) lanes_o[32*i+:32] = {16'b0, lo[16*i+:16]};
      else lanes_o = {hi_i, lo};
    end
  end
endmodule
`default_nettype wire
