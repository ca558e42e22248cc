`default_nettype none
// Test bench top: the two AXI checkers, small.
module assert_tb (
  input wire logic        clk_i,
  input wire logic        rst_ni,
  input wire logic        arvalid_i,
  input wire logic        arready_i,
  input wire logic [3:0]  arid_i,
  input wire logic [15:0] araddr_i,
  input wire logic [7:0]  arlen_i,
  input wire logic [2:0]  arsize_i,
  input wire logic [1:0]  arburst_i,
  input wire logic        rvalid_i,
  input wire logic        rready_i,
  input wire logic [3:0]  rid_i,
  input wire logic [31:0] rdata_i,
  input wire logic [1:0]  rresp_i,
  input wire logic        rlast_i,
  input wire logic        awvalid_i,
  input wire logic        awready_i,
  input wire logic [3:0]  awid_i,
  input wire logic [15:0] awaddr_i,
  input wire logic [7:0]  awlen_i,
  input wire logic [2:0]  awsize_i,
  input wire logic [1:0]  awburst_i,
  input wire logic        wvalid_i,
  input wire logic        wready_i,
  input wire logic [31:0] wdata_i,
  input wire logic [3:0]  wstrb_i,
  input wire logic        wlast_i,
  input wire logic        bvalid_i,
  input wire logic        bready_i,
  input wire logic [3:0]  bid_i,
  input wire logic [1:0]  bresp_i,
  // AXI4-Lite
  input wire logic        l_arvalid_i,
  input wire logic        l_arready_i,
  input wire logic [15:0] l_araddr_i,
  input wire logic        l_rvalid_i,
  input wire logic        l_rready_i,
  input wire logic [31:0] l_rdata_i,
  input wire logic [1:0]  l_rresp_i,
  input wire logic        l_awvalid_i,
  input wire logic        l_awready_i,
  input wire logic [15:0] l_awaddr_i,
  input wire logic        l_wvalid_i,
  input wire logic        l_wready_i,
  input wire logic [31:0] l_wdata_i,
  input wire logic [3:0]  l_wstrb_i,
  input wire logic        l_bvalid_i,
  input wire logic        l_bready_i,
  input wire logic [1:0]  l_bresp_i
);

  axi_assert #(.ID_BITS(4), .ADDR_BITS(16), .DATA_BITS(32), .MAX_PER_ID(2)) full (
    .clk_i, .rst_ni, .arvalid_i, .arready_i, .arid_i, .araddr_i, .arlen_i, .arsize_i, .arburst_i, .rvalid_i, .rready_i,
    .rid_i, .rdata_i, .rresp_i, .rlast_i, .awvalid_i, .awready_i, .awid_i, .awaddr_i, .awlen_i, .awsize_i, .awburst_i,
    .wvalid_i, .wready_i, .wdata_i, .wstrb_i, .wlast_i, .bvalid_i, .bready_i, .bid_i, .bresp_i
  );

  axil_assert #(.ADDR_BITS(16), .DATA_BITS(32), .MAX_PENDING(2)) lite (
    .clk_i, .rst_ni, .arvalid_i(l_arvalid_i), .arready_i(l_arready_i), .araddr_i(l_araddr_i), .rvalid_i(l_rvalid_i),
    .rready_i(l_rready_i), .rdata_i(l_rdata_i), .rresp_i(l_rresp_i), .awvalid_i(l_awvalid_i), .awready_i(l_awready_i),
    .awaddr_i(l_awaddr_i), .wvalid_i(l_wvalid_i), .wready_i(l_wready_i), .wdata_i(l_wdata_i), .wstrb_i(l_wstrb_i),
    .bvalid_i(l_bvalid_i), .bready_i(l_bready_i), .bresp_i(l_bresp_i)
  );

endmodule
`default_nettype wire
