`default_nettype none
// The first half of arith_func32_row: a row of f32 operands is taken apart and reduced to addresses of tables, by the steps of
// docs/numerics.md (Functions), whose names are used here.
//
//   1 special values, normalise     2 words of 2/pi or log2(e)     3 three products     4 their sum
//   5 what to shift, and how far    6 shift
//
// Latency: 6 cycles; one row may enter every cycle, with any function. valid_o and fn_o are valid_i and fn_i six cycles later
// and there is no back-pressure. The others keep their values until the next row leaves.
//
// A lane of meta_o: bit 31 two terms are subtracted; 30:21 |n| of logarithms; 20:16 number of the cubic table; 15:14 form of the
// result (0 P, 1 Z, 2 a logarithm's sum); 13:4 exponent of a result whose 64 bits have their leading bit at 63, biased by 512;
// 3:2 special kind as arith_pkg::special has it, 1 P is one, 0 sign.
module arith_func_reduce #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [3:0]          fn_i,    // stp_pkg::VFUNC_, not EXP, EXP2, RECIPROCAL
    input  wire  [LANES*32-1:0] a_i,
    output logic [LANES*32-1:0] f_o,     // f of the cubic table
    output logic [LANES*32-1:0] g_o,     // the multiplier m; for sigmoid, f of the table of 2^f
    output logic [LANES*32-1:0] meta_o,
    output wire  [3:0]          fn_o,
    output logic                valid_o
);
  `include "stp_func_const.svh"

  localparam logic [223:0] TWO_OVER_PI = {26'b0, FUNC_TWO_OVER_PI};

  // Word k of 2/pi in units of 2^-198, lowest first.
  function automatic [31:0] word(input [2:0] k);
    unique case (k)
      3'd0: word = TWO_OVER_PI[31:0];
      3'd1: word = TWO_OVER_PI[63:32];
      3'd2: word = TWO_OVER_PI[95:64];
      3'd3: word = TWO_OVER_PI[127:96];
      3'd4: word = TWO_OVER_PI[159:128];
      3'd5: word = TWO_OVER_PI[191:160];
      3'd6: word = TWO_OVER_PI[223:192];
      default: word = 32'd0;
    endcase
  endfunction

  function automatic logarithm(input [3:0] fn);
    logarithm = fn == stp_pkg::VFUNC_LOG | fn == stp_pkg::VFUNC_LOG2;
  endfunction
  function automatic saturating(input [3:0] fn);
    saturating = fn == stp_pkg::VFUNC_TANH | fn == stp_pkg::VFUNC_ERF;
  endfunction
  function automatic circular(input [3:0] fn);
    circular = fn == stp_pkg::VFUNC_SIN | fn == stp_pkg::VFUNC_COS;
  endfunction

  // Bit s: what has been through s stages is valid.
  logic [5:1] valid_q;
  logic [3:0] fn1_q, fn2_q, fn3_q, fn4_q, fn5_q, fn6_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[4:1], valid_i};
      valid_o <= valid_q[5];
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) fn1_q <= fn_i;
    if (valid_q[1]) fn2_q <= fn1_q;
    if (valid_q[2]) fn3_q <= fn2_q;
    if (valid_q[3]) fn4_q <= fn3_q;
    if (valid_q[4]) fn5_q <= fn4_q;
    if (valid_q[5]) fn6_q <= fn5_q;
  end
  assign fn_o = fn6_q;

  wire sigmoid_in = fn_i == stp_pkg::VFUNC_SIGMOID;
  wire log_in = logarithm(fn_i);
  wire sat_in = saturating(fn_i);
  // Exponent field from which a result is saturated.
  wire [7:0] big_in = fn_i == stp_pkg::VFUNC_TANH ? 8'd131 : fn_i == stp_pkg::VFUNC_ERF ? 8'd129 : 8'd134;
  wire sigmoid1 = fn1_q == stp_pkg::VFUNC_SIGMOID;
  wire circ1 = circular(fn1_q);
  wire multiply2 = fn2_q == stp_pkg::VFUNC_SIGMOID | circular(fn2_q);
  wire multiply3 = fn3_q == stp_pkg::VFUNC_SIGMOID | circular(fn3_q);
  wire sigmoid4 = fn4_q == stp_pkg::VFUNC_SIGMOID;
  wire log4 = logarithm(fn4_q);
  wire sat4 = saturating(fn4_q);
  wire circ4 = circular(fn4_q);
  wire [4:0] log_table = fn4_q == stp_pkg::VFUNC_LOG ? FUNC_T_LOG : FUNC_T_LOG2;
  wire [4:0] sat_table = fn4_q == stp_pkg::VFUNC_TANH ? FUNC_T_TANH : FUNC_T_ERF;
  wire circ5 = circular(fn5_q);
  wire sigmoid5 = fn5_q == stp_pkg::VFUNC_SIGMOID;

  // The operand: special kind (2), P is one, sign, e (10, two's complement), M (24).
  logic [37:0] x1_q[0:LANES-1];
  logic [37:0] x2_q[0:LANES-1];
  logic [37:0] x3_q[0:LANES-1];
  logic [37:0] x4_q[0:LANES-1];
  logic [31:0] w0_q[0:LANES-1];       // W
  logic [31:0] w1_q[0:LANES-1];
  logic [31:0] w2_q[0:LANES-1];
  logic [23:0] product0_q[0:LANES-1];  // M times each of its words, as far as they count
  logic [55:0] product1_q[0:LANES-1];
  logic [31:0] product2_q[0:LANES-1];
  logic [63:0] v_q[0:LANES-1];        // V
  logic [63:0] f5_q[0:LANES-1];       // what is shifted right to give u or f
  logic [5:0] shift5_q[0:LANES-1];    // by how much
  logic [31:0] g5_q[0:LANES-1];       // m; for sin and cos, by how much F is shifted left to give it
  logic [31:0] meta5_q[0:LANES-1];

  always_ff @(posedge clk_i) begin
    // Stage 6: shift.
    if (valid_q[5]) begin
      for (int i = 0; i < LANES; i++) begin : stage6
        logic [63:0] x;
        logic [39:0] u;
        logic [40:0] t;
        logic [31:0] meta, f, left;
        logic [9:0] k;
        logic [4:0] number;
        logic above;
        x = f5_q[i];
        meta = meta5_q[i];
        u = 40'(x >> shift5_q[i]);
        left = 32'((x << g5_q[i][5:0]) >> 32);
        t = meta[0] ? -{1'b0, u} : {1'b0, u};
        above = u[39:37] != 3'd0;
        f = u[36] ? u[35:4] : u[35] ? u[34:3] : u[33:2];
        number = u[36] ? FUNC_T_SIGMOID16 : u[35] ? FUNC_T_SIGMOID8 : u[34] ? FUNC_T_SIGMOID4 : FUNC_T_SIGMOID;
        k = {t[40], t[40:32]} + 10'd513;
        f_o[32*i+:32] <= sigmoid5 ? f : u[31:0];
        g_o[32*i+:32] <= sigmoid5 ? t[31:0] : circ5 ? left : g5_q[i];
        meta_o[32*i+:32] <= !sigmoid5 ? meta :
            {11'b0, number, 1'b0, meta[0], meta[0] ? k : 10'd541, meta[3:2], meta[1] | above, 1'b0};
      end
    end
    // Stage 5: the rest of the reduction.
    if (valid_q[4]) begin
      for (int i = 0; i < LANES; i++) begin : stage5
        logic [37:0] x;
        logic [63:0] v, f;
        logic [9:0] e, k, n, n_abs, shift;
        logic [23:0] m, r;
        logic [31:0] g;
                logic [5:0] lead;
        logic [4:0] number;
        logic [1:0] form;
        logic sign, back, minus, s_on, h;
        x = x4_q[i];
        e = x[33:24];
        m = x[23:0];
        sign = x[34];
        v = v_q[i];
        // sin, cos
        back = v[61];
        f = {2'b0, v[61:0] ^ {62{back}}};
        lead = arith_pkg::clz64(f);
        minus = (v[63] ^ (v[62] & back)) ^ (fn4_q == stp_pkg::VFUNC_COS & (v[62] ^ back));
        s_on = e[9] & (e[8:1] != 8'hff);  // e < -2
        // logarithms
        h = m[22];
        n = e + {9'b0, h};
        r = h ? 24'h800000 - {1'b0, m[22:0]} : {m[22:0], 1'b0};
        n_abs = n[9] ? -n : n;
        // Most functions: the fraction bits as they are, P.
        if (!(sigmoid4 | circ4)) f = {32'b0, m[22:0], 9'b0};
        shift = 10'd0;
        g = {m, 8'b0};
        form = 2'd0;
        k = 10'd541;
        number = 5'd0;
        if (sigmoid4) begin
          f = v;
          shift = 10'd28 - e;
        end else if (log4) begin
          g = {r, 8'b0};
          number = log_table;
          form = n == 10'd0 ? 2'd1 : 2'd2;
          k = n == 10'd0 ? 10'd512 : 10'd535;
          if (x[37:36] == 2'd0) sign = n == 10'd0 ? h : n[9];
        end else if (sat4) begin
          number = sat_table + {2'b0, e[9] ? 3'd0 : 3'd1 + {1'b0, e[1:0]}};
          if (e[9]) begin
            f = {32'b0, m, 8'b0};
            shift = ~e;
            form = 2'd1;
            k = 10'd513 + e;
          end
        end else if (circ4) begin
          shift = s_on ? 10'd27 - e : 10'd29;
          sign = sign ^ minus;
          g = {26'b0, lead};
          number = FUNC_T_COS;
          if (!(v[62] ^ back ^ (fn4_q == stp_pkg::VFUNC_COS))) begin
            number = FUNC_T_SIN;
            sign = sign ^ back;
            form = 2'd1;
            k = (s_on ? 10'd516 + e : 10'd514) - {4'b0, lead};
          end
        end else begin  // rsqrt
          number = e[0] ? FUNC_T_RSQRT2 : FUNC_T_RSQRT1;
          k = 10'd541 - {e[9], e[9:1]};
        end
        f5_q[i] = f;
        shift5_q[i] = shift[9:6] != 4'd0 ? 6'd63 : shift[5:0];
        g5_q[i] = g;
        meta5_q[i] = {h != n[9], n_abs, number, form, k, x[37:35], sign};
      end
    end
    // Stage 4: V, the sum of the products.
    if (valid_q[3]) begin
      for (int i = 0; i < LANES; i++) begin : stage4
        x4_q[i] = x3_q[i];
        if (multiply3) v_q[i] = {40'b0, product0_q[i]} + {8'b0, product1_q[i]} + {product2_q[i], 32'b0};
      end
    end
    // Stage 3: M times W.
    if (valid_q[2]) begin
      for (int i = 0; i < LANES; i++) begin : stage3
        logic [55:0] m;
        m = {32'b0, x2_q[i][23:0]};
        x3_q[i] = x2_q[i];
        if (multiply2) begin
          product0_q[i] = 24'((m * {24'b0, w0_q[i]}) >> 32);
          product1_q[i] = m * {24'b0, w1_q[i]};
          product2_q[i] = m[31:0] * w2_q[i];
        end
      end
    end
    // Stage 2: W, 96 bits of 2/pi. sigmoid: log2(e) in its upper two words.
    if (valid_q[1]) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [7:0] at;
        logic [31:0] t1, t2;
        x2_q[i] = x1_q[i];
        if (sigmoid1) begin
          w0_q[i] = 32'd0;
          w1_q[i] = FUNC_LOG2E[31:0];
          w2_q[i] = {26'b0, FUNC_LOG2E[37:32]};
        end
        if (circ1) begin
          // From bit 127 - e' of 2/pi on; e' is -2 at least.
          at = x1_q[i][33] & (x1_q[i][32:25] != 8'hff) ? 8'd129 : 8'd127 - x1_q[i][31:24];
          t1 = word(at[7:5] + 3'd1);
          t2 = word(at[7:5] + 3'd2);
          w0_q[i] = 32'({t1, word(at[7:5])} >> at[4:0]);
          w1_q[i] = 32'({t2, t1} >> at[4:0]);
          w2_q[i] = 32'({word(at[7:5] + 3'd3), t2} >> at[4:0]);
        end
      end
    end
    // Stage 1: special values; the operand with its leading bit in place.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a;
        logic [4:0] lz;
        logic [1:0] kind;
        logic sub, top, zero, big, sign;
        a = a_i[32*i+:32];
        sub = a[30:23] == 8'd0;
        top = a[30:23] == 8'hff;
        zero = a[30:0] == 31'd0;
        big = a[30:23] >= big_in;
        sign = a[31];
        if (sigmoid_in) kind = big & sign ? 2'd3 : 2'd0;
        else if (sat_in) kind = 2'd0;
        else if (log_in) kind = zero ? 2'd2 : sign ? 2'd1 : top ? 2'd2 : 2'd0;
        else if (fn_i == stp_pkg::VFUNC_RSQRT) kind = zero ? 2'd2 : sign ? 2'd1 : top ? 2'd3 : 2'd0;
        else kind = top ? 2'd1 : 2'd0;
        if (top & (a[22:0] != 23'd0)) kind = 2'd1;
        if (log_in) sign = zero;
        if (fn_i == stp_pkg::VFUNC_COS) sign = 1'b0;
        lz = arith_pkg::clz32({~sub, a[22:0], 8'b0});
        x1_q[i] = {kind, big & (sat_in | (sigmoid_in & ~sign)), sign,
            {2'b0, a[30:23]} + {9'b0, sub} - {5'b0, lz} - 10'd127, 24'({~sub, a[22:0]} << lz)};
      end
    end
  end
endmodule
`default_nettype wire
