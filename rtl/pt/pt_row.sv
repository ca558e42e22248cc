`default_nettype none
// One PE row of PT: the weights of one reduction index (two banks of eight blocks, a stick each) and a fused multiply-add per
// lane. q_o = c_i + a_i * weight.
//
// Latency: 2 cycles from valid_i to valid_o, one step per cycle, no back-pressure. A weight is read one cycle before it is
// used (rd_i) and stays until the next rd_i; a written weight (w_we_i) may be read in the next cycle.
module pt_row #(
  parameter int unsigned LANES = 64
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic                w_we_i,
  input  wire logic [3:0]          w_addr_i,  // {bank, block}
  input  wire logic [LANES*16-1:0] w_data_i,

  input  wire logic                rd_i,
  input  wire logic [3:0]          rd_addr_i,
  input  wire logic                valid_i,
  input  wire logic                bf16_i,
  input  wire logic [15:0]         a_i,
  input  wire logic [LANES*32-1:0] c_i,
  output logic [LANES*32-1:0]      q_o,
  output logic                     valid_o
);
  logic [LANES*16-1:0] w;

  sram_1r1w #(.WIDTH(LANES * 16), .DEPTH(2 * stp_pkg::PT_BLOCKS)) u_weights (
    .clk_i,
    .rreq_i(rd_i),
    .raddr_i(rd_addr_i),
    .rdata_o(w),
    .wreq_i(w_we_i),
    .waddr_i(w_addr_i),
    .wmask_i('1),
    .wdata_i(w_data_i)
  );

  arith_fma16_row #(.LANES(LANES)) u_fma (
    .clk_i,
    .rst_ni,
    .valid_i,
    .fmt_i(bf16_i ? arith_pkg::FMT_BF16 : arith_pkg::FMT_F16),
    .a_i,
    .b_i(w),
    .c_i,
    .q_o,
    .valid_o
  );
endmodule
`default_nettype wire
