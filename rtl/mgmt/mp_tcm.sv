`default_nettype none
// Tightly coupled memory of the management processor, with ports for the host and for the stick DMA. Rows of 128 bits.
//
// Instruction port: a read per cycle, word on i_rdata_o in the next cycle and until the next read.
// Data port: an access per cycle, never refused; the word of a read is on d_rdata_o in the next cycle, and in that one only.
// Host port (words) and DMA port (rows): valid/ready; they share the memory port of the data port. The host is accepted in cycles
// without a data access, the DMA in cycles without either. Every accepted request, read or write, is answered by h_rvalid_o or
// w_rvalid_o in the next cycle, with the word or row of a read. rst_ni is that of the chip, not of the processor: the host loads
// the memory while the processor is in reset.
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
  output logic      [31:0]   h_rdata_o,
  // stick DMA
  input  wire logic          w_valid_i,
  output logic               w_ready_o,
  input  wire logic          w_we_i,
  input  wire logic [AW-3:0] w_addr_i,
  input  wire logic [127:0]  w_wdata_i,
  output logic               w_rvalid_o,
  output logic      [127:0]  w_rdata_o
);

  logic          a_req, a_we, row;
  logic [3:0]    a_be;
  logic [AW-1:0] a_addr;
  logic [31:0]   a_wdata, a_word, bits;
  logic [127:0]  a_wmask, a_rdata, i_rdata;
  logic [1:0]    i_sel_q, a_sel_q;
  logic          h_rvalid_q, w_rvalid_q;

  assign h_ready_o = ~d_req_i;
  assign w_ready_o = ~d_req_i & ~h_valid_i;
  assign row = w_valid_i & w_ready_o;

  assign a_req   = d_req_i | h_valid_i | w_valid_i;
  assign a_be    = d_req_i ? d_be_i : h_be_i;
  assign a_wdata = d_req_i ? d_wdata_i : h_wdata_i;
  assign bits    = {{8{a_be[3]}}, {8{a_be[2]}}, {8{a_be[1]}}, {8{a_be[0]}}};

  always_comb begin
    if (d_req_i) begin
      a_we = d_we_i;
      a_addr = d_addr_i;
    end else if (h_valid_i) begin
      a_we = h_we_i;
      a_addr = h_addr_i;
    end else begin
      a_we = w_we_i;
      a_addr = {w_addr_i, 2'b00};
    end
  end

  assign a_wmask = row ? '1 : {96'b0, bits} << {a_addr[1:0], 5'b0};

  sram_1r1rw #(.WIDTH(128), .DEPTH(BYTES / 16)) u_mem (
    .clk_i,
    .r_req_i  (i_req_i),
    .r_addr_i (i_addr_i[AW-1:2]),
    .r_rdata_o(i_rdata),
    .a_req_i  (a_req),
    .a_we_i   (a_we),
    .a_addr_i (a_addr[AW-1:2]),
    .a_wmask_i(a_wmask),
    .a_wdata_i(row ? w_wdata_i : {4{a_wdata}}),
    .a_rdata_o(a_rdata)
  );

  always_ff @(posedge clk_i) begin
    if (i_req_i) i_sel_q <= i_addr_i[1:0];
    if (a_req) a_sel_q <= a_addr[1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      h_rvalid_q <= 1'b0;
      w_rvalid_q <= 1'b0;
    end else begin
      h_rvalid_q <= h_valid_i & h_ready_o;
      w_rvalid_q <= row;
    end
  end

  assign i_rdata_o = i_rdata[{i_sel_q, 5'b0}+:32];
  assign a_word = a_rdata[{a_sel_q, 5'b0}+:32];
  assign d_rdata_o = a_word;
  assign h_rdata_o = a_word;
  assign h_rvalid_o = h_rvalid_q;
  assign w_rdata_o = a_rdata;
  assign w_rvalid_o = w_rvalid_q;

endmodule
`default_nettype wire
