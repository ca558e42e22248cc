`default_nettype none
// LX-SU engine: writes the sticks that come from SFU to LX (arch/isa.toml: st, and cfg of LX units).
//
// One stick per cycle, also across st, cfg and post. A stick that lies wholly past a limit is taken and not written, and its
// address is not checked; the address of the others is checked before the stick is there: alignment, then range.
// A post fires in the cycle after the last write before it was taken; later ones are not held up, unless the post finds its
// counter full.
//
// Latency: a stick can be written in the cycle after its st was taken.
// Handshake: as core.sv says. lx_req_valid_o stays until ready, but for halt_i.
module lx_su (
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

  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire logic [1023:0] in_data_i,

  output logic               lx_req_valid_o,
  input  wire logic          lx_req_ready_i,
  output logic      [13:0]   lx_req_addr_o,
  output logic      [1023:0] lx_req_wdata_o,
  output logic      [127:0]  lx_req_wstrb_o
);
  localparam logic [1:0] STICK = 2'd0;
  localparam logic [1:0] LANE16 = 2'd1;

  wire stop = clear_i | halt_i;
  logic trap_q;

  // ---------------------------------------------------------------- payloads
  wire [7:0] op = pl_insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire is_cfg = op == stp_pkg::OP_CFG;
  wire is_post = op == stp_pkg::OP_POST;
  wire is_st = ~is_cfg & ~is_post;
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
  logic [1:0] mode_q;
  logic [9:0] pc_q;
  wire load = take & is_st & ~no_work;

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
      mode_q <= pl_insn_i[stp_pkg::AUX_LO+1+:2];
      pc_q <= pl_pc_i;
    end
  end

  // ---------------------------------------------------------------- write
  wire [7:0] bytes = (mode_q == STICK) ? limit_bytes : (mode_q == LANE16) ? 8'd2 : 8'd4;
  wire writes = bytes != 8'd0;
  wire misaligned = (mode_q == STICK) ? addr[6:0] != '0 : (mode_q == LANE16) ? addr[0] : addr[1:0] != '0;
  wire outside = addr[63:stp_pkg::LX_ADDR_BITS] != '0;
  wire fault = active & writes & (misaligned | outside);

  // A post can be refused first in the first cycle of a walk, so that a request is never withdrawn.
  wire post_refused = post_valid_o & ~post_ready_i;
  wire issue = active & ~fault & ~stop & in_valid_i & ~post_refused;
  assign lx_req_valid_o = issue & writes;
  assign lx_req_addr_o = addr[20:7];
  assign step = issue & (~writes | lx_req_ready_i);
  assign in_ready_o = step;

  always_comb begin
    lx_req_wdata_o = in_data_i;
    lx_req_wstrb_o = '1;
    if (lx_req_valid_o) begin
      if (mode_q == STICK) begin
        if (bytes != 8'd128) lx_req_wstrb_o = ~({128{1'b1}} << bytes[6:0]);
      end else if (mode_q == LANE16) begin
        lx_req_wdata_o = {64{in_data_i[15:0]}};
        lx_req_wstrb_o = 128'h3 << addr[6:0];
      end else begin
        lx_req_wdata_o = {32{in_data_i[31:0]}};
        lx_req_wstrb_o = 128'hf << addr[6:0];
      end
    end
  end

  // ---------------------------------------------------------------- posts
  // A post waits for the end of the walk, then for its counter.
  logic pend_q, post_q;
  logic [5:0] pend_id_q, post_id_q;
  wire walk_ends = step & last;
  wire post_slot = active ? walk_ends : ~post_refused;
  wire take_post = take & is_post;
  wire post_go = post_slot & (pend_q | take_post);

  assign pl_ready_o = ~stop & ~trap_q &
      (is_cfg ? ~cfg_bad : is_post ? ~pend_q & (active | ~post_refused) : (~active & ~pend_q) | walk_ends);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pend_q <= 1'b0;
      post_q <= 1'b0;
    end else if (stop | trap_q) begin
      pend_q <= 1'b0;
      post_q <= 1'b0;
    end else begin
      if (post_slot) pend_q <= 1'b0;
      else if (take_post) pend_q <= 1'b1;
      post_q <= post_go | post_refused;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_post) pend_id_q <= pl_insn_i[stp_pkg::AUX_LO+:6];
    if (post_go) post_id_q <= pend_q ? pend_id_q : pl_insn_i[stp_pkg::AUX_LO+:6];
  end
  assign post_valid_o = post_q;
  assign post_id_o = post_id_q;
  wire unused_ok = &{1'b0, pl_b_i, pl_insn_i, pad, cols};

  // ---------------------------------------------------------------- traps
  wire cfg_trap = pl_valid_i & is_cfg & cfg_bad & ~active & ~pend_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) trap_q <= 1'b0;
    else if (clear_i) trap_q <= 1'b0;
    else if (~post_q & ~halt_i & (fault | cfg_trap)) trap_q <= 1'b1;
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
  assign idle_o = trap_q | (~active & ~pend_q & ~post_q);
  wire starved = active & ~fault & ~in_valid_i;
  assign blocked_o = ~trap_q & ~take & (post_q ? ~post_ready_i : starved);

  assign ev_take_o = take;
  assign ev_busy_o = ~idle_o;
  assign ev_stall_in_o = starved;
  assign ev_stall_out_o = lx_req_valid_o & ~lx_req_ready_i;
  assign ev_stall_mem_o = 1'b0;
  assign ev_item_o = step & writes;
  assign ev_bytes_o = bytes;
endmodule
`default_nettype wire
