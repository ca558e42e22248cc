`default_nettype none
// arith_func32_row of the fast chip: the C numerics library does the arithmetic, a row of lanes per call. Ports, latency, handshake and
// results are those of rtl/arith/arith_func32_row.sv. At most 64 lanes.
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
  import "DPI-C" function void stp_row_wide(input int unsigned lanes, input int unsigned op, input int unsigned fn,
                                            input int unsigned fmt, input bit [2047:0] a, input bit [2047:0] b,
                                            input bit [2047:0] c, output bit [2047:0] q);

  localparam int unsigned L = arith_pkg::FUNC32_LATENCY;
  localparam int unsigned PW = $clog2(L);
  logic leave;
  logic [PW-1:0] in, out;
  row_turn #(.LATENCY(L)) u_turn (.clk_i, .rst_ni, .valid_i, .valid_o, .leave_o(leave), .in_o(in), .out_o(out));

  logic [2047:0] row_q[0:(1<<PW)-1];
  always_ff @(posedge clk_i) begin
    if (leave) q_o <= row_q[out][LANES*32-1:0];
    if (valid_i)
      stp_row_wide(LANES, 32'(stp_pkg::OP_VFUNC), 32'(fn_i), 32'(ofmt_i), 2048'(a_i), '0, '0, row_q[in]);
  end
endmodule
`default_nettype wire
