`default_nettype none
// The data path of SFU: 64 lanes of 32 bits. A 16-bit stick has an element in the low half of each lane; a stick of 32-bit
// elements uses the lower 32 lanes, a pair all of them.
//
// Operands come with go_i and are registered (stage 0). The result of a class is on wb_lo_o and wb_hi_o a fixed number
// of cycles after go_i (WB_ in sfu.sv), in the cycle in which wb_class_i names it; the issue logic sees to it that there is one per cycle at most.
module sfu_exec (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,

  input  wire logic          go_i,
  input  wire logic [3:0]    go_class_i,
  input  wire logic [7:0]    go_op_i,
  input  wire logic [2:0]    go_fmt_i,   // of the result
  input  wire logic [2:0]    go_sfmt_i,  // of the sources
  input  wire logic [3:0]    go_fn_i,
  input  wire logic [5:0]    go_lane_i,  // vsplat
  input  wire logic          go_all_i,   // all 64 lanes
  input  wire logic [2:0]    go_half_i,  // sources with 16-bit lanes
  input  wire logic [2047:0] go_a_i,
  input  wire logic [2047:0] go_b_i,
  input  wire logic [2047:0] go_c_i,

  input  wire logic          wb_i,
  input  wire logic [3:0]    wb_class_i,
  input  wire logic          wb_half_i,
  output logic [1023:0]      wb_lo_o,
  output logic [1023:0]      wb_hi_o
);
  // Stage 0.
  logic e0_q, e0_all_q;
  logic [2:0] e0_fmt_q, e0_sfmt_q, e0_half_q;
  logic [7:0] e0_op_q;
  logic [3:0] e0_class_q, e0_fn_q;
  logic [5:0] e0_lane_q;
  logic [2047:0] e0_a_q, e0_b_q, e0_c_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) e0_q <= 1'b0;
    else e0_q <= go_i;
  end
  always_ff @(posedge clk_i) begin
    if (go_i) begin
      e0_class_q <= go_class_i;
      e0_op_q <= go_op_i;
      e0_fmt_q <= go_fmt_i;
      e0_sfmt_q <= go_sfmt_i;
      e0_fn_q <= go_fn_i;
      e0_lane_q <= go_lane_i;
      e0_all_q <= go_all_i;
      e0_half_q <= go_half_i;
      e0_a_q <= go_a_i;
      e0_b_q <= go_b_i;
      e0_c_q <= go_c_i;
    end
  end
  wire e0_int = e0_q & (e0_class_q == sfu_pkg::CLASS_INT);
  wire e0_cmp = e0_q & (e0_class_q == sfu_pkg::CLASS_CMP);
  wire e0_cvt = e0_q & (e0_class_q == sfu_pkg::CLASS_CVT);
  wire e0_wide = e0_q & ~(e0_int | e0_cmp | e0_cvt);

  // Stage 1: widened operands, or the splat lane.
  logic e1_q, e1_all_q;
  logic [2:0] e1_fmt_q;
  logic [3:0] e1_class_q, e1_fn_q;
  logic [7:0] e1_op_q;
  logic [2047:0] e1_a_q, e1_b_q, e1_c_q;
  wire splat = e0_op_q == stp_pkg::OP_VSPLAT;
  wire [31:0] element = e0_a_q[{e0_lane_q, 5'b0}+:32];
  logic [2047:0] wide_a, wide_b, wide_c;

  sfu_widen u_widen_a (
    .on_i(e0_wide & ~splat), .half_i(e0_half_q[0]), .fmt_i(e0_sfmt_q), .a_i(e0_a_q), .q_o(wide_a)
  );
  sfu_widen u_widen_b (
    .on_i(e0_wide & ~splat), .half_i(e0_half_q[1]), .fmt_i(e0_sfmt_q), .a_i(e0_b_q), .q_o(wide_b)
  );
  sfu_widen u_widen_c (
    .on_i(e0_wide & ~splat), .half_i(e0_half_q[2]), .fmt_i(e0_sfmt_q), .a_i(e0_c_q), .q_o(wide_c)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) e1_q <= 1'b0;
    else e1_q <= e0_wide;
  end
  always_ff @(posedge clk_i) begin
    if (e0_wide) begin
      e1_class_q <= e0_class_q;
      e1_op_q <= e0_op_q;
      e1_fmt_q <= e0_fmt_q;
      e1_fn_q <= e0_fn_q;
      e1_all_q <= e0_all_q;
      e1_a_q <= splat ? {64{element}} : wide_a;
      e1_b_q <= wide_b;
      e1_c_q <= wide_c;
    end
  end
  wire e1_fma = e1_q & (e1_class_q == sfu_pkg::CLASS_FMA);
  wire e1_div = e1_q & (e1_class_q == sfu_pkg::CLASS_DIV);
  wire e1_exp = e1_q & (e1_class_q == sfu_pkg::CLASS_EXP);
  wire e1_func = e1_q & (e1_class_q == sfu_pkg::CLASS_FUNC);
  wire e1_fold = e1_q & (e1_class_q == sfu_pkg::CLASS_FOLD);

  // The rows, as a lower and an upper half.
  logic [2047:0] q_int, q_cmp, q_cvt, q_fma, q_div, q_exp, q_func;
  for (genvar h = 0; h < 2; h++) begin : g_half
    wire on0 = h == 0 ? 1'b1 : e0_all_q;
    wire on1 = h == 0 ? 1'b1 : e1_all_q;
    wire [6:0] unused_valid;
    logic [1023:0] r_int, r_cmp, r_cvt, r_fma, r_div, r_exp, r_func;
    arith_int_row #(.LANES(32)) u_int (
      .clk_i, .rst_ni, .valid_i(e0_int & on0), .op_i(e0_op_q), .half_i(e0_half_q[0]), .a_i(e0_a_q[1024*h+:1024]),
      .b_i(e0_b_q[1024*h+:1024]), .c_i(e0_c_q[1024*h+:1024]), .q_o(r_int), .valid_o(unused_valid[0])
    );
    arith_cmp_row #(.LANES(32)) u_cmp (
      .clk_i, .rst_ni, .valid_i(e0_cmp & on0), .op_i(e0_op_q), .pred_i(e0_fn_q), .fmt_i(e0_fmt_q),
      .a_i(e0_a_q[1024*h+:1024]), .b_i(e0_b_q[1024*h+:1024]), .q_o(r_cmp), .valid_o(unused_valid[1])
    );
    arith_cvt_row #(.LANES(32)) u_cvt (
      .clk_i, .rst_ni, .valid_i(e0_cvt & on0), .ifmt_i(e0_sfmt_q), .ofmt_i(e0_fmt_q), .a_i(e0_a_q[1024*h+:1024]),
      .q_o(r_cvt), .valid_o(unused_valid[2])
    );
    arith_fma32_row #(.LANES(32)) u_fma (
      .clk_i, .rst_ni, .valid_i(e1_fma & on1), .op_i(e1_op_q), .ofmt_i(e1_fmt_q), .a_i(e1_a_q[1024*h+:1024]),
      .b_i(e1_b_q[1024*h+:1024]), .c_i(e1_c_q[1024*h+:1024]), .q_o(r_fma), .valid_o(unused_valid[3])
    );
    arith_div32_row #(.LANES(32)) u_div (
      .clk_i, .rst_ni, .valid_i(e1_div & on1), .op_i(e1_op_q), .ofmt_i(e1_fmt_q), .a_i(e1_a_q[1024*h+:1024]),
      .b_i(e1_b_q[1024*h+:1024]), .q_o(r_div), .valid_o(unused_valid[4])
    );
    arith_exp32_row #(.LANES(32)) u_exp (
      .clk_i, .rst_ni, .valid_i(e1_exp & on1), .fn_i(e1_fn_q), .ofmt_i(e1_fmt_q), .a_i(e1_a_q[1024*h+:1024]),
      .q_o(r_exp), .valid_o(unused_valid[5])
    );
    arith_func32_row #(.LANES(32)) u_func (
      .clk_i, .rst_ni, .valid_i(e1_func & on1), .fn_i(e1_fn_q), .ofmt_i(e1_fmt_q), .a_i(e1_a_q[1024*h+:1024]),
      .q_o(r_func), .valid_o(unused_valid[6])
    );
    assign q_int[1024*h+:1024] = r_int;
    assign q_cmp[1024*h+:1024] = r_cmp;
    assign q_cvt[1024*h+:1024] = r_cvt;
    assign q_fma[1024*h+:1024] = r_fma;
    assign q_div[1024*h+:1024] = r_div;
    assign q_exp[1024*h+:1024] = r_exp;
    assign q_func[1024*h+:1024] = r_func;
  end

  logic [31:0] q_fold;
  sfu_fold u_fold (
    .clk_i, .rst_ni, .valid_i(e1_fold), .fn_i(e1_fn_q[2:0]), .fmt_i(e1_fmt_q), .half_i(~e1_all_q), .a_i(e1_a_q), .q_o(q_fold)
  );

  // Write-back.
  logic [2047:0] lanes;
  always_comb begin
    lanes = '0;
    if (wb_i) begin
      unique case (wb_class_i)
        sfu_pkg::CLASS_INT: lanes = q_int;
        sfu_pkg::CLASS_CMP: lanes = q_cmp;
        sfu_pkg::CLASS_CVT: lanes = q_cvt;
        sfu_pkg::CLASS_WIDE: lanes = e1_a_q;
        sfu_pkg::CLASS_FMA: lanes = q_fma;
        sfu_pkg::CLASS_DIV: lanes = q_div;
        sfu_pkg::CLASS_EXP: lanes = q_exp;
        sfu_pkg::CLASS_FUNC: lanes = q_func;
        default: lanes = {64{q_fold}};
      endcase
    end
    wb_lo_o = lanes[1023:0];
    wb_hi_o = lanes[2047:1024];
    if (wb_half_i) for (int i = 0; i < 64; i++) wb_lo_o[16*i+:16] = lanes[32*i+:16];
  end
endmodule
`default_nettype wire
