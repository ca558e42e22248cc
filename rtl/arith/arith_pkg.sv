`default_nettype none
// What the arithmetic rows share: codes of number formats (`stp_fmt_t` in numerics.h) and small functions.
package arith_pkg;
  localparam logic [2:0] FMT_F16 = 3'd0;
  localparam logic [2:0] FMT_BF16 = 3'd1;
  localparam logic [2:0] FMT_F32 = 3'd2;
  localparam logic [2:0] FMT_I32 = 3'd3;

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
endpackage
`default_nettype wire
