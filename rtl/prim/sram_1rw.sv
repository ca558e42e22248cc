`default_nettype none
// Memory with one read-write port.
//
// Latency: a read accepted in one cycle (req_i, not we_i) has its word on rdata_o in the next, where it stays until the next
// read: a write leaves rdata_o alone. A write takes effect at the end of its cycle, in the bits that wmask_i sets.
// Handshake: none, the port takes one access per cycle. An address of DEPTH or more is not allowed.
//
// Under SYNTHESIS this is a black box, to be replaced by the memory macro of the technology.
`ifdef SYNTHESIS
(* blackbox *)
`endif
module sram_1rw #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 1024,
  parameter int unsigned AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             req_i,
  input  wire logic             we_i,
  input  wire logic [AW-1:0]    addr_i,
  input  wire logic [WIDTH-1:0] wmask_i,
  input  wire logic [WIDTH-1:0] wdata_i,
  output logic      [WIDTH-1:0] rdata_o
);

`ifndef SYNTHESIS
  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      if (we_i) mem[addr_i] <= (mem[addr_i] & ~wmask_i) | (wdata_i & wmask_i);
      else rdata_q <= mem[addr_i];
    end
  end

  assign rdata_o = rdata_q;
`endif

endmodule
`default_nettype wire
