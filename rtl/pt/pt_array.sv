`default_nettype none
// The systolic chain of PT: eight PE rows, row r two cycles after row r-1, and the buffer of row sticks that feeds them.
// Each step multiplies the eight elements of one block of a row stick with the eight weight sticks of that block and gives
// their chunk: a chain of eight fused multiply-adds from +0.
//
// Latency: 18 cycles from step_valid_i to chunk_valid_o, one step per cycle, no back-pressure; the step's number of block,
// bank and format travel with it. The stick that a step names must have been written in an earlier cycle, and may be
// overwritten in the cycle after the step; so may the weights in the cycle after free_valid_o.
module pt_array #(
  parameter int unsigned LANES = 64
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // row sticks: two groups of eight
  input  wire logic                x_we_i,
  input  wire logic [3:0]          x_addr_i,
  input  wire logic [1023:0]       x_data_i,
  // weights
  input  wire logic [7:0]          w_we_i,    // a bit per PE row
  input  wire logic [3:0]          w_addr_i,  // {bank, block}
  input  wire logic [LANES*16-1:0] w_data_i,

  input  wire logic                step_valid_i,
  input  wire logic [3:0]          step_x_i,  // row stick
  input  wire logic                step_load_i,  // the first step with this weight block: read it
  input  wire logic                step_bank_i,
  input  wire logic [2:0]          step_block_i,
  input  wire logic                step_bf16_i,
  input  wire logic                step_last_i,  // the last step of a group

  output logic                     chunk_valid_o,
  output logic [LANES*32-1:0]      chunk_o,
  output logic                     free_valid_o,  // the last step of a group reads its weights in the last PE row, ...
  output logic                     free_bank_o    // ... in this bank
);
  localparam int unsigned ROWS = stp_pkg::PT_ROWS;
  // A step that is issued in cycle s stands at stage k of the shift registers in cycle s + k: stage 1 has the row stick at
  // the buffer's output and reads weights of row 0, stage 2 enters row 0, stage 2r+2 enters row r, stage 18 has the chunk.
  localparam int unsigned STAGES = 2 * ROWS;

  logic [STAGES:1] valid_q;
  logic [STAGES*4-1:0] waddr_q;  // stage k in bits 4*(k-1) and up
  logic [STAGES:1] bf16_q;
  logic [STAGES-1:1] load_q, last_q;
  logic [1023:0] x;
  wire busy = |valid_q;

  assign free_valid_o = valid_q[STAGES-1] & last_q[STAGES-1];
  assign free_bank_o = waddr_q[4*(STAGES-1)-1];

  sram_1r1w #(.WIDTH(1024), .DEPTH(16)) u_x (
    .clk_i,
    .rreq_i(step_valid_i),
    .raddr_i(step_x_i),
    .rdata_o(x),
    .wreq_i(x_we_i),
    .waddr_i(x_addr_i),
    .wmask_i('1),
    .wdata_i(x_data_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (step_valid_i | busy) valid_q <= {valid_q[STAGES-1:1], step_valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (step_valid_i | busy) begin
      load_q <= {load_q[STAGES-2:1], step_load_i};
      waddr_q <= {waddr_q[STAGES*4-5:0], step_bank_i, step_block_i};
      bf16_q <= {bf16_q[STAGES-1:1], step_bf16_i};
      last_q <= {last_q[STAGES-2:1], step_last_i};
    end
  end

  // The eight elements of the step's block, row r's delayed by 2r cycles.
  wire [127:0] elements = x[{waddr_q[2:0], 7'b0}+:128];

  for (genvar r = 0; r < ROWS; r++) begin : g_row
    localparam int unsigned DELAY = 2 * r + 1;
    logic [DELAY*16-1:0] a_q;
    logic [LANES*32-1:0] c, q;
    logic valid_in, valid_out;
    if (r == 0) begin : g_first
      always_ff @(posedge clk_i) if (valid_q[1]) a_q <= elements[15:0];
      assign c = '0;
      assign valid_in = valid_q[2];
    end else begin : g_next
      always_ff @(posedge clk_i) if (busy) a_q <= {a_q[(DELAY-1)*16-1:0], elements[16*r+:16]};
      assign c = g_row[r-1].q;
      assign valid_in = g_row[r-1].valid_out;
    end

    pt_row #(.LANES(LANES)) u_row (
      .clk_i,
      .rst_ni,
      .w_we_i(w_we_i[r]),
      .w_addr_i,
      .w_data_i,
      .rd_i(valid_q[2*r+1] & load_q[2*r+1]),
      .rd_addr_i(waddr_q[4*(2*r)+:4]),
      .valid_i(valid_in),
      .bf16_i(bf16_q[2*r+2]),
      .a_i(a_q[(DELAY-1)*16+:16]),
      .c_i(c),
      .q_o(q),
      .valid_o(valid_out)
    );
  end

  assign chunk_valid_o = g_row[ROWS-1].valid_out;
  assign chunk_o = g_row[ROWS-1].q;
endmodule
`default_nettype wire
