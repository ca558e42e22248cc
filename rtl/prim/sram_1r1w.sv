`default_nettype none
// Memory with one read port and one write port, on one clock.
//
// Latency: a read accepted in one cycle (rreq_i) has its word on rdata_o in the next, where it stays until the next read. A
// write takes effect at the end of its cycle, in the bits that wmask_i sets; a read of the same address in that cycle gives
// the old word.
// Handshake: none, each port takes one access per cycle. An address of DEPTH or more is not allowed.
//
// Under SYNTHESIS this is a black box, to be replaced by the memory macro of the technology.
`ifdef SYNTHESIS
(* blackbox *)
`endif
module sram_1r1w #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 1024,
  parameter int unsigned AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             rreq_i,
  input  wire logic [AW-1:0]    raddr_i,
  output logic      [WIDTH-1:0] rdata_o,
  input  wire logic             wreq_i,
  input  wire logic [AW-1:0]    waddr_i,
  input  wire logic [WIDTH-1:0] wmask_i,
  input  wire logic [WIDTH-1:0] wdata_i
);

`ifndef SYNTHESIS
  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (rreq_i) rdata_q <= mem[raddr_i];
    if (wreq_i) mem[waddr_i] <= (mem[waddr_i] & ~wmask_i) | (wdata_i & wmask_i);
  end

  assign rdata_o = rdata_q;
`endif

endmodule
`default_nettype wire
