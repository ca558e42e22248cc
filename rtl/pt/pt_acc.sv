`default_nettype none
// Accumulators of PT: two halves of 64 rows of f32 lanes, and the additions into them.
//
// A step comes in with its accumulator row; its chunk follows CHUNK_LATENCY cycles later and is added to the row (or to +0),
// and the sum is written three cycles after the chunk. commit_o tells in the cycle of that write that the last step of an mm
// is done. Steps on one row of one half must be at least MIN_DISTANCE cycles apart.
//
// One read and one write per half and cycle: the other users of a half (start values and the drain) may touch it only while
// no step on it is under way. Start values: written at the end of the cycle of load_i. Drain: the row is on rd_data_o from
// the cycle after rd_i until the next read of that half.
module pt_acc #(
  parameter int unsigned LANES = 64,
  parameter int unsigned CHUNK_LATENCY = 18
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic                step_valid_i,
  input  wire logic                step_half_i,
  input  wire logic [5:0]          step_row_i,
  input  wire logic                step_zero_i,  // add to +0
  input  wire logic                step_group_last_i,  // the last step of a group
  input  wire logic                step_mm_last_i,  // the last step of an instruction

  input  wire logic                chunk_valid_i,
  input  wire logic [LANES*32-1:0] chunk_i,
  output logic                     commit_group_o,
  output logic                     commit_mm_o,
  output logic                     commit_half_o,
  output logic                     busy_o,       // a step is under way

  input  wire logic                load_i,
  input  wire logic                load_half_i,
  input  wire logic [5:0]          load_row_i,
  input  wire logic [LANES*32-1:0] load_data_i,

  input  wire logic                rd_i,
  input  wire logic                rd_half_i,
  input  wire logic [5:0]          rd_row_i,
  output logic [LANES*32-1:0]      rd_data_o  // of the half of the last rd_i
);
  localparam int unsigned STAGES = CHUNK_LATENCY + 2;  // stage STAGES has the sum
  localparam int unsigned TW = 10;

  logic [STAGES:1] valid_q;
  logic [STAGES*TW-1:0] tag_q;  // stage k in bits TW*(k-1) and up
  wire busy = |valid_q;
  assign busy_o = busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (step_valid_i | busy) valid_q <= {valid_q[STAGES-1:1], step_valid_i};
  end
  always_ff @(posedge clk_i) begin
    if (step_valid_i | busy)
      tag_q <= {
        tag_q[(STAGES-1)*TW-1:0],
        step_half_i, step_zero_i, step_group_last_i, step_mm_last_i, step_row_i
      };
  end

  // Read one stage before the chunk, add beside it, write with the sum.
  localparam int unsigned RD = CHUNK_LATENCY - 1;
  wire acc_rd = valid_q[RD];
  wire acc_half = tag_q[TW*RD-1];
  wire [5:0] acc_row = tag_q[TW*(RD-1)+:6];
  wire add_half = tag_q[TW*CHUNK_LATENCY-1];
  wire add_zero = tag_q[TW*CHUNK_LATENCY-2];
  wire sum_valid = valid_q[STAGES];
  wire sum_half = tag_q[TW*STAGES-1];
  wire [5:0] sum_row = tag_q[TW*(STAGES-1)+:6];
  assign commit_half_o = sum_half;
  assign commit_group_o = sum_valid & tag_q[TW*STAGES-3];
  assign commit_mm_o = sum_valid & tag_q[TW*STAGES-4];

  logic [LANES*32-1:0] row0, row1, addend, sum;
  logic rd_half_q;
  wire unused_sum_valid;

  always_comb begin
    addend = add_half ? row1 : row0;
    if (add_zero) addend = '0;
  end

  arith_add32_row #(.LANES(LANES)) u_add (
    .clk_i,
    .rst_ni,
    .valid_i(chunk_valid_i),
    .a_i(addend),
    .b_i(chunk_i),
    .q_o(sum),
    .valid_o(unused_sum_valid)
  );

  // Start values and sums never meet on one half.
  wire load0 = load_i & ~load_half_i;
  wire load1 = load_i & load_half_i;
  sram_1r1w #(.WIDTH(LANES * 32), .DEPTH(stp_pkg::PT_ACC_ROWS)) u_half0 (
    .clk_i,
    .rreq_i((acc_rd & ~acc_half) | (rd_i & ~rd_half_i)),
    .raddr_i(rd_i & ~rd_half_i ? rd_row_i : acc_row),
    .rdata_o(row0),
    .wreq_i(load0 | (sum_valid & ~sum_half)),
    .waddr_i(load0 ? load_row_i : sum_row),
    .wmask_i('1),
    .wdata_i(load0 ? load_data_i : sum)
  );
  sram_1r1w #(.WIDTH(LANES * 32), .DEPTH(stp_pkg::PT_ACC_ROWS)) u_half1 (
    .clk_i,
    .rreq_i((acc_rd & acc_half) | (rd_i & rd_half_i)),
    .raddr_i(rd_i & rd_half_i ? rd_row_i : acc_row),
    .rdata_o(row1),
    .wreq_i(load1 | (sum_valid & sum_half)),
    .waddr_i(load1 ? load_row_i : sum_row),
    .wmask_i('1),
    .wdata_i(load1 ? load_data_i : sum)
  );

  always_ff @(posedge clk_i) if (rd_i) rd_half_q <= rd_half_i;
  assign rd_data_o = rd_half_q ? row1 : row0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else if (chunk_valid_i != valid_q[CHUNK_LATENCY]) begin
      $fatal(1, "a chunk is out of step with its row");
    end
  end
`endif
endmodule
`default_nettype wire
