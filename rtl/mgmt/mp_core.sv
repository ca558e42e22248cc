`default_nettype none
// Management processor: RV32IM, Zicsr, Zifencei, machine mode only.
//
// Memory map: TCM of TcmBytes at 0, fetched from and loaded and stored to through two ports that are never refused; 32-bit
// MMIO registers at 0x8000_0000 and above, loads and stores only. Any other address is an access fault. Execution starts at
// ResetPc when rst_ni is released. Memory and registers are little-endian.
//
// Pipeline and cycles per instruction:
//   X  The instruction that the instruction memory shows is decoded and executed. The address of its successor goes to the
//      instruction memory in the same cycle, so taken branches and jumps cost nothing extra.
//   W  Load data is aligned, the register file is written, the instruction is reported. Results bypass to X.
//   1 cycle each, but: products 3, quotients and remainders 34, MMIO accesses 3 and the device's wait cycles.
// All traps are taken in X, so they are precise. An interrupt is taken in place of the first cycle of an instruction; wfi waits
// in X until an interrupt is pending and enabled in mie, and then completes.
// An instruction that was stored is seen by a fetch after a FENCE.I. An access fault of an MMIO access is precise.
//
// MMIO port: mmio_valid_o with we, addr (byte address), be and wdata (lanes of the addressed word) stays and is stable until
// mmio_ready_i; one answer, mmio_rvalid_i, at least a cycle later, with the whole word or mmio_err_i. One access at a time.
//
// Retirement port: one record per instruction or trap, in order, valid for one cycle:
//   instruction: pc, insn; rd, rd_we (never for x0), rd_data; mem_re or mem_we with mem_addr (byte address) and mem_data, which is
//                the loaded value as extended, or the stored value zero-extended.
//   exception:   trap, cause, pc, insn (0 if the fetch failed), mem_addr = mtval; rd_we, mem_re and mem_we are 0.
//   interrupt:   trap, irq, cause, pc of the instruction that would have been next, insn 0, mem_addr 0.
// Fields that do not apply hold anything.
module mp_core #(
  parameter int unsigned TcmBytes = 65536,
  parameter logic [31:0] ResetPc = 32'h0000_0000,
  parameter logic [31:0] HartId = 32'd0,
  parameter int unsigned TcmAw = $clog2(TcmBytes / 4)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  // instruction memory: word addressed, data in the next cycle and until the next request
  output logic                  imem_req_o,
  output logic      [TcmAw-1:0] imem_addr_o,
  input  wire logic [31:0]      imem_rdata_i,
  // data memory: word addressed, load data in the next cycle
  output logic                  dmem_req_o,
  output logic                  dmem_we_o,
  output logic      [3:0]       dmem_be_o,
  output logic      [TcmAw-1:0] dmem_addr_o,
  output logic      [31:0]      dmem_wdata_o,
  input  wire logic [31:0]      dmem_rdata_i,
  // MMIO
  output logic                  mmio_valid_o,
  input  wire logic             mmio_ready_i,
  output logic                  mmio_we_o,
  output logic      [31:0]      mmio_addr_o,
  output logic      [3:0]       mmio_be_o,
  output logic      [31:0]      mmio_wdata_o,
  input  wire logic             mmio_rvalid_i,
  input  wire logic             mmio_err_i,
  input  wire logic [31:0]      mmio_rdata_i,
  // interrupts, level, synchronous to clk_i
  input  wire logic             irq_software_i,
  input  wire logic             irq_timer_i,
  input  wire logic             irq_external_i,
  // waiting in wfi
  output logic                  sleep_o,
  // retirement
  output logic                  retire_valid_o,
  output logic      [31:0]      retire_pc_o,
  output logic      [31:0]      retire_insn_o,
  output logic      [4:0]       retire_rd_o,
  output logic                  retire_rd_we_o,
  output logic      [31:0]      retire_rd_data_o,
  output logic      [31:0]      retire_mem_addr_o,
  output logic                  retire_mem_we_o,
  output logic                  retire_mem_re_o,
  output logic      [31:0]      retire_mem_data_o,
  output logic                  retire_trap_o,
  output logic      [4:0]       retire_cause_o,
  output logic                  retire_irq_o
);

  localparam logic [2:0] ST_RUN      = 3'd0; // first cycle of an instruction
  localparam logic [2:0] ST_MULDIV   = 3'd1;
  localparam logic [2:0] ST_MMIO_REQ = 3'd2;
  localparam logic [2:0] ST_MMIO_RSP = 3'd3;
  localparam logic [2:0] ST_SLEEP    = 3'd4;

  // ---------------------------------------------------------------- X: state
  logic        started_q;  // delays the first fetch until the cycle after reset
  logic        x_valid_q;  // imem_rdata_i is the instruction at x_pc_q
  logic [31:0] x_pc_q;
  logic [2:0]  state_q, state_d;

  // ---------------------------------------------------------------- W: state
  logic        w_valid_q;
  logic [31:0] w_pc_q, w_insn_q, w_data_q, w_mem_addr_q, w_mem_data_q, w_mmio_rdata_q;
  logic        w_rd_we_q, w_mem_re_q, w_mem_we_q, w_trap_q, w_irq_q;
  logic [4:0]  w_cause_q;
  logic [31:0] w_load_value, w_rd_data;
  logic        w_rf_we;

  // ---------------------------------------------------------------- X: decode
  logic        run;          // an instruction is in its first cycle
  logic        irq_take;     // ... and an interrupt takes its place
  logic        fetch_fault;
  logic        dec_valid;
  logic [31:0] insn;
  logic [2:0]  funct3;

  logic        dec_illegal, dec_rd_we;
  logic [31:0] dec_imm;
  logic [3:0]  dec_alu_op;
  logic [1:0]  dec_alu_opa;
  logic        dec_alu_opb_imm;
  logic        dec_load, dec_store, dec_branch, dec_jal, dec_jalr, dec_muldiv, dec_csr;
  logic        dec_ecall, dec_ebreak, dec_mret, dec_wfi;

  logic        csr_irq, csr_wake;
  logic [4:0]  csr_irq_cause;

  assign insn = imem_rdata_i;
  assign funct3 = insn[14:12];
  assign run = x_valid_q && (state_q == ST_RUN);
  assign irq_take = run & csr_irq;
  assign fetch_fault = x_pc_q[31:TcmAw+2] != '0;
  // An instruction stays decoded while it waits; while sleeping nothing needs it.
  assign dec_valid = x_valid_q & ~irq_take & ~fetch_fault & (state_q != ST_SLEEP);

  mp_decode u_decode (
    .valid_i      (dec_valid),
    .insn_i       (insn),
    .illegal_o    (dec_illegal),
    .rd_we_o      (dec_rd_we),
    .imm_o        (dec_imm),
    .alu_op_o     (dec_alu_op),
    .alu_opa_o    (dec_alu_opa),
    .alu_opb_imm_o(dec_alu_opb_imm),
    .is_load_o    (dec_load),
    .is_store_o   (dec_store),
    .is_branch_o  (dec_branch),
    .is_jal_o     (dec_jal),
    .is_jalr_o    (dec_jalr),
    .is_muldiv_o  (dec_muldiv),
    .is_csr_o     (dec_csr),
    .is_ecall_o   (dec_ecall),
    .is_ebreak_o  (dec_ebreak),
    .is_mret_o    (dec_mret),
    .is_wfi_o     (dec_wfi)
  );

  // ---------------------------------------------------------------- X: operands
  logic [31:0] rf_rdata1, rf_rdata2, rs1, rs2;

  mp_regfile u_regfile (
    .clk_i,
    .raddr1_i(insn[19:15]),
    .rdata1_o(rf_rdata1),
    .raddr2_i(insn[24:20]),
    .rdata2_o(rf_rdata2),
    .we_i    (w_rf_we),
    .waddr_i (w_insn_q[11:7]),
    .wdata_i (w_rd_data)
  );

  assign rs1 = (w_rf_we && (w_insn_q[11:7] == insn[19:15])) ? w_rd_data : rf_rdata1;
  assign rs2 = (w_rf_we && (w_insn_q[11:7] == insn[24:20])) ? w_rd_data : rf_rdata2;

  // ---------------------------------------------------------------- X: execute
  logic [31:0] alu_a, alu_result, agu_base, agu;
  logic        br_taken;
  logic        md_start, md_done;
  logic [31:0] md_result;
  logic [31:0] csr_rdata, csr_trap_target, csr_mepc;
  logic        csr_illegal;
  logic [31:0] pc_plus4, next_pc, result;
  logic        jump;

  always_comb begin
    unique case (dec_alu_opa)
      mp_pkg::OPA_PC:   alu_a = x_pc_q;
      mp_pkg::OPA_ZERO: alu_a = '0;
      default:          alu_a = rs1;
    endcase
  end

  mp_alu u_alu (
    .op_i    (dec_alu_op),
    .a_i     (alu_a),
    .b_i     (dec_alu_opb_imm ? dec_imm : rs2),
    .result_o(alu_result),
    .cond_i  (funct3),
    .rs1_i   (rs1),
    .rs2_i   (rs2),
    .taken_o (br_taken)
  );

  // One adder for the addresses of loads and stores and for jump targets.
  assign agu_base = (dec_branch | dec_jal) ? x_pc_q : rs1;
  assign agu = agu_base + dec_imm;
  assign pc_plus4 = x_pc_q + 32'd4;
  assign jump = dec_jal | dec_jalr | (dec_branch & br_taken);

  assign md_start = run & dec_muldiv;

  mp_muldiv u_muldiv (
    .clk_i,
    .rst_ni,
    .start_i (md_start),
    .op_i    (funct3),
    .a_i     (rs1),
    .b_i     (rs2),
    .done_o  (md_done),
    .result_o(md_result)
  );

  // ---------------------------------------------------------------- X: loads and stores
  logic        ls, ls_misaligned, ls_mmio, ls_tcm;
  logic [3:0]  ls_be;
  logic [31:0] ls_wdata, ls_value;

  mp_lsu u_lsu (
    .addr_i      (agu[1:0]),
    .size_i      (funct3[1:0]),
    .data_i      (rs2),
    .misaligned_o(ls_misaligned),
    .be_o        (ls_be),
    .wdata_o     (ls_wdata),
    .value_o     (ls_value),
    .ld_addr_i   (w_mem_addr_q[1:0]),
    .ld_funct3_i (w_insn_q[14:12]),
    .ld_word_i   (w_mem_addr_q[31] ? w_mmio_rdata_q : dmem_rdata_i),
    .ld_value_o  (w_load_value)
  );

  assign ls = dec_load | dec_store;
  assign ls_mmio = ls & ~ls_misaligned & agu[31];
  assign ls_tcm = ls & ~ls_misaligned & (agu[31:TcmAw+2] == '0);

  assign dmem_req_o = run & ls_tcm;
  assign dmem_we_o = dec_store;
  assign dmem_be_o = ls_be;
  assign dmem_addr_o = agu[TcmAw+1:2];
  assign dmem_wdata_o = ls_wdata;

  logic        mmio_valid_q, mmio_we_q, mmio_start;
  logic [31:0] mmio_addr_q, mmio_wdata_q;
  logic [3:0]  mmio_be_q;

  assign mmio_start = run & ls_mmio;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mmio_valid_q <= 1'b0;
    else if (mmio_start) mmio_valid_q <= 1'b1;
    else if (mmio_ready_i) mmio_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (mmio_start) begin
      mmio_we_q <= dec_store;
      mmio_addr_q <= agu;
      mmio_be_q <= ls_be;
      mmio_wdata_q <= ls_wdata;
    end
  end

  assign mmio_valid_o = mmio_valid_q;
  assign mmio_we_o = mmio_we_q;
  assign mmio_addr_o = mmio_addr_q;
  assign mmio_be_o = mmio_be_q;
  assign mmio_wdata_o = mmio_wdata_q;

  // ---------------------------------------------------------------- X: exceptions
  logic        mmio_fault;
  logic        exc;
  logic [4:0]  exc_cause;
  logic [31:0] exc_val;
  logic        trap;

  assign mmio_fault = (state_q == ST_MMIO_RSP) & mmio_rvalid_i & mmio_err_i;

  always_comb begin
    exc = 1'b0;
    exc_cause = '0;
    exc_val = '0;
    if (run && !irq_take) begin
      if (fetch_fault) begin
        exc = 1'b1;
        exc_cause = mp_pkg::EXC_FETCH_FAULT;
        exc_val = x_pc_q;
      end else if (dec_illegal || csr_illegal) begin
        exc = 1'b1;
        exc_cause = mp_pkg::EXC_ILLEGAL;
        exc_val = insn;
      end else if (dec_ecall) begin
        exc = 1'b1;
        exc_cause = mp_pkg::EXC_ECALL_M;
      end else if (dec_ebreak) begin
        exc = 1'b1;
        exc_cause = mp_pkg::EXC_BREAKPOINT;
        exc_val = x_pc_q;
      end else if (jump && agu[1]) begin // bit 0 of a target is never set, or ignored (JALR)
        exc = 1'b1;
        exc_cause = mp_pkg::EXC_FETCH_MISALIGNED;
        exc_val = {agu[31:1], 1'b0};
      end else if (ls && ls_misaligned) begin
        exc = 1'b1;
        exc_cause = dec_store ? mp_pkg::EXC_STORE_MISALIGNED : mp_pkg::EXC_LOAD_MISALIGNED;
        exc_val = agu;
      end else if (ls && !ls_mmio && !ls_tcm) begin
        exc = 1'b1;
        exc_cause = dec_store ? mp_pkg::EXC_STORE_FAULT : mp_pkg::EXC_LOAD_FAULT;
        exc_val = agu;
      end
    end else if (mmio_fault) begin
      exc = 1'b1;
      exc_cause = mmio_we_q ? mp_pkg::EXC_STORE_FAULT : mp_pkg::EXC_LOAD_FAULT;
      exc_val = mmio_addr_q;
    end
  end

  assign trap = exc | irq_take;

  // ---------------------------------------------------------------- X: progress
  logic x_done; // the instruction leaves X, or a trap takes its place

  always_comb begin
    x_done = 1'b0;
    state_d = state_q;
    unique case (state_q)
      ST_RUN: if (x_valid_q) begin
        if (trap) x_done = 1'b1;
        else if (dec_muldiv) state_d = ST_MULDIV;
        else if (ls_mmio) state_d = ST_MMIO_REQ;
        else if (dec_wfi && !csr_wake) state_d = ST_SLEEP;
        else x_done = 1'b1;
      end
      ST_MULDIV: x_done = md_done;
      ST_MMIO_REQ: if (mmio_ready_i) state_d = ST_MMIO_RSP;
      ST_MMIO_RSP: x_done = mmio_rvalid_i;
      default: x_done = csr_wake; // ST_SLEEP
    endcase
    if (x_done) state_d = ST_RUN;
  end

  assign imem_req_o = x_done | (started_q & ~x_valid_q);
  assign imem_addr_o = next_pc[TcmAw+1:2];

  always_comb begin
    if (!x_valid_q) next_pc = x_pc_q;
    else if (trap) next_pc = csr_trap_target;
    else if (dec_mret) next_pc = csr_mepc;
    else if (jump) next_pc = {agu[31:2], 2'b00};
    else next_pc = pc_plus4;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      x_valid_q <= 1'b0;
      x_pc_q <= ResetPc;
      state_q <= ST_RUN;
    end else begin
      started_q <= 1'b1;
      state_q <= state_d;
      if (imem_req_o) begin
        x_valid_q <= 1'b1;
        x_pc_q <= next_pc;
      end
    end
  end

  assign sleep_o = state_q == ST_SLEEP;

  // ---------------------------------------------------------------- X: control and status registers
  mp_csr #(.HartId(HartId)) u_csr (
    .clk_i,
    .rst_ni,
    .acc_valid_i  (dec_csr),
    .acc_commit_i (run & dec_csr & ~trap),
    .acc_addr_i   (insn[31:20]),
    .acc_op_i     (funct3[1:0]),
    .acc_write_i  ((funct3[1:0] == 2'd1) || (insn[19:15] != 5'd0)),
    .acc_src_i    (funct3[2] ? {27'b0, insn[19:15]} : rs1),
    .rdata_o      (csr_rdata),
    .illegal_o    (csr_illegal),
    .trap_i       (trap),
    .trap_irq_i   (irq_take),
    .trap_cause_i (irq_take ? csr_irq_cause : exc_cause),
    .trap_pc_i    (x_pc_q[31:2]),
    .trap_val_i   (exc_val),
    .mret_i       (x_done & dec_mret & ~trap),
    .trap_target_o(csr_trap_target),
    .mepc_o       (csr_mepc),
    .retire_i     (x_done & ~trap),
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .irq_o        (csr_irq),
    .irq_cause_o  (csr_irq_cause),
    .wake_o       (csr_wake)
  );

  // ---------------------------------------------------------------- X to W
  always_comb begin
    if (dec_csr) result = csr_rdata;
    else if (dec_muldiv) result = md_result;
    else if (dec_jal | dec_jalr) result = pc_plus4;
    else result = alu_result;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) w_valid_q <= 1'b0;
    else w_valid_q <= x_done;
  end

  always_ff @(posedge clk_i) begin
    if (x_done) begin
      w_pc_q <= x_pc_q;
      // A wfi that ends is not decoded any more, but it is still there.
      w_insn_q <= (irq_take | fetch_fault) ? '0 : insn;
      w_rd_we_q <= dec_rd_we & ~trap & (insn[11:7] != 5'd0);
      w_data_q <= result;
      w_mem_re_q <= dec_load & ~trap;
      w_mem_we_q <= dec_store & ~trap;
      w_mem_addr_q <= trap ? exc_val : agu;
      w_mem_data_q <= ls_value;
      w_trap_q <= trap;
      w_irq_q <= irq_take;
      w_cause_q <= irq_take ? csr_irq_cause : exc_cause;
      w_mmio_rdata_q <= mmio_rdata_i;
    end
  end

  // ---------------------------------------------------------------- W
  assign w_rd_data = w_mem_re_q ? w_load_value : w_data_q;
  assign w_rf_we = w_valid_q & w_rd_we_q;

  assign retire_valid_o = w_valid_q;
  assign retire_pc_o = w_pc_q;
  assign retire_insn_o = w_insn_q;
  assign retire_rd_o = w_insn_q[11:7];
  assign retire_rd_we_o = w_rd_we_q;
  assign retire_rd_data_o = w_rd_data;
  assign retire_mem_addr_o = w_mem_addr_q;
  assign retire_mem_we_o = w_mem_we_q;
  assign retire_mem_re_o = w_mem_re_q;
  assign retire_mem_data_o = w_mem_re_q ? w_load_value : w_mem_data_q;
  assign retire_trap_o = w_trap_q;
  assign retire_cause_o = w_cause_q;
  assign retire_irq_o = w_irq_q;

endmodule
`default_nettype wire
