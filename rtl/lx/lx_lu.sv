`default_nettype none
// LX-LU engine: sends sticks from LX to the FIFO of PT or of SFU (arch/isa.toml: ld, and cfg of LX units).
//
// One stick per cycle, also across ld, cfg and post. A stick is read when its FIFO has room for it and for those under way, so
// responses never wait. A stick that lies wholly past a limit is not read, and its address is not checked; the address of the
// others is checked before there is room: alignment, then range.
// A post travels with the sticks and fires when those before it are in their FIFOs; later ones are not held up, unless the post
// finds its counter full.
// A transposing ld reads its sticks into the transposer, as far as that has room, and is over when the last one is read: the next
// transposing ld goes on filling while columns leave. Other loads and posts wait for the last column.
//
// Latency: three cycles from taking an ld to its first stick in the FIFO, if LX is free.
// Handshake: as core.sv says; in_room of the FIFOs is the credit. lx_req_valid_o stays until ready, but for halt_i.
module lx_lu (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,
  input  wire logic          halt_i,

  input  wire logic          pl_valid_i,
  output logic               pl_ready_o,
  input  wire logic [63:0]   pl_insn_i,
  input  wire logic [63:0]   pl_a_i,
  input  wire logic [63:0]   pl_b_i,
  input  wire logic [63:0]   pl_c_i,
  input  wire logic [9:0]    pl_pc_i,

  output logic               post_valid_o,
  output logic      [5:0]    post_id_o,
  input  wire logic          post_ready_i,

  output logic               trap_valid_o,
  output logic      [7:0]    trap_cause_o,
  output logic      [39:0]   trap_addr_o,
  output logic      [9:0]    trap_pc_o,
  output logic               idle_o,
  output logic               blocked_o,

  output logic               ev_take_o,
  output logic               ev_busy_o,
  output logic               ev_stall_in_o,
  output logic               ev_stall_out_o,
  output logic               ev_stall_mem_o,
  output logic               ev_item_o,
  output logic      [7:0]    ev_bytes_o,

  output logic               lx_req_valid_o,
  input  wire logic          lx_req_ready_i,
  output logic      [13:0]   lx_req_addr_o,
  input  wire logic          lx_rsp_valid_i,
  input  wire logic [1023:0] lx_rsp_data_i,

  output logic      [1023:0] out_data_o,
  output logic               pt_valid_o,
  input  wire logic [4:0]    pt_room_i,
  output logic               sfu_valid_o,
  input  wire logic [4:0]    sfu_room_i
);
  localparam logic [1:0] STICK = 2'd0;
  localparam logic [1:0] SPLAT16 = 2'd1;

  wire stop = clear_i | halt_i;
  logic trap_q;

  // ---------------------------------------------------------------- payloads
  wire [7:0] op = pl_insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire is_cfg = op == stp_pkg::OP_CFG;
  wire is_post = op == stp_pkg::OP_POST;
  wire is_ld = ~is_cfg & ~is_post;
  wire take = pl_valid_i & pl_ready_o;

  logic cfg_bad;
  logic [95:0] n;
  logic [87:0] s;
  logic [23:0] lim0, lim1;
  logic [31:0] pad;
  logic [6:0] cols;
  lx_desc u_desc (
    .clk_i,
    .rst_ni,
    .clear_i,
    .write_i (take & is_cfg),
    .field_i (pl_insn_i[stp_pkg::AUX_LO+:4]),
    .value_i (pl_c_i),
    .bad_o   (cfg_bad),
    .n_o     (n),
    .s_o     (s),
    .lim0_o  (lim0),
    .lim1_o  (lim1),
    .pad_o   (pad),
    .cols_o  (cols)
  );
  wire no_work = (n[0+:24] == '0) | (n[24+:24] == '0) | (n[48+:24] == '0) | (n[72+:24] == '0);

  // ---------------------------------------------------------------- the walk in hand
  logic active, last, step;
  logic [63:0] addr;
  logic [7:0] limit_bytes;
  logic to_sfu_q;
  logic [1:0] mode_q;
  logic [31:0] pad_q;
  logic [9:0] pc_q;
  logic turn_q, wide_q;  // transposes, elements of 32 bits
  logic [6:0] cols_q;
  wire load = take & is_ld & ~no_work;
  wire turn = pl_insn_i[stp_pkg::AUX_LO+3];
  wire wide = pl_insn_i[stp_pkg::AUX_LO+2];

  agen4 u_agen (
    .clk_i,
    .rst_ni,
    .clear_i       (stop | trap_q),
    .load_i        (load),
    .base_i        (pl_a_i),
    .n_i           (n),
    .s_i           (s),
    .lim0_i        (lim0),
    .lim1_i        (lim1),
    .step_i        (step),
    .active_o      (active),
    .last_o        (last),
    .addr_o        (addr),
    .valid_bytes_o (limit_bytes)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      to_sfu_q <= pl_insn_i[stp_pkg::AUX_LO];
      mode_q <= turn ? STICK : pl_insn_i[stp_pkg::AUX_LO+1+:2];
      turn_q <= turn;
      wide_q <= wide;
      cols_q <= (wide & (cols > 7'd32)) ? 7'd32 : cols;
      pad_q <= pad;
      pc_q <= pl_pc_i;
    end
  end

  // ---------------------------------------------------------------- issue
  // Two cycles of LX: stage 1, then stage 2 in the cycle of the response.
  logic v1_q, v2_q, turn1_q, turn2_q, post1_q, post2_q, sfu1_q, sfu2_q;
  logic [7:0] bytes1_q, bytes2_q;
  logic [1:0] mode1_q, mode2_q;
  logic [5:0] at1_q, at2_q;  // of the 16-bit element
  logic [31:0] pad1_q, pad2_q;
  logic [5:0] id1_q, id2_q;
  logic commit_q;  // the request was offered and not taken: it stays

  wire [7:0] bytes = (mode_q == STICK) ? limit_bytes : 8'd128;
  wire reads = bytes != 8'd0;
  wire misaligned = (mode_q == STICK) ? addr[6:0] != '0 : (mode_q == SPLAT16) ? addr[0] : addr[1:0] != '0;
  wire outside = addr[63:stp_pkg::LX_ADDR_BITS] != '0;
  wire fault = active & reads & (misaligned | outside);

  wire [4:0] room = to_sfu_q ? sfu_room_i : pt_room_i;
  wire [4:0] under_way = {4'd0, v1_q & (sfu1_q == to_sfu_q)} + {4'd0, v2_q & (sfu2_q == to_sfu_q)};
  wire turn_ready, turn_busy, turn_stuck;
  wire has_room = turn_q ? turn_ready : ~turn_busy & (room > under_way);
  wire post_refused = post_valid_o & ~post_ready_i;
  wire issue = active & ~fault & ~stop & (commit_q | (has_room & ~post_refused));
  assign lx_req_valid_o = issue & reads;
  assign lx_req_addr_o = addr[20:7];
  assign step = issue & (~reads | lx_req_ready_i);

  // A post waits for the last stick of the walk, and goes with it.
  logic pend_q;
  logic [5:0] pend_id_q;
  wire walk_ends = step & last;
  wire post_slot = (active & ~turn_q) ? walk_ends : ~active & ~turn_busy & ~post_refused;
  wire take_post = take & is_post;
  wire post_go = post_slot & (pend_q | take_post);

  assign pl_ready_o = ~stop & ~trap_q &
      (is_cfg ? ~cfg_bad : is_post ? ~pend_q & (active | ~post_refused) : (~active & ~pend_q) | walk_ends);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
      post1_q <= 1'b0;
      post2_q <= 1'b0;
      commit_q <= 1'b0;
      pend_q <= 1'b0;
    end else begin
      v1_q <= step;
      v2_q <= v1_q;
      post1_q <= post_go;
      post2_q <= post1_q;
      commit_q <= lx_req_valid_o & ~lx_req_ready_i;
      if (post_slot) pend_q <= 1'b0;
      else if (take_post) pend_q <= 1'b1;
      if (stop | trap_q) begin
        post1_q <= 1'b0;
        post2_q <= 1'b0;
        commit_q <= 1'b0;
        pend_q <= 1'b0;
      end
      if (clear_i) begin
        v1_q <= 1'b0;
        v2_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_post) pend_id_q <= pl_insn_i[stp_pkg::AUX_LO+:6];
    if (step) begin
      turn1_q <= turn_q;
      sfu1_q <= to_sfu_q;
      bytes1_q <= bytes;
      mode1_q <= mode_q;
      at1_q <= addr[6:1];
      pad1_q <= pad_q;
    end
    if (v1_q) begin
      turn2_q <= turn1_q;
      sfu2_q <= sfu1_q;
      bytes2_q <= bytes1_q;
      mode2_q <= mode1_q;
      at2_q <= at1_q;
      pad2_q <= pad1_q;
    end
    if (post_go) id1_q <= pend_q ? pend_id_q : pl_insn_i[stp_pkg::AUX_LO+:6];
    if (post1_q) id2_q <= id1_q;
  end

  // ---------------------------------------------------------------- sticks out
  logic [31:0] element;
  logic [1023:0] data;
  always_comb begin
    data = lx_rsp_data_i;
    element = '0;
    if (v2_q) begin
      if (mode2_q == STICK) begin
        if (bytes2_q == 8'd0) data = {32{pad2_q}};
        else if (bytes2_q != 8'd128)
          for (int i = 0; i < 128; i++) if (8'(i) >= bytes2_q) data[8*i+:8] = pad2_q[8*(i%4)+:8];
      end else begin
        element = lx_rsp_data_i[{at2_q[5:1], 5'd0}+:32];
        if (mode2_q == SPLAT16) element = at2_q[0] ? {2{element[31:16]}} : {2{element[15:0]}};
        data = {32{element}};
      end
    end
  end

  logic turned, turned_sfu;
  logic [1023:0] turned_data;
  transposer u_transposer (
    .clk_i,
    .rst_ni,
    .clear_i    (stop | trap_q),
    .ready_o    (turn_ready),
    .take_i     (step & turn_q),
    .last_i     (last),
    .wide_i     (wide_q),
    .sfu_i      (to_sfu_q),
    .cols_i     (cols_q),
    .pad_i      (pad_q),
    .row_data_i (data),
    .hold_i     (post_refused),
    .pt_room_i,
    .sfu_room_i,
    .valid_o    (turned),
    .sfu_o      (turned_sfu),
    .data_o     (turned_data),
    .busy_o     (turn_busy),
    .stuck_o    (turn_stuck)
  );

  wire passed = v2_q & ~turn2_q;
  assign out_data_o = turned ? turned_data : data;
  assign pt_valid_o = (passed & ~sfu2_q) | (turned & ~turned_sfu);
  assign sfu_valid_o = (passed & sfu2_q) | (turned & turned_sfu);
  wire unused_rsp = &{1'b0, lx_rsp_valid_i, pl_b_i, pl_insn_i};

  // ---------------------------------------------------------------- posts
  // A post is refused at the head at most while two more are under way: there is always room.
  logic post_room;
  fifo #(
    .WIDTH (6),
    .DEPTH (4)
  ) u_posts (
    .clk_i,
    .rst_ni,
    .clear_i     (stop),
    .in_valid_i  (post2_q),
    .in_ready_o  (post_room),
    .in_data_i   (id2_q),
    .out_valid_o (post_valid_o),
    .out_ready_i (post_ready_i),
    .out_data_o  (post_id_o)
  );
  wire unused_room = post_room;

  // ---------------------------------------------------------------- traps
  wire quiet = ~v1_q & ~v2_q & ~turn_busy & ~post1_q & ~post2_q & ~post_valid_o;
  wire cfg_trap = pl_valid_i & is_cfg & cfg_bad & ~active & ~pend_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) trap_q <= 1'b0;
    else if (clear_i) trap_q <= 1'b0;
    else if (quiet & ~halt_i & (fault | cfg_trap)) trap_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!trap_q) begin
      if (fault) begin
        trap_cause_o <= misaligned ? stp_pkg::CAUSE_LX_MISALIGNED : stp_pkg::CAUSE_LX_RANGE;
        trap_addr_o <= addr[39:0];
        trap_pc_o <= pc_q;
      end else if (cfg_trap) begin
        trap_cause_o <= stp_pkg::CAUSE_BAD_OPERAND;
        trap_addr_o <= pl_c_i[39:0];
        trap_pc_o <= pl_pc_i;
      end
    end
  end
  assign trap_valid_o = trap_q;

  // ---------------------------------------------------------------- state
  assign idle_o = trap_q | (quiet & ~active & ~pend_q);
  wire starved = turn_busy ? turn_stuck : active & ~fault & ~commit_q & ~has_room;
  assign blocked_o = ~trap_q & ~v1_q & ~v2_q & ~turned & ~post1_q & ~post2_q & ~take &
      (post_valid_o ? ~post_ready_i : starved & ~issue);

  assign ev_take_o = take;
  assign ev_busy_o = ~idle_o;
  assign ev_stall_in_o = 1'b0;
  assign ev_stall_out_o = starved;
  assign ev_stall_mem_o = lx_req_valid_o & ~lx_req_ready_i;
  assign ev_item_o = passed | turned;
  assign ev_bytes_o = 8'd128;
endmodule
`default_nettype wire
