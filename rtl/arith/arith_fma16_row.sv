`default_nettype none
// A row of fused multiply-adds: q = c + a * b, rounded once, to nearest even. a is one 16-bit value for all lanes, b is
// 16 bits per lane; both are f16 or bf16, as fmt_i says, subnormals included. c and q are f32. A NaN result is 0x7fc00000.
//
// Latency: 2 cycles; one row may enter every cycle. valid_o is valid_i two cycles later and there is no back-pressure.
// q_o keeps its value until the next row arrives.
//
// Both formats are decoded into one form: 11-bit magnitude m and exponent e with |x| = m * 2^(e - 137). Product and addend
// lie in a 64-bit window, leading bit at 61 at most; the one with the lower exponent is shifted right with a sticky bit. The
// window has room for a product of two subnormals (20 leading zeros) and still 17 bits below the 24 that are kept.
module arith_fma16_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [2:0]          fmt_i,    // arith_pkg::FMT_F16 or FMT_BF16
    input  wire  [15:0]         a_i,
    input  wire  [LANES*16-1:0] b_i,
    input  wire  [LANES*32-1:0] c_i,
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

  // The operand that all lanes share is decoded once.
  wire bf16 = fmt_i == arith_pkg::FMT_BF16;
  wire [7:0] a_x = bf16 ? a_i[14:7] : {3'b0, a_i[14:10]};
  wire [9:0] a_f = bf16 ? {a_i[6:0], 3'b0} : a_i[9:0];
  wire a_top = bf16 ? a_i[14:7] == 8'hff : a_i[14:10] == 5'h1f;
  wire a_sub = a_x == 8'd0;
  wire [10:0] a_m = {~a_sub, a_f};
  wire a_nan = a_top & (a_f != 10'd0);
  // Exponent of window bit 61 for the product, biased by 512, less the part of b: e_a + 259, and for f16 112 more for each.
  wire [9:0] a_e = {2'b0, a_x} + {9'b0, a_sub} + (bf16 ? 10'd259 : 10'd483);

  // Lane state. The window exponent of an addend is never below 386, so the sum can always be normalised by a left shift.
  logic [63:0] big_q[0:LANES-1];
  logic [63:0] little_q[0:LANES-1];
  logic [9:0] e_q[0:LANES-1];
  logic [3:0] flags_q[0:LANES-1];  // special, sign if the sum is zero, sign of the bigger operand, subtract
  logic [31:0] special_q[0:LANES-1];

  always_ff @(posedge clk_i) begin
    // Stage 2: add, normalise (limited by the smallest exponent), round.
    if (valid_q) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [63:0] big, little, diff, sum, norm;
        logic [30:0] r;
        logic [3:0] flags;
        logic neg, sign, subnormal, round;
        logic [5:0] lz, lsh;
        logic [9:0] room, be;
        big = big_q[i];
        little = little_q[i];
        flags = flags_q[i];
        diff = big + (little ^ {64{flags[0]}}) + {63'b0, flags[0]};
        neg = flags[0] & diff[63];
        sum = (diff ^ {64{neg}}) + {63'b0, neg};
        lz = arith_pkg::clz64(sum);
        room = e_q[i] - 10'd384;  // left shift that makes bit 63 the leading bit of the smallest normal number
        subnormal = {4'b0, lz} > room;
        lsh = subnormal ? room[5:0] : lz;
        norm = sum << lsh;
        be = subnormal ? 10'd0 : room - {4'b0, lz};  // exponent field less one, except where it is zero
        round = norm[39] & (norm[40] | (norm[38:0] != 39'd0));
        r = {be[7:0], 23'b0} + {7'b0, norm[63:40]} + {30'b0, round};
        sign = sum == 64'd0 ? flags[2] : flags[1] ^ neg;
        if (be >= 10'd254) r = 31'h7f800000;
        if (sum == 64'd0) r = 31'd0;
        q_o[32*i+:32] <= flags[3] ? special_q[i] : {sign, r};
      end
    end
    // Stage 1: product, special values, alignment.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [15:0] b;
        logic [31:0] c;
        logic [7:0] b_x;
        logic [9:0] b_f, pe, ce, d;
        logic [10:0] b_m;
        logic b_top, b_sub, c_sub, c_top, c_nan, nan, inf, sp, product_big, p_zero, lost;
        logic [21:0] mp;
        logic [23:0] mc;
        logic [5:0] sh;
        logic [63:0] p64, c64, big, little, shifted;
        b = b_i[16*i+:16];
        c = c_i[32*i+:32];
        b_x = bf16 ? b[14:7] : {3'b0, b[14:10]};
        b_f = bf16 ? {b[6:0], 3'b0} : b[9:0];
        b_top = bf16 ? b[14:7] == 8'hff : b[14:10] == 5'h1f;
        b_sub = b_x == 8'd0;
        b_m = {~b_sub, b_f};
        c_sub = c[30:23] == 8'd0;
        c_top = c[30:23] == 8'hff;
        c_nan = c_top & (c[22:0] != 23'd0);
        mp = {11'b0, a_m} * {11'b0, b_m};
        mc = {~c_sub, c[22:0]};
        sp = a_i[15] ^ b[15];
        p_zero = mp == 22'd0;
        inf = a_top | b_top;
        nan = a_nan | (b_top & (b_f != 10'd0)) | c_nan | (inf & (p_zero | (c_top & (sp ^ c[31]))));
        pe = p_zero ? 10'd0 : a_e + {2'b0, b_x} + {9'b0, b_sub};
        ce = {2'b0, c[30:23]} + {9'b0, c_sub} + 10'd385;
        product_big = pe >= ce;
        d = product_big ? pe - ce : ce - pe;
        sh = d > 10'd63 ? 6'd63 : d[5:0];
        p64 = {2'b0, mp, 40'b0};
        c64 = {2'b0, mc, 38'b0};
        big = product_big ? p64 : c64;
        little = product_big ? c64 : p64;
        shifted = little >> sh;
        lost = (shifted << sh) != little;
        big_q[i] = big;
        little_q[i] = {shifted[63:1], shifted[0] | lost};
        e_q[i] = product_big ? pe : ce;
        // Equal zeros keep their sign; a sum that cancels is +0.
        flags_q[i] = {inf | c_top, sp & c[31], product_big ? sp : c[31], sp ^ c[31]};
        special_q[i] = nan ? 32'h7fc00000 : {inf ? sp : c[31], 31'h7f800000};
      end
    end
  end
endmodule
`default_nettype wire
