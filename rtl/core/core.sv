`default_nettype none
// One core: ten units (a sequencer and an engine each), the FIFOs and tokens between them, the LX scratchpad, and what the
// management processor sees of it.
//
// Latency: start, clear and halt act in the next cycle. A status stick is out one cycle after its request.
// Handshake: ring requests are valid/ready; ring responses and loads of programs and arguments are always accepted.
// Loads and clear are for a core on which nothing runs.
//
// Ports that every engine has, beside its data ports:
//   clk_i, rst_ni
//   clear_i                 one cycle, while nothing runs: forget control state and descriptor
//   halt_i                  level, from the watchdog's halt until clear: take no payload, drop the work in hand (also work that
//                           waits for a FIFO or a token), absorb memory responses in flight, then idle_o
//   pl_valid_i pl_ready_o pl_insn_i[63:0] pl_a_i[63:0] pl_b_i[63:0] pl_c_i[63:0] pl_pc_i[9:0]
//   post_valid_o post_id_o[5:0] post_ready_i
//   trap_valid_o trap_cause_o[7:0] trap_addr_o[39:0] trap_pc_o[9:0]
//   idle_o                  low from the cycle after a payload is taken until all its effects (also a trap) have happened
//   blocked_o               something is in hand, and it can go on only when a FIFO or a post does
//   ev_take_o ev_busy_o ev_stall_in_o ev_stall_out_o ev_stall_mem_o ev_item_o ev_bytes_o[7:0]
//   pt only: ev_mac_o       one row-block step
// Data ports:
//   mni_lu: rd_req_valid_o rd_req_ready_i rd_req_addr_o[39:7] rd_req_slot_o[7:0]
//           rd_rsp_valid_i rd_rsp_slot_i[7:0] rd_rsp_data_i[1023:0] rd_rsp_err_i
//           lx_req_valid_o lx_req_ready_i lx_req_we_o lx_req_addr_o[13:0] lx_req_wdata_o[1023:0] lx_req_wstrb_o[127:0]
//   mni_su: wr_req_valid_o wr_req_ready_i wr_req_addr_o[39:7] wr_req_slot_o[7:0] wr_req_data_o[1023:0] wr_req_strb_o[127:0]
//           wr_rsp_valid_i wr_rsp_slot_i[7:0] wr_rsp_err_i
//           lx_req_valid_o lx_req_ready_i lx_req_we_o lx_req_addr_o[13:0] lx_rsp_valid_i lx_rsp_data_i[1023:0]
//   lx_lu:  lx_req_valid_o lx_req_ready_i lx_req_addr_o[13:0] lx_rsp_valid_i lx_rsp_data_i[1023:0]
//           out_data_o[1023:0] to both FIFOs, pt_valid_o pt_room_i[4:0], sfu_valid_o sfu_room_i[4:0]            (by credit)
//   lx_su:  lx_req_valid_o lx_req_ready_i lx_req_addr_o[13:0] lx_req_wdata_o[1023:0] lx_req_wstrb_o[127:0]
//           in_valid_i in_ready_o in_data_i[1023:0]
//   pt:     in_valid_i in_ready_o in_data_i[1023:0] out_valid_o out_ready_i out_data_o[1023:0]
//   sfu:    x_valid_i x_ready_o x_data_i[1023:0] p_valid_i p_ready_o p_data_i[1023:0]
//           out_valid_o out_ready_i out_data_o[1023:0]
module core (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [5:0]    core_id_i,
  input  wire logic [5:0]    cores_i,

  // programs (kind 0) and arguments (kind 1): a stick to four rows of four words, of the units of a mask
  input  wire logic          ld_valid_i,
  input  wire logic          ld_kind_i,
  input  wire logic [9:0]    ld_units_i,
  input  wire logic [7:0]    ld_row_i,
  input  wire logic [1023:0] ld_data_i,

  // control pulses
  input  wire logic          clear_i,
  input  wire logic          halt_i,
  input  wire logic [9:0]    start_mask_i,

  // status
  input  wire logic          stat_req_i,
  input  wire logic [3:0]    stat_unit_i,
  output logic      [1023:0] stat_data_o,
  output logic      [9:0]    running_o,
  output logic      [9:0]    trapped_o,
  output logic      [9:0]    blocked_o,
  output logic               stopped_o,
  output logic               deadlock_o,
  output logic               leftover_fifo_o,
  output logic               leftover_token_o,
  output logic               busy_o,          // a unit runs, or an engine has work: the clock must run

  // ring: reads
  output logic               rd_req_valid_o,
  input  wire logic          rd_req_ready_i,
  output logic      [39:7]   rd_req_addr_o,
  output logic      [7:0]    rd_req_slot_o,
  input  wire logic          rd_rsp_valid_i,
  input  wire logic [7:0]    rd_rsp_slot_i,
  input  wire logic [1023:0] rd_rsp_data_i,
  input  wire logic          rd_rsp_err_i,

  // ring: writes
  output logic               wr_req_valid_o,
  input  wire logic          wr_req_ready_i,
  output logic      [39:7]   wr_req_addr_o,
  output logic      [7:0]    wr_req_slot_o,
  output logic      [1023:0] wr_req_data_o,
  output logic      [127:0]  wr_req_strb_o,
  input  wire logic          wr_rsp_valid_i,
  input  wire logic [7:0]    wr_rsp_slot_i,
  input  wire logic          wr_rsp_err_i
);
  localparam int UNITS = stp_pkg::UNITS;

  // ---------------------------------------------------------------- control
  logic clear, halt;
  logic [UNITS-1:0] start, halted, idle;

  // ---------------------------------------------------------------- tokens
  logic [UNITS-1:0] post_valid, post_ready, wait_valid, wait_ready;
  logic [UNITS*6-1:0] post_id, wait_id;

  token_matrix u_tokens (
    .clk_i,
    .rst_ni,
    .clear_i      (clear),
    .post_valid_i (post_valid),
    .post_id_i    (post_id),
    .post_ready_o (post_ready),
    .wait_valid_i (wait_valid),
    .wait_id_i    (wait_id),
    .wait_ready_o (wait_ready),
    .leftover_o   (leftover_token_o)
  );

  // ---------------------------------------------------------------- LX
  // Readers: 0 MNI-SU, 1 LX-LU0, 2 LX-LU1, 3 scalars. Writers: 0 MNI-LU, 1 LX-SU0, 2 LX-SU1.
  logic [3:0] lxr_valid, lxr_ready, lxr_rsp_valid;
  logic [4*14-1:0] lxr_addr;
  logic [1023:0] lxr_data0, lxr_data1, lxr_data2, lxr_data3;
  logic [2:0] lxw_valid, lxw_ready;
  logic [3*14-1:0] lxw_addr;
  logic [1023:0] lxw_data0, lxw_data1, lxw_data2;
  logic [127:0] lxw_strb0, lxw_strb1, lxw_strb2;

  lx_mem u_lx (
    .clk_i,
    .rst_ni,
    .rd_valid_i  (lxr_valid),
    .rd_ready_o  (lxr_ready),
    .rd_addr_i   (lxr_addr),
    .rsp_valid_o (lxr_rsp_valid),
    .rsp_data0_o (lxr_data0),
    .rsp_data1_o (lxr_data1),
    .rsp_data2_o (lxr_data2),
    .rsp_data3_o (lxr_data3),
    .wr_valid_i  (lxw_valid),
    .wr_ready_o  (lxw_ready),
    .wr_addr_i   (lxw_addr),
    .wr_data0_i  (lxw_data0),
    .wr_data1_i  (lxw_data1),
    .wr_data2_i  (lxw_data2),
    .wr_strb0_i  (lxw_strb0),
    .wr_strb1_i  (lxw_strb1),
    .wr_strb2_i  (lxw_strb2)
  );

  // Scalar loads of the six units that reach LX, in the order of their numbers.
  logic [5:0] ldx_valid, ldx_ready, ldx_sext, ldx_rsp_valid;
  logic [6*21-1:0] ldx_addr;
  logic [6*2-1:0] ldx_size;
  logic [63:0] ldx_rsp_data;

  scalar_port u_scalar (
    .clk_i,
    .rst_ni,
    .req_valid_i    (ldx_valid),
    .req_ready_o    (ldx_ready),
    .req_addr_i     (ldx_addr),
    .req_size_i     (ldx_size),
    .req_sext_i     (ldx_sext),
    .rsp_valid_o    (ldx_rsp_valid),
    .rsp_data_o     (ldx_rsp_data),
    .lx_req_valid_o (lxr_valid[3]),
    .lx_req_ready_i (lxr_ready[3]),
    .lx_req_addr_o  (lxr_addr[3*14+:14]),
    .lx_rsp_valid_i (lxr_rsp_valid[3]),
    .lx_rsp_data_i  (lxr_data3)
  );

  // ---------------------------------------------------------------- FIFOs: 4 * corelet + stp_pkg FIFO number
  logic [7:0] fi_valid, fi_ready, fo_valid, fo_ready;
  logic [8*5-1:0] fi_room;
  logic [1023:0] fi_data [8];
  logic [1023:0] fo_data [8];

  for (genvar f = 0; f < 8; f++) begin : g_fifo
    // LX-LU fills the first two of a corelet, by credit.
    stick_fifo #(
      .CREDIT (f % 4 < 2)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .clear_i     (clear),
      .id_i        ({core_id_i, 3'(f)}),
      .in_valid_i  (fi_valid[f]),
      .in_ready_o  (fi_ready[f]),
      .in_data_i   (fi_data[f]),
      .in_room_o   (fi_room[5*f+:5]),
      .out_valid_o (fo_valid[f]),
      .out_ready_i (fo_ready[f]),
      .out_data_o  (fo_data[f])
    );
  end
  assign leftover_fifo_o = |fo_valid;
  // The others work by ready.
  wire unused_room = &{1'b0, fi_room[10+:10], fi_room[30+:10], fi_ready[1:0], fi_ready[5:4]};

  // ---------------------------------------------------------------- loads
  // The stick with its rows where the sequencers' banks are: turned by the row's number mod 4, once for all of them. Zero at rest.
  logic [1023:0] ld_data;
  always_comb begin
    ld_data = '0;
    if (ld_valid_i) begin
      unique case (ld_row_i[1:0])
        2'd0: ld_data = ld_data_i;
        2'd1: ld_data = {ld_data_i[767:0], ld_data_i[1023:768]};
        2'd2: ld_data = {ld_data_i[511:0], ld_data_i[1023:512]};
        default: ld_data = {ld_data_i[255:0], ld_data_i[1023:256]};
      endcase
    end
  end

  // ---------------------------------------------------------------- units
  logic [UNITS-1:0] stat_sel;
  logic [1023:0] stat_stick [UNITS];

  for (genvar u = 0; u < UNITS; u++) begin : g_unit
    // Units 2.. are four to a corelet: LX-LU, PT, SFU, LX-SU.
    localparam int unsigned C = (u < 2) ? 0 : (u - 2) / 4;
    localparam int unsigned KIND = (u < 2) ? u : 2 + (u - 2) % 4;
    localparam bit HAS_LX = KIND != stp_pkg::KIND_PT && KIND != stp_pkg::KIND_SFU;
    localparam int unsigned F = 4 * C;
    // Its place among the units with scalar loads.
    localparam int unsigned L = (u < 2) ? u : 2 + 2 * C + ((KIND == stp_pkg::KIND_LX_SU) ? 1 : 0);

    logic pl_valid, pl_ready;
    logic [63:0] pl_insn, pl_a, pl_b, pl_c;
    logic [9:0] pl_pc;
    logic eng_trap, eng_idle, eng_blocked;
    logic [7:0] eng_cause;
    logic [39:0] eng_addr;
    logic [9:0] eng_pc;
    assign idle[u] = eng_idle;
    logic ev_take, ev_busy, ev_stall_in, ev_stall_out, ev_stall_mem, ev_item, ev_mac, ev_insn, ev_stall_token;
    logic [7:0] ev_bytes;
    logic [7:0] cause;
    logic [39:0] trap_addr;
    logic [10:0] pc;
    logic sx_valid, sx_ready, sx_sext, sx_rsp_valid;
    logic [20:0] sx_addr;
    logic [1:0] sx_size;

    seq #(
      .KIND (KIND)
    ) u_seq (
      .clk_i,
      .rst_ni,
      .core_id_i,
      .cores_i,
      .unit_i           (4'(u)),
      .corelet_i        (1'(C)),
      .clear_i          (clear),
      .halt_i           (halt),
      .start_i          (start[u]),
      .ld_prog_i        (ld_valid_i & ~ld_kind_i & ld_units_i[u]),
      .ld_args_i        (ld_valid_i & ld_kind_i & ld_units_i[u]),
      .ld_row_i,
      .ld_data_i        (ld_data),
      .wait_valid_o     (wait_valid[u]),
      .wait_id_o        (wait_id[6*u+:6]),
      .wait_ready_i     (wait_ready[u]),
      .ldx_valid_o      (sx_valid),
      .ldx_ready_i      (sx_ready),
      .ldx_addr_o       (sx_addr),
      .ldx_size_o       (sx_size),
      .ldx_sext_o       (sx_sext),
      .ldx_rsp_valid_i  (sx_rsp_valid),
      .ldx_rsp_data_i   (ldx_rsp_data),
      .pl_valid_o       (pl_valid),
      .pl_ready_i       (pl_ready),
      .pl_insn_o        (pl_insn),
      .pl_a_o           (pl_a),
      .pl_b_o           (pl_b),
      .pl_c_o           (pl_c),
      .pl_pc_o          (pl_pc),
      .eng_idle_i       (eng_idle),
      .eng_blocked_i    (eng_blocked),
      .eng_trap_i       (eng_trap),
      .eng_cause_i      (eng_cause),
      .eng_addr_i       (eng_addr),
      .eng_pc_i         (eng_pc),
      .running_o        (running_o[u]),
      .halted_o         (halted[u]),
      .trapped_o        (trapped_o[u]),
      .blocked_o        (blocked_o[u]),
      .cause_o          (cause),
      .trap_addr_o      (trap_addr),
      .pc_o             (pc),
      .ev_insn_o        (ev_insn),
      .ev_stall_token_o (ev_stall_token)
    );

    if (HAS_LX) begin : g_ldx
      assign ldx_valid[L] = sx_valid;
      assign ldx_addr[21*L+:21] = sx_addr;
      assign ldx_size[2*L+:2] = sx_size;
      assign ldx_sext[L] = sx_sext;
      assign sx_ready = ldx_ready[L];
      assign sx_rsp_valid = ldx_rsp_valid[L];
    end else begin : g_no_ldx
      // Such a sequencer takes ldx as an illegal instruction.
      assign sx_ready = 1'b0;
      assign sx_rsp_valid = 1'b0;
      wire unused_sx = &{1'b0, sx_valid, sx_addr, sx_size, sx_sext};
    end

    unit_counters u_counters (
      .clk_i,
      .rst_ni,
      .clear_i        (clear),
      .running_i      (running_o[u]),
      .halted_i       (halted[u]),
      .blocked_i      (blocked_o[u]),
      .cause_i        (cause),
      .trap_addr_i    (trap_addr),
      .pc_i           (pc),
      .ev_insn_i      (ev_insn),
      .ev_wait_tok_i  (ev_stall_token),
      .ev_post_refused_i (post_valid[u] & ~post_ready[u]),
      .ev_take_i      (ev_take),
      .ev_busy_i      (ev_busy),
      .ev_stall_in_i  (ev_stall_in),
      .ev_stall_out_i (ev_stall_out),
      .ev_stall_mem_i (ev_stall_mem),
      .ev_item_i      (ev_item),
      .ev_bytes_i     (ev_bytes),
      .ev_mac_i       (ev_mac),
      .sel_i          (stat_sel[u]),
      .stick_o        (stat_stick[u])
    );

    if (KIND == stp_pkg::KIND_MNI_LU) begin : g_engine
      logic lx_we;  // its port does only the one
      wire unused_we = lx_we;

      mni_lu u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .rd_req_valid_o,
        .rd_req_ready_i,
        .rd_req_addr_o,
        .rd_req_slot_o,
        .rd_rsp_valid_i,
        .rd_rsp_slot_i,
        .rd_rsp_data_i,
        .rd_rsp_err_i,
        .lx_req_valid_o (lxw_valid[0]),
        .lx_req_ready_i (lxw_ready[0]),
        .lx_req_we_o    (lx_we),
        .lx_req_addr_o  (lxw_addr[0*14+:14]),
        .lx_req_wdata_o (lxw_data0),
        .lx_req_wstrb_o (lxw_strb0)
      );
      assign ev_mac = 1'b0;

      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (lxw_valid[0] & lxw_ready[0]),
        .core_i  (core_id_i),
        .addr_i  (40'({lxw_addr[0*14+:14], 7'd0})),
        .data_i  (lxw_data0),
        .strb_i  (lxw_strb0)
      );
    end else if (KIND == stp_pkg::KIND_MNI_SU) begin : g_engine
      logic lx_we;  // its port does only the one
      wire unused_we = lx_we;

      mni_su u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .wr_req_valid_o,
        .wr_req_ready_i,
        .wr_req_addr_o,
        .wr_req_slot_o,
        .wr_req_data_o,
        .wr_req_strb_o,
        .wr_rsp_valid_i,
        .wr_rsp_slot_i,
        .wr_rsp_err_i,
        .lx_req_valid_o (lxr_valid[0]),
        .lx_req_ready_i (lxr_ready[0]),
        .lx_req_we_o    (lx_we),
        .lx_req_addr_o  (lxr_addr[0*14+:14]),
        .lx_rsp_valid_i (lxr_rsp_valid[0]),
        .lx_rsp_data_i  (lxr_data0)
      );
      assign ev_mac = 1'b0;

      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (wr_req_valid_o & wr_req_ready_i),
        .core_i  (core_id_i),
        .addr_i  ({wr_req_addr_o, 7'd0}),
        .data_i  (wr_req_data_o),
        .strb_i  (wr_req_strb_o)
      );
    end else if (KIND == stp_pkg::KIND_LX_LU) begin : g_engine
      logic [1023:0] lu_data;

      lx_lu u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .lx_req_valid_o (lxr_valid[1+C]),
        .lx_req_ready_i (lxr_ready[1+C]),
        .lx_req_addr_o  (lxr_addr[(1+C)*14+:14]),
        .lx_rsp_valid_i (lxr_rsp_valid[1+C]),
        .lx_rsp_data_i  (C == 0 ? lxr_data1 : lxr_data2),
        .out_data_o     (lu_data),
        .pt_valid_o     (fi_valid[F+0]),
        .pt_room_i      (fi_room[5*(F+0)+:5]),
        .sfu_valid_o    (fi_valid[F+1]),
        .sfu_room_i     (fi_room[5*(F+1)+:5])
      );
      assign fi_data[F+0] = lu_data;
      assign fi_data[F+1] = lu_data;
      assign ev_mac = 1'b0;

      // One stick leaves per cycle, to one of the two.
      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (fi_valid[F+0] | fi_valid[F+1]),
        .core_i  (core_id_i),
        .addr_i  (fi_valid[F+1] ? 40'd1 : 40'd0),
        .data_i  (lu_data),
        .strb_i  ('1)
      );
    end else if (KIND == stp_pkg::KIND_PT) begin : g_engine
      pt u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .ev_mac_o       (ev_mac),
        .in_valid_i     (fo_valid[F+0]),
        .in_ready_o     (fo_ready[F+0]),
        .in_data_i      (fo_data[F+0]),
        .out_valid_o    (fi_valid[F+2]),
        .out_ready_i    (fi_ready[F+2]),
        .out_data_o     (fi_data[F+2])
      );

      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (fi_valid[F+2] & fi_ready[F+2]),
        .core_i  (core_id_i),
        .addr_i  (40'd0),
        .data_i  (fi_data[F+2]),
        .strb_i  ('1)
      );
    end else if (KIND == stp_pkg::KIND_SFU) begin : g_engine
      sfu u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .x_valid_i      (fo_valid[F+1]),
        .x_ready_o      (fo_ready[F+1]),
        .x_data_i       (fo_data[F+1]),
        .p_valid_i      (fo_valid[F+2]),
        .p_ready_o      (fo_ready[F+2]),
        .p_data_i       (fo_data[F+2]),
        .out_valid_o    (fi_valid[F+3]),
        .out_ready_i    (fi_ready[F+3]),
        .out_data_o     (fi_data[F+3])
      );
      assign ev_mac = 1'b0;

      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (fi_valid[F+3] & fi_ready[F+3]),
        .core_i  (core_id_i),
        .addr_i  (40'd0),
        .data_i  (fi_data[F+3]),
        .strb_i  ('1)
      );
    end else begin : g_engine
      logic [1023:0] st_data;
      logic [127:0] st_strb;

      lx_su u_engine (
        .clk_i,
        .rst_ni,
        .clear_i        (clear),
        .halt_i         (halt),
        .pl_valid_i     (pl_valid),
        .pl_ready_o     (pl_ready),
        .pl_insn_i      (pl_insn),
        .pl_a_i         (pl_a),
        .pl_b_i         (pl_b),
        .pl_c_i         (pl_c),
        .pl_pc_i        (pl_pc),
        .post_valid_o   (post_valid[u]),
        .post_id_o      (post_id[6*u+:6]),
        .post_ready_i   (post_ready[u]),
        .trap_valid_o   (eng_trap),
        .trap_cause_o   (eng_cause),
        .trap_addr_o    (eng_addr),
        .trap_pc_o      (eng_pc),
        .idle_o         (eng_idle),
        .blocked_o      (eng_blocked),
        .ev_take_o      (ev_take),
        .ev_busy_o      (ev_busy),
        .ev_stall_in_o  (ev_stall_in),
        .ev_stall_out_o (ev_stall_out),
        .ev_stall_mem_o (ev_stall_mem),
        .ev_item_o      (ev_item),
        .ev_bytes_o     (ev_bytes),
        .in_valid_i     (fo_valid[F+3]),
        .in_ready_o     (fo_ready[F+3]),
        .in_data_i      (fo_data[F+3]),
        .lx_req_valid_o (lxw_valid[1+C]),
        .lx_req_ready_i (lxw_ready[1+C]),
        .lx_req_addr_o  (lxw_addr[(1+C)*14+:14]),
        .lx_req_wdata_o (st_data),
        .lx_req_wstrb_o (st_strb)
      );
      assign ev_mac = 1'b0;
      if (C == 0) begin : g_wr
        assign lxw_data1 = st_data;
        assign lxw_strb1 = st_strb;
      end else begin : g_wr
        assign lxw_data2 = st_data;
        assign lxw_strb2 = st_strb;
      end

      stick_tap #(.UNIT (u)) u_tap (
        .clk_i,
        .valid_i (lxw_valid[1+C] & lxw_ready[1+C]),
        .core_i  (core_id_i),
        .addr_i  (40'({lxw_addr[(1+C)*14+:14], 7'd0})),
        .data_i  (st_data),
        .strb_i  (st_strb)
      );
    end
  end

  core_control u_control (
    .clk_i,
    .rst_ni,
    .clear_i,
    .halt_i,
    .start_mask_i,
    .running_i  (running_o),
    .trapped_i  (trapped_o),
    .blocked_i  (blocked_o),
    .clear_o    (clear),
    .halt_o     (halt),
    .start_o    (start),
    .stopped_o,
    .deadlock_o
  );

  assign busy_o = (running_o != '0) | (idle != '1);

  // ---------------------------------------------------------------- status sticks
  always_comb begin
    stat_sel = '0;
    for (int u = 0; u < UNITS; u++) stat_sel[u] = stat_req_i && stat_unit_i == 4'(u);
  end

  logic [1023:0] stat_d;
  always_comb begin
    stat_d = '0;
    if (stat_req_i && stat_unit_i < 4'(UNITS)) stat_d = stat_stick[stat_unit_i];
  end
  always_ff @(posedge clk_i) if (stat_req_i) stat_data_o <= stat_d;
endmodule
`default_nettype wire
