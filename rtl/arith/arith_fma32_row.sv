`default_nettype none
// A row of f32 additions, subtractions, multiplications or fused multiply-adds, rounded once, to nearest even, to f32, f16 or bf16:
//   OP_VADD a + b   OP_VSUB a - b   OP_VMUL a * b   OP_VFMA a * b + c
// A 16-bit result is in the low half of its lane, the upper half is zero. NaN results are canonical.
//
// Latency: 4 cycles (arith_pkg::FMA32_LATENCY); one row may enter every cycle, with any op and format. valid_o is valid_i four
// cycles later and there is no back-pressure. q_o keeps its value until the next row leaves.
//
// As in arith_fma16_row, product and addend lie in a 64-bit window, leading bit at 61 at most, and the one with the lower exponent
// is shifted right with a sticky bit. A subnormal factor leaves up to 24 leading zeros in the product: 24 bits of the sum and
// the place below still lie above the sticky bit. A product of two subnormals is always the lower one, and all of it sticky.
module arith_fma32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,     // stp_pkg::OP_VADD, OP_VSUB, OP_VMUL or OP_VFMA
    input  wire  [2:0]          ofmt_i,   // arith_pkg::FMT_F32 (or FMT_F32P), FMT_F16 or FMT_BF16
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    input  wire  [LANES*32-1:0] c_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  logic valid1_q, valid2_q, valid3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      valid1_q <= valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      valid_o <= valid3_q;
    end
  end
  logic [2:0] ofmt1_q, ofmt2_q, ofmt3_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) ofmt1_q <= ofmt_i;
    if (valid1_q) ofmt2_q <= ofmt1_q;
    if (valid2_q) ofmt3_q <= ofmt2_q;
  end

  wire is_mul = op_i == stp_pkg::OP_VMUL;
  wire is_fma = op_i == stp_pkg::OP_VFMA;
  wire is_sub = op_i == stp_pkg::OP_VSUB;

  logic [47:0] product_q[0:LANES-1];
  logic [31:0] addend_q[0:LANES-1];
  logic [9:0] product_e_q[0:LANES-1];
  logic [3:0] flags1_q[0:LANES-1];  // special kind (2), its sign, sign of the product
  logic [63:0] big_q[0:LANES-1];
  logic [63:0] little_q[0:LANES-1];
  logic [9:0] e2_q[0:LANES-1];
  logic [5:0] flags2_q[0:LANES-1];  // special kind (2), its sign, sign of a zero sum, sign of the bigger, subtract
  logic [63:0] sum_q[0:LANES-1];
  logic [9:0] e3_q[0:LANES-1];
  logic [9:0] flags3_q[0:LANES-1];  // special kind (2), its sign, sign of the sum, leading zeros (6)

  always_ff @(posedge clk_i) begin
    // Stage 4: normalise, round.
    if (valid3_q) begin
      for (int i = 0; i < LANES; i++) begin : stage4
        logic [63:0] norm;
        logic [9:0] flags;
        flags = flags3_q[i];
        norm = sum_q[i] << flags[5:0];
        q_o[32*i+:32] <= flags[9:8] != 2'd0 ? arith_pkg::special(ofmt3_q, flags[9:8], flags[7]) :
            arith_pkg::round(ofmt3_q, flags[6], {norm[63:33], norm[32:0] != 33'd0}, e3_q[i] + 10'd2 - {4'b0, flags[5:0]});
      end
    end
    // Stage 3: add, count leading zeros.
    if (valid2_q) begin
      for (int i = 0; i < LANES; i++) begin : stage3
        logic [63:0] diff, sum;
        logic [5:0] flags;
        logic neg;
        flags = flags2_q[i];
        diff = big_q[i] + (little_q[i] ^ {64{flags[0]}}) + {63'b0, flags[0]};
        neg = flags[0] & diff[63];
        sum = (diff ^ {64{neg}}) + {63'b0, neg};
        sum_q[i] = sum;
        e3_q[i] = e2_q[i];
        flags3_q[i] = {flags[5:3], sum == 64'd0 ? flags[2] : flags[1] ^ neg, arith_pkg::clz64(sum)};
      end
    end
    // Stage 2: align. Exponents are those of window bit 61, biased by 512.
    if (valid1_q) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [31:0] c;
        logic [9:0] pe, ce, d;
        logic [5:0] sh;
        logic [3:0] flags;
        logic [63:0] p64, c64, little, shifted;
        logic c_sub, product_big;
        c = addend_q[i];
        flags = flags1_q[i];
        c_sub = c[30:23] == 8'd0;
        pe = product_e_q[i];
        ce = {2'b0, c[30:23]} + {9'b0, c_sub} + 10'd385;
        product_big = pe >= ce;
        d = product_big ? pe - ce : ce - pe;
        sh = d > 10'd63 ? 6'd63 : d[5:0];
        p64 = {2'b0, product_q[i], 14'b0};
        c64 = {2'b0, ~c_sub, c[22:0], 38'b0};
        little = product_big ? c64 : p64;
        shifted = little >> sh;
        big_q[i] = product_big ? p64 : c64;
        little_q[i] = {shifted[63:1], shifted[0] | ((shifted << sh) != little)};
        e2_q[i] = product_big ? pe : ce;
        flags2_q[i] = {flags[3:1], flags[0] & c[31], product_big ? flags[0] : c[31], flags[0] ^ c[31]};
      end
    end
    // Stage 1: operands of the operation, product, special values.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a, b, x, y, c;
        logic [23:0] ma, mb;
        logic a_sub, b_sub, a_top, b_top, c_top, a_nan, b_nan, c_nan, a_zero, b_zero, sp, inf, nan;
        a = a_i[32*i+:32];
        x = b_i[32*i+:32];
        y = c_i[32*i+:32];
        b = is_mul | is_fma ? x : 32'h3f800000;
        sp = a[31] ^ b[31];
        c = is_fma ? y : is_mul ? {sp, 31'b0} : {x[31] ^ is_sub, x[30:0]};  // a zero that leaves a product's sign alone
        a_sub = a[30:23] == 8'd0;
        b_sub = b[30:23] == 8'd0;
        a_top = a[30:23] == 8'hff;
        b_top = b[30:23] == 8'hff;
        c_top = c[30:23] == 8'hff;
        a_nan = a_top & (a[22:0] != 23'd0);
        b_nan = b_top & (b[22:0] != 23'd0);
        c_nan = c_top & (c[22:0] != 23'd0);
        a_zero = a[30:0] == 31'd0;
        b_zero = b[30:0] == 31'd0;
        inf = a_top | b_top;
        nan = a_nan | b_nan | c_nan | (a_top & b_zero) | (b_top & a_zero) | (inf & c_top & (sp ^ c[31]));
        ma = {~a_sub, a[22:0]};
        mb = {~b_sub, b[22:0]};
        product_q[i] = {24'b0, ma} * {24'b0, mb};
        product_e_q[i] = a_zero | b_zero ? 10'd0 : {2'b0, a[30:23]} + {9'b0, a_sub} + {2'b0, b[30:23]} + {9'b0, b_sub} + 10'd259;
        addend_q[i] = c;
        flags1_q[i] = {nan ? 2'd1 : inf | c_top ? 2'd2 : 2'd0, inf ? sp : c[31], sp};
      end
    end
  end
endmodule
`default_nettype wire
