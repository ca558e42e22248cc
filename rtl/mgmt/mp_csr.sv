`default_nettype none
// Control and status registers, trap entry and return, interrupt selection.
//
// Which values a register can hold (all others are ignored by a write):
//   mstatus    MIE and MPIE; MPP reads as machine mode, all else as zero. mstatush reads as zero.
//   misa       read-only: RV32IM.
//   mie, mip   bits 3 (software), 7 (timer), 11 (external). mip is the three inputs: writes have no effect.
//   mtvec      BASE of 4-byte alignment; MODE is bit 0 (direct, vectored), bit 1 reads as zero.
//   mepc       bits 1:0 read as zero. mtval and mscratch hold any value.
//   mcause     bit 31 and bits 4:0.
//   mcountinhibit  bits 0 (cycles) and 2 (instructions).
//   mcycle[h], minstret[h]  any value. A write to half of minstret sets that half, and the writing instruction is not counted.
//   mhpmcounter3..31[h], mhpmevent3..31, mvendorid, marchid, mimpid, mconfigptr  read as zero.
//   cycle[h], instret[h]  read-only views. time is not there: the timer is a device.
// Access to any other register, and a write to a read-only one, is an illegal instruction.
//
// Handshake: the access of acc_valid_i is combinational to rdata_o and illegal_o, and its write takes effect at the end of a
// cycle with acc_commit_i. trap_i and mret_i, mutually exclusive with acc_commit_i, take effect at the end of their cycle.
module mp_csr #(
  parameter logic [31:0] HartId = 32'd0
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // access by a CSR instruction
  input  wire logic        acc_valid_i,
  input  wire logic        acc_commit_i,
  input  wire logic [11:0] acc_addr_i,
  input  wire logic [1:0]  acc_op_i,       // funct3[1:0]: 1 write, 2 set, 3 clear
  input  wire logic        acc_write_i,    // the instruction writes (its source is not x0 or 0, or it is CSRRW)
  input  wire logic [31:0] acc_src_i,
  output logic      [31:0] rdata_o,
  output logic             illegal_o,
  // trap entry and return
  input  wire logic        trap_i,
  input  wire logic        trap_irq_i,
  input  wire logic [4:0]  trap_cause_i,
  input  wire logic [29:0] trap_pc_i,      // bits 31:2
  input  wire logic [31:0] trap_val_i,
  input  wire logic        mret_i,
  output logic      [31:0] trap_target_o,  // where trap_i goes to
  output logic      [31:0] mepc_o,
  // an instruction completes without a trap
  input  wire logic        retire_i,
  // interrupts
  input  wire logic        irq_software_i,
  input  wire logic        irq_timer_i,
  input  wire logic        irq_external_i,
  output logic             irq_o,          // an interrupt is pending and enabled, and mstatus.MIE is set
  output logic      [4:0]  irq_cause_o,
  output logic             wake_o          // an interrupt is pending and enabled in mie, whatever mstatus.MIE
);

  logic        mie_q, mpie_q;              // in mstatus
  logic [2:0]  irq_en_q;                   // mie: external, timer, software
  logic [2:0]  irq_pend;                   // mip in the same order
  logic [29:0] tvec_base_q;
  logic        tvec_mode_q;
  logic [31:0] scratch_q, tval_q;
  logic [29:0] epc_q;
  logic        cause_irq_q;
  logic [4:0]  cause_q;
  logic        inhibit_cy_q, inhibit_ir_q;
  logic [63:0] cycle_q, instret_q;

  logic        known, we;
  logic [31:0] wdata;

  assign irq_pend = {irq_external_i, irq_timer_i, irq_software_i} & irq_en_q;
  assign wake_o = irq_pend != 3'b000;
  assign irq_o = wake_o & mie_q;
  assign irq_cause_o = irq_pend[2] ? mp_pkg::IRQ_EXTERNAL :
                       irq_pend[0] ? mp_pkg::IRQ_SOFTWARE : mp_pkg::IRQ_TIMER;

  assign mepc_o = {epc_q, 2'b00};
  assign trap_target_o = {tvec_base_q + ((tvec_mode_q & trap_irq_i) ? 30'(trap_cause_i) : 30'd0), 2'b00};

  always_comb begin
    rdata_o = '0;
    known = 1'b0;
    if (acc_valid_i) begin
      known = 1'b1;
      unique case (acc_addr_i)
        mp_pkg::CSR_MSTATUS:       rdata_o = {19'b0, 2'b11, 3'b0, mpie_q, 3'b0, mie_q, 3'b0};
        mp_pkg::CSR_MISA:          rdata_o = mp_pkg::MISA_VALUE;
        mp_pkg::CSR_MIE:           rdata_o = {20'b0, irq_en_q[2], 3'b0, irq_en_q[1], 3'b0, irq_en_q[0], 3'b0};
        mp_pkg::CSR_MTVEC:         rdata_o = {tvec_base_q, 1'b0, tvec_mode_q};
        mp_pkg::CSR_MCOUNTINHIBIT: rdata_o = {29'b0, inhibit_ir_q, 1'b0, inhibit_cy_q};
        mp_pkg::CSR_MSCRATCH:      rdata_o = scratch_q;
        mp_pkg::CSR_MEPC:          rdata_o = {epc_q, 2'b00};
        mp_pkg::CSR_MCAUSE:        rdata_o = {cause_irq_q, 26'b0, cause_q};
        mp_pkg::CSR_MTVAL:         rdata_o = tval_q;
        mp_pkg::CSR_MIP: rdata_o = {20'b0, irq_external_i, 3'b0, irq_timer_i, 3'b0, irq_software_i, 3'b0};
        mp_pkg::CSR_MCYCLE, mp_pkg::CSR_CYCLE:         rdata_o = cycle_q[31:0];
        mp_pkg::CSR_MCYCLEH, mp_pkg::CSR_CYCLEH:       rdata_o = cycle_q[63:32];
        mp_pkg::CSR_MINSTRET, mp_pkg::CSR_INSTRET:     rdata_o = instret_q[31:0];
        mp_pkg::CSR_MINSTRETH, mp_pkg::CSR_INSTRETH:   rdata_o = instret_q[63:32];
        mp_pkg::CSR_MHARTID:       rdata_o = HartId;
        mp_pkg::CSR_MSTATUSH, mp_pkg::CSR_MVENDORID, mp_pkg::CSR_MARCHID, mp_pkg::CSR_MIMPID,
        mp_pkg::CSR_MCONFIGPTR: ;
        default:
          // mhpmcounter3..31, their upper halves, mhpmevent3..31
          known = ((acc_addr_i[11:5] == 7'b1011000) || (acc_addr_i[11:5] == 7'b1011100) ||
                   (acc_addr_i[11:5] == 7'b0011001)) && (acc_addr_i[4:0] > 5'd2);
      endcase
    end
  end

  assign illegal_o = acc_valid_i & (~known | (acc_write_i & (acc_addr_i[11:10] == 2'b11)));
  assign we = acc_commit_i & acc_write_i;

  always_comb begin
    unique case (acc_op_i)
      2'd2:    wdata = rdata_o | acc_src_i;
      2'd3:    wdata = rdata_o & ~acc_src_i;
      default: wdata = acc_src_i;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mie_q <= 1'b0;
      mpie_q <= 1'b0;
      irq_en_q <= '0;
      tvec_base_q <= '0;
      tvec_mode_q <= 1'b0;
      scratch_q <= '0;
      tval_q <= '0;
      epc_q <= '0;
      cause_irq_q <= 1'b0;
      cause_q <= '0;
      inhibit_cy_q <= 1'b0;
      inhibit_ir_q <= 1'b0;
    end else if (trap_i) begin
      mie_q <= 1'b0;
      mpie_q <= mie_q;
      epc_q <= trap_pc_i;
      cause_irq_q <= trap_irq_i;
      cause_q <= trap_cause_i;
      tval_q <= trap_val_i;
    end else if (mret_i) begin
      mie_q <= mpie_q;
      mpie_q <= 1'b1;
    end else if (we) begin
      unique case (acc_addr_i)
        mp_pkg::CSR_MSTATUS: begin
          mie_q <= wdata[3];
          mpie_q <= wdata[7];
        end
        mp_pkg::CSR_MIE: irq_en_q <= {wdata[11], wdata[7], wdata[3]};
        mp_pkg::CSR_MTVEC: begin
          tvec_base_q <= wdata[31:2];
          tvec_mode_q <= wdata[0];
        end
        mp_pkg::CSR_MCOUNTINHIBIT: begin
          inhibit_cy_q <= wdata[0];
          inhibit_ir_q <= wdata[2];
        end
        mp_pkg::CSR_MSCRATCH: scratch_q <= wdata;
        mp_pkg::CSR_MEPC: epc_q <= wdata[31:2];
        mp_pkg::CSR_MCAUSE: begin
          cause_irq_q <= wdata[31];
          cause_q <= wdata[4:0];
        end
        mp_pkg::CSR_MTVAL: tval_q <= wdata;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      instret_q <= '0;
    end else begin
      if (we && (acc_addr_i == mp_pkg::CSR_MCYCLE)) cycle_q[31:0] <= wdata;
      else if (we && (acc_addr_i == mp_pkg::CSR_MCYCLEH)) cycle_q[63:32] <= wdata;
      else if (!inhibit_cy_q) cycle_q <= cycle_q + 64'd1;

      if (we && (acc_addr_i == mp_pkg::CSR_MINSTRET)) instret_q[31:0] <= wdata;
      else if (we && (acc_addr_i == mp_pkg::CSR_MINSTRETH)) instret_q[63:32] <= wdata;
      else if (retire_i && !inhibit_ir_q) instret_q <= instret_q + 64'd1;
    end
  end

endmodule
`default_nettype wire
