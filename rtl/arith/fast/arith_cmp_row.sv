`default_nettype none
// arith_cmp_row of the fast chip: the C numerics library does the comparisons, a row of lanes per call. Ports, latency, handshake and
// results are those of rtl/arith/arith_cmp_row.sv. At most 64 lanes.
module arith_cmp_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,
    input  wire  [3:0]          pred_i,   // stp_pkg::VCMP_...
    input  wire  [2:0]          fmt_i,    // arith_pkg::FMT_...: float formats; OP_VCMP also FMT_I32
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  import "DPI-C" function void stp_row_lane(input int unsigned lanes, input int unsigned op, input int unsigned fn,
                                            input int unsigned fmt, input int unsigned sfmt, input bit [2047:0] a,
                                            input bit [2047:0] b, input bit [2047:0] c, output bit [2047:0] q);

  // Latency 1: a row has nothing to wait for.
  if (arith_pkg::CMP_LATENCY != 1) $error("this row is made for a latency of one cycle");

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_i;
  end

  logic [2047:0] row;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      stp_row_lane(LANES, 32'(op_i), 32'(pred_i), 32'(fmt_i), 32'(fmt_i), 2048'(a_i), 2048'(b_i), '0, row);
      q_o <= row[LANES*32-1:0];
    end
  end
endmodule
`default_nettype wire
