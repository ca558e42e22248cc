`default_nettype none
// A row of functions of f32 operands, by the tables and the steps of docs/numerics.md (Functions), rounded once to f32, f16 or
// bf16. A 16-bit result is in the low half of its lane, the upper half is zero. NaN results are canonical.
//
//   1-6 arith_func_reduce     7-9 tables: cubics, and 2^f beside them     10 multiply     11 add     12 round
//
// Latency: 12 cycles (arith_pkg::FUNC32_LATENCY); one row may enter every cycle, with any function and format. valid_o is valid_i
// twelve cycles later and there is no back-pressure. q_o keeps its value until the next row leaves.
module arith_func32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [3:0]          fn_i,     // stp_pkg::VFUNC_, not EXP, EXP2, RECIPROCAL
    input  wire  [2:0]          ofmt_i,   // arith_pkg::FMT_F32 (or FMT_F32P), FMT_F16 or FMT_BF16
    input  wire  [LANES*32-1:0] a_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  `include "stp_func_tables.svh"
  `include "stp_func_cubic.svh"
  `include "stp_func_const.svh"

  wire [LANES*32-1:0] f6, g6, meta6;
  wire [3:0] fn6;
  wire valid6;
  arith_func_reduce #(.LANES(LANES)) u_reduce (
    .clk_i, .rst_ni, .valid_i, .fn_i, .a_i, .f_o(f6), .g_o(g6), .meta_o(meta6), .fn_o(fn6), .valid_o(valid6)
  );

  logic [11:7] valid_q;
  logic [32:0] ofmt_q;  // three bits after each stage
  logic [3:0] fn7_q, fn8_q, fn9_q, fn10_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[10:7], valid6};
      valid_o <= valid_q[11];
    end
  end
  always_ff @(posedge clk_i) begin
    ofmt_q <= {ofmt_q[29:0], ofmt_i};
    if (valid6) fn7_q <= fn6;
    if (valid_q[7]) fn8_q <= fn7_q;
    if (valid_q[8]) fn9_q <= fn8_q;
    if (valid_q[9]) fn10_q <= fn9_q;
  end

  // sigmoid alone uses the table of 2^f, too.
  wire sigmoid6 = fn6 == stp_pkg::VFUNC_SIGMOID;
  wire sigmoid7 = fn7_q == stp_pkg::VFUNC_SIGMOID;
  wire sigmoid8 = fn8_q == stp_pkg::VFUNC_SIGMOID;
  wire log9 = fn9_q == stp_pkg::VFUNC_LOG | fn9_q == stp_pkg::VFUNC_LOG2;
  wire log10 = fn10_q == stp_pkg::VFUNC_LOG | fn10_q == stp_pkg::VFUNC_LOG2;
  wire [40:0] log_unit = fn9_q == stp_pkg::VFUNC_LOG ? {1'b0, FUNC_LN2} : 41'h10000000000;

  logic [31:0] meta7_q[0:LANES-1];  // as arith_func_reduce gives it
  logic [31:0] meta8_q[0:LANES-1];
  logic [25:0] meta9_q[0:LANES-1];  // subtract, |n|, form, exponent, special kind, sign
  logic [14:0] meta10_q[0:LANES-1];  // subtract, a sum, exponent, special kind, sign
  logic [12:0] meta11_q[0:LANES-1];  // exponent, special kind, sign
  logic [31:0] f7_q[0:LANES-1];
  logic [31:0] f8_q[0:LANES-1];
  logic [31:0] g7_q[0:LANES-1];
  logic [31:0] g8_q[0:LANES-1];
  logic [28:0] slope_q[0:LANES-1];
  logic [34:0] y_q[0:LANES-1];
  logic [23:0] a2_q[0:LANES-1];
  logic [29:0] a1_q[0:LANES-1];
  logic [34:0] p_q[0:LANES-1];
  logic [31:0] m_q[0:LANES-1];
  logic [63:0] z_q[0:LANES-1];      // Z, or P
  logic [47:0] whole_q[0:LANES-1];  // |n| log(2)
  logic [63:0] value_q[0:LANES-1];
  logic [5:0] lead_q[0:LANES-1];    // its leading zeros

  always_ff @(posedge clk_i) begin
    // Stage 12: normalise, round.
    if (valid_q[11]) begin
      for (int i = 0; i < LANES; i++) begin : stage12
        logic [63:0] norm;
        logic [12:0] meta;
        meta = meta11_q[i];
        norm = value_q[i] << lead_q[i];
        q_o[32*i+:32] <= meta[2:1] != 2'd0 ? arith_pkg::special(ofmt_q[32:30], meta[2:1], meta[0]) :
            arith_pkg::round(ofmt_q[32:30], meta[0], {norm[63:33], norm[32:0] != 33'd0}, meta[12:3] - {4'b0, lead_q[i]});
      end
    end
    // Stage 11: add.
    if (valid_q[10]) begin
      for (int i = 0; i < LANES; i++) begin : stage11
        logic [63:0] value;
        logic [14:0] meta;
        logic [47:0] part;
        meta = meta10_q[i];
        value = z_q[i];
        part = {7'b0, value[63:23]};
        if (log10 & meta[13]) value = {16'b0, whole_q[i] + (part ^ {48{meta[14]}}) + {47'b0, meta[14]}};
        value_q[i] = value;
        lead_q[i] = arith_pkg::clz64(value);
        meta11_q[i] = meta[12:0];
      end
    end
    // Stage 10: multiply.
    if (valid_q[9]) begin
      for (int i = 0; i < LANES; i++) begin : stage10
        logic [34:0] p;
        logic [25:0] meta;
        p = p_q[i];
        meta = meta9_q[i];
        z_q[i] = meta[14:13] == 2'd0 ? {29'b0, p} : {32'b0, p[34:3]} * {32'b0, m_q[i]};
        if (log9) whole_q[i] = {38'b0, meta[24:15]} * {7'b0, log_unit};
        meta10_q[i] = {meta[25], meta[14], meta[12:0]};
      end
    end
    // Stage 9: the cubic's value.
    if (valid_q[8]) begin
      for (int i = 0; i < LANES; i++) begin : stage9
        logic [34:0] rise;
        logic [31:0] meta, f;
        meta = meta8_q[i];
        f = f8_q[i];
        rise = 35'(({{32{a1_q[i][29]}}, a1_q[i]} * {35'b0, f[26:0]}) >> 27);
        p_q[i] = meta[1] ? 35'h400000000 : cubic_c0[{meta[20:16], f[31:27]}][34:0] + rise;
        m_q[i] = sigmoid8 ? y_q[i][34:3] : g8_q[i];
        meta9_q[i] = {meta[31:21], meta[15:2], meta[0]};
      end
    end
    // Stage 8: its slope; the value of 2^f.
    if (valid_q[7]) begin
      for (int i = 0; i < LANES; i++) begin : stage8
        logic [31:0] g, f;
        logic [28:0] up;
        logic [29:0] rise;
        g = g7_q[i];
        f = f7_q[i];
        rise = 30'(({{30{a2_q[i][23]}}, a2_q[i]} * {30'b0, f[26:3]}) >> 24);
        a1_q[i] = cubic_c1[{meta7_q[i][20:16], f[31:27]}] + rise;
        if (sigmoid7) begin
          up = 29'(({25'b0, slope_q[i]} * {29'b0, g[24:0]}) >> 25);
          y_q[i] = pow2_c0[g[31:25]][34:0] + {6'b0, up};
        end
        f8_q[i] = f;
        g8_q[i] = g;
        meta8_q[i] = meta7_q[i];
      end
    end
    // Stage 7: its bend; the slope of 2^f, of which both coefficients are positive.
    if (valid6) begin
      for (int i = 0; i < LANES; i++) begin : stage7
        logic [31:0] g, f, meta;
        logic [21:0] bend;
        logic [23:0] rise;
        logic [18:0] c3;
        f = f6[32*i+:32];
        g = g6[32*i+:32];
        meta = meta6[32*i+:32];
        c3 = cubic_c3[{meta[20:16], f[31:27]}];
        rise = 24'(({{21{c3[18]}}, c3} * {24'b0, f[26:11]}) >> 16);
        a2_q[i] = cubic_c2[{meta[20:16], f[31:27]}] + rise;
        if (sigmoid6) begin
          bend = 22'(({16'b0, pow2_c2[g[31:25]]} * {22'b0, g[24:9]}) >> 16);
          slope_q[i] = pow2_c1[g[31:25]][28:0] + {7'b0, bend};
        end
        f7_q[i] = f;
        g7_q[i] = g;
        meta7_q[i] = meta;
      end
    end
  end
endmodule
`default_nettype wire
