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
    parameter int LANES = 64  // a power of two
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
  localparam int AW = $clog2(LANES);

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

  // State s of lane i is at {s, i}. Remainder and divisor are in units of 2^-24 and 2^-23.
  logic [26:0] rem_q[0:(16<<AW)-1];
  logic [23:0] div_q[0:(16<<AW)-1];
  logic [25:0] quo_q[0:(16<<AW)-1];
  logic [12:0] meta_q[0:(16<<AW)-1];  // special kind (2), sign, exponent of an integer bit that is set, biased by 512
  wire [2:0] ofmt_last = ofmt_q[3*STAGES+2:3*STAGES];

  always_ff @(posedge clk_i) begin
    // Last: round.
    if (valid_q[STAGES]) begin
      for (int i = 0; i < LANES; i++) begin : last
        logic [25:0] quo;
        logic [12:0] meta;
        logic [31:0] sig;
        quo = quo_q[{4'(STAGES), AW'(i)}];
        meta = meta_q[{4'(STAGES), AW'(i)}];
        sig = {quo[25] ? quo : {quo[24:0], 1'b0}, 5'b0, rem_q[{4'(STAGES), AW'(i)}] != 27'd0};
        q_o[32*i+:32] <= meta[12:11] != 2'd0 ? arith_pkg::special(ofmt_last, meta[12:11], meta[10]) :
            arith_pkg::round(ofmt_last, meta[10], sig, meta[9:0] - {9'b0, ~quo[25]});
      end
    end
    // Two digits per stage, last stage first. Masks of one bit rather than choices let a
    // simulator's compiler work on several lanes at once.
    for (int s = STAGES - 1; s >= 0; s--) begin
      if (valid_q[s]) begin : digits
        logic [25:0] digit1, digit2;
        logic [27:0] root_mask;
        digit1 = 26'h2000000 >> (2 * s);
        digit2 = 26'h1000000 >> (2 * s);
        root_mask = {28{root_q[s]}};
        for (int i = 0; i < LANES; i++) begin : step
          logic [25:0] quo, mid;
          logic [27:0] d, w1, w2, t1, t2;  // in units of 2^-25; differences are below 4 and not below -4
          logic [26:0] miss1, miss2;
          d = {2'b0, div_q[{4'(s), AW'(i)}], 2'b0} & ~root_mask;
          quo = quo_q[{4'(s), AW'(i)}];
          w1 = {rem_q[{4'(s), AW'(i)}], 1'b0};
          t1 = w1 - (d | (({1'b0, quo, 1'b0} | {2'b0, digit1}) & root_mask));
          miss1 = {27{t1[27]}};
          mid = quo | (digit1 & ~miss1[25:0]);
          w2 = {(t1[26:0] & ~miss1) | (w1[26:0] & miss1), 1'b0};
          t2 = w2 - (d | (({1'b0, mid, 1'b0} | {2'b0, digit2}) & root_mask));
          miss2 = {27{t2[27]}};
          quo_q[{4'(s + 1), AW'(i)}] = mid | (digit2 & ~miss2[25:0]);
          // Doubled, and in units twice as large.
          rem_q[{4'(s + 1), AW'(i)}] = (t2[26:0] & ~miss2) | (w2[26:0] & miss2);
          div_q[{4'(s + 1), AW'(i)}] = div_q[{4'(s), AW'(i)}];
          meta_q[{4'(s + 1), AW'(i)}] = meta_q[{4'(s), AW'(i)}];
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
        rem_q[{4'd0, AW'(i)}] = root & er[0] ? {1'b0, ma, 2'b0} : {2'b0, ma, 1'b0};
        div_q[{4'd0, AW'(i)}] = {~b_sub, b[22:0]} << lzb;
        quo_q[{4'd0, AW'(i)}] = 26'd0;
        if (root) begin
          meta_q[{4'd0, AW'(i)}] = {a_zero ? 2'd3 : (a_top & (a[22:0] != 23'd0)) | a[31] ? 2'd1 : a_top ? 2'd2 : 2'd0, a[31], ~er[9], er[9:1]};
        end else begin
          meta_q[{4'd0, AW'(i)}] = {nan ? 2'd1 : a_top | b_zero ? 2'd2 : a_zero | b_top ? 2'd3 : 2'd0, a[31] ^ b[31], 10'd512 + ea - eb};
        end
      end
    end
  end
endmodule
`default_nettype wire
