`default_nettype none
// SFU, the vector unit: the engine of the instructions 0xc8.. of arch/isa.toml and of post.
//
//   payload ─► decode ─► issue: registers, FIFOs, splats ─► sfu_exec ─► write-back: registers, OUT buffer ─► FIFO of LX-SU
//
// Instructions issue in order, one per cycle, when their sources are there: FIFO sticks offered, registers not awaiting an
// earlier result, a place in the OUT buffer if they send a stick. Write-back is in order too: an instruction issues only if its
// class (sfu_pkg: a fixed number of cycles) brings its result after every earlier one. A result may be used by an instruction that
// issues in the cycle of its write-back. A pair is worked in one pass, like a stick.
//
// Cycles from issue to write-back: compare, minimum, maximum, vunpack, vsplat 2; bits, integers, vlane, vcvt, vpack 3; add, sub, mul,
// fma, vacc 6; exp, exp2 7; other functions 14; vfold 16; vdiv, vsqrt, the reciprocal 17. A payload issues in the cycle after it was
// taken at the earliest; a stick is offered to OUT in the cycle after its write-back.
//
// Traps: as sfu_decode says, reported when all earlier work is done.
module sfu (
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

  // FIFOs X (from LX-LU), P (from PT), OUT (to LX-SU)
  input  wire logic          x_valid_i,
  output logic               x_ready_o,
  input  wire logic [1023:0] x_data_i,
  input  wire logic          p_valid_i,
  output logic               p_ready_o,
  input  wire logic [1023:0] p_data_i,
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
  output logic               ev_stall_in_o,   // the next instruction waits for X or P
  output logic               ev_stall_out_o,  // it waits for a place in the OUT buffer
  output logic               ev_stall_mem_o,  // never
  output logic               ev_item_o,
  output logic [7:0]         ev_bytes_o
);
  localparam int unsigned CW = 6;  // counts of work under way, modulo 2^CW
  localparam int unsigned OUT_DEPTH = stp_pkg::SFU_OUT;  // more than the longest class is under way

  // Cycles from issue to write-back.
  localparam int unsigned WB_INT = 1 + arith_pkg::INT_LATENCY;
  localparam int unsigned WB_CMP = 1 + arith_pkg::CMP_LATENCY;
  localparam int unsigned WB_CVT = 1 + arith_pkg::CVT_LATENCY;
  localparam int unsigned WB_WIDE = 2;
  localparam int unsigned WB_FMA = 2 + arith_pkg::FMA32_LATENCY;
  localparam int unsigned WB_DIV = 2 + arith_pkg::DIV32_LATENCY;
  localparam int unsigned WB_EXP = 2 + arith_pkg::EXP32_LATENCY;
  localparam int unsigned WB_FUNC = 2 + arith_pkg::FUNC32_LATENCY;
  localparam int unsigned WB_FOLD = 2 + 6 * arith_pkg::ADD32_LATENCY + arith_pkg::CVT_LATENCY;
  localparam int unsigned WB_MAX = WB_DIV;

  // --- decode ---
  wire [7:0] op = pl_insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire [8:0] aux = pl_insn_i[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  wire is_post = op == stp_pkg::OP_POST;
  logic v_bad, v_illegal, v_pair_src, v_pair_dst, v_half_src, v_half_dst;
  logic [5:0] v_value;
  logic [3:0] v_class;
  logic [2:0] v_use;
  sfu_decode u_decode (
    .insn_i(pl_insn_i),
    .bad_o(v_bad),
    .illegal_o(v_illegal),
    .value_o(v_value),
    .class_o(v_class),
    .use_o(v_use),
    .pair_src_o(v_pair_src),
    .pair_dst_o(v_pair_dst),
    .half_src_o(v_half_src),
    .half_dst_o(v_half_dst)
  );
  wire bad = v_bad & ~is_post;
  wire v_acc = op == stp_pkg::OP_VACC;
  wire v_to_out = pl_insn_i[5] | aux[0];

  // --- traps, halt ---
  logic bad_q, halted_q;
  wire rest;
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
      cause_q <= v_illegal ? stp_pkg::CAUSE_ILLEGAL : stp_pkg::CAUSE_BAD_OPERAND;
      addr_q <= v_illegal ? pl_insn_i[39:0] : {34'd0, v_value};
      pc_q <= pl_pc_i;
    end
  end
  assign trap_valid_o = bad_q & rest;
  assign trap_cause_o = cause_q;
  assign trap_addr_o = addr_q;
  assign trap_pc_o = pc_q;

  // --- the instruction that issues next ---
  logic d_q, d_pair_src_q, d_pair_dst_q, d_half_src_q, d_half_dst_q, d_acc_q, d_iota_q, d_to_out_q, d_src_fmt_q;
  logic [2:0] d_use_q, d_fmt_q, d_sfmt_q;
  logic [7:0] d_op_q;
  logic [3:0] d_class_q, d_fn_q;
  logic [5:0] d_va_q, d_vb_q, d_vc_q, d_vd_q;
  logic [31:0] d_sa_q, d_sb_q;
  wire issue;
  wire push = take & ~bad & ~is_post;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) d_q <= 1'b0;
    else if (drop) d_q <= 1'b0;
    else if (push | issue) d_q <= push;
  end
  always_ff @(posedge clk_i) begin
    if (push) begin
      d_class_q <= v_class;
      d_use_q <= v_use;
      d_pair_src_q <= v_pair_src;
      d_pair_dst_q <= v_pair_dst;
      d_half_src_q <= v_half_src;
      d_half_dst_q <= v_half_dst;
      d_acc_q <= v_acc;
      d_iota_q <= op == stp_pkg::OP_VLANE;
      d_src_fmt_q <= op == stp_pkg::OP_VCVT || op == stp_pkg::OP_VUNPACK || v_acc;
      d_to_out_q <= v_to_out;
      d_op_q <= v_acc ? stp_pkg::OP_VADD : op == stp_pkg::OP_VLANE ? stp_pkg::OP_VIADD : op;
      d_fmt_q <= pl_insn_i[26:24];
      d_sfmt_q <= op == stp_pkg::OP_VPACK ? arith_pkg::FMT_F32 : aux[7:5];
      d_fn_q <= aux[4:1];
      d_vd_q <= pl_insn_i[5:0];
      d_va_q <= pl_insn_i[11:6];
      d_vb_q <= pl_insn_i[17:12];
      d_vc_q <= pl_insn_i[23:18];
      d_sa_q <= pl_a_i[31:0];
      d_sb_q <= pl_b_i[31:0];
    end
  end

  // Ports of operands: va; vb, or the pair that vacc adds to, or what vlane adds; vc.
  wire [2:0] use_port = d_use_q | {1'b0, d_acc_q | d_iota_q, d_iota_q};
  wire [5:0] port_a = d_iota_q ? stp_pkg::SFU_OPERAND_ZERO : d_va_q;
  wire [5:0] port_b = d_acc_q ? d_vd_q : d_iota_q ? stp_pkg::SFU_OPERAND_SA : d_vb_q;
  wire [17:0] port = {d_vc_q, port_b, port_a};
  wire [2:0] port_pair = {3{d_pair_src_q}} | {1'b0, d_acc_q, 1'b0};
  wire [2:0] port_half = {3{d_half_src_q}} & ~{1'b0, d_acc_q, 1'b0};

  // --- registers, scoreboard ---
  // A register is busy from the issue of its last writer to that one's write-back; writers are told apart by sequence number.
  logic [31:0] busy_q, clears, sets;
  logic [4:0] owner_even_q[0:15];
  logic [4:0] owner_odd_q[0:15];
  logic [4:0] seq_q, wb_seq_q;
  logic [WB_MAX-1:0] when_q, when_new;  // bit k: a write-back k cycles from now
  logic [12:0] tag_q[0:31];

  wire wb = when_q[0];
  wire [12:0] wb_tag = tag_q[wb_seq_q];
  wire [3:0] wb_class = wb_tag[3:0];
  wire wb_pair = wb_tag[4];
  wire wb_half = wb_tag[5];
  wire wb_to_out = wb_tag[6];
  wire [5:0] wb_vd = wb_tag[12:7];
  wire wb_reg = ~wb_vd[5];
  wire [3:0] wb_row = wb_vd[4:1];
  wire [3:0] d_row = d_vd_q[4:1];
  wire d_reg = ~d_vd_q[5];
  always_comb begin
    clears = '0;
    sets = '0;
    if (wb & wb_reg) begin
      if ((wb_pair | ~wb_vd[0]) & (owner_even_q[wb_row] == wb_seq_q)) clears[{wb_row, 1'b0}] = 1'b1;
      if ((wb_pair | wb_vd[0]) & (owner_odd_q[wb_row] == wb_seq_q)) clears[{wb_row, 1'b1}] = 1'b1;
    end
    if (issue & d_reg) begin
      if (d_pair_dst_q | ~d_vd_q[0]) sets[{d_row, 1'b0}] = 1'b1;
      if (d_pair_dst_q | d_vd_q[0]) sets[{d_row, 1'b1}] = 1'b1;
    end
  end
  wire [31:0] busy = busy_q & ~clears;

  logic waits_reg, waits_x, waits_p;
  logic [2:0] rd;
  always_comb begin
    waits_reg = 1'b0;
    waits_x = 1'b0;
    waits_p = 1'b0;
    rd = 3'b000;
    for (int p = 0; p < 3; p++) begin
      rd[p] = use_port[p] & ~port[6*p+5];
      if (rd[p]) waits_reg |= busy[port[6*p+:5]] | (port_pair[p] & busy[{port[6*p+1+:4], 1'b1}]);
      waits_x |= use_port[p] & (port[6*p+:6] == stp_pkg::SFU_OPERAND_X);
      waits_p |= use_port[p] & (port[6*p+:6] == stp_pkg::SFU_OPERAND_P);
    end
  end

  logic in_order;
  always_comb begin
    in_order = 1'b1;
    when_new = '0;
    unique case (d_class_q)
      sfu_pkg::CLASS_INT: begin
        in_order = when_q[WB_MAX-1:WB_INT] == '0;
        when_new[WB_INT-1] = 1'b1;
      end
      sfu_pkg::CLASS_CVT: begin
        in_order = when_q[WB_MAX-1:WB_CVT] == '0;
        when_new[WB_CVT-1] = 1'b1;
      end
      sfu_pkg::CLASS_CMP: begin
        in_order = when_q[WB_MAX-1:WB_CMP] == '0;
        when_new[WB_CMP-1] = 1'b1;
      end
      sfu_pkg::CLASS_WIDE: begin
        in_order = when_q[WB_MAX-1:WB_WIDE] == '0;
        when_new[WB_WIDE-1] = 1'b1;
      end
      sfu_pkg::CLASS_FMA: begin
        in_order = when_q[WB_MAX-1:WB_FMA] == '0;
        when_new[WB_FMA-1] = 1'b1;
      end
      sfu_pkg::CLASS_EXP: begin
        in_order = when_q[WB_MAX-1:WB_EXP] == '0;
        when_new[WB_EXP-1] = 1'b1;
      end
      sfu_pkg::CLASS_FUNC: begin
        in_order = when_q[WB_MAX-1:WB_FUNC] == '0;
        when_new[WB_FUNC-1] = 1'b1;
      end
      sfu_pkg::CLASS_FOLD: begin
        in_order = when_q[WB_MAX-1:WB_FOLD] == '0;
        when_new[WB_FOLD-1] = 1'b1;
      end
      default: when_new[WB_DIV-1] = 1'b1;  // the longest
    endcase
  end

  wire room;
  wire stall_in = (waits_x & ~x_valid_i) | (waits_p & ~p_valid_i);
  wire stall_out = d_to_out_q & ~room;
  assign issue = d_q & ~waits_reg & ~stall_in & ~stall_out & in_order & ~drop;
  assign x_ready_o = issue & waits_x;
  assign p_ready_o = issue & waits_p;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      seq_q <= '0;
      wb_seq_q <= '0;
      when_q <= '0;
    end else if (clear_i) begin
      busy_q <= '0;
      seq_q <= '0;
      wb_seq_q <= '0;
      when_q <= '0;
    end else if (issue | (when_q != '0)) begin
      busy_q <= busy | sets;
      when_q <= {1'b0, when_q[WB_MAX-1:1]} | (issue ? when_new : '0);
      if (issue) seq_q <= seq_q + 5'd1;
      if (wb) wb_seq_q <= wb_seq_q + 5'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (issue) begin
      tag_q[seq_q] <= {d_vd_q, d_to_out_q, d_half_dst_q, d_pair_dst_q, d_class_q};
      if (d_reg & (d_pair_dst_q | ~d_vd_q[0])) owner_even_q[d_row] <= seq_q;
      if (d_reg & (d_pair_dst_q | d_vd_q[0])) owner_odd_q[d_row] <= seq_q;
    end
  end

  logic [3071:0] rd_lo, rd_hi;
  logic [1023:0] wb_lo, wb_hi;
  sfu_regs u_regs (
    .clk_i,
    .rd_i(rd & {3{issue}}),
    .rd_reg_i({port[16:12], port[10:6], port[4:0]}),
    .rd_lo_o(rd_lo),
    .rd_hi_o(rd_hi),
    .wr_i(wb & wb_reg),
    .wr_pair_i(wb_pair),
    .wr_reg_i(wb_vd[4:0]),
    .wr_lo_i(wb_lo),
    .wr_hi_i(wb_hi)
  );

  // --- operands as lanes ---
  logic [2047:0] lanes_a, lanes_b, lanes_c;
  sfu_operand u_operand_a (
    .on_i(issue & use_port[0]), .iota_i(d_iota_q), .operand_i(port[5:0]), .half_i(port_half[0]), .lo_i(rd_lo[1023:0]),
    .hi_i(rd_hi[1023:0]), .x_i(x_data_i), .p_i(p_data_i), .sa_i(d_sa_q), .sb_i(d_sb_q), .lanes_o(lanes_a)
  );
  sfu_operand u_operand_b (
    .on_i(issue & use_port[1]), .iota_i(1'b0), .operand_i(port[11:6]), .half_i(port_half[1]), .lo_i(rd_lo[2047:1024]),
    .hi_i(rd_hi[2047:1024]), .x_i(x_data_i), .p_i(p_data_i), .sa_i(d_sa_q), .sb_i(d_sb_q), .lanes_o(lanes_b)
  );
  sfu_operand u_operand_c (
    .on_i(issue & use_port[2]), .iota_i(1'b0), .operand_i(port[17:12]), .half_i(port_half[2]), .lo_i(rd_lo[3071:2048]),
    .hi_i(rd_hi[3071:2048]), .x_i(x_data_i), .p_i(p_data_i), .sa_i(d_sa_q), .sb_i(d_sb_q), .lanes_o(lanes_c)
  );

  sfu_exec u_exec (
    .clk_i,
    .rst_ni,
    .go_i(issue),
    .go_class_i(d_class_q),
    .go_op_i(d_op_q),
    .go_fmt_i(d_fmt_q),
    .go_sfmt_i(d_src_fmt_q | (d_op_q == stp_pkg::OP_VPACK) ? d_sfmt_q : d_fmt_q),
    .go_fn_i(d_fn_q),
    .go_lane_i(d_vb_q),
    .go_all_i(d_half_src_q | d_pair_src_q),
    .go_half_i(port_half),
    .go_a_i(lanes_a),
    .go_b_i(lanes_b),
    .go_c_i(lanes_c),
    .wb_i(wb),
    .wb_class_i(wb_class),
    .wb_half_i(wb_half),
    .wb_lo_o(wb_lo),
    .wb_hi_o(wb_hi)
  );

  // --- OUT, posts ---
  sfu_out #(.DEPTH(OUT_DEPTH)) u_out (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .reserve_i(issue & d_to_out_q),
    .room_o(room),
    .wr_i(wb & wb_to_out & ~halted_q),
    .wr_data_i(wb_lo),
    .valid_o(out_valid_o),
    .ready_i(out_ready_i),
    .data_o(out_data_o)
  );

  logic [CW-1:0] taken_q, done_q, outs_q, outs_done_q;
  wire po_ready, po_empty;
  wire out_fire = out_valid_o & out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      done_q <= '0;
      outs_q <= '0;
      outs_done_q <= '0;
    end else if (clear_i) begin
      taken_q <= '0;
      done_q <= '0;
      outs_q <= '0;
      outs_done_q <= '0;
    end else begin
      if (push) taken_q <= taken_q + 1'b1;
      if (wb) done_q <= done_q + 1'b1;
      if (push & v_to_out) outs_q <= outs_q + 1'b1;
      if (out_fire) outs_done_q <= outs_done_q + 1'b1;
    end
  end
  post_queue #(.CLASSES(2), .CW(CW)) u_posts (
    .clk_i,
    .rst_ni,
    .drop_i(drop),
    .push_i(take & is_post),
    .push_id_i(aux[5:0]),
    .ready_o(po_ready),
    .started_i({outs_q, taken_q}),
    .done_i({outs_done_q, done_q}),
    .valid_o(post_valid_o),
    .id_o(post_id_o),
    .ready_i(post_ready_i),
    .empty_o(po_empty)
  );

  always_comb begin
    pl_ready_o = ~d_q | issue;
    if (bad) pl_ready_o = 1'b1;
    if (is_post) pl_ready_o = po_ready;
    if (bad_q | halted_q | halt_i) pl_ready_o = 1'b0;
  end

  // --- state ---
  assign rest = ~d_q & (when_q == '0) & ~out_valid_o & po_empty;
  assign idle_o = rest;

  // Blocked: work is in hand, nothing is under way, and nothing moved in the last cycles.
  logic [1:0] still_q;
  wire moves = take | issue | (when_q != '0) | out_fire | (post_valid_o & post_ready_i) | drop;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) still_q <= 2'b00;
    else still_q <= {still_q[0] & ~moves, ~moves};
  end
  assign blocked_o = ~rest & still_q[1] & ~moves;

  assign ev_take_o = take;
  assign ev_busy_o = ~rest;
  assign ev_stall_in_o = d_q & stall_in;
  assign ev_stall_out_o = d_q & ~stall_in & stall_out;
  assign ev_stall_mem_o = 1'b0;
  assign ev_item_o = out_fire;
  assign ev_bytes_o = out_fire ? 8'd128 : 8'd0;

  wire unused_ok = &{1'b0, pl_c_i, pl_a_i[63:32], pl_b_i[63:32], aux[8]};
endmodule
`default_nettype wire
