`default_nettype none
// Front end of MNI-LU and MNI-SU: takes payload instructions, holds the descriptor, and turns transfers into rows.
//
// A row item is a run of bytes that is contiguous on both sides. Row (i1,i2,i3), i1 innermost, is at a + i1*gs1 + i2*gs2 +
// i3*gs3 in global memory and at b + i1*ls1 + i2*ls2 + i3*ls3 in LX. Addresses are computed modulo 2^64, unsigned. With
//   real  = 0 where some i_k >= lim_k (k = 1, 2, 3), else min(n0, lim0): the bytes that cross to or from global memory
//   total = n0 when loading, real when storing: the bytes of LX
// a row is checked before anything of it is requested, in this order:
//   LIMIT         aux[0] and lim0 < n0, or aux[k] and i_k >= lim_k; address: the row's global address
//   GLOBAL_RANGE  real > 0 and the real bytes leave the 40-bit space; address: the row's global address
//   LX_RANGE      total > 0 and the total bytes leave LX; address: the row's LX address
// A transfer with some n_k = 0 is nothing and traps nothing. A stored row with real = 0 is nothing.
// A cfg of a field that is none, an xfer with aux[8:4] set and any other instruction are ILLEGAL (address: the instruction's
// low 40 bits); a count outside 0 .. 2^24-1 and a stride outside its width are BAD_OPERAND (address: the value).
// Posts and traps are items too, in program order behind the rows of earlier transfers. A trap item is the last: its cause,
// address and pc stay on trap_*_o, and no payload is taken after it.
//
// Latency: the first row is an item two cycles after the xfer is taken. One row per cycle; the next transfer is loaded while
// the last row leaves, cfg is taken at any time, and one post is held behind the transfer in hand.
// Handshake: valid/ready on both sides; item_* are registers. clear_i resets all state, kill_i drops it and stops.
module mni_rows #(
  parameter logic STORE = 1'b0  // 0: global to LX, 1: LX to global
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         clear_i,
  input  wire logic         kill_i,
  // payload
  input  wire logic         pl_valid_i,
  output logic              pl_ready_o,
  input  wire logic [63:0]  pl_insn_i,
  input  wire logic [63:0]  pl_a_i,
  input  wire logic [63:0]  pl_b_i,
  input  wire logic [63:0]  pl_c_i,
  input  wire logic [9:0]   pl_pc_i,
  // items
  output logic              item_valid_o,
  input  wire logic         item_ready_i,
  output logic      [1:0]   item_kind_o,   // mni_pkg::ITEM_...
  output logic      [39:0]  item_gaddr_o,
  output logic      [20:0]  item_laddr_o,
  output logic      [23:0]  item_total_o,
  output logic      [23:0]  item_real_o,
  output logic      [9:0]   item_pc_o,
  output logic      [5:0]   item_post_o,
  // what a trap item means
  output logic      [7:0]   trap_cause_o,
  output logic      [39:0]  trap_addr_o,
  output logic      [9:0]   trap_pc_o,
  output logic              idle_o         // nothing in hand
);

  // --- descriptor ---
  logic [23:0] n0_q, n1_q, n2_q, n3_q, lim0_q, lim1_q, lim2_q, lim3_q;
  logic [39:0] gs1_q, gs2_q, gs3_q;
  logic [21:0] ls1_q, ls2_q, ls3_q;

  // --- the transfer in hand ---
  logic        act_q;
  logic [23:0] total_q, real_q, m1_q, m2_q, m3_q;       // m_k = n_k - 1
  logic [23:0] al1_q, al2_q, al3_q, i1_q, i2_q, i3_q;   // limits and indices
  logic [39:0] ags1_q, ags2_q, ags3_q;
  logic [21:0] als1_q, als2_q, als3_q;
  logic        short_q;                                 // lim0 traps
  logic [3:1]  strict_q;                                // lim_k traps
  logic [9:0]  pc_q;
  logic [63:0] g1_q, g2_q, g3_q, l1_q, l2_q, l3_q;      // the row; row (0,i2,i3); row (0,0,i3)

  logic        pend_q;                                  // a post behind the transfer in hand
  logic [5:0]  pend_id_q;
  logic        stop_q;

  // --- decode ---
  logic [7:0]  op;
  logic [8:0]  aux;
  logic        is_cfg, is_post, is_xfer, fault, n_bad, gs_bad, ls_bad, empty;
  logic [7:0]  fault_cause;
  logic [39:0] fault_addr;
  logic [23:0] sat;
  logic        load, post_take, fault_take;

  assign op = pl_insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  assign aux = pl_insn_i[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  assign is_cfg = op == stp_pkg::OP_CFG;
  assign is_post = op == stp_pkg::OP_POST;
  assign is_xfer = op == stp_pkg::OP_XFER;
  assign n_bad = pl_c_i[63:24] != '0;
  assign gs_bad = pl_c_i[63:39] != {25{pl_c_i[39]}};
  assign ls_bad = pl_c_i[63:21] != {43{pl_c_i[21]}};
  assign sat = pl_c_i[63] ? 24'h0 : (pl_c_i[62:24] != '0) ? 24'hffffff : pl_c_i[23:0];
  assign empty = (n0_q == '0) | (n1_q == '0) | (n2_q == '0) | (n3_q == '0);

  always_comb begin
    fault = 1'b0;
    fault_cause = stp_pkg::CAUSE_ILLEGAL;
    fault_addr = pl_insn_i[39:0];
    if (is_cfg) begin
      if (aux[8:4] != '0) fault = 1'b1;
      else begin
        unique case (aux[3:0])
          stp_pkg::CFG_MNI_N0, stp_pkg::CFG_MNI_N1, stp_pkg::CFG_MNI_N2, stp_pkg::CFG_MNI_N3: begin
            fault = n_bad;
            fault_cause = stp_pkg::CAUSE_BAD_OPERAND;
            fault_addr = pl_c_i[39:0];
          end
          stp_pkg::CFG_MNI_GS1, stp_pkg::CFG_MNI_GS2, stp_pkg::CFG_MNI_GS3: begin
            fault = gs_bad;
            fault_cause = stp_pkg::CAUSE_BAD_OPERAND;
            fault_addr = pl_c_i[39:0];
          end
          stp_pkg::CFG_MNI_LS1, stp_pkg::CFG_MNI_LS2, stp_pkg::CFG_MNI_LS3: begin
            fault = ls_bad;
            fault_cause = stp_pkg::CAUSE_BAD_OPERAND;
            fault_addr = pl_c_i[39:0];
          end
          stp_pkg::CFG_MNI_LIM0, stp_pkg::CFG_MNI_LIM1, stp_pkg::CFG_MNI_LIM2, stp_pkg::CFG_MNI_LIM3: ;
          default: fault = 1'b1;
        endcase
      end
    end else if (is_xfer) fault = aux[8:4] != '0;
    else fault = ~is_post;
  end

  // --- the row in hand ---
  logic        last1, last2, last3, clip, lim_bad, g_bad, l_bad, row_bad, row_none;
  logic [23:0] row_real, row_total;
  logic [40:0] g_end;
  logic [24:0] l_end;
  logic [63:0] g_next, l_next;
  logic        item_free, act_fire, act_done, pend_fire;

  assign last1 = i1_q == m1_q;
  assign last2 = i2_q == m2_q;
  assign last3 = i3_q == m3_q;
  assign clip = (i1_q >= al1_q) | (i2_q >= al2_q) | (i3_q >= al3_q);
  assign lim_bad = short_q | (strict_q[1] & (i1_q >= al1_q)) | (strict_q[2] & (i2_q >= al2_q)) |
                   (strict_q[3] & (i3_q >= al3_q));
  assign row_real = clip ? 24'h0 : real_q;
  assign row_total = STORE ? row_real : total_q;
  assign g_end = {1'b0, g1_q[39:0]} + {17'b0, row_real};
  assign l_end = {4'b0, l1_q[20:0]} + {1'b0, row_total};
  assign g_bad = (row_real != '0) & ((g1_q[63:40] != '0) | (g_end > 41'h100_0000_0000));
  assign l_bad = (row_total != '0) & ((l1_q[63:21] != '0) | (l_end > 25'h020_0000));
  assign row_bad = lim_bad | g_bad | l_bad;
  assign row_none = STORE & (row_real == '0);

  assign g_next = (last1 ? (last2 ? g3_q : g2_q) : g1_q) +
                  (last1 ? (last2 ? {{24{ags3_q[39]}}, ags3_q} : {{24{ags2_q[39]}}, ags2_q}) : {{24{ags1_q[39]}}, ags1_q});
  assign l_next = (last1 ? (last2 ? l3_q : l2_q) : l1_q) +
                  (last1 ? (last2 ? {{42{als3_q[21]}}, als3_q} : {{42{als2_q[21]}}, als2_q}) : {{42{als1_q[21]}}, als1_q});

  assign item_free = ~item_valid_o | item_ready_i;
  assign act_fire = act_q & item_free;
  assign act_done = act_fire & ((last1 & last2 & last3) | row_bad);
  assign pend_fire = ~act_q & pend_q & item_free;

  // --- taking payloads ---
  always_comb begin
    pl_ready_o = 1'b0;
    if (!stop_q) begin
      if (fault) pl_ready_o = ~act_q & ~pend_q & item_free;
      else if (is_post) pl_ready_o = ~pend_q;
      else if (is_xfer) pl_ready_o = act_q ? act_done & ~pend_q : ~pend_q | item_free;
      else pl_ready_o = 1'b1;
      if (act_fire && row_bad) pl_ready_o = 1'b0;
    end
  end
  assign load = pl_valid_i & pl_ready_o & is_xfer & ~fault & ~empty;
  assign post_take = pl_valid_i & pl_ready_o & is_post;
  assign fault_take = pl_valid_i & pl_ready_o & fault;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      act_q <= 1'b0;
      pend_q <= 1'b0;
      stop_q <= 1'b0;
      item_valid_o <= 1'b0;
      item_kind_o <= mni_pkg::ITEM_ROW;
    end else if (clear_i || kill_i) begin
      act_q <= 1'b0;
      pend_q <= 1'b0;
      stop_q <= ~clear_i;
      item_valid_o <= 1'b0;
    end else begin
      if (load) act_q <= 1'b1;
      else if (act_done) act_q <= 1'b0;
      if (post_take) pend_q <= 1'b1;
      else if (pend_fire || (act_fire && row_bad)) pend_q <= 1'b0;
      if (act_fire) begin
        item_valid_o <= row_bad | ~row_none;
        item_kind_o <= row_bad ? mni_pkg::ITEM_TRAP : mni_pkg::ITEM_ROW;
        if (row_bad) stop_q <= 1'b1;
      end else if (pend_fire) begin
        item_valid_o <= 1'b1;
        item_kind_o <= mni_pkg::ITEM_POST;
      end else if (fault_take) begin
        item_valid_o <= 1'b1;
        item_kind_o <= mni_pkg::ITEM_TRAP;
        stop_q <= 1'b1;
      end else if (item_ready_i) item_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n0_q <= 24'd1;
      n1_q <= 24'd1;
      n2_q <= 24'd1;
      n3_q <= 24'd1;
      gs1_q <= '0;
      gs2_q <= '0;
      gs3_q <= '0;
      ls1_q <= '0;
      ls2_q <= '0;
      ls3_q <= '0;
      lim0_q <= '1;
      lim1_q <= '1;
      lim2_q <= '1;
      lim3_q <= '1;
    end else if (clear_i) begin
      n0_q <= 24'd1;
      n1_q <= 24'd1;
      n2_q <= 24'd1;
      n3_q <= 24'd1;
      gs1_q <= '0;
      gs2_q <= '0;
      gs3_q <= '0;
      ls1_q <= '0;
      ls2_q <= '0;
      ls3_q <= '0;
      lim0_q <= '1;
      lim1_q <= '1;
      lim2_q <= '1;
      lim3_q <= '1;
    end else if (pl_valid_i && pl_ready_o && is_cfg && !fault) begin
      unique case (aux[3:0])
        stp_pkg::CFG_MNI_N0: n0_q <= pl_c_i[23:0];
        stp_pkg::CFG_MNI_N1: n1_q <= pl_c_i[23:0];
        stp_pkg::CFG_MNI_N2: n2_q <= pl_c_i[23:0];
        stp_pkg::CFG_MNI_N3: n3_q <= pl_c_i[23:0];
        stp_pkg::CFG_MNI_GS1: gs1_q <= pl_c_i[39:0];
        stp_pkg::CFG_MNI_GS2: gs2_q <= pl_c_i[39:0];
        stp_pkg::CFG_MNI_GS3: gs3_q <= pl_c_i[39:0];
        stp_pkg::CFG_MNI_LS1: ls1_q <= pl_c_i[21:0];
        stp_pkg::CFG_MNI_LS2: ls2_q <= pl_c_i[21:0];
        stp_pkg::CFG_MNI_LS3: ls3_q <= pl_c_i[21:0];
        stp_pkg::CFG_MNI_LIM0: lim0_q <= sat;
        stp_pkg::CFG_MNI_LIM1: lim1_q <= sat;
        stp_pkg::CFG_MNI_LIM2: lim2_q <= sat;
        stp_pkg::CFG_MNI_LIM3: lim3_q <= sat;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      total_q <= n0_q;
      real_q <= (lim0_q < n0_q) ? lim0_q : n0_q;
      short_q <= aux[0] & (lim0_q < n0_q);
      strict_q <= aux[3:1];
      m1_q <= n1_q - 24'd1;
      m2_q <= n2_q - 24'd1;
      m3_q <= n3_q - 24'd1;
      al1_q <= lim1_q;
      al2_q <= lim2_q;
      al3_q <= lim3_q;
      ags1_q <= gs1_q;
      ags2_q <= gs2_q;
      ags3_q <= gs3_q;
      als1_q <= ls1_q;
      als2_q <= ls2_q;
      als3_q <= ls3_q;
      pc_q <= pl_pc_i;
      i1_q <= '0;
      i2_q <= '0;
      i3_q <= '0;
      g1_q <= pl_a_i;
      g2_q <= pl_a_i;
      g3_q <= pl_a_i;
      l1_q <= pl_b_i;
      l2_q <= pl_b_i;
      l3_q <= pl_b_i;
    end else if (act_fire) begin
      g1_q <= g_next;
      l1_q <= l_next;
      i1_q <= last1 ? 24'd0 : i1_q + 24'd1;
      if (last1) begin
        g2_q <= g_next;
        l2_q <= l_next;
        i2_q <= last2 ? 24'd0 : i2_q + 24'd1;
        if (last2) begin
          g3_q <= g_next;
          l3_q <= l_next;
          i3_q <= i3_q + 24'd1;
        end
      end
    end
    if (post_take) pend_id_q <= aux[5:0];
    if (act_fire) begin
      item_gaddr_o <= g1_q[39:0];
      item_laddr_o <= l1_q[20:0];
      item_total_o <= row_total;
      item_real_o <= row_real;
      item_pc_o <= pc_q;
    end
    if (pend_fire) item_post_o <= pend_id_q;
    if (act_fire && row_bad) begin
      trap_cause_o <= lim_bad ? stp_pkg::CAUSE_LIMIT : g_bad ? stp_pkg::CAUSE_GLOBAL_RANGE : stp_pkg::CAUSE_LX_RANGE;
      trap_addr_o <= (lim_bad | g_bad) ? g1_q[39:0] : l1_q[39:0];
      trap_pc_o <= pc_q;
    end else if (fault_take) begin
      trap_cause_o <= fault_cause;
      trap_addr_o <= fault_addr;
      trap_pc_o <= pl_pc_i;
    end
  end

  assign idle_o = ~act_q & ~pend_q & ~item_valid_o;

endmodule
`default_nettype wire
