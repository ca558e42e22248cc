`default_nettype none
// Test bench top: ring of CORES cores and the memory port. The ports have room for MAX cores whatever CORES is, so that one
// program serves all sizes; source MAX is the management stop.
module ring_tb #(
  parameter int unsigned CORES = 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  output logic      [5:0]    cores_o,
  input  wire logic [4:0]    rd_req_valid_i,
  output logic      [4:0]    rd_req_ready_o,
  input  wire logic [164:0]  rd_req_addr_i,
  input  wire logic [39:0]   rd_req_slot_i,
  output logic      [4:0]    rd_rsp_valid_o,
  output logic      [39:0]   rd_rsp_slot_o,
  output logic      [5119:0] rd_rsp_data_o,
  output logic      [4:0]    rd_rsp_err_o,
  input  wire logic [4:0]    wr_req_valid_i,
  output logic      [4:0]    wr_req_ready_o,
  input  wire logic [164:0]  wr_req_addr_i,
  input  wire logic [39:0]   wr_req_slot_i,
  input  wire logic [5119:0] wr_req_data_i,
  input  wire logic [639:0]  wr_req_strb_i,
  output logic      [4:0]    wr_rsp_valid_o,
  output logic      [39:0]   wr_rsp_slot_o,
  output logic      [4:0]    wr_rsp_err_o,
  // DRAM
  output logic               arvalid_o,
  input  wire logic          arready_i,
  output logic      [13:0]   arid_o,
  output logic      [39:0]   araddr_o,
  output logic      [7:0]    arlen_o,
  output logic      [2:0]    arsize_o,
  input  wire logic          rvalid_i,
  output logic               rready_o,
  input  wire logic [13:0]   rid_i,
  input  wire logic [1023:0] rdata_i,
  input  wire logic [1:0]    rresp_i,
  output logic               awvalid_o,
  input  wire logic          awready_i,
  output logic      [13:0]   awid_o,
  output logic      [39:0]   awaddr_o,
  output logic      [7:0]    awlen_o,
  output logic      [2:0]    awsize_o,
  output logic               wvalid_o,
  input  wire logic          wready_i,
  output logic      [1023:0] wdata_o,
  output logic      [127:0]  wstrb_o,
  output logic               wlast_o,
  input  wire logic          bvalid_i,
  output logic               bready_o,
  input  wire logic [13:0]   bid_i,
  input  wire logic [1:0]    bresp_i
);
  localparam int unsigned MAX = 4;

  logic          mem_req_valid, mem_req_ready, mem_req_we, mem_rsp_valid, mem_rsp_we, mem_rsp_err;
  logic [13:0]   mem_req_id, mem_rsp_id;
  logic [39:7]   mem_req_addr;
  logic [1023:0] mem_req_data, mem_rsp_data;
  logic [127:0]  mem_req_strb;
  logic [1:0]    arburst, awburst;

  assign cores_o = 6'(CORES);

  if (CORES < MAX) begin : g_absent
    assign rd_req_ready_o[MAX-1:CORES] = '0;
    assign rd_rsp_valid_o[MAX-1:CORES] = '0;
    assign rd_rsp_slot_o[MAX*8-1:CORES*8] = '0;
    assign rd_rsp_data_o[MAX*1024-1:CORES*1024] = '0;
    assign rd_rsp_err_o[MAX-1:CORES] = '0;
    assign wr_req_ready_o[MAX-1:CORES] = '0;
    assign wr_rsp_valid_o[MAX-1:CORES] = '0;
    assign wr_rsp_slot_o[MAX*8-1:CORES*8] = '0;
    assign wr_rsp_err_o[MAX-1:CORES] = '0;
  end

  ring #(.CORES(CORES)) ring (
    .clk_i, .rst_ni,
    .core_rd_req_valid_i(rd_req_valid_i[CORES-1:0]), .core_rd_req_ready_o(rd_req_ready_o[CORES-1:0]),
    .core_rd_req_addr_i(rd_req_addr_i[CORES*33-1:0]), .core_rd_req_slot_i(rd_req_slot_i[CORES*8-1:0]),
    .core_rd_rsp_valid_o(rd_rsp_valid_o[CORES-1:0]), .core_rd_rsp_slot_o(rd_rsp_slot_o[CORES*8-1:0]),
    .core_rd_rsp_data_o(rd_rsp_data_o[CORES*1024-1:0]), .core_rd_rsp_err_o(rd_rsp_err_o[CORES-1:0]),
    .core_wr_req_valid_i(wr_req_valid_i[CORES-1:0]), .core_wr_req_ready_o(wr_req_ready_o[CORES-1:0]),
    .core_wr_req_addr_i(wr_req_addr_i[CORES*33-1:0]), .core_wr_req_slot_i(wr_req_slot_i[CORES*8-1:0]),
    .core_wr_req_data_i(wr_req_data_i[CORES*1024-1:0]), .core_wr_req_strb_i(wr_req_strb_i[CORES*128-1:0]),
    .core_wr_rsp_valid_o(wr_rsp_valid_o[CORES-1:0]), .core_wr_rsp_slot_o(wr_rsp_slot_o[CORES*8-1:0]),
    .core_wr_rsp_err_o(wr_rsp_err_o[CORES-1:0]),
    .mgmt_rd_req_valid_i(rd_req_valid_i[MAX]), .mgmt_rd_req_ready_o(rd_req_ready_o[MAX]),
    .mgmt_rd_req_addr_i(rd_req_addr_i[MAX*33+:33]), .mgmt_rd_req_slot_i(rd_req_slot_i[MAX*8+:8]),
    .mgmt_rd_rsp_valid_o(rd_rsp_valid_o[MAX]), .mgmt_rd_rsp_slot_o(rd_rsp_slot_o[MAX*8+:8]),
    .mgmt_rd_rsp_data_o(rd_rsp_data_o[MAX*1024+:1024]), .mgmt_rd_rsp_err_o(rd_rsp_err_o[MAX]),
    .mgmt_wr_req_valid_i(wr_req_valid_i[MAX]), .mgmt_wr_req_ready_o(wr_req_ready_o[MAX]),
    .mgmt_wr_req_addr_i(wr_req_addr_i[MAX*33+:33]), .mgmt_wr_req_slot_i(wr_req_slot_i[MAX*8+:8]),
    .mgmt_wr_req_data_i(wr_req_data_i[MAX*1024+:1024]), .mgmt_wr_req_strb_i(wr_req_strb_i[MAX*128+:128]),
    .mgmt_wr_rsp_valid_o(wr_rsp_valid_o[MAX]), .mgmt_wr_rsp_slot_o(wr_rsp_slot_o[MAX*8+:8]),
    .mgmt_wr_rsp_err_o(wr_rsp_err_o[MAX]),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_we_o(mem_req_we),
    .mem_req_id_o(mem_req_id), .mem_req_addr_o(mem_req_addr), .mem_req_data_o(mem_req_data),
    .mem_req_strb_o(mem_req_strb), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_we_i(mem_rsp_we),
    .mem_rsp_id_i(mem_rsp_id), .mem_rsp_data_i(mem_rsp_data), .mem_rsp_err_i(mem_rsp_err)
  );

  mem_port port (
    .clk_i, .rst_ni,
    .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready), .mem_req_we_i(mem_req_we),
    .mem_req_id_i(mem_req_id), .mem_req_addr_i(mem_req_addr), .mem_req_data_i(mem_req_data),
    .mem_req_strb_i(mem_req_strb), .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_we_o(mem_rsp_we),
    .mem_rsp_id_o(mem_rsp_id), .mem_rsp_data_o(mem_rsp_data), .mem_rsp_err_o(mem_rsp_err),
    .m_axi_arvalid_o(arvalid_o), .m_axi_arready_i(arready_i), .m_axi_arid_o(arid_o), .m_axi_araddr_o(araddr_o),
    .m_axi_arlen_o(arlen_o), .m_axi_arsize_o(arsize_o), .m_axi_arburst_o(arburst),
    .m_axi_rvalid_i(rvalid_i), .m_axi_rready_o(rready_o), .m_axi_rid_i(rid_i), .m_axi_rdata_i(rdata_i),
    .m_axi_rresp_i(rresp_i), .m_axi_rlast_i(1'b1),
    .m_axi_awvalid_o(awvalid_o), .m_axi_awready_i(awready_i), .m_axi_awid_o(awid_o), .m_axi_awaddr_o(awaddr_o),
    .m_axi_awlen_o(awlen_o), .m_axi_awsize_o(awsize_o), .m_axi_awburst_o(awburst),
    .m_axi_wvalid_o(wvalid_o), .m_axi_wready_i(wready_i), .m_axi_wdata_o(wdata_o), .m_axi_wstrb_o(wstrb_o),
    .m_axi_wlast_o(wlast_o),
    .m_axi_bvalid_i(bvalid_i), .m_axi_bready_o(bready_o), .m_axi_bid_i(bid_i), .m_axi_bresp_i(bresp_i)
  );

  axi_assert check (
    .clk_i, .rst_ni,
    .arvalid_i(arvalid_o), .arready_i, .arid_i(arid_o), .araddr_i(araddr_o), .arlen_i(arlen_o), .arsize_i(arsize_o),
    .arburst_i(arburst), .rvalid_i, .rready_i(rready_o), .rid_i, .rdata_i, .rresp_i, .rlast_i(1'b1),
    .awvalid_i(awvalid_o), .awready_i, .awid_i(awid_o), .awaddr_i(awaddr_o), .awlen_i(awlen_o), .awsize_i(awsize_o),
    .awburst_i(awburst), .wvalid_i(wvalid_o), .wready_i, .wdata_i(wdata_o), .wstrb_i(wstrb_o), .wlast_i(wlast_o),
    .bvalid_i, .bready_i(bready_o), .bid_i, .bresp_i
  );

endmodule
`default_nettype wire
