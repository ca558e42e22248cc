`default_nettype none
// What the arithmetic rows share: functions, latencies, and the codes of formats: the low three bits of stp_pkg's (Yosys reads no
// reference from one package to another; tests/numerics drives the rows with the contract's codes).
package arith_pkg;
  localparam logic [2:0] FMT_F16 = 3'd0;
  localparam logic [2:0] FMT_BF16 = 3'd1;
  localparam logic [2:0] FMT_F32 = 3'd2;
  localparam logic [2:0] FMT_F32P = 3'd3;
  localparam logic [2:0] FMT_I32 = 3'd4;
  localparam logic [2:0] FMT_I16 = 3'd5;

  // Cycles from valid_i to valid_o of each row.
  localparam int unsigned FMA16_LATENCY = 2;
  localparam int unsigned ADD32_LATENCY = 2;
  localparam int unsigned FMA32_LATENCY = 4;
  localparam int unsigned DIV32_LATENCY = 15;
  localparam int unsigned EXP32_LATENCY = 5;
  localparam int unsigned FUNC32_LATENCY = 12;
  localparam int unsigned CVT_LATENCY = 2;
  localparam int unsigned CMP_LATENCY = 1;
  localparam int unsigned INT_LATENCY = 2;

  // Leading zeros; 31 for zero.
  function automatic [4:0] clz32(input [31:0] x);
    logic z4, z3, z2, z1;
    logic [15:0] a4;
    logic [7:0] a3;
    logic [3:0] a2;
    z4 = x[31:16] == 16'd0;
    a4 = z4 ? x[15:0] : x[31:16];
    z3 = a4[15:8] == 8'd0;
    a3 = z3 ? a4[7:0] : a4[15:8];
    z2 = a3[7:4] == 4'd0;
    a2 = z2 ? a3[3:0] : a3[7:4];
    z1 = a2[3:2] == 2'd0;
    clz32 = {z4, z3, z2, z1, z1 ? ~a2[1] : ~a2[3]};
  endfunction

  // Leading zeros; 63 for zero.
  function automatic [5:0] clz64(input [63:0] x);
    logic z5;
    z5 = x[63:32] == 32'd0;
    clz64 = {z5, clz32(z5 ? x[31:0] : x[63:32])};
  endfunction

  // Rounds (-1)^sign * sig to a float format, nearest even. sig has its leading bit at 31, of exponent e - 512, and stands for
  // everything below its lowest bit with that bit; sig = 0 gives zero. 16-bit results are in the low half.
  function automatic [31:0] round(input [2:0] fmt, input sign, input [31:0] sig, input [9:0] e);
    logic [9:0] emin, deficit, field;
    logic [5:0] drop, shift;
    logic [63:0] v;
    logic [30:0] r;
    logic low, f16, bf16, up;
    f16 = fmt == FMT_F16;
    bf16 = fmt == FMT_BF16;
    emin = f16 ? 10'd498 : 10'd386;  // exponent of the smallest normal number
    drop = f16 ? 6'd21 : bf16 ? 6'd24 : 6'd8;
    low = e < emin;
    deficit = emin - e;
    shift = !low ? drop : deficit > 10'd31 ? 6'd63 : drop + deficit[5:0];
    field = low ? 10'd0 : e - emin;  // one too low: the leading bit adds one
    v = {sig, 32'b0} >> shift;
    up = v[31] & (v[32] | (v[30:0] != 31'd0));
    r = (f16 ? {11'b0, field, 10'b0} : bf16 ? {14'b0, field, 7'b0} : {field[7:0], 23'b0}) + 31'(v[63:32]) + {30'b0, up};
    if (field >= (f16 ? 10'd30 : 10'd254)) r = f16 ? 31'h7c00 : bf16 ? 31'h7f80 : 31'h7f800000;
    if (!sig[31]) r = 31'd0;
    round = f16 | bf16 ? {16'b0, sign, r[14:0]} : {sign, r};
  endfunction

  // Results that are not rounded. kind: 1 NaN, 2 infinity, 3 zero.
  function automatic [31:0] special(input [2:0] fmt, input [1:0] kind, input sign);
    logic [31:0] m;
    m = fmt == FMT_F16 ? (kind == 2'd1 ? 32'h7e00 : 32'h7c00) :
        fmt == FMT_BF16 ? (kind == 2'd1 ? 32'h7fc0 : 32'h7f80) : (kind == 2'd1 ? 32'h7fc00000 : 32'h7f800000);
    if (kind == 2'd3) m = 32'd0;
    special = fmt == FMT_F16 | fmt == FMT_BF16 ? m | {16'b0, sign & (kind != 2'd1), 15'b0} : m | {sign & (kind != 2'd1), 31'b0};
  endfunction
endpackage
`default_nettype wire
