`default_nettype none
// A row of f32 divisions: q = a / b, rounded once, to nearest even, to f32, f16 or bf16. A 16-bit result is in the low half of its
// lane, the upper half is zero. NaN results are canonical.
//
// Latency: 15 cycles (arith_pkg::DIV32_LATENCY); one row may enter every cycle, with any format. valid_o is valid_i fifteen cycles later
// and there is no back-pressure. q_o keeps its value until the next row leaves.
//
// One cycle to normalise, thirteen restoring stages of two quotient bits, one to round. The 26 bits are an integer bit and 25 of
// fraction of a quotient in (1/2, 2): at least 25 significant ones, and the remainder is the sticky bit.
module arith_div32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [2:0]          ofmt_i,   // arith_pkg::FMT_F32 (or FMT_F32P), FMT_F16 or FMT_BF16
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  localparam int STAGES = 13;

  // Bit s: the state that has been through s stages is valid.
  logic [STAGES:0] valid_q;
  logic [3*STAGES+2:0] ofmt_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[STAGES-1:0], valid_i};
      valid_o <= valid_q[STAGES];
    end
  end
  always_ff @(posedge clk_i) ofmt_q <= {ofmt_q[3*STAGES-1:0], ofmt_i};

  // State s of lane i is at s * LANES + i.
  logic [24:0] rem_q[0:(STAGES+1)*LANES-1];    // below twice the divisor
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
        sig = {quo[25] ? quo : {quo[24:0], 1'b0}, 5'b0, rem_q[STAGES*LANES+i] != 25'd0};
        q_o[32*i+:32] <= meta[12:11] != 2'd0 ? arith_pkg::special(ofmt_last, meta[12:11], meta[10]) :
            arith_pkg::round(ofmt_last, meta[10], sig, meta[9:0] - {9'b0, ~quo[25]});
      end
    end
    // Two bits per stage, last stage first.
    for (int s = STAGES - 1; s >= 0; s--) begin
      if (valid_q[s]) begin
        for (int i = 0; i < LANES; i++) begin : step
          logic [25:0] d, r1, r2, t1, t2;
          logic [23:0] quo;
          logic hit1, hit2;
          d = {2'b0, div_q[s*LANES+i]};
          r1 = {1'b0, rem_q[s*LANES+i]};
          t1 = r1 - d;
          hit1 = ~t1[25];
          r2 = {hit1 ? t1[24:0] : r1[24:0], 1'b0};
          t2 = r2 - d;
          hit2 = t2[25:24] == 2'd0;
          quo = quo_q[s*LANES+i][23:0];
          rem_q[(s+1)*LANES+i] = {hit2 ? t2[23:0] : r2[23:0], 1'b0};
          quo_q[(s+1)*LANES+i] = {quo, hit1, hit2};
          div_q[(s+1)*LANES+i] = d[23:0];
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
        logic [23:0] ma;
        a = a_i[32*i+:32];
        b = b_i[32*i+:32];
        a_sub = a[30:23] == 8'd0;
        b_sub = b[30:23] == 8'd0;
        a_top = a[30:23] == 8'hff;
        b_top = b[30:23] == 8'hff;
        a_zero = a[30:0] == 31'd0;
        b_zero = b[30:0] == 31'd0;
        nan = (a_top & (a[22:0] != 23'd0)) | (b_top & (b[22:0] != 23'd0)) | (a_top & b_top) | (a_zero & b_zero);
        lza = arith_pkg::clz32({~a_sub, a[22:0], 8'b0});
        lzb = arith_pkg::clz32({~b_sub, b[22:0], 8'b0});
        ma = {~a_sub, a[22:0]} << lza;
        rem_q[i] = {1'b0, ma};
        div_q[i] = {~b_sub, b[22:0]} << lzb;
        quo_q[i] = 26'd0;
        meta_q[i] = {nan ? 2'd1 : a_top | b_zero ? 2'd2 : a_zero | b_top ? 2'd3 : 2'd0, a[31] ^ b[31],
            10'd512 + {2'b0, a[30:23]} + {9'b0, a_sub} - {5'b0, lza} - {2'b0, b[30:23]} - {9'b0, b_sub} + {5'b0, lzb}};
      end
    end
  end
endmodule
`default_nettype wire
