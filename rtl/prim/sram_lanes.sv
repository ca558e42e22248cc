`default_nettype none
// Memories side by side: LANES of WIDTH bits and DEPTH words, written together at one address, each read at an address of its own.
//
// Latency: a read accepted in one cycle (rreq_i) has its words on rdata_o in the next, where they stay until the next read. A
// write takes effect at the end of its cycle; a read of the same address in that cycle is not allowed.
// Handshake: none, each port takes one access per cycle. An address of DEPTH or more is not allowed.
//
// Under SYNTHESIS this is a black box, to be replaced by memory macros of the technology.
`ifdef SYNTHESIS
(* blackbox *)
`endif
module sram_lanes #(
  parameter int unsigned LANES = 64,
  parameter int unsigned WIDTH = 16,
  parameter int unsigned DEPTH = 128,
  parameter int unsigned AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rreq_i,
  input  wire logic [LANES*AW-1:0]    raddr_i,
  output logic      [LANES*WIDTH-1:0] rdata_o,
  input  wire logic                   wreq_i,
  input  wire logic [AW-1:0]          waddr_i,
  input  wire logic [LANES*WIDTH-1:0] wdata_i
);

`ifndef SYNTHESIS
  logic [LANES*WIDTH-1:0] mem [DEPTH];
  logic [LANES*WIDTH-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (rreq_i) for (int l = 0; l < LANES; l++) rdata_q[WIDTH*l+:WIDTH] <= mem[raddr_i[AW*l+:AW]][WIDTH*l+:WIDTH];
    if (wreq_i) mem[waddr_i] <= wdata_i;
  end

  assign rdata_o = rdata_q;
`endif

endmodule
`default_nettype wire
