`default_nettype none
// The drain of PT: sends accumulator rows to the FIFO of SFU, two sticks each, low first, while other units of PT go on.
//
// Instructions wait in a queue of two. One starts when the writes of its half that come before it are done (those after it
// wait for the drain), and then sends one stick per cycle; a cycle is lost between two drains. A row is read in the cycle
// before its low stick is offered.
// out_valid_o does not depend on out_ready_i.
module pt_drain #(
  parameter int unsigned LANES = 64,
  parameter int unsigned CW = 6
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                drop_i,

  input  wire logic                push_i,
  output logic                     ready_o,
  input  wire logic                push_half_i,
  input  wire logic [5:0]          push_last_i,  // number of rows less one
  input  wire logic [5:0]          push_row_i,
  input  wire logic [CW-1:0]       push_writes_i,  // writes of the half that come before
  input  wire logic [2*CW-1:0]     writes_done_i,

  output logic                     rd_o,
  output logic                     rd_half_o,
  output logic [5:0]               rd_row_o,
  input  wire logic [LANES*32-1:0] rd_data_i,

  output logic                     out_valid_o,
  input  wire logic                out_ready_i,
  output logic [1023:0]            out_data_o,

  output logic                     done_o,
  output logic                     done_half_o,
  output logic                     empty_o
);
  localparam int unsigned EW = 13 + CW;
  logic [1:0] used_q, used_d;
  logic [EW-1:0] e0_q, e1_q;
  wire [EW-1:0] push_entry = {push_writes_i, push_half_i, push_last_i, push_row_i};
  wire pop;
  wire to0 = push_i & (~used_q[0] | (pop & ~used_q[1]));
  always_comb begin
    used_d = pop ? {1'b0, used_q[1]} : used_q;
    if (push_i) used_d = {used_d[0], 1'b1};
    if (drop_i) used_d = 2'b00;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= 2'b00;
    else used_q <= used_d;
  end
  always_ff @(posedge clk_i) begin
    if (push_i | pop) begin
      e0_q <= to0 ? push_entry : pop ? e1_q : e0_q;
      if (push_i) e1_q <= push_entry;
    end
  end
  assign ready_o = ~used_q[1];
  assign empty_o = ~used_q[0];

  wire [CW-1:0] e_writes = e0_q[13+:CW];
  wire e_half = e0_q[12];
  wire [5:0] e_last = e0_q[11:6];
  wire [5:0] e_row = e0_q[5:0];
  wire start = e_writes == (e_half ? writes_done_i[CW+:CW] : writes_done_i[0+:CW]);

  logic [5:0] pos_q;
  logic have_q;  // the row is at the accumulators' output
  logic high_q;  // its low stick is sent
  wire sent = have_q & out_ready_i;
  wire row_sent = sent & high_q;
  wire more = pos_q != e_last;
  assign pop = row_sent & ~more;
  assign rd_o = used_q[0] & start & (~have_q | (row_sent & more));
  assign rd_half_o = e_half;
  assign rd_row_o = e_row + pos_q + {5'b0, have_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pos_q <= 6'd0;
      have_q <= 1'b0;
      high_q <= 1'b0;
    end else if (drop_i) begin
      pos_q <= 6'd0;
      have_q <= 1'b0;
      high_q <= 1'b0;
    end else if (used_q[0]) begin
      have_q <= rd_o | (have_q & ~row_sent);
      if (sent) high_q <= ~high_q;
      if (row_sent) pos_q <= more ? pos_q + 6'd1 : 6'd0;
    end
  end

  assign out_valid_o = have_q;
  always_comb begin
    out_data_o = '0;
    out_data_o[0+:LANES*16] = high_q ? rd_data_i[LANES*16+:LANES*16] : rd_data_i[0+:LANES*16];
  end
  assign done_o = pop;
  assign done_half_o = e_half;
endmodule
`default_nettype wire
