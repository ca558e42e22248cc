`default_nettype none
// Tightly coupled memory of the management processor, with a port for the host.
//
// Instruction port: a read per cycle, word on i_rdata_o in the next cycle and until the next read.
// Data port: an access per cycle, never refused; the word of a read is on d_rdata_o in the next cycle, and in that one only.
// Host port: valid/ready; it shares the memory port of the data port and is accepted (h_ready_o) in cycles without a data
// access. Every accepted request, read or write, is answered by h_rvalid_o in the next cycle, with the word of a read on
// h_rdata_o. rst_ni is that of the chip, not of the processor: the host loads the memory while the processor is in reset.
// Addresses are of words.
module mp_tcm #(
  parameter int unsigned BYTES = 65536,
  parameter int unsigned AW = $clog2(BYTES / 4)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  // instructions
  input  wire logic          i_req_i,
  input  wire logic [AW-1:0] i_addr_i,
  output logic      [31:0]   i_rdata_o,
  // data
  input  wire logic          d_req_i,
  input  wire logic          d_we_i,
  input  wire logic [3:0]    d_be_i,
  input  wire logic [AW-1:0] d_addr_i,
  input  wire logic [31:0]   d_wdata_i,
  output logic      [31:0]   d_rdata_o,
  // host
  input  wire logic          h_valid_i,
  output logic               h_ready_o,
  input  wire logic          h_we_i,
  input  wire logic [3:0]    h_be_i,
  input  wire logic [AW-1:0] h_addr_i,
  input  wire logic [31:0]   h_wdata_i,
  output logic               h_rvalid_o,
  output logic      [31:0]   h_rdata_o
);

  logic          a_req, a_we;
  logic [3:0]    a_be;
  logic [AW-1:0] a_addr;
  logic [31:0]   a_wdata, a_rdata;
  logic          h_rvalid_q;

  assign h_ready_o = ~d_req_i;

  assign a_req   = d_req_i | h_valid_i;
  assign a_we    = d_req_i ? d_we_i : h_we_i;
  assign a_be    = d_req_i ? d_be_i : h_be_i;
  assign a_addr  = d_req_i ? d_addr_i : h_addr_i;
  assign a_wdata = d_req_i ? d_wdata_i : h_wdata_i;

  sram_1r1rw #(.WIDTH(32), .DEPTH(BYTES / 4)) u_mem (
    .clk_i,
    .r_req_i  (i_req_i),
    .r_addr_i (i_addr_i),
    .r_rdata_o(i_rdata_o),
    .a_req_i  (a_req),
    .a_we_i   (a_we),
    .a_addr_i (a_addr),
    .a_wmask_i({{8{a_be[3]}}, {8{a_be[2]}}, {8{a_be[1]}}, {8{a_be[0]}}}),
    .a_wdata_i(a_wdata),
    .a_rdata_o(a_rdata)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) h_rvalid_q <= 1'b0;
    else h_rvalid_q <= h_valid_i & h_ready_o;
  end

  assign d_rdata_o = a_rdata;
  assign h_rdata_o = a_rdata;
  assign h_rvalid_o = h_rvalid_q;

endmodule
`default_nettype wire
