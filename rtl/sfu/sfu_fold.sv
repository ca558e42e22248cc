`default_nettype none
// vfold: a tree of six levels over 64 f32 lanes (lanes i and i+32, then 16, 8, 4, 2, 1), or five over the 32 lower ones, and the
// conversion of the result to its format. For 16-bit formats, whose lanes come widened, that conversion is exact.
//
// Latency: 14 cycles; one row may enter every cycle, with any function and format; no back-pressure.
module sfu_fold (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          valid_i,
  input  wire logic [2:0]    fn_i,    // stp_pkg::VFOLD_
  input  wire logic [2:0]    fmt_i,   // of the result
  input  wire logic          half_i,  // 32 lanes
  input  wire logic [2047:0] a_i,
  output logic [31:0]        q_o
);
  // What travels with the row, two cycles per level: stage k in bits 3*(k-1) and up.
  logic [29:0] fn_q;
  logic [35:0] fmt_q;
  logic [12:1] busy_q;
  wire any = valid_i | (|busy_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= '0;
    else if (any) busy_q <= {busy_q[11:1], valid_i};
  end
  always_ff @(posedge clk_i) begin
    if (any) begin
      fn_q <= {fn_q[26:0], fn_i};
      fmt_q <= {fmt_q[32:0], fmt_i};
    end
  end

  logic [1023:0] l32;
  logic [511:0] l16;
  logic [255:0] l8;
  logic [127:0] l4;
  logic [63:0] l2;
  logic [31:0] l1;
  logic v32, v16, v8, v4, v2, v1;
  wire unused_valid;

  sfu_fold_level #(.LANES(32)) u_level0 (
    .clk_i, .rst_ni, .valid_i, .fn_i, .skip_i(half_i), .a_i, .valid_o(v32), .q_o(l32)
  );
  sfu_fold_level #(.LANES(16)) u_level1 (
    .clk_i, .rst_ni, .valid_i(v32), .fn_i(fn_q[3*1+:3]), .skip_i(1'b0), .a_i(l32), .valid_o(v16), .q_o(l16)
  );
  sfu_fold_level #(.LANES(8)) u_level2 (
    .clk_i, .rst_ni, .valid_i(v16), .fn_i(fn_q[3*3+:3]), .skip_i(1'b0), .a_i(l16), .valid_o(v8), .q_o(l8)
  );
  sfu_fold_level #(.LANES(4)) u_level3 (
    .clk_i, .rst_ni, .valid_i(v8), .fn_i(fn_q[3*5+:3]), .skip_i(1'b0), .a_i(l8), .valid_o(v4), .q_o(l4)
  );
  sfu_fold_level #(.LANES(2)) u_level4 (
    .clk_i, .rst_ni, .valid_i(v4), .fn_i(fn_q[3*7+:3]), .skip_i(1'b0), .a_i(l4), .valid_o(v2), .q_o(l2)
  );
  sfu_fold_level #(.LANES(1)) u_level5 (
    .clk_i, .rst_ni, .valid_i(v2), .fn_i(fn_q[3*9+:3]), .skip_i(1'b0), .a_i(l2), .valid_o(v1), .q_o(l1)
  );
  arith_cvt_row #(.LANES(1)) u_cvt (
    .clk_i, .rst_ni, .valid_i(v1), .ifmt_i(arith_pkg::FMT_F32), .ofmt_i(fmt_q[3*11+:3]), .a_i(l1), .q_o,
    .valid_o(unused_valid)
  );
endmodule
`default_nettype wire
