`default_nettype none
// Classes of SFU instructions: each has its path through the unit, and with it a fixed number of cycles from issue to write-back
// (WB_ in sfu.sv).
// Operands are registered at the end of the cycle of issue (stage 0); CLASS_WIDE and those after it widen them to f32 in the
// next cycle (stage 1).
package sfu_pkg;
  localparam logic [3:0] CLASS_INT = 4'd0;   // bits and integers
  localparam logic [3:0] CLASS_CMP = 4'd1;   // compare, minima, maxima
  localparam logic [3:0] CLASS_CVT = 4'd2;   // conversions that round
  localparam logic [3:0] CLASS_WIDE = 4'd3;  // vunpack, vsplat
  localparam logic [3:0] CLASS_FMA = 4'd4;   // add, subtract, multiply
  localparam logic [3:0] CLASS_DIV = 4'd5;   // quotients, roots, reciprocals
  localparam logic [3:0] CLASS_EXP = 4'd6;   // exp, exp2
  localparam logic [3:0] CLASS_FUNC = 4'd7;  // other functions
  localparam logic [3:0] CLASS_FOLD = 4'd8;
endpackage
`default_nettype wire
