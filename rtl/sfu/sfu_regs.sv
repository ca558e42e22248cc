`default_nettype none
// Registers of SFU: 32 sticks in an even and an odd bank, so that a pair is read or written at once.
//
// Three read ports: combinational; lo is register r, or r's even partner of a pair, and hi the odd one. A port that does not
// read gives zero. One write port: written at the end of the cycle; a read in that cycle gives the new stick.
module sfu_regs (
  input  wire logic          clk_i,

  input  wire logic [2:0]    rd_i,
  input  wire logic [14:0]   rd_reg_i,  // 5 bits per port
  output logic [3071:0]      rd_lo_o,
  output logic [3071:0]      rd_hi_o,

  input  wire logic          wr_i,
  input  wire logic          wr_pair_i,
  input  wire logic [4:0]    wr_reg_i,
  input  wire logic [1023:0] wr_lo_i,
  input  wire logic [1023:0] wr_hi_i
);
  logic [1023:0] even_q[0:15];
  logic [1023:0] odd_q[0:15];

  wire wr_even = wr_i & (wr_pair_i | ~wr_reg_i[0]);
  wire wr_odd = wr_i & (wr_pair_i | wr_reg_i[0]);
  wire [1023:0] wr_odd_data = wr_pair_i ? wr_hi_i : wr_lo_i;
  always_ff @(posedge clk_i) begin
    if (wr_even) even_q[wr_reg_i[4:1]] <= wr_lo_i;
    if (wr_odd) odd_q[wr_reg_i[4:1]] <= wr_odd_data;
  end

  for (genvar p = 0; p < 3; p++) begin : g_port
    wire [3:0] row = rd_reg_i[5*p+1+:4];
    logic [1023:0] lo, hi;
    always_comb begin
      lo = '0;
      hi = '0;
      if (rd_i[p]) begin
        hi = wr_odd & (wr_reg_i[4:1] == row) ? wr_odd_data : odd_q[row];
        lo = rd_reg_i[5*p] ? hi : wr_even & (wr_reg_i[4:1] == row) ? wr_lo_i : even_q[row];
      end
    end
    assign rd_lo_o[1024*p+:1024] = lo;
    assign rd_hi_o[1024*p+:1024] = hi;
  end
endmodule
`default_nettype wire
