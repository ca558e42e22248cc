`default_nettype none
// A row of f32 divisions or square roots, rounded once, to nearest even, to f32, f16 or bf16:
//   OP_VDIV a / b   OP_VFUNC (RECIPROCAL) 1 / a   OP_VSQRT square root of a
// A 16-bit result is in the low half of its lane, the upper half is zero. NaN results are canonical.
//
// Latency: 15 cycles (arith_pkg::DIV32_LATENCY); one row may enter every cycle, with any op and format. valid_o is valid_i fifteen
// cycles later and there is no back-pressure. q_o keeps its value until the next row leaves.
//
// One cycle to normalise, thirteen restoring stages of two digits, one to round. Both operations find the digits of q, an
// integer bit and 25 of fraction, in the same way: from a remainder w = a and q = 0, digit k (of weight 2^-k) is 1 if w >= t, then
// w becomes 2 * (w - t), else 2 * w. For a quotient t is the divisor; for a root it is 2q + 2^-k. A quotient in (1/2, 2) or a root in
// [1, 2) has at least 25 significant bits in q, and the remainder is the sticky bit. w is below twice the divisor, or below 8.
module arith_div32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,     // stp_pkg::OP_VDIV, OP_VFUNC or OP_VSQRT
    input  wire  [2:0]          ofmt_i,   // arith_pkg::FMT_F32 (or FMT_F32P), FMT_F16 or FMT_BF16
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,      // divisor
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  localparam int STAGES = 13;

  // Bit s: the state that has been through s stages is valid; is that of roots.
  logic [STAGES:0] valid_q, root_q;
  logic [3*STAGES+2:0] ofmt_q;
  wire root = op_i == stp_pkg::OP_VSQRT;
  wire one = op_i == stp_pkg::OP_VFUNC;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[STAGES-1:0], valid_i};
      valid_o <= valid_q[STAGES];
    end
  end
  always_ff @(posedge clk_i) begin
    ofmt_q <= {ofmt_q[3*STAGES-1:0], ofmt_i};
    root_q <= {root_q[STAGES-1:0], root};
  end

  // State s of lane i is at s * LANES + i. Remainder and divisor are in units of 2^-24 and 2^-23.
  logic [26:0] rem_q[0:(STAGES+1)*LANES-1];
  logic [23:0] div_q[0:(STAGES+1)*LANES-1];
  logic [25:0] quo_q[0:(STAGES+1)*LANES-1];
  logic [12:0] meta_q[0:(STAGES+1)*LANES-1];  // special kind (2), sign, exponent of an integer bit that is set, biased by 512
  wire [2:0] ofmt_last = ofmt_q[3*STAGES+2:3*STAGES];

  always_ff @(posedge clk_i) begin
    // Last: round.
    if (valid_q[STAGES]) begin
      for (int i = 0; i < LANES; i++) begin : last
        logic [25:0] quo;
        logic [12:0] meta;
        logic [31:0] sig;
        quo = quo_q[STAGES*LANES+i];
        meta = meta_q[STAGES*LANES+i];
        sig = {quo[25] ? quo : {quo[24:0], 1'b0}, 5'b0, rem_q[STAGES*LANES+i] != 27'd0};
        q_o[32*i+:32] <= meta[12:11] != 2'd0 ? arith_pkg::special(ofmt_last, meta[12:11], meta[10]) :
            arith_pkg::round(ofmt_last, meta[10], sig, meta[9:0] - {9'b0, ~quo[25]});
      end
    end
    // Two digits per stage, last stage first.
    for (int s = STAGES - 1; s >= 0; s--) begin
      if (valid_q[s]) begin
        for (int i = 0; i < LANES; i++) begin : step
          logic [23:0] d;
          logic [25:0] quo, mid, digit;
          logic [28:0] w1, w2, t1, t2;  // in units of 2^-25
          logic hit1, hit2;
          d = div_q[s*LANES+i];
          quo = quo_q[s*LANES+i];
          digit = 26'h2000000 >> (2 * s);
          w1 = {1'b0, rem_q[s*LANES+i], 1'b0};
          t1 = w1 - (root_q[s] ? {2'b0, quo, 1'b0} | {3'b0, digit} : {3'b0, d, 2'b0});
          hit1 = ~t1[28];
          mid = hit1 ? quo | digit : quo;
          w2 = {hit1 ? t1[27:0] : w1[27:0], 1'b0};
          t2 = w2 - (root_q[s] ? {2'b0, mid, 1'b0} | {4'b0, digit[25:1]} : {3'b0, d, 2'b0});
          hit2 = t2[28:27] == 2'd0;
          quo_q[(s+1)*LANES+i] = hit2 ? mid | {1'b0, digit[25:1]} : mid;
          rem_q[(s+1)*LANES+i] = hit2 ? t2[26:0] : w2[26:0];  // doubled, and in units twice as large
          div_q[(s+1)*LANES+i] = d;
          meta_q[(s+1)*LANES+i] = meta_q[s*LANES+i];
        end
      end
    end
    // First: normalise, special values.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : first
        logic [31:0] a, b;
        logic a_sub, b_sub, a_top, b_top, a_zero, b_zero, nan;
        logic [4:0] lza, lzb;
        logic [9:0] ea, eb, er;
        logic [23:0] ma;
        a = one ? 32'h3f800000 : a_i[32*i+:32];
        b = one ? a_i[32*i+:32] : b_i[32*i+:32];
        a_sub = a[30:23] == 8'd0;
        b_sub = b[30:23] == 8'd0;
        a_top = a[30:23] == 8'hff;
        b_top = b[30:23] == 8'hff;
        a_zero = a[30:0] == 31'd0;
        b_zero = b[30:0] == 31'd0;
        nan = (a_top & (a[22:0] != 23'd0)) | (b_top & (b[22:0] != 23'd0)) | (a_top & b_top) | (a_zero & b_zero);
        lza = arith_pkg::clz32({~a_sub, a[22:0], 8'b0});
        lzb = arith_pkg::clz32({~b_sub, b[22:0], 8'b0});
        ea = {2'b0, a[30:23]} + {9'b0, a_sub} - {5'b0, lza};
        eb = {2'b0, b[30:23]} + {9'b0, b_sub} - {5'b0, lzb};
        ma = {~a_sub, a[22:0]} << lza;
        // A root halves an even exponent: one of an odd exponent stays with the significand.
        er = ea - 10'd127;
        rem_q[i] = root & er[0] ? {1'b0, ma, 2'b0} : {2'b0, ma, 1'b0};
        div_q[i] = {~b_sub, b[22:0]} << lzb;
        quo_q[i] = 26'd0;
        if (root) begin
          meta_q[i] = {a_zero ? 2'd3 : (a_top & (a[22:0] != 23'd0)) | a[31] ? 2'd1 : a_top ? 2'd2 : 2'd0, a[31], ~er[9], er[9:1]};
        end else begin
          meta_q[i] = {nan ? 2'd1 : a_top | b_zero ? 2'd2 : a_zero | b_top ? 2'd3 : 2'd0, a[31] ^ b[31], 10'd512 + ea - eb};
        end
      end
    end
  end
endmodule
`default_nettype wire
