`default_nettype none
// The walker of PT: makes one step (row, block) per cycle through the groups that the loader offers, block-outer, row-inner,
// with no cycle lost between blocks, groups and instructions. A step waits while an earlier step on the same accumulator row
// is less than MIN_DISTANCE cycles away (groups of fewer rows), and the first step of a group while drains of its half that
// come before it are not done.
//
// Latency: step_* are combinational from registers in the cycle of the step.
module pt_walk #(
  parameter int unsigned CW = 6
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            drop_i,

  input  wire logic [1:0]      group_valid_i,
  output logic                 group_sel_o,
  input  wire logic [3:0]      group_rows_i,
  input  wire logic            group_half_i,
  input  wire logic [3:0]      group_nblk_i,
  input  wire logic            group_zero_i,
  input  wire logic [5:0]      group_row_i,
  input  wire logic [CW-1:0]   group_drains_i,
  output logic                 group_done_o,
  input  wire logic [2*CW-1:0] drains_done_i,

  output logic                 step_valid_o,
  output logic [3:0]           step_x_o,
  output logic                 step_load_o,
  output logic [2:0]           step_block_o,
  output logic [5:0]           step_row_o,
  output logic                 step_zero_o,
  output logic                 step_last_o  // the last step of the group
);
  localparam int unsigned MIN_DISTANCE = 4;

  logic sel_q;
  logic [2:0] block_q, row_q;
  logic [MIN_DISTANCE-2:0] recent_q;
  logic [7*(MIN_DISTANCE-1)-1:0] recent_row_q;

  wire [6:0] row = {group_half_i, group_row_i + {3'b0, row_q}};
  wire drained = group_drains_i == (group_half_i ? drains_done_i[CW+:CW] : drains_done_i[0+:CW]);
  logic recent;
  always_comb begin
    recent = 1'b0;
    for (int k = 0; k < MIN_DISTANCE - 1; k++) recent |= recent_q[k] & (recent_row_q[7*k+:7] == row);
  end

  wire row_last = {1'b0, row_q} + 4'd1 == group_rows_i;
  wire block_last = {1'b0, block_q} + 4'd1 == group_nblk_i;

  assign group_sel_o = sel_q;
  assign step_valid_o = group_valid_i[sel_q] & drained & ~recent;
  assign step_x_o = {sel_q, row_q};
  assign step_load_o = row_q == 3'd0;
  assign step_block_o = block_q;
  assign step_row_o = row[5:0];
  assign step_zero_o = group_zero_i & (block_q == 3'd0);
  assign step_last_o = row_last & block_last;
  assign group_done_o = step_valid_o & step_last_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sel_q <= 1'b0;
      block_q <= 3'd0;
      row_q <= 3'd0;
      recent_q <= '0;
    end else if (drop_i) begin
      sel_q <= 1'b0;
      block_q <= 3'd0;
      row_q <= 3'd0;
      recent_q <= '0;
    end else begin
      recent_q <= {recent_q[MIN_DISTANCE-3:0], step_valid_o};
      if (step_valid_o) begin
        row_q <= row_last ? 3'd0 : row_q + 3'd1;
        if (row_last) block_q <= block_last ? 3'd0 : block_q + 3'd1;
        if (group_done_o) sel_q <= ~sel_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (step_valid_o | (|recent_q)) recent_row_q <= {recent_row_q[7*(MIN_DISTANCE-2)-1:0], row};
  end
endmodule
`default_nettype wire
