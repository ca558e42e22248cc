`default_nettype none
// A row of f32 additions: q = a + b, to nearest even, subnormals included. A NaN result is 0x7fc00000.
//
// Latency: 2 cycles; one row may enter every cycle. valid_o is valid_i two cycles later and there is no back-pressure.
// q_o keeps its value until the next row arrives.
module arith_add32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  logic valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= valid_i;
      valid_o <= valid_q;
    end
  end

  // The operand of larger magnitude has its leading bit at bit 30, the other is shifted right with a sticky bit.
  logic [31:0] big_q[0:LANES-1];
  logic [31:0] little_q[0:LANES-1];
  logic [7:0] e_q[0:LANES-1];
  logic [3:0] flags_q[0:LANES-1];  // NaN, infinite, sign of the bigger operand, subtract

  always_ff @(posedge clk_i) begin
    // Stage 2: add, normalise (limited by the smallest exponent), round.
    if (valid_q) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [31:0] sum, norm;
        logic [30:0] r;
        logic [7:0] e, be;
        logic [4:0] lz, lsh;
        logic [3:0] flags;
        logic sign, subnormal, round;
        flags = flags_q[i];
        e = e_q[i];
        sum = big_q[i] + (little_q[i] ^ {32{flags[0]}}) + {31'b0, flags[0]};
        lz = arith_pkg::clz32(sum);
        subnormal = {3'b0, lz} > e;
        lsh = subnormal ? e[4:0] : lz;
        norm = sum << lsh;
        be = subnormal ? 8'd0 : e - {3'b0, lz};  // exponent field less one, except where it is zero
        round = norm[7] & (norm[8] | (norm[6:0] != 7'd0));
        r = {be, 23'b0} + {7'b0, norm[31:8]} + {30'b0, round};
        if (flags[2] | (be == 8'd254)) r = 31'h7f800000;
        if (sum == 32'd0 & ~flags[2]) r = 31'd0;
        sign = flags[1] & ((sum != 32'd0) | ~flags[0] | flags[2]);
        q_o[32*i+:32] <= flags[3] ? 32'h7fc00000 : {sign, r};
      end
    end
    // Stage 1: order by magnitude, align.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a, b, big, m_big, m_little, shifted;
        logic [30:0] little;
        logic [7:0] d;
        logic [4:0] sh;
        logic big_sub, little_sub, sub, top;
        a = a_i[32*i+:32];
        b = b_i[32*i+:32];
        big = a[30:0] >= b[30:0] ? a : b;
        little = a[30:0] >= b[30:0] ? b[30:0] : a[30:0];
        sub = a[31] ^ b[31];
        big_sub = big[30:23] == 8'd0;
        little_sub = little[30:23] == 8'd0;
        top = big[30:23] == 8'hff;
        m_big = {1'b0, ~big_sub, big[22:0], 7'b0};
        m_little = {1'b0, ~little_sub, little[22:0], 7'b0};
        d = (big[30:23] | {7'b0, big_sub}) - (little[30:23] | {7'b0, little_sub});
        sh = d > 8'd31 ? 5'd31 : d[4:0];
        shifted = m_little >> sh;
        big_q[i] = m_big;
        little_q[i] = {shifted[31:1], shifted[0] | ((shifted << sh) != m_little)};
        e_q[i] = big[30:23] | {7'b0, big_sub};
        flags_q[i] = {top & ((big[22:0] != 23'd0) | (sub & (little[30:23] == 8'hff))), top, big[31], sub};
      end
    end
  end
endmodule
`default_nettype wire
