`default_nettype none
// Management subsystem: the RV32IM processor with its tightly coupled memory, host registers, console, timer, interrupt
// controller, stick DMA, and the control of the cores.
//
// MMIO: block b of registers.toml is at 0x8000_0000 + 0x1000 * b; whole words only, one access every three cycles. An unknown
// offset or a partial word is an access fault.
// The processor is in reset until the host sets CONTROL[0]; everything else only while rst_ni is low.
// Signals of core n are bit n, or slice n of wider ones. Row loads (ld_*), control pulses and status sticks: see mgmt_dma and
// core_if. Ring: valid/ready for requests; responses are always accepted.
module mgmt_subsystem #(
  parameter int unsigned CORES = 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  // host
  input  wire logic                  s_axil_awvalid_i,
  output logic                       s_axil_awready_o,
  input  wire logic [17:0]           s_axil_awaddr_i,
  input  wire logic                  s_axil_wvalid_i,
  output logic                       s_axil_wready_o,
  input  wire logic [31:0]           s_axil_wdata_i,
  input  wire logic [3:0]            s_axil_wstrb_i,
  output logic                       s_axil_bvalid_o,
  input  wire logic                  s_axil_bready_i,
  output logic      [1:0]            s_axil_bresp_o,
  input  wire logic                  s_axil_arvalid_i,
  output logic                       s_axil_arready_o,
  input  wire logic [17:0]           s_axil_araddr_i,
  output logic                       s_axil_rvalid_o,
  input  wire logic                  s_axil_rready_i,
  output logic      [31:0]           s_axil_rdata_o,
  output logic      [1:0]            s_axil_rresp_o,
  output logic                       irq_o,
  // console
  output logic                       console_valid_o,
  output logic      [7:0]            console_data_o,
  // cores
  output logic      [CORES-1:0]      core_ld_valid_o,
  output logic                       core_ld_kind_o,
  output logic      [9:0]            core_ld_units_o,
  output logic      [7:0]            core_ld_row_o,
  output logic      [1023:0]         core_ld_data_o,
  output logic      [CORES-1:0]      core_clear_o,
  output logic      [CORES-1:0]      core_halt_o,
  output logic      [CORES*10-1:0]   core_start_o,
  output logic      [CORES-1:0]      core_stat_req_o,
  output logic      [3:0]            core_stat_unit_o,
  input  wire logic [CORES*1024-1:0] core_stat_data_i,
  input  wire logic [CORES*10-1:0]   core_running_i,
  input  wire logic [CORES*10-1:0]   core_trapped_i,
  input  wire logic [CORES*10-1:0]   core_blocked_i,
  input  wire logic [CORES-1:0]      core_stopped_i,
  input  wire logic [CORES-1:0]      core_deadlock_i,
  input  wire logic [CORES-1:0]      core_leftover_fifo_i,
  input  wire logic [CORES-1:0]      core_leftover_token_i,
  // ring
  output logic                       rd_req_valid_o,
  input  wire logic                  rd_req_ready_i,
  output logic      [39:7]           rd_req_addr_o,
  output logic      [7:0]            rd_req_slot_o,
  input  wire logic                  rd_rsp_valid_i,
  input  wire logic [7:0]            rd_rsp_slot_i,
  input  wire logic [1023:0]         rd_rsp_data_i,
  input  wire logic                  rd_rsp_err_i,
  output logic                       wr_req_valid_o,
  input  wire logic                  wr_req_ready_i,
  output logic      [39:7]           wr_req_addr_o,
  output logic      [7:0]            wr_req_slot_o,
  output logic      [1023:0]         wr_req_data_o,
  output logic      [127:0]          wr_req_strb_o,
  input  wire logic                  wr_rsp_valid_i,
  input  wire logic [7:0]            wr_rsp_slot_i,
  input  wire logic                  wr_rsp_err_i,
  // retired instructions of the processor, see mp_core
  output logic                       retire_valid_o,
  output logic      [31:0]           retire_pc_o,
  output logic      [31:0]           retire_insn_o,
  output logic      [4:0]            retire_rd_o,
  output logic                       retire_rd_we_o,
  output logic      [31:0]           retire_rd_data_o,
  output logic      [31:0]           retire_mem_addr_o,
  output logic                       retire_mem_we_o,
  output logic                       retire_mem_re_o,
  output logic      [31:0]           retire_mem_data_o,
  output logic                       retire_trap_o,
  output logic      [4:0]            retire_cause_o,
  output logic                       retire_irq_o
);
  localparam int unsigned AW = $clog2(stp_pkg::TCM_BYTES / 4);

  localparam logic [2:0] B_CONSOLE = stp_pkg::MGMT_CONSOLE_BASE[14:12];
  localparam logic [2:0] B_TIMER   = stp_pkg::MGMT_TIMER_BASE[14:12];
  localparam logic [2:0] B_INTC    = stp_pkg::MGMT_INTC_BASE[14:12];
  localparam logic [2:0] B_HOSTIF  = stp_pkg::MGMT_HOSTIF_BASE[14:12];
  localparam logic [2:0] B_DMA     = stp_pkg::MGMT_DMA_BASE[14:12];
  localparam logic [2:0] B_CORE    = stp_pkg::MGMT_CORE_BASE[14:12];

  // ---------------------------------------------------------------- processor and memory
  logic          i_req, d_req, d_we, h_valid, h_ready, h_we, h_rvalid, w_valid, w_ready, w_we, w_rvalid;
  logic [AW-1:0] i_addr, d_addr, h_addr;
  logic [AW-3:0] w_addr;
  logic [31:0]   i_rdata, d_rdata, d_wdata, h_wdata, h_rdata;
  logic [3:0]    d_be;
  logic [127:0]  w_wdata, w_rdata;
  logic          mmio_valid, mmio_we, mmio_rvalid_q, mmio_err_q;
  logic [31:0]   mmio_addr, mmio_wdata, mmio_rdata_q;
  logic [3:0]    mmio_be;
  logic          irq_timer, irq_external, run, mp_rst_n, unused_sleep;
  logic [63:0]   cycle;

  // A register's output, which rises with the clock and falls at once with rst_ni.
  assign mp_rst_n = rst_ni & run;

  mp_core #(.TcmBytes(stp_pkg::TCM_BYTES)) u_processor (
    .clk_i,
    .rst_ni        (mp_rst_n),
    .imem_req_o    (i_req),
    .imem_addr_o   (i_addr),
    .imem_rdata_i  (i_rdata),
    .dmem_req_o    (d_req),
    .dmem_we_o     (d_we),
    .dmem_be_o     (d_be),
    .dmem_addr_o   (d_addr),
    .dmem_wdata_o  (d_wdata),
    .dmem_rdata_i  (d_rdata),
    .mmio_valid_o  (mmio_valid),
    .mmio_ready_i  (1'b1),
    .mmio_we_o     (mmio_we),
    .mmio_addr_o   (mmio_addr),
    .mmio_be_o     (mmio_be),
    .mmio_wdata_o  (mmio_wdata),
    .mmio_rvalid_i (mmio_rvalid_q),
    .mmio_err_i    (mmio_err_q),
    .mmio_rdata_i  (mmio_rdata_q),
    .irq_software_i(1'b0),
    .irq_timer_i   (irq_timer),
    .irq_external_i(irq_external),
    .sleep_o       (unused_sleep),
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

  mp_tcm #(.BYTES(stp_pkg::TCM_BYTES)) u_tcm (
    .clk_i,
    .rst_ni,
    .i_req_i   (i_req),
    .i_addr_i  (i_addr),
    .i_rdata_o (i_rdata),
    .d_req_i   (d_req),
    .d_we_i    (d_we),
    .d_be_i    (d_be),
    .d_addr_i  (d_addr),
    .d_wdata_i (d_wdata),
    .d_rdata_o (d_rdata),
    .h_valid_i (h_valid),
    .h_ready_o (h_ready),
    .h_we_i    (h_we),
    .h_be_i    (4'hf),
    .h_addr_i  (h_addr),
    .h_wdata_i (h_wdata),
    .h_rvalid_o(h_rvalid),
    .h_rdata_o (h_rdata),
    .w_valid_i (w_valid),
    .w_ready_o (w_ready),
    .w_we_i    (w_we),
    .w_addr_i  (w_addr),
    .w_wdata_i (w_wdata),
    .w_rvalid_o(w_rvalid),
    .w_rdata_o (w_rdata)
  );

  // ---------------------------------------------------------------- MMIO
  logic        whole, req_console, req_timer, req_intc, req_hostif, req_dma, req_core;
  logic        hit_console, hit_timer, hit_intc, hit_hostif, hit_dma, hit_core, hit;
  logic [31:0] r_console, r_timer, r_intc, r_hostif, r_dma, r_core, rdata;
  logic [2:0]  block;
  logic [11:0] offset;

  assign whole = mmio_valid & (mmio_be == 4'hf) & (mmio_addr[31:15] == stp_pkg::MGMT_CONSOLE_BASE[31:15]);
  assign block = mmio_addr[14:12];
  assign offset = mmio_addr[11:0];
  assign req_console = whole & (block == B_CONSOLE);
  assign req_timer = whole & (block == B_TIMER);
  assign req_intc = whole & (block == B_INTC);
  assign req_hostif = whole & (block == B_HOSTIF);
  assign req_dma = whole & (block == B_DMA);
  assign req_core = whole & (block == B_CORE);

  always_comb begin
    unique case (block)
      B_CONSOLE: {hit, rdata} = {hit_console, r_console};
      B_TIMER:   {hit, rdata} = {hit_timer, r_timer};
      B_INTC:    {hit, rdata} = {hit_intc, r_intc};
      B_HOSTIF:  {hit, rdata} = {hit_hostif, r_hostif};
      B_DMA:     {hit, rdata} = {hit_dma, r_dma};
      B_CORE:    {hit, rdata} = {hit_core, r_core};
      default:   {hit, rdata} = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mmio_rvalid_q <= 1'b0;
    else mmio_rvalid_q <= mmio_valid;
  end

  always_ff @(posedge clk_i) begin
    if (mmio_valid) begin
      mmio_err_q <= ~(whole & hit);
      mmio_rdata_q <= rdata;
    end
  end

  // ---------------------------------------------------------------- devices
  logic doorbell, dma_done, started, stopped, running;

  mgmt_console u_console (
    .clk_i, .rst_ni, .req_i(req_console), .we_i(mmio_we), .addr_i(offset), .wdata_i(mmio_wdata[7:0]),
    .rdata_o(r_console), .hit_o(hit_console), .console_valid_o, .console_data_o
  );

  mgmt_timer u_timer (
    .clk_i, .rst_ni, .req_i(req_timer), .we_i(mmio_we), .addr_i(offset), .wdata_i(mmio_wdata),
    .rdata_o(r_timer), .hit_o(hit_timer), .cycle_o(cycle), .irq_o(irq_timer)
  );

  mgmt_intc u_intc (
    .clk_i, .rst_ni, .req_i(req_intc), .we_i(mmio_we), .addr_i(offset), .wdata_i(mmio_wdata[2:0]),
    .rdata_o(r_intc), .hit_o(hit_intc), .event_i({stopped, dma_done, doorbell}), .irq_o(irq_external)
  );

  host_regs #(.CORES(CORES)) u_host (
    .clk_i,
    .rst_ni,
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
    .tcm_valid_o (h_valid),
    .tcm_ready_i (h_ready),
    .tcm_we_o    (h_we),
    .tcm_addr_o  (h_addr),
    .tcm_wdata_o (h_wdata),
    .tcm_rvalid_i(h_rvalid),
    .tcm_rdata_i (h_rdata),
    .req_i       (req_hostif),
    .we_i        (mmio_we),
    .addr_i      (offset),
    .wdata_i     (mmio_wdata),
    .rdata_o     (r_hostif),
    .hit_o       (hit_hostif),
    .run_o       (run),
    .doorbell_o  (doorbell),
    .cycle_i     (cycle),
    .running_i   (running),
    .started_i   (started),
    .stopped_i   (stopped)
  );

  core_if #(.CORES(CORES)) u_core_if (
    .clk_i,
    .rst_ni,
    .req_i    (req_core),
    .we_i     (mmio_we),
    .addr_i   (offset),
    .wdata_i  (mmio_wdata[9:0]),
    .rdata_o  (r_core),
    .hit_o    (hit_core),
    .core_clear_o,
    .core_halt_o,
    .core_start_o,
    .core_running_i,
    .core_trapped_i,
    .core_blocked_i,
    .core_stopped_i,
    .core_deadlock_i,
    .core_leftover_fifo_i,
    .core_leftover_token_i,
    .started_o(started),
    .stopped_o(stopped),
    .running_o(running)
  );

  mgmt_dma #(.CORES(CORES)) u_dma (
    .clk_i,
    .rst_ni,
    .req_i       (req_dma),
    .we_i        (mmio_we),
    .addr_i      (offset),
    .wdata_i     (mmio_wdata),
    .rdata_o     (r_dma),
    .hit_o       (hit_dma),
    .done_o      (dma_done),
    .tcm_valid_o (w_valid),
    .tcm_ready_i (w_ready),
    .tcm_we_o    (w_we),
    .tcm_addr_o  (w_addr),
    .tcm_wdata_o (w_wdata),
    .tcm_rvalid_i(w_rvalid),
    .tcm_rdata_i (w_rdata),
    .ld_valid_o  (core_ld_valid_o),
    .ld_kind_o   (core_ld_kind_o),
    .ld_units_o  (core_ld_units_o),
    .ld_row_o    (core_ld_row_o),
    .ld_data_o   (core_ld_data_o),
    .stat_req_o  (core_stat_req_o),
    .stat_unit_o (core_stat_unit_o),
    .stat_data_i (core_stat_data_i),
    .rd_req_valid_o,
    .rd_req_ready_i,
    .rd_req_addr_o,
    .rd_req_slot_o,
    .rd_rsp_valid_i,
    .rd_rsp_slot_i,
    .rd_rsp_data_i,
    .rd_rsp_err_i,
    .wr_req_valid_o,
    .wr_req_ready_i,
    .wr_req_addr_o,
    .wr_req_slot_o,
    .wr_req_data_o,
    .wr_req_strb_o,
    .wr_rsp_valid_i,
    .wr_rsp_slot_i,
    .wr_rsp_err_i
  );
endmodule
`default_nettype wire
