`default_nettype none
// A row of comparisons, minima and maxima:
//   OP_VCMP (predicate pred_i; a lane of all ones or zeros, as wide as the format), OP_VMIN, OP_VMAX (NaN wins, -0 < +0),
//   OP_VMINNUM, OP_VMAXNUM (a number wins over NaN, -0 < +0)
// Lanes are 32 bits; a 16-bit value is in the low half (the upper half of operands is ignored, that of results is zero).
//
// Latency: 1 cycle (arith_pkg::CMP_LATENCY); one row may enter every cycle. valid_o is valid_i one cycle later and there is no
// back-pressure. q_o keeps its value until the next row leaves.
module arith_cmp_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,
    input  wire  [3:0]          pred_i,   // stp_pkg::VCMP_...
    input  wire  [2:0]          fmt_i,    // arith_pkg::FMT_...: float formats; OP_VCMP also FMT_I32
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_i;
  end

  wire f16 = fmt_i == arith_pkg::FMT_F16;
  wire bf16 = fmt_i == arith_pkg::FMT_BF16;
  wire i32 = fmt_i == arith_pkg::FMT_I32;
  wire half = f16 | bf16;
  wire [30:0] inf = f16 ? 31'h7c000000 : 31'h7f800000;  // 16-bit values are worked at the top of the lane
  wire [31:0] nan_q = f16 ? 32'h7e00 : bf16 ? 32'h7fc0 : 32'h7fc00000;
  wire is_cmp = op_i == stp_pkg::OP_VCMP;
  wire is_max = op_i == stp_pkg::OP_VMAX | op_i == stp_pkg::OP_VMAXNUM;
  wire is_number = op_i == stp_pkg::OP_VMINNUM | op_i == stp_pkg::OP_VMAXNUM;
  wire is_unsigned = pred_i == stp_pkg::VCMP_UGT | pred_i == stp_pkg::VCMP_UGE | pred_i == stp_pkg::VCMP_ULT |
      pred_i == stp_pkg::VCMP_ULE;

  // The outcomes for which a predicate holds: unordered, less, greater, equal.
  logic [3:0] holds;
  always_comb begin
    unique case (pred_i)
      stp_pkg::VCMP_OEQ: holds = 4'b0001;
      stp_pkg::VCMP_OGT: holds = 4'b0010;
      stp_pkg::VCMP_OGE: holds = 4'b0011;
      stp_pkg::VCMP_OLT: holds = 4'b0100;
      stp_pkg::VCMP_OLE: holds = 4'b0101;
      stp_pkg::VCMP_ONE: holds = 4'b0110;
      stp_pkg::VCMP_ORD: holds = 4'b0111;
      stp_pkg::VCMP_UEQ: holds = 4'b1001;
      stp_pkg::VCMP_UGT: holds = 4'b1010;
      stp_pkg::VCMP_UGE: holds = 4'b1011;
      stp_pkg::VCMP_ULT: holds = 4'b1100;
      stp_pkg::VCMP_ULE: holds = 4'b1101;
      stp_pkg::VCMP_UNE: holds = 4'b1110;
      stp_pkg::VCMP_UNO: holds = 4'b1000;
      stp_pkg::VCMP_TRUE: holds = 4'b1111;
      default: holds = 4'b0000;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : lane
        logic [31:0] a, b, ka, kb, choice;
        logic a_nan, b_nan, less, equal, zeros, unordered, hit, take_b;
        a = a_i[32*i+:32];
        b = b_i[32*i+:32];
        if (half) begin
          a = {a[15:0], 16'b0};
          b = {b[15:0], 16'b0};
        end
        a_nan = ~i32 & (a[30:0] > inf);
        b_nan = ~i32 & (b[30:0] > inf);
        unordered = a_nan | b_nan;
        // Keys order as unsigned numbers: floats with the magnitude of negatives inverted, so that -0 is just below +0.
        ka = i32 ? {a[31] ^ ~is_unsigned, a[30:0]} : {~a[31], a[30:0] ^ {31{a[31]}}};
        kb = i32 ? {b[31] ^ ~is_unsigned, b[30:0]} : {~b[31], b[30:0] ^ {31{b[31]}}};
        less = ka < kb;
        zeros = ~i32 & (a[30:0] == 31'd0) & (b[30:0] == 31'd0);
        equal = zeros | (a == b);
        hit = unordered ? holds[3] : equal ? holds[0] : less ? holds[2] : holds[1];
        take_b = is_number & (a_nan | b_nan) ? a_nan : less == is_max;
        choice = take_b ? b : a;
        if (half) choice = {16'b0, choice[31:16]};
        if (is_number ? a_nan & b_nan : unordered) choice = nan_q;
        q_o[32*i+:32] <= is_cmp ? {{16{hit & ~half}}, {16{hit}}} : choice;
      end
    end
  end
endmodule
`default_nettype wire
