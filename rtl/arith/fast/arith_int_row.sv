`default_nettype none
// arith_int_row of the fast chip: the C numerics library does the arithmetic, a row of lanes per call. Ports, latency, handshake and
// results are those of rtl/arith/arith_int_row.sv. At most 64 lanes.
module arith_int_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,
    input  wire                 half_i,
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    input  wire  [LANES*32-1:0] c_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  import "DPI-C" function void stp_row_lane(input int unsigned lanes, input int unsigned op, input int unsigned fn,
                                            input int unsigned fmt, input int unsigned sfmt, input bit [2047:0] a,
                                            input bit [2047:0] b, input bit [2047:0] c, output bit [2047:0] q);

  // The bits of a 16-bit lane are the same in all formats.
  wire [2:0] fmt = half_i ? arith_pkg::FMT_F16 : op_i >= stp_pkg::OP_VIADD ? arith_pkg::FMT_I32 : arith_pkg::FMT_F32;

  localparam int unsigned L = arith_pkg::INT_LATENCY;
  localparam int unsigned PW = $clog2(L);
  logic leave;
  logic [PW-1:0] in, out;
  row_turn #(.LATENCY(L)) u_turn (.clk_i, .rst_ni, .valid_i, .valid_o, .leave_o(leave), .in_o(in), .out_o(out));

  logic [2047:0] row_q[0:(1<<PW)-1];
  always_ff @(posedge clk_i) begin
    if (leave) q_o <= row_q[out][LANES*32-1:0];
    if (valid_i) stp_row_lane(LANES, 32'(op_i), 32'd0, 32'(fmt), 32'(fmt), 2048'(a_i), 2048'(b_i), 2048'(c_i), row_q[in]);
  end
endmodule
`default_nettype wire
