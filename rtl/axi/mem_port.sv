`default_nettype none
// The memory port: the ring's memory side to an AXI4 master of 1,024 bits.
//
// Every access is one beat of one stick (length 0, size 7, INCR). The ID is {source, slot}, and a source reuses a slot only
// after its response, so no two accesses of a kind under way share an ID. The port limits nothing: all slots of all sources
// may be under way. Writes are sent in the order they came in, address and data each as soon as its channel is free. Reads
// and writes are not ordered with each other; those who care wait for the response.
//
// Latency: one cycle for requests; responses pass through combinationally to the ring's register. One request and one
// response per cycle; read data and write acknowledgements that arrive together take turns.
// Handshake: AXI4, and valid/ready towards the ring for requests; the ring always accepts responses.
module mem_port (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  // ring
  input  wire logic          mem_req_valid_i,
  output logic               mem_req_ready_o,
  input  wire logic          mem_req_we_i,
  input  wire logic [13:0]   mem_req_id_i,
  input  wire logic [39:7]   mem_req_addr_i,
  input  wire logic [1023:0] mem_req_data_i,
  input  wire logic [127:0]  mem_req_strb_i,
  output logic               mem_rsp_valid_o,
  output logic               mem_rsp_we_o,
  output logic      [13:0]   mem_rsp_id_o,
  output logic      [1023:0] mem_rsp_data_o,
  output logic               mem_rsp_err_o,
  // AXI4
  output logic               m_axi_arvalid_o,
  input  wire logic          m_axi_arready_i,
  output logic      [13:0]   m_axi_arid_o,
  output logic      [39:0]   m_axi_araddr_o,
  output logic      [7:0]    m_axi_arlen_o,
  output logic      [2:0]    m_axi_arsize_o,
  output logic      [1:0]    m_axi_arburst_o,
  input  wire logic          m_axi_rvalid_i,
  output logic               m_axi_rready_o,
  input  wire logic [13:0]   m_axi_rid_i,
  input  wire logic [1023:0] m_axi_rdata_i,
  input  wire logic [1:0]    m_axi_rresp_i,
  input  wire logic          m_axi_rlast_i,
  output logic               m_axi_awvalid_o,
  input  wire logic          m_axi_awready_i,
  output logic      [13:0]   m_axi_awid_o,
  output logic      [39:0]   m_axi_awaddr_o,
  output logic      [7:0]    m_axi_awlen_o,
  output logic      [2:0]    m_axi_awsize_o,
  output logic      [1:0]    m_axi_awburst_o,
  output logic               m_axi_wvalid_o,
  input  wire logic          m_axi_wready_i,
  output logic      [1023:0] m_axi_wdata_o,
  output logic      [127:0]  m_axi_wstrb_o,
  output logic               m_axi_wlast_o,
  input  wire logic          m_axi_bvalid_i,
  output logic               m_axi_bready_o,
  input  wire logic [13:0]   m_axi_bid_i,
  input  wire logic [1:0]    m_axi_bresp_i
);

  logic [39:7] ar_addr_q, aw_addr_q;
  logic        ar_free, w_free, take_rd, take_wr;

  assign ar_free = ~m_axi_arvalid_o | m_axi_arready_i;
  assign w_free = (~m_axi_awvalid_o | m_axi_awready_i) & (~m_axi_wvalid_o | m_axi_wready_i);
  assign mem_req_ready_o = mem_req_we_i ? w_free : ar_free;
  assign take_rd = mem_req_valid_i & ~mem_req_we_i & ar_free;
  assign take_wr = mem_req_valid_i & mem_req_we_i & w_free;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axi_arvalid_o <= 1'b0;
      m_axi_awvalid_o <= 1'b0;
      m_axi_wvalid_o <= 1'b0;
    end else begin
      if (take_rd) m_axi_arvalid_o <= 1'b1;
      else if (m_axi_arready_i) m_axi_arvalid_o <= 1'b0;
      if (take_wr) m_axi_awvalid_o <= 1'b1;
      else if (m_axi_awready_i) m_axi_awvalid_o <= 1'b0;
      if (take_wr) m_axi_wvalid_o <= 1'b1;
      else if (m_axi_wready_i) m_axi_wvalid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_rd) begin
      m_axi_arid_o <= mem_req_id_i;
      ar_addr_q <= mem_req_addr_i;
    end
    if (take_wr) begin
      m_axi_awid_o <= mem_req_id_i;
      aw_addr_q <= mem_req_addr_i;
      m_axi_wdata_o <= mem_req_data_i;
      m_axi_wstrb_o <= mem_req_strb_i;
    end
  end

  assign m_axi_araddr_o = {ar_addr_q, 7'b0};
  assign m_axi_awaddr_o = {aw_addr_q, 7'b0};
  assign m_axi_arlen_o = '0;
  assign m_axi_awlen_o = '0;
  assign m_axi_arsize_o = 3'd7;
  assign m_axi_awsize_o = 3'd7;
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_awburst_o = 2'b01;
  assign m_axi_wlast_o = 1'b1;

  // --- responses ---
  logic turn_q;  // an acknowledgement goes first
  logic pick_b, unused_last;

  assign pick_b = m_axi_bvalid_i & (turn_q | ~m_axi_rvalid_i);
  assign m_axi_bready_o = pick_b;
  assign m_axi_rready_o = ~pick_b;
  assign mem_rsp_valid_o = m_axi_rvalid_i | m_axi_bvalid_i;
  assign mem_rsp_we_o = pick_b;
  assign mem_rsp_id_o = pick_b ? m_axi_bid_i : m_axi_rid_i;
  assign mem_rsp_data_o = m_axi_rdata_i;
  assign mem_rsp_err_o = pick_b ? m_axi_bresp_i[1] : m_axi_rresp_i[1];
  assign unused_last = m_axi_rlast_i ^ m_axi_bresp_i[0] ^ m_axi_rresp_i[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (m_axi_rvalid_i || m_axi_bvalid_i) turn_q <= ~pick_b;
  end

endmodule
`default_nettype wire
