`default_nettype none
// The management processor with its memory, as the chip connects them, for the lockstep test. Simulation only.
module rv_tb (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,       // of the memory
  input  wire logic        core_rst_ni,  // of the processor
  input  wire logic        h_valid_i,
  output logic             h_ready_o,
  input  wire logic        h_we_i,
  input  wire logic [3:0]  h_be_i,
  input  wire logic [13:0] h_addr_i,
  input  wire logic [31:0] h_wdata_i,
  output logic             h_rvalid_o,
  output logic      [31:0] h_rdata_o,
  output logic             mmio_valid_o,
  input  wire logic        mmio_ready_i,
  output logic             mmio_we_o,
  output logic      [31:0] mmio_addr_o,
  output logic      [3:0]  mmio_be_o,
  output logic      [31:0] mmio_wdata_o,
  input  wire logic        mmio_rvalid_i,
  input  wire logic        mmio_err_i,
  input  wire logic [31:0] mmio_rdata_i,
  input  wire logic [2:0]  irq_i,        // external, timer, software
  output logic             sleep_o,
  output logic             retire_valid_o,
  output logic      [31:0] retire_pc_o,
  output logic      [31:0] retire_insn_o,
  output logic      [4:0]  retire_rd_o,
  output logic             retire_rd_we_o,
  output logic      [31:0] retire_rd_data_o,
  output logic      [31:0] retire_mem_addr_o,
  output logic             retire_mem_we_o,
  output logic             retire_mem_re_o,
  output logic      [31:0] retire_mem_data_o,
  output logic             retire_trap_o,
  output logic      [4:0]  retire_cause_o,
  output logic             retire_irq_o
);

  logic        i_req, d_req, d_we;
  logic [13:0] i_addr, d_addr;
  logic [31:0] i_rdata, d_rdata, d_wdata;
  logic [3:0]  d_be;
  logic        unused_w_ready, unused_w_rvalid;
  logic [127:0] unused_w_rdata;

  mp_core u_core (
    .clk_i,
    .rst_ni(core_rst_ni),
    .imem_req_o(i_req),
    .imem_addr_o(i_addr),
    .imem_rdata_i(i_rdata),
    .dmem_req_o(d_req),
    .dmem_we_o(d_we),
    .dmem_be_o(d_be),
    .dmem_addr_o(d_addr),
    .dmem_wdata_o(d_wdata),
    .dmem_rdata_i(d_rdata),
    .mmio_valid_o,
    .mmio_ready_i,
    .mmio_we_o,
    .mmio_addr_o,
    .mmio_be_o,
    .mmio_wdata_o,
    .mmio_rvalid_i,
    .mmio_err_i,
    .mmio_rdata_i,
    .irq_software_i(irq_i[0]),
    .irq_timer_i(irq_i[1]),
    .irq_external_i(irq_i[2]),
    .sleep_o,
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

  mp_tcm u_tcm (
    .clk_i,
    .rst_ni,
    .i_req_i(i_req),
    .i_addr_i(i_addr),
    .i_rdata_o(i_rdata),
    .d_req_i(d_req),
    .d_we_i(d_we),
    .d_be_i(d_be),
    .d_addr_i(d_addr),
    .d_wdata_i(d_wdata),
    .d_rdata_o(d_rdata),
    .h_valid_i,
    .h_ready_o,
    .h_we_i,
    .h_be_i,
    .h_addr_i,
    .h_wdata_i,
    .h_rvalid_o,
    .h_rdata_o,
    .w_valid_i(1'b0),
    .w_ready_o(unused_w_ready),
    .w_we_i(1'b0),
    .w_addr_i(12'b0),
    .w_wdata_i(128'b0),
    .w_rvalid_o(unused_w_rvalid),
    .w_rdata_o(unused_w_rdata)
  );

endmodule
`default_nettype wire
