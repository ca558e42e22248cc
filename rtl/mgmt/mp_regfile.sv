`default_nettype none
// Integer registers: two combinational read ports, one write port. x0 reads as zero; we_i with waddr_i zero is not allowed.
// The registers have no reset: software writes a register before it reads it.
module mp_regfile (
  input  wire logic        clk_i,
  input  wire logic [4:0]  raddr1_i,
  output logic      [31:0] rdata1_o,
  input  wire logic [4:0]  raddr2_i,
  output logic      [31:0] rdata2_o,
  input  wire logic        we_i,
  input  wire logic [4:0]  waddr_i,
  input  wire logic [31:0] wdata_i
);

  logic [31:0] regs_q [32];

  always_ff @(posedge clk_i) begin
    if (we_i) regs_q[waddr_i] <= wdata_i;
  end

  assign rdata1_o = (raddr1_i == 5'd0) ? '0 : regs_q[raddr1_i];
  assign rdata2_o = (raddr2_i == 5'd0) ? '0 : regs_q[raddr2_i];

endmodule
`default_nettype wire
