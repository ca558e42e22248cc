`default_nettype none
// One level of vfold: LANES pairs of f32 lanes, lane i with lane i + LANES, to LANES lanes by addition, minimum or maximum; or,
// with skip_i, the lower lanes unchanged.
//
// Latency: 2 cycles; one row may enter every cycle, with any function; no back-pressure.
module sfu_fold_level #(
  parameter int unsigned LANES = 32
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  valid_i,
  input  wire logic [2:0]            fn_i,  // stp_pkg::VFOLD_
  input  wire logic                  skip_i,
  input  wire logic [2*LANES*32-1:0] a_i,
  output logic                       valid_o,
  output logic [LANES*32-1:0]        q_o
);
  wire [LANES*32-1:0] low = a_i[LANES*32-1:0];
  wire [LANES*32-1:0] high = a_i[2*LANES*32-1:LANES*32];
  wire is_add = fn_i == stp_pkg::VFOLD_ADD[2:0];
  wire add = valid_i & is_add & ~skip_i;
  wire cmp = valid_i & ~is_add & ~skip_i;

  logic [7:0] cmp_op;
  always_comb begin
    unique case (fn_i)
      stp_pkg::VFOLD_MIN[2:0]: cmp_op = stp_pkg::OP_VMIN;
      stp_pkg::VFOLD_MAX[2:0]: cmp_op = stp_pkg::OP_VMAX;
      stp_pkg::VFOLD_MINNUM[2:0]: cmp_op = stp_pkg::OP_VMINNUM;
      default: cmp_op = stp_pkg::OP_VMAXNUM;
    endcase
  end

  logic [LANES*32-1:0] sum, choice, low_q, other_q;
  logic sum_valid, choice_valid, skip_q, other_valid_q;

  arith_add32_row #(.LANES(LANES)) u_add (
    .clk_i,
    .rst_ni,
    .valid_i(add),
    .a_i(low),
    .b_i(high),
    .q_o(sum),
    .valid_o(sum_valid)
  );
  arith_cmp_row #(.LANES(LANES)) u_cmp (
    .clk_i,
    .rst_ni,
    .valid_i(cmp),
    .op_i(cmp_op),
    .pred_i(4'd0),
    .fmt_i(arith_pkg::FMT_F32),
    .a_i(low),
    .b_i(high),
    .q_o(choice),
    .valid_o(choice_valid)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      skip_q <= 1'b0;
      other_valid_q <= 1'b0;
    end else begin
      skip_q <= valid_i & skip_i;
      other_valid_q <= skip_q | choice_valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i & skip_i) low_q <= low;
    if (skip_q | choice_valid) other_q <= skip_q ? low_q : choice;
  end
  assign valid_o = sum_valid | other_valid_q;
  assign q_o = other_valid_q ? other_q : sum;
endmodule
`default_nettype wire
