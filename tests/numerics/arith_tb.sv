`default_nettype none
// Every arithmetic row side by side on shared operands; the test drives one valid_i at a time.
module arith_tb #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire  [8:0]          valid_i,  // fma16, add32, fma32, div32, exp32, func32, cvt, cmp, int
    input  wire  [7:0]          op_i,
    input  wire  [3:0]          pred_i,
    input  wire  [2:0]          ifmt_i,
    input  wire  [2:0]          ofmt_i,
    input  wire                 half_i,
    input  wire  [LANES*16-1:0] h_i,      // 16-bit operands of fma16 (b) and widen
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    input  wire  [LANES*32-1:0] c_i,
    output wire  [8:0]          valid_o,
    output wire  [LANES*32-1:0] fma16_o,
    output wire  [LANES*32-1:0] add32_o,
    output wire  [LANES*32-1:0] fma32_o,
    output wire  [LANES*32-1:0] div32_o,
    output wire  [LANES*32-1:0] func32_o,
    output wire  [LANES*32-1:0] cvt_o,
    output wire  [LANES*32-1:0] cmp_o,
    output wire  [LANES*32-1:0] int_o,
    output wire  [LANES*32-1:0] exp32_o,
    output wire  [LANES*32-1:0] widen_o,
    output wire  [53:0]         latency_o  // six bits per row, as valid_i
);
  assign latency_o = {6'(arith_pkg::INT_LATENCY), 6'(arith_pkg::CMP_LATENCY), 6'(arith_pkg::CVT_LATENCY),
                      6'(arith_pkg::FUNC32_LATENCY), 6'(arith_pkg::EXP32_LATENCY), 6'(arith_pkg::DIV32_LATENCY),
                      6'(arith_pkg::FMA32_LATENCY), 6'(arith_pkg::ADD32_LATENCY), 6'(arith_pkg::FMA16_LATENCY)};
  arith_fma16_row #(.LANES(LANES)) u_fma16 (
    .clk_i, .rst_ni, .valid_i(valid_i[0]), .fmt_i(ifmt_i), .a_i(a_i[15:0]), .b_i(h_i), .c_i, .q_o(fma16_o), .valid_o(valid_o[0])
  );
  arith_add32_row #(.LANES(LANES)) u_add32 (
    .clk_i, .rst_ni, .valid_i(valid_i[1]), .a_i, .b_i, .q_o(add32_o), .valid_o(valid_o[1])
  );
  arith_fma32_row #(.LANES(LANES)) u_fma32 (
    .clk_i, .rst_ni, .valid_i(valid_i[2]), .op_i, .ofmt_i, .a_i, .b_i, .c_i, .q_o(fma32_o), .valid_o(valid_o[2])
  );
  arith_div32_row #(.LANES(LANES)) u_div32 (
    .clk_i, .rst_ni, .valid_i(valid_i[3]), .op_i, .ofmt_i, .a_i, .b_i, .q_o(div32_o), .valid_o(valid_o[3])
  );
  arith_func32_row #(.LANES(LANES)) u_func32 (
    .clk_i, .rst_ni, .valid_i(valid_i[5]), .fn_i(pred_i), .ofmt_i, .a_i, .q_o(func32_o), .valid_o(valid_o[5])
  );
  arith_cvt_row #(.LANES(LANES)) u_cvt (
    .clk_i, .rst_ni, .valid_i(valid_i[6]), .ifmt_i, .ofmt_i, .a_i, .q_o(cvt_o), .valid_o(valid_o[6])
  );
  arith_cmp_row #(.LANES(LANES)) u_cmp (
    .clk_i, .rst_ni, .valid_i(valid_i[7]), .op_i, .pred_i, .fmt_i(ifmt_i), .a_i, .b_i, .q_o(cmp_o), .valid_o(valid_o[7])
  );
  arith_int_row #(.LANES(LANES)) u_int (
    .clk_i, .rst_ni, .valid_i(valid_i[8]), .op_i, .half_i, .a_i, .b_i, .c_i, .q_o(int_o), .valid_o(valid_o[8])
  );
  arith_exp32_row #(.LANES(LANES)) u_exp32 (
    .clk_i, .rst_ni, .valid_i(valid_i[4]), .fn_i(pred_i), .ofmt_i, .a_i, .q_o(exp32_o), .valid_o(valid_o[4])
  );
  arith_widen_row #(.LANES(LANES)) u_widen (.fmt_i(ifmt_i), .a_i(h_i), .q_o(widen_o));
endmodule
`default_nettype wire
