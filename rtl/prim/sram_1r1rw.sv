`default_nettype none
// Memory with one read port (r) and one read-write port (a), on one clock.
//
// Latency: a read accepted in one cycle has its word on that port's rdata in the next, where it stays until the next read on
// that port. A write takes effect at the end of its cycle, in the bits that a_wmask_i sets; a read of the same address on
// port r in that cycle gives the old word.
// Handshake: none, each port takes one access per cycle. An address of DEPTH or more is not allowed.
//
// Under SYNTHESIS this is a black box, to be replaced by the memory macro of the technology.
`ifdef SYNTHESIS
(* blackbox *)
`endif
module sram_1r1rw #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 1024,
  parameter int unsigned AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             r_req_i,
  input  wire logic [AW-1:0]    r_addr_i,
  output logic      [WIDTH-1:0] r_rdata_o,
  input  wire logic             a_req_i,
  input  wire logic             a_we_i,
  input  wire logic [AW-1:0]    a_addr_i,
  input  wire logic [WIDTH-1:0] a_wmask_i,
  input  wire logic [WIDTH-1:0] a_wdata_i,
  output logic      [WIDTH-1:0] a_rdata_o
);

`ifndef SYNTHESIS
  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] r_rdata_q, a_rdata_q;

  always_ff @(posedge clk_i) begin
    if (r_req_i) r_rdata_q <= mem[r_addr_i];
    if (a_req_i) begin
      if (a_we_i) mem[a_addr_i] <= (mem[a_addr_i] & ~a_wmask_i) | (a_wdata_i & a_wmask_i);
      else a_rdata_q <= mem[a_addr_i];
    end
  end

  assign r_rdata_o = r_rdata_q;
  assign a_rdata_o = a_rdata_q;
`endif

endmodule
`default_nettype wire
