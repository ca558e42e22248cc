`default_nettype none
// Classes of SFU instructions: each has its path through the unit, and with it a fixed number of cycles from issue to write-back
// (WB_ in sfu.sv).
// Operands are registered at the end of the cycle of issue (stage 0); CLASS_WIDE and those after it widen them to f32 in the
// next cycle (stage 1).
package sfu_pkg;
  localparam logic [2:0] CLASS_INT = 3'd0;   // bits and integers
  localparam logic [2:0] CLASS_CMP = 3'd1;   // compare, minima, maxima
  localparam logic [2:0] CLASS_CVT = 3'd2;   // conversions that round
  localparam logic [2:0] CLASS_WIDE = 3'd3;  // vunpack, vsplat
  localparam logic [2:0] CLASS_FMA = 3'd4;   // add, subtract, multiply
  localparam logic [2:0] CLASS_DIV = 3'd5;
  localparam logic [2:0] CLASS_FUNC = 3'd6;
  localparam logic [2:0] CLASS_FOLD = 3'd7;
endpackage
`default_nettype wire
