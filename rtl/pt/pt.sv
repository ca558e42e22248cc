`default_nettype none
// PT, the matrix unit: the engine of wload, mm, aload, drain and post (arch/isa.toml), weight stationary.
//
//   sticks ─► loader ─► weights (2 banks) ┐
//                   └─► row sticks (2 groups of 8) ─► walker ─► array of 8 PE rows ─► accumulators (2 halves) ─► drain ─► SFU
//                   └─► start values ───────────────────────────────────────────────┘
//
// Payloads are taken in order and handed to the loader, to the drain or to the queue of posts, which work at the same time.
// What orders them: a wload waits for the groups that use its bank; mm and aload wait for earlier drains of their half, a
// drain for earlier mm and aload of its half, an aload for earlier mm; a post waits for everything before it.
//
// Timing: one step (a row times an 8x64 block) per cycle, with no cycle lost between blocks, groups, banks, halves and
// instructions while sticks are there. A group's first step is in the cycle after its last row was taken; its sum is in the
// accumulators 21 cycles later. A step on an accumulator row follows the last one on it after four cycles at the earliest. A drain sends
// one stick per cycle, the first one two cycles after the last write that it waits for.
//
// Traps: ILLEGAL (addr = low 40 bits of the instruction) for another opcode, bits of aux that the instruction does not name,
// or a format that is not listed; BAD_OPERAND (addr = the value) for, in this order, nblk outside 1..8, a count over 64, and
// a first row over 64 - count. A trap is reported when all earlier work is done.
module pt #(
  parameter int unsigned LANES = 64
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,
  input  wire logic          halt_i,

  // payloads
  input  wire logic          pl_valid_i,
  output logic               pl_ready_o,
  input  wire logic [63:0]   pl_insn_i,
  input  wire logic [63:0]   pl_a_i,
  input  wire logic [63:0]   pl_b_i,
  input  wire logic [63:0]   pl_c_i,
  input  wire logic [9:0]    pl_pc_i,

  // FIFO from LX-LU, FIFO to SFU
  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire logic [1023:0] in_data_i,
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output logic [1023:0]      out_data_o,

  // posts, traps, state
  output logic               post_valid_o,
  output logic [5:0]         post_id_o,
  input  wire logic          post_ready_i,
  output logic               trap_valid_o,
  output logic [7:0]         trap_cause_o,
  output logic [39:0]        trap_addr_o,
  output logic [9:0]         trap_pc_o,
  output logic               idle_o,
  output logic               blocked_o,

  // events
  output logic               ev_take_o,
  output logic               ev_busy_o,
  output logic               ev_stall_in_o,   // no step, and the loader waits for the FIFO
  output logic               ev_stall_out_o,  // the drain waits for the FIFO
  output logic               ev_stall_mem_o,  // never
  output logic               ev_item_o,
  output logic [7:0]         ev_bytes_o,
  output logic               ev_mac_o         // a step
);
  localparam int unsigned CW = 6;  // counts of work under way, modulo 2^CW

  // --- decoding ---
  wire [7:0] op = pl_insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire [8:0] aux = pl_insn_i[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  wire is_wload = op == stp_pkg::OP_WLOAD;
  wire is_mm = op == stp_pkg::OP_MM;
  wire is_aload = op == stp_pkg::OP_ALOAD;
  wire is_drain = op == stp_pkg::OP_DRAIN;
  wire is_post = op == stp_pkg::OP_POST;
  wire has_rows = is_mm | is_aload | is_drain;
  wire [3:0] nblk = aux[5:2];
  wire half = aux[1];
  wire no_rows = pl_a_i == 64'd0;
  wire [6:0] room = 7'd64 - pl_a_i[6:0];

  logic illegal, bad_nblk, bad_count, bad_row;
  always_comb begin
    illegal = 1'b1;
    if (is_wload) illegal = aux[1] | (|aux[8:6]);
    if (is_mm) illegal = aux[8];
    if (is_aload) illegal = aux[0] | (|aux[6:2]) | (aux[8:7] == 2'd3);
    if (is_drain) illegal = aux[0] | (|aux[8:2]);
    if (is_post) illegal = 1'b0;
    bad_nblk = (is_wload | is_mm) & ((nblk == 4'd0) | (nblk > 4'd8));
    bad_count = has_rows & (pl_a_i > 64'd64);
    bad_row = has_rows & (pl_b_i > {57'd0, room});
  end
  wire bad = illegal | bad_nblk | bad_count | bad_row;

  // --- traps, halt ---
  logic bad_q, halted_q, rest;
  logic [7:0] cause_q;
  logic [39:0] addr_q;
  logic [9:0] pc_q;
  wire take = pl_valid_i & pl_ready_o;
  wire drop = clear_i | halt_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bad_q <= 1'b0;
      halted_q <= 1'b0;
    end else if (clear_i) begin
      bad_q <= 1'b0;
      halted_q <= 1'b0;
    end else if (halt_i) begin
      bad_q <= trap_valid_o;
      halted_q <= 1'b1;
    end else begin
      bad_q <= bad_q | (take & bad);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take & bad) begin
      cause_q <= illegal ? stp_pkg::CAUSE_ILLEGAL : stp_pkg::CAUSE_BAD_OPERAND;
      addr_q <= illegal ? pl_insn_i[39:0] : bad_nblk ? {36'd0, nblk} : bad_count ? pl_a_i[39:0] : pl_b_i[39:0];
      pc_q <= pl_pc_i;
    end
  end
  assign trap_valid_o = bad_q & rest;
  assign trap_cause_o = cause_q;
  assign trap_addr_o = addr_q;
  assign trap_pc_o = pc_q;

  // --- dispatch ---
  wire ld_ready, dr_ready, po_ready;
  always_comb begin
    pl_ready_o = 1'b1;
    if (~bad & ~no_rows & is_drain) pl_ready_o = dr_ready;
    if (~bad & (is_wload | (~no_rows & (is_mm | is_aload)))) pl_ready_o = ld_ready;
    if (~bad & is_post) pl_ready_o = po_ready;
    if (bad_q | halted_q | halt_i) pl_ready_o = 1'b0;
  end
  wire ld_push = take & ~bad & (is_wload | (~no_rows & (is_mm | is_aload)));
  wire dr_push = take & ~bad & ~no_rows & is_drain;
  wire po_push = take & ~bad & is_post;

  // Counts of work started and done: wloads, writes (mm, aload) and drains of each half.
  logic [CW-1:0] wloads_q, wloads_done_q, writes0_q, writes1_q, drains0_q, drains1_q;
  logic [2*CW-1:0] writes_done_q, drains_done_q;
  wire wload_done, aload_done, load_half, commit_mm, commit_half, dr_done, dr_half;
  wire write_done0 = (aload_done & ~load_half) | (commit_mm & ~commit_half);
  wire write_done1 = (aload_done & load_half) | (commit_mm & commit_half);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wloads_q <= '0;
      wloads_done_q <= '0;
      writes0_q <= '0;
      writes1_q <= '0;
      writes_done_q <= '0;
      drains0_q <= '0;
      drains1_q <= '0;
      drains_done_q <= '0;
    end else if (clear_i) begin
      wloads_q <= '0;
      wloads_done_q <= '0;
      writes0_q <= '0;
      writes1_q <= '0;
      writes_done_q <= '0;
      drains0_q <= '0;
      drains1_q <= '0;
      drains_done_q <= '0;
    end else begin
      if (ld_push & is_wload) wloads_q <= wloads_q + 1'b1;
      if (ld_push & ~is_wload & ~half) writes0_q <= writes0_q + 1'b1;
      if (ld_push & ~is_wload & half) writes1_q <= writes1_q + 1'b1;
      if (dr_push & ~half) drains0_q <= drains0_q + 1'b1;
      if (dr_push & half) drains1_q <= drains1_q + 1'b1;
      if (wload_done) wloads_done_q <= wloads_done_q + 1'b1;
      if (write_done0) writes_done_q[0+:CW] <= writes_done_q[0+:CW] + 1'b1;
      if (write_done1) writes_done_q[CW+:CW] <= writes_done_q[CW+:CW] + 1'b1;
      if (dr_done & ~dr_half) drains_done_q[0+:CW] <= drains_done_q[0+:CW] + 1'b1;
      if (dr_done & dr_half) drains_done_q[CW+:CW] <= drains_done_q[CW+:CW] + 1'b1;
    end
  end

  // --- loader, walker, array, accumulators, drain, posts ---
  wire [7:0] w_we;
  wire [3:0] w_addr, x_addr;
  wire x_we;
  wire [1:0] group_valid;
  wire group_sel, group_bank, group_half, group_zero, group_bf16, group_mm_last, group_done;
  wire [3:0] group_rows, group_nblk;
  wire [5:0] group_row;
  wire [CW-1:0] group_drains;
  wire free_valid, free_bank, commit_group;
  wire load;
  wire [5:0] load_row;
  wire [LANES*32-1:0] load_data, rd_data, chunk;
  wire want, ld_empty, dr_empty, po_empty, acc_busy;
  wire step_valid, step_load, step_zero, step_last, chunk_valid;
  wire [3:0] step_x;
  wire [2:0] step_block;
  wire [5:0] step_row;
  wire rd, rd_half;
  wire [5:0] rd_row;

  pt_loader #(.LANES(LANES), .CW(CW)) u_loader (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .push_i(ld_push),
    .ready_o(ld_ready),
    .push_wload_i(is_wload),
    .push_aload_i(is_aload),
    .push_bank_i(aux[0]),
    .push_half_i(half),
    .push_nblk_i(nblk),
    .push_zero_i(aux[6]),
    .push_fmt_i(aux[8:7]),
    .push_last_i(pl_a_i[5:0] - 6'd1),
    .push_row_i(pl_b_i[5:0]),
    .push_drains_i(half ? drains1_q : drains0_q),
    .in_valid_i,
    .in_ready_o,
    .in_data_i,
    .w_we_o(w_we),
    .w_addr_o(w_addr),
    .x_we_o(x_we),
    .x_addr_o(x_addr),
    .group_valid_o(group_valid),
    .group_sel_i(group_sel),
    .group_rows_o(group_rows),
    .group_bank_o(group_bank),
    .group_half_o(group_half),
    .group_nblk_o(group_nblk),
    .group_zero_o(group_zero),
    .group_bf16_o(group_bf16),
    .group_row_o(group_row),
    .group_mm_last_o(group_mm_last),
    .group_drains_o(group_drains),
    .group_done_i(group_done),
    .free_valid_i(free_valid),
    .free_bank_i(free_bank),
    .commit_valid_i(commit_group),
    .commit_half_i(commit_half),
    .drains_done_i(drains_done_q),
    .load_o(load),
    .load_half_o(load_half),
    .load_row_o(load_row),
    .load_data_o(load_data),
    .wload_done_o(wload_done),
    .aload_done_o(aload_done),
    .want_o(want),
    .empty_o(ld_empty)
  );

  pt_walk #(.CW(CW)) u_walk (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .group_valid_i(group_valid),
    .group_sel_o(group_sel),
    .group_rows_i(group_rows),
    .group_half_i(group_half),
    .group_nblk_i(group_nblk),
    .group_zero_i(group_zero),
    .group_row_i(group_row),
    .group_drains_i(group_drains),
    .group_done_o(group_done),
    .drains_done_i(drains_done_q),
    .step_valid_o(step_valid),
    .step_x_o(step_x),
    .step_load_o(step_load),
    .step_block_o(step_block),
    .step_row_o(step_row),
    .step_zero_o(step_zero),
    .step_last_o(step_last)
  );

  pt_array #(.LANES(LANES)) u_array (
    .clk_i,
    .rst_ni,
    .x_we_i(x_we),
    .x_addr_i(x_addr),
    .x_data_i(in_data_i),
    .w_we_i(w_we),
    .w_addr_i(w_addr),
    .w_data_i(in_data_i[LANES*16-1:0]),
    .step_valid_i(step_valid),
    .step_x_i(step_x),
    .step_load_i(step_load),
    .step_bank_i(group_bank),
    .step_block_i(step_block),
    .step_bf16_i(group_bf16),
    .step_last_i(step_last),
    .chunk_valid_o(chunk_valid),
    .chunk_o(chunk),
    .free_valid_o(free_valid),
    .free_bank_o(free_bank)
  );

  pt_acc #(.LANES(LANES), .CHUNK_LATENCY(18)) u_acc (
    .clk_i,
    .rst_ni,
    .step_valid_i(step_valid),
    .step_half_i(group_half),
    .step_row_i(step_row),
    .step_zero_i(step_zero),
    .step_group_last_i(step_last),
    .step_mm_last_i(step_last & group_mm_last),
    .chunk_valid_i(chunk_valid),
    .chunk_i(chunk),
    .commit_group_o(commit_group),
    .commit_mm_o(commit_mm),
    .commit_half_o(commit_half),
    .busy_o(acc_busy),
    .load_i(load),
    .load_half_i(load_half),
    .load_row_i(load_row),
    .load_data_i(load_data),
    .rd_i(rd),
    .rd_half_i(rd_half),
    .rd_row_i(rd_row),
    .rd_data_o(rd_data)
  );

  pt_drain #(.LANES(LANES), .CW(CW)) u_drain (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .push_i(dr_push),
    .ready_o(dr_ready),
    .push_half_i(half),
    .push_last_i(pl_a_i[5:0] - 6'd1),
    .push_row_i(pl_b_i[5:0]),
    .push_writes_i(half ? writes1_q : writes0_q),
    .writes_done_i(writes_done_q),
    .rd_o(rd),
    .rd_half_o(rd_half),
    .rd_row_o(rd_row),
    .rd_data_i(rd_data),
    .out_valid_o,
    .out_ready_i,
    .out_data_o,
    .done_o(dr_done),
    .done_half_o(dr_half),
    .empty_o(dr_empty)
  );

  post_queue #(.CLASSES(5), .CW(CW)) u_posts (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .push_i(po_push),
    .push_id_i(aux[5:0]),
    .ready_o(po_ready),
    .started_i({wloads_q, writes1_q, writes0_q, drains1_q, drains0_q}),
    .done_i({wloads_done_q, writes_done_q, drains_done_q}),
    .valid_o(post_valid_o),
    .id_o(post_id_o),
    .ready_i(post_ready_i),
    .empty_o(po_empty)
  );

  // --- state ---
  assign rest = ld_empty & dr_empty & po_empty & ~acc_busy;
  assign idle_o = rest;

  // Blocked: work is in hand, nothing is under way, and nothing moved in the last two cycles (the internal waits that end by
  // themselves are not longer than one).
  logic [1:0] still_q;
  wire moves = take | (in_valid_i & in_ready_o) | step_valid | acc_busy | rd | (out_valid_o & out_ready_i)
               | (post_valid_o & post_ready_i) | drop;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) still_q <= 2'b00;
    else still_q <= {still_q[0] & ~moves, ~moves};
  end
  assign blocked_o = ~rest & still_q[1] & ~moves;

  assign ev_take_o = take;
  assign ev_busy_o = ~rest;
  assign ev_stall_in_o = want & ~in_valid_i & ~step_valid;
  assign ev_stall_out_o = out_valid_o & ~out_ready_i;
  assign ev_stall_mem_o = 1'b0;
  assign ev_item_o = out_valid_o & out_ready_i;
  assign ev_bytes_o = ev_item_o ? 8'd128 : 8'd0;
  assign ev_mac_o = step_valid;

  wire unused_ok = &{1'b0, pl_c_i, pl_insn_i[55:41]};
endmodule
`default_nettype wire
