`default_nettype none
// MNI-SU: the engine that moves data from LX to global memory. isa.toml has the instructions, mni_rows.sv the exact rules of
// rows, limits and traps.
//
//   payload -> mni_rows -> rows ─┬─> one LX read per LX stick -> stick buffer ┐
//                                └─> row queue ───────────────────────────────┴─> mni_align -> DRAM writes (ring)
//                                                                          └─> marks (posts, trap) with their place
//   write responses, in any order -> slots, retired in program order -> marks fire
//
// Each row gives one DRAM write per DRAM stick that it touches, with strobes, in order, one per cycle; a row takes
// max(DRAM sticks, LX sticks) cycles. A post fires when every earlier write has been answered, and does not hold up later
// writes until MARKS of them wait. The first failed write in program order stops the unit; it is reported (address: the
// stick) once every response has come.
//
// Latency: xfer taken to first LX read valid: 4 cycles; LX data to write valid: 4 cycles.
// Handshake: valid/ready; valids are functions of registers. trap_valid_o holds until clear_i. After halt_i the engine drops
// all work, waits for responses under way, and takes nothing until clear_i, which must come while idle_o.
module mni_su (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,
  input  wire logic          halt_i,
  // payload
  input  wire logic          pl_valid_i,
  output logic               pl_ready_o,
  input  wire logic [63:0]   pl_insn_i,
  input  wire logic [63:0]   pl_a_i,
  input  wire logic [63:0]   pl_b_i,
  input  wire logic [63:0]   pl_c_i,
  input  wire logic [9:0]    pl_pc_i,
  // tokens, traps, state
  output logic               post_valid_o,
  output logic      [5:0]    post_id_o,
  input  wire logic          post_ready_i,
  output logic               trap_valid_o,
  output logic      [7:0]    trap_cause_o,
  output logic      [39:0]   trap_addr_o,
  output logic      [9:0]    trap_pc_o,
  output logic               idle_o,
  output logic               blocked_o,
  // LX: reads only
  output logic               lx_req_valid_o,
  input  wire logic          lx_req_ready_i,
  output logic               lx_req_we_o,
  output logic      [13:0]   lx_req_addr_o,
  input  wire logic          lx_rsp_valid_i,
  input  wire logic [1023:0] lx_rsp_data_i,
  // ring: writes
  output logic               wr_req_valid_o,
  input  wire logic          wr_req_ready_i,
  output logic      [39:7]   wr_req_addr_o,
  output logic      [7:0]    wr_req_slot_o,
  output logic      [1023:0] wr_req_data_o,
  output logic      [127:0]  wr_req_strb_o,
  input  wire logic          wr_rsp_valid_i,
  input  wire logic [7:0]    wr_rsp_slot_i,
  input  wire logic          wr_rsp_err_i,
  // counters
  output logic               ev_take_o,
  output logic               ev_busy_o,
  output logic               ev_stall_in_o,
  output logic               ev_stall_out_o,
  output logic               ev_stall_mem_o,
  output logic               ev_item_o,
  output logic      [7:0]    ev_bytes_o
);
  localparam int unsigned SLOTS = stp_pkg::MNI_WRITE_SLOTS;
  localparam int unsigned SW = $clog2(SLOTS);
  localparam int unsigned BUF = 8;     // sticks of LX data, under way or here
  localparam int unsigned BW = $clog2(BUF);
  localparam int unsigned MARKS = 16;
  localparam int unsigned MW = $clog2(MARKS);
  localparam int unsigned ROWW = 2 + 40 + 7 + 24 + 10 + 6;

  logic kill_q, trap_q, bus_q;
  logic kill, bus_kill, drained, all_sent;

  // --- rows ---
  logic        item_valid, item_ready, rows_idle;
  logic [1:0]  item_kind;
  logic [39:0] item_gaddr;
  logic [20:0] item_laddr;
  logic [23:0] item_total, item_real;
  logic [9:0]  item_pc;
  logic [5:0]  item_post;
  logic [7:0]  mark_cause;
  logic [39:0] mark_addr;
  logic [9:0]  mark_pc;

  mni_rows #(.STORE(1'b1)) rows (
    .clk_i, .rst_ni, .clear_i,
    .kill_i(kill),
    .pl_valid_i, .pl_ready_o, .pl_insn_i, .pl_a_i, .pl_b_i, .pl_c_i, .pl_pc_i,
    .item_valid_o(item_valid),
    .item_ready_i(item_ready),
    .item_kind_o(item_kind),
    .item_gaddr_o(item_gaddr),
    .item_laddr_o(item_laddr),
    .item_total_o(item_total),
    .item_real_o(item_real),
    .item_pc_o(item_pc),
    .item_post_o(item_post),
    .trap_cause_o(mark_cause),
    .trap_addr_o(mark_addr),
    .trap_pc_o(mark_pc),
    .idle_o(rows_idle)
  );

  // --- row queue ---
  logic            rq_ready, rq_valid, rq_pop, rq_empty;
  logic [ROWW-1:0] rq_data;
  logic [1:0]      rq_kind;
  logic [32:0]     rq_dst;
  logic [6:0]      rq_doff, rq_soff;
  logic [23:0]     rq_total;
  logic [9:0]      rq_pc;
  logic [5:0]      rq_post;
  logic            x_needed, x_free, item_take;

  assign x_needed = item_kind == mni_pkg::ITEM_ROW;
  assign item_ready = rq_ready & (~x_needed | x_free);
  assign item_take = item_valid & item_ready;

  mni_queue #(.WIDTH(ROWW), .DEPTH(16)) row_queue (
    .clk_i, .rst_ni,
    .clear_i(clear_i | kill),
    .in_valid_i(item_take),
    .in_ready_o(rq_ready),
    .in_data_i({item_kind, item_gaddr, item_laddr[6:0], item_total, item_pc, item_post}),
    .out_valid_o(rq_valid),
    .out_ready_i(rq_pop),
    .out_data_o(rq_data),
    .empty_o(rq_empty)
  );
  assign {rq_kind, rq_dst, rq_doff, rq_soff, rq_total, rq_pc, rq_post} = rq_data;

  // --- LX reads: a row to its LX sticks ---
  logic          x_valid_q;
  logic [13:0]   x_stick_q;
  logic [14:0]   x_more_q;   // sticks after this one
  logic [6:0]    x_rot_q;
  logic          x_fire, lx_take, pop;
  logic [24:0]   x_span;
  logic [BW-1:0] ask_q, put_q, get_q;     // next stick to ask for, to arrive, to use
  logic [BW:0]   held_q, flight_q, here_q;  // asked for and not used; accepted and not here; here
  logic [1023:0] buf_q [BUF];
  logic [6:0]    rot_q [BUF];
  logic          src_ready, starved;

  assign x_fire = x_valid_q & (~lx_req_valid_o | lx_req_ready_i) & ~held_q[BW];
  assign x_free = ~x_valid_q | (x_fire & (x_more_q == '0));
  assign x_span = {18'b0, item_laddr[6:0]} + {1'b0, item_real} - 25'd1;
  assign lx_take = lx_req_valid_o & lx_req_ready_i;
  assign lx_req_we_o = 1'b0;
  assign pop = (here_q != '0) & src_ready & ~kill;

  // --- write slots, marks ---
  logic [SW:0]      alloc_q, retire_q, used_q, wflight_q;
  logic [SLOTS-1:0] done_q, err_q;
  logic             wr_take, retire, err_here;
  logic [MW-1:0]    mput_q, mget_q;
  logic [MW:0]      marks_q;
  logic [SW+7:0]    mark_mem [MARKS];   // {trap, post id, place}
  logic             mark_put, mark_here, mark_trap, mark_pop;
  logic [42:0]      side_data;
  logic             side_read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      lx_req_valid_o <= 1'b0;
      ask_q <= '0;
      put_q <= '0;
      get_q <= '0;
      held_q <= '0;
      flight_q <= '0;
      here_q <= '0;
    end else if (clear_i) begin
      x_valid_q <= 1'b0;
      lx_req_valid_o <= 1'b0;
      ask_q <= '0;
      put_q <= '0;
      get_q <= '0;
      held_q <= '0;
      flight_q <= '0;
      here_q <= '0;
    end else begin
      if (kill) x_valid_q <= 1'b0;
      else if (item_take && x_needed) x_valid_q <= 1'b1;
      else if (x_free) x_valid_q <= 1'b0;

      if (x_fire && !kill) begin
        lx_req_valid_o <= 1'b1;
        ask_q <= ask_q + BW'(1);
      end else if (lx_req_ready_i) lx_req_valid_o <= 1'b0;
      if ((x_fire && !kill) != pop) held_q <= pop ? held_q - (BW + 1)'(1) : held_q + (BW + 1)'(1);
      if (lx_take != lx_rsp_valid_i)
        flight_q <= lx_rsp_valid_i ? flight_q - (BW + 1)'(1) : flight_q + (BW + 1)'(1);
      if (lx_rsp_valid_i) put_q <= put_q + BW'(1);
      if (pop) get_q <= get_q + BW'(1);
      if (lx_rsp_valid_i != pop) here_q <= pop ? here_q - (BW + 1)'(1) : here_q + (BW + 1)'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (item_take && x_needed) begin
      x_stick_q <= item_laddr[20:7];
      x_more_q <= x_span[21:7];
      x_rot_q <= item_laddr[6:0] - item_gaddr[6:0];
    end else if (x_fire) begin
      x_stick_q <= x_stick_q + 14'd1;
      x_more_q <= x_more_q - 15'd1;
    end
    if (x_fire && !kill) begin
      lx_req_addr_o <= x_stick_q;
      rot_q[ask_q] <= x_rot_q;
    end
    if (lx_rsp_valid_i) buf_q[put_q] <= lx_rsp_data_i;
  end

  // --- DRAM side ---
  logic       out_valid, out_ready, align_idle, is_piece, out_trap;
  logic [1:0] out_kind;
  logic [5:0] out_post;
  logic [9:0] out_pc;

  mni_align align (
    .clk_i, .rst_ni, .clear_i,
    .kill_i(kill),
    .keep_i(is_piece & ~used_q[SW]),
    .item_valid_i(rq_valid),
    .item_ready_o(rq_pop),
    .item_kind_i(rq_kind),
    .item_dst_i(rq_dst),
    .item_doff_i(rq_doff),
    .item_soff_i(rq_soff),
    .item_total_i(rq_total),
    .item_real_i(rq_total),
    .item_pc_i(rq_pc),
    .item_post_i(rq_post),
    .src_valid_i(here_q != '0),
    .src_ready_o(src_ready),
    .src_data_i(buf_q[get_q]),
    .src_rot_i(rot_q[get_q]),
    .out_valid_o(out_valid),
    .out_ready_i(out_ready),
    .out_kind_o(out_kind),
    .out_dst_o(wr_req_addr_o),
    .out_data_o(wr_req_data_o),
    .out_strb_o(wr_req_strb_o),
    .out_bytes_o(ev_bytes_o),
    .out_pc_o(out_pc),
    .out_post_o(out_post),
    .starved_o(starved),
    .idle_o(align_idle)
  );

  assign is_piece = out_kind == mni_pkg::ITEM_ROW;
  assign out_trap = out_kind == mni_pkg::ITEM_TRAP;
  assign wr_req_valid_o = out_valid & is_piece & ~used_q[SW];
  assign wr_req_slot_o = alloc_q[SW-1:0];
  assign wr_take = wr_req_valid_o & wr_req_ready_i;
  assign out_ready = is_piece ? wr_req_ready_i & ~used_q[SW] : ~marks_q[MW];
  assign mark_put = out_valid & ~is_piece & ~marks_q[MW] & ~kill;

  // A mark stands before the write of its place: it fires when that is the next to retire, and nothing retires past it.
  assign mark_here = (marks_q != '0) & (mark_mem[mget_q][SW:0] == retire_q) & ~kill_q;
  assign mark_trap = mark_mem[mget_q][SW+7];
  assign post_valid_o = mark_here & ~mark_trap;
  assign post_id_o = mark_mem[mget_q][SW+6:SW+1];
  assign mark_pop = mark_here & (mark_trap | post_ready_i);
  assign retire = done_q[retire_q[SW-1:0]] & ~err_q[retire_q[SW-1:0]] & ~mark_here & ~kill_q;
  assign err_here = done_q[retire_q[SW-1:0]] & err_q[retire_q[SW-1:0]] & ~mark_here & ~kill_q;

  sram_1r1w #(.WIDTH(43), .DEPTH(SLOTS)) side (
    .clk_i,
    .rreq_i(err_here & ~side_read_q),
    .raddr_i(retire_q[SW-1:0]),
    .rdata_o(side_data),
    .wreq_i(wr_take),
    .waddr_i(alloc_q[SW-1:0]),
    .wmask_i('1),
    .wdata_i({wr_req_addr_o, out_pc})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alloc_q <= '0;
      retire_q <= '0;
      used_q <= '0;
      wflight_q <= '0;
      done_q <= '0;
      err_q <= '0;
      mput_q <= '0;
      mget_q <= '0;
      marks_q <= '0;
      side_read_q <= 1'b0;
    end else if (clear_i) begin
      alloc_q <= '0;
      retire_q <= '0;
      used_q <= '0;
      wflight_q <= '0;
      done_q <= '0;
      err_q <= '0;
      mput_q <= '0;
      mget_q <= '0;
      marks_q <= '0;
      side_read_q <= 1'b0;
    end else begin
      if (wr_take) alloc_q <= alloc_q + (SW + 1)'(1);
      if (retire) retire_q <= retire_q + (SW + 1)'(1);
      if (wr_take != retire) used_q <= retire ? used_q - (SW + 1)'(1) : used_q + (SW + 1)'(1);
      if (wr_take != wr_rsp_valid_i)
        wflight_q <= wr_rsp_valid_i ? wflight_q - (SW + 1)'(1) : wflight_q + (SW + 1)'(1);
      if (wr_rsp_valid_i) begin
        done_q[wr_rsp_slot_i] <= 1'b1;
        err_q[wr_rsp_slot_i] <= wr_rsp_err_i;
      end
      if (retire) done_q[retire_q[SW-1:0]] <= 1'b0;
      if (mark_put) mput_q <= mput_q + MW'(1);
      if (mark_pop) mget_q <= mget_q + MW'(1);
      if (mark_put != mark_pop) marks_q <= mark_pop ? marks_q - (MW + 1)'(1) : marks_q + (MW + 1)'(1);
      if (err_here) side_read_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mark_put) mark_mem[mput_q] <= {out_trap, out_post, alloc_q};
  end

  // --- traps, halt ---
  assign bus_kill = err_here & side_read_q;
  assign kill = halt_i | kill_q | bus_kill;
  assign drained = (wflight_q == '0) & ~out_valid & ~lx_req_valid_o & (flight_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kill_q <= 1'b0;
      trap_q <= 1'b0;
      bus_q <= 1'b0;
    end else if (clear_i) begin
      kill_q <= 1'b0;
      trap_q <= 1'b0;
      bus_q <= 1'b0;
    end else begin
      if (halt_i || bus_kill) kill_q <= 1'b1;
      if (bus_kill && !halt_i) bus_q <= 1'b1;
      if (mark_pop && mark_trap && !kill) trap_q <= 1'b1;
    end
  end

  assign trap_valid_o = trap_q | (bus_q & drained);
  assign trap_cause_o = trap_q ? mark_cause : stp_pkg::CAUSE_BUS;
  assign trap_addr_o = trap_q ? mark_addr : {side_data[42:10], 7'b0};
  assign trap_pc_o = trap_q ? mark_pc : side_data[9:0];

  assign all_sent = rows_idle & rq_empty & ~x_valid_q & (held_q == '0) & align_idle;
  assign idle_o = drained & (kill_q | (all_sent & (used_q == '0) & (marks_q == '0)));
  assign blocked_o = post_valid_o & ~post_ready_i & (wflight_q == '0) & ~wr_req_valid_o & (flight_q == '0) & ~lx_req_valid_o;

  assign ev_take_o = pl_valid_i & pl_ready_o;
  assign ev_busy_o = ~idle_o;
  assign ev_stall_in_o = 1'b0;
  assign ev_stall_out_o = wr_req_valid_o & ~wr_req_ready_i;
  // For LX data; and in the end for the answers to writes.
  assign ev_stall_mem_o = starved | (all_sent & (wflight_q != '0));
  assign ev_item_o = wr_take;

endmodule
`default_nettype wire
