`default_nettype none
// arith_widen_row of the fast chip: the C numerics library does the conversions, a row of lanes per call. Ports and results are those of
// rtl/arith/arith_widen_row.sv. Combinational. At most 64 lanes.
module arith_widen_row #(
    parameter int LANES = 64
) (
    input  wire  [2:0]          fmt_i,  // arith_pkg::FMT_F16 or FMT_BF16
    input  wire  [LANES*16-1:0] a_i,
    output logic [LANES*32-1:0] q_o
);
  import "DPI-C" function void stp_row_widen(input int unsigned lanes, input int unsigned fmt, input bit [1023:0] a,
                                             output bit [2047:0] q);

  // Zero gives zero: no call for a user that is at rest and holds its operand at zero.
  logic [2047:0] row;
  always_comb begin
    row = '0;
    if (a_i != '0) stp_row_widen(LANES, 32'(fmt_i), 1024'(a_i), row);
    q_o = row[LANES*32-1:0];
  end
endmodule
`default_nettype wire
