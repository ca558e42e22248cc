`default_nettype none
// Test bench top: the MNI engines of one core behind the ring and the memory port. Payloads and LX are the program's, and so
// is the DRAM. What leaves MNI-SU is visible.
module mni_tb (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,
  input  wire logic          halt_i,
  // MNI-LU
  input  wire logic          lu_pl_valid_i,
  output logic               lu_pl_ready_o,
  input  wire logic [63:0]   lu_pl_insn_i,
  input  wire logic [63:0]   lu_pl_a_i,
  input  wire logic [63:0]   lu_pl_b_i,
  input  wire logic [63:0]   lu_pl_c_i,
  input  wire logic [9:0]    lu_pl_pc_i,
  output logic               lu_post_valid_o,
  output logic      [5:0]    lu_post_id_o,
  input  wire logic          lu_post_ready_i,
  output logic               lu_trap_valid_o,
  output logic      [7:0]    lu_trap_cause_o,
  output logic      [39:0]   lu_trap_addr_o,
  output logic      [9:0]    lu_trap_pc_o,
  output logic               lu_idle_o,
  output logic               lu_blocked_o,
  output logic               lu_lx_req_valid_o,
  input  wire logic          lu_lx_req_ready_i,
  output logic               lu_lx_req_we_o,
  output logic      [13:0]   lu_lx_req_addr_o,
  output logic      [1023:0] lu_lx_req_wdata_o,
  output logic      [127:0]  lu_lx_req_wstrb_o,
  output logic      [5:0]    lu_ev_o,       // take, busy, stall_in, stall_out, stall_mem, item
  output logic      [7:0]    lu_ev_bytes_o,
  // MNI-SU
  input  wire logic          su_pl_valid_i,
  output logic               su_pl_ready_o,
  input  wire logic [63:0]   su_pl_insn_i,
  input  wire logic [63:0]   su_pl_a_i,
  input  wire logic [63:0]   su_pl_b_i,
  input  wire logic [63:0]   su_pl_c_i,
  input  wire logic [9:0]    su_pl_pc_i,
  output logic               su_post_valid_o,
  output logic      [5:0]    su_post_id_o,
  input  wire logic          su_post_ready_i,
  output logic               su_trap_valid_o,
  output logic      [7:0]    su_trap_cause_o,
  output logic      [39:0]   su_trap_addr_o,
  output logic      [9:0]    su_trap_pc_o,
  output logic               su_idle_o,
  output logic               su_blocked_o,
  output logic               su_lx_req_valid_o,
  input  wire logic          su_lx_req_ready_i,
  output logic               su_lx_req_we_o,
  output logic      [13:0]   su_lx_req_addr_o,
  input  wire logic          su_lx_rsp_valid_i,
  input  wire logic [1023:0] su_lx_rsp_data_i,
  output logic      [5:0]    su_ev_o,
  output logic      [7:0]    su_ev_bytes_o,
  output logic               su_wr_req_valid_o,
  output logic               su_wr_req_ready_o,
  output logic      [39:7]   su_wr_req_addr_o,
  output logic      [7:0]    su_wr_req_slot_o,
  output logic      [1023:0] su_wr_req_data_o,
  output logic      [127:0]  su_wr_req_strb_o,
  output logic               su_wr_rsp_valid_o,
  output logic      [7:0]    su_wr_rsp_slot_o,
  output logic               su_wr_rsp_err_o,
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

  logic          rd_req_valid, rd_req_ready, rd_rsp_valid, rd_rsp_err;
  logic [39:7]   rd_req_addr;
  logic [7:0]    rd_req_slot, rd_rsp_slot;
  logic [1023:0] rd_rsp_data;
  logic          mem_req_valid, mem_req_ready, mem_req_we, mem_rsp_valid, mem_rsp_we, mem_rsp_err;
  logic [13:0]   mem_req_id, mem_rsp_id;
  logic [39:7]   mem_req_addr;
  logic [1023:0] mem_req_data, mem_rsp_data;
  logic [127:0]  mem_req_strb;
  logic [1:0]    arburst, awburst;

  mni_lu lu (
    .clk_i, .rst_ni, .clear_i, .halt_i,
    .pl_valid_i(lu_pl_valid_i), .pl_ready_o(lu_pl_ready_o), .pl_insn_i(lu_pl_insn_i), .pl_a_i(lu_pl_a_i),
    .pl_b_i(lu_pl_b_i), .pl_c_i(lu_pl_c_i), .pl_pc_i(lu_pl_pc_i),
    .post_valid_o(lu_post_valid_o), .post_id_o(lu_post_id_o), .post_ready_i(lu_post_ready_i),
    .trap_valid_o(lu_trap_valid_o), .trap_cause_o(lu_trap_cause_o), .trap_addr_o(lu_trap_addr_o),
    .trap_pc_o(lu_trap_pc_o), .idle_o(lu_idle_o), .blocked_o(lu_blocked_o),
    .lx_req_valid_o(lu_lx_req_valid_o), .lx_req_ready_i(lu_lx_req_ready_i), .lx_req_we_o(lu_lx_req_we_o),
    .lx_req_addr_o(lu_lx_req_addr_o), .lx_req_wdata_o(lu_lx_req_wdata_o), .lx_req_wstrb_o(lu_lx_req_wstrb_o),
    .rd_req_valid_o(rd_req_valid), .rd_req_ready_i(rd_req_ready), .rd_req_addr_o(rd_req_addr),
    .rd_req_slot_o(rd_req_slot), .rd_rsp_valid_i(rd_rsp_valid), .rd_rsp_slot_i(rd_rsp_slot),
    .rd_rsp_data_i(rd_rsp_data), .rd_rsp_err_i(rd_rsp_err),
    .ev_take_o(lu_ev_o[5]), .ev_busy_o(lu_ev_o[4]), .ev_stall_in_o(lu_ev_o[3]), .ev_stall_out_o(lu_ev_o[2]),
    .ev_stall_mem_o(lu_ev_o[1]), .ev_item_o(lu_ev_o[0]), .ev_bytes_o(lu_ev_bytes_o)
  );

  mni_su su (
    .clk_i, .rst_ni, .clear_i, .halt_i,
    .pl_valid_i(su_pl_valid_i), .pl_ready_o(su_pl_ready_o), .pl_insn_i(su_pl_insn_i), .pl_a_i(su_pl_a_i),
    .pl_b_i(su_pl_b_i), .pl_c_i(su_pl_c_i), .pl_pc_i(su_pl_pc_i),
    .post_valid_o(su_post_valid_o), .post_id_o(su_post_id_o), .post_ready_i(su_post_ready_i),
    .trap_valid_o(su_trap_valid_o), .trap_cause_o(su_trap_cause_o), .trap_addr_o(su_trap_addr_o),
    .trap_pc_o(su_trap_pc_o), .idle_o(su_idle_o), .blocked_o(su_blocked_o),
    .lx_req_valid_o(su_lx_req_valid_o), .lx_req_ready_i(su_lx_req_ready_i), .lx_req_we_o(su_lx_req_we_o),
    .lx_req_addr_o(su_lx_req_addr_o), .lx_rsp_valid_i(su_lx_rsp_valid_i), .lx_rsp_data_i(su_lx_rsp_data_i),
    .wr_req_valid_o(su_wr_req_valid_o), .wr_req_ready_i(su_wr_req_ready_o), .wr_req_addr_o(su_wr_req_addr_o),
    .wr_req_slot_o(su_wr_req_slot_o), .wr_req_data_o(su_wr_req_data_o), .wr_req_strb_o(su_wr_req_strb_o),
    .wr_rsp_valid_i(su_wr_rsp_valid_o), .wr_rsp_slot_i(su_wr_rsp_slot_o), .wr_rsp_err_i(su_wr_rsp_err_o),
    .ev_take_o(su_ev_o[5]), .ev_busy_o(su_ev_o[4]), .ev_stall_in_o(su_ev_o[3]), .ev_stall_out_o(su_ev_o[2]),
    .ev_stall_mem_o(su_ev_o[1]), .ev_item_o(su_ev_o[0]), .ev_bytes_o(su_ev_bytes_o)
  );

  ring #(.CORES(1)) ring (
    .clk_i, .rst_ni,
    .core_rd_req_valid_i(rd_req_valid), .core_rd_req_ready_o(rd_req_ready), .core_rd_req_addr_i(rd_req_addr),
    .core_rd_req_slot_i(rd_req_slot), .core_rd_rsp_valid_o(rd_rsp_valid), .core_rd_rsp_slot_o(rd_rsp_slot),
    .core_rd_rsp_data_o(rd_rsp_data), .core_rd_rsp_err_o(rd_rsp_err),
    .core_wr_req_valid_i(su_wr_req_valid_o), .core_wr_req_ready_o(su_wr_req_ready_o),
    .core_wr_req_addr_i(su_wr_req_addr_o), .core_wr_req_slot_i(su_wr_req_slot_o),
    .core_wr_req_data_i(su_wr_req_data_o), .core_wr_req_strb_i(su_wr_req_strb_o),
    .core_wr_rsp_valid_o(su_wr_rsp_valid_o), .core_wr_rsp_slot_o(su_wr_rsp_slot_o),
    .core_wr_rsp_err_o(su_wr_rsp_err_o),
    .mgmt_rd_req_valid_i(1'b0), .mgmt_rd_req_ready_o(), .mgmt_rd_req_addr_i('0), .mgmt_rd_req_slot_i('0),
    .mgmt_rd_rsp_valid_o(), .mgmt_rd_rsp_slot_o(), .mgmt_rd_rsp_data_o(), .mgmt_rd_rsp_err_o(),
    .mgmt_wr_req_valid_i(1'b0), .mgmt_wr_req_ready_o(), .mgmt_wr_req_addr_i('0), .mgmt_wr_req_slot_i('0),
    .mgmt_wr_req_data_i('0), .mgmt_wr_req_strb_i('0), .mgmt_wr_rsp_valid_o(), .mgmt_wr_rsp_slot_o(),
    .mgmt_wr_rsp_err_o(),
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
