`default_nettype none
// A row of conversions from f16 or bf16 to f32: exact; NaN becomes 0x7fc00000. Combinational.
module arith_widen_row #(
    parameter int LANES = 64
) (
    input  wire  [2:0]          fmt_i,  // arith_pkg::FMT_F16 or FMT_BF16
    input  wire  [LANES*16-1:0] a_i,
    output logic [LANES*32-1:0] q_o
);
  function automatic [31:0] widen(input f16, input [15:0] h);
    logic [4:0] lz;
    logic [9:0] norm;
    logic [31:0] w;
    logic nan;
    lz = arith_pkg::clz32({h[9:0], 22'h200000});  // of a subnormal's fraction; the bit below it ends a count over zero
    norm = h[9:0] << (lz[3:0] + 4'd1);
    w = {h[15], {3'b0, h[14:10]} + 8'd112, h[9:0], 13'b0};
    if (h[14:10] == 5'h1f) w = {h[15], 31'h7f800000};
    if (h[14:10] == 5'd0) w = {h[15], h[9:0] == 10'd0 ? 8'd0 : 8'd112 - {3'b0, lz}, norm, 13'b0};
    nan = f16 ? h[14:0] > 15'h7c00 : h[14:0] > 15'h7f80;
    if (!f16) w = {h, 16'b0};
    widen = nan ? 32'h7fc00000 : w;
  endfunction

  wire f16 = fmt_i == arith_pkg::FMT_F16;
  // Zero gives zero: simulation skips the lanes of a user that is at rest and holds its operand at zero.
`ifdef SYNTHESIS
  wire on = 1'b1;
`else
  wire on = a_i != '0;
`endif
  always_comb begin
    q_o = '0;
    if (on) for (int i = 0; i < LANES; i++) q_o[32*i+:32] = widen(f16, a_i[16*i+:16]);
  end
endmodule
`default_nettype wire
