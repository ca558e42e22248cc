`default_nettype none
// Moves rows of bytes from sticks of one alignment to sticks of another.
//
// Source sticks come in order, the sticks that a row's real bytes touch, and never sticks of rows without real bytes. Each
// row gives one piece per destination stick that its total bytes touch, in order, with strobes; bytes of a piece past the
// real ones are zero, bytes without strobe are not defined. Posts and traps pass in their place.
//
// A source stick is rotated as it enters a window of two sticks (the second is the carried stick's successor): byte b of a
// piece then is byte b of one of the two. A row takes max(source sticks, destination sticks) cycles, rows follow without a
// gap, and a post or trap takes one cycle.
// Latency: a piece is at the output two cycles after its last source stick was taken.
// Handshake: valid/ready on all three sides; out_* are registers. src_ready_o depends on out_ready_i. clear_i empties all.
// kill_i drops everything but, with keep_i, a piece at the output that has not been taken.
module mni_align (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,
  input  wire logic          kill_i,
  input  wire logic          keep_i,
  // rows, posts and traps
  input  wire logic          item_valid_i,
  output logic               item_ready_o,
  input  wire logic [1:0]    item_kind_i,
  input  wire logic [32:0]   item_dst_i,    // first destination stick
  input  wire logic [6:0]    item_doff_i,   // first byte in it
  input  wire logic [6:0]    item_soff_i,   // first byte in the first source stick
  input  wire logic [23:0]   item_total_i,  // > 0
  input  wire logic [23:0]   item_real_i,
  input  wire logic [9:0]    item_pc_i,
  input  wire logic [5:0]    item_post_i,
  // source sticks
  input  wire logic          src_valid_i,
  output logic               src_ready_o,
  input  wire logic [1023:0] src_data_i,
  input  wire logic [6:0]    src_rot_i,     // (soff - doff) mod 128 of its row
  // pieces, posts and traps
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output logic      [1:0]    out_kind_o,
  output logic      [32:0]   out_dst_o,
  output logic      [1023:0] out_data_o,
  output logic      [127:0]  out_strb_o,
  output logic      [7:0]    out_bytes_o,   // set bits of out_strb_o
  output logic      [9:0]    out_pc_o,
  output logic      [5:0]    out_post_o,
  output logic               starved_o,     // a row waits for a source stick
  output logic               idle_o         // nothing in hand
);

  // Byte b of a stick becomes byte (b + n) mod 128 of data.
  function automatic logic [1023:0] rotate(input logic [1023:0] data, input logic [6:0] n);
    rotate = (data >> {n, 3'b000}) | (data << {8'd128 - {1'b0, n}, 3'b000});
  endfunction

  // Bytes below split from a, others from b; zero from byte last on.
  function automatic logic [1023:0] merge(input logic [1023:0] a, input logic [1023:0] b, input logic [7:0] split,
                                          input logic [7:0] last);
    merge = ((a & ~({1024{1'b1}} << {split, 3'b000})) | (b & ({1024{1'b1}} << {split, 3'b000}))) &
            ~({1024{1'b1}} << {last, 3'b000});
  endfunction

  // --- the item in hand; a row stands at one piece, and its ends count from that piece's stick ---
  logic        have_q, first_q, back_q;
  logic [1:0]  kind_q;
  logic [32:0] dst_q;
  logic [6:0]  lo_q, rot_q;
  logic [24:0] end_q, rend_q;   // end of the total and of the real bytes (no real bytes: 0)
  logic [17:0] src_q;           // source sticks of the row that are not used up
  logic [9:0]  pc_q;
  logic [5:0]  post_q;
  // --- the window ---
  logic [1023:0] w0_q, w1_q;
  logic [1:0]    count_q;

  logic        is_row, last, fire, out_free, take, push;
  logic [1:0]  need, pops, left;
  logic [7:0]  hi, rhi, split;
  logic [24:0] item_end, item_rend, item_send;

  assign is_row = kind_q == mni_pkg::ITEM_ROW;
  assign last = ~is_row | (end_q <= 25'd128);
  assign hi = (end_q > 25'd128) ? 8'd128 : end_q[7:0];
  assign rhi = (rend_q > 25'd128) ? 8'd128 : rend_q[7:0];
  // With back_q the source lags: the first piece has only the first stick, as its upper part, and each later piece begins
  // with the upper part of the stick before. Otherwise a piece begins in one stick and ends in the next.
  assign split = (back_q & first_q) ? 8'd128 : 8'd128 - {1'b0, rot_q};
  always_comb begin
    if (!is_row || src_q == '0) need = 2'd0;
    else if (src_q == 18'd1 || rot_q == '0 || (back_q && first_q)) need = 2'd1;
    else need = 2'd2;
    // The last piece touches every stick that is left: at most two.
    if (!is_row || src_q == '0) pops = 2'd0;
    else if (last) pops = src_q[1:0];
    else if (back_q && first_q) pops = 2'd0;
    else pops = 2'd1;
  end
  assign out_free = ~out_valid_o | out_ready_i;
  assign fire = have_q & out_free & (count_q >= need);
  assign item_ready_o = ~have_q | (fire & last);
  assign take = item_valid_i & item_ready_o;
  assign left = fire ? count_q - pops : count_q;
  assign src_ready_o = ~left[1];
  assign push = src_valid_i & src_ready_o;

  assign item_end = {18'b0, item_doff_i} + {1'b0, item_total_i};
  assign item_rend = {18'b0, item_doff_i} + {1'b0, item_real_i};
  assign item_send = {18'b0, item_soff_i} + {1'b0, item_real_i} + 25'd127;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      have_q <= 1'b0;
      count_q <= '0;
      out_valid_o <= 1'b0;
      kind_q <= mni_pkg::ITEM_ROW;
      out_kind_o <= mni_pkg::ITEM_ROW;
    end else if (clear_i || kill_i) begin
      have_q <= 1'b0;
      count_q <= '0;
      out_valid_o <= ~clear_i & out_valid_o & keep_i & ~out_ready_i;
    end else begin
      if (take) begin
        have_q <= 1'b1;
        kind_q <= item_kind_i;
      end else if (fire && last) have_q <= 1'b0;
      count_q <= left + {1'b0, push};
      if (fire) begin
        out_valid_o <= 1'b1;
        out_kind_o <= kind_q;
      end else if (out_ready_i) out_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      first_q <= 1'b1;
      back_q <= item_soff_i < item_doff_i;
      dst_q <= item_dst_i;
      lo_q <= item_doff_i;
      rot_q <= item_soff_i - item_doff_i;
      end_q <= item_end;
      rend_q <= (item_real_i == '0) ? 25'd0 : item_rend;
      src_q <= (item_real_i == '0) ? 18'd0 : item_send[24:7];
      pc_q <= item_pc_i;
      post_q <= item_post_i;
    end else if (fire) begin
      first_q <= 1'b0;
      dst_q <= dst_q + 33'd1;
      lo_q <= '0;
      end_q <= end_q - 25'd128;
      rend_q <= (rend_q > 25'd128) ? rend_q - 25'd128 : 25'd0;
      src_q <= src_q - {16'b0, pops};
    end
    if (fire) begin
      out_pc_o <= pc_q;
      out_post_o <= post_q;
      if (is_row) begin
        out_dst_o <= dst_q;
        out_strb_o <= ~({128{1'b1}} << hi) & ({128{1'b1}} << lo_q);
        out_bytes_o <= hi - {1'b0, lo_q};
        out_data_o <= merge(w0_q, w1_q, split, rhi);
      end
    end
    if (fire && pops == 2'd1 && count_q == 2'd2) w0_q <= w1_q;
    if (push) begin
      if (left == 2'd0) w0_q <= rotate(src_data_i, src_rot_i);
      else w1_q <= rotate(src_data_i, src_rot_i);
    end
  end

  assign starved_o = have_q & (count_q < need);
  assign idle_o = ~have_q & ~out_valid_o;

endmodule
`default_nettype wire
