`default_nettype none
// The chip: management subsystem, CORES cores, the data ring, and the memory port.
//
// Host: AXI4-Lite slave s_axil (docs/reference/registers.md) and the interrupt line irq_o, a level. Device memory: AXI4 master
// m_axi, single beats of 1,024 bits. console_valid_o marks a byte of the firmware's console. retire_*_o reports each retired
// instruction of the management processor (see mp_core); nothing outside needs it but checkers.
// Reset: rst_ni may fall at any time; inside, it rises two clock edges after rst_ni.
// Signals to and from core n are bit n, or slice n of wider ones.
module steeple_chip #(
  parameter int unsigned CORES = 1
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  // host
  input  wire logic          s_axil_awvalid_i,
  output logic               s_axil_awready_o,
  input  wire logic [17:0]   s_axil_awaddr_i,
  input  wire logic          s_axil_wvalid_i,
  output logic               s_axil_wready_o,
  input  wire logic [31:0]   s_axil_wdata_i,
  input  wire logic [3:0]    s_axil_wstrb_i,
  output logic               s_axil_bvalid_o,
  input  wire logic          s_axil_bready_i,
  output logic      [1:0]    s_axil_bresp_o,
  input  wire logic          s_axil_arvalid_i,
  output logic               s_axil_arready_o,
  input  wire logic [17:0]   s_axil_araddr_i,
  output logic               s_axil_rvalid_o,
  input  wire logic          s_axil_rready_i,
  output logic      [31:0]   s_axil_rdata_o,
  output logic      [1:0]    s_axil_rresp_o,
  output logic               irq_o,
  // device memory
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
  input  wire logic [1:0]    m_axi_bresp_i,
  // console
  output logic               console_valid_o,
  output logic      [7:0]    console_data_o,
  // retired instructions of the management processor
  output logic               retire_valid_o,
  output logic      [31:0]   retire_pc_o,
  output logic      [31:0]   retire_insn_o,
  output logic      [4:0]    retire_rd_o,
  output logic               retire_rd_we_o,
  output logic      [31:0]   retire_rd_data_o,
  output logic      [31:0]   retire_mem_addr_o,
  output logic               retire_mem_we_o,
  output logic               retire_mem_re_o,
  output logic      [31:0]   retire_mem_data_o,
  output logic               retire_trap_o,
  output logic      [4:0]    retire_cause_o,
  output logic               retire_irq_o
);
  // ---------------------------------------------------------------- reset
  logic rst_n;

  rst_sync u_rst (.clk_i, .rst_ni, .rst_no(rst_n));

  // ---------------------------------------------------------------- management
  logic [CORES-1:0]      ld_valid, clear, halt, stat_req, stopped, deadlock, leftover_fifo, leftover_token;
  logic                  ld_kind;
  logic [9:0]            ld_units;
  logic [7:0]            ld_row;
  logic [1023:0]         ld_data;
  logic [CORES*10-1:0]   start, running, trapped, blocked;
  logic [3:0]            stat_unit;
  logic [CORES*1024-1:0] stat_data;
  logic [CORES-1:0]      rd_req_valid, rd_req_ready, rd_rsp_valid, rd_rsp_err;
  logic [CORES*33-1:0]   rd_req_addr, wr_req_addr;
  logic [CORES*8-1:0]    rd_req_slot, rd_rsp_slot, wr_req_slot, wr_rsp_slot;
  logic [CORES*1024-1:0] rd_rsp_data, wr_req_data;
  logic [CORES-1:0]      wr_req_valid, wr_req_ready, wr_rsp_valid, wr_rsp_err;
  logic [CORES*128-1:0]  wr_req_strb;
  logic                  m_rd_req_valid, m_rd_req_ready, m_rd_rsp_valid, m_rd_rsp_err;
  logic                  m_wr_req_valid, m_wr_req_ready, m_wr_rsp_valid, m_wr_rsp_err;
  logic [39:7]           m_rd_req_addr, m_wr_req_addr;
  logic [7:0]            m_rd_req_slot, m_rd_rsp_slot, m_wr_req_slot, m_wr_rsp_slot;
  logic [1023:0]         m_rd_rsp_data, m_wr_req_data;
  logic [127:0]          m_wr_req_strb;

  mgmt_subsystem #(.CORES(CORES)) u_mgmt (
    .clk_i,
    .rst_ni (rst_n),
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_awaddr_i,
    .s_axil_wvalid_i,
    .s_axil_wready_o,
    .s_axil_wdata_i,
    .s_axil_wstrb_i,
    .s_axil_bvalid_o,
    .s_axil_bready_i,
    .s_axil_bresp_o,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_araddr_i,
    .s_axil_rvalid_o,
    .s_axil_rready_i,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .irq_o,
    .console_valid_o,
    .console_data_o,
    .core_ld_valid_o (ld_valid),
    .core_ld_kind_o (ld_kind),
    .core_ld_units_o (ld_units),
    .core_ld_row_o (ld_row),
    .core_ld_data_o (ld_data),
    .core_clear_o (clear),
    .core_halt_o (halt),
    .core_start_o (start),
    .core_stat_req_o (stat_req),
    .core_stat_unit_o (stat_unit),
    .core_stat_data_i (stat_data),
    .core_running_i (running),
    .core_trapped_i (trapped),
    .core_blocked_i (blocked),
    .core_stopped_i (stopped),
    .core_deadlock_i (deadlock),
    .core_leftover_fifo_i (leftover_fifo),
    .core_leftover_token_i (leftover_token),
    .rd_req_valid_o (m_rd_req_valid),
    .rd_req_ready_i (m_rd_req_ready),
    .rd_req_addr_o (m_rd_req_addr),
    .rd_req_slot_o (m_rd_req_slot),
    .rd_rsp_valid_i (m_rd_rsp_valid),
    .rd_rsp_slot_i (m_rd_rsp_slot),
    .rd_rsp_data_i (m_rd_rsp_data),
    .rd_rsp_err_i (m_rd_rsp_err),
    .wr_req_valid_o (m_wr_req_valid),
    .wr_req_ready_i (m_wr_req_ready),
    .wr_req_addr_o (m_wr_req_addr),
    .wr_req_slot_o (m_wr_req_slot),
    .wr_req_data_o (m_wr_req_data),
    .wr_req_strb_o (m_wr_req_strb),
    .wr_rsp_valid_i (m_wr_rsp_valid),
    .wr_rsp_slot_i (m_wr_rsp_slot),
    .wr_rsp_err_i (m_wr_rsp_err),
    .retire_valid_o,
    .retire_pc_o,
    .retire_insn_o,
    .retire_rd_o,
    .retire_rd_we_o,
    .retire_rd_data_o,
    .retire_mem_addr_o,
    .retire_mem_we_o,
    .retire_mem_re_o,
    .retire_mem_data_o,
    .retire_trap_o,
    .retire_cause_o,
    .retire_irq_o
  );

  // ---------------------------------------------------------------- cores
  for (genvar k = 0; k < CORES; k++) begin : g_core
    logic clk, busy;

    core_clock u_clock (
      .clk_i,
      .rst_ni (rst_n),
      .wake_i (ld_valid[k] | clear[k] | halt[k] | (|start[10*k+:10]) | stat_req[k] | rd_rsp_valid[k] | wr_rsp_valid[k]),
      .busy_i (busy),
      .clk_o  (clk)
    );

    core u_core (
      .clk_i (clk),
      .rst_ni (rst_n),
      .core_id_i (6'(k)),
      .cores_i (6'(CORES)),
      .ld_valid_i (ld_valid[k]),
      .ld_kind_i (ld_kind),
      .ld_units_i (ld_units),
      .ld_row_i (ld_row),
      .ld_data_i (ld_data),
      .clear_i (clear[k]),
      .halt_i (halt[k]),
      .start_mask_i (start[10*k+:10]),
      .stat_req_i (stat_req[k]),
      .stat_unit_i (stat_unit),
      .stat_data_o (stat_data[1024*k+:1024]),
      .running_o (running[10*k+:10]),
      .trapped_o (trapped[10*k+:10]),
      .blocked_o (blocked[10*k+:10]),
      .stopped_o (stopped[k]),
      .deadlock_o (deadlock[k]),
      .leftover_fifo_o (leftover_fifo[k]),
      .leftover_token_o (leftover_token[k]),
      .busy_o (busy),
      .rd_req_valid_o (rd_req_valid[k]),
      .rd_req_ready_i (rd_req_ready[k]),
      .rd_req_addr_o (rd_req_addr[33*k+:33]),
      .rd_req_slot_o (rd_req_slot[8*k+:8]),
      .rd_rsp_valid_i (rd_rsp_valid[k]),
      .rd_rsp_slot_i (rd_rsp_slot[8*k+:8]),
      .rd_rsp_data_i (rd_rsp_data[1024*k+:1024]),
      .rd_rsp_err_i (rd_rsp_err[k]),
      .wr_req_valid_o (wr_req_valid[k]),
      .wr_req_ready_i (wr_req_ready[k]),
      .wr_req_addr_o (wr_req_addr[33*k+:33]),
      .wr_req_slot_o (wr_req_slot[8*k+:8]),
      .wr_req_data_o (wr_req_data[1024*k+:1024]),
      .wr_req_strb_o (wr_req_strb[128*k+:128]),
      .wr_rsp_valid_i (wr_rsp_valid[k]),
      .wr_rsp_slot_i (wr_rsp_slot[8*k+:8]),
      .wr_rsp_err_i (wr_rsp_err[k])
    );
  end

  // ---------------------------------------------------------------- ring and memory port
  logic          mem_req_valid, mem_req_ready, mem_req_we, mem_rsp_valid, mem_rsp_we, mem_rsp_err;
  logic [13:0]   mem_req_id, mem_rsp_id;
  logic [39:7]   mem_req_addr;
  logic [1023:0] mem_req_data, mem_rsp_data;
  logic [127:0]  mem_req_strb;

  ring #(.CORES(CORES)) u_ring (
    .clk_i,
    .rst_ni (rst_n),
    .core_rd_req_valid_i (rd_req_valid),
    .core_rd_req_ready_o (rd_req_ready),
    .core_rd_req_addr_i (rd_req_addr),
    .core_rd_req_slot_i (rd_req_slot),
    .core_rd_rsp_valid_o (rd_rsp_valid),
    .core_rd_rsp_slot_o (rd_rsp_slot),
    .core_rd_rsp_data_o (rd_rsp_data),
    .core_rd_rsp_err_o (rd_rsp_err),
    .core_wr_req_valid_i (wr_req_valid),
    .core_wr_req_ready_o (wr_req_ready),
    .core_wr_req_addr_i (wr_req_addr),
    .core_wr_req_slot_i (wr_req_slot),
    .core_wr_req_data_i (wr_req_data),
    .core_wr_req_strb_i (wr_req_strb),
    .core_wr_rsp_valid_o (wr_rsp_valid),
    .core_wr_rsp_slot_o (wr_rsp_slot),
    .core_wr_rsp_err_o (wr_rsp_err),
    .mgmt_rd_req_valid_i (m_rd_req_valid),
    .mgmt_rd_req_ready_o (m_rd_req_ready),
    .mgmt_rd_req_addr_i (m_rd_req_addr),
    .mgmt_rd_req_slot_i (m_rd_req_slot),
    .mgmt_rd_rsp_valid_o (m_rd_rsp_valid),
    .mgmt_rd_rsp_slot_o (m_rd_rsp_slot),
    .mgmt_rd_rsp_data_o (m_rd_rsp_data),
    .mgmt_rd_rsp_err_o (m_rd_rsp_err),
    .mgmt_wr_req_valid_i (m_wr_req_valid),
    .mgmt_wr_req_ready_o (m_wr_req_ready),
    .mgmt_wr_req_addr_i (m_wr_req_addr),
    .mgmt_wr_req_slot_i (m_wr_req_slot),
    .mgmt_wr_req_data_i (m_wr_req_data),
    .mgmt_wr_req_strb_i (m_wr_req_strb),
    .mgmt_wr_rsp_valid_o (m_wr_rsp_valid),
    .mgmt_wr_rsp_slot_o (m_wr_rsp_slot),
    .mgmt_wr_rsp_err_o (m_wr_rsp_err),
    .mem_req_valid_o (mem_req_valid),
    .mem_req_ready_i (mem_req_ready),
    .mem_req_we_o (mem_req_we),
    .mem_req_id_o (mem_req_id),
    .mem_req_addr_o (mem_req_addr),
    .mem_req_data_o (mem_req_data),
    .mem_req_strb_o (mem_req_strb),
    .mem_rsp_valid_i (mem_rsp_valid),
    .mem_rsp_we_i (mem_rsp_we),
    .mem_rsp_id_i (mem_rsp_id),
    .mem_rsp_data_i (mem_rsp_data),
    .mem_rsp_err_i (mem_rsp_err)
  );

  mem_port u_mem_port (
    .clk_i,
    .rst_ni (rst_n),
    .mem_req_valid_i (mem_req_valid),
    .mem_req_ready_o (mem_req_ready),
    .mem_req_we_i (mem_req_we),
    .mem_req_id_i (mem_req_id),
    .mem_req_addr_i (mem_req_addr),
    .mem_req_data_i (mem_req_data),
    .mem_req_strb_i (mem_req_strb),
    .mem_rsp_valid_o (mem_rsp_valid),
    .mem_rsp_we_o (mem_rsp_we),
    .mem_rsp_id_o (mem_rsp_id),
    .mem_rsp_data_o (mem_rsp_data),
    .mem_rsp_err_o (mem_rsp_err),
    .m_axi_arvalid_o,
    .m_axi_arready_i,
    .m_axi_arid_o,
    .m_axi_araddr_o,
    .m_axi_arlen_o,
    .m_axi_arsize_o,
    .m_axi_arburst_o,
    .m_axi_rvalid_i,
    .m_axi_rready_o,
    .m_axi_rid_i,
    .m_axi_rdata_i,
    .m_axi_rresp_i,
    .m_axi_rlast_i,
    .m_axi_awvalid_o,
    .m_axi_awready_i,
    .m_axi_awid_o,
    .m_axi_awaddr_o,
    .m_axi_awlen_o,
    .m_axi_awsize_o,
    .m_axi_awburst_o,
    .m_axi_wvalid_o,
    .m_axi_wready_i,
    .m_axi_wdata_o,
    .m_axi_wstrb_o,
    .m_axi_wlast_o,
    .m_axi_bvalid_i,
    .m_axi_bready_o,
    .m_axi_bid_i,
    .m_axi_bresp_i
  );

`ifndef SYNTHESIS
  // ---------------------------------------------------------------- checks
  axi_assert #(.ID_BITS(stp_pkg::AXI_ID_BITS), .ADDR_BITS(stp_pkg::ADDR_BITS), .DATA_BITS(stp_pkg::AXI_DATA_BITS)) u_check_axi (
    .clk_i,
    .rst_ni (rst_n),
    .arvalid_i (m_axi_arvalid_o),
    .arready_i (m_axi_arready_i),
    .arid_i (m_axi_arid_o),
    .araddr_i (m_axi_araddr_o),
    .arlen_i (m_axi_arlen_o),
    .arsize_i (m_axi_arsize_o),
    .arburst_i (m_axi_arburst_o),
    .rvalid_i (m_axi_rvalid_i),
    .rready_i (m_axi_rready_o),
    .rid_i (m_axi_rid_i),
    .rdata_i (m_axi_rdata_i),
    .rresp_i (m_axi_rresp_i),
    .rlast_i (m_axi_rlast_i),
    .awvalid_i (m_axi_awvalid_o),
    .awready_i (m_axi_awready_i),
    .awid_i (m_axi_awid_o),
    .awaddr_i (m_axi_awaddr_o),
    .awlen_i (m_axi_awlen_o),
    .awsize_i (m_axi_awsize_o),
    .awburst_i (m_axi_awburst_o),
    .wvalid_i (m_axi_wvalid_o),
    .wready_i (m_axi_wready_i),
    .wdata_i (m_axi_wdata_o),
    .wstrb_i (m_axi_wstrb_o),
    .wlast_i (m_axi_wlast_o),
    .bvalid_i (m_axi_bvalid_i),
    .bready_i (m_axi_bready_o),
    .bid_i (m_axi_bid_i),
    .bresp_i (m_axi_bresp_i)
  );

  axil_assert #(.ADDR_BITS(stp_pkg::HOST_ADDR_BITS)) u_check_axil (
    .clk_i,
    .rst_ni (rst_n),
    .awvalid_i (s_axil_awvalid_i),
    .awready_i (s_axil_awready_o),
    .awaddr_i (s_axil_awaddr_i),
    .wvalid_i (s_axil_wvalid_i),
    .wready_i (s_axil_wready_o),
    .wdata_i (s_axil_wdata_i),
    .wstrb_i (s_axil_wstrb_i),
    .bvalid_i (s_axil_bvalid_o),
    .bready_i (s_axil_bready_i),
    .bresp_i (s_axil_bresp_o),
    .arvalid_i (s_axil_arvalid_i),
    .arready_i (s_axil_arready_o),
    .araddr_i (s_axil_araddr_i),
    .rvalid_i (s_axil_rvalid_o),
    .rready_i (s_axil_rready_i),
    .rdata_i (s_axil_rdata_o),
    .rresp_i (s_axil_rresp_o)
  );
`endif
endmodule
`default_nettype wire
