`default_nettype none
// MNI-LU: the engine that moves data from global memory to LX. isa.toml has the instructions, mni_rows.sv the exact rules of
// rows, limits and traps.
//
//   payload -> mni_rows -> rows ─┬─> one request per DRAM stick -> ring        (slot = place in the reorder buffer)
//                                └─> row queue ───────────┐
//                     ring -> reorder buffer, in order ─> mni_align -> LX writes, posts, traps
//
// Requests go out one per cycle while a slot is free; responses may come in any order; they are used in program order. Each
// row gives one LX write per LX stick that it touches, in order. A row takes max(DRAM sticks, LX sticks) cycles.
// A post waits its turn behind the LX writes of earlier rows, and does not hold up requests of later ones; nothing passes a
// blocked post on the LX side. A bus error stops the unit when all pieces that do not need the failed stick are written, and
// is reported (address: the stick) once every response has come.
//
// Latency: xfer taken to first request valid: 4 cycles; response to LX write valid: 4 cycles.
// Handshake: valid/ready; valids are functions of registers. trap_valid_o holds until clear_i. After halt_i the engine drops
// all work, waits for responses under way, and takes nothing until clear_i, which must come while idle_o.
module mni_lu (
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
  // LX: writes only
  output logic               lx_req_valid_o,
  input  wire logic          lx_req_ready_i,
  output logic               lx_req_we_o,
  output logic      [13:0]   lx_req_addr_o,
  output logic      [1023:0] lx_req_wdata_o,
  output logic      [127:0]  lx_req_wstrb_o,
  // ring: reads
  output logic               rd_req_valid_o,
  input  wire logic          rd_req_ready_i,
  output logic      [39:7]   rd_req_addr_o,
  output logic      [7:0]    rd_req_slot_o,
  input  wire logic          rd_rsp_valid_i,
  input  wire logic [7:0]    rd_rsp_slot_i,
  input  wire logic [1023:0] rd_rsp_data_i,
  input  wire logic          rd_rsp_err_i,
  // counters
  output logic               ev_take_o,
  output logic               ev_busy_o,
  output logic               ev_stall_in_o,
  output logic               ev_stall_out_o,
  output logic               ev_stall_mem_o,
  output logic               ev_item_o,
  output logic      [7:0]    ev_bytes_o
);
  localparam int unsigned SLOTS = stp_pkg::MNI_READ_SLOTS;
  localparam int unsigned SW = $clog2(SLOTS);
  localparam int unsigned ROWW = 2 + 14 + 7 + 7 + 24 + 24 + 6;
  localparam int unsigned SIDEW = 7 + 33 + 10;

  logic kill_q, trap_q, bus_q;
  logic kill, bus_kill, drained;

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

  mni_rows #(.STORE(1'b0)) rows (
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
  logic [13:0]     rq_dst;
  logic [6:0]      rq_doff, rq_soff;
  logic [23:0]     rq_total, rq_real;
  logic [5:0]      rq_post;
  logic            x_needed, x_free, item_take;

  assign x_needed = (item_kind == mni_pkg::ITEM_ROW) & (item_real != '0);
  assign item_ready = rq_ready & (~x_needed | x_free);
  assign item_take = item_valid & item_ready;

  mni_queue #(.WIDTH(ROWW), .DEPTH(SLOTS)) row_queue (
    .clk_i, .rst_ni,
    .clear_i(clear_i | kill),
    .in_valid_i(item_take),
    .in_ready_o(rq_ready),
    .in_data_i({item_kind, item_laddr, item_gaddr[6:0], item_total, item_real, item_post}),
    .out_valid_o(rq_valid),
    .out_ready_i(rq_pop),
    .out_data_o(rq_data),
    .empty_o(rq_empty)
  );
  assign {rq_kind, rq_dst, rq_doff, rq_soff, rq_total, rq_real, rq_post} = rq_data;

  // --- requests: a row to its DRAM sticks ---
  logic          x_valid_q;
  logic [32:0]   x_stick_q;
  logic [17:0]   x_more_q;  // sticks after this one
  logic [6:0]    x_rot_q;
  logic [9:0]    x_pc_q;
  logic [SW-1:0] alloc_q, retire_q;
  logic [SW:0]   used_q, flight_q;
  logic          x_fire;
  logic [24:0]   x_span;

  assign x_fire = x_valid_q & (~rd_req_valid_o | rd_req_ready_i) & ~used_q[SW];
  assign x_free = ~x_valid_q | (x_fire & (x_more_q == '0));
  assign x_span = {18'b0, item_gaddr[6:0]} + {1'b0, item_real} - 25'd1;

  // --- reorder buffer ---
  logic [SLOTS-1:0]  here_q, err_q;
  logic              fetch, fetch_err, err_stop_q, src_valid_q, src_ready, starved;
  logic [1023:0]     src_data;
  logic [SIDEW-1:0]  side_data;

  assign fetch = here_q[retire_q] & ~err_q[retire_q] & ~err_stop_q & (~src_valid_q | src_ready);
  assign fetch_err = here_q[retire_q] & err_q[retire_q] & ~err_stop_q & (~src_valid_q | src_ready);

  sram_1r1w #(.WIDTH(1024), .DEPTH(SLOTS)) reorder (
    .clk_i,
    .rreq_i(fetch),
    .raddr_i(retire_q),
    .rdata_o(src_data),
    .wreq_i(rd_rsp_valid_i),
    .waddr_i(rd_rsp_slot_i),
    .wmask_i('1),
    .wdata_i(rd_rsp_data_i)
  );
  sram_1r1w #(.WIDTH(SIDEW), .DEPTH(SLOTS)) side (
    .clk_i,
    .rreq_i(fetch | fetch_err),
    .raddr_i(retire_q),
    .rdata_o(side_data),
    .wreq_i(x_fire),
    .waddr_i(alloc_q),
    .wmask_i('1),
    .wdata_i({x_rot_q, x_stick_q, x_pc_q})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      rd_req_valid_o <= 1'b0;
      alloc_q <= '0;
      retire_q <= '0;
      used_q <= '0;
      flight_q <= '0;
      here_q <= '0;
      err_q <= '0;
      err_stop_q <= 1'b0;
      src_valid_q <= 1'b0;
    end else if (clear_i) begin
      x_valid_q <= 1'b0;
      rd_req_valid_o <= 1'b0;
      alloc_q <= '0;
      retire_q <= '0;
      used_q <= '0;
      flight_q <= '0;
      here_q <= '0;
      err_q <= '0;
      err_stop_q <= 1'b0;
      src_valid_q <= 1'b0;
    end else begin
      if (kill) x_valid_q <= 1'b0;
      else if (item_take && x_needed) x_valid_q <= 1'b1;
      else if (x_free) x_valid_q <= 1'b0;

      if (x_fire && !kill) begin
        rd_req_valid_o <= 1'b1;
        alloc_q <= alloc_q + SW'(1);
      end else if (rd_req_ready_i) rd_req_valid_o <= 1'b0;

      if ((x_fire && !kill) != fetch) used_q <= fetch ? used_q - (SW + 1)'(1) : used_q + (SW + 1)'(1);
      if ((x_fire && !kill) != rd_rsp_valid_i)
        flight_q <= rd_rsp_valid_i ? flight_q - (SW + 1)'(1) : flight_q + (SW + 1)'(1);

      if (rd_rsp_valid_i) begin
        here_q[rd_rsp_slot_i] <= 1'b1;
        err_q[rd_rsp_slot_i] <= rd_rsp_err_i;
      end
      if (fetch) begin
        here_q[retire_q] <= 1'b0;
        retire_q <= retire_q + SW'(1);
      end
      if (kill) src_valid_q <= 1'b0;
      else if (fetch) src_valid_q <= 1'b1;
      else if (src_ready) src_valid_q <= 1'b0;
      if (fetch_err) err_stop_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (item_take && x_needed) begin
      x_stick_q <= item_gaddr[39:7];
      x_more_q <= x_span[24:7];
      x_rot_q <= item_gaddr[6:0] - item_laddr[6:0];
      x_pc_q <= item_pc;
    end else if (x_fire) begin
      x_stick_q <= x_stick_q + 33'd1;
      x_more_q <= x_more_q - 18'd1;
    end
    if (x_fire && !kill) begin
      rd_req_addr_o <= x_stick_q;
      rd_req_slot_o <= alloc_q;
    end
  end

  // --- LX side ---
  logic       out_valid, out_ready, align_idle, post_here;
  logic [1:0] out_kind;
  logic [18:0] unused_dst;
  logic [9:0]  unused_pc;

  mni_align align (
    .clk_i, .rst_ni, .clear_i,
    .kill_i(kill),
    .keep_i(out_kind == mni_pkg::ITEM_ROW),
    .item_valid_i(rq_valid),
    .item_ready_o(rq_pop),
    .item_kind_i(rq_kind),
    .item_dst_i({19'b0, rq_dst}),
    .item_doff_i(rq_doff),
    .item_soff_i(rq_soff),
    .item_total_i(rq_total),
    .item_real_i(rq_real),
    .item_pc_i(10'b0),
    .item_post_i(rq_post),
    .src_valid_i(src_valid_q),
    .src_ready_o(src_ready),
    .src_data_i(src_data),
    .src_rot_i(side_data[49:43]),
    .out_valid_o(out_valid),
    .out_ready_i(out_ready),
    .out_kind_o(out_kind),
    .out_dst_o({unused_dst, lx_req_addr_o}),
    .out_data_o(lx_req_wdata_o),
    .out_strb_o(lx_req_wstrb_o),
    .out_bytes_o(ev_bytes_o),
    .out_pc_o(unused_pc),
    .out_post_o(post_id_o),
    .starved_o(starved),
    .idle_o(align_idle)
  );

  assign lx_req_valid_o = out_valid & (out_kind == mni_pkg::ITEM_ROW);
  assign lx_req_we_o = 1'b1;
  assign post_here = out_valid & (out_kind == mni_pkg::ITEM_POST);
  assign post_valid_o = post_here;
  assign out_ready = (out_kind == mni_pkg::ITEM_ROW) ? lx_req_ready_i :
                     (out_kind == mni_pkg::ITEM_POST) ? post_ready_i : 1'b1;

  // --- traps, halt ---
  // The failed stick is the next one, and what the row in hand waits for.
  assign bus_kill = err_stop_q & ~src_valid_q & starved & ~kill_q;
  assign kill = halt_i | kill_q | bus_kill;
  assign drained = (flight_q == '0) & ~rd_req_valid_o & ~out_valid;

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
      if (out_valid && out_kind == mni_pkg::ITEM_TRAP && !kill) trap_q <= 1'b1;
    end
  end

  assign trap_valid_o = trap_q | (bus_q & drained);
  assign trap_cause_o = trap_q ? mark_cause : stp_pkg::CAUSE_BUS;
  assign trap_addr_o = trap_q ? mark_addr : {side_data[42:10], 7'b0};
  assign trap_pc_o = trap_q ? mark_pc : side_data[9:0];

  assign idle_o = drained & rows_idle & rq_empty & ~x_valid_q & ~src_valid_q & align_idle;
  assign blocked_o = post_here & ~post_ready_i & (flight_q == '0) & ~rd_req_valid_o;

  assign ev_take_o = pl_valid_i & pl_ready_o;
  assign ev_busy_o = ~idle_o;
  assign ev_stall_in_o = 1'b0;
  assign ev_stall_out_o = lx_req_valid_o & ~lx_req_ready_i;
  assign ev_stall_mem_o = starved;
  assign ev_item_o = lx_req_valid_o & lx_req_ready_i;

endmodule
`default_nettype wire
