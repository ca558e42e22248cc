`default_nettype none
// Sequencer of a unit: runs its program, and hands payload instructions to the engine through a queue of PAYLOAD_QUEUE.
//
// Two stages: the program memory is read in one cycle, the instruction is decoded, executed and retired in the next, while its
// successor is read. Cycles of an instruction: 1, also at the end of a hardware loop that goes round; 2 for jumps, taken branches,
// skipped loops, arg and unloop; mul 2 to 5; a division 2 to 66; ldx 3 plus the wait for the LX port. The first instruction
// executes two cycles after start_i.
//
// A trap that the sequencer finds, and halt, wait until the queue is empty and the engine idle; a trap of the engine that comes
// first has precedence. A unit that trapped or halted does not run. halt_i (a level) makes it drop what it has and stop as soon as
// the engine is idle.
//
// Registers read as zero until they are written after a clear.
//
// Handshake: payloads, token waits and scalar loads are valid/ready; they are withdrawn only by a trap or halt_i. A scalar load has
// one response, at least one cycle after its request was taken.
module seq #(
  parameter int unsigned KIND = stp_pkg::KIND_MNI_LU
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // special registers
  input  wire logic [5:0]   core_id_i,
  input  wire logic [5:0]   cores_i,
  input  wire logic [3:0]   unit_i,
  input  wire logic         corelet_i,

  input  wire logic         clear_i,
  input  wire logic         halt_i,
  input  wire logic         start_i,

  // loading of programs and arguments, a stick to four rows of four words (turned: prog_mem.sv), while the unit does not run
  input  wire logic         ld_prog_i,
  input  wire logic         ld_args_i,
  input  wire logic [7:0]   ld_row_i,
  input  wire logic [1023:0] ld_data_i,

  // token waits
  output logic              wait_valid_o,
  output logic      [5:0]   wait_id_o,
  input  wire logic         wait_ready_i,

  // scalar loads from LX
  output logic              ldx_valid_o,
  input  wire logic         ldx_ready_i,
  output logic      [20:0]  ldx_addr_o,
  output logic      [1:0]   ldx_size_o,
  output logic              ldx_sext_o,
  input  wire logic         ldx_rsp_valid_i,
  input  wire logic [63:0]  ldx_rsp_data_i,

  // payloads to the engine
  output logic              pl_valid_o,
  input  wire logic         pl_ready_i,
  output logic      [63:0]  pl_insn_o,
  output logic      [63:0]  pl_a_o,
  output logic      [63:0]  pl_b_o,
  output logic      [63:0]  pl_c_o,
  output logic      [9:0]   pl_pc_o,

  // state of the engine
  input  wire logic         eng_idle_i,
  input  wire logic         eng_blocked_i,
  input  wire logic         eng_trap_i,
  input  wire logic [7:0]   eng_cause_i,
  input  wire logic [39:0]  eng_addr_i,
  input  wire logic [9:0]   eng_pc_i,

  // state of the unit
  output logic              running_o,
  output logic              halted_o,
  output logic              trapped_o,
  output logic              blocked_o,
  output logic      [7:0]   cause_o,
  output logic      [39:0]  trap_addr_o,
  output logic      [10:0]  pc_o,
  output logic              ev_insn_o,
  output logic              ev_stall_token_o
);
  typedef enum logic [2:0] {
    OFF,    // does not run
    RUN,    // executes
    ARG,    // an argument comes from its memory
    LDX,    // a scalar load is under way
    MD,     // multiplies or divides
    UNLOOP, // a loop was dropped, the next pc depends on the one around it
    DRAIN,  // waits for the engine, then halts or traps
    STOP    // waits for the engine, then stops: halt_i
  } state_e;

  state_e state_q, state_d;
  logic halted_q, trapped_q;
  logic [7:0] cause_q;      // in DRAIN: of the trap to come, none for halt
  logic [39:0] trap_addr_q;
  logic load_flight_q;      // a scalar load was taken and not answered

  // ---------------------------------------------------------------- fetch
  logic insn_valid_q;       // insn is the instruction at pc_q
  logic [10:0] pc_q;
  logic redirect_q;         // fetch from target_q in this cycle
  logic [9:0] target_q;
  logic [10:0] next_pc;
  logic [63:0] insn;
  logic retire, jump;
  logic [9:0] jump_to;

  wire fetch = redirect_q | (retire & ~jump);
  wire [10:0] fetch_pc = redirect_q ? {1'b0, target_q} : next_pc;

  prog_mem u_prog (
    .clk_i,
    .we_i    (ld_prog_i),
    .row_i   (ld_row_i),
    .wdata_i (ld_data_i),
    .re_i    (fetch & ~fetch_pc[10]),
    .addr_i  (fetch_pc[9:0]),
    .rdata_o (insn)
  );

  // ---------------------------------------------------------------- decode, operands
  logic illegal, bad_token, payload, postinc;
  seq_decode #(
    .KIND (KIND)
  ) u_decode (
    .en_i        (insn_valid_q),
    .insn_i      (insn),
    .illegal_o   (illegal),
    .bad_token_o (bad_token),
    .payload_o   (payload),
    .postinc_o   (postinc)
  );

  wire [7:0] op = insn[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire [4:0] rd = insn[stp_pkg::RD_HI:stp_pkg::RD_LO];
  wire [4:0] ra = insn[stp_pkg::RA_HI:stp_pkg::RA_LO];
  wire [4:0] rb = insn[stp_pkg::RB_HI:stp_pkg::RB_LO];
  wire [8:0] aux = insn[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  wire [31:0] imm = insn[stp_pkg::IMM_HI:stp_pkg::IMM_LO];

  logic [63:0] regs [stp_pkg::REGS];
  logic [stp_pkg::REGS-1:0] written_q;
  wire [63:0] imm64 = {{32{imm[31]}}, imm};
  logic [63:0] a, b, c;
  always_comb begin
    a = '0;
    b = '0;
    c = '0;
    if (insn_valid_q) begin
      if (written_q[ra]) a = regs[ra];
      if (written_q[rb]) b = regs[rb];
      // ra + imm; of a loop, ra + imm[31:12].
      c = a + ((op == stp_pkg::OP_LOOP) ? {{44{imm[31]}}, imm[31:12]} : imm64);
    end
  end

  wire alu_imm = op >= stp_pkg::OP_ADDI;
  wire [4:0] alu_n = alu_imm ? 5'(op - stp_pkg::OP_ADDI) : 5'(op - stp_pkg::OP_ADD);
  logic [63:0] alu_y;
  logic eq, lt, ltu;
  seq_alu u_alu (
    .en_i  (insn_valid_q),
    .n_i   (alu_n),
    .a_i   (a),
    .b_i   (alu_imm ? imm64 : b),
    .y_o   (alu_y),
    .eq_o  (eq),
    .lt_o  (lt),
    .ltu_o (ltu)
  );

  logic md_start, md_done;
  logic [63:0] md_result;
  seq_muldiv u_muldiv (
    .clk_i,
    .rst_ni,
    .clear_i  (clear_i),
    .start_i  (md_start),
    .op_i     ({3'd0, alu_n} + stp_pkg::OP_ADD),
    .a_i      (a),
    .b_i      (alu_imm ? imm64 : b),
    .done_o   (md_done),
    .result_o (md_result)
  );

  // ---------------------------------------------------------------- arguments
  logic arg_read;
  logic [63:0] arg_word;
  prog_mem #(
    .WORDS (stp_pkg::ARGS)
  ) u_args (
    .clk_i,
    .we_i    (ld_args_i),
    .row_i   (ld_row_i[3:0]),
    .wdata_i (ld_data_i),
    .re_i    (arg_read),
    .addr_i  (c[5:0]),
    .rdata_o (arg_word)
  );

  // ---------------------------------------------------------------- loops
  logic loop_push, loop_pop, loop_at_end, loop_again, loop_empty, loop_full, loop_turn;
  logic [10:0] loop_first;
  seq_loops u_loops (
    .clk_i,
    .rst_ni,
    .clear_i,
    .push_i   (loop_push),
    .first_i  (pc_q + 1'b1),
    .end_i    (imm[11:0]),
    .count_i  (c),
    .pop_i    (loop_pop | (loop_turn & ~loop_again)),
    .step_i   (loop_turn & loop_again),
    .pc_i     (pc_q),
    .at_end_o (loop_at_end),
    .again_o  (loop_again),
    .first_o  (loop_first),
    .empty_o  (loop_empty),
    .full_o   (loop_full)
  );
  // An instruction that does not jump ends an iteration.
  assign loop_turn = retire & ~jump & ~loop_push & loop_at_end;
  assign next_pc = (loop_turn & loop_again) ? loop_first : pc_q + 1'b1;

  // ---------------------------------------------------------------- payload queue
  logic queue_push, queue_ready;
  fifo #(
    .WIDTH (4 * 64 + 10),
    .DEPTH (stp_pkg::PAYLOAD_QUEUE)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .clear_i     (clear_i | halt_i),
    .in_valid_i  (queue_push),
    .in_ready_o  (queue_ready),
    .in_data_i   ({pc_q[9:0], insn, a, b, c}),
    .out_valid_o (pl_valid_o),
    .out_ready_i (pl_ready_i),
    .out_data_o  ({pl_pc_o, pl_insn_o, pl_a_o, pl_b_o, pl_c_o})
  );
  wire drained = ~pl_valid_o & eng_idle_i;

  // ---------------------------------------------------------------- execute
  // What the instruction in hand wants to do; the state machine below lets it.
  logic write;
  logic [63:0] value;
  logic fault;
  logic [7:0] fault_cause;
  logic [39:0] fault_addr;
  logic halting, halt_done, load_taken, stuck, token_stall;
  logic try_jump;
  logic [63:0] try_to;

  wire exec = (state_q == RUN) & insn_valid_q;
  wire [2:0] low_bits = 3'((4'd1 << aux[1:0]) - 4'd1);

  always_comb begin
    state_d = state_q;
    retire = 1'b0;
    write = 1'b0;
    value = alu_y;
    fault = 1'b0;
    fault_cause = stp_pkg::CAUSE_NONE;
    fault_addr = c[39:0];
    halting = 1'b0;
    halt_done = 1'b0;
    load_taken = 1'b0;
    token_stall = 1'b0;
    stuck = 1'b0;
    try_jump = 1'b0;
    try_to = imm64;
    queue_push = 1'b0;
    wait_valid_o = 1'b0;
    ldx_valid_o = 1'b0;
    arg_read = 1'b0;
    md_start = 1'b0;
    loop_push = 1'b0;
    loop_pop = 1'b0;

    if (exec) begin
      if (pc_q[10]) begin
        fault = 1'b1;
        fault_cause = stp_pkg::CAUSE_PC_RANGE;
        fault_addr = 40'(pc_q);
      end else if (illegal) begin
        fault = 1'b1;
        fault_cause = stp_pkg::CAUSE_ILLEGAL;
        fault_addr = insn[39:0];
      end else if (bad_token) begin
        fault = 1'b1;
        fault_cause = stp_pkg::CAUSE_BAD_TOKEN;
        fault_addr = 40'(aux);
      end else if (payload) begin
        queue_push = 1'b1;
        retire = queue_ready;
        stuck = ~queue_ready;
        write = postinc;
        value = c;
      end else begin
        case (op)
          stp_pkg::OP_NOP: retire = 1'b1;
          stp_pkg::OP_HALT: halting = 1'b1;
          stp_pkg::OP_TRAPIF: begin
            retire = a == '0;
            fault = a != '0;
            fault_cause = stp_pkg::CAUSE_TRAPIF;
            fault_addr = imm64[39:0];
          end
          stp_pkg::OP_WAIT: begin
            wait_valid_o = 1'b1;
            retire = wait_ready_i;
            token_stall = ~wait_ready_i;
            stuck = ~wait_ready_i;
          end
          stp_pkg::OP_JMP: {retire, try_jump} = 2'b11;
          stp_pkg::OP_JAL: begin
            {retire, try_jump, write} = 3'b111;
            value = 64'(pc_q) + 64'd1;
          end
          stp_pkg::OP_JR: begin
            {retire, try_jump} = 2'b11;
            try_to = a;
          end
          stp_pkg::OP_BEQ: {retire, try_jump} = {1'b1, eq};
          stp_pkg::OP_BNE: {retire, try_jump} = {1'b1, ~eq};
          stp_pkg::OP_BLT: {retire, try_jump} = {1'b1, lt};
          stp_pkg::OP_BGE: {retire, try_jump} = {1'b1, ~lt};
          stp_pkg::OP_BLTU: {retire, try_jump} = {1'b1, ltu};
          stp_pkg::OP_BGEU: {retire, try_jump} = {1'b1, ~ltu};
          stp_pkg::OP_LOOP: begin
            fault_cause = stp_pkg::CAUSE_BAD_LOOP;
            fault_addr = 40'(imm[11:0]);
            if (imm[11:0] <= {1'b0, pc_q}) begin
              fault = 1'b1;
            end else if (c[63] | (c == '0)) begin
              {retire, try_jump} = 2'b11;
              try_to = 64'(imm[11:0]) + 64'd1;
            end else if (loop_full) begin
              fault = 1'b1;
            end else begin
              {retire, loop_push} = 2'b11;
            end
          end
          stp_pkg::OP_UNLOOP: begin
            fault = loop_empty;
            fault_cause = stp_pkg::CAUSE_BAD_LOOP;
            fault_addr = '0;
            loop_pop = ~loop_empty;
            state_d = UNLOOP;
          end
          stp_pkg::OP_SPR: begin
            {retire, write} = 2'b11;
            case (aux)
              stp_pkg::SPR_CORE: value = 64'(core_id_i);
              stp_pkg::SPR_CORES: value = 64'(cores_i);
              stp_pkg::SPR_CORELET: value = 64'(corelet_i);
              default: value = 64'(unit_i);
            endcase
          end
          stp_pkg::OP_ARG: begin
            fault = c >= 64'(stp_pkg::ARGS);
            fault_cause = stp_pkg::CAUSE_ARG_RANGE;
            arg_read = 1'b1;
            state_d = ARG;
          end
          stp_pkg::OP_LDX: begin
            if ((c[2:0] & low_bits) != '0) begin
              fault = 1'b1;
              fault_cause = stp_pkg::CAUSE_LX_MISALIGNED;
            end else if (c >= 64'(stp_pkg::LX_BYTES)) begin
              fault = 1'b1;
              fault_cause = stp_pkg::CAUSE_LX_RANGE;
            end else begin
              ldx_valid_o = 1'b1;
              load_taken = ldx_ready_i;
              if (ldx_ready_i) state_d = LDX;
            end
          end
          stp_pkg::OP_CMOVNZ: begin
            retire = 1'b1;
            write = b != '0;
            value = a;
          end
          stp_pkg::OP_MOVHI: begin
            {retire, write} = 2'b11;
            value = {imm, a[31:0]};
          end
          stp_pkg::OP_MUL, stp_pkg::OP_MULI, stp_pkg::OP_DIVS, stp_pkg::OP_DIVSI, stp_pkg::OP_DIVU, stp_pkg::OP_DIVUI,
          stp_pkg::OP_REMS, stp_pkg::OP_REMSI, stp_pkg::OP_REMU, stp_pkg::OP_REMUI: begin
            md_start = 1'b1;
            state_d = MD;
          end
          default: {retire, write} = 2'b11;  // the other ALU operations
        endcase
      end
      if (try_jump && try_to >= 64'(stp_pkg::PROG_WORDS)) begin
        retire = 1'b0;
        fault = 1'b1;
        fault_cause = stp_pkg::CAUSE_PC_RANGE;
        fault_addr = try_to[39:0];
      end
      if (fault | halting) state_d = DRAIN;
    end else begin
      case (state_q)
        ARG: begin
          {retire, write} = 2'b11;
          value = arg_word;
          state_d = RUN;
        end
        LDX: begin
          retire = ldx_rsp_valid_i;
          write = 1'b1;
          value = ldx_rsp_data_i;
          if (ldx_rsp_valid_i) state_d = RUN;
        end
        MD: begin
          retire = md_done;
          write = 1'b1;
          value = md_result;
          if (md_done) state_d = RUN;
        end
        UNLOOP: begin
          retire = 1'b1;
          state_d = RUN;
        end
        DRAIN: begin
          stuck = 1'b1;
          halt_done = drained & (cause_q == stp_pkg::CAUSE_NONE) & ~eng_trap_i & ~halt_i;
          if (drained) state_d = OFF;
        end
        STOP: if (drained & ~load_flight_q) state_d = OFF;
        default: ;
      endcase
    end

    if (state_q != OFF && state_q != STOP) begin
      if (halt_i) state_d = STOP;
      else if (eng_trap_i) state_d = OFF;
    end
    if (start_i & (state_q == OFF) & ~trapped_q & ~halt_i) state_d = RUN;
    if (clear_i) state_d = OFF;
  end

  assign jump = try_jump;
  assign jump_to = try_to[9:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= OFF;
      halted_q <= 1'b0;
      trapped_q <= 1'b0;
      cause_q <= stp_pkg::CAUSE_NONE;
      trap_addr_q <= '0;
      load_flight_q <= 1'b0;
      insn_valid_q <= 1'b0;
      pc_q <= '0;
      redirect_q <= 1'b0;
      target_q <= '0;
      written_q <= '0;
    end else begin
      state_q <= state_d;
      if (load_taken) load_flight_q <= 1'b1;
      else if (ldx_rsp_valid_i) load_flight_q <= 1'b0;

      // fetch
      redirect_q <= 1'b0;
      if (redirect_q | retire) begin
        insn_valid_q <= fetch;
        if (fetch) pc_q <= fetch_pc;
      end
      if (retire & jump) begin
        redirect_q <= 1'b1;
        target_q <= jump_to;
      end
      if (retire & write & (rd != '0)) written_q[rd] <= 1'b1;

      // end of the run
      if (exec & fault) begin
        cause_q <= fault_cause;
        trap_addr_q <= fault_addr;
      end
      if (state_q == DRAIN && state_d == OFF && !eng_trap_i) begin
        if (cause_q == stp_pkg::CAUSE_NONE) halted_q <= 1'b1;
        else trapped_q <= 1'b1;
      end
      if (state_q == STOP && state_d == OFF) halted_q <= 1'b1;
      if (state_d == STOP) cause_q <= stp_pkg::CAUSE_NONE;
      if (state_q != OFF && state_q != STOP && !halt_i && eng_trap_i) begin
        trapped_q <= 1'b1;
        cause_q <= eng_cause_i;
        trap_addr_q <= eng_addr_i;
        pc_q <= {1'b0, eng_pc_i};
      end
      if (state_d == OFF || state_d == STOP) begin
        insn_valid_q <= 1'b0;
        redirect_q <= 1'b0;
      end

      if (start_i & (state_q == OFF) & ~trapped_q & ~halt_i) begin
        halted_q <= 1'b0;
        redirect_q <= 1'b1;
        target_q <= '0;
        pc_q <= '0;
        insn_valid_q <= 1'b0;
      end
      if (clear_i) begin
        halted_q <= 1'b0;
        trapped_q <= 1'b0;
        cause_q <= stp_pkg::CAUSE_NONE;
        trap_addr_q <= '0;
        written_q <= '0;
        pc_q <= '0;
        insn_valid_q <= 1'b0;
        redirect_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) if (retire & write & (rd != '0)) regs[rd] <= value;

  assign wait_id_o = aux[5:0];
  assign ldx_addr_o = c[20:0];
  assign ldx_size_o = aux[1:0];
  assign ldx_sext_o = aux[2];

  assign running_o = state_q != OFF;
  assign halted_o = halted_q;
  assign trapped_o = trapped_q;
  assign cause_o = trapped_q ? cause_q : stp_pkg::CAUSE_NONE;
  assign trap_addr_o = trapped_q ? trap_addr_q : '0;
  assign pc_o = pc_q;
  assign blocked_o = stuck & (eng_blocked_i | (token_stall & drained));
  assign ev_insn_o = retire | halt_done;
  assign ev_stall_token_o = token_stall;
endmodule
`default_nettype wire
