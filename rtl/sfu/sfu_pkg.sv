`default_nettype none
// Classes of SFU instructions: each has its path through the unit, and with it a fixed number of cycles from issue to write-back.
// Operands are registered at the end of the cycle of issue (stage 0); CLASS_WIDE and the float classes widen them to f32 in
// the next cycle (stage 1).
package sfu_pkg;
  localparam logic [2:0] CLASS_INT = 3'd0;   // bits and integers
  localparam logic [2:0] CLASS_CMP = 3'd1;   // compare, minima, maxima
  localparam logic [2:0] CLASS_CVT = 3'd2;   // conversions that round
  localparam logic [2:0] CLASS_WIDE = 3'd3;  // vunpack, vsplat
  localparam logic [2:0] CLASS_FMA = 3'd4;   // add, subtract, multiply
  localparam logic [2:0] CLASS_DIV = 3'd5;
  localparam logic [2:0] CLASS_FUNC = 3'd6;
  localparam logic [2:0] CLASS_FOLD = 3'd7;

  localparam int unsigned FOLD_LATENCY = 6 * arith_pkg::ADD32_LATENCY + arith_pkg::CVT_LATENCY;
  localparam int unsigned WB_INT = 1 + arith_pkg::INT_LATENCY;
  localparam int unsigned WB_CMP = 1 + arith_pkg::CMP_LATENCY;
  localparam int unsigned WB_CVT = 1 + arith_pkg::CVT_LATENCY;
  localparam int unsigned WB_WIDE = 2;
  localparam int unsigned WB_FMA = 2 + arith_pkg::FMA32_LATENCY;
  localparam int unsigned WB_DIV = 2 + arith_pkg::DIV32_LATENCY;
  localparam int unsigned WB_FUNC = 2 + arith_pkg::FUNC32_LATENCY;
  localparam int unsigned WB_FOLD = 2 + FOLD_LATENCY;
  localparam int unsigned WB_MAX = WB_DIV;
endpackage
`default_nettype wire
