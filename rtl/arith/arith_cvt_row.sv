`default_nettype none
// A row of conversions between f16, bf16, f32 and i32, each with every other and with itself. Lanes are 32 bits; a 16-bit value is
// in the low half (the upper half of the operand is ignored, that of the result is zero). To a float format: rounded once, to
// nearest even, NaN canonical. To i32: toward zero, saturating, NaN gives 0.
//
// Latency: 2 cycles (arith_pkg::CVT_LATENCY); one row may enter every cycle, with any formats. valid_o is valid_i two cycles later and
// there is no back-pressure. q_o keeps its value until the next row leaves.
module arith_cvt_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [2:0]          ifmt_i,   // arith_pkg::FMT_F16, FMT_BF16, FMT_F32 (or FMT_F32P), FMT_I32
    input  wire  [2:0]          ofmt_i,
    input  wire  [LANES*32-1:0] a_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  logic valid_q;
  logic [2:0] ofmt_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= valid_i;
      valid_o <= valid_q;
    end
  end
  always_ff @(posedge clk_i) if (valid_i) ofmt_q <= ofmt_i;

  wire f16 = ifmt_i == arith_pkg::FMT_F16;
  wire bf16 = ifmt_i == arith_pkg::FMT_BF16;
  wire i32 = ifmt_i == arith_pkg::FMT_I32;
  wire to_i32 = ofmt_q == arith_pkg::FMT_I32;

  logic [31:0] sig_q[0:LANES-1];  // leading bit at 31; 0: zero
  logic [9:0] e_q[0:LANES-1];     // its exponent, biased by 512
  logic [2:0] flags_q[0:LANES-1];  // special kind (2), sign

  always_ff @(posedge clk_i) begin
    // Stage 2: round, or shift to the binary point.
    if (valid_q) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [31:0] whole, magnitude;
        logic [9:0] e;
        logic [2:0] flags;
        logic beyond;
        flags = flags_q[i];
        e = e_q[i];
        if (to_i32) begin
          whole = sig_q[i] >> (5'd31 - e[4:0]);  // 512 is a multiple of 32
          magnitude = e < 10'd512 ? 32'd0 : whole;
          // Beyond the range: 2^31 or more, which for an i32 operand only its minimum is.
          beyond = flags[2:1] == 2'd2 | (e >= 10'd543 & sig_q[i][31]);
          q_o[32*i+:32] <= flags[2:1] == 2'd1 ? 32'd0 :
              beyond ? {flags[0], {31{~flags[0]}}} : (magnitude ^ {32{flags[0]}}) + {31'b0, flags[0]};
        end else begin
          q_o[32*i+:32] <= flags[2:1] != 2'd0 ? arith_pkg::special(ofmt_q, flags[2:1], flags[0]) :
              arith_pkg::round(ofmt_q, flags[0], sig_q[i], e);
        end
      end
    end
    // Stage 1: decode to one form and normalise.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a, m;
        logic [4:0] lz;
        logic [7:0] x;
        logic [9:0] base;
        logic sign, top, frac;
        a = a_i[32*i+:32];
        sign = f16 | bf16 ? a[15] : a[31];
        x = f16 ? {3'b0, a[14:10]} : bf16 ? a[14:7] : a[30:23];
        m = f16 ? {x != 8'd0, a[9:0], 21'b0} : bf16 ? {x != 8'd0, a[6:0], 24'b0} : {x != 8'd0, a[22:0], 8'b0};
        frac = m[30:0] != 31'd0;
        top = f16 ? x == 8'h1f : x == 8'hff;
        base = {2'b0, x} + {9'b0, x == 8'd0} + (f16 ? 10'd497 : 10'd385);
        if (i32) begin
          m = (a ^ {32{sign}}) + {31'b0, sign};
          top = 1'b0;
          base = 10'd543;
        end
        lz = arith_pkg::clz32(m);
        sig_q[i] = m << lz;
        e_q[i] = base - {5'b0, lz};
        flags_q[i] = {!top ? 2'd0 : frac ? 2'd1 : 2'd2, sign};
      end
    end
  end
endmodule
`default_nettype wire
