`default_nettype none
// The host's side of the management processor: an AXI4-Lite slave with the host registers and a window to the tightly coupled
// memory, and the processor's HOSTIF block, which sees the same registers from the other side.
//
// AXI4-Lite: one access at a time; a write is taken when its address and its data are there; reads and writes take turns. An
// answer comes two cycles after the access was taken, from the memory window later if it is busy. SLVERR answers unknown offsets,
// partial write strobes, and writes to the window while the processor runs. Writes to registers that can only be read do nothing.
// HOSTIF: register bus as in mgmt_console.
// T_... registers hold the value of cycle_i in the cycle of the event. doorbell_o is high in the cycle of a doorbell write.
module host_regs #(
  parameter int unsigned CORES = 1,
  parameter int unsigned TCM_AW = $clog2(stp_pkg::TCM_BYTES / 4)
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // host
  input  wire logic        s_axil_awvalid_i,
  output logic             s_axil_awready_o,
  input  wire logic [17:0] s_axil_awaddr_i,
  input  wire logic        s_axil_wvalid_i,
  output logic             s_axil_wready_o,
  input  wire logic [31:0] s_axil_wdata_i,
  input  wire logic [3:0]  s_axil_wstrb_i,
  output logic             s_axil_bvalid_o,
  input  wire logic        s_axil_bready_i,
  output logic      [1:0]  s_axil_bresp_o,
  input  wire logic        s_axil_arvalid_i,
  output logic             s_axil_arready_o,
  input  wire logic [17:0] s_axil_araddr_i,
  output logic             s_axil_rvalid_o,
  input  wire logic        s_axil_rready_i,
  output logic      [31:0] s_axil_rdata_o,
  output logic      [1:0]  s_axil_rresp_o,
  output logic             irq_o,
  // tightly coupled memory
  output logic             tcm_valid_o,
  input  wire logic        tcm_ready_i,
  output logic             tcm_we_o,
  output logic [TCM_AW-1:0] tcm_addr_o,
  output logic      [31:0] tcm_wdata_o,
  input  wire logic        tcm_rvalid_i,
  input  wire logic [31:0] tcm_rdata_i,
  // HOSTIF
  input  wire logic        req_i,
  input  wire logic        we_i,
  input  wire logic [11:0] addr_i,
  input  wire logic [31:0] wdata_i,
  output logic      [31:0] rdata_o,
  output logic             hit_o,
  // the chip
  output logic             run_o,       // the processor is out of reset
  output logic             doorbell_o,
  input  wire logic [63:0] cycle_i,
  input  wire logic        running_i,   // some unit runs
  input  wire logic        started_i,   // first start of a job
  input  wire logic        stopped_i    // a core stopped
);
  localparam logic [1:0] OKAY = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;

  localparam logic [1:0] ST_IDLE = 2'd0;
  localparam logic [1:0] ST_DO   = 2'd1;  // the access happens; the window is asked
  localparam logic [1:0] ST_WAIT = 2'd2;  // the window answers
  localparam logic [1:0] ST_RESP = 2'd3;

  // ---------------------------------------------------------------- AXI4-Lite
  logic [1:0]  state_q;
  logic        we_q, write_last_q, bad_strb_q;
  logic [17:0] off_q;
  logic [31:0] data_q;
  logic        pick_write, pick_read, window, hit, ok, reg_write;
  logic [31:0] reg_value;

  assign pick_write = (state_q == ST_IDLE) & s_axil_awvalid_i & s_axil_wvalid_i & ~(write_last_q & s_axil_arvalid_i);
  assign pick_read = (state_q == ST_IDLE) & s_axil_arvalid_i & ~pick_write;
  assign s_axil_awready_o = pick_write;
  assign s_axil_wready_o = pick_write;
  assign s_axil_arready_o = pick_read;

  // In the window, of an offset from its base: its size is a power of two and its base a multiple of it.
  assign window = off_q[17:TCM_AW+2] == stp_pkg::HOST_TCM_BASE[17:TCM_AW+2];
  assign ok = window ? ~(we_q & (run_o | bad_strb_q)) : (hit & ~bad_strb_q);
  assign tcm_valid_o = (state_q == ST_DO) & window & ok;
  assign tcm_we_o = we_q;
  assign tcm_addr_o = off_q[TCM_AW+1:2];
  assign tcm_wdata_o = data_q;
  assign reg_write = (state_q == ST_DO) & we_q & ~window & ok;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      write_last_q <= 1'b0;
    end else begin
      unique case (state_q)
        ST_IDLE: if (pick_write || pick_read) begin
          state_q <= ST_DO;
          write_last_q <= pick_write;
        end
        ST_DO: begin
          if (!tcm_valid_o) state_q <= ST_RESP;
          else if (tcm_ready_i) state_q <= ST_WAIT;
        end
        ST_WAIT: if (tcm_rvalid_i) state_q <= ST_RESP;
        default: if (we_q ? s_axil_bready_i : s_axil_rready_i) state_q <= ST_IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick_write) begin
      we_q <= 1'b1;
      off_q <= s_axil_awaddr_i;
      data_q <= s_axil_wdata_i;
      // An offset that is no word's is unknown, too.
      bad_strb_q <= (s_axil_wstrb_i != 4'hf) | (s_axil_awaddr_i[1:0] != 2'b00);
    end else if (pick_read) begin
      we_q <= 1'b0;
      off_q <= s_axil_araddr_i;
      bad_strb_q <= s_axil_araddr_i[1:0] != 2'b00;
    end
    if (state_q == ST_DO) begin
      s_axil_bresp_o <= ok ? OKAY : SLVERR;
      s_axil_rresp_o <= ok ? OKAY : SLVERR;
      s_axil_rdata_o <= reg_value;
    end else if (state_q == ST_WAIT && !we_q) s_axil_rdata_o <= tcm_rdata_i;
  end

  assign s_axil_bvalid_o = (state_q == ST_RESP) & we_q;
  assign s_axil_rvalid_o = (state_q == ST_RESP) & ~we_q;

  // ---------------------------------------------------------------- registers
  logic        run_q;
  logic [31:0] doorbell_q, queue_lo_q, completed_q, fw_status_q, fw_version_q, cycle_hi_q;
  logic [7:0]  queue_hi_q;
  logic [3:0]  queue_log2_q;
  logic [2:0]  irq_status_q, irq_enable_q, irq_clear, irq_set;
  logic [63:0] t_doorbell_q, t_irq_q, t_start_q, t_halt_q;

  assign run_o = run_q;
  assign irq_o = (irq_status_q & irq_enable_q) != 3'b0;
  assign doorbell_o = reg_write && off_q == stp_pkg::HOST_DOORBELL;
  assign irq_clear = (reg_write && off_q == stp_pkg::HOST_IRQ_STATUS) ? data_q[2:0] : 3'b0;
  assign irq_set = (req_i && we_i && addr_i == stp_pkg::MGMT_HOSTIF_IRQ_SET) ? wdata_i[2:0] : 3'b0;

  // What the host reads.
  always_comb begin
    hit = 1'b1;
    unique case (off_q)
      stp_pkg::HOST_ID:            reg_value = 32'h5354504c;
      stp_pkg::HOST_VERSION:       reg_value = stp_pkg::CONTRACT_VERSION;
      stp_pkg::HOST_CONFIG:        reg_value = {8'b0, 8'(stp_pkg::UNITS), 8'(stp_pkg::CORELETS), 8'(CORES)};
      stp_pkg::HOST_CONTROL:       reg_value = {31'b0, run_q};
      stp_pkg::HOST_STATUS:        reg_value = {30'b0, running_i, run_q};
      stp_pkg::HOST_DOORBELL:      reg_value = doorbell_q;
      stp_pkg::HOST_IRQ_STATUS:    reg_value = {29'b0, irq_status_q};
      stp_pkg::HOST_IRQ_ENABLE:    reg_value = {29'b0, irq_enable_q};
      stp_pkg::HOST_QUEUE_LO:      reg_value = queue_lo_q;
      stp_pkg::HOST_QUEUE_HI:      reg_value = {24'b0, queue_hi_q};
      stp_pkg::HOST_QUEUE_LOG2:    reg_value = {28'b0, queue_log2_q};
      stp_pkg::HOST_COMPLETED:     reg_value = completed_q;
      stp_pkg::HOST_FW_STATUS:     reg_value = fw_status_q;
      stp_pkg::HOST_FW_VERSION:    reg_value = fw_version_q;
      stp_pkg::HOST_CYCLE_LO:      reg_value = cycle_i[31:0];
      stp_pkg::HOST_CYCLE_HI:      reg_value = cycle_hi_q;
      stp_pkg::HOST_T_DOORBELL_LO: reg_value = t_doorbell_q[31:0];
      stp_pkg::HOST_T_DOORBELL_HI: reg_value = t_doorbell_q[63:32];
      stp_pkg::HOST_T_IRQ_LO:      reg_value = t_irq_q[31:0];
      stp_pkg::HOST_T_IRQ_HI:      reg_value = t_irq_q[63:32];
      stp_pkg::HOST_T_START_LO:    reg_value = t_start_q[31:0];
      stp_pkg::HOST_T_START_HI:    reg_value = t_start_q[63:32];
      stp_pkg::HOST_T_HALT_LO:     reg_value = t_halt_q[31:0];
      stp_pkg::HOST_T_HALT_HI:     reg_value = t_halt_q[63:32];
      default: begin
        reg_value = '0;
        hit = 1'b0;
      end
    endcase
  end

  // What the processor reads.
  always_comb begin
    hit_o = 1'b1;
    unique case (addr_i)
      stp_pkg::MGMT_HOSTIF_DOORBELL:   rdata_o = doorbell_q;
      stp_pkg::MGMT_HOSTIF_QUEUE_LO:   rdata_o = queue_lo_q;
      stp_pkg::MGMT_HOSTIF_QUEUE_HI:   rdata_o = {24'b0, queue_hi_q};
      stp_pkg::MGMT_HOSTIF_QUEUE_LOG2: rdata_o = {28'b0, queue_log2_q};
      stp_pkg::MGMT_HOSTIF_COMPLETED:  rdata_o = completed_q;
      stp_pkg::MGMT_HOSTIF_FW_STATUS:  rdata_o = fw_status_q;
      stp_pkg::MGMT_HOSTIF_FW_VERSION: rdata_o = fw_version_q;
      stp_pkg::MGMT_HOSTIF_IRQ_SET:    rdata_o = '0;
      stp_pkg::MGMT_HOSTIF_VERSION:    rdata_o = stp_pkg::CONTRACT_VERSION;
      stp_pkg::MGMT_HOSTIF_CORES:      rdata_o = CORES;
      default: begin
        rdata_o = '0;
        hit_o = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      doorbell_q <= '0;
      irq_status_q <= '0;
      irq_enable_q <= '0;
      queue_lo_q <= '0;
      queue_hi_q <= '0;
      queue_log2_q <= '0;
      completed_q <= '0;
      fw_status_q <= '0;
      fw_version_q <= '0;
      cycle_hi_q <= '0;
      t_doorbell_q <= '0;
      t_irq_q <= '0;
      t_start_q <= '0;
      t_halt_q <= '0;
    end else begin
      // A bit that is set and cleared in one cycle is set.
      irq_status_q <= (irq_status_q & ~irq_clear) | irq_set;
      if (irq_set[0]) t_irq_q <= cycle_i;
      if (doorbell_o) t_doorbell_q <= cycle_i;
      if (started_i) t_start_q <= cycle_i;
      if (stopped_i) t_halt_q <= cycle_i;
      if (reg_write) begin
        unique case (off_q)
          stp_pkg::HOST_CONTROL:    run_q <= data_q[0];
          stp_pkg::HOST_DOORBELL:   doorbell_q <= data_q;
          stp_pkg::HOST_IRQ_ENABLE: irq_enable_q <= data_q[2:0];
          stp_pkg::HOST_QUEUE_LO:   queue_lo_q <= data_q;
          stp_pkg::HOST_QUEUE_HI:   queue_hi_q <= data_q[7:0];
          stp_pkg::HOST_QUEUE_LOG2: queue_log2_q <= data_q[3:0];
          default: ;
        endcase
      end
      if (state_q == ST_DO && !we_q && off_q == stp_pkg::HOST_CYCLE_LO) cycle_hi_q <= cycle_i[63:32];
      if (req_i && we_i) begin
        unique case (addr_i)
          stp_pkg::MGMT_HOSTIF_COMPLETED:  completed_q <= wdata_i;
          stp_pkg::MGMT_HOSTIF_FW_STATUS:  fw_status_q <= wdata_i;
          stp_pkg::MGMT_HOSTIF_FW_VERSION: fw_version_q <= wdata_i;
          default: ;
        endcase
      end
    end
  end
endmodule
`default_nettype wire
